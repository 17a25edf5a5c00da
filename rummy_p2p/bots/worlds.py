"""Worlds: hidden cards dealt at random among the places where they may lie, as one seat knows it.

What a seat has seen stays seen: its own hand, the table, the pile, cards that others took from the pile, and the order
of a stock that was turned over. A world is one way in which everything else may lie. It depends on the view and the
seed alone, so that the same seed gives the same worlds.
"""

from __future__ import annotations

from random import Random
from typing import Final, NamedTuple

from rummy_p2p.arrange import least_deadwood, least_deadwood_value
from rummy_p2p.cards import Card, pack
from rummy_p2p.engine import View
from rummy_p2p.rules.position import HandState
from rummy_p2p.rules.scoring import card_value

TURNS_AHEAD: Final = 5
_RIVALS: Final = 3
_DECLINED: Final = 6
_MOST_THROWN: Final = 5
_TURNS_TO_THROW: Final = 2


class World(NamedTuple):
    """The cards this seat would draw from the stock, one for each turn to come, and what the next seat holds."""

    draws: tuple[Card, ...]
    rival: tuple[Card, ...]


def unseen(view: View) -> list[Card]:
    """Return the cards whose place this seat does not know, in pack order."""
    state = view.state
    seen = {card for laid in state.table for card in laid.meld.cards}
    places = (*state.stock, *state.pile, *(slot for hand in state.hands for slot in hand))
    seen.update(card for slot in places if (card := view.card(slot)) is not None)
    return [card for card in pack(state.rules.deck.packs, state.rules.deck.jokers) if card not in seen]


def worlds(view: View, count: int, seed: int, *, with_rival: bool = True) -> tuple[World, ...]:
    """Return so many worlds."""
    state = view.state
    dice = Random(seed * 1_000_003 + len(state.stock) * 4_099 + len(state.pile) * 61 + len(view.hand))
    hidden = unseen(view)
    mine = _own_draws(view)
    held = state.hands[state.next_seat(view.seat)]
    shown = tuple(card for slot in held if (card := view.card(slot)) is not None)
    wanted = len(held) - len(shown)
    thrown = min(_MOST_THROWN, _turns_played(state) // _TURNS_TO_THROW) if with_rival else 0
    found = []
    for _ in range(count):
        dealt = dice.sample(hidden, min(len(hidden), len(mine)))
        draws = tuple(dealt[n] if card is None else card for n, card in enumerate(mine) if card or n < len(dealt))
        rival = _rival(view, dice, hidden, wanted, thrown, shown) if with_rival else ()
        found.append(World(draws, rival))
    return tuple(found)


def _rival(view, dice, hidden, wanted, thrown, shown):
    rules = view.state.rules
    pool = min(len(hidden), wanted + thrown)
    tries = [_grown(shown, dice.sample(hidden, pool), pool - wanted, view.state) for _ in range(_RIVALS)]
    if _RIVALS == 1: return tries[0]
    declined = [card for slot in view.state.pile[-_DECLINED:] if (card := view.card(slot)) is not None]
    def wanted_of(hand):
        before = least_deadwood_value(hand, rules)
        return sum(least_deadwood_value((*hand, card), rules) <= before for card in declined)
    return min(tries, key=wanted_of)


def _own_draws(view: View) -> list[Card | None]:
    """Return the stock cards that fall to this seat if everybody draws from it, as far as they are known."""
    state = view.state
    players = sum(state.playing)
    away = 0 if state.turn == view.seat and state.drawn is None and not state.taken else players - 1
    slots = state.stock[away::players][:TURNS_AHEAD]
    cards = [view.card(slot) for slot in slots]
    return cards + [None] * (TURNS_AHEAD - len(cards))


def _turns_played(state: HandState) -> int:
    """Return about how often the next seat has thrown a card."""
    return len(state.pile) // max(1, sum(state.playing))


def _grown(shown: tuple[Card, ...], dealt: list[Card], thrown: int, state: HandState) -> tuple[Card, ...]:
    """Return a hand as it looks after some turns: dealt too many cards, with the worst of them thrown away."""
    hand = (*shown, *dealt)
    if not thrown:
        return hand
    values = state.rules.scoring.in_hand
    loose = [card for card in least_deadwood(hand, state.rules).left if card not in shown]
    gone = sorted(loose, key=lambda card: -card_value(card, values))[:thrown]
    surplus = thrown - len(gone)
    kept = [card for card in hand if card not in gone]
    return tuple(kept[: len(kept) - surplus] if surplus else kept)
