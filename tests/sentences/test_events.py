"""Every event has its line, for its own seat and for others; points and totals are explained."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from rummy_p2p.cards import Card, parse_cards
from rummy_p2p.engine import events as ev
from rummy_p2p.engine import start_match
from rummy_p2p.melds import Piece, read_meld
from rummy_p2p.rules.position import ScoreLine
from rummy_p2p.ruleset import Ruleset
from rummy_p2p.sentences import event_line, score_lines, standings
from tests.sentences.games import CONTRACT, NAMES, PLAIN, ROMANIAN, SWEDISH, view_of
from variants_plugins.rummy_no import RULES

RUN = read_meld([Piece(card) for card in parse_cards("7h 8h 9h' JK")], SWEDISH.melds)
EVENTS: tuple[tuple[ev.Event, str, str], ...] = (
    (ev.Dealt((10, 10, 0), 0), "You deal 10 cards to each player.", "Ada deals 10 cards to each player."),
    (ev.Dealt((10, 9, 1), 0), "You deal: Ada 10, Bea 9, Cem 1.", "Ada deals: Ada 10, Bea 9, Cem 1."),
    (ev.Upcard(Card.parse("JK'")), "", "The first card of the pile is JK."),
    (ev.Turn(0), "It is your turn.", "It is Ada's turn."),
    (ev.Drew(0, 40), "You drew a card.", "Ada drew a card."),
    (ev.Drew(0, 40, "penalty"), "You got a stock card for it.", "Ada got a stock card for it."),
    (ev.Took(0, parse_cards("7h' 8h")), "You took 7h 8h from the pile.", "Ada took 7h 8h from the pile."),
    (
        ev.TurnedOver(0, 1),
        "You turned the pile over: the stock has 1 card again.",
        "Ada turned the pile over: the stock has 1 card again.",
    ),
    (ev.Reshuffled((), (1, 2)), "", "The stock was empty: the pile was shuffled, the stock has 2 cards again."),
    (ev.MeldLaid(0, 1, RUN, 34), "You laid meld 1: 7h 8h 9h JK=10h.", "Ada laid meld 1: 7h 8h 9h JK=10h."),
    (
        ev.MeldLaid(0, 1, RUN, 34, opens=True),
        "You laid down for the first time, meld 1: 7h 8h 9h JK=10h.",
        "Ada laid down for the first time, meld 1: 7h 8h 9h JK=10h.",
    ),
    (
        ev.LaidOff(0, Card.parse("9h'"), 3, RUN),
        "You added 9h: meld 3 is 7h 8h 9h JK=10h.",
        "Ada added 9h: meld 3 is 7h 8h 9h JK=10h.",
    ),
    (
        ev.Swapped(0, Card.parse("10h"), 3),
        "You put 10h into meld 3 and took its joker.",
        "Ada put 10h into meld 3 and took its joker.",
    ),
    (ev.Discarded(0, Card.parse("2c'")), "You discarded 2c.", "Ada discarded 2c."),
    (ev.Asked(0, Card.parse("2c")), "You asked for 2c.", "Ada asks for 2c."),
    (
        ev.Asked(0, Card.parse("2c"), late=True),
        "You asked for 2c after the draw.",
        "Ada asks for 2c after the draw: the player who drew may keep the card, or give both away.",
    ),
    (ev.Claimed(0, Card.parse("2c")), "You claimed 2c.", "Ada claimed 2c."),
    (
        ev.Claimed(0, Card.parse("2c"), 2),
        "You claimed 2c and got 2 cards more for it.",
        "Ada claimed 2c and got 2 cards more for it.",
    ),
    (ev.Answered(0, gives=True), "You gave both cards away.", "Ada gave both cards away."),
    (ev.Answered(0, gives=False), "You kept the card.", "Ada kept the card."),
    (ev.Passed(0), "You passed.", "Ada passed."),
    (ev.Knocked(0, 1), "You knocked with 1 point loose.", "Ada knocked with 1 point loose."),
    (ev.Finished(0), "You lay off no more.", "Ada lays off no more."),
    (ev.TimedOut(0), "Your time is up: your turn is over.", "Ada's time is up: the turn is over."),
    (ev.WentOut(0), "You went out.", "Ada went out."),
    (ev.WentOut(0, all_at_once=True), "You went out, all in one turn.", "Ada went out, all in one turn."),
    (ev.HandEnded("out", 0), "", "The hand is over. What is left in the others' hands is counted."),
    (ev.HandEnded("knock", None), "", "The hand is over. The loose cards of both are compared."),
    (ev.HandEnded("gin", 0), "", "The hand is over: gin, no loose card is left."),
    (ev.HandEnded("big-gin", 0), "", "The hand is over: big gin, not even a discard was needed."),
    (ev.HandEnded("stock", None), "", "The hand is over: nothing is left to draw. All cards in hand are counted."),
    (ev.HandEnded("void", None), "", "The hand is void: nobody got anywhere. Nothing is counted."),
    (ev.HandEnded("", None), "", "The hand is void: nobody got anywhere. Nothing is counted."),
    (ev.Shown(0, parse_cards("JK 8h 2s")), "You had 2s 8h JK left.", "Ada had 2s 8h JK left."),
    (ev.Shown(0, ()), "You had nothing left.", "Ada had nothing left."),
    (ev.Scored((5, 0, 9), ((), (), ()), 1), "", "Points of this hand: Ada: 5, Bea: 0, Cem: 9."),
    (
        ev.Eliminated(0, 104),
        "You are out of the match with 104 points. You may go on watching.",
        "Ada is out of the match with 104 points.",
    ),
    (
        ev.MatchEnded((1, 2), (5, 0, 0)),
        "",
        "The match is over: Ada: 5, Bea: 0, Cem: 0. It was won by Bea and Cem.",
    ),
    (
        ev.MatchEnded((0,), (0, 5, 9)),
        "The match is over: Ada: 0, Bea: 5, Cem: 9. You have won.",
        "The match is over: Ada: 0, Bea: 5, Cem: 9. It was won by Ada.",
    ),
    (ev.MatchEnded((), (0, 0, 0)), "", "The match is over: Ada: 0, Bea: 0, Cem: 0. Nobody has won."),
)


def test_every_event_has_its_line() -> None:
    assert {type(event) for event, _own, _other in EVENTS} == set(ev.Event.__subclasses__())


@pytest.mark.parametrize(("event", "own", "other"), EVENTS, ids=lambda value: type(value).__name__)
def test_an_event_is_told_to_its_own_seat_and_to_others(event: ev.Event, own: str, other: str) -> None:
    assert event_line(event, NAMES, None, 0) == (own or other)
    assert event_line(event, NAMES, None, 1) == other
    assert event_line(event, NAMES, None) == other


def test_only_the_seat_that_drew_is_told_which_card() -> None:
    assert event_line(ev.Drew(0, 0), NAMES, view_of(0)) == "You drew 7h."
    assert event_line(ev.Drew(0, 0, "penalty"), NAMES, view_of(0)) == "You got 7h for it."
    assert event_line(ev.Drew(0, 0), NAMES, view_of(1)) == "Ada drew a card."
    assert event_line(ev.Drew(0, 999), NAMES, view_of(0)) == "You drew a card."


def test_an_event_uses_the_words_of_the_game() -> None:
    claimed = ev.Claimed(1, Card.parse("2c"))
    assert event_line(claimed, NAMES, view_of(0)) == "Bea called RUMMY and got 2c."
    opens = ev.MeldLaid(1, 1, RUN, 34, opens=True)
    assert event_line(opens, NAMES, view_of(0, SWEDISH)).endswith("meld 1: 7h 8h 9h JK=10h (34 points).")
    assert event_line(opens, NAMES, view_of(0, ROMANIAN)).endswith("(34 points).")


def test_a_seat_without_a_name_has_a_number() -> None:
    assert event_line(ev.Turn(4), NAMES, None) == "It is Seat 5's turn."


def test_names_are_cleaned_in_events() -> None:
    assert event_line(ev.Turn(0), ["A\x1b]0;x\ada\u202e"], None) == "It is A]0;xda's turn."


def test_points_are_explained_line_by_line() -> None:
    whats = ("left", "laid", "take-all", "deadwood", "gin", "big-gin", "undercut", "bonus", "something new")
    sheet = tuple((ScoreLine(what, 7, parse_cards("Kd 2s") if what == "left" else ()),) for what in whats)
    lines = score_lines(ev.Scored((7,) * len(whats), sheet, None), tuple(whats))
    assert lines == (
        "left: 7 for cards left in hand (2s Kd)",
        "laid: 7 for what was laid",
        "take-all: 7 more because the winner went out in one turn",
        "deadwood: 7 for the difference in loose cards",
        "gin: 7 for the gin",
        "big-gin: 7 for the big gin",
        "undercut: 7 for the undercut",
        "bonus: 7 by a special rule of this game",
        "something new: 7 by a special rule of this game",
    )


def test_points_for_several_reasons_are_added_up() -> None:
    sheet = ((), (ScoreLine("left", 26, parse_cards("Kd 6h JK")), ScoreLine("take-all", 26)))
    assert score_lines(ev.Scored((0, 52), sheet, 0), NAMES) == (
        "Bea: 26 for cards left in hand (6h Kd JK), 26 more because the winner went out in one turn = 52",
    )


@pytest.mark.parametrize(
    ("rules", "end"),
    [
        (RULES, "The match ends when somebody has 100 points. The lowest total wins."),
        (SWEDISH, "Whoever has more than 50 points is out; the last one left wins."),
        (CONTRACT, "The match has 2 rounds. The lowest total wins."),
        (ROMANIAN, "The match ends when somebody has 200 points. The highest total wins."),
        (PLAIN, "The match has 3 hands. The lowest total wins."),
        (Ruleset(), "The lowest total wins."),
    ],
)
def test_standings_say_what_ends_the_match(rules: Ruleset, end: str) -> None:
    assert standings(start_match(rules, 2), NAMES, rules) == ("Ada: 0, Bea: 0 after 0 hands.", end)


def test_standings_put_the_best_first_and_name_who_is_out() -> None:
    match = replace(start_match(RULES, 3), scores=(30, 104, 7), hand_number=2, out=frozenset({1}))
    assert standings(match, NAMES, RULES)[0] == "Cem: 7, Ada: 30, Bea: 104 (out) after 1 hand."
    over = replace(match, over=True, winners=(2,))
    assert standings(over, NAMES, RULES)[1] == "The match is over. It was won by Cem."
    assert standings(replace(over, winners=()), NAMES, RULES)[1] == "The match is over. It was won by nobody."
    highest = RULES.with_(match__winner="highest")
    assert standings(match, NAMES, highest)[0].startswith("Bea: 104 (out), Ada: 30")
