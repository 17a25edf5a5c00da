"""The shell: the room on top gets the keys, what fails is said, a small terminal has a sentence of its own."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Awaitable, Callable

import pyte
import pytest
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from rummy_p2p.ui.canvas import Canvas
from rummy_p2p.ui.popup import Question
from rummy_p2p.ui.room import Key, Mouse, key_cap
from rummy_p2p.ui.screen import INTERRUPTED, Screen
from rummy_p2p.ui.style import Look


class Notebook:
    """A room that writes down what it hears."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        self.heard: list[str] = []
        self.breaks = False

    def draw(self, canvas: Canvas) -> None:
        if self.breaks:
            raise ValueError("cannot draw")
        canvas.put(0, 0, "Notebook", "title", ("page",))
        canvas.put(0, canvas.height - 1, "- message line")

    def keys(self) -> tuple[Key, ...]:
        return (
            Key(("d",), "Draw", lambda: self.heard.append("draw"), help="draw a card"),
            Key(("left", "h"), "", lambda: self.heard.append("left"), bar=False),
            Key(("escape",), "", lambda: self.heard.append("escape"), bar=False),
            Key(("b",), "Break", self._break),
            Key(("q",), "Leave", lambda: self.screen.leave(3)),
        )

    def _break(self) -> None:
        raise ValueError("broken")

    def mouse(self, event: Mouse) -> None:
        self.heard.append(f"{event.kind} {event.target}")

    def typed(self, text: str) -> None:
        self.heard.append(f"typed {text}")

    def complete(self, text: str) -> tuple[str, ...]:
        return tuple(word for word in ("draw", "discard") if word.startswith(text))

    def cursor(self) -> tuple[int, int] | None:
        return (3, 0)

    def title(self) -> str:
        return "Notebook"


class Desk:
    """A screen with somebody at the keys."""

    def __init__(self, keys: PipeInput, size: Size) -> None:
        self.size = size
        self.keys = keys
        self.paper = io.StringIO()
        output = Vt100_Output(self.paper, lambda: self.size, term="xterm")
        self.screen = Screen(Look(), input=keys, output=output)
        self.room = Notebook(self.screen)

    def shown(self) -> str:
        """What is on the screen."""
        screen = pyte.Screen(self.size.columns, self.size.rows)
        pyte.Stream(screen).feed(self.paper.getvalue())
        return "\n".join(screen.display)

    async def type(self, text: str) -> None:
        self.keys.send_text(text)
        await self.settle()

    async def settle(self) -> None:
        for _ in range(20):
            await asyncio.sleep(0)

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(5):
            while not condition():  # noqa: ASYNC110 -- what is waited for tells nobody
                await asyncio.sleep(0)


def at_desk(play: Callable[[Desk], Awaitable[None]], size: tuple[int, int] = (80, 24)) -> tuple[Desk, int]:
    async def both(keys: PipeInput) -> tuple[Desk, int]:
        desk = Desk(keys, Size(size[1], size[0]))
        running = asyncio.create_task(desk.screen.run(desk.room))
        await desk.settle()
        await play(desk)
        if not running.done() and desk.screen.app.is_running and not desk.screen.app.is_done:
            desk.screen.app.exit(result=0)
        return desk, await running

    with create_pipe_input() as keys:
        return asyncio.run(both(keys))


def test_keys_reach_the_room_and_the_help_bar_names_them() -> None:
    async def play(desk: Desk) -> None:
        await desk.type("dh\x1b[D")

    desk, _code = at_desk(play)
    assert desk.room.heard == ["draw", "left", "left"]
    for text in ("Notebook", "Draw", "message line", "Help"):
        assert text in desk.paper.getvalue()


def test_escape_comes_at_once() -> None:
    async def play(desk: Desk) -> None:
        await desk.type("\x1b")
        await desk.until(lambda: "escape" in desk.room.heard)

    at_desk(play)


def test_leaving_the_last_room_ends_with_its_code() -> None:
    async def play(desk: Desk) -> None:
        await desk.type("q")

    assert at_desk(play)[1] == 3


