"""A match as somebody sees it who does not play: the ledger, verified here, and what everybody may know of the cards.

The law of this file
--------------------
* The same judge as at the table: every record is checked with its signatures, its place, the rules and all that is
  opened with it, and a record counts when a quorum of the players has acknowledged it. A neighbour can keep something
  back, but it can change nothing.
* Nothing is said but questions to a neighbour: no vote, no acknowledgement, no accusation, no move.
* No card is known here that is not known to all.
* Who comes late is not told again what has happened before: the first thing to be told is how it stands. What was
  missed while the link was down is told.
* The proofs of shuffles, which the fold leaves to the players, are checked beside (`take_jobs`).
"""

from __future__ import annotations

from functools import partial
from typing import Final

from rummy_p2p.deal.blind_deck import ShuffleCheck
from rummy_p2p.deal.blind_transcript import BlindTranscript
from rummy_p2p.engine import Action, View
from rummy_p2p.protocol.election import Election
from rummy_p2p.protocol.errors import RemoteProtocolError
from rummy_p2p.protocol.events import (
    Caught,
    DeckCommitted,
    Elected,
    FaultFound,
    LetIn,
    MatchOver,
    Paused,
    PauseWanted,
    TableEvent,
    TurnedAway,
)
from rummy_p2p.protocol.faults import Fault, Refusal, say
from rummy_p2p.protocol.fields import GRACE, MAX_SPECTATORS
from rummy_p2p.protocol.followed import Followed
from rummy_p2p.protocol.gossip import Gossip
from rummy_p2p.protocol.hand import Job
from rummy_p2p.protocol.identity import Identity
from rummy_p2p.protocol.messages import (
    PROTOCOL_VERSION,
    Ack,
    Admitted,
    Claim,
    Ordered,
    Payload,
    Records,
    Refused,
    Signed,
    TableInfo,
    Vote,
    Watch,
    read,
    read_packed,
)
from rummy_p2p.protocol.pausing import Pauses
from rummy_p2p.protocol.state import Fold, winners_without
from rummy_p2p.protocol.waiting import GAP_PATIENCE, Behind, other_of_two
from rummy_p2p.ruleset import Ruleset

_TOLD_LATE: Final = (Elected, DeckCommitted, MatchOver)  # how it stands, for who comes into a match: the last of each


KNOCK_AGAIN_AFTER: Final = 3.0
FARTHEST_AHEAD: Final = 32


class Door:
    """How somebody who looks on gets in: every neighbour that can let it in is asked, and again after a while."""

    def __init__(self, gossip: Gossip, info: TableInfo, nick: str, run: bytes) -> None:
        """``run``: 32 bytes that nothing else bears."""
        self.open: set[bytes] = set()
        self._gossip = gossip
        self._info = info
        self._nick = nick
        self._run = run
        self._number = 0
        self._knocked: dict[bytes, float] = {}

    def look(self, now: float) -> None:
        """Ask those who have not answered."""
        links = self._gossip.links
        self.open &= links
        self._knocked = {peer: at for peer, at in self._knocked.items() if peer in links}
        for peer in sorted(links - self.open):
            knocked_at = self._knocked.get(peer)
            if knocked_at is None or now >= knocked_at + KNOCK_AGAIN_AFTER:
                self._knocked[peer] = now
                self._number += 1
                watch = Watch(
                    table=self._info.table,
                    run=self._run,
                    number=self._number,
                    version=PROTOCOL_VERSION,
                    nick=self._nick,
                )
                self._gossip.say(watch, peer)

    def receive(self, author: bytes, payload: Payload) -> TableEvent | None:
        """What a neighbour answers, as it is told to the player."""
        if not isinstance(payload, Admitted | Refused) or payload.run != self._run or author not in self._gossip.links:
            return None
        if isinstance(payload, Admitted):
            first = not self.open
            self.open.add(author)
            return LetIn() if first else None
        theirs = payload.differs[0] if payload.differs else "?"
        words: dict[str, int | str] = {"theirs": theirs, "ours": PROTOCOL_VERSION, "most": MAX_SPECTATORS}
        return TurnedAway(payload.code, say(payload.code, words), payload.differs)


