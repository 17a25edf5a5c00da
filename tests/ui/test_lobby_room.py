"""The lobby by keys, by mouse and by typing: what is asked of the network, and what is answered."""

from __future__ import annotations

import random
from collections.abc import Callable

import msgspec
import pytest

from rummy_p2p.ui.form import Plan
from rummy_p2p.ui.form_room import FormRoom
from rummy_p2p.ui.lobby_choice import Chooser
from rummy_p2p.ui.lobby_model import Person, Unfinished, Walking
from rummy_p2p.ui.lobby_room import LobbyRoom
from rummy_p2p.ui.popup import Page, Question
from rummy_p2p.ui.room import Mouse
from rummy_p2p.ui.screen import Screen
from tests.ui.lobby import SITTING, SIZES, TABLES, FakeLan, click, drawn, make_lobby, press, table

GUEST = msgspec.structs.replace(SITTING, mine=False)


def lobby(lan: FakeLan) -> tuple[FakeLan, Screen, LobbyRoom]:
    return lan, *make_lobby(lan)


def message(room: LobbyRoom) -> str:
    return drawn(room).rows()[-1]


# --- keys ------------------------------------------------------------------------------------------------------------


def test_enter_joins_what_is_chosen() -> None:
    lan, screen, room = lobby(FakeLan())
    assert "Enter = join Friday LAN" in message(room)
    press(screen, "down")
    assert "Enter = join Gin corner" in message(room)
    press(screen, "enter", "k", "enter")
    assert lan.asked == [("join", TABLES[1].address), ("join", TABLES[0].address)]


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (3, "All its seats are taken."),
    ],
)
def test_enter_says_why_there_is_no_seat(number: int, said: str) -> None:
    lan, screen, room = lobby(FakeLan())
    press(screen, str(number), "enter")
    assert screen.noted == said
    assert lan.asked == []
    assert "Enter = why not" in message(room)


def test_at_a_table_in_play_the_line_says_what_enter_does() -> None:
    lan, screen, room = lobby(FakeLan())
    press(screen, "6")
    assert "Enter = look on at Midnight" in message(room)
    press(screen, "enter", "y")
    assert lan.asked == [("look-on", TABLES[5].address)]


def test_a_closed_table_is_asked_and_asks_for_its_password() -> None:
    lan, screen, room = lobby(FakeLan())
    press(screen, "7")
    assert "Enter = join Closed shop" in message(room)
    press(screen, "enter")
    assert lan.asked == [("join", TABLES[6].address)]


def test_a_table_in_play_can_be_looked_on_at() -> None:
    lan, screen, _room = lobby(FakeLan())
    press(screen, "6", "w")
    press(screen, "enter", "n")
    assert lan.asked == [("look-on", TABLES[5].address)]
    press(screen, "enter", "y")
    assert lan.asked == [("look-on", TABLES[5].address)] * 2
    press(screen, "1")
    assert "w" not in {name for key in screen._keys() for name in key.keys}


def test_it_is_not_looked_on_at_while_something_else_is_under_way() -> None:
    lan, screen, room = lobby(FakeLan(busy="Connecting to Friday"))
    press(screen, "6")
    room.look_on()
    assert lan.asked == []
    assert "Connecting to Friday" in screen.noted


@pytest.mark.parametrize(
    ("caution", "said"),
    [
        ("blocked", "You have blocked Bea: P shows the list, b unblocks."),
        ("another-key", "Bea is known here by another key: ask who it is; P shows the words, t trusts."),
    ],
)
def test_a_table_of_somebody_blocked_or_changed_is_marked_and_not_joined(caution: str, said: str) -> None:
    lan, screen, room = lobby(FakeLan(rows=(table(1, "Friday LAN", caution=caution),)))
    shown = "\n".join(drawn(room).rows())
    assert " ".join(said.split()[:2]) in shown
    assert {"blocked": "blocked", "another-key": "other key"}[caution] in shown
    press(screen, "enter")
    assert screen.noted == said
    assert lan.asked == []


