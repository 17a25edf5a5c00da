"""Questions and pages: the room below shows through, keys and mouse answer, Esc changes nothing."""

from __future__ import annotations

from prompt_toolkit.output import DummyOutput

from rummy_p2p.ui.popup import Page, Question
from rummy_p2p.ui.room import Mouse
from tests.ui.table import TableSeat, drawn, find, make_room, make_screen, position


def question(answered: list[str]) -> Question:
    screen = make_screen(output=DummyOutput())
    answers = (("y", "Yes", lambda: answered.append("yes")), ("n", "No", lambda: answered.append("no")))
    screen.ask("Really?", answers)
    room = screen.room
    assert isinstance(room, Question)
    return room


def test_a_key_answers_and_takes_the_question_away() -> None:
    answered: list[str] = []
    asked = question(answered)
    assert "Really?" in "\n".join(drawn(asked).rows())
    next(key for key in tuple(asked.keys()) if key.keys == ("n",)).act()
    assert answered == ["no"]


def test_a_click_answers_and_a_click_beside_it_does_not() -> None:
    answered: list[str] = []
    asked = question(answered)
    canvas = drawn(asked)
    x, y = find(canvas, ("popup",))
    asked.mouse(Mouse("up", ("popup",), x, y))
    asked.mouse(Mouse("down", None, 0, 0))
    assert answered == []
    x, y = find(canvas, ("key", "y"))
    asked.mouse(Mouse("up", ("key", "y"), x, y))
    assert answered == ["yes"]


def test_a_long_page_is_scrolled_and_keeps_its_columns() -> None:
    room = make_room(TableSeat(*position()))
    lines = [f"number {n}" for n in range(60)] + ["  meld 7h 8h         " + "word " * 40]
    room.screen.page("A page", lambda: lines)
    page = room.screen.room
    assert isinstance(page, Page)
    assert "number 0" in "\n".join(drawn(page).rows())
    assert "Friday LAN" in "\n".join(drawn(page).rows())
    room.screen.press("end")
    text = drawn(page).rows()
    assert "number 59" in "\n".join(text)
    columns = {row.index("word") for row in text if "word" in row}
    assert len(columns) == 1
    page.mouse(Mouse("wheel-up", None, 5, 5))
    room.screen.press("home")
    assert "number 0" in "\n".join(drawn(page).rows())
    assert page.cursor() is None
    assert page.complete("x") == ()
    page.typed("nothing")
    page.mouse(Mouse("up", None, 0, 0))
    assert room.screen.room is room


def test_a_page_at_its_end_stays_there_while_it_grows() -> None:
    room = make_room(TableSeat(*position()))
    lines = [f"number {n}" for n in range(60)]
    room.screen.page("Log", lambda: lines, at_end=True)
    page = room.screen.room
    assert page is not None
    assert "number 59" in "\n".join(drawn(page).rows())
    lines.append("number 60")
    assert "number 60" in "\n".join(drawn(page).rows())
