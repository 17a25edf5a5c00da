"""host --ssh: guests who have nothing but an ssh client play at this program, on the same full screen."""

from __future__ import annotations

import asyncio
from argparse import Namespace
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Final, TextIO, cast

from prompt_toolkit.application import create_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from rummy_p2p.cli import ERROR, NETWORK, USAGE, CommandError
from rummy_p2p.node.guests import Guests, NoGuest
from rummy_p2p.node.peer import ALONE, Peer
from rummy_p2p.node.players import BotPlayer
from rummy_p2p.protocol.table import TableSession
from rummy_p2p.sentences import use_language
from rummy_p2p.sentences.guests import guest_text
from rummy_p2p.store import Store
from rummy_p2p.ui.glyphs import ASCII, UNICODE
from rummy_p2p.ui.screen import Screen
from rummy_p2p.ui.style import Look
from rummy_p2p.ui.table_room import TableRoom

if TYPE_CHECKING:
    from rummy_p2p.node.ssh import GuestTerminal, SshDoor

LANGUAGES: Final = ("en", "sv", "nb", "tr", "ro")
_PLAIN_TERMINALS: Final = ("dumb", "")


class Invitation:
    """How guests come here: what they type, and the key that they are shown."""

    def __init__(self, address: str, port: int, fingerprint: str, dismiss: Callable[[str], bool]) -> None:
        """Of a door that is open; ``dismiss`` sends a guest away."""
        self.dismiss = dismiss
        self.command = f"ssh -p {port} NAME@{address}"
        self.fingerprint = fingerprint

    @property
    def lines(self) -> tuple[str, ...]:
        """What the host's terminal says."""
        return guest_text("open"), self.command, guest_text("host-key", fingerprint=self.fingerprint)


def require_ssh(port: int) -> None:
    """Refuse at once what could not be done at the table."""
    if not 0 <= port <= 65535:
        raise CommandError(guest_text("bad-port", port=port), USAGE)
    try:
        import asyncssh  # noqa: F401 -- whether it can be imported is the question
    except ImportError as error:
        raise CommandError(guest_text("no-ssh"), ERROR) from error


@asynccontextmanager
async def guests_by_ssh(
    options: Namespace, peer: Peer, files: Store, session: TableSession, bots: BotPlayer
) -> AsyncIterator[Invitation]:
    """Let guests in as long as this lasts."""
    guests = Guests(peer, session)
    bots.stands_in = guests.stands_in
    door = _door(files, options, guests)
    try:
        addresses = [each.address for each in peer.discovery.choice.linked] or ALONE
        await _open(door, addresses, options.ssh)
        yield Invitation(addresses[0], door.port, door.fingerprint, guests.dismiss)
    finally:
        bots.stands_in = tuple
        guests.close()
        await door.stop()


async def _open(door: SshDoor, addresses: Sequence[str], port: int) -> None:
    try:
        await door.start(addresses, port)
    except OSError as error:
        why = error.strerror or str(error)
        raise CommandError(guest_text("port-taken", port=port, why=why), NETWORK) from error


def _door(files: Store, options: Namespace, guests: Guests) -> SshDoor:
    """Return the door with the key of this installation; made at the first call ever."""
    from rummy_p2p.node.ssh import BadHostKey, SshDoor, make_host_key

    key = files.ssh_host_key()
    if key is None:
        key = make_host_key()
        files.save_ssh_host_key(key)
    try:
        return SshDoor(key, getattr(options, "password", None), lambda terminal: serve(terminal, guests))
    except BadHostKey as error:
        path = files.paths.data / "ssh_host_ed25519_key"
        raise CommandError(guest_text("bad-key", path=str(path)), ERROR) from error


async def serve(terminal: GuestTerminal, guests: Guests) -> None:
    """Show the game on a guest's terminal, from the first picture to the last word."""
    use_language(_language(terminal))
    try:
        await _play(terminal, guests)
        terminal.write(f"{guest_text('ended')}\r\n")
    except NoGuest as error:
        terminal.write(f"{error}\r\n")
    except asyncio.CancelledError:  # the connection is gone, or is to go
        terminal.write(f"{guest_text('too-much' if terminal.too_much else 'ended')}\r\n")


async def _play(terminal: GuestTerminal, guests: Guests) -> None:
    login = terminal.login
    if terminal.kind in _PLAIN_TERMINALS:
        raise NoGuest(guest_text("no-terminal"))
    seat = guests.sit(login.name, login.address, terminal.end, invited=login.invited)
    try:
        with create_pipe_input() as keys, _app_session(terminal, keys) as output:
            terminal.on_keys = keys.send_text
            screen = Screen(_look(login.wishes), input=keys, output=output)
            room = TableRoom(screen, seat, facts=seat.facts)
            room.begin()
            await screen.run(room, alone=False)
    finally:
        terminal.on_keys = None
        guests.drop(seat)


@contextmanager
def _app_session(terminal: GuestTerminal, keys: PipeInput) -> Iterator[Vt100_Output]:
    """Let the toolkit draw on a guest's terminal."""

    def size() -> Size:
        columns, rows = terminal.size
        return Size(rows=rows, columns=columns)

    stdout = cast("TextIO", _Written(terminal))
    output = Vt100_Output(stdout, size, term=terminal.kind, enable_cpr=False)
    with create_app_session(input=keys, output=output):
        yield output


class _Written:
    """What of a file the toolkit wants to write to."""

    encoding = "utf-8"

    def __init__(self, terminal: GuestTerminal) -> None:
        self._terminal = terminal

    def write(self, text: str) -> None:
        """Send it."""
        self._terminal.write(text)

    def flush(self) -> None:
        """It has been sent."""

    def isatty(self) -> bool:
        """Whether somebody looks at it."""
        return True


def _look(wishes: Sequence[str]) -> Look:
    """Return how a guest wants it, who writes so behind the name: ``Cem+ascii+mono``."""
    glyphs = ASCII if "ascii" in wishes else UNICODE
    look = Look(glyphs=glyphs, colours="never" if "mono" in wishes else "always", mouse="nomouse" not in wishes)
    return replace(look, deck="mono") if "mono" in wishes else look


def _language(terminal: GuestTerminal) -> str:
    """Return the language that a guest has asked for behind the name, else that of the guest's machine."""
    wanted = next((wish for wish in terminal.login.wishes if wish in LANGUAGES), terminal.language[:2])
    return wanted if wanted in LANGUAGES else "en"
