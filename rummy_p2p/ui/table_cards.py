"""The player's own cards: in which order they lie, which are new, which form melds. Never anybody else's business.

The law of the file
    A draw never moves a card that lies already: what comes goes to the right and is marked. Sorting is done when the
    player asks for it and, unless the order is the player's own, when a turn is over.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, Literal, get_args

from rummy_p2p.arrange import Arrangement, least_deadwood
from rummy_p2p.cards import Card
from rummy_p2p.engine import View
from rummy_p2p.ruleset import Ruleset

Mode = Literal["melds", "suit", "rank", "manual"]
MODES: Final[tuple[Mode, ...]] = get_args(Mode)
MOST_ARRANGED: Final = 26  # above this finding the melds may take longer than a player should wait


class Fan:
    """The order of the slots in hand."""

    def __init__(self) -> None:
        """Begin with an empty hand, sorted by melds."""
        self.mode: Mode = "melds"
        self.slots: list[int] = []
        self.fresh: set[int] = set()

    def follow(self, view: View) -> None:
        """Take over what has come and gone; a hand that is all new is sorted."""
        held = view.slots
        kept = [slot for slot in self.slots if slot in held]
        came = [slot for slot in held if slot not in kept]
        if not kept or len(came) > len(kept):
            self.slots, self.fresh = list(held), set()
            self.tidy(view)
            return
        self.slots = kept + came
        self.fresh = {slot for slot in self.fresh if slot in held} | set(came)

    def settle(self, view: View) -> None:
        """A turn is over: nothing is new any more, and a sorted hand is sorted again."""
        self.fresh.clear()
        self.tidy(view)

    def tidy(self, view: View) -> None:
        """Sort by the mode; an own order stays as it is. What is not known yet lies at the right."""
        known = {slot: card for slot in self.slots if (card := view.card(slot)) is not None}
        if self.mode == "manual" or not known:
            return
        wanted = ordered(tuple(known.values()), self.mode, view.state.rules)
        by_card = {card: slot for slot, card in known.items()}
        unknown = [slot for slot in self.slots if slot not in known]
        self.slots = [by_card[card] for card in wanted] + unknown

    def sort(self, mode: Mode, view: View) -> None:
        """Sort now."""
        self.mode = mode
        self.tidy(view)

    def next_mode(self) -> Mode:
        """Return the mode after this one."""
        return MODES[(MODES.index(self.mode) + 1) % len(MODES)]

    def move(self, slot: int, place: int) -> None:
        """Put a card at a place; from now on the order is the player's own."""
        if slot in self.slots:
            self.slots.remove(slot)
            self.slots.insert(max(0, min(place, len(self.slots))), slot)
            self.mode = "manual"


def ordered(cards: Sequence[Card], mode: Mode, rules: Ruleset) -> list[Card]:
    """Return cards by melds (the rest by suit), by suit or by rank."""
    if mode == "rank":
        return sorted(cards, key=lambda card: (card.is_joker, card.rank, card.suit, card.copy))
    by_suit = sorted(cards, key=lambda card: (card.is_joker, card.suit, card.rank, card.copy))
    if mode == "suit":
        return by_suit
    found = arranged(frozenset(cards), _Key(rules))
    melded = [card for meld in found.melds for card in meld.cards]
    return [*melded, *(card for card in by_suit if card not in melded)]


class _Key:
    """A Ruleset as a key, by identity: to hash it whole takes longer than most answers."""

    __slots__ = ("rules",)

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules

    def __hash__(self) -> int:
        return id(self.rules)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and other.rules is self.rules


@lru_cache(maxsize=64)
def arranged(cards: frozenset[Card], key: _Key) -> Arrangement:
    """Return the best arrangement of cards; of very many none is sought."""
    rules = key.rules
    if len(cards) > MOST_ARRANGED:
        return Arrangement((), tuple(sorted(cards)), 0, 0)
    return least_deadwood(tuple(sorted(cards)), rules)


def best(cards: Sequence[Card], rules: Ruleset) -> Arrangement:
    """Return the best arrangement of cards, remembered."""
    return arranged(frozenset(cards), _Key(rules))
