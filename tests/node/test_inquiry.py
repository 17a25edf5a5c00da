"""Short questions: what is brought home from a table, from a peer without one, and from where nobody is."""

import asyncio

import pytest
from msgspec.structs import replace

from rummy_p2p.node.announcement import TableState
from rummy_p2p.node.inquiry import Inquirer, _table
from rummy_p2p.protocol.errors import ProtocolError
from rummy_p2p.protocol.joincode import ShortPin
from rummy_p2p.protocol.messages import TableInfo
from tests.node.party import CERTIFICATES, RULES, identity, open_table, party, played


def test_the_table_of_a_peer_is_told_as_mdns_would() -> None:
    async def scene() -> None:
        async with party("Ada") as made:
            ada = made.peers[0]
            session = open_table(ada, 3, bots=1)
            asking = Inquirer(identity(), "Dag", CERTIFICATES["Dag"])
            found = await asking.ask("127.0.0.1", ada.transport.port)
            assert (found.nick, found.id, found.pin) == (
                "Ada",
                ada.identity.player_id.hex(),
                ada.transport.fingerprint.hex(),
            )
            assert (found.addresses, found.port, found.live) == (("127.0.0.1",), ada.transport.port, True)
            table = found.table
            assert table is not None
            assert (table.id, table.game, table.total) == (session.info.table.hex(), "rummy-no", 3)
            assert table.ruleset == RULES.fingerprint
            await asking.stop()

    played(scene)


def test_a_peer_without_a_table_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rummy_p2p.node.inquiry.TABLE_WITHIN", 0.05)

    async def scene() -> None:
        async with party("Ada") as made:
            ada = made.peers[0].transport
            asking = Inquirer(identity(), "Dag", CERTIFICATES["Dag"])
            assert (await asking.ask("127.0.0.1", ada.port, ada.fingerprint)).table is None
            await asking.stop()

    played(scene)


def test_a_short_pin_is_compared_before_anything_is_said() -> None:
    async def scene() -> None:
        async with party("Ada") as made:
            ada = made.peers[0].transport
            asking = Inquirer(identity(), "Dag", CERTIFICATES["Dag"])
            right = ShortPin.of(ada.fingerprint, 20)
            assert (await asking.ask("127.0.0.1", ada.port, right)).nick == "Ada"
            with pytest.raises(ProtocolError) as caught:
                await asking.ask("127.0.0.1", ada.port, ShortPin(20, right.value ^ 1))
            assert caught.value.code == "wrong-pin"
            await asking.stop()

    played(scene)


def test_where_nobody_listens_the_error_says_so() -> None:
    async def scene() -> None:
        asking = Inquirer(identity(), "Dag", CERTIFICATES["Dag"])
        with pytest.raises(ProtocolError) as caught:
            await asking.ask("127.0.0.1", 1)
        assert caught.value.code == "refused"
        await asking.stop()

    asyncio.run(scene())


def test_rules_that_cannot_be_read_have_no_name() -> None:
    offer = TableInfo(
        table=bytes(32), nonce=bytes(32), version=1, title="T", rules=b"\xff", fingerprint=bytes(32), plugins=(),
        seats=2, deal="host", trust="quorum", hands=0,
    )  # fmt: skip
    assert (_table(offer, None).game, _table(offer, None).house) == ("?", None)
    assert _table(offer, None).state is TableState.OPEN
    assert _table(replace(offer, closed=True), None).state is TableState.CODE
