"""Every figure of docs/performance.md in one table: ours, the rival's in the same run, the goal, and whether it is met.

    python tests/bench/run.py [--json] [--only SCRIPT ...] [--rivals-python PATH]

Runs each script of this folder with ``--json``, one after the other; all of them take a quarter of an hour. Rivals are
looked for in the interpreter given by ``--rivals-python`` or RUMMY_RIVALS_PYTHON. What a script wants and has not got
stands in its rows. A goal is a ratio where there is a rival, since machines differ; "reached" is a matter of this run.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
HEAD = ("what", "ours", "rival", "ratio", "goal", "")
SLOW = "every action is judged and made by Python, on a state that is never changed"


@dataclass(frozen=True)
class Row:
    """A line of the table. Figures are found in a script's object by keys with a slash between them."""

    what: str
    script: str
    ours: str
    unit: str
    goal: float
    at_least: bool = False
    rival: str = ""
    theirs: str = ""
    ratio: str = ""
    absolute: bool = False
    why: str = ""

    def told(self, figures: dict[str, Any]) -> dict[str, object]:
        """Return what stands in the table."""
        ours, theirs = look_up(figures, self.ours), look_up(figures, self.theirs)
        ratio = look_up(figures, self.ratio)
        if ratio is None and ours is not None and theirs:
            ratio = ours / theirs
        counts = ours if self.absolute else ratio
        reached = None if counts is None else (counts >= self.goal if self.at_least else counts <= self.goal)
        return {
            "what": self.what,
            "ours": ours,
            "theirs": theirs,
            "ratio": None if ratio is None else round(ratio, 2),
            "reached": reached,
            "why": (self.why if reached is False else "") or missing(figures, counts, self.rival),
        }

    def cells(self, told: dict[str, Any]) -> tuple[str, ...]:
        """Return the same as text."""
        theirs = f"{self.rival} {amount(told['theirs'], self.unit)}" if told["theirs"] is not None else self.rival
        sign = "≥" if self.at_least else "≤"
        goal = f"{sign} {amount(self.goal, self.unit)}" if self.absolute else f"{sign} {self.goal:g}x"
        verdict = {True: "reached", False: "missed", None: "not measured"}[told["reached"]]
        ratio = "" if told["ratio"] is None else f"{told['ratio']:g}x"
        why = f": {told['why']}" if told["why"] else ""
        return (self.what, amount(told["ours"], self.unit), theirs, ratio, goal, verdict + why)


def look_up(figures: dict[str, Any], path: str) -> float | None:
    """Return the number at a path, None where there is none."""
    found: Any = figures
    for key in path.split("/"):
        found = found.get(key) if isinstance(found, dict) else None
    return float(found) if isinstance(found, int | float) else None


def missing(figures: dict[str, Any], counts: float | None, rival: str) -> str:
    """Return why there is nothing to count."""
    if counts is not None:
        return ""
    return str(figures.get("skipped") or f"there is no {rival or 'figure'}")


def amount(number: float | None, unit: str) -> str:
    return "" if number is None else f"{number:,.0f}{unit}" if number >= 100 else f"{number:.3g}{unit}"


