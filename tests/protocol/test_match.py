"""Cheats and accidents within a match: each ends in one named code with the right culprit, and no program with it."""

from __future__ import annotations

import dataclasses

import msgspec
import pytest

from rummy_p2p.deal import EntropyCommit, Opening
from rummy_p2p.engine import claimants
from rummy_p2p.protocol.codec import pack
from rummy_p2p.protocol.events import (
    CameBack,
    DeckCommitted,
    Declined,
    FaultFound,
    HandOver,
    HandStarted,
    HandVoid,
    MatchOver,
    MatchStarted,
    Paused,
    Played,
    Resumed,
    WentAway,
)
from rummy_p2p.protocol.faults import Fault
from rummy_p2p.protocol.forming import Phase
from rummy_p2p.protocol.identity import Identity, seal
from rummy_p2p.protocol.messages import (
    Accuse,
    Ack,
    Ask,
    Boxed,
    Dealt,
    Draft,
    Ordered,
    Records,
    Signed,
    Vote,
    read,
    sign,
)
from rummy_p2p.protocol.ordering import UNTIMED
from rummy_p2p.protocol.records import Act, Departure, HostChange, Score, Void
from rummy_p2p.protocol.state import Stage
from rummy_p2p.protocol.waiting import AWAY_AFTER
from tests.protocol.lan import Lan, Peer, play_out, playing, rummy, seated
from tests.protocol.tampering import (
    a_draw,
    convicted,
    dealer_of,
    forge_draft,
    forge_record,
    match_of,
    replaced,
    running,
    send,
)


def test_a_host_that_orders_an_illegal_move_is_convicted_by_everybody() -> None:
    lan, host, guests = running(3, 50)
    peer, draw = a_draw([host, *guests], on_turn=False)
    send(lan, host, guests, forge_record(host, forge_draft(peer, draw)))
    convicted(guests, "illegal-action", host)
    replaced(lan, guests, host)


def test_a_host_that_orders_a_move_of_nobody_is_convicted() -> None:
    lan, host, guests = running(3, 51)
    peer, draw = a_draw([host, *guests], on_turn=True)
    other = next(p for p in (host, *guests) if p is not peer)
    send(lan, host, guests, forge_record(host, forge_draft(other, draw)))
    convicted(guests, "wrong-author", host)


def test_a_host_that_tells_two_stories_is_convicted_with_the_proof() -> None:
    lan, host, (one, other) = running(3, 52)
    peer, draw = a_draw([host, one, other], on_turn=True)
    take = msgspec.structs.replace(draw, move="take")
    first = forge_record(host, forge_draft(peer, draw))
    second = forge_record(
        host, forge_draft(peer, take, number=match_of(host).replica.ledger.last_number(peer.id) + 1001)
    )
    lan.queues[host.id, one.id].append(first)
    send(lan, host, [other], second)
    convicted([one, other, host], "two-records", host)
    replaced(lan, [one, other], host)
    assert host.id not in match_of(one).replica.committed.peers


def wrong_boxes(host: Peer) -> None:
    """From now on the host boxes openings of other cards than it is bound to."""
    deal = dealer_of(host)
    honest = deal.open_private

    def open_private(slot: int, seat: int) -> Opening:
        opening = honest(slot, seat)
        return msgspec.structs.replace(opening, card=opening.card ^ 1)

    deal.open_private = open_private  # type: ignore[method-assign]  # a cheat


def test_a_host_that_boxes_another_card_is_convicted_by_all() -> None:
    lan, host, guests = running(3, 53)
    wrong_boxes(host)
    lan.run(lambda: any(peer.all(FaultFound) for peer in guests))
    lan.settle(1)
    convicted([*guests, host], "bad-opening", host)
    replaced(lan, guests, host)


