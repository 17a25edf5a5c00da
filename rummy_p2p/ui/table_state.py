"""What the table room keeps for its player beside the game: selection, focus, melds put ready, log, chat, clocks."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final, Literal

from rummy_p2p.cards import Card
from rummy_p2p.engine import HandState, Phase, View
from rummy_p2p.engine import events as ev
from rummy_p2p.melds import Piece
from rummy_p2p.ui.table_cards import Fan
from rummy_p2p.ui.table_moves import Fit

Zone = Literal["hand", "table", "piles"]
ZONES: Final[tuple[Zone, ...]] = ("piles", "table", "hand")
KEPT: Final = 400


@dataclass(slots=True)
class TableState:
    """One player's screen at one table."""

    fan: Fan = field(default_factory=Fan)
    selected: list[int] = field(default_factory=list)
    staged: list[tuple[Piece, ...]] = field(default_factory=list)
    zone: Zone = "hand"
    at: dict[Zone, int] = field(default_factory=lambda: {"hand": 0, "table": 0, "piles": 0})
    side: bool = True
    scroll: int = 0
    shown_melds: int = 1
    per_row: int = 0  # cards in a row of the fan as it was drawn; 0: there is but one row
    armed: int | None = None  # the joker that would be thrown by a second x
    asking: tuple[Fit, ...] = ()  # which of these places?
    dragged: int | None = None
    log: deque[str] = field(default_factory=lambda: deque(maxlen=KEPT))
    chat: deque[tuple[str, str]] = field(default_factory=lambda: deque(maxlen=KEPT))
    timeline: deque[tuple[str, str]] = field(default_factory=lambda: deque(maxlen=KEPT))  # name (none: an event), text
    muted: set[str] = field(default_factory=set)
    rounds: list[tuple[int, ...]] = field(default_factory=list)
    turn_since: float | None = None
    turn_of: int | None = None
    used: dict[int, float] = field(default_factory=dict)  # what each seat has used of its time for the match
    claim_since: float | None = None
    vote: int = 0  # how fun the player finds these rules, 1 to 5
    gone_since: dict[str, float] = field(default_factory=dict)  # who cannot be reached
    bot_plays: bool = False  # on the player's own seat
    closed: bool = False

    # --- own cards ---------------------------------------------------------------------------------------------------

    def follow(self, view: View) -> None:
        """Take over what has changed in the seat's hand; what is gone is selected and staged no more."""
        held = {card for slot in view.slots if (card := view.card(slot)) is not None}
        self.fan.follow(view)
        self.staged = [meld for meld in self.staged if all(piece.card in held for piece in meld)]
        free = self.loose(view)
        self.selected = [slot for slot in self.selected if slot in free]
        if self.armed not in free:
            self.armed = None
        self.at["hand"] = max(0, min(self.at["hand"], len(free) - 1))
        self.at["table"] = max(0, min(self.at["table"], len(view.state.table) - 1))

    def loose(self, view: View) -> list[int]:
        """Return the slots of the fan: what is in hand and not put ready for the table."""
        ready = {piece.card for meld in self.staged for piece in meld}
        return [slot for slot in self.fan.slots if view.card(slot) not in ready]

    def focused(self, view: View) -> int | None:
        """Return the slot under the cursor."""
        free = self.loose(view)
        return free[min(self.at["hand"], len(free) - 1)] if free else None

    def chosen(self, view: View) -> list[Card]:
        """Return the selected cards in the order of the fan."""
        slots = [slot for slot in self.loose(view) if slot in self.selected]
        return [card for slot in slots if (card := view.card(slot)) is not None]

    def one_card(self, view: View) -> Card | None:
        """Return the card that a move with one card means: the only selected one, or that under the cursor.

        While the cursor is on the melds or the piles a card must be selected to be meant.
        """
        if len(self.selected) > 1:
            return None
        pointed = self.focused(view) if self.zone == "hand" else None
        slot = self.selected[0] if self.selected else pointed
        return None if slot is None else view.card(slot)

    def asked_card(self, view: View) -> Card | None:
        """Return the card for which a place is asked."""
        return view.card(self.selected[0]) if self.selected else self.one_card(view)

    @contextmanager
    def same_focus(self, view: View) -> Iterator[None]:
        """Keep the cursor on its card while the order of the hand changes."""
        slot = self.focused(view)
        yield
        if slot is not None:
            self.focus(view, slot)

    def focus(self, view: View, slot: int) -> None:
        """Put the cursor on a card."""
        free = self.loose(view)
        if slot in free:
            self.at["hand"] = free.index(slot)

    def toggle(self, slot: int) -> None:
        """Select a card, or no longer."""
        self.armed = None
        if slot in self.selected:
            self.selected.remove(slot)
        else:
            self.selected.append(slot)

    def forget(self) -> None:
        """Select nothing, ask nothing."""
        self.selected.clear()
        self.armed, self.asking, self.dragged = None, (), None

    # --- what has happened -------------------------------------------------------------------------------------------

    def note_event(self, event: ev.Event, line: str, now: float) -> None:
        """Write an event into the log, and set the clocks by it."""
        if not isinstance(event, ev.Turn):
            self.log.append(line)
            self.timeline.append(("", line))
        if isinstance(event, ev.Turn | ev.HandEnded):
            self._charge(now)
        if isinstance(event, ev.Turn):
            self.turn_since, self.turn_of = now, event.seat
        if isinstance(event, ev.Discarded):
            self.claim_since = now
        if isinstance(event, ev.Scored):
            self.rounds.append(event.points)
        if isinstance(event, ev.Dealt):
            self.staged.clear()
            self.forget()
            self.scroll = 0

    def keep(self, line: str) -> None:
        """Write a line into the log alone."""
        self.log.append(line)

    def say(self, name: str, text: str) -> None:
        """Write a line of chat; a line of nobody is an event of the table."""
        if name:
            self.chat.append((name, text))
        else:
            self.log.append(text)
        self.timeline.append((name, text))

    def unsay(self, text: str) -> None:
        """Take a line of the table out where it was said before: it is about to be said again."""
        for kept, line in ((self.log, text), (self.timeline, ("", text))):
            if line in kept:
                kept.remove(line)  # type: ignore[arg-type]  # each has lines of its own kind

    def heard(self) -> list[tuple[str, str]]:
        """Return chat and events without those who are muted."""
        return [(name, text) for name, text in self.timeline if name not in self.muted]

    def begin_match(self) -> None:
        """A new match: its table of rounds is empty, and nobody has used any time."""
        self.rounds.clear()
        self.used.clear()

    def note_gone(self, names: Iterable[str], now: float) -> None:
        """Start a clock for everybody who is gone, and stop that of who is back."""
        self.gone_since = {name: self.gone_since.get(name, now) for name in names}

    def time_left(self, hand: HandState, now: float) -> tuple[float, float] | None:
        """Return how much of how much time the seat on turn has left; None without a clock."""
        total = hand.rules.clock.move_s
        if not total or not self._runs(hand) or self.turn_since is None:
            return None
        return max(0.0, total - (now - self.turn_since)), float(total)

    def match_left(self, hand: HandState, seat: int, now: float) -> tuple[float, float] | None:
        """Return how much a seat has left of its time for all turns of the match; None without such a clock."""
        total = hand.rules.clock.game_s
        if not total:
            return None
        running = self.turn_of == seat and self.turn_since is not None and self._runs(hand)
        used = self.used.get(seat, 0.0) + (now - (self.turn_since or 0.0) if running else 0.0)
        return max(0.0, total - used), float(total)

    def _runs(self, hand: HandState) -> bool:
        """Whether somebody's time runs."""
        return hand.phase not in (Phase.DEALING, Phase.COUNT, Phase.OVER)

    def _charge(self, now: float) -> None:
        """Add the turn that is over to what its seat has used."""
        if self.turn_of is not None and self.turn_since is not None:
            self.used[self.turn_of] = self.used.get(self.turn_of, 0.0) + max(0.0, now - self.turn_since)
        self.turn_of = None

    def claim_left(self, hand: HandState, now: float) -> float | None:
        """Return how long the discard can be claimed before the next player may draw; None when that is not known."""
        if not hand.claimable or self.claim_since is None:
            return None
        left = hand.rules.claim.window_ms / 1000 - (now - self.claim_since)
        return left if left > 0 else None
