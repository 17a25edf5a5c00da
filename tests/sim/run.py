"""Simulate many matches, and all mutants, and say what came of it: `make sim`.

python -m tests.sim.run --seconds 40            all mutants, and as many matches as fit into the time
python -m tests.sim.run --matches 10000         so many matches, and all mutants
python -m tests.sim.run --seed 4711             one match, with the story of what went wrong in it
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import count
from multiprocessing import Pool
from typing import Final

from tests.sim.mutants import ALL, Mutant, caught
from tests.sim.plan import draw_plan
from tests.sim.simulate import Outcome, shortest, simulate, story

TOLD: Final = 3


@dataclass
class Tally:
    """What has come of all matches."""

    matches: int = 0
    seconds: float = 0.0
    records: int = 0
    changes: int = 0
    injected: Counter[str] = field(default_factory=Counter)
    broken: list[Outcome] = field(default_factory=list)

    def add(self, outcome: Outcome) -> None:
        self.matches += 1
        self.seconds += outcome.seconds
        self.records += outcome.records
        self.changes += max(0, outcome.terms - 1)
        self.injected.update(outcome.injected)
        self.broken += [outcome] if outcome.law else []

    def __str__(self) -> str:
        kinds = ", ".join(f"{kind} {number:,}" for kind, number in self.injected.most_common())
        return (
            f"{self.matches:,} matches, {self.seconds / 3600:.1f} virtual hours, {self.records:,} records, "
            f"{self.changes:,} changes of host\n"
            f"{self.injected.total():,} faults injected: {kinds}\n"
            f"{len(self.broken)} violations"
        )


def _play(seed: int) -> Outcome:
    return simulate(draw_plan(seed))


def play(seeds: Iterable[int], seconds: float, workers: int) -> Tally:
    """Simulate matches until the time is up."""
    tally, ends = Tally(), time.monotonic() + seconds
    for outcome in _outcomes(seeds, workers):
        tally.add(outcome)
        if time.monotonic() > ends:
            break
    return tally


def _outcomes(seeds: Iterable[int], workers: int) -> Iterator[Outcome]:
    """In one process, or in several; in any order."""
    if workers <= 1:
        yield from map(_play, seeds)
        return
    with Pool(workers, maxtasksperchild=100) as pool:
        yield from pool.imap_unordered(_play, seeds)


def hunt(mutants: Iterable[Mutant]) -> str:
    """Plant every mutant; how many were caught, and the law that caught each."""
    found = {mutant.name: caught(mutant) for mutant in mutants}
    lines = [f"  {name}: {outcome.law if outcome else 'NOT CAUGHT'}" for name, outcome in found.items()]
    return "\n".join([f"mutants caught {sum(map(bool, found.values()))} of {len(found)}", *lines])


def main() -> int:
    """Do what was asked for; 1 when a law was broken or a mutant not caught."""
    parser = argparse.ArgumentParser(prog="tests.sim.run")
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--matches", type=int)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seed", type=int)
    wanted = parser.parse_args()
    if wanted.seed is not None:
        outcome = _play(wanted.seed)
        print(story(shortest(outcome) if outcome.law else outcome))
        return int(bool(outcome.law))
    mutants = hunt(ALL)
    seeds = count(wanted.first) if wanted.matches is None else range(wanted.first, wanted.first + wanted.matches)
    tally = play(seeds, wanted.seconds, wanted.workers)
    print(f"{tally}, {mutants}")
    for outcome in tally.broken[:TOLD]:
        print(f"\n{story(shortest(outcome))}")
    return int(bool(tally.broken) or "NOT CAUGHT" in mutants)


if __name__ == "__main__":
    sys.exit(main())
