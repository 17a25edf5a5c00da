"""One screen: with the curtain down nothing of a hand is drawn; each player has a table of its own behind it."""

from __future__ import annotations

import asyncio
import random
import re

import pytest

from rummy_p2p.bots import LEVELS
from rummy_p2p.offline.hotseat import OneScreen
from rummy_p2p.ui.curtain_room import CurtainRoom
from rummy_p2p.ui.popup import Question
from rummy_p2p.ui.room import Room
from rummy_p2p.ui.score_room import ScoreRoom
from tests.cases.positions import CATALOGUE
from tests.offline.test_hotseat import CLAIM, at, sitting, table
from tests.ui.lobby import SIZES, check_golden, click, drawn, make_screen, press

BOT = LEVELS["normal"]
CARD = re.compile(r"\b(?:10|[2-9AJQK])[♠♥♦♣]")


class Sharing:
    """The room on a screen that is never shown; the places hear at once when their player sits down."""

    def __init__(self, screen: OneScreen | None = None) -> None:
        self.table = screen or table()
        self.screen = make_screen()
        self.room = CurtainRoom(self.screen, self.table)
        self.screen.enter(self.room)

    def hear(self) -> None:
        seat = sitting(self.table)
        if seat is not None:
            for item in self.table.places[seat].news():
                self.room._rooms[seat].hear(item)

    def press(self, *names: str) -> None:
        for name in names:
            press(self.screen, name)
            self.hear()

    def type(self, text: str) -> None:
        assert self.screen.room is not None
        self.screen.room.typed(text)
        self.hear()

    def bot(self, number: int = 0) -> None:
        """Let a bot type for whoever sits at the screen."""
        seat = sitting(self.table)
        assert seat is not None
        view = self.table.places[seat].view()
        assert view is not None
        self.type(str(BOT(view, number)))

    def rows(self) -> tuple[str, ...]:
        return drawn(self.room).rows()


def top(sharing: Sharing) -> Room | None:
    """The room on top now, whatever was known of it before."""
    return sharing.screen.room


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1] + 2}")
def test_the_curtain_looks_as_it_did(size: tuple[int, int]) -> None:
    check_golden(f"curtain-{size[0]}x{size[1] + 2}", drawn(Sharing(at(CLAIM)).room, size))


def test_behind_the_curtain_no_card_of_a_hand_is_drawn() -> None:
    sharing = Sharing()
    for number in range(60):
        if sitting(sharing.table) is None:
            assert CARD.findall("\n".join(sharing.rows())) == []  # what is public is written with letters there
            assert sharing.room.cursor() is None
            assert sharing.room.complete("d") == ()
            sharing.press("enter")
        else:
            assert CARD.findall("\n".join(sharing.rows()))
            sharing.bot(number)
        if sharing.table.hand.over:
            break


def test_enter_raises_it_for_the_player_who_is_called() -> None:
    sharing = Sharing()
    name = sharing.table.names[sharing.table.waiting]
    assert sharing.room.title() == name
    assert any(f"Pass the keyboard to {name}" in row for row in sharing.rows())
    sharing.press("enter")
    assert sitting(sharing.table) == sharing.table.waiting
    assert "YOUR TURN" in sharing.rows()[-1]
    assert sharing.room.cursor() is not None
    assert sharing.room.complete("dr") == ("draw",)
    sharing.press("d")
    assert sitting(sharing.table) is not None
    sharing.press("x")
    assert sitting(sharing.table) is None
    assert any("discarded" in row for row in sharing.rows())


def test_each_player_types_behind_a_prompt_of_their_own() -> None:
    sharing = Sharing(table(names=("Ada", "Bea")))
    prompts: list[str] = []
    sharing.screen.open_line = prompts.append  # type: ignore[method-assign,assignment]  # nobody types
    for _ in range(2):
        sharing.press("enter", ":")
        sharing.bot()
        while sitting(sharing.table) is not None:
            sharing.bot()
    assert prompts == [f"{name}>" for name in dict.fromkeys(prompt[:-1] for prompt in prompts)]
    assert len(prompts) == 2


def test_the_line_is_closed_when_the_curtain_falls(monkeypatch: pytest.MonkeyPatch) -> None:
    sharing = Sharing(table(names=("Ada", "Bea")))
    closed: list[bool] = []
    monkeypatch.setattr(sharing.screen.line, "close", lambda: closed.append(True))
    sharing.press("enter")
    sharing.type("draw")
    assert closed == []
    while sitting(sharing.table) is not None:
        sharing.bot()
    assert closed == [True]