class WatchedMatch(Followed):
    """A match from its Start on, as one lives it who looks on. Made to stand where a `Match` stands."""

    is_host = False
    leaving = False
    own_seats: tuple[int, ...] = ()

    def __init__(
        self, identity: Identity, start: Signed, rules: Ruleset, gossip: Gossip, now: float, *, late: bool
    ) -> None:
        """``start``: the creator's, found to be in order; ``late``: it was played for a while already."""
        super().__init__(identity, start, rules)
        self.events: list[TableEvent] = []
        self._pauses = Pauses(self.replica, self.seats)
        self._gossip = gossip
        wishes = {entry.peer: entry.wish for entry in self._entries.peers}
        self._election = Election(identity.player_id, self.id, wishes)
        self._behind = Behind(self.id, gossip, now)
        self.grace = GRACE
        self._late = late
        self._goal: int | None = None
        self._held_back: dict[type, TableEvent] = {}
        self._blamed: set[tuple[str, bytes | None]] = set()
        self._checked = (0, 0, 0)
        self._jobs: list[Job] = []

    # ------------------------------------------------ what is known

    @property
    def running(self) -> bool:
        """Whether actions are ordered now, as far as one can see from here."""
        return not (self.is_over or self._pauses.holds_up or self.host is None)

    @property
    def paused(self) -> Paused | None:
        """Why the table waits, and for whom."""
        return self._pauses.reason

    def view(self, seat: int) -> View:
        """Nobody's cards but those of all are known here."""
        del seat
        raise Refusal("only-watching")

    def may_think(self, seat: int) -> bool:
        """Nothing can be moved from here."""
        del seat
        return False

    def act(self, seat: int, move: str | Action, now: float) -> None:
        """Refuse: whoever looks on makes no moves."""
        del seat, move, now
        raise Refusal("only-watching")

    def claim(self, now: float) -> None:
        """Refuse: whoever looks on claims nothing."""
        del now
        raise Refusal("only-watching")

    def wake_at(self, now: float) -> float:
        """When to call `tick` at the latest."""
        return now + (GAP_PATIENCE if self._behind.misses_something or self._late else 1.0)

    def take_jobs(self) -> list[Job]:
        """Take checks of shuffles, to be done elsewhere."""
        jobs, self._jobs = self._jobs, []
        return jobs

    # ------------------------------------------------ what comes in

    def receive(self, message: Signed, payload: Payload, now: float) -> None:
        """Handle what belongs to this match; RemoteProtocolError when the neighbour has passed on what is none."""
        if isinstance(payload, Records):
            self._on_records(payload, now)
            return
        if message.author not in self.peers:
            return
        try:
            if isinstance(payload, Vote):
                self._election.receive(message, payload)
            elif isinstance(payload, Ordered):
                self._on_ordered(message, payload)
            elif isinstance(payload, Ack):
                self.replica.ledger.acknowledge(message, payload)
            elif isinstance(payload, Claim):
                self._on_claim(message.author)
        except Fault as fault:
            self._blame(fault)

    def _on_ordered(self, message: Signed, ordered: Ordered) -> None:
        """Take a record in; one that is far ahead of what is here is asked for when its turn has come."""
        if ordered.seq <= self.replica.ledger.tail + FARTHEST_AHEAD:
            self.replica.receive(message, ordered)

    def _on_claim(self, author: bytes) -> None:
        """One of two has given up waiting for the other."""
        fold, other = self.replica.committed, other_of_two(self.replica.ledger.voters, author)
        if other is None or self.is_over or fold.start is None:
            return
        names = {seat.owner: seat.name for seat in reversed(self.seats)}
        words: dict[str, int | str] = {"player": names[other], "winner": names[author], "grace": self.grace}
        self.stopped = True
        winners = winners_without(fold, other, author)
        self.events.append(MatchOver(fold.scores, winners, "claimed", say("claimed", words)))

    def _on_records(self, payload: Records, now: float) -> None:
        if payload.to != self._gossip.me:
            return
        before = self.replica.known
        for packed in payload.records:
            record = read_packed(packed)
            ordered = read(record)
            if not isinstance(ordered, Ordered):
                raise RemoteProtocolError("unexpected-message", kind=type(ordered).__name__)
            try:
                self.replica.receive(record, ordered)
            except Fault as fault:
                self._blame(fault)
        if self.replica.known > before:
            self._behind.answered(now)

    # ------------------------------------------------ going round

    def crank(self, now: float) -> None:
        """Do everything that can be done now."""
        while self._step():
            pass
        self._watch(now)
        ledger = self.replica.ledger
        if self.replica.has_gap and self.replica.is_forked and not self.is_over:
            self.stopped = True
            self.events.append(MatchOver(self.replica.committed.scores, (), "forked", say("forked")))
        gap = self.replica.has_gap
        tail, term = ledger.tail, ledger.tail_term
        self._behind.look(tail, ledger.committed, now, term=term, gap=gap, boxless=False, host=self.host)
        if self._late and self._has_caught_up():
            self._late = False
            self.events += [*self._held_back.values(), Caught(ledger.committed)]

    def _step(self) -> bool:
        if self.stopped:
            return False
        winner = self._election.winner
        try:
            if winner is not None and winner[0] > self.replica.ledger.term:
                self.replica.ledger.open_term(*winner)
            stored = self.replica.store(lambda _: False)
        except Fault as fault:
            self._blame(fault)
            return True
        fresh = self.replica.commit()
        for _entry, step in fresh:
            self._check_shuffles(step.fold)
            for event in step.events:
                self._tell(event)
        return stored or bool(fresh)

    def _tell(self, event: TableEvent) -> None:
        if not self._late:
            self.events.append(event)
        elif isinstance(event, _TOLD_LATE):
            self._held_back[type(event)] = event

    def _has_caught_up(self) -> bool:
        """Whether this ledger goes as far as those of the neighbours did, as they said themselves, when one came."""
        if self._goal is None:
            places = self._gossip.places(self.id)
            said = [place.committed for peer, place in places.items() if peer in self._gossip.links]
            self._goal = max(said, default=None)
        return self._goal is not None and self.replica.ledger.committed >= self._goal

    def _watch(self, now: float) -> None:
        """Tell when the table waits, and for whom; without any link one does not know."""
        if self._late:
            return
        if self.is_over:
            told = self._pauses.change(None)
        elif not self._gossip.links:
            told = self._pauses.change(Paused("cut-off", say("cut-off"), ()))
        else:
            told = self._pauses.look(
                self._gossip.present(now), self._gossip.resting(self.id), self._gossip.suspending(self.id)
            )
        self.events += [event for event in told if not isinstance(event, PauseWanted)]

    def _blame(self, fault: Fault) -> None:
        """Tell once what somebody at the table has done; the players draw the consequences."""
        if (fault.code, fault.culprit) not in self._blamed:
            self._blamed.add((fault.code, fault.culprit))
            self.events.append(FaultFound(fault.code, str(fault), fault.culprit))

    def _check_shuffles(self, fold: Fold) -> None:
        """Have the proofs of a deck checked that is dealt, each once."""
        if not isinstance(fold.deal, BlindTranscript) or not fold.is_dealt:
            return
        place = (fold.number, fold.epoch, len(fold.deal.layers))
        if place == self._checked:
            return
        self._checked = place
        for check in fold.deal.checks(fold.deal.layers[-1]):
            self._jobs.append(Job(check.holds, partial(self._noted, check)))

    def _noted(self, check: ShuffleCheck, holds: bool) -> None:  # noqa: FBT001 - what a check returns
        if not holds:
            self._blame(Fault("bad-shuffle", check.about.author))
