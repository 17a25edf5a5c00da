"""The table room: what keys, mouse and typed lines do to selection, table and hand, and what is said."""

from __future__ import annotations

import msgspec
import pytest
from prompt_toolkit.application.current import set_app

from rummy_p2p.engine import Phase
from rummy_p2p.engine import events as ev
from rummy_p2p.sentences import Notice
from rummy_p2p.sentences.screen import Said, TableFacts
from rummy_p2p.ui.lobby_model import Person
from rummy_p2p.ui.room import Mouse
from rummy_p2p.ui.score_room import ScoreRoom
from rummy_p2p.ui.table_pile import PileBrowser
from rummy_p2p.ui.table_room import TableRoom
from rummy_p2p.ui.ways_room import Ways, WaysRoom
from tests.ui.seat import FakeSeat
from tests.ui.table import (
    CLAIMED,
    TableSeat,
    check_golden,
    click,
    drag,
    drawn,
    facts_with,
    find,
    make_room,
    position,
    text_of,
)
from variants_plugins.gin import RULES as GIN
from variants_plugins.rum_500_ro import RULES as RUM_500
from variants_plugins.rummy_no import RULES as NORWEGIAN


def table(**changes: object) -> TableRoom:
    return make_room(TableSeat(*position(**changes)))  # type: ignore[arg-type]  # any of its arguments


def press(room: TableRoom, *names: str) -> None:
    for name in names:
        room.screen.press(name)


def slot_of(room: TableRoom, face: str) -> int:
    view = room.seat.view()
    assert view is not None
    return next(slot for slot in room.state.fan.slots if str(view.card(slot)) == face)


def select(room: TableRoom, *faces: str) -> None:
    for face in faces:
        room.state.toggle(slot_of(room, face))


def hand(room: TableRoom) -> list[str]:
    view = room.seat.view()
    assert view is not None
    return [str(view.card(slot)) for slot in room.state.fan.slots]


def names(room: TableRoom) -> set[str]:
    return {key.keys[0] for key in tuple(room.keys()) if key.enabled}


# --- moves by keys ---------------------------------------------------------------------------------------------------


def test_a_draw_goes_to_the_right_is_marked_and_moves_nothing() -> None:
    room = table(phase=Phase.DRAW)
    press(room, "left", "left", ">")
    before = hand(room)
    assert room.state.fan.mode == "manual"
    press(room, "d")
    assert hand(room)[:-1] == before
    assert room.state.fan.fresh == {room.state.fan.slots[-1]}
    assert "•" in text_of(room)


def test_d_without_a_turn_says_why() -> None:
    room = table(turn=1, phase=Phase.DRAW)
    press(room, "d")
    assert "Bea's turn" in text_of(room) or room.screen.noted


def test_the_suggested_meld_is_laid_and_leaves_the_hand() -> None:
    room = table()
    assert "m" in names(room)
    press(room, "m")
    view = room.seat.view()
    assert view is not None
    assert len(view.state.table) > 4


def test_selected_cards_are_laid_as_one_meld() -> None:
    room = table()
    select(room, "7h", "8h", "9h")
    press(room, "m")
    view = room.seat.view()
    assert view is not None
    assert str(view.state.table[-1].meld) == "7h 8h 9h"
    assert room.state.selected == []


def test_cards_that_are_no_meld_are_refused_and_stay_selected() -> None:
    room = table()
    select(room, "7h", "3c", "Kd")
    press(room, "m")
    assert "not a meld" in room.screen.noted
    assert len(room.state.selected) == 3


def test_too_few_points_are_put_ready_until_they_suffice() -> None:
    room = table(melds=((1, "4s 4h 4d"),), hand="7h 8h 9h 2c 2d 2s 5c", others=("3d 3h 8s", "Ac", ""))
    select(room, "2c", "2d", "2s")
    press(room, "m")
    assert room.state.staged
    assert "6 of 30" in room.screen.noted
    assert "2c" not in [str(piece) for piece in room.state.loose(room.seat.view())]  # type: ignore[arg-type]  # a hand is there
    press(room, "u")
    assert not room.state.staged
    select(room, "2c", "2d", "2s")
    press(room, "m")
    select(room, "7h", "8h", "9h")
    press(room, "m")
    view = room.seat.view()
    assert view is not None
    assert len(view.state.table) == 3 or room.state.staged


