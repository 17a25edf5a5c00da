"""The state of a match is the fold of its ledger; this is the fold.

The law of this file
--------------------
* `advance(fold, motion)` judges a record whose signatures and place have been checked already, and returns the next
  state with what everybody is told; when it refuses, nothing has changed. The host calls it before it orders, every
  other peer before it acknowledges, `verify` when it reads a file: there is no other judge.
* Everything in a Fold is public and frozen, and equal on all peers that have folded the same records.
* `TABLE` is the state machine: what may come at which stage. What it does not name is out of place.

    EMPTY --roster--> ROSTER --host-change--> BETWEEN --hand-open--> DEALING --deck--> PLAYING --last show--> COUNTED
    COUNTED --score--> BETWEEN or OVER; void and departure lead from anywhere in a hand to BETWEEN or OVER
* A hand that cannot count is void: the cards are dealt anew, the same dealer, the totals as they were; three in a row
  end the match. Who leaves is out of the match: the hand it leaves is void, the others play on as long as the game is
  for so few; when it is not, the best of those who stayed wins. When the host leaves, the match ends without a winner.
* Refusals: Fault (this layer's), IllegalAction (the engine's), KnobFailed (a plugin's function raised).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Final, TypeAlias, cast

import msgspec

from rummy_p2p.cards import Card, pack
from rummy_p2p.deal import DealError, DealMessage, DeckLaid, EntropyCommit, EntropyOpen, Opening
from rummy_p2p.deal.committed import Spec, Transcript, begin, digest
from rummy_p2p.deal.committed import Stage as DealStage
from rummy_p2p.engine import (
    Action,
    HandState,
    IllegalAction,
    KnobFailed,
    MatchState,
    ParseError,
    Step,
    Want,
    apply,
    forfeit,
    open_hand,
    parse_action,
    reveal,
    settle,
    start_match,
    time_out,
)
from rummy_p2p.engine.events import Reshuffled
from rummy_p2p.protocol.election import check_votes
from rummy_p2p.protocol.errors import RemoteProtocolError
from rummy_p2p.protocol.events import (
    DeckCommitted,
    Elected,
    HandOver,
    HandStarted,
    HandVoid,
    Happened,
    MatchOver,
    Played,
    TableEvent,
)
from rummy_p2p.protocol.evidence import convict
from rummy_p2p.protocol.faults import Fault, say
from rummy_p2p.protocol.ledger import Entry
from rummy_p2p.protocol.messages import (
    Act,
    Body,
    Departure,
    Draft,
    Flip,
    HandOpen,
    HostChange,
    Roster,
    Score,
    Start,
    TimeOut,
    Void,
    match_id,
    read,
    read_packed,
)
from rummy_p2p.protocol.roster import Seat, check_start, name_seats
from rummy_p2p.ruleset import Ruleset, RulesetError, from_canonical

MAX_VOIDS: Final = 3


class Stage(Enum):
    """How far a match has come: named for what is known."""

    EMPTY = "empty"
    ROSTER = "roster"
    BETWEEN = "between"
    DEALING = "dealing"
    PLAYING = "playing"
    COUNTED = "counted"
    OVER = "over"


class Motion(msgspec.Struct, frozen=True):
    """A draft at the place where it stands or would stand; ``seen``: the place of the head that its author had seen."""

    author: bytes
    host: bytes
    term: int
    seq: int
    seen: int
    draft: Draft

    @property
    def body(self) -> Body:
        return self.draft.body


class Fold(msgspec.Struct, frozen=True):
    """Everything that follows from the records so far."""

    rules: Ruleset
    match_id: bytes
    stage: Stage = Stage.EMPTY
    start: Start | None = None
    host: bytes = b""
    match: MatchState | None = None
    hand: HandState | None = None
    deal: Transcript | None = None
    flips: tuple[int, ...] = ()
    number: int = 0
    epoch: int = 0
    without: tuple[bytes, ...] = ()
    settled: int = 0
    voids: int = 0
    gone: frozenset[bytes] = frozenset()
    left_at: int = 0
    acted: tuple[int, ...] = ()
    opened_at: int = 0

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
    def deck(self) -> tuple[int, int, Transcript] | None:
        """Hand, epoch and transcript of the deck in play."""
        return (self.number, self.epoch, self.deal) if self.deal else None

    def owned_by(self, peer: bytes) -> tuple[int, ...]:
        """The seats of a peer."""
        return tuple(n for n, entry in enumerate(self.start.seats if self.start else ()) if entry.owner == peer)

    def context(self, number: int, epoch: int, peers: tuple[bytes, ...]) -> bytes:
        """What every commitment of a deal is bound to."""
        place = number.to_bytes(4, "big") + epoch.to_bytes(4, "big")
        return digest("context", self.match_id, place, bytes.fromhex(self.rules.fingerprint), self.host, *peers)

    def spec(self, number: int, epoch: int, without: tuple[bytes, ...]) -> Spec:
        """What the deal of a hand is about."""
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
    return Motion(entry.author, entry.host, entry.ordered.term, entry.seq, seen, entry.draft)


def advance(fold: Fold, motion: Motion) -> Advance:
    """Fold one more record in; raises Fault, IllegalAction or KnobFailed and changes nothing."""
    handler = TABLE[fold.stage].get(type(motion.body))
    if handler is None:
        raise Fault("out-of-place", kind=type(motion.body).__name__)
    _check_belongs(fold, motion)
    try:
        return handler(fold, motion)
    except DealError as error:
        raise Fault(error.code, None, (), **error.parameters) from error


def _check_belongs(fold: Fold, motion: Motion) -> None:
    draft, body = motion.draft, motion.body
    if draft.match != fold.match_id:
        raise Fault("wrong-match")
    if isinstance(body, HandOpen):
        expected = (body.hand, body.epoch)
    elif isinstance(body, Departure):
        expected = (draft.hand, draft.epoch)
    else:
        expected = (fold.number, fold.epoch)
    if (draft.hand, draft.epoch) != expected:
        raise Fault("wrong-hand")
    if isinstance(body, HOST_ONLY) and motion.author != motion.host:
        raise Fault("wrong-author")


# ---------------------------------------------------------------- opening a match


def _roster(fold: Fold, motion: Motion) -> Advance:
    body = cast("Roster", motion.body)
    try:
        signed = read_packed(body.start)
        start = read(signed)
        rules = from_canonical(body.rules, fold.rules.functions)
    except RemoteProtocolError as error:
        raise Fault("bad-roster") from error
    except RulesetError as error:
        raise Fault("rules-differ") from error
    if not isinstance(start, Start) or match_id(signed) != fold.match_id:
        raise Fault("bad-roster")
    if rules.fingerprint != fold.rules.fingerprint:
        raise Fault("rules-differ")
    check_start(start, fold.rules)
    acted = (0,) * len(start.seats)
    return Advance(_changed(fold, stage=Stage.ROSTER, start=start, acted=acted))


def _host_change(fold: Fold, motion: Motion) -> Advance:
    body = cast("HostChange", motion.body)
    if body.term != motion.term:
        raise Fault("wrong-term")
    check_votes(fold.match_id, fold.peers, motion.author, body.term, body.votes)
    name = next(seat.name for seat in fold.seats if seat.owner == motion.author)
    elected = Elected(body.term, motion.author, name)
    return Advance(_changed(fold, stage=Stage.BETWEEN, host=motion.author), (elected,))


# ---------------------------------------------------------------- the deal


def _hand_open(fold: Fold, motion: Motion) -> Advance:
    """The next hand. What the host is bound to names the peers: it must have seen who has left."""
    body = cast("HandOpen", motion.body)
    if (body.hand, body.epoch) != (fold.number + 1, 0) or body.without or motion.seen < fold.left_at:
        raise Fault("bad-hand-open")
    return _deal_begun(fold, motion, body)


def _hand_again(fold: Fold, motion: Motion) -> Advance:
    """A missing share of the randomness: the same hand, fresh commitments, without those who did not show theirs."""
    body = cast("HandOpen", motion.body)
    deal = cast("Transcript", fold.deal)
    if (body.hand, body.epoch) != (fold.number, fold.epoch + 1) or deal.stage is DealStage.LAY:
        raise Fault("bad-hand-open")
    late = set(body.without) - set(fold.without)
    if not set(fold.without) < set(body.without) or not late <= set(deal.missing()) - {fold.host}:
        raise Fault("bad-hand-open")
    return _deal_begun(fold, motion, body)


def _deal_begun(fold: Fold, motion: Motion, body: HandOpen) -> Advance:
    begun = _changed(
        fold,
        stage=Stage.DEALING,
        number=body.hand,
        epoch=body.epoch,
        without=body.without,
        deal=begin(fold.spec(body.hand, body.epoch, body.without), body.promise),
        opened_at=fold.opened_at if body.epoch else motion.seq,
    )
    return Advance(begun, (HandStarted(body.hand, body.epoch),))


def _entropy(fold: Fold, motion: Motion) -> Advance:
    message = cast("DealMessage", motion.body)
    return Advance(_changed(fold, deal=cast("Transcript", fold.deal).receive(motion.author, message)))


def _deck(fold: Fold, motion: Motion) -> Advance:
    """The deck is out: the first dealer is drawn from everybody's bytes, and the engine says who gets which slots."""
    deal = cast("Transcript", fold.deal).receive(motion.author, cast("DeckLaid", motion.body))
    match = fold.match or _first_deal(fold, deal)
    step = open_hand(fold.rules, match)
    dealt = _changed(fold, stage=Stage.PLAYING, deal=deal, match=match)
    told = DeckCommitted(fold.number, cast("bytes", deal.commitment))
    return _stepped(dealt, step, (told, Happened(step.events)))


