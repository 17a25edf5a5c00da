"""The sets of one rank: which of the copies held may go into sets, with how many jokers, and what that weighs.

A rank is an int with two bits for each suit: how many copies of the card are held. Its options are every way to take
some of them away so that what is taken is sets (or laid off on sets of the table). Of all ways to take the same cards
only the heaviest is kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple

from rummy_p2p.arrange.aims import Aim
from rummy_p2p.arrange.tables import Table
from rummy_p2p.cards import SUITS
from rummy_p2p.melds import HIGH_ACE
from rummy_p2p.ruleset import Melds

NEW: Final = -1
_MANY: Final = 1 << 14
_SUITS: Final = range(len(SUITS))


class SetHost(NamedTuple):
    """A set on the table: the suits that may still be added, how many cards, how many of them jokers."""

    rank: int
    suits: tuple[int, ...]
    room: int
    jokers: int


class SetPart(NamedTuple):
    """A set of the answer, or what is laid off on a host: naturals by suit, and jokers."""

    host: int
    rank: int
    naturals: tuple[int, ...]
    jokers: int

    def suits(self) -> list[int]:
        """Return the suit of each natural, in order."""
        return [suit for suit, count in enumerate(self.naturals) for _ in range(count)]


class Option(NamedTuple):
    """A choice at a rank: what it takes of each suit (as a suit's int) and of the jokers, its tally, weight, sets."""

    spades: int
    hearts: int
    diamonds: int
    clubs: int
    jokers: int
    tally: int
    weight: int
    parts: tuple[SetPart, ...]


# What is taken of each suit, the jokers, the tally -> the weight and the sets.
_Ways = dict[tuple[tuple[int, ...], int, int], tuple[int, tuple[SetPart, ...]]]


class SetTable:
    """The sets of each rank.

    ``options[rank, held, serving]``: every way to make sets of what is held of a rank, that of making none included;
    of those that take the same of the suits that might serve elsewhere (bits) only the heaviest.
    ``weights[rank, held]``: what the heaviest sets weigh with at most 0, 1, 2 ... jokers.
    ``best[rank, held, jokers]``: the heaviest sets with at most so many jokers.
    ``unheld``: the ranks on which jokers might be laid off though none of them is held, as ``held_ranks`` gives ranks.
    ``choice``: what is held of a rank -> the same if sets could be made of it, else 0.
    """

    def __init__(self, knobs: Melds, aim: Aim, jokers: int, hosts: tuple[SetHost, ...] = ()) -> None:
        self._knobs = knobs
        self._aim = aim
        self._jokers = jokers
        self._hosts = hosts
        self._most_jokers = HIGH_ACE if knobs.max_jokers is None else knobs.max_jokers
        self._lone_size = self._smallest_lone_set()
        self.options: Table[tuple[int, int, int], tuple[Option, ...]] = Table(self._options, _MANY)
        self.weights: Table[tuple[int, int], tuple[int, ...]] = Table(self._weights, _MANY)
        self.best: Table[tuple[int, int, int], tuple[SetPart, ...]] = Table(self._heaviest, _MANY)
        self.unheld = tuple((host_rank, 0, 0) for host_rank in sorted({host.rank for host in hosts})) if jokers else ()
        self.choice = bytes(range(256)) if hosts else bytes(self._choice(held) for held in range(256))

    def _smallest_lone_set(self) -> int:
        """Return the size from which a set of jokers and a single natural may be better than a run of these cards."""
        knobs, aim = self._knobs, self._aim
        longest = min(knobs.run_max, HIGH_ACE - (knobs.ace != "either"))
        if aim.need.kind != "none" or knobs.run_min > knobs.set_min or knobs.set_max > longest or not aim.is_even():
            return knobs.set_min
        # A run has two open places at most, a set that may grow has more.
        return knobs.set_max if aim.open_place else knobs.set_max + 1

    def _choice(self, held: int) -> int:
        """Return what is held of a rank if sets could be made of it, else 0."""
        counts = [held >> 2 * suit & 3 for suit in _SUITS]
        naturals = sum(map(bool, counts)) if self._knobs.distinct_suits else sum(counts)
        jokers = min(self._jokers, self._most_jokers)
        return held if naturals >= max(1, self._knobs.min_naturals) and naturals + jokers >= self._knobs.set_min else 0

    def _heaviest(self, key: tuple[int, int, int]) -> tuple[SetPart, ...]:
        rank, held, jokers = key
        within = [option for option in self.options[rank, held, 0] if option.jokers <= jokers]
        return max(within, key=lambda option: option.weight).parts

    def _weights(self, key: tuple[int, int]) -> tuple[int, ...]:
        best = [0] * (self._jokers + 1)
        for option in self.options[(*key, 0)]:
            for budget in range(option.jokers, self._jokers + 1):
                best[budget] = max(best[budget], option.weight)
        return tuple(best)

    def _options(self, key: tuple[int, int, int]) -> tuple[Option, ...]:
        rank, held, serving = key
        return tuple(self._find(rank, held, serving))

    def _find(self, rank: int, held: int, serving: int) -> Iterator[Option]:
        """Yield the options, those with few jokers first; no option that one before it is as good as."""
        counts = tuple(held >> 2 * suit & 3 for suit in _SUITS)
        shift = 2 * (rank - 1)
        heaviest: dict[tuple[tuple[int, ...], int], int] = {}
        ways = sorted(self._combine(rank, counts).items(), key=lambda way: (way[0][1], -way[1][0]))
        for (naturals, jokers, tally), (weight, parts) in ways:
            key = (tuple(count for suit, count in enumerate(naturals) if serving >> suit & 1), tally)
            if weight > heaviest.get(key, weight - 1):
                heaviest[key] = weight
                spades, hearts, diamonds, clubs = (count << shift for count in naturals)
                yield Option(spades, hearts, diamonds, clubs, jokers, tally, weight, parts)

    def _combine(self, rank: int, counts: tuple[int, ...]) -> _Ways:
        """Put sets side by side as long as the copies last, and what may be laid off to them."""
        best: _Ways = {((0,) * 4, 0, 0): (0, ())}
        for part in self._new_sets(rank, counts):
            grown = dict(best)
            while grown := self._with_part(best, grown, part, counts):
                pass
        for index, host in enumerate(self._hosts):
            if host.rank == rank:
                before = dict(best)
                for part in self._lay_offs(index, host, counts):
                    self._with_part(best, before, part, counts)
        return best

    def _with_part(
        self,
        best: _Ways,
        before: _Ways,
        part: SetPart,
        counts: tuple[int, ...],
    ) -> _Ways:
        """Add one more part to what was before; enter in ``best`` and return what is new or heavier."""
        more, raised = self._weight(part), self._tally(part)
        better: _Ways = {}
        for (naturals, jokers, tally), (weight, parts) in before.items():
            taken = tuple(a + b for a, b in zip(naturals, part.naturals, strict=True))
            key = (taken, jokers + part.jokers, self._aim.need.add(tally, raised))
            if key[1] > self._jokers or key[2] < 0 or any(a > b for a, b in zip(taken, counts, strict=True)):
                continue
            if key not in best or best[key][0] < weight + more:
                best[key] = better[key] = (weight + more, (*parts, part))
        return better

    def _new_sets(self, rank: int, counts: tuple[int, ...]) -> Iterator[SetPart]:
        knobs = self._knobs
        most = [min(count, 1) if knobs.distinct_suits else count for count in counts]
        for naturals in product(*(range(count + 1) for count in most)):
            size = sum(naturals)
            if not max(1, knobs.min_naturals) <= size <= knobs.set_max:
                continue
            last = min(self._jokers, self._most_jokers, knobs.set_max - size)
            fewest = self._lone_size if size == 1 else knobs.set_min
            for jokers in range(max(0, fewest - size), last + 1):
                yield SetPart(NEW, rank, naturals, jokers)

    def _lay_offs(self, index: int, host: SetHost, counts: tuple[int, ...]) -> Iterator[SetPart]:
        most = [0] * len(SUITS)
        for suit in host.suits:
            most[suit] = 1 if self._knobs.distinct_suits else counts[suit]
        for naturals in product(*(range(count + 1) for count in most)):
            room = host.room - sum(naturals)
            for jokers in range(min(self._jokers, room, self._most_jokers - host.jokers) + 1):
                if jokers or any(naturals):
                    yield SetPart(index, host.rank, naturals, jokers)

    def _weight(self, part: SetPart) -> int:
        aim, size = self._aim, sum(part.naturals) + part.jokers
        weight = sum(part.naturals) * aim.set_card[part.rank] + part.jokers * aim.set_joker[part.rank]
        if part.host != NEW or size >= self._knobs.set_max:
            return weight
        taken = 0
        if self._knobs.distinct_suits:
            settled = part.jokers == 1 and size == len(SUITS)
            taken = len(SUITS) if settled else sum(part.naturals)
        return weight + (len(SUITS) - taken) * aim.open_place

    def _tally(self, part: SetPart) -> int:
        if part.host != NEW:
            return 0
        size = sum(part.naturals) + part.jokers
        return size * self._aim.need.of_card(HIGH_ACE if part.rank == 1 else part.rank) + self._aim.need.of_set()


@lru_cache(maxsize=256)
def set_table(knobs: Melds, aim: Aim, jokers: int) -> SetTable:
    """Return the table without a set on the table of the game; the same one for the same knobs."""
    return SetTable(knobs, aim, jokers)
