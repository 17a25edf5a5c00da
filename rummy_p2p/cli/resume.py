"""``resume``: go back to a match that was cut off or suspended, with the same seat and the same cards."""

from __future__ import annotations

from argparse import Namespace

from rummy_p2p.cli import ERROR, OK, CommandError
from rummy_p2p.cli.kept import choose, kept_line, kept_matches, kept_object
from rummy_p2p.cli.lan import on_the_lan, run
from rummy_p2p.cli.local import answer, catalogue, say
from rummy_p2p.cli.network import Place, play, rules_of, strategy_of
from rummy_p2p.journal import Unfinished
from rummy_p2p.node.peer import Peer
from rummy_p2p.protocol.faults import Fault
from rummy_p2p.protocol.forming import Guest
from rummy_p2p.protocol.messages import PeerEntry, Start, read, read_table
from rummy_p2p.sentences.lobby import lobby_text
from rummy_p2p.sentences.titles import title_text
from rummy_p2p.store import Store, StoreError


def resume(options: Namespace) -> int:
    """Go on with a match, or list those that are kept."""
    return _list(options) if options.list else run(_resume(options))


def _list(options: Namespace) -> int:
    found = kept_matches(options)
    if options.json:
        answer({"matches": [kept_object(each) for each in found]})
    elif found:
        say(*(kept_line(number, each) for number, each in enumerate(found, 1)))
    else:
        say(lobby_text("nothing-kept"))
    return OK


async def _resume(options: Namespace) -> int:
    strategy_of(options, catalogue(options))
    wanted = choose(kept_matches(options), options.match)
    async with on_the_lan(options, wanted.port) as (peer, files):
        return await play(options, go_back(options, peer, files, wanted))


def go_back(options: Namespace, peer: Peer, files: Store, wanted: Unfinished) -> Place:
    """Take the seat again; CommandError when the match is played by another program, or cannot be gone on with."""
    journal = peer.keeper.journal
    if journal is None:
        raise CommandError(lobby_text("nothing-kept"), ERROR)
    journal.claim(wanted.match)
    saved = journal.read(wanted.match)
    info, start = read_table(saved.info), read(saved.start)
    if info is None or not isinstance(start, Start):
        raise StoreError("match-damaged", path=journal.path)
    rules = rules_of(catalogue(options), info)
    try:
        session = peer.resume(saved, rules, guest_of(options, peer, start))
    except Fault as fault:
        raise StoreError("match-damaged", path=journal.path) from fault
    if not options.auto:
        say(lobby_text("resumed", title=info.title, game=title_text(rules)))
    return Place(peer, files, session)


def guest_of(options: Namespace, peer: Peer, start: Start) -> Guest:
    """Return what this player brought to the table when the match began."""
    me = peer.identity.player_id
    seats = [seat for seat in start.seats if seat.owner == me]
    own: PeerEntry | None = next((entry for entry in start.peers if entry.peer == me), None)
    nick = next((seat.nick for seat in seats), peer.nick)
    return Guest(nick, max(0, len(seats) - 1), bool(options.auto), own.wish if own else "if-needed")
