"""What can be said of a match by whoever follows it, with a part in it (`match`) or without (`watching`)."""

from __future__ import annotations

from typing import cast

from rummy_p2p.protocol.identity import Identity
from rummy_p2p.protocol.messages import Signed, Start, match_id, read
from rummy_p2p.protocol.replica import Replica
from rummy_p2p.protocol.roster import Seat, name_seats
from rummy_p2p.protocol.state import Stage
from rummy_p2p.ruleset import Ruleset


class Followed:
    """A match from its Start on: who sits at it, what is played, how far it has come."""

    def __init__(self, identity: Identity, start: Signed, rules: Ruleset) -> None:
        """``start``: the creator's Start, already found to be in order."""
        self.me = identity.player_id
        self.start = start
        self.id = match_id(start)
        self.rules = rules
        self.stopped = False
        self._entries = cast("Start", read(start))
        self.seats: tuple[Seat, ...] = name_seats(self._entries.seats)
        self.peers = frozenset(entry.peer for entry in self._entries.peers)  # with whom this match began
        self.replica = Replica(identity, self.id, tuple(entry.peer for entry in self._entries.peers), rules)

    @property
    def host(self) -> bytes | None:
        """Who orders; None before that is known."""
        return self.replica.ledger.host

    @property
    def is_blind(self) -> bool:
        """Whether nobody sees the deck of this match."""
        return self._entries.deal == "blind"

    @property
    def is_over(self) -> bool:
        """Whether nothing more comes."""
        return self.stopped or self.replica.committed.stage is Stage.OVER
