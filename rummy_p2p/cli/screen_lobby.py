"""The lobby on the full screen: a stay on the network with one screen, again and again until the player quits.

The law of the file
    The peer that sees the tables is the one that sits down. A command that wants the terminal for itself is run outside
    when the screen has been closed, and the lobby opened again after it; so it is when a setting needs that.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Sequence
from datetime import datetime

from rummy_p2p.cli import INTERRUPTED, OK, CommandError
from rummy_p2p.cli.kept import kept_matches
from rummy_p2p.cli.lan import on_the_lan, run
from rummy_p2p.cli.lobby import carry_out
from rummy_p2p.cli.local import catalogue, say, store
from rummy_p2p.cli.screen_lan import ScreenLan
from rummy_p2p.cli.screen_rooms import chosen
from rummy_p2p.journal import Unfinished as Kept
from rummy_p2p.sentences import use_language
from rummy_p2p.sentences.screen_lobby import lobby_say
from rummy_p2p.sentences.titles import table_title
from rummy_p2p.ui.form import Form, Plan
from rummy_p2p.ui.lobby_model import Unfinished
from rummy_p2p.ui.lobby_room import LobbyRoom
from rummy_p2p.ui.screen import Screen
from rummy_p2p.variants.manager import Catalogue


def screen_lobby(options: Namespace, common: Sequence[str]) -> int:
    """Stay in the lobby until the player quits; the ``common`` words hold for whatever is run outside."""
    plan: Plan | None = None
    while True:
        used = _with_settings(options)
        use_language(used.lang)
        errand, code, plan = run(_visit(used, plan))
        if errand is None:
            return code
        if errand:
            _outside([*common, *errand])


def wants_screen(options: Namespace) -> bool:
    """Whether the lobby is to be on the full screen: unless somebody has said that lines of text are wanted."""
    return not chosen(options, store(options)).flag("plain")


def _with_settings(options: Namespace) -> Namespace:
    """Return the options with what the environment and the file say in place of what was not given."""
    holds = chosen(options, store(options))
    used = Namespace(**vars(options))
    used.nick, used.lang = holds.word("nick"), holds.word("lang")
    interface = holds.word("interface")
    used.interface = options.interface or ([interface] if interface else None)
    used.be_host = "if-needed"
    return used


async def _visit(options: Namespace, plan: Plan | None) -> tuple[list[str] | None, int, Plan]:
    """Be in the lobby once; return what is to be run outside, or None and how the program ends, and the form."""
    games = catalogue(options)
    form = _form(games, plan)
    async with on_the_lan(options) as (peer, files):
        screen = Screen(chosen(options, files).look())
        lan = ScreenLan(options, peer, files, games, screen, lambda: kept_rows(options, screen))
        room = LobbyRoom(screen, lan, form)
        try:
            code = await screen.run(room)
        finally:
            room.close()
            lan.close()
        return (None if code == INTERRUPTED else lan.errand), code, form.plan()


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


def _form(games: Catalogue, plan: Plan | None) -> Form:
    form = Form(games, tuple(games.levels()))
    if plan is not None and plan.game in games.games:
        form.take(plan)
    return form


def _outside(words: Sequence[str]) -> None:
    """Run a command line in the terminal, and let the player read what it has said."""
    code = carry_out(words)
    if code != OK or {"demo", "doctor", "tables"} & set(words):
        say("", lobby_say("press-enter"))
        sys.stdin.readline()
