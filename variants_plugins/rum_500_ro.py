"""Romanian rum to 500: take as much of the pile as you can use, score what you lay, the highest total wins."""

from rummy_p2p.variants.api import (
    Draw,
    Game,
    HandValues,
    MatchEnd,
    Melds,
    MeldValues,
    Meta,
    Players,
    Ruleset,
    Scoring,
    StockOut,
    hookimpl,
)

RULES = Ruleset(
    meta=Meta(title="Romanian rum", minutes=(20, 40), difficulty="hard", similar=("gin", "rummy-no")),
    players=Players(min=2, max=2),
    hand_size=(13,),
    # There are no jokers in the pack; max_jokers speaks for house rules that put some in.
    melds=Melds(max_jokers=1, run_max=13),
    draw=Draw(pile="many", must_use="before-discard", other_taken="barred"),
    lay_off="always",
    stock_out=StockOut(what="hand-ends", max_times=0),
    scoring=Scoring(kind="meld-points", in_play=MeldValues(ace_high=15), in_hand=HandValues(ace=15)),
    match=MatchEnd(target=200, winner="highest", tie="one-more-hand"),
)


@hookimpl
def rummy_games() -> list[Game]:
    """Yield the game."""
    return [Game("rum-500-ro", RULES)]
