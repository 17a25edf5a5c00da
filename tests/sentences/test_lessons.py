"""What is taught in words: nine steps of gin, the header of a game, tips that fill in."""

from __future__ import annotations

import re

import pytest

from rummy_p2p.sentences import Notice
from rummy_p2p.sentences.lessons import (
    GIN,
    TipNotice,
    game_header,
    gin_lesson,
    lesson_text,
    step_heading,
    tip_text,
)
from tests.cases.positions import CATALOGUE


@pytest.mark.parametrize("number", range(1, 10))
def test_every_step_tells_asks_praises_and_consoles(number: int) -> None:
    lesson = gin_lesson(number)
    assert lesson == GIN[number - 1]  # as written, in English
    for text in (*lesson.story, lesson.task, lesson.praise, lesson.astray, *lesson.reasons.values()):
        assert re.search(r"[.!]$", text), text
        assert "{" not in text
    assert lesson.title[0].isupper()


def test_the_header_tells_players_minutes_and_difficulty() -> None:
    assert game_header(CATALOGUE.compile("gin")) == "Gin rummy: 2 players, 15-30 minutes, medium to learn"
    assert game_header(CATALOGUE.compile("rummy-no")) == "Norwegian rummy: 2-6 players, 15-30 minutes, easy to learn"


def test_headings_and_what_the_teacher_says() -> None:
    assert step_heading(2, 9, "Drawing") == "Step 2 of 9: Drawing"
    assert lesson_text("no-step", last=9) == "The steps are 1 to 9. Type step and a number, as in: step 5"


def test_a_tip_is_a_notice_with_its_text_alone_beside_it() -> None:
    text = tip_text("lay-off", card="10c", number=1)
    assert text == "10c fits meld 1 on the table: add 10c 1. It need not be your own meld."
    tip = TipNotice(lesson_text("tip", text=text), text)
    assert isinstance(tip, Notice)
    assert tip.text == f"Tip: {text}"