def test_what_fails_in_a_room_is_said_and_logged_and_the_screen_lives(caplog: pytest.LogCaptureFixture) -> None:
    async def play(desk: Desk) -> None:
        await desk.type("b")
        assert "ValueError: broken" in desk.screen.noted
        await desk.type("d")
        assert desk.screen.noted == ""
        desk.room.breaks = True
        desk.screen.redraw()
        await desk.until(lambda: "cannot draw" in desk.screen.noted)

    desk, code = at_desk(play)
    assert code == 0
    assert desk.room.heard == ["draw"]
    assert len(caplog.records) >= 2


def test_a_small_terminal_is_told_the_size_that_is_needed_and_plays_on_when_it_grows() -> None:
    async def play(desk: Desk) -> None:
        await desk.type("d")
        assert desk.room.heard == []
        text = " ".join(desk.shown().split())
        assert "80 by 24" in text
        assert "60 by 20" in text
        desk.size = Size(24, 80)
        desk.screen.redraw()
        await desk.settle()
        await desk.type("d")

    desk, _code = at_desk(play, (60, 20))
    assert desk.room.heard == ["draw"]


def test_ctrl_c_leaves_at_the_second_time() -> None:
    async def play(desk: Desk) -> None:
        await desk.type("\x03")
        assert "Ctrl-C once more" in desk.screen.noted
        assert desk.screen.app.is_running
        await desk.type("\x03")

    assert at_desk(play)[1] == INTERRUPTED


def test_a_line_is_typed_and_escape_comes_back() -> None:
    async def play(desk: Desk) -> None:
        await desk.type(":draw\r")
        await desk.type("hello\r")
        assert desk.screen.line.is_open
        await desk.type("\x1b")
        await desk.until(lambda: not desk.screen.line.is_open)
        await desk.type("d")

    desk, _code = at_desk(play)
    assert desk.room.heard == ["typed draw", "typed hello", "draw"]


def test_a_line_for_once_goes_to_its_receiver() -> None:
    said: list[str] = []

    async def play(desk: Desk) -> None:
        desk.screen.open_line("chat", said.append, once=True)
        await desk.settle()
        await desk.type("well played\r")
        assert not desk.screen.line.is_open

    desk, _code = at_desk(play)
    assert said == ["well played"]
    assert desk.room.heard == []


def test_tab_completes_a_word() -> None:
    async def play(desk: Desk) -> None:
        await desk.type(":dr\t")
        await desk.until(lambda: desk.screen.line.buffer.text == "draw")
        await desk.type("\x15d\t")
        assert desk.screen.line.buffer.text == "d"

    at_desk(play)


def test_the_mouse_reaches_the_room_and_a_second_click_is_double() -> None:
    async def play(desk: Desk) -> None:
        await desk.type("\x1b[<0;2;1M\x1b[<0;2;1m")
        await desk.type("\x1b[<0;2;1M\x1b[<0;2;1m")
        await desk.type("\x1b[<64;2;1M")

    desk, _code = at_desk(play)
    assert desk.room.heard == [
        "down ('page',)", "up ('page',)", "double ('page',)", "up ('page',)", "wheel-up ('page',)",
    ]  # fmt: skip


def test_a_click_on_the_help_bar_is_its_key() -> None:
    async def play(desk: Desk) -> None:
        await desk.type("\x1b[<0;9;24M\x1b[<0;9;24m")

    assert at_desk(play)[0].room.heard == ["draw"]


def test_the_mouse_is_given_to_the_terminal_and_the_colours_go_round() -> None:
    seen: list[bool] = []

    async def play(desk: Desk) -> None:
        await desk.type("M")
        seen.append(desk.screen.mouse_on)
        await desk.type("M")
        seen.append(desk.screen.mouse_on)
        await desk.type("D")
        assert desk.screen.look.deck == "safe"
        await desk.type("\x0c")

    at_desk(play)
    assert seen == [False, True]


