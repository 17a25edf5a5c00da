"""Playing out: a hand with a knock, played to its end in one world by two who take, throw and knock in a simple way.

Each takes the top of the pile when it makes a meld or lets it knock, throws its dearest loose card, and knocks as soon
as it may. That is quick, since a card that makes no meld leaves the loose cards what they were. Both could play better,
so that the mean over worlds tells what a seat had better do now rather than how the hand will end.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterator, Sequence
from typing import Final

from rummy_p2p.arrange import least_deadwood, least_deadwood_value
from rummy_p2p.bots.partners import partners
from rummy_p2p.bots.worlds import World
from rummy_p2p.cards import Card, pack
from rummy_p2p.rules.scoring import card_value
from rummy_p2p.ruleset import Ruleset

TO_WIN: Final = 10.0  # a hand that is won brings the match nearer, beyond its points


class Values:
    """What the cards of a Ruleset count, in which order they are thrown, with what they make melds."""

    def __init__(self, rules: Ruleset) -> None:
        cards = pack(rules.deck.packs, rules.deck.jokers)
        self.rules = rules
        self.limit = rules.going_out.knock_limit
        self.values = {card: card_value(card, rules.scoring.in_hand) for card in cards}
        self.order = {card: (self.values[card], card.rank, card) for card in cards}
        self.groups = partners(rules)


class Side:
    """One of the two: its cards, what they leave at best, and those in no meld, the dearest last."""

    __slots__ = ("_table", "cards", "held", "left", "loose")

    def __init__(self, table: Values, cards: list[Card], held: int, left: int, loose: list[Card]) -> None:
        self._table, self.cards, self.held, self.left, self.loose = table, cards, held, left, loose

    @classmethod
    def of(cls, table: Values, cards: Sequence[Card]) -> Side:
        """Return a side that holds these cards."""
        side = cls(table, list(cards), sum({1 << (card & 63) for card in cards}), 0, [])
        side._settle()
        return side

    def copy(self) -> Side:
        """Return the same once more, to be played on."""
        return Side(self._table, self.cards.copy(), self.held, self.left, self.loose.copy())

    def melds(self, card: Card) -> bool:
        """Whether a card finds a place in a meld where it leaves less."""
        table, held = self._table, self.held
        for group in table.groups[card & 63]:
            if held & group == group:
                return least_deadwood_value((*self.cards, card), table.rules) < self.left + table.values[card]
        return False

    def may_knock(self, card: Card) -> bool:
        """Whether with a card that makes no meld the hand may be knocked with."""
        values = self._table.values
        dearest = values[self.loose[-1]] if self.loose else 0
        return self.left + min(0, values[card] - dearest) <= self._table.limit

    def turn(self, card: Card, *, melds: bool) -> Card | None:
        """Take a card in and throw the dearest loose one; None when nothing is loose."""
        table = self._table
        self.cards.append(card)
        self.held |= 1 << (card & 63)
        if melds:
            self._settle()
        else:
            self.left += table.values[card]
            insort(self.loose, card, key=table.order.__getitem__)
        if not self.loose:
            return None
        thrown = self.loose.pop()
        self.cards.remove(thrown)
        self.held &= ~(1 << (thrown & 63))
        self.left -= table.values[thrown]
        return thrown

    def without_lay_offs(self, cards: Sequence[Card]) -> list[Card]:
        """Return the cards that could not be laid off on its melds."""
        melded, groups = self.held, self._table.groups
        for card in self.loose:
            melded &= ~(1 << (card & 63))
        return [card for card in cards if not any(melded & group == group for group in groups[card & 63])]

    def _settle(self) -> None:
        best = least_deadwood(self.cards, self._table.rules)
        self.left = best.deadwood
        self.loose = sorted(best.left, key=self._table.order.__getitem__)


class Playout:
    """Plays the hand to its end in each of some worlds."""

    def __init__(self, rules: Ruleset, worlds: Sequence[World]) -> None:
        """Arrange once what the next seat holds in each."""
        self._rules = rules
        self._table = Values(rules)
        self._worlds = [(Side.of(self._table, world.rival), world.stock) for world in worlds]

    def after_discard(self, kept: Sequence[Card], thrown: Card) -> float:
        """Return what a seat gains that throws a card and keeps the others, the mean over the worlds."""
        mine, at = Side.of(self._table, kept), self._rules.stock_out.at
        gains = [
            self._play((mine.copy(), rival.copy()), thrown, iter(stock[: max(0, len(stock) - at)]))
            for rival, stock in self._worlds
        ]
        return sum(gains) / max(1, len(gains))

    def after_knock(self, kept: Sequence[Card]) -> float:
        """Return what a seat gains that knocks with these cards, the mean over the worlds."""
        mine = Side.of(self._table, kept)
        gains = [self.knocked(mine, rival.loose) for rival, _ in self._worlds]
        return sum(gains) / max(1, len(gains))

    def _play(self, sides: tuple[Side, Side], top: Card, stock: Iterator[Card]) -> float:
        """Play on from where the second side may take the top of the pile; return what the first one gains."""
        limit, mover = self._table.limit, 1
        while True:
            side, card = sides[mover], top
            melds = side.melds(card)
            if not melds and not side.may_knock(card):
                drawn = next(stock, None)
                if drawn is None:
                    return 0.0
                card, melds = drawn, side.melds(drawn)
            thrown = side.turn(card, melds=melds)
            if thrown is None or side.left <= limit:
                gain = self.knocked(side, sides[1 - mover].loose)
                return -gain if mover else gain
            top, mover = thrown, 1 - mover

    def knocked(self, knocker: Side, loose: Sequence[Card]) -> float:
        """Return what a knock brings who knocks, when the other one lays off of its loose cards what fits."""
        scoring, values, points = self._rules.scoring, self._table.values, knocker.left
        if not points:
            return TO_WIN + scoring.gin_bonus + sum([values[card] for card in loose])
        if self._rules.lay_off != "never":
            loose = knocker.without_lay_offs(loose)
        rest = sum([values[card] for card in loose])
        if rest < points or (rest == points and scoring.undercut_on_tie):
            return rest - points - scoring.undercut_bonus - TO_WIN
        return rest - points + (TO_WIN if rest > points else 0.0)
