"""The way from the lobby to somebody else's table: it is found, asked what it plays, and sat down or looked on at.

The law of the file
    What is in the list is gone to at once; everything else is looked for as ``join`` on the command line looks for it,
    rung by rung, and each is told. A table is only entered when its rules can be played here, nobody there is blocked
    or somebody else than before, and the password has been given where one is wanted.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Coroutine, Sequence
from typing import Final, Protocol

from rummy_p2p.cli import CommandError
from rummy_p2p.cli.finding import Elsewhere, look_on_at, step_line
from rummy_p2p.cli.inviting import facts_of
from rummy_p2p.cli.lan import inquirer
from rummy_p2p.cli.meeting import require_known
from rummy_p2p.cli.network import find
from rummy_p2p.cli.screen_found import Found
from rummy_p2p.cli.screen_offer import offered_rules
from rummy_p2p.cli.watching import ANY
from rummy_p2p.node.announcement import TableState
from rummy_p2p.node.invitations import Invited
from rummy_p2p.node.ladder import Step
from rummy_p2p.node.peer import Peer
from rummy_p2p.node.places import Address
from rummy_p2p.protocol.forming import Guest
from rummy_p2p.protocol.joincode import is_incomplete_code, is_mistyped_code
from rummy_p2p.protocol.messages import TableInfo, read_table
from rummy_p2p.protocol.table import TableSession
from rummy_p2p.protocol.text import TITLE_LIMIT, clean
from rummy_p2p.ruleset import Ruleset
from rummy_p2p.sentences.closed import closed_text
from rummy_p2p.sentences.lobby import lobby_text
from rummy_p2p.sentences.screen_lobby import lobby_say
from rummy_p2p.sentences.titles import table_title
from rummy_p2p.store import Store
from rummy_p2p.ui.lobby_model import TableRow
from rummy_p2p.ui.screen import Screen
from rummy_p2p.variants.manager import Catalogue

PATIENCE: Final = 3.0  # for a table that is not in the list


class Host(Protocol):
    """The lobby, as far as the way out of it asks."""

    @property
    def screen(self) -> Screen:
        """The screen."""
        ...

    @property
    def games(self) -> Catalogue:
        """What can be played."""
        ...

    @property
    def nick(self) -> str:
        """The player's name."""
        ...

    def tables(self) -> tuple[TableRow, ...]:
        """Return the list."""
        ...

    def sits(self) -> bool:
        """Whether a seat is taken already, or being taken; the player is told."""
        ...

    def begin(self, what: str, work: Coroutine[object, object, None]) -> None:
        """Do something that takes a while; what is refused is told."""
        ...

    def goes_on(self, what: str) -> None:
        """Say what is being done now."""
        ...

    def sit(self, session: TableSession, level: str) -> None:
        """Be at a table."""
        ...

    def look(self, session: TableSession) -> None:
        """Be at a table without a seat."""
        ...


