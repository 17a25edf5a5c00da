"""The table where the player sits, as the lobby shows it: made anew from the session whenever it is drawn."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rummy_p2p.cli.screen_offer import house_titles
from rummy_p2p.protocol.table import TableSession
from rummy_p2p.sentences.language import listed
from rummy_p2p.sentences.screen_lobby import lobby_say
from rummy_p2p.sentences.titles import joining_word, table_title, title_text
from rummy_p2p.sentences.typed import shell_word
from rummy_p2p.ui.lobby_model import SeatRow, Sitting
from rummy_p2p.variants.manager import Catalogue


def sitting_at(
    session: TableSession, games: Catalogue, address: str, ready: Collection[str], said: Sequence[str], by_ssh: str = ""
) -> Sitting:
    """Return what there is to be seen; ``ready``: the names of those who are, ``said``: what has been said, ``by_ssh``:
    how guests come in, where they are let in.
    """
    mine = session.creator == session.me
    return Sitting(
        title=title_of(session),
        game=session.rules.game,
        rules=" + ".join((title_text(session.rules), *house_titles(games, session.rules.house))),
        seats=_rows(session, ready),
        total=session.info.seats,
        mine=mine,
        ready=is_ready(session, ready),
        why=_why_not_started(session, ready, mine=mine),
        addresses=_addresses(session, address) if mine else (),
        said=tuple(said),
        by_ssh=by_ssh,
    )


def title_of(session: TableSession) -> str:
    """Return what the table is called, in the language of who reads it."""
    return table_title(session.info.title, session.rules.game, session.opener)


def is_ready(session: TableSession, ready: Collection[str]) -> bool:
    """Whether the player has said so."""
    return next((seat.name for seat in session.seats if seat.owner == session.me), "") in ready


def _rows(session: TableSession, ready: Collection[str]) -> tuple[SeatRow, ...]:
    """Return the seats; of several seats of a peer only the first is its player's."""
    firsts: set[int] = set()
    owners: set[bytes] = set()
    for seat in session.seats:
        if seat.owner not in owners:
            owners.add(seat.owner)
            firsts.add(seat.number)
    return tuple(
        SeatRow(
            seat.name,
            seat.name in ready,
            bot=seat.bot,
            guest=bool(seat.guest),
            opened=seat.owner == session.creator and seat.number in firsts,
            me=seat.owner == session.me and seat.number in firsts,
        )
        for seat in session.seats
    )


def _why_not_started(session: TableSession, ready: Collection[str], *, mine: bool) -> str:
    if not mine:
        creator = next((seat.name for seat in session.seats if seat.owner == session.creator), "?")
        return lobby_say("wait-for-start", name=creator)
    if session.ready_to_start:
        return ""
    least = max(2, session.rules.players.min)
    if len(session.seats) < least:
        return lobby_say("few-seated", seated=len(session.seats), least=least)
    late = [row.name for row in _rows(session, ready) if not (row.ready or row.opened or row.bot or row.guest)]
    return lobby_say("late", names=listed(late))


def _addresses(session: TableSession, address: str) -> tuple[str, ...]:
    word = joining_word(session.info.title, session.rules.game, session.opener)
    return f"rummy-p2p join {shell_word(word)}", f"rummy-p2p join {address.partition('#')[0]}"
