"""Peers that vanish from a blind deal and come back: the table goes on, and nobody is convicted for it."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import msgspec
import pytest

from rummy_p2p.cards import Card
from rummy_p2p.deal.blind_messages import Shares, ShuffleDeck
from rummy_p2p.deal.blind_transcript import BlindStage
from rummy_p2p.protocol.blind_hand import Kept
from rummy_p2p.protocol.codec import pack, unpack
from rummy_p2p.protocol.events import (
    CameBack,
    DeckCommitted,
    FaultFound,
    HandOver,
    HandVoid,
    MatchOver,
    Paused,
    Played,
    WentAway,
)
from rummy_p2p.protocol.messages import Signed
from rummy_p2p.protocol.records import Away, Back, HandOpen, TimeOut
from rummy_p2p.protocol.state import Fold, Stage
from rummy_p2p.ruleset import Players, Ruleset, StockOut
from tests.cheats.cheating import (
    begun,
    bodies,
    dealt,
    nothing_happened,
    one_ledger,
    play,
)
from tests.protocol.lan import Lan, Peer, play_out, rummy
from tests.protocol.tampering import match_of

counts = pytest.mark.parametrize("count", [3, pytest.param(4, marks=pytest.mark.nightly)])

returning = pytest.mark.parametrize("returns", [True, pytest.param(False, marks=pytest.mark.nightly)])


def fold_of(peer: Peer) -> Fold:
    return match_of(peer).replica.committed


def restarted(lan: Lan, peer: Peer, neighbours: Sequence[Peer]) -> Peer:
    """The same installation, started again: its identity and what it has written to its disk, and nothing else."""
    again = lan.peer(peer.name, peer.rules, auto=True, wish=peer.guest.wish)
    assert again.id == peer.id
    again.kept = peer.kept
    again.rng = random.Random(f"{peer.name} again at {lan.now}")  # dice do not remember what they have shown
    for neighbour in neighbours:
        lan.link(neighbour, again)
    return again


def test_a_disk_that_was_rolled_back_convicts_nobody() -> None:
    lan, peers = dealt(3, 318)
    some_moves(lan, peers)
    *others, victim = peers
    lan.kill(victim)
    ((match, kept),) = victim.kept.items()
    old = msgspec.structs.replace(unpack(kept, Kept), hand=0, epoch=0, secret=b"", released=())
    victim.kept[match] = pack(old)
    again = restarted(lan, victim, others)
    for peer in (*others, again):
        peer.plays = False
    lan.settle(10)
    assert {fault.code for fault in again.all(FaultFound)} == {"secrets-gone"}
    nothing_happened(others)


def cards(peer: Peer) -> frozenset[Card]:
    return frozenset(peer.table.view(peer.table.own_seats[0]).hand)


def played_to_the_end(lan: Lan, peers: Sequence[Peer]) -> None:
    play(peers)
    play_out(lan, peers)
    for peer in peers:
        assert peer.all(MatchOver)[-1].code == ""
    nothing_happened(peers)
    one_ledger(peers)


def gone(lan: Lan, left: Sequence[Peer], victim: Peer) -> float:
    """The peer vanishes, and is marked away; how long that took."""
    since = lan.now
    lan.kill(victim)
    lan.run(lambda: all(victim.id in fold_of(peer).away for peer in left))
    return lan.now - since


# ---------------------------------------------------------------- before the cards are dealt


RARE = {"before it opens", "before it confirms", "before it commits"}
AT: dict[str, Callable[[Fold, Peer], bool]] = {
    "before it commits": lambda fold, peer: fold.stage is Stage.KEYING,
    "before it opens": lambda fold, _: fold.keying is not None and len(fold.keying.commitments) == 3,
    "before it deals": lambda fold, _: fold.keying is not None and len(fold.keying.vectors) == 3,
    "before it confirms": lambda fold, _: fold.keying is not None and len(fold.keying.boxes) == 3,
    "before its shuffle": lambda fold, peer: fold.stage is Stage.DEALING and fold.blind.layers[-1].shuffler == peer.id,
    "before it signs": lambda fold, _: fold.stage is Stage.DEALING and fold.blind.stage is BlindStage.SIGN,
}


@pytest.mark.parametrize(
    "moment", [pytest.param(AT[name], id=name, marks=[pytest.mark.nightly] * (name in RARE)) for name in AT]
)
def test_who_vanishes_while_the_deck_is_made_sits_the_hand_out(moment: Callable[[Fold, Peer], bool]) -> None:
    lan, peers = begun(3, 300)
    left, victim = peers[:2], peers[2]
    lan.run(lambda: moment(fold_of(peers[0]), victim))
    assert gone(lan, left, victim) < 8
    lan.run(lambda: all(peer.all(DeckCommitted) for peer in left))
    assert fold_of(peers[0]).without == (victim.id,)
    assert fold_of(peers[0]).epoch == 1
    played_to_the_end(lan, left)


@pytest.mark.nightly
def test_who_vanished_while_the_deck_was_made_plays_in_the_next_hand() -> None:
    lan, peers = begun(3, 301, hands=2)
    left, victim = peers[:2], peers[2]
    lan.run(lambda: fold_of(peers[0]).stage is Stage.DEALING)
    gone(lan, left, victim)
    lan.run(lambda: all(peer.all(DeckCommitted) for peer in left))
    together = [*left, restarted(lan, victim, left)]
    lan.settle(5)
    played_to_the_end(lan, together)
    assert [body.without for body in bodies(peers[0], HandOpen)] == [(), ()]
    key = fold_of(peers[0]).key
    assert key is not None
    assert len(key.peers) == 3


def test_a_vanished_peer_of_two_is_waited_for_and_comes_back() -> None:
    lan, peers = begun(2, 302)
    lan.run(lambda: fold_of(peers[0]).stage is Stage.DEALING)
    lan.kill(peers[1])
    lan.settle(30)
    assert [paused.code for paused in peers[0].all(Paused)] == ["no-quorum"]
    nothing_happened(peers)
    played_to_the_end(lan, [peers[0], restarted(lan, peers[1], peers[:1])])


@pytest.mark.nightly
def test_too_few_are_left_while_the_deck_is_made() -> None:
    """With a game for three the hand is given up, and dealt anew when they are back."""
    lan, peers = begun(3, 303, rummy(players=Players(min=3, max=3)))
    left, victim = peers[:2], peers[2]
    lan.run(lambda: fold_of(peers[0]).stage is Stage.DEALING)
    gone(lan, left, victim)
    lan.settle(30)
    for peer in left:
        assert [(void.code, void.culprit) for void in peer.all(HandVoid)] == [("too-few-here", None)]
        peer.events.clear()
    again = restarted(lan, victim, left)
    lan.run(lambda: bool(again.all(HandVoid)))
    again.events.clear()
    played_to_the_end(lan, [*left, again])


# ---------------------------------------------------------------- in the middle of a hand


def some_moves(lan: Lan, peers: Sequence[Peer], number: int = 6) -> None:
    """So many moves; then nobody makes one, and all is delivered."""
    play(peers)
    lan.run(lambda: len(peers[0].all(Played)) >= number)
    for peer in peers:
        peer.plays = False
    lan.settle()


@counts
def test_the_others_draw_on_and_count_the_hand_of_who_vanished(count: int) -> None:
    lan, peers = dealt(count, 310)
    some_moves(lan, peers)
    left, victim = peers[:-1], peers[-1]
    seat = victim.table.own_seats[0]
    assert 5 <= gone(lan, left, victim) <= 8
    since, drawn = lan.now, len(bodies(peers[0], Shares))
    play(left)
    lan.run(lambda: bool(bodies(peers[0], TimeOut)))
    assert lan.now - since >= 60
    assert {body.seat for body in bodies(peers[0], TimeOut)} == {seat}
    played_to_the_end(lan, left)
    assert len(bodies(peers[0], Shares)) > drawn
    for peer in left:
        (over,) = peer.all(HandOver)
        assert (over.audit, len(over.points)) == ("ok", count)
        assert [event.peer for event in peer.all(WentAway)] == [victim.id]


@pytest.mark.nightly
def test_a_short_absence_is_none() -> None:
    lan, peers = dealt(3, 311)
    some_moves(lan, peers)
    seen = cards(peers[2])
    lan.kill(peers[2])
    lan.settle(3)
    again = restarted(lan, peers[2], peers[:2])
    lan.settle(3)
    assert cards(again) == seen
    assert not bodies(peers[0], Away)
    played_to_the_end(lan, [*peers[:2], again])


@counts
@pytest.mark.parametrize("minutes", [5, pytest.param(0.2, marks=pytest.mark.nightly)])
def test_who_comes_back_has_the_same_cards(count: int, minutes: float) -> None:
    lan, peers = dealt(count, 312)
    some_moves(lan, peers)
    left, victim = peers[:-1], peers[-1]
    seen = cards(victim)
    gone(lan, left, victim)
    lan.settle(60 * minutes)
    again = restarted(lan, victim, left)
    lan.settle(5)
    assert cards(again) == seen
    assert not fold_of(again).away
    assert [event.peer for event in peers[0].all(CameBack)] == [victim.id]
    assert len(bodies(peers[0], Back)) == 1
    played_to_the_end(lan, [*left, again])


def test_two_of_three_are_restarted_at_once_and_one_after_the_other() -> None:
    lan, peers = dealt(3, 313)
    some_moves(lan, peers)
    ada, bea, cem = peers
    for pause in (1, 20):
        seen = [cards(bea), cards(cem)]
        lan.kill(bea)
        lan.settle(pause)
        lan.kill(cem)
        lan.settle(pause)
        bea = restarted(lan, bea, [ada])
        lan.settle(pause)
        cem = restarted(lan, cem, [ada, bea])
        lan.settle(10)
        assert [cards(bea), cards(cem)] == seen
        some_moves(lan, [ada, bea, cem], len(ada.all(Played)) + 2)
    played_to_the_end(lan, [ada, bea, cem])


@pytest.mark.parametrize("both", [True, pytest.param(False, marks=pytest.mark.nightly)], ids=["both", "the host alone"])
def test_a_host_that_is_restarted_goes_on_with_the_same_hand(both: bool) -> None:  # noqa: FBT001 - two cases
    lan, peers = dealt(3, 314, host="Cem")
    some_moves(lan, peers)
    ada, bea, cem = peers
    seen = [cards(bea), cards(cem)]
    lan.kill(cem)
    lan.settle(8)
    if both:
        lan.kill(bea)
        lan.settle(8)
        bea = restarted(lan, bea, [ada])
    cem = restarted(lan, cem, [ada, bea])
    lan.settle(10)
    assert [cards(bea), cards(cem)] == seen
    played_to_the_end(lan, [ada, bea, cem])


@pytest.mark.nightly
def test_one_of_two_is_restarted_again_and_again() -> None:
    lan, peers = dealt(2, 315)
    ada, bea = peers
    for _ in range(3):
        some_moves(lan, [ada, bea], len(ada.all(Played)) + 4)
        seen = cards(bea)
        lan.kill(bea)
        lan.settle(20)
        bea = restarted(lan, bea, [ada])
        lan.settle(5)
        assert cards(bea) == seen
    played_to_the_end(lan, [ada, bea])


@returning
def test_who_vanishes_before_it_has_drawn_its_hand(returns: bool) -> None:  # noqa: FBT001 - two cases
    lan, peers = begun(3, 316)
    left, victim = peers[:2], peers[2]
    lan.run(lambda: fold_of(peers[0]).stage is Stage.PLAYING)
    lan.kill(victim)
    for peer in left:
        peer.plays = False
    lan.settle(20)
    assert {want.seat for want in fold_of(peers[0]).owed} == set(victim.table.own_seats)
    some_moves(lan, left, 2)
    together = [*left, restarted(lan, victim, left)] if returns else left
    lan.settle(5)
    assert bool(fold_of(peers[0]).owed) is not returns
    played_to_the_end(lan, together)


@pytest.mark.nightly
def test_a_peer_without_its_disk_is_told_so_and_may_leave() -> None:
    lan, peers = dealt(3, 317, hands=2)
    some_moves(lan, peers)
    left, victim = peers[:2], peers[2]
    victim.kept.clear()
    lan.kill(victim)
    again = restarted(lan, victim, left)
    lan.settle(5)
    again.table.leave(lan.now)
    lan.pump(again)
    lan.run(lambda: all(peer.all(HandVoid) for peer in left))
    for peer in left:
        assert [(void.code, void.culprit) for void in peer.all(HandVoid)] == [("left", victim.id)]
        peer.events.clear()
    played_to_the_end(lan, left)


# ---------------------------------------------------------------- while the pile is shuffled


def short(players: int) -> Ruleset:
    """A game in which the stock is soon used up."""
    rules = rummy(stock_out=StockOut(what="reshuffle"))
    return rules.with_(players=Players(min=2, max=players), hand_size=(15 if players == 3 else 11,))


def is_shuffling(peer: Peer) -> bool:
    fold = fold_of(peer)
    return fold.stage is Stage.PLAYING and fold.blind.stage is BlindStage.SHUFFLE


@counts
@returning
def test_who_vanishes_while_the_pile_is_shuffled(count: int, returns: bool) -> None:  # noqa: FBT001 - two cases
    lan, peers = dealt(count, 320, short(count))
    left, victim = peers[:-1], peers[-1]
    play(peers)
    lan.run(lambda: is_shuffling(peers[0]) and fold_of(peers[0]).blind.layers[-1].shuffler == victim.id)
    for peer in left:
        peer.plays = False
    gone(lan, left, victim)
    lan.settle()
    layer = fold_of(peers[0]).blind.layers[-1]
    assert layer.is_dealt
    assert victim.id not in layer.order
    assert bodies(peers[0], ShuffleDeck)
    played_to_the_end(lan, [*left, restarted(lan, victim, left)] if returns else left)


@pytest.mark.nightly
def test_silence_while_the_key_is_made_is_no_fault_either() -> None:
    """Every message of a peer is lost for a while, but its signs of life are not."""
    tags = (b"key-commit", b"key-open", b"key-shares", b"key-ok")
    lan, peers = begun(3, 330)
    silent = peers[2]

    def tamper(sender: bytes, _to: bytes, message: Signed) -> Signed | None:
        is_lost = sender == silent.id and any(tag in message.payload for tag in tags)
        return None if is_lost else message

    lan.tamper = tamper
    lan.run(lambda: all(peer.all(DeckCommitted) for peer in peers[:2]))
    assert fold_of(peers[0]).without == (silent.id,)
    played_to_the_end(lan, peers)
