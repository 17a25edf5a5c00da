"""One peer's own part in a hand: its share of the deal, the faces of its own cards, what it owes to the ledger.

The law of this file
--------------------
* Everything secret is here and in `blind_hand`, and only there: the host's secret, this peer's random bytes, the
  openings of its own cards.
* It follows the committed fold: nothing is revealed for a record that may still go away. In the deal by the host a
  private opening goes out when the draw is committed, boxed for the peer that owns the seat and signed inside: a wrong
  one convicts the host.
* `duties` says what this peer owes now; it may be asked again and again and says the same until it is in the ledger.
* A box that cannot be opened yet (its deck is not committed here) waits; one of another deal is left alone.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Any, Final, cast

import msgspec

from rummy_p2p.cards import Card
from rummy_p2p.deal import DealError, DeckLaid, Opening
from rummy_p2p.deal.committed import SECRET_BYTES, CommittedDeal, Transcript, promise_secret
from rummy_p2p.engine import Action, HandState, View, Want, parse_action, to_show, unshown, view_for
from rummy_p2p.protocol.codec import Message, pack, unpack
from rummy_p2p.protocol.errors import RemoteProtocolError
from rummy_p2p.protocol.faults import Fault, Refusal
from rummy_p2p.protocol.fields import Count
from rummy_p2p.protocol.identity import Identity, seal
from rummy_p2p.protocol.messages import Boxed, Dealt, Signed, is_genuine, sign
from rummy_p2p.protocol.records import Act, Back, Body, Flip, HandOpen, Score, Void
from rummy_p2p.protocol.state import Advance, Fold, Stage, settled

SHOW: Final = parse_action("show")
BOXES_KEPT: Final = 32
Duty = tuple[str, Body]


@dataclass(frozen=True, slots=True)
class Job:
    """Work that takes a tenth of a second and may be done anywhere: what ``run`` returns is given to ``finish``."""

    run: Callable[[], Any]
    finish: Callable[[Any], None]


class Party(ABC):
    """This peer in the hands of one match, whoever deals."""

    def __init__(self, identity: Identity, match: bytes, entropy: Callable[[int], bytes]) -> None:
        """``entropy`` gives so many random bytes."""
        self.me = identity.player_id
        self._identity = identity
        self._match = match
        self._entropy = entropy
        self._place = (0, 0)
        self._faces: dict[int, Card] = {}
        self._fresh: set[int] = set()

    def __repr__(self) -> str:
        """Show nothing that is secret."""
        return f"{type(self).__name__}(hand={self._place[0]}, attempt={self._place[1]})"

    # ------------------------------------------------ what is known

    def view(self, fold: Fold, seat: int) -> View:
        """What one of the own seats sees; Refusal when no cards are dealt."""
        if fold.hand is None:
            raise Refusal("no-hand")
        return view_for(fold.hand, seat, self._faces)

    def knows_hand(self, fold: Fold, seat: int) -> bool:
        """Whether every card in an own seat's hand is known here."""
        hand = fold.hand
        return hand is not None and all(
            hand.faces[slot] is not None or slot in self._faces for slot in hand.hands[seat]
        )

    def take_fresh(self) -> tuple[int, ...]:
        """The own seats that have learnt faces since the last time."""
        fresh, self._fresh = sorted(self._fresh), set()
        return tuple(fresh)

    @abstractmethod
    def move(self, fold: Fold, view: View, action: Action) -> Act:
        """A move with all that has to be shown or done with it; Refusal when a card is not known here yet."""

    # ------------------------------------------------ following the ledger

    @abstractmethod
    def follow(self, step: Advance, seq: int) -> None:
        """Take in a record that has been committed; ``seq``: its place."""

    def certify(self, seq: int, now: float) -> None:  # noqa: B027 - only a blind deal waits for one
        """This peer holds a certificate for the ledger up to here."""

    def duties(self, fold: Fold) -> Iterator[Duty]:
        """What this peer owes to the ledger, as things are committed, each with a key that tells it apart."""
        if self.me in fold.away:
            yield f"back {fold.number}.{fold.epoch}", Back()
        if fold.hand is not None:
            yield from self._shows(fold, fold.hand)

    def _shows(self, fold: Fold, hand: HandState) -> Iterator[Duty]:
        for seat in unshown(hand):
            if seat in fold.owned_by(self.me) and self.knows_hand(fold, seat):
                with suppress(Refusal):
                    shown = self.move(fold, self.view(fold, seat), SHOW)
                    yield f"show {fold.number}.{fold.epoch} {seat}", shown

    @abstractmethod
    def open_again(self, fold: Fold, late: tuple[bytes, ...]) -> HandOpen:
        """As host: the next attempt at this hand, without those for whom it has waited in vain."""

    # ------------------------------------------------ what goes beside the ledger

    def boxes(self, fold: Fold) -> Iterator[Boxed]:  # noqa: ARG002 - only a host that deals has any
        """As host: the openings that are owed to other peers' seats; those of own seats are learnt at once."""
        yield from ()

    def boxes_again(self, fold: Fold, peer: bytes) -> Iterator[Boxed]:  # noqa: ARG002 - only a host that deals has any
        """As host: all hidden cards of a peer's seats, for one that has lost or missed its boxes."""
        yield from ()

    def receive_box(self, boxed: Boxed, host: bytes) -> None:  # noqa: B027 - only a host that deals sends any
        """Keep a box for this peer until `open_boxes`; Fault when it is not the host's."""

    def open_boxes(self) -> None:  # noqa: B027 - only a host that deals sends any
        """Learn what is in the boxes, as far as their deck is committed here; Fault bad-opening with the proof."""

    def take_jobs(self) -> list[Job]:
        """Take work that may be done elsewhere."""
        return []

    def take_alarms(self) -> list[Fault]:
        """Take what the player has to be told of."""
        return []

    @abstractmethod
    def take_secrets(self) -> bytes | None:
        """Take what has to be on the disk before anything is sent; None when that has not changed."""


