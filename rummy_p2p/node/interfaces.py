"""Which network interfaces the program uses, and why not the others (IPv4; IPv6 is joined by address).

Used is every interface that is up, except the loopback (unless it is all there is, or asked for), those that lead into
containers, virtual machines and VPNs, and those that carry no multicast. `--interface` overrides all of it.
`scan` asks the system, `choose` decides; only `scan` does I/O.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from ipaddress import IPv4Address, IPv4Network
from pathlib import Path

import ifaddr

from rummy_p2p.sentences.language import N_, _

VIRTUAL = ("docker", "br-", "veth", "virbr", "tun", "tap", "wg", "zt", "tailscale")

_SYSTEM = Path("/sys/class/net")
_UP = 0x1  # IFF_UP and IFF_MULTICAST of <linux/if.h>
_MULTICAST = 0x1000


class Reason(Enum):
    """Why an interface is not used."""

    DOWN = N_("it is down")
    LOOPBACK = N_("it leads to this machine only")
    VIRTUAL = N_("it belongs to a container, a virtual machine or a VPN")
    NO_MULTICAST = N_("it carries no multicast")
    NOT_ASKED = N_("another one was asked for")

    def __str__(self) -> str:
        return _(self.value)


@dataclass(frozen=True, slots=True)
class Interface:
    """One IPv4 address of one interface."""

    name: str
    address: str
    prefix: int
    up: bool = True
    multicast: bool = True

    @property
    def network(self) -> IPv4Network:
        return IPv4Network((self.address, self.prefix), strict=False)

    @property
    def is_loopback(self) -> bool:
        return IPv4Address(self.address).is_loopback

    @property
    def is_virtual(self) -> bool:
        return self.name.casefold().startswith(VIRTUAL)

    def is_called(self, asked: str) -> bool:
        return asked in (self.name, self.address)


@dataclass(frozen=True, slots=True)
class Choice:
    """What is used, and what is not and why."""

    used: tuple[Interface, ...] = ()
    rejected: tuple[tuple[Interface, Reason], ...] = ()

    @property
    def addresses(self) -> tuple[str, ...]:
        return tuple(interface.address for interface in self.used)

    @property
    def without_multicast(self) -> bool:
        """Nothing can be used, and multicast is what is missing."""
        return not self.used and any(reason is Reason.NO_MULTICAST for _, reason in self.rejected)


def choose(found: Iterable[Interface], asked: Sequence[str] = ()) -> Choice:
    """Decide. `asked` holds names or addresses; what is asked for is used even if it is virtual or the loopback."""
    judged = [(interface, _judge(interface, asked)) for interface in found]
    if not asked and not any(reason in (None, Reason.NO_MULTICAST) for _, reason in judged):
        judged = [(each, None if reason is Reason.LOOPBACK else reason) for each, reason in judged]
    return Choice(
        tuple(each for each, reason in judged if reason is None),
        tuple((each, reason) for each, reason in judged if reason is not None),
    )


def _judge(interface: Interface, asked: Sequence[str]) -> Reason | None:
    if asked and not any(map(interface.is_called, asked)):
        return Reason.NOT_ASKED
    if not interface.up:
        return Reason.DOWN
    if interface.is_loopback:  # Linux sets no multicast flag on it, and yet it carries multicast
        return None if asked else Reason.LOOPBACK
    if interface.is_virtual and not asked:
        return Reason.VIRTUAL
    return None if interface.multicast else Reason.NO_MULTICAST


def scan() -> tuple[Interface, ...]:
    """All IPv4 addresses of this machine, in a stable order. Raises OSError when the system does not tell."""
    found = [
        Interface(adapter.nice_name, str(ip.ip), ip.network_prefix, *_flags(adapter.name))
        for adapter in ifaddr.get_adapters()
        for ip in adapter.ips
        if ip.is_IPv4
    ]
    return tuple(sorted(found, key=lambda each: (each.name, IPv4Address(each.address))))


def _flags(name: str) -> tuple[bool, bool]:
    """(up, multicast) as Linux says; elsewhere an address means that both are so."""
    device = str(name).partition(":")[0]  # eth0:1 is an alias of eth0
    try:
        flags = int((_SYSTEM / device / "flags").read_text(encoding="ascii"), 16)
    except (OSError, ValueError):
        return True, True
    return bool(flags & _UP), bool(flags & _MULTICAST)
