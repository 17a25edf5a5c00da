"""Moderation by vote: the table's players together may mute somebody, or take somebody's seat between matches.

The law of this file
--------------------
* Every peer at the table has one voice, and the one whom it is about has none. More than half of the others decide.
* Each peer counts for itself what has come to it. Nobody's word is needed, not even that of who opened the table; but
  seats are given and taken there alone, and its own seat cannot be taken: who does not like the table leaves it.
* What was decided stands until the table is closed, or until more than half take it back.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from rummy_p2p.protocol.fields import Measure
from rummy_p2p.protocol.messages import Ballot

REMEMBERED: Final = 256


@dataclass(frozen=True, slots=True)
class Count:
    """How a vote stands: voices for it, how many are needed, and whether it has just been decided, and how."""

    votes: int
    needed: int
    decided: bool | None


class Moderation:
    """The votes of one table, as one peer has heard them."""

    def __init__(self) -> None:
        self._ballots: dict[tuple[Measure, bytes, bytes], Ballot] = {}
        self._holds: set[tuple[Measure, bytes]] = set()

    def holds(self, measure: Measure, peer: bytes) -> bool:
        """Whether this was decided about somebody."""
        return (measure, peer) in self._holds

    def cast(self, author: bytes, ballot: Ballot, peers: Collection[bytes]) -> Count | None:
        """Take a voice; None when it is nobody's, or old. A program that was started anew counts from one again."""
        if author not in peers or author == ballot.about or ballot.about not in peers:
            return None
        key = (ballot.measure, ballot.about, author)
        before = self._ballots.get(key)
        if before is not None and before.run == ballot.run and before.number >= ballot.number:
            return None
        self._ballots.pop(key, None)
        self._ballots[key] = ballot
        if len(self._ballots) > REMEMBERED:
            del self._ballots[next(iter(self._ballots))]
        return self._count(ballot.measure, ballot.about, peers)

    def _count(self, measure: Measure, about: bytes, peers: Collection[bytes]) -> Count:
        voters = set(peers) - {about}
        votes = sum(
            ballot.agree
            for (what, whom, author), ballot in self._ballots.items()
            if (what, whom) == (measure, about) and author in voters
        )
        needed = len(voters) // 2 + 1
        held, holds = self.holds(measure, about), votes >= needed
        (self._holds.add if holds else self._holds.discard)((measure, about))
        return Count(votes, needed, holds if holds != held else None)
