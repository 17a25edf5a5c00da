"""The sheet: what counts as a double click, the cursor stays inside, other buttons are left alone."""

from __future__ import annotations

from prompt_toolkit.data_structures import Point
from prompt_toolkit.mouse_events import MouseButton, MouseEvent, MouseEventType

from rummy_p2p.ui.canvas import Canvas
from rummy_p2p.ui.glyphs import UNICODE
from rummy_p2p.ui.layout import Sheet
from rummy_p2p.ui.room import Mouse

DOWN = MouseEventType.MOUSE_DOWN


class Table:
    def __init__(self) -> None:
        self.now = 0.0
        self.heard: list[Mouse] = []
        self.at: tuple[int, int] | None = (1, 0)
        self.sheet = Sheet(self.draw, self.heard.append, lambda: self.at, lambda: self.now)
        self.sheet.create_content(10, 2)

    def draw(self, width: int, height: int) -> Canvas:
        canvas = Canvas(width, height, UNICODE)
        canvas.put(0, 0, "card", "bold", ("slot", 1))
        return canvas

    def press(self, x: int, button: MouseButton = MouseButton.LEFT) -> None:
        self.sheet.mouse_handler(MouseEvent(Point(x, 0), DOWN, button, frozenset()))


def test_two_presses_in_a_moment_are_double() -> None:
    table = Table()
    for now in (0.0, 0.2, 0.3, 2.0):
        table.now = now
        table.press(1)
    assert [event.kind for event in table.heard] == ["down", "double", "down", "down"]


def test_presses_on_nothing_are_never_double() -> None:
    table = Table()
    table.press(8)
    table.press(8)
    assert [(event.kind, event.target) for event in table.heard] == [("down", None), ("down", None)]


def test_other_buttons_are_left_to_the_terminal() -> None:
    table = Table()
    table.press(1, MouseButton.RIGHT)
    assert table.heard == []


def test_a_cursor_outside_is_not_shown() -> None:
    table = Table()
    assert table.sheet.create_content(10, 2).show_cursor
    for at in (None, (10, 0), (0, -1)):
        table.at = at
        assert not table.sheet.create_content(10, 2).show_cursor
    assert table.sheet.create_content(10, 2).get_line(0)[0] == ("class:bold", "card")
