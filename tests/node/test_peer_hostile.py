"""A stranger says to a table in the middle of a match what may not be said: its link ends, the match does not."""

import asyncio
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import msgspec
import pytest

from rummy_p2p.bots import LEVELS
from rummy_p2p.node.peer import Peer
from rummy_p2p.node.players import BotPlayer
from rummy_p2p.node.tls import make_certificate
from rummy_p2p.node.transport import Connection, Transport
from rummy_p2p.protocol.codec import frame, pack
from rummy_p2p.protocol.errors import RemoteProtocolError
from rummy_p2p.protocol.events import FaultFound, HandOver, MatchOver, Paused, Seated, TableEvent
from rummy_p2p.protocol.identity import Identity
from rummy_p2p.protocol.link import Closed, LinkConfig, LinkEvent
from rummy_p2p.protocol.messages import Join, Leave, Say, Seating, Signed, TableInfo, Vote, sign
from tests.node.party import Party, identity, open_table, party, played, seated_table, start, until

SLOWLY = 0.2  # seconds before a bot's move, so that the match is still on when the last breach has been tried


@dataclass
class Target:
    """What a stranger knows of the table that it attacks."""

    me: Identity
    table: TableInfo
    creator: bytes
    match: bytes


def signed(payload: bytes) -> Callable[[Target], bytes]:
    """A genuine signature over what is not a message of a table."""
    return lambda target: frame(
        pack(Signed(author=target.me.player_id, payload=payload, signature=target.me.sign(b"table", payload)))
    )


def forged(target: Target) -> bytes:
    """A message in the name of the creator, without its key."""
    leave = sign(target.me, Leave(table=target.table.table, run=bytes(32)))
    return frame(pack(Signed(author=target.creator, payload=leave.payload, signature=leave.signature)))


def chatter(target: Target) -> bytes:
    said = (sign(target.me, Say(table=target.table.table, number=n, text="hello")) for n in range(100))
    return b"".join(frame(pack(message)) for message in said)


def nested(levels: int) -> bytes:
    return msgspec.msgpack.encode({"type": "signed", "author": 1}) if not levels else b"\x91" * levels + b"\x90"


BREACHES: Mapping[str, tuple[Callable[[Target], bytes], str]] = {
    "a frame of nothing": (lambda _: struct.pack(">I", 0), "bad-frame"),
    "a frame that is too long": (lambda _: struct.pack(">I", 64 * 1024 + 1), "oversize"),
    "bytes that are not a message": (lambda _: frame(b"\xc1" * 40), "not-msgpack"),
    "a message of another kind": (lambda _: frame(msgspec.msgpack.encode({"type": "bomb"})), "unknown-message"),
    "a map that is nested deeply": (lambda _: frame(b"\x81\xa1a" + nested(60)), "too-deep"),
    "fields that are missing": (lambda _: frame(nested(0)), "bad-field"),
    "a signature of somebody else": (forged, "bad-signature"),
    "signed bytes that are not a message": (signed(b"\xc1"), "not-msgpack"),
    "a signed message of another kind": (signed(msgspec.msgpack.encode({"type": "bomb"})), "unknown-message"),
    "a signed map that is nested deeply": (signed(b"\x81\xa1a" + nested(60)), "too-deep"),
    "more than a stranger may say": (chatter, "too-fast"),
}


class Stranger:
    """Somebody who has a key of its own and a program of its own."""

    def __init__(self) -> None:
        self.me = identity()
        self.transport = Transport(LinkConfig(self.me, "Mal", Signed), make_certificate(), self._hear)
        self._closed: asyncio.Queue[Closed] = asyncio.Queue()

    def _hear(self, _connection: Connection, event: LinkEvent) -> None:
        if isinstance(event, Closed):
            self._closed.put_nowait(event)

    async def call(self, peer: Peer) -> Connection:
        return await self.transport.dial("127.0.0.1", peer.transport.port, peer.transport.fingerprint)

    async def say(self, peer: Peer, raw: bytes) -> str:
        """Send raw bytes over a link that stands; return for what reason the other side ends it."""
        connection = await self.call(peer)
        connection._writer.write(raw)
        async with asyncio.timeout(10):
            return (await self._closed.get()).code


def let_them_play(made: Party) -> list[BotPlayer]:
    return [BotPlayer(peer, LEVELS["normal"], 3, everything=True, pause=SLOWLY) for peer in made.peers]


