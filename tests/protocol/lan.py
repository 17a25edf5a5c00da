"""A LAN in one process: table sessions, links that keep their own order but not each other's, a clock that jumps.

Everything is decided by one seed. A link is a pair of queues; the next message is taken from any queue that holds one,
now and then it is delivered twice. When nothing is on its way, the clock jumps to the next moment a session asked for.
Bots play at random, but legally, with what their seat sees.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from rummy_p2p.engine import Action, IllegalAction, KnobFailed, View, check, legal_actions
from rummy_p2p.protocol.disk import Saved
from rummy_p2p.protocol.errors import RemoteProtocolError
from rummy_p2p.protocol.events import MatchOver, TableEvent
from rummy_p2p.protocol.fields import GRACE, DealKind, Spectators, Trust, Wish
from rummy_p2p.protocol.forming import Guest
from rummy_p2p.protocol.identity import Identity
from rummy_p2p.protocol.messages import Signed, read_table
from rummy_p2p.protocol.settings import Settings
from rummy_p2p.protocol.table import TableSession
from rummy_p2p.rules.actions import Discard, Draw, Pass
from rummy_p2p.ruleset import Claim, MatchEnd, Melds, Players, Ruleset, StockOut

NAMES = ("Ada", "Bea", "Cem", "Dag", "Eva", "Finn")
E = TypeVar("E", bound=TableEvent)


def rummy(**changes: object) -> Ruleset:
    """A game with everything that matters here: melds, lay-offs, a claim out of turn, a stock that is turned over."""
    rules = Ruleset(
        game="rummy-test",
        players=Players(min=2, max=6),
        hand_size=(10, 7, 7, 6, 6),
        melds=Melds(ace="low", max_jokers=1),
        lay_off="always",
        claim=Claim(kind="rummy-call"),
        stock_out=StockOut(what="turn-over", max_times=2),
        match=MatchEnd(target=60, winner="lowest"),
    )
    return rules.with_(**changes)


@dataclass(eq=False)
class Peer:
    """One program on the LAN."""

    name: str
    identity: Identity
    rules: Ruleset
    guest: Guest
    rng: random.Random
    session: TableSession | None = None
    events: list[TableEvent] = field(default_factory=list)
    disk: Saved | None = None
    waiting: list[tuple[bytes, Signed]] = field(default_factory=list)
    links: set[bytes] = field(default_factory=set)
    think: Callable[[View, random.Random], Action | None] | None = None
    plays: bool = True
    kept: dict[bytes, bytes] = field(default_factory=dict)

    @property
    def id(self) -> bytes:
        return self.identity.player_id

    @property
    def table(self) -> TableSession:
        assert self.session is not None
        return self.session

    def all(self, kind: type[E]) -> list[E]:
        return [event for event in self.events if isinstance(event, kind)]


class Lan:
    """The network, the clock and the programs."""

    def __init__(self, seed: int = 0, *, duplicates: float = 0.05, deal: DealKind = "host") -> None:
        self.deal = deal
        self.trust: Trust = "quorum"
        self.spectators: Spectators = "yes"
        self.grace = GRACE
        self.password = ""
        self.rng = random.Random(seed)
        self.now = 1000.0
        self.peers: dict[bytes, Peer] = {}
        self.queues: dict[tuple[bytes, bytes], deque[Signed]] = {}
        self.duplicates = duplicates
        self.tamper: Callable[[bytes, bytes, Signed], Signed | None] = lambda _from, _to, message: message
        self.delivered = 0
        self.breaches: list[tuple[str, str, str]] = []

    # ------------------------------------------------ setting up

    def peer(
        self,
        name: str,
        rules: Ruleset,
        seed: int = 0,
        *,
        bots: int = 0,
        auto: bool = False,
        wish: Wish = "if-needed",
    ) -> Peer:
        identity = Identity(f"{name} {seed}".encode().ljust(32, b".")[:32])
        guest = Guest(name, bots, auto, wish)
        peer = Peer(name, identity, rules, guest, random.Random(f"{name}{seed}"))
        self.peers[peer.id] = peer
        return peer

    def onlooker(self, name: str, rules: Ruleset, seed: int = 0) -> Peer:
        """Somebody who looks on at the first table that it hears of."""
        peer = self.peer(name, rules, seed)
        peer.guest = Guest(name, watches=True)
        return peer

    def create(self, peer: Peer, *, seats: int | None = None, hands: int = 0) -> None:
        settings = Settings(
            f"{peer.name}'s table",
            seats or peer.rules.players.max,
            hands,
            deal=self.deal,
            trust=self.trust,
            spectators=self.spectators,
            grace=self.grace,
            password=self.password,
        )
        dice = peer.rng.randbytes
        peer.session = TableSession.create(
            peer.identity, peer.guest, peer.rules, settings, dice, self.now, peer.kept.get
        )
        self.pump(peer)

    def link(self, one: Peer, other: Peer) -> None:
        for a, b in ((one, other), (other, one)):
            self.queues[a.id, b.id] = deque()
            a.links.add(b.id)
        for a, b in ((one, other), (other, one)):
            if a.session is not None:
                a.session.peer_connected(b.id, self.now)
                self.pump(a)

    def cut(self, one: Peer, other: Peer) -> None:
        for a, b in ((one, other), (other, one)):
            self.queues.pop((a.id, b.id), None)
            a.links.discard(b.id)
        for a, b in ((one, other), (other, one)):
            if a.session is not None:
                a.session.peer_lost(b.id, self.now)
                self.pump(a)

    def kill(self, peer: Peer) -> None:
        del self.peers[peer.id]
        for other in [self.peers[id_] for id_ in peer.links if id_ in self.peers]:
            self.queues.pop((peer.id, other.id), None)
            self.queues.pop((other.id, peer.id), None)
            other.links.discard(peer.id)
            if other.session is not None:
                other.session.peer_lost(peer.id, self.now)
                self.pump(other)

    def mesh(self, peers: Iterable[Peer]) -> None:
        linked = list(peers)
        for n, one in enumerate(linked):
            for other in linked[n + 1 :]:
                self.link(one, other)

    # ------------------------------------------------ running

    def pump(self, peer: Peer) -> None:
        """What a program does after every input: store, send, tell."""
        self._write(peer)
        self._keep(peer)
        for item in peer.table.outgoing():
            for to in sorted(item.to):
                message = self.tamper(peer.id, to, item.message)
                if message is not None and (peer.id, to) in self.queues:
                    self.queues[peer.id, to].append(message)
        peer.events += peer.table.events()
        for job in peer.table.jobs():
            peer.table.finish(job, job.run(), self.now)
            self.pump(peer)

    def _write(self, peer: Peer) -> None:
        """Write records and votes to the peer's disk."""
        unsaved = peer.table.unsaved()
        if unsaved is not None:
            peer.disk = unsaved.onto(peer.disk)

    def restart(self, peer: Peer) -> None:
        """Start a program that was killed anew, with what is on its disk; it has no links yet."""
        assert peer.disk is not None
        self.peers[peer.id] = peer
        peer.links, peer.events, peer.waiting = set(), [], []
        dice = peer.rng.randbytes
        peer.session = TableSession.resume(
            peer.identity, peer.guest, peer.rules, peer.disk, dice, self.now, peer.kept.get
        )
        self.pump(peer)

    def _keep(self, peer: Peer) -> None:
        """Write secrets to the peer's disk."""
        secrets = peer.table.secrets()
        if secrets is not None:
            match, kept = secrets
            peer.kept[match] = kept
            if not kept:
                del peer.kept[match]

    def deliver(self) -> bool:
        """One message, from any link; False when nothing is on its way."""
        ready = [pair for pair, queue in self.queues.items() if queue]
        if not ready:
            return False
        sender, receiver = self.rng.choice(ready)
        message = self.queues[sender, receiver].popleft()
        for _ in range(2 if self.rng.random() < self.duplicates else 1):
            self.delivered += 1
            self.take_in(self.peers[receiver], sender, message)
        return True

    def take_in(self, peer: Peer, sender: bytes, message: Signed) -> None:
        if peer.session is None:
            peer.waiting.append((sender, message))
            if read_table(message) is None:
                return
            self._sit_down(peer, message)
            return
        try:
            peer.session.receive(sender, message, self.now)
        except RemoteProtocolError as error:
            self.breaches.append((peer.name, self.peers[sender].name, error.code))
            self.cut(peer, self.peers[sender])
        self.pump(peer)

    def _sit_down(self, peer: Peer, info: Signed) -> None:
        dice = peer.rng.randbytes
        if peer.guest.watches:
            peer.session = TableSession.watch(peer.identity, peer.name, peer.rules, info, dice, self.now)
        else:
            peer.session = TableSession.join(peer.identity, peer.guest, peer.rules, info, dice, self.now, peer.kept.get)
        for neighbour in sorted(peer.links):
            peer.session.peer_connected(neighbour, self.now)
        for sender, message in peer.waiting:
            peer.session.receive(sender, message, self.now)
        self.pump(peer)

    def think(self) -> bool:
        """Let one bot make a move; False when none wants to."""
        for peer in self.rng.sample(list(self.peers.values()), len(self.peers)):
            if peer.plays and peer.session is not None and self._think_for(peer):
                return True
        return False

    def _think_for(self, peer: Peer) -> bool:
        for seat in peer.table.seats_to_think():
            action = (peer.think or random_move)(peer.table.view(seat), peer.rng)
            if action is not None:
                peer.table.act(seat, action, self.now)
                self.pump(peer)
                return True
        return False

    def pass_time(self, limit: float = 3600.0) -> None:
        """Jump to the next moment that a session asked for."""
        sessions = [peer.table for peer in self.peers.values() if peer.session is not None]
        self.now = min(max(self.now + 0.01, min(s.wake_at(self.now) for s in sessions)), self.now + limit)
        for peer in list(self.peers.values()):
            if peer.session is not None:
                peer.session.tick(self.now)
                self.pump(peer)

    def settle(self, seconds: float = 0.0) -> None:
        """Deliver all that is on its way, and let some time pass, without anybody making a move."""
        until = self.now + seconds
        while self.deliver() or self.now < until:
            if not any(self.queues.values()) and self.now < until:
                self.pass_time(until - self.now)

    def run(self, until: Callable[[], bool], steps: int = 200_000) -> None:
        """Go on, messages and moves and time as the dice fall, until something is so."""
        for _ in range(steps):
            if until():
                return
            if self.rng.random() < 0.2 and self.think():
                continue
            if not self.deliver() and not self.think():
                self.pass_time()
        raise AssertionError("it never came to that")


