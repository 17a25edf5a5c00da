"""The state of a match, as it follows from the records: what `fold` makes and everybody else reads.

Everything in a Fold is public and frozen, and equal on all peers that have folded the same records.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Final, TypeAlias, cast

import msgspec

from rummy_p2p.cards import pack
from rummy_p2p.deal.blind_transcript import BlindStage, BlindTranscript
from rummy_p2p.deal.committed import Spec, Transcript, digest
from rummy_p2p.deal.committed import Stage as DealStage
from rummy_p2p.deal.keys import JointKey, KeyTranscript
from rummy_p2p.engine import HandState, MatchState, MatchStep, Want, forfeit, settle
from rummy_p2p.protocol.events import HandVoid, MatchOver, TableEvent
from rummy_p2p.protocol.faults import say
from rummy_p2p.protocol.ledger import Entry
from rummy_p2p.protocol.messages import Draft, Start
from rummy_p2p.protocol.records import Body
from rummy_p2p.protocol.roster import Seat, name_seats
from rummy_p2p.ruleset import Ruleset

MAX_VOIDS: Final = 3


class Stage(Enum):
    """How far a match has come: named for what is known."""

    EMPTY = "empty"
    ROSTER = "roster"
    BETWEEN = "between"
    KEYING = "keying"
    DEALING = "dealing"
    PLAYING = "playing"
    COUNTED = "counted"
    OVER = "over"


class Motion(msgspec.Struct, frozen=True):
    """A draft at the place where it stands or would stand.

    ``seen``: the place of the head that its author had seen; ``digest``: of the draft as it was signed.
    """

    author: bytes
    host: bytes
    term: int
    seq: int
    seen: int
    draft: Draft
    digest: bytes

    @property
    def body(self) -> Body:
        return self.draft.body


class Fold(msgspec.Struct, frozen=True):
    """Everything that follows from the records so far.

    ``without``: peers that take no part in making this hand's deck; ``owed``: slots that belong to a seat and have not
    been drawn (blind deal); ``flips``: slots that wait to be opened for all; ``away``: peers that nobody waits for.
    """

    rules: Ruleset
    match_id: bytes
    stage: Stage = Stage.EMPTY
    start: Start | None = None
    host: bytes = b""
    match: MatchState | None = None
    hand: HandState | None = None
    deal: Transcript | BlindTranscript | None = None
    keying: KeyTranscript | None = None
    key: JointKey | None = None
    flips: tuple[int, ...] = ()
    owed: tuple[Want, ...] = ()
    audits: tuple[bytes, ...] = ()
    number: int = 0
    epoch: int = 0
    without: tuple[bytes, ...] = ()
    away: frozenset[bytes] = frozenset()
    settled: int = 0
    voids: int = 0
    gone: frozenset[bytes] = frozenset()
    left_at: int = 0
    acted: tuple[int, ...] = ()
    opened_at: int = 0
    opened_on: bytes = b""

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats with their names."""
        return name_seats(self.start.seats) if self.start else ()

    @property
    def peers(self) -> tuple[bytes, ...]:
        """The peers that play, in the order of the Start."""
        return tuple(p.peer for p in self.start.peers if p.peer not in self.gone) if self.start else ()

    @property
    def scores(self) -> tuple[int, ...]:
        """Totals by seat."""
        return self.match.scores if self.match else (0,) * len(self.seats)

    @property
    def out(self) -> frozenset[int]:
        """The seats that play no more: eliminated, or their peer is gone."""
        left = {seat for peer in self.gone for seat in self.owned_by(peer)}
        return frozenset(left) | (self.match.out if self.match else frozenset())

    @property
    def is_last_hand(self) -> bool:
        """Whether the table has agreed on no more hands than this one."""
        return self.start is not None and 0 < self.start.hands <= self.settled + 1

    @property
    def is_blind(self) -> bool:
        """Whether nobody sees the deck."""
        return self.start is not None and self.start.deal == "blind"

    @property
    def committed(self) -> Transcript:
        """The deal by the host that is under way; there must be one."""
        return cast("Transcript", self.deal)

    @property
    def blind(self) -> BlindTranscript:
        """The blind deal that is under way; there must be one."""
        return cast("BlindTranscript", self.deal)

    @property
    def deck(self) -> tuple[int, int, Transcript] | None:
        """Hand, attempt and transcript of the deck that the host has laid out."""
        return (self.number, self.epoch, self.deal) if isinstance(self.deal, Transcript) else None

    @property
    def is_dealt(self) -> bool:
        """Whether the whole deck is there, and cards may move."""
        if isinstance(self.deal, BlindTranscript):
            return self.deal.stage is BlindStage.DEALT
        return self.deal is not None and self.deal.stage is DealStage.DEALT

    @property
    def waits_for(self) -> tuple[bytes, ...]:
        """The peers without whose message the key or the deck does not go on."""
        if self.keying is not None:
            return self.keying.missing()
        return self.deal.missing() if self.deal is not None and not self.is_dealt else ()

    def is_made_by(self, peer: bytes) -> bool:
        """Whether the key or the deck that is being made needs a peer, now or later."""
        if self.keying is not None:
            return peer in self.keying.peers
        if isinstance(self.deal, BlindTranscript):
            return not self.is_dealt and peer in self.deal.layers[-1].order
        return peer in self.waits_for

    def owned_by(self, peer: bytes) -> tuple[int, ...]:
        """The seats of a peer."""
        return tuple(n for n, entry in enumerate(self.start.seats if self.start else ()) if entry.owner == peer)

    def owner_of(self, seat: int) -> bytes:
        """The peer of a seat."""
        return cast("Start", self.start).seats[seat].owner

    def name_of(self, peer: bytes) -> str:
        """The name of a peer on the screen: that of its first seat."""
        return next(seat.name for seat in self.seats if seat.owner == peer)

    def can_play_without(self, peers: tuple[bytes, ...]) -> bool:
        """Whether enough seats are left when these peers sit a hand out."""
        idle = self.out | {seat for peer in peers for seat in self.owned_by(peer)}
        return len(self.acted) - len(idle) >= max(2, self.rules.players.min)

    def context(self, number: int, epoch: int, peers: tuple[bytes, ...]) -> bytes:
        """What every commitment of a deal is bound to."""
        place = number.to_bytes(4, "big") + epoch.to_bytes(4, "big")
        return digest("context", self.match_id, place, bytes.fromhex(self.rules.fingerprint), self.host, *peers)

    def spec(self, number: int, epoch: int, without: tuple[bytes, ...]) -> Spec:
        """What a deal by the host is about."""
        peers = tuple(peer for peer in self.peers if peer not in without)
        cards = pack(self.rules.deck.packs, self.rules.deck.jokers)
        return Spec(self.context(number, epoch, peers), cards, self.host, peers)


