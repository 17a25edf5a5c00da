"""How the cost of things grows: a hand with cards and players, a table with those who watch, the lobby, a ledger.

    python tests/bench/growth.py [--json] [--write] [--only WHAT ...]

"cards": one turn in a hand of so many cards, by random legal play, all legal moves listed. "players": one round of a
table of so many. "spectators": one action at a table of two with so many who look on, at all ends. "tables": to take in
the list of so many announced tables and to draw the lobby. "records": to append, acknowledge, commit and write down a
ledger of so many records. Processor time, medians; the exponent is that of the power law that fits best (1: linear).
``--write`` draws docs/growth-*.svg.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

import msgspec

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from rummy_p2p.cards import pack  # noqa: E402 -- the repository is not installed
from rummy_p2p.cli.finding import rows  # noqa: E402 -- as above
from rummy_p2p.engine import apply, legal_actions, open_hand, reveal, start_match, to_show, unshown, view_for  # noqa: E402 -- as above
from rummy_p2p.journal import Journal  # noqa: E402 -- as above
from rummy_p2p.node.announcement import Sighting, TableInfo, TableState  # noqa: E402 -- as above
from rummy_p2p.protocol.disk import Unsaved  # noqa: E402 -- as above
from rummy_p2p.protocol.ledger import Entry, Ledger, read_stream, take_apart  # noqa: E402 -- as above
from rummy_p2p.protocol.messages import Ack, Signed  # noqa: E402 -- as above
from rummy_p2p.protocol.records import Act  # noqa: E402 -- as above
from rummy_p2p.ruleset import Ruleset  # noqa: E402 -- as above
from rummy_p2p.variants.manager import Catalogue, installed, make_catalogue  # noqa: E402 -- as above
from tests.bench import plot, spectators  # noqa: E402 -- as above
from tests.protocol.forge import Forge  # noqa: E402 -- as above
from tests.ui.lobby import FakeLan, drawn, make_lobby, table  # noqa: E402 -- as above

TURNS = 150
CATALOGUE = make_catalogue(installed())
Point = tuple[int, float]


class Matter(NamedTuple):
    """What is measured: milliseconds at each size."""

    title: str
    axis: str
    sizes: tuple[int, ...]
    measure: Callable[[tuple[int, ...]], list[float]]


# ---------------------------------------------------------------- the engine


def turns(rules: Ruleset, seats: int) -> float:
    """Milliseconds of a turn by random legal play."""
    dice, done, spent = Random(7), 0, 0.0
    while done < TURNS:
        order = dict(enumerate(dice.sample(pack(rules.deck.packs, rules.deck.jokers), rules.size)))
        dealt = open_hand(rules, start_match(rules, seats))
        state = reveal(dealt.state, {want.slot: order[want.slot] for want in dealt.wants if want.seat is None}).state
        begin, size = time.process_time(), len(order)
        while not state.over and len(state.faces) == size and done < TURNS:  # until the pile is shuffled
            seat, before = next(iter(unshown(state)), state.turn), state.turn
            view = view_for(state, seat, order)
            action = dice.choice(legal_actions(view))
            state = apply(state, seat, action, {slot: order[slot] for slot in to_show(view, action)}).state
            done += state.turn != before
        spent += time.process_time() - begin
    return 1000 * spent / done


def by_cards(sizes: tuple[int, ...]) -> list[float]:
    game = CATALOGUE.compile("rummy-no")
    return [turns(game.with_(deck__packs=2, hand_size=(size,), players__min=2, players__max=2), 2) for size in sizes]


def by_players(sizes: tuple[int, ...]) -> list[float]:
    game = CATALOGUE.compile("rummy-no")
    of = [game.with_(deck__packs=2, hand_size=(7,), players__min=seats, players__max=seats) for seats in sizes]
    return [seats * turns(rules, seats) for rules, seats in zip(of, sizes, strict=True)]


# ---------------------------------------------------------------- a table and who watches it


def by_spectators(sizes: tuple[int, ...]) -> list[float]:
    return [asyncio.run(watched(watching)) for watching in sizes]


async def watched(watching: int) -> float:
    return statistics.median(await spectators.measure_actions(watching, 6))


# ---------------------------------------------------------------- the lobby


def by_tables(sizes: tuple[int, ...]) -> list[float]:
    return [statistics.median(lobby(CATALOGUE, size) for _ in range(7)) for size in sizes]


def lobby(games: Catalogue, count: int) -> float:
    """Milliseconds to list so many tables and to draw them."""
    fingerprint = games.compile("rummy-no").fingerprint
    seen = [sighting(number, fingerprint) for number in range(count)]
    lan = FakeLan(rows=tuple(table(number + 1, f"Table {number}") for number in range(count)))
    _, room = make_lobby(lan)
    begin = time.process_time()
    listed = rows(seen, games)
    drawn(room)
    assert len(listed) == count
    return 1000 * (time.process_time() - begin)


def sighting(number: int, fingerprint: str) -> Sighting:
    info = TableInfo(f"{number:064x}", f"Table {number}", "rummy-no", fingerprint, 1, 4, TableState.OPEN)
    return Sighting(f"t{number}", "Bea", f"{number:064x}", "2b" * 32, ("10.0.0.1",), 40123, 1, info, live=True)


# ---------------------------------------------------------------- a ledger


def by_records(sizes: tuple[int, ...]) -> list[float]:
    forge, records = Forge(), []
    for number in range(max(sizes)):
        entry = forge.entry(number % 3, Act(seat=0, move="draw", openings=()))
        forge.ledger.append(entry)
        records.append((entry, [forge.ack(peer, entry.seq) for peer in range(3)]))
    return [keep(forge, records[:size]) for size in sizes]


def keep(forge: Forge, records: Sequence[tuple[Entry, list[tuple[Signed, Ack]]]]) -> float:
    """Milliseconds for a ledger of these records: checked, appended, committed and on the disk, written, read again."""
    ledger = Ledger(forge.match, forge.ids)
    with tempfile.TemporaryDirectory() as folder:
        journal = Journal(Path(folder) / "journal.sqlite")
        begin = time.process_time()
        ledger.open_term(1, forge.ids[0])
        for entry, acks in records:
            ledger.append(take_apart(entry.record))
            for message, ack in acks:
                ledger.acknowledge(message, ack)
            ledger.commit()
            place = Unsaved(forge.start, forge.start, (entry.record,), (), ledger.committed, forge.match, entry.seq - 1)
            journal.write(place)
        for message in read_stream(ledger.to_bytes(certificate=False)):
            take_apart(message)
        spent = time.process_time() - begin
        journal.close()
    assert ledger.committed == len(records)
    return 1000 * spent


# ---------------------------------------------------------------- what comes of it

MATTERS = {
    "cards": Matter("A turn, by the cards of a hand", "cards dealt to each", (4, 6, 9, 13, 18, 25), by_cards),
    "players": Matter("A round of the table, by its players", "players", (2, 3, 4, 6, 8), by_players),
    "spectators": Matter("An action, by those who look on", "spectators", (4, 12, 30, 60), by_spectators),
    "tables": Matter("The lobby, by the tables announced", "tables", (10, 25, 50, 100, 200), by_tables),
    "records": Matter("A ledger, by its records", "records", (300, 1000, 3000, 10000), by_records),
}


def exponent(points: Sequence[Point]) -> float:
    """Return the exponent of the power law that fits the points best."""
    xs, ys = [math.log(x) for x, _ in points], [math.log(y) for _, y in points]
    return statistics.linear_regression(xs, ys).slope


def measured(name: str) -> dict[str, object]:
    matter = MATTERS[name]
    points = list(zip(matter.sizes, matter.measure(matter.sizes), strict=True))
    return {"points": [(x, round(y, 4)) for x, y in points], "exponent": round(exponent(points), 2)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print one object instead of lines")
    parser.add_argument("--write", action="store_true", help="draw the plots of docs/performance.md")
    parser.add_argument("--only", nargs="+", choices=MATTERS, default=list(MATTERS))
    options = parser.parse_args()
    found = {name: measured(name) for name in options.only}
    for name in options.only if options.write else ():
        matter, points = MATTERS[name], msgspec.convert(found[name]["points"], list[Point])
        title = f"{matter.title}: exponent {found[name]['exponent']}"
        (ROOT / "docs" / f"growth-{name}.svg").write_text(plot.svg(points, title, matter.axis, "milliseconds"))
    if options.json:
        print(json.dumps(found))
        return 0
    for name, one in found.items():
        print(f"{MATTERS[name].title}: exponent {one['exponent']}, {MATTERS[name].axis} -> ms {one['points']}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
