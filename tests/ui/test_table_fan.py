"""The fan: what stands on the blue line, the edges of a selected card, the mark of the cursor."""

from __future__ import annotations

from rummy_p2p.cards import parse_cards
from rummy_p2p.ui.canvas import Canvas
from rummy_p2p.ui.glyphs import UNICODE
from rummy_p2p.ui.table_fan import draw_fan, plan_fan
from rummy_p2p.ui.table_room import TableRoom
from rummy_p2p.ui.table_scene import HandCard
from tests.ui.table import TableSeat, drawn, make_room, position, text_of


def fan(cards: list[HandCard], melds: tuple[str, ...] = (), width: int = 57) -> Canvas:
    plan = plan_fan(len(cards), width, 6, large=False)
    canvas = Canvas(width, plan.height, UNICODE)
    draw_fan(canvas, cards, melds, plan)
    return canvas


def held(text: str, **changes: object) -> list[HandCard]:
    return [HandCard(slot, card, **changes) for slot, card in enumerate(parse_cards(text))]  # type: ignore[arg-type]  # any


def test_where_the_name_of_a_meld_does_not_fit_its_points_stand_alone() -> None:
    assert "━ Tonfolge 18" not in "\n".join(fan(held("5d 6d 7d", meld=0), ("Tonfolge 18",)).rows())
    assert "━ 18 ━" in "\n".join(fan(held("5d 6d 7d", meld=0), ("Tonfolge 18",)).rows())
    assert "━ run 18 ━" in "\n".join(fan(held("5d 6d 7d", meld=0), ("run 18",)).rows())


def test_a_selected_card_has_both_upper_corners() -> None:
    one, two, three = held("5d 6d 7d")
    assert fan([one, two._replace(raised=True), three]).rows()[0] == "    ╭───╮"
    both = fan([one._replace(raised=True), two._replace(raised=True), three])
    assert both.rows()[0] == "╭───╭───╮"


def test_the_mark_of_the_cursor_stays_while_it_is_on_the_melds() -> None:
    room = make_room(TableSeat(*position()))
    before = text_of(room)
    assert _style(room) == "bold"
    room.state.zone = "table"
    assert _style(room) == "dim"
    assert "▲▲" in before
    assert "▲▲" in text_of(room)


def _style(room: TableRoom) -> str:
    canvas = drawn(room)
    y = next(y for y, row in enumerate(canvas.rows()) if "▲▲" in row)
    return canvas.style_at(canvas.rows()[y].index("▲▲"), y)


def test_new_cards_that_are_not_sorted_yet_are_said_to_be_last() -> None:
    room = make_room(TableSeat(*position()))
    room.state.fan.fresh = {room.state.fan.slots[-1]}
    assert "melds, new last · 39 points outside melds" in text_of(room)
