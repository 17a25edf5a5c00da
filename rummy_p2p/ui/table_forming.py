"""The table while no cards are dealt: who sits there, who is ready, what it waits for."""

from __future__ import annotations

from typing import Final

from rummy_p2p.protocol.text import NICK_LIMIT, clean
from rummy_p2p.ruleset import Ruleset
from rummy_p2p.sentences import rules_lines
from rummy_p2p.sentences.screen import TableFacts, table_text
from rummy_p2p.ui.canvas import Canvas, wrap
from rummy_p2p.ui.room import Key
from rummy_p2p.ui.table_side import draw_keys

_WIDTH: Final = 36


def draw_forming(
    canvas: Canvas, facts: TableFacts, rules: Ruleset, keys: tuple[Key, ...], told: tuple[str, ...]
) -> None:
    """Draw seats at the left, the rules at the right, and what has been told below."""
    glyphs, line = canvas.glyphs, canvas.glyphs.across
    canvas.put(1, 0, clean(facts.title, 60), "title")
    seats = len(facts.sitting) + facts.free
    canvas.box(1, 2, _WIDTH, seats + 2, table_text("seats"))
    for y, (name, ready, bot) in enumerate(facts.sitting, 3):
        canvas.put(3, y, f"{y - 2} {clean(name, NICK_LIMIT)}", "bold")
        state = table_text("bot") if bot else table_text("ready" if ready else "not-ready")
        canvas.put(_WIDTH - 9, y, f"{glyphs.check if ready and not bot else ' '} {state}", "green" if ready else "dim")
    for y in range(3 + len(facts.sitting), 3 + seats):
        canvas.put(3, y, f"{y - 2} {table_text('free')}", "dim")
    below = draw_keys(canvas.part(0, 0, _WIDTH + 2, canvas.height), keys, seats + 5, 2)
    y = 2
    for text in rules_lines(rules):
        for part in wrap(text, canvas.width - _WIDTH - 6):
            canvas.put(_WIDTH + 4, y, part, "title" if y == 2 else "")
            y += 1
    _draw_told(canvas, told, max(y, below) + 1)
    canvas.put(0, canvas.height - 1, line * canvas.width)
    message = facts.why or (told[-1] if told else table_text("no-cards"))
    canvas.put(0, canvas.height - 1, f"{line} {message} ", "bold")


def _draw_told(canvas: Canvas, told: tuple[str, ...], top: int) -> None:
    room = canvas.height - 2 - top
    lines = [part for text in told for part in wrap(text, canvas.width - 4)]
    for y, text in enumerate(lines[-room:] if room > 0 else (), top):
        canvas.put(2, y, text, "chat")
