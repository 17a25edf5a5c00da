"""Best first: for hands with so many choices that they cannot all be looked at, far more cards than a game deals.

A state at level n has made the first n choices; its *outlook* is what it could amount to at best. The state with the
best outlook is taken up first, of equal ones the one that has got furthest. Outlooks never promise too little, so the
first state that is finished when its turn comes is the best. States with the same key have the same future: of these
only the first counts. When patience runs out, most states are given up, and the answer is merely a good one.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import reduce
from heapq import heappop, heappush
from itertools import chain, count
from typing import Final, TypeVar

from rummy_p2p.arrange.aims import Aim
from rummy_p2p.arrange.runs import RunTable
from rummy_p2p.arrange.sets import Option

Weights = tuple[int, ...]
S = TypeVar("S")
# (-outlook, -level, number, state, key): the smallest comes first.
_Entry = tuple[int, int, int, S, Hashable]
_WIDTHS: Final = (128, 32, 8, 2, 1, 1)


def explore(
    start: S,
    levels: int,
    choose: Callable[[S, int], Iterable[S]],
    outlook: Callable[[S, int], tuple[int | None, Hashable]],
    worth: Callable[[S], int | None],
    patience: int,
) -> S | None:
    """Return the best finished state, None when none was found.

    ``choose(state, level)``: the states of the next level. ``outlook(state, level)``: what it could amount to (None:
    nothing), and its key (None: it has none). ``worth(state)``: what a state of the last level amounts to, None when
    it is none. ``patience``: how many states are taken up before some are given up.
    """
    heap: list[_Entry[S]] = [(0, 0, 0, start, None)]
    closed: set[Hashable] = set()
    numbers = count(1)
    for width in _WIDTHS:
        for _ in range(patience):
            if not heap:
                return None
            _, level, _, state, key = heappop(heap)
            if -level > levels:
                return state
            if key in closed:
                continue
            if key is not None:
                closed.add(key)
            if -level == levels:
                value = worth(state)
                if value is not None:
                    heappush(heap, (-value, level - 1, next(numbers), state, None))
                continue
            for after in choose(state, -level):
                value, mark = outlook(after, 1 - level)
                if value is not None:
                    heappush(heap, (-value, level - 1, next(numbers), after, mark))
        heap = _thinned(heap, width)
    return next((state for _, level, _, state, _ in heap if -level > levels), None)


def _thinned(heap: list[_Entry[S]], width: int) -> list[_Entry[S]]:
    """Keep so many of each level, those with the best outlook; as they are sorted, they are a heap."""
    kept: dict[int, list[_Entry[S]]] = {}
    for entry in sorted(heap, key=lambda entry: entry[:3]):
        of_level = kept.setdefault(entry[1], [])
        if len(of_level) < width:
            of_level.append(entry)
    return sorted((entry for of_level in kept.values() for entry in of_level), key=lambda entry: entry[:3])


class Outlook:
    """What a choice of sets could amount to by the first wish: as if all the cards that are not decided were laid."""

    def __init__(
        self, aim: Aim, tables: Sequence[RunTable], suits: Sequence[int], jokers: int, ranks: Sequence[int]
    ) -> None:
        self._first = aim.first
        self._tables = tables
        self._ranks = ranks
        wish = aim.first_wish()
        self._later = tuple(max(*wish.set_joker, *wish.run_joker) * budget for budget in range(jokers + 1))
        worth = [
            sum(suit >> 2 * (rank - 1) & 3 for suit in suits) * max(wish.set_card[rank], wish.run_card[rank])
            for rank in range(1, 14)
        ]
        self._rest = [sum(worth[rank:]) for rank in ranks]

    def of(self, weight: int, left: int, suits: Sequence[int], level: int) -> tuple[int, Hashable]:
        """Return the outlook and the key of a choice of sets of the first ``level`` ranks."""
        rank = self._ranks[level - 1]
        behind = [table.behind(suit, rank) for table, suit in zip(self._tables, suits, strict=True)]
        value = (weight >> self._first) + self._rest[level - 1] + sum([part.at_best[0] for part in behind])
        if left:
            value += gain([*(part.at_best for part in behind), self._later], left)
        return value, (level, left, *(part.number for part in behind), *(suit >> 2 * rank for suit in suits))


class ContractOutlook:
    """What a choice of sets could amount to under a contract: no more sets than it has, and any runs."""

    def __init__(self, aim: Aim, tables: Sequence[RunTable], options: Sequence[Sequence[Option]]) -> None:
        self._first = aim.first
        self._tables = tables
        self._need = aim.need
        single = [max((o.weight for o in of_rank if o.tally == aim.need.of_set()), default=0) for of_rank in options]
        count_of = [max(option.tally for option in of_rank) for of_rank in options]
        each = [[weight] * sets for weight, sets in zip(single, count_of, strict=True)]
        self._ahead = [sorted(chain(*each[level:]), reverse=True) for level in range(len(each) + 1)]

    def of(self, weight: int, left: int, tally: int, suits: Sequence[int], level: int) -> int | None:
        """Return the outlook of a choice of sets of the first ``level`` ranks, None when too few sets could be made."""
        missing = self._need.sets - self._need.sets_in(tally)
        ahead = self._ahead[level][:missing]
        if len(ahead) < missing:
            return None
        runs = [table[suit] for table, suit in zip(self._tables, suits, strict=True)] if self._need.runs else []
        in_runs = sum([table[0] for table in runs]) + (gain(runs, left) if left and runs else 0)
        return ((weight + sum(ahead)) >> self._first) + in_runs


def gain(tables: Sequence[Weights], jokers: int) -> int:
    """Return what so many jokers add to the tables, divided between them so that they weigh most."""
    useful = [table for table in tables if table[jokers] > table[0]]
    if len(useful) < 2:
        return useful[0][jokers] - useful[0][0] if useful else 0
    return reduce(pair, useful)[jokers] - sum([table[0] for table in useful])


def pair(one: Weights, other: Weights) -> Weights:
    """Return the best of two tables together, by the jokers that they may use."""
    if other[-1] == other[0]:
        return tuple([weight + other[0] for weight in one])
    return tuple([max([one[k] + other[budget - k] for k in range(budget + 1)]) for budget in range(len(one))])
