"""Invitations from and to whoever sits at a table or a prompt without the lobby: lines of text, and a typed word."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Literal

from rummy_p2p.cli import CommandError
from rummy_p2p.cli.lan import inquirer
from rummy_p2p.cli.meeting import require_known
from rummy_p2p.cli.screen_offer import house_titles, offered_rules
from rummy_p2p.node.announcement import Sighting
from rummy_p2p.node.invitations import Invited, invite
from rummy_p2p.node.peer import Peer
from rummy_p2p.protocol.errors import ProtocolError
from rummy_p2p.protocol.messages import TableInfo
from rummy_p2p.protocol.text import NICK_LIMIT, clean
from rummy_p2p.sentences.faults import retold
from rummy_p2p.sentences.language import listed
from rummy_p2p.sentences.screen_lobby import lobby_say
from rummy_p2p.sentences.titles import table_title, title_text
from rummy_p2p.store import Store
from rummy_p2p.ui.invited import invite_called
from rummy_p2p.ui.lobby_model import Person
from rummy_p2p.variants.manager import Catalogue


class Inviting:
    """Whom the player of a table may ask to it; what comes of that is told in a line. Belongs to one event loop."""

    def __init__(self, peer: Peer, files: Store, tell: Callable[[str], None]) -> None:
        """Begin to hear who says no; ``close`` ends it."""
        self._peer = peer
        self._files = files
        self._tell = tell
        self._asking: set[asyncio.Task[None]] = set()
        self._stop = peer.invitations.listen_to_no(lambda nick: tell(no_line(nick)))

    def close(self) -> None:
        """Hear no more, and ask nobody else."""
        self._stop()
        for task in tuple(self._asking):
            task.cancel()

    def people(self) -> tuple[Person, ...]:
        """Return the others who are present."""
        session = self._peer.session
        seated = set() if session is None else {seat.owner.hex() for seat in session.seats}
        seen = (each for each in self._peer.discovery.sightings() if each.live)
        return tuple(Person(each.nick, title_at(each), id=each.id, here=each.id in seated) for each in seen)

    def typed(self, text: str) -> None:
        """Ask whoever is called so; without a name tell who is here."""
        name, free = text.strip(), [each.nick for each in self.people() if not each.here]
        if name and (why := invite_called(self.people(), name, self.ask)):
            self._tell(why)
        elif name:
            return
        elif free:
            self._tell(lobby_say("invite-here", names=listed([clean(nick, NICK_LIMIT) for nick in free])))
        else:
            self._tell(lobby_say("invite-nobody"))

    def ask(self, person: str) -> None:
        """Ask the player with this id."""
        task = asyncio.create_task(self._ask(bytes.fromhex(person)), name="inviting")
        self._asking.add(task)
        task.add_done_callback(self._asking.discard)

    async def _ask(self, player: bytes) -> None:
        seen = (each.nick for each in self.people() if each.id == player.hex())
        name = clean(self._peer.nick_of(player) or next(seen, "?"), NICK_LIMIT)
        try:
            async with inquirer(self._peer, self._files) as asking:
                await invite(self._peer, asking, player)
        except ProtocolError as error:
            self._tell(retold(str(error)))
        else:
            self._tell(lobby_say("invited", name=name))


def no_line(nick: str) -> str:
    """Return that somebody who was invited does not come."""
    return lobby_say("says-no", name=clean(nick, NICK_LIMIT) or "?")


def tell_invitations(
    peer: Peer, files: Store, games: Catalogue, tell: Callable[[str], None], *, at_table: bool
) -> Callable[[], None]:
    """Tell of every invitation in a line, until what is returned is called."""
    which: Literal["invited-line-later", "invited-line"] = "invited-line-later" if at_table else "invited-line"

    def hear(invited: Invited) -> None:
        try:
            require_known(peer, files, invited.nick, invited.inviter)
        except CommandError as error:
            tell(str(error))
        else:
            tell(lobby_say(which, address=invited.address, **facts_of(games, invited)))

    return peer.invitations.listen(hear)


def facts_of(games: Catalogue, invited: Invited) -> dict[str, str]:
    """Return who invites, to which table and to what, fit for a terminal."""
    rules = offered_rules(games, invited.info).rules
    opener = invited.nick if invited.inviter == invited.creator else ""
    title = table_title(invited.info.title, rules.game if rules else "", opener)
    return {
        "name": clean(invited.nick, NICK_LIMIT),
        "title": title,
        "game": what_is_played(games, invited.info),
    }


def title_at(seen: Sighting) -> str:
    """Return what somebody's table is called; nothing where there is none."""
    return table_title(seen.table.title, seen.table.game, seen.nick) if seen.table else ""


def what_is_played(games: Catalogue, info: TableInfo) -> str:
    """Return game and house rules in a few words, as far as they are installed here."""
    rules = offered_rules(games, info).rules
    if rules is None:
        return lobby_say("unknown-game")
    return " + ".join((title_text(rules), *house_titles(games, rules.house)))
