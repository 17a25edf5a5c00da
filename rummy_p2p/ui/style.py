"""How the board looks: what a player may choose, and what the style names of the rooms come to.

Blue is kept for hints about melds, red for ``!``, ``X`` and hearts, green for the others' turn: a diamond is yellow.
Only the sixteen colours of the terminal are used, so that its theme holds; nothing is told by colour alone.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal, get_args

from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import Style

from rummy_p2p.ui.glyphs import UNICODE, Glyphs

Deck = Literal["two", "four", "safe", "mono"]
Colours = Literal["auto", "always", "never"]
DECKS: Final[tuple[Deck, ...]] = get_args(Deck)


@dataclass(frozen=True, slots=True)
class Look:
    """What a player has chosen: glyphs, the colours of the suits, colour at all, bell, mouse, language."""

    glyphs: Glyphs = UNICODE
    deck: Deck = "four"
    colours: Colours = "auto"
    bell: bool = True
    mouse: bool = True
    lang: str | None = None


_SUITS: Final[Mapping[Deck, tuple[str, str, str, str]]] = {
    "two": ("bold", "fg:ansired bold", "fg:ansired bold", "bold"),
    "four": ("bold", "fg:ansired bold", "fg:ansiyellow bold", "fg:ansigreen bold"),
    "safe": ("bold", "fg:ansibrightred bold", "fg:ansiyellow bold", "fg:ansibrightcyan bold"),
    "mono": ("bold", "bold", "bold", "bold"),
}

_NAMES: Final[Mapping[str, str]] = {
    "red": "fg:ansired",
    "green": "fg:ansigreen",
    "yellow": "fg:ansiyellow",
    "blue": "fg:ansibrightblue bold",
    "dim": "fg:ansibrightblack",
    "bold": "bold",
    "reverse": "reverse",
    "title": "bold",
    "mine": "bold",
    "alert": "fg:ansired bold",
    "back": "fg:ansiblue",
    "chat": "",
    "hint": "fg:ansibrightblue bold",
    "enabled": "reverse",
    "disabled": "fg:ansibrightblack",
    "selected": "underline bold",
    "focus": "reverse",
    "qr": "fg:ansiwhite bg:ansiblack",
}


@cache
def style_of(deck: Deck) -> Style:
    """Return the rules for all style names, with the suits of this deck.

    It is the same object each time: the toolkit parses everything anew for another one.
    """
    suits = dict(zip(("suit-s", "suit-h", "suit-d", "suit-c"), _SUITS[deck], strict=True))
    menu = {
        "completion-menu.completion": "reverse",
        "completion-menu.completion.current": "bold noreverse underline",
    }
    return Style.from_dict({**menu, **_NAMES, **suits})


def classes(names: str) -> str:
    """Return blank-separated style names as the toolkit wants them."""
    return " ".join(f"class:{name}" for name in names.split())


def depth_of(colours: Colours, environ: Mapping[str, str] = os.environ) -> ColorDepth | None:
    """Return how many colours are used; None leaves it to the terminal (which knows NO_COLOR)."""
    if colours == "never":
        return ColorDepth.DEPTH_1_BIT
    if colours == "always" or (environ.get("FORCE_COLOR") and not environ.get("NO_COLOR")):
        return ColorDepth.DEPTH_4_BIT
    return None
