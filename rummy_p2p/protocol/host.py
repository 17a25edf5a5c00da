"""What the host owes to the ledger besides its part in the deal: to open the match, to end what takes too long, to put
convicted guests out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rummy_p2p.protocol.codec import pack
from rummy_p2p.protocol.court import Court
from rummy_p2p.protocol.election import Election
from rummy_p2p.protocol.hand import Duty, Party
from rummy_p2p.protocol.messages import Signed
from rummy_p2p.protocol.ordering import Ordering
from rummy_p2p.protocol.records import Away, HostChange, Roster
from rummy_p2p.protocol.replica import Replica
from rummy_p2p.protocol.state import Stage
from rummy_p2p.protocol.waiting import AWAY_AFTER, Absence
from rummy_p2p.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Host:
    """The host's view of one match; every peer has one, and uses it when it is host."""

    start: Signed
    rules: Ruleset
    replica: Replica
    election: Election
    party: Party
    ordering: Ordering
    court: Court
    absence: Absence

    def opening(self) -> Iterator[Duty]:
        """The first two records: who plays what, and the votes that made this peer the host."""
        if self.replica.committed.stage is Stage.EMPTY:
            yield "roster", Roster(start=pack(self.start), rules=self.rules.canonical())
            return
        term = self.replica.ledger.term
        votes = tuple(pack(vote) for vote in self.election.votes_for(term, self.party.me))
        yield "host-change", HostChange(term=term, votes=votes)

    def takes_over(self) -> Iterator[Duty]:
        """The first record of a later term: the votes."""
        term = self.replica.ledger.term
        votes = tuple(pack(vote) for vote in self.election.votes_for(term, self.party.me))
        yield f"host-change {term}", HostChange(term=term, votes=votes)

    def overdue(self, now: float) -> Iterator[Duty]:
        """End the turn of a seat whose time is over; deal again without those whose bytes do not come."""
        fold = self.replica.committed
        time_out = self.ordering.overdue(fold, now)
        if time_out is not None:
            yield f"time-out {self.replica.ledger.committed}", time_out
        yield from self.absent(now)
        late = self.ordering.late_peers(fold, now)
        if fold.is_blind and not fold.can_play_without((*fold.without, *late)):
            late = ()
        if late or (fold.is_blind and self.ordering.is_late(fold, now)):
            again = self.party.open_again(fold, late)
            yield f"again {fold.number}.{fold.epoch}", again

    def absent(self, now: float) -> Iterator[Duty]:
        """Say who cannot be reached any more, so that the table need not wait; a quorum has to see it as well."""
        fold, ledger = self.replica.committed, self.replica.ledger
        for peer in ledger.voters:
            if peer not in fold.away and self.absence.lasts(peer, now) >= AWAY_AFTER:
                yield f"away {peer.hex()}", Away(peer=peer)

    def sentences(self) -> Iterator[Duty]:
        """Put convicted guests out, as soon as there is a hand that can be void."""
        fold = self.replica.committed
        for peer in fold.peers if fold.stage is not Stage.BETWEEN else ():
            if (void := self.court.sentence(peer)) is not None:
                yield f"void {peer.hex()}", void
