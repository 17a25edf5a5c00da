"""This program on the LAN: set up from the options, taken down again, its refusals turned into how a command ends."""

from __future__ import annotations

import asyncio
import getpass
import logging
import sys
from argparse import Namespace
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, closing, contextmanager, suppress
from typing import TypeVar

from rummy_p2p.cli import ERROR, NETWORK, RULES, USAGE, CommandError
from rummy_p2p.cli.local import store
from rummy_p2p.cli.remembering import Remembering
from rummy_p2p.journal import Journal
from rummy_p2p.node.inquiry import Inquirer
from rummy_p2p.node.peer import Peer
from rummy_p2p.node.tls import make_certificate
from rummy_p2p.people import People
from rummy_p2p.protocol.errors import NetworkError, ProtocolError
from rummy_p2p.protocol.identity import Identity
from rummy_p2p.protocol.text import NICK_LIMIT, clean
from rummy_p2p.sentences.faults import retold
from rummy_p2p.sentences.lobby import lobby_text
from rummy_p2p.store import Store, StoreError, close_log, set_up_log

T = TypeVar("T")
_log = logging.getLogger(__name__)


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
async def on_the_lan(options: Namespace, port: int = 0, *, aloud: bool = True) -> AsyncIterator[tuple[Peer, Store]]:
    """Yield a running peer with its store, and take it down afterwards; whoever sits at a table with it is told.

    ``port``: where it listens, if nothing else is wanted and it can be had. ``aloud``: whether it is told on stderr
    why nobody can be found.
    """
    files = store(options)
    journal = Journal(files.journal_file)
    with logging_to_file(options, files), closing(journal):
        peer = _peer(options, files)
        peer.keeper.journal, peer.keeper.book = journal, files
        peer.results.load = files.load_ledger
        await _start(peer, options.port if options.port is not None else files.config().port, port)
        peer.watch(Remembering(peer, files))
        try:
            if aloud and peer.discovery.trouble is not None:
                sys.stderr.write(f"rummy-p2p: {peer.discovery.trouble.sentence}\n")
            yield peer, files
        finally:
            peer.rise()
            await peer.stop()


async def _start(peer: Peer, wanted: int | None, port: int) -> None:
    """Listen at the port that is wanted; else at the other, or at any when that is taken."""
    if port and not wanted:
        with suppress(NetworkError):
            await peer.start(port)
            return
    await peer.start(wanted)


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
    peer = Peer(Identity(files.identity()), nick, _certificate(files), interfaces, files.save_ledger, files)
    peer.is_blocked = _blocked(files)
    return peer


def _blocked(files: Store) -> Callable[[bytes], bool]:
    """Return who asks whether somebody is blocked; a list that cannot be read blocks nobody."""

    def is_blocked(player: bytes) -> bool:
        try:
            return People(files.paths).is_blocked(player)
        except StoreError as error:
            _log.warning("%s", error)
            return False

    return is_blocked


@asynccontextmanager
async def inquirer(peer: Peer, files: Store) -> AsyncIterator[Inquirer]:
    """Yield somebody who asks at addresses in this player's name, and end what was not ended."""
    asking = Inquirer(peer.identity, peer.nick, _certificate(files))
    try:
        yield asking
    finally:
        await asking.stop()


def _certificate(files: Store) -> bytes:
    """Return the certificate of this installation; made at the first call ever."""
    certificate = files.certificate()
    if certificate is None:
        certificate = make_certificate()
        files.save_certificate(certificate)
    return certificate
