"""The pile browser: how many cards to take from the top, where a game allows more than one."""

from __future__ import annotations

from collections.abc import Callable

from rummy_p2p.engine import View
from rummy_p2p.rules import actions as act
from rummy_p2p.sentences.screen import table_text
from rummy_p2p.ui.canvas import Canvas, cut, text_width
from rummy_p2p.ui.popup import Below, Popup
from rummy_p2p.ui.room import Key, Mouse
from rummy_p2p.ui.table_fan import card_style
from rummy_p2p.ui.table_moves import allowed, useful


class PileBrowser(Popup):
    """A list of the pile, its top card first; usable cards are underlined in blue, what may not be taken is dim."""

    def __init__(
        self, below: Below, close: Callable[[], None], view: Callable[[], View | None], take: Callable[[int], None]
    ) -> None:
        """``take`` is called with the number of cards, when the browser is gone."""
        super().__init__(below, close)
        self._view = view
        self._take = take
        self._at = 0
        self._rows = 1

    def draw(self, canvas: Canvas) -> None:
        """Draw the list in the middle."""
        self.draw_below(canvas)
        view = self._view()
        if view is None:
            return
        count = len(view.state.pile)
        self._rows = max(1, min(count, canvas.height - 9))
        width = min(canvas.width - 4, max(44, text_width(table_text("pile-keys")) + 4))
        left, top = (canvas.width - width) // 2, max(0, (canvas.height - self._rows - 5) // 2)
        canvas.box(left, top, width, self._rows + 5, table_text("pile-head"), "title", ("popup",))
        for y in range(self._rows):
            self._draw_row(canvas.part(left + 2, top + 1 + y, width - 4, 1), view, self._first + y)
        for y, which in enumerate(("pile-keys", "pile-useful"), top + self._rows + 2):
            canvas.put(left + 2, y, cut(table_text(which), width - 4, canvas.glyphs.more), "dim", ("popup",))

    @property
    def _first(self) -> int:
        return max(0, self._at - self._rows + 1)

    def _draw_row(self, canvas: Canvas, view: View, row: int) -> None:
        pile = view.state.pile
        if row >= len(pile):
            return
        target = ("row", row)
        card = view.card(pile[-1 - row])
        may = allowed(view, act.Take(row + 1))
        canvas.fill(0, 0, canvas.width, 1, "", target)
        mark = canvas.glyphs.right if row == self._at else " "
        canvas.put(0, 0, mark, "hint", target)
        x = canvas.put(2, 0, table_text("pile-row", n=row + 1).ljust(9), "bold" if may else "dim", target)
        above = [face for slot in pile[len(pile) - row :] if (face := view.card(slot)) is not None]
        if card is not None:
            style = f"{card_style(card)} hint selected" if useful(view, card, above) else card_style(card)
            x = canvas.put(x, 0, canvas.glyphs.face(card), style if may else "dim", target)
        refused = "" if may else table_text("pile-refused")
        rest = " ".join(canvas.glyphs.face(face) for face in above)
        room = canvas.width - x - 2 - (text_width(refused) + 1 if refused else 0)
        canvas.put(x + 1, 0, cut(rest, room, canvas.glyphs.more), "dim", target)
        canvas.put(canvas.width - text_width(refused), 0, refused, "dim", target)

    def _move(self, by: int) -> Callable[[], None]:
        def move() -> None:
            view = self._view()
            count = 0 if view is None else len(view.state.pile)
            self._at = max(0, min(count - 1, self._at + by))

        return move

    def _choose(self) -> None:
        self.close()
        self._take(self._at + 1)

    def keys(self) -> tuple[Key, ...]:
        """Return the keys of the list."""
        return (
            Key(("enter", "t", "space"), table_text("take"), self._choose),
            Key(("escape", "q"), table_text("cancel"), self.close),
            Key(("up", "k"), "", self._move(-1), bar=False),
            Key(("down", "j"), "", self._move(1), bar=False),
            Key(("pageup",), "", self._move(-8), bar=False),
            Key(("pagedown",), "", self._move(8), bar=False),
        )

    def mouse(self, event: Mouse) -> None:
        """A click on a row takes so many."""
        if event.kind in ("wheel-up", "wheel-down"):
            self._move(-1 if event.kind == "wheel-up" else 1)()
        elif event.kind == "up" and event.target is not None and event.target[0] == "row":
            self._at = int(event.target[1])
            self._choose()
        else:
            super().mouse(event)
