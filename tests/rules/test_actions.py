"""Actions: what is written is read back; what is typed is read with the cards that are held."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rummy_p2p.cards import FACES, JOKER_FACE, Card, parse_cards
from rummy_p2p.melds import Piece
from rummy_p2p.rules.actions import (
    BARE,
    VERBS,
    Action,
    Add,
    Call,
    Discard,
    Done,
    Draw,
    Give,
    Keep,
    Knock,
    Lay,
    ParseError,
    Pass,
    Show,
    Swap,
    Take,
    TurnOver,
    parse_action,
)

CARDS = st.builds(Card.of, st.integers(0, FACES - 1), st.integers(0, 3))
JOKERS = st.builds(Card.of, st.just(JOKER_FACE), st.integers(0, 3))
PIECES = st.one_of(st.builds(Piece, CARDS, st.none()), st.builds(Piece, JOKERS, st.integers(0, JOKER_FACE - 1)))
MELDS = st.lists(st.lists(PIECES, min_size=1, max_size=5).map(tuple), min_size=1, max_size=4).map(tuple)
NUMBERS = st.integers(0, 999)
ACTIONS: st.SearchStrategy[Action] = st.one_of(
    st.sampled_from(list(BARE.values())),
    st.builds(Take, st.integers(1, 999)),
    st.builds(Lay, MELDS),
    st.builds(Add, PIECES, NUMBERS, st.sampled_from((None, "left", "right"))),
    st.builds(Swap, CARDS, NUMBERS),
    st.builds(Discard, CARDS),
    st.builds(Knock, st.one_of(st.none(), CARDS), st.one_of(st.none(), st.just(()), MELDS)),
)


@given(ACTIONS)
def test_an_action_survives_its_text(action: Action) -> None:
    assert parse_action(str(action)) == action
    assert str(action).split()[0] == action.verb in VERBS


@given(st.one_of(st.text(), st.text(alphabet="draw take meld knock add 7hJK=|'12 ")))
def test_any_text_is_an_action_or_a_parse_error(text: str) -> None:
    found = action_or_error(text)
    if isinstance(found, ParseError):
        assert found.text == text
        assert found.wanted in str(found)
    else:
        assert parse_action(str(found)) == found


def action_or_error(text: str) -> Action | ParseError:
    try:
        return parse_action(text)
    except ParseError as error:
        return error


@given(ACTIONS, st.lists(CARDS, unique=True))
def test_reading_with_a_hand_changes_copies_only(action: Action, held: list[Card]) -> None:
    read = parse_action(str(action), held)
    assert type(read) is type(action)
    assert [card.face for card in read.cards()] == [card.face for card in action.cards()]


SEVEN, TWIN, NINE, JOKER = parse_cards("7h 7h' 9h JK")
RUN = tuple(Piece(card) for card in parse_cards("7h 8h 9h"))
SET = tuple(Piece(card) for card in parse_cards("4h 4d 4c"))


@pytest.mark.parametrize(
    ("text", "action", "cards"),
    [
        ("draw", Draw(), ""),
        ("  DRAW ", Draw(), ""),
        ("take", Take(1), ""),
        ("take 3", Take(3), ""),
        ("turn-over", TurnOver(), ""),
        ("meld 7h 8h 9h", Lay((RUN,)), "7h 8h 9h"),
        ("meld 7h 8h 9h | 4h 4d 4c", Lay((RUN, SET)), "7h 8h 9h 4h 4d 4c"),
        ("meld 7h,8h,9h|4h,4d,4c", Lay((RUN, SET)), "7h 8h 9h 4h 4d 4c"),
        ("meld 7h JK=8h 9h", Lay(((Piece(SEVEN), Piece(JOKER, Card.parse("8h").face), Piece(NINE)),)), "7h JK 9h"),
        ("add 9h", Add(Piece(NINE)), "9h"),
        ("add 9h 2", Add(Piece(NINE), 2), "9h"),
        ("add JK 3 left", Add(Piece(JOKER), 3, "left"), "JK"),
        ("add JK=Td 3 Right", Add(Piece(JOKER, Card.parse("10d").face), 3, "right"), "JK"),
        ("add 9h left", Add(Piece(NINE), 0, "left"), "9h"),
        ("swap 9h", Swap(NINE), "9h"),
        ("swap 9h 2", Swap(NINE, 2), "9h"),
        ("discard 7h'", Discard(TWIN), "7h'"),
        ("knock", Knock(), ""),
        ("knock 9h", Knock(NINE), "9h"),
        ("knock 9h |", Knock(NINE, ()), "9h"),
        ("knock 9h | 4h 4d 4c", Knock(NINE, (SET,)), "9h 4h 4d 4c"),
        ("knock | 4h 4d 4c", Knock(None, (SET,)), "4h 4d 4c"),
        ("knock |", Knock(None, ()), ""),
        ("done", Done(), ""),
        ("call", Call(), ""),
        ("pass", Pass(), ""),
        ("keep", Keep(), ""),
        ("give", Give(), ""),
        ("show", Show(), ""),
    ],
)
def test_how_moves_are_written(text: str, action: Action, cards: str) -> None:
    assert parse_action(text) == action
    assert action.cards() == parse_cards(cards)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", "type an action"),
        (" , ", "type an action"),
        ("jump", "no action begins with 'jump'"),
        ("draw 2", "nothing follows draw"),
        ("take 0", "how many cards"),
        ("take 1000", "how many cards"),
        ("take x", "how many cards"),
        ("take \u0663", "how many cards"),
        ("take 2 3", "at most one number"),
        ("meld", "empty meld"),
        ("meld 7h 8h 9h |", "empty meld"),
        ("meld | 7h 8h 9h", "empty meld"),
        ("meld 7h || 8h", "empty meld"),
        ("meld a-3", "'a-3' is not a card"),
        ("meld 6-f d", "'6-f' is not a card"),
        ("meld 7h=8h", "a joker and the card it stands for"),
        ("meld JK=JK", "a joker and the card it stands for"),
        ("meld JK=", "'' is not a card"),
        ("meld JK=8x", "'8x' is not a card"),
        ("add", "which card and which meld"),
        ("add left", "which card and which meld"),
        ("add 9h 2 3", "which card and which meld"),
        ("add 9h 0", "the number of a meld"),
        ("add 9h two", "the number of a meld"),
        ("swap", "which card and which meld"),
        ("swap 9h 2 3", "which card and which meld"),
        ("swap 9h -1", "the number of a meld"),
        ("discard", "exactly one card"),
        ("discard 9h 8h", "exactly one card"),
        ("knock 9h 8h", "which card you discard"),
        ("knock 9h | 4h 4d 4c |", "empty meld"),
        ("knock | | 4h", "empty meld"),
        ("knock x", "'x' is not a card"),
    ],
)
def test_what_is_no_move_and_what_would_be_one(text: str, wanted: str) -> None:
    with pytest.raises(ParseError, match=wanted):
        parse_action(text)


@pytest.mark.parametrize(
    ("text", "held", "cards"),
    [
        ("discard 7h", "7h 7h'", "7h"),
        ("discard 7h", "7h' 7h", "7h'"),
        ("discard 7h'", "7h 7h'", "7h'"),
        ("discard 7h'", "7h", "7h'"),
        ("discard 7h", "9h", "7h"),
        ("meld 7h 7h 7h", "7h' 7h 9h", "7h' 7h 7h"),
        ("meld 7h 7h' 7d", "7h' 7h 7d", "7h 7h' 7d"),
        ("meld 7h 7h'", "7h'", "7h 7h'"),
        ("meld JK JK", "JK'' JK'", "JK'' JK'"),
        ("meld JK JK'=8h", "JK' JK''", "JK'' JK'"),
        ("knock 9h | 7h 7h", "7h' 9h' 7h", "9h' 7h' 7h"),
    ],
)
def test_a_plain_face_is_the_first_copy_held_that_is_not_yet_named(text: str, held: str, cards: str) -> None:
    assert parse_action(text, parse_cards(held)).cards() == parse_cards(cards)
