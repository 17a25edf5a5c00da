"""What the keys, the buttons and the mouse of the table do: from the selection to a move, in the words that are typed.

The law of the file
    A move goes to the seat as text, exact to the physical card, by the one way on which typed moves go; the seat alone
    judges it. A refusal is told and changes nothing. What cannot be taken back (a joker thrown) wants a second word.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from rummy_p2p.arrange import discards
from rummy_p2p.bots.hints import Hint
from rummy_p2p.cards import Card
from rummy_p2p.engine import NOBODY, Action, IllegalAction, Phase, View
from rummy_p2p.melds import Piece, Side
from rummy_p2p.rules import actions as act
from rummy_p2p.rules.scoring import card_value
from rummy_p2p.sentences import refusal
from rummy_p2p.sentences.faces import on_screen, typed_card
from rummy_p2p.sentences.hints import hint_text
from rummy_p2p.sentences.refusals import contract_words
from rummy_p2p.sentences.screen import table_text
from rummy_p2p.ui.console import Console, Seat
from rummy_p2p.ui.table_hints import Hints, Start
from rummy_p2p.ui.table_moves import (
    Fit,
    Melds,
    action_of,
    allowed,
    as_melds,
    draw_action,
    fits,
    held_points,
    knock_card,
    knocks,
    may_claim,
    may_take,
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

    def __init__(
        self,
        seat: Seat,
        state: TableState,
        console: Console,
        tell: Callable[[Sequence[str]], None],
        start: Start,
        shown: Callable[[Card], str] = typed_card,
    ) -> None:
        """``tell`` shows the player what was answered, ``start`` begins what takes a while, ``shown`` is how a card
        stands on the table.
        """
        self.seat = seat
        self._shown = shown
        self.state = state
        self._console = console
        self._tell = tell
        self.hints = Hints(seat.view, start)
        self._known: tuple[object, Options] | None = None

    def do(self, text: str, *, typed: bool = False) -> bool:
        """Carry out a move or command as if it were typed; return whether nothing was answered to it. Where it really
        was ``typed`` the answer names words and no keys.
        """
        with on_screen(self._shown, keys=not typed):
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
        with on_screen(self._shown):
            sentence = refusal(error, self.seat.rules, self.seat.names)
        self._tell([sentence])

    # --- what is possible --------------------------------------------------------------------------------------------

    def options(self, view: View) -> Options:
        """Return what could be done now; worked out once for each position and selection."""
        key = (view.state, len(view.knowledge), *self._meant(view))
        if self._known is None or not _same(self._known[0], key):
            self._known = (key, self._options(view))
        return self._known[1]

    def _meant(self, view: View) -> tuple[object, ...]:
        """Return what the player has selected and points at."""
        state = self.state
        return tuple(state.selected), tuple(state.staged), state.focused(view), state.zone

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
            take=drawing and may_take(view),
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
            self._nothing_to_lay(view, chosen)
            return
        error = why_not(view, act.Lay(wish))
        if error is not None and error.code in _TOO_LITTLE and chosen:
            self._put_ready(view, wish)
        elif error is not None:
            self.refuse(error)
        elif self.do(str(act.Lay(wish))):
            self.state.forget()
            self.state.staged.clear()

    def _nothing_to_lay(self, view: View, chosen: Sequence[Card]) -> None:
        """Tell why nothing is laid: one cannot now, what is selected is no meld, or it does not suffice to open."""
        rules, playing = view.state.rules, view.on_turn and view.state.phase is Phase.PLAY
        error = None if playing else why_not(view, act.Lay())
        opens = not view.state.opened[view.seat] and rules.lay == "in-play"
        if error is not None:
            self.refuse(error)
        elif len(chosen) > 1 or (chosen and not opens):
            self.do(str(act.Lay((tuple(Piece(card) for card in chosen),))))
        elif opens and rules.rounds:
            contract = rules.rounds[min(view.state.round_index, len(rules.rounds) - 1)].contract
            self.say("open-contract", contract=contract_words(contract))
        elif opens and rules.opening.points:
            self.say("open-short", points=held_points(view), minimum=rules.opening.points)
        elif chosen and suggested(view):
            self.say("one-no-meld", card=self._shown(chosen[0]))
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
            self._ask(view, card, places)
        elif view.on_turn and view.state.phase in (Phase.PLAY, Phase.LAY_OFF):
            self.do(str(act.Add(Piece(card))))
        else:
            self.do(f"add {card} 1")

    def add_here(self, number: int) -> None:
        """Add the selected card to the meld under the cursor."""
        view = self.seat.view()
        card = self._one(view)
        if card is not None and view is not None and view.state.table:
            self.add_to(card, number)

    def add_to(self, card: Card, number: int, side: Side | None = None) -> None:
        """Add a card to a meld; asked is only where both ends take it."""
        view = self.seat.view()
        if view is None:
            return
        places = [fit for fit in fits(view, card) if fit.number == number and side in (None, fit.side)]
        if len(places) == 1:
            self._put(card, places[0])
        elif places:
            self._ask(view, card, places)
        else:
            self.do(str(act.Add(Piece(card), number, side)))

    def _ask(self, view: View, card: Card, places: Sequence[Fit]) -> None:
        """Ask which of these places is meant; the card is selected, so that it is clear which one goes there."""
        slot = next((slot for slot in self.state.loose(view) if view.card(slot) == card), None)
        self.state.selected = [] if slot is None else [slot]
        self.state.asking = tuple(places)

    def take_joker(self, card: Card, number: int) -> None:
        """Put a card in the place of a meld's joker."""
        self._put(card, Fit(number, None, swap=True))

    def answer(self, number: int | None = None, side: Side | None = None, *, swap: bool | None = None) -> None:
        """Answer which meld, which end, or whether the joker is taken; a set is the same at both ends."""
        view = self.seat.view()
        card = None if view is None else self.state.asked_card(view)
        swap = False if swap is None and side is not None else swap
        places = tuple(
            fit
            for fit in self.state.asking
            if number in (None, fit.number)
            and swap in (None, fit.swap)
            and (None in (side, fit.side) or fit.side == side)
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
            self._call_out(view)
            return
        move: Action = act.Knock() if allowed(view, act.Knock()) else act.Knock(knock_card(view, self._selected(view)))
        if move == act.Knock() and not allowed(view, move):
            left = discards(view.hand, view.state.rules)
            move = act.Knock(min(view.hand, key=lambda card: left[card]))
        error = why_not(view, move)
        if error is not None:
            self.refuse(error)
        elif self.do(str(move)):
            self.state.forget()

    def _call_out(self, view: View) -> None:
        """Claim the discard; in a game that has but a knock, tell why that cannot be done now."""
        rules = view.state.rules
        if rules.claim.kind != "none":
            self.do("call")
        elif view.on_turn and view.state.phase is Phase.LAY_OFF:
            self.say("knocked-already")
        else:
            error = why_not(view, act.Knock(view.hand[0] if view.hand else None))
            self.refuse(error or IllegalAction("not-your-turn", turn=view.state.turn))

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
        """Say what a program would do and select the cards of it, as soon as that is known."""
        view = self.seat.view()
        if view is None:
            self.say("no-cards")
        else:
            self.hints.ask(view, partial(self._tell_hint, view, self._meant(view)))

    def _tell_hint(self, view: View, meant: tuple[object, ...], found: Hint | None) -> None:
        """Tell a hint; what the player has selected in the meantime is left alone."""
        if found is not None and self._meant(view) == meant:
            self._select(view, found.action)
        with on_screen(self._shown):
            self._tell([hint_text(found)])

    def _select(self, view: View, action: Action) -> None:
        cards = action.cards()
        if isinstance(action, act.Discard | act.Add | act.Knock):
            cards = cards[:1]
        if cards:
            self.state.selected = [slot for slot in self.state.loose(view) if view.card(slot) in cards]
            self.state.zone = "hand"
            if self.state.selected:
                self.state.focus(view, self.state.selected[-1])

    def joker_points(self) -> int:
        """Return what a joker counts in hand."""
        return card_value(Card.parse("JK"), self.seat.rules.scoring.in_hand)


def _same(one: object, other: object) -> bool:
    """Whether two keys are the same; the hand state by identity, since to compare it takes longer than to ask it."""
    if not (isinstance(one, tuple) and isinstance(other, tuple)):
        return False
    return one[0] is other[0] and one[1:] == other[1:]
