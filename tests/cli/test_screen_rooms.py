"""What holds for the screen, and the rooms beside the lobby."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rummy_p2p.cli.parser import make_parser
from rummy_p2p.cli.screen_rooms import Rooms, Shelf, _names_of
from rummy_p2p.statistics import Played, Statistics
from rummy_p2p.store import Paths, Store
from rummy_p2p.ui.curtain_room import CurtainRoom
from rummy_p2p.ui.form import Plan
from rummy_p2p.ui.lobby_choice import Chooser
from rummy_p2p.ui.rules_room import RulesRoom
from rummy_p2p.ui.screen import Screen
from rummy_p2p.ui.settings_room import SettingsRoom
from tests.ui.lobby import GAMES, FakeLan, drawn, make_lobby, press


class Opened:
    """Rooms over a lobby; ``text`` is what is typed when a line is asked for."""

    def __init__(self, folder: Path, text: str = "") -> None:
        self.files = Store(Paths.of(folder))
        self.outside: list[list[str]] = []
        self.screen: Screen = make_lobby(FakeLan())[0]
        options = make_parser().parse_args(["--nick", "Ada", "--data", str(folder)])
        self.rooms = Rooms(options, self.files, GAMES, self.screen, lambda words: self.outside.append(list(words)))
        self.prompts: list[tuple[str, object]] = []
        self.typed = [text]
        self.screen.open_line = self._line  # type: ignore[method-assign,assignment]  # as said

    def _line(self, prompt: str, send: Callable[[str], None], *, text: str = "", once: bool = False) -> None:
        assert once
        self.prompts.append((prompt, text))
        if self.typed:
            send(self.typed.pop())

    def begin_nothing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """No event loop runs here, so that no room can begin to listen."""
        monkeypatch.setattr(CurtainRoom, "begin", lambda _room: None)


def test_the_shelf_is_the_config_file(tmp_path: Path) -> None:
    files = Store(Paths.of(tmp_path))
    shelf = Shelf(files)
    shelf.set_option("deck", "two")
    assert shelf.config() == files.config()
    assert shelf.place == str(files.config_file)


@pytest.mark.parametrize(("may_reopen", "outside"), [(True, [[]]), (False, [])])
def test_what_needs_it_opens_the_lobby_again_but_not_at_a_table(
    tmp_path: Path, outside: list[list[str]], *, may_reopen: bool
) -> None:
    opened = Opened(tmp_path)
    opened.rooms.settings(may_reopen=may_reopen)
    room = opened.screen.room
    assert isinstance(room, SettingsRoom)
    room.typed("lang sv")
    press(opened.screen, "escape")
    assert opened.outside == outside


def test_rules_are_read_or_it_is_said_why_not(tmp_path: Path) -> None:
    opened = Opened(tmp_path)
    opened.rooms.rules("gin", ("turn-timer",))
    assert isinstance(opened.screen.room, RulesRoom)
    opened.rooms.rules("canasta", ())
    assert opened.screen.noted.startswith("There is no game called 'canasta'.")


def test_kept_matches_are_told_apart(tmp_path: Path) -> None:
    opened = Opened(tmp_path)
    opened.rooms.replays()
    assert opened.screen.noted == "No match has been kept yet."
    opened.files.save_ledger(bytes(32), b"no ledger")
    opened.files.save_ledger(b"\1" * 32, b"none either")
    match = Played((b"\1" * 32).hex(), "gin", (), ("Ada", "Bea"), 1)
    Statistics(opened.files.paths).hand(match, 1, 5, won=True)
    opened.rooms.replays()
    room = opened.screen.room
    assert isinstance(room, Chooser)
    shown = "\n".join(drawn(room).rows())
    assert "Gin rummy: Ada, Bea" in shown
    assert "000000000000" in shown
    press(opened.screen, "enter")
    assert opened.screen.noted


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ("Ada", "Norwegian rummy is for 2-6 players, not for 1."),
        ("Ada ada", "Two players are called Ada: give each a name of their own."),
    ],
)
def test_who_cannot_play_at_one_screen(tmp_path: Path, names: str, said: str) -> None:
    opened = Opened(tmp_path, names)
    opened.rooms.one_screen(Plan("rummy-no"))
    assert said in opened.screen.noted
    prompt = "names of 2-6 players, commas between>"
    assert opened.prompts == [(prompt, "Ada, "), (prompt, names)]  # asked again, with what was typed


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("Ada, Bea Louise,Cem", ("Ada", "Bea Louise", "Cem")),
        ("Ada Bea", ("Ada", "Bea")),
        (" , ", ()),
    ],
)
def test_names_have_commas_or_blanks_between_them(line: str, names: tuple[str, ...]) -> None:
    assert _names_of(line) == names


def test_several_play_at_one_screen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = Opened(tmp_path, "Ada, Bea  Cem")
    opened.begin_nothing(monkeypatch)
    opened.rooms.one_screen(Plan("rummy-no", ("take-all",)))
    assert isinstance(opened.screen.room, CurtainRoom)
