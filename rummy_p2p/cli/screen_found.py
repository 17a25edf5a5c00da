"""Who is found where mDNS shows nothing: those from last time, and whoever a walk along the network meets.

The law of the file
    Those from last time are tried by themselves when nothing has shown for a moment, and now and then as long as
    nothing does; a walk begins and ends when the player says so. Whoever was found is asked again from time to time,
    and is gone when there is no answer: what mDNS does not tell is seen in no other way.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from itertools import count
from typing import Final

from rummy_p2p.cli.finding import fits, step_line
from rummy_p2p.cli.lan import inquirer
from rummy_p2p.node.announcement import Sighting
from rummy_p2p.node.inquiry import Inquirer
from rummy_p2p.node.ladder import PATIENCE, Mark, Step, by_memory, by_walk
from rummy_p2p.node.peer import Peer
from rummy_p2p.protocol.errors import ProtocolError
from rummy_p2p.store import RememberedPeer, Store, StoreError
from rummy_p2p.ui.lobby_model import Walking
from rummy_p2p.ui.screen import Screen

AGAIN: Final = 8.0  # seconds between two questions to whoever was found
TURNS: Final = 4  # after so many of them those from last time are tried again, where nobody is seen
MOST_KEPT: Final = 64


class Found:
    """Everybody who can be seen from here, for one stay in the lobby."""

    def __init__(self, peer: Peer, files: Store, screen: Screen, changed: Callable[[], None]) -> None:
        """Begin to look; ``changed`` is called whenever there is news."""
        self._peer = peer
        self._files = files
        self._screen = screen
        self._changed = changed
        self._met: dict[str, Sighting] = {}
        self._told: tuple[str, ...] = ()
        self._walk: asyncio.Task[None] | None = None
        self._walking: Walking | None = None
        self._revision = 0
        self._keeping = screen.start(self._keep(), "lobby-found")

    def close(self) -> None:
        """Look no more."""
        self._keeping.cancel()
        self.stop()

    # --- who is there ------------------------------------------------------------------------------------------------

    def sightings(self) -> list[Sighting]:
        """Return whom mDNS shows, then whom it does not."""
        seen = self._peer.discovery.sightings()
        shown = {each.id for each in seen if each.live}
        return [*seen, *(each for each in self._met.values() if each.id not in shown)]

    @property
    def news(self) -> int:
        """Another number whenever there is news of anybody."""
        return self._peer.discovery.revision + self._revision

    def named(self, wanted: str) -> Sighting | None:
        """Return whose table is called so, of those that mDNS does not show."""
        return next((each for each in self._met.values() if wanted and fits(each, wanted)), None)

    def add(self, found: Sighting) -> None:
        """Keep in mind whom a climb has met."""
        if len(self._met) < MOST_KEPT or found.id in self._met:
            self._met[found.id] = found
            self._news()

    @property
    def told(self) -> tuple[str, ...]:
        """What was tried besides mDNS, and what came of it."""
        return self._told

    def remembered(self) -> tuple[RememberedPeer, ...]:
        """Return those from last time; a file that cannot be read is told, and hinders nothing."""
        try:
            return self._files.peers()[0]
        except StoreError as error:
            self._screen.note(str(error))
            return ()

    def _news(self) -> None:
        self._revision += 1
        self._changed()

    # --- by itself ---------------------------------------------------------------------------------------------------

    async def _keep(self) -> None:
        await asyncio.sleep(PATIENCE)
        async with inquirer(self._peer, self._files) as asking:
            for turn in count():
                if turn % TURNS == 0 and self._walk is None and not any(each.live for each in self.sightings()):
                    self._told = ()
                    await self._climb(by_memory(asking, self.remembered()))
                await asyncio.sleep(AGAIN)
                await asyncio.gather(*(self._ask_again(asking, each) for each in tuple(self._met.values())))

    async def _ask_again(self, asking: Inquirer, known: Sighting) -> None:
        pin, player = bytes.fromhex(known.pin), bytes.fromhex(known.id)
        try:
            now: Sighting | None = await asking.ask(known.addresses[0], known.port, pin, player)
        except ProtocolError:
            now = None
        if now is None:
            self._met.pop(known.id, None)
        else:
            self._met[known.id] = now
        if now != known:
            self._news()

    async def _climb(self, rung: AsyncGenerator[Step, None]) -> None:
        async with aclosing(rung) as steps:
            async for step in steps:
                if step.found is not None:
                    self.add(step.found)
                self.tell(step)

    def tell(self, step: Step) -> None:
        """Let a step be seen; of a walk that is under way only the latest."""
        if step.mark is Mark.TRIES and step.done:
            return
        self._told = (*self._told, step_line(step))[-4:]
        self._changed()

    # --- the walk ----------------------------------------------------------------------------------------------------

    @property
    def walking(self) -> Walking | None:
        """How far the walk is; None when there is none."""
        return self._walking

    def walk(self) -> None:
        """Begin to walk along the own networks, or end that."""
        if not self.stop():
            self._told = ()
            self._walk = self._screen.start(self._go_along(), "lobby-walk")

    def stop(self) -> bool:
        """End the walk; whether there was one."""
        walk, self._walk, self._walking = self._walk, None, None
        if walk is not None:
            walk.cancel()
        self._changed()
        return walk is not None

    async def _go_along(self) -> None:
        async with (
            inquirer(self._peer, self._files) as asking,
            aclosing(by_walk(self._peer.discovery, asking)) as steps,
        ):
            async for step in steps:
                if step.found is not None:
                    self.add(step.found)
                self._walking = Walking(step_line(step), step.done, step.total)
                self.tell(step)
        self._screen.note(self._told[-1] if self._told else "")
        self._walk = self._walking = None
        self._changed()
