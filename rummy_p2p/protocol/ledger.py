"""The ledger: signed drafts, ordered by the host, chained by hash, committed once a quorum holds them.

The law of this file
--------------------
* An `Entry` is a record taken apart; both signatures, the author's and the host's, are checked when it is made.
* Entries are appended in order only: `seq` is one more than the last, `prev` is the hash of the last record's payload,
  the host is the one of that term, terms never fall, and every author's numbers grow. Appending a record that is there
  already changes nothing.
* One body for each (author, number), one record for each (term, seq), one head for each acknowledged (term, seq): who
  signs two is convicted by the two messages. What a host of an earlier term had ordered for a place where the ledger
  has something else now is nobody's fault.
* An `Ack` says that its author has verified and stored everything up to a head, which is a record of the very term that
  it names, and has voted in no later one. A record is *committed* when a quorum of the voters has acknowledged it, or
  one of the same term on top of it, in the term in which it was ordered; what stands below is committed with it. It
  does not matter whether that term is still the newest when one learns of it. No later host can be without it (Ongaro
  and Ousterhout 2014, 5.4): such a host has the votes of a quorum; one of these is of a peer that had acknowledged it
  *before* it voted, for afterwards it acknowledges nothing of that term; and it voted for no ledger behind its own.
  What a quorum merely holds is not committed by that: it may have been handed on in a later term, and the host of a
  term between may be without it. What is not committed may still go away under another host (`truncate`); what is
  committed stays.
* Voters are the peers that play. One that leaves is none from that record on (`voters` is set by whoever folds the
  ledger): the quorums with it and without it overlap. Those of two such records need not: see `Match._may_part`.
* A ledger file is a stream of frames (4 bytes length, one packed Signed): the records in order, each sort of host and
  author as it came, then the acknowledgements of the committed head that were at hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final, TypeVar

from rummy_p2p.protocol.codec import FRAME_AFTER_AUTH, FrameBuffer, frame, pack, unpack
from rummy_p2p.protocol.errors import RemoteProtocolError
from rummy_p2p.protocol.faults import Fault
from rummy_p2p.protocol.fields import NO_HEAD
from rummy_p2p.protocol.messages import Ack, Draft, Ordered, Signed, is_genuine, read, read_packed
from rummy_p2p.protocol.records import Body

MAX_RECORDS: Final = 20_000
MAX_BYTES: Final = 16 * 1024 * 1024
KEPT: Final = 64  # unordered drafts, and acknowledgements, remembered per peer to find two of one number

T = TypeVar("T", Ordered, Draft)


@dataclass(frozen=True, slots=True)
class Entry:
    """A record taken apart: the host's message and the author's inside it."""

    record: Signed
    ordered: Ordered
    draft_message: Signed
    draft: Draft

    @property
    def seq(self) -> int:
        return self.ordered.seq

    @property
    def host(self) -> bytes:
        return self.record.author

    @property
    def author(self) -> bytes:
        return self.draft_message.author

    @property
    def body(self) -> Body:
        return self.draft.body

    @property
    def hash(self) -> bytes:
        """What the next record is chained to."""
        return self.record.digest


def take_apart(record: Signed, noted: Callable[[Signed], Signed] = lambda message: message) -> Entry:
    """Read a record and check both signatures; raises Fault naming whose it is that is wrong.

    ``noted`` gives the draft as it came by itself, if it did (`Ledger.noted`).
    """
    if not is_genuine(record):
        raise Fault("bad-signature")
    ordered = _expect(record, Ordered)
    draft_message = _inner(record, ordered, noted)
    draft = _expect(draft_message, Draft)
    if draft.match != ordered.match:
        raise Fault("wrong-match", record.author)
    return Entry(record, ordered, draft_message, draft)


def _inner(record: Signed, ordered: Ordered, noted: Callable[[Signed], Signed]) -> Signed:
    try:
        message = read_packed(ordered.draft, noted)
    except RemoteProtocolError as error:
        raise Fault(error.code, record.author, (record,)) from error
    if message.digest != ordered.draft_digest:
        raise Fault("broken-chain", record.author, (record,))
    return message


def _expect(message: Signed, kind: type[T]) -> T:
    try:
        payload = read(message)
    except RemoteProtocolError as error:
        raise Fault(error.code, message.author) from error
    if not isinstance(payload, kind):
        raise Fault("out-of-place", message.author, kind=type(payload).__name__.lower())
    return payload


class Ledger:
    """The records of one match as one peer holds them, who has acknowledged what, and how far it is committed."""

    def __init__(self, match: bytes, voters: Iterable[bytes]) -> None:
        """Start empty; ``voters`` are the seated peers."""
        self.match = match
        self.voters = tuple(voters)
        self.entries: list[Entry] = []
        self.committed = 0
        self.size = 0
        self._hosts: dict[int, bytes] = {}
        self._places: dict[bytes, int] = {NO_HEAD: 0}
        self._numbers: dict[bytes, int] = {}
        self._ordered: dict[tuple[bytes, int], int] = {}
        self._drafts: dict[bytes, dict[int, Signed]] = {}
        self._acks: dict[bytes, dict[tuple[int, int], tuple[Signed, bytes]]] = {}
        self._holds: dict[bytes, int] = {}

    @property
    def quorum(self) -> int:
        """How many voters must hold a record."""
        return len(self.voters) // 2 + 1

    @property
    def term(self) -> int:
        """The newest term; 0 before there is a host."""
        return max(self._hosts, default=0)

    @property
    def host(self) -> bytes | None:
        """Who orders in this term."""
        return self._hosts.get(self.term)

    @property
    def tail(self) -> int:
        """Number of the last record, committed or not; 0 when empty."""
        return len(self.entries)

    @property
    def head(self) -> bytes:
        """Hash of the last record."""
        return self.hash_at(self.tail)

    @property
    def committed_head(self) -> bytes:
        """Hash of the last committed record."""
        return self.hash_at(self.committed)

    def hash_at(self, seq: int) -> bytes:
        """Hash of a record; NO_HEAD for 0."""
        return self.entries[seq - 1].hash if seq else NO_HEAD

    def place_of(self, head: bytes) -> int | None:
        """The number of the record with this hash."""
        return self._places.get(head)

    def last_number(self, author: bytes) -> int:
        """The highest number of an author that stands in the ledger; 0 for none."""
        return self._numbers.get(author, 0)

    def has(self, author: bytes, number: int) -> bool:
        """Whether the draft of this author and number stands in the ledger."""
        return (author, number) in self._ordered

    @property
    def tail_term(self) -> int:
        """Term of the last record; 0 when empty."""
        return self.entries[-1].ordered.term if self.entries else 0

    def host_of(self, term: int) -> bytes | None:
        """Who orders, or ordered, in a term; None when that is not known."""
        return self._hosts.get(term)

    def open_term(self, term: int, host: bytes) -> None:
        """From now on this peer orders. A term is never given to a second host."""
        if self._hosts.setdefault(term, host) != host:
            raise Fault("wrong-term", host)
        for voter, known in self._acks.items():
            for (at, seq), (_, head) in known.items():
                self._match_ack(voter, at, seq, head)

    def truncate(self, seq: int) -> None:
        """Take away what stands behind a record, under another host than the one who ordered it.

        Fault broken-chain when that is committed.
        """
        if seq < self.committed:
            raise Fault("broken-chain", self.host)
        kept = self.entries[:seq]
        self.entries, self.size = [], 0
        self._places, self._numbers, self._ordered = {NO_HEAD: 0}, {}, {}
        self._holds = {voter: min(held, seq) for voter, held in self._holds.items()}
        for entry in kept:
            self._keep(entry)

    def note(self, message: Signed, draft: Draft) -> None:
        """Remember a draft; Fault two-bodies when its author signed another under the same number."""
        self._compare_bodies(message, draft.number)
        pending = self._drafts.setdefault(message.author, {})
        pending[draft.number] = message
        while len(pending) > KEPT:
            del pending[min(pending)]

    def noted(self, message: Signed) -> Signed:
        """The same draft, signature and all, as it was noted; else the one that is given."""
        pending = self._drafts.get(message.author, {})
        return next((other for other in pending.values() if other == message), message)

    def append(self, entry: Entry) -> bool:
        """Add the next record, True; False when it is there already; Fault for anything that may not be there."""
        if entry.ordered.match == self.match and entry.seq <= self.tail:
            self._compare_records(entry)
            return False
        self.check(entry)
        self.store(entry)
        return True

    def check(self, entry: Entry) -> None:
        """Whether a record can be the next one, apart from what it says; Fault when it cannot."""
        if entry.ordered.match != self.match:
            raise Fault("wrong-match", entry.host)
        self._check_place(entry)
        self._check_draft(entry)

    def store(self, entry: Entry) -> None:
        """Add a record that has been checked. Fault two-bodies when its author has signed another draft under this
        number: that is the author's fault and not the host's, so the record stands all the same.
        """
        self._keep(entry)
        other = self._drafts.get(entry.author, {}).pop(entry.draft.number, entry.draft_message)
        if other.digest != entry.draft_message.digest:
            raise Fault("two-bodies", entry.author, (other, entry.draft_message))

    def differs(self, ack: Ack) -> bool:
        """Whether somebody acknowledges another record than the one that is here: its host has signed two."""
        known = ack.match == self.match and 0 < ack.seq <= self.tail
        return known and ack.term == self.term == self.tail_term and self.hash_at(ack.seq) != ack.head

    def acknowledge(self, message: Signed, ack: Ack) -> None:
        """Take in what a voter holds; Fault two-acks when it acknowledged two heads for one place."""
        if message.author not in self.voters:
            return
        known = self._acks.setdefault(message.author, {})
        place = (ack.term, ack.seq)
        if place in known and known[place][1] != ack.head:
            raise Fault("two-acks", message.author, (known[place][0], message))
        known[place] = (message, ack.head)
        while len(known) > KEPT:
            del known[min(known)]
        self._match_ack(message.author, ack.term, ack.seq, ack.head)

    def commit(self) -> list[Entry]:
        """Move the committed part as far as the acknowledgements allow; returns what is newly committed, in order."""
        if not self.voters:
            return []
        held = self._reach(self._holds.get(voter, 0) for voter in self.voters)
        reach = self._acknowledged(held) if held > self.committed else self.committed
        fresh = self.entries[self.committed : reach]
        self.committed = reach
        return fresh

    def _reach(self, held: Iterable[int]) -> int:
        """How far a quorum holds the ledger, when every voter holds so much."""
        return sorted(held, reverse=True)[self.quorum - 1]

    def _acknowledged(self, held: int) -> int:
        """Up to where, of what a quorum holds, it has acknowledged a record in that record's own term."""
        for term in sorted({entry.ordered.term for entry in self.entries[self.committed : held]}, reverse=True):
            reach = self._reach(self._held_in(term, voter) for voter in self.voters)
            if reach > self.committed and self.entries[reach - 1].ordered.term == term:
                return reach
        return self.committed

    def _held_in(self, term: int, voter: bytes) -> int:
        """How far, beyond what is committed, a voter has acknowledged this very ledger in a term."""
        known, tail, committed = self._acks.get(voter, {}).items(), self.tail, self.committed
        here = [(seq, head) for (at, seq), (_, head) in known if at == term and committed < seq <= tail]
        return max((seq for seq, head in here if self.hash_at(seq) == head), default=committed)

    def backers(self, seq: int, head: bytes) -> set[bytes]:
        """Who has acknowledged this very record, be it here or not, in whichever term."""
        known = ((voter, self._acks.get(voter, {}).items()) for voter in self.voters)
        return {voter for voter, acks in known if any((at, held) == (seq, head) for (_, at), (_, held) in acks)}

    def holds(self, peer: bytes) -> int:
        """How far a voter has acknowledged this very ledger."""
        return self._holds.get(peer, 0)

    def certificate(self) -> tuple[Signed, ...]:
        """The acknowledgements of the committed head that are at hand, by voter."""
        place = (self.term, self.committed)
        found = (self._acks.get(voter, {}).get(place) for voter in sorted(self.voters))
        return tuple(ack[0] for ack in found if ack is not None and ack[1] == self.committed_head)

    def to_bytes(self, *, certificate: bool = True) -> bytes:
        """The committed records as a ledger file."""
        messages = [entry.record for entry in self.entries[: self.committed]]
        return write_stream(messages + list(self.certificate() if certificate else ()))

    def _compare_bodies(self, message: Signed, number: int) -> None:
        seq = self._ordered.get((message.author, number))
        other = self.entries[seq - 1].draft_message if seq else self._drafts.get(message.author, {}).get(number)
        if other is not None and other.digest != message.digest:
            raise Fault("two-bodies", message.author, (other, message))

    def _compare_records(self, entry: Entry) -> None:
        other = self.entries[entry.seq - 1]
        if other.hash == entry.hash:
            return
        if (other.host, other.ordered.term) == (entry.host, entry.ordered.term):
            raise Fault("two-records", entry.host, (other.record, entry.record))
        stands = self.entries[max(self.committed, entry.seq) - 1]  # who came later had to have what was committed
        if entry.ordered.term == other.ordered.term or entry.ordered.term > stands.ordered.term:
            raise Fault("broken-chain", entry.host)

    def _check_place(self, entry: Entry) -> None:
        if self._hosts.get(entry.ordered.term) is None or entry.ordered.term < self.tail_term:
            raise Fault("wrong-term", entry.host)
        if self._hosts[entry.ordered.term] != entry.host:
            raise Fault("wrong-host", entry.host)
        if entry.seq != self.tail + 1 or entry.ordered.prev != self.head:
            raise Fault("broken-chain", entry.host)
        if self.tail >= MAX_RECORDS or self.size + len(entry.record.payload) > MAX_BYTES:
            raise Fault("ledger-full", entry.host)

    def _check_draft(self, entry: Entry) -> None:
        if entry.author not in self.voters:
            raise Fault("wrong-author", entry.host)
        if entry.draft.number <= self.last_number(entry.author):
            raise Fault("stale-number", entry.host)
        if entry.draft.head not in self._places:
            raise Fault("unknown-head", entry.host)

    def _keep(self, entry: Entry) -> None:
        self.entries.append(entry)
        self.size += len(entry.record.payload)
        self._places[entry.hash] = entry.seq
        self._numbers[entry.author] = entry.draft.number
        self._ordered[entry.author, entry.draft.number] = entry.seq
        for voter, known in self._acks.items():
            for term in {entry.ordered.term, self.term}:
                ack = known.get((term, entry.seq))
                if ack is not None:
                    self._match_ack(voter, term, entry.seq, ack[1])

    def _match_ack(self, voter: bytes, term: int, seq: int, head: bytes) -> None:
        """Count an acknowledgement; not one of a term that is not known here: its author follows another host."""
        if term <= self.term and 0 < seq <= self.tail and self.entries[seq - 1].hash == head:
            self._holds[voter] = max(seq, self.holds(voter))


def write_stream(messages: Iterable[Signed]) -> bytes:
    """Records and acknowledgements as a ledger file holds them."""
    return b"".join(frame(pack(message)) for message in messages)


def read_stream(data: bytes) -> Iterator[Signed]:
    """What a ledger file holds, one by one; RemoteProtocolError where it is damaged or ends in the middle."""
    buffer = FrameBuffer(FRAME_AFTER_AUTH)
    buffer.feed(data)
    for payload in buffer.frames():
        yield unpack(payload, Signed)
    if len(buffer):
        raise RemoteProtocolError("bad-frame")
