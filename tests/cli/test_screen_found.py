"""Who is found where mDNS shows nothing, as the lobby keeps it: on the loopback interface, with mDNS kept out of it."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import msgspec
import pytest

from rummy_p2p.cli import screen_found
from rummy_p2p.node import ladder
from rummy_p2p.node.scan import scan
from rummy_p2p.store import RememberedPeer
from tests.cli.tables import title
from tests.cli.test_screen_lan import Guestroom, scene
from tests.node.party import open_table


def known(guest: Guestroom) -> RememberedPeer:
    """Somebody as it is remembered from last time."""
    peer = guest.peer
    key, pin = peer.identity.player_id.hex(), peer.transport.fingerprint.hex()
    return RememberedPeer(key, peer.nick, "127.0.0.1", peer.transport.port, pin, int(time.time()))


def street(monkeypatch: pytest.MonkeyPatch, *hosts: str) -> None:
    """Let a walk lead along these addresses."""
    monkeypatch.setattr(ladder, "own_networks", lambda _choice: ("127.0.0.0/24",))
    monkeypatch.setattr(ladder, "targets", lambda _choice: hosts)


def blind(monkeypatch: pytest.MonkeyPatch, guest: Guestroom) -> None:
    """Nobody is seen by mDNS here."""
    monkeypatch.setattr(guest.peer.discovery, "sightings", lambda of=None: [])


def test_those_from_last_time_are_tried_by_themselves_and_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(screen_found, "PATIENCE", 0.05)
    monkeypatch.setattr(screen_found, "AGAIN", 0.1)

    async def play(ada: Guestroom, bea: Guestroom) -> None:
        blind(monkeypatch, bea)
        bea.files.remember(known(ada))
        name = open_table(ada.peer, 2).info.title
        await bea.until(lambda: [row.title for row in bea.lan.tables()] == [name])
        assert "Trying those from last time: Ada." in bea.lan.looking().told
        assert [person.nick for person in bea.lan.people()] == ["Bea", "Ada"]
        ada.peer.rise()
        await bea.until(lambda: bea.lan.tables() == ())
        await ada.peer.stop()
        await bea.until(lambda: len(bea.lan.people()) == 1)

    scene(tmp_path, ("Ada", "Bea"), play)


def test_who_comes_later_is_found_as_long_as_nobody_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screen_found, "PATIENCE", 0.05)
    monkeypatch.setattr(screen_found, "AGAIN", 0.05)

    async def play(ada: Guestroom, bea: Guestroom) -> None:
        blind(monkeypatch, bea)
        bea.files.remember(msgspec.structs.replace(known(ada), port=1))
        await bea.until(lambda: "None of them is where it was." in bea.lan.looking().told)
        bea.files.remember(known(ada))
        await bea.until(lambda: len(bea.lan.people()) == 2)
        assert bea.lan.looking().told == ("Trying those from last time: Ada.", "Ada is where it was last time.")

    scene(tmp_path, ("Ada", "Bea"), play)


@pytest.mark.parametrize("typed", ["join", "watch"])
def test_a_table_is_looked_for_as_on_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, typed: str
) -> None:
    """By the name of who has it open, who is remembered from last time; each step is told."""
    monkeypatch.setattr(screen_found, "PATIENCE", 60.0)
    told: list[str] = []

    async def play(ada: Guestroom, bea: Guestroom) -> None:
        blind(monkeypatch, bea)
        bea.files.remember(known(ada))
        session = open_table(ada.peer, 3)
        stop = bea.lan.watch(lambda: told.append(bea.lan.busy))
        bea.lan.command(f"{typed} Ada")
        await bea.until(lambda: not bea.lan.busy)
        stop()
        mine = bea.peer.session
        assert mine is not None
        assert mine.info.table == session.info.table
        assert mine.watches is (typed == "watch")
        assert [row.title for row in bea.lan.tables()] == [session.info.title]

    scene(tmp_path, ("Ada", "Bea"), play)
    assert "Trying those from last time: Ada." in told
    assert "Ada is where it was last time." in told


def test_what_is_found_nowhere_is_told_with_the_keys_that_lead_further(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rummy_p2p.cli.screen_joining.PATIENCE", 0.1)

    async def play(bea: Guestroom) -> None:
        bea.lan.command(f"join '{title()}'")
        await bea.until(lambda: not bea.lan.busy)
        assert "s searches your network, d tells what" in bea.screen.noted
        bea.lan.command("join 9")
        assert "9" in bea.screen.noted
        assert not bea.lan.busy

    scene(tmp_path, ("Bea",), play)


def test_a_walk_finds_a_table_and_says_how_far_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play(ada: Guestroom, bea: Guestroom) -> None:
        blind(monkeypatch, bea)
        name = open_table(ada.peer, 2).info.title
        ports = (ada.peer.transport.port,)

        street(monkeypatch, "127.0.0.1", "127.0.0.2")
        monkeypatch.setattr(ladder, "scan", lambda asking, hosts: scan(asking, hosts, ports))
        bea.lan.walk()
        await bea.until(lambda: bea.lan.walking is not None)
        await bea.until(lambda: bea.lan.walking is None)
        assert [row.title for row in bea.lan.tables()] == [name]
        bea.lan.join(name)
        await bea.until(lambda: bea.lan.sitting() is not None)

    scene(tmp_path, ("Ada", "Bea"), play)


def test_a_walk_can_be_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play(bea: Guestroom) -> None:
        blind(monkeypatch, bea)
        street(monkeypatch, *["127.0.0.9"] * 200)
        bea.lan.walk()
        await bea.until(lambda: bea.lan.walking is not None)
        bea.lan.walk()
        assert bea.lan.walking is None
        await asyncio.sleep(0)
        assert bea.lan.tables() == ()

    scene(tmp_path, ("Bea",), play)
