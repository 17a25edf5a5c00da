"""Simulate a scenario, and make the history of one that fails as short as it gets."""

from __future__ import annotations

import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace

import pytest

from tests.sim import buggify, troubles
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
    with planted(), pytest.MonkeyPatch.context() as patch, shared_work(scenario.seed, RANKS) as folds:
        buggify.turn_on(patch, scenario.hooks)
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
    """Leave things out, one after the other, as long as the same law is broken; until none of them can be left out."""
    while (smaller := _smaller(outcome, planted)) is not None:
        outcome = smaller
    return outcome


def _smaller(outcome: Outcome, planted: Planted) -> Outcome | None:
    tried = (simulate(less, planted) for less in _less(outcome.scenario))
    return next((each for each in tried if each.law == outcome.law), None)


def _less(scenario: Scenario) -> Iterator[Scenario]:
    """The scenario with one thing less that goes wrong."""
    if scenario.torn:
        yield replace(scenario, torn=0.0)
    if scenario.duplicates:
        yield replace(scenario, duplicates=0.0)
    for hook in scenario.hooks:
        yield replace(scenario, hooks=tuple(other for other in scenario.hooks if other != hook))
    for at, _ in enumerate(scenario.troubles):
        yield replace(scenario, troubles=scenario.troubles[:at] + scenario.troubles[at + 1 :])


def story(outcome: Outcome) -> str:
    """A failure as a few lines."""
    scenario = outcome.scenario
    lines = [scenario.name, f"broken: {outcome.detail}", "what went wrong:", f"  {_from_the_start(scenario)}"]
    lines += [f"  {trouble}" for trouble in scenario.troubles]
    return "\n".join([*lines, "what happened:", *(f"  {line}" for line in outcome.history)])


def _from_the_start(scenario: Scenario) -> str:
    """What goes wrong all the time, or before the match has begun."""
    torn = f", torn for {scenario.torn} s at the start" if scenario.torn else ""
    return f"{scenario.duplicates:.0%} duplicates, hooks: {', '.join(scenario.hooks) or 'none'}{torn}"
