"""Turkish rummi: as Swedish rummy, but two naturals suffice in any meld and the last card may be laid."""

from rummy_p2p.variants.api import (
    Deck,
    Game,
    GoingOut,
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
    meta=Meta(title="Turkish rummi", minutes=(30, 60), difficulty="medium", similar=("rummy-sv", "contract-no")),
    players=Players(min=2, max=4),
    deck=Deck(packs=2, jokers=6),
    hand_size=(13,),
    melds=Melds(min_naturals=2),
    opening=Opening(points=30),
    lay_off="after-opening",
    joker_swap=JokerSwap(who="any-missing"),
    going_out=GoingOut(how="may-lay"),
    scoring=Scoring(in_hand=HandValues(ace=15, face=10, joker=30)),
    match=MatchEnd(limit=50),
)


@hookimpl
def rummy_games() -> list[Game]:
    """Yield the game."""
    return [Game("rummi-tr", RULES)]
