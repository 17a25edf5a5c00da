"""How far a hand is from a contract: the cards that are missing to its sets and runs, and those that serve none.

It is counted greedily, the group that lacks least first, sets first and then runs first, whichever lacks less. That is
near enough to compare hands; whether a hand can open is asked of ``arrange``.
"""

from __future__ import annotations

from collections.abc import Sequence

from rummy_p2p.cards import Card
from rummy_p2p.melds import HIGH_ACE
from rummy_p2p.ruleset import Melds, Ruleset

Found = tuple[int, list[Card]]


def missing(cards: Sequence[Card], contract: str, rules: Ruleset) -> Found:
    """Return how many cards are missing, jokers counted in, and the cards that are in no group."""
    jokers = [card for card in cards if card.is_joker]
    naturals = [card for card in cards if not card.is_joker]
    sets, runs = contract.count("3"), contract.count("4")
    ways = [_groups(naturals, sets, runs, rules.melds, first) for first in ("set", "run")]
    lack, loose = min(ways, key=lambda way: way[0])
    return max(0, lack - len(jokers)), [*loose, *jokers[lack:]]


def _groups(cards: list[Card], sets: int, runs: int, knobs: Melds, first: str) -> Found:
    """Take groups out of the cards, of the first kind first."""
    lack, left = 0, cards
    order = (("set", sets), ("run", runs)) if first == "set" else (("run", runs), ("set", sets))
    for kind, count in order:
        for _ in range(count):
            more, used = _best_set(left, knobs) if kind == "set" else _best_run(left, knobs)
            lack += more
            left = [card for card in left if card not in used]
    return lack, left


def _best_set(cards: list[Card], knobs: Melds) -> tuple[int, list[Card]]:
    by_rank: dict[int, list[Card]] = {}
    for card in cards:
        same = by_rank.setdefault(card.rank, [])
        if not knobs.distinct_suits or card.suit not in [other.suit for other in same]:
            same.append(card)
    used = max(by_rank.values(), key=lambda same: min(len(same), knobs.set_min), default=[])[: knobs.set_max]
    return max(0, knobs.set_min - len(used)), used


def _best_run(cards: list[Card], knobs: Melds) -> tuple[int, list[Card]]:
    size, best = knobs.run_min, list[Card]()
    for suit in range(4):
        held = {card.rank: card for card in cards if card.suit == suit}
        if knobs.ace != "low" and 1 in held:
            held[HIGH_ACE] = held[1]
        if knobs.ace == "high":
            held.pop(1, None)
        for low in held:
            used = [held[rank] for rank in range(low, min(low + size, HIGH_ACE + 1)) if rank in held]
            if len(used) > len(best):
                best = used
    return size - len(best), best
