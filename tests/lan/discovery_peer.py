"""A program for test_discovery_lan: announces NICK and prints what it sees, a JSON line at each change, until stdin
ends. With a second word its id begins with that; with RUMMY_SLOW set it knocks as seldom as a real program.
"""

import asyncio
import hashlib
import json
import os
import sys
import time

from rummy_p2p.node.announcement import Announcement, TableInfo, TableState
from rummy_p2p.node.discovery import Discovery
from rummy_p2p.node.liveness import Liveness

TABLE = TableInfo("4d" * 16, "Friday night", "rummy-no", "3c" * 32, 1, 4, TableState.OPEN, ("joker-20",))


async def main(nick: str, prefix: str = "") -> None:
    started = time.monotonic()
    server = await asyncio.start_server(lambda _, writer: writer.close(), "0.0.0.0", 0)  # noqa: S104 - it stands in a namespace
    port = server.sockets[0].getsockname()[1]
    own = prefix + hashlib.sha256(f"{nick}{os.getpid()}".encode()).hexdigest()[len(prefix) :]
    said = Announcement(nick, own, "2b" * 32, port, 1, TABLE)
    discovery = Discovery()
    await discovery.announce(said)
    await discovery.start()
    watching = asyncio.create_task(watch(discovery, started))
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    watching.cancel()
    await asyncio.gather(watching, return_exceptions=True)
    await discovery.stop()
    server.close()


async def watch(discovery: Discovery, started: float) -> None:
    revision = -1
    while True:
        revision = await discovery.changed(revision)
        print(json.dumps(picture(discovery) | {"seconds": time.monotonic() - started}), flush=True)


def picture(discovery: Discovery) -> dict[str, object]:
    seen = discovery.sightings()
    return {
        "trouble": discovery.trouble.code if discovery.trouble else None,
        "sentence": discovery.trouble.sentence if discovery.trouble else None,
        "live": {each.nick: each.addresses[0] for each in seen if each.live},
        "doors": sorted(each.addresses[0] for each in seen if each.live),
        "seen": sorted(each.nick for each in seen),
    }


if "RUMMY_SLOW" not in os.environ:
    Liveness.EVERY = Liveness.LATER = 1.0  # the test need not wait for ten
asyncio.run(main(*sys.argv[1:]))
