"""The records of a blind deal: the key, shuffles, draws, shares, audits; who is absent takes no part in them.

The functions here are rows of the table in `fold`: each judges one kind of record. See `deal.blind` for the deal.

The law of this file
--------------------
* A key is made by the peers that take part in a hand, and kept as long as these are the same.
* Nothing is drawn but what the rules owe to a seat of the author (`owed`); nothing is opened for all but what the rules
  have open (`flips`). The deal itself knows no rules.
* Who is away when a deck is made sits the hand out; who goes away while it is made makes it be begun anew. Nobody is
  convicted for that. Whose draw, share or show is missing later is not waited for: any t of n open the next card.
* A verdict of the deal ends the hand; a convict is out of the match.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import cast

import msgspec

from rummy_p2p.cards import Card, pack
from rummy_p2p.deal.blind_deck import Spec
from rummy_p2p.deal.blind_messages import MAX_SLOTS, BlindMessage, DeckOk, Draw, HandOver, Shares, ShuffleDeck
from rummy_p2p.deal.blind_transcript import BlindStage, BlindTranscript, begin_blind
from rummy_p2p.deal.committed import digest
from rummy_p2p.deal.keys import JointKey, KeyMessage, KeyStage, KeyTranscript, begin_key
from rummy_p2p.engine import Want, open_hand, reveal
from rummy_p2p.engine.events import Reshuffled
from rummy_p2p.engine.steps import Step
from rummy_p2p.protocol.events import Dealing, DeckCommitted, HandStarted, HandVoid, Happened
from rummy_p2p.protocol.faults import Fault, say
from rummy_p2p.protocol.fields import NO_PROMISE
from rummy_p2p.protocol.host_dealing import first_deal
from rummy_p2p.protocol.records import Act, Audit, HandOpen, Score
from rummy_p2p.protocol.state import (
    Advance,
    Fold,
    Motion,
    Stage,
    changed,
    cleared,
    ended,
    hand_of,
    voided,
    without_peer,
)

# ---------------------------------------------------------------- opening a hand


def open_first(fold: Fold, motion: Motion, body: HandOpen) -> Advance:
    """The next hand, which those sit out who are away."""
    if (body.hand, body.epoch) != (fold.number + 1, 0) or body.without != _in_order(fold, fold.away):
        raise Fault("bad-hand-open")
    return _opened(fold, motion, body)


def open_again(fold: Fold, motion: Motion, body: HandOpen) -> Advance:
    """The same hand anew, without those for whose part in the key or the deck the table has waited in vain.

    With all of them when nobody can be spared, or when it is the host that has lost its part: it was restarted, say.
    """
    late = set(body.without) - set(fold.without)
    expected = _in_order(fold, {*fold.without, *late})
    if (body.hand, body.epoch, body.without) != (fold.number, fold.epoch + 1, expected):
        raise Fault("bad-hand-open")
    if not fold.waits_for or not late <= set(fold.waits_for) - {fold.host}:
        raise Fault("bad-hand-open")
    return _opened(fold, motion, body)


def _opened(fold: Fold, motion: Motion, body: HandOpen) -> Advance:
    if body.promise != NO_PROMISE or not fold.can_play_without(body.without):
        raise Fault("bad-hand-open")
    opened_at = fold.opened_at if body.epoch else motion.seq
    opened = changed(fold, number=body.hand, epoch=body.epoch, opened_at=opened_at, opened_on=motion.draft.head)
    return _begun(opened, body.without)


def _begun(fold: Fold, without: tuple[bytes, ...]) -> Advance:
    """A hand, or its next attempt: first comes the key, when there is none of these peers."""
    begun = changed(fold, without=without, deal=None, keying=None)
    told = (HandStarted(begun.number, begun.epoch),)
    peers = _taking_part(begun)
    if begun.key is not None and begun.key.peers == peers:
        return Advance(_shuffling(begun, begun.key), told)
    context = digest("key-context", begun.context(begun.number, begun.epoch, peers))
    keying = begin_key(context, peers, trust_all=begun.start is not None and begun.start.trust == "all")
    return Advance(changed(begun, stage=Stage.KEYING, key=None, keying=keying), told)


def _taking_part(fold: Fold) -> tuple[bytes, ...]:
    return tuple(peer for peer in fold.peers if peer not in fold.without)


def _in_order(fold: Fold, peers: Iterable[bytes]) -> tuple[bytes, ...]:
    wanted = set(peers)
    return tuple(peer for peer in fold.peers if peer in wanted)


# ---------------------------------------------------------------- the key and the deck


def key_said(fold: Fold, motion: Motion) -> Advance:
    """A part of the key; when it is whole the shuffling begins."""
    keying = cast("KeyTranscript", fold.keying).receive(motion.author, cast("KeyMessage", motion.body))
    if keying.stage is not KeyStage.DONE:
        return Advance(changed(fold, keying=keying))
    return Advance(_shuffling(fold, keying.key()))


def _shuffling(fold: Fold, key: JointKey) -> Fold:
    place = fold.context(fold.number, fold.epoch, key.peers)
    cards = pack(fold.rules.deck.packs, fold.rules.deck.jokers)
    spec = Spec(digest("blind", place, fold.opened_on), fold.number, cards, key, key.peers)
    return changed(fold, stage=Stage.DEALING, keying=None, key=key, deal=begin_blind(spec))


def said(fold: Fold, motion: Motion) -> Advance:
    """A message of the deal: a shuffle, a signature under the deck, a draw, shares, a fault."""
    body = cast("BlindMessage", motion.body)
    if isinstance(body, Draw):
        return Advance(_drawn(fold, motion, body))
    deal = fold.blind.receive(motion.author, body, motion.digest)
    heard = changed(fold, deal=deal)
    if deal.verdict is not None:
        return _condemned(heard, motion, deal.verdict.code, deal.verdict.culprit)
    if isinstance(body, Shares):
        return _opened_for_all(heard, motion)
    if isinstance(body, DeckOk) and deal.stage is BlindStage.DEALT and heard.stage is Stage.DEALING:
        return _dealt(heard, motion)
    return Advance(heard, _progress(heard) if isinstance(body, ShuffleDeck | DeckOk) else ())


def _progress(fold: Fold) -> tuple[Dealing, ...]:
    last = fold.blind.layers[-1]
    return (Dealing(len(last.proofs), len(last.signed), len(last.order)),)


def _dealt(fold: Fold, motion: Motion) -> Advance:
    """All have signed the deck: the engine says who gets which slots. Who took no part sits the hand out."""
    deal = fold.blind
    match = fold.match or first_deal(fold, deal.joint)
    idle = {seat for peer in fold.without for seat in fold.owned_by(peer)}
    step = open_hand(fold.rules, msgspec.structs.replace(match, out=match.out | idle))
    dealt = changed(fold, stage=Stage.PLAYING, match=match)
    told = DeckCommitted(fold.number, cast("bytes", deal.commitment))
    return Advance(stepped(dealt, step, motion), (*_progress(fold), told, Happened(step.events)))


def _condemned(fold: Fold, motion: Motion, code: str, culprit: bytes | None) -> Advance:
    """The deal has found that it cannot go on: the hand is void, and whoever is to blame is out."""
    told = HandVoid(fold.number, code, say(code), culprit)
    if culprit is None:
        return voided(fold, told)
    if culprit == fold.host:
        return ended(fold, (told,), (), "host-cheated")
    return without_peer(fold, motion, culprit, told)


# ---------------------------------------------------------------- cards


def _drawn(fold: Fold, motion: Motion, draw: Draw) -> Fold:
    """The author draws slots that are owed to its seats."""
    own = fold.owned_by(motion.author)
    due = {want.slot for want in fold.owed if want.seat in own}
    if not set(draw.slots) <= due:
        raise Fault("not-due")
    deal = fold.blind.receive(motion.author, draw, motion.digest)
    return changed(fold, deal=deal, owed=tuple(want for want in fold.owed if want.slot not in draw.slots))


def _opened_for_all(fold: Fold, motion: Motion) -> Advance:
    """Shares have come: cards that wait to be opened for all may be open now."""
    fresh = {slot: card for slot, card in fold.blind.faces if slot in fold.flips}
    if not fresh:
        return Advance(fold)
    step = reveal(hand_of(fold), fresh)
    left = changed(fold, flips=tuple(slot for slot in fold.flips if slot not in fresh))
    return Advance(stepped(left, step, motion), (Happened(step.events),))


def shown(fold: Fold, motion: Motion, body: Act) -> tuple[Fold, dict[int, Card]]:
    """The faces opened with a move, each proven to be in a slot of the author's."""
    deal, faces = fold.blind.show(motion.author, body.openings)
    return changed(fold, deal=deal), faces


