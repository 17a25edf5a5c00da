"""The two pumps: a prompt in a terminal, lines in and out everywhere else, and every way to leave."""

from __future__ import annotations

import asyncio
import io
import os
import threading
from collections.abc import Callable, Coroutine
from pathlib import Path

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.history import FileHistory
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput

from rummy_p2p.sentences import Notice
from rummy_p2p.ui.plain import play_at_prompt, play_in_lines, run
from tests.ui.seat import FakeSeat
from tests.ui.test_console import DECK


class Paper(DummyOutput):
    """An output that keeps what is written on it line by line."""

    def __init__(self) -> None:
        self.text = ""
        self.bells = 0
        self.written = asyncio.Event()

    def write(self, data: str) -> None:
        self.text += data
        self.written.set()

    def bell(self) -> None:
        self.bells += 1


class Desk:
    """A prompt at a seat, with a hand on the keys."""

    def __init__(self, seat: FakeSeat, keys: PipeInput, paper: Paper) -> None:
        self.seat = seat
        self.keys = keys
        self.paper = paper

    async def shows(self, text: str, times: int = 1) -> None:
        """Go on as soon as the text has been written so often."""
        while self.paper.text.count(text) < times:
            self.paper.written.clear()
            await self.paper.written.wait()


def at_prompt(play: Callable[[Desk], Coroutine[None, None, None]], history: Path | None = None) -> tuple[int, str]:
    """Run the prompt while ``play`` types; return the exit code and everything written."""

    async def both(desk: Desk) -> int:
        playing = asyncio.create_task(play_at_prompt(desk.seat, history))
        async with asyncio.timeout(20):
            await play(desk)
            return await playing

    with create_pipe_input() as keys:
        desk = Desk(FakeSeat(DECK), keys, Paper())
        with create_app_session(input=keys, output=desk.paper):
            return asyncio.run(both(desk)), desk.paper.text


# --- at the prompt ---------------------------------------------------------------------------------------------------


def test_what_happens_is_printed_and_what_is_typed_is_done() -> None:
    async def play(desk: Desk) -> None:
        desk.seat.deal()
        await desk.shows("! YOUR TURN.")
        desk.keys.send_text("draw\r")
        await desk.shows("You drew 6h.")
        desk.keys.send_text("fold\r")
        await desk.shows("There is no command 'fold'.")
        desk.keys.send_text("quit\r")

    code, text = at_prompt(play)
    assert code == 0
    assert "\r\n" in text
    assert "\x1b" not in text


def test_long_lines_are_broken_between_words() -> None:
    async def play(desk: Desk) -> None:
        desk.seat.say(Notice("word " * 40))
        await desk.shows("word\r\nword")
        desk.keys.send_text("quit\r")

    assert at_prompt(play)[0] == 0


def test_the_table_closes_while_the_prompt_waits() -> None:
    async def play(desk: Desk) -> None:
        desk.seat.deal()
        await desk.shows("! YOUR TURN.")
        desk.seat.say(Notice("The table is closed."))
        desk.seat.say(None)

    code, text = at_prompt(play)
    assert code == 0
    assert "The table is closed." in text


def test_a_table_that_is_closed_already_needs_no_prompt() -> None:
    async def play(desk: Desk) -> None:
        desk.seat.say(None)

    assert at_prompt(play)[0] == 0


def test_what_ends_the_table_is_not_swallowed(monkeypatch: pytest.MonkeyPatch) -> None:
    async def lost() -> None:
        raise ConnectionError("lost")

    async def play(desk: Desk) -> None:
        monkeypatch.setattr(desk.seat, "next", lost)

    with pytest.raises(ConnectionError, match="lost"):
        at_prompt(play)


@pytest.mark.parametrize(
    ("keys", "code"),
    [
        ("\x03|yes\r", 0),
        ("\x03|Y\r", 0),
        ("\x04|\x04", 0),
        ("\x04|\x03", 130),
        ("\x03|\x03", 130),
        ("\x03|no\r|quit\r", 0),
    ],
)
def test_leaving_is_asked_once(keys: str, code: int) -> None:
    async def play(desk: Desk) -> None:
        desk.seat.deal()
        await desk.shows("! YOUR TURN.")
        first, *others = keys.split("|")
        desk.keys.send_text(first)
        await asyncio.sleep(0)
        for key in others:
            desk.keys.send_text(key)

    assert at_prompt(play)[0] == code


