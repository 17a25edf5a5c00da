"""The way between a table session and all that is outside of it: the disk, the links, the player, time, and threads.

Laws of this file
* The table session does no I/O; what it says is carried away: after every input first what must not be lost is written
  down (`keeping`), then messages are sent, then events told. Until it is on the disk they wait in the `outbox`, and the
  session goes on.
* Shuffles and their checks run in threads of their own: the libsodium calls that they are made of let others run.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

from rummy_p2p.node.keeping import Keeper, Page
from rummy_p2p.node.outbox import Outbox
from rummy_p2p.node.places import Places
from rummy_p2p.node.transport import Connection, Transport
from rummy_p2p.protocol.errors import ProtocolError
from rummy_p2p.protocol.events import HandOver, HandVoid, MatchOver, MatchStarted, TableClosed, TableEvent, TurnedAway
from rummy_p2p.protocol.faults import Refusal
from rummy_p2p.protocol.gossip import Outgoing
from rummy_p2p.protocol.hand import Job
from rummy_p2p.protocol.table import TableSession

_log = logging.getLogger(__name__)

LEAST_PAUSE = 0.01  # between two looks at the clock, whatever a session wants
WORKERS = 2
# A deal of six peers is some 40 messages over one link at once, and bots move as fast as the network does; a stranger
# keeps the link's own limit of 20 messages a second.
SEATED_RATE, SEATED_BURST = 2000, 8000


@dataclass(frozen=True, slots=True)
class NotSaved(TableEvent):
    """Something could not be written to the disk, and why; the match goes on."""

    sentence: str


class NoSeat(ProtocolError):
    """There is no seat for us at that table; the sentence is the table's."""

    def __init__(self, event: TurnedAway | TableClosed) -> None:
        super().__init__(event.code)
        self._sentence = event.sentence

    def __str__(self) -> str:
        return self._sentence


