from __future__ import annotations

import linecache
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import cast

import pytest

from rummy_p2p.engine import Action, KnobFailed, legal_actions, read_action
from rummy_p2p.offline.game import Game
from rummy_p2p.rules.functions import ask_function
from rummy_p2p.ruleset import KNOB_FUNCTIONS, Ruleset, RulesetError
from rummy_p2p.variants import api
from rummy_p2p.variants.api import HandSummary, Meld, conflict, knob_function
from tests.cases.positions import NORWEGIAN, at

PLUGIN = """
BONUS = {bonus}

def hand_bonus(summary):
    return BONUS
"""


def test_everything_that_is_offered_is_there() -> None:
    assert [name for name in api.__all__ if not hasattr(api, name)] == []
    assert len(set(api.__all__)) == len(api.__all__)


def test_a_conflict_is_a_refusal_to_be_laid_over_a_game() -> None:
    error = conflict("its rounds say how many cards are dealt")
    assert isinstance(error, RulesetError)
    assert (error.code, str(error)) == ("rule-conflict", "its rounds say how many cards are dealt")


# --- the source of a function ----------------------------------------------------------------------------------------


def load(path: Path, text: str) -> ModuleType:
    """Return a plugin module made of a file."""
    path.write_bytes(text.encode())
    linecache.checkcache(str(path))
    module = ModuleType("stranger")
    exec(compile(text, path, "exec"), module.__dict__)  # noqa: S102 -- a plugin is code
    return module


def source_hash(path: Path, text: str) -> str:
    return knob_function("hand_bonus", load(path, text).hand_bonus, plugin="p").source_hash


def test_the_hash_of_a_function_is_of_the_whole_plugin(tmp_path: Path) -> None:
    one = source_hash(tmp_path / "one.py", PLUGIN.format(bonus=10))
    assert source_hash(tmp_path / "other.py", PLUGIN.format(bonus=10)) == one
    assert source_hash(tmp_path / "third.py", PLUGIN.format(bonus=20)) != one


def test_line_ends_do_not_count(tmp_path: Path) -> None:
    text = PLUGIN.format(bonus=10)
    assert source_hash(tmp_path / "unix.py", text) == source_hash(tmp_path / "dos.py", text.replace("\n", "\r\n"))


def test_a_function_without_a_source_is_refused() -> None:
    module = ModuleType("typed")
    exec("def hand_bonus(summary): return 1", module.__dict__)  # noqa: S102 -- as at a prompt
    with pytest.raises(OSError, match="cannot be read"):
        knob_function("hand_bonus", module.hand_bonus, plugin="p")
    with pytest.raises(TypeError):
        knob_function("hand_bonus", len, plugin="p")


def test_version_and_plugin_are_part_of_what_peers_compare() -> None:
    marks = {
        knob_function("may_open", always, plugin=plugin, version=version).mark()[:3]
        for plugin in ("p", "q")
        for version in ("1", "2")
    }
    assert len(marks) == 4
    rules = [
        Ruleset().with_function(knob_function("may_open", always, plugin="p", version=version)) for version in "12"
    ]
    assert rules[0].fingerprint != rules[1].fingerprint


# --- a function that fails -------------------------------------------------------------------------------------------


def always(_given: object) -> bool:
    return True


def breaks(_given: object) -> int:
    raise ZeroDivisionError("division by zero")


def says(_given: object) -> str:
    return "ten"


def with_function(name: str, call: Callable[..., object]) -> Ruleset:
    return NORWEGIAN.with_function(knob_function(name, call, plugin="strange"))


# For each function knob a position and the move that asks it.
ASKED = {
    "meld_points": "meld 7h 8h 9h",
    "may_open": "meld 7h 8h 9h",
    "may_go_out": "discard 2c",
    "left_points": "discard 2c",
    "hand_bonus": "discard 2c",
}


def asked(name: str, rules: Ruleset) -> tuple[Game, Action]:
    hand = "7h 8h 9h 2c" if ASKED[name].startswith("meld") else "2c"
    game = at(f'seats = ["A", "B"]\nphase = "play"\n[deal]\nhands = {{ A = "{hand}", B = "Ks" }}', rules)
    return game, read_action(ASKED[name], game.view(0))


def test_every_function_knob_is_tried() -> None:
    assert ASKED.keys() == set(KNOB_FUNCTIONS)


@pytest.mark.parametrize("name", KNOB_FUNCTIONS)
@pytest.mark.parametrize(
    ("call", "cause"),
    [
        (breaks, "ZeroDivisionError: division by zero"),
        (says, "it answered str where a number is needed"),
        (lambda: 1, "positional argument"),
    ],
    ids=["raises", "wrong-type", "wrong-signature"],
)
def test_a_function_that_fails_is_named_with_plugin_knob_and_cause(
    name: str, call: Callable[..., object], cause: str
) -> None:
    game, action = asked(name, with_function(name, call))
    with pytest.raises(KnobFailed) as caught:
        game.act(0, action)
    assert (caught.value.plugin, caught.value.knob) == ("strange", name)
    assert cause in caught.value.cause
    assert f"'{name}'" in str(caught.value)
    assert "'strange'" in str(caught.value)


@pytest.mark.parametrize("name", KNOB_FUNCTIONS)
def test_a_function_that_answers_is_asked_in_the_course_of_play(name: str) -> None:
    heard: list[object] = []

    def listens(given: object) -> int:
        heard.append(given)
        return 1

    game, action = asked(name, with_function(name, listens))
    game.act(0, action)
    kinds = {"meld_points": Meld, "may_open": tuple, "left_points": tuple}
    assert heard
    assert all(isinstance(given, kinds.get(name, HandSummary)) for given in heard)


def test_an_unknown_function_knob_is_refused() -> None:
    with pytest.raises(RulesetError, match="no function knob called 'may_cheat'"):
        Ruleset().with_function(knob_function("may_cheat", always, plugin="p"))


def test_without_a_function_there_is_no_answer() -> None:
    assert ask_function(Ruleset(), "hand_bonus", cast("HandSummary", None)) is None


def test_moves_are_offered_as_the_functions_allow() -> None:
    game, _ = asked("may_open", with_function("may_open", lambda melds: len(melds) > 1))
    assert all(not str(action).startswith("meld") for action in legal_actions(game.view(0)))
