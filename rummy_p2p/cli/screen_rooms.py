"""The other rooms that the lobby leads to: settings, rules, learning, replays."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Final

from rummy_p2p.bots import LEVELS
from rummy_p2p.cli import CommandError
from rummy_p2p.cli.files import read_ledger
from rummy_p2p.cli.local import compiled
from rummy_p2p.cli.settled import chosen
from rummy_p2p.offline.hotseat import one_screen
from rummy_p2p.offline.lesson_gin import gin_course
from rummy_p2p.offline.lesson_guide import guided_seat
from rummy_p2p.offline.replay import Replay
from rummy_p2p.protocol.text import NICK_LIMIT, clean
from rummy_p2p.ruleset import Ruleset, differences
from rummy_p2p.sentences.screen_lobby import lobby_say, players_text
from rummy_p2p.sentences.titles import title_text
from rummy_p2p.statistics import Played, Statistics, StatisticsError
from rummy_p2p.store import Config, Store
from rummy_p2p.ui.curtain_room import CurtainRoom
from rummy_p2p.ui.form import Plan
from rummy_p2p.ui.learn_room import GuideRoom, LearnRoom
from rummy_p2p.ui.lobby_choice import Chooser
from rummy_p2p.ui.replay_room import ReplayRoom
from rummy_p2p.ui.rules_room import RulesRoom
from rummy_p2p.ui.screen import Screen
from rummy_p2p.ui.settings_room import SettingsRoom
from rummy_p2p.ui.table_room import TableRoom
from rummy_p2p.variants.manager import Catalogue


class Shelf:
    """The config file, as the settings room asks for it."""

    def __init__(self, files: Store) -> None:
        """Of these files."""
        self._files = files

    @property
    def place(self) -> str:
        """Where it lies."""
        return str(self._files.config_file)

    def config(self) -> Config:
        """Return what it says."""
        return self._files.config()

    def set_option(self, key: str, value: str | int | bool | None) -> None:  # noqa: FBT001 -- a value, not a switch
        """Write a line, or take it out."""
        self._files.set_option(key, value)


PACE: Final = 0.35  # seconds for which a move of a bot is looked at
Outside = Callable[[Sequence[str]], None]


class Rooms:
    """Opens them over the lobby."""

    def __init__(self, options: Namespace, files: Store, games: Catalogue, screen: Screen, outside: Outside) -> None:
        """``outside`` closes the screen, runs a command line (none: nothing) and opens the lobby again."""
        self._options = options
        self._files = files
        self._games = games
        self._screen = screen
        self._outside = outside

    def settings(self, *, may_reopen: bool) -> None:
        """Open the settings. At a table the lobby is not reopened: what needs that holds from the next time on."""

        def closed(reopens: bool) -> None:  # noqa: FBT001 -- the one question is whether
            if reopens and may_reopen:
                self._outside([])

        look = lambda: chosen(self._options, self._files)  # noqa: E731 -- asked for again after each change
        self._screen.enter(SettingsRoom(self._screen, Shelf(self._files), look, closed))

    def rules(self, game: str, house: tuple[str, ...]) -> None:
        """Show the rule sheet."""
        try:
            here = compiled(self._games, game, house)
        except CommandError as error:
            self._screen.note(str(error))
            return
        changed = differences(self._games.compile(here.game), here)
        self._screen.enter(RulesRoom(self._screen.leave, here, changed))

    def learn(self, game: str) -> None:
        """Learn a game: gin in steps, another in a guided hand."""
        from rummy_p2p.cli.learning import GUIDE_SEED, MOST_SEATS, TEACHER

        rules = self._games.compile(game)
        nick = self._nick()
        if game == "gin":
            room: TableRoom = LearnRoom(self._screen, gin_course(rules, (nick, TEACHER), 1), pace=PACE)
        else:
            seats = max(rules.players.min, min(MOST_SEATS, rules.players.max))
            seat = guided_seat(rules, seats, nick, GUIDE_SEED, LEVELS["normal"], stays=True)
            room = GuideRoom(self._screen, seat, facts=seat.facts, pace=PACE)
        self._screen.enter(room)
        room.begin()

    def _nick(self) -> str:
        return clean(chosen(self._options, self._files).word("nick") or lobby_say("me"), NICK_LIMIT)

    def one_screen(self, plan: Plan) -> None:
        """Play with several people at this screen, as soon as it is known who they are."""

        def ask(text: str) -> None:
            self._screen.open_line(prompt, play, text=text, once=True)

        def play(line: str) -> None:
            names = _names_of(line)
            problem = _names_refused(rules, names)
            if problem:
                ask(line)
                self._screen.note(problem)
                return
            room = CurtainRoom(self._screen, one_screen(rules, names, None))
            self._screen.enter(room)
            room.begin()

        rules = self._games.compile(plan.game, plan.house)
        prompt = lobby_say("ask-names", players=players_text(rules.players.min, rules.players.max))
        self._screen.note(lobby_say("how-names"))
        ask(f"{self._nick()}, ")

    def replays(self) -> None:
        """Choose one of the kept matches, the latest first, and look at it again."""
        ledgers = self._files.ledgers()
        try:
            known = Statistics(self._files.paths).matches()
        except StatisticsError:  # who played is nice to know, and no more
            known = {}
        choices = tuple((_match_text(path, known, self._games), self._replaying(path)) for path in ledgers)
        if choices:
            self._screen.enter(Chooser(self._screen.below, self._screen.leave, lobby_say("key-replays"), choices))
        else:
            self._screen.note(lobby_say("no-replays"))

    def _replaying(self, path: Path) -> Callable[[], None]:
        def replay() -> None:
            try:
                film = Replay(*read_ledger(Namespace(**vars(self._options), file=str(path))))
            except CommandError as error:
                self._screen.note(str(error))
                return
            if film.last:
                self._screen.enter(ReplayRoom(self._screen, film))
            else:
                self._screen.note(film.stop())

        return replay


def _names_of(line: str) -> tuple[str, ...]:
    """Return the names of a line: with commas between them when there is one, else with blanks."""
    parts = line.split(",") if "," in line else line.split()
    return tuple(filter(None, (clean(name, NICK_LIMIT) for name in parts)))


def _names_refused(rules: Ruleset, names: tuple[str, ...]) -> str:
    """Return why these people cannot play; nothing when they can."""
    players, folded = rules.players, [name.casefold() for name in names]
    if not players.min <= len(names) <= players.max:
        wanted = players_text(players.min, players.max)
        return lobby_say("wrong-names", title=title_text(rules), players=wanted, count=len(names))
    twin = next((name for name in names if folded.count(name.casefold()) > 1), "")
    return lobby_say("twin-names", name=twin) if twin else ""


def _match_text(path: Path, known: Mapping[str, Played], games: Catalogue) -> str:
    """Return what is known of a kept match: when, what, who."""
    when = datetime.fromtimestamp(path.stat().st_mtime).astimezone().strftime("%Y-%m-%d %H:%M")
    match = known.get(path.stem)
    if match is None:
        return f"{when}  {path.stem[:12]}"
    game = games.games.get(match.game)
    return f"{when}  {title_text(game.rules) if game else match.game}: {', '.join(match.players)}"
