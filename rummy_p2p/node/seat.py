"""The place of a person at a table on the LAN, as a screen wants it: what it sees, what it may type, what happens.

Who looks on has a place without a seat (`NOBODY`): it sees what everybody sees, and no move of its own is possible.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import cast, get_args

from rummy_p2p.deal.keys import quorum
from rummy_p2p.engine import NOBODY, MatchState, View
from rummy_p2p.engine import Phase as HandPhase
from rummy_p2p.engine.events import Event, Turn
from rummy_p2p.node.carrying import NotSaved
from rummy_p2p.node.making import making_of
from rummy_p2p.node.peer import Peer
from rummy_p2p.protocol import events as tell
from rummy_p2p.protocol.faults import Refusal
from rummy_p2p.protocol.fields import Measure
from rummy_p2p.protocol.forming import Phase
from rummy_p2p.protocol.roster import Seat
from rummy_p2p.protocol.table import TableSession
from rummy_p2p.protocol.text import NICK_LIMIT, clean, shared_words
from rummy_p2p.protocol.watching import WatchedMatch
from rummy_p2p.ruleset import Ruleset
from rummy_p2p.sentences import Notice
from rummy_p2p.sentences.faults import retold
from rummy_p2p.sentences.guests import guest_text
from rummy_p2p.sentences.lan import (
    lan_command,
    left_line,
    move_kept_line,
    nothing_to_suspend_line,
    refused_line,
    sent_away_line,
    sits_later_line,
    table_line,
    vote_line,
)
from rummy_p2p.sentences.screen import Answered, EndedEarly, Logged, Over, Said, TableFacts, Waited
from rummy_p2p.sentences.titles import joining_word, table_title

Command = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class _Answer(tell.TableEvent):
    """What the player is answered; it comes in its place among all that happens."""

    line: str


# What the programs do among themselves, and what is in order: nobody has to read it while playing.
_LOGGED = (tell.MatchStarted, tell.Elected, tell.Dealing, tell.DeckCommitted)


@dataclass(frozen=True, slots=True)
class _News(_Answer):
    """The same about what somebody else has done."""


@dataclass(frozen=True, slots=True)
class _Left(_Answer):
    """The player has got up."""


@dataclass(frozen=True, slots=True)
class _Suspended(_Left):
    """The same, without giving up the seat."""


class NetworkSeat:
    """This peer's own seat. What happens comes out of ``next`` in the order in which it took effect."""

    def __init__(self, peer: Peer, session: TableSession) -> None:
        """Look on from the moment the session exists."""
        self._peer = peer
        self._session = session
        self._lines: deque[Event | Notice] = deque()
        self._closed = False
        self._audit = ""
        self._deck = b""
        self._paused: tell.Paused | None = None
        self._quiet = False  # it waits, and the player need not be told yet
        self._wanted: tuple[str, ...] = ()
        self._over: tell.MatchOver | None = None
        self._ready: tuple[str, ...] = ()
        self.by_ssh = ("", "")  # how guests come to this program, and the key that they are shown
        self.dismiss: Callable[[str], bool] | None = None  # sends a guest of this program away
        self.ask_in: Callable[[str], None] | None = None  # asks somebody who is present to the table
        self.password = ""  # of the table, where it is this program's to say
        self.lost = False
        self.suspended = False  # the player has gone away, and the seat is kept

    @property
    def rules(self) -> Ruleset:
        """The rules of the table."""
        return self._session.rules

    @property
    def names(self) -> tuple[str, ...]:
        """The players, by seat: of the match, as long as it is spoken of, for the table's seats may change after it."""
        players = self._session.match or self._session
        return tuple(seat.name for seat in players.seats)

    @property
    def seat(self) -> int:
        """This player's seat; 0 before there is one, `NOBODY` for who looks on."""
        own = (self._session.match or self._session).own_seats
        return own[0] if own else NOBODY if self.looks_on else 0

    @property
    def looks_on(self) -> bool:
        """Whether this player has no seat in what is to be seen."""
        return self._session.watches or isinstance(self._session.match, WatchedMatch)

    def view(self) -> View | None:
        """Return what the player sees; None while no cards are dealt."""
        try:
            return self._session.public_view() if self.looks_on else self._session.view(self.seat)
        except Refusal:
            return None

    def match(self) -> MatchState | None:
        """Return the totals."""
        fold = self._session.fold
        return fold.match if fold else None

    def act(self, text: str) -> None:
        """Make a move; IllegalAction when the rules say no. What cannot be done just now becomes a line of its own."""
        self._do(lambda table, now: self._act(table, text, now))

    def _act(self, table: TableSession, text: str, now: float) -> None:
        table.act(self.seat, text, now)
        if table.paused and table.match is not None and not table.match.running:
            self.answer(move_kept_line())

    def commands(self) -> Mapping[str, tuple[str, Command]]:
        """Return what can be typed at a table on the LAN besides moves."""
        if self._session.watches:
            return {name: (lan_command(name), command) for name, command in self._onlookers_commands().items()}
        found: dict[str, Command] = {
            "ready": lambda _: self._do(lambda table, now: table.ready(now)),
            "unready": lambda _: self._do(lambda table, now: table.ready(now, ready=False)),
            "start": lambda _: self._do(lambda table, now: table.start(now)),
            "rematch": lambda _: self._do(lambda table, now: table.rematch(now)),
            "pause": lambda _: self._do(lambda table, now: table.rest(wanted=True, now=now)),
            "continue": lambda _: self._do(lambda table, now: table.rest(wanted=False, now=now)),
            "claim": lambda _: self._do(lambda table, now: table.claim(now)),
            "suspend": lambda _: self._suspend(),
            "chat": self._chat,
            "vote": self._vote,
            "leave": lambda _: self._leave(),
        }
        if self.dismiss is not None:
            found["dismiss"] = self._dismiss
        if self.ask_in is not None:
            found["invite"] = self.ask_in
        return {name: (lan_command(name), command) for name, command in found.items()}

    def _onlookers_commands(self) -> dict[str, Command]:
        """Return what can be typed by who looks on."""
        return {
            "chat": self._chat,
            "sit": lambda _: self._sit(),
            "leave": lambda _: self._leave(),
        }

    def _sit(self) -> None:
        """Ask for a seat; whether there is one is told when no match is played."""
        self._do(lambda table, now: table.sit(now))
        if self._session.phase is Phase.PLAYING:
            self.answer(sits_later_line())

    def facts(self) -> TableFacts:
        """Return what the table tells of itself: who is host, how the last deal was found, who is missing, who sits."""
        session = self._session
        forming = session.phase is Phase.OPEN
        seats, host = session.seats, session.host
        paused, gone = (None, ()) if self._paused is None else (self._paused, self._paused.players)
        if session.match is not None and session.match.running:  # it goes on as long as it is not their turn
            paused = None
        agreed = paused is not None and paused.code == "agreed"
        mine = {seat.name for seat in seats if seat.owner == session.me and not seat.bot}
        late = forming and bool(mine) and not mine & set(self._ready)
        return TableFacts(
            title=table_title(session.info.title, session.rules.game, session.opener),
            place="lan",
            host=session.name_of(host) if host is not None and not forming else "",
            deal=session.info.deal if session.match is None or session.match.is_blind else "host",
            audit=self._audit,
            deck=self._deck.hex(),
            missing=gone if paused is not None and not agreed else (),
            why="" if paused is None else table_line(paused, session) or "",
            forming=forming,
            sitting=tuple((seat.name, self._is_ready(seat), seat.bot) for seat in seats),
            free=max(0, session.info.seats - len(seats)),
            opener=forming and bool(mine) and session.me == session.creator,
            ready=forming and not late and bool(mine),
            may_ready=late and session.match is None and session.me != session.creator,
            may_start=forming and session.me == session.creator and session.ready_to_start,
            may_change=forming and session.match is not None and session.me == session.creator,
            resting=session.rests,
            wants_pause=self._wanted,
            agreed=agreed,
            may_rematch=late and session.match is not None,
            looks_on=self._peer.nick if self.looks_on else "",
            wants_seat=session.watches and session.wants_seat,
            watching=self._peer.watching(),
            claim_opens=self._peer.claim_opens(),
            joining=(joining_word(session.info.title, session.rules.game, session.opener), self._peer.address),
            continues_by_itself=True,
            over=None if self._over is None else _how_it_ended(self._over),
            away=tuple(dict.fromkeys((*self._away(), *(gone if paused is None else ())))),
            could_look=self._could_look(),
            making=making_of(session.fold),
            guests=tuple((seat.name, session.name_of(seat.owner)) for seat in seats if seat.guest),
            by_ssh=self.by_ssh,
            password=self.password,
            people=self._people(),
        )

    def _away(self) -> tuple[str, ...]:
        """Return who is out of reach without being waited for."""
        fold = self._session.fold
        return () if fold is None else tuple(seat.name for seat in fold.seats if seat.owner in fold.away)

    def _could_look(self) -> tuple[int, int]:
        """Return how many of how many programs together could look into a deck that nobody can look into alone."""
        fold = self._session.fold
        start = None if fold is None else fold.start
        if start is None or start.deal != "blind":
            return 0, 0
        peers = len(start.peers)
        return peers if start.trust == "all" else quorum(peers), peers

    def _people(self) -> tuple[tuple[str, str], ...]:
        """Return the other peers' players, each with the words that both see."""
        me, owners = self._session.me, dict.fromkeys(seat.owner for seat in self._session.seats)
        return tuple((self._session.name_of(each), shared_words(me, each)) for each in owners if each != me)

    @property
    def _inbox(self) -> asyncio.Queue[tell.TableEvent]:
        """Where what happens comes in."""
        return self._peer.events

    def _is_ready(self, seat: Seat) -> bool:
        """Whether a seat has said so; who opened the table says it by starting."""
        return seat.name in self._ready or seat.owner == self._session.creator

    async def next(self) -> Event | Notice | None:
        """Return what happened next; None when there is no table any more."""
        while not self._closed and (not self._lines or self._waits_for_cards()):
            self._take(await self._inbox.get())
        return self._lines.popleft() if self._lines else None

    def _waits_for_cards(self) -> bool:
        """Whether own cards are still on their way. They come from the host a moment after everybody is told of a draw,
        and who drew wants to hear which card it was. A table that is paused has no more to come.
        """
        view = None if self._session.paused else self.view()
        return view is not None and any(view.card(slot) is None for slot in view.slots)

    def _do(self, action: Callable[[TableSession, float], None]) -> None:
        try:
            self._peer.do(action)
        except Refusal as refusal:
            self.answer(refused_line(refusal))

    def answer(self, line: str) -> None:
        """Tell the player something, in its place among all that happens."""
        self._inbox.put_nowait(_Answer(line))

    def news(self, line: str) -> None:
        """Tell the player of what somebody has done beside the table, in its place among all that happens."""
        self._inbox.put_nowait(_News(line))

    def _chat(self, text: str) -> None:
        self._do(lambda table, now: table.chat(text, now))

    def _dismiss(self, text: str) -> None:
        done = self.dismiss is not None and self.dismiss(text)
        self.answer(guest_text("dismissed" if done else "no-such", name=clean(text, NICK_LIMIT)))

    def _vote(self, text: str) -> None:
        """Vote as it was typed."""
        action = read_vote(text)
        if action is None:
            self.answer(vote_line())
        else:
            self._do(action)

    def _suspend(self) -> None:
        """Get up without giving up the seat; how one comes back is told by whoever ends the program."""
        can = self._peer.can_come_back
        self._inbox.put_nowait(_Suspended("") if can else _Answer(nothing_to_suspend_line()))

    def _leave(self) -> None:
        self._peer.leave()
        self._end()

    def _end(self, why: str = "") -> None:
        """The player has got up: nothing more is told but why."""
        self._inbox.put_nowait(_Left(why or left_line()))

    def _take(self, event: tell.TableEvent) -> None:
        """Turn what the table tells into what the screen shows."""
        if isinstance(event, tell.Chatted) and self._peer.is_blocked(event.author):
            return
        self._note(event)
        if isinstance(event, tell.Happened | tell.Played | tell.HandOver):
            self._lines += event.events
        if isinstance(event, _Answer | NotSaved):
            line: str | None = event.line if isinstance(event, _Answer) else event.sentence
        else:
            line = None if self._is_too_early(event) else self._line(event)
        if isinstance(event, tell.MatchOver) and event.code:
            self._lines.append(EndedEarly(line or "", winners=event.winners))
        elif line:
            self._lines.append(_notice(event, line))
        if isinstance(event, tell.Resumed | tell.Caught):
            self._lines += self._turn()
        if isinstance(event, tell.Voted) and self._is_sent_away(event):
            self._peer.leave()
            self._end(sent_away_line())
        stays = isinstance(event, tell.TurnedAway) and self._session.let_in
        if isinstance(event, tell.TableClosed | tell.TurnedAway | _Left) and not stays:
            self._closed = True
            self.suspended = isinstance(event, _Suspended)
            self.lost = isinstance(event, tell.TableClosed) and event.code != "table-closed"

    def _is_sent_away(self, event: tell.Voted) -> bool:
        """Whether at least two others have decided that this player goes, in the middle of a match: then the seat is
        left as a player leaves it. One alone could take a match from the other one in this way; after it the seat is
        taken by whoever opened the table.
        """
        decided = event.measure == "kick" and event.decided is True and event.needed > 1
        mine = event.about == self._session.name_of(self._session.me)
        return decided and mine and self._session.phase is Phase.PLAYING and not self.looks_on

    def _line(self, event: tell.TableEvent) -> str | None:
        """Return what the player is told of something that happened at the table."""
        return table_line(event, self._session)

    def _is_too_early(self, event: tell.TableEvent) -> bool:
        """Whether a pause need not be told of: who has just come back may find the others in a moment."""
        if not isinstance(event, tell.Paused | tell.Resumed):
            return False
        was_quiet, self._quiet = self._quiet, isinstance(event, tell.Paused) and event.early
        return self._quiet or (was_quiet and isinstance(event, tell.Resumed))

    def _note(self, event: tell.TableEvent) -> None:
        """Keep what the table tells of itself."""
        match event:
            case tell.Seated():
                self._ready = event.ready
            case tell.HandOver():
                self._audit = event.audit
            case tell.DeckCommitted():
                self._deck = event.commitment
            case tell.MatchStarted():
                self._audit, self._deck, self._over = "", b"", None
            case tell.Paused():
                self._paused, self._wanted = event, ()
            case tell.PauseWanted():
                self._wanted = event.players
            case tell.MatchOver():
                self._paused, self._over, self._wanted = None, event, ()
            case tell.Resumed():
                self._paused = None
            case _:
                pass

    def _turn(self) -> list[Event]:
        """Whose turn it is: after a pause that may be all that the player has forgotten, or never was told."""
        view = self.view()
        plays = view is not None and view.state.phase not in (HandPhase.DEALING, HandPhase.COUNT, HandPhase.OVER)
        return [Turn(view.state.turn)] if view is not None and plays else []


