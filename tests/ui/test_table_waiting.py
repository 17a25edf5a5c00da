"""What the table waits for: bars, the box of a deck that is made, the banner over a table that stands still."""

from __future__ import annotations

import pytest

from rummy_p2p.sentences.screen import Making
from rummy_p2p.ui.canvas import Canvas
from rummy_p2p.ui.glyphs import ASCII, UNICODE
from rummy_p2p.ui.table_waiting import (
    MAKING_WIDTH,
    Gone,
    bar,
    draw_making,
    draw_pause,
    making_height,
    making_line,
    pause_line,
)

WHY = "Bea, who is host, cannot be reached. The table waits. If you would rather not wait, type leave."


@pytest.mark.parametrize(
    ("done", "total", "shown"),
    [(0, 4, "........"), (1, 4, "##......"), (4, 4, "########"), (9, 4, "########"), (0, 0, "........")],
)
def test_a_bar_is_as_full_as_the_work_is_done(done: int, total: int, shown: str) -> None:
    assert bar(done, total, 8, ASCII) == shown


@pytest.mark.parametrize("what", ["key", "shuffle", "sign", "deal", "audit"])
def test_every_kind_of_work_has_its_line_and_its_box(what: str) -> None:
    making = Making(what, 2, 4, ("Cem", "Dag"))
    assert making_line(making, ASCII).startswith("#####..... ")
    assert making_line(making, ASCII).endswith(": 2 of 4")
    canvas = Canvas(MAKING_WIDTH + 4, 9, UNICODE)
    below = draw_making(canvas, making, 1, 0)
    assert below == making_height(making)
    text = "\n".join(canvas.rows())
    assert "Waiting for Cem and Dag." in text
    assert ("After the hand" in text) == (what == "audit")
    assert all(not row for row in canvas.rows()[below:])


def test_nobody_is_named_where_nobody_is_waited_for() -> None:
    canvas = Canvas(40, 9, UNICODE)
    draw_making(canvas, Making("sign", 3, 3), 0, 0)
    assert "Waiting" not in "\n".join(canvas.rows())


def test_the_banner_says_why_for_whom_and_since_when() -> None:
    canvas = Canvas(57, 9, UNICODE)
    draw_pause(canvas, WHY, (Gone("Bea", 71.2),))
    rows = canvas.rows()
    assert "THE TABLE WAITS" in "\n".join(rows)
    assert "Bea has been gone for 1:12." in rows[-2]
    assert rows[0] == ""
    assert canvas.target_at(10, 7) == ("pause",)


def test_a_banner_without_room_keeps_the_clock_and_without_any_is_left_out() -> None:
    tight = Canvas(57, 4, UNICODE)
    draw_pause(tight, WHY, (Gone("Bea", 5),))
    assert "Bea, who is host" in tight.rows()[1]
    assert "gone for 0:05" in tight.rows()[2]
    none = Canvas(57, 2, UNICODE)
    draw_pause(none, WHY, (Gone("Bea", 5),))
    assert none.rows() == ("", "")


def test_the_line_names_all_with_their_clocks_and_the_way_out() -> None:
    line = pause_line((Gone("Bea", 9.5), Gone("\x1b[2JCem", 61)))
    assert line == "waiting for Bea 0:10, [2JCem 1:01; q leaves."
