"""The door for guests who have nothing but an ssh client: they get a terminal with the game on it, and nothing else.

The law of this file
    One session for each connection, and in it one terminal: no commands, no files, no forwarding of anything. Whoever
    knocks is counted before it costs anything; a wrong password is refused at once three times, then slower and slower.
    What a guest sends is limited; a guest that takes nothing, answers nothing or is gone is ended, with its task.
"""

import asyncio
import hmac
import ipaddress
import logging
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import asyncssh

from rummy_p2p.node.guests import Wrong
from rummy_p2p.protocol.text import clean, said

_log = logging.getLogger(__name__)

MOST_CALLERS: Final = 16  # guests, and strangers who may become some
MOST_FROM_ONE: Final = 4  # does not count for loopback, as everywhere
LOGIN_WITHIN: Final = 60  # seconds: people type, and slow answers are ours
TERMINAL_WITHIN: Final = 5.0
FAREWELL: Final = 1.0
PARTED_AFTER: Final = 3.0  # between the end of a terminal and that of its connection, which the client's own end brings
ALIVE_EVERY: Final = 5
ALIVE_TRIES: Final = 3
STALLED_AFTER: Final = 10.0
WINDOW: Final = 32 * 1024
BYTES_A_SECOND: Final = 4000  # a mouse that is moved about sends some 2000
BYTES_AT_ONCE: Final = 16 * 1024
LEAST_SIZE, MOST_SIZE = (1, 1), (300, 100)

Serve = Callable[["GuestTerminal"], Coroutine[object, object, None]]
Pause = Callable[[float], Coroutine[object, object, None]]


class BadHostKey(Exception):
    """What was kept is no key."""


def make_host_key() -> bytes:
    """A new ed25519 key, as it is kept."""
    return asyncssh.generate_private_key("ssh-ed25519").export_private_key()


@dataclass(frozen=True, slots=True)
class Login:
    """Who has come in: the name, what was written behind it (``Cem+ascii``), from where, and whether by password."""

    name: str
    wishes: tuple[str, ...]
    address: str
    invited: bool

    @classmethod
    def of(cls, username: str, address: str, *, invited: bool) -> "Login":
        """Read a user name as a guest gives it."""
        name, *wishes = username.split("+")
        return cls(clean(name, 24), tuple(wishes), address, invited)


