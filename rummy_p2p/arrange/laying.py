"""From a plan of faces to physical cards: of twins the lowest copy is used first, lay-offs are put in their order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from rummy_p2p.arrange.search import Plan
from rummy_p2p.cards import Card
from rummy_p2p.melds import Meld, Piece, Side

LayOff = tuple[Piece, int, Side | None]
FACE_MASK: Final = 63


class Arrangement(msgspec.Struct, frozen=True):
    """What a hand can be made into. ``left``: the cards in no meld, in the order given; ``deadwood``: what they count.

    ``points``: what the new melds count on the table. ``lay_offs``: card, index of the table's meld and side, in the
    order in which they must be laid.
    """

    melds: tuple[Meld, ...]
    left: tuple[Card, ...]
    deadwood: int
    points: int
    lay_offs: tuple[LayOff, ...] = ()


def lay(plan: Plan, cards: Sequence[Card], deadwood: int) -> Arrangement:
    """Return the arrangement that a plan makes of the cards, which count so much in hand before it."""
    if not plan.patterns and not plan.lay_offs:
        return Arrangement((), tuple(cards), deadwood, 0)
    points = 0
    melds: list[Meld] = []
    gone: list[Card] = []
    for meld, laid, held in plan.patterns:
        melds.append(meld)
        gone += meld.cards
        points += laid
        deadwood -= held
    taken = {*gone}
    left = tuple([card for card in cards if card not in taken])
    if len(left) + len(gone) == len(cards) and not plan.lay_offs:  # all the first copies are held
        return Arrangement(tuple(melds), left, deadwood, points)
    copies = _by_face(cards)
    made = tuple([_made_of(copies, meld) for meld in melds])
    lay_offs = tuple([(Piece(copies[face].pop()), number, side) for face, number, side, _ in plan.lay_offs])
    deadwood -= sum([held for _, _, _, held in plan.lay_offs])
    still = {card for same in copies.values() for card in same}
    return Arrangement(made, tuple([card for card in cards if card in still]), deadwood, points, lay_offs)


def _by_face(cards: Sequence[Card]) -> dict[int, list[Card]]:
    """Return the cards of each face, the lowest copy last."""
    copies: dict[int, list[Card]] = {}
    for card in sorted(cards, reverse=True):
        copies.setdefault(card & FACE_MASK, []).append(card)
    return copies


def _made_of(copies: dict[int, list[Card]], meld: Meld) -> Meld:
    cards = tuple([copies[card].pop() for card in meld.cards])
    return Meld(meld.kind, cards, meld.places, meld.suit, meld.rank)
