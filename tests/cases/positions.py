"""Positions for unit tests, written as in a scenario file but under any Ruleset."""

from __future__ import annotations

import tomllib
from typing import Final

import msgspec

from rummy_p2p.engine import MatchState, open_hand, settle, start_match
from rummy_p2p.offline.game import Game
from rummy_p2p.offline.scenario import Scenario, position
from rummy_p2p.rules.position import Ending, Phase
from rummy_p2p.ruleset import GoingOut, Melds, Players, Ruleset, Scoring
from rummy_p2p.variants.manager import installed, make_catalogue

CATALOGUE: Final = make_catalogue(installed())
NORWEGIAN: Final = CATALOGUE.compile("rummy-no")
WITH_JOKERS: Final = CATALOGUE.compile("rummy-no", ["joker-20:jokers=4"])
KNOCKING: Final = Ruleset(
    players=Players(min=2, max=2),
    hand_size=(10,),
    lay="at-knock",
    lay_off="after-knock",
    going_out=GoingOut(how="knock", knock_limit=10),
    scoring=Scoring(kind="gin", gin_bonus=25, undercut_bonus=25),
)
SWEDISH_MELDS: Final = Melds(max_jokers=1, min_naturals=2)
TURKISH_MELDS: Final = Melds(min_naturals=2)


def at(text: str, rules: Ruleset = NORWEGIAN) -> Game:
    """Return a game at a position; ``text`` is a scenario without its game."""
    return Game.restore(
        rules, position(msgspec.convert({"game": "any", **tomllib.loads(text)}, Scenario), rules).snapshot()
    )


def dealt(seats: int = 2, rules: Ruleset = NORWEGIAN) -> Game:
    """Return a game with its first hand dealt, in pack order."""
    game = Game(rules, start_match(rules, seats))
    game.next_hand()
    return game


def after(rules: Ruleset, match: MatchState, winner: int | None, points: int = 0) -> MatchState:
    """Return a match after one more hand that a seat has won with so many points; None: the hand was void."""
    ending: Ending = "void" if winner is None else "out"
    each = tuple(points if seat == winner else 0 for seat in range(match.seats))
    hand = msgspec.structs.replace(
        open_hand(rules, match).state, phase=Phase.OVER, ending=ending, winner=winner, points=each
    )
    return settle(rules, match, hand).match
