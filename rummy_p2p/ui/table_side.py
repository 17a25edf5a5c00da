"""The right side of the table: clock, what of the rules matters, chat and log, the scores of all rounds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rummy_p2p.sentences.screen import clock_text, table_text
from rummy_p2p.ui.canvas import Canvas, cut, text_width, wrap
from rummy_p2p.ui.room import Key
from rummy_p2p.ui.table_scene import Scene

_LATE, _VERY_LATE = 20, 10
_WIDE: Final = 30


def draw_side(canvas: Canvas, scene: Scene) -> None:
    """Draw the side; on a high screen chat, log and scores have their own parts."""
    y = _draw_facts(canvas, scene, _draw_clocks(canvas, scene))
    y = draw_keys(canvas, scene.side_keys, y)
    if canvas.height < 30:
        heading = table_text("chat-head" if scene.talks else "log-head")
        _draw_lines(canvas, heading, timeline(canvas, scene.timeline), y, canvas.height)
        return
    scores = len(scene.names) + 3
    room = canvas.height - y - scores
    chat = [_chat_line(name, text) for name, text in scene.timeline if name]
    middle = y + room // 2
    _draw_lines(canvas, table_text("chat-head"), chat, y, middle)
    _draw_lines(canvas, table_text("log-head"), scene.log, middle, canvas.height - scores, talk=False)
    _draw_scores(canvas, scene, canvas.height - scores)


def _draw_clocks(canvas: Canvas, scene: Scene) -> int:
    """Draw what is left of the time for a claim, of the turn, and of the whole match; return the next line."""
    clocks = [
        (table_text(which, time=clock_text(time[0])), *time)
        for which, time in (("time", scene.time), ("time-match", scene.match_time))
        if time
    ]
    if scene.claim is not None and scene.claim.left is not None:
        clocks.insert(0, (scene.claim.text, scene.claim.left, scene.claim.total))
    if not clocks:
        canvas.put(1, 0, table_text("no-clock"), "dim")
    for y, (text, left, total) in enumerate(clocks):
        _draw_clock(canvas, text, left, total, y)
    return max(1, len(clocks))


def _draw_clock(canvas: Canvas, text: str, left: float, total: float, y: int) -> None:
    style = "alert" if left <= _VERY_LATE else "yellow" if left <= _LATE else ""
    x = canvas.put(1, y, f"{text} ", style or "bold")
    width = canvas.width - x - 1
    full = min(width, round(width * left / total)) if total else 0
    canvas.put(x, y, canvas.glyphs.full * full + canvas.glyphs.empty * (width - full), style)


def _draw_facts(canvas: Canvas, scene: Scene, y: int) -> int:
    """Write the facts side by side as far as they fit; return the next line."""
    x = 1
    for each in scene.facts:
        short, _nul, words = each.partition("\0")
        fact = words if words and canvas.width >= _WIDE else short
        if x > 1 and x + text_width(fact) > canvas.width - 1:
            x, y = 1, y + 1
        x = canvas.put(x, y, fact) + 2
    return y + 1 if scene.facts else y


def draw_keys(canvas: Canvas, keys: Sequence[Key], y: int, x: int = 1) -> int:
    """Draw buttons from a place on; return the line below them."""
    start = x
    for key in keys:
        label = button(key)
        if x > start and x + text_width(label) > canvas.width:
            x, y = start, y + 1
        x = canvas.put(x, y, label, "enabled" if key.enabled else "disabled", ("key", key.keys[0])) + 1
    return y + 1 if keys else y


def button(key: Key) -> str:
    """Return ``[m Meld]``, or ``(m Meld)`` for a button that does nothing now."""
    text = f"{key.cap} {key.label}"
    return f"[{text}]" if key.enabled else f"({text})"


def _chat_line(name: str, text: str) -> str:
    """Return a line of chat with its speaker, whose name the table may have put there already."""
    return text if text.startswith(f"{name}:") else f"{name}: {text}"


def timeline(canvas: Canvas, entries: Sequence[tuple[str, str]]) -> list[str]:
    """Return chat and events, mixed as they came, in lines."""
    return [_chat_line(name, text) if name else f"{canvas.glyphs.new} {text}" for name, text in entries]


def _draw_lines(
    canvas: Canvas, heading: str, lines: Sequence[str], top: int, bottom: int, *, talk: bool = True
) -> None:
    """Draw a heading and as many of the last lines as there is room for; ``talk``: what people say stands out."""
    if bottom - top < 2:
        return
    line = canvas.glyphs.across
    canvas.put(0, top, f"{line * 2} {heading} ".ljust(canvas.width, line))
    room, shown = bottom - top - 1, list[tuple[str, str]]()
    for text in reversed(lines[-room:]):
        style = "chat bold" if talk and not text.startswith(f"{canvas.glyphs.new} ") else ""
        first, *more = wrap(text, canvas.width - 3)
        shown = [(first, style), *((f"  {part}", style) for part in more), *shown]
    for y, (text, style) in enumerate(shown[-room:], top + 1):
        canvas.put(1, y, cut(text, canvas.width - 1, canvas.glyphs.more), style)


def _draw_scores(canvas: Canvas, scene: Scene, top: int) -> None:
    line = canvas.glyphs.across
    canvas.put(0, top, f"{line * 2} {table_text('scores-head')} ".ljust(canvas.width, line))
    draw_rounds(canvas.part(0, top + 1, canvas.width, canvas.height - top - 1), scene)


def draw_rounds(canvas: Canvas, scene: Scene) -> None:
    """Draw the table of rounds: the last ones that fit, and the sum."""
    longest = max(map(text_width, scene.names), default=4)
    wide = min(longest, max(10, canvas.width - 10 - 5 * len(scene.rounds)))  # few rounds leave room for long names
    columns = max(1, (canvas.width - wide - 10) // 5)
    first = max(0, len(scene.rounds) - columns)
    shown = scene.rounds[first:]
    x = wide + 3
    for number in range(first + 1, first + 1 + len(shown)):
        x = canvas.put(x, 0, f"R{number}".rjust(5))
    canvas.put(x, 0, table_text("sum").rjust(6))
    for seat, name in enumerate(scene.names):
        out = seat in scene.outs
        canvas.put(1, seat + 1, canvas.glyphs.out if out else " ", "alert")
        canvas.put(3, seat + 1, cut(name, wide, canvas.glyphs.more), "bold" if name == scene.name else "")
        x = wide + 3
        for points in shown:
            x = canvas.put(x, seat + 1, str(points[seat] if seat < len(points) else "").rjust(5))
        canvas.put(x, seat + 1, str(scene.scores[seat]).rjust(6), "bold")