ROWS = (
    Row("gin by random legal play", "engine", "figures/listed/hands", "/s", 1, at_least=True, rival="open-spiel",
        why=SLOW, theirs="figures/open-spiel/hands", ratio="figures/listed/of open-spiel"),
    Row("gin by the simple strategy", "engine", "figures/simple/hands", "/s", 1, at_least=True, rival="open-spiel",
        why=SLOW, theirs="figures/open-spiel-simple/hands", ratio="figures/simple/of open-spiel-simple"),
    *(Row(f"best arrangement: {kind}", "arrange", f"figures/{kind}/ours", "/s", goal, at_least=True, rival=rival,
          theirs=f"figures/{kind}/theirs", ratio=f"figures/{kind}/ratio",
          why=why)
      for kind, goal, rival, why in (
          ("gin, value, late hands", 1, "open-spiel", "level with C++, and now and then a little below"),
          ("gin, melds, random hands", 10, "rlcard", "to find sets and runs, table by table, is most of it"),
          ("gin, melds, late hands", 10, "rlcard", "to choose between sets and runs is most of it"),
          ("13 cards with jokers, melds, random hands", 50, "rummikub-solver", ""),
          ("13 cards with jokers, melds, late hands", 50, "rummikub-solver", ""))),
    Row("blind deal, 6 peers, 110 cards", "deal", "n=6 N=110/deal/ms", " ms", 1.5, rival="libsodium calls",
        theirs="n=6 N=110/deal/bare", ratio="n=6 N=110/deal/ratio"),
    Row("... its computing", "deal", "n=6 N=110/deal/ms", " ms", 700, absolute=True,
        why="it is as many libsodium calls, and the proofs need them"),
    Row("a drawn card opened, 6 peers", "deal", "n=6 N=110/draw/ms", " ms", 3, absolute=True,
        why="the calls take most of it; the rest is not looked into"),
    Row("first card after start, 3 machines", "first_card", "seconds/blind", " s", 1, absolute=True,
        rival="host's deal", theirs="seconds/host", why="three machines share one; not looked into further"),
    Row("an action to the last of 6, p99", "latency", "action/p99", " ms", 5, rival="2 TLS trips, 2 signatures",
        theirs="bare tls/p99", ratio="ratio p99", why="six peers share one processor"),
    Row("... to the last of 60 who watch", "spectators", "ms/watched/median", " ms", 3, rival="TLS broadcast",
        theirs="ms/broadcast/median", ratio="ratio", why="sixty peers that check every signature share one processor"),
    Row("host killed, next action, 3 peers", "failover", "3 peers/action/median", " s", 0.3, absolute=True,
        rival="pysyncobj", theirs="3 peers/pysyncobj/median"),
    Row("host killed, next action, 5 peers", "failover", "5 peers/action/median", " s", 0.3, absolute=True,
        rival="pysyncobj", theirs="5 peers/pysyncobj/median"),
    Row("false elections in 10 minutes", "failover", "false elections", "", 0, absolute=True),
    Row("a running table is seen", "discovery", "seconds/tried", " s", 0.3, absolute=True),
    Row("--version", "start", "figures/version/ms", " ms", 4.5, rival="bare Python", theirs="figures/bare/ms"),
    Row("first frame of the lobby", "start", "figures/lobby/ms", " ms", 1.5, rival="prompt_toolkit's least",
        theirs="figures/least screen/ms", why="the games, which it shows, are loaded before it"),
    Row("key to screen, 120x40, p99", "screen", "p99", " ms", 16, absolute=True,
        why="drawing"),
    Row("memory after a match", "latency", "memory/last", " MB", 1.1, rival="after the first", theirs="memory/first"),
    *(Row(f"growth: {what}", "growth", f"{name}/exponent", "", 1.15, absolute=True)
      for what, name in (
          ("a hand with its cards", "cards"),
          ("a hand with its players", "players"),
          ("an action with those who watch", "spectators"),
          ("the lobby with its tables", "tables"),
          ("a ledger with its records", "records"))),
)  # fmt: skip
GIVEN = {"deal": ["--rounds", "2"], "failover": ["--trials", "5"], "latency": ["--matches", "10"]}


def scripts() -> tuple[str, ...]:
    """Return the scripts that the table needs, in its order."""
    return tuple(dict.fromkeys(row.script for row in ROWS))


def figures_of(script: str) -> dict[str, Any]:
    """Return what a script says, or ``skipped`` and why it says nothing."""
    path = HERE / f"{script}.py"
    if not path.exists():
        return {"skipped": "there is no such script"}
    command = [sys.executable, str(path), "--json", *GIVEN.get(script, ())]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        found = json.loads(done.stdout)
    except ValueError:
        said = (done.stderr if done.returncode else done.stdout).strip().splitlines()
        return {"skipped": said[-1] if said else "it said nothing"}
    return found if isinstance(found, dict) else {"skipped": "it gave no object"}


def lines(rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    """Yield the rows as a table that reads well and that Markdown understands."""
    table = [HEAD, *rows]
    widths = [max(len(row[column]) for row in table) for column in range(len(HEAD))]
    table.insert(1, tuple("-" * width for width in widths))
    for row in table:
        yield f"| {' | '.join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))} |"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print one object instead of a table")
    parser.add_argument("--only", nargs="+", choices=scripts(), metavar="SCRIPT", help=f"of {', '.join(scripts())}")
    parser.add_argument("--rivals-python", default=os.environ.get("RUMMY_RIVALS_PYTHON"))
    options = parser.parse_args()
    if options.rivals_python:
        os.environ["RUMMY_RIVALS_PYTHON"] = options.rivals_python
    figures = {}
    for script in options.only or scripts():
        print(f"{script} ...", file=sys.stderr, flush=True)
        figures[script] = figures_of(script)
    rows = [(row, row.told(figures[row.script])) for row in ROWS if row.script in figures]
    if options.json:
        print(json.dumps({"python": sys.version.split()[0], "rows": [told for _, told in rows], "figures": figures}))
    else:
        print(*lines(row.cells(told) for row, told in rows), sep="\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