def test_the_page_of_keys_is_made_from_the_key_table() -> None:
    async def play(desk: Desk) -> None:
        await desk.type("?")
        await desk.until(lambda: "draw a card" in desk.shown())

    at_desk(play)


def test_rooms_lie_over_each_other_and_are_taken_away() -> None:
    async def play(desk: Desk) -> None:
        screen = desk.screen
        other = Notebook(screen)
        screen.enter(other)
        assert screen.below(other) is desk.room
        assert screen.below(desk.room) is None
        screen.ask("Really?", (("y", "Yes", lambda: None),))
        screen.remove(other)
        assert screen.room is desk.room

    at_desk(play)


def test_timers_and_tasks_end_with_the_screen(caplog: pytest.LogCaptureFixture) -> None:
    called: list[str] = []

    async def fail() -> None:
        raise ValueError("in the background")

    async def play(desk: Desk) -> None:
        stop = desk.screen.every(0.0, lambda: called.append("again"))
        await desk.until(lambda: len(called) >= 3)
        stop()
        desk.screen.start(fail(), "fails")
        await desk.until(lambda: "in the background" in desk.screen.noted)
        desk.screen.start(asyncio.Event().wait(), "waits")  # type: ignore[arg-type]  # whatever it returns

    assert at_desk(play)[1] == 0
    assert [record.message for record in caplog.records] == ["a room failed"]


def test_the_bell_is_rung_unless_it_is_to_be_quiet() -> None:
    async def play(desk: Desk) -> None:
        desk.screen.bell()

    assert "\a" in at_desk(play)[0].paper.getvalue()


@pytest.mark.parametrize(("name", "cap"), [("c-l", "Ctrl-L"), ("d", "d"), ("M", "M"), ("pageup", "PgUp"), ("f1", "F1")])
def test_what_stands_on_a_key(name: str, cap: str) -> None:
    assert key_cap(name) == cap


STRAY = "{} does nothing here. ? shows the keys."


def test_a_key_that_means_nothing_is_answered_until_one_means_something() -> None:
    async def play(desk: Desk) -> None:
        for typed, cap in (("z", "z"), ("\x1b[A", "Up"), ("\t", "Tab"), ("å", "å"), ("\x1b[15~", "F5")):
            await desk.type(typed)
            await desk.until(lambda cap=cap: STRAY.format(cap) in desk.shown())  # type: ignore[misc]  # bound
        assert "- message line" in desk.shown()
        await desk.type("d")
        await desk.until(lambda: "does nothing" not in desk.shown())
        await desk.type("z\x1b[<0;2;1M")
        await desk.until(lambda: "Keys act at once" in desk.shown())

    assert at_desk(play)[0].room.heard == ["draw", "down ('page',)"]


def test_a_key_that_means_nothing_hides_no_other_sentence() -> None:
    async def play(desk: Desk) -> None:
        desk.screen.note("Bea has left.")
        await desk.type("z")
        await desk.until(lambda: STRAY.format("z") in desk.shown())
        assert "Bea has left." in desk.shown()
        await desk.type("d")
        assert desk.screen.noted == ""

    at_desk(play)


def test_what_is_no_key_is_not_answered() -> None:
    async def play(desk: Desk) -> None:
        await desk.type("\x1b[<35;9;9M\x1b[<35;10;9M")  # the mouse moves
        await desk.type("\x1b[5;5R")  # where the cursor is, as a terminal answers
        await desk.type("\x1b[200~zzz\x1b[201~")  # what is pasted
        desk.size = Size(40, 120)
        desk.screen.redraw()
        await desk.until(lambda: "Help" in desk.shown())
        assert desk.screen._stray == ("", None)

    at_desk(play)


def test_what_is_typed_into_a_line_is_no_stray_key() -> None:
    async def play(desk: Desk) -> None:
        await desk.type("z")
        await desk.type(":zzz\x1b[A\x1b[15~")
        assert "does nothing" not in desk.shown()
        await desk.type("\x1b")
        await desk.until(lambda: not desk.screen.line.is_open)
        assert "does nothing" not in desk.shown()

    assert at_desk(play)[0].room.heard == []


