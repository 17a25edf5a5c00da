"""The help bar: the keys of a room as far as one line has room for them, and the page behind ``?``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from rummy_p2p.ui.canvas import Canvas, text_width
from rummy_p2p.ui.room import Key, key_cap

HELP: Final = "?"
_OUT: Final = frozenset({"q", "escape"})


def bar_keys(keys: Iterable[Key], width: int) -> list[Key]:
    """Return the keys that the bar shows: help and the way out always, of the others as many as there is room for."""
    shown = sorted((key for key in keys if key.bar and key.label), key=lambda key: key.keys[0] != HELP)
    out = [key for key in shown if _OUT & set(key.keys)][:1]
    kept = {key.keys[0] for key in (*shown[:1], *out)}
    used = sum(_width(key) for key in shown if key.keys[0] in kept)
    for key in shown:
        if key.keys[0] not in kept and used + _width(key) <= width + 1:
            kept.add(key.keys[0])
            used += _width(key)
    return [key for key in shown if key.keys[0] in kept]


def _width(key: Key) -> int:
    return text_width(f"{key.cap} {key.label}") + 1


def draw_bar(canvas: Canvas, keys: Iterable[Key]) -> None:
    """Draw the bar into the first row; each key can be clicked."""
    x = 0
    for key in bar_keys(keys, canvas.width):
        target = ("key", key.keys[0])
        after = canvas.put(x, 0, key.cap, "bold" if key.enabled else "disabled", target)
        x = canvas.put(after, 0, f" {key.label}", "" if key.enabled else "disabled", target) + 1


def help_lines(keys: Iterable[Key]) -> list[str]:
    """Return the page of keys; keys in a row that do the same are one line."""
    rows: list[tuple[list[str], str]] = []
    for key in keys:
        said = key.help or key.label
        caps = [key_cap(name) for name in key.keys]
        if rows and key.help and rows[-1][1] == said:
            rows[-1][0].extend(caps)
        elif said:
            rows.append((caps, said))
    return [f"{_joined(caps):<16}  {said}" for caps, said in rows]


def _joined(caps: Sequence[str]) -> str:
    """Return ``1-5`` for digits that follow each other, else the keys side by side."""
    digits = len(caps) > 2 and all(cap.isascii() and cap.isdigit() for cap in caps)
    if digits and [int(cap) for cap in caps] == list(range(int(caps[0]), int(caps[0]) + len(caps))):
        return f"{caps[0]}-{caps[-1]}"
    return " ".join(caps)
