"""All that is public about a blind deal: frozen, folded message by message, equal on every peer.

The law of this file
--------------------
* `BlindTranscript.receive` judges a message at once and returns the next transcript, or raises a Breach and has
  changed nothing. One thing is not judged at once: the proof of a shuffle, because it takes a tenth of a second. Its
  `ShuffleCheck` is run beside everything else (`checks`), nobody signs the deck before all have passed, and whoever
  finds one to fail says so (`ShuffleFault`): then everybody looks.
* A `verdict` ends the hand: its code, and whom it convicts (None: nobody). After it nothing is received any more.
* `record` is the hash of the author's signed draft. A request is named by a hash of all that it is about, its record
  included; shares and openings are proven for that name and fit no other draw, fork, hand or match.
* A slot has one blinded point, given by the first draw of it; besides it may be opened over c1, for all, once the rules
  say so (`flip`). A card is shown once in a layer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import cast

import msgspec

from rummy_p2p.cards import Card
from rummy_p2p.deal import Opening
from rummy_p2p.deal.blind_deck import (
    Handed,
    Layer,
    Request,
    ShuffleCheck,
    Spec,
    cards_by_point,
    lay,
    name_request,
    open_pair,
)
from rummy_p2p.deal.blind_messages import (
    OPENING_SIZE,
    BlindMessage,
    CardFault,
    DeckOk,
    Draw,
    HandOver,
    HandOverFault,
    HandOverShown,
    SharePart,
    Shares,
    ShuffleDeck,
    ShuffleFault,
)
from rummy_p2p.deal.breach import Breach, named
from rummy_p2p.deal.committed import digest
from rummy_p2p.deal.group import SIZE, Point, minus, read_point, read_points, read_scalar, times_base
from rummy_p2p.deal.proofs import PROOF_SIZE, About, check_equal, check_log
from rummy_p2p.deal.shuffle import proof_size, read_deck


class BlindStage(Enum):
    """How far the last layer has come: named for what is still missing."""

    SHUFFLE = "shuffle"
    SIGN = "sign"
    DEALT = "dealt"


class Verdict(msgspec.Struct, frozen=True):
    """Why the hand cannot go on, and whom that convicts."""

    code: str
    culprit: bytes | None


class BlindTranscript(msgspec.Struct, frozen=True):
    """The public part of a blind deal."""

    spec: Spec
    hand: bytes
    layers: tuple[Layer, ...]
    requests: tuple[Request, ...] = ()
    handed: tuple[Handed, ...] = ()
    faces: tuple[tuple[int, Card], ...] = ()
    verdict: Verdict | None = None

    # ------------------------------------------------ how things stand

    @property
    def stage(self) -> BlindStage:
        """What the last layer waits for."""
        last = self.layers[-1]
        if last.is_dealt:
            return BlindStage.DEALT
        return BlindStage.SIGN if last.shuffler is None else BlindStage.SHUFFLE

    @property
    def commitment(self) -> bytes | None:
        """The deck commitment: a hash of H, the key and every deck from E_0 on; None until all have signed it."""
        return self.layers[0].chain[-1] if self.layers[0].is_dealt else None

    @property
    def joint(self) -> bytes:
        """A public random value that all peers made together and nobody chose: it comes from the key generation."""
        return digest("joint", self.spec.key.digest)

    def missing(self) -> tuple[bytes, ...]:
        """The peers for whose message the stage waits."""
        last = self.layers[-1]
        if last.shuffler is not None:
            return (last.shuffler,)
        return tuple(peer for peer in last.order if peer not in last.signed)

    def owed(self) -> tuple[tuple[bytes, int], ...]:
        """(giver, slot) of each handed-over card whose giver has to show what was in the box."""
        return tuple((each.giver, each.slot) for each in self.handed if each.doubted and each.factor is None)

    def checks(self, layer: Layer) -> tuple[ShuffleCheck, ...]:
        """Every turn of a layer so far, in order: what has to be checked of it."""
        return tuple(self._check(layer, turn) for turn in range(len(layer.proofs)))

    def audit(self) -> None:
        """Check every shuffle of every layer; Breach bad-shuffle with its culprit."""
        for layer in self.layers:
            for check in self.checks(layer):
                if not check.holds():
                    raise Breach("bad-shuffle", check.about.author)

    def layer_of(self, slot: int) -> Layer:
        """The dealt layer of a slot; Breach no-such-slot or deck-hidden."""
        layer = next((layer for layer in self.layers if slot in layer), None)
        if layer is None:
            raise Breach("no-such-slot", slot=slot)
        if not layer.is_dealt:
            raise Breach("deck-hidden")
        return layer

    def drawn(self, slot: int) -> Request | None:
        """The draw that a slot is in."""
        return next((each for each in self.requests if each.owner is not None and slot in each.slots), None)

    def owner(self, slot: int) -> bytes | None:
        """The peer that holds a drawn slot: who drew it, or to whom it was handed over last."""
        drawn = self.drawn(slot)
        handed = self.last_hand_over(slot)
        return handed.taker if handed else drawn.owner if drawn else None

    def last_hand_over(self, slot: int) -> Handed | None:
        """The last time that a slot changed hands."""
        return next((each for each in reversed(self.handed) if each.slot == slot), None)

    def face(self, slot: int) -> Card | None:
        """The card in a slot, when everybody knows it."""
        return next((card for known, card in self.faces if known == slot), None)

    def shares_of(self, slot: int) -> dict[int, Point]:
        """The shares of a slot's blinded point that have been published, by index."""
        drawn = self.drawn(slot)
        given = drawn.shares_of(slot) if drawn else {}
        index = self.spec.key.index_of
        return given | {index(each.giver): each.share for each in self.handed if each.slot == slot}

    def unanswered(self, peer: bytes) -> tuple[Request, ...]:
        """The requests for which a peer has given no share yet."""
        if peer not in self.spec.key.peers:
            return ()
        index = self.spec.key.index_of(peer)
        return tuple(each for each in self.requests if each.owner != peer and index not in dict(each.shares))

    def about_draw(self, layer: Layer, slot: int, author: bytes) -> About:
        """What the proof of a drawn slot is about: it answers the deck commitment."""
        return About(self.hand, layer.epoch, (slot,), author, layer.chain[-1])

    def _check(self, layer: Layer, turn: int) -> ShuffleCheck:
        about = layer.about_turn(self.hand, turn)
        before, after = layer.decks[turn : turn + 2]
        return ShuffleCheck(layer.epoch, turn, about, self.spec.key.public, before, after, layer.proofs[turn])

    # ------------------------------------------------ what the rules say

    def flip(self, slots: Sequence[int], record: bytes) -> BlindTranscript:
        """Let slots be opened for everybody: shares over c1. ``record``: hash of the record that had it so."""
        slots = tuple(slots)
        layer = self._common_layer(slots)
        asked = {slot for each in self.requests if each.owner is None for slot in each.slots}
        for slot in slots:
            if slot in asked or self.face(slot) is not None:
                raise Breach("slot-taken", slot=slot)
        points = tuple(layer.pair(slot).c1 for slot in slots)
        name = name_request(self.hand, layer.epoch, slots, points, None, record)
        return self._asking(Request(name, layer.epoch, slots, points, None))

    def reshuffle(self, first: int, cards: Sequence[Card], present: Sequence[bytes] = ()) -> BlindTranscript:
        """Let known cards be shuffled anew, in slots from ``first`` on, by those who are present (else as before)."""
        known = tuple(sorted(cards))
        proper = len(set(known)) == len(known) and set(known) <= set(self.spec.cards)
        is_due = self.verdict is None and self.stage is BlindStage.DEALT and first == self.layers[-1].end
        if not is_due or not known or not proper:
            raise Breach("no-reshuffle")
        peers = self._in_order(present or self.spec.present)
        layer = lay(self.spec, self.hand, first, self.layers[-1].epoch + 1, known, peers)
        return msgspec.structs.replace(self, layers=(*self.layers, layer))

    def again(self, present: Sequence[bytes]) -> BlindTranscript:
        """Begin the last layer anew, as another epoch, without peers that vanished before it was signed."""
        last = self.layers[-1]
        if self.verdict or last.is_dealt:
            raise Breach("deal-not-due")
        layer = lay(self.spec, self.hand, last.first, last.epoch + 1, last.cards, self._in_order(present))
        return msgspec.structs.replace(self, layers=(*self.layers[:-1], layer))

    def _in_order(self, present: Sequence[bytes]) -> tuple[bytes, ...]:
        peers = tuple(peer for peer in self.spec.key.peers if peer in present)
        if not peers or len(peers) != len(present):
            raise Breach("deal-not-due")
        return peers

    def _common_layer(self, slots: tuple[int, ...]) -> Layer:
        """The one dealt layer that all slots are in."""
        layers = [self.layer_of(slot) for slot in slots]
        if not layers or len(set(slots)) < len(slots) or any(layer.epoch != layers[0].epoch for layer in layers):
            raise Breach("deal-not-due")
        return layers[0]

    # ------------------------------------------------ openings

    def verify(self, slot: int, opening: Opening) -> Card:
        """The card in a slot, proven by its owner's r and share, or known to all; Breach otherwise."""
        layer = self.layer_of(slot)
        known = self.face(slot)
        card = known if known is not None else self._opened(slot, opening.proof)
        if card is None:
            raise Breach("not-in-deck", slot=slot)
        if (opening.slot, opening.card) != (slot, int(card)):
            raise Breach("bad-opening", slot=slot)
        if known is None and card in self._seen(layer):
            raise Breach("seen-before", slot=slot)
        return card

    def show(self, author: bytes, openings: Sequence[Opening]) -> tuple[BlindTranscript, dict[int, Card]]:
        """Note cards that their owner shows; each has to be new. Breach blames the author."""
        shown: BlindTranscript = self
        try:
            for opening in openings:
                shown = shown._shown(author, opening)
        except Breach as breach:
            breach.blame(author)
            raise
        faces = dict(shown.faces)
        return shown, {opening.slot: faces[opening.slot] for opening in openings}

    def _shown(self, author: bytes, opening: Opening) -> BlindTranscript:
        if self.face(opening.slot) is None and self.owner(opening.slot) != author:
            raise Breach("not-yours", slot=opening.slot)
        return self.noting(opening.slot, self.verify(opening.slot, opening))

    def noting(self, slot: int, card: Card) -> BlindTranscript:
        """The transcript with a card that everybody knows."""
        if self.face(slot) is not None:
            return self
        return msgspec.structs.replace(self, faces=(*self.faces, (slot, card)))

    def chosen_shares(self, slot: int, own: Mapping[int, Point]) -> tuple[tuple[int, Point], ...]:
        """As many of a slot's shares, published and own, as open it; Breach too-few-shares."""
        shares = sorted((self.shares_of(slot) | dict(own)).items())
        if len(shares) < self.spec.key.threshold:
            raise Breach("too-few-shares", slot=slot)
        return tuple(shares[: self.spec.key.threshold])

    def _opened(self, slot: int, proof: bytes) -> Card | None:
        """The card that an owner's proof (r, share, its proof) opens a slot to; None when that is no card."""
        layer, drawn, owner = self.layer_of(slot), self.drawn(slot), self.owner(slot)
        if drawn is None or owner is None:
            raise Breach("deck-hidden")
        if len(proof) != OPENING_SIZE:
            raise Breach("bad-opening", slot=slot)
        factor, share = read_scalar(proof[:SIZE]), read_point(proof[SIZE : 2 * SIZE])
        point = drawn.point(slot)
        if not factor or times_base(factor) != drawn.factor(slot):
            raise Breach("bad-opening", slot=slot)
        about = drawn.about(self.hand, owner, (slot,))
        with named("bad-opening", slot=slot):
            check_equal(about, self.spec.key.share_of(owner), (point,), (share,), proof[2 * SIZE :])
        shares = self.chosen_shares(slot, {self.spec.key.index_of(owner): share})
        return self._card(layer, open_pair(layer.pair(slot), shares, self.spec.key.public, factor))

    @staticmethod
    def _card(layer: Layer, point: Point) -> Card | None:
        return cards_by_point(layer.cards).get(point)

    def _seen(self, layer: Layer) -> set[Card]:
        """The cards of a layer that everybody knows."""
        return {card for slot, card in self.faces if slot in layer}

    # ------------------------------------------------ taking in what is said

    def receive(self, author: bytes, message: BlindMessage, record: bytes) -> BlindTranscript:
        """Return the transcript with a message in it; Breach when it is not due or not right.

        ``record``: hash of the signed draft that the message came in.
        """
        if self.verdict is not None:
            raise Breach("hand-void")
        if author not in self.spec.key.peers:
            raise Breach("deal-not-due")
        try:
            return self._judged(author, message, record)
        except Breach as breach:
            breach.blame(author)
            raise

    def _judged(self, author: bytes, message: BlindMessage, record: bytes) -> BlindTranscript:
        match message:
            case ShuffleDeck():
                return self._shuffled(author, message)
            case ShuffleFault():
                return self._shuffle_fault(message)
            case DeckOk():
                return self._deck_ok(author, message)
            case Draw():
                return self._draw(author, message, record)
            case Shares():
                return self._shares(author, message)
            case HandOver():
                return self._handed(author, message)
            case HandOverFault():
                return self._doubted(author, message)
            case HandOverShown():
                return self._admitted(author, message)
        return self._card_fault(author, message)

    def _shuffled(self, author: bytes, message: ShuffleDeck) -> BlindTranscript:
        last = self.layers[-1]
        if last.shuffler != author or (message.epoch, message.after) != (last.epoch, last.chain[-1]):
            raise Breach("deal-not-due")
        if len(message.proof) != proof_size(len(last.cards)):
            raise Breach("bad-shuffle")
        return self._with_last(last.shuffled(read_deck(message.deck, len(last.cards)), message.proof))

    def _shuffle_fault(self, message: ShuffleFault) -> BlindTranscript:
        layer = next((layer for layer in self.layers if layer.epoch == message.epoch), None)
        if layer is None or message.turn >= len(layer.proofs):
            raise Breach("deal-not-due")
        if self._check(layer, message.turn).holds():
            raise Breach("false-fault")
        return self._void("bad-shuffle", layer.order[message.turn])

    def _deck_ok(self, author: bytes, message: DeckOk) -> BlindTranscript:
        last = self.layers[-1]
        if last.shuffler is not None or author not in self.missing():
            raise Breach("deal-not-due")
        if message.commitment != last.chain[-1]:
            raise Breach("deck-disagreed")
        return self._with_last(msgspec.structs.replace(last, signed=(*last.signed, author)))

    def _draw(self, author: bytes, message: Draw, record: bytes) -> BlindTranscript:
        layer = self._common_layer(message.slots)
        count = len(message.slots)
        for slot in message.slots:
            if self.face(slot) is not None or any(slot in each.slots for each in self.requests):
                raise Breach("slot-taken", slot=slot)
        if len(message.points) != SIZE * count or len(message.proofs) != PROOF_SIZE * count:
            raise Breach("bad-draw")
        points = read_points(message.points)
        hidden = [minus(point, layer.pair(slot).c1) for slot, point in zip(message.slots, points, strict=True)]
        used = {factor for each in self.requests for factor in each.factors}
        if len(set(hidden)) < count or not used.isdisjoint(hidden):
            raise Breach("repeated-factor")
        for at, (slot, point) in enumerate(zip(message.slots, hidden, strict=True)):
            with named("bad-draw"):
                proof = message.proofs[PROOF_SIZE * at : PROOF_SIZE * (at + 1)]
                check_log(self.about_draw(layer, slot, author), point, proof)
        name = name_request(self.hand, layer.epoch, message.slots, points, author, record)
        return self._asking(Request(name, layer.epoch, message.slots, points, author, tuple(hidden)))

    # ------------------------------------------------ shares

    def _shares(self, author: bytes, message: Shares) -> BlindTranscript:
        transcript = self
        for part in message.parts:
            transcript = transcript._share(author, part)
        return transcript

    def _share(self, author: bytes, part: SharePart) -> BlindTranscript:
        asked = next((each for each in self.requests if each.id == part.request), None)
        if asked is None or asked.owner == author:
            raise Breach("no-such-request")
        index = self.spec.key.index_of(author)
        if index in dict(asked.shares):
            raise Breach("share-twice")
        points = self._checked_shares(asked, asked.slots, author, part.points, part.proof)
        given = msgspec.structs.replace(asked, shares=(*asked.shares, (index, points)))
        requests = tuple(given if each is asked else each for each in self.requests)
        changes = self._flipped(given) if len(given.shares) == self.spec.key.threshold and given.owner is None else {}
        return msgspec.structs.replace(self, requests=requests, **changes)

    def _checked_shares(
        self, asked: Request, slots: tuple[int, ...], author: bytes, points: bytes, proof: bytes
    ) -> tuple[Point, ...]:
        """The shares of some of a request's slots; Breach bad-share unless they are proven."""
        if len(points) != SIZE * len(slots):
            raise Breach("bad-share")
        shares = read_points(points)
        bases = tuple(asked.point(slot) for slot in slots)
        with named("bad-share"):
            check_equal(asked.about(self.hand, author, slots), self.spec.key.share_of(author), bases, shares, proof)
        return shares

    def _flipped(self, asked: Request) -> dict[str, object]:
        """What changes when t peers have answered a request for everybody: faces, or a verdict."""
        faces = self.faces
        for slot in asked.slots:
            layer = self.layer_of(slot)
            shares = tuple(sorted(asked.shares_of(slot).items()))
            card = self._card(layer, open_pair(layer.pair(slot), shares, self.spec.key.public, 0))
            if card is None or any(card == seen for other, seen in faces if other in layer and other != slot):
                return {"verdict": Verdict("no-card", None)}
            faces = faces if self.face(slot) is not None else (*faces, (slot, card))
        return {"faces": faces}

    # ------------------------------------------------ hand-overs and faults

    def _handed(self, author: bytes, message: HandOver) -> BlindTranscript:
        slot, drawn = message.slot, self.drawn(message.slot)
        if drawn is None or self.owner(slot) != author:
            raise Breach("not-yours", slot=slot)
        if message.to == author or message.to not in self.spec.key.peers or self.face(slot) is not None:
            raise Breach("deal-not-due")
        (share,) = self._checked_shares(drawn, (slot,), author, message.share, message.proof)
        handed = Handed(slot, author, message.to, message.box, share)
        return msgspec.structs.replace(self, handed=(*self.handed, handed))

    def _doubted(self, author: bytes, message: HandOverFault) -> BlindTranscript:
        handed = self.last_hand_over(message.slot)
        if handed is None or handed.taker != author or handed.doubted:
            raise Breach("no-hand-over", slot=message.slot)
        return self._with_handed(handed, msgspec.structs.replace(handed, doubted=True))

    def _admitted(self, author: bytes, message: HandOverShown) -> BlindTranscript:
        if (author, message.slot) not in self.owed():
            raise Breach("no-hand-over", slot=message.slot)
        handed = cast("Handed", self.last_hand_over(message.slot))
        if not self.is_factor(message.slot, message.factor):
            raise Breach("bad-hand-over", slot=message.slot)
        return self._with_handed(handed, msgspec.structs.replace(handed, factor=message.factor))

    def is_factor(self, slot: int, factor: bytes) -> bool:
        """Whether these 32 bytes are the r of a drawn slot."""
        drawn = cast("Request", self.drawn(slot))
        try:
            return times_base(read_scalar(factor)) == drawn.factor(slot)
        except Breach:
            return False

    def _card_fault(self, author: bytes, message: CardFault) -> BlindTranscript:
        if len(message.slots) != len(message.proofs) or len(set(message.slots)) < len(message.slots):
            raise Breach("deal-not-due")
        found: list[Card | None] = []
        for slot, proof in zip(message.slots, message.proofs, strict=True):
            if self.owner(slot) != author or self.face(slot) is not None:
                raise Breach("not-yours", slot=slot)
            card = self._opened(slot, proof)
            found.append(None if card in self._seen(self.layer_of(slot)) else card)
        if None not in found and len(set(found)) == len(found):
            raise Breach("false-fault")
        return self._void("no-card", None)

    # ------------------------------------------------ next states

    def _void(self, code: str, culprit: bytes | None) -> BlindTranscript:
        return msgspec.structs.replace(self, verdict=Verdict(code, culprit))

    def _asking(self, asked: Request) -> BlindTranscript:
        return msgspec.structs.replace(self, requests=(*self.requests, asked))

    def _with_last(self, layer: Layer) -> BlindTranscript:
        return msgspec.structs.replace(self, layers=(*self.layers[:-1], layer))

    def _with_handed(self, old: Handed, new: Handed) -> BlindTranscript:
        return msgspec.structs.replace(self, handed=tuple(new if each is old else each for each in self.handed))


def begin_blind(spec: Spec) -> BlindTranscript:
    """The transcript of a hand that nobody has shuffled yet; Breach too-many-cards."""
    hand = spec.digest()
    return BlindTranscript(spec, hand, (lay(spec, hand, 0, 0, spec.cards, spec.present),))
