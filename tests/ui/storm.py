"""Keys, mouse and typed lines at random, at changing sizes of the terminal, through the real toolkit."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Callable
from random import Random

from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput
from prompt_toolkit.output.vt100 import Vt100_Output

from rummy_p2p.ui.room import Room
from rummy_p2p.ui.screen import Screen
from rummy_p2p.ui.style import Look

KEYS = [
    *"dtmaxcsuHpyonghlkj<> ]irvMD?123456789:/bfewNPSTQCFqz",
    *("\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D", "\x1b[5~", "\x1b[6~", "\r", "\t", "\x1b", "\x0c", "\x1b[H", "\x1b[F"),
    *("\x1b[Z", "\x7f", "\x01", "\x0b", "\x17", "å", "ş"),
]
LINES = (
    "draw",
    "take 2",
    "meld 7h 8h 9h",
    "discard JK",
    "knock 9s",
    "hint",
    "sort rank",
    "score",
    "help",
    "next",
    "step 3",
    "seats 99",
    "limit 60",
    "find a",
    "\x1b",
    "x" * 90,
    "mute Bot 1",
    "invite Bea",
    "chat häi",
)


class Gale:
    """The weather over one screen."""

    def __init__(self, seed: int, keys: PipeInput) -> None:
        self.dice = Random(seed)
        self.size = Size(24, 80)
        self.keys = keys
        output = Vt100_Output(io.StringIO(), lambda: self.size, term="xterm", enable_bell=False)
        self.screen = Screen(Look(), input=keys, output=output)

    def event(self) -> None:
        """Do one thing."""
        kind = self.dice.random()
        if kind < 0.55:
            self.keys.send_text(self.dice.choice(KEYS))
        elif kind < 0.9:
            self.mouse()
        elif kind < 0.94:
            self.keys.send_text(f"\x1b:{self.dice.choice(LINES)}\r\x1b")
        elif kind < 0.97:
            self.size = Size(self.dice.randint(10, 60), self.dice.randint(40, 180))
        else:
            self.size = Size(24, 80)

    def mouse(self) -> None:
        """Click, drag or turn the wheel, also beside the screen."""
        x, y = (self.dice.randint(1, limit + 2) for limit in (self.size.columns, self.size.rows))
        u, v = (self.dice.randint(1, limit + 2) for limit in (self.size.columns, self.size.rows))
        button = self.dice.choice((0, 0, 0, 64, 65))
        self.keys.send_text(f"\x1b[<{button};{x};{y}M")
        if button == 0:
            drags = self.dice.random() < 0.5
            self.keys.send_text(f"\x1b[<32;{u};{v}M\x1b[<0;{u};{v}m" if drags else f"\x1b[<0;{x};{y}m")

    async def blow(self, events: int, make: Callable[[], Room], check: Callable[[], None] = lambda: None) -> int:
        """Return how many events there were until the room was left; ``check`` is called now and then."""
        running = asyncio.create_task(self.screen.run(make()))
        await asyncio.sleep(0)
        for number in range(events):
            self.event()
            self.screen.app.invalidate()
            for _ in range(6):
                await asyncio.sleep(0)
            if running.done():
                running.result()
                return number + 1
            if number % 50 == 0:
                assert self.screen.app.is_running
                assert self.screen.room is not None
                check()
        self.screen.app.exit(result=0)
        await running
        return events
