"""The committed deal: the host shuffles, but cannot choose the shuffle.

The law of this file
--------------------
1. The host binds itself to 32 secret bytes before anybody else has said anything (it does so when it opens the hand).
2. Every peer binds itself to 32 random bytes (stage COMMIT); when all have, every peer shows them (stage OPEN).
3. seed = hash(secret, everybody's bytes). The host shuffles with it and binds itself to every card: a commitment per
   slot, salted from the seed (stage LAY). Their root is the *deck commitment*. Then cards may move (stage DEALT).
4. An opening is (card, salt); everybody checks it at once against the slot's commitment.
5. When the pile is shuffled in the middle of a hand, the known cards become a new *layer* of slots: shuffled from the
   same secret and bytes, and committed to by the host (stage LAY again) before one of them moves.
6. After the hand the host shows its secret and everybody recomputes the whole (`audit`).

Everything is bound to `context`: a hash of match, hand, attempt, rules and peers, so that nothing fits elsewhere.
The host cannot stack the deck, because it is bound to its secret before it sees the others' bytes, and the others
cannot because they do not know the secret. The host can see the deck: that is what the blind deal is for. A host may
break off a deal whose outcome it dislikes by claiming that somebody did not show their bytes: the ledger says so for
all to see.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from enum import Enum
from typing import Final

import msgspec

from rummy_p2p.cards import Card
from rummy_p2p.deal import DealError, DealMessage, DeckLaid, EntropyCommit, EntropyOpen, Opening

SECRET_BYTES: Final = 32
_WORD: Final = 4
_BLOCK: Final = 256 * _WORD


class Stage(Enum):
    """How far a deal has come: named for what is still missing."""

    COMMIT = "commit"
    OPEN = "open"
    LAY = "lay"
    DEALT = "dealt"


NEXT: Final = {
    # stage: (message that it waits for, stage when all of them are there)
    Stage.COMMIT: (EntropyCommit, Stage.OPEN),
    Stage.OPEN: (EntropyOpen, Stage.LAY),
    Stage.LAY: (DeckLaid, Stage.DEALT),
}


class Spec(msgspec.Struct, frozen=True):
    """What a deal is about: its context, the cards in pack order, the host, and the peers whose bytes go into it."""

    context: bytes
    cards: tuple[Card, ...]
    host: bytes
    peers: tuple[bytes, ...]


class Layer(msgspec.Struct, frozen=True):
    """A run of slots that were shuffled together: the first slot, the cards before the shuffle, the commitments."""

    first: int
    cards: tuple[Card, ...]
    commitments: bytes = b""

    def __contains__(self, slot: int) -> bool:
        return self.first <= slot < self.first + len(self.cards)

    def commitment_of(self, slot: int) -> bytes:
        at = 32 * (slot - self.first)
        return self.commitments[at : at + 32]


class Transcript(msgspec.Struct, frozen=True):
    """All that is public about a deal; frozen, and equal on every peer that has seen the same messages."""

    spec: Spec
    promise: bytes
    layers: tuple[Layer, ...]
    stage: Stage = Stage.COMMIT
    promises: tuple[tuple[bytes, bytes], ...] = ()
    entropies: tuple[tuple[bytes, bytes], ...] = ()

    @property
    def commitment(self) -> bytes | None:
        """The deck commitment: the root over the commitments of all slots of the deck."""
        laid = self.layers[0].commitments
        return digest("deck", self.spec.context, laid) if laid else None

    @property
    def joint(self) -> bytes:
        """A public random value that all peers made together; known once all have shown their bytes."""
        if self.stage in {Stage.COMMIT, Stage.OPEN}:
            raise DealError("deck-hidden")
        return digest("joint", self.spec.context, *self._in_order())

    def missing(self) -> tuple[bytes, ...]:
        """The peers for whose message the stage waits."""
        if self.stage is Stage.LAY:
            return (self.spec.host,)
        said = {Stage.COMMIT: self.promises, Stage.OPEN: self.entropies, Stage.DEALT: ()}[self.stage]
        done = {peer for peer, _ in said}
        return () if self.stage is Stage.DEALT else tuple(peer for peer in self.spec.peers if peer not in done)

    def receive(self, author: bytes, message: DealMessage) -> Transcript:
        """Return the transcript with a message in it; raises DealError when it is not due or not right."""
        expected = NEXT[self.stage][0] if self.stage in NEXT else None
        if expected is None or not isinstance(message, expected):
            raise DealError("entropy-early")
        if isinstance(message, DeckLaid):
            return self._lay(author, message)
        self._require_due(author)
        if isinstance(message, EntropyCommit):
            return self._moved(promises=self.promises + ((author, message.commitment),))
        made = promise_entropy(self.spec.context, author, message.entropy)
        if not hmac.compare_digest(dict(self.promises)[author], made):
            raise DealError("entropy-mismatch")
        return self._moved(entropies=self.entropies + ((author, message.entropy),))

    def reshuffle(self, first: int, cards: Sequence[Card]) -> Transcript:
        """Return the transcript waiting for the host to lay out known cards anew, in slots from ``first`` on."""
        last = self.layers[-1]
        if self.stage is not Stage.DEALT or first != last.first + len(last.cards) or not cards:
            raise DealError("no-reshuffle")
        layer = Layer(first, tuple(sorted(cards)))
        return msgspec.structs.replace(self, layers=self.layers + (layer,), stage=Stage.LAY)

    def layer_of(self, slot: int) -> Layer:
        """The layer that a slot belongs to; DealError when there is none or it is not laid out yet."""
        layer = next((layer for layer in self.layers if slot in layer), None)
        if layer is None:
            raise DealError("no-such-slot", slot=slot)
        if not layer.commitments:
            raise DealError("deck-hidden")
        return layer

    def verify(self, slot: int, opening: Opening) -> Card:
        """The card in a slot, proven by its salt."""
        layer = self.layer_of(slot)
        made = self.commit_to(opening)
        if opening.slot != slot or not hmac.compare_digest(made, layer.commitment_of(slot)):
            raise DealError("bad-opening", slot=slot)
        card = Card(opening.card)
        if card not in layer.cards:
            raise DealError("not-in-deck", slot=slot)
        return card

    def audit(self, secret: bytes) -> None:
        """Recompute the whole deal from the host's secret; raises DealError with what differs."""
        if not hmac.compare_digest(self.promise, promise_secret(self.spec.context, secret)):
            raise DealError("secret-differs")
        for layer in self.layers:
            for opening in self.lay_out(layer, secret):
                if self.commit_to(opening) != layer.commitment_of(opening.slot):
                    raise DealError("deck-differs", slot=opening.slot)

    def lay_out(self, layer: Layer, secret: bytes) -> tuple[Opening, ...]:
        """Shuffle a layer and salt its slots: whoever knows the secret knows all of it."""
        first = layer.first.to_bytes(2, "big")
        seed = digest("seed", self.spec.context, secret, first, *self._in_order())
        return tuple(
            Opening(slot=slot, card=int(card), proof=digest("salt", seed, slot.to_bytes(2, "big")))
            for slot, card in enumerate(shuffle(layer.cards, seed), layer.first)
        )

    def commit_to(self, opening: Opening) -> bytes:
        """The commitment that an opening opens."""
        slot, card = opening.slot.to_bytes(2, "big"), opening.card.to_bytes(2, "big")
        return digest("slot", self.spec.context, slot, card, opening.proof)

    def _in_order(self) -> list[bytes]:
        shown = dict(self.entropies)
        return [part for peer in self.spec.peers for part in (peer, shown[peer])]

    def _require_due(self, author: bytes) -> None:
        if author not in self.spec.peers:
            raise DealError("entropy-stranger")
        if author not in self.missing():
            raise DealError("entropy-twice")

    def _lay(self, author: bytes, message: DeckLaid) -> Transcript:
        if author != self.spec.host:
            raise DealError("not-the-dealer")
        layer = self.layers[-1]
        if len(message.commitments) != 32 * len(layer.cards):
            raise DealError("bad-deck", cards=len(layer.cards))
        laid = msgspec.structs.replace(layer, commitments=message.commitments)
        return msgspec.structs.replace(self, layers=self.layers[:-1] + (laid,), stage=Stage.DEALT)

    def _moved(self, **changes: tuple[tuple[bytes, bytes], ...]) -> Transcript:
        moved = msgspec.structs.replace(self, **changes)
        return moved if moved.missing() else msgspec.structs.replace(moved, stage=NEXT[self.stage][1])


