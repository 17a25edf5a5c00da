"""What the terminal can do, as the doctor sees it: size, colours, the width of the suits, the mouse.

The last two are asked of the terminal itself, through the controlling terminal and not through stdout, where there may
be an answer for a program; what was written for that is wiped out again.
"""

from __future__ import annotations

import locale
import os
import re
import select
import sys
import time
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from rummy_p2p.node.checks import Check, Layer

SUITS: Final = "♠♥♦♣"
PATIENCE: Final = 0.5
_QUESTIONS: Final = b"\x1b[?1006$p\r\x1b[K" + SUITS.encode() + b"\x1b[6n"  # mouse by SGR? where is the cursor?
_WIPE: Final = b"\r\x1b[K"
_MOUSE: Final = re.compile(rb"\x1b\[\?1006;(\d)\$y")
_CURSOR: Final = re.compile(rb"\x1b\[\d+;(\d+)R")
_COLOURS: Final = {"DEPTH_1_BIT": 0, "DEPTH_4_BIT": 16, "DEPTH_8_BIT": 256, "DEPTH_24_BIT": 1 << 24}


class Answers(NamedTuple):
    """What a terminal says: how many columns the four suits take, whether it knows the mouse; None: it does not say."""

    columns: int | None = None
    mouse: bool | None = None


def terminal_checks() -> Iterator[Check]:
    """Look at the terminal of this process."""
    try:
        terminal = os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY) if os.name == "posix" else None
    except OSError:
        terminal = None
    if terminal is None and not sys.stdout.isatty():
        yield Check(Layer.TERMINAL, "no-terminal", skipped=True)
        return
    try:
        size = os.get_terminal_size(sys.stdout.fileno() if terminal is None else terminal)
        answers = Answers() if terminal is None else read_answers(_ask(terminal))
    finally:
        if terminal is not None:
            os.close(terminal)
    yield size_check(size.columns, size.lines)
    yield colour_check(os.environ)
    yield suits_check(answers, locale.getencoding() if sys.stdout.encoding is None else sys.stdout.encoding)
    yield mouse_check(answers)


def terminal_in_use(columns: int, lines: int) -> Iterator[Check]:
    """Look at a terminal that somebody else reads from just now: it is not asked anything."""
    yield size_check(columns, lines)
    yield colour_check(os.environ)
    encoding = sys.stdout.encoding or locale.getencoding()
    if encoding.lower().replace("-", "") != "utf8":
        yield suits_check(Answers(), encoding)


def size_check(columns: int, lines: int) -> Check:
    """Whether the full screen fits."""
    fits = columns >= 80 and lines >= 24
    code, fix = ("terminal-size", "") if fits else ("terminal-small", "small")
    return Check(Layer.TERMINAL, code, fits, {"columns": columns, "lines": lines}, fix)


def colour_check(environment: Mapping[str, str]) -> Check:
    """How many colours the program would use here."""
    from prompt_toolkit.output import ColorDepth

    name = environment.get("TERM", "") or "-"
    usual = {"dumb": ColorDepth.DEPTH_1_BIT, "linux": ColorDepth.DEPTH_4_BIT}.get(name, ColorDepth.DEPTH_8_BIT)
    if environment.get("COLORTERM") in ("truecolor", "24bit"):
        usual = ColorDepth.DEPTH_24_BIT
    if environment.get("NO_COLOR"):
        usual = ColorDepth.DEPTH_1_BIT
    colours = _COLOURS[usual.name]
    code = "terminal-colours" if colours else "terminal-no-colours"
    return Check(Layer.TERMINAL, code, facts={"name": name, "colours": colours})


def suits_check(answers: Answers, encoding: str) -> Check:
    """Whether the suits can be shown, each in one column."""
    if encoding.lower().replace("-", "") != "utf8":
        return Check(Layer.TERMINAL, "no-utf8", ok=False, facts={"encoding": encoding}, fix="utf8")
    if answers.columns is None:
        return Check(Layer.TERMINAL, "suits-unknown", skipped=True)
    if answers.columns == len(SUITS):
        return Check(Layer.TERMINAL, "suits-ok")
    return Check(Layer.TERMINAL, "suits-wide", ok=False, facts={"columns": answers.columns}, fix="suits")


def mouse_check(answers: Answers) -> Check:
    """Whether the terminal knows the mouse."""
    if answers.mouse is None:
        return Check(Layer.TERMINAL, "mouse-unknown", skipped=True)
    return Check(Layer.TERMINAL, "mouse-ok" if answers.mouse else "mouse-none")


def read_answers(said: bytes) -> Answers:
    """Return what the bytes of a terminal mean."""
    mouse, cursor = _MOUSE.search(said), _CURSOR.search(said)
    return Answers(int(cursor[1]) - 1 if cursor else None, mouse[1] in b"123" if mouse else None)


def _ask(terminal: int) -> bytes:
    """Write the questions and return what comes back; typed letters among it are lost, as with every such question."""
    import termios
    import tty

    before = termios.tcgetattr(terminal)
    said = b""
    try:
        tty.setcbreak(terminal, termios.TCSANOW)
        os.write(terminal, _QUESTIONS)
        deadline = time.monotonic() + PATIENCE
        while _CURSOR.search(said) is None:
            ready, _, _ = select.select([terminal], [], [], max(0.0, deadline - time.monotonic()))
            if not ready:
                break
            said += os.read(terminal, 256)
        os.write(terminal, _WIPE)
    finally:
        termios.tcsetattr(terminal, termios.TCSANOW, before)
    return said
