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

The parts: `gossip` (who can be reached, what was said), `forming` (seats), `election`, `match` (one match), `watching`
(one match, seen from outside).
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, TypeAlias, cast

from rummy_p2p.deal.keys import quorum
from rummy_p2p.engine import Action, View, public_view
from rummy_p2p.protocol.audience import Audience
from rummy_p2p.protocol.errors import RemoteProtocolError
from rummy_p2p.protocol.events import Chatted, FaultFound, MatchStarted, TableEvent, Voted
from rummy_p2p.protocol.faults import Fault, Refusal
from rummy_p2p.protocol.forming import Forming, Guest, Phase
from rummy_p2p.protocol.gossip import Gossip, Outgoing, Place
from rummy_p2p.protocol.hand import Job
from rummy_p2p.protocol.identity import Identity
from rummy_p2p.protocol.ledger import Ledger
from rummy_p2p.protocol.match import Match
from rummy_p2p.protocol.messages import (
    GRACE,
    MAY_TALK,
    PROTOCOL_VERSION,
    Aside,
    Ask,
    Ballot,
    DealKind,
    Join,
    Measure,
    Payload,
    PluginMark,
    Say,
    Signed,
    Spectators,
    Start,
    TableInfo,
    Trust,
    Watch,
    match_id,
    read,
    read_packed,
    read_table,
    sign,
    table_id,
)
from rummy_p2p.protocol.moderation import Moderation
from rummy_p2p.protocol.roster import Seat
from rummy_p2p.protocol.state import Fold
from rummy_p2p.protocol.text import CHAT_LIMIT, NICK_LIMIT, TITLE_LIMIT, clean
from rummy_p2p.protocol.watching import Door, WatchedMatch
from rummy_p2p.ruleset import Ruleset

CREATOR_LOST_AFTER: Final = 5.0
EARLY_KEPT: Final = 256
RESUMED_REVISION: Final = 1 << 20


Recall: TypeAlias = Callable[[bytes], bytes | None]


def _nothing_kept(match: bytes) -> None:
    """Nothing is on the disk."""
    del match


@dataclass(frozen=True, slots=True)
class Unsaved:
    """What is to be written down of a match before anything is sent: the table as its creator told of it, the start,
    records behind the first ``kept`` ones, own votes, and how far all is committed.
    """

    match: bytes
    info: Signed
    start: Signed
    kept: int
    records: tuple[Signed, ...]
    votes: tuple[Signed, ...]
    committed: int


@dataclass(frozen=True, slots=True)
class Saved:
    """What was written down of a match, put together again."""

    info: Signed
    start: Signed
    records: tuple[Signed, ...]
    votes: tuple[Signed, ...]
    committed: int


@dataclass(frozen=True, slots=True)
class Disk:
    """What a session finds on the disk: secrets of a match, and a match that is to be resumed."""

    recall: Recall = _nothing_kept
    saved: Saved | None = None


@dataclass(frozen=True, slots=True)
class Settings:
    """What the creator decides: title, number of seats, hands of a match (0: until it is over), plugins to compare,
    who knows the deck (``deal``), how many of the peers together could look (``trust``), the password (empty: none),
    whether others may look on (``spectators``; nobody at a table with a password), and for how many seconds somebody
    who is gone is waited for (``grace``).
    """

    title: str
    seats: int
    hands: int = 0
    plugins: tuple[tuple[str, str], ...] = ()
    deal: DealKind = "host"
    trust: Trust = "quorum"
    password: str = ""
    spectators: Spectators = "yes"
    grace: int = GRACE


