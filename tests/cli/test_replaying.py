"""replay: all of a ledger in lines, as JSON, and record by record at a prompt."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from rummy_p2p.cli import ERROR, OK, USAGE, main
from tests.offline.test_replay import film, match
from tests.ui.terminal import Terminal

ROOT = Path(__file__).parents[2]


@pytest.fixture
def ledger(tmp_path: Path) -> str:
    path = tmp_path / "match.ledger"
    path.write_bytes(match().file())
    return str(path)


def test_without_a_terminal_all_of_it_is_written(ledger: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", ledger]) == OK
    out = capsys.readouterr().out
    assert out.count("Record ") == film().last
    assert out.startswith(f"Record 1 of {film().last}, Ada\n  Ada and Bea begin a match of rummy-test.\n")


@pytest.mark.parametrize("seat", ["Bea", "bea", "2"])
def test_from_a_seat(ledger: str, seat: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", ledger, "--seat", seat]) == OK
    out = capsys.readouterr().out
    assert "  Ada drew a card.\n" in out
    assert "  You drew " in out


def test_a_seat_that_is_not_there(ledger: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", ledger, "--seat", "Cem"]) == USAGE
    assert capsys.readouterr().err == (
        "rummy-p2p: There is no seat 'Cem'. The players are Ada and Bea; all shows every hand that is known.\n"
    )


def test_as_json(ledger: str, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["replay", ledger, "--json"]) == OK
    found = json.loads(capfdbinary.readouterr().out)
    assert (found["ok"], found["problem"], len(found["records"])) == (True, None, film().last)
    first, second = found["records"][0], next(record for record in found["records"] if record["move"])
    assert (first["seq"], first["kind"], first["author"], first["hand"], first["move"]) == (1, "roster", "Ada", 0, None)
    assert second["kind"] == "act"
    assert second["lines"]


def test_a_damaged_file_is_shown_as_far_as_it_holds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "half.ledger"
    path.write_bytes(match().file()[: len(match().file()) // 2])
    assert main(["replay", str(path)]) == ERROR
    assert capsys.readouterr().out.splitlines()[-1].startswith("The file is in order up to here.")


@pytest.mark.parametrize("data", [b"", b"PK\3\4" * 100])
def test_what_is_no_ledger(data: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "none.ledger"
    path.write_bytes(data)
    assert main(["replay", str(path)]) == ERROR
    assert capsys.readouterr().err.startswith("rummy-p2p: This file holds no record that could be shown: ")
    assert main(["replay", str(tmp_path / "missing")]) == USAGE


def test_record_by_record_at_a_prompt(ledger: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "rummy_p2p", "replay", ledger, "--plain", "--data", str(tmp_path)]
    with Terminal(command, folder=ROOT, env={"LANG": "C.UTF-8"}) as terminal:
        terminal.wait_for(r"^Record 1 of ")
        terminal.wait_for(r"^Record 2 of ", terminal.type(""))
        terminal.wait_for(rf"^Record {film().hands()[1]} of ", terminal.type("hand 2"))
        terminal.wait_for(r"^I do not know 'dance'", terminal.type("dance"))
        terminal.type("quit")
        assert terminal.wait_for_end() == 0


def test_on_the_full_screen(ledger: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "rummy_p2p", "replay", ledger, "--data", str(tmp_path)]
    with Terminal(command, folder=ROOT, env={"LANG": "C.UTF-8"}, columns=80, rows=24) as terminal:
        terminal.wait_for(r"Ada and Bea played ")
        terminal.type("nnnnnnnn", enter=False)
        terminal.wait_for(r"Ada in front.* round 1")
        terminal.type("q", enter=False)
        assert terminal.wait_for_end() == 0
