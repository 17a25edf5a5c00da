"""Hints in words: what to do and why."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from rummy_p2p.bots.hints import Hint
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
        "costs-most": N_("{move}: it would cost {points} in hand, and nothing you keep is near a meld without it."),
        "buys": N_("{move}: {card} is worth the cards that come with it."),
        "other": N_("{move}: nothing else is better now."),
    }
)
HINT: Final = N_("say what a strong player would do, and why")
NOTHING: Final = N_("There is nothing for you to do just now.")


def hint_text(hint: Hint | None) -> str:
    """Return a hint as a sentence; without one, that there is nothing to do."""
    if hint is None:
        return _(NOTHING)
    facts = {name: str(value) for name, value in hint.facts.items()} | {"move": str(hint.action)}
    if "ways" in hint.facts:
        facts["ways"] = plural("{n} way", "{n} ways", int(hint.facts["ways"]))
    if "points" in hint.facts:
        facts["points"] = plural("{n} point", "{n} points", int(hint.facts["points"]))
    return _(_TEXTS[hint.reason]).format_map(facts)


def hint_help() -> str:
    """Return what the command does."""
    return _(HINT)
