"""Carries the exchange about a table's password over the links, on both sides."""

import asyncio
import logging
import secrets
from typing import TypeVar, get_args

from rummy_p2p.node.transport import Connection
from rummy_p2p.protocol.errors import RemoteProtocolError
from rummy_p2p.protocol.faults import Refusal
from rummy_p2p.protocol.password import Door, Joiner, KnockAnswer, Knocking, NotWelcome, Welcome, why_not
from rummy_p2p.protocol.table import TableSession

_log = logging.getLogger(__name__)

ANSWER_WITHIN = 5.0
KINDS = get_args(Knocking)
T = TypeVar("T")


class Doorway:
    """The door of this program's table, and its own knocking at another's."""

    def __init__(self, me: bytes) -> None:
        self._me = me
        self._door: Door | None = None
        self._session: TableSession | None = None
        self._asked: Connection | None = None
        self._answers: asyncio.Queue[Knocking] = asyncio.Queue()

    def open(self, session: TableSession, password: str) -> None:
        """From now on whoever knows the password may ask for a seat."""
        if password:
            self._door = Door(password, session.info.table, self._me, secrets.token_bytes)
            self._session = session

    def close(self) -> None:
        """There is no table any more."""
        self._door = self._session = None

    def hear(self, connection: Connection, channel: bytes, message: Knocking) -> None:
        """Take a message of this kind; whoever sends what nobody has asked for breaks the protocol."""
        if connection is self._asked and isinstance(message, KnockAnswer | Welcome | NotWelcome):
            self._answers.put_nowait(message)
            return
        if self._door is None or self._session is None:
            return
        try:
            now = asyncio.get_running_loop().time()
            answer, admitted = self._door.receive(connection.player_id, channel, message, now)
        except RemoteProtocolError as error:
            _log.warning("%r broke the protocol: %s", connection, error)
            connection.hang_up(error.code, **error.parameters)
            return
        if admitted:
            self._session.admit(connection.player_id, now)
        if isinstance(answer, NotWelcome):
            _log.info("%r was not let in: %s", connection, answer.code)
        if answer is not None:
            connection.send(answer)

    async def knock(self, connection: Connection, table: bytes, password: str) -> None:
        """Show over this link that the password is known; Refusal tells why that was not enough."""
        joiner = Joiner(password, table, self._me, connection.player_id, connection.fingerprint, secrets.token_bytes)
        self._asked, self._answers = connection, asyncio.Queue()
        try:
            async with asyncio.timeout(ANSWER_WITHIN):
                connection.send(joiner.knock())
                connection.send(joiner.prove(await self._answer(KnockAnswer)))
                if not joiner.is_welcome(await self._answer(Welcome)):
                    raise Refusal("false-door")
        except TimeoutError:
            raise Refusal("table-lost") from None
        finally:
            self._asked = None

    async def _answer(self, kind: type[T]) -> T:
        message = await self._answers.get()
        if isinstance(message, NotWelcome):
            raise why_not(message)
        if not isinstance(message, kind):
            raise RemoteProtocolError("unexpected-message", kind=type(message).__name__)
        return message