class Advance(msgspec.Struct, frozen=True):
    """What a record came to: the next state, what everybody is told, and which slots are to be opened to seats."""

    fold: Fold
    events: tuple[TableEvent, ...] = ()
    private: tuple[Want, ...] = ()


Handler: TypeAlias = Callable[[Fold, Motion], Advance]


def motion_of(entry: Entry, seen: int) -> Motion:
    """The motion of a record."""
    message = entry.draft_message
    return Motion(entry.author, entry.host, entry.ordered.term, entry.seq, seen, entry.draft, message.digest)


def changed(fold: Fold, **changes: object) -> Fold:
    """The fold with some things changed."""
    return msgspec.structs.replace(fold, **changes)


def hand_of(fold: Fold) -> HandState:
    """The hand in play; there must be one."""
    return cast("HandState", fold.hand)


# ---------------------------------------------------------------- how a hand, and a match, ends before its time


def cleared(fold: Fold) -> Fold:
    """Between two hands."""
    return changed(
        fold, stage=Stage.BETWEEN, hand=None, deal=None, keying=None, flips=(), owed=(), audits=(), without=()
    )


def voided(fold: Fold, told: HandVoid) -> Advance:
    """Throw the hand in: the totals and the dealer stay as they were."""
    void = changed(cleared(fold), voids=fold.voids + 1)
    if void.voids >= MAX_VOIDS:
        return ended(void, (told,), (), "cannot-deal")
    return Advance(void, (told,))


def ended(fold: Fold, events: tuple[TableEvent, ...], winners: tuple[int, ...], code: str = "") -> Advance:
    """The match is over; ``code`` when it ends before its time."""
    over = MatchOver(fold.scores, winners, code, say(code) if code else "")
    return Advance(changed(cleared(fold), stage=Stage.OVER), (*events, over))


def points_of(fold: Fold) -> tuple[int, ...]:
    """What the counted hand brings each seat.

    Who sits a hand out has no cards that could count against it. Where the fewest points win it is given what the
    others have on average, rounded up: else to pull the cable before every deal would be the best way to play.
    """
    hand = hand_of(fold)
    played = [points for points, plays in zip(hand.points, hand.playing, strict=True) if plays]
    share = -(-sum(played) // len(played)) if fold.rules.match.winner == "lowest" else 0
    idle = {seat for seat, plays in enumerate(hand.playing) if not plays} - fold.out
    return tuple(share if seat in idle else points for seat, points in enumerate(hand.points))


def settled(fold: Fold) -> MatchStep:
    """The match with the counted hand added to it."""
    counted = msgspec.structs.replace(hand_of(fold), points=points_of(fold))
    return settle(fold.rules, cast("MatchState", fold.match), counted)


def winners_without(fold: Fold, lost: bytes, winner: bytes) -> tuple[int, ...]:
    """Who has won when one of two peers forfeits: the best of the other's seats."""
    seats = fold.owned_by(winner)
    best = forfeit(fold.match, fold.owned_by(lost)[0], fold.rules).match.winners if fold.match is not None else ()
    return tuple(seat for seat in best if seat in seats) or seats[:1]


def without_peer(fold: Fold, motion: Motion, peer: bytes, told: HandVoid) -> Advance:
    """Go on without a peer's seats, as long as the game is for so few."""
    in_hand = fold.stage is not Stage.BETWEEN
    out_before = fold.out
    gone = changed(fold, gone=fold.gone | {peer}, away=fold.away - {peer}, left_at=motion.seq)
    if gone.out == out_before and not fold.is_made_by(peer):
        return Advance(gone)
    if gone.match:
        gone = changed(gone, match=msgspec.structs.replace(gone.match, out=gone.out))
    if gone.can_play_without(()):
        return voided(gone, told) if in_hand else Advance(gone)
    lost = fold.owned_by(peer)[0]
    winners = forfeit(gone.match, lost, gone.rules).match.winners if gone.match else ()
    return ended(gone, (told,) if in_hand else (), winners, "too-few-players")
