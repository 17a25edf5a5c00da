"""Every hook has a plugin of ours that uses it, a test, and a line in the guide."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from rummy_p2p.variants import hookspecs
from rummy_p2p.variants.manager import Source, make_catalogue
from tests.variants.plugins import game, of_bots, of_games, of_rules, rule

ROOT = Path(__file__).parents[2]
HOOKS = sorted(name for name, _ in inspect.getmembers(hookspecs, inspect.isfunction) if name.startswith("rummy_"))


@pytest.mark.parametrize("hook", HOOKS)
def test_a_hook_is_used_described_and_documented(hook: str) -> None:
    specification = getattr(hookspecs, hook)
    users = [path for path in (ROOT / "variants_plugins").glob("*.py") if f"def {hook}(" in path.read_text("utf-8")]
    assert users
    assert (specification.__doc__ or "").endswith(".")
    assert hook in (ROOT / "docs" / "variants.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("hook", "source", "found"),
    [
        pytest.param("rummy_games", of_games("p", game("a"), game("b")), {"a", "b"}, id="rummy_games"),
        pytest.param("rummy_house_rules", of_rules("p", rule("c"), rule("d")), {"c", "d"}, id="rummy_house_rules"),
        pytest.param("rummy_bots", of_bots("p", "e", "f"), {"e", "f"}, id="rummy_bots"),
    ],
)
def test_what_a_hook_yields_is_in_the_catalogue(hook: str, source: Source, found: set[str]) -> None:
    assert hook in HOOKS
    catalogue = make_catalogue([source])
    assert catalogue.games.keys() | catalogue.house_rules.keys() | catalogue.bots.keys() == found


def test_every_hook_is_tested() -> None:
    assert {"rummy_bots", "rummy_games", "rummy_house_rules"} == set(HOOKS)
