"""What a dishonest shuffler may do to a deck: each changes the deck in place, under the joint key."""

from __future__ import annotations

from rummy_p2p.deal.group import G, Point, hash_to_point, plus, times, times_base
from rummy_p2p.deal.shuffle import Pair

FOREIGN = hash_to_point(b"a card of another deck")


def combined(deck: list[Pair], key: Point) -> None:
    """A slot filled with a combination of others."""
    deck[0] = Pair(plus(deck[0].c1, times(2, deck[1].c1)), plus(deck[0].c2, times(2, deck[1].c2)))


def doubled(deck: list[Pair], key: Point) -> None:
    """The same card twice, re-encrypted."""
    deck[0] = Pair(plus(deck[1].c1, times_base(7)), plus(deck[1].c2, times(7, key)))


def foreign(deck: list[Pair], key: Point) -> None:
    """A card that the deck does not have."""
    deck[0] = Pair(times_base(7), plus(FOREIGN, times(7, key)))


def multiplied(deck: list[Pair], key: Point) -> None:
    """A pair taken three times."""
    deck[0] = Pair(times(3, deck[0].c1), times(3, deck[0].c2))


def swapped(deck: list[Pair], key: Point) -> None:
    """Two slots exchanged after the proof."""
    deck[0], deck[1] = deck[1], deck[0]


def stacked(deck: list[Pair], key: Point) -> None:
    """A deck of one's own: pairs that nobody else has had a hand in."""
    deck[:] = [Pair(times_base(5 + at), plus(hash_to_point(b"%d" % at), times(5 + at, key))) for at in range(len(deck))]


def spoiled(deck: list[Pair], key: Point) -> None:
    """Half a re-encryption."""
    deck[0] = Pair(plus(deck[0].c1, G), deck[0].c2)


TAMPERINGS = [combined, doubled, foreign, multiplied, swapped, stacked, spoiled]
