"""Commands that sit down at a table on the LAN: host, join, tables. A person plays on the screen, a bot with --auto."""

from __future__ import annotations

import asyncio
import secrets
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import AbstractAsyncContextManager, aclosing, nullcontext
from typing import TYPE_CHECKING, NamedTuple

from rummy_p2p.bots import Strategy
from rummy_p2p.cli import ERROR, NETWORK, OK, RULES, USAGE, CommandError
from rummy_p2p.cli.automatic import play_automatically
from rummy_p2p.cli.finding import Elsewhere, look_everywhere, look_on_at, read_address, rows, step_line
from rummy_p2p.cli.inviting import Inviting, tell_invitations
from rummy_p2p.cli.kept import tell_kept
from rummy_p2p.cli.lan import inquirer, on_the_lan, run
from rummy_p2p.cli.local import answer, catalogue, compiled, say
from rummy_p2p.cli.meeting import Meeting, require_known
from rummy_p2p.cli.qr import picture
from rummy_p2p.deal import DealError
from rummy_p2p.deal.group import self_test
from rummy_p2p.deal.shuffle import MAX_DECK
from rummy_p2p.node.announcement import Sighting, TableState
from rummy_p2p.node.carrying import NoSeat
from rummy_p2p.node.inquiry import Inquirer
from rummy_p2p.node.ladder import Mark, Step, climb
from rummy_p2p.node.peer import ALONE, Peer
from rummy_p2p.node.places import Address
from rummy_p2p.node.players import BotPlayer
from rummy_p2p.node.seat import NetworkSeat
from rummy_p2p.protocol.fields import MAX_GRACE, DealKind
from rummy_p2p.protocol.forming import Guest
from rummy_p2p.protocol.joincode import ShortPin, join_code
from rummy_p2p.protocol.messages import TableInfo, read_table
from rummy_p2p.protocol.password import make_password
from rummy_p2p.protocol.settings import Settings
from rummy_p2p.protocol.table import TableSession
from rummy_p2p.protocol.text import said
from rummy_p2p.ruleset import Ruleset, RulesetError
from rummy_p2p.sentences.closed import closed_text
from rummy_p2p.sentences.finding import finding_text
from rummy_p2p.sentences.lobby import lobby_text, seats_text
from rummy_p2p.sentences.titles import joining_word, table_title, title_text
from rummy_p2p.sentences.typed import shell_word
from rummy_p2p.store import RememberedPeer, Store
from rummy_p2p.variants.foreign import table_rules
from rummy_p2p.variants.manager import Catalogue

if TYPE_CHECKING:
    from rummy_p2p.cli.ssh_guests import Invitation


class Place(NamedTuple):
    """Where this program sits: its peer, its files, the table, and by what that was found."""

    peer: Peer
    files: Store
    session: TableSession
    found_by: str = ""


# --- host ------------------------------------------------------------------------------------------------------------


def host(options: Namespace) -> int:
    """Open a table."""
    return run(_host(options))


async def _host(options: Namespace) -> int:
    rules, settings = plan(options)
    tell_kept(options)
    async with on_the_lan(options) as (peer, files):
        return await play(options, open_table(options, peer, files, rules, settings))


def plan(options: Namespace) -> tuple[Ruleset, Settings]:
    """Return what is to be played at the table that is wanted, or tell why there can be no such table."""
    games = catalogue(options)
    rules = compiled(games, options.game, options.house)
    strategy_of(options, games)
    players = rules.players
    seats = options.seats or max(players.min, options.bots + 1)
    if not players.min <= seats <= players.max:
        facts = {"title": title_text(rules), "least": players.min, "most": players.max, "seats": seats}
        raise CommandError(lobby_text("wrong-seats", **facts), USAGE)
    if not 0 <= options.bots < seats:
        raise CommandError(lobby_text("too-many-bots", seats=seats, most=seats - 1), USAGE)
    plugins = tuple((plugin.name, plugin.version) for plugin in games.contributors(rules))
    if options.ssh is not None:
        from rummy_p2p.cli.ssh_guests import require_ssh

        require_ssh(options.ssh)
    title, deal = options.title or rules.game, deal_of(options, rules)
    settings = Settings(
        title=title,
        seats=seats,
        hands=options.hands or 0,
        plugins=plugins,
        deal=deal,
        trust=options.trust,
        password=_password(options),
        spectators=options.spectators,
        grace=grace_of(options),
    )
    return rules, settings


