"""Gossip: every message reaches every peer of a table, over any graph of links that is connected.

The law of this file
--------------------
* A message is taken in once: by its digest, before anything else is looked at. Then signature and form are checked; a
  neighbour that passes on what does not hold breaks the protocol, for it should have checked as well.
* What was taken in is passed on once: to all links but the one it came from and those that are known to have a link
  of their own to its author. A message for one peer goes straight to it where there is a link.
* The newest of each kind that matters (`_rank_of`) is kept per author, and given to whoever connects or loses a link.
* Every peer tells to whom it has links (`Presence`), at every change and now and then. A link over which nothing has
  come for `LINK_SILENT` stands still: it is not told of, until something comes. Two peers have a link when both say so;
  who can be reached over such links is *reachable*.
* Authors that nobody knows are heard only when they ask for a seat or to look on. Until they have a seat they are told
  who sits here (`FOR_ANYBODY`), those who look on what everybody may know (`PUBLIC`), each by its neighbour alone.
* Who is outside a closed table is told what table it is, and what it is answered; nothing else.
* Who looks on itself (`looks_on`) passes nothing on and says nothing of itself: it is no part of the graph.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from rummy_p2p.protocol.errors import RemoteProtocolError
from rummy_p2p.protocol.identity import Identity
from rummy_p2p.protocol.messages import (
    Accuse,
    Ack,
    Admitted,
    Aside,
    Claim,
    Declined,
    Draft,
    Join,
    Leave,
    Ordered,
    Payload,
    Presence,
    Ready,
    Say,
    Seating,
    Signed,
    Start,
    TableInfo,
    Vote,
    Watch,
    is_genuine,
    read,
    sign,
)

SEEN_KEPT: Final = 8192
LATEST_KEPT: Final = 512
PRESENCES_KEPT: Final = 64
PRESENCE_EVERY: Final = 1.0
SILENT_AFTER: Final = 3.5
LINK_SILENT: Final = 2.5
FOR_ANYBODY: Final = frozenset({TableInfo, Seating, Leave, Presence})
PUBLIC: Final = FOR_ANYBODY | {Start, Vote, Ordered, Ack, Accuse, Claim, Say, Aside}
_FOR_ONE_LINK: Final = (Watch, Admitted)
_FIRST: Final[Mapping[type, int]] = {Vote: 0, Presence: 1}


def _rank_of(payload: Payload) -> tuple[int, ...] | None:
    """How new a message is among those of its kind and author; None for kinds that are not kept."""
    if isinstance(payload, TableInfo):
        return (0,)
    if isinstance(payload, Join | Ready | Start | Presence):
        return (payload.number,)
    if isinstance(payload, Seating):
        return (payload.revision,)
    if isinstance(payload, Vote):
        return (payload.term,)
    if isinstance(payload, Claim):
        return (payload.seq,)
    return (payload.term, payload.seq) if isinstance(payload, Ack) else None


def _scope_of(payload: Payload) -> bytes:
    """Within what the ranks of a kind are compared: one match, one run of a program."""
    scope: bytes = getattr(payload, "run", getattr(payload, "match", b""))
    return scope


class Place(NamedTuple):
    """Where a peer stands: match, number and term of its last record, how far its ledger is committed, the term whose
    host it hears (0: none), whether its player would like a pause, or has gone to come back another time.
    """

    match: bytes
    seq: int
    last_term: int
    committed: int
    follows: int
    rests: bool = False
    suspends: bool = False


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A message to send over the links to these peers."""

    message: Signed
    to: frozenset[bytes]


