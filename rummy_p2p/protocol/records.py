"""What may stand in the ledger: the body of a record, one kind for each thing that a host, a seat or a peer does there.

What makes the deck and the cards of it are the messages of `deal`; what the players and the host do is here.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

import msgspec

from rummy_p2p.deal import DeckLaid, EntropyCommit, EntropyOpen, Opening
from rummy_p2p.deal.blind_messages import (
    CardFault,
    DeckOk,
    Draw,
    HandOver,
    HandOverFault,
    HandOverShown,
    ShuffleDeck,
    ShuffleFault,
)
from rummy_p2p.deal.blind_messages import Shares as CardShares
from rummy_p2p.deal.keys import KeyAnswer, KeyCommit, KeyComplaint, KeyOk, KeyOpen, KeyShares
from rummy_p2p.protocol.codec import Bytes32, Code, Message
from rummy_p2p.protocol.fields import MAX_PEERS, MAX_SEATS, Blob, Count, SeatNumber, Term


class Roster(Message, frozen=True):
    """First record: the creator's Start as it was signed, and the rules as everybody has them."""

    start: Blob
    rules: Blob


class HostChange(Message, frozen=True):
    """Opens a term: the votes, as they were signed, that made its author the host."""

    term: Term
    votes: Annotated[tuple[Blob, ...], msgspec.Meta(max_length=MAX_PEERS)]


class HandOpen(Message, frozen=True):
    """The host opens a hand. ``without``: peers that take no part in making its deck.

    In the deal by the host it is bound to its secret (``promise``), and those are peers whose bytes were missing in the
    last attempt; in the blind deal there is no promise (`NO_PROMISE`), and whoever is away sits this hand out.
    """

    hand: Count
    epoch: Count
    promise: Bytes32
    without: Annotated[tuple[Bytes32, ...], msgspec.Meta(max_length=MAX_PEERS)]


class Flip(Message, frozen=True):
    """The host shows the cards that the game wants to lie open for all."""

    openings: Annotated[tuple[Opening, ...], msgspec.Meta(min_length=1, max_length=64)]


class Act(Message, frozen=True):
    """A seat's move, in the notation that the player types, with the cards that it shows.

    In the blind deal also with what the move makes its author do with the deck: the draw of the slots that it gets, and
    a drawn slot handed over to another peer.
    """

    seat: SeatNumber
    move: Annotated[str, msgspec.Meta(min_length=1, max_length=1024)]
    openings: Annotated[tuple[Opening, ...], msgspec.Meta(max_length=64)]
    draw: Draw | None = None
    hand_over: HandOver | None = None


class TimeOut(Message, frozen=True):
    """The host ends the turn of a seat whose time is over; ``game``: the match, for its time of the whole game is."""

    seat: SeatNumber
    game: bool = False


class Departure(Message, frozen=True):
    """A peer leaves in the middle of a match: its seats are out."""


class Away(Message, frozen=True):
    """The host says that a peer cannot be reached: the table goes on without waiting for it."""

    peer: Bytes32


class Back(Message, frozen=True):
    """A peer that was away is back."""


class Audit(Message, frozen=True):
    """A peer has checked every proof of this hand's blind deal, and every rule of the hand; names its deck."""

    commitment: Bytes32


class Score(Message, frozen=True):
    """The host closes a hand: its secret, so that all can check its deal, and the totals that the rules give.

    The blind deal leaves nothing to show: the secret is empty.
    """

    secret: Annotated[bytes, msgspec.Meta(max_length=32)]
    totals: Annotated[tuple[int, ...], msgspec.Meta(max_length=MAX_SEATS)]


class Void(Message, frozen=True):
    """The host ends a hand that cannot count: why, and the signed messages that prove it."""

    code: Code
    evidence: Annotated[tuple[Blob, ...], msgspec.Meta(max_length=4)]


Body: TypeAlias = (
    Roster
    | HostChange
    | HandOpen
    | EntropyCommit
    | EntropyOpen
    | DeckLaid
    | Flip
    | KeyCommit
    | KeyOpen
    | KeyShares
    | KeyComplaint
    | KeyAnswer
    | KeyOk
    | ShuffleDeck
    | ShuffleFault
    | DeckOk
    | Draw
    | CardShares
    | HandOverFault
    | HandOverShown
    | CardFault
    | Act
    | TimeOut
    | Departure
    | Away
    | Back
    | Audit
    | Score
    | Void
)
