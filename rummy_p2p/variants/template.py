"""``variants new``: a plugin to begin with, which works as it is, and its test, which passes."""

from __future__ import annotations

import keyword
import sys
from pathlib import Path
from typing import Final

from rummy_p2p.variants.manager import ID, FileError

_PLUGIN: Final = '''"""{title}: whoever has no card left at the end of a hand is rewarded."""

from rummy_p2p.variants.api import HandSummary, HouseRule, Option, Options, Ruleset, hookimpl, knob_function


def change(rules: Ruleset, options: Options) -> Ruleset:
    """Return the rules with the reward: points on top where the most win, points off where the fewest do."""
    points = int(options["points"] or 0) * (1 if rules.match.winner == "highest" else -1)

    def hand_bonus(summary: HandSummary) -> int:
        return 0 if summary.left or summary.winner != summary.seat else points

    return rules.with_function(knob_function("hand_bonus", hand_bonus, plugin="{name}", version="1"))


@hookimpl
def rummy_house_rules() -> list[HouseRule]:
    """Yield the rule."""
    points = Option("points", int, 10, explain="what an empty hand is worth", least=1)
    return [HouseRule("{name}", "{title}", "An empty hand is rewarded.", change, (points,))]
'''

_TEST: Final = '''"""Tests of {name}. Run them with: python -m pytest {test}"""

from rummy_p2p.offline.laws import try_hand
from rummy_p2p.variants.api import Card, HandSummary
from rummy_p2p.variants.manager import Source, installed, make_catalogue

import {module}

CATALOGUE = make_catalogue([*installed(), Source("{name}", "{file}", "1", lambda: {module})])
LEFT = (Card.parse("7h"),)


def bonus(game: str, rule: str, *left: Card) -> object:
    """Return what the winner of a hand gets on top."""
    function = CATALOGUE.compile(game, [rule]).function("hand_bonus")
    assert function
    summary = HandSummary(seat=0, winner=0, ending="out", melds=(), left=left, points_laid=0, all_at_once=False)
    return function.call(summary)


def test_the_plugin_is_whole() -> None:
    assert [plugin.error for plugin in CATALOGUE.plugins if plugin.name == "{name}"] == [None]


def test_an_empty_hand_is_rewarded() -> None:
    assert bonus("rummy-no", "{name}") == -10
    assert bonus("rummy-no", "{name}", *LEFT) == 0


def test_the_reward_is_as_large_as_the_option_says() -> None:
    assert bonus("rummy-no", "{name}:points=25") == -25


def test_every_law_holds_on_random_hands() -> None:
    rules = CATALOGUE.compile("rummy-no", ["{name}"])
    for seed in range(3):
        try_hand(rules, rules.players.min, seed)
'''


def new_plugin(name: str, folder: Path) -> tuple[Path, Path]:
    """Write a plugin that brings a house rule of this id, and its test; FileError when one of the files is there."""
    module = _module_of(name)
    title = name.replace("-", " ").capitalize()
    plugin, test = folder / f"{module}.py", folder / f"test_{module}.py"
    words = {"name": name, "title": title, "module": module, "file": plugin.name, "test": test.name}
    there = [str(path) for path in (plugin, test) if path.exists()]
    if there:
        raise FileError(
            "rule-conflict", f"{there[0]} is there already, and nothing is overwritten. Choose another name."
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, text in ((plugin, _PLUGIN), (test, _TEST)):
            with path.open("x", encoding="utf-8") as file:
                file.write(text.format(**words))
    except OSError as error:
        told = f"{error.filename or folder} cannot be written: {error.strerror or error}"
        raise FileError("rule-conflict", f"{told}. Choose another folder with --into.") from error
    return plugin, test


def _module_of(name: str) -> str:
    if not ID.fullmatch(name):
        told = "is not an id of a house rule; they are made of small letters, digits and hyphens, such as empty-hand"
        raise FileError("bad-option", f"{name!r} {told}.")
    module = name.replace("-", "_")
    if keyword.iskeyword(module) or module in sys.stdlib_module_names:
        raise FileError("bad-option", f"{name!r} is a word of Python itself; choose another name, such as my-{name}.")
    return module
