"""One screen for several players: between two turns the curtain is down, else the table of whoever sits there is shown.

The law of the file
    Every player has a table room of its own, with its order of cards and its log; only that of the player who sits at
    the screen is drawn, hears keys and may ring. With the curtain down nothing is drawn that not everybody may see.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rummy_p2p.engine import IllegalAction, KnobFailed
from rummy_p2p.protocol.text import NICK_LIMIT, clean
from rummy_p2p.sentences import refusal, standings
from rummy_p2p.sentences.events import card_text
from rummy_p2p.sentences.reading import reading_text
from rummy_p2p.sentences.screen import TableFacts, screen_text
from rummy_p2p.ui.canvas import Canvas, text_width, wrap
from rummy_p2p.ui.curtain import Shared, called_out, curtain_lines, recent_lines
from rummy_p2p.ui.pane import Line
from rummy_p2p.ui.room import Key, Mouse
from rummy_p2p.ui.screen import Screen
from rummy_p2p.ui.table_room import TableRoom
from rummy_p2p.ui.table_side import draw_keys

_WIDEST: Final = 72
_MOST_TOLD: Final = 8


class PlaceRoom(TableRoom):
    """The table as one of the players sees it; leaving it ends the game for all."""

    def __init__(self, screen: Screen, table: Shared, seat: int, end: Callable[[], None]) -> None:
        """``end`` takes the whole room away."""
        super().__init__(screen, table.places[seat], facts=TableFacts)
        self._end_all = end

    def end(self) -> None:
        """Leave the table, with everybody."""
        self._end_all()


class CurtainRoom:
    """The room that all players share."""

    def __init__(self, screen: Screen, table: Shared) -> None:
        """Begin with the curtain down."""
        self._screen = screen
        self._table = table
        self._rooms = [PlaceRoom(screen, table, seat, self.end) for seat in range(len(table.names))]

    def begin(self) -> None:
        """Begin to listen, for every player."""
        for room in self._rooms:
            room.begin()

    def end(self) -> None:
        """End the game for everybody."""
        self._table.close()
        self._screen.remove(self)

    @property
    def _open(self) -> PlaceRoom | None:
        """The table of who sits at the screen; None while the curtain is down."""
        sitting = self._table.sitting
        return None if sitting is None else self._rooms[sitting]

    # --- the curtain -------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas) -> None:
        """Draw the table, or the curtain."""
        room = self._open
        if room is not None:
            room.draw(canvas)
        else:
            self._draw_curtain(canvas)

    def _draw_curtain(self, canvas: Canvas) -> None:
        width = min(_WIDEST, canvas.width - 4)
        rows = [line._replace(text=part) for line in self._lines() for part in wrap(line.text, width - 4)]
        rows = rows[-(canvas.height - 6) :]
        left, top = (canvas.width - width) // 2, max(0, (canvas.height - len(rows) - 5) // 2)
        canvas.box(left, top, width, len(rows) + 4, reading_text("curtain"), "title")
        for y, row in enumerate(rows, top + 1):
            canvas.put(left + 2, y, row.text, row.style)
        shown = [key for key in self._curtain_keys() if key.label]
        draw_keys(canvas.part(left + 2, top + len(rows) + 2, width - 4, 1), shown, 0, 0)
        glyphs = canvas.glyphs
        name = clean(self._table.names[self._table.waiting], NICK_LIMIT)
        message = f"{glyphs.across} {glyphs.turn} {name} "
        x = canvas.put(0, canvas.height - 1, message, "green bold")
        canvas.put(x, canvas.height - 1, glyphs.across * (canvas.width - text_width(message)))

    def _lines(self) -> list[Line]:
        told = [Line(text) for text in recent_lines(self._table)[-_MOST_TOLD:]]
        match = self._table.match
        totals = standings(match, self._table.names, self._table.rules)[:1] if match.hand_number > 1 else ()
        called = [Line(text, "bold") for text in curtain_lines(self._table)]
        return [*told, *(Line(text, "dim") for text in totals), Line(""), *called]

    def _curtain_keys(self) -> tuple[Key, ...]:
        may = bool(self._table.claimants())
        return (
            Key(("enter", "space"), reading_text("lift"), self._lift, help=reading_text("lift-help")),
            *([Key(("c",), reading_text("claim"), self._ask_who, help=reading_text("claim-help"))] if may else []),
            Key(("q",), reading_text("leave"), self._ask_to_leave, help=reading_text("leave-help")),
        )

    def _lift(self) -> None:
        self._table.lift()

    def _ask_who(self) -> None:
        """Ask who has called for the discard."""
        top = self._table.hand.top()
        question = reading_text("claim-question", card=card_text(top) if top else "?")
        names = self._table.names
        answers = [
            (str(number), clean(names[seat], NICK_LIMIT), self._claiming(seat))
            for number, seat in enumerate(self._table.claimants(), 1)
        ]
        self._screen.ask(question, (*answers, ("n", reading_text("nobody"), lambda: None)))

    def _claiming(self, seat: int) -> Callable[[], None]:
        def claim() -> None:
            try:
                self._table.claim(seat)
            except (IllegalAction, KnobFailed) as error:
                self._screen.note(refusal(error, self._table.rules, self._table.names))

        return claim

    def _ask_to_leave(self) -> None:
        yes, no = reading_text("yes"), reading_text("no")
        self._screen.ask(reading_text("leave-question"), (("y", yes, self.end), ("n", no, lambda: None)))

    # --- handed on ---------------------------------------------------------------------------------------------------

    def keys(self) -> tuple[Key, ...]:
        """Return the keys of the table, or those of the curtain."""
        room = self._open
        return self._curtain_keys() if room is None else (*room.keys(), self._typing(room))

    def _typing(self, room: PlaceRoom) -> Key:
        """Return the key for a line of this player's own: what others have typed is not theirs to bring back."""
        prompt = f"{clean(room.seat.names[room.seat.seat], NICK_LIMIT)}>"
        act = lambda: self._screen.open_line(prompt)  # noqa: E731 -- the key wants something to call
        return Key((":",), screen_text("command-label"), act, help=screen_text("command-help"))

    def mouse(self, event: Mouse) -> None:
        """Hear the mouse."""
        room = self._open
        if room is not None:
            room.mouse(event)
        elif event.kind == "up" and event.target is not None and event.target[0] == "key":
            key = next((key for key in self._curtain_keys() if key.keys[0] == event.target[1]), None)
            if key is not None:
                key.act()

    def typed(self, text: str) -> None:
        """Carry out a typed line; with the curtain down only a claim can be typed, with the name of who claims."""
        room = self._open
        if room is not None:
            room.typed(text)
            if self._open is not room:
                self._screen.line.close()
        elif text.strip().lower() in ("leave", "quit"):
            self._ask_to_leave()
        else:
            self._screen.note(called_out(self._table, text))

    def complete(self, text: str) -> tuple[str, ...]:
        """Complete as the table does."""
        room = self._open
        return () if room is None else room.complete(text)

    def cursor(self) -> tuple[int, int] | None:
        """Return where the table has its cursor."""
        room = self._open
        return None if room is None else room.cursor()

    def title(self) -> str:
        """Return the title of the terminal: who is called, or what the table says."""
        room = self._open
        return clean(self._table.names[self._table.waiting], NICK_LIMIT) if room is None else room.title()
