"""What a blind deal consists of: the cards as points, layers of shuffled slots, requests to open, and how one opens.

The law of this file
--------------------
* Every physical card is a point of its own: P_c = hash-to-curve(copy, face). Twins differ.
* A layer begins as E_0 = (G, P_c + Y) in the order of its cards: anybody can make it. Its *chain* is a hash of H, the
  key, the epoch, E_0 and every shuffle after it with its author; when all have shuffled, that is the deck commitment.
* A slot (c1, c2) opens with s*b of a blinded point b = c1 + r*G: c2 - (s*b - r*Y) = P_c. Over c1 itself r is 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

import msgspec

from rummy_p2p.cards import Card
from rummy_p2p.deal.blind_messages import ShuffleDeck
from rummy_p2p.deal.breach import Breach
from rummy_p2p.deal.committed import digest
from rummy_p2p.deal.group import G, Point, combine, hash_to_point, minus, plus, times
from rummy_p2p.deal.keys import JointKey, weights
from rummy_p2p.deal.proofs import About
from rummy_p2p.deal.shuffle import MAX_DECK, Deck, Pair, check_shuffle, generators, prove_shuffle, shuffle, write_deck

REMEMBERED: Final = 1024


# ---------------------------------------------------------------- cards as points


def card_point(card: Card) -> Point:
    """The point of a physical card."""
    return hash_to_point(b"card" + bytes((card.copy, card.face)))


@lru_cache(32)
def cards_by_point(cards: tuple[Card, ...]) -> Mapping[Point, Card]:
    """The cards of a deck, to be looked up by their points."""
    return {card_point(card): card for card in cards}


def warm_up(cards: tuple[Card, ...]) -> None:
    """Hash everything to the curve that a deck needs: once for each program, while nobody waits."""
    cards_by_point(cards)
    generators(len(cards))


# ---------------------------------------------------------------- layers


class Spec(msgspec.Struct, frozen=True):
    """What a deal is about. ``context``: hash of match, hand, attempt, rules and head; ``number``: of the hand,
    with which it rotates who shuffles first; ``present``: the peers that shuffle and sign, in the roster's order.
    """

    context: bytes
    number: int
    cards: tuple[Card, ...]
    key: JointKey
    present: tuple[bytes, ...]

    def digest(self) -> bytes:
        """H, to which everything in this deal is bound."""
        cards = b"".join(int(card).to_bytes(2, "big") for card in self.cards)
        return digest("hand", self.context, self.number.to_bytes(4, "big"), cards, self.key.digest, *self.present)


class Layer(msgspec.Struct, frozen=True):
    """Slots that were shuffled together: who shuffles in which order, the decks E_0, E_1, .., and who has signed."""

    first: int
    epoch: int
    cards: tuple[Card, ...]
    order: tuple[bytes, ...]
    decks: tuple[Deck, ...]
    chain: tuple[bytes, ...]
    proofs: tuple[bytes, ...] = ()
    signed: tuple[bytes, ...] = ()

    def __contains__(self, slot: int) -> bool:
        return self.first <= slot < self.first + len(self.cards)

    @property
    def end(self) -> int:
        """The slot behind the last one."""
        return self.first + len(self.cards)

    @property
    def shuffler(self) -> bytes | None:
        """Whose turn it is; None when all have shuffled."""
        return self.order[len(self.proofs)] if len(self.proofs) < len(self.order) else None

    @property
    def is_dealt(self) -> bool:
        """Whether all have shuffled and signed: cards may move."""
        return self.shuffler is None and len(self.signed) == len(self.order)

    def pair(self, slot: int) -> Pair:
        """The pair in a slot."""
        return self.decks[-1][slot - self.first]

    def about_turn(self, hand: bytes, turn: int) -> About:
        """What the proof of a turn is about."""
        return About(hand, self.epoch, (turn,), self.order[turn], self.chain[turn])

    def shuffled(self, deck: Deck, proof: bytes) -> Layer:
        """The layer after a turn."""
        link = digest("shuffle", self.chain[-1], self.order[len(self.proofs)], write_deck(deck))
        return msgspec.structs.replace(
            self, decks=(*self.decks, deck), chain=(*self.chain, link), proofs=(*self.proofs, proof)
        )


def lay(spec: Spec, hand: bytes, first: int, epoch: int, cards: tuple[Card, ...], present: tuple[bytes, ...]) -> Layer:
    """A layer that nobody has shuffled yet; Breach too-many-cards."""
    if len(cards) > MAX_DECK:
        raise Breach("too-many-cards", cards=len(cards), limit=MAX_DECK)
    deck = tuple(Pair(G, plus(card_point(card), spec.key.public)) for card in cards)
    turn = (spec.number + epoch) % len(present)
    order = present[turn:] + present[:turn]
    place = first.to_bytes(2, "big") + epoch.to_bytes(4, "big")
    return Layer(first, epoch, cards, order, (deck,), (digest("deck", hand, place, write_deck(deck), *order),))


class ShuffleCheck(msgspec.Struct, frozen=True):
    """One turn whose proof is to be checked: pure, and may be run anywhere."""

    epoch: int
    turn: int
    about: About
    key: Point
    before: Deck
    after: Deck
    proof: bytes

    def holds(self) -> bool:
        """Whether the turn was a shuffle; it takes a tenth of a second for 110 cards, and no time when asked again."""
        return _holds(self)


class ShuffleTurn:
    """A turn of this peer that waits to be taken: pure, may be run anywhere, and holds what nobody else may know."""

    __slots__ = ("_about", "_before", "_fresh", "_key", "_layer", "_seed")

    def __init__(self, hand: bytes, layer: Layer, key: Point, seed: bytes, fresh: bytes) -> None:
        """``seed``, ``fresh``: 32 random bytes each, for the shuffle and for its proof."""
        self._about = layer.about_turn(hand, len(layer.proofs))
        self._layer = layer.epoch, layer.chain[-1]
        self._before = layer.decks[-1]
        self._key = key
        self._seed = seed
        self._fresh = fresh

    def __repr__(self) -> str:
        return f"ShuffleTurn(epoch={self._layer[0]})"

    def run(self) -> ShuffleDeck:
        """Shuffle and prove: a tenth of a second for 110 cards. Order and factors are forgotten at once."""
        made = shuffle(self._before, self._key, self._seed)
        proof = prove_shuffle(self._about, self._key, self._before, made, self._fresh)
        return ShuffleDeck(*self._layer, write_deck(made.deck), proof)


@lru_cache(64)
def _holds(check: ShuffleCheck) -> bool:
    try:
        check_shuffle(check.about, check.key, check.before, check.after, check.proof)
    except Breach:
        return False
    return True


# ---------------------------------------------------------------- requests


class Request(msgspec.Struct, frozen=True):
    """Points over which shares are asked for: blinded ones of an owner's draw, or c1 itself for everybody (no owner).

    ``factors``: r*G of each blinded point; ``shares``: what has been given, by the giver's index 1..n.
    """

    id: bytes
    epoch: int
    slots: tuple[int, ...]
    points: tuple[Point, ...]
    owner: bytes | None
    factors: tuple[Point, ...] = ()
    shares: tuple[tuple[int, tuple[Point, ...]], ...] = ()

    def point(self, slot: int) -> Point:
        """The point that a slot is asked to be opened over."""
        return self.points[self.slots.index(slot)]

    def factor(self, slot: int) -> Point:
        """r*G of a slot."""
        return self.factors[self.slots.index(slot)]

    def shares_of(self, slot: int) -> dict[int, Point]:
        """The shares that were given for a slot."""
        at = self.slots.index(slot)
        return {index: points[at] for index, points in self.shares}

    def about(self, hand: bytes, author: bytes, slots: tuple[int, ...] | None = None) -> About:
        """What a share of this request, or of some of its slots, is proven to be about."""
        return About(hand, self.epoch, slots or self.slots, author, self.id)


class Handed(msgspec.Struct, frozen=True):
    """A drawn slot that changed hands: r in a box, the giver's share; and r itself once the box was doubted."""

    slot: int
    giver: bytes
    taker: bytes
    box: bytes
    share: Point
    doubted: bool = False
    factor: bytes | None = None


def name_request(
    hand: bytes, epoch: int, slots: tuple[int, ...], points: tuple[Point, ...], owner: bytes | None, record: bytes
) -> bytes:
    """The name of a request: a hash of all that it is about."""
    places = b"".join(number.to_bytes(4, "big") for number in (epoch, *slots))
    return digest("request", hand, places, b"".join(points), owner or b"", record)


@lru_cache(REMEMBERED)
def open_pair(pair: Pair, shares: tuple[tuple[int, Point], ...], key: Point, factor: int) -> Point:
    """The point in a slot from t shares of b = c1 + factor*G; ``factor`` 0 for shares of c1 itself."""
    joint = combine(weights(tuple(index for index, _ in shares)), (share for _, share in shares))
    return minus(pair.c2, minus(joint, times(factor, key)) if factor else joint)
