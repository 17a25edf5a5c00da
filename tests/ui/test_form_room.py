"""The form on the whole screen: by keys, by mouse, by typing."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from rummy_p2p.ui.form import Plan
from rummy_p2p.ui.form_room import FormRoom
from rummy_p2p.ui.lobby_room import LobbyRoom
from rummy_p2p.ui.room import Mouse
from rummy_p2p.ui.screen import Screen
from tests.ui.lobby import SIZES, FakeLan, click, drawn, make_lobby, press


class Open:
    """The form over a lobby."""

    def __init__(self) -> None:
        self.lan = FakeLan()
        self.screen, self.lobby = make_lobby(self.lan)
        press(self.screen, "n")
        room = self.screen.room
        assert isinstance(room, FormRoom)
        self.room = room
        self.text = ""
        self.screen.open_line = self._line  # type: ignore[method-assign,assignment]  # what is typed comes from the test

    def _line(self, _prompt: str = "", send: Callable[[str], None] | None = None, **_how: object) -> None:
        if send is not None:
            send(self.text)

    @property
    def shown(self) -> str:
        return "\n".join(drawn(self.room, SIZES[1]).rows())


@pytest.fixture
def form() -> Open:
    return Open()


def test_keys_change_the_line_that_is_stood_on(form: Open) -> None:
    press(form.screen, "right")
    assert form.lobby.form.game == "rummy-sv"
    press(form.screen, "left", "down", "down", "l", "l", "down", "+", "down")
    assert (form.lobby.form.game, form.lobby.form.seats, form.lobby.form.bots) == ("rummy-no", 4, 1)
    assert form.room.cursor() == (1, 6)  # the level of the bots is passed by: there is one
    assert form.room.title() == "rummy-p2p: New table"
    press(form.screen, "h", "up", "k", "-")
    assert (form.lobby.form.hands, form.lobby.form.seats) == (20, 3)


def test_a_house_rule_is_switched_by_space_and_told_about(form: Open) -> None:
    form.room.typed("take-all")
    assert "[x] Take all" in form.shown
    assert "Different here (Points)" in form.shown
    press(form.screen, "space")
    assert "[ ] Take all" in form.shown
    assert "Norwegian rummy as it is usually played." in form.shown
    press(form.screen, "enter")
    assert form.lobby.form.house == ("take-all",)
    form.room.typed("title Friday")
    press(form.screen, "x")
    assert form.lobby.form.plan() == Plan("rummy-no", title="Friday")  # no house rules, and nothing else undone


def test_its_keys_say_what_they_do(form: Open) -> None:
    table = form.room.keys()
    helps = {key.keys[0]: (key.label, key.help) for key in table}
    assert helps["down"] == ("", "choose a line of the form")
    assert helps["x"] == ("No house rules", "switch all house rules off")


def test_enter_types_a_value(form: Open) -> None:
    form.text = "Friday"
    press(form.screen, "down", "enter")
    assert form.lobby.form.title == "Friday"
    form.text = "many"
    press(form.screen, "down", "enter")
    assert form.screen.noted == "many is not a number that fits here."


def test_what_cannot_be_chosen_says_why(form: Open) -> None:
    form.room.typed("contract-rounds")
    form.room._list.stand_on("limit")
    press(form.screen, "space")
    assert "a match with contracts ends after the last of them" in form.screen.noted
    assert form.lobby.form.house == ("contract-rounds",)


@pytest.mark.parametrize(("key", "what"), [("c", "open"), ("p", "practice"), ("o", "one_screen")])
def test_what_it_stands_for_is_done_in_the_lobby(form: Open, key: str, what: str) -> None:
    press(form.screen, key)
    assert form.lan.asked == [(what, Plan("rummy-no"))]
    assert isinstance(form.screen.room, LobbyRoom)


def test_what_cannot_be_played_is_not_done(form: Open) -> None:
    form.lobby.form.seats = 9
    press(form.screen, "c")
    assert form.screen.noted.startswith("Not like this:")
    assert "Not like this: These rules are for 2-6 players, not for 9." in form.shown
    form.lobby.form.seats = 2
    form.lan.busy = "Connecting …"
    press(form.screen, "c")
    assert form.screen.noted == "Connecting …"
    press(form.screen, "r", "escape")
    assert form.lan.asked == [("show", "rules", "rummy-no", ())]


def test_the_mouse(form: Open) -> None:
    pressed: list[str] = []
    form.screen.press = pressed.append  # type: ignore[method-assign,assignment]  # a screen that is not shown has no size
    click(form.screen, form.room, "[ ] Game clock")
    assert form.lobby.form.house == ("game-clock",)
    form.room.mouse(Mouse("up", ("field", "seats", "right"), 0, 0))
    form.room.mouse(Mouse("up", ("field", "bots", "right"), 0, 0))
    form.room.mouse(Mouse("up", ("field", "bots", "left"), 0, 0))
    assert (form.lobby.form.seats, form.lobby.form.bots) == (3, 0)
    form.text = "Friday"
    form.room.mouse(Mouse("up", ("field", "title", "type"), 0, 0))
    assert form.lobby.form.title == "Friday"
    click(form.screen, form.room, "[c Create]")
    assert pressed == ["c"]
    form.room.mouse(Mouse("up", ("scroll", 1), 0, 0))
    form.room.mouse(Mouse("wheel-up", None, 0, 0))
    form.room.mouse(Mouse("down", None, 0, 0))


def test_typed_lines_and_their_completion(form: Open) -> None:
    form.room.typed("seats 4")
    assert form.lobby.form.seats == 4
    form.room.typed("seats 40")
    assert form.screen.noted == "These rules are for 2-6 players, not for 40."
    assert form.room.complete("tak") == ("take-all",)
    assert form.room.complete("take-all ") == ("on", "off")
    assert form.room.complete("seats ") == ()


@pytest.mark.parametrize("seed", range(3))
def test_any_keys_and_clicks_leave_it_in_order(seed: int) -> None:
    dice = random.Random(seed)
    form = Open()
    for _ in range(120):
        form.text = dice.choice(("3", "Friday", "", "yes"))
        if form.screen.room is not form.room:
            form.screen.enter(form.room)
        keys = [name for key in form.screen._keys() for name in key.keys if name not in ("c-l", "?", "f1")]
        press(form.screen, dice.choice(keys))
        size = dice.choice(SIZES)
        canvas = drawn(form.room, size)
        x, y = dice.randrange(size[0]), dice.randrange(size[1])
        form.screen.press = lambda name: press(form.screen, name)  # type: ignore[method-assign]  # whatever its size
        if form.screen.room is form.room:
            form.room.mouse(Mouse(dice.choice(("down", "up")), canvas.target_at(x, y), x, y))
        assert isinstance(form.screen, Screen)
        assert form.lobby.form.problem() == ""


def test_guests_by_ssh_are_switched_in_the_form_or_it_is_told_why_not(form: Open) -> None:
    form.room.typed("ssh on")
    assert "[x] Guests by ssh" in form.shown
    press(form.screen, "space")
    assert not form.lobby.form.plan().ssh
    form.lobby.form.no_ssh = "Guests by ssh need a package that is not here."
    press(form.screen, "space")
    assert form.screen.noted == "Guests by ssh need a package that is not here."
    assert "( ) Guests by ssh" in form.shown
    assert form.room.complete("ssh o") == ("on", "off")
