from __future__ import annotations

from rummy_p2p.bots.pace import thinking_time
from rummy_p2p.cards import Card
from rummy_p2p.rules import actions as act

SEEDS = range(100)


def mean(action: act.Action) -> float:
    return sum(thinking_time(action, seed) for seed in SEEDS) / len(SEEDS)


def test_what_a_person_would_doubt_takes_longer() -> None:
    assert mean(act.Show()) == 0
    assert 0 < mean(act.Draw()) < mean(act.Discard(Card(0)))
    assert 0 < mean(act.Done()) < 2


def test_the_same_seed_takes_the_same_time() -> None:
    assert thinking_time(act.Draw(), 3) == thinking_time(act.Draw(), 3) != thinking_time(act.Draw(), 4)
