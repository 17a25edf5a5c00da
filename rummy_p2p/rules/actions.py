"""What a player can do, and its one text form: typed, logged, stored in ledgers and scenarios, answered by bots.

``str(action)`` is exact to the physical card and ``parse_action`` reads it back. What a person types is read with the
cards that the seat holds: a plain face is then any copy held, ``'`` says which.

    draw · take · take 3 · turn-over · meld 7h 8h 9h | 4h 4d 4c · add 10h 2 · add JK 3 left · swap Qd 2 · discard 9s
    knock 4h | 7h 8h 9h | 2c 2d 2s · done · call · pass · keep · give · show
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar, cast

import msgspec

from rummy_p2p.cards import Card, CardError
from rummy_p2p.melds import Piece, Side


class ParseError(ValueError):
    """The text is no action; ``wanted`` says what would be one."""

    def __init__(self, text: str, wanted: str) -> None:
        """Keep the text and what was expected in its place."""
        super().__init__(f"{text!r}: {wanted}")
        self.text = text
        self.wanted = wanted


class Action(msgspec.Struct, frozen=True):
    """Base of all actions; ``verb`` is the word that it begins with."""

    verb: ClassVar[str] = ""

    def cards(self) -> tuple[Card, ...]:
        """Return the cards it names that must come from the actor's hand."""
        return ()

    def __str__(self) -> str:
        """Return the exact text form."""
        return self.verb


class Draw(Action, frozen=True):
    """Take the next card of the stock."""

    verb: ClassVar[str] = "draw"


class Take(Action, frozen=True):
    """Take ``count`` cards from the top of the discard pile."""

    verb: ClassVar[str] = "take"
    count: int = 1

    def __str__(self) -> str:
        """Return ``take`` or ``take 3``."""
        return "take" if self.count == 1 else f"take {self.count}"


class TurnOver(Action, frozen=True):
    """Make the whole pile the stock, unshuffled."""

    verb: ClassVar[str] = "turn-over"


class Lay(Action, frozen=True):
    """Lay one or more new melds; opening points and contracts are judged over all of them together."""

    verb: ClassVar[str] = "meld"
    melds: tuple[tuple[Piece, ...], ...] = ()

    def cards(self) -> tuple[Card, ...]:
        """Return every card of every meld."""
        return tuple(piece.card for meld in self.melds for piece in meld)

    def __str__(self) -> str:
        """Return ``meld 7h 8h 9h | 4h 4d 4c``."""
        return f"meld {_melds_text(self.melds)}"


class Add(Action, frozen=True):
    """Lay a card off on table meld ``number`` (from 1; 0 = the only one that takes it)."""

    verb: ClassVar[str] = "add"
    piece: Piece = Piece(Card(0))
    number: int = 0
    side: Side | None = None

    def cards(self) -> tuple[Card, ...]:
        """Return the one card."""
        return (self.piece.card,)

    def __str__(self) -> str:
        """Return ``add 10h 2 left``."""
        number = f" {self.number}" if self.number else ""
        return f"add {self.piece}{number}{f' {self.side}' if self.side else ''}"


class Swap(Action, frozen=True):
    """Put the card that a joker stands for in its place and take the joker into hand."""

    verb: ClassVar[str] = "swap"
    card: Card = Card(0)
    number: int = 0

    def cards(self) -> tuple[Card, ...]:
        """Return the one card."""
        return (self.card,)

    def __str__(self) -> str:
        """Return ``swap Qd 2``."""
        return f"swap {self.card} {self.number}" if self.number else f"swap {self.card}"


class Discard(Action, frozen=True):
    """Put a card on the pile and end the turn."""

    verb: ClassVar[str] = "discard"
    card: Card = Card(0)

    def cards(self) -> tuple[Card, ...]:
        """Return the one card."""
        return (self.card,)

    def __str__(self) -> str:
        """Return ``discard 9s``."""
        return f"discard {self.card}"


class Knock(Action, frozen=True):
    """End the hand: discard a card (None: a big gin, nothing is discarded) and declare one's melds (None: the best).

    ``knock`` alone is a big gin with the best melds; ``knock 4h |`` declares that there are none.
    """

    verb: ClassVar[str] = "knock"
    card: Card | None = None
    melds: tuple[tuple[Piece, ...], ...] | None = None

    def cards(self) -> tuple[Card, ...]:
        """Return the discard and every card of the declared melds."""
        laid = tuple(piece.card for meld in self.melds or () for piece in meld)
        return laid if self.card is None else (self.card, *laid)

    def __str__(self) -> str:
        """Return ``knock 4h | 7h 8h 9h | 2c 2d 2s``."""
        head = "knock" if self.card is None else f"knock {self.card}"
        return head if self.melds is None else f"{head} | {_melds_text(self.melds)}".rstrip()


class Done(Action, frozen=True):
    """Say that nothing more is laid off after a knock."""

    verb: ClassVar[str] = "done"


class Call(Action, frozen=True):
    """Claim the discard out of turn: RUMMY call, knock or buy, as the game has it."""

    verb: ClassVar[str] = "call"


class Pass(Action, frozen=True):
    """Decline the upcard that is offered, or the discard when nothing else is left to draw."""

    verb: ClassVar[str] = "pass"


class Keep(Action, frozen=True):
    """Answer a late call: the drawer keeps the card."""

    verb: ClassVar[str] = "keep"


class Give(Action, frozen=True):
    """Answer a late call: the caller gets the discard and the drawn card, the drawer draws anew."""

    verb: ClassVar[str] = "give"


