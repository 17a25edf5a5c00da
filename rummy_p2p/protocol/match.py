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
* What only the own clock and the own eyes can tell of a record is the matter of `witness`, when the table waits that of
  `pausing`, and how one of two may end the match that of `forfeit`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from rummy_p2p.deal.breach import CONVICTING as BREACHES
from rummy_p2p.engine import IllegalAction, KnobFailed
from rummy_p2p.protocol.codec import pack
from rummy_p2p.protocol.errors import RemoteProtocolError
from rummy_p2p.protocol.events import Declined as WasDeclined
from rummy_p2p.protocol.events import (
    FaultFound,
    HandOver,
    HandVoid,
    Known,
    MatchOver,
)
from rummy_p2p.protocol.faults import Fault, say
from rummy_p2p.protocol.hand import SHOW, Duty
from rummy_p2p.protocol.messages import (
    Accuse,
    Ack,
    Ask,
    Boxed,
    Claim,
    Declined,
    Draft,
    Ordered,
    Payload,
    Records,
    Signed,
    Vote,
    read,
    read_packed,
)
from rummy_p2p.protocol.records import Act, Away, Body, HostChange, Void
from rummy_p2p.protocol.seated import Seated, plain
from rummy_p2p.protocol.state import Fold, Stage

RECORDS_BYTES: Final = 24 * 1024
JUST_BACK: Final = 2.0  # for how long who comes back need not be told of whom it has not found yet


class Match(Seated):
    """A match from its Start on, as one seated peer lives it."""

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
        self._absence.awaited.discard(self.me)
        self._back_since = self._now

    # ------------------------------------------------ what the others say

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
            self._on_claim(author)

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
            if not isinstance(ordered, Ordered):
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

    def _on_claim(self, author: bytes) -> None:
        ending = None if self.is_over else self._forfeit.hear(author, self._now)
        if ending is not None:
            self._stop(*ending)

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
        if not self.replica.store(lambda entry: self._witness.is_early(before, entry, now)):
            return False
        self._ordering.track(before, self.replica.last_step, now)
        self._ordering.forget(self.replica.ledger.entries[-1].draft_message.digest)
        return True

    def _order(self, now: float) -> bool:
        if not self._may_order():
            return False
        before = self.replica.tail
        filed = self._ordering.next_due(before, now, self._only(), may_part=self._may_part())
        if filed is None:
            return False
        message, draft = filed
        try:
            record = self.replica.order(message, draft)
        except KnobFailed:
            self._propose("void", Void(code="knob-failed", evidence=(pack(message),)), now)
        except IllegalAction as error:
            self._decline(message, draft, error.code, error.knob, plain(error.parameters))
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
        return Away if self._pauses.holds_up else None

    def _may_part(self) -> bool:
        """Whether a record may take a peer out now: that changes the quorums, and only those of one such record more or
        less overlap. So one at a time is committed, and none before this host has committed something of its own term:
        another host may have put out somebody else before (Ongaro 2014, 4.1, and his erratum of 2015). Not so when all
        the others have said that they leave: then there is nobody left to go on without this peer.
        """
        ledger, me = self.replica.ledger, self.me
        if set(ledger.voters) - {me} <= self._ordering.leavers:
            return True
        committed = ledger.entries[ledger.committed - 1].ordered.term if ledger.committed else 0
        return committed == ledger.term and self.replica.committed.peers == self.replica.tail.peers

    def _may_order(self) -> bool:
        """A host that was restarted first gets back what it had ordered: never two records for one place."""
        stands = self.paused is None or self.paused.code == "player-lost"
        if not self.is_host or self.is_over or not stands:
            return False
        ledger = self.replica.ledger
        return self._has_ordered or not self._gossip.ahead(self.id, ledger.tail_term, ledger.tail)

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

    def _tell_known(self) -> None:
        self.events += [Known(seat) for seat in self._party.take_fresh()]
        for fault in self._party.take_alarms():
            self.blame(fault)

    # ------------------------------------------------ what is owed

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

    def _hear_accusations(self) -> None:
        for fault in self._court.hear(self.replica.committed.deck):
            self._condemn(fault)

    # ------------------------------------------------ who is there, who is behind

    def _watch(self, now: float) -> None:
        """Pause while somebody is missing, and go on when all are back."""
        if self.is_over:
            self._pauses.change(None)
            return
        there = self._gossip.present(now) | self._ordering.leavers - {self.host or b""}
        self._absence.look(self.peers, there, now)
        self._absence.awaited -= self._gossip.places(self.id).keys()
        here, early = there - self._absence.awaited, now - self._back_since < JUST_BACK
        gone = self._gossip.suspending(self.id)
        resting = self._gossip.resting(self.id) - {self.me} | ({self.me} if self.rests else set())
        was_paused = self.paused is not None
        self.events += self._pauses.look(here, resting, gone, early=early)
        if was_paused and self.paused is None:
            self._ordering.restart(now)
            self._proposals.restart(now)

    def _catch_up(self, now: float) -> None:
        fold = self.replica.committed
        boxless = self.running and not fold.is_blind and not self._knows_its_cards(fold)
        gap = self.replica.has_gap
        if gap and self.replica.is_forked and not self.is_over:
            self._stop("forked", say("forked"))
        ledger = self.replica.ledger
        tail, term = ledger.tail, ledger.tail_term
        self._behind.look(tail, ledger.committed, now, term=term, gap=gap, boxless=boxless, host=self.host)

    def _knows_its_cards(self, fold: Fold) -> bool:
        seats = [] if fold.hand is None else [seat for seat in self.own_seats if fold.hand.hands[seat]]
        return all(self._party.knows_hand(fold, seat) for seat in seats)