def test_the_table_closes_while_the_question_waits() -> None:
    async def play(desk: Desk) -> None:
        desk.keys.send_text("\x03")
        await desk.shows("Leave the table?")
        desk.seat.say(None)

    assert at_prompt(play)[0] == 0


def test_the_own_turn_rings_the_bell_once() -> None:
    bells: list[int] = []

    async def play(desk: Desk) -> None:
        desk.seat.deal()
        await desk.shows("Hand:")
        bells.append(desk.paper.bells)
        desk.keys.send_text("quit\r")

    at_prompt(play)
    assert bells == [1]


def test_typed_lines_are_kept_for_the_next_time(tmp_path: Path) -> None:
    async def play(desk: Desk) -> None:
        desk.seat.deal()
        desk.keys.send_text("hand\r")
        await desk.shows("Hand:", 2)
        desk.keys.send_text("quit\r")

    assert at_prompt(play, tmp_path / "state" / "history")[0] == 0
    assert list(FileHistory(tmp_path / "state" / "history").load_history_strings()) == ["quit", "hand"]
    assert at_prompt(play, tmp_path)[0] == 0, "a folder cannot hold lines: the game goes on without"


def test_tab_completes() -> None:
    async def play(desk: Desk) -> None:
        desk.seat.deal()
        await desk.shows("! YOUR TURN.")
        desk.keys.send_text("dr\t\r")
        await desk.shows("You drew 6h.")
        desk.keys.send_text("quit\r")

    assert at_prompt(play)[0] == 0


# --- lines -----------------------------------------------------------------------------------------------------------


def in_lines(seat: FakeSeat, text: str) -> tuple[int, list[str]]:
    paper = io.StringIO()
    code = asyncio.run(play_in_lines(seat, io.StringIO(text), paper))
    return code, paper.getvalue().splitlines()


def test_a_script_plays_and_what_a_line_has_caused_comes_before_the_next() -> None:
    seat = FakeSeat(DECK)
    seat.deal()
    code, lines = in_lines(seat, "draw\n\ndiscard 6h\nturn\nquit\nhand\n")
    assert code == 0
    assert [line for line in lines if line.startswith("You")] == ["You drew 6h.", "You discarded 6h."]
    assert lines[-2:] == ["It is Bea's turn.", "It is Bea's turn."]


def test_the_end_of_the_input_leaves_the_table() -> None:
    seat = FakeSeat(DECK)
    seat.deal()
    code, lines = in_lines(seat, "")
    assert code == 0
    assert lines[-1].startswith("Hand: ")


def test_the_table_closes_before_the_input_ends() -> None:
    read, write = os.pipe()
    seat = FakeSeat()
    seat.say(Notice("The table is closed."))
    seat.say(None)
    paper = io.StringIO()
    with os.fdopen(read) as reader, os.fdopen(write, "w") as writer:
        assert asyncio.run(play_in_lines(seat, reader, paper)) == 0
        writer.close()
        wait_for_readers()
    assert paper.getvalue() == "The table is closed.\n"


def wait_for_readers() -> None:
    for thread in threading.enumerate():
        if thread.name == "plain-read":
            thread.join(10)


def test_what_ends_the_table_is_not_swallowed_in_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    async def lost() -> None:
        raise ConnectionError("lost")

    seat = FakeSeat()
    monkeypatch.setattr(seat, "next", lost)
    with pytest.raises(ConnectionError, match="lost"):
        in_lines(seat, "")


def test_letters_that_the_output_does_not_have_become_question_marks() -> None:
    seat = FakeSeat()
    seat.say(Notice("Åse: hei ♥"))
    raw = io.BytesIO()
    paper = io.TextIOWrapper(raw, encoding="latin-1", newline="\n")
    assert asyncio.run(play_in_lines(seat, io.StringIO(), paper)) == 0
    assert raw.getvalue().decode("latin-1") == "Åse: hei ?\n"


def test_without_a_terminal_run_reads_lines() -> None:
    seat = FakeSeat(DECK)
    seat.deal()
    paper = io.StringIO()
    assert asyncio.run(run(seat, history=None, stdin=io.StringIO("quit\n"), stdout=paper)) == 0
    assert "! YOUR TURN." in paper.getvalue()
