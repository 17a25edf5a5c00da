"""The info page: who is host, how it is dealt and by whom it could be looked into, how the last deal was found."""

from __future__ import annotations

from rummy_p2p.sentences.screen import TableFacts
from rummy_p2p.ui.table_pages import info_lines, invite_lines
from rummy_p2p.ui.table_waiting import Gone
from tests.ui.table import CLAIMED, NAMES, TableSeat, facts_with, position


def info(facts: TableFacts, *gone: Gone) -> str:
    seat = TableSeat(*position())
    return "\n".join(info_lines(facts, seat.rules, NAMES, seat.view(), seat.match(), gone))


def test_a_blind_deal_tells_how_many_together_could_look() -> None:
    text = info(facts_with(deal="blind", could_look=(3, 4), audit="ok", deck="ab" * 16))
    assert "host Ada" in text
    assert "nobody knows the order of the deck" in text
    assert "3 of 4 programs would have to work together" in text
    assert "is in order" in text
    assert "bound to abababababababab" in text


def test_a_deal_by_the_host_tells_that_the_host_can_see_the_deck() -> None:
    text = info(facts_with(audit="bad-opening"))
    assert "who can see the deck but cannot stack it" in text
    assert "NOT in order: bad-opening" in text
    assert "work together" not in text


def test_before_the_first_deal_was_checked_and_without_a_host_that_is_said() -> None:
    text = info(facts_with(host="", audit=""))
    assert "no host yet" in text
    assert "No deal of this match has been checked yet" in text


def test_on_this_machine_there_is_no_host_and_nothing_to_check() -> None:
    text = info(TableFacts())
    assert "Dealt on this machine" in text
    assert "host" not in text
    assert "checked" not in text


def test_who_is_gone_is_told_with_the_time() -> None:
    assert "Cem has been gone for 1:23." in info(facts_with(away=("Cem",)), Gone("Cem", 83.0))


def test_the_rules_follow_and_a_table_without_address_invites_nobody() -> None:
    assert CLAIMED.fingerprint[:16] in info(TableFacts())
    assert invite_lines(TableFacts()) == ()
    assert "rummy://10.0.0.1" in invite_lines(facts_with())[1]
