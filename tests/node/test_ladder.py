"""The rungs by which others are found, each with what it tries and what it finds."""

import asyncio

import pytest

from rummy_p2p.node.discovery import Discovery
from rummy_p2p.node.inquiry import Inquirer
from rummy_p2p.node.interfaces import Interface
from rummy_p2p.node.ladder import Mark, Rung, Step, by_memory, by_walk, climb
from rummy_p2p.node.peer import Peer
from rummy_p2p.store import RememberedPeer
from tests.node.party import CERTIFICATES, identity, open_table, party, played


def remembered(peer: Peer, nick: str = "Ada", pin: str = "") -> RememberedPeer:
    known = pin or peer.transport.fingerprint.hex()
    return RememberedPeer(peer.identity.player_id.hex(), nick, "127.0.0.1", peer.transport.port, known, 1)


def marks(steps: list[Step]) -> list[tuple[Rung, Mark]]:
    return [(step.rung, step.mark) for step in steps]


def test_whoever_is_seen_is_not_looked_for_in_the_memory() -> None:
    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            ada, bea = made.peers
            revision = ada.discovery.revision
            while not any(each.live and each.id == remembered(bea).id for each in ada.discovery.sightings()):
                revision = await ada.discovery.changed(revision)
            asking = Inquirer(identity(), "Dag", CERTIFICATES["Dag"])
            known = remembered(bea, "Bea")
            async for step in climb(ada.discovery, asking, [known], patience=0.3):
                assert step.rung is Rung.MDNS
                if step.found is not None and step.found.id == known.id:
                    assert step.what == "Bea"
            await asking.stop()

    played(scene)


def test_those_from_last_time_are_asked_where_they_were() -> None:
    async def scene() -> None:
        async with party("Ada") as made:
            open_table(made.peers[0], 2)
            asking = Inquirer(identity(), "Dag", CERTIFICATES["Dag"])
            gone = RememberedPeer("2b" * 32, "Bea", "127.0.0.1", 1, "2b" * 32, 1)
            steps = [step async for step in by_memory(asking, [gone, remembered(made.peers[0])])]
            assert marks(steps) == [(Rung.REMEMBERED, Mark.TRIES), (Rung.REMEMBERED, Mark.FOUND)]
            assert steps[0].what == "Bea, Ada"
            assert steps[1].found is not None
            assert steps[1].found.table is not None
            await asking.stop()

    played(scene)


def test_another_certificate_than_last_time_is_nobody() -> None:
    async def scene() -> None:
        async with party("Ada") as made:
            asking = Inquirer(identity(), "Dag", CERTIFICATES["Dag"])
            steps = [step async for step in by_memory(asking, [remembered(made.peers[0], pin="2b" * 32)])]
            assert marks(steps) == [(Rung.REMEMBERED, Mark.TRIES), (Rung.REMEMBERED, Mark.NOBODY)]
            await asking.stop()

    played(scene)


def test_who_remembers_nobody_tries_nobody() -> None:
    async def scene() -> list[Step]:
        asking = Inquirer(identity(), "Dag", CERTIFICATES["Dag"])
        steps = [step async for step in by_memory(asking, [])]
        await asking.stop()
        return steps

    assert asyncio.run(scene()) == []


@pytest.mark.parametrize("look", [list, lambda: [Interface("eth0", "192.0.2.1", 32, up=False)]])
def test_without_a_network_each_rung_says_so(look: type[list[Interface]]) -> None:
    async def scene() -> list[Step]:
        discovery = Discovery(look=look)
        asking = Inquirer(identity(), "Dag", CERTIFICATES["Dag"])
        await discovery.start()
        steps = [step async for step in climb(discovery, asking, [], walk=True, patience=0.01)]
        await discovery.stop()
        await asking.stop()
        return steps

    steps = asyncio.run(scene())
    assert marks(steps) == [(Rung.MDNS, Mark.TRIES), (Rung.MDNS, Mark.FAILED), (Rung.SCAN, Mark.FAILED)]
    assert "No network interface can be used" in steps[1].what


def test_a_walk_that_finds_nobody_tells_how_many_machines_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rummy_p2p.node.ladder.targets", lambda _choice: ("127.0.0.1",))

    async def scene() -> list[Step]:
        asking = Inquirer(identity(), "Dag", CERTIFICATES["Dag"])
        monkeypatch.setattr("rummy_p2p.node.scan.scan.__defaults__", ([1],))
        steps = [step async for step in by_walk(Discovery(), asking)]
        await asking.stop()
        return steps

    steps = asyncio.run(scene())
    assert steps[0].mark is Mark.TRIES
    assert (steps[-1].mark, steps[-1].done, steps[-1].total) == (Mark.NOBODY, 1, 1)
