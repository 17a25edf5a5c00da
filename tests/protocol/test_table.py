"""Tables on a LAN in one process: from sitting down to the rematch, with everything that may happen on the way."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Sequence
from itertools import pairwise

import msgspec
import pytest

from rummy_p2p.deal import EntropyOpen
from rummy_p2p.engine import Action, IllegalAction, Phase, View, claimants, parse_action
from rummy_p2p.melds import melds_of
from rummy_p2p.protocol.errors import RemoteProtocolError
from rummy_p2p.protocol.events import (
    Chatted,
    DeckCommitted,
    Declined,
    Elected,
    FaultFound,
    HandOver,
    HandStarted,
    HandVoid,
    MatchOver,
    MatchStarted,
    Paused,
    Played,
    Resumed,
    Seated,
    TableClosed,
    TurnedAway,
)
from rummy_p2p.protocol.faults import Fault, Refusal
from rummy_p2p.protocol.fields import Wish
from rummy_p2p.protocol.forming import Phase as TablePhase
from rummy_p2p.protocol.identity import Identity
from rummy_p2p.protocol.match import Match
from rummy_p2p.protocol.messages import (
    Ack,
    Boxed,
    Draft,
    Join,
    Ordered,
    Payload,
    Presence,
    Say,
    Signed,
    Start,
    read,
    sign,
)
from rummy_p2p.protocol.records import Act
from rummy_p2p.protocol.table import TableSession
from rummy_p2p.protocol.verify import verify
from rummy_p2p.rules.actions import Lay
from rummy_p2p.ruleset import KnobFunction
from tests.protocol.lan import Lan, Peer, people, play_out, playing, random_move, rummy, seated


def assert_all_agree(peers: Sequence[Peer], *, but: str = "") -> None:
    """Everybody has the same ledger, the same state, the same story, and no complaint ``but`` of this kind."""
    ledgers = [peer.table.ledger for peer in peers]
    assert all(ledger is not None for ledger in ledgers)
    assert len({ledger.head for ledger in ledgers if ledger}) == 1
    assert len({(ledger.committed, ledger.tail) for ledger in ledgers if ledger}) == 1
    assert all(peer.table.fold == peers[0].table.fold for peer in peers)
    story = (Elected, HandStarted, DeckCommitted, Played, HandOver, HandVoid, MatchOver)
    assert len({str([event for event in peer.events if isinstance(event, story)]) for peer in peers}) == 1
    assert {fault.code for peer in peers for fault in peer.all(FaultFound)} <= {but}


@pytest.mark.parametrize(("count", "seed", "target"), [(2, 1, 60), (3, 2, 30), (6, 3, 30)])
def test_a_whole_match_ends_equal_for_all_and_every_ledger_verifies(count: int, seed: int, target: int) -> None:
    lan, peers = playing(count, seed, rummy(match__target=target))
    play_out(lan, peers)
    assert_all_agree(peers)
    assert {over.audit for peer in peers for over in peer.all(HandOver)} == {"ok"}
    (over,) = peers[0].all(MatchOver)
    assert max(over.scores) >= target
    assert over.winners
    for peer in peers:
        assert peer.table.ledger is not None
        report = verify(peer.table.ledger.to_bytes())
        assert (report.ok, report.problems, report.hands) == (True, (), len(peer.all(HandOver)))
        assert peer.disk is not None
        assert [message.digest for message in peer.disk.records] == [entry.hash for entry in peer.table.ledger.entries]


def test_in_mid_hand_all_states_are_byte_equal_and_hold_no_hidden_face() -> None:
    lan, peers = playing(3, 4)
    checked = 0
    for _ in range(12):
        lan.run(lambda: any(peer.table.seats_to_think() for peer in peers))
        lan.settle()
        folds = [peer.table.fold for peer in peers]
        hands = [fold.hand for fold in folds if fold is not None and fold.hand is not None]
        if len(hands) == 3:
            assert len({hand.digest() for hand in hands}) == 1
            hidden = [slot for hand in hands[0].hands for slot in hand if hands[0].faces[slot] is None]
            checked += bool(hidden)
            assert all(hands[0].faces[slot] is None for slot in hands[0].stock)
        lan.run(lan.think)
    assert checked > 5


def test_a_seat_sees_its_own_cards_and_no_others() -> None:
    lan, peers = playing(3, 5)
    lan.run(lambda: all(peer.table.seats_to_think() for peer in peers))
    for peer in peers:
        (own,) = peer.table.own_seats
        view = peer.table.view(own)
        assert len(view.hand) == len(view.state.hands[own]) >= 7
        for seat in {0, 1, 2} - {own}:
            assert all(view.card(slot) is None for slot in view.state.hands[seat])
            with pytest.raises(Refusal, match="another player"):
                peer.table.view(seat)


def test_messages_go_round_where_not_everybody_has_a_link_to_everybody() -> None:
    lan = Lan(7)
    peers = [lan.peer(name, rummy(), auto=True) for name in ("Ada", "Bea", "Cem", "Dag")]
    lan.create(peers[0], hands=1)
    for one, other in pairwise(peers):
        lan.link(one, other)
    lan.run(lambda: all(peer.session is not None and len(peer.table.seats) == 4 for peer in peers))
    for peer in peers:
        peer.table.ready(lan.now)
        lan.pump(peer)
    lan.run(lambda: peers[0].table.ready_to_start)
    peers[0].table.start(lan.now)
    lan.pump(peers[0])
    play_out(lan, peers)
    assert_all_agree(peers)


def test_a_lost_link_with_a_way_round_disturbs_nobody() -> None:
    lan, peers = playing(4, 8, hands=1)
    lan.run(lambda: bool(peers[0].all(Played)))
    for one, other in ((0, 1), (2, 3), (0, 2)):
        lan.cut(peers[one], peers[other])
    play_out(lan, peers)
    assert_all_agree(peers)
    assert not any(peer.all(Paused) for peer in peers)


# ---------------------------------------------------------------- sitting down


def test_nicks_that_are_equal_are_told_apart_and_bots_say_whose_they_are() -> None:
    lan = Lan(9)
    rules = rummy()
    ada, other = lan.peer("Ada", rules, seed=1, bots=1), lan.peer("Ada", rules, seed=2, bots=2)
    lan.create(ada)
    lan.link(ada, other)
    lan.run(lambda: len(ada.table.seats) == 5)
    lan.settle()
    names = ["Ada", "Bot 1 (Ada)", "Ada (2)", "Bot 1 (Ada) (2)", "Bot 2 (Ada)"]
    assert [seat.name for seat in other.table.seats] == names
    assert [seat.bot for seat in other.table.seats] == [False, True, False, True, True]
    assert other.table.own_seats == (2, 3, 4)
    assert ada.table.name_of(other.id) == "Ada (2)"
    assert ada.table.name_of(b"x" * 32) == "787878"


def test_bots_of_one_peer_play_a_match_among_themselves() -> None:
    lan = Lan(10)
    ada = lan.peer("Ada", rummy(), bots=2, auto=True)
    lan.create(ada, hands=2)
    ada.table.start(lan.now)
    lan.pump(ada)
    play_out(lan, [ada])
    assert len(ada.all(HandOver)) == 2
    assert ada.table.ledger is not None
    assert verify(ada.table.ledger.to_bytes()).ok


@pytest.mark.parametrize(
    ("changes", "differs"),
    [
        ({"match__target": 200}, "match.target: 60 there, 200 here"),
        ({"deck__jokers": 2, "hand_size": [6] * 5}, "deck.jokers: 0 there, 2 here"),
    ],
)
def test_other_rules_are_turned_away_with_what_differs(changes: dict[str, object], differs: str) -> None:
    lan = Lan(11)
    ada, bea = lan.peer("Ada", rummy()), lan.peer("Bea", rummy().with_(**changes))
    lan.create(ada)
    lan.link(ada, bea)
    lan.settle(6)
    (away,) = bea.all(TurnedAway)
    assert away.code == "rules-mismatch"
    assert differs in away.differs
    assert differs in away.sentence
    assert [seat.name for seat in ada.table.seats] == ["Ada"]


def test_a_table_with_plugin_functions_that_are_not_here_says_so() -> None:
    lan = Lan(11)
    function = KnobFunction(name="left_points", plugin="odd", version="1", source_hash="0" * 64, call=len)
    ada, bea = lan.peer("Ada", rummy().with_function(function)), lan.peer("Bea", rummy())
    lan.create(ada)
    lan.link(ada, bea)
    lan.settle(1)
    assert [(away.code, away.differs) for away in bea.all(TurnedAway)] == [("rules-mismatch", ("functions",))]


def test_a_full_table_turns_away_and_is_not_asked_again() -> None:
    lan = Lan(12)
    peers = [lan.peer(name, rummy()) for name in ("Ada", "Bea", "Cem")]
    lan.create(peers[0], seats=2)
    lan.mesh(peers)
    lan.settle(10)
    turned = [peer for peer in peers if peer.all(TurnedAway)]
    assert len(turned) == 1
    assert [away.code for away in turned[0].all(TurnedAway)] == ["table-full"]
    assert len(peers[0].table.seats) == 2


def test_nobody_sits_down_in_the_middle_of_a_match() -> None:
    lan, peers = playing(2, 13)
    lan.run(lambda: bool(peers[1].all(Elected)))
    cem = lan.peer("Cem", rummy())
    for peer in peers:
        lan.link(peer, cem)
    lan.settle(2)
    assert [away.code for away in cem.all(TurnedAway)] == ["table-playing"]
    assert len(peers[0].table.seats) == 2


def test_a_table_that_its_creator_has_not_signed_is_none() -> None:
    _, (ada, bea) = seated(2)
    wrong = sign(bea.identity, ada.table.info)
    with pytest.raises(Fault):
        TableSession.join(bea.identity, bea.guest, bea.rules, wrong, bea.rng.randbytes, 0.0)


def test_starting_needs_the_creator_enough_players_and_everybody_ready() -> None:
    lan = Lan(14)
    ada, bea = lan.peer("Ada", rummy()), lan.peer("Bea", rummy())
    lan.create(ada)
    with pytest.raises(Refusal, match="needs 2 players"):
        ada.table.start(lan.now)
    lan.link(ada, bea)
    lan.run(lambda: len(ada.table.seats) == 2)
    with pytest.raises(Refusal, match="Not everybody is ready yet: Bea"):
        ada.table.start(lan.now)
    lan.settle()
    with pytest.raises(Refusal, match="opened the table"):
        bea.table.start(lan.now)
    bea.table.ready(lan.now)
    bea.table.ready(lan.now, ready=False)
    lan.pump(bea)
    lan.settle()
    assert not ada.table.ready_to_start
    bea.table.ready(lan.now)
    lan.pump(bea)
    lan.settle()
    assert [event.ready for event in bea.all(Seated)][-1] == ("Bea",)
    ada.table.start(lan.now)
    with pytest.raises(Refusal, match="not over yet"):
        ada.table.start(lan.now)


def test_who_goes_before_the_start_gives_the_seat_back() -> None:
    lan, (ada, bea, cem) = seated(3, 15)
    bea.table.leave(lan.now)
    lan.pump(bea)
    lan.settle()
    assert [seat.name for seat in cem.table.seats] == ["Ada", "Cem"]
    assert cem.all(Seated)[-1].gone == ("Bea",)
    lan.kill(cem)
    lan.settle(7)
    assert [seat.name for seat in ada.table.seats] == ["Ada"]


def test_who_was_away_for_a_while_sits_down_again_by_itself() -> None:
    lan, (ada, bea) = seated(2, 16)
    lan.cut(ada, bea)
    lan.settle(4)
    lan.link(ada, bea)
    lan.settle(1)
    assert names_at(ada) == ["Ada", "Bea"]
    lan.cut(ada, bea)
    while "Bea" in names_at(ada):
        bea.table._creator_missing = None
        lan.pass_time()
    lan.link(ada, bea)
    lan.settle(4)
    assert names_at(bea) == ["Ada", "Bea"]


def names_at(peer: Peer) -> list[str]:
    return [seat.name for seat in peer.table.seats]


def test_when_the_creator_goes_the_table_is_closed() -> None:
    lan, (ada, bea) = seated(2, 17)
    ada.table.leave(lan.now)
    lan.pump(ada)
    lan.settle()
    assert [event.code for event in bea.all(TableClosed)] == ["table-closed"]
    assert [event.code for event in ada.all(TableClosed)] == ["table-closed"]
    assert bea.table.phase is TablePhase.CLOSED
    bea.table.leave(lan.now)


def test_when_the_creator_is_lost_the_table_is_closed_after_a_while() -> None:
    lan, (ada, bea) = seated(2, 18)
    lan.kill(ada)
    lan.settle(3)
    assert bea.table.phase is TablePhase.OPEN
    lan.settle(4)
    assert [event.code for event in bea.all(TableClosed)] == ["table-lost"]


# ---------------------------------------------------------------- the host


@pytest.mark.parametrize(
    ("wishes", "host"), [(("never", "if-needed", "always"), 2), (("never", "always", "if-needed"), 1)]
)
def test_the_host_is_who_wishes_to_be(wishes: tuple[Wish, ...], host: int) -> None:
    lan = Lan(20)
    peers = [lan.peer(name, rummy(), auto=True, wish=wish) for name, wish in zip("ABC", wishes, strict=True)]
    lan.create(peers[0], hands=1)
    lan.mesh(peers)
    lan.run(lambda: all(peer.session is not None and len(peer.table.seats) == 3 for peer in peers))
    for peer in peers:
        peer.table.ready(lan.now)
        lan.pump(peer)
    lan.run(lambda: peers[0].table.ready_to_start)
    peers[0].table.start(lan.now)
    lan.pump(peers[0])
    lan.run(lambda: all(peer.all(Elected) for peer in peers))
    assert {peer.table.host for peer in peers} == {peers[host].id}
    (elected,) = peers[0].all(Elected)
    assert (elected.term, elected.name) == (1, peers[host].name)


def host_and_guests(peers: Sequence[Peer]) -> tuple[Peer, list[Peer]]:
    host = next(peer for peer in peers if peer.id == peers[0].table.host)
    return host, [peer for peer in peers if peer is not host]


def test_a_lost_host_is_replaced_at_once_and_follows_when_it_is_back() -> None:
    lan, peers = playing(3, 21, hands=1)
    lan.run(lambda: len(peers[0].all(Played)) > 5)
    host, guests = host_and_guests(peers)
    for guest in guests:
        lan.cut(host, guest)
    lan.settle(0.5)
    for guest in guests:
        paused = guest.all(Paused)[0]
        assert (paused.code, paused.players) == ("host-gone", (host.name,))
        assert host.name in paused.sentence
        assert [elected.term for elected in guest.all(Elected)] == [1, 2]
        assert guest.table.host in {peer.id for peer in guests}
    assert host.all(Paused)[-1].code == "no-quorum"
    played = len(host.all(Played))
    lan.settle(30)
    assert len(host.all(Played)) <= played + 1
    for guest in guests:
        lan.link(host, guest)
    play_out(lan, peers)
    assert_all_agree(peers)
    assert all(len(peer.all(Resumed)) >= 1 for peer in peers)


def test_a_lost_guest_pauses_the_table_for_all_that_are_left() -> None:
    lan, peers = playing(3, 22, hands=1)
    lan.run(lambda: len(peers[0].all(Played)) > 5)
    host, (guest, other) = host_and_guests(peers)
    lan.cut(host, guest)
    lan.cut(other, guest)
    lan.settle(0.5)
    assert [(p.code, p.players) for p in host.all(Paused)] == [("player-lost", (guest.name,))]
    assert [(p.code, p.players) for p in other.all(Paused)] == [("player-lost", (guest.name,))]
    lan.link(other, guest)
    play_out(lan, peers)
    assert_all_agree(peers)


def test_a_move_made_while_the_table_pauses_is_not_lost() -> None:
    lan, peers = playing(2, 23, hands=1)
    for peer in peers:
        peer.plays = False
    lan.settle(1)
    host, (guest,) = host_and_guests(peers)
    mover = next(peer for peer in peers if peer.table.view(peer.table.own_seats[0]).on_turn)
    lan.cut(host, guest)
    mover.table.act(mover.table.own_seats[0], "draw", lan.now)
    lan.pump(mover)
    lan.settle(5)
    assert not guest.all(Played)
    lan.link(host, guest)
    lan.settle(5)
    assert [event.move for event in guest.all(Played)] == ["draw"]
    assert_all_agree(peers)


# ---------------------------------------------------------------- coming and going


def test_when_one_of_three_leaves_the_hand_is_void_and_the_others_play_on() -> None:
    lan, peers = playing(3, 24, hands=2)
    lan.run(lambda: len(peers[0].all(Played)) > 5)
    host, (leaver, other) = host_and_guests(peers)
    scores = host.table.fold.scores if host.table.fold else ()
    leaver.table.leave(lan.now)
    lan.pump(leaver)
    lan.run(lambda: all(peer.all(HandVoid) for peer in (host, other)))
    (void,) = host.all(HandVoid)
    assert (void.code, void.culprit) == ("left", leaver.id)
    assert leaver.name in void.sentence
    assert host.table.fold is not None
    assert host.table.fold.scores == scores
    lan.kill(leaver)
    play_out(lan, [host, other])
    assert_all_agree([host, other])
    assert len(host.all(HandOver)) == 2
    assert not host.all(Paused)
    assert host.table.ledger is not None
    assert verify(host.table.ledger.to_bytes()).ok


def test_when_one_of_two_leaves_the_other_has_won() -> None:
    lan, peers = playing(2, 25)
    lan.run(lambda: len(peers[0].all(Played)) > 3)
    host, (leaver,) = host_and_guests(peers)
    leaver.table.leave(lan.now)
    with pytest.raises(Refusal):
        leaver.table.act(leaver.table.own_seats[0], "draw", lan.now)
    lan.pump(leaver)
    lan.run(lambda: bool(host.all(MatchOver)))
    (over,) = host.all(MatchOver)
    assert (over.code, over.winners) == ("too-few-players", host.table.own_seats)


def test_when_the_host_leaves_the_others_play_on_under_another() -> None:
    lan, peers = playing(3, 26)
    lan.run(lambda: len(peers[0].all(Played)) > 3)
    host, guests = host_and_guests(peers)
    host.table.leave(lan.now)
    lan.pump(host)
    lan.run(lambda: all(guest.all(HandOver) for guest in guests))
    assert {guest.table.host for guest in guests} < {guest.id for guest in guests}
    assert not any(guest.all(FaultFound) for guest in guests)
    assert not any(guest.all(TableClosed) for guest in guests)


def test_a_rematch_begins_when_everybody_wants_it() -> None:
    lan, peers = playing(2, 27, hands=1)
    lan.run(lambda: all(peer.all(MatchStarted) for peer in peers))
    with pytest.raises(Refusal, match="not over yet"):
        peers[1].table.rematch(lan.now)
    play_out(lan, peers)
    first = peers[0].table.match.id if peers[0].table.match else b""
    for peer in peers:
        peer.table.rematch(lan.now)
        lan.pump(peer)
    lan.run(lambda: all(len(peer.all(MatchStarted)) == 2 for peer in peers))
    lan.run(lambda: all(len(peer.all(MatchOver)) == 2 for peer in peers))
    lan.settle()
    assert_all_agree(peers)
    assert peers[0].table.match is not None
    assert peers[0].table.match.id != first


def test_a_program_that_is_restarted_comes_back_into_the_same_hand() -> None:
    lan, peers = playing(3, 28, hands=1)
    lan.run(lambda: len(peers[0].all(Played)) > 6)
    _, (guest, other) = host_and_guests(peers)
    guest = guest if guest is not peers[0] else other
    seat = guest.table.own_seats[0]
    hand = guest.table.view(seat).hand
    neighbours = [peer for peer in peers if peer is not guest]
    lan.kill(guest)
    again = lan.peer(guest.name, rummy(), auto=True)
    assert again.id == guest.id
    again.plays = False
    for neighbour in neighbours:
        lan.link(neighbour, again)
    lan.settle(5)
    assert set(hand) <= set(again.table.view(seat).hand) | set(guest.table.view(seat).hand)
    assert again.table.view(seat).hand
    again.plays = True
    together = [again, *neighbours]
    play_out(lan, together)
    assert not any(peer.all(FaultFound) for peer in together)
    assert len({peer.table.ledger.head for peer in together if peer.table.ledger}) == 1


def test_a_host_that_is_restarted_voids_the_hand_and_goes_on() -> None:
    lan = Lan(29)
    names = ("Ada", "Bea", "Cem")
    wishes: tuple[Wish, ...] = ("never", "always", "if-needed")
    peers = [lan.peer(n, rummy(), auto=True, wish=w) for n, w in zip(names, wishes, strict=True)]
    lan.create(peers[0], hands=1)
    lan.mesh(peers)
    lan.run(lambda: all(peer.session is not None and len(peer.table.seats) == 3 for peer in peers))
    for peer in peers:
        peer.table.ready(lan.now)
        lan.pump(peer)
    lan.run(lambda: peers[0].table.ready_to_start)
    peers[0].table.start(lan.now)
    lan.pump(peers[0])
    lan.run(lambda: len(peers[0].all(Played)) > 6)
    lan.kill(peers[1])
    again = lan.peer("Bea", rummy(), auto=True, wish="always")
    for neighbour in (peers[0], peers[2]):
        lan.link(neighbour, again)
    together = [again, peers[0], peers[2]]
    play_out(lan, together)
    assert [void.code for void in peers[0].all(HandVoid)] == ["secret-lost"]
    assert not any(peer.all(FaultFound) for peer in together)
    assert len(peers[0].all(HandOver)) == 1


def resumed(peer: Peer, start: Signed) -> str:
    """The code with which a program refuses to come back to a match that was saved with another start."""
    assert peer.disk is not None
    saved = dataclasses.replace(peer.disk, start=start)
    with pytest.raises(Fault) as fault:
        TableSession.resume(peer.identity, peer.guest, peer.rules, saved, peer.rng.randbytes, 0.0)
    return fault.value.code


def test_what_was_saved_and_is_no_match_of_this_player_is_not_resumed() -> None:
    lan, (ada, bea, _) = playing(3, 30)
    lan.run(lambda: len(ada.all(Played)) > 1)
    start = start_of(ada)
    without_bea = msgspec.structs.replace(
        start,
        seats=tuple(seat for seat in start.seats if seat.owner != bea.id),
        peers=tuple(entry for entry in start.peers if entry.peer != bea.id),
    )
    for wrong in (
        sign(ada.identity, Say(table=start.table, number=1, text="no start")),
        sign(bea.identity, start),
        sign(ada.identity, msgspec.structs.replace(start, table=b"t" * 32)),
        sign(ada.identity, without_bea),
    ):
        assert resumed(bea, wrong) == "bad-roster"


# ---------------------------------------------------------------- moves


def on_turn(peers: Sequence[Peer]) -> tuple[Peer, int]:
    return next((peer, seat) for peer in peers for seat in peer.table.own_seats if peer.table.view(seat).on_turn)


def test_a_move_is_refused_here_and_now_with_its_reason() -> None:
    lan, peers = playing(2, 30)
    with pytest.raises(Refusal, match="No cards are dealt"):
        peers[0].table.view(0)
    lan.run(lambda: all(peer.table.seats_to_think() for peer in peers))
    lan.settle()
    peer, seat = on_turn(peers)
    other = next(p for p in peers if p is not peer)
    for move, code in (("discard 7h", "draw-first"), ("frobnicate", "parse-error"), ("call", "no-claim-open")):
        with pytest.raises(IllegalAction) as caught:
            peer.table.act(seat, move, lan.now)
        assert caught.value.code == code
    with pytest.raises(IllegalAction) as caught:
        other.table.act(1 - seat, "draw", lan.now)
    assert caught.value.code == "not-your-turn"
    with pytest.raises(Refusal):
        peer.table.act(1 - seat, "draw", lan.now)
    peer.table.act(seat, parse_action("draw"), lan.now)
    if peer.id != peer.table.host:
        with pytest.raises(Refusal, match="on its way"):
            peer.table.act(seat, "draw", lan.now)
    assert not peer.all(FaultFound)


def test_without_a_match_there_is_nothing_to_do() -> None:
    lan, (ada, _) = seated(2, 31)
    for act in (lambda: ada.table.act(0, "draw", lan.now), lambda: ada.table.view(0)):
        with pytest.raises(Refusal, match="No match"):
            act()
    assert (ada.table.fold, ada.table.ledger, ada.table.host, ada.table.paused) == (None, None, None, False)
    assert ada.table.unsaved() is None
    assert ada.table.own_seats == (0,)


def until_claimable(lan: Lan, peers: Sequence[Peer], claimers: int = 1) -> list[Peer]:
    """Play on until somebody who is not on turn could call; those peers."""
    for _ in range(3000):
        fold = peers[0].table.fold
        hand = fold.hand if fold else None
        seats = [seat for seat in claimants(hand) if seat != hand.turn] if hand is not None and hand.claimable else []
        if len(seats) >= claimers:
            return [peer for seat in seats for peer in peers if seat in peer.table.own_seats]
        moved = [move_without_call(lan, peer) for peer in peers]
        lan.settle(0 if any(moved) else 2)
    raise AssertionError("nobody could ever claim anything")


def move_without_call(lan: Lan, peer: Peer) -> bool:
    for seat in peer.table.seats_to_think():
        action = without_call(peer.table.view(seat), peer.rng)
        if action is not None:
            peer.table.act(seat, action, lan.now)
            lan.pump(peer)
            return True
    return False


def without_call(view: View, rng: random.Random) -> Action | None:
    action = random_move(view, rng)
    return None if action is None or action.verb == "call" else action


def test_a_draw_waits_for_the_claims_of_people() -> None:
    lan, peers = people(3, 32, rummy(match__target=900))
    (claimer, *_) = until_claimable(lan, peers)
    drawer, seat = on_turn(peers)
    draws = len(drawer.all(Played))
    drawer.table.act(seat, "draw", lan.now)
    lan.pump(drawer)
    lan.settle(0.5)
    assert len(drawer.all(Played)) == draws
    claimer.table.act(claimer.table.own_seats[0], "call", lan.now)
    lan.pump(claimer)
    lan.settle(3)
    moves = [event.move for event in drawer.all(Played)][-2:]
    assert moves == ["call", "draw"]
    assert_all_agree(peers)


def test_without_a_claim_the_draw_goes_through_at_the_end_of_the_window() -> None:
    lan, peers = people(3, 33, rummy(match__target=900))
    until_claimable(lan, peers)
    drawer, seat = on_turn(peers)
    before = lan.now
    drawer.table.act(seat, "draw", lan.now)
    lan.pump(drawer)
    draws = len(drawer.all(Played))
    lan.run(lambda: len(drawer.all(Played)) > draws)
    assert 1.0 < lan.now - before < 2.5


@pytest.mark.parametrize("priority", ["ledger", "seat"])
def test_of_two_claims_one_counts_and_by_the_knob_it_is_the_nearest(priority: str) -> None:
    lan, peers = people(4, 34, rummy(claim__priority=priority, match__target=900))
    claimers = until_claimable(lan, peers, claimers=2)
    fold = peers[0].table.fold
    assert fold is not None
    assert fold.hand is not None
    turn = fold.hand.turn
    for peer in claimers:
        peer.table.act(peer.table.own_seats[0], "call", lan.now)
    for peer in claimers:
        lan.pump(peer)
    lan.settle(3)
    (winner,) = [event.seat for event in peers[0].all(Played) if event.move == "call"]
    seats = {peer.table.own_seats[0] for peer in claimers}
    assert winner in seats
    assert priority == "ledger" or winner == min(seats, key=lambda seat: (seat - turn) % 4)
    (loser,) = [peer for peer in claimers if winner not in peer.table.own_seats]
    assert loser.all(Declined)[-1].code == "claim-too-late"
    assert_all_agree(peers)


def test_the_clock_ends_a_turn_for_everybody() -> None:
    lan, peers = people(3, 35, rummy(clock__move_s=20))
    _, seat = on_turn(peers)
    lan.settle(15)
    assert on_turn(peers)[1] == seat
    lan.settle(8)
    assert on_turn(peers)[1] != seat
    assert_all_agree(peers)
    lan.settle(45)
    assert_all_agree(peers)
    assert not any(peer.all(FaultFound) for peer in peers)


def test_out_of_time_for_the_game_ends_the_match_for_everybody() -> None:
    lan, peers = people(3, 35, rummy(clock__game_s=20, clock__game_loses=True))
    _, seat = on_turn(peers)
    lan.settle(15)
    assert on_turn(peers)[1] == seat
    lan.settle(8)
    ends = [peer.all(MatchOver)[-1] for peer in peers]
    assert {end.code for end in ends} == {"out-of-time"}
    assert all(seat not in end.winners for end in ends)
    assert_all_agree(peers)


def failing(*_arguments: object) -> int:
    raise ZeroDivisionError("division by zero")


def test_a_rule_that_fails_voids_the_hand_and_three_in_a_row_end_the_match() -> None:
    function = KnobFunction(name="left_points", plugin="odd", version="1", source_hash="0" * 64, call=failing)
    lan, peers = playing(2, 36, rummy().with_function(function))
    play_out(lan, peers)
    assert_all_agree(peers)
    voids = peers[1].all(HandVoid)
    assert [void.code for void in voids] == ["knob-failed"] * 3
    assert "left_points" in voids[0].sentence
    assert "odd" in voids[0].sentence
    assert peers[0].all(MatchOver)[0].code == "cannot-deal"
    ledger = peers[0].table.ledger
    assert ledger is not None
    assert verify(ledger.to_bytes(), rummy().with_function(function)).ok
    assert [problem.code for problem in verify(ledger.to_bytes()).problems] == ["unknown-rule"]


def test_a_rule_that_fails_on_a_move_voids_the_hand_too() -> None:
    function = KnobFunction(name="meld_points", plugin="odd", version="1", source_hash="0" * 64, call=failing)
    lan, peers = playing(2, 37, rummy().with_function(function))
    for peer in peers:
        peer.think = reckless
    lan.run(lambda: all(peer.all(HandVoid) for peer in peers), steps=400_000)
    assert {void.code for peer in peers for void in peer.all(HandVoid)} == {"knob-failed"}


def reckless(view: View, rng: random.Random) -> Action | None:
    """Lays whatever it holds without asking the rules whether it may."""
    melds = melds_of(view.hand, view.state.rules.melds) if view.on_turn and view.state.phase is Phase.PLAY else []
    return next((Lay((pieces,)) for pieces in melds), None) or random_move(view, rng)


# ---------------------------------------------------------------- what gets lost


def dropping(lan: Lan, *kinds: type[Payload], chance: float = 1.0, count: int = 10**9) -> None:
    """Let messages of these kinds get lost."""
    rng = random.Random(1)
    left = [count]

    def tamper(_sender: bytes, _to: bytes, message: Signed) -> Signed | None:
        if isinstance(read(message), kinds) and rng.random() < chance and left[0]:
            left[0] -= 1
            return None
        return message

    lan.tamper = tamper


def test_records_that_were_missed_are_asked_for() -> None:
    lan, peers = playing(3, 38, hands=1)
    dropping(lan, Ordered, chance=0.1)
    play_out(lan, peers)
    assert_all_agree(peers)


def test_proposals_that_got_lost_are_made_again() -> None:
    lan, peers = playing(3, 39, hands=1)
    dropping(lan, Draft, chance=0.2)
    play_out(lan, peers)
    assert_all_agree(peers, but="drops-moves")  # a host that is not told looks like one that does not listen


def test_boxes_that_got_lost_are_asked_for() -> None:
    lan, peers = playing(3, 40, hands=1)
    dropping(lan, Boxed, chance=0.3)
    play_out(lan, peers)
    assert_all_agree(peers)


def test_a_peer_that_does_not_show_its_bytes_is_left_out_of_the_deal() -> None:
    lan, peers = seated(3, 41, hands=1)
    host_id = min(peer.id for peer in peers)
    slow = next(peer for peer in peers if peer.id != host_id)

    def tamper(_sender: bytes, _to: bytes, message: Signed) -> Signed | None:
        payload = read(message)
        hides = isinstance(payload, Draft) and isinstance(payload.body, EntropyOpen) and payload.epoch == 0
        return None if hides and message.author == slow.id else message

    lan.tamper = tamper
    peers[0].table.start(lan.now)
    lan.pump(peers[0])
    lan.run(lambda: all(len(peer.all(HandStarted)) == 2 for peer in peers))
    assert [(event.hand, event.attempt) for event in slow.all(HandStarted)] == [(1, 0), (1, 1)]
    lan.run(lambda: all(peer.all(DeckCommitted) for peer in peers))
    fold = peers[0].table.fold
    assert fold is not None
    assert fold.without == (slow.id,)
    play_out(lan, peers)
    assert_all_agree(peers)


def test_messages_of_strangers_and_nonsense_change_nothing() -> None:
    lan, (ada, bea) = seated(2, 42)
    stranger = Identity(b"stranger" * 4)
    table = ada.table.info.table
    noise: list[Payload] = [
        Say(table=table, number=1, text="hello"),
        Presence(
            table=table,
            run=b"r" * 32,
            number=1,
            links=(),
            match=b"m" * 32,
            seq=9,
            last_term=1,
            committed=0,
            follows=1,
            rests=False,
        ),
        Draft(match=b"m" * 32, hand=1, epoch=0, number=1, head=bytes(32), body=Act(seat=0, move="draw", openings=())),
    ]
    before = len(ada.events)
    for payload in noise:
        ada.table.receive(bea.id, sign(stranger, payload), lan.now)
        ada.table.receive(bea.id, sign(bea.identity, payload), lan.now)
    lan.pump(ada)
    assert [type(event) for event in ada.events[before:]] == [Chatted]
    assert ada.table.phase is TablePhase.OPEN


def test_a_neighbour_that_passes_on_a_bad_signature_is_the_one_to_blame() -> None:
    lan, (ada, bea) = seated(2, 43)
    good = sign(bea.identity, Say(table=ada.table.info.table, number=1, text="hello"))
    for wrong, code in (
        (Signed(author=good.author, payload=good.payload, signature=b"s" * 64), "bad-signature"),
        (Signed(author=b"\xff" * 32, payload=good.payload, signature=good.signature), "bad-signature"),
        (Signed(author=bea.id, payload=b"\x80", signature=bea.identity.sign(b"table", b"\x80")), "unknown-message"),
    ):
        with pytest.raises(RemoteProtocolError) as caught:
            ada.table.receive(bea.id, wrong, lan.now)
        assert caught.value.code == code
    assert not ada.all(Chatted)


def test_a_join_of_another_version_or_with_other_rules_is_refused() -> None:
    lan, (ada, bea) = seated(2, 44)
    cem = Identity(b"cem" * 10 + b"..")
    asked = {"table": ada.table.info.table, "run": b"r" * 32, "nick": "Cem", "bots": 0, "auto": False, "wish": "never"}
    fingerprint = ada.table.info.fingerprint
    for number, version, prints, code in (
        (1, 99, fingerprint, "version-mismatch"),
        (2, 1, b"x" * 32, "rules-mismatch"),
    ):
        join = Join(number=number, version=version, fingerprint=prints, **asked)  # type: ignore[arg-type]  # plain table
        ada.table.receive(bea.id, sign(cem, join), lan.now)
        refused = [read(item.message) for item in ada.table.outgoing()]
        assert [getattr(payload, "code", None) for payload in refused if hasattr(payload, "code")] == [code]
    assert len(ada.table.seats) == 2


# ---------------------------------------------------------------- late and out of order


def test_a_start_that_makes_no_sense_is_a_fault_of_the_creator() -> None:
    lan, (ada, bea) = seated(2, 80)
    start = ada.table._forming.make_start(b"n" * 32)
    broken = sign(ada.identity, msgspec.structs.replace(start, seats=start.seats[:1], peers=start.peers))
    bea.table.receive(ada.id, broken, lan.now)
    foreign = sign(bea.identity, start)
    ada.table.receive(bea.id, foreign, lan.now)
    lan.pump(bea)
    assert [(fault.code, fault.culprit) for fault in bea.all(FaultFound)] == [("bad-roster", ada.id)]
    assert bea.table.match is None
    assert ada.table.match is None


def test_a_rematch_that_begins_before_the_last_match_is_over_here_waits_for_that() -> None:
    lan, peers = playing(2, 81, hands=1)
    ada, bea = peers
    held: list[tuple[bytes, bytes, Signed]] = []
    over = [False]

    def tamper(sender: bytes, receiver: bytes, message: Signed) -> Signed | None:
        if receiver == bea.id and over[0] and isinstance(read(message), Ack | Ordered):
            held.append((sender, receiver, message))
            return None
        return message

    lan.tamper = tamper
    lan.run(lambda: any(event.move == "show" for event in ada.all(Played)) or bool(ada.all(MatchOver)))
    over[0] = True
    lan.run(lambda: bool(ada.all(MatchOver)) or bool(held))
    start = ada.table._forming
    message = sign(ada.identity, msgspec.structs.replace(start_of(ada), number=start.number + 1))
    if bea.table.phase is TablePhase.PLAYING:
        bea.table.receive(ada.id, message, lan.now)
        assert len(bea.all(MatchStarted)) == 1
    over[0] = False
    for sender, receiver, late in held:
        lan.queues[sender, receiver].append(late)
    lan.run(lambda: bool(bea.all(MatchOver)))
    assert len(bea.all(MatchStarted)) == 2


def start_of(peer: Peer) -> Start:
    assert peer.table.match is not None
    start = read(peer.table.match.start)
    assert isinstance(start, Start)
    return start


def test_of_records_that_come_together_the_last_is_acknowledged() -> None:
    lan, peers = playing(3, 81, hands=1)
    lan.run(lambda: peers[0].table.host is not None)
    host, (guest, _) = host_and_guests(peers)
    waiting = lan.queues[host.id, guest.id]
    lan.run(lambda: sum(isinstance(read(message), Ordered) for message in waiting) > 1)
    while waiting:
        guest.table.receive(host.id, waiting.popleft(), lan.now, more=True)
        assert acknowledged(guest) == 0
    guest.table.settle(lan.now)
    assert acknowledged(guest) == 1
    lan.pump(guest)
    play_out(lan, peers)
    assert_all_agree(peers)


def acknowledged(peer: Peer) -> int:
    """How many acknowledgements of its own a peer wants to send; they stay where they are."""
    out = peer.table._gossip._out
    return sum(isinstance(read(item.message), Ack) and item.message.author == peer.id for item in out)


def test_a_peer_that_hears_of_the_match_last_catches_up() -> None:
    lan, peers = seated(3, 82, hands=1)
    late = max(peers[1:], key=lambda peer: peer.id)
    held: list[tuple[bytes, bytes, Signed]] = []

    def tamper(sender: bytes, receiver: bytes, message: Signed) -> Signed | None:
        if receiver == late.id and isinstance(read(message), Start) and len(held) < 2:
            held.append((sender, receiver, message))
            return None
        return message

    lan.tamper = tamper
    peers[0].table.start(lan.now)
    lan.pump(peers[0])
    others = [peer for peer in peers if peer is not late]
    lan.run(lambda: all(peer.all(Elected) for peer in others))
    assert late.table.match is None
    for sender, receiver, message in held:
        lan.queues[sender, receiver].append(message)
    play_out(lan, peers)
    assert_all_agree(peers)


def test_a_move_of_a_hand_that_is_over_meanwhile_comes_back() -> None:
    lan, peers = people(2, 83, rummy(match__target=900))
    host, (guest,) = host_and_guests(peers)
    mover, seat = on_turn(peers)
    lan.cut(host, guest)
    mover.table.act(seat, "draw", lan.now)
    match = mover.table.match
    assert isinstance(match, Match)
    body = Act(seat=seat, move="discard Ks", openings=())
    match._act_again(body, lan.now)
    match._act_again(msgspec.structs.replace(body, seat=1 - seat), lan.now)
    mover.table.tick(lan.now)
    lan.pump(mover)
    assert [declined.code for declined in mover.all(Declined)] == ["action-pending", "not-your-seat"]
    match._proposals.take_all()
    match._act_again(body, lan.now)
    mover.table.tick(lan.now)
    lan.pump(mover)
    assert mover.all(Declined)[-1].code == "draw-first"


def test_who_leaves_while_the_hand_ends_is_still_heard() -> None:
    lan, peers = playing(3, 84, hands=3)
    lan.run(lambda: len(peers[0].all(Played)) > 10)
    host, (leaver, other) = host_and_guests(peers)
    dropping(lan, Draft, chance=0.5, count=6)
    leaver.table.leave(lan.now)
    lan.pump(leaver)
    lan.run(lambda: host.table.fold is not None and leaver.id in host.table.fold.gone)
    assert leaver.table.wake_at(lan.now) >= lan.now
    lan.kill(leaver)
    play_out(lan, [host, other])
    assert_all_agree([host, other])
