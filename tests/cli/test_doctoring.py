"""The doctor as a command: its JSON, its lines, its exit code, whom it is asked about, what it sees of a terminal."""

import asyncio
import json
import os
import pty
import sys
import threading
from pathlib import Path

import pytest

from rummy_p2p.cli import ERROR, NETWORK, OK, RULES, CommandError, main
from rummy_p2p.cli import doctoring as module
from rummy_p2p.cli.doctor_terminal import (
    Answers,
    _ask,
    colour_check,
    mouse_check,
    read_answers,
    size_check,
    suits_check,
    terminal_checks,
)
from rummy_p2p.cli.doctoring import Finding, clock_check, finding, program_checks, target_of, tell
from rummy_p2p.node.announcement import Sighting
from rummy_p2p.node.checks import Check, Layer
from rummy_p2p.node.doctor_peer import Target
from rummy_p2p.node.firewall import Firewall
from rummy_p2p.protocol.joincode import HOME_PORTS, join_code
from rummy_p2p.store import RememberedPeer
from rummy_p2p.variants.manager import Catalogue, PluginInfo, installed, make_catalogue
from tests.cli.tables import options

PIN = "2b" * 32
ADA = Sighting("Ada 1a1a1a", "Ada", "1a" * 32, PIN, ("10.0.0.7",), 28660, 1, live=True)
BEA = RememberedPeer("3c" * 32, "Bea", "10.0.0.8", 28661, PIN, 1)
GAMES = make_catalogue(installed())


def words(tmp_path: Path, *more: str) -> list[str]:
    return ["doctor", "--interface", "lo", "--data", str(tmp_path), "--wait", "0.1", *more]


# ---------------------------------------------------------------- the command


