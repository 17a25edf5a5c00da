"""The ways to the own table, of a whole peer."""

from __future__ import annotations

from pathlib import Path

import pytest

from rummy_p2p.cli import screen_ways
from rummy_p2p.cli.screen_table import LobbyTable
from rummy_p2p.protocol.forming import Guest
from rummy_p2p.protocol.settings import Settings
from rummy_p2p.ui.ways_room import WaysRoom
from tests.cli.tables import title
from tests.cli.test_screen_lan import Guestroom, joined, scene
from tests.node.party import RULES


def test_they_are_shown_as_long_as_there_is_an_own_table(tmp_path: Path) -> None:
    async def play(ada: Guestroom) -> None:
        ada.lan.show("ways")
        assert ada.screen.noted == "You have no table open. n opens one; then Q shows its code."
        words = "kestrel amber lantern"
        ada.lan.open_table(RULES, Settings(title(), 2, password=words), Guest("Ada"), "normal")
        ada.room.typed("code")
        assert isinstance(ada.screen.room, WaysRoom)
        assert "There is no code for this address" in ada.shown  # the loopback has none
        assert "Password: kestrel amber lantern" in ada.shown
        assert ada.peer.address.partition("#")[0] in ada.shown
        ada.screen.leave()
        ada.lan.leave()
        assert screen_ways.ways_to(ada.peer, "", ("", ""), ascii_only=False) is None

    scene(tmp_path, ("Ada",), play)


def test_at_the_table_of_somebody_else_there_are_none(tmp_path: Path) -> None:
    async def play(ada: Guestroom, bea: Guestroom) -> None:
        ada.lan.open_table(RULES, Settings(title(), 2), Guest("Ada"), "normal")
        bea.lan.join(ada.peer.address)
        await bea.until(lambda: bea.lan.sitting() is not None)
        bea.lan.show("ways")
        assert bea.screen.room is bea.room

    scene(tmp_path, ("Ada", "Bea"), play)


def test_a_table_without_a_name_is_called_by_its_game_and_joined_by_its_player(tmp_path: Path) -> None:
    async def play(ada: Guestroom) -> None:
        ada.lan.open_table(RULES, Settings(RULES.game, 2), Guest("Ada"), "normal")
        ways = screen_ways.ways_to(ada.peer, "", ("", ""), ascii_only=False)
        assert ways is not None
        assert ways.title == ada.sitting.title != RULES.game
        assert ways.by_name == "rummy-p2p join Ada"

    scene(tmp_path, ("Ada",), play)


def test_the_table_room_has_the_ways_to_the_own_table(tmp_path: Path) -> None:
    async def play(ada: Guestroom, bea: Guestroom) -> None:
        await joined(ada, bea)
        bea.lan.ready()
        await ada.until(lambda: not ada.sitting.why)
        ada.lan.start()
        await ada.until(lambda: isinstance(ada.screen.room, LobbyTable))
        assert isinstance(ada.screen.room, LobbyTable)
        ada.screen.room.typed("code")
        assert isinstance(ada.screen.room, WaysRoom)
        await bea.until(lambda: isinstance(bea.screen.room, LobbyTable))
        assert isinstance(bea.screen.room, LobbyTable)
        bea.screen.room.typed("code")
        assert bea.screen.noted.startswith("Only whoever opened this table")

    scene(tmp_path, ("Ada", "Bea"), play)


def test_without_segno_the_rest_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screen_ways, "has_qr", lambda: False)

    async def play(ada: Guestroom) -> None:
        ada.lan.open_table(RULES, Settings(title(), 2), Guest("Ada"), "normal")
        ada.lan.show("ways")
        assert "-m pip install segno" in " ".join(ada.shown.split())

    scene(tmp_path, ("Ada",), play)
