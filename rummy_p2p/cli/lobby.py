"""The lobby: a prompt under a list of tables that keeps itself up to date.

The law of the file
    The lobby is on the LAN all the time: the tables keep their numbers, and a table is joined or opened with the very
    peer that has seen them. A command that wants the terminal or the network for itself, an *errand*, is run outside,
    and the lobby opened again after it. A mistake ends a line, never the lobby.
"""

from __future__ import annotations

import asyncio
import shlex
from argparse import Namespace
from collections.abc import Awaitable, Callable, Mapping, Sequence
from shutil import get_terminal_size
from textwrap import wrap
from typing import Final

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import WordCompleter
from prompt_toolkit.patch_stdout import patch_stdout

from rummy_p2p.cli import ERROR, INTERRUPTED, OK, CommandError, main
from rummy_p2p.cli.finding import Row, rows
from rummy_p2p.cli.inviting import tell_invitations
from rummy_p2p.cli.kept import choose, kept_matches, kept_sentence
from rummy_p2p.cli.lan import on_the_lan, refusals, run
from rummy_p2p.cli.local import catalogue, say
from rummy_p2p.cli.network import Place, find_everywhere, open_table, plan, play, sit_down
from rummy_p2p.cli.parser import make_parser
from rummy_p2p.cli.resume import go_back
from rummy_p2p.cli.watching import ANY, look_on
from rummy_p2p.node.peer import Peer
from rummy_p2p.sentences import unknown_command
from rummy_p2p.sentences.lobby import LOBBY_WORDS, lobby_help, lobby_text
from rummy_p2p.store import Store

# What only looks something up is done where one stands; the others want the terminal or the network for themselves.
QUICK: Final = ("people", "games", "rules", "variants", "hand", "scenario", "verify")
ERRANDS: Final = ("practice", "learn", "hotseat", "replay", "demo", "doctor")
# With one of these another peer is wanted than the one that is here.
OF_A_PEER: Final = ("--nick", "--port", "--interface", "--data")

_NARROWEST: Final = 20
PATIENCE: Final = 3.0  # for a table that is not in the list

Command = Callable[[list[str]], Awaitable[int]]


def lobby(options: Namespace, common: Sequence[str]) -> int:
    """Read commands of the command line until the player quits; the ``common`` words hold for all of them."""
    while True:
        errand, code = run(_visit(options, common))
        if errand is None:
            return code
        carry_out([*common, *errand])


async def _visit(options: Namespace, common: Sequence[str]) -> tuple[list[str] | None, int]:
    async with on_the_lan(options) as (peer, files):
        return await _Lobby(options, common, peer, files).stay()


def carry_out(words: Sequence[str]) -> int:
    """Run words as a command line of its own."""
    try:
        return main(words)
    except SystemExit as end:  # of argparse, which has said why
        return end.code if isinstance(end.code, int) else ERROR


def tell(*lines: str, indent: int = 0) -> None:
    """Say lines to the player, broken between words where the terminal ends."""
    width = max(_NARROWEST, get_terminal_size().columns)
    for line in lines:
        say(*wrap(line, width, subsequent_indent=" " * indent, break_on_hyphens=False))


