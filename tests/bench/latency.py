"""How long an action is on its way: from the key press at one peer until it is applied at the last of six.

    python tests/bench/latency.py [--json] [--actions N] [--peers N] [--deal blind|host] [--matches N]

Six whole peers with their disks in one process, linked by TLS over loopback; "applied" is committed by a quorum, and
told. Since all six share one processor here, six laptops are faster. Beside it in the same run: the round trip of one
message of the same size over bare asyncio and TLS, and what it costs to sign and to check.

"bytes": what all links of the table carry for one action, TLS not counted. "memory": resident megabytes of a process
with two peers after the first match and after the last of so many.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import secrets
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from rummy_p2p.engine import Action
    from rummy_p2p.node.peer import Peer
    from rummy_p2p.protocol.fields import DealKind
    from rummy_p2p.protocol.table import TableSession

ROOT = Path(__file__).resolve().parents[2]
NICKS = ("Ada", "Bea", "Cem", "Dag", "Eli", "Fay")
PATIENCE = 30.0
SIZE = 600  # bytes of an ordered action
LATEST = 24
PAGE = 4096
ROUND_TRIPS = 400


# ---------------------------------------------------------------- a table of whole peers


@asynccontextmanager
async def table(count: int, hands: int, deal: DealKind, folder: Path) -> AsyncIterator[list[Peer]]:
    """So many peers with their disks at one table, ready to start."""
    from rummy_p2p.journal import Journal
    from rummy_p2p.node.peer import Address, Peer
    from rummy_p2p.node.tls import make_certificate
    from rummy_p2p.protocol.forming import Guest
    from rummy_p2p.protocol.identity import Identity
    from rummy_p2p.protocol.settings import Settings
    from rummy_p2p.store import Paths, Store
    from rummy_p2p.variants.manager import installed, make_catalogue

    rules = make_catalogue(installed()).compile("rummy-no")
    peers = []
    for nick in NICKS[:count]:
        files = Store(Paths.of(folder / nick))
        peer = Peer(Identity(secrets.token_bytes(32)), nick, make_certificate(), ["lo"], files.save_ledger, files)
        peer.keeper.journal, peer.keeper.book = Journal(files.journal_file), files
        peers.append(peer)
        await peer.start()
    first, *others = peers
    try:
        first.open_table(rules, Guest(first.nick, 0, False, "always"), Settings("Bench", count, hands, deal=deal))  # noqa: FBT003 - it is a person
        place = Address(("127.0.0.1",), first.transport.port, first.transport.fingerprint, first.identity.player_id)
        for peer in others:
            await peer.sit_down(await peer.ask(place), rules, Guest(peer.nick))
        yield peers
    finally:
        for peer in peers:
            await peer.stop()
            cast("Journal", peer.keeper.journal).close()


def session_of(peer: Peer) -> TableSession:
    assert peer.session is not None
    return peer.session


async def until(holds: Any, peers: list[Peer]) -> None:  # noqa: ANN401 - any condition
    """Wait until something holds; looked at whenever something changes at one of the peers."""
    changed = asyncio.Event()
    stops = [peer.watch(changed.set) for peer in peers]
    try:
        async with asyncio.timeout(PATIENCE):
            while not holds():
                changed.clear()
                await changed.wait()
    finally:
        for stop in stops:
            stop()


async def begin(peers: list[Peer]) -> None:
    first, *others = peers
    for peer in others:
        peer.do(lambda table, now: table.ready(now))
    await until(lambda: session_of(first).ready_to_start, peers)
    first.do(lambda table, now: table.start(now))


# ---------------------------------------------------------------- the way of an action


async def actions(peers: list[Peer], count: int) -> dict[str, list[float]]:
    """Milliseconds of so many actions, by kind; one after the other, as people make them."""
    taken: dict[str, list[float]] = defaultdict(list)
    await begin(peers)
    while sum(map(len, taken.values())) < count:
        await until(lambda: _is_quiet(peers), peers)
        before = _committed(peers)
        move = next(_moves(peers), None)
        if move is None:  # the next hand is being dealt, or this one counted
            await until(lambda: _committed(peers) != before, peers)  # noqa: B023 - it is waited for here
            continue
        peer, seat, action = move
        taken[action.verb].append(await _one(peers, peer, seat, action))
    return taken


def _committed(peers: list[Peer]) -> set[tuple[int, int]]:
    """How far everybody is: records stored, records committed."""
    ledgers = [session_of(peer).ledger for peer in peers]
    return {(ledger.tail, ledger.committed) for ledger in ledgers if ledger is not None}


def _is_quiet(peers: list[Peer]) -> bool:
    """Whether all stand at the same place: a person's next key is not pressed before that."""
    places = _committed(peers)
    return len(places) == 1 and len(set(next(iter(places)))) == 1


def _moves(peers: list[Peer]) -> Iterator[tuple[Peer, int, Action]]:
    from rummy_p2p.bots import LEVELS

    for peer in peers:
        for seat in session_of(peer).seats_to_think():
            action = LEVELS["normal"](session_of(peer).view(seat), 7)
            if action is not None:
                yield peer, seat, action


async def _one(peers: list[Peer], peer: Peer, seat: int, action: Action) -> float:
    from rummy_p2p.protocol.match import Match

    began = time.perf_counter()
    peer.do(lambda table, now: table.act(seat, action, now))
    match = session_of(peer).match
    assert isinstance(match, Match)
    digests = {proposal.message.digest for proposal in match._proposals.all()}
    if not digests:  # committed already: this peer alone is a quorum of a table of one
        return 0.0
    await until(lambda: all(_holds(other, digests) for other in peers), peers)
    return (time.perf_counter() - began) * 1000


