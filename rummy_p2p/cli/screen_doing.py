"""What is under way in the lobby: said with the time that it takes already, so that it is seen to go on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rummy_p2p.sentences.screen_lobby import seconds_text
from rummy_p2p.ui.screen import Screen

_TELL_AFTER: Final = 2  # seconds that need no telling


class Doing:
    """One thing at a time; ``said`` is empty when there is none."""

    def __init__(self, screen: Screen, clock: Callable[[], float]) -> None:
        """Nothing is under way."""
        self._screen = screen
        self._clock = clock
        self._what = ""
        self._began = 0.0
        self._stop: Callable[[], None] | None = None

    @property
    def said(self) -> str:
        """What is under way, and for how long."""
        seconds = int(self._clock() - self._began)
        return f"{self._what} {seconds_text(seconds)}" if self._what and seconds >= _TELL_AFTER else self._what

    def begin(self, what: str) -> None:
        """Count the seconds of something."""
        self.end()
        self._what, self._began = what, self._clock()
        self._stop = self._screen.every(1.0, lambda: None)  # drawn anew each time

    def goes_on(self, what: str) -> None:
        """Another part of the same thing is under way."""
        if self._what:
            self._what = what
            self._screen.redraw()

    def end(self) -> None:
        """It is done, or was refused."""
        self._what = ""
        if self._stop is not None:
            self._stop()
            self._stop = None
