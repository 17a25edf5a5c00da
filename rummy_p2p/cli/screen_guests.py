"""Guests by ssh at a table that was opened on the full screen: the door is opened and closed while the table stands."""

from __future__ import annotations

import asyncio
from argparse import Namespace
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from rummy_p2p.cli import CommandError
from rummy_p2p.cli.lan import refusals
from rummy_p2p.cli.screen_table import Seats
from rummy_p2p.cli.ssh_guests import Invitation, guests_by_ssh, require_ssh
from rummy_p2p.node.peer import Peer
from rummy_p2p.protocol.forming import Phase
from rummy_p2p.sentences.faults import retold
from rummy_p2p.sentences.guests import guest_text
from rummy_p2p.sentences.screen_network import network_say
from rummy_p2p.store import Store
from rummy_p2p.ui.screen import Screen

PORT: Final = 2222


class GuestDoor:
    """The door of one stay in the lobby."""

    def __init__(self, peer: Peer, files: Store, screen: Screen, seats: Seats, changed: Callable[[], None]) -> None:
        """It is shut. ``changed`` is called when it has been opened or shut."""
        self._peer = peer
        self._files = files
        self._screen = screen
        self._seats = seats
        self._changed = changed
        self._open: asyncio.Task[None] | None = None
        self._invitation: Invitation | None = None
        self.port = PORT

    @property
    def way(self) -> tuple[str, str]:
        """What guests type, and the key that they are shown; empty while nobody is let in."""
        return ("", "") if self._invitation is None else (self._invitation.command, self._invitation.fingerprint)

    @property
    def is_open(self) -> bool:
        """Whether guests are let in, or are about to be."""
        return self._open is not None

    def switch(self, port: int | None = None) -> None:
        """Let guests in, or no longer."""
        session = self._peer.session
        if session is None or session.creator != session.me or session.phase is Phase.CLOSED:
            self._screen.note(network_say("guests-where"))
        elif self._open is not None:
            self.shut()
            self._screen.note(network_say("guests-no-more"))
        else:
            self.port = PORT if port is None else port
            self._open = self._screen.start(self._let_in(), "lobby-guests")

    def shut(self) -> None:
        """Let nobody in; whoever is here goes."""
        door, self._open, self._invitation = self._open, None, None
        self._seats.let_in(None, ("", ""))
        if door is not None:
            door.cancel()
        self._changed()

    def move(self, *, wanted: bool) -> None:
        """Another table stands in the place of the one that the door led to: guests come to that, where it is
        ``wanted``.
        """
        before = self._open
        self.shut()
        if wanted:
            self._open = self._screen.start(self._let_in(before), "lobby-guests")

    async def _let_in(self, before: asyncio.Task[None] | None = None) -> None:
        """Hold the door open until the task is cancelled; the port is not free before the door before has been shut."""
        if before is not None:
            with suppress(asyncio.CancelledError):
                await asyncio.wait([before])
        session, bots = self._peer.session, self._seats.bots
        if session is None or bots is None:
            return
        options = Namespace(ssh=self.port, password=self._seats.password or None)
        try:
            with refusals():
                require_ssh(self.port)
                async with guests_by_ssh(options, self._peer, self._files, session, bots) as invitation:
                    self._invitation = invitation
                    self._seats.let_in(invitation, self.way)
                    self._screen.note(f"{guest_text('open')} {invitation.command}")
                    self._changed()
                    await asyncio.Event().wait()
        except CommandError as error:
            self._open = None
            self._screen.note(retold(str(error)))
        self._changed()
