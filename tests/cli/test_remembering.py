"""Whom this program has spoken with is found again: who was called, and who has called and announces its door."""

from pathlib import Path

import pytest

from rummy_p2p.cli.remembering import Remembering, acquaintances
from rummy_p2p.store import Paths, RememberedPeer, Store, StoreError
from tests.node.party import address_of, open_table, party, played


def test_both_sides_of_a_link_write_the_other_down(tmp_path: Path) -> None:
    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            ada, bea = made.peers
            open_table(ada, 2)
            stores = [Store(Paths.of(tmp_path / nick)) for nick in ("ada", "bea")]
            remembering = [Remembering(peer, files) for peer, files in zip(made.peers, stores, strict=True)]
            revision = ada.discovery.revision
            while not any(each.live and each.nick == "Bea" for each in ada.discovery.sightings()):
                revision = await ada.discovery.changed(revision)
            await bea.ask(address_of(ada))
            for each in remembering:
                each()
                each()  # nothing is written twice
            [by_ada], [by_bea] = (store.peers()[0] for store in stores)
            assert (by_bea.id, by_bea.port) == (ada.identity.player_id.hex(), ada.transport.port)
            assert by_bea.pin == ada.transport.fingerprint.hex()
            assert (by_ada.id, by_ada.port) == (bea.identity.player_id.hex(), bea.transport.port)
            assert by_ada.pin == bea.transport.fingerprint.hex()

    played(scene)


def test_a_full_disk_stops_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(_self: Store, _peer: RememberedPeer) -> None:
        raise StoreError("disk-full", path="peers.json")

    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            ada, bea = made.peers
            open_table(ada, 2)
            await bea.ask(address_of(ada))
            assert [each.nick for each in acquaintances(bea)] == ["Ada"]
            Remembering(bea, Store(Paths.of(tmp_path)))()

    monkeypatch.setattr(Store, "remember", full)
    played(scene)
    assert "a peer was not written down" in caplog.text
