"""The player's own cards: sorted when asked, never undone by a draw, melds side by side."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rummy_p2p.cards import Card, pack, parse_cards
from rummy_p2p.engine import Phase, View
from rummy_p2p.ui.table_cards import MODES, MOST_ARRANGED, Fan, Mode, best, ordered
from tests.ui.table import CLAIMED, TableSeat, position


def seat() -> TableSeat:
    return TableSeat(*position(phase=Phase.DRAW))


def view_of(table: TableSeat) -> View:
    view = table.view()
    assert view is not None
    return view


def test_a_draw_goes_to_the_right_in_every_mode() -> None:
    for mode in MODES:
        table, fan = seat(), Fan()
        fan.follow(view_of(table))
        fan.sort(mode, view_of(table))
        before = list(fan.slots)
        table.act("draw")
        fan.follow(view_of(table))
        assert fan.slots[:-1] == before
        assert fan.fresh == {fan.slots[-1]}


def test_after_the_turn_a_sorted_hand_is_sorted_and_an_own_order_stays() -> None:
    table, fan = seat(), Fan()
    fan.follow(view_of(table))
    fan.move(fan.slots[0], 5)
    assert fan.mode == "manual"
    table.act("draw")
    fan.follow(view_of(table))
    order = list(fan.slots)
    fan.settle(view_of(table))
    assert (fan.slots, fan.fresh) == (order, set())
    fan.sort("suit", view_of(table))
    cards = [view_of(table).card(slot) for slot in fan.slots]
    assert cards == ordered([card for card in cards if card is not None], "suit", CLAIMED)


def test_cards_that_are_not_known_yet_lie_at_the_right() -> None:
    state, order = position()
    view = View(state, 0, {slot: order[slot] for slot in state.hands[0][1:]})
    fan = Fan()
    fan.follow(view)
    assert fan.slots[-1] == state.hands[0][0]
    assert View(msgspec.structs.replace(state, hands=((), *state.hands[1:])), 0, {}).hand == ()


@given(st.lists(st.sampled_from(pack(2, 6)), unique=True, max_size=16), st.sampled_from(MODES))
def test_sorting_loses_no_card(cards: list[Card], mode: Mode) -> None:
    assert sorted(ordered(cards, mode, CLAIMED)) == sorted(cards)


def test_melds_lie_side_by_side() -> None:
    cards = parse_cards("9h Kd 7h Kh 8h Ks 2c")
    assert [str(card) for card in ordered(cards, "melds", CLAIMED)[:3]] in (["7h", "8h", "9h"], ["Ks", "Kh", "Kd"])


@pytest.mark.parametrize("count", [MOST_ARRANGED + 1, 40])
def test_of_very_many_cards_no_melds_are_sought(count: int) -> None:
    assert best(pack(1, 0)[:count], CLAIMED).melds == ()
