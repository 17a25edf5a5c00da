"""A hand as one int: the sum of the numbers of its cards.

From the lowest bit: how many copies it holds by suit (26 bits each, two for each rank, the ace lowest); its jokers
(5 bits); how many copies by rank (8 bits each, two for each suit); and above all that, what its cards count in hand.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from rummy_p2p.arrange.aims import hand_points
from rummy_p2p.cards import FACES, Card
from rummy_p2p.ruleset import HandValues

SUIT_BITS: Final = 26
SUIT_MASK: Final = (1 << SUIT_BITS) - 1
JOKERS_AT: Final = 4 * SUIT_BITS
JOKERS_MASK: Final = 31
RANKS_AT: Final = JOKERS_AT + 5
RANKS_MASK: Final = (1 << 8 * 13) - 1
POINTS_AT: Final = RANKS_AT + 8 * 13


@lru_cache(maxsize=64)
def card_numbers(values: HandValues) -> dict[Card, int]:
    """Return the number that each card adds to a hand."""
    points = hand_points(values)
    cards = [Card.of(face, copy) for copy in range(16) for face in range(FACES)]
    return {card: _place(card) + (points[card.rank] << POINTS_AT) for card in cards}


def _place(card: Card) -> int:
    if card.is_joker:
        return 1 << JOKERS_AT
    by_suit, by_rank = SUIT_BITS * card.suit + 2 * (card.rank - 1), 8 * (card.rank - 1) + 2 * card.suit
    return (1 << by_suit) + (1 << RANKS_AT + by_rank)
