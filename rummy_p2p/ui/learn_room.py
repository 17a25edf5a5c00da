"""Learning at the table: a step of a course, or a guided hand, is played there; what is taught lies over it in a box.

The law of the file
    The table below is the table room itself, with all its keys. A box takes over the few keys that stand in it and
    leaves the others alone; it goes away when the player goes on, and nothing that was said is lost: it is in the log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from rummy_p2p.engine import IllegalAction
from rummy_p2p.engine import events as ev
from rummy_p2p.sentences import Notice, score_lines
from rummy_p2p.sentences.lessons import Lesson, TipNotice, how_text, lesson_text, tip_keys
from rummy_p2p.sentences.reading import reading_text
from rummy_p2p.sentences.screen import TableFacts
from rummy_p2p.sentences.titles import title_text
from rummy_p2p.ui.canvas import Canvas, text_width, wrap
from rummy_p2p.ui.console import Seat
from rummy_p2p.ui.pane import Line
from rummy_p2p.ui.room import Key
from rummy_p2p.ui.screen import Screen
from rummy_p2p.ui.table_mouse import Pointer
from rummy_p2p.ui.table_play import Play
from rummy_p2p.ui.table_room import Entry, TableRoom
from rummy_p2p.ui.table_side import draw_keys

_WIDEST: Final = 72
_KEYS: Final = {"draw": "d", "take": "t", "discard": "x", "knock": "c", "add": "a", "done": "o"}


class Course(Seat, Protocol):
    """A seat in a row of steps."""

    number: int
    reason: str

    @property
    def last(self) -> int:
        """How many steps there are."""
        ...

    @property
    def verdict(self) -> str:
        """How the step stands: open, reached or missed."""
        ...

    def lesson(self, number: int = 0) -> Lesson:
        """Return what is said about a step; 0: about this one."""
        ...

    def heading(self, number: int = 0) -> str:
        """Return the heading of a step; 0: of this one."""
        ...

    def page(self) -> tuple[str, ...]:
        """Return all steps on one page."""
        ...

    def go(self, number: int) -> None:
        """Go to a step."""
        ...

    def enter(self, number: int) -> None:
        """Begin a step again."""
        ...

    def explain(self, code: str) -> None:
        """Say what the step has to add to a refusal: it is in ``reason``."""
        ...


@dataclass(frozen=True, slots=True)
class Box:
    """What lies over the table: its title, its lines, its keys; ``stays``: only a key of its own takes it away."""

    title: str
    lines: tuple[Line, ...]
    keys: tuple[Key, ...]
    stays: bool = False


def draw_box(canvas: Canvas, box: Box) -> None:
    """Draw a box just above the hand, so that this and the other players stay in sight where there is room."""
    width = min(_WIDEST, canvas.width - 6)
    rows = [line._replace(text=part) for line in box.lines for part in wrap(line.text, width - 4 - line.indent)]
    rows = rows[: canvas.height - 6]
    left, top = (canvas.width - width) // 2, max(1, _hand_top(canvas) - len(rows) - 4)
    canvas.box(left, top, width, len(rows) + 4, box.title, "title", ("box",))
    for y, row in enumerate(rows, top + 1):
        canvas.put(left + 2 + row.indent, y, row.text, row.style, ("box",))
    shown = [key for key in box.keys if key.label]
    draw_keys(canvas.part(left + 2, top + len(rows) + 2, width - 4, 1), _fitting(shown, width - 4), 0, 0)


def _hand_top(canvas: Canvas) -> int:
    """Return the line above the hand of the table that was drawn; the top when there is no hand."""
    cells = ((x, y) for y in range(canvas.height) for x in range(canvas.width))
    card = next((y for x, y in cells if (canvas.target_at(x, y) or ("",))[0] == "slot"), 0)
    return max(0, card - 2)


def _fitting(keys: Sequence[Key], width: int) -> list[Key]:
    """Return as many of the keys as stand beside each other, the first ones first."""
    found: list[Key] = []
    used = 0
    for key in keys:
        used += text_width(f"[{key.cap} {key.label}] ")
        if used <= width + 1:
            found.append(key)
    return found


class BoxedRoom(TableRoom):
    """A table with a box that may lie over it."""

    box: Box | None = None

    def draw(self, canvas: Canvas) -> None:
        """Draw the table and what lies over it."""
        super().draw(canvas)
        if self.box is not None:
            draw_box(canvas, self.box)

    def keys(self) -> tuple[Key, ...]:
        """Return the keys of the box, and those of the table that it leaves free."""
        own = self.box.keys if self.box is not None else ()
        taken = {name for key in own for name in key.keys}
        table = super().keys()
        return (*own, *(key for key in table if not taken & set(key.keys)))

    def hear(self, item: Entry) -> None:
        """Take in what has happened; a box that does not stay goes away with the player's own move."""
        own = isinstance(item, ev.Event) and getattr(item, "seat", None) == self.seat.seat
        if own and not isinstance(item, ev.Turn) and self.box is not None and not self.box.stays:
            self.close_box()
        super().hear(item)

    def close_box(self) -> None:
        """Put the box away."""
        self.box = None

    def closing(self) -> Key:
        """Return the key that puts the box away."""
        return Key(("enter", "escape"), reading_text("close"), self.close_box, help=reading_text("close-help"))


