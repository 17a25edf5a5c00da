"""host --ssh: what a guest is shown, what the host is told, and why it may not be possible."""

import asyncio
import sys
from argparse import Namespace
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import asyncssh
import pyte
import pytest

from rummy_p2p.bots import LEVELS
from rummy_p2p.cli import CommandError
from rummy_p2p.cli.network import plan
from rummy_p2p.cli.parser import make_parser
from rummy_p2p.cli.ssh_guests import Invitation, guests_by_ssh
from rummy_p2p.node.peer import Peer
from rummy_p2p.node.players import BotPlayer
from rummy_p2p.store import Paths, Store
from tests.node.party import open_table, party, played, start, until

PATIENCE = 20.0


@asynccontextmanager
async def hosted(folder: Path, seats: int = 2, **words: object) -> AsyncIterator[tuple[Peer, Invitation]]:
    """Ada with a table, and the door open."""
    async with party("Ada") as made:
        (ada,) = made.peers
        session = open_table(ada, seats)
        bots = BotPlayer(ada, LEVELS["normal"], 7, everything=False)
        options = Namespace(**({"ssh": 0, "password": None} | words))
        try:
            async with guests_by_ssh(options, ada, Store(Paths.of(folder)), session, bots) as invitation:
                yield ada, invitation
        finally:
            bots.close()


class Guest:
    """A guest's ssh client, and the screen that it shows."""

    def __init__(self, connection: asyncssh.SSHClientConnection, shell: asyncssh.SSHClientProcess[str]) -> None:
        self.connection = connection
        self.shell = shell
        self.said = ""
        self._screen = pyte.Screen(80, 24)
        self._stream = pyte.Stream(self._screen)

    @property
    def shown(self) -> str:
        return "\n".join(self._screen.display)

    async def until(self, holds: Callable[[], bool]) -> None:
        """Read on until something holds."""
        async with asyncio.timeout(PATIENCE):
            while not holds():
                text = await self.shell.stdout.read(65536)
                assert text, self.said
                self.said += text
                self._stream.feed(text)

    async def sees(self, text: str) -> None:
        await self.until(lambda: text in self.shown)

    async def reads(self) -> str:
        """Everything that is said up to the end."""
        async with asyncio.timeout(PATIENCE):
            while text := await self.shell.stdout.read(65536):
                self.said += text
        return self.said


@asynccontextmanager
async def guest(
    invitation: Invitation, name: str = "Cem", term: str | None = "xterm", password: str | None = None
) -> AsyncIterator[Guest]:
    port = int(invitation.command.split()[2])
    async with asyncssh.connect(
        "127.0.0.1", port, username=name, password=password, known_hosts=None, client_keys=None, config=None
    ) as connection:
        size = None if term is None else (80, 24)
        shell = await connection.create_process(term_type=term, term_size=size)
        yield Guest(connection, shell)
        connection.abort()


def test_a_guest_gets_the_full_screen_and_plays_on_it(tmp_path: Path) -> None:
    async def scene() -> None:
        async with hosted(tmp_path) as (ada, invitation):
            assert invitation.lines[1].startswith("ssh -p ")
            assert "SHA256:" in invitation.lines[2]
            async with guest(invitation) as cem:
                await cem.sees("✓ by ssh")
                await cem.sees("You are a guest at the program of Ada")
                start(ada)
                await cem.sees("d Draw")
                session = ada.session
                assert session is not None
                assert session.match is not None
                assert session.match.seats[1].name == "Cem"
                cem.shell.stdin.write("q")
                await cem.sees("Leave")
                cem.shell.stdin.write("y")
                assert "Thank you for playing" in await cem.reads()

    played(scene)


def test_what_stands_behind_the_name_is_how_the_guest_wants_it(tmp_path: Path) -> None:
    async def scene() -> None:
        async with hosted(tmp_path) as (_ada, invitation), guest(invitation, "Cem+ascii+mono+sv") as cem:
            await cem.sees("2 Cem")
            assert ".- " in cem.shown
            assert "╭" not in cem.shown
            assert "\x1b[0;31" not in cem.said

    played(scene)


