"""Meld arithmetic: is it a set or a run, which place a joker takes, where it can grow, what it counts.

Places. In a run every card has an *ordinal* 1..14: the ace is 1 or 14, as the ``ace`` knob allows; a run never goes
round the corner (K-A-2). In a set every card has a suit; a joker's suit is open until the player declares it or only
one is left. Reading is by content, not by order: the cards of a meld may be given in any order.

A joker that is not declared fills an inner gap, else the high end, else the low end (RULES A8); an ace is tried low
before it is tried high.

Every function takes the ``Melds`` knobs; every refusal is a MeldError with a code from the closed list and the knob
that demands it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final, Literal, NamedTuple

import msgspec

from rummy_p2p.cards import JOKER_FACE, SUITS, Card, face_text
from rummy_p2p.ruleset import Melds, MeldValues

HIGH_ACE: Final = 14
OPEN_SUIT: Final = -1
Side = Literal["left", "right"]


class MeldError(ValueError):
    """The cards are no meld, or the card does not fit. ``knob`` is the path of the knob that demands it."""

    def __init__(self, code: str, knob: str = "") -> None:
        """Keep code and knob; the sentence is made by whoever shows it."""
        super().__init__(code)
        self.code = code
        self.knob = knob


class Piece(NamedTuple):
    """A card as somebody lays it; ``stands_for`` is the declared face of a joker, None when not declared."""

    card: Card
    stands_for: int | None = None

    def __str__(self) -> str:
        """Return ``7h`` or ``JK=Qd``."""
        return str(self.card) if self.stands_for is None else f"{self.card}={face_text(self.stands_for)}"


class Meld(msgspec.Struct, frozen=True):
    """A valid set or run. ``places``: per card its ordinal (run) or suit (set, -1 while open); runs are ascending."""

    kind: Literal["set", "run"]
    cards: tuple[Card, ...]
    places: tuple[int, ...]
    suit: int = OPEN_SUIT
    rank: int = 0

    def stands_for(self, index: int) -> int:
        """Return the face that the card at ``index`` counts as; a joker whose suit is open gives 52."""
        place = self.places[index]
        if self.kind == "run":
            return self.suit * 13 + (place - 1) % 13
        return JOKER_FACE if place == OPEN_SUIT else place * 13 + self.rank - 1

    def pieces(self) -> tuple[Piece, ...]:
        """Return the cards with every settled joker place declared, so that reading them gives this meld again."""
        return tuple(
            Piece(card, self.stands_for(i) if card.is_joker and self.stands_for(i) != JOKER_FACE else None)
            for i, card in enumerate(self.cards)
        )

    @property
    def jokers(self) -> int:
        """How many jokers lie in it."""
        return sum(card.is_joker for card in self.cards)

    @property
    def low(self) -> int:
        """The lowest ordinal of a run."""
        return self.places[0]

    @property
    def high(self) -> int:
        """The highest ordinal of a run."""
        return self.places[-1]

    def __str__(self) -> str:
        """Return the cards; a joker in a run with what it stands for."""
        if self.kind == "set":
            return " ".join(str(card) for card in self.cards)
        return " ".join(str(piece) for piece in self.pieces())


def read_meld(pieces: Sequence[Piece], knobs: Melds) -> Meld:
    """Return the meld that the pieces form, in any order, or raise MeldError with the first code that applies."""
    naturals = [piece.card for piece in pieces if not piece.card.is_joker]
    found = _read(pieces, naturals, knobs)
    if found is None:
        raise _refusal(pieces, naturals, knobs)
    _check_jokers(len(pieces), found.jokers, knobs)
    return found


def _read(pieces: Sequence[Piece], naturals: Sequence[Card], knobs: Melds) -> Meld | None:
    """Return the set or the run; one natural with jokers is a set as long as no declared joker says otherwise."""
    found: Meld | None = None
    if _same_rank(naturals) and (len(naturals) > 1 or not _declares_run(pieces, naturals)):
        found = _read_set(pieces, naturals, knobs)
    if found is None and _same_suit(naturals):
        found = _read_run(pieces, knobs)
    return found


def _same_rank(naturals: Sequence[Card]) -> bool:
    return len({card.rank for card in naturals}) == 1


def _same_suit(naturals: Sequence[Card]) -> bool:
    return len({card.suit for card in naturals}) == 1


def _declares_run(pieces: Sequence[Piece], naturals: Sequence[Card]) -> bool:
    rank = naturals[0].rank
    return any(piece.stands_for is not None and piece.stands_for % 13 + 1 != rank for piece in pieces)


def _check_jokers(size: int, jokers: int, knobs: Melds) -> None:
    if knobs.max_jokers is not None and jokers > knobs.max_jokers:
        raise MeldError("too-many-jokers", "melds.max_jokers")
    if size - jokers < knobs.min_naturals:
        raise MeldError("too-few-naturals", "melds.min_naturals")


def _read_set(pieces: Sequence[Piece], naturals: Sequence[Card], knobs: Melds) -> Meld | None:
    if not knobs.set_min <= len(pieces) <= knobs.set_max or _declares_run(pieces, naturals):
        return None
    places = [card.suit if stands_for is None else stands_for // 13 for card, stands_for in pieces]
    suits = [place for place in places if place != OPEN_SUIT]
    if knobs.distinct_suits and len(set(suits)) < len(suits):
        return None
    return _set_of([piece.card for piece in pieces], places, naturals[0].rank, knobs)


def _set_of(cards: Sequence[Card], places: Sequence[int], rank: int, knobs: Melds) -> Meld:
    """Return a set in its order: naturals by suit and copy, then jokers."""
    order = sorted(zip(cards, places, strict=True), key=lambda pair: (pair[0].is_joker, pair[0].suit, pair[0].copy))
    return _settled(Meld("set", tuple(card for card, _ in order), tuple(place for _, place in order), rank=rank), knobs)


def _settled(meld: Meld, knobs: Melds) -> Meld:
    """Give the last open joker of a set its suit when only one suit is left."""
    if knobs.distinct_suits and meld.places.count(OPEN_SUIT) == 1 and len(meld.places) == len(SUITS):
        left = next(suit for suit in range(len(SUITS)) if suit not in meld.places)
        places = tuple(left if place == OPEN_SUIT else place for place in meld.places)
        return msgspec.structs.replace(meld, places=places)
    return meld


def _read_run(pieces: Sequence[Piece], knobs: Melds) -> Meld | None:
    if not knobs.run_min <= len(pieces) <= knobs.run_max:
        return None
    placed = _place_run(pieces, knobs)
    if placed is None:
        return None
    low, cards = placed
    suit = next(card.suit for card in cards if not card.is_joker)
    return Meld("run", cards, tuple(range(low, low + len(cards))), suit, 0)


def _place_run(pieces: Sequence[Piece], knobs: Melds) -> tuple[int, tuple[Card, ...]] | None:
    """Return the lowest ordinal and the cards in order, or None when no window of the suit holds them all."""
    candidates = [(low, cards) for low in _lows(pieces) if (cards := _fill(pieces, low, knobs)) is not None]
    if not candidates:
        return None
    if candidates[0][0] == 1 and candidates[0][1][0].rank == 1:
        return candidates[0]
    return candidates[-1]


def _lows(pieces: Sequence[Piece]) -> range:
    """Return the lowest ordinals that a run of the pieces could have, as far as those tell that have but one place."""
    size = len(pieces)
    faces = [card.face if stands_for is None else stands_for for card, stands_for in pieces]
    fixed = [face % 13 + 1 for face in faces if face != JOKER_FACE and face % 13]
    if not fixed:
        return range(1, HIGH_ACE + 2 - size)
    return range(max(1, max(fixed) + 1 - size), min(HIGH_ACE + 1 - size, *fixed) + 1)


def _fill(pieces: Sequence[Piece], low: int, knobs: Melds) -> tuple[Card, ...] | None:
    """Put the pieces into the ordinals from ``low`` on; None when one does not go there."""
    places: list[Card | None] = [None] * len(pieces)
    suit = next(piece.card.suit for piece in pieces if not piece.card.is_joker)
    free: list[Card] = []
    for card, stands_for in pieces:
        if card.is_joker and stands_for is None:
            free.append(card)
            continue
        face = card.face if stands_for is None else stands_for
        spots = [o - low for o in _ordinals(face % 13 + 1, knobs) if 0 <= o - low < len(places)]
        spot = next((s for s in spots if places[s] is None), None)
        if spot is None or face // 13 != suit:
            return None
        places[spot] = card
    if not _ends_allowed(low, len(places), knobs):
        return None
    return tuple(card if card is not None else free.pop(0) for card in places)


def _ordinals(rank: int, knobs: Melds) -> tuple[int, ...]:
    if rank != 1:
        return (rank,)
    return {"low": (1,), "high": (HIGH_ACE,), "either": (1, HIGH_ACE)}[knobs.ace]


def _ends_allowed(low: int, size: int, knobs: Melds) -> bool:
    """Whether a run may reach over these ordinals, whatever lies there (a joker may not stand where no ace may)."""
    if low == 1 and knobs.ace == "high":
        return False
    return low + size - 1 < HIGH_ACE or knobs.ace != "low"


def _refusal(pieces: Sequence[Piece], naturals: Sequence[Card], knobs: Melds) -> MeldError:
    """Return why the pieces are neither set nor run: the first code of the closed list that applies."""
    same_rank, same_suit = _same_rank(naturals), _same_suit(naturals)
    twins = len({card.face for card in naturals}) < len(naturals)
    if _round_the_corner(pieces, naturals, knobs):
        return MeldError("around-the-corner", "melds.ace")
    if twins and (knobs.distinct_suits if same_rank else same_suit):
        return MeldError("duplicate-card", "melds.distinct_suits" if same_rank else "")
    try:
        if len(naturals) < len(pieces):  # without a joker it is not jokers that are too many
            _check_jokers(len(pieces), len(pieces) - len(naturals), knobs)
    except MeldError as error:
        return error
    if _read([Piece(piece.card) for piece in pieces], naturals, knobs) is not None:
        return MeldError("joker-place")
    return MeldError("not-a-meld", _size_knob(len(pieces), knobs, same_rank=same_rank, same_suit=same_suit))


def _size_knob(size: int, knobs: Melds, *, same_rank: bool, same_suit: bool) -> str:
    if same_rank and size < knobs.set_min:
        return "melds.set_min"
    if same_rank and size > knobs.set_max:
        return "melds.set_max"
    if same_suit and size < knobs.run_min:
        return "melds.run_min"
    return "melds.run_max" if same_suit and size > knobs.run_max else ""


def _round_the_corner(pieces: Sequence[Piece], naturals: Sequence[Card], knobs: Melds) -> bool:
    """Whether pieces that are no run would be one if king, ace and two were neighbours."""
    placed = [piece.card.face if piece.stands_for is None else piece.stands_for for piece in pieces]
    faces = [face for face in placed if face != JOKER_FACE]
    ranks = {face % 13 for face in faces}
    if not naturals or len(ranks) < len(faces) or len({face // 13 for face in faces}) > 1:
        return False
    circle = ({(start + i) % 13 for i in range(len(pieces))} for start in range(13))
    return knobs.run_min <= len(pieces) <= min(13, knobs.run_max) and any(ranks <= window for window in circle)


def grow(meld: Meld, piece: Piece, side: Side | None, knobs: Melds) -> Meld:
    """Return the meld with one more card, or raise MeldError: the code says why it does not go there."""
    if piece.card.is_joker and knobs.max_jokers is not None and meld.jokers >= knobs.max_jokers:
        raise MeldError("too-many-jokers", "melds.max_jokers")
    return _grow_set(meld, piece, knobs) if meld.kind == "set" else _grow_run(meld, piece, side, knobs)


def _grow_set(meld: Meld, piece: Piece, knobs: Melds) -> Meld:
    card, stands_for = piece
    if card.is_joker:
        if len(meld.cards) >= knobs.set_max:
            raise MeldError("does-not-fit", "melds.set_max")
        place = OPEN_SUIT if stands_for is None else stands_for // 13
        wrong = stands_for is not None and stands_for % 13 + 1 != meld.rank
        if wrong or (place != OPEN_SUIT and knobs.distinct_suits and place in meld.places):
            raise MeldError("joker-place")
    else:
        place = card.suit
        if card.rank != meld.rank:
            raise MeldError("does-not-fit")
        if knobs.distinct_suits and place in [c.suit for c in meld.cards]:
            raise MeldError("duplicate-card", "melds.distinct_suits")
        if len(meld.cards) >= knobs.set_max or (knobs.distinct_suits and place in meld.places):
            raise MeldError("does-not-fit", "melds.set_max")
    return _set_of((*meld.cards, card), (*meld.places, place), meld.rank, knobs)


def _grow_run(meld: Meld, piece: Piece, side: Side | None, knobs: Melds) -> Meld:
    fits = _fitting_sides(meld, piece, knobs)
    if side is not None:
        fits = [s for s in fits if s == side]
    if not fits:
        raise _misfit(meld, piece, side, knobs)
    if len(fits) > 1 and not piece.card.is_joker:
        raise MeldError("ambiguous-place")
    if fits[-1] == "right":
        return Meld("run", (*meld.cards, piece.card), (*meld.places, meld.high + 1), meld.suit, 0)
    return Meld("run", (piece.card, *meld.cards), (meld.low - 1, *meld.places), meld.suit, 0)


def _fitting_sides(meld: Meld, piece: Piece, knobs: Melds) -> list[Side]:
    """Return the ends at which the piece may be laid, left before right."""
    face = piece.card.face if piece.stands_for is None else piece.stands_for
    if len(meld.cards) >= knobs.run_max:
        return []
    sides: tuple[tuple[Side, int], ...] = (("left", meld.low - 1), ("right", meld.high + 1))
    found: list[Side] = []
    for side, ordinal in sides:
        low = min(meld.low, ordinal)
        if not 1 <= ordinal <= HIGH_ACE or not _ends_allowed(low, len(meld.cards) + 1, knobs):
            continue
        if face == JOKER_FACE or face == meld.suit * 13 + (ordinal - 1) % 13:
            found.append(side)
    return found


def _misfit(meld: Meld, piece: Piece, side: Side | None, knobs: Melds) -> MeldError:
    card = piece.card
    full = "melds.run_max" if len(meld.cards) >= knobs.run_max else ""
    if card.is_joker:
        asked = side is not None or piece.stands_for is not None
        return MeldError("joker-place" if asked else "does-not-fit", full)
    if card.suit == meld.suit and _past_the_ace(meld, card, side, knobs):
        return MeldError("around-the-corner", "melds.ace")
    if card.face in [other.face for other in meld.cards]:
        return MeldError("duplicate-card")
    return MeldError("does-not-fit", full)


def _past_the_ace(meld: Meld, card: Card, side: Side | None, knobs: Melds) -> bool:
    """Whether the card is the next one on that side once king, ace and two are neighbours."""
    above = {13: 1 if knobs.ace == "low" else None, HIGH_ACE: 2}.get(meld.high)
    below = {1: 13, 2: 1 if knobs.ace == "high" else None}.get(meld.low)
    return (card.rank == above and side != "left") or (card.rank == below and side != "right")


def fitting_faces(meld: Meld, knobs: Melds) -> frozenset[int]:
    """Return the natural faces that could be laid on the meld now."""
    if meld.kind == "set":
        if len(meld.cards) >= knobs.set_max:
            return frozenset()
        taken = meld.places if knobs.distinct_suits else ()
        return frozenset(suit * 13 + meld.rank - 1 for suit in range(len(SUITS)) if suit not in taken)
    ends = (meld.low - 1, meld.high + 1)
    faces = [meld.suit * 13 + (ordinal - 1) % 13 for ordinal in ends if 1 <= ordinal <= HIGH_ACE]
    return frozenset(face for face in faces if _fitting_sides(meld, Piece(Card.of(face)), knobs))


def swap_joker(meld: Meld, card: Card, who: str, knobs: Melds) -> tuple[Meld, Card]:
    """Return the meld with a joker replaced by ``card``, and the joker; ``who`` is the ``joker_swap.who`` knob."""
    if not meld.jokers:
        raise MeldError("no-joker")
    index = _joker_for(meld, card, who, knobs)
    if index is None or card.is_joker:
        raise MeldError("not-that-joker")
    joker = meld.cards[index]
    cards = (*meld.cards[:index], card, *meld.cards[index + 1 :])
    if meld.kind == "run":
        return msgspec.structs.replace(meld, cards=cards), joker
    places = (*meld.places[:index], card.suit, *meld.places[index + 1 :])
    return _set_of(cards, places, meld.rank, knobs), joker


def _joker_for(meld: Meld, card: Card, who: str, knobs: Melds) -> int | None:
    """Return the index of the joker that stands, or may stand, for the card."""
    jokers = [i for i, c in enumerate(meld.cards) if c.is_joker]
    settled = next((i for i in jokers if meld.stands_for(i) == card.face), None)
    if meld.kind == "run":
        return settled
    if who == "both-missing" and len(meld.cards) < len(SUITS):
        return None
    if settled is not None or card.rank != meld.rank:
        return settled
    held = [c.suit for c in meld.cards if not c.is_joker]
    if who != "any-missing" or (knobs.distinct_suits and card.suit in held):
        return None
    open_ones = [i for i in jokers if meld.places[i] == OPEN_SUIT]
    return (open_ones or jokers)[0]


def card_points(meld: Meld, index: int, values: MeldValues) -> int:
    """Return what the card at ``index`` counts on the table; a joker counts as what it stands for."""
    place = meld.places[index] if meld.kind == "run" else (HIGH_ACE if meld.rank == 1 else meld.rank)
    if place == 1:
        return values.ace_low
    if place == HIGH_ACE:
        return values.ace_high
    return values.face if place > 10 else place


def meld_points(meld: Meld, values: MeldValues) -> int:
    """Return what the whole meld counts on the table."""
    return sum(card_points(meld, index, values) for index in range(len(meld.cards)))


def splits_into_runs(meld: Meld, count: int, knobs: Melds) -> bool:
    """Whether a long run may serve as so many runs (a straight of eight is two of four)."""
    return meld.kind == "run" and len(meld.cards) >= count * knobs.run_min


def melds_of(cards: Sequence[Card], knobs: Melds) -> Iterator[tuple[Piece, ...]]:
    """Yield every meld that can be made of some of the cards, each once by face; jokers with every place they can take.

    Of twins the lower copy is used; with several copies in one set all that are needed.
    """
    jokers = [card for card in cards if card.is_joker]
    if knobs.max_jokers is not None:
        jokers = jokers[: knobs.max_jokers]
    yield from _sets_of(cards, jokers, knobs)
    yield from _runs_of(cards, jokers, knobs)


def _sets_of(cards: Sequence[Card], jokers: Sequence[Card], knobs: Melds) -> Iterator[tuple[Piece, ...]]:
    by_rank: dict[int, list[Card]] = {}
    for card in sorted(cards, key=lambda card: (card.rank, card)):
        by_rank.setdefault(card.rank, []).append(card)
    by_rank.pop(0, None)  # the jokers
    for copies in by_rank.values():
        if len(copies) + len(jokers) < knobs.set_min:
            continue
        held = list({card.suit: card for card in reversed(copies)}.values()) if knobs.distinct_suits else copies
        seen: set[tuple[int, ...]] = set()
        for size in range(max(1, knobs.min_naturals), min(len(held), knobs.set_max) + 1):
            for chosen in combinations(sorted(held, key=lambda card: card.suit), size):
                key = tuple(card.face for card in chosen)
                if key in seen:
                    continue
                seen.add(key)
                for extra in range(max(0, knobs.set_min - size), min(len(jokers), knobs.set_max - size) + 1):
                    yield tuple(Piece(card) for card in (*chosen, *jokers[:extra]))


def _runs_of(cards: Sequence[Card], jokers: Sequence[Card], knobs: Melds) -> Iterator[tuple[Piece, ...]]:
    for suit in range(len(SUITS)):
        held = {card.face: card for card in sorted(cards, reverse=True) if card.suit == suit}
        ordinals = [ordinal for face in held for ordinal in _ordinals(face % 13 + 1, knobs)]
        places = sum(1 << ordinal for ordinal in ordinals)
        longest = min(knobs.run_max, len(held) + 1 + len(jokers))  # one more for a second ace
        for size in range(knobs.run_min, longest + 1):
            for low in range(1, HIGH_ACE + 2 - size):
                same_cards_ace_low = low == 2 and size == 13 and suit * 13 in held and knobs.ace == "either"
                gaps = size - (places >> low & (1 << size) - 1).bit_count()
                if gaps > len(jokers) or same_cards_ace_low or not _ends_allowed(low, size, knobs):
                    continue
                yield from _fillings(low, size, suit, held, cards, jokers, knobs)


def _fillings(
    low: int,
    size: int,
    suit: int,
    held: dict[int, Card],
    cards: Sequence[Card],
    jokers: Sequence[Card],
    knobs: Melds,
) -> Iterator[tuple[Piece, ...]]:
    """Yield the runs over some ordinals: jokers in all the gaps, and in place of as many of the cards as there are."""
    faces = {ordinal: suit * 13 + (ordinal - 1) % 13 for ordinal in range(low, low + size)}
    there = {ordinal: held[face] for ordinal, face in faces.items() if face in held}
    if size == HIGH_ACE and 1 in there:
        ace = there.pop(HIGH_ACE)
        twins = [card for card in cards if card.face == ace.face and card != ace]
        there |= {HIGH_ACE: min(twins)} if twins else {}
    gaps = size - len(there)
    for extra in range(len(jokers) - gaps + 1):
        if len(there) - extra < max(1, knobs.min_naturals):
            break
        for replaced in combinations(there, extra):
            at = [ordinal for ordinal in faces if ordinal not in there or ordinal in replaced]
            by_joker = dict(zip(at, jokers[: gaps + extra], strict=True))
            yield tuple(
                Piece(by_joker[ordinal], face) if ordinal in by_joker else Piece(there[ordinal])
                for ordinal, face in faces.items()
            )