class TableSession:
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
        info = read_table(info_message)
        if info is None:
            raise Fault("bad-signature", info_message.author)
        self.me = identity.player_id
        self.info = info
        self.creator = info_message.author
        self.rules = rules
        self.match: Match | WatchedMatch | None = None
        self._identity = identity
        self._entropy = entropy
        self._recall = disk.recall
        run = entropy(32)
        self._gossip = Gossip(identity, info.table, run)
        self._gossip.known |= {self.creator}
        self._gossip.looks_on = guest.watches
        self._forming = Forming(self.me, self.creator, info, rules, guest, run)
        self._audience = Audience(info, self._gossip)
        self._door = Door(self._gossip, info, self._forming.guest.nick, entropy(32))
        self._events: list[TableEvent] = []
        self._early: list[tuple[Signed, Payload]] = []
        self._next_start: Signed | None = None
        self._chats = 0
        self._saved = self._saved_commit = 0
        self._info_message = info_message
        self._moderation = Moderation()
        self._run = run
        self._ballots = 0
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
        recall: Recall = _nothing_kept,
    ) -> TableSession:
        """Open a table with these rules; Refusal for a number of seats that the game is not for.

        ``recall``: what `secrets` has given for a match, from the disk; None when there is nothing.
        """
        if not rules.players.min <= settings.seats <= rules.players.max:
            raise Refusal("too-few-seated", least=rules.players.min, seated=settings.seats)
        nonce = entropy(32)
        info = TableInfo(
            table=table_id(identity.player_id, nonce),
            nonce=nonce,
            version=PROTOCOL_VERSION,
            title=clean(settings.title, TITLE_LIMIT) or rules.game,
            rules=rules.canonical(),
            fingerprint=bytes.fromhex(rules.fingerprint),
            plugins=tuple(PluginMark(name=name, version=version) for name, version in settings.plugins),
            seats=settings.seats,
            deal=settings.deal,
            trust=settings.trust,
            hands=settings.hands,
            closed=bool(settings.password),
            spectators="no" if settings.password else settings.spectators,
            grace=settings.grace,
        )
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
        recall: Recall = _nothing_kept,
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
        recall: Recall = _nothing_kept,
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
        recall: Recall = _nothing_kept,
    ) -> TableSession:
        """Look on at the table that ``info`` tells of, without a seat, through whichever of its peers has a link."""
        return cls(identity, info, rules, Guest(nick, watches=True), entropy, now, Disk(recall))

    # ------------------------------------------------ the state, for the screen and for bots

    @property
    def offer(self) -> Signed:
        """The table's info as its creator has signed it."""
        return self._info_message

    @property
    def rests(self) -> bool:
        """Whether this player would like a pause."""
        return isinstance(self.match, Match) and self.match.rests

    @property
    def watches(self) -> bool:
        """Whether this peer looks on without a seat."""
        return self._gossip.looks_on

    @property
    def opener(self) -> str:
        """How the player is called who opened the table; nothing as long as nobody has told who sits there."""
        return next((seat.name for seat in self.seats if seat.owner == self.creator), "")

    @property
    def wants_seat(self) -> bool:
        """Whether this peer has asked for a seat; who looks on gets one when no match is played."""
        return self._forming.wants_seat

    @property
    def let_in(self) -> bool:
        """Whether somebody lets this peer look on."""
        return bool(self._door.open)

    @property
    def audience(self) -> frozenset[bytes]:
        """Who looks on through this peer."""
        return self._audience.peers

    def watching(self, now: float) -> int:
        """How many look on at this table."""
        return self._gossip.watching(now)

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Who sits where: in the match while one is played, else at the table."""
        in_match = self.match is not None and self._forming.phase is Phase.PLAYING
        return self.match.seats if self.match is not None and in_match else self._forming.seats

    @property
    def phase(self) -> Phase:
        """Whether seats are taken, a match is played, or the table is closed."""
        return self._forming.phase

    @property
    def own_seats(self) -> tuple[int, ...]:
        """The seats of this peer."""
        return tuple(seat.number for seat in self.seats if seat.owner == self.me)

    @property
    def ready_to_start(self) -> bool:
        """Whether the creator could start now."""
        try:
            self._forming.make_start(bytes(32))
        except Refusal:
            return False
        return True

    @property
    def fold(self) -> Fold | None:
        """The committed state of the match."""
        return self.match.replica.committed if self.match else None

    @property
    def ledger(self) -> Ledger | None:
        """The ledger of the match: of the one being played, else of the last."""
        return self.match.replica.ledger if self.match else None

    @property
    def host(self) -> bytes | None:
        """Who orders the actions."""
        return self.match.host if self.match else None

    @property
    def paused(self) -> bool:
        """Whether the table waits for somebody."""
        return self.match is not None and self.match.paused is not None

    def name_of(self, peer: bytes) -> str:
        """A peer's name on the screen: that of its own seat."""
        other = self._forming.guest.nick if self.watches and peer == self.me else peer.hex()[:6]
        return next((seat.name for seat in self.seats if seat.owner == peer), other)

    def _speaker(self, peer: bytes, guest: int) -> str:
        """Who speaks: a peer's player, or a guest at its program."""
        guests = (seat.name for seat in self.seats if guest and (seat.owner, seat.guest) == (peer, guest))
        return next(guests, "") or self.name_of(peer)

    def view(self, seat: int) -> View:
        """What an own seat sees; Refusal for another's, or when no cards are dealt."""
        if self.match is None:
            raise Refusal("no-match")
        return self.match.view(seat)

    def public_view(self) -> View:
        """What everybody can see, and nobody else's cards; Refusal when no cards are dealt."""
        if self.fold is None or self.fold.hand is None:
            raise Refusal("no-match" if self.fold is None else "no-hand")
        return public_view(self.fold.hand)

    def seats_to_think(self) -> tuple[int, ...]:
        """Own seats that could make a move as far as their program is concerned: cards known, nothing on its way."""
        return tuple(seat for seat in self.own_seats if self.match and self.match.may_think(seat))

    def wake_at(self, now: float) -> float:
        """When to call `tick` at the latest."""
        times = [self._gossip.presence_due]
        if self.match is not None:
            times.append(self.match.wake_at(now))
        return max(now, min(times))

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
        taken, self._events = self._events, []
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
        return Unsaved(self.match.id, self._info_message, self.match.start, kept, records, votes, committed)

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

    def claim_opens(self, now: float) -> float | None:
        """In how many seconds the match can be claimed, 0 when it can; None when nobody is waited for in this way."""
        return self.match.claim_opens(now) if isinstance(self.match, Match) else None

    def sit(self, now: float) -> None:
        """Who looks on asks for a seat: it is given as soon as no match is played."""
        self._forming.want_seat(now)
        self._crank(now)

    def chat(self, text: str, now: float, seat: int = 0) -> None:
        """Say something to everybody; ``seat``: the guest of this program who says it. Who looks on says it through one
        of those who play.
        """
        said = clean(text, CHAT_LIMIT)
        if not said:
            return
        if self._moderation.holds("mute", self.me):
            raise Refusal("muted-by-vote")
        to = self._who_passes_on() if self.watches else None
        self._chats += 1
        self._gossip.say(Say(table=self.info.table, number=self._chats, text=said, seat=seat), to)
        self._events.append(Chatted(self.me, self._speaker(self.me, seat), said, self.watches))
        self._crank(now)

    def _who_passes_on(self) -> bytes:
        """Through whom one chats who looks on; Refusal when there is nobody, or the table wants to hear nothing."""
        if self.info.spectators not in MAY_TALK:
            raise Refusal("quiet-table")
        if not self._door.open:
            raise Refusal("not-let-in")
        return min(self._door.open)

    def vote(self, measure: Measure, name: str, now: float, *, agree: bool = True) -> None:
        """Vote to mute somebody or to take somebody's seat, or against it; Refusal where that is not to be voted."""
        seat = next((seat for seat in self.seats if seat.name.casefold() == name.casefold()), None)
        if seat is None or seat.owner == self.me or not self.own_seats:
            raise Refusal("no-vote-about", name=clean(name, NICK_LIMIT))
        if seat.guest:
            raise Refusal("guest-of", name=seat.name, owner=self.name_of(seat.owner))
        if measure == "kick" and seat.owner == self.creator:
            raise Refusal("not-the-creator")
        self._ballots += 1
        ballot = Ballot(
            table=self.info.table,
            run=self._run,
            number=self._ballots,
            measure=measure,
            about=seat.owner,
            agree=agree,
        )
        self._gossip.say(ballot)
        self._on_ballot(self.me, ballot)
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
            if payload.table == self.info.table:
                self._on_ballot(message.author, payload)
        elif isinstance(payload, Watch):
            if self.own_seats and isinstance(self.match, Match | None):
                self._audience.receive(message.author, payload, self.match, now)
        elif isinstance(payload, Say | Aside):
            self._on_chat(message, payload)
        elif self.watches and (told := self._door.receive(message.author, payload)) is not None:
            self._events.append(told)
        elif self.match is not None and getattr(payload, "match", None) == self.match.id:
            self.match.receive(message, payload, now)
        elif hasattr(payload, "match"):
            self._early = [*self._early[-EARLY_KEPT:], (message, payload)]

    def _on_ballot(self, author: bytes, ballot: Ballot) -> None:
        count = self._moderation.cast(author, ballot, {seat.owner for seat in self.seats})
        if count is None or (ballot.measure == "kick" and ballot.about == self.creator):
            return
        self._events.append(
            Voted(
                self.name_of(author),
                ballot.measure,
                self.name_of(ballot.about),
                ballot.agree,
                count.votes,
                count.needed,
                count.decided,
            )
        )
        if ballot.measure == "kick":
            out = self._moderation.holds("kick", ballot.about)
            (self._forming.voted_out.add if out else self._forming.voted_out.discard)(ballot.about)
            self._forming.put_out()

    def _on_chat(self, message: Signed, payload: Say | Aside) -> None:
        """Hear those who have a seat, and whom they let speak."""
        author = message.author
        if payload.table != self.info.table or author not in self._gossip.known:
            return
        if self._moderation.holds("mute", author):
            return
        if isinstance(payload, Say):
            self._events.append(Chatted(author, self._speaker(author, payload.seat), payload.text))
            return
        if self.info.spectators not in MAY_TALK:
            return
        with suppress(RemoteProtocolError):
            inner = read_packed(payload.said)
            said = read(inner)
            if isinstance(said, Say) and said.table == self.info.table and inner.author != self.me:
                self._events.append(Chatted(inner.author, payload.nick, said.text, watches=True))

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
        ledger = self.match.replica.ledger
        match = self.match
        return Place(match.id, ledger.tail, ledger.tail_term, ledger.committed, match.succession.follows, match.rests)
