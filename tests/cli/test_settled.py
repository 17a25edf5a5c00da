"""What holds: the command line before the environment, before the file, before what is usual."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

import pytest

from rummy_p2p.cli.parser import make_parser
from rummy_p2p.cli.settled import chosen
from rummy_p2p.store import Paths, Store


@pytest.mark.parametrize(
    ("words", "key", "value", "source"),
    [
        (["--ascii"], "ascii", True, "flag"),
        ([], "ascii", False, "default"),
        (["--no-bell"], "bell", False, "flag"),
        (["--no-mouse"], "mouse", False, "flag"),
        ([], "bell", True, "default"),
        (["--interface", "lo", "--interface", "10.0.0.7"], "interface", "lo, 10.0.0.7", "flag"),
        (["--color", "never"], "color", "never", "flag"),
        (["--deck", "mono"], "deck", "mono", "flag"),
        (["--lang", "sv"], "lang", "sv", "flag"),
        (["--plain"], "plain", True, "flag"),
    ],
)
def test_what_the_command_line_says(tmp_path: Path, words: list[str], key: str, value: object, source: str) -> None:
    holds = chosen(make_parser().parse_args(words), Store(Paths.of(tmp_path)))
    assert (holds.values[key], holds.sources[key]) == (value, source)


def test_options_are_not_changed(tmp_path: Path) -> None:
    options = Namespace(nick=None)
    chosen(options, Store(Paths.of(tmp_path)))
    assert vars(options) == {"nick": None}
