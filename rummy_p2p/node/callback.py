"""Answers those who ask to be called back: one connection to where they are, closed at once, and what came of it."""

import asyncio
import logging
from collections import Counter

from rummy_p2p.node.liveness import probe
from rummy_p2p.node.transport import Connection
from rummy_p2p.protocol.callback import MAX_CALLS, CallBack, CalledBack

_log = logging.getLogger(__name__)


class CallBacks:
    """Of one program; at most one call at a time and MAX_CALLS for each connection, the others get no answer."""

    def __init__(self) -> None:
        self._counts: Counter[Connection] = Counter()
        self._tasks: dict[Connection, asyncio.Task[None]] = {}

    def asked(self, connection: Connection, message: CallBack) -> None:
        """Call back, unless that is too much."""
        if connection in self._tasks or self._counts[connection] >= MAX_CALLS:
            _log.info("%r asks too often to be called back", connection)
            return
        self._counts[connection] += 1
        task = asyncio.create_task(self._call(connection, message.port), name="peer-call-back")
        self._tasks[connection] = task
        task.add_done_callback(lambda _: self._tasks.pop(connection, None))

    def forget(self, connection: Connection) -> None:
        """The connection is over."""
        self._counts.pop(connection, None)
        if task := self._tasks.get(connection):
            task.cancel()

    async def stop(self) -> None:
        """End the calls that are under way."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    @staticmethod
    async def _call(connection: Connection, port: int) -> None:
        reached = await probe(connection.address, port)
        connection.send(CalledBack(port=port, reached=reached))
