"""Swedish rummy: two packs and six jokers, the first lay-down needs 30 points, whoever passes the limit is out."""

from rummy_p2p.variants.api import (
    Claim,
    Deck,
    Game,
    HandValues,
    JokerSwap,
    MatchEnd,
    Melds,
    Meta,
    Opening,
    Players,
    Ruleset,
    Scoring,
    hookimpl,
)

RULES = Ruleset(
    meta=Meta(title="Swedish rummy", minutes=(30, 60), difficulty="medium", similar=("rummi-tr", "contract-no")),
    players=Players(min=2, max=4),
    deck=Deck(packs=2, jokers=6),
    hand_size=(13,),
    melds=Melds(max_jokers=1, min_naturals=2),
    opening=Opening(points=30),
    lay_off="after-opening",
    joker_swap=JokerSwap(who="any-missing"),
    # There is no claim out of turn; should a house rule bring one, its price comes from the pile.
    claim=Claim(source="pile"),
    scoring=Scoring(in_hand=HandValues(ace=15, face=10, joker=30)),
    match=MatchEnd(limit=50),
)


@hookimpl
def rummy_games() -> list[Game]:
    """Yield the game."""
    return [Game("rummy-sv", RULES)]
