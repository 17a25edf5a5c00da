"""The command that looks through a ledger file: replay."""

from __future__ import annotations

import asyncio
import sys
from argparse import Namespace

from prompt_toolkit import PromptSession

from rummy_p2p.cli import ERROR, INTERRUPTED, OK, USAGE, CommandError
from rummy_p2p.cli.files import read_ledger
from rummy_p2p.cli.lan import logging_to_file
from rummy_p2p.cli.local import answer, say, store
from rummy_p2p.cli.screen_play import on_screen
from rummy_p2p.cli.settled import chosen
from rummy_p2p.offline.replay import Replay
from rummy_p2p.sentences.language import listed
from rummy_p2p.sentences.replays import replay_text
from rummy_p2p.ui.console import printable
from rummy_p2p.ui.replay import ReplayConsole, seat_named, whole
from rummy_p2p.ui.replay_room import ReplayRoom
from rummy_p2p.ui.screen import Screen


def replay(options: Namespace) -> int:
    """Look through a ledger: at a prompt in a terminal, all of it at once elsewhere."""
    film = Replay(*read_ledger(options))
    seat = _seat(film, options.seat)
    if options.json:
        answer({"ok": film.problem is None, "records": _records(film, seat), "problem": film.problem})
    elif not film.last:
        raise CommandError(film.stop())
    elif on_screen(options, store(options)):
        return _on_screen(options, film, seat)
    elif sys.stdin.isatty() and sys.stdout.isatty():
        return _at_prompt(film, seat)
    else:
        say(*map(printable, whole(film, seat)))
    return OK if film.problem is None else ERROR


def _seat(film: Replay, wanted: str | None) -> int | None:
    seat = None if wanted is None else seat_named(film.names, wanted)
    if wanted is not None and seat is None:
        raise CommandError(replay_text("no-seat", name=repr(wanted), names=listed(list(film.names))), USAGE)
    return seat


def _records(film: Replay, seat: int | None) -> list[dict[str, object]]:
    return [
        {
            "seq": frame.number,
            "kind": frame.kind,
            "author": frame.author,
            "hand": frame.hand,
            "move": frame.move or None,
            "lines": film.lines(frame.number, seat),
        }
        for frame in film.frames
    ]


def _on_screen(options: Namespace, film: Replay, seat: int | None) -> int:
    files = store(options)

    async def show() -> int:
        screen = Screen(chosen(options, files).look())
        return await screen.run(ReplayRoom(screen, film, seat))

    with logging_to_file(options, files):
        return asyncio.run(show())


def _at_prompt(film: Replay, seat: int | None) -> int:
    console: ReplayConsole = ReplayConsole(film, seat)
    prompt: PromptSession[str] = PromptSession("replay> ")
    say(*map(printable, console.show()))
    while True:
        try:
            said = console.answer(prompt.prompt())
        except EOFError:
            return OK
        except KeyboardInterrupt:
            return INTERRUPTED
        say(*map(printable, said.lines))
        if said.leaves:
            return OK
