"""Whole peers on the loopback interface: they find a table, sit down, play, lose each other and part."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from rummy_p2p.node import peer as peer_module
from rummy_p2p.node import places as places_module
from rummy_p2p.node.announcement import Sighting, TableInfo, TableState
from rummy_p2p.node.carrying import NoSeat, NotSaved
from rummy_p2p.node.peer import Peer
from rummy_p2p.node.places import Address
from rummy_p2p.protocol.errors import NetworkError, ProtocolError
from rummy_p2p.protocol.events import Chatted, Elected, HandOver, MatchOver, Paused, Resumed, Seated, TableClosed
from rummy_p2p.protocol.faults import Refusal
from rummy_p2p.protocol.forming import Guest, Phase
from rummy_p2p.protocol.table import TableSession
from rummy_p2p.store import StoreError
from tests.node.party import (
    CERTIFICATES,
    RULES,
    address_of,
    heard,
    identity,
    open_table,
    party,
    played,
    seated_table,
    sit_down,
    start,
    until,
)


async def refused(attempt: Awaitable[object]) -> ProtocolError:
    with pytest.raises(ProtocolError) as caught:
        await attempt
    return caught.value


# ---------------------------------------------------------------- the way it should go


def test_three_peers_play_a_hand_and_hold_the_same_ledger() -> None:
    async def scene() -> None:
        async with party("Ada", "Bea", "Cem") as made:
            sessions = await seated_table(made)
            made.let_bots_play(*made.peers)
            start(made.peers[0])
            elected = [await heard(peer, Elected) for peer in made.peers]
            ends = [(await heard(peer, HandOver), await heard(peer, MatchOver)) for peer in made.peers]
            assert {(told.term, told.host) for told in elected} == {(1, sessions[0].me)}
            assert {hand.audit for hand, _ in ends} == {"ok"}
            assert len({(hand.commitment, match.scores) for hand, match in ends}) == 1
            ledgers = [session.ledger for session in sessions]
            assert len({ledger.to_bytes(certificate=False) for ledger in ledgers if ledger}) == 1
            assert len(made.saved) == len(ledgers) == 3
            assert made.peers[0].keeper.ledger is not None

    played(scene)


def test_a_table_is_seen_by_mdns_with_its_seats_and_whether_it_plays() -> None:
    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            ada, bea = made.peers

            def table() -> tuple[Sighting, TableInfo] | None:
                me = ada.identity.player_id.hex()
                found = [each for each in bea.discovery.sightings() if each.id == me]
                return next(((each, each.table) for each in found if each.table), None)

            def looks(taken: int, state: TableState) -> bool:
                seen = table()
                return seen is not None and (seen[1].taken, seen[1].state) == (taken, state)

            async def until_seen(holds: Callable[[], bool]) -> None:
                revision = -1
                async with asyncio.timeout(20):
                    while not holds():
                        revision = await bea.discovery.changed(revision)

            open_table(ada, 2)
            await until_seen(lambda: looks(1, TableState.OPEN))
            seen = table()
            assert seen is not None
            assert Address.of(seen[0]) == address_of(ada)
            assert (seen[1].title, seen[1].ruleset) == ("Friday", RULES.fingerprint)
            await bea.sit_down(await bea.ask(Address.of(seen[0])), RULES, Guest("Bea"))
            bea.do(lambda table, now: table.ready(now))
            await until(lambda: ada.session is not None and ada.session.ready_to_start, ada)
            await until_seen(lambda: looks(2, TableState.OPEN))
            start(ada)
            await until_seen(lambda: looks(2, TableState.PLAYING))
            ada.rise()
            await until_seen(lambda: table() is None)

    played(scene)


def test_what_is_said_before_there_is_a_session_is_heard_when_there_is_one() -> None:
    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            ada, bea = made.peers
            open_table(ada, 2)
            offer = await bea.ask(address_of(ada))
            ada.do(lambda table, now: table.chat("not for strangers", now))
            await until(lambda: len(bea._early) > 2, bea)
            await bea.sit_down(offer, RULES, Guest("Bea"))
            assert [seat.name for seat in (await heard(bea, Seated)).seats] == ["Ada"]  # as it was before she sat down
            ada.do(lambda table, now: table.chat("welcome", now))
            assert (await heard(bea, Chatted)).text == "welcome"

    played(scene)


def test_who_has_left_may_sit_down_again() -> None:
    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            ada, bea = made.peers
            open_table(ada, 2)
            for _ in range(2):
                session = await sit_down(bea, ada)
                assert session.own_seats == (1,)
                await until(lambda: ada.session is not None and len(ada.session.seats) == 2, ada)
                bea.rise()
                assert bea.session is None
                await until(lambda: ada.session is not None and len(ada.session.seats) == 1, ada)
            await bea.parted(20)
            await ada.parted(20)
            assert bea.transport.connections == ada.transport.connections == ()

    played(scene)


def test_to_part_does_not_take_for_ever() -> None:
    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            ada, bea = made.peers
            open_table(ada, 2)
            await sit_down(bea, ada)
            await bea.parted(0.01)
            assert len(bea.transport.connections) == 1

    played(scene)


# ---------------------------------------------------------------- no seat


def test_by_other_rules_there_is_no_seat_and_it_is_told_what_differs() -> None:
    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            ada, bea = made.peers
            open_table(ada, 2)
            other = RULES.with_(scoring__in_hand__ace=7)
            error = await refused(sit_down(bea, ada, rules=other))
            assert isinstance(error, NoSeat)
            assert error.code == "rules-mismatch"
            assert "scoring.in_hand.ace: 1 there, 7 here" in str(error)
            assert bea.session is None

    played(scene)


def test_a_full_table_and_one_in_the_middle_of_a_match_have_no_seat() -> None:
    async def scene() -> None:
        async with party("Ada", "Bea", "Cem") as made:
            ada, bea, cem = made.peers
            session = open_table(ada, 2)
            await sit_down(bea, ada)
            assert (await refused(sit_down(cem, ada))).code == "table-full"
            bea.do(lambda table, now: table.ready(now))
            await until(lambda: session.ready_to_start, ada)
            start(ada)
            error = await refused(sit_down(cem, ada))
            assert (error.code, str(error)[:42]) == ("table-playing", "This table is in the middle of a match. Wa")
            assert session.phase is Phase.PLAYING

    played(scene)


def test_a_creator_that_does_not_answer_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peer_module, "SEAT_WITHIN", 0.2)

    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            ada, bea = made.peers
            open_table(ada, 2)
            offer = await bea.ask(address_of(ada))
            monkeypatch.setattr(ada, "_on_message", lambda _connection, _message: None)
            assert (await refused(bea.sit_down(offer, RULES, Guest("Bea")))).code == "table-lost"
            assert bea.session is None

    played(scene)


def test_to_ask_where_no_table_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peer_module, "ANSWER_WITHIN", 0.2)

    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            ada, bea = made.peers
            error = await refused(bea.ask(address_of(ada)))
            assert error.code == "no-table-there"
            assert f"127.0.0.1 port {ada.transport.port}" in str(error)

    played(scene)


def test_to_ask_one_that_hangs_up_tells_its_reason() -> None:
    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            ada, bea = made.peers
            asking = asyncio.create_task(bea.ask(address_of(ada)))
            await until(lambda: len(ada.transport.connections) == 1, ada)
            ada.transport.connections[0].hang_up("too-many-links")
            assert (await refused(asking)).code == "too-many-links"

    played(scene)


def test_one_that_is_busy_is_dialled_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places_module, "DIAL_AGAIN", (0.0, 0.0))
    callers = 0

    def turn_away(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal callers
        callers += 1
        writer.transport.abort()

    async def scene() -> None:
        async with party("Bea") as made, await asyncio.start_server(turn_away, "127.0.0.1", 0) as busy:
            address = Address(("127.0.0.1",), busy.sockets[0].getsockname()[1])
            assert (await refused(made.peers[0].ask(address))).code == "turned-away"
            assert callers == 3

    played(scene)


def test_the_second_address_is_tried_when_the_first_does_not_answer() -> None:
    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            ada, bea = made.peers
            open_table(ada, 2)
            there = address_of(ada)
            offer = await bea.ask(Address(("127.0.0.9", "127.0.0.1"), there.port, there.pin))
            assert offer.author == ada.identity.player_id

    played(scene)


def test_a_peer_cannot_join_itself() -> None:
    async def scene() -> None:
        async with party("Ada") as made:
            [ada] = made.peers
            open_table(ada, 2)
            here = Address(("127.0.0.1",), ada.transport.port)
            assert (await refused(ada.ask(here))).code == "own-address"

    played(scene)


# ---------------------------------------------------------------- losing each other


def test_a_link_that_breaks_is_made_again_and_the_table_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peer_module, "DIAL_EVERY", 0.05)

    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            ada, bea = made.peers
            await seated_table(made)
            start(ada)
            await heard(bea, Elected)
            for connection in ada.transport.connections:
                connection.drop("lost")
            assert (await heard(bea, Paused)).players == ("Ada",)
            await heard(bea, Resumed)
            await heard(ada, Resumed)

    played(scene)


def test_a_peer_that_is_gone_pauses_the_table_and_who_leaves_it_is_free() -> None:
    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            ada, bea = made.peers
            await seated_table(made)
            start(ada)
            await heard(bea, Elected)
            await bea.stop()
            assert (await heard(ada, Paused)).players == ("Bea",)
            ada.leave()
            assert (await heard(ada, TableClosed)).code == "table-closed"

    played(scene)


def test_who_goes_in_the_first_moment_of_a_match_is_not_waited_for() -> None:
    async def scene() -> None:
        async with party("Ada", "Bea", "Cem") as made:
            ada, bea, cem = made.peers
            await seated_table(made)
            start(ada)
            await until(lambda: bool(bea.session and bea.session.host), bea)
            bea.rise()
            await bea.stop()
            await until(lambda: bool(ada.session and ada.session.fold and ada.session.fold.gone), ada)
            made.let_bots_play(ada, cem)
            assert (await heard(ada, HandOver)).audit == "ok"

    played(scene)


def test_the_creator_that_goes_closes_the_table() -> None:
    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            ada, bea = made.peers
            await seated_table(made)
            ada.leave()
            ada.leave()
            ada.rise()
            assert (await heard(bea, TableClosed)).code == "table-closed"

    played(scene)


# ---------------------------------------------------------------- what goes wrong here


def test_a_disk_that_is_full_is_told_and_the_match_goes_on() -> None:
    def full(_match: bytes, _ledger: bytes) -> Path:
        raise StoreError("disk-full", path="ledgers/1")

    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            ada, bea = made.peers
            ada.keeper._save = full
            await seated_table(made)
            made.let_bots_play(ada, bea)
            start(ada)
            assert "The disk is full" in (await heard(ada, NotSaved)).sentence
            assert (await heard(ada, MatchOver)).code == ""
            assert ada.keeper.ledger is None

    played(scene)


def test_a_port_that_is_taken_leaves_nothing_behind() -> None:
    async def scene() -> None:
        async with party("Ada") as made:
            second = Peer(identity(), "Bea", CERTIFICATES["Bea"], ["lo"])
            error = await refused(second.start(made.peers[0].transport.port))
            assert isinstance(error, NetworkError)
            assert error.code == "port-taken"

    played(scene)


def test_without_a_network_one_listens_at_home() -> None:
    async def scene() -> None:
        lonely = Peer(identity(), "Bea", CERTIFICATES["Bea"], ["nosuch0"])
        await lonely.start()
        try:
            assert lonely.discovery.trouble is not None
            assert lonely.discovery.trouble.code == "no-interface"
            pin = lonely.transport.fingerprint.hex()
            assert lonely.address == f"rummy://127.0.0.1:{lonely.transport.port}#{pin}"
            async with party("Ada") as made:
                open_table(lonely, 2)
                assert (await sit_down(made.peers[0], lonely)).own_seats == (1,)
        finally:
            await lonely.stop()

    played(scene)


def test_nothing_can_be_done_without_a_table() -> None:
    async def scene() -> None:
        async with party("Ada") as made:
            with pytest.raises(Refusal, match="No match is being played"):
                made.peers[0].do(lambda table, now: table.ready(now))

    played(scene)


def test_the_disk_is_not_needed_at_all() -> None:
    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            for peer in made.peers:
                peer.keeper._save = None
            await seated_table(made)
            made.let_bots_play(*made.peers)
            start(made.peers[0])
            assert (await heard(made.peers[0], MatchOver)).code == ""

    played(scene)


def test_a_task_that_fails_is_in_the_log(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_peer: Peer) -> list[Address]:
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr(Peer, "_wanted", fail)

    async def scene() -> None:
        async with party("Ada") as made:
            await asyncio.wait([task for task in made.peers[0]._tasks if "dialling" in task.get_name()])

    with caplog.at_level(logging.ERROR):
        played(scene)
    assert "peer-dialling ended: RuntimeError('a fault of ours')" in caplog.text


def test_a_session_that_wants_to_be_woken_without_end_does_not_keep_the_machine_busy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looks = 0

    def at_once(_session: TableSession, now: float) -> float:
        nonlocal looks
        looks += 1
        return now

    monkeypatch.setattr(TableSession, "wake_at", at_once)

    async def scene() -> None:
        async with party("Ada") as made:
            open_table(made.peers[0], 2)
            await made.peers[0].parted(0)
            loop = asyncio.get_running_loop()
            done = loop.create_future()
            loop.call_later(0.3, done.set_result, None)
            await done

    played(scene)
    assert looks < 40
