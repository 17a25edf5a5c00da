"""Ordering: what the host does with the drafts that reach it, and the clocks that every peer keeps beside it.

The law of this file
--------------------
* Drafts are ordered as they come, judged at the tail. One that cannot stand there is declined, with the reason, to its
  author alone; nothing else changes.
* After a discard that a person, who is not on turn, could claim, the seat on turn waits for the length of the claim
  window. First come, first served; or, by the knob, all claims wait for its end and the nearest in turn gets it.
* Who leaves may be gone before that can be ordered: a departure waits until the match is open and the quorums may
  change (`Match._may_part`), outlives the hand, and its author is not waited for.
* Clocks are kept by every peer: when the turn began, when the ledger last moved, who is away since when. A time-out,
  and another attempt at a deal, is acknowledged only when one's own clock agrees within `TOLERANCE`; until then the
  record waits. A seat whose peer has been away for the table's grace time is passed over.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import Final

from rummy_p2p.engine import HandState, Phase, claimants
from rummy_p2p.engine.events import Turn
from rummy_p2p.protocol.events import Happened, Played
from rummy_p2p.protocol.fields import GRACE
from rummy_p2p.protocol.ledger import Entry
from rummy_p2p.protocol.messages import Draft, Signed
from rummy_p2p.protocol.records import Act, Body, Departure, HandOpen, TimeOut, Void
from rummy_p2p.protocol.state import Advance, Fold, Stage

ENTROPY_TIMEOUT: Final = 10.0
TOLERANCE: Final = 2.0
DROPPED_AFTER: Final = 10.0  # an author repeats itself twice in that time
QUEUE_PER_AUTHOR: Final = 32
CALL: Final = "call"
KEEPS_ALL: Final = frozenset({"knob-failed", "secret-lost"})  # nobody's fault that is at the table
UNOPENED: Final = frozenset({Stage.EMPTY, Stage.ROSTER})
UNTIMED: Final = frozenset({Phase.DEALING, Phase.COUNT, Phase.OVER})

Filed = tuple[Signed, Draft]


class Ordering:
    """The queue of drafts, the claim window, and the clocks of one match."""

    def __init__(self, now: float) -> None:
        """Start with an empty queue."""
        self.grace = GRACE
        self.window_until = now
        self._queue: dict[bytes, Filed] = {}
        self._filed_at: dict[bytes, float] = {}
        self._turn_since = now
        self._moved_at = now
        self._used: dict[int, float] = {}
        self._away_since: dict[bytes, float] = {}

    @property
    def waits(self) -> bool:
        """Whether drafts are waiting to be ordered."""
        return bool(self._queue)

    def file(self, message: Signed, draft: Draft, now: float) -> None:
        """Put a draft into the queue; an author that floods loses its oldest. What is void comes before all else.

        Every peer does so: whoever becomes host knows what has been asked for. Who repeats a move means it once.
        """
        since = self._forget_older(message.author, draft, now)
        own = [digest for digest, (other, _) in self._queue.items() if other.author == message.author]
        if len(own) >= QUEUE_PER_AUTHOR:
            self.forget(own[0])
        self._filed_at.setdefault(message.digest, since)
        if isinstance(draft.body, Void):
            self._queue = {message.digest: (message, draft), **self._queue}
        else:
            self._queue[message.digest] = (message, draft)

    def _forget_older(self, author: bytes, draft: Draft, now: float) -> float:
        """Drop the same move under an older number; since when it has been asked for."""
        since = now
        for digest, (message, other) in list(self._queue.items()):
            if message.author == author and other.number < draft.number and _is_same_move(other.body, draft.body):
                since = min(since, self._filed_at[digest])
                self.forget(digest)
        return since

    @property
    def leavers(self) -> frozenset[bytes]:
        """The peers that have said that they leave, and are still in the match."""
        return frozenset(message.author for message, draft in self._queue.values() if isinstance(draft.body, Departure))

    def forget(self, digest: bytes) -> None:
        """A draft is in the ledger, or cannot get there any more."""
        self._queue.pop(digest, None)
        self._filed_at.pop(digest, None)

    def old_acts(self, now: float) -> tuple[Filed, ...]:
        """The moves that have waited for so long that the host should have said something about them."""
        old = (digest for digest, at in self._filed_at.items() if now - at >= DROPPED_AFTER)
        return tuple(self._queue[digest] for digest in old if isinstance(self._queue[digest][1].body, Act))

    def clear(self) -> None:
        """The hand is over: forget what was wanted in it."""
        for digest, (_, draft) in list(self._queue.items()):
            if not isinstance(draft.body, Departure):
                self.forget(digest)

    def next_due(
        self, fold: Fold, now: float, only: type[Body] | None = None, *, may_part: bool = True
    ) -> Filed | None:
        """Take the next draft that may be ordered now, or None; ``only``: of this kind; ``may_part``: whether one that
        takes a peer out may.
        """
        due = [filed for filed in self._queue.values() if not self._held(fold, filed[1], now)]
        due = [filed for filed in due if only is None or isinstance(filed[1].body, only)]
        due = [filed for filed in due if may_part or not parts(filed[1].body)]
        if not due:
            return None
        chosen = min(due, key=lambda filed: _distance(fold, filed[1]))
        self.forget(chosen[0].digest)
        return chosen

    def _held(self, fold: Fold, draft: Draft, now: float) -> bool:
        hand, body = fold.hand, draft.body
        if isinstance(body, Departure):
            return fold.stage in UNOPENED
        if hand is None or fold.deal is None or not isinstance(body, Act):
            return False
        if not fold.is_dealt:
            return True
        if not hand.claimable or now >= self.window_until:
            return False
        return fold.rules.claim.priority == "seat" if body.move == CALL else body.seat == hand.turn

    # ------------------------------------------------ clocks

    def track(self, before: Fold, step: Advance, now: float) -> None:
        """Note what a stored record does to the clocks."""
        self._moved_at = now
        self._away_since = {peer: self._away_since.get(peer, now) for peer in step.fold.away}
        hand = step.fold.hand
        began = any(isinstance(event, Turn) for event in _engine_events(step))
        if began or hand is None or hand.phase in UNTIMED:
            self._charge(before, now)
        if began:
            self._turn_since = now
        if hand is not None and hand.claimable and _discard(hand) != _discard(before.hand):
            self.window_until = now + (step.fold.rules.claim.window_ms / 1000 if _people_may_call(step.fold) else 0)

    def _charge(self, fold: Fold, now: float) -> None:
        """Add the turn that has ended to what its seat has used of its time for the whole game."""
        if fold.hand is not None and fold.hand.phase not in UNTIMED:
            seat = fold.hand.turn
            self._used[seat] = self._used.get(seat, 0.0) + max(0.0, now - self._began(now))
            self._turn_since = now

    def _began(self, now: float) -> float:
        """When the time of the seat on turn began to run: not before the claim window has closed."""
        return max(self._turn_since, min(self.window_until, now))

    def restart(self, now: float) -> None:
        """The table was paused: nobody's time has run."""
        self._turn_since = self._moved_at = now
        self._filed_at = dict.fromkeys(self._filed_at, now)

    def is_early(self, fold: Fold, entry: Entry, now: float) -> bool:
        """Whether a record says that a time is over which by this peer's clock is not."""
        due = self._due(fold, entry.body)
        return due is not None and now < due - TOLERANCE

    def _due(self, fold: Fold, body: Body) -> float | None:
        if isinstance(body, TimeOut):
            limits = [self._turn_since + self._allowance(fold, body.seat, game=body.game)]
            return min([*limits, self._grace_ends(fold, body.seat)]) if not body.game else limits[0]
        if isinstance(body, HandOpen) and body.epoch:
            return self._moved_at + ENTROPY_TIMEOUT
        return None

    def turn_ends(self, fold: Fold) -> float | None:
        """When the time of the seat on turn is over; None when nothing limits it."""
        return min((ends for ends, _ in self._ends(fold)), default=None)

    def overdue(self, fold: Fold, now: float) -> TimeOut | None:
        """The time-out that is due, that of the whole game before that of the move."""
        return next((time_out for ends, time_out in self._ends(fold) if now >= ends), None)

    def _ends(self, fold: Fold) -> Iterator[tuple[float, TimeOut]]:
        """The limits of the turn that is being played, and what comes of passing them."""
        hand, clock = fold.hand, fold.rules.clock
        if hand is None or hand.phase in UNTIMED:
            return
        begins = max(self._turn_since, self.window_until)
        for game, limited in ((True, clock.game_s and clock.game_loses), (False, clock.move_s)):
            if limited:
                allowed = self._allowance(fold, hand.turn, game=game)
                yield begins + allowed, TimeOut(seat=hand.turn, game=game)
        if fold.owner_of(hand.turn) in fold.away:
            yield max(begins, self._grace_ends(fold, hand.turn)), TimeOut(seat=hand.turn)

    def _grace_ends(self, fold: Fold, seat: int) -> float:
        """From when on a seat whose peer is away is passed over; never, when it is here."""
        return self._away_since.get(fold.owner_of(seat), inf) + self.grace

    def _allowance(self, fold: Fold, seat: int, *, game: bool) -> float:
        """The seconds that a seat has for this turn."""
        clock = fold.rules.clock
        if game:
            return max(0.0, clock.game_s - self._used.get(seat, 0.0))
        return clock.move_s or inf

    def late_peers(self, fold: Fold, now: float) -> tuple[bytes, ...]:
        """The peers whose part in the key or the deck has been missing for too long."""
        return tuple(peer for peer in fold.waits_for if peer != fold.host) if self.is_late(fold, now) else ()

    def is_late(self, fold: Fold, now: float) -> bool:
        """Whether the key or the deck has not gone on for too long."""
        is_made = fold.stage in {Stage.KEYING, Stage.DEALING}
        return is_made and bool(fold.waits_for) and now >= self._moved_at + ENTROPY_TIMEOUT


