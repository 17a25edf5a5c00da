"""A vote by choosing: about whom, then what."""

from __future__ import annotations

from rummy_p2p.ui.lobby_choice import Chooser
from rummy_p2p.ui.screen import Screen
from rummy_p2p.ui.votes import ask_vote
from tests.ui.lobby import SITTING, FakeLan, drawn, make_lobby, press


def lobby() -> tuple[FakeLan, Screen]:
    lan = FakeLan(seat=SITTING)
    screen, _room = make_lobby(lan)
    return lan, screen


def test_about_whom_then_what() -> None:
    lan, screen = lobby()
    press(screen, "K")
    assert isinstance(screen.room, Chooser)
    assert "Cem" in "\n".join(drawn(screen.room).rows())
    press(screen, "down", "enter")
    assert isinstance(screen.room, Chooser)
    assert "Vote about Cem" in "\n".join(drawn(screen.room).rows())
    press(screen, "down", "down", "enter")
    assert lan.asked == [("vote", "not kick Cem")]


def test_of_two_the_other_is_meant() -> None:
    lan, screen = lobby()
    ask_vote(screen, ["Bea"], lan.vote)
    press(screen, "enter")
    assert lan.asked == [("vote", "kick Bea")]


def test_alone_there_is_nobody() -> None:
    lan, screen = lobby()
    ask_vote(screen, [], lan.vote)
    assert screen.noted == "There is nobody else at the table about whom one could vote."


def test_it_can_be_typed() -> None:
    lan, screen = lobby()
    room = screen.room
    assert room is not None
    room.typed("vote mute Bea")
    assert lan.asked == [("vote", "mute Bea")]
