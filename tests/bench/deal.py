"""What the blind deal costs one peer, beside the bare libsodium calls that it is made of.

    python tests/bench/deal.py [--json] [--rounds N] [--rivals-python PATH]

"deal": everything that one of n peers computes until the deck is signed: its shuffle with the proof, the checks of all
others, the folding. "draw": drawing a card, checking the others' shares and looking at it. "share": one share with its
proof. "show": checking a card that another peer shows. The ratio is to as many bare libsodium calls, counted in the run
itself and timed beside it. Rival: mentalpoker (elliptic curve, no proofs, 52 cards), in the interpreter given by
``--rivals-python`` or RUMMY_RIVALS_PYTHON (``pip install mentalpoker ecdsa``): what one of its players computes.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rummy_p2p.deal.blind_messages import BlindMessage

ROOT = Path(__file__).parents[2]
KINDS = ("deal", "draw", "share", "show")
SIZES = {52: (1, 0), 110: (2, 6), 162: (3, 6)}  # packs, jokers
CALLS = (
    "crypto_core_ed25519_add",
    "crypto_core_ed25519_sub",
    "crypto_core_ed25519_is_valid_point",
    "crypto_scalarmult_ed25519_base_noclamp",
    "crypto_scalarmult_ed25519_noclamp",
)
RIVAL = """
import json, sys, time
from mentalpoker import DealerEC
players = int(sys.argv[1])
dealers = [DealerEC() for _ in range(players)]
deck, spent = dealers[0].new_deck, 0
for step in ("shuffle", "deal"):
    for dealer in dealers:
        begin = time.process_time()
        deck = getattr(dealer, step)(deck)
        spent += time.process_time() - begin
