"""The state of a match is the fold of its ledger; this is the fold.

The law of this file
--------------------
* `advance(fold, motion)` judges a record whose signatures and place have been checked already, and returns the next
  state with what everybody is told; when it refuses, nothing has changed. The host calls it before it orders, every
  other peer before it acknowledges, `verify` when it reads a file: there is no other judge.
* Everything in a Fold is public and frozen, and equal on all peers that have folded the same records (`state`).
* `TABLE` is the state machine: what may come at which stage. What it does not name is out of place.

    EMPTY --roster--> ROSTER --host-change--> BETWEEN --hand-open--> (KEYING, if blind:) DEALING --deck--> PLAYING
    PLAYING --last show--> COUNTED --score--> BETWEEN or OVER
    void and departure lead from anywhere in a hand to BETWEEN or OVER
* What the deck asks for stands in `host_dealing` and `blind_dealing`, for the two deals.
* A hand that cannot count is void: the cards are dealt anew, the same dealer, the totals as they were; three in a row
  end the match. Who leaves is out of the match: the hand it leaves is void, the others play on as long as the game is
  for so few; when it is not, the best of those who stayed wins.
* A new host takes over where the ledger ends, in mid-hand too. Only where the last host dealt is the deck lost with it:
  that hand is void.
* A peer that is away keeps its seats and its cards. Its turn may be ended without a clock, its cards are opened by the
  others when the hand is counted, and nobody waits for it before that. It is back when it says so.
* Refusals: Fault (this layer's), IllegalAction (the engine's), KnobFailed (a plugin's function raised).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, cast

import msgspec

from rummy_p2p.cards import Card
from rummy_p2p.deal import DealError, DeckLaid, EntropyCommit, EntropyOpen
from rummy_p2p.deal.blind_messages import (
    CardFault,
    DeckOk,
    Draw,
    HandOverFault,
    HandOverShown,
    Shares,
    ShuffleDeck,
    ShuffleFault,
)
from rummy_p2p.deal.breach import CONVICTING as BREACHES
from rummy_p2p.deal.breach import Breach
from rummy_p2p.deal.keys import KeyAnswer, KeyCommit, KeyComplaint, KeyOk, KeyOpen, KeyShares
from rummy_p2p.engine import (
    Action,
    IllegalAction,
    KnobFailed,
    MatchState,
    ParseError,
    Step,
    apply,
    forfeit,
    leaders,
    parse_action,
    time_out,
    unshown,
)
from rummy_p2p.protocol import blind_dealing, host_dealing
from rummy_p2p.protocol.election import check_votes
from rummy_p2p.protocol.errors import RemoteProtocolError
from rummy_p2p.protocol.events import CameBack, Elected, HandOver, HandVoid, Happened, Played, TableEvent, WentAway
from rummy_p2p.protocol.evidence import convict
from rummy_p2p.protocol.faults import Fault, say
from rummy_p2p.protocol.messages import Draft, Start, match_id, read, read_packed
from rummy_p2p.protocol.records import (
    Act,
    Audit,
    Away,
    Back,
    Departure,
    Flip,
    HandOpen,
    HostChange,
    Roster,
    Score,
    TimeOut,
    Void,
)
from rummy_p2p.protocol.roster import check_start
from rummy_p2p.protocol.state import (
    Advance,
    Fold,
    Handler,
    Motion,
    Stage,
    changed,
    cleared,
    ended,
    hand_of,
    points_of,
    settled,
    voided,
    without_peer,
)
from rummy_p2p.ruleset import RulesetError, from_canonical


def advance(fold: Fold, motion: Motion) -> Advance:
    """Fold one more record in; raises Fault, IllegalAction or KnobFailed and changes nothing."""
    handler = TABLE[fold.stage].get(type(motion.body))
    if handler is None:
        raise Fault("out-of-place", kind=type(motion.body).__name__)
    _check_belongs(fold, motion)
    try:
        return handler(fold, motion)
    except DealError as error:
        culprit = error.culprit if isinstance(error, Breach) else None
        raise Fault(error.code, culprit, (), **error.parameters) from error


def _check_belongs(fold: Fold, motion: Motion) -> None:
    draft, body = motion.draft, motion.body
    if draft.match != fold.match_id:
        raise Fault("wrong-match")
    if isinstance(body, HandOpen):
        expected = (body.hand, body.epoch)
    elif isinstance(body, Departure | Away | Back | HostChange):
        expected = (draft.hand, draft.epoch)
    else:
        expected = (fold.number, fold.epoch)
    if (draft.hand, draft.epoch) != expected:
        raise Fault("wrong-hand")
    if isinstance(body, HOST_ONLY) and motion.author != motion.host:
        raise Fault("wrong-author")
    if isinstance(body, BLIND_ONLY) != fold.is_blind and isinstance(body, (*BLIND_ONLY, *OPEN_ONLY)):
        raise Fault("out-of-place", kind=type(body).__name__)


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
    return Advance(changed(fold, stage=Stage.ROSTER, start=start, acted=acted))


def _host_change(fold: Fold, motion: Motion) -> Advance:
    body = cast("HostChange", motion.body)
    if body.term != motion.term:
        raise Fault("wrong-term")
    check_votes(fold.match_id, fold.peers, motion.author, body.term, body.votes)
    elected = Elected(body.term, motion.author, fold.name_of(motion.author))
    taken = changed(fold, host=motion.author)
    if fold.stage is Stage.ROSTER:
        return Advance(changed(taken, stage=Stage.BETWEEN), (elected,))
    if fold.is_blind or fold.stage is Stage.BETWEEN:
        return Advance(taken, (elected,))
    return _telling(voided(taken, HandVoid(fold.number, "deck-lost", say("deck-lost"), None)), elected)


# ---------------------------------------------------------------- the deal


def _hand_open(fold: Fold, motion: Motion) -> Advance:
    body = cast("HandOpen", motion.body)
    if fold.is_blind:
        return blind_dealing.open_first(fold, motion, body)
    return host_dealing.open_first(fold, motion, body)


def _hand_again(fold: Fold, motion: Motion) -> Advance:
    body = cast("HandOpen", motion.body)
    if fold.is_blind:
        return blind_dealing.open_again(fold, motion, body)
    return host_dealing.open_again(fold, motion, body)


def _shared(fold: Fold, motion: Motion) -> Advance:
    """Shares may have opened the last cards of all; those who are absent show theirs with everybody's shares."""
    after = blind_dealing.said(fold, motion)
    return _with_absent(after, motion)


