"""``watch``: look on at a table without a seat; on the screen, in lines, or as JSON lines for a program."""

from __future__ import annotations

from argparse import Namespace
from typing import Final

from rummy_p2p.cli import NETWORK, OK, CommandError
from rummy_p2p.cli.automatic import Telling
from rummy_p2p.cli.finding import look_on_at, read_address
from rummy_p2p.cli.lan import exit_code_of, on_the_lan, run
from rummy_p2p.cli.local import catalogue, say
from rummy_p2p.cli.network import Place, find_everywhere, play_in_person, rules_of
from rummy_p2p.node.announcement import TableState
from rummy_p2p.node.peer import Peer
from rummy_p2p.node.places import Address
from rummy_p2p.protocol import events as tell
from rummy_p2p.protocol.messages import read_table
from rummy_p2p.protocol.table import TableSession
from rummy_p2p.sentences.lobby import lobby_text
from rummy_p2p.sentences.titles import table_title, title_text
from rummy_p2p.variants.manager import Catalogue

ANY: Final = (TableState.PLAYING, TableState.OPEN)


def watch(options: Namespace) -> int:
    """Look on at a table that is named, at an address, or at the first that is there."""
    return run(_watch(options))


async def _watch(options: Namespace) -> int:
    games = catalogue(options)
    read_address(options.table or "")  # one that is none ends the command before anything begins
    async with on_the_lan(options) as (peer, files):
        address, found_by = await find_everywhere(options, peer, files, games, ANY)
        session = await look_on(games, peer, address, quiet=options.json)
        try:
            if options.json:
                return await tell_program(peer, session)
            return await play_in_person(options, Place(peer, files, session, found_by))
        finally:
            peer.rise()


async def look_on(games: Catalogue, peer: Peer, address: Address, *, quiet: bool = False) -> TableSession:
    """Ask what is played at a table, compare the rules, and be let in."""
    offer = await peer.ask(address)
    info = read_table(offer)
    if info is None:
        raise CommandError(lobby_text("bad-offer"), NETWORK)
    rules = rules_of(games, info)
    session = await look_on_at(peer, offer, rules, lambda line: None if quiet else say(line))
    if not quiet:
        title = table_title(info.title, rules.game, session.opener)
        say(lobby_text("looking-on", title=title, game=title_text(rules)))
    return session


async def tell_program(peer: Peer, session: TableSession) -> int:
    """Write a JSON line for everything that is to be seen, until the match is over or the table closed."""
    telling = Telling(peer, session, talk=True)
    telling.say("watching", table=session.info.table.hex(), title=session.info.title, nick=peer.nick)
    while True:
        event = await peer.events.get()
        telling.hear(event)
        if isinstance(event, tell.MatchOver):
            return OK if event.code in ("", "out-of-time", "claimed") else NETWORK
        if isinstance(event, tell.TableClosed | tell.TurnedAway):
            return exit_code_of(event.code)
