"""Every glyph fills exactly one cell, in Unicode and in ASCII; faces are what stands on the cards."""

from __future__ import annotations

import pytest
from prompt_toolkit.utils import get_cwidth

from rummy_p2p.cards import Card, pack
from rummy_p2p.ui.glyphs import ASCII, UNICODE, Glyphs


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
def test_every_glyph_is_one_cell(glyphs: Glyphs) -> None:
    assert [glyph for glyph in glyphs.singles() if len(glyph) != 1 or get_cwidth(glyph) != 1] == []


def test_plain_glyphs_are_ascii() -> None:
    assert all(glyph.isascii() for glyph in (*ASCII.singles(), *(ASCII.face(card) for card in pack(1, 1))))


def test_faces() -> None:
    assert UNICODE.face(Card.parse("10h")) == "10♥"
    assert UNICODE.face(Card.parse("10h"), narrow=True) == "T♥"
    assert ASCII.face(Card.parse("7h'")) == "7h"
    assert UNICODE.face(Card.parse("JK")) == "JK*"
    assert UNICODE.face(Card.parse("JK"), narrow=True) == "JK"
    assert UNICODE.with_ranks("E", "Kn", "D", "K").face(Card.parse("Js")) == "Kn♠"


@pytest.mark.parametrize("narrow", [True, False])
def test_a_face_fits_its_card(*, narrow: bool) -> None:
    width = 2 if narrow else 3
    assert all(get_cwidth(face) <= width for card in pack(1, 1) for face in [UNICODE.face(card, narrow=narrow)])
