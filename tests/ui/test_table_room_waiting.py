"""The table room between its events: who is gone and how long, how far a deck has come, that its work ends with it."""

from __future__ import annotations

import asyncio
from functools import partial

from rummy_p2p.sentences.screen import Making
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