@pytest.mark.parametrize("number", [4, 5])
def test_rules_that_are_missing_or_differ_are_asked_for(number: int) -> None:
    lan, screen, _room = lobby(FakeLan())
    press(screen, str(number), "enter")
    assert lan.asked == [("join", TABLES[number - 1].address)]


def test_what_is_chosen_stays_chosen_when_others_go() -> None:
    lan, screen, room = lobby(FakeLan())
    press(screen, "2")
    lan.rows = TABLES[1:]
    assert "Gin corner" in message(room)
    lan.rows = TABLES[2:]
    assert "Garaj" in message(room)
    lan.rows = ()
    assert "n = new table" in message(room)
    press(screen, "enter", "up", "down")
    assert lan.asked == []


def test_a_match_to_be_gone_on_with_comes_first() -> None:
    kept = Unfinished("ab", "Thursday", ("Ada", "Bea"), 3, "2026-11-26 21:40")
    lan, screen, room = lobby(FakeLan(to_go_on=(kept,)))
    shown = "\n".join(drawn(room).rows())
    for said in ("Go on with Thursday: Ada, Bea", "Hand 3 is being", "2026-11-26", "[Enter Go on]"):
        assert said in shown
    assert "Enter = go on with Thursday" in message(room)
    press(screen, "enter")
    assert lan.asked == [("resume", "ab")]


def test_the_form_is_opened_and_what_it_stands_for_is_played() -> None:
    lan, screen, room = lobby(FakeLan())
    press(screen, "n")
    assert isinstance(screen.room, FormRoom)
    press(screen, "escape", "c", "p", "o")
    assert [asked[0] for asked in lan.asked] == ["open", "practice", "one_screen"]
    assert all(asked[1] == Plan("rummy-no") for asked in lan.asked)
    room.form.seats = 9
    press(screen, "c")
    assert screen.noted == "Not like this: These rules are for 2-6 players, not for 9."
    assert len(lan.asked) == 3


def test_find_shows_only_some() -> None:
    lan, screen, room = lobby(FakeLan())
    room.typed("find gin")
    assert "Tables on this LAN with “gin”" in drawn(room).rows()[1]
    assert "Gin corner" in message(room)
    room.find("nothing like it")
    assert "No table has “nothing like it”" in "\n".join(drawn(room).rows())
    press(screen, "f")
    assert "Friday LAN" in message(room)
    assert lan.asked == []


def test_the_other_rooms_are_opened() -> None:
    lan, screen, _room = lobby(FakeLan())
    press(screen, "r", "2", "r", "4", "r", "y", "S", "F")
    shown = [asked[1:] for asked in lan.asked]
    assert shown == [
        ("rules", "rummy-no", ("take-all",)),
        ("rules", "gin", ()),
        ("rules", "rummy-no", ()),  # those of the form: what is not installed has no sheet here
        ("replays", "", ()),
        ("settings", "", ()),
        ("learn", "rummy-no", ()),
    ]
    press(screen, "i")
    assert isinstance(screen.room, Page)


def test_what_cannot_be_done_says_why() -> None:
    lan, screen, _room = lobby(FakeLan())
    press(screen, "v")
    assert screen.noted.startswith("Sit down at a table first")
    press(screen, "/")
    assert screen.noted == "Chat is at the table: sit down at one first."
    lan.busy = "Connecting …"
    press(screen, "enter")
    assert screen.noted == "Wait a moment: Connecting …"
    assert lan.asked == []


# --- at a table ------------------------------------------------------------------------------------------------------


def test_after_a_line_of_chat_the_keys_act_again() -> None:
    lan, screen, _room = lobby(FakeLan(seat=msgspec.structs.replace(SITTING, why="")))
    asked: list[tuple[str, bool]] = []

    def line(prompt: str, send: Callable[[str], None], *, once: bool = False) -> None:
        asked.append((prompt, once))
        send("well met")

    screen.open_line = line  # type: ignore[method-assign,assignment]  # what is typed comes from the test
    press(screen, "/", "enter")
    assert asked == [("chat>", True)]
    assert lan.asked == [("say", "well met"), ("start",)]


