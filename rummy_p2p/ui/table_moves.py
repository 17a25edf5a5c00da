"""What can be done with the cards on the screen: which buttons light up, where a card fits, what a hint says.

Nothing here changes anything; every answer comes from ``engine.check``, so that a button never lies.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rummy_p2p.arrange import discards, opening
from rummy_p2p.bots import LEVELS
from rummy_p2p.cards import Card
from rummy_p2p.engine import Action, IllegalAction, KnobFailed, Phase, View, check, claimants
from rummy_p2p.melds import Meld, MeldError, Piece, Side, meld_points, melds_of, read_meld
from rummy_p2p.rules import actions as act
from rummy_p2p.rules.functions import laid_points
from rummy_p2p.rules.legality import can_turn_over, going_out
from rummy_p2p.rules.scoring import card_value
from rummy_p2p.sentences.events import card_text, cards_line
from rummy_p2p.sentences.screen import hint_text
from rummy_p2p.ui.table_cards import best

Melds = tuple[tuple[Piece, ...], ...]


class Fit(NamedTuple):
    """A place for a card on the table: a meld's number, the end (None: there is but one), or in a joker's place."""

    number: int
    side: Side | None
    swap: bool = False


def why_not(view: View, action: Action) -> IllegalAction | None:
    """Return why an action is refused; None when it is allowed (or a plugin fails, which the table will tell)."""
    try:
        check(view, action)
    except IllegalAction as error:
        return error
    except KnobFailed:
        return None
    return None


def allowed(view: View, action: Action) -> bool:
    """Whether an action would be accepted."""
    return why_not(view, action) is None


def fits(view: View, card: Card) -> tuple[Fit, ...]:
    """Return where a card of the hand may be added or swapped in now."""
    if not view.on_turn or view.state.phase not in (Phase.PLAY, Phase.LAY_OFF):
        return ()
    found: list[Fit] = []
    for number, laid in enumerate(view.state.table, 1):
        found += [Fit(number, side) for side in _ends(view, card, number, laid.meld)]
        if laid.meld.jokers and not card.is_joker and allowed(view, act.Swap(card, number)):
            found.append(Fit(number, None, swap=True))
    return tuple(found)


def _ends(view: View, card: Card, number: int, meld: Meld) -> list[Side | None]:
    sides: tuple[Side | None, ...] = (None,) if meld.kind == "set" else ("left", "right")
    return [side for side in sides if allowed(view, act.Add(Piece(card), number, side))]


def numbers_of(places: Sequence[Fit], *, swaps: bool | None = None) -> list[int]:
    """Return the melds that places are on; those alone where a joker is taken (``swaps``), or none is."""
    return sorted({fit.number for fit in places if swaps in (None, fit.swap)})


def action_of(card: Card, fit: Fit) -> str:
    """Return the move that puts a card in its place."""
    if fit.swap:
        return str(act.Swap(card, fit.number))
    return str(act.Add(Piece(card), fit.number, fit.side))


def as_melds(view: View, cards: Sequence[Card]) -> Melds | None:
    """Return the melds that some cards are, all of them; None when they are none."""
    if not cards:
        return None
    rules = view.state.rules
    try:
        return (read_meld([Piece(card) for card in cards], rules.melds).pieces(),)
    except MeldError:
        found = best(cards, rules)
        return None if found.left else tuple(meld.pieces() for meld in found.melds)


def suggested(view: View) -> Melds:
    """Return what could be laid now and would leave least: what opens, or all melds of the hand."""
    rules = view.state.rules
    if rules.lay == "at-knock" or not view.hand:
        return ()
    if not view.state.opened[view.seat]:
        barred = [card for slot in view.state.taken if (card := view.card(slot)) is not None]
        first = opening(view.hand, rules, view.state.round_index, () if rules.draw.may_return else barred)
        wishes = [] if first is None else [tuple(meld.pieces() for meld in first.melds)]
    else:
        melds = [meld.pieces() for meld in best(view.hand, rules).melds]
        wishes = [tuple(melds), *((meld,) for meld in melds)]
    return next((wish for wish in wishes if wish and allowed(view, act.Lay(wish))), ())


def points_of(view: View, melds: Melds) -> int:
    """Return what melds count on the table."""
    return sum(worth(view, read_meld(pieces, view.state.rules.melds)) for pieces in melds)


def worth(view: View, meld: Meld) -> int:
    """Return what a meld counts on the table; as printed where a plugin cannot tell."""
    rules = view.state.rules
    try:
        return laid_points(meld, rules)
    except KnobFailed:
        return meld_points(meld, rules.scoring.in_play)


def draw_action(view: View) -> Action:
    """Return what the draw key does now: draw, or turn the pile over where the stock is empty."""
    return act.TurnOver() if can_turn_over(view.state) else act.Draw()


def may_take(view: View) -> bool:
    """Whether anything may be taken from the pile now: its top, or as many cards as the game allows."""
    most = len(view.state.pile) if view.state.rules.draw.pile == "many" else 1
    return any(allowed(view, act.Take(count)) for count in range(1, most + 1))


def held_points(view: View) -> int:
    """Return what the best melds of the hand count on the table."""
    return sum(worth(view, meld) for meld in best(view.hand, view.state.rules).melds)


def may_claim(view: View) -> bool:
    """Whether the seat may claim the discard now."""
    return view.seat in claimants(view.state)


def knocks(view: View) -> bool:
    """Whether the call slot is a knock now: the hand ends by one, and it is the seat's turn to play."""
    return view.on_turn and going_out(view.state) == "knock"


