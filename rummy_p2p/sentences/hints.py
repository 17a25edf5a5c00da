"""Hints in words: what to do and why."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from rummy_p2p.bots.hints import Hint
from rummy_p2p.cards import cards_text
from rummy_p2p.rules import actions as act
from rummy_p2p.sentences.faces import shown_cards
from rummy_p2p.sentences.language import N_, _, plural

_TEXTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "draw-stock": N_("{move}: the discard would help less than a card of the stock may."),
        "take-meld": N_("{move}: {card} completes {cards}."),
        "take-knock": N_("{move}: with {card} you can knock."),
        "take-keeps": N_("{move}: {card} leaves you with less than a card of the stock may be expected to."),
        "opens": N_("{move}: this opens, and what lies on the table no longer counts against you."),
        "lays": N_("{move}: what lies on the table no longer counts against you."),
        "lays-off": N_("{move}: {card} fits there and no longer counts against you."),
        "swaps": N_("{move}: the joker is worth more in your hand than {card}, which you can place."),
        "knocks": N_("{move}: you are left with {points}, and the other side may well have more."),
        "keeps-ways": N_("{move}: it keeps {ways} to complete {cards}."),
        "goes-out": N_("{move}: you go out and win the hand."),
        "costs-most": N_("{move}: it would cost {points} in hand, and the cards you keep are not near a meld."),
        "buys": N_("{move}: {card} is worth the cards that come with it."),
        "other": N_("{move}: nothing else is better now."),
    }
)
_MOVES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "draw": N_("Draw from the stock"),
        "turn-over": N_("Turn the pile over"),
        "take": N_("Take {cards}"),
        "pass": N_("Pass"),
        "keep": N_("Keep the card that you drew"),
        "meld": N_("Lay {cards}"),
        "add": N_("Add {cards} to meld {number}"),
        "swap": N_("Swap {cards} for the joker of meld {number}"),
        "discard": N_("Throw {cards}"),
        "knock": N_("Knock with {cards}"),
        "big-gin": N_("Knock with all your cards"),
        "call": N_("Claim {cards}"),
        "give": N_("Let the others have it"),
        "done": N_("Say that you are done"),
        "show": N_("Show your cards"),
    }
)
HINT: Final = N_("say what a strong player would do, and why")
NOTHING: Final = N_("There is nothing for you to do just now.")


def hint_text(hint: Hint | None) -> str:
    """Return a hint as a sentence; without one, that there is nothing to do."""
    if hint is None:
        return _(NOTHING)
    facts = {name: shown_cards(str(value)) for name, value in hint.facts.items()} | {"move": _move_text(hint)}
    if "ways" in hint.facts:
        facts["ways"] = plural("{n} way", "{n} ways", int(hint.facts["ways"]))
    if "points" in hint.facts:
        facts["points"] = plural("{n} point", "{n} points", int(hint.facts["points"]))
    return _(_TEXTS[hint.reason]).format_map(facts)


def _move_text(hint: Hint) -> str:
    """Return the action as players speak of it; any of twins will do, so they are not told apart."""
    action, verb = hint.action, hint.action.verb
    if isinstance(action, act.Knock):
        verb, cards = ("knock", shown_cards(str(action.card))) if action.card is not None else ("big-gin", "")
    elif isinstance(action, act.Lay):
        cards = " | ".join(shown_cards(cards_text([piece.card for piece in meld])) for meld in action.melds)
    elif isinstance(action, act.Add | act.Swap | act.Discard):
        cards = shown_cards(str(action.cards()[0]))
    elif isinstance(action, act.Take) and action.count > 1:
        cards = plural("{n} card of the pile", "{n} cards of the pile", action.count)
    else:
        cards = shown_cards(str(hint.facts.get("card", "")))
    number = action.number if isinstance(action, act.Add | act.Swap) else 0
    return _(_MOVES[verb]).format(cards=cards, number=number)


def hint_help() -> str:
    """Return what the command does."""
    return _(HINT)
