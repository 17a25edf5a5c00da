"""The command line: its completions leave the help bar in sight, and after a page it is there again."""

from __future__ import annotations

from tests.ui.test_screen import Desk, Notebook, at_desk


def test_the_completions_stand_above_the_line_and_the_help_bar() -> None:
    rows: list[str] = []

    async def play(desk: Desk) -> None:
        await desk.type(":d")
        await desk.until(lambda: desk.screen.line.buffer.complete_state is not None)
        await desk.until(lambda: "discard" in desk.shown())
        rows.extend(desk.shown().splitlines())

    at_desk(play)
    assert "Enter Send" in rows[-1]
    assert "do> d" in rows[-2]
    assert "discard" in rows[-3]
    assert "draw" in rows[-4]


def test_after_a_page_that_was_typed_for_the_line_is_there_again() -> None:
    async def play(desk: Desk) -> None:
        typed = desk.room.typed

        def show(text: str) -> None:
            typed(text)
            if text == "table":
                desk.screen.page("", lambda: ["one", "two"])

        desk.room.typed = show  # type: ignore[method-assign]  # a room that answers with a page
        await desk.type(":table\r")
        assert desk.screen.room is not desk.room
        assert not desk.screen.line.is_open
        await desk.type("q")
        await desk.until(lambda: desk.screen.line.is_open)
        await desk.type("draw\r")

    desk, _code = at_desk(play)
    assert desk.room.heard == ["typed table", "typed draw"]


def test_a_colon_typed_once_more_is_no_part_of_the_line() -> None:
    async def play(desk: Desk) -> None:
        await desk.type("::draw\r")
        await desk.type(": : \r")

    desk, _code = at_desk(play)
    assert desk.room.heard == ["typed draw"]


def test_the_line_closes_when_what_was_typed_leads_to_another_room() -> None:
    async def play(desk: Desk) -> None:
        other = Notebook(desk.screen)
        desk.room.typed = lambda text: desk.screen.enter(other)  # type: ignore[method-assign]  # it opens another
        other.typed = lambda text: desk.screen.leave()  # type: ignore[method-assign]  # and that one leads back
        await desk.type(":host\r")
        assert not desk.screen.line.is_open
        await desk.type(":leave\r")
        assert not desk.screen.line.is_open
        await desk.type("d")

    desk, _code = at_desk(play)
    assert desk.room.heard == ["draw"]


def test_a_line_that_was_opened_for_an_answer_stays_open() -> None:
    async def play(desk: Desk) -> None:
        def ask(text: str) -> None:
            del text
            desk.screen.enter(Notebook(desk.screen))
            desk.screen.open_line("names>", lambda _text: None)

        desk.room.typed = ask  # type: ignore[method-assign]  # it asks for more in another room
        await desk.type(":hotseat\r")
        assert desk.screen.line.is_open

    at_desk(play)


def test_after_a_page_behind_a_key_there_is_no_line() -> None:
    async def play(desk: Desk) -> None:
        desk.screen.page("", lambda: ["one"])
        await desk.settle()
        await desk.type("q")
        await desk.type("d")

    desk, _code = at_desk(play)
    assert desk.room.heard == ["draw"]
    assert not desk.screen.line.is_open
