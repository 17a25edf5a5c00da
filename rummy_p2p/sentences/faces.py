"""The court cards as the cards of a country show them: for the screen only.

What is typed, sent and kept is always ``A 2..10 J Q K``. The letters are not safe to type: a Turkish K is a queen.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

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
