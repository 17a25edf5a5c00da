"""What the lobby sees: the tables and people on this network, how they are looked for, and the player's own page."""

from __future__ import annotations

import asyncio
import platform
from typing import Final

from rummy_p2p import __version__
from rummy_p2p.cli.finding import rows
from rummy_p2p.cli.inviting import title_at
from rummy_p2p.cli.screen_found import Found
from rummy_p2p.cli.screen_offer import table_row
from rummy_p2p.cli.screen_people import PeopleBook
from rummy_p2p.cli.screen_sitting import title_of
from rummy_p2p.node.peer import Peer
from rummy_p2p.protocol.text import words
from rummy_p2p.sentences.faults import retold
from rummy_p2p.statistics import Played, Statistics, StatisticsError, Totals
from rummy_p2p.store import Store
from rummy_p2p.ui.lobby_model import Looking, Person, Profile, TableRow
from rummy_p2p.ui.screen import Screen
from rummy_p2p.variants.manager import Catalogue

LATEST: Final = 8  # matches on the page of the profile


class Seen:
    """Asked at every drawing: what takes time is made anew on news alone."""

    def __init__(
        self, peer: Peer, files: Store, games: Catalogue, screen: Screen, found: Found, book: PeopleBook
    ) -> None:
        """Count the seconds from now on."""
        self._peer = peer
        self._files = files
        self._games = games
        self._screen = screen
        self._found = found
        self._book = book
        self._statistics = Statistics(files.paths)
        self._began = asyncio.get_running_loop().time()
        self._numbers: dict[str, int] = {}
        self._rows: tuple[tuple[int, int], tuple[TableRow, ...]] = ((-1, 0), ())

    @property
    def place(self) -> str:
        """This machine."""
        addresses = self._peer.discovery.choice.addresses
        return " ".join((platform.node().partition(".")[0], *addresses[:1]))

    def tables(self) -> tuple[TableRow, ...]:
        """Return the tables; each keeps its number. They are compared with the own rules when there is news."""
        revision = (self._found.news, self._book.stamp)
        if self._rows[0] != revision:
            seen = self._found.sightings()
            found = rows(seen, self._games)
            for row in found:
                self._numbers.setdefault(row.id, len(self._numbers) + 1)
            cautions = {each.table.id: self._book.caution(each) for each in seen if each.table is not None}
            listed = (table_row(self._games, row, self._numbers[row.id], cautions[row.id]) for row in found)
            self._rows = (revision, tuple(listed))
        return self._rows[1]

    def people(self) -> tuple[Person, ...]:
        """Return this player and all who answer at the door."""
        session = self._peer.session
        mine = title_of(session) if session is not None and session.creator == session.me else ""
        seen = [each for each in self._found.sightings() if each.live]
        seated = set() if session is None else {seat.owner.hex() for seat in session.seats}
        others = (
            Person(
                each.nick,
                title_at(each),
                id=each.id,
                here=each.id in seated,
                caution=self._book.caution(each),
            )
            for each in seen
        )
        return (Person(self._peer.nick, mine, me=True), *others)

    def looking(self) -> Looking:
        """Return how tables are looked for."""
        discovery = self._peer.discovery
        choice = discovery.choice
        return Looking(
            tuple(f"{each.name} {each.address}" for each in choice.used),
            tuple(f"{each.name} {each.address} ({reason})" for each, reason in choice.rejected),
            retold(discovery.trouble.sentence) if discovery.trouble else "",
            int(asyncio.get_running_loop().time() - self._began),
            self._found.told,
        )

    def profile(self) -> Profile:
        """Return who the player is."""
        me = self._peer.identity.player_id
        totals: tuple[Totals, ...] = ()
        latest: tuple[Played, ...] = ()
        try:
            totals = self._statistics.totals()
            latest = tuple(reversed(self._statistics.matches().values()))[:LATEST]
        except StatisticsError as error:
            self._screen.note(str(error))
        return Profile(
            nick=self._peer.nick,
            words=words(me),
            id=me.hex(),
            address=self._peer.address,
            version=__version__,
            folder=str(self._files.paths.data),
            totals=totals,
            latest=latest,
            ledgers=len(self._files.ledgers()),
            peers=len(self._files.peers()[0]),
        )
