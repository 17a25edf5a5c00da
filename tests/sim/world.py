"""A LAN of machines in one process: the time, what happens next, and what goes wrong.

Everything is decided by the scenario. An event is a time and something to do; the next one is always the earliest.
After each the laws are looked at for the machine that it was about. When the last trouble is over all is healed: links,
programs, clocks; from then on the match has to go on, to its end.
"""

from __future__ import annotations

import heapq
import random
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations, count
from typing import Final

from rummy_p2p.engine import IllegalAction
from rummy_p2p.protocol.errors import RemoteProtocolError
from rummy_p2p.protocol.events import Elected, HandVoid, MatchOver, Paused, Resumed, TableEvent
from rummy_p2p.protocol.faults import Refusal
from rummy_p2p.protocol.fields import Wish
from rummy_p2p.protocol.forming import Guest
from rummy_p2p.protocol.hand import Job
from rummy_p2p.protocol.identity import Identity
from rummy_p2p.protocol.match import Match
from rummy_p2p.protocol.messages import Signed
from rummy_p2p.protocol.ordering import ENTROPY_TIMEOUT, TOLERANCE
from rummy_p2p.protocol.settings import Settings
from rummy_p2p.protocol.state import Fold, Stage
from rummy_p2p.protocol.table import TableSession
from rummy_p2p.ruleset import Claim, StockOut
from tests.protocol.lan import NAMES, random_move, rummy
from tests.sim.buggify import LATE, SLOW
from tests.sim.laws import Broken, Laws
from tests.sim.network import Network
from tests.sim.node import Died, Node
from tests.sim.plan import Scenario
from tests.sim.sharing import Folds
from tests.sim.troubles import START

PROGRESS: Final = 10.0
GRACE: Final = 62.0
MAKING: Final = ENTROPY_TIMEOUT + TOLERANCE
LONGEST: Final = 1200.0
TEND_EVERY: Final = 0.25
LEAST_PAUSE: Final = 0.01
HISTORY: Final = 40
HALF: Final = 0.5
WISHES: Final[tuple[Wish, ...]] = ("always", "if-needed", "if-needed", "never")
STOCKS: Final = (
    StockOut(what="turn-over", max_times=1),
    StockOut(what="hand-ends"),
    StockOut(what="reshuffle", max_times=1),
)


@dataclass(order=True)
class Event:
    """Something that will happen."""

    time: float
    number: int
    node: Node | None = field(compare=False)
    run: int = field(compare=False)
    do: Callable[[], None] = field(compare=False)


