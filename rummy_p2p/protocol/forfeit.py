"""The forfeit of one of two: who has waited for the other longer than the table's grace time may end the match.

The law of this file
--------------------
* A claim is no record, for one of two commits nothing: the other hears of it when it is back.
* Of the claimant's word no more is believed than was noticed: who was not out of reach for so long by its own clock has
  lost nothing. Both stop all the same, for one of them plays no longer.
* Nothing is claimed against somebody who has said that the match is to be played on another time, nor against somebody
  who has not been there since this program came back itself: both may only be waited for.
"""

from __future__ import annotations

from math import ceil
from typing import NamedTuple

from rummy_p2p.protocol.faults import Refusal, say
from rummy_p2p.protocol.gossip import Gossip
from rummy_p2p.protocol.messages import Claim, Signed
from rummy_p2p.protocol.ordering import TOLERANCE, Ordering
from rummy_p2p.protocol.replica import Replica
from rummy_p2p.protocol.roster import Seat
from rummy_p2p.protocol.state import winners_without
from rummy_p2p.protocol.waiting import Absence, other_of_two


class Ending(NamedTuple):
    """How a match ends that is not played out: as `MatchOver` tells it."""

    code: str
    sentence: str
    winners: tuple[int, ...]


class Forfeit:
    """Claims in one match, from one peer's side."""

    def __init__(
        self, replica: Replica, gossip: Gossip, ordering: Ordering, absence: Absence, seats: tuple[Seat, ...]
    ) -> None:
        """Nothing is claimed yet; the grace time is that of ``ordering``."""
        self.claimed: Signed | None = None
        self._me = gossip.me
        self._replica = replica
        self._gossip = gossip
        self._ordering = ordering
        self._absence = absence
        self._seats = seats

    def claim(self, now: float) -> Ending:
        """End the match because the other has been gone for too long; Refusal says what is missing."""
        ledger, grace = self._replica.ledger, self._ordering.grace
        other = other_of_two(ledger.voters, self._me)
        if other is None:
            raise Refusal("no-claim")
        name, waited = self._name(other), self._absence.lasts(other, now)
        if (excuse := self._excuse(other)) is not None:
            raise Refusal(excuse, player=name)
        if not waited:
            raise Refusal("nobody-gone", player=name, grace=grace)
        if waited < grace:
            raise Refusal("grace-left", player=name, left=ceil(grace - waited))
        said = Claim(match=ledger.match, seq=ledger.committed, head=ledger.committed_head, waited=int(waited))
        self.claimed = self._gossip.say(said)
        return self._ending("claimed", other, self._me)

    def opens(self, now: float) -> float | None:
        """In how many seconds the match could be claimed, 0 when it can; None when nobody is waited for in this way."""
        other = other_of_two(self._replica.ledger.voters, self._me)
        if other is None or not self._absence.lasts(other, now) or self._excuse(other) is not None:
            return None
        return max(0.0, self._ordering.grace - self._absence.lasts(other, now))

    def _excuse(self, other: bytes) -> str | None:
        """Why nothing can be claimed against the other one, however long it is gone."""
        if other in self._gossip.suspending(self._replica.ledger.match):
            return "has-suspended"
        return "not-back-yet" if other in self._absence.awaited else None

    def hear(self, author: bytes, now: float) -> Ending | None:
        """The other one has waited for this peer for too long; None when there are not two."""
        if author == self._me or other_of_two(self._replica.ledger.voters, self._me) != author:
            return None
        noticed = self._absence.has_missed(author, now, self._ordering.grace - TOLERANCE)
        return self._ending("claimed" if noticed else "claim-doubted", self._me, author)

    def _ending(self, code: str, lost: bytes, winner: bytes) -> Ending:
        """Who has won by a claim; before the first record the claimant itself."""
        words: dict[str, int | str] = {"player": self._name(lost), "winner": self._name(winner)}
        words["grace"] = self._ordering.grace
        first = next(seat.number for seat in self._seats if seat.owner == winner)
        winners = winners_without(self._replica.committed, lost, winner) or (first,)
        return Ending(code, say(code, words), winners if code == "claimed" else ())

    def _name(self, peer: bytes) -> str:
        return next(seat.name for seat in self._seats if seat.owner == peer)
