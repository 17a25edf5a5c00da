"""The keys of a table that has not begun: the lobby and the table room have the same for the same act."""

from __future__ import annotations

import msgspec
import pytest

from rummy_p2p.ui.room import Key
from rummy_p2p.ui.sitting_keys import Stand, getting_up, going_on, showing_ways, voting
from tests.ui.lobby import SITTING, FakeLan, make_lobby
from tests.ui.seat import FakeSeat
from tests.ui.table import CLAIMED, facts_with, make_room

GUEST = msgspec.structs.replace(SITTING, mine=False)


def keys_of(stand: Stand) -> tuple[dict[str, str], list[str]]:
    """Return the label behind each name, and what has been done when every key was pressed once."""
    done: list[str] = []
    keys = going_on(stand, lambda: done.append("ready"), lambda: done.append("start"), lambda: done.append("again"))
    for key in keys:
        key.act()
    return {name: key.label for key in keys for name in key.keys}, done


@pytest.mark.parametrize(
    ("stand", "labels", "done"),
    [
        (Stand(opener=False), {"enter": "Ready"}, ["ready"]),
        (Stand(opener=False, ready=True), {"enter": "Not yet"}, ["ready"]),
        (Stand(opener=True, may_start=True), {"enter": "Start"}, ["start"]),
        (Stand(opener=False, again=True), {"y": "Rematch", "enter": "Rematch"}, ["again"]),
        (Stand(opener=False, again=True, ready=True), {"enter": "Not yet"}, ["ready"]),
        (Stand(opener=True, again=True), {"y": "Rematch", "enter": "Start"}, ["again", "start"]),
        (Stand(opener=True, again=True, ready=True, may_start=True), {"enter": "Start"}, ["start"]),
    ],
)
def test_enter_goes_on(stand: Stand, labels: dict[str, str], done: list[str]) -> None:
    assert keys_of(stand) == (labels, done)


@pytest.mark.parametrize("may", [True, False])
def test_to_start_is_lit_when_everybody_is_ready(may: bool) -> None:  # noqa: FBT001 -- both are looked at
    (key,) = going_on(Stand(opener=True, may_start=may), *[lambda: None] * 3)
    assert key.enabled is may


def test_what_else_every_such_table_has() -> None:
    keys = (getting_up(lambda: None), showing_ways(lambda: None, bar=True), voting(lambda: None))
    assert [(key.cap, key.label) for key in keys] == [("q", "Leave"), ("Q", "Code"), ("K", "Vote")]
    assert all(key.help for key in keys)


def acts(keys: tuple[Key, ...]) -> dict[str, tuple[tuple[str, ...], str]]:
    """Return by their labels the keys and the help of what both rooms have."""
    return {key.label: (key.keys, key.help) for key in keys if key.label in ("Ready", "Not yet", "Start", "Leave")}


def test_the_lobby_and_the_table_room_have_the_same_keys() -> None:
    pairs = (
        (GUEST, {"may_ready": True}),
        (msgspec.structs.replace(GUEST, ready=True), {"ready": True}),
        (SITTING, {"opener": True}),
    )
    for sitting, facts in pairs:
        _screen, room = make_lobby(FakeLan(seat=sitting))
        at_table = make_room(FakeSeat(rules=CLAIMED), facts=facts_with(forming=True, **facts))
        assert acts(room.keys()) == acts(tuple(at_table.keys()))
        assert len(acts(room.keys())) == 2
