"""The rules to read: the sheet with what differs first, from heading to heading, and the way back."""

from __future__ import annotations

import pytest

from rummy_p2p.ruleset import differences
from rummy_p2p.ui.canvas import Canvas
from rummy_p2p.ui.glyphs import ASCII, UNICODE
from rummy_p2p.ui.room import Key, Mouse
from rummy_p2p.ui.rules_room import RulesRoom
from tests.cases.positions import CATALOGUE
from tests.ui.lobby import SIZES, check_golden, drawn

STANDARD = CATALOGUE.compile("rummy-sv")
HOUSE = CATALOGUE.compile("rummy-sv", ["limit=100", "take-all"])


def key_of(room: RulesRoom, name: str) -> Key:
    keys = room.keys()
    return next(key for key in keys if name in key.keys)


class Reading:
    """The room, and how often it was left."""

    def __init__(self, *, house: bool = True) -> None:
        self.left = 0
        rules = HOUSE if house else STANDARD
        self.room = RulesRoom(self._leave, rules, differences(STANDARD, rules))

    def _leave(self) -> None:
        self.left += 1

    def press(self, *names: str) -> None:
        for name in names:
            key_of(self.room, name).act()

    def rows(self) -> tuple[str, ...]:
        return drawn(self.room).rows()


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1] + 2}")
def test_it_looks_as_it_did(size: tuple[int, int]) -> None:
    check_golden(f"rules-{size[0]}x{size[1] + 2}", drawn(Reading().room, size))


def test_in_ascii_it_looks_as_it_did() -> None:
    canvas = drawn(Reading().room, ascii_only=True)
    assert all(row.isascii() for row in canvas.rows())
    check_golden("rules-80x24-ascii", canvas)


def test_what_differs_comes_first_and_can_stand_alone() -> None:
    reading = Reading()
    assert reading.rows()[2].strip() == "What differs here"
    assert any("Players and deck" in row for row in reading.rows())
    reading.press("end", "d")
    assert reading.rows()[2].strip() == "What differs here"
    assert not any("Players and deck" in row for row in reading.rows())
    reading.press("d")
    assert any("Players and deck" in row for row in reading.rows())


def test_without_house_rules_nothing_differs() -> None:
    reading = Reading(house=False)
    assert reading.rows()[2].strip() == "Players and deck"
    key = key_of(reading.room, "d")
    assert not key.enabled
    key.act()
    assert reading.rows()[2].strip() == "Players and deck"


def test_headings_are_reached_by_keys_and_by_typing() -> None:
    reading = Reading()
    reading.rows()
    reading.press("n")
    assert reading.rows()[2].strip() == "Players and deck"
    reading.press("n", "p")
    assert reading.rows()[2].strip() == "Players and deck"
    reading.room.typed("aim")
    assert reading.rows()[2].strip() == "Aim"
    reading.room.typed("nothing of the kind")
    assert reading.rows()[2].strip() == "Aim"
    assert "Aim" in reading.room.complete("a")


def test_the_wheel_scrolls_and_escape_leaves() -> None:
    reading = Reading()
    before = reading.rows()
    reading.room.mouse(Mouse("wheel-down", None, 5, 5))
    assert reading.rows()[2] == before[5]
    for name in ("escape", "q", "enter"):
        reading.press(name)
    assert reading.left == 3


def test_the_cursor_is_where_reading_begins_and_the_title_names_the_game() -> None:
    reading = Reading()
    assert reading.room.cursor() == (2, 2)
    assert reading.room.title() == "Rules: Swedish rummy"
    keys = reading.room.keys()
    assert all(key.help for key in keys)


@pytest.mark.parametrize("game", ["rummy-no", "rummi-tr", "rum-500-ro", "contract-no", "gin"])
@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
def test_every_game_can_be_read_to_its_end(game: str, glyphs: object) -> None:
    room = RulesRoom(lambda: None, CATALOGUE.compile(game))
    canvas = Canvas(80, 22, glyphs)  # type: ignore[arg-type]  # one of the two
    room.draw(canvas)
    key_of(room, "end").act()
    again = Canvas(80, 22, glyphs)  # type: ignore[arg-type]  # as above
    room.draw(again)
    assert again.rows() != canvas.rows()