def test_a_box_that_is_no_box_or_not_the_hosts_is_the_hosts_fault() -> None:
    for inner, code in ((b"nonsense", "not-msgpack"), (None, "bad-signature")):
        lan, host, guests = running(3, 54)
        guest, other = guests
        match = match_of(host)
        fold = match.replica.committed
        dealt = Dealt(match=match.id, hand=fold.number, epoch=0, seat=0, openings=(Opening(1, 1, b"x" * 32),))
        data = pack(sign(other.identity, dealt)) if inner is None else inner
        boxed = Boxed(match=match.id, hand=fold.number, epoch=0, to=guest.id, box=seal(guest.id, data))
        send(lan, host, [guest], sign(host.identity, boxed))
        assert [(f.code, f.culprit) for f in guest.all(FaultFound)] == [(code, host.id)]


def test_boxes_of_others_or_of_past_hands_are_left_alone() -> None:
    lan, host, (guest, other) = running(3, 55)
    match = match_of(host)
    boxed = Boxed(match=match.id, hand=0, epoch=0, to=guest.id, box=b"old")
    send(lan, host, [guest], sign(host.identity, boxed))
    now = msgspec.structs.replace(boxed, hand=match.replica.committed.number)
    send(lan, other, [guest], sign(other.identity, now))
    assert not guest.all(FaultFound)


def test_a_host_that_stacks_the_deck_is_found_out_after_the_hand() -> None:
    lan, peers = seated(3, 56, hands=1)
    host = min(peers, key=lambda peer: peer.id)
    guests = [peer for peer in peers if peer is not host]
    peers[0].table.start(lan.now)
    lan.pump(peers[0])
    lan.run(lambda: all(stage_of(peer) is Stage.DEALING for peer in peers))
    stack(host)
    lan.run(lambda: all(peer.all(DeckCommitted) for peer in peers))
    lan.run(lambda: stage_of(host) is Stage.COUNTED)
    lan.settle()
    match = match_of(host)
    fold = match.replica.committed
    secret = dealer_of(host).secret
    assert fold.match is not None
    assert fold.hand is not None
    assert secret is not None
    totals = tuple(a + b for a, b in zip(fold.scores, fold.hand.points, strict=True))
    score = forge_draft(host, Score(secret=secret, totals=totals))
    send(lan, host, guests, forge_record(host, score))
    convicted(guests, "deck-differs", host)
    replaced(lan, guests, host)
    assert not any(peer.all(HandOver) for peer in peers)


def stage_of(peer: Peer) -> Stage | None:
    return peer.table.fold.stage if peer.session is not None and peer.table.fold is not None else None


def stack(host: Peer) -> None:
    """Let the host lay out its deck with two cards exchanged, and stand by it."""
    deal = dealer_of(host)
    honest = deal._laid

    def laid(layer: object) -> tuple[Opening, ...]:
        cards = list(honest(layer))  # type: ignore[arg-type]  # passed on
        cards[0], cards[40] = (
            msgspec.structs.replace(cards[40], slot=0),
            msgspec.structs.replace(cards[0], slot=40),
        )
        return tuple(cards)

    deal._laid = laid  # type: ignore[method-assign]  # a cheat


def test_a_host_that_writes_down_other_scores_is_convicted() -> None:
    lan, peers = playing(2, 57, hands=1)
    lan.run(lambda: all(peer.all(DeckCommitted) for peer in peers))
    host = next(peer for peer in peers if peer.id == peers[0].table.host)
    guests = [peer for peer in peers if peer is not host]
    party = match_of(host)._party
    secret = dealer_of(host).secret
    assert secret is not None
    wrong = Score(secret=secret, totals=(0, 999))
    setattr(party, "_score", lambda _fold: wrong)  # noqa: B010 -- a cheat, which mypy would not have
    lan.run(lambda: bool(host.all(FaultFound)))
    lan.settle()
    convicted([host], "score-differs", host)
    send(lan, host, guests, forge_record(host, forge_draft(host, wrong)))
    convicted(guests, "score-differs", host)


# ---------------------------------------------------------------- guests that cheat


def test_a_move_for_anothers_seat_is_declined_and_changes_nothing() -> None:
    lan, host, (guest, _) = running(3, 58)
    _, draw = a_draw([host, guest], on_turn=guest.table.view(guest.table.own_seats[0]).on_turn)
    foreign = msgspec.structs.replace(draw, seat=host.table.own_seats[0])
    tail = match_of(host).replica.ledger.tail
    send(lan, guest, [host], forge_draft(guest, foreign))
    assert match_of(host).replica.ledger.tail == tail
    assert not host.all(FaultFound)


