"""Lines typed in the lobby of the full screen that are command lines: done here, or outside of the screen."""

from __future__ import annotations

import asyncio
import io
import shlex
from argparse import Namespace
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from typing import TYPE_CHECKING, Final

from rummy_p2p.cli import USAGE, CommandError
from rummy_p2p.cli.lobby import OF_A_PEER, QUICK, carry_out
from rummy_p2p.cli.network import plan
from rummy_p2p.cli.parser import make_parser
from rummy_p2p.cli.start import common_words
from rummy_p2p.protocol.forming import Guest
from rummy_p2p.sentences import unknown_command
from rummy_p2p.sentences.faults import retold
from rummy_p2p.sentences.guide import help_line
from rummy_p2p.sentences.lobby import LOBBY_WORDS, lobby_help, lobby_text
from rummy_p2p.sentences.screen_lobby import TYPED_WORDS, lobby_say, typed_lines
from rummy_p2p.ui.form import Plan

if TYPE_CHECKING:
    from rummy_p2p.cli.screen_lan import ScreenLan

# Commands that play on another screen, or talk all the time: they get the terminal, and the lobby comes back.
_OUTSIDE: Final = ("demo", "learn", "hotseat", "replay", "resume", "simulate", "doctor", "tables")
# Commands of the shell: these have a help of their own.
_OF_THE_SHELL: Final = frozenset((*_OUTSIDE, *QUICK, "join", "watch", "host", "practice"))


def carry_out_line(lan: ScreenLan, options: Namespace, text: str) -> None:
    """Carry out a line; what it is refused for is told."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        lan.screen.note(lobby_text("bad-line", why=str(error)))
        return
    if not words:
        return
    try:
        _carry_out(lan, options, words)
    except CommandError as error:
        lan.screen.note(retold(str(error)))


def _carry_out(lan: ScreenLan, options: Namespace, words: list[str]) -> None:
    common = common_words(options)
    word = words[0]
    if word == "help":
        _help(lan, words)
    elif word == "resume" and "--list" in words:
        lan.begin(lobby_say("working", what=word), _answer(lan, [*common, *words]))
    elif _opens_a_room(lan, words):
        return
    elif word in _OUTSIDE or (word not in QUICK and any(each.partition("=")[0] in OF_A_PEER for each in words)):
        lan.run_outside(words)
    elif word in QUICK:
        lan.begin(lobby_say("working", what=word), _answer(lan, [*common, *words]))
    elif word in ("join", "watch", "host", "practice"):
        parsed, refused = _parsed([*common, *words])
        if parsed is None:
            lan.screen.page(lobby_say("output"), refused.splitlines)
        else:
            _play(lan, word, parsed)
    else:
        lan.screen.note(unknown_command(word, (*LOBBY_WORDS, *TYPED_WORDS)))


def _opens_a_room(lan: ScreenLan, words: Sequence[str]) -> bool:
    """Open the room that a short line means; what says more than that is left to the command line."""
    word, game = words[0], words[1] if len(words) == 2 else ""
    if word == "people" and len(words) == 1:
        lan.show("people")
    elif word == "replay" and len(words) == 1:
        lan.show("replays", "", ())
    elif word == "learn" and (len(words) == 1 or game in lan.games.games):
        lan.show("learn", game or "gin", ())
    elif word == "doctor" and len(words) <= 2 and not game.startswith("-"):
        lan.network.doctor(game)
    elif word == "hotseat" and game in lan.games.games:
        lan.one_screen(Plan(game))
    else:
        return False
    return True


def _play(lan: ScreenLan, word: str, options: Namespace) -> None:
    if word == "join":
        lan.going.join(options.table or _first_open(lan), walk=options.scan)
    elif word == "watch":
        lan.going.look_on(options.table or _first_in_play(lan), walk=options.scan)
    elif word == "practice":
        seats, bots = options.bots + 1, options.bots
        house, level = tuple(options.house), _level(lan, options)
        lan.practice(Plan(options.game, house, seats=seats, bots=bots, level=level, hands=options.hands or 0))
    else:
        rules, settings = plan(options)
        guest = Guest(lan.nick, options.bots, wish=options.be_host)
        lan.open_table(rules, settings, guest, _level(lan, options), ssh=options.ssh)


def _level(lan: ScreenLan, options: Namespace) -> str:
    """Return the level of the bots; CommandError when there is none of that name."""
    if options.level not in lan.levels:
        raise CommandError(lobby_text("no-level", level=repr(options.level), levels=", ".join(lan.levels)), USAGE)
    return str(options.level)


def _first_open(lan: ScreenLan) -> str:
    """Return the first table that has a seat, one with our rules before others; nothing when there is none yet."""
    found = sorted((row for row in lan.tables() if row.has_room), key=lambda row: row.fit != "same")
    return found[0].address if found else ""


def _first_in_play(lan: ScreenLan) -> str:
    """Return the first table at which something is to be seen; nothing when there is none yet."""
    found = sorted(lan.tables(), key=lambda row: (row.state != "playing", row.fit != "same"))
    return found[0].address if found else ""


def _help(lan: ScreenLan, words: Sequence[str]) -> None:
    known = _help_lines()
    if len(words) == 1:
        lines = list(known.values())
    elif words[1] in _OF_THE_SHELL:
        lines = _said([words[1], "--help"]).splitlines()
    elif words[1] in known:
        lines = [known[words[1]]]
    else:
        lan.screen.note(unknown_command(words[1], tuple(known)))
        return
    lan.screen.page(lobby_say("output"), lambda: lines)


def _help_lines() -> dict[str, str]:
    """Return the line of help of every word that can be typed here."""
    typed = (help_line(example, sentence) for example, sentence in typed_lines())
    return dict(zip((*LOBBY_WORDS, *TYPED_WORDS), (*lobby_help(), *typed), strict=True))


async def _answer(lan: ScreenLan, words: list[str]) -> None:
    """Show what a command answers; it may take a while."""
    text = await asyncio.to_thread(_said, words)
    lan.screen.page(lobby_say("output"), text.splitlines)


def _parsed(words: Sequence[str]) -> tuple[Namespace | None, str]:
    """Return a command line as it was understood, or None and why not."""
    said = io.StringIO()
    try:
        with redirect_stdout(said), redirect_stderr(said):
            return make_parser().parse_args(words), ""
    except SystemExit:  # of argparse, which has said why
        return None, said.getvalue()


def _said(words: Sequence[str]) -> str:
    """Run a command line and return everything that it writes."""
    raw = io.BytesIO()
    said = io.TextIOWrapper(raw, encoding="utf-8", write_through=True)
    with redirect_stdout(said), redirect_stderr(said):
        carry_out(words)
        said.flush()
    return raw.getvalue().decode()
