"""Ruleset: knobs by path, canonical form and fingerprint, what contradicts itself."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rummy_p2p.ruleset import (
    KNOB_FUNCTIONS,
    Claim,
    KnobFunction,
    Round,
    Ruleset,
    RulesetError,
    differences,
    from_canonical,
)

STANDARD = Ruleset()
GIN = STANDARD.with_(players__max=2, lay="at-knock", going_out__how="knock", scoring__kind="gin")
ROUNDS = (Round(contract="33", hand_size=10), Round(contract="444", hand_size=12, go_out="all-at-once"))
# A value other than the standard one for knobs of every type.
OTHER: dict[str, Any] = {
    "hand_size": (10, 7),
    "upcard": False,
    "draw.pile": "many",
    "melds.max_jokers": 1,
    "match.target": 100,
    "scoring.in_hand.joker": 30,
    "rounds": tuple(msgspec.to_builtins(one) for one in ROUNDS),
}


def function(name: str = "left_points", plugin: str = "seven", source: str = "00") -> KnobFunction:
    return KnobFunction(name=name, plugin=plugin, version="1", source_hash=source, call=len)


def keyword(path: str) -> str:
    return path.replace(".", "__")


# --- knobs -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("path", "value"), OTHER.items())
def test_a_knob_is_changed_by_its_path_and_nothing_else_is(path: str, value: object) -> None:
    changed = STANDARD.with_(**{keyword(path): value})
    assert changed.knobs()[path] == value
    assert differences(STANDARD, changed) == {path: (STANDARD.knobs()[path], value)}


def test_a_group_of_knobs_may_be_given_as_a_whole() -> None:
    assert STANDARD.with_(claim=Claim(kind="buy", penalty=1)).claim.penalty == 1


@pytest.mark.parametrize("path", ["nothing", "draw__nothing", "nothing__pile", "upcard__pile", "functions"])
def test_a_knob_that_does_not_exist_is_a_bad_option(path: str) -> None:
    with pytest.raises(RulesetError, match="no knob called") as refused:
        STANDARD.with_(**{path: 1})
    assert refused.value.code == "bad-option"


@pytest.mark.parametrize(
    ("path", "value", "sentence"),
    [
        ("draw__pile", "bottom", "draw.pile: Invalid enum value 'bottom'."),
        ("upcard", 1, "upcard: Expected `bool`, got `int`."),
        ("hand_size", [7, "many"], r"hand_size[1]: Expected `int`, got `str`."),
        ("melds", 7, "melds: Expected `object`, got `int`."),
        ("melds", {"nothing": 1}, "melds: Object contains unknown field `nothing`."),
        ("hand_size", object, "hand_size: <class 'object'> is not a value for a knob."),
    ],
)
def test_a_value_that_a_knob_cannot_take_is_a_bad_option(path: str, value: object, sentence: str) -> None:
    with pytest.raises(RulesetError) as refused:
        STANDARD.with_(**{path: value})
    assert refused.value.code == "bad-option"
    assert str(refused.value) == sentence


def test_knobs_are_listed_by_path_in_the_order_of_declaration() -> None:
    paths = list(STANDARD.knobs())
    assert paths[0] == "game"
    assert paths.index("players.min") < paths.index("deck.packs") < paths.index("scoring.in_hand.joker")
    assert not any(path.startswith("functions") for path in paths)


def test_the_number_of_cards_in_the_deck() -> None:
    assert STANDARD.size == 52
    assert STANDARD.with_(deck__packs=2, deck__jokers=6).size == 110


@pytest.mark.parametrize(("seats", "cards"), [(1, 10), (2, 10), (3, 7), (4, 7), (5, 6), (6, 6)])
def test_cards_each_go_by_the_number_of_players(seats: int, cards: int) -> None:
    rules = STANDARD.with_(players__max=6, hand_size=[10, 7, 7, 6])
    assert rules.cards_each(seats) == cards


@pytest.mark.parametrize(("index", "cards"), [(0, 10), (1, 12), (2, 12)])
def test_cards_each_go_by_the_round_where_there_are_rounds(index: int, cards: int) -> None:
    assert STANDARD.with_(deck__packs=2, rounds=ROUNDS).cards_each(4, index) == cards


# --- canonical form and fingerprint ----------------------------------------------------------------------------------


@pytest.mark.parametrize("path", OTHER)
def test_the_fingerprint_is_of_the_content(path: str) -> None:
    changed = STANDARD.with_(**{keyword(path): OTHER[path]})
    back = changed.with_(**{keyword(path): STANDARD.knobs()[path]})
    assert changed.fingerprint != STANDARD.fingerprint
    assert back.fingerprint == STANDARD.fingerprint


@pytest.mark.parametrize(
    ("path", "value"), [("game", "x"), ("house", ["y"]), ("meta__title", "z"), ("labels__call", "w")]
)
def test_names_and_words_do_not_enter_the_fingerprint(path: str, value: object) -> None:
    named = STANDARD.with_(**{path: value})
    assert named.fingerprint == STANDARD.fingerprint
    assert differences(STANDARD, named) == {}
    assert named.canonical() != STANDARD.canonical()


@given(st.sets(st.sampled_from(sorted(set(OTHER) - {"rounds"}))))
def test_the_canonical_form_rebuilds_the_rules(paths: set[str]) -> None:
    rules = STANDARD.with_(**{keyword(path): OTHER[path] for path in paths})
    again = from_canonical(rules.canonical())
    assert again == rules
    assert again.fingerprint == rules.fingerprint


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"7",
        b"[]",
        b"\xff",
        b"[" * 60_000,
        b'{"nothing": 1}',
        b'{"upcard": 1}',
        b'{"functions": 5}',
        b'{"functions": [5]}',
        b'{"functions": [["a"]]}',
    ],
)
def test_what_is_no_canonical_form_is_a_bad_option(data: bytes) -> None:
    with pytest.raises(RulesetError) as refused:
        from_canonical(data)
    assert refused.value.code == "bad-option"


# --- function knobs --------------------------------------------------------------------------------------------------


def test_the_last_function_given_for_a_knob_counts() -> None:
    one, other = function(plugin="one"), function(plugin="other")
    rules = STANDARD.with_function(one).with_function(function("may_open")).with_function(other)
    assert rules.function("left_points") == other
    assert rules.function("hand_bonus") is None
    assert [each.name for each in rules.functions] == ["left_points", "may_open"]
    assert rules.with_(upcard=False).functions == rules.functions


def test_only_the_named_function_knobs_exist() -> None:
    for name in KNOB_FUNCTIONS:
        assert STANDARD.with_function(function(name)).function(name)
    with pytest.raises(RulesetError, match="no function knob called 'cheat'") as refused:
        STANDARD.with_function(function("cheat"))
    assert refused.value.code == "bad-option"


def test_peers_with_other_source_have_other_rules() -> None:
    mine, theirs = STANDARD.with_function(function()), STANDARD.with_function(function(source="01"))
    assert len({STANDARD.fingerprint, mine.fingerprint, theirs.fingerprint}) == 3
    marks = tuple(rules.functions[0].mark() for rules in (mine, theirs))
    assert differences(mine, theirs) == {"functions.left_points": marks}
    assert differences(STANDARD, mine) == {"functions.left_points": (None, marks[0])}


def test_rules_with_functions_are_rebuilt_only_with_the_same_functions() -> None:
    rules = STANDARD.with_function(function())
    assert from_canonical(rules.canonical(), rules.functions) == rules
    for functions in ((), (function(source="01"),)):
        with pytest.raises(RulesetError) as refused:
            from_canonical(rules.canonical(), functions)
        assert refused.value.code == "unknown-rule"


# --- contradictions --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "changes", "sentence"),
    [
        (STANDARD, {"players__min": 0}, "players.min"),
        (STANDARD, {"players__min": 5}, "players.min"),
        (STANDARD, {"players__max": 9, "deck__packs": 3}, "players.max"),
        (STANDARD, {"deck__packs": 0}, "deck.packs"),
        (STANDARD, {"deck__packs": 4}, "deck.packs"),
        (STANDARD, {"deck__jokers": -1}, "deck.jokers"),
        (STANDARD, {"deck__jokers": 13}, "deck.jokers"),
        (STANDARD, {"hand_size": ()}, "hand_size"),
        (STANDARD, {"hand_size": (0,)}, "hand_size"),
        (STANDARD, {"hand_size": (13,)}, "not enough cards"),
        (STANDARD, {"rounds": (Round(contract="3", hand_size=13),)}, "not enough cards"),
        (STANDARD, {"draw__first_upcard_offer": True, "upcard": False}, "upcard"),
        (STANDARD, {"melds__set_min": 1}, "melds.set_min"),
        (STANDARD, {"melds__set_min": 5}, "melds.set_min"),
        (STANDARD, {"melds__run_min": 1}, "melds.run_min"),
        (STANDARD, {"melds__run_min": 6, "melds__run_max": 5}, "melds.run_min"),
        (STANDARD, {"melds__run_max": 15}, "melds.run_min"),
        (STANDARD, {"melds__min_naturals": 0}, "melds.min_naturals"),
        (STANDARD, {"rounds": (Round(contract="35", hand_size=7),)}, "contract"),
        (STANDARD, {"rounds": (Round(contract="", hand_size=7),)}, "contract"),
        (STANDARD, {"lay": "at-knock"}, "need each other"),
        (GIN, {"lay": "in-play"}, "need each other"),
        (STANDARD, {"scoring__kind": "gin"}, "need each other"),
        (GIN, {"scoring__kind": "penalty"}, "need each other"),
        (GIN, {"players__max": 3}, "two players"),
        (GIN, {"claim__kind": "buy"}, "claim"),
        (STANDARD, {"claim__window_ms": -1}, "negative"),
        (STANDARD, {"claim__penalty": -1}, "negative"),
        (STANDARD, {"match__limit": 0}, "at least 1"),
        (STANDARD, {"match__target": -5}, "at least 1"),
        (STANDARD, {"match__deals": 0}, "at least 1"),
    ],
)
def test_rules_that_no_table_could_play_are_refused(rules: Ruleset, changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(RulesetError, match=sentence) as refused:
        rules.with_(**changes)
    assert refused.value.code == "rule-conflict"