def test_at_a_table_the_keys_of_a_new_one_say_why_they_do_nothing() -> None:
    lan, screen, _room = lobby(FakeLan(seat=SITTING))
    for name in ("n", "c", "p", "o", "C"):
        screen.note("")
        press(screen, name)
        assert screen.noted == "You sit at Friday LAN. Leave it first (q)."
    assert lan.asked == []


def test_who_opened_the_table_is_told_what_becomes_of_free_seats() -> None:
    lan, _screen, room = lobby(FakeLan(rows=(), seat=msgspec.structs.replace(SITTING, seats=SITTING.seats[:2], why="")))
    shown = " ".join(row[:56].strip("│ ") for row in drawn(room).rows())
    assert "2 seats are still free: you can wait for others, or start without, with 2 players." in shown
    assert "No other table is open on this network." in shown
    assert "firewall" not in shown
    lan.trouble = "No network interface can be used (none)."
    assert "No network interface can be used" in "\n".join(drawn(room).rows())
    lan.seat = SITTING
    assert "still free" not in "\n".join(drawn(room).rows())


def test_enter_without_a_table_says_why_it_does_nothing() -> None:
    lan, screen, room = lobby(FakeLan(rows=()))
    press(screen, "enter")
    assert screen.noted.startswith("No table can be joined yet: n opens one")
    lan.rows = TABLES
    room.find("nothing like it")
    press(screen, "enter")
    assert screen.noted == "No table has “nothing like it”: f shows all of them again."
    assert lan.asked == []


def test_who_opened_the_table_starts_when_all_are_ready() -> None:
    lan, screen, room = lobby(FakeLan(seat=SITTING))
    press(screen, "enter")
    assert (screen.noted, lan.asked) == ("Not ready yet: Cem.", [])
    lan.seat = msgspec.structs.replace(SITTING, why="")
    assert "Enter = start the match" in message(room)
    press(screen, "enter")
    assert lan.asked == [("start",)]


def test_a_guest_is_ready_and_leaves() -> None:
    lan, screen, room = lobby(FakeLan(seat=GUEST))
    assert "Enter = you are ready" in message(room)
    press(screen, "enter", "q")
    assert lan.asked == [("ready",), ("leave",)]
    lan.seat = msgspec.structs.replace(GUEST, ready=True)
    assert "Enter = not yet" in message(room)
    assert room.title() == "rummy-p2p: Friday LAN"


def test_closing_a_table_with_guests_is_asked_about() -> None:
    lan, screen, room = lobby(FakeLan(seat=SITTING))
    press(screen, "q")
    assert isinstance(screen.room, Question)
    press(screen, "n")
    assert lan.asked == []
    assert room.title() == "rummy-p2p: Friday LAN"
    press(screen, "q", "y")
    assert lan.asked == [("leave",)]
    lan.seat = msgspec.structs.replace(SITTING, seats=SITTING.seats[:1])
    press(screen, "q")
    assert lan.asked == [("leave",), ("leave",)]


def test_one_sits_at_one_table_at_a_time() -> None:
    lan, screen, room = lobby(FakeLan(seat=GUEST))
    click(screen, room, "Gin corner", "double")
    assert screen.noted == "You sit at Friday LAN. Leave it first (q)."
    assert lan.asked == []


def test_quit_asks_only_when_there_is_a_table_to_leave() -> None:
    lan, screen, room = lobby(FakeLan())
    press(screen, "q")
    lan.seat = GUEST
    room.typed("quit")
    press(screen, "n")
    assert lan.asked == [("quit",)]
    room.typed("quit")
    press(screen, "y")
    assert lan.asked == [("quit",), ("quit",)]


# --- mouse -----------------------------------------------------------------------------------------------------------


