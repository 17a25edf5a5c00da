"""Where the player sits, on the full screen: the table room with the seat behind it, and the bots beside it."""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from rummy_p2p.bots import Strategy
from rummy_p2p.engine import NOBODY
from rummy_p2p.engine import events as ev
from rummy_p2p.node.peer import Peer
from rummy_p2p.node.players import BotPlayer
from rummy_p2p.node.seat import NetworkSeat
from rummy_p2p.offline.practice import practice_seat
from rummy_p2p.protocol.table import TableSession
from rummy_p2p.ruleset import Ruleset
from rummy_p2p.sentences import Notice
from rummy_p2p.sentences.screen import EndedEarly, TableFacts
from rummy_p2p.sentences.screen_lobby import lobby_say
from rummy_p2p.statistics import Played, Statistics, StatisticsError
from rummy_p2p.ui.console import Seat
from rummy_p2p.ui.form import Plan
from rummy_p2p.ui.lobby_model import Person
from rummy_p2p.ui.score_room import Vote
from rummy_p2p.ui.screen import Screen
from rummy_p2p.ui.table_room import TableRoom
from rummy_p2p.ui.ways_room import Ways

if TYPE_CHECKING:
    from rummy_p2p.cli.ssh_guests import Invitation

BOT_PAUSE: Final = 0.7
STAND_IN: Final = "normal"  # how well a bot plays on a player's own seat
_log = logging.getLogger(__name__)


class Tally:
    """Enters the hands and matches of a seat into the statistics. What cannot be written is logged; play goes on."""

    def __init__(self, statistics: Statistics, match: Callable[[], Played], seat: Callable[[], int]) -> None:
        """``match`` and ``seat`` are asked for at every hand: another match may be played at the same table."""
        self._statistics = statistics
        self._match = match
        self._seat = seat
        self._hands: dict[str, int] = {}
        self.ended = 0

    def hear(self, event: object) -> None:
        """Take in what has happened at the table."""
        if self._seat() == NOBODY:
            return
        try:
            if isinstance(event, EndedEarly):
                self._statistics.ended(self._match(), won=self._seat() in event.winners)
                self.ended += 1
            elif isinstance(event, ev.Scored):
                self._scored(event)
            elif isinstance(event, ev.MatchEnded):
                self._statistics.over(self._match().id, won=self._seat() in event.winners)
                self.ended += 1
        except StatisticsError as error:
            _log.warning("%s", error)

    def _scored(self, event: ev.Scored) -> None:
        match, seat = self._match(), self._seat()
        number = self._hands[match.id] = self._hands.get(match.id, 0) + 1
        self._statistics.hand(match, number, event.points[seat], won=event.winner == seat)


class LobbyTable(TableRoom):
    """The table room over the lobby: what happens is counted, and whoever leaves it comes back to the lobby."""

    def __init__(
        self,
        screen: Screen,
        seat: Seat,
        facts: Callable[[], TableFacts],
        tally: Tally,
        left: Callable[[], None],
        vote: Vote | None = None,
    ) -> None:
        """``left`` is called once the room is gone; ``vote`` keeps what the player thinks of the rules."""
        super().__init__(screen, seat, facts=facts, pace=BOT_PAUSE / 2, vote=vote)
        self._tally = tally
        self._left = left

    def hear(self, item: ev.Event | Notice) -> None:
        """Take in what has happened."""
        super().hear(item)
        self._tally.hear(item)

    def end(self) -> None:
        """Leave the table and the room; whatever is wrong with the table, the way back is open."""
        try:
            super().end()
        finally:
            self.put_away()
            self._left()


