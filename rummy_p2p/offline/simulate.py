"""Simulation: bots against bots, deal after deal, and what that says of a game: who is better, how fair, how long.

The law of the file
    A deal has a number, and everything that happens in it follows from the number and the seed. So it does not matter
    who plays which deals: in one process, on all cores or on many machines, the sum is the same.
    Every deal is played once for each way in which the bots can sit round the table (``rotations``), so that neither
    the seat nor the cards favour a bot.
    What a bot is worth in a deal is the mean over those hands; the interval is taken over deals, which are independent
    of each other where hands of one deal are not.
"""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, as_completed
from random import Random
from typing import Final

import msgspec

from rummy_p2p.bots import Strategy
from rummy_p2p.cards import Card
from rummy_p2p.engine import HandState, IllegalAction, KnobFailed, claimants, start_match
from rummy_p2p.offline.game import Game
from rummy_p2p.ruleset import Ruleset

MOST_ACTIONS: Final = 4_000
DEALS_IN_A_BATCH: Final = 4
_CONFIDENT: Final = 1.96  # standard errors on either side of a mean, for 95 %


class Played(msgspec.Struct, frozen=True):
    """One hand: points by seat as the game counts them, which bot sat where, how it went."""

    deal: int
    bots: tuple[int, ...]
    first: int
    points: tuple[int, ...]
    ending: str
    turns: int


class Estimate(msgspec.Struct, frozen=True):
    """A mean, and how far from it the true one may be (95 %)."""

    mean: float
    around: float


class BotResult(msgspec.Struct, frozen=True):
    """How one bot fared: ``gain`` is points a hand better than the mean of the others, whatever the game counts."""

    level: str
    gain: Estimate
    won: Estimate


class SeatResult(msgspec.Struct, frozen=True):
    """How a place at the table fared, counted from who plays first; in a fair game the gain is 0."""

    place: int
    gain: Estimate


class Result(msgspec.Struct, frozen=True):
    """What a simulation came to."""

    game: str
    house: tuple[str, ...]
    hands: int
    bots: tuple[BotResult, ...]
    seats: tuple[SeatResult, ...]
    turns: Estimate
    endings: dict[str, int]


class Plan(msgspec.Struct, frozen=True):
    """What is simulated: so many deals of a game, played by these strategies."""

    rules: Ruleset
    bots: tuple[Strategy, ...]
    seed: int = 0


Batch = Callable[[int, int], list[Played]]
"""Plays the deals from one number up to another; what is sent to another process or machine."""


def play_deals(plan: Plan, first: int, end: int) -> list[Played]:
    """Play some deals, each in every rotation."""
    return [hand for deal in range(first, end) for hand in _rotations(plan, deal)]


def _rotations(plan: Plan, deal: int) -> Iterator[Played]:
    seats = len(plan.bots)
    for shift in range(seats):
        yield play_hand(plan, deal, tuple((seat + shift) % seats for seat in range(seats)))


def play_hand(plan: Plan, deal: int, bots: tuple[int, ...]) -> Played:
    """Play one hand; one that a plugin's rule breaks off, or that never ends, counts nothing."""
    dice = Random(plan.seed * 1_000_003 + deal)
    match = start_match(plan.rules, len(bots), dice.randrange(len(bots)))
    if plan.rules.rounds:
        match = msgspec.structs.replace(match, hand_number=1 + deal % len(plan.rules.rounds))
    game = Game(plan.rules, match, _shuffle(dice))
    game.next_hand()
    first = _hand(game).turn
    try:
        _play_on(game, [plan.bots[bot] for bot in bots], plan.seed * 7_919 + deal * 104_729)
    except KnobFailed:
        game.void()
    hand = _hand(game)
    turns = sum(action.verb in ("discard", "knock") for _, action in game.actions)
    return Played(deal, bots, first, hand.points, hand.ending, turns)


def _shuffle(dice: Random) -> Callable[[Sequence[Card]], Sequence[Card]]:
    return lambda cards: dice.sample(list(cards), len(cards))


def _hand(game: Game) -> HandState:
    return game.view(0).state


def _play_on(game: Game, bots: Sequence[Strategy], seed: int) -> None:
    """Let the bots act until the hand is over; one that goes on for too long is thrown in."""
    while not (hand := _hand(game)).over:
        if len(game.actions) >= MOST_ACTIONS:
            game.void()
            return
        turn = hand.turn
        for seat in (*(caller for caller in claimants(hand) if caller != turn), turn):
            action = bots[seat](game.view(seat), seed + len(game.actions))
            if action is not None:
                game.act(seat, action)
                break
        else:
            raise IllegalAction("not-your-turn", turn=turn)


