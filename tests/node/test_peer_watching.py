"""Looking on over real links: let in or told why not, the same match as the players', another player when one goes."""

from __future__ import annotations

import pytest

from rummy_p2p.engine import NOBODY
from rummy_p2p.node.carrying import NoSeat
from rummy_p2p.node.peer import Peer
from rummy_p2p.node.seat import NetworkSeat
from rummy_p2p.protocol.events import Caught, LetIn, MatchOver, Paused, Resumed
from rummy_p2p.protocol.forming import Guest
from rummy_p2p.protocol.match import Match
from rummy_p2p.protocol.settings import Settings
from rummy_p2p.protocol.table import TableSession
from rummy_p2p.sentences import Notice
from rummy_p2p.sentences.screen import EndedEarly
from tests.node.party import (
    RULES,
    Party,
    address_of,
    heard,
    open_table,
    party,
    played,
    sit_down,
    start,
    until,
)


async def look_on(peer: Peer, at: Peer) -> TableSession:
    return await peer.look_on(await peer.ask(address_of(at)), RULES)


def test_nobody_looks_on_at_a_closed_table() -> None:
    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            ada, bea = made.peers
            ada.open_table(RULES, Guest("Ada"), Settings("Friday", 2, 1, password="amber lamp"))  # noqa: S106 - a test's
            with pytest.raises(NoSeat, match="want nobody to look on"):
                await look_on(bea, ada)
            assert bea.session is None

    played(scene)


async def two_and_a_guest(made: Party) -> tuple[Peer, Peer, Peer, list[TableSession]]:
    """Two of three peers have a seat each at a table; the match has not begun."""
    ada, bea, gus = made.peers
    sessions = [open_table(ada, 2), await sit_down(bea, ada)]
    bea.do(lambda table, now: table.ready(now))
    await until(lambda: sessions[0].ready_to_start, ada, bea)
    return ada, bea, gus, sessions


def test_who_looks_on_sees_a_whole_match_as_the_players_do() -> None:
    async def scene() -> None:
        async with party("Ada", "Bea", "Cem") as made:
            ada, bea, gus, sessions = await two_and_a_guest(made)
            guest = await look_on(gus, bea)
            await heard(gus, LetIn)
            made.let_bots_play(ada, bea)
            start(ada)
            over = await heard(gus, MatchOver)
            assert over == await heard(ada, MatchOver)
            ledgers = [session.ledger for session in (*sessions, guest)]
            assert len({ledger.to_bytes(certificate=False) for ledger in ledgers if ledger is not None}) == 1
            assert not gus.can_come_back
            await until(lambda: ada.watching() == bea.watching() == 1, ada, bea)

    played(scene)


def test_who_comes_into_a_match_is_told_how_it_stands_and_sees_no_hand() -> None:
    async def scene() -> None:
        async with party("Ada", "Bea", "Cem") as made:
            ada, _bea, gus, sessions = await two_and_a_guest(made)
            start(ada)
            await until(lambda: sessions[0].fold is not None and sessions[0].fold.hand is not None, ada)
            guest = await look_on(gus, ada)
            seat = NetworkSeat(gus, guest)
            assert (await heard(gus, Caught)).records > 0
            view = seat.view()
            assert (seat.seat, seat.looks_on) == (NOBODY, True)
            assert view is not None
            assert (view.seat, view.hand) == (NOBODY, ())
            assert set(seat.commands()) == {"chat", "sit", "leave"}
            facts = seat.facts()
            assert (facts.looks_on, facts.may_ready, facts.may_rematch) == ("Cem", False, False)
            seat.act("draw")
            line = await seat.next()
            assert isinstance(line, Notice)
            assert line.text == "You are looking on: moves are made by those who have a seat."
            seat.commands()["sit"][1]("")
            line = await seat.next()
            assert isinstance(line, Notice)
            assert line.text == "You get a seat when this match is over, if one is free."
            assert (facts.wants_seat, seat.facts().wants_seat) == (False, True)

    played(scene)


def test_who_may_not_look_on_is_told_why() -> None:
    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            ada, gus = made.peers
            ada.open_table(RULES, Guest("Ada"), Settings("Friday", 2, spectators="no"))
            with pytest.raises(NoSeat) as refused:
                await look_on(gus, ada)
            assert refused.value.code == "no-spectators"
            assert gus.session is None

    played(scene)


def test_when_the_player_goes_through_whom_one_looks_on_another_is_found() -> None:
    async def scene() -> None:
        async with party("Ada", "Bea", "Cem") as made:
            ada, bea, gus, _sessions = await two_and_a_guest(made)
            await gus.ask(address_of(ada))  # whose address it knows from now on
            guest = await look_on(gus, bea)
            start(ada)
            await until(lambda: guest.match is not None, gus)
            for connection in gus.transport.connections:
                connection.hang_up()
            assert (await heard(gus, Paused)).code in {"cut-off", "no-quorum", "player-lost", "host-lost"}
            await heard(gus, Resumed)
            await until(lambda: guest.let_in, gus)

    played(scene)


def test_a_claim_ends_the_match_and_whoever_comes_back_is_told_even_when_the_table_is_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            ada, bea = made.peers
            ada.open_table(RULES, Guest("Ada"), Settings("Friday", 2, grace=1))
            await sit_down(bea, ada)
            bea.do(lambda table, now: table.ready(now))
            await until(lambda: ada.session is not None and ada.session.ready_to_start, ada, bea)
            start(ada)
            await until(lambda: ada.session is not None and ada.session.host is not None, ada)
            theirs = bea.session
            assert theirs is not None
            await until(lambda: theirs.host is not None, bea)
            seat = NetworkSeat(ada, ada.session) if ada.session is not None else None
            assert seat is not None
            monkeypatch.setattr(Peer, "_wanted", lambda _peer: [])  # they cannot find each other
            for connection in bea.transport.connections:
                connection.hang_up()
            await until(lambda: ada.claim_opens() is not None, ada)
            await until(lambda: ada.claim_opens() == 0, ada)
            seat.commands()["claim"][1]("")
            lines: list[object] = []
            while not (lines and isinstance(lines[-1], EndedEarly)):
                lines.append(await seat.next())
            assert isinstance(lines[-1], EndedEarly)
            assert lines[-1].winners == (0,)
            assert "claimed the match" in lines[-1].text
            assert isinstance(theirs.match, Match)
            ada.rise()
            await bea._places.dial(address_of(ada))
            await until(lambda: theirs.match is not None and theirs.match.is_over, bea)

    played(scene)