def read_vote(text: str) -> Callable[[TableSession, float], None] | None:
    """Return the vote that was typed, as in mute Bea, kick Bea, not kick Bea; None when it is none."""
    first, _, rest = text.strip().partition(" ")
    against = first.lower() == "not"
    measure, _, name = rest.strip().partition(" ") if against else (first, "", rest)
    if measure.lower() not in get_args(Measure) or not name.strip():
        return None
    wanted = cast("Measure", measure.lower())
    return lambda table, now: table.vote(wanted, name.strip(), now, agree=not against)


def _notice(event: tell.TableEvent, line: str) -> Notice:
    """Return a line as what it is: said by somebody, an answer to the player, for the log alone, or news."""
    if isinstance(event, tell.Chatted):
        return Said(line, name=event.name)
    if isinstance(event, _Answer | tell.Declined) and not isinstance(event, _Left | _News):
        return Answered(line)
    if isinstance(event, tell.Paused | tell.Resumed):
        return Waited(line)
    is_in_order = isinstance(event, tell.HandOver) and event.audit == "ok"
    return Logged(line) if isinstance(event, _LOGGED) or is_in_order else Notice(line)


def _how_it_ended(event: tell.MatchOver) -> Over:
    return Over(event.winners, event.scores, retold(event.sentence) if event.sentence else "")
