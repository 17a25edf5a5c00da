"""The walk along the own network: where it goes, what it finds, how it tells."""

import asyncio
import socket
from contextlib import aclosing

import pytest

from rummy_p2p.node import scan as module
from rummy_p2p.node.inquiry import Inquirer
from rummy_p2p.node.interfaces import Choice, Interface, Reason
from rummy_p2p.node.scan import Progress, is_open, own_networks, scan, targets
from tests.node.party import CERTIFICATES, identity, open_table, party, played


def choice(*interfaces: Interface) -> Choice:
    return Choice(interfaces)


def test_of_a_large_network_only_the_part_around_us_is_walked() -> None:
    used = choice(Interface("eth0", "10.20.30.40", 8), Interface("wlan0", "192.168.1.7", 28))
    assert [str(each) for each in own_networks(used)] == ["10.20.30.0/24", "192.168.1.0/28"]
    assert len(targets(used)) == 253 + 13
    assert "10.20.30.40" not in targets(used)


def test_an_interface_without_multicast_is_walked_and_the_loopback_is_not() -> None:
    mute = Interface("eth0", "192.168.1.7", 24, multicast=False)
    used = Choice((Interface("lo", "127.0.0.1", 8),), ((mute, Reason.NO_MULTICAST),))
    assert [str(each) for each in own_networks(used)] == ["192.168.1.0/24"]


def test_a_table_is_found_at_any_of_the_ports(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "GAP", 0.001)

    async def scene() -> None:
        async with party("Ada") as made:
            ada = made.peers[0]
            open_table(ada, 2)
            asking = Inquirer(identity(), "Dag", CERTIFICATES["Dag"])
            walk = [each async for each in scan(asking, ["127.0.0.1"], [1, ada.transport.port])]
            assert [each.found.nick for each in walk if each.found] == ["Ada"]
            assert (walk[-1].done, walk[-1].total, walk[-1].machines) == (2, 2, 1)
            await asking.stop()

    played(scene)


def test_an_empty_walk_ends_and_a_broken_off_one_leaves_nothing() -> None:
    async def scene() -> None:
        asking = Inquirer(identity(), "Dag", CERTIFICATES["Dag"])
        assert [each async for each in scan(asking, [])][-1] == Progress(0, 0, 0)
        async with aclosing(scan(asking, [f"127.0.0.{i}" for i in range(1, 60)], [1])) as walk:
            async for _ in walk:
                break
        await asking.stop()
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(scene())


def test_a_closed_port_is_told_from_an_open_one() -> None:
    async def scene() -> None:
        server = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", 0)
        port: int = server.sockets[0].getsockname()[1]
        assert await is_open("127.0.0.1", port) is True
        server.close()
        await server.wait_closed()
        assert await is_open("127.0.0.1", port) is False
        with socket.socket() as full, socket.socket() as first, socket.socket() as second:
            full.bind(("127.0.0.1", 0))
            full.listen(0)
            for client in (first, second):
                client.setblocking(False)  # noqa: FBT003 - socket's own signature
                client.connect_ex(full.getsockname())
            assert await is_open("127.0.0.1", full.getsockname()[1], 0.05) is None  # no answer at all

    asyncio.run(scene())
