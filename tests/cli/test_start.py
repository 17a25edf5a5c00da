"""Without a command: what was given at the start holds on, and without a terminal it is the demo."""

import io
import sys

import pytest

from rummy_p2p.cli import start as module
from rummy_p2p.cli.parser import make_parser
from rummy_p2p.cli.start import common_words, start

GIVEN = [
    *("--data", "here", "--nick", "Ada", "--port", "0", "--lang", "sv", "--log-level", "info"),
    *("--interface", "lo", "--interface", "10.0.0.7", "--plain", "--debug"),
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
