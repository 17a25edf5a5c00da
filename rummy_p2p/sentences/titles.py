"""What games, calls, house rules and tables are called: the shipped ones translated, those of others as they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rummy_p2p.protocol.text import NICK_LIMIT, TITLE_LIMIT, clean
from rummy_p2p.ruleset import Ruleset
from rummy_p2p.sentences.language import N_, _

_LABEL_LIMIT: Final = 20
_LABELS: Final = (N_("RUMMY"), N_("Knock"), N_("Buy"), N_("Call"))
_DIFFICULTY: Final[Mapping[str, str]] = {"easy": N_("easy"), "medium": N_("medium"), "hard": N_("hard")}


def title_text(rules: Ruleset) -> str:
    """Return what a game is called."""
    return clean(_(rules.meta.title or rules.game), TITLE_LIMIT)


def is_named(title: str, game: str) -> bool:
    """Whether whoever opened a table gave it a name; one without bears the id of its game."""
    return title != game


def table_title(title: str, game: str, opener: str) -> str:
    """Return what a table is called: by its name, else after whoever opened it, in the language of who reads it."""
    if is_named(title, game) or not opener:
        return clean(title, TITLE_LIMIT)
    return clean(_("{nick}'s table").format(nick=clean(opener, NICK_LIMIT)), TITLE_LIMIT)


def joining_word(title: str, game: str, opener: str) -> str:
    """Return by which word a table is joined: by its name, else by that of whoever opened it, in all languages."""
    return title if is_named(title, game) or not opener else opener


def label_text(label: str) -> str:
    """Return what is called out, or stands on a key; what is typed for it stays the same in all languages."""
    return clean(_(label), _LABEL_LIMIT)


def rule_words(text: str) -> str:
    """Return what a house rule says of itself or of an option."""
    return _(text)


def difficulty_text(difficulty: str) -> str:
    """Return how hard a game is to learn."""
    return _(_DIFFICULTY.get(difficulty, difficulty))
