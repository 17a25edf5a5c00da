"""This program on the LAN: set up from the options, taken down again, its refusals turned into how a command ends."""

from __future__ import annotations

import asyncio
import getpass
import sys
from argparse import Namespace
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import TypeVar

from rummy_p2p.cli import ERROR, NETWORK, RULES, USAGE, CommandError
from rummy_p2p.cli.local import store
from rummy_p2p.node.peer import Peer
from rummy_p2p.node.tls import make_certificate
from rummy_p2p.protocol.errors import ProtocolError
from rummy_p2p.protocol.identity import Identity
from rummy_p2p.protocol.text import NICK_LIMIT, clean
from rummy_p2p.sentences.faults import retold
from rummy_p2p.sentences.lobby import lobby_text
from rummy_p2p.store import Store, StoreError, close_log, set_up_log

T = TypeVar("T")


def run(work: Coroutine[object, object, T]) -> T:
    """Run a command on an event loop of its own."""
    with refusals():
        return asyncio.run(work)


@contextmanager
def refusals() -> Iterator[None]:
    """What the network, another program or the disk refuses ends the command with its sentence."""
    try:
        yield
    except ProtocolError as error:
        if error.code == "own-address":  # nobody calls the program that runs; it is another one with the same identity
            raise CommandError(lobby_text("twin"), USAGE) from error
        raise CommandError(retold(str(error)), exit_code_of(error.code)) from error
    except StoreError as error:
        raise CommandError(str(error), ERROR) from error


def exit_code_of(code: str) -> int:
    """Return the exit code for what a table or a link refuses."""
    return RULES if code in ("rules-mismatch", "version-mismatch") else NETWORK


@asynccontextmanager
async def on_the_lan(options: Namespace) -> AsyncIterator[tuple[Peer, Store]]:
    """Yield a running peer with its store, and take it down afterwards; whoever sits at a table with it is told."""
    files = store(options)
    with logging_to_file(options, files):
        peer = _peer(options, files)
        await peer.start(options.port if options.port is not None else files.config().port or 0)
        try:
            if peer.discovery.trouble is not None:
                sys.stderr.write(f"rummy-p2p: {peer.discovery.trouble.sentence}\n")
            yield peer, files
        finally:
            peer.rise()
            await peer.stop()


@contextmanager
def logging_to_file(options: Namespace, files: Store) -> Iterator[None]:
    """Write what goes wrong into the log file while this lasts."""
    log = set_up_log(files.paths, (options.log_level or "warning").upper())
    try:
        yield
    finally:
        close_log(log)


def _peer(options: Namespace, files: Store) -> Peer:
    config = files.config()
    nick = clean(options.nick or config.nick or getpass.getuser(), NICK_LIMIT) or "player"
    interfaces = options.interface or ([config.interface] if config.interface else [])
    return Peer(Identity(files.identity()), nick, _certificate(files), interfaces, files.save_ledger, files)


def _certificate(files: Store) -> bytes:
    """Return the certificate of this installation; made at the first call ever."""
    certificate = files.certificate()
    if certificate is None:
        certificate = make_certificate()
        files.save_certificate(certificate)
    return certificate
