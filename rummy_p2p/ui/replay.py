"""Looking through a match again: where one stands in it, and the whole as a conversation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple, Protocol

from rummy_p2p.engine import MatchState, View
from rummy_p2p.protocol.text import clean
from rummy_p2p.ruleset import Ruleset
from rummy_p2p.sentences.guide import help_line
from rummy_p2p.sentences.language import listed
from rummy_p2p.sentences.replays import replay_text

_DIGITS: Final = 6
_SAID: Final = ("next", "previous", "record", "hand", "seat", "table", "help", "quit")
_SHORT: Final[Mapping[str, str]] = {
    "n": "next",
    "p": "previous",
    "back": "previous",
    "q": "quit",
    "?": "help",
    "": "next",
}
_EXAMPLES: Final[Mapping[str, str]] = {"record": "record 12", "hand": "hand 2", "seat": "seat Bea"}


class Film(Protocol):
    """A match that can be looked through, record by record from 1."""

    @property
    def rules(self) -> Ruleset:
        """What was played."""
        ...

    @property
    def names(self) -> tuple[str, ...]:
        """The players, by seat."""
        ...

    @property
    def last(self) -> int:
        """How many records there are."""
        ...

    def hands(self) -> tuple[int, ...]:
        """Return the record with which each hand begins."""
        ...

    def heading(self, number: int) -> str:
        """Return which record this is."""
        ...

    def lines(self, number: int, seat: int | None = None) -> tuple[str, ...]:
        """Return what a record came to."""
        ...

    def table(self, number: int, seat: int | None = None) -> tuple[str, ...]:
        """Return the cards as they lie after a record."""
        ...

    def view(self, number: int, seat: int) -> View | None:
        """Return what a seat saw after a record; None between hands."""
        ...

    def match(self, number: int) -> MatchState | None:
        """Return the totals after a record; None before the first hand."""
        ...

    def stop(self) -> str:
        """Return why the film ends where it does; empty when all is in order."""
        ...


class Viewing:
    """Where somebody stands in a film, and from which seat it is seen; each step says why when it leads nowhere."""

    def __init__(self, film: Film, seat: int | None = None) -> None:
        """Begin with the first record."""
        self.film = film
        self.seat = seat
        self.number = 1

    def step(self, by: int) -> str:
        """Go on or back by so many records; return what is to be said about it."""
        wanted = self.number + by
        self.number = max(1, min(self.film.last, wanted))
        if wanted > self.film.last:
            return self.film.stop() or replay_text("last")
        return replay_text("first") if wanted < 1 else ""

    def to_record(self, text: str) -> str:
        """Go to a record by its number."""
        wanted = _number(text)
        if not 1 <= wanted <= self.film.last:
            return replay_text("no-record", last=self.film.last)
        self.number = wanted
        return ""

    def to_hand(self, text: str) -> str:
        """Go to where a hand begins."""
        begins, wanted = self.film.hands(), _number(text)
        if not begins:
            return replay_text("no-hands")
        if not 1 <= wanted <= len(begins):
            return replay_text("no-hand", last=len(begins))
        self.number = begins[wanted - 1]
        return ""

    def step_hand(self, by: int) -> str:
        """Go to the beginning of the next hand, or of this one and then of the one before."""
        begins = self.film.hands()
        if by > 0:
            later = [number for number in begins if number > self.number]
            return self._stand(later[0]) if later else self.step(self.film.last)
        earlier = [number for number in begins if number < self.number]
        return self._stand(earlier[-1]) if earlier else self.step(-self.film.last)

    def _stand(self, number: int) -> str:
        self.number = number
        return ""

    def to_seat(self, text: str) -> str:
        """Look on from a seat, by its player's name or its number; ``all`` shows all that is known."""
        found = seat_named(self.film.names, text)
        if found is None and text.strip().lower() != "all":
            names = listed([clean(name, 40) for name in self.film.names])
            return replay_text("no-seat", name=clean(text.strip(), 40) or "?", names=names)
        self.seat = found
        return ""

    def next_seat(self) -> None:
        """Look on from the next seat; after the last one all is shown again."""
        seats = (None, *range(len(self.film.names)))
        self.seat = seats[(seats.index(self.seat) + 1) % len(seats)]


def seat_named(names: Sequence[str], text: str) -> int | None:
    """Return the seat with this name, or with this number from 1; None when there is none."""
    wanted = text.strip().lower()
    lowered = [name.lower() for name in names]
    if wanted in lowered:
        return lowered.index(wanted)
    number = _number(text)
    return number - 1 if 1 <= number <= len(names) else None


def _number(text: str) -> int:
    text = text.strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _DIGITS else 0


class Answer(NamedTuple):
    """What comes out: lines, and whether the looking is over."""

    lines: tuple[str, ...] = ()
    leaves: bool = False


class ReplayConsole:
    """A film as a conversation: every record is shown in lines, and what is typed leads to another."""

    def __init__(self, film: Film, seat: int | None = None) -> None:
        """Stand at the first record."""
        self._viewing = Viewing(film, seat)
        self._commands: Mapping[str, Callable[[str], tuple[str, ...]]] = {
            "next": lambda _: self._moved(self._viewing.step(1)),
            "previous": lambda _: self._moved(self._viewing.step(-1)),
            "record": lambda text: self._moved(self._viewing.to_record(text)),
            "hand": lambda text: self._moved(self._viewing.to_hand(text)),
            "seat": lambda text: self._moved(self._viewing.to_seat(text)),
            "table": lambda _: film.table(self._viewing.number, self._viewing.seat),
            "help": lambda _: self._help(),
        }

    def show(self) -> tuple[str, ...]:
        """Return the record at which one stands."""
        film, number, seat = self._viewing.film, self._viewing.number, self._viewing.seat
        return (film.heading(number), *(f"  {line}" for line in film.lines(number, seat)))

    def answer(self, text: str) -> Answer:
        """Carry out what was typed."""
        word, _, rest = text.strip().partition(" ")
        word = _SHORT.get(word.lower(), word.lower())
        if word == "quit":
            return Answer(leaves=True)
        if word.isdigit():
            word, rest = "record", word
        if word not in self._commands:
            return Answer((replay_text("unknown", word=repr(clean(word, 20))),))
        return Answer(self._commands[word](rest))

    def _moved(self, refused: str) -> tuple[str, ...]:
        return (refused,) if refused else self.show()

    @staticmethod
    def _help() -> tuple[str, ...]:
        return tuple(help_line(_EXAMPLES.get(word, word), replay_text(word)) for word in _SAID)


def whole(film: Film, seat: int | None = None) -> tuple[str, ...]:
    """Return every record of a film, and why it ends where it does."""
    console, found = ReplayConsole(film, seat), list[str]()
    for number in range(1, film.last + 1):
        found += console.show() if number == 1 else console.answer(str(number)).lines
    return (*found, *filter(None, [film.stop()]))
