"""The question that an invitation puts: for a moment nothing answers it."""

from __future__ import annotations

from rummy_p2p.ui.invited import SETTLE, Unexpected
from rummy_p2p.ui.room import Mouse
from tests.ui.lobby import click, make_screen, press
from tests.ui.table import Clock


def test_a_key_that_was_on_its_way_answers_nothing() -> None:
    screen, clock, said = make_screen(), Clock(), list[str]()
    answers = (("y", "Yes", lambda: said.append("yes")), ("n", "No", lambda: said.append("no")))
    for wanted in ("y", "n", "escape"):
        question = Unexpected(screen.below, screen.leave, "Join?", answers, clock)
        screen.enter(question)
        press(screen, "y", "n", "escape")
        question.mouse(Mouse("up", None, 0, 0))
        assert screen.room is question
        clock.now += SETTLE
        press(screen, wanted)
        assert screen.room is None
    assert said == ["yes", "no", "no"]  # Esc is a no: whoever has asked waits for an answer


def test_it_is_answered_by_a_click_as_well() -> None:
    screen, clock, said = make_screen(), Clock(), list[str]()
    question = Unexpected(screen.below, screen.leave, "Join?", (("y", "Yes", lambda: said.append("yes")),), clock)
    screen.enter(question)
    click(screen, question, "y Yes")
    clock.now += SETTLE
    click(screen, question, "y Yes")
    assert said == ["yes"]