def test_a_card_that_fits_once_is_added_at_once() -> None:
    room = table()
    select(room, "4c")
    assert "a" in names(room)
    press(room, "a")
    view = room.seat.view()
    assert view is not None
    assert len(view.state.table[0].meld.cards) == 4


def test_a_joker_that_fits_in_several_places_is_asked_for() -> None:
    room = table()
    select(room, "JK")
    press(room, "a")
    assert room.state.asking
    assert "Which meld" in text_of(room)
    press(room, "3")
    assert "Which end" in text_of(room)
    press(room, "left")
    view = room.seat.view()
    assert view is not None
    assert view.state.table[2].meld.cards[0].is_joker
    assert not room.state.asking


def test_escape_takes_the_question_back() -> None:
    room = table()
    select(room, "JK")
    press(room, "a", "escape")
    assert not room.state.asking


def test_a_real_card_takes_the_joker_from_its_place() -> None:
    room = table(hand="10c 7h 8h 3c")
    select(room, "10c")
    press(room, "a")
    assert "JK'" in hand(room)


def test_a_joker_is_thrown_at_the_second_word_alone() -> None:
    room = table()
    select(room, "JK")
    press(room, "x")
    assert "press x once more" in text_of(room)
    assert "JK" in hand(room)
    press(room, "left")
    press(room, "x")
    assert "JK" in hand(room)
    press(room, "x")
    assert "JK" not in hand(room)


def test_several_selected_cards_are_not_thrown() -> None:
    room = table()
    select(room, "2h", "As")
    press(room, "x")
    assert "Select one card" in room.screen.noted


def test_a_discard_may_be_claimed_and_the_button_counts_down() -> None:
    state, order = position(turn=1, phase=Phase.DRAW)
    room = make_room(TableSeat(msgspec.structs.replace(state, claim="open", discarder=2), order))
    assert "c" in names(room)
    press(room, "c")
    assert "Jd" in hand(room)


def test_undo_without_anything_says_so() -> None:
    room = table()
    press(room, "u")
    assert "nothing to take back" in room.screen.noted


def test_sorting_goes_round_and_the_own_order_is_left_alone() -> None:
    room = table(turn=1)
    for mode in ("suit", "rank", "manual", "melds"):
        press(room, "s")
        assert room.state.fan.mode == mode
    room.typed("sort manual")
    order = list(room.state.fan.slots)
    press(room, "s", "s")
    room.typed("sort manual")
    press(room, "home", ">")
    assert room.state.fan.slots != order


def test_the_cursor_goes_over_melds_to_the_piles_and_back() -> None:
    room = table(phase=Phase.DRAW)
    zones = [str(room.state.zone)]
    for keys in (["up"], ["up"] * 4):
        press(room, *keys)
        zones.append(str(room.state.zone))
    assert zones == ["hand", "table", "piles"]
    press(room, "right", "enter")
    assert "Jd" in hand(room)


def test_enter_on_a_meld_adds_the_selected_card() -> None:
    room = table()
    select(room, "4c")
    room.state.zone, room.state.at["table"] = "table", 0
    press(room, "enter")
    assert "4c" not in hand(room)


# --- other games -----------------------------------------------------------------------------------------------------


def browsing() -> tuple[TableRoom, PileBrowser]:
    """The pile is open, and three of its four cards may be taken."""
    state, order = position(
        RUM_500, hand="9h 10h 2c", others=("3d 3h 8s",), melds=(), pile="4c Jh 9s Jd", phase=Phase.DRAW
    )
    room = make_room(TableSeat(state, order))
    press(room, "t")
    browser = room.screen.room
    assert isinstance(browser, PileBrowser)
    return room, browser


def test_a_pile_of_many_is_browsed() -> None:
    room, browser = browsing()
    check_golden("pile-browser-80x24", drawn(browser))
    press(room, "down", "down", "up")
    press(room, "escape")
    assert room.screen.room is room


