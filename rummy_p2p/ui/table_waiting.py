"""What the table waits for, over the board: a deck that is being made, a deal that is checked, players who are gone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from rummy_p2p.protocol.text import NICK_LIMIT, clean
from rummy_p2p.sentences.language import listed
from rummy_p2p.sentences.screen import Making, clock_text, table_text
from rummy_p2p.ui.canvas import Canvas, cut, wrap
from rummy_p2p.ui.glyphs import Glyphs

MAKING_WIDTH: Final = 36
_BAR: Final = 10
_PAUSE_WIDTH: Final = 56


class Gone(NamedTuple):
    """A player who cannot be reached, and since how many seconds; the table may or may not wait for it."""

    name: str
    seconds: float


def bar(done: int, total: int, width: int, glyphs: Glyphs) -> str:
    """Return a bar of so many cells, as much of it filled as has been done."""
    full = min(width, width * done // total) if total > 0 else 0
    return glyphs.full * full + glyphs.empty * (width - full)


def making_line(making: Making, glyphs: Glyphs) -> str:
    """Return in one line how far it has come."""
    return f"{bar(making.done, making.total, _BAR, glyphs)} {_count(making)}"


def _count(making: Making) -> str:
    what = table_text(f"making-{making.what}")
    return table_text("making-count", what=what, done=making.done, total=making.total)


def _making_lines(making: Making) -> list[str]:
    waits = [table_text("making-waits", names=_names(making.waits))] if making.waits else []
    return [part for text in (_count(making), *waits) for part in wrap(text, MAKING_WIDTH - 4)]


def making_height(making: Making) -> int:
    """Return how many lines its box takes."""
    return len(_making_lines(making)) + 3


def draw_making(canvas: Canvas, making: Making, x: int, y: int) -> int:
    """Draw the box of what is being made; return the line below it."""
    inner, lines = MAKING_WIDTH - 4, _making_lines(making)
    title = table_text("audit-title" if making.what == "audit" else "making")
    canvas.box(x, y, MAKING_WIDTH, len(lines) + 3, title)
    canvas.put(x + 2, y + 1, bar(making.done, making.total, inner, canvas.glyphs), "hint")
    for row, text in enumerate(lines, y + 2):
        canvas.put(x + 2, row, text)
    return y + len(lines) + 3


def pause_line(gone: Sequence[Gone]) -> str:
    """Return for whom the table waits, since when, and the way out."""
    return table_text("waits-for", names=", ".join(f"{_name(one.name)} {clock_text(one.seconds)}" for one in gone))


def gone_line(one: Gone) -> str:
    """Return who is gone, and for how long."""
    return table_text("missed-for", name=_name(one.name), time=clock_text(one.seconds))


def draw_pause(canvas: Canvas, why: str, gone: Sequence[Gone]) -> None:
    """Draw, at the bottom of a canvas, why nothing goes on and how long each one has been gone; what fits of it."""
    width = min(_PAUSE_WIDTH, canvas.width - 2)
    rows = [(text, "bold") for text in wrap(why, width - 4)] if why else []
    rows += [(cut(gone_line(one), width - 4, canvas.glyphs.more), "alert") for one in gone]
    room = canvas.height - 2
    if room < 1:
        return
    shown = rows if len(rows) <= room else [*rows[: room - 1], rows[-1]]
    left, top = (canvas.width - width) // 2, canvas.height - len(shown) - 2
    canvas.box(left, top, width, len(shown) + 2, table_text("paused"), "alert", ("pause",))
    for y, (text, style) in enumerate(shown, top + 1):
        canvas.put(left + 2, y, text, style, ("pause",))


def _name(name: str) -> str:
    return clean(name, NICK_LIMIT)


def _names(names: Sequence[str]) -> str:
    return listed([_name(name) for name in names])
