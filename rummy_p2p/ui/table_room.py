"""The table room: what the seat sees is drawn, keys and mouse and typed lines become moves.

The law of the file
    The room owns no rule of the game. What happens comes out of ``seat.next`` in its order; the drawing is made anew
    from what the seat sees. Without cards the room shows who sits at the table.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import msgspec

from rummy_p2p.cards import Card
from rummy_p2p.engine import NOBODY, Phase, View
from rummy_p2p.engine import events as ev
from rummy_p2p.protocol.text import CHAT_LIMIT, clean
from rummy_p2p.sentences import Notice, event_line, rules_lines
from rummy_p2p.sentences.faces import on_screen
from rummy_p2p.sentences.screen import Answered, Logged, Over, Said, TableFacts, Waited, table_text
from rummy_p2p.ui.canvas import Canvas
from rummy_p2p.ui.console import Console, Seat, printable
from rummy_p2p.ui.room import Key, Mouse
from rummy_p2p.ui.score_results import Results
from rummy_p2p.ui.score_room import ScoreRoom, Vote
from rummy_p2p.ui.screen import Screen
from rummy_p2p.ui.table_cards import Mode
from rummy_p2p.ui.table_claim import Claiming, Countdown, claiming
from rummy_p2p.ui.table_draw import Drawn, draw_table
from rummy_p2p.ui.table_forming import draw_forming
from rummy_p2p.ui.table_inviting import Invites
from rummy_p2p.ui.table_keys import TableKeys
from rummy_p2p.ui.table_leaving import Substitute, is_running, leave_question
from rummy_p2p.ui.table_message import message, onlookers_message
from rummy_p2p.ui.table_mouse import Pointer
from rummy_p2p.ui.table_pages import info_lines, time_lines
from rummy_p2p.ui.table_pile import PileBrowser
from rummy_p2p.ui.table_play import Options, Play
from rummy_p2p.ui.table_scene import Around, is_my_turn, scene_of, waiting_line
from rummy_p2p.ui.table_state import TableState
from rummy_p2p.ui.table_waiting import Gone, making_line
from rummy_p2p.ui.table_words import SCREEN_WORDS, TableWords

Entry = ev.Event | Notice
# What somebody else does is shown one thing after the other, so that it can be followed.
_SEEN: Final = (ev.Drew, ev.Took, ev.MeldLaid, ev.LaidOff, ev.Swapped, ev.Discarded, ev.Claimed, ev.Knocked)


class TableRoom:
    """A seat at a table, on the full screen."""

    def __init__(
        self,
        screen: Screen,
        seat: Seat,
        *,
        facts: Callable[[], TableFacts] = TableFacts,
        clock: Callable[[], float] = time.monotonic,
        pace: float = 0.0,
        vote: Vote | None = None,
    ) -> None:
        """``pace`` is the time in seconds that a move of another seat is looked at; ``vote`` keeps a vote on rules."""
        self.screen = screen
        self.seat = seat
        self.state = TableState()
        self.facts = facts
        self.console = Console(seat, SCREEN_WORDS)
        self.play = Play(seat, self.state, self.console, self.tell, screen.start, self.face)
        self.keyboard = TableKeys(self)
        self.invites = Invites(screen, lambda: self.facts())  # noqa: PLW0108 -- a test may put other facts there
        self._words = TableWords(self)
        self._pointer = Pointer(self.play, self._press, self.take)
        self._clock = clock
        self._pace = pace
        self._vote = vote
        self._results = self._new_results()
        self.substitute: Substitute | None = None
        self.other_rules: Callable[[], None] | None = None  # lets who opened the table choose what is played next
        self._score: ScoreRoom | None = None
        self._over: Over | None = None
        self._drawn = Drawn(None, 1)
        self._countdown = Countdown(screen, self._claim_left)
        self._looked: tuple[object, ...] = ()
        self._tasks: list[asyncio.Task[None]] = []

    # --- life --------------------------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Begin to listen to the table; the room is shown by ``Screen.run`` or ``Screen.enter``. Who comes back to a
        hand has cards before anything happens.
        """
        if (view := self.seat.view()) is not None:
            self.state.follow(view)
        listening = self.screen.start(self._listen(), "table-listen")
        clock = self.screen.start(self._tick(), "table-clock")
        listening.add_done_callback(lambda _task: clock.cancel())
        self._tasks = [listening, clock]

    def when_over(self, call: Callable[[], None]) -> None:
        """Call this once the table is listened to no more, however that ends; after ``begin``."""
        self._tasks[0].add_done_callback(lambda _task: call())

    def face(self, card: Card) -> str:
        """Return how a card stands on the table."""
        return self.screen.look.glyphs.face(card)

    async def _listen(self) -> None:
        with on_screen(self.face):
            while (item := await self.seat.next()) is not None:
                self.screen.safely(self._hearing(item))
                if self._pace and self._is_seen(item):
                    await asyncio.sleep(self._pace)
        self.state.closed = True
        if self._score is None:
            self.screen.note(table_text("closed"))
        self.screen.redraw()

    def _hearing(self, item: Entry) -> Callable[[], None]:
        return lambda: self.hear(item)

    def _is_seen(self, item: Entry) -> bool:
        return isinstance(item, _SEEN) and item.seat != self.seat.seat

    async def _tick(self) -> None:
        """Draw once a second as long as a clock is to be seen."""
        while True:
            await asyncio.sleep(1.0)
            self.look()
            view, now = self.seat.view(), self._clock()
            clocks = view is not None and self._time_runs(view)
            if self._score is not None and self._score.is_stale(now):
                self.leave_score(self._score)
            if clocks or self._score is not None or self.state.gone_since:
                self.screen.redraw()

    def _time_runs(self, view: View) -> bool:
        clock = view.state.rules.clock
        return bool(clock.move_s or clock.game_s) and view.state.phase not in (Phase.DEALING, Phase.COUNT, Phase.OVER)

    def look(self) -> None:
        """Draw what no event tells of when it has changed: who is gone, how far a deck that is made has come."""
        facts = self.told()
        self.state.note_gone((*facts.missing, *facts.away), self._clock())
        pausing = (facts.resting, facts.wants_pause, facts.agreed)
        seen = (facts.missing, facts.away, facts.making, facts.watching, facts.claim_opens == 0, pausing)
        if seen != self._looked:
            self._looked = seen
            self.screen.redraw()

    def told(self) -> TableFacts:
        """Return what the table tells of itself; a table that is closed waits for nobody and makes nothing."""
        with on_screen(self.face):
            facts = self.facts()
        if self.state.closed:
            facts = msgspec.structs.replace(facts, missing=(), away=(), why="", making=None, claim_opens=None)
        return facts

    def gone(self) -> tuple[Gone, ...]:
        """Return who cannot be reached, and since how many seconds."""
        facts, now = self.told(), self._clock()
        self.state.note_gone((*facts.missing, *facts.away), now)
        return tuple(Gone(name, now - since) for name, since in self.state.gone_since.items())

    def _claim_left(self) -> float | None:
        view = self.seat.view()
        return None if view is None else self.state.claim_left(view.state, self._clock())

    def claiming(self, view: View, options: Options) -> Claiming | None:
        """Return the discard that the player may claim just now."""
        return claiming(view, self.state, options, self._clock())

    def end(self) -> None:
        """Leave the table and the room; the room is left even when the table fails at it."""
        leave = self.seat.commands().get("leave")
        try:
            if leave is not None and not self.state.closed:
                leave[1]("")
        finally:
            self.put_away()

    def put_away(self) -> None:
        """Leave the room alone: what becomes of the seat is somebody else's matter."""
        self.state.closed = True
        self.play.hints.drop()
        for task in self._tasks:
            task.cancel()
        self._score = None
        self.screen.line.close()
        self.screen.remove(self)

    # --- what happens ------------------------------------------------------------------------------------------------

    def hear(self, item: Entry) -> None:
        """Take in what has happened."""
        view = self.seat.view()
        with on_screen(self.face):
            said = self.console.hear(item)
            line = "" if isinstance(item, Notice) else event_line(item, self.seat.names, view, self.seat.seat)
        if isinstance(item, Notice):
            self._hear_notice(item)
        else:
            self.state.note_event(item, printable(line), self._clock())
            self._hear_event(item, view)
        if isinstance(item, ev.Discarded):
            self._countdown.begin()
        self._hear_end()
        if view is not None:
            self.state.follow(view)
        if said.bell:
            self.screen.bell()

    def _hear_notice(self, notice: Notice) -> None:
        """Chat goes into the chat, news also into the message line, an answer there alone, the rest into the log."""
        text, view = printable(notice.text), self.seat.view()
        if isinstance(notice, Said):
            self.state.say(printable(notice.name), text)
        elif isinstance(notice, Answered):
            self.screen.note(text)
        elif isinstance(notice, Logged):
            self.state.keep(text)
        else:
            if isinstance(notice, Waited):
                self.state.unsay(text)
            self.state.say("", text)
            if view is None or not is_my_turn(view):
                self.screen.note(text)

    def _hear_end(self) -> None:
        """Show how the match has ended, however it did: by its rules, by what was agreed, or before its time."""
        over = self.facts().over
        if over == self._over or (over is not None and not over.why and self._results.scored is None):
            return
        self._over = over
        if over is not None:
            if self.state.bot_plays:
                self.take_back()
            self._results.over = over
            self._show_score()

    def _hear_event(self, event: ev.Event, view: View | None) -> None:
        own = getattr(event, "seat", None) == self.seat.seat
        if isinstance(event, ev.Dealt):
            self._begin_hand()
        self._results.hear(event)
        if isinstance(event, ev.Turn):
            self._begin_turn(view, own=own)
        elif isinstance(event, ev.Drew | ev.Took) and own and view is not None:
            self.state.follow(view)
            self._look_at_new(view)
        elif isinstance(event, ev.Knocked) and view is not None:
            self._results.see(view, event.seat)
        elif isinstance(event, ev.Scored | ev.MatchEnded):
            if isinstance(event, ev.Scored) and view is not None:
                self._results.see(view)
            self._show_score()

    def _begin_turn(self, view: View | None, *, own: bool) -> None:
        self.state.staged.clear()
        self.state.asking = ()
        self.screen.note("")
        if own:
            self.state.zone = "hand"
        elif view is not None:
            with self.state.same_focus(view):
                self.state.fan.settle(view)

    def _look_at_new(self, view: View) -> None:
        """Put the cursor on what was drawn."""
        free = self.state.loose(view)
        fresh = [index for index, slot in enumerate(free) if slot in self.state.fan.fresh]
        if fresh and not self.state.selected:
            self.state.at["hand"] = fresh[-1]
            self.state.zone = "hand"

    def _new_results(self) -> Results:
        match = self.seat.match()
        number = 1 if match is None else match.hand_number
        return Results(self.seat.rules, tuple(self.seat.names), self.seat.seat, number)

    def _begin_hand(self) -> None:
        """A hand is dealt; the first one of a match begins a new table of rounds."""
        match = self.seat.match()
        if self._results.is_over or (match is not None and match.hand_number == 1):
            self.state.begin_match()
        if self._score is not None:
            self._score.results.dealt = True
        self._results = self._new_results()

    def _show_score(self) -> None:
        """Show what the hand came to; the end of the match comes into what is shown already."""
        self._results.rounds = list(self.state.rounds)
        self._results.add_up(self.seat.match())
        if self._score is None or self._score.results is not self._results:
            if self._score is not None:
                self.leave_score(self._score)
            self._results.since = self._clock()
            self.state.forget()
            self.screen.note("")
            self._score = ScoreRoom(self, self._results, self._vote, self._clock)
            self.screen.enter(self._score)

    def leave_score(self, score: ScoreRoom) -> None:
        """Take the score away."""
        if self._score is score:
            self._score = None
        self.screen.remove(score)

    # --- what the player does ----------------------------------------------------------------------------------------

    def tell(self, lines: Sequence[str]) -> None:
        """Show an answer: one line in the message line, several as a page."""
        if len(lines) == 1:
            self.screen.note(lines[0])
        elif lines:
            self.screen.page("", lambda: lines)

    def _press(self, name: str) -> None:
        key = next((key for key in self.keys() if name in key.keys), None)
        if key is not None:
            key.act()

    def take(self) -> None:
        """Take from the pile; ask how many where that is a question."""
        view = self.seat.view()
        if view is None:
            return
        many = view.state.rules.draw.pile == "many" and len(view.state.pile) > 1
        if many and view.on_turn and view.state.phase is Phase.DRAW:
            self.screen.enter(PileBrowser(self.screen.below, self.screen.leave, self.seat.view, self.play.take))
        else:
            self.play.take()

    def sort(self, mode: Mode | None = None) -> None:
        """Sort the hand; by the next mode when none is given."""
        view = self.seat.view()
        if view is not None:
            with self.state.same_focus(view):
                self.state.fan.sort(mode or self.state.fan.next_mode(), view)

    def ask_to_leave(self) -> None:
        """Ask whether the player really goes; at a closed table nothing is asked."""
        if self.state.closed:
            self.end()
            return
        view = self.seat.view()
        if view is not None and view.seat == NOBODY:
            self.end()
            return
        facts, match, own = self.facts(), self.seat.match(), self.seat.names[self.seat.seat]
        may = self.substitute is not None and is_running(facts, match) and not self.state.bot_plays
        bot = (("b", table_text("bot-plays"), self.hand_over),) if may else ()
        suspend = self.seat.commands().get("suspend") if is_running(facts, match) else None
        keep = () if suspend is None else (("s", table_text("suspend"), partial(suspend[1], "")),)
        question = leave_question(facts, match, own, substitute=may)
        question += f" {table_text('leave-keeps')}" if keep else ""
        leave, stay = ("y", table_text("leave"), self.end), ("n", table_text("stay"), lambda: None)
        self.screen.ask(question, (leave, *keep, *bot, stay))

    def hand_over(self) -> None:
        """Let a bot play the player's seat."""
        if self.substitute is not None:
            self.state.forget()
            self.state.bot_plays = True
            self.substitute(wanted=True)

    def take_back(self) -> None:
        """Play the own seat again."""
        self.state.bot_plays = False
        if self.substitute is not None:
            self.substitute(wanted=False)

    def next_hand(self) -> None:
        """Deal the next hand where that is the player's word."""
        deal = self.seat.commands().get("next")
        if self.state.closed:
            self.end()
        elif deal is not None:
            deal[1]("")

    def chat(self) -> None:
        """Let the player say something, where somebody can hear it."""
        if "chat" not in self.seat.commands():
            self.screen.note(table_text("no-chat"))
            return
        self.screen.open_line(table_text("chat"), self._send_chat, once=True)

    def _send_chat(self, text: str) -> None:
        self.play.do(f"chat {clean(text, CHAT_LIMIT)}")

    def show_info(self) -> None:
        """Show who plays and how it is dealt."""
        seat = self.seat

        def lines() -> list[str]:
            with on_screen(self.face):
                facts, view, match = self.told(), seat.view(), seat.match()
                return [*info_lines(facts, seat.rules, seat.names, view, match, self.gone(), self._times(view))]

        self.screen.page(table_text("info"), lines)

    def _times(self, view: View | None) -> list[str]:
        return [] if view is None else list(time_lines(view, self.state, self.seat.names, self._clock()))

    def show_rules(self) -> None:
        """Show the rules in short."""
        self.screen.page(table_text("rules"), lambda: rules_lines(self.seat.rules))

    def show_log(self) -> None:
        """Show what has happened, the newest at the end."""
        self.screen.page(table_text("log-head"), lambda: list(self.state.log), at_end=True)

    def invite(self, name: str = "") -> None:
        """Ask somebody to the table, or show how others join."""
        self.invites.invite(name)

    # --- typed -------------------------------------------------------------------------------------------------------

    def typed(self, text: str) -> None:
        """Carry out a typed line: what only a screen has, else what the conversation understands."""
        self._words.typed(text)

    def complete(self, text: str) -> tuple[str, ...]:
        """Complete as the conversation does, with the screen's own words."""
        return self._words.complete(text)

    # --- drawing -----------------------------------------------------------------------------------------------------

    def view(self) -> View | None:
        """Return what the seat sees, when there is something to draw."""
        view = self.seat.view()
        return None if view is None or not view.state.hands else view

    def draw(self, canvas: Canvas) -> None:
        """Draw the table, or who sits there while no cards are dealt."""
        view = self.view()
        if view is None or self.facts().forming:
            self._drawn = Drawn(None, 1)
            told = tuple(text if not name else f"{name}: {text}" for name, text in self.state.heard())
            draw_forming(canvas, self.told(), self.seat.rules, self.keyboard.forming(), told, self.gone())
            return
        self._drawn = draw_table(canvas, scene_of(view, self.state, self._around(view)))
        self.state.shown_melds, self.state.per_row = self._drawn.melds, self._drawn.per_row

    def _around(self, view: View) -> Around:
        now = self._clock()
        options = self.play.options(view)
        facts = self.told()
        typing = self.screen.line.takes_commands
        with on_screen(self.face, keys=not typing):
            looks_on = view.seat == NOBODY
            text = onlookers_message(facts) if looks_on else message(view, self.state, options, typing=typing)
        over = self._over_text(view)
        return Around(
            names=self.seat.names,
            match=self.seat.match(),
            facts=facts,
            buttons=self.keyboard.buttons(view, options),
            labels=self.keyboard.labels(options),
            side_keys=self.keyboard.side(),
            message=over or text,
            now=now,
            claim=None if over else self.claiming(view, options),
            gone=self.gone(),
        )

    def _over_text(self, view: View) -> str:
        phase, facts = view.state.phase, self.told()
        if facts.why:
            return waiting_line(facts, self.gone())
        if facts.making is not None:
            return making_line(facts.making, self.screen.look.glyphs)
        if self.state.closed:
            return table_text("closed")
        if phase in (Phase.COUNT, Phase.OVER):
            return table_text("hand-is-over")
        if phase is Phase.DEALING:
            return table_text("dealing")
        return table_text("bot-plays-on") if self.state.bot_plays else ""

    def cursor(self) -> tuple[int, int] | None:
        """Return where the card, pile or meld under the cursor was drawn."""
        return self._drawn.cursor

    def title(self) -> str:
        """Return the title of the terminal: loud when it is the player's turn."""
        view = self.seat.view()
        mine = view is not None and is_my_turn(view) and not self.told().why
        return "(!) rummy-p2p" if mine else "rummy-p2p"

    def keys(self) -> tuple[Key, ...]:
        """Return the key table of the moment."""
        view = self.view()
        if view is None or self.facts().forming:
            return self.keyboard.forming()
        return self.keyboard.playing(view, self.play.options(view))

    def mouse(self, event: Mouse) -> None:
        """Hear the mouse."""
        view = self.view()
        if view is None or self.facts().forming:
            if event.kind == "up" and event.target is not None and event.target[0] == "key":
                self._press(str(event.target[1]))
            return
        self._pointer.hear(event, view)
        view = self.view()
        if view is not None:
            self.state.follow(view)
