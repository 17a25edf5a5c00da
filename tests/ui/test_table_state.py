"""What the room keeps: clocks by what has happened, chat without the muted, melds put ready as long as they can be."""

from __future__ import annotations

import msgspec

from rummy_p2p.engine import Phase
from rummy_p2p.engine import events as ev
from rummy_p2p.melds import Piece
from rummy_p2p.ui.table_state import TableState
from tests.ui.table import CLAIMED, TableSeat, position


def test_the_clock_runs_from_the_beginning_of_the_turn() -> None:
    state = TableState()
    hand, _order = position(CLAIMED.with_(clock__move_s=60))
    assert state.time_left(hand, 5.0) is None
    state.note_event(ev.Turn(0), "", 100.0)
    assert state.time_left(hand, 123.0) == (37.0, 60.0)
    assert state.time_left(hand, 500.0) == (0.0, 60.0)
    assert state.time_left(position()[0], 123.0) is None
    assert state.time_left(msgspec.structs.replace(hand, phase=Phase.COUNT), 123.0) is None


def test_the_claim_window_runs_from_the_discard() -> None:
    state = TableState()
    hand = msgspec.structs.replace(position(turn=1, phase=Phase.DRAW)[0], claim="open", discarder=2)
    assert state.claim_left(hand, 0.0) is None
    state.note_event(ev.Discarded(2, position()[1][0]), "", 10.0)
    assert state.claim_left(hand, 11.0) == 0.5
    assert state.claim_left(hand, 20.0) is None


def test_a_new_deal_forgets_what_was_selected_and_put_ready() -> None:
    table = TableSeat(*position())
    view = table.view()
    assert view is not None
    state = TableState()
    state.follow(view)
    state.toggle(state.fan.slots[0])
    state.staged.append(tuple(Piece(card) for card in view.hand[:3]))
    assert len(state.loose(view)) == len(view.hand) - 3
    state.note_event(ev.Dealt((13, 13), 0), "dealt", 0.0)
    assert (state.selected, state.staged) == ([], [])
    assert list(state.log) == ["dealt"]


def test_muted_players_are_left_out_and_events_stay() -> None:
    state = TableState()
    state.say("Bea", "hello")
    state.say("", "Bea has left.")
    state.muted.add("Bea")
    assert state.heard() == [("", "Bea has left.")]
