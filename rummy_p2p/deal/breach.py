"""What can be wrong with a blind deal: a code, one sentence for the player, and who is to blame.

    DealError
    `-- Breach      a DealError that knows its culprit; None when what happened convicts nobody

The law of this file
--------------------
* A code in `CONVICTING` cannot come from an honest program, whatever the network did and whatever the host ordered:
  its author alone is to blame. Whoever judges a message attaches the author (`Breach.blame`).
* Every other code can also come from a race, a host that forked or a peer that vanished: it refuses the message and
  convicts nobody.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from rummy_p2p.deal import SENTENCES as DEAL_SENTENCES
from rummy_p2p.deal import DealError

SENTENCES: Final = {
    # the group and its proofs
    "old-libsodium": "The cryptography on this machine accepts points that it must refuse. Update PyNaCl to 1.6.2 or "
    "later, or let the host deal (--deal host).",
    "bad-point": "A player sent a number that is not a point of the group. The player runs a changed program.",
    "bad-scalar": "A player sent a number that is out of range. The player runs a changed program.",
    "bad-proof": "A proof that came with a card is wrong. The player runs a changed program.",
    # key generation
    "key-not-due": "A message about the table's key came when it was not due.",
    "key-differs": "Two players do not agree on the table's key. The key is made again.",
    "key-mismatch": "A player's part of the table's key is not the one that was promised.",
    "bad-key-vector": "A player's part of the table's key has the wrong length.",
    "bad-key-share": "A player gave another a wrong share of the table's key.",
    "no-key": "The table's key is not made yet.",
    # shuffle and deck
    "too-many-cards": "A deck of {cards} cards is too large to be shuffled blindly; the limit is {limit}.",
    "deal-not-due": "A message about the deck came when it was not due.",
    "bad-shuffle": "The proof of a shuffle is wrong: the deck was not just shuffled. The hand is dealt again.",
    "deck-disagreed": "Two players do not agree on the shuffled deck. The hand is dealt again.",
    "hand-void": "This hand cannot go on; it is dealt again.",
    # drawing and showing
    "slot-taken": "Place {slot} of the deck has been drawn already.",
    "bad-draw": "The proof that came with a drawn card is wrong. The player runs a changed program.",
    "repeated-factor": "A drawn card was hidden with a number that was used before.",
    "no-such-request": "A share came for a card that nobody has drawn.",
    "share-twice": "A second share for one card came from the same player.",
    "bad-share": "A share that opens a card is wrong. The player runs a changed program.",
    "too-few-shares": "The card in place {slot} cannot be opened yet: shares of other players are missing.",
    "second-point": "Place {slot} of the deck was drawn a second time in another way. No second share is given for it.",
    "not-yours": "A player showed the card in place {slot}, which that player does not hold.",
    "seen-before": "The card shown for place {slot} has been seen in another place.",
    "bad-hand-over": "The number that opens the card in place {slot} was wrong when the card was handed over.",
    "no-factor": "This program no longer has the number that opens the card in place {slot}.",
    "no-hand-over": "No card was handed over in place {slot}.",
    # accusations
    "no-card": "A place of the deck holds no card of this deck, or one that was seen before. The hand is dealt again.",
    "false-fault": "A player claimed that the deck was wrong, and it was not.",
}
CONVICTING: Final = frozenset(
    {
        "bad-point",
        "bad-scalar",
        "bad-proof",
        "key-mismatch",
        "bad-key-vector",
        "bad-key-share",
        "bad-shuffle",
        "bad-draw",
        "repeated-factor",
        "bad-share",
        "not-yours",
        "bad-opening",
        "bad-hand-over",
        "false-fault",
    }
)
_ALL: Final = DEAL_SENTENCES | SENTENCES


class Breach(DealError):
    """Something about the blind deal is not as it must be; ``culprit`` is the id of the peer that it convicts."""

    def __init__(self, code: str, culprit: bytes | None = None, **parameters: int | str) -> None:
        """Make the sentence of a code."""
        Exception.__init__(self, _ALL[code].format(**parameters))
        self.code = code
        self.culprit = culprit
        self.parameters = parameters

    def blame(self, author: bytes) -> None:
        """Note the author of the message that was judged, when a breach of this kind convicts and nobody is named."""
        if self.culprit is None and self.code in CONVICTING:
            self.culprit = author


@contextmanager
def named(code: str, slot: int | None = None) -> Iterator[None]:
    """Call a proof that turns out wrong in here by what it was to prove."""
    try:
        yield
    except Breach as breach:
        if breach.code != "bad-proof":
            raise
        where = {} if slot is None else {"slot": slot}
        raise Breach(code, None, **where) from breach
