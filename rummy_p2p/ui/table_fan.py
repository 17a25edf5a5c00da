"""The player's cards as a fan: how wide and in how many rows, which are raised, the blue line over melds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from rummy_p2p.cards import Card
from rummy_p2p.ui.canvas import Canvas, cut, text_width
from rummy_p2p.ui.table_scene import HandCard

SUIT_STYLES: Final = ("suit-s", "suit-h", "suit-d", "suit-c")


class FanPlan(NamedTuple):
    """So many cards in a row, each so many cells from the next, with so many lines under the face."""

    rows: int
    per_row: int
    step: int
    body: int

    @property
    def height(self) -> int:
        """How many lines it takes, with one to raise cards into and one for the pointers."""
        return self.rows * self.stride + 1

    @property
    def stride(self) -> int:
        """How many lines from one row to the next; the pointers of a row lie where the next one raises its cards."""
        return 3 + self.body

    @property
    def narrow(self) -> bool:
        """Whether a ten is written T."""
        return self.step < 4


def card_style(card: Card) -> str:
    """Return the style of a card's suit."""
    return "bold" if card.is_joker else SUIT_STYLES[card.suit]


def plan_fan(count: int, width: int, height: int, *, large: bool) -> FanPlan:
    """Return how the fan is laid out; the fewest rows first, then the widest cards, then the tallest."""
    count = max(1, count)
    for rows in range(1, 5):
        per_row = -(-count // rows)
        for step in (6, 5, 4, 3) if large else (4, 3):
            if per_row * step + (1 if step < 5 else 2) > width:
                continue
            bodies = (2, 1, 0) if large and rows == 1 else (1, 0)
            for body in bodies:
                plan = FanPlan(rows, per_row, step, body)
                if plan.height <= height:
                    return plan
    return FanPlan(1, count, 3, 0)


def draw_fan(canvas: Canvas, cards: Sequence[HandCard], melds: Sequence[str], plan: FanPlan) -> tuple[int, int] | None:
    """Draw the fan from the top left of the canvas; return where the card under the cursor has its face."""
    canvas.fill(0, 0, canvas.width, canvas.height, "", ("hand-end",))
    cursor: tuple[int, int] | None = None
    for row in range(plan.rows):
        part = cards[row * plan.per_row : (row + 1) * plan.per_row]
        top = row * plan.stride
        _draw_row(canvas, part, melds, plan, top)
        for index, card in enumerate(part):
            if card.focus:
                cursor = (index * plan.step + 1, top + (1 if card.raised else 2))
    return cursor


def _draw_row(canvas: Canvas, cards: Sequence[HandCard], melds: Sequence[str], plan: FanPlan, top: int) -> None:
    glyphs = canvas.glyphs
    for index, card in enumerate(cards):
        last = index == len(cards) - 1
        x, y = index * plan.step, top + (0 if card.raised else 1)
        width = plan.step + (2 if last and plan.step > 4 else 1)
        _draw_card(canvas, card, plan, (x, y, width), last=last)
        bottom = top + plan.stride
        if card.focus or card.pointed:
            canvas.put(x + 1, bottom, glyphs.up * 2, "bold" if card.focus else "dim", ("slot", card.slot))
        elif card.fresh:
            canvas.put(x + 1, bottom, glyphs.new, "green", ("slot", card.slot))
    _draw_lines(canvas, cards, melds, plan, top + 2 + plan.body if plan.body else top + 1)


def _draw_card(canvas: Canvas, held: HandCard, plan: FanPlan, place: tuple[int, int, int], *, last: bool) -> None:
    """Draw a card: its left edge and face, and at the end of the row its right edge."""
    glyphs, (x, y, width) = canvas.glyphs, place
    target = ("slot", held.slot)
    edge = "bold" if held.raised else ""
    inner = width - 1 - last
    canvas.put(x, y, glyphs.top_left + glyphs.across * inner + (glyphs.top_right if last else ""), edge, target)
    if held.raised and not last:  # the next card, if it lies lower, leaves this edge in sight
        canvas.put(x + width - 1, y, glyphs.top_right, edge, target)
    bottom = y + 1 + plan.body + held.raised
    for row in range(y + 1, bottom + 1):
        canvas.put(x, row, glyphs.down, edge, target)
        canvas.put(x + 1, row, " " * inner, "", target)
        if last:
            canvas.put(x + width - 1, row, glyphs.down, edge, target)
    if held.card is None:
        canvas.put(x + 1, y + 1, glyphs.back * inner, "back", target)
        return
    style = card_style(held.card)
    style = f"{style} selected" if held.raised else style
    style = f"{style} focus" if held.focus else style
    canvas.put(x + 1, y + 1, cut(glyphs.face(held.card, narrow=plan.narrow), inner), style, target)


def _draw_lines(canvas: Canvas, cards: Sequence[HandCard], melds: Sequence[str], plan: FanPlan, y: int) -> None:
    """Draw the blue line across the cards of each meld that lie side by side, with what it is and counts.

    Cards without a body have it along their upper edge, where one that is raised has its face.
    """
    kinds = [None if card.raised and not plan.body else card.meld for card in cards]
    start = 0
    for end in range(1, len(cards) + 1):
        if end == len(cards) or kinds[end] != kinds[start]:
            if kinds[start] is not None:
                _draw_line(canvas, cards[start:end], melds, plan, (start * plan.step + 1, y))
            start = end


def _label(meld: str, line: str, width: int) -> str:
    """Return what a meld is and counts; where there is no room the points alone."""
    labels = (f"{line} {text} " for text in (meld, meld.rsplit(maxsplit=1)[-1]))
    return next((label for label in labels if text_width(label) <= width), "")


def _draw_line(
    canvas: Canvas, cards: Sequence[HandCard], melds: Sequence[str], plan: FanPlan, place: tuple[int, int]
) -> None:
    meld = cards[0].meld
    if meld is None:
        return
    line = canvas.glyphs.meld
    width = len(cards) * plan.step - 1
    label = _label(melds[meld], line, width) if len(cards) >= 3 and meld < len(melds) else ""
    x, y = place
    for offset, character in enumerate(label.ljust(width, line)):
        slot = cards[min(offset // plan.step, len(cards) - 1)].slot
        canvas.put(x + offset, y, character, "hint", ("slot", slot))
