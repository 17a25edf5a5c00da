"""Invitations over real links: who is present hears of a table, and nobody sits down by one."""

import asyncio
import dataclasses

import pytest

from rummy_p2p.node.inquiry import Inquirer
from rummy_p2p.node.invitations import Invited, decline, invite
from rummy_p2p.node.peer import Peer
from rummy_p2p.protocol.callback import Wire
from rummy_p2p.protocol.codec import pack, unpack
from rummy_p2p.protocol.errors import ProtocolError
from rummy_p2p.protocol.events import TableClosed
from rummy_p2p.protocol.faults import Refusal
from rummy_p2p.protocol.forming import Guest, Phase
from rummy_p2p.protocol.invitation import MOST_OF_ONE, Invitation, InvitationDeclined
from rummy_p2p.protocol.messages import Leave, sign
from rummy_p2p.protocol.settings import Settings
from tests.node.party import (
    CERTIFICATES,
    PATIENCE,
    RULES,
    address_of,
    heard,
    open_table,
    party,
    played,
    seated_table,
    sit_down,
    start,
    until,
)

WORDS = "kestrel amber lantern"


def asking_for(peer: Peer) -> Inquirer:
    return Inquirer(peer.identity, peer.nick, CERTIFICATES[peer.nick])


def listening(peer: Peer) -> "asyncio.Queue[Invited]":
    found: asyncio.Queue[Invited] = asyncio.Queue()
    peer.invitations.listen(found.put_nowait)
    return found


async def first(found: "asyncio.Queue[Invited]") -> Invited:
    async with asyncio.timeout(PATIENCE):
        return await found.get()


def knows(peer: Peer, *others: Peer) -> None:
    """As if these had been dialled before: tests do not wait for mDNS."""
    peer._places._dialled |= {other.identity.player_id: address_of(other) for other in others}


async def invited_by(peer: Peer, other: Peer) -> Invited:
    """One invites the other over a link of its own."""
    knows(peer, other)
    found, asking = listening(other), asking_for(peer)
    try:
        await invite(peer, asking, other.identity.player_id)
        return await first(found)
    finally:
        await asking.stop()


def test_who_is_invited_hears_of_the_table_and_where_it_is() -> None:
    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            ada, bea = made.peers
            table = open_table(ada, 2)
            invited = await invited_by(ada, bea)
            assert (invited.nick, invited.info, invited.admitted) == ("Ada", table.info, False)
            assert (invited.inviter, invited.creator) == (ada.identity.player_id, ada.identity.player_id)
            assert invited.address == ada.address
            assert bea.session is None
            assert len(table.seats) == 1
            await sit_down(bea, ada)
            assert len(table.seats) == 2

    played(scene)


def test_whom_the_creator_of_a_closed_table_invites_needs_no_password() -> None:
    async def scene() -> None:
        async with party("Ada", "Bea", "Cem") as made:
            ada, bea, cem = made.peers
            table = ada.open_table(RULES, Guest("Ada"), Settings("Friday", 3, 1, password=WORDS))
            invited = await invited_by(ada, bea)
            assert invited.admitted
            offer = await bea.ask(address_of(ada))
            await bea.sit_down(offer, RULES, Guest("Bea"), admitted=invited.admitted)
            await until(lambda: len(table.seats) == 2, ada)
            again = await invited_by(bea, cem)  # who did not open it cannot let anybody in
            assert (again.inviter, again.creator) == (bea.identity.player_id, ada.identity.player_id)
            assert (again.address, again.admitted) == (ada.address, False)
            with pytest.raises(ProtocolError, match="This table is closed"):
                await cem.sit_down(await cem.ask(address_of(ada)), RULES, Guest("Cem"), admitted=True)
            assert len(table.seats) == 2

    played(scene)


def test_whoever_is_blocked_or_was_told_not_now_is_not_heard() -> None:
    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            ada, bea = made.peers
            session = open_table(ada, 2)
            found, asking = listening(bea), asking_for(ada)
            message, key = ada.invitation(session), bea.identity.player_id
            bea.is_blocked = lambda player: player == ada.identity.player_id
            await asking.tell("127.0.0.1", bea.transport.port, message, bea.transport.fingerprint, key)
            bea.is_blocked = lambda _player: False
            now = asyncio.get_running_loop().time()
            bea.invitations.patience.not_before(ada.identity.player_id, now + 600)
            await asking.tell("127.0.0.1", bea.transport.port, message, bea.transport.fingerprint, key)
            bea.invitations.patience.not_before(ada.identity.player_id, now)
            for _ in range(MOST_OF_ONE + 2):
                await asking.tell("127.0.0.1", bea.transport.port, message, bea.transport.fingerprint, key)
            for _ in range(MOST_OF_ONE):
                await first(found)
            await until(lambda: not bea._links, bea)
            assert found.empty()
            await asking.stop()

    played(scene)


@pytest.mark.parametrize("offer", [b"nothing", b"leave"])
def test_an_invitation_to_no_table_ends_the_link(offer: bytes) -> None:
    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            ada, bea = made.peers
            found = listening(bea)
            connection = await ada.transport.dial("127.0.0.1", bea.transport.port, bea.transport.fingerprint)
            data = pack(sign(ada.identity, Leave(table=bytes(32), run=bytes(32)))) if offer == b"leave" else offer
            connection.send(Invitation(offer=data, port=1, pin=bytes(32)))
            await until(lambda: connection.closed is not None, ada)
            assert found.empty()

    played(scene)


