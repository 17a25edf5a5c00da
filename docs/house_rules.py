#!/usr/bin/env python3
"""Writes docs/house-rules.md out of what the program says of itself (``games --json``): ``make docs`` runs it."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from typing import Any

HEAD = """# Games and house rules

Made from `rummy-p2p games --json` by `make docs`; not edited by hand. How to make your own: [variants](variants.md).

A house rule is laid over a game with `--house`; several are laid one over the other in the order given.
`--house take-all` takes it as it is, `--house limit=100` sets its first option,
`--house knock-claim:penalty=stock,count=1` sets options by name.
`rummy-p2p rules rummy-sv --house take-all` tells the rules of exactly that table, what differs first.
"""
TYPES = {"int": "a whole number", "bool": "yes or no", "str": "words"}

Entry = dict[str, Any]


def answer(*words: str) -> Entry:
    """Return what a command answers in an installation that holds no files of a player."""
    with tempfile.TemporaryDirectory() as empty:
        command = [sys.executable, "-m", "rummy_p2p", *words, "--json", "--data", empty]
        done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    found: Entry = json.loads(done.stdout)
    return found


def page() -> Iterator[str]:
    """Yield the lines of the page: the games, and the house rules in the order of their names."""
    found = answer("games")
    shipped = {plugin["name"] for plugin in answer("variants")["plugins"] if plugin["source"] == "rummy-p2p"}
    games = [game for game in found["games"] if game["plugin"] in shipped]
    rules = [rule for rule in found["house_rules"] if rule["plugin"] in shipped]
    ids = [game["id"] for game in games]
    yield from (HEAD, "## Games", "", "| | | players | minutes | |", "|---|---|---|---|---|")
    yield from map(game_row, games)
    yield from ("", "## House rules", "", "| | | options | fits |", "|---|---|---|---|")
    yield from (rule_row(rule, ids) for rule in rules)


def game_row(game: Entry) -> str:
    """Return the row of a game."""
    least, most = game["players"]
    players = str(least) if least == most else f"{least} to {most}"
    minutes = "{} to {}".format(*game["minutes"])
    return row(f"`{game['id']}`", game["title"], players, minutes, game["difficulty"])


def rule_row(rule: Entry, games: Sequence[str]) -> str:
    """Return the row of a house rule."""
    options = "<br>".join(map(option_text, rule["options"])) or "none"
    return row(f"`{rule['id']}`", f"**{rule['title']}.** {rule['explain']}", options, fits(rule["fits"], games))


def option_text(option: Entry) -> str:
    """Return an option: what it may be, what it is by itself, what it is about."""
    values = ", ".join(f"`{choice}`" for choice in option["choices"]) or TYPES[option["type"]]
    default = "as the game has it" if option["default"] is None else f"`{typed(option['default'])}`"
    about = f"; {option['explain']}" if option["explain"] else ""
    return f"`{option['name']}`: {values}; by itself {default}{about}"


def typed(value: object) -> str:
    """Return a value as it is typed on the command line."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def fits(found: Sequence[str], games: Sequence[str]) -> str:
    """Return the games that a rule fits, or those that it does not fit when they are fewer."""
    others = [game for game in games if game not in found]
    if not others:
        return "every game"
    if len(others) < len(found):
        return f"every game but {', '.join(f'`{game}`' for game in others)}"
    return ", ".join(f"`{game}`" for game in games if game in found) or "no game by itself; it needs another house rule"


def row(*cells: str) -> str:
    """Return a row of a table."""
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


if __name__ == "__main__":
    sys.stdout.write("\n".join(page()) + "\n")