def test_the_mouse_chooses_joins_and_presses_buttons() -> None:
    lan, screen, room = lobby(FakeLan())
    pressed: list[str] = []
    screen.press = pressed.append  # type: ignore[method-assign,assignment]  # a screen that is not shown has no size
    click(screen, room, "Gin corner", "down")
    assert "Gin corner" in message(room)
    click(screen, room, "Friday LAN", "double")
    assert lan.asked == [("join", TABLES[0].address)]
    click(screen, room, "[Enter Join]")
    click(screen, room, "[c Create]")
    click(screen, room, "C = Address")
    click(screen, room, "s = Search")
    assert pressed == ["enter", "c", "C", "s"]
    room.mouse(Mouse("wheel-down", None, 0, 0))
    assert "Gin corner" in message(room)
    room.mouse(Mouse("wheel-up", None, 0, 0))
    room.mouse(Mouse("up", None, 0, 0))
    assert "Friday LAN" in message(room)


def test_how_others_come_is_shown_at_the_own_table_alone() -> None:
    lan, screen, room = lobby(FakeLan(seat=SITTING))
    press(screen, "Q")
    room.typed("code")
    assert lan.asked == [("show", "ways", "", ())] * 2
    lan.seat = GUEST
    assert "Q" not in {name for key in screen._keys() for name in key.keys}


def test_guests_are_let_in_at_the_own_table_alone() -> None:
    lan, screen, room = lobby(FakeLan(seat=SITTING))
    press(screen, "G")
    room.typed("guests")
    assert lan.asked == [("guests",)] * 2
    lan.seat = msgspec.structs.replace(SITTING, by_ssh="ssh -p 2222 NAME@192.168.1.23")
    shown = "\n".join(drawn(room).rows())
    assert "ssh -p 2222 NAME@192.168.1.23" in shown
    assert "[G No guests]" in shown
    lan.seat = GUEST
    assert "G" not in {name for key in screen._keys() for name in key.keys}


def test_doctor_and_people_are_a_key_away() -> None:
    lan, screen, _room = lobby(FakeLan())
    press(screen, "d", "P")
    assert lan.asked == [("show", "doctor", "", ()), ("show", "people", "", ())]


# --- looking further ------------------------------------------------------------------------------------------------


def test_a_walk_along_the_network_is_begun_told_and_ended() -> None:
    lan, screen, room = lobby(FakeLan())
    press(screen, "s")
    lan.walking = Walking("Searching 192.168.1.0/24: 128 of 254.", 128, 254)
    hints = drawn(room).rows()[-2]
    assert "128 of 254" in hints
    assert "██████" in hints
    assert hints.rstrip().endswith("s = Stop")
    room.typed("search")
    assert lan.asked == [("walk",), ("walk",)]


def test_what_was_tried_besides_is_told_where_there_is_no_table() -> None:
    _lan, _screen, room = lobby(
        FakeLan(rows=(), told=("Trying those from last time: Bea.", "None of them is where it was."))
    )
    shown = "\n".join(drawn(room).rows())
    assert "Trying those from last time: Bea." in shown
    assert "None of them is where it was." in shown


# --- typing ----------------------------------------------------------------------------------------------------------


def test_words_typed_in_a_lobby_that_was_drawn_before_the_network_reach_it() -> None:
    early, _screen, room = lobby(FakeLan())
    late = FakeLan(seat=SITTING)
    room.meet(late)
    for text in ("ready", "rematch", "chat hi", "vote kick Bea", "search", "guests", "code", "settings"):
        room.typed(text)
    assert early.asked == []
    assert [each[0] for each in late.asked] == ["ready", "ready", "say", "vote", "walk", "guests", "show", "show"]


@pytest.mark.parametrize(("ready", "words"), [(False, ("unready", "ready")), (True, ("ready", "rematch", "unready"))])
def test_who_is_ready_already_can_say_so_again(ready: bool, words: tuple[str, ...]) -> None:  # noqa: FBT001 -- both are
    lan, _screen, room = lobby(FakeLan(seat=msgspec.structs.replace(GUEST, ready=ready)))
    for word in words:
        assert lan.asked == []
        room.typed(word)
    assert lan.asked == [("ready",)]


