"""Links between simulated machines: each keeps its order, takes its time, and loses what is on its way when it breaks.

A link that is broken is made again after a while, unless something stands between. A direction can stall: what was sent
waits, as the kernel would have it, until it flows again.
"""

from __future__ import annotations

import random
from collections import deque
from dataclasses import dataclass, field

from rummy_p2p.protocol.messages import Draft, Signed, read

Pair = tuple[bytes, bytes]
NEVER = float("-inf")
OLD_KEPT = 100


@dataclass(slots=True)
class Direction:
    """What is on its way from one end of a link to the other."""

    on_its_way: deque[Signed] = field(default_factory=deque)
    last_arrival: float = 0.0
    stalled_until: float = 0.0


@dataclass(slots=True)
class Link:
    """A link between two machines; ``number`` tells the present one from those before it."""

    number: int = 0
    is_up: bool = False
    retry_at: float = 0.0
    blocked_until: float = 0.0


class Network:
    """All links."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self.links: dict[frozenset[bytes], Link] = {}
        self.directions: dict[Pair, Direction] = {}
        self.slow_until: dict[bytes, float] = {}
        self.old: list[Signed] = []

    def add(self, one: bytes, other: bytes) -> None:
        self.links[frozenset((one, other))] = Link()
        self.directions[one, other] = Direction()
        self.directions[other, one] = Direction()

    def link(self, one: bytes, other: bytes) -> Link:
        return self.links[frozenset((one, other))]

    def post(self, time: float, sender: bytes, receiver: bytes, message: Signed, least: float) -> float | None:
        """Send over a link: when it will arrive, not before ``least`` has passed; None when there is no link."""
        if not self.link(sender, receiver).is_up:
            return None
        direction = self.directions[sender, receiver]
        direction.on_its_way.append(message)
        arrival = time + least + self._delay(time, sender, receiver)
        direction.last_arrival = max(direction.last_arrival, arrival)
        if self._rng.random() < (0.3 if isinstance(read(message), Draft) else 0.01):
            self.old = [*self.old[-OLD_KEPT:], message]
        return direction.last_arrival

    def _delay(self, time: float, sender: bytes, receiver: bytes) -> float:
        slow = max(self.slow_until.get(sender, NEVER), self.slow_until.get(receiver, NEVER)) > time
        return self._rng.uniform(0.1, 1.5) if slow else self._rng.expovariate(1 / 0.004) + 0.0005

    def cut(self, one: bytes, other: bytes, retry_at: float) -> int:
        """Break a link; the number of the one that is gone."""
        link = self.link(one, other)
        for pair in ((one, other), (other, one)):
            stalled = self.directions[pair].stalled_until
            self.directions[pair] = Direction(stalled_until=stalled)
        link.is_up, link.retry_at = False, retry_at
        return link.number

    def make(self, one: bytes, other: bytes) -> int:
        """Make a link."""
        link = self.link(one, other)
        link.number += 1
        link.is_up = True
        return link.number

    def heal(self) -> None:
        """Nothing stands between any more, and nothing stalls."""
        self.slow_until.clear()
        for link in self.links.values():
            link.blocked_until = 0.0
        for direction in self.directions.values():
            direction.stalled_until = 0.0