def people(count: int, seed: int, rules: Ruleset) -> tuple[Lan, list[Peer]]:
    """As `playing`, but with people, who move only when the test says so."""
    lan = Lan(seed, duplicates=0.0)
    peers = [lan.peer(name, rules) for name in ("Ada", "Bea", "Cem", "Dag")[:count]]
    lan.create(peers[0])
    lan.mesh(peers)
    lan.run(lambda: all(peer.session is not None and len(peer.table.seats) == count for peer in peers))
    for peer in peers:
        peer.table.ready(lan.now)
        lan.pump(peer)
        peer.plays = False
    lan.run(lambda: peers[0].table.ready_to_start)
    peers[0].table.start(lan.now)
    lan.pump(peers[0])
    lan.settle(1)
    return lan, peers


def random_move(view: View, rng: random.Random) -> Action | None:
    """Any legal move; out of turn now and then a call."""
    try:
        moves = list(legal_actions(view))
    except KnobFailed:  # one of the moves makes a rule fail: any that might do
        return next((move for move in (Draw(), Pass(), Discard(view.hand[0])) if might_do(view, move)), None)
    if not view.on_turn:
        moves = [move for move in moves if move.verb == "call" and rng.random() < 0.3]
    laying = [move for move in moves if move.verb in {"meld", "add"}]
    if laying and rng.random() < 0.7:
        return rng.choice(laying)
    return rng.choice(moves) if moves else None