@pytest.mark.parametrize("scrolled", [True, False])
def test_a_row_of_the_pile_is_clicked_or_scrolled_to_and_taken_with_all_above(*, scrolled: bool) -> None:
    room, browser = browsing()
    if scrolled:
        for _ in range(9):
            browser.mouse(Mouse("wheel-down", None, 0, 0))
        browser.mouse(Mouse("wheel-up", None, 0, 0))
        press(room, "enter")
    else:
        browser.mouse(Mouse("up", ("row", 2), 0, 0))
    assert room.screen.room is room
    assert sorted(hand(room)) == ["10h", "2c", "9h", "9s", "Jd", "Jh"]


def test_a_click_beside_the_pile_takes_nothing() -> None:
    room, browser = browsing()
    browser.mouse(Mouse("up", None, 0, 0))
    assert len(hand(room)) == 3


def test_in_gin_the_call_is_a_knock() -> None:
    hand_text = "7h 8h 9h 10h 2c 2d 2s 3s 4s 5s Kd"
    state, order = position(GIN, hand=hand_text, others=("3d 3h 8s",), melds=(), pile="4c Jh")
    room = make_room(TableSeat(state, order))
    assert "Knock" in text_of(room)
    press(room, "c")
    view = room.seat.view()
    assert view is not None
    assert view.state.knocker == 0


# --- mouse -----------------------------------------------------------------------------------------------------------


def test_a_click_selects_and_a_second_one_no_longer() -> None:
    room = table()
    slot = slot_of(room, "3c")
    click(room, "slot", slot)
    assert room.state.selected == [slot]
    click(room, "slot", slot)
    assert room.state.selected == []


def test_a_card_is_dragged_to_another_place() -> None:
    room = table(turn=1)
    first, last = room.state.fan.slots[0], room.state.fan.slots[-1]
    drag(room, ("slot", last), ("slot", first))
    assert room.state.fan.slots[0] == last
    assert room.state.fan.mode == "manual"
    drag(room, ("slot", last), ("hand-end",))
    assert room.state.fan.slots[-1] == last


def test_a_joker_is_thrown_by_dragging_without_a_second_word() -> None:
    room = table()
    drag(room, ("slot", slot_of(room, "JK")), ("pile",))
    assert "JK" not in hand(room)


def test_a_card_is_dragged_onto_a_meld() -> None:
    room = table()
    drag(room, ("slot", slot_of(room, "4c")), ("meld", 1))
    assert "4c" not in hand(room)


def test_selected_cards_are_dragged_to_the_table() -> None:
    room = table()
    select(room, "7h", "8h")
    drag(room, ("slot", slot_of(room, "9h")), ("table",))
    view = room.seat.view()
    assert view is not None
    assert len(view.state.table) == 5


def test_the_stock_is_clicked_to_draw_and_the_pile_to_take() -> None:
    for target, count in ((("stock",), 14), (("pile",), 14)):
        room = table(phase=Phase.DRAW)
        click(room, *target)
        assert len(hand(room)) == count


def test_a_click_on_the_end_of_a_meld_adds_there() -> None:
    room = table()
    select(room, "JK")
    click(room, "meld-end", 3, "left")
    view = room.seat.view()
    assert view is not None
    assert view.state.table[2].meld.cards[0].is_joker


def test_a_button_is_clicked() -> None:
    room = table()
    select(room, "2h")
    click(room, "key", "x")
    assert "2h" not in hand(room)


def test_the_wheel_scrolls_melds() -> None:
    many = tuple((1, f"{rank}s {rank}h {rank}d") for rank in ("2", "3", "5", "6", "7", "8", "9", "10", "J", "Q", "K"))
    state, order = position(hand="As Ah", others=("Ac", "4c", ""), melds=many, pile="4d")
    room = make_room(TableSeat(state, order))
    x, y = find(drawn(room), ("meld", 1))
    for _ in range(30):
        room.mouse(Mouse("wheel-down", None, x, y))
    assert "Ks" not in text_of(room)
    assert "│K♠│K♥│K♦│" in text_of(room)
    assert "│2♠│2♥│2♦│" not in text_of(room)
    press(room, "pageup", "pageup", "pageup")
    assert "│2♠│2♥│2♦│" in text_of(room)


# --- what is said ----------------------------------------------------------------------------------------------------


