"""Questions and pages: the room below shows through, keys and mouse answer, Esc changes nothing."""

from __future__ import annotations

import re

from prompt_toolkit.output import DummyOutput

from rummy_p2p.ui.lobby_choice import Chooser
from rummy_p2p.ui.popup import Page, Question
from rummy_p2p.ui.room import Mouse
from tests.ui.lobby import FakeLan, make_lobby
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


def test_a_page_tells_that_there_is_more_and_cuts_no_entry_in_two() -> None:
    room = make_room(TableSeat(*position()))
    entries = [f"{n:<16}  " + "word " * 30 for n in range(20)]
    room.screen.page("Keys", lambda: entries)
    page = room.screen.room
    assert page is not None
    rows = drawn(page).rows()
    assert "1-15 of 60  Up Down" in "\n".join(rows)
    assert [row[77:78] for row in rows].count("v") == 1
    assert "▲" not in "\n".join(rows)
    room.screen.press("pagedown")
    rows = drawn(page).rows()
    assert rows[2][4:6] == "5 "
    assert "16-30 of 60" in "\n".join(rows)
    assert "▲" in "\n".join(rows)
    room.screen.press("end")
    rows = drawn(page).rows()
    assert "of 60" in "\n".join(rows)
    assert any(re.search(r"\b19 {10}", row) for row in rows)


def test_a_page_that_is_seen_whole_says_only_how_it_is_closed() -> None:
    room = make_room(TableSeat(*position()))
    room.screen.page("Info", lambda: ["one line"])
    page = room.screen.room
    assert page is not None
    text = "\n".join(drawn(page).rows())
    assert "Esc closes" in text
    assert "scroll" not in text


def test_the_key_that_opens_the_help_closes_it_again() -> None:
    room = make_room(TableSeat(*position()))
    room.screen.press("?")
    page = room.screen.room
    assert isinstance(page, Page)
    room.screen.press("?")
    assert room.screen.below(page) is None
    assert "Keys" not in "\n".join(drawn(room).rows())


def test_what_shows_through_from_below_is_not_taken_for_an_answer() -> None:
    screen, room = make_lobby(FakeLan())
    below = {drawn(room).target_at(x, y) for x in range(80) for y in range(22)}
    assert {("key", "n"), ("row", 1)} <= below
    answers = (("y", "Yes", lambda: None), ("n", "No", lambda: None))
    screen.ask("Really?", answers)
    question = screen.room
    assert isinstance(question, Question)
    canvas = drawn(question)
    places = [(x, y) for x in range(80) for y in range(22) if canvas.target_at(x, y) == ("key", "n")]
    assert len({y for _x, y in places}) == 1  # the answer, and not New table
    chooser = Chooser(screen.below, screen.leave, "Invite whom?", [("Bea", lambda: None)])
    screen.enter(chooser)
    canvas = drawn(chooser)
    rows = {canvas.target_at(x, y) for x in range(80) for y in range(22)} - {None, ("popup",)}
    assert rows == {("choice", 0)}
