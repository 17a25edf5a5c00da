"""Looking on: all that is public and nothing else, verified, whenever one comes; and the match is left alone."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from rummy_p2p.engine import IllegalAction
from rummy_p2p.protocol.audience import ASIDE_BURST, CHAT_BURST, MOST_WAITING
from rummy_p2p.protocol.codec import pack
from rummy_p2p.protocol.events import (
    Caught,
    Chatted,
    FaultFound,
    HandOver,
    LetIn,
    MatchOver,
    MatchStarted,
    Paused,
    Played,
    Resumed,
    Seated,
    TableClosed,
    TurnedAway,
)
from rummy_p2p.protocol.faults import Refusal
from rummy_p2p.protocol.fields import MAX_SPECTATORS, NO_HEAD
from rummy_p2p.protocol.forming import Phase
from rummy_p2p.protocol.identity import Identity
from rummy_p2p.protocol.messages import (
    Accuse,
    Ack,
    Aside,
    Ask,
    Boxed,
    Claim,
    Draft,
    Join,
    Leave,
    Ordered,
    Payload,
    Presence,
    Records,
    Refused,
    Say,
    Signed,
    TableInfo,
    Vote,
    Watch,
    read,
    sign,
)
from rummy_p2p.protocol.records import Act, Departure
from rummy_p2p.protocol.watching import WatchedMatch
from tests.protocol.lan import NAMES, Lan, Peer, play_out, playing, rummy, seated
from tests.protocol.tampering import a_draw, forge_draft, forge_record, match_of, running

QUICK = rummy()
GUESTS = ("Gus", "Hal", "Ina", "Jon", "Kim")


def look_on(lan: Lan, name: str, through: Peer, seed: int = 0) -> Peer:
    """Somebody comes, and hangs on one of the players."""
    peer = lan.onlooker(name, through.rules, seed)
    lan.link(peer, through)
    return peer


def in_play(lan: Lan, peers: list[Peer], moves: int = 3) -> None:
    lan.run(lambda: len(peers[0].all(Played)) >= moves)


def has_gone_on(peer: Peer, moves: int) -> bool:
    return len(peer.all(Played)) > moves or bool(peer.all(MatchOver))


def watched_ledger(peer: Peer) -> bytes:
    assert peer.table.ledger is not None
    return peer.table.ledger.to_bytes(certificate=False)


def public_part(peer: Peer) -> object:
    fold = peer.table.fold
    assert fold is not None
    return fold.hand, fold.match, fold.stage, fold.number, fold.scores


# ---------------------------------------------------------------- the whole


@pytest.mark.timeout(300)
@pytest.mark.parametrize("deal", ["host", "blind"])
def test_a_match_of_three_with_five_who_look_on_ends_equal_for_all(deal: str) -> None:
    rules = rummy(hand_size=(3, 3, 3, 3, 3))
    lan, peers = playing(3, 5, rules, hands=2 if deal == "host" else 1, deal="blind" if deal == "blind" else "host")
    first = [look_on(lan, name, peers[n % 3]) for n, name in enumerate(GUESTS[:2])]
    in_play(lan, peers)
    late = [look_on(lan, name, peers[n % 3]) for n, name in enumerate(GUESTS[2:])]
    play_out(lan, peers)
    lan.settle(3.0)
    for guest in (*first, *late):
        assert guest.table.watches
        assert watched_ledger(guest) == watched_ledger(peers[0])
        assert public_part(guest) == public_part(peers[0])
        (over,), (players,) = guest.all(MatchOver), peers[0].all(MatchOver)
        assert over == players
        assert not guest.all(FaultFound)
    assert not any(peer.all(FaultFound) for peer in peers)
    assert lan.breaches == []
    assert len(late[0].all(Caught)) == 1
    assert late[0].all(HandOver)[-1] == peers[0].all(HandOver)[-1]


def test_who_looks_on_sees_no_hidden_face_and_makes_no_move() -> None:
    lan, peers = playing(2, 3)
    guest = look_on(lan, "Gus", peers[1])
    in_play(lan, peers)
    lan.settle(3.0)
    view, hand = guest.table.public_view(), peers[0].table.public_view().state
    assert view.state == hand
    assert view.hand == () == view.held
    assert not view.on_turn
    hidden = [slot for slots in hand.hands for slot in slots if hand.faces[slot] is None]
    assert hidden
    assert all(view.card(slot) is None for slot in hidden)
    assert guest.table.own_seats == () == guest.table.seats_to_think()
    moves: tuple[Callable[[], object], ...] = (
        lambda: guest.table.act(0, "draw", lan.now),
        lambda: guest.table.view(0),
        lambda: guest.table.claim(lan.now),
    )
    for move in moves:
        with pytest.raises(Refusal) as refused:
            move()
        assert refused.value.code == "only-watching"
    assert guest.table.unsaved() is None
    assert guest.table.secrets() is None


def test_nothing_of_the_audience_reaches_the_other_players_but_its_number() -> None:
    lan, peers = playing(3, 7)
    in_play(lan, peers)
    heard: list[Payload] = []

    def listen(sender: bytes, receiver: bytes, message: Signed) -> Signed:
        if receiver == peers[2].id:
            heard.append(read(message))
            assert message.author in {peer.id for peer in peers}
        return message

    before = [len(peer.events) for peer in peers]
    for peer in peers:
        peer.plays = False
    lan.settle(2.0)
    before = [len(peer.events) for peer in peers]
    lan.tamper = listen
    guests = [look_on(lan, name, peers[0]) for name in GUESTS[:2]]
    lan.settle(3.0)
    assert [peer.table.watching(lan.now) for peer in (*peers, *guests)] == [2] * 5
    assert peers[0].table.audience == {guest.id for guest in guests}
    assert [len(peer.events) for peer in peers] == before
    lan.cut(guests[0], peers[0])
    lan.settle(2.0)
    assert [peer.table.watching(lan.now) for peer in peers] == [1] * 3
    assert [len(peer.events) for peer in peers] == before
    assert {type(payload) for payload in heard} == {Presence}


def test_cards_for_one_and_drafts_do_not_go_to_the_audience_nor_records_to_strangers() -> None:
    lan, peers = playing(3, 2)
    guest, stranger = lan.onlooker("Gus", QUICK), lan.peer("Xen", QUICK)
    told: dict[bytes, list[Payload]] = {guest.id: [], stranger.id: []}

    def listen(sender: bytes, receiver: bytes, message: Signed) -> Signed | None:
        if receiver in told:
            told[receiver].append(read(message))
        return None if receiver == stranger.id else message  # it never asks for anything

    lan.tamper = listen
    lan.link(guest, peers[0])
    lan.link(stranger, peers[0])
    in_play(lan, peers, 8)
    assert any(isinstance(payload, Ordered | Records) for payload in told[guest.id])
    assert not any(isinstance(payload, Draft | Boxed) for payload in told[guest.id])
    kinds = {type(payload).__name__ for payload in told[stranger.id]}
    assert kinds <= {"TableInfo", "Seating", "Presence", "Leave"}


# ---------------------------------------------------------------- coming, going, coming back


def test_who_comes_before_the_match_sees_it_from_the_first_record() -> None:
    lan, peers = seated(2, 4)
    guest = look_on(lan, "Gus", peers[1])
    lan.settle(1.0)
    assert guest.all(LetIn)
    assert guest.all(Seated)[-1].seats == peers[0].table.seats
    peers[0].table.start(lan.now)
    lan.pump(peers[0])
    in_play(lan, peers, 4)
    lan.settle()
    assert guest.all(Played) == peers[0].all(Played)
    assert not guest.all(Caught)
    assert not guest.all(Paused)


def test_who_is_cut_off_is_told_so_and_goes_on_through_another_player() -> None:
    lan, peers = playing(3, 9)
    guest = look_on(lan, "Gus", peers[0])
    in_play(lan, peers)
    lan.settle(2.0)
    lan.cut(guest, peers[0])
    lan.settle()
    assert guest.all(Paused)[-1].code == "cut-off"
    assert guest.table.paused
    with pytest.raises(Refusal) as refused:
        guest.table.chat("anybody?", lan.now)
    assert refused.value.code == "not-let-in"
    in_play(lan, peers, 9)
    lan.link(guest, peers[1])
    lan.settle(3.0)
    assert guest.table.let_in
    lan.cut(guest, peers[1])
    lan.link(guest, peers[1])  # the same one lets it in once more
    lan.settle(3.0)
    assert guest.table.let_in
    assert guest.all(Resumed)
    assert guest.table.let_in
    assert watched_ledger(guest) == watched_ledger(peers[1])
    assert guest.all(Played) == peers[0].all(Played)[-len(guest.all(Played)) :]
    play_out(lan, peers)
    assert guest.all(MatchOver) == peers[0].all(MatchOver)


def test_a_host_that_dies_is_replaced_for_the_audience_as_well() -> None:
    lan, peers = playing(3, 6)
    in_play(lan, peers)
    host = next(peer for peer in peers if peer.id == peers[0].table.host)
    others = [peer for peer in peers if peer is not host]
    guest = look_on(lan, "Gus", others[0])
    lan.settle(1.0)
    lan.kill(host)
    lan.run(lambda: others[0].table.host not in {None, host.id} and not others[0].table.paused)
    lan.settle(3.0)
    assert guest.table.host == others[0].table.host
    assert watched_ledger(guest) == watched_ledger(others[0])


def test_the_next_match_is_seen_even_by_who_missed_the_end_of_the_last() -> None:
    lan, peers = playing(2, 12, rummy(hand_size=(3, 3)), hands=1)
    guest = look_on(lan, "Gus", peers[1])
    in_play(lan, peers, 2)
    lan.settle(1.0)
    lan.cut(guest, peers[1])
    play_out(lan, peers)
    for peer in peers:
        peer.table.rematch(lan.now)
        lan.pump(peer)
    lan.run(lambda: len(peers[1].all(MatchStarted)) == 2)
    lan.link(guest, peers[1])
    lan.settle(3.0)
    assert len(guest.all(MatchStarted)) == 2
    assert watched_ledger(guest) == watched_ledger(peers[1])


def test_who_looks_on_gets_a_seat_when_the_match_is_over() -> None:
    lan, peers = playing(2, 8, rummy(hand_size=(3, 3, 3)), hands=1)
    guest = look_on(lan, "Gus", peers[1])
    in_play(lan, peers, 2)
    lan.settle(1.0)
    guest.table.sit(lan.now)
    lan.pump(guest)
    lan.settle(1.0)
    assert guest.table.phase is Phase.PLAYING
    assert len(peers[0].table.seats) == 2
    play_out(lan, peers)
    lan.settle(5.0)
    assert not guest.table.watches
    assert [seat.name for seat in peers[0].table.seats] == ["Ada", "Bea", "Gus"]
    lan.link(guest, peers[0])
    for peer in (*peers, guest):
        peer.table.ready(lan.now)
        lan.pump(peer)
    lan.run(lambda: peers[0].table.phase is Phase.PLAYING)
    play_out(lan, [guest])
    assert guest.table.own_seats == (2,)
    assert peers[1].table.audience == frozenset()


def test_at_a_full_table_the_seat_is_refused_and_one_goes_on_looking_on() -> None:
    lan = Lan(1)
    peers = [lan.peer(name, QUICK, auto=True) for name in NAMES[:2]]
    lan.create(peers[0], seats=2)
    lan.mesh(peers)
    lan.run(lambda: all(peer.session is not None and len(peer.table.seats) == 2 for peer in peers))
    guest = look_on(lan, "Gus", peers[1])
    lan.settle(1.0)
    guest.table.sit(lan.now)
    lan.pump(guest)
    lan.settle(1.0)
    assert [event.code for event in guest.all(TurnedAway)] == ["table-full"]
    assert guest.table.watches
    assert guest.table.let_in


def test_the_audience_is_told_when_the_table_is_closed() -> None:
    lan, peers = seated(2, 4)
    guest = look_on(lan, "Gus", peers[1])
    lan.settle(1.0)
    peers[0].table.leave(lan.now)
    lan.pump(peers[0])
    lan.settle()
    assert [event.code for event in guest.all(TableClosed)] == ["table-closed"]


# ---------------------------------------------------------------- who may


def test_nobody_comes_into_the_middle_of_a_hand_where_the_table_wants_that_and_is_let_in_with_the_next() -> None:
    lan, peers = playing(2, 3, hands=2, spectators="next-hand")
    in_play(lan, peers)
    guest = look_on(lan, "Gus", peers[0])
    lan.settle(2.0)
    assert {event.code for event in guest.all(TurnedAway)} == {"next-hand"}
    assert "You will be let in with the next one." in guest.all(TurnedAway)[0].sentence
    assert not guest.table.let_in
    lan.run(lambda: bool(peers[0].all(HandOver)))
    lan.run(lambda: guest.table.let_in)
    assert guest.all(LetIn)
    guest.table.chat("good evening", lan.now)
    lan.pump(guest)
    lan.settle(1.0)
    assert [said.text for said in peers[1].all(Chatted)] == ["good evening"]


def test_before_a_match_and_between_hands_somebody_may_come() -> None:
    lan, peers = seated(2, 3, spectators="next-hand")
    guest = look_on(lan, "Gus", peers[0])
    lan.settle(2.0)
    assert guest.table.let_in
    assert not guest.all(TurnedAway)


def test_a_table_that_wants_nobody_to_look_on_says_so() -> None:
    lan, peers = playing(2, 3, spectators="no")
    guest = look_on(lan, "Gus", peers[0])
    lan.settle(2.0)
    assert [event.code for event in guest.all(TurnedAway)] == ["no-spectators"]
    assert guest.all(TurnedAway)[0].sentence.startswith("The players of this table want nobody to look on")
    assert guest.table.match is None
    assert peers[0].table.watching(lan.now) == 0


def closed_table(*names: str) -> tuple[Lan, list[Peer]]:
    """The first has opened a closed table; the others know nothing of it but its link."""
    lan = Lan(3)
    lan.password = "kestrel amber lantern"  # noqa: S105 - a test's
    ada = lan.peer("Ada", QUICK)
    lan.create(ada)
    return lan, [ada, *(look_on(lan, name, ada) for name in names)]


def test_at_a_closed_table_nobody_looks_on_and_who_asks_hears_why_and_nothing_else() -> None:
    lan, (ada, gus) = closed_table("Gus")
    heard: list[type] = []

    def note(_sender: bytes, to: bytes, message: Signed) -> Signed:
        heard.extend([type(read(message))] if to == gus.id else [])
        return message

    lan.tamper = note
    lan.settle(2.0)
    ada.table.chat("not for strangers", lan.now)
    lan.pump(ada)
    lan.settle(4.0)
    assert {event.code for event in gus.all(TurnedAway)} == {"no-spectators"}
    assert ada.table.info.spectators == "no"
    assert not gus.table.let_in
    assert set(heard) <= {TableInfo, Refused}


def test_who_knows_the_password_of_a_closed_table_looks_on_no_more_than_anybody() -> None:
    lan, (ada, gus) = closed_table("Gus")
    ada.table.admit(gus.id, lan.now)
    lan.pump(ada)
    lan.settle(4.0)
    assert {event.code for event in gus.all(TurnedAway)} == {"no-spectators"}
    assert not ada.table.audience


def test_a_peer_with_a_seat_in_the_match_is_sent_back_to_it() -> None:
    lan, peers = playing(2, 3)
    in_play(lan, peers)
    lost = peers[1]
    lan.kill(lost)
    lan.peers[lost.id] = lost
    lost.session, lost.links, lost.waiting, lost.events = None, set(), [], []
    lost.guest = type(lost.guest)("Bea", watches=True)
    lan.link(lost, peers[0])
    lan.settle(1.0)
    assert [event.code for event in lost.all(TurnedAway)] == ["has-seat"]


def test_other_rules_or_another_version_keep_one_out() -> None:
    lan, peers = playing(2, 3)
    other = lan.onlooker("Gus", rummy(hand_size=(4, 4)))
    lan.link(other, peers[0])
    lan.settle(1.0)
    assert [event.code for event in other.all(TurnedAway)] == ["rules-mismatch"]
    stranger = Identity(b"stranger".ljust(32))
    table = peers[0].table
    table.peer_connected(stranger.player_id, lan.now)
    table.outgoing()
    old = Watch(table=table.info.table, run=bytes(32), number=1, version=99, nick="Old")
    table.receive(stranger.player_id, sign(stranger, old), lan.now)
    said = [read(item.message) for item in table.outgoing() if item.to == {stranger.player_id}]
    assert [getattr(payload, "code", "") for payload in said] == ["version-mismatch"]


def test_no_more_than_sixty_look_on_however_they_are_spread() -> None:
    lan, peers = playing(2, 3)
    for peer in peers:
        peer.plays = False
    lan.settle(2.0)
    guests = [look_on(lan, f"G{n}", peers[n % 2], n) for n in range(MAX_SPECTATORS)]
    lan.settle(3.0)
    assert peers[0].table.watching(lan.now) == MAX_SPECTATORS
    assert all(guest.all(LetIn) for guest in guests)
    one_more = look_on(lan, "Zed", peers[1])
    lan.settle(1.0)
    assert [event.code for event in one_more.all(TurnedAway)] == ["too-many-watching"]
    assert "60 look on" in one_more.all(TurnedAway)[0].sentence


# ---------------------------------------------------------------- chat


def test_who_looks_on_chats_with_all_through_the_player_it_hangs_on() -> None:
    lan, peers = playing(3, 2)
    one, other = look_on(lan, "Gus", peers[0]), look_on(lan, "Hal", peers[1])
    lan.settle(2.0)
    one.table.chat("good luck", lan.now)
    lan.pump(one)
    for peer in peers:
        peer.plays = False
    lan.settle(1.0)
    peers[2].table.chat("thanks", lan.now)
    lan.pump(peers[2])
    lan.settle(1.0)
    for peer in (*peers, one, other):
        assert [(said.name, said.text, said.watches) for said in peer.all(Chatted)] == [
            ("Gus", "good luck", True),
            ("Cem", "thanks", False),
        ]


def test_at_a_quiet_table_the_audience_is_not_heard_even_when_it_tries() -> None:
    lan, peers = playing(2, 2, spectators="quiet")
    guest = look_on(lan, "Gus", peers[0])
    lan.settle(2.0)
    with pytest.raises(Refusal) as refused:
        guest.table.chat("hello", lan.now)
    assert refused.value.code == "quiet-table"
    said = sign(guest.identity, Say(table=guest.table.info.table, number=1, text="hello"))
    lan.take_in(peers[0], guest.id, said)
    lan.settle(1.0)
    assert not any(peer.all(Chatted) for peer in peers)


def test_a_player_cannot_let_others_say_what_they_have_not_said() -> None:
    lan, peers = playing(2, 2)
    lan.settle(1.0)
    table = peers[0].table.info.table
    genuine = sign(Identity(b"gus".ljust(32)), Say(table=table, number=1, text="never said"))
    forged = Signed(author=peers[0].id, payload=genuine.payload, signature=genuine.signature)
    vote = sign(Identity(b"gus".ljust(32)), Vote(match=table, term=1, candidate=table))
    for number, inner in enumerate((pack(forged), pack(vote), b"no message"), 1):
        aside = Aside(table=table, number=number, nick="Gus", said=inner)
        lan.take_in(peers[1], peers[0].id, sign(peers[0].identity, aside))
    assert not peers[1].all(Chatted)


# ---------------------------------------------------------------- those who mean harm


def lies(lan: Lan, peers: list[Peer], liar: Identity, number: int) -> list[Payload]:
    """Everything that only a player may say."""
    match = peers[0].table.match
    assert match is not None
    ledger = match.replica.ledger
    fold = match.replica.committed
    draft = Draft(
        match=match.id, hand=fold.number, epoch=fold.epoch, number=number, head=ledger.head,
        body=Act(seat=0, move="draw", openings=()),
    )  # fmt: skip
    return [
        draft,
        Draft(match=match.id, hand=1, epoch=0, number=number + 1, head=NO_HEAD, body=Departure()),
        Ack(match=match.id, term=ledger.term, seq=ledger.tail, head=bytes(32)),
        Vote(match=match.id, term=ledger.term + 1, candidate=liar.player_id),
        Ordered(match=match.id, term=ledger.term, seq=ledger.tail + 1, prev=ledger.head, draft_digest=NO_HEAD,
                draft=b"x"),
        Accuse(match=match.id, code="two-records", evidence=(b"x",)),
        Claim(match=match.id, seq=ledger.committed, head=ledger.committed_head, waited=100),
        Records(match=match.id, to=peers[0].id, number=1, records=(b"x",)),
        Presence(table=peers[0].table.info.table, run=bytes(32), number=number, links=(), match=match.id,
                 seq=1 << 30, last_term=1 << 30, committed=1 << 30, follows=0, rests=False),
        Leave(table=peers[0].table.info.table, run=bytes(32)),
    ]  # fmt: skip


@pytest.mark.parametrize("is_let_in", [True, False])
def test_who_lies_changes_nothing(is_let_in: bool) -> None:  # noqa: FBT001 - both ways
    lan, peers = playing(3, 11, rummy(hand_size=(3, 3, 3)), hands=1)
    liar = Identity(b"liar".ljust(32))
    in_play(lan, peers, 1)
    table = peers[0].table

    def tell(payload: Payload) -> None:
        lan.take_in(peers[0], liar.player_id, sign(liar, payload))

    table.peer_connected(liar.player_id, lan.now)
    if is_let_in:
        tell(Watch(table=table.info.table, run=bytes(32), number=1, version=1, nick="Liar"))
        assert table.audience == {liar.player_id}
    number = 1
    while not peers[0].all(MatchOver):
        for payload in lies(lan, peers, liar, number):
            tell(payload)
        number += 2
        lan.run(partial(has_gone_on, peers[0], len(peers[0].all(Played))))
    play_out(lan, peers)
    assert len({watched_ledger(peer) for peer in peers}) == 1
    assert all(peer.all(MatchOver)[0].code == "" for peer in peers)
    assert not any(peer.all(FaultFound) or peer.all(Paused) or peer.all(Chatted) for peer in peers)


def test_a_wrong_signature_ends_the_link_of_who_sent_it() -> None:
    lan, peers = playing(2, 3)
    guest = look_on(lan, "Gus", peers[0])
    lan.settle(2.0)
    said = sign(guest.identity, Say(table=guest.table.info.table, number=1, text="hello"))
    lan.take_in(peers[0], guest.id, Signed(author=guest.id, payload=said.payload, signature=bytes(64)))
    assert lan.breaches == [("Ada", "Gus", "bad-signature")]
    assert peers[0].table.audience == frozenset()


def test_what_others_have_said_is_not_taken_from_the_audience() -> None:
    lan, peers = playing(2, 3)
    guest = look_on(lan, "Gus", peers[0])
    lan.settle(2.0)
    other = sign(Identity(b"other".ljust(32)), Say(table=guest.table.info.table, number=1, text="hello"))
    lan.take_in(peers[0], guest.id, other)
    assert not peers[0].all(Chatted)


def test_a_flood_of_chat_questions_and_knocking_is_answered_within_bounds() -> None:
    lan, peers = playing(2, 3)
    for peer in peers:
        peer.plays = False
    guest = look_on(lan, "Gus", peers[0])
    lan.settle(2.0)
    table, match = peers[0].table, peers[0].table.match
    assert match is not None
    kinds: dict[str, Callable[[int], Payload]] = {
        "chat": lambda n: Say(table=table.info.table, number=n + 1, text=f"line {n}"),
        "knock": lambda n: Watch(table=table.info.table, run=n.to_bytes(32, "big"), number=n, version=1, nick="Gus"),
        "ask": lambda n: Ask(match=match.id, to=peers[0].id, number=n, seq=0, boxes=True),
    }
    most = {"chat": CHAT_BURST, "knock": 400 + 40, "ask": 200}
    for kind, make in kinds.items():
        sent = 0
        for n in range(400):
            table.receive(guest.id, sign(guest.identity, make(n)), lan.now)
            sent += sum(guest.id in item.to for item in table.outgoing())
        assert sent <= most[kind], kind
    assert len([event for event in table.events() if isinstance(event, Chatted)]) <= ASIDE_BURST


def test_joins_without_number_do_not_push_out_what_the_table_has_said() -> None:
    lan, peers = playing(2, 3)
    lan.settle(2.0)
    table = peers[0].table
    stranger = Identity(b"stranger".ljust(32))
    table.peer_connected(stranger.player_id, lan.now)
    for n in range(600):
        made = Identity(n.to_bytes(32, "big"))
        join = Join(table=table.info.table, run=bytes(32), number=1, version=1, fingerprint=bytes(32), nick="X",
                    bots=0, auto=False, wish="never")  # fmt: skip
        table.receive(stranger.player_id, sign(made, join), lan.now)
    lan.pump(peers[0])
    guest = look_on(lan, "Gus", peers[0])
    lan.settle(2.0)
    assert guest.all(LetIn)
    assert guest.table.match is not None


def test_a_neighbour_that_passes_on_what_nobody_signed_is_hung_up_on() -> None:
    lan, peers = playing(2, 3)
    guest = look_on(lan, "Gus", peers[0])
    in_play(lan, peers, 2)
    lan.settle(2.0)
    match = guest.table.match
    assert match is not None
    record = match.replica.ledger.entries[-1].record
    forged = Signed(author=record.author, payload=record.payload, signature=bytes(64))
    said = Records(match=match.id, to=guest.id, number=9, records=(pack(forged),))
    lan.take_in(guest, peers[0].id, sign(peers[0].identity, said))
    assert lan.breaches == [("Gus", "Ada", "bad-signature")]


def test_a_host_that_tells_the_audience_another_story_is_found_out() -> None:
    lan, peers = playing(2, 3)
    in_play(lan, peers, 2)
    host = next(peer for peer in peers if peer.id == peers[0].table.host)
    guest = look_on(lan, "Gus", host)
    lan.settle(2.0)
    match = guest.table.match
    assert match is not None
    last = match.replica.ledger.entries[-1].ordered
    other = Ordered(match=match.id, term=last.term, seq=last.seq, prev=last.prev, draft_digest=NO_HEAD, draft=b"x")
    lan.take_in(guest, host.id, sign(host.identity, other))
    assert guest.all(FaultFound)[0].culprit == host.id
    assert guest.table.outgoing() == []
    with pytest.raises(IllegalAction):
        host.table.act(host.table.own_seats[0], "meld 7h 8h", lan.now)


def watching(lan: Lan, peers: list[Peer], through: Peer) -> tuple[Peer, WatchedMatch]:
    """Somebody looks on at a match that stands still from now on."""
    guest = look_on(lan, "Gus", through)
    for peer in peers:
        peer.plays = False
    lan.settle(2.0)
    assert isinstance(guest.table.match, WatchedMatch)
    return guest, guest.table.match


def test_a_host_that_orders_an_illegal_move_is_found_out_once_by_the_audience_too() -> None:
    lan, host, guests = running(3, 20)
    guest, _ = watching(lan, [host, *guests], host)
    peer, draw = a_draw([host, *guests], on_turn=False)
    record = forge_record(host, forge_draft(peer, draw))
    for _ in range(2):
        lan.take_in(guest, host.id, record)
        lan.take_in(guest, host.id, sign(host.identity, Records(
            match=match_of(host).id, to=guest.id, number=lan.delivered, records=(pack(record),))))  # fmt: skip
    assert [(fault.code, fault.culprit) for fault in guest.all(FaultFound)] == [("illegal-action", host.id)]


def test_another_story_is_found_out_as_well_when_it_comes_as_an_answer() -> None:
    lan, host, guests = running(2, 21)
    guest, match = watching(lan, [host, *guests], guests[0])
    last = match.replica.ledger.entries[-1].ordered
    other = forge_record(host, forge_draft(host, Departure()), seq=last.seq, prev=last.prev)
    told = Records(match=match.id, to=guest.id, number=9, records=(pack(other),))
    lan.take_in(guest, guests[0].id, sign(guests[0].identity, told))
    assert [(fault.code, fault.culprit) for fault in guest.all(FaultFound)] == [("two-records", host.id)]


def test_answers_for_others_and_answers_that_bring_nothing_new_change_nothing() -> None:
    lan, host, guests = running(2, 22)
    guest, match = watching(lan, [host, *guests], host)
    entry, before = match.replica.ledger.entries[-1], watched_ledger(guest)
    fresh = forge_record(host, forge_draft(host, Departure()))
    for number, (to, record) in enumerate(((guests[0].id, fresh), (guest.id, entry.record)), 50):
        told = Records(match=match.id, to=to, number=number, records=(pack(record),))
        lan.take_in(guest, host.id, sign(host.identity, told))
    assert watched_ledger(guest) == before
    assert match.replica.known == match.replica.ledger.tail
    assert lan.breaches == []


def test_a_neighbour_that_answers_with_what_is_no_record_is_hung_up_on() -> None:
    lan, host, guests = running(2, 23)
    guest, match = watching(lan, [host, *guests], host)
    vote = sign(host.identity, Vote(match=match.id, term=1, candidate=host.id))
    told = Records(match=match.id, to=guest.id, number=9, records=(pack(vote),))
    lan.take_in(guest, host.id, sign(host.identity, told))
    assert lan.breaches == [("Gus", host.name, "unexpected-message")]


def test_who_is_no_player_has_no_say_and_of_three_nobody_claims() -> None:
    lan, host, guests = running(3, 24)
    guest, match = watching(lan, [host, *guests], host)
    other = look_on(lan, "Hal", host)
    lan.link(other, guest)
    lan.settle(5.0)
    assert guest.table.audience == other.table.audience == frozenset()  # who looks on lets nobody in
    ledger = match.replica.ledger
    claim = Claim(match=match.id, seq=ledger.committed, head=ledger.committed_head, waited=100)
    accusation = Accuse(match=match.id, code="two-records", evidence=())
    for author in (other, guests[0]):
        for said in (claim, accusation):
            lan.take_in(guest, other.id, sign(author.identity, said))
    assert not guest.all(MatchOver)
    assert not guest.all(FaultFound)
    assert match.running
    assert not guest.table.paused


def test_where_a_later_host_goes_on_from_another_story_the_match_is_over_for_the_audience() -> None:
    lan, host, guests = running(3, 25)
    guest, match = watching(lan, [host, *guests], host)
    ledger, (ally, other) = match.replica.ledger, guests
    for voter in guests:
        vote = Vote(match=match.id, term=2, candidate=ally.id)
        lan.take_in(guest, host.id, sign(voter.identity, vote))
    record = forge_record(ally, forge_draft(other, Departure()), term=2, seq=ledger.committed + 1, prev=b"?" * 32)
    lan.take_in(guest, host.id, record)
    assert [over.code for over in guest.all(MatchOver)] == ["forked"]
    assert not match.running


def test_of_those_who_were_told_to_wait_not_all_are_remembered() -> None:
    lan, peers = playing(2, 3, spectators="next-hand")
    in_play(lan, peers)
    table, codes = peers[0].table, []
    for number in range(MOST_WAITING + 8):
        stranger = Identity(number.to_bytes(32, "big"))
        table.peer_connected(stranger.player_id, lan.now)
        watch = Watch(table=table.info.table, run=bytes(32), number=1, version=1, nick="X")
        table.receive(stranger.player_id, sign(stranger, watch), lan.now)
        codes += [read(item.message) for item in table.outgoing() if item.to == {stranger.player_id}]
    told = [said.code for said in codes if isinstance(said, Refused)]
    assert told == ["next-hand"] * (MOST_WAITING + 8)
    assert len(table._audience._waiting) == MOST_WAITING


def test_who_asks_to_look_on_at_another_table_is_not_answered() -> None:
    lan, peers = seated(2, 3)
    guest = lan.onlooker("Gus", QUICK)
    peers[0].table.peer_connected(guest.id, lan.now)
    peers[0].table.outgoing()
    watch = Watch(table=b"t" * 32, run=bytes(32), number=1, version=1, nick="Gus")
    peers[0].table.receive(guest.id, sign(guest.identity, watch), lan.now)
    assert peers[0].table.outgoing() == []
    assert peers[0].table.audience == frozenset()
