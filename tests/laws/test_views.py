"""Laws about secrets: what a seat sees, may do and would do does not depend on cards that it was never shown."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, note

from rummy_p2p.bots import LEVELS
from rummy_p2p.cards import Card
from rummy_p2p.engine import legal_actions
from tests.laws.playing import Deck, Run
from tests.laws.tables import LAW, SEEDS, Table, tried_for


def with_hidden_cards_swapped(run: Run, seat: int, dice: Random) -> Deck:
    """Return the deck with the cards that the seat has never seen dealt anew among their places."""
    seen = run.open_slots | run.known[seat].keys()
    groups: list[list[Card]] = []
    first = 0
    for group in run.deck.groups:
        hidden = [place for place in range(len(group)) if first + place not in seen]
        cards = dict(zip(hidden, dice.sample([group[place] for place in hidden], len(hidden)), strict=True))
        groups.append([cards.get(place, card) for place, card in enumerate(group)])
        first += len(group)
    return Deck(groups)


@pytest.mark.parametrize("table", tried_for("secret"), ids=str)
@LAW
@given(seed=SEEDS)
def test_nothing_a_seat_sees_or_decides_depends_on_what_it_was_never_shown(table: Table, seed: int) -> None:
    run = Run(table, seed)
    moments = sorted(run.dice.sample(range(150), 4))
    for number, _ in enumerate(run.random_hand(time_outs=0.02)):
        if number in moments:
            seat = run.dice.randrange(table.seats)
            other = run.replayed(with_hidden_cards_swapped(run, seat, run.dice))
            note(str(run))
            assert other.view(seat) == run.view(seat)
            assert other.events == run.events
            assert legal_actions(other.view(seat)) == legal_actions(run.view(seat))
            for decide in LEVELS.values():
                assert decide(other.view(seat), seed) == decide(run.view(seat), seed)


@pytest.mark.parametrize("table", tried_for("known"), ids=str)
@LAW
@given(seed=SEEDS)
def test_a_seat_knows_its_own_hand_and_no_other(table: Table, seed: int) -> None:
    run = Run(table, seed)
    for _ in run.random_hand():
        for seat in range(table.seats):
            view = run.view(seat)
            assert list(view.hand) == [run.deck[slot] for slot in run.hand.hands[seat]]
            assert set(view.knowledge) <= set(run.hand.hands[seat])
            others = [slot for other, hand in enumerate(run.hand.hands) if other != seat for slot in hand]
            assert {slot for slot in others if view.card(slot) is not None} <= run.open_slots
