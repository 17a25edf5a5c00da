"""How others come to the own table: the code in large letters, the address, a QR code, the password, ssh."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec

from rummy_p2p.sentences.finding import finding_text
from rummy_p2p.sentences.screen_lobby import lobby_say
from rummy_p2p.sentences.screen_network import network_say
from rummy_p2p.ui.big_letters import WIDTH, big_lines
from rummy_p2p.ui.canvas import Canvas, text_width, wrap
from rummy_p2p.ui.lobby_draw import draw_buttons, draw_message
from rummy_p2p.ui.room import Key, Mouse
from rummy_p2p.ui.screen import Screen

_CODE: Final = 4 * (WIDTH + 1) + 2  # columns of a group of the code
_HOW: Final = 32  # columns for what is told, at least


class Ways(msgspec.Struct, frozen=True):
    """What there is to be told. ``code``: empty where the address has none; ``qr``: its lines, none without segno;
    ``ssh``: what guests type, and the key that they are shown, while they are let in; ``python``: what installs segno.
    """

    title: str
    code: str
    address: str
    by_name: str
    qr: tuple[str, ...] = ()
    password: str = ""
    ssh: tuple[str, str] = ("", "")
    python: str = "python"


class WaysRoom:
    """A room over the lobby; ``ways`` is asked at every drawing, None when the table has gone."""

    def __init__(self, screen: Screen, ways: Callable[[], Ways | None]) -> None:
        """Show them."""
        self._screen = screen
        self._ways = ways

    # --- drawing -----------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas) -> None:
        """Draw the QR code on the right where it fits beside the rest, else what is told there."""
        ways = self._ways()
        if ways is None:
            draw_message(canvas, network_say("ways-gone"))
            return
        qr = ways.qr
        width = text_width(qr[0]) if qr else 0
        fits = bool(qr) and canvas.width - width - 2 >= max(_CODE, _HOW) and len(qr) <= canvas.height - 1
        left = canvas.width - width - 2 if fits else _CODE if ways.code else 0
        canvas.put(1, 0, network_say("ways-title", title=ways.title), "title")
        told, room = _told(ways, canvas, qr_fits=fits), canvas.height - 4
        if fits:
            for y, line in enumerate(qr):
                canvas.put(canvas.width - width, y, line, "qr")
            lines = _wrapped(told, left - 2)
            below = self._draw_code(canvas.part(1, 2, left - 1, room), ways.code, room - len(lines))
            _draw_told(canvas.part(1, 2 + below, left - 2, room - below), lines)
        else:
            self._draw_code(canvas.part(1, 2, max(0, left - 1), room), ways.code, room)
            right = canvas.part(left + 1, 2, canvas.width - left - 2, room)
            _draw_told(right, _wrapped(told, right.width))
        keys = {key.keys[0]: key for key in self.keys()}
        draw_buttons(canvas.part(1, canvas.height - 2, canvas.width - 2, 1), 0, keys, ("escape",))
        draw_message(canvas, network_say("ways-message"))

    @staticmethod
    def _draw_code(canvas: Canvas, code: str, most: int) -> int:
        """Draw a group of the code below the other, with gaps when it may be so high; return its height."""
        groups = [big_lines(group, canvas.glyphs) for group in code.split("-") if group]
        gap = int(sum(len(lines) + 1 for lines in groups) <= most)
        y = 0
        for lines in groups:
            for line in lines:
                canvas.put(0, y, line, "bold")
                y += 1
            y += gap
        return y + (1 - gap if groups else 0)

    def cursor(self) -> tuple[int, int] | None:
        """Return where the title is, for who hears the screen."""
        return (1, 0)

    def title(self) -> str:
        """Return the title of the terminal."""
        return f"rummy-p2p: {network_say('key-ways')}"

    # --- keys --------------------------------------------------------------------------------------------------------

    def keys(self) -> tuple[Key, ...]:
        """Return the way out."""
        return (Key(("escape", "q", "Q", "enter"), lobby_say("key-back"), self._screen.leave),)

    def mouse(self, event: Mouse) -> None:
        """A click on the button presses it."""
        if event.kind == "up" and event.target is not None and event.target[0] == "key":
            self._screen.press(str(event.target[1]))

    def typed(self, text: str) -> None:
        """Whatever is typed here leads back."""
        del text
        self._screen.leave()

    def complete(self, text: str) -> tuple[str, ...]:
        """Nothing is to be completed."""
        del text
        return ()


def _told(ways: Ways, canvas: Canvas, *, qr_fits: bool) -> list[tuple[str, str]]:
    """Return the lines with their styles: first what most will use."""
    told: list[tuple[str, str]] = []
    if ways.code:
        told += [("dim", network_say("ways-by-code")), ("bold", f"rummy-p2p join {ways.code}")]
    else:
        told.append(("yellow", network_say("ways-no-code")))
    if ways.password:
        told.append(("bold", network_say("ways-password", password=ways.password)))
    told.append(("", ways.address.partition("#")[0]))
    if ways.ssh[0]:
        told += [("dim", network_say("ways-ssh")), ("", ways.ssh[0]), ("dim", ways.ssh[1])]
    told.append(("", ways.by_name))
    if not ways.qr:
        told.append(("dim", finding_text("no-segno", python=ways.python)))
    elif not qr_fits:
        size = {"width": text_width(ways.qr[0]) + _HOW + 2, "height": len(ways.qr) + 3}
        told.append(("dim", finding_text("qr-too-narrow", **size, columns=canvas.width, lines=canvas.height + 2)))
    return told


def _wrapped(told: list[tuple[str, str]], width: int) -> list[tuple[str, str]]:
    return [(style, line) for style, text in told for line in wrap(text, width)]


def _draw_told(canvas: Canvas, lines: list[tuple[str, str]]) -> None:
    for y, (style, line) in enumerate(lines[: canvas.height]):
        canvas.put(0, y, line, style)
