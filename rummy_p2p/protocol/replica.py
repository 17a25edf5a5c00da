"""A replica: one peer's copy of a match, which is the ledger and what follows from it.

The law of this file
--------------------
* Two folds of one ledger: `tail` after the last record that is stored, `committed` after the last one that a quorum
  holds. What a player sees and what the program tells comes from `committed`; what is judged next is judged at `tail`.
* Verify before acknowledging: a record is stored only when signatures, chain, numbers, the rules of the game and every
  opening hold. When they do not, its host is at fault, for a host judges before it orders.
* Records may come in any order; those of the future wait. At most `WAITING_KEPT` do: the rest is asked for again.
* A record of a term whose host is not known here waits: the votes are on their way, or stand in the record that opens
  the term.
* Under a new host the ledger goes on where it parts from what that host has: what nobody committed goes away. So it
  does where a record, with the votes in it, opens a later term than the last record's, be there a newer one by now. A
  record of an earlier term may be appended by whoever catches up, but only one of the present term is acknowledged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Final, cast

from rummy_p2p.deal.breach import CONVICTING as BREACHES
from rummy_p2p.engine import IllegalAction, KnobFailed
from rummy_p2p.protocol.codec import pack
from rummy_p2p.protocol.election import check_votes
from rummy_p2p.protocol.errors import RemoteProtocolError
from rummy_p2p.protocol.faults import Fault
from rummy_p2p.protocol.fields import NO_HEAD
from rummy_p2p.protocol.fold import advance
from rummy_p2p.protocol.identity import Identity
from rummy_p2p.protocol.ledger import Entry, Ledger, take_apart
from rummy_p2p.protocol.messages import Ack, Draft, Ordered, Signed, is_genuine, read, read_packed, sign
from rummy_p2p.protocol.records import HostChange
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
        self.truncated: int | None = None
        self._waiting: dict[tuple[int, bytes], tuple[Signed, Ordered]] = {}
        self._acked = (0, NO_HEAD)

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
        """Whether records wait for one that is missing."""
        ahead = (
            self._may_be_of_its_host(kept) if seq > self.ledger.tail else self._is_of_host(kept)
            for (seq, _), kept in self._waiting.items()
        )
        return any(ahead) and self._next() is None

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
        if ordered.match != self.ledger.match or record.digest == self._hash_at(ordered.seq):
            return
        if ordered.seq <= self.ledger.committed:
            self.ledger.append(take_apart(record))
            return
        self._waiting[ordered.seq, record.digest] = (record, ordered)  # even one of two: the next host may have kept it
        if len(self._waiting) > WAITING_KEPT:
            del self._waiting[max(self._waiting, key=lambda place: place[0])]
        self._compare(record, ordered)

    def _hash_at(self, seq: int) -> bytes | None:
        return self.ledger.hash_at(seq) if 0 < seq <= self.ledger.tail else None

    def _compare(self, record: Signed, ordered: Ordered) -> None:
        """Two records of one host for one place of one term convict it."""
        known = [other for (seq, _), other in self._waiting.items() if seq == ordered.seq]
        if ordered.seq <= self.ledger.tail:
            entry = self.ledger.entries[ordered.seq - 1]
            known.append((entry.record, entry.ordered))
        for other, there in known:
            same = (other.author, there.term) == (record.author, ordered.term)
            if same and other.digest != record.digest and is_genuine(record):
                raise Fault("two-records", record.author, (other, record))

    def is_backed(self, entry: Entry) -> bool:
        """Whether so many have acknowledged this very record, or one that waits here and follows it, that they make a
        quorum with its host.
        """
        follows = {ordered.prev: (seq, digest) for (seq, digest), (_, ordered) in self._waiting.items()}
        backers: set[bytes] = set()
        place: tuple[int, bytes] | None = (entry.seq, entry.hash)
        while place is not None:
            backers |= self.ledger.backers(*place)
            place = follows.pop(place[1], None)
        return len(backers - {entry.host}) >= self.ledger.quorum - 1

    def store(self, is_early: Callable[[Entry], bool]) -> bool:
        """Verify and append the next record that waits; False when there is none, or ``is_early`` holds it back.

        What was stored under an earlier host goes away where the host of this term has something else.
        """
        self._learn_hosts()
        found = self._next()
        if found is None:
            return False
        record, ordered = found
        del self._waiting[ordered.seq, record.digest]
        entry = take_apart(record, self.ledger.noted)
        if is_early(entry):
            self._waiting[ordered.seq, record.digest] = found
            return False
        if ordered.seq <= self.ledger.tail:
            self._truncate(ordered.seq - 1)
        self._open_term(entry)
        self._take(entry, self._judge(entry))
        self._waiting = {place: kept for place, kept in self._waiting.items() if place[0] > self.ledger.committed}
        return True

    def _next(self) -> tuple[Signed, Ordered] | None:
        """What continues the ledger; else the first record of a chain of a newer host that parts from it.

        Of two records of one host for one place the first stands until a newer host has gone on from the other.
        """
        ledger = self.ledger
        fits = [kept for (seq, _), kept in self._waiting.items() if self._continues(seq, kept)]
        for kept in sorted(fits, key=lambda kept: -kept[1].term):
            if self._has_host(kept):
                return kept
        newer = [kept for kept in self._waiting.values() if kept[1].term > ledger.tail_term and self._is_later(kept)]
        chains = (self._chain(kept) for kept in newer)
        return next((first for first in chains if first is not None and first[1].seq > ledger.committed), None)

    def _is_later(self, kept: tuple[Signed, Ordered]) -> bool:
        """Whether a record is of the present host, or opens, under the host of that term, a term that is later than any
        stored here: what the ledger has in its place was never committed.
        """
        record, ordered = kept
        return self._is_of_host(kept) or (self.ledger.host_of(ordered.term) == record.author and is_change(ordered))

    def _has_host(self, kept: tuple[Signed, Ordered]) -> bool:
        """Whether it is known, or can be seen from what is here, who orders in the term of a record."""
        ordered = kept[1]
        if self.ledger.host_of(ordered.term) is not None or is_change(ordered):
            return True
        return ordered.seq == 1 and self.ledger.term > ordered.term

    def _learn_hosts(self) -> None:
        """Who orders in a later term is known once the record is here that carries the votes, with all below it.

        Of one that continues the ledger it is seen when it is stored: then its host is to blame for what is wrong.
        """
        ledger = self.ledger
        for kept in self._waiting.values():
            record, ordered = kept
            is_news = ordered.term > ledger.tail_term and ledger.host_of(ordered.term) is None
            if is_news and is_change(ordered) and self._chain(kept) and not self._continues(ordered.seq, kept):
                with suppress(Fault):
                    body = cast("HostChange", take_apart(record).body)
                    check_votes(ledger.match, ledger.voters, record.author, ordered.term, body.votes)
                    ledger.open_term(ordered.term, record.author)

    def _continues(self, seq: int, kept: tuple[Signed, Ordered]) -> bool:
        return seq == self.ledger.tail + 1 and kept[1].prev == self.ledger.head and self._may_be_of_its_host(kept)

    @property
    def is_forked(self) -> bool:
        """Whether a later host goes on from something else than what is committed here: an earlier one has told two
        stories, and so many acknowledged each that both stood.
        """
        ledger = self.ledger
        behind = ledger.entries[ledger.committed - 1].ordered.term if ledger.committed else 0
        return any(
            seq == ledger.committed + 1
            and ordered.prev != ledger.committed_head
            and ordered.term > behind
            and ledger.host_of(ordered.term) == record.author
            for (seq, _), (record, ordered) in self._waiting.items()
        )

    def _may_be_of_its_host(self, kept: tuple[Signed, Ordered]) -> bool:
        return self.ledger.host_of(kept[1].term) in {None, kept[0].author}

    def _is_of_host(self, kept: tuple[Signed, Ordered]) -> bool:
        return (kept[0].author, kept[1].term) == (self.ledger.host, self.ledger.term)

    def _chain(self, kept: tuple[Signed, Ordered]) -> tuple[Signed, Ordered] | None:
        """The record, below this one, that stands directly on the ledger; None when some between are missing."""
        record, ordered = kept
        while ordered.prev != (self._hash_at(ordered.seq - 1) if ordered.seq > 1 else NO_HEAD):
            below = self._waiting.get((ordered.seq - 1, ordered.prev))
            if below is None:
                return None
            record, ordered = below
        return record, ordered

    def _truncate(self, seq: int) -> None:
        self.ledger.truncate(seq)
        self._steps = self._steps[: seq - self.ledger.committed]
        self.ledger.voters = self.tail.peers or self.ledger.voters
        self.truncated = min(seq, self.truncated if self.truncated is not None else seq)

    def _open_term(self, entry: Entry) -> None:
        """Who orders in a term is known by the votes; or, for who comes later, by the record that carries them. Of the
        first record of all it is believed, when there have been other hosts since: they went on from it.
        """
        term, ledger = entry.ordered.term, self.ledger
        if ledger.host_of(term) is not None:
            return
        if isinstance(entry.body, HostChange):
            check_votes(ledger.match, ledger.voters, entry.author, term, entry.body.votes)
        ledger.open_term(term, entry.host)

    def certified(self) -> int:
        """How far this peer holds a certificate for what is committed.

        A certificate: signed acknowledgements of one head by so many that two certificates overlap in an honest peer,
        (n + t - 1) // 2 + 1 of n when t peers open a card; or by all that are here, when these are fewer.
        """
        ledger, fold = self.ledger, self.committed
        here = sorted((ledger.holds(voter) for voter in ledger.voters if voter not in fold.away), reverse=True)
        return min(ledger.committed, here[self.certifiers - 1]) if here else ledger.committed

    @property
    def certifiers(self) -> int:
        """How many acknowledgements make a certificate, as things are."""
        ledger, fold = self.ledger, self.committed
        threshold = fold.key.threshold if fold.key is not None else ledger.quorum
        here = sum(voter not in fold.away for voter in ledger.voters)
        return min((len(ledger.voters) + threshold - 1) // 2 + 1, here)

    def acknowledge(self, voted: int = 0) -> Ack | None:
        """What to tell everybody about how far this peer's ledger goes; None when that has been said.

        ``voted``: the highest term in which this peer has voted. Who has voted for another host acknowledges nothing
        more of the old one, and nobody acknowledges records of an earlier term before one of this term.
        """
        ledger = self.ledger
        said = (ledger.term, ledger.head)
        if not ledger.tail or said == self._acked or ledger.tail_term != ledger.term or voted > ledger.term:
            return None
        self._acked = said
        return Ack(match=ledger.match, term=ledger.term, seq=ledger.tail, head=ledger.head)

    def restore(self, records: Iterable[Signed], committed: int) -> list[tuple[Entry, Advance]]:
        """Take in what an earlier run of this program has stored and seen committed; what the committed came to."""
        for record in records:
            ordered = read(record)
            if not isinstance(ordered, Ordered):
                raise Fault("out-of-place", record.author, kind=type(ordered).__name__)
            if self.ledger.host_of(ordered.term) is None:
                self.ledger.open_term(ordered.term, record.author)
            self.receive(record, ordered)
            self.store(lambda _: False)
        self.ledger.committed = min(committed, self.ledger.tail)
        return self._committed(self.ledger.entries[: self.ledger.committed])

    def commit(self) -> list[tuple[Entry, Advance]]:
        """What has been committed since the last time, in order, and what came of it."""
        return self._committed(self.ledger.commit())

    def _committed(self, fresh: list[Entry]) -> list[tuple[Entry, Advance]]:
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


def is_change(ordered: Ordered) -> bool:
    """Whether a record opens a term; one that cannot be read does not."""
    try:
        draft = read(read_packed(ordered.draft))
    except RemoteProtocolError:
        return False
    return isinstance(draft, Draft) and isinstance(draft.body, HostChange)
