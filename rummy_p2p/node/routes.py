"""Which way packets to an address would go, and whether its machine is there at all. Nothing is sent."""

import socket
from dataclasses import dataclass
from enum import Enum
from ipaddress import ip_address
from pathlib import Path

from rummy_p2p.node.interfaces import Choice, Interface

_ARP = Path("/proc/net/arp")
_COMPLETE = 0x2  # ATF_COM of <linux/if_arp.h>


@dataclass(frozen=True, slots=True)
class Route:
    """From which own address; None when there is no way. `interface` is known for IPv4 alone."""

    source: str | None
    interface: Interface | None = None

    @property
    def is_virtual(self) -> bool:
        return self.interface is not None and self.interface.is_virtual


def route_to(address: str, choice: Choice) -> Route:
    """The way that the system would take."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    try:
        *_, place = socket.getaddrinfo(address, 9, family, socket.SOCK_DGRAM, flags=socket.AI_NUMERICHOST)[0]
        with socket.socket(family, socket.SOCK_DGRAM) as sock:
            sock.connect(place)  # of UDP: this only looks up the way
            source = str(sock.getsockname()[0])
    except OSError:
        return Route(None)
    known = [*choice.used, *choice.used6, *(each for each, _ in choice.rejected)]
    return Route(source, next((each for each in known if each.address == source), None))


def is_near(address: str, choice: Choice) -> bool:
    """Whether the address is on one of the networks that are used."""
    if ":" in address:
        return ip_address(address).is_link_local
    return any(ip_address(address) in each.network for each in choice.linked)


class Presence(Enum):
    """What the own network knows of a machine: its hardware answers, does not answer, or nobody can tell."""

    THERE = "there"
    SILENT = "silent"
    UNKNOWN = "unknown"


def presence(address: str, table: Path = _ARP) -> Presence:
    """Whether the machine answered when it was called just now (ARP, as Linux tells it)."""
    try:
        lines = table.read_text(encoding="ascii", errors="replace").splitlines()[1:]
    except OSError:
        return Presence.UNKNOWN
    for fields in map(str.split, lines):
        if len(fields) > 2 and fields[0] == address:
            return Presence.THERE if int(fields[2], 16) & _COMPLETE else Presence.SILENT
    return Presence.UNKNOWN
