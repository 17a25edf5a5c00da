"""Asking others to the table where one sits: one is chosen or called by name; else it is shown how others join, with
the code large where the table is one's own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rummy_p2p.sentences.screen import TableFacts, table_text
from rummy_p2p.sentences.screen_lobby import lobby_say
from rummy_p2p.sentences.screen_network import network_say
from rummy_p2p.ui.invited import choices, invite_called
from rummy_p2p.ui.lobby_choice import Chooser
from rummy_p2p.ui.lobby_model import Person
from rummy_p2p.ui.screen import Screen
from rummy_p2p.ui.table_pages import invite_lines
from rummy_p2p.ui.ways_room import Ways, WaysRoom


class Invites:
    """What the key and the word invite do at one table."""

    def __init__(self, screen: Screen, facts: Callable[[], TableFacts]) -> None:
        """Nobody is present, unless somebody tells who is."""
        self._screen = screen
        self._facts = facts
        self.present: Callable[[], Sequence[Person]] = tuple  # who could be invited
        self.ask_in: Callable[[str], None] = lambda _person: None
        self.ways: Callable[[], Ways | None] = lambda: None  # to the player's own table

    def invite(self, name: str) -> None:
        """Ask somebody who is present: whoever is called so, or let one be chosen; else show how others join."""
        facts = self._facts()
        found = choices(self.present(), self.ask_in) if facts.forming and facts.free > 0 else []
        if name:
            self._screen.note(self._invite_called(name, facts))
        elif found:
            found.append((lobby_say("invite-how"), self._show_how))
            self._screen.enter(Chooser(self._screen.below, self._screen.leave, lobby_say("invite-whom"), found))
        else:
            self._show_how()

    def _invite_called(self, name: str, facts: TableFacts) -> str:
        """Invite whoever is called so; return why not, or nothing."""
        if not facts.joining[1]:
            return table_text("no-invite")
        if not facts.forming:
            return table_text("invite-later")
        return invite_called(self.present(), name, self.ask_in) if facts.free else lobby_say("invite-full")

    def _show_how(self) -> None:
        ways = self.ways()
        lines = invite_lines(self._facts(), "" if ways is None else ways.code)
        if lines:
            self._screen.page(table_text("invite-head"), lambda: lines)
        else:
            self._screen.note(table_text("no-invite"))

    def show_ways(self) -> None:
        """Show the code large, where the player has opened the table."""
        if self.ways() is not None:
            self._screen.enter(WaysRoom(self._screen, self.ways))
        else:
            here = self._facts().joining[1]
            self._screen.note(network_say("ways-not-yours") if here else table_text("no-invite"))
