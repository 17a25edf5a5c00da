"""What works between this machine and the LAN, layer by layer, from the interfaces outwards. Changes nothing.

`examine` yields one `Check` after the other, so that a screen can show each as it comes. The way to one given peer is
`doctor_peer`.
"""

import asyncio
import errno
import os
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing

from rummy_p2p.node import multicast
from rummy_p2p.node.announcement import Sighting
from rummy_p2p.node.checks import Check, Facts, Layer
from rummy_p2p.node.inquiry import Inquirer
from rummy_p2p.node.interfaces import Interface
from rummy_p2p.node.ladder import by_memory
from rummy_p2p.node.liveness import probe
from rummy_p2p.node.peer import Peer
from rummy_p2p.node.routes import route_to
from rummy_p2p.protocol.errors import ProtocolError
from rummy_p2p.store import RememberedPeer

MOST_ASKED = 3
MOST_PROBES = 4
PROBE_AGAIN = 1.0  # seconds; a new IPv6 address is checked for twins before it can be used
_SOMEWHERE = "192.0.2.1"  # an address of nobody (RFC 5737): whither everything goes that is not on the LAN
_TAKEN = (errno.EADDRINUSE, errno.EACCES)


class Doctor:
    """One examination of a peer that runs."""

    def __init__(
        self, peer: Peer, inquirer: Inquirer, remembered: Sequence[RememberedPeer] = (), seconds: float = 3.0
    ) -> None:
        """``seconds``: how long to listen for others."""
        self._peer = peer
        self._inquirer = inquirer
        self._remembered = remembered
        self._seconds = seconds
        self._met: dict[str, Sighting] = {}

    async def examine(self) -> AsyncGenerator[Check, None]:
        """Look at everything that needs no given peer."""
        for check in self._interfaces():
            yield check
        yield self._port_5353()
        for layer in (self._multicast(), self._neighbours(), self._listener(), self._reachable()):
            async with aclosing(layer) as checks:
                async for check in checks:
                    yield check

    # -- this machine

    def _interfaces(self) -> list[Check]:
        """Why each is used or not; without one that is used, that is the failing layer."""
        choice = self._peer.discovery.choice
        found = [Check(Layer.INTERFACE, "used", facts=_named(each)) for each in (*choice.used, *choice.used6)]
        found += [
            Check(Layer.INTERFACE, "not-used", facts=_named(each) | {"why": str(reason)})
            for each, reason in choice.rejected
        ]
        if not choice.used:
            multicast_missing = choice.without_multicast
            code = "no-multicast-interface" if multicast_missing else "no-interface"
            found.append(Check(Layer.INTERFACE, code, ok=False, fix="no-interface"))
        elif all(each.is_loopback for each in choice.used):
            found.append(Check(Layer.INTERFACE, "loopback-only", ok=False, fix="no-interface"))
        return [*found, *self._vpn()]

    def _vpn(self) -> list[Check]:
        """A VPN that takes what is not for the LAN; some of them take the rest as well."""
        route = route_to(_SOMEWHERE, self._peer.discovery.choice)
        if not route.is_virtual or route.interface is None:
            return []
        return [Check(Layer.ROUTE, "vpn", facts=_named(route.interface), fix="vpn-on")]

    def _port_5353(self) -> Check:
        error = multicast.port_error()
        if not error:
            return Check(Layer.PORT_5353, "port-shared")
        code = "port-taken" if error in _TAKEN else "port-failed"
        return Check(Layer.PORT_5353, code, ok=False, facts={"why": _words(error)}, fix="port-taken")

    # -- the network

    async def _multicast(self) -> AsyncGenerator[Check, None]:
        """Send and listen at all interfaces at once."""
        used = [each for each in self._peer.discovery.choice.used if not each.is_loopback]
        own = self._peer.discovery.choice.listening
        asked = [multicast.listen_at(each.address, own, self._seconds) for each in used]
        for each, heard in zip(used, await asyncio.gather(*asked), strict=True):
            yield self._judge(each, heard)

    def _judge(self, interface: Interface, heard: multicast.Heard) -> Check:
        facts = _named(interface) | {"others": len(heard.others)}
        if heard.error in _TAKEN:
            return Check(Layer.MULTICAST, "multicast-no-port", facts=facts, skipped=True)
        if heard.error:
            facts["why"] = _words(heard.error)
            return Check(Layer.MULTICAST, "multicast-refused", ok=False, facts=facts, fix="multicast-refused")
        if heard.others:
            return Check(Layer.MULTICAST, "multicast-heard", facts=facts)
        if not heard.own:
            return Check(Layer.MULTICAST, "multicast-deaf", ok=False, facts=facts, fix="open-firewall")
        return Check(Layer.MULTICAST, "multicast-alone", facts=facts, fix="multicast-alone")

    async def _neighbours(self) -> AsyncGenerator[Check, None]:
        """Who is seen by mDNS; and, where that is nobody, whether those from last time are where they were."""
        discovery = self._peer.discovery
        seen = [each for each in discovery.sightings() if each.live]
        self._met.update((each.id, each) for each in seen)
        if discovery.trouble is not None:
            yield Check(Layer.NEIGHBOURS, "trouble", ok=False, facts={"why": discovery.trouble.sentence}, fix="by-code")
        elif seen:
            yield Check(Layer.NEIGHBOURS, "seen", facts={"names": _names(seen), "count": len(seen)})
        else:
            yield Check(Layer.NEIGHBOURS, "nobody-seen", fix="nobody-seen")
        async with aclosing(by_memory(self._inquirer, self._remembered, set(self._met))) as steps:
            async for step in steps:
                if step.found is not None:
                    self._met[step.found.id] = step.found
                    yield self._not_seen(step.found)

    def _not_seen(self, found: Sighting) -> Check:
        """Somebody answers by TCP and was not heard: it is multicast alone that does not pass."""
        facts = {"name": found.nick, "address": found.addresses[0]}
        return Check(Layer.MULTICAST, "multicast-dropped", ok=False, facts=facts, fix="multicast-dropped")

    # -- being reached

    async def _listener(self) -> AsyncGenerator[Check, None]:
        """Whether the own port takes connections at each own address."""
        choice, port = self._peer.discovery.choice, self._peer.transport.port
        for address in choice.listening:
            ok = await self._takes_connections(address, port)
            facts: Facts = {"address": address, "port": port}
            yield Check(Layer.LISTENER, "listens" if ok else "deaf", ok=ok, facts=facts, fix="" if ok else "deaf")

    async def _takes_connections(self, address: str, port: int) -> bool:
        """Whether the own port answers there; an interface that has just come up is given a moment."""
        for _ in range(MOST_PROBES):
            if await probe(address, port):
                return True
            await asyncio.sleep(PROBE_AGAIN)
        return False

    async def _reachable(self) -> AsyncGenerator[Check, None]:
        """Whether others can connect to us, as they say."""
        port = self._peer.transport.port
        asked = list(self._met.values())[:MOST_ASKED]
        if not asked:
            yield Check(Layer.REACHABLE, "nobody-to-ask", facts={"port": port}, fix="open-firewall", skipped=True)
        for each in asked:
            yield await self._called_back(each, port)

    async def _called_back(self, peer: Sighting, port: int) -> Check:
        facts: Facts = {"name": peer.nick, "port": port}
        try:
            reached = await self._inquirer.called_back(peer.addresses[0], peer.port, port, bytes.fromhex(peer.pin))
        except ProtocolError as error:
            facts["why"] = str(error)
            return Check(Layer.REACHABLE, "not-asked", facts=facts, skipped=True)
        if reached is None:
            return Check(Layer.REACHABLE, "no-word", facts=facts, skipped=True)
        if reached:
            return Check(Layer.REACHABLE, "called-back", facts=facts)
        return Check(Layer.REACHABLE, "not-reached", ok=False, facts=facts, fix="open-firewall")


def _named(interface: Interface) -> Facts:
    return {"name": interface.name, "address": interface.address}


def _names(seen: Sequence[Sighting]) -> str:
    shown = ", ".join(each.nick for each in seen[:8])
    return shown if len(seen) <= 8 else f"{shown} ..."


def _words(number: int) -> str:
    return os.strerror(number)