def _first_deal(fold: Fold, deal: Transcript) -> MatchState:
    seats = len(fold.acted)
    match = start_match(fold.rules, seats, int.from_bytes(deal.joint, "big") % seats)
    return msgspec.structs.replace(match, out=fold.out)


def _flip(fold: Fold, motion: Motion) -> Advance:
    body = cast("Flip", motion.body)
    if sorted(opening.slot for opening in body.openings) != sorted(fold.flips):
        raise Fault("not-due")
    step = reveal(_hand(fold), _faces(fold, body.openings))
    return _stepped(_changed(fold, flips=()), step, (Happened(step.events),))


# ---------------------------------------------------------------- play


def _act(fold: Fold, motion: Motion) -> Advance:
    body = cast("Act", motion.body)
    if body.seat not in fold.owned_by(motion.author):
        raise Fault("wrong-author")
    if motion.seen < fold.acted[body.seat]:
        raise Fault("stale-number")
    if cast("Transcript", fold.deal).stage is not DealStage.DEALT:
        raise Fault("not-due")
    action = _parse(body.move)
    shown = _shown(fold, body, action)
    step = apply(_hand(fold), body.seat, action, shown)
    acted = (*fold.acted[: body.seat], motion.seq, *fold.acted[body.seat + 1 :])
    return _stepped(_changed(fold, acted=acted), step, (Played(body.seat, str(action), step.events),))


