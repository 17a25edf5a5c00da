"""A long text: wrapped, scrolled within its bounds, from heading to heading."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rummy_p2p.ui.canvas import Canvas
from rummy_p2p.ui.glyphs import UNICODE
from rummy_p2p.ui.pane import Line, Pane
from rummy_p2p.ui.room import Mouse

TEXT = [
    Line(f"Heading {number}", "bold") if number % 5 == 0 else Line(f"line {number} is long enough", "", 2)
    for number in range(20)
]


def rows(pane: Pane, width: int = 14, height: int = 6) -> tuple[str, ...]:
    canvas = Canvas(width, height, UNICODE)
    pane.draw(canvas)
    return canvas.rows()


def test_a_text_is_wrapped_behind_its_indent() -> None:
    assert rows(Pane(lambda: TEXT)) == (
        "Heading 0", "  line 1 is", "  long enough", "  line 2 is", "  long enough", "  line 3 is",
    )  # fmt: skip


def test_it_scrolls_by_keys_and_wheel_and_not_beyond() -> None:
    pane = Pane(lambda: TEXT)
    rows(pane)
    keys = pane.keys()
    by_name = {name: key.act for key in keys for name in key.keys}
    assert pane.place == "lines 1 to 6 of 36"
    for name, place in (
        ("down", "lines 2 to 7 of 36"),
        ("j", "lines 3 to 8 of 36"),
        ("k", "lines 2 to 7 of 36"),
        ("pagedown", "lines 7 to 12 of 36"),
        ("pageup", "lines 2 to 7 of 36"),
        ("end", "lines 31 to 36 of 36"),
        ("down", "lines 31 to 36 of 36"),
        ("home", "lines 1 to 6 of 36"),
        ("up", "lines 1 to 6 of 36"),
    ):
        by_name[name]()
        rows(pane)
        assert pane.place == place, name
    pane.mouse(Mouse("wheel-down", None, 0, 0))
    assert pane.place == "lines 4 to 9 of 36"
    pane.mouse(Mouse("wheel-up", None, 0, 0))
    pane.mouse(Mouse("up", None, 0, 0))
    assert pane.place == "lines 1 to 6 of 36"
    assert all(key.help for key in keys)


def test_from_heading_to_heading() -> None:
    pane, headings = Pane(lambda: TEXT), [0, 5, 10, 15]
    rows(pane)
    seen = []
    for by in (1, 1, 1, 1, -1, -1, -1, -1):
        pane.turn(headings, by)
        seen.append(pane.top)
    assert seen == [5, 10, 15, 15, 10, 5, 0, 0]
    pane.go_to(10)
    assert rows(pane)[0] == "Heading 10"
    pane.go_to(99)
    assert rows(pane)[0] == "Heading 10"


@pytest.mark.parametrize("lines", [[], [Line("short")]])
def test_what_is_all_to_be_seen_has_no_place(lines: list[Line]) -> None:
    pane = Pane(lambda: lines)
    rows(pane)
    pane.scroll(5)
    pane.turn([0], 1)
    assert pane.place == ""
    assert rows(pane)[0] == (lines[0].text if lines else "")


@given(st.lists(st.integers(-40, 40), max_size=20), st.integers(1, 60), st.integers(0, 30))
def test_it_is_never_out_of_bounds_at_any_size(moves: list[int], width: int, height: int) -> None:
    pane = Pane(lambda: TEXT)
    for by in moves:
        pane.scroll(by)
        shown = rows(pane, width, height)
        assert len(shown) == height
        assert pane.top < len(TEXT)
