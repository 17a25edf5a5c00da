"""Real TLS on the loopback interface."""

import asyncio
import errno
import logging
import os
import socket
import ssl
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager, suppress

import pytest

from rummy_p2p.node.tls import client_context, make_certificate, server_context
from rummy_p2p.node.transport import Connection, Transport, TransportLimits, _why_not
from rummy_p2p.protocol.codec import Message, frame
from rummy_p2p.protocol.errors import LocalProtocolError, NetworkError, PeerClosed, ProtocolError, RemoteProtocolError
from rummy_p2p.protocol.identity import Identity
from rummy_p2p.protocol.link import Authenticated, Closed, LinkConfig, LinkEvent, LinkLimits, Received

LOOPBACK = "127.0.0.1"
LINK = LinkLimits(rate=100_000, burst=100_000)
LIMITS = TransportLimits(farewell=0.5)


class Say(Message, frozen=True):
    text: str


class Data(Message, frozen=True):
    data: bytes


CERTIFICATES = {name: make_certificate() for name in ("Ada", "Bea", "Cem")}


class Peer:
    """A transport that keeps what its handler heard, and can be waited for."""

    def __init__(self, nick: str, link: LinkLimits = LINK, limits: TransportLimits = LIMITS) -> None:
        self.identity = Identity(nick[0].encode() * 32)
        self.heard: list[tuple[Connection, LinkEvent]] = []
        self.news = asyncio.Event()
        self.react: Callable[[Connection, LinkEvent], None] = lambda connection, event: None
        config = LinkConfig(self.identity, nick, Say | Data, link)
        self.transport = Transport(config, CERTIFICATES[nick], self.handle, limits)

    def handle(self, connection: Connection, event: LinkEvent) -> None:
        self.heard.append((connection, event))
        self.news.set()
        self.react(connection, event)

    @property
    def events(self) -> list[LinkEvent]:
        return [event for _, event in self.heard]

    async def until(self, *kinds: type[LinkEvent]) -> None:
        """Wait until the last events heard are of these kinds."""
        async with asyncio.timeout(10):
            while tuple(type(event) for event in self.events[-len(kinds) :]) != kinds:
                self.news.clear()
                await self.news.wait()

    async def dial(self, other: "Peer", **how: bytes) -> Connection:
        return await self.transport.dial(LOOPBACK, other.transport.port, other.transport.fingerprint, **how)


@asynccontextmanager
async def listening(*peers: Peer) -> AsyncIterator[None]:
    try:
        for peer in peers:
            await peer.transport.start([LOOPBACK], 0)
        yield
    finally:
        for peer in peers:
            await peer.transport.stop()


def played(scene: Callable[[], Coroutine[object, object, None]]) -> None:
    """Run a scene and see that no task, thread or warning of the loop is left."""
    complaints: list[object] = []
    threads = set(threading.enumerate())

    async def watched() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(context))
        await scene()
        await asyncio.sleep(0)
        assert [task.get_name() for task in asyncio.all_tasks() if task is not asyncio.current_task()] == []

    asyncio.run(watched())
    assert complaints == []
    assert set(threading.enumerate()) == threads


async def refusal(attempt: Awaitable[object]) -> ProtocolError:
    with pytest.raises(ProtocolError) as caught:
        await attempt
    return caught.value


# ---------------------------------------------------------------- the way it should go


def test_two_peers_talk_and_part() -> None:
    async def scene() -> None:
        ada, bea = Peer("Ada"), Peer("Bea")
        async with listening(ada, bea):
            connection = await bea.dial(ada, table=b"table 1", expected=ada.identity.player_id)
            assert (connection.player_id, connection.nick) == (ada.identity.player_id, "Ada")
            await ada.until(Authenticated)
            [there] = ada.transport.connections
            assert (there.player_id, there.nick, there.table) == (bea.identity.player_id, "Bea", b"table 1")
            connection.send(Say("hello"))
            there.send(Say("hi"))
            await ada.until(Received)
            await bea.until(Received)
            await connection.close()
            await ada.until(Closed)
            connection.send(Say("too late"))
        assert ada.events == [
            Authenticated(bea.identity.player_id, "Bea", b"table 1"),
            Received(Say("hello")),
            there.closed,
        ]
        assert bea.events[1:] == [Received(Say("hi")), connection.closed]
        assert [closed and (closed.code, closed.by_us) for closed in (connection.closed, there.closed)] == [
            ("leaving", True),
            ("leaving", False),
        ]
        assert ada.transport.connections == bea.transport.connections == ()

    played(scene)


