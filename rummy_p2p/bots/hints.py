"""Hints: what the strong strategy would do, and why, as a code and facts; the sentence is made above.

The reasons
    draw-stock      the discard would help less than a card of the stock is expected to
    take-meld       the discard completes ``cards``
    take-knock      with the discard the hand can knock
    take-keeps      the discard leaves less than a card of the stock would
    opens, lays     ``cards`` go to the table
    lays-off, swaps a card goes onto a meld of the table; a joker is got for it
    knocks          ``points`` are left, and the others are expected to have more
    keeps-ways      throwing ``card`` keeps ``ways`` cards that would complete ``cards``
    goes-out        throwing ``card``, the last one, wins the hand
    costs-most      throwing ``card`` saves ``points``
    buys, passes, other   a claim; nothing to be done; what the rules leave no choice about
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rummy_p2p.arrange import discards, least_deadwood, least_deadwood_value
from rummy_p2p.bots import hard
from rummy_p2p.bots.worlds import unseen
from rummy_p2p.cards import Card, cards_text
from rummy_p2p.engine import Action, View
from rummy_p2p.rules import actions as act
from rummy_p2p.rules.scoring import card_value

Facts = Mapping[str, str | int]


class Hint(NamedTuple):
    """An action, the code of why, and what the sentence needs."""

    action: Action
    reason: str
    facts: Facts


def hint(view: View, seed: int, samples: int | None = None) -> Hint | None:
    """Return what to do now and why; None when this seat has nothing to do."""
    action = hard.decide(view, seed, samples)
    return None if action is None else Hint(action, *_why(view, action))


def _why(view: View, action: Action) -> tuple[str, Facts]:
    if isinstance(action, act.Take):
        return _why_take(view, action)
    if isinstance(action, act.Discard):
        return _why_discard(view, action.card)
    if isinstance(action, act.Knock):
        return "knocks", {"points": _after_knock(view, action)}
    if isinstance(action, act.Lay):
        code = "lays" if view.state.opened[view.seat] else "opens"
        return code, {"cards": cards_text(action.cards())}
    if isinstance(action, act.Add | act.Swap):
        code = "lays-off" if isinstance(action, act.Add) else "swaps"
        return code, {"card": str(action.cards()[0]), "number": action.number}
    if isinstance(action, act.Call):
        return "buys", {"card": str(view.state.top())}
    return ("draw-stock" if isinstance(action, act.Draw) and view.state.pile else "other"), {}


def _why_take(view: View, take: act.Take) -> tuple[str, Facts]:
    rules, hand = view.state.rules, hard.with_taken(view, take)
    top = hand[-take.count]
    found = next((meld for meld in least_deadwood(hand, rules).melds if top in meld.cards), None)
    if found is not None:
        return "take-meld", {"card": str(top), "cards": cards_text(found.cards)}
    if hard.may_knock_with(view, take):
        return "take-knock", {"card": str(top)}
    return "take-keeps", {"card": str(top)}


def _after_knock(view: View, knock: act.Knock) -> int:
    if knock.card is None:
        return 0
    return discards(view.hand, view.state.rules)[knock.card]


def _why_discard(view: View, card: Card) -> tuple[str, Facts]:
    kept = [other for other in view.hand if other != card]
    if not kept:
        return "goes-out", {"card": str(card)}
    ways, cards = best_chance(view, kept)
    if ways:
        return "keeps-ways", {"card": str(card), "ways": ways, "cards": cards_text(cards)}
    return "costs-most", {"card": str(card), "points": card_value(card, view.state.rules.scoring.in_hand)}


def best_chance(view: View, kept: Sequence[Card]) -> tuple[int, tuple[Card, ...]]:
    """Return the cards of which most unseen ones would make a meld at one go, and how many those are."""
    rules = view.state.rules
    loose = set(least_deadwood(kept, rules).left)
    before = least_deadwood_value(kept, rules)
    ways: dict[tuple[Card, ...], int] = {}
    for card in unseen(view):
        if card.is_joker or least_deadwood_value((*kept, card), rules) >= before:
            continue
        melds = least_deadwood((*kept, card), rules).melds
        part = next((tuple(sorted(set(meld.cards) - {card})) for meld in melds if card in meld.cards), ())
        if part and loose.issuperset(part):
            ways[part] = ways.get(part, 0) + 1
    best = max(ways, key=lambda part: (ways[part], part), default=())
    return ways.get(best, 0), best
