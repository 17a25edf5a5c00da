"""Levels of play that plugins bring."""

from __future__ import annotations

import pytest

from rummy_p2p.bots import LEVELS
from rummy_p2p.variants.api import Bot
from rummy_p2p.variants.manager import make_catalogue
from tests.variants.plugins import game, of_games, plugin

NORMAL = LEVELS["normal"]


def error(*bots: object) -> str | None:
    found = make_catalogue([plugin("bots", rummy_bots=lambda: bots)])
    return found.plugins[0].error


def test_a_plugin_adds_a_level() -> None:
    found = make_catalogue([plugin("bots", rummy_bots=lambda: [Bot("steady", NORMAL, "As the normal one.")])])
    assert list(found.levels()) == ["easy", "normal", "hard", "steady"]
    assert found.level_names() == tuple(found.levels())
    assert found.levels()["steady"] is NORMAL
    assert found.owners["steady"] == "bots"


def test_without_plugins_there_are_the_levels_of_the_program() -> None:
    assert make_catalogue([]).levels() == LEVELS


@pytest.mark.parametrize(
    ("bot", "why"),
    [
        (Bot("hard", NORMAL), "the level 'hard' is one of the program"),
        (Bot("Best Bot", NORMAL), "is not an id"),
        (Bot("silent", "nothing"), "cannot be called"),  # type: ignore[arg-type]  # what a stranger may write
        ("steady", "it yields str where Bot is needed"),
    ],
)
def test_a_level_that_cannot_be_used_leaves_its_plugin_out(bot: object, why: str) -> None:
    assert why in (error(bot) or "")


def test_a_level_may_not_have_the_name_of_a_game() -> None:
    found = make_catalogue(
        [of_games("games", game("steady")), plugin("zebra", rummy_bots=lambda: [Bot("steady", NORMAL)])]
    )
    assert [plugin.ok for plugin in found.plugins] == [True, False]
    assert "already provided by 'games'" in (found.plugins[1].error or "")