def test_the_answer_for_programs(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(words(tmp_path, "--json")) == NETWORK
    found = json.loads(capfdbinary.readouterr().out)
    assert set(found) == {"checks"}
    assert all(set(check) == {"layer", "ok", "detail", "fix", "code", "skipped"} for check in found["checks"])
    layers = [check["layer"] for check in found["checks"]]
    assert layers[0] == "program"
    assert {"plugins", "clock", "terminal", "interface", "port-5353", "neighbours", "listener"} <= set(layers)
    assert [check["code"] for check in found["checks"] if not check["ok"]] == ["loopback-only"]


def test_the_lines_for_people(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words(tmp_path, "127.0.0.1:1")) == NETWORK
    told = capsys.readouterr().out
    assert "FAILS TCP: 127.0.0.1 is there, but nobody listens at port 1." in told
    assert "Begin with: interface." in told
    assert max(map(len, told.splitlines())) <= 80


def test_somebody_who_is_not_known(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(words(tmp_path, "The long table", "--json")) == NETWORK
    found = json.loads(capfdbinary.readouterr().out)["checks"][-1]
    assert (found["layer"], found["ok"]) == ("resolve", False)
    assert "Nobody called The long table" in found["detail"]


@pytest.mark.parametrize(
    ("layer", "code"), [(Layer.RULES, RULES), (Layer.PLUGINS, ERROR), (Layer.TCP, NETWORK), (None, OK)]
)
def test_the_exit_code_is_that_of_the_first_layer_that_fails(
    layer: Layer | None, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def examine(*_: object) -> object:
        yield clock_check(2e9)
        if layer is not None:
            yield Check(layer, "rules-missing", ok=False, facts={"title": "T", "rules": "R"}, fix="rules")

    monkeypatch.setattr(module, "examine", examine)
    assert asyncio.run(module._doctor(options(tmp_path, "Ada", "doctor"))) == code
    assert ("All that could be looked at works." in capsys.readouterr().out) is (layer is None)


@pytest.mark.parametrize("platform", ["linux", "win32", "darwin"])
def test_what_is_to_be_done_has_the_command_of_this_system(platform: str) -> None:
    check = Check(Layer.REACHABLE, "not-reached", ok=False, facts={"name": "Bea", "port": 28660}, fix="open-firewall")
    told = finding(check, 28660, platform)
    assert {"linux": "28660:28667", "win32": "netsh", "darwin": "socketfilterfw"}[platform] in told.fix
    there = finding(
        Check(Layer.TCP, "no-answer", ok=False, facts={"address": "a", "port": 1, "why": "w"}, fix="firewall-there"), 1
    )
    assert all(each.value in there.fix for each in Firewall if each is not Firewall.OTHER)


def test_a_finding_that_was_skipped_is_marked(capsys: pytest.CaptureFixture[str]) -> None:
    tell(Finding("tcp", ok=True, detail="d", fix="", code="c", skipped=True))
    assert capsys.readouterr().out == "-     TCP: d\n"


# ---------------------------------------------------------------- the program


def test_the_program_and_its_plugins() -> None:
    found = list(program_checks(GAMES))
    assert [check.ok for check in found] == [True, True, True]
    broken = PluginInfo("mine.py", "folder", "1", ok=False, error="It is broken.")
    [bad] = [check for check in program_checks(make_with(broken)) if not check.ok]
    assert (bad.code, bad.facts["why"]) == ("plugin-failed", "It is broken.")


def make_with(plugin: PluginInfo) -> Catalogue:
    return Catalogue(GAMES.games, GAMES.house_rules, (*GAMES.plugins, plugin), GAMES.owners)


def test_a_clock_that_stands_at_its_beginning() -> None:
    assert clock_check(1.8e9).ok
    assert not clock_check(0).ok


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("ada", Target("ada", "10.0.0.7", (28660,), bytes.fromhex(PIN), bytes.fromhex("1a" * 32))),
        ("BEA", Target("BEA", "10.0.0.8", (28661,), bytes.fromhex(PIN), bytes.fromhex("3c" * 32))),
        ("10.0.0.9:4000", Target("10.0.0.9:4000", "10.0.0.9", (4000,))),
        ("10.0.0.9", Target("10.0.0.9", "10.0.0.9", tuple(HOME_PORTS))),
        ("[fe80::1%eth0]", Target("[fe80::1%eth0]", "fe80::1%eth0", tuple(HOME_PORTS))),
        ("fjord.local", Target("fjord.local", "fjord.local", tuple(HOME_PORTS))),
        ("The long table", None),
    ],
)
def test_whom_the_player_means(text: str, target: Target | None) -> None:
    assert target_of(text, [ADA], [BEA]) == target


def test_a_join_code_is_a_target_and_a_mistyped_one_is_told() -> None:
    code = join_code("192.168.1.23", 28660, bytes.fromhex(PIN)) or ""
    known = target_of(code, [], [])
    assert known is not None
    assert (known.host, known.ports) == ("192.168.1.23", (28660,))
    with pytest.raises(CommandError, match="looks like a join code"):
        target_of(code[:-1] + ("0" if code[-1] != "0" else "1"), [], [])


# ---------------------------------------------------------------- the terminal


@pytest.mark.parametrize(
    ("said", "answers"),
    [
        (b"\x1b[?1006;2$y\x1b[7;5R", Answers(4, mouse=True)),
        (b"\x1b[?1006;0$y\x1b[1;9R", Answers(8, mouse=False)),
        (b"\x1b[1;5R", Answers(4, None)),
        (b"x", Answers(None, None)),
    ],
)
def test_what_a_terminal_says(said: bytes, answers: Answers) -> None:
    assert read_answers(said) == answers


@pytest.mark.parametrize(
    ("check", "code"),
    [
        (size_check(80, 24), "terminal-size"),
        (size_check(79, 24), "terminal-small"),
        (suits_check(Answers(4), "UTF-8"), "suits-ok"),
        (suits_check(Answers(8), "utf-8"), "suits-wide"),
        (suits_check(Answers(), "utf-8"), "suits-unknown"),
        (suits_check(Answers(4), "ascii"), "no-utf8"),
        (mouse_check(Answers(mouse=True)), "mouse-ok"),
        (mouse_check(Answers(mouse=False)), "mouse-none"),
        (mouse_check(Answers()), "mouse-unknown"),
        (colour_check({"TERM": "xterm"}), "terminal-colours"),
        (colour_check({"TERM": "xterm", "NO_COLOR": "1"}), "terminal-no-colours"),
        (colour_check({}), "terminal-colours"),
    ],
)
def test_what_is_made_of_it(check: Check, code: str) -> None:
    assert check.code == code
    assert finding(check, 28660).detail


def test_how_many_colours_there_are() -> None:
    assert colour_check({"TERM": "linux"}).facts["colours"] == 16
    assert colour_check({"TERM": "xterm", "COLORTERM": "truecolor"}).facts["colours"] == 1 << 24


def test_a_terminal_is_asked_and_left_as_it_was() -> None:
    ours, terminal = pty.openpty()

    def answer() -> None:
        heard = b""
        while not heard.endswith(b"\x1b[6n"):
            heard += os.read(ours, 100)
        os.write(ours, b"\x1b[?1006;2$y\x1b[1;5R")

    answering = threading.Thread(target=answer)
    answering.start()
    assert read_answers(_ask(terminal)) == Answers(4, mouse=True)
    answering.join()
    os.close(ours)
    os.close(terminal)


def test_a_terminal_that_does_not_answer_is_not_waited_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rummy_p2p.cli.doctor_terminal.PATIENCE", 0.02)
    ours, terminal = pty.openpty()
    assert read_answers(_ask(terminal)) == Answers()
    os.close(ours)
    os.close(terminal)


def test_without_a_terminal_nothing_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: object) -> int:
        raise OSError

    monkeypatch.setattr("rummy_p2p.cli.doctor_terminal.os.open", none)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: False, raising=False)
    assert [check.code for check in terminal_checks()] == ["no-terminal"]
