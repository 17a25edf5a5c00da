"""The rooms over the lobby that are about the network: the doctor, who is who, and how others come to the own table."""

from __future__ import annotations

from rummy_p2p.cli.screen_doctor import Examining
from rummy_p2p.cli.screen_guests import GuestDoor
from rummy_p2p.cli.screen_people import PeopleBook
from rummy_p2p.cli.screen_table import Seats
from rummy_p2p.cli.screen_ways import ways_to
from rummy_p2p.node.peer import Peer
from rummy_p2p.sentences.screen_network import network_say
from rummy_p2p.store import Store
from rummy_p2p.ui.doctor_room import DoctorRoom
from rummy_p2p.ui.people_room import PeopleRoom
from rummy_p2p.ui.screen import Screen
from rummy_p2p.ui.ways_room import Ways, WaysRoom
from rummy_p2p.variants.manager import Catalogue


class NetworkRooms:
    """Opens them."""

    def __init__(
        self,
        peer: Peer,
        files: Store,
        games: Catalogue,
        screen: Screen,
        book: PeopleBook,
        seats: Seats,
        guests: GuestDoor,
    ) -> None:
        """Of one stay in the lobby."""
        self._peer = peer
        self._files = files
        self._games = games
        self._screen = screen
        self._book = book
        self._seats = seats
        self._guests = guests
        seats.ways = self._ways

    def doctor(self, whom: str = "") -> None:
        """Show what works here, and on the way to somebody."""
        examining = Examining(self._peer, self._files, self._games, self._screen, whom)
        self._screen.enter(DoctorRoom(self._screen, examining))

    def people(self) -> None:
        """Show who is who."""
        self._screen.enter(PeopleRoom(self._screen, self._book))

    def ways(self) -> None:
        """Show how others come to the own table."""
        if self._ways() is None:
            self._screen.note(network_say("ways-none"))
        else:
            self._screen.enter(WaysRoom(self._screen, self._ways))

    def _ways(self) -> Ways | None:
        ascii_only = self._screen.look.glyphs.across.isascii()
        return ways_to(self._peer, self._seats.password, self._guests.way, ascii_only=ascii_only)