def test_a_proposal_that_breaks_the_rules_comes_back_with_the_code() -> None:
    lan, host, guests = running(3, 59)
    guest = next(g for g in guests if not g.table.view(g.table.own_seats[0]).on_turn)
    match = match_of(guest)
    tail = match_of(host).replica.ledger.tail
    match._propose("act 9", Act(seat=guest.table.own_seats[0], move="draw", openings=()), lan.now)
    for peer in (host, *guests):
        peer.plays = False
    lan.pump(guest)
    lan.settle()
    (declined,) = guest.all(Declined)[-1:]
    assert (declined.code, declined.move) == ("not-your-turn", "draw")
    assert match_of(host).replica.ledger.tail == tail
    assert not any(peer.all(FaultFound) for peer in (host, *guests))


def test_a_proposal_with_a_forged_card_comes_back_as_a_bad_opening() -> None:
    lan, host, guests = running(3, 60)
    lan.run(lambda: any(in_play(guest) for guest in guests))
    lan.settle()
    guest = next(g for g in guests if in_play(g))
    view = guest.table.view(guest.table.own_seats[0])
    slot = next(s for s in view.state.hands[view.seat] if view.state.faces[s] is None)
    card = view.card(slot)
    assert card is not None
    forged = Act(seat=view.seat, move=f"discard {card}", openings=(Opening(slot, int(card), b"p" * 32),))
    match_of(guest)._propose("act 9", forged, lan.now)
    for peer in (host, *guests):
        peer.plays = False
    lan.pump(guest)
    lan.settle()
    assert guest.all(Declined)[-1].code == "bad-opening"


def in_play(peer: Peer) -> bool:
    fold = peer.table.fold
    if fold is None or fold.hand is None or fold.hand.phase != "play" or not peer.table.seats_to_think():
        return False
    view = peer.table.view(peer.table.own_seats[0])
    return view.on_turn and any(view.state.faces[slot] is None for slot in view.state.hands[view.seat])


def two_bodies(peer: Peer) -> tuple[Signed, Signed]:
    seat = peer.table.own_seats[0]
    number = match_of(peer).replica.ledger.last_number(peer.id) + 500
    acts = (Act(seat=seat, move=move, openings=()) for move in ("draw", "take"))
    one, other = (forge_draft(peer, act, number=number) for act in acts)
    return one, other


def test_a_guest_that_signs_two_bodies_is_put_out_and_the_others_play_on() -> None:
    lan, host, (cheat, guest) = running(3, 61, hands=2)
    one, other = two_bodies(cheat)
    lan.queues[cheat.id, host.id].append(one)
    send(lan, cheat, [host, guest], other)
    convicted([host, guest], "two-bodies", cheat)
    lan.settle(1)
    for peer in (host, guest):
        assert [(void.code, void.culprit) for void in peer.all(HandVoid)] == [("two-bodies", cheat.id)]
        peer.plays = True
    play_out(lan, [host, guest])
    assert match_of(host).replica.committed.settled == 2


def may_draw(peer: Peer) -> bool:
    fold = peer.table.fold
    if fold is None or fold.hand is None or fold.hand.phase != "draw":
        return False
    return fold.hand.turn in peer.table.own_seats


def test_two_bodies_of_which_one_is_ordered_convict_all_the_same() -> None:
    lan, host, (cheat, guest) = running(3, 62)
    while not may_draw(cheat):
        lan.run(lan.think)
        lan.settle()
    one, other = two_bodies(cheat)
    lan.queues[cheat.id, guest.id].append(other)
    while lan.queues[cheat.id, guest.id]:
        lan.deliver()
    send(lan, cheat, [host], one)
    lan.settle(1)
    convicted([host, guest], "two-bodies", cheat)
    assert host.all(HandVoid)
    assert guest.all(HandVoid)


def test_a_guest_that_votes_twice_is_convicted() -> None:
    lan, host, (cheat, guest) = running(3, 63)
    other = Vote(match=match_of(cheat).id, term=1, candidate=cheat.id)
    send(lan, cheat, [host, guest], sign(cheat.identity, other))
    lan.settle(1)
    convicted([host, guest], "two-votes", cheat)
    assert host.all(HandVoid)[0].code == "two-votes"


