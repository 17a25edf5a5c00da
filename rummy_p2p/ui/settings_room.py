"""The settings: what is changed is written at once, and seen at once wherever that is possible."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rummy_p2p.protocol.text import NICK_LIMIT, clean
from rummy_p2p.sentences.language import LANGUAGES
from rummy_p2p.sentences.screen_lobby import form_text, lobby_say, settings_text, value_text
from rummy_p2p.store import StoreError
from rummy_p2p.ui.canvas import Canvas, wrap
from rummy_p2p.ui.form import Field, Kind
from rummy_p2p.ui.form_list import FieldList
from rummy_p2p.ui.lobby_draw import draw_buttons, draw_message
from rummy_p2p.ui.room import Key, Mouse
from rummy_p2p.ui.screen import Screen
from rummy_p2p.ui.settings import AUTO, SETTINGS, Chosen, Setting, Shelf, Value, read_value, setting

_LIST: Final = 50
_WORD: Final = {True: "yes", False: "no"}


class SettingsRoom:
    """A room over the lobby. ``chosen`` tells what holds now; ``closed`` is told whether the lobby must be reopened."""

    def __init__(
        self, screen: Screen, shelf: Shelf, chosen: Callable[[], Chosen], closed: Callable[[bool], None]
    ) -> None:
        """Show what holds."""
        self._screen = screen
        self._shelf = shelf
        self._chosen = chosen
        self._closed = closed
        self._reopens = False
        self._list = FieldList(self.fields)

    # --- the lines ---------------------------------------------------------------------------------------------------

    def fields(self) -> tuple[Field, ...]:
        """Return a line for each setting."""
        chosen = self._chosen()
        return tuple(self._field(each, chosen) for each in SETTINGS)

    @staticmethod
    def _field(each: Setting, chosen: Chosen) -> Field:
        value = chosen.values[each.key]
        kind: Kind = "choice" if each.choices or isinstance(each.usual, bool) else "text"
        return Field(
            each.key,
            settings_text(f"field-{each.key}"),
            kind,
            _shown(each, value),
            settings_text(f"explain-{each.key}"),
        )

    # --- drawing -----------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas) -> None:
        """Draw the settings on the left, what the one that is chosen means on the right."""
        height = canvas.height - 1
        canvas.box(0, 0, _LIST, height, settings_text("title"))
        self._list.draw(canvas.part(1, 1, _LIST - 2, height - 3))
        keys = {key.keys[0]: key for key in self.keys()}
        draw_buttons(canvas.part(2, height - 2, _LIST - 3, 1), 0, keys, ("escape", "u"))
        field = self._list.current
        canvas.box(_LIST, 0, canvas.width - _LIST, height, field.label)
        about = canvas.part(_LIST + 2, 1, canvas.width - _LIST - 4, height - 2)
        source = settings_text(f"from-{self._chosen().sources[field.key]}")
        lines = (field.explain, source, settings_text("file", path=self._shelf.place))
        y = 0
        for style, text in zip(("", "yellow", "dim"), lines, strict=True):
            for line in wrap(text, about.width):
                about.put(0, y, line, style)
                y += 1
            y += 1
        draw_message(canvas, settings_text("keys"))

    def cursor(self) -> tuple[int, int] | None:
        """Return the line that is stood on."""
        x, y = self._list.cursor()
        return x + 1, y + 1

    def title(self) -> str:
        """Return the title of the terminal."""
        return f"rummy-p2p: {settings_text('title')}"

    # --- keys --------------------------------------------------------------------------------------------------------

    def keys(self) -> tuple[Key, ...]:
        """Return what can be done."""
        return (
            Key(("escape", "q"), lobby_say("key-back"), self._back, help=settings_text("help-back")),
            Key(("u",), lobby_say("key-reset"), self._unset, help=settings_text("help-unset")),
            Key(("down", "j", "tab"), "", lambda: self._list.move(1), bar=False, help=lobby_say("help-line-settings")),
            Key(("up", "k", "s-tab"), "", lambda: self._list.move(-1), bar=False),
            Key(("right", "l", "space"), "", lambda: self._step(1), bar=False, help=form_text("help-change")),
            Key(("left", "h"), "", lambda: self._step(-1), bar=False),
            Key(("enter",), "", self._type, bar=False, help=form_text("help-type")),
        )

    def mouse(self, event: Mouse) -> None:
        """A click on a line stands on it; on its arrows or its value it changes it."""
        target = event.target or ()
        if event.kind != "up" or not target:
            return
        if target[0] == "key":
            self._screen.press(str(target[1]))
        elif target[0] == "field":
            self._list.stand_on(str(target[1]))
            if target[2] in ("left", "right"):
                self._step(1 if target[2] == "right" else -1)
            elif target[2] == "type":
                self._type()

    def _back(self) -> None:
        self._screen.leave()
        self._closed(self._reopens)

    def _step(self, by: int) -> None:
        each = setting(self._list.current.key)
        value = self._chosen().values[each.key]
        if isinstance(each.usual, bool):
            self._set(each, not value)
        elif each.choices:
            at = each.choices.index(str(value)) if value in each.choices else 0
            self._set(each, each.choices[(at + by) % len(each.choices)])

    def _type(self) -> None:
        each = setting(self._list.current.key)
        if each.choices or isinstance(each.usual, bool):
            self._step(1)
            return
        value = self._chosen().values[each.key]
        text = "" if value in (None, AUTO) else str(value)
        prompt = f"{self._list.current.label}>"
        self._screen.open_line(prompt, lambda line: self._write(each, line), text=text, once=True)

    def _write(self, each: Setting, text: str) -> None:
        value = read_value(each, clean(text, NICK_LIMIT) if each.key == "nick" else text)
        values = _values(each)
        if value is not None:
            self._set(each, value)
        elif values:
            name = settings_text(f"field-{each.key}")
            self._screen.note(settings_text("no-value", name=name, values=", ".join(values)))
        else:
            self._screen.note(settings_text("not-empty"))

    def _unset(self) -> None:
        self._set(setting(self._list.current.key), None)

    def _set(self, each: Setting, value: Value) -> None:
        """Write it; "left to the system" is a line less."""
        kept = None if value == AUTO else value
        try:
            self._shelf.set_option(each.key, kept)
        except StoreError as error:
            self._screen.note(str(error))
            return
        self._reopens = self._reopens or each.reopens
        name = settings_text(f"field-{each.key}")
        shown = _shown(each, value)
        self._screen.note(settings_text("saved", name=name, value=shown) if kept is not None
                          else settings_text("unset", name=name))  # fmt: skip
        self._show()

    def _show(self) -> None:
        """Let the screen look as it is wanted now."""
        look = self._chosen().look()
        self._screen.look = look
        self._screen.mouse_on = look.mouse

    # --- what is typed -----------------------------------------------------------------------------------------------

    def typed(self, text: str) -> None:
        """Change a setting: ``deck safe``."""
        key, _space, value = text.strip().partition(" ")
        each = next((one for one in SETTINGS if one.key == key), None)
        if each is None:
            self._screen.note(settings_text("keys"))
            return
        self._list.stand_on(key)
        self._write(each, value)

    def complete(self, text: str) -> tuple[str, ...]:
        """Return the settings, or the values of one."""
        key, space, begun = text.partition(" ")
        if not space:
            return tuple(each.key for each in SETTINGS if each.key.startswith(text))
        found = [each for each in SETTINGS if each.key == key]
        values = _values(found[0]) if found else ()
        return tuple(value for value in values if value.startswith(begun))


def _values(each: Setting) -> tuple[str, ...]:
    """Return the words that a setting can be set to; none when any will do."""
    return ("yes", "no") if isinstance(each.usual, bool) else each.choices


def _shown(each: Setting, value: Value) -> str:
    """Return how a value is shown: a language by the name that its own speakers give it."""
    if isinstance(value, bool):
        return value_text(_WORD[value])
    if value is None or value == AUTO:
        return settings_text(AUTO)
    return LANGUAGES.get(value, value) if each.key == "lang" else value
