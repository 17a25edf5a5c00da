"""What the lobby knows and what it asks for: plain records, and the ``Lan`` behind which the network stands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Protocol

import msgspec

from rummy_p2p.statistics import Played, Totals
from rummy_p2p.ui.form import Plan

Caution = Literal["", "blocked", "another-key"]
Fit = Literal["same", "missing", "different"]
Room = Literal["learn", "replays", "rules", "settings", "doctor", "ways", "people"]
State = Literal["open", "password", "playing"]


class TableRow(msgspec.Struct, frozen=True):
    """A table on this network. ``fit``: whether its rules are here the same, missing or different; ``caution``: what is
    to be thought of whoever has opened it.
    """

    id: str
    number: int
    title: str
    game: str
    rules: str
    house: tuple[str, ...]
    taken: int
    total: int
    state: State
    host: str
    limit: str
    fit: Fit
    address: str
    house_titles: tuple[str, ...] = ()
    caution: Caution = ""

    @property
    def has_room(self) -> bool:
        """Whether one more could sit down."""
        return self.state == "open" and self.taken < self.total


class Person(msgspec.Struct, frozen=True):
    """Somebody who is here; ``table`` is what they have open, empty when nothing; ``here``: at this player's table."""

    nick: str
    table: str = ""
    me: bool = False
    id: str = ""
    here: bool = False
    caution: Caution = ""


class SeatRow(msgspec.Struct, frozen=True):
    """A seat at the table where the player sits; ``guest``: one by ssh has it."""

    name: str
    ready: bool
    bot: bool = False
    opened: bool = False
    me: bool = False
    guest: bool = False


class Sitting(msgspec.Struct, frozen=True):
    """The table where the player sits, before a match or between two. ``why``: why it cannot be started yet;
    ``by_ssh``: what guests type who have nothing but ssh, while they are let in.
    """

    title: str
    game: str
    rules: str
    seats: tuple[SeatRow, ...]
    total: int
    mine: bool
    ready: bool
    why: str
    addresses: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    by_ssh: str = ""


class Looking(msgspec.Struct, frozen=True):
    """How tables are looked for: on which interfaces, on which not and why, for how long, what is wrong, and what has
    been tried besides.
    """

    used: tuple[str, ...]
    rejected: tuple[str, ...] = ()
    trouble: str = ""
    seconds: int = 0
    told: tuple[str, ...] = ()


class Walking(msgspec.Struct, frozen=True):
    """A walk along the network: what is said of it, and how far it is."""

    said: str
    done: int
    total: int


class Unfinished(msgspec.Struct, frozen=True):
    """A match that can be gone on with: at which hand it is, and when it was played last, as it is shown."""

    id: str
    title: str
    players: tuple[str, ...]
    hand: int = 0
    when: str = ""


class Profile(msgspec.Struct, frozen=True):
    """Who the player is to others, and what has been played here."""

    nick: str
    words: str
    id: str
    address: str
    version: str
    folder: str
    totals: tuple[Totals, ...]
    ledgers: int
    peers: int
    latest: tuple[Played, ...] = ()


class Lan(Protocol):
    """The network, the files and the games, as far as the lobby asks. What is asked for begins at once; what comes of
    it is told: by a change (``watch``), or by a sentence (``tell`` of the room that was given).
    """

    @property
    def nick(self) -> str:
        """The player's name."""
        ...

    @property
    def place(self) -> str:
        """This machine: its name and address."""
        ...

    @property
    def busy(self) -> str:
        """What is being done just now, as a sentence; empty when nothing is."""
        ...

    def tables(self) -> tuple[TableRow, ...]:
        """Return the tables that are there, each with the number that it keeps."""
        ...

    def people(self) -> tuple[Person, ...]:
        """Return who is here."""
        ...

    def looking(self) -> Looking:
        """Return how tables are looked for."""
        ...

    @property
    def walking(self) -> Walking | None:
        """The walk along the network; None when there is none."""
        ...

    def walk(self) -> None:
        """Begin to walk along the network, or end that."""
        ...

    def sitting(self) -> Sitting | None:
        """Return the table where the player sits."""
        ...

    def unfinished(self) -> tuple[Unfinished, ...]:
        """Return the matches to be gone on with, the latest first."""
        ...

    def profile(self) -> Profile:
        """Return who the player is, and the statistics."""
        ...

    def open(self, plan: Plan) -> None:
        """Open a table."""
        ...

    def join(self, table: str) -> None:
        """Sit down at a table: its number, title, address or code."""
        ...

    def invite(self, person: str) -> None:
        """Ask the player with this id to the own table."""

    def look_on(self, table: str) -> None:
        """Look on at a table without a seat: its number, title, address or code."""
        ...

    def resume(self, match: str) -> None:
        """Go on with a match."""
        ...

    def practice(self, plan: Plan) -> None:
        """Play alone against bots."""
        ...

    def one_screen(self, plan: Plan) -> None:
        """Play with several people at this one screen."""
        ...

    def let_guests_in(self) -> None:
        """Let guests in by ssh at the own table, or no longer."""
        ...

    def ready(self) -> None:
        """Be ready, or no longer."""
        ...

    def start(self) -> None:
        """Start the match."""
        ...

    def say(self, text: str) -> None:
        """Say something to everybody at the table."""
        ...

    def vote(self, text: str) -> None:
        """Vote about somebody at the table, as it is typed: kick Bea."""
        ...

    def leave(self) -> None:
        """Leave the table."""
        ...

    def command(self, text: str) -> None:
        """Carry out any other line that was typed."""
        ...

    def show(self, what: Room, game: str = "", house: tuple[str, ...] = ()) -> None:
        """Open another room."""
        ...

    def quit(self) -> None:
        """Leave the program."""
        ...

    def watch(self, call: Callable[[], None]) -> Callable[[], None]:
        """Call this whenever something may have changed; what is returned ends it."""
        ...
