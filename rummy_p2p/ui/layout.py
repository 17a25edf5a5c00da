"""The one layout: a board to draw on, the command line under it with its completions, the help bar at the bottom."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from prompt_toolkit.application import get_app
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.key_binding.key_processor import KeyPressEvent
from prompt_toolkit.layout import (
    BufferControl,
    CompletionsMenu,
    ConditionalContainer,
    Float,
    FloatContainer,
    HSplit,
    Layout,
    VSplit,
    Window,
)
from prompt_toolkit.layout.controls import FormattedTextControl

from rummy_p2p.ui.sheet import Sheet, SheetWindow

Send = Callable[[str], None]
_MENU_LINES: Final = 8


class CommandLine:
    """The line that is typed into: open until Esc or an empty line, or for one line alone.

    What was typed behind a prompt can be brought back behind the same prompt, and behind no other. While the line is
    closed ``rest`` stands in its place: a style and a text.
    """

    def __init__(
        self,
        complete: Callable[[str], tuple[str, ...]],
        entered: Callable[[str, Send | None], None],
        redraw: Callable[[], None],
        rest: Callable[[], tuple[str, str]],
    ) -> None:
        self.is_open = False
        self._rest = rest
        self._histories: dict[str, InMemoryHistory] = {}
        self._prompt = ""
        self._send: Send | None = None
        self._once = False
        self._again = False  # whether what was entered has opened the line again
        self._entered = entered
        self._complete = complete
        self._redraw = redraw
        self._board: Window | None = None
        self.buffer = Buffer(
            multiline=False,
            completer=_Completer(lambda text: () if self._send else complete(text)),
            complete_while_typing=Condition(lambda: self._send is None),
            accept_handler=self._accept,
        )
        self.control = BufferControl(self.buffer, key_bindings=self._bindings())
        self.window = Window(self.control, height=1)

    def container(self, board: Window) -> VSplit:
        """Return the line with its prompt; Esc leads back to the board."""
        self._board = board
        label = FormattedTextControl(self._label)
        return VSplit([Window(label, dont_extend_width=True, height=1), self.window])

    def _label(self) -> StyleAndTextTuples:
        if self.is_open:
            return [("class:bold", f" {self._prompt} ")]
        style, text = self._rest()
        return [(f"class:{style}", f" {text} ")]

    def open(self, prompt: str, send: Send | None, *, text: str = "", once: bool = False) -> None:
        """Take the keys."""
        self._prompt, self._send, self._once, self.is_open = prompt, send, once, True
        self._again = True
        self.buffer.history = self._histories.setdefault(prompt, InMemoryHistory())
        self.buffer.reset(Document(text))
        get_app().layout.focus(self.window)
        self._redraw()

    @property
    def is_new(self) -> bool:
        """Whether what was entered has opened the line again, for something else."""
        return self._again

    def resume(self) -> Callable[[], None]:
        """Return what opens the line again as it is now; where it is closed, or for one line alone, that is nothing."""
        if not self.is_open or self._once:
            return lambda: None
        prompt, send = self._prompt, self._send
        return lambda: self.open(prompt, send)

    @property
    def takes_commands(self) -> bool:
        """Whether one line after the other is typed for the room: who does so presses no keys."""
        return self.is_open and self._send is None and not self._once

    def menu_height(self) -> int:
        """Return how many lines the completions take."""
        state = self.buffer.complete_state
        return 1 if state is None else max(1, min(_MENU_LINES, len(state.completions)))

    def close(self) -> None:
        """Give the keys back to the board; what was typed is gone."""
        if self.is_open:
            self.is_open = False
            self.buffer.reset()
            if self._board is not None:
                get_app().layout.focus(self._board)
            self._redraw()

    def _accept(self, buffer: Buffer) -> bool:
        text = buffer.text.strip()
        send = self._send
        buffer.append_to_history()  # before the line is emptied
        if not text or self._once:
            self.close()
        self._again = False
        if text:
            self._entered(text, send)
        return self._again  # the line is emptied, unless it is another one already

    def _insert_common(self) -> bool:
        """Write what all completions have in common; return whether that was more than is there already."""
        begun = _begun(self.buffer.document.text_before_cursor)
        words = () if self._send else self._complete(self.buffer.document.text_before_cursor)
        common = _common(words)
        if len(common) <= len(begun):
            return False
        self.buffer.delete_before_cursor(len(begun))
        self.buffer.insert_text(common, fire_event=False)
        return True

    def _bindings(self) -> KeyBindings:
        keys = KeyBindings()

        @keys.add("escape", eager=True)
        def _(_event: KeyPressEvent) -> None:
            self.close()

        @keys.add("tab", eager=True)
        def _(_event: KeyPressEvent) -> None:
            if self.buffer.complete_state:
                self.buffer.complete_next()
            elif not self._insert_common():
                self.buffer.start_completion()

        return keys


class _Completer(Completer):
    """Completes the last word of the line."""

    def __init__(self, complete: Callable[[str], tuple[str, ...]]) -> None:
        self._complete = complete

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        text = document.text_before_cursor
        begun = _begun(text)
        if begun or complete_event.completion_requested:
            yield from (Completion(word, start_position=-len(begun)) for word in self._complete(text))


def _common(words: Sequence[str]) -> str:
    """Return what words have in common at their beginning."""
    least, most = min(words, default=""), max(words, default="")
    same = next((at for at, (one, two) in enumerate(zip(least, most, strict=False)) if one != two), len(least))
    return least[:same]


def _begun(text: str) -> str:
    """Return the word that is being typed."""
    return text.replace("|", " ").split(" ")[-1]


class Frame:
    """Board, command line and help bar, put together."""

    def __init__(self, board: Sheet, bar: Sheet, line: CommandLine, fits: Callable[[], bool]) -> None:
        window = SheetWindow(board)
        below = [
            ConditionalContainer(line.container(window), Condition(fits)),
            ConditionalContainer(SheetWindow(bar, height=1), Condition(fits)),
        ]
        shown = CompletionsMenu(max_height=_MENU_LINES, scroll_offset=1)
        menu = Float(shown, xcursor=True, bottom=len(below), height=line.menu_height)  # above the line and the help bar
        self.layout = Layout(FloatContainer(HSplit([window, *below]), [menu]), focused_element=window)
