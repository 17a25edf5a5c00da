"""Text that strangers wrote, made fit for a terminal; and a player id as three words."""

import hashlib
import unicodedata
from typing import Final

from rummy_p2p.protocol.words import WORDS

NICK_LIMIT: Final = 24
TITLE_LIMIT: Final = 40
CHAT_LIMIT: Final = 240


def clean(text: str, limit: int) -> str:
    """One line of at most `limit` characters: NFC, no control, format, private or unassigned character (Unicode C*), no
    line or paragraph separator, at most one combining mark in a row and none at the start, no space at the ends.
    Cleaning twice changes nothing more.
    """
    if not (text.isascii() and text.isprintable()):
        text = _single_marks(unicodedata.normalize("NFC", "".join(map(_visible, text))))
    return text.strip()[:limit].rstrip()


def words(player_id: bytes) -> str:
    """Three words for people to compare aloud. They tell players apart; 24 bits do not stop somebody who takes the time
    to search for a key with the same words, which is why programs always compare the whole id.
    """
    digest = hashlib.sha256(b"rummy-p2p words\0" + player_id).digest()
    return " ".join(WORDS[byte] for byte in digest[:3])


def shared_words(one: bytes, other: bytes) -> str:
    """Three words that two players both see, each on the own screen; somebody in between gives them different ones."""
    return words(b"".join(sorted((one, other))))


def said(password: str) -> str:
    """A password as it is said aloud: no matter how it is written and spaced."""
    return " ".join(password.casefold().replace("-", " ").split())


def _visible(character: str) -> str:
    """The character, a space for a line break or tab, or nothing."""
    category = unicodedata.category(character)
    if category[0] != "C" and category not in {"Zl", "Zp"}:
        return character
    return " " if character.isspace() else ""


def _single_marks(text: str) -> str:
    """Drop each combining mark that follows another, or nothing at all: stacked marks climb over the lines above."""
    kept: list[str] = []
    after_mark = False
    for character in text:
        is_mark = unicodedata.category(character)[0] == "M"
        unwanted = after_mark and is_mark if kept else is_mark or character.isspace()
        if not unwanted:
            kept.append(character)
        after_mark = is_mark
    return "".join(kept)
