"""The tables on the LAN: what is listed of them, and how the one that is wanted is found."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import aclosing
from typing import Final, NamedTuple

import msgspec

from rummy_p2p.cli import NETWORK, USAGE, CommandError
from rummy_p2p.node.announcement import Sighting, TableInfo, TableState
from rummy_p2p.node.carrying import NoSeat
from rummy_p2p.node.inquiry import Inquirer
from rummy_p2p.node.ladder import PATIENCE, Mark, Rung, Step, by_memory, by_walk
from rummy_p2p.node.peer import Peer
from rummy_p2p.node.places import Address
from rummy_p2p.protocol.joincode import is_incomplete_code, is_mistyped_code, read_code
from rummy_p2p.protocol.messages import Signed
from rummy_p2p.protocol.table import TableSession
from rummy_p2p.ruleset import Ruleset, RulesetError
from rummy_p2p.sentences.faults import retold
from rummy_p2p.sentences.finding import finding_text, step_text
from rummy_p2p.sentences.lobby import lobby_text, row_text, rules_text
from rummy_p2p.sentences.titles import rule_words, table_title, title_text
from rummy_p2p.sentences.typed import typed_title
from rummy_p2p.store import RememberedPeer
from rummy_p2p.variants.manager import Catalogue, split_rule

_ADDRESS: Final = re.compile(
    r"(?:rummy://)?(?P<host>\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-fA-F:]+(?:%[\w.-]{1,15})?\]):(?P<port>\d{1,5})"
    r"(?:#(?P<pin>[0-9a-fA-F]{64}))?"
)
MOST_JUDGED: Final = 1024
_JUDGED: Final[dict[tuple[str, tuple[str, ...] | None, str], tuple[Catalogue, str]]] = {}
LET_IN_AGAIN_AFTER: Final = 3.0  # seconds until one knocks again where one is let in with the next hand
_STATES: Final = {TableState.OPEN: "open", TableState.CODE: "password", TableState.PLAYING: "playing"}


class Seats(msgspec.Struct, frozen=True):
    """How many seats of a table are taken, and how many there are."""

    taken: int
    total: int


class Row(msgspec.Struct, frozen=True):
    """A table as the list shows it; ``rules``: whether they are here the same, missing or different."""

    id: str
    title: str
    game: str
    house: tuple[str, ...]
    seats: Seats
    state: str
    host: str
    address: str
    pin: str
    rules: str

    def line(self, number: int, games: Catalogue) -> str:
        """Return the row as a line for people."""
        seats = f"{self.seats.taken}/{self.seats.total}"
        rules = rules_text(played_text(games, self.game, self.house), self.rules)
        return row_text(number, self.called, seats, self.state, self.host, rules)

    @property
    def called(self) -> str:
        """What the table is called here; ``title`` is what it bears in all languages."""
        return table_title(self.title, self.game, self.host)


def rows(sightings: Iterable[Sighting], games: Catalogue) -> tuple[Row, ...]:
    """Return the tables that are there: who answers at the door, longest known first."""
    return tuple(_row(seen, seen.table, games) for seen in sightings if seen.table is not None and seen.live)


def _row(seen: Sighting, table: TableInfo, games: Catalogue) -> Row:
    return Row(
        id=table.id,
        title=table.title,
        game=table.game,
        house=table.house or (),
        seats=Seats(table.taken, table.total),
        state=_STATES[table.state],
        host=seen.nick,
        address=f"rummy://{seen.addresses[0]}:{seen.port}#{seen.pin}",
        pin=seen.pin,
        rules=rules_state(games, table),
    )


def rules_state(games: Catalogue, table: TableInfo) -> str:
    """Return whether this installation plays a table's rules: same, missing or different.

    The answer is kept: a list of 200 tables is made again whenever one of them changes.
    """
    key = (table.game, table.house, table.ruleset)
    known = _JUDGED.get(key)
    if known is None or known[0] is not games:
        if len(_JUDGED) >= MOST_JUDGED:  # of a flood of inventions nothing need be kept
            _JUDGED.clear()
        known = _JUDGED[key] = (games, _judge(games, table))
    return known[1]


def played_text(games: Catalogue, game: str, house: Sequence[str]) -> str:
    """Return what is played at a table as people call it, with what its house rules are set to; what is not installed
    here has no other name than the one that is typed.
    """
    known = games.games.get(game)
    return " + ".join((title_text(known.rules) if known else game, *(_house_words(games, text) for text in house)))


def _house_words(games: Catalogue, text: str) -> str:
    name = re.split("[:=]", text, maxsplit=1)[0].strip()
    if not _knows(games, text):
        return text
    given = text[len(name) + 1 :].strip()
    title = rule_words(games.house_rules[name].title)
    return f"{title} ({given})" if given else title


def _judge(games: Catalogue, table: TableInfo) -> str:
    if table.game not in games.games or not all(_knows(games, text) for text in table.house or ()):
        return "missing"
    try:
        mine = games.compile(table.game, table.house or ())
    except RulesetError:
        return "different"
    return "same" if mine.fingerprint == table.ruleset else "different"


def _knows(games: Catalogue, text: str) -> bool:
    try:
        return split_rule(text)[0] in games.house_rules
    except RulesetError:
        return False


# --- finding one -----------------------------------------------------------------------------------------------------


def read_address(text: str) -> Address | None:
    """Return the address that a text is, also one that a join code stands for; None when it is the name of a table;
    CommandError when it is neither.
    """
    place = read_code(text)
    if place is not None:
        return Address((place.address,), place.port, place.pin)
    found = _ADDRESS.fullmatch(text)
    if found is not None and 0 < int(found["port"]) < 1 << 16:
        pin = bytes.fromhex(found["pin"]) if found["pin"] else None
        return Address((found["host"].strip("[]"),), int(found["port"]), pin)
    if text.startswith("rummy://"):
        raise CommandError(lobby_text("bad-address", text=text), USAGE)
    if is_mistyped_code(text):
        raise CommandError(finding_text("bad-code", text=text), USAGE)
    if is_incomplete_code(text):
        raise CommandError(finding_text("short-code", text=text), USAGE)
    return None


class NotSeen(CommandError):
    """No table has come into view, or not the one that was ``wanted``."""

    def __init__(self, said: str, wanted: str = "") -> None:
        """Say so, and what else can be done on a command line."""
        super().__init__(f"{said} {finding_text('look-further')}", NETWORK)
        self.wanted = wanted


async def look_for(
    peer: Peer, wanted: str | None, seconds: float, games: Catalogue, states: Sequence[TableState] = ()
) -> Sighting:
    """Wait until a table is seen: the one that is called so, or any that has a seat for us; ``states``: any in one of
    these, those in the first before the others.
    """
    revision = -1
    try:
        async with asyncio.timeout(seconds):
            while True:
                revision = await peer.discovery.changed(revision)
                there = (seen for seen in peer.discovery.sightings() if seen.live)
                fitting = [seen for seen in there if fits(seen, wanted, states)]
                fitting.sort(key=lambda seen: _place_of(seen, states))
                if fitting:
                    return min(fitting, key=lambda seen: not _is_ours(games, seen))
                if peer.discovery.twin is not None and fits(peer.discovery.twin, wanted):
                    raise CommandError(lobby_text("twin"), USAGE)
    except TimeoutError:
        raise _not_seen(peer, wanted, seconds) from None


class Elsewhere(NamedTuple):
    """Where to look besides mDNS, and whom to tell each step."""

    inquirer: Inquirer
    remembered: Sequence[RememberedPeer]
    walk: bool
    tell: Callable[[Step], None]

    async def find(
        self, peer: Peer, wanted: str | None, games: Catalogue, states: Sequence[TableState] = ()
    ) -> tuple[Sighting, Rung] | None:
        """Climb the rungs after mDNS until the table that is wanted was found; None when it was not."""
        rungs = [by_memory(self.inquirer, self.remembered)]
        if self.walk:
            rungs.append(by_walk(peer.discovery, self.inquirer))
        for rung in rungs:
            met: list[tuple[Sighting, Rung]] = []
            async with aclosing(rung) as steps:
                async for step in steps:
                    self.tell(step)
                    if step.found is not None and fits(step.found, wanted, states):
                        met.append((step.found, step.rung))
                        if _is_ours(games, step.found):
                            return met[-1]
            if met:
                return met[0]
        return None


async def look_everywhere(
    peer: Peer,
    wanted: str | None,
    seconds: float,
    games: Catalogue,
    elsewhere: Elsewhere,
    states: Sequence[TableState] = (),
) -> tuple[Sighting, str]:
    """Wait for a table as `look_for` does; what it does not see for a moment is looked for elsewhere as well."""
    by_mdns = asyncio.create_task(look_for(peer, wanted, seconds, games, states), name="find-by-mdns")
    others: asyncio.Task[tuple[Sighting, Rung] | None] | None = None
    try:
        await asyncio.wait([by_mdns], timeout=PATIENCE)
        if not by_mdns.done():
            others = asyncio.create_task(elsewhere.find(peer, wanted, games, states), name="find-elsewhere")
            await asyncio.wait([by_mdns, others], return_when=asyncio.FIRST_COMPLETED)
            if by_mdns.done() and by_mdns.exception() is not None:
                await asyncio.wait([others])
            if others.done() and (found := others.result()) is not None:
                return found[0], found[1].value
        return await by_mdns, Rung.MDNS.value
    finally:
        tasks = [task for task in (by_mdns, others) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def step_line(step: Step) -> str:
    """Return the line for one step of the ladder."""
    what = retold(step.what) if step.mark is Mark.FAILED else step.what
    return step_text(step.rung.value, step.mark.value, what, step.done, step.total)


def fits(seen: Sighting, wanted: str | None, states: Sequence[TableState] = ()) -> bool:
    """Whether it is a table, and the one that is wanted: by title, by id, or by who opened it; else any in one of the
    states, or with a seat for us.
    """
    table = seen.table
    if table is None:
        return False
    if wanted is None and states:
        return table.state in states
    if wanted is None:
        return table.state is TableState.OPEN and table.taken < table.total
    names = (table.title, seen.nick, table_title(table.title, table.game, seen.nick))
    return wanted == table.id or typed_title(wanted) in map(typed_title, names)


def _place_of(seen: Sighting, states: Sequence[TableState]) -> int:
    """Return how late a state is wanted."""
    table = seen.table
    return states.index(table.state) if table is not None and table.state in states else len(states)


def _is_ours(games: Catalogue, seen: Sighting) -> bool:
    return seen.table is not None and rules_state(games, seen.table) == "same"


def _not_seen(peer: Peer, wanted: str | None, seconds: float) -> CommandError:
    if peer.discovery.trouble is not None:
        return CommandError(peer.discovery.trouble.sentence, NETWORK)
    if wanted is None:
        return NotSeen(lobby_text("no-table", seconds=f"{seconds:g}"))
    return NotSeen(lobby_text("no-such-table", name=wanted, seconds=f"{seconds:g}"), wanted)


async def look_on_at(peer: Peer, offer: Signed, rules: Ruleset, tell: Callable[[str], None]) -> TableSession:
    """Look on at a table that was offered; one that lets nobody into the middle of a hand is waited for, and told of.

    NoSeat tells why one cannot look on at all.
    """
    is_told = False
    while True:
        place = peer.place_of(offer.author)
        try:
            return await peer.look_on(offer, rules)
        except NoSeat as error:
            if error.code != "next-hand" or place is None:
                raise
            if not is_told:
                tell(str(error))
            is_told = True
        await asyncio.sleep(LET_IN_AGAIN_AFTER)
        offer = await peer.ask(place)
