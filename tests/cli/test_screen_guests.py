"""Guests by ssh at a table that was opened on the full screen, with a real ssh client."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from rummy_p2p.cli.ssh_guests import Invitation
from rummy_p2p.ui.form import Plan
from rummy_p2p.ui.form_room import FormRoom
from tests.cli.tables import title
from tests.cli.test_screen_lan import Guestroom, scene
from tests.cli.test_ssh_guests import Guest, guest


@asynccontextmanager
async def let_in(host: Guestroom, name: str = "Gus") -> AsyncIterator[Guest]:
    """Somebody who comes by what the host's screen says."""
    command, fingerprint = host.lan._guests.way
    port = int(command.split()[2])
    async with guest(Invitation("127.0.0.1", port, fingerprint, lambda _name: False), name) as came:
        yield came


def test_a_guest_comes_to_the_table_of_the_lobby_plays_and_goes_with_the_door(tmp_path: Path) -> None:
    async def play(ada: Guestroom) -> None:
        ada.lan.open(Plan("rummy-no", title=title(), seats=2))
        ada.lan.let_guests_in(0)
        await ada.until(lambda: bool(ada.sitting.by_ssh))
        assert ada.screen.noted.endswith(ada.sitting.by_ssh)
        async with let_in(ada) as gus:
            await gus.sees("✓ by ssh")
            await ada.until(lambda: len(ada.sitting.seats) == 2)
            assert [(seat.name, seat.guest) for seat in ada.sitting.seats] == [("Ada", False), ("Gus", True)]
            assert ada.sitting.why == ""
            assert "by ssh" in ada.shown
            ada.lan.start()
            await gus.sees("d Draw")
            await ada.until(lambda: ada.screen.room is not ada.room)
            ada.lan._seats.leave_room()
            assert "The table was closed." in await gus.reads()
        assert ada.lan._guests.way == ("", "")

    scene(tmp_path, ("Ada",), play)


def test_the_door_is_shut_and_opened_again_and_follows_to_the_next_table(tmp_path: Path) -> None:
    async def play(ada: Guestroom) -> None:
        ada.lan.let_guests_in()
        assert ada.screen.noted == "Guests by ssh come to a table of your own: open one first (c)."
        name = title()
        ada.lan.command(f"host rummy-no --title '{name}' --seats 3 --ssh 0")
        await ada.until(lambda: bool(ada.sitting.by_ssh))
        assert ada.lan.errand is None
        assert ada.lan._guests.way[1].startswith("SHA256:")
        ada.lan.let_guests_in()
        assert ada.sitting.by_ssh == ""
        assert ada.screen.noted == "No guests are let in any more."
        await asyncio.sleep(0)
        ada.lan.let_guests_in(0)
        await ada.until(lambda: bool(ada.sitting.by_ssh))
        ada.lan._reopen(Plan("gin", title=name, seats=2, ssh=True))
        assert ada.sitting.by_ssh == ""
        await ada.until(lambda: bool(ada.sitting.by_ssh))
        async with let_in(ada) as gus:
            await gus.sees("Gus")
            await ada.until(lambda: len(ada.sitting.seats) == 2)
        ada.lan._reopen(Plan("gin", title=name, seats=2))
        assert not ada.lan._guests.is_open

    scene(tmp_path, ("Ada",), play)


def test_why_nobody_can_be_let_in_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play(ada: Guestroom) -> None:
        ada.lan.open(Plan("rummy-no", title=title(), seats=2))
        ada.lan.let_guests_in(70000)
        await ada.until(lambda: bool(ada.screen.noted))
        assert "70000 is not a port" in ada.screen.noted
        monkeypatch.setitem(sys.modules, "asyncssh", None)
        ada.screen.note("")
        ada.lan.let_guests_in()
        await ada.until(lambda: bool(ada.screen.noted))
        assert "pip install 'rummy-p2p[ssh]'" in ada.screen.noted
        assert ada.sitting.by_ssh == ""

    scene(tmp_path, ("Ada",), play)


def test_the_form_opens_a_table_with_its_door(tmp_path: Path) -> None:
    async def play(ada: Guestroom) -> None:
        ada.lan._guests.port = 0
        ada.lan.open(Plan("rummy-no", title=title(), seats=2, ssh=True))
        await ada.until(lambda: bool(ada.sitting.by_ssh))
        ada.lan.open(Plan("rummy-no", title=title(), seats=2, ssh=True))  # one table at a time: the door stays as it is
        assert ada.screen.noted.startswith("You sit at ")
        assert ada.lan._guests.is_open
        ada.lan.other_rules()
        assert isinstance(ada.screen.room, FormRoom)
        assert ada.screen.room._form.plan().ssh

    scene(tmp_path, ("Ada",), play)