def test_escape_puts_away_what_is_said_where_it_has_nothing_else_to_do() -> None:
    async def play(desk: Desk) -> None:
        question = Question(desk.screen.below, desk.screen.leave, "Really?", (), escape=False)
        desk.screen.enter(question)
        await desk.type("\x1b")
        await desk.until(lambda: STRAY.format("Esc") in desk.shown())
        await desk.type("\x1b")
        await desk.until(lambda: "does nothing" not in desk.shown())

    at_desk(play)


def test_a_stray_key_is_told_in_the_room_where_it_was_pressed_and_for_a_moment() -> None:
    async def play(desk: Desk) -> None:
        await desk.type("z")
        other = Notebook(desk.screen)
        desk.screen.enter(other)
        await desk.until(lambda: "Keys act at once" in desk.shown())
        desk.screen.page("Page", lambda: ["a line"])
        await desk.type("z")
        await desk.until(lambda: "z does nothing here. Esc closes this." in desk.shown())
        kept = desk.screen._stray
        desk.screen._forget_stray((kept[0], kept[1]))
        assert desk.screen._stray is kept
        desk.screen._forget_stray(kept)
        assert desk.screen._stray == ("", None)

    at_desk(play)


def test_a_small_terminal_answers_no_key() -> None:
    async def play(desk: Desk) -> None:
        await desk.type("z")
        assert desk.screen._stray == ("", None)

    at_desk(play, (60, 20))


def test_an_answer_that_is_typed_at_once_after_its_question_counts() -> None:
    async def play(desk: Desk) -> None:
        for number in range(3):
            desk.screen.ask(f"Question {number}?", (("y", "Yes", lambda: desk.room.heard.append("yes")),))
            await desk.type("yd")
        desk.screen.ask("Leave?", (("l", "Leave", desk.screen.leave),))
        await desk.type("\x1b")
        await desk.until(lambda: desk.screen.room is desk.room)
        await desk.type("d?")
        await desk.type("\x1bd")

    desk, _code = at_desk(play)
    assert desk.room.heard[:7] == ["yes", "draw", "yes", "draw", "yes", "draw", "draw"]


def test_a_line_is_brought_back_behind_its_own_prompt_alone() -> None:
    said: list[str] = []

    async def again(desk: Desk, prompt: str) -> str:
        desk.screen.open_line(prompt, said.append, once=True)
        await desk.until(lambda: f" {prompt} " in desk.shown())
        await desk.type("\x1b[A")
        await desk.settle()
        text = desk.screen.line.buffer.text
        await desk.type("\x15\r")
        return text

    async def play(desk: Desk) -> None:
        desk.screen.open_line("names>", said.append, once=True)
        await desk.settle()
        await desk.type("Ada Bea\r")
        assert not desk.screen.line.is_open
        assert await again(desk, "names>") == "Ada Bea"
        assert await again(desk, "Cem>") == ""

    at_desk(play)
    assert said == ["Ada Bea"]


def test_a_line_that_is_asked_for_again_keeps_its_text() -> None:
    async def play(desk: Desk) -> None:
        def refuse(text: str) -> None:
            if len(text) < 5:
                desk.screen.open_line("names>", refuse, text=f"{text} ", once=True)

        desk.screen.open_line("names>", refuse, once=True)
        await desk.settle()
        await desk.type("Ada\r")
        assert desk.screen.line.is_open
        assert desk.screen.line.buffer.text == "Ada "
        await desk.type("Bea\r")
        assert not desk.screen.line.is_open

    at_desk(play)


def test_while_keys_act_the_line_says_so_and_how_to_type() -> None:
    async def play(desk: Desk) -> None:
        await desk.until(lambda: "Keys act at once.  : to type a command" in desk.shown())
        assert "/ to chat" not in desk.shown()
        await desk.type("?")
        await desk.until(lambda: "Keys act at once" not in desk.shown())

    at_desk(play)
