"""The key table of the table: what is lit when, and where the cursor goes, in one row of cards and in two."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import pytest

from rummy_p2p.cards import pack
from rummy_p2p.engine import Phase
from rummy_p2p.engine import events as ev
from rummy_p2p.sentences.screen import TableFacts
from rummy_p2p.ui.bar import bar_keys
from rummy_p2p.ui.console import Command
from rummy_p2p.ui.room import Key
from rummy_p2p.ui.score_room import ScoreRoom
from rummy_p2p.ui.table_room import TableRoom
from tests.ui.seat import FakeSeat
from tests.ui.table import CLAIMED, FACTS, MELDS, SIZES, TableSeat, drawn, facts_with, make_room, position, text_of
from variants_plugins.gin import RULES as GIN

TAKEN = "4s 4h 4d 8c 9c Jc 5d 6d' 7d Qs Qd Qc Jd 9s' 4c' 2h' 3d 3h 8s"
MANY = tuple((1, f"{rank}s {rank}h {rank}d") for rank in ["2", "3", "5", "6", "7", "8", "9", "10", "J", "Q", "K"])


def table(**changes: object) -> TableRoom:
    return make_room(TableSeat(*position(**changes)))  # type: ignore[arg-type]  # any of its arguments


def crowded(cards: int = 26, *, turn: int = 0) -> TableRoom:
    """A hand of so many cards: too many for one row at 80x24."""
    held = [str(card) for card in pack(2, 0) if str(card) not in TAKEN.split()][:cards]
    room = table(hand=" ".join(held), others=("3d 3h 8s", "", ""), turn=turn)
    drawn(room)
    return room


def press(room: TableRoom, *names: str) -> None:
    for name in names:
        room.screen.press(name)
        drawn(room)  # as the screen does after each key


def keys(room: TableRoom) -> dict[str, Key]:
    return {name: key for key in tuple(room.keys()) for name in key.keys}


def lit(room: TableRoom) -> set[str]:
    return {name for name, key in keys(room).items() if key.enabled}


def place(room: TableRoom) -> tuple[str, int]:
    return room.state.zone, room.state.at[room.state.zone]


# --- two rows of cards -----------------------------------------------------------------------------------------------


def test_26_cards_lie_in_two_rows_and_the_cursor_goes_between_them() -> None:
    room = crowded()
    assert room.state.per_row == 13
    press(room, "home")
    assert place(room) == ("hand", 0)
    press(room, "right", "right", "down")
    assert place(room) == ("hand", 15)
    press(room, "down")
    assert place(room) == ("hand", 15)
    press(room, "k")
    assert place(room) == ("hand", 2)
    press(room, "j")
    assert place(room) == ("hand", 15)


def test_above_the_first_row_are_the_melds_and_the_way_back_leads_to_the_same_card() -> None:
    room = crowded()
    press(room, "home", "right", "up")
    assert place(room) == ("table", len(MELDS) - 1)
    press(room, "down")
    assert place(room) == ("hand", 1)
    press(room, "down", "up", "up")
    assert room.state.zone == "table"


def test_the_second_row_may_be_shorter() -> None:
    room = crowded(25)
    press(room, "home", *["right"] * 12, "down")
    assert place(room) == ("hand", 24)
    press(room, "up")
    assert place(room) == ("hand", 11)


def test_cards_of_both_rows_are_selected_by_keys_and_laid() -> None:
    room = crowded()
    room.typed("sort suit")
    drawn(room)
    press(room, "home", "space", "down", "space", "left", "enter")
    slots = room.state.fan.slots
    assert room.state.selected == [slots[0], slots[13], slots[12]]
    canvas = drawn(room)
    raised = [y for y in range(canvas.height) if canvas.target_at(1, y) == ("slot", slots[0])]
    assert raised[0] == min(y for y in range(canvas.height) if (canvas.target_at(1, y) or ("",))[0] == "slot")
    press(room, "escape")
    assert room.state.selected == []


@pytest.mark.parametrize("at", [0, 12, 13, 25])
def test_the_real_cursor_stands_on_the_face_in_either_row(at: int) -> None:
    room = crowded()
    room.state.at["hand"] = at
    canvas = drawn(room)
    cursor = room.cursor()
    assert cursor is not None
    assert canvas.target_at(*cursor) == ("slot", room.state.fan.slots[at])


def test_a_card_is_carried_from_the_end_of_one_row_to_the_next() -> None:
    room = crowded(turn=1)
    slot = room.state.fan.slots[12]
    room.state.at["hand"] = 12
    press(room, ">")
    assert room.state.fan.slots[13] == slot
    assert place(room) == ("hand", 13)
    press(room, "s-left")
    assert room.state.fan.slots[12] == slot


def test_where_there_is_room_for_one_row_up_leads_out_of_the_hand() -> None:
    room = crowded()
    drawn(room, SIZES[1])
    assert room.state.per_row == 0
    room.screen.press("up")
    assert room.state.zone == "table"


def test_a_joker_that_was_to_be_thrown_is_asked_about_anew_after_a_change_of_row() -> None:
    room = crowded()
    room.state.armed = room.state.fan.slots[0]
    press(room, "home", "down")
    assert room.state.armed is None


# --- the way of the cursor -------------------------------------------------------------------------------------------


def test_without_melds_the_piles_are_next_to_the_hand() -> None:
    room = table(melds=())
    press(room, "up", "right", "right")
    assert place(room) == ("piles", 1)
    press(room, "down")
    assert place(room)[0] == "hand"


def test_the_melds_scroll_with_the_cursor_and_with_the_page_keys() -> None:
    room = table(hand="As Ah", others=("Ac", "4c", ""), melds=MANY, pile="4d")
    drawn(room)
    shown = room.state.shown_melds
    assert shown < len(MANY)
    press(room, "up")
    assert place(room) == ("table", len(MANY) - 1)
    assert room.state.scroll == len(MANY) - shown
    press(room, *["up"] * (len(MANY) - 1))
    assert room.state.scroll == 0
    press(room, "pagedown", "pagedown", "pagedown")
    assert room.state.scroll == len(MANY) - shown
    press(room, "pageup", "pageup", "pageup")
    assert room.state.scroll == 0


# --- what is lit -----------------------------------------------------------------------------------------------------


def test_to_draw_and_to_take_come_first_and_the_rest_after_it() -> None:
    assert {"d", "t"} <= lit(table(phase=Phase.DRAW))
    assert not {"m", "a", "x"} & lit(table(phase=Phase.DRAW))
    assert "x" in lit(table())
    assert not {"d", "t"} & lit(table())


def test_on_the_turn_of_another_only_what_reveals_nothing_is_lit() -> None:
    room = table(turn=1)
    assert not {"d", "t", "m", "a", "x", "c"} & lit(room)
    assert {"s", "space", "left", "g", "r", "q", "H"} <= lit(room)
    assert {"m", "a", "x", "c"} <= set(keys(room))  # dead, and in their places


def test_the_call_has_the_name_that_the_game_gives_it() -> None:
    assert keys(table())["c"].label == "Knock"
    gin = make_room(TableSeat(*position(GIN, hand="7h 8h 9h 10h 2c 2d 2s 3s 4s 5s Kd", others=("3d",), melds=())))
    assert keys(gin)["c"].label == "Knock"


def test_a_question_leaves_its_answers_alone() -> None:
    room = table()
    room.state.toggle(next(slot for slot in room.state.fan.slots if str(room.seat.view().card(slot)) == "JK"))  # type: ignore[union-attr]  # a hand is there
    press(room, "a")
    assert set(keys(room)) == {"escape", "u", "1", "3", "4"}
    press(room, "3")
    assert set(keys(room)) == {"escape", "u", "left", "h", "right", "l"}


def test_the_number_of_a_meld_is_typed_where_one_digit_is_not_enough() -> None:
    room = table(hand="JK As", others=("Ac", "4c", ""), melds=((0, "4h 4s 4d"), *MANY), pile="4d'")
    room.state.at["hand"] = next(
        at
        for at, slot in enumerate(room.state.fan.slots)
        if str(room.seat.view().card(slot)) == "JK"  # type: ignore[union-attr]  # a hand is there
    )
    press(room, "a")
    assert "9" in keys(room)
    press(room, "9")
    assert room.screen.line.is_open
    room.screen._entered("12", room.screen.line._send)  # what the toolkit does with Enter
    view = room.seat.view()
    assert view is not None
    assert view.state.table[11].meld.jokers == 1


def test_at_the_end_of_a_hand_enter_goes_on() -> None:
    room = table()
    room.state.closed = True
    assert keys(room)["enter"].label == "Leave"


@pytest.mark.parametrize(
    ("facts", "wanted"),
    [
        ({"may_ready": True}, "Ready"),
        ({"ready": True}, "Not yet"),
        ({"opener": True, "may_start": True}, "Start"),
        ({"may_rematch": True}, "Rematch"),
    ],
)
def test_before_the_cards_enter_does_what_is_next(facts: dict[str, object], wanted: str) -> None:
    room = make_room(FakeSeat(rules=CLAIMED), facts=facts_with(forming=True, **facts))
    assert keys(room)["enter"].label == wanted
    assert "d" not in keys(room)


def test_a_rematch_is_the_same_key_at_the_table_and_on_the_score() -> None:
    room = make_room(FakeSeat(rules=CLAIMED), facts=facts_with(forming=True, may_rematch=True, opener=True))
    assert keys(room)["y"].label == "Rematch"
    assert keys(room)["r"].label == "Rules"
    assert (keys(room)["enter"].label, keys(room)["enter"].enabled) == ("Start", False)


def test_who_is_a_guest_of_a_program_has_nothing_to_be_ready_for() -> None:
    room = make_room(FakeSeat(rules=CLAIMED), facts=facts_with(forming=True))
    assert not {"enter", "y"} & set(keys(room))


def test_a_table_that_is_closed_before_it_has_begun_is_left_by_enter() -> None:
    room = make_room(FakeSeat(rules=CLAIMED), facts=facts_with(forming=True, may_ready=True))
    room.state.closed = True
    press(room, "enter")
    assert room.screen.room is None


def test_who_is_ready_can_take_it_back() -> None:
    seat = FormingSeat(rules=CLAIMED)
    for facts in ({"may_ready": True}, {"ready": True}, {"opener": True}):
        room = make_room(seat, facts=facts_with(forming=True, **facts))
        keys(room)["enter"].act()
    assert seat.called == ["ready", "unready", "start"]


def test_what_is_answered_when_somebody_asks_for_the_discard() -> None:
    room = table(phase=Phase.ANSWER)
    assert {"y", "n"} <= lit(room)
    assert "y keeps" in text_of(room)


# --- a pause, and other rules for a rematch -------------------------------------------------------------------------


class FormingSeat(FakeSeat):
    """A seat at a table that has not begun."""

    def commands(self) -> Mapping[str, tuple[str, Callable[[str], None]]]:
        words = ("ready", "unready", "start")
        return {word: (word, lambda _rest, word=word: self.called.append(word)) for word in words}  # type: ignore[misc]  # bound


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


def test_a_pause_that_is_wanted_is_agreed_to_by_a_key_of_the_bar() -> None:
    room = make_room(Pausing(*position()), facts=facts_with(wants_pause=("Bea",)))
    for width in (80, 120):
        assert [key.label for key in bar_keys(room.keys(), width) if key.keys[0] == "P"] == ["Agree to a pause"]
    room.facts = facts_with
    assert not [key for key in bar_keys(room.keys(), 120) if key.keys[0] == "P"]


class Pausing(TableSeat):
    """A seat at a table that can rest."""

    def commands(self) -> Mapping[str, tuple[str, Command]]:
        return {**super().commands(), "pause": ("ask for a pause", lambda _text: None)}


def test_what_is_typed_is_answered_in_words_and_what_is_pressed_in_keys() -> None:
    room = make_room(TableSeat(*position(phase=Phase.DRAW)))
    room.typed("discard 3c")
    assert "First type draw" in room.screen.noted
    room.play.discard()
    assert "Press d to draw" in room.screen.noted


def test_the_words_that_an_unknown_one_is_answered_with_are_all_there() -> None:
    room = make_room(TableSeat(*position()))
    room.typed("hnit")
    assert {"hint", "undo", "log", "draw", "sort"} <= set(re.findall(r"\w+", room.screen.noted))


# --- what does nothing is answered -----------------------------------------------------------------------------------


def test_space_beside_the_hand_says_where_it_selects() -> None:
    room = table()
    press(room, "up", "space")
    assert room.screen.noted.startswith("Space selects a card of your hand")
    assert not room.state.selected


def test_escape_is_a_key_as_long_as_something_can_be_put_down() -> None:
    room = table()
    assert "escape" not in keys(room)
    press(room, "space")
    assert "escape" in keys(room)
    press(room, "escape")
    assert not room.state.selected
