"""Being called back: whoever asks learns whether it can be reached, and can make nobody knock anywhere else."""

import asyncio

import pytest

from rummy_p2p.node.inquiry import Inquirer
from rummy_p2p.protocol.callback import MAX_CALLS
from tests.node.party import CERTIFICATES, identity, party, played


def inquirer(nick: str = "Dag") -> Inquirer:
    return Inquirer(identity(), nick, CERTIFICATES[nick])


def test_a_peer_calls_back_where_the_question_came_from() -> None:
    async def scene() -> None:
        async with party("Ada") as made:
            ada, asking = made.peers[0].transport, inquirer()
            server = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", 0)
            port: int = server.sockets[0].getsockname()[1]
            assert await asking.called_back("127.0.0.1", ada.port, port, ada.fingerprint) is True
            server.close()
            await server.wait_closed()
            assert await asking.called_back("127.0.0.1", ada.port, port, ada.fingerprint) is False
            await asking.stop()

    played(scene)


def test_who_asks_too_often_gets_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rummy_p2p.node.callback.MAX_CALLS", 0)
    monkeypatch.setattr("rummy_p2p.node.inquiry.CALLED_WITHIN", 0.05)

    async def scene() -> None:
        async with party("Ada") as made:
            ada, asking = made.peers[0].transport, inquirer()
            assert await asking.called_back("127.0.0.1", ada.port, 1, ada.fingerprint) is None
            await asking.stop()

    played(scene)
    assert MAX_CALLS == 3
