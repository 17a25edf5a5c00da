"""Two people at two terminals: they sit down, talk, play some turns, and one of them goes."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.cli.tables import title
from tests.ui.terminal import Terminal

ROOT = Path(__file__).parents[2]
PATIENCE = 30.0
HAND = r"^Hand: (.*?) \("


class Player:
    """A person who looks at nothing but the screen."""

    def __init__(self, terminal: Terminal, everybody: list[Terminal]) -> None:
        self.terminal = terminal
        self.seen = 0
        self._everybody = everybody
        everybody.append(terminal)

    def type(self, text: str) -> None:
        self.seen = self.terminal.type(text)

    def wait(self, pattern: str) -> str:
        """The first group, or all, of what is shown next. All terminals are served meanwhile, as real ones would be."""
        wanted, deadline = re.compile(pattern, re.MULTILINE), time.monotonic() + PATIENCE
        while (found := wanted.search("\n".join(self.terminal.lines[self.seen :]))) is None:
            assert time.monotonic() < deadline, f"{pattern!r} was not shown:\n" + "\n".join(self.terminal.lines)
            for terminal in self._everybody:
                terminal._read(time.monotonic() + 0.01)
        return found[1] if found.groups() else found[0]

    def play(self) -> None:
        """Wait for the turn and play it."""
        self.wait(r"^! YOUR TURN\.")
        self.play_turn()

    def play_turn(self) -> None:
        """Draw, and discard what lies loose."""
        self.type("draw")
        cards = self.wait(rf"^You drew .*\n{HAND}")
        self.type(f"discard {cards.rpartition(']')[2].split()[0]}")
        self.wait(r"^You discarded")


@pytest.fixture
def sit(tmp_path: Path) -> Iterator[Callable[..., Player]]:
    """Somebody sits down at a terminal and types a command."""
    program, env = [sys.executable, "-m", "rummy_p2p"], {"LANG": "C.UTF-8"}
    everybody: list[Terminal] = []
    with ExitStack() as stack:

        def opened(nick: str, *words: str) -> Player:
            command = [*program, *words, "--plain", "--interface", "lo", "--nick", nick, "--data", str(tmp_path / nick)]
            return Player(stack.enter_context(Terminal(command, folder=ROOT, env=env, columns=80, rows=24)), everybody)

        yield opened


@pytest.fixture
def people(sit: Callable[..., Player]) -> tuple[Player, Player]:
    name = title()
    ada = sit("Ada", "host", "rummy-no", "--title", name, "--be-host", "always")
    ada.wait(r"^You sit down as Ada\.")
    return ada, sit("Bea", "join", name)


@pytest.mark.timeout(120)
def test_two_people_sit_down_talk_play_and_part(people: tuple[Player, Player]) -> None:
    ada, bea = people
    bea.wait(r"^You have joined .*: Norwegian rummy, 2 seats\.")
    bea.wait(r"Type ready when you are\.")
    ada.wait(r"^Bea sits down\. At the table: Ada, Bea\. Not ready yet: Bea\.")
    bea.type("chat here I am")
    ada.wait(r"^Bea: here I am$")
    ada.type("start")
    ada.wait(r"^Not everybody is ready yet: Bea\.$")
    bea.type("ready")
    ada.wait(r"Everybody is ready: type start\.$")
    ada.type("start")
    ada.wait(r"^You were elected host")
    bea.wait(r"^Ada was elected host and orders the moves")
    first = ada.wait(r"^(! YOUR TURN|It is Bea's turn)")
    players = [ada, bea] if first.startswith("!") else [bea, ada]
    for number in range(4):
        players[number % 2].play()
    bea.type("leave")
    bea.wait(r"^You have left the table\.$")
    assert bea.terminal.wait_for_end() == 0
    ada.wait(r"^Bea left\. The hand does not count")
    ada.wait(r"^There are not enough players left for this match\. The match is over; the winner:")
    ada.wait(r"^Bea has left\. At the table: Ada\. 1 seat is free\.")
    ada.type("quit")
    assert ada.terminal.wait_for_end() == 0
    assert ada.terminal.echoes()
    assert bea.terminal.echoes()


def test_ctrl_c_leaves_the_table_and_the_others_are_told(people: tuple[Player, Player]) -> None:
    ada, bea = people
    ada.wait(r"^Bea sits down\.")
    bea.wait(r"Type ready when you are\.\n>$")
    bea.terminal.type("\x03", enter=False)
    bea.wait(r"^Leave the table\? \(yes/no\)")
    bea.terminal.type("\x03", enter=False)
    assert bea.terminal.wait_for_end() == 130
    ada.wait(r"^Bea has left\.")
    ada.terminal.type("\x04", enter=False)
    ada.wait(r"^Leave the table\? \(yes/no\)")
    ada.type("yes")
    assert ada.terminal.wait_for_end() == 0


@pytest.mark.timeout(120)
def test_a_match_is_suspended_and_both_come_back_another_evening(
    people: tuple[Player, Player], sit: Callable[..., Player]
) -> None:
    ada, bea = people
    bea.wait(r"Type ready when you are\.")
    bea.type("ready")
    ada.wait(r"Everybody is ready: type start\.$")
    ada.type("start")
    held = bea.wait(HAND)
    bea.type("suspend")
    bea.wait(r"^The match is kept, with your seat and your cards\.")
    assert bea.terminal.wait_for_end() == 0
    sit("Bea", "join", "Nowhere", "--wait", "0.1").wait(r"\(Ada, Bea\) is not over\. Go on with it: rummy-p2p")
    sit("Ada", "resume").wait(r"^rummy-p2p: This match is being played by another program")
    ada.wait(r"^Bea suspended the match: ")
    ada.type("quit")
    ada.wait(r"^The match is kept, with your seat and your cards\.")
    assert ada.terminal.wait_for_end() == 0
    ada = sit("Ada", "resume")
    ada.wait(r"^You are back at .*: Norwegian rummy\.")
    bea = sit("Bea", "resume", "1")
    bea.wait(r"^(! YOUR TURN|It is Ada's turn)")
    bea.type("hand")
    assert bea.wait(HAND) == held
    first = ada.wait(r"^(! YOUR TURN|It is Bea's turn)")
    player = ada if first.startswith("!") else bea
    player.play_turn()  # of whose turn it is both have been told by now
    bea.type("leave")
    assert bea.terminal.wait_for_end() == 0
    ada.wait(r"^Bea left\. The hand does not count")
    ada.type("quit")
    assert ada.terminal.wait_for_end() == 0
    bea = sit("Bea", "resume")
    bea.wait(r"^rummy-p2p: There is no match to go back to\.")
