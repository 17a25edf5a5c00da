"""A match looked through again on the full screen: the table as it lay at a record, and what the record came to."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final, Protocol

from rummy_p2p.protocol.text import NICK_LIMIT, clean
from rummy_p2p.sentences import standings
from rummy_p2p.sentences.faces import on_screen
from rummy_p2p.sentences.language import listed
from rummy_p2p.sentences.reading import reading_text, size_text
from rummy_p2p.sentences.screen import TableFacts
from rummy_p2p.sentences.titles import title_text
from rummy_p2p.ui.canvas import Canvas, cut, wrap
from rummy_p2p.ui.pane import Line
from rummy_p2p.ui.replay import Film, Viewing
from rummy_p2p.ui.room import Key, Mouse
from rummy_p2p.ui.table_draw import draw_table
from rummy_p2p.ui.table_scene import Around, scene_of
from rummy_p2p.ui.table_state import TableState

_TOLD: Final = 24  # records before this one that are told at the side
_HANDS: Final = 5  # listed one by one in the overview
_LATEST: Final = 3
_WORDS: Final = ("record", "hand", "seat")


class Shell(Protocol):
    """What the room asks of the screen."""

    def leave(self, code: int = 0) -> None:
        """Take the room away."""
        ...

    def note(self, text: str) -> None:
        """Say something in the message line."""
        ...

    def page(self, heading: str, lines: Callable[[], Iterable[str]], *, at_end: bool = False) -> None:
        """Show a page of text."""
        ...

    def open_line(
        self, prompt: str = "", send: Callable[[str], None] | None = None, *, text: str = "", once: bool = False
    ) -> None:
        """Let the player type a line."""
        ...


class ReplayRoom:
    """One film, and where one stands in it."""

    def __init__(self, screen: Shell, film: Film, seat: int | None = None) -> None:
        """Begin with the first record."""
        self._screen = screen
        self._film = film
        self._viewing = Viewing(film, seat)
        self._cursor: tuple[int, int] | None = None

    # --- drawing -----------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas) -> None:
        """Draw the table at this record; between hands what the last records came to."""
        with on_screen(canvas.glyphs.face):
            self._draw(canvas)

    def _draw(self, canvas: Canvas) -> None:
        number, seat = self._viewing.number, self._viewing.seat
        view = self._film.view(number, seat or 0)
        if view is None:
            self._draw_between(canvas)
            return
        state = TableState(zone="table")
        state.follow(view)
        state.fan.fresh.clear()
        for line in self._told():
            state.say("", line)
        scene = scene_of(view, state, self._around(number))
        scene = replace(scene, my_turn=False, hand=tuple(card._replace(pointed=False) for card in scene.hand))
        self._cursor = draw_table(canvas, scene).cursor

    def _around(self, number: int) -> Around:
        return Around(
            names=self._film.names,
            match=self._film.match(number),
            facts=TableFacts(title=self._who_looks(), place="here"),
            buttons=(),
            labels=(None, None),
            side_keys=(),
            message=self._message(),
            now=0.0,
        )

    def _draw_between(self, canvas: Canvas) -> None:
        glyphs = canvas.glyphs
        canvas.put(1, 0, cut(self._who_looks(), canvas.width - 2, glyphs.more), "title")
        canvas.put(0, 1, glyphs.across * canvas.width, "dim")
        begins = self._film.hands()
        if begins and self._viewing.number >= begins[0]:
            lines = [Line(text) for text in self._told()]
        else:
            lines = self._overview(begins)
        rows = [line._replace(text=part) for line in lines for part in wrap(line.text, canvas.width - 4 - line.indent)]
        for y, row in enumerate(rows[-(canvas.height - 4) :], 2):
            canvas.put(2 + row.indent, y, row.text, row.style)
        text = cut(f"{glyphs.across} {self._message()} ", canvas.width, glyphs.more)
        x = canvas.put(0, canvas.height - 1, text, "bold")
        canvas.put(x, canvas.height - 1, glyphs.across * (canvas.width - x))
        self._cursor = (2, 2)

    def _overview(self, begins: tuple[int, ...]) -> list[Line]:
        """Return what the film is about, for where no cards are dealt yet."""
        film, text = self._film, reading_text
        players = listed([clean(name, NICK_LIMIT) for name in film.names])
        match = film.match(film.last)
        totals = () if match is None else standings(match, film.names, film.rules)
        hands = [text("hand-begins", hand=n, number=at) for n, at in enumerate(begins[:_HANDS], 1)]
        if len(begins) > _HANDS:
            hands.append(text("hands-more", hand=len(begins), number=begins[-1]))
        return [
            Line(text("played", players=players, title=title_text(film.rules)), "bold"),
            Line(size_text(len(begins), film.last)),
            *(Line(line) for line in (*totals, film.stop()) if line),
            Line(""),
            *(Line(line, "", 2) for line in hands),
            Line(""),
            Line(text("how-to-look"), "bold"),
            Line(text("this-record"), "dim"),
            *(Line(line, "dim", 2) for line in self._told()[-_LATEST:]),
        ]

    def _told(self) -> list[str]:
        """Return what this record and those just before it came to."""
        first = max(1, self._viewing.number - _TOLD)
        numbers = range(first, self._viewing.number + 1)
        return [line for number in numbers for line in self._film.lines(number, self._viewing.seat)]

    def _who_looks(self) -> str:
        seat = self._viewing.seat
        name = clean(self._film.names[seat or 0], NICK_LIMIT)
        return reading_text("seen-all" if seat is None else "seen-by", name=name)

    def _message(self) -> str:
        number = self._viewing.number
        place = reading_text("record", number=number, last=self._film.last)
        lines = self._film.lines(number, self._viewing.seat)
        end = self._film.stop() if number == self._film.last else ""
        return " ".join([place + ":", *(lines or ("",)), end]).strip()

    # --- moving ------------------------------------------------------------------------------------------------------

    def keys(self) -> tuple[Key, ...]:
        """Return the key table."""
        text, viewing = reading_text, self._viewing
        return (
            Key(("n", "right", "l", "space", "enter"), text("next"), self._moving(lambda: viewing.step(1)),
                help=text("next-help")),
            Key(("p", "left", "h"), text("previous"), self._moving(lambda: viewing.step(-1)),
                help=text("previous-help")),
            Key(("]", "pagedown"), text("next-hand"), self._moving(lambda: viewing.step_hand(1)),
                help=text("next-hand-help")),
            Key(("[", "pageup"), text("previous-hand"), self._moving(lambda: viewing.step_hand(-1)),
                help=text("previous-hand-help")),
            Key(("g",), text("go"), self._ask_where, help=text("go-help")),
            Key(("s",), text("seat"), viewing.next_seat, help=text("seat-help")),
            Key(("o",), text("open-hands"), self._show_hands, help=text("open-hands-help")),
            Key(("home",), "", self._moving(lambda: viewing.to_record("1")), bar=False, help=text("first-help")),
            Key(("end",), "", self._moving(lambda: viewing.to_record(str(self._film.last))), bar=False,
                help=text("last-help")),
            Key(("escape", "q"), text("back"), self._screen.leave, help=text("back-help")),
        )  # fmt: skip

    def _moving(self, move: Callable[[], str]) -> Callable[[], None]:
        """Return what moves and says why when it leads nowhere."""

        def act() -> None:
            refused = move()
            if refused:
                self._screen.note(refused)

        return act

    def _ask_where(self) -> None:
        self._screen.open_line(reading_text("go-prompt"), self.typed, once=True)

    def _show_hands(self) -> None:
        lines = self._film.table(self._viewing.number, self._viewing.seat) or (reading_text("no-cards"),)
        self._screen.page(reading_text("open-hands"), lambda: lines)

    def mouse(self, event: Mouse) -> None:
        """The wheel goes from record to record, a click goes on."""
        if event.kind in ("wheel-down", "up"):
            self._viewing.step(1)
        elif event.kind == "wheel-up":
            self._viewing.step(-1)

    def typed(self, text: str) -> None:
        """Go to a record (``12``), a hand (``hand 2``) or a seat (``seat Bea``)."""
        word, _, rest = text.strip().partition(" ")
        goes = {"hand": self._viewing.to_hand, "seat": self._viewing.to_seat, "record": self._viewing.to_record}
        move = goes.get(word.lower())
        self._moving(lambda: move(rest) if move else self._viewing.to_record(text))()

    def complete(self, text: str) -> tuple[str, ...]:
        """Return the words and names that begin like the last word."""
        *before, begun = text.split(" ")
        words = (*self._film.names, "all") if before[:1] == ["seat"] else _WORDS
        return tuple(word for word in words if word.lower().startswith(begun.lower()))

    def cursor(self) -> tuple[int, int] | None:
        """Return where the table was drawn with the cursor."""
        return self._cursor

    def title(self) -> str:
        """Return the title of the terminal."""
        return reading_text("replay-title", title=title_text(self._film.rules))
