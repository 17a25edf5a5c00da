"""The melds of a table as hosts: what they take, and the lay-offs that an answer amounts to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from rummy_p2p.arrange.runs import OWN, Host, Run
from rummy_p2p.arrange.sets import SetHost, SetPart
from rummy_p2p.cards import JOKER_FACE, SUITS
from rummy_p2p.melds import Meld, Side
from rummy_p2p.ruleset import Melds


class LayOff(NamedTuple):
    """A card to be laid off: its face, the index of the table's meld, the side, what the card counts in hand."""

    face: int
    meld: int
    side: Side | None
    held: int


class Hosts:
    """The melds of a table, numbered within each suit (runs) and among the sets, as runs and sets know them."""

    def __init__(self, table: Sequence[Meld], knobs: Melds) -> None:
        self._table = table
        self._runs = [[i for i, meld in enumerate(table) if meld.suit == suit] for suit in range(len(SUITS))]
        self._sets = [i for i, meld in enumerate(table) if meld.kind == "set"]
        self.sets = tuple(_set_host(table[i], knobs) for i in self._sets)
        self.runs = tuple(tuple(_run_host(table[i]) for i in of_suit) for of_suit in self._runs)

    def __bool__(self) -> bool:
        return bool(self._table)

    def lay_offs(
        self, sets: Iterable[Sequence[SetPart]], runs: Iterable[Sequence[Run]], points: Sequence[int]
    ) -> list[LayOff]:
        """Return what an answer lays off, in an order in which it can be laid; ``points`` in hand by ordinal."""
        parts = (part for of_rank in sets for part in of_rank if part.host != OWN)
        grown = ((suit, run) for suit, found in enumerate(runs) for run in found if run.host != OWN)
        found = [lay_off for part in parts for lay_off in self._on_set(part, points)]
        return found + [lay_off for suit, run in grown for lay_off in self._on_run(suit, run, points)]

    def _on_set(self, part: SetPart, points: Sequence[int]) -> Iterator[LayOff]:
        index = self._sets[part.host]
        for suit in part.suits():
            yield LayOff(suit * 13 + part.rank - 1, index, None, points[part.rank])
        for _ in range(part.jokers):
            yield LayOff(JOKER_FACE, index, None, points[0])

    def _on_run(self, suit: int, run: Run, points: Sequence[int]) -> Iterator[LayOff]:
        index = self._runs[suit][run.host]
        below: tuple[Side, range] = ("left", range(self._table[index].low - 1, run.low - 1, -1))
        above: tuple[Side, range] = ("right", range(self._table[index].high + 1, run.high + 1))
        for side, ordinals in (below, above):
            for ordinal in ordinals:
                face = run.face_at(suit, ordinal)
                yield LayOff(face, index, side, points[0 if face == JOKER_FACE else ordinal])


def _run_host(meld: Meld) -> Host:
    return Host(meld.low, meld.high, meld.jokers)


def _set_host(meld: Meld, knobs: Melds) -> SetHost:
    suits = tuple(suit for suit in range(len(SUITS)) if not knobs.distinct_suits or suit not in meld.places)
    return SetHost(meld.rank, suits, knobs.set_max - len(meld.cards), meld.jokers)


NO_HOSTS: Final = Hosts((), Melds())
