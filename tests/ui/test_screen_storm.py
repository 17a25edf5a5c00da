"""A storm of keys, mouse and typed lines over the table at changing sizes, through the real toolkit."""

from __future__ import annotations

import asyncio
import io
from random import Random

import pytest
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from rummy_p2p.bots import LEVELS
from rummy_p2p.offline.practice import PracticeSeat, practice_seat
from rummy_p2p.ruleset import Ruleset
from rummy_p2p.ui.screen import Screen
from rummy_p2p.ui.style import Look
from rummy_p2p.ui.table_room import TableRoom
from variants_plugins.gin import RULES as GIN
from variants_plugins.rum_500_ro import RULES as RUM_500
from variants_plugins.rummy_no import RULES as NORWEGIAN
from variants_plugins.rummy_sv import RULES as SWEDISH

KEYS = [
    *"dtmaxcsuHpyonghlkj<> ]irvMD?123456789:/",
    *("\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D", "\x1b[5~", "\x1b[6~", "\r", "\t", "\x1b", "\x0c", "\x1b[H", "\x1b[F"),
]
LINES = (
    "draw",
    "take 2",
    "meld 7h 8h 9h",
    "discard JK",
    "hint",
    "sort rank",
    "score",
    "help",
    "\x1b",
    "x" * 90,
    "mute Bot 1",
)
GAMES = {"sv": (SWEDISH, 4), "no": (NORWEGIAN, 3), "gin": (GIN, 2), "500": (RUM_500, 2)}


class Storm:
    def __init__(self, rules: Ruleset, seats: int, seed: int, keys: PipeInput) -> None:
        self.dice = Random(seed)
        self.size = Size(24, 80)
        self.keys = keys
        still = rules.with_(claim__window_ms=0)
        self.seat: PracticeSeat = practice_seat(still, seats, "Ada", seed, LEVELS["normal"], stays=True)
        output = Vt100_Output(io.StringIO(), lambda: self.size, term="xterm", enable_bell=False)
        self.screen = Screen(Look(), input=keys, output=output)
        self.room = TableRoom(self.screen, self.seat, facts=self.seat.facts)

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
        x, y = (self.dice.randint(1, limit + 2) for limit in (self.size.columns, self.size.rows))
        u, v = (self.dice.randint(1, limit + 2) for limit in (self.size.columns, self.size.rows))
        button = self.dice.choice((0, 0, 0, 64, 65))
        self.keys.send_text(f"\x1b[<{button};{x};{y}M")
        if button == 0:
            self.keys.send_text(
                f"\x1b[<32;{u};{v}M\x1b[<0;{u};{v}m" if self.dice.random() < 0.5 else f"\x1b[<0;{x};{y}m"
            )

    def check(self) -> None:
        """No card is lost or doubled on the way to the screen, and the game stands."""
        view = self.seat.view()
        self.room.state.follow(view)
        assert sorted(self.room.state.fan.slots) == sorted(view.state.hands[0])
        assert self.screen.app.is_running
        assert self.screen.room is not None

    async def blow(self, events: int) -> int:
        """Return how many events there were until the table was left, by q and y or the like."""
        self.room.begin()
        running = asyncio.create_task(self.screen.run(self.room))
        await asyncio.sleep(0)
        for number in range(events):
            self.event()
            self.screen.app.invalidate()
            for _ in range(6):
                await asyncio.sleep(0)
            if running.done():
                assert running.result() == 0
                return number + 1
            if number % 50 == 0:
                self.check()
        self.screen.app.exit(result=0)
        assert await running == 0
        return events


def blow(game: str, seed: int, events: int, log: pytest.LogCaptureFixture) -> None:
    rules, seats = GAMES[game]
    while events > 0:
        with create_pipe_input() as keys:
            events -= asyncio.run(Storm(rules, seats, seed, keys).blow(events))
        seed += 100
    assert [record.getMessage() + str(record.exc_info) for record in log.records] == []


@pytest.mark.parametrize("game", GAMES)
def test_a_storm_of_keys_and_mouse_breaks_nothing(game: str, caplog: pytest.LogCaptureFixture) -> None:
    blow(game, 1, 250, caplog)


@pytest.mark.nightly
@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", range(4))
def test_a_long_storm_breaks_nothing(seed: int, caplog: pytest.LogCaptureFixture) -> None:
    blow(list(GAMES)[seed], seed + 10, 2_500, caplog)
