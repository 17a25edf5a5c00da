"""The table in plain text (``--plain``): no alternate screen, a line for every event, typed moves.

In a terminal there is a prompt with history and completion, and what happens is printed above it. Everywhere else lines
are read and written as they come, so that a script, a pipe or a screen reader can hold the conversation. What is said
and what can be typed is the matter of ``console``; here are the two pumps and the way out.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from textwrap import wrap
from typing import Final, TextIO

from prompt_toolkit import PromptSession
from prompt_toolkit.application import run_in_terminal
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.output import Output
from prompt_toolkit.patch_stdout import patch_stdout
from prompt_toolkit.shortcuts import CompleteStyle

from rummy_p2p.sentences import Notice, answer_text
from rummy_p2p.ui.console import Console, Said, Seat

__all__ = ["Notice", "Seat", "play_at_prompt", "play_in_lines", "run"]

LEFT: Final = 0
INTERRUPTED: Final = 130
_NARROWEST: Final = 20

# How often the loop goes round before the next typed line counts: what the last one has caused is printed before that.
_ROUNDS: Final = 10


class _TableClosedError(Exception):
    """The table was closed while the prompt was open."""


async def run(seat: Seat, *, history: Path | None, stdin: TextIO | None = None, stdout: TextIO | None = None) -> int:
    """Play at a seat until the table closes or the player leaves; return the exit code."""
    reader, writer = stdin or sys.stdin, stdout or sys.stdout
    if reader.isatty() and writer.isatty() and os.environ.get("TERM") != "dumb":
        return await play_at_prompt(seat, history)
    return await play_in_lines(seat, reader, writer)


# --- in a terminal ---------------------------------------------------------------------------------------------------


async def play_at_prompt(seat: Seat, history: Path | None = None) -> int:
    """Play at a prompt in the terminal of the running prompt_toolkit session."""
    console = Console(seat)
    session: PromptSession[str] = PromptSession(
        console.prompt,
        history=_history(history),
        completer=_Completer(console),
        complete_while_typing=False,
        complete_style=CompleteStyle.READLINE_LIKE,
    )
    # Raw between two prompts as well: what is typed early is not echoed twice, and Ctrl-C is a key that is asked about.
    with patch_stdout(), session.input.raw_mode():
        hearing = asyncio.create_task(_hear(console, session.output), name="plain-hear")
        try:
            return await _answer_prompts(console, session, hearing)
        finally:
            await _ended(hearing)


def _history(path: Path | None) -> History:
    """Return the history kept in a file; one in memory where the file cannot be written."""
    if path is None:
        return InMemoryHistory()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.open("ab").close()
    except OSError:
        return InMemoryHistory()
    return FileHistory(path)


async def _hear(console: Console, output: Output) -> None:
    """Print what happens above the prompt until the table closes."""
    while (item := await console.seat.next()) is not None:
        await run_in_terminal(partial(_print, output, console.hear(item)))


def _print(output: Output, said: Said) -> None:
    width = max(_NARROWEST, output.get_size().columns)
    for line in said.lines:
        for part in wrap(line, width, break_on_hyphens=False, replace_whitespace=False):
            output.write(f"{part}\r\n")
    if said.bell:
        output.bell()
    output.flush()


async def _answer_prompts(console: Console, session: PromptSession[str], hearing: asyncio.Task[None]) -> int:
    while True:
        try:
            said = console.answer(await _ask(session, hearing))
        except _TableClosedError:
            hearing.result()  # raises what ended the table, when it did not just close
            return LEFT
        except (KeyboardInterrupt, EOFError):
            code = await _asked_to_leave(hearing)
            if code is not None:
                return code
            continue
        _print(session.output, said)
        if said.leaves:
            return LEFT


async def _ask(session: PromptSession[str], hearing: asyncio.Task[None], message: str | None = None) -> str:
    """Return a typed line; raise _TableClosedError as soon as there is no table any more."""

    def close(_task: object = None) -> None:
        if session.app.is_running and not session.app.is_done:
            session.app.exit(exception=_TableClosedError())

    hearing.add_done_callback(close)
    try:
        return await session.prompt_async(message, pre_run=lambda: close() if hearing.done() else None)
    finally:
        hearing.remove_done_callback(close)


async def _asked_to_leave(hearing: asyncio.Task[None]) -> int | None:
    """Ask once whether the player really goes; return the exit code, or None to stay."""
    question: PromptSession[str] = PromptSession()
    try:
        text = await _ask(question, hearing, answer_text("leave"))
    except KeyboardInterrupt:
        return INTERRUPTED
    except EOFError:
        return LEFT
    except _TableClosedError:
        return None  # the next prompt ends with the same, and with what closed the table
    return LEFT if text.strip().lower() in ("y", "yes") else None


class _Completer(Completer):
    """Completes the last word of the line with what the console knows."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        del complete_event
        text = document.text_before_cursor
        begun = text.replace("|", " ").split(" ")[-1]
        yield from (Completion(word, start_position=-len(begun)) for word in self._console.complete(text))


