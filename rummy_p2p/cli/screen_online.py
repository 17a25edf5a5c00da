"""The network under the lobby of the full screen: up for one stay. Loaded when the first frame has been drawn."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime

from rummy_p2p.cli import CommandError
from rummy_p2p.cli.kept import kept_matches
from rummy_p2p.cli.lan import on_the_lan, refusals
from rummy_p2p.cli.screen_lan import ScreenLan
from rummy_p2p.journal import Unfinished as Kept
from rummy_p2p.sentences.titles import table_title
from rummy_p2p.ui.lobby_model import Unfinished
from rummy_p2p.ui.screen import Screen
from rummy_p2p.variants.manager import Catalogue


@asynccontextmanager
async def up(options: Namespace, games: Catalogue, screen: Screen) -> AsyncIterator[ScreenLan]:
    """Yield the network; what it refuses is a CommandError."""
    with refusals():
        async with on_the_lan(options, aloud=False) as (peer, files):
            lan = ScreenLan(options, peer, files, games, screen, lambda: kept_rows(options, screen))
            try:
                yield lan
            finally:
                lan.close()


def kept_rows(options: Namespace, screen: Screen) -> tuple[Unfinished, ...]:
    """Return the matches that are kept here and not over; a file that cannot be read is told, and hinders nothing."""
    try:
        found = kept_matches(options)
    except CommandError as error:
        screen.note(str(error))
        return ()
    return tuple(_kept_row(each) for each in found)


def _kept_row(kept: Kept) -> Unfinished:
    when = datetime.fromtimestamp(kept.at).astimezone().strftime("%Y-%m-%d %H:%M")
    title = table_title(kept.title, kept.game, kept.players[0])  # who opens a table has the first seat
    return Unfinished(kept.match.hex(), title, kept.players, kept.hand, when)