def test_each_player_keeps_the_own_order_of_cards() -> None:
    sharing = Sharing(table(names=("Ada", "Bea")))
    sharing.press("enter")
    first = sitting(sharing.table)
    assert first is not None
    sharing.type("sort rank")
    assert sharing.room._rooms[first].state.fan.mode == "rank"
    assert sharing.room._rooms[1 - first].state.fan.mode == "melds"


def test_a_claim_is_made_by_key_or_by_word() -> None:
    sharing = Sharing(at(CLAIM))
    sharing.press("c")
    question = sharing.screen.room
    assert isinstance(question, Question)
    assert "Who claims 10c?" in "\n".join(drawn(question).rows())
    sharing.press("n")
    assert sharing.table.claimants() == (1, 2)
    sharing.press("c", "2")
    assert sharing.table.claimants() == ()
    assert any("Cem claimed 10c" in row for row in sharing.rows())
    typed = Sharing(at(CLAIM))
    typed.type("rummy Cem")
    assert typed.screen.noted == "Cem calls for 10c."
    typed.type("rummy Ada")
    assert typed.screen.noted == "Nothing can be claimed now."


def test_the_mouse_presses_the_keys_of_the_curtain() -> None:
    sharing = Sharing()
    click(sharing.screen, sharing.room, "[Enter I am ready]")
    sharing.hear()
    assert sitting(sharing.table) is not None
    for kind in ("down", "up"):
        click(sharing.screen, sharing.room, "d Draw", kind)
    sharing.hear()
    assert len(sharing.table.hand.hands[sharing.table.waiting]) == 8


@pytest.mark.parametrize("game", ["rummy-no", "gin"])
def test_a_whole_hand_and_the_score_behind_it(game: str) -> None:
    sharing = Sharing(table(CATALOGUE.compile(game), names=("Ada", "Bea")))
    for number in range(600):
        if sharing.table.hand.over:
            break
        if sitting(sharing.table) is None:
            sharing.press("enter")
        else:
            sharing.bot(number)
    score = sharing.screen.room
    assert isinstance(score, ScoreRoom)
    drawn(score)
    sharing.press("enter")  # on to the next hand
    assert (sitting(sharing.table), sharing.table.hand.over) == (None, False)
    assert any(" after 1 hand" in row for row in sharing.rows())
    sharing.press("enter")
    while isinstance(sharing.screen.room, ScoreRoom):  # who did not end the hand sees what it came to as well
        sharing.press("enter")
    assert "YOUR TURN" in sharing.rows()[-1]


def test_leaving_is_asked_and_ends_it_for_all() -> None:
    behind = Sharing()
    behind.press("q", "n")
    assert behind.screen.room is behind.room
    behind.type("leave")
    behind.press("y")
    assert behind.table.closed
    assert top(behind) is None
    sitting_there = Sharing()
    sitting_there.press("enter", "q", "y")
    assert sitting_there.table.closed
    assert top(sitting_there) is None


def test_in_a_running_screen_every_place_listens() -> None:
    async def run() -> list[int]:
        sharing = Sharing()
        sharing.room.begin()
        for _ in range(5):
            await asyncio.sleep(0)
        before = [len(room.state.log) for room in sharing.room._rooms]
        sharing.table.lift()
        for _ in range(20):
            await asyncio.sleep(0)
        after = [len(room.state.log) for room in sharing.room._rooms]
        tasks = list(sharing.screen._tasks)
        sharing.room.end()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert before == [0, 0, 0]
        return [bool(count) for count in after]

    heard = asyncio.run(run())
    assert heard.count(True) == 1


def test_keys_at_random_never_show_a_hand_behind_the_curtain() -> None:
    dice, sharing = random.Random(4), Sharing(table(names=("Ada", "Bea")))
    for _ in range(800):
        room = sharing.screen.room
        if room is None:
            break
        keys = [key for key in sharing.screen._keys() if not {"q", "M", "c-l", ":"} & set(key.keys)]
        dice.choice(keys).act()
        sharing.hear()
        rows = drawn(sharing.room, (dice.randrange(80, 140), dice.randrange(22, 45))).rows()
        assert sitting(sharing.table) is not None or not CARD.findall("\n".join(rows))