def test_typed_moves_are_those_of_the_conversation() -> None:
    room = table()
    room.typed("meld 7h 8h 9h 10h")
    assert "7h" not in hand(room)
    room.typed("discard")
    assert "I cannot read" in room.screen.noted
    room.typed("shuffle")
    assert "no command" in room.screen.noted
    assert "discard" in room.complete("dis")
    assert "hint" in room.complete("hi")


def test_muted_players_are_not_read() -> None:
    room = table()
    room.hear(Said("Bea: hello", name="Bea"))
    assert "Bea: hello" in text_of(room)
    room.typed("mute bea")
    assert "Bea: hello" not in text_of(room)
    room.typed("unmute Bea")
    assert "Bea: hello" in text_of(room)
    room.typed("mute Eve")
    assert "Nobody here" in room.screen.noted


def test_a_notice_does_not_hide_that_it_is_the_players_turn() -> None:
    room = table()
    room.hear(Notice("All are back; the table goes on."))
    assert "YOUR TURN" in text_of(room)
    assert room.screen.noted == ""


@pytest.mark.parametrize(("key", "text"), [("i", "Game: "), ("r", "Swedish rummy"), ("g", "Log"), ("?", "Keys")])
def test_pages_open_and_close(key: str, text: str) -> None:
    room = table()
    press(room, key)
    top = room.screen.room
    assert top is not None
    assert top is not room
    assert text in "\n".join(drawn(top).rows())
    press(room, "pagedown", "up", "escape")
    assert room.screen.room is room


def test_how_others_join_is_told_where_they_can() -> None:
    room = table()
    press(room, "v")
    assert "rummy://10.0.0.1" in "\n".join(drawn(room.screen.room).rows())  # type: ignore[arg-type]  # a page is there
    alone = make_room(TableSeat(*position()), facts=facts_with(joining=("", "")))
    alone.invite()
    assert "Nobody can be invited" in alone.screen.noted


def test_the_code_of_ones_own_table_comes_first_and_is_shown_large_by_key_and_word() -> None:
    facts = facts_with(forming=True, sitting=(("Ada", True, False),), free=1, opener=True, may_start=True)
    room = make_room(FakeSeat(rules=NORWEGIAN), facts=facts)
    assert "Q" not in {key.keys[0] for key in tuple(room.keys())}
    room.typed("code")
    assert room.screen.noted.startswith("Only whoever opened this table has its code.")
    room.invites.ways = lambda: Ways("Friday LAN", "7KQM-29XR-4TDF", "rummy://10.0.0.1:1#ab", "rummy-p2p join Friday")
    press(room, "v")
    shown = "\n".join(drawn(room.screen.room).rows())  # type: ignore[arg-type]  # a page is there
    assert shown.index("join 7KQM-29XR-4TDF") < shown.index("join Friday LAN") < shown.index("rummy://10.0.0.1:1 ")
    assert "#ab" not in shown
    room.screen.leave()
    press(room, "Q")
    assert isinstance(room.screen.room, WaysRoom)
    room.screen.leave()
    room.typed("code")
    assert isinstance(room.screen.room, WaysRoom)
    assert room.complete("cod") == ("code",)
    room.state.closed = True
    assert "Q" not in {key.keys[0] for key in tuple(room.keys())}


def test_after_the_match_the_code_is_shown_for_the_next_one() -> None:
    room = finished()
    room.invites.ways = lambda: Ways("Friday LAN", "7KQM-29XR-4TDF", "rummy://10.0.0.1:1#ab", "rummy-p2p join Friday")
    press(room, "enter", "Q")
    assert isinstance(room.screen.room, WaysRoom)


def test_the_title_is_loud_on_the_players_turn() -> None:
    assert table().title() == "(!) rummy-p2p"
    assert table(turn=1).title() == "rummy-p2p"


# --- score -----------------------------------------------------------------------------------------------------------


def finished() -> TableRoom:
    """A table at which the last card has been thrown."""
    rules = CLAIMED.with_(match__limit=100)
    state, order = position(rules, hand="2h", melds=(*((1, text) for _, text in [(1, "4s 4h 4d")]), (0, "Qs Qd Qc")))
    seat = TableSeat(state, order)
    room = make_room(seat)
    seat.said()
    room.hear(ev.Dealt((1, 3, 13, 0), 3))
    press(room, "x")
    for item in seat.said():
        room.hear(item)
    return room


