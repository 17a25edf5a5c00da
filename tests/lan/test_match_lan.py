"""Whole matches between machines: namespaces on a bridge, real programs, real mDNS, real TLS."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from rummy_p2p.protocol.verify import verify
from tests.lan.namespaces import Lan, lan

pytestmark = pytest.mark.lan

ROOT = Path(__file__).resolve().parents[2]
NICKS = ("Ada", "Bea", "Cem")
PATIENCE = 100.0

Line = dict[str, Any]


def start(net: Lan, folder: Path, machine: int, *words: str) -> subprocess.Popen[bytes]:
    """A program that plays by itself on one of the machines; what it says goes into a file."""
    own = folder / NICKS[machine].lower()
    own.mkdir()
    command = [sys.executable, "-m", "rummy_p2p", *words, "--auto", "normal", "--json", "--interface", "eth0"]
    with (own / "said").open("wb") as said:
        return net.run(
            machine,
            [*command, "--nick", NICKS[machine], "--data", str(own)],
            stdout=said,
            stderr=subprocess.STDOUT,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
        )


def said(folder: Path, machine: int, event: str) -> list[Line]:
    text = (folder / NICKS[machine].lower() / "said").read_text(encoding="utf-8")
    found: list[Line] = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    return [line for line in found if line["event"] == event]


def wait_for_table(folder: Path) -> Line:
    """The first line of the program that opens the table."""
    until = time.monotonic() + PATIENCE
    while not (opened := said(folder, 0, "open")):
        assert time.monotonic() < until, "no table was opened"
        time.sleep(0.1)
    return opened[0]


def assert_one_match(folder: Path, programs: list[subprocess.Popen[bytes]]) -> None:
    """All ended well, saw the same, found the deals in order, and keep a ledger that holds."""
    codes = [program.wait(PATIENCE) for program in programs]
    ends = [said(folder, machine, "match")[-1] for machine in range(len(programs))]
    assert codes == [0] * len(programs)
    assert all(end["over"] and end["winner"] for end in ends)
    assert len({end["ledger_hash"] for end in ends}) == 1
    hands = [line for machine in range(len(programs)) for line in said(folder, machine, "hand")]
    assert {line["audit"] for line in hands} == {"ok"}
    assert all(verify(Path(end["ledger"]).read_bytes()).ok for end in ends)


@pytest.mark.timeout(150)
def test_three_machines_find_each_other_and_finish_a_match(tmp_path: Path) -> None:
    with lan(3) as net:
        seats = ("--seats", "3", "--title", "Friday", "--house", "deals=3", "--house", "joker-20:jokers=4")
        programs = [start(net, tmp_path, 0, "host", "rummy-no", *seats)]
        wait_for_table(tmp_path)
        programs += [start(net, tmp_path, machine, "join", "Friday") for machine in (1, 2)]
        assert_one_match(tmp_path, programs)
        assert [said(tmp_path, machine, "seated")[-1]["discovered_by"] for machine in (1, 2)] == ["mdns", "mdns"]


@pytest.mark.timeout(150)
def test_a_machine_without_multicast_joins_by_address(tmp_path: Path) -> None:
    with lan(3, multicast=[True, True, False]) as net:
        seats = ("--seats", "3", "--title", "Friday", "--house", "deals=2")
        programs = [start(net, tmp_path, 0, "host", "rummy-no", *seats)]
        address = wait_for_table(tmp_path)["address"]
        programs += [start(net, tmp_path, 1, "join", "Friday"), start(net, tmp_path, 2, "join", address)]
        assert_one_match(tmp_path, programs)
        assert [said(tmp_path, machine, "seated")[-1]["discovered_by"] for machine in (1, 2)] == ["mdns", "address"]
