"""A Ruleset's searches, made once, and the questions that need nothing but a search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rummy_p2p.arrange.aims import Aim, Need, cover_aim, hand_points, least_aim, points_aim, value_aim
from rummy_p2p.arrange.hand import JOKERS_AT, JOKERS_MASK, POINTS_AT, card_numbers
from rummy_p2p.arrange.hosts import NO_HOSTS, Hosts
from rummy_p2p.arrange.laying import Arrangement, lay
from rummy_p2p.arrange.patterns import Patterns
from rummy_p2p.arrange.search import Search
from rummy_p2p.arrange.tables import Table
from rummy_p2p.cards import Card
from rummy_p2p.melds import Meld
from rummy_p2p.ruleset import Ruleset

_MANY: Final = 64


class Solver:
    """What is known about one Ruleset: the numbers of its cards, and for each aim a search by number of jokers."""

    def __init__(self, rules: Ruleset) -> None:
        scoring = rules.scoring
        self.rules = rules
        self.numbers = card_numbers(scoring.in_hand)
        self.number = self.numbers.__getitem__
        self.most_points = max(hand_points(scoring.in_hand))
        self._patterns = Patterns(rules)
        self.value = self._searches(value_aim(scoring.in_hand))
        self.least = self._searches(least_aim(scoring.in_hand))
        self.most = self._searches(points_aim(scoring.in_hand, scoring.in_play))
        self.least_in: Table[Need, Table[int, Search]] = Table(
            lambda need: self._searches(least_aim(scoring.in_hand, need)), _MANY
        )
        self.cover_in: Table[Need, Table[int, Search]] = Table(lambda need: self._searches(cover_aim(need)), _MANY)

    def find(self, cards: Sequence[Card], searches: Table[int, Search]) -> Arrangement:
        """Return the best arrangement by these searches, whatever their need."""
        hand = sum(map(self.number, cards))
        return lay(searches[hand >> JOKERS_AT & JOKERS_MASK].plan(hand), cards, hand >> POINTS_AT)

    def find_in_need(self, cards: Sequence[Card], searches: Table[int, Search]) -> Arrangement | None:
        """Return the best arrangement by these searches, None when their need cannot be met."""
        hand = sum(map(self.number, cards))
        plan = searches[hand >> JOKERS_AT & JOKERS_MASK].plan_in_need(hand)
        return None if plan is None else lay(plan, cards, hand >> POINTS_AT)

    def useless(self, cards: Sequence[Card], searches: Table[int, Search]) -> int:
        """Return how many naturals could be in no meld."""
        hand = sum(map(self.number, cards))
        return searches[hand >> JOKERS_AT & JOKERS_MASK].useless(hand)

    def beside(self, table: Sequence[Meld], aim: Aim) -> Table[int, Search]:
        """Return searches for hands whose cards may be laid off on the melds of a table."""
        return self._searches(aim, Hosts(table, self.rules.melds))

    def deadwood(self, hand: int) -> int:
        """Return the least deadwood of a hand given as its number."""
        return (hand >> POINTS_AT) - self.value[hand >> JOKERS_AT & JOKERS_MASK].weight(hand)

    def points(self, card: Card) -> int:
        """Return what a card counts in hand."""
        return self.numbers[card] >> POINTS_AT

    def _searches(self, aim: Aim, hosts: Hosts = NO_HOSTS) -> Table[int, Search]:
        return Table(lambda jokers: Search(self._patterns, aim, jokers, hosts), JOKERS_MASK)


_solvers: dict[int, Solver] = {}


def solver(rules: Ruleset) -> Solver:
    """Return the solver of a Ruleset, found by identity: to hash a whole Ruleset takes longer than most answers."""
    found = _solvers.get(id(rules))
    if found is None:
        if len(_solvers) >= _MANY:
            _solvers.clear()
        found = _solvers[id(rules)] = Solver(rules)  # it holds the Ruleset, so that the id is not given away again
    return found


def least_deadwood(cards: Sequence[Card], rules: Ruleset) -> Arrangement:
    """Return the arrangement with the fewest points left in hand.

    Ties: fewest cards left, then fewest places where others may lay off, then fewest runs. Of eleven cards it is the
    deadwood of all eleven.
    """
    found = _solvers.get(id(rules)) or solver(rules)
    return found.find(cards, found.least)


def least_deadwood_value(cards: Sequence[Card], rules: Ruleset) -> int:
    """Return the points of ``least_deadwood`` alone, much faster."""
    found = _solvers.get(id(rules)) or solver(rules)
    return found.deadwood(sum(map(found.number, cards)))


def most_points(cards: Sequence[Card], rules: Ruleset) -> Arrangement:
    """Return the arrangement whose melds count most on the table; ties: least deadwood, then as there."""
    found = solver(rules)
    return found.find(cards, found.most)


def with_lay_offs(cards: Sequence[Card], rules: Ruleset, table: tuple[Meld, ...]) -> Arrangement:
    """Return the arrangement with the least deadwood when cards may also be laid off, one at a time, on the table.

    Own melds and lay-offs are weighed together: an own meld is broken up where that leaves less.
    """
    found = solver(rules)
    return found.find(cards, found.beside(table, least_aim(rules.scoring.in_hand)))


def discards(cards: Sequence[Card], rules: Ruleset) -> dict[Card, int]:
    """Return for each card the least deadwood of the others."""
    found = solver(rules)
    hand = sum(map(found.number, cards))
    by_face: dict[int, int] = {}
    for card in cards:
        if card.face not in by_face:
            by_face[card.face] = found.deadwood(hand - found.numbers[card])
    return {card: by_face[card.face] for card in cards}


def low_discards(cards: Sequence[Card], rules: Ruleset, limit: int) -> tuple[Card, ...]:
    """Return the cards whose discard leaves the others with a deadwood of at most ``limit``."""
    found = _solvers.get(id(rules)) or solver(rules)
    hand = sum(map(found.number, cards))
    # To discard a card takes no more off the deadwood than what it counts: most hands are far from low.
    above = found.deadwood(hand) - limit
    if above > found.most_points:
        return ()
    near = [card for card in cards if found.points(card) >= above]
    return tuple([card for card in near if found.deadwood(hand - found.numbers[card]) <= limit])
