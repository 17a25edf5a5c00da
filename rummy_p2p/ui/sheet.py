"""A sheet: a canvas as a control of the toolkit, and the window that shows it.

The law of the file
    Cells are copied as they are. The toolkit would copy text character by character and remember of each where it came
    from and went to: that takes twice as long, and leaves ten thousand objects a frame for the search for garbage.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from prompt_toolkit.application import get_app
from prompt_toolkit.data_structures import Point
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.layout import UIContent, UIControl, Window
from prompt_toolkit.layout.mouse_handlers import MouseHandlers
from prompt_toolkit.layout.screen import Char, Screen, WritePosition
from prompt_toolkit.mouse_events import MouseButton, MouseEvent, MouseEventType

from rummy_p2p.ui.canvas import Canvas, Target
from rummy_p2p.ui.glyphs import UNICODE
from rummy_p2p.ui.room import Mouse, MouseKind
from rummy_p2p.ui.style import classes

DOUBLE_SECONDS: Final = 0.4
_KINDS: Final[dict[MouseEventType, MouseKind]] = {
    MouseEventType.MOUSE_DOWN: "down",
    MouseEventType.MOUSE_UP: "up",
    MouseEventType.MOUSE_MOVE: "move",
    MouseEventType.SCROLL_UP: "wheel-up",
    MouseEventType.SCROLL_DOWN: "wheel-down",
}
_BEHIND_WIDE: Final = Char("", "")


class Sheet(UIControl):
    """A control that shows a canvas, drawn anew for every frame."""

    def __init__(
        self,
        draw: Callable[[int, int], Canvas],
        hear: Callable[[Mouse], None],
        cursor: Callable[[], tuple[int, int] | None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._draw = draw
        self._hear = hear
        self._cursor = cursor
        self._clock = clock
        self.canvas = Canvas(0, 0, UNICODE)
        self._last: tuple[float, Target | None] = (-1.0, None)

    def is_focusable(self) -> bool:
        """Keys come here while no line is typed."""
        return True

    def create_content(self, width: int, height: int) -> UIContent:
        """Draw."""
        canvas = self.canvas = self._draw(width, height)
        at = self._cursor()
        inside = at is not None and 0 <= at[0] < width and 0 <= at[1] < height
        point = Point(*at) if at is not None and inside else Point(0, 0)

        def line(y: int) -> StyleAndTextTuples:
            return [(classes(style), text) for style, text in canvas.fragments(y)]

        return UIContent(line, height, cursor_position=point, show_cursor=inside)

    def mouse_handler(self, mouse_event: MouseEvent) -> None:
        """Tell what was under the mouse; a second press on the same spot is a double click."""
        kind, place = _KINDS[mouse_event.event_type], mouse_event.position
        if mouse_event.button in (MouseButton.RIGHT, MouseButton.MIDDLE):
            return
        target = self.canvas.target_at(place.x, place.y)
        if kind == "down":
            now = self._clock()
            if now - self._last[0] <= DOUBLE_SECONDS and target is not None and target == self._last[1]:
                kind, now = "double", -1.0
            self._last = (now, target)
        self._hear(Mouse(kind, target, place.x, place.y))


class SheetWindow(Window):
    """Shows a sheet in all of its room."""

    def __init__(self, sheet: Sheet, height: int | None = None) -> None:
        """Of a fixed height, or as high as there is room."""
        super().__init__(sheet, height=height)
        self._sheet = sheet

    def write_to_screen(
        self,
        screen: Screen,
        mouse_handlers: MouseHandlers,
        write_position: WritePosition,
        parent_style: str,  # noqa: ARG002 -- a sheet has the styles of its cells
        erase_bg: bool,  # noqa: ARG002, FBT001 -- every cell is written
        z_index: int | None,  # noqa: ARG002 -- it lies beneath everything
    ) -> None:
        """Draw the sheet and copy it."""
        left, top = write_position.xpos, write_position.ypos
        width, height = write_position.width, write_position.height
        if width <= 0 or height <= 0:
            return
        content = self._sheet.create_content(width, height)
        _copy(self._sheet.canvas, screen, left, top)
        if get_app().layout.current_control == self._sheet:
            at = content.cursor_position
            screen.set_cursor_position(self, Point(left + at.x, top + at.y))
            screen.show_cursor = content.show_cursor
        screen.height = max(screen.height, top + height)
        screen.visible_windows_to_write_positions[self] = write_position
        mouse_handlers.set_mouse_handler_for_range(left, left + width, top, top + height, self._hearing(left, top))

    def _hearing(self, left: int, top: int) -> Callable[[MouseEvent], None]:
        """Return what tells the sheet of the mouse, in the sheet's own places."""

        def hear(event: MouseEvent) -> None:
            place = Point(event.position.x - left, event.position.y - top)
            self._sheet.mouse_handler(MouseEvent(place, event.event_type, event.button, event.modifiers))

        return hear


def _copy(canvas: Canvas, screen: Screen, left: int, top: int) -> None:
    for y in range(canvas.height):
        row = screen.data_buffer[top + y]
        for x, (text, style) in enumerate(canvas.cells(y), left):
            row[x] = _char(text, style) if text else _BEHIND_WIDE


@lru_cache(maxsize=1 << 14)
def _char(text: str, style: str) -> Char:
    return Char(text, classes(style))
