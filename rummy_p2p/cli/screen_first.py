"""The lobby of the full screen before the network is up: drawn at once; what is asked of it waits a moment."""

from __future__ import annotations

import platform
from collections.abc import Callable

from rummy_p2p import __version__
from rummy_p2p.ui.form import Plan
from rummy_p2p.ui.lobby_model import Lan, Looking, Person, Profile, Room, Sitting, TableRow, Unfinished, Walking
from rummy_p2p.ui.screen import Screen

Ask = Callable[[Lan], None]


class ComingLan:
    """Nobody is seen yet. Whatever is asked for is asked of the network when that is there (``hand_over``)."""

    busy = ""

    def __init__(self, screen: Screen, nick: str, folder: str) -> None:
        """For the player of this name, whose files lie in this folder."""
        self.nick = nick
        self.place = platform.node().partition(".")[0]
        self._screen = screen
        self._folder = folder
        self._asked: list[Ask] = []
        self._here: Lan | None = None

    def hand_over(self, lan: Lan) -> None:
        """Ask the network what was asked for so far; what is asked for later goes on to it at once: by a form that was
        opened before.
        """
        self._here = lan
        for ask in self._asked:
            ask(lan)

    def _ask(self, ask: Ask) -> None:
        if self._here is None:
            self._asked.append(ask)
        else:
            ask(self._here)

    def tables(self) -> tuple[TableRow, ...]:
        """None yet."""
        return ()

    def people(self) -> tuple[Person, ...]:
        """Return the player alone."""
        return (Person(self.nick, me=True),)

    def looking(self) -> Looking:
        """Return that it is about to begin: on what is not known yet."""
        return Looking(("...",))

    def sitting(self) -> Sitting | None:
        """None yet."""
        return None

    def unfinished(self) -> tuple[Unfinished, ...]:
        """None yet."""
        return ()

    def profile(self) -> Profile:
        """Return what is known without the network."""
        return Profile(self.nick, "", "", "", __version__, self._folder, (), 0, 0)

    @property
    def walking(self) -> Walking | None:
        """None yet."""
        return None

    def walk(self) -> None:
        """Begin to walk along the network, in a moment."""
        self._ask(lambda lan: lan.walk())

    def open(self, plan: Plan) -> None:
        """Open a table, in a moment."""
        self._ask(lambda lan: lan.open(plan))

    def join(self, table: str) -> None:
        """Sit down, in a moment."""
        self._ask(lambda lan: lan.join(table))

    def invite(self, person: str) -> None:
        """Ask somebody to the table, in a moment."""
        self._ask(lambda lan: lan.invite(person))

    def look_on(self, table: str) -> None:
        """Look on, in a moment."""
        self._ask(lambda lan: lan.look_on(table))

    def resume(self, match: str) -> None:
        """Go on with a match, in a moment."""
        self._ask(lambda lan: lan.resume(match))

    def practice(self, plan: Plan) -> None:
        """Play alone, in a moment."""
        self._ask(lambda lan: lan.practice(plan))

    def one_screen(self, plan: Plan) -> None:
        """Play at one screen, in a moment."""
        self._ask(lambda lan: lan.one_screen(plan))

    def ready(self) -> None:
        """There is no table to be ready at."""

    def start(self) -> None:
        """There is no table to be started."""

    def let_guests_in(self) -> None:
        """There is no table for them."""

    def vote(self, text: str) -> None:
        """There is nobody to vote about."""

    def say(self, text: str) -> None:
        """Nobody hears it."""

    def leave(self) -> None:
        """There is no table to be left."""

    def command(self, text: str) -> None:
        """Carry out a line, in a moment."""
        self._ask(lambda lan: lan.command(text))

    def show(self, what: Room, game: str = "", house: tuple[str, ...] = ()) -> None:
        """Open another room, in a moment."""
        self._ask(lambda lan: lan.show(what, game, house))

    def quit(self) -> None:
        """Leave the program."""
        while self._screen.room is not None:
            self._screen.leave()

    def watch(self, _call: Callable[[], None]) -> Callable[[], None]:
        """Nothing changes before the network is there."""
        return lambda: None
