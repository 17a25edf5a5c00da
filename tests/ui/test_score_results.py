"""What a hand came to: why the points, who sat out, how it ended."""

from __future__ import annotations

import pytest

from rummy_p2p.cards import parse_cards
from rummy_p2p.engine import events as ev
from rummy_p2p.rules.position import Ending, ScoreLine
from rummy_p2p.ui.score_results import Results, order_of, values_text
from tests.ui.table import CLAIMED, NAMES
from variants_plugins.gin import RULES as GIN

DOUBLED = CLAIMED.with_(scoring__take_all_factor=2)


def heard(ending: Ending = "out", *, all_at_once: bool = False) -> Results:
    results = Results(DOUBLED, NAMES, seat=1, number=3)
    left = parse_cards("9d Ks")
    sheet = ((), (ScoreLine("left", 19, left), ScoreLine("take-all", 19)), (), ())
    for event in (
        ev.Dealt((13, 13, 13, 0), 2),
        ev.WentOut(0, all_at_once),
        ev.HandEnded(ending, 0),
        ev.Shown(1, left),
        ev.Scored((0, 38, 0, 0), sheet, 0),
    ):
        results.hear(event)
    return results


def test_the_reasons_are_without_the_cards() -> None:
    assert heard().reasons(1) == "19 for cards left in hand, 19 more because the winner went out in one turn = 38"
    assert heard().reasons(0) == ""
    assert heard().shown == {1: parse_cards("9d Ks")}


def test_who_sat_out_is_known() -> None:
    assert [heard().sat_out(seat) for seat in range(4)] == [False, False, False, True]


@pytest.mark.parametrize(
    ("ending", "at_once", "text"),
    [
        ("out", False, "Ada went out."),
        ("out", True, "TAKE ALL, the others count x2"),
        ("knock", False, "Ada has won the knock."),
        ("gin", False, "Ada has gin."),
        ("big-gin", False, "big gin"),
        ("stock", False, "Nothing is left to draw"),
        ("void", False, "void"),
    ],
)
def test_how_it_ended(ending: Ending, *, at_once: bool, text: str) -> None:
    assert text in heard(ending, all_at_once=at_once).headline()


def test_the_end_of_the_match() -> None:
    results = heard()
    assert results.outcome() == ()
    results.hear(ev.MatchEnded((0,), (5, 6, 7, 8)))
    assert results.outcome() == ("The match is won by Ada.",)
    assert results.totals() == (5, 6, 7, 8)
    results.hear(ev.MatchEnded((1,), (5, 6, 7, 8)))
    assert results.outcome() == ("You have won the match!",)
    results.hear(ev.MatchEnded((), (5, 6, 7, 8)))
    assert results.outcome() == ("Nobody has won the match.",)


def test_values_come_from_the_rules() -> None:
    assert values_text(CLAIMED) == "In hand count: A 15, K Q J 10, JK 30, others as printed"
    assert values_text(GIN) == "In hand count: A 1, K Q J 10, others as printed"
    assert order_of(NAMES, 2) == [2, 3, 0, 1]
