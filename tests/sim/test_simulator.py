"""Matches on a LAN where everything goes wrong: no law is broken, and every planted fault is found."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache

import pytest

from rummy_p2p.protocol.identity import Identity
from rummy_p2p.protocol.messages import Say, sign
from tests.sim.buggify import HOOKS
from tests.sim.mutants import ALL, Mutant, caught
from tests.sim.network import Network
from tests.sim.node import BEGINNING, Clock
from tests.sim.plan import LIKELY, draw_plan
from tests.sim.run import Tally, hunt, play
from tests.sim.simulate import Outcome, shortest, simulate, story

BY_NAME = {mutant.name: mutant for mutant in ALL}


@pytest.mark.parametrize("seed", range(12))
def test_no_law_is_broken(seed: int) -> None:
    outcome = simulate(draw_plan(seed))
    assert not outcome.law, story(shortest(outcome))
    assert outcome.records > 0


@pytest.mark.nightly
@pytest.mark.parametrize("first", range(1000, 11_000, 50))
def test_no_law_is_broken_in_ten_thousand_matches(first: int) -> None:
    tally = play(range(first, first + 50), float("inf"), 1)
    assert not tally.broken, "\n\n".join([str(tally), *(story(shortest(outcome)) for outcome in tally.broken[:2])])


@cache
def found(name: str) -> Outcome | None:
    return caught(BY_NAME[name])


@pytest.mark.parametrize("mutant", ALL, ids=lambda mutant: mutant.name.replace(" ", "-"))
def test_a_planted_fault_is_found(mutant: Mutant) -> None:
    outcome = found(mutant.name)
    assert outcome is not None, "or the same match breaks a law without the fault"
    assert outcome.law in mutant.laws


def test_everything_follows_from_the_seed() -> None:
    first, second = (simulate(draw_plan(7)) for _ in range(2))
    assert (first.seconds, first.records, first.terms) == (second.seconds, second.records, second.terms)


def test_a_failure_is_told_with_only_the_troubles_that_it_takes() -> None:
    mutant = BY_NAME["vote not persisted"]
    outcome = found(mutant.name)
    assert outcome is not None
    short = shortest(outcome, mutant.planted())
    assert short.law
    assert len(short.scenario.troubles) <= len(outcome.scenario.troubles)
    for at in range(len(short.scenario.troubles)):
        left = short.scenario.troubles[:at] + short.scenario.troubles[at + 1 :]
        assert simulate(replace(short.scenario, troubles=left), mutant.planted()).law != short.law
    told = story(short)
    assert all(str(trouble) in told for trouble in short.scenario.troubles)
    assert short.detail in told


def test_plans_come_to_every_kind_of_trouble() -> None:
    plans = [draw_plan(seed) for seed in range(200)]
    assert {trouble.kind for plan in plans for trouble in plan.troubles} == set(LIKELY)
    assert {hook for plan in plans for hook in plan.hooks} == set(HOOKS)


def test_a_tally_adds_up() -> None:
    tally = play(range(30, 32), float("inf"), 1)
    assert tally.matches == 2
    assert "0 violations" in str(tally)
    assert play(range(30, 99), 0.0, 1).matches == 1
    assert "0 violations" in str(Tally())
    none = replace(BY_NAME["minority commit"], name="none", plant=lambda _: None, seeds=1)
    told = hunt([BY_NAME["minority commit"], none])
    assert "mutants caught 1 of 2" in told
    assert "none: NOT CAUGHT" in told


def test_a_clock_drifts_and_jumps_but_never_goes_back() -> None:
    clock = Clock()
    assert clock.read(0.0) == BEGINNING
    clock.change(10.0, rate=0.5)
    assert clock.read(20.0) == BEGINNING + 15.0
    clock.change(20.0, jump=60.0)
    assert clock.read(20.0) == BEGINNING + 75.0
    assert clock.time_of(BEGINNING + 76.0) == pytest.approx(22.0)


def test_a_link_keeps_its_order_and_loses_what_is_on_its_way_when_it_breaks() -> None:
    ada, bea = (Identity(name.ljust(32).encode()) for name in ("Ada", "Bea"))
    network = Network(random.Random(1))
    network.add(ada.player_id, bea.player_id)
    said = [sign(ada, Say(table=bytes(32), number=n, text="hello")) for n in range(20)]
    assert network.post(0.0, ada.player_id, bea.player_id, said[0], 0.0) is None
    network.make(ada.player_id, bea.player_id)
    arrivals = [network.post(0.0, ada.player_id, bea.player_id, message, 0.0) for message in said]
    assert arrivals == sorted(arrivals, key=float)  # type: ignore[arg-type]  # there is a link now
    assert list(network.directions[ada.player_id, bea.player_id].on_its_way) == said
    network.cut(ada.player_id, bea.player_id, 1.0)
    assert not network.directions[ada.player_id, bea.player_id].on_its_way
