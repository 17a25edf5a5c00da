"""One peer in one match: the election, the ledger, the deal and the moves, put together.

The law of this file
--------------------
* Everything goes round in `crank`: store what can be stored, order what can be ordered (as host), acknowledge, commit,
  do what is owed; again, until nothing moves. Inputs only leave something for it to find.
* Acknowledge only what has been verified, and only after everything that could be stored has been.
* What convicts its author is shown to everybody (`Accuse`). A convicted guest is put out by the host, and the hand is
  void. A convicted host, and one that leaves moves lie, is followed no longer: another is voted for. Of two peers
  neither can outvote the other: there the match ends.
* A host is lost when it cannot be heard, and voted on again when a quorum says so; the new one goes on where its ledger
  ends, and everybody repeats what was on its way.
* A peer that is behind asks one that is ahead, in turn, until it is not; a seat whose cards do not come asks the host.
* Of two peers, one that has waited for the other longer than the table's grace time may end the match (`claim`). That
  is no record, for one of two commits nothing: the other hears of it when it is back, and believes as much of it as it
  noticed itself.
* What depends on a clock is not acknowledged before one's own clock agrees, unless so many others hold it already that
  it stands anyway. A host that says somebody is away who can be heard is caught by everybody who hears them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from math import ceil
from typing import Final, cast

from rummy_p2p.deal.breach import CONVICTING as BREACHES
from rummy_p2p.engine import Action, IllegalAction, KnobFailed, ParseError, View, check, read_action
from rummy_p2p.protocol.blind_hand import BlindParty
from rummy_p2p.protocol.codec import pack
from rummy_p2p.protocol.court import Court
from rummy_p2p.protocol.election import SPLIT_PAUSE, VOTE_TIMEOUT, State
from rummy_p2p.protocol.errors import RemoteProtocolError
from rummy_p2p.protocol.events import Declined as WasDeclined
from rummy_p2p.protocol.events import (
    FaultFound,
    HandOver,
    HandVoid,
    Known,
    MatchOver,
    Paused,
    PauseWanted,
    Resumed,
    TableEvent,
)
from rummy_p2p.protocol.faults import Fault, Refusal, say
from rummy_p2p.protocol.followed import Followed
from rummy_p2p.protocol.gossip import Gossip
from rummy_p2p.protocol.hand import SHOW, Duty, HostDealtParty, Job, Party
from rummy_p2p.protocol.host import Host
from rummy_p2p.protocol.identity import Identity
from rummy_p2p.protocol.ledger import Entry
from rummy_p2p.protocol.messages import (
    Accuse,
    Ack,
    Act,
    Ask,
    Away,
    Body,
    Boxed,
    Claim,
    Declined,
    Departure,
    Draft,
    HandOpen,
    HostChange,
    Ordered,
    Payload,
    Records,
    Signed,
    Start,
    Void,
    Vote,
    is_genuine,
    read,
    read_packed,
)
from rummy_p2p.protocol.ordering import TOLERANCE, UNTIMED, Ordering
from rummy_p2p.protocol.proposals import Proposals
from rummy_p2p.protocol.state import Fold, Stage, winners_without
from rummy_p2p.protocol.succession import Succession
from rummy_p2p.protocol.waiting import AWAY_AFTER, GAP_PATIENCE, Absence, Behind, holds_up, other_of_two, pause_for
from rummy_p2p.ruleset import Ruleset

RECORDS_BYTES: Final = 24 * 1024
DOUBTED_FOR: Final = 10.0
UNSURE_FOR: Final = 3.0
A_GAP: Final = 0.01
LEAVE: Final = "leave"


class Match(Followed):
    """A match from its Start on, as one seated peer lives it."""

    def __init__(
        self,
        identity: Identity,
        start: Signed,
        rules: Ruleset,
        gossip: Gossip,
        entropy: Callable[[int], bytes],
        now: float,
        kept: bytes | None = None,
    ) -> None:
        """``start``: the creator's Start, already found to be in order; ``kept``: what an earlier run of this program
        has written down of this match (`take_secrets`).
        """
        super().__init__(identity, start, rules)
        self.events: list[TableEvent] = []
        self.leaving = False
        self.claimed: Signed | None = None
        self._now = now
        self.paused: Paused | None = None
        self._there: frozenset[bytes] = frozenset()
        self.rests = False
        self._wanting: tuple[str, ...] = ()
        self._gossip = gossip
        self._party = _party(self._entries, identity, self.id, entropy, kept)
        self._absence = Absence()
        self._doubted: dict[bytes, float] = {}
        self._ordering = Ordering(now)
        wishes = {entry.peer: entry.wish for entry in self._entries.peers}
        self.succession = Succession(wishes, self.replica, gossip, self._ordering, now, self.events.append)
        self._proposals = Proposals(identity, self.replica.ledger, int.from_bytes(entropy(2), "big"))
        self._has_ordered = False
        self._has_kept = kept is not None
        self._resting: set[str] = set()
        self._court = Court(self.id, gossip)
        self._behind = Behind(self.id, gossip, now)
        election, court = self.succession.election, self._court
        self._host = Host(start, rules, self.replica, election, self._party, self._ordering, court, self._absence)

    # ------------------------------------------------ what is known

    @property
    def grace(self) -> int:
        """For how many seconds somebody who is gone is waited for."""
        return self._ordering.grace

    @grace.setter
    def grace(self, seconds: int) -> None:
        self._ordering.grace = seconds

    @property
    def is_host(self) -> bool:
        """Whether this peer orders."""
        return self.host == self.me

    @property
    def running(self) -> bool:
        """Whether actions are ordered now."""
        return not (self.is_over or self._is_held or self.host is None)

    @property
    def _is_held(self) -> bool:
        """Whether nobody may move. For a player who is merely out of reach only that player's turn waits, and whatever
        cannot be done without all.
        """
        return holds_up(self.paused, self.replica.committed, self._there)

    @property
    def own_seats(self) -> tuple[int, ...]:
        """The seats of this peer."""
        return tuple(seat.number for seat in self.seats if seat.owner == self.me)

    def view(self, seat: int) -> View:
        """What an own seat sees; Refusal for another's, or when no cards are dealt."""
        if seat not in self.own_seats:
            raise Refusal("not-your-seat")
        return self._party.view(self.replica.committed, seat)

    def may_think(self, seat: int) -> bool:
        """Whether an own seat may move: cards known, nothing on its way, the hand in play, the table not paused."""
        hand = self.replica.committed.hand
        if hand is None or hand.phase in UNTIMED or self.leaving or not self.running or seat not in self.own_seats:
            return False
        return self._party.knows_hand(self.replica.committed, seat) and f"act {seat}" not in self._proposals

    def wake_at(self, now: float) -> float:
        """When to call `tick` at the latest."""
        times = [now + VOTE_TIMEOUT]
        if self._ordering.waits and self._ordering.window_until > now:
            times.append(self._ordering.window_until)
        if (ends := self._ordering.turn_ends(self.replica.committed)) is not None:
            times.append(max(now, ends))
        if self._proposals or self._behind.misses_something:
            times.append(now + GAP_PATIENCE)
        if self.succession.election.state is State.VOTING:
            times.append(now + SPLIT_PAUSE)
        return min(times)

    # ------------------------------------------------ what the player does

    def open(self, now: float) -> None:
        """Begin with this peer's vote."""
        self.succession.open(now)

    def restore(self, votes: Iterable[Signed], records: Iterable[Signed], committed: int) -> None:
        """Before `open`: take up what an earlier run of this program has written down; nobody is told of it again."""
        self.succession.restore(votes, self._now)
        for entry, step in self.replica.restore(records, committed):
            self._party.follow(step, entry.seq)
        if self.is_host:  # the own cards are learnt with them; the others ask for theirs
            list(self._party.boxes(self.replica.committed))
        self._party.take_fresh()
        self.replica.truncated = None
        self._absence.was_down(self.peers, self._now)
        self._has_ordered = True  # what it had ordered was on the disk before it was sent

    def take_votes(self) -> tuple[Signed, ...]:
        """Take the own votes that are not on the disk yet."""
        return self.succession.take_votes()

    def act(self, seat: int, move: str | Action, now: float) -> None:
        """Check a move of an own seat and propose it; IllegalAction or Refusal, and nothing has happened."""
        if self.is_over or self.leaving:
            raise Refusal("no-match")
        view = self.view(seat)
        if f"act {seat}" in self._proposals:
            raise Refusal("action-pending")
        action = _read(move, view)
        with suppress(KnobFailed):  # the host will see it fail as well, and void the hand for all
            check(view, action)
        self._propose(f"act {seat}", self._party.move(self.replica.committed, view, action), now)

    def take_jobs(self) -> list[Job]:
        """Take work that may be done elsewhere; `crank` when it has been finished."""
        return self._party.take_jobs()

    def take_secrets(self) -> bytes | None:
        """Take what has to be on the disk before anything is sent: empty when it is of no more use."""
        if self.is_over:
            kept, self._has_kept = self._has_kept, False
            return b"" if kept else None
        secrets = self._party.take_secrets()
        self._has_kept |= secrets is not None
        return secrets

    def claim(self, now: float) -> None:
        """Of two peers: end the match because the other has been gone for too long; Refusal says what is missing."""
        fold, ledger = self.replica.committed, self.replica.ledger
        other = other_of_two(ledger.voters, self.me)
        if other is None:
            raise Refusal("no-claim")
        name, waited = self._name(other), self._absence.lasts(other, now)
        if not waited:
            raise Refusal("nobody-gone", player=name, grace=self.grace)
        if waited < self.grace:
            raise Refusal("grace-left", player=name, left=ceil(self.grace - waited))
        said = Claim(match=self.id, seq=ledger.committed, head=ledger.committed_head, waited=int(waited))
        self.claimed = self._gossip.say(said)
        self._give_up_waiting(other, fold)

    def claim_opens(self, now: float) -> float | None:
        """In how many seconds the match could be claimed, 0 when it can; None when nobody is waited for in this way."""
        other = other_of_two(self.replica.ledger.voters, self.me)
        if other is None or self.is_over or not self._absence.lasts(other, now):
            return None
        return max(0.0, self.grace - self._absence.lasts(other, now))

    def _give_up_waiting(self, other: bytes, fold: Fold) -> None:
        words: dict[str, int | str] = {"player": self._name(other), "winner": self._name(self.me)}
        words["grace"] = self.grace
        self._stop("claimed", say("claimed", words), self._winners(fold, other, self.me))

    def _on_claim(self, author: bytes, now: float) -> None:
        """The other one of two has waited for this peer for too long. Of its word no more is believed than was seen."""
        fold, ledger = self.replica.committed, self.replica.ledger
        if self.is_over or author == self.me or other_of_two(ledger.voters, self.me) != author:
            return
        noticed = self._absence.has_missed(author, now, self.grace - TOLERANCE)
        words: dict[str, int | str] = {"player": self._name(self.me), "winner": self._name(author)}
        words["grace"] = self.grace
        code = "claimed" if noticed else "claim-doubted"
        self._stop(code, say(code, words), self._winners(fold, self.me, author) if noticed else ())

    def _winners(self, fold: Fold, lost: bytes, winner: bytes) -> tuple[int, ...]:
        """Who has won by a claim; before the first record the claimant itself."""
        first = next(seat.number for seat in self.seats if seat.owner == winner)
        return winners_without(fold, lost, winner) or (first,)

    def _name(self, peer: bytes) -> str:
        return next(seat.name for seat in self.seats if seat.owner == peer)

    def leave(self, now: float) -> None:
        """Give up the seats in the middle of the match."""
        self.leaving = True
        if not self.is_over:
            self._propose(LEAVE, Departure(), now)

    # ------------------------------------------------ what the others say

    def rest(self, *, wanted: bool, now: float) -> None:
        """Say that this player would like a pause, or no longer; the table pauses while all who are here want it."""
        if self.is_over:
            raise Refusal("no-match-to-pause")
        self.rests = wanted
        self._gossip.tell_presence(now)

    def receive(self, message: Signed, payload: Payload, now: float) -> None:
        """Handle what belongs to this match; whatever else is left alone."""
        if getattr(payload, "match", None) != self.id:
            return
        self._now = now
        try:
            self._receive(message, payload, now)
        except Fault as fault:
            self.blame(fault)

    def _receive(self, message: Signed, payload: Payload, now: float) -> None:
        author = message.author
        if isinstance(payload, Ask) and (author in self.peers or author in self._gossip.audience):
            self._on_ask(author, payload)
        elif author not in self.peers:
            return
        elif isinstance(payload, Records):
            self._on_records(payload, now)
        elif isinstance(payload, Vote):
            self.succession.election.receive(message, payload)
        elif isinstance(payload, Draft):
            self._on_draft(message, payload)
        elif isinstance(payload, Ordered):
            self.replica.receive(message, payload)
        elif isinstance(payload, Ack):
            self._on_ack(message, payload)
        else:
            self._receive_more(author, payload)

    def _receive_more(self, author: bytes, payload: Payload) -> None:
        if isinstance(payload, Boxed) and author == self.host:
            self._party.receive_box(payload, author)
        elif isinstance(payload, Declined) and author == self.host and payload.author == self.me:
            self._on_declined(payload)
        elif isinstance(payload, Accuse):
            self._court.file(payload)
            self._hear_accusations()
        elif isinstance(payload, Claim):
            self._on_claim(author, self._now)

    def greet(self, peer: bytes) -> None:
        """A link stands: repeat what is on its way."""
        for message in self._proposals.messages() if peer in self.peers else ():
            self._gossip.send(message, peer)

    def _on_draft(self, message: Signed, draft: Draft) -> None:
        """Everybody notes what is asked for: the host orders it, and whoever may be host next remembers it."""
        self.replica.ledger.note(message, draft)
        if not self.replica.ledger.has(message.author, draft.number):
            self._ordering.file(message, draft, self._now)

    def _on_ack(self, message: Signed, ack: Ack) -> None:
        """Who acknowledges another record is shown the one that is here: the two convict their host."""
        ledger = self.replica.ledger
        ledger.acknowledge(message, ack)
        if ledger.differs(ack):
            ours = (pack(ledger.entries[ack.seq - 1].record),)
            self._gossip.say(Records(match=self.id, to=message.author, number=ack.seq, records=ours), message.author)

    def _on_records(self, payload: Records, now: float) -> None:
        if payload.to != self.me:
            return
        before = self.replica.known
        for packed in payload.records:
            try:
                record = read_packed(packed)
                ordered = read(record)
            except RemoteProtocolError:
                return
            if not isinstance(ordered, Ordered) or not is_genuine(record):
                return
            try:
                self.replica.receive(record, ordered)
            except Fault as fault:
                self.blame(fault)
        if self.replica.known > before:  # else what is missing is held back here, and asking again brings the same
            self._behind.answered(now)

    def _on_ask(self, author: bytes, ask: Ask) -> None:
        if ask.to != self.me:
            return
        records = self.replica.records_after(ask.seq, RECORDS_BYTES)
        if records:
            self._gossip.say(Records(match=self.id, to=author, number=ask.number, records=records), author)
        if ask.boxes and self.is_host:
            for boxed in self._party.boxes_again(self.replica.committed, author):
                self._gossip.say(boxed, author)

    def _on_declined(self, payload: Declined) -> None:
        self._declined(payload.number, payload.code, payload.knob, payload.parameters)

    def _declined(self, number: int, code: str, knob: str, parameters: dict[str, int | str]) -> None:
        """A move comes back to its player; a duty rests until something has changed, or it would be made for ever.

        A host whose own duty cannot stand although nothing is under way cannot go on: it is told why. One that it took
        on before the last record, such as that somebody is away, was overtaken: if it is still owed it is made anew.
        """
        proposal = self._proposals.settle(number)
        if proposal is None:
            return
        body = proposal.draft.body
        if isinstance(body, Act) and body.move != str(SHOW):
            self.events.append(WasDeclined(body.seat, body.move, code, knob, parameters))
        else:
            ledger = self.replica.ledger
            is_idle = self.is_host and ledger.tail == ledger.committed
            if is_idle and proposal.draft.head != ledger.committed_head:
                return
            self._resting.add(proposal.key)
            if is_idle:
                self.blame(Fault(code, self.me, (), **parameters))

    # ------------------------------------------------ going round

    def crank(self, now: float) -> None:
        """Do everything that can be done now."""
        self._watch(now)
        self._elect(now)
        while self._step(now):
            pass
        self._retry(now)
        self._catch_up(now)

    def _step(self, now: float) -> bool:
        if self.stopped:
            return False
        try:
            moved = self._store(now) or self._order(now) or self._acknowledge() or self._commit(now)
            self._party.open_boxes()
            self._party.certify(self.replica.certified(), now)
            self._tell_known()
            return moved or self._do_duties(now)
        except Fault as fault:
            self.blame(fault)
            return True

    def _elect(self, now: float) -> None:
        """Follow whoever is host now."""
        if self.succession.look(now, running=self.running):
            self._follow_new_host(now)

    def _follow_new_host(self, now: float) -> None:
        """Everybody repeats what is on its way; who has won in a new term has ordered nothing in it before."""
        self._has_ordered = self.succession.has_won_here
        self._proposals.restart(now)
        for proposal in self._proposals.all():
            self._ordering.file(proposal.message, proposal.draft, now)
            self._gossip.send(proposal.message)

    def _store(self, now: float) -> bool:
        before = self.replica.tail
        if not self.replica.store(lambda entry: self._is_early(before, entry, now)):
            return False
        self._ordering.track(before, self.replica.last_step, now)
        self._ordering.forget(self.replica.ledger.entries[-1].draft_message.digest)
        return True

    def _is_early(self, before: Fold, entry: Entry, now: float) -> bool:
        """Whether a record has to wait for this peer's own clock, or for its own eyes; not when it stands anyway."""
        body, least = entry.body, AWAY_AFTER - TOLERANCE
        hears = isinstance(body, Away) and not self._absence.was_lost(self._other(entry, body), now, least)
        if not hears and not self._ordering.is_early(before, entry, now):
            return False
        ledger = self.replica.ledger
        ahead = set(self._gossip.ahead(self.id, ledger.tail)) & set(ledger.voters) - {entry.host, self.me}
        if self.replica.is_backed(entry) or len(ahead) >= ledger.quorum - 1:
            return False
        return not hears or self._doubts(entry, now)

    def _doubts(self, entry: Entry, now: float) -> bool:
        """Whether to go on waiting, although this peer hears whoever is said to be away. Fault when that lasts.

        Where there was a gap here as well, be it a short one, both may be right: then it stands after a while. Who is
        wrongly said to be away says so at once.
        """
        since = self._doubted.setdefault(entry.hash, now)
        if self._absence.was_lost(self._other(entry, cast("Away", entry.body)), since, A_GAP):
            return now - since < UNSURE_FOR
        if now - since >= DOUBTED_FOR:
            raise Fault("false-away", entry.host, (entry.record,))
        return True

    def _other(self, entry: Entry, away: Away) -> bytes:
        """Whom this peer must have lost for an Away to be true: the peer itself, or the host that cannot reach us."""
        return entry.host if away.peer == self.me else away.peer

    def _order(self, now: float) -> bool:
        if not self._may_order():
            return False
        before = self.replica.tail
        filed = self._ordering.next_due(before, now, self._only())
        if filed is None:
            return False
        message, draft = filed
        try:
            record = self.replica.order(message, draft)
        except KnobFailed:
            self._propose("void", Void(code="knob-failed", evidence=(pack(message),)), now)
        except IllegalAction as error:
            self._decline(message, draft, error.code, error.knob, _plain(error.parameters))
        except Fault as fault:
            self._turn_down(message, draft, fault, now)
        else:
            self._has_ordered = True
            self._ordering.track(before, self.replica.last_step, now)
            self._gossip.send(record, kind=Ordered)
        return True

    def _only(self) -> type[Body] | None:
        """The one kind of record that can be ordered now, when it is one: a term begins with the votes for its host."""
        ledger = self.replica.ledger
        if ledger.tail and ledger.tail_term < ledger.term:
            return HostChange
        return Away if self._is_held else None

    def _may_order(self) -> bool:
        """A host that was restarted first gets back what it had ordered: never two records for one place."""
        stands = self.paused is None or self.paused.code == "player-lost"
        if not self.is_host or self.is_over or not stands:
            return False
        return self._has_ordered or not self._gossip.ahead(self.id, self.replica.ledger.tail)

    def _turn_down(self, message: Signed, draft: Draft, fault: Fault, now: float) -> None:
        """A draft that cannot be ordered: proof of a fault, overtaken (its author knows), or simply declined."""
        if fault.evidence:
            raise fault
        if fault.code in BREACHES and fault.culprit not in (None, self.me):
            self._propose(f"void {message.digest.hex()}", Void(code=fault.code, evidence=(pack(message),)), now)
            return
        is_of_old = isinstance(draft.body, HostChange) and draft.body.term < self.replica.ledger.term
        if fault.code != "stale-number" and not is_of_old:  # who is host once more may have an opening left over
            self._decline(message, draft, fault.code, "", dict(fault.parameters))

    def _decline(self, message: Signed, draft: Draft, code: str, knob: str, parameters: dict[str, int | str]) -> None:
        if message.author == self.me:
            self._declined(draft.number, code, knob, parameters)
            return
        declined = Declined(
            match=self.id, author=message.author, number=draft.number, code=code, knob=knob, parameters=parameters
        )
        self._gossip.say(declined, message.author)

    def _acknowledge(self) -> bool:
        ack = self.replica.acknowledge(self.succession.election.term)
        if ack is None:
            return False
        self.replica.ledger.acknowledge(self._gossip.say(ack), ack)
        return True

    def _commit(self, now: float) -> bool:
        fresh = self.replica.commit()
        for entry, step in fresh:
            if entry.author == self.me:
                self._proposals.settle(entry.draft.number)
            self._party.follow(step, entry.seq)
            self.events += step.events
            if any(isinstance(event, HandOver | HandVoid | MatchOver) for event in step.events):
                self._drop_proposals(now)
            for boxed in self._party.boxes(step.fold):
                self._gossip.say(boxed, boxed.to)
        if fresh:
            self._resting.clear()
            self._hear_accusations()
        return bool(fresh)

    def _drop_proposals(self, now: float) -> None:
        """The hand is over: what was proposed for it is moot."""
        self._ordering.clear()
        keys = {proposal.key for proposal in self._proposals.take_all()}
        if LEAVE in keys and not self.is_over:
            self._propose(LEAVE, Departure(), now)

    def _tell_known(self) -> None:
        self.events += [Known(seat) for seat in self._party.take_fresh()]
        for fault in self._party.take_alarms():
            self.blame(fault)

    # ------------------------------------------------ proposing

    def _propose(self, key: str, body: Body, now: float) -> None:
        fold = self.replica.committed
        place = (body.hand, body.epoch) if isinstance(body, HandOpen) else (fold.number, fold.epoch)
        proposal = self._proposals.make(key, body, place, now)
        self._ordering.file(proposal.message, proposal.draft, now)
        if not self.is_host:
            self._gossip.send(proposal.message)

    def _do_duties(self, now: float) -> bool:
        if self.is_over or self.leaving or self.host is None:
            return False
        done = {*self._proposals.keys(), *self._resting}
        owed = [(key, body) for key, body in self._owed(now) if key not in done]
        for key, body in owed:
            self._propose(key, body, now)
        return bool(owed)

    def _owed(self, now: float) -> Iterator[Duty]:
        ledger = self.replica.ledger
        if self.is_host and ledger.tail and ledger.tail_term < ledger.term:
            yield from self._host.takes_over()
            return
        if self.replica.committed.stage in {Stage.EMPTY, Stage.ROSTER}:
            yield from self._host.opening() if self.is_host else ()
            return
        yield from self._party.duties(self.replica.committed)
        if self.is_host and self.running:
            yield from self._host.overdue(now)
            yield from self._host.sentences()
        elif self._may_order():
            yield from self._host.absent(now)

    def _retry(self, now: float) -> None:
        """Make those proposals again that were overtaken or got lost."""
        if not self.running:
            return
        window = self.rules.claim.window_ms / 1000
        for proposal in self._proposals.take_lost(now, window):
            body = proposal.draft.body
            if isinstance(body, Departure):
                self._propose(LEAVE, body, now)
            elif isinstance(body, Act) and body.move != str(SHOW):
                self._act_again(body, now)

    def _act_again(self, body: Act, now: float) -> None:
        try:
            self.act(body.seat, body.move, now)
        except IllegalAction as error:
            self.events.append(WasDeclined(body.seat, body.move, error.code, error.knob, _plain(error.parameters)))
        except Refusal as error:
            self.events.append(WasDeclined(body.seat, body.move, error.code, "", {}))

    # ------------------------------------------------ faults

    def blame(self, fault: Fault) -> None:
        """Somebody broke the rules of the table: tell the player, show the proof, draw the consequence."""
        if self._court.report(fault):
            self._condemn(fault)

    def _condemn(self, fault: Fault) -> None:
        self.events.append(FaultFound(fault.code, str(fault), fault.culprit))
        if fault.culprit is None or fault.culprit != self.host or self.is_over:
            return
        self.succession.convict(fault.culprit)
        if not self.succession.can_depose:
            self._stop("host-convicted", say("host-convicted", {"sentence": str(fault)}))

    def _stop(self, code: str, sentence: str, winners: tuple[int, ...] = ()) -> None:
        self.stopped = True
        self.events.append(MatchOver(self.replica.committed.scores, winners, code, sentence))

    def _hear_accusations(self) -> None:
        for fault in self._court.hear(self.replica.committed.deck):
            self._condemn(fault)

    # ------------------------------------------------ who is there, who is behind

    def _watch(self, now: float) -> None:
        """Pause while somebody is missing, and go on when all are back."""
        if self.is_over:
            self.paused = None
            return
        there = self._gossip.present(now) | self._ordering.leavers - {self.host or b""}
        self._there = there
        self._absence.look(self.peers, there, now)
        away = self.replica.committed.away
        reason = pause_for(self.replica.ledger, there, self.seats, away)
        if reason is None or reason.code == "player-lost":
            reason = self._agreed_pause(there - away) or reason
        if reason == self.paused:
            return
        if reason is None:
            self._ordering.restart(now)
            self._proposals.restart(now)
        self.events.append(reason or Resumed())
        self.paused = reason

    def _agreed_pause(self, there: frozenset[bytes]) -> Paused | None:
        """The pause that all who are here want: programs with bots alone want what the others want."""
        people = {seat.owner for seat in self.seats if not seat.bot} & there & set(self.replica.ledger.voters)
        resting = people & self._gossip.resting(self.id)
        resting = (resting | ({self.me} & people)) if self.rests else resting - {self.me}
        names = tuple(seat.name for seat in self.seats if seat.owner in resting and not seat.bot)
        agreed = bool(resting) and resting == people
        if names != self._wanting and not agreed:
            self.events.append(PauseWanted(names))
        self._wanting = names
        return Paused("agreed", say("agreed"), names) if agreed else None

    def _catch_up(self, now: float) -> None:
        fold = self.replica.committed
        boxless = self.running and not fold.is_blind and not self._knows_its_cards(fold)
        gap = self.replica.has_gap
        if gap and self.replica.is_forked and not self.is_over:
            self._stop("forked", say("forked"))
        ledger = self.replica.ledger
        self._behind.look(ledger.tail, ledger.committed, now, gap=gap, boxless=boxless, host=self.host)

    def _knows_its_cards(self, fold: Fold) -> bool:
        seats = [] if fold.hand is None else [seat for seat in self.own_seats if fold.hand.hands[seat]]
        return all(self._party.knows_hand(fold, seat) for seat in seats)


def _party(
    start: Start, identity: Identity, match: bytes, entropy: Callable[[int], bytes], kept: bytes | None
) -> Party:
    if start.deal == "blind":
        return BlindParty(identity, match, entropy, kept)
    return HostDealtParty(identity, match, entropy, kept)


def _read(move: str | Action, view: View) -> Action:
    """A move as typed or as a bot made it; IllegalAction parse-error when it is none."""
    if isinstance(move, Action):
        return move
    try:
        return read_action(move, view)
    except ParseError as error:
        raise IllegalAction("parse-error", wanted=error.wanted) from error


def _plain(parameters: dict[str, object]) -> dict[str, int | str]:
    """What a refusal says, in the types that go over the wire: a truth value is a number there."""
    return {name: int(value) if isinstance(value, int) else str(value)[:240] for name, value in parameters.items()}
