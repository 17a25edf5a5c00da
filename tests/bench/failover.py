"""How long a table is without a host when that is killed: from SIGKILL to the next action that is committed.

    python tests/bench/failover.py [--json] [--trials N] [--peers N ...] [--minutes M] [--rivals-python PATH]

"host": the first record of the new host is committed at one of the others. "action": a move of a player is. Real
programs on the loopback interface, the blind deal; the host is killed while somebody else is on turn, and started again
with ``resume`` before the next trial. Rival: pysyncobj with its defaults, in the interpreter given by
``--rivals-python`` or RUMMY_RIVALS_PYTHON: as many programs that add to a replicated counter every 10 ms; the leader is
killed, and what is told is when the first addition that was asked for afterwards is committed. Both take turns.

"false elections": changes of host in so many minutes of the simulator's time in which nothing is wrong, but every
message takes between 0.1 and 1.5 s.
"""

from __future__ import annotations

import argparse
import json
import os
import queue
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
NICKS = ("Ada", "Bea", "Cem", "Dag", "Eli", "Fay")
PATIENCE = 90.0  # a seat that is gone is passed over after 60
WARM_UP = 2.0
RIVAL = """
import json, sys, threading, time
from pysyncobj import SyncObj, replicated
class Counter(SyncObj):
    def __init__(self, me, others):
        super().__init__(me, others)
        self.value = 0
    @replicated
    def add(self):
        self.value += 1
        return self.value
me, *others = sys.argv[1:]
counter = Counter(me, others)
lock = threading.Lock()
def say(**line):
    with lock:
        print(json.dumps(line), flush=True)
led = None
while True:
    time.sleep(0.01)
    asked = time.monotonic()
    leads = str(counter._getLeader() or "") == me
    if leads != led:
        led = leads
        say(event="leads", leads=leads)
    if not leads and counter.isReady():
        counter.add(callback=lambda value, error, asked=asked: error or say(event="added", asked=asked))
"""

Line = dict[str, Any]
Said = tuple[float, int, Line]  # when, by whom


class Programs:
    """Some programs that say JSON lines, and one queue of all that they say."""

    def __init__(self) -> None:
        self.said: queue.SimpleQueue[Said] = queue.SimpleQueue()
        self.running: dict[int, subprocess.Popen[bytes]] = {}

    def run(self, number: int, command: Sequence[str]) -> None:
        process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        self.running[number] = process
        threading.Thread(target=self._listen, args=(number, process), daemon=True).start()

    def _listen(self, number: int, process: subprocess.Popen[bytes]) -> None:
        for line in process.stdout or ():
            self.said.put((time.monotonic(), number, json.loads(line)))

    def lines(self, patience: float = PATIENCE) -> Iterator[Said]:
        """What is said from now on; TimeoutError after so many seconds."""
        ends = time.monotonic() + patience
        while True:
            try:
                yield self.said.get(timeout=max(0.0, ends - time.monotonic()))
            except queue.Empty:
                raise TimeoutError from None

    def kill(self, number: int) -> float:
        """Kill one, and say when."""
        process = self.running.pop(number)
        at = time.monotonic()
        process.kill()
        process.wait()
        return at

    def stop(self) -> None:
        for number in list(self.running):
            self.kill(number)


# ---------------------------------------------------------------- ours


class Table:
    """Some of our programs at one table; who is host, and who has moved last."""

    def __init__(self, programs: Programs, peers: int, folder: Path) -> None:
        self.programs, self.peers, self.folder = programs, peers, folder
        self.host = self.term = 0
        self.seats: list[str] = []
        self.moved: Line = {"player": "", "move": ""}
        title = f"Bench {os.getpid()}"
        self._run(0, "host", "rummy-no", "--house", "limit=100000", "--seats", str(peers), "--title", title)
        self._until(lambda _, line: line["event"] == "open")
        for number in range(1, peers):
            self._run(number, "join", title)
        self._until(lambda _, line: line["event"] == "move")

    def _run(self, number: int, *words: str) -> None:
        common = ["--auto", "normal", "--json", "--nick", NICKS[number], "--interface", "lo", "--seed", str(number)]
        data = ["--data", str(self.folder / NICKS[number])]
        self.programs.run(number, [sys.executable, "-m", "rummy_p2p", *words, *common, *data])

    def _until(self, wanted: Callable[[int, Line], bool]) -> Said:
        for at, number, line in self.programs.lines():
            if line["event"] == "host" and line["term"] >= self.term:
                self.host, self.term = NICKS.index(line["name"]), line["term"]
            if line["event"] == "seated":
                self.seats = line["seats"]
            if line["event"] == "move":
                self.moved = line
            if wanted(number, line):
                return at, number, line
        raise TimeoutError

    def _after(self, nick: str) -> str:
        return self.seats[(self.seats.index(nick) + 1) % self.peers]

    def trial(self) -> tuple[float, float]:
        """Kill the host when the next player is in the middle of a turn, so that it takes long until the host's own;
        seconds to the first record and to a move. Bots may be faster than that: whose turn is the killed one's is
        waited for, so such a trial does not count.
        """
        while (found := self._one()) is None:
            pass
        return found

    def _one(self) -> tuple[float, float] | None:
        self._until(lambda _, line: _is_amid_a_turn(line) and line["player"] == self._after(NICKS[self.host]))
        term, killed = self.term, self.host
        began = self.programs.kill(killed)
        elected, _, _ = self._until(lambda number, line: line["event"] == "host" and line["term"] > term)
        last = self.moved
        if str(last["move"]).startswith("discard") and self._after(last["player"]) == NICKS[killed]:
            self._come_back(killed)
            return None
        moved, _, _ = self._until(lambda number, line: line["event"] == "move" and number != killed)
        self._come_back(killed)
        return elected - began, moved - began

    def _come_back(self, killed: int) -> None:
        self._run(killed, "resume")
        self._until(lambda number, line: line["event"] == "move" and number == killed)


