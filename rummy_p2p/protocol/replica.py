"""A replica: one peer's copy of a match, which is the ledger and what follows from it.

The law of this file
--------------------
* Two folds of one ledger: `tail` after the last record that is stored, `committed` after the last one that a quorum
  holds. What a player sees and what the program tells comes from `committed`; what is judged next is judged at `tail`.
* Verify before acknowledging: a record is stored only when signatures, chain, numbers, the rules of the game and every
  opening hold. When they do not, its host is at fault, for a host judges before it orders.
* Records may come in any order; those of the future wait. At most `WAITING_KEPT` do: the rest is asked for again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rummy_p2p.deal.breach import CONVICTING as BREACHES
from rummy_p2p.engine import IllegalAction, KnobFailed
from rummy_p2p.protocol.codec import pack
from rummy_p2p.protocol.faults import Fault
from rummy_p2p.protocol.fold import advance
from rummy_p2p.protocol.identity import Identity
from rummy_p2p.protocol.ledger import Entry, Ledger, take_apart
from rummy_p2p.protocol.messages import Ack, Draft, Ordered, Signed, sign
from rummy_p2p.protocol.state import Advance, Fold, Motion, motion_of
from rummy_p2p.ruleset import Ruleset

WAITING_KEPT: Final = 256


class Replica:
    """The ledger of one match at one peer, with its folds."""

    def __init__(self, identity: Identity, match: bytes, voters: tuple[bytes, ...], rules: Ruleset) -> None:
        """Start empty."""
        self._identity = identity
        self.ledger = Ledger(match, voters)
        self.committed = Fold(rules, match)
        self._steps: list[Advance] = []
        self._waiting: dict[tuple[bytes | None, int], Signed] = {}
        self._acked = 0

    @property
    def tail(self) -> Fold:
        """The state after the last record stored."""
        return self._steps[-1].fold if self._steps else self.committed

    @property
    def last_step(self) -> Advance:
        """What the last stored record came to; there must be one that is not committed."""
        return self._steps[-1]

    @property
    def has_gap(self) -> bool:
        """Whether records of the host wait for one that is missing."""
        waiting = {seq for host, seq in self._waiting if host == self.ledger.host}
        return bool(waiting) and self.ledger.tail + 1 not in waiting

    @property
    def known(self) -> int:
        """How many records are here, stored or waiting."""
        return self.ledger.tail + len(self._waiting)

    def motion(self, message: Signed, draft: Draft) -> Motion:
        """A draft as it would stand at the end of the ledger, ordered by this peer; Fault when it could not."""
        ledger = self.ledger
        if message.author not in ledger.voters:
            raise Fault("wrong-author")
        if draft.number <= ledger.last_number(message.author):
            raise Fault("stale-number")
        seen = ledger.place_of(draft.head)
        if seen is None:
            raise Fault("unknown-head")
        me = self._identity.player_id
        return Motion(message.author, me, ledger.term, ledger.tail + 1, seen, draft, message.digest)

    def order(self, message: Signed, draft: Draft) -> Signed:
        """As host: judge a draft and append it; the record to send. Fault, IllegalAction, KnobFailed: not ordered."""
        motion = self.motion(message, draft)
        self.ledger.note(message, draft)
        step = advance(self.tail, motion)
        ordered = Ordered(
            match=self.ledger.match,
            term=self.ledger.term,
            seq=self.ledger.tail + 1,
            prev=self.ledger.head,
            draft_digest=message.digest,
            draft=pack(message),
        )
        entry = Entry(sign(self._identity, ordered), ordered, message, draft)
        self.ledger.check(entry)
        self._take(entry, step)
        return entry.record

    def receive(self, record: Signed, ordered: Ordered) -> None:
        """Take in a record: it waits until `store` gets to it. Fault when it contradicts one that was here before."""
        if ordered.match != self.ledger.match:
            return
        if ordered.seq <= self.ledger.tail:
            if record.digest != self.ledger.hash_at(ordered.seq):
                self.ledger.append(take_apart(record))
            return
        other = self._waiting.setdefault((record.author, ordered.seq), record)
        if other.digest != record.digest:
            raise Fault("two-records", record.author, (other, record))
        if len(self._waiting) > WAITING_KEPT:
            del self._waiting[max(self._waiting, key=lambda place: place[1])]

    def store(self, is_early: Callable[[Entry], bool]) -> bool:
        """Verify and append the next record that waits; False when there is none, or ``is_early`` holds it back."""
        place = (self.ledger.host, self.ledger.tail + 1)
        record = self._waiting.get(place)
        if record is None:
            return False
        entry = take_apart(record)
        if is_early(entry):
            return False
        del self._waiting[place]
        self._take(entry, self._judge(entry))
        return True

    def certified(self) -> int:
        """How far this peer holds a certificate for what is committed.

        A certificate: signed acknowledgements of one head by so many that two certificates overlap in an honest peer,
        (n + t - 1) // 2 + 1 of n when t peers open a card; or by all that are here, when these are fewer.
        """
        ledger, fold = self.ledger, self.committed
        threshold = fold.key.threshold if fold.key is not None else ledger.quorum
        enough = (len(ledger.voters) + threshold - 1) // 2 + 1
        here = sorted((ledger.holds(voter) for voter in ledger.voters if voter not in fold.away), reverse=True)
        return min(ledger.committed, here[min(enough, len(here)) - 1])

    def acknowledge(self) -> Ack | None:
        """What to tell everybody about how far this peer's ledger goes; None when that has been said."""
        if self.ledger.tail == self._acked:
            return None
        self._acked = self.ledger.tail
        term = self.ledger.entries[-1].ordered.term
        return Ack(match=self.ledger.match, term=term, seq=self.ledger.tail, head=self.ledger.head)

    def commit(self) -> list[tuple[Entry, Advance]]:
        """What has been committed since the last time, in order, and what came of it."""
        fresh = self.ledger.commit()
        steps, self._steps = self._steps[: len(fresh)], self._steps[len(fresh) :]
        if steps:
            self.committed = steps[-1].fold
        return list(zip(fresh, steps, strict=True))

    def records_after(self, seq: int, limit: int) -> tuple[bytes, ...]:
        """Packed records for a peer that is behind: as many as fit into ``limit`` bytes, and one at least."""
        found: list[bytes] = []
        for entry in self.ledger.entries[seq:]:
            data = pack(entry.record)
            limit -= len(data)
            if found and (limit < 0 or len(found) == WAITING_KEPT):
                break
            found.append(data)
        return tuple(found)

    def _take(self, entry: Entry, step: Advance) -> None:
        self._steps.append(step)
        self.ledger.voters = step.fold.peers
        self.ledger.store(entry)

    def _judge(self, entry: Entry) -> Advance:
        seen = self.ledger.place_of(entry.draft.head)
        try:
            self.ledger.check(entry)
            return advance(self.tail, motion_of(entry, seen or 0))
        except IllegalAction as error:
            raise Fault("illegal-action", entry.host, (entry.record,), reason=error.code) from error
        except KnobFailed as error:
            words: dict[str, int | str] = {"plugin": error.plugin, "knob": error.knob, "cause": error.cause}
            raise Fault("knob-failed", entry.host, (entry.record,), **words) from error
        except Fault as error:
            evidence = error.evidence or (entry.record,)
            culprit = entry.host if error.code in BREACHES else error.culprit or entry.host
            raise Fault(error.code, culprit, evidence, **error.parameters) from error