def test_the_score_lies_over_the_table_until_the_player_goes_on() -> None:
    room = finished()
    score = room.screen.room
    assert isinstance(score, ScoreRoom)
    text = "\n".join(drawn(score).rows())
    assert "You went out." in text
    assert "cards left in hand" in text
    check_golden("score-80x24", drawn(score))
    check_golden("score-120x40", drawn(score, (120, 38)))
    press(room, "4")
    assert "4 of 5" in room.screen.noted
    press(room, "enter")
    assert room.screen.room is room


def test_an_end_of_the_match_comes_into_the_score() -> None:
    room = finished()
    room.hear(ev.MatchEnded((0,), (31, 66, 167, 104)))
    score = room.screen.room
    assert isinstance(score, ScoreRoom)
    text = "\n".join(drawn(score).rows())
    assert "You have won the match" in text
    check_golden("score-match-over-80x24", drawn(score))
    assert "e" in {key.keys[0] for key in tuple(score.keys()) if key.enabled}


def test_the_next_deal_is_told_of_in_the_score() -> None:
    room = finished()
    room.hear(ev.Dealt((13, 13, 13, 0), 1))
    score = room.screen.room
    assert isinstance(score, ScoreRoom)
    assert "THE NEXT HAND IS DEALT" in "\n".join(drawn(score).rows())
    assert score.is_stale(1000.0)


def test_a_table_that_is_closed_is_left_without_a_question() -> None:
    room = table()
    room.state.closed = True
    press(room, "q")
    assert room.screen.room is None


def test_leaving_is_asked_about() -> None:
    room = table()
    press(room, "q", "n")
    assert room.screen.room is room
    press(room, "q", "y")
    assert room.screen.room is None


def test_the_typed_line_closes_with_the_room() -> None:
    room = table()
    with set_app(room.screen.app):
        room.screen.open_line()
        assert room.screen.line.is_open
        room.put_away()
        assert not room.screen.line.is_open


def test_a_table_without_cards_shows_who_sits_there() -> None:
    facts = facts_with(forming=True, sitting=(("Ada", True, False),), free=1, opener=True, may_start=True)
    room = make_room(FakeSeat(rules=NORWEGIAN), facts=facts)
    assert "free" in text_of(room)
    assert {"enter", "q", "/"} <= {key.keys[0] for key in tuple(room.keys())}
    room.typed("chat hello")
    room.mouse(Mouse("up", ("key", "i"), 0, 0))
    assert room.screen.room is not room


def test_after_the_hands_that_were_wanted_it_can_be_played_again() -> None:
    room = finished()
    room.facts = lambda: facts_with(may_rematch=True)
    score = room.screen.room
    assert isinstance(score, ScoreRoom)
    assert "e: leave the table" in "\n".join(drawn(score).rows())
    assert "e" in {key.keys[0] for key in tuple(score.keys()) if key.enabled}
    press(room, "enter")
    assert room.screen.room is room


def test_somebody_is_invited_by_key_and_by_name_or_why_not_is_said() -> None:
    facts = facts_with(forming=True, free=1)
    room, asked = make_room(TableSeat(*position()), facts=facts), list[str]()
    room.invites.present = lambda: (Person("Bea", here=True, id="be"), Person("Cem", id="ce"))
    room.invites.ask_in = asked.append
    room.typed("invite cem")
    assert asked == ["ce"]
    room.typed("invite Bea")
    assert room.screen.noted == "Nobody here is called Bea, or sits at the table already."
    room.facts = lambda: facts_with(forming=True, free=0)
    room.typed("invite Cem")
    assert room.screen.noted == "All seats of this table are taken."
    room.facts = facts_with
    room.typed("invite Cem")
    assert room.screen.noted == "Nobody can sit down in the middle of a match: ask again when it is over."
    room.facts = TableFacts
    room.typed("invite Cem")
    assert room.screen.noted.startswith("Nobody can be invited to this table")
    assert asked == ["ce"]
    assert room.complete("invite c") == ("Cem",)
    assert "invite" in room.complete("in")
