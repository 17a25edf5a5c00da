"""Whole peers in one process, on the loopback interface, and tables at which their bots play."""

import asyncio
import secrets
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

from rummy_p2p.bots import LEVELS
from rummy_p2p.node.peer import Peer
from rummy_p2p.node.places import Address
from rummy_p2p.node.players import BotPlayer
from rummy_p2p.node.tls import make_certificate
from rummy_p2p.protocol.events import TableEvent
from rummy_p2p.protocol.forming import Guest
from rummy_p2p.protocol.identity import Identity
from rummy_p2p.protocol.settings import Settings
from rummy_p2p.protocol.table import TableSession
from rummy_p2p.ruleset import Ruleset
from rummy_p2p.variants.manager import installed, make_catalogue

NICKS = ("Ada", "Bea", "Cem", "Dag")
CERTIFICATES = {nick: make_certificate() for nick in NICKS}
PATIENCE = 20.0
RULES = make_catalogue(installed()).compile("rummy-no")

E = TypeVar("E", bound=TableEvent)


def identity() -> Identity:
    """Another one each time: tests that run side by side share the loopback interface."""
    return Identity(secrets.token_bytes(32))


class Party:
    """Some peers that listen; the ledgers that they have saved."""

    def __init__(self, nicks: Sequence[str]) -> None:
        self.saved: dict[str, bytes] = {}
        self.peers = [
            Peer(identity(), nick, CERTIFICATES[nick], ["lo"], self._saving(nick, index))
            for index, nick in enumerate(nicks)
        ]
        self._bots: list[BotPlayer] = []

    def _saving(self, nick: str, index: int) -> Callable[[bytes, bytes], Path]:
        def save(match: bytes, ledger: bytes) -> Path:
            self.saved[f"{nick}{index}"] = ledger
            return Path(match.hex())

        return save

    def let_bots_play(self, *peers: Peer) -> None:
        """Everything that these peers' seats can do is done by bots."""
        self._bots += [BotPlayer(peer, LEVELS["normal"], 7, everything=True) for peer in peers]

    async def stop(self) -> None:
        for bot in self._bots:
            bot.close()
        for peer in self.peers:
            await peer.stop()


@asynccontextmanager
async def party(*nicks: str) -> AsyncIterator[Party]:
    made = Party(nicks)
    try:
        for peer in made.peers:
            await peer.start()
        yield made
    finally:
        await made.stop()


def address_of(peer: Peer) -> Address:
    return Address(("127.0.0.1",), peer.transport.port, peer.transport.fingerprint, peer.identity.player_id)


def open_table(
    peer: Peer, seats: int, *, rules: Ruleset = RULES, hands: int = 1, bots: int = 0, auto: bool = False
) -> TableSession:
    """Open a table whose creator will be the host as well, whatever the ids are."""
    return peer.open_table(rules, Guest(peer.nick, bots, auto, "always"), Settings("Friday", seats, hands))


async def sit_down(peer: Peer, creator: Peer, *, rules: Ruleset = RULES) -> TableSession:
    return await peer.sit_down(await peer.ask(address_of(creator)), rules, Guest(peer.nick))


async def seated_table(made: Party, *, hands: int = 1, rules: Ruleset = RULES) -> list[TableSession]:
    """The first peer opens a table, the others sit down, and all are ready."""
    creator, *others = made.peers
    sessions = [open_table(creator, len(made.peers), hands=hands, rules=rules)]
    for peer in others:
        sessions.append(await sit_down(peer, creator, rules=rules))
        peer.do(lambda table, now: table.ready(now))
    async with asyncio.timeout(PATIENCE):
        while not sessions[0].ready_to_start:
            await creator.events.get()
    return sessions


def start(creator: Peer) -> None:
    creator.do(lambda table, now: table.start(now))


async def heard(peer: Peer, kind: type[E]) -> E:
    """The next event of this kind; what comes before it is dropped."""
    async with asyncio.timeout(PATIENCE):
        while True:
            event = await peer.events.get()
            if isinstance(event, kind):
                return event


async def until(holds: Callable[[], bool], *peers: Peer, patience: float | None = PATIENCE) -> None:
    """Wait until something holds; looked at whenever something changes at one of these peers."""
    changed = asyncio.Event()
    stops = [peer.watch(changed.set) for peer in peers]
    try:
        async with asyncio.timeout(patience):
            while not holds():
                changed.clear()
                await changed.wait()
    finally:
        for stop in stops:
            stop()


def played(scene: Callable[[], Coroutine[object, object, None]]) -> None:
    """Run a scene and see that no task, thread or complaint of the loop is left."""
    complaints: list[object] = []
    threads = set(threading.enumerate())

    async def watched() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(context))
        await scene()
        await asyncio.sleep(0)
        assert [task.get_name() for task in asyncio.all_tasks() if task is not asyncio.current_task()] == []

    asyncio.run(watched())
    assert complaints == [], complaints
    assert set(threading.enumerate()) <= threads
