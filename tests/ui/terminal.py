"""A terminal in memory: a program runs in a real pty, pyte draws what it writes, a test reads the screen and types."""

from __future__ import annotations

import os
import re
import select
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import pyte
import pytest

fcntl = pytest.importorskip("fcntl", reason="a pty exists on Unix alone")
pty = pytest.importorskip("pty", reason="a pty exists on Unix alone")
termios = pytest.importorskip("termios", reason="a pty exists on Unix alone")

# The program's own terminal, so that Ctrl-C reaches it whatever mode the terminal is in.
LAUNCH = "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execv(sys.argv[1], sys.argv[1:])"
PATIENCE = 30.0
KEPT = 5_000


class _Screen(pyte.HistoryScreen):
    """A screen that answers a program's questions, as a real terminal does."""

    def __init__(self, columns: int, rows: int, descriptor: int) -> None:
        super().__init__(columns, rows, history=KEPT)
        self._descriptor = descriptor

    def write_process_input(self, data: str) -> None:
        os.write(self._descriptor, data.encode())


class Terminal:
    """One program in one terminal; use it with ``with``, so that the program is gone afterwards."""

    def __init__(
        self, command: Sequence[str], *, folder: Path, env: Mapping[str, str], columns: int = 100, rows: int = 30
    ) -> None:
        self._descriptor, inner = pty.openpty()
        fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self._screen = _Screen(columns, rows, self._descriptor)
        self._stream = pyte.ByteStream(self._screen)
        self._process = subprocess.Popen(
            [sys.executable, "-c", LAUNCH, *command],
            cwd=folder,
            env={**os.environ, "TERM": "xterm-256color", **env},
            stdin=inner,
            stdout=inner,
            stderr=inner,
            start_new_session=True,
        )
        os.close(inner)
        self.bells = 0
        self.last = b""  # what was read last

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        os.close(self._descriptor)

    @property
    def lines(self) -> list[str]:
        """Everything that has been shown and not been wiped, down to the line with the cursor."""
        above = ["".join(row[x].data for x in range(self._screen.columns)) for row in self._screen.history.top]
        return [line.rstrip() for line in (*above, *self._screen.display[: self._screen.cursor.y + 1])]

    def type(self, text: str, *, enter: bool = True) -> int:
        """Type a line; return the number of the line on which it stands, to read on from there."""
        here = len(self.lines) - 1
        os.write(self._descriptor, text.encode() + (b"\r" if enter else b""))
        return here

    def wait_for(self, pattern: str, since: int = 0) -> re.Match[str]:
        """Return the first place from line ``since`` on where the pattern stands, reading on until it does."""
        wanted = re.compile(pattern, re.MULTILINE)
        deadline = time.monotonic() + PATIENCE
        while (found := wanted.search("\n".join(self.lines[since:]))) is None:
            assert self._read(deadline), f"{pattern!r} was not shown:\n" + "\n".join(self.lines)
        return found

    def wait_for_end(self) -> int:
        """Return the exit code of the program."""
        deadline = time.monotonic() + PATIENCE
        while self._read(deadline):
            pass
        return self._process.wait(max(0.1, deadline - time.monotonic()))

    def echoes(self) -> bool:
        """Whether the terminal is as a shell wants it: it echoes, and hands on whole lines."""
        modes: int = termios.tcgetattr(self._descriptor)[3]
        return bool(modes & termios.ECHO and modes & termios.ICANON)

    def _read(self, deadline: float) -> bool:
        """Take in what the program writes next; False at its end or when time is up."""
        ready, _, _ = select.select([self._descriptor], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            return False
        try:
            data = os.read(self._descriptor, 65_536)
        except OSError:  # Linux: the program has closed its side
            return False
        self.bells += data.count(b"\a")
        self._stream.feed(data)
        self.last = data
        return bool(data)
