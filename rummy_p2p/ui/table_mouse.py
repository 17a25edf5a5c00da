"""The mouse at the table: a click selects or plays, a drag puts a card into another place, on a meld or on the pile."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from rummy_p2p.cards import Card
from rummy_p2p.engine import Phase, View
from rummy_p2p.melds import Side
from rummy_p2p.ui.canvas import Target
from rummy_p2p.ui.room import Mouse
from rummy_p2p.ui.table_play import Play
from rummy_p2p.ui.table_state import TableState


class Pointer:
    """What the mouse is doing."""

    def __init__(self, play: Play, press: Callable[[str], None], take: Callable[[], None]) -> None:
        """``press`` is a key of the room, ``take`` what the pile does."""
        self._play = play
        self._press = press
        self._take = take
        self._start: Target | None = None

    @property
    def _state(self) -> TableState:
        return self._play.state

    def hear(self, event: Mouse, view: View) -> None:
        """Take in one event."""
        if event.kind in ("wheel-up", "wheel-down"):
            most = max(0, len(view.state.table) + len(self._state.staged) - self._state.shown_melds)
            self._state.scroll = max(0, min(most, self._state.scroll + (1 if event.kind == "wheel-down" else -1)))
        elif event.kind in ("down", "double"):
            self._start = event.target
            self._state.dragged = None
        elif event.kind == "move":
            self._drag(event.target)
        elif event.kind == "up":
            start, self._start = self._start, None
            self._state.dragged = None
            if start == event.target:
                self._click(event.target, view)
            elif start is not None and event.target is not None:
                self._drop(start, event.target, view)

    def _drag(self, over: Target | None) -> None:
        """Show that a card is being carried; a button that was let go outside the terminal ends that at a click."""
        if self._start is not None and self._start[0] == "slot" and over != self._start:
            self._state.dragged = cast("int", self._start[1])

    def _click(self, target: Target | None, view: View) -> None:
        match target:
            case ("slot", int(slot)):
                self._state.zone = "hand"
                self._state.at["hand"] = _index(self._state.loose(view), slot)
                self._state.toggle(slot)
            case ("key", str(name)):
                self._press(name)
            case ("stock",):
                self._play.draw()
            case ("pile",):
                self._click_pile(view)
            case ("meld", int(number)):
                self._click_meld(number, None, view)
            case ("meld-end", int(number), str(side)):
                self._click_meld(number, cast("Side", side), view)
            case ("joker", int(number)):
                self._click_joker(number, view)
            case _:
                pass

    def _click_pile(self, view: View) -> None:
        playing = view.on_turn and view.state.phase is Phase.PLAY
        if playing and len(self._state.selected) == 1:
            self._play.discard()
        else:
            self._take()

    def _click_meld(self, number: int, side: Side | None, view: View) -> None:
        card = self._state.one_card(view)
        if self._state.asking:
            self._play.answer(number, side)
        elif card is not None and (len(self._state.selected) == 1 or side is not None):
            self._play.add_to(card, number, _end(view, number, side))
        elif number:
            self._state.zone = "table"
            self._state.at["table"] = number - 1

    def _click_joker(self, number: int, view: View) -> None:
        """Take a joker for the card that may take its place."""
        card = self._state.asked_card(view) if self._state.asking else self._state.one_card(view)
        if card is not None:
            self._play.take_joker(card, number)

    def _drop(self, start: Target, end: Target, view: View) -> None:
        if start[0] in ("stock", "pile") and end[0] in ("slot", "hand-end"):
            self._click(start, view) if start[0] == "stock" else self._take()
        elif start[0] == "slot":
            slot = cast("int", start[1])
            card = view.card(slot)
            if card is not None:
                self._drop_card(slot, card, end, view)

    def _drop_card(self, slot: int, card: Card, end: Target, view: View) -> None:
        fan = self._state.fan
        match end:
            case ("slot", int(other)):
                fan.move(slot, _index(fan.slots, other))
            case ("hand-end",):
                fan.move(slot, len(fan.slots))
            case ("pile",):
                self._play.discard(card, sure=True)
            case ("meld", int(number)) | ("meld-end", int(number), str(_)) if number:
                side = cast("Side", end[2]) if len(end) > 2 else None
                self._state.selected = [slot]
                self._play.add_to(card, number, _end(view, number, side))
            case ("joker", int(number)):
                self._state.selected = [slot]
                self._play.take_joker(card, number)
            case ("table",) | ("meld", 0):
                if slot not in self._state.selected:
                    self._state.selected.append(slot)
                self._play.meld()
            case _:
                pass


def _end(view: View, number: int, side: Side | None) -> Side | None:
    """Return the side as the rules mean it: a set has none."""
    inside = 1 <= number <= len(view.state.table)
    return None if inside and view.state.table[number - 1].meld.kind == "set" else side


def _index(slots: list[int], slot: int) -> int:
    return slots.index(slot) if slot in slots else 0
