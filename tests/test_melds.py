"""Melds: sets and runs, joker places, ends, values, lay-offs and swaps, each under the knobs that decide it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rummy_p2p.cards import Card, natural, pack, parse_cards
from rummy_p2p.melds import (
    Meld,
    MeldError,
    Piece,
    Side,
    card_points,
    fitting_faces,
    grow,
    meld_points,
    melds_of,
    read_meld,
    splits_into_runs,
    swap_joker,
)
from rummy_p2p.ruleset import Melds, MeldValues

STANDARD = Melds()
LOW = Melds(ace="low")
HIGH = Melds(ace="high")
ONE_JOKER = Melds(max_jokers=1, min_naturals=2)
TWO_NATURALS = Melds(min_naturals=2)
CONTRACT = Melds(set_max=12, distinct_suits=False, run_min=4, min_naturals=2)
ACE_AT_EITHER_END = 13  # ace to king and two to ace are the same cards; read anew, the ace is low
KNOBS = [
    STANDARD,
    LOW,
    HIGH,
    ONE_JOKER,
    TWO_NATURALS,
    CONTRACT,
    Melds(set_max=3, run_max=5),
    Melds(set_min=2, run_min=2),
]
ALL_SPADES = "As 2s 3s 4s 5s 6s 7s 8s 9s 10s Js Qs Ks"
SIDES: tuple[Side, ...] = ("left", "right")


def piece(word: str) -> Piece:
    name, declared, face = word.partition("=")
    return Piece(Card.parse(name), Card.parse(face).face if declared else None)


def pieces(text: str) -> tuple[Piece, ...]:
    return tuple(piece(word) for word in text.split())


def meld(text: str, knobs: Melds = STANDARD) -> Meld:
    return read_meld(pieces(text), knobs)


def refusal(call: Callable[[], object]) -> tuple[str, str]:
    with pytest.raises(MeldError) as refused:
        call()
    return refused.value.code, refused.value.knob


# --- what is a meld --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "knobs", "kind", "shown"),
    [
        ("10s 10d 10c", STANDARD, "set", "10s 10d 10c"),
        ("10c 10s 10h 10d", STANDARD, "set", "10s 10h 10d 10c"),
        ("7h 7h' 7h''", CONTRACT, "set", "7h 7h' 7h''"),
        ("7s 7h", Melds(set_min=2), "set", "7s 7h"),
        ("8s 9s 10s", STANDARD, "run", "8s 9s 10s"),
        ("9s 7s 8s", STANDARD, "run", "7s 8s 9s"),
        ("As 2s 3s", STANDARD, "run", "As 2s 3s"),
        ("As 2s 3s", LOW, "run", "As 2s 3s"),
        ("Qs Ks As", STANDARD, "run", "Qs Ks As"),
        ("Qs Ks As", HIGH, "run", "Qs Ks As"),
        (ALL_SPADES, STANDARD, "run", ALL_SPADES),
        (f"{ALL_SPADES} As'", STANDARD, "run", f"{ALL_SPADES} As'"),
        ("4s' 5s' 6s'", STANDARD, "run", "4s' 5s' 6s'"),
        ("10s JK 10h", ONE_JOKER, "set", "10s 10h JK"),
        ("10s JK 10h JK'", TWO_NATURALS, "set", "10s 10h JK JK'"),
        ("5h JK 7h JK' 9h", TWO_NATURALS, "run", "5h JK=6h 7h JK'=8h 9h"),
    ],
)
def test_sets_and_runs_are_read_in_any_order(text: str, knobs: Melds, kind: str, shown: str) -> None:
    found = meld(text, knobs)
    assert (found.kind, str(found)) == (kind, shown)


@pytest.mark.parametrize(
    ("text", "knobs", "shown"),
    [
        ("As JK 3s", STANDARD, "As JK=2s 3s"),
        ("5s JK 8s JK'", STANDARD, "5s JK=6s JK'=7s 8s"),
        ("2s 3s JK", STANDARD, "2s 3s JK=4s"),
        ("5s 6s JK JK'", STANDARD, "5s 6s JK=7s JK'=8s"),
        ("Qc Kc JK", STANDARD, "Qc Kc JK=Ac"),
        ("Qc Kc JK", LOW, "JK=Jc Qc Kc"),
        ("Qs Ks JK JK'", STANDARD, "JK=Js Qs Ks JK'=As"),
        ("Qs Ks As JK", STANDARD, "JK=Js Qs Ks As"),
        ("2s 3s JK", HIGH, "2s 3s JK=4s"),
        (ALL_SPADES.removeprefix("As ") + " JK", STANDARD, ALL_SPADES.removeprefix("As ") + " JK=As"),
        (f"{ALL_SPADES} JK", STANDARD, f"{ALL_SPADES} JK=As"),
        ("7s JK JK' JK'' JK'''", STANDARD, "7s JK=8s JK'=9s JK''=10s JK'''=Js"),
        ("As JK JK' JK''", Melds(set_max=3), "As JK=2s JK'=3s JK''=4s"),
        ("As JK JK' JK''", Melds(set_max=3, ace="high"), "JK=Js JK'=Qs JK''=Ks As"),
    ],
)
def test_a_joker_fills_a_gap_else_the_high_end_else_the_low_end(text: str, knobs: Melds, shown: str) -> None:
    assert str(meld(text, knobs)) == shown


@pytest.mark.parametrize(
    ("text", "shown", "stands_for"),
    [
        ("Qc JK=Jc Kc", "JK=Jc Qc Kc", "Jc"),
        ("JK=As 2s 3s", "JK=As 2s 3s", "As"),
        ("JK=As Ks Qs", "Qs Ks JK=As", "As"),
        ("7s JK=8s JK'", "7s JK=8s JK'=9s", "8s"),
        ("7s JK=7d JK'", "7s JK JK'", "7d"),
        ("7s 7h JK=7c", "7s 7h JK", "7c"),
        ("7s 7h 7d JK", "7s 7h 7d JK", "7c"),
        ("7s 7h JK=7d JK'", "7s 7h JK JK'", "7d"),
    ],
)
def test_a_joker_stands_for_what_is_declared_or_left(text: str, shown: str, stands_for: str) -> None:
    found = meld(text)
    assert str(found) == shown
    assert found.stands_for(found.cards.index(Card.parse("JK"))) == Card.parse(stands_for).face


def test_one_natural_with_jokers_is_a_set_unless_declared_otherwise() -> None:
    assert meld("7s JK JK'").kind == "set"
    assert meld("7s JK=9s JK'").kind == "run"


def test_a_joker_in_a_set_of_three_stands_for_no_card_yet() -> None:
    found = meld("7s 7h JK")
    assert found.stands_for(2) == Card.parse("JK").face
    assert found.pieces()[2] == Piece(Card.parse("JK"))


@pytest.mark.parametrize(
    ("text", "knobs", "code", "knob"),
    [
        ("Ks As 2s", STANDARD, "around-the-corner", "melds.ace"),
        ("Qs Ks As 2s", STANDARD, "around-the-corner", "melds.ace"),
        ("Ks JK 2s", STANDARD, "around-the-corner", "melds.ace"),
        ("Ks As JK=2s", STANDARD, "around-the-corner", "melds.ace"),
        ("Qs Ks As", LOW, "around-the-corner", "melds.ace"),
        ("As 2s 3s", HIGH, "around-the-corner", "melds.ace"),
        ("As Ks JK=2s", ONE_JOKER, "around-the-corner", "melds.ace"),
        ("10s 10d 10s'", STANDARD, "duplicate-card", "melds.distinct_suits"),
        ("Ks Kh Kc Kc'", STANDARD, "duplicate-card", "melds.distinct_suits"),
        ("10s 10d 10h 10c 10s'", STANDARD, "duplicate-card", "melds.distinct_suits"),
        ("7h 7h'", STANDARD, "duplicate-card", "melds.distinct_suits"),
        ("8s 8s' 9s 10s", STANDARD, "duplicate-card", ""),
        ("As JK JK'", ONE_JOKER, "too-many-jokers", "melds.max_jokers"),
        ("10s 10h JK JK'", ONE_JOKER, "too-many-jokers", "melds.max_jokers"),
        ("8h 9d JK JK'", ONE_JOKER, "too-many-jokers", "melds.max_jokers"),
        ("As JK JK'", TWO_NATURALS, "too-few-naturals", "melds.min_naturals"),
        ("JK JK' JK'' 4h", TWO_NATURALS, "too-few-naturals", "melds.min_naturals"),
        ("JK=7s JK'=8s JK''=9s", STANDARD, "too-few-naturals", "melds.min_naturals"),
        ("", STANDARD, "not-a-meld", ""),
        ("8h 9h JK=9h", STANDARD, "joker-place", ""),
        ("8h 9h JK=10d", STANDARD, "joker-place", ""),
        ("As 3s JK=5s", STANDARD, "joker-place", ""),
        ("7s 7h JK=8d", STANDARD, "joker-place", ""),
        ("7s 7h JK=7s", STANDARD, "joker-place", ""),
        ("7s JK=9h JK'", STANDARD, "joker-place", ""),
        ("10s 10d", STANDARD, "not-a-meld", "melds.set_min"),
        ("7h 7h'", CONTRACT, "not-a-meld", "melds.set_min"),
        ("7s 7h 7d 7c", Melds(set_max=3), "not-a-meld", "melds.set_max"),
        ("10s 10h 10d 10c JK", STANDARD, "not-a-meld", "melds.set_max"),
        ("8s 9s", STANDARD, "not-a-meld", "melds.run_min"),
        ("Ks As", STANDARD, "not-a-meld", "melds.run_min"),
        ("4h 5h 6h", CONTRACT, "not-a-meld", "melds.run_min"),
        ("As 2s 3s 4s", Melds(run_max=3), "not-a-meld", "melds.run_max"),
        ("8s 9s 10h", STANDARD, "not-a-meld", ""),
        ("8s 10s Js", STANDARD, "not-a-meld", ""),
        ("8h JK Jh", STANDARD, "not-a-meld", ""),
        ("8h 9d JK", STANDARD, "not-a-meld", ""),
        ("8h JK 10h 8s", STANDARD, "not-a-meld", ""),
        ("7h 7h' 9d", STANDARD, "not-a-meld", ""),
    ],
)
def test_why_cards_are_no_meld(text: str, knobs: Melds, code: str, knob: str) -> None:
    assert refusal(lambda: meld(text, knobs)) == (code, knob)


# --- what it counts --------------------------------------------------------------------------------------------------

ROMANIAN = MeldValues(ace_low=1, ace_high=15, face=10)


@pytest.mark.parametrize(
    ("text", "values", "points"),
    [
        ("7s 7h 7d", MeldValues(), 21),
        ("10s 10h 10d", MeldValues(), 30),
        ("As Ah Ad", MeldValues(), 33),
        ("As 2s 3s", MeldValues(), 6),
        ("9s 10s Js", MeldValues(), 29),
        ("Qc Kc Ac", MeldValues(), 31),
        ("10s 10h JK", MeldValues(), 30),
        ("Qc JK=Kc Ac", MeldValues(), 31),
        ("Ac JK=2c 3c", MeldValues(), 6),
        ("Ac JK 3c 4c 5c", MeldValues(), 15),
        (f"{ALL_SPADES} As'", MeldValues(), 1 + 54 + 30 + 11),
        ("9h 10h Jh", ROMANIAN, 29),
        ("6c 6d 6s", ROMANIAN, 18),
        ("As Ah Ad", ROMANIAN, 45),
        ("Ac 2c 3c", ROMANIAN, 6),
    ],
)
def test_what_a_meld_counts_on_the_table(text: str, values: MeldValues, points: int) -> None:
    found = meld(text)
    assert meld_points(found, values) == points
    assert sum(card_points(found, index, values) for index in range(len(found.cards))) == points


@pytest.mark.parametrize(
    ("text", "count", "splits"),
    [("4h 5h 6h 7h 8h 9h 10h Jh", 2, True), ("4h 5h 6h 7h 8h 9h 10h", 2, False), ("4h 4d 4c 4s", 1, False)],
)
def test_a_straight_of_eight_may_serve_as_two(text: str, count: int, *, splits: bool) -> None:
    assert splits_into_runs(meld(text, CONTRACT), count, CONTRACT) is splits


# --- lay-offs --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "card", "side", "knobs", "shown"),
    [
        ("7c 8c 9c", "10c", None, STANDARD, "7c 8c 9c 10c"),
        ("7c 8c 9c", "6c", None, STANDARD, "6c 7c 8c 9c"),
        ("7c 8c 9c", "6c", "left", STANDARD, "6c 7c 8c 9c"),
        ("7c 8c 9c", "JK", None, STANDARD, "7c 8c 9c JK=10c"),
        ("7c 8c 9c", "JK", "left", STANDARD, "JK=6c 7c 8c 9c"),
        ("7c 8c 9c", "JK=6c", None, STANDARD, "JK=6c 7c 8c 9c"),
        ("Jc Qc Kc", "JK", None, LOW, "JK=10c Jc Qc Kc"),
        ("Qc Kc Ac", "JK", None, STANDARD, "JK=Jc Qc Kc Ac"),
        ("2c 3c 4c", "Ac", None, STANDARD, "Ac 2c 3c 4c"),
        ("Jc Qc Kc", "Ac", None, STANDARD, "Jc Qc Kc Ac"),
        (ALL_SPADES, "As'", None, STANDARD, f"{ALL_SPADES} As'"),
        (ALL_SPADES.removeprefix("As "), "As", "right", STANDARD, ALL_SPADES.removeprefix("As ") + " As"),
        ("10s 10d 10c", "10h", None, STANDARD, "10s 10h 10d 10c"),
        ("10s 10h JK", "10d", None, STANDARD, "10s 10h 10d JK"),
        ("10s 10h JK", "JK'", None, STANDARD, "10s 10h JK JK'"),
        ("10s 10h 10d", "JK=10c", None, STANDARD, "10s 10h 10d JK"),
        ("7h 7h' 7d", "7h''", None, CONTRACT, "7h 7h' 7h'' 7d"),
        ("5h JK 7h", "JK'", "right", TWO_NATURALS, "5h JK=6h 7h JK'=8h"),
    ],
)
def test_a_meld_grows_at_its_ends(table: str, card: str, side: Side | None, knobs: Melds, shown: str) -> None:
    assert str(grow(meld(table, knobs), piece(card), side, knobs)) == shown


def test_the_last_joker_of_a_set_takes_the_only_suit_left() -> None:
    grown = grow(meld("10s 10h JK"), piece("10d"), None, STANDARD)
    assert grown.stands_for(3) == Card.parse("10c").face


@pytest.mark.parametrize(
    ("table", "card", "side", "knobs", "code", "knob"),
    [
        ("Jc Qc Kc", "Ac", None, LOW, "around-the-corner", "melds.ace"),
        ("Jc Qc Kc", "Ac", "right", LOW, "around-the-corner", "melds.ace"),
        ("Jc Qc Kc", "Ac", "left", LOW, "does-not-fit", ""),
        ("Qc Kc Ac", "2c", None, STANDARD, "around-the-corner", "melds.ace"),
        ("Ac 2c 3c", "Kc", None, STANDARD, "around-the-corner", "melds.ace"),
        ("Ac 2c 3c", "Kc", "right", STANDARD, "does-not-fit", ""),
        ("2c 3c 4c", "Ac", None, HIGH, "around-the-corner", "melds.ace"),
        ("10s 10d 10c", "10s'", None, STANDARD, "duplicate-card", "melds.distinct_suits"),
        ("10s 10h 10d 10c", "10s'", None, STANDARD, "duplicate-card", "melds.distinct_suits"),
        ("7c 8c 9c", "8c'", None, STANDARD, "duplicate-card", ""),
        ("5h JK 7h", "JK'", "right", ONE_JOKER, "too-many-jokers", "melds.max_jokers"),
        ("10s 10h JK", "JK'", None, ONE_JOKER, "too-many-jokers", "melds.max_jokers"),
        ("7c 8c 9c", "JK=Qc", None, STANDARD, "joker-place", ""),
        ("Qc Kc Ac", "JK", "right", STANDARD, "joker-place", ""),
        ("Ac 2c 3c", "JK", "left", STANDARD, "joker-place", ""),
        ("2c 3c 4c", "JK", "left", HIGH, "joker-place", ""),
        ("7c 8c 9c", "JK", "left", Melds(run_max=3), "joker-place", "melds.run_max"),
        ("10s 10h 10d", "JK=10s", None, STANDARD, "joker-place", ""),
        ("10s 10h 10d", "JK=9c", None, STANDARD, "joker-place", ""),
        ("10s 10h 10d 10c", "JK", None, STANDARD, "does-not-fit", "melds.set_max"),
        (f"{ALL_SPADES} As'", "JK", None, STANDARD, "does-not-fit", "melds.run_max"),
        ("7c 8c 9c", "10c", None, Melds(run_max=3), "does-not-fit", "melds.run_max"),
        ("7c 8c 9c", "Jc", None, STANDARD, "does-not-fit", ""),
        ("7c 8c 9c", "10d", None, STANDARD, "does-not-fit", ""),
        ("7c 8c 9c", "10c", "left", STANDARD, "does-not-fit", ""),
        ("9s JK=10s Js", "Ks", None, STANDARD, "does-not-fit", ""),
        ("10s 10d 10c", "9h", None, STANDARD, "does-not-fit", ""),
        ("10s 10d 10c", "10h", None, Melds(set_max=3), "does-not-fit", "melds.set_max"),
        ("10s 10h JK=10d", "10d", None, STANDARD, "does-not-fit", "melds.set_max"),
        ("7h 7h' 7d", "7h''", None, Melds(set_max=3, distinct_suits=False), "does-not-fit", "melds.set_max"),
        (ALL_SPADES.removeprefix("As "), "As", None, STANDARD, "ambiguous-place", ""),
    ],
)
def test_why_a_card_does_not_go_there(
    table: str, card: str, side: Side | None, knobs: Melds, code: str, knob: str
) -> None:
    assert refusal(lambda: grow(meld(table, knobs), piece(card), side, knobs)) == (code, knob)


@pytest.mark.parametrize(
    ("table", "knobs", "faces"),
    [
        ("7c 8c 9c", STANDARD, "6c 10c"),
        ("Ac 2c 3c", STANDARD, "4c"),
        ("Qc Kc Ac", STANDARD, "Jc"),
        ("Jc Qc Kc", LOW, "10c"),
        ("7c 8c 9c", Melds(run_max=3), ""),
        (ALL_SPADES.removeprefix("As "), STANDARD, "As"),
        ("10s 10h 10d", STANDARD, "10c"),
        ("10s 10h JK", STANDARD, "10d 10c"),
        ("10s 10h JK=10d", STANDARD, "10c"),
        ("10s 10h 10d JK", STANDARD, ""),
        ("7h 7h' 7d", CONTRACT, "7s 7h 7d 7c"),
    ],
)
def test_which_faces_fit(table: str, knobs: Melds, faces: str) -> None:
    assert fitting_faces(meld(table, knobs), knobs) == {card.face for card in parse_cards(faces)}


# --- joker swaps -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "card", "who", "knobs", "shown"),
    [
        ("9s JK=10s Js", "10s", "declared", STANDARD, "9s 10s Js"),
        ("9s JK=10s Js", "10s'", "both-missing", STANDARD, "9s 10s' Js"),
        ("10s 10h JK=10d", "10d", "declared", STANDARD, "10s 10h 10d"),
        ("10s 10h 10d JK", "10c", "declared", STANDARD, "10s 10h 10d 10c"),
        ("10s 10h 10d JK", "10c", "both-missing", STANDARD, "10s 10h 10d 10c"),
        ("10s 10h JK", "10d", "any-missing", STANDARD, "10s 10h 10d"),
        ("10s 10h JK=10d", "10c", "any-missing", STANDARD, "10s 10h 10c"),
        ("10s 10h JK JK'", "10c", "any-missing", TWO_NATURALS, "10s 10h 10c JK'"),
        ("7h 7h' JK", "7h''", "any-missing", CONTRACT, "7h 7h' 7h''"),
    ],
)
def test_a_joker_is_swapped_for_the_card_it_stands_for(
    table: str, card: str, who: str, knobs: Melds, shown: str
) -> None:
    before = meld(table, knobs)
    after, joker = swap_joker(before, Card.parse(card), who, knobs)
    assert str(after) == shown
    assert joker == next(each for each in before.cards if each.is_joker)
    assert meld_points(after, MeldValues()) == meld_points(before, MeldValues())


def test_a_joker_that_stays_in_the_set_is_settled_when_one_suit_is_left() -> None:
    after, _ = swap_joker(meld("10s 10h JK JK'"), Card.parse("10d"), "any-missing", STANDARD)
    assert after.stands_for(3) == Card.parse("10c").face


@pytest.mark.parametrize(
    ("table", "card", "who", "code"),
    [
        ("8s 9s 10s", "Js", "declared", "no-joker"),
        ("9s JK=10s Js", "10h", "any-missing", "not-that-joker"),
        ("9s JK=10s Js", "8s", "any-missing", "not-that-joker"),
        ("9s JK=10s Js", "JK'", "any-missing", "not-that-joker"),
        ("10s 10h JK", "JK'", "any-missing", "not-that-joker"),
        ("10s 10h JK", "10d", "declared", "not-that-joker"),
        ("10s 10h JK=10d", "10c", "declared", "not-that-joker"),
        ("10s 10h JK=10d", "10d", "both-missing", "not-that-joker"),
        ("10s 10h JK", "10s'", "any-missing", "not-that-joker"),
        ("10s 10h JK", "9d", "any-missing", "not-that-joker"),
    ],
)
def test_why_a_joker_is_not_swapped(table: str, card: str, who: str, code: str) -> None:
    assert refusal(lambda: swap_joker(meld(table), Card.parse(card), who, STANDARD)) == (code, "")


# --- properties ------------------------------------------------------------------------------------------------------

DECK = [card for card in pack(2, 4) if card.suit in (-1, 0, 2)]
HANDS = st.lists(st.sampled_from(DECK), unique=True, max_size=10)
KNOBS_DRAWN = st.sampled_from(KNOBS)


def readings(hand: list[Card], knobs: Melds) -> Iterator[Meld]:
    return (read_meld(laid, knobs) for laid in melds_of(hand, knobs))


@given(HANDS, KNOBS_DRAWN, st.randoms(use_true_random=False))
def test_the_pieces_of_a_meld_in_any_order_are_the_meld(hand: list[Card], knobs: Melds, dice: Random) -> None:
    for found in readings(hand, knobs):
        again = list(found.pieces())
        dice.shuffle(again)
        assert read_meld(again, knobs) == found


@given(HANDS, KNOBS_DRAWN)
def test_the_text_of_a_run_is_read_as_the_run(hand: list[Card], knobs: Melds) -> None:
    for found in readings(hand, knobs):
        assert found.kind == "set" or meld(str(found), knobs) == found


@given(HANDS, KNOBS_DRAWN)
def test_what_fits_is_what_can_be_laid_off(hand: list[Card], knobs: Melds) -> None:
    for found in readings(hand, knobs):
        fits = {card.face for card in pack(1, 0) if any(grown(found, Piece(card), side, knobs) for side in SIDES)}
        assert fitting_faces(found, knobs) == fits


@given(HANDS, KNOBS_DRAWN)
def test_a_grown_meld_is_a_meld_with_one_more_card(hand: list[Card], knobs: Melds) -> None:
    for found in readings(hand, knobs):
        for card in (*pack(1, 0), Card.parse("JK''''")):
            for after in filter(None, (grown(found, Piece(card), side, knobs) for side in SIDES)):
                assert sorted(after.cards) == sorted((*found.cards, card))
                assert read_meld(after.pieces(), knobs) == after or len(after.cards) == ACE_AT_EITHER_END
                assert meld_points(after, MeldValues()) > meld_points(found, MeldValues())


def grown(found: Meld, laid: Piece, side: Side, knobs: Melds) -> Meld | None:
    other_copy = laid if laid.card.is_joker else Piece(natural(laid.card.rank, laid.card.suit, 9))
    try:
        after = grow(found, other_copy, side, knobs)
    except MeldError:
        return None
    cards = tuple(laid.card if card == other_copy.card else card for card in after.cards)
    return Meld(after.kind, cards, after.places, after.suit, after.rank)


@given(HANDS, KNOBS_DRAWN)
def test_melds_of_a_hand_use_each_card_once_and_only_the_hand(hand: list[Card], knobs: Melds) -> None:
    for laid in melds_of(hand, knobs):
        cards = [each.card for each in laid]
        assert len(set(cards)) == len(cards)
        assert set(cards) <= set(hand)


@settings(max_examples=60)
@given(st.lists(st.sampled_from(DECK), unique=True, max_size=7), KNOBS_DRAWN)
def test_melds_of_a_hand_are_all_there_are(hand: list[Card], knobs: Melds) -> None:
    every = {faces(cards) for size in range(2, 8) for cards in combinations(hand, size) if is_meld(cards, knobs)}
    assert {faces([each.card for each in laid]) for laid in melds_of(hand, knobs)} == every


def faces(cards: tuple[Card, ...] | list[Card]) -> tuple[int, ...]:
    return tuple(sorted(card.face for card in cards))


def is_meld(cards: tuple[Card, ...], knobs: Melds) -> bool:
    try:
        read_meld([Piece(card) for card in cards], knobs)
    except MeldError:
        return False
    return True


@pytest.mark.parametrize(("knobs", "melds"), [(STANDARD, 369), (LOW, 329), (Melds(run_max=5), 197)])
def test_how_many_melds_a_deck_has(knobs: Melds, melds: int) -> None:
    assert len(list(melds_of(pack(1, 0), knobs))) == melds


def test_a_run_of_fourteen_takes_two_aces_the_lower_copies_of_all_twins() -> None:
    spades = parse_cards(ALL_SPADES)
    runs = [laid for laid in melds_of((*spades, *parse_cards("As''' As'' 2s'")), STANDARD) if len(laid) == 14]
    assert [" ".join(str(each) for each in laid) for laid in runs] == [f"{ALL_SPADES} As''"]
    assert not any(len(laid) == 14 for laid in melds_of(spades, STANDARD))


def test_a_joker_can_be_the_second_ace_of_a_run_of_fourteen() -> None:
    hand = parse_cards(f"{ALL_SPADES} JK")
    runs = [read_meld(laid, ONE_JOKER) for laid in melds_of(hand, ONE_JOKER) if len(laid) == 14]
    assert [str(run) for run in runs] == [f"{ALL_SPADES} JK=As"]


def test_there_is_no_meld_of_jokers_alone() -> None:
    assert not list(melds_of(parse_cards("JK JK' JK'' JK'''"), STANDARD))
