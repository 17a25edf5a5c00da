"""The ladder of finding: mDNS, then peers remembered from last time, then a walk along the own network.

Each rung tells what it tries and what it found, so that a screen or a command can show it. Addresses, join codes and QR
codes need no ladder: they say where to go. A rung that finds nothing costs no more than its time; the last one is only
climbed when the player asks for it.
"""

import asyncio
from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from enum import Enum

from rummy_p2p.node.announcement import Sighting
from rummy_p2p.node.discovery import Discovery
from rummy_p2p.node.inquiry import Inquirer
from rummy_p2p.node.scan import own_networks, scan, targets
from rummy_p2p.protocol.errors import ProtocolError
from rummy_p2p.store import RememberedPeer

PATIENCE = 1.5  # mDNS needs less than a second where it works
MOST_REMEMBERED = 16


class Rung(Enum):
    """By what somebody is found."""

    MDNS = "mdns"
    REMEMBERED = "remembered"
    SCAN = "scan"


class Mark(Enum):
    """What a step tells: a rung is tried, somebody was found on it, or it came to its end with nobody."""

    TRIES = "tries"
    FOUND = "found"
    NOBODY = "nobody"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Step:
    """One line of the climb. `what`: the interface, peer or network that is tried, or why the rung cannot be used."""

    rung: Rung
    mark: Mark
    what: str = ""
    done: int = 0
    total: int = 0
    found: Sighting | None = None


async def climb(
    discovery: Discovery,
    inquirer: Inquirer,
    remembered: Iterable[RememberedPeer],
    *,
    walk: bool = False,
    patience: float = PATIENCE,
) -> AsyncGenerator[Step, None]:
    """All rungs, one after the other. Whoever has found what is wanted stops listening (`aclosing`)."""
    seen: set[str] = set()
    rungs = [by_mdns(discovery, patience), by_memory(inquirer, remembered, seen)]
    if walk:
        rungs.append(by_walk(discovery, inquirer))
    for rung in rungs:
        async with aclosing(rung) as steps:
            async for step in steps:
                if step.found is not None:
                    if step.found.id in seen:
                        continue
                    seen.add(step.found.id)
                yield step


# ---------------------------------------------------------------- mDNS


async def by_mdns(discovery: Discovery, patience: float) -> AsyncGenerator[Step, None]:
    """Who is seen within that time."""
    names = ", ".join(f"{each.name} {each.address}" for each in discovery.choice.used)
    yield Step(Rung.MDNS, Mark.TRIES, names)
    told: set[str] = set()
    deadline = asyncio.get_running_loop().time() + patience
    revision = discovery.revision
    while True:
        for each in discovery.sightings():
            if each.live and each.id not in told:
                told.add(each.id)
                yield Step(Rung.MDNS, Mark.FOUND, each.nick, found=each)
        try:
            async with asyncio.timeout_at(deadline):
                revision = await discovery.changed(revision)
        except TimeoutError:
            break
    if discovery.trouble is not None:
        yield Step(Rung.MDNS, Mark.FAILED, discovery.trouble.sentence)
    elif not told:
        yield Step(Rung.MDNS, Mark.NOBODY)


# ---------------------------------------------------------------- memory


async def by_memory(
    inquirer: Inquirer, remembered: Iterable[RememberedPeer], seen: Iterable[str] = ()
) -> AsyncGenerator[Step, None]:
    """Who is still where it was last time: those met latest first, all asked at once."""
    wanted = [peer for peer in remembered if peer.id not in set(seen)][:MOST_REMEMBERED]
    if not wanted:
        return
    yield Step(Rung.REMEMBERED, Mark.TRIES, ", ".join(peer.nick for peer in wanted), total=len(wanted))
    tasks = [asyncio.create_task(_visit(inquirer, peer), name="ladder-visit") for peer in wanted]
    found = 0
    try:
        for done, task in enumerate(asyncio.as_completed(tasks), 1):
            answer = await task
            if answer is not None:
                found += 1
                yield Step(Rung.REMEMBERED, Mark.FOUND, answer.nick, done, len(tasks), answer)
    finally:
        for visit in tasks:
            visit.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    if not found:
        yield Step(Rung.REMEMBERED, Mark.NOBODY, total=len(tasks))


async def _visit(inquirer: Inquirer, peer: RememberedPeer) -> Sighting | None:
    """The same player with the same certificate, or nobody."""
    pin = bytes.fromhex(peer.pin) if peer.pin else None
    try:
        return await inquirer.ask(peer.address, peer.port, pin, bytes.fromhex(peer.id))
    except ProtocolError:
        return None


# ---------------------------------------------------------------- the walk


async def by_walk(discovery: Discovery, inquirer: Inquirer) -> AsyncGenerator[Step, None]:
    """Who is on the own networks at a port that the program takes by itself."""
    names = ", ".join(map(str, own_networks(discovery.choice)))
    hosts: Sequence[str] = targets(discovery.choice)
    if not hosts:
        yield Step(Rung.SCAN, Mark.FAILED)
        return
    yield Step(Rung.SCAN, Mark.TRIES, names, total=len(hosts))
    found = machines = 0
    async with aclosing(scan(inquirer, hosts)) as walk:
        async for at in walk:
            machines = at.machines
            mark = Mark.TRIES if at.found is None else Mark.FOUND
            found += at.found is not None
            yield Step(Rung.SCAN, mark, at.found.nick if at.found else names, at.done, at.total, at.found)
    if not found:
        yield Step(Rung.SCAN, Mark.NOBODY, names, machines, len(hosts))
