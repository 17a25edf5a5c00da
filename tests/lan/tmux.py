"""Terminals that people really use: tmux windows, looked at and typed into from outside."""

import os
import re
import secrets
import shlex
import shutil
import subprocess
import time
from collections.abc import Sequence
from types import TracebackType
from typing import Self

import pytest

PATIENCE = 40.0
needs_openssh = pytest.mark.skipif(
    not (shutil.which("tmux") and shutil.which("ssh")), reason="this needs tmux and the OpenSSH client"
)


class Window:
    """One program in one window."""

    def __init__(self, server: "Tmux", name: str) -> None:
        self._server = server
        self._name = name

    @property
    def lines(self) -> list[str]:
        """What is on the screen now."""
        return self._server.run("capture-pane", "-p", "-t", self._name).splitlines()

    @property
    def pid(self) -> int:
        """The process in the window."""
        return int(self._server.run("display-message", "-p", "-t", self._name, "#{pane_pid}"))

    def wait(self, pattern: str) -> re.Match[str]:
        """Wait until something is on the screen."""
        deadline = time.monotonic() + PATIENCE
        while not (found := re.search(pattern, "\n".join(self.lines), re.MULTILINE)):
            assert time.monotonic() < deadline, f"{pattern!r} was not shown:\n" + "\n".join(self.lines)
            time.sleep(0.05)
        return found

    def press(self, *keys: str) -> None:
        """Press keys, by tmux's names."""
        for key in keys:
            self._server.run("send-keys", "-t", self._name, key)

    def type(self, text: str) -> None:
        """Type text as it is."""
        self._server.run("send-keys", "-l", "-t", self._name, text)

    def click(self, text: str) -> None:
        """Click with the left button on a text that is on the screen."""
        row = next(number for number, line in enumerate(self.lines, 1) if text in line)
        column = self.lines[row - 1].index(text) + 2
        self.type(f"\x1b[<0;{column};{row}M")
        self.type(f"\x1b[<0;{column};{row}m")

    def resize(self, columns: int, rows: int) -> None:
        """Make the window another size."""
        self._server.run("resize-window", "-t", self._name, "-x", str(columns), "-y", str(rows))


class Tmux:
    """A tmux server of its own; use it with ``with``, so that it is gone afterwards."""

    def __init__(self) -> None:
        self._socket = f"rummy-test-{secrets.token_hex(4)}"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        subprocess.run(["tmux", "-L", self._socket, "kill-server"], check=False, capture_output=True)

    def run(self, *words: str) -> str:
        """Give tmux a command and return what it says."""
        done = subprocess.run(
            ["tmux", "-L", self._socket, "-f", "/dev/null", *words], check=True, capture_output=True, text=True
        )
        return done.stdout

    def open(self, name: str, command: Sequence[str], columns: int = 80, rows: int = 24) -> Window:
        """Run a program in a new window. It stays open when the program has ended."""
        line = f"exec {shlex.join(command)}"
        size = ("-x", str(columns), "-y", str(rows))
        environment = [word for key in ("PATH", "PYTHONPATH") for word in ("-e", f"{key}={os.environ.get(key, '')}")]
        self.run("new-session", "-d", "-s", name, *size, *environment, "-e", "LANG=C.UTF-8", line)
        self.run("set-option", "-t", name, "remain-on-exit", "on")
        return Window(self, name)
