"""The table session: all that one peer does at one table, from sitting down to the end of the last match.

The law of this file
--------------------
* Sans-IO. `receive`, `peer_connected`, `peer_lost`, `tick`, `finish` and what the own player does go in, each with
  `now`; after any of them take `unsaved()` and `secrets()` and write them, then send `outgoing()`, then tell the player
  `events()`, in this order, and have the `jobs()` done.
* `receive` raises RemoteProtocolError when the *neighbour* broke the protocol: its link is to be closed. What somebody
  further away did wrong comes as an event and closes no link.
* What the player does is checked here and now against what is committed; a move that is refused raises IllegalAction,
  anything else that cannot be done raises Refusal, and nothing has been said to anybody.
* A move takes effect when the ledger has it committed, here as on all other peers. Nothing is assumed before.
* The table pauses, and says for whom it waits, while the host, a quorum, or a peer that plays cannot be reached. What
  is proposed then stays pending. It goes on by itself.
* A host that is caught breaking the rules ends the match here: this peer acknowledges nothing more.

* Somebody without a seat may look on (`watch`): it sees what is public, says nothing but chat, and may ask for a seat
  (`sit`), which it gets when the match is over. Those who look on through this peer are the matter of `audience`.

The parts: `gossip` (who can be reached, what was said), `forming` (seats), `talk` (chat, and votes about players),
`match` (one match), `watching` (one match, seen from outside); `standing` is all that can be asked, `disk` what is
written down.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, cast

from rummy_p2p.deal.keys import quorum
from rummy_p2p.engine import Action
from rummy_p2p.protocol.disk import Disk, Recall, Saved, Unsaved, nothing_kept
from rummy_p2p.protocol.events import Chatted, FaultFound, MatchStarted, TableEvent
from rummy_p2p.protocol.faults import Fault, Refusal
from rummy_p2p.protocol.fields import Measure
from rummy_p2p.protocol.forming import Guest, Phase
from rummy_p2p.protocol.gossip import Outgoing, Place
from rummy_p2p.protocol.hand import Job
from rummy_p2p.protocol.identity import Identity
from rummy_p2p.protocol.match import Match
from rummy_p2p.protocol.messages import (
    Aside,
    Ask,
    Ballot,
    Join,
    Payload,
    Say,
    Signed,
    Start,
    Watch,
    match_id,
    read,
    sign,
)
from rummy_p2p.protocol.settings import Settings, describe_table
from rummy_p2p.protocol.standing import Standing
from rummy_p2p.protocol.talk import Talk
from rummy_p2p.protocol.watching import WatchedMatch
from rummy_p2p.ruleset import Ruleset

CREATOR_LOST_AFTER: Final = 5.0
EARLY_KEPT: Final = 256
RESUMED_REVISION: Final = 1 << 20


class TableSession(Standing):
    """One peer at one table. Made by `create`, `join`, `resume` or `watch`."""

    def __init__(
        self,
        identity: Identity,
        info_message: Signed,
        rules: Ruleset,
        guest: Guest,
        entropy: Callable[[int], bytes],
        now: float,
        disk: Disk,
    ) -> None:
        """Use `create`, `join`, `resume` or `watch`."""
        super().__init__(identity, info_message, rules, guest, entropy)
        self._identity = identity
        self._entropy = entropy
        self._recall = disk.recall
        self._events: list[TableEvent] = []
        self._talk = Talk(self, self._gossip, self._forming, self._door, self._run, self._events.append)
        self._early: list[tuple[Signed, Payload]] = []
        self._next_start: Signed | None = None
        self._saved = self._saved_commit = 0
        self._creator_missing: float | None = None
        self._gossip.position = self._position
        if disk.saved is None:
            self._forming.begin(now)
        else:
            self._resume(disk.saved, now)
        self._crank(now)

    @classmethod
    def create(
        cls,
        identity: Identity,
        guest: Guest,
        rules: Ruleset,
        settings: Settings,
        entropy: Callable[[int], bytes],
        now: float,
        recall: Recall = nothing_kept,
    ) -> TableSession:
        """Open a table with these rules; Refusal for a number of seats that the game is not for.

        ``recall``: what `secrets` has given for a match, from the disk; None when there is nothing.
        """
        info = describe_table(identity.player_id, entropy(32), rules, settings)
        return cls(identity, sign(identity, info), rules, guest, entropy, now, Disk(recall))

    @classmethod
    def join(
        cls,
        identity: Identity,
        guest: Guest,
        rules: Ruleset,
        info: Signed,
        entropy: Callable[[int], bytes],
        now: float,
        recall: Recall = nothing_kept,
    ) -> TableSession:
        """Ask for a seat at the table that ``info`` (its creator's TableInfo, as received) tells of."""
        return cls(identity, info, rules, guest, entropy, now, Disk(recall))

    @classmethod
    def resume(
        cls,
        identity: Identity,
        guest: Guest,
        rules: Ruleset,
        saved: Saved,
        entropy: Callable[[int], bytes],
        now: float,
        recall: Recall = nothing_kept,
    ) -> TableSession:
        """Come back to a match that an earlier run of this program was in; Fault when what was saved is none."""
        return cls(identity, saved.info, rules, guest, entropy, now, Disk(recall, saved))

    @classmethod
    def watch(
        cls,
        identity: Identity,
        nick: str,
        rules: Ruleset,
        info: Signed,
        entropy: Callable[[int], bytes],
        now: float,
        recall: Recall = nothing_kept,
    ) -> TableSession:
        """Look on at the table that ``info`` tells of, without a seat, through whichever of its peers has a link."""
        return cls(identity, info, rules, Guest(nick, watches=True), entropy, now, Disk(recall))

    # ------------------------------------------------ what comes from outside

    def peer_connected(self, peer: bytes, now: float) -> None:
        """A link to an authenticated peer stands."""
        if self.info.closed and not self.watches and peer not in self._gossip.known | self._forming.admitted:
            self._gossip.meet_outside(peer)
            return
        self._gossip.connect(peer, now)
        if isinstance(self.match, Match):
            self.match.greet(peer)
        self._crank(now)

    def peer_lost(self, peer: bytes, now: float) -> None:
        """The link to a peer is gone."""
        self._gossip.lose(peer, now)
        self._crank(now)

    def receive(self, peer: bytes, message: Signed, now: float, *, more: bool = False) -> None:
        """A message came over the link to a peer; RemoteProtocolError when that peer is to blame.

        ``more``: what comes of it waits for the next input of any kind, or for `settle`: of ten records that come
        together the last one is acknowledged, not each.
        """
        payload: Payload | None
        if peer in self._gossip.audience:
            payload = self._hear_audience(peer, message, now)
        else:
            payload = self._gossip.accept(peer, message, now)
        if payload is not None:
            self._handle(message, payload, now)
            if not more:
                self._crank(now)

    def settle(self, now: float) -> None:
        """Nothing more has come for now."""
        self._crank(now)

    def _hear_audience(self, peer: bytes, message: Signed, now: float) -> Payload | None:
        payload = self._audience.hear(peer, message, now)
        if isinstance(payload, Join):  # only a wish for a seat is everybody's business
            return self._gossip.accept(peer, message, now)
        return None if isinstance(payload, Ask) and not self._audience.may_answer(now) else payload

    def tick(self, now: float) -> None:
        """Time has passed."""
        self._gossip.tick(now)
        reachable = self._gossip.present(now)
        self._forming.tick(reachable, now)
        self._watch_creator(self.creator in reachable, now)
        self._crank(now)

    def outgoing(self) -> list[Outgoing]:
        """Take what is to be sent now."""
        return self._gossip.drain()

    def events(self) -> list[TableEvent]:
        """Take what has happened since the last time."""
        taken = list(self._events)
        self._events.clear()
        return taken

    def unsaved(self) -> Unsaved | None:
        """Take what has been stored of this match since the last time: write it down before anything is sent."""
        if not isinstance(self.match, Match):
            return None
        replica = self.match.replica
        kept = self._saved if replica.truncated is None else min(self._saved, replica.truncated)
        replica.truncated = None
        fresh = replica.ledger.entries[kept:]
        votes, committed = self.match.take_votes(), replica.ledger.committed
        if kept == self._saved and not fresh and not votes and committed == self._saved_commit:
            return None
        self._saved, self._saved_commit = kept + len(fresh), committed
        records = tuple(entry.record for entry in fresh)
        return Unsaved(self.offer, self.match.start, records, votes, committed, self.match.id, kept)

    def secrets(self) -> tuple[bytes, bytes] | None:
        """Take (match, what has to be on the disk, for nobody else to read, before anything is sent).

        Empty bytes: what was there can go. None: nothing has changed.
        """
        secrets = self.match.take_secrets() if isinstance(self.match, Match) else None
        return None if secrets is None or self.match is None else (self.match.id, secrets)

    def jobs(self) -> list[Job]:
        """Take work that would hold everything up; do it anywhere, and give what comes of it to `finish`."""
        return self.match.take_jobs() if self.match is not None else []

    def finish(self, job: Job, outcome: object, now: float) -> None:
        """A job has been done."""
        job.finish(outcome)
        self._crank(now)

    # ------------------------------------------------ what the player does

    def ready(self, now: float, *, ready: bool = True) -> None:
        """Be ready to start, or no longer; after a match: ready to play again."""
        self._forming.set_ready(ready=ready)
        self._crank(now)

    def rematch(self, now: float) -> None:
        """Be ready to play again. When everybody is, the creator's session starts the next match by itself."""
        if self.phase is Phase.PLAYING:
            raise Refusal("match-running")
        self.ready(now)

    def start(self, now: float) -> None:
        """Start a match; Refusal for anybody but the creator, or when not everybody is ready."""
        start = self._forming.make_start(self._entropy(32))
        self._on_start(self._gossip.say(start), start, now)
        self._crank(now)

    def act(self, seat: int, move: str | Action, now: float) -> None:
        """Make a move with an own seat: checked here and now, then proposed."""
        if self.match is None:
            raise Refusal("no-match")
        self.match.act(seat, move, now)
        self._crank(now)

    def rest(self, *, wanted: bool, now: float) -> None:
        """Say that this player would like a pause of the match, or no longer; Refusal when none is played."""
        if not isinstance(self.match, Match):
            raise Refusal("no-match-to-pause")
        self.match.rest(wanted=wanted, now=now)
        self._crank(now)

    def suspend(self, now: float) -> None:
        """Tell the others, before the links are closed, that this player comes back to the match another time."""
        if isinstance(self.match, Match):
            self.match.suspend(now)

    def admit(self, peer: bytes, now: float) -> None:
        """A peer has shown that it knows the password: it may ask for a seat, and hear what is said."""
        self._forming.admitted.add(peer)
        self._crank(now)

    def seat_guest(self, nick: str, now: float) -> int:
        """Give a person a seat who plays at this program; which of this peer's seats it is. Refusal: there is none."""
        number = self._forming.seat_guest(nick)
        self._crank(now)
        return number

    def unseat_guest(self, number: int, now: float) -> None:
        """Take a guest's seat; Refusal while a match is played."""
        self._forming.unseat_guest(number)
        self._crank(now)

    def claim(self, now: float) -> None:
        """Of two: end the match because the other has been gone for too long. Refusal says how long is left."""
        if self.match is None or self.match.is_over:
            raise Refusal("no-match")
        self.match.claim(now)
        self._crank(now)

    def sit(self, now: float) -> None:
        """Who looks on asks for a seat: it is given as soon as no match is played."""
        self._forming.want_seat(now)
        self._crank(now)

    def chat(self, text: str, now: float, seat: int = 0) -> None:
        """Say something to everybody; ``seat``: the guest of this program who says it. Who looks on says it through one
        of those who play.
        """
        self._talk.chat(text, seat)
        self._crank(now)

    def vote(self, measure: Measure, name: str, now: float, *, agree: bool = True) -> None:
        """Vote to mute somebody or to take somebody's seat, or against it; Refusal where that is not to be voted."""
        self._talk.vote(measure, name, agree=agree)
        self._crank(now)

    def leave(self, now: float) -> None:
        """Leave the table, in mid-match too; keep going until `outgoing` has been sent, then close the links."""
        if isinstance(self.match, Match) and self._forming.phase is Phase.PLAYING:
            self.match.leave(now)
        self._forming.leave()
        self._crank(now)

    # ------------------------------------------------ inside

    def _resume(self, saved: Saved, now: float) -> None:
        start = read(saved.start)
        if not isinstance(start, Start) or saved.start.author != self.creator or start.table != self.info.table:
            raise Fault("bad-roster")
        self._forming.resume(start, RESUMED_REVISION + len(saved.records), now)
        match = self._begin_match(saved.start, start, now, late=True)
        if not isinstance(match, Match):
            raise Fault("bad-roster")
        match.restore(saved.votes, saved.records, saved.committed)
        self._saved, self._saved_commit = match.replica.ledger.tail, match.replica.ledger.committed
        match.open(now)

    def _handle(self, message: Signed, payload: Payload, now: float) -> None:
        self._forming.receive(message.author, payload)
        if isinstance(payload, Start):
            self._on_start(message, payload, now)
        elif isinstance(payload, Ballot):
            self._talk.count(message.author, payload)
        elif isinstance(payload, Watch):
            if self.own_seats and isinstance(self.match, Match | None):
                self._audience.receive(message.author, payload, self.match, now)
        elif isinstance(payload, Say | Aside):
            self._talk.hear(message, payload)
        elif self.watches and (told := self._door.receive(message.author, payload)) is not None:
            self._events.append(told)
        elif self.match is not None and getattr(payload, "match", None) == self.match.id:
            self.match.receive(message, payload, now)
        elif hasattr(payload, "match"):
            self._early = [*self._early[-EARLY_KEPT:], (message, payload)]

    def _on_start(self, message: Signed, start: Start, now: float) -> None:
        """Begin a match; one that comes while the last is not over here waits."""
        if self._forming.phase is Phase.PLAYING and self.watches and start.number > self._forming.number:
            self._forming.over(())  # what is left of the last one was missed
        if self._forming.phase is Phase.PLAYING:
            self._next_start = message
            return
        try:
            if not self._forming.started(message.author, start):
                return
        except Fault as fault:
            self._events.append(FaultFound(fault.code, str(fault), message.author))
            return
        match = self._begin_match(message, start, now, late=not self._door.open)
        early, self._early = self._early, []
        for early_message, payload in early:
            match.receive(early_message, payload, now)
        if isinstance(match, Match):
            match.open(now)

    def _begin_match(self, message: Signed, start: Start, now: float, *, late: bool) -> Match | WatchedMatch:
        me, rules, gossip = self._identity, self.rules, self._gossip
        if self.me in {entry.peer for entry in start.peers}:
            kept = self._recall(match_id(message))
            self.match = Match(me, message, rules, gossip, self._entropy, now, kept)
        else:
            self.match = WatchedMatch(me, message, rules, gossip, now, late=late)
        self.match.grace = self.info.grace
        self._saved = self._saved_commit = 0
        peers = len(start.peers)
        could_look = 1 if start.deal == "host" else peers if start.trust == "all" else quorum(peers)
        self._events.append(MatchStarted(self.match.id, self.match.seats, start.deal, could_look))
        return self.match

    def _crank(self, now: float) -> None:
        """Let every part do what it can, until all have said what they have to say."""
        if self.match is not None:
            self.match.crank(now)
            self._events += self.match.events
            self.match.events.clear()
            if self.match.is_over and self._forming.phase is Phase.PLAYING:
                self._forming.over(self.match.replica.committed.gone)
        self._flush_forming(now)
        self._start_again(now)
        self._audience.settle()
        self._events += [Chatted(peer, nick, text, watches=True) for peer, nick, text in self._audience.take_heard()]
        if self.watches:
            self._door.look(now)

    def _flush_forming(self, now: float) -> None:
        payloads, events = self._forming.said.take()
        for payload, to in payloads:
            self._gossip.say(payload, to)
        self._events += events
        in_match = self.match.peers if self.match is not None else frozenset()
        known = {self.me, self.creator, *self._forming.peers, *in_match}
        fresh, self._gossip.known = known - self._gossip.known, known
        if self.watches and self._forming.wants_seat and self.me in self._forming.peers:
            self._gossip.looks_on = False
            fresh |= {self.me}
        for peer in self._gossip.outside & (known | self._forming.admitted):
            self.peer_connected(peer, now)
        if fresh:  # to whom this peer was a stranger until now, and whose votes depend on whom they can reach
            self._gossip.tell_presence(now)
        for peer in sorted(fresh & self._gossip.links):
            self._gossip.give_latest(peer)

    def _start_again(self, now: float) -> None:
        if self._next_start is not None and self._forming.phase is Phase.OPEN:
            message, self._next_start = self._next_start, None
            self._on_start(message, cast("Start", read(message)), now)
        wants_rematch = self._forming.creates and self._forming.number > 0 and self._forming.is_ready
        if wants_rematch and self._forming.phase is Phase.OPEN and self.ready_to_start:
            self.start(now)

    def _watch_creator(self, there: bool, now: float) -> None:  # noqa: FBT001 - the one question is whether it is there
        self._creator_missing = None if there else (self._creator_missing or now)
        gone_for = 0.0 if self._creator_missing is None else now - self._creator_missing
        if gone_for >= CREATOR_LOST_AFTER and self._forming.phase is Phase.OPEN:
            self._forming.lost_creator()

    def _position(self) -> Place:
        if not isinstance(self.match, Match):
            return Place(bytes(32), 0, 0, 0, 0)
        match, ledger = self.match, self.match.replica.ledger
        follows = match.succession.follows
        place = Place(match.id, ledger.tail, ledger.tail_term, ledger.committed, follows)
        return place._replace(rests=match.rests, suspends=match.suspends)