def test_a_guest_that_acknowledges_two_heads_is_convicted() -> None:
    lan, host, (cheat, guest) = running(3, 64)
    ledger = match_of(cheat).replica.ledger
    ack = Ack(match=ledger.match, term=1, seq=ledger.tail, head=b"h" * 32)
    send(lan, cheat, [host, guest], sign(cheat.identity, ack))
    lan.settle(1)
    convicted([host, guest], "two-acks", cheat)


def test_a_false_accusation_convicts_nobody() -> None:
    lan, host, (guest, other) = running(3, 65)
    match = match_of(guest)
    ledger = match.replica.ledger
    single = pack(ledger.entries[-1].record)
    for code, evidence in (
        ("two-records", (single, single)),
        ("two-bodies", (single,)),
        ("bad-opening", (single,)),
        ("no-such-fault", (single,)),
        ("two-votes", (b"x", b"y")),
    ):
        accuse = Accuse(match=match.id, code=code, evidence=evidence)
        send(lan, guest, [host, other], sign(guest.identity, accuse))
    for peer in (host, other):
        assert not peer.all(FaultFound)
        assert not match_of(peer).is_over


def test_a_record_by_a_guest_orders_nothing() -> None:
    lan, host, (guest, other) = running(3, 66)
    peer, draw = a_draw([host, guest, other], on_turn=True)
    usurped = forge_record(guest, forge_draft(peer, draw))
    tail = match_of(other).replica.ledger.tail
    send(lan, guest, [host, other], usurped)
    assert match_of(other).replica.ledger.tail == tail
    assert match_of(host).replica.ledger.tail == tail
    for p in (host, guest, other):
        p.plays = True
    lan.run(lambda: len(host.all(Played)) > 8)
    assert not other.all(FaultFound)


# ---------------------------------------------------------------- replays


def test_nothing_of_one_match_counts_in_the_next() -> None:
    lan, peers = playing(2, 67, hands=1)
    heard: list[tuple[bytes, bytes, Signed]] = []

    def listen(sender: bytes, receiver: bytes, message: Signed) -> Signed:
        heard.append((sender, receiver, message))
        return message

    lan.tamper = listen
    play_out(lan, peers)
    lan.tamper = lambda _sender, _to, message: message
    for peer in peers:
        peer.table.rematch(lan.now)
        lan.pump(peer)
    lan.run(lambda: all(len(peer.all(MatchStarted)) == 2 for peer in peers))
    old = [item for item in heard if isinstance(read(item[2]), Draft | Ordered | Ack | Boxed | Vote)]
    for sender, receiver, message in old[::3]:
        if (sender, receiver) in lan.queues:
            lan.queues[sender, receiver].append(message)
    lan.run(lambda: all(len(peer.all(MatchOver)) == 2 for peer in peers))
    lan.settle()
    assert not any(peer.all(FaultFound) for peer in peers)
    assert len({peer.table.ledger.head for peer in peers if peer.table.ledger}) == 1


def test_a_draft_of_a_past_hand_is_not_ordered_in_this_one() -> None:
    lan, peers = playing(2, 68, hands=3)
    drafts: list[tuple[bytes, Signed]] = []

    def listen(sender: bytes, _receiver: bytes, message: Signed) -> Signed:
        if isinstance(read(message), Draft):
            drafts.append((sender, message))
        return message

    lan.tamper = listen
    lan.run(lambda: all(len(peer.all(HandOver)) == 1 for peer in peers))
    host = next(peer for peer in peers if peer.id == peers[0].table.host)
    for gossip in (peer.table._gossip for peer in peers):
        gossip._seen.clear()
    for sender, message in drafts:
        if sender != host.id:
            lan.queues[sender, host.id].append(message)
    play_out(lan, peers)
    assert not any(peer.all(FaultFound) for peer in peers)
    assert len(peers[0].all(HandOver)) == 3


# ---------------------------------------------------------------- odds and ends


