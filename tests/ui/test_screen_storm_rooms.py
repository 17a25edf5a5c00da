"""A storm of keys, mouse and typed lines over every other room than the table, at changing sizes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
import pytest
from prompt_toolkit.input import create_pipe_input

from rummy_p2p.bots import LEVELS
from rummy_p2p.offline.hotseat import one_screen
from rummy_p2p.offline.lesson_gin import gin_course
from rummy_p2p.offline.lesson_guide import guided_seat
from rummy_p2p.ruleset import differences
from rummy_p2p.store import Paths, Store
from rummy_p2p.ui.curtain_room import CurtainRoom
from rummy_p2p.ui.form import Form
from rummy_p2p.ui.form_room import FormRoom
from rummy_p2p.ui.learn_room import GuideRoom, LearnRoom
from rummy_p2p.ui.lobby_room import LobbyRoom
from rummy_p2p.ui.replay_room import ReplayRoom
from rummy_p2p.ui.room import Room
from rummy_p2p.ui.rules_room import RulesRoom
from rummy_p2p.ui.screen import Screen
from rummy_p2p.ui.settings import choose
from rummy_p2p.ui.settings_room import SettingsRoom
from rummy_p2p.ui.table_room import TableRoom
from tests.offline.test_replay import film
from tests.ui.lobby import GAMES, SITTING, FakeLan
from tests.ui.storm import Gale
from tests.ui.table import Onlooker, facts_with
from tests.ui.test_settings_room import Kept
from variants_plugins.gin import RULES as GIN
from variants_plugins.rum_500_ro import RULES as RUM_500
from variants_plugins.rummy_no import RULES as NORWEGIAN


class _Forgetful(list[tuple[object, ...]]):
    def append(self, _item: object) -> None:
        pass


@dataclass
class Ends(FakeLan):
    """A network that leaves nothing to do: what is asked of it is forgotten."""

    asked: list[tuple[object, ...]] = field(default_factory=_Forgetful)


def _lobby(screen: Screen, _folder: Path) -> Room:
    return LobbyRoom(screen, Ends(), Form(GAMES, ("easy", "normal")))


def _at_own_table(screen: Screen, _folder: Path) -> Room:
    return LobbyRoom(screen, Ends(seat=SITTING), Form(GAMES, ("easy", "normal")))


def _form(screen: Screen, _folder: Path) -> Room:
    return FormRoom(screen, Ends(), Form(GAMES, ("easy", "normal")))


def _settings(screen: Screen, folder: Path) -> Room:
    files = Store(msgspec.structs.replace(Paths.of(folder), config=folder))
    return SettingsRoom(screen, Kept(files), lambda: choose({}, {}, files.config()), lambda _reopens: None)


def _rules(screen: Screen, _folder: Path) -> Room:
    house = GAMES.compile("rummy-no", ("take-all", "limit=70"))
    return RulesRoom(screen.leave, house, differences(GAMES.compile("rummy-no"), house))


def _replay(screen: Screen, _folder: Path) -> Room:
    return ReplayRoom(screen, film())


def _learn(number: int) -> Callable[[Screen, Path], Room]:
    def make(screen: Screen, _folder: Path) -> Room:
        room = LearnRoom(screen, gin_course(GIN, ("Ada", "Bea"), number))
        room.begin()
        return room

    return make


def _guide(screen: Screen, _folder: Path) -> Room:
    seat = guided_seat(RUM_500, 2, "Ada", 5, LEVELS["normal"], stays=True)
    room = GuideRoom(screen, seat, facts=seat.facts)
    room.begin()
    return room


def _curtain(screen: Screen, _folder: Path) -> Room:
    room = CurtainRoom(screen, one_screen(NORWEGIAN, ("Ada", "Bea", "Cem"), 5))
    room.begin()
    return room


def _looking_on(screen: Screen, _folder: Path) -> Room:
    return TableRoom(screen, Onlooker(), facts=lambda: facts_with(looks_on="Gus", watching=1))


ROOMS: dict[str, Callable[[Screen, Path], Room]] = {
    "lobby": _lobby,
    "own-table": _at_own_table,
    "form": _form,
    "settings": _settings,
    "rules": _rules,
    "replay": _replay,
    "learn-1": _learn(1),
    "learn-6": _learn(6),
    "guide": _guide,
    "curtain": _curtain,
    "looking-on": _looking_on,
}


def blow(room: str, seed: int, events: int, folder: Path, log: pytest.LogCaptureFixture) -> None:
    """Blow until there were so many events; whoever has left the room comes in again."""
    while events > 0:
        with create_pipe_input() as keys:
            gale = Gale(seed, keys)
            events -= asyncio.run(gale.blow(events, lambda gale=gale: ROOMS[room](gale.screen, folder)))  # type: ignore[misc]  # bound at once
        seed += 100
    assert [record.getMessage() + str(record.exc_info) for record in log.records] == []


@pytest.mark.parametrize("room", ROOMS)
def test_a_storm_breaks_nothing(room: str, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    blow(room, 1, 60, tmp_path, caplog)


@pytest.mark.nightly
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("room", ROOMS)
def test_a_long_storm_breaks_nothing(room: str, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    blow(room, 11, 10_000, tmp_path, caplog)
