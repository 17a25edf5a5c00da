from __future__ import annotations

import math
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial

import pytest

from rummy_p2p.bots import LEVELS
from rummy_p2p.engine import Action, IllegalAction, View
from rummy_p2p.offline import simulate as simulation
from rummy_p2p.offline.simulate import (
    Estimate,
    Plan,
    Played,
    batches,
    difference,
    estimate,
    play_deals,
    play_hand,
    share_of,
    simulate,
    sum_up,
)
from rummy_p2p.ruleset import Ruleset
from rummy_p2p.variants.api import knob_function
from tests.cases.positions import CATALOGUE, KNOCKING, NORWEGIAN

NORMAL, EASY = LEVELS["normal"], LEVELS["easy"]
PLAN = Plan(NORWEGIAN, (NORMAL, EASY), 3)


def played(points: tuple[int, ...], bots: tuple[int, ...] = (0, 1), deal: int = 0, first: int = 0) -> Played:
    return Played(deal, bots, first, points, "out", 10)


def test_a_deal_is_the_same_whenever_it_is_played() -> None:
    assert play_hand(PLAN, 5, (0, 1)) == play_hand(PLAN, 5, (0, 1))
    assert play_hand(PLAN, 5, (0, 1)) != play_hand(Plan(NORWEGIAN, (NORMAL, EASY), 4), 5, (0, 1))


def test_every_deal_is_played_once_from_every_seat() -> None:
    hands = play_deals(Plan(NORWEGIAN, (NORMAL, EASY, EASY)), 2, 4)
    assert [(hand.deal, hand.bots) for hand in hands] == [
        (deal, bots) for deal in (2, 3) for bots in ((0, 1, 2), (1, 2, 0), (2, 0, 1))
    ]


def test_the_rounds_of_a_contract_game_take_turns() -> None:
    plan = Plan(CATALOGUE.compile("contract-no"), (NORMAL, NORMAL))
    assert {hand.ending for hand in play_deals(plan, 0, 2)} <= {"out", "stock"}


@pytest.mark.parametrize("deals", [1, 4, 9])
def test_who_plays_the_deals_makes_no_difference(deals: int) -> None:
    batch = partial(play_deals, PLAN)
    alone = simulate(batch, deals)
    with ThreadPoolExecutor(2) as executor:
        assert simulate(batch, deals, executor) == alone
    assert len(alone) == 2 * deals


def test_it_tells_how_it_gets_on() -> None:
    told: list[int] = []
    simulate(partial(play_deals, PLAN), 6, told=told.append)
    assert told == [4, 6]
    assert batches(6) == [(0, 4), (4, 6)]


def test_when_one_part_fails_the_others_are_called_off() -> None:
    class Stuck(ThreadPoolExecutor):
        """Never begins anything but the first part, which fails."""

        given: list[Future[object]]

        def submit(self, *_arguments: object, **_words: object) -> Future[object]:  # type: ignore[override]  # fewer types
            future: Future[object] = Future()
            self.given = [*getattr(self, "given", []), future]
            if len(self.given) == 1:
                future.set_exception(ValueError("broken"))
            return future

    with Stuck(1) as executor:
        with pytest.raises(ValueError, match="broken"):
            simulate(partial(play_deals, PLAN), 9, executor)
        assert [future.cancelled() for future in executor.given] == [False, True, True]


def test_a_hand_that_never_ends_is_thrown_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation, "MOST_ACTIONS", 5)
    hand = play_hand(PLAN, 0, (0, 1))
    assert (hand.ending, hand.points) == ("void", (0, 0))


def test_a_hand_that_a_rule_breaks_off_counts_nothing() -> None:
    def broken(_cards: object) -> object:
        return "nothing"

    rules = NORWEGIAN.with_function(knob_function("left_points", broken, plugin="bad"))
    assert play_hand(Plan(rules, (NORMAL, NORMAL)), 0, (0, 1)).points == (0, 0)


