"""The rules of a game to read: the rule sheet with what differs from the standard game first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from rummy_p2p.ruleset import Ruleset
from rummy_p2p.sentences.lessons import game_header
from rummy_p2p.sentences.reading import reading_text
from rummy_p2p.sentences.titles import title_text
from rummy_p2p.ui.canvas import Canvas, cut, text_width
from rummy_p2p.ui.pane import Line, Pane
from rummy_p2p.ui.room import Key, Mouse
from rummy_p2p.variants.matters import matters
from rummy_p2p.variants.sheet import difference_paragraphs

_INDENT: Final = 2
_WIDEST: Final = 96


class RulesRoom:
    """The rule sheet. ``changed`` is what ``ruleset.differences`` found between the standard game and this one."""

    def __init__(
        self, leave: Callable[[], None], rules: Ruleset, changed: Mapping[str, tuple[object, object]] | None = None
    ) -> None:
        """Begin at the top; ``leave`` takes the room away."""
        self._leave = leave
        self._rules = rules
        self._changed = changed or {}
        self._only_changes = False
        self._pane = Pane(self._lines)

    def draw(self, canvas: Canvas) -> None:
        """Draw the header, the text, and in the message line where in it one is."""
        header = game_header(self._rules)
        canvas.put(1, 0, cut(header, canvas.width - 2, canvas.glyphs.more), "title")
        canvas.put(0, 1, canvas.glyphs.across * canvas.width, "dim")
        width = min(_WIDEST, canvas.width - 4)
        self._pane.draw(canvas.part(2, 2, width, canvas.height - 4))
        self._draw_message(canvas)

    def _draw_message(self, canvas: Canvas) -> None:
        glyphs, place = canvas.glyphs, self._pane.place
        text = reading_text("changes-shown") if self._only_changes else reading_text("rules-message")
        x = canvas.put(0, canvas.height - 1, f"{glyphs.across} {text} ", "bold")
        canvas.put(x, canvas.height - 1, glyphs.across * (canvas.width - x))
        if place:
            canvas.put(canvas.width - text_width(place) - 3, canvas.height - 1, f" {place} ", "dim")

    # --- the text ----------------------------------------------------------------------------------------------------

    def _lines(self) -> list[Line]:
        return list(self._differences()) if self._only_changes else [*self._differences(), *self._sheet()]

    def _differences(self) -> Iterator[Line]:
        paragraphs = difference_paragraphs(self._rules, self._changed)
        if not paragraphs:
            return
        yield Line(reading_text("differs"), "bold blue")
        for paragraph in paragraphs:
            yield Line(paragraph, "", _INDENT)
        yield Line("")

    def _sheet(self) -> Iterator[Line]:
        for heading, sentences in matters(self._rules).items():
            yield Line(heading, "bold")
            for sentence in sentences:
                yield Line(sentence, "", _INDENT)
            yield Line("")

    def _headings(self) -> list[int]:
        return [number for number, line in enumerate(self._lines()) if "bold" in line.style]

    # --- what can be done --------------------------------------------------------------------------------------------

    def keys(self) -> tuple[Key, ...]:
        """Return the keys: scrolling, from heading to heading, only what differs, the way back."""
        return (
            *self._pane.keys(),
            Key(("n", "tab"), reading_text("heading"), lambda: self._turn(1), help=reading_text("heading-next")),
            Key(("p", "s-tab"), "", lambda: self._turn(-1), bar=False, help=reading_text("heading-back")),
            Key(
                ("d",),
                reading_text("changes"),
                self._switch,
                enabled=bool(self._changed),
                help=reading_text("changes-help"),
            ),
            Key(("escape", "q", "enter"), reading_text("back"), self._leave, help=reading_text("back-help")),
        )

    def _turn(self, by: int) -> None:
        self._pane.turn(self._headings(), by)

    def _switch(self) -> None:
        self._only_changes = not self._only_changes and bool(self._changed)
        self._pane.scroll(-(10**6))

    def mouse(self, event: Mouse) -> None:
        """The wheel scrolls."""
        self._pane.mouse(event)

    def typed(self, text: str) -> None:
        """Go to the heading that begins with what was typed."""
        wanted = text.strip().lower()
        lines = self._lines()
        found = next((number for number in self._headings() if lines[number].text.lower().startswith(wanted)), None)
        if found is not None:
            self._pane.go_to(found)

    def complete(self, text: str) -> tuple[str, ...]:
        """Return the headings that begin with what was typed, as far as they are one word."""
        lines = self._lines()
        words = [lines[number].text.partition(" ")[0] for number in self._headings()]
        return tuple(word for word in words if word.lower().startswith(text.lower()))

    def cursor(self) -> tuple[int, int] | None:
        """The cursor stands at the first line of the text, where a screen reader begins."""
        return (2, 2)

    def title(self) -> str:
        """Return the title of the terminal."""
        return reading_text("rules-title", title=title_text(self._rules))
