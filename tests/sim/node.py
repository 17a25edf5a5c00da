"""One simulated machine: a clock of its own, a disk that keeps what it has acknowledged, a program that may die.

What a program does after an input is done in the order of `protocol.table`: write, send, tell, work. `Died` is raised
where the plan says that it dies in the middle of that.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from rummy_p2p.protocol.disk import Saved, Unsaved
from rummy_p2p.protocol.events import TableEvent
from rummy_p2p.protocol.forming import Guest
from rummy_p2p.protocol.hand import Job
from rummy_p2p.protocol.identity import Identity
from rummy_p2p.protocol.messages import Signed
from rummy_p2p.protocol.table import TableSession
from rummy_p2p.ruleset import Ruleset
from tests.sim.plan import Stage

BEGINNING: Final = 1000.0

Send = Callable[["Node", bytes, Signed], None]


class Died(Exception):
    """The program was killed where it stood."""


@dataclass(slots=True)
class Clock:
    """A clock that goes up, but not as fast as the time: it may drift, and jump ahead."""

    rate: float = 1.0
    _since: float = 0.0
    _shown: float = BEGINNING

    def read(self, time: float) -> float:
        return self._shown + (time - self._since) * self.rate

    def time_of(self, shown: float) -> float:
        """When it will show this."""
        return self._since + (shown - self._shown) / self.rate

    def change(self, time: float, *, rate: float | None = None, jump: float = 0.0) -> None:
        self._shown, self._since = self.read(time) + jump, time
        self.rate = rate or self.rate


@dataclass(slots=True)
class Disk:
    """What is written is there once it is acknowledged; a write under way when the program dies is lost."""

    saved: Saved | None = None
    secrets: dict[bytes, bytes] = field(default_factory=dict)
    fresh: list[bytes] = field(default_factory=list)

    def write(self, unsaved: Unsaved) -> None:
        self.saved = unsaved.onto(self.saved)
        self.fresh += [record.digest for record in unsaved.records]

    def keep(self, match: bytes, secrets: bytes) -> None:
        self.secrets[match] = secrets
        if not secrets:
            del self.secrets[match]


@dataclass(eq=False)
class Node:
    """A machine and its program."""

    name: str
    identity: Identity
    rules: Ruleset
    guest: Guest
    rng: random.Random
    clock: Clock = field(default_factory=Clock)
    disk: Disk = field(default_factory=Disk)
    session: TableSession | None = None
    run: int = 0
    doomed: Stage | None = None
    asleep_until: float = 0.0
    write_takes: float = 0.0
    wakes_at: float = float("inf")
    early: list[tuple[bytes, Signed]] = field(default_factory=list)
    told: list[TableEvent] = field(default_factory=list)
    has_written: bool = False
    jobs: list[Job] = field(default_factory=list)
    committed_told: int = 0
    checked: int = 0

    @property
    def id(self) -> bytes:
        return self.identity.player_id

    @property
    def table(self) -> TableSession:
        assert self.session is not None
        return self.session

    @property
    def is_up(self) -> bool:
        return self.session is not None

    def pump(self, send: Send) -> list[TableEvent]:
        """What a program does after every input; what it has told its player. Died when it dies on the way."""
        table = self.table
        self.has_written = False
        self._die_if("at-once", "unwritten")
        found = table.secrets()
        if found is not None:
            self.disk.keep(*found)
        self._die_if("half-written")
        unsaved = table.unsaved()
        if unsaved is not None:
            self.disk.write(unsaved)
        self.has_written = unsaved is not None or found is not None
        self._die_if("written")
        self._send_all(table, send)
        events = table.events()
        if table.match is not None:
            self.committed_told = max(self.committed_told, table.match.replica.ledger.committed)
        self.told += events
        self.jobs += table.jobs()
        return events

    def _send_all(self, table: TableSession, send: Send) -> None:
        parcels = [(to, item.message) for item in table.outgoing() for to in sorted(item.to)]
        sent = self.rng.randint(0, len(parcels)) if self.doomed == "half-sent" else len(parcels)
        for to, message in parcels[:sent]:
            send(self, to, message)
        self._die_if("half-sent")

    def _die_if(self, *stages: Stage) -> None:
        if self.doomed in stages:
            raise Died

    def stop(self) -> None:
        """The program is gone, and what it had in memory."""
        self.session, self.doomed, self.early, self.jobs = None, None, [], []
        self.run += 1
        self.checked = 0
        self.wakes_at = float("inf")

    def resume(self, time: float) -> None:
        """Start the program again, with what is on the disk; it has no links yet."""
        assert self.disk.saved is not None
        dice = self.rng.randbytes
        self.session = TableSession.resume(
            self.identity, self.guest, self.rules, self.disk.saved, dice, self.clock.read(time), self.disk.secrets.get
        )