def _holds(peer: Peer, digests: set[bytes]) -> bool:
    ledger = session_of(peer).ledger
    assert ledger is not None
    latest = ledger.entries[max(0, ledger.committed - LATEST) : ledger.committed]
    return any(entry.draft_message.digest in digests for entry in latest)


@contextmanager
def counted() -> Iterator[list[int]]:
    """How many bytes each link was given to send."""
    from rummy_p2p.protocol.link import Link

    sizes: list[int] = []
    real = Link.data_to_send

    def counting(self: Link) -> bytes:
        data = real(self)
        sizes.append(len(data))
        return data

    Link.data_to_send = counting  # type: ignore[method-assign]  # put back below
    try:
        yield sizes
    finally:
        Link.data_to_send = real  # type: ignore[method-assign]  # as above


# ---------------------------------------------------------------- beside it


async def bare_tls(times: int = ROUND_TRIPS) -> list[float]:
    """Milliseconds of a round trip of one message over asyncio and TLS."""
    from rummy_p2p.node.tls import client_context, make_certificate, server_context

    ended = asyncio.Event()

    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(SIZE):
            writer.write(data)
        writer.close()
        ended.set()

    server = await asyncio.start_server(echo, "127.0.0.1", 0, ssl=server_context(make_certificate()))
    port = server.sockets[0].getsockname()[1]
    reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=client_context(), server_hostname="")
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        writer.write(bytes(SIZE))
        await reader.readexactly(SIZE)
        taken.append((time.perf_counter() - began) * 1000)
    writer.close()
    await writer.wait_closed()
    await ended.wait()
    server.close()
    await server.wait_closed()
    return taken


def signatures(times: int = ROUND_TRIPS) -> list[float]:
    """Milliseconds of making and checking one signature."""
    from rummy_p2p.protocol.identity import Identity, verify

    me, text, taken = Identity(secrets.token_bytes(32)), random.Random(1).randbytes(SIZE), []
    for _ in range(times):
        began = time.perf_counter()
        assert verify(me.player_id, b"bench", text, me.sign(b"bench", text))
        taken.append((time.perf_counter() - began) * 1000)
    return taken


# ---------------------------------------------------------------- memory


async def memory(matches: int, folder: Path) -> list[float]:
    """Resident megabytes after each of so many matches of two bots, by the host's deal."""
    from rummy_p2p.bots import LEVELS
    from rummy_p2p.node.players import BotPlayer
    from rummy_p2p.protocol.forming import Phase

    found = []
    async with table(2, 1, "host", folder) as peers:
        bots = [BotPlayer(peer, LEVELS["normal"], 7, everything=True) for peer in peers]
        await begin(peers)
        for _ in range(matches):
            await until(lambda: all(session_of(peer).phase is Phase.PLAYING for peer in peers), peers)
            await until(lambda: all(session_of(peer).phase is Phase.OPEN for peer in peers), peers)
            found.append(resident())
            for peer in peers:
                while not peer.events.empty():
                    peer.events.get_nowait()
                peer.do(lambda table, now: table.rematch(now))
        for bot in bots:
            bot.close()
    return found


def resident() -> float:
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE / 1e6


# ---------------------------------------------------------------- what comes of it


async def measured(given: argparse.Namespace) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        bare, signing = await bare_tls(), signatures()
        async with table(given.peers, 0, given.deal, Path(folder)) as peers:
            with counted() as sizes:
                taken = await actions(peers, given.actions)
                sent = sum(sizes)
        bare += await bare_tls()
    everything = [each for times in taken.values() for each in times]
    allowed = 2 * percentile(bare, 99) + 2 * percentile(signing, 99)
    return {
        "peers": given.peers,
        "deal": given.deal,
        "action": spread(everything),
        "kinds": {kind: spread(times) for kind, times in sorted(taken.items())},
        "bare tls": spread(bare),
        "signature": spread(signing),
        "ratio p99": round(percentile(everything, 99) / allowed, 1),
        "bytes per action": round(sent / len(everything)),
    }


def spread(times: list[float]) -> dict[str, float]:
    return {
        "p50": round(statistics.median(times), 2),
        "p99": round(percentile(times, 99), 2),
        "n": len(times),
    }


def percentile(times: list[float], at: int) -> float:
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, len(ordered) * at // 100)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print one object instead of a line")
    parser.add_argument("--actions", type=int, default=300)
    parser.add_argument("--peers", type=int, default=6)
    parser.add_argument("--deal", choices=("blind", "host"), default="blind")
    parser.add_argument("--matches", type=int, default=20, help="for the memory; 0 leaves it out")
    given = parser.parse_args()
    sys.path.insert(0, str(ROOT))
    figures = asyncio.run(measured(given))
    if given.matches:
        with tempfile.TemporaryDirectory() as folder:
            found = asyncio.run(memory(given.matches, Path(folder)))
        figures["memory"] = {"matches": len(found), "first": round(found[0], 1), "last": round(found[-1], 1)}
    print(json.dumps(figures) if given.json else said(figures))


def said(figures: dict[str, Any]) -> str:
    action, bare, signing = figures["action"], figures["bare tls"], figures["signature"]
    line = (
        f"action, {figures['peers']} peers, {figures['deal']} deal: {action['p50']}/{action['p99']} ms (p50/p99), "
        f"bare TLS {bare['p50']}/{bare['p99']} ms, signature {signing['p50']} ms, ratio {figures['ratio p99']}; "
        f"{figures['bytes per action']} bytes an action"
    )
    if "memory" in figures:
        found = figures["memory"]
        line += f"; memory {found['first']} MB after one match, {found['last']} MB after {found['matches']}"
    return line


if __name__ == "__main__":
    main()
