"""Votes: how they are counted, and what they do at a table."""

from __future__ import annotations

import pytest

from rummy_p2p.protocol.events import Chatted, TurnedAway, Voted
from rummy_p2p.protocol.faults import Refusal
from rummy_p2p.protocol.messages import Ballot, Measure, sign
from rummy_p2p.protocol.moderation import REMEMBERED, Count, Moderation
from tests.protocol.lan import Lan, Peer, play_out, playing, seated

ADA, BEA, CEM, DAG = (bytes([n]) * 32 for n in range(4))
TABLE, RUN = b"t" * 32, b"r" * 32


def ballot(about: bytes = DAG, number: int = 1, measure: Measure = "mute", *, agree: bool = True) -> Ballot:
    return Ballot(table=TABLE, run=RUN, number=number, measure=measure, about=about, agree=agree)


def test_more_than_half_of_the_others_decide_and_may_take_it_back() -> None:
    votes, peers = Moderation(), (ADA, BEA, CEM, DAG)
    assert votes.cast(ADA, ballot(), peers) == Count(1, 2, None)
    assert not votes.holds("mute", DAG)
    assert votes.cast(BEA, ballot(), peers) == Count(2, 2, decided=True)
    assert votes.holds("mute", DAG)
    assert not votes.holds("kick", DAG)
    assert votes.cast(CEM, ballot(), peers) == Count(3, 2, None)
    assert votes.cast(ADA, ballot(number=2, agree=False), peers) == Count(2, 2, None)
    assert votes.cast(BEA, ballot(number=2, agree=False), peers) == Count(1, 2, decided=False)
    assert not votes.holds("mute", DAG)


def test_nobody_votes_twice_about_the_own_person_or_from_outside() -> None:
    votes, peers = Moderation(), (ADA, BEA, CEM)
    votes.cast(ADA, ballot(CEM), peers)
    assert votes.cast(ADA, ballot(CEM), peers) is None, "an old one that comes again"
    assert votes.cast(ADA, ballot(CEM, 2), peers) == Count(1, 2, None), "the same voice once more"
    assert votes.cast(CEM, ballot(CEM), peers) is None
    assert votes.cast(DAG, ballot(CEM), peers) is None
    assert votes.cast(ADA, ballot(DAG), peers) is None


def test_only_so_much_is_remembered() -> None:
    votes = Moderation()
    crowd = [n.to_bytes(32, "big") for n in range(2 * REMEMBERED)]
    for peer in crowd[1:]:
        votes.cast(peer, ballot(crowd[0]), crowd)
    assert len(votes._ballots) == REMEMBERED


def vote(lan: Lan, peer: Peer, measure: Measure, name: str, *, agree: bool = True) -> None:
    peer.table.vote(measure, name, lan.now, agree=agree)
    lan.pump(peer)
    lan.settle()


def test_who_is_muted_is_not_heard_until_the_others_say_so() -> None:
    lan, (ada, bea, cem) = seated(3, 31)
    vote(lan, ada, "mute", "cem")
    vote(lan, bea, "mute", "Cem")
    for peer in (ada, bea, cem):
        told = [(each.name, each.about, each.votes, each.needed, each.decided) for each in peer.all(Voted)]
        assert told == [("Ada", "Cem", 1, 2, None), ("Bea", "Cem", 2, 2, True)]
    with pytest.raises(Refusal, match="that you say nothing"):
        cem.table.chat("let me speak", lan.now)
    cem.table._moderation = Moderation()  # a changed program, which speaks all the same
    cem.table.chat("let me speak", lan.now)
    lan.pump(cem)
    lan.settle()
    assert not ada.all(Chatted)
    vote(lan, ada, "mute", "Cem", agree=False)
    cem.table.chat("thank you", lan.now)
    lan.pump(cem)
    lan.settle()
    assert [each.text for each in ada.all(Chatted)] == ["thank you"]


def test_who_is_voted_out_gives_the_seat_back_and_gets_no_other() -> None:
    lan, (ada, bea, cem) = seated(3, 32)
    vote(lan, ada, "kick", "Cem")
    assert len(ada.table.seats) == 3
    vote(lan, bea, "kick", "Cem")
    assert [seat.name for seat in ada.table.seats] == ["Ada", "Bea"]
    lan.settle(5)
    assert [event.code for event in cem.all(TurnedAway)] == ["voted-out"]
    assert [seat.name for seat in ada.table.seats] == ["Ada", "Bea"]


def test_in_a_match_the_seat_is_taken_when_it_is_over() -> None:
    lan, (ada, bea, cem) = playing(3, 33, hands=1)
    vote(lan, ada, "kick", "Cem")
    vote(lan, bea, "kick", "Cem")
    assert ada.all(Voted)[-1].decided
    assert len(ada.table.seats) == 3
    play_out(lan, (ada, bea, cem))
    lan.settle(2)
    assert [seat.name for seat in ada.table.seats] == ["Ada", "Bea"]


def test_what_cannot_be_voted_is_refused() -> None:
    lan, (ada, bea, _cem) = seated(3, 34)
    with pytest.raises(Refusal, match="Zoe is nobody about whom"):
        ada.table.vote("mute", "Zoe", lan.now)
    with pytest.raises(Refusal, match="Ada is nobody about whom"):
        ada.table.vote("mute", "Ada", lan.now)
    with pytest.raises(Refusal, match="Whoever opened the table cannot be sent away"):
        bea.table.vote("kick", "Ada", lan.now)
    ada.table.seat_guest("Dag", lan.now)
    lan.pump(ada)
    lan.settle()
    with pytest.raises(Refusal, match="Dag is a guest at the program of Ada"):
        bea.table.vote("kick", "Dag", lan.now)


def test_a_changed_program_cannot_vote_who_opened_the_table_away() -> None:
    lan, (ada, bea, cem) = seated(3, 35)
    for number, peer in enumerate((bea, cem), 1):
        said = Ballot(table=ada.table.info.table, run=RUN, number=number, measure="kick", about=ada.id, agree=True)
        ada.table.receive(peer.id, sign(peer.identity, said), lan.now)
    lan.pump(ada)
    assert not ada.all(Voted)
    assert len(ada.table.seats) == 3


def test_a_guest_speaks_under_the_own_name() -> None:
    lan, (ada, bea) = seated(2, 36)
    number = ada.table.seat_guest("Cem", lan.now)
    ada.table.chat("hello", lan.now, number)
    ada.table.chat("from nobody", lan.now, 7)
    lan.pump(ada)
    lan.settle()
    for peer in (ada, bea):
        assert [(each.name, each.text) for each in peer.all(Chatted)] == [("Cem", "hello"), ("Ada", "from nobody")]
    ada.table.unseat_guest(number, lan.now)
    lan.pump(ada)
    lan.settle()
    assert [seat.name for seat in bea.table.seats] == ["Ada", "Bea"]
