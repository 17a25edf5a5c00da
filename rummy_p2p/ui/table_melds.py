"""The melds on the table: in lines where it is tight, else as little fans; whose they are, and where a card fits."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from rummy_p2p.sentences.screen import table_text
from rummy_p2p.ui.canvas import Canvas, cut, text_width, wrap
from rummy_p2p.ui.table_fan import card_style
from rummy_p2p.ui.table_scene import Laying, Scene, TableMeld

_BLOCK: Final = 30  # columns of a meld drawn as a fan
_BLOCK_ROWS: Final = 4
_OWNER: Final = 8, 16  # columns of the owner's name behind a meld in one line


def draw_melds(canvas: Canvas, scene: Scene, *, large: bool) -> tuple[int, tuple[int, int] | None]:
    """Draw the melds; return how many are to be seen and where the one under the cursor stands."""
    canvas.fill(0, 0, canvas.width, canvas.height, "", ("table",))
    if not scene.melds:
        text = wrap(table_text("no-melds-yet" if scene.lays else "melds-in-hand"), canvas.width - 4)
        for y, line in enumerate(text[: canvas.height], 1 if canvas.height > len(text) else 0):
            canvas.put(2, y, line, "dim", ("table",))
        return 1, None
    columns = _columns(canvas, scene) if large else 0
    return _draw_fans(canvas, scene, columns) if columns else _draw_lines(canvas, scene)


def _columns(canvas: Canvas, scene: Scene) -> int:
    """Return in how many columns the melds go as fans; 0 where they do not."""
    for columns in range(max(1, canvas.width // _BLOCK), 0, -1):
        lines = -(-len(scene.melds) // columns)
        wide = all(len(meld.cards) * 4 + 5 <= canvas.width // columns for meld in scene.melds)
        if wide and lines * (_BLOCK_ROWS + 1) - 1 <= canvas.height:
            return columns
    return 0


# --- in lines --------------------------------------------------------------------------------------------------------


def _draw_lines(canvas: Canvas, scene: Scene) -> tuple[int, tuple[int, int] | None]:
    room = canvas.height
    arrows = f"{canvas.glyphs.left}{canvas.glyphs.right}"
    hinted = any(meld.left or meld.right for meld in scene.melds)
    tight = len(scene.melds) > room
    shown = max(1, room - 1) if tight else len(scene.melds)
    first = min(scene.scroll, max(0, len(scene.melds) - shown))
    cursor = None
    for y, meld in enumerate(scene.melds[first : first + shown]):
        focus = scene.zone == "table" and first + y == scene.at
        _draw_line(canvas, meld, y, focus=focus)
        cursor = (2, y) if focus else cursor
    if tight:
        canvas.put(3, room - 1, table_text("more-melds", n=len(scene.melds) - shown), "dim")
    elif hinted and shown < room:
        canvas.put(3, room - 1, table_text("fits", arrows=arrows), "hint")
    return shown, cursor


def _draw_line(canvas: Canvas, meld: TableMeld, y: int, *, focus: bool) -> None:
    glyphs = canvas.glyphs
    target = ("meld", meld.number)
    canvas.put(0, y, " " * canvas.width, "", target)
    number = str(meld.number) if meld.number else glyphs.new
    canvas.put(0, y, number.rjust(3), "focus" if focus else "bold", target)
    if meld.left:
        canvas.put(4, y, glyphs.left, "hint", ("meld-end", meld.number, "left"))
    faces = sum(text_width(_face(canvas, laying)) + 1 for laying in meld.cards)
    wide = max(_OWNER[0], min(_OWNER[1], canvas.width - 8 - faces))
    owner = cut(meld.owner, wide, glyphs.more) if meld.number else table_text("staged")
    room = canvas.width - 7 - text_width(owner) - 1
    x = _draw_faces(canvas, meld, y, 5, 5 + room)
    if meld.right:
        canvas.put(x, y, glyphs.right, "hint", ("meld-end", meld.number, "right"))
    canvas.put(canvas.width - text_width(owner) - 1, y, owner, "dim", target)


def _draw_faces(canvas: Canvas, meld: TableMeld, y: int, x: int, end: int) -> int:
    """Draw the faces between lines; of a meld that is too long the middle is left out."""
    glyphs, target = canvas.glyphs, ("meld", meld.number)
    faces = [_face(canvas, laying) for laying in meld.cards]
    kept = list(range(len(faces)))
    while len(kept) > 4 and x + sum(text_width(faces[at]) + 1 for at in kept) + 3 > end:
        kept.remove(kept[len(kept) // 2])
    cuts = next((at for at, (one, two) in enumerate(pairwise(kept), 1) if two != one + 1), None)
    for place, at in enumerate(kept):
        if place == cuts:
            x = canvas.put(x, y, glyphs.down + glyphs.more, "dim", target)
        x = canvas.put(x, y, glyphs.down, "dim", target)
        hinted = meld.swap and meld.cards[at].card.is_joker
        style = "hint" if hinted else _style(meld.cards[at])
        x = canvas.put(x, y, faces[at], style, ("joker", meld.number) if hinted else target)
    return canvas.put(x, y, glyphs.down, "dim", target)


def _face(canvas: Canvas, laying: Laying) -> str:
    """Return a face; a joker with a star and the card that it stands for."""
    if laying.card.is_joker and laying.stands_for is not None:
        return f"*{canvas.glyphs.face(laying.stands_for)}"
    return canvas.glyphs.face(laying.card)


def _style(laying: Laying) -> str:
    return card_style(laying.stands_for or laying.card)


# --- as fans ---------------------------------------------------------------------------------------------------------


def _draw_fans(canvas: Canvas, scene: Scene, columns: int) -> tuple[int, tuple[int, int] | None]:
    cursor = None
    width = canvas.width // columns
    for index, meld in enumerate(scene.melds):
        x, y = index % columns * width, index // columns * (_BLOCK_ROWS + 1)
        focus = scene.zone == "table" and index == scene.at
        _draw_fan(canvas.part(x, y, width, _BLOCK_ROWS), meld, focus=focus)
        cursor = (x + 1, y) if focus else cursor
    return len(scene.melds), cursor


def _draw_fan(canvas: Canvas, meld: TableMeld, *, focus: bool) -> None:
    glyphs, target = canvas.glyphs, ("meld", meld.number)
    canvas.fill(0, 0, canvas.width, canvas.height, "", target)
    if meld.number:
        head = f"{meld.number} {meld.owner}  {meld.kind} {meld.points}"
    else:
        head = f"{glyphs.new} {table_text('staged')}  {meld.points}"
    canvas.put(1, 0, cut(head, canvas.width - 2, glyphs.more), "focus" if focus else "bold", target)
    x = 2
    for index, laying in enumerate(meld.cards):
        x = _draw_card(canvas, meld, laying, x, last=index == len(meld.cards) - 1)
    if meld.left:
        canvas.put(0, 2, glyphs.left, "hint", ("meld-end", meld.number, "left"))
    if meld.right:
        canvas.put(x, 2, glyphs.right, "hint", ("meld-end", meld.number, "right"))


def _draw_card(canvas: Canvas, meld: TableMeld, laying: Laying, x: int, *, last: bool) -> int:
    glyphs, target = canvas.glyphs, ("meld", meld.number)
    shown = laying.stands_for or laying.card
    joker = glyphs.joker if laying.card.is_joker and laying.stands_for is not None else ""
    lines = (glyphs.face(shown), joker)
    end = glyphs.top_right if last else ""
    behind = canvas.put(x, 1, glyphs.top_left + glyphs.across * 3 + end, "", target)
    hinted = meld.swap and laying.card.is_joker
    face = ("joker", meld.number) if hinted else target
    for y, text in enumerate(lines, 2):
        canvas.put(x, y, glyphs.down + " " * 3 + (glyphs.down if last else ""), "", target)
        canvas.put(x + 1, y, text, "hint" if hinted else card_style(shown), face)
    return behind
