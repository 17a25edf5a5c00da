"""One peer's own part in a blind hand: its share of the key, its cards, what it owes; what must be on its disk.

The law of this file
--------------------
* What is of use after a crash is on the disk before anything that hangs on it is sent: the share of the key before it
  is confirmed, the hand's secret before the first draw, every blinded point before a share of it (`take_secrets`).
* A share is given only for a request below a certificate that this peer holds itself (`certify`): so a host cannot
  show a draw to some, collect their shares, and take it back. The first hand of shares waits until everybody has drawn,
  or for `HELD_FOR` seconds: one record for all of them. Once the hand is counted nobody waits for shares or draws any
  more, and none are offered, however late the certificate has come.
* The own shuffle and the checks of the others' are work for elsewhere (`take_jobs`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import groupby
from typing import Annotated, Final, cast

import msgspec

from rummy_p2p.deal.blind import SECRET_BYTES, BlindDeal
from rummy_p2p.deal.blind_deck import ShuffleCheck
from rummy_p2p.deal.blind_messages import (
    MAX_SLOTS,
    BlindMessage,
    Draw,
    HandOver,
    Shares,
    ShuffleDeck,
    ShuffleFault,
)
from rummy_p2p.deal.blind_transcript import BlindTranscript
from rummy_p2p.deal.breach import Breach
from rummy_p2p.deal.keys import KeyParty, KeyShare, KeyStage, KeyTranscript
from rummy_p2p.engine import Action, IllegalAction, KnobFailed, View, Want, preview, to_show
from rummy_p2p.protocol.blind_dealing import unaudited
from rummy_p2p.protocol.codec import Bytes32, Message, Part, pack, unpack
from rummy_p2p.protocol.errors import RemoteProtocolError
from rummy_p2p.protocol.faults import Fault, Refusal
from rummy_p2p.protocol.fields import NO_PROMISE, Count
from rummy_p2p.protocol.hand import Duty, Job, Party
from rummy_p2p.protocol.identity import Identity
from rummy_p2p.protocol.records import Act, Audit, Body, HandOpen, Score
from rummy_p2p.protocol.state import Advance, Fold, Stage, settled

HELD_FOR: Final = 1.5


class ReleasedPoint(Part, frozen=True):
    """A blinded point for which a share was made."""

    epoch: Count
    slot: Count
    point: Bytes32


class Kept(Message, frozen=True):
    """What is on the disk of a peer in the middle of a blind hand; nobody else ever sees it."""

    key: Bytes32
    share: Annotated[bytes, msgspec.Meta(max_length=32)]
    hand: Count
    epoch: Count
    secret: Annotated[bytes, msgspec.Meta(max_length=32)]
    released: tuple[ReleasedPoint, ...]


NOTHING: Final = Kept(key=bytes(32), share=b"", hand=0, epoch=0, secret=b"", released=())


class BlindParty(Party):
    """This peer where nobody sees the deck."""

    def __init__(
        self, identity: Identity, match: bytes, entropy: Callable[[int], bytes], kept: bytes | None = None
    ) -> None:
        """``entropy`` gives so many random bytes; ``kept``: what an earlier run of this program has written down."""
        super().__init__(identity, match, entropy)
        self._kept = _read(kept)
        self._saved = self._kept
        self._keying: KeyParty | None = None
        self._deal: BlindDeal | None = None
        self._jobs: list[Job] = []
        self._handed_out: set[ShuffleCheck] = set()
        self._requests: dict[bytes, int] = {}
        self._held_until: float | None = None
        self._is_complete = False
        self._said: tuple[BlindMessage, ...] | None = None
        self._alarms: list[Fault] = []
        self._alarmed: set[tuple[str, int, int]] = set()

    # ------------------------------------------------ what the player does

    def move(self, fold: Fold, view: View, action: Action) -> Act:
        """A move with the cards that it shows, the slots that it draws, and the one that it hands over."""
        if self._deal is None:
            raise Refusal("secrets-gone")
        slots = to_show(view, action)
        if not self._faces.keys() >= set(slots):
            raise Refusal("cards-coming")
        openings = tuple(self._deal.open_private(slot, view.seat) for slot in slots)
        draw, hand_over = self._with_deck(self._deal, fold, view, action)
        return Act(seat=view.seat, move=str(action), openings=openings, draw=draw, hand_over=hand_over)

    def _with_deck(
        self, deal: BlindDeal, fold: Fold, view: View, action: Action
    ) -> tuple[Draw | None, HandOver | None]:
        """What the move makes this peer do with the deck; a draw from a pile that is yet to be shuffled comes later."""
        try:
            wants = [want for want in preview(view, action).wants if want.seat is not None]
        except (IllegalAction, KnobFailed):  # the host will say so
            return None, None
        given = [want for want in wants if deal.public.drawn(want.slot) is not None]
        handed = next((want for want in given if not self._is_mine(fold, want)), None)
        own = [want.slot for want in wants if want not in given and self._is_mine(fold, want)]
        draw = deal.draw(own) if own and _are_dealt(deal.public, own) else None
        return draw, None if handed is None else deal.hand_over(handed.slot, _owner(fold, handed))

    def _is_mine(self, fold: Fold, want: Want) -> bool:
        return _owner(fold, want) == self.me

    # ------------------------------------------------ following the ledger

    def follow(self, step: Advance, seq: int) -> None:
        """Take in a record that has been committed."""
        fold = step.fold
        self._said = None
        self._follow_key(fold)
        if not isinstance(fold.deal, BlindTranscript):
            self._deal = None
            return
        if self._place != (fold.number, fold.epoch):
            self._begin(fold, fold.deal)
        if self._deal is not None:
            self._deal.public = fold.deal
            self._note_work(self._deal)
            self._learn(self._deal, fold)
        self._watch(fold)
        for asked in fold.deal.requests:
            self._requests.setdefault(asked.id, seq)
        self._is_complete = not any(_owner(fold, want) not in fold.away for want in fold.owed)

    def _follow_key(self, fold: Fold) -> None:
        """The share is written down as soon as it is known, and with that before it is confirmed."""
        if fold.keying is None:
            self._keying = None
            return
        if self._keying is None or self._keying.public.context != fold.keying.context:
            self._keying = self._begin_key(fold.keying)
        if self._keying is not None:
            self._keying.public = fold.keying
            self._keep_share(self._keying)

    def _begin_key(self, public: KeyTranscript) -> KeyParty | None:
        if self.me not in public.peers:
            return None
        return KeyParty(public, self.me, self._identity.postbox(), self._entropy)

    def _keep_share(self, keying: KeyParty) -> None:
        if keying.public.stage is not KeyStage.CONFIRM or self._kept.key == keying.public.digest():
            return
        try:
            share = keying.share()
        except Breach:
            return
        self._kept = msgspec.structs.replace(NOTHING, key=keying.public.digest(), share=share.to_bytes())

    def _begin(self, fold: Fold, public: BlindTranscript) -> None:
        """A new deck. What was kept for it is used again: the same secret brings the same cards back."""
        self._place = (fold.number, fold.epoch)
        self._faces, self._requests, self._jobs, self._deal = {}, {}, [], None
        self._handed_out, self._held_until = set(), None
        kept = self._kept
        is_past = self._place < (kept.hand, kept.epoch)
        if is_past or kept.key != public.spec.key.digest or self.me not in public.spec.key.peers:
            return
        if (kept.hand, kept.epoch) != self._place:
            kept = msgspec.structs.replace(
                kept, hand=fold.number, epoch=fold.epoch, secret=self._entropy(SECRET_BYTES), released=()
            )
            self._kept = kept
        share, released = KeyShare.from_bytes(kept.share), [(r.epoch, r.slot, r.point) for r in kept.released]
        box = self._identity.postbox()
        self._deal = BlindDeal(public, self.me, share, kept.secret, box, self._entropy, released)

    def _note_work(self, deal: BlindDeal) -> None:
        """Hand the own shuffle and the checks of the others' out as jobs, each once."""
        turn = deal.turn()
        if turn is not None:
            self._jobs.append(Job(turn.run, partial(self._laid, deal)))
        for check in deal.checks():
            if check not in self._handed_out:
                self._handed_out.add(check)
                self._jobs.append(Job(check.holds, partial(self._noted, deal, check)))

    def _noted(self, deal: BlindDeal, check: ShuffleCheck, holds: bool) -> None:  # noqa: FBT001 - what a check returns
        deal.note(check, holds=holds)
        self._said = None

    def _laid(self, deal: BlindDeal, made: ShuffleDeck) -> None:
        deal.lay(made)
        self._said = None

    def _learn(self, deal: BlindDeal, fold: Fold) -> None:
        """Look at the own cards as far as they can be opened now."""
        hand = fold.hand
        for seat in fold.owned_by(self.me) if hand is not None else ():
            for slot in hand.hands[seat] if hand is not None else ():
                if hand is not None and hand.faces[slot] is None and slot not in self._faces:
                    self._look(deal, seat, slot)

    def _look(self, deal: BlindDeal, seat: int, slot: int) -> None:
        try:
            self._faces[slot] = deal.look(slot)
        except Breach as breach:  # not drawn yet, shares are missing, or it is no card: that is the deal's message
            if breach.code == "no-factor":
                self._alarm(Fault("secrets-gone"))
            return
        self._fresh.add(seat)

    def _watch(self, fold: Fold) -> None:
        """Notice a ledger that was forked, and secrets that are missing here."""
        if self._deal is not None:
            for breach in self._deal.conflicts():
                self._alarm(Fault(breach.code, None, (), **breach.parameters))
        elif self.me in fold.blind.spec.key.peers and self._place >= (self._kept.hand, self._kept.epoch):
            self._alarm(Fault("secrets-gone"))

    def _alarm(self, fault: Fault) -> None:
        if (fault.code, *self._place) not in self._alarmed:
            self._alarmed.add((fault.code, *self._place))
            self._alarms.append(fault)

    def certify(self, seq: int, now: float) -> None:
        """Give shares for what lies below a certificate, once everybody has drawn or the others have waited enough."""
        if self._deal is None or not self._requests:
            return
        self._held_until = self._held_until or now + HELD_FOR
        if not self._is_complete and now < self._held_until:
            return
        fresh = [name for name, at in self._requests.items() if at <= seq and name not in self._deal.certified]
        if fresh:
            self._deal.certify(fresh)
            self._said = None

    # ------------------------------------------------ duties

    def duties(self, fold: Fold) -> Iterator[Duty]:
        """What this peer owes to the ledger."""
        place = f"{fold.number}.{fold.epoch}"
        for message in self._keying.messages() if self._keying is not None else ():
            yield f"{type(message).__name__} {place}", message
        if self._deal is not None:
            yield from self._deal_duties(self._deal, fold, place)
        yield from super().duties(fold)
        if fold.host == self.me:
            yield from self._host_duties(fold, place)

    def _deal_duties(self, deal: BlindDeal, fold: Fold, place: str) -> Iterator[Duty]:
        if self._said is None:
            self._said = deal.messages()
            self._keep_released(deal)
        is_counted = fold.stage is Stage.COUNTED
        for message in self._said:
            if not is_counted or isinstance(message, ShuffleFault):
                yield f"{type(message).__name__} {place} {_mark(message, deal)}", cast("Body", message)
        for slots in () if is_counted else self._drawable(deal, fold):
            yield f"draw {place} {slots}", deal.draw(slots)
        doubts = any(isinstance(message, ShuffleFault) for message in self._said)
        if fold.stage is Stage.COUNTED and self.me in unaudited(fold) and not deal.checks() and not doubts:
            yield f"audit {place}", Audit(commitment=deal.public.commitment or b"")

    def _keep_released(self, deal: BlindDeal) -> None:
        points = tuple(ReleasedPoint(epoch=epoch, slot=slot, point=point) for epoch, slot, point in deal.released)
        if points != self._kept.released:
            self._kept = msgspec.structs.replace(self._kept, released=points)

    def _drawable(self, deal: BlindDeal, fold: Fold) -> Iterator[tuple[int, ...]]:
        """The slots that are owed to own seats, layer by layer, as many at once as a message holds."""
        owed = sorted(want.slot for want in fold.owed if self._is_mine(fold, want))
        dealt = [slot for slot in owed if _are_dealt(deal.public, [slot])]
        for _, layer in groupby(dealt, key=lambda slot: deal.public.layer_of(slot).epoch):
            slots = tuple(layer)
            yield from (slots[at : at + MAX_SLOTS] for at in range(0, len(slots), MAX_SLOTS))

    def _host_duties(self, fold: Fold, place: str) -> Iterator[Duty]:
        away = tuple(peer for peer in fold.peers if peer in fold.away)
        if fold.stage is Stage.BETWEEN and fold.can_play_without(away):
            opened = HandOpen(hand=fold.number + 1, epoch=0, promise=NO_PROMISE, without=away)
            yield f"open {place} {len(away)}", opened
        elif fold.stage is Stage.COUNTED and not unaudited(fold):
            yield f"score {place}", Score(secret=b"", totals=settled(fold).match.scores)

    def open_again(self, fold: Fold, late: tuple[bytes, ...]) -> HandOpen:
        """As host: the hand anew, without those for whose key or shuffle it has waited in vain."""
        without = tuple(peer for peer in fold.peers if peer in {*fold.without, *late})
        return HandOpen(hand=fold.number, epoch=fold.epoch + 1, promise=NO_PROMISE, without=without)

    # ------------------------------------------------ beside the ledger

    def take_jobs(self) -> list[Job]:
        """Take the own shuffle, and checks of the others'."""
        jobs, self._jobs = self._jobs, []
        return jobs

    def take_alarms(self) -> list[Fault]:
        """Take what the player has to be told of."""
        alarms, self._alarms = self._alarms, []
        return alarms

    def take_secrets(self) -> bytes | None:
        """Take what has to be on the disk before anything is sent."""
        if self._kept == self._saved:
            return None
        self._saved = self._kept
        return pack(self._kept)


def _read(kept: bytes | None) -> Kept:
    """What was on the disk; a file that is damaged is as good as none."""
    try:
        return NOTHING if kept is None else unpack(kept, Kept)
    except RemoteProtocolError:
        return NOTHING


def _owner(fold: Fold, want: Want) -> bytes:
    return b"" if want.seat is None else fold.owner_of(want.seat)


def _are_dealt(public: BlindTranscript, slots: list[int]) -> bool:
    """Whether slots lie in layers that have been shuffled and signed: they can be drawn."""
    found = [next((layer for layer in public.layers if slot in layer), None) for slot in slots]
    return all(layer is not None and layer.is_dealt and layer is found[0] for layer in found)


def _mark(message: BlindMessage, deal: BlindDeal) -> str:
    """What tells a message from another of its kind in the same hand."""
    if isinstance(message, Shares):
        return "".join(part.request.hex()[:8] for part in message.parts)
    return deal.public.layers[-1].chain[-1].hex()[:8]
