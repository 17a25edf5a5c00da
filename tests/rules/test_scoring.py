"""Scoring: what cards count in hand, and the sheet of every way in which a hand can end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from rummy_p2p.cards import Card, parse_cards
from rummy_p2p.rules.functions import HandSummary
from rummy_p2p.rules.position import HandState, Phase, ScoreLine
from rummy_p2p.rules.scoring import card_value, cards_left, count, hand_points, summary
from rummy_p2p.ruleset import HandValues, KnobFunction, Ruleset
from tests.engine.play import Play

PENALTY = Ruleset().with_(players__max=4, deck__packs=2, deck__jokers=2, scoring__in_hand=HandValues(ace=15, joker=30))
MELD_POINTS = PENALTY.with_(scoring__kind="meld-points")
GIN = Ruleset().with_(
    players__max=2,
    lay="at-knock",
    lay_off="after-knock",
    going_out__how="knock",
    scoring__kind="gin",
    scoring__gin_bonus=25,
    scoring__undercut_bonus=25,
    scoring__big_gin_bonus=31,
)


def function(rules: Ruleset, name: str, call: Callable[..., object]) -> Ruleset:
    return rules.with_function(KnobFunction(name=name, plugin="seven", version="1", source_hash="00", call=call))


def ended(rules: Ruleset, *hands: str, **changes: Any) -> HandState:  # noqa: ANN401 - fields of the state
    """Return a hand that has ended, all cards shown."""
    play = Play(rules, *hands, phase=Phase.COUNT, **changes)
    return msgspec.structs.replace(play.state, faces=tuple(play.order))


def lines(*parts: tuple[str, int, str]) -> tuple[ScoreLine, ...]:
    return tuple(ScoreLine(what, points, parse_cards(cards)) for what, points, cards in parts)


@pytest.mark.parametrize(("card", "value"), [("As", 15), ("2s", 2), ("10s", 10), ("Js", 10), ("Ks", 10), ("JK", 30)])
def test_what_a_card_counts_in_hand(card: str, value: int) -> None:
    assert card_value(Card.parse(card), HandValues(ace=15, face=10, joker=30)) == value


def test_what_a_hand_counts_is_the_sum_or_as_the_function_says() -> None:
    cards = parse_cards("As 10s Js JK")
    assert hand_points(cards, PENALTY) == 65
    assert hand_points(cards, function(PENALTY, "left_points", lambda left: 100 * len(left))) == 400
    assert hand_points(cards, function(PENALTY, "hand_bonus", lambda _summary: 9)) == 65


def test_only_cards_that_everybody_may_know_are_counted() -> None:
    state = Play(PENALTY, "As 2s", "3s").state
    assert cards_left(state, 0) == ()
    assert cards_left(msgspec.structs.replace(state, faces=(Card.parse("As"), None, None)), 0) == parse_cards("As")


# --- everybody counts ------------------------------------------------------------------------------------------------


def test_penalty_points_are_what_is_left_and_the_winner_has_none() -> None:
    winner, sheet = count(ended(PENALTY, "", "Ks As", "JK 2s", ending="out", winner=0))
    assert winner == 0
    assert sheet == ((), lines(("left", 25, "Ks As")), lines(("left", 32, "JK 2s")))


def test_without_a_winner_all_count() -> None:
    winner, sheet = count(ended(PENALTY, "3s", "Ks", ending="stock", took_all=False))
    assert winner is None
    assert sheet == (lines(("left", 3, "3s")), lines(("left", 10, "Ks")))


def test_a_seat_that_does_not_play_counts_nothing() -> None:
    state = ended(PENALTY, "", "Ks", "", ending="out", winner=0, playing=(True, True, False))
    assert count(state)[1] == ((), lines(("left", 10, "Ks")), ())


def test_a_void_hand_counts_nothing_whatever_is_held() -> None:
    rules = function(PENALTY, "hand_bonus", lambda _summary: 5)
    assert count(ended(rules, "3s", "Ks", ending="void")) == (None, ((), ()))


@pytest.mark.parametrize(("factor", "took_all", "extra"), [(2, True, 10), (3, True, 20), (2, False, 0), (1, True, 0)])
def test_take_all_multiplies_what_the_others_have_left(factor: int, *, took_all: bool, extra: int) -> None:
    rules = PENALTY.with_(scoring__take_all_factor=factor)
    _, sheet = count(ended(rules, "", "Ks", ending="out", winner=0, took_all=took_all))
    assert sheet[1] == lines(("left", 10, "Ks"), *([("take-all", extra, "")] if extra else []))


def test_meld_points_are_what_was_laid_less_what_is_left() -> None:
    _, sheet = count(ended(MELD_POINTS, "", "Kc", ending="out", winner=0, laid_points=(45, 7)))
    assert sheet == (lines(("laid", 45, "")), lines(("laid", 7, ""), ("left", -10, "Kc")))
    assert sum(line.points for line in sheet[1]) == -3


# --- a knock ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ending", "knocker", "defender", "on_tie", "winner", "points"),
    [
        ("knock", "2s", "Ks 9h", True, 0, [("deadwood", 17)]),
        ("knock", "2s", "7s 7h 7d Ks", True, 0, [("deadwood", 8)]),
        ("knock", "10s", "Ks", True, 1, [("deadwood", 0), ("undercut", 25)]),
        ("knock", "10s", "Ks", False, 0, [("deadwood", 0)]),
        ("knock", "10s", "9s", False, 1, [("deadwood", 1), ("undercut", 25)]),
        ("knock", "As", "4s 5s 6s", True, 1, [("deadwood", 1), ("undercut", 25)]),
        ("gin", "", "Ks 8s", True, 0, [("deadwood", 18), ("gin", 25)]),
        ("gin", "", "4s 5s 6s", True, 0, [("deadwood", 0), ("gin", 25)]),
        ("big-gin", "", "Ks 8s", True, 0, [("deadwood", 18), ("big-gin", 31)]),
    ],
)
def test_a_knock_is_counted_by_the_difference(
    ending: str, knocker: str, defender: str, *, on_tie: bool, winner: int, points: list[tuple[str, int]]
) -> None:
    rules = GIN.with_(scoring__undercut_on_tie=on_tie)
    won, sheet = count(ended(rules, knocker, defender, ending=ending, knocker=0, winner=0))
    assert won == winner
    assert [(line.what, line.points) for line in sheet[winner]] == points
    assert sheet[1 - winner] == ()


def test_the_sheet_of_a_knock_shows_the_deadwood_of_the_loser() -> None:
    _, sheet = count(ended(GIN, "2s", "7s 7h 7d Ks", ending="knock", knocker=0))
    assert sheet[0][0].cards == parse_cards("Ks")


def test_without_a_knock_nobody_gets_anything() -> None:
    assert count(ended(GIN, "2s", "Ks", ending="stock")) == (None, ((), ()))


def test_a_function_counts_the_deadwood_of_both() -> None:
    rules = function(GIN, "left_points", lambda left: 3 * len(left))
    assert count(ended(rules, "2s", "Ks 9h 7s 7h 7d", ending="knock", knocker=0))[1][0][0].points == 3


# --- function knobs --------------------------------------------------------------------------------------------------


def test_a_bonus_comes_on_top_for_who_plays_and_nought_is_no_line() -> None:
    rules = function(PENALTY, "hand_bonus", lambda told: -5 if told.winner == told.seat else 0)
    state = ended(rules, "", "Ks", "", ending="out", winner=0, playing=(True, True, False))
    assert count(state)[1] == (lines(("bonus", -5, "")), lines(("left", 10, "Ks")), ())


def test_what_a_function_is_told_about_a_seat() -> None:
    play = Play(PENALTY, "Ks", "", table="7h 8h 9h", owner=1, turn=1, phase=Phase.COUNT)
    state = msgspec.structs.replace(
        play.state, faces=tuple(play.order), ending="out", winner=1, laid_points=(0, 24), was_down=False
    )
    run = state.table[0].meld
    assert summary(state, 0) == HandSummary(0, 1, "out", (), parse_cards("Ks"), 0, all_at_once=False)
    assert summary(state, 1) == HandSummary(1, 1, "out", (run,), (), 24, all_at_once=True)
    assert not summary(msgspec.structs.replace(state, was_down=True), 1).all_at_once