def stepped(fold: Fold, step: Step, motion: Motion) -> Fold:
    """Take over what the engine made of it, with what its author did with the deck in the same move."""
    deal = fold.blind
    for event in step.events:
        if isinstance(event, Reshuffled):
            deal = deal.reshuffle(event.slots[0], event.cards, _present(fold, deal))
    stage = Stage.COUNTED if step.state.over else fold.stage
    after = changed(fold, hand=step.state, deal=deal, stage=stage)
    body = motion.body if isinstance(motion.body, Act) else None
    after = _handed_over(after, step, motion, body.hand_over if body else None)
    private = [want for want in step.wants if want.seat is not None and after.blind.drawn(want.slot) is None]
    after = changed(after, owed=(*after.owed, *private))
    if body is not None and body.draw is not None:
        own = fold.owned_by(motion.author)
        if body.draw.slots != tuple(want.slot for want in private if want.seat in own):
            raise Fault("not-due")
        after = _drawn(after, motion, body.draw)
    return flipped(after, [want.slot for want in step.wants if want.seat is None], motion)


def _handed_over(fold: Fold, step: Step, motion: Motion, hand_over: HandOver | None) -> Fold:
    """A drawn slot that goes to another peer is handed over by its owner in the move that gives it away."""
    given = [(want.slot, to) for want in step.wants if (to := _taker(fold, want)) is not None]
    handed = [] if hand_over is None else [(hand_over.slot, hand_over.to)]
    if given != handed:
        raise Fault("not-due")
    if hand_over is None:
        return fold
    return changed(fold, deal=fold.blind.receive(motion.author, hand_over, motion.digest))


