"""Best arrangements per second, beside three programs that answer the same question.

    python tests/bench/arrange.py [--json] [--hands N] [--rounds N] [--rivals-python PATH]

Rivals: open-spiel (gin, the value alone, C++ called from Python), rlcard (gin, with the melds), rummikub-solver with
HiGHS (13 cards of two packs and four jokers, with the melds). They are looked for in the interpreter given by
``--rivals-python`` or RUMMY_RIVALS_PYTHON (a virtual environment with ``open_spiel rlcard rummikub-solver``); one that
is not there is left out, with the reason. Ours and theirs take turns; a figure is the median of the rounds.

Random hands are dealt. Late hands have drawn and discarded a dozen times, always keeping the least deadwood.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:  # a rival's interpreter has not got our package
    from rummy_p2p.cards import Card
    from rummy_p2p.ruleset import Ruleset

ROOT = Path(__file__).parents[2]
Hand = list[int]  # faces 0..51 in pack order (spades, hearts, diamonds, clubs; ace low), 52 a joker
Solve = Callable[[Hand], object]
T = TypeVar("T")


def per_second(solve: Callable[[T], object], hands: Sequence[T]) -> float:
    """Return how many hands a second are answered, by processor time: the machine may be shared."""
    begin = time.process_time()
    for hand in hands:
        solve(hand)
    return len(hands) / (time.process_time() - begin)


# ---------------------------------------------------------------- rivals, run by their own interpreter


def open_spiel_value() -> Solve:
    utils = import_module("pyspiel").gin_rummy.GinRummyUtils(13, 4, 10)
    solve: Solve = utils.min_deadwood
    return solve


def rlcard_melds() -> Solve:
    melding = import_module("rlcard.games.gin_rummy.utils.melding")
    cards = [import_module("rlcard.games.gin_rummy.utils.utils").card_from_card_id(number) for number in range(52)]
    return lambda hand: melding.get_best_meld_clusters([cards[face] for face in hand])


def rummikub_melds() -> Solve:
    rival = import_module("rummikub_solver")
    rules = rival.RuleSet(jokers=4)

    def solve(hand: Hand) -> object:
        state = rules.new_game()
        state.initial = False
        state.add_rack(*[face + 1 for face in hand])
        return rules.solve(state, rival.SolverMode.TOTAL_VALUE)

    return solve


RIVALS = {"open-spiel": open_spiel_value, "rlcard": rlcard_melds, "rummikub-solver": rummikub_melds}


def be_a_rival(name: str) -> None:
    """Answer each line of hands with hands per second and, where answers are numbers, their sum."""
    solve = RIVALS[name]()
    print(json.dumps("ready"), flush=True)
    for line in sys.stdin:
        hands = json.loads(line)
        answers = [solve(hand) for hand in hands[:100]]
        total = sum(answer for answer in answers if isinstance(answer, int))
        print(json.dumps([per_second(solve, hands), total]), flush=True)


class Rival:
    """A rival in a process of its own; ``reason`` tells why there is none."""

    def __init__(self, python: str | None, name: str) -> None:
        self.name = name
        self.reason = "" if python else "no --rivals-python given"
        if not python:
            return
        command = [python, str(Path(__file__).resolve()), "--be", name]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
        if not self._answer():
            errors = self._process.communicate()[1].strip().splitlines()
            self.reason = errors[-1] if errors else "it did not start"

    def rate(self, hands: Sequence[Hand]) -> tuple[float, int]:
        """Return hands per second and the sum of the first hundred answers, 0 where they are no numbers."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(hands) + "\n")
        self._process.stdin.flush()
        rate, total = json.loads(self._answer())
        return float(rate), int(total)

    def close(self) -> None:
        if not self.reason:
            self._process.communicate()

    def _answer(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline()


# ---------------------------------------------------------------- ours


def run(arguments: argparse.Namespace) -> dict[str, dict[str, object]]:
    """Measure everything and return it."""
    from rummy_p2p.arrange import least_deadwood, least_deadwood_value
    from rummy_p2p.ruleset import Ruleset

    gin = Ruleset().with_(melds__ace="low")
    jokers = Ruleset().with_(deck__packs=2, deck__jokers=4, melds__ace="low", scoring__in_hand__joker=0)
    figures: dict[str, dict[str, object]] = {}
    for title, rules, size, solve, name in (
        ("gin, value", gin, 10, least_deadwood_value, "open-spiel"),
        ("gin, melds", gin, 10, least_deadwood, "rlcard"),
        ("13 cards with jokers, melds", jokers, 13, least_deadwood, "rummikub-solver"),
    ):
        rival = Rival(arguments.rivals_python, name)
        for kind, turns in (("random", 0), ("late", 12)):
            hands = deal(rules, size, turns, arguments.hands)
            figures[f"{title}, {kind} hands"] = compare(partial(solve, rules=rules), hands, rival, arguments.rounds)
        rival.close()
    return figures


def deal(rules: Ruleset, size: int, turns: int, count: int) -> list[tuple[Card, ...]]:
    """Return hands after so many turns of drawing from the stock and keeping the least deadwood."""
    from rummy_p2p.arrange import discards
    from rummy_p2p.cards import pack

    dice = random.Random(20)
    deck = pack(rules.deck.packs, rules.deck.jokers)
    hands = []
    for _ in range(count):
        cards = dice.sample(deck, size + turns)
        hand = cards[:size]
        for card in cards[size:]:
            hand.append(card)
            values = discards(hand, rules)
            hand.remove(min(hand, key=lambda held: (values[held], -held.rank)))
        hands.append(tuple(hand))
    return hands


def compare(
    solve: Callable[[tuple[Card, ...]], object], hands: Sequence[tuple[Card, ...]], rival: Rival, rounds: int
) -> dict[str, object]:
    """Let ours and the rival take turns and return the medians."""
    faces = [[card.face for card in hand] for hand in hands]
    if rival.name == "rummikub-solver":
        faces = faces[:40]  # a few seconds' work for it
    ours: list[float] = []
    theirs: list[float] = []
    total = 0
    for _ in range(rounds):
        ours.append(per_second(solve, hands))
        if not rival.reason:
            rate, total = rival.rate(faces)
            theirs.append(rate)
    if total:
        answers = [solve(hand) for hand in hands[:100]]
        assert total == sum(answer for answer in answers if isinstance(answer, int)), f"{rival.name} answers otherwise"
    return figure(rival.name, ours, theirs, rival.reason)


def figure(name: str, ours: list[float], theirs: list[float], reason: str) -> dict[str, object]:
    """Return the medians and their ratio, and our first round, which had to make its tables."""
    median = statistics.median(ours)
    found: dict[str, object] = {"ours": round(median), "first round": round(ours[0]), "rival": name}
    if reason:
        return found | {"skipped": reason}
    return found | {"theirs": round(statistics.median(theirs)), "ratio": round(median / statistics.median(theirs), 2)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print one object instead of lines")
    parser.add_argument("--hands", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--rivals-python", default=os.environ.get("RUMMY_RIVALS_PYTHON"))
    parser.add_argument("--be", choices=RIVALS, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.be:
        be_a_rival(arguments.be)
        return
    sys.path.insert(0, str(ROOT))
    figures = run(arguments)
    if arguments.json:
        print(json.dumps({"python": sys.version.split()[0], "hands": arguments.hands, "figures": figures}))
        return
    for title, found in figures.items():
        beside = (
            f"skipped: {found['skipped']}" if "skipped" in found else f"{found['theirs']:,}/s, ratio {found['ratio']}"
        )
        print(f"{title}: {found['ours']:,}/s (first round {found['first round']:,}/s); {found['rival']} {beside}")


if __name__ == "__main__":
    main()
