"""The levels against each other in every game: who is ahead by how much, and what a decision takes.

    python tests/bench/bots.py [--json] [--games G1,G2,...] [--levels HIGHER,LOWER] [--deals N] [--seed S]

Every deal is played from every seat; the interval is that of 95 %, over deals. Times are processor time.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rummy_p2p.bots import Strategy
    from rummy_p2p.engine import Action, View
    from rummy_p2p.ruleset import Ruleset

ROOT = Path(__file__).parents[2]


def timed(level: Strategy, times: list[float], view: View, seed: int) -> Action | None:
    begin = time.process_time()
    action = level(view, seed)
    times.append(time.process_time() - begin)
    return action


def measure(rules: Ruleset, names: tuple[str, ...], deals: int, seed: int) -> dict[str, object]:
    from rummy_p2p.bots import LEVELS
    from rummy_p2p.offline.simulate import Plan, play_deals, simulate, sum_up

    times: list[list[float]] = [[] for _ in names]
    levels = tuple(partial(timed, LEVELS[name], spent) for name, spent in zip(names, times, strict=True))
    result = sum_up(rules, names, simulate(partial(play_deals, Plan(rules, levels, seed)), deals))
    best = result.bots[0]
    return {
        "hands": result.hands,
        "gain": round(best.gain.mean, 2),
        "gain_interval": round(best.gain.around, 2),
        "won": round(best.won.mean, 3),
        "won_interval": round(best.won.around, 3),
        "median_ms": [round(1000 * statistics.median(spent), 2) for spent in times],
        "p95_ms": [round(1000 * statistics.quantiles(spent, n=20)[-1], 1) for spent in times],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print one object instead of a line")
    parser.add_argument("--games", help="which games (default: all)")
    parser.add_argument("--levels", default="hard,normal")
    parser.add_argument("--deals", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    sys.path.insert(0, str(ROOT))
    from rummy_p2p.variants.manager import installed, make_catalogue

    catalogue = make_catalogue(installed())
    games = arguments.games.split(",") if arguments.games else list(catalogue.games)
    names = tuple(arguments.levels.split(","))
    found = {game: measure(catalogue.compile(game), names, arguments.deals, arguments.seed) for game in games}
    if arguments.json:
        print(json.dumps({"levels": names, "games": found}))
        return
    parts = [f"{game} {one['gain']:+} ± {one['gain_interval']} ({one['median_ms']} ms)" for game, one in found.items()]
    print(f"{' against '.join(names)}, points a hand: {'; '.join(parts)}")


if __name__ == "__main__":
    main()
