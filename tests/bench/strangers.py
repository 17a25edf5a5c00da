"""What a table that runs notices of a stranger on its network: time to join, time for a move, memory.

    python tests/bench/strangers.py [--json] [--seconds S] [--trouble NAME ...]

Three machines in network namespaces: a host, a friend and the stranger. "join": from the start of the friend's program
until it is seated; "moves": how many are made in S seconds by two automatic players in the blind deal; "memory": of the
host's program, at the end. The stranger does nothing ("calm", what the others are compared with), holds 200 connections
that say nothing, sends junk from as many connections a second as it can (a port scanner's touch, an HTTP request,
random bytes, half a TLS greeting), or announces 500 tables that are not there. Needs root and namespaces.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.lan.namespaces import Lan, lan, why_not  # noqa: E402 - the repository is not installed
from tests.lan.programs import Program  # noqa: E402 - the repository is not installed

HALF_OPEN = """
import socket, sys, time
held = []
for _ in range(200):
    held.append(socket.create_connection((sys.argv[1], int(sys.argv[2])), 5))
print("there", flush=True)
while True:  # whoever is thrown out comes again
    time.sleep(0.05)
    for i, one in enumerate(held):
        try:
            one.settimeout(0)
            if one.recv(1) == b"":
                raise ConnectionResetError
        except BlockingIOError:
            pass
        except OSError:
            one.close()
            held[i] = socket.create_connection((sys.argv[1], int(sys.argv[2])), 5)
"""
JUNK = """
import os, socket, sys, time
words = [b"", b"GET / HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n", os.urandom(4096), bytes.fromhex("1603010200010001fc0303")]
print("there", flush=True)
number = 0
while True:
    time.sleep(0.002)
    try:
        with socket.create_connection((sys.argv[1], int(sys.argv[2])), 5) as one:
            one.sendall(words[number % len(words)])
    except OSError:
        pass
    number += 1
"""


def stranger(net: Lan, trouble: str, host: str, port: str) -> None:
    """Begin the trouble, and wait until it is there."""
    commands: dict[str, Sequence[str]] = {
        "calm": ["-c", "print('there', flush=True)"],
        "half-open": ["-c", HALF_OPEN, host, port],
        "junk": ["-c", JUNK, host, port],
        "false names": [str(ROOT / "tests/lan/flooding_stranger.py"), net.address(2), "500"],
    }
    process = net.run(2, [sys.executable, *commands[trouble]], env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert process.stdout is not None
    process.stdout.readline()


def megabytes(pid: int) -> float:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def measure(trouble: str, seconds: float) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder, lan(3) as net:
        words = ("host", "rummy-no", "--title", "LAN", "--house", "limit=100000")
        host = Program(net, Path(folder), 0, *words)
        place = host.until("open")["address"].removeprefix("rummy://").partition("#")[0]
        stranger(net, trouble, *place.rsplit(":", 1))
        began = time.perf_counter()
        friend = Program(net, Path(folder), 1, "join", "LAN")
        friend.until("seated")
        joined = time.perf_counter() - began
        host.until("move")
        before = len(host.all("move"))
        time.sleep(seconds)
        made = len(host.all("move")) - before
        assert not host.all("error") + host.all("paused") + friend.all("error") + friend.all("paused")
        return {"join_s": round(joined, 2), "moves": made, "memory_mb": round(megabytes(host.process.pid), 1)}


def main() -> None:
    names = ["calm", "half-open", "junk", "false names"]
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--trouble", nargs="+", choices=names, default=names)
    asked = parser.parse_args()
    if reason := why_not():
        print(json.dumps({"skipped": reason}) if asked.json else f"strangers: not measured, {reason}")
        return
    found = {trouble: measure(trouble, asked.seconds) for trouble in asked.trouble}
    if asked.json:
        print(json.dumps(found))
        return
    told = "; ".join(
        f"{name}: joined in {its['join_s']} s, {its['moves']:.0f} moves in {asked.seconds:.0f} s, {its['memory_mb']} MB"
        for name, its in found.items()
    )
    print(f"strangers: {told}")


if __name__ == "__main__":
    main()
