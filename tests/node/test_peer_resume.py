"""Peers that go away in mid-match and come back: from the disk, to the same seat and the same cards."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from rummy_p2p.journal import Journal
from rummy_p2p.node.announcement import TableState
from rummy_p2p.node.carrying import NotSaved
from rummy_p2p.node.peer import Peer
from rummy_p2p.node.seat import NetworkSeat
from rummy_p2p.protocol.events import HandOver, MatchOver, Paused, Resumed, WentAway
from rummy_p2p.protocol.forming import Guest
from rummy_p2p.protocol.identity import Identity
from rummy_p2p.protocol.settings import Settings
from rummy_p2p.sentences.screen import Answered
from rummy_p2p.store import Paths, Store, StoreError
from tests.node.party import CERTIFICATES, RULES, Party, heard, party, played, seated_table, start, until

NOWHERE = "nosuch0"


def program(folder: Path, nick: str, interface: str) -> Peer:
    """A program as the command line makes it."""
    files = Store(Paths.of(folder / nick))
    peer = Peer(Identity(files.identity()), nick, CERTIFICATES[nick], [interface], files.save_ledger, files)
    peer.keeper.journal, peer.keeper.book = Journal(files.journal_file), files
    peer.results.load = files.load_ledger
    return peer


@asynccontextmanager
async def programs(folder: Path, *nicks: str, interface: str = "lo") -> AsyncIterator[Party]:
    """Programs with a disk, in the middle of a match."""
    async with party() as made:
        made.peers += [program(folder, nick, interface) for nick in nicks]
        for peer in made.peers:
            await peer.start()
        try:
            await seated_table(made)
            start(made.peers[0])
            for peer in made.peers:
                await dealt(peer)
            yield made
        finally:
            for peer in made.peers:
                journal(peer).close()


def journal(peer: Peer) -> Journal:
    assert peer.keeper.journal is not None
    return peer.keeper.journal


async def dealt(peer: Peer) -> None:
    await until(lambda: bool(peer.session and cards(peer)), peer)


def cards(peer: Peer) -> tuple[str, ...]:
    """What the own seat holds, as far as it knows the faces."""
    session = peer.session
    assert session is not None
    if session.fold is None or not session.fold.is_dealt or session.fold.hand is None:
        return ()
    view = session.view(session.own_seats[0])
    known = [view.card(slot) for slot in view.state.hands[view.seat]]
    return () if None in known else tuple(sorted(map(str, known)))


async def ended(peer: Peer) -> None:
    """As when the process is killed: nothing is said at the table."""
    peer.session = None
    await peer.stop()
    journal(peer).close()


async def back(made: Party, folder: Path, gone: Peer, *, interface: str = "lo", port: int = 0) -> Peer:
    """The program is started again and goes back to its match."""
    peer = program(folder, gone.nick, interface)
    made.peers[made.peers.index(gone)] = peer
    await peer.start(port)
    [match] = journal(peer).unfinished(peer.identity.player_id)
    journal(peer).claim(match.match)
    peer.resume(journal(peer).read(match.match), RULES, Guest(peer.nick))
    return peer


async def plays_to_the_end(made: Party, *nicks: str) -> None:
    peers = [peer for peer in made.peers if not nicks or peer.nick in nicks]
    made.let_bots_play(*peers)
    assert {(await heard(peer, HandOver)).audit for peer in peers} == {"ok"}
    assert {(await heard(peer, MatchOver)).code for peer in peers} == {""}
    ledgers = [peer.session.ledger for peer in peers if peer.session]
    assert len({ledger.to_bytes(certificate=False) for ledger in ledgers if ledger}) == 1
    assert [journal(peer).unfinished(peer.identity.player_id) for peer in peers] == [()] * len(peers)


def test_where_the_others_are_is_written_down_when_the_match_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene() -> None:
        monkeypatch.setattr("rummy_p2p.node.peer.DIAL_EVERY", 3600.0)  # nothing is left to the next round
        async with programs(tmp_path, "Ada", "Bea", interface=NOWHERE) as made:
            ada, bea = made.peers
            [known] = bea.keeper.remembered()
            assert (known.id, known.port) == (ada.identity.player_id.hex(), ada.transport.port)

    played(scene)


@pytest.mark.parametrize("who", [0, 1])
def test_who_was_killed_finds_the_others_by_mdns_and_has_the_same_cards(who: int, tmp_path: Path) -> None:
    async def scene() -> None:
        async with programs(tmp_path, "Ada", "Bea") as made:
            gone, other = made.peers[who], made.peers[1 - who]
            held = cards(gone)
            await ended(gone)
            assert (await heard(other, Paused)).players == (gone.nick,)
            again = await back(made, tmp_path, gone)
            await heard(other, Resumed)
            await dealt(again)
            assert cards(again) == held
            await plays_to_the_end(made)

    played(scene)


def test_without_mdns_a_guest_calls_where_the_others_were_and_is_called_at_its_old_port(tmp_path: Path) -> None:
    async def scene() -> None:
        async with programs(tmp_path, "Ada", "Bea", interface=NOWHERE) as made:
            ada, bea = made.peers
            await until(lambda: bool(bea.keeper.remembered()), bea)
            [known] = bea.keeper.remembered()
            assert (known.id, known.nick, known.port) == (ada.identity.player_id.hex(), "Ada", ada.transport.port)
            await ended(bea)
            bea = await back(made, tmp_path, bea, interface=NOWHERE)
            await heard(ada, Resumed)
            port = ada.transport.port
            await ended(ada)
            await heard(bea, Paused)
            [kept] = journal(ada).unfinished(ada.identity.player_id)
            assert kept.port == port
            ada = await back(made, tmp_path, ada, interface=NOWHERE, port=kept.port)
            await heard(bea, Resumed)
            await plays_to_the_end(made)

    played(scene)


def test_the_creator_that_is_back_announces_its_table_as_playing(tmp_path: Path) -> None:
    async def scene() -> None:
        async with programs(tmp_path, "Ada", "Bea") as made:
            ada, bea = made.peers
            await ended(ada)
            ada = await back(made, tmp_path, ada)
            found, revision = None, -1
            async with asyncio.timeout(20):
                while found is None or found.port != ada.transport.port or found.table is None:
                    revision = await bea.discovery.changed(revision)
                    found = next((s for s in bea.discovery.sightings() if s.id == ada.identity.player_id.hex()), None)
            assert (found.table.title, found.table.state) == ("Friday", TableState.PLAYING)

    played(scene)


def test_who_suspends_is_out_of_reach_keeps_its_seat_and_may_come_back(tmp_path: Path) -> None:
    async def scene() -> None:
        async with programs(tmp_path, "Ada", "Bea", "Cem") as made:
            ada, bea, cem = made.peers
            seat = NetworkSeat(cem, cem.session) if cem.session else None
            assert seat is not None
            held = cards(cem)
            before = cem.can_come_back
            seat.commands()["suspend"][1]("")
            async with asyncio.timeout(5):
                while await seat.next() is not None:
                    pass
            assert not seat.lost
            cem.rise()
            assert (before, cem.can_come_back) == (True, False)
            await cem.stop()
            journal(cem).close()
            assert (await heard(ada, Paused)).suspended == ("Cem",)
            assert (await heard(ada, WentAway)).name == "Cem"
            assert bea.session is not None
            assert [s.name for s in bea.session.seats] == ["Ada", "Bea", "Cem"]
            cem = await back(made, tmp_path, cem)
            await dealt(cem)
            assert cards(cem) == held
            await plays_to_the_end(made)

    played(scene)


def test_who_leaves_does_not_come_back(tmp_path: Path) -> None:
    async def scene() -> None:
        async with programs(tmp_path, "Ada", "Bea") as made:
            ada, bea = made.peers
            match = ada.session.match.id if ada.session and ada.session.match else b""
            assert (tmp_path / "Bea" / "state" / "hands" / f"{match.hex()}.secret").exists()
            bea.leave()
            assert (await heard(ada, MatchOver)).code == "too-few-players"
            bea.rise()
            assert journal(bea).unfinished(bea.identity.player_id) == ()
            assert not (tmp_path / "Bea" / "state" / "hands" / f"{match.hex()}.secret").exists()

    played(scene)


def test_only_a_match_can_be_suspended(tmp_path: Path) -> None:
    async def scene() -> None:
        async with party("Ada") as made:
            ada = made.peers[0]
            seat = NetworkSeat(ada, ada.open_table(RULES, Guest("Ada"), Settings("Friday", 2)))
            seat.commands()["suspend"][1]("")
            told = [await seat.next(), await seat.next()]
            assert told[-1] == Answered("No match is being played that could be kept. Type leave to go.")

    played(scene)


def test_a_disk_that_is_full_is_told_once_and_the_match_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_journal: Journal, _unsaved: object, _port: int) -> None:
        raise StoreError("disk-full", path="matches.db")

    monkeypatch.setattr(Journal, "write", full)

    async def scene() -> None:
        async with programs(tmp_path, "Ada", "Bea") as made:
            made.let_bots_play(*made.peers)
            told: list[str] = []
            async with asyncio.timeout(20):
                while not isinstance(event := await made.peers[0].events.get(), MatchOver):
                    told += [event.sentence] if isinstance(event, NotSaved) else []
            assert told == ["The disk is full: matches.db could not be written. Free some space and try again."]
            assert event.code == ""

    played(scene)
