"""One running program on the LAN: its links, what it sees by mDNS, and the table at which it sits.

Laws of this file
* The table session does no I/O; here bytes and time are carried to it and what it says is carried away: after every
  input first messages are sent, then events told. The ledger is written to the disk after every hand.
* One table at a time, from `open_table` or `sit_down` to `rise`. Messages that come before there is one wait for it.
* Seated peers that are not linked are dialled: where mDNS shows them, of two by the one with the lower id, so that
  there is one link; by whoever sat down with them, where that was. Who cannot be dialled is reached through others.
* A breach of the protocol closes the link it came over, and nothing else. A disk that is full stops nothing.
* Shuffles and their checks run in threads of their own: the libsodium calls that they are made of let others run.
"""

import asyncio
import logging
import secrets
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from rummy_p2p.cards import pack
from rummy_p2p.deal.blind_deck import warm_up
from rummy_p2p.node.announcement import Announcement, Sighting, TableInfo, TableState
from rummy_p2p.node.discovery import Discovery
from rummy_p2p.node.transport import Connection, Transport
from rummy_p2p.protocol.errors import ProtocolError, RemoteProtocolError
from rummy_p2p.protocol.events import HandOver, HandVoid, MatchOver, TableClosed, TableEvent, TurnedAway
from rummy_p2p.protocol.faults import Refusal
from rummy_p2p.protocol.forming import Guest, Phase
from rummy_p2p.protocol.hand import Job
from rummy_p2p.protocol.identity import Identity
from rummy_p2p.protocol.link import VERSION, Authenticated, Closed, LinkConfig, LinkEvent
from rummy_p2p.protocol.messages import Signed, read_table
from rummy_p2p.protocol.table import Settings, TableSession
from rummy_p2p.ruleset import Ruleset
from rummy_p2p.store import StoreError

_log = logging.getLogger(__name__)

DIAL_EVERY = 1.0
DIAL_AGAIN = (0.2, 0.5, 1.0)
ANNOUNCE_GAP = 0.2
ANSWER_WITHIN = 5.0
SEAT_WITHIN = 10.0
LEAST_PAUSE = 0.01  # between two looks at the clock, whatever a session wants
EARLY_KEPT = 256
WORKERS = 2
ALONE = ("127.0.0.1",)  # where to listen while there is no network
# A deal of six peers is some 40 messages over one link at once, and bots move as fast as the network does; a stranger
# keeps the link's own limit of 20 messages a second.
SEATED_RATE, SEATED_BURST = 2000, 8000
# What may be over in a moment: everybody sits down at once, and the other side has its hands full.
_BUSY = frozenset({"lost", "turned-away", "no-answer", "too-many-links", "handshake-timeout", "auth-timeout"})

SaveLedger = Callable[[bytes, bytes], Path]


class Vault(Protocol):
    """Where secrets of a match lie that must outlive this program; either may raise StoreError."""

    def hand_secrets(self, match: bytes) -> bytes | None:
        """Return what was saved last; None when there is nothing."""
        ...

    def save_hand_secrets(self, match: bytes, content: bytes) -> None:
        """Write them down, for nobody else to read; empty: they can go."""
        ...


@dataclass(frozen=True, slots=True)
class Address:
    """Where a peer may be reached, best place first; the pin of its certificate and its id where they are known."""

    hosts: tuple[str, ...]
    port: int
    pin: bytes | None = None
    player: bytes | None = None

    @classmethod
    def of(cls, sighting: Sighting) -> "Address":
        """Where a peer says that it is."""
        return cls(sighting.addresses, sighting.port, bytes.fromhex(sighting.pin), bytes.fromhex(sighting.id))


@dataclass(frozen=True, slots=True)
class NotSaved(TableEvent):
    """The ledger could not be written to the disk, and why; the match goes on."""

    sentence: str


class NoSeat(ProtocolError):
    """There is no seat for us at that table; the sentence is the table's."""

    def __init__(self, event: TurnedAway | TableClosed) -> None:
        super().__init__(event.code)
        self._sentence = event.sentence

    def __str__(self) -> str:
        return self._sentence


