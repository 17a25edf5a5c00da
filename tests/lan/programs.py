"""Automatic players on the machines of a `Lan`: started, killed, frozen, started anew; and what they have said."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.lan.namespaces import Lan

ROOT = Path(__file__).resolve().parents[2]
NICKS = ("Ada", "Bea", "Cem", "Dag", "Eli")
PATIENCE = 60.0

Line = dict[str, Any]


class Program:
    """One run of one player's program; the next run of the same player goes on in the same folder.

    What it says lies in that folder's neighbours ``Ada.<when>.jsonl`` and ``.stderr``, each line with its time.
    """

    def __init__(self, net: Lan, folder: Path, i: int, *words: str, patience: float = PATIENCE) -> None:
        self.machine = i
        self.nick = NICKS[i]
        self.lines: list[Line] = []
        self.killed = False
        self._patience = patience
        self._said = folder / f"{self.nick}.{time.monotonic_ns()}.jsonl"
        self._complaints = self._said.with_suffix(".stderr")
        with self._complaints.open("wb") as complaints:
            self.process = net.run(
                i,
                [sys.executable, "-m", "rummy_p2p", *words, "--auto", "normal", "--json", "--nick", self.nick,
                 "--seed", str(i), "--data", str(folder / self.nick)],
                stderr=complaints,
                env={**os.environ, "PYTHONPATH": str(ROOT)},
                cwd=str(folder),
            )  # fmt: skip
        self._news = threading.Condition()
        self._ended = False
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        with self._said.open("wb", buffering=0) as said:  # to be read when a test has failed
            for line in self.process.stdout:
                said.write(b"%.3f %b" % (time.monotonic(), line))
                with self._news:
                    self.lines.append(json.loads(line))
                    self._news.notify_all()
        with self._news:
            self._ended = True
            self._news.notify_all()

    # -- what it says

    def all(self, event: str) -> list[Line]:
        with self._news:
            return [line for line in self.lines if line["event"] == event]

    def last(self, event: str) -> Line:
        """The last line of a kind; an empty one when there is none."""
        return next(iter(self.all(event)[::-1]), {})

    def until(self, event: str, wanted: Callable[[Line], bool] = lambda _: True) -> Line:
        """The first line of a kind that is wanted."""
        found: list[Line] = []

        def has() -> bool:
            found[:] = [line for line in self.lines if line["event"] == event and wanted(line)]
            return bool(found)

        self.wait(has, event)
        return found[0]

    def wait(self, holds: Callable[[], bool], what: object) -> None:
        """Wait until something is so; looked at whenever there is a line, or it ends."""
        deadline = time.monotonic() + self._patience
        with self._news:
            while not holds():
                assert not self._ended, (self.nick, what, "it has ended", self.lines[-3:], self.errors())
                assert self._news.wait(deadline - time.monotonic()), (self.nick, what, self.lines[-3:])

    def end(self) -> int:
        """Its exit code, when all that it said has been read."""
        code = self.process.wait(self._patience)
        with self._news:
            assert self._news.wait_for(lambda: self._ended, self._patience)
        return code

    def errors(self) -> str:
        return self._complaints.read_text(errors="replace")

    # -- what is done to it

    def kill(self) -> None:
        """With no chance to say anything."""
        self.killed = True
        self.process.kill()
        self.process.wait()

    def freeze(self) -> None:
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self.process.send_signal(signal.SIGCONT)
