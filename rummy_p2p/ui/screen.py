"""The one Application: it shows the room on top, hands keys and mouse to it, and has the command line and the help bar.

The law of the file
    One layout for all rooms: board, command line, help bar. Key bindings are made from the key table of the room on
    top at the moment a key comes. What goes wrong inside a room is said and logged, and never the end of the terminal.
"""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import replace
from typing import Final, TypeVar

from prompt_toolkit.application import Application
from prompt_toolkit.filters import Condition, has_focus
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import (
    ConditionalKeyBindings,
    DynamicKeyBindings,
    KeyBindings,
    KeyBindingsBase,
    merge_key_bindings,
)
from prompt_toolkit.key_binding.key_processor import KeyPressEvent
from prompt_toolkit.output import Output
from prompt_toolkit.styles import DynamicStyle

from rummy_p2p.sentences.screen import screen_text
from rummy_p2p.ui.bar import draw_bar, help_lines
from rummy_p2p.ui.canvas import Canvas, cut, wrap
from rummy_p2p.ui.layout import CommandLine, Frame
from rummy_p2p.ui.popup import Answer, Page, Popup, Question
from rummy_p2p.ui.room import Key, Mouse, Room
from rummy_p2p.ui.sheet import Sheet
from rummy_p2p.ui.strays import stray_bindings, stray_text
from rummy_p2p.ui.style import DECKS, Look, depth_of, style_of

LEAST: Final = (80, 24)
INTERRUPTED: Final = 130
_NOTE_SECONDS: Final = 6.0
_NOTE_LINES: Final = 4
_ESCAPE_SECONDS: Final = 0.05  # the defaults let Esc wait for a second and a half
T = TypeVar("T")
_log = logging.getLogger(__name__)


