"""Worlds: hidden cards dealt at random among the places where they may lie, as one seat knows it.

What a seat has seen stays seen: its own hand, the table, the pile, cards that others took from the pile, and the order
of a stock that was turned over. A world is one way in which everything else may lie. It depends on the view and the
seed alone, so that the same seed gives the same worlds.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final, NamedTuple

from rummy_p2p.arrange import least_deadwood, least_deadwood_value
from rummy_p2p.bots.belief import Belief, Hidden
from rummy_p2p.bots.traces import next_hand
from rummy_p2p.cards import Card, pack
from rummy_p2p.engine import View
from rummy_p2p.rules.position import HandState
from rummy_p2p.rules.scoring import card_value

TURNS_AHEAD: Final = 9
_TRIES: Final = 3
_DECLINED: Final = 6
_MOST_THROWN: Final = 5
_TURNS_TO_THROW: Final = 2


class World(NamedTuple):
    """The cards this seat would draw from the stock, one for each turn to come, and what the next seat holds.

    ``stock``: all of it, the next card first, where melds stay in hand until a knock and a hand can be played out.
    """

    draws: tuple[Card, ...]
    rival: tuple[Card, ...]
    stock: tuple[Card, ...] = ()


def unseen(view: View) -> list[Card]:
    """Return the cards whose place this seat does not know, in pack order."""
    state = view.state
    seen = {card for laid in state.table for card in laid.meld.cards}
    places = (*state.stock, *state.pile, *(slot for hand in state.hands for slot in hand))
    seen.update(card for slot in places if (card := view.card(slot)) is not None)
    return [card for card in pack(state.rules.deck.packs, state.rules.deck.jokers) if card not in seen]


def worlds(view: View, count: int, seed: int, *, with_rival: bool = True) -> tuple[World, ...]:
    """Return so many worlds; without ``with_rival`` nobody else's hand is dealt, which is faster."""
    state = view.state
    dice = Random(seed * 1_000_003 + len(state.stock) * 4_099 + len(state.pile) * 61 + len(view.hand))
    hidden, mine = unseen(view), _own_draws(view)
    if with_rival and state.rules.lay == "at-knock":
        return tuple([_played(view, found) for found in Belief(view, hidden).hands(count, dice)])
    rival = _Rival(view, hidden) if with_rival else None
    found = []
    for _ in range(count):
        dealt = iter(dice.sample(hidden, min(len(hidden), len(mine))))
        draws = [next(dealt, None) if known is None else known for known in mine]
        found.append(World(tuple([card for card in draws if card is not None]), rival.hand(dice) if rival else ()))
    return tuple(found)


def _played(view: View, found: Hidden) -> World:
    """Return the world in which the next seat holds this; two play, so that every other card of the stock is drawn."""
    state, (rival, rest) = view.state, found
    dealt = iter(rest)
    stock = [next(dealt, None) if (known := view.card(slot)) is None else known for slot in state.stock]
    cards = tuple([card for card in stock if card is not None])
    return World(cards[_away(state, view.seat) :: 2][:TURNS_AHEAD], rival, cards)


class _Rival:
    """The next seat: what it is known to hold, and hands that it may hold."""

    def __init__(self, view: View, hidden: Sequence[Card]) -> None:
        state = view.state
        self._rules = state.rules
        self._hidden = hidden
        self._shown, self._wanted = next_hand(view)
        self._thrown = min(_MOST_THROWN, _turns_played(state) // _TURNS_TO_THROW)
        recent = [view.card(slot) for slot in state.pile[-_DECLINED:]]
        self._declined = [card for card in recent if card is not None]
        self._tries = _TRIES if not state.rules.deck.jokers else 1

    def hand(self, dice: Random) -> tuple[Card, ...]:
        """Return of a few random hands the one that has least use for what lies on the pile: nobody has taken it."""
        return min([self._some_hand(dice) for _ in range(self._tries)], key=self._uses)

    def _some_hand(self, dice: Random) -> tuple[Card, ...]:
        """Return a hand as it looks after some turns: of too many cards the worst have been thrown away."""
        pool = dice.sample(self._hidden, min(len(self._hidden), self._wanted + self._thrown))
        hand, surplus = (*self._shown, *pool), max(0, len(pool) - self._wanted)
        if not surplus:
            return hand
        values = self._rules.scoring.in_hand
        left = least_deadwood(hand, self._rules).left
        loose = sorted([card for card in left if card not in self._shown], key=lambda card: -card_value(card, values))
        gone = loose[:surplus]
        kept = tuple(card for card in hand if card not in gone)
        return kept[: len(self._shown) + self._wanted]

    def _uses(self, hand: tuple[Card, ...]) -> int:
        if self._tries == 1:
            return 0
        before = least_deadwood_value(hand, self._rules)
        return sum([least_deadwood_value((*hand, card), self._rules) <= before for card in self._declined])


def _own_draws(view: View) -> list[Card | None]:
    """Return the stock cards that fall to this seat if everybody draws from it, as far as they are known."""
    state = view.state
    slots = state.stock[_away(state, view.seat) :: sum(state.playing)][:TURNS_AHEAD]
    cards = [view.card(slot) for slot in slots]
    return cards + [None] * (TURNS_AHEAD - len(cards))


def _away(state: HandState, seat: int) -> int:
    """Return how many cards others draw before this seat does."""
    return 0 if state.turn == seat and state.drawn is None and not state.taken else sum(state.playing) - 1


def _turns_played(state: HandState) -> int:
    """Return about how often the next seat has thrown a card."""
    return len(state.pile) // max(1, sum(state.playing))
