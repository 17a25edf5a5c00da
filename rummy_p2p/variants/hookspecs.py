"""The hooks, one sentence each. They are called once, when the catalogue is made; never while a hand is played."""

from __future__ import annotations

from collections.abc import Iterable

import pluggy

from rummy_p2p.variants.api import PROJECT, Bot, Game, HouseRule

hookspec = pluggy.HookspecMarker(PROJECT)


@hookspec
def rummy_games() -> Iterable[Game]:  # type: ignore[empty-body]  # a specification has no body
    """Yield the games of this plugin."""


@hookspec
def rummy_house_rules() -> Iterable[HouseRule]:  # type: ignore[empty-body]  # a specification has no body
    """Yield the house rules of this plugin."""


@hookspec
def rummy_bots() -> Iterable[Bot]:  # type: ignore[empty-body]  # a specification has no body
    """Yield levels of play for the bots, for any game."""
