"""The language of the sentences: looked up when a sentence is made, so that it can be changed while the program runs.

Tables of sentences are marked with ``N_`` and translated with ``_`` at the moment they are shown. The language belongs
to the context (an asyncio task, a thread), so that two people at one program may each have their own.
"""

from __future__ import annotations

from contextvars import ContextVar
from gettext import NullTranslations, translation
from pathlib import Path
from typing import Final

DOMAIN: Final = "rummy_p2p"
LOCALES: Final = Path(__file__).parents[1] / "locale"

_AS_WRITTEN: Final = NullTranslations()
_current: ContextVar[NullTranslations] = ContextVar("language", default=_AS_WRITTEN)


def use_language(language: str | None) -> None:
    """Speak this language from now on; None: that of the environment. English where there is no translation."""
    languages = None if language is None else [language]
    _current.set(translation(DOMAIN, LOCALES, languages, fallback=True))


def N_(text: str) -> str:  # noqa: N802 -- the name by which xgettext and Babel find sentences to translate
    """Mark a sentence that stands in a table; it is translated when it is shown."""
    return text


def _(text: str) -> str:
    """Return a sentence in the language of the moment."""
    return _current.get().gettext(text)


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