class SshDoor:
    """Listens, lets guests in, and gives each of them to ``serve``."""

    def __init__(self, host_key: bytes, password: str | None, serve: Serve, pause: Pause = asyncio.sleep) -> None:
        """``password`` None: whoever comes is let in. BadHostKey when the key is none."""
        try:
            self._key = asyncssh.import_private_key(host_key)
        except (asyncssh.KeyImportError, ValueError) as error:
            raise BadHostKey from error
        self.port = 0
        self.wrong = Wrong()
        self.terminals: set[GuestTerminal] = set()
        self._password = None if password is None else said(password)
        self._serve = serve
        self._pause = pause
        self._callers: list[str] = []
        self._connections: set[_Caller] = set()
        self._parted = asyncio.Event()
        self._server: asyncssh.SSHAcceptor | None = None

    @property
    def fingerprint(self) -> str:
        """The key as ssh clients show it."""
        return self._key.get_fingerprint()

    @property
    def asks(self) -> bool:
        """Whether a password is wanted."""
        return self._password is not None

    async def start(self, addresses: Sequence[str], port: int) -> None:
        """Listen on these addresses; OSError when the port cannot be had."""
        self._server = await asyncssh.create_server(
            lambda: _Caller(self),
            list(addresses),
            port,
            server_host_keys=[self._key],
            server_version="rummy-p2p",
            encoding="utf-8",
            errors="replace",
            line_editor=False,
            allow_pty=True,
            agent_forwarding=False,
            x11_forwarding=False,
            sftp_factory=None,
            allow_scp=False,
            public_key_auth=False,
            kbdint_auth=False,
            password_auth=True,
            compression_algs=None,
            login_timeout=LOGIN_WITHIN,
            keepalive_interval=ALIVE_EVERY,
            keepalive_count_max=ALIVE_TRIES,
            window=WINDOW,
            config=None,
        )
        self.port = self._server.get_port()

    async def stop(self) -> None:
        """End everybody's terminal and listen no more."""
        if self._server is not None:
            self._server.close()
        for terminal in tuple(self.terminals):
            terminal.end()
        await self._part()  # clients end by themselves when their terminal has; strangers have to be cut off
        for caller in tuple(self._connections):
            caller.cut_off()
        await self._part()
        if self._server is not None:
            await self._server.wait_closed()

    async def _part(self) -> None:
        """Wait until nobody is connected, but not for long."""
        with suppress(TimeoutError):
            async with asyncio.timeout(FAREWELL):
                while self._connections:
                    self._parted.clear()
                    await self._parted.wait()

    def is_full(self, address: str) -> bool:
        """Whether no more can be let in from there."""
        here = not ipaddress.ip_address(address.partition("%")[0]).is_loopback
        return len(self._callers) >= MOST_CALLERS or (here and self._callers.count(address) >= MOST_FROM_ONE)

    def came(self, address: str, caller: "_Caller") -> None:
        """Somebody has connected."""
        self._callers.append(address)
        self._connections.add(caller)

    def went(self, address: str, caller: "_Caller") -> None:
        """Somebody has gone."""
        self._callers.remove(address)
        self._connections.discard(caller)
        self._parted.set()

    async def is_right(self, address: str, password: str) -> bool:
        """Whether this is the password; not known before the address has waited for its earlier tries."""
        await self._pause(self.wrong.wait(address, asyncio.get_running_loop().time()))
        right = hmac.compare_digest(said(password).encode(), (self._password or "").encode())
        if right:
            self.wrong.right(address)
        else:
            _log.info("a wrong password from %s", address)
        return right

    def open_terminal(self, login: Login, cut_off: Callable[[], None]) -> "GuestTerminal":
        """Let a guest have a terminal; ``cut_off`` ends its connection."""
        return GuestTerminal(login, self._serve, cut_off, self.terminals)


class _Caller(asyncssh.SSHServer):
    """One connection."""

    def __init__(self, door: SshDoor) -> None:
        self._door = door
        self._address = ""
        self._counted = False
        self._username = ""
        self._has_terminal = False
        self._patience: asyncio.TimerHandle | None = None
        self._connection: asyncssh.SSHServerConnection | None = None

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        self._connection = conn
        self._address = str(conn.get_extra_info("peername")[0])
        if self._door.is_full(self._address):
            _log.info("%s turned away: too many callers", self._address)
            conn.abort()
            return
        self._counted = True
        self._door.came(self._address, self)

    def connection_lost(self, _error: Exception | None) -> None:
        if self._patience is not None:
            self._patience.cancel()
        if self._counted:
            self._door.went(self._address, self)

    def auth_completed(self) -> None:
        """Who wants no terminal has no business here."""
        self._patience = asyncio.get_running_loop().call_later(TERMINAL_WITHIN, self._lose_patience)

    def _lose_patience(self) -> None:
        if not self._has_terminal:
            self.cut_off()

    def cut_off(self) -> None:
        """End the connection; one that has ended already stays so."""
        if self._connection is not None:
            self._connection.abort()

    def begin_auth(self, username: str) -> bool:
        self._username = username
        return self._door.asks

    def password_auth_supported(self) -> bool:
        return self._door.asks

    async def validate_password(self, username: str, password: str) -> bool:
        self._username = username
        return await self._door.is_right(self._address, password)

    def session_requested(self) -> "GuestTerminal | bool":
        if self._has_terminal:
            return False
        self._has_terminal = True
        login = Login.of(self._username, self._address, invited=self._door.asks)
        return self._door.open_terminal(login, self.cut_off)


