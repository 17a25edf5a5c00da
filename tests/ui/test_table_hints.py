"""A hint is thought of in a thread: no key waits for it, and it is told where it was asked for or not at all."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine

import pytest

from rummy_p2p.bots.hints import Hint, hint
from rummy_p2p.engine import View
from rummy_p2p.ui import table_hints
from rummy_p2p.ui.table_room import TableRoom
from tests.ui.table import CLAIMED, TableSeat, drawn, make_room, position


class Thought:
    """Stands in for the thinking: it goes on until it may end."""

    def __init__(self) -> None:
        self.asked: list[View] = []
        self.may_end = threading.Event()

    def __call__(self, view: View, seed: int) -> Hint | None:
        self.asked.append(view)
        assert self.may_end.wait(30)
        return hint(view, seed)


@pytest.fixture
def thought(monkeypatch: pytest.MonkeyPatch) -> Thought:
    slow = Thought()
    monkeypatch.setattr(table_hints, "hint", slow)
    return slow


def at_table(act: Callable[[TableRoom], Coroutine[object, object, None]]) -> TableRoom:
    """Do something at a table where it is the player's turn to throw a card."""

    async def run() -> TableRoom:
        seat = TableSeat(*position(CLAIMED, melds=((1, "4s 4h 4d"),), hand="7h 9s 2d Kc"))
        room = make_room(seat)
        await act(room)
        await asyncio.gather(*room.screen._tasks, return_exceptions=True)
        drawn(room)
        return room

    return asyncio.run(run())


def press(room: TableRoom, *names: str) -> None:
    for name in names:
        room.screen.press(name)
        drawn(room)


def test_a_hint_says_why_and_selects_the_cards() -> None:
    async def act(room: TableRoom) -> None:
        press(room, "H")
        assert (room.screen.noted, room.state.selected) == ("", [])

    room = at_table(act)
    assert room.screen.noted.startswith("Throw ")
    assert ": it would cost " in room.screen.noted
    assert len(room.state.selected) == 1
    assert room.state.zone == "hand"


def test_keys_act_while_it_is_thought_of(thought: Thought) -> None:
    async def act(room: TableRoom) -> None:
        press(room, "H", "s")
        assert room.state.fan.mode == "suit"
        thought.may_end.set()

    room = at_table(act)
    assert room.screen.noted.startswith("Throw ")
    assert len(room.state.selected) == 1


def test_a_hint_for_a_position_that_is_gone_is_dropped(thought: Thought) -> None:
    async def act(room: TableRoom) -> None:
        press(room, "H")
        room.play.do("discard Kc")
        thought.may_end.set()

    room = at_table(act)
    assert len(thought.asked) == 1
    assert (room.screen.noted, room.state.selected) == ("", [])


def test_in_a_new_position_it_can_be_asked_for_again_at_once(thought: Thought) -> None:
    async def act(room: TableRoom) -> None:
        press(room, "H")
        room.play.do("meld 7h 7d 7c")  # refused: the position is the same
        room.play.do("discard Kc")
        press(room, "H")
        thought.may_end.set()

    room = at_table(act)
    assert [len(view.hand) for view in thought.asked] == [4, 3]
    assert room.screen.noted == "There is nothing for you to do just now."


def test_asked_for_twice_it_is_thought_of_once(thought: Thought) -> None:
    async def act(room: TableRoom) -> None:
        press(room, "H", "H")
        thought.may_end.set()

    room = at_table(act)
    assert len(thought.asked) == 1
    assert room.screen.noted.startswith("Throw ")


def test_it_can_be_asked_for_again_once_it_was_told(thought: Thought) -> None:
    async def act(room: TableRoom) -> None:
        thought.may_end.set()
        press(room, "H")
        await asyncio.gather(*room.screen._tasks)
        press(room, "H")

    room = at_table(act)
    assert len(thought.asked) == 2
    assert room.screen.noted.startswith("Throw ")


def test_what_was_selected_meanwhile_is_left_alone(thought: Thought) -> None:
    async def act(room: TableRoom) -> None:
        press(room, "H", "home", "space")
        thought.may_end.set()

    room = at_table(act)
    view = room.seat.view()
    assert view is not None
    assert room.screen.noted.startswith("Throw ")
    assert [room.state.focused(view)] == room.state.selected == [room.state.loose(view)[0]]


def test_nothing_is_told_when_the_table_was_left(thought: Thought) -> None:
    async def act(room: TableRoom) -> None:
        press(room, "H")
        await asyncio.sleep(0)
        room.put_away()
        thought.may_end.set()

    assert at_table(act).screen.noted == ""


def test_what_fails_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_view: View, _seed: int) -> None:
        raise ZeroDivisionError("no")

    async def act(room: TableRoom) -> None:
        monkeypatch.setattr(table_hints, "hint", fail)
        press(room, "H")
        await asyncio.gather(*room.screen._tasks)
        assert "ZeroDivisionError" in room.screen.noted
        monkeypatch.setattr(table_hints, "hint", hint)
        press(room, "H")

    assert at_table(act).screen.noted.startswith("Throw ")
