"""The doctor behind its room: the checks of ``rummy-p2p doctor``, one after the other, beside the drawing."""

from __future__ import annotations

import asyncio
from argparse import Namespace
from collections.abc import Callable
from contextlib import aclosing
from typing import Final

from rummy_p2p.cli import CommandError
from rummy_p2p.cli.doctor_terminal import terminal_in_use
from rummy_p2p.cli.doctoring import examine, finding
from rummy_p2p.cli.lan import inquirer
from rummy_p2p.node.checks import Check
from rummy_p2p.node.peer import Peer
from rummy_p2p.sentences.doctor import verdict
from rummy_p2p.sentences.faults import retold
from rummy_p2p.sentences.screen_network import network_say
from rummy_p2p.store import Store, StoreError
from rummy_p2p.ui.doctor_room import Mark, Remark
from rummy_p2p.ui.screen import Screen
from rummy_p2p.variants.manager import Catalogue

LISTENS: Final = 3.0  # seconds, for others


class Examining:
    """One examination after the other; the latest is shown."""

    def __init__(self, peer: Peer, files: Store, games: Catalogue, screen: Screen, whom: str = "") -> None:
        """Nothing has been looked at."""
        self._peer = peer
        self._files = files
        self._games = games
        self._screen = screen
        self._task: asyncio.Task[None] | None = None
        self._checks: list[Check] = []
        self._remarks: tuple[Remark, ...] = ()
        self._changed: Callable[[], None] = lambda: None
        self._last_word = ""
        self._whom = whom

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """What has been found so far."""
        return self._remarks

    @property
    def whom(self) -> str:
        """To whom the way is looked at as well."""
        return self._whom

    @property
    def runs(self) -> bool:
        """Whether it goes on."""
        return self._task is not None and not self._task.done()

    @property
    def verdict(self) -> str:
        """The last word; empty before the end."""
        return self._last_word

    def watch(self, call: Callable[[], None]) -> None:
        """Call this whenever there is something new."""
        self._changed = call

    def begin(self, whom: str = "") -> None:
        """Look at everything, from the beginning."""
        self.end()
        self._checks.clear()
        self._remarks, self._last_word, self._whom = (), "", whom
        self._task = self._screen.start(self._look(), "lobby-doctor")

    def end(self) -> None:
        """Look no more."""
        if self._task is not None and self.runs:
            self._task.cancel()
            self._last_word = network_say("doctor-stopped")

    async def _look(self) -> None:
        size = self._screen.app.output.get_size()
        options = Namespace(peer=self._whom or None, wait=LISTENS)
        terminal = terminal_in_use(size.columns, size.rows)
        try:
            async with (
                inquirer(self._peer, self._files) as asking,
                aclosing(examine(options, self._peer, self._files, asking, self._games, terminal)) as examination,
            ):
                async for check in examination:
                    self._take(check)
                    await asyncio.sleep(0)  # a key may be waiting
        except (CommandError, StoreError) as error:
            self._last_word = retold(str(error))
        else:
            failed = [check.layer.value for check in self._checks if not check.ok]
            self._last_word = verdict(len(failed), failed[0] if failed else "")
        self._changed()

    def _take(self, check: Check) -> None:
        self._checks.append(check)
        found = finding(check, self._peer.transport.port)
        mark: Mark = "skipped" if found.skipped else "ok" if found.ok else "fails"
        self._remarks = (*self._remarks, Remark(mark, found.layer, found.detail, found.fix))
        self._changed()
