"""Commands that sit down at a table on the LAN: host, join, tables. A person plays on the screen, a bot with --auto."""

from __future__ import annotations

import asyncio
import sys
from argparse import Namespace
from typing import Final, NamedTuple

from rummy_p2p.bots import LEVELS, Strategy
from rummy_p2p.cli import ERROR, NETWORK, OK, RULES, USAGE, CommandError
from rummy_p2p.cli.automatic import play_automatically
from rummy_p2p.cli.finding import look_for, read_address, rows
from rummy_p2p.cli.kept import tell_kept
from rummy_p2p.cli.lan import on_the_lan, run
from rummy_p2p.cli.local import answer, catalogue, compiled, say
from rummy_p2p.deal import DealError
from rummy_p2p.deal.group import self_test
from rummy_p2p.deal.shuffle import MAX_DECK
from rummy_p2p.node.peer import Address, NoSeat, Peer
from rummy_p2p.node.players import BotPlayer
from rummy_p2p.node.seat import NetworkSeat
from rummy_p2p.protocol.forming import Guest
from rummy_p2p.protocol.messages import MAX_GRACE, DealKind, TableInfo, read_table
from rummy_p2p.protocol.table import Settings, TableSession
from rummy_p2p.ruleset import Ruleset, RulesetError
from rummy_p2p.sentences.lobby import lobby_text, seats_text
from rummy_p2p.sentences.titles import title_text
from rummy_p2p.sentences.typed import shell_word
from rummy_p2p.store import Store
from rummy_p2p.variants.foreign import table_rules
from rummy_p2p.variants.manager import Catalogue

_BOT_PAUSE: Final = 0.7


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
    strategy_of(options)
    players = rules.players
    seats = options.seats or max(players.min, options.bots + 1)
    if not players.min <= seats <= players.max:
        facts = {"title": title_text(rules), "least": players.min, "most": players.max, "seats": seats}
        raise CommandError(lobby_text("wrong-seats", **facts), USAGE)
    if not 0 <= options.bots < seats:
        raise CommandError(lobby_text("too-many-bots", seats=seats, most=seats - 1), USAGE)
    plugins = tuple((plugin.name, plugin.version) for plugin in games.contributors(rules))
    title, deal = options.title or rules.meta.title, deal_of(options, rules)
    grace = grace_of(options)
    settings = Settings(title, seats, options.hands or 0, plugins, deal, options.trust, options.spectators, grace)
    return rules, settings


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
        facts = {"title": session.info.title, "game": title_text(rules), "seats": seats_text(session.info.seats)}
        say(lobby_text("table-open", **facts), f"rummy-p2p join {shell_word(session.info.title)}")
        say(lobby_text("by-address"), f"rummy-p2p join {peer.address}")
    return Place(peer, files, session)


# --- join ------------------------------------------------------------------------------------------------------------


def join(options: Namespace) -> int:
    """Sit down at a table that is named, at an address, or at the first that is open."""
    return run(_join(options))


async def _join(options: Namespace) -> int:
    games = catalogue(options)
    strategy_of(options)
    read_address(options.table or "")  # one that is none ends the command before anything begins
    tell_kept(options)
    async with on_the_lan(options) as (peer, files):
        address, found_by = await find(options, peer, games)
        session = await sit_down(options, games, peer, address)
        return await play(options, Place(peer, files, session, found_by))


async def find(options: Namespace, peer: Peer, games: Catalogue) -> tuple[Address, str]:
    """Return where the wanted table is, and by what it was found."""
    given = read_address(options.table or "")
    if given is not None:
        return given, "address"
    return Address.of(await look_for(peer, options.table, options.wait, games)), "mdns"


async def sit_down(options: Namespace, games: Catalogue, peer: Peer, address: Address) -> TableSession:
    """Ask what is played at a table, compare the rules, and take a seat."""
    offer = await peer.ask(address)
    info = read_table(offer)
    if info is None:
        raise CommandError(lobby_text("bad-offer"), NETWORK)
    rules = rules_of(games, info)
    if info.deal == "blind":
        _require_group()
    try:
        session = await peer.sit_down(offer, rules, Guest(peer.nick, 0, bool(options.auto), options.be_host))
    except NoSeat as error:
        if error.code != "table-playing" or options.auto or info.spectators == "no":
            raise
        return await _wait_for_seat(peer, address, rules)
    if not options.auto:
        facts = {"title": info.title, "game": title_text(rules), "seats": seats_text(info.seats)}
        say(lobby_text("table-joined", **facts))
    return session


async def _wait_for_seat(peer: Peer, address: Address, rules: Ruleset) -> TableSession:
    """Look on at a table in the middle of a match, and get a seat when that is over."""
    offer = await peer.ask(address)
    session = await peer.look_on(offer, rules)
    peer.do(lambda table, now: table.sit(now))
    say(lobby_text("joined-later", title=session.info.title))
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


def strategy_of(options: Namespace) -> Strategy:
    """Return what plays in place of a person; CommandError when there is no such level."""
    level = options.auto or "normal"
    if level not in LEVELS:
        raise CommandError(lobby_text("no-level", level=repr(level), levels=", ".join(LEVELS)), USAGE)
    return LEVELS[level]


async def play(options: Namespace, place: Place) -> int:
    """Play as a program or as a person until there is no table any more; return the exit code."""
    everything = bool(options.auto)
    pause = 0.0 if everything else _BOT_PAUSE
    bots = BotPlayer(place.peer, strategy_of(options), options.seed, everything=everything, pause=pause)
    try:
        if everything:
            return await play_automatically(place.peer, place.session, place.found_by, talk=options.json)
        return await play_in_person(options, place)
    finally:
        bots.close()
        if place.peer.can_come_back and not everything:
            say(lobby_text("suspended"))
        place.peer.rise()


async def play_in_person(options: Namespace, place: Place) -> int:
    """Show the table to a person until it has been left; return the exit code."""
    from rummy_p2p.cli.screen_play import on_screen, sit
    from rummy_p2p.ui.plain import run as run_plain

    seat = NetworkSeat(place.peer, place.session)
    if on_screen(options, place.files):
        code = await sit(options, place.files, seat, seat.facts, watch=place.peer.watch)
    else:
        code = await run_plain(seat, history=place.files.history_file)
    return NETWORK if seat.lost else code


# --- tables ----------------------------------------------------------------------------------------------------------


def tables(options: Namespace) -> int:
    """List the tables on the LAN."""
    return run(_tables(options))


async def _tables(options: Namespace) -> int:
    games = catalogue(options)
    async with on_the_lan(options) as (peer, _files):
        await asyncio.sleep(options.wait)
        found = rows(peer.discovery.sightings(), games)
    if options.json:
        answer({"tables": found})
    elif found:
        say(*(row.line(number) for number, row in enumerate(found, 1)))
    else:
        say(lobby_text("no-table", seconds=f"{options.wait:g}"))
    return OK
