"""What a player may choose, and what holds: what was given at the start before the environment, then the file, then
what is usual.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, Protocol, cast

import msgspec

from rummy_p2p.sentences.faces import court_letters
from rummy_p2p.sentences.language import LANGUAGES
from rummy_p2p.store import Config
from rummy_p2p.ui.glyphs import ASCII, UNICODE
from rummy_p2p.ui.style import DECKS, Colours, Deck, Look

Value = str | bool | None
Source = Literal["flag", "env", "file", "default"]
AUTO: Final = "auto"
PREFIX: Final = "RUMMY_P2P_"


class Setting(msgspec.Struct, frozen=True):
    """One setting. ``choices`` empty: a word, or yes and no when the usual value is one of them."""

    key: str
    usual: Value
    choices: tuple[str, ...] = ()
    reopens: bool = False


SETTINGS: Final = (
    Setting("nick", None, reopens=True),
    Setting("deck", "four", DECKS),
    Setting("color", AUTO, (AUTO, "always", "never"), reopens=True),
    Setting("ascii", usual=False),
    Setting("faces", "typed", ("typed", "own")),
    Setting("lang", AUTO, (AUTO, *LANGUAGES), reopens=True),
    Setting("bell", usual=True),
    Setting("mouse", usual=True),
    Setting("interface", AUTO, reopens=True),
    Setting("plain", usual=False),
)
_BY_KEY: Final = {setting.key: setting for setting in SETTINGS}
_WORDS: Final = dict.fromkeys(("yes", "on", "true", "1"), True) | dict.fromkeys(("no", "off", "false", "0"), False)


class Shelf(Protocol):
    """Where the settings are kept; what cannot be written raises a StoreError."""

    @property
    def place(self) -> str:
        """The file."""
        ...

    def config(self) -> Config:
        """Return what the file says."""
        ...

    def set_option(self, key: str, value: str | int | bool | None) -> None:  # noqa: FBT001 -- a value, not a switch
        """Write a line, or take it out."""
        ...


class Chosen(msgspec.Struct, frozen=True):
    """What holds for each setting, and who has said so."""

    values: Mapping[str, Value]
    sources: Mapping[str, Source]

    def flag(self, key: str) -> bool:
        """Return a setting that is yes or no."""
        return bool(self.values[key])

    def word(self, key: str) -> str | None:
        """Return a setting that is a word; None where it is left to the system."""
        value = self.values[key]
        return None if value in (AUTO, None) else str(value)

    def look(self) -> Look:
        """Return what the screen wants to know."""
        glyphs = ASCII if self.flag("ascii") else UNICODE
        return Look(
            glyphs=glyphs.with_ranks(*court_letters()) if self.values["faces"] == "own" else glyphs,
            deck=cast("Deck", self.values["deck"]),
            colours=cast("Colours", self.values["color"]),
            bell=self.flag("bell"),
            mouse=self.flag("mouse"),
            lang=self.word("lang"),
        )


def setting(key: str) -> Setting:
    """Return the setting of that name."""
    return _BY_KEY[key]


def choose(given: Mapping[str, object], environment: Mapping[str, str], config: Config) -> Chosen:
    """Return what holds. ``given`` is what the command line says; what is None there was not said."""
    values: dict[str, Value] = {}
    sources: dict[str, Source] = {}
    for each in SETTINGS:
        told: tuple[tuple[Source, object], ...] = (
            ("flag", given.get(each.key)),
            ("env", _in_environment(each, environment)),
            ("file", getattr(config, each.key)),
        )
        source, value = next(((source, value) for source, value in told if value is not None), ("default", each.usual))
        sources[each.key], values[each.key] = source, value if isinstance(value, bool) else _text(value)
    return Chosen(values, sources)


def read_value(each: Setting, text: str) -> Value:
    """Return what a text sets a setting to; None when it is no value of it."""
    if isinstance(each.usual, bool):
        return _WORDS.get(text.casefold())
    if each.choices and text.casefold() not in each.choices:
        return None
    return text.casefold() if each.choices else text.strip() or None


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _in_environment(each: Setting, environment: Mapping[str, str]) -> Value:
    """Return what the environment says: our own variable first, then what other programs know as well."""
    text = environment.get(PREFIX + each.key.upper())
    value = read_value(each, text) if text else None
    if value is not None or each.key != "color":
        return value
    if environment.get("NO_COLOR"):
        return "never"
    return "always" if environment.get("FORCE_COLOR") else None
