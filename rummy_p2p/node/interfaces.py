"""Which network interfaces the program uses, and why not the others. mDNS uses their IPv4 addresses; at the IPv6
addresses of the same interfaces the program only listens, for those who join by address.

Used is every interface that is up, except the loopback (unless it is all there is, or asked for), those that lead into
containers, virtual machines and VPNs, and those that carry no multicast. `--interface` overrides all of it.
`scan` asks the system, `choose` decides; only `scan` does I/O.
"""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from ipaddress import IPv4Network, IPv6Address, ip_address
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
    """One address of one interface. An IPv6 address that holds on one link alone has its zone, as in fe80::1%eth0."""

    name: str
    address: str
    prefix: int
    up: bool = True
    multicast: bool = True

    @property
    def is_ipv6(self) -> bool:
        return ":" in self.address

    @property
    def network(self) -> IPv4Network:
        return IPv4Network((self.address, self.prefix), strict=False)

    @property
    def is_loopback(self) -> bool:
        return ip_address(self.address).is_loopback

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
    used6: tuple[Interface, ...] = ()

    @property
    def addresses(self) -> tuple[str, ...]:
        return tuple(interface.address for interface in self.used)

    @property
    def linked(self) -> tuple[Interface, ...]:
        """Those by which others are reached at least by address: also where multicast does not pass."""
        return self.used + tuple(each for each, reason in self.rejected if reason is Reason.NO_MULTICAST)

    @property
    def listening(self) -> tuple[str, ...]:
        """Where to take connections."""
        return (*(each.address for each in self.linked), *self.addresses6)

    @property
    def addresses6(self) -> tuple[str, ...]:
        return tuple(interface.address for interface in self.used6)

    @property
    def without_multicast(self) -> bool:
        """Nothing can be used, and multicast is what is missing."""
        return not self.used and any(reason is Reason.NO_MULTICAST for _, reason in self.rejected)


def choose(found: Iterable[Interface], asked: Sequence[str] = ()) -> Choice:
    """Decide. `asked` holds names or addresses; what is asked for is used even if it is virtual or the loopback."""
    every = tuple(found)
    judged = [(each, _judge(each, asked)) for each in every if not each.is_ipv6]
    if not asked and not any(reason in (None, Reason.NO_MULTICAST) for _, reason in judged):
        judged = [(each, None if reason is Reason.LOOPBACK else reason) for each, reason in judged]
    return Choice(
        tuple(each for each, reason in judged if reason is None),
        tuple((each, reason) for each, reason in judged if reason is not None),
        tuple(each for each in every if each.is_ipv6 and _judge(each, asked) in (None, Reason.NO_MULTICAST)),
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
    """All addresses of this machine, in a stable order. Raises OSError when the system does not tell."""
    found = [
        Interface(adapter.nice_name, _address(ip, adapter.nice_name), ip.network_prefix, *_flags(adapter.name))
        for adapter in ifaddr.get_adapters()
        for ip in adapter.ips
    ]
    return tuple(sorted(found, key=lambda each: (each.name, each.is_ipv6, int(ip_address(each.address)))))


def _address(ip: ifaddr.IP, name: str) -> str:
    """An address as it can be listened at."""
    if isinstance(ip.ip, str):
        return ip.ip
    address, _, zone = ip.ip
    return f"{address}%{name if os.name == 'posix' else zone}" if IPv6Address(address).is_link_local else address


def _flags(name: str) -> tuple[bool, bool]:
    """(up, multicast) as Linux says; elsewhere an address means that both are so."""
    device = str(name).partition(":")[0]  # eth0:1 is an alias of eth0
    try:
        flags = int((_SYSTEM / device / "flags").read_text(encoding="ascii"), 16)
    except (OSError, ValueError):
        return True, True
    return bool(flags & _UP), bool(flags & _MULTICAST)
