"""The sheet: what counts as a double click, the cursor stays inside, other buttons are left alone; its window."""

from __future__ import annotations

import pytest
from prompt_toolkit.application import Application
from prompt_toolkit.application.current import set_app
from prompt_toolkit.data_structures import Point
from prompt_toolkit.input import DummyInput
from prompt_toolkit.layout import Layout, Window
from prompt_toolkit.layout.mouse_handlers import MouseHandlers
from prompt_toolkit.layout.screen import Screen, WritePosition
from prompt_toolkit.mouse_events import MouseButton, MouseEvent, MouseEventType
from prompt_toolkit.output import DummyOutput

from rummy_p2p.ui.canvas import Canvas
from rummy_p2p.ui.glyphs import UNICODE
from rummy_p2p.ui.room import Mouse
from rummy_p2p.ui.sheet import Sheet, SheetWindow

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


# --- the window ------------------------------------------------------------------------------------------------------


def written(window: Window, width: int = 12, height: int = 3) -> tuple[Screen, MouseHandlers]:
    """Let the toolkit draw a window that has the keys, two cells to the right and one down."""
    screen, handlers = Screen(), MouseHandlers()
    with set_app(Application(layout=Layout(window), input=DummyInput(), output=DummyOutput())):
        window.write_to_screen(screen, handlers, WritePosition(2, 1, width, height), "", False, None)  # noqa: FBT003 -- the toolkit's own
    return screen, handlers


def cells(screen: Screen, width: int = 16, height: int = 5) -> list[list[tuple[str, set[str]]]]:
    at = screen.data_buffer
    styles = [[set(at[y][x].style.split()) - {"class:last-line"} for x in range(width)] for y in range(height)]
    return [[(at[y][x].char, styles[y][x]) for x in range(width)] for y in range(height)]


@pytest.mark.parametrize(
    "text", ["cards", "7\u2665 \u2500\u2500", "a\u4e16b", "e\u0301x", "", "far too long for the window"]
)
def test_the_window_shows_what_one_of_the_toolkit_would_show(text: str) -> None:
    def draw(width: int, height: int) -> Canvas:
        canvas = Canvas(width, height, UNICODE)
        canvas.put(1, 1, text, "bold suit-h")
        canvas.put(0, 2, "below", "dim")
        return canvas

    sheet = Sheet(draw, lambda _event: None, lambda: (1, 2))
    ours, theirs = SheetWindow(sheet), Window(sheet, always_hide_cursor=False)
    (screen, _), (other, _) = written(ours), written(theirs)
    assert cells(screen) == cells(other)
    assert screen.get_cursor_position(ours) == other.get_cursor_position(theirs) == Point(3, 3)
    assert (screen.show_cursor, other.show_cursor) == (True, True)
    assert (screen.height, [*screen.visible_windows_to_write_positions]) == (other.height, [ours])


def test_the_mouse_is_told_of_in_the_places_of_the_sheet() -> None:
    table = Table()
    _, handlers = written(SheetWindow(table.sheet))
    handlers.mouse_handlers[1][5](MouseEvent(Point(5, 1), DOWN, MouseButton.LEFT, frozenset()))
    assert [(event.x, event.y, event.target) for event in table.heard] == [(3, 0, ("slot", 1))]


def test_a_window_without_room_draws_nothing() -> None:
    screen, _ = written(SheetWindow(Table().sheet), width=0)
    assert (dict(screen.data_buffer), screen.visible_windows) == ({}, [])