def _password(options: Namespace) -> str:
    """Return the password of the table that is to be opened; what was chosen is what the options say from now on."""
    if options.password == "auto":  # noqa: S105 -- the word by which one is asked for
        options.password = make_password(secrets.token_bytes)
    if options.password is not None and not said(options.password):
        raise CommandError(closed_text("empty"), USAGE)
    return options.password or ""


def grace_of(options: Namespace) -> int:
    """Return for how many seconds somebody who is gone is waited for; CommandError when that is no time."""
    grace: int = options.grace
    if not 1 <= grace <= MAX_GRACE:
        raise CommandError(lobby_text("wrong-grace", most=MAX_GRACE), USAGE)
    return grace


def deal_of(options: Namespace, rules: Ruleset) -> DealKind:
    """Return which deal is wanted: blind, unless the deck is too large for that or the host is to deal."""
    fits = rules.size <= MAX_DECK
    if options.deal is None and not fits:
        say(lobby_text("too-large", cards=rules.size, most=MAX_DECK))
        return "host"
    if options.deal == "host":
        return "host"
    if not fits:
        raise CommandError(lobby_text("too-large-blind", cards=rules.size, most=MAX_DECK), USAGE)
    _require_group()
    return "blind"


def _require_group() -> None:
    """Refuse to play with a libsodium that accepts points which it must refuse."""
    try:
        self_test()
    except DealError as error:
        raise CommandError(str(error), ERROR) from error


def open_table(options: Namespace, peer: Peer, files: Store, rules: Ruleset, settings: Settings) -> Place:
    """Open it, and tell how friends join."""
    guest = Guest(peer.nick, options.bots, bool(options.auto), options.be_host)
    session = peer.open_table(rules, guest, settings)
    if not options.auto:
        title, word = (make(session.info.title, rules.game, peer.nick) for make in (table_title, joining_word))
        facts = {"title": title, "game": title_text(rules), "seats": seats_text(session.info.seats)}
        say(lobby_text("table-open", **facts), f"rummy-p2p join {shell_word(word)}")
        say(lobby_text("by-address"), f"rummy-p2p join {peer.address}")
        say(*_other_ways(options, peer))
        if settings.password:
            say(closed_text("password", password=said(settings.password)))
    return Place(peer, files, session)


def _other_ways(options: Namespace, peer: Peer) -> Iterator[str]:
    """Yield how friends join who cannot copy an address: by a code that is said, and by a picture."""
    code = code_of(peer)
    if code is not None:
        yield finding_text("by-code")
        yield f"rummy-p2p join {code}"
    if options.qr:
        yield from picture(peer.address, ascii_only=bool(options.ascii))


def code_of(peer: Peer) -> str | None:
    """Return the code by which this program is joined; None where its address has none."""
    host = (*(each.address for each in peer.discovery.choice.linked), *ALONE)[0]
    return join_code(host, peer.transport.port, peer.transport.fingerprint)


# --- join ------------------------------------------------------------------------------------------------------------


def join(options: Namespace) -> int:
    """Sit down at a table that is named, at an address, or at the first that is open."""
    return run(_join(options))


async def _join(options: Namespace) -> int:
    games = catalogue(options)
    strategy_of(options, games)
    read_address(options.table or "")  # one that is none ends the command before anything begins
    tell_kept(options)
    async with on_the_lan(options) as (peer, files):
        address, found_by = await find_everywhere(options, peer, files, games)
        session = await sit_down(options, games, peer, files, address)
        return await play(options, Place(peer, files, session, found_by))