def parts(body: Body) -> bool:
    """Whether a record takes a peer out of the match, and so out of the quorums."""
    return isinstance(body, Departure) or (isinstance(body, Void) and body.code not in KEEPS_ALL)


def _is_same_move(one: Body, other: Body) -> bool:
    return isinstance(one, Act) and isinstance(other, Act) and (one.seat, one.move) == (other.seat, other.move)


def _distance(fold: Fold, draft: Draft) -> int:
    """At the end of a window by seats: how far a claim's seat is from the discarder; 0 where order does not matter."""
    hand, body = fold.hand, draft.body
    if hand is None or not hand.claimable or not isinstance(body, Act) or fold.rules.claim.priority != "seat":
        return 0
    if body.move != CALL:
        return hand.seats
    return (body.seat - (hand.discarder or 0)) % hand.seats


def _people_may_call(fold: Fold) -> bool:
    hand = fold.hand
    return hand is not None and any(seat != hand.turn and not fold.seats[seat].bot for seat in claimants(hand))


def _discard(hand: HandState | None) -> tuple[int | None, tuple[int, ...]]:
    """What tells one discard from the next: who made it, and the slot on top of the pile."""
    return (None, ()) if hand is None else (hand.discarder, hand.pile[-1:])


def _engine_events(step: Advance) -> Iterator[object]:
    for event in step.events:
        if isinstance(event, Played | Happened):
            yield from event.events
