"""The settings room: what is changed is in the file at once, with the comments that were there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rummy_p2p.store import Config, Paths, Store
from rummy_p2p.ui.room import Mouse
from rummy_p2p.ui.settings import choose
from rummy_p2p.ui.settings_room import SettingsRoom
from tests.ui.lobby import SIZES, check_golden, click, drawn, make_screen, press


class Kept:
    """A config file, under a name that does not change."""

    place = "~/.config/rummy-p2p/config.toml"

    def __init__(self, files: Store) -> None:
        self.files = files

    def config(self) -> Config:
        return self.files.config()

    def set_option(self, key: str, value: str | int | bool | None) -> None:  # noqa: FBT001 -- as the store has it
        self.files.set_option(key, value)


class Settings:
    """The room with all that is around it."""

    def __init__(self, folder: Path, **given: object) -> None:
        self.files = Store(Paths.of(folder))
        self.given = given
        self.closed: list[bool] = []
        self.screen = make_screen()
        chosen = lambda: choose(self.given, {}, self.files.config())  # noqa: E731 -- asked for anew each time
        self.room = SettingsRoom(self.screen, Kept(self.files), chosen, self.closed.append)
        self.screen.enter(self.room)
        self.screen.open_line = self._line  # type: ignore[method-assign,assignment]  # what is typed comes from the test
        self.text = ""

    def _line(self, _prompt: str = "", send: Callable[[str], None] | None = None, **_how: object) -> None:
        assert send is not None
        send(self.text)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(tmp_path)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1] + 2}")
def test_it_looks_as_it_did(settings: Settings, size: tuple[int, int]) -> None:
    settings.room.typed("deck safe")
    settings.room.typed("nick Ada")
    check_golden(f"settings-{size[0]}x{size[1] + 2}", drawn(settings.room, size))


def test_a_step_is_kept_and_seen_at_once(settings: Settings) -> None:
    press(settings.screen, "down", "right")
    assert settings.files.config().deck == "safe"
    assert settings.screen.look.deck == "safe"
    assert settings.screen.noted == "Kept: Colours of the suits is safe."
    press(settings.screen, "left", "left", "left")
    assert settings.files.config().deck == "mono"
    press(settings.screen, "u", "escape")
    assert settings.files.config() == Config()
    assert (settings.closed, settings.screen.room) == ([False], None)


def test_switches(settings: Settings) -> None:
    for key in ("ascii", "bell", "mouse", "plain"):
        settings.room.typed(f"{key} on")
        press(settings.screen, "space")
    config = settings.files.config()
    assert (config.ascii, config.bell, config.mouse, config.plain) == (False, False, False, False)
    assert not settings.screen.mouse_on
    press(settings.screen, "enter")
    assert settings.files.config().plain is True


def test_a_name_is_typed_and_the_lobby_is_opened_again(settings: Settings) -> None:
    settings.text = "  "
    press(settings.screen, "enter")
    assert settings.screen.noted == "A name has at least one letter."
    settings.text = " Ada\x1b[2J "
    press(settings.screen, "enter", "q")
    assert settings.files.config().nick == "Ada[2J"
    assert settings.closed == [True]


def test_what_is_left_to_the_system_is_a_line_less(settings: Settings) -> None:
    settings.room.typed("lang sv")
    assert "< Svenska >" in "\n".join(drawn(settings.room).rows())
    settings.room.typed("lang auto")
    assert settings.files.config().lang is None
    assert settings.screen.noted == "Taken out of the file: Language is as usual."


def test_comments_stay(settings: Settings) -> None:
    file = settings.files.config_file
    file.parent.mkdir(parents=True)
    file.write_text('# for the party\ndeck = "two"  # red and black\n', encoding="utf-8")
    settings.room.typed("deck four")
    assert file.read_text("utf-8") == '# for the party\ndeck = "four"  # red and black\n'


def test_what_does_not_fit_is_refused(settings: Settings) -> None:
    settings.room.typed("deck blue")
    assert settings.screen.noted == "Colours of the suits is one of: two, four, safe, mono."
    settings.room.typed("bell perhaps")
    assert settings.screen.noted == "Bell is one of: yes, no."
    settings.room.typed("nothing 1")
    assert settings.screen.noted.startswith("Arrows choose")


def test_a_file_that_cannot_be_written_is_told(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "config").write_text("in the way", encoding="utf-8")
    room, screen = settings.room, settings.screen
    room._chosen = lambda: choose({}, {}, Config())
    room.typed("deck safe")
    assert "could not be used" in screen.noted


def test_what_a_flag_says_is_told(tmp_path: Path) -> None:
    settings = Settings(tmp_path, deck="two")
    settings.room.typed("deck safe")
    assert settings.files.config().deck == "safe"
    text = " ".join("".join(row[51:-1]) for row in drawn(settings.room).rows())
    assert "given when the program was" in text
    assert settings.screen.look.deck == "two"


def test_the_mouse(settings: Settings) -> None:
    pressed: list[str] = []
    settings.screen.press = pressed.append  # type: ignore[method-assign,assignment]  # a screen that is not shown has no size
    screen, room = settings.screen, settings.room
    at = next(y for y, row in enumerate(drawn(room).rows()) if "Colours of the suits" in row)
    canvas = drawn(room)
    for x in range(canvas.width):
        if canvas.target_at(x, at) == ("field", "deck", "right"):
            room.mouse(Mouse("up", canvas.target_at(x, at), x, at))
            break
    assert settings.files.config().deck == "safe"
    settings.text = "Bea"
    room.mouse(Mouse("up", ("field", "nick", "type"), 0, 0))
    room.mouse(Mouse("up", ("field", "deck", "left"), 0, 0))
    room.mouse(Mouse("up", ("field", "lang", "here"), 0, 0))
    room.mouse(Mouse("up", None, 0, 0))
    config = settings.files.config()
    assert (config.nick, config.deck) == ("Bea", "four")
    click(screen, room, "[Esc Back]")
    assert pressed == ["escape"]


@pytest.mark.parametrize(
    ("text", "found"),
    [("n", ("nick",)), ("deck s", ("safe",)), ("bell ", ("yes", "no")), ("nick A", ()), ("nothing x", ())],
)
def test_what_is_completed(settings: Settings, text: str, found: tuple[str, ...]) -> None:
    assert settings.room.complete(text) == found
    assert settings.room.title() == "rummy-p2p: Settings"
    assert settings.room.cursor() == (1, 1)