class Gossip:
    """One peer's part in the gossip of one table."""

    def __init__(self, identity: Identity, table: bytes, run: bytes) -> None:
        """``run``: 32 bytes that are new whenever a program starts."""
        self.me = identity.player_id
        self.links: set[bytes] = set()
        self.outside: set[bytes] = set()  # who has a link, and no business to hear what is said at a closed table
        self.audience: set[bytes] = set()
        self.looks_on = False
        self.known: set[bytes] = {self.me}
        self.position: Callable[[], Place] = lambda: Place(bytes(32), 0, 0, 0, 0)
        self.heard: dict[bytes, float] = {}
        self._identity = identity
        self._table = table
        self._run = run
        self._number = 0
        self._presence: dict[bytes, Presence] = {}
        self._presence_due = 0.0
        self._seen: dict[bytes, None] = {}
        self._latest: dict[tuple[type, bytes], tuple[bytes, tuple[int, ...], Signed]] = {}
        self._came_at: dict[bytes, float] = {}
        self._flowing: set[bytes] = set()
        self._greeted: dict[bytes, float] = {}
        self._reach: tuple[bool, frozenset[bytes]] | None = None  # what `reachable` has found, until a link changes
        self._out: list[Outgoing] = []

    @property
    def presence_due(self) -> float:
        """When the next sign of life is to be said."""
        return self._presence_due

    def say(self, payload: Payload, to: bytes | None = None) -> Signed:
        """Sign a payload and send it to everybody, or to one peer."""
        message = sign(self._identity, payload)
        self._note_seen(message)
        self._keep(message, payload)
        if to in self.links | self.outside:
            self._send(message, {to})
        else:
            self._send(message, self.links if isinstance(payload, Join) else self._who_may_know(type(payload)))
        return message

    def send(self, message: Signed, to: bytes | None = None, *, kind: type = Draft) -> None:
        """Send an own message again, or for the first time; without its ``kind`` only to who is known."""
        self._send(message, {to} if to in self.links | self.outside else self._who_may_know(kind))

    def _who_may_know(self, kind: type) -> set[bytes]:
        """The links over which a kind of message may go."""
        if self.looks_on or kind in FOR_ANYBODY:
            return self.links
        return self.links & (self.known | self.audience if kind in PUBLIC else self.known)

    def accept(self, neighbour: bytes, message: Signed, now: float) -> Payload | None:
        """Take in and pass on; None when there is nothing new. RemoteProtocolError when the neighbour is to blame."""
        self._note_flow(neighbour, now)
        if message.digest in self._seen:
            return None
        if not is_genuine(message):
            raise RemoteProtocolError("bad-signature")
        payload = read(message)
        if not self._is_heard(message.author, payload):
            return None
        self._note_seen(message)
        self._keep(message, payload)
        self.heard[message.author] = now
        self._pass_on(neighbour, message, payload)
        if isinstance(payload, Presence):
            self._note_presence(message.author, payload)
        return payload

    def _is_heard(self, author: bytes, payload: Payload) -> bool:
        """Strangers may ask for a seat or to look on; what this very peer said before it was restarted counts only as a
        vote.
        """
        if author == self.me:
            return isinstance(payload, Vote)
        return author in self.known or author in self.links or isinstance(payload, Join | Watch)

    def connect(self, peer: bytes, now: float) -> None:
        """A link stands: tell it all that is worth knowing, and the others when it is one of them."""
        self.heard[peer] = self._came_at[peer] = self._greeted[peer] = now
        self._reach = None
        self.outside.discard(peer)
        self.links.add(peer)
        self._note_links(now)
        if peer in self.known:
            self.tell_presence(now)
        self.give_latest(peer)

    def meet_outside(self, peer: bytes) -> None:
        """A link to somebody stands who is not to hear more than what table this is."""
        self.outside.add(peer)
        for (kind, _author), (_scope, _rank, message) in self._latest.items():
            if kind is TableInfo:
                self._send(message, {peer})

    def _note_flow(self, neighbour: bytes, now: float) -> None:
        """Something came over a link."""
        self._came_at[neighbour] = now
        if neighbour in self.links & self.known and neighbour not in self._flowing:
            self.tell_presence(now)
            self.give_latest(neighbour)

    def _note_links(self, now: float) -> None:
        """Look over which links something comes."""
        before = (self._greeted.keys(), self._flowing)
        self._greeted = {peer: at for peer, at in self._greeted.items() if now - at < LINK_SILENT}
        self._flowing = {peer for peer in self.links if now - self._came_at.get(peer, now) < LINK_SILENT}
        if before != (self._greeted.keys(), self._flowing):
            self._reach = None

    def lose(self, peer: bytes, now: float) -> None:
        """A link is gone."""
        self.outside.discard(peer)
        self.links.discard(peer)
        self._came_at.pop(peer, None)
        self._note_links(now)
        if peer in self.known:
            self.tell_presence(now)
        else:
            self.heard.pop(peer, None)
            self.audience.discard(peer)

    def tell_presence(self, now: float, to: bytes | None = None) -> None:
        """Say that one is there, and with whom one has links: to everybody, or to one alone."""
        self._presence_due = now + PRESENCE_EVERY if to is None else self._presence_due
        self._note_links(now)
        if self.looks_on:
            return
        place = self.position()
        self._number += 1
        said = Presence(
            table=self._table,
            run=self._run,
            number=self._number,
            links=tuple(sorted(self._flowing & self.known)[:32]),
            match=place.match,
            seq=place.seq,
            last_term=place.last_term,
            committed=place.committed,
            follows=place.follows,
            rests=place.rests,
            watching=len(self.audience),
            suspends=place.suspends,
        )
        self._presence[self.me] = said
        self.say(said, to)

    def tick(self, now: float) -> None:
        """Say now and then that one is there."""
        if now >= self._presence_due:
            self.tell_presence(now)

    def present(self, now: float) -> frozenset[bytes]:
        """The peers that can be reached and have said something lately, this peer included."""
        return frozenset(
            peer for peer in self.reachable() if peer == self.me or now - self.heard.get(peer, now) < SILENT_AFTER
        )

    def reachable(self) -> frozenset[bytes]:
        """The peers to whom there is a way over links, this peer included."""
        if self._reach is None or self._reach[0] != self.looks_on:
            self._reach = (self.looks_on, self._search())
        return self._reach[1]

    def _search(self) -> frozenset[bytes]:
        found = {self.me}
        waiting = [self.me]
        while waiting:
            fresh = self._linked_with(waiting.pop()) - found
            found |= fresh
            waiting += fresh
        return frozenset(found)

    def ahead(self, match: bytes, term: int, seq: int) -> tuple[bytes, ...]:
        """The peers that say that their ledger of a match goes on from one whose last record is this.

        That of a later term goes on, however short it is: what others have there of an earlier one was never committed.
        """
        here = self._in(match)
        return tuple(sorted(peer for peer, said in here if (said.last_term, said.seq) > (term, seq)))

    def askable(self, peers: Iterable[bytes]) -> tuple[bytes, ...]:
        """Those of some peers that answer questions: to who looks on, the neighbours alone."""
        return tuple(sorted(peer for peer in peers if not self.looks_on or peer in self.links))

    def watching(self, now: float) -> int:
        """How many look on at the table, as far as the peers that can be reached say."""
        here = self.present(now) - {self.me}
        return len(self.audience) + sum(said.watching for peer, said in self._presence.items() if peer in here)

    def places(self, match: bytes) -> dict[bytes, Place]:
        """Where each peer stands in a match, as it says itself."""
        return {
            peer: Place(p.match, p.seq, p.last_term, p.committed, p.follows, p.rests, p.suspends)
            for peer, p in self._in(match)
        }

    def resting(self, match: bytes) -> set[bytes]:
        """Whose players would like a pause of a match, as their programs say."""
        return {peer for peer, said in self._in(match) if said.rests}

    def suspending(self, match: bytes) -> set[bytes]:
        """Whose players have gone from a match to come back another time, as their programs said last."""
        return {peer for peer, said in self._in(match) if said.suspends and peer != self.me}

    def _in(self, match: bytes) -> list[tuple[bytes, Presence]]:
        """What those who are in a match have said last."""
        return [(peer, p) for peer, p in self._presence.items() if p.match == match and peer in self.known]

    def drain(self) -> list[Outgoing]:
        """Take what is to be sent, in order."""
        out, self._out = self._out, []
        return out

    def _linked_with(self, peer: bytes) -> set[bytes]:
        if peer == self.me and self.looks_on:  # nobody tells of a link to it
            return set(self._flowing)
        if peer == self.me:
            return {other for other in self._flowing if other in self._greeted or self._claims(other, self.me)}
        claims = self._presence.get(peer)
        return {other for other in claims.links if self._claims(other, peer)} if claims else set()

    def _claims(self, one: bytes, other: bytes) -> bool:
        """Whether one peer says that it has a link to the other."""
        if one == self.me:
            return other in self._flowing
        said = self._presence.get(one)
        return said is not None and other in said.links

    def _pass_on(self, neighbour: bytes, message: Signed, payload: Payload) -> None:
        target = payload.author if isinstance(payload, Declined) else getattr(payload, "to", None)
        if target == self.me or self.looks_on or isinstance(payload, _FOR_ONE_LINK):
            return
        if target in self.links:
            self._send(message, {target} - {neighbour})
            return
        served = {peer for peer in self.links if self._both_claim(peer, message.author)}
        self._send(message, self._who_may_know(type(payload)) - served - {neighbour, message.author})

    def _both_claim(self, one: bytes, other: bytes) -> bool:
        return self._claims(one, other) and self._claims(other, one)

    def _note_presence(self, author: bytes, said: Presence) -> None:
        before = self._presence.get(author)
        if before is not None and before.run == said.run and before.number >= said.number:
            return
        self._presence[author] = said
        if before is None or before.links != said.links or author in self._greeted:
            self._reach = None
        if self.me in said.links:
            self._greeted.pop(author, None)
        if len(self._presence) > PRESENCES_KEPT:
            here = self.known | self.links | {self.me}
            self.heard = {peer: at for peer, at in self.heard.items() if peer in here}
            self._presence = {peer: known for peer, known in self._presence.items() if peer in here}
        if author in self.links and before is not None and set(before.links) - set(said.links):
            self.give_latest(author)

    def give_latest(self, peer: bytes) -> None:
        """Tell what is kept and not hidden from it. Who was restarted has to learn that it has voted, and how far the
        others are, before it hears of the match again.
        """
        kept = sorted(self._latest.items(), key=lambda item: _FIRST.get(item[0][0], len(_FIRST)))
        for (kind, author), (_, _, message) in kept:
            if (author != peer or kind is Vote) and peer in self._who_may_know(kind) and not self.looks_on:
                self._send(message, {peer})

    def _send(self, message: Signed, to: Iterable[bytes]) -> None:
        if receivers := frozenset(to):
            self._out.append(Outgoing(message, receivers))

    def _note_seen(self, message: Signed) -> None:
        self._seen[message.digest] = None
        if len(self._seen) > SEEN_KEPT:
            del self._seen[next(iter(self._seen))]

    def _keep(self, message: Signed, payload: Payload) -> None:
        rank = _rank_of(payload)
        if rank is None:
            return
        key = (type(payload), message.author)
        scope = _scope_of(payload)
        known = self._latest.pop(key, None)
        keeps = known is not None and known[0] == scope and known[1] > rank
        self._latest[key] = known if known is not None and keeps else (scope, rank, message)
        if len(self._latest) > LATEST_KEPT:  # what strangers say cannot push out what the table has said
            strangers = (key for key in self._latest if key[1] not in self.known)
            del self._latest[next(strangers, next(iter(self._latest)))]
