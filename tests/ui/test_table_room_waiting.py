"""The table room between its events: who is gone and how long, how far a deck has come, that its work ends with it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from functools import partial

from rummy_p2p.sentences.screen import Making, Said, Waited
from rummy_p2p.ui.console import Command
from rummy_p2p.ui.table_room import TableRoom
from rummy_p2p.ui.table_waiting import Gone
from tests.ui.seat import FakeSeat
from tests.ui.table import Clock, TableSeat, drawn, facts_with, make_room, make_screen, position, text_of
from variants_plugins.rummy_no import RULES as NORWEGIAN


def test_who_is_gone_has_a_clock_until_it_is_back() -> None:
    clock = Clock()
    room = make_room(TableSeat(*position(turn=1)), clock=clock)
    room.facts = lambda: facts_with(missing=("Bea",), away=("Cem",), why="Bea cannot be reached.")
    room.look()
    clock.now = 62.0
    assert room.gone() == (Gone("Bea", 62.0), Gone("Cem", 62.0))
    text = text_of(room)
    assert "Bea has been gone for 1:02." in text
    assert "Cem has been gone" not in text  # nobody waits for it
    assert text.count("gone 1:02") == 2
    room.facts = lambda: facts_with(missing=(), away=("Cem",))
    room.look()
    clock.now = 70.0
    assert room.gone() == (Gone("Cem", 70.0),)
    assert "THE TABLE WAITS" not in text_of(room)


def test_a_table_that_is_closed_waits_for_nobody() -> None:
    room = make_room(TableSeat(*position(turn=1)))
    room.facts = lambda: facts_with(missing=("Bea",), why="Bea cannot be reached.", making=Making("audit", 0, 1))
    assert "THE TABLE WAITS" in text_of(room)
    room.state.closed = True
    assert "THE TABLE WAITS" not in text_of(room)
    assert "The table is closed: Enter leaves." in text_of(room)
    assert room.gone() == ()


def test_it_is_drawn_anew_only_when_something_has_changed() -> None:
    room = make_room(FakeSeat(rules=NORWEGIAN))
    calls: list[str] = []
    room.screen.redraw = lambda: calls.append("redraw")  # type: ignore[method-assign]  # to count
    for done, wanted in ((0, 1), (0, 1), (1, 2), (1, 2), (2, 3)):
        facts = facts_with(making=Making("shuffle", done, 2))
        room.facts = lambda facts=facts: facts  # type: ignore[misc]  # as it is now
        room.look()
        assert len(calls) == wanted
    assert "A new deck" in text_of(room)


def test_the_info_page_tells_who_could_look_and_who_is_gone() -> None:
    room = make_room(TableSeat(*position(turn=1)), facts=facts_with(deal="blind", could_look=(3, 4), away=("Cem",)))
    room.screen.press("i")
    text = "\n".join(drawn(room.screen.room, (120, 38)).rows())  # type: ignore[arg-type]  # a page is there
    assert "3 of 4 programs would have to work together" in text
    assert "Cem has been gone for 0:00." in text


def test_the_work_of_a_room_ends_with_it_and_its_owner_is_told() -> None:
    async def scene() -> None:
        told: list[str] = []
        left, closed = (make_room(TableSeat(*position())) for _ in range(2))
        for room, name in ((left, "left"), (closed, "closed")):
            room.begin()
            room.when_over(partial(told.append, name))
        left.end()
        seat = closed.seat
        assert isinstance(seat, TableSeat)
        seat.say(None)
        async with asyncio.timeout(10):
            await asyncio.wait([task for task in asyncio.all_tasks() if task.get_name().startswith("table")])
        await asyncio.sleep(0)
        assert sorted(told) == ["closed", "left"]
        assert closed.state.closed

    asyncio.run(scene())


def test_who_comes_back_to_a_hand_sees_the_cards_before_anything_happens() -> None:
    async def scene() -> None:
        room = TableRoom(make_screen(), TableSeat(*position()), facts=facts_with)
        room.screen.enter(room)
        room.begin()
        view = room.seat.view()
        assert view is not None
        assert sorted(room.state.fan.slots) == sorted(view.state.hands[view.seat])
        room.end()

    asyncio.run(scene())


def test_a_table_that_waits_calls_nobody_to_move() -> None:
    room = make_room(TableSeat(*position()))
    assert "YOUR TURN" in text_of(room)
    assert room.title().startswith("(!)")
    room.facts = lambda: facts_with(missing=("Bea",), why="Too few players can be reached.")
    assert "YOUR TURN" not in text_of(room)
    assert "waiting for Bea" in text_of(room)
    assert room.title() == "rummy-p2p"


def test_a_pause_that_comes_again_is_told_once() -> None:
    room = make_room(TableSeat(*position(turn=1)))
    for _ in range(3):
        room.hear(Waited("Bea cannot be reached."))
        room.hear(Said("Ada: hm", name="Ada"))
        room.hear(Waited("The table goes on."))
    assert list(room.state.log) == ["Bea cannot be reached.", "The table goes on."]
    assert [text for name, text in room.state.heard() if not name] == list(room.state.log)


def test_to_leave_a_match_is_to_give_up_the_seat_or_to_suspend() -> None:
    seat = Suspending(*position())
    room = make_room(seat)
    room.ask_to_leave()
    text = text_of(room.screen.room)  # type: ignore[arg-type]  # the question is there
    assert "Suspend keeps your seat and your cards" in text
    assert "[y Leave] [s Suspend] [n Stay]" in text
    room.screen.press("s")
    assert seat.suspended
    room.facts = lambda: facts_with(forming=True)
    room.ask_to_leave()
    assert "Suspend" not in text_of(room.screen.room)  # type: ignore[arg-type]  # the question is there


class Suspending(TableSeat):
    """A seat that can be kept."""

    suspended = False

    def commands(self) -> Mapping[str, tuple[str, Command]]:
        return {**super().commands(), "suspend": ("go away and come back later", self._suspend)}

    def _suspend(self, _text: str) -> None:
        self.suspended = True
