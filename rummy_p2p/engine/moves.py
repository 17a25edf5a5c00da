"""The state machine of a hand.

Law of the file. A hand is in one phase; ``_TABLE`` says for every phase what each action does there: a handler that
moves on, or the code with which it is refused. ``apply(state, seat, action, shown)`` judges what is public, returns a
new state and changes nothing when it refuses. Faces come in as ``shown`` (slot -> card), verified by the deal; what the
engine would like to have opened goes out as wants. Nothing here knows a game by its name.

    DEALING --upcard--> DRAW (or OFFER) --draw, take--> PLAY --discard--> DRAW of the next seat
    DRAW --call--> DRAW (card to the caller) or PLAY of the caller (the turn jumps)
    PLAY --call, late--> ANSWER --keep, give--> PLAY
    PLAY --knock--> LAY_OFF --done--> COUNT; PLAY --last card--> COUNT; COUNT --show of all--> OVER
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, cast

from rummy_p2p.arrange import least_deadwood
from rummy_p2p.cards import Card
from rummy_p2p.engine import claims
from rummy_p2p.engine import events as ev
from rummy_p2p.engine.steps import (
    Handler,
    Step,
    begin_turn,
    cards_of,
    closed_claim,
    from_stock,
    replace,
    with_flag,
    with_hand,
)
from rummy_p2p.melds import Piece
from rummy_p2p.rules import actions as act
from rummy_p2p.rules import legality
from rummy_p2p.rules.functions import ask_function, laid_points
from rummy_p2p.rules.legality import IllegalAction
from rummy_p2p.rules.position import COUNT, PLAY, Ending, HandState, Laid, Phase
from rummy_p2p.rules.scoring import cards_left, count, hand_points, summary


def apply(state: HandState, seat: int, action: act.Action, shown: Mapping[int, Card]) -> Step:
    """Return the step of an action, or raise IllegalAction and leave everything as it was."""
    handler = _handler(state, seat, action)
    return count_if_shown(handler(attach(state, shown), seat, action))


def judged(state: HandState, seat: int, action: act.Action) -> bool:
    """Raise what ``apply`` would raise, without making the step; False where only the step can tell.

    The faces that the action opens are attached to the state.
    """
    verify = _VERIFIED.get(type(action))
    if verify is None or state.callers or state.owed is not None or state.rules.functions:
        return False
    owes = type(action) is act.Take and state.rules.draw.must_use != "no"
    if owes or len(action.cards()) == len(state.hands[seat]):  # or it goes out
        return False
    _handler(state, seat, action)
    verify(state, seat, action)
    return True


def attach(state: HandState, shown: Mapping[int, Card]) -> HandState:
    """Return the state with faces attached to slots; ``invalid-deal`` when a card would lie in two places."""
    if not shown:
        return state
    faces, size = list(state.faces), len(state.faces)
    known = faces if len(shown) == 1 else set(faces)  # one card is found sooner than a set is made
    for slot, card in shown.items():
        if not 0 <= slot < size or (faces[slot] != card and (faces[slot] is not None or card in known)):
            raise IllegalAction("invalid-deal")
        faces[slot] = card
    if len(shown) > 1 and len(set(shown.values())) < len(shown):
        raise IllegalAction("invalid-deal")
    return replace(state, faces=tuple(faces))


def _handler(state: HandState, seat: int, action: act.Action) -> Handler:
    kind = type(action)
    found = _TABLE[state.phase].get(kind, "option-off")
    if kind is act.Add and state.ending in ("gin", "big-gin"):
        raise IllegalAction("gin-no-layoff", "going_out.how")
    if found == "hand-over" or (found is _show and seat not in unshown(state)):
        raise IllegalAction("hand-over")
    on_turn = seat == state.turn or kind in _OUT_OF_TURN
    if not 0 <= seat < state.seats or not state.playing[seat] or not on_turn:
        raise IllegalAction("not-your-turn", turn=state.turn)
    if isinstance(found, str):
        raise IllegalAction(found)
    return found


# --- drawing ---------------------------------------------------------------------------------------------------------


def _draw(state: HandState, seat: int, _action: act.Action) -> Step:
    step = from_stock(replace(state, phase=PLAY, claim=_claim_after_draw(state)), seat)
    return claims.sell(step, seat) if state.callers else step


def _claim_after_draw(state: HandState) -> str:
    late = state.claim == "open" and state.rules.claim.kind == "buy" and not state.callers
    return "late" if late else closed_claim(state)


def _take(state: HandState, seat: int, action: act.Action) -> Step:
    take = cast("act.Take", action)
    legality.verify_take(state, take)
    count = take.count
    slots = state.pile[-count:]
    draw = state.rules.draw
    bound = draw.must_use_who == "everybody" or not state.opened[seat]
    owes = draw.must_use != "no" and bound and (count > 1 or draw.must_use_top)
    state = replace(
        state,
        phase=PLAY,
        pile=state.pile[:-count],
        hands=with_hand(state, seat, (*state.hands[seat], *slots)),
        taken=(*state.taken, *slots),
        owed=slots[0] if owes else None,
        upcard_draws=state.upcard_draws + 1,
        claim=closed_claim(state),
        callers=(),
    )
    return Step(state, (ev.Took(seat, cards_of(state, slots)),))


def _turn_over(state: HandState, seat: int, _action: act.Action) -> Step:
    legality.verify_turn_over(state)
    shuffles = state.shuffles + 1
    turned = replace(state, stock=state.pile, pile=(), shuffles=shuffles, claim=closed_claim(state), callers=())
    return Step(turned, (ev.TurnedOver(seat, len(state.pile)),))


def _pass(state: HandState, seat: int, _action: act.Action) -> Step:
    legality.verify_pass(state)
    step = Step(state, (ev.Passed(seat),))
    if state.phase is Phase.OFFER:
        return _decline(step, seat)
    return _end(step, "void" if state.rules.stock_out.what == "void" else "stock", None)


def _decline(step: Step, seat: int) -> Step:
    """Offer the first upcard to the next seat; when everybody has declined it, the first seat draws."""
    state = step.state
    other = state.next_seat(seat)
    everybody = state.declined + 1 == sum(state.playing)
    phase = Phase.DRAW if everybody else Phase.OFFER
    return step.then(replace(state, turn=other, declined=state.declined + 1, phase=phase), ev.Turn(other))


# --- playing ---------------------------------------------------------------------------------------------------------


def _lay(state: HandState, seat: int, action: act.Action) -> Step:
    lay = cast("act.Lay", action)
    melds = legality.verify_lay(state, seat, lay)
    step = Step(_lay_down(state, seat, lay.cards(), tuple(Laid(seat, meld) for meld in melds)))
    for offset, meld in enumerate(melds):
        points = laid_points(meld, state.rules)
        number = len(state.table) + offset + 1
        event = ev.MeldLaid(seat, number, meld, points, opens=not state.opened[seat] and offset == 0)
        step = step.then(_score_laid(step.state, seat, points), event)
    opened = with_flag(state.opened, seat, value=True)
    return _out_if_empty(replace(step, state=replace(step.state, opened=opened)), seat)


def _add(state: HandState, seat: int, action: act.Action) -> Step:
    add = cast("act.Add", action)
    index, grown = legality.verify_add(state, seat, add)
    laid = state.table[index]
    worth = laid_points(grown, state.rules) - laid_points(laid.meld, state.rules)
    table = (*state.table[:index], Laid(laid.owner, grown), *state.table[index + 1 :])
    after = _score_laid(replace(_lay_down(state, seat, add.cards(), ()), table=table), seat, worth)
    step = Step(after, (ev.LaidOff(seat, add.piece.card, index + 1, grown),))
    return step if state.phase is Phase.LAY_OFF else _out_if_empty(step, seat)


def _swap(state: HandState, seat: int, action: act.Action) -> Step:
    swap = cast("act.Swap", action)
    index, meld, joker = legality.verify_swap(state, seat, swap)
    laid = state.table[index]
    slot = state.faces.index(joker)
    state = _lay_down(state, seat, (swap.card,), ())
    state = replace(
        state,
        table=(*state.table[:index], Laid(laid.owner, meld), *state.table[index + 1 :]),
        hands=with_hand(state, seat, (*state.hands[seat], slot)),
    )
    return Step(state, (ev.Swapped(seat, swap.card, index + 1),))


def _discard(state: HandState, seat: int, action: act.Action) -> Step:
    discard = cast("act.Discard", action)
    slot = legality.verify_discard(state, seat, discard)
    events = (ev.Discarded(seat, discard.card),)
    if len(state.hands[seat]) == 1:
        return _went_out(Step(_to_pile(state, seat, slot), events), seat)
    claim = "open" if state.rules.claim.kind != "none" else "none"
    return _end_turn(Step(_to_pile(state, seat, slot, discarder=seat, claim=claim), events), seat)


def _end_turn(step: Step, seat: int) -> Step:
    """End the hand when the stock rule says so, otherwise give the turn to the next seat."""
    state = step.state
    knob = state.rules.stock_out
    if knob.what == "hand-ends" and not state.stock:
        return _end(step, "stock", None)
    cap = state.rules.draw.upcard_cap
    if cap is not None and state.upcard_draws >= cap:
        return _end(step, "void", None)
    if knob.what == "void" and _is_dead(state):
        return _end(step, "void", None)
    following = state.next_seat(seat) if state.resume is None else state.resume
    if state.callers or state.resume is not None:
        step = replace(step, state=replace(state, callers=(), resume=None))
    return begin_turn(step, following)


def _is_dead(state: HandState) -> bool:
    """Whether too few cards are left in the stock; with the last-card knob one more seat may take the discard."""
    knob = state.rules.stock_out
    one_more_seat = knob.last_card_action and state.drawn is not None
    return len(state.stock) <= knob.at and not one_more_seat


def time_out(state: HandState) -> Step:
    """End the turn by the clock: a drawn card stays, cards taken from the pile and not used go back (RULES A31).

    An offered upcard counts as declined; after a knock nothing more is laid off.
    """
    if state.phase in (Phase.DEALING, Phase.COUNT, Phase.OVER):
        raise IllegalAction("hand-over")
    step = Step(state, (ev.TimedOut(state.turn),))
    return count_if_shown(_TIMED_OUT.get(state.phase, _put_back)(step, state.turn))


def _put_back(step: Step, seat: int) -> Step:
    state = step.state
    back = tuple(slot for slot in state.taken if slot in state.hands[seat])
    kept = tuple(slot for slot in state.hands[seat] if slot not in back)
    drew = state.phase in (Phase.PLAY, Phase.ANSWER) and not back
    state = replace(
        state,
        hands=with_hand(state, seat, kept),
        pile=(*state.pile, *back),
        ready=with_flag(state.ready, seat, value=drew),
        claim=closed_claim(state),
    )
    return _end_turn(replace(step, state=state), seat)


# --- knocking --------------------------------------------------------------------------------------------------------


def _knock(state: HandState, seat: int, action: act.Action) -> Step:
    knock = cast("act.Knock", action)
    if legality.going_out(state) == "knock" and knock.melds is None:
        knock = replace(knock, melds=_best_melds(state, seat, knock))
    slot, melds, deadwood = legality.verify_knock(state, seat, knock)
    laid = tuple(piece.card for pieces in knock.melds or () for piece in pieces)
    after = _lay_down(state, seat, laid, tuple(Laid(seat, meld) for meld in melds))
    events: tuple[ev.Event, ...] = ()
    if slot is not None and knock.card is not None:
        after = _to_pile(after, seat, slot)
        events = (ev.Discarded(seat, knock.card),)
    points = hand_points(deadwood, state.rules)
    after = replace(after, knocker=seat, opened=with_flag(state.opened, seat, value=True))
    numbered = tuple(ev.MeldLaid(seat, n, meld, laid_points(meld, state.rules)) for n, meld in enumerate(melds, 1))
    step = Step(after, (*events, ev.Knocked(seat, points), *numbered))
    if deadwood:
        other = after.next_seat(seat)
        return step.then(replace(after, phase=Phase.LAY_OFF, turn=other, claim="none"), ev.Turn(other))
    return _end(step, "big-gin" if slot is None else "gin", seat)


def _best_melds(state: HandState, seat: int, knock: act.Knock) -> tuple[tuple[Piece, ...], ...]:
    hand = [card for card in cards_left(state, seat) if card != knock.card]
    return tuple(meld.pieces() for meld in least_deadwood(hand, state.rules).melds)


def _done(state: HandState, seat: int, _action: act.Action) -> Step:
    return _finish_lay_off(Step(state), seat)


def _finish_lay_off(step: Step, seat: int) -> Step:
    return _end(step.then(step.state, ev.Finished(seat)), "knock", None)


# --- ending and counting ---------------------------------------------------------------------------------------------


def _out_if_empty(step: Step, seat: int) -> Step:
    return step if step.state.hands[seat] else _went_out(step, seat)


def _went_out(step: Step, seat: int) -> Step:
    state = step.state
    allowed = ask_function(state.rules, "may_go_out", summary(state, seat))
    if allowed is not None and not allowed:
        raise IllegalAction("option-off", "functions.may_go_out")
    at_once = not state.was_down
    return _end(step.then(replace(state, took_all=at_once), ev.WentOut(seat, at_once)), "out", seat)


def _end(step: Step, ending: Ending, winner: int | None) -> Step:
    state = replace(step.state, phase=Phase.COUNT, ending=ending, winner=winner, claim="none", callers=())
    return step.then(state, ev.HandEnded(ending, winner))


def _show(state: HandState, seat: int, _action: act.Action) -> Step:
    if any(state.faces[slot] is None for slot in state.hands[seat]):
        raise IllegalAction("not-in-hand", card="")
    return Step(state, (ev.Shown(seat, cards_left(state, seat)),))


def unshown(state: HandState) -> tuple[int, ...]:
    """Return the seats that still have to show their cards before the hand can be counted."""
    if state.phase is not COUNT or state.ending == "void":
        return ()
    return tuple(seat for seat in range(state.seats) if any(state.faces[slot] is None for slot in state.hands[seat]))


def count_if_shown(step: Step) -> Step:
    """Count the hand when it has ended and everything needed has been shown."""
    state = step.state
    if state.phase is not COUNT or unshown(state):
        return step
    winner, sheet = count(state)
    points = tuple(sum(line.points for line in lines) for lines in sheet)
    scored = replace(state, phase=Phase.OVER, winner=winner, points=points, sheet=sheet)
    return step.then(scored, ev.Scored(points, sheet, winner))


# --- small parts -----------------------------------------------------------------------------------------------------


def _lay_down(state: HandState, seat: int, cards: tuple[Card, ...], melds: tuple[Laid, ...]) -> HandState:
    """Take cards out of a hand and put melds on the table."""
    gone = legality.slots_of(state, seat, cards)
    kept = tuple([slot for slot in state.hands[seat] if slot not in gone])
    owed = None if state.owed in gone else state.owed
    down = with_flag(state.down, seat, value=True)
    claim = "closed" if state.claim == "late" else state.claim
    return replace(
        state,
        hands=with_hand(state, seat, kept),
        table=(*state.table, *melds),
        owed=owed,
        down=down,
        claim=claim,
        callers=() if state.phase is Phase.ANSWER else state.callers,
        phase=Phase.PLAY if state.phase is Phase.ANSWER else state.phase,
    )


def _to_pile(state: HandState, seat: int, slot: int, **others: object) -> HandState:
    """Put a card of a hand on the pile, and change what else is named."""
    hand = state.hands[seat]
    at = hand.index(slot)
    hands = with_hand(state, seat, hand[:at] + hand[at + 1 :])
    return replace(state, hands=hands, pile=(*state.pile, slot), **others)


def _score_laid(state: HandState, seat: int, points: int) -> HandState:
    laid = state.laid_points
    return replace(state, laid_points=(*laid[:seat], laid[seat] + points, *laid[seat + 1 :]))


# What is refused by nothing but its verify function.
_VERIFIED: Final[dict[type[act.Action], Callable[[HandState, int, Any], object]]] = {
    act.Draw: lambda state, _seat, _action: legality.verify_draw(state),
    act.Take: lambda state, _seat, action: legality.verify_take(state, action),
    act.TurnOver: lambda state, _seat, _action: legality.verify_turn_over(state),
    act.Pass: lambda state, _seat, _action: legality.verify_pass(state),
    act.Lay: legality.verify_lay,
    act.Add: legality.verify_add,
    act.Swap: legality.verify_swap,
    act.Discard: legality.verify_discard,
}
_TIMED_OUT: Final[dict[Phase, Callable[[Step, int], Step]]] = {
    Phase.OFFER: _decline,
    Phase.LAY_OFF: _finish_lay_off,
}
_OUT_OF_TURN: Final = (act.Call, act.Show)
_PLAYING: Final[dict[type[act.Action], Handler | str]] = {
    act.Draw: "already-drawn",
    act.Take: "already-drawn",
    act.TurnOver: "already-drawn",
    act.Pass: "already-drawn",
    act.Lay: _lay,
    act.Add: _add,
    act.Swap: _swap,
    act.Discard: _discard,
    act.Knock: _knock,
    act.Call: claims.call,
}
_NOT_DRAWN: Final[dict[type[act.Action], Handler | str]] = dict.fromkeys(
    (act.Lay, act.Add, act.Swap, act.Discard, act.Knock), "draw-first"
)
_ENDED: Final[dict[type[act.Action], Handler | str]] = dict.fromkeys(
    (act.Draw, act.Take, act.TurnOver, act.Pass, act.Lay, act.Add, act.Swap, act.Discard, act.Knock, act.Call, act.Done,
     act.Keep, act.Give, act.Show), "hand-over"
)  # fmt: skip
_TABLE: Final[dict[Phase, dict[type[act.Action], Handler | str]]] = {
    Phase.DEALING: dict.fromkeys(_ENDED, "draw-first"),
    Phase.OFFER: {**_NOT_DRAWN, act.Take: _take, act.Pass: _pass, act.Call: claims.call},
    Phase.DRAW: {
        **_NOT_DRAWN,
        act.Draw: _draw,
        act.Take: _take,
        act.TurnOver: _turn_over,
        act.Pass: _pass,
        act.Call: claims.call,
    },
    Phase.ANSWER: {**_PLAYING, act.Keep: claims.keep, act.Give: claims.give},
    Phase.PLAY: _PLAYING,
    Phase.LAY_OFF: {act.Add: _add, act.Done: _done, act.Call: claims.call},
    Phase.COUNT: {**_ENDED, act.Show: _show},
    Phase.OVER: _ENDED,
}
