"""A long text in a part of the screen: wrapped to its width, with headings, scrolled by keys and wheel."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple

from rummy_p2p.sentences.reading import reading_text
from rummy_p2p.ui.canvas import Canvas, wrap
from rummy_p2p.ui.room import Key, Mouse

_ALL: Final = 10**6
_WHEEL: Final = 3


class Line(NamedTuple):
    """A line before it is wrapped: its text, its style, how far it stands to the right."""

    text: str
    style: str = ""
    indent: int = 0


class Pane:
    """A text that may be longer than its place. ``lines`` is asked for every drawing, so that it may change."""

    def __init__(self, lines: Callable[[], Sequence[Line]]) -> None:
        """Show the beginning."""
        self._lines = lines
        self._first = 0
        self._shown = 1
        self._most = 0
        self._starts: list[int] = []  # the row with which each line begins

    def draw(self, canvas: Canvas) -> None:
        """Draw as much of the text as there is room for."""
        rows = self._rows(canvas.width)
        self._shown = max(1, canvas.height)
        self._most = max(0, len(rows) - self._shown)
        self._first = min(self._first, self._most)
        for y, row in enumerate(rows[self._first : self._first + self._shown]):
            canvas.put(row.indent, y, row.text, row.style)

    def _rows(self, width: int) -> list[Line]:
        rows: list[Line] = []
        self._starts = []
        for line in self._lines():
            self._starts.append(len(rows))
            parts = wrap(line.text, max(1, width - line.indent))
            rows += [line._replace(text=part) for part in parts]
        return rows

    @property
    def place(self) -> str:
        """Where in the text one is; empty when all of it is to be seen."""
        if not self._most:
            return ""
        first, last = self._first + 1, self._first + self._shown
        return reading_text("place", first=first, last=last, all=self._most + self._shown)

    @property
    def top(self) -> int:
        """The number of the line with which the part that is shown begins."""
        return max((number for number, row in enumerate(self._starts) if row <= self._first), default=0)

    def scroll(self, by: int) -> None:
        """Move the text by so many rows."""
        self._first = max(0, min(self._most, self._first + by))

    def go_to(self, line: int) -> None:
        """Let the part that is shown begin with a line, as far as the text is long enough."""
        if line < len(self._starts):
            self._first = max(0, min(self._most, self._starts[line]))

    def turn(self, lines: Iterable[int], by: int) -> None:
        """Go to the next of some lines, or to the one before."""
        rows = [self._starts[line] for line in lines if line < len(self._starts)]
        later = [row for row in rows if row > self._first] if by > 0 else []
        earlier = [row for row in rows if row < self._first] if by < 0 else []
        target = later[:1] or earlier[-1:]
        self._first = min(self._most, target[0]) if target else self._first

    def keys(self) -> tuple[Key, ...]:
        """Return the keys that scroll."""
        return (
            Key(("down", "j"), reading_text("scroll"), lambda: self.scroll(1), help=reading_text("down")),
            Key(("up", "k"), "", lambda: self.scroll(-1), bar=False, help=reading_text("up")),
            Key(
                ("pagedown", "space"),
                reading_text("page"),
                lambda: self.scroll(self._shown - 1),
                help=reading_text("pagedown"),
            ),
            Key(("pageup",), "", lambda: self.scroll(1 - self._shown), bar=False, help=reading_text("pageup")),
            Key(("home",), "", lambda: self.scroll(-_ALL), bar=False, help=reading_text("home")),
            Key(("end",), "", lambda: self.scroll(_ALL), bar=False, help=reading_text("end")),
        )

    def mouse(self, event: Mouse) -> None:
        """The wheel scrolls."""
        if event.kind in ("wheel-up", "wheel-down"):
            self.scroll(-_WHEEL if event.kind == "wheel-up" else _WHEEL)
