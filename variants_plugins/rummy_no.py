"""Norwegian rummy: one pack, lay off anywhere from the start, and whoever says RUMMY first gets a playable discard."""

from rummy_p2p.variants.api import (
    Claim,
    Game,
    Labels,
    MatchEnd,
    Melds,
    Meta,
    Players,
    Ruleset,
    StockOut,
    hookimpl,
)

RULES = Ruleset(
    meta=Meta(title="Norwegian rummy", minutes=(15, 30), difficulty="easy", similar=("gin", "rum-500-ro")),
    labels=Labels(call="RUMMY"),
    players=Players(min=2, max=6),
    hand_size=(10, 7, 7, 6, 6),
    # There are no jokers in the pack; max_jokers speaks for house rules that put some in.
    melds=Melds(ace="low", max_jokers=1),
    lay_off="always",
    claim=Claim(kind="rummy-call"),
    stock_out=StockOut(what="turn-over", max_times=2),
    match=MatchEnd(target=100, winner="lowest"),
)


@hookimpl
def rummy_games() -> list[Game]:
    """Yield the game."""
    return [Game("rummy-no", RULES)]
