"""Who is who, for the screen: the list of the people that are known, those who are here, and what is to be thought of
whoever has a table open.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime

from rummy_p2p.cli.screen_found import Found
from rummy_p2p.node.announcement import Sighting
from rummy_p2p.people import Known, People
from rummy_p2p.protocol.text import NICK_LIMIT, clean, shared_words
from rummy_p2p.store import Store, StoreError
from rummy_p2p.ui.lobby_model import Caution
from rummy_p2p.ui.people_room import Acquaintance, Standing
from rummy_p2p.ui.screen import Screen


class PeopleBook:
    """The file of those who are known, beside those who are seen. The file is read again when it has changed."""

    def __init__(self, me: bytes, files: Store, found: Found, screen: Screen, changed: Callable[[], None]) -> None:
        """``me``: this player's key; ``changed`` is called when something was written."""
        self._me = me
        self._people = People(files.paths)
        self._found = found
        self._screen = screen
        self._changed = changed
        self._read: tuple[int, tuple[Known, ...]] = (-1, ())
        self._shown: tuple[tuple[int, int], tuple[Acquaintance, ...]] = ((-1, -1), ())

    @property
    def stamp(self) -> int:
        """Another number whenever the file is another one."""
        try:
            return self._people.path.stat().st_mtime_ns
        except OSError:
            return 0

    def known(self) -> tuple[Known, ...]:
        """Return who is known; a file that cannot be read is told, and nobody is."""
        stamp = self.stamp
        if self._read[0] != stamp:
            try:
                self._read = (stamp, self._people.known())
            except StoreError as error:
                self._screen.note(str(error))
                self._read = (stamp, ())
        return self._read[1]

    def caution(self, seen: Sighting) -> Caution:
        """Return what is to be thought of somebody who is seen; empty for nothing."""
        standing = self._standing(seen.nick, seen.id)
        return standing if standing in ("blocked", "another-key") else ""

    def _standing(self, nick: str, id: str) -> Standing:
        known = self.known()
        one = next((each for each in known if each.id == id), None)
        if one is not None:
            return "blocked" if one.blocked else "known"
        return "another-key" if self._namesake(nick) is not None else "new"

    def _namesake(self, nick: str) -> Known | None:
        return next((each for each in self.known() if each.nick.casefold() == clean(nick, NICK_LIMIT).casefold()), None)

    # --- for the room ------------------------------------------------------------------------------------------------

    def people(self) -> tuple[Acquaintance, ...]:
        """Return everybody: those who are here, then those who are known, the latest first; made anew on news alone."""
        now = (self.stamp, self._found.news)
        if self._shown[0] != now:
            self._shown = (now, self._everybody())
        return self._shown[1]

    def _everybody(self) -> tuple[Acquaintance, ...]:
        here = {each.id: each for each in self._found.sightings() if each.live and each.id != self._me.hex()}
        last = {each.id: each.seen for each in self._found.remembered()}
        known = {each.id: each for each in self.known()}
        present = [self._one(each.nick, each.id, known.get(each.id), each) for each in here.values()]
        absent = [each for each in known.values() if each.id not in here]
        absent.sort(key=lambda each: -max(each.since, last.get(each.id, 0)))
        return (*present, *(self._one(each.nick, each.id, each, None, last.get(each.id, 0)) for each in absent))

    def _one(self, nick: str, id: str, known: Known | None, seen: Sighting | None, last: int = 0) -> Acquaintance:
        standing = self._standing(nick, id)
        namesake = self._namesake(nick) if standing == "another-key" else None
        return Acquaintance(
            id=id,
            nick=clean(nick, NICK_LIMIT),
            words=shared_words(self._me, bytes.fromhex(id)),
            standing=standing,
            here=seen is not None,
            table=seen.table.title if seen is not None and seen.table is not None else "",
            seen=_day(last),
            since=_day(known.since) if known is not None else "",
            before=shared_words(self._me, namesake.key) if namesake is not None else "",
        )

    def trust(self, id: str) -> None:
        """Believe the key of somebody from now on, in place of another of that name."""
        self._write(lambda: self._people.trust(self._nick_of(id), bytes.fromhex(id), int(time.time())))

    def forget(self, id: str) -> None:
        """Know nothing of somebody any more."""
        self._write(lambda: self._people.drop(bytes.fromhex(id)))

    def block(self, id: str, *, blocked: bool) -> None:
        """Have nothing to do with somebody, or no longer so."""
        nick, key = self._nick_of(id), bytes.fromhex(id)
        self._write(lambda: self._people.mark(nick, key, int(time.time()), blocked=blocked))

    def _nick_of(self, id: str) -> str:
        return next((each.nick for each in self.people() if each.id == id), "?")

    def _write(self, act: Callable[[], None]) -> None:
        try:
            act()
        except StoreError as error:
            self._screen.note(str(error))
        self._read, self._shown = (-1, ()), ((-1, -1), ())
        self._changed()


def _day(when: int) -> str:
    return datetime.fromtimestamp(when).astimezone().strftime("%Y-%m-%d %H:%M") if when else ""