class Seats:
    """Puts the player at a table, and takes the bots away afterwards."""

    def __init__(
        self,
        peer: Peer,
        screen: Screen,
        statistics: Statistics,
        levels: Mapping[str, Strategy],
        back: Callable[[], None],
        vote: Callable[[Ruleset, int], None] | None = None,
    ) -> None:
        """``back`` is called when a table has been left and this peer has got up; ``vote`` keeps a vote on rules."""
        self._levels = levels
        self._peer = peer
        self._screen = screen
        self._statistics = statistics
        self._back = back
        self._vote = vote
        self._bots: BotPlayer | None = None
        self._level = ""  # of the bots at this peer's other seats
        self._table = object()  # at which they play
        self._room: LobbyTable | None = None
        self.present: Callable[[], Sequence[Person]] = tuple
        self.ask_in: Callable[[str], None] = lambda _person: None
        self.ways: Callable[[], Ways | None] = lambda: None  # how others come to the player's own table
        self.other_rules: Callable[[], None] | None = None
        self.password = ""  # of the player's own table, when it is closed
        self._dismiss_guest: Callable[[str], bool] | None = None
        self._by_ssh = ("", "")
        self._stands_in: Callable[[], Collection[int]] = tuple

    @property
    def bots(self) -> BotPlayer | None:
        """What plays this peer's other seats."""
        return self._bots

    def let_in(self, guests: Invitation | None, by_ssh: tuple[str, str]) -> None:
        """Guests are let in, or no longer; bots play for those who have gone."""
        self._dismiss_guest = None if guests is None else guests.dismiss
        self._by_ssh = by_ssh
        self._stands_in = tuple if guests is None or self._bots is None else self._bots.stands_in

    def rise(self) -> None:
        """Get up from the table, whatever is wrong with it; what that was is in the log."""
        self.close()
        try:
            self._peer.rise()
        except Exception:  # noqa: BLE001 -- who leaves must get away from a table on which anything has gone wrong
            _log.exception("the table could not be left as it should")
            self._peer.rise()  # the others have been told, or cannot be

    def close(self) -> None:
        """The bots think no more."""
        self._table, self._level = object(), ""
        self._dismiss()

    def _dismiss(self) -> None:
        if self._bots is not None:
            self._bots.close()
            self._bots = None

    def sit(self, level: str) -> None:
        """Let bots of this level play this peer's other seats, until the table is left."""
        self.close()
        self._level = level
        self._let_play(everything=False)

    def stand_in(self, *, wanted: bool) -> None:
        """Let a bot play this player's own seat as well, or no longer."""
        self._dismiss()
        if wanted or self._level:
            self._let_play(everything=wanted)

    def _let_play(self, *, everything: bool) -> None:
        seed, strategy = secrets.randbelow(1 << 30), self._levels[self._level or STAND_IN]
        self._bots = BotPlayer(self._peer, strategy, seed, everything=everything, pace=1.0)
        self._bots.stands_in = self._stands_in

    def play(self, session: TableSession) -> None:
        """Open the table room: a match has begun."""
        seat = NetworkSeat(self._peer, session)
        began: dict[str, int] = {}

        def match() -> Played:
            id = session.match.id.hex() if session.match else session.info.table.hex()
            return Played(id, session.rules.game, session.rules.house, seat.names, began.setdefault(id, _now()))

        room = self._enter(seat, seat.facts, Tally(self._statistics, match, lambda: seat.seat))
        room.substitute, room.other_rules = self.stand_in, self.other_rules
        room.invites.present, room.invites.ask_in, room.invites.ways = self.present, self.ask_in, self.ways
        seat.password = self.password
        seat.by_ssh, seat.dismiss = self._by_ssh, self._dismiss_guest
        unwatch, table = self._peer.watch(room.look), self._table

        def over() -> None:  # those of another table, at which the player may sit by now, go on
            unwatch()
            if self._table is table:
                self.close()
            if seat.suspended and self._room is room:
                room.end()
                self._screen.note(lobby_say("suspended"))

        room.when_over(over)

    def practice(self, rules: Ruleset, plan: Plan) -> None:
        """Open the table room with bots at the other seats."""
        seats, nick = max(plan.seats, rules.players.min), self._peer.nick
        seat = practice_seat(rules, seats, nick, None, self._levels[plan.level], plan.hands or None, stays=True)
        seat.pace = 1.0
        first, began = secrets.token_hex(16), _now()

        def match() -> Played:  # another one as soon as the last has ended
            id = f"{first}-{tally.ended}"
            return Played(id, rules.game, rules.house, seat.names, began, alone=True)

        tally = Tally(self._statistics, match, lambda: seat.seat)
        self._enter(seat, seat.facts, tally)

    def _enter(self, seat: Seat, facts: Callable[[], TableFacts], tally: Tally) -> LobbyTable:
        keep = self._vote
        vote = None if keep is None else lambda number: keep(seat.rules, number)
        room = self._room = LobbyTable(self._screen, seat, facts, tally, self._left, vote)
        self._screen.enter(room)
        room.begin()
        return room

    def put_away(self) -> None:
        """Take the table room away: this peer sits at another table already."""
        self.close()
        room, self._room = self._room, None
        if room is not None:
            room.put_away()

    def leave_room(self) -> None:
        """Leave the table room, where the player is in one."""
        if self._room is not None:
            self._room.end()

    def _left(self) -> None:
        """Get up, unless there was no table on the network at all."""
        self._room = None
        if self._peer.session is not None:
            self.rise()
        self._back()


def _now() -> int:
    return int(time.time())