async def let_them_finish(made: Party, bots: list[BotPlayer]) -> None:
    """The match that is still on comes to its end."""
    sessions = [peer.session for peer in made.peers]
    assert not any(session and session.match and session.match.is_over for session in sessions)
    for bot in bots:
        bot._pause = 0
    await until(lambda: all(session and session.match and session.match.is_over for session in sessions), *made.peers)
    for bot in bots:
        bot.close()


def told(peer: Peer) -> list[TableEvent]:
    return [peer.events.get_nowait() for _ in range(peer.events.qsize())]


@pytest.mark.timeout(120)
def test_no_breach_of_a_stranger_disturbs_a_match() -> None:
    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            sessions = await seated_table(made)
            bots = let_them_play(made)
            start(made.peers[0])
            await until(lambda: all(session.fold and session.fold.hand for session in sessions), *made.peers)
            stranger = Stranger()
            for peer in made.peers:
                for what, (make, code) in BREACHES.items():
                    match = sessions[0].match
                    assert match is not None
                    target = Target(stranger.me, sessions[0].info, sessions[0].creator, match.id)
                    assert (what, await stranger.say(peer, make(target))) == (what, code)
            await let_them_finish(made, bots)
            await stranger.transport.stop()
            for peer in made.peers:
                events = told(peer)
                assert [event.audit for event in events if isinstance(event, HandOver)] == ["ok"]
                assert [event.code for event in events if isinstance(event, MatchOver)] == [""]
                assert not [event for event in events if isinstance(event, Paused | FaultFound)]

    played(scene)


def test_what_a_stranger_signs_itself_changes_nothing_at_the_table() -> None:
    """All of it is in order as a message; it is just not the stranger's to say."""

    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            sessions = await seated_table(made)
            bots = let_them_play(made)
            start(made.peers[0])
            await until(lambda: all(session.fold and session.fold.hand for session in sessions), *made.peers)
            match, table, stranger = sessions[0].match, sessions[0].info.table, Stranger()
            assert match is not None
            claims = (
                Leave(table=table, run=bytes(32)),
                Seating(table=table, revision=1000, seats=(), peers=()),
                Vote(match=match.id, term=1, candidate=stranger.me.player_id),
            )
            connection = await stranger.call(made.peers[1])
            for payload in claims:
                connection.send(sign(stranger.me, payload))
            await let_them_finish(made, bots)
            await stranger.transport.stop()
            assert connection.closed is not None
            assert connection.closed.by_us
            for peer, session in zip(made.peers, sessions, strict=True):
                events = told(peer)
                assert [event.code for event in events if isinstance(event, MatchOver)] == [""]
                assert not [event for event in events if isinstance(event, Paused | FaultFound)]
                assert session.host != stranger.me.player_id
                assert {seat.name for seat in session.seats} == {"Ada", "Bea"}

    played(scene)


def test_a_name_with_codes_for_the_terminal_reaches_nobody_as_it_was_sent() -> None:
    async def scene() -> None:
        async with party("Ada") as made:
            [ada] = made.peers
            session = open_table(ada, 2)
            stranger = Stranger()
            connection = await stranger.call(ada)
            join = Join(
                table=session.info.table,
                run=bytes(32),
                number=1,
                version=session.info.version,
                fingerprint=session.info.fingerprint,
                nick="\x1b[2J\x9bMal\u202e\x07",
                bots=0,
                auto=False,
                wish="never",
            )
            connection.send(sign(stranger.me, join))
            await until(lambda: len(session.seats) == 2, ada)
            await stranger.transport.stop()
            assert session.seats[1].name == "[2JMal"
            assert [event.new for event in told(ada) if isinstance(event, Seated)] == [("Ada",), ("[2JMal",)]

    played(scene)


def test_with_a_wrong_pin_nothing_is_said_at_all() -> None:
    async def scene() -> None:
        async with party("Ada") as made:
            [ada] = made.peers
            open_table(ada, 2)
            stranger = Stranger()
            with pytest.raises(RemoteProtocolError) as caught:
                await stranger.transport.dial("127.0.0.1", ada.transport.port, bytes(32))
            await stranger.transport.stop()
            assert caught.value.code == "wrong-pin"
            assert ada.transport.connections == ()

    played(scene)
