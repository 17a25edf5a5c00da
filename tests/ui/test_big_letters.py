"""Large letters: every letter that a join code can have, each another shape."""

from __future__ import annotations

from rummy_p2p.protocol import joincode
from rummy_p2p.ui.big_letters import WIDTH, big_lines
from rummy_p2p.ui.glyphs import ASCII, UNICODE


def test_every_letter_of_a_code_has_a_shape_of_its_own() -> None:
    shapes = {big_lines(letter, ASCII) for letter in joincode._ALPHABET}
    assert len(shapes) == len(joincode._ALPHABET) == 32
    assert all(len(shape) == 5 and any(shape) for shape in shapes)


def test_letters_stand_side_by_side() -> None:
    assert big_lines("7K", UNICODE) == ("▀▀▀▀█ █  ▄▀", "  ▄▀  █▀▀▄", "  ▀   ▀   ▀")
    assert big_lines("T", ASCII) == ("#####", "  #", "  #", "  #", "  #")
    assert max(map(len, big_lines("MWNQ", UNICODE))) == 4 * (WIDTH + 1) - 1
