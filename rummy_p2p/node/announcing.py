"""What others see of this program by mDNS: who is here, and the table of whoever opened one."""

import asyncio
from collections.abc import Callable

from rummy_p2p.node.announcement import Announcement, TableInfo, TableState
from rummy_p2p.node.discovery import Discovery
from rummy_p2p.node.transport import Transport
from rummy_p2p.protocol.forming import Phase
from rummy_p2p.protocol.identity import Identity
from rummy_p2p.protocol.link import VERSION
from rummy_p2p.protocol.table import TableSession

ANNOUNCE_GAP = 0.2


class Announcing:
    """Says it anew each time that it has changed, but not too often."""

    def __init__(
        self,
        identity: Identity,
        nick: str,
        discovery: Discovery,
        transport: Transport,
        table: Callable[[], TableInfo | None],
    ) -> None:
        """``table`` tells of the own one, as things are."""
        self._identity = identity
        self._nick = nick
        self._discovery = discovery
        self._transport = transport
        self._news = asyncio.Event()
        self._table = table

    def look(self) -> None:
        """Something may have changed."""
        self._news.set()

    async def run(self) -> None:
        """Announce, until cancelled."""
        announced: Announcement | None = None
        while True:
            self._news.clear()
            wanted = self._announcement()
            if wanted != announced:
                announced = wanted
                await self._discovery.announce(wanted)
            await self._news.wait()
            await asyncio.sleep(ANNOUNCE_GAP)

    def _announcement(self) -> Announcement:
        me, pin = self._identity.player_id.hex(), self._transport.fingerprint.hex()
        return Announcement(self._nick, me, pin, self._transport.port, VERSION, self._table())


def own_table(session: TableSession | None) -> TableInfo | None:
    """Return what is told of a table by whoever opened it; None for anybody else, and when it is closed."""
    if session is None or session.creator != session.me or session.phase is Phase.CLOSED:
        return None
    info = session.info
    waiting = TableState.CODE if info.closed else TableState.OPEN
    return TableInfo(
        info.table.hex(),
        info.title,
        session.rules.game,
        info.fingerprint.hex(),
        len(session.seats),
        info.seats,
        TableState.PLAYING if session.phase is Phase.PLAYING else waiting,
        session.rules.house,
    )
