"""What commands of the command line answer that have no table: the list of games, the best of a hand, wrong numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from rummy_p2p.ruleset import Ruleset
from rummy_p2p.sentences.language import N_, _, plural
from rummy_p2p.sentences.titles import difficulty_text, title_text

_TEXTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "you": N_("You"),
        "house-rules": N_("House rules:"),
        "folder": N_("Your own files lie in {folder}"),
        "left-out": N_("{error} It is left out (rummy-p2p variants)."),
        "is-demo": N_("there is no terminal here, so this is the demo: three programs play one hand."),
        "problem": N_("record {seq}: {sentence} ({code})"),
        # the best arrangement of a hand
        "left": N_("left {cards} ({points})"),
        "left-nothing": N_("left nothing (0)"),
        "best-discard": N_("best discard {cards}"),
        # why not
        "no-round": N_("The rounds of this game are 1 to {rounds}; --round {round} is none."),
        "no-path": N_("There is no file or folder {path}."),
        "no-scenarios": N_("There are no scenario files in {path}; they end in .toml and name seats."),
        "too-few-hands": N_("--hands is how many hands are played, at least 1, not {hands}."),
        "wrong-bots": N_("{title} is played against {least} to {most} bots, not {bots}."),
    }
)
# What argparse says by itself in the help of a command.
_BY_ITSELF: Final = (
    N_("positional arguments"),
    N_("options"),
    N_("show this help message and exit"),
    N_("show program's version number and exit"),
)
_KINDS: Final[Mapping[str, str]] = MappingProxyType({"set": N_("set"), "run": N_("run")})


def command_text(which: str, **facts: str | int) -> str:
    """Return a sentence of a command."""
    return _(_TEXTS[which]).format_map(facts)


def kind_text(kind: str) -> str:
    """Return whether a meld is a set or a run."""
    return _(_KINDS[kind])


def either(choices: Sequence[str]) -> str:
    """Return ``4h or 9s``."""
    return _(" or ").join(choices)


def game_line(rules: Ruleset) -> str:
    """Return a game in the list: its title, for how many, how long, how hard."""
    least, most = rules.players.min, rules.players.max
    if least == most:
        players = plural("{n} player", "{n} players", least)
    else:
        players = _("{least}-{most} players").format(least=least, most=most)
    minutes, difficulty = rules.meta.minutes, difficulty_text(rules.meta.difficulty)
    text = _("{title}, {players}, {least}-{most} minutes, {difficulty}")
    return text.format(
        title=title_text(rules), players=players, least=minutes[0], most=minutes[1], difficulty=difficulty
    )


def house_rule_line(title: str, explain: str) -> str:
    """Return what a house rule is called and does; the shipped ones translated."""
    return f"{_(title)}: {_(explain)}"


def option_line(name: str, values: Sequence[str], default: str | None, explain: str) -> str:
    """Return an option of a house rule: what may be typed, what holds without, and what it is."""
    told = "" if default is None else _(" (default: {value})").format(value=default)
    return f"{name}={'|'.join(values)}{told}: {_(explain)}".removesuffix(": ")
