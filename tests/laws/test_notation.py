"""Laws about text: every action is written exactly and read back, and whatever is typed is an action or a reason."""

from __future__ import annotations

from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rummy_p2p.cards import Card, pack
from rummy_p2p.engine import Action, ParseError, legal_actions, parse_action, read_action
from rummy_p2p.melds import Piece
from rummy_p2p.offline.universe import universe
from rummy_p2p.rules import actions as act
from tests.laws.playing import Run
from tests.laws.tables import LAW, SEEDS, Table, tried_for

CARDS: Final = st.sampled_from([Card.of(face, copy) for face in range(53) for copy in range(3)])
NATURALS: Final = st.integers(0, 51)


@st.composite
def some_pieces(draw: st.DrawFn) -> Piece:
    card = draw(CARDS)
    return Piece(card, draw(NATURALS) if card.is_joker and draw(st.booleans()) else None)


MELDS = st.lists(st.lists(some_pieces(), min_size=1, max_size=5).map(tuple), min_size=1, max_size=4).map(tuple)
NUMBERS = st.integers(0, 999)
SIDES = st.sampled_from((None, "left", "right"))
ACTIONS: st.SearchStrategy[Action] = st.one_of(
    st.sampled_from(list(act.BARE.values())),
    st.integers(1, 999).map(act.Take),
    MELDS.map(act.Lay),
    st.builds(act.Add, some_pieces(), NUMBERS, SIDES),
    st.builds(act.Swap, CARDS, NUMBERS),
    CARDS.map(act.Discard),
    st.builds(act.Knock, CARDS, st.none() | st.just(()) | MELDS),
    MELDS.map(lambda melds: act.Knock(None, melds)),
)


@settings(max_examples=300)
@given(ACTIONS)
def test_every_action_is_read_back_from_its_text(action: Action) -> None:
    assert parse_action(str(action)) == action


@settings(max_examples=300)
@given(
    st.one_of(
        st.text(max_size=60),
        st.lists(
            st.sampled_from(
                [
                    *act.VERBS,
                    "7h",
                    "10s",
                    "Td'",
                    "JK",
                    "JK=Qd",
                    "|",
                    ",",
                    "1",
                    "0",
                    "-3",
                    "1000",
                    "left",
                    "right",
                    "a-3",
                    "'",
                    "=",
                    "²",
                ]
            ),
            max_size=8,
        ).map(" ".join),
    )
)
def test_whatever_is_typed_is_an_action_or_a_reason(text: str) -> None:
    try:
        action = parse_action(text)
    except ParseError as error:
        reason, named = error.wanted, error.text
    else:
        reason, named = "read", text
        assert parse_action(str(action)) == action
    assert reason
    assert named == text


@given(st.permutations(pack(2, 4)).map(lambda cards: cards[:13]), st.data())
def test_a_plain_face_is_a_card_that_is_held(hand: list[Card], data: st.DataObject) -> None:
    card = data.draw(st.sampled_from(hand))
    plain = str(card).rstrip("'")
    read = parse_action(f"discard {plain}", hand)
    assert isinstance(read, act.Discard)
    assert read.card in hand
    assert read.card.face == card.face
    exactly = parse_action(f"discard {plain}'", hand)
    assert exactly == act.Discard(Card.of(card.face, 1))


@pytest.mark.parametrize("table", tried_for("typed"), ids=str)
@LAW
@given(seed=SEEDS)
def test_what_can_be_done_can_be_typed(table: Table, seed: int) -> None:
    run = Run(table, seed)
    for number, _ in enumerate(run.random_hand()):
        for seat in range(table.seats):
            view = run.view(seat)
            for action in legal_actions(view):
                assert parse_action(str(action)) == action
                assert sorted(c.face for c in read_action(str(action), view).cards()) == sorted(
                    c.face for c in action.cards()
                )
        if number == 20:
            assert all(parse_action(str(action)) == action for action in universe(run.view(run.hand.turn), run.dice))
