"""The lobby before the network is up: it shows who is here, and what is asked for is asked again when it is."""

from __future__ import annotations

from dataclasses import replace

from rummy_p2p.cli.screen_first import ComingLan
from rummy_p2p.ui.form import Form
from rummy_p2p.ui.lobby_model import Looking, Person
from rummy_p2p.ui.lobby_room import LobbyRoom
from tests.ui.lobby import GAMES, FakeLan, drawn, make_screen, press


def opened() -> tuple[ComingLan, LobbyRoom]:
    screen = make_screen()
    coming = ComingLan(screen, "Ada", "/home/ada")
    room = LobbyRoom(screen, coming, Form(GAMES, ("normal",)))
    screen.enter(room)
    return coming, room


def test_the_player_is_shown_alone() -> None:
    coming, room = opened()
    assert "Ada @ " in drawn(room).rows()[0]
    assert coming.people() == (Person("Ada", me=True),)
    assert (coming.tables(), coming.unfinished(), coming.sitting()) == ((), (), None)
    assert coming.looking() == Looking(("...",))
    assert not any("firewall" in row or "no network interface" in row for row in drawn(room).rows())
    assert (coming.profile().nick, coming.profile().folder) == ("Ada", "/home/ada")


def test_what_was_asked_for_is_asked_of_the_network() -> None:
    coming, room = opened()
    plan = room.form.plan()
    coming.open(plan)
    coming.join("Friday LAN")
    coming.invite("be" * 32)
    coming.look_on("2")
    coming.resume("ab" * 32)
    coming.practice(plan)
    coming.one_screen(plan)
    coming.command("games")
    coming.show("rules", "gin", ())
    lan = FakeLan()
    coming.hand_over(lan)
    assert [asked[0] for asked in lan.asked] == [
        "open", "join", "invite", "look-on", "resume", "practice", "one_screen", "command", "show",
    ]  # fmt: skip


def test_a_form_that_was_opened_before_the_network_was_up_opens_its_table() -> None:
    coming, room = opened()
    screen = room._screen
    press(screen, "n")
    lan = FakeLan()
    room.meet(lan)
    coming.hand_over(lan)
    press(screen, "c")
    assert lan.asked == [("open", room.form.plan())]


def test_what_needs_a_table_is_forgotten() -> None:
    coming, _ = opened()
    coming.ready()
    coming.start()
    coming.say("hello")
    coming.leave()
    lan = FakeLan()
    coming.hand_over(lan)
    assert lan.asked == []


def test_the_room_goes_over_to_the_network() -> None:
    _, room = opened()
    lan = replace(FakeLan(), nick="Bea")
    room.meet(lan)
    assert "Bea @ fjord" in drawn(room).rows()[0]
    assert len(lan.watchers) == 1
    room.close()
    assert lan.watchers == []


def test_one_can_leave_before_the_network_is_there() -> None:
    screen = make_screen()
    room = LobbyRoom(screen, ComingLan(screen, "Ada", ""), Form(GAMES, ("normal",)))
    screen.enter(room)
    press(screen, "q")
    assert screen.room is None
