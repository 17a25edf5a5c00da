"""What can be asked of a table at any time: before a match, in one, with and without a seat."""

from __future__ import annotations

import pytest

from rummy_p2p.protocol.faults import Refusal
from rummy_p2p.protocol.forming import Guest
from rummy_p2p.protocol.table import TableSession
from tests.protocol.lan import Lan, Peer, people, playing, rummy, seated


def without_cards(peer: Peer) -> str:
    with pytest.raises(Refusal) as refused:
        peer.table.public_view()
    return refused.value.code


def test_what_lies_open_is_seen_as_soon_as_there_is_a_hand() -> None:
    lan, (ada, bea) = seated(2, 1)
    assert without_cards(ada) == "no-match"
    ada.table.start(lan.now)
    lan.pump(ada)
    assert without_cards(ada) == "no-hand"
    lan.run(lambda: all(peer.table.seats_to_think() for peer in (ada, bea)))
    assert ada.table.public_view().state == bea.table.public_view().state


def test_who_opened_the_table_has_a_name_once_it_is_told_who_sits_there() -> None:
    lan, (ada, bea) = seated(2, 2)
    assert (ada.table.opener, bea.table.opener) == ("Ada", "Ada")
    other = lan.peer("Cem", ada.rules)
    early = TableSession.join(other.identity, Guest("Cem"), ada.rules, ada.table.offer, other.rng.randbytes, lan.now)
    assert early.opener == ""
    assert early.wants_seat


def test_who_looks_on_wants_a_seat_when_the_player_says_so() -> None:
    lan, (ada, _) = seated(2, 3)
    guest = lan.onlooker("Gus", ada.rules)
    lan.link(guest, ada)
    lan.settle(1)
    assert guest.table.watches
    assert not guest.table.wants_seat
    guest.table.sit(lan.now)
    assert guest.table.wants_seat


def test_the_own_wish_for_a_pause_is_known_here() -> None:
    lan, (ada, bea) = people(2, 4, rummy())
    assert not ada.table.rests
    ada.table.rest(wanted=True, now=lan.now)
    assert (ada.table.rests, bea.table.rests) == (True, False)
    ada.table.rest(wanted=False, now=lan.now)
    assert not ada.table.rests


@pytest.mark.parametrize("deal", ["host", "blind"])
def test_of_a_match_it_is_known_whether_anybody_sees_the_deck(deal: str) -> None:
    _, peers = playing(2, 5, deal="blind" if deal == "blind" else "host")
    assert peers[0].table.match is not None
    assert peers[0].table.match.is_blind is (deal == "blind")


def test_alone_there_is_nobody_to_hide_a_deck_from() -> None:
    lan = Lan(6, deal="blind")
    ada = lan.peer("Ada", rummy(), bots=1, auto=True)
    lan.create(ada)
    ada.table.start(lan.now)
    assert ada.table.match is not None
    assert not ada.table.match.is_blind
