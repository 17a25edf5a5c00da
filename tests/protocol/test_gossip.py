"""Gossip: every message once to everybody, who can be reached, what a newcomer is told; and nothing grows for ever."""

from __future__ import annotations

import pytest

from rummy_p2p.protocol.errors import RemoteProtocolError
from rummy_p2p.protocol.gossip import (
    LATEST_KEPT,
    LINK_SILENT,
    PRESENCE_EVERY,
    PRESENCES_KEPT,
    SEEN_KEPT,
    SILENT_AFTER,
    Gossip,
    Outgoing,
    Place,
)
from rummy_p2p.protocol.identity import Identity
from rummy_p2p.protocol.messages import (
    Ack,
    Ask,
    Declined,
    Join,
    Payload,
    Presence,
    Ready,
    Say,
    Seating,
    Signed,
    Vote,
    read,
    sign,
)

TABLE = b"t" * 32
PEERS = sorted((Identity(bytes([n]) * 32) for n in range(1, 6)), key=lambda peer: peer.player_id)
ADA, BEA, CEM, DAG, EVA = (peer.player_id for peer in PEERS)
ZERO = bytes(32)
NOW = 5.0


def gossip(*links: bytes) -> Gossip:
    made = Gossip(PEERS[0], TABLE, b"r" * 32)
    made.known = {ADA, BEA, CEM, DAG}
    for peer in links:
        made.connect(peer, 0.0)
    made.drain()
    return made


def chat(author: int, number: int = 1) -> Signed:
    return sign(PEERS[author], Say(table=TABLE, number=number, text="hello"))


def presence(author: int, *links: bytes, number: int = 1, run: bytes = b"r" * 32, seq: int = 0) -> Signed:
    said = Presence(
        table=TABLE,
        run=run,
        number=number,
        links=links,
        match=ZERO,
        seq=seq,
        last_term=1,
        committed=0,
        follows=1,
        rests=False,
    )
    return sign(PEERS[author], said)


def sent(made: Gossip) -> list[tuple[type, frozenset[bytes]]]:
    return [(type(read(item.message)), item.to) for item in made.drain()]


def test_what_is_said_goes_over_all_links_and_what_is_for_one_goes_straight() -> None:
    made = gossip(BEA, CEM)
    message = made.say(Say(table=TABLE, number=1, text="hello"))
    assert made.drain() == [Outgoing(message, frozenset({BEA, CEM}))]
    made.say(Ask(match=TABLE, to=CEM, number=1, seq=0, boxes=False), CEM)
    made.say(Ask(match=TABLE, to=DAG, number=1, seq=0, boxes=False), DAG)
    assert sent(made) == [(Ask, frozenset({CEM})), (Ask, frozenset({BEA, CEM}))]
    alone = gossip()
    alone.say(Say(table=TABLE, number=1, text="alone"))
    assert alone.drain() == []


def test_a_message_is_taken_in_and_passed_on_once() -> None:
    made = gossip(BEA, CEM, DAG)
    message = chat(2)
    assert made.accept(BEA, message, NOW) == read(message)
    assert sent(made) == [(Say, frozenset({DAG}))]
    for neighbour in (BEA, CEM, DAG):
        assert made.accept(neighbour, message, NOW) is None
    assert made.drain() == []


def test_who_has_a_link_to_the_author_is_not_served_again() -> None:
    made = gossip(BEA, CEM, DAG)
    made.accept(BEA, presence(1, ADA, CEM), NOW)
    made.accept(CEM, presence(2, ADA, BEA), NOW)
    made.drain()
    made.accept(BEA, chat(1), NOW)
    assert sent(made) == [(Say, frozenset({DAG}))]
    made.accept(CEM, presence(2, ADA, number=2), NOW)
    made.drain()
    made.accept(BEA, chat(1, 2), NOW)
    assert sent(made) == [(Say, frozenset({CEM, DAG}))]


