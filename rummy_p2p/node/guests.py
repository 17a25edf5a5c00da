"""The guests of this program: people who play at its table from a terminal elsewhere, with no program of their own.

The law of this file
    A guest's seat is one of this peer's own: the peer counts once in votes and in the blind deal, however many guests
    it has, and could see their cards. A guest who has gone keeps the seat for a while and may come back to it, from the
    same machine or with the table's password. After that, or when the guest has said farewell, the seat is free again;
    in the middle of a match a bot plays it until the match is over or the guest is back. Who finds no seat looks on and
    gets the next that is free, first come, first served.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from rummy_p2p.node.guest_seat import GuestSeat, place_of
from rummy_p2p.node.peer import Peer
from rummy_p2p.protocol.faults import Refusal
from rummy_p2p.protocol.forming import Phase
from rummy_p2p.protocol.table import TableSession
from rummy_p2p.protocol.text import NICK_LIMIT, clean
from rummy_p2p.sentences.guests import guest_text

MOST = 8
KEPT_FOR = 60.0
FREE_TRIES = 3
LONGEST_WAIT = 30.0
FORGOTTEN_AFTER = 600.0
_REMEMBERED = 256


class NoGuest(Exception):
    """A guest is not let in; the text tells the guest why."""


class Wrong:
    """Counts the wrong passwords of each address: some are free, then each try has to wait twice as long."""

    def __init__(self) -> None:
        self._tries: OrderedDict[str, tuple[int, float]] = OrderedDict()

    def wait(self, address: str, now: float) -> float:
        """Note a try and return after how many seconds it may be answered. Tries side by side count as well."""
        count, since = self._tries.pop(address, (0, now))
        if now - since >= FORGOTTEN_AFTER:
            count = 0
        self._tries[address] = (count + 1, now)
        while len(self._tries) > _REMEMBERED:
            self._tries.popitem(last=False)
        return 0.0 if count < FREE_TRIES else min(LONGEST_WAIT, 2.0 ** (count - FREE_TRIES + 1))

    def right(self, address: str) -> None:
        """The password was right: nothing is held against this address."""
        self._tries.pop(address, None)


@dataclass(slots=True)
class _Place:
    """A seat that was given to a guest: to whom, and since when nobody sits on it (None: somebody does)."""

    name: str
    address: str
    number: int
    seat: GuestSeat | None
    end: Callable[[], None]
    empty_since: float = 0.0
    given_up: bool = False

    def is_free(self, now: float) -> bool:
        """Whether the guest has gone for good, as far as can be told; nothing is kept for who only looked on."""
        return self.seat is None and (self.given_up or not self.number or now >= self.empty_since + KEPT_FOR)


class Guests:
    """Who sits here as a guest. Belongs to one table."""

    def __init__(self, peer: Peer, session: TableSession) -> None:
        self._peer = peer
        self._session = session
        self._places: list[_Place] = []
        self._sent_away: set[str] = set()
        self._due: asyncio.TimerHandle | None = None
        self._closed = False
        self._stop = peer.watch(self._tend_soon)

    @property
    def owner(self) -> str:
        """Whose program this is."""
        return self._session.name_of(self._session.me)

    def close(self) -> None:
        """No guests any more; a second time changes nothing."""
        if self._closed:
            return
        self._closed = True
        self._stop()
        if self._due is not None:
            self._due.cancel()
        for place in self._places:
            if place.seat is not None:
                place.seat.close()
                place.end()

    def sit(self, name: str, address: str, end: Callable[[], None], *, invited: bool = False) -> GuestSeat:
        """Give a guest a seat, or the old one back, or let it wait for one. ``end`` ends the guest's terminal;
        ``invited``: knew the password. NoGuest tells why it is not let in.
        """
        nick = clean(name, NICK_LIMIT) or "?"
        if self._closed or self._session.phase is Phase.CLOSED:
            raise NoGuest(guest_text("closed"))
        if address in self._sent_away:
            raise NoGuest(guest_text("sent-away", owner=self.owner))
        place = next((each for each in self._places if each.name.casefold() == nick.casefold()), None)
        if place is not None:
            return self._sit_again(place, address, end, invited=invited)
        if sum(each.seat is not None for each in self._places) >= MOST:
            raise NoGuest(guest_text("full", most=MOST))
        return self._sit_first(_Place(nick, address, 0, None, end))

    def _sit_first(self, place: _Place) -> GuestSeat:
        seat = place.seat = GuestSeat(self._peer, self._session, self._give_up)
        seat.name = place.name
        self._places.append(place)
        if not self._find_seat(place, seat):
            seat.answer(guest_text("waits"))
        return seat

    def _find_seat(self, place: _Place, seat: GuestSeat) -> bool:
        """Seat a guest; whether there was a seat."""

        def sit_down(table: TableSession, now: float) -> None:
            place.number = seat.number = table.seat_guest(place.name, now)

        try:
            self._peer.do(sit_down)
        except Refusal:
            return False
        seat.answer(guest_text("trust", owner=self.owner))
        return True

    def _sit_again(self, place: _Place, address: str, end: Callable[[], None], *, invited: bool) -> GuestSeat:
        """A terminal that broke off may not have been missed yet: who comes back takes its place."""
        if address != place.address and (place.seat is not None or not invited):
            raise NoGuest(guest_text("taken" if place.seat is not None else "kept", name=place.name, owner=self.owner))
        if place.seat is not None:
            place.seat.close()
            place.end()
        elif not place.given_up:
            self._speak(place, "returned")
        place.seat = GuestSeat(self._peer, self._session, self._give_up)
        place.seat.number, place.seat.name = place.number, place.name
        place.address, place.end, place.given_up = address, end, False
        place.seat.answer(guest_text("back"))
        return place.seat

    def dismiss(self, name: str) -> bool:
        """Send a guest away, who gets no seat here again; whether there is one of that name."""
        wanted = name.strip().casefold()
        place = next((each for each in self._places if each.name.casefold() == wanted), None)
        if place is None:
            return False
        self._sent_away.add(place.address)
        seat, end = place.seat, place.end
        place.seat, place.given_up = None, True
        if seat is not None:
            seat.close()
            end()
        self._tend_soon()
        return True

    def drop(self, seat: GuestSeat) -> None:
        """A guest's terminal has gone, for whatever reason; the seat is kept for a while, and the others are told."""
        seat.close()
        for place in self._places:
            if place.seat is seat:
                place.seat, place.empty_since = None, _now()
                self._speak(place, "gone")
                self._tend_soon()

    def _speak(self, place: _Place, code: str) -> None:
        """Tell all at the table, in the guest's name: the table waits for it, and nobody else knows why."""
        stands = self._peer.session is self._session and self._session.phase is not Phase.CLOSED
        if place.number and stands and not self._closed:
            self._peer.do(lambda table, now: table.chat(guest_text(code), now, place.number))

    def _give_up(self, seat: GuestSeat) -> None:
        for place in self._places:
            if place.seat is seat:
                place.seat, place.given_up = None, True
                self._tend_soon()

    def stands_in(self) -> set[int]:
        """Return the seats of those who have gone: bots play them."""
        now = _now()
        return set(self._numbers(place for place in self._places if place.is_free(now)))

    def _numbers(self, places: Iterator[_Place]) -> Iterator[int]:
        return (found for place in places if (found := place_of(self._session, place.number)) is not None)

    def _tend_soon(self) -> None:
        """Look soon, and not inside of what is happening just now."""
        if self._closed:
            return
        if self._due is not None:
            self._due.cancel()
        self._due = asyncio.get_running_loop().call_later(0, self._tend)

    def _tend(self) -> None:
        """While no match is played, free the seats of those who have gone, and give them to those who wait; look again
        when the next is due.
        """
        self._due = None
        now = _now()
        if self._session.phase is Phase.OPEN and self._peer.session is self._session:
            for place in [each for each in self._places if each.is_free(now)]:
                self._places.remove(place)
                self._unseat(place)
            self._seat_who_waits()
        waits = [each.empty_since + KEPT_FOR - now for each in self._places if each.seat is None and not each.given_up]
        later = [wait for wait in waits if wait > 0]
        if later and not self._closed:
            self._due = asyncio.get_running_loop().call_later(min(later), self._tend_late)

    def _seat_who_waits(self) -> None:
        for place in self._places:
            # Asked for in vain a seat would still be news, and news is what brings us here.
            has_room = len(self._session.seats) < self._session.info.seats
            if has_room and place.seat is not None and not place.number:
                self._find_seat(place, place.seat)

    def _unseat(self, place: _Place) -> None:
        self._peer.do(lambda table, now: table.unseat_guest(place.number, now))

    def _tend_late(self) -> None:
        """A seat has been kept long enough: bots are told by the news."""
        self._tend()
        self._peer.tell_watchers()


def _now() -> float:
    return asyncio.get_running_loop().time()
