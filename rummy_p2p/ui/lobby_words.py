"""What can be typed in the lobby: the words of the full screen here, every other line goes on to the command line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

from rummy_p2p.sentences.lobby import LOBBY_WORDS
from rummy_p2p.sentences.screen_lobby import TYPED_WORDS
from rummy_p2p.ui.form import Form
from rummy_p2p.ui.lobby_model import Lan, TableRow

_OF_A_GAME = ("host", "practice", "rules", "hand", "learn", "hotseat")


class Lobby(Protocol):
    """The room, as far as its words ask."""

    form: Form

    @property
    def lan(self) -> Lan:
        """The network."""
        ...

    def find(self, text: str | None = None) -> None:
        """Show only what has these letters."""
        ...

    def new(self) -> None:
        """Fill in the form."""
        ...

    def profile(self) -> None:
        """Show who the player is."""
        ...

    def start(self) -> None:
        """Start the match."""
        ...

    def invite(self, name: str = "") -> None:
        """Ask somebody who is present to the table."""
        ...

    def leave(self) -> None:
        """Leave the table."""
        ...

    def quit(self) -> None:
        """Leave the program."""
        ...


class Typed:
    """The words, and what they do."""

    def __init__(self, lobby: Lobby) -> None:
        """Begin."""
        self._lobby = lobby

    def _words(self) -> Mapping[str, Callable[[str], None]]:
        """Return the words; made anew, for the lobby is drawn before the network is up and gets it later."""
        lobby, lan = self._lobby, self._lobby.lan
        return {
            "find": lobby.find,
            "tables": lambda _rest: lobby.find(""),
            "search": lambda _rest: lan.walk(),
            "vote": lan.vote,
            "guests": lambda _rest: lan.let_guests_in(),
            "code": lambda _rest: lan.show("ways"),
            "new": lambda _rest: lobby.new(),
            "ready": lambda _rest: self._be_ready(wanted=True),
            "unready": lambda _rest: self._be_ready(wanted=False),
            "rematch": lambda _rest: self._be_ready(wanted=True),
            "start": lambda _rest: lobby.start(),
            "chat": lan.say,
            "invite": lobby.invite,
            "leave": lambda _rest: lobby.leave(),
            "profile": lambda _rest: lobby.profile(),
            "settings": lambda _rest: lan.show("settings", "", ()),
            "quit": lambda _rest: lobby.quit(),
            "exit": lambda _rest: lobby.quit(),
            "q": lambda _rest: lobby.quit(),
        }

    def _be_ready(self, *, wanted: bool) -> None:
        """Be ready, or not: as at the table, where who types it twice has said it twice."""
        sitting = self._lobby.lan.sitting()
        if sitting is None or sitting.ready is not wanted:
            self._lobby.lan.ready()

    def typed(self, text: str) -> None:
        """Carry out a line."""
        word, _space, rest = text.strip().removeprefix("/").partition(" ")
        action = self._words().get(word)
        if action is None or (word == "tables" and rest):
            self._lobby.lan.command(text.strip().removeprefix("/"))
        else:
            action(rest.strip())

    def complete(self, text: str, tables: tuple[TableRow, ...]) -> tuple[str, ...]:
        """Return what the last word of an unfinished line may become."""
        *before, begun = text.removeprefix("/").split(" ")
        found = self._candidates([word for word in before if word], tables)
        return tuple(dict.fromkeys(word for word in found if word.casefold().startswith(begun.casefold())))

    def _candidates(self, before: list[str], tables: tuple[TableRow, ...]) -> Iterable[str]:
        games = self._lobby.form.games
        if not before:
            return (*LOBBY_WORDS, *TYPED_WORDS)
        if before[-1] == "--house":
            return tuple(games.house_rules)
        if before == ["join"]:
            return tuple(each for row in tables for each in (str(row.number), row.title))
        if len(before) == 1 and before[0] in _OF_A_GAME:
            return tuple(games.games)
        if before == ["invite"]:
            return tuple(person.nick for person in self._lobby.lan.people() if not (person.me or person.here))
        if before == ["help"]:
            return (*LOBBY_WORDS, *TYPED_WORDS)
        return ("--house",) if before[0] in _OF_A_GAME else ()
