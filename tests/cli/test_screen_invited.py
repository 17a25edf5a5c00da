"""Invitations from one lobby to another: asked, answered, kept for later; and another table in place of the last."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from prompt_toolkit.application.current import set_app

from rummy_p2p.bots import LEVELS
from rummy_p2p.cli.screen_invited import QUIET_MINUTES
from rummy_p2p.cli.screen_table import LobbyTable
from rummy_p2p.node.players import BotPlayer
from rummy_p2p.people import People
from rummy_p2p.protocol.events import MatchOver
from rummy_p2p.protocol.forming import Guest, Phase
from rummy_p2p.protocol.settings import Settings
from rummy_p2p.ui.form import AUTO, Plan
from rummy_p2p.ui.form_room import FormRoom
from rummy_p2p.ui.invited import Unexpected
from rummy_p2p.ui.lobby_choice import Chooser
from rummy_p2p.ui.lobby_model import Person
from rummy_p2p.ui.popup import Page
from tests.cli.tables import title
from tests.cli.test_screen_lan import Guestroom, joined, scene
from tests.node.party import RULES, address_of, until

WORDS = "kestrel amber lantern"


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rummy_p2p.ui.invited.SETTLE", 0.0)
    monkeypatch.setattr("rummy_p2p.cli.screen_invited.LOOK_AGAIN", 0.02)


async def invite(one: Guestroom, other: Guestroom) -> None:
    """One invites the other, whose program was met before."""
    one.peer._places._dialled[other.peer.identity.player_id] = address_of(other.peer)
    one.lan.invite(other.peer.identity.player_id.hex())
    await one.until(lambda: not one.lan.busy)


async def seen(guest: Guestroom, holds: Callable[[], bool]) -> None:
    """Wait until something holds that nobody is told of: what room lies on top, what has been heard by now."""
    again = asyncio.Event()
    stop = guest.screen.every(0.02, again.set)
    try:
        async with asyncio.timeout(20):
            while not holds():
                again.clear()
                await again.wait()
    finally:
        stop()


async def asked(guest: Guestroom) -> str:
    """The question, with its answers, as soon as it is put."""
    await seen(guest, lambda: isinstance(guest.screen.room, Unexpected))
    question = guest.screen.room
    assert isinstance(question, Unexpected)
    keys = question.keys()
    return " ".join((question._question, *(key.label for key in keys)))


def answer(guest: Guestroom, key: str) -> None:
    next(each for each in guest.screen._keys() if key in each.keys).act()


def test_who_says_yes_sits_down_and_who_says_no_does_not(tmp_path: Path) -> None:
    async def play(ada: Guestroom, bea: Guestroom) -> None:
        ada.lan.open(Plan("rummy-no", ("take-all",), "Friday", seats=2))
        await invite(ada, bea)
        assert "has been asked, and sits down if the answer is yes." in ada.screen.noted
        assert "Ada invites you to Friday: Norwegian rummy + Take all. Join?" in await asked(bea)
        answer(bea, "n")
        assert bea.screen.room is bea.room
        assert bea.lan.sitting() is None
        await ada.until(lambda: ada.sitting.said[-1:] == ("Bea says no.",))
        assert ada.screen.noted == "Bea says no."
        await invite(ada, bea)
        await asked(bea)
        answer(bea, "y")
        await bea.until(lambda: bea.lan.sitting() is not None)
        assert bea.sitting.title == "Friday"

    scene(tmp_path, ("Ada", "Bea"), play)


def test_a_player_can_be_kept_quiet_and_a_blocked_one_is(tmp_path: Path) -> None:
    async def play(ada: Guestroom, bea: Guestroom) -> None:
        ada.lan.open(Plan("rummy-no", title=title(), seats=2))
        await invite(ada, bea)
        assert f"Nothing from Ada for {QUIET_MINUTES} minutes" in await asked(bea)
        answer(bea, "m")
        await ada.until(lambda: ada.screen.noted == "Bea says no.")
        await invite(ada, bea)
        await until(lambda: not bea.peer._links, bea.peer)
        assert bea.screen.room is bea.room
        bea.peer.invitations.patience.not_before(ada.peer.identity.player_id, 0)
        People(bea.files.paths).meet("Ada", bytes(32), 1)  # another key of that name is known
        await invite(ada, bea)
        await until(lambda: "is known here with another key" in bea.screen.noted, bea.peer)
        assert bea.screen.room is bea.room

    scene(tmp_path, ("Ada", "Bea"), play)


def test_nobody_is_asked_in_the_middle_of_a_line_and_the_last_table_is_left(tmp_path: Path) -> None:
    async def play(ada: Guestroom, bea: Guestroom) -> None:
        name, other = title(), title()
        ada.lan.open_table(RULES, Settings(name, 2, password=WORDS), Guest("Ada"), "normal")
        bea.lan.open(Plan("rummy-no", title=other, seats=2))
        with set_app(bea.screen.app):
            bea.screen.open_line("say>")
            await invite(ada, bea)
            await until(lambda: bool(bea.lan._invitees._waiting), bea.peer)
            assert bea.screen.room is bea.room
            bea.screen.line.close()
            assert f"You will leave {other} for it." in await asked(bea)
            assert "password" not in await asked(bea)  # the creator lets in whom it invites
            answer(bea, "y")
            await bea.until(lambda: bea.lan.sitting() is not None and bea.sitting.title == name)

    scene(tmp_path, ("Ada", "Bea"), play)


def test_a_guest_of_a_closed_table_invites_and_the_password_is_asked_for(tmp_path: Path) -> None:
    async def play(ada: Guestroom, bea: Guestroom, cem: Guestroom) -> None:
        ada.lan.open_table(RULES, Settings(title(), 3, password=WORDS), Guest("Ada"), "normal")
        with set_app(cem.screen.app):
            await bea.lan.going._join(ada.peer.address, WORDS)
            await invite(bea, cem)
            assert "You will be asked for its password then." in await asked(cem)
            answer(cem, "y")
            await cem.until(lambda: cem.screen.line.is_open)
            cem.screen._entered(WORDS, cem.screen.line._send)
            await cem.until(lambda: cem.lan.sitting() is not None)

    scene(tmp_path, ("Ada", "Bea", "Cem"), play)


def test_a_table_that_is_gone_or_another_one_is_not_sat_down_at(tmp_path: Path) -> None:
    async def play(ada: Guestroom, bea: Guestroom) -> None:
        ada.lan.open(Plan("rummy-no", title="First", seats=2))
        await invite(ada, bea)
        await asked(bea)
        ada.lan.leave()
        ada.lan.open(Plan("rummy-no", title="Second", seats=2))
        answer(bea, "y")
        await bea.until(lambda: not bea.lan.busy)
        assert bea.screen.noted == "The table First is not open there any more."
        assert bea.lan.sitting() is None

    scene(tmp_path, ("Ada", "Bea"), play)


async def playing(ada: Guestroom, bea: Guestroom) -> LobbyTable:
    """Both sit at a table of two, and its match has begun."""
    await joined(ada, bea)
    return await begun(ada, bea)


async def begun(ada: Guestroom, bea: Guestroom) -> LobbyTable:
    bea.lan.ready()
    await ada.until(lambda: not ada.sitting.why)
    ada.lan.start()
    for guest in (ada, bea):
        await guest.until(lambda guest=guest: isinstance(guest.screen.room, LobbyTable))  # type: ignore[misc]  # bound at once
    room = ada.screen.room
    assert isinstance(room, LobbyTable)
    return room


def test_who_plays_is_told_and_asked_after_the_match(tmp_path: Path) -> None:
    async def play(ada: Guestroom, bea: Guestroom, cem: Guestroom) -> None:
        await playing(ada, bea)
        cem.lan.open(Plan("gin", title="Corner", seats=2))
        await invite(cem, bea)
        await until(lambda: bool(bea.lan._invitees._waiting), bea.peer)
        assert bea.screen.noted == "Cem invites you to Corner: Gin rummy. You will be asked after this match."
        assert isinstance(bea.screen.room, LobbyTable)
        bea.screen.room.end()
        assert "Cem invites you to Corner" in await asked(bea)

    scene(tmp_path, ("Ada", "Bea", "Cem"), play)


def test_another_table_in_place_of_the_last_one(tmp_path: Path) -> None:
    async def play(ada: Guestroom, bea: Guestroom) -> None:
        ada.lan.open(Plan("rummy-no", title="First", seats=2, hands=1, wish="always"))
        bea.lan.join(ada.peer.address)
        await bea.until(lambda: bea.lan.sitting() is not None)
        table = await rematch(ada, bea)
        table.keyboard.change()[0].act()
        form = ada.screen.room
        assert isinstance(form, FormRoom)
        assert form._form.plan() == Plan("rummy-no", (), "First", 2, hands=1, wish="always")
        assert not {"p", "o"} & {key.keys[0] for key in ada.screen._keys()}
        form.typed("game gin")
        form.typed(f"password {AUTO}")
        answer(ada, "c")
        assert (ada.screen.room, ada.sitting.game) == (ada.room, "gin")
        assert "Ada invites you to First: Gin rummy. Join?" in await asked(bea)
        answer(bea, "y")
        await bea.until(lambda: bea.lan.sitting() is not None and bea.sitting.game == "gin")
        assert bea.screen.room is bea.room
        await ada.until(lambda: len(ada.sitting.seats) == 2)

    scene(tmp_path, ("Ada", "Bea"), play)


async def rematch(ada: Guestroom, bea: Guestroom) -> LobbyTable:
    """Play a match of one hand, both by bots, and be at the table after it."""
    over = asyncio.Event()
    ada.peer.listen(lambda event: over.set() if isinstance(event, MatchOver) else None)
    room = await begun(ada, bea)
    for guest in (ada, bea):
        guest.lan._seats._dismiss()
        guest.lan._seats._bots = BotPlayer(guest.peer, LEVELS["normal"], 7, everything=True)
    async with asyncio.timeout(40):
        await over.wait()
    session = ada.peer.session
    assert session is not None
    await until(lambda: session.phase is Phase.OPEN, ada.peer)
    await seen(ada, lambda: room.facts().may_change)
    return room


def test_at_the_table_somebody_is_chosen_or_how_others_join_is_shown(tmp_path: Path) -> None:
    async def play(ada: Guestroom, bea: Guestroom) -> None:
        room = await playing(ada, bea)
        room.invite()  # in a match nobody can sit down
        assert isinstance(ada.screen.room, Page)
        ada.screen.leave()
        facts = msgspec.structs.replace(room.facts(), forming=True, free=1)
        room.facts, invited = (lambda: facts), list[str]()
        room.invites.present = lambda: (Person("Ada", me=True), Person("Cem", id="ce" * 32))
        room.invites.ask_in = invited.append
        room.invite()
        assert isinstance(ada.screen.room, Chooser)
        answer(ada, "enter")
        assert invited == ["ce" * 32]
        room.invite()
        answer(ada, "down")
        answer(ada, "enter")
        assert isinstance(ada.screen.room, Page)

    scene(tmp_path, ("Ada", "Bea"), play)
