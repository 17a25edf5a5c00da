"""Succession: whom this peer follows as host of a match, when it has lost that one, and whom it votes for then.

The law of this file
--------------------
* A host is lost when it cannot be heard, has said that it leaves, was convicted, or leaves a move lie that could stand
  (R12). As host, a peer has lost itself when no quorum has followed it for a while (CheckQuorum).
* Who has lost the host says so in its signs of life, and votes when a quorum says the same (PreVote): who alone cannot
  hear the host disturbs nobody.
* Convicted hosts get no vote of this peer again. One that drops moves gets none in the vote that replaces it; if that
  vote comes to nothing it may be chosen again, for a table without a host helps nobody.
* Of two peers neither can outvote the other: there a host is not deposed for leaving moves lie.
* A program that was started anew gives the host that it knew a moment to be found again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final, cast

from rummy_p2p.engine import IllegalAction, KnobFailed
from rummy_p2p.protocol.election import VOTE_TIMEOUT, Election, Position, State
from rummy_p2p.protocol.events import FaultFound
from rummy_p2p.protocol.faults import Fault, say
from rummy_p2p.protocol.fields import Wish
from rummy_p2p.protocol.fold import advance
from rummy_p2p.protocol.gossip import Gossip
from rummy_p2p.protocol.messages import Draft, Signed, Vote, read
from rummy_p2p.protocol.ordering import Ordering
from rummy_p2p.protocol.replica import Replica

FORSAKEN_AFTER: Final = 5.0
RESUMED_PATIENCE: Final = 5.0
MOST_THAT_CANNOT_DEPOSE: Final = 2  # of two neither can outvote the other


class Succession:
    """One peer's view of who is host of one match."""

    def __init__(
        self,
        wishes: Mapping[bytes, Wish],
        replica: Replica,
        gossip: Gossip,
        ordering: Ordering,
        now: float,
        tell: Callable[[FaultFound], None],
    ) -> None:
        """``wishes``: the voters, each with its wish about being host; ``tell`` takes what the player is to know."""
        self.me = gossip.me
        self.election = Election(gossip.me, replica.ledger.match, wishes)
        self.follows = 0
        self._replica = replica
        self._gossip = gossip
        self._ordering = ordering
        self._tell = tell
        self._convicted: set[bytes] = set()
        self._reproached: set[int] = set()
        self._followed_term = 0
        self._followed_at = now
        self._short_since: float | None = None
        self._patient_until = now
        self._voted_here: set[int] = set()
        self._unsaved: list[Signed] = []

    @property
    def host(self) -> bytes | None:
        """Who orders; None before the election."""
        return self._replica.ledger.host

    @property
    def can_depose(self) -> bool:
        """Whether there are enough peers to outvote a host."""
        return len(self._replica.ledger.voters) > MOST_THAT_CANNOT_DEPOSE

    @property
    def has_won_here(self) -> bool:
        """Whether this peer is host of a term in which it voted since its program was started."""
        return self.host == self.me and self._replica.ledger.term in self._voted_here

    # ------------------------------------------------ what others say, and what is remembered

    def open(self, now: float) -> None:
        """Begin with this peer's vote, unless it is known who is host: records may tell so where votes do not."""
        self._note_host()
        vote = self.election.open(self._gossip.reachable(), now)
        if vote is not None:
            self._vote(vote, now)

    def restore(self, votes: Iterable[Signed], now: float) -> None:
        """Take up the own votes that an earlier run of this program has written down."""
        self._patient_until = now + RESUMED_PATIENCE
        for message in votes:
            self.election.receive(message, cast("Vote", read(message)))

    def take_votes(self) -> tuple[Signed, ...]:
        """Take the own votes that are not on the disk yet."""
        votes, self._unsaved = tuple(self._unsaved), []
        return votes

    def convict(self, peer: bytes) -> None:
        """Follow this peer no longer."""
        self._convicted.add(peer)

    # ------------------------------------------------ going round

    def look(self, now: float, *, running: bool) -> bool:
        """Vote when there is no host or a quorum has lost it, and follow whoever has won; whether that is a new one."""
        election = self.election
        election.voters = frozenset(self._replica.ledger.voters)
        self._note_host()
        changed = self._follow_winner(now)
        self._say_whom_it_follows(now, running=running)
        vote = election.tick(self._gossip.reachable(), now)
        if self.host is not None and not self.follows:
            if self._a_quorum_has_lost_it(now):
                vote = election.again(self._candidates(now), self._ledgers(), now)
            else:
                election.hold(now)
        if vote is not None:
            self._vote(vote, now)
            changed = self._follow_winner(now) or changed
            self._say_whom_it_follows(now, running=running)
        return changed

    def _note_host(self) -> None:
        """Let the election know of a host whose votes did not come here, but its records."""
        ledger, winner = self._replica.ledger, self.election.winner
        if ledger.host is not None and (winner is None or winner[0] < ledger.term):
            self.election.has_won(ledger.term, ledger.host)

    def _follow_winner(self, now: float) -> bool:
        winner, ledger = self.election.winner, self._replica.ledger
        if winner is not None and winner[0] > ledger.term:
            ledger.open_term(*winner)
        if ledger.term == self._followed_term:
            return False
        self._followed_term, self._followed_at = ledger.term, now
        self._ordering.restart(now)
        return True

    def _say_whom_it_follows(self, now: float, *, running: bool) -> None:
        lost = self.host is None or self._has_lost_host(now, running=running)
        follows = 0 if lost else self._replica.ledger.term
        if follows != self.follows:
            self.follows = follows
            self._gossip.tell_presence(now)

    def _has_lost_host(self, now: float, *, running: bool) -> bool:
        """Whether this peer does not hear the host, or does not want it any more."""
        host, ledger = self.host, self._replica.ledger
        if host in self._convicted or host not in ledger.voters or host in self._ordering.leavers:
            return True
        if self.election.term > ledger.term or self._is_short_of_voters(now):
            return True
        if host == self.me:
            return self._is_forsaken(now)
        if host not in self._gossip.present(now):
            return now >= self._patient_until
        self._patient_until = now  # it has been found
        return running and self.can_depose and self._drops_moves(now)

    def _is_short_of_voters(self, now: float) -> bool:
        """Whether so many have voted in a later term, in vain, that the rest cannot commit, or give no certificate.

        They acknowledge nothing more of this one: only a new host brings all together again.
        """
        replica, term = self._replica, self._replica.ledger.term
        there = self._gossip.present(now) & set(replica.ledger.voters)
        able = len(there) - len(self.election.voted_after(term) & there)
        if not any(len(there) >= enough > able for enough in (replica.ledger.quorum, replica.certifiers)):
            self._short_since = None
            return False
        self._short_since = now if self._short_since is None else self._short_since
        return now - self._short_since >= VOTE_TIMEOUT

    def _is_forsaken(self, now: float) -> bool:
        """As host: whether no quorum has followed for a while."""
        ledger = self._replica.ledger
        places, there = self._gossip.places(ledger.match), self._gossip.present(now)
        others = [peer for peer in ledger.voters if peer in places and peer in there and peer != self.me]
        if 1 + sum(places[peer].follows == ledger.term for peer in others) >= ledger.quorum:
            self._followed_at = now
        return now - self._followed_at >= FORSAKEN_AFTER

    def _drops_moves(self, now: float) -> bool:
        """Whether the host leaves a move lie that could stand; the player is told once in a term."""
        dropped = [message for message, draft in self._ordering.old_acts(now) if self._could_stand(message, draft)]
        if dropped and self._replica.ledger.term not in self._reproached:
            self._reproached.add(self._replica.ledger.term)
            self._tell(FaultFound("drops-moves", say("drops-moves"), self.host))
        return bool(dropped)

    def _could_stand(self, message: Signed, draft: Draft) -> bool:
        try:
            advance(self._replica.tail, self._replica.motion(message, draft))
        except (Fault, IllegalAction, KnobFailed):
            self._ordering.forget(message.digest)
            return False
        return True

    def _a_quorum_has_lost_it(self, now: float) -> bool:
        """Whether so many say, this peer among them, that they do not hear the host (PreVote).

        Who follows a later one has a host: whoever does not know that one yet will hear of it, and disturbs nobody.
        """
        ledger, places = self._replica.ledger, self._gossip.places(self._replica.ledger.match)
        there = self._gossip.present(now) & set(ledger.voters) - {self.me}
        lost = [peer for peer in there if peer in places and places[peer].follows < ledger.term]
        return 1 + len(lost) >= ledger.quorum

    def _candidates(self, now: float) -> set[bytes]:
        there = self._gossip.present(now) & set(self._replica.ledger.voters)
        replaced = {self.host} if self.election.state is State.ELECTED and self.host != self.me else set()
        return set(there) - self._ordering.leavers - self._convicted - replaced or {self.me}

    def _ledgers(self) -> dict[bytes, Position]:
        ledger = self._replica.ledger
        places = self._gossip.places(ledger.match)
        said = {peer: (place.last_term, place.seq, place.committed) for peer, place in places.items()}
        told = places[self.me].committed if self.me in places else 0  # what the others go by as well
        return said | {self.me: (ledger.tail_term, ledger.tail, told)}

    def _vote(self, vote: Vote, now: float) -> None:
        """Vote; should the votes be split, all know for the next where this peer stands now."""
        if vote.term > 1:
            self._gossip.tell_presence(now)
        self._voted_here.add(vote.term)
        message = self._gossip.say(vote)
        self._unsaved.append(message)
        self.election.receive(message, vote)