class CommittedDeal:
    """One peer's side of a committed deal: the public transcript, its own bytes and, at the host, the secret."""

    def __init__(self, public: Transcript, me: bytes, entropy: bytes, secret: bytes | None = None) -> None:
        """Start beside a transcript; ``secret`` is what the host promised when it opened the hand."""
        self.public = public
        self._me = me
        self._entropy = entropy
        self._secret = secret
        self._openings: dict[int, tuple[Opening, ...]] = {}

    def __repr__(self) -> str:
        """Show how far it is and nothing that is secret."""
        return f"CommittedDeal({self.public.stage}, host={self._secret is not None})"

    @property
    def commitment(self) -> bytes | None:
        """The deck commitment."""
        return self.public.commitment

    @property
    def secret(self) -> bytes | None:
        """What the host shows after the hand; None at everybody else's."""
        return self._secret

    def receive(self, author: bytes, message: DealMessage) -> None:
        """Take a message into the transcript."""
        self.public = self.public.receive(author, message)

    def messages(self) -> tuple[DealMessage, ...]:
        """What this peer owes at this stage."""
        if self._me not in self.public.missing():
            return ()
        if self.public.stage is Stage.COMMIT:
            return (EntropyCommit(promise_entropy(self.public.spec.context, self._me, self._entropy)),)
        return (EntropyOpen(self._entropy) if self.public.stage is Stage.OPEN else self._deck(),)

    def reshuffle(self, first: int, cards: Sequence[Card]) -> None:
        """Let the host lay known cards out anew."""
        self.public = self.public.reshuffle(first, cards)

    def open_private(self, slot: int, seat: int) -> Opening:
        """Open a slot for a seat: it is the host's word that counts for whom."""
        del seat
        return self.open_public(slot)

    def open_public(self, slot: int) -> Opening:
        """Open a slot: only the host can, and only when its layer is out."""
        layer = self.public.layer_of(slot)
        return self._laid(layer)[slot - layer.first]

    def verify(self, slot: int, opening: Opening) -> Card:
        """Check an opening against the deck commitment."""
        return self.public.verify(slot, opening)

    def _deck(self) -> DeckLaid:
        openings = self._laid(self.public.layers[-1])
        return DeckLaid(b"".join(self.public.commit_to(opening) for opening in openings))

    def _laid(self, layer: Layer) -> tuple[Opening, ...]:
        if self._secret is None:
            raise DealError("deck-hidden")
        if layer.first not in self._openings:
            self._openings[layer.first] = self.public.lay_out(layer, self._secret)
        return self._openings[layer.first]


