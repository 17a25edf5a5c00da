"""The sockets on which a program listens: one for each address, all on one port."""

import errno
import os
import socket
from collections.abc import Sequence

from rummy_p2p.protocol.errors import NetworkError

_TRIES = 10  # for one free port on several addresses


def listen(addresses: Sequence[str], port: int) -> list[socket.socket]:
    """One socket for each address, all on one port. A port that is free here may be taken there: then try another."""
    tries = 1 if port else _TRIES
    while True:
        tries -= 1
        try:
            return _open_all(addresses, port)
        except NetworkError as error:
            if error.code != "port-taken" or not tries:
                raise


def _open_all(addresses: Sequence[str], port: int) -> list[socket.socket]:
    """The first address chooses the port when it is 0. All or none."""
    opened: list[socket.socket] = []
    try:
        for address in addresses:
            opened.append(open_at(address, port))
            port = opened[0].getsockname()[1]
    except NetworkError:
        for listener in opened:
            listener.close()
        raise
    return opened


def open_at(address: str, port: int) -> socket.socket:
    """One socket; NetworkError port-taken, port-forbidden, no-such-address or cannot-listen."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    try:
        *_, place = socket.getaddrinfo(address, port, family, socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST)[0]
        listener = socket.create_server(place, family=family)  # fe80:: needs all four parts
    except OSError as error:
        code = _LISTEN_CODES.get(error.errno or 0, "cannot-listen")
        raise NetworkError(code, address=address, port=port, why=reason(error)) from error
    listener.setblocking(False)  # noqa: FBT003 - it has no other form
    return listener


_LISTEN_CODES = {
    errno.EADDRINUSE: "port-taken",
    errno.EACCES: "port-forbidden",
    errno.EADDRNOTAVAIL: "no-such-address",
}


def reason(error: OSError) -> str:
    """The system's words. asyncio puts its own into strerror; resolvers have negative numbers that are not errno's."""
    return os.strerror(error.errno) if error.errno and error.errno > 0 else error.strerror or str(error)
