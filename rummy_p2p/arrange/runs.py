"""The runs of one suit: a table from what is held of the suit to the heaviest runs that can be made of it.

The law of the file
    A suit is an int with two bits for each rank, the ace lowest: how many copies of the card are held (0 to 3).
    The suit is swept upwards, from one ordinal of which cards are held to the next; an ace is met at 1 and, as far as
    aces were kept for it, again at 14. A *front* is all that matters of what lies behind: how many aces are kept, how
    many jokers are used, the tally, and the runs that are still open, each as far as the rules ask (where it belongs,
    its last ordinal, its size, its naturals, its jokers). Of all ways to the same front only the heaviest is kept.
    Jokers are put down with the naturals beside them: those below a run when it begins, those in a gap when the next
    natural is met, those above it when it is closed. So a front depends on the lower part of the suit alone, and is
    remembered by it.
    A *host* is a run on the table, on which cards may be laid off: it is swept as an open run whose own cards cost
    nothing. Its ``last`` is 0 until something is laid below it, and its highest ordinal once it has been passed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache, partial
from itertools import count
from typing import Final, NamedTuple

from rummy_p2p.arrange.aims import Aim
from rummy_p2p.arrange.tables import Table
from rummy_p2p.cards import JOKER_FACE
from rummy_p2p.melds import HIGH_ACE
from rummy_p2p.ruleset import Melds

OWN: Final = -1
_MANY_WEIGHTS: Final = 1 << 15
_MANY_RUNS: Final = 1 << 12
_MANY_FRONTS: Final = 1 << 12


class Host(NamedTuple):
    """A run on the table: its lowest and highest ordinal, how many jokers lie in it."""

    low: int
    high: int
    jokers: int

    @property
    def size(self) -> int:
        """How many cards lie in it."""
        return self.high - self.low + 1


class Run(NamedTuple):
    """A run of the answer: a new one, or a host and what is laid off on it. ``jokers``: a bit per ordinal of ours."""

    host: int
    low: int
    high: int
    jokers: int

    def face_at(self, suit: int, ordinal: int) -> int:
        """Return the face of our card at an ordinal."""
        return JOKER_FACE if self.jokers >> ordinal & 1 else suit * 13 + (ordinal - 1) % 13


class Behind(NamedTuple):
    """What matters of the lower part of a suit when the rest is decided.

    Parts of the same ``number`` have the same future: what is found above adds the same to either ``weight``.
    ``at_best``: what the runs and the kept aces weigh when all goes well, with at most 0, 1, 2 ... jokers.
    """

    number: int
    weight: int
    at_best: tuple[int, ...]


class _Open(NamedTuple):
    """An open run as far as the future depends on it; sizes and jokers are counted no further than the rules ask."""

    host: int
    last: int
    size: int
    naturals: int
    jokers: int


class _Path(NamedTuple):
    """One way through the ordinals so far. ``free``: copies at the present ordinal not yet used."""

    kept: int
    free: int
    used: int
    tally: int
    weight: int
    closed: tuple[Run, ...]
    opens: tuple[tuple[_Open, Run], ...]


_Front = dict[tuple[int, int, int, tuple[_Open, ...]], _Path]
Exact = dict[tuple[int, int], tuple[int, tuple[Run, ...]]]


class Serving(Table[int, int]):
    """Suit -> those of its cards (a bit at each rank) that might serve in a run: never one too few."""

    def __init__(self, knobs: Melds, jokers: int, *, everything: bool) -> None:
        super().__init__(self._serving, _MANY_WEIGHTS)
        self._jokers = jokers
        self._alone = knobs.min_naturals < 2
        self._everything = everything
        bottom, top = 2 if knobs.ace == "high" else 1, 13 if knobs.ace == "low" else HIGH_ACE
        self._windows = [(1 << knobs.run_min) - 1 << low for low in range(bottom, top + 2 - knobs.run_min)]
        self._size = knobs.run_min

    def _serving(self, suit: int) -> int:
        ranks = {rank for rank in range(1, 14) if suit >> 2 * (rank - 1) & 3}
        if not self._everything:
            ranks = self._near_others(sum(1 << rank for rank in ranks) | (1 in ranks) << HIGH_ACE)
        return sum(1 << 2 * (rank - 1) for rank in ranks)

    def _near_others(self, held: int) -> set[int]:
        """Return the ranks of the naturals, given by ordinal, that are close enough to others to make a run."""
        found = 0
        for window in self._windows:
            near = held & window
            if self._size - near.bit_count() <= self._jokers and (self._alone or self._has_neighbour(near, held)):
                found |= near
        return {(ordinal - 1) % 13 + 1 for ordinal in range(1, HIGH_ACE + 1) if found >> ordinal & 1}

    def _has_neighbour(self, near: int, held: int) -> bool:
        reach = range(1, self._jokers + 2)
        return near & (near - 1) != 0 or any(held & (near << step | near >> step) for step in reach)


class RunTable(Table[int, tuple[int, ...]]):
    """Suit -> the weight of the heaviest runs with at most 0, 1, 2 ... jokers. Looked up with ``table[suit]``.

    ``serving[suit]``: the cards that may serve in a run. ``exact[suit]``: by jokers used and tally, the heaviest runs
    and their weight.
    """

    def __init__(self, knobs: Melds, aim: Aim, jokers: int, hosts: tuple[Host, ...] = ()) -> None:
        super().__init__(self._weights, _MANY_WEIGHTS)
        self._knobs = knobs
        self._aim = aim
        self._need = aim.need
        self._jokers = jokers
        self._hosts = hosts
        self._counts_jokers = knobs.max_jokers is not None
        self._most_jokers = HIGH_ACE if knobs.max_jokers is None else knobs.max_jokers
        self._bottom = 2 if knobs.ace == "high" else 1
        self._top = 13 if knobs.ace == "low" else HIGH_ACE
        self._longest = min(knobs.run_max, self._top - self._bottom + 1)
        # Where it does not matter where a joker lies, those below a run are counted as if they lay above it.
        self._flat = aim.open_place == 0 and aim.need.kind == "none" and aim.is_even()
        self._counts_size = knobs.run_max < HIGH_ACE or aim.need.kind == "contract"
        # ... as long as there is room for them: where there is not, the size tells how many go there.
        self._roomy = self._bottom + jokers if self._flat else 0
        self.serving = Serving(knobs, min(jokers, self._most_jokers), everything=bool(hosts))
        self.exact: Table[int, Exact] = Table(self._runs_by_jokers, _MANY_RUNS)
        self._fronts: Table[int, _Front] = Table(self._front, _MANY_FRONTS)
        self._behind: Table[tuple[int, int], Behind] = Table(self._look_behind, _MANY_RUNS)
        self._classes: Table[object, int] = Table(partial(_next, count()), _MANY_RUNS)

    def _weights(self, suit: int) -> tuple[int, ...]:
        core = suit & 3 * self.serving[suit]
        if core != suit:
            return self[core]
        weights = [0] * (self._jokers + 1)
        for (jokers, _), (weight, _) in self._finish(suit).items():
            for budget in range(jokers, self._jokers + 1):
                weights[budget] = max(weights[budget], weight)
        return tuple(weights)

    def _runs_by_jokers(self, suit: int) -> Exact:
        core = suit & 3 * self.serving[suit]
        return self._finish(suit) if core == suit else self.exact[core]

    def runs(self, suit: int, jokers: int) -> tuple[Run, ...]:
        """Return the heaviest runs with at most so many jokers."""
        within = [found for (used, _), found in self.exact[suit].items() if used <= jokers]
        return max(within, key=lambda found: found[0])[1]

    def behind(self, suit: int, ordinal: int) -> Behind:
        """Return what matters of the suit's part up to an ordinal."""
        return self._behind[suit & (1 << 2 * ordinal) - 1, ordinal]

    def _look_behind(self, key: tuple[int, int]) -> Behind:
        part, ordinal = key
        front = self._fronts[part]
        if not part >> 2 * (ordinal - 1):
            front = self._step(front, 0, ordinal)  # what cannot be carried on is closed
        base = max(path.weight for path in front.values())
        mark = frozenset((key, path.weight - base) for key, path in front.items())
        at_best = [0] * (self._jokers + 1)
        for path in front.values():
            for budget in range(path.used, self._jokers + 1):
                at_best[budget] = max(at_best[budget], path.weight + path.kept * self._aim.run_card[HIGH_ACE])
        return Behind(self._classes[ordinal, mark], base, tuple(at_best))

    def _front(self, part: int) -> _Front:
        if not part:
            idle = tuple((self._untouched(i), Run(i, host.low, host.low - 1, 0)) for i, host in enumerate(self._hosts))
            return {(0, 0, 0, tuple(held for held, _ in idle)): _Path(0, 0, 0, 0, 0, (), idle)}
        place = (part.bit_length() - 1) // 2
        return self._step(self._fronts[part & (1 << 2 * place) - 1], part >> 2 * place, place + 1)

    def _untouched(self, index: int) -> _Open:
        host = self._hosts[index]
        return _Open(index, 0, self._size(host.size, HIGH_ACE), 0, host.jokers if self._counts_jokers else 0)

    def _size(self, size: int, low: int) -> int:
        """Return as much of a run's size as matters."""
        return size if self._counts_size or low < self._roomy else min(size, self._knobs.run_min)

    def _step(self, before: _Front, copies: int, ordinal: int) -> _Front:
        after: _Front = {}
        for path in before.values():
            for kept, free in self._dealt(path, copies, ordinal):
                self._pass(after, path._replace(kept=kept, free=free), ordinal)
        return _worth_while(after) if self._jokers else after

    def _dealt(self, path: _Path, copies: int, ordinal: int) -> Iterable[tuple[int, int]]:
        """Return how many aces are kept for the high end and how many copies are free at this ordinal."""
        if ordinal == 1:
            fewest = copies if self._knobs.ace == "high" else 0
            most = 0 if self._knobs.ace == "low" else copies
            return ((kept, copies - kept) for kept in range(fewest, most + 1))
        return ((0, path.kept),) if ordinal == HIGH_ACE else ((path.kept, copies),)

    def _pass(self, after: _Front, path: _Path, ordinal: int) -> None:
        """Enter every way past the ordinal: open runs are carried on, left waiting or closed, then runs may begin."""
        paths = [path._replace(opens=())]
        for held, run in path.opens:
            paths = [ahead for way in paths for ahead in self._carry(way, held, run, ordinal)]
        while paths:
            for way in paths:
                _keep(after, way)
            paths = [ahead for way in paths if way.free for ahead in self._begin(way, ordinal)]

    def _carry(self, path: _Path, held: _Open, run: Run, ordinal: int) -> Iterator[_Path]:
        if held.host == OWN:
            yield from self._carry_above(path, held, run, ordinal)
            return
        host = self._hosts[held.host]
        if ordinal < host.low:
            yield from self._carry_below(path, held, run, ordinal)
        elif held.last >= host.high:
            yield from self._carry_above(path, held, run, ordinal)
        else:
            for passed in self._pass_host(path, held, run):
                mine, ahead = passed.opens[-1]
                yield from self._carry_above(passed._replace(opens=path.opens), mine, ahead, ordinal)

    def _carry_above(self, path: _Path, held: _Open, run: Run, ordinal: int) -> Iterator[_Path]:
        """Carry on a run at its high end, let it wait for the next natural, or close it."""
        if ordinal <= held.last:  # inside of a host
            yield path._replace(opens=(*path.opens, (held, run)))
            return
        yield from self._close(path, held, run)
        if path.free:
            yield from self._extend(path, held, run, ordinal)
        if ordinal - held.last <= self._jokers - path.used:
            yield path._replace(opens=(*path.opens, (held, run)))

    def _carry_below(self, path: _Path, held: _Open, run: Run, ordinal: int) -> Iterator[_Path]:
        """Carry on what is laid below a host, or begin it, or let it wait."""
        if held.last:
            if path.free:
                yield from self._extend(path, held, run, ordinal)
            if ordinal - held.last <= self._jokers - path.used:
                yield path._replace(opens=(*path.opens, (held, run)))
            return
        yield path._replace(opens=(*path.opens, (held, run)))
        if path.free:
            for jokers in range(min(self._jokers - path.used, ordinal - self._bottom) + 1):
                low = ordinal - jokers
                yield from self._put(path, held, run._replace(low=low, high=low - 1), jokers, natural=True)

    def _pass_host(self, path: _Path, held: _Open, run: Run) -> Iterator[_Path]:
        """Close the gap below a host, or lay jokers alone there; the run then ends where the host does."""
        host = self._hosts[held.host]
        spare = self._jokers - path.used
        if held.last:
            ways = [(run, host.low - 1 - held.last)]
        else:
            low, most = host.low, min(spare, host.low - self._bottom)
            ways = [(run._replace(low=low - jokers, high=low - jokers - 1), jokers) for jokers in range(most + 1)]
        for start, jokers in ways:
            if jokers <= spare:
                for way in self._put(path, held, start, jokers, natural=False):
                    mine, ahead = way.opens[-1]
                    yield way._replace(
                        opens=(*path.opens, (mine._replace(last=host.high), ahead._replace(high=host.high)))
                    )

    def _extend(self, path: _Path, held: _Open, run: Run, ordinal: int) -> Iterator[_Path]:
        """Fill the gap with jokers and put a natural at the ordinal."""
        gap = ordinal - held.last - 1
        if gap <= self._jokers - path.used:
            yield from self._put(path, held, run, gap, natural=True)

    def _begin(self, path: _Path, ordinal: int) -> Iterator[_Path]:
        """Begin a run with a natural, and jokers below it."""
        most = 0 if self._flat else min(self._jokers - path.used, ordinal - self._bottom)
        for jokers in range(most + 1):
            low = ordinal - jokers
            # A front does not know where its runs began: what the open low end weighs is counted here.
            place = self._aim.open_place if low > self._bottom else 0
            way = path._replace(weight=path.weight + place) if place else path
            yield from self._put(way, _Open(OWN, 0, 0, 0, 0), Run(OWN, low, low - 1, 0), jokers, natural=True)

    def _put(self, path: _Path, held: _Open, run: Run, jokers: int, *, natural: bool) -> Iterator[_Path]:
        """Put jokers and then, perhaps, a natural on the run at its high end, if the rules allow so many."""
        size = held.size + jokers + natural
        limit = self._counts_jokers and held.jokers + jokers > self._most_jokers
        if limit or size > self._longest:
            return
        above, high = run.high + 1, run.high + jokers + natural
        weight, marks = path.weight, run.jokers | ((1 << jokers) - 1) << above
        if self._flat:
            weight += jokers * self._aim.run_joker[0]
        else:
            weight += sum(self._aim.run_joker[above : above + jokers])
        if natural:
            weight += self._aim.run_card[high]
        raised = sum(self._need.values[above : high + 1]) if held.host == OWN else 0
        tally = self._need.add(path.tally, raised) if raised else path.tally
        grown = _Open(
            held.host,
            high,
            self._size(size, run.low),
            min(held.naturals + natural, self._knobs.min_naturals),
            held.jokers + jokers if self._counts_jokers else 0,
        )
        opens = (*path.opens, (grown, Run(run.host, run.low, high, marks)))
        yield _Path(path.kept, path.free - natural, path.used + jokers, tally, weight, path.closed, opens)

    def _close(self, path: _Path, held: _Open, run: Run) -> Iterator[_Path]:
        """End a run, with jokers above it or without, wherever it may end."""
        if held.naturals < self._knobs.min_naturals and held.host == OWN:
            return
        fewest = max(0, self._knobs.run_min - held.size) if held.host == OWN else 0
        above = self._longest - held.size if self._flat and held.host == OWN else self._top - held.last
        for jokers in range(fewest, min(self._jokers - path.used, above) + 1):
            for way in self._put(path, held, run, jokers, natural=False):
                ended, done = way.opens[-1]
                if held.host == OWN:
                    yield from self._score(way._replace(opens=path.opens), ended, done)
                else:
                    yield way._replace(closed=(*path.closed, done), opens=path.opens)

    def _score(self, path: _Path, held: _Open, run: Run) -> Iterator[_Path]:
        """Count what a new run weighs as a whole, now that its ends are known."""
        tally = self._need.add(path.tally, self._need.of_run(held.size))
        if tally >= 0:
            low_end, high_end = run.low > self._bottom, run.high < self._top
            places = -low_end if run.high - run.low + 1 == self._knobs.run_max else high_end
            weight = path.weight + self._aim.run + places * self._aim.open_place
            yield path._replace(tally=tally, weight=weight, closed=(*path.closed, run))

    def _finish(self, suit: int) -> Exact:
        best: Exact = {}
        front = self._fronts[suit]
        if self._top == HIGH_ACE and suit & 3:
            front = self._step(front, 0, HIGH_ACE)
        for path in front.values():
            paths = [path._replace(opens=())]
            for held, run in path.opens:
                paths = [ahead for way in paths for ahead in self._end(way, held, run)]
            for way in paths:
                key = (way.used, way.tally)
                if key not in best or best[key][0] < way.weight:
                    best[key] = (way.weight, way.closed)
        return best

    def _end(self, path: _Path, held: _Open, run: Run) -> Iterator[_Path]:
        if held.host == OWN or held.last >= self._hosts[held.host].high:
            yield from self._close(path, held, run)
            return
        for passed in self._pass_host(path, held, run):
            mine, ahead = passed.opens[-1]
            yield from self._close(passed._replace(opens=path.opens), mine, ahead)


