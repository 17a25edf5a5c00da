"""What peers say to each other about a blind deal; what each is for stands in `blind`.

Points and scalars are 32 bytes each, strung together in the order of the slots that they belong to.
"""

from __future__ import annotations

from typing import Annotated, Final, TypeAlias

import msgspec

from rummy_p2p.deal import MAX_CARDS, Hash, Slot
from rummy_p2p.deal.group import SIZE
from rummy_p2p.deal.keys import Box72, Proof64, Scalar32
from rummy_p2p.deal.proofs import PROOF_SIZE
from rummy_p2p.deal.shuffle import MAX_DECK, proof_size

MAX_SLOTS: Final = 64  # in one message: a hand, or the cards that a count opens
OPENING_SIZE: Final = SIZE + SIZE + PROOF_SIZE

Epoch: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=1 << 16)]
Slots: TypeAlias = Annotated[tuple[Slot, ...], msgspec.Meta(min_length=1, max_length=MAX_SLOTS)]
Points: TypeAlias = Annotated[bytes, msgspec.Meta(min_length=SIZE, max_length=SIZE * MAX_SLOTS)]
Point32: TypeAlias = Annotated[bytes, msgspec.Meta(min_length=SIZE, max_length=SIZE)]
OpeningProof: TypeAlias = Annotated[bytes, msgspec.Meta(min_length=OPENING_SIZE, max_length=OPENING_SIZE)]


class ShuffleDeck(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="shuffle-deck"):
    """A peer's turn: the deck as it has shuffled it, and the proof. ``after`` names the deck that it took up."""

    epoch: Epoch
    after: Hash
    deck: Annotated[bytes, msgspec.Meta(min_length=2 * SIZE, max_length=2 * SIZE * MAX_DECK)]
    proof: Annotated[bytes, msgspec.Meta(min_length=proof_size(1), max_length=proof_size(MAX_DECK))]


class ShuffleFault(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="shuffle-fault"):
    """A peer has found the proof of a turn to be wrong; everybody looks, and one of the two is convicted."""

    epoch: Epoch
    turn: Annotated[int, msgspec.Meta(ge=0, lt=MAX_CARDS)]


class DeckOk(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="deck-ok"):
    """A peer has checked every shuffle and signs the deck commitment."""

    commitment: Hash


class Draw(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="draw"):
    """A peer draws slots: a blinded point b = c1 + r*G for each, and a proof that it knows r."""

    slots: Slots
    points: Points
    proofs: Annotated[bytes, msgspec.Meta(min_length=PROOF_SIZE, max_length=PROOF_SIZE * MAX_SLOTS)]


class SharePart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A peer's share s_m*b of every point of one request, and one proof for all of them."""

    request: Hash
    points: Points
    proof: Proof64


class Shares(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="shares"):
    """A peer's shares for one or more requests."""

    parts: Annotated[tuple[SharePart, ...], msgspec.Meta(min_length=1, max_length=MAX_SLOTS)]


class HandOver(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="hand-over"):
    """The owner of a drawn slot gives it to another peer: r in a box, and its own share for everybody."""

    slot: Slot
    to: Hash
    box: Box72
    share: Point32
    proof: Proof64


class HandOverFault(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="hand-over-fault"):
    """The new owner did not find the right r in the box."""

    slot: Slot


class HandOverShown(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="hand-over-shown"):
    """The giver shows everybody the r that it had put into the box."""

    slot: Slot
    factor: Scalar32


class CardFault(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="card-fault"):
    """The owner of slots that open to no card, or to one that was seen before, opens them for everybody."""

    slots: Slots
    proofs: Annotated[tuple[OpeningProof, ...], msgspec.Meta(min_length=1, max_length=MAX_SLOTS)]


BlindMessage: TypeAlias = (
    ShuffleDeck | ShuffleFault | DeckOk | Draw | Shares | HandOver | HandOverFault | HandOverShown | CardFault
)
