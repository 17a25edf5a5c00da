"""The sheet of cells: clipping, wide characters, windows, targets, and no terminal codes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rummy_p2p.ui.canvas import Canvas, cut, text_width, wrap
from rummy_p2p.ui.glyphs import ASCII, UNICODE


def sheet(width: int = 10, height: int = 3) -> Canvas:
    return Canvas(width, height, UNICODE)


def test_text_is_put_and_the_place_behind_it_returned() -> None:
    canvas = sheet()
    assert canvas.put(2, 1, "7♥", "suit-h", ("slot", 4)) == 4
    assert canvas.rows() == ("", "  7♥", "")
    assert canvas.target_at(3, 1) == ("slot", 4)
    assert canvas.target_at(4, 1) is None
    assert list(canvas.fragments(1)) == [("", "  "), ("suit-h", "7♥"), ("", "      ")]


def test_what_does_not_fit_is_cut_off() -> None:
    canvas = sheet()
    assert canvas.put(8, 0, "abcdef") == 14
    assert canvas.put(-2, 1, "abcd") == 2
    canvas.put(0, 9, "nothing")
    canvas.put(0, -1, "nothing")
    assert canvas.rows() == ("        ab", "cd", "")


def test_a_wide_character_takes_two_cells_or_none() -> None:
    canvas = sheet(4, 1)
    canvas.put(0, 0, "a世b")
    assert canvas.rows() == ("a世b",)
    canvas.put(3, 0, "世")
    assert canvas.rows() == ("a世b",)
    canvas.put(2, 0, "x")
    assert canvas.rows() == ("a xb",)


def test_a_line_can_be_taken_cell_by_cell() -> None:
    canvas = sheet(5, 2)
    canvas.put(1, 1, "世", "bold")
    canvas.put(3, 1, "e\u0301")
    assert list(canvas.cells(1)) == [(" ", ""), ("世", "bold"), ("", "bold"), ("e\u0301", ""), (" ", "")]
    assert list(canvas.part(3, 1, 1, 1).cells(0)) == [("e\u0301", "")]


def test_plain_text_over_half_a_wide_character_leaves_a_blank() -> None:
    canvas = sheet(4, 1)
    canvas.put(0, 0, "世世")
    canvas.put(1, 0, "ab")
    assert canvas.rows() == (" ab",)


def test_a_mark_goes_on_the_character_before_it() -> None:
    canvas = sheet(4, 1)
    canvas.put(0, 0, "e\u0301x")
    assert canvas.rows() == ("e\u0301x",)


def test_terminal_codes_become_question_marks() -> None:
    canvas = sheet(20, 1)
    canvas.put(0, 0, "a\x1b[2Jb\u202e\x07")
    assert canvas.rows() == ("a?[2Jb??",)


def test_a_window_shares_the_cells() -> None:
    canvas = sheet()
    window = canvas.part(3, 1, 4, 5)
    assert (window.width, window.height) == (4, 2)
    window.put(0, 0, "abcdef", target=("x",))
    inner = window.part(1, 0, 9, 1)
    inner.put(0, 0, "Z")
    assert canvas.rows() == ("", "   aZcd", "")
    assert window.target_at(0, 0) == canvas.target_at(3, 1) == ("x",)
    assert window.rows() == ("aZcd", "")
    assert canvas.part(-2, -1, 4, 2).width == 2


def test_a_box_has_its_title_in_the_edge() -> None:
    canvas = Canvas(12, 3, ASCII)
    canvas.box(0, 0, 12, 3, "Keys")
    assert canvas.rows() == (".- Keys ---.", "|          |", "`----------'")
    canvas.box(0, 0, 1, 1, "nothing")


@given(st.text(max_size=30), st.integers(-5, 15), st.integers(-2, 5), st.integers(0, 12), st.integers(0, 4))
def test_nothing_that_is_put_breaks_the_sheet(text: str, x: int, y: int, width: int, height: int) -> None:
    canvas = Canvas(width, height, UNICODE)
    canvas.put(x, y, text)
    canvas.fill(x, y, 3, 2)
    canvas.box(x, y, 6, 3, text)
    for row in canvas.rows():
        assert text_width(row) <= width
        assert all(character.isprintable() for character in row)


@given(st.text(max_size=60), st.integers(1, 20))
def test_a_text_is_cut_and_wrapped_to_its_width(text: str, width: int) -> None:
    assert text_width(cut(text, width, "~")) <= width
    assert all(text_width(line) <= max(2, width) for line in wrap(text, width))
    assert "".join("".join(wrap(text, width)).split()) == "".join(text.split())
