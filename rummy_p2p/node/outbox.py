"""What a peer has to say waits here until what must not be lost before it is said is on the disk.

Laws of this file
* Everything leaves in the order in which it came. What waits for no disk, behind nothing that does, leaves at once.
* One thread writes, and the event loop goes on meanwhile. What comes then gathers and is written together: one flush
  of the disk for all of it.
* A disk that refuses holds nothing back: what it did not take is told, and then what waited leaves.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Generic, TypeVar

Page = TypeVar("Page")

Leave = Callable[[], None]


class Outbox(Generic[Page]):
    """The way out of one peer. Belongs to one event loop."""

    def __init__(self, write: Callable[[Sequence[Page]], list[str]], tell: Callable[[Sequence[str]], None]) -> None:
        """``write`` puts pages on the disk, in a thread of its own, and returns sentences of what could not be, for
        ``tell``.
        """
        self._write = write
        self._tell = tell
        self._waiting: deque[tuple[Page | None, Leave]] = deque()
        self._held: list[Leave] = []
        self._writing: Future[list[str]] | None = None
        self._is_leaving = self._is_closed = False
        self._thread = ThreadPoolExecutor(1, "disk")

    def put(self, page: Page | None, leave: Leave) -> None:
        """Call ``leave`` when the page, and all that came before, is on the disk; at once when there is nothing to wait
        for.
        """
        if not self._is_closed:
            self._waiting.append((page, leave))
            self._go()

    def flush(self) -> None:
        """Have everything written and let it leave, while everything else stands still."""
        while self._waiting or self._writing is not None:
            if self._writing is not None:
                self._written(self._writing)
            self._is_leaving = False  # of what is leaving just now this is a part
            self._go()

    def close(self) -> None:
        """Wait until what is being written is on the disk. Nothing is written or leaves any more."""
        self._is_closed = True
        self._waiting.clear()
        self._held.clear()
        self._writing = None
        self._thread.shutdown()

    def _go(self) -> None:
        """Let out what waits for nothing, then have the rest written together."""
        if self._is_leaving or self._writing is not None:
            return
        self._is_leaving = True
        try:
            while self._waiting and self._waiting[0][0] is None:
                self._waiting.popleft()[1]()
        finally:
            self._is_leaving = False
        if self._waiting and self._writing is None:
            self._begin()

    def _begin(self) -> None:
        pages = [page for page, _ in self._waiting if page is not None]
        self._held = [leave for _, leave in self._waiting]
        self._waiting.clear()
        self._writing = writing = self._thread.submit(self._write, pages)
        writing.add_done_callback(self._wake(asyncio.get_running_loop()))

    def _wake(self, loop: asyncio.AbstractEventLoop) -> Callable[[Future[list[str]]], None]:
        def woken(writing: Future[list[str]]) -> None:
            with suppress(RuntimeError):  # the loop is closed: nobody waits for this
                loop.call_soon_threadsafe(self._written, writing)

        return woken

    def _written(self, writing: Future[list[str]]) -> None:
        """A write has ended: what waited for it leaves before anything else."""
        if self._writing is not writing:
            return
        sentences = writing.result()
        self._waiting.extendleft((None, leave) for leave in reversed(self._held))
        self._held, self._writing = [], None
        self._tell(sentences)
        self._go()
