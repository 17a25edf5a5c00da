"""The doctor on the screen: one line for each thing that is looked at, as it comes, and what to do about what fails.

The law of the file
    The room knows an ``Examination`` and nothing of the network; what it shows is asked for at every drawing. While it
    goes on the latest line is in view; at its end the first that fails, or the way to somebody,
    unless the player has gone elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, Protocol

import msgspec

from rummy_p2p.sentences.doctor import LAYERS, layer_text, mark_text
from rummy_p2p.sentences.screen_lobby import lobby_say
from rummy_p2p.sentences.screen_network import looked_at_text, network_say
from rummy_p2p.ui.canvas import Canvas, cut, text_width, wrap
from rummy_p2p.ui.lobby_draw import draw_buttons, draw_message
from rummy_p2p.ui.room import Key, Mouse
from rummy_p2p.ui.screen import Screen
from rummy_p2p.ui.table_waiting import bar

Mark = Literal["ok", "fails", "skipped"]
_STYLES: Final[dict[Mark, str]] = {"ok": "", "fails": "alert", "skipped": "dim"}
_BAR: Final = 20
_WORDS: Final = ("again", "doctor", "way", "back")


class Remark(msgspec.Struct, frozen=True):
    """What was found at one layer, and what to do about it; ``layer`` is its short name."""

    mark: Mark
    layer: str
    detail: str
    fix: str = ""


class Examination(Protocol):
    """What the room shows, and begins anew."""

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """What has been found so far."""
        ...

    @property
    def whom(self) -> str:
        """To whom the way is looked at as well; empty for nobody."""
        ...

    @property
    def runs(self) -> bool:
        """Whether it goes on."""
        ...

    @property
    def verdict(self) -> str:
        """The last word; empty before the end."""
        ...

    def begin(self, whom: str = "") -> None:
        """Look at everything, from the beginning."""
        ...

    def end(self) -> None:
        """Look no more."""
        ...

    def watch(self, call: Callable[[], None]) -> None:
        """Call this whenever there is something new."""
        ...


class DoctorRoom:
    """A room over the lobby."""

    def __init__(self, screen: Screen, examination: Examination) -> None:
        """Begin to look."""
        self._screen = screen
        self._examination = examination
        self._only_failing = False
        self._first: int | None = None  # the line at the top, where the player has chosen it
        self._height, self._count, self._at = 1, 0, 0  # of what was drawn last: its rows, its lines, the one at the top
        self._stop_clock = screen.every(1.0, lambda: None)
        examination.watch(screen.redraw)
        examination.begin(examination.whom)

    # --- drawing -----------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas) -> None:
        """Draw the lines, how far it is, and the keys."""
        shown = self._examination
        title = network_say("doctor-title-way", name=shown.whom) if shown.whom else network_say("doctor-title")
        height = canvas.height - 1
        canvas.box(0, 0, canvas.width, height, title)
        inner = canvas.part(2, 1, canvas.width - 4, height - 4)
        lines, failing = self._lines(inner.width)
        self._height, self._count = inner.height, len(lines)
        first = self._at = self._top(failing)
        for y, (style, x, text) in enumerate(lines[first : first + inner.height]):
            inner.put(x, y, text, style)
        if first > 0:
            canvas.put(canvas.width - 1, 1, canvas.glyphs.up, "title")
        if first + inner.height < len(lines):
            canvas.put(canvas.width - 1, height - 4, "v", "title")
        self._draw_progress(canvas.part(2, height - 3, canvas.width - 4, 1))
        keys = {key.keys[0]: key for key in self.keys()}
        draw_buttons(canvas.part(2, height - 2, canvas.width - 4, 1), 0, keys, ("a", "w", "f", "escape"))
        draw_message(canvas, shown.verdict or network_say("doctor-keys"))

    def _lines(self, width: int) -> tuple[list[tuple[str, int, str]], int]:
        """Return style, place and text of each line, and on which the first that fails stands (-1: on none)."""
        lines: list[tuple[str, int, str]] = []
        failing = -1
        column = 2 + max(text_width(mark_text(mark)) for mark in _STYLES)
        for remark in self._shown():
            if remark.mark == "fails" and failing < 0:
                failing = len(lines)
            said = wrap(f"{layer_text(remark.layer)}: {remark.detail}", width - column - 2)
            mark = mark_text(remark.mark)
            lines.append((_STYLES[remark.mark], 0, mark.ljust(column) + said[0]))
            lines += [(_STYLES[remark.mark], column + 2, text) for text in said[1:]]
            style = "yellow" if remark.mark == "fails" else "dim"
            lines += [(style, column, text) for text in (wrap(f"> {remark.fix}", width - column) if remark.fix else ())]
        if not lines and self._only_failing:
            lines.append(("", 0, network_say("doctor-all-well")))
        return lines, failing

    def _shown(self) -> list[Remark]:
        return [each for each in self._examination.remarks if each.mark == "fails" or not self._only_failing]

    def _top(self, failing: int) -> int:
        """Return which line stands at the top."""
        most = max(0, self._count - self._height)
        if self._first is not None:
            return min(self._first, most)
        if failing < 0 and self._examination.whom:
            return most  # what is known of the way is what was asked for
        return most if self._examination.runs else min(max(0, failing), most)

    def _draw_progress(self, canvas: Canvas) -> None:
        shown = self._examination
        latest = shown.remarks[-1].layer if shown.remarks else ""
        layers = LAYERS if shown.whom else LAYERS[: LAYERS.index("reachable") + 1]
        done = layers.index(latest) + 1 if latest in layers else 0
        total = len(layers)
        if not shown.runs:
            canvas.put(0, 0, looked_at_text(len(shown.remarks)), "dim")
            return
        x = canvas.put(0, 0, bar(done, total, _BAR, canvas.glyphs), "hint") + 1
        coming = layers[min(done, total - 1)]
        text = network_say("doctor-looks", layer=layer_text(coming)) if latest else network_say("doctor-begins")
        canvas.put(x, 0, cut(text, canvas.width - x, canvas.glyphs.more), "yellow")

    def cursor(self) -> tuple[int, int] | None:
        """Return where the lines begin."""
        return (2, 1)

    def title(self) -> str:
        """Return the title of the terminal."""
        return f"rummy-p2p: {network_say('key-doctor')}"

    # --- keys --------------------------------------------------------------------------------------------------------

    def keys(self) -> tuple[Key, ...]:
        """Return what can be done."""
        which = "everything" if self._only_failing else "failing"
        scroll = network_say("help-scroll")
        return (
            Key(("a",), network_say("key-again"), self._again, help=network_say("help-again")),
            Key(("w",), network_say("key-way"), self._ask, help=network_say("help-way")),
            Key(("f",), network_say(f"key-{which}"), self._switch, help=network_say("help-failing")),
            Key(("escape", "q"), lobby_say("key-back"), self._back, help=network_say("help-back")),
            Key(("down", "j"), "", lambda: self._scroll(1), bar=False, help=scroll),
            Key(("up", "k"), "", lambda: self._scroll(-1), bar=False, help=scroll),
            Key(("pagedown", "space"), "", lambda: self._scroll(self._height - 1), bar=False, help=scroll),
            Key(("pageup",), "", lambda: self._scroll(1 - self._height), bar=False, help=scroll),
            Key(("home",), "", lambda: self._scroll(-self._count), bar=False, help=scroll),
            Key(("end",), "", lambda: self._scroll(self._count), bar=False, help=scroll),
        )

    def mouse(self, event: Mouse) -> None:
        """The wheel scrolls; a click on a button presses it."""
        if event.kind in ("wheel-up", "wheel-down"):
            self._scroll(-3 if event.kind == "wheel-up" else 3)
        elif event.kind == "up" and event.target is not None and event.target[0] == "key":
            self._screen.press(str(event.target[1]))

    def _scroll(self, by: int) -> None:
        self._first = self._at = max(0, min(self._at + by, self._count - self._height))

    def _again(self) -> None:
        self._begin(self._examination.whom)

    def _begin(self, whom: str) -> None:
        self._first, self._only_failing = None, False
        self._examination.begin(whom)

    def _ask(self) -> None:
        self._screen.open_line(network_say("doctor-asks"), lambda text: self._begin(text.strip()), once=True)

    def _switch(self) -> None:
        self._only_failing = not self._only_failing
        self._first = None

    def _back(self) -> None:
        self._stop_clock()
        self._examination.end()
        self._screen.leave()

    # --- what is typed -----------------------------------------------------------------------------------------------

    def typed(self, text: str) -> None:
        """Carry out a line."""
        word, _space, rest = text.strip().removeprefix("/").partition(" ")
        if word in ("doctor", "way", "again"):
            self._begin(rest.strip() if word != "again" else self._examination.whom)
        elif word in ("back", "quit", "q", "exit"):
            self._back()
        else:
            self._screen.note(network_say("no-such-word", words=", ".join(_WORDS)))

    def complete(self, text: str) -> tuple[str, ...]:
        """Return what a word may become."""
        return () if " " in text else tuple(word for word in _WORDS if word.startswith(text.removeprefix("/")))
