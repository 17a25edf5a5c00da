"""What a search is after: what a card is worth in a meld, and what the melds together must amount to.

An *aim* gives every card in a meld a weight; the search finds the heaviest arrangement. Several wishes are put into one
number, the first into the highest bits, so that the second decides only where the first is equal.

A *need* is a condition on all new melds together (points of an opening, a contract). It is counted in a *tally*: an int
that every meld raises, capped at what is asked, so that there are few different ones.
"""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from rummy_p2p.melds import HIGH_ACE
from rummy_p2p.ruleset import HandValues, MeldValues

# Least deadwood, in the order of the wishes: points out of the hand, cards out of the hand, few places where others
# may lay off, few runs. A hand has fewer than 128 cards and its melds fewer than 64 open places.
_RUN: Final = 1
_PLACE: Final = 1 << 6
_CARD: Final = 1 << 13
_POINT: Final = 1 << 20
_POINT_AT: Final = 20
# One more wish above the others.
_FIRST: Final = 1 << 34
_FIRST_AT: Final = 34

_RUNS: Final = 16
_PARTS: Final = 256
_FIELD: Final = 15


class Need(msgspec.Struct, frozen=True):
    """A condition on the new melds: at least ``amount`` points or melds, or a contract of ``sets`` and ``runs``.

    ``exact``: no meld beside the contract. ``part``: how many cards of a long run make one of its runs.
    """

    kind: Literal["none", "points", "melds", "contract"] = "none"
    amount: int = 0
    sets: int = 0
    runs: int = 0
    part: int = 1
    exact: bool = True
    values: tuple[int, ...] = (0,) * (HIGH_ACE + 1)

    def of_card(self, ordinal: int) -> int:
        """Return what a card at an ordinal (an ace in a set is high) raises the tally by."""
        return self.values[ordinal]

    def of_set(self) -> int:
        """Return what a set raises the tally by, its cards apart."""
        return 0 if self.kind in ("none", "points") else 1

    def of_run(self, size: int) -> int:
        """Return what a run raises the tally by, its cards apart; a long run has several parts of a contract."""
        if self.kind == "contract":
            return _RUNS + _PARTS * (size // self.part)
        return 1 if self.kind == "melds" else 0

    def add(self, tally: int, more: int) -> int:
        """Return the tally raised; -1 when there is more than the contract takes."""
        if self.kind != "contract":
            return min(tally + more, self.amount)
        sets = (tally & _FIELD) + (more & _FIELD)
        runs = (tally // _RUNS & _FIELD) + (more // _RUNS & _FIELD)
        if self.exact and (sets > self.sets or runs > self.runs):
            return -1
        sets, runs = min(sets, self.sets), min(runs, self.runs)
        parts = min(self.runs, tally // _PARTS + more // _PARTS)
        return sets + _RUNS * runs + _PARTS * parts

    def sets_in(self, tally: int) -> int:
        """Return how many sets the tally of a contract counts."""
        return tally & _FIELD

    def met(self, tally: int) -> bool:
        """Whether the tally is what is asked for."""
        if self.kind == "contract":
            return tally & _FIELD == self.sets and tally // _PARTS == self.runs
        return tally >= self.amount


NO_NEED: Final = Need()


class Aim(msgspec.Struct, frozen=True):
    """Weights: of a card by rank in a set, by ordinal in a run, of a joker there; of an open place; of a run as such.

    ``first``: the bits above it are the first wish (0: there is only one).
    """

    set_card: tuple[int, ...]
    set_joker: tuple[int, ...]
    run_card: tuple[int, ...]
    run_joker: tuple[int, ...]
    open_place: int = 0
    run: int = 0
    need: Need = NO_NEED
    first: int = 0

    def is_even(self) -> bool:
        """Whether a card weighs the same in a set and in a run, and a joker wherever it lies."""
        jokers = {*self.set_joker, *self.run_joker}
        return self.set_card == self.run_card and len(jokers) == 1

    def first_wish(self) -> Aim:
        """Return the aim that has the first wish and no other."""
        first = self.first
        return Aim(
            tuple(weight >> first for weight in self.set_card),
            tuple(weight >> first for weight in self.set_joker),
            tuple(weight >> first for weight in self.run_card),
            tuple(weight >> first for weight in self.run_joker),
        )


def hand_points(values: HandValues) -> tuple[int, ...]:
    """Return what a card in hand counts, by ordinal 0 (joker) to 14 (ace again)."""
    return (values.joker, values.ace, *range(2, 11), values.face, values.face, values.face, values.ace)


def table_points(values: MeldValues) -> tuple[int, ...]:
    """Return what a card in a meld counts, by ordinal; an ace in a set counts as at 14."""
    return (0, values.ace_low, *range(2, 11), values.face, values.face, values.face, values.ace_high)


def value_aim(values: HandValues) -> Aim:
    """Return the aim that weighs points in hand and nothing else."""
    points = hand_points(values)
    joker = (points[0],) * len(points)
    return Aim(points, joker, points, joker)


def least_aim(values: HandValues, need: Need = NO_NEED) -> Aim:
    """Return the aim of ``least_deadwood``, with all its ties."""
    return _in_order(tuple(point * _POINT + _CARD for point in hand_points(values)), need, _POINT_AT)


def cover_aim(need: Need = NO_NEED) -> Aim:
    """Return the aim that puts as many cards as possible on the table, whatever they count."""
    return _in_order((_FIRST + _CARD,) * (HIGH_ACE + 1), need, _FIRST_AT)


def points_aim(in_hand: HandValues, in_play: MeldValues) -> Aim:
    """Return the aim of ``most_points``: points on the table; among equal ones the least deadwood."""
    hand, laid = least_aim(in_hand), table_points(in_play)
    in_set = (*laid[:1], laid[HIGH_ACE], *laid[2:])
    return Aim(
        tuple(weight + point * _FIRST for weight, point in zip(hand.set_card, in_set, strict=True)),
        tuple(weight + point * _FIRST for weight, point in zip(hand.set_joker, in_set, strict=True)),
        tuple(weight + point * _FIRST for weight, point in zip(hand.run_card, laid, strict=True)),
        tuple(weight + point * _FIRST for weight, point in zip(hand.run_joker, laid, strict=True)),
        hand.open_place,
        hand.run,
        first=_FIRST_AT,
    )


def _in_order(card: tuple[int, ...], need: Need, first: int) -> Aim:
    joker = (card[0],) * len(card)
    return Aim(card, joker, card, joker, -_PLACE, -_RUN, need, first)


def points_need(amount: int, values: MeldValues) -> Need:
    """Return the need of an opening of so many points."""
    return Need("points", amount, values=table_points(values))


def contract_need(contract: str, run_min: int, *, exact: bool = True) -> Need:
    """Return the need of a contract: as many sets as it has threes; as many runs as fours, or fewer and longer ones."""
    return Need("contract", sets=contract.count("3"), runs=contract.count("4"), part=run_min, exact=exact)


NO_MELDS: Final = Need("contract")
MELD_NEED: Final = Need("melds", 1)
