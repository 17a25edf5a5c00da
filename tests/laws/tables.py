"""At which tables the laws are tried: every game of this installation x house rules that fit x seat counts.

That are hundreds. At night all of them are tried for every law. Otherwise each law has its share of them: two laws have
every game at every seat count, the others every game at one of them, and all laws together come past every house rule.
"""

from __future__ import annotations

import os
from functools import cache
from typing import Final, NamedTuple

from hypothesis import Phase, settings
from hypothesis import strategies as st

from rummy_p2p.ruleset import Ruleset, RulesetError
from rummy_p2p.variants.manager import Catalogue, installed, make_catalogue

# What must be there; everything else that the catalogue has comes on top by itself.
BASE: Final = {
    "rummy-no": (range(2, 7), ((), ("joker-20",), ("joker-20:jokers=4",))),
}
# House rules that are more interesting with other settings than their defaults.
SETTINGS: Final = ("joker-20:jokers=4",)

NIGHTLY: Final = os.environ.get("HYPOTHESIS_PROFILE") == "nightly"
LAWS: Final = ("conserved", "opened", "sums", "listed", "previewed", "refused", "secret", "known", "typed")
EVERYWHERE: Final = ("conserved", "opened")
SEEDS: Final = st.integers(0, 2**32 - 1)


class Table(NamedTuple):
    """A game, its house rules, and how many sit down."""

    game: str
    house: tuple[str, ...]
    seats: int

    def __str__(self) -> str:
        return "+".join((self.game, *self.house)) + f" for {self.seats}"

    @property
    def rules(self) -> Ruleset:
        return compiled(self.game, self.house)


@cache
def catalogue() -> Catalogue:
    return make_catalogue(installed())


@cache
def compiled(game: str, house: tuple[str, ...]) -> Ruleset:
    return catalogue().compile(game, house)


def tables() -> list[Table]:
    """Return all tables at which the laws hold."""
    rules = [(), *((rule,) for rule in catalogue().house_rules), *((setting,) for setting in SETTINGS)]
    return [
        Table(game, house, seats)
        for game in catalogue().games
        for house in rules
        if fits(game, house)
        for seats in range(compiled(game, house).players.min, compiled(game, house).players.max + 1)
    ]


def fits(game: str, house: tuple[str, ...]) -> bool:
    try:
        compiled(game, house)
    except RulesetError:
        return False
    return True


TABLES: Final = tables()


def tried_for(law: str) -> list[Table]:
    """Return the tables at which a law is tried."""
    if NIGHTLY:
        return TABLES
    turn = LAWS.index(law)
    plain = [table for table in TABLES if not table.house and (law in EVERYWHERE or _chosen(table, turn))]
    ruled = [table for table in TABLES if table.house and _chosen(table, sum(map(ord, "".join(table.house))))]
    return plain + ruled[turn :: len(LAWS)]


def _chosen(table: Table, turn: int) -> bool:
    """Whether it is the turn of this seat count, among all at which the game can be played with these house rules."""
    same = [other.seats for other in TABLES if (other.game, other.house) == (table.game, table.house)]
    return table.seats == same[turn % len(same)]


# A seed is a whole hand: one for each table and law, at night many. A smaller seed is no simpler hand, so there is
# nothing to shrink.
LAW: Final = settings(max_examples=50 if NIGHTLY else 1, phases=(Phase.explicit, Phase.reuse, Phase.generate))