def test_large_messages_in_order() -> None:
    async def scene() -> None:
        ada, bea = Peer("Ada"), Peer("Bea")
        async with listening(ada):
            connection = await bea.dial(ada)
            for number in range(20):
                connection.send(Data(bytes([number]) * 30_000))
            connection.hang_up()
            await ada.until(Closed)
            assert [event.message for event in ada.events if isinstance(event, Received)] == [
                Data(bytes([number]) * 30_000) for number in range(20)
            ]
        await bea.transport.stop()

    played(scene)


def test_stop_says_goodbye_to_everybody() -> None:
    async def scene() -> None:
        ada, bea, cem = Peer("Ada"), Peer("Bea"), Peer("Cem")
        async with listening(ada, bea, cem):
            await bea.dial(ada)
            await cem.dial(ada)
            await ada.until(Authenticated, Authenticated)
            await ada.transport.stop()
            await bea.until(Closed)
            await cem.until(Closed)
            assert [event.code for event in bea.events + cem.events if isinstance(event, Closed)] == ["leaving"] * 2
            assert (await refusal(bea.dial(ada))).code == "refused"

    played(scene)


def test_an_address_typed_without_a_pin() -> None:
    async def scene() -> None:
        ada, bea = Peer("Ada"), Peer("Bea")
        async with listening(ada):
            connection = await bea.transport.dial(LOOPBACK, ada.transport.port)
            assert connection.player_id == ada.identity.player_id
            assert repr(connection) == f"<Connection 127.0.0.1:{ada.transport.port} Ada>"
            await bea.transport.stop()

    played(scene)


def test_ipv6() -> None:
    async def scene() -> None:
        ada, bea = Peer("Ada"), Peer("Bea")
        try:
            port = await ada.transport.start(["::1", LOOPBACK], 0)
        except NetworkError as error:
            pytest.skip(str(error))
        await bea.transport.dial("::1", port, ada.transport.fingerprint)
        await bea.transport.dial(LOOPBACK, port, ada.transport.fingerprint)
        await bea.transport.stop()
        await ada.transport.stop()

    played(scene)


# ---------------------------------------------------------------- listening


def test_only_the_given_addresses_are_bound() -> None:
    async def scene() -> None:
        ada, bea = Peer("Ada"), Peer("Bea")
        port = await ada.transport.start(["127.0.0.2", "127.0.0.3"], 0)
        assert port == ada.transport.port != 0
        await bea.transport.dial("127.0.0.2", port)
        await bea.transport.dial("127.0.0.3", port)
        assert (await refusal(bea.transport.dial(LOOPBACK, port))).code == "refused"
        await bea.transport.stop()
        await ada.transport.stop()

    played(scene)


def test_no_address_is_fine() -> None:
    async def scene() -> None:
        ada = Peer("Ada")
        assert await ada.transport.start([], 0) == 0
        await ada.transport.stop()

    played(scene)


def test_networks_come_and_go_and_the_port_stays() -> None:
    async def scene() -> None:
        ada, bea = Peer("Ada"), Peer("Bea")
        async with listening(ada):
            port = ada.transport.port
            connection = await bea.dial(ada)
            ada.transport.follow(["127.0.0.2", LOOPBACK])
            ada.transport.follow(["127.0.0.2"])
            await (await bea.transport.dial("127.0.0.2", port, ada.transport.fingerprint)).close()
            assert (await refusal(bea.dial(ada))).code == "refused"
            connection.send(Say("what stands is left standing"))
            await ada.until(Received)
            await connection.close()
            ada.transport.follow(["192.0.2.1"])
            await asyncio.gather(asyncio.sleep(0), bea.transport.stop())  # the old socket is closed by then
            assert (await refusal(bea.transport.dial("127.0.0.2", port))).code == "refused"
            ada.transport.follow([LOOPBACK])
            await (await bea.dial(ada)).close()

    played(scene)


def test_what_is_said_at_one_moment_is_written_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        ada, bea = Peer("Ada"), Peer("Bea")
        async with listening(ada):
            connection = await bea.dial(ada)
            writes: list[bytes] = []
            write = connection._writer.write

            def count(data: bytes) -> None:
                writes.append(data)
                write(data)

            monkeypatch.setattr(connection._writer, "write", count)
            for n in range(20):
                connection.send(Say(str(n)))
            await ada.until(*[Received] * 20)
            said = [event.message for event in ada.events if isinstance(event, Received)]
            assert said == [Say(str(n)) for n in range(20)]
            assert len(writes) == 1
            connection.send(Say("the last words"))
            await connection.close()
            await ada.until(Received, Closed)

    played(scene)


