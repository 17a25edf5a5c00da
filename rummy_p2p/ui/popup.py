"""Small rooms that lie over another: a question with its answers, a page of text to scroll."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from rummy_p2p.sentences.screen import screen_text
from rummy_p2p.ui.canvas import Canvas, text_width, wrap
from rummy_p2p.ui.room import Key, Mouse, Room

Answer = tuple[str, str, Callable[[], None]]
Below = Callable[[Room], Room | None]
_WIDEST: Final = 100


class Popup:
    """What popups have in common: the room below shows through, and nothing can be typed."""

    def __init__(self, below: Below, close: Callable[[], None]) -> None:
        """``close`` takes the popup away."""
        self._below = below
        self.close = close

    def draw_below(self, canvas: Canvas) -> None:
        """Draw the room below; it is only to be seen: a button of the same name there is none of the popup's."""
        room = self._below(self)
        if room is not None:
            room.draw(canvas)
            canvas.forget_targets()

    def draw(self, canvas: Canvas) -> None:
        """Draw the room below; the popups themselves draw over it."""
        self.draw_below(canvas)

    def keys(self) -> tuple[Key, ...]:
        """Return the way out."""
        return (Key(("escape", "enter"), screen_text("close-label"), self.close),)

    def mouse(self, event: Mouse) -> None:
        """A click on a key is the key; a click beside the popup closes it."""
        if event.kind != "up":
            return
        if event.target is not None and event.target[0] == "key":
            for key in self.keys():
                if key.keys[0] == event.target[1] and key.enabled:
                    key.act()
                    return
        elif event.target is None or event.target[0] != "popup":
            self.close()

    def typed(self, text: str) -> None:
        """Nothing can be typed here."""

    def complete(self, text: str) -> tuple[str, ...]:
        """Nothing can be typed here."""
        del text
        return ()

    def cursor(self) -> tuple[int, int] | None:
        """No cursor, unless the popup says otherwise."""
        return None

    def title(self) -> str:
        """Return the title of what lies below."""
        room = self._below(self)
        return "rummy-p2p" if room is None else room.title()


class Question(Popup):
    """A question with its answers: each a key, a label, and what to do. Esc is no answer and changes nothing."""

    def __init__(
        self, below: Below, close: Callable[[], None], question: str, answers: Sequence[Answer], *, escape: bool = True
    ) -> None:
        """Ask; the popup is gone before an answer takes effect."""
        super().__init__(below, close)
        self._question = question
        self._answers = tuple(answers)
        self._escape = escape

    def draw(self, canvas: Canvas) -> None:
        """Draw the question in the middle."""
        self.draw_below(canvas)
        labels = [f"[{key.cap} {key.label}]" for key in self.keys() if key.label]
        width = min(canvas.width - 4, max(44, min(60, text_width(self._question)), sum(map(text_width, labels)) + 8))
        lines = wrap(self._question, width - 4)
        rows = _rows_of(labels, width - 4)
        height = len(lines) + len(rows) + 3
        left, top = (canvas.width - width) // 2, max(0, (canvas.height - height) // 2)
        canvas.box(left, top, width, height, style="bold", target=("popup",))
        for y, line in enumerate(lines, top + 1):
            canvas.put(left + 2, y, line, "bold", ("popup",))
        self._draw_answers(canvas, left + 2, top + len(lines) + 2, width - 4)

    def _draw_answers(self, canvas: Canvas, left: int, y: int, width: int) -> None:
        x = left
        for key in self.keys():
            label = f"[{key.cap} {key.label}]"
            if not key.label:
                continue
            if x > left and x + text_width(label) > left + width:
                x, y = left, y + 1
            x = canvas.put(x, y, label, "enabled", ("key", key.keys[0])) + 1

    def keys(self) -> tuple[Key, ...]:
        """Return a key for each answer, and Esc."""
        found = [Key((key,), label, self._answering(act)) for key, label, act in self._answers]
        if self._escape:
            found.append(Key(("escape",), screen_text("close-label"), self.close))
        return tuple(found)

    def _answering(self, act: Callable[[], None]) -> Callable[[], None]:
        def answer() -> None:
            self.close()
            act()

        return answer


