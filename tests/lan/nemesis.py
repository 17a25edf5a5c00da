"""The nemesis: a table of real programs on machines of their own, and all that can happen to them in an evening.

One seed decides everything: how many play, who deals, what happens, to whom, when and for how long. After each round
the match has to go on to its end, and all that took part have to tell the same of it.

    with lan(4, [True, True, False, True]) as net:
        Evening(net, folder, plan(seed, LONG)).play()
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from rummy_p2p.protocol.verify import verify
from tests.lan.namespaces import Lan
from tests.lan.programs import NICKS, Line, Program

DISK: Final = 16 * 1024 * 1024  # matches.db-wal alone grows to 4
PROXY_PORT: Final = 7788
TWO: Final = frozenset({"all-killed"})
PATIENCE: Final = 180.0


@dataclass(frozen=True, slots=True)
class Length:
    """How long a round is: hands of the match, least and most seconds of a trouble."""

    hands: int
    least: float
    most: float


SHORT: Final = Length(1, 0.5, 6.0)
LONG: Final = Length(2, 0.5, 30.0)


@dataclass(frozen=True, slots=True)
class Trouble:
    """What happens, after how many more lines of the program that sees it coming, for how many seconds, to whom."""

    kind: str
    after: int
    seconds: float
    victim: int


@dataclass(frozen=True, slots=True)
class Plan:
    """One round."""

    seed: int
    peers: int
    deal: str
    hands: int
    troubles: tuple[Trouble, ...]

    @property
    def kinds(self) -> frozenset[str]:
        return frozenset(trouble.kind for trouble in self.troubles)

    @property
    def through_proxy(self) -> bool:
        """Whether the last machine hears no multicast, and reaches the creator through a proxy alone."""
        return "stall" in self.kinds


KINDS: Final = ("host-killed", "guest-killed", "frozen", "cable", "stall", "disk-full", "all-killed")


def plan(seed: int, length: Length) -> Plan:
    """Every kind of trouble comes first in one of seven rounds; any seven rounds in a row hold each one twice."""
    dice = random.Random(f"nemesis {seed}")
    kinds = [KINDS[seed % len(KINDS)], KINDS[(seed + 5) % len(KINDS)]]
    peers = 2 if kinds[0] in TWO else dice.choice((3, 3, 4) if length is LONG else (3,))
    deal = "host" if seed % 3 == 1 else "blind"
    troubles = tuple(
        Trouble(kind, dice.choice((0, 2, 5, 9)), dice.uniform(length.least, length.most), dice.randrange(peers))
        for kind in kinds
    )
    return Plan(seed, peers, deal, length.hands, troubles)


def machines(planned: Plan) -> list[bool]:
    """Which machines hear multicast; the one behind the players is the proxy's."""
    heard = [True] * (planned.peers + 1)
    heard[planned.peers - 1] = not planned.through_proxy
    return heard


