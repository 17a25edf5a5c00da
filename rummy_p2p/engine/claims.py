"""Claims out of turn: the discard goes to somebody who is not on turn, by a call, a knock or a purchase."""

from __future__ import annotations

from typing import Final, cast

from rummy_p2p.engine import events as ev
from rummy_p2p.engine.steps import Step, Want, begin_turn, cards_of, from_stock, replace, with_hand
from rummy_p2p.rules import actions as act
from rummy_p2p.rules import legality
from rummy_p2p.rules.position import HandState, Phase


def call(state: HandState, seat: int, action: act.Action) -> Step:
    """Claim the discard in the way of the game: it is given at once, or to the first of the callers when one draws."""
    legality.verify_call(state, seat, cast("act.Call", action))
    return _CLAIMS[state.rules.claim.kind](state, seat)


def _rummy_call(state: HandState, seat: int) -> Step:
    slot = state.pile[-1]
    taken = (*state.taken, slot) if seat == state.turn else state.taken
    hands = with_hand(state, seat, (*state.hands[seat], slot))
    state = replace(state, pile=state.pile[:-1], hands=hands, claim="closed", taken=taken)
    return Step(state, (ev.Claimed(seat, cards_of(state, (slot,))[0]),))


def _knock_claim(state: HandState, seat: int) -> Step:
    """Give the caller the discard, the penalty cards and the turn; it counts as having drawn."""
    slot = state.pile[-1]
    knob = state.rules.claim
    interrupted = state.turn
    from_pile = state.pile[:-1][-knob.penalty :] if knob.source == "pile" and knob.penalty else ()
    from_pile = tuple(reversed(from_pile))
    hands = with_hand(state, seat, (*state.hands[seat], slot, *from_pile))
    pile = state.pile[: len(state.pile) - 1 - len(from_pile)]
    taken = replace(state, hands=hands, pile=pile)
    penalty = min(knob.penalty, len(from_pile) + _to_be_drawn(taken))
    step = Step(taken, (ev.Claimed(seat, cards_of(state, (slot,))[0], penalty),))
    step = _penalty_cards(step, seat, penalty - len(from_pile))
    step = begin_turn(step, seat)
    resume = interrupted if knob.turn_returns else None
    return replace(step, state=replace(step.state, phase=Phase.PLAY, taken=(slot,), claim="closed", resume=resume))


def _penalty_cards(step: Step, seat: int, count: int) -> Step:
    """Give a seat so many cards of the stock; there are as many."""
    for _ in range(count):
        drawn = from_stock(step.state, seat, "penalty")
        step = step.then(drawn.state, *drawn.events, wants=drawn.wants)
    return step


def _to_be_drawn(state: HandState) -> int:
    """How many cards the stock can give, what would be shuffled into it included."""
    return len(state.stock) + (len(state.pile) - 1 if legality.can_reshuffle(state) else 0)


def _buy_call(state: HandState, seat: int) -> Step:
    late = state.claim == "late"
    card = cards_of(state, state.pile[-1:])[0]
    phase = Phase.ANSWER if late else state.phase
    asked = replace(state, callers=(*state.callers, seat), phase=phase)
    return Step(asked, (ev.Asked(seat, card, late),))


def sell(step: Step, drawer: int) -> Step:
    """Give the discard to the first caller, or to the one nearest in turn, with the price from the stock."""
    state = step.state
    in_turn = [(drawer + n) % state.seats for n in range(1, state.seats)]
    order = state.callers if state.rules.claim.priority == "ledger" else in_turn
    buyer = next(seat for seat in order if seat in state.callers)
    return _hand_over(step, buyer, state.rules.claim.penalty)


def _hand_over(step: Step, buyer: int, price: int) -> Step:
    state = step.state
    slot = state.pile[-1]
    hands = with_hand(state, buyer, (*state.hands[buyer], slot))
    sold = replace(state, pile=state.pile[:-1], hands=hands, claim="closed", callers=())
    price = min(price, _to_be_drawn(sold))
    step = step.then(sold, ev.Claimed(buyer, cards_of(state, (slot,))[0], price))
    return _penalty_cards(step, buyer, price)


def keep(state: HandState, seat: int, _action: act.Action) -> Step:
    """Let the drawer keep its card and the late caller go without."""
    kept = replace(state, phase=Phase.PLAY, claim="closed", callers=())
    return Step(kept, (ev.Answered(seat, gives=False),))


def give(state: HandState, seat: int, _action: act.Action) -> Step:
    """Give the late caller the discard and the drawn card; the drawer draws anew."""
    drawn = cast("int", state.drawn)
    buyer = state.callers[0]
    kept = tuple(slot for slot in state.hands[seat] if slot != drawn)
    hands = with_hand(replace(state, hands=with_hand(state, seat, kept)), buyer, (*state.hands[buyer], drawn))
    step = Step(replace(state, hands=hands, phase=Phase.PLAY), (ev.Answered(seat, gives=True),), (Want(drawn, buyer),))
    again = from_stock(step.state, seat)
    step = step.then(again.state, *again.events, wants=again.wants)
    return _hand_over(step, buyer, max(0, state.rules.claim.penalty - 1))


_CLAIMS: Final = {"rummy-call": _rummy_call, "knock-claim": _knock_claim, "buy": _buy_call}