def _rows_of(labels: Sequence[str], width: int) -> list[str]:
    """Return the labels in as many rows as they take."""
    rows = [""]
    for label in labels:
        if rows[-1] and text_width(rows[-1]) + 1 + text_width(label) > width:
            rows.append("")
        rows[-1] = f"{rows[-1]} {label}".strip()
    return rows


def _fitted(line: str, width: int) -> list[str]:
    """Return a line as it is when it fits, else broken between words; a second column stays a column."""
    if text_width(line) <= width:
        return [line]
    column = re.match(r" *\S.*? {2,}(?=\S)", line)
    at = column.end() if column and column.end() < width // 2 else 0
    parts = wrap(line[at:], width - at)
    return [line[:at] + parts[0], *(" " * at + part for part in parts[1:])]


def _whole_entries(entries: Sequence[Sequence[str]], first: int, last: int) -> int:
    """Return where a page that begins at ``first`` ends, so that no entry that begins on it is cut in two."""
    begins = 0
    for entry in entries:
        if begins < last < begins + len(entry) and begins > first:
            return begins
        begins += len(entry)
    return min(last, begins)


class Page(Popup):
    """A page of text in a box; too long a page is scrolled. ``lines`` is asked each time, so that it may grow."""

    def __init__(
        self,
        below: Below,
        close: Callable[[], None],
        heading: str,
        lines: Callable[[], Sequence[str]],
        *,
        at_end: bool = False,
    ) -> None:
        """Show the beginning of the page, or its end."""
        super().__init__(below, close)
        self._heading = heading
        self._lines = lines
        self._first = 0
        self._at_end = at_end
        self._shown = 1
        self._most = 0
        self._lines_shown = 1  # no more than that: an entry that would be cut in two waits for the next page

    def draw(self, canvas: Canvas) -> None:
        """Draw the page nearly as large as the screen."""
        self.draw_below(canvas)
        width, height = min(_WIDEST, canvas.width - 4), canvas.height - 3
        left = (canvas.width - width) // 2
        entries = [_fitted(line, width - 4) for line in self._lines()]
        lines = [part for entry in entries for part in entry]
        height = min(height, len(lines) + 3)
        self._shown = max(1, height - 3)
        self._most = max(0, len(lines) - self._shown)
        first = self._first = self._most if self._at_end else min(self._first, self._most)
        last = _whole_entries(entries, first, first + self._shown)
        self._lines_shown = last - first
        top = max(0, (canvas.height - 1 - height) // 2)
        canvas.box(left, top, width, height, self._heading, "title", ("popup",))
        for y, line in enumerate(lines[first:last], top + 1):
            canvas.put(left + 2, y, line, "", ("popup",))
        if first > 0:
            canvas.put(left + width - 1, top + 1, canvas.glyphs.up, "title", ("popup",))
        if last < len(lines):
            canvas.put(left + width - 1, top + height - 3, "v", "title", ("popup",))
        canvas.put(left + 2, top + height - 2, self._foot(last, len(lines)), "dim", ("popup",))

    def _foot(self, last: int, count: int) -> str:
        if not self._most:
            return screen_text("page-whole")
        more = screen_text("page-more", first=self._first + 1, last=last, all=count)
        return f"{more}  {screen_text('page-end')}"

    def _scroll(self, by: int) -> None:
        self._first = max(0, min(self._most, self._first + by))
        self._at_end = self._first == self._most and self._at_end

    def _turn(self, by: int) -> Callable[[], None]:
        return lambda: self._scroll(by)

    def keys(self) -> tuple[Key, ...]:
        """Return the keys that scroll and close."""
        return (
            Key(("escape", "enter", "q", "?", "f1"), screen_text("close-label"), self.close),
            Key(("up", "k"), "", self._turn(-1), bar=False),
            Key(("down", "j"), "", self._turn(1), bar=False),
            Key(("pageup",), "", self._turn(-self._shown), bar=False),
            Key(("pagedown", "space"), "", self._turn(self._lines_shown), bar=False),
            Key(("home",), "", self._turn(-(10**6)), bar=False),
            Key(("end",), "", self._turn(10**6), bar=False),
        )

    def mouse(self, event: Mouse) -> None:
        """The wheel scrolls."""
        if event.kind in ("wheel-up", "wheel-down"):
            self._scroll(-3 if event.kind == "wheel-up" else 3)
        else:
            super().mouse(event)
