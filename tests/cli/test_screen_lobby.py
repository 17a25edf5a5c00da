"""Two people at two terminals with nothing but keys: a table is made, found, joined, played at, and left again."""

from __future__ import annotations

import re
import sys
import time
from argparse import Namespace
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from rummy_p2p.cli.screen_lobby import _named
from rummy_p2p.store import Paths, Store
from tests.cli.tables import title
from tests.ui.terminal import Terminal

ROOT = Path(__file__).parents[2]
PATIENCE = 40.0
UP, DOWN, ESCAPE, ENTER = "\x1b[A", "\x1b[B", "\x1b", "\r"


class Player:
    """A person who looks at the screen and presses keys."""

    def __init__(self, terminal: Terminal, everybody: list[Terminal]) -> None:
        self.terminal = terminal
        self._everybody = everybody
        everybody.append(terminal)

    @property
    def screen(self) -> str:
        return "\n".join(line.rstrip() for line in self.terminal._screen.display)

    def press(self, *keys: str) -> None:
        """Press keys one after the other; Esc is told from the beginning of another key by a moment of nothing."""
        for key in keys:
            self.terminal.type(key, enter=False)
            self.serve(0.2 if key == ESCAPE else 0.02)

    def line(self, text: str) -> None:
        """Type a line at the command line."""
        self.press(":")
        self.wait(r"^ do>")
        self.press(text, ENTER)

    def serve(self, seconds: float) -> None:
        """Let all terminals draw for a while, as real ones would."""
        until = time.monotonic() + seconds
        while (now := time.monotonic()) < until:
            for terminal in self._everybody:
                terminal._read(min(until, now + 0.01))

    def wait(self, pattern: str) -> re.Match[str]:
        """Wait until it is on the screen."""
        wanted, deadline = re.compile(pattern, re.MULTILINE), time.monotonic() + PATIENCE
        while (found := wanted.search(self.screen)) is None:
            assert time.monotonic() < deadline, f"{pattern!r} was not shown:\n{self.screen}"
            self.serve(0.05)
        return found


