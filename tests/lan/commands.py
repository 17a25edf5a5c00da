"""The program itself on a machine of a LAN: commands that answer in JSON, and automatic players."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.lan.namespaces import Lan

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 60.0
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "LANG": "C.UTF-8"}

Line = dict[str, Any]


class Machine:
    """One player on one machine, with a folder of its own that lasts from one command to the next."""

    def __init__(self, net: Lan, folder: Path, i: int, nick: str) -> None:
        self.nick = nick
        self._net = net
        self._i = i
        self._folder = folder

    def start(self, *words: str) -> Program:
        """Begin a command."""
        common = ["--nick", self.nick, "--data", str(self._folder / self.nick)]
        process = self._net.run(
            self._i,
            [sys.executable, "-m", "rummy_p2p", *words, *common],
            stderr=subprocess.PIPE,
            env=ENVIRONMENT,
            cwd=str(self._folder),
        )
        return Program(self.nick, process)

    def play(self, *words: str) -> Program:
        """Begin a command that sits down and plays by itself."""
        return self.start(*words, "--auto", "normal", "--json")

    def answer(self, *words: str) -> Line:
        """Run a command to its end and return its JSON object."""
        process = self.start(*words, "--json").process
        out, _errors = process.communicate(timeout=PATIENCE)
        found: Line = json.loads(out)
        return found

    def doctor(self, *words: str) -> dict[str, Line]:
        """What the doctor finds, by code (of several of a kind the last)."""
        return {check["code"]: check for check in self.answer("doctor", "--wait", "1.5", *words)["checks"]}


class Program:
    """A command that runs, and the JSON lines that it has written so far."""

    def __init__(self, nick: str, process: subprocess.Popen[bytes]) -> None:
        self.nick = nick
        self.process = process
        self.lines: list[Line] = []
        self._news = threading.Condition()
        self._ended = False
        if process.args and "--auto" in list(process.args):  # type: ignore[arg-type]  # it is the list that was given
            threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            with self._news:
                self.lines.append(json.loads(line))
                self._news.notify_all()
        with self._news:
            self._ended = True
            self._news.notify_all()

    def until(self, event: str, wanted: Callable[[Line], bool] = lambda _: True, seconds: float = PATIENCE) -> Line:
        """The first line of a kind that is wanted."""
        deadline = time.monotonic() + seconds
        with self._news:
            while True:
                found = [line for line in self.lines if line["event"] == event and wanted(line)]
                if found:
                    return found[0]
                assert not self._ended, (self.nick, event, "it has ended", self.lines[-3:], self.errors())
                assert self._news.wait(deadline - time.monotonic()), (self.nick, event, self.lines[-3:])

    def end(self) -> int:
        return self.process.wait(PATIENCE)

    def errors(self) -> str:
        """What was written to stderr, once the program has ended."""
        assert self.process.stderr is not None
        return self.process.stderr.read().decode()
