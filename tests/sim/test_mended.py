"""Matches in which a law was broken once: the shortest that were found, each with what was wrong (`mended.txt`).

They are kept as they were, for what a seed comes to changes with the simulator.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final

import msgspec
import pytest

from tests.sim.plan import HOST, ON_TURN, Scenario, Trouble
from tests.sim.simulate import shortest, simulate, story

ROLES: Final = {"host": str(HOST), "on-turn": str(ON_TURN)}
MATCH: Final = ("seed", "peers", "deal", "packs", "torn")
TROUBLE: Final = ("at", "kind", "who", "other", "span", "stage", "amount")


def trouble(told: str) -> Trouble:
    """One thing that goes wrong."""
    given = (ROLES.get(word, word) for word in told.split())
    return msgspec.convert(dict(zip(TROUBLE, given, strict=True)), Trouble, strict=False)


def scenario(told: str) -> Scenario:
    """A match, and what goes wrong in it, a line each."""
    head, *troubles = told.splitlines()
    words = head.split()
    given = dict(zip(MATCH, words, strict=False))
    more = {"troubles": [], "duplicates": 0.0, "hooks": words[len(MATCH) :]}
    made = msgspec.convert({**given, **more}, Scenario, strict=False)
    return replace(made, troubles=tuple(map(trouble, troubles)))


def mended() -> dict[str, Scenario]:
    _, *blocks = Path(__file__).with_name("mended.txt").read_text("utf-8").strip().split("\n\n")
    named = (block.split("\n", 1) for block in blocks)
    return {name: scenario(told) for name, told in named}


MENDED: Final = mended()


@pytest.mark.parametrize("scene", MENDED.values(), ids=MENDED)
def test_what_was_mended_stays_mended(scene: Scenario) -> None:
    outcome = simulate(scene)
    assert not outcome.law, story(shortest(outcome))
