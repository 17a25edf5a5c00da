"""Pauses: why a table waits, and for whom. One pauses for who is missing, and because all who are here want to."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import replace

from rummy_p2p.protocol.events import Paused, PauseWanted, Resumed, TableEvent
from rummy_p2p.protocol.faults import say
from rummy_p2p.protocol.ledger import Ledger
from rummy_p2p.protocol.ordering import UNTIMED
from rummy_p2p.protocol.replica import Replica
from rummy_p2p.protocol.roster import Seat
from rummy_p2p.protocol.state import Fold


class Pauses:
    """Whether one match pauses, as one peer sees it."""

    def __init__(self, replica: Replica, seats: tuple[Seat, ...]) -> None:
        """Start with nobody missed."""
        self._replica = replica
        self._seats = seats
        self.reason: Paused | None = None
        self._there: frozenset[bytes] = frozenset()
        self._wanting: tuple[str, ...] = ()

    @property
    def holds_up(self) -> bool:
        """Whether nobody may move."""
        return holds_up(self.reason, self._replica.committed, self._there)

    def look(
        self,
        there: frozenset[bytes],
        resting: AbstractSet[bytes],
        suspending: AbstractSet[bytes] = frozenset(),
        *,
        early: bool = False,
    ) -> list[TableEvent]:
        """Note who can be reached, who would like a pause, and who has said that it goes; what the player is to know of
        it. ``early``: this program has only just come back.

        Programs with bots alone want what the others want.
        """
        self._there = there = there - suspending
        ledger, away = self._replica.ledger, self._replica.committed.away
        reason = pause_for(ledger, there, self._seats, away)
        if reason is not None:
            gone = {seat.name for seat in self._seats if seat.owner in suspending}
            said = tuple(name for name in reason.players if name in gone)
            reason = replace(reason, suspended=said, early=early and not said)
        if reason is not None and reason.code != "player-lost":
            return self.change(reason)
        people = {seat.owner for seat in self._seats if not seat.bot} & (there - away) & set(ledger.voters)
        names = tuple(seat.name for seat in self._seats if seat.owner in people & resting and not seat.bot)
        agreed = bool(people) and people <= resting
        told: list[TableEvent] = [PauseWanted(names)] if names != self._wanting and not agreed else []
        self._wanting = names
        return told + self.change(Paused("agreed", say("agreed"), names) if agreed else reason)

    def change(self, reason: Paused | None) -> list[TableEvent]:
        """Pause for this reason, or go on; what the player is to know of it."""
        if reason == self.reason:
            return []
        self.reason = reason
        return [reason or Resumed()]


def holds_up(paused: Paused | None, fold: Fold, there: frozenset[bytes]) -> bool:
    """Whether nobody may move. For a player who is merely out of reach only that player's turn waits, and whatever
    cannot be done without all.
    """
    if paused is None or paused.code != "player-lost":
        return paused is not None
    if fold.hand is None or not fold.is_dealt or fold.hand.phase in UNTIMED:
        return True
    return fold.owner_of(fold.hand.turn) not in there


def pause_for(
    ledger: Ledger, reachable: frozenset[bytes], seats: tuple[Seat, ...], away: frozenset[bytes] = frozenset()
) -> Paused | None:
    """Why the table has to wait, and for whom; None when everybody who plays, and is not ``away``, can be reached."""
    missing = [peer for peer in ledger.voters if peer not in reachable]
    code = "player-lost"
    has_quorum = len(ledger.voters) - len(missing) >= ledger.quorum
    if ledger.host in missing:
        code, missing = "host-gone" if has_quorum else "host-lost", [peer for peer in missing if peer == ledger.host]
    elif not has_quorum:
        code = "no-quorum"
    else:
        missing = [peer for peer in missing if peer not in away]
    if not missing:
        return None
    names = tuple(next(seat.name for seat in seats if seat.owner == peer) for peer in missing)
    return Paused(code, say(code, {"players": ", ".join(names)}), names)
