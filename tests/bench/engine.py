"""Gin hands a second through the engine, beside two programs that play the same game.

    python tests/bench/engine.py [--json] [--hands N] [--rounds N] [--rivals-python PATH]

"listed": random legal play; all legal moves are listed and one of them is made, as the rivals do. "judged": a seat
picks at random among what the phase offers, the engine judges it, and what is refused is picked anew: the work of every
peer for every record. "simple": both seats play by OpenSpiel's simple strategy, beside OpenSpiel's own bots. Rivals:
open-spiel (C++ stepped from Python) and rlcard, both without the observations that they make for learning. They are
looked for in the interpreter given by ``--rivals-python`` or RUMMY_RIVALS_PYTHON (a virtual environment with
``open_spiel rlcard``); one that is not there is left out, with the reason.

House rules make our gin as theirs (gin_play.py). Processor time, since the machine may be
shared; ours and theirs take turns, a figure is the median of the rounds.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from random import Random

ROOT = Path(__file__).parents[2]
Play = Callable[[Random], int]  # plays a hand and returns how many actions it took


def per_second(play: Play, hands: int) -> tuple[float, float]:
    """Return hands and actions a second, after one hand to warm up."""
    dice = Random(20)
    play(dice)
    begin = time.process_time()
    actions = sum(play(dice) for _ in range(hands))
    spent = time.process_time() - begin
    return hands / spent, actions / spent


# ---------------------------------------------------------------- rivals, run by their own interpreter


def open_spiel() -> Play:
    game = import_module("pyspiel").load_game("gin_rummy")

    def play(dice: Random) -> int:
        state, actions = game.new_initial_state(), 0
        while not state.is_terminal():
            actions += not state.is_chance_node()
            state.apply_action(dice.choice(state.legal_actions()))
        return actions

    return play


def rlcard() -> Play:
    rival = import_module("rlcard.games.gin_rummy.game").GinRummyGame

    def play(dice: Random) -> int:
        game, actions = rival(), 0
        game.init_game()
        while not game.is_over():
            game.step(dice.choice(game.judge.get_legal_actions()))
            actions += 1
        return actions

    return play


def open_spiel_simple() -> Play:
    spiel = import_module("pyspiel")
    game = spiel.load_game("gin_rummy")
    bots = [spiel.make_simple_gin_rummy_bot(game.get_parameters(), seat) for seat in range(2)]

    def play(dice: Random) -> int:
        state, actions = game.new_initial_state(), 0
        for bot in bots:
            bot.restart()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(dice.choice(state.legal_actions()))
            else:
                state.apply_action(bots[state.current_player()].step(state))
                actions += 1
        return actions

    return play


RIVALS = {"open-spiel": open_spiel, "rlcard": rlcard, "open-spiel-simple": open_spiel_simple}
BESIDE = {
    "listed": ("open-spiel", "rlcard"),
    "judged": ("open-spiel", "rlcard"),
    "simple": ("open-spiel-simple",),
}


def rate_of(python: str | None, name: str, hands: int) -> tuple[float, float] | str:
    """Return a rival's hands and actions a second, or why there are none."""
    if not python:
        return "no --rivals-python given"
    command = [python, str(Path(__file__).resolve()), "--be", name, "--hands", str(hands)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        return done.stderr.strip().splitlines()[-1]
    per_hand, per_action = json.loads(done.stdout)
    return float(per_hand), float(per_action)


# ---------------------------------------------------------------- the comparison


def ours() -> dict[str, Play]:
    from tests.bench import gin_play

    rules = gin_play.gin()
    choices = {"listed": gin_play.pick_listed, "judged": gin_play.pick, "simple": gin_play.pick_simply}
    return {name: partial(gin_play.play, rules, choose) for name, choose in choices.items()}


def run(arguments: argparse.Namespace) -> dict[str, dict[str, object]]:
    """Measure everything in turns and return it."""
    ways = ours()
    rates: dict[str, list[tuple[float, float]]] = {name: [] for name in (*ways, *RIVALS)}
    reasons: dict[str, str] = {}
    for _ in range(arguments.rounds):
        for name, way in ways.items():
            rates[name].append(per_second(way, arguments.hands))
        for name in RIVALS:
            rate = rate_of(arguments.rivals_python, name, arguments.hands)
            if isinstance(rate, str):
                reasons[name] = rate
            else:
                rates[name].append(rate)
    figures = {name: medians(found) for name, found in rates.items() if found}
    figures |= {name: {"skipped": reason} for name, reason in reasons.items()}
    for name in ways:
        figures[name] |= {f"of {rival}": ratio(rates[name], rates[rival]) for rival in BESIDE[name] if rates[rival]}
    return figures


def medians(rates: list[tuple[float, float]]) -> dict[str, object]:
    hands, actions = (statistics.median(column) for column in zip(*rates, strict=True))
    return {"hands": round(hands, 1), "actions": round(actions)}


def ratio(ours: list[tuple[float, float]], theirs: list[tuple[float, float]]) -> float:
    """Return our hands a second by theirs, the median of the rounds."""
    return round(statistics.median(mine[0] / other[0] for mine, other in zip(ours, theirs, strict=False)), 2)


def said(name: str, found: dict[str, object]) -> str:
    if "skipped" in found:
        return f"{name} skipped: {found['skipped']}"
    beside = "".join(f", {value} {key}" for key, value in found.items() if key.startswith("of "))
    return f"{name} {found['hands']} hands/s ({found['actions']} actions/s{beside})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print one object instead of a line")
    parser.add_argument("--hands", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--rivals-python", default=os.environ.get("RUMMY_RIVALS_PYTHON"))
    parser.add_argument("--be", choices=RIVALS, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.be:
        print(json.dumps(per_second(RIVALS[arguments.be](), arguments.hands)))
        return
    sys.path.insert(0, str(ROOT))
    figures = run(arguments)
    if arguments.json:
        print(json.dumps({"python": sys.version.split()[0], "hands": arguments.hands, "figures": figures}))
        return
    print("gin: " + "; ".join(said(name, found) for name, found in figures.items()))


if __name__ == "__main__":
    main()