class World:
    """One simulated match."""

    def __init__(self, scenario: Scenario, folds: Folds) -> None:
        self.scenario = scenario
        self.rng = random.Random(f"world {scenario.seed}")
        self.time = 0.0
        self.network = Network(self.rng)
        self.laws = Laws(folds)
        self.injected: Counter[str] = Counter(scenario.hooks)
        self.history: list[str] = []
        self.healed_at = float("inf")
        self.began = 0.0
        self._events: list[Event] = []
        self._numbers = count()
        self._moved_at = 0.0
        self._committed = 0
        self.nodes = [self._machine(name) for name in NAMES[: scenario.peers]]
        self.by_id = {node.id: node for node in self.nodes}

    def _machine(self, name: str) -> Node:
        rng = random.Random(f"{name} {self.scenario.seed}")
        rules = rummy(
            hand_size=(3,),
            stock_out=random.Random(self.scenario.seed).choice(STOCKS),
            claim=Claim(kind="rummy-call", window_ms=300),
        )
        if self.scenario.packs > 1:
            rules = rules.with_(deck={"packs": 2})
        identity = Identity(f"{name} {self.scenario.seed}".encode().ljust(32, b".")[:32])
        wish = rng.choice(WISHES)
        return Node(name, identity, rules, Guest(name, 0, rng.random() < HALF, wish), rng)

    # ------------------------------------------------ events

    def at(self, time: float, node: Node | None, do: Callable[[], None]) -> None:
        """Let something happen; what is about a program happens only to this run of it."""
        run = node.run if node is not None else 0
        heapq.heappush(self._events, Event(time, next(self._numbers), node, run, do))

    def step(self) -> None:
        """The next event, and what the laws say afterwards."""
        event = heapq.heappop(self._events)
        self.time = max(self.time, event.time)
        node = event.node
        if node is None:
            event.do()
            return
        if event.run != node.run or not node.is_up:
            return
        if node.asleep_until > self.time:
            self.at(node.asleep_until, node, event.do)
            return
        try:
            event.do()
            self.pump(node)
        except Died:
            self.stop(node)

    def pump(self, node: Node) -> None:
        """What a program does after an input, watched."""
        if node.session is None:
            return
        events = node.pump(self._send)
        if node.has_written and node.write_takes:
            node.asleep_until = max(node.asleep_until, self.time + node.write_takes)
        self._note(node, events)
        self.laws.told(node, events, calm=self.time > self.healed_at + PROGRESS)
        self.laws.look(node)
        jobs, node.jobs = node.jobs, []
        for job in jobs:
            takes = SLOW if "slow-jobs" in self.scenario.hooks else 0.2
            self.at(self.time + self.rng.uniform(0.01, takes), node, partial(self._finish, node, job))
        self._watch_progress()
        self._schedule(node)

    def _finish(self, node: Node, job: Job) -> None:
        node.table.finish(job, job.run(), node.clock.read(self.time))

    def _schedule(self, node: Node) -> None:
        now = node.clock.read(self.time)
        due = self.time + max(LEAST_PAUSE, node.clock.time_of(node.table.wake_at(now)) - self.time)
        if "late-wakes" in self.scenario.hooks:
            due += self.rng.uniform(0.0, LATE)
        if due < node.wakes_at - 1e-9 or node.wakes_at <= self.time:
            node.wakes_at = due
            self.at(due, node, lambda: self._wake(node))

    def _wake(self, node: Node) -> None:
        if node.wakes_at <= self.time + 1e-9:
            node.wakes_at = float("inf")
            node.table.tick(node.clock.read(self.time))

    def _note(self, node: Node, events: list[TableEvent]) -> None:
        for event in events:
            if (words := _words(event)) is not None:
                self.tell(f"{node.name}: {words}")
        self.laws.wrote(node)

    def tell(self, text: str) -> None:
        """Remember what happened, for a history."""
        self.history = [*self.history[-HISTORY:], f"{self.time:7.2f} s  {text}"]

    # ------------------------------------------------ links

    def _send(self, node: Node, to: bytes, message: Signed) -> None:
        self.laws.wrote(node)
        self.laws.said(node, message)
        arrival = self.network.post(self.time, node.id, to, message, node.write_takes * node.has_written)
        if arrival is not None:
            number = self.network.link(node.id, to).number
            self.at(arrival, self.by_id[to], lambda: self._arrive(node.id, to, number))

    def _arrive(self, sender: bytes, receiver: bytes, number: int) -> None:
        link, direction = self.network.link(sender, receiver), self.network.directions[sender, receiver]
        if link.number != number or not link.is_up:
            return
        if direction.stalled_until > self.time:
            self.at(direction.stalled_until, self.by_id[receiver], lambda: self._arrive(sender, receiver, number))
            return
        if not direction.on_its_way:
            return
        message = direction.on_its_way.popleft()
        self.hear(self.by_id[receiver], sender, message)
        if self.rng.random() < self.scenario.duplicates:
            self.injected["duplicate"] += 1
            self.hear(self.by_id[receiver], sender, message)

    def hear(self, node: Node, sender: bytes, message: Signed) -> None:
        """A message comes to a program."""
        now = node.clock.read(self.time)
        try:
            node.table.receive(sender, message, now)
        except RemoteProtocolError as error:
            raise Broken("nobody honest is blamed", f"{node.name} hangs up on {self._name(sender)}: {error}") from error

    def _name(self, peer: bytes) -> str:
        return self.by_id[peer].name

    def cut(self, one: Node, other: Node, away: float, notice: tuple[float, float] = (0.0, 0.0)) -> None:
        """Break a link; its two ends notice after a while."""
        if not self.network.link(one.id, other.id).is_up:
            return
        number = self.network.cut(one.id, other.id, self.time + away)
        for node, peer, late in ((one, other, notice[0]), (other, one, notice[1])):
            if node.is_up:
                self.at(self.time + late, node, partial(self._lost, node, peer, number))

    def _lost(self, node: Node, peer: Node, number: int) -> None:
        link = self.network.link(node.id, peer.id)
        if not (link.is_up and link.number > number):
            node.table.peer_lost(peer.id, node.clock.read(self.time))

    def connect(self, one: Node, other: Node) -> None:
        """Make a link; both ends are told."""
        self.network.make(one.id, other.id)
        for node, peer in ((one, other), (other, one)):
            self.at(self.time, node, partial(self._connected, node, peer))

    def _connected(self, node: Node, peer: Node) -> None:
        node.table.peer_connected(peer.id, self._clock(node))

    def _clock(self, node: Node) -> float:
        return node.clock.read(self.time)

    def tend(self) -> None:
        """Programs look for those to whom they have no link."""
        for one, other in combinations(self.nodes, 2):
            link = self.network.link(one.id, other.id)
            awake = one.is_up and other.is_up and max(one.asleep_until, other.asleep_until) <= self.time
            if awake and not link.is_up and max(link.retry_at, link.blocked_until) <= self.time:
                self.connect(one, other)
        self.at(self.time + TEND_EVERY, None, self.tend)

    # ------------------------------------------------ programs

    def stop(self, node: Node) -> None:
        """A program dies; its links close, and the others see that at once."""
        node.stop()
        self.tell(f"{node.name} is dead")
        for other in self.nodes:
            if other is not node:
                self.cut(node, other, 0.2)

    def restart(self, node: Node) -> None:
        """Start a program again."""
        if node.is_up:
            node.doomed = None
            return
        node.resume(self.time)
        self.tell(f"{node.name} is started again")
        self.laws.restarted(node)
        try:
            self.pump(node)
        except Died:
            self.stop(node)

    def think(self, node: Node) -> None:
        """Let a player make a move; again and again."""
        self.at(self.time + self.rng.uniform(0.1, 1.5), None, lambda: self.think(node))
        if node.is_up and node.asleep_until <= self.time and self._move(node):
            try:
                self.pump(node)
            except Died:
                self.stop(node)

    def _move(self, node: Node) -> bool:
        for seat in node.table.seats_to_think():
            action = random_move(node.table.view(seat), node.rng)
            if action is None:
                continue
            with suppress(Refusal, IllegalAction):
                node.table.act(seat, action, node.clock.read(self.time))
                return True
        return False

    # ------------------------------------------------ a whole match

    def begin(self) -> None:
        """Seat everybody and start, with nothing going wrong."""
        first, others = self.nodes[0], self.nodes[1:]
        settings = Settings("The table", len(self.nodes), 1, deal=self.scenario.deal)
        now = self._clock(first)
        first.session = TableSession.create(
            first.identity, first.guest, first.rules, settings, first.rng.randbytes, now, first.disk.secrets.get
        )
        info = first.table.offer
        for node in others:
            node.session = TableSession.join(
                node.identity, node.guest, node.rules, info, node.rng.randbytes, now, node.disk.secrets.get
            )
        for one, other in combinations(self.nodes, 2):
            self.network.add(one.id, other.id)
            self.connect(one, other)
        self.tend()
        self._until(lambda: all(len(node.table.seats) == len(self.nodes) for node in self.nodes))
        for node in self.nodes:
            node.table.ready(self._clock(node))
            self.pump(node)
        self._until(lambda: first.table.ready_to_start)
        for node in others if self.scenario.torn else ():
            self.injected["torn"] += 1
            self.cut(first, node, self.scenario.torn)
        self._until(lambda: not (self.scenario.torn and first.table._gossip.links))
        first.table.start(self._clock(first))
        self.pump(first)
        self._until(lambda: all(node.disk.saved is not None for node in self.nodes))

    def _until(self, so: Callable[[], bool]) -> None:
        while not so():
            if self.time > self.began + PROGRESS:
                raise Broken("progress", "the match does not begin")
            self.step()

    def play(self, plan: START) -> None:
        """A match from beginning to end, with all its troubles."""
        self.begin()
        self.began = self.time
        for node in self.nodes:
            self.think(node)
        plan(self)
        while not self._all_know():
            if self.time > self.began + LONGEST:
                raise Broken("progress", "the match does not end")
            self.step()
        self.laws.ended(self.nodes)

    def _all_know(self) -> bool:
        return self.time >= self.healed_at and len(self.laws.results) == len(self.nodes) and self._all_there()

    def _all_there(self) -> bool:
        most = max(self.laws.committed)
        return all(node.is_up and node.table.ledger and node.table.ledger.committed >= most for node in self.nodes)

    def heal(self) -> None:
        """Everything works again."""
        self.tell("all is healed")
        self.network.heal()
        for node in self.nodes:
            node.asleep_until = node.write_takes = 0.0
            node.doomed = None
            node.clock.change(self.time, rate=1.0)
            if not node.is_up:
                self.restart(node)
        for link in self.network.links.values():
            link.retry_at = 0.0
        self.healed_at = self._moved_at = self.time

    def _watch_progress(self) -> None:
        """Once all is healed something is committed every ten seconds, but for what the table's rules allow."""
        most = max(self.laws.committed, default=0)
        if most > self._committed:
            self._committed, self._moved_at = most, self.time
        patience = PROGRESS + _allowed(self.laws.newest)
        if self.time - max(self.healed_at, self._moved_at) > patience:
            raise Broken("progress", f"nothing for {patience:.0f} s: {self._standing()}")

    def _standing(self) -> str:
        """Where everybody stands, for whoever has to find out why."""
        return "; ".join(f"{node.name} {standing(node)}" for node in self.nodes)


