"""How long an action takes to the last of 60 who look on, beside a bare broadcast to 60 over TLS in the same run.

    python tests/bench/spectators.py [--json] [--watching N] [--actions N] [--announced]

Two whole peers play on the loopback interface and N others look on at one of them, all in this process: what is
measured is the work, of both ends, in processor time, and no network. An action begins when it is made, and has arrived
when the last one has it committed, verified, on both sides. The broadcast writes as many bytes as one action puts on
each link (a record and two acknowledgements) to N TLS connections, whose other ends read them.

They join by address and do not announce themselves: each program in a LAN knocks every five seconds at all others, so N
of them in one process do N times the work of one laptop, which has nothing to do with any action. With ``--announced``
they do, and it is measured along.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import secrets
import ssl
import statistics
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from rummy_p2p.bots import LEVELS  # noqa: E402 - the repository is not installed
from rummy_p2p.engine import Action, IllegalAction, KnobFailed  # noqa: E402 - the repository is not installed
from rummy_p2p.node.peer import Peer  # noqa: E402 - the repository is not installed
from rummy_p2p.node.places import Address  # noqa: E402 - the repository is not installed
from rummy_p2p.node.tls import client_context, make_certificate, server_context  # noqa: E402 - the repository is not installed
from rummy_p2p.protocol.errors import NetworkError  # noqa: E402 -- the repository is not installed
from rummy_p2p.protocol.faults import Refusal  # noqa: E402 - the repository is not installed
from rummy_p2p.protocol.forming import Guest  # noqa: E402 - the repository is not installed
from rummy_p2p.protocol.identity import Identity  # noqa: E402 - the repository is not installed
from rummy_p2p.protocol.messages import Signed  # noqa: E402 - the repository is not installed
from rummy_p2p.protocol.settings import Settings  # noqa: E402 - the repository is not installed
from rummy_p2p.protocol.table import TableSession  # noqa: E402 - the repository is not installed
from rummy_p2p.variants.manager import installed, make_catalogue  # noqa: E402 - the repository is not installed

RULES = make_catalogue(installed()).compile("rummy-no")
CERTIFICATE = make_certificate()
ACTION_BYTES = 620 + 2 * 250
PATIENCE = 60.0
TRIES = 20
NOWHERE = "none"  # no interface has this name: nobody is announced or looked for, links are made over loopback


def made(nick: str, interface: str) -> Peer:
    return Peer(Identity(secrets.token_bytes(32)), nick, CERTIFICATE, [interface])


def address_of(peer: Peer) -> Address:
    return Address(("127.0.0.1",), peer.transport.port, peer.transport.fingerprint, peer.identity.player_id)


async def found(peer: Peer, host: Peer) -> Signed:
    """Ask a host about its table; again when the machine was too busy to answer in time."""
    for _ in range(TRIES):
        with suppress(NetworkError):
            return await peer.ask(address_of(host))
    return await peer.ask(address_of(host))


async def until(peers: list[Peer], condition: Callable[[], bool]) -> None:
    """Wait until something holds; looked at whenever one of these peers has changed."""
    changed = asyncio.Event()
    stops = [peer.watch(changed.set) for peer in peers]
    try:
        async with asyncio.timeout(PATIENCE):
            while not condition():
                changed.clear()
                await changed.wait()
    finally:
        for stop in stops:
            stop()


def committed(peer: Peer) -> int:
    return 0 if peer.session is None or peer.session.ledger is None else peer.session.ledger.committed


def _act(seat: int, action: Action, table: TableSession, now: float) -> None:
    table.act(seat, action, now)


def acting(players: list[Peer]) -> bool:
    """Let whoever is on turn make a move; False when nobody can."""
    for peer in players:
        session = peer.session
        for seat in session.seats_to_think() if session is not None else ():
            action = LEVELS["normal"](session.view(seat), 7) if session is not None else None
            if action is None:
                continue
            with suppress(Refusal, IllegalAction, KnobFailed):
                peer.do(partial(_act, seat, action))
                return True
    return False


async def one_action(players: list[Peer], everybody: list[Peer]) -> float:
    """Milliseconds from a move to the moment when the last one has it."""
    await until(everybody, lambda: len({committed(peer) for peer in everybody}) == 1)
    before = committed(players[0])
    await until(players, lambda: any(peer.session is not None and peer.session.seats_to_think() for peer in players))
    begun = time.process_time()
    await until(players, lambda: acting(players))
    await until(everybody, lambda: all(committed(peer) > before for peer in everybody))
    return (time.process_time() - begun) * 1000


async def measure_actions(watching: int, actions: int, *, announced: bool = False) -> list[float]:
    logging.getLogger("rummy_p2p.node.discovery").setLevel(logging.ERROR)  # that there is no interface is meant so
    interface = "lo" if announced else NOWHERE
    players = [made(nick, interface) for nick in ("Ada", "Bea")]
    guests = [made(f"G{n}", interface) for n in range(watching)]
    everybody = [*players, *guests]
    try:
        for peer in everybody:
            await peer.start()
        ada, bea = players
        ada.open_table(RULES, Guest("Ada", wish="always"), Settings("Bench", 2, spectators="yes"))
        await bea.sit_down(await found(bea, ada), RULES, Guest("Bea"))
        bea.do(lambda table, now: table.ready(now))
        for guest in guests:
            await guest.look_on(await found(guest, ada), RULES)
        await until(players, lambda: ada.session is not None and ada.session.ready_to_start)
        ada.do(lambda table, now: table.start(now))
        return [await one_action(players, everybody) for _ in range(actions)]
    finally:
        for peer in everybody:
            peer.rise()
        await asyncio.gather(*(peer.stop() for peer in everybody))


async def measure_broadcast(links: int, rounds: int) -> list[float]:
    """Milliseconds until the last of so many TLS connections has read the bytes of one action."""
    writers: list[asyncio.StreamWriter] = []
    here = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)
        if len(writers) == links:
            here.set()
        await reader.read()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=server_context(CERTIFICATE))
    port = server.sockets[0].getsockname()[1]
    context: ssl.SSLContext = client_context()
    ends = [await asyncio.open_connection("127.0.0.1", port, ssl=context, server_hostname="") for _ in range(links)]
    await here.wait()
    taken = []
    for _ in range(rounds):
        begun = time.process_time()
        for writer in writers:
            writer.write(bytes(ACTION_BYTES))
        await asyncio.gather(*(reader.readexactly(ACTION_BYTES) for reader, _ in ends))
        taken.append((time.process_time() - begun) * 1000)
    for writer in (*writers, *(writer for _, writer in ends)):
        writer.close()
    await asyncio.gather(*(writer.wait_closed() for writer in writers), return_exceptions=True)
    server.close()
    return taken


def figures(taken: list[float]) -> dict[str, float]:
    ordered = sorted(taken)
    worst = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
    return {"median": round(statistics.median(ordered), 2), "p95": round(worst, 2)}


async def measured(watching: int, actions: int, *, announced: bool) -> dict[str, dict[str, float]]:
    found = {"alone": figures(await measure_actions(0, actions, announced=announced))}
    found["watched"] = figures(await measure_actions(watching, actions, announced=announced))
    found["broadcast"] = figures(await measure_broadcast(watching, actions))
    return found


def main() -> int:
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--json", action="store_true")
    options.add_argument("--watching", type=int, default=60)
    options.add_argument("--actions", type=int, default=30)
    options.add_argument("--announced", action="store_true", help="let each of them announce itself and look round")
    given = options.parse_args()
    found = asyncio.run(measured(given.watching, given.actions, announced=given.announced))
    ratio = round(found["watched"]["median"] / found["broadcast"]["median"], 1)
    if given.json:
        print(json.dumps({"watching": given.watching, "actions": given.actions, "ms": found, "ratio": ratio}))
        return 0
    print(f"an action, in ms: {'median':>8} {'p95':>8}")
    names = {
        "alone": "at both players, nobody watching",
        "watched": f"at the last of {given.watching}",
        "broadcast": "bare TLS broadcast",
    }
    for name, text in names.items():
        print(f"  {text:<34}{found[name]['median']:>8} {found[name]['p95']:>8}")
    print(f"  at the last one, beside the bare broadcast: x{ratio}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
