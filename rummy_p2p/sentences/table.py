"""What a seat sees, in lines of text: its hand, the table, whose turn it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, Literal, get_args

from rummy_p2p.arrange import least_deadwood
from rummy_p2p.cards import Card
from rummy_p2p.engine import Phase, View
from rummy_p2p.protocol.text import NICK_LIMIT, clean
from rummy_p2p.sentences.events import card_text, cards_line, meld_text
from rummy_p2p.sentences.guide import turn_hint
from rummy_p2p.sentences.language import N_, _, cards, points

Order = Literal["melds", "suit", "rank"]
ORDERS: Final[tuple[Order, ...]] = get_args(Order)

# Above this many cards the hand is shown by suit: finding the melds may take longer than a player should wait.
_MOST_ARRANGED: Final = 26


def _by_suit(card: Card) -> tuple[bool, int, int]:
    return card.is_joker, card.suit, card.rank


def _by_rank(card: Card) -> tuple[bool, int, int]:
    return card.is_joker, card.rank, card.suit


_KEYS: Final[Mapping[str, Callable[[Card], tuple[bool, int, int]]]] = {"suit": _by_suit, "rank": _by_rank}


def hand_line(view: View, order: Order = "melds") -> str:
    """Return the seat's own cards: melds in brackets and the rest by suit, or all of them by suit or rank."""
    hand = view.hand
    if not hand:
        return _("Hand: no cards.")
    if order != "melds" or len(hand) > _MOST_ARRANGED:
        ordered = cards_line(sorted(hand, key=_KEYS.get(order, _by_suit)))
        return _("Hand: {cards} ({count}).").format(cards=ordered, count=cards(len(hand)))
    found = least_deadwood(hand, view.state.rules)
    melds = [f"[{meld_text(meld)}]" for meld in found.melds]
    loose = [card_text(card) for card in sorted(found.left, key=_by_suit)]
    text = _("Hand: {cards} ({count}, {loose} outside melds).")
    return text.format(cards=" ".join([*melds, *loose]), count=cards(len(hand)), loose=points(found.deadwood))


def table_lines(view: View, names: Sequence[str]) -> tuple[str, ...]:
    """Return everything that lies open, and how many cards everybody has."""
    return (_piles_line(view), _seats_line(view, names), *_meld_lines(view, names))


def _piles_line(view: View) -> str:
    state = view.state
    known = [card for slot in state.pile if (card := view.card(slot)) is not None]
    stock = cards(len(state.stock))
    if not known:
        return _("Pile: empty. Stock: {stock}.").format(stock=stock)
    if state.rules.draw.pile == "many":
        return _("Pile, the top card last: {pile}. Stock: {stock}.").format(pile=cards_line(known), stock=stock)
    text = _("Pile: {top} on top of {under}. Stock: {stock}.") if len(known) > 1 else _("Pile: {top}. Stock: {stock}.")
    return text.format(top=card_text(known[-1]), under=cards(len(known) - 1), stock=stock)


def _seats_line(view: View, names: Sequence[str]) -> str:
    state = view.state
    parts = []
    for seat in range(state.seats):
        if not state.playing[seat]:
            text = _("{name} is out")
        elif state.opened[seat]:
            text = _("{name}: {count}, has laid down")
        else:
            text = _("{name}: {count}")
        parts.append(text.format(name=_name(names, seat), count=cards(len(state.hands[seat]))))
    return _("Players: {parts}.").format(parts="; ".join(parts))


def _meld_lines(view: View, names: Sequence[str]) -> Iterator[str]:
    kinds = {"set": _("set"), "run": _("run")}
    width = max(4, *map(len, kinds.values()))
    for number, laid in enumerate(view.state.table, 1):
        owner = _name(names, laid.owner)
        yield f"{number:>3} {owner:<{_width(view, names)}} {kinds[laid.meld.kind]:<{width}} {meld_text(laid.meld)}"
    if not view.state.table:
        yield _("No melds are on the table.")


def _width(view: View, names: Sequence[str]) -> int:
    return max(len(_name(names, laid.owner)) for laid in view.state.table)


def _name(names: Sequence[str], seat: int) -> str:
    return clean(names[seat], NICK_LIMIT) if seat < len(names) else _("Seat {number}").format(number=seat + 1)


def turn_lines(view: View, names: Sequence[str], order: Order = "melds") -> tuple[str, ...]:
    """Return whose turn it is; for the seat's own turn also its hand and what it can do."""
    state = view.state
    if state.phase in (Phase.COUNT, Phase.OVER):
        return (_("The hand is over."),)
    if state.phase is Phase.DEALING:
        return (_("The cards are being dealt."),)
    hint = turn_hint(view)
    if view.on_turn:
        return (f"{_('! YOUR TURN.')} {_piles_line(view)} {hint}", hand_line(view, order))
    told = _("It is {name}'s turn.").format(name=_name(names, state.turn))
    return (f"{told} {hint}".rstrip(),)


_PROMPTS: Final[Mapping[Phase, str]] = {
    Phase.OFFER: N_("take or pass"),
    Phase.DRAW: N_("draw"),
    Phase.ANSWER: N_("keep or give"),
    Phase.PLAY: N_("play"),
    Phase.LAY_OFF: N_("lay off"),
}


def prompt_text(view: View | None) -> str:
    """Return what stands before the cursor: what the seat is expected to do."""
    if view is None or view.state.phase not in _PROMPTS:
        return "> "
    return f"{_(_PROMPTS[view.state.phase]) if view.on_turn else _('wait')}> "
