"""Partners: with which others a card makes a meld, as bits; without them nothing need be arranged to see that."""

from __future__ import annotations

from itertools import combinations
from typing import Final

from rummy_p2p.arrange import least_deadwood
from rummy_p2p.cards import FACES, JOKER_FACE, SUITS, Card
from rummy_p2p.ruleset import Melds, Ruleset

_RANKS: Final = 13
_MANY: Final = 64

Groups = tuple[int, ...]

_found: dict[Melds, tuple[Groups, ...]] = {}


def partners(rules: Ruleset) -> tuple[Groups, ...]:
    """Return by face the groups of faces, each a sum of bits, one of which must be held for a card to be in a meld.

    With jokers or twins anything may make a meld: then it is the empty group.
    """
    if rules.deck.jokers or rules.deck.packs > 1:
        return ((0,),) * FACES
    if rules.melds not in _found:
        if len(_found) >= _MANY:
            _found.clear()
        _found[rules.melds] = tuple(_groups(face, rules) for face in range(JOKER_FACE))
    return _found[rules.melds]


def _groups(face: int, rules: Ruleset) -> Groups:
    suit, rank = divmod(face, _RANKS)
    same_rank = [other * _RANKS + rank for other in range(len(SUITS)) if other != suit]
    same_suit = [suit * _RANKS + other for other in range(_RANKS) if other != rank]
    sets, runs = combinations(same_rank, rules.melds.set_min - 1), combinations(same_suit, rules.melds.run_min - 1)
    return tuple(sum([1 << other for other in group]) for group in (*sets, *runs) if _is_meld((face, *group), rules))


def _is_meld(faces: tuple[int, ...], rules: Ruleset) -> bool:
    return not least_deadwood([Card.of(face) for face in faces], rules).left
