"""An invitation: "come and sit at this table". It is a hint and an address; nobody sits down by it before saying so.

The law of this file
--------------------
* Who invites is whoever holds the other end of the link. What is played there is the word of the table's creator,
  signed, so that nobody invites to a table that does not exist or is another one.
* Of whom too many come is not heard any more for a while, and of all together there are no more than so many.
* Who does not come says so, once; it is heard from those alone who were asked.
"""

from __future__ import annotations

from collections import deque
from typing import Annotated, Final

import msgspec

from rummy_p2p.protocol.codec import Bytes32, Message
from rummy_p2p.protocol.fields import Blob

SPAN: Final = 60.0
MOST_OF_ONE: Final = 3
MOST_OF_ALL: Final = 12
REMEMBERED: Final = 64


class Invitation(Message, frozen=True, omit_defaults=True):
    """A table's packed Signed TableInfo, and where its creator is: ``host`` empty: where this invitation comes from.

    ``admitted``: its creator lets whoever gets this sit down without a password.
    """

    offer: Blob
    port: Annotated[int, msgspec.Meta(ge=1, le=65535)]
    pin: Bytes32
    host: Annotated[str, msgspec.Meta(max_length=64)] = ""
    admitted: bool = False


class InvitationDeclined(Message, frozen=True):
    """Whoever was invited to this table does not come."""

    table: Bytes32


class Asked:
    """Who was invited where and has not answered: so that nobody else's answer is heard, and none twice."""

    def __init__(self) -> None:
        self._tables: dict[bytes, bytes] = {}

    def note(self, player: bytes, table: bytes) -> None:
        """This player is invited to that table; the last one counts."""
        self._tables.pop(player, None)
        self._tables[player] = table
        if len(self._tables) > REMEMBERED:
            del self._tables[next(iter(self._tables))]

    def answered(self, player: bytes, table: bytes) -> bool:
        """Whether this is an answer to an invitation; it is the only one."""
        asked = self._tables.get(player) == table
        if asked:
            del self._tables[player]
        return asked


class Patience:
    """How many invitations are listened to: of each player, and of all; none of whoever is not wanted for now."""

    def __init__(self) -> None:
        self._times: dict[bytes, deque[float]] = {}
        self._all: deque[float] = deque()
        self._quiet: dict[bytes, float] = {}

    def hears(self, player: bytes, now: float) -> bool:
        """Whether one more of this player's is listened to; it counts."""
        times = self._times.setdefault(player, deque())
        for kept in (times, self._all):
            while kept and kept[0] <= now - SPAN:
                kept.popleft()
        heard = now >= self._quiet.get(player, now) and len(times) < MOST_OF_ONE and len(self._all) < MOST_OF_ALL
        if heard:
            times.append(now)
            self._all.append(now)
        for gone in [each for each, kept in self._times.items() if not kept]:
            del self._times[gone]
        return heard

    def not_before(self, player: bytes, then: float) -> None:
        """Listen to none of this player's before that time."""
        self._quiet.pop(player, None)
        self._quiet[player] = then
        if len(self._quiet) > REMEMBERED:
            del self._quiet[next(iter(self._quiet))]