class Joining:
    """Ways to tables, for one stay in the lobby."""

    def __init__(self, host: Host, options: Namespace, peer: Peer, files: Store, found: Found) -> None:
        """``found``: who has been met besides those that mDNS shows."""
        self._host = host
        self._options = options
        self._peer = peer
        self._files = files
        self._found = found

    # --- sitting down ------------------------------------------------------------------------------------------------

    def join(self, table: str, *, walk: bool = False) -> None:
        """Sit down at a table: its number, title, address or code; nothing: any that has a seat."""
        self._go(table, lambda wanted: self._join(wanted, walk=walk))

    def accept(self, invited: Invited) -> None:
        """Go to the table of an invitation."""
        title = facts_of(self._host.games, invited)["title"]
        self._host.begin(lobby_say("connecting", title=title), self._join(invited.address, invited=invited))

    def _go(self, table: str, way: Callable[[str], Coroutine[object, object, None]]) -> None:
        """Begin to go to a table, unless the player is somewhere, or there is no table with that number."""
        if self._host.sits():
            return
        rows = self._host.tables()
        row = next((row for row in rows if table in (row.address, str(row.number), row.title)), None)
        if row is None and table.isdecimal():
            self._host.screen.note(lobby_text("no-such-number", name=table))
            return
        title = row.title if row is not None else clean(table, TITLE_LIMIT) or lobby_say("any-table")
        like_a_code = is_mistyped_code(table) or is_incomplete_code(table)
        by_name = row is None or (table == row.title and not like_a_code)
        wanted = table if by_name or row is None else row.address
        self._host.begin(lobby_say("connecting", title=title), way(wanted))

    async def _join(
        self, wanted: str, password: str = "", invited: Invited | None = None, *, walk: bool = False
    ) -> None:
        offer = await self._peer.ask(await self._find(wanted, walk=walk))
        info = read_table(offer)
        if invited is not None and (info is None or info.table != invited.info.table):
            self._peer.rise()
            raise CommandError(lobby_say("invited-gone", **facts_of(self._host.games, invited)))
        rules = None if info is None else self._rules_of(info)
        if rules is None:
            self._peer.rise()
            return
        require_known(self._peer, self._files, self._peer.nick_of(offer.author), offer.author)
        admitted = invited is not None and invited.admitted
        if info is not None and info.closed and not (password or admitted):
            title = table_title(info.title, rules.game, self._peer.nick_of(offer.author))
            self._ask_password(wanted, title, invited)
            return
        guest = Guest(self._host.nick, 0, wish=self._options.be_host)
        session = await self._peer.sit_down(offer, rules, guest, password, admitted=admitted)
        self._host.sit(session, "normal")

    def _ask_password(self, wanted: str, title: str, invited: Invited | None) -> None:
        """Let the player type the password of a closed table, and go on with that."""

        def go_on(password: str) -> None:
            if password.strip() and not self._host.sits():
                self._host.begin(lobby_say("connecting", title=title), self._join(wanted, password, invited))

        self._peer.rise()
        self._host.screen.note(closed_text("ask", title=title))
        self._host.screen.open_line(closed_text("ask-line"), go_on, once=True)

    # --- looking on --------------------------------------------------------------------------------------------------

    def look_on(self, table: str, *, walk: bool = False) -> None:
        """Look on at a table: its number, title, address or code; nothing: any, one in play before others."""
        self._go(table, lambda wanted: self._look_on(wanted, walk=walk))

    async def _look_on(self, wanted: str, *, walk: bool) -> None:
        offer = await self._peer.ask(await self._find(wanted, ANY, walk=walk))
        info = read_table(offer)
        rules = None if info is None else self._rules_of(info)
        if rules is None:
            self._peer.rise()
            return
        require_known(self._peer, self._files, self._peer.nick_of(offer.author), offer.author)
        self._host.look(await look_on_at(self._peer, offer, rules, self._host.screen.note))

    # --- finding it --------------------------------------------------------------------------------------------------

    async def _find(self, wanted: str, states: Sequence[TableState] = (), *, walk: bool) -> Address:
        """Climb the ladder; whoever is met on the way is in the list from then on."""
        known = self._found.named(wanted)
        if known is not None:
            return Address.of(known)
        async with inquirer(self._peer, self._files) as asking:
            elsewhere = Elsewhere(asking, self._found.remembered(), walk, self._step)
            meant = Namespace(table=wanted or None, wait=PATIENCE)
            address, _by = await find(meant, self._peer, self._host.games, elsewhere, states)
        return address

    def _step(self, step: Step) -> None:
        if step.found is not None:
            self._found.add(step.found)
        self._found.tell(step)
        self._host.goes_on(step_line(step))

    def _rules_of(self, info: TableInfo) -> Ruleset | None:
        """Return the rules of a table; None when they cannot be played here: then a page tells why."""
        offered = offered_rules(self._host.games, info)
        if offered.told:
            which = "cannot-join" if offered.rules is None else "told-rules"
            self._host.screen.page(lobby_say(which, title=info.title), lambda: offered.told)
        return offered.rules
