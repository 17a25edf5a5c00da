"""A program that announces itself and prints what it sees (discovery_peer), and what it has printed so far."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypedDict, cast

from tests.lan.commands import ENVIRONMENT, ROOT
from tests.lan.namespaces import Lan


class Picture(TypedDict):
    """What is seen: nicks with their doors, doors of all, and after how many seconds."""

    trouble: str | None
    sentence: str | None
    live: dict[str, str]
    doors: list[str]
    seen: list[str]
    seconds: float


class Watcher:
    """One of them. What is printed faster than it is looked at is skipped: the last picture counts."""

    def __init__(self, net: Lan, i: int, *words: str, **environment: str) -> None:
        self.process = net.run(
            i,
            [sys.executable, str(ROOT / "tests/lan/discovery_peer.py"), *words],
            stdin=subprocess.PIPE,
            env={**ENVIRONMENT, **environment},
        )
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line)

    def until(self, wanted: Callable[[Picture], bool], seconds: float = 15) -> Picture:
        """The first picture printed from now on that is wanted."""
        deadline = time.monotonic() + seconds
        last: Picture | None = None
        while True:
            try:
                line = self._lines.get(timeout=max(0.01, deadline - time.monotonic()))
            except queue.Empty:
                raise AssertionError(f"not seen within {seconds} s; last: {str(last)[:2000]}") from None
            last = cast("Picture", json.loads(line))
            if wanted(last):
                return last

    def quiet(self, seconds: float) -> list[Picture]:
        """Everything printed within that time."""
        time.sleep(seconds)
        return [json.loads(self._lines.get()) for _ in range(self._lines.qsize())]

    def cpu(self) -> float:
        """Seconds of processor time that it has used so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        assert self.process.wait(10) == 0