def test_records_for_others_and_records_that_are_none_are_left_alone() -> None:
    lan, host, (guest, other) = running(3, 69)
    match = match_of(guest)
    for records in ((b"nonsense",), (pack(sign(guest.identity, Vote(match=match.id, term=1, candidate=host.id))),)):
        for to in (other.id, host.id):
            message = Records(match=match.id, to=to, number=7, records=records)
            send(lan, guest, [other], sign(guest.identity, message))
    assert not other.all(FaultFound)


def test_a_question_is_answered_by_whom_it_is_for_and_boxes_come_from_the_host() -> None:
    lan, host, (guest, other) = running(3, 70)
    match = match_of(guest)
    heard: list[tuple[str, str, object]] = []

    def listen(sender: bytes, receiver: bytes, message: Signed) -> Signed:
        heard.append((lan.peers[sender].name, lan.peers[receiver].name, read(message)))
        return message

    lan.tamper = listen
    for number, (peer, boxes) in enumerate(((other, False), (host, True), (other, True))):
        heard.clear()
        ask = Ask(match=match.id, to=peer.id, number=100 + number, seq=0, boxes=boxes)
        send(lan, guest, [peer], sign(guest.identity, ask))
        answers = [payload for sender, _, payload in heard if sender == peer.name]
        assert any(isinstance(payload, Records) for payload in answers)
        assert any(isinstance(payload, Boxed) for payload in answers) is (peer is host)
    heard.clear()
    ask = Ask(match=match.id, to=host.id, number=200, seq=match.replica.ledger.tail, boxes=False)
    send(lan, guest, [host], sign(guest.identity, ask))
    assert not any(isinstance(payload, Records) for _, _, payload in heard)


def test_secrets_are_not_shown_by_accident() -> None:
    _, host, _ = running(2, 71)
    assert dealer_of(host).secret is not None
    party = match_of(host)._party
    assert "secret" not in repr(party)
    assert repr(party) == "HostDealtParty(hand=1, attempt=0)"


def test_claims_are_what_the_window_waits_for() -> None:
    _, host, _ = running(3, 72)
    fold = match_of(host).replica.committed
    assert fold.hand is not None
    assert isinstance(claimants(fold.hand), tuple)


def test_of_two_neither_can_outvote_the_other_so_a_convicted_host_ends_the_match() -> None:
    lan, host, (guest,) = running(2, 73)
    peer, draw = a_draw([host, guest], on_turn=False)
    send(lan, host, [guest], forge_record(host, forge_draft(peer, draw)))
    assert [over.code for over in guest.all(MatchOver)] == ["host-convicted"]
    assert match_of(guest).is_over
    assert guest.table.phase is Phase.OPEN


def test_four_go_on_without_a_host_that_was_caught_and_finish_the_match() -> None:
    lan, host, guests = running(4, 73)
    peer, draw = a_draw([host, *guests], on_turn=False)
    send(lan, host, guests, forge_record(host, forge_draft(peer, draw)))
    replaced(lan, guests, host)
    for peer in (host, *guests):
        peer.plays = True
    lan.run(lambda: all(guest.all(HandOver) for guest in guests))


def test_strangers_to_the_match_are_not_heard_in_it() -> None:
    lan, host, (guest, other) = running(3, 74)
    match = match_of(host)
    stranger = Identity(b"stranger" * 4)
    for peer in (host, guest, other):
        peer.table._gossip.known.add(stranger.player_id)
    ack = Ack(match=match.id, term=1, seq=match.replica.ledger.tail, head=b"h" * 32)
    ask = Ask(match=match.id, to=other.id, number=1, seq=0, boxes=True)
    send(lan, guest, [host], sign(stranger, ack), sign(guest.identity, ask))
    assert not host.all(FaultFound)
    assert match.replica.ledger.committed == match.replica.ledger.tail


def test_who_leaves_after_the_host_was_convicted_has_nothing_to_say_in_the_match() -> None:
    lan, host, guests = running(3, 75)
    peer, draw = a_draw([host, *guests], on_turn=False)
    send(lan, host, guests, forge_record(host, forge_draft(peer, draw)))
    tail = match_of(guests[0]).replica.ledger.tail
    match_of(guests[0]).leave(lan.now)
    guests[0].table.leave(lan.now)
    assert match_of(guests[0]).replica.ledger.tail == tail


