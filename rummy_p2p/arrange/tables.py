"""A table that is filled as it is asked: a dict, so that what is known is found at the speed of one."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Table(dict[K, V]):
    """Key -> what ``find`` says of it, with at most ``bound`` entries: a full table is emptied and filled anew."""

    def __init__(self, find: Callable[[K], V], bound: int) -> None:
        super().__init__()
        self._find = find
        self._bound = bound

    def __missing__(self, key: K) -> V:
        found = self._find(key)
        if len(self) >= self._bound:
            self.clear()
        self[key] = found
        return found