def begin(spec: Spec, promise: bytes) -> Transcript:
    """An empty transcript, with the host's commitment to its secret."""
    return Transcript(spec, promise, (Layer(0, spec.cards),))


def digest(label: str, *parts: bytes) -> bytes:
    """Hash labelled parts; every part's length goes in, so that no two lists of parts look alike."""
    state = hashlib.sha256(b"rummy-p2p deal " + label.encode() + b"\0")
    for part in parts:
        state.update(len(part).to_bytes(8, "big") + part)
    return state.digest()


def promise_secret(context: bytes, secret: bytes) -> bytes:
    """The host's commitment to its secret."""
    return digest("secret", context, secret)


def promise_entropy(context: bytes, peer: bytes, entropy: bytes) -> bytes:
    """A peer's commitment to its bytes."""
    return digest("entropy", context, peer, entropy)


def shuffle(cards: Sequence[Card], seed: bytes) -> tuple[Card, ...]:
    """Fisher-Yates, every order equally likely: draws from SHAKE-256 by rejection, never by remainder alone."""
    order = list(cards)
    words = _words(seed)
    for last in range(len(order) - 1, 0, -1):
        chosen = _below(last + 1, words)
        order[last], order[chosen] = order[chosen], order[last]
    return tuple(order)


def _below(limit: int, words: Iterator[int]) -> int:
    ceiling = (1 << 8 * _WORD) // limit * limit
    return next(word for word in words if word < ceiling) % limit


def _words(seed: bytes) -> Iterator[int]:
    counter = 0
    while True:
        block = hashlib.shake_256(b"rummy-p2p shuffle\0" + seed + counter.to_bytes(8, "big")).digest(_BLOCK)
        yield from (int.from_bytes(block[at : at + _WORD], "big") for at in range(0, _BLOCK, _WORD))
        counter += 1
