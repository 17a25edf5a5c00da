"""What the keys, the buttons and the mouse of the table do: from the selection to a move, in the words that are typed.

The law of the file
    A move goes to the seat as text, exact to the physical card, by the one way on which typed moves go; the seat alone
    judges it. A refusal is told and changes nothing. What cannot be taken back (a joker thrown) wants a second word.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from rummy_p2p.cards import Card
from rummy_p2p.engine import NOBODY, Action, IllegalAction, Phase, View
from rummy_p2p.melds import Piece, Side
from rummy_p2p.rules import actions as act
from rummy_p2p.rules.scoring import card_value
from rummy_p2p.sentences import refusal
from rummy_p2p.sentences.screen import table_text
from rummy_p2p.ui.console import Console, Seat
from rummy_p2p.ui.table_moves import (
    Fit,
    Melds,
    action_of,
    allowed,
    as_melds,
    draw_action,
    fits,
    hint,
    knock_card,
    knocks,
    may_claim,
    points_of,
    suggested,
    why_not,
)
from rummy_p2p.ui.table_state import TableState

_TOO_LITTLE: Final = ("opening-minimum", "contract-not-met")


@dataclass(frozen=True, slots=True)
class Options:
    """Which buttons are lit, and what would be laid."""

    draw: bool = False
    turns_over: bool = False
    take: bool = False
    passes: bool = False
    answers: bool = False
    meld: bool = False
    suggestion: Melds = ()
    add: bool = False
    discard: bool = False
    call: bool = False
    knocks: bool = False
    done: bool = False


class Play:
    """The moves of one player at one table."""

    def __init__(self, seat: Seat, state: TableState, console: Console, tell: Callable[[Sequence[str]], None]) -> None:
        """``tell`` shows the player what was answered."""
        self.seat = seat
        self.state = state
        self._console = console
        self._tell = tell
        self._known: tuple[object, Options] | None = None

    def do(self, text: str) -> bool:
        """Carry out a move or command as if it were typed; return whether nothing was answered to it."""
        said = self._console.answer(text)
        view = self.seat.view()
        if view is not None:
            self.state.follow(view)
        if said.lines:
            self._tell(said.lines)
        return not said.lines

    def say(self, which: str, **facts: object) -> None:
        """Tell the player something of the table."""
        self._tell([table_text(which, **facts)])

    def refuse(self, error: IllegalAction) -> None:
        """Tell why not."""
        self._tell([refusal(error, self.seat.rules, self.seat.names)])

    # --- what is possible --------------------------------------------------------------------------------------------

    def options(self, view: View) -> Options:
        """Return what could be done now; worked out once for each position and selection."""
        state = self.state
        key = (view.state, len(view.knowledge), tuple(state.selected), tuple(state.staged), state.focused(view))
        if self._known is None or not _same(self._known[0], key):
            self._known = (key, self._options(view))
        return self._known[1]

    def _options(self, view: View) -> Options:
        phase = view.state.phase
        if view.seat == NOBODY or phase in (Phase.DEALING, Phase.COUNT, Phase.OVER):
            return Options()
        card = self.state.one_card(view)
        drawing = view.on_turn and phase in (Phase.OFFER, Phase.DRAW)
        playing = view.on_turn and phase in (Phase.PLAY, Phase.LAY_OFF)
        draw = draw_action(view)
        wish = self._wish(view) if playing else ()
        knocking = phase is Phase.PLAY and knocks(view)
        return Options(
            draw=drawing and allowed(view, draw),
            turns_over=isinstance(draw, act.TurnOver),
            take=drawing and allowed(view, act.Take()),
            passes=drawing and allowed(view, act.Pass()),
            answers=view.on_turn and phase is Phase.ANSWER,
            meld=bool(wish) and self._may_lay(view, wish),
            suggestion=wish,
            add=playing and card is not None and bool(fits(view, card)),
            discard=playing and card is not None and allowed(view, act.Discard(card)),
            call=self._may_knock(view) if knocking else may_claim(view),
            knocks=knocking,
            done=playing and phase is Phase.LAY_OFF,
        )

    def _wish(self, view: View) -> Melds:
        """Return what the meld button would lay: what is put ready and selected, or what is suggested."""
        chosen = self.state.chosen(view)
        melds = as_melds(view, chosen) if chosen else ()
        if melds is None:
            return ()
        return (*self.state.staged, *melds) or suggested(view)

    def _may_lay(self, view: View, wish: Melds) -> bool:
        error = why_not(view, act.Lay(wish))
        return error is None or (error.code in _TOO_LITTLE and len(self.state.selected) > 0)

    def _may_knock(self, view: View) -> bool:
        card = knock_card(view, self._selected(view))
        return allowed(view, act.Knock()) or (card is not None and allowed(view, act.Knock(card)))

    def _selected(self, view: View) -> Card | None:
        chosen = self.state.chosen(view)
        return chosen[0] if len(chosen) == 1 else None

    # --- moves -------------------------------------------------------------------------------------------------------

    def draw(self) -> None:
        """Draw from the stock, or turn the pile over."""
        view = self.seat.view()
        if view is not None:
            self.do(str(draw_action(view)))

    def take(self, count: int = 1) -> None:
        """Take from the pile."""
        self.do(str(act.Take(count)))

    def meld(self) -> None:
        """Lay what is put ready and selected, or what is suggested; what does not suffice to open is put ready."""
        view = self.seat.view()
        if view is None:
            return
        chosen = self.state.chosen(view)
        wish = self._wish(view)
        if not wish:
            if chosen:
                self.do(str(act.Lay((tuple(Piece(card) for card in chosen),))))
            else:
                self._nothing_to_lay(view)
            return
        error = why_not(view, act.Lay(wish))
        if error is not None and error.code in _TOO_LITTLE and chosen:
            self._put_ready(view, wish)
        elif error is not None:
            self.refuse(error)
        elif self.do(str(act.Lay(wish))):
            self.state.forget()
            self.state.staged.clear()

    def _nothing_to_lay(self, view: View) -> None:
        error = why_not(view, act.Lay()) if not view.on_turn or view.state.phase is not Phase.PLAY else None
        if error is not None:
            self.refuse(error)
        else:
            self.say("no-suggestion")

    def _put_ready(self, view: View, wish: Melds) -> None:
        self.state.staged = list(wish)
        self.state.selected.clear()
        self.state.at["hand"] = 0
        if view.state.rules.opening.points:
            self.say("staged-points", points=points_of(view, wish), minimum=view.state.rules.opening.points)
        else:
            self.say("staged-contract", melds=len(wish))

    def add(self) -> None:
        """Add the card to the one meld that it fits on, or ask which."""
        view = self.seat.view()
        card = self._one(view)
        if view is None or card is None:
            return
        places = fits(view, card)
        if len(places) == 1:
            self._put(card, places[0])
        elif places:
            self.state.asking = places
        elif view.on_turn and view.state.phase in (Phase.PLAY, Phase.LAY_OFF):
            self.do(str(act.Add(Piece(card))))
        else:
            self.do(f"add {card} 1")

    def add_to(self, card: Card, number: int, side: Side | None = None) -> None:
        """Add a card to a meld; asked is only where both ends take it."""
        view = self.seat.view()
        if view is None:
            return
        places = [fit for fit in fits(view, card) if fit.number == number and side in (None, fit.side)]
        if len(places) == 1:
            self._put(card, places[0])
        elif places:
            self.state.asking = tuple(places)
        else:
            self.do(str(act.Add(Piece(card), number, side)))

    def answer(self, number: int | None = None, side: Side | None = None) -> None:
        """Answer which meld, or which end."""
        view = self.seat.view()
        card = None if view is None else self.state.one_card(view)
        places = tuple(
            fit for fit in self.state.asking if number in (None, fit.number) and (side is None or fit.side == side)
        )
        if card is not None and len(places) == 1:
            self._put(card, places[0])
        elif places:
            self.state.asking = places

    def _put(self, card: Card, fit: Fit) -> None:
        self.state.asking = ()
        if self.do(action_of(card, fit)):
            self.state.forget()

    def discard(self, card: Card | None = None, *, sure: bool = False) -> None:
        """Throw a card; a joker wants a second word unless the player is ``sure``."""
        view = self.seat.view()
        card = card if card is not None else self._one(view)
        if view is None or card is None:
            return
        error = why_not(view, act.Discard(card))
        slot = next((slot for slot in self.state.fan.slots if view.card(slot) == card), None)
        if error is not None:
            self.refuse(error)
        elif card.is_joker and not sure and self.state.armed != slot:
            self.state.armed = slot
        elif self.do(str(act.Discard(card))):
            self.state.forget()

    def call(self) -> None:
        """Knock, or claim the discard."""
        view = self.seat.view()
        if view is None:
            return
        if not (knocks(view) and view.state.phase is Phase.PLAY):
            self.do("call")
            return
        move: Action = act.Knock() if allowed(view, act.Knock()) else act.Knock(knock_card(view, self._selected(view)))
        if move == act.Knock() and not allowed(view, move):
            move = act.Knock(view.hand[0])
        error = why_not(view, move)
        if error is not None:
            self.refuse(error)
        elif self.do(str(move)):
            self.state.forget()

    def _one(self, view: View | None) -> Card | None:
        """Return the card that is meant, or say that there must be one."""
        if view is None:
            return None
        card = self.state.one_card(view)
        if card is None:
            count = len(self.state.selected)
            self._tell([table_text("one-card", n=count) if count > 1 else table_text("nothing-selected")])
        return card

    # --- without a move ----------------------------------------------------------------------------------------------

    def undo(self) -> None:
        """Take back what nobody has seen: the last meld put ready, then the selection."""
        state = self.state
        if state.asking or state.armed is not None:
            state.asking, state.armed = (), None
        elif state.staged:
            state.staged.pop()
        elif state.selected:
            state.forget()
        else:
            self.say("nothing-to-undo")

    def hint(self) -> None:
        """Say what a program would do, and select the cards of it."""
        view = self.seat.view()
        if view is None:
            self.say("no-cards")
            return
        action, sentence = hint(view)
        cards = () if action is None else action.cards()
        if isinstance(action, act.Discard | act.Add | act.Knock):
            cards = cards[:1]
        if cards:
            self.state.selected = [slot for slot in self.state.loose(view) if view.card(slot) in cards]
            self.state.zone = "hand"
            if self.state.selected:
                self.state.focus(view, self.state.selected[-1])
        self._tell([sentence])

    def joker_points(self) -> int:
        """Return what a joker counts in hand."""
        return card_value(Card.parse("JK"), self.seat.rules.scoring.in_hand)


def _same(one: object, other: object) -> bool:
    """Whether two keys are the same; the hand state by identity, since to compare it takes longer than to ask it."""
    if not (isinstance(one, tuple) and isinstance(other, tuple)):
        return False
    return one[0] is other[0] and one[1:] == other[1:]