class Show(Action, frozen=True):
    """Turn over what is left in hand when the hand is counted."""

    verb: ClassVar[str] = "show"


BARE: dict[str, Action] = {
    action.verb: action for action in (Draw(), TurnOver(), Done(), Call(), Pass(), Keep(), Give(), Show())
}
VERBS = (*BARE, "take", "meld", "add", "swap", "discard", "knock")


def parse_action(text: str, held: Iterable[Card] | None = None) -> Action:
    """Read an action; raise ParseError when it is none.

    ``held``: the cards of the seat in order of preference, for plain faces; None reads every card exactly.
    """
    words = text.replace("|", " | ").replace(",", " ").split()
    if not words:
        raise ParseError(text, "type an action such as: draw")
    verb, rest = words[0].lower(), words[1:]
    if verb in BARE:
        if rest:
            raise ParseError(text, f"nothing follows {verb}")
        return BARE[verb]
    reader = _READERS.get(verb)
    if reader is None:
        raise ParseError(text, f"no action begins with {words[0]!r}; actions: {', '.join(VERBS)}")
    return reader(_Words(text, rest, held))


class _Words:
    """The words of one action, and the cards from which plain faces are chosen."""

    def __init__(self, text: str, words: list[str], held: Iterable[Card] | None) -> None:
        self.text = text
        self.words = words
        exact = {self._read(name) for word in words if (name := word.partition("=")[0]).endswith("'")}
        self.held = None if held is None else [card for card in held if card not in exact]

    def piece(self, word: str) -> Piece:
        """Read ``7h`` or ``JK=Qd``."""
        name, equals, face = word.partition("=")
        card = self.card(name)
        if not equals:
            return Piece(card)
        stands_for = self._read(face)
        if not card.is_joker or stands_for.is_joker:
            raise ParseError(self.text, f"{word!r} should name a joker and the card it stands for, as in JK=Qd")
        return Piece(card, stands_for.face)

    def card(self, word: str) -> Card:
        """Read a card; a plain face becomes a copy that is held and not named elsewhere, as long as there is one."""
        card = self._read(word)
        held = [] if self.held is None or word.endswith("'") else self.held
        match = next((own for own in held if own.face == card.face), None)
        if match is None:
            return card
        held.remove(match)
        return match

    def _read(self, word: str) -> Card:
        try:
            return Card.parse(word)
        except CardError:
            raise ParseError(self.text, f"{word!r} is not a card; cards look like 7h, 10s, Qd or JK") from None

    def number(self, word: str, what: str) -> int:
        """Read a small number from 1."""
        if not (word.isascii() and word.isdigit() and len(word) <= 3 and int(word) > 0):
            raise ParseError(self.text, f"{word!r} should be {what}")
        return int(word)

    def melds(self, words: Sequence[str]) -> tuple[tuple[Piece, ...], ...]:
        """Read melds separated by bars."""
        groups: list[list[Piece]] = [[]]
        for word in words:
            if word == "|":
                groups.append([])
            else:
                groups[-1].append(self.piece(word))
        if not all(groups):
            raise ParseError(self.text, "there is an empty meld; separate melds with one |")
        return tuple(tuple(group) for group in groups)


def _read_take(words: _Words) -> Action:
    if len(words.words) > 1:
        raise ParseError(words.text, "take is followed by at most one number")
    return Take(words.number(words.words[0], "how many cards to take") if words.words else 1)


def _read_meld(words: _Words) -> Action:
    return Lay(words.melds(words.words))


def _read_add(words: _Words) -> Action:
    rest = list(words.words)
    side = cast("Side | None", rest.pop().lower()) if rest and rest[-1].lower() in ("left", "right") else None
    if not 1 <= len(rest) <= 2:
        raise ParseError(words.text, "say which card and which meld, as in: add 10h 2")
    number = words.number(rest[1], "the number of a meld") if len(rest) == 2 else 0
    return Add(words.piece(rest[0]), number, side)


def _read_swap(words: _Words) -> Action:
    if not 1 <= len(words.words) <= 2:
        raise ParseError(words.text, "say which card and which meld, as in: swap Qd 2")
    number = words.number(words.words[1], "the number of a meld") if len(words.words) == 2 else 0
    return Swap(words.card(words.words[0]), number)


def _read_discard(words: _Words) -> Action:
    if len(words.words) != 1:
        raise ParseError(words.text, "discard exactly one card, as in: discard 9s")
    return Discard(words.card(words.words[0]))


def _read_knock(words: _Words) -> Action:
    head, bar = words.words[:1], words.words[1:2]
    if head in ([], ["|"]):
        return Knock(None, _declared(words, words.words))
    if bar not in ([], ["|"]):
        raise ParseError(words.text, "say which card you discard, as in: knock 4h | 7h 8h 9h")
    return Knock(words.card(head[0]), _declared(words, words.words[1:]))


def _declared(words: _Words, bar_and_melds: list[str]) -> tuple[tuple[Piece, ...], ...] | None:
    """Read what follows the discard: nothing (None), a bar alone (no melds), or a bar and melds."""
    if not bar_and_melds:
        return None
    return words.melds(bar_and_melds[1:]) if bar_and_melds[1:] else ()


_READERS = {
    "take": _read_take,
    "meld": _read_meld,
    "add": _read_add,
    "swap": _read_swap,
    "discard": _read_discard,
    "knock": _read_knock,
}


def _melds_text(melds: Iterable[Iterable[Piece]]) -> str:
    return " | ".join(" ".join(str(piece) for piece in meld) for meld in melds)
