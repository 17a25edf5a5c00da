"""A course: steps on the real engine, each with its own deal, judged by what happens; a wrong move changes nothing."""

from __future__ import annotations

import asyncio

import pytest

from rummy_p2p.cards import Card, cards_text
from rummy_p2p.engine import IllegalAction, ParseError
from rummy_p2p.offline.lesson import Course, dealt
from rummy_p2p.offline.lesson_gin import STEPS, gin_course
from rummy_p2p.rules.actions import Discard, Draw
from rummy_p2p.sentences import Notice
from tests.cases.positions import CATALOGUE

GIN = CATALOGUE.compile("gin")


def course(step: int = 1) -> Course:
    return gin_course(GIN, ("Ada", "Bea"), step)


def said(seat: Course) -> list[str]:
    """What the course has said since it was last asked, events by their names."""

    items = list(seat._lines)
    seat._lines.clear()
    return [item.text if isinstance(item, Notice) else type(item).__name__ for item in items]


def verdict(seat: Course) -> str:
    """How the step stands now, whatever was known of it before."""
    return seat.verdict


def test_a_step_begins_with_its_story_the_deal_and_the_task() -> None:
    lines = said(course(2))
    assert lines[0] == "Step 2 of 9: Drawing"
    assert lines[-1].startswith("Your task: The jack on the pile")
    assert [line for line in lines if " " not in line] == ["Dealt", "Upcard", "Turn"]


def test_the_deal_is_a_real_one_in_the_order_of_the_script() -> None:
    game = dealt(STEPS[0], GIN)
    hand = game.view(0).state
    assert [len(cards) for cards in hand.hands] == [10, 10]
    assert sorted(cards_text(game.view(0).hand).split()) == sorted(STEPS[0].hands[0].split())
    assert str(hand.top()) == STEPS[0].pile
    assert len(hand.stock) == 31
    game.act(0, Draw())
    assert "3d" in cards_text(game.view(0).hand).split()


def test_a_refused_move_is_refused_by_the_engine_and_explained_by_the_lesson() -> None:
    seat = course(3)
    said(seat)
    before = seat.view()
    with pytest.raises(IllegalAction) as refused:
        seat.act("meld 5h 6h 7h")
    assert refused.value.code == "option-off"
    assert said(seat) == [
        "Gin keeps all melds in hand until somebody knocks; nothing is laid on the table before that."
    ]
    assert seat.reason.startswith("Gin keeps all melds")
    assert seat.view() == before
    assert verdict(seat) == "open"
    with pytest.raises(IllegalAction):
        seat.act("discard Js")  # not in hand: the lesson has nothing to add
    assert (said(seat), seat.reason) == ([], "")
    with pytest.raises(ParseError):
        seat.act("discard")


def test_what_is_reached_is_praised_and_nothing_more_is_played() -> None:
    seat = course(1)
    said(seat)
    seat.act("draw")
    assert verdict(seat) == "reached"
    assert said(seat)[-1] == "Type next to go on, or again to repeat this step."
    hand = seat.view().hand
    seat.act("discard Kc")
    assert seat.view().hand == hand
    assert said(seat) == ["This step is over. Type next, again or leave."]


def test_what_is_missed_can_be_tried_again() -> None:
    seat = course(3)
    seat.act("discard 5h")
    assert verdict(seat) == "missed"
    assert said(seat)[-2:] == [seat.lesson().astray, "Type again to try once more, or next to go on."]
    seat.commands()["again"][1]("")
    assert verdict(seat) == "open"
    assert "5h" in cards_text(seat.view().hand).split()
    seat.act("discard Kc")
    assert verdict(seat) == "reached"


def test_the_other_plays_as_the_script_has_it() -> None:
    seat = course(2)
    said(seat)
    seat.act("draw")
    seat.act("discard Kc")
    assert [line for line in said(seat) if " " not in line][-3:] == ["Drew", "Discarded", "Turn"]
    assert str(seat.view().state.top()) == "7h"


def test_where_the_script_ends_a_bot_plays_on() -> None:
    seat = course(1)
    seat._replies.clear()
    seat._game.act(0, Draw())
    seat._game.act(0, Discard(Card.parse("Kc")))
    seat._reply()
    assert seat.view().on_turn


def test_commands_lead_from_step_to_step() -> None:
    seat = course(4)
    commands = {name: command for name, (_help, command) in seat.commands().items()}
    assert all(text for text, _command in seat.commands().values())
    for word, rest, number in (
        ("next", "", 5),
        ("back", "", 4),
        ("step", "9", 9),
        ("next", "", 9),
        ("step", "1", 1),
        ("back", "", 1),
        ("step", "ten", 1),
        ("step", "²", 1),
        ("step", "99999999999", 1),
    ):
        commands[word](rest)
        assert seat.number == number, (word, rest)
    said(seat)
    commands["step"]("12")
    assert said(seat) == ["The steps are 1 to 9. Type step and a number, as in: step 5"]
    commands["task"]("")
    assert said(seat) == [f"Your task: {seat.lesson().task}"]
    commands["all"]("")
    assert [line for line in said(seat) if line.startswith("Step ")] == [seat.heading(n) for n in range(1, 10)]
    commands["leave"]("")
    assert asyncio.run(seat.next()) is None


def test_all_steps_are_on_one_page() -> None:
    page = course().page()
    assert page[0] == "Gin rummy: 2 players, 15-30 minutes, medium to learn"
    assert sum(line.startswith("Your task: ") for line in page) == len(STEPS) == 9


def test_who_waits_is_woken_by_what_happens() -> None:
    async def wait() -> object:
        seat = course()
        while seat._lines:
            await seat.next()
        asking = asyncio.ensure_future(seat.next())
        await asyncio.sleep(0)
        seat.commands()["task"][1]("")
        return await asking

    assert asyncio.run(wait()) == Notice(f"Your task: {course().lesson().task}")
