"""A seated peer's own side of a match: what it knows, what its player does, and what it has on its way to the ledger.

What comes from the others, and all that goes round, is in `match`.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from math import inf
from typing import Final

from rummy_p2p.engine import Action, IllegalAction, KnobFailed, ParseError, View, check, read_action
from rummy_p2p.protocol.blind_hand import BlindParty
from rummy_p2p.protocol.court import Court
from rummy_p2p.protocol.election import SPLIT_PAUSE, VOTE_TIMEOUT, State
from rummy_p2p.protocol.events import Declined as WasDeclined
from rummy_p2p.protocol.events import (
    MatchOver,
    Paused,
    TableEvent,
)
from rummy_p2p.protocol.faults import Refusal
from rummy_p2p.protocol.followed import Followed
from rummy_p2p.protocol.forfeit import Forfeit
from rummy_p2p.protocol.gossip import Gossip
from rummy_p2p.protocol.hand import SHOW, HostDealtParty, Job, Party
from rummy_p2p.protocol.host import Host
from rummy_p2p.protocol.identity import Identity
from rummy_p2p.protocol.messages import (
    Signed,
    Start,
)
from rummy_p2p.protocol.ordering import UNTIMED, Ordering
from rummy_p2p.protocol.pausing import Pauses
from rummy_p2p.protocol.proposals import Proposals
from rummy_p2p.protocol.records import Act, Body, Departure, HandOpen
from rummy_p2p.protocol.succession import Succession
from rummy_p2p.protocol.waiting import GAP_PATIENCE, Absence, Behind
from rummy_p2p.protocol.witness import Witness
from rummy_p2p.ruleset import Ruleset

LEAVE: Final = "leave"


class Seated(Followed):
    """One peer in one match: its parts, its seats, its player and its proposals."""

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
        self._now = now
        self.rests = False
        self.suspends = False
        self._back_since = -inf  # when this program came back to the match
        self._gossip = gossip
        self._party = _party(self._entries, identity, self.id, entropy, kept)
        self._absence = Absence()
        self._ordering = Ordering(now)
        wishes = {entry.peer: entry.wish for entry in self._entries.peers}
        self.succession = Succession(wishes, self.replica, gossip, self._ordering, now, self.events.append)
        self._proposals = Proposals(identity, self.replica.ledger, int.from_bytes(entropy(2), "big"))
        self._has_ordered = False
        self._has_kept = kept is not None
        self._resting: set[str] = set()
        self._court = Court(self.id, gossip)
        self._behind = Behind(self.id, gossip, now)
        self._pauses = Pauses(self.replica, self.seats)
        self._forfeit = Forfeit(self.replica, gossip, self._ordering, self._absence, self.seats)
        self._witness = Witness(self.replica, gossip, self._ordering, self._absence)
        election, court = self.succession.election, self._court
        self._host = Host(start, rules, self.replica, election, self._party, self._ordering, court, self._absence)

    # ------------------------------------------------ what is known

    @property
    def paused(self) -> Paused | None:
        """Why the table waits, and for whom."""
        return self._pauses.reason

    @property
    def claimed(self) -> Signed | None:
        """The claim by which this peer has ended the match."""
        return self._forfeit.claimed

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
        return not (self.is_over or self._pauses.holds_up or self.host is None)

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

    def claim(self, now: float) -> None:
        """Of two peers: end the match because the other has been gone for too long; Refusal says what is missing."""
        self._stop(*self._forfeit.claim(now))

    def claim_opens(self, now: float) -> float | None:
        """In how many seconds the match could be claimed, 0 when it can; None when nobody is waited for in this way."""
        return None if self.is_over else self._forfeit.opens(now)

    def leave(self, now: float) -> None:
        """Give up the seats in the middle of the match."""
        self.leaving = True
        if not self.is_over:
            self._propose(LEAVE, Departure(), now)

    def rest(self, *, wanted: bool, now: float) -> None:
        """Say that this player would like a pause, or no longer; the table pauses while all who are here want it."""
        if self.is_over:
            raise Refusal("no-match-to-pause")
        self.rests = wanted
        self._gossip.tell_presence(now)

    def suspend(self, now: float) -> None:
        """Say that this player goes, keeps the seat and comes back another time: the last word of this run."""
        self.suspends = not self.is_over
        self._gossip.tell_presence(now)

    # ------------------------------------------------ what is to be done and written down elsewhere

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

    def take_votes(self) -> tuple[Signed, ...]:
        """Take the own votes that are not on the disk yet."""
        return self.succession.take_votes()

    # ------------------------------------------------ proposing

    def _propose(self, key: str, body: Body, now: float) -> None:
        fold = self.replica.committed
        place = (body.hand, body.epoch) if isinstance(body, HandOpen) else (fold.number, fold.epoch)
        proposal = self._proposals.make(key, body, place, now)
        self._ordering.file(proposal.message, proposal.draft, now)
        if not self.is_host:
            self._gossip.send(proposal.message)

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
            self.events.append(WasDeclined(body.seat, body.move, error.code, error.knob, plain(error.parameters)))
        except Refusal as error:
            self.events.append(WasDeclined(body.seat, body.move, error.code, "", {}))

    def _drop_proposals(self, now: float) -> None:
        """The hand is over: what was proposed for it is moot."""
        self._ordering.clear()
        keys = {proposal.key for proposal in self._proposals.take_all()}
        if LEAVE in keys and not self.is_over:
            self._propose(LEAVE, Departure(), now)

    def _stop(self, code: str, sentence: str, winners: tuple[int, ...] = ()) -> None:
        self.stopped = True
        self.events.append(MatchOver(self.replica.committed.scores, winners, code, sentence))


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


def plain(parameters: dict[str, object]) -> dict[str, int | str]:
    """What a refusal says, in the types that go over the wire: a truth value is a number there."""
    return {name: int(value) if isinstance(value, int) else str(value)[:240] for name, value in parameters.items()}
