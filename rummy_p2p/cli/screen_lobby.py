"""The lobby on the full screen: a stay on the network with one screen, again and again until the player quits.

The law of the file
    The lobby is drawn before the network is up, and before what that needs is loaded.
    The peer that sees the tables is the one that sits down. A command that wants the terminal for itself is run outside
    when the screen has been closed, and the lobby opened again after it; so it is when a setting needs that.
"""

from __future__ import annotations

import asyncio
import gc
import getpass
import sys
from argparse import Namespace
from collections.abc import Sequence
from importlib import import_module

from rummy_p2p.cli import INTERRUPTED, OK, loading
from rummy_p2p.cli.local import catalogue, say, store
from rummy_p2p.cli.screen_first import ComingLan
from rummy_p2p.cli.settled import chosen
from rummy_p2p.cli.ssh_extra import why_no_ssh
from rummy_p2p.protocol.text import NICK_LIMIT, clean
from rummy_p2p.sentences import use_language
from rummy_p2p.sentences.screen_lobby import lobby_say
from rummy_p2p.store import Store
from rummy_p2p.ui.form import Form, Plan
from rummy_p2p.ui.lobby_room import LobbyRoom, Named
from rummy_p2p.ui.screen import Screen
from rummy_p2p.variants.manager import Catalogue


def screen_lobby(options: Namespace, common: Sequence[str]) -> int:
    """Stay in the lobby until the player quits; the ``common`` words hold for whatever is run outside."""
    plan: Plan | None = None
    while True:
        used = _with_settings(options)
        use_language(used.lang)
        errand, code, plan = asyncio.run(_visit(used, plan))
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
    with loading():
        games, files = catalogue(options), store(options)
        form = _form(games, plan)
        screen = Screen(chosen(options, files).look())
        coming = ComingLan(screen, clean(options.nick or getpass.getuser(), NICK_LIMIT), str(files.paths.data))
        room = LobbyRoom(screen, coming, form, _named(options, files))
    drawn = asyncio.Event()
    screen.app.after_render += lambda _app: drawn.set()
    shown = asyncio.create_task(screen.run(room))
    try:
        await asyncio.wait({shown, asyncio.create_task(drawn.wait())}, return_when=asyncio.FIRST_COMPLETED)
        with loading():
            network = await asyncio.to_thread(import_module, "rummy_p2p.cli.screen_online")
            gc.freeze()  # as the screen does with what was loaded before it
        async with network.up(options, games, screen) as lan:
            room.meet(lan)
            coming.hand_over(lan)
            code = await shown
        return (None if code == INTERRUPTED else lan.errand), code, form.plan()
    finally:
        room.close()
        coming.quit()
        await shown


def _named(options: Namespace, files: Store) -> Named:
    """Return from where the player's name comes; what was given for this start is not kept."""
    if options.nick is None:
        return "login"
    return "kept" if files.config().nick is not None else "given"


def _form(games: Catalogue, plan: Plan | None) -> Form:
    form = Form(games, games.level_names())
    form.no_ssh = why_no_ssh()
    if plan is not None and plan.game in games.games:
        form.take(plan)
    return form


def _outside(words: Sequence[str]) -> None:
    """Run a command line in the terminal, and let the player read what it has said."""
    from rummy_p2p.cli.lobby import carry_out

    code = carry_out(words)
    if code != OK or {"demo", "doctor", "tables"} & set(words):
        say("", lobby_say("press-enter"))
        sys.stdin.readline()