def test_a_bot_that_does_nothing_on_its_turn_is_a_mistake() -> None:
    def asleep(_view: View, _seed: int) -> Action | None:
        return None

    with pytest.raises(IllegalAction):
        play_hand(Plan(NORWEGIAN, (asleep, asleep)), 0, (0, 1))


def test_what_a_bot_gains_is_counted_for_it_whatever_the_game_counts() -> None:
    hands = [played((0, 20)), played((30, 0), (1, 0))]
    low = sum_up(NORWEGIAN, ("hard", "easy"), hands)
    assert [bot.gain.mean for bot in low.bots] == [25, -25]
    assert [bot.won.mean for bot in low.bots] == [1, 0]
    assert sum_up(KNOCKING.with_(match__winner="highest"), ("hard", "easy"), hands).bots[0].gain.mean == -25


def test_a_hand_that_nobody_wins_is_not_decided() -> None:
    result = sum_up(NORWEGIAN, ("hard", "easy"), [played((5, 5)), played((0, 5), deal=1)])
    assert result.bots[0].won == Estimate(1, math.inf)
    assert sum_up(NORWEGIAN, ("hard", "easy"), [played((5, 5))]).bots[0].won == Estimate(0, 0)


def test_a_hand_won_by_two_is_shared() -> None:
    result = sum_up(NORWEGIAN, ("a", "b", "c"), [played((0, 0, 9), (0, 1, 2))])
    assert [bot.won.mean for bot in result.bots] == [0.5, 0.5, 0]


def test_the_seats_are_counted_from_who_plays_first() -> None:
    result = sum_up(NORWEGIAN, ("a", "b"), [played((0, 8), first=1), played((8, 0), deal=1, first=0)])
    assert [place.gain.mean for place in result.seats] == [-8, 8]


def test_what_is_known_of_the_game() -> None:
    hands = [played((0, 8)), played((8, 0), (1, 0))]
    result = sum_up(CATALOGUE.compile("rummy-no", ["ace=low"]), ("a", "b"), hands)
    assert (result.game, result.house, result.hands) == ("rummy-no", ("ace=low",), 2)
    assert (result.turns, result.endings) == (Estimate(10, 0), {"out": 2})


def test_intervals() -> None:
    assert estimate([]) == Estimate(0, 0)
    assert estimate([4]) == Estimate(4, math.inf)
    found = estimate([1, 2, 3, 4])
    assert found.mean == 2.5
    assert found.around == pytest.approx(1.96 * math.sqrt(5 / 3) / 2)
    assert difference(Estimate(1, 3), Estimate(6, 4)) == Estimate(5, 5)
    assert share_of(0, 0) == Estimate(0, 0)
    assert share_of(25, 100).around == pytest.approx(1.96 * math.sqrt(0.25 * 0.75 / 100))


@pytest.mark.parametrize("name", sorted(CATALOGUE.games.keys() - {"contract-no"}))  # its last rounds are long
def test_normal_is_ahead_of_easy(name: str) -> None:
    rules: Ruleset = CATALOGUE.compile(name)
    hands = simulate(partial(play_deals, Plan(rules, (NORMAL, EASY))), 24)
    assert sum_up(rules, ("normal", "easy"), hands).bots[0].gain.mean > 0


@pytest.mark.nightly
@pytest.mark.parametrize("name", sorted(CATALOGUE.games))
@pytest.mark.parametrize("pair", [("hard", "normal"), ("normal", "easy")], ids="-".join)
def test_a_level_is_ahead_of_the_one_below_beyond_chance(name: str, pair: tuple[str, str]) -> None:
    rules: Ruleset = CATALOGUE.compile(name)
    plan = Plan(rules, tuple(LEVELS[level] for level in pair))
    better = sum_up(rules, pair, simulate(partial(play_deals, plan), 1000)).bots[0].gain
    assert better.mean > better.around