print(json.dumps(spent / players))
"""
Scope = Callable[[str], AbstractContextManager[None]]


# ---------------------------------------------------------------- measuring


class Watch:
    """Processor time and libsodium calls of one peer, by kind of work."""

    def __init__(self) -> None:
        self.spent: Counter[str] = Counter()  # microseconds
        self.calls: dict[str, Counter[str]] = {kind: Counter() for kind in KINDS}

    @contextmanager
    def timing(self, kind: str) -> Iterator[None]:
        forget()
        begin = time.process_time_ns()
        yield
        self.spent[kind] += (time.process_time_ns() - begin) // 1000

    @contextmanager
    def counting(self, kind: str) -> Iterator[None]:
        from rummy_p2p.deal import group

        forget()
        real = {name: getattr(group, name) for name in CALLS}
        for name, call in real.items():
            setattr(group, name, counted(self.calls[kind], name, call))
        yield
        for name, call in real.items():
            setattr(group, name, call)


def counted(counter: Counter[str], name: str, call: Callable[..., object]) -> Callable[..., object]:
    def counting(*arguments: object) -> object:
        counter[name] += 1
        return call(*arguments)

    return counting


def forget() -> None:
    """Each peer has a program of its own: what another has checked is not known to it."""
    from rummy_p2p.deal import blind_deck, proofs

    blind_deck._holds.cache_clear()
    blind_deck.open_pair.cache_clear()
    proofs.check_log.cache_clear()
    proofs.check_equal.cache_clear()


def bare(calls: Counter[str], prices: dict[str, float]) -> float:
    """What so many bare calls cost, in microseconds."""
    return sum(count * prices[name] for name, count in calls.items())


def prices(times: int = 300) -> dict[str, float]:
    """Microseconds of each libsodium call."""
    import nacl.bindings as sodium

    scalar = bytes(range(1, 32)) + b"\x01"
    point = sodium.crypto_scalarmult_ed25519_base_noclamp(scalar)
    arguments = {"add": (point, point), "sub": (point, point), "is_valid_point": (point,), "base_noclamp": (scalar,)}
    found = {}
    for name in CALLS:
        call = getattr(sodium, name)
        mine = next((each for end, each in arguments.items() if name.endswith(end)), (scalar, point))
        begin = time.process_time_ns()
        for _ in range(times):
            call(*mine)
        found[name] = (time.process_time_ns() - begin) / 1000 / times
    return found


# ---------------------------------------------------------------- one peer's work


class Bench:
    """A table whose first peer is measured; the others do their part beside it."""

    def __init__(self, count: int, size: int, scope: Scope) -> None:
        from rummy_p2p.cards import pack
        from tests.deal.blind_table import Table

        self.table = Table(count, pack(*SIZES[size]))
        self.table.careless = True  # the others check nothing: they would be measured along
        self.first = self.table[0]
        self._scope = scope

    def run(self) -> None:
        """Deal, draw, give a share, and check a card that is shown."""
        while self.table.public.commitment is None:
            self.talk("deal")
        with self._scope("draw"):
            draw = self.first.draw((0,))
        self.hear(0, draw, "draw")
        self.table.certify()
        self.talk("draw")
        with self._scope("draw"):
            self.first.look(0)
        self.table.hear(1, self.table[1].draw((1,)))
        self.table.certify()
        with self._scope("share"):
            shares = self.first.messages()
        self.table.hear(0, shares[0])
        self.table.talk()
        opening = self.table[1].open_private(1, 0)
        with self._scope("show"):
            self.table.public.show(self.table.ids[1], [opening])

    def talk(self, kind: str) -> None:
        """Let everybody say what is due, once."""
        with self._scope(kind):
            self.first.check_all()
            said = self.first.messages()
        for number in range(len(self.table.ids)):
            if number:
                self.table.check(self.table[number])
                said = self.table[number].messages()
            for message in said:
                self.hear(number, message, kind)

    def hear(self, number: int, message: BlindMessage, kind: str) -> None:
        """Let the first peer judge a message, and everybody have what came of it."""
        from tests.deal.blind_table import record_of

        author = self.table.ids[number]
        with self._scope(kind):
            self.first.receive(author, message, record_of(author, message))
        self.table.set(self.first.public)


def run(arguments: argparse.Namespace) -> dict[str, object]:
    """Measure everything and return it."""
    from rummy_p2p.cards import pack
    from rummy_p2p.deal.blind_deck import warm_up

    for packs, jokers in SIZES.values():
        warm_up(pack(packs, jokers))
    figures: dict[str, object] = {"python": sys.version.split()[0]}
    for count in (2, 3, 6):
        for size in SIZES:
            figures[f"n={count} N={size}"] = measured(count, size, arguments.rounds)
    rival = arguments.rivals_python
    for count in (2, 3, 6):
        figures[f"mentalpoker n={count} N=52"] = (
            rival_figure(rival, count) if rival else {"skipped": "no --rivals-python"}
        )
    return figures


def measured(count: int, size: int, rounds: int) -> dict[str, dict[str, float]]:
    """Medians of the rounds for each kind of work: milliseconds, of bare calls, and the ratio of the two."""
    counted_once = Watch()
    Bench(count, size, counted_once.counting).run()
    ours: dict[str, list[float]] = {kind: [] for kind in KINDS}
    theirs: dict[str, list[float]] = {kind: [] for kind in KINDS}
    for _ in range(rounds):
        watch, costs = Watch(), prices()
        Bench(count, size, watch.timing).run()
        for kind in KINDS:
            ours[kind].append(watch.spent[kind] / 1000)
            theirs[kind].append(bare(counted_once.calls[kind], costs) / 1000)
    return {kind: figure(ours[kind], theirs[kind]) for kind in KINDS}


def figure(ours: list[float], theirs: list[float]) -> dict[str, float]:
    """Return the medians in milliseconds, and the median of the ratios."""
    ratio = statistics.median(one / other for one, other in zip(ours, theirs, strict=True))
    return {
        "ms": round(statistics.median(ours), 2),
        "bare": round(statistics.median(theirs), 2),
        "ratio": round(ratio, 2),
    }


def rival_figure(python: str | None, count: int) -> dict[str, object]:
    """Milliseconds of one mentalpoker player, or why there are none."""
    if not python:
        return {"skipped": "no --rivals-python given"}
    done = subprocess.run([python, "-c", RIVAL, str(count)], capture_output=True, text=True, check=False)
    if done.returncode:
        return {"skipped": done.stderr.strip().splitlines()[-1]}
    return {"deal": {"ms": round(1000 * json.loads(done.stdout), 1)}}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print one object instead of lines")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--rivals-python", default=os.environ.get("RUMMY_RIVALS_PYTHON"))
    arguments = parser.parse_args()
    sys.path.insert(0, str(ROOT))
    figures = run(arguments)
    if arguments.json:
        print(json.dumps(figures))
        return
    for title, found in figures.items():
        if isinstance(found, dict):
            print(f"{title}: {'; '.join(said(kind, value) for kind, value in found.items())}")


def said(kind: str, value: object) -> str:
    if not isinstance(value, dict):
        return f"{kind}: {value}"
    beside = f" ({value['ratio']} of bare libsodium)" if "ratio" in value else ""
    return f"{kind} {value['ms']} ms{beside}"


if __name__ == "__main__":
    main()
