"""Melds as they look before it is known which copies they are made of: each made once, of first copies, and kept."""

from __future__ import annotations

from typing import Final, NamedTuple

from rummy_p2p.arrange.aims import hand_points
from rummy_p2p.arrange.runs import Run
from rummy_p2p.arrange.sets import SetPart
from rummy_p2p.arrange.tables import Table
from rummy_p2p.cards import JOKER_FACE, SUITS, Card
from rummy_p2p.melds import OPEN_SUIT, Meld, meld_points
from rummy_p2p.ruleset import Ruleset

_MANY: Final = 1 << 13


class Pattern(NamedTuple):
    """A meld of first copies, what it counts on the table, and what its cards count in hand."""

    meld: Meld
    laid: int
    held: int


class Patterns:
    """The patterns of one Ruleset: ``of_set[part]``, ``of_run[suit, run]``."""

    def __init__(self, rules: Ruleset) -> None:
        self.knobs = rules.melds
        self.points = hand_points(rules.scoring.in_hand)
        self._in_play = rules.scoring.in_play
        self.of_set: Table[SetPart, Pattern] = Table(self._of_set, _MANY)
        self.of_run: Table[tuple[int, Run], Pattern] = Table(self._of_run, _MANY)

    def _of_set(self, part: SetPart) -> Pattern:
        return self._pattern(_set(part, distinct=self.knobs.distinct_suits))

    def _of_run(self, key: tuple[int, Run]) -> Pattern:
        suit, run = key
        ordinals = tuple(range(run.low, run.high + 1))
        return self._pattern(Meld("run", tuple(Card.of(run.face_at(suit, o)) for o in ordinals), ordinals, suit, 0))

    def _pattern(self, meld: Meld) -> Pattern:
        return Pattern(meld, meld_points(meld, self._in_play), sum(self.points[card.rank] for card in meld.cards))


def _set(part: SetPart, *, distinct: bool) -> Meld:
    places = part.suits()
    cards = [Card.of(suit * 13 + part.rank - 1) for suit in places] + [Card.of(JOKER_FACE)] * part.jokers
    settled = distinct and part.jokers == 1 and len(cards) == len(SUITS)
    missing = next(suit for suit in range(len(SUITS)) if suit not in places) if settled else OPEN_SUIT
    return Meld("set", tuple(cards), (*places, *[missing] * part.jokers), OPEN_SUIT, part.rank)
