"""Who is host: the seated peers vote, once in every term.

The law of this file
--------------------
* Voters are the seated peers. A vote is signed, names one candidate for one term of one match, and goes to everybody.
  Two votes of one voter in one term convict it. A vote is on the disk before it is sent (`table`).
* A candidate with a quorum of votes is the host of that term; two candidates cannot both have one.
* Everybody votes for the best of the peers that it can reach: first the one whose ledger is furthest, then by the wish
  that came with the join (always, if-needed, never), then by the lowest player id. Nobody votes for a peer whose ledger
  is behind its own: so whoever wins has all that a quorum has acknowledged (Ongaro and Ousterhout 2014, 5.4.1). All see
  the same, so one round is the rule. When no quorum comes together in time, the next term is voted on; and a moment
  after the votes of all who can be reached are here and no candidate can win any more, that moment doubling each time.
* A term begins when a host is lost, and that is for a quorum to say (PreVote, Ongaro 2014, 9.6): who alone cannot hear
  the host does not vote. The one machine:

    IDLE --open--> VOTING --quorum--> ELECTED --lost--> VOTING;  VOTING --timeout--> VOTING
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Final, TypeAlias

from rummy_p2p.protocol.errors import RemoteProtocolError
from rummy_p2p.protocol.faults import Fault
from rummy_p2p.protocol.fields import Wish
from rummy_p2p.protocol.messages import Signed, Vote, read, read_packed

VOTE_TIMEOUT: Final = 3.0
SPLIT_PAUSE: Final = 0.1  # by then everybody has heard where the others stand
TERMS_AHEAD: Final = 64  # a vote for a term further off than this is somebody's joke
_ORDER: Final[Mapping[str, int]] = {"always": 0, "if-needed": 1, "never": 2}

Position: TypeAlias = tuple[int, int, int]  # of a ledger: term of the last record, its number, how far committed

NOWHERE: Final = (0, 0, 0)


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
    LOST = "lost"


TRANSITIONS: Final[Mapping[State, Mapping[Input, State]]] = {
    State.IDLE: {Input.OPEN: State.VOTING, Input.QUORUM: State.ELECTED},
    State.VOTING: {Input.OPEN: State.VOTING, Input.TIMEOUT: State.VOTING, Input.QUORUM: State.ELECTED},
    State.ELECTED: {Input.OPEN: State.ELECTED, Input.QUORUM: State.ELECTED, Input.LOST: State.VOTING},
}


class Election:
    """One peer's view of the votes of one match."""

    def __init__(self, me: bytes, match: bytes, wishes: Mapping[bytes, Wish]) -> None:
        """``wishes``: the voters, each with its wish about being host; ``voters`` are those who have not left since."""
        self.me = me
        self.match = match
        self.wishes = dict(wishes)
        self.voters = frozenset(wishes)
        self.state = State.IDLE
        self.winner: tuple[int, bytes] | None = None
        self._votes: dict[tuple[int, bytes], tuple[Signed, bytes]] = {}
        self._deadline = 0.0
        self._pause = SPLIT_PAUSE
        self._split_ends = 0.0

    @property
    def quorum(self) -> int:
        """How many votes make a host."""
        return len(self.voters) // 2 + 1

    @property
    def term(self) -> int:
        """The highest term in which this peer has voted; 0 for none. It acknowledges nothing of an older one."""
        return max((term for term, voter in self._votes if voter == self.me), default=0)

    def open(self, reachable: Iterable[bytes], now: float) -> Vote | None:
        """Begin: the vote to send to everybody; None when it is decided, or this peer voted before it was restarted."""
        self._move(Input.OPEN)
        if self.winner is not None or self.term:
            self._deadline = now + VOTE_TIMEOUT
            return None
        return self._vote(reachable, {}, now)

    def tick(self, reachable: Iterable[bytes], now: float) -> Vote | None:
        """When no quorum came together in time for the first host: the vote of the next term."""
        return self.again(reachable, {}, now) if self.winner is None else None

    def again(self, reachable: Iterable[bytes], ledgers: Mapping[bytes, Position], now: float) -> Vote | None:
        """The host is lost, and a quorum says so: the vote of the next term; None while one is being voted on.

        Who is behind the others' term joins them at once.
        """
        there = set(reachable)
        waits = self.state is State.VOTING and now < self._deadline and self._newest_of_all() <= self.term
        if self.state is State.IDLE or (waits and (now < self._split_ends or not self._is_split(there))):
            return None
        self._move(Input.TIMEOUT if self.state is State.VOTING else Input.LOST)
        return self._vote(there, ledgers, now)

    def _is_split(self, there: set[bytes]) -> bool:
        """Whether no candidate of the term in which this peer has voted can still win it."""
        voted = {voter: known[1] for (at, voter), known in self._votes.items() if at == self.term}
        most = max(Counter(voted[voter] for voter in self.voters & voted.keys()).values(), default=0)
        return most + len(self.voters & there - voted.keys()) < self.quorum

    def hold(self, now: float) -> None:
        """No quorum says that the host is lost: what has been voted on so far waits for others to join."""
        if self.winner is not None:
            self._deadline = now + VOTE_TIMEOUT

    def receive(self, message: Signed, vote: Vote) -> None:
        """Count a vote, early and late ones too; Fault two-votes for a second one of the same voter in one term."""
        if vote.match != self.match or not {message.author, vote.candidate} <= self.wishes.keys():
            return
        if vote.term > self._newest(self.me) + TERMS_AHEAD:
            return
        known = self._votes.setdefault((vote.term, message.author), (message, vote.candidate))
        if known[1] != vote.candidate:
            raise Fault("two-votes", message.author, (known[0], message))
        if len(self.votes_for(vote.term, vote.candidate)) >= self.quorum:
            self._elect(vote.term, vote.candidate)

    def votes_for(self, term: int, candidate: bytes) -> tuple[Signed, ...]:
        """The signed votes that a candidate has in a term."""
        found = sorted((voter, vote) for (at, voter), vote in self._votes.items() if at == term)
        return tuple(message for voter, (message, chosen) in found if chosen == candidate and voter in self.voters)

    def voted_after(self, term: int) -> set[bytes]:
        """The voters that have voted in a later term: they acknowledge nothing of this one any more."""
        return {voter for at, voter in self._votes if at > term and voter in self.voters}

    def has_won(self, term: int, host: bytes) -> None:
        """A record proves that this peer is host of a term; the votes need not have come here."""
        self._elect(term, host)

    def _elect(self, term: int, candidate: bytes) -> None:
        if self.winner is None or self.winner[0] < term:
            self.winner = (term, candidate)
            self._pause = SPLIT_PAUSE
            self._move(Input.QUORUM)

    def _newest(self, me: bytes) -> int:
        """The newest term that was won, or in which a peer has voted."""
        voted = max((term for term, voter in self._votes if voter == me), default=0)
        return max(voted, self.winner[0] if self.winner else 0)

    def _newest_of_all(self) -> int:
        """The newest term in which anybody has voted."""
        return max((term for term, voter in self._votes if voter in self.voters), default=0)

    def _vote(self, reachable: Iterable[bytes], ledgers: Mapping[bytes, Position], now: float) -> Vote:
        """Vote in a term that is new to this peer; in one that others vote on already rather than in the next."""
        self._deadline, self._split_ends = now + VOTE_TIMEOUT, now + self._pause
        self._pause = min(2 * self._pause, VOTE_TIMEOUT)
        term = max(self._newest(self.me) + 1, self._newest_of_all())
        return Vote(match=self.match, term=term, candidate=choose(self.wishes, reachable, self.me, ledgers))

    def _move(self, what: Input) -> None:
        self.state = TRANSITIONS[self.state][what]


def choose(
    wishes: Mapping[bytes, Wish],
    reachable: Iterable[bytes],
    me: bytes = b"",
    ledgers: Mapping[bytes, Position] | None = None,
) -> bytes:
    """The best candidate among the voters that can be reached; of all of them when none can.

    ``ledgers``: how far each one's goes, as it says; nobody is behind ``me``. Of two that go equally far the one that
    knows more to be committed is the better one: where a host has told two stories, that is the one to go on with.
    """
    known = dict.fromkeys(wishes, NOWHERE) | dict(ledgers or {})
    there = [peer for peer in wishes if peer in set(reachable)] or list(wishes)
    fit = [peer for peer in there if known[peer][:2] >= known.get(me, NOWHERE)[:2]] or [me]
    return min(fit, key=lambda peer: (*(-part for part in known[peer]), _ORDER[wishes[peer]], peer))


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