def _parse(move: str) -> Action:
    try:
        return parse_action(move)
    except ParseError as error:
        raise IllegalAction("parse-error", wanted=error.wanted) from error


def _shown(fold: Fold, body: Act, action: Action) -> dict[int, Card]:
    """The faces opened with a move: the seat's own hidden cards, each once, and only those that the move names."""
    hand = _hand(fold)
    hidden = {slot for slot in hand.hands[body.seat] if hand.faces[slot] is None}
    slots = [opening.slot for opening in body.openings]
    if len(set(slots)) < len(slots) or not set(slots) <= hidden:
        raise Fault("needless-opening")
    shown = _faces(fold, body.openings)
    if action.verb not in SHOWS_ALL and not set(shown.values()) <= set(action.cards()):
        raise Fault("needless-opening")
    return shown


def _time_out(fold: Fold, motion: Motion) -> Advance:
    body = cast("TimeOut", motion.body)
    hand = _hand(fold)
    clock = fold.rules.clock
    limited = clock.game_s and clock.game_loses if body.game else clock.move_s
    if not limited or body.seat != hand.turn:
        raise Fault("not-due")
    if body.game:
        lost = forfeit(cast("MatchState", fold.match), body.seat, fold.rules).match
        return _ended(_changed(fold, match=lost), (), lost.winners, "out-of-time")
    step = time_out(hand)
    return _stepped(fold, step, (Happened(step.events),))


