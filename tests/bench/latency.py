"""How long an action is on its way: from the key press at one peer until it is applied at the last of six.

    python tests/bench/latency.py [--json] [--actions N] [--peers N] [--deal blind|host] [--matches N]

Six whole peers with their disks, linked by TLS over loopback; "applied" is committed by a quorum, and told. Once with
all six in one process, where they share one processor, and once in six processes ("apart"), where they share those of
this machine: six laptops are faster. Beside it in the same run: the round trip of one message of the same size over
bare asyncio and TLS, and what it costs to sign and to check.

"cpu": milliseconds of processor time that one action costs all six together, with all that follows from it until the
table is quiet; "messages" and "bytes": what all links carry meanwhile, TLS not counted. "memory": resident megabytes of
a process with two peers after the first match and after the last of so many.
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
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import msgspec

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
LIMIT = 9999  # points; with the game's own 100 a match may be over before so many actions have been made
BREATH = 0.1  # between two moves of separate programs: by then the table is quiet


# ---------------------------------------------------------------- a table of whole peers


@asynccontextmanager
async def alone(nick: str, folder: Path) -> AsyncIterator[Peer]:
    """A peer with its disk."""
    from rummy_p2p.journal import Journal
    from rummy_p2p.node.peer import Peer
    from rummy_p2p.node.tls import make_certificate
    from rummy_p2p.protocol.identity import Identity
    from rummy_p2p.store import Paths, Store

    files = Store(Paths.of(folder / nick))
    peer = Peer(Identity(secrets.token_bytes(32)), nick, make_certificate(), ["lo"], files.save_ledger, files)
    journal = peer.keeper.journal = Journal(files.journal_file)
    peer.keeper.book = files
    await peer.start()
    try:
        yield peer
    finally:
        await peer.stop()
        journal.close()


async def take_seat(peer: Peer, count: int, deal: DealKind, place: str, hands: int = 0) -> None:
    """Open the table, or sit down at that of ``place``."""
    from rummy_p2p.node.places import Address
    from rummy_p2p.protocol.forming import Guest
    from rummy_p2p.protocol.settings import Settings
    from rummy_p2p.variants.manager import installed, make_catalogue

    rules = make_catalogue(installed()).compile("rummy-no", [f"limit={LIMIT}"])
    if place:
        where, _, pin = place.removeprefix("rummy://").partition("#")
        host, _, port = where.rpartition(":")
        offer = await peer.ask(Address((host,), int(port), bytes.fromhex(pin)))
        await peer.sit_down(offer, rules, Guest(peer.nick))
    else:
        creator = Guest(peer.nick, 0, False, "always")  # noqa: FBT003 - it is a person
        peer.open_table(rules, creator, Settings("Bench", count, hands, deal=deal))


@asynccontextmanager
async def table(count: int, hands: int, deal: DealKind, folder: Path) -> AsyncIterator[list[Peer]]:
    """So many peers with their disks at one table, ready to start."""
    async with AsyncExitStack() as stack:
        peers: list[Peer] = []
        for nick in NICKS[:count]:
            peers.append(await stack.enter_async_context(alone(nick, folder)))
            await take_seat(peers[-1], count, deal, peers[0].address if peers[1:] else "", hands)
        yield peers


def session_of(peer: Peer) -> TableSession:
    assert peer.session is not None
    return peer.session


async def until(holds: Callable[[], bool], peers: list[Peer], patience: float | None = PATIENCE) -> None:
    """Wait until something holds; looked at whenever something changes at one of the peers."""
    from tests.node.party import until as watched

    await watched(holds, *peers, patience=patience)


async def begin(peers: list[Peer]) -> None:
    first, *others = peers
    for peer in others:
        peer.do(lambda table, now: table.ready(now))
    await until(lambda: session_of(first).ready_to_start, peers)
    first.do(lambda table, now: table.start(now))


# ---------------------------------------------------------------- the way of an action


async def actions(peers: list[Peer], count: int) -> tuple[dict[str, list[float]], float]:
    """Milliseconds of so many actions, by kind; one after the other, as people make them. And the processor's, of all
    together.
    """
    taken: dict[str, list[float]] = defaultdict(list)
    spent = 0.0
    await begin(peers)
    while sum(map(len, taken.values())) < count:
        await until(lambda: _is_quiet(peers), peers)
        before = _committed(peers)
        move = next(_moves(peers), None)
        if move is None:  # the next hand is being dealt, or this one counted, or cards are on their way to their player
            await until(lambda: _committed(peers) != before or any(_moves(peers)), peers)  # noqa: B023 - waited for here
            continue
        peer, seat, action = move
        began = time.process_time()
        taken[action.verb].append(await _one(peers, peer, seat, action))
        await until(lambda: _is_quiet(peers), peers)
        spent += (time.process_time() - began) * 1000
    return taken, spent


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
    began = time.perf_counter()
    peer.do(lambda table, now: table.act(seat, action, now))
    digests = proposed(peer)
    if not digests:  # committed already: this peer alone is a quorum of a table of one
        return 0.0
    await until(lambda: all(_holds(other, digests) for other in peers), peers)
    return (time.perf_counter() - began) * 1000


def proposed(peer: Peer) -> set[bytes]:
    """What a peer has said and not seen in the ledger yet."""
    from rummy_p2p.protocol.match import Match

    match = session_of(peer).match
    assert isinstance(match, Match)
    return {proposal.message.digest for proposal in match._proposals.all()}


def _holds(peer: Peer, digests: set[bytes]) -> bool:
    ledger = session_of(peer).ledger
    assert ledger is not None
    latest = ledger.entries[max(0, ledger.committed - LATEST) : ledger.committed]
    return any(entry.draft_message.digest in digests for entry in latest)


@contextmanager
def counted() -> Iterator[list[int]]:
    """The size of each message that any link was given to send."""
    from rummy_p2p.protocol.link import Link

    sizes: list[int] = []
    real = Link.send

    def counting(self: Link, message: msgspec.Struct) -> None:
        before = len(self._out)
        real(self, message)
        sizes.append(len(self._out) - before)

    Link.send = counting  # type: ignore[method-assign]  # put back below
    try:
        yield sizes
    finally:
        Link.send = real  # type: ignore[method-assign]  # as above


# ---------------------------------------------------------------- the same in separate programs


async def one_apart(number: int, peers: int, deal: DealKind, place: str, folder: Path) -> None:
    """One of the programs: it plays its seat, and says when it moved and when it saw a move applied."""
    async with alone(NICKS[number], folder) as peer:
        await take_seat(peer, peers, deal, place)
        say(event="seated", place=peer.address)
        if number:
            peer.do(lambda table, now: table.ready(now))
        else:
            await until(lambda: session_of(peer).ready_to_start and len(session_of(peer).seats) == peers, [peer])
            peer.do(lambda table, now: table.start(now))
        peer.watch(_Applied(peer).look)
        while True:  # until it is killed
            await until(lambda: any(_moves([peer])), [peer], patience=None)
            await asyncio.sleep(BREATH)
            for _, seat, action in list(_moves([peer]))[:1]:
                pressed = time.monotonic()
                peer.do(lambda table, now: table.act(seat, action, now))  # noqa: B023 - it is done here
                for digest in proposed(peer):
                    say(event="pressed", draft=digest.hex(), at=pressed)


class _Applied:
    """Says when a move is committed here."""

    def __init__(self, peer: Peer) -> None:
        self._peer, self._told = peer, 0

    def look(self) -> None:
        at, ledger = time.monotonic(), session_of(self._peer).ledger
        if ledger is not None and ledger.committed > self._told:
            for entry in ledger.entries[self._told : ledger.committed]:
                say(event="applied", draft=entry.draft_message.digest.hex(), at=at)
            self._told = ledger.committed


def say(**line: object) -> None:
    print(json.dumps(line), flush=True)


def apart(given: argparse.Namespace) -> list[float]:
    """Milliseconds of so many actions between separate programs."""
    from tests.bench.failover import Programs

    programs = Programs()
    pressed: dict[str, float] = {}
    applied: dict[str, list[float]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        stack.callback(programs.stop)
        words = [sys.executable, __file__, "--peers", str(given.peers), "--deal", given.deal, "--folder", folder]
        place, taken = "", []
        for number in range(given.peers):
            programs.run(number, [*words, "--number", str(number), "--place", place])
            first = next(line for _, _, line in programs.lines() if line["event"] == "seated")
            place = place or first["place"]
        for _, _, line in programs.lines(PATIENCE + given.actions):
            if line["event"] == "pressed":
                pressed[line["draft"]] = line["at"]
            elif line["event"] == "applied":
                applied[line["draft"]].append(line["at"])
            draft = line.get("draft", "")
            if draft in pressed and len(applied[draft]) == given.peers:
                taken.append((max(applied.pop(draft)) - pressed.pop(draft)) * 1000)
            if len(taken) == given.actions:
                break
    return taken


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
                taken, spent = await actions(peers, given.actions)
        bare += await bare_tls()
    everything = [each for times in taken.values() for each in times]
    separate = await asyncio.to_thread(apart, given)
    allowed = 2 * percentile(bare, 99) + 2 * percentile(signing, 99)
    return {
        "peers": given.peers,
        "deal": given.deal,
        "action": spread(everything),
        "kinds": {kind: spread(times) for kind, times in sorted(taken.items())},
        "bare tls": spread(bare),
        "signature": spread(signing),
        "apart": spread(separate),
        "ratio p99": round(percentile(everything, 99) / allowed, 1),
        "apart ratio p99": round(percentile(separate, 99) / allowed, 1),
        "cpu": round(spent / len(everything), 1),
        "messages per action": round(len(sizes) / len(everything)),
        "bytes per action": round(sum(sizes) / len(everything)),
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
    for name in ("--number", "--place", "--folder"):
        parser.add_argument(name, help=argparse.SUPPRESS)  # one of the separate programs
    given = parser.parse_args()
    sys.path.insert(0, str(ROOT))
    if given.number is not None:
        asyncio.run(one_apart(int(given.number), given.peers, given.deal, given.place, Path(given.folder)))
        return
    figures = asyncio.run(measured(given))
    if given.matches:
        with tempfile.TemporaryDirectory() as folder:
            found = asyncio.run(memory(given.matches, Path(folder)))
        figures["memory"] = {"matches": len(found), "first": round(found[0], 1), "last": round(found[-1], 1)}
    print(json.dumps(figures) if given.json else said(figures))


def said(figures: dict[str, Any]) -> str:
    action, apart, bare, signing = (figures[name] for name in ("action", "apart", "bare tls", "signature"))
    line = (
        f"action, {figures['peers']} peers, {figures['deal']} deal: {action['p50']}/{action['p99']} ms (p50/p99), "
        f"in separate programs {apart['p50']}/{apart['p99']} ms, bare TLS {bare['p50']}/{bare['p99']} ms, signature "
        f"{signing['p50']} ms, ratio {figures['ratio p99']}, {figures['apart ratio p99']} apart; {figures['cpu']} ms "
        f"of processor, {figures['messages per action']} messages, {figures['bytes per action']} bytes an action"
    )
    if "memory" in figures:
        found = figures["memory"]
        line += f"; memory {found['first']} MB after one match, {found['last']} MB after {found['matches']}"
    return line


if __name__ == "__main__":
    main()
