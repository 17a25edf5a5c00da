"""What goes wrong in a simulated match: a list of troubles, each with its time, so that any of them can be left out.

Who is hit is told by a role, because a plan is made before anybody knows who will be host: the n-th peer, the host of
that moment (`HOST`), or the peer whose seat is on turn (`ON_TURN`).
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from rummy_p2p.protocol.fields import DealKind
from tests.sim.buggify import HOOKS, Hook

HOST: Final = -1
ON_TURN: Final = -2

Kind = Literal[
    "crash",  # a program dies, at any point of what it does after an input; it is started again after the span
    "crash-all",  # the power fails for everybody
    "pause",  # a program stands still (SIGSTOP), what comes waits
    "cut",  # a link breaks, what is on its way is lost
    "half-open",  # the same, but one end notices late
    "split",  # the peers fall into two groups: no bytes between them
    "isolate",  # one peer is cut off
    "one-way",  # bytes of one direction of a link stall
    "deaf",  # a peer is heard, and hears nothing
    "slow-link",  # a peer's links take up to a second and a half
    "slow-disk",  # every write of a peer takes long
    "jump",  # a clock jumps ahead
    "drift",  # a clock runs too fast or too slow
    "replay",  # an old message comes again
]
Stage = Literal["at-once", "unwritten", "half-written", "written", "half-sent"]

STAGES: Final[tuple[Stage, ...]] = ("at-once", "unwritten", "half-written", "written", "half-sent")
LIKELY: Final[Mapping[Kind, int]] = {
    "crash": 8,
    "crash-all": 1,
    "pause": 4,
    "cut": 4,
    "half-open": 2,
    "split": 4,
    "isolate": 4,
    "one-way": 2,
    "deaf": 2,
    "slow-link": 2,
    "slow-disk": 1,
    "jump": 2,
    "drift": 1,
    "replay": 4,
}
LATEST: Final = 15.0
TORN: Final = (0.0, 0.0, 0.0, 0.0, 0.0, 0.3, 1.5)
BUGGY: Final = 0.06  # how likely each hook is to be on
DEALS: Final[tuple[DealKind, ...]] = ("host", "blind")


@dataclass(frozen=True, slots=True)
class Trouble:
    """One thing that goes wrong: from ``at`` (seconds after the start of the match) for ``span`` seconds."""

    at: float
    kind: Kind
    who: int
    other: int
    span: float
    stage: Stage = "at-once"
    amount: float = 0.0

    def __str__(self) -> str:
        roles = {HOST: "host", ON_TURN: "on turn"}
        who = roles.get(self.who, f"peer {self.who}")
        detail = f" {self.stage}" if self.kind.startswith("crash") else f" (other {self.other}, {self.amount:.2f})"
        return f"{self.at:6.2f} s  {self.kind}: {who}{detail}, {self.span:.2f} s"


@dataclass(frozen=True, slots=True)
class Scenario:
    """A match to be simulated: everything follows from it."""

    seed: int
    peers: int
    deal: DealKind
    packs: int
    troubles: tuple[Trouble, ...]
    duplicates: float
    hooks: tuple[Hook, ...] = ()
    torn: float = 0.0  # for so long the one who starts the match is cut off, from just before the start on

    @property
    def name(self) -> str:
        return f"seed {self.seed}: {self.peers} peers, {self.deal} deal, packs: {self.packs}"


def draw_plan(
    seed: int,
    *,
    peers: int = 0,
    deal: DealKind | None = None,
    packs: int = 0,
    kinds: tuple[Kind, ...] = (),
    most: int = 9,
) -> Scenario:
    """A plan out of a seed; what is given is not drawn."""
    rng = random.Random(f"plan {seed}")
    count = peers or rng.choice((2, 3, 3, 3, 4, 4, 5))
    kind: DealKind = rng.choice(DEALS) if deal is None else deal
    troubles = sorted(
        (_trouble(rng, count, kinds or tuple(LIKELY)) for _ in range(rng.randint(1, most))),
        key=lambda trouble: trouble.at,
    )
    packs = packs or (2 if kind == "host" and rng.random() < 0.3 else 1)
    duplicates, torn = rng.choice((0.0, 0.02, 0.1)), rng.choice(TORN)
    hooks = tuple(hook for hook in HOOKS if rng.random() < BUGGY)
    return Scenario(seed, count, kind, packs, tuple(troubles), duplicates, hooks, torn)


def _trouble(rng: random.Random, count: int, kinds: tuple[Kind, ...]) -> Trouble:
    kind = rng.choices(kinds, [LIKELY[kind] for kind in kinds])[0]
    who = rng.choice((HOST, HOST, ON_TURN, *range(count)))
    span = rng.choice((rng.uniform(0.05, 1.0), rng.uniform(1.0, 8.0), rng.uniform(8.0, 40.0)))
    return Trouble(rng.uniform(0.0, LATEST), kind, who, rng.randrange(count), span, rng.choice(STAGES), rng.random())
