"""Keeps in mind whom this program has spoken with and where, so that they are found again where mDNS does not pass."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator

from rummy_p2p.node.peer import Peer
from rummy_p2p.store import RememberedPeer, Store, StoreError

_log = logging.getLogger(__name__)


class Remembering:
    """Called whenever links may have changed; writes down each place once. A disk that is full stops nothing."""

    def __init__(self, peer: Peer, files: Store) -> None:
        """Begin with what is linked at the first call."""
        self._peer = peer
        self._files = files
        self._written: set[tuple[str, str, int]] = set()

    def __call__(self) -> None:
        """Write down who is new."""
        for found in acquaintances(self._peer):
            place = (found.id, found.address, found.port)
            if place not in self._written:
                self._written.add(place)
                try:
                    self._files.remember(found)
                except StoreError as error:
                    _log.warning("a peer was not written down: %s", error)


def acquaintances(peer: Peer) -> Iterator[RememberedPeer]:
    """Yield those who are linked now and whose door is known: we have called them there, or they announce it."""
    seen = {bytes.fromhex(each.id): each for each in peer.discovery.sightings() if each.live}
    now = int(time.time())
    for link in peer.transport.connections:
        announced = seen.get(link.player_id)
        if link.fingerprint:
            pin = link.fingerprint.hex()
            yield RememberedPeer(link.player_id.hex(), link.nick, link.address, link.port, pin, now)
        elif announced is not None:
            where = announced.addresses[0]
            yield RememberedPeer(announced.id, announced.nick, where, announced.port, announced.pin, now)
