"""Our side of the comparisons in gin: a hand played through the engine as peers play it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from rummy_p2p.arrange import least_deadwood
from rummy_p2p.cards import pack
from rummy_p2p.engine import (
    Action,
    HandState,
    IllegalAction,
    Phase,
    View,
    apply,
    legal_actions,
    open_hand,
    reveal,
    start_match,
    to_show,
    unshown,
    view_for,
)
from rummy_p2p.melds import Piece, fitting_faces
from rummy_p2p.rules.actions import Add, Discard, Done, Draw, Knock, Pass, Show, Take
from rummy_p2p.rules.scoring import card_value
from rummy_p2p.ruleset import Ruleset
from rummy_p2p.variants.manager import installed, make_catalogue

# What makes our gin theirs; tests/rivals/test_open_spiel.py proves it decision for decision.
HOUSE = ("ace=low", "first-upcard-offer", "may-return", "undercut-on-tie=no", "fiftieth-card-action")
Choose = Callable[[View, Random], Action]


def gin() -> Ruleset:
    return make_catalogue(installed()).compile("gin", HOUSE)


def play(rules: Ruleset, choose: Choose, dice: Random) -> int:
    """Play a hand, what a seat opens going in with its action; return how many actions it took."""
    order = dice.sample(pack(1, 0), 52)
    dealt = open_hand(rules, start_match(rules, 2, 1))
    state = reveal(dealt.state, {want.slot: order[want.slot] for want in dealt.wants if want.seat is None}).state
    everything, actions = dict(enumerate(order)), 0
    while not state.over:
        seat = on_turn(state)
        view = view_for(state, seat, everything)
        action = choose(view, dice)
        try:
            state = apply(state, seat, action, {slot: order[slot] for slot in to_show(view, action)}).state
            actions += 1
        except IllegalAction:
            continue
    return actions


def on_turn(state: HandState) -> int:
    """Return who is to act; at the end whoever still has cards to show."""
    return next(iter(unshown(state)), state.turn)


def pick_listed(view: View, dice: Random) -> Action:
    return dice.choice(legal_actions(view))


def pick(view: View, dice: Random) -> Action:
    """Return any action of the phase, legal or not."""
    phase = view.state.phase
    if phase is Phase.COUNT:
        return Show()
    if phase in (Phase.OFFER, Phase.DRAW):
        return dice.choice((Draw(), Take(), Pass()))
    if phase is Phase.PLAY:
        return dice.choice((Discard, Knock))(dice.choice(view.hand))
    adds = [Add(Piece(card), number) for card in view.hand for number in range(1, len(view.state.table) + 1)]
    return dice.choice((Done(), *adds))


def pick_simply(view: View, _dice: Random) -> Action:
    """Return what OpenSpiel's simple strategy does: take what joins a meld, knock at once, throw what counts most."""
    match view.state.phase:
        case Phase.COUNT:
            return Show()
        case Phase.OFFER | Phase.DRAW:
            return _draw(view)
        case Phase.PLAY:
            return _throw(view)
        case _:
            return next(_lay_offs(view), Done())


def _draw(view: View) -> Action:
    state, rules = view.state, view.state.rules
    top = state.top()
    offered = state.phase is Phase.OFFER
    barred = not offered and state.discarder is None  # the upcard that both have declined
    if top is not None and not barred and top not in least_deadwood((*view.hand, top), rules).left:
        return Take()
    return Pass() if offered or len(state.stock) <= rules.stock_out.at else Draw()


def _throw(view: View) -> Action:
    """Return the discard of what counts most outside of the best melds, with a knock if what stays is low enough."""
    rules = view.state.rules
    found = least_deadwood(view.hand, rules)
    values = rules.scoring.in_hand
    out = max(found.left or view.hand, key=lambda card: card_value(card, values))
    low = found.deadwood - card_value(out, values) <= rules.going_out.knock_limit
    return Knock(out) if low and found.left else Discard(out)


def _lay_offs(view: View) -> Iterator[Action]:
    """Yield what the defender can lay off of what is in none of its own melds."""
    left = least_deadwood(view.hand, view.state.rules).left
    for number, laid in enumerate(view.state.table, 1):
        fitting = fitting_faces(laid.meld, view.state.rules.melds)
        yield from (Add(Piece(card), number) for card in left if card.face in fitting)
