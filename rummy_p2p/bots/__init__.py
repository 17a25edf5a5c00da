"""Bots: strategies (view, seed) -> action. A bot sees what its seat sees, and nothing else.

A strategy returns None when it has nothing to do: it is not on turn and does not want the discard.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from rummy_p2p.bots import easy, hard, simple
from rummy_p2p.engine import Action, View

Strategy = Callable[[View, int], Action | None]

LEVELS: Final[Mapping[str, Strategy]] = MappingProxyType(
    {"easy": easy.decide, "normal": simple.decide, "hard": hard.decide}
)