def test_once_the_match_is_over_there_is_nothing_to_leave() -> None:
    lan, host, (guest,) = running(2, 76)
    host.table.leave(lan.now)
    lan.pump(host)
    lan.settle(2)
    assert match_of(guest).is_over
    match_of(guest).leave(lan.now)
    assert list(match_of(guest)._proposals.keys()) == []


def test_a_player_whose_program_has_lost_its_secrets_is_told() -> None:
    lan, peers = playing(3, 77, rummy(hand_size=(3, 3, 3, 3, 3)), deal="blind")
    lan.run(lambda: len(peers[0].all(Played)) > 2)
    lost = next(peer for peer in peers if peer.id != peers[0].table.host)
    for peer in peers:
        peer.plays = False
    lan.kill(lost)
    lost.kept.clear()
    lan.restart(lost)
    for peer in peers:
        if peer is not lost:
            lan.link(peer, lost)
    lan.settle(2)
    assert [(fault.code, fault.culprit) for fault in lost.all(FaultFound)] == [("secrets-gone", None)]
    assert lost.table.seats_to_think() == ()
    assert not any(peer.all(FaultFound) for peer in peers if peer is not lost)


def test_where_a_later_host_goes_on_from_another_story_the_match_is_over_here_and_the_player_is_told() -> None:
    """Two of three, with changed programs: they have acknowledged one thing, and go on from another."""
    lan, host, (victim, ally) = running(3, 78)
    ledger = match_of(victim).replica.ledger
    for voter in (host, ally):
        vote = Vote(match=ledger.match, term=2, candidate=ally.id)
        lan.take_in(victim, ally.id, sign(voter.identity, vote))
    draft = forge_draft(ally, Departure())
    lan.take_in(victim, ally.id, forge_record(ally, draft, term=2, seq=ledger.committed + 1, prev=b"?" * 32))
    assert [over.code for over in victim.all(MatchOver)] == ["forked"]


def test_a_host_does_not_order_one_of_two_bodies_that_it_has_seen() -> None:
    lan, host, (cheat, guest) = running(3, 76)
    one, other = two_bodies(cheat)
    match = match_of(host)
    draft = read(one)
    assert isinstance(draft, Draft)
    match._ordering.file(one, draft, lan.now)
    match.replica.ledger._drafts.setdefault(cheat.id, {})[draft.number] = other
    tail = match.replica.ledger.tail
    host.table.tick(lan.now)
    lan.pump(host)
    lan.settle(1)
    convicted([host, guest], "two-bodies", cheat)
    assert match.replica.ledger.hash_at(tail + 1) != one.digest


def test_a_share_of_the_randomness_that_got_lost_is_said_again() -> None:
    lan, peers = seated(3, 77, hands=1)
    lost = [0]

    def tamper(_sender: bytes, _to: bytes, message: Signed) -> Signed | None:
        payload = read(message)
        drops = isinstance(payload, Draft) and isinstance(payload.body, EntropyCommit) and lost[0] < 4
        lost[0] += drops
        return None if drops else message

    lan.tamper = tamper
    peers[0].table.start(lan.now)
    lan.pump(peers[0])
    lan.run(lambda: all(peer.all(DeckCommitted) for peer in peers))
    assert lost[0] == 4
    assert {event.attempt for event in peers[0].all(HandStarted)} == {0}


