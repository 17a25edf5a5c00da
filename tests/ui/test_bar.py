"""The help bar shows help and the way out at any width; the page of keys has a line for what a key does."""

from __future__ import annotations

import pytest

from rummy_p2p.sentences.language import LANGUAGES, use_language
from rummy_p2p.ui.bar import bar_keys, draw_bar, help_lines
from rummy_p2p.ui.canvas import Canvas
from rummy_p2p.ui.glyphs import UNICODE
from rummy_p2p.ui.room import Key
from tests.ui.lobby import SITTING, FakeLan, make_lobby, press


def nothing() -> None:
    """Do nothing."""


def key(name: str, label: str, **more: object) -> Key:
    return Key((name,), label, nothing, **more)  # type: ignore[arg-type]  # fields of a key


@pytest.mark.parametrize("room", ["lobby", "at a table", "form", "settings page"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_at_80_columns_help_and_the_way_out_are_there_in_every_language(language: str, room: str) -> None:
    use_language(language)
    try:
        screen, _room = make_lobby(FakeLan(seat=SITTING if room == "at a table" else None))
        press(screen, *{"form": "n", "settings page": "i"}.get(room, ""))
        shown = bar_keys(screen._keys(), 80)
        assert {"?", "f1"} & {name for each in shown for name in each.keys}
        assert {"q", "escape"} & {name for each in shown for name in each.keys}
        canvas = Canvas(80, 1, UNICODE)
        draw_bar(canvas, screen._keys())
        assert all(f"{each.cap} {each.label}" in canvas.rows()[0] for each in shown)
    finally:
        use_language("en")


def test_the_bar_leaves_out_what_has_no_room_before_the_way_out() -> None:
    keys = [key("a", "A long one"), key("b", "Another"), key("c", "C", bar=False), key("q", "Quit"), key("?", "Help")]
    assert [each.keys[0] for each in bar_keys(keys, 100)] == ["?", "a", "b", "q"]
    assert [each.keys[0] for each in bar_keys(keys, 26)] == ["?", "a", "q"]
    assert [each.keys[0] for each in bar_keys(keys, 24)] == ["?", "b", "q"]
    assert [each.keys[0] for each in bar_keys(keys, 5)] == ["?", "q"]


def test_keys_that_do_the_same_are_one_line_of_help() -> None:
    votes = [key(str(n), "", help="how fun it is") for n in range(1, 6)]
    keys = [Key(("down", "j"), "", nothing, help="choose"), *votes, key("x", ""), key("y", "Yes"), key("z", "Yes")]
    assert help_lines(keys) == [
        "Down j            choose",
        "1-5               how fun it is",
        "y                 Yes",
        "z                 Yes",
    ]
    assert help_lines([key("1", "", help="go"), key("3", "", help="go"), key("4", "", help="go")]) == [
        "1 3 4             go"
    ]
