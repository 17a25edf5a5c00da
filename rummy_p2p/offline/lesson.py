"""A course: steps that are played on the real engine, each with its own scripted deal, a task and a check.

The law of the file
    A ``Step`` is data: which cards lie where, who begins, which moves are made before the learner's first and after
    it, and a function that judges what has happened. A ``Course`` plays the steps as a seat that any screen can be put
    on: a refused move is refused by the engine, in its words, and the course only says more about it. Whatever the
    learner does, a step can be begun again.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal

import msgspec

from rummy_p2p.bots import LEVELS
from rummy_p2p.cards import Card, pack, parse_cards
from rummy_p2p.deal.scripted import ScriptedDeal
from rummy_p2p.engine import IllegalAction, MatchState, View, open_hand, read_action, start_match
from rummy_p2p.engine.events import Event
from rummy_p2p.offline.game import Game
from rummy_p2p.ruleset import Ruleset
from rummy_p2p.sentences import Notice
from rummy_p2p.sentences.lessons import Lesson, game_header, lesson_text, step_heading

LEARNER: Final = 0
TEACHER: Final = 1

Verdict = Literal["open", "reached", "missed"]
Judge = Callable[[Game, Sequence[Event]], Verdict]
Command = Callable[[str], None]


class Step(msgspec.Struct, frozen=True):
    """One step as it is played. ``hands``: the learner's and the other's cards; ``before`` and ``replies``: moves."""

    hands: tuple[str, str]
    pile: str
    stock: str
    judge: Judge
    begins: int = LEARNER
    before: tuple[str, ...] = ()
    replies: tuple[str, ...] = ()
    scores: tuple[int, int] = (0, 0)
    boxes: tuple[int, int] = (0, 0)


def dealt(step: Step, rules: Ruleset) -> Game:
    """Deal a step: the hand is opened as any other, only that the deck lies in the order of the script."""
    match = start_match(rules, 2, 1 - step.begins)
    match = msgspec.structs.replace(match, scores=step.scores, boxes=step.boxes, hand_number=1 + sum(step.boxes))
    deck = ScriptedDeal(_order(step, rules, match))
    game = Game(rules, match, lambda _cards: deck.cards)
    game.next_hand()
    for text in step.before:
        _play(game, text)
    return game


def _order(step: Step, rules: Ruleset, match: MatchState) -> list[Card]:
    """Return the cards by slot: the named ones where the engine will deal them, the others behind them."""
    state = open_hand(rules, match).state
    named = [*zip(state.hands, step.hands, strict=True), (state.pile, step.pile), (state.stock, step.stock)]
    laid = {slot: card for slots, text in named for slot, card in zip(slots, parse_cards(text), strict=False)}
    rest = iter(card for card in pack(rules.deck.packs, rules.deck.jokers) if card not in laid.values())
    return [laid[slot] if slot in laid else next(rest) for slot in range(rules.size)]


def _play(game: Game, text: str) -> None:
    seat = _on_turn(game)
    game.act(seat, read_action(text, game.view(seat)))


def _on_turn(game: Game) -> int:
    return game.view(LEARNER).state.turn


class Course:
    """A learner's seat in a row of steps. What happens and what is said comes out of ``next``.

    ``verdict`` is how the step stands, ``reason`` what was last said about a refusal.
    """

    def __init__(
        self,
        rules: Ruleset,
        steps: Sequence[Step],
        words: Callable[[int], Lesson],
        names: tuple[str, str],
        first: int = 1,
    ) -> None:
        """Begin with a step; ``words`` returns what is said about each, by its number from 1."""
        self.rules = rules
        self.names = names
        self.seat = LEARNER
        self.verdict: Verdict = "open"
        self.number = first
        self.reason = ""
        self._steps = tuple(steps)
        self._words = words
        self._lines: deque[Event | Notice] = deque()
        self._news = asyncio.Event()
        self._closed = False
        self.enter(first)

    @property
    def last(self) -> int:
        """How many steps there are."""
        return len(self._steps)

    def lesson(self, number: int = 0) -> Lesson:
        """Return what is said about a step; 0: about this one."""
        return self._words(number or self.number)

    def heading(self, number: int = 0) -> str:
        """Return the heading of a step; 0: of this one."""
        return step_heading(number or self.number, self.last, self.lesson(number).title)

    def page(self) -> tuple[str, ...]:
        """Return all steps on one page: the header, and for each step its heading, its story and its task."""
        found = [game_header(self.rules)]
        for number in range(1, self.last + 1):
            words = self.lesson(number)
            found += ["", self.heading(number), *words.story, lesson_text("task-line", text=words.task)]
        return tuple(found)

    # --- the steps ---------------------------------------------------------------------------------------------------

    def enter(self, number: int) -> None:
        """Begin a step, whatever has become of the last one."""
        self.number = number
        self.verdict = "open"
        self.reason = ""
        self._game = dealt(self._steps[number - 1], self.rules)
        self._replies = deque(self._steps[number - 1].replies)
        self._happened: list[Event] = []
        self._lines.clear()
        self._say(self.heading(), *self.lesson().story)
        self._collect()
        self._say(lesson_text("task-line", text=self.lesson().task))

    def view(self) -> View:
        """Return what the learner sees."""
        return self._game.view(LEARNER)

    def match(self) -> MatchState:
        """Return the totals."""
        return self._game.match

    def act(self, text: str) -> None:
        """Make the learner's move and the other's; raises as the engine refuses, after saying more about it."""
        if self.verdict != "open":
            self._say(lesson_text("over"))
            return
        try:
            self._game.act(LEARNER, read_action(text, self.view()))
        except IllegalAction as refused:
            self.explain(refused.code)
            raise
        self.reason = ""
        self._reply()
        self._collect()
        self._judge()

    def explain(self, code: str) -> None:
        """Say what this step has to add to a refusal, if anything; also where a screen has refused by itself."""
        self.reason = self.lesson().reasons.get(code, "")
        self._say(*filter(None, [self.reason]))

    def _reply(self) -> None:
        """Play the other's turn: as the script has it, and as a bot would where the script does not go on."""
        while not self.view().state.over and _on_turn(self._game) == TEACHER:
            try:
                _play(self._game, self._replies.popleft())
            except (IndexError, IllegalAction):
                action = LEVELS["normal"](self._game.view(TEACHER), self.number)
                if action is None:
                    return
                self._game.act(TEACHER, action)

    def _judge(self) -> None:
        self.verdict = self._steps[self.number - 1].judge(self._game, self._happened)
        if self.verdict == "reached":
            self._say(self.lesson().praise, lesson_text("reached" if self.number < self.last else "last"))
        elif self.verdict == "missed":
            self._say(self.lesson().astray, lesson_text("missed"))

    def _collect(self) -> None:
        self._happened += self._game.events
        self._lines += self._game.events
        self._game.events.clear()
        self._news.set()

    def _say(self, *texts: str) -> None:
        self._lines += [Notice(text) for text in texts]
        self._news.set()

    # --- the seat ----------------------------------------------------------------------------------------------------

    def commands(self) -> Mapping[str, tuple[str, Command]]:
        """Return what can be typed in a course besides moves."""
        found: dict[str, Command] = {
            "next": lambda _: self.go(self.number + 1),
            "back": lambda _: self.go(self.number - 1),
            "step": lambda text: self.go(int(text[:4]) if text.isascii() and text.isdigit() else 0),
            "again": lambda _: self.enter(self.number),
            "task": lambda _: self._say(lesson_text("task-line", text=self.lesson().task)),
            "all": lambda _: self._say(*(line for line in self.page() if line)),
            "leave": lambda _: self.leave(),
        }
        return {name: (lesson_text(name), command) for name, command in found.items()}

    def go(self, number: int) -> None:
        """Go to a step, or say which there are."""
        if 1 <= number <= self.last:
            self.enter(number)
        else:
            self._say(lesson_text("no-step", last=self.last))

    def leave(self) -> None:
        """End the course."""
        self._closed = True
        self._news.set()

    async def next(self) -> Event | Notice | None:
        """Return what happened next; None when the learner has left."""
        while not self._lines and not self._closed:
            self._news.clear()
            await self._news.wait()
        return self._lines.popleft() if self._lines else None