def _stepped(fold: Fold, step: Step, events: tuple[TableEvent, ...]) -> Advance:
    """Take over what the engine made of it; a reshuffled pile waits for the host to lay it out anew."""
    deal = cast("Transcript", fold.deal)
    for event in step.events:
        if isinstance(event, Reshuffled):
            deal = deal.reshuffle(event.slots[0], event.cards)
    flips = fold.flips + tuple(want.slot for want in step.wants if want.seat is None)
    private = tuple(want for want in step.wants if want.seat is not None)
    stage = Stage.COUNTED if step.state.over else fold.stage
    return Advance(_changed(fold, hand=step.state, deal=deal, flips=flips, stage=stage), events, private)


def _faces(fold: Fold, openings: tuple[Opening, ...]) -> dict[int, Card]:
    deal = cast("Transcript", fold.deal)
    return {opening.slot: deal.verify(opening.slot, opening) for opening in openings}


def _hand(fold: Fold) -> HandState:
    return cast("HandState", fold.hand)


# ---------------------------------------------------------------- the end of a hand


def _score(fold: Fold, motion: Motion) -> Advance:
    body = cast("Score", motion.body)
    deal, hand = cast("Transcript", fold.deal), _hand(fold)
    deal.audit(body.secret)
    settled = settle(fold.rules, cast("MatchState", fold.match), hand)
    if body.totals != settled.match.scores:
        raise Fault("score-differs")
    records = motion.seq - fold.opened_at + 1
    commitment = cast("bytes", deal.commitment)
    over = HandOver(fold.number, hand.points, body.totals, hand.winner, "ok", commitment, records, settled.events)
    done = _changed(_cleared(fold), match=settled.match, settled=fold.settled + 1, voids=0)
    limit = cast("Start", fold.start).hands
    if settled.match.over or (limit and done.settled >= limit):
        return _ended(done, (over,), settled.match.winners)
    return Advance(done, (over,))


def _void(fold: Fold, motion: Motion) -> Advance:
    """A hand that cannot count: a function knob raises, a peer has signed two things (both with the proof), or the host
    was restarted and has lost the deck (its word alone: it can give up a hand, as it could by going away).
    """
    body = cast("Void", motion.body)
    if body.code == "knob-failed":
        failed = _failure(fold, motion, body)
        words: Mapping[str, int | str] = {"plugin": failed.plugin, "knob": failed.knob, "cause": failed.cause}
        told = HandVoid(fold.number, body.code, say(body.code, words), None)
        return _voided(fold, told)
    if body.code == "secret-lost":
        return _voided(fold, HandVoid(fold.number, body.code, say(body.code), None))
    culprit = convict(body.code, body.evidence, fold.match_id, fold.deck)
    if culprit not in fold.peers or culprit == fold.host:
        raise Fault("bad-evidence")
    return _without_peer(fold, motion, culprit, HandVoid(fold.number, body.code, say(body.code), culprit))


def _failure(fold: Fold, motion: Motion, body: Void) -> KnobFailed:
    """The failure that the host reports, seen with one's own eyes."""
    try:
        for packed in body.evidence[:1]:
            advance(fold, _motion_in(packed, motion))
    except KnobFailed as error:
        return error
    except IllegalAction as error:
        raise Fault("bad-evidence") from error
    raise Fault("bad-evidence")