async def find_everywhere(
    options: Namespace, peer: Peer, files: Store, games: Catalogue, states: Sequence[TableState] = ()
) -> tuple[Address, str]:
    """Climb the ladder to the wanted table; each step is told on stderr."""
    async with inquirer(peer, files) as asking:
        elsewhere = Elsewhere(asking, _remembered(files), options.scan, _tell_step)
        return await find(options, peer, games, elsewhere, states)


async def find(
    options: Namespace, peer: Peer, games: Catalogue, elsewhere: Elsewhere, states: Sequence[TableState] = ()
) -> tuple[Address, str]:
    """Return where the wanted table is, and by what it was found; ``states``: which will do where none is named."""
    given = read_address(options.table or "")
    if given is not None:
        return given, "code" if isinstance(given.pin, ShortPin) else "address"
    found, found_by = await look_everywhere(peer, options.table, options.wait, games, elsewhere, states)
    return Address.of(found), found_by


def _remembered(files: Store) -> tuple[RememberedPeer, ...]:
    peers, notice = files.peers()
    if notice is not None:
        sys.stderr.write(f"rummy-p2p: {notice.sentence}\n")
    return peers


def _tell_step(step: Step) -> None:
    """Tell on stderr what is tried: on stdout there are answers. Of a walk only the beginning and the end are told
    where lines cannot be written over.
    """
    on_its_way = step.mark is Mark.TRIES and 0 < step.done < step.total
    if not on_its_way:
        sys.stderr.write(f"rummy-p2p: {step_line(step)}\n")
    elif sys.stderr.isatty():
        sys.stderr.write(f"rummy-p2p: {step_line(step)}\r")


async def sit_down(options: Namespace, games: Catalogue, peer: Peer, files: Store, address: Address) -> TableSession:
    """Ask what is played at a table, compare the rules, and take a seat."""
    offer = await peer.ask(address)
    info = read_table(offer)
    if info is None:
        raise CommandError(lobby_text("bad-offer"), NETWORK)
    rules = rules_of(games, info)
    require_known(peer, files, peer.nick_of(offer.author), offer.author)
    if info.deal == "blind":
        _require_group()
    guest = Guest(peer.nick, 0, bool(options.auto), options.be_host)
    title = table_title(info.title, rules.game, peer.nick_of(offer.author))
    try:
        session = await peer.sit_down(offer, rules, guest, await _password_for(options, info, title))
    except NoSeat as error:
        if error.code != "table-playing" or options.auto or info.spectators == "no":
            raise
        return await _wait_for_seat(peer, address, rules)
    if not options.auto:
        title = table_title(info.title, rules.game, session.opener)
        facts = {"title": title, "game": title_text(rules), "seats": seats_text(info.seats)}
        say(lobby_text("table-joined", **facts))
    return session


async def _password_for(options: Namespace, info: TableInfo, title: str) -> str:
    """Return the password that a table wants; a person at a terminal is asked for one that was not given."""
    given: str | None = getattr(options, "password", None)
    if not info.closed or given or options.auto or not sys.stdin.isatty():
        return given or ""
    say(closed_text("ask", title=title))
    return await asyncio.to_thread(sys.stdin.readline)


async def _wait_for_seat(peer: Peer, address: Address, rules: Ruleset) -> TableSession:
    """Look on at a table in the middle of a match, and get a seat when that is over."""
    offer = await peer.ask(address)
    session = await look_on_at(peer, offer, rules, say)
    peer.do(lambda table, now: table.sit(now))
    title = table_title(session.info.title, rules.game, session.opener)
    say(lobby_text("joined-later", title=title))
    return session


def rules_of(games: Catalogue, info: TableInfo) -> Ruleset:
    """Return the rules of a table; a missing plugin ends the command with its name, rules of a file are told."""
    try:
        found = table_rules(games, info)
    except RulesetError as error:
        raise CommandError(str(error), RULES) from error
    sys.stderr.write("".join(f"rummy-p2p: {line}\n" for line in found.told))
    return found.rules


# --- at the table ----------------------------------------------------------------------------------------------------


