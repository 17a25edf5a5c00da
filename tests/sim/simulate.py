"""Simulate a scenario, and make the history of one that fails as short as it gets."""

from __future__ import annotations

import traceback
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace

from tests.sim import troubles
from tests.sim.laws import Broken
from tests.sim.plan import Scenario
from tests.sim.sharing import shared_work
from tests.sim.world import World

RANKS = 5
Planted = Callable[[], AbstractContextManager[object]]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a scenario: ``law`` is empty when all held."""

    scenario: Scenario
    law: str
    detail: str
    seconds: float
    records: int
    terms: int
    injected: Counter[str]
    history: tuple[str, ...]


def simulate(scenario: Scenario, planted: Planted = nullcontext) -> Outcome:
    """Play a scenario; with a mutant planted, if there is one."""
    with planted(), shared_work(scenario.seed, RANKS) as folds:
        world = World(scenario, folds)
        law = detail = ""
        try:
            world.play(troubles.follow)
        except Broken as broken:
            law, detail = broken.law, str(broken)
        except Exception as error:  # noqa: BLE001 - whatever a program dies of is what is looked for
            law, detail = f"no program dies: {type(error).__name__}", traceback.format_exc(limit=-6)
        return Outcome(
            scenario,
            law,
            detail,
            world.time,
            max(world.laws.committed, default=0),
            world.laws.terms,
            world.injected,
            tuple(world.history),
        )


def shortest(outcome: Outcome, planted: Planted = nullcontext) -> Outcome:
    """Leave troubles out, one after the other, as long as a law is still broken."""
    at = 0
    while at < len(outcome.scenario.troubles):
        left = outcome.scenario.troubles
        tried = simulate(replace(outcome.scenario, troubles=left[:at] + left[at + 1 :]), planted)
        if tried.law:
            outcome = tried
        else:
            at += 1
    return outcome


def story(outcome: Outcome) -> str:
    """A failure as a few lines."""
    lines = [outcome.scenario.name, f"broken: {outcome.detail}", "what went wrong:"]
    lines += [f"  {trouble}" for trouble in outcome.scenario.troubles]
    return "\n".join([*lines, "what happened:", *(f"  {line}" for line in outcome.history)])
