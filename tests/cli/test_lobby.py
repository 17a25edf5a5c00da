"""The lobby in lines of text, in a real terminal: a list kept up to date, and a way to every table and back."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.tables import title
from tests.ui.terminal import Terminal

ROOT = Path(__file__).parents[2]
PROGRAM = [sys.executable, "-m", "rummy_p2p", "--plain", "--interface", "lo"]


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    command = [*PROGRAM, "--nick", "Bea", "--data", str(tmp_path / "bea")]
    with Terminal(command, folder=ROOT, env={"LANG": "C.UTF-8"}) as opened:
        opened.wait_for("^This is the lobby")
        yield opened


@pytest.fixture
def table(tmp_path: Path) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """A table that a program has open, with a seat for one more."""
    name = title()
    words = ["host", "rummy-no", "--title", name, "--auto", "normal", "--nick", "Ada", "--data", str(tmp_path / "ada")]
    with subprocess.Popen([*PROGRAM, *words], cwd=ROOT, stdout=subprocess.DEVNULL) as process:
        yield name, process
        process.kill()


def test_a_table_appears_is_joined_by_its_number_and_left_again(
    terminal: Terminal, table: tuple[str, subprocess.Popen[bytes]]
) -> None:
    name, program = table
    number = terminal.wait_for(rf"^ +(\d+)  {name} +1/2 open +Ada +Norwegian rummy$")[1]
    here = terminal.type("tables")
    terminal.wait_for(rf"^ +{number}  {name} ", here)
    here = terminal.type("join 99")
    terminal.wait_for(r"^There is no table 99 in the list\.", here)
    here = terminal.type(f"join {number}")
    terminal.wait_for(rf"^You have joined {name}: Norwegian rummy, 2 seats\.$", here)
    terminal.wait_for(r"^You sit down as Bea\. At the table: Ada, Bea\. Type ready when you are\.$", here)
    here = terminal.type("ready")
    terminal.wait_for(r"^Hand: ", here)
    here = terminal.type("leave")
    terminal.wait_for(r"^You have left the table\.$", here)
    terminal.wait_for(r"^You are in the lobby again\.$", here)
    assert program.wait(20) == 3
    terminal.wait_for(rf"^{name} is no longer there\.$", here)
    terminal.type("quit")
    assert terminal.wait_for_end() == 0
    assert terminal.echoes()


def test_a_table_of_ones_own_is_opened_and_closed(terminal: Terminal) -> None:
    here = terminal.type("host rummy-no --title Mine --seats 3")
    terminal.wait_for(r"^Mine is open: Norwegian rummy, 3 seats\. Friends on this network join with:$", here)
    terminal.wait_for(r"^rummy-p2p join Mine$", here)
    terminal.wait_for(r"^rummy-p2p join rummy://127\.0\.0\.1:\d+#", here)
    here = terminal.type("leave")
    terminal.wait_for(r"^You have closed the table\.$", here)
    terminal.wait_for(r"^You are in the lobby again\.$", here)
    here = terminal.type("host rummy-no --seats 9")
    terminal.wait_for(r"^Norwegian rummy is for 2 to 6 players, not 9\. Choose with --seats\.\nrummy>", here)
    terminal.type("\x04", enter=False)
    assert terminal.wait_for_end() == 0


def test_what_else_can_be_typed(terminal: Terminal) -> None:
    for text, shown in (
        ("help", r"^  join 1 +sit down at a table"),
        ("help", r"^  hotseat gin Ada Bea +play with others"),
        ("help host", r"^usage: rummy-p2p host "),
        ("games", r"^rummy-no +Norwegian rummy, 2-6 players"),
        ("rules rummy-no", r"^Norwegian rummy"),
        ("shuffle", r"^There is no command 'shuffle'\. These can be typed: tables, join, host"),
        ("host 'rummy", r"^This line cannot be read: No closing quotation\.$"),
        ("host", r"^rummy-p2p: the following arguments are required: GAME"),
        ("join rummy://nowhere", r"^rummy://nowhere is not an address\."),
    ):
        terminal.wait_for(shown, terminal.type(text))
    here = terminal.type("practice rummy-no --seed 7")
    terminal.wait_for(r"^! YOUR TURN|^It is Bot 1's turn", here)
    here = terminal.type("quit")
    terminal.wait_for("^This is the lobby", here)
    here = terminal.type("learn gin --step 2")
    terminal.wait_for(r"Step 2 of 9", here)
    here = terminal.type("leave")
    terminal.wait_for("^This is the lobby", here)
    here = terminal.type("hotseat gin Ada Bea")
    terminal.wait_for(r"^Pass the keyboard to", here)
    here = terminal.type("leave")
    terminal.wait_for("^This is the lobby", here)
    here = terminal.type("replay /no/such/file")
    terminal.wait_for(r"/no/such/file", here + 1)
    terminal.wait_for("^This is the lobby", here)
    here = terminal.type("tables --scan --wait 0")
    terminal.wait_for(r"^(No open table was seen in 0 s|  1  )", here)
    terminal.wait_for(r"^This is the lobby[^>]*\nrummy>", here)
    here = terminal.type("tables --nick Cem --wait 0")
    terminal.wait_for(r"^(No open table was seen in 0 s|  1  )", here)
    terminal.wait_for(r"^This is the lobby[^>]*\nrummy>", here)
    terminal.type("\x03", enter=False)
    assert terminal.wait_for_end() == 130
    assert terminal.echoes()
