"""Learning on the full screen: the box with the story, the table below it, what a mistake is answered, the verdict."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable

import pytest

from rummy_p2p.bots import LEVELS
from rummy_p2p.cards import cards_text
from rummy_p2p.offline.lesson import Course
from rummy_p2p.offline.lesson_gin import STEPS, gin_course
from rummy_p2p.offline.lesson_guide import guided_seat
from rummy_p2p.sentences.lessons import _TIP_KEYS, _TIPS, TipNotice, tip_keys, tip_text
from rummy_p2p.ui.glyphs import ASCII
from rummy_p2p.ui.learn_room import _KEYS, GuideRoom, LearnRoom
from rummy_p2p.ui.popup import Page
from rummy_p2p.ui.screen import Screen
from rummy_p2p.ui.style import Look
from tests.cases.positions import CATALOGUE
from tests.offline.test_lesson_gin import REACHED
from tests.ui.lobby import SIZES, check_golden, click, drawn, make_screen, press

GIN = CATALOGUE.compile("gin")


class Learning:
    """A course on a screen that is never shown; what happens is heard at once."""

    def __init__(self, step: int = 1, *, ascii_only: bool = False) -> None:
        self.course: Course = gin_course(GIN, ("Ada", "Bea"), step)
        self.screen: Screen = make_screen(Look(glyphs=ASCII) if ascii_only else None)
        self.room = LearnRoom(self.screen, self.course)
        self.screen.enter(self.room)
        self.hear()

    def hear(self) -> None:
        while self.course._lines:
            self.room.hear(self.course._lines.popleft())

    def press(self, *names: str) -> None:
        for name in names:
            press(self.screen, name)
            self.hear()

    def type(self, *texts: str) -> None:
        for text in texts:
            self.room.typed(text)
            self.hear()

    def text(self) -> str:
        return "\n".join(drawn(self.room).rows())

    @property
    def box(self) -> str:
        """The title of the box; empty when there is none."""
        return "" if self.room.box is None else self.room.box.title


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1] + 2}")
@pytest.mark.parametrize("step", [1, 5])
def test_a_step_looks_as_it_did(step: int, size: tuple[int, int]) -> None:
    check_golden(f"learn-{step}-{size[0]}x{size[1] + 2}", drawn(Learning(step).room, size))


@pytest.mark.parametrize(
    ("name", "moves"), [("refused", ["knock Ad"]), ("reached", ["knock Kd"]), ("missed", ["discard Kd"])]
)
def test_what_a_move_is_answered_looks_as_it_did(name: str, moves: list[str]) -> None:
    learning = Learning(5)
    learning.press("enter")
    learning.type(*moves)
    check_golden(f"learn-{name}-80x24", drawn(learning.room))


def test_in_ascii_it_looks_as_it_did() -> None:
    canvas = drawn(Learning(6, ascii_only=True).room, ascii_only=True)
    assert all(row.isascii() for row in canvas.rows())
    check_golden("learn-6-80x24-ascii", canvas)


def test_the_story_stays_until_the_learner_begins() -> None:
    learning = Learning(3)  # the card was drawn before the first move
    assert learning.box == "Step 3 of 9: Melds"
    assert learning.screen.noted == ""
    learning.press("enter")
    assert learning.box == ""
    learning.press("T")
    assert learning.box == "Step 3 of 9: Melds"
    learning.type("discard Kc")
    assert learning.box == "Done"


def test_a_move_without_closing_the_story_puts_it_away() -> None:
    learning = Learning(2)
    learning.press("d")
    assert learning.box == ""
    assert len(learning.course.view().hand) == 11


@pytest.mark.parametrize("step", REACHED)
def test_every_step_can_be_reached_by_typing_and_leads_to_the_next(step: int) -> None:
    learning = Learning(step)
    learning.type(*REACHED[step])
    assert learning.box == "Done"
    assert learning.course.lesson().praise.split()[-1] in learning.text()
    learning.press("enter")
    if step < len(STEPS):
        assert learning.course.number == step + 1
        assert learning.box == learning.course.heading()
    else:
        assert learning.room.state.closed


def test_a_refusal_is_explained_whoever_refused_it() -> None:
    typed = Learning(3)
    typed.type("meld 5h 6h 7h")  # the engine
    assert typed.box == "Why"
    assert "melds stay in hand until somebody knocks" in typed.text()
    assert "Gin keeps all melds in hand" in typed.text()
    typed.press("enter")
    assert typed.box == ""
    pressed = Learning(3)
    pressed.press("enter", "space", "m")  # the screen, before the engine was asked
    assert pressed.box == "Why"
    assert "Gin keeps all melds in hand" in pressed.text()


def test_a_refusal_without_a_word_of_the_lesson_is_a_note() -> None:
    learning = Learning(3)
    learning.press("enter")
    learning.type("discard Js")
    assert learning.box == ""
    assert learning.screen.noted.startswith("You do not hold J♠")


def test_what_was_missed_is_begun_again() -> None:
    learning = Learning(3)
    learning.type("discard 5h")
    assert learning.box == "Not yet"
    learning.press("escape")
    assert learning.box == ""
    learning.press("T")
    assert learning.box == "Not yet"
    learning.press("enter")
    assert (learning.course.verdict, learning.box) == ("open", "Step 3 of 9: Melds")
    assert "5h" in cards_text(learning.course.view().hand).split()


def test_keys_and_words_lead_from_step_to_step() -> None:
    learning = Learning(4)
    for how, what, number in (
        (learning.press, "n", 5),
        (learning.press, "b", 4),
        (learning.type, "step 9", 9),
        (learning.press, "n", 9),
        (learning.type, "back", 8),
        (learning.type, "again", 8),
    ):
        how(what)
        assert learning.course.number == number
        assert learning.box == learning.course.heading()
    done = Learning(1)
    done.type("draw", "next")
    assert done.box == "Step 2 of 9: Drawing"


def test_all_steps_are_a_page_over_the_table() -> None:
    learning = Learning()
    learning.press("l")
    page = learning.screen.room
    assert isinstance(page, Page)
    assert any("Step 1 of 9: The deal" in row for row in drawn(page).rows())
    press(learning.screen, "escape")
    learning.press("enter")
    learning.type("all")
    assert isinstance(learning.screen.room, Page)


def test_the_task_can_be_asked_for_by_word() -> None:
    learning = Learning()
    learning.press("enter")
    learning.type("task")
    assert learning.box == "Step 1 of 9: The deal"


def test_after_the_hand_enter_shows_what_came_of_it() -> None:
    learning = Learning(9)
    learning.type("knock Qd")
    assert learning.screen.room is learning.room  # no score over it: the points stand in the box
    assert "for the difference in loose cards" in learning.text()
    learning.press("escape", "enter")
    assert learning.box == "Done"
    assert learning.room.title() == "Learn: Gin rummy"


@pytest.mark.parametrize("number", range(1, len(STEPS) + 1))
def test_a_step_names_key_and_word_of_each_move_as_the_table_has_them(number: int) -> None:
    learning = Learning(number)
    shown = " ".join(learning.text().replace("│", " ").split())
    keys = {key.keys[0]: key for key in learning.room.keys()}  # noqa: SIM118 -- a method, no dict
    moves = learning.course.lesson().moves
    assert moves
    for move in moves:
        key = keys[_KEYS[move]]
        assert f"{key.cap} {key.label}" in shown
        assert f"type: {move}" in shown
    assert "[Enter Play]" in shown


def test_the_mouse_presses_what_stands_in_the_box() -> None:
    learning = Learning()
    for kind in ("down", "up"):
        click(learning.screen, learning.room, "[n Next step]", kind)
    learning.hear()
    assert learning.course.number == 2
    for kind in ("down", "up"):
        click(learning.screen, learning.room, "[Enter Play]", kind)
    assert learning.box == ""


def test_keys_and_moves_at_random_never_break_it() -> None:
    dice, learning = random.Random(11), Learning()
    for _ in range(600):
        room = learning.screen.room
        assert room is not None
        keys = room.keys()
        key = dice.choice([key for key in keys if {"q", "H"}.isdisjoint(key.keys)])  # a hint wants a loop that runs
        if (
            isinstance(room, LearnRoom)
            and learning.course.number == 9
            and learning.box == "Done"
            and "enter" in key.keys
        ):
            learning.course.go(1)
        else:
            key.act()
        learning.hear()
        drawn(learning.room, (dice.randrange(80, 140), dice.randrange(22, 45)))


# --- a guided hand ---------------------------------------------------------------------------------------------------


def guiding() -> tuple[Screen, GuideRoom, Callable[[], None]]:
    seat = guided_seat(CATALOGUE.compile("rummy-sv"), 3, "Ada", 5, LEVELS["normal"], stays=True)
    screen = make_screen()
    room = GuideRoom(screen, seat, facts=seat.facts)
    screen.enter(room)

    async def hear() -> None:
        while True:
            asking = asyncio.ensure_future(seat.next())
            await asyncio.sleep(0)
            if not asking.done():
                asking.cancel()
                await asyncio.gather(asking, return_exceptions=True)
                seat._acted = asyncio.Event()  # bound to this loop
                return
            item = asking.result()
            if item is not None:
                room.hear(item)

    return screen, room, lambda: asyncio.run(hear())


def test_a_tip_lies_over_the_table_and_leaves_its_keys_alone() -> None:
    screen, room, hear = guiding()
    hear()
    assert room.box is not None
    assert room.box.title == "Tip"
    check_golden("guide-80x24", drawn(room))
    press(screen, "d")  # a key of the table, below the box
    hear()
    assert len(room.seat.view().hand) == 14  # type: ignore[union-attr]  # a hand is being played
    press(screen, "enter")
    assert room.box is None


def test_a_tip_is_shown_in_the_box_and_kept_in_the_log() -> None:
    _screen, room, _hear = guiding()
    room.hear(TipNotice("Tip: Keep calm.", "Keep calm."))
    assert "Keep calm." in "\n".join(drawn(room).rows())
    assert "Tip: Keep calm." in room.state.log


def test_a_tip_about_something_to_type_names_the_keys_and_hides_neither_hand_nor_players() -> None:
    _screen, room, hear = guiding()
    hear()
    text = tip_text("sort")
    room.hear(TipNotice(f"Tip: {text}", text, "sort"))
    rows = drawn(room).rows()
    shown = "\n".join(rows)
    assert "Keys: s sorts in the next way" in shown
    for name in room.seat.names[1:]:
        assert name in "\n".join(rows[1:3])
    assert "Hand 13" in shown
    assert "YOUR TURN" in rows[-1]
    assert all(code in _TIPS and tip_keys(code) for code in _TIP_KEYS)
    assert tip_keys("watch") == ""