class Proxy:
    """The machine in the middle."""

    def __init__(self, net: Lan, machine: int, host: str, port: int) -> None:
        script = Path(__file__).with_name("stalling_proxy.py")
        argv = [sys.executable, str(script), str(PROXY_PORT), host, str(port)]
        self.address = f"{net.address(machine)}:{PROXY_PORT}"
        self._process = net.run(machine, argv, stdin=subprocess.PIPE)
        assert self._answer() == "ready"

    def order(self, words: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{words}\n".encode())
        self._process.stdin.flush()
        assert self._answer() == words

    def _answer(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().decode().strip()


@contextmanager
def small_disk(folder: Path) -> Iterator[None]:
    """A small file system, as long as this lasts."""
    folder.mkdir(parents=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK}", "nemesis", str(folder)], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def fill(folder: Path) -> Path:
    """Leave no byte free; the file that takes them all."""
    ballast = folder / "ballast"
    with ballast.open("wb", buffering=0) as file:
        for piece in (64 * 1024, 4096, 1):
            with suppress(OSError):
                while True:
                    file.write(bytes(piece))
        with pytest.raises(OSError, match="No space left"):
            file.write(b"0")
    return ballast


def is_over(program: Program) -> bool:
    return bool(program.all("match"))


def has_given_up(program: Program) -> bool:
    """Whether it has waited in vain for a minute."""
    return program.last("error").get("code") == "given-up"


class Evening:
    """One table, from the first program to the end of its match."""

    def __init__(self, net: Lan, folder: Path, planned: Plan) -> None:
        self.net = net
        self.folder = folder
        self.plan = planned
        self.runs: list[Program] = []
        self.now: list[Program] = []
        self.proxy: Proxy | None = None
        self.happened: list[str] = []
        self._troubles: dict[str, Callable[[Trouble], None]] = {
            "host-killed": lambda trouble: self._kill(trouble, self.host()),
            "guest-killed": lambda trouble: self._kill(trouble, (self.host() + 1) % planned.peers),
            "all-killed": lambda trouble: self._kill(trouble, *range(planned.peers)),
            "frozen": self._freeze,
            "cable": self._pull_cable,
            "stall": self._stall,
            "disk-full": self._fill_disk,
        }

    # -- the players

    def play(self) -> list[Line]:
        """Play the round; what the programs told of the end of the match."""
        self._sit_down()
        for trouble in self.plan.troubles:
            if self._comes_to(trouble):
                self.happened.append(trouble.kind)
                self._troubles[trouble.kind](trouble)
        return self._end()

    def _sit_down(self) -> None:
        words = ["host", "rummy-no", "--seats", str(self.plan.peers), "--hands", str(self.plan.hands)]
        self.now = [self._run(0, *words, "--title", "LAN", "--deal", self.plan.deal)]
        address = self.now[0].until("open")["address"]
        last = self.plan.peers - 1
        for machine in range(1, self.plan.peers):
            where = self._through_proxy(address) if self.plan.through_proxy and machine == last else "LAN"
            self.now.append(self._run(machine, "join", where))
        for program in self.now:
            program.until("host")

    def _through_proxy(self, address: str) -> str:
        place, pin = address.removeprefix("rummy://").split("#")
        host, port = place.split(":")
        self.proxy = Proxy(self.net, self.plan.peers, host, int(port))
        return f"rummy://{self.proxy.address}#{pin}"

    def _run(self, machine: int, *words: str) -> Program:
        self.runs.append(Program(self.net, self.folder, machine, *words, patience=PATIENCE))
        return self.runs[-1]

    def host(self) -> int:
        """The machine of whoever orders now."""
        name = max((program.last("host") for program in self.now), key=lambda line: line.get("term", 0))["name"]
        return NICKS.index(name)

    def _comes_to(self, trouble: Trouble) -> bool:
        """Wait for so many more lines of one program; False when the match is over before."""
        witness = self.now[(trouble.victim + 1) % self.plan.peers]
        witness.until("start")
        wanted = len(witness.lines) + trouble.after
        witness.wait(lambda: len(witness.lines) >= wanted or is_over(witness), trouble)
        return not any(is_over(program) for program in self.now)

    # -- what happens to them

    def _kill(self, trouble: Trouble, *machines: int) -> None:
        for machine in machines:
            self.now[machine].kill()
        time.sleep(trouble.seconds)
        if self._have_missed_the_end(*machines):
            return
        for machine in machines:
            self.now[machine] = self._run(machine, "resume")
        self._goes_on()

    def _freeze(self, trouble: Trouble) -> None:
        self.now[trouble.victim].freeze()
        time.sleep(trouble.seconds)
        self.now[trouble.victim].thaw()
        self._goes_on_unless_over(trouble.victim)

    def _pull_cable(self, trouble: Trouble) -> None:
        self.net.link_down(trouble.victim)
        time.sleep(trouble.seconds)
        self.net.link_up(trouble.victim)
        self._goes_on_unless_over(trouble.victim)

    def _stall(self, trouble: Trouble) -> None:
        assert self.proxy is not None
        for order in ("delay 0.05", "stall", "trickle 0.01", "flow"):
            self.proxy.order(order)
            time.sleep(trouble.seconds if order == "stall" else min(1.0, trouble.seconds))
        self._goes_on_unless_over(self.plan.peers - 1)

    def _fill_disk(self, trouble: Trouble) -> None:
        """The first program's disk fills up, and is emptied; what it wrote then brings it back when it is killed."""
        ballast = fill(self.folder / NICKS[0])
        time.sleep(min(5.0, trouble.seconds))
        ballast.unlink()
        self._goes_on()
        if not is_over(self.now[0]):
            self._kill(trouble, 0)

    def _have_missed_the_end(self, *machines: int) -> bool:
        """Whether the others have come to the end of the match by now: who was gone while a hand was dealt sits it out,
        and may be the last one whom nobody waited for.
        """
        if not any(is_over(program) for program in self.now if program.machine not in machines):
            return False
        for machine in machines:
            self.now[machine].kill()
        self.now = [program for program in self.now if program.machine not in machines]
        return True

    def _goes_on_unless_over(self, victim: int) -> None:
        if not self._have_missed_the_end(victim):
            self._goes_on()

    def _goes_on(self) -> None:
        """Everybody who is here tells of another move, or that it is over."""
        for program, before in [(program, len(program.all("move"))) for program in self.now]:
            self._moves(program, before)

    @staticmethod
    def _moves(program: Program, before: int) -> None:
        def goes_on() -> bool:
            return len(program.all("move")) > before or is_over(program) or has_given_up(program)

        program.wait(goes_on, "another move")

    # -- what came of it

    def _end(self) -> list[Line]:
        """All ended well, and tell the same; but for who came back just when the others had come to the end."""
        if any(is_over(program) for program in self.now):
            self.now = [program for program in self.now if not has_given_up(program)]
        ends = [program.until("match") for program in self.now]
        codes = [program.end() for program in self.now]
        assert codes == [0] * len(codes), (self.plan, ends)
        assert len({end["ledger_hash"] for end in ends}) == 1, self.plan
        for end in ends:
            if end["ledger"] is not None or "disk-full" not in self.happened:
                assert verify(Path(end["ledger"]).read_bytes()).ok
        self._nothing_went_wrong()
        return ends

    def _nothing_went_wrong(self) -> None:
        allowed = {"not-saved" if "disk-full" in self.happened else "", "deck-lost" if self.plan.deal == "host" else ""}
        runs = [run for run in self.runs if run in self.now or not has_given_up(run)]
        told = [(run.nick, line) for run in runs for line in run.all("error") if line["code"] not in allowed]
        assert told == [], self.plan
        audits = {hand["audit"] for run in self.runs for hand in run.all("hand")}
        assert audits == {"ok"}, self.plan
        assert [(run.nick, run.errors()) for run in self.runs if "Traceback" in run.errors()] == []
        logs = {path: path.read_text(errors="replace") for path in self.folder.glob("*/**/*.log*")}
        assert {path: text for path, text in logs.items() if "Traceback" in text} == {}

    def story(self) -> str:
        """What happened, in one line."""
        return json.dumps({"seed": self.plan.seed, "peers": self.plan.peers, "deal": self.plan.deal,
                           "happened": self.happened, "pid": os.getpid()})  # fmt: skip
