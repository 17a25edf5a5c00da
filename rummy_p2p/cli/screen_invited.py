"""Invitations on the full screen: those that this player sends, and the question that is put for each that comes.

The law of the file
    Nobody is taken anywhere without an answer. Whoever plays a match is told, and asked when it is over; whoever types
    or reads a page is asked after that. One question at a time, the latest of each player, and not for ever.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Final, Protocol

from rummy_p2p.cli import CommandError
from rummy_p2p.cli.inviting import facts_of, no_line
from rummy_p2p.cli.lan import inquirer
from rummy_p2p.cli.meeting import require_known
from rummy_p2p.node.invitations import Invited, decline, invite
from rummy_p2p.node.peer import Peer
from rummy_p2p.protocol.errors import ProtocolError
from rummy_p2p.protocol.forming import Phase
from rummy_p2p.protocol.table import TableSession
from rummy_p2p.protocol.text import NICK_LIMIT, clean
from rummy_p2p.sentences.faults import retold
from rummy_p2p.sentences.screen_lobby import lobby_say
from rummy_p2p.sentences.titles import table_title
from rummy_p2p.store import Store
from rummy_p2p.ui.invited import Unexpected
from rummy_p2p.ui.popup import Popup
from rummy_p2p.ui.screen import Screen
from rummy_p2p.variants.manager import Catalogue

MOST_WAITING: Final = 8
HOLDS: Final = 300.0  # seconds that an invitation is worth asking about
QUIET_MINUTES: Final = 10
LOOK_AGAIN: Final = 1.0


class Host(Protocol):
    """The lobby, as far as invitations ask."""

    @property
    def screen(self) -> Screen:
        """The screen."""
        ...

    @property
    def games(self) -> Catalogue:
        """What can be played."""
        ...

    def begin(self, what: str, work: Coroutine[object, object, None]) -> None:
        """Do something that takes a while; what is refused is told."""
        ...

    def accept(self, invited: Invited) -> None:
        """Go to the table of an invitation."""
        ...

    def tell(self, line: str) -> None:
        """Tell what has come of something that was begun a while ago, where it stays to be read."""
        ...


class Invitees:
    """Both sides, for one stay in the lobby."""

    def __init__(self, host: Host, peer: Peer, files: Store) -> None:
        """Begin to hear; ``close`` ends it."""
        self._host = host
        self._peer = peer
        self._files = files
        self._clock = asyncio.get_running_loop().time
        self._waiting: dict[bytes, tuple[Invited, float]] = {}
        self._question: Unexpected | None = None
        self._stop_looking: Callable[[], None] | None = None
        self._stop_hearing = peer.invitations.listen(self._hear)
        self._stop_hearing_no = peer.invitations.listen_to_no(lambda nick: host.tell(no_line(nick)))

    def close(self) -> None:
        """Hear no more."""
        self._stop_hearing()
        self._stop_hearing_no()
        self._waiting.clear()
        self._rest()

    # --- asking others -----------------------------------------------------------------------------------------------

    def invite(self, person: str) -> None:
        """Invite the player with this id."""
        player = bytes.fromhex(person)
        seen = (each.nick for each in self._peer.discovery.sightings() if each.id == person)
        name = self._peer.nick_of(player) or next(seen, "?")
        self._host.begin(lobby_say("inviting", name=clean(name, NICK_LIMIT)), self._invite(player, name))

    async def _invite(self, player: bytes, name: str) -> None:
        async with inquirer(self._peer, self._files) as asking:
            await invite(self._peer, asking, player)
        self._host.screen.note(lobby_say("invited", name=clean(name, NICK_LIMIT)))

    # --- being asked -------------------------------------------------------------------------------------------------

    def _hear(self, invited: Invited) -> None:
        """Take one in: the latest of each player counts."""
        try:
            require_known(self._peer, self._files, invited.nick, invited.inviter)
        except CommandError as error:
            self._host.screen.note(retold(str(error)))
            return
        self._waiting.pop(invited.inviter, None)
        self._waiting[invited.inviter] = (invited, self._clock())
        if len(self._waiting) > MOST_WAITING:
            del self._waiting[next(iter(self._waiting))]
        if self._plays():
            self._host.screen.note(lobby_say("invited-later", **self._facts(invited)))
        if self._stop_looking is None:
            self._stop_looking = self._host.screen.every(LOOK_AGAIN, self.look)
        self.look()

    def _rest(self) -> None:
        """There is nothing to look for."""
        if self._stop_looking is not None:
            self._stop_looking()
            self._stop_looking = None

    def look(self) -> None:
        """Ask about the next one, as soon as the player is free to answer."""
        now = self._clock()
        self._waiting = {who: kept for who, kept in self._waiting.items() if now - kept[1] < HOLDS}
        if not self._waiting:
            self._rest()
        elif self._is_free():
            invited, _when = self._waiting.pop(next(iter(self._waiting)))
            self._ask(invited)

    def _is_free(self) -> bool:
        screen = self._host.screen
        return not (screen.line.is_open or isinstance(screen.room, Popup) or screen.room is None or self._plays())

    def _plays(self) -> bool:
        session = self._peer.session
        return session is not None and session.phase is Phase.PLAYING

    def _ask(self, invited: Invited) -> None:
        screen, facts = self._host.screen, self._facts(invited)
        answers = (
            ("y", lobby_say("invited-yes"), lambda: self._host.accept(invited)),
            ("n", lobby_say("invited-no"), lambda: self._decline(invited)),
            ("m", lobby_say("invited-quiet", **facts), lambda: self._quiet(invited)),
        )
        self._question = Unexpected(screen.below, screen.leave, self._text(invited), answers, self._clock)
        screen.enter(self._question)
        screen.bell()

    def _text(self, invited: Invited) -> str:
        """Return the question, with what saying yes would ask of the player."""
        facts = self._facts(invited)
        parts = [lobby_say("invited-ask", **facts)]
        if invited.info.closed and not invited.admitted:
            parts.append(lobby_say("invited-closed"))
        session = self._peer.session
        if session is not None and session.phase is not Phase.CLOSED:
            parts.append(lobby_say("invited-leaves", title=_title_of(session)))
        return " ".join(parts)

    def _facts(self, invited: Invited) -> dict[str, str | int]:
        return {**facts_of(self._host.games, invited), "minutes": QUIET_MINUTES}

    def _decline(self, invited: Invited) -> None:
        """Let the inviter know; nothing hangs on whether that succeeds."""
        self._host.screen.start(self._say_no(invited), "invitation-no")

    async def _say_no(self, invited: Invited) -> None:
        async with inquirer(self._peer, self._files) as asking:
            with suppress(ProtocolError):
                await decline(self._peer, asking, invited)

    def _quiet(self, invited: Invited) -> None:
        self._decline(invited)
        self._peer.invitations.patience.not_before(invited.inviter, self._clock() + QUIET_MINUTES * 60)
        self._waiting.pop(invited.inviter, None)


def _title_of(session: TableSession) -> str:
    return table_title(session.info.title, session.rules.game, session.opener)