def might_do(view: View, move: Action) -> bool:
    try:
        check(view, move)
    except IllegalAction:
        return False
    except KnobFailed:
        return True
    return True


def seated(
    count: int,
    seed: int = 0,
    rules: Ruleset | None = None,
    *,
    hands: int = 0,
    deal: DealKind = "host",
    spectators: Spectators = "yes",
    grace: int = GRACE,
) -> tuple[Lan, list[Peer]]:
    """A LAN with a full mesh, everybody seated and ready."""
    lan = Lan(seed, deal=deal)
    lan.spectators, lan.grace = spectators, grace
    rules = rules or rummy()
    peers = [lan.peer(name, rules, auto=True) for name in NAMES[:count]]
    lan.create(peers[0], hands=hands)
    lan.mesh(peers)
    lan.run(lambda: all(peer.session is not None and len(peer.table.seats) == count for peer in peers))
    for peer in peers:
        peer.table.ready(lan.now)
        lan.pump(peer)
    lan.run(lambda: peers[0].table.ready_to_start)
    return lan, peers


def playing(
    count: int,
    seed: int = 0,
    rules: Ruleset | None = None,
    *,
    hands: int = 0,
    deal: DealKind = "host",
    spectators: Spectators = "yes",
    grace: int = GRACE,
) -> tuple[Lan, list[Peer]]:
    """... and the match has begun."""
    lan, peers = seated(count, seed, rules, hands=hands, deal=deal, spectators=spectators, grace=grace)
    peers[0].table.start(lan.now)
    lan.pump(peers[0])
    return lan, peers


def play_out(lan: Lan, peers: Sequence[Peer]) -> None:
    """Go on until the match is over for all."""
    lan.run(lambda: all(peer.all(MatchOver) for peer in peers))
    lan.settle()