def knock_card(view: View, chosen: Card | None) -> Card | None:
    """Return the card to knock with: the chosen one, else the one without which least is left."""
    if chosen is not None or not view.hand:
        return chosen
    left = discards(view.hand, view.state.rules)
    may = [card for card in view.hand if allowed(view, act.Knock(card))]
    return min(may, key=lambda card: left[card]) if may else None


def useful(view: View, card: Card, above: Sequence[Card] = ()) -> bool:
    """Whether a card of the pile finds its place in a meld with the hand and the cards ``above`` it."""
    near = [held for held in (*view.hand, *above) if held.is_joker or held.suit == card.suit or held.rank == card.rank]
    return any(card in [piece.card for piece in pieces] for pieces in melds_of((*near, card), view.state.rules.melds))


def hint(view: View, seed: int = 0) -> tuple[Action | None, str]:
    """Return what a program would do in this seat, and why in a sentence."""
    action = LEVELS["normal"](view, seed)
    return action, _reason(view, action)


def _reason(view: View, action: Action | None) -> str:
    top = view.state.top()
    shown = "" if top is None else card_text(top)
    values = view.state.rules.scoring.in_hand
    if isinstance(action, act.Lay):
        cards = " | ".join(cards_line(piece.card for piece in meld) for meld in action.melds)
        return hint_text("meld", cards=cards, points=points_of(view, action.melds))
    if isinstance(action, act.Add):
        card = action.piece.card
        points = card_value(card, values)
        return hint_text("add", card=card_text(card), number=action.number, points=points)
    if isinstance(action, act.Discard):
        left = discards(view.hand, view.state.rules)[action.card]
        return hint_text("discard", card=card_text(action.card), points=left)
    if isinstance(action, act.Knock):
        card_left = min(discards(view.hand, view.state.rules).values()) if view.hand else 0
        return hint_text("knock", card="" if action.card is None else card_text(action.card), points=card_left)
    return hint_text(_plain_reason(view, action), top=shown)


def _plain_reason(view: View, action: Action | None) -> str:
    if isinstance(action, act.Draw):
        return "draw" if view.state.pile else "draw-blind"
    if isinstance(action, act.Take):
        return "take" if allowed(view, act.Draw()) else "take-only"
    return {"turn-over": "turn-over", "pass": "pass", "call": "call", "keep": "keep", "done": "done"}.get(
        "" if action is None else action.verb, "wait"
    )
