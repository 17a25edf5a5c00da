"""Many tables, invented ones among them, two of one name, one whose program is killed: the list is right and quick."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.lan.commands import ENVIRONMENT, ROOT, Machine
from tests.lan.namespaces import Lan, lan
from tests.lan.watching import Watcher

pytestmark = [pytest.mark.lan, pytest.mark.timeout(180)]

Record = Callable[[str, object], None]


def crowd(net: Lan, i: int, *words: str) -> subprocess.Popen[bytes]:
    """Begin to announce, and wait until all has been said once."""
    program = [sys.executable, str(ROOT / "tests/lan/crowd_peer.py"), *words]
    process = net.run(i, program, stdin=subprocess.PIPE, env=ENVIRONMENT)
    assert process.stdout is not None
    assert process.stdout.readline()
    return process


def test_two_hundred_tables_are_listed_although_five_hundred_are_invented(record_property: Record) -> None:
    with lan(4) as net:
        crowd(net, 1, "Real", "200")
        crowd(net, 2, "False", "500", "invented")
        watcher = Watcher(net, 0, "Ada", RUMMY_SLOW="1")
        seen = watcher.until(lambda picture: sum(nick.startswith("Real") for nick in picture["live"]) == 200, 60)
        record_property("seconds_200", seen["seconds"])
        assert seen["seconds"] < 45  # about nine, or after the next question if one of them was lost
        assert not any(nick.startswith("False") for nick in seen["live"])
        began = time.monotonic()
        newcomer = Watcher(net, 3, "Bea", RUMMY_SLOW="1")
        watcher.until(lambda picture: picture["live"].get("Bea") == "10.77.0.4", 30)
        record_property("seconds_newcomer", time.monotonic() - began)
        assert time.monotonic() - began < 10
        newcomer.process.kill()
        began = time.monotonic()
        watcher.until(lambda picture: "Bea" not in picture["live"], 30)
        assert time.monotonic() - began < 10
        assert watcher.cpu() < 0.9 * seen["seconds"] + 10


def test_a_table_whose_program_was_killed_is_gone_within_ten_seconds(tmp_path: Path, record_property: Record) -> None:
    with lan(2) as net:
        host = Machine(net, tmp_path, 0, "Ada").play("host", "rummy-no", "--title", "LAN")
        watcher = Watcher(net, 1, "Bea", RUMMY_SLOW="1")
        watcher.until(lambda picture: "Ada" in picture["live"])
        host.process.kill()
        began = time.monotonic()
        watcher.until(lambda picture: picture["seen"] == [], 15)
        record_property("seconds", time.monotonic() - began)
        assert time.monotonic() - began < 10


def test_two_programs_that_chose_the_same_name_are_both_listed() -> None:
    with lan(3) as net:
        watcher = Watcher(net, 2, "Cem")
        first = Watcher(net, 0, "Ada", "abcdef")
        watcher.until(lambda picture: picture["doors"] == ["10.77.0.1"])
        second = Watcher(net, 1, "Ada", "abcdef")
        watcher.until(lambda picture: picture["doors"] == ["10.77.0.1", "10.77.0.2"], 20)
        assert first.process.poll() is None
        second.end()
        watcher.until(lambda picture: picture["doors"] == ["10.77.0.1"], 20)
