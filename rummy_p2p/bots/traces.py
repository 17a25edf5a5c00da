"""Traces: what the pile tells about the next player, who threw some of its cards and left the others lying.

The state does not say who threw a card. On turn two players throw in turn, so that it alternates from the top; somebody
who takes a card and throws another has two cards lie on each other. Where a card was dealt to a seat it is known who
threw it, and counting goes on from there. That is right nearly always, and right for the top.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rummy_p2p.cards import Card
from rummy_p2p.engine import View
from rummy_p2p.rules.position import HandState


class Traces(NamedTuple):
    """Cards of the pile, the latest first: what the next player threw, and what it could have taken and did not."""

    thrown: tuple[Card, ...]
    refused: tuple[Card, ...]


def traces(view: View) -> Traces:
    """Return what the pile tells, for two who play."""
    state, upcard = view.state, _upcard(view.state)
    thrown, refused = list[Card](), list[Card]()
    for slot, thrower in _throwers(state):
        card = view.card(slot)
        if card is None or (slot == upcard and len(state.pile) == 1 and not state.declined):
            continue
        by_me = thrower == view.seat or slot == upcard
        (refused if by_me else thrown).append(card)
    return Traces(tuple(thrown), tuple(refused))


def next_hand(view: View) -> tuple[tuple[Card, ...], int]:
    """Return the cards that the next player is known to hold, and how many others it holds."""
    held = view.state.hands[view.state.next_seat(view.seat)]
    shown = tuple(card for slot in held if (card := view.card(slot)) is not None)
    return shown, len(held) - len(shown)


def _throwers(state: HandState) -> Iterator[tuple[int, int]]:
    """Yield the slots of the pile, the top first, and who probably threw each."""
    other = state.next_seat(state.turn)
    thrower = state.turn if state.taken else other
    for slot in reversed(state.pile):
        dealt = _dealt_to(state, slot)
        if dealt is not None and slot != state.pile[-1]:
            thrower = dealt
        yield slot, thrower
        thrower = other if thrower == state.turn else state.turn


def _dealt_to(state: HandState, slot: int) -> int | None:
    """Return the seat that a slot was dealt to at first."""
    players = sum(state.playing)
    place = slot // state.rules.cards_each(players, state.round_index)
    first = state.next_seat(state.dealer)
    if place >= players:
        return None
    return first if place == 0 else state.next_seat(first)


def _upcard(state: HandState) -> int | None:
    """Return the slot that was turned up before anybody played."""
    players = sum(state.playing)
    return players * state.rules.cards_each(players, state.round_index) if state.rules.upcard else None