def strategy_of(options: Namespace, games: Catalogue) -> Strategy:
    """Return what plays in place of a person, and the bots beside one; CommandError when there is no such level."""
    level, levels = options.auto or options.level, games.levels()
    if level not in levels:
        raise CommandError(lobby_text("no-level", level=repr(level), levels=", ".join(levels)), USAGE)
    return levels[level]


async def play(options: Namespace, place: Place) -> int:
    """Play as a program or as a person until there is no table any more; return the exit code."""
    everything = bool(options.auto)
    pace = 0.0 if everything or options.no_pause else 1.0
    strategy = strategy_of(options, catalogue(options))
    bots = BotPlayer(place.peer, strategy, options.seed, everything=everything, pace=pace)
    try:
        async with _guests(options, place, bots) as invitation:
            if everything:
                sys.stderr.write("".join(f"rummy-p2p: {line}\n" for line in invitation.lines) if invitation else "")
                return await play_automatically(place.peer, place.session, place.found_by, talk=options.json)
            return await play_in_person(options, place, invitation)
    finally:
        bots.close()
        if place.peer.can_come_back and not everything:
            say(lobby_text("suspended"))
        place.peer.rise()


def _guests(options: Namespace, place: Place, bots: BotPlayer) -> AbstractAsyncContextManager[Invitation | None]:
    """Let guests by ssh in where that is wanted."""
    if getattr(options, "ssh", None) is None:
        return nullcontext()
    from rummy_p2p.cli.ssh_guests import guests_by_ssh

    return guests_by_ssh(options, place.peer, place.files, place.session, bots)


async def play_in_person(options: Namespace, place: Place, invitation: Invitation | None = None) -> int:
    """Show the table to a person until it has been left; return the exit code."""
    from rummy_p2p.cli.screen_play import Network, on_screen, sit
    from rummy_p2p.cli.screen_ways import ways_to
    from rummy_p2p.ui.plain import run as run_plain

    seat = NetworkSeat(place.peer, place.session)
    place.peer.listen(Meeting(place.peer, place.files, seat.answer))
    seat.password = said(getattr(options, "password", None) or "") if options.run == "network:host" else ""
    if invitation is not None:
        seat.dismiss = invitation.dismiss
        seat.by_ssh = (invitation.command, invitation.fingerprint)
        say(*invitation.lines)
    hear_no_more = tell_invitations(place.peer, place.files, catalogue(options), seat.answer, at_table=True)
    inviting = Inviting(place.peer, place.files, seat.news)
    seat.ask_in = inviting.typed
    try:
        if on_screen(options, place.files):
            around = Network(
                place.peer.watch,
                lambda: seat.suspended,
                inviting,
                lambda ascii_only: ways_to(place.peer, seat.password, seat.by_ssh, ascii_only=ascii_only),
            )
            code = await sit(options, place.files, seat, seat.facts, network=around)
        else:
            code = await run_plain(seat, history=place.files.history_file)
    finally:
        hear_no_more()
        inviting.close()
    return NETWORK if seat.lost else code


# --- tables ----------------------------------------------------------------------------------------------------------


def tables(options: Namespace) -> int:
    """List the tables on the LAN."""
    return run(_tables(options))


async def _met(options: Namespace, peer: Peer, asking: Inquirer, files: Store) -> list[Sighting]:
    """Return whom mDNS sees in the time that is given; with --scan also those from last time and along the network."""
    if not options.scan:
        await asyncio.sleep(options.wait)
        return peer.discovery.sightings()
    met: list[Sighting] = []
    climbing = climb(peer.discovery, asking, _remembered(files), walk=True, patience=options.wait)
    async with aclosing(climbing) as steps:
        async for step in steps:
            _tell_step(step)
            met += [step.found] if step.found is not None else []
    return met


async def _tables(options: Namespace) -> int:
    games = catalogue(options)
    async with on_the_lan(options) as (peer, files), inquirer(peer, files) as asking:
        met = await _met(options, peer, asking, files)
        found = rows(met, games)
    if options.json:
        answer({"tables": found})
    elif found:
        say(*(row.line(number, games) for number, row in enumerate(found, 1)))
    else:
        say(lobby_text("no-table", seconds=f"{options.wait:g}"))
    return OK
