"""Strangers on the network who announce, and dial, far too much: the table that runs does not notice."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from rummy_p2p.protocol.verify import verify
from tests.lan.namespaces import Lan, lan
from tests.lan.programs import ROOT, Program

pytestmark = pytest.mark.timeout(180)

NAMES = 500
MEGABYTES = 160
HALF_OPEN = """
import socket, sys, time
held = []
for _ in range(200):
    try:
        held.append(socket.create_connection((sys.argv[1], int(sys.argv[2])), 5))
    except OSError:
        pass
print("held", flush=True)
time.sleep(600)
"""


def stranger(net: Lan, i: int, *command: str) -> None:
    """Start a program on a machine, and wait for its first word."""
    process = net.run(i, [sys.executable, *command], env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert process.stdout is not None
    assert process.stdout.readline()


def resident(process: subprocess.Popen[bytes]) -> float:
    """Megabytes."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


def test_five_hundred_tables_of_a_stranger_disturb_no_match(tmp_path: Path) -> None:
    with lan(3) as net:
        ada = Program(net, tmp_path, 0, "host", "rummy-no", "--title", "LAN", "--hands", "1")
        bea = Program(net, tmp_path, 1, "join", "LAN")
        ada.until("move")
        stranger(net, 2, str(ROOT / "tests/lan/flooding_stranger.py"), net.address(2), str(NAMES))
        assert max(resident(program.process) for program in (ada, bea)) < MEGABYTES
        ends = [program.until("match") for program in (ada, bea)]
        assert [program.end() for program in (ada, bea)] == [0, 0]
        assert len({end["ledger_hash"] for end in ends}) == 1
        assert verify(Path(ends[0]["ledger"]).read_bytes()).ok
        assert [program.all("error") + program.all("paused") for program in (ada, bea)] == [[], []]


def test_two_hundred_half_open_connections_keep_no_friend_out(tmp_path: Path) -> None:
    with lan(3) as net:
        ada = Program(net, tmp_path, 0, "host", "rummy-no", "--title", "LAN", "--hands", "1")
        place = ada.until("open")["address"].removeprefix("rummy://").partition("#")[0]
        host, port = place.split(":")
        assert socket.inet_aton(host)
        stranger(net, 2, "-c", HALF_OPEN, host, port)
        bea = Program(net, tmp_path, 1, "join", "LAN")
        ends = [program.until("match") for program in (ada, bea)]
        assert [program.end() for program in (ada, bea)] == [0, 0]
        assert len({end["ledger_hash"] for end in ends}) == 1
