"""The language of the sentences: looked up when a sentence is made, so that it can be changed while the program runs.

Tables of sentences are marked with ``N_`` and translated with ``_`` at the moment they are shown. The language belongs
to the context (an asyncio task, a thread), so that two people at one program may each have their own.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextvars import ContextVar
from gettext import NullTranslations, translation
from pathlib import Path
from typing import Final

DOMAIN: Final = "rummy_p2p"
LOCALES: Final = Path(__file__).parents[1] / "locale"

# Each by the name that its own speakers give it; English is what the program is written in.
LANGUAGES: Final[Mapping[str, str]] = {
    "en": "English",
    "sv": "Svenska",
    "nb": "Norsk bokmål",
    "tr": "Türkçe",
    "ro": "Română",
}
_SAME: Final = {"no": "nb", "nn": "nb", "mo": "ro"}
_VARIABLES: Final = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")

_AS_WRITTEN: Final = NullTranslations()
_current: ContextVar[NullTranslations] = ContextVar("language", default=_AS_WRITTEN)
_name: ContextVar[str] = ContextVar("name", default="en")


def use_language(language: str | None) -> None:
    """Speak this language from now on; None: that of the environment. English where there is no translation."""
    name = language_of(os.environ) if language is None else known_language(language) or "en"
    _name.set(name)
    _current.set(_AS_WRITTEN if name == "en" else translation(DOMAIN, LOCALES, [name], fallback=True))


def current_language() -> str:
    """Return the language that is spoken now."""
    return _name.get()


def known_language(name: str) -> str:
    """Return the language that a name such as ``nb_NO.UTF-8`` stands for; empty when it is none of ours."""
    code = name.replace("-", "_").partition("_")[0].partition(".")[0].lower()
    code = _SAME.get(code, code)
    return code if code in LANGUAGES else ""


def language_of(environment: Mapping[str, str]) -> str:
    """Return the language that the environment asks for, as gettext reads it; English when it asks for another."""
    wanted = next((environment[name] for name in _VARIABLES if environment.get(name)), "")
    return next(filter(None, map(known_language, wanted.split(":"))), "en")


def N_(text: str) -> str:  # noqa: N802 -- the name by which xgettext and Babel find sentences to translate
    """Mark a sentence that stands in a table; it is translated when it is shown."""
    return text


def _(text: str) -> str:
    """Return a sentence in the language of the moment."""
    return _current.get().gettext(text) if text else ""  # to gettext the empty text is the head of its file


def plural(one: str, many: str, count: int, **facts: str) -> str:
    """Return ``one`` or ``many`` in the language of the moment, with ``{n}`` and further facts filled in."""
    return _current.get().ngettext(one, many, count).format(n=count, **facts)


def points(count: int) -> str:
    """Return ``1 point``, ``30 points``."""
    return plural("{n} point", "{n} points", count)


def cards(count: int) -> str:
    """Return ``1 card``, ``10 cards``."""
    return plural("{n} card", "{n} cards", count)


def listed(parts: list[str]) -> str:
    """Return ``Ada``, ``Ada and Bea``, ``Ada, Bea and Cem``."""
    if len(parts) < 2:
        return "".join(parts)
    return _("{first} and {last}").format(first=", ".join(parts[:-1]), last=parts[-1])
