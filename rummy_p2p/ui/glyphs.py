"""What the board is drawn with: suits, lines, arrows and marks, each exactly one cell wide, in Unicode and in ASCII.

The law of the file
    No emoji, no playing-card block, no variation selector: terminals disagree on how wide they are. A joker is JK*.
"""

from __future__ import annotations

from typing import Final

import msgspec

from rummy_p2p.cards import RANKS, Card


class Glyphs(msgspec.Struct, frozen=True):
    """One set of characters; ``ranks`` are what stands on the cards from the ace to the king."""

    spade: str = "♠"
    heart: str = "♥"
    diamond: str = "♦"
    club: str = "♣"
    back: str = "▒"
    across: str = "─"
    down: str = "│"
    top_left: str = "╭"
    top_right: str = "╮"
    bottom_left: str = "╰"
    bottom_right: str = "╯"
    meld: str = "━"
    left: str = "◀"
    right: str = "▶"
    up: str = "▲"
    turn: str = "▶"
    alert: str = "!"
    out: str = "X"
    dot: str = "·"
    full: str = "█"
    empty: str = "░"
    check: str = "✓"
    new: str = "•"
    more: str = "…"
    joker: str = "JK*"
    ranks: tuple[str, ...] = RANKS

    @property
    def suits(self) -> tuple[str, str, str, str]:
        """The suits in the order of ``cards.SUITS``."""
        return self.spade, self.heart, self.diamond, self.club

    def face(self, card: Card, *, narrow: bool = False) -> str:
        """Return what stands on a card: ``7♥``, ``10♥`` (``T♥`` where it is narrow), ``JK*``."""
        if card.is_joker:
            return self.joker[:2] if narrow else self.joker
        rank = self.ranks[card.rank - 1]
        if narrow and len(rank) > 1:
            rank = "T" if rank == "10" else RANKS[card.rank - 1]
        return rank + self.suits[card.suit]

    def singles(self) -> tuple[str, ...]:
        """Return every glyph that fills one cell."""
        return tuple(str(getattr(self, name)) for name in self.__struct_fields__ if name not in ("joker", "ranks"))

    def with_ranks(self, ace: str, jack: str, queen: str, king: str) -> Glyphs:
        """Return the same glyphs with the court cards of another language."""
        return msgspec.structs.replace(self, ranks=(ace, *RANKS[1:10], jack, queen, king))


UNICODE: Final = Glyphs()
ASCII: Final = Glyphs(
    spade="s", heart="h", diamond="d", club="c", back="#", across="-", down="|", top_left=".", top_right=".",
    bottom_left="`", bottom_right="'", meld="=", left="<", right=">", up="^", turn=">", dot="-", full="#", empty=".",
    check="+", new="*", more="~",
)  # fmt: skip