class GuideRoom(BoxedRoom):
    """A guided hand: every tip is shown in a box."""

    def hear(self, item: Entry) -> None:
        """Take in what has happened, and show a tip."""
        super().hear(item)
        if isinstance(item, TipNotice):
            self.screen.note("")
            keys = tip_keys(item.code)
            lines = (Line(item.tip), *((Line(keys, "bold"),) if keys else ()))
            self.box = Box(reading_text("tip"), lines, (self.closing(),))


class LessonPlay(Play):
    """The moves of a learner: to what the screen refuses by itself the course adds its word."""

    course: Course | None = None

    def refuse(self, error: IllegalAction) -> None:
        """Tell why not."""
        if self.course is not None:
            self.course.explain(error.code)
        super().refuse(error)


class LearnRoom(BoxedRoom):
    """A course: a box with the story and the task begins each step, another says what has come of it."""

    def __init__(self, screen: Screen, course: Course, *, pace: float = 0.0) -> None:
        """Begin where the course stands."""
        super().__init__(screen, course, facts=TableFacts, pace=pace)
        self._course = course
        play = LessonPlay(course, self.state, self.console, self.tell, screen.start, self.face)
        play.course = course
        self.play = play
        self._pointer = Pointer(self.play, self._press, self.take)
        self._reckoned: tuple[str, ...] = ()
        self._is_told = False  # whether all that happens before the learner's first move has been heard
        self._show_step()

    # --- what is said ------------------------------------------------------------------------------------------------

    def _show_step(self) -> None:
        lesson = self._course.lesson()
        story = tuple(Line(text) for text in lesson.story)
        how = tuple(Line(text, "dim", 2) for text in self._how(lesson))
        task = (Line(""), Line(reading_text("your-task"), "bold"), Line(lesson.task, "", 2), *how)
        play = Key(("enter", "escape"), reading_text("play-step"), self.close_box, help=reading_text("play-step-help"))
        keys = (play, *self._steps(), self._all())
        self.box = Box(self._course.heading(), (*story, *task), keys, stays=not self._is_told)

    def _how(self, lesson: Lesson) -> Iterator[str]:
        """Yield how the moves of the task are made, with the keys that the table has for them."""
        keys = {key.keys[0]: key for key in TableRoom.keys(self)}
        for move in lesson.moves:
            if (key := keys.get(_KEYS[move])) is not None:
                yield how_text(move, f"{key.cap} {key.label}")

    def _show_verdict(self) -> None:
        lesson, reached = self._course.lesson(), self._course.verdict == "reached"
        counted = tuple(Line(line, "dim", 2) for line in self._reckoned)
        said = Line(lesson.praise if reached else lesson.astray, "bold")
        keys = (self._onward() if reached else self._again("enter"), *self._steps(), self._all())
        title = reading_text("well-done" if reached else "not-quite")
        self.box = Box(title, (said, *counted), (*keys, self._hiding()), stays=True)

    def _hiding(self) -> Key:
        return Key(("escape",), reading_text("close"), self.close_box, help=reading_text("close-help"))

    def _show_task(self) -> None:
        if self._course.verdict == "open":
            self._show_step()
        else:
            self._show_verdict()

    def tell(self, lines: Sequence[str]) -> None:
        """Show an answer; a refusal together with what the course has to add."""
        reason, self._course.reason = self._course.reason, ""
        if lines and reason:
            shown = (*(Line(line) for line in lines), Line(reason, "bold"))
            self.box = Box(reading_text("why"), shown, (self.closing(),))
        else:
            super().tell(lines)

    # --- keys --------------------------------------------------------------------------------------------------------

    def keys(self) -> tuple[Key, ...]:
        """Return the keys of the box and of the table, and one that shows the task again."""
        task = Key(("T",), reading_text("task"), self._show_task, help=reading_text("task-help"))
        return (*super().keys(), task)

    def _steps(self) -> tuple[Key, ...]:
        """Return the keys that lead to another step; what ``enter`` does already has none."""
        course, text = self._course, reading_text
        missed = course.verdict == "missed"
        again = () if missed else (self._again("a"),)
        onward = Key(
            ("n",), text("next-step"), self._going(1), course.number < course.last, help=text("next-step-help")
        )
        back = Key(("b",), text("back-step"), self._going(-1), course.number > 1, help=text("back-step-help"))
        begun = again if course.verdict != "open" else ()
        return (*begun, *(() if course.verdict == "reached" else (onward,)), back)

    def _onward(self) -> Key:
        """Return what Enter does when a step is done: the next one, or the end after the last."""
        text = reading_text
        if self._course.number < self._course.last:
            return Key(("enter", "n"), text("next-step"), self._going(1), help=text("next-step-help"))
        return Key(("enter", "q"), text("finish"), self.end, help=text("finish-help"))

    def _again(self, name: str) -> Key:
        return Key((name,), reading_text("again"), self._begin_again, help=reading_text("again-help"))

    def _all(self) -> Key:
        return Key(("l",), reading_text("all-steps"), self._show_all, help=reading_text("all-steps-help"))

    def _going(self, by: int) -> Callable[[], None]:
        def go() -> None:
            if 1 <= self._course.number + by <= self._course.last:
                self._course.go(self._course.number + by)
                self._start()

        return go

    def _begin_again(self) -> None:
        self._course.enter(self._course.number)
        self._start()

    def _start(self) -> None:
        """Show the step that begins; what was staged or selected in the one before is forgotten."""
        self._reckoned = ()
        self._is_told = False
        self.state.staged.clear()
        self.state.forget()
        self._show_step()

    def _show_all(self) -> None:
        self.screen.page(reading_text("all-steps"), self._course.page)

    # --- what happens ------------------------------------------------------------------------------------------------

    def hear(self, item: Entry) -> None:
        """Take in what has happened. What stands in a box is not said in the message line as well."""
        super().hear(item)
        if isinstance(item, ev.Scored):
            self._reckoned = score_lines(item, self.seat.names)
        if not isinstance(item, Notice):
            return
        lesson = self._course.lesson()
        if item.text in self._in_boxes(lesson):
            self.screen.note("")
        if item.text == self._course.heading():
            self._start()
        elif item.text == lesson_text("task-line", text=lesson.task):
            self._begin_to_listen()
        elif item.text in (lesson.praise, lesson.astray) and self._course.verdict != "open":
            self._show_verdict()

    def _begin_to_listen(self) -> None:
        """All is told: from now on a move of the learner's puts the story away."""
        self._is_told = True
        if self.box is not None and self.box.title == self._course.heading():
            self._show_step()

    def _in_boxes(self, lesson: Lesson) -> tuple[str, ...]:
        around = ("reached", "missed", "last")
        task = lesson_text("task-line", text=lesson.task)
        said = (lesson.praise, lesson.astray, *lesson.story, *lesson.reasons.values())
        return (self._course.heading(), task, *said, *map(lesson_text, around))

    def typed(self, text: str) -> None:
        """Carry out a typed line; the task and the page with all steps are shown in their boxes."""
        word = text.strip().lower()
        if word == "task":
            self._show_task()
        elif word == "all":
            self._show_all()
        elif word == "next":
            self.play.do(text)  # of the course, not of the table
        else:
            super().typed(text)

    def _show_score(self) -> None:
        """The points stand in the box of the step."""

    def next_hand(self) -> None:
        """A step has one hand: what came of it is shown again."""
        self._show_task()

    def title(self) -> str:
        """Return the title of the terminal."""
        return reading_text("learn-title", title=title_text(self.seat.rules))
