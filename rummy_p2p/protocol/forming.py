"""Forming a table: who sits down, who is ready, when a match starts.

The law of this file
--------------------
* The creator of the table is the only one who gives seats and starts a match; it tells everybody who sits (`Seating`).
  It is not thereby the host: the host of a match is elected.
* A joiner compares the rules of the table with its own before it asks; the creator compares what came with the Join.
  Whoever speaks another version or plays by other rules is turned away, with what differs.
* A seat belongs to a peer; a peer may hold further seats for its bots, and the creator for guests of its program. A
  guest's seat has no key of its own: who deals blindly counts the peer once. Nobody sits down while a match is played.
* Who cannot be reached for a while loses the seat, outside a match; a program that finds itself without a seat it had
  asks again.

    OPEN --start--> PLAYING --match over--> OPEN; the creator's Leave leads from anywhere to CLOSED
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Final

import msgspec

from rummy_p2p.protocol.events import Seated, TableClosed, TableEvent, TurnedAway
from rummy_p2p.protocol.faults import Refusal, say
from rummy_p2p.protocol.fields import MAX_PEERS, MAX_SEATS, WISH, DealKind, Wish
from rummy_p2p.protocol.messages import (
    PROTOCOL_VERSION,
    Join,
    Leave,
    Payload,
    PeerEntry,
    Ready,
    Refused,
    SeatEntry,
    Seating,
    Start,
    TableInfo,
)
from rummy_p2p.protocol.roster import Seat, check_start, name_seats
from rummy_p2p.protocol.text import NICK_LIMIT, clean
from rummy_p2p.ruleset import Ruleset, RulesetError, differences, from_canonical

UNSEAT_AFTER: Final = 5.0
ASK_AGAIN_AFTER: Final = 3.0


class Phase(Enum):
    """What a table is doing."""

    OPEN = "open"
    PLAYING = "playing"
    CLOSED = "closed"


class Input(Enum):
    """What moves it."""

    START = "start"
    OVER = "over"
    CLOSE = "close"


TRANSITIONS: Final = {
    Phase.OPEN: {Input.START: Phase.PLAYING, Input.CLOSE: Phase.CLOSED},
    Phase.PLAYING: {Input.OVER: Phase.OPEN, Input.CLOSE: Phase.CLOSED},
    Phase.CLOSED: {Input.CLOSE: Phase.CLOSED, Input.OVER: Phase.CLOSED},
}


@dataclass(frozen=True, slots=True)
class Guest:
    """What a peer brings to the table: its player's nick, bots, whether a program plays, its wish about being host;
    ``watches``: it wants to look on, and no seat as yet.
    """

    nick: str
    bots: int = 0
    auto: bool = False
    wish: Wish = WISH
    watches: bool = False


@dataclass(slots=True)
class Said:
    """What the machine wants said, and what its program is to be told."""

    payloads: list[tuple[Payload, bytes | None]] = field(default_factory=list)
    events: list[TableEvent] = field(default_factory=list)

    def say(self, payload: Payload, to: bytes | None = None) -> None:
        self.payloads.append((payload, to))

    def tell(self, event: TableEvent) -> None:
        self.events.append(event)

    def take(self) -> tuple[list[tuple[Payload, bytes | None]], list[TableEvent]]:
        taken = (self.payloads, self.events)
        self.payloads, self.events = [], []
        return taken


class Forming:
    """One peer's view of who sits at a table; at the creator also the one who decides."""

    def __init__(self, me: bytes, creator: bytes, info: TableInfo, rules: Ruleset, guest: Guest, run: bytes) -> None:
        """``rules``: what this program has under the table's game; compared with the table's own."""
        self.me = me
        self.creator = creator
        self.info = info
        self.rules = rules
        self.guest = replace(guest, nick=clean(guest.nick, NICK_LIMIT) or "?")
        self.phase = Phase.OPEN
        self.seating = Seating(table=info.table, revision=0, seats=(), peers=())
        self.said = Said()
        self.number = 0
        self.admitted: set[bytes] = set()
        self.voted_out: set[bytes] = set()
        self._run = run
        self._count = 0
        self._runs: dict[bytes, bytes] = {}
        self._left: dict[bytes, None] = {}
        self._ready_numbers: dict[bytes, int] = {}
        self._missing: dict[bytes, float] = {}
        self._asked_at = 0.0
        self.wants_seat = not guest.watches

    @property
    def creates(self) -> bool:
        """Whether this peer is the creator."""
        return self.me == self.creator

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Who sits where."""
        return name_seats(self.seating.seats)

    @property
    def peers(self) -> tuple[bytes, ...]:
        """The seated peers."""
        return tuple(entry.peer for entry in self.seating.peers)

    @property
    def is_ready(self) -> bool:
        """Whether this peer's player is ready."""
        return any(entry.peer == self.me and entry.ready for entry in self.seating.peers)

    def begin(self, now: float) -> None:
        """Open the table, or ask for a seat at it."""
        if self.creates:
            self.said.say(self.info)
            self._seat(self.me, self.guest)
        elif self._rules_fit() and self.wants_seat:
            self._ask(now)

    def want_seat(self, now: float) -> None:
        """Ask for a seat: now, or as soon as the match is over that is played."""
        self.wants_seat = True
        if self.phase is Phase.OPEN and self.me not in self.peers:
            self._ask(now)

    def resume(self, start: Start, revision: int, now: float) -> None:
        """Come back to a table in the middle of a match; ``revision`` is higher than any that others may have seen."""
        self.number = start.number
        self.phase = TRANSITIONS[self.phase][Input.START]
        self.seating = Seating(table=self.info.table, revision=revision, seats=start.seats, peers=start.peers)
        if self.creates:
            self.said.say(self.info)
        else:
            self._ask(now)

    def tick(self, reachable: Iterable[bytes], now: float) -> None:
        """Take the seats of those who have gone; ask again for a seat that was lost."""
        if self.creates and self.phase is Phase.OPEN:
            self._unseat_missing(set(reachable), now)
        lost_seat = self.wants_seat and not self.creates and self.me not in self.peers
        if lost_seat and self.phase is Phase.OPEN and now >= self._asked_at + ASK_AGAIN_AFTER:
            self._ask(now)

    # ------------------------------------------------ what the own player does

    def set_ready(self, *, ready: bool) -> None:
        """Say that this player is ready, or no longer."""
        if self.me not in self.peers:
            raise Refusal("not-seated")
        self._count += 1
        if self.creates:
            self._mark_ready(self.me, ready=ready)
        else:
            self.said.say(Ready(table=self.info.table, run=self._run, number=self._count, ready=ready))

    def seat_guest(self, nick: str) -> int:
        """Give a person a seat who plays at this program; returns which of this peer's seats it is."""
        if not self.creates:
            raise Refusal("not-creator")
        if self.phase is not Phase.OPEN:
            raise Refusal("table-playing" if self.phase is Phase.PLAYING else "table-closed")
        if len(self.seats) >= self.info.seats:
            raise Refusal("table-full")
        taken = {entry.number for entry in self.seating.seats if entry.owner == self.me}
        number = min(set(range(1, MAX_SEATS)) - taken)
        entry = SeatEntry(owner=self.me, nick=clean(nick, NICK_LIMIT) or "?", number=number, bot=False)
        self._publish((*self.seating.seats, entry), self.seating.peers)
        return number

    def unseat_guest(self, number: int) -> None:
        """Take a guest's seat; Refusal while a match is played."""
        if self.phase is Phase.PLAYING:
            raise Refusal("match-running")
        stays = (seat for seat in self.seating.seats if (seat.owner, seat.number, seat.bot) != (self.me, number, False))
        if number and self.phase is Phase.OPEN:
            self._publish(tuple(stays), self.seating.peers)

    def make_start(self, nonce: bytes) -> Start:
        """The Start of the next match; Refusal when it cannot start yet."""
        if not self.creates:
            raise Refusal("not-creator")
        if self.phase is not Phase.OPEN:
            raise Refusal("match-running")
        least = max(2, self.rules.players.min) if self.rules.players.max > 1 else 1
        if len(self.seats) < least:
            raise Refusal("too-few-seated", least=least, seated=len(self.seats))
        if waiting := self.not_ready():
            raise Refusal("not-all-ready", waiting=", ".join(waiting))
        return Start(
            table=self.info.table,
            number=self.number + 1,
            nonce=nonce,
            fingerprint=self.info.fingerprint,
            deal=self._deal_for(len(self.seating.peers)),
            trust=self.info.trust,
            hands=self.info.hands,
            seats=self.seating.seats,
            peers=self.seating.peers,
        )

    def _deal_for(self, peers: int) -> DealKind:
        """The deal of a match: alone there is nobody from whom the deck could be hidden."""
        return self.info.deal if peers > 1 else "host"

    def not_ready(self) -> tuple[str, ...]:
        """The names of those who are not ready; the creator is when it starts."""
        late = {entry.peer for entry in self.seating.peers if not entry.ready and entry.peer != self.creator}
        return self._names(late)

    def leave(self) -> None:
        """Give the seats back; the creator closes the table."""
        self.wants_seat = False
        if self.me in self.peers or not self.guest.watches:
            self.said.say(Leave(table=self.info.table, run=self._run))
        if self.creates:
            self._close("table-closed")

    # ------------------------------------------------ what the others say

    def receive(self, author: bytes, payload: Payload) -> None:
        """Handle what belongs to forming a table; anything else, and other tables, is left alone."""
        if getattr(payload, "table", None) != self.info.table or self.phase is Phase.CLOSED:
            return
        if isinstance(payload, Leave):
            self._on_leave(author, payload)
        elif self.creates:
            self._as_creator(author, payload)
        elif author == self.creator:
            self._as_joiner(payload)

    def started(self, author: bytes, start: Start) -> bool:
        """Take in a Start: whether a match begins that this peer plays, or looks on at."""
        if author != self.creator or start.table != self.info.table or start.number <= self.number:
            return False
        if self.phase is not Phase.OPEN or start.fingerprint != self.info.fingerprint:
            return False
        if (start.deal, start.trust) != (self._deal_for(len(start.peers)), self.info.trust):
            return False
        self.number = start.number
        if self.me not in {entry.peer for entry in start.peers} and not self.guest.watches:
            return False
        check_start(start, self.rules)
        self.phase = TRANSITIONS[self.phase][Input.START]
        return True

    def over(self, gone: Iterable[bytes]) -> None:
        """The match is over: seats may be taken again; those who left it have none."""
        self.phase = TRANSITIONS[self.phase][Input.OVER]
        if self.creates and self.phase is Phase.OPEN:
            away = {*gone, *self.voted_out}
            stays = [entry for entry in self.seating.peers if entry.peer not in away]
            self._reseat([msgspec.structs.replace(entry, ready=False) for entry in stays])
        elif self.creator in set(gone):
            self._close("table-closed")

    # ------------------------------------------------ the creator's side

    def _as_creator(self, author: bytes, payload: Payload) -> None:
        if isinstance(payload, Join):
            self._on_join(author, payload)
        elif isinstance(payload, Ready):
            self._on_ready(author, payload)

    def _on_ready(self, author: bytes, payload: Ready) -> None:
        is_new = payload.number > self._ready_numbers.get(author, 0)
        if is_new and payload.run == self._runs.get(author):
            self._ready_numbers[author] = payload.number
            self._mark_ready(author, ready=payload.ready)

    def _on_join(self, author: bytes, join: Join) -> None:
        if join.run in self._left:
            return
        code, differs = self._objection(author, join)
        if code:
            refused = Refused(table=join.table, to=author, run=join.run, code=code, differs=differs)
            self.said.say(refused, author)
            return
        if author in self.peers:
            self._runs[author] = join.run
            return
        self._runs[author] = join.run
        self._ready_numbers.pop(author, None)
        self._seat(author, Guest(join.nick, join.bots, join.auto, join.wish))

    def _objection(self, author: bytes, join: Join) -> tuple[str, tuple[str, ...]]:
        if join.version != PROTOCOL_VERSION:
            return "version-mismatch", (str(PROTOCOL_VERSION), str(join.version))
        if join.fingerprint != self.info.fingerprint:
            return "rules-mismatch", (self.info.fingerprint.hex()[:12], join.fingerprint.hex()[:12])
        if author in self.peers:
            return "", ()
        if author in self.voted_out:
            return "voted-out", ()
        if self.info.closed and author not in self.admitted:
            return "password-needed", ()
        if self.phase is not Phase.OPEN:
            return "table-playing", ()
        full = len(self.seats) + 1 + join.bots > self.info.seats or len(self.peers) >= MAX_PEERS
        return ("table-full" if full else ""), ()

    def _seat(self, peer: bytes, guest: Guest) -> None:
        own = [SeatEntry(owner=peer, nick=guest.nick, number=n, bot=guest.auto or n > 0) for n in range(1 + guest.bots)]
        peers = (*self.seating.peers, PeerEntry(peer=peer, wish=guest.wish, ready=False))
        self._publish((*self.seating.seats, *own), peers)

    def _mark_ready(self, peer: bytes, *, ready: bool) -> None:
        entries = [
            msgspec.structs.replace(entry, ready=ready) if entry.peer == peer else entry for entry in self.seating.peers
        ]
        self._reseat(entries)

    def _unseat_missing(self, reachable: set[bytes], now: float) -> None:
        gone = set(self.peers) - reachable
        self._missing = {peer: self._missing.get(peer, now) for peer in gone}
        late = {peer for peer, since in self._missing.items() if now - since >= UNSEAT_AFTER}
        if late:
            self._reseat([entry for entry in self.seating.peers if entry.peer not in late])

    def _reseat(self, entries: list[PeerEntry]) -> None:
        staying = {entry.peer for entry in entries}
        self._publish(tuple(seat for seat in self.seating.seats if seat.owner in staying), tuple(entries))

    def _publish(self, seats: tuple[SeatEntry, ...], peers: tuple[PeerEntry, ...]) -> None:
        if (seats, peers) == (self.seating.seats, self.seating.peers):
            return
        revision = self.seating.revision + 1
        self._take_seating(Seating(table=self.info.table, revision=revision, seats=seats, peers=peers))
        self.said.say(self.seating)

    def put_out(self) -> None:
        """Take the seats of those whom the players have voted out, unless a match is being played."""
        stays = [entry for entry in self.seating.peers if entry.peer not in self.voted_out or entry.peer == self.me]
        if self.creates and self.phase is Phase.OPEN:
            self._reseat(stays)

    # ------------------------------------------------ the joiner's side

    def _as_joiner(self, payload: Payload) -> None:
        if isinstance(payload, Seating) and payload.revision > self.seating.revision:
            self._take_seating(payload)
        elif isinstance(payload, Refused) and payload.to == self.me and payload.run == self._run:
            self.wants_seat = False
            self.said.tell(TurnedAway(payload.code, self._why(payload), payload.differs))

    def _why(self, refused: Refused) -> str:
        theirs = refused.differs[0] if refused.differs else "?"
        return say(refused.code, {"theirs": theirs, "ours": PROTOCOL_VERSION, "differs": ", ".join(refused.differs)})

    def _rules_fit(self) -> bool:
        """Whether this program plays the table's rules; otherwise its player is told what differs."""
        if self.info.version != PROTOCOL_VERSION:
            words: dict[str, int | str] = {"theirs": self.info.version, "ours": PROTOCOL_VERSION}
            return self._turned_away("version-mismatch", (str(self.info.version), str(PROTOCOL_VERSION)), words)
        if self.info.fingerprint.hex() == self.rules.fingerprint:
            return True
        differs = self._knobs_that_differ()
        return self._turned_away("rules-mismatch", differs, {"differs": ", ".join(differs)})

    def _turned_away(self, code: str, differs: tuple[str, ...], words: dict[str, int | str]) -> bool:
        self.wants_seat = False
        self.said.tell(TurnedAway(code, say(code, words), differs))
        return False

    def _knobs_that_differ(self) -> tuple[str, ...]:
        try:
            theirs = from_canonical(self.info.rules)
        except RulesetError:
            return ("functions",)
        found = differences(theirs, self.rules)
        differs = tuple(f"{knob}: {table} there, {here} here" for knob, (table, here) in found.items())
        return differs or ("another version of the program",)

    def _ask(self, now: float) -> None:
        self._asked_at = now
        self._count += 1
        self.said.say(
            Join(
                table=self.info.table,
                run=self._run,
                number=self._count,
                version=PROTOCOL_VERSION,
                fingerprint=bytes.fromhex(self.rules.fingerprint),
                nick=self.guest.nick,
                bots=self.guest.bots,
                auto=self.guest.auto,
                wish=self.guest.wish,
            )
        )

    # ------------------------------------------------ both

    def _on_leave(self, author: bytes, leave: Leave) -> None:
        if author == self.creator:
            if self.phase is Phase.OPEN:  # in a match it leaves by the ledger, and the match may go on without it
                self._close("table-closed")
        elif self.creates and self._runs.get(author) == leave.run:
            self._left[leave.run] = None
            if self.phase is Phase.OPEN:
                self._reseat([entry for entry in self.seating.peers if entry.peer != author])

    def lost_creator(self) -> None:
        """The creator has gone without a word, and no match is being played."""
        self._close("table-lost")

    def _close(self, code: str) -> None:
        if self.phase is not Phase.CLOSED:
            self.phase = TRANSITIONS[self.phase][Input.CLOSE]
            self.said.tell(TableClosed(code, say(code)))

    def _take_seating(self, seating: Seating) -> None:
        before = {seat.name for seat in self.seats}
        self.seating = seating
        now_seated = [seat.name for seat in self.seats]
        new = tuple(name for name in now_seated if name not in before)
        gone = tuple(sorted(before - set(now_seated)))
        ready = self._names({entry.peer for entry in seating.peers if entry.ready})
        self.said.tell(Seated(self.seats, new, gone, ready))

    def _names(self, peers: set[bytes]) -> tuple[str, ...]:
        own = {
            entry.owner: seat.name
            for entry, seat in zip(self.seating.seats, self.seats, strict=True)
            if not entry.number
        }
        return tuple(own[peer] for peer in own if peer in peers)
