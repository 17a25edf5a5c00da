"""The outlook of a hand: what it will probably cost its seat when the hand ends, judged over sampled worlds.

For each world a few draws to come are added, the best arrangement of everything is asked for, and as many of the cards
left over as turns have passed are thrown away, dearest first. So what may still become a meld counts for as much as it
is likely to. All candidates are judged in the same worlds: they differ by what they keep and not by luck.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
SHORTER: Final = 3  # after so many turns one turn less is looked ahead: the hand will end sooner
LOOK: Final = 40  # in so many worlds every card is tried, ...
LOOKED_AT_AGAIN: Final = 4  # ... in the others only these few
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
        self._must_open = not self.opened and state.rules.opening.points > 0
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

    def after_discards(self, hand: Sequence[Card], thrown: Sequence[Card]) -> dict[Card, float]:
        """Return for each of some cards the mean cost of what the hand keeps when its turn ends with throwing it.

        All are thrown in the first worlds, the best of them in the others as well.
        """
        totals = self._totals(hand, thrown, 0, LOOK)
        if len(self.worlds) <= LOOK:
            return {card: total / max(1, len(self.worlds)) for card, total in totals.items()}
        best = sorted(thrown, key=totals.__getitem__)[:LOOKED_AT_AGAIN]
        more = self._totals(hand, best, LOOK, len(self.worlds))
        return {
            card: (total + more[card]) / len(self.worlds) if card in more else total / LOOK
            for card, total in totals.items()
        }

    def _totals(self, hand: Sequence[Card], thrown: Sequence[Card], first: int, end: int) -> dict[Card, float]:
        totals = dict.fromkeys(thrown, 0.0)
        for number, world in enumerate(self.worlds[first:end], first):
            turns = self._turns(number)
            for card, cost in self._costs((*hand, *world.draws[:turns]), thrown, turns):
                totals[card] += cost
        return totals

    def _costs(self, cards: Sequence[Card], thrown: Sequence[Card], turns: int) -> Iterator[tuple[Card, float]]:
        """Yield what a hand costs without each of some cards: what is in no meld is not missed by the others."""
        if self._contract or not self._may_meld:
            yield from ((card, self.cost([other for other in cards if other != card], turns)) for card in thrown)
            return
        kept = self._without_sinks(cards)
        best = least_deadwood(kept, self.rules)
        left, melded = [self._values[card] for card in best.left], self._melded(best, kept)
        for card in thrown:
            if card in best.left:
                rest = left.copy()
                rest.remove(self._values[card])
                yield card, self._cost_of(best, rest, melded, turns)
            else:
                yield card, self.cost([other for other in cards if other != card], turns)

    def bought(self, cards: Sequence[Card], world: World, price: int) -> float:
        """Return what a hand costs in a world where it got so many cards more and throws none of them for it."""
        turns = min(2, len(world.draws) - price)
        return self.cost((*cards, *world.draws[: turns + price]), turns)

    def _mean(self, cards: Sequence[Card], first: int, more: int) -> float:
        total = 0.0
        for number, world in enumerate(self.worlds):
            turns = self._turns(number) + more
            total += self.cost((*cards, *world.draws[first:turns]), turns)
        return total / max(1, len(self.worlds))

    def _turns(self, number: int) -> int:
        """Return how many turns are looked ahead in a world: not the same in all of them."""
        return max(1, TURNS[number % len(TURNS)] - self._shorter)

    def cost(self, cards: Sequence[Card], thrown: int) -> float:
        """Return what a hand costs after ``thrown`` of its cards have been thrown away."""
        if self._contract:
            return self._contract_cost(cards, thrown)
        kept = self._without_sinks(cards)
        if not self._may_meld:
            return float(sum(sorted((self._values[card] for card in kept), reverse=True)[thrown:]))
        best = least_deadwood(kept, self.rules)
        return self._cost_of(best, [self._values[card] for card in best.left], self._melded(best, kept), thrown)

    def _without_sinks(self, cards: Sequence[Card]) -> Sequence[Card]:
        return [card for card in cards if card & 63 not in self._sinks] if self._sinks else cards

    def _melded(self, best: Arrangement, cards: Sequence[Card]) -> int:
        """Return what the cards in melds count in hand, where it matters."""
        return sum([self._values[card] for card in cards]) - best.deadwood if self._must_open else 0

    def _cost_of(self, best: Arrangement, left: list[int], melded: int, thrown: int) -> float:
        """Return what a hand costs that is arranged like this, of what is left the dearest thrown."""
        left.sort(reverse=True)
        rest = sum(left[thrown:])
        kind = self.rules.scoring.kind
        if kind == "gin":
            return self._knock_cost(rest)
        if kind == "meld-points":
            return rest - best.points - (_OUT if not rest else 0.0)
        if not rest and self._opens(best) >= 1:
            return -_OUT
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
