"""What the handlers of ``moves`` and ``claims`` are made of: a step, and the parts that several of them need."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import msgspec

from rummy_p2p.cards import Card
from rummy_p2p.engine import events as ev
from rummy_p2p.rules import actions as act
from rummy_p2p.rules import legality
from rummy_p2p.rules.position import DRAW, PLAY, HandState

replace = msgspec.structs.replace


class Want(msgspec.Struct, frozen=True):
    """A slot that is to be opened, to one seat (``seat``) or to everybody (None)."""

    slot: int
    seat: int | None = None


class Step(msgspec.Struct, frozen=True):
    """What an action came to: the new state, what happened, what is to be opened."""

    state: HandState
    events: tuple[ev.Event, ...] = ()
    wants: tuple[Want, ...] = ()

    def then(self, state: HandState, *events: ev.Event, wants: tuple[Want, ...] = ()) -> Step:
        """Return this step followed by more."""
        return Step(state, self.events + events, self.wants + wants)


Handler = Callable[[HandState, int, act.Action], Step]


def from_stock(state: HandState, seat: int, why: str = "draw") -> Step:
    """Move the next stock card into a hand, shuffling the pile first when the stock is out."""
    step = Step(state)
    if legality.verify_draw(state):
        step = _reshuffle(state)
    state = step.state
    slot, rest = state.stock[0], state.stock[1:]
    hands = with_hand(state, seat, (*state.hands[seat], slot))
    state = replace(state, stock=rest, hands=hands, drawn=slot if why == "draw" else state.drawn)
    want = () if state.faces[slot] is not None else (Want(slot, seat),)
    return step.then(state, ev.Drew(seat, slot, why), wants=want)


def _reshuffle(state: HandState) -> Step:
    """Shuffle the pile without its top: its slots are retired, as many new ones become the stock."""
    first = len(state.faces)
    cards = cards_of(state, state.pile[:-1])
    slots = tuple(range(first, first + len(cards)))
    retired = state.pile[:-1]
    known = tuple(None if slot in retired else face for slot, face in enumerate(state.faces))
    faces = (*known, *(None for _ in slots))
    state = replace(state, stock=slots, pile=state.pile[-1:], faces=faces, shuffles=state.shuffles + 1)
    return Step(state, (ev.Reshuffled(cards, slots),))


def closed_claim(state: HandState) -> str:
    """Return the claim once the discard can no longer be asked for."""
    return "none" if state.claim == "none" else "closed"


def begin_turn(step: Step, seat: int) -> Step:
    """Give the turn to a seat; one that had drawn when its clock ran out goes on without a draw (RULES A31).

    Then there is no draw that closes the claim of the discard, so it is closed at once.
    """
    state = step.state
    ready = state.ready[seat]
    state = replace(
        state,
        phase=PLAY if ready else DRAW,
        claim=closed_claim(state) if ready else state.claim,
        turn=seat,
        was_down=state.down[seat],
        laid_before=state.laid_points[seat],
        drawn=None,
        taken=(),
        owed=None,
        ready=with_flag(state.ready, seat, value=False) if ready else state.ready,
    )
    return step.then(state, ev.Turn(seat))


def with_flag(values: tuple[bool, ...], seat: int, *, value: bool) -> tuple[bool, ...]:
    """Return the flags of all seats with that of one seat set."""
    return (*values[:seat], value, *values[seat + 1 :])


def with_hand(state: HandState, seat: int, hand: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Return the hands of all seats with that of one seat in place of what it held."""
    return (*state.hands[:seat], hand, *state.hands[seat + 1 :])


def cards_of(state: HandState, slots: tuple[int, ...]) -> tuple[Card, ...]:
    """Return the cards of slots that everybody has seen."""
    return tuple([cast("Card", state.faces[slot]) for slot in slots])
