"""What a table tells its program: frozen records, in the order in which they took effect.

Seats are numbers; `TableSession.seats` has their names. An event about cards holds only what everybody may know.
"""

from __future__ import annotations

from dataclasses import dataclass

from rummy_p2p.engine.events import Event
from rummy_p2p.protocol.roster import Seat


@dataclass(frozen=True, slots=True)
class TableEvent:
    """Base of all."""


@dataclass(frozen=True, slots=True)
class Seated(TableEvent):
    """Who sits at the table now, and who is new."""

    seats: tuple[Seat, ...]
    new: tuple[str, ...]
    gone: tuple[str, ...]
    ready: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TurnedAway(TableEvent):
    """This peer gets no seat."""

    code: str
    sentence: str
    differs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TableClosed(TableEvent):
    """There is no table any more."""

    code: str
    sentence: str


@dataclass(frozen=True, slots=True)
class MatchStarted(TableEvent):
    """A match begins; it has no host yet. ``could_look``: how many peers together could see the deck (blind deal)."""

    match: bytes
    seats: tuple[Seat, ...]
    deal: str = "host"
    could_look: int = 1


@dataclass(frozen=True, slots=True)
class Elected(TableEvent):
    """This peer orders the actions from now on."""

    term: int
    host: bytes
    name: str


@dataclass(frozen=True, slots=True)
class HandStarted(TableEvent):
    """A hand was opened; the deck is being made (``attempt`` counts from 0)."""

    hand: int
    attempt: int


@dataclass(frozen=True, slots=True)
class Dealing(TableEvent):
    """The deck is being made blindly: so many of the peers have shuffled it, so many have signed it."""

    shuffled: int
    signed: int
    peers: int


@dataclass(frozen=True, slots=True)
class DeckCommitted(TableEvent):
    """The deck is made, and everybody knows what it is bound to; no card has moved yet."""

    hand: int
    commitment: bytes


@dataclass(frozen=True, slots=True)
class Happened(TableEvent):
    """Something happened that no seat did by a move: the deal, the upcard, a time-out."""

    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Played(TableEvent):
    """A seat's move took effect."""

    seat: int
    move: str
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Known(TableEvent):
    """An own seat has learnt faces of its own cards."""

    seat: int


@dataclass(frozen=True, slots=True)
class HandOver(TableEvent):
    """A hand was counted; the deal was recomputed (``audit``: ok, or the code of what differs)."""

    hand: int
    points: tuple[int, ...]
    totals: tuple[int, ...]
    winner: int | None
    audit: str
    commitment: bytes
    records: int
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class HandVoid(TableEvent):
    """A hand does not count, and why; ``culprit`` is the peer at fault, when there is one."""

    hand: int
    code: str
    sentence: str
    culprit: bytes | None


@dataclass(frozen=True, slots=True)
class MatchOver(TableEvent):
    """The match ended; ``code`` is empty, or tells why it ended before its time."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    code: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Paused(TableEvent):
    """Nothing goes on until these players are back.

    ``suspended``: who of them has said that it goes and comes back another time; ``early``: this program has only just
    come back itself, and may find them in a moment.
    """

    code: str
    sentence: str
    players: tuple[str, ...]
    suspended: tuple[str, ...] = ()
    early: bool = False


@dataclass(frozen=True, slots=True)
class PauseWanted(TableEvent):
    """These players would like a pause, and the others have not agreed yet; nobody: they do no longer."""

    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Resumed(TableEvent):
    """The table goes on."""


@dataclass(frozen=True, slots=True)
class WentAway(TableEvent):
    """A peer cannot be reached; the table goes on without waiting for it."""

    peer: bytes
    name: str


@dataclass(frozen=True, slots=True)
class CameBack(TableEvent):
    """A peer that was away is back."""

    peer: bytes
    name: str


@dataclass(frozen=True, slots=True)
class FaultFound(TableEvent):
    """Somebody at the table broke its rules."""

    code: str
    sentence: str
    culprit: bytes | None


@dataclass(frozen=True, slots=True)
class Declined(TableEvent):
    """An own seat's move was not taken: another came first, or the host's rules say no."""

    seat: int
    move: str
    code: str
    knob: str
    parameters: dict[str, int | str]


@dataclass(frozen=True, slots=True)
class Voted(TableEvent):
    """Somebody has voted about somebody: to mute or kick, for it or not; how many voices there are, and are needed.

    ``decided``: what is so from now on; None when nothing has changed by this voice.
    """

    name: str
    measure: str
    about: str
    agree: bool
    votes: int
    needed: int
    decided: bool | None


@dataclass(frozen=True, slots=True)
class Chatted(TableEvent):
    """Somebody said something; ``watches``: somebody who looks on."""

    author: bytes
    name: str
    text: str
    watches: bool = False


@dataclass(frozen=True, slots=True)
class LetIn(TableEvent):
    """This peer may look on."""


@dataclass(frozen=True, slots=True)
class Caught(TableEvent):
    """Who came into the middle of a match knows now how it stands; so many records were played before."""

    records: int