@pytest.mark.parametrize("payload", [
    Ask(match=TABLE, to=CEM, number=1, seq=0, boxes=False),
    Declined(match=TABLE, author=CEM, number=1, code="x", knob="", parameters={}),
])  # fmt: skip
def test_what_is_for_one_peer_is_passed_on_to_it_alone_where_there_is_a_link(payload: Payload) -> None:
    made = gossip(BEA, CEM, DAG)
    made.accept(BEA, sign(PEERS[3], payload), NOW)
    assert sent(made) == [(type(payload), frozenset({CEM}))]
    round_about = gossip(BEA, DAG)
    round_about.accept(BEA, sign(PEERS[1], payload), NOW)
    assert sent(round_about) == [(type(payload), frozenset({DAG}))]
    for_me = gossip(BEA, CEM)
    for_me.accept(BEA, sign(PEERS[1], Ask(match=TABLE, to=ADA, number=1, seq=0, boxes=False)), NOW)
    assert for_me.drain() == []


def test_a_neighbour_answers_for_what_it_passes_on() -> None:
    made = gossip(BEA)
    forged = Signed(author=CEM, payload=chat(2).payload, signature=b"s" * 64)
    nonsense = Signed(author=CEM, payload=b"\x80", signature=PEERS[2].sign(b"table", b"\x80"))
    for message, code in ((forged, "bad-signature"), (nonsense, "unknown-message")):
        with pytest.raises(RemoteProtocolError) as caught:
            made.accept(BEA, message, NOW)
        assert caught.value.code == code
    assert made.drain() == []
    assert made.accept(BEA, chat(2), NOW) is not None


def test_strangers_are_heard_when_they_ask_for_a_seat_or_have_a_link() -> None:
    made = gossip(BEA)
    assert made.accept(BEA, chat(4), NOW) is None
    join = Join(
        table=TABLE, run=b"r" * 32, number=1, version=1, fingerprint=ZERO, nick="Eva", bots=0, auto=False, wish="never"
    )
    assert made.accept(BEA, sign(PEERS[4], join), NOW) == join
    made.connect(EVA, 0.0)
    assert made.accept(BEA, chat(4), NOW) is not None


def test_of_what_this_peer_said_before_a_restart_only_votes_are_heard() -> None:
    made = gossip(BEA)
    vote = Vote(match=TABLE, term=1, candidate=BEA)
    assert made.accept(BEA, sign(PEERS[0], vote), NOW) == vote
    assert made.accept(BEA, chat(0), NOW) is None


# ---------------------------------------------------------------- who can be reached


def test_a_link_counts_when_both_ends_say_so() -> None:
    made = gossip(BEA)
    assert made.reachable() == {ADA, BEA}
    made.accept(BEA, presence(1, ADA, CEM), NOW)
    assert made.reachable() == {ADA, BEA}
    made.accept(BEA, presence(2, BEA, DAG), NOW)
    assert made.reachable() == {ADA, BEA, CEM}
    made.accept(BEA, presence(3, CEM), NOW)
    assert made.reachable() == {ADA, BEA, CEM, DAG}
    made.accept(BEA, presence(2, DAG, number=2), NOW)
    assert made.reachable() == {ADA, BEA}


def test_an_own_link_counts_at_once_and_is_gone_at_once() -> None:
    made = gossip(BEA)
    made.accept(BEA, presence(1, ADA, CEM), NOW)
    made.accept(BEA, presence(2, ADA, BEA), NOW)
    made.lose(BEA, 1.0)
    assert made.reachable() == {ADA}
    made.connect(CEM, 2.0)
    assert made.reachable() == {ADA, BEA, CEM}


def test_an_older_presence_does_not_replace_a_newer_one_but_one_of_a_new_run_does() -> None:
    made = gossip(BEA)
    made.accept(BEA, presence(1, ADA, CEM, number=5, seq=9), NOW)
    made.accept(BEA, presence(1, ADA, number=4, seq=1), NOW)
    assert made.ahead(ZERO, 1, 3) == (BEA,)
    made.accept(BEA, presence(1, ADA, number=1, run=b"2" * 32, seq=1), NOW)
    assert made.ahead(ZERO, 1, 3) == ()
    assert made.ahead(ZERO, 1, 0) == (BEA,)
    assert made.ahead(TABLE, 1, 0) == ()


