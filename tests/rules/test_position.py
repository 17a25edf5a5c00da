"""The public state: who is next, what lies where, and one digest for all who have seen the same."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from rummy_p2p.cards import Card
from rummy_p2p.rules.position import HandState, Phase, ScoreLine, snapshot
from rummy_p2p.ruleset import Ruleset
from tests.engine.play import Play

RULES = Ruleset().with_(deck__packs=2, players__max=4)


def position(**changes: Any) -> HandState:  # noqa: ANN401 - whatever a field of the state holds
    play = Play(RULES, "7h 8h", "7h' 9d", "Kc", pile="2c 3c", table="4s 5s 6s")
    return msgspec.structs.replace(play.state, **changes)


@pytest.mark.parametrize(
    ("playing", "seat", "following"),
    [
        ((True, True, True), 0, 1),
        ((True, True, True), 2, 0),
        ((True, False, True), 0, 2),
        ((False, True, False), 1, 1),
    ],
)
def test_the_next_seat_is_the_next_one_that_plays(playing: tuple[bool, ...], seat: int, following: int) -> None:
    assert position(playing=playing).next_seat(seat) == following


def test_the_top_of_the_pile_is_the_card_laid_last() -> None:
    assert position().top() == Card.parse("3c")
    assert position(pile=()).top() is None


def test_a_hand_is_over_when_it_has_been_counted() -> None:
    assert [phase for phase in Phase if position(phase=phase).over] == [Phase.OVER]


def test_a_discard_may_be_claimed_until_somebody_draws() -> None:
    open_to_claims = [
        (phase, claim)
        for phase in Phase
        for claim in ("none", "open", "late", "closed")
        if position(phase=phase, claim=claim).claimable
    ]
    assert open_to_claims == [(Phase.DRAW, "open")]


def test_a_card_is_found_in_a_hand_once_it_has_been_shown_and_twins_are_two_cards() -> None:
    state = position()
    mine, theirs = state.hands[0][0], state.hands[1][0]
    assert state.slot_in_hand(0, Card.parse("7h")) is None
    faces = tuple({mine: Card.parse("7h"), theirs: Card.parse("7h'")}.get(slot) for slot in range(len(state.faces)))
    state = msgspec.structs.replace(state, faces=faces)
    assert state.slot_in_hand(0, Card.parse("7h")) == mine
    assert state.slot_in_hand(0, Card.parse("7h'")) is None
    assert state.slot_in_hand(1, Card.parse("7h'")) == theirs


FIELDS = {
    "dealer": 1,
    "phase": Phase.COUNT,
    "stock": (),
    "pile": (3,),
    "hands": ((1,), (2,), (3,)),
    "table": (),
    "faces": (),
    "opened": (True, True, True),
    "claim": "open",
    "callers": (2,),
    "owed": 1,
    "ending": "out",
    "winner": 2,
    "sheet": ((ScoreLine("left", 10, (Card.parse("Kd"),)),), (), ()),
    "rules": RULES.with_(upcard=False),
}


@pytest.mark.parametrize(("field", "value"), FIELDS.items())
def test_every_difference_is_in_the_digest(field: str, value: object) -> None:
    state = position()
    assert state.digest() == position().digest()
    changed = msgspec.structs.replace(state, **{field: value})
    assert changed.digest() != state.digest()
    assert msgspec.structs.replace(changed, **{field: getattr(state, field)}).digest() == state.digest()


def test_a_snapshot_holds_every_field_and_of_the_rules_the_fingerprint() -> None:
    state = position()
    data = msgspec.json.decode(snapshot(state))
    assert data.pop("fingerprint") == RULES.fingerprint
    assert set(data) == set(HandState.__struct_fields__) - {"rules"}
    assert list(data) == sorted(data)
