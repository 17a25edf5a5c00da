"""One running program on the LAN: its links, what it sees by mDNS, and the table at which it sits.

Laws of this file
* The table session does no I/O; here bytes and time are carried to it and what it says is carried away: after every
  input first what must not be lost is written down (`keeping`), then messages are sent, then events told. Until it is
  on the disk they wait in the `outbox`, and the session goes on.
* Messages that come in one moment are taken in together: each by itself would be written to the disk, and acknowledged.
* One table at a time, from `open_table`, `sit_down` or `resume` to `rise`. Messages that come before that wait for it.
* Who rises in mid-match without having left keeps the seats: the match is on the disk, and `resume` goes on with it.
* Seated peers that are not linked are dialled: where mDNS shows them, of two by the one with the lower id, so that
  there is one link; by whoever sat down with them, or knows them from the last time, where that was. Who cannot be
  dialled is reached through others.
* A breach of the protocol closes the link it came over, and nothing else.
* Who looks on hangs on one of the seated peers, and looks for another when that one is gone; nobody dials it.
* Shuffles and their checks run in threads of their own: the libsodium calls that they are made of let others run.
"""

import asyncio
import logging
import secrets
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

from rummy_p2p.cards import pack
from rummy_p2p.deal.blind_deck import warm_up
from rummy_p2p.node.announcement import Announcement, Sighting, TableInfo, TableState
from rummy_p2p.node.callback import CallBacks
from rummy_p2p.node.discovery import Discovery, reachable
from rummy_p2p.node.doorway import KINDS, Doorway
from rummy_p2p.node.invitations import Invitations
from rummy_p2p.node.keeping import Keeper, Page, SaveLedger, Vault
from rummy_p2p.node.outbox import Outbox
from rummy_p2p.node.results import Results
from rummy_p2p.node.tls import Pin
from rummy_p2p.node.transport import Connection, Transport
from rummy_p2p.protocol.callback import CallBack, Wire
from rummy_p2p.protocol.codec import pack as pack_message
from rummy_p2p.protocol.errors import NetworkError, ProtocolError, RemoteProtocolError
from rummy_p2p.protocol.events import HandOver, HandVoid, MatchOver, MatchStarted, TableClosed, TableEvent, TurnedAway
from rummy_p2p.protocol.faults import Refusal
from rummy_p2p.protocol.forming import Guest, Phase
from rummy_p2p.protocol.gossip import Outgoing
from rummy_p2p.protocol.hand import Job
from rummy_p2p.protocol.identity import Identity
from rummy_p2p.protocol.invitation import Invitation
from rummy_p2p.protocol.joincode import HOME_PORTS
from rummy_p2p.protocol.link import VERSION, Authenticated, Closed, LinkConfig, LinkEvent
from rummy_p2p.protocol.match import Match
from rummy_p2p.protocol.messages import Signed, read_table
from rummy_p2p.protocol.table import Saved, Settings, TableSession
from rummy_p2p.ruleset import Ruleset
from rummy_p2p.store import RememberedPeer

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


