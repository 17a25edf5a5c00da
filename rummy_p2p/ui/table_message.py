"""The message line of the table: what is asked of the player, else what can be done now."""

from __future__ import annotations

from collections.abc import Sequence

from rummy_p2p.cards import Card
from rummy_p2p.engine import Phase, View
from rummy_p2p.rules.scoring import card_value
from rummy_p2p.sentences import turn_hint
from rummy_p2p.sentences.events import card_text
from rummy_p2p.sentences.language import cards
from rummy_p2p.sentences.screen import TableFacts, table_text
from rummy_p2p.sentences.titles import label_text
from rummy_p2p.ui.table_moves import Fit, fits, knock_card, numbers_of
from rummy_p2p.ui.table_play import Options
from rummy_p2p.ui.table_state import TableState


def onlookers_message(facts: TableFacts) -> str:
    """Return what the message line says to somebody who has no seat: how to get one."""
    return table_text("looks-on-line-waits" if facts.wants_seat else "looks-on-line")


def message(view: View, state: TableState, options: Options, *, typing: bool = False) -> str:
    """Return what the message line says: what is asked, else what can be done; in words while the player types."""
    card = state.one_card(view)
    shown = "" if card is None else card_text(card)
    if state.asking:
        asked = state.asked_card(view)
        return _asking(state.asking, "" if asked is None else card_text(asked))
    if state.armed is not None:
        points = card_value(Card.parse("JK"), view.state.rules.scoring.in_hand)
        return table_text("joker-again", n=points)
    if state.dragged is not None:
        dragged = view.card(state.dragged)
        return table_text("drag", card="" if dragged is None else card_text(dragged))
    if options.call and not options.knocks:
        return claim_text(view)
    if view.on_turn and typing:
        return _typed_turn(view, options)
    if view.on_turn:
        return _own_turn(view, state, options, shown)
    return "" if view.state.playing[view.seat] else table_text("watching")


def _typed_turn(view: View, options: Options) -> str:
    """Return what can be typed; the words for it in play fit one line."""
    in_short = view.state.phase is Phase.PLAY and not options.knocks
    return table_text("type-play") if in_short else turn_hint(view)


def _asking(places: Sequence[Fit], shown: str) -> str:
    numbers = numbers_of(places)
    if len(numbers) == 1:
        ends = any(fit.side is not None for fit in places)
        swap = any(fit.swap for fit in places)
        which = "which-end" if not swap else "end-or-joker" if ends else "add-or-joker"
        return table_text(which, number=numbers[0], card=shown)
    return table_text("which-meld", card=shown, numbers=" ".join(map(str, numbers)))


def claim_text(view: View) -> str:
    """Return that the discard may be claimed, and its price; how long is shown before it."""
    top, rules = view.state.top(), view.state.rules
    which = "claim-price" if rules.claim.penalty else "claim-open"
    label = label_text(rules.labels.call)
    shown, more = "" if top is None else card_text(top), cards(rules.claim.penalty)
    return table_text(which, card=shown, label=label, cards=more)


def _own_turn(view: View, state: TableState, options: Options, shown: str) -> str:
    phase, top = view.state.phase, view.state.top()
    pile = "" if top is None else card_text(top)
    if phase is Phase.OFFER:
        return table_text("do-offer" if options.take else "do-offer-pass", card=pile)
    if phase is Phase.DRAW:
        return table_text(_draw_text(view, options), card=pile)
    if phase is Phase.ANSWER:
        return table_text("do-answer")
    card = state.one_card(view)
    if options.add and card is not None:
        return _fits_text(fits(view, card), shown)
    if phase is Phase.LAY_OFF:
        return table_text("do-lay-off")
    if phase is Phase.PLAY:
        return _play_text(view, state, options, shown)
    return ""


def _fits_text(places: Sequence[Fit], shown: str) -> str:
    """Return where a card fits, and where it would take a joker."""
    numbers, jokers = numbers_of(places, swaps=False), numbers_of(places, swaps=True)
    if len({*numbers, *jokers}) == 1:
        which = "card-fits-one" if not jokers else "card-or-joker" if numbers else "card-takes-joker"
        return table_text(which, card=shown, numbers=(numbers or jokers)[0])
    which = "card-fits-joker" if jokers else "card-fits"
    return table_text(which, card=shown, numbers=_listed(numbers) or "-", jokers=_listed(jokers))


def _listed(numbers: Sequence[int]) -> str:
    return " ".join(map(str, numbers))


def _draw_text(view: View, options: Options) -> str:
    if options.draw and options.turns_over:
        return "do-turn-over" if options.take else "do-turn-over-only"
    if options.draw and options.take:
        many = view.state.rules.draw.pile == "many" and len(view.state.pile) > 1
        return "do-draw-many" if many else "do-draw"
    if options.draw:
        return "do-draw-only"
    return "do-take-or-pass" if options.take else "do-pass"


def _play_text(view: View, state: TableState, options: Options, shown: str) -> str:
    owed = None if view.state.owed is None else view.card(view.state.owed)
    if owed is not None:
        return table_text("must-use", card=card_text(owed))
    none = "" if shown else "-none"
    if options.discard and len(view.hand) == 1:
        return table_text("do-go-out", card=shown)
    if options.knocks and options.call:
        return _knock_text(view, state, shown)
    if view.state.rules.lay == "in-play" and (text := _lay_text(state, options, len(state.chosen(view)), shown)):
        return text
    return table_text(f"do-discard{none}", card=shown)


def _lay_text(state: TableState, options: Options, chosen: int, shown: str) -> str:
    """Return what the key m does with what is selected, put ready or marked; nothing when it does nothing."""
    if chosen > 1:
        return table_text("do-lay-selected" if options.meld else "selected-no-meld")
    if not options.meld:
        return ""
    if state.staged:
        return table_text("do-lay-staged")
    return table_text("do-play" if shown else "do-play-none", card=shown)


def _knock_text(view: View, state: TableState, shown: str) -> str:
    """Return which card x would throw, and which one a knock: where none is selected the one that leaves least."""
    chosen = state.chosen(view)
    thrown = knock_card(view, chosen[0] if len(chosen) == 1 else None)
    if thrown is None:
        return table_text("do-knock-all")
    return table_text("do-knock" if shown else "do-knock-none", card=shown, thrown=card_text(thrown))
