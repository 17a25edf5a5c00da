"""The nine steps of the gin tutorial: each can be reached as its task says, and missed by a legal move."""

from __future__ import annotations

from contextlib import suppress

import pytest

from rummy_p2p.arrange import discards, least_deadwood_value
from rummy_p2p.engine import IllegalAction, check, legal_actions
from rummy_p2p.offline.lesson import Course
from rummy_p2p.offline.lesson_gin import STEPS, gin_course
from rummy_p2p.sentences.lessons import GIN as WORDS
from tests.cases.positions import CATALOGUE

GIN = CATALOGUE.compile("gin")

REACHED = {
    1: ["draw"],
    2: ["draw", "discard Kc", "take"],
    3: ["discard Kc"],
    4: ["discard Kd"],
    5: ["knock Kd"],
    6: ["add 8h", "add 4h", "add Kd", "done"],
    7: ["knock Jd"],
    8: ["add 8h", "add Kd", "done"],
    9: ["knock Qd"],
}
MISSED = {
    2: ["take"],
    3: ["discard 6h"],
    4: ["discard 8d"],
    5: ["discard Kd"],
    6: ["add 8h", "done"],
    7: ["knock Ac"],
    8: ["done"],
    9: ["discard Qd"],
}
REFUSED = {
    1: ("discard Kc", "draw-first"),
    2: ("discard Kc", "draw-first"),
    3: ("meld 5h 6h 7h", "option-off"),
    4: ("knock Kd", "knock-limit"),
    5: ("knock Ad", "knock-limit"),
    6: ("add 9c 1", "does-not-fit"),
    7: ("meld Ac 2c 3c 4c", "option-off"),
    8: ("add 2h 2", "does-not-fit"),
    9: ("knock Ac", "knock-limit"),
}


def course(step: int) -> Course:
    return gin_course(GIN, ("Ada", "Bea"), step)


def test_there_are_nine_steps_with_words() -> None:
    assert len(STEPS) == len(WORDS) == len(REACHED) == len(REFUSED) == 9


@pytest.mark.parametrize("step", REACHED)
def test_a_step_is_reached_as_its_task_says_and_not_before_the_end(step: int) -> None:
    seat = course(step)
    for move in REACHED[step]:
        assert seat.verdict == "open"
        seat.act(move)
    assert seat.verdict == "reached"


@pytest.mark.parametrize("step", MISSED)
def test_a_legal_move_beside_the_task_misses_it(step: int) -> None:
    seat = course(step)
    for move in MISSED[step]:
        seat.act(move)
    assert seat.verdict == "missed"


@pytest.mark.parametrize("step", REFUSED)
def test_the_likely_mistake_is_refused_and_explained(step: int) -> None:
    seat = course(step)
    move, code = REFUSED[step]
    with pytest.raises(IllegalAction) as refused:
        seat.act(move)
    assert refused.value.code == code
    assert seat.reason == WORDS[step - 1].reasons[code]


@pytest.mark.parametrize("step", range(1, 10))
def test_whatever_is_legal_can_be_played_and_leads_to_a_verdict_or_on(step: int) -> None:
    for action in legal_actions(course(step).view()):
        seat = course(step)
        check(seat.view(), action)
        with suppress(IllegalAction):
            seat.act(str(action))
        assert seat.verdict in ("open", "reached", "missed")


def test_two_draws_that_make_no_meld_miss_the_step_about_drawing() -> None:
    broken = course(2)
    for move in ("draw", "discard 6h", "take"):  # the run that 7h would have made is gone
        broken.act(move)
    assert broken.verdict == "missed"
    twice = course(2)
    for move in ("draw", "discard Kc", "draw"):
        twice.act(move)
    assert twice.verdict == "missed"


def test_the_numbers_in_the_words_are_those_of_the_cards() -> None:
    loose = course(4).view().hand
    assert least_deadwood_value(loose, GIN) == 28
    assert min(discards(loose, GIN).values()) == 18
    knock = discards(course(5).view().hand, GIN)
    assert sorted(knock.values())[:2] == [10, 16]
    lay_off = course(6)
    before = least_deadwood_value(lay_off.view().hand, GIN)
    for move in REACHED[6][:3]:
        lay_off.act(move)
    assert before - least_deadwood_value(lay_off.view().hand, GIN) == 22


def test_the_points_are_those_of_the_rules() -> None:
    gin = course(7)
    gin.act("knock Jd")
    assert gin.match().scores == (46 + 25, 0)
    undercut = course(8)
    for move in REACHED[8]:
        undercut.act(move)
    assert undercut.match().scores == (9 - 5 + 25, 0)
    game = course(9)
    game.act("knock Qd")
    assert game.match().over
    assert game.match().scores == (82 + 42 + 100 + 5 * 25, 61 + 2 * 25)
