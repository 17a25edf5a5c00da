"""How long it takes from "start" until a player sees the own cards: three machines (namespaces), the blind deal beside
the deal by the host in the same run.

    python tests/bench/first_card.py [--json] [--rounds N] [--game G]

Needs root, for the namespaces. The clock is that of the wall: the machines share the processors of this one, so three
real laptops are faster. What is measured is the time between two lines of each program, the worst of the three.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.lan.namespaces import Lan, why_not  # noqa: E402 - the tests are no package that could be installed

NICKS = ("Ada", "Bea", "Cem")
DEALS = ("blind", "host")


def waited(process: subprocess.Popen[bytes]) -> float:
    """Seconds between the lines "start" and "cards" of a program; it is read to its end."""
    at: dict[str, float] = {}
    for line in process.stdout or ():
        at.setdefault(json.loads(line)["event"], time.monotonic())
    return at["cards"] - at["start"]


def one_round(game: str, deal: str) -> float:
    """One hand at three machines; the seconds of the one that waited longest."""
    with tempfile.TemporaryDirectory() as folder, Lan(3) as net, ThreadPoolExecutor(3) as readers:
        processes = []
        for i, words in enumerate(words_of(game, deal)):
            command = [sys.executable, "-m", "rummy_p2p", *words, "--auto", "normal", "--json", "--nick", NICKS[i]]
            environment = {**os.environ, "PYTHONPATH": str(ROOT)}
            command += ["--data", str(Path(folder) / NICKS[i])]
            processes.append(net.run(i, command, env=environment, cwd=folder))
        return max(readers.map(waited, processes))


def words_of(game: str, deal: str) -> Iterator[list[str]]:
    yield ["host", game, "--seats", "3", "--hands", "1", "--title", "Bench", "--deal", deal]
    yield from [["join", "Bench"]] * 2


def main() -> int:
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--json", action="store_true")
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--game", default="rummy-no")
    given = options.parse_args()
    why = why_not()
    if why:
        print(f"first card: left out, {why}")
        return 0
    taken: dict[str, list[float]] = {deal: [] for deal in DEALS}
    for _ in range(given.rounds):
        for deal in DEALS:
            taken[deal].append(one_round(given.game, deal))
    found = {deal: round(statistics.median(times), 2) for deal, times in taken.items()}
    if given.json:
        print(json.dumps({"game": given.game, "rounds": given.rounds, "seconds": found}))
    else:
        blind, host = found["blind"], found["host"]
        print(f"first card, 3 machines, {given.game}: blind {blind} s, by the host {host} s, ratio {blind / host:.1f}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
