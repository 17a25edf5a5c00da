"""What is said over a ledger, and between two turns at one screen."""

from __future__ import annotations

import pytest

from rummy_p2p.cards import Card, parse_cards
from rummy_p2p.engine import events as ev
from rummy_p2p.sentences.replays import curtain_text, known_cards, record_line, replay_line, replay_text
from tests.cases.positions import NORWEGIAN

NAMES = ("Ada", "Bea")


@pytest.mark.parametrize(
    ("kind", "line"),
    [
        ("roster", "Ada and Bea begin a match of Norwegian rummy."),
        ("hand-open", "Ada opens hand 2."),
        ("deck-laid", "Ada lays the deck out, bound to every card of it."),
        ("score", "Hand 2 is counted, and its deal is in order."),
        ("act", ""),
        ("flip", ""),
        ("key-commit", "Ada is bound to a part of the table's key."),
        ("key-answer", "Ada takes part in the deal (key-answer)."),
    ],
)
def test_a_record_that_is_no_move_says_what_it_is(kind: str, line: str) -> None:
    assert record_line(kind, "Ada", 2, NAMES, NORWEGIAN) == line


def test_who_sees_all_hears_which_card_was_drawn() -> None:
    drew = ev.Drew(1, 30)
    assert replay_line(drew, NAMES, None, Card.parse("7h")) == "Bea drew 7h."
    assert replay_line(drew, NAMES, None, None) == "Bea drew a card."
    assert replay_line(ev.Drew(5, 30), NAMES, None, Card.parse("7h")) == "? drew 7h."
    assert replay_line(ev.Discarded(0, Card.parse("Kd")), NAMES, None, None) == "Ada discarded Kd."


def test_cards_are_told_as_far_as_they_are_known() -> None:
    assert known_cards("Ada", parse_cards("9h 2c"), 0) == "Ada: 9h 2c (2 cards)"
    assert known_cards("Ada", parse_cards("9h"), 6) == "Ada: 9h and 6 cards not known"
    assert known_cards("Ada", (), 1) == "Ada: 1 card, not known"


def test_facts_are_filled_in() -> None:
    assert replay_text("no-hand", last=3) == "The hands are 1 to 3. Type a number, as in: hand 2"
    assert curtain_text("ready", name="Bea") == "Bea: press Enter when you are ready."