def test_without_a_terminal_or_with_too_much_the_guest_is_told_why(tmp_path: Path) -> None:
    async def scene() -> None:
        async with hosted(tmp_path) as (ada, invitation):
            async with guest(invitation, term=None) as cem:
                assert "The game needs a terminal" in await cem.reads()
            async with guest(invitation, term="dumb") as cem:
                assert "The game needs a terminal" in await cem.reads()
            async with guest(invitation) as cem:
                await cem.sees("by ssh")
                cem.shell.stdin.write(" " * 40_000)
                assert "More was typed than the game can take" in await cem.reads()
            session = ada.session
            assert session is not None
            await until(lambda: len(session.seats) == 2, ada)

    played(scene)


def test_the_password_of_the_table_is_asked_for(tmp_path: Path) -> None:
    async def scene() -> None:
        async with hosted(tmp_path, password="kestrel amber lantern") as (_ada, invitation):  # noqa: S106 -- a test's
            with pytest.raises(asyncssh.PermissionDenied):
                async with guest(invitation, password="kestrel"):  # noqa: S106 -- as above
                    pass
            async with guest(invitation, password="Kestrel Amber Lantern") as cem:  # noqa: S106 -- as above
                await cem.sees("by ssh")

    played(scene)


def test_when_the_table_is_closed_every_guest_is_told(tmp_path: Path) -> None:
    async def scene() -> None:
        async with hosted(tmp_path) as (_ada, invitation):
            connected = guest(invitation)
            cem = await connected.__aenter__()
            await cem.sees("by ssh")
        assert "The table was closed." in await cem.reads()
        await connected.__aexit__(None, None, None)

    played(scene)


def test_the_host_key_is_kept(tmp_path: Path) -> None:
    async def scene() -> None:
        async with hosted(tmp_path) as (_ada, first):
            pass
        async with hosted(tmp_path) as (_ada, second):
            assert first.fingerprint == second.fingerprint
        key = tmp_path / "data" / "ssh_host_ed25519_key"
        assert key.stat().st_mode & 0o077 == 0
        key.write_bytes(b"rubbish")
        with pytest.raises(CommandError, match="Move it away to get a new one"):
            async with hosted(tmp_path):
                pass

    played(scene)


def test_a_port_that_is_taken_is_told(tmp_path: Path) -> None:
    async def scene() -> None:
        async with hosted(tmp_path) as (_ada, invitation):
            port = int(invitation.command.split()[2])
            with pytest.raises(CommandError, match=f"port {port} is not free"):
                async with hosted(tmp_path, ssh=port):
                    pass

    played(scene)


def test_what_cannot_be_is_refused_before_anything_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CommandError, match="70000 is not a port"):
        plan(make_parser().parse_args(["host", "rummy-no", "--ssh", "70000"]))
    monkeypatch.setitem(sys.modules, "asyncssh", None)
    with pytest.raises(CommandError, match=r"pip install 'rummy-p2p\[ssh\]'"):
        plan(make_parser().parse_args(["host", "rummy-no", "--ssh"]))


def test_a_guest_without_a_seat_looks_on_at_the_whole_table(tmp_path: Path) -> None:
    async def scene() -> None:
        async with hosted(tmp_path) as (ada, invitation), guest(invitation) as cem:
            await cem.sees("by ssh")
            async with guest(invitation, "Dag") as dag:
                await dag.sees("There is no free seat now. You look on")
                start(ada)
                await cem.sees("d Draw")
                await dag.sees("Stock")
                await dag.sees("Dag")
                assert "10 cards" in dag.shown or "7 cards" in dag.shown
                assert "[d Draw" not in dag.shown
                dag.shell.stdin.write("q")
                await dag.sees("Leave")
                dag.shell.stdin.write("y")
                assert "Thank you" in await dag.reads()

    played(scene)
