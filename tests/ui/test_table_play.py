"""What keys and buttons do where it was not clear: a joker's place, a knock too early, too little to open, no card."""

from __future__ import annotations

import msgspec
import pytest

from rummy_p2p.engine import Phase
from rummy_p2p.ruleset import Ruleset
from rummy_p2p.ui.table_room import TableRoom
from tests.ui.table import CLAIMED, TableSeat, click, drawn, make_room, position, text_of
from variants_plugins.contract_no import RULES as CONTRACT
from variants_plugins.gin import RULES as GIN
from variants_plugins.rum_500_ro import RULES as RUM_500

JOKER_SET = ((1, "4s 4h JK"), (0, "Qs Qd Qc"))


def table(rules: Ruleset = CLAIMED, **changes: object) -> TableRoom:
    room = make_room(TableSeat(*position(rules, **changes)))  # type: ignore[arg-type]  # any of its arguments
    return room


def press(room: TableRoom, *names: str) -> None:
    for name in names:
        room.screen.press(name)
        drawn(room)


def select(room: TableRoom, *faces: str) -> None:
    view = room.seat.view()
    assert view is not None
    for face in faces:
        room.state.toggle(next(slot for slot in room.state.fan.slots if str(view.card(slot)) == face))


def hand(room: TableRoom) -> list[str]:
    view = room.seat.view()
    assert view is not None
    return [str(card) for card in view.hand]


def meld(room: TableRoom, number: int) -> str:
    view = room.seat.view()
    assert view is not None
    return str(view.state.table[number - 1].meld)


def labels(room: TableRoom) -> dict[str, str]:
    return {key.keys[0]: key.label for key in tuple(room.keys())}


# --- a set with a joker ----------------------------------------------------------------------------------------------


def asked() -> TableRoom:
    room = table(hand="4d 9s Kd", melds=JOKER_SET)
    select(room, "4d")
    press(room, "a")
    return room


def test_of_a_set_with_a_joker_it_is_asked_whether_the_joker_is_taken() -> None:
    room = asked()
    assert "Meld 1: a adds 4♦, j takes the joker for it" in text_of(room)
    assert {"a": "Add", "j": "Take joker"}.items() <= labels(room).items()
    assert "left" not in labels(room)


def test_the_card_is_added_by_key() -> None:
    room = asked()
    press(room, "a")
    assert "4d" in meld(room, 1)
    assert "JK" not in hand(room)


def test_the_joker_is_taken_by_key() -> None:
    room = asked()
    press(room, "j")
    assert "JK" in hand(room)
    assert "JK" not in meld(room, 1)


@pytest.mark.parametrize(("target", "holds"), [(("key", "a"), False), (("key", "j"), True), (("joker", 1), True)])
def test_both_are_reached_with_the_mouse(target: tuple[str, str | int], *, holds: bool) -> None:
    room = asked()
    click(room, *target)
    assert ("JK" in hand(room)) is holds
    assert "4d" not in hand(room)


def test_the_end_of_a_set_is_clicked_to_add() -> None:
    room = asked()
    click(room, "meld-end", 1, "right")
    assert "4d" in meld(room, 1)


def test_the_message_says_when_the_joker_is_taken() -> None:
    room = table(hand="4d 9s Kd", melds=JOKER_SET)
    select(room, "4d")
    assert "4♦ fits meld 1, or takes its joker: press a." in text_of(room)
    taken = table(hand="10c 9s Kd")
    select(taken, "10c")
    assert "10♣ takes the joker of meld 2: press a." in text_of(taken)


def test_several_melds_are_named_as_melds() -> None:
    room = table(hand="4d 9s Kd", melds=(*JOKER_SET, (1, "2d 3d' JK'")))
    select(room, "4d")
    assert "4♦: melds 1, joker of 1 3: press a, then the number." in text_of(room)


# --- a knock that cannot be made -------------------------------------------------------------------------------------

NEAR = "7h 8h 9h 10h 2c 2d 2s 3s 4s 5s Kd"


def gin(**changes: object) -> TableRoom:
    return table(GIN, **{"hand": NEAR, "others": ("3d 3h 8s",), "melds": (), "pile": "4c Jh", **changes})


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"hand": NEAR.removesuffix(" Kd"), "phase": Phase.DRAW}, "You have not drawn yet"),
        ({"turn": 1}, "It is not your turn"),
        ({"hand": "7h 9h 10d 2c Qd 4s Js 5s Kd Ah 8c"}, "You may knock with 10 points"),
    ],
)
def test_a_knock_that_is_too_early_says_why(changes: dict[str, object], said: str) -> None:
    room = gin(**changes)
    press(room, "c")
    assert said in room.screen.noted
    assert "out of turn" not in room.screen.noted


def test_who_lays_off_after_a_knock_is_told_so() -> None:
    state, order = position(GIN, hand="7d 9s Kd", others=("3d 3h 8s",), melds=(), pile="4c", phase=Phase.LAY_OFF)
    room = make_room(TableSeat(msgspec.structs.replace(state, knocker=1), order))
    press(room, "c")
    assert "has knocked already" in room.screen.noted


def test_the_key_of_a_call_is_there_where_the_game_has_one() -> None:
    assert "c" not in labels(table(RUM_500, others=("3d 3h 8s",), hand="9h 10h 2c", melds=(), pile="4c"))
    assert labels(table())["c"] == "Knock"
    for room, said in ((gin(), "knock: end the hand"), (table(), "claim the discard")):
        assert next(key for key in room.keys() if key.keys[0] == "c").help.startswith(said)


# --- too little to open ----------------------------------------------------------------------------------------------


def test_with_too_little_to_open_the_reason_is_the_minimum() -> None:
    room = table(hand="9h 9s 9d 2c 5c", others=("3d 3h 8s", "Ac", ""), melds=((1, "4s 4h 4d"),), pile="Jd")
    press(room, "m")
    assert room.screen.noted == "27 of the 30 points that a first lay-down needs: collect more."
    select(room, "2c")  # as a hint does
    press(room, "m")
    assert room.screen.noted == "27 of the 30 points that a first lay-down needs: collect more."


def test_with_a_contract_the_reason_is_the_contract() -> None:
    room = table(CONTRACT, hand="9h 9s 2c 5c Kd", others=("3d 3h 8s", "Ac", "2s"), melds=(), pile="Jd")
    press(room, "m")
    assert room.screen.noted.startswith("The first lay-down must be ")


# --- which card ------------------------------------------------------------------------------------------------------


def test_the_message_names_the_card_that_would_be_thrown() -> None:
    room = table(hand="3c 9s Kd Kc", pile="Jd")
    assert "x discards K♣ and ends your turn." in text_of(room) or "x discards K♦ and ends your turn." in text_of(room)


def test_away_from_the_hand_a_card_must_be_selected_and_the_mark_stays() -> None:
    room = table(hand="3c 9s Kd Kc", pile="Jd")
    before = sorted(hand(room))
    press(room, "up", "x")
    assert sorted(hand(room)) == before
    assert "Select a card first" in room.screen.noted
    assert "▲▲" in text_of(room)
    select(room, "9s")
    press(room, "x")
    assert "9s" not in hand(room)


def test_enter_on_a_meld_wants_a_selected_card() -> None:
    room = table(hand="4c 9s Kd")
    press(room, "up", "enter")
    assert "Select a card first" in room.screen.noted