def _next(numbers: Iterator[int], _mark: object) -> int:
    return next(numbers)


def _worth_while(front: _Front) -> _Front:
    """Leave out the paths that use more jokers than another to no avail."""
    heaviest: dict[object, int] = {}
    kept: _Front = {}
    for key in sorted(front, key=lambda key: key[1]):
        others, path = (key[0], key[2], key[3]), front[key]
        if path.weight > heaviest.get(others, path.weight - 1):
            heaviest[others] = path.weight
            kept[key] = path
    return kept


def _keep(front: _Front, path: _Path) -> None:
    """Enter the path in the front unless a heavier one leads to the same place."""
    opens = path.opens
    if len(opens) > 1:
        opens = tuple(sorted(opens))
    key = (path.kept, path.used, path.tally, tuple([held for held, _ in opens]))
    other = front.get(key)
    if other is None or other.weight < path.weight:
        front[key] = _Path(path.kept, 0, path.used, path.tally, path.weight, path.closed, opens)


@lru_cache(maxsize=256)
def run_table(knobs: Melds, aim: Aim, jokers: int, hosts: tuple[Host, ...] = ()) -> RunTable:
    """Return the table for these knobs; the same one for the same knobs as long as it is in use."""
    return RunTable(knobs, aim, jokers, hosts)