def _words(event: TableEvent) -> str | None:
    """An event of a history; None for what goes without saying."""
    if isinstance(event, Elected):
        return f"{event.name} is host of term {event.term}"
    if isinstance(event, HandVoid):
        return f"hand {event.hand} is void, {event.code}"
    if isinstance(event, MatchOver):
        return f"the match is over, {event.scores} {event.code}"
    if isinstance(event, Paused):
        return f"paused, {event.code}: {', '.join(event.players)}"
    return "goes on" if isinstance(event, Resumed) else None


def _allowed(fold: Fold | None) -> float:
    """What the rules of the table give: an absent seat its grace, a key or a deck that hangs its time."""
    if fold is None:
        return 0.0
    return (GRACE if fold.away else 0.0) + (MAKING if fold.stage in {Stage.KEYING, Stage.DEALING} else 0.0)


def standing(node: Node) -> str:
    match = node.session.match if node.session is not None else None
    if not isinstance(match, Match):
        return "down"
    ledger, fold = match.replica.ledger, match.replica.committed
    host = match.host.hex()[:4] if match.host else "-"
    turn = fold.hand.turn if fold.hand else "-"
    return (
        f"({node.id.hex()[:4]}) {ledger.committed}/{ledger.tail} term {ledger.term} host {host} {fold.stage.value} "
        f"turn {turn} follows {match.succession.follows} paused {match.paused.code if match.paused else '-'}"
    )
