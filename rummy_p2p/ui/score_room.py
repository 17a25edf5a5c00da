"""The score room: it lies over the table when a hand has been counted, until the player goes on, watches or leaves."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from rummy_p2p.engine import NOBODY
from rummy_p2p.protocol.text import clean
from rummy_p2p.rules.actions import VERBS
from rummy_p2p.sentences import labelled_call
from rummy_p2p.sentences.screen import clock_text, score_text, table_text
from rummy_p2p.ui.canvas import Canvas
from rummy_p2p.ui.room import Key, Mouse
from rummy_p2p.ui.score_draw import ScoreScene, draw_score
from rummy_p2p.ui.score_results import Results
from rummy_p2p.ui.table_scene import waiting_line
from rummy_p2p.ui.table_waiting import making_line

if TYPE_CHECKING:
    from rummy_p2p.ui.table_room import TableRoom

Vote = Callable[[int], None]
SHOWN_SECONDS: Final = 20.0  # where the next hand comes by itself


class ScoreRoom:
    """One hand's score over its table."""

    def __init__(self, table: TableRoom, results: Results, vote: Vote | None, clock: Callable[[], float]) -> None:
        """``vote`` keeps what the player thinks of the rules, 1 to 5; without it the player is not asked."""
        self.table = table
        self.results = results
        self._vote = vote
        self._clock = clock
        self._scroll = 0
        self._hidden = 0

    # --- what can be done --------------------------------------------------------------------------------------------

    @property
    def _over(self) -> bool:
        """Whether the match is: by its rules, or because no more hands were wanted."""
        facts = self.table.facts()
        ended = self.results.is_over or facts.may_rematch or facts.forming
        return ended or self.table.state.closed

    @property
    def _is_out(self) -> bool:
        match = self.table.seat.match()
        return self.table.seat.seat == NOBODY or (match is not None and self.table.seat.seat in match.out)

    def go_on(self) -> None:
        """Go on to the next hand, back to the table, or away when there is no table any more."""
        if self.table.state.closed:
            self.leave_table()
            return
        self.table.leave_score(self)
        if not self._over:
            self.table.next_hand()

    def look_at_table(self) -> None:
        """Put the score away; nothing else happens."""
        if self.table.state.closed:
            self.leave_table()
        else:
            self.table.leave_score(self)

    def exit(self) -> None:
        """Leave at once where nothing is lost by it, else ask."""
        if self._over or self._is_out:
            self.leave_table()
        else:
            self.table.ask_to_leave()

    def leave_table(self) -> None:
        """Leave."""
        self.table.leave_score(self)
        self.table.end()

    def rematch(self) -> None:
        """Play again with the same rules."""
        self.table.leave_score(self)
        self.table.play.do("rematch")

    def _votes(self) -> tuple[Key, ...]:
        """Return the keys of the vote; the last word counts."""
        keep = self._vote
        if keep is None:
            return ()

        def voting(number: int) -> Callable[[], None]:
            def vote() -> None:
                self.table.state.vote = number
                keep(number)
                self.table.screen.note(score_text("voted", n=number))

            return vote

        return tuple(Key((str(n),), "", voting(n), bar=False, help=score_text("vote-help")) for n in range(1, 6))

    def _scrolling(self, by: int) -> Callable[[], None]:
        def scroll() -> None:
            self._scroll = max(0, min(self._hidden, self._scroll + by))

        return scroll

    def keys(self) -> tuple[Key, ...]:
        """Return the keys: on, away, again, a vote, and what every table has."""
        table = self.table
        again = "rematch" in table.seat.commands() and self._over and not table.state.closed
        goes_on = score_text("watch" if self._is_out and not self._over else "continue")
        return (
            *([Key(("y",), score_text("rematch"), self.rematch, help=score_text("rematch-help"))] if again else []),
            *table.keyboard.change(),
            Key(("enter", "w"), goes_on, self.go_on, help=score_text("continue-help")),
            Key(("e",), score_text("exit"), self.exit, help=score_text("exit-help")),
            Key(("escape",), "", self.look_at_table, bar=False, help=score_text("look-help")),
            Key(("g",), table_text("log"), table.show_log, help=table_text("log-help")),
            Key(("/",), table_text("chat"), table.chat, "chat" in table.seat.commands(), help=table_text("chat-help")),
            Key(("i",), table_text("info"), table.show_info, help=table_text("info-help")),
            Key(("r",), table_text("rules"), table.show_rules, help=table_text("rules-help")),
            *table.keyboard.pause(),
            *self._votes(),
            Key(("up", "k", "pageup"), "", self._scrolling(-3), bar=False),
            Key(("down", "j", "pagedown"), "", self._scrolling(3), bar=False),
            Key(("q",), table_text("leave"), table.ask_to_leave, help=table_text("leave-help")),
        )

    # --- showing -----------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas) -> None:
        """Draw the score."""
        self._hidden = draw_score(canvas, self._scene())

    def _scene(self) -> ScoreScene:
        match = self.table.seat.match()
        names = ("y", "o", "enter", "e")
        return ScoreScene(
            results=self.results,
            totals=self.results.totals(),
            outs=frozenset() if match is None else match.out,
            keys=tuple(key for key in self.keys() if key.keys[0] in names),
            vote=None if self._vote is None else self.table.state.vote,
            message=self._message(),
            clock=self._clock_line(),
            chat=tuple(self.table.state.heard()),
            talks=self.table.facts().place == "lan",
            scroll=self._scroll,
            title=clean(self.table.facts().title, 40),
        )

    def _message(self) -> str:
        if self.table.state.closed:
            return score_text("enter-leave")
        facts = self.table.told()
        if facts.why:
            return waiting_line(facts, self.table.gone())
        if facts.making is not None:
            return making_line(facts.making, self.table.screen.look.glyphs)
        if self._over:
            return score_text("press-rematch" if any(key.keys[0] == "y" for key in self.keys()) else "press-exit")
        return score_text("enter-wait" if self.table.facts().continues_by_itself else "enter-next")

    def _clock_line(self) -> str:
        if self.results.dealt:
            return score_text("dealt")
        if self._over or not self.table.facts().continues_by_itself:
            return ""
        left = SHOWN_SECONDS - (self._clock() - self.results.since)
        return score_text("next-in", time=clock_text(left)) if left > 0 else ""

    def is_stale(self, now: float) -> bool:
        """Whether the next hand has been dealt and this one has been looked at for long enough."""
        return self.results.dealt and now - self.results.since >= SHOWN_SECONDS

    def mouse(self, event: Mouse) -> None:
        """A click on a button is its key; the wheel scrolls."""
        if event.kind in ("wheel-up", "wheel-down"):
            self._scrolling(-1 if event.kind == "wheel-up" else 1)()
        elif event.kind == "up" and event.target is not None and event.target[0] == "key":
            key = next((key for key in self.keys() if key.keys[0] == event.target[1]), None)
            if key is not None and key.enabled:
                key.act()

    def typed(self, text: str) -> None:
        """What is typed is meant for the table; ``next`` goes on."""
        word = text.strip().lower()
        if word in ("next", "continue"):
            self.go_on()
        elif word == "rematch":
            self.rematch()
        elif self._is_move(word) and not self._over:
            self.table.screen.note(score_text("hand-counted"))
        else:
            self.table.typed(text)

    def _is_move(self, text: str) -> bool:
        """Whether a move is typed; one made now would be one of the next hand, which is not to be seen."""
        word = text.partition(" ")[0]
        return word in VERBS or word == labelled_call(self.table.seat.rules)

    def complete(self, text: str) -> tuple[str, ...]:
        """Complete as the table does."""
        return self.table.complete(text)

    def cursor(self) -> tuple[int, int] | None:
        """No cursor."""
        return None

    def title(self) -> str:
        """Return the title of the table."""
        return self.table.title()
