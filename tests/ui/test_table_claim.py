"""A discard that can be claimed: button, side, message line and pile say so, and its time is seen running."""

from __future__ import annotations

import msgspec
import pytest

from rummy_p2p.cards import Card
from rummy_p2p.engine import Phase
from rummy_p2p.engine import events as ev
from rummy_p2p.ruleset import Ruleset
from rummy_p2p.ui.table_claim import Claiming, Countdown, claiming
from rummy_p2p.ui.table_room import TableRoom
from tests.ui.table import CLAIMED, SIZES, Clock, TableSeat, drawn, find, make_room, position, text_of

KNOCK = CLAIMED.with_(claim__window_ms=4000)


def opened(at: float, rules: Ruleset = KNOCK, *, pile: str = "2h' Jd", turn: int = 1) -> TableRoom:
    """A claim that has been open since 0.0, looked at so many seconds later."""
    state, order = position(rules, pile=pile, turn=turn, phase=Phase.DRAW)
    clock = Clock()
    clock.now = at
    room = make_room(TableSeat(msgspec.structs.replace(state, claim="open", discarder=2), order), clock=clock)
    room.state.claim_since = 0.0
    return room


def what(room: TableRoom) -> Claiming | None:
    view = room.view()
    assert view is not None
    return claiming(view, room.state, room.play.options(view), room._clock())


@pytest.mark.parametrize(("at", "text"), [(0.5, "Knock 0:04"), (3.9, "Knock 0:01"), (4.0, "Knock"), (60.0, "Knock")])
def test_what_can_be_claimed_has_its_time_until_somebody_may_draw(at: float, text: str) -> None:
    found = what(opened(at))
    assert found is not None
    assert (found.text, found.total) == (text, 4.0)


def test_nothing_is_to_be_claimed_on_an_ordinary_turn() -> None:
    room = make_room(TableSeat(*position()))
    assert what(room) is None
    assert "Knock 0:" not in text_of(room)


@pytest.mark.parametrize("size", SIZES)
def test_the_countdown_is_on_the_button_at_the_side_and_in_the_message(size: tuple[int, int]) -> None:
    rows = drawn(opened(2.0), size).rows()
    assert "[c Knock 0:02]" in "\n".join(rows)
    assert any(" Knock 0:02 █" in row and "░" in row for row in rows[:3])
    assert rows[-1].startswith("─ ! Knock 0:02 ─ c (Knock) takes J♦ from the pile, and 2 cards more.")


def test_the_pile_is_framed_as_long_as_its_card_can_be_claimed() -> None:
    canvas = drawn(opened(9.0))
    assert canvas.style_at(*find(canvas, ("pile",))) == "alert"
    assert "[c Knock]" in text_of(opened(9.0))
    canvas = drawn(make_room(TableSeat(*position())))
    assert canvas.style_at(*find(canvas, ("pile",))) == ""


def test_who_is_on_turn_is_told_both() -> None:
    room = opened(2.0, KNOCK.with_(claim__kind="rummy-call", claim__penalty=0), pile="2h' Qc'", turn=0)
    assert drawn(room).rows()[-1].startswith("─ ! YOUR TURN ─ ! Knock 0:02 ─ c (Knock) takes Q♣ from the pile.")


class Beats:
    """A screen whose timers are called by the test."""

    def __init__(self) -> None:
        self.drawn = 0
        self.waiting: list[object] = []

    def redraw(self) -> None:
        self.drawn += 1

    def after(self, seconds: float, call: object) -> object:
        assert seconds <= 0.25
        self.waiting.append(call)
        return call


def test_it_is_drawn_four_times_a_second_and_once_more_at_the_end() -> None:
    left: list[float | None] = [0.6]
    screen = Beats()
    countdown = Countdown(screen, lambda: left[-1])  # type: ignore[arg-type]  # what it asks of a screen
    countdown.begin()
    countdown.begin()  # a second one does not run beside the first
    assert (screen.drawn, len(screen.waiting)) == (1, 1)
    left.append(None)
    screen.waiting.pop()()  # type: ignore[operator]  # what was to be called later
    assert (screen.drawn, screen.waiting) == (2, [])
    left.append(0.5)
    countdown.begin()
    assert len(screen.waiting) == 1


def test_a_discard_starts_the_countdown() -> None:
    room = opened(0.0)
    begun: list[float | None] = []
    room._countdown = Countdown(Beats(), lambda: begun.append(None))  # type: ignore[arg-type]  # as above
    room.hear(ev.Discarded(2, Card.parse("Jd")))
    assert begun == [None]
    assert room._claim_left() == 4.0