# --- many hands ------------------------------------------------------------------------------------------------------


def batches(deals: int) -> list[tuple[int, int]]:
    """Split so many deals into what is worth sending elsewhere."""
    return [(first, min(deals, first + DEALS_IN_A_BATCH)) for first in range(0, deals, DEALS_IN_A_BATCH)]


def simulate(
    batch: Batch, deals: int, executor: Executor | None = None, told: Callable[[int], None] = lambda _: None
) -> list[Played]:
    """Play so many deals here, or by an executor; ``told`` is called with how many are done.

    The hands come back in the order of their deals, whoever has played them.
    """
    found: list[Played] = []
    for done in _done(batch, batches(deals), executor):
        found += done
        told(len({hand.deal for hand in found}))
    return sorted(found, key=lambda hand: (hand.deal, hand.bots))


def _done(batch: Batch, parts: Iterable[tuple[int, int]], executor: Executor | None) -> Iterator[list[Played]]:
    if executor is None:
        yield from (batch(*part) for part in parts)
        return
    waiting = [executor.submit(batch, *part) for part in parts]
    try:
        for future in as_completed(waiting):
            yield future.result()
    finally:
        for future in waiting:
            future.cancel()


# --- what it says ----------------------------------------------------------------------------------------------------


def sum_up(rules: Ruleset, levels: Sequence[str], hands: Sequence[Played]) -> Result:
    """Return what the hands say of the bots, of the seats and of the game."""
    sign = -1 if rules.match.winner == "lowest" else 1
    gains = [_gains(hand, sign) for hand in hands]
    seats = range(len(levels))
    return Result(
        game=rules.game,
        house=rules.house,
        hands=len(hands),
        bots=tuple(_bot(bot, levels[bot], hands, gains) for bot in seats),
        seats=tuple(_place(place, hands, gains) for place in seats),
        turns=estimate([hand.turns for hand in hands]),
        endings=dict(sorted(Counter(hand.ending for hand in hands).items())),
    )


def _gains(hand: Played, sign: int) -> list[float]:
    """Return for each seat how many points it is better than the mean of the others."""
    total, others = sum(hand.points), max(1, len(hand.points) - 1)
    return [sign * (points - (total - points) / others) for points in hand.points]


def _bot(bot: int, level: str, hands: Sequence[Played], gains: Sequence[Sequence[float]]) -> BotResult:
    gain: dict[int, list[float]] = {}
    won: dict[int, list[float]] = {}
    for hand, by_seat in zip(hands, gains, strict=True):
        mine, best = by_seat[hand.bots.index(bot)], max(by_seat)
        gain.setdefault(hand.deal, []).append(mine)
        if best > min(by_seat):
            won.setdefault(hand.deal, []).append((mine == best) / by_seat.count(best))
    return BotResult(level, _over_deals(gain), _over_deals(won))


def _place(place: int, hands: Sequence[Played], gains: Sequence[Sequence[float]]) -> SeatResult:
    by_deal: dict[int, list[float]] = {}
    for hand, by_seat in zip(hands, gains, strict=True):
        by_deal.setdefault(hand.deal, []).append(by_seat[(hand.first + place) % len(by_seat)])
    return SeatResult(place, _over_deals(by_deal))


def _over_deals(by_deal: dict[int, list[float]]) -> Estimate:
    return estimate([statistics.fmean(values) for values in by_deal.values()])


def estimate(values: Sequence[float]) -> Estimate:
    """Return the mean of independent values with its interval; of one value nothing is known about that."""
    if not values:
        return Estimate(0.0, 0.0)
    around = _CONFIDENT * statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.inf
    return Estimate(statistics.fmean(values), around)


def share_of(count: int, total: int) -> Estimate:
    """Return the share of independent cases with its interval."""
    share = count / max(1, total)
    return Estimate(share, _CONFIDENT * math.sqrt(share * (1 - share) / max(1, total)))


def difference(one: Estimate, other: Estimate) -> Estimate:
    """Return by how much a second simulation differs from a first one."""
    return Estimate(other.mean - one.mean, math.hypot(one.around, other.around))
