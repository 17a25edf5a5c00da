"""The outlook of a hand: what it will probably cost its seat when the hand ends, judged over sampled worlds.

For each world a few draws to come are added, the best arrangement of everything is asked for, and as many of the cards
left over as turns have passed are thrown away, dearest first. So what may still become a meld counts for as much as it
is likely to. All candidates are judged in the same worlds: they differ by what they keep and not by luck.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rummy_p2p.arrange import Arrangement, least_deadwood
from rummy_p2p.bots.contract import missing
from rummy_p2p.bots.worlds import World
from rummy_p2p.cards import Card, pack
from rummy_p2p.engine import View
from rummy_p2p.melds import fitting_faces
from rummy_p2p.rules.scoring import card_value
from rummy_p2p.ruleset import Ruleset

TURNS: Final = (2, 3, 4, 5, 6)
SHORTER: Final = 3  # X
_A_MISSING_CARD: Final = 12.0
_OUT: Final = 15.0  # what it is worth to be out first, near enough: others are left with cards
_MAY_KNOCK: Final = 60.0
_LOOSE: Final = 0.25


class Outlook:
    """Judges hands of one seat in one position."""

    def __init__(self, view: View, found: Sequence[World]) -> None:
        """Look at the table once: what can be laid off costs nothing."""
        state = view.state
        self.rules: Ruleset = state.rules
        self.worlds = found
        self._shorter = len(state.pile) // sum(state.playing) // SHORTER if SHORTER else 0
        self.opened = state.opened[view.seat]
        self._values = {card: card_value(card, state.rules.scoring.in_hand) for card in _everything(state.rules)}
        self._contract = _contract(view)
        self._may_meld = state.rules.opening.further_melds or not self.opened
        may_lay_off = state.rules.lay_off == "always" or (self.opened and state.rules.lay_off == "after-opening")
        fits = [fitting_faces(laid.meld, state.rules.melds) for laid in state.table] if may_lay_off else []
        self._sinks = frozenset(face for faces in fits for face in faces)

    def value(self, card: Card) -> int:
        """Return what a card counts in hand."""
        return self._values[card]

    def before_draw(self, cards: Sequence[Card]) -> float:
        """Return the mean cost of a hand that is about to draw from the stock."""
        return self._mean(cards, 0, 1)

    def after_draw(self, cards: Sequence[Card]) -> float:
        """Return the mean cost of a hand that has drawn and will throw a card."""
        return self._mean(cards, 1, 1)

    def after_turn(self, cards: Sequence[Card]) -> float:
        """Return the mean cost of what a hand keeps when its turn ends."""
        return self._mean(cards, 0, 0)

    def bought(self, cards: Sequence[Card], world: World, price: int) -> float:
        """Return what a hand costs in a world where it got so many cards more and throws none of them for it."""
        turns = min(2, len(world.draws) - price)
        return self.cost((*cards, *world.draws[: turns + price]), turns)

    def _mean(self, cards: Sequence[Card], first: int, more: int) -> float:
        total = 0.0
        for number, world in enumerate(self.worlds):
            turns = max(1, TURNS[number % len(TURNS)] - self._shorter) + more
            total += self.cost((*cards, *world.draws[first:turns]), turns)
        return total / max(1, len(self.worlds))

    def cost(self, cards: Sequence[Card], thrown: int) -> float:
        """Return what a hand costs after ``thrown`` of its cards have been thrown away."""
        if self._contract:
            return self._contract_cost(cards, thrown)
        kept = [card for card in cards if card & 63 not in self._sinks] if self._sinks else cards
        if not self._may_meld:
            return float(sum(sorted((self._values[card] for card in kept), reverse=True)[thrown:]))
        return self._cost_of(least_deadwood(kept, self.rules), kept, thrown)

    def _cost_of(self, best: Arrangement, cards: Sequence[Card], thrown: int) -> float:
        values = self._values
        left = sorted([values[card] for card in best.left], reverse=True)
        rest = sum(left[thrown:])
        kind = self.rules.scoring.kind
        if kind == "gin":
            return self._knock_cost(rest)
        if kind == "meld-points":
            return rest - best.points - (_OUT if not rest else 0.0)
        if not rest and self._opens(best) >= 1:
            return -_OUT
        melded = sum([values[card] for card in cards]) - best.deadwood
        return rest + melded * (1 - self._opens(best))

    def _knock_cost(self, rest: int) -> float:
        if rest == 0:
            return -_MAY_KNOCK - self.rules.scoring.gin_bonus / 2
        return rest - _MAY_KNOCK if rest <= self.rules.going_out.knock_limit else float(rest)

    def _opens(self, best: Arrangement) -> float:
        """Return how near the melds are to what the first lay-down needs, from 0 to 1."""
        need = self.rules.opening.points
        return 1.0 if self.opened or not need else min(1.0, best.points / need)

    def _contract_cost(self, cards: Sequence[Card], thrown: int) -> float:
        lack, loose = missing(cards, self._contract, self.rules)
        left = sorted([self._values[card] for card in loose], reverse=True)[thrown:]
        return lack * _A_MISSING_CARD + _LOOSE * sum(left) if lack else sum(left) - _OUT


def _contract(view: View) -> str:
    """Return the contract that this seat has still to lay, or nothing."""
    state = view.state
    if state.opened[view.seat] or not state.rules.rounds or state.rules.opening.points:
        return ""
    return state.rules.rounds[state.round_index].contract


def _everything(rules: Ruleset) -> tuple[Card, ...]:
    return pack(rules.deck.packs, rules.deck.jokers)
