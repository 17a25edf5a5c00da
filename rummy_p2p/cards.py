"""Cards: faces, physical copies, packs and their text form. This module knows nothing else.

A *face* is what is printed on a card (``7h``, the queen of diamonds, a joker). A *card* is one physical piece of
cardboard: with two packs there are two cards of every face, told apart by their copy (``7h`` and ``7h'``). Rules that
ask "is it the same card" compare cards, never faces.

Text: rank ``A 2..10 J Q K`` (``T`` is read as ``10``) and suit ``s h d c``; ``JK`` is a joker; every ``'`` behind it
raises the copy by one. Reading and writing round-trip: ``Card.parse(str(card)) == card``.
"""

from __future__ import annotations

from typing import Final

RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS: Final = "shdc"
JOKER_FACE: Final = 52
FACES: Final = 53
_COPY: Final = 64
_MAX_COPY: Final = 15

_FACE_TEXT: Final = tuple(rank + suit for suit in SUITS for rank in RANKS) + ("JK",)
_TEXT_FACE: Final = {text.upper(): face for face, text in enumerate(_FACE_TEXT)} | {
    f"T{suit.upper()}": _FACE_TEXT.index(f"10{suit}") for suit in SUITS
}


class CardError(ValueError):
    """The text names no card."""


class Card(int):
    """One physical card. An int, so that it is hashed, compared and sorted at the speed of one.

    ``Card(int(card)) == card``; the value is ``copy * 64 + face`` with naturals 0..51 in pack order and the joker 52.
    """

    __slots__ = ()

    @classmethod
    def of(cls, face: int, copy: int = 0) -> Card:
        """Return the given copy of a face (0..52)."""
        return _CARDS[copy][face]

    @classmethod
    def parse(cls, text: str) -> Card:
        """Read ``7h``, ``Th``, ``10h'`` or ``JK``; raise CardError for anything else."""
        bare = text.rstrip("'")
        face = _TEXT_FACE.get(bare.upper())
        copy = len(text) - len(bare)
        if face is None or copy > _MAX_COPY:
            raise CardError(text)
        return _CARDS[copy][face]

    @property
    def face(self) -> int:
        """The face: suit * 13 + rank - 1, or 52 for a joker. Equal for twins."""
        return self & 63

    @property
    def copy(self) -> int:
        """Which of the cards with this face it is, from 0."""
        return self >> 6

    @property
    def rank(self) -> int:
        """1 (ace) to 13 (king); 0 for a joker."""
        return _RANK[self & 63]

    @property
    def suit(self) -> int:
        """Index into ``SUITS``; -1 for a joker."""
        return _SUIT[self & 63]

    @property
    def is_joker(self) -> bool:
        """Whether this is a joker."""
        return self & 63 == JOKER_FACE

    def __str__(self) -> str:
        """Return the text form, exact to the copy."""
        return _FACE_TEXT[self & 63] + "'" * (self >> 6)

    def __repr__(self) -> str:
        """Return code that rebuilds the card."""
        return f"Card.parse({str(self)!r})"


_RANK: Final = tuple(face % 13 + 1 for face in range(52)) + (0,)
_SUIT: Final = tuple(face // 13 for face in range(52)) + (-1,)
_CARDS: Final = tuple(tuple(Card(copy * _COPY + face) for face in range(FACES)) for copy in range(_MAX_COPY + 1))


def natural(rank: int, suit: int, copy: int = 0) -> Card:
    """Return the card of a rank (1..13) and suit (0..3)."""
    return _CARDS[copy][suit * 13 + rank - 1]


def face_text(face: int) -> str:
    """Return the text of a face without a copy mark."""
    return _FACE_TEXT[face]


def pack(packs: int, jokers: int) -> tuple[Card, ...]:
    """Return all cards of a deck in pack order: each pack from the ace of spades to the king of clubs, then jokers."""
    naturals = [_CARDS[copy][face] for copy in range(packs) for face in range(JOKER_FACE)]
    return tuple(naturals) + tuple(_CARDS[copy][JOKER_FACE] for copy in range(jokers))


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read cards separated by blanks."""
    return tuple(Card.parse(word) for word in text.split())


def cards_text(cards: tuple[Card, ...] | list[Card]) -> str:
    """Write cards separated by blanks, exact to the copy."""
    return " ".join(str(card) for card in cards)
