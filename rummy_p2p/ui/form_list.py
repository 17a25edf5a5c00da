"""A list of lines that can be stood on and changed: the form of a new table and the settings are such lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rummy_p2p.ui.canvas import Canvas, cut, text_width
from rummy_p2p.ui.form import Field

LABEL: Final = 24


class FieldList:
    """The lines, and the one that is stood on."""

    def __init__(self, fields: Callable[[], tuple[Field, ...]]) -> None:
        """Stand on the first line that can be changed."""
        self._fields = fields
        self._key = next((field.key for field in fields() if field.usable), "")
        self._first = 0
        self._rows = 1

    @property
    def current(self) -> Field:
        """The line that is stood on."""
        fields = self._fields()
        return next((field for field in fields if field.key == self._key), fields[0])

    def stand_on(self, key: str) -> None:
        """Go to a line."""
        self._key = key

    def move(self, by: int) -> None:
        """Go on by so many lines that can be changed; at the ends it stays."""
        keys = [field.key for field in self._fields() if field.usable]
        at = keys.index(self._key) if self._key in keys else 0
        self._key = keys[min(max(at + by, 0), len(keys) - 1)]

    @property
    def page(self) -> int:
        """How many lines are seen at once."""
        return self._rows

    def draw(self, canvas: Canvas) -> None:
        """Draw as many lines as there is room for, the one that is stood on among them."""
        fields = self._fields()
        self._rows = max(1, canvas.height)
        at = next((index for index, field in enumerate(fields) if field.key == self._key), 0)
        least, most = max(0, at - self._rows + 2), max(0, at - 1)
        self._first = min(max(self._first, least), most, max(0, len(fields) - self._rows))
        for y, field in enumerate(fields[self._first : self._first + self._rows]):
            self._draw_line(canvas, y, field)
        _draw_more(canvas, self._first, len(fields))

    def cursor(self) -> tuple[int, int]:
        """Return where the line is that is stood on, within what was drawn last."""
        keys = [field.key for field in self._fields()]
        return 0, (keys.index(self._key) if self._key in keys else 0) - self._first

    def _draw_line(self, canvas: Canvas, y: int, field: Field) -> None:
        chosen = field.key == self._key
        if chosen:
            canvas.put(0, y, canvas.glyphs.right, "title", ("field", field.key, "here"))
        if field.kind == "heading":
            canvas.put(2, y, field.label, "title")
        elif field.kind == "switch":
            self._draw_switch(canvas, y, field, chosen=chosen)
        else:
            self._draw_value(canvas, y, field, chosen=chosen)

    @staticmethod
    def _draw_switch(canvas: Canvas, y: int, field: Field, *, chosen: bool) -> None:
        style = "disabled" if field.why else "focus" if chosen else "bold" if field.on else ""
        mark = f"[{'x' if field.on else ' '}]" if not field.why else "( )"
        canvas.put(2, y, f"{mark} {field.label}", style, ("field", field.key, "on"))

    @staticmethod
    def _draw_value(canvas: Canvas, y: int, field: Field, *, chosen: bool) -> None:
        left = 2 + 4 * field.depth
        fixed = field.kind == "fixed"
        canvas.put(left, y, cut(field.label, LABEL - left, canvas.glyphs.more), "dim" if fixed else "",
                   ("field", field.key, "here"))  # fmt: skip
        room = canvas.width - LABEL - 4
        value = cut(field.value, room, canvas.glyphs.more)
        if field.kind in ("fixed", "text"):
            style = "dim" if fixed else "focus" if chosen else ""
            canvas.put(LABEL + 2, y, value or "_", style, ("field", field.key, "type"))
            return
        x = canvas.put(LABEL, y, "< ", "bold", ("field", field.key, "left"))
        x = canvas.put(x, y, value, "focus" if chosen else "", ("field", field.key, "type"))
        canvas.put(x, y, " >", "bold", ("field", field.key, "right"))


def _draw_more(canvas: Canvas, first: int, count: int) -> None:
    """Mark that there is more above or below."""
    x = canvas.width - 1
    if first > 0:
        canvas.put(x, 0, canvas.glyphs.up, "dim", ("scroll", -1))
    if first + canvas.height < count:
        canvas.put(x, canvas.height - 1, "v", "dim", ("scroll", 1))


def draw_button(canvas: Canvas, x: int, y: int, cap: str, label: str, *, enabled: bool = True, key: str = "") -> int:
    """Draw ``[c Create]``, or ``(c Create)`` when it cannot be done now; return the x behind it and a blank."""
    text = f"[{cap} {label}]" if enabled else f"({cap} {label})"
    if x + text_width(text) > canvas.width:
        return x
    return canvas.put(x, y, text, "enabled" if enabled else "disabled", ("key", key or cap)) + 1