@pytest.mark.parametrize("host", ["8.8.8.8", "", "nowhere", "fe80::1"])
def test_nobody_is_sent_to_a_place_outside(host: str) -> None:
    async def scene() -> None:
        async with party("Ada", "Bea", "Cem") as made:
            ada, bea, cem = made.peers
            session = open_table(ada, 2)
            found = listening(cem)
            message = Invitation(offer=pack(session.offer), port=9, pin=bytes(32), host=host, admitted=True)
            connection = await bea.transport.dial("127.0.0.1", cem.transport.port, cem.transport.fingerprint)
            connection.send(message)
            connection.send(
                Invitation(offer=pack(session.offer), port=9, pin=bytes(32), host="127.0.0.1", admitted=True)
            )
            invited = await first(found)
            assert (invited.address, invited.admitted) == (f"rummy://127.0.0.1:9#{'00' * 32}", False)
            assert found.empty()

    played(scene)


def test_why_nobody_can_be_invited_is_told() -> None:
    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            ada, bea = made.peers
            asking, key = asking_for(ada), bea.identity.player_id
            with pytest.raises(Refusal, match="while you sit at a table"):
                await invite(ada, asking, key)
            open_table(ada, 2)
            for peer in made.peers:
                peer.discovery.sightings = lambda of=None: []  # type: ignore[method-assign]  # nobody is seen
            with pytest.raises(Refusal, match="cannot be reached any more"):
                await invite(ada, asking, key)
            table = await sit_down(bea, ada)
            bea._places._given.clear()
            bea._places._dialled.clear()
            with pytest.raises(Refusal, match="address of whoever opened"):
                bea.invitation(table)
            await until(lambda: ada.session is not None and len(ada.session.seats) == 2, ada)
            with pytest.raises(Refusal, match="All seats"):
                await invite(ada, asking, key)
            await asking.stop()

    played(scene)


@pytest.mark.parametrize("password", ["", WORDS])
def test_a_table_is_opened_anew_and_everybody_who_sat_there_is_invited(password: str) -> None:
    async def scene() -> None:
        async with party("Ada", "Bea", "Cem") as made:
            ada, bea, cem = made.peers
            await seated_table(made)
            other = RULES.with_(match__target=250)
            invitations = [listening(bea), listening(cem)]
            with pytest.raises(Refusal, match="opened the table"):
                bea.reopen(other, Guest("Bea"), Settings("Mine", 3))
            with pytest.raises(Refusal, match="needs 2 players"):
                ada.reopen(other, Guest("Ada"), Settings("Again", 1))
            table = ada.reopen(other, Guest("Ada"), Settings("Again", 3, password=password))
            for peer, found in zip((bea, cem), invitations, strict=True):
                invited = await first(found)
                assert (invited.info, invited.admitted) == (table.info, bool(password))
                await heard(peer, TableClosed)
                peer.rise()
                await peer.sit_down(await peer.ask(address_of(ada)), other, Guest(peer.nick), admitted=invited.admitted)
            await until(lambda: len(table.seats) == 3, ada)

    played(scene)


def test_in_the_middle_of_a_match_no_other_table_is_opened() -> None:
    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            [table, _other] = await seated_table(made)
            start(made.peers[0])
            assert table.phase is Phase.PLAYING
            with pytest.raises(Refusal, match="not over yet"):
                made.peers[0].reopen(RULES, Guest("Ada"), Settings("Again", 2))
            assert made.peers[0].session is table

    played(scene)


@pytest.mark.parametrize("inviter_is_seen", [True, False])
def test_who_invites_hears_once_who_says_no(*, inviter_is_seen: bool) -> None:
    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            ada, bea = made.peers
            table = open_table(ada, 2)
            invited = await invited_by(ada, bea)
            said, asking = asyncio.Queue[str](), asking_for(bea)
            stop = ada.invitations.listen_to_no(said.put_nowait)
            if inviter_is_seen:
                knows(bea, ada)
            for _ in range(2):  # the second is an answer to nothing
                await decline(bea, asking, invited)
            async with asyncio.timeout(PATIENCE):
                assert await said.get() == "Bea"
            await asking.stop()
            await until(lambda: not ada._links, ada)
            assert said.empty()
            assert len(table.seats) == 1
            stop()

    played(scene)


def test_an_answer_is_brought_to_the_next_place_when_nobody_is_at_the_first() -> None:
    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            ada, bea = made.peers
            open_table(ada, 2)
            invited = await invited_by(ada, bea)
            said, asking = asyncio.Queue[str](), asking_for(bea)
            ada.invitations.listen_to_no(said.put_nowait)
            places = dataclasses.replace(address_of(ada), hosts=("127.0.0.9", "127.0.0.1"))
            bea._places._dialled[ada.identity.player_id] = places
            await decline(bea, asking, invited)
            async with asyncio.timeout(PATIENCE):
                assert await said.get() == "Bea"
            await asking.stop()

    played(scene)


def test_an_answer_that_cannot_be_brought_is_refused() -> None:
    async def scene() -> None:
        async with party("Ada", "Bea", "Cem") as made:
            ada, bea, cem = made.peers
            session, asking = open_table(ada, 2), asking_for(bea)
            bea.discovery.sightings = lambda of=None: []  # type: ignore[method-assign]  # nobody is seen
            info, key = session.info, cem.identity.player_id
            invited = Invited(key, "Cem", ada.identity.player_id, info, "127.0.0.1", 9, bytes(32), admitted=False)
            with pytest.raises(Refusal, match="cannot be reached any more"):
                await decline(bea, asking, invited)
            await asking.stop()

    played(scene)


@pytest.mark.parametrize(
    "message",
    [
        Invitation(offer=b"x", port=28660, pin=bytes(32), host="10.0.0.1", admitted=True),
        InvitationDeclined(table=bytes(32)),
    ],
)
def test_the_messages_go_over_the_wire(message: Invitation | InvitationDeclined) -> None:
    assert unpack(pack(message), Wire) == message
