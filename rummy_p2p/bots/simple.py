"""The simple strategy: take what helps at once, lay what can be laid, throw what costs most.

It counts one thing: the points that would be left in hand if the best arrangement were laid down now.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rummy_p2p.arrange import discards, least_deadwood, least_deadwood_value, opening
from rummy_p2p.cards import Card
from rummy_p2p.engine import Action, HandState, IllegalAction, KnobFailed, Phase, View, check, legal_actions
from rummy_p2p.melds import Piece
from rummy_p2p.rules import actions as act
from rummy_p2p.rules.legality import fits_table
from rummy_p2p.rules.scoring import card_value

A_CARD: Final = 7  # what an unknown card counts, near enough


def decide(view: View, seed: int) -> Action | None:
    """Return the first of its wishes that is allowed; ``seed`` breaks ties between equally good discards."""
    return next((wish for wish in _wishes(view, seed) if is_allowed(view, wish)), None)


def is_allowed(view: View, action: Action) -> bool:
    """Whether the engine takes the action from this seat now."""
    try:
        check(view, action)
    except IllegalAction:
        return False
    except KnobFailed:  # the table voids the hand and names the plugin; holding back would only stall the others
        return True
    return True


def _wishes(view: View, seed: int) -> Iterator[Action]:
    phase = view.state.phase
    if phase is Phase.COUNT:
        yield act.Show()
    elif not view.on_turn and view.state.claim in ("open", "late") and _is_worth_its_price(view):
        yield act.Call()
    if not view.on_turn:
        return
    if phase in (Phase.OFFER, Phase.DRAW):
        yield from _draws(view)
    elif phase is Phase.ANSWER:
        yield act.Keep()
    elif phase is Phase.PLAY:
        yield from _plays(view, seed)
    elif phase is Phase.LAY_OFF:
        yield from lay_offs(view)
        yield act.Done()
    yield from legal_actions(view)  # a card that must be used may call for a move that nobody would wish for


def _is_worth_its_price(view: View) -> bool:
    """Whether the discard is worth claiming: nothing is thrown for it, and penalty cards come with it."""
    top = view.state.top()
    if top is None:
        return False
    rules = view.state.rules
    if not rules.claim.penalty and can_lay_off(view, top):
        return True
    after = least_deadwood_value((*view.hand, top), rules) + rules.claim.penalty * A_CARD
    return after < least_deadwood_value(view.hand, rules)


def can_lay_off(view: View, card: Card) -> bool:
    """Whether this seat could lay the card off on the table."""
    may = view.state.opened[view.seat] or view.state.rules.lay_off == "always"
    return may and fits_table(view.state, card)


def _wants(view: View) -> bool:
    """Whether the top of the pile would help: it can be laid off, or it finds its place in a meld.

    Then less must be left in hand, with another card thrown for it: bots that swap cards for nothing never end a hand.
    """
    top = view.state.top()
    if top is None or not view.hand:
        return False
    if can_lay_off(view, top):
        return True
    rules = view.state.rules
    before, hand = least_deadwood_value(view.hand, rules), (*view.hand, top)
    if least_deadwood_value(hand, rules) > before:
        return False
    left = discards(hand, rules)
    return min(left[card] for card in view.hand) < before


def _draws(view: View) -> Iterator[Action]:
    if _wants(view):
        yield act.Take()
    yield from (act.Draw(), act.TurnOver(), act.Pass(), act.Take())


def _plays(view: View, seed: int) -> Iterator[Action]:
    rules = view.state.rules
    if rules.lay == "in-play":
        yield from lays(view)
        yield from lay_offs(view)
    if rules.going_out.how == "knock":
        yield from (act.Knock(card) for card in by_cost(view, seed))
    yield from (act.Discard(card) for card in by_cost(view, seed))


def lays(view: View) -> Iterator[Action]:
    """Yield the lay-downs that leave least: to open, or everything at once, or one meld after the other."""
    rules = view.state.rules
    if not view.state.opened[view.seat]:
        first = opening(view.hand, rules, view.state.round_index, _barred(view))
        if first is not None and first.melds:
            yield act.Lay(tuple(meld.pieces() for meld in first.melds))
        return
    melds = least_deadwood(view.hand, rules).melds
    if melds:
        yield act.Lay(tuple(meld.pieces() for meld in melds))
    yield from (act.Lay((meld.pieces(),)) for meld in melds)


def _barred(view: View) -> frozenset[Card]:
    """Return the cards that may not be discarded because they were taken from the pile this turn."""
    if view.state.rules.draw.may_return:
        return frozenset()
    return frozenset(card for slot in view.state.taken if (card := view.card(slot)) is not None)


def lay_offs(view: View) -> Iterator[Action]:
    """Lay off what is in no meld of one's own, dearest first."""
    state = view.state
    loose = least_deadwood(view.hand, state.rules).left
    values = state.rules.scoring.in_hand
    for card in sorted(loose, key=lambda card: -card_value(card, values)):
        if fits_table(state, card):
            yield from (act.Add(Piece(card), number, None) for number in range(1, len(state.table) + 1))
            yield from (act.Add(Piece(card), number, "right") for number in range(1, len(state.table) + 1))


def by_cost(view: View, seed: int) -> Sequence[Card]:
    """Return the hand, first the card whose discard leaves least; among equals what the next player can use least."""
    state = view.state
    left = discards(view.hand, state.rules)
    values = state.rules.scoring.in_hand
    return sorted(
        view.hand,
        key=lambda card: (
            left[card],
            helps_others(state, card),
            -card_value(card, values),
            (int(card) * 31 + seed) % 97,
        ),
    )


def helps_others(state: HandState, card: Card) -> bool:
    """Whether others could use the card at once, whatever they hold."""
    return card.is_joker or fits_table(state, card)
