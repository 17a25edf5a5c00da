"""The deal: who may learn which card, and the proof of it.

The law of this layer
---------------------
* The engine works on slots and asks for faces; the deal answers with *openings* and knows no rules. Neither imports
  the other. A slot is a place in the shuffled deck, 0..N-1; an opening is a slot, its card, and the proof that
  this card was put there before anybody had seen one.
* Messages in, messages out. `receive` takes what some peer said, in the order of the ledger; `messages` tells what this
  peer has to say now. Saying it twice is harmless: it is the same message until it has been received.
* The public part is frozen and equal on all peers (`Transcript` in `committed`): any peer, spectator or replay checks
  an opening with it. What is secret stays in the peer's own Deal and has a repr that hides it.
* Randomness comes in as arguments. Every breach raises DealError with one code and one sentence.

Makers: `scripted` (the order is given: tests, replays, positions) and `committed` (the host shuffles, bound by a
commitment that it gave before the others showed their randomness).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final, Protocol

import msgspec

from rummy_p2p.cards import Card

MAX_CARDS: Final = 512

Hash = Annotated[bytes, msgspec.Meta(min_length=32, max_length=32)]
Slot = Annotated[int, msgspec.Meta(ge=0, lt=MAX_CARDS)]
Proof = Annotated[bytes, msgspec.Meta(max_length=1024)]

SENTENCES: Final = {
    "bad-opening": "The card shown for place {slot} is not the one that was put there before the deal.",
    "not-in-deck": "Place {slot} of the deck holds a card that this deck does not have.",
    "no-such-slot": "The deck has no place {slot}.",
    "entropy-early": "A share of the deck's randomness came when it was not due.",
    "entropy-twice": "A second share of the deck's randomness came from the same player.",
    "entropy-mismatch": "A share of the deck's randomness is not the one that was promised.",
    "entropy-stranger": "A share of the deck's randomness came from somebody who takes no part in this deal.",
    "not-the-dealer": "Only the host lays out this deck.",
    "bad-deck": "The deck laid out does not have {cards} cards.",
    "no-reshuffle": "The pile was shuffled at a moment when it cannot be.",
    "deck-hidden": "This place of the deck cannot be opened here and now: only the host can, once the deck is out.",
    "secret-differs": "The host's secret is not the one it was bound to before the deal.",
    "deck-differs": "The deck was not shuffled as agreed: place {slot} holds another card than it should.",
}


class DealError(Exception):
    """Something about the deck is not as it must be; the text is the sentence for the player."""

    def __init__(self, code: str, **parameters: int | str) -> None:
        """Make the sentence of a code."""
        super().__init__(SENTENCES[code].format(**parameters))
        self.code = code
        self.parameters = parameters


class Opening(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The card in a slot, and what proves it; what the proof is made of is the maker's matter."""

    slot: Slot
    card: Annotated[int, msgspec.Meta(ge=0, lt=1024)]
    proof: Proof


class EntropyCommit(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="entropy-commit"):
    """A peer binds itself to 32 random bytes."""

    commitment: Hash


class EntropyOpen(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="entropy-open"):
    """A peer shows the bytes that it bound itself to."""

    entropy: Hash


class DeckLaid(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="deck-laid"):
    """The host binds itself to every card of the deck, or of a reshuffle: a 32-byte commitment per slot, in order."""

    commitments: Annotated[bytes, msgspec.Meta(min_length=32, max_length=32 * MAX_CARDS)]


DealMessage = EntropyCommit | EntropyOpen | DeckLaid


class Deal(Protocol):
    """One peer's side of one deck."""

    @property
    def commitment(self) -> bytes | None:
        """What the whole deck is bound to; None until it is laid out."""
        ...

    def receive(self, author: bytes, message: DealMessage) -> None:
        """Take in what a peer said; raises DealError and changes nothing when it is not due or not right."""
        ...

    def messages(self) -> tuple[DealMessage, ...]:
        """What this peer has to say now."""
        ...

    def reshuffle(self, first: int, cards: Sequence[Card]) -> None:
        """Known cards become hidden again in new slots, numbered on from ``first``."""
        ...

    def open_private(self, slot: int, seat: int) -> Opening:
        """The opening that one seat's owner is to be sent; DealError when this peer cannot give it."""
        ...

    def open_public(self, slot: int) -> Opening:
        """The opening that everybody may see; DealError when this peer cannot give it."""
        ...

    def verify(self, slot: int, opening: Opening) -> Card:
        """The card in a slot, proven; DealError when the opening does not prove it."""
        ...
