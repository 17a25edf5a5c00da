"""A match looked through on the full screen: forward and back, from each seat, and between the hands."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from functools import cache

import pytest

from rummy_p2p.offline.replay import Replay
from rummy_p2p.ui.replay_room import ReplayRoom
from rummy_p2p.ui.room import Mouse
from tests.offline.test_replay import film, match
from tests.ui.lobby import SIZES, check_golden, drawn


class FakeShell:
    """The screen as a test wants it."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.pages: list[tuple[str, tuple[str, ...]]] = []
        self.line = ""
        self.left = 0

    def leave(self, code: int = 0) -> None:
        del code
        self.left += 1

    def note(self, text: str) -> None:
        self.notes.append(text)

    def page(self, heading: str, lines: Callable[[], Iterable[str]], *, at_end: bool = False) -> None:
        del at_end
        self.pages.append((heading, tuple(lines())))

    def open_line(
        self, prompt: str = "", send: Callable[[str], None] | None = None, *, text: str = "", once: bool = False
    ) -> None:
        assert send is not None
        assert (prompt, text, once) == ("Record", "", True)
        send(self.line)


class Showing:
    """The room with its screen."""

    def __init__(self, seat: int | None = None, shown: Replay | None = None) -> None:
        self.shell = FakeShell()
        self.room = ReplayRoom(self.shell, shown or film(), seat)

    def press(self, *names: str) -> None:
        for name in names:
            keys = self.room.keys()
            next(key for key in keys if name in key.keys).act()

    def message(self) -> str:
        return drawn(self.room).rows()[-1]


@cache
def in_the_middle() -> int:
    """A record in the first hand at which melds lie on the table."""
    return next(
        frame.number for frame in film().frames if frame.fold.hand is not None and len(frame.fold.hand.table) == 2
    )


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1] + 2}")
def test_it_looks_as_it_did(size: tuple[int, int]) -> None:
    showing = Showing()
    showing.room.typed(str(in_the_middle()))
    check_golden(f"replay-{size[0]}x{size[1] + 2}", drawn(showing.room, size))


def test_between_hands_it_looks_as_it_did() -> None:
    showing = Showing()
    showing.press("end")
    check_golden("replay-between-80x24", drawn(showing.room))
    assert showing.room.cursor() == (2, 2)


def test_the_first_view_tells_what_was_played() -> None:
    showing = Showing()
    check_golden("replay-overview-80x24", drawn(showing.room))
    shown = "\n".join(drawn(showing.room).rows())
    assert "Ada and Bea played rummy-test." in shown
    assert f"{len(film().hands())} hands in {film().last} records." in shown
    for number, at in enumerate(film().hands(), 1):
        assert f"Hand {number} begins at record {at}." in shown
    assert "n goes on" in shown


def test_the_title_of_the_table_is_not_cut_at_80_columns() -> None:
    showing = Showing()
    showing.room.typed(str(in_the_middle()))
    assert "Ada in front, o shows all" in drawn(showing.room).rows()[0]


def test_keys_lead_forward_and_back() -> None:
    showing = Showing()
    for name, number in (
        ("n", 2), ("right", 3), ("space", 4), ("p", 3), ("left", 2), ("]", 3), ("]", film().hands()[1]),
        ("[", 3), ("end", film().last), ("home", 1),
    ):  # fmt: skip
        showing.press(name)
        assert f"record {number} of {film().last}:" in showing.message(), name
    showing.press("p")
    assert showing.shell.notes == ["This is the first record."]
    showing.press("end", "n")
    assert showing.shell.notes[-1] == "This is the last record."
    showing.press("escape")
    assert showing.shell.left == 1


def test_seats_take_turns_and_only_see_what_they_saw() -> None:
    showing = Showing()
    showing.room.typed(str(in_the_middle()))
    assert "Ada in front" in drawn(showing.room).rows()[0]
    showing.press("s")
    assert "seen by Ada" in drawn(showing.room).rows()[0]
    showing.press("o")
    assert any("not known" in line for line in showing.shell.pages[-1][1])
    showing.press("s")
    assert "seen by Bea" in drawn(showing.room).rows()[0]
    showing.press("s", "o")
    assert not any("not known" in line for line in showing.shell.pages[-1][1])


def test_what_is_typed_leads_somewhere_or_says_why_not() -> None:
    showing = Showing()
    showing.room.typed("hand 2")
    assert f"record {film().hands()[1]} of" in showing.message()
    showing.room.typed("seat Bea")
    showing.room.typed("record 9")
    assert "record 9 of" in showing.message()
    showing.shell.line = "12"
    showing.press("g")
    assert "record 12 of" in showing.message()
    showing.room.typed("Tuesday")
    assert showing.shell.notes[-1].startswith("The records are 1 to ")
    assert showing.room.complete("ha") == ("hand",)
    assert showing.room.complete("seat b") == ("Bea",)
    assert showing.room.complete("seat ") == ("Ada", "Bea", "all")


def test_without_cards_there_are_no_hands_to_show() -> None:
    showing = Showing()
    showing.press("o")
    assert showing.shell.pages == [("All hands", ("No cards are dealt at this record.",))]


def test_the_mouse_goes_on_and_back() -> None:
    showing = Showing()
    for kind, number in (("up", 2), ("wheel-down", 3), ("wheel-up", 2), ("move", 2)):
        showing.room.mouse(Mouse(kind, None, 0, 0))  # type: ignore[arg-type]  # one of its kinds
        assert f"record {number} of" in showing.message()


def test_the_end_of_a_damaged_file_is_told() -> None:
    data = match().file()
    showing = Showing(shown=Replay(data[: len(data) // 2]))
    showing.press("end", "n")
    assert showing.shell.notes[-1].startswith("The file is in order up to here.")


def test_any_walk_at_any_size_can_be_drawn() -> None:
    dice, showing = random.Random(5), Showing()
    keys = showing.room.keys()
    names = [name for key in keys for name in key.keys if name not in ("g", "escape", "q")]
    for _ in range(300):
        showing.press(dice.choice(names))
        if dice.random() < 0.2:
            showing.room.typed(str(dice.randrange(film().last + 2)))
        drawn(showing.room, (dice.randrange(80, 150), dice.randrange(22, 50)))
    assert showing.room.title() == "Replay: rummy-test"
    assert all(key.help for key in keys)
