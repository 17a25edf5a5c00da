"""How long until a peer that starts sees a table that is already there: one line.

    python tests/bench/discovery.py [--json] [--rounds N]

Two whole peers in two namespaces of the kernel with a cable between them. Measured by the wall, imports not counted:
from the start of the second peer until the table is in its list and its door has been tried. A fresh program asks, and
whoever knows answers after the pause that the standard wants. Needs root, for the namespaces.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import secrets
import statistics
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from rummy_p2p.node.announcement import Sighting  # noqa: E402 -- the repository is not installed
from rummy_p2p.node.peer import Peer  # noqa: E402 -- the repository is not installed
from rummy_p2p.protocol.forming import Guest  # noqa: E402 -- as above
from rummy_p2p.protocol.identity import Identity  # noqa: E402 -- as above
from rummy_p2p.protocol.table import Settings  # noqa: E402 -- as above
from tests.bench.spectators import CERTIFICATE, RULES  # noqa: E402 -- as above
from tests.lan.namespaces import Lan, why_not  # noqa: E402 -- as above

TITLE = "Bench"
PATIENCE = 20.0
PAUSE = 2.5  # the standard forbids to answer the same again within a second


def made(nick: str) -> Peer:
    return Peer(Identity(secrets.token_bytes(32)), nick, CERTIFICATE)


async def seen(title: str) -> tuple[float, float]:
    """Seconds until a new peer has heard of the table with this title, and until it has tried its door."""
    peer, began, revision = made("Bea"), time.perf_counter(), -1
    try:
        await peer.start()
        async with asyncio.timeout(PATIENCE):
            while not (found := of_title(peer, title)):
                revision = await peer.discovery.changed(revision)
            heard = time.perf_counter() - began
            while not any(each.live for each in found):
                revision = await peer.discovery.changed(revision)
                found = of_title(peer, title)
        return heard, time.perf_counter() - began
    finally:
        await peer.stop()


def of_title(peer: Peer, title: str) -> list[Sighting]:
    return [each for each in peer.discovery.sightings() if each.table is not None and each.table.title == title]


async def host() -> None:
    """Have a table open until somebody ends this program."""
    peer = made("Ada")
    await peer.start()
    peer.open_table(RULES, Guest("Ada", wish="always"), Settings(TITLE, 2))
    await asyncio.Event().wait()


async def look(rounds: int) -> list[tuple[float, float]]:
    await seen(TITLE)  # by now it is announced
    times = []
    for _ in range(rounds):
        await asyncio.sleep(PAUSE)
        times.append(await seen(TITLE))
    return times


def measured(rounds: int) -> list[tuple[float, float]]:
    command, around = [sys.executable, str(Path(__file__).resolve())], {**os.environ, "PYTHONPATH": str(ROOT)}
    with tempfile.TemporaryDirectory() as folder, Lan(2) as net:
        opened = net.run(0, [*command, "--be", "host"], env=around, cwd=folder)
        looking = net.run(1, [*command, "--be", "guest", "--rounds", str(rounds)], env=around, cwd=folder)
        times: list[tuple[float, float]] = json.loads(looking.communicate()[0])
        opened.kill()
        opened.wait()
    return times


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--json", action="store_true", help="print one object instead of a line")
    options.add_argument("--rounds", type=int, default=9)
    options.add_argument("--be", choices=("host", "guest"), help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.be:
        print(json.dumps(asyncio.run(look(given.rounds) if given.be == "guest" else host())))
        return 0
    if why := why_not():
        print(f"discovery: left out, {why}")
        return 0
    heard, tried = zip(*measured(given.rounds), strict=True)
    found = {name: round(statistics.median(times), 3) for name, times in (("heard", heard), ("tried", tried))}
    found["worst"] = round(max(tried), 3)
    if given.json:
        print(json.dumps({"rounds": given.rounds, "seconds": found}))
    else:
        print(
            f"a table is heard of after {found['heard']} s, shown after {found['tried']} s, at worst {found['worst']} s"
        )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