class Peer:
    """This program among the others, from ``start`` to ``stop``. Belongs to one event loop."""

    def __init__(
        self,
        identity: Identity,
        nick: str,
        certificate: bytes,
        interfaces: Sequence[str] = (),
        save: SaveLedger | None = None,
        vault: Vault | None = None,
    ) -> None:
        """``save(match id, ledger)`` is called after every hand and says where it lies now; it may raise StoreError.

        Without a ``vault`` secrets live as long as the program.
        """
        self.identity = identity
        self.nick = nick
        self.discovery = Discovery(interfaces)
        self.transport = Transport(LinkConfig(identity, nick, Signed), certificate, self._hear)
        self.session: TableSession | None = None
        self.events: asyncio.Queue[TableEvent] = asyncio.Queue()
        self.saved: Path | None = None
        self._save = save
        self._vault = vault
        self._workers = ThreadPoolExecutor(WORKERS, "deal")
        self._jobs: set[asyncio.Task[None]] = set()
        self._watchers: list[Callable[[], None]] = []
        self._links: dict[bytes, list[Connection]] = {}
        self._trusted: set[Connection] = set()
        self._early: deque[tuple[bytes, Signed]] = deque(maxlen=EARLY_KEPT)
        self._offers: dict[bytes, Signed] = {}
        self._given: dict[bytes, Address] = {}
        self._seat: asyncio.Future[None] | None = None
        self._left = False
        self._changed = asyncio.Event()
        self._wake = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    # -- life

    async def start(self, port: int = 0) -> None:
        """Listen, announce, look round. NetworkError when the port cannot be had; mDNS trouble is in ``discovery``."""
        await self.discovery.start()
        try:
            await self.transport.start(self.discovery.choice.addresses or ALONE, port)
        except BaseException:
            await self.discovery.stop()
            raise
        for work in (self._keep_time, self._keep_dialling, self._keep_announcing):
            self._tasks.append(asyncio.create_task(work(), name=f"peer{work.__name__}"))
            self._tasks[-1].add_done_callback(_ended)

    async def stop(self) -> None:
        """Leave the network; no task and no socket stays behind."""
        tasks = [*self._tasks, *self._jobs]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._tasks.clear()
        self._workers.shutdown(wait=False, cancel_futures=True)
        await self.discovery.stop()
        await self.transport.stop()

    @property
    def address(self) -> str:
        """Where others can join without any mDNS."""
        host = (self.discovery.choice.addresses or ALONE)[0]
        return f"rummy://{host}:{self.transport.port}#{self.transport.fingerprint.hex()}"

    def watch(self, call: Callable[[], None]) -> Callable[[], None]:
        """Call this whenever something at the table may have changed; what is returned ends it."""
        self._watchers.append(call)
        return lambda: self._watchers.remove(call)

    # -- tables

    def open_table(self, rules: Ruleset, guest: Guest, settings: Settings) -> TableSession:
        """Open a table; Refusal for a number of seats that the game is not for."""
        dice, now = secrets.token_bytes, self._now()
        session = TableSession.create(self.identity, guest, rules, settings, dice, now, self._recall)
        self._begin(session)
        return session

    async def ask(self, address: Address) -> Signed:
        """Call a peer and return what it says of its table; a ProtocolError tells why there is none."""
        connection = await self._reach(address)
        self._given[connection.player_id] = address
        with suppress(TimeoutError):
            async with asyncio.timeout(ANSWER_WITHIN):
                return await self._offer_over(connection)
        connection.hang_up()
        raise Refusal("no-table-there", address=connection.address, port=connection.port)

    async def _offer_over(self, connection: Connection) -> Signed:
        while connection.player_id not in self._offers:
            if connection.closed is not None:
                raise connection.closed.error
            self._changed.clear()
            await self._changed.wait()
        return self._offers[connection.player_id]

    async def _reach(self, address: Address) -> Connection:
        """Dial, and again when the other side was too busy: many may want to sit down at the same moment."""
        for pause in DIAL_AGAIN:
            try:
                return await self._dial(address)
            except ProtocolError as error:
                if error.code not in _BUSY:
                    raise
                _log.info("%s is dialled again: %s", address.hosts, error)
            await asyncio.sleep(pause)
        return await self._dial(address)

    async def _dial(self, address: Address) -> Connection:
        """Try one place after the other; what went wrong at the last is raised."""
        for host in address.hosts[:-1]:
            with suppress(ProtocolError):
                return await self.transport.dial(host, address.port, address.pin, expected=address.player)
        return await self.transport.dial(address.hosts[-1], address.port, address.pin, expected=address.player)

    async def sit_down(self, offer: Signed, rules: Ruleset, guest: Guest) -> TableSession:
        """Take a seat at a table that was offered; NoSeat tells why there is none for us."""
        dice, now = secrets.token_bytes, self._now()
        session = TableSession.join(self.identity, guest, rules, offer, dice, now, self._recall)
        self._seat = asyncio.get_running_loop().create_future()
        try:
            self._begin(session)
            async with asyncio.timeout(SEAT_WITHIN):
                await self._seat
        except TimeoutError:
            self.rise()
            raise Refusal("table-lost") from None
        except BaseException:
            self.rise()
            raise
        finally:
            self._seat = None
        return session

    def do(self, action: Callable[[TableSession, float], None]) -> None:
        """Let the player do something at the table: ``peer.do(lambda table, now: table.ready(now))``."""
        if self.session is None:
            raise Refusal("no-match")
        try:
            action(self.session, self._now())
        finally:
            self._pump()

    def leave(self) -> None:
        """Tell the others that this peer leaves; once."""
        if self.session is not None and not self._left:
            self._left = True
            self.do(lambda table, now: table.leave(now))

    def rise(self) -> None:
        """Get up: the others have been told, there is no table any more, and all links are ended."""
        self.leave()
        self.session = None
        for connection in self.transport.connections:
            connection.hang_up()
        for kept in (self._early, self._offers, self._given):
            kept.clear()
        self.events = asyncio.Queue()
        self._pump()

    async def parted(self, within: float) -> None:
        """Wait until nobody is linked with this peer any more, but not longer than so many seconds."""
        with suppress(TimeoutError):
            async with asyncio.timeout(within):
                while self._links:
                    self._changed.clear()
                    await self._changed.wait()

    def _begin(self, session: TableSession) -> None:
        self.session, self._left = session, False
        if session.info.deal == "blind":
            self._workers.submit(warm_up, pack(session.rules.deck.packs, session.rules.deck.jokers))
        for player in list(self._links):
            session.peer_connected(player, self._now())
        early, self._early = list(self._early), deque(maxlen=EARLY_KEPT)
        for player, message in early:
            with suppress(RemoteProtocolError):  # its link has been told, or is gone
                session.receive(player, message, self._now())
        self._pump()

    # -- links

    def _hear(self, connection: Connection, event: LinkEvent) -> None:
        if isinstance(event, Authenticated):
            self._on_link(connection)
        elif isinstance(event, Closed):
            self._on_closed(connection)
        elif isinstance(event.message, Signed):
            self._on_message(connection, event.message)
        self._pump()

    def _on_link(self, connection: Connection) -> None:
        """Of several links to a peer the newest is surely alive, and who makes another one has missed something."""
        self._links.setdefault(connection.player_id, []).insert(0, connection)
        if self.session is not None:
            self.session.peer_connected(connection.player_id, self._now())

    def _on_closed(self, connection: Connection) -> None:
        self._trusted.discard(connection)
        links = self._links[connection.player_id]
        links.remove(connection)
        if not links:
            del self._links[connection.player_id]
            self._offers.pop(connection.player_id, None)
            if self.session is not None:
                self.session.peer_lost(connection.player_id, self._now())

    def _on_message(self, connection: Connection, message: Signed) -> None:
        if self.session is None:
            self._on_early(connection, message)
            return
        try:
            self.session.receive(connection.player_id, message, self._now())
        except RemoteProtocolError as error:
            _log.warning("%r broke the protocol: %s", connection, error)
            connection.hang_up(error.code, **error.parameters)

    def _on_early(self, connection: Connection, message: Signed) -> None:
        """Keep what comes before there is a session; a table that is told of can be asked for a seat."""
        self._early.append((connection.player_id, message))
        if read_table(message) is not None:
            self._offers[connection.player_id] = message

    # -- the pump

    def _pump(self) -> None:
        """Carry away what the session has to say. Without one there is at least news for those who wait."""
        session = self.session
        if session is not None:
            self._trust(session)
            self._keep_secrets(session)
            for item in session.outgoing():
                for player in item.to & self._links.keys():
                    self._links[player][0].send(item.message)
            for event in session.events():
                self._tell(session, event)
            for job in session.jobs():
                self._jobs.add(task := asyncio.create_task(self._work(session, job), name="peer-job"))
                task.add_done_callback(self._jobs.discard)
                task.add_done_callback(_ended)
        self._wake.set()
        self._changed.set()
        for call in tuple(self._watchers):
            call()

    def _trust(self, session: TableSession) -> None:
        """Let peers of the table send as fast as a game needs."""
        if len(self._trusted) == sum(map(len, self._links.values())):
            return
        seated = {session.creator, *(seat.owner for seat in session.seats)}
        for player in seated & self._links.keys():
            for connection in self._links[player]:
                if connection not in self._trusted:
                    self._trusted.add(connection)
                    connection.allow(SEATED_RATE, SEATED_BURST)

    def _tell(self, session: TableSession, event: TableEvent) -> None:
        """Pass an event on; whether there is a seat for us is answered to the one who asked for it."""
        if self._seat is not None and not self._seat.done():
            if isinstance(event, TurnedAway | TableClosed):
                self._seat.set_exception(NoSeat(event))
                return
            if session.own_seats:
                self._seat.set_result(None)
        if isinstance(event, HandOver | HandVoid | MatchOver):
            self._keep(session)
        self.events.put_nowait(event)

    def _recall(self, match: bytes) -> bytes | None:
        try:
            return self._vault.hand_secrets(match) if self._vault is not None else None
        except StoreError as error:
            _log.error("the secrets of a match were not read: %s", error)
            return None

    def _keep_secrets(self, session: TableSession) -> None:
        """What goes out next may hang on them. A disk that is full stops nothing: they last as long as the program."""
        found = session.secrets()
        if found is None or self._vault is None:
            return
        try:
            self._vault.save_hand_secrets(*found)
        except StoreError as error:
            _log.error("the secrets of a hand were not saved: %s", error)
            self.events.put_nowait(NotSaved(str(error)))

    async def _work(self, session: TableSession, job: Job) -> None:
        """Do a job beside everything else, and give the session what came of it."""
        outcome = await asyncio.get_running_loop().run_in_executor(self._workers, job.run)
        if self.session is session:
            session.finish(job, outcome, self._now())
            self._pump()

    def _keep(self, session: TableSession) -> None:
        if session.match is None or self._save is None:
            return
        try:
            self.saved = self._save(session.match.id, session.match.replica.ledger.to_bytes())
        except StoreError as error:
            _log.error("the ledger was not saved: %s", error)
            self.events.put_nowait(NotSaved(str(error)))

    async def _keep_time(self) -> None:
        """Wake the session when it wants to be woken."""
        while True:
            self._wake.clear()
            pause = None if self.session is None else max(LEAST_PAUSE, self.session.wake_at(self._now()) - self._now())
            # Not wait_for: in Python 3.11 it swallows a cancellation that comes together with the event.
            with suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await self._wake.wait()
                    continue
            if self.session is not None:
                self.session.tick(self._now())
                self._pump()

    async def _keep_dialling(self) -> None:
        """Make links to the seated peers whose place is known, and listen where they will look for this one."""
        while True:
            self.transport.follow(self.discovery.choice.addresses or ALONE)
            await asyncio.gather(*(self._try(address) for address in self._wanted()))
            await asyncio.sleep(DIAL_EVERY)

    async def _try(self, address: Address) -> None:
        with suppress(ProtocolError):  # it is tried again, and the others pass messages on meanwhile
            await self._dial(address)

    def _wanted(self) -> list[Address]:
        if self.session is None or self._left or self.session.phase is Phase.CLOSED:
            return []
        me = self.identity.player_id
        missing = {seat.owner for seat in self.session.seats if seat.owner != me} - self._links.keys()
        seen = {bytes.fromhex(sighting.id): sighting for sighting in self.discovery.sightings()}
        found = [Address.of(seen[player]) for player in missing & seen.keys() if player > me or player in self._given]
        return found + [self._given[player] for player in (missing - seen.keys()) & self._given.keys()]

    # -- announcing

    async def _keep_announcing(self) -> None:
        """Say who is here, and the table of whoever opened one, each time that it has changed."""
        announced: Announcement | None = None
        news = asyncio.Event()
        stop = self.watch(news.set)
        try:
            while True:
                news.clear()
                wanted = self._announcement()
                if wanted != announced:
                    announced = wanted
                    await self.discovery.announce(wanted)
                await news.wait()
                await asyncio.sleep(ANNOUNCE_GAP)
        finally:
            stop()

    def _announcement(self) -> Announcement:
        me, pin = self.identity.player_id.hex(), self.transport.fingerprint.hex()
        return Announcement(self.nick, me, pin, self.transport.port, VERSION, self._own_table())

    def _own_table(self) -> TableInfo | None:
        session = self.session
        if session is None or session.creator != session.me or session.phase is Phase.CLOSED:
            return None
        info = session.info
        return TableInfo(
            info.table.hex(),
            info.title,
            session.rules.game,
            info.fingerprint.hex(),
            len(session.seats),
            info.seats,
            TableState.PLAYING if session.phase is Phase.PLAYING else TableState.OPEN,
            session.rules.house,
        )

    @staticmethod
    def _now() -> float:
        return asyncio.get_running_loop().time()


def _ended(task: asyncio.Task[None]) -> None:
    """What ends a task of the peer before its time is a fault of ours, and must not pass in silence."""
    if not task.cancelled() and (error := task.exception()) is not None:
        _log.error("%s ended: %r", task.get_name(), error, exc_info=error)
