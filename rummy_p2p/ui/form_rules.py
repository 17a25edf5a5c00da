"""What a house rule is about, found out by trying it: the knobs that it turns, and what the game has there."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final

from rummy_p2p.ruleset import Ruleset, RulesetError, differences
from rummy_p2p.variants.api import HouseRule, Option, OptionValue
from rummy_p2p.variants.manager import Catalogue

Tried = tuple[str, Ruleset]

_GROUPS: Final = {
    **dict.fromkeys(("match", "clock", "scoring"), "match"),
    **dict.fromkeys(("deck", "draw", "claim", "stock_out", "upcard", "hand_size"), "drawing"),
}
_NUMBERS: Final = (3, 7, 1, 12)  # two of them fit wherever a number does


def group_of(games: Catalogue, game: str, rule: HouseRule) -> str:
    """Return under which heading a rule stands: match, laying or drawing."""
    return _about(_Shop(games), game, rule.id)[0]


def present_value(games: Catalogue, game: str, rule: HouseRule, option: Option) -> OptionValue:
    """Return what the game has where an option sets nothing else; None when that cannot be told."""
    path = dict(_about(_Shop(games), game, rule.id)[1]).get(option.name)
    value = games.games[game].rules.knobs()[path] if path else None
    return value if isinstance(value, bool | int | str) else None


class _Shop:
    """A catalogue that can be the key of a cache: one and the same is equal to itself."""

    def __init__(self, games: Catalogue) -> None:
        self.games = games

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Shop) and self.games is other.games

    def __hash__(self) -> int:
        return id(self.games)


@cache
def _about(shop: _Shop, game: str, name: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return the heading of a rule and for each of its options the knob that it sets, where there is one."""
    rule = shop.games.house_rules[name]
    tried = {option.name: tuple(_try(shop.games, game, rule, option)) for option in rule.options}
    plain = shop.games.compile(game)
    every = [*_as_is(shop.games, game, rule), *(one for each in tried.values() for one in each)]
    changed = list(_changes(plain, every))
    heading = next((_GROUPS.get(path.partition(".")[0], "laying") for path in changed), "laying")
    knobs = ((option, _follows(results)) for option, results in tried.items())
    return heading, tuple((option, path) for option, path in knobs if path)


def _as_is(games: Catalogue, game: str, rule: HouseRule) -> Iterator[Tried]:
    try:
        yield "", games.compile(game, [rule.id])
    except RulesetError:
        return


def _try(games: Catalogue, game: str, rule: HouseRule, option: Option) -> Iterator[Tried]:
    """Yield what comes of values of an option, as far as they are allowed."""
    for value in _values(option):
        try:
            yield value, games.compile(game, [f"{rule.id}:{option.name}={value}"])
        except RulesetError:
            continue


def _values(option: Option) -> tuple[str, ...]:
    if option.type is bool:
        return ("yes", "no")
    if option.type is int:
        return tuple(str(option.least + number) for number in _NUMBERS)
    return tuple(str(choice) for choice in option.choices)


def _changes(plain: Ruleset, tried: list[Tried]) -> Iterator[str]:
    for _value, rules in tried:
        yield from differences(plain, rules)


def _follows(tried: tuple[Tried, ...]) -> str:
    """Return the knob that has each of the values that were tried; nothing when there is none."""
    if len(tried) < 2:
        return ""
    knobs = [({"True": "yes", "False": "no"}, value, rules.knobs()) for value, rules in tried]
    fitting = (
        path
        for path in knobs[0][2]
        if all(words.get(str(values[path]), str(values[path])) == value for words, value, values in knobs)
    )
    return next(fitting, "")