def test_a_taken_port() -> None:
    async def scene() -> None:
        ada, bea = Peer("Ada"), Peer("Bea")
        async with listening(ada):
            error = await refusal(bea.transport.start(["127.0.0.2", LOOPBACK], ada.transport.port))
            assert error.code == "port-taken"
            assert str(ada.transport.port) in str(error)
            with socket.create_server(("127.0.0.2", ada.transport.port)):
                pass  # the first address was let go of again

    played(scene)


def test_a_free_port_is_free_on_all_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    tries: list[tuple[str, int]] = []
    create = socket.create_server

    def crowded(address: tuple[str, int], *, family: socket.AddressFamily) -> socket.socket:
        tries.append(address)
        if address[0] == "127.0.0.2" and len(tries) < 6:
            raise OSError(errno.EADDRINUSE, "taken")
        return create(address, family=family)

    monkeypatch.setattr(socket, "create_server", crowded)

    async def scene() -> None:
        ada = Peer("Ada")
        assert await ada.transport.start([LOOPBACK, "127.0.0.2"], 0) == ada.transport.port
        await ada.transport.stop()

    played(scene)
    assert [address for address, _ in tries] == [LOOPBACK, "127.0.0.2"] * 3


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (errno.EADDRINUSE, "port-taken"),
        (errno.EACCES, "port-forbidden"),
        (errno.EADDRNOTAVAIL, "no-such-address"),
        (errno.ENETDOWN, "cannot-listen"),
    ],
)
def test_why_a_port_cannot_be_opened(number: int, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(number, "no")

    async def scene() -> None:
        ada = Peer("Ada")
        monkeypatch.setattr(socket, "create_server", fail)
        assert (await refusal(ada.transport.start([LOOPBACK], 0))).code == code
        await ada.transport.stop()

    played(scene)


def test_an_address_of_another_machine() -> None:
    async def scene() -> None:
        error = await refusal(Peer("Ada").transport.start(["192.0.2.1"], 0))
        assert error.code == "no-such-address"
        assert "192.0.2.1" in str(error)

    played(scene)


def test_out_of_files_is_a_pause_and_not_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        ada, bea = Peer("Ada"), Peer("Bea")
        monkeypatch.setattr("rummy_p2p.node.transport._OUT_OF_FILES_PAUSE", 0.0)
        loop = asyncio.get_running_loop()
        accept, failures = loop.sock_accept, [OSError(errno.EMFILE, "too many open files")]

        async def failing(listener: socket.socket) -> tuple[socket.socket, object]:
            if failures:
                raise failures.pop()
            return await accept(listener)

        monkeypatch.setattr(loop, "sock_accept", failing)
        async with listening(ada):
            await bea.dial(ada)
            await bea.transport.stop()
        assert failures == []

    played(scene)


# ---------------------------------------------------------------- dialling in vain


def test_a_wrong_pin_ends_it_before_a_byte_is_sent() -> None:
    async def scene() -> None:
        received = bytearray()

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            with suppress(OSError):
                received.extend(await reader.read())
            writer.transport.abort()
            done.set()

        done = asyncio.Event()
        bea = Peer("Bea")
        server = await asyncio.start_server(serve, LOOPBACK, 0, ssl=server_context(CERTIFICATES["Ada"]))
        async with server:
            error = await refusal(bea.transport.dial(LOOPBACK, server.sockets[0].getsockname()[1], b"\0" * 32))
            await done.wait()
        assert isinstance(error, RemoteProtocolError)
        assert (error.code, bytes(received), bea.heard) == ("wrong-pin", b"", [])
        await bea.transport.stop()

    played(scene)


def test_another_player_than_expected() -> None:
    async def scene() -> None:
        ada, bea = Peer("Ada"), Peer("Bea")
        async with listening(ada):
            error = await refusal(bea.dial(ada, expected=b"x" * 32))
            assert error.code == "wrong-identity"
            assert ada.heard == bea.heard == []

    played(scene)


def test_dialling_oneself() -> None:
    async def scene() -> None:
        ada = Peer("Ada")
        async with listening(ada):
            assert (await refusal(ada.dial(ada))).code == "own-address"

    played(scene)


def test_nobody_listens() -> None:
    async def scene() -> None:
        with socket.create_server((LOOPBACK, 0)) as gone:
            port = gone.getsockname()[1]
        error = await refusal(Peer("Ada").transport.dial(LOOPBACK, port))
        assert (error.code, error.parameters) == ("refused", {"address": LOOPBACK, "port": port})

    played(scene)


def test_something_listens_but_never_answers() -> None:
    async def scene() -> None:
        ada = Peer("Ada", LinkLimits(handshake=0.1))
        with socket.create_server((LOOPBACK, 0)) as silent:
            error = await refusal(ada.transport.dial(LOOPBACK, silent.getsockname()[1]))
        assert (error.code, error.parameters["seconds"]) == ("no-answer", "0.1")

    played(scene)


@pytest.mark.parametrize("answer", [b"", b"HTTP/1.1 400 Bad Request\r\n\r\n"])
def test_something_that_is_no_rummy_program(answer: bytes) -> None:
    async def scene() -> None:
        def serve(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(answer)
            writer.close()

        async with await asyncio.start_server(serve, LOOPBACK, 0) as server:
            error = await refusal(Peer("Ada").transport.dial(LOOPBACK, server.sockets[0].getsockname()[1]))
        assert error.code == "turned-away"

    played(scene)


def test_tls_without_a_greeting() -> None:
    async def scene() -> None:
        server = await asyncio.start_server(
            lambda _, writer: writers.append(writer), LOOPBACK, 0, ssl=server_context(CERTIFICATES["Ada"])
        )
        writers: list[asyncio.StreamWriter] = []
        async with server:
            bea = Peer("Bea", LinkLimits(handshake=0.2))
            error = await refusal(bea.transport.dial(LOOPBACK, server.sockets[0].getsockname()[1]))
            assert error.code == "handshake-timeout"
            await bea.transport.stop()
            for writer in writers:
                writer.transport.abort()

    played(scene)


@pytest.mark.parametrize(
    ("error", "code", "why"),
    [
        (OSError(errno.EHOSTUNREACH, "Connect call failed"), "unreachable", os.strerror(errno.EHOSTUNREACH)),
        (socket.gaierror(socket.EAI_NONAME, "Name not known"), "unreachable", "Name not known"),
        (OSError("odd"), "unreachable", "odd"),
        (TimeoutError(), "no-answer", None),
        (OSError(errno.ECONNREFUSED, "x"), "refused", None),
        (OSError(errno.ECONNRESET, "x"), "turned-away", None),
        (ssl.SSLError(1, "x"), "turned-away", None),
    ],
)
def test_which_layer_failed(error: OSError, code: str, why: str | None) -> None:
    found = _why_not(error, "192.0.2.1", 4000, 3.0)
    assert found.code == code
    assert found.parameters.get("why") == why


def test_a_dial_that_is_given_up() -> None:
    async def scene() -> None:
        ada = Peer("Ada")
        with socket.create_server((LOOPBACK, 0)) as silent:
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.05):
                    await ada.transport.dial(LOOPBACK, silent.getsockname()[1])
            await ada.transport.stop()

    played(scene)


def test_a_dial_that_is_stopped() -> None:
    async def scene() -> None:
        ada = Peer("Ada")
        with socket.create_server((LOOPBACK, 0)) as silent:
            dial = asyncio.create_task(ada.transport.dial(LOOPBACK, silent.getsockname()[1]))
            await asyncio.sleep(0)
            await ada.transport.stop()
            assert (await refusal(dial)).code == "leaving"

    played(scene)


# ---------------------------------------------------------------- limits


async def half_open(port: int) -> asyncio.StreamWriter:
    """Somebody who connects and says nothing."""
    _, writer = await asyncio.open_connection(LOOPBACK, port)
    return writer


def test_two_hundred_half_open_connections_keep_nobody_out() -> None:
    async def scene() -> None:
        ada, bea = Peer("Ada"), Peer("Bea")
        async with listening(ada):
            writers = [await half_open(ada.transport.port) for _ in range(200)]
            await bea.dial(ada)
            await ada.until(Authenticated)
            assert len(ada.transport._links) <= LIMITS.unauthenticated + 1
            await bea.transport.stop()
            for writer in writers:
                writer.transport.abort()

    played(scene)


def test_a_stranger_behind_tls_who_must_go_is_told_so() -> None:
    async def scene() -> None:
        ada = Peer("Ada", limits=TransportLimits(unauthenticated=1))
        async with listening(ada):
            reader, writer = await asyncio.open_connection(
                LOOPBACK, ada.transport.port, ssl=client_context(), server_hostname=""
            )
            await reader.readexactly(4)
            newcomer = await half_open(ada.transport.port)
            assert b"too-many-links" in await reader.read()
            for each in (writer, newcomer):
                each.transport.abort()

    played(scene)


def test_a_full_house_turns_newcomers_away() -> None:
    async def scene() -> None:
        ada, bea, cem = Peer("Ada", limits=TransportLimits(sockets=1, farewell=0.5)), Peer("Bea"), Peer("Cem")
        async with listening(ada, cem):
            await bea.dial(ada)
            assert (await refusal(cem.dial(ada))).code == "turned-away"
            error = await refusal(ada.dial(cem))
            assert isinstance(error, LocalProtocolError)
            assert error.code == "too-many-links"
            await bea.transport.stop()

    played(scene)


def test_so_many_for_each_address_but_loopback() -> None:
    async def scene() -> None:
        ada = Peer("Ada", limits=TransportLimits(per_address=1))
        assert not ada.transport._is_crowded("192.0.2.1")
        ours, theirs = socket.socketpair()
        ada.transport._admit(ours, "192.0.2.1", 1)
        assert ada.transport._is_crowded("192.0.2.1")
        assert not ada.transport._is_crowded("192.0.2.2")
        second, beyond = socket.socketpair()
        ada.transport._admit(second, "192.0.2.1", 2)
        assert beyond.recv(1) == b""
        async with listening(ada):
            bea, cem = Peer("Bea"), Peer("Cem")
            for peer in (bea, cem):
                await peer.dial(ada)
                await peer.transport.stop()
        for stream in (theirs, beyond):
            stream.close()

    played(scene)


def test_who_does_not_complete_tls_is_dropped(caplog: pytest.LogCaptureFixture) -> None:
    async def scene() -> None:
        ada = Peer("Ada", LinkLimits(handshake=0.1))
        async with listening(ada):
            reader, writer = await asyncio.open_connection(LOOPBACK, ada.transport.port)
            assert await reader.read() == b""
            writer.close()
            reader, writer = await asyncio.open_connection(LOOPBACK, ada.transport.port)
            writer.write(b"GET / HTTP/1.1\r\n\r\n")
            await reader.read()
            writer.close()
            assert ada.heard == []

    caplog.set_level(logging.INFO, "rummy_p2p")
    played(scene)
    assert caplog.text.count("did not complete TLS") == 2


def test_who_does_not_say_who_it_is_is_dropped() -> None:
    async def scene() -> None:
        ada = Peer("Ada", LinkLimits(authentication=0.1))
        async with listening(ada):
            reader, writer = await asyncio.open_connection(
                LOOPBACK, ada.transport.port, ssl=client_context(), server_hostname=""
            )
            assert b"auth-timeout" in await reader.read()
            writer.close()
            assert ada.heard == []

    played(scene)


def test_garbage_ends_one_connection_and_no_other() -> None:
    async def scene() -> None:
        ada, bea = Peer("Ada"), Peer("Bea")
        async with listening(ada):
            connection = await bea.dial(ada)
            reader, writer = await asyncio.open_connection(
                LOOPBACK, ada.transport.port, ssl=client_context(), server_hostname=""
            )
            writer.write(frame(b"\xc1"))
            assert b"not-msgpack" in await reader.read()
            writer.close()
            connection.send(Say("still here"))
            await ada.until(Received)
            await bea.transport.stop()

    played(scene)


def test_a_peer_that_takes_nothing_in_is_dropped() -> None:
    async def scene() -> None:
        ada, bea = Peer("Ada", limits=TransportLimits(unsent=100_000)), Peer("Bea")
        async with listening(ada):
            connection = await bea.dial(ada)
            await ada.until(Authenticated)
            connection._writer.transport.pause_reading()  # type: ignore[attr-defined]  # a stream's transport reads, too
            [there] = ada.transport.connections
            for _ in range(2000):
                there.send(Data(bytes(30_000)))
                await asyncio.sleep(0)
            await ada.until(Closed)
            assert there.closed
            assert (there.closed.code, there.closed.error.parameters) == ("backlog", {"limit": 100_000})
            connection._writer.transport.abort()
            await bea.transport.stop()

    played(scene)


def test_messages_come_too_fast() -> None:
    async def scene() -> None:
        ada, bea = Peer("Ada", LinkLimits(rate=1, burst=10)), Peer("Bea")
        async with listening(ada):
            connection = await bea.dial(ada)
            for _ in range(50):
                connection.send(Say("x"))
            await bea.until(Closed)
            assert connection.closed
            assert connection.closed.code == "too-fast"
            assert isinstance(connection.closed.error, PeerClosed)
            assert len(ada.events) == 11
            await bea.transport.stop()

    played(scene)


def test_more_may_be_allowed() -> None:
    async def scene() -> None:
        ada, bea = Peer("Ada", LinkLimits(rate=1, burst=10)), Peer("Bea")
        ada.react = lambda connection, _: connection.allow(1000, 1000)
        async with listening(ada):
            connection = await bea.dial(ada)
            await ada.until(Authenticated)
            for _ in range(100):
                connection.send(Say("x"))
            await ada.until(*[Received] * 100)
            await bea.transport.stop()

    played(scene)


def test_a_silent_peer_is_noticed() -> None:
    async def scene() -> None:
        quick = LinkLimits(idle=0.2, ping=0.05)
        ada, bea = Peer("Ada", quick), Peer("Bea", quick)
        async with listening(ada):
            connection = await bea.dial(ada)
            await ada.until(Authenticated)
            connection._writer.transport.pause_reading()  # type: ignore[attr-defined]  # a stream's transport reads, too
            await bea.until(Closed)
            assert connection.closed is not None
            assert connection.closed.code == "idle"
            await bea.transport.stop()

    played(scene)


def test_a_peer_that_vanishes() -> None:
    async def scene() -> None:
        ada, bea = Peer("Ada"), Peer("Bea")
        async with listening(ada):
            connection = await bea.dial(ada)
            await ada.until(Authenticated)
            connection._writer.transport.abort()
            await ada.until(Closed)
            assert [event.code for event in ada.events + bea.events if isinstance(event, Closed)] == ["lost", "lost"]
            await bea.transport.stop()

    played(scene)


# ---------------------------------------------------------------- the handler


def test_a_handler_that_fails_ends_that_connection_alone(caplog: pytest.LogCaptureFixture) -> None:
    async def scene() -> None:
        ada, bea, cem = Peer("Ada"), Peer("Bea"), Peer("Cem")

        def stumble(_: Connection, event: LinkEvent) -> None:
            if event == Received(Say("stumble")):
                raise ZeroDivisionError

        ada.react = stumble
        async with listening(ada):
            first, second = await bea.dial(ada), await cem.dial(ada)
            first.send(Say("stumble"))
            first.send(Say("unheard"))
            await bea.until(Closed)
            assert first.closed
            assert first.closed.code == "internal-error"
            second.send(Say("hello"))
            await ada.until(Received)
            assert Received(Say("unheard")) not in ada.events
            for peer in (bea, cem):
                await peer.transport.stop()

    played(scene)
    assert "ZeroDivisionError" in caplog.text


def test_a_handler_may_hang_up_and_hears_one_closed() -> None:
    async def scene() -> None:
        ada, bea = Peer("Ada"), Peer("Bea")
        ada.react = lambda connection, event: connection.hang_up("table-full", seats=4)
        async with listening(ada):
            connection = await bea.dial(ada)
            await bea.until(Closed)
            assert connection.closed
            assert (connection.closed.code, connection.closed.error.parameters) == ("table-full", {"seats": 4})
            await ada.until(Authenticated, Closed)
            await bea.transport.stop()
        assert [type(event) for event in ada.events] == [Authenticated, Closed]

    played(scene)


def test_closing_twice_is_closing_once() -> None:
    async def scene() -> None:
        ada, bea = Peer("Ada"), Peer("Bea")
        async with listening(ada):
            connection = await bea.dial(ada)
            await connection.close("leaving")
            await connection.close("lost")
            connection.drop("lost")
            assert [event.code for event in bea.events if isinstance(event, Closed)] == ["leaving"]

    played(scene)


def test_an_error_of_our_own_is_logged_and_ends_one_task(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene() -> None:
        ada, bea = Peer("Ada"), Peer("Bea")
        async with listening(ada):
            monkeypatch.setattr("rummy_p2p.node.transport.Link.client", None)
            assert (await refusal(bea.dial(ada))).code == "leaving"

    played(scene)
    assert "TypeError" in caplog.text