class Party:
    """Programs on the loopback interface."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.folder = folder
        self._stack = stack
        self._everybody: list[Terminal] = []

    def come(self, nick: str, *words: str) -> Player:
        command = [sys.executable, "-m", "rummy_p2p", "--interface", "lo", "--nick", nick]
        command += ["--data", str(self.folder / nick.lower()), *words]
        opened = Terminal(command, folder=ROOT, env={"LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}, columns=80, rows=24)
        player = Player(self._stack.enter_context(opened), self._everybody)
        player.wait(rf"^ rummy-p2p \S+  Lobby +{nick} @ \S+ 127\.0\.0\.1")  # the network is up
        return player


@pytest.fixture
def party(tmp_path: Path) -> Iterator[Party]:
    with ExitStack() as stack:
        yield Party(tmp_path, stack)


@pytest.mark.timeout(180)
def test_a_table_is_made_found_joined_played_at_and_left(party: Party) -> None:
    name = title()[-8:]
    ada, bea = party.come("Ada"), party.come("Bea")
    ada.wait(r"You are called Ada +│")
    ada.wait(r"this time: S keeps a")
    ada.press("n")
    ada.wait(r"Name of the table")
    ada.press(DOWN, ENTER)
    ada.wait(r"^ Name of the table>")
    ada.press(name, ENTER)
    ada.wait(rf"Name of the table +{name}")
    ada.press("c")
    ada.wait(rf"Your table: {name}")
    ada.wait(r"Others have to sit down first: 1 of at least 2")

    bea.press("f")
    bea.wait(r"^ find>")
    bea.press(name, ENTER)
    bea.wait(rf"^│ ▶ {name} +Norwegian rummy +1/2 +100 +open")
    bea.press(ENTER)
    bea.wait(rf"You sit at {name}")
    ada.wait(r"2 Bea +not ready")
    bea.press("/")
    bea.wait(r"^ chat>")
    bea.press("here I am", ENTER)
    ada.wait(r"Bea: here I am")
    ada.press(ENTER)
    ada.wait(r"Not ready yet: Bea\.")
    bea.line("ready")
    bea.wait(r"2 Bea +ready ✓")
    ada.wait(r"Everybody is ready: Enter starts\.")
    ada.press(ENTER)
    for player in (ada, bea):
        player.wait(r"Stock +Pile")
        player.wait(r"Hand 10")

    bea.press("q")
    bea.wait(r"\[y Leave\]")
    bea.press("y")
    bea.wait(r"^ rummy-p2p \S+  Lobby")
    ada.wait(r"Bea has left")
    ada.wait(r"You have won the match!")
    ada.press("e")
    ada.wait(r"^ rummy-p2p \S+  Lobby")
    bea.wait(rf"No table has “{name}”")
    for player in (ada, bea):
        player.press(ESCAPE, "q")
        assert player.terminal.wait_for_end() == 0
        assert player.terminal.echoes()


@pytest.mark.timeout(120)
def test_settings_are_kept_and_the_lobby_is_opened_again(party: Party) -> None:
    ada = party.come("Ada")
    ada.press("S")
    ada.wait(r"Settings")
    ada.line("ascii yes")
    ada.wait(r"^\.- Settings")
    ada.press(ESCAPE)
    ada.line("ascii no")
    ada.wait(r"^╭─ Settings")
    ada.press(ESCAPE)
    ada.line("lang sv")
    ada.wait(r"< Svenska >")
    ada.press(ESCAPE)
    ada.press(ESCAPE)
    ada.wait(r"^ rummy-p2p \S+  \S+")
    assert (party.folder / "ada" / "config" / "config.toml").read_text("utf-8") == 'ascii = false\nlang = "sv"\n'
    ada.press("q")
    assert ada.terminal.wait_for_end() == 0


@pytest.mark.timeout(120)
def test_command_lines_are_answered_on_a_page(party: Party) -> None:
    ada = party.come("Ada")
    for text, shown in (
        ("games", r"rummy-no +Norwegian rummy"),
        ("rules gin", r"Gin rummy\."),
        ("help", r"join 1 +sit down at a table"),
        ("help host", r"usage: rummy-p2p host"),
        ("host", r"the following arguments are required: GAME"),
    ):
        ada.line(text)
        ada.wait(shown)
        ada.press(ESCAPE, ESCAPE)  # the page, then the line that led to it
    for text, shown in (
        ("shuffle", r"There is no command 'shuffle'"),
        ("host gin --seats 9", r"Gin rummy is for 2 to 2 players, not 9"),
        ("host 'gin", r"This line cannot be read: No closing quotation"),
        ("host gin --bots 1 --level godlike", r"There is no level 'godlike'"),
        ("practice gin --level godlike", r"There is no level 'godlike'"),
        ("join rummy://nowhere", r"rummy://nowhere is not an address"),
    ):
        ada.line(text)
        ada.wait(shown)
        ada.press(ESCAPE, ESCAPE)
    ada.line("practice rummy-no --bots 2")
    ada.wait(r"Bot 2")
    ada.press("q")
    ada.wait(r"\[y Leave\]")
    ada.press("y")
    ada.wait(r"^ rummy-p2p \S+  Lobby")
    ada.press("\x03", "\x03")
    assert ada.terminal.wait_for_end() == 130
    assert ada.terminal.echoes()


@pytest.mark.timeout(120)
def test_the_rooms_about_the_network_by_keys(party: Party) -> None:
    """The doctor, the ways to the own table, by one of which somebody comes, and who that is."""
    name = title()
    ada, bea = party.come("Ada"), party.come("Bea")
    ada.wait(r"Players here \(P\)")
    ada.press("d")
    ada.wait(r"^│ FAILS  interface: Only the loopback is used")
    ada.wait(r"^─ One thing does not work\. Begin with: interface\.")
    ada.press("f")
    ada.wait(r"\[f Everything\]")
    ada.press(ESCAPE)
    ada.line(f"host rummy-no --seats 2 --title '{name}'")
    ada.press(ESCAPE, "Q")
    address = ada.wait(r"rummy://127\.0\.0\.1:\d+")[0]
    ada.press(ESCAPE)
    bea.wait(r"C = Address, code")
    bea.press("C")
    bea.wait(r"^ address, code or name>")
    bea.press(address, ENTER)
    told = bea.wait(r"Ada is new to you\. You and Ada should both see the words: (\w+)\W+(\w+)\W+(\w+)")
    words = " ".join(told.groups())  # the line may break between them
    ada.wait(r"Bea +not ready")
    ada.press("P")
    ada.wait(rf"Bea +{words} +here")
    ada.press(ESCAPE)
    ada.wait(r"\[q Leave\]")


@pytest.mark.parametrize(("nick", "kept", "named"), [(None, "", "login"), ("Ada", "", "given"), ("Ada", "Bea", "kept")])
def test_a_name_that_is_not_kept_is_told_apart(tmp_path: Path, nick: str | None, kept: str, named: str) -> None:
    files = Store(Paths.of(tmp_path))
    if kept:
        files.set_option("nick", kept)
    assert _named(Namespace(nick=nick), files) == named
