"""Who is host: the seated peers vote, once in every term.

The law of this file
--------------------
* Voters are the seated peers. A vote is signed, names one candidate for one term of one match, and goes to everybody.
  Two votes of one voter in one term convict it.
* A candidate with a quorum of votes is the host of that term; two candidates cannot both have one.
* At the start everybody votes in term 1 for the best of the peers that it can reach: first by the wish that came with
  the join (always, if-needed, never), then by the lowest player id. All see the same, so one round is the rule. When no
  quorum comes together in time, the next term is voted on in the same way.
* `TRANSITIONS` is the whole machine. Once elected it stays so; losing the host is the table's matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Final

from rummy_p2p.protocol.errors import RemoteProtocolError
from rummy_p2p.protocol.faults import Fault
from rummy_p2p.protocol.messages import Signed, Vote, Wish, read, read_packed

VOTE_TIMEOUT: Final = 3.0
_ORDER: Final[Mapping[str, int]] = {"always": 0, "if-needed": 1, "never": 2}


class State(Enum):
    """Where an election stands."""

    IDLE = "idle"
    VOTING = "voting"
    ELECTED = "elected"


class Input(Enum):
    """What moves it."""

    OPEN = "open"
    TIMEOUT = "timeout"
    QUORUM = "quorum"


TRANSITIONS: Final[Mapping[State, Mapping[Input, State]]] = {
    State.IDLE: {Input.OPEN: State.VOTING, Input.QUORUM: State.ELECTED},
    State.VOTING: {Input.TIMEOUT: State.VOTING, Input.QUORUM: State.ELECTED},
    State.ELECTED: {Input.QUORUM: State.ELECTED},
}


class Election:
    """One peer's view of the votes of one match."""

    def __init__(self, me: bytes, match: bytes, wishes: Mapping[bytes, Wish]) -> None:
        """``wishes``: the voters, each with its wish about being host."""
        self.me = me
        self.match = match
        self.wishes = dict(wishes)
        self.state = State.IDLE
        self.term = 0
        self.winner: tuple[int, bytes] | None = None
        self._votes: dict[tuple[int, bytes], tuple[Signed, bytes]] = {}
        self._deadline = 0.0

    @property
    def quorum(self) -> int:
        """How many votes make a host."""
        return len(self.wishes) // 2 + 1

    def open(self, reachable: Iterable[bytes], now: float) -> Vote | None:
        """Begin: the vote to send to everybody; None when it is decided, or this peer voted before it was restarted."""
        if self.state is not State.ELECTED:
            self._move(Input.OPEN)
        if self.winner is not None or (1, self.me) in self._votes:
            self.term, self._deadline = 1, now + VOTE_TIMEOUT
            return None
        return self._vote(reachable, now)

    def tick(self, reachable: Iterable[bytes], now: float) -> Vote | None:
        """When no quorum came together in time: the vote of the next term."""
        if self.state is not State.VOTING or now < self._deadline:
            return None
        self._move(Input.TIMEOUT)
        return self._vote(reachable, now)

    def receive(self, message: Signed, vote: Vote) -> None:
        """Count a vote, early and late ones too; Fault two-votes for a second one of the same voter in one term."""
        if vote.match != self.match or not {message.author, vote.candidate} <= self.wishes.keys():
            return
        known = self._votes.setdefault((vote.term, message.author), (message, vote.candidate))
        if known[1] != vote.candidate:
            raise Fault("two-votes", message.author, (known[0], message))
        if len(self.votes_for(vote.term, vote.candidate)) >= self.quorum:
            self._move(Input.QUORUM)
            self.winner = self.winner or (vote.term, vote.candidate)

    def votes_for(self, term: int, candidate: bytes) -> tuple[Signed, ...]:
        """The signed votes that a candidate has in a term."""
        found = sorted((voter, vote) for (at, voter), vote in self._votes.items() if at == term)
        return tuple(message for _, (message, chosen) in found if chosen == candidate)

    def _vote(self, reachable: Iterable[bytes], now: float) -> Vote:
        self.term += 1
        self._deadline = now + VOTE_TIMEOUT
        return Vote(match=self.match, term=self.term, candidate=choose(self.wishes, reachable))

    def _move(self, what: Input) -> None:
        self.state = TRANSITIONS[self.state][what]


def choose(wishes: Mapping[bytes, Wish], reachable: Iterable[bytes]) -> bytes:
    """The best candidate among the voters that can be reached; of all of them when none can."""
    there = [peer for peer in wishes if peer in set(reachable)] or list(wishes)
    return min(there, key=lambda peer: (_ORDER[wishes[peer]], peer))


def check_votes(match: bytes, voters: Iterable[bytes], host: bytes, term: int, votes: Iterable[bytes]) -> None:
    """Check packed votes that are to prove a host; Fault bad-votes when they do not."""
    seated = set(voters)
    found = {voter for packed in votes if (voter := _voter_for(match, host, term, packed)) in seated}
    if len(found) < len(seated) // 2 + 1:
        raise Fault("bad-votes", host)


def _voter_for(match: bytes, host: bytes, term: int, packed: bytes) -> bytes | None:
    try:
        message = read_packed(packed)
        vote = read(message)
    except RemoteProtocolError as error:
        raise Fault("bad-votes", host) from error
    return message.author if vote == Vote(match=match, term=term, candidate=host) else None
