"""The commit rule, tried out: every way in which a few peers can vote, order, store and acknowledge, up to a bound.

The peers are those of the rules in `ledger`, `election` and `replica`, taken down to what matters here. A ledger is the
tuple of the terms of its records: a host orders one record for each place of its term, so that tells them apart. What
has been said may arrive at any time or never; a peer that crashes comes back with its ledger and its votes, which is
all that it has here anyhow. What is committed is for the real `Ledger` to say, and whom one votes for, for the real
`choose`.

Nothing is lost by three short cuts. A peer acknowledges as soon as it may: to say less commits less, and nobody acts on
it. Who wins a term is settled beforehand and only that candidate is voted for: a vote for another forbids its voter
things, and allows nobody anything. And peers that are never host are told apart by what they know alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import takewhile
from operator import eq
from typing import NamedTuple

import pytest

from rummy_p2p.protocol.election import choose
from rummy_p2p.protocol.ledger import Entry, Ledger
from rummy_p2p.protocol.messages import Ack, Draft, Ordered, Signed
from rummy_p2p.protocol.records import Departure

Path = tuple[int, ...]  # a ledger: the terms of its records
Acks = tuple[tuple[int, Path], ...]  # what one peer has acknowledged: the term that it named, its ledger up to there
MATCH = bytes(32)


class Peer(NamedTuple):
    """What is on the disk of one peer, and what it has said."""

    log: Path
    voted: int
    acks: Acks


class World(NamedTuple):
    """The peers, the votes for the candidate of each term, and the longest ledger that each host has sent."""

    peers: tuple[Peer, ...]
    votes: tuple[int, ...]
    sent: tuple[Path, ...]


# ---------------------------------------------------------------- the real rules


def author(peer: int) -> bytes:
    return bytes([peer + 1]) * 32


@cache
def entry(path: Path) -> Entry:
    """A record, and with its hash all below it."""
    draft = Draft(match=MATCH, hand=0, epoch=0, number=len(path), head=bytes(32), body=Departure())
    ordered = Ordered(match=MATCH, term=path[-1], seq=len(path), prev=bytes(32), draft_digest=bytes(32), draft=b"")
    said = Signed(author=author(0), payload=bytes(path), signature=b"")
    return Entry(said, ordered, said, draft)


def committed(path: Path, acks: tuple[Acks, ...], newest: int) -> int:
    """How far a peer takes its ledger for committed that has heard all that fits, and of the hosts up to a term."""
    ledger = Ledger(MATCH, [author(peer) for peer in range(len(acks))])
    for term in range(1, newest + 1):
        ledger.open_term(term, author(0))
    for seq in range(1, len(path) + 1):
        ledger._keep(entry(path[:seq]))
    for peer, said in enumerate(acks):
        for term, held in (ack for ack in said if path[: len(ack[1])] == ack[1]):
            ack = Ack(match=MATCH, term=term, seq=len(held), head=entry(held).hash)
            ledger.acknowledge(Signed(author=author(peer), payload=b"", signature=b""), ack)
    ledger.commit()
    return ledger.committed


@cache
def would_vote(candidate: Path, own: Path) -> bool:
    """Whether one votes for a candidate with this ledger, if that one can be reached."""
    me, other = b"me", b"other"
    there = {peer: (log[-1] if log else 0, len(log), 0) for peer, log in ((me, own), (other, candidate))}
    return choose({other: "always", me: "never"}, {other}, me, there) == other


def acknowledged(peer: Peer, log: Path, term: int) -> Peer:
    """The peer with this ledger, which it acknowledges unless it has voted in a later term."""
    if peer.voted > term:
        return peer._replace(log=log)
    older = tuple(ack for ack in peer.acks if ack[0] != term or ack[1] != log[: len(ack[1])])
    return peer._replace(log=log, acks=tuple(sorted((*older, (term, log)))))


# ---------------------------------------------------------------- what can happen


class Model:
    """All that can happen among ``count`` peers, where a term has the host of ``hosts`` or none, with ledgers up to a
    ``length``.
    """

    def __init__(self, count: int, hosts: tuple[int, ...], length: int) -> None:
        self.count, self.hosts, self.length = count, hosts, length
        self.quorum = count // 2 + 1
        self.leaders = max(hosts) + 1
        self.may_vote: Callable[[Path, Path], bool] = would_vote
        self.names_newest = False  # a fault: acknowledgements name the newest term instead of the record's
        self.judged: dict[tuple[Acks, ...], bool] = {}

    def conflict(self) -> World | None:
        """The first state found in which two peers take different things for committed; None when there is none."""
        peers = (Peer((), 1, ()),) * self.count
        start = World(peers, (self.quorum,) + (0,) * (len(self.hosts) - 1), ((),) * len(self.hosts))
        seen, todo = {start}, [start]
        while todo:
            for after in self.next(todo.pop()):
                leaders, others = after.peers[: self.leaders], after.peers[self.leaders :]
                world = after._replace(peers=leaders + tuple(sorted(others)))
                if world not in seen:
                    if not self.agrees(world):
                        return world
                    seen.add(world)
                    todo.append(world)
        return None

    def agrees(self, world: World) -> bool:
        acks = tuple(sorted(peer.acks for peer in world.peers))
        if acks not in self.judged:
            newest = len(self.hosts)
            held = {path for said in acks for _, path in said}
            stands = {path[: committed(path, acks, term)] for path in held for term in {path[-1], newest}}
            longest = max(stands, key=len, default=())
            self.judged[acks] = all(longest[: len(path)] == path for path in stands)
        return self.judged[acks]

    def next(self, world: World) -> Iterator[World]:
        yield from self.vote(world)
        yield from self.order(world)
        yield from self.store(world)
        if self.names_newest:
            for at, peer in enumerate(world.peers):
                yield from self.with_peer(world, at, peer.log) if peer.log else ()

    def has_won(self, world: World, term: int) -> bool:
        return world.votes[term - 1] >= self.quorum

    def vote(self, world: World) -> Iterator[World]:
        for term, host in enumerate(self.hosts, 1):
            for at, peer in enumerate(world.peers if not self.has_won(world, term) else ()):
                is_new = peer.voted < term and (not peer.log or peer.log[-1] < term)
                if is_new and self.may_vote(world.peers[host].log, peer.log):
                    votes = (*world.votes[: term - 1], world.votes[term - 1] + 1, *world.votes[term:])
                    peers = (*world.peers[:at], peer._replace(voted=term), *world.peers[at + 1 :])
                    yield world._replace(peers=peers, votes=votes)

    def order(self, world: World) -> Iterator[World]:
        """A host goes on where its ledger ends, unless it has stored something of a later one."""
        for term, host in enumerate(self.hosts, 1):
            log, sent = world.peers[host].log, world.sent[term - 1]
            is_its_own = log[: len(sent)] == sent and (not log or log[-1] <= term)
            if self.has_won(world, term) and is_its_own and len(log) < self.length:
                told = (*world.sent[: term - 1], (*log, term), *world.sent[term:])
                yield from self.with_peer(world._replace(sent=told), host, (*log, term))

    def store(self, world: World) -> Iterator[World]:
        """A peer stores the next record of a ledger that goes on from its own, or parts from it with a later term."""
        for at, peer in enumerate(world.peers):
            for sent in world.sent:
                shared = len(list(takewhile(bool, map(eq, peer.log, sent))))
                if shared < len(sent) and (shared == len(peer.log) or sent[-1] > peer.log[-1]):
                    yield from self.with_peer(world, at, sent[: shared + 1])

    def with_peer(self, world: World, at: int, log: Path) -> Iterator[World]:
        terms = [term for term in range(log[-1], len(self.hosts) + 1) if self.has_won(world, term)]
        for term in terms if self.names_newest else terms[:1]:
            peer = acknowledged(world.peers[at], log, term)
            yield world._replace(peers=(*world.peers[:at], peer, *world.peers[at + 1 :]))


def castings(count: int, terms: int) -> list[tuple[int, ...]]:
    """Who may be host of which term, but for the names; the first is host of the first."""
    found: list[tuple[int, ...]] = [(0,)]
    for _ in range(terms - 1):
        found = [(*hosts, host) for hosts in found for host in range(min(count, max(hosts) + 2))]
    return found


def bounds() -> Iterator[tuple[int, tuple[int, ...], int]]:
    """What is tried: all that three peers can do in three terms, and what is new where there are more of either."""
    for count, terms, length in ((2, 3, 3), (3, 3, 2), (4, 2, 2), (5, 2, 2)):
        yield from ((count, hosts, length) for hosts in castings(count, terms))
    yield from ((3, (0, 1, 0, 1), 1), (3, (0, 1, 2, 0), 1), (4, (0, 1, 0), 1), (5, (0, 1, 0), 1))


@pytest.mark.parametrize(("count", "hosts", "length"), list(bounds()))
def test_nothing_else_is_committed_than_what_was(count: int, hosts: tuple[int, ...], length: int) -> None:
    assert Model(count, hosts, length).conflict() is None


def test_the_model_finds_what_is_lost_when_one_votes_for_a_ledger_that_is_behind() -> None:
    model = Model(3, (0, 1), 2)
    model.may_vote = lambda candidate, own: True
    assert model.conflict() is not None


def test_the_model_finds_what_is_lost_when_old_records_are_counted_in_a_later_term(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The one that a later host handed on and a still later one is without (Ongaro and Ousterhout 2014, figure 8)."""
    monkeypatch.setattr(Ledger, "_acknowledged", lambda ledger, held: held)
    model = Model(3, (0, 1, 0), 2)
    model.names_newest = True
    assert model.conflict() is not None
