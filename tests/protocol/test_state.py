"""What a state says of itself: who is awaited, who plays, how a hand or a match ends before its time."""

from __future__ import annotations

import msgspec
import pytest

from rummy_p2p.deal.blind_messages import DeckOk, ShuffleDeck
from rummy_p2p.engine.match import MatchState
from rummy_p2p.protocol.events import HandVoid, MatchOver
from rummy_p2p.protocol.records import Departure
from rummy_p2p.protocol.state import (
    MAX_VOIDS,
    Fold,
    Stage,
    cleared,
    ended,
    hand_of,
    motion_of,
    points_of,
    settled,
    voided,
    without_peer,
)
from rummy_p2p.rules.position import Phase
from tests.protocol.blind_forge import BlindForge, dealt, laid
from tests.protocol.forge import Forge
from tests.protocol.lan import rummy

TOLD = HandVoid(1, "left", "Somebody left.", None)


def test_before_the_roster_there_is_nobody() -> None:
    fold = Fold(rummy(), b"m" * 32)
    assert (fold.seats, fold.peers, fold.scores, fold.out) == ((), (), (), frozenset())
    assert (fold.is_blind, fold.is_dealt, fold.waits_for, fold.deck) == (False, False, (), None)
    assert fold.owned_by(b"x" * 32) == ()
    assert not fold.is_made_by(b"x" * 32)


def test_seats_and_peers_and_their_names() -> None:
    fold = Forge().opened().fold
    ids = tuple(peer.peer for peer in fold.start.peers) if fold.start else ()
    assert [fold.name_of(peer) for peer in ids] == ["Ada", "Bea", "Cem"]
    assert [fold.owned_by(peer) for peer in ids] == [(0,), (1,), (2,)]
    assert [fold.owner_of(seat) for seat in range(3)] == list(ids)
    gone = msgspec.structs.replace(fold, gone=frozenset({ids[1]}))
    assert (gone.peers, gone.out) == ((ids[0], ids[2]), frozenset({1}))
    assert gone.can_play_without(())
    assert not gone.can_play_without((ids[2],))
    assert fold.can_play_without((ids[2],))


def test_the_deck_is_that_of_a_host() -> None:
    hosted, blind = Forge().dealt().fold, dealt().fold
    assert hosted.deck == (1, 0, hosted.committed)
    assert (hosted.is_blind, hosted.is_dealt) == (False, True)
    assert blind.deck is None
    assert (blind.is_blind, blind.is_dealt) == (True, True)
    assert blind.waits_for == hosted.waits_for == ()


def waited_for(forge: Forge) -> list[int]:
    """The peers without whom it does not go on."""
    return sorted(forge.ids.index(peer) for peer in forge.fold.waits_for)


def test_who_is_awaited_while_a_key_and_a_deck_are_made() -> None:
    forge = BlindForge().keying()
    assert waited_for(forge) == [0, 1, 2]
    forge.add(1, forge.duties(1)[0])
    assert waited_for(forge) == [0, 2]
    assert forge.fold.is_made_by(forge.ids[1])
    forge.talk(lambda: forge.fold.stage is Stage.DEALING)
    first, *others = (forge.ids.index(peer) for peer in forge.fold.blind.layers[-1].order)
    assert waited_for(forge) == [first]
    assert all(forge.fold.is_made_by(peer) for peer in forge.ids)
    forge.add(first, forge.duty(first, ShuffleDeck))
    assert waited_for(forge) == others[:1]
    forge.talk(lambda: forge.fold.blind.layers[-1].shuffler is None)
    forge.add(2, forge.duty(2, DeckOk))
    assert waited_for(forge) == [0, 1]
    forge.talk()
    assert not any(forge.fold.is_made_by(peer) for peer in forge.ids)
    hosted = Forge().opened().hand_opened()
    assert hosted.fold.is_made_by(hosted.ids[1])
    author, message = hosted.shares()[1]
    hosted.add(author, message)
    assert not hosted.fold.is_made_by(hosted.ids[1])


