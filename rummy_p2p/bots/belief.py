"""Belief: hands that the next player may hold, the likelier the better they explain what it did.

The other one is taken for a player who throws its dearest loose card, takes what makes a meld, and errs now and then.
So a hand is in doubt that holds loose cards dearer than what was thrown, that would have made a meld of it, or that
would have made one of a card left lying. Older throws count for less, since the hand has changed from then on.

Hands are found by a walk (Metropolis): one hidden card is swapped for another, and the swap stays the likelier the less
doubt it brings. All is taken from the view and the dice.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

from rummy_p2p.arrange import least_deadwood
from rummy_p2p.bots.partners import partners
from rummy_p2p.bots.traces import next_hand, traces
from rummy_p2p.cards import Card
from rummy_p2p.engine import View
from rummy_p2p.rules.scoring import card_value

_DEARER: Final = 2.0  # doubt for each loose card that is dearer than what was thrown
_THREW_A_MELD: Final = 4.0
_LEFT_A_MELD: Final = 2.0
_THROWS: Final = 5
_LEFT: Final = 8
_THROWN_FADES: Final = 0.8
_LEFT_FADES: Final = 0.9
_FIRST_STEPS: Final = 60
_STEPS: Final = 4

Hidden = tuple[tuple[Card, ...], tuple[Card, ...]]
"""What the next player holds, and the other hidden cards in a random order."""


class Belief:
    """The next player of two, as far as its play tells what it holds."""

    def __init__(self, view: View, hidden: Sequence[Card]) -> None:
        """``hidden``: the cards whose place the seat does not know."""
        state = view.state
        self._rules = state.rules
        self._hidden = hidden
        self._shown, self._wanted = next_hand(view)
        told, groups = traces(view), partners(state.rules)
        self._values = {card: card_value(card, state.rules.scoring.in_hand) for card in (*hidden, *self._shown)}
        thrown = list(zip(told.thrown, _fading(_THROWS, _THROWN_FADES), strict=False))
        self._thrown = [(card_value(card, state.rules.scoring.in_hand), _DEARER * much) for card, much in thrown]
        refused = zip(told.refused, _fading(_LEFT, _LEFT_FADES), strict=False)
        self._melding = [(groups[card.face], _THREW_A_MELD * much) for card, much in thrown]
        self._melding += [(groups[card.face], _LEFT_A_MELD * much) for card, much in refused]

    def hands(self, count: int, dice: Random) -> Iterator[Hidden]:
        """Yield so many hands."""
        cards = dice.sample(self._hidden, len(self._hidden))
        wanted = min(self._wanted, len(cards))
        doubt = self.doubt(cards[:wanted])
        for step in range(_FIRST_STEPS + _STEPS * count):
            if step >= _FIRST_STEPS and (step - _FIRST_STEPS) % _STEPS == 0:
                rest = cards[wanted:]
                dice.shuffle(rest)
                yield (*self._shown, *cards[:wanted]), tuple(rest)
            if 0 < wanted < len(cards):
                doubt = self._swap(cards, wanted, doubt, dice)

    def _swap(self, cards: list[Card], wanted: int, doubt: float, dice: Random) -> float:
        """Try another card in the hand; return the doubt of the hand that it is then."""
        one, other = int(dice.random() * wanted), wanted + int(dice.random() * (len(cards) - wanted))
        cards[one], cards[other] = cards[other], cards[one]
        after = self.doubt(cards[:wanted])
        if after <= doubt or dice.random() < math.exp(doubt - after):
            return after
        cards[one], cards[other] = cards[other], cards[one]
        return doubt

    def doubt(self, unseen: Sequence[Card]) -> float:
        """Return how badly a hand explains what its player did; 0 is not at all."""
        hand, values = (*self._shown, *unseen), self._values
        loose = [values[card] for card in least_deadwood(hand, self._rules).left]
        total = sum([much * sum([value > thrown for value in loose]) for thrown, much in self._thrown])
        held = sum([1 << (card & 63) for card in hand])
        for groups, much in self._melding:
            for group in groups:
                if held & group == group:
                    total += much
                    break
        return total


def _fading(count: int, rate: float) -> list[float]:
    return [rate**age for age in range(count)]