@dataclass(frozen=True, slots=True)
class Address:
    """Where a peer may be reached, best place first; the pin of its certificate and its id where they are known."""

    hosts: tuple[str, ...]
    port: int
    pin: Pin | None = None
    player: bytes | None = None

    @classmethod
    def of(cls, sighting: Sighting) -> "Address":
        """Where a peer says that it is."""
        return cls(sighting.addresses, sighting.port, bytes.fromhex(sighting.pin), bytes.fromhex(sighting.id))

    @classmethod
    def again(cls, peer: RememberedPeer) -> "Address":
        """Where a peer was the last time."""
        pin = bytes.fromhex(peer.pin) if peer.pin else None
        return cls((peer.address,), peer.port, pin, bytes.fromhex(peer.id))


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
        self.transport = Transport(LinkConfig(identity, nick, Wire), certificate, self._hear)
        self.session: TableSession | None = None
        self.events: asyncio.Queue[TableEvent] = asyncio.Queue()
        self.keeper = Keeper(save, vault)
        self.results = Results(identity)
        self._outbox: Outbox[Page] = Outbox(self.keeper.put, self._report)
        self._workers = ThreadPoolExecutor(WORKERS, "deal")
        self._jobs: set[asyncio.Task[None]] = set()
        self._calls = CallBacks()
        self.is_blocked: Callable[[bytes], bool] = lambda _player: False  # with whom no link is wanted, and whose chat
        self._doorway = Doorway(identity.player_id)
        self.invitations = Invitations(identity.player_id, self._refuses, self._is_near)
        self._watchers: list[Callable[[], None]] = []
        self._listeners: list[Callable[[TableEvent], None]] = []
        self._links: dict[bytes, list[Connection]] = {}
        self._trusted: set[Connection] = set()
        self._early: deque[tuple[bytes, Signed]] = deque(maxlen=EARLY_KEPT)
        self._offers: dict[bytes, Signed] = {}
        self._given: dict[bytes, Address] = {}
        self._dialled: dict[bytes, Address] = {}
        self._noted: dict[bytes, Address] = {}
        self._remembered: dict[bytes, Address] = {}
        self._claims: dict[bytes, Signed] = {}
        self._seat: asyncio.Future[None] | None = None
        self._settle_soon: asyncio.Handle | None = None
        self._left = False
        self._changed = asyncio.Event()
        self._alarm: asyncio.TimerHandle | None = None
        self._tasks: list[asyncio.Task[None]] = []

    # -- life

    async def start(self, port: int | None = 0) -> None:
        """Listen, announce, look round. NetworkError when the port cannot be had; mDNS trouble is in ``discovery``.

        Without a port the first of those that others scan is taken, with 0 any free one.
        """
        await self.discovery.start()
        try:
            await self._listen(port)
        except BaseException:
            await self.discovery.stop()
            raise
        for work in (self._keep_dialling, self._keep_announcing):
            self._tasks.append(asyncio.create_task(work(), name=f"peer{work.__name__}"))
            self._tasks[-1].add_done_callback(_ended)

    async def _listen(self, port: int | None) -> None:
        for number in (*HOME_PORTS, 0) if port is None else (port,):
            try:
                linked = [each.address for each in self.discovery.choice.linked]
                await self.transport.start(linked or ALONE, number)
                return
            except NetworkError as error:
                if port is not None or not number or error.code not in ("port-taken", "port-forbidden"):
                    raise

    async def stop(self) -> None:
        """Leave the network; no task and no socket stays behind."""
        tasks = [*self._tasks, *self._jobs]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._tasks.clear()
        if self._alarm is not None:
            self._alarm.cancel()
        self._workers.shutdown(wait=False, cancel_futures=True)
        await self._calls.stop()
        await self.discovery.stop()
        await self.transport.stop()
        self._outbox.close()

    @property
    def address(self) -> str:
        """Where others can join without any mDNS."""
        host = (*(each.address for each in self.discovery.choice.linked), *ALONE)[0]
        return f"rummy://{host}:{self.transport.port}#{self.transport.fingerprint.hex()}"

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

    # -- tables

    def open_table(self, rules: Ruleset, guest: Guest, settings: Settings) -> TableSession:
        """Open a table; Refusal for a number of seats that the game is not for."""
        return self._open(self._made(rules, guest, settings), settings.password)

    def reopen(self, rules: Ruleset, guest: Guest, settings: Settings) -> TableSession:
        """Open another table in place of this player's own: everybody who sits at it is invited, and needs no password.

        Refusal when it is another's, a match is played, or there can be no such table; then nothing has changed.
        """
        before, invited = self.session, self._others()
        if before is None or before.creator != before.me:
            raise Refusal("not-your-table")
        if before.phase is Phase.PLAYING:
            raise Refusal("match-running")
        session = self._made(rules, guest, settings)
        for player in invited:
            self.send(player, self.invitation(session, admitted=bool(settings.password)))
        self.rise()
        self._open(session, settings.password)
        for player in invited if settings.password else ():
            self.do(lambda table, now, player=player: table.admit(player, now))  # type: ignore[misc]  # bound at once
        return session

    def _made(self, rules: Ruleset, guest: Guest, settings: Settings) -> TableSession:
        dice, now = secrets.token_bytes, self._now()
        return TableSession.create(self.identity, guest, rules, settings, dice, now, self.keeper.recall)

    def _open(self, session: TableSession, password: str) -> TableSession:
        self._doorway.open(session, password)
        self._begin(session)
        return session

    # -- invitations

    def invitation(self, session: TableSession, *, admitted: bool = False) -> Invitation:
        """Return what asks somebody to a table: with the place of its creator, as it is known here; Refusal if not."""
        offer = pack_message(session.offer)
        if session.creator == session.me:
            pin = self.transport.fingerprint
            return Invitation(offer=offer, port=self.transport.port, pin=pin, admitted=admitted)
        place = self.place_of(session.creator)
        if place is None or not isinstance(place.pin, bytes):
            raise Refusal("creator-unknown")
        return Invitation(offer=offer, port=place.port, pin=place.pin, host=place.hosts[0])

    def place_of(self, player: bytes) -> Address | None:
        """Where a player can be dialled: where mDNS shows it, or where it was reached."""
        return (self._dialled | self._given | self._seen()).get(player)

    def send(self, player: bytes, message: Invitation) -> bool:
        """Say something to a linked peer beside the table's own talk; False when there is no link."""
        links = self._links.get(player, ())
        for link in links[:1]:
            link.send(message)
        return bool(links)

    def _refuses(self, player: bytes) -> bool:
        """Whether nothing of this player is wanted: as it is now."""
        return self.is_blocked(player)

    def _is_near(self, host: str) -> bool:
        return bool(reachable([host], self.discovery.choice))

    # -- sitting down

    async def ask(self, address: Address) -> Signed:
        """Call a peer and return what it says of its table; a ProtocolError tells why there is none."""
        connection = await self._reach(address)
        self._given[connection.player_id] = replace(
            address, pin=connection.fingerprint or address.pin, player=connection.player_id
        )
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
                return await self._dial_at(host, address)
        return await self._dial_at(address.hosts[-1], address)

    async def _dial_at(self, host: str, address: Address) -> Connection:
        connection = await self.transport.dial(host, address.port, address.pin, expected=address.player)
        self._dialled[connection.player_id] = replace(address, hosts=(host,), player=connection.player_id)
        return connection

    async def sit_down(
        self, offer: Signed, rules: Ruleset, guest: Guest, password: str = "", *, admitted: bool = False
    ) -> TableSession:
        """Take a seat at a table that was offered; NoSeat, or at a closed one Refusal, tells why there is none.

        ``admitted``: its creator has invited this player, who needs no password.
        """
        if not admitted:
            await self._knock(offer, password)
        dice, now = secrets.token_bytes, self._now()
        session = TableSession.join(self.identity, guest, rules, offer, dice, now, self.keeper.recall)
        return await self._enter(session)

    async def look_on(self, offer: Signed, rules: Ruleset) -> TableSession:
        """Look on at a table that was offered; NoSeat tells why not."""
        session = TableSession.watch(self.identity, self.nick, rules, offer, secrets.token_bytes, self._now())
        return await self._enter(session)

    async def _enter(self, session: TableSession) -> TableSession:
        """Wait until the table has answered."""
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

    def resume(self, saved: Saved, rules: Ruleset, guest: Guest) -> TableSession:
        """Go on with a match that was written down: the others are looked for where they are, or were."""
        dice, now = secrets.token_bytes, self._now()
        session = TableSession.resume(self.identity, guest, rules, saved, dice, now, self.keeper.recall)
        self._remembered = {bytes.fromhex(peer.id): Address.again(peer) for peer in self.keeper.remembered()}
        self._begin(session)
        return session

    @property
    def can_come_back(self) -> bool:
        """Whether the match that is being played is kept for this player when the program ends."""
        session = self.session
        plays = session is not None and session.phase is Phase.PLAYING and bool(session.own_seats)
        return plays and not self._left and self.keeper.journal is not None

    async def _knock(self, offer: Signed, password: str) -> None:
        """At a closed table, show that the password is known; only to the program whose table it is."""
        info = read_table(offer)
        if info is None or not info.closed:
            return
        if not password:
            raise Refusal("password-needed")
        dialled = [each for each in self._links.get(offer.author, ()) if each.fingerprint]
        if not dialled:
            raise Refusal("not-the-door")
        await self._doorway.knock(dialled[0], info.table, password)

    def do(self, action: Callable[[TableSession, float], None]) -> None:
        """Let the player do something at the table: ``peer.do(lambda table, now: table.ready(now))``."""
        if self.session is None:
            raise Refusal("no-match")
        try:
            action(self.session, self._now())
        finally:
            self._pump()

    def leave(self) -> None:
        """Tell the others that this peer leaves, and gives up its seats; once."""
        session = self.session
        if session is not None and not self._left:
            match = session.match if self.can_come_back else None
            self._left = True
            self.do(lambda table, now: table.leave(now))
            self._outbox.flush()
            if match is not None:
                self._report(self.keeper.forget(match.id))
                self.keeper.destroy(match.id)

    def rise(self) -> None:
        """Get up: there is no table any more, and all links are ended. The others have been told, unless this peer can
        come back to the match: then it is out of their reach.
        """
        self._outbox.flush()
        if self.can_come_back and self.session is not None and self.session.match is not None:
            self.keeper.release(self.session.match.id)
        else:
            self.leave()
        self._keep_claim()
        self.session = None
        self._doorway.close()
        for connection in self.transport.connections:
            connection.hang_up()
        for kept in (self._early, self._offers, self._given, self._remembered):
            kept.clear()
        self.events = asyncio.Queue()
        self._pump()

    def _keep_claim(self) -> None:
        """Who claimed a match tells the other one so whenever that one comes back, while this program runs."""
        match = self.session.match if self.session is not None else None
        if isinstance(match, Match) and match.claimed is not None:
            self._claims |= dict.fromkeys(match.peers - {self.identity.player_id}, match.claimed)

    def watching(self) -> int:
        """How many look on at the table."""
        return 0 if self.session is None else self.session.watching(self._now())

    def claim_opens(self) -> float | None:
        """In how many seconds the match could be claimed (see `TableSession.claim_opens`)."""
        return None if self.session is None else self.session.claim_opens(self._now())

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
            self._calls.forget(connection)
            self._on_closed(connection)
        elif isinstance(event.message, Signed):
            self._on_message(connection, event.message)
            self._settle_soon = self._settle_soon or asyncio.get_running_loop().call_soon(self._settle)
            return
        elif isinstance(event.message, KINDS):
            self._doorway.hear(connection, connection.fingerprint or self.transport.fingerprint, event.message)
        elif isinstance(event.message, CallBack):
            self._calls.asked(connection, event.message)
        elif isinstance(event.message, Invitation):
            self.invitations.hear(connection, event.message, self._now())
        self._pump()

    def _settle(self) -> None:
        """What has come together is worked on together."""
        self._settle_soon = None
        if self.session is not None:
            self.session.settle(self._now())
        self._pump()

    def _on_link(self, connection: Connection) -> None:
        """Of several links to a peer the newest is surely alive, and who makes another one has missed something."""
        if self.is_blocked(connection.player_id):
            connection.hang_up("blocked")
            return
        self._links.setdefault(connection.player_id, []).insert(0, connection)
        if self.session is not None:
            self.session.peer_connected(connection.player_id, self._now())
        if (claim := self._claims.get(connection.player_id)) is not None:
            connection.send(claim)

    def _on_closed(self, connection: Connection) -> None:
        self._trusted.discard(connection)
        links = self._links.get(connection.player_id, [])
        if connection not in links:  # one that is blocked
            return
        links.remove(connection)
        if not links:
            del self._links[connection.player_id]
            self._offers.pop(connection.player_id, None)
            if self.session is not None:
                self.session.peer_lost(connection.player_id, self._now())

    def _on_message(self, connection: Connection, message: Signed) -> None:
        match = self.session.match if self.session is not None else None
        self.results.hear(connection, message, match.id if match is not None else b"")
        if self.session is None:
            self._on_early(connection, message)
            return
        try:
            self.session.receive(connection.player_id, message, self._now(), more=True)
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
            page = self.keeper.page(session, self.transport.port)
            outgoing, events = session.outgoing(), session.events()
            self._outbox.put(page, partial(self._send, outgoing))
            ends = any(isinstance(event, HandOver | HandVoid | MatchOver) for event in events)
            self._outbox.put(self.keeper.ledger_page(session) if ends else None, partial(self._tell, session, events))
            for job in session.jobs():
                self._jobs.add(task := asyncio.create_task(self._work(session, job), name="peer-job"))
                task.add_done_callback(self._jobs.discard)
                task.add_done_callback(_ended)
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

    async def _keep_dialling(self) -> None:
        """Make links to the seated peers whose place is known, and listen where they will look for this one."""
        while True:
            self.transport.follow(self.discovery.choice.listening or ALONE)
            await asyncio.gather(*(self._try(address) for address in self._wanted()))
            self._note_places()
            await asyncio.sleep(DIAL_EVERY)

    async def _try(self, address: Address) -> None:
        with suppress(ProtocolError):  # it is tried again, and the others pass messages on meanwhile
            await self._dial(address)

    def _wanted(self) -> list[Address]:
        if self._left or self.session is None or self.session.phase is Phase.CLOSED:
            return []
        me, seen, known = self.identity.player_id, self._seen(), self._remembered | self._given
        missing = self._others() - self._links.keys()
        if self.session.watches:  # one of them is enough, whichever can be reached
            places = known | seen
            return [] if self._others() & self._links.keys() else [places[one] for one in missing & places.keys()]
        found = [seen[player] for player in missing & seen.keys() if player > me or player in known]
        return found + [known[player] for player in (missing - seen.keys()) & known.keys()]

    def _others(self) -> set[bytes]:
        """Who else sits at the table."""
        me = self.identity.player_id
        return set() if self.session is None else {seat.owner for seat in self.session.seats if seat.owner != me}

    def _seen(self) -> dict[bytes, Address]:
        return {bytes.fromhex(sighting.id): Address.of(sighting) for sighting in self.discovery.sightings()}

    def _note_places(self) -> None:
        """Remember where the linked peers of the table can be dialled: after a restart that may be all there is."""
        places = self._seen() | self._dialled
        for player in self._others() & self._links.keys() & places.keys():
            place = places[player]
            if self._noted.get(player) != place:
                self._noted[player] = place
                nick = self._links[player][0].nick
                pin = place.pin if isinstance(place.pin, bytes) else None  # a short one is not all of it
                self.keeper.remember(player, nick, place.hosts[0], place.port, pin)

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
        waiting = TableState.CODE if info.closed else TableState.OPEN
        return TableInfo(
            info.table.hex(),
            info.title,
            session.rules.game,
            info.fingerprint.hex(),
            len(session.seats),
            info.seats,
            TableState.PLAYING if session.phase is Phase.PLAYING else waiting,
            session.rules.house,
        )

    @staticmethod
    def _now() -> float:
        return asyncio.get_running_loop().time()


def _ended(task: asyncio.Task[None]) -> None:
    """What ends a task of the peer before its time is a fault of ours, and must not pass in silence."""
    if not task.cancelled() and (error := task.exception()) is not None:
        _log.error("%s ended: %r", task.get_name(), error, exc_info=error)
