"""The right side: the clock with its bar, facts and buttons, chat and log, the table of rounds."""

from __future__ import annotations

import pytest

from rummy_p2p.ui.canvas import Canvas
from rummy_p2p.ui.glyphs import ASCII, UNICODE
from rummy_p2p.ui.room import Key
from rummy_p2p.ui.table_side import button, draw_keys, draw_rounds, draw_side, timeline
from tests.ui.table import NAMES, make_scene

SMALL, LARGE = (22, 20), (34, 36)


def key(name: str, label: str, *, enabled: bool = True) -> Key:
    return Key((name,), label, lambda: None, enabled)


KEYS = (key("i", "Info"), key("v", "Invite", enabled=False))


def side(size: tuple[int, int] = SMALL, **changes: object) -> Canvas:
    canvas = Canvas(*size, ASCII)
    draw_side(canvas, make_scene(**changes))
    return canvas


# --- the clock -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("left", "shown", "style"),
    [
        (60.0, " Time 1:00 ##########", "bold"),
        (30.0, " Time 0:30 #####.....", "bold"),
        (19.5, " Time 0:20 ###.......", "yellow"),
        (9.5, " Time 0:10 ##........", "alert"),
        (0.0, " Time 0:00 ..........", "alert"),
    ],
)
def test_the_bar_shrinks_and_the_last_seconds_are_loud(left: float, shown: str, style: str) -> None:
    canvas = side(time=(left, 60.0))
    assert canvas.rows()[0] == shown
    assert canvas.style_at(1, 0) == style


def test_without_a_clock_that_is_said() -> None:
    assert side(time=None).rows()[0] == " No time limit"


# --- facts and buttons -----------------------------------------------------------------------------------------------


def test_facts_stand_beside_each_other_as_far_as_they_fit() -> None:
    rows = side(facts=("Limit 100", "Open 30", "Take all x2", "Knock on")).rows()
    assert rows[1:4] == (" Limit 100  Open 30", " Take all x2", " Knock on")
    rows = side(LARGE, facts=("Limit 100", "Open 30", "Take all x2")).rows()
    assert rows[1] == " Limit 100  Open 30  Take all x2"


def test_a_button_that_does_nothing_now_stays_in_its_place() -> None:
    canvas = side(side_keys=KEYS, facts=())
    assert canvas.rows()[1] == " [i Info] (v Invite)"
    assert canvas.target_at(2, 1) == ("key", "i")
    assert canvas.style_at(12, 1) == "disabled"
    assert button(KEYS[1]) == "(v Invite)"


def test_buttons_that_do_not_fit_go_into_the_next_line() -> None:
    canvas = Canvas(22, 4, ASCII)
    assert draw_keys(canvas, (*KEYS, key("r", "Rules")), 0) == 2
    assert canvas.rows()[1] == " [r Rules]"
    assert draw_keys(canvas, (), 3) == 3


# --- chat and log ----------------------------------------------------------------------------------------------------


def test_on_a_low_screen_chat_and_events_are_mixed_as_they_came() -> None:
    canvas = side(timeline=(("Bea", "who has 9s?"), ("", "Dag is out of the match with 104 points."), ("", "x 10h")))
    text = canvas.rows()
    head = next(y for y, row in enumerate(text) if "Chat" in row)
    assert text[head + 1 : head + 5] == (
        " Bea: who has 9s?",
        " * Dag is out of the",
        "   match with 104",
        "   points.",
    )
    assert canvas.style_at(1, head + 1) == "chat bold"
    assert canvas.style_at(1, head + 2) == ""


def test_the_newest_lines_stay_where_there_are_many() -> None:
    text = "\n".join(side(timeline=tuple(("Bea", f"line {n}") for n in range(50))).rows())
    assert "line 49" in text
    assert "line 20" not in text


def test_on_a_high_screen_chat_log_and_scores_have_their_own_parts() -> None:
    canvas = side(
        LARGE,
        timeline=(("Bea", "hello"), ("", "Ada drew a card.")),
        log=("Ada drew a card.", "Bea threw 7h."),
        names=NAMES,
        rounds=((18, 30, 0, 60), (13, 12, 67, 44)),
        scores=(31, 42, 67, 104),
        outs=frozenset({3}),
        name="Ada",
    )
    rows = canvas.rows()
    chat, log, scores = (next(y for y, row in enumerate(rows) if head in row) for head in ("Chat", "Log", "Scores"))
    assert chat < log < scores
    assert "Bea: hello" in rows[chat + 1]
    assert "drew" not in "\n".join(rows[chat:log])
    assert "Bea threw 7h." in "\n".join(rows[log:scores])
    assert rows[scores + 1].split() == ["R1", "R2", "Sum"]
    assert rows[scores + 2].split() == ["Ada", "18", "13", "31"]
    assert rows[scores + 5].split() == ["X", "Dag", "60", "44", "104"]


def test_a_speaker_is_named_once() -> None:
    canvas = Canvas(30, 4, ASCII)
    lines = timeline(canvas, (("Bea", "Bea: hello"), ("Cem", "hello"), ("", "The table goes on.")))
    assert lines == ["Bea: hello", "Cem: hello", "* The table goes on."]


def test_of_many_rounds_the_last_ones_are_shown() -> None:
    canvas = Canvas(34, 4, ASCII)
    rounds = tuple((number, number + 1) for number in range(1, 13))
    draw_rounds(canvas, make_scene(names=("Ada", "Bea"), rounds=rounds, scores=(78, 90), name="Ada"))
    head = canvas.rows()[0].split()
    assert head[-2:] == ["R12", "Sum"]
    assert head[0] != "R1"
    assert canvas.rows()[1].split()[-2:] == ["12", "78"]
