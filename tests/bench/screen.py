"""How quick the full screen is: the work from a key until it is drawn at 120x40, and the work at rest.

    python tests/bench/screen.py [--json]

A key's time is the processor time of the thread that draws, until its frame is written. A hint is thought of in another
thread: how long that takes until it is told is measured by itself, and the next key comes after it.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import json
import resource
import statistics
import sys
import time
from pathlib import Path
from typing import Final

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


async def measured(rounds: int = ROUNDS, idle: float = IDLE_SECONDS) -> tuple[list[float], list[float], float]:
    """Return the seconds of each key until its frame, of each hint until it is told, and the share of a processor
    while nothing happens.
    """
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
        times, hints = [], []
        for key in KEYS * rounds:
            began = time.process_time()
            times.append(await _press(keys.send_text, key, drawn))
            if await _told(drawn):
                hints.append(time.process_time() - began)
        share = await _idle(running, idle)
        screen.app.exit(result=0)
        await running
    return times, hints, share


async def _press(send: object, key: str, drawn: asyncio.Event) -> float:
    drawn.clear()
    began = time.thread_time()
    send(key)  # type: ignore[operator]  # the sender of the pipe
    await drawn.wait()
    return time.thread_time() - began


async def _told(drawn: asyncio.Event) -> bool:
    """Wait for the frame of a hint that is being thought of; return whether there was one."""
    thinking = [task for task in asyncio.all_tasks() if task.get_name() == "table-hint"]
    drawn.clear()
    if thinking:
        await asyncio.wait(thinking)
        await drawn.wait()
    return bool(thinking)


async def _idle(running: asyncio.Task[int], seconds: float) -> float:
    if not seconds:
        return 0.0
    await asyncio.wait({running}, timeout=7)  # a note of the last key has gone by then
    began = resource.getrusage(resource.RUSAGE_SELF)
    await asyncio.wait({running}, timeout=seconds)
    ended = resource.getrusage(resource.RUSAGE_SELF)
    return (ended.ru_utime + ended.ru_stime - began.ru_utime - began.ru_stime) / seconds


def figures(times: list[float], hints: list[float], share: float) -> dict[str, float]:
    ordered = sorted(times)
    found = {"median": statistics.median(ordered), "p99": ordered[int(len(ordered) * 0.99)], "worst": ordered[-1]}
    found |= {"hint": statistics.median(hints), "first hint": hints[0]}
    return {name: round(1000 * value, 1) for name, value in found.items()} | {"at rest, %": round(100 * share, 2)}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print one object instead of a line")
    options = parser.parse_args()
    found = figures(*asyncio.run(measured()))
    if options.json:
        print(json.dumps(found))
        return
    print(
        f"key to screen at 120x40: median {found['median']} ms, 99 % {found['p99']} ms, worst {found['worst']} ms; "
        f"a hint until it is told: median {found['hint']} ms, the first one {found['first hint']} ms; "
        f"processor while nothing happens: {found['at rest, %']} %"
    )


if __name__ == "__main__":
    main()