def test_who_wants_to_leave_still_wants_to_when_the_hand_has_ended_meanwhile() -> None:
    lan, peers = playing(3, 78, hands=3)
    lan.run(lambda: len(peers[0].all(Played)) > 3)
    host = next(peer for peer in peers if peer.id == peers[0].table.host)
    leaver = next(peer for peer in peers if peer is not host)
    departures = [0]

    def tamper(sender: bytes, _to: bytes, message: Signed) -> Signed | None:
        payload = read(message)
        leaves = isinstance(payload, Draft) and isinstance(payload.body, Departure) and sender == leaver.id
        held = leaves and not leaver.all(HandOver) and not leaver.all(HandVoid)
        departures[0] += held
        return None if held else message

    lan.tamper = tamper
    match_of(leaver).leave(lan.now)
    lan.pump(leaver)
    others = [peer for peer in peers if peer is not leaver]
    lan.now += 0.1
    number = match_of(host).replica.ledger.last_number(host.id) + 7
    void = forge_draft(host, Void(code="secret-lost", evidence=()), number=number)
    draft = read(void)
    assert isinstance(draft, Draft)
    match_of(host)._ordering.file(void, draft, lan.now)
    host.table.tick(lan.now)
    lan.pump(host)
    lan.run(lambda: all(leaver.id in match_of(peer).replica.committed.gone for peer in others))
    assert departures[0] > 0


def test_a_duty_that_was_declined_while_something_is_under_way_rests() -> None:
    _, host, _ = running(2, 79)
    match = match_of(host)
    proposal = match._proposals.make("flip 9", Departure(), (1, 0), 0.0)
    match.replica.ledger.committed -= 1
    match._declined(proposal.draft.number, "not-due", "", {})
    match.replica.ledger.committed += 1
    assert "flip 9" in match._resting
    assert not match.stopped
    match._declined(12345, "not-due", "", {})


def test_a_duty_of_the_host_that_was_overtaken_is_not_held_against_it() -> None:
    _, host, _ = running(2, 79)
    match = match_of(host)
    proposal = match._proposals.make("flip 9", Departure(), (1, 0), 0.0)
    older = msgspec.structs.replace(proposal.draft, head=match.replica.ledger.hash_at(2))
    match._proposals._pending["flip 9"] = dataclasses.replace(proposal, draft=older)
    match._declined(older.number, "wrong-hand", "", {})
    assert "flip 9" not in match._resting
    assert not host.all(FaultFound)
    assert not match.events
    again = match._proposals.make("flip 9", Departure(), (1, 0), 0.0)
    match._declined(again.draft.number, "wrong-hand", "", {})
    assert [(fault.code, fault.culprit) for fault in match.events if isinstance(fault, FaultFound)] == [
        ("wrong-hand", host.id)
    ]


def test_a_breach_of_a_guest_that_comes_with_a_draft_is_the_end_of_the_hand_and_not_the_hosts_fault() -> None:
    _, host, (guest, _) = running(3, 83)
    match = match_of(host)
    message = forge_draft(guest, Departure())
    draft = read(message)
    assert isinstance(draft, Draft)
    match._turn_down(message, draft, Fault("bad-share", guest.id), 0.0)
    assert f"void {message.digest.hex()}" in match._proposals
    with pytest.raises(Fault) as caught:
        match._turn_down(message, draft, Fault("two-bodies", guest.id, (message, message)), 0.0)
    assert caught.value.culprit == guest.id


def test_an_opening_that_is_left_over_from_an_earlier_term_is_no_fault_of_who_is_host_once_more() -> None:
    _, host, _ = running(3, 84)
    match = match_of(host)
    match.replica.ledger.open_term(3, host.id)
    for term, code, blamed in (
        (2, "wrong-term", 0),
        (2, "stale-number", 0),
        (3, "stale-number", 0),
        (3, "bad-votes", 1),
    ):
        proposal = match._proposals.make("host-change", HostChange(term=term, votes=()), (1, 0), 0.0)
        match._turn_down(proposal.message, proposal.draft, Fault(code, host.id), 0.0)
        assert len([event for event in match.events if isinstance(event, FaultFound)]) == blamed
        match._proposals.take_all()


# ---------------------------------------------------------------- who is away


def test_who_is_out_of_reach_is_away_after_a_while_and_the_others_play_on() -> None:
    lan, host, (lost, other) = running(3, 96, hands=1)
    for peer in (host, other):
        lan.cut(peer, lost)
    lan.settle(AWAY_AFTER - 0.5)
    assert [pause.code for pause in host.all(Paused)] == ["player-lost"]
    assert not host.all(WentAway)
    lan.settle(2)
    assert [event.peer for event in host.all(WentAway)] == [lost.id]
    assert [event.peer for event in other.all(WentAway)] == [lost.id]
    assert len(host.all(Resumed)) == 1
    lan.run(lambda: all(peer.all(HandOver) for peer in (host, other)))
    for peer in (host, other):
        lan.link(peer, lost)
    lan.run(lambda: bool(lost.all(MatchOver)))
    assert not any(peer.all(FaultFound) for peer in (host, lost, other))


