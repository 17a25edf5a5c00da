"""The scripted deal: the order of the cards is given and known to whoever holds it (tests, replays, positions)."""

from __future__ import annotations

from collections.abc import Sequence

from rummy_p2p.cards import Card
from rummy_p2p.deal import DealError, DealMessage, Opening


class ScriptedDeal:
    """A deck in a known order; nothing is said, nothing is hidden, an opening needs no proof."""

    def __init__(self, cards: Sequence[Card]) -> None:
        """Lay the cards out: the first one goes into slot 0."""
        self.cards = tuple(cards)

    @property
    def commitment(self) -> bytes | None:
        """Nobody is bound to anything."""
        return None

    def receive(self, author: bytes, message: DealMessage) -> None:
        """Refuse every message: this deck is not made together."""
        del author, message
        raise DealError("entropy-early")

    def messages(self) -> tuple[DealMessage, ...]:
        """Nothing to say."""
        return ()

    def reshuffle(self, first: int, cards: Sequence[Card]) -> None:
        """Put the cards on in the order given: this deal does not shuffle, so that is the order of drawing."""
        if first != len(self.cards):
            raise DealError("no-reshuffle")
        self.cards += tuple(cards)

    def open_private(self, slot: int, seat: int) -> Opening:
        """Open a slot for a seat."""
        del seat
        return self.open_public(slot)

    def open_public(self, slot: int) -> Opening:
        """Open a slot for all."""
        return Opening(slot=slot, card=int(self._card(slot)), proof=b"")

    def verify(self, slot: int, opening: Opening) -> Card:
        """Compare with the script."""
        card = self._card(slot)
        if (opening.slot, opening.card) != (slot, int(card)):
            raise DealError("bad-opening", slot=slot)
        return card

    def _card(self, slot: int) -> Card:
        if not 0 <= slot < len(self.cards):
            raise DealError("no-such-slot", slot=slot)
        return self.cards[slot]
