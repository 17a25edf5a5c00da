"""Hands without jokers beside an empty table, most of all: what ``search`` finds for them, quicker.

Without jokers there is nothing to divide between the suits, so a choice of sets weighs what its sets weigh and, in one
table for all suits, what is left of each suit. A choice that could not be kept within bounds is left to the search.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Final

from rummy_p2p.arrange.hand import SUIT_BITS
from rummy_p2p.arrange.patterns import Pattern, Patterns
from rummy_p2p.arrange.runs import RunTable
from rummy_p2p.arrange.sets import SetTable
from rummy_p2p.arrange.tables import Table

_NO_SETS: Final = bytes(13)
_MANY_WAYS: Final = 128
_MANY: Final = 1 << 14
_MANY_SUITS: Final = 1 << 15

Suits = tuple[int, int, int, int]
Made = tuple[Pattern, ...]
# What is made so far weighs, what is left of each suit, the sets.
Way = tuple[int, int, int, int, int, Made]


class Naturals:
    """The heaviest arrangements by these tables, which are for no joker and no meld on the table."""

    def __init__(self, patterns: Patterns, runs: RunTable, sets: SetTable) -> None:
        self._patterns = patterns
        self._runs = runs
        self._sets = sets
        self._in_suit: Table[int, tuple[int, int]] = Table(self._look_at, _MANY_SUITS)
        self._choices: Table[int, tuple[Way, ...]] = Table(self._choose, _MANY)
        self._alone: Table[int, tuple[int, Made]] = Table(self._set_aside, _MANY)
        made: list[Callable[[int], Made]] = [partial(self._make, suit) for suit in range(4)]
        self._made = tuple(Table(make, _MANY) for make in made)

    def weight(self, suits: Suits, held: bytes) -> int | None:
        """Return the weight of the heaviest arrangement, None when there are too many; ``held``: by rank, for sets."""
        best = self._best(suits, held)
        return None if best is None else best[0]

    def patterns(self, suits: Suits, held: bytes) -> list[Pattern] | None:
        """Return the melds of the heaviest arrangement, None when there are too many."""
        best = self._best(suits, held)
        if best is None:
            return None
        weight, spades, hearts, diamonds, clubs, sets = best
        if not weight:
            return []
        in_spades, in_hearts, in_diamonds, in_clubs = self._made
        return [*sets, *in_spades[spades], *in_hearts[hearts], *in_diamonds[diamonds], *in_clubs[clubs]]

    def _best(self, suits: Suits, held: bytes) -> Way | None:
        """Return the choice of sets that is heaviest with the best runs beside it, and what all that weighs."""
        spades, hearts, diamonds, clubs = suits
        table = self._in_suit
        in_spades, one = table[spades]
        in_hearts, two = table[hearts]
        in_diamonds, three = table[diamonds]
        in_clubs, four = table[clubs]
        if held == _NO_SETS:
            return one + two + three + four, spades, hearts, diamonds, clubs, ()
        serving = in_spades | in_hearts << 1 | (in_diamonds | in_clubs << 1) << SUIT_BITS
        ways: list[Way] = [(0, spades, hearts, diamonds, clubs, ())]
        beside = 0
        alone: Made = ()
        for rank, low, high in _held_places(held):
            serves = serving >> low & 0b11 | serving >> high & 0b1100
            if not serves:
                weight, sets = self._alone[rank]
                beside, alone = beside + weight, alone + sets
                continue
            choices = self._choices[rank << 4 | serves]
            if len(ways) * len(choices) > _MANY_WAYS:
                return None
            ways = [
                (weight + w, left_s - s, left_h - h, left_d - d, left_c - c, taken + sets)
                for w, s, h, d, c, sets in choices
                for weight, left_s, left_h, left_d, left_c, taken in ways
            ]
        if len(ways) == 1:
            return beside + one + two + three + four, spades, hearts, diamonds, clubs, alone
        weights = [w + table[s][1] + table[h][1] + table[d][1] + table[c][1] for w, s, h, d, c, _ in ways]
        most = max(weights)
        _, spades, hearts, diamonds, clubs, sets = ways[weights.index(most)]
        return beside + most, spades, hearts, diamonds, clubs, sets + alone

    def _look_at(self, suit: int) -> tuple[int, int]:
        """Return which cards of a suit might serve in a run, and what its best runs weigh."""
        return self._runs.serving[suit], self._runs[suit][0]

    def _choose(self, key: int) -> tuple[Way, ...]:
        """Return what may be made of a rank; ``key``: the rank, what is held of it, the suits where it might serve."""
        options = self._sets.options[key >> 12, key >> 4 & 0xFF, key & 0xF]
        of_set = self._patterns.of_set
        return tuple((w, s, h, d, c, tuple(of_set[part] for part in parts)) for s, h, d, c, _, _, w, parts in options)

    def _set_aside(self, key: int) -> tuple[int, Made]:
        """Return what the best sets of a rank that serves nowhere weigh, and them; ``key``: the rank, what is held."""
        rank, cards = key >> 8, key & 0xFF
        of_set = self._patterns.of_set
        return self._sets.weights[rank, cards][0], tuple(of_set[part] for part in self._sets.best[rank, cards, 0])

    def _make(self, suit: int, held: int) -> Made:
        """Return the best runs of a suit."""
        return tuple(self._patterns.of_run[suit, run] for run in self._runs.runs(held, 0))


@lru_cache(maxsize=1 << 14)
def _held_places(held: bytes) -> tuple[tuple[int, int, int], ...]:
    """Return each rank of which something is held, what that is below it, and where two pairs of suits have it."""
    places = [(rank << 8 | cards, 2 * (rank - 1)) for rank, cards in enumerate(held, 1) if cards]
    return tuple((rank, at, at + SUIT_BITS - 2) for rank, at in places)
