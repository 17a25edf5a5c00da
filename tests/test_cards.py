"""Cards: text round-trips, copies are told apart, decks are complete."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rummy_p2p.cards import (
    FACES,
    JOKER_FACE,
    RANKS,
    SUITS,
    Card,
    CardError,
    cards_text,
    face_text,
    natural,
    pack,
    parse_cards,
)

CARDS = st.builds(Card.of, st.integers(0, FACES - 1), st.integers(0, 15))


@given(CARDS)
def test_a_card_survives_its_text_and_its_number(card: Card) -> None:
    assert Card.parse(str(card)) == card
    assert Card(int(card)) == card
    assert int(card) < 1024
    assert eval(repr(card)) == card  # noqa: S307 - repr is promised to be code that rebuilds the card


@given(CARDS)
def test_face_and_copy_make_the_card(card: Card) -> None:
    assert Card.of(card.face, card.copy) == card
    assert face_text(card.face) == str(card).rstrip("'")


@given(st.lists(CARDS))
def test_a_row_of_cards_survives_its_text(cards: list[Card]) -> None:
    assert parse_cards(cards_text(cards)) == tuple(cards)


@given(st.text())
def test_any_text_is_a_card_or_a_card_error(text: str) -> None:
    try:
        card = Card.parse(text)
    except CardError:
        return
    assert 0 <= card.face < FACES


@pytest.mark.parametrize(
    ("text", "rank", "suit", "copy"),
    [
        ("As", 1, 0, 0),
        ("7h", 7, 1, 0),
        ("7h'", 7, 1, 1),
        ("10d", 10, 2, 0),
        ("Td", 10, 2, 0),
        ("td''", 10, 2, 2),
        ("KC", 13, 3, 0),
        ("qC", 12, 3, 0),
        ("JK", 0, -1, 0),
        ("jk'", 0, -1, 1),
    ],
)
def test_what_is_printed_on_a_card(text: str, rank: int, suit: int, copy: int) -> None:
    card = Card.parse(text)
    assert (card.rank, card.suit, card.copy) == (rank, suit, copy)
    assert card.is_joker == (rank == 0)
    assert card.is_joker or natural(rank, suit, copy) == card


@pytest.mark.parametrize(
    "text", ["", "'", "7", "h", "1h", "11h", "7x", "7h 8h", " 7h", "J", "JKs", "7'h", "7h" + "'" * 16]
)
def test_what_is_no_card(text: str) -> None:
    with pytest.raises(CardError):
        Card.parse(text)


def test_twins_have_one_face_and_are_two_cards() -> None:
    one, other = parse_cards("7h 7h'")
    assert one.face == other.face
    assert one != other
    assert len({one, other}) == 2


@pytest.mark.parametrize(("packs", "jokers"), [(1, 0), (1, 2), (2, 6), (3, 12)])
def test_a_deck_holds_every_face_once_a_pack_and_its_jokers(packs: int, jokers: int) -> None:
    deck = pack(packs, jokers)
    assert len(set(deck)) == len(deck) == 52 * packs + jokers
    faces = Counter(card.face for card in deck)
    assert faces.pop(JOKER_FACE, 0) == jokers
    assert set(faces.values()) == {packs}
    assert {face_text(face) for face in faces} == {rank + suit for rank in RANKS for suit in SUITS}


def test_pack_order_is_spades_hearts_diamonds_clubs_from_the_ace_up() -> None:
    deck = pack(2, 2)
    assert cards_text(deck[:3]) == "As 2s 3s"
    assert cards_text(deck[12:15]) == "Ks Ah 2h"
    assert cards_text(deck[51:54]) == "Kc As' 2s'"
    assert cards_text(deck[-3:]) == "Kc' JK JK'"
