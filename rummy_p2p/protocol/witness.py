"""The witness: what of a record only one's own clock and one's own eyes can tell.

The law of this file
--------------------
* What depends on a clock is not acknowledged before one's own clock agrees, unless so many others hold it already that
  it stands anyway.
* A host that says somebody is away who can be heard is caught by everybody who hears them. Where there was a gap here
  as well, be it a short one, both may be right: then it stands after a while.
"""

from __future__ import annotations

from typing import Final, cast

from rummy_p2p.protocol.faults import Fault
from rummy_p2p.protocol.gossip import Gossip
from rummy_p2p.protocol.ledger import Entry
from rummy_p2p.protocol.ordering import TOLERANCE, Ordering
from rummy_p2p.protocol.records import Away
from rummy_p2p.protocol.replica import Replica
from rummy_p2p.protocol.state import Fold
from rummy_p2p.protocol.waiting import AWAY_AFTER, Absence

DOUBTED_FOR: Final = 10.0
UNSURE_FOR: Final = 3.0
A_GAP: Final = 0.01


class Witness:
    """What one peer has noticed of one match by itself."""

    def __init__(self, replica: Replica, gossip: Gossip, ordering: Ordering, absence: Absence) -> None:
        """Start with nothing doubted."""
        self._me = gossip.me
        self._replica = replica
        self._gossip = gossip
        self._ordering = ordering
        self._absence = absence
        self._doubted: dict[bytes, float] = {}

    def is_early(self, before: Fold, entry: Entry, now: float) -> bool:
        """Whether a record has to wait for this peer's own clock, or for its own eyes; not when it stands anyway."""
        body, least = entry.body, AWAY_AFTER - TOLERANCE
        hears = isinstance(body, Away) and not self._absence.was_lost(self._other(entry, body), now, least)
        if not hears and not self._ordering.is_early(before, entry, now):
            return False
        ledger = self._replica.ledger
        ahead = set(self._gossip.ahead(ledger.match, ledger.tail_term, ledger.tail)) & set(ledger.voters)
        ahead -= {entry.host, self._me}
        if self._replica.is_backed(entry) or len(ahead) >= ledger.quorum - 1:
            return False
        return not hears or self._doubts(entry, now)

    def _doubts(self, entry: Entry, now: float) -> bool:
        """Whether to go on waiting, although this peer hears whoever is said to be away. Fault when that lasts.

        Who is wrongly said to be away says so at once.
        """
        since = self._doubted.setdefault(entry.hash, now)
        if self._absence.was_lost(self._other(entry, cast("Away", entry.body)), since, A_GAP):
            return now - since < UNSURE_FOR
        if now - since >= DOUBTED_FOR:
            raise Fault("false-away", entry.host, (entry.record,))
        return True

    def _other(self, entry: Entry, away: Away) -> bytes:
        """Whom this peer must have lost for an Away to be true: the peer itself, or the host that cannot reach us."""
        return entry.host if away.peer == self._me else away.peer
