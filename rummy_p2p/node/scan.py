"""A walk along the own network, started by a player: who has a program of this game at one of the ports that it takes
by itself.

At most 50 connections a second, first to the first port of every address; the other ports only where a machine was
found, since a program takes the first that is free. Nothing is sent to what answers except the greeting of a link.
"""

import asyncio
import errno
from collections.abc import AsyncGenerator, Coroutine, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Network

from rummy_p2p.node.announcement import Sighting
from rummy_p2p.node.inquiry import Inquirer
from rummy_p2p.node.interfaces import Choice
from rummy_p2p.protocol.errors import ProtocolError
from rummy_p2p.protocol.joincode import HOME_PORTS

GAP = 0.02
KNOCK_TIMEOUT = 1.0
TELL_EVERY = 16
WIDEST = 24  # a larger network is not walked: only the part of it around us


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the walk is; `found` is who was found just now, `machines` how many answered at all."""

    done: int
    total: int
    machines: int
    found: Sighting | None = None


def own_networks(choice: Choice) -> tuple[IPv4Network, ...]:
    """The networks to walk: around each address that is used, at most 256 addresses each."""
    found = (
        IPv4Network((each.address, max(each.prefix, WIDEST)), strict=False)
        for each in choice.linked
        if not each.is_loopback
    )
    return tuple(dict.fromkeys(found))


def targets(choice: Choice) -> tuple[str, ...]:
    """The addresses to knock at: all of the own networks but ours."""
    own = set(choice.listening)
    return tuple(str(host) for network in own_networks(choice) for host in network.hosts() if str(host) not in own)


async def scan(
    inquirer: Inquirer, addresses: Sequence[str], ports: Sequence[int] = HOME_PORTS
) -> AsyncGenerator[Progress, None]:
    """Walk along the addresses; the last progress has `done` equal to `total`."""
    walk = _Walk(inquirer, ports)
    try:
        async for progress in walk.walk(addresses):
            yield progress
    finally:
        await walk.stop()


class _Walk:
    """One walk, and the knocks that are under way."""

    def __init__(self, inquirer: Inquirer, ports: Sequence[int]) -> None:
        self._inquirer = inquirer
        self._ports = tuple(ports)
        self._waiting: list[tuple[str, int]] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._done = 0
        self._total = 0
        self._machines: set[str] = set()
        self._news: asyncio.Queue[Sighting | None] = asyncio.Queue()

    async def walk(self, addresses: Sequence[str]) -> AsyncGenerator[Progress, None]:
        self._waiting = [(address, self._ports[0]) for address in addresses]
        self._total = len(addresses)
        walking = self._begin(self._knock_at_all(), "scan-walk")
        while not walking.done() or self._done < self._total or not self._news.empty():
            found = await self._news.get()
            yield Progress(self._done, self._total, len(self._machines), found)
        if not self._total:
            yield Progress(0, 0, 0)

    async def stop(self) -> None:
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _begin(self, work: Coroutine[object, object, None], name: str) -> asyncio.Task[None]:
        task = asyncio.create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _knock_at_all(self) -> None:
        """Begin one knock after the other; what is found may add some to the end."""
        while self._waiting or self._done < self._total:
            if self._waiting:
                self._begin(self._knock(*self._waiting.pop(0)), "scan-knock")
            await asyncio.sleep(GAP)
        self._news.put_nowait(None)

    async def _knock(self, address: str, port: int) -> None:
        found: Sighting | None = None
        try:
            answered = await is_open(address, port)
            if answered is not None:
                self._met(address)
            if answered:
                found = await self._inquirer.ask(address, port)
        except ProtocolError:
            pass  # no program of this game, or one that has no time: the walk goes on
        finally:
            self._done += 1
            if found is not None or self._done % TELL_EVERY == 0:
                self._news.put_nowait(found)

    def _met(self, address: str) -> None:
        """A machine is there: its other ports are worth a knock as well."""
        if address not in self._machines:
            self._machines.add(address)
            self._waiting += [(address, port) for port in self._ports[1:]]
            self._total += len(self._ports) - 1


async def is_open(address: str, port: int, timeout: float = KNOCK_TIMEOUT) -> bool | None:  # noqa: ASYNC109 - None says it
    """Whether a port takes connections; None when no machine answers for it at all."""
    try:
        async with asyncio.timeout(timeout):
            _, writer = await asyncio.open_connection(address, port)
    except ConnectionRefusedError:
        return False
    except OSError as error:
        return False if error.errno == errno.ECONNRESET else None
    writer.transport.abort()
    return True
