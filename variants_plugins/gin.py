"""Gin rummy for two: melds stay in hand until somebody knocks with ten points or fewer, or has none left at all."""

from rummy_p2p.variants.api import (
    Draw,
    Game,
    GoingOut,
    HandValues,
    MatchEnd,
    Melds,
    Meta,
    Players,
    Ruleset,
    Scoring,
    StockOut,
    hookimpl,
)

RULES = Ruleset(
    meta=Meta(title="Gin rummy", minutes=(15, 30), difficulty="medium", similar=("rum-500-ro", "rummy-no")),
    players=Players(min=2, max=2),
    hand_size=(10,),
    # There are no jokers in the pack; max_jokers speaks for house rules that put some in.
    melds=Melds(max_jokers=1),
    draw=Draw(upcard_cap=50),
    lay="at-knock",
    lay_off="after-knock",
    going_out=GoingOut(how="knock", knock_limit=10),
    stock_out=StockOut(what="void", at=2, max_times=0),
    scoring=Scoring(
        kind="gin", in_hand=HandValues(ace=1), gin_bonus=25, undercut_bonus=25, game_bonus=100, box_bonus=25
    ),
    match=MatchEnd(target=100, winner="highest", dealer="rotates-unless-void"),
)


@hookimpl
def rummy_games() -> list[Game]:
    """Yield the game."""
    return [Game("gin", RULES)]
