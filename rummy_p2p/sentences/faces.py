"""Cards as a screen shows them: the letters of a country's court cards, and how a card stands in a sentence.

What is typed, sent and kept is always ``A 2..10 J Q K``. The letters are not safe to type: a Turkish K is a queen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from rummy_p2p.cards import Card, face_text
from rummy_p2p.sentences.language import current_language

Court = tuple[str, str, str, str]

TYPED: Final[Court] = ("A", "J", "Q", "K")
# In Turkish the queen is a girl (K) and the king a priest (P). Elsewhere cards show what everybody else's do.
_OWN: Final[Mapping[str, Court]] = {
    "sv": ("E", "Kn", "D", "K"),
    "nb": ("E", "Kn", "D", "K"),
    "tr": ("A", "V", "K", "P"),
}


def court_letters() -> Court:
    """Return what stands on ace, jack, queen and king in the language of the moment, in at most two cells each."""
    return _OWN.get(current_language(), TYPED)


# --- on a screen -----------------------------------------------------------------------------------------------------

Shown = Callable[[Card], str]
_shown: ContextVar[Shown | None] = ContextVar("shown", default=None)
_keys: ContextVar[bool] = ContextVar("keys", default=True)


@contextmanager
def on_screen(shown: Shown, *, keys: bool = True) -> Iterator[None]:
    """Let sentences be made for a full screen: cards as they stand on the table, and keys where there are some; not
    so while the player types.
    """
    before, had_keys = _shown.set(shown), _keys.set(keys)
    try:
        yield
    finally:
        _keys.reset(had_keys)
        _shown.reset(before)


def is_on_screen() -> bool:
    """Whether who reads has keys to press, and need not type everything."""
    return _shown.get() is not None and _keys.get()


def typed_card(card: Card) -> str:
    """Return what is typed for a card; of twins either will do."""
    return face_text(card.face)


def shown_card(card: Card) -> str:
    """Return a card as it is shown: what is typed for it, or how it stands on the table. A joker is always JK."""
    shown = _shown.get()
    return face_text(card.face) if shown is None or card.is_joker else shown(card)


def shown_cards(text: str) -> str:
    """Return cards in their typed form (``7h' JK=9h``) as they are shown; no mark says which of twins it is."""
    return " ".join("=".join(_shown_word(part) for part in word.split("=")) for word in text.split(" "))


def _shown_word(word: str) -> str:
    try:
        return shown_card(Card.parse(word))
    except ValueError:
        return word.replace("'", "")
