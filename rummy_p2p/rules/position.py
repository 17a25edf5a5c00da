"""The public state of one hand: which slot lies where, whose turn it is, what has been seen.

A *slot* is a place in the shuffled deck. ``faces[slot]`` is the card that lies there once everybody may know it and
None before; nothing in this state knows a hidden card, on any peer. A reshuffle retires the slots of the pile and deals
out new ones, numbered on from the last.
"""

from __future__ import annotations

import hashlib
from enum import StrEnum
from typing import Final, Literal

import msgspec

from rummy_p2p.cards import Card
from rummy_p2p.melds import Meld
from rummy_p2p.ruleset import Ruleset


class Phase(StrEnum):
    """Where a hand stands; the transitions are the table in ``engine.moves``."""

    DEALING = "dealing"
    OFFER = "offer"
    DRAW = "draw"
    ANSWER = "answer"
    PLAY = "play"
    LAY_OFF = "lay-off"
    COUNT = "count"
    OVER = "over"


# Bound once, for what runs at every action: on the class Python 3.11 finds a member several times slower.
OFFER: Final = Phase.OFFER
DRAW: Final = Phase.DRAW
PLAY: Final = Phase.PLAY
LAY_OFF: Final = Phase.LAY_OFF
COUNT: Final = Phase.COUNT


class Laid(msgspec.Struct, frozen=True):
    """A meld on the table and the seat that laid it."""

    owner: int
    meld: Meld


class ScoreLine(msgspec.Struct, frozen=True):
    """Why a seat got its points: what it is for, the cards that counted, the points."""

    what: str
    points: int
    cards: tuple[Card, ...] = ()


Ending = Literal["", "out", "knock", "gin", "big-gin", "stock", "void"]


class HandState(msgspec.Struct, frozen=True):
    """One hand as everybody sees it. Tuples by seat have one entry per seat of the table."""

    rules: Ruleset
    seats: int
    dealer: int
    playing: tuple[bool, ...]
    round_index: int = 0
    phase: Phase = Phase.DEALING
    turn: int = 0
    stock: tuple[int, ...] = ()  # the next card first
    pile: tuple[int, ...] = ()  # the top card last
    hands: tuple[tuple[int, ...], ...] = ()
    table: tuple[Laid, ...] = ()
    faces: tuple[Card | None, ...] = ()
    opened: tuple[bool, ...] = ()  # has laid own melds
    down: tuple[bool, ...] = ()  # has put any card on the table
    was_down: bool = False  # ... before this turn
    drawn: int | None = None  # slot drawn from the stock this turn
    taken: tuple[int, ...] = ()  # slots taken from the pile this turn, the deepest first
    owed: int | None = None  # slot that must be used before the turn ends
    ready: tuple[bool, ...] = ()  # has drawn already when its turn begins (its last turn timed out)
    discarder: int | None = None  # who put the top of the pile there
    claim: Literal["none", "open", "late", "closed"] = "none"
    callers: tuple[int, ...] = ()  # seats that have asked for the discard, in ledger order
    resume: int | None = None  # whose turn a claim has interrupted
    shuffles: int = 0
    upcard_draws: int = 0
    declined: int = 0  # how many have declined the first upcard
    knocker: int | None = None
    ending: Ending = ""
    winner: int | None = None
    took_all: bool = False
    laid_points: tuple[int, ...] = ()
    laid_before: int = 0  # what the seat on turn had laid before this turn
    points: tuple[int, ...] = ()
    sheet: tuple[tuple[ScoreLine, ...], ...] = ()

    @property
    def over(self) -> bool:
        """Whether the hand has ended and been counted."""
        return self.phase is Phase.OVER

    @property
    def claimable(self) -> bool:
        """Whether a player who is not on turn may still claim the top of the pile."""
        return self.claim == "open" and self.phase is Phase.DRAW

    def top(self) -> Card | None:
        """Return the card on top of the pile, or None when there is no pile."""
        return self.faces[self.pile[-1]] if self.pile else None

    def next_seat(self, seat: int) -> int:
        """Return the next seat, clockwise, that plays in this hand."""
        following = (seat + 1) % self.seats
        while not self.playing[following]:
            following = (following + 1) % self.seats
        return following

    def slot_in_hand(self, seat: int, card: Card) -> int | None:
        """Return the slot of a card whose face is known in the seat's hand, None when it is not there."""
        faces = self.faces
        for slot in self.hands[seat]:
            if faces[slot] == card:
                return slot
        return None

    def digest(self) -> str:
        """Return the hex sha256 of the whole state; the same on every peer that has seen the same records."""
        return hashlib.sha256(snapshot(self)).hexdigest()


def snapshot(state: HandState) -> bytes:
    """Return the state as JSON, without the Ruleset but with its fingerprint."""
    data = {name: getattr(state, name) for name in state.__struct_fields__ if name != "rules"}
    return msgspec.json.encode(data | {"fingerprint": state.rules.fingerprint}, enc_hook=int, order="sorted")
