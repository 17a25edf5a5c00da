"""The doctor in its room, with a whole peer on the loopback interface."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from rummy_p2p.cli import screen_doctor
from rummy_p2p.ui.doctor_room import DoctorRoom
from tests.cli.test_screen_lan import PATIENCE, Guestroom, scene


async def through(room: DoctorRoom) -> None:
    """Wait until everything has been looked at."""
    news = asyncio.Event()
    room._examination.watch(news.set)
    async with asyncio.timeout(PATIENCE):
        while not room._examination.verdict:
            news.clear()
            await news.wait()


def opened(guest: Guestroom) -> DoctorRoom:
    room = guest.screen.room
    assert isinstance(room, DoctorRoom)
    return room


def test_it_finds_what_the_command_finds_and_looks_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screen_doctor, "LISTENS", 0.1)

    async def play(ada: Guestroom, bea: Guestroom) -> None:
        bea.lan.show("doctor")
        room = opened(bea)
        assert "Beginning" in bea.shown
        await through(room)
        remarks = room._examination.remarks
        assert [each.layer for each in remarks if each.mark == "fails"] == ["interface"]
        assert any("takes connections at 127.0.0.1" in each.detail for each in remarks)
        assert room._examination.verdict == "One thing does not work. Begin with: interface."
        room.typed(f"way {ada.peer.address}")
        await through(room)
        layers = [each.layer for each in room._examination.remarks]
        assert layers[-5:] == ["route", "tcp", "tls", "handshake", "rules"]
        assert "the way to rummy://127.0.0.1" in bea.shown
        room.typed("way nobody at all")
        await through(room)
        assert "neither an address nor a join code" in room._examination.remarks[-1].detail
        room.typed("back")
        assert bea.screen.room is bea.room

    scene(tmp_path, ("Ada", "Bea"), play)


def test_it_is_opened_by_a_line_and_can_be_left_in_the_middle(tmp_path: Path) -> None:
    async def play(ada: Guestroom) -> None:
        ada.lan.command("doctor 7KQM-29XR-4TDG")
        room = opened(ada)
        assert room._examination.whom == "7KQM-29XR-4TDG"
        await asyncio.sleep(0)
        room.typed("again")
        assert room._examination.runs
        room.typed("back")
        assert room._examination.verdict.startswith("Ended before")
        ada.lan.command("doctor --json")
        assert ada.lan.errand == ["doctor", "--json"]

    scene(tmp_path, ("Ada",), play)


def test_a_mistyped_code_is_its_last_word(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screen_doctor, "LISTENS", 0.1)

    async def play(ada: Guestroom) -> None:
        ada.lan.network.doctor("7KQM-29XR-4TDG")
        await through(opened(ada))
        assert "looks like a join code, but a letter" in opened(ada)._examination.verdict

    scene(tmp_path, ("Ada",), play)
