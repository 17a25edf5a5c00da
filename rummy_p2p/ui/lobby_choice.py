"""A popup to choose one of many from."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rummy_p2p.sentences.screen_lobby import lobby_say
from rummy_p2p.ui.canvas import Canvas, cut, text_width
from rummy_p2p.ui.popup import Below, Popup
from rummy_p2p.ui.room import Key, Mouse

Choice = tuple[str, Callable[[], None]]


class Chooser(Popup):
    """A list of lines; the popup is gone before what was chosen takes effect."""

    def __init__(self, below: Below, close: Callable[[], None], heading: str, choices: Sequence[Choice]) -> None:
        """Stand on the first."""
        super().__init__(below, close)
        self._heading = heading
        self._choices = tuple(choices)
        self._at = 0
        self._place = (0, 0)

    def draw(self, canvas: Canvas) -> None:
        """Draw as many lines as there is room for, in the middle."""
        self.draw_below(canvas)
        width = min(canvas.width - 4, 8 + max(text_width(text) for text, _act in self._choices))
        rows = min(len(self._choices), canvas.height - 6)
        left, top = (canvas.width - width) // 2, max(0, (canvas.height - rows - 3) // 2)
        canvas.box(left, top, width, rows + 2, self._heading, "title", ("popup",))
        first = min(max(0, self._at - rows + 1), len(self._choices) - rows)
        for y, (text, _act) in enumerate(self._choices[first : first + rows]):
            here = first + y == self._at
            target = ("choice", first + y)  # no name of the room below: that shows through
            line = cut(text, width - 6, canvas.glyphs.more).ljust(width - 6)
            canvas.put(left + 2, top + 1 + y, canvas.glyphs.right if here else " ", "title", target)
            canvas.put(left + 4, top + 1 + y, line, "focus" if here else "", target)
        self._place = (left + 2, top + 1 + self._at - first)

    def cursor(self) -> tuple[int, int] | None:
        """Return where the line is that is stood on."""
        return self._place

    def keys(self) -> tuple[Key, ...]:
        """Return the keys that move, choose and close."""
        return (
            Key(("enter",), lobby_say("key-choose"), self._choose),
            Key(("escape", "q"), lobby_say("key-back"), self.close),
            Key(("down", "j"), "", lambda: self._move(1), bar=False),
            Key(("up", "k"), "", lambda: self._move(-1), bar=False),
            Key(("pagedown",), "", lambda: self._move(10), bar=False),
            Key(("pageup",), "", lambda: self._move(-10), bar=False),
        )

    def mouse(self, event: Mouse) -> None:
        """A click stands on a line, a double click chooses it, the wheel moves."""
        if event.kind in ("wheel-up", "wheel-down"):
            self._move(-1 if event.kind == "wheel-up" else 1)
        elif event.target is not None and event.target[0] == "choice":
            self._at = int(event.target[1])
            if event.kind == "double":
                self._choose()
        else:
            super().mouse(event)

    def _move(self, by: int) -> None:
        self._at = min(max(self._at + by, 0), len(self._choices) - 1)

    def _choose(self) -> None:
        self.close()
        self._choices[self._at][1]()