def _flip(fold: Fold, motion: Motion) -> Advance:
    return _with_absent(host_dealing.flip(fold, motion), motion)


# ---------------------------------------------------------------- play


def _act(fold: Fold, motion: Motion) -> Advance:
    body = cast("Act", motion.body)
    if body.seat not in fold.owned_by(motion.author):
        raise Fault("wrong-author")
    if motion.seen < fold.acted[body.seat]:
        raise Fault("stale-number")
    if not fold.is_dealt:
        raise Fault("not-due")
    action = _parse(body.move)
    fold, shown = _shown(fold, motion, action)
    step = apply(hand_of(fold), body.seat, action, shown)
    acted = (*fold.acted[: body.seat], motion.seq, *fold.acted[body.seat + 1 :])
    after = _stepped(changed(fold, acted=acted), step, motion)
    return _with_absent(_telling(after, Played(body.seat, str(action), step.events)), motion)


def _parse(move: str) -> Action:
    try:
        return parse_action(move)
    except ParseError as error:
        raise IllegalAction("parse-error", wanted=error.wanted) from error


def _shown(fold: Fold, motion: Motion, action: Action) -> tuple[Fold, dict[int, Card]]:
    """The faces opened with a move: the seat's own hidden cards, each once, and only those that the move names."""
    body, hand = cast("Act", motion.body), hand_of(fold)
    hidden = {slot for slot in hand.hands[body.seat] if hand.faces[slot] is None}
    slots = [opening.slot for opening in body.openings]
    if len(set(slots)) < len(slots) or not set(slots) <= hidden:
        raise Fault("needless-opening")
    show = blind_dealing.shown if fold.is_blind else host_dealing.shown
    fold, shown = show(fold, motion, body)
    if action.verb not in SHOWS_ALL and not set(shown.values()) <= set(action.cards()):
        raise Fault("needless-opening")
    return fold, shown