class _Lobby:
    """One stay in the lobby."""

    def __init__(self, options: Namespace, common: Sequence[str], peer: Peer, files: Store) -> None:
        self._options = options
        self._common = common
        self._peer = peer
        self._files = files
        self._games = catalogue(options)
        self._numbers: dict[str, int] = {}
        self._shown: dict[str, Row] = {}
        self._prompt: PromptSession[str] = PromptSession("rummy> ", completer=WordCompleter(list(LOBBY_WORDS)))
        self._commands: Mapping[str, Command] = {
            "tables": self._tables,
            "join": self._join,
            "host": self._host,
            "watch": self._look_on,
            "resume": self._resume,
            "help": self._help,
        }

    async def stay(self) -> tuple[list[str] | None, int]:
        """Do what is typed; return the words that are to be run outside, or None and how the program ends."""
        tell(lobby_text("lobby"), *self._kept())
        while True:
            try:
                words = await self._line()
            except EOFError:
                return None, OK
            except KeyboardInterrupt:
                return None, INTERRUPTED
            if words[:1] in (["quit"], ["exit"], ["q"]):
                return None, OK
            if words and self._is_errand(words):
                return words, OK
            if words and await self._obey(words) == INTERRUPTED:
                return None, INTERRUPTED

    def _kept(self) -> list[str]:
        """Return how to go back to a match that is not over, when there is one."""
        try:
            sentence = kept_sentence(self._options)
        except CommandError as error:
            sentence = str(error)
        return [sentence] if sentence else []

    async def _line(self) -> list[str]:
        """Return the next line in words; tables that come and go meanwhile are told above it."""
        with patch_stdout():
            watching = asyncio.create_task(self._watch(), name="lobby-tables")
            hear_no_more = tell_invitations(self._peer, self._files, self._games, tell, at_table=False)
            try:
                text = await self._prompt.prompt_async()
            finally:
                hear_no_more()
                watching.cancel()
                await asyncio.gather(watching, return_exceptions=True)
        try:
            return shlex.split(text)
        except ValueError as error:
            tell(lobby_text("bad-line", why=str(error)))
            return []

    def _is_errand(self, words: list[str]) -> bool:
        if words[0] == "tables" and "--scan" in words:
            return True
        if words[0] in self._commands:
            return any(word.partition("=")[0] in OF_A_PEER for word in words)
        return words[0] in ERRANDS

    async def _obey(self, words: list[str]) -> int:
        command = self._commands.get(words[0])
        if words[0] in QUICK:
            return carry_out([*self._common, *words])
        if command is None:
            tell(unknown_command(words[0], LOBBY_WORDS))
            return OK
        try:
            with refusals():
                return await command(words)
        except CommandError as error:
            tell(str(error))
            return error.exit_code
        except SystemExit:  # of argparse, which has said why
            return ERROR

    # --- the list ----------------------------------------------------------------------------------------------------

    async def _watch(self) -> None:
        revision = -1
        while True:
            self._tell_changes(self._look())
            revision = await self._peer.discovery.changed(revision)

    def _look(self) -> dict[str, Row]:
        """Return the tables that are there; each keeps its number."""
        found = {row.id: row for row in rows(self._peer.discovery.sightings(), self._games)}
        for table in found:
            self._numbers.setdefault(table, len(self._numbers) + 1)
        return found

    def _tell_changes(self, found: dict[str, Row]) -> None:
        """Tell what was opened, has begun or is gone; who sits down where is told when it is asked for."""
        before, self._shown = self._shown, found
        tell(*(lobby_text("table-gone", title=row.called) for table, row in before.items() if table not in found))
        states = {table: row.state for table, row in before.items()}
        self._tell_rows({table: row for table, row in found.items() if states.get(table) != row.state})

    def _tell_rows(self, found: Mapping[str, Row]) -> None:
        tell(*(row.line(self._numbers[table], self._games) for table, row in found.items()), indent=5)

    # --- commands ----------------------------------------------------------------------------------------------------

    async def _tables(self, _words: list[str]) -> int:
        self._shown = self._look()
        if not self._shown:
            tell(lobby_text("nobody"))
        self._tell_rows(self._shown)
        return OK

    async def _help(self, words: list[str]) -> int:
        if len(words) > 1:
            return carry_out([*self._common, words[1], "--help"])
        tell(*lobby_help(), indent=21)
        return OK

    async def _host(self, words: list[str]) -> int:
        options = self._parsed(words)
        rules, settings = plan(options)
        return await self._play(options, open_table(options, self._peer, self._files, rules, settings))

    async def _join(self, words: list[str]) -> int:
        options = self._parsed(words)
        options.table = self._named(options.table)
        options.wait = options.wait if "--wait" in words else PATIENCE
        address, found_by = await find_everywhere(options, self._peer, self._files, self._games)
        session = await sit_down(options, self._games, self._peer, self._files, address)
        return await self._play(options, Place(self._peer, self._files, session, found_by))

    async def _look_on(self, words: list[str]) -> int:
        options = self._parsed(words)
        options.table = self._named(options.table)
        options.wait = options.wait if "--wait" in words else PATIENCE
        address, found_by = await find_everywhere(options, self._peer, self._files, self._games, ANY)
        session = await look_on(self._games, self._peer, address)
        return await self._play(options, Place(self._peer, self._files, session, found_by))

    async def _resume(self, words: list[str]) -> int:
        options = self._parsed(words)
        if options.list:
            return carry_out([*self._common, *words])
        wanted = choose(kept_matches(options), options.match)
        return await self._play(options, go_back(options, self._peer, self._files, wanted))

    async def _play(self, options: Namespace, place: Place) -> int:
        code = await play(options, place)
        if code != INTERRUPTED:
            tell(lobby_text("back"))
        return code

    def _parsed(self, words: list[str]) -> Namespace:
        return make_parser().parse_args([*self._common, *words])

    def _named(self, wanted: str | None) -> str | None:
        """Return the address of a table that was named by its number."""
        if wanted is None or not wanted.isdecimal():
            return wanted
        for table, row in self._look().items():
            if self._numbers[table] == int(wanted):
                return row.address
        raise CommandError(lobby_text("no-such-number", name=wanted))
