"""What a match waits for: peers that cannot be reached, records and cards that have not come.

A peer that misses records asks those that are ahead, one after the other; a seat whose cards do not come asks the host.
A gap that closes by itself within a moment is none: links keep their order, but not each other's.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from typing import Final

from rummy_p2p.protocol.gossip import Gossip
from rummy_p2p.protocol.messages import Ask

GAP_PATIENCE: Final = 0.3
BOX_PATIENCE: Final = 1.0
ASK_AGAIN_AFTER: Final = 1.0
AWAY_AFTER: Final = 5.0
REMEMBERED: Final = 15.0
STOOD_STILL: Final = 3.0


class Behind:
    """Watches for how long this peer has missed something, and asks for it."""

    def __init__(self, match: bytes, gossip: Gossip, now: float) -> None:
        """Start with nothing missed."""
        self._match = match
        self._gossip = gossip
        self._gap_since: float | None = None
        self._boxless_since: float | None = None
        self._due = now
        self._asks = 0
        self._tail = self._back = 0

    @property
    def misses_something(self) -> bool:
        """Whether there is a reason to look again soon."""
        return self._gap_since is not None or self._boxless_since is not None

    def answered(self, now: float) -> None:
        """Records have come: if there is still a gap, ask again at once."""
        self._due = now

    def look(
        self, tail: int, committed: int, now: float, *, term: int, gap: bool, boxless: bool, host: bytes | None
    ) -> None:
        """Ask, when something has been missing for long enough and the last question had its time.

        ``term``: of the last record here.

        What is not committed here may be different elsewhere: while answers add nothing to what is here, the question
        goes back behind its end, twice as far each time, down to what is committed; then it begins at the end again.
        """
        ahead = self._gossip.ahead(self._match, term, tail)
        if tail != self._tail:
            self._tail, self._back = tail, 0
        self._gap_since = (self._gap_since or now) if gap or ahead else None
        self._boxless_since = (self._boxless_since or now) if boxless else None
        if now < self._due:
            return
        if self._gap_since is not None and now >= self._gap_since + GAP_PATIENCE:
            others = self._gossip.askable(set(ahead or self._gossip.reachable()) - {self._gossip.me})
            if others:
                seq = max(committed, tail - self._back)
                self._ask(others[self._asks % len(others)], seq, now, boxes=False)
                self._back = 2 * self._back or 1 if seq > committed else 0
        elif self._boxless_since is not None and now >= self._boxless_since + BOX_PATIENCE and host is not None:
            self._ask(host, tail, now, boxes=True)

    def _ask(self, peer: bytes, seq: int, now: float, *, boxes: bool) -> None:
        self._asks += 1
        self._due = now + ASK_AGAIN_AFTER
        self._gossip.say(Ask(match=self._match, to=peer, number=self._asks, seq=seq, boxes=boxes), peer)


class Absence:
    """For how long each peer of a match has been out of reach, by this peer's own clock."""

    def __init__(self) -> None:
        """Start with everybody here."""
        self._since: dict[bytes, float] = {}
        self._spells: dict[bytes, tuple[float, float]] = {}
        self._looked: float | None = None
        self._longest: dict[bytes, float] = {}
        self.awaited: set[bytes] = set()  # who has not been heard in the match since this program came back to it

    def look(self, peers: Iterable[bytes], reachable: frozenset[bytes], now: float) -> None:
        """Note who can be reached now. While this program stood still it heard nobody."""
        stood_still = self._looked is not None and now - self._looked >= STOOD_STILL
        for peer in peers:
            if stood_still:
                self._note(peer, self._looked or now, now)
            if peer not in reachable:
                self._since.setdefault(peer, now)
            elif (since := self._since.pop(peer, None)) is not None:
                self._note(peer, since, now)
        self._looked = now

    def was_down(self, peers: Iterable[bytes], now: float) -> None:
        """This program was not running: whoever was lost meanwhile, it cannot know better."""
        for peer in peers:
            self._note(peer, now - REMEMBERED, now)
            self._longest[peer] = inf
            self.awaited.add(peer)

    def has_missed(self, peer: bytes, now: float, seconds: float) -> bool:
        """Whether a peer was out of reach for so long at any time; nobody knows for how long it was down itself."""
        return max(self._longest.get(peer, 0.0), self.lasts(peer, now)) >= seconds

    def _note(self, peer: bytes, since: float, until: float) -> None:
        """Remember a spell of absence; a short one does not make a long one forgotten."""
        self._longest[peer] = max(self._longest.get(peer, 0.0), until - since)
        before, ended = self._spells.get(peer, (until, until))
        if until >= ended + REMEMBERED or until - since >= ended - before:
            self._spells[peer] = (since, until)

    def lasts(self, peer: bytes, now: float) -> float:
        """For how many seconds a peer has been out of reach; 0 for one that is here."""
        return now - self._since.get(peer, now)

    def was_lost(self, peer: bytes, now: float, seconds: float) -> bool:
        """Whether a peer is out of reach for so long, or was a short while ago."""
        since, until = self._spells.get(peer, (now, now - REMEMBERED))
        return self.lasts(peer, now) >= seconds or (until - since >= seconds and now < until + REMEMBERED)


def other_of_two(voters: tuple[bytes, ...], me: bytes) -> bytes | None:
    """The other one, where two play; None where there are more or fewer."""
    return next(peer for peer in voters if peer != me) if len(voters) == 2 and me in voters else None
