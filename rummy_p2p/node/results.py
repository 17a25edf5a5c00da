"""How a match went on, told to whoever comes back to it when the others are at it no longer.

Laws of this file
* Who comes back says which match it is at and how far that is committed there (`Presence`). Whoever has more of it on
  the disk, and is not at it now, answers: with the records that are missing, and the acknowledgements that make them
  stand. All of that was signed by those who played, and is believed for that reason alone.
* Only who played in a match is answered. What is asked for over one link is read from the disk `TRIES` times at most.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from weakref import WeakKeyDictionary

from rummy_p2p.node.transport import Connection
from rummy_p2p.protocol.codec import pack
from rummy_p2p.protocol.errors import RemoteProtocolError
from rummy_p2p.protocol.faults import Fault
from rummy_p2p.protocol.identity import Identity
from rummy_p2p.protocol.ledger import read_stream, take_apart
from rummy_p2p.protocol.messages import Ack, Presence, Records, Signed, Start, read, read_packed, sign
from rummy_p2p.protocol.records import Roster
from rummy_p2p.store import StoreError

_log = logging.getLogger(__name__)

LoadLedger = Callable[[bytes], bytes]

TRIES = 8
CHUNK = 24 * 1024
_KIND_WITHIN = 24  # bytes: what kind of message it is stands in front
AT_ONCE = 512 * 1024  # a link on which more is unsent is cut


class Results:
    """The matches of which this peer has the ledger on its disk."""

    def __init__(self, identity: Identity) -> None:
        """Without ``load`` there are none."""
        self.load: LoadLedger | None = None
        self._identity = identity
        self._tries: WeakKeyDictionary[Connection, int] = WeakKeyDictionary()

    def hear(self, connection: Connection, message: Signed, now_at: bytes) -> None:
        """A neighbour has said something; ``now_at``: the match that this peer is at itself."""
        if self.load is None or message.author != connection.player_id or self._tries.get(connection, 0) >= TRIES:
            return
        said = _presence(message)
        if said is None:
            return
        if said.match in (bytes(32), now_at):
            return
        self._tries[connection] = self._tries.get(connection, 0) + 1
        again = self._tries[connection] % 2 == 0  # what is not committed there may be something else than here
        for answer in self._answers(said, said.seq if again else said.committed, connection.player_id, self.load):
            connection.send(answer)

    def _answers(self, said: Presence, held: int, player: bytes, load: LoadLedger) -> list[Signed]:
        """What somebody lacks of a match; nothing where it has all that is known here, or did not play in it."""
        try:
            messages = list(read_stream(load(said.match)))
            records, acks = _parted(messages)
            missing = records[held:] if player in _players(records) else []
        except (StoreError, RemoteProtocolError, Fault) as error:
            _log.info("nothing is told of a match that %s is at: %s", player.hex()[:8], error)
            return []
        if not missing:
            return []
        parts = list(_chunks(missing))
        told = [
            sign(self._identity, Records(match=said.match, to=player, number=number, records=part))
            for number, part in enumerate(parts, 1)
        ]
        return told + acks


def _presence(message: Signed) -> Presence | None:
    if b"presence" not in message.payload[:_KIND_WITHIN]:  # nothing else is read twice
        return None
    try:
        payload = read(message)
    except RemoteProtocolError:  # its link is told by whoever takes it in
        return None
    return payload if isinstance(payload, Presence) else None


def _parted(messages: list[Signed]) -> tuple[list[Signed], list[Signed]]:
    """A ledger file as records and the acknowledgements behind them."""
    end = len(messages)
    while end and isinstance(read(messages[end - 1]), Ack):
        end -= 1
    return messages[:end], messages[end:]


def _players(records: list[Signed]) -> set[bytes]:
    """Whose programs played in a match: its first record says so."""
    body = take_apart(records[0]).body if records else None
    start = read(read_packed(body.start)) if isinstance(body, Roster) else None
    return {entry.peer for entry in start.peers} if isinstance(start, Start) else set()


def _chunks(records: list[Signed]) -> Iterator[tuple[bytes, ...]]:
    """Packed records, as many together as a message holds, and no more of them than a link takes at once."""
    part: list[bytes] = []
    size = total = 0
    for record in records:
        data = pack(record)
        total += len(data)
        if total > AT_ONCE:
            break
        if part and (size + len(data) > CHUNK or len(part) == 256):
            yield tuple(part)
            part, size = [], 0
        part.append(data)
        size += len(data)
    if part:
        yield tuple(part)