def _taker(fold: Fold, want: Want) -> bytes | None:
    """The peer that is to get a slot which another one has drawn; None when no slot changes hands."""
    owner = fold.blind.owner(want.slot)
    if want.seat is None or owner is None:
        return None
    to = fold.owner_of(want.seat)
    return None if to == owner else to


def flipped(fold: Fold, slots: Iterable[int], motion: Motion) -> Fold:
    """Let slots be opened for all, in requests that shares can answer in one message."""
    wanted = sorted(slots)
    deal = fold.blind
    for _, same in groupby(wanted, key=lambda slot: deal.layer_of(slot).epoch):
        layer = list(same)
        for at in range(0, len(layer), MAX_SLOTS):
            deal = deal.flip(layer[at : at + MAX_SLOTS], motion.digest)
    return changed(fold, deal=deal, flips=(*fold.flips, *wanted))


def _present(fold: Fold, deal: BlindTranscript) -> tuple[bytes, ...]:
    """Who can shuffle: the peers of this deal that are here."""
    here = set(fold.peers) - fold.away
    return tuple(peer for peer in deal.spec.present if peer in here)


# ---------------------------------------------------------------- who is absent, and the end


def gone_away(fold: Fold, peer: bytes) -> Advance:
    """A peer that takes part in this hand cannot be reached any more."""
    if peer in fold.without or fold.stage not in {Stage.KEYING, Stage.DEALING, Stage.PLAYING}:
        return Advance(fold)
    if fold.stage is Stage.PLAYING:
        return Advance(_shuffled_without(fold))
    without = _in_order(fold, {*fold.without, peer})
    if fold.can_play_without(without):
        return _begun(changed(fold, epoch=fold.epoch + 1), without)
    told = HandVoid(fold.number, "too-few-here", say("too-few-here"), None)
    return Advance(cleared(fold), (told,))


def _shuffled_without(fold: Fold) -> Fold:
    """A pile that is being shuffled, by those who are here."""
    deal = fold.blind
    if deal.stage is BlindStage.DEALT or not set(deal.layers[-1].order) & fold.away:
        return fold
    return changed(fold, deal=deal.again(_present(fold, deal)))


def audited(fold: Fold, motion: Motion) -> Advance:
    """A peer has checked the whole hand, and says so."""
    body = cast("Audit", motion.body)
    if motion.author in fold.audits:
        raise Fault("not-due")
    if body.commitment != fold.blind.commitment:
        raise Fault("deck-disagreed")
    return Advance(changed(fold, audits=(*fold.audits, motion.author)))


def unaudited(fold: Fold) -> tuple[bytes, ...]:
    """The peers that have not said yet that everything in this hand was in order."""
    here = (peer for peer in _taking_part(fold) if peer not in fold.away)
    return tuple(peer for peer in here if peer not in fold.audits)


def checked(fold: Fold, body: Score) -> None:
    """Nothing is shown after a blind deal, but all who are here must have found it in order."""
    if body.secret or unaudited(fold):
        raise Fault("not-due")
