"""What a room is to the screen: it draws itself, has one table of keys, and hears the mouse and what is typed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, Protocol

import msgspec

from rummy_p2p.ui.canvas import Canvas, Target

MouseKind = Literal["down", "up", "double", "move", "wheel-up", "wheel-down"]

_CAPS: Final = {
    "space": "Space", "enter": "Enter", "escape": "Esc", "tab": "Tab", "pageup": "PgUp",
    "pagedown": "PgDn", "left": "Left", "right": "Right", "up": "Up", "down": "Down", "home": "Home",
    "end": "End", "backspace": "Backspace", "delete": "Del", "insert": "Ins",
}  # fmt: skip


class Key(msgspec.Struct, frozen=True):
    """A line of a room's key table: bindings, help bar and the page behind ``?`` are made from it.

    ``keys`` are names of the toolkit (``d``, ``left``, ``c-l``, ``enter``, ``space``); the first one is shown.
    """

    keys: tuple[str, ...]
    label: str
    act: Callable[[], None]
    enabled: bool = True
    bar: bool = True
    help: str = ""

    @property
    def cap(self) -> str:
        """What stands on the key."""
        return key_cap(self.keys[0])


class Mouse(msgspec.Struct, frozen=True):
    """Something done with the mouse, and what was under it. ``move`` comes with a button held down or without."""

    kind: MouseKind
    target: Target | None
    x: int
    y: int


class Room(Protocol):
    """One room; ``draw`` and everything that returns something only read its state."""

    def draw(self, canvas: Canvas) -> None:
        """Draw everything above the command line; the last row is the message line."""
        ...

    def keys(self) -> tuple[Key, ...]:
        """Return the one key table."""
        ...

    def mouse(self, event: Mouse) -> None:
        """Hear the mouse."""
        ...

    def typed(self, text: str) -> None:
        """Carry out a line entered at the command line."""
        ...

    def complete(self, text: str) -> tuple[str, ...]:
        """Return what the last word of an unfinished line may become."""
        ...

    def cursor(self) -> tuple[int, int] | None:
        """Return where the real cursor stands when the command line is not in use."""
        ...

    def title(self) -> str:
        """Return the title of the terminal."""
        ...


def key_cap(name: str) -> str:
    """Return what stands on the key with this name."""
    if name.startswith("c-"):
        return f"Ctrl-{key_cap(name[2:]) if len(name) > 3 else name[2:].upper()}"
    if name.startswith("s-"):
        return f"Shift-{key_cap(name[2:])}"
    return _CAPS.get(name, name.upper() if len(name) > 1 else name)