class Carrier:
    """Carries for one session at a time. Belongs to one event loop."""

    def __init__(self, transport: Transport, keeper: Keeper, places: Places) -> None:
        """There is no session yet."""
        self.transport = transport
        self.keeper = keeper
        self.session: TableSession | None = None
        self.events: asyncio.Queue[TableEvent] = asyncio.Queue()
        self._places = places
        self._outbox: Outbox[Page] = Outbox(keeper.put, self._report)
        self._workers = ThreadPoolExecutor(WORKERS, "deal")
        self._jobs: set[asyncio.Task[None]] = set()
        self._watchers: list[Callable[[], None]] = []
        self._listeners: list[Callable[[TableEvent], None]] = []
        self._links: dict[bytes, list[Connection]] = {}
        self._trusted: set[Connection] = set()
        self._seat: asyncio.Future[None] | None = None
        self._changed = asyncio.Event()
        self._alarm: asyncio.TimerHandle | None = None
        self._tasks: list[asyncio.Task[None]] = []

    async def stop_working(self) -> None:
        """End all that is under way, but for what is written to the disk."""
        tasks = [*self._tasks, *self._jobs]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._tasks.clear()
        if self._alarm is not None:
            self._alarm.cancel()
        self._workers.shutdown(wait=False, cancel_futures=True)

    def nick_of(self, player: bytes) -> str:
        """How a linked peer calls its player; nothing for anybody else."""
        return next((link.nick for link in self._links.get(player, ())), "")

    def watch(self, call: Callable[[], None]) -> Callable[[], None]:
        """Call this whenever something at the table may have changed; what is returned ends it."""
        self._watchers.append(call)
        return lambda: self._watchers.remove(call)

    def tell_watchers(self) -> None:
        """Something that matters at the table has changed."""
        for call in tuple(self._watchers):
            call()

    def listen(self, call: Callable[[TableEvent], None]) -> Callable[[], None]:
        """Call this as well with everything that the table tells; what is returned ends it."""
        self._listeners.append(call)
        return lambda: self._listeners.remove(call)

    def do(self, action: Callable[[TableSession, float], None]) -> None:
        """Let the player do something at the table: ``peer.do(lambda table, now: table.ready(now))``."""
        if self.session is None:
            raise Refusal("no-match")
        try:
            action(self.session, self._now())
        finally:
            self._pump()

    # -- the pump

    def _pump(self) -> None:
        """Carry away what the session has to say. Without one there is at least news for those who wait."""
        session = self.session
        if session is not None:
            self._trust(session)
            page = self.keeper.page(session, self.transport.port)
            outgoing, events = session.outgoing(), session.events()
            self._outbox.put(page, partial(self._send, outgoing))
            ends = any(isinstance(event, HandOver | HandVoid | MatchOver) for event in events)
            self._outbox.put(self.keeper.ledger_page(session) if ends else None, partial(self._tell, session, events))
            for job in session.jobs():
                self._jobs.add(task := asyncio.create_task(self._work(session, job), name="peer-job"))
                task.add_done_callback(self._jobs.discard)
                task.add_done_callback(tell_end)
        self._set_alarm()
        self._changed.set()
        self.tell_watchers()

    def _send(self, outgoing: Sequence[Outgoing]) -> None:
        for item in outgoing:
            for player in item.to & self._links.keys():
                self._links[player][0].send(item.message)

    def _trust(self, session: TableSession) -> None:
        """Let peers of the table send as fast as a game needs."""
        if len(self._trusted) == sum(map(len, self._links.values())):
            return
        seated = {session.creator, *(seat.owner for seat in session.seats)}
        if session.watches:  # it has dialled them itself
            seated |= self._links.keys()
        for player in seated & self._links.keys():
            for connection in self._links[player]:
                if connection not in self._trusted:
                    self._trusted.add(connection)
                    connection.allow(SEATED_RATE, SEATED_BURST)

    def _tell(self, session: TableSession, events: Sequence[TableEvent]) -> None:
        """Pass events on; whether there is a seat for us is answered to the one who asked for it."""
        for event in events:
            if self._seat is not None and not self._seat.done():
                if isinstance(event, TurnedAway | TableClosed):
                    self._seat.set_exception(NoSeat(event))
                    continue
                if session.own_seats or session.let_in:
                    self._seat.set_result(None)
            if isinstance(event, MatchStarted):  # who is killed in the next moment has to find the others again
                self._note_places()
            self.events.put_nowait(event)
            for call in tuple(self._listeners):
                call(event)

    def _report(self, sentences: Sequence[str]) -> None:
        for sentence in sentences:
            self.events.put_nowait(NotSaved(sentence))

    async def _work(self, session: TableSession, job: Job) -> None:
        """Do a job beside everything else, and give the session what came of it."""
        outcome = await asyncio.get_running_loop().run_in_executor(self._workers, job.run)
        if self.session is session:
            session.finish(job, outcome, self._now())
            self._pump()

    def _set_alarm(self) -> None:
        """Have the session woken when it wants to be; too early does no harm, so what comes later moves no alarm."""
        if self.session is None or not self._tasks:
            return
        now = self._now()
        due = max(now + LEAST_PAUSE, self.session.wake_at(now))
        if self._alarm is None or due < self._alarm.when():
            if self._alarm is not None:
                self._alarm.cancel()
            self._alarm = asyncio.get_running_loop().call_at(due, self._ring)

    def _ring(self) -> None:
        self._alarm = None
        if self.session is not None:
            self.session.tick(self._now())
            self._pump()

    def _note_places(self) -> None:
        self._places.note({player: self.nick_of(player) for player in self._others() & self._links.keys()})

    def _others(self) -> set[bytes]:
        """Who else sits at the table."""
        session = self.session
        return set() if session is None else {seat.owner for seat in session.seats if seat.owner != session.me}

    @staticmethod
    def _now() -> float:
        return asyncio.get_running_loop().time()


def tell_end(task: asyncio.Task[None]) -> None:
    """What ends a task of the peer before its time is a fault of ours, and must not pass in silence."""
    if not task.cancelled() and (error := task.exception()) is not None:
        _log.error("%s ended: %r", task.get_name(), error, exc_info=error)