def _motion_in(packed: bytes, motion: Motion) -> Motion:
    """The draft that was given as evidence, at the place where it could have stood."""
    try:
        message = read_packed(packed)
        draft = read(message)
    except RemoteProtocolError as error:
        raise Fault("bad-evidence") from error
    if not isinstance(draft, Draft) or not isinstance(draft.body, Act | TimeOut):
        raise Fault("bad-evidence")
    return msgspec.structs.replace(motion, author=message.author, draft=draft, seen=motion.seq)


def _departure(fold: Fold, motion: Motion) -> Advance:
    name = next(seat.name for seat in fold.seats if seat.owner == motion.author)
    if motion.author == fold.host:
        return _ended(_changed(fold, gone=fold.gone | {motion.author}), (), (), "host-left")
    told = HandVoid(fold.number, "left", say("left", {"player": name}), motion.author)
    return _without_peer(fold, motion, motion.author, told)


def _without_peer(fold: Fold, motion: Motion, peer: bytes, told: HandVoid) -> Advance:
    """Go on without a peer's seats, as long as the game is for so few."""
    in_hand = fold.stage is not Stage.BETWEEN
    out_before = fold.out
    gone = _changed(fold, gone=fold.gone | {peer}, left_at=motion.seq)
    if gone.out == out_before:
        return Advance(gone)
    if gone.match:
        gone = _changed(gone, match=msgspec.structs.replace(gone.match, out=gone.out))
    if len(gone.acted) - len(gone.out) >= max(2, gone.rules.players.min):
        return _voided(gone, told) if in_hand else Advance(gone)
    lost = fold.owned_by(peer)[0]
    winners = forfeit(gone.match, lost, gone.rules).match.winners if gone.match else ()
    return _ended(gone, (told,) if in_hand else (), winners, "too-few-players")


def _voided(fold: Fold, told: HandVoid) -> Advance:
    """Throw the hand in: the totals and the dealer stay as they were."""
    cleared = _changed(_cleared(fold), voids=fold.voids + 1)
    if cleared.voids >= MAX_VOIDS:
        return _ended(cleared, (told,), (), "cannot-deal")
    return Advance(cleared, (told,))


def _ended(fold: Fold, events: tuple[TableEvent, ...], winners: tuple[int, ...], code: str = "") -> Advance:
    over = MatchOver(fold.scores, winners, code, say(code) if code else "")
    return Advance(_changed(_cleared(fold), stage=Stage.OVER), (*events, over))


def _cleared(fold: Fold) -> Fold:
    return _changed(fold, stage=Stage.BETWEEN, hand=None, deal=None, flips=(), without=())


def _changed(fold: Fold, **changes: object) -> Fold:
    return msgspec.structs.replace(fold, **changes)


SHOWS_ALL: Final = frozenset({"show", "knock"})
HOST_ONLY: Final = (Roster, HostChange, HandOpen, DeckLaid, Flip, TimeOut, Score, Void)
_ALWAYS: Final[Mapping[type, Handler]] = {Departure: _departure}
_IN_HAND: Final[Mapping[type, Handler]] = {**_ALWAYS, Void: _void}
TABLE: Final[Mapping[Stage, Mapping[type, Handler]]] = {
    Stage.EMPTY: {Roster: _roster},
    Stage.ROSTER: {HostChange: _host_change},
    Stage.BETWEEN: {**_ALWAYS, HandOpen: _hand_open},
    Stage.DEALING: {
        **_IN_HAND,
        EntropyCommit: _entropy,
        EntropyOpen: _entropy,
        DeckLaid: _deck,
        HandOpen: _hand_again,
    },
    Stage.PLAYING: {**_IN_HAND, DeckLaid: _entropy, Flip: _flip, Act: _act, TimeOut: _time_out},
    Stage.COUNTED: {**_IN_HAND, Score: _score},
    Stage.OVER: {},
}
