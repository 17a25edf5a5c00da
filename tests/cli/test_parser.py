from __future__ import annotations

import argparse
from importlib import import_module

import pytest

from rummy_p2p.cli.parser import make_parser, read

COMMANDS = {"host", "join", "tables", "practice", "games", "rules", "variants", "hand", "scenario", "verify", "demo"}


def commands() -> dict[str, argparse.ArgumentParser]:
    actions = [action for action in make_parser()._actions if isinstance(action, argparse._SubParsersAction)]
    return dict(actions[0].choices)


def test_the_commands_that_there_are() -> None:
    assert set(commands()) >= COMMANDS


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_has_a_function_help_and_the_common_options(name: str) -> None:
    parser = commands()[name]
    module, _, function = parser.get_default("run").partition(":")
    assert callable(getattr(import_module(f"rummy_p2p.cli.{module}"), function))
    assert parser.description
    text = parser.format_help()
    for option in ("--data", "--nick", "--interface", "--port", "--plain", "--lang", "--log-level", "--debug"):
        assert option in text


def test_common_options_stand_before_or_behind_the_command() -> None:
    parser = make_parser()
    for words in (["--nick", "Ada", "games"], ["games", "--nick", "Ada"], ["--nick", "Bea", "games", "--nick", "Ada"]):
        assert parser.parse_args(words).nick == "Ada"
    assert parser.parse_args(["games"]).nick is None
    assert parser.parse_args(["games"]).debug is False


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["--nick", "Ada", "--port", "0", "--interface", "lo", "--interface", "eth0", "--ascii"],
        ["--nick", "host"],
        ["--plain", "host", "gin", "--title", "Friday", "--seats", "3"],
        ["practice", "gin", "--bots=2", "--nick", "Ada"],
        ["--ni", "Ada"],
    ],
)
def test_a_start_without_a_command_is_read_as_by_the_whole_parser(words: list[str]) -> None:
    assert read(words) == make_parser().parse_args(words)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--port", "many"], "argument --port: invalid int value: 'many'"),
        (["--lang", "xx"], "argument --lang: invalid choice: 'xx'"),
        (["--nick"], "argument --nick: expected one argument. See: rummy-p2p --help"),
        (["--loud"], "unrecognized arguments: --loud. See: rummy-p2p"),
    ],
)
def test_a_mistake_before_any_command_is_told_by_the_whole_parser(
    words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        read(words)
    assert caught.value.code == 2
    assert told in capsys.readouterr().err


def test_house_rules_are_kept_in_the_order_given() -> None:
    words = ["rules", "rummy-no", "--house", "b", "--house", "a=1"]
    assert make_parser().parse_args(words).house == ["b", "a=1"]
    assert make_parser().parse_args(["rules", "rummy-no"]).house == []


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["dance"], "argument COMMAND: invalid choice: 'dance'"),
        (["hand", "rummy-no"], "the following arguments are required: CARDS. See: rummy-p2p hand --help"),
        (["games", "--loud"], "unrecognized arguments: --loud. See: rummy-p2p"),
        (["games", "--lang", "xx"], "argument --lang: invalid choice: 'xx'"),
        (["practice", "rummy-no", "--bots", "many"], "argument --bots: invalid int value: 'many'"),
    ],
)
def test_what_cannot_be_parsed_is_told_in_one_line(
    words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        make_parser().parse_args(words)
    assert caught.value.code == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("rummy-p2p: ")
    assert told in err
    assert err.count("\n") == 1
