"""The records of a deal by the host: what opens a hand, shares of randomness, the deck, cards for all, the secret.

The functions here are rows of the table in `fold`: each judges one kind of record. See `deal.committed` for the deal.
"""

from __future__ import annotations

from typing import cast

import msgspec

from rummy_p2p.cards import Card
from rummy_p2p.deal import DealMessage, DeckLaid, Opening
from rummy_p2p.deal.committed import Stage as DealStage
from rummy_p2p.deal.committed import Transcript, begin
from rummy_p2p.engine import MatchState, open_hand, reveal, start_match
from rummy_p2p.engine.events import Reshuffled
from rummy_p2p.engine.steps import Step
from rummy_p2p.protocol.events import DeckCommitted, HandStarted, Happened
from rummy_p2p.protocol.faults import Fault
from rummy_p2p.protocol.records import Act, Flip, HandOpen, Score
from rummy_p2p.protocol.state import Advance, Fold, Motion, Stage, changed, hand_of


def open_first(fold: Fold, motion: Motion, body: HandOpen) -> Advance:
    """The next hand. What the host is bound to names the peers: it must have seen who has left."""
    if (body.hand, body.epoch) != (fold.number + 1, 0) or body.without or motion.seen < fold.left_at:
        raise Fault("bad-hand-open")
    return _begun(fold, motion, body)


def open_again(fold: Fold, motion: Motion, body: HandOpen) -> Advance:
    """A missing share of the randomness: the same hand, fresh commitments, without those who did not show theirs."""
    deal = fold.committed
    if (body.hand, body.epoch) != (fold.number, fold.epoch + 1) or deal.stage is DealStage.LAY:
        raise Fault("bad-hand-open")
    late = set(body.without) - set(fold.without)
    if not set(fold.without) < set(body.without) or not late <= set(deal.missing()) - {fold.host}:
        raise Fault("bad-hand-open")
    return _begun(fold, motion, body)


def _begun(fold: Fold, motion: Motion, body: HandOpen) -> Advance:
    begun = changed(
        fold,
        stage=Stage.DEALING,
        number=body.hand,
        epoch=body.epoch,
        without=body.without,
        deal=begin(fold.spec(body.hand, body.epoch, body.without), body.promise),
        opened_at=fold.opened_at if body.epoch else motion.seq,
    )
    return Advance(begun, (HandStarted(body.hand, body.epoch),))


def said(fold: Fold, motion: Motion) -> Advance:
    """A share of the randomness, or the pile laid out anew."""
    message = cast("DealMessage", motion.body)
    return Advance(changed(fold, deal=fold.committed.receive(motion.author, message)))


def deck_laid(fold: Fold, motion: Motion) -> Advance:
    """The deck is out: the first dealer is drawn from everybody's bytes, and the engine says who gets which slots."""
    deal = fold.committed.receive(motion.author, cast("DeckLaid", motion.body))
    match = fold.match or first_deal(fold, deal.joint)
    step = open_hand(fold.rules, match)
    dealt = changed(fold, stage=Stage.PLAYING, deal=deal, match=match)
    told = DeckCommitted(fold.number, cast("bytes", deal.commitment))
    after = stepped(dealt, step)
    return msgspec.structs.replace(after, events=(told, Happened(step.events)))


def first_deal(fold: Fold, joint: bytes) -> MatchState:
    """A fresh match whose first dealer is drawn from bytes that all peers made together."""
    seats = len(fold.acted)
    match = start_match(fold.rules, seats, int.from_bytes(joint, "big") % seats)
    return msgspec.structs.replace(match, out=fold.out)


def flip(fold: Fold, motion: Motion) -> Advance:
    """The host opens cards that lie open for all, or those of an absent seat at the count."""
    body = cast("Flip", motion.body)
    if sorted(opening.slot for opening in body.openings) != sorted(fold.flips):
        raise Fault("not-due")
    step = reveal(hand_of(fold), _faces(fold.committed, body.openings))
    after = stepped(changed(fold, flips=()), step)
    return msgspec.structs.replace(after, events=(Happened(step.events),))


def shown(fold: Fold, motion: Motion, body: Act) -> tuple[Fold, dict[int, Card]]:
    """The faces opened with a move; nothing about the deck can come with it."""
    del motion
    if body.draw is not None or body.hand_over is not None:
        raise Fault("not-due")
    return fold, _faces(fold.committed, body.openings)


def stepped(fold: Fold, step: Step) -> Advance:
    """Take over what the engine made of it; a reshuffled pile waits for the host to lay it out anew."""
    deal: Transcript = fold.committed
    for event in step.events:
        if isinstance(event, Reshuffled):
            deal = deal.reshuffle(event.slots[0], event.cards)
    flips = fold.flips + tuple(want.slot for want in step.wants if want.seat is None)
    private = tuple(want for want in step.wants if want.seat is not None)
    stage = Stage.COUNTED if step.state.over else fold.stage
    return Advance(changed(fold, hand=step.state, deal=deal, flips=flips, stage=stage), (), private)


def checked(fold: Fold, body: Score) -> None:
    """Recompute the deal from the secret that the host shows; raises DealError."""
    fold.committed.audit(body.secret)


def _faces(deal: Transcript, openings: tuple[Opening, ...]) -> dict[int, Card]:
    return {opening.slot: deal.verify(opening.slot, opening) for opening in openings}