class KeptDeal(Message, frozen=True):
    """What is on the disk of a peer in the middle of a hand that the host deals; nobody else ever sees it."""

    hand: Count
    epoch: Count
    secret: Annotated[bytes, msgspec.Meta(max_length=32)]
    entropy: Annotated[bytes, msgspec.Meta(max_length=32)]


def _read_kept(kept: bytes | None) -> KeptDeal:
    """What was on the disk; a file that is damaged is as good as none."""
    nothing = KeptDeal(hand=0, epoch=0, secret=b"", entropy=b"")
    try:
        return nothing if kept is None else unpack(kept, KeptDeal)
    except RemoteProtocolError:
        return nothing


class HostDealtParty(Party):
    """This peer where the host deals."""

    def __init__(
        self, identity: Identity, match: bytes, entropy: Callable[[int], bytes], kept: bytes | None = None
    ) -> None:
        """``entropy`` gives so many random bytes; ``kept``: what an earlier run of this program has written down."""
        super().__init__(identity, match, entropy)
        self._deal: CommittedDeal | None = None
        self._kept = self._saved = _read_kept(kept)
        self._openings: dict[int, Opening] = {}
        self._owed: list[Want] = []
        self._boxes: list[Signed] = []

    def move(self, fold: Fold, view: View, action: Action) -> Act:
        """A move with the cards that it shows."""
        del fold
        return Act(seat=view.seat, move=str(action), openings=self.openings(view, action))

    def openings(self, view: View, action: Action) -> tuple[Opening, ...]:
        """What has to be shown with a move; Refusal when a card is not known here yet."""
        slots = to_show(view, action)
        if not self._openings.keys() >= set(slots):
            raise Refusal("cards-coming")
        return tuple(self._openings[slot] for slot in slots)

    # ------------------------------------------------ following the ledger

    def follow(self, step: Advance, seq: int) -> None:
        """Take in a record that has been committed."""
        del seq
        fold = step.fold
        if not isinstance(fold.deal, Transcript):
            self._deal = None
            return
        if self._deal is None or self._place != (fold.number, fold.epoch):
            self._begin(fold, fold.deal)
        else:
            self._deal.public = fold.deal
        self._owed += step.private

    def _begin(self, fold: Fold, public: Transcript) -> None:
        self._place = (fold.number, fold.epoch)
        self._openings, self._faces, self._owed = {}, {}, []
        kept = self._kept
        if self._place > (kept.hand, kept.epoch):
            kept = KeptDeal(hand=fold.number, epoch=fold.epoch, secret=b"", entropy=self._entropy(SECRET_BYTES))
        elif not kept.entropy:
            kept = msgspec.structs.replace(kept, entropy=self._entropy(SECRET_BYTES))
        is_now = self._place == (kept.hand, kept.epoch)
        self._kept = kept
        secret = kept.secret if is_now and fold.host == self.me else b""
        self._deal = CommittedDeal(public, self.me, kept.entropy, secret or None)

    # ------------------------------------------------ duties

    def duties(self, fold: Fold) -> Iterator[Duty]:
        """What this peer owes to the ledger."""
        place = f"{fold.number}.{fold.epoch}"
        if self._has_lost_secret(fold):
            yield f"void {place}", Void(code="secret-lost", evidence=())
            return
        if self._deal is not None:
            for message in self._deal.messages():
                layers = len(self._deal.public.layers) if isinstance(message, DeckLaid) else 0
                yield f"{type(message).__name__} {place} {layers}", message
        yield from super().duties(fold)
        if fold.host == self.me:
            yield from self._host_duties(fold, place)

    def _has_lost_secret(self, fold: Fold) -> bool:
        """A host that was restarted in the middle of a hand no longer knows the deck."""
        return fold.host == self.me and self._deal is not None and self._deal.secret is None

    def _host_duties(self, fold: Fold, place: str) -> Iterator[Duty]:
        if fold.stage is Stage.BETWEEN:
            yield f"open {place}", self.open_hand(fold, fold.number + 1, 0, ())
        elif fold.flips and all(self._is_laid(slot) for slot in fold.flips):
            shown = tuple(cast("CommittedDeal", self._deal).open_public(slot) for slot in fold.flips)
            yield f"flip {place} {fold.flips}", Flip(openings=shown)
        elif fold.stage is Stage.COUNTED:
            yield f"score {place}", self._score(fold)

    def open_hand(self, fold: Fold, number: int, epoch: int, without: tuple[bytes, ...]) -> HandOpen:
        """As host: open a hand, or its next attempt, bound to a fresh secret."""
        secret = self._secret_of(number, epoch)
        context = fold.spec(number, epoch, without).context
        return HandOpen(hand=number, epoch=epoch, promise=promise_secret(context, secret), without=without)

    def _secret_of(self, number: int, epoch: int) -> bytes:
        """The secret of a hand that this host opens: made once, and on the disk before anybody is bound to it."""
        kept = self._kept
        if (kept.hand, kept.epoch) != (number, epoch) or not kept.secret:
            secret = self._entropy(SECRET_BYTES)
            self._kept = KeptDeal(hand=number, epoch=epoch, secret=secret, entropy=b"")
        return self._kept.secret

    def take_secrets(self) -> bytes | None:
        """Take what has to be on the disk before anything is sent."""
        if self._kept == self._saved:
            return None
        self._saved = self._kept
        return pack(self._kept)

    def open_again(self, fold: Fold, late: tuple[bytes, ...]) -> HandOpen:
        """As host: fresh commitments, without those whose bytes are missing."""
        return self.open_hand(fold, fold.number, fold.epoch + 1, fold.without + late)

    def _score(self, fold: Fold) -> Score:
        """Close the hand: the secret, and the totals by the rules."""
        secret = cast("CommittedDeal", self._deal).secret
        return Score(secret=cast("bytes", secret), totals=settled(fold).match.scores)

    # ------------------------------------------------ boxes

    def boxes(self, fold: Fold) -> Iterator[Boxed]:
        """As host: the openings that are owed to other peers' seats; those of own seats are learnt at once."""
        if self._deal is None or self._deal.secret is None:
            return
        ready = [want for want in self._owed if self._is_laid(want.slot)]
        self._owed = [want for want in self._owed if want not in ready]
        for seat in range(len(fold.seats)):
            yield from self._box(fold, seat, [want.slot for want in ready if want.seat == seat])

    def boxes_again(self, fold: Fold, peer: bytes) -> Iterator[Boxed]:
        """As host: all hidden cards of a peer's seats, for one that has lost or missed its boxes."""
        if fold.hand is None or self._deal is None or self._deal.secret is None:
            return
        for seat in fold.owned_by(peer):
            slots = [slot for slot in fold.hand.hands[seat] if fold.hand.faces[slot] is None and self._is_laid(slot)]
            yield from self._box(fold, seat, slots)

    def _is_laid(self, slot: int) -> bool:
        try:
            return self._deal is not None and bool(self._deal.public.layer_of(slot))
        except DealError:
            return False

    def _box(self, fold: Fold, seat: int, slots: list[int]) -> Iterator[Boxed]:
        if not slots:
            return
        openings = tuple(cast("CommittedDeal", self._deal).open_private(slot, seat) for slot in slots)
        owner = fold.seats[seat].owner
        if owner == self.me:
            self._learn(seat, openings)
            return
        number, epoch = self._place
        dealt = Dealt(match=self._match, hand=number, epoch=epoch, seat=seat, openings=openings)
        inner = sign(self._identity, dealt)
        yield Boxed(match=self._match, hand=number, epoch=epoch, to=owner, box=seal(owner, pack(inner)))

    def receive_box(self, boxed: Boxed, host: bytes) -> None:
        """Keep a box for this peer until `open_boxes`; Fault when it is not the host's."""
        if boxed.to != self.me or boxed.match != self._match or (boxed.hand, boxed.epoch) < self._place:
            return
        inner = self._unseal(boxed, host)
        self._boxes = [*self._boxes[-BOXES_KEPT:], inner]

    def _unseal(self, boxed: Boxed, host: bytes) -> Signed:
        try:
            inner = unpack(self._identity.unseal(boxed.box), Signed)
            unpack(inner.payload, Dealt)
        except RemoteProtocolError as error:
            raise Fault(error.code, host) from error
        if inner.author != host or not is_genuine(inner):
            raise Fault("bad-signature", host)
        return inner

    def open_boxes(self) -> None:
        """Learn what is in the boxes, as far as their deck is committed here.

        Raises Fault bad-opening, with the proof, when a box does not fit the deck commitment.
        """
        waiting, self._boxes = self._boxes, []
        for inner in waiting:
            dealt = unpack(inner.payload, Dealt)
            place = (dealt.hand, dealt.epoch)
            if place > self._place or (place == self._place and not self._all_laid(dealt)):
                self._boxes.append(inner)
            elif place == self._place and dealt.match == self._match:
                self._open(inner, dealt)

    def _all_laid(self, dealt: Dealt) -> bool:
        return all(self._is_laid(opening.slot) for opening in dealt.openings)

    def _open(self, inner: Signed, dealt: Dealt) -> None:
        try:
            for opening in dealt.openings:
                cast("CommittedDeal", self._deal).verify(opening.slot, opening)
        except DealError as error:
            raise Fault("bad-opening", inner.author, (inner,), **error.parameters) from error
        self._learn(dealt.seat, dealt.openings)

    def _learn(self, seat: int, openings: tuple[Opening, ...]) -> None:
        self._fresh.add(seat)
        for opening in openings:
            self._openings[opening.slot] = opening
            self._faces[opening.slot] = Card(opening.card)