class GuestTerminal(asyncssh.SSHServerSession[str]):
    """A guest's terminal, from the moment that it is asked for to its end."""

    def __init__(
        self, login: Login, serve: Serve, cut_off: Callable[[], None], all_of_them: "set[GuestTerminal]"
    ) -> None:
        self.login = login
        self.kind = ""
        self.task: asyncio.Task[None] | None = None
        self.on_keys: Callable[[str], None] | None = None
        self.is_open = False
        self._serve = serve
        self._cut_off = cut_off
        self._all = all_of_them
        self._channel: asyncssh.SSHServerChannel[str] | None = None
        self._stalled: asyncio.TimerHandle | None = None
        self._left, self._then = float(BYTES_AT_ONCE), _now()
        self.too_much = False

    # -- what the game does

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows, never more than can be drawn quickly."""
        columns, rows = (80, 24) if self._channel is None else self._channel.get_terminal_size()[:2]
        return tuple(  # type: ignore[return-value]  # of two
            max(least, min(most, wanted))
            for least, most, wanted in zip(LEAST_SIZE, MOST_SIZE, (columns, rows), strict=True)
        )

    @property
    def language(self) -> str:
        """What the guest's environment says of its language, where the client tells."""
        return "" if self._channel is None else str(self._channel.get_environment().get("LANG", ""))

    def write(self, text: str) -> None:
        """Show something; whoever has gone sees nothing."""
        if self.is_open and self._channel is not None:
            self._channel.write(text)

    def end(self) -> None:
        """End it: whoever serves it is cancelled."""
        if self.task is not None:
            self.task.cancel()

    # -- what the client does

    def connection_made(self, chan: asyncssh.SSHServerChannel[str]) -> None:
        self._channel = chan

    def pty_requested(self, term_type: str, _size: object, _modes: object) -> bool:
        self.kind = clean(term_type, 40)
        return True

    def shell_requested(self) -> bool:
        return True

    def exec_requested(self, _command: str) -> bool:
        return False

    def subsystem_requested(self, _subsystem: str) -> bool:
        return False

    def session_started(self) -> None:
        self.is_open = True
        self._all.add(self)
        self.task = asyncio.get_running_loop().create_task(self._run(), name="guest-terminal")
        self.task.add_done_callback(self._has_ended)

    def data_received(self, data: str, _kind: asyncssh.DataType) -> None:
        if self.on_keys is None or self.too_much:
            return
        now = _now()
        self._left = min(BYTES_AT_ONCE, self._left + (now - self._then) * BYTES_A_SECOND) - len(data.encode())
        self._then = now
        if self._left < 0:
            _log.info("%s sent too much", self.login.address)
            self.too_much = True
            self.end()
        else:
            self.on_keys(data)

    def eof_received(self) -> bool:
        return False

    def pause_writing(self) -> None:
        self._stalled = asyncio.get_running_loop().call_later(STALLED_AFTER, self._cut_off)

    def resume_writing(self) -> None:
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None

    def connection_lost(self, _error: Exception | None) -> None:
        self.is_open = False
        self.resume_writing()
        self.end()

    async def _run(self) -> None:
        try:
            await self._serve(self)
        except Exception:  # noqa: BLE001 -- a fault of ours at one guest's terminal must end no other
            _log.exception("the terminal of %s failed", self.login.name)

    def _has_ended(self, _task: "asyncio.Task[None]") -> None:
        """Leave nothing behind, also of a terminal that was ended before its first step."""
        self.on_keys = None
        self._all.discard(self)
        self.resume_writing()
        if self._channel is not None and self.is_open:
            self.is_open = False
            self._channel.exit(0)
            asyncio.get_running_loop().call_later(PARTED_AFTER, self._cut_off)


def _now() -> float:
    return asyncio.get_running_loop().time()
