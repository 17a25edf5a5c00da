"""The program as a whole: start, exit codes, errors, pipes."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
from argparse import Namespace
from importlib import import_module
from pathlib import Path

import pytest

from rummy_p2p import __version__, cli
from rummy_p2p.cli import CommandError, loading, local, main

ROOT = Path(__file__).parents[2]
SLOW = ("asyncio", "cryptography", "msgpack", "msgspec", "nacl", "pluggy", "prompt_toolkit", "rummy_p2p.ui", "zeroconf")


def python(*words: str, stdin: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *words],
        cwd=ROOT,
        input=stdin,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=os.environ | environment,
        check=False,
    )


def test_the_version_is_told_without_loading_anything_slow() -> None:
    code = (
        "import sys\nfrom rummy_p2p.cli import main\n"
        "try:\n    main(['--version'])\nexcept SystemExit as end:\n    assert not end.code\n"
        f"print([name for name in {SLOW!r} if name in sys.modules])"
    )
    done = python("-c", code)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"rummy-p2p {__version__}\n[]\n"


def test_the_first_frame_of_the_lobby_waits_for_nothing_that_it_does_not_show() -> None:
    slow = (
        *("nacl", "cryptography", "zeroconf", "sqlite3", "difflib", "json", "logging.handlers", "tomllib", "tomlkit"),
        *("rummy_p2p.node", "rummy_p2p.bots", "rummy_p2p.protocol.events", "rummy_p2p.protocol.messages"),
        *("rummy_p2p.ui.form_room", "rummy_p2p.ui.table_room", "rummy_p2p.offline"),
    )
    code = (
        "import sys\nfrom rummy_p2p.cli.parser import make_parser\nfrom rummy_p2p.cli import screen_lobby as lobby\n"
        "games = lobby.catalogue(make_parser().parse_args(['--data', '/nowhere']))\n"
        "assert lobby.Form(games, games.level_names()).game\n"
        f"print([name for name in {slow!r} if name in sys.modules])"
    )
    done = python("-c", code)
    assert (done.returncode, done.stdout, done.stderr) == (0, "[]\n", "")


def test_no_garbage_is_collected_while_modules_are_loaded_nor_because_they_were() -> None:
    ran: list[str] = []
    note = lambda phase, _info: ran.append(phase)  # noqa: E731 -- taken away again
    gc.callbacks.append(note)
    try:
        with loading():
            ran.clear()
            kept = [[number] for number in range(50_000)]
            with loading():
                kept.append([])
            kept.append([])
        assert (len(kept), ran, gc.isenabled()) == (50_002, [], True)
        kept += [[number] for number in range(50_000)]
        assert ran
    finally:
        gc.callbacks.remove(note)


def test_garbage_is_collected_again_when_a_module_cannot_be_loaded() -> None:
    with pytest.raises(ModuleNotFoundError), loading():
        import_module("rummy_p2p.nothing")
    assert gc.isenabled()


@pytest.mark.parametrize("words", [["games"], ["variants"], ["hand", "rummy-no", "7h"], ["rules", "rummy-no"]])
def test_an_answer_needs_neither_network_nor_screen(words: list[str]) -> None:
    slow = ("asyncio", "cryptography", "prompt_toolkit", "zeroconf", "rummy_p2p.ui", "rummy_p2p.node")
    code = f"import sys\nfrom rummy_p2p.cli import main\nmain({words!r})\nsys.exit(any(map(sys.modules.get, {slow!r})))"
    done = python("-c", code)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_module_is_the_program() -> None:
    done = python("-m", "rummy_p2p", "hand", "rummy-no", "7h 8h 9h Kd", "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["deadwood"] == ["Kd"]
    wrong = python("-m", "rummy_p2p", "hand", "rummy-no", "7x")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert wrong.stderr == "rummy-p2p: '7x' is not a card; cards look like 7h, 10s, Qd or JK.\n"


def test_an_answer_is_utf_8_whatever_the_terminal_speaks() -> None:
    done = python("-m", "rummy_p2p", "rules", "rummy-no", "--json", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["game"] == "rummy-no"


@pytest.mark.skipif(os.name != "posix", reason="a pipe without a reader is a signal of POSIX")
def test_a_reader_that_goes_away_is_no_error_worth_a_word() -> None:
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "rummy_p2p", "rules", "rummy-no"]
    done = subprocess.run(command, cwd=ROOT, stdout=write, stderr=subprocess.PIPE, check=False)
    os.close(write)
    assert (done.returncode, done.stderr) == (1, b"")


def ends(monkeypatch: pytest.MonkeyPatch, error: BaseException, *words: str) -> int:
    """Run a command that raises, and return how the program ends."""

    def games(_options: Namespace) -> int:
        raise error

    monkeypatch.setattr(local, "games", games)
    return main(["games", *words])


def test_an_error_of_a_command_is_its_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    error = CommandError("The table is full. Join another one.", cli.NETWORK)
    assert ends(monkeypatch, error) == 3
    assert capsys.readouterr() == ("", "rummy-p2p: The table is full. Join another one.\n")


def test_an_error_of_the_program_is_a_sentence_as_well(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ends(monkeypatch, ZeroDivisionError("division\nby zero")) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err == (
        "rummy-p2p: Something went wrong in the program itself, and it had to stop "
        "(ZeroDivisionError: division by zero). Run it again with --debug to see where.\n"
    )


@pytest.mark.parametrize("error", [CommandError("No."), ZeroDivisionError("x")])
def test_with_debug_an_error_shows_where_it_came_from(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(type(error)):
        ends(monkeypatch, error, "--debug")


def test_ctrl_c_ends_the_program_with_its_own_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ends(monkeypatch, KeyboardInterrupt()) == 130
    assert capsys.readouterr() == ("", "")


def test_a_pipe_plays_a_hand(tmp_path: Path) -> None:
    moves = "draw\nhand\ndiscard Kx\nquit\n"
    done = python(
        "-m", "rummy_p2p", "practice", "rummy-no", "--seed", "3", "--nick", "Ada", "--data", str(tmp_path), stdin=moves
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "Hand: " in done.stdout