def test_what_a_deal_is_bound_to_differs_with_hand_attempt_and_peers() -> None:
    fold = Forge().opened().fold
    contexts = {
        fold.context(number, epoch, peers) for number in (1, 2) for epoch in (0, 1) for peers in ((), fold.peers)
    }
    assert len(contexts) == 8
    assert fold.spec(1, 0, ()).context == fold.context(1, 0, fold.peers)
    assert fold.spec(1, 0, fold.peers[:1]).peers == fold.peers[1:]


def test_a_motion_is_a_record_at_its_place() -> None:
    forge = Forge().opened()
    entry = forge.ledger.entries[-1]
    motion = motion_of(entry, 1)
    assert (motion.author, motion.host, motion.term, motion.seq, motion.seen) == (*forge.ids[:1] * 2, 1, 2, 1)
    assert motion.body == entry.body
    assert motion.digest == entry.draft_message.digest


def test_between_two_hands_nothing_of_the_last_one_is_left() -> None:
    fold = laid().fold
    assert fold.owed
    assert fold.flips
    clear = cleared(fold)
    assert (clear.stage, clear.hand, clear.deal, clear.keying) == (Stage.BETWEEN, None, None, None)
    assert (clear.flips, clear.owed, clear.audits, clear.without) == ((), (), (), ())
    assert (clear.key, clear.number, clear.match) == (fold.key, fold.number, fold.match)
    assert hand_of(fold) is fold.hand


def test_three_void_hands_in_a_row_end_the_match() -> None:
    fold = dealt().fold
    for count in range(1, MAX_VOIDS):
        step = voided(fold, TOLD)
        fold = step.fold
        assert (fold.stage, fold.voids, step.events) == (Stage.BETWEEN, count, (TOLD,))
    step = voided(fold, TOLD)
    assert step.fold.stage is Stage.OVER
    over = step.events[-1]
    assert isinstance(over, MatchOver)
    assert (over.code, over.winners) == ("cannot-deal", ())
    assert over.sentence


def test_a_match_that_ends_in_its_time_needs_no_sentence() -> None:
    step = ended(dealt().fold, (), (1,))
    assert step.events == (MatchOver((0, 0, 0), (1,), "", ""),)
    assert step.fold.stage is Stage.OVER


@pytest.mark.parametrize("blind", [False, True])
def test_who_goes_is_not_away_and_out_of_everything(blind: bool) -> None:  # noqa: FBT001 - a parameter
    forge = dealt() if blind else Forge().dealt()
    forge.fold = msgspec.structs.replace(forge.fold, away=frozenset({forge.ids[2]}))
    step = without_peer(forge.fold, forge.motion(2, Departure()), forge.ids[2], TOLD)
    assert (step.fold.stage, step.fold.away, step.fold.out) == (Stage.BETWEEN, frozenset(), frozenset({2}))
    assert step.fold.left_at == forge.ledger.tail + 1
    assert step.fold.match is not None
    assert step.fold.match.out == {2}


def counted(points: tuple[int, ...], playing: tuple[bool, ...], out: frozenset[int], winner: str) -> Fold:
    """A hand that has been counted, in the middle of a match."""
    fold = dealt(4).fold
    hand = msgspec.structs.replace(hand_of(fold), phase=Phase.OVER, points=points, playing=playing)
    match = MatchState(4, 0, (10, 20, 30, 40), (0, 0, 0, 0), out)
    rules = fold.rules.with_(match__winner=winner)
    return msgspec.structs.replace(fold, rules=rules, hand=hand, match=match)


def test_who_sits_a_hand_out_gets_what_the_others_have_on_average_where_the_fewest_points_win() -> None:
    fold = counted((0, 0, 25, 6), (True, False, True, True), frozenset(), "lowest")
    assert points_of(fold) == (0, 11, 25, 6)
    assert settled(fold).match.scores == (10, 31, 55, 46)
    none = counted((0, 12, 25, 6), (True, True, True, True), frozenset(), "lowest")
    assert points_of(none) == (0, 12, 25, 6)


def test_who_is_out_of_the_match_or_would_gain_by_it_gets_nothing() -> None:
    out = counted((0, 0, 25, 6), (True, False, True, True), frozenset({1}), "lowest")
    assert settled(out).match.scores == (10, 20, 55, 46)
    most = counted((90, 0, 25, -6), (True, False, True, True), frozenset(), "highest")
    assert points_of(most) == (90, 0, 25, -6)
