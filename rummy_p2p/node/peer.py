"""One running program on the LAN: its links, what it sees by mDNS, and the table at which it sits.

Laws of this file
* What the table session says is carried away by `carrying`; here is what comes to it, and what its player wants.
* Messages that come in one moment are taken in together: each by itself would be written to the disk, and acknowledged.
* One table at a time, from `open_table`, `sit_down` or `resume` to `rise`. Messages that come before that wait for it.
* Who rises in mid-match without having left keeps the seats: the match is on the disk, and `resume` goes on with it.
* Seated peers that are not linked are dialled (`places`); who cannot be is reached through others.
* A breach of the protocol closes the link it came over, and nothing else.
* Who looks on hangs on one of the seated peers, and looks for another when that one is gone; nobody dials it.
"""

import asyncio
import logging
import secrets
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress

from rummy_p2p.cards import pack
from rummy_p2p.deal.blind_deck import warm_up
from rummy_p2p.node.announcement import TableInfo
from rummy_p2p.node.announcing import Announcing, own_table
from rummy_p2p.node.callback import CallBacks
from rummy_p2p.node.carrying import Carrier, tell_end
from rummy_p2p.node.discovery import Discovery, reachable
from rummy_p2p.node.doorway import KINDS, Doorway
from rummy_p2p.node.invitations import Invitations
from rummy_p2p.node.keeping import Keeper, SaveLedger, Vault
from rummy_p2p.node.places import Address, Places
from rummy_p2p.node.results import Results
from rummy_p2p.node.transport import Connection, Transport
from rummy_p2p.protocol.callback import CallBack, Wire
from rummy_p2p.protocol.codec import pack as pack_message
from rummy_p2p.protocol.disk import Saved
from rummy_p2p.protocol.errors import NetworkError, RemoteProtocolError
from rummy_p2p.protocol.faults import Refusal
from rummy_p2p.protocol.forming import Guest, Phase
from rummy_p2p.protocol.identity import Identity
from rummy_p2p.protocol.invitation import Invitation, InvitationDeclined
from rummy_p2p.protocol.joincode import HOME_PORTS
from rummy_p2p.protocol.link import Authenticated, Closed, LinkConfig, LinkEvent
from rummy_p2p.protocol.match import Match
from rummy_p2p.protocol.messages import Signed, read_table
from rummy_p2p.protocol.settings import Settings
from rummy_p2p.protocol.table import TableSession
from rummy_p2p.ruleset import Ruleset

_log = logging.getLogger(__name__)

DIAL_EVERY = 1.0
ANSWER_WITHIN = 5.0
SEAT_WITHIN = 10.0
EARLY_KEPT = 256
ALONE = ("127.0.0.1",)  # where to listen while there is no network


class Peer(Carrier):
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
        self.discovery = Discovery(interfaces)
        transport = Transport(LinkConfig(identity, nick, Wire), certificate, self._hear)
        places = Places(identity.player_id, self.discovery, transport, keeper := Keeper(save, vault))
        super().__init__(transport, keeper, places)
        self.identity = identity
        self.nick = nick
        self.results = Results(identity)
        self.is_blocked: Callable[[bytes], bool] = lambda _player: False  # with whom no link is wanted, and whose chat
        self.invitations = Invitations(identity.player_id, self._refuses, self._is_near)
        self._calls = CallBacks()
        self._doorway = Doorway(identity.player_id)
        self._early: deque[tuple[bytes, Signed]] = deque(maxlen=EARLY_KEPT)
        self._offers: dict[bytes, Signed] = {}
        self._announcing = Announcing(identity, nick, self.discovery, transport, self._own_table)
        self._claims: dict[bytes, Signed] = {}
        self._settle_soon: asyncio.Handle | None = None
        self._left = False

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
        self.watch(self._announcing.look)
        for name, work in (("dialling", self._keep_dialling()), ("announcing", self._announcing.run())):
            self._tasks.append(asyncio.create_task(work, name=f"peer-{name}"))
            self._tasks[-1].add_done_callback(tell_end)

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
        await self.stop_working()
        await self._calls.stop()
        await self.discovery.stop()
        await self.transport.stop()
        self._outbox.close()

    @property
    def address(self) -> str:
        """Where others can join without any mDNS."""
        host = (*(each.address for each in self.discovery.choice.linked), *ALONE)[0]
        return f"rummy://{host}:{self.transport.port}#{self.transport.fingerprint.hex()}"

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
            self.invitations.asked.note(player, session.info.table)
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
        return self._places.of(player)

    def send(self, player: bytes, message: Invitation | InvitationDeclined) -> bool:
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
        connection = await self._places.reach(address)
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
        self._places.recall()
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
        """Get up: there is no table any more, and all links are ended. The others have been told that this peer has
        left, or that it comes back to the match another time.
        """
        self._outbox.flush()
        if self.can_come_back and self.session is not None and self.session.match is not None:
            self.do(lambda table, now: table.suspend(now))
            self._outbox.flush()
            self.keeper.release(self.session.match.id)
        else:
            self.leave()
        self._keep_claim()
        self.session = None
        self._doorway.close()
        for connection in self.transport.connections:
            connection.hang_up()
        for kept in (self._early, self._offers, self._places):
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

    def _own_table(self) -> TableInfo | None:
        return own_table(self.session)

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
        elif isinstance(event.message, InvitationDeclined):
            self.invitations.hear_no(connection, event.message)
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

    async def _keep_dialling(self) -> None:
        """Make links to the seated peers whose place is known, and listen where they will look for this one."""
        while True:
            self.transport.follow(self.discovery.choice.listening or ALONE)
            await self._places.dial_all(self._wanted())
            self._note_places()
            await asyncio.sleep(DIAL_EVERY)

    def _wanted(self) -> list[Address]:
        """Where to dial whom the table misses."""
        if self._left or self.session is None or self.session.phase is Phase.CLOSED:
            return []
        return self._places.missing(self._others(), self._links.keys(), one_is_enough=self.session.watches)
