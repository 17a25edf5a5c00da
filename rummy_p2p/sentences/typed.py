"""A table's title as somebody types it: in a shell, and next to the title that the table really has."""

from __future__ import annotations

import re
from typing import Final

_PLAIN: Final = re.compile(r"[A-Za-z0-9_.,@%+=:/-]+")
_SPECIAL: Final = frozenset('"$`\\!')
# What an editor or a language writes, and what stands on the keys.
_KEYS: Final = str.maketrans(
    {"\u2018": "'", "\u2019": "'", "\u02bc": "'", "\u201c": '"', "\u201d": '"', "\u201e": '"', "\u2013": "-",
     "\u2026": "..."}
)  # fmt: skip


def shell_word(title: str) -> str:
    """Return a title as a word of a command line: with marks that stand on the keys, and quoted for a shell.

    Double quotes are understood by every shell; where the title has something special in them, single ones.
    """
    text = title.translate(_KEYS)
    if _PLAIN.fullmatch(text):
        return text
    if not _SPECIAL & set(text):
        return f'"{text}"'
    return "'" + text.replace("'", "'\"'\"'") + "'"


def typed_title(text: str) -> str:
    """Return a title as it is compared: big and small letters, curly and straight quotes are the same."""
    return text.translate(_KEYS).casefold()
