"""The message line of the table: what is asked of the player, else what can be done now."""

from __future__ import annotations

from collections.abc import Sequence

from rummy_p2p.cards import Card
from rummy_p2p.engine import NOBODY, Phase, View
from rummy_p2p.rules.scoring import card_value
from rummy_p2p.sentences.events import card_text
from rummy_p2p.sentences.screen import clock_text, table_text
from rummy_p2p.sentences.titles import label_text
from rummy_p2p.ui.table_moves import Fit, fits
from rummy_p2p.ui.table_play import Options
from rummy_p2p.ui.table_state import TableState


def message(view: View, state: TableState, options: Options, left: float | None) -> str:
    """Return what the message line says: what is asked, else what can be done."""
    card = state.one_card(view)
    shown = "" if card is None else card_text(card)
    if view.seat == NOBODY:
        return ""
    if state.asking:
        return _asking(state.asking, shown)
    if state.armed is not None:
        points = card_value(Card.parse("JK"), view.state.rules.scoring.in_hand)
        return table_text("joker-again", n=points)
    if state.dragged is not None:
        dragged = view.card(state.dragged)
        return table_text("drag", card="" if dragged is None else card_text(dragged))
    if options.call and not options.knocks:
        return claim_text(view, left)
    if view.on_turn:
        return _own_turn(view, state, options, shown)
    return "" if view.state.playing[view.seat] else table_text("watching")


def _asking(places: Sequence[Fit], shown: str) -> str:
    numbers = sorted({fit.number for fit in places})
    if len(numbers) == 1:
        return table_text("which-end", number=numbers[0])
    return table_text("which-meld", card=shown, numbers=" ".join(map(str, numbers)))


def claim_text(view: View, left: float | None) -> str:
    """Return that the discard may be claimed, its price, and how long."""
    top, rules = view.state.top(), view.state.rules
    which = "claim-price" if rules.claim.penalty else "claim-open"
    which += "" if left is None else "-left"
    time = "" if left is None else clock_text(left)
    label = label_text(rules.labels.call)
    return table_text(which, card="" if top is None else card_text(top), label=label, n=rules.claim.penalty, time=time)


def _own_turn(view: View, state: TableState, options: Options, shown: str) -> str:
    phase, top = view.state.phase, view.state.top()
    pile = "" if top is None else card_text(top)
    if phase is Phase.OFFER:
        return table_text("do-offer", card=pile)
    if phase is Phase.DRAW:
        return table_text(_draw_text(options, pile), card=pile)
    if phase is Phase.ANSWER:
        return table_text("do-answer")
    if options.add:
        card = state.one_card(view)
        numbers = sorted({fit.number for fit in fits(view, card)}) if card is not None else []
        which = "card-fits" if len(numbers) > 1 else "card-fits-one"
        return table_text(which, card=shown, numbers=" ".join(map(str, numbers)))
    if phase is Phase.LAY_OFF:
        return table_text("do-lay-off")
    if phase is Phase.PLAY:
        return _play_text(view, options)
    return ""


def _draw_text(options: Options, pile: str) -> str:
    if options.draw and options.turns_over:
        return "do-turn-over"
    if options.draw:
        return "do-draw" if pile else "do-draw-only"
    return "do-take-or-pass"


def _play_text(view: View, options: Options) -> str:
    owed = None if view.state.owed is None else view.card(view.state.owed)
    if owed is not None:
        return table_text("must-use", card=card_text(owed))
    if options.knocks:
        return table_text("do-knock" if options.call else "do-discard")
    return table_text("do-play" if view.state.rules.lay == "in-play" else "do-discard")
