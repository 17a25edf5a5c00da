"""Where other peers can be dialled: where mDNS shows them, where they were reached, or where they were the last time.

Laws of this file
* Who is seen by mDNS and sits at the same table is dialled by the one with the lower id, so that there is one link;
  unless that peer was reached by this one, or is known from the last time: it may not be waiting at that table.
* Where the linked peers of a table can be dialled is remembered: after a restart that may be all there is.
"""

import asyncio
import logging
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace

from rummy_p2p.node.announcement import Sighting
from rummy_p2p.node.discovery import Discovery
from rummy_p2p.node.keeping import Keeper
from rummy_p2p.node.tls import Pin
from rummy_p2p.node.transport import Connection, Transport
from rummy_p2p.protocol.errors import ProtocolError
from rummy_p2p.store import RememberedPeer

_log = logging.getLogger(__name__)

DIAL_AGAIN = (0.2, 0.5, 1.0)
# What may be over in a moment: everybody sits down at once, and the other side has its hands full.
_BUSY = frozenset({"lost", "turned-away", "no-answer", "too-many-links", "handshake-timeout", "auth-timeout"})


@dataclass(frozen=True, slots=True)
class Address:
    """Where a peer may be reached, best place first; the pin of its certificate and its id where they are known."""

    hosts: tuple[str, ...]
    port: int
    pin: Pin | None = None
    player: bytes | None = None

    @classmethod
    def of(cls, sighting: Sighting) -> "Address":
        """Where a peer says that it is."""
        return cls(sighting.addresses, sighting.port, bytes.fromhex(sighting.pin), bytes.fromhex(sighting.id))

    @classmethod
    def again(cls, peer: RememberedPeer) -> "Address":
        """Where a peer was the last time."""
        pin = bytes.fromhex(peer.pin) if peer.pin else None
        return cls((peer.address,), peer.port, pin, bytes.fromhex(peer.id))


class Places:
    """The places of all others, as one peer knows them."""

    def __init__(self, me: bytes, discovery: Discovery, transport: Transport, keeper: Keeper) -> None:
        """``me``: this peer's own id."""
        self._me = me
        self._discovery = discovery
        self._transport = transport
        self._keeper = keeper
        self._given: dict[bytes, Address] = {}
        self._dialled: dict[bytes, Address] = {}
        self._noted: dict[bytes, Address] = {}
        self._remembered: dict[bytes, Address] = {}

    def of(self, player: bytes) -> Address | None:
        """Where a player can be dialled: where mDNS shows it, or where it was reached."""
        return (self._dialled | self._given | self._seen({player})).get(player)

    def recall(self) -> None:
        """Look up where everybody was the last time."""
        self._remembered = {bytes.fromhex(peer.id): Address.again(peer) for peer in self._keeper.remembered()}

    def clear(self) -> None:
        """There is no table any more at which anybody is missed."""
        self._given.clear()
        self._remembered.clear()

    # -- dialling

    async def reach(self, address: Address) -> Connection:
        """Dial, and again when the other side was too busy: many may want to sit down at the same moment. From then on
        this is where that player is.
        """
        connection = await self._reach(address)
        self._given[connection.player_id] = replace(
            address, pin=connection.fingerprint or address.pin, player=connection.player_id
        )
        return connection

    async def _reach(self, address: Address) -> Connection:
        for pause in DIAL_AGAIN:
            try:
                return await self.dial(address)
            except ProtocolError as error:
                if error.code not in _BUSY:
                    raise
                _log.info("%s is dialled again: %s", address.hosts, error)
            await asyncio.sleep(pause)
        return await self.dial(address)

    async def dial(self, address: Address) -> Connection:
        """Try one place after the other; what went wrong at the last is raised."""
        for host in address.hosts[:-1]:
            with suppress(ProtocolError):
                return await self._dial_at(host, address)
        return await self._dial_at(address.hosts[-1], address)

    async def _dial_at(self, host: str, address: Address) -> Connection:
        connection = await self._transport.dial(host, address.port, address.pin, expected=address.player)
        self._dialled[connection.player_id] = replace(address, hosts=(host,), player=connection.player_id)
        return connection

    async def dial_all(self, addresses: Iterable[Address]) -> None:
        """Dial some peers at once; who cannot be reached is tried again another time."""
        await asyncio.gather(*(self._try(address) for address in addresses))

    async def _try(self, address: Address) -> None:
        with suppress(ProtocolError):  # the others pass messages on meanwhile
            await self.dial(address)

    # -- the peers of a table

    def missing(self, others: Collection[bytes], linked: Collection[bytes], *, one_is_enough: bool) -> list[Address]:
        """Return where to dial those of the others who are not linked; ``one_is_enough``: whichever can be reached."""
        missing = set(others) - set(linked)
        if not missing or (one_is_enough and len(missing) < len(set(others))):
            return []
        seen, known = self._seen(missing), self._remembered | self._given
        if one_is_enough:
            places = known | seen
            return [places[one] for one in missing & places.keys()]
        found = [seen[player] for player in missing & seen.keys() if player > self._me or player in known]
        return found + [known[player] for player in (missing - seen.keys()) & known.keys()]

    def note(self, linked: Mapping[bytes, str]) -> None:
        """Remember where linked peers of the table, with their nicks, can be dialled."""
        places = self._seen(linked) | self._dialled
        for player in linked.keys() & places.keys():
            place = places[player]
            if self._noted.get(player) != place:
                self._noted[player] = place
                pin = place.pin if isinstance(place.pin, bytes) else None  # a short one is not all of it
                self._keeper.remember(player, linked[player], place.hosts[0], place.port, pin)

    def _seen(self, players: Iterable[bytes]) -> dict[bytes, Address]:
        """Where these are seen: asked every second, by each of perhaps hundreds of programs in a LAN."""
        seen = self._discovery.sightings({player.hex() for player in players})
        return {bytes.fromhex(sighting.id): Address.of(sighting) for sighting in seen}
