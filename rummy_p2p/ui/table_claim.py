"""A discard that the player may claim: what is shown of it, and the clock that counts it down in front of the player.

The law of the file
    How long it can be claimed is the table's rule; here it is only shown, and often enough to be seen running.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from rummy_p2p.engine import View
from rummy_p2p.sentences.screen import clock_text
from rummy_p2p.sentences.titles import label_text
from rummy_p2p.ui.screen import Screen
from rummy_p2p.ui.table_play import Options
from rummy_p2p.ui.table_state import TableState

_BEAT: Final = 0.25  # seconds from one picture to the next


class Claiming(NamedTuple):
    """What the call is named, and the time that is left of all the time for it; none left: until somebody draws."""

    label: str
    left: float | None
    total: float

    @property
    def text(self) -> str:
        """The name, with the time that is left."""
        return self.label if self.left is None else f"{self.label} {clock_text(self.left)}"


def claiming(view: View, state: TableState, options: Options, now: float) -> Claiming | None:
    """Return what the player may claim just now, if anything."""
    if not options.call or options.knocks:
        return None
    rules = view.state.rules
    return Claiming(label_text(rules.labels.call), state.claim_left(view.state, now), rules.claim.window_ms / 1000)


class Countdown:
    """Draws again and again as long as a discard can be claimed, and once more when it no longer can."""

    def __init__(self, screen: Screen, left: Callable[[], float | None]) -> None:
        """``left``: how long it can be claimed; None when it cannot, or for as long as nobody draws."""
        self._screen = screen
        self._left = left
        self._runs = False

    def begin(self) -> None:
        """Something has been discarded."""
        if not self._runs:
            self._beat()

    def _beat(self) -> None:
        self._runs = self._left() is not None and self._screen.after(_BEAT, self._beat) is not None
        self._screen.redraw()
