"""How quick the full screen is: the first frame, a key until it is drawn at 120x40, the processor at rest.

python tests/bench/screen.py
"""

from __future__ import annotations

import asyncio
import io
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from prompt_toolkit.application import create_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

ROOT: Final = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from rummy_p2p.bots import LEVELS  # noqa: E402 -- the path is set above
from rummy_p2p.offline.practice import practice_seat  # noqa: E402 -- as above
from rummy_p2p.ui.screen import Screen  # noqa: E402 -- as above
from rummy_p2p.ui.style import Look  # noqa: E402 -- as above
from rummy_p2p.ui.table_room import TableRoom  # noqa: E402 -- as above
from variants_plugins.rummy_sv import RULES  # noqa: E402 -- as above

KEYS: Final = ("\x1b[D", "\x1b[C", " ", "s", ">", "<", "]", "H", "\x1b[A", "\x1b[B")
ROUNDS: Final = 30
IDLE_SECONDS: Final = 10.0


class Cost(NamedTuple):
    """Seconds by the clock on the wall, and seconds of the processor: what they cost on a machine that is busy."""

    wall: float
    work: float


def first_frame() -> float:
    """Return the seconds from the start of Python until the table has been drawn, imports included."""
    code = "import tests.bench.screen as bench, asyncio; asyncio.run(bench.measured(rounds=0, idle=0))"
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
    return time.perf_counter() - began


async def measured(rounds: int = ROUNDS, idle: float = IDLE_SECONDS) -> tuple[list[Cost], float]:
    """Return what each key costs until its frame, and the share of a processor while nothing happens."""
    output = Vt100_Output(io.StringIO(), lambda: Size(40, 120), term="xterm-256color")
    with create_pipe_input() as keys, create_app_session(input=keys, output=output):
        screen = Screen(Look(), input=keys, output=output)
        seat = practice_seat(RULES, 4, "Ada", 7, LEVELS["normal"], stays=True)
        room = TableRoom(screen, seat, facts=seat.facts)
        drawn = asyncio.Event()
        screen.app.after_render += lambda _app: drawn.set()
        room.begin()
        running = asyncio.create_task(screen.run(room))
        await drawn.wait()
        times = [await _press(keys.send_text, key, drawn) for _ in range(rounds) for key in KEYS]
        share = await _idle(running, idle)
        screen.app.exit(result=0)
        await running
    return times, share


async def _press(send: Callable[[str], None], key: str, drawn: asyncio.Event) -> Cost:
    drawn.clear()
    began, worked = time.perf_counter(), time.process_time()
    send(key)
    await drawn.wait()
    return Cost(time.perf_counter() - began, time.process_time() - worked)


async def _idle(running: asyncio.Task[int], seconds: float) -> float:
    if not seconds:
        return 0.0
    await asyncio.wait({running}, timeout=7)  # a note of the last key has gone by then
    began = resource.getrusage(resource.RUSAGE_SELF)
    await asyncio.wait({running}, timeout=seconds)
    ended = resource.getrusage(resource.RUSAGE_SELF)
    return (ended.ru_utime + ended.ru_stime - began.ru_utime - began.ru_stime) / seconds


def main() -> None:
    """Measure and print."""
    print(f"first frame (a new process, imports included): {min(first_frame() for _ in range(3)) * 1000:.0f} ms")
    times, share = asyncio.run(measured())
    for what, values in (("key to screen at 120x40", [cost.wall for cost in times]),
                         ("processor for that", [cost.work for cost in times])):  # fmt: skip
        ordered = sorted(values)
        print(
            f"{what}: median {statistics.median(values) * 1000:.1f} ms, "
            f"95 % {ordered[int(len(ordered) * 0.95)] * 1000:.1f} ms, worst {ordered[-1] * 1000:.1f} ms "
            f"({len(values)} keys)"
        )
    print(f"processor while nothing happens: {share * 100:.2f} %")


if __name__ == "__main__":
    main()
