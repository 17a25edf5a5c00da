"""A table on the full screen, straight from the command line: practice, host, join."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from argparse import Namespace
from collections.abc import Callable
from typing import NamedTuple

import msgspec

from rummy_p2p.cli.inviting import Inviting
from rummy_p2p.cli.settled import chosen
from rummy_p2p.ruleset import Ruleset
from rummy_p2p.sentences.screen import TableFacts
from rummy_p2p.store import Store
from rummy_p2p.ui.console import Seat
from rummy_p2p.ui.screen import Screen
from rummy_p2p.ui.table_room import TableRoom
from rummy_p2p.ui.ways_room import Ways

_log = logging.getLogger(__name__)


class Network(NamedTuple):
    """What a table on the network has besides its seat: ``watch`` tells of changes that are no events.

    ``is_suspended``: whether the player has gone, and keeps the seat: then nothing is left to be looked at. ``ways``:
    how others come to the player's own table, in plain characters or not.
    """

    watch: Callable[[Callable[[], None]], Callable[[], None]]
    is_suspended: Callable[[], bool]
    inviting: Inviting
    ways: Callable[[bool], Ways | None]


def on_screen(options: Namespace, files: Store) -> bool:
    """Whether the table is shown on the full screen: in a terminal, unless lines of text are wanted."""
    if options.plain or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    return os.environ.get("TERM", "dumb") != "dumb" and not chosen(options, files).flag("plain")


async def sit(
    options: Namespace,
    files: Store,
    seat: Seat,
    facts: Callable[[], TableFacts],
    *,
    pace: float = 0.0,
    network: Network | None = None,
) -> int:
    """Show a table until it has been left; return the exit code."""
    screen = Screen(chosen(options, files).look())
    room = TableRoom(screen, seat, facts=facts, pace=pace, vote=lambda number: keep_vote(files, seat.rules, number))
    if network is not None:
        ascii_only = screen.look.glyphs.across.isascii()
        room.invites.present, room.invites.ask_in = network.inviting.people, network.inviting.ask
        room.invites.ways = lambda: network.ways(ascii_only)
    room.begin()
    if network is not None:
        room.when_over(network.watch(room.look))
        room.when_over(lambda: room.end() if network.is_suspended() else None)
    return await screen.run(room)


def practise(options: Namespace, files: Store, seat: Seat, facts: Callable[[], TableFacts]) -> int:
    """Show a table of bots."""
    return asyncio.run(sit(options, files, seat, facts, pace=max(0.0, options.pace)))


def keep_vote(files: Store, rules: Ruleset, number: int) -> None:
    """Keep on this machine how fun the player finds these rules, 1 to 5; the last word counts."""
    path = files.paths.state / "votes.json"
    try:
        votes = msgspec.json.decode(path.read_bytes(), type=dict[str, int]) if path.exists() else {}
        votes["+".join((rules.game, *rules.house))] = number
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(msgspec.json.format(msgspec.json.encode(votes)))
    except (OSError, msgspec.DecodeError) as error:
        _log.warning("the vote could not be kept in %s: %s", path, error)
