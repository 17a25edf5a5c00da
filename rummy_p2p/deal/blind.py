"""The blind deal: nobody sees a card that is not its own, and nobody can stack the deck.

The law of this file
--------------------
Threshold ElGamal over the group of `group`, after Barnett and Smart, "Mental Poker Revisited" (2003). The peers of the
roster hold shares s_m of a joint key Y (`keys`); t of them open a card, fewer learn nothing.

    shuffle-deck    every peer in turn shuffles the deck and proves it (`shuffle`)
    deck-ok         every peer signs the deck commitment after it has checked every proof; then cards may move
    draw            who draws a slot hides it with b = c1 + r*G and proves to know r; r = KDF(hand secret, H, epoch,
                    slot), so the 32 secret bytes of a hand, on disk before the first draw, bring all of them back
    shares          every other peer gives s_m*b, proven, once the draw's record lies under a certificate that it holds
                    itself (`certify`); with t shares, its own among them, the drawer alone takes r*Y off and sees the
                    card: everybody else sees P - r*Y
    an opening      shows a card: r and the owner's own share, proven; everybody holds t shares then
    flip            a card for all, or an absent seat's at the count: every peer gives s_m*c1
    hand-over       the owner of a drawn slot gives it away: r in a box for the new owner, its own share for all
    reshuffle       known cards become a new layer of slots, shuffled as before by those who are present

* This peer's secrets are here and only here: its share of the key, the hand's secret, what it learns. `repr` hides all.
* For a slot this peer ever gives a share of one blinded point, besides c1 once it is flipped (`released`; written down
  before it is sent). A second point is evidence of a forked ledger: no share, and `conflicts` names it.
* `messages` is what this peer has to say now, the same again until it has been received. What its own player does
  (draw, show, hand over) is asked for and goes out with the action.
* What takes a tenth of a second can run in a worker: this peer's shuffle (`turn`, `lay`) and the checks of the others'
  (`checks`, `note`), while the next peer shuffles. A layer is trusted once this peer has signed it or has checked all
  of it: no share for a slot before.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

from rummy_p2p.cards import Card
from rummy_p2p.deal import Opening
from rummy_p2p.deal.blind_deck import Handed, Layer, Request, ShuffleCheck, ShuffleTurn, cards_by_point, open_pair
from rummy_p2p.deal.blind_messages import (
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
from rummy_p2p.deal.blind_transcript import BlindStage, BlindTranscript
from rummy_p2p.deal.breach import Breach
from rummy_p2p.deal.group import SIZE, Point, hash_to_scalar, plus, read_scalar, times, times_base, write_scalar
from rummy_p2p.deal.keys import NONCE_SIZE, Entropy, KeyShare, Postbox
from rummy_p2p.deal.proofs import prove_equal, prove_log

SECRET_BYTES: Final = 32
Released: TypeAlias = tuple[int, int, bytes]  # epoch, slot, blinded point


class BlindDeal:
    """One peer's side of a blind deal: the public transcript beside its share of the key and the hand's secret."""

    def __init__(
        self,
        public: BlindTranscript,
        me: bytes,
        share: KeyShare,
        secret: bytes,
        postbox: Postbox,
        entropy: Entropy,
        released: Iterable[Released] = (),
    ) -> None:
        """``secret``: 32 random bytes of this hand, kept on disk; ``released``: what was written down before."""
        self.public = public
        self._me = me
        self._share = share
        self._secret = secret
        self._postbox = postbox
        self._entropy = entropy
        self._released = {(epoch, slot): point for epoch, slot, point in released}
        self._certified: set[bytes] = set()
        self._checked: dict[ShuffleCheck, bool] = {}
        self._taken = b""
        self._laid: ShuffleDeck | None = None
        self._draws: dict[tuple[tuple[int, int], ...], Draw] = {}
        self._bundles: list[Shares] = []
        self._fault: CardFault | None = None
        self._seen: dict[tuple[int, int], Card | None] = {}
        self._openings: dict[tuple[int, int], Opening] = {}

    def __repr__(self) -> str:
        """Show how far it is and nothing that is secret."""
        return f"BlindDeal({self.public.stage}, cards={len(self._seen)})"

    @property
    def commitment(self) -> bytes | None:
        """The deck commitment."""
        return self.public.commitment

    @property
    def released(self) -> tuple[Released, ...]:
        """Every blinded point for which this peer has made a share: to be on disk before the share is sent."""
        return tuple((epoch, slot, point) for (epoch, slot), point in sorted(self._released.items()))

    @property
    def certified(self) -> frozenset[bytes]:
        """The requests that may be answered."""
        return frozenset(self._certified)

    # ------------------------------------------------ following the ledger

    def receive(self, author: bytes, message: BlindMessage, record: bytes) -> None:
        """Take a message into the transcript; ``record``: hash of the signed draft that it came in."""
        self.public = self.public.receive(author, message, record)

    def certify(self, requests: Iterable[bytes]) -> None:
        """These requests (by name) come from records under a certificate that this peer holds: answer them."""
        self._certified.update(requests)

    def reshuffle(self, first: int, cards: Sequence[Card], present: Sequence[bytes] = ()) -> None:
        """Let known cards be shuffled anew."""
        self.public = self.public.reshuffle(first, cards, present)

    def flip(self, slots: Sequence[int], record: bytes) -> None:
        """Let slots be opened for everybody."""
        self.public = self.public.flip(slots, record)

    def checks(self) -> tuple[ShuffleCheck, ...]:
        """The turns of other peers whose proofs have not been checked yet; run each and `note` what came of it."""
        return tuple(check for check in self._foreign() if check not in self._checked)

    def note(self, check: ShuffleCheck, *, holds: bool) -> None:
        """Note what a check has shown."""
        self._checked[check] = holds

    def turn(self) -> ShuffleTurn | None:
        """This peer's shuffle, handed out once when it is due: to be run in a worker, and the outcome to be `lay`ed.

        Whoever does not ask for it gets it from `messages`, made on the spot.
        """
        last = self.public.layers[-1]
        if last.shuffler != self._me or last.chain[-1] == self._taken:
            return None
        self._taken = last.chain[-1]
        return ShuffleTurn(
            self.public.hand, last, self.public.spec.key.public, self._entropy(SIZE), self._entropy(SIZE)
        )

    def lay(self, turn: ShuffleDeck) -> None:
        """Note what this peer's shuffle has made."""
        self._laid = turn

    def check_all(self) -> None:
        """Run every check that is due, here and now."""
        for check in self.checks():
            self.note(check, holds=check.holds())

    # ------------------------------------------------ what this peer has to say

    def messages(self) -> tuple[BlindMessage, ...]:
        """What this peer owes now; when it has found a shuffle to be wrong, that alone."""
        if self.public.verdict is not None:
            return ()
        return self._accusation() or (*self._turn(), *self._shares(), *self._doubts(), *self._faults())

    def _foreign(self) -> Iterable[ShuffleCheck]:
        """Every turn of other peers in the layers that this peer has not signed."""
        for layer in self.public.layers:
            if self._me not in layer.signed:
                yield from (check for check in self.public.checks(layer) if check.about.author != self._me)

    def _is_trusted(self, epoch: int) -> bool:
        return all(self._checked.get(check, False) for check in self._foreign() if check.epoch == epoch)

    def _accusation(self) -> tuple[ShuffleFault, ...]:
        bad = (check for check in self._foreign() if not self._checked.get(check, True))
        return tuple(ShuffleFault(check.epoch, check.turn) for check in bad)[:1]

    def _turn(self) -> tuple[ShuffleDeck | DeckOk, ...]:
        last = self.public.layers[-1]
        if self._me not in self.public.missing():
            return ()
        if self.public.stage is BlindStage.SIGN:
            return (DeckOk(last.chain[-1]),) if self._is_trusted(last.epoch) else ()
        if turn := self.turn():
            self.lay(turn.run())
        return (self._laid,) if self._laid and self._laid.after == last.chain[-1] else ()

    def _shares(self) -> Iterable[Shares]:
        """Shares for every certified request: one bundle for all that are new, until they have been received."""
        asked = self.public.unanswered(self._me)
        open_names = {each.id for each in asked}
        self._bundles = [b for b in self._bundles if any(part.request in open_names for part in b.parts)]
        bundled = {part.request for bundle in self._bundles for part in bundle.parts}
        due = [each for each in asked if each.id in self._certified - bundled]
        fresh = [each for each in due if self._conflict(each) is None and self._is_trusted(each.epoch)]
        if fresh:
            self._bundles.append(Shares(tuple(map(self._release, fresh))))
        return self._bundles

    def conflicts(self) -> tuple[Breach, ...]:
        """The requests that are not answered because another point of their slot was: somebody forked the ledger."""
        slots = (self._conflict(each) for each in self.public.unanswered(self._me))
        return tuple(Breach("second-point", slot=slot) for slot in slots if slot is not None)

    def _conflict(self, asked: Request) -> int | None:
        """A slot of a draw that was answered before, over another point."""
        if asked.owner is None:
            return None
        pairs = zip(asked.slots, asked.points, strict=True)
        return next((s for s, point in pairs if self._released.get((asked.epoch, s), point) != point), None)

    def _release(self, asked: Request) -> SharePart:
        if asked.owner is not None:
            pairs = zip(asked.slots, asked.points, strict=True)
            self._released.update({(asked.epoch, slot): point for slot, point in pairs})
        shares = tuple(times(self._share.scalar, point) for point in asked.points)
        about, fresh = asked.about(self.public.hand, self._me), self._entropy(SIZE)
        proof = prove_equal(about, self._share.scalar, self._my_public(), asked.points, shares, fresh)
        return SharePart(asked.id, b"".join(shares), proof)

    def _doubts(self) -> Iterable[HandOverFault | HandOverShown]:
        """What a hand-over asks of this peer: to say that its box was wrong, or to show what it had put into one."""
        for handed in self.public.handed:
            is_last = self.public.last_hand_over(handed.slot) is handed
            if is_last and handed.taker == self._me and not handed.doubted and self._unboxed(handed) is None:
                yield HandOverFault(handed.slot)
        for giver, slot in self.public.owed():
            if giver == self._me and self._can_open(slot):
                yield HandOverShown(slot, write_scalar(self._factor(slot, giver)))

    def _faults(self) -> Iterable[CardFault]:
        """The accusation that own slots open to no card, to a seen one, or to the same: made once."""
        wrong = self._wrong_slots()
        if wrong and (self._fault is None or self._fault.slots != wrong):
            self._fault = CardFault(wrong, tuple(self._opening_proof(slot) for slot in wrong))
        return [self._fault] if wrong and self._fault else []

    def _wrong_slots(self) -> tuple[int, ...]:
        seen = dict(self.public.faces)
        found: dict[Card, int] = {}
        for slot in self._ready():
            layer = self.public.layer_of(slot)
            card = self._card(layer, slot)
            if card is None or any(card == face and other in layer for other, face in seen.items()):
                return (slot,)
            if card in found:
                return (found[card], slot)
            found[card] = slot
        return ()

    def _ready(self) -> Iterable[int]:
        """Own slots that are not shown yet and can be looked at."""
        public, shown = self.public, dict(self.public.faces)
        for each in public.requests:
            if each.owner == self._me and len(each.shares) >= public.spec.key.threshold - 1:
                kept = (slot for slot in each.slots if slot not in shown and public.last_hand_over(slot) is None)
                yield from filter(self._can_open, kept)
        for handed in public.handed:
            is_last = public.last_hand_over(handed.slot) is handed
            is_own = is_last and handed.taker == self._me and handed.slot not in shown
            if is_own and self._unboxed(handed) is not None and self._has_enough(handed.slot):
                yield handed.slot

    def _has_enough(self, slot: int) -> bool:
        """Whether others have given enough shares of a slot."""
        return len(self.public.shares_of(slot).keys() - {self._index()}) >= self.public.spec.key.threshold - 1

    # ------------------------------------------------ what this peer's player does

    def draw(self, slots: Sequence[int]) -> Draw:
        """Draw slots of one layer: what goes into the action; Breach when they cannot be drawn."""
        places = tuple((self.public.layer_of(slot).epoch, slot) for slot in slots)
        if places not in self._draws:
            points, proofs = zip(*map(self._blinded, slots), strict=True)
            self._draws[places] = Draw(tuple(slots), b"".join(points), b"".join(proofs))
        return self._draws[places]

    def look(self, slot: int) -> Card:
        """The card in a slot that this peer owns; Breach too-few-shares until t shares are there."""
        self._own(slot)
        card = self._card(self.public.layer_of(slot), slot)
        if card is None:
            raise Breach("no-card")
        return card

    def open_private(self, slot: int, seat: int) -> Opening:
        """The opening that shows a slot which this peer owns to everybody; Breach until it can be looked at."""
        del seat
        card, place = self.look(slot), (self.public.layer_of(slot).epoch, slot)
        if place not in self._openings:
            self._openings[place] = Opening(slot=slot, card=int(card), proof=self._opening_proof(slot))
        return self._openings[place]

    def open_public(self, slot: int) -> Opening:
        """The opening of a slot whose card everybody knows; Breach deck-hidden for any other."""
        card = self.public.face(slot)
        if card is None:
            raise Breach("deck-hidden")
        return Opening(slot=slot, card=int(card), proof=b"")

    def verify(self, slot: int, opening: Opening) -> Card:
        """The card in a slot, proven."""
        return self.public.verify(slot, opening)

    def hand_over(self, slot: int, to: bytes) -> HandOver:
        """Give a drawn slot to another peer."""
        drawn = self._own(slot)
        factor = write_scalar(self._factor(slot, self._me))
        share, proof = self._own_share(drawn, slot)
        return HandOver(slot, to, self._postbox.seal(to, factor, self._entropy(NONCE_SIZE)), share, proof)

    # ------------------------------------------------ secrets

    def _blinded(self, slot: int) -> tuple[Point, bytes]:
        layer = self.public.layer_of(slot)
        factor = self._derived(layer, slot)
        hidden = times_base(factor)
        about = self.public.about_draw(layer, slot, self._me)
        return plus(layer.pair(slot).c1, hidden), prove_log(about, factor, hidden, self._entropy(SIZE))

    def _card(self, layer: Layer, slot: int) -> Card | None:
        """The card in an own slot, computed once; None when there is none. Breach too-few-shares."""
        place = (layer.epoch, slot)
        if place not in self._seen:
            drawn, key = self._own(slot), self.public.spec.key
            is_short = len(self.public.shares_of(slot)) < key.threshold
            own = {self._index(): times(self._share.scalar, drawn.point(slot))} if is_short else {}
            shares = self.public.chosen_shares(slot, own)
            point = open_pair(layer.pair(slot), shares, key.public, self._factor(slot, self._me))
            self._seen[place] = cards_by_point(layer.cards).get(point)
        return self._seen[place]

    def _opening_proof(self, slot: int) -> bytes:
        share, proof = self._own_share(self._own(slot), slot)
        return write_scalar(self._factor(slot, self._me)) + share + proof

    def _own_share(self, drawn: Request, slot: int) -> tuple[Point, bytes]:
        """This peer's share of an own slot, with its proof."""
        point = drawn.point(slot)
        share = times(self._share.scalar, point)
        about = drawn.about(self.public.hand, self._me, (slot,))
        fresh = self._entropy(SIZE)
        return share, prove_equal(about, self._share.scalar, self._my_public(), (point,), (share,), fresh)

    def _own(self, slot: int) -> Request:
        drawn = self.public.drawn(slot)
        if drawn is None or self.public.owner(slot) != self._me:
            raise Breach("deck-hidden")
        return drawn

    def _factor(self, slot: int, holder: bytes) -> int:
        """The r of a slot that this peer holds, or held before it gave it away."""
        drawn = self.public.drawn(slot)
        if drawn is not None and drawn.owner == holder:
            return self._known_factor(drawn, slot)
        handed = [each for each in self.public.handed if each.slot == slot and each.taker == holder]
        factor = self._unboxed(handed[-1]) if handed else None
        if factor is None:
            raise Breach("no-hand-over", slot=slot)
        return factor

    def _known_factor(self, drawn: Request, slot: int) -> int:
        """The r of an own draw; Breach no-factor when the secret that came from the disk is not this hand's."""
        factor = self._derived(self.public.layer_of(slot), slot)
        if times_base(factor) != drawn.factor(slot):
            raise Breach("no-factor", slot=slot)
        return factor

    def _can_open(self, slot: int) -> bool:
        """Whether this peer has the r of a slot that it has drawn: without it, it can accuse nobody."""
        layer = self.public.layer_of(slot)
        try:
            return (layer.epoch, slot) in self._seen or self._factor(slot, self._me) > 0
        except Breach:
            return False

    def _unboxed(self, handed: Handed) -> int | None:
        """The right r from a box for this peer, or as the giver has shown it; None when it is not there."""
        found = handed.factor or self._postbox.open(handed.giver, handed.box)
        return read_scalar(found) if found is not None and self.public.is_factor(handed.slot, found) else None

    def _derived(self, layer: Layer, slot: int) -> int:
        place = layer.epoch.to_bytes(4, "big") + slot.to_bytes(4, "big")
        return hash_to_scalar("factor", self._secret, self.public.hand, place)

    def _my_public(self) -> Point:
        return self.public.spec.key.share_of(self._me)

    def _index(self) -> int:
        return self.public.spec.key.index_of(self._me)
