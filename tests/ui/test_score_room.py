"""The score over its table: the ways on, the vote where it is kept, what is made meanwhile, and what it waits for."""

from __future__ import annotations

import pytest

from rummy_p2p.engine import events as ev
from rummy_p2p.sentences.screen import Making, TableFacts
from rummy_p2p.ui.room import Key, Mouse
from rummy_p2p.ui.score_room import SHOWN_SECONDS, ScoreRoom
from rummy_p2p.ui.table_room import TableRoom
from tests.ui.table import CLAIMED, SIZES, Clock, TableSeat, check_golden, drawn, facts_with, make_screen, position

LAN = facts_with(continues_by_itself=True)


class Table:
    """A table at which the hand has just been counted, and the votes that were kept."""

    def __init__(self, facts: TableFacts = LAN, *, votes: bool = True) -> None:
        state, order = position(CLAIMED, hand="2h", melds=((1, "4s 4h 4d"), (0, "Qs Qd Qc")))
        self.seat, self.clock, self.kept = TableSeat(state, order), Clock(), list[int]()
        vote = self.kept.append if votes else None
        self.room = TableRoom(make_screen(), self.seat, facts=lambda: facts, clock=self.clock, vote=vote)
        self.room.screen.enter(self.room)
        self.hear(ev.Dealt((1, 3, 13, 0), 3))
        self.end_hand()

    def end_hand(self) -> None:
        self.seat.said()
        self.seat.act("discard 2h")
        for item in self.seat.said():
            self.room.hear(item)

    def hear(self, event: ev.Event) -> None:
        self.room.hear(event)

    def press(self, *names: str) -> None:
        for name in names:
            self.room.screen.press(name)

    @property
    def score(self) -> ScoreRoom:
        score = self.room.screen.room
        assert isinstance(score, ScoreRoom)
        return score

    def keys(self) -> dict[str, Key]:
        return {name: key for key in tuple(self.score.keys()) for name in key.keys}

    def text(self) -> str:
        return "\n".join(drawn(self.score).rows())


# --- the vote --------------------------------------------------------------------------------------------------------


def test_the_last_vote_is_kept_and_stays_over_the_next_hands() -> None:
    table = Table()
    assert "How fun are these rules?" in table.text()
    table.press("2", "4")
    assert table.kept == [2, 4]
    assert "4 of 5" in table.room.screen.noted
    assert "[4]" in table.text()
    table.room.leave_score(table.score)
    table.hear(ev.Dealt((13, 13, 13, 0), 1))
    table.hear(ev.Scored((0, 5, 7, 0), ((), (), (), ()), 0))
    assert "[4]" in table.text()


def test_a_vote_is_clicked() -> None:
    table = Table()
    table.score.mouse(Mouse("up", ("key", "5"), 0, 0))
    assert table.kept == [5]


def test_where_no_vote_is_kept_none_is_asked_for() -> None:
    table = Table(votes=False)
    assert "How fun" not in table.text()
    assert not {"1", "5"} & set(table.keys())


# --- the next hand ---------------------------------------------------------------------------------------------------


def test_the_clock_of_the_next_hand_runs_where_it_comes_by_itself() -> None:
    table = Table()
    assert "next hand in 0:20" in table.text()
    table.clock.now = 12.0
    assert "next hand in 0:08" in table.text()
    assert not table.score.is_stale(table.clock.now)
    table.hear(ev.Dealt((13, 13, 13, 0), 1))
    assert "THE NEXT HAND IS DEALT" in table.text()
    assert table.score.is_stale(SHOWN_SECONDS)


def test_where_the_player_deals_there_is_no_clock() -> None:
    table = Table(facts_with())
    assert "next hand in" not in table.text()
    assert "Enter: next hand" in table.text()


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1] + 2}")
def test_how_far_the_next_deck_has_come(size: tuple[int, int]) -> None:
    facts = facts_with(continues_by_itself=True, making=Making("shuffle", 3, 4, ("Dag",)))
    table = Table(facts)
    canvas = drawn(table.score, size)
    assert "Everybody shuffles the deck in turn: 3 of 4" in canvas.rows()[-1]
    check_golden(f"score-making-{size[0]}x{size[1] + 2}", canvas)


def test_for_whom_the_table_waits() -> None:
    table = Table(facts_with(continues_by_itself=True, missing=("Bea",), why="Bea cannot be reached."))
    table.room.look()
    table.clock.now = 75.0
    assert "waiting for Bea 1:15; q leaves." in table.text()


# --- the ways on -----------------------------------------------------------------------------------------------------


def test_who_goes_on_comes_back_to_the_table() -> None:
    table = Table()
    assert table.keys()["enter"].label == "Continue"
    assert table.keys()["e"].enabled
    table.press("enter")
    assert table.room.screen.room is table.room


def test_who_is_out_watches_or_leaves() -> None:
    table = Table()
    table.seat.totals((104, 42, 67, 104))
    assert table.keys()["w"].label == "Watch"
    assert table.keys()["e"].enabled
    table.press("e")
    assert table.room.screen.room is None


def test_at_a_table_that_is_closed_enter_leaves() -> None:
    table = Table()
    table.room.state.closed = True
    assert "Enter: leave the table" in table.text()
    table.press("enter")
    assert table.room.screen.room is None


@pytest.mark.parametrize("word", ["next", "continue"])
def test_what_is_typed_goes_on_as_well(word: str) -> None:
    table = Table()
    table.score.typed(word)
    assert table.room.screen.room is table.room


def test_what_is_typed_otherwise_is_meant_for_the_table() -> None:
    table = Table()
    score = table.score
    score.typed("mute Bea")
    assert table.room.state.muted == {"Bea"}
    assert score.complete("mute C") == ("Cem",)
    assert score.title() == table.room.title()
    assert score.cursor() is None


def test_the_wheel_scrolls_as_far_as_there_is_something_hidden() -> None:
    table, low = Table(), (80, 15)
    before = drawn(table.score, low).rows()
    table.score.mouse(Mouse("wheel-up", None, 0, 0))
    assert drawn(table.score, low).rows() == before
    for _ in range(30):
        table.score.mouse(Mouse("wheel-down", None, 0, 0))
    scrolled = drawn(table.score, low).rows()
    assert "X Dag" in "\n".join(scrolled)
    assert "X Dag" not in "\n".join(before)
    table.press("pageup", "pageup", "pageup", "up", "k")
    assert drawn(table.score, low).rows() == before