def _is_amid_a_turn(line: Line) -> bool:
    return line["event"] == "move" and not str(line["move"]).startswith("discard")


@contextmanager
def our_table(peers: int) -> Iterator[Table]:
    programs = Programs()
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        stack.callback(programs.stop)
        yield Table(programs, peers, Path(folder))


# ---------------------------------------------------------------- theirs


class Cluster:
    """Some programs with one replicated counter."""

    def __init__(self, programs: Programs, python: str, peers: int) -> None:
        self.programs, self.python = programs, python
        self.places = [f"127.0.0.1:{port}" for port in free_ports(peers)]
        self.leader: int | None = None
        for number in range(peers):
            self._run(number)

    def _run(self, number: int) -> None:
        others = [place for place in self.places if place != self.places[number]]
        self.programs.run(number, [self.python, "-c", RIVAL, self.places[number], *others])

    def trial(self) -> float:
        """Kill the leader; seconds to the next addition that was asked for afterwards."""
        self._settle()
        assert self.leader is not None
        killed, self.leader = self.leader, None
        began = self.programs.kill(killed)
        for at, number, line in self.programs.lines():
            self._note(number, line)
            if line["event"] == "added" and line["asked"] > began:
                return at - began
        raise TimeoutError

    def _settle(self) -> None:
        """Let everybody find everybody for a while."""
        until = time.monotonic() + WARM_UP
        for at, number, line in self.programs.lines():
            self._note(number, line)
            if at > until and self.leader is not None:
                return

    def _note(self, number: int, line: Line) -> None:
        if line["event"] == "leads" and line["leads"]:
            self.leader = number


def free_ports(count: int) -> list[int]:
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


@contextmanager
def their_cluster(python: str | None, peers: int) -> Iterator[Cluster | None]:
    if not python or subprocess.run([python, "-c", "import pysyncobj"], capture_output=True, check=False).returncode:
        yield None
        return
    programs = Programs()
    try:
        yield Cluster(programs, python, peers)
    finally:
        programs.stop()


# ---------------------------------------------------------------- what comes of it


def measured(peers: int, trials: int, python: str | None) -> dict[str, object]:
    """Seconds of both, in turn."""
    hosts: list[float] = []
    actions: list[float] = []
    rival: list[float] = []
    with our_table(peers) as table:
        for _ in range(trials):
            elected, moved = table.trial()
            hosts.append(elected)
            actions.append(moved)
            with their_cluster(python, peers) as cluster, suppress(TimeoutError):  # without a disk none comes back
                rival += [] if cluster is None else [cluster.trial()]
    found: dict[str, object] = {"host": spread(hosts), "action": spread(actions)}
    return found | ({"pysyncobj": spread(rival)} if rival else {"pysyncobj": {"skipped": "no pysyncobj"}})


def spread(seconds: list[float]) -> dict[str, float]:
    ordered = sorted(seconds)
    at = min(len(ordered) - 1, round(0.95 * (len(ordered) - 1)))
    return {"median": round(statistics.median(ordered), 3), "p95": round(ordered[at], 3), "n": len(ordered)}


def false_elections(minutes: float, peers: int = 5) -> int:
    """Changes of host in so many minutes, in which messages are late and nothing else is wrong."""
    from tests.sim.plan import Scenario
    from tests.sim.sharing import shared_work
    from tests.sim.simulate import RANKS
    from tests.sim.world import World

    changes, left = 0, 60 * minutes
    for seed in range(10_000):
        with shared_work(seed, RANKS) as folds:
            world = World(Scenario(seed, peers, "blind", 1, (), 0.0), folds)
            world.network.slow_until = {node.id: float("inf") for node in world.nodes}
            world.begin()
            began = world.time
            for node in world.nodes:
                world.think(node)
            while world.time < began + left and len(world.laws.results) < peers:
                world.step()
            changes += max(0, world.laws.terms - 1)
            left -= world.time - began
        if left <= 0:
            break
    return changes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print one object instead of a line")
    parser.add_argument("--trials", type=int, default=20)
    parser.add_argument("--peers", type=int, nargs="*", default=[3, 5])
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--rivals-python", default=os.environ.get("RUMMY_RIVALS_PYTHON"))
    given = parser.parse_args()
    sys.path.insert(0, str(ROOT))
    figures: dict[str, Any] = {
        f"{peers} peers": measured(peers, given.trials, given.rivals_python) for peers in given.peers
    }
    figures["false elections"] = false_elections(given.minutes)
    figures["minutes"] = given.minutes
    print(json.dumps(figures) if given.json else said(figures))


def said(figures: dict[str, Any]) -> str:
    parts = [
        f"{title}: " + ", ".join(f"{kind} {_seconds(each)}" for kind, each in found.items())
        for title, found in figures.items()
        if isinstance(found, dict)
    ]
    elections = f"false elections in {figures['minutes']:g} minutes of jitter: {figures['false elections']}"
    return "; ".join(["failover, median/p95", *parts, elections])


def _seconds(each: dict[str, Any]) -> str:
    return f"left out, {each['skipped']}" if "skipped" in each else f"{each['median']}/{each['p95']} s"


if __name__ == "__main__":
    main()