def _time_out(fold: Fold, motion: Motion) -> Advance:
    body = cast("TimeOut", motion.body)
    hand = hand_of(fold)
    clock = fold.rules.clock
    limited = clock.game_s and clock.game_loses if body.game else clock.move_s or _is_away(fold, body.seat)
    if not limited or body.seat != hand.turn or not fold.is_dealt:
        raise Fault("not-due")
    if body.game:
        lost = forfeit(cast("MatchState", fold.match), body.seat, fold.rules).match
        return ended(changed(fold, match=lost), (), lost.winners, "out-of-time")
    step = time_out(hand)
    return _with_absent(_telling(_stepped(fold, step, motion), Happened(step.events)), motion)


def _is_away(fold: Fold, seat: int) -> bool:
    return fold.owner_of(seat) in fold.away


def _stepped(fold: Fold, step: Step, motion: Motion) -> Advance:
    """Take over what the engine made of it, in the way of the deal."""
    if fold.is_blind:
        return Advance(blind_dealing.stepped(fold, step, motion))
    return host_dealing.stepped(fold, step)


def _telling(after: Advance, told: TableEvent) -> Advance:
    return msgspec.structs.replace(after, events=(told, *after.events))


# ---------------------------------------------------------------- who is away


def _away(fold: Fold, motion: Motion) -> Advance:
    peer = cast("Away", motion.body).peer
    if peer not in fold.peers or peer == fold.host or peer in fold.away:
        raise Fault("not-due")
    gone = changed(fold, away=fold.away | {peer})
    after = blind_dealing.gone_away(gone, peer) if fold.is_blind else Advance(gone)
    return _with_absent(_telling(after, WentAway(peer, fold.name_of(peer))), motion)


def _back(fold: Fold, motion: Motion) -> Advance:
    peer = motion.author
    if peer not in fold.away:
        raise Fault("not-due")
    return Advance(changed(fold, away=fold.away - {peer}), (CameBack(peer, fold.name_of(peer)),))


def _with_absent(after: Advance, motion: Motion) -> Advance:
    """At the count, let the cards of absent seats be opened by the others; they do not wait for a show."""
    fold = after.fold
    hand = fold.hand
    if hand is None or fold.stage is not Stage.PLAYING or not fold.is_dealt:
        return after
    seats = [seat for seat in unshown(hand) if fold.owner_of(seat) in {*fold.away, *fold.without}]
    slots = [slot for seat in seats for slot in hand.hands[seat] if hand.faces[slot] is None]
    fresh = [slot for slot in slots if slot not in fold.flips]
    if not fresh:
        return after
    if fold.is_blind:
        return msgspec.structs.replace(after, fold=blind_dealing.flipped(fold, fresh, motion))
    return msgspec.structs.replace(after, fold=changed(fold, flips=(*fold.flips, *fresh)))


# ---------------------------------------------------------------- the end of a hand


def _score(fold: Fold, motion: Motion) -> Advance:
    body = cast("Score", motion.body)
    hand = hand_of(fold)
    check = blind_dealing.checked if fold.is_blind else host_dealing.checked
    check(fold, body)
    after = settled(fold)
    if body.totals != after.match.scores:
        raise Fault("score-differs")
    records = motion.seq - fold.opened_at + 1
    commitment = cast("bytes", (fold.blind if fold.is_blind else fold.committed).commitment)
    over = HandOver(fold.number, points_of(fold), body.totals, hand.winner, "ok", commitment, records, after.events)
    done = changed(cleared(fold), match=after.match, settled=fold.settled + 1, voids=0)
    if after.match.over or fold.is_last_hand:
        return ended(done, (over,), after.match.winners or leaders(fold.rules, after.match))
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
        return voided(fold, told)
    if body.code == "secret-lost" and not fold.is_blind:
        return voided(fold, HandVoid(fold.number, body.code, say(body.code), None))
    culprit = _caught(fold, motion, body) if body.code in BREACHES else None
    culprit = culprit or convict(body.code, body.evidence, fold.match_id, fold.deck)
    if culprit not in fold.peers or culprit == fold.host:
        raise Fault("bad-evidence")
    return without_peer(fold, motion, culprit, HandVoid(fold.number, body.code, say(body.code), culprit))