# --- lines in, lines out ---------------------------------------------------------------------------------------------


async def play_in_lines(seat: Seat, reader: TextIO, writer: TextIO) -> int:
    """Play with lines read and written as they come; the end of the input leaves the table."""
    console = Console(seat)
    typed: asyncio.Queue[str | None] = asyncio.Queue()
    _read_aside(reader, typed)
    hearing = asyncio.create_task(seat.next(), name="plain-hear")
    typing = asyncio.create_task(typed.get(), name="plain-type")
    try:
        while True:
            await _first_of(hearing, typing)
            if hearing.done():
                item = hearing.result()
                if item is None:
                    return LEFT
                _write(writer, console.hear(item))
                hearing = asyncio.create_task(seat.next(), name="plain-hear")
                continue
            text = typing.result()
            said = Said(leaves=True) if text is None else console.answer(text)
            _write(writer, said)
            if said.leaves:
                return LEFT
            typing = asyncio.create_task(typed.get(), name="plain-type")
    finally:
        await _ended(hearing)
        await _ended(typing)


async def _first_of(hearing: asyncio.Task[object], typing: asyncio.Task[object]) -> None:
    """Wait for something to happen or to be typed; what has happened already comes first."""
    for _ in range(_ROUNDS):
        if hearing.done():
            return
        await asyncio.sleep(0)
    await asyncio.wait((hearing, typing), return_when=asyncio.FIRST_COMPLETED)


def _write(writer: TextIO, said: Said) -> None:
    encoding = writer.encoding or "utf-8"
    writer.writelines(line.encode(encoding, "replace").decode(encoding) + "\n" for line in said.lines)
    writer.flush()


def _read_aside(reader: TextIO, typed: asyncio.Queue[str | None]) -> None:
    """Read lines in a thread of its own, None at the end: reading blocks, and not every input can be waited for."""
    loop = asyncio.get_running_loop()

    def read() -> None:
        with ExitStack() as stack, suppress(RuntimeError):  # the loop may be closed before a line comes
            for line in _lines(reader, stack):
                loop.call_soon_threadsafe(typed.put_nowait, line)
            loop.call_soon_threadsafe(typed.put_nowait, None)

    threading.Thread(target=read, name="plain-read", daemon=True).start()


def _lines(reader: TextIO, stack: ExitStack) -> TextIO:
    """Return the input under a lock of our own: a thread that waits in the shared one would hold up Python's exit."""
    try:
        number = reader.fileno()
    except OSError:
        return reader
    return stack.enter_context(open(number, encoding=reader.encoding, errors="replace", closefd=False))


async def _ended(task: asyncio.Task[object] | asyncio.Task[None]) -> None:
    """Cancel a task of ours and wait until it has ended."""
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
