"""The seat of a guest: a person who plays at this program without one of their own."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import msgspec

from rummy_p2p.engine import NOBODY
from rummy_p2p.node.peer import Peer
from rummy_p2p.node.seat import Command, NetworkSeat
from rummy_p2p.protocol import events as tell
from rummy_p2p.protocol.faults import Refusal
from rummy_p2p.protocol.messages import TableInfo
from rummy_p2p.protocol.roster import Seat
from rummy_p2p.protocol.table import TableSession
from rummy_p2p.ruleset import Ruleset
from rummy_p2p.sentences.lan import Players, table_line
from rummy_p2p.sentences.screen import TableFacts

_SELF = b"a guest of this program"
_OWN_COMMANDS = ("chat", "leave")


class GuestSeat(NetworkSeat):
    """A further seat of this peer, played by a person at another terminal of its program, or waited for."""

    def __init__(self, peer: Peer, session: TableSession, left: Callable[["GuestSeat"], None]) -> None:
        """Hear the table from now on; ``number`` is to be set when there is a seat, and until then the guest looks on,
        by its ``name``. ``left`` is called when the guest goes.
        """
        super().__init__(peer, session)
        self.number = 0
        self.name = ""
        self._left = left
        self._own_inbox: asyncio.Queue[tell.TableEvent] = asyncio.Queue()
        self._stop: Callable[[], None] | None = peer.listen(self._own_inbox.put_nowait)

    def close(self) -> None:
        """Hear no more; who waits for what happens next is told that nothing does."""
        if self._stop is not None:
            self._stop()
            self._stop = None
            self._end()

    @property
    def seat(self) -> int:
        """This guest's seat; `NOBODY` while there is none."""
        found = self._place()
        return NOBODY if found is None else found

    @property
    def looks_on(self) -> bool:
        """Whether the guest has no seat in what is to be seen, which is then what everybody sees."""
        return self._place() is None

    def _place(self) -> int | None:
        return place_of(self._session, self.number)

    def act(self, text: str) -> None:
        """Make a move; IllegalAction when the rules say no. What cannot be done just now becomes a line of its own."""
        self._do(lambda table, now: table.act(self._seat_to_play(), text, now))

    def _seat_to_play(self) -> int:
        found = self._place()
        if found is None:
            raise Refusal("not-seated")
        return found

    def commands(self) -> Mapping[str, tuple[str, Command]]:
        """Return what a guest can type besides moves: the table belongs to whoever has the program."""
        own = _OWN_COMMANDS if self.number else _OWN_COMMANDS[-1:]
        return {name: each for name, each in super().commands().items() if name in own}

    def facts(self) -> TableFacts:
        """Return what the table tells of itself."""
        name = self.name if self.looks_on else ""
        return msgspec.structs.replace(
            super().facts(),
            opener=False,
            ready=False,
            may_ready=False,
            may_start=False,
            may_rematch=False,
            may_change=False,
            looks_on=name,
        )

    @property
    def _inbox(self) -> asyncio.Queue[tell.TableEvent]:
        return self._own_inbox

    def _chat(self, text: str) -> None:
        self._do(lambda table, now: table.chat(text, now, self.number))

    def _leave(self) -> None:
        self._left(self)
        self.close()

    def _is_sent_away(self, event: tell.Voted) -> bool:
        """Guests go with the program whose guests they are; one alone is sent away by its owner."""
        del event
        return False

    def _line(self, event: tell.TableEvent) -> str | None:
        table = _TableOfGuest(self._session, self.number)
        return table_line(table.as_told(event), table)


def place_of(session: TableSession, number: int) -> int | None:
    """Return the seat of the guest with this number: in the match as long as it is spoken of; None: there is none."""
    seats = (session.match or session).seats
    return next((seat.number for seat in seats if number and (seat.owner, seat.guest) == (session.me, number)), None)


@dataclass(frozen=True, slots=True)
class _TableOfGuest:
    """A table as its guest is told of it: the own seat is the guest's, and that of the program somebody else's."""

    session: TableSession
    number: int

    @property
    def me(self) -> bytes:
        return _SELF

    @property
    def creator(self) -> bytes:
        return self.session.creator

    @property
    def info(self) -> TableInfo:
        return self.session.info

    @property
    def rules(self) -> Ruleset:
        return self.session.rules

    @property
    def match(self) -> Players | None:
        return self.session.match

    @property
    def seats(self) -> tuple[Seat, ...]:
        return self._mine(self.session.seats)

    def as_told(self, event: tell.TableEvent) -> tell.TableEvent:
        """Return an event in which the guest's seat is its own. A guest is ready by being there."""
        if not isinstance(event, tell.Seated):
            return event
        seats = self._mine(event.seats)
        return replace(event, seats=seats, ready=(*event.ready, *(seat.name for seat in seats if seat.owner == _SELF)))

    def _mine(self, seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
        if not self.number:  # who has no seat yet; the program's own is nobody's either
            return seats
        own = (self.session.me, self.number)
        return tuple(replace(seat, owner=_SELF) if (seat.owner, seat.guest) == own else seat for seat in seats)