class Screen:
    """The terminal for as long as the program has it: a stack of rooms, of which the top one is in use."""

    def __init__(self, settings: Look, *, input: Input | None = None, output: Output | None = None) -> None:  # noqa: A002 -- the toolkit's own word
        """Make the application; nothing is shown before ``run``."""
        self.look = settings
        self.mouse_on = settings.mouse
        self._rooms: list[Room] = []
        self._note = ""
        self._note_timer: asyncio.TimerHandle | None = None
        self._stray: tuple[str, Room | None] = ("", None)  # what is said of a key that means nothing, and where
        self._tasks: set[asyncio.Task[None]] = set()
        self._timers: set[asyncio.TimerHandle] = set()
        self._leaving = False
        self._titled = ""
        self._bound: tuple[str, ...] = ()
        self._bindings = KeyBindings()
        self.line = CommandLine(self._complete, self._entered, self.redraw, self._resting_line)
        self._frame = Frame(
            board=Sheet(self._draw, self._mouse, self._cursor),
            bar=Sheet(self._draw_bar, self._bar_mouse, lambda: None),
            line=self.line,
            fits=self.fits,
        )
        self.app: Application[int] = Application(
            layout=self._frame.layout,
            key_bindings=self._all_bindings(),
            style=DynamicStyle(lambda: style_of(self.look.deck)),
            color_depth=depth_of(settings.colours),
            full_screen=True,
            mouse_support=Condition(lambda: self.mouse_on),
            input=input,
            output=output,
        )
        self.app.ttimeoutlen = self.app.timeoutlen = _ESCAPE_SECONDS

    # --- rooms -------------------------------------------------------------------------------------------------------

    async def run(self, room: Room, *, alone: bool = True) -> int:
        """Show a room until the last one has been left; return the exit code.

        ``alone``: this program has no other screen, so that signals and what fails in the loop are this one's.
        """
        self.enter(room)
        if not gc.get_freeze_count():
            gc.freeze()  # what is loaded stays: to go through all of it now and then would hold up a key for 80 ms
        try:
            code = await self.app.run_async(handle_sigint=alone, set_exception_handler=alone)
        finally:
            self.app.output.clear_title()
            self.app.output.flush()
            for timer in self._timers:
                timer.cancel()
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
        return code

    @property
    def room(self) -> Room | None:
        """The room on top."""
        return self._rooms[-1] if self._rooms else None

    def below(self, room: Room) -> Room | None:
        """Return the room under this one."""
        at = self._rooms.index(room) if room in self._rooms else 0
        return self._rooms[at - 1] if at > 0 else None

    def enter(self, room: Room) -> None:
        """Put a room on top."""
        self._rooms.append(room)
        self.line.close()
        self.redraw()

    def leave(self, code: int = 0) -> None:
        """Take the top room away; the last one ends the run with this code."""
        if self._rooms:
            self._rooms.pop()
        if not self._rooms:
            self._end(code)
        self.redraw()

    def remove(self, room: Room) -> None:
        """Take a room away wherever it lies, with the popups over it."""
        if room in self._rooms:
            del self._rooms[self._rooms.index(room) :]
        if not self._rooms:
            self._end(0)
        self.redraw()

    def _end(self, code: int) -> None:
        if self.app.is_running and not self.app.is_done:
            self.app.exit(result=code)

    def ask(self, question: str, answers: tuple[Answer, ...]) -> None:
        """Ask a question: (key, label, what to do) for each answer."""
        self.enter(Question(self.below, self.leave, question, answers))

    def page(self, heading: str, lines: Callable[[], Iterable[str]], *, at_end: bool = False) -> None:
        """Show a page of text; whoever asked for it in the command line comes back there."""
        resume = self.line.resume()

        def close() -> None:
            self.leave()
            resume()

        self.enter(Page(self.below, close, heading, lambda: list(lines()), at_end=at_end))

    # --- services ----------------------------------------------------------------------------------------------------

    def redraw(self) -> None:
        """Draw as soon as everything that is under way has been done."""
        self.app.invalidate()

    def bell(self) -> None:
        """Ring, unless the player wants it quiet."""
        if self.look.bell:
            self.app.output.bell()
            self.app.output.flush()

    def note(self, text: str) -> None:
        """Say something in the message line for a few seconds."""
        self._note = text
        if self._note_timer is not None:
            self._note_timer.cancel()
        self._note_timer = self.after(_NOTE_SECONDS, self._forget_note) if text else None
        self.redraw()

    def _forget_note(self) -> None:
        self._note = ""
        self.redraw()

    @property
    def noted(self) -> str:
        """What the message line says at the moment instead of what the room says."""
        return self._note

    def after(self, seconds: float, call: Callable[[], None]) -> asyncio.TimerHandle | None:
        """Do something later; None while no event loop runs."""
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            return None
        self._timers = {each for each in self._timers if not each.cancelled() and each.when() > loop.time()}
        timer = loop.call_later(seconds, self.safely, call)
        self._timers.add(timer)
        return timer

    def every(self, seconds: float, call: Callable[[], None]) -> Callable[[], None]:
        """Do something again and again; what is returned ends it."""
        stopped: list[bool] = []

        def again() -> None:
            if not stopped:
                self.safely(call)
                self.after(seconds, again)

        self.after(seconds, again)
        return lambda: stopped.append(True)

    def start(self, work: Coroutine[object, object, None], name: str) -> asyncio.Task[None]:
        """Let a room do something beside the drawing, until the screen closes; what goes wrong is said."""

        async def guarded() -> None:
            try:
                await work
            except Exception as error:  # noqa: BLE001 -- the terminal must live on, whatever it was
                self._failed(error)

        task = asyncio.create_task(guarded(), name=name)
        task.add_done_callback(lambda _task: work.close())  # it may be ended before it has begun
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def safely(self, call: Callable[[], None]) -> None:
        """Do what a room wants done; what goes wrong is said."""
        try:
            call()
        except Exception as error:  # noqa: BLE001 -- as above
            self._failed(error)
        self.redraw()

    def _failed(self, error: Exception) -> None:
        _log.error("a room failed", exc_info=error)
        self.note(screen_text("failed", error=f"{type(error).__name__}: {error}"))

    # --- drawing -----------------------------------------------------------------------------------------------------

    def fits(self) -> bool:
        """Whether the terminal is large enough."""
        size = self.app.output.get_size()
        return size.columns >= LEAST[0] and size.rows >= LEAST[1]

    def _draw(self, width: int, height: int) -> Canvas:
        canvas = Canvas(width, height, self.look.glyphs)
        room = self.room
        if not self.fits():
            self._draw_too_small(canvas)
        elif room is not None:
            try:
                room.draw(canvas)
            except Exception as error:  # noqa: BLE001 -- as above
                _log.exception("a room could not be drawn")
                self._note = screen_text("failed", error=f"{type(error).__name__}: {error}")
            self._draw_note(canvas)
        self._show_title(room)
        return canvas

    def _draw_too_small(self, canvas: Canvas) -> None:
        size = self.app.output.get_size()
        facts = {"columns": LEAST[0], "rows": LEAST[1], "width": size.columns, "height": size.rows}
        lines = [line for text in ("too-small", "enlarge") for line in wrap(screen_text(text, **facts), canvas.width)]
        for y, line in enumerate(lines):
            canvas.put(0, y, line, "bold")

    def _draw_note(self, canvas: Canvas) -> None:
        if not self._note:
            return
        glyphs = canvas.glyphs
        lines = wrap(self._note, canvas.width - 4)[:_NOTE_LINES]
        for y, line in enumerate(lines, canvas.height - len(lines)):
            text = cut(f"{glyphs.across} {line} ", canvas.width, glyphs.more)
            canvas.put(canvas.put(0, y, text, "bold"), y, glyphs.across * canvas.width)

    def _show_title(self, room: Room | None) -> None:
        title = "rummy-p2p" if room is None else room.title()
        if title != self._titled:
            self._titled = title
            self.app.output.set_title(title)

    def _cursor(self) -> tuple[int, int] | None:
        room = self.room
        return None if room is None or not self.fits() else room.cursor()

    def _draw_bar(self, width: int, height: int) -> Canvas:
        """Draw the help bar: the keys of the room as far as there is room, those of every room first."""
        canvas = Canvas(width, height, self.look.glyphs)
        if self.line.is_open:
            canvas.put(0, 0, screen_text("line-keys"))
            return canvas
        draw_bar(canvas, self._keys())
        return canvas

    # --- keys --------------------------------------------------------------------------------------------------------

    def _keys(self) -> tuple[Key, ...]:
        """Return the keys of the room on top, and those of every room that it leaves free."""
        room = self.room
        own = () if room is None else room.keys()
        taken = {name for key in own for name in key.keys}
        if isinstance(room, Popup):
            taken.add(":")  # nothing is typed into one
        return (*own, *(key for key in self._everywhere() if not taken & set(key.keys)))

    def _everywhere(self) -> tuple[Key, ...]:
        return (
            Key(("?", "f1"), screen_text("help"), self._help, help=screen_text("help-help")),
            Key((":",), screen_text("command-label"), self.open_line, help=screen_text("command-help")),
            Key(("M",), screen_text("mouse-label"), self._switch_mouse, bar=False, help=screen_text("mouse-help")),
            Key(("D",), screen_text("deck-label"), self._next_deck, bar=False, help=screen_text("deck-help")),
            Key(("c-l",), screen_text("redraw-label"), self._redraw_all, bar=False, help=screen_text("redraw-help")),
        )

    def _all_bindings(self) -> KeyBindingsBase:
        leave = KeyBindings()
        leave.add("c-c", eager=True)(self._interrupted)
        leave.add("<sigint>", eager=True)(self._interrupted)
        board = merge_key_bindings([stray_bindings(self._pressed_stray), DynamicKeyBindings(self._room_bindings)])
        return merge_key_bindings([ConditionalKeyBindings(board, ~has_focus(self.line.window)), leave])

    def _room_bindings(self) -> KeyBindings:
        """Return bindings for the names of the moment; which key it is, is looked up when it comes."""
        names = tuple(sorted({name for key in self._keys() for name in key.keys}))
        if names != self._bound:
            self._bound, self._bindings = names, KeyBindings()
            for name in names:
                self._bindings.add(name, eager=True)(self._pressing(name))
        return self._bindings

    def _pressing(self, name: str) -> Callable[[KeyPressEvent], None]:
        return lambda _event: self.press(name)

    def press(self, name: str) -> None:
        """Press a key of the room on top."""
        if not self.fits():
            return
        key = next((key for key in self._keys() if name in key.keys), None)
        if key is not None:
            self._clear_note()
            self.safely(key.act)

    def _pressed_stray(self, name: str) -> None:
        """Say of a key that it means nothing here; Esc puts away what is said already, for that is what it is for."""
        if not self.fits():
            return
        said = bool(self._note or self._stray[0])
        if name == "escape" and said:
            self._clear_note()
        else:
            stray = self._stray = stray_text(name, self._keys()), self.room
            self.after(_NOTE_SECONDS, lambda: self._forget_stray(stray))
        self.redraw()

    def _forget_stray(self, stray: tuple[str, Room | None]) -> None:
        if self._stray is stray:
            self._stray = "", None

    def _clear_note(self) -> None:
        self._note, self._stray = "", ("", None)

    def _interrupted(self, _event: KeyPressEvent) -> None:
        """Ctrl-C: say so once, leave at the second one."""
        if self._leaving:
            self._rooms.clear()
            self._end(INTERRUPTED)
            return
        self._leaving = True
        self.line.close()
        self.note(screen_text("again-to-leave"))
        self.after(3.0, self._stay)

    def _stay(self) -> None:
        self._leaving = False

    def _help(self) -> None:
        keys = self._keys()
        self.page(screen_text("keys"), lambda: help_lines(keys))

    def _switch_mouse(self) -> None:
        self.mouse_on = not self.mouse_on
        self.note(screen_text("mouse-on" if self.mouse_on else "mouse-off"))

    def _next_deck(self) -> None:
        deck = DECKS[(DECKS.index(self.look.deck) + 1) % len(DECKS)]
        self.look = replace(self.look, deck=deck)
        self.note(screen_text("deck", deck=deck))

    def _redraw_all(self) -> None:
        self.app.renderer.clear()

    # --- mouse -------------------------------------------------------------------------------------------------------

    def _mouse(self, event: Mouse) -> None:
        room = self.room
        if room is None or not self.fits():
            return
        if event.kind == "down":
            self.line.close()
        if event.kind != "move":
            self._clear_note()
        self.safely(lambda: room.mouse(event))

    def _bar_mouse(self, event: Mouse) -> None:
        if event.kind == "up" and event.target is not None:
            self.press(str(event.target[1]))

    # --- the command line --------------------------------------------------------------------------------------------

    def open_line(
        self, prompt: str = "", send: Callable[[str], None] | None = None, *, text: str = "", once: bool = False
    ) -> None:
        """Let the player type a line: for the room, or for ``send``; ``once``: back to the board after one line."""
        self.line.open(prompt or screen_text("command"), send, text=text, once=once)

    def _entered(self, text: str, send: Callable[[str], None] | None) -> None:
        room = self.room
        receiver = send or (room.typed if room is not None else None)
        if send is None:
            text = text.lstrip(": ")  # the key that opens the line, typed once more
        if receiver is not None and text:
            self._clear_note()
            self.safely(lambda: receiver(text))
        if room is not self.room and not self.line.is_new:
            self.line.close()  # it was the line of another room

    def _resting_line(self) -> tuple[str, str]:
        """Return the style and the text in the place of the command line while keys act: that the last key means
        nothing here, or the keys that lead into the line.
        """
        stray, where = self._stray
        if stray and where is self.room:
            return "bold", stray
        if isinstance(self.room, Popup):
            return "dim", ""
        chat = next((key for key in self._keys() if key.keys[0] == "/"), None)
        return "dim", screen_text("keys-act-chat" if chat is not None and chat.enabled else "keys-act")

    def _complete(self, text: str) -> tuple[str, ...]:
        room = self.room
        return () if room is None else room.complete(text)
