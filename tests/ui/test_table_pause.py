"""A pause that all agree to, and other rules for a rematch: the keys, and what the banner says."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from rummy_p2p.engine import events as ev
from rummy_p2p.sentences.screen import TableFacts
from rummy_p2p.ui.room import Key
from rummy_p2p.ui.score_room import ScoreRoom
from rummy_p2p.ui.table_room import TableRoom
from tests.ui.table import FACTS, TableSeat, facts_with, make_room, position, text_of


class PausingSeat(TableSeat):
    """A seat at a table that can pause."""

    def commands(self) -> Mapping[str, tuple[str, Callable[[str], None]]]:
        words = ("pause", "continue", "rematch")
        return {word: (word, lambda _rest, word=word: self.called.append(word)) for word in words}  # type: ignore[misc]  # bound


def room_with(facts: TableFacts) -> TableRoom:
    return make_room(PausingSeat(*position()), facts=facts)


def key_of(room: TableRoom | ScoreRoom, name: str) -> Key | None:
    keys = room.keys()
    return next((key for key in keys if name in key.keys), None)


@pytest.mark.parametrize(
    ("facts", "label", "word", "shown"),
    [
        (FACTS, "Pause", "pause", ""),
        (facts_with(wants_pause=("Bea",)), "Agree to a pause", "pause", "pause wanted: Bea"),
        (facts_with(wants_pause=("Ada",), resting=True), "No pause", "continue", "pause wanted: Ada"),
        (
            facts_with(resting=True, agreed=True, why="You have agreed on a pause."),
            "Go on",
            "continue",
            "You have all agreed on a pause: P goes on.",
        ),
    ],
)
def test_p_asks_agrees_and_ends(facts: TableFacts, label: str, word: str, shown: str) -> None:
    room = room_with(facts)
    key = key_of(room, "P")
    assert key is not None
    assert (key.label, key.bar, bool(key.help)) == (label, facts is not FACTS, True)
    assert shown in text_of(room)
    key.act()
    assert isinstance(room.seat, PausingSeat)
    assert room.seat.called == [word]


def test_there_is_no_pause_where_the_table_has_none() -> None:
    assert key_of(make_room(TableSeat(*position())), "P") is None
    assert key_of(room_with(facts_with(forming=True)), "P") is None


def test_a_score_can_be_paused_over_and_followed_by_other_rules() -> None:
    room = room_with(facts_with(forming=True, may_change=True, may_rematch=True))
    chosen: list[str] = []
    assert key_of(room, "o") is None
    room.other_rules = lambda: chosen.append("other rules")
    room.hear(ev.Scored((0, 12, 3, 4), ((), (), (), ()), 0))
    score = room.screen.room
    assert isinstance(score, ScoreRoom)
    assert "[o Other rules]" in text_of(score)
    for shown in (score, room):
        key = key_of(shown, "o")
        assert key is not None
        key.act()
    assert chosen == ["other rules"] * 2
    assert key_of(room_with(facts_with(forming=True, may_rematch=True)), "o") is None
