"""The door for ssh clients: what it gives, what it refuses, and that nobody who has gone is left running behind it."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress

import asyncssh
import pytest

from rummy_p2p.node import ssh
from rummy_p2p.node.ssh import BadHostKey, GuestTerminal, Login, Pause, SshDoor, make_host_key

KEY = make_host_key()
PATIENCE = 20.0


class Game:
    """What guests are shown in these tests: their name, and every key that they press."""

    def __init__(self) -> None:
        self.terminals: list[GuestTerminal] = []
        self.ended: list[str] = []

    async def serve(self, terminal: GuestTerminal) -> None:
        self.terminals.append(terminal)
        columns, rows = terminal.size
        terminal.on_keys = lambda keys: terminal.write(f"[{keys}]")
        terminal.write(f"{terminal.login.name} {terminal.kind} {columns}x{rows} {terminal.language}\r\n")
        try:
            await asyncio.get_running_loop().create_future()
        finally:
            self.ended.append(terminal.login.name)


def played(scene: Callable[[], Coroutine[object, object, None]]) -> None:
    """Run a scene; no task may be left behind."""

    async def watched() -> None:
        async with asyncio.timeout(40):
            await scene()
        await asyncio.sleep(0)
        left = [task for task in asyncio.all_tasks() if task.get_name() == "guest-terminal"]
        assert not left

    asyncio.run(watched())


@asynccontextmanager
async def door(password: str | None = None, pause: Pause = asyncio.sleep) -> AsyncIterator[tuple[SshDoor, Game]]:
    game = Game()
    opened = SshDoor(KEY, password, game.serve, pause)
    await opened.start(["127.0.0.1"], 0)
    try:
        yield opened, game
    finally:
        await opened.stop()


@asynccontextmanager
async def client(
    opened: SshDoor, name: str = "Cem", password: str | None = None
) -> AsyncIterator[asyncssh.SSHClientConnection]:
    async with asyncssh.connect(
        "127.0.0.1", opened.port, username=name, password=password, known_hosts=None, client_keys=None, config=None
    ) as connection:
        yield connection


async def shell(
    connection: asyncssh.SSHClientConnection, env: dict[str, str] | None = None
) -> asyncssh.SSHClientProcess[str]:
    return await connection.create_process(term_type="xterm", term_size=(80, 24), env=env or {})


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not holds():  # noqa: ASYNC110 -- what is waited for happens in a library that tells nobody
            await asyncio.sleep(0)


def test_a_guest_gets_a_terminal_with_its_size_keys_and_language() -> None:
    async def scene() -> None:
        async with door() as (opened, game), client(opened, "Cem+ascii+sv") as connection:
            process = await shell(connection, env={"LANG": "sv_SE.UTF-8"})
            assert await process.stdout.readline() == "Cem xterm 80x24 sv_SE.UTF-8\r\n"
            (terminal,) = game.terminals
            assert terminal.login == Login("Cem", ("ascii", "sv"), "127.0.0.1", invited=False)
            process.stdin.write("d")
            assert await process.stdout.read(3) == "[d]"
            process.change_terminal_size(120, 40)
            await until(lambda: terminal.size == (120, 40))
            process.change_terminal_size(5000, 4000)
            await until(lambda: terminal.size == (300, 100))
            process.change_terminal_size(0, 0)
            await until(lambda: terminal.size == (1, 1))
            terminal.end()
            await process.wait_closed()
            assert game.ended == ["Cem"]
            terminal.write("nobody is there")
            assert not opened.terminals

    played(scene)


def test_nothing_is_served_but_one_terminal() -> None:
    async def scene() -> None:
        async with door() as (opened, _game), client(opened) as connection:
            first = await shell(connection)
            with pytest.raises(asyncssh.ChannelOpenError):
                await shell(connection)
            with pytest.raises(asyncssh.ChannelOpenError):
                await connection.open_connection("127.0.0.1", 22)
            with pytest.raises(asyncssh.ChannelListenError):
                await connection.start_server(lambda _host, _port: True, "", 0)
            with pytest.raises(asyncssh.ChannelOpenError):
                await connection.start_sftp_client()
            first.close()
        async with door() as (opened, _game):
            async with client(opened) as connection:
                with pytest.raises(asyncssh.ChannelOpenError):
                    await connection.run("id", check=True)
            async with client(opened) as connection:
                with pytest.raises(asyncssh.ChannelOpenError):
                    await connection.start_sftp_client()

    played(scene)


def test_a_password_is_as_it_is_said_and_a_wrong_one_is_refused_slower_and_slower() -> None:
    async def scene() -> None:
        waited: list[float] = []

        async def sleep(seconds: float) -> None:
            waited.append(seconds)

        async with door("kestrel amber Lantern", sleep) as (opened, game):
            for _ in range(5):
                with pytest.raises(asyncssh.PermissionDenied):
                    async with client(opened, password="kestrel amber lamp"):  # noqa: S106 -- a wrong one
                        pass
            assert waited == [0.0, 0.0, 0.0, 2.0, 4.0]
            opened.wrong.right("127.0.0.1")
            async with client(opened, password=" KESTREL  amber-lantern ") as connection:  # noqa: S106 -- a test's
                await shell(connection)
                await until(lambda: len(game.terminals) == 1)
                assert game.terminals[0].login.invited

    played(scene)


def test_who_is_cut_off_is_ended() -> None:
    async def scene() -> None:
        async with door() as (opened, game):
            async with client(opened) as connection:
                await shell(connection)
                await until(lambda: len(game.terminals) == 1)
                connection.abort()
                await until(lambda: game.ended == ["Cem"])
            await until(lambda: not opened._callers)
            await until(lambda: not opened.terminals)

    played(scene)


def test_more_than_anybody_types_ends_the_terminal() -> None:
    async def scene() -> None:
        async with door() as (opened, game), client(opened) as connection:
            process = await shell(connection)
            await until(lambda: len(game.terminals) == 1)
            process.stdin.write("x" * (ssh.BYTES_AT_ONCE + 10_000))
            await process.wait_closed()
            assert game.terminals[0].too_much
            assert game.ended == ["Cem"]

    played(scene)


def test_who_takes_nothing_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ssh, "STALLED_AFTER", 0.05)

    async def scene() -> None:
        async with door() as (opened, game), client(opened) as connection:
            process = await shell(connection)
            await until(lambda: len(game.terminals) == 1)
            process.channel.pause_reading()
            for _ in range(400):
                game.terminals[0].write("x" * 10_000)
            await until(lambda: game.ended == ["Cem"])
            await connection.wait_closed()

    played(scene)


def test_who_wants_no_terminal_or_stays_after_its_end_is_sent_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ssh, "TERMINAL_WITHIN", 0.05)
    monkeypatch.setattr(ssh, "PARTED_AFTER", 0.05)

    async def scene() -> None:
        async with door() as (opened, game):
            async with client(opened) as connection:
                await connection.wait_closed()
            async with client(opened) as connection:
                await shell(connection)
                await until(lambda: len(game.terminals) == 1)
                game.terminals[0].end()
                await connection.wait_closed()
            await until(lambda: not opened._callers)

    played(scene)


def test_a_terminal_that_fails_ends_no_other(caplog: pytest.LogCaptureFixture) -> None:
    async def scene() -> None:
        async def fail(_terminal: GuestTerminal) -> None:
            raise RuntimeError("of ours")

        opened = SshDoor(KEY, None, fail)
        await opened.start(["127.0.0.1"], 0)
        async with client(opened) as connection:
            process = await shell(connection)
            await process.wait_closed()
        await opened.stop()

    played(scene)
    assert "the terminal of Cem failed" in caplog.text


def test_callers_are_counted_before_they_cost_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ssh, "MOST_CALLERS", 2)

    async def scene() -> None:
        async with door() as (opened, _game), client(opened), client(opened):
            with pytest.raises((asyncssh.ConnectionLost, ConnectionError)):
                async with client(opened):
                    pass
        monkeypatch.setattr(ssh, "MOST_CALLERS", 100)
        opened._callers.append("192.168.1.7")
        assert not opened.is_full("192.168.1.7")
        for _ in range(ssh.MOST_FROM_ONE - 1):
            opened._callers.append("192.168.1.7")
        assert opened.is_full("192.168.1.7")
        assert not opened.is_full("192.168.1.8")
        for _ in range(ssh.MOST_FROM_ONE):
            opened._callers.append("127.0.0.1")
        assert not opened.is_full("127.0.0.1")

    played(scene)


def test_who_has_not_come_in_does_not_hold_up_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ssh, "FAREWELL", 0.05)

    async def scene() -> None:
        async with door("kestrel amber lantern") as (opened, _game):
            _reader, writer = await asyncio.open_connection("127.0.0.1", opened.port)
            await until(lambda: bool(opened._connections))
        assert not opened._connections
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()

    played(scene)


def test_the_host_key_is_ed25519_and_a_damaged_one_is_refused() -> None:
    opened = SshDoor(KEY, None, Game().serve)
    assert opened.fingerprint.startswith("SHA256:")
    assert opened.fingerprint == SshDoor(KEY, None, Game().serve).fingerprint
    with pytest.raises(BadHostKey):
        SshDoor(b"no key", None, Game().serve)


def test_a_door_that_was_never_opened_can_be_shut() -> None:
    played(SshDoor(KEY, None, Game().serve).stop)
