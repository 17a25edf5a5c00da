"""Without a command: what was given at the start holds on, and without a terminal it is the demo."""

import io
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from rummy_p2p.cli import lobby, screen_lobby
from rummy_p2p.cli import start as module
from rummy_p2p.cli.parser import make_parser
from rummy_p2p.cli.start import common_words, start

GIVEN = [
    *("--data", "here", "--nick", "Ada", "--port", "0", "--lang", "sv", "--log-level", "info"),
    *("--color", "never", "--deck", "two"),
    *("--interface", "lo", "--interface", "10.0.0.7", "--plain", "--debug", "--ascii", "--no-bell", "--no-mouse"),
]


def test_what_was_given_is_given_on() -> None:
    options = make_parser().parse_args(GIVEN)
    assert common_words(options) == GIVEN
    again = make_parser().parse_args([*common_words(options), "tables"])
    assert (again.data, again.nick, again.port, again.interface, again.plain) == (
        "here",
        "Ada",
        0,
        ["lo", "10.0.0.7"],
        True,
    )
    assert common_words(make_parser().parse_args([])) == []


def test_without_a_terminal_it_is_the_demo(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    ran: list[list[str]] = []

    def run(words: list[str]) -> int:
        ran.append(words)
        return 0

    monkeypatch.setattr(sys, "stdin", io.StringIO())
    monkeypatch.setattr(module, "main", run)
    assert start(make_parser().parse_args(["--nick", "Ada"])) == 0
    assert ran == [["--nick", "Ada", "demo"]]
    assert capsys.readouterr().err == (
        "rummy-p2p: there is no terminal here, so this is the demo: three programs play one hand.\n"
    )


@pytest.mark.parametrize(
    ("words", "terminal", "file", "opens"),
    [
        ([], "xterm", "", "screen"),
        (["--plain"], "xterm", "", "lines"),
        ([], "dumb", "", "lines"),
        ([], "xterm", "plain = true\n", "lines"),
    ],
)
def test_in_a_terminal_it_is_the_lobby(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, words: list[str], terminal: str, file: str, opens: str
) -> None:
    opened: list[str] = []

    def opening(which: str) -> Callable[[Namespace, Sequence[str]], int]:
        def open_it(_options: Namespace, _common: Sequence[str]) -> int:
            opened.append(which)
            return 0

        return open_it

    for name in ("stdin", "stdout"):
        monkeypatch.setattr(sys, name, Tty())
    monkeypatch.setenv("TERM", terminal)
    monkeypatch.setattr(screen_lobby, "screen_lobby", opening("screen"))
    monkeypatch.setattr(lobby, "lobby", opening("lines"))
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "config.toml").write_text(file, encoding="utf-8")
    assert start(make_parser().parse_args([*words, "--data", str(tmp_path)])) == 0
    assert opened == [opens]


class Tty(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True
