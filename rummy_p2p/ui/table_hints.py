"""Hints at the table: the program thinks in a thread, so that no key waits for it.

The law of the file
    A hint is told for the position that it was asked in, or not at all: one that comes too late is dropped.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine

from rummy_p2p.bots.hints import Hint, hint
from rummy_p2p.engine import View

Start = Callable[[Coroutine[object, object, None], str], asyncio.Task[None]]
Tell = Callable[[Hint | None], None]


class Hints:
    """Thinks of what could be done, of one position at a time."""

    def __init__(self, view: Callable[[], View | None], start: Start) -> None:
        """``view`` is how it stands now; ``start`` begins what is done beside the drawing."""
        self._view = view
        self._start = start
        self._wanted: View | None = None
        self._task: asyncio.Task[None] | None = None

    def ask(self, view: View, tell: Tell) -> None:
        """Think of a hint for this position and ``tell`` it; nothing new begins while it is being thought of."""
        if view != self._wanted:
            self._wanted = view
            self._task = self._start(self._think(view, tell), "table-hint")

    def drop(self) -> None:
        """Tell nothing of what was asked for: the table is not looked at any more."""
        if self._task is not None:
            self._task.cancel()

    async def _think(self, view: View, tell: Tell) -> None:
        try:
            found = await asyncio.to_thread(hint, view, 0)
        finally:
            if self._wanted is view:
                self._wanted = None
        if self._view() == view:
            tell(found)
