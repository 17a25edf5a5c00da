"""A popup to choose one of many from."""

from __future__ import annotations

import pytest

from rummy_p2p.ui.lobby_choice import Chooser
from rummy_p2p.ui.room import Mouse
from rummy_p2p.ui.screen import Screen
from tests.ui.lobby import FakeLan, drawn, make_lobby, press


@pytest.fixture
def screen() -> Screen:
    return make_lobby(FakeLan())[0]


def open_with(screen: Screen, count: int) -> tuple[Chooser, list[int]]:
    chosen: list[int] = []

    def choosing(number: int) -> tuple[str, object]:
        return f"match {number:03}", lambda: chosen.append(number)

    choices = tuple(choosing(number) for number in range(count))
    room = Chooser(screen.below, screen.leave, "Replays", choices)  # type: ignore[arg-type]  # they are called
    screen.enter(room)
    return room, chosen


def test_one_of_many_is_chosen(screen: Screen) -> None:
    room, chosen = open_with(screen, 50)
    press(screen, "down", "down", "up", "pagedown")
    shown = "\n".join(drawn(room).rows())
    assert "▶ match 011" in shown
    assert room.cursor() is not None
    press(screen, "enter")
    assert chosen == [11]
    assert screen.room is not room


def test_the_ends_are_ends_and_back_is_no_choice(screen: Screen) -> None:
    room, chosen = open_with(screen, 3)
    press(screen, "up", "pageup", "pagedown", "down")
    assert "▶ match 002" in "\n".join(drawn(room).rows())
    press(screen, "escape")
    assert chosen == []


def test_the_mouse(screen: Screen) -> None:
    room, chosen = open_with(screen, 3)
    room.mouse(Mouse("wheel-down", None, 0, 0))
    room.mouse(Mouse("wheel-down", None, 0, 0))
    room.mouse(Mouse("wheel-up", None, 0, 0))
    room.mouse(Mouse("double", ("choice", 1), 0, 0))
    assert chosen == [1]
    room, chosen = open_with(screen, 3)
    room.mouse(Mouse("up", None, 0, 0))
    assert screen.room is not room
    assert chosen == []
