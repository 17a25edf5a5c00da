"""The melds on the table: whose they are, what a joker stands for, where the selected card fits, what is left out."""

from __future__ import annotations

import pytest

from rummy_p2p.cards import Card, parse_cards
from rummy_p2p.ui.canvas import Canvas
from rummy_p2p.ui.glyphs import ASCII
from rummy_p2p.ui.table_melds import draw_melds
from rummy_p2p.ui.table_scene import Laying, Scene, TableMeld
from tests.ui.table import find, make_scene

JOKER = Card.parse("JK")


def meld(number: int, cards: str, owner: str = "Bea", **hints: bool) -> TableMeld:
    return TableMeld(number, owner, "run", 18, tuple(map(Laying, parse_cards(cards))), **hints)


def scene(*melds: TableMeld, **changes: object) -> Scene:
    return make_scene(melds=melds, **changes)


def lines(canvas: Canvas) -> list[str]:
    return list(canvas.rows())


# --- in lines --------------------------------------------------------------------------------------------------------


def test_a_line_tells_number_cards_and_owner() -> None:
    canvas = Canvas(40, 6, ASCII)
    assert draw_melds(canvas, scene(meld(1, "4s 4h 4d"), meld(2, "5c 6c 7c", "Ada")), large=False) == (2, None)
    assert lines(canvas)[0] == "  1  |4s|4h|4d|" + " " * 21 + "Bea"
    assert lines(canvas)[1].startswith("  2  |5c|6c|7c|")
    assert lines(canvas)[1].endswith("Ada")
    assert canvas.target_at(6, 1) == ("meld", 2)
    assert canvas.target_at(39, 1) == ("meld", 2)


def test_no_melds_yet() -> None:
    canvas = Canvas(40, 6, ASCII)
    assert draw_melds(canvas, scene(), large=False) == (1, None)
    assert "no melds yet" in "\n".join(lines(canvas))
    assert canvas.target_at(20, 4) == ("table",)


def test_arrows_stand_at_the_ends_where_the_card_fits_and_are_told() -> None:
    canvas = Canvas(40, 6, ASCII)
    draw_melds(canvas, scene(meld(1, "4s 4h 4d"), meld(2, "5c 6c 7c", left=True, right=True)), large=False)
    assert lines(canvas)[1].startswith("  2 <|5c|6c|7c|>")
    assert "fits here" in lines(canvas)[5]
    assert canvas.target_at(*find(canvas, ("meld-end", 2, "left"))) == ("meld-end", 2, "left")
    x, y = find(canvas, ("meld-end", 2, "right"))
    assert (canvas.style_at(x, y), lines(canvas)[y][x]) == ("hint", ">")


def test_a_joker_shows_the_card_that_it_stands_for_and_that_it_may_be_taken() -> None:
    canvas = Canvas(40, 6, ASCII)
    cards = (Laying(Card.parse("8c")), Laying(JOKER, Card.parse("9c")), Laying(Card.parse("10c")))
    draw_melds(canvas, scene(TableMeld(1, "Bea", "run", 27, cards, swap=True)), large=False)
    assert "|8c|*9c|10c|" in lines(canvas)[0]
    assert canvas.style_at(lines(canvas)[0].index("*"), 0) == "hint"
    assert canvas.style_at(lines(canvas)[0].index("8c"), 0) != "hint"


def test_what_is_put_ready_has_no_number() -> None:
    canvas = Canvas(50, 6, ASCII)
    draw_melds(canvas, scene(meld(0, "4s 4h 4d", "")), large=False)
    assert lines(canvas)[0].startswith("  *  |4s|4h|4d|")
    assert lines(canvas)[0].endswith("set aside, not laid yet")


def test_of_a_long_run_the_middle_is_left_out_and_the_ends_stay() -> None:
    canvas = Canvas(36, 3, ASCII)
    draw_melds(canvas, scene(meld(1, "As 2s 3s 4s 5s 6s 7s 8s 9s 10s Js Qs Ks")), large=False)
    assert "|As|" in lines(canvas)[0]
    assert "|~|" in lines(canvas)[0]
    assert "|Ks|" in lines(canvas)[0]
    assert lines(canvas)[0].endswith(" Bea")


@pytest.mark.parametrize(("scroll", "first"), [(0, 1), (3, 4), (99, 7)])
def test_more_than_fit_are_scrolled_and_counted(scroll: int, first: int) -> None:
    canvas = Canvas(40, 5, ASCII)
    melds = [meld(number, "4s 4h 4d") for number in range(1, 11)]
    shown, _ = draw_melds(canvas, scene(*melds, scroll=scroll), large=False)
    assert shown == 4
    assert [line.split()[0] for line in lines(canvas)[:4]] == [str(first + step) for step in range(4)]
    assert lines(canvas)[4].strip() == "6 more: PgUp PgDn"


def test_the_cursor_on_a_meld_is_told_where_it_stands() -> None:
    canvas = Canvas(40, 6, ASCII)
    melds = (meld(1, "4s 4h 4d"), meld(2, "5c 6c 7c"))
    shown, cursor = draw_melds(canvas, scene(*melds, zone="table", at=1), large=False)
    assert (shown, cursor) == (2, (2, 1))
    assert canvas.style_at(2, 1) == "focus"


# --- as fans ---------------------------------------------------------------------------------------------------------


def test_where_there_is_room_melds_are_little_fans_side_by_side() -> None:
    canvas = Canvas(64, 10, ASCII)
    melds = (meld(1, "4s 4h 4d", right=True), meld(2, "5c 6c 7c", left=True), meld(3, "9h 10h Jh"))
    shown, cursor = draw_melds(canvas, scene(*melds, zone="table", at=2), large=True)
    assert shown == 3
    assert cursor == (1, 5)
    rows = lines(canvas)
    assert rows[0].split() == ["1", "Bea", "run", "18", "2", "Bea", "run", "18"]
    assert "|4s |4h |4d |>" in rows[2]
    assert "<" in rows[2]
    assert rows[5].startswith(" 3 Bea")
    assert canvas.target_at(3, 2) == ("meld", 1)


def test_a_fan_shows_under_its_card_what_is_a_joker() -> None:
    canvas = Canvas(40, 5, ASCII)
    cards = (Laying(Card.parse("8c")), Laying(JOKER, Card.parse("9c")), Laying(Card.parse("10c")))
    draw_melds(canvas, scene(TableMeld(1, "Bea", "run", 27, cards)), large=True)
    assert "|8c |9c |10c|" in lines(canvas)[2]
    assert "|   |JK*|   |" in lines(canvas)[3]


def test_fans_that_do_not_fit_become_lines() -> None:
    canvas = Canvas(64, 10, ASCII)
    melds = [meld(number, "4s 4h 4d") for number in range(1, 8)]
    draw_melds(canvas, scene(*melds), large=True)
    assert lines(canvas)[6].startswith("  7  |4s|4h|4d|")
    wide = Canvas(50, 10, ASCII)
    draw_melds(wide, scene(meld(1, "As 2s 3s 4s 5s 6s 7s 8s 9s 10s Js Qs Ks")), large=True)
    assert lines(wide)[0].startswith("  1  |As|2s")
