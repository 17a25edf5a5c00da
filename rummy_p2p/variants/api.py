"""All that a plugin may import: the hook marker, the vocabulary of rules, and the value objects of function knobs.

A plugin is a module with one or more hook functions::

    from rummy_p2p.variants.api import Game, Ruleset, hookimpl

    @hookimpl
    def rummy_games():
        return [Game("long-rummy", Ruleset(hand_size=(10,), meta=Meta(title="Long rummy")))]

It is called once when the program makes its catalogue; what it yields is data. Where data cannot say a rule, give a
pure function with ``knob_function``: the plugin's source enters the fingerprint, so that peers can tell whether theirs
is the same.
"""

from __future__ import annotations

import hashlib
import inspect
import linecache
from collections.abc import Callable, Mapping
from typing import Final

import msgspec
import pluggy

from rummy_p2p.cards import Card, natural
from rummy_p2p.engine import Action, View, legal_actions
from rummy_p2p.melds import Meld, meld_points
from rummy_p2p.rules.functions import HandSummary
from rummy_p2p.ruleset import (
    Claim,
    Clock,
    Deck,
    Draw,
    GoingOut,
    HandValues,
    JokerSwap,
    KnobFunction,
    Labels,
    MatchEnd,
    Melds,
    MeldValues,
    Meta,
    Opening,
    Players,
    Round,
    Ruleset,
    RulesetError,
    Scoring,
    StockOut,
)

__all__ = [
    "Action", "Bot", "Card", "Claim", "Clock", "Deck", "Draw", "Game", "GoingOut", "HandSummary", "HandValues",
    "HouseRule", "JokerSwap", "KnobFunction", "Labels", "MatchEnd", "Meld", "MeldValues", "Melds", "Meta", "Opening",
    "Option", "OptionValue", "Options", "Players", "Round", "Ruleset", "RulesetError", "Scoring", "StockOut", "View",
    "conflict", "hookimpl", "knob_function", "legal_actions", "meld_points", "natural",
]  # fmt: skip

PROJECT: Final = "rummy_p2p"
hookimpl = pluggy.HookimplMarker(PROJECT)

OptionValue = int | bool | str | None
Options = Mapping[str, OptionValue]


class Option(msgspec.Struct, frozen=True):
    """A typed option of a house rule. ``default`` None: what the game has. ``choices`` empty: any value of the type."""

    name: str
    type: type[int | bool | str]
    default: OptionValue = None
    choices: tuple[OptionValue, ...] = ()
    explain: str = ""
    least: int = 0


class Game(msgspec.Struct, frozen=True):
    """A game: an id of small letters, digits and hyphens, and its Ruleset."""

    id: str
    rules: Ruleset


class HouseRule(msgspec.Struct, frozen=True):
    """A function Ruleset -> Ruleset with a title and typed options; the first option is what ``RULE=VALUE`` sets.

    ``change(rules, options)`` raises ``conflict(...)`` when it contradicts the game it is laid over. ``game``: the only
    game that it is for, when there is one; ``house``: other house rules that are laid beneath it.
    """

    id: str
    title: str
    explain: str
    change: Callable[[Ruleset, Options], Ruleset]
    options: tuple[Option, ...] = ()
    game: str = ""
    house: tuple[str, ...] = ()


class Bot(msgspec.Struct, frozen=True):
    """A level of play: an id of small letters, digits and hyphens, and ``decide(view, seed)``, which returns an action.

    The view holds what the seat sees, ``legal_actions(view)`` all that it may do. None: there is nothing to do.
    The same view and seed must give the same action.
    """

    id: str
    decide: Callable[[View, int], Action | None]
    explain: str = ""


def conflict(why: str) -> RulesetError:
    """Return the error with which a house rule says that it does not fit a game; ``why`` completes "because"."""
    return RulesetError("rule-conflict", why)


def knob_function(name: str, call: Callable[..., object], *, plugin: str, version: str = "1") -> KnobFunction:
    """Return a function knob. What is hashed is the whole file that it stands in, since a function uses its neighbours,
    and the values that it has taken in from a function around it, such as an option.

    Line ends are normalised. Raises OSError when there is no source to read: peers could not compare the rule.
    """
    file = inspect.getsourcefile(call)
    source = "".join(linecache.getlines(file or "")).replace("\r\n", "\n")
    if not source:
        raise OSError(f"the source of {call!r} cannot be read")
    digest = hashlib.sha256((source + _surroundings(call)).encode()).hexdigest()
    return KnobFunction(name=name, plugin=plugin, version=version, source_hash=digest, call=call)


def _surroundings(call: Callable[..., object]) -> str:
    """Return what a function has taken in from the function that made it; nothing for a function of the module."""
    if not inspect.isfunction(call) or not call.__closure__:
        return ""
    values = {name: cell.cell_contents for name, cell in zip(call.__code__.co_freevars, call.__closure__, strict=True)}
    return msgspec.json.encode(values, enc_hook=lambda value: type(value).__name__, order="sorted").decode()