def test_a_later_term_is_ahead_of_a_longer_ledger() -> None:
    made = gossip(BEA)
    made.accept(BEA, presence(1, ADA, seq=9), NOW)
    assert made.ahead(ZERO, 0, 20) == (BEA,)
    assert made.ahead(ZERO, 2, 5) == ()


def test_a_sign_of_life_is_given_now_and_then() -> None:
    made = gossip(BEA)
    made.position = lambda: Place(TABLE, 7, 2, 5, 2)
    made.tick(PRESENCE_EVERY - 0.1)
    assert made.drain() == []
    made.tick(PRESENCE_EVERY)
    ((message, to),) = [(item.message, item.to) for item in made.drain()]
    said = read(message)
    assert isinstance(said, Presence)
    assert (said.links, said.match, said.seq) == ((BEA,), TABLE, 7)
    assert to == {BEA}
    assert made.presence_due == 2 * PRESENCE_EVERY


# ---------------------------------------------------------------- what a newcomer is told


def test_who_connects_is_told_the_newest_of_each_kind_and_author_votes_first() -> None:
    made = gossip(BEA)
    old, new = (Seating(table=TABLE, revision=n, seats=(), peers=()) for n in (1, 2))
    for payload in (new, old, Ready(table=TABLE, run=ZERO, number=3, ready=True)):
        made.accept(BEA, sign(PEERS[1], payload), NOW)
    made.accept(BEA, sign(PEERS[1], Vote(match=TABLE, term=1, candidate=CEM)), NOW)
    made.accept(BEA, sign(PEERS[2], Ack(match=TABLE, term=1, seq=4, head=ZERO)), NOW)
    made.accept(BEA, sign(PEERS[2], Ack(match=TABLE, term=1, seq=3, head=ZERO)), NOW)
    made.accept(BEA, sign(PEERS[2], Say(table=TABLE, number=1, text="not kept")), NOW)
    made.drain()
    made.connect(DAG, 1.0)
    told = [read(item.message) for item in made.drain() if item.to == {DAG}]
    assert isinstance(told[0], Vote)
    assert isinstance(told[1], Presence)
    assert [payload for payload in told if isinstance(payload, Seating)] == [new]
    assert [payload.seq for payload in told if isinstance(payload, Ack)] == [4]
    assert not any(isinstance(payload, Say) for payload in told)


def test_what_is_kept_is_of_the_newest_match() -> None:
    made = gossip(BEA)
    for match, seq in ((TABLE, 90), (b"2" * 32, 1)):
        made.accept(BEA, sign(PEERS[1], Ack(match=match, term=1, seq=seq, head=ZERO)), NOW)
    made.connect(DAG, 1.0)
    told = [read(item.message) for item in made.drain() if item.to == {DAG}]
    assert [payload.seq for payload in told if isinstance(payload, Ack)] == [1]


def test_who_loses_a_link_is_told_what_may_have_been_lost_with_it() -> None:
    made = gossip(BEA, CEM)
    made.accept(CEM, presence(2, ADA, BEA, DAG), NOW)
    made.accept(BEA, sign(PEERS[3], Ack(match=TABLE, term=1, seq=4, head=ZERO)), NOW)
    made.drain()
    made.accept(CEM, presence(2, ADA, BEA, number=2), NOW)
    assert (Ack, frozenset({CEM})) in sent(made)
    made.accept(CEM, presence(2, ADA, BEA, DAG, number=3), NOW)
    assert (Ack, frozenset({CEM})) not in sent(made)


def test_what_a_peer_said_itself_is_not_told_to_it_except_its_vote() -> None:
    made = gossip()
    made.accept(CEM, sign(PEERS[1], Ready(table=TABLE, run=ZERO, number=1, ready=True)), NOW)
    made.accept(CEM, sign(PEERS[1], Vote(match=TABLE, term=1, candidate=CEM)), NOW)
    made.connect(BEA, 0.0)
    told = [read(item.message) for item in made.drain()]
    assert [type(payload) for payload in told if isinstance(payload, Ready | Vote)] == [Vote]


# ---------------------------------------------------------------- bounds


