"""Links over TLS: listens, dials, and pumps bytes and time between each stream and its `protocol.link.Link`.

For every connection that proves its key, in either direction, the handler is called with `Authenticated` first, then
`Received` as often as it comes, then exactly one `Closed`. Strangers who never get so far are only logged. The handler
is called from the connection's own task and must not block; what it raises ends that connection alone.
"""

import asyncio
import ipaddress
import logging
import os
import socket
import ssl
from collections.abc import Callable, Coroutine, Iterable, Sequence

import msgspec

from rummy_p2p.node.listening import listen, open_at, reason
from rummy_p2p.node.tls import Pin, check_pin, client_context, fingerprint_of_pem, server_context
from rummy_p2p.protocol.errors import LocalProtocolError, NetworkError, ProtocolError
from rummy_p2p.protocol.link import Authenticated, Closed, Link, LinkConfig, LinkEvent

_log = logging.getLogger(__name__)
_CHUNK = 64 * 1024
_NONCE_SIZE = 32
_OUT_OF_FILES_PAUSE = 1.0

Handler = Callable[["Connection", LinkEvent], None]


class TransportLimits(msgspec.Struct, frozen=True):
    """Sockets, bytes and seconds. `per_address` does not count for loopback: peers of one machine share its address."""

    sockets: int = 80  # 7 players, 60 who look on, and some who are on their way in
    per_address: int = 4
    unauthenticated: int = 8
    unsent: int = 1024 * 1024
    farewell: float = 1.0  # how long a closing connection may take to say goodbye


class Connection:
    """One authenticated peer, as the program sees it; `table` is the one that the dialling side asked for."""

    def __init__(self, link: Link, streams: "_Streams", address: str, port: int, limits: TransportLimits) -> None:
        self.address = address
        self.port = port
        self.player_id = b""
        self.nick = ""
        self.table = b""
        self.fingerprint = b""  # of the certificate that was shown to us
        self.closed: Closed | None = None
        self._link = link
        self._reader, self._writer = streams
        self._limits = limits
        self._alarm: asyncio.Timeout | None = None
        self._ending: Closed | None = None  # our own goodbye, which the pump tells the handler
        self._flush_soon: asyncio.Handle | None = None
        self._gone = asyncio.Event()

    def __repr__(self) -> str:
        return f"<Connection {self.address}:{self.port} {self.nick or 'stranger'}>"

    def send(self, message: msgspec.Struct) -> None:
        """Send one message, together with all others of this moment: writing each by itself costs more than making it,
        and asyncio complains of every one when the other end has just gone.

        Once the connection is over this does nothing: `Closed` is on its way to the handler.
        """
        if not self._link.closed:
            self._link.send(message)
            self._flush_soon = self._flush_soon or asyncio.get_running_loop().call_soon(self._flush)

    def allow(self, rate: int, burst: int) -> None:
        """Take this many messages from now on (see `Link.allow`)."""
        self._link.allow(rate, burst)

    def hang_up(self, code: str = "leaving", /, **parameters: str | int) -> None:
        """End the connection and tell the peer why, without waiting. The handler gets its `Closed` soon after."""
        self._end(code, **parameters)
        self._flush()
        self._writer.close()

    def drop(self, code: str, /, **parameters: str | int) -> None:
        """The same in a hurry: what the peer has not taken by now it does not get."""
        self._end(code, **parameters)
        self._flush()
        self._writer.transport.abort()

    async def close(self, code: str = "leaving", /, **parameters: str | int) -> None:
        """Hang up and wait until the socket is gone. Not for the handler: it runs in the task this waits for."""
        self.hang_up(code, **parameters)
        await self._gone.wait()

    async def pump(self, handler: Handler) -> None:
        """Carry bytes and time to the link and its events to the handler, until it is closed."""
        try:
            while self.closed is None:
                self._flush()
                for event in await self._events():
                    if self._ending is None:
                        self._deliver(handler, event)
                if self._ending is not None and self.closed is None:
                    self._deliver(handler, self._ending)
            self._flush()
            self._writer.close()
            await self._part()
        finally:
            self._writer.transport.abort()
            self._gone.set()

    async def _events(self) -> list[LinkEvent]:
        """Wait for bytes or for the link's timer, whichever is first."""
        if self._ending is not None:
            return []
        clock = asyncio.get_running_loop().time
        alarm = asyncio.timeout_at(self._link.timer())
        try:
            async with alarm:
                self._alarm = alarm
                data = await self._reader.read(_CHUNK)
        except OSError:  # of the socket, of TLS, or the alarm itself
            return self._link.tick(clock()) if alarm.expired() else self._link.receive_eof()
        finally:
            self._alarm = None
        return self._link.receive(data, clock()) if data else self._link.receive_eof()

    def _deliver(self, handler: Handler, event: LinkEvent) -> None:
        if isinstance(event, Authenticated):
            self.player_id, self.nick, self.table = event.player_id, event.nick, event.table
        elif isinstance(event, Closed):
            self.closed = event
        handler(self, event)

    def _end(self, code: str, /, **parameters: str | int) -> None:
        """Close the link and wake the pump."""
        for event in self._link.close(code, **parameters):
            if isinstance(event, Closed):
                self._ending = event
        if self._alarm is not None and not self._alarm.expired():
            self._alarm.reschedule(asyncio.get_running_loop().time())

    def _flush(self) -> None:
        if self._flush_soon is not None:
            self._flush_soon.cancel()
            self._flush_soon = None
        data = self._link.data_to_send()
        transport = self._writer.transport
        if not data or transport.is_closing():
            return
        self._writer.write(data)
        if transport.get_write_buffer_size() > self._limits.unsent:
            self._end("backlog", limit=self._limits.unsent)
            transport.abort()

    async def _part(self) -> None:
        try:
            async with asyncio.timeout(self._limits.farewell):
                await self._writer.wait_closed()
        except OSError as error:  # a peer that vanishes while we part is no news
            _log.debug("%r did not say goodbye: %s", self, error)


_Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Transport:
    """All connections of a program, and the sockets it listens on."""

    def __init__(
        self, config: LinkConfig, certificate: bytes, handler: Handler, limits: TransportLimits | None = None
    ) -> None:
        self.fingerprint = fingerprint_of_pem(certificate)
        self.port = 0
        self._config = config
        self._handler = handler
        self._limits = limits or TransportLimits()
        self._server_tls = server_context(certificate)
        self._client_tls = client_context()
        self._acceptors: dict[str, asyncio.Task[None]] = {}  # by the address on which each listens
        self._links: dict[asyncio.Task[None], _Place] = {}  # oldest first

    @property
    def connections(self) -> tuple[Connection, ...]:
        """Those that are authenticated and open, oldest first."""
        return tuple(
            place.connection
            for place in self._links.values()
            if place.connection and place.authenticated and not place.connection.closed
        )

    # -- listening

    async def start(self, addresses: Sequence[str], port: int) -> int:
        """Listen on these addresses and no other, all with the same port; 0 takes any free one. Returns the port.

        NetworkError port-taken, port-forbidden, no-such-address or cannot-listen: then nothing is left open.
        """
        for address, listener in zip(addresses, listen(addresses, port), strict=True):
            self.port = listener.getsockname()[1]
            self._accept_at(address, listener)
        return self.port

    def follow(self, addresses: Sequence[str]) -> None:
        """Listen on these addresses instead, on the same port: networks come and go. What stands is left standing; an
        address that cannot be had is left out.
        """
        for address in self._acceptors.keys() - set(addresses):
            self._acceptors.pop(address).cancel()
        for address in set(addresses) - self._acceptors.keys():
            try:
                self._accept_at(address, open_at(address, self.port))
            except NetworkError as error:
                _log.info("%s", error)

    async def stop(self) -> None:
        """Say goodbye to everybody and leave no task and no socket behind."""
        await _cancel(self._acceptors.values())
        self._acceptors.clear()
        for task, place in list(self._links.items()):
            if place.connection:
                place.connection.hang_up()
            else:
                task.cancel()
        if self._links:
            await asyncio.wait(list(self._links), timeout=2 * self._limits.farewell)
        await _cancel(self._links)

    def _accept_at(self, address: str, listener: socket.socket) -> None:
        task = asyncio.create_task(self._accept(listener), name=f"rummy-accept {address}")
        task.add_done_callback(lambda _: listener.close())
        self._acceptors[address] = task

    async def _accept(self, listener: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                stream, (address, port, *_) = await loop.sock_accept(listener)
            except OSError as error:
                _log.warning("no connection can be taken at present: %s", error)
                await asyncio.sleep(_OUT_OF_FILES_PAUSE)
            else:
                self._admit(stream, address, port)
                await asyncio.sleep(0)  # sock_accept does not pause while callers queue; the others want their turn

    def _admit(self, stream: socket.socket, address: str, port: int) -> None:
        """Take a stranger in, or close it before it costs anything."""
        if self._is_full() or self._is_crowded(address):
            _log.info("%s:%d turned away: too-many-links", address, port)
            stream.close()
            return
        self._make_room()
        place = _Place(address, port)
        place.stream = stream
        self._spawn(self._serve(stream, place), place)

    def _is_full(self) -> bool:
        return sum(not place.dropped for place in self._links.values()) >= self._limits.sockets

    def _is_crowded(self, address: str) -> bool:
        if ipaddress.ip_address(address).is_loopback:
            return False
        return sum(place.address == address for place in self._links.values()) >= self._limits.per_address

    def _make_room(self) -> None:
        """Half-open connections cannot keep an honest peer out: the stranger who has waited longest goes."""
        strangers = [task for task, place in self._links.items() if place.is_stranger]
        if len(strangers) >= self._limits.unauthenticated:
            place = self._links[strangers[0]]
            place.dropped = True
            _log.info("%s:%d dropped for a newcomer: too-many-links", place.address, place.port)
            if place.connection:
                place.connection.drop("too-many-links")
            else:
                strangers[0].cancel()

    async def _serve(self, stream: socket.socket, place: "_Place") -> None:
        """One incoming connection, from TLS to its end."""
        try:
            reader, writer = await self._wrap(stream)
        except OSError as error:
            _log.info("%s:%d did not complete TLS: %s", place.address, place.port, error)
            return
        link = Link.server(self._config, self.fingerprint, os.urandom(_NONCE_SIZE), _now())
        place.connection = Connection(link, (reader, writer), place.address, place.port, self._limits)
        await place.connection.pump(self._hear(place))

    async def _wrap(self, stream: socket.socket) -> _Streams:
        """TLS over an accepted socket. (`asyncio.start_server` would do this before it lets anybody count.)"""
        # asyncio does this only for sockets that name their protocol, which accepted ones do not: moves waited 40 ms.
        stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        loop = asyncio.get_running_loop()
        reader = asyncio.StreamReader(limit=_CHUNK, loop=loop)
        protocol = asyncio.StreamReaderProtocol(reader, loop=loop)
        transport, _ = await loop.connect_accepted_socket(
            lambda: protocol,
            stream,
            ssl=self._server_tls,
            ssl_handshake_timeout=self._config.limits.handshake,
            ssl_shutdown_timeout=self._limits.farewell,
        )
        return reader, asyncio.StreamWriter(transport, protocol, reader, loop)

    # -- dialling

    async def dial(
        self, address: str, port: int, pin: Pin | None = None, *, table: bytes = b"", expected: bytes | None = None
    ) -> Connection:
        """Connect, check the pin before a byte is sent, greet. Returns once both ends have proved their keys.

        `pin` None believes the first certificate; `expected` is the only player that will do. ProtocolError of any kind
        tells why it did not work; the handler hears nothing of it then.
        """
        if self._is_full():
            raise LocalProtocolError("too-many-links")
        greeting: asyncio.Future[Connection] = asyncio.get_running_loop().create_future()
        place = _Place(address, port, greeting)
        task = self._spawn(self._call(place, pin, table, expected), place)
        try:
            return await greeting
        except asyncio.CancelledError:
            task.cancel()
            raise

    async def _call(self, place: "_Place", pin: Pin | None, table: bytes, expected: bytes | None) -> None:
        """One outgoing connection, from TCP to its end."""
        try:
            reader, writer = await self._connect(place.address, place.port)
            shown = _shown(writer, pin)
            link = Link.client(self._config, shown, os.urandom(_NONCE_SIZE), _now(), table=table, expected=expected)
            place.connection = Connection(link, (reader, writer), place.address, place.port, self._limits)
            place.connection.fingerprint = shown
            await place.connection.pump(self._hear(place))
        except ProtocolError as error:
            place.refuse(error)

    async def _connect(self, address: str, port: int) -> _Streams:
        limit = self._config.limits.handshake
        try:
            async with asyncio.timeout(limit):
                return await asyncio.open_connection(
                    address,
                    port,
                    limit=_CHUNK,
                    ssl=self._client_tls,
                    server_hostname="",  # the name that a player typed is nobody's business on the wire
                    ssl_shutdown_timeout=self._limits.farewell,
                )
        except OSError as error:
            raise _why_not(error, address, port, limit) from error

    # -- both

    def _spawn(self, work: Coroutine[object, object, None], place: "_Place") -> asyncio.Task[None]:
        task = asyncio.create_task(work, name=f"rummy-link {place.address}:{place.port}")
        self._links[task] = place
        task.add_done_callback(self._forget)
        return task

    def _forget(self, task: asyncio.Task[None]) -> None:
        """The end of a connection, also of one whose task was cancelled before its first step."""
        self._links.pop(task).vacate()
        if not task.cancelled() and (error := task.exception()):
            _log.error("%s failed", task.get_name(), exc_info=error)

    def _hear(self, place: "_Place") -> Handler:
        """The handler of one connection: keeps the books, then lets the program's handler have its say."""

        def hear(connection: Connection, event: LinkEvent) -> None:
            if isinstance(event, Authenticated):
                place.authenticated = True
            if place.authenticated:
                self._tell(connection, event)
            if isinstance(event, Authenticated):
                place.accept(connection)
            elif isinstance(event, Closed):
                _log.info("%r closed: %s", connection, event.code)
                place.refuse(event.error)

        return hear

    def _tell(self, connection: Connection, event: LinkEvent) -> None:
        try:
            self._handler(connection, event)
        except Exception:  # noqa: BLE001 - a fault of ours in one message must not end the other connections
            _log.exception("handling %s of %r failed", type(event).__name__, connection)
            connection.hang_up("internal-error")


class _Place:
    """What the transport remembers of one connection, from before it exists."""

    def __init__(self, address: str, port: int, greeting: asyncio.Future[Connection] | None = None) -> None:
        self.address = address
        self.port = port
        self.stream: socket.socket | None = None  # of whom we accepted
        self.connection: Connection | None = None
        self.authenticated = False
        self.dropped = False
        self._greeting = greeting  # whom we dial, somebody waits for

    @property
    def is_stranger(self) -> bool:
        return self._greeting is None and not self.authenticated and not self.dropped

    def accept(self, connection: Connection) -> None:
        if self._greeting and not self._greeting.done():
            self._greeting.set_result(connection)

    def vacate(self) -> None:
        """Nothing is left behind: no open socket, nobody who waits."""
        if self.stream:
            self.stream.close()
        self.refuse(NetworkError("leaving"))

    def refuse(self, error: ProtocolError) -> None:
        if self._greeting and not self._greeting.done():
            self._greeting.set_exception(error)


# ---------------------------------------------------------------- sockets


def _now() -> float:
    return asyncio.get_running_loop().time()


async def _cancel(tasks: Iterable[asyncio.Task[None]]) -> None:
    """Cancel and wait; what they raise has been logged by their own."""
    chosen = list(tasks)
    for task in chosen:
        task.cancel()
    await asyncio.gather(*chosen, return_exceptions=True)


def _shown(writer: asyncio.StreamWriter, pin: Pin | None) -> bytes:
    """The fingerprint that the server showed; with a wrong one the connection is gone."""
    tls = writer.get_extra_info("ssl_object")
    try:
        return check_pin(tls.getpeercert(binary_form=True), pin)
    except ProtocolError:
        writer.transport.abort()
        raise


def _why_not(error: OSError, address: str, port: int, seconds: float) -> NetworkError:
    """Which layer let a call fail."""
    match error:
        case TimeoutError():
            return NetworkError("no-answer", address=address, port=port, seconds=f"{seconds:g}")
        case ConnectionRefusedError():
            return NetworkError("refused", address=address, port=port)
        case ssl.SSLError() | ConnectionError():
            return NetworkError("turned-away", address=address, port=port)
        case _:
            return NetworkError("unreachable", address=address, port=port, why=reason(error))
