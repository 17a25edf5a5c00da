"""What is said at a table beside the game: chat, and votes about players with their consequences."""

from __future__ import annotations

import pytest

from rummy_p2p.protocol.codec import pack
from rummy_p2p.protocol.events import Chatted, TurnedAway, Voted
from rummy_p2p.protocol.faults import Refusal
from rummy_p2p.protocol.fields import Measure
from rummy_p2p.protocol.identity import Identity
from rummy_p2p.protocol.messages import Aside, Ballot, Payload, Say, sign
from rummy_p2p.protocol.moderation import Moderation
from tests.protocol.lan import Lan, Peer, play_out, playing, seated

RUN = b"r" * 32


def test_chat_reaches_everybody_clean() -> None:
    lan, (ada, bea, cem) = seated(3, 19)
    ada.table.chat("hi\x1b[31m all  ", lan.now)
    ada.table.chat("\x07", lan.now)
    lan.pump(ada)
    lan.settle()
    for peer in (ada, bea, cem):
        assert [(said.name, said.text) for said in peer.all(Chatted)] == [("Ada", "hi[31m all")]


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
    cem.table._talk._moderation = Moderation()  # a changed program, which speaks all the same
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


def test_what_is_said_at_another_table_is_not_heard_at_this_one() -> None:
    lan, (ada, bea, cem) = seated(3, 37)
    elsewhere = b"t" * 32
    words: tuple[Payload, ...] = (
        Say(table=elsewhere, number=1, text="hello"),
        Aside(table=elsewhere, number=1, nick="Gus", said=b""),
        Ballot(table=elsewhere, run=RUN, number=1, measure="mute", about=cem.id, agree=True),
    )
    for said in words:
        lan.take_in(ada, bea.id, sign(bea.identity, said))
    assert (ada.all(Chatted), ada.all(Voted), lan.breaches) == ([], [], [])


def test_where_the_table_wants_to_hear_nothing_of_the_audience_no_player_passes_it_on() -> None:
    lan, (ada, bea) = seated(2, 38, spectators="quiet")
    gus = Identity(b"gus".ljust(32))
    said = pack(sign(gus, Say(table=ada.table.info.table, number=1, text="hello")))
    aside = Aside(table=ada.table.info.table, number=1, nick="Gus", said=said)
    lan.take_in(ada, bea.id, sign(bea.identity, aside))
    assert not ada.all(Chatted)


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
