"""The best arrangement of a hand under a Ruleset, exact: least deadwood, most points, opening, going out, lay-offs.

The law of the package
    A hand is counted by faces (``hand``): twins are the same here; of twins the lowest copy is used first.
    What is best is a single number (``aims``): least deadwood, then fewest cards left, then fewest places where others
    may lay off, then fewest runs, then an order that depends on nothing but the cards.
    Rank sets are the only tie between suits. Whatever the question, sets are chosen rank by rank (``search``) out of
    the rank's options (``sets``), and what is left of each suit is looked up in a table of its runs (``runs``). A table
    is filled as it is asked (``tables``), once for all Rulesets with the same knobs, and kept within bounds.
    A hand without jokers has a shorter way to the same answer (``naturals``).
    The melds of the table are hosts (``hosts``): a card laid off costs nothing but the place it takes.
    At the end plans of faces become melds (``patterns``) of physical cards (``laying``).
    ``solver`` and ``going`` ask the questions of the game.
    Function knobs are not asked: what a plugin counts otherwise is judged by the layer above.
"""

from __future__ import annotations

from rummy_p2p.arrange.going import lay_all, opening, usable
from rummy_p2p.arrange.laying import Arrangement
from rummy_p2p.arrange.solver import (
    discards,
    least_deadwood,
    least_deadwood_value,
    low_discards,
    most_points,
    with_lay_offs,
)

__all__ = [
    "Arrangement",
    "discards",
    "lay_all",
    "least_deadwood",
    "least_deadwood_value",
    "low_discards",
    "most_points",
    "opening",
    "usable",
    "with_lay_offs",
]
