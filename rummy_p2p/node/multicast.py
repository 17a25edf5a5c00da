"""Does multicast go out and come in at one interface? A question of mDNS is sent there, and who is heard is noted.

The question that comes back proves that this machine sends and hears; only an answer of somebody else proves that the
network carries it.
"""

import asyncio
import errno
import secrets
import socket
import struct
from collections.abc import Collection
from dataclasses import dataclass, field
from ipaddress import IPv4Address

from rummy_p2p.node.announcement import SERVICE_TYPE

GROUP, PORT = "224.0.0.251", 5353
ALL_SERVICES = "_services._dns-sd._udp.local."  # what every responder answers, whatever it is for
_ONLY_OURS = 49  # IP_MULTICAST_ALL of <linux/in.h>: hear only what comes in at the interface that was joined
_PTR, _INTERNET = 12, 1  # of RFC 1035
_SIZE = 9000


@dataclass(slots=True)
class Heard:
    """What came of it: `error` is the number with which the system refused, `others` the addresses that were heard."""

    error: int = 0
    own: bool = False
    others: set[str] = field(default_factory=set)


def port_error() -> int:
    """0 when UDP port 5353 can be shared with whoever else uses it here, else the system's error number."""
    try:
        _shared_socket().close()
    except OSError as error:
        return error.errno or errno.EIO
    return 0


async def listen_at(address: str, own: Collection[str], seconds: float) -> Heard:
    """Ask at the interface with this address, and listen for so long."""
    heard = Heard()
    try:
        joined = _join(address)
    except OSError as error:
        heard.error = error.errno or errno.EIO
        return heard
    with joined:
        question = _question()
        try:
            await asyncio.get_running_loop().sock_sendto(joined, question, (GROUP, PORT))
        except OSError as error:
            heard.error = error.errno or errno.EIO
            return heard
        await _note(joined, question, set(own), heard, seconds)
    return heard


async def _note(joined: socket.socket, question: bytes, own: set[str], heard: Heard, seconds: float) -> None:
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout(seconds):
            while True:
                data, (sender, *_) = await loop.sock_recvfrom(joined, _SIZE)
                if data == question:
                    heard.own = True
                elif sender not in own:
                    heard.others.add(sender)
    except OSError:  # the time is over (TimeoutError is one), or the interface has just gone
        return


def _shared_socket() -> socket.socket:
    made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "SO_REUSEPORT"):
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        made.bind(("", PORT))
    except OSError:
        made.close()
        raise
    return made


def _join(address: str) -> socket.socket:
    joined = _shared_socket()
    try:
        here = IPv4Address(address).packed
        if hasattr(socket, "SO_BINDTODEVICE"):  # Linux
            joined.setsockopt(socket.IPPROTO_IP, _ONLY_OURS, 0)
        joined.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, here)
        joined.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_LOOP, 1)
        joined.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 255)
        joined.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, IPv4Address(GROUP).packed + here)
        joined.setblocking(False)  # noqa: FBT003 - it has no other form
    except OSError:
        joined.close()
        raise
    return joined


def _question() -> bytes:
    """A packet of DNS that nobody else sends in the same bytes."""
    names = (ALL_SERVICES, SERVICE_TYPE, f"doctor-{secrets.token_hex(4)}.{SERVICE_TYPE}")
    asked = [_name(name) + struct.pack(">2H", _PTR, _INTERNET) for name in names]
    return struct.pack(">6H", 0, 0, len(asked), 0, 0, 0) + b"".join(asked)


def _name(dotted: str) -> bytes:
    labels = [label.encode() for label in dotted.rstrip(".").split(".")]
    return b"".join(bytes([len(label)]) + label for label in labels) + bytes(1)