def test_only_the_turn_of_a_player_out_of_reach_is_waited_for() -> None:
    lan, host, (lost, other) = running(3, 98, hands=1)
    lan.run(lambda: lost is turn_of(lan, host) and bool(host.all(Played)))
    for peer in (host, other):
        lan.cut(peer, lost)
    lan.settle(0.2)
    assert [pause.code for pause in host.all(Paused)] == ["player-lost"]
    assert [peer.table.seats_to_think() for peer in (host, other)] == [(), ()]
    for peer in (host, other):
        lan.link(peer, lost)
    lan.run(lambda: turn_of(lan, host) not in (lost, None))
    for peer in (host, other):
        lan.cut(peer, lost)
    before, began = len(host.all(Played)), lan.now
    lan.run(lambda: len(host.all(Played)) > before)
    assert lan.now - began < AWAY_AFTER
    assert host.table.paused
    play_out_with(lan, lost, host, other)


def turn_of(lan: Lan, peer: Peer) -> Peer | None:
    """Whose turn it is, as one peer knows it; None while nobody may draw or discard."""
    fold = peer.table.fold
    if fold is None or fold.hand is None or not fold.is_dealt or fold.hand.phase in UNTIMED:
        return None
    return lan.peers[fold.owner_of(fold.hand.turn)]


def play_out_with(lan: Lan, lost: Peer, *others: Peer) -> None:
    for peer in others:
        lan.link(peer, lost)
    play_out(lan, [lost, *others])
    assert not any(peer.all(FaultFound) for peer in (lost, *others))


def test_who_was_away_is_back_by_its_own_word() -> None:
    lan, host, (lost, other) = running(3, 97, hands=1)
    for peer in (host, other):
        lan.cut(peer, lost)
    lan.run(lambda: bool(other.all(WentAway)))
    for peer in (host, other):
        lan.link(peer, lost)
    lan.run(lambda: all(peer.all(CameBack) for peer in (host, other, lost)))
    play_out(lan, [host, lost, other])
    assert not any(peer.all(FaultFound) for peer in (host, lost, other))


# ---------------------------------------------------------------- who leaves, and the quorums


def leave(lan: Lan, *leavers: Peer) -> None:
    for peer in leavers:
        peer.table.leave(lan.now)
        lan.pump(peer)


def test_of_two_that_leave_together_the_second_goes_when_the_first_is_committed() -> None:
    lan, host, (first, second, other) = running(4, 140)
    match, orders = match_of(host), []
    order = match.replica.order

    def ordering(message: Signed, draft: Draft) -> Signed:
        settled = match.replica.committed.peers == match.replica.tail.peers
        record = order(message, draft)
        orders.extend([settled] if isinstance(draft.body, Departure) else [])
        return record

    match.replica.order = ordering  # type: ignore[method-assign] # only looked at
    leave(lan, first, second)
    lan.run(lambda: all(match_of(peer).replica.committed.gone == {first.id, second.id} for peer in (host, other)))
    assert orders == [True, True]
    play_out(lan, [host, other])
    assert not any(peer.all(FaultFound) for peer in (host, other))


def test_a_new_host_lets_nobody_part_before_something_of_its_term_is_committed() -> None:
    lan, host, guests = running(4, 141)
    match = match_of(host)
    assert match._may_part()
    match.replica.ledger.open_term(2, host.id)
    assert not match._may_part()
    for peer in guests[1:]:
        match._ordering.file(*departure_of(peer), lan.now)
    assert not match._may_part()
    match._ordering.file(*departure_of(guests[0]), lan.now)
    assert match._may_part(), "nobody else is left"


def departure_of(peer: Peer) -> tuple[Signed, Draft]:
    message = forge_draft(peer, Departure())
    draft = read(message)
    assert isinstance(draft, Draft)
    return message, draft
