"""The table while no cards are dealt: who sits there, who is ready, what it waits for."""

from __future__ import annotations

from typing import Final

from rummy_p2p.protocol.text import NICK_LIMIT, clean
from rummy_p2p.ruleset import Ruleset
from rummy_p2p.sentences import rules_lines
from rummy_p2p.sentences.screen import TableFacts, table_text
from rummy_p2p.ui.canvas import Canvas, cut, wrap
from rummy_p2p.ui.glyphs import Glyphs
from rummy_p2p.ui.room import Key
from rummy_p2p.ui.table_side import draw_keys
from rummy_p2p.ui.table_waiting import Gone, draw_making, draw_pause, making_line, pause_line

_WIDTH: Final = 36


def draw_forming(
    canvas: Canvas,
    facts: TableFacts,
    rules: Ruleset,
    keys: tuple[Key, ...],
    told: tuple[str, ...],
    gone: tuple[Gone, ...] = (),
) -> None:
    """Draw seats at the left, the rules at the right, below them what is being made and what has been told."""
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
    if facts.making is not None and not facts.why:
        below = draw_making(canvas, facts.making, 1, below + 1)
    y = 2
    for text in rules_lines(rules):
        for part in wrap(text, canvas.width - _WIDTH - 6):
            canvas.put(_WIDTH + 4, y, part, "title" if y == 2 else "")
            y += 1
    _draw_told(canvas, told, max(y, below) + 1)
    if facts.why:
        draw_pause(canvas.part(0, 1, canvas.width, canvas.height - 2), facts.why, gone)
    canvas.put(0, canvas.height - 1, line * canvas.width)
    message = cut(f"{line} {_message(facts, told, gone, glyphs)} ", canvas.width, glyphs.more)
    canvas.put(0, canvas.height - 1, message, "alert" if facts.why else "bold")


def _message(facts: TableFacts, told: tuple[str, ...], gone: tuple[Gone, ...], glyphs: Glyphs) -> str:
    """Return what is most worth knowing: who is missing, how the deck comes on, what was told last."""
    if facts.why:
        return f"{glyphs.alert} {table_text('paused')} {glyphs.across} {pause_line(gone)}"
    if facts.making is not None:
        return making_line(facts.making, glyphs)
    return told[-1] if told else table_text("no-cards")


def _draw_told(canvas: Canvas, told: tuple[str, ...], top: int) -> None:
    room = canvas.height - 2 - top
    lines = [part for text in told for part in wrap(text, canvas.width - 4)]
    for y, text in enumerate(lines[-room:] if room > 0 else (), top):
        canvas.put(2, y, text, "chat")