def test_what_is_typed() -> None:
    lan, screen, room = lobby(FakeLan())
    lines = ("join 2", "/host gin --seats 2", "games", "tables --nick Bea", "ready", "rematch", "chat well met", "quit")
    for text in lines:
        room.typed(text)
    assert lan.asked == [
        ("command", "join 2"),
        ("command", "host gin --seats 2"),
        ("command", "games"),
        ("command", "tables --nick Bea"),
        ("ready",),
        ("ready",),
        ("say", "well met"),
        ("quit",),
    ]
    room.typed("leave")
    assert screen.noted == "You sit at no table."
    room.typed("profile")
    assert isinstance(screen.room, Page)
    screen.leave()
    room.typed("new")
    assert isinstance(screen.room, FormRoom)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("jo", ("join",)),
        ("join g", ("Gin corner", "Garaj")),
        ("join 7", ("7",)),
        ("host rummi", ("rummi-tr",)),
        ("host gin --house und", ("undercut-on-tie",)),
        ("host gin --h", ("--house",)),
        ("help pr", ("practice", "profile")),
        ("se", ("search", "settings")),
        ("quit n", ()),
    ],
)
def test_what_is_completed(text: str, found: tuple[str, ...]) -> None:
    _lan, _screen, room = lobby(FakeLan())
    assert room.complete(text) == found


def test_it_looks_for_changes_as_long_as_it_is_there() -> None:
    lan, _screen, room = lobby(FakeLan())
    assert len(lan.watchers) == 1
    room.close()
    assert lan.watchers == []


@pytest.mark.parametrize("seed", range(4))
def test_any_keys_and_clicks_leave_it_in_order(seed: int) -> None:
    dice = random.Random(seed)
    lan, screen, room = lobby(FakeLan())
    screen.open_line = lambda *_given, **_named: None  # type: ignore[method-assign]  # nobody types
    for _ in range(300):
        lan.rows = tuple(dice.sample(TABLES, dice.randrange(len(TABLES))))
        lan.seat = dice.choice([None, None, SITTING, GUEST])
        if screen.room is None:
            screen.enter(room)
        keys = [name for key in screen._keys() for name in key.keys if name != "c-l"]
        press(screen, dice.choice(keys))
        size = dice.choice(SIZES)
        top = screen.room or room
        canvas = drawn(top, size)
        x, y = dice.randrange(size[0]), dice.randrange(size[1])
        screen.press = lambda name: press(screen, name)  # type: ignore[method-assign]  # whatever its size
        top.mouse(Mouse(dice.choice(("down", "up", "double")), canvas.target_at(x, y), x, y))


# --- inviting --------------------------------------------------------------------------------------------------------


def test_somebody_who_is_present_is_invited_by_key_or_by_name() -> None:
    lan, screen, room = lobby(FakeLan(seat=SITTING))
    press(screen, "v")
    chooser = screen.room
    assert isinstance(chooser, Chooser)
    shown = "\n".join(drawn(chooser).rows())
    assert "Invite whom?" in shown
    assert "Cem, has Gin corner" in shown
    press(screen, "down", "enter")
    assert screen.room is room
    room.typed("invite cem")
    assert lan.asked == [("invite", "da" * 32), ("invite", "ce" * 32)]
    room.typed("invite Bea")  # who sits at the table already
    assert screen.noted == "Nobody here is called Bea, or sits at the table already."
    assert room.complete("invite ") == ("Cem", "Dag")


def test_why_nobody_can_be_invited_is_told() -> None:
    lan, screen, room = lobby(FakeLan(seat=msgspec.structs.replace(SITTING, total=3)))
    press(screen, "v")
    assert screen.noted == "All seats of this table are taken."
    lan.seat, lan.persons = SITTING, lan.persons[:2]
    press(screen, "v")
    assert screen.noted.startswith("Nobody else is here")
    lan.persons = tuple(Person("Cem", id=each * 32) for each in ("c1", "c2"))
    room.typed("invite Cem")
    assert screen.noted == "Several players here are called Cem: choose one with v."
    assert lan.asked == []


def test_a_number_without_a_table_is_answered() -> None:
    _lan, screen, room = lobby(FakeLan())
    before = message(room)
    press(screen, "9")
    assert screen.noted == "There is no table 9 in the list: arrows choose one that is there."
    assert message(room) == before
