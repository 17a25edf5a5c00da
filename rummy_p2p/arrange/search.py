"""The search over a whole hand: rank sets are the only tie between suits, so they are chosen first, rank by rank.

For every choice of sets what is left of each suit is looked up in the suit's table. A rank none of whose cards could
serve in a run is no choice: its sets are taken beside whatever else is done. When there are many choices, those that
have the same future are put together and only the heaviest is kept, so that no hand takes long.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial
from typing import Final

import msgspec

from rummy_p2p.arrange.aims import Aim
from rummy_p2p.arrange.explore import ContractOutlook, Outlook, Weights, explore, gain, pair
from rummy_p2p.arrange.hand import RANKS_AT, RANKS_MASK, SUIT_BITS, SUIT_MASK
from rummy_p2p.arrange.hosts import NO_HOSTS, Hosts, LayOff
from rummy_p2p.arrange.naturals import Naturals, Suits
from rummy_p2p.arrange.patterns import Pattern, Patterns
from rummy_p2p.arrange.runs import OWN, Run, RunTable, run_table
from rummy_p2p.arrange.sets import Option, SetPart, SetTable, set_table
from rummy_p2p.arrange.tables import Table
from rummy_p2p.ruleset import Melds

_EVERY_SUIT: Final = 0b1111
_NEVER: Final = -1 << 80
_MANY_STATES: Final = 128
_TOO_MANY_STATES: Final = 1 << 10
_PATIENCE: Final = 600
_PATIENCE_IN_NEED: Final = 150
_MANY: Final = 1 << 14


class Plan(msgspec.Struct, frozen=True):
    """An arrangement before it is known which copies it is made of; lay-offs in an order in which they can be laid."""

    patterns: list[Pattern]
    lay_offs: list[LayOff]


# A choice of sets so far: its weight, the jokers left, the tally, what is left of each suit, the sets rank by rank.
_State = tuple[int, int, int, int, int, int, int, tuple[tuple[SetPart, ...], ...]]
# Jokers left and tally -> the weight so far and the runs suit by suit.
_Ways = dict[tuple[int, int], tuple[int, tuple[tuple[Run, ...], ...]]]
_Tables = tuple[RunTable, RunTable, RunTable, RunTable]


class Search:
    """The heaviest arrangements under an aim, for hands with so many jokers, beside the melds of a table."""

    def __init__(self, patterns: Patterns, aim: Aim, jokers: int, hosts: Hosts = NO_HOSTS) -> None:
        knobs = patterns.knobs
        self._patterns = patterns
        self._aim = aim
        self._first_at = aim.first
        self._need = aim.need
        self._jokers = jokers
        self._hosts = hosts
        self._tabled = bool(hosts)
        self._nothing: Weights = (0,) * (jokers + 1)
        self._runs = _run_tables(knobs, aim, jokers, hosts)
        self._first_runs = _run_tables(knobs, aim.first_wish(), jokers, hosts) if aim.first else self._runs
        self._sets = SetTable(knobs, aim, jokers, hosts.sets) if hosts.sets else set_table(knobs, aim, jokers)
        self._choice = self._sets.choice
        self._naturals = None if jokers or hosts else Naturals(patterns, self._runs[0], self._sets)
        self._of_rank: Table[tuple[int, int, int], list[Pattern]] = Table(self._sets_of, _MANY)
        self._of_suit: list[Table[int, list[Pattern]]] = [
            Table(partial(self._runs_of, suit), _MANY) for suit in range(4)
        ]

    def weight(self, hand: int) -> int:
        """Return the weight of the heaviest arrangement, whatever the need."""
        suits, held = self._split(hand)
        if self._naturals is not None:
            weight = self._naturals.weight(suits, held)
            if weight is not None:
                return weight
        states, beside, _ = self._survey(suits, held)
        return self._heaviest(self._runs, states, beside)[0]

    def plan(self, hand: int) -> Plan:
        """Return the heaviest arrangement, whatever the need."""
        suits, held = self._split(hand)
        if self._naturals is not None:
            patterns = self._naturals.patterns(suits, held)
            if patterns is not None:
                return Plan(patterns, [])
        return self._plan_freely(suits, held)

    def plan_in_need(self, hand: int) -> Plan | None:
        """Return the heaviest arrangement that meets the need, None when there is none."""
        return self.plan(hand) if self._need.kind == "none" else self._plan_in_need(*self._split(hand))

    def useless(self, hand: int) -> int:
        """Return how many naturals could be in no meld, whatever is done with the others."""
        suits, held = self._split(hand)
        in_sets = sum(place for _, _, place in held_ranks(held))
        idle = [suit & ~(3 * (in_sets | table.serving[suit])) for table, suit in zip(self._runs, suits, strict=True)]
        return sum(suit >> shift & 3 for suit in idle for shift in range(0, SUIT_BITS, 2))

    def _split(self, hand: int) -> tuple[Suits, bytes]:
        """Return what a hand holds of each suit, and of each rank of which sets can be made (0 for the others)."""
        suits = (
            hand & SUIT_MASK,
            hand >> SUIT_BITS & SUIT_MASK,
            hand >> 2 * SUIT_BITS & SUIT_MASK,
            hand >> 3 * SUIT_BITS & SUIT_MASK,
        )
        return suits, (hand >> RANKS_AT & RANKS_MASK).to_bytes(13, "little").translate(self._choice)

    def _survey(self, suits: Suits, held: bytes) -> tuple[list[_State], Weights, list[tuple[int, int]]]:
        """Return every choice of sets; what the ranks that are no choice weigh beside it, and these ranks."""
        spades, hearts, diamonds, clubs = suits
        one, two, three, four = self._runs
        s, h, d, c = one.serving[spades], two.serving[hearts], three.serving[diamonds], four.serving[clubs]
        clash = s | h | d | c
        states: list[_State] = [(0, self._jokers, 0, spades, hearts, diamonds, clubs, ())]
        beside = self._nothing
        free: list[tuple[int, int]] = []
        for rank, cards, place in self._ranks(held):
            if clash & place:
                serving = (s & place > 0) | (h & place > 0) << 1 | (d & place > 0) << 2 | (c & place > 0) << 3
                states = self._choose(states, self._sets.options[rank, cards, serving])
                if _MANY_STATES < len(states) <= _TOO_MANY_STATES:
                    states = self._merge(states, rank)
                if len(states) > _TOO_MANY_STATES:
                    return [self._explored(suits, held)], self._nothing, []
            else:
                free.append((rank, cards))
                weights = self._sets.weights[rank, cards]
                beside = pair(beside, weights) if self._jokers else (beside[0] + weights[0],)
        return states, beside, free

    def _ranks(self, held: bytes) -> tuple[tuple[int, int, int], ...]:
        """Return the ranks of which sets can be made, and those that lie on the table for a joker to be laid off."""
        unheld = self._sets.unheld
        return (
            held_ranks(held) + tuple(place for place in unheld if not held[place[0] - 1])
            if unheld
            else held_ranks(held)
        )

    def _choose(self, states: list[_State], options: tuple[Option, ...]) -> list[_State]:
        return [
            (weight + w, left - j, 0, spades - s, hearts - h, diamonds - d, clubs - c, (*taken, parts))
            for s, h, d, c, j, _, w, parts in options
            for weight, left, _, spades, hearts, diamonds, clubs, taken in states
            if j <= left
        ]

    def _choose_in_need(self, states: list[_State], options: tuple[Option, ...]) -> list[_State]:
        after: list[_State] = []
        for s, h, d, c, j, t, w, parts in options:
            for weight, left, tally, spades, hearts, diamonds, clubs, taken in states:
                total = self._need.add(tally, t)
                if j <= left and total >= 0:
                    after.append(
                        (weight + w, left - j, total, spades - s, hearts - h, diamonds - d, clubs - c, (*taken, parts))
                    )
        return after

    def _merge(self, states: list[_State], rank: int) -> list[_State]:
        """Keep of all states with the same future the heaviest."""
        best: dict[object, tuple[int, _State]] = {}
        for state in states:
            suits = state[3:7]
            behind = [table.behind(suit, rank) for table, suit in zip(self._runs, suits, strict=True)]
            weight = state[0] + sum([part.weight for part in behind])
            key = (*state[1:3], *(part.number for part in behind), *(suit >> 2 * rank for suit in suits))
            if key not in best or best[key][0] < weight:
                best[key] = (weight, state)
        return [state for _, state in best.values()]

    def _explored(self, suits: Suits, held: bytes) -> _State:
        """Return the choice of sets that is best by the first wish, found best first."""
        ranks = self._ranks(held)
        options = [self._sets.options[rank, cards, _EVERY_SUIT] for rank, cards, _ in ranks]
        ahead = Outlook(self._aim, self._first_runs, suits, self._jokers, [rank for rank, _, _ in ranks])
        start: _State = (0, self._jokers, 0, *suits, ())
        found = explore(
            start,
            len(ranks),
            lambda state, level: self._choose([state], options[level]),
            lambda state, level: ahead.of(state[0], state[1], state[3:7], level),
            lambda state: self._heaviest(self._first_runs, [state], self._nothing, self._first_at)[0],
            _PATIENCE,
        )
        return start if found is None else found

    def _explored_in_need(self, suits: Suits, held: bytes) -> _State | None:
        """Return a choice of sets that meets the need, the best by the first wish as far as patience goes."""
        ranks = self._ranks(held)
        options = [self._sets.options[rank, cards, _EVERY_SUIT] for rank, cards, _ in ranks]
        ahead = Outlook(self._aim, self._first_runs, suits, self._jokers, [rank for rank, _, _ in ranks])
        under = ContractOutlook(self._aim, self._first_runs, options)
        contract = self._need.kind == "contract" and self._need.exact

        def outlook(state: _State, level: int) -> tuple[int | None, None]:
            weight, left, tally = state[:3]
            if contract:
                return under.of(weight, left, tally, state[3:7], level), None
            return ahead.of(weight, left, state[3:7], level)[0], None

        def worth(state: _State) -> int | None:
            met = self._meet(state)
            return None if met is None else met[0] >> self._first_at

        start: _State = (0, self._jokers, 0, *suits, ())
        return explore(
            start,
            len(ranks),
            lambda state, level: self._choose_in_need([state], options[level]),
            outlook,
            worth,
            _PATIENCE_IN_NEED,
        )

    def _heaviest(
        self, tables: _Tables, states: list[_State], beside: Weights, first: int = 0
    ) -> tuple[int, list[_State]]:
        """Return what the best choice of sets weighs with the best runs beside it, and all that weigh as much.

        ``beside``: what the sets that are no choice weigh. ``first``: how many bits of a state's weight do not count.
        """
        one, two, three, four = tables
        best, top = _NEVER, []
        for state in states:
            weight, left, _, spades, hearts, diamonds, clubs, _ = state
            a, b, c, d = one[spades], two[hearts], three[diamonds], four[clubs]
            weight = (weight >> first) + a[0] + b[0] + c[0] + d[0] + beside[0]
            if left:
                gains = [a[left] - a[0], b[left] - b[0], c[left] - c[0], d[left] - d[0], beside[left] - beside[0]]
                if weight + sum(gains) < best:
                    continue
                weight += max(gains) if left == 1 else gain((a, b, c, d, beside), left)
            if weight > best:
                best, top = weight, [state]
            elif weight == best:
                top.append(state)
        return best, top

    def _plan_freely(self, suits: Suits, held: bytes) -> Plan:
        states, beside, free = self._survey(suits, held)
        state = states[0] if len(states) == 1 else self._best(states, beside)
        _, left, _, spades, hearts, diamonds, clubs, sets = state
        a = b = c = d = 0
        if left:
            tables = [table[suit] for table, suit in zip(self._runs, state[3:7], strict=True)]
            a, b, c, d, *others = _share(tables + [self._sets.weights[of_rank] for of_rank in free], left)
            chosen = [(rank, cards, others[i]) for i, (rank, cards) in enumerate(free)]
        else:
            chosen = [(rank, cards, 0) for rank, cards in free]
        if self._tabled:
            budgets = (a, b, c, d)
            runs = [table.runs(*of_suit) for table, *of_suit in zip(self._runs, state[3:7], budgets, strict=True)]
            return self._named((*sets, *(self._sets.best[choice] for choice in chosen)), runs)
        of_set, of_rank = self._patterns.of_set, self._of_rank
        patterns = [of_set[part] for parts in sets for part in parts]
        for choice in chosen:
            patterns += of_rank[choice]
        in_spades, in_hearts, in_diamonds, in_clubs = self._of_suit
        patterns += in_spades[spades | a << SUIT_BITS]
        patterns += in_hearts[hearts | b << SUIT_BITS]
        patterns += in_diamonds[diamonds | c << SUIT_BITS]
        patterns += in_clubs[clubs | d << SUIT_BITS]
        return Plan(patterns, [])

    def _sets_of(self, choice: tuple[int, int, int]) -> list[Pattern]:
        """Return the best sets of a rank: the rank, what is held of it, the jokers that may be used."""
        return [self._patterns.of_set[part] for part in self._sets.best[choice]]

    def _runs_of(self, suit: int, key: int) -> list[Pattern]:
        """Return the best runs of a suit; ``key``: what is held of it, and above that the jokers that may be used."""
        runs = self._runs[suit].runs(key & SUIT_MASK, key >> SUIT_BITS)
        return [self._patterns.of_run[suit, run] for run in runs]

    def _best(self, states: list[_State], beside: Weights) -> _State:
        """Return the best of several choices of sets; the first wish alone is quickly told."""
        first = self._first_at
        states = self._heaviest(self._first_runs, states, tuple([weight >> first for weight in beside]), first)[1]
        return states[0] if len(states) == 1 else self._heaviest(self._runs, states, beside)[1][0]

    def _plan_in_need(self, suits: Suits, held: bytes) -> Plan | None:
        """Try the states in the order of what they could weigh by the first wish, until none can be better."""
        first = self._first_at
        best, plan = 0, None
        for mark, state in self._marked(suits, held):
            if plan is not None and mark < best >> first:
                break
            met = self._meet(state)
            if met is not None and (plan is None or met[0] > best):
                best, plan = met[0], self._named(state[7], met[1])
        return plan

    def _marked(self, suits: Suits, held: bytes) -> list[tuple[int, _State]]:
        """Return the choices of sets, each with what it could weigh by the first wish, the best first."""
        states: list[_State] = [(0, self._jokers, 0, *suits, ())]
        for rank, cards, _ in self._ranks(held):
            states = self._choose_in_need(states, self._sets.options[rank, cards, _EVERY_SUIT])
            if _MANY_STATES < len(states) <= _TOO_MANY_STATES:
                states = self._merge(states, rank)
            if len(states) > _TOO_MANY_STATES:
                found = self._explored_in_need(suits, held)
                return [] if found is None else [(0, found)]
        marked = [
            (self._heaviest(self._first_runs, [state], self._nothing, self._first_at)[0], state) for state in states
        ]
        return sorted(marked, key=lambda pair: -pair[0])

    def _meet(self, state: _State) -> tuple[int, tuple[tuple[Run, ...], ...]] | None:
        """Return the heaviest runs beside a choice of sets that meet the need together with it, and their weight."""
        weight, left, tally = state[:3]
        ways: _Ways = {(left, tally): (weight, ())}
        for table, suit in zip(self._runs, state[3:7], strict=True):
            after: _Ways = {}
            for (left, tally), (weight, runs) in ways.items():
                for (jokers, raised), (added, laid) in table.exact[suit].items():
                    key = (left - jokers, self._need.add(tally, raised))
                    if min(key) >= 0 and (key not in after or after[key][0] < weight + added):
                        after[key] = (weight + added, (*runs, laid))
            ways = after
        met = [way for (_, tally), way in ways.items() if self._need.met(tally)]
        return max(met, key=lambda way: way[0], default=None)

    def _named(self, sets: Sequence[tuple[SetPart, ...]], runs: Sequence[tuple[Run, ...]]) -> Plan:
        """Return the plan that sets by rank and runs by suit are."""
        of_set, of_run = self._patterns.of_set, self._patterns.of_run
        patterns = [of_set[part] for parts in sets for part in parts if part.host == OWN]
        patterns += [of_run[suit, run] for suit, found in enumerate(runs) for run in found if run.host == OWN]
        return Plan(patterns, self._hosts.lay_offs(sets, runs, self._patterns.points))


@lru_cache(maxsize=1 << 14)
def held_ranks(held: bytes) -> tuple[tuple[int, int, int], ...]:
    """Return the ranks of which something is held, what that is, and the rank's place (a bit) in a suit."""
    return tuple((rank, cards, 1 << 2 * rank - 2) for rank, cards in enumerate(held, 1) if cards)


def _run_tables(knobs: Melds, aim: Aim, jokers: int, hosts: Hosts) -> _Tables:
    spades, hearts, diamonds, clubs = (run_table(knobs, aim, jokers, of_suit) for of_suit in hosts.runs)
    return spades, hearts, diamonds, clubs


def _share(tables: Sequence[Weights], jokers: int) -> list[int]:
    """Divide so many jokers between the tables so that they weigh most; the first ones get as few as possible."""
    ahead = [(0,) * len(tables[0])]
    for table in reversed(tables):
        ahead.append(pair(ahead[-1], table))
    budgets = []
    for table, before, after in zip(tables, reversed(ahead), reversed(ahead[:-1]), strict=False):
        budgets.append(next(k for k in range(jokers + 1) if table[k] + after[jokers - k] == before[jokers]))
        jokers -= budgets[-1]
    return budgets