def _failure(fold: Fold, motion: Motion, body: Void) -> KnobFailed:
    """The failure that the host reports, seen with one's own eyes."""
    try:
        for packed in body.evidence[:1]:
            advance(fold, _motion_in(packed, motion))
    except KnobFailed as error:
        return error
    except (IllegalAction, Fault) as error:
        raise Fault("bad-evidence") from error
    raise Fault("bad-evidence")


def _caught(fold: Fold, motion: Motion, body: Void) -> bytes | None:
    """Whom a draft convicts by what it says about the blind deal: judged here and now, by everybody."""
    for packed in body.evidence[:1]:
        try:
            advance(fold, _motion_in(packed, motion))
        except Fault as error:
            return error.culprit if error.code == body.code else None
        except (IllegalAction, KnobFailed):
            return None
    return None


def _motion_in(packed: bytes, motion: Motion) -> Motion:
    """The draft that was given as evidence, at the place where it could have stood."""
    try:
        message = read_packed(packed)
        draft = read(message)
    except RemoteProtocolError as error:
        raise Fault("bad-evidence") from error
    if not isinstance(draft, Draft) or isinstance(draft.body, Void):
        raise Fault("bad-evidence")
    given = msgspec.structs.replace(motion, author=message.author, draft=draft, seen=motion.seq)
    return msgspec.structs.replace(given, digest=message.digest)


def _departure(fold: Fold, motion: Motion) -> Advance:
    name = fold.name_of(motion.author)
    told = HandVoid(fold.number, "left", say("left", {"player": name}), motion.author)
    return without_peer(fold, motion, motion.author, told)


SHOWS_ALL: Final = frozenset({"show", "knock"})
KEY: Final = (KeyCommit, KeyOpen, KeyShares, KeyComplaint, KeyAnswer, KeyOk)
SHUFFLE: Final = (ShuffleDeck, ShuffleFault, DeckOk)
CARDS: Final = (Draw, Shares, HandOverFault, HandOverShown, CardFault)
HOST_ONLY: Final = (Roster, HostChange, HandOpen, DeckLaid, Flip, TimeOut, Away, Score, Void)
BLIND_ONLY: Final = (*KEY, *SHUFFLE, *CARDS, Audit)
OPEN_ONLY: Final = (EntropyCommit, EntropyOpen, DeckLaid, Flip)
_ALWAYS: Final[Mapping[type, Handler]] = {
    Departure: _departure,
    Away: _away,
    Back: _back,
    HostChange: _host_change,
}
_IN_HAND: Final[Mapping[type, Handler]] = {**_ALWAYS, Void: _void}
TABLE: Final[Mapping[Stage, Mapping[type, Handler]]] = {
    Stage.EMPTY: {Roster: _roster},
    Stage.ROSTER: {HostChange: _host_change},
    Stage.BETWEEN: {**_ALWAYS, HandOpen: _hand_open},
    Stage.KEYING: {**_IN_HAND, HandOpen: _hand_again, **dict.fromkeys(KEY, blind_dealing.key_said)},
    Stage.DEALING: {
        **_IN_HAND,
        EntropyCommit: host_dealing.said,
        EntropyOpen: host_dealing.said,
        DeckLaid: host_dealing.deck_laid,
        HandOpen: _hand_again,
        **dict.fromkeys(SHUFFLE, blind_dealing.said),
    },
    Stage.PLAYING: {
        **_IN_HAND,
        DeckLaid: host_dealing.said,
        Flip: _flip,
        **dict.fromkeys(SHUFFLE, blind_dealing.said),
        **dict.fromkeys(CARDS, blind_dealing.said),
        Shares: _shared,
        Act: _act,
        TimeOut: _time_out,
    },
    Stage.COUNTED: {
        **_IN_HAND,
        ShuffleFault: blind_dealing.said,
        Audit: blind_dealing.audited,
        Score: _score,
    },
    Stage.OVER: {},
}
