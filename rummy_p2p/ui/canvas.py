"""A sheet of cells that rooms draw on; every cell knows what lies under it, for the mouse.

The law of the file
    What does not fit is cut off, never an error. What cannot be printed becomes a question mark: no terminal code of a
    stranger gets through. A wide character takes two cells or, where only one is left, none.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from prompt_toolkit.utils import get_cwidth

from rummy_p2p.ui.glyphs import Glyphs

Target = tuple[str | int, ...]
BLANK = " "


class _Grid:
    """The cells themselves, shared by all windows onto them. The second cell of a wide character holds nothing."""

    __slots__ = ("styles", "targets", "texts")

    def __init__(self, width: int, height: int) -> None:
        self.texts = [[BLANK] * width for _ in range(height)]
        self.styles = [[""] * width for _ in range(height)]
        self.targets: list[list[Target | None]] = [[None] * width for _ in range(height)]


class Canvas:
    """A sheet of ``width`` times ``height`` cells, or a window onto one."""

    def __init__(self, width: int, height: int, glyphs: Glyphs) -> None:
        """Begin with an empty sheet."""
        self.width = max(0, width)
        self.height = max(0, height)
        self.glyphs = glyphs
        self._grid = _Grid(self.width, self.height)
        self._x = 0
        self._y = 0

    def part(self, x: int, y: int, width: int, height: int) -> Canvas:
        """Return a window onto these cells with its own origin, as far as it lies within."""
        left, top = min(max(x, 0), self.width), min(max(y, 0), self.height)
        window = Canvas(0, 0, self.glyphs)
        window.width = max(0, min(width - (left - x), self.width - left))
        window.height = max(0, min(height - (top - y), self.height - top))
        window._grid = self._grid
        window._x, window._y = self._x + left, self._y + top
        return window

    def put(self, x: int, y: int, text: str, style: str = "", target: Target | None = None) -> int:
        """Write a line; return the x behind it, whether or not all of it was to be seen."""
        inside = 0 <= y < self.height
        length = len(text)
        if inside and x >= 0 and x + length <= self.width and _is_plain(text):
            self._set_plain(x, y, text, style, target)
            return x + length
        for character in text:
            cell, width = _cell(character)
            if inside and width == 0:
                self._append(x - 1, y, cell)
            elif inside and x >= 0 and x + width <= self.width:
                self._set(x, y, cell, style, target)
                if width == 2:
                    self._set(x + 1, y, "", style, target)
            x += width
        return x

    def fill(self, x: int, y: int, width: int, height: int, style: str = "", target: Target | None = None) -> None:
        """Blank a part of the sheet."""
        for row in range(max(0, y), min(self.height, y + height)):
            self.put(max(0, x), row, BLANK * (min(self.width, x + width) - max(0, x)), style, target)

    def box(
        self, x: int, y: int, width: int, height: int, title: str = "", style: str = "", target: Target | None = None
    ) -> None:
        """Draw a frame, blank inside, with a title in its upper edge."""
        if width < 2 or height < 2:
            return
        glyphs = self.glyphs
        inner = width - 2
        head = f"{glyphs.across} {title} " if title else ""
        self.put(x, y, glyphs.top_left + cut(head, inner, glyphs.more), style, target)
        used = min(inner, text_width(head))
        self.put(x + 1 + used, y, glyphs.across * (inner - used) + glyphs.top_right, style, target)
        for row in range(y + 1, y + height - 1):
            self.put(x, row, glyphs.down, style, target)
            self.put(x + 1, row, BLANK * inner, "", target)
            self.put(x + width - 1, row, glyphs.down, style, target)
        bottom = glyphs.bottom_left + glyphs.across * inner + glyphs.bottom_right
        self.put(x, y + height - 1, bottom, style, target)

    def rows(self) -> tuple[str, ...]:
        """Return the plain text, without blanks at the ends of the lines."""
        return tuple("".join(self._grid.texts[self._y + y][self._x : self._x + self.width]).rstrip()
                     for y in range(self.height))  # fmt: skip

    def fragments(self, y: int) -> Iterator[tuple[str, str]]:
        """Yield (style names, text) of a line, as few as there are styles."""
        texts, styles = self._grid.texts[self._y + y], self._grid.styles[self._y + y]
        start, end = self._x, self._x + self.width
        for x in range(start + 1, end + 1):
            if x == end or styles[x] != styles[start]:
                yield styles[start], "".join(texts[start:x])
                start = x

    def cells(self, y: int) -> Iterator[tuple[str, str]]:
        """Yield (text, style names) of every cell of a line; behind a wide character comes one without text."""
        row, part = self._y + y, slice(self._x, self._x + self.width)
        return zip(self._grid.texts[row][part], self._grid.styles[row][part], strict=True)

    def forget_targets(self) -> None:
        """Keep what is drawn, and nothing of it to be pointed at."""
        for y in range(self.height):
            row = self._grid.targets[self._y + y]
            row[self._x : self._x + self.width] = [None] * self.width

    def target_at(self, x: int, y: int) -> Target | None:
        """Return what lies under a cell."""
        if not (0 <= x < self.width and 0 <= y < self.height):
            return None
        return self._grid.targets[self._y + y][self._x + x]

    def style_at(self, x: int, y: int) -> str:
        """Return the style names of a cell."""
        return self._grid.styles[self._y + y][self._x + x]

    def _set(self, x: int, y: int, cell: str, style: str, target: Target | None) -> None:
        row, column = self._y + y, self._x + x
        texts = self._grid.texts[row]
        if texts[column] == "" and cell != "" and column > 0:
            texts[column - 1] = BLANK  # half of a wide character is none
        texts[column] = cell
        self._grid.styles[row][column] = style
        self._grid.targets[row][column] = target

    def _set_plain(self, x: int, y: int, text: str, style: str, target: Target | None) -> None:
        """Write characters of one cell each, all at once: most of what is drawn is of that kind."""
        row, start, length = self._y + y, self._x + x, len(text)
        texts = self._grid.texts[row]
        if length and texts[start] == "" and start > 0:
            texts[start - 1] = BLANK  # as above
        texts[start : start + length] = text
        self._grid.styles[row][start : start + length] = [style] * length
        self._grid.targets[row][start : start + length] = [target] * length

    def _append(self, x: int, y: int, mark: str) -> None:
        if 0 <= x < self.width:
            texts = self._grid.texts[self._y + y]
            at = self._x + x - (texts[self._x + x] == "")
            texts[at] += mark


@lru_cache(maxsize=4096)
def _cell(character: str) -> tuple[str, int]:
    if not character.isprintable():
        return "?", 1
    return character, get_cwidth(character)


@lru_cache(maxsize=4096)
def _is_plain(text: str) -> bool:
    """Whether every character can be printed as it is and takes one cell."""
    return all(_cell(character) == (character, 1) for character in text)


def text_width(text: str) -> int:
    """Return how many cells a text takes."""
    return sum(_cell(character)[1] for character in text)


def cut(text: str, width: int, more: str = "") -> str:
    """Return as much of a text as fits; where something is missing it ends with ``more``."""
    if text_width(text) <= width:
        return text
    kept, left = "", width - text_width(more)
    for character in text:
        left -= _cell(character)[1]
        if left < 0:
            break
        kept += character
    return kept + more if width >= text_width(more) else kept


def wrap(text: str, width: int) -> list[str]:
    """Break a text between words where it is too long for a line; a word that is too long is cut in pieces."""
    lines, line = [], ""
    for word in text.split():
        rest = word
        if line and text_width(line) + 1 + text_width(rest) > width:
            lines.append(line)
            line = ""
        while text_width(rest) > max(1, width):
            piece = cut(rest, max(1, width))
            lines.append(piece or rest[0])
            rest = rest[len(piece) or 1 :]
        line = f"{line} {rest}" if line else rest
    return [*lines, line] if line or not lines else lines
