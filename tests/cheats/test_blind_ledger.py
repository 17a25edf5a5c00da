"""Attacks on the ledger of a blind hand: hosts that hide, fork, rewind and drop, two bodies, what was said before."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec
import pytest

from rummy_p2p.deal.blind_messages import Draw, SharePart, Shares, ShuffleDeck
from rummy_p2p.deal.blind_transcript import BlindStage
from rummy_p2p.deal.keys import KeyOpen
from rummy_p2p.protocol.codec import pack
from rummy_p2p.protocol.events import Declined, FaultFound, HandOver, Played
from rummy_p2p.protocol.ledger import Entry
from rummy_p2p.protocol.messages import (
    Accuse,
    Ack,
    Draft,
    Ordered,
    Payload,
    Presence,
    Records,
    Signed,
    read,
    read_packed,
    sign,
)
from rummy_p2p.protocol.ordering import DROPPED_AFTER
from rummy_p2p.protocol.records import Act, Body, HandOpen
from rummy_p2p.protocol.state import Stage
from tests.cheats.cheating import (
    begun,
    bodies,
    deal_of,
    dealt,
    deposed,
    draw_with,
    instead,
    joined,
    lying,
    nothing_happened,
    one_ledger,
    play,
    put_out,
    send,
)
from tests.protocol.lan import Lan, Peer, play_out
from tests.protocol.tampering import forge_draft, forge_record, match_of


def body_in(message: Signed) -> Body | None:
    """What a draft wants, on its own or in a record."""
    payload: Payload = read(message)
    if isinstance(payload, Ordered):
        payload = read(read_packed(payload.draft))
    return payload.body if isinstance(payload, Draft) else None


def listening(lan: Lan, lets: Callable[[bytes, bytes, Signed], bool]) -> list[tuple[bytes, Signed]]:
    """From now on note what is sent, and by whom; what ``lets`` does not let through is lost."""
    heard: list[tuple[bytes, Signed]] = []

    def tamper(sender: bytes, receiver: bytes, message: Signed) -> Signed | None:
        if not lets(sender, receiver, message):
            return None
        heard.append((sender, message))
        return message

    lan.tamper = tamper
    return heard


def shares_from(heard: Sequence[tuple[bytes, Signed]], peers: Sequence[Peer]) -> list[Signed]:
    """The shares that some peers have given."""
    ids = {peer.id for peer in peers}
    return [m for sender, m in heard if sender in ids and m.author in ids and isinstance(body_in(m), Shares)]


# ---------------------------------------------------------------- a host that hides a draw


def is_signing(peer: Peer) -> bool:
    fold = match_of(peer).replica.committed
    return fold.stage is Stage.DEALING and fold.blind.stage is BlindStage.SIGN


@pytest.mark.parametrize("count", [2, 3, pytest.param(4, marks=pytest.mark.nightly)])
def test_no_share_is_given_for_a_draw_without_a_certificate(count: int) -> None:
    """The host does not say that it holds what it orders; the guests alone may commit it, but that is not enough."""
    lan, peers = begun(count, 400)
    host, guests = peers[0], peers[1:]
    lan.run(lambda: is_signing(host))
    hides = [True]
    heard = listening(lan, lambda _s, _r, m: not (hides[0] and m.author == host.id and isinstance(read(m), Ack)))
    lan.settle(30)
    if count > 2:
        assert all(match_of(peer).replica.committed.blind.requests for peer in guests)
    assert not shares_from(heard, guests)
    nothing_happened(guests)
    hides[0] = False
    ledger = match_of(host).replica.ledger
    ack = Ack(match=ledger.match, term=ledger.term, seq=ledger.tail, head=ledger.head)
    send(lan, host, guests, sign(host.identity, ack))
    lan.settle(5)
    assert shares_from(heard, guests)
    play_out(lan, peers)
    nothing_happened(peers)
    one_ledger(peers)


def a_draw_of(peer: Peer) -> Act:
    view = peer.table.view(peer.table.own_seats[0])
    slot = view.state.stock[0]
    return Act(seat=view.seat, move="draw", openings=(), draw=deal_of(peer).draw([slot]))


def is_turn_of(peer: Peer) -> bool:
    hand = match_of(peer).replica.committed.hand
    return hand is not None and hand.phase == "draw" and hand.turn in peer.table.own_seats


def host_on_turn(count: int, seed: int) -> tuple[Lan, Peer, list[Peer]]:
    """The host may draw now."""
    lan, peers = dealt(count, seed)
    play(peers)
    host = peers[0]
    host.think = lambda view, _: None
    lan.run(lambda: is_turn_of(host))
    for peer in peers:
        peer.plays = False
    lan.settle(2)
    return lan, host, peers[1:]


def test_a_host_that_shows_a_draw_to_one_guest_and_something_else_to_the_other() -> None:
    """As long as one guest alone has seen the draw it gives no share; when the two compare the host is out."""
    lan, host, (one, other) = host_on_turn(3, 401)
    honest = a_draw_of(host)
    draw = forge_record(host, forge_draft(host, honest))
    number = match_of(host).replica.ledger.last_number(host.id) + 2000
    take = Act(seat=honest.seat, move="take", openings=())
    fork = forge_record(host, forge_draft(host, take, number=number))
    lan.cut(one, other)
    heard = listening(lan, lambda sender, _, m: sender != host.id or isinstance(read(m), Presence))
    ledger = match_of(host).replica.ledger
    ack = Ack(match=ledger.match, term=ledger.term, seq=ledger.tail + 1, head=draw.digest)
    send(lan, host, [one], draw, sign(host.identity, ack))
    send(lan, host, [other], fork)
    lan.settle(4)
    assert match_of(one).replica.committed.blind.requests[-1].owner == host.id
    assert match_of(other).replica.ledger.tail == ledger.tail + 1
    assert not shares_from(heard, [one, other])
    lan.link(one, other)
    deposed(lan, [one, other], host, "two-records")


def test_a_host_that_rewinds_after_a_draw_gets_no_share_of_a_second_point() -> None:
    """One of two was restarted, and the host tells it another story, in which the same slots were drawn otherwise."""
    lan, peers = dealt(2, 402)
    host, guest = peers
    entries = match_of(host).replica.ledger.entries
    at = next(n for n, entry in enumerate(entries) if entry.author == host.id and isinstance(entry.body, Draw))
    told_before = [entry.record for entry in entries[:at]]
    second = forked(host, entries[at], told_before)
    lan.kill(guest)
    again = lan.peer(guest.name, guest.rules, auto=True, wish=guest.guest.wish)
    again.kept = guest.kept
    again.plays = False
    story = [*told_before, second]
    heard = listening(
        lan, lambda sender, _, m: sender != host.id or not isinstance(read(m), Ordered | Records | Ack | Accuse)
    )
    lan.link(host, again)
    lan.run(lambda: again.session is not None and again.table.match is not None)
    records = Records(match=match_of(host).id, to=again.id, number=1, records=tuple(pack(each) for each in story[:14]))
    rest = Records(match=match_of(host).id, to=again.id, number=2, records=tuple(pack(each) for each in story[14:]))
    ack = Ack(match=match_of(host).id, term=1, seq=len(story), head=second.digest)
    send(lan, host, [again], *(sign(host.identity, each) for each in (records, rest, ack)))
    lan.settle(10)
    asked = match_of(again).replica.committed.blind.requests[-1]
    assert asked.owner == host.id
    assert [(fault.code, fault.culprit) for fault in again.all(FaultFound)] == [("second-point", None)]
    given = [body for message in shares_from(heard, [again]) if isinstance(body := body_in(message), Shares)]
    assert asked.id not in {part.request for body in given for part in body.parts}


def forked(host: Peer, entry: Entry, before: Sequence[Signed]) -> Signed:
    """Another record for the place of a draw: the same slots, drawn with other numbers."""
    assert isinstance(entry.body, Draw)
    public, slots = deal_of(host).public, entry.body.slots
    other = joined([draw_with(public, host.id, slot, 900 + slot) for slot in slots])
    draft = forge_draft(host, other, head=entry.draft.head, number=entry.draft.number)
    return forge_record(host, draft, seq=entry.seq, prev=before[-1].digest)


def test_a_host_that_takes_a_draw_back_is_convicted_by_its_two_records() -> None:
    lan, peers = dealt(3, 403)
    host, guests = peers[0], peers[1:]
    entries = match_of(host).replica.ledger.entries
    at = next(n for n, entry in enumerate(entries) if entry.author == host.id and isinstance(entry.body, Draw))
    second = forked(host, entries[at], [entry.record for entry in entries[:at]])
    send(lan, host, guests, second)
    deposed(lan, guests, host, "two-records")


# ---------------------------------------------------------------- a host that drops what somebody says


def test_a_host_that_drops_a_players_actions_is_voted_out() -> None:
    """The action is said again and again, and to everybody, and the next host orders it."""
    lan, peers = dealt(3, 410)
    host, victim = peers[0], peers[1]
    filed = match_of(host)._ordering.file

    def file(message: Signed, draft: Draft, now: float) -> None:
        if not (message.author == victim.id and isinstance(draft.body, Act)):
            filed(message, draft, now)

    match_of(host)._ordering.file = file  # type: ignore[method-assign]  # a cheat
    heard = listening(lan, lambda _s, _r, _m: True)
    play(peers)
    lan.run(lambda: is_turn_of(victim) and "act" in str(match_of(victim)._proposals.keys()))
    acts = len(bodies(victim, Act))
    lan.settle(DROPPED_AFTER - 1)
    assert len(bodies(victim, Act)) == acts
    assert {match_of(peer).host for peer in peers} == {host.id}
    lan.settle(10)
    said = {m.digest for sender, m in heard if sender == victim.id == m.author and isinstance(body_in(m), Act)}
    assert len(said) > 1
    assert len(bodies(victim, Act)) > acts
    for guest in peers[1:]:
        assert match_of(guest).host in {peer.id for peer in peers[1:]}
        assert {(fault.code, fault.culprit) for fault in guest.all(FaultFound)} <= {("drops-moves", host.id)}
    assert not victim.all(Declined)
    play_out(lan, peers)
    one_ledger(peers)


def test_a_host_cannot_leave_out_a_guest_before_its_time_is_over() -> None:
    lan, peers = begun(3, 411)
    host, guests = peers[0], peers[1:]
    lying(guests[1], instead(KeyOpen, lambda _: None))
    lan.run(lambda: len(bodies(host, KeyOpen)) == 2)
    lan.settle()
    match_of(host)._may_order = lambda: False  # type: ignore[method-assign]  # a cheat
    again = HandOpen(hand=1, epoch=1, promise=bytes(32), without=(guests[0].id,))
    send(lan, host, guests, forge_record(host, forge_draft(host, again, epoch=1)))
    deposed(lan, guests, host, "bad-hand-open")


# ---------------------------------------------------------------- two bodies


def other_body(peer: Peer, body: Body) -> Body:
    """Another thing of the same kind that could stand in the same place."""
    if isinstance(body, Draw):
        return joined([draw_with(deal_of(peer).public, peer.id, slot, 50 + slot) for slot in body.slots])
    assert isinstance(body, KeyOpen)
    return KeyOpen(body.vector, bytes(64))


@pytest.mark.parametrize("kind", [KeyOpen, Draw])
@pytest.mark.parametrize("cheat_is_host", [False, True])
def test_two_bodies_under_one_number_convict_their_author(kind: type, cheat_is_host: bool) -> None:  # noqa: FBT001 - who cheats is what the table is about
    lan, peers = begun(3, 420)
    cheat = peers[0] if cheat_is_host else peers[2]
    others = [peer for peer in peers if peer is not cheat]
    said: list[bool] = []

    def lie(body: Body) -> Body | None:
        if isinstance(body, kind) and not said:
            said.append(True)
            one, other = (forge_draft(cheat, each) for each in (body, other_body(cheat, body)))
            send(lan, cheat, others[:1], one)
            send(lan, cheat, others[1:], other)
            if cheat_is_host:
                send(lan, cheat, others, forge_record(cheat, one))
                match_of(cheat)._may_order = lambda: False  # type: ignore[method-assign]  # a cheat
            return None
        return body

    lying(cheat, lie)
    lan.run(lambda: any(peer.all(FaultFound) for peer in others))
    if cheat_is_host:
        deposed(lan, others, cheat, "two-bodies")
    else:
        put_out(lan, peers, cheat, "two-bodies")


# ---------------------------------------------------------------- what was said in another hand


def after_one_hand(seed: int) -> tuple[Lan, list[Peer], list[Entry]]:
    """A second hand is about to be dealt; and all records of the first."""
    lan, peers = begun(3, seed, hands=2)
    lan.run(lambda: all(peer.all(HandOver) for peer in peers))
    entries = [entry for entry in match_of(peers[0]).replica.ledger.entries if entry.draft.hand == 1]
    return lan, peers, entries


def said_by(peer: Peer, entries: Sequence[Entry], kind: type[Body]) -> Body:
    return next(entry.body for entry in entries if entry.author == peer.id and isinstance(entry.body, kind))


def old_shuffle(old: Body, new: Body) -> Body:
    assert isinstance(old, ShuffleDeck)
    assert isinstance(new, ShuffleDeck)
    return msgspec.structs.replace(old, epoch=new.epoch, after=new.after)


def old_draw(old: Body, new: Body) -> Body:
    assert isinstance(old, Draw)
    assert isinstance(new, Draw)
    return Draw(new.slots, old.points, old.proofs)


def old_shares(old: Body, new: Body) -> Body:
    assert isinstance(old, Shares)
    assert isinstance(new, Shares)
    size = {len(part.points): part for part in old.parts}
    return Shares(tuple(_as_if_new(size, part) for part in new.parts))


def _as_if_new(known: dict[int, SharePart], part: SharePart) -> SharePart:
    old = known.get(len(part.points))
    return part if old is None else SharePart(part.request, old.points, old.proof)


REPLAYS = [(ShuffleDeck, old_shuffle, "bad-shuffle"), (Draw, old_draw, "bad-draw"), (Shares, old_shares, "bad-share")]


@pytest.mark.parametrize(
    ("kind", "again", "code"),
    [pytest.param(*each, id=each[2], marks=[pytest.mark.nightly] * (each[2] == "bad-shuffle")) for each in REPLAYS],
)
def test_what_was_said_in_another_hand_is_none_in_this(
    kind: type[Body], again: Callable[[Body, Body], Body], code: str
) -> None:
    lan, peers, entries = after_one_hand(430)
    cheat = peers[2]
    old = said_by(cheat, entries, kind)
    lying(cheat, lambda body: again(old, body) if isinstance(body, kind) else body)
    put_out(lan, peers, cheat, code)


@pytest.mark.nightly
def test_old_drafts_and_records_said_again_word_for_word_change_nothing() -> None:
    lan, peers, entries = after_one_hand(431)
    for peer in peers:
        match_of(peer)._gossip._seen.clear()
    for entry in entries:
        author = lan.peers[entry.author]
        send(lan, author, [peer for peer in peers if peer is not author], entry.draft_message)
        send(lan, peers[0], peers[1:], entry.record)
    play(peers)
    play_out(lan, peers)
    nothing_happened(peers)
    one_ledger(peers)
    assert len(peers[0].all(HandOver)) == 2
    assert peers[0].all(Played)
