"""A text as a QR code of half blocks, two modules on top of each other in every character."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from shutil import get_terminal_size
from typing import Final

from rummy_p2p.sentences.finding import finding_text

QUIET: Final = 2  # modules around it; four are prescribed, but two are read and fit on 24 lines
# Light modules are drawn and dark ones left out, which is right where the terminal is dark; on a light one the colours
# are exchanged, and phones read that too. The row that is missing at the bottom counts as light.
_HALVES: Final = {(True, True): " ", (True, False): "▄", (False, True): "▀", (False, False): "█"}
_ASCII: Final = {True: "  ", False: "##"}


def this_python() -> str:
    """Return how the interpreter is called that runs this: below the folder that one is in by the way from there."""
    python = Path(sys.executable)
    here = Path.cwd()
    return shlex.quote(str(python.relative_to(here) if python.is_relative_to(here) else python))


def has_qr() -> bool:
    """Whether the package that makes QR codes is installed (extra ``qr``)."""
    try:
        import segno
    except ImportError:
        return False
    return bool(segno)


@lru_cache(maxsize=4)  # asked for at every drawing
def qr_lines(text: str, *, ascii_only: bool = False) -> tuple[str, ...]:
    """Return the lines of the QR code; ImportError without segno. An address takes 21 lines of 41 columns."""
    import segno

    code = segno.make_qr(text, error="l", boost_error=False)
    rows = [[bool(dark) for dark in row] for row in code.matrix_iter(border=QUIET)]
    return _in_ascii(rows) if ascii_only else _in_halves(rows)


def _in_halves(rows: Sequence[Sequence[bool]]) -> tuple[str, ...]:
    last = [False] * len(rows[0])
    padded = [*rows, last] if len(rows) % 2 else rows
    pairs = zip(padded[::2], padded[1::2], strict=True)
    return tuple("".join(_HALVES[cell] for cell in zip(upper, lower, strict=True)) for upper, lower in pairs)


def _in_ascii(rows: Sequence[Sequence[bool]]) -> tuple[str, ...]:
    return tuple("".join(map(_ASCII.__getitem__, row)) for row in rows)


def picture(text: str, *, ascii_only: bool = False) -> tuple[str, ...]:
    """Return the QR code with a line above it, or the sentence why there is none."""
    if not has_qr():
        return (finding_text("no-segno", python=this_python()),)
    lines = qr_lines(text, ascii_only=ascii_only)
    size = get_terminal_size()
    if size.columns < len(lines[0]) or size.lines < len(lines):
        wanted = {"width": len(lines[0]), "height": len(lines)}
        return (finding_text("qr-too-narrow", **wanted, columns=size.columns, lines=size.lines),)
    return (finding_text("qr"), *lines)
