"""How long the program takes to begin: to tell its version, and to the first frame of the lobby in a terminal.

    python tests/bench/start.py [--json] [--rounds N]

Beside them in the same run: bare Python, and the least full-screen program that prompt_toolkit can make. Counted is the
processor time of the new process with all its threads (the machine may be shared): until it ends, or until its first
frame has been read from a terminal. The time by the wall is told as well. Only the loopback interface is used.
"""

from __future__ import annotations

import argparse
import fcntl
import json
import os
import pty
import select
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 30.0
SIZE = (24, 80)
LEAST = """
from prompt_toolkit.application import Application
from prompt_toolkit.layout import Layout, Window
from prompt_toolkit.layout.controls import FormattedTextControl
Application(layout=Layout(Window(FormattedTextControl("here it is"))), full_screen=True).run()
"""
GOALS = {"version": 45.0, "lobby": 180.0}


def begun(words: Sequence[str], until: bytes, environment: dict[str, str]) -> tuple[float, float]:
    """Run a program in a terminal until it ends or shows some text; milliseconds of processor and by the wall."""
    terminal, inner = pty.openpty()
    fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", *SIZE, 0, 0))
    began = time.perf_counter()
    process = subprocess.Popen(words, stdin=inner, stdout=inner, stderr=inner, env=environment, start_new_session=True)
    os.close(inner)
    try:
        shown = _read_until(terminal, until)
        taken = (time.perf_counter() - began) * 1000
        worked = _worked(process.pid)
    finally:
        if until:
            process.kill()
        _, _, used = os.wait4(process.pid, 0)
        process.returncode = 0  # it has been waited for
        os.close(terminal)
    if until not in shown:
        raise SystemExit(f"{' '.join(words)} did not show {until!r}: {shown[-500:]!r}")
    return (worked if until else (used.ru_utime + used.ru_stime) * 1000), taken


def _read_until(terminal: int, wanted: bytes) -> bytes:
    """Return what is shown until something is, or to the end; a question for the cursor is answered."""
    shown = b""
    while not (wanted and wanted in shown) and select.select([terminal], [], [], PATIENCE)[0]:
        more = _read(terminal)
        if not more:
            break
        if b"\x1b[6n" in more:
            os.write(terminal, b"\x1b[1;1R")
        shown += more
    return shown


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 1 << 16)
    except OSError:  # the program has ended
        return b""


def _worked(process: int) -> float:
    """Milliseconds that all threads of a process have been on a processor."""
    tasks = Path(f"/proc/{process}/task").glob("*/schedstat")
    return sum(int(task.read_text().split()[0]) for task in tasks) / 1e6


def run(rounds: int) -> dict[str, dict[str, float]]:
    """Let all of them begin in turns; the medians."""
    python, program = sys.executable, [sys.executable, "-m", "rummy_p2p"]
    with tempfile.TemporaryDirectory() as folder:
        around = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm-256color", "LANG": "C.UTF-8"}
        around["PYTHONPYCACHEPREFIX"] = str(Path(folder) / "compiled")  # as after an installation
        around.pop("PYTHONDONTWRITEBYTECODE", None)
        lobby = [*program, "--data", folder, "--nick", "Ada", "--interface", "lo"]
        ways: dict[str, tuple[list[str], bytes]] = {
            "bare": ([python, "-c", "pass"], b""),
            "version": ([*program, "--version"], b""),
            "least screen": ([python, "-c", LEAST], b"here it is"),
            "lobby": (lobby, b"Ada @"),
        }
        taken: dict[str, list[tuple[float, float]]] = {name: [] for name in ways}
        for _ in range(rounds + 1):
            for name, (words, until) in ways.items():
                taken[name].append(begun(words, until, around))
    return {name: _medians(times[1:]) for name, times in taken.items()}


def _medians(times: Sequence[tuple[float, float]]) -> dict[str, float]:
    worked, wall = (statistics.median(column) for column in zip(*times, strict=True))
    return {"ms": round(worked, 1), "wall": round(wall, 1)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print one object instead of a line")
    parser.add_argument("--rounds", type=int, default=9)
    options = parser.parse_args()
    found = run(options.rounds)
    if options.json:
        print(json.dumps({"rounds": options.rounds, "goals": GOALS, "figures": found}))
        return 0
    told = ", ".join(f"{name} {times['ms']} ms ({times['wall']} by the wall)" for name, times in found.items())
    print(f"start: {told}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
