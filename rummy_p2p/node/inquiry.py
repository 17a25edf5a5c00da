"""Short questions to one address: who is there, which table is open, can I be called back. No seat is asked for.

An inquirer has links of its own, beside those of the table, and ends each when it has its answer. What it brings home
is proved: the key by the greeting, the table by its creator's signature.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

import msgspec

from rummy_p2p.node.announcement import HOUSE_LIMIT, Sighting, TableInfo, TableState
from rummy_p2p.node.tls import Pin
from rummy_p2p.node.transport import Connection, Transport
from rummy_p2p.protocol.callback import CallBack, CalledBack, Wire
from rummy_p2p.protocol.errors import RemoteProtocolError
from rummy_p2p.protocol.identity import Identity
from rummy_p2p.protocol.invitation import Invitation, InvitationDeclined
from rummy_p2p.protocol.link import VERSION, Authenticated, Closed, LinkConfig, LinkEvent, Received
from rummy_p2p.protocol.messages import Seating, Signed, is_genuine, read, read_table
from rummy_p2p.protocol.messages import TableInfo as Offer
from rummy_p2p.protocol.text import clean

TABLE_WITHIN = 1.5  # a table says what it plays as soon as the greeting is over
SEATS_WITHIN = 0.3
CALLED_WITHIN = 3.0


@dataclass(slots=True)
class _Heard:
    """What has come over one link."""

    offer: tuple[bytes, Offer] | None = None
    seating: Seating | None = None
    reached: dict[int, bool] = field(default_factory=dict)
    news: asyncio.Event = field(default_factory=asyncio.Event)


class Inquirer:
    """Asks, from its making to `stop`. Belongs to one event loop."""

    def __init__(self, identity: Identity, nick: str, certificate: bytes) -> None:
        self._transport = Transport(LinkConfig(identity, nick, Wire), certificate, self._hear)
        self._heard: dict[Connection, _Heard] = {}

    async def stop(self) -> None:
        """End all links."""
        await self._transport.stop()

    async def ask(self, address: str, port: int, pin: Pin | None = None, player: bytes | None = None) -> Sighting:
        """Who is at this address, and the table that is open there, if one is. ProtocolError tells what went wrong."""
        connection = await self._transport.dial(address, port, pin, expected=player)
        try:
            heard = self._heard[connection]
            await _until(heard, TABLE_WITHIN, lambda: heard.offer is not None)
            if heard.offer is not None:
                await _until(heard, SEATS_WITHIN, lambda: heard.seating is not None)
            return _sighting(connection, heard)
        finally:
            connection.hang_up()

    async def called_back(self, address: str, port: int, own_port: int, pin: Pin | None = None) -> bool | None:
        """Whether the program there could connect to a port of ours; None when it does not say."""
        connection = await self._transport.dial(address, port, pin)
        try:
            heard = self._heard[connection]
            connection.send(CallBack(port=own_port))
            await _until(heard, CALLED_WITHIN, lambda: own_port in heard.reached)
            return heard.reached.get(own_port)
        finally:
            connection.hang_up()

    async def tell(
        self,
        address: str,
        port: int,
        message: Invitation | InvitationDeclined,
        pin: Pin | None = None,
        player: bytes | None = None,
    ) -> None:
        """Bring an invitation, or the answer to one, to the program there. ProtocolError tells what went wrong."""
        connection = await self._transport.dial(address, port, pin, expected=player)
        connection.send(message)
        connection.hang_up()

    def _hear(self, connection: Connection, event: LinkEvent) -> None:
        match event:
            case Authenticated():
                self._heard[connection] = _Heard()
            case Closed():
                self._heard.pop(connection).news.set()
            case Received():
                _note(self._heard[connection], connection, event.message)


async def _until(heard: _Heard, seconds: float, done: Callable[[], bool]) -> None:
    """Wait for something, but not longer than that."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            while not done():
                heard.news.clear()
                await heard.news.wait()


def _note(heard: _Heard, connection: Connection, message: object) -> None:
    if isinstance(message, CalledBack):
        heard.reached[message.port] = message.reached
    elif isinstance(message, Signed) and message.author == connection.player_id:
        offer = read_table(message)
        if offer is not None:
            heard.offer = (message.author, offer)
        elif isinstance(seating := _read(message), Seating):
            heard.seating = seating
    heard.news.set()


def _read(message: Signed) -> object:
    with suppress(RemoteProtocolError):
        return read(message) if is_genuine(message) else None
    return None


# ---------------------------------------------------------------- what is brought home


def _sighting(connection: Connection, heard: _Heard) -> Sighting:
    """In the form in which mDNS would have told it."""
    return Sighting(
        instance="",
        nick=connection.nick,
        id=connection.player_id.hex(),
        pin=connection.fingerprint.hex(),
        addresses=(connection.address,),
        port=connection.port,
        version=VERSION,
        table=_table(heard.offer[1], heard.seating) if heard.offer else None,
        live=True,
    )


def _table(offer: Offer, seating: Seating | None) -> TableInfo:
    game, house = _rules(offer)
    return TableInfo(
        offer.table.hex(),
        offer.title,
        game,
        offer.fingerprint.hex(),
        len(seating.seats) if seating and seating.table == offer.table else 0,
        offer.seats,
        TableState.CODE if offer.closed else TableState.OPEN,
        house,
    )


def _rules(offer: Offer) -> tuple[str, tuple[str, ...] | None]:
    """Game and house rules by name; whether the rest can be read is found out by whoever sits down."""
    try:
        names = msgspec.json.decode(offer.rules, type=_Names)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return "?", None
    return clean(names.game, HOUSE_LIMIT), tuple(clean(text, HOUSE_LIMIT) for text in names.house)


class _Names(msgspec.Struct):
    """Of rules in their canonical form, what they are called."""

    game: str
    house: tuple[str, ...]