def test_nothing_grows_for_ever() -> None:
    made = gossip(BEA)
    for number in range(SEEN_KEPT + 5):
        made._note_seen(Signed(author=BEA, payload=str(number).encode(), signature=b"s" * 64))
    assert len(made._seen) == SEEN_KEPT
    for number in range(LATEST_KEPT + 5):
        author = number.to_bytes(32, "big")
        payload = Vote(match=TABLE, term=1, candidate=BEA)
        made._keep(Signed(author=author, payload=b"", signature=b"s" * 64), payload)
    assert len(made._latest) == LATEST_KEPT
    made.accept(BEA, presence(1, ADA), NOW)
    said = read(presence(1, ADA))
    assert isinstance(said, Presence)
    for number in range(PRESENCES_KEPT + 5):
        made._note_presence(number.to_bytes(32, "big"), said)
    assert len(made._presence) <= PRESENCES_KEPT
    assert made.reachable() == {ADA, BEA}


def test_who_has_said_nothing_for_a_while_is_not_present_though_its_links_stand() -> None:
    made = gossip(BEA, CEM)
    made.accept(BEA, presence(1, ADA, CEM), NOW)
    made.accept(CEM, presence(2, ADA, BEA), NOW + 3.0)
    assert made.present(NOW + 3.0) == {ADA, BEA, CEM}
    assert made.present(NOW + SILENT_AFTER) == {ADA, CEM}
    assert made.reachable() == {ADA, BEA, CEM}


def test_the_places_are_those_of_the_match_that_is_asked_for() -> None:
    made = gossip(BEA, CEM)
    made.accept(BEA, presence(1, ADA, seq=7), NOW)
    assert made.places(ZERO) == {ADA: Place(ZERO, 0, 0, 0, 0), BEA: Place(ZERO, 7, 1, 0, 1)}
    assert made.places(TABLE) == {}


def links_told(made: Gossip) -> tuple[bytes, ...]:
    """The links of which the last sign of life tells."""
    said = [payload for item in made.drain() if isinstance(payload := read(item.message), Presence)]
    return said[-1].links


def test_a_link_over_which_nothing_comes_is_told_of_no_longer_until_something_comes() -> None:
    made = gossip(BEA, CEM)
    made.accept(CEM, presence(2, ADA), LINK_SILENT)
    made.tick(LINK_SILENT - 0.01)
    assert links_told(made) == tuple(sorted((BEA, CEM)))
    made.tick(LINK_SILENT + PRESENCE_EVERY)
    assert links_told(made) == (CEM,)
    assert made.reachable() == {ADA, CEM}
    made.accept(CEM, sign(PEERS[2], Ack(match=TABLE, term=1, seq=4, head=ZERO)), LINK_SILENT + 1.5)
    made.drain()
    made.accept(BEA, chat(1), LINK_SILENT + 2.0)
    said = sent(made)
    assert (Ack, frozenset({BEA})) in said  # what it may have missed meanwhile
    assert (Presence, frozenset({BEA, CEM})) in said


def test_what_is_heard_over_a_link_that_carries_one_way_only_does_not_make_it_a_way() -> None:
    made = gossip(BEA, CEM)
    made.accept(BEA, presence(1, ADA, CEM), 1.0)
    made.accept(CEM, presence(2, ADA, BEA), 1.0)
    made.accept(BEA, presence(1, CEM, number=2), 2.0)  # nothing of this peer's reaches the other
    made.tick(2.0)
    assert made.reachable() == {ADA, BEA, CEM}
    made.accept(CEM, presence(2, number=2), 2.1)
    assert made.reachable() == {ADA}


def test_a_new_link_counts_before_its_other_end_has_said_so_but_not_for_long() -> None:
    made = gossip(BEA)
    late = LINK_SILENT + 0.5
    made.accept(BEA, presence(1), late - 1)
    made.tick(late - 1)
    assert made.reachable() == {ADA, BEA}
    made.tick(late)
    assert made.reachable() == {ADA}


def test_who_would_like_a_pause_says_so_with_its_place() -> None:
    made = gossip(BEA)
    made.position = lambda: Place(TABLE, 7, 2, 5, 2, rests=True)
    made.tell_presence(NOW)
    assert made.places(TABLE)[ADA].rests
    (said,) = [read(item.message) for item in made.drain()]
    assert isinstance(said, Presence)
    assert said.rests
