"""Plugins made up for tests: modules with the hook functions that are given."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import ModuleType

from rummy_p2p.variants.api import Bot, Game, HouseRule, Meta, Option, Options, Ruleset, hookimpl
from rummy_p2p.variants.manager import Source


def plugin(name: str, source: str = "test", **hooks: Callable[..., object]) -> Source:
    """Return the source of a plugin whose hooks answer what the functions do."""
    return of_hooks(name, hooks, source)


def of_hooks(name: str, hooks: Mapping[str, Callable[..., object]], source: str = "test") -> Source:
    module = ModuleType(name)
    for hook, function in hooks.items():
        setattr(module, hook, hookimpl(function))
    return Source(name, source, "1", lambda: module)


def of_games(name: str, *games: object) -> Source:
    return plugin(name, rummy_games=lambda: games)


def of_rules(name: str, *rules: object) -> Source:
    return plugin(name, rummy_house_rules=lambda: rules)


def of_bots(name: str, *levels: str) -> Source:
    """Return a plugin with levels that do nothing."""
    return plugin(name, rummy_bots=lambda: [Bot(level, lambda _view, _seed: None) for level in levels])


def failing(name: str, error: BaseException) -> Source:
    """Return a plugin that cannot be imported."""

    def load() -> object:
        raise error

    return Source(name, "test", "1", load)


def game(name: str, rules: Ruleset | None = None) -> Game:
    return Game(name, rules or Ruleset(meta=Meta(title=name)))


def rule(name: str, change: Callable[[Ruleset, Options], Ruleset] | None = None, *options: Option) -> HouseRule:
    return HouseRule(name, name, "A rule.", change or (lambda rules, _options: rules), options)
