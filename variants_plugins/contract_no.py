"""Norwegian contract rummy: seven rounds from two sets to three runs, and discards can be bought out of turn."""

from rummy_p2p.variants.api import (
    Claim,
    Deck,
    Game,
    HandValues,
    Labels,
    MatchEnd,
    Melds,
    Meta,
    Opening,
    Players,
    Round,
    Ruleset,
    Scoring,
    hookimpl,
)

RULES = Ruleset(
    meta=Meta(title="Norwegian contract rummy", minutes=(60, 120), difficulty="hard", similar=("rummy-no", "rummy-sv")),
    labels=Labels(call="Buy"),
    players=Players(min=2, max=6),
    deck=Deck(packs=2, jokers=4),
    rounds=(
        Round(contract="33", hand_size=10),
        Round(contract="34", hand_size=10),
        Round(contract="44", hand_size=10),
        Round(contract="333", hand_size=12),
        Round(contract="334", hand_size=12),
        Round(contract="344", hand_size=12),
        Round(contract="444", hand_size=12, go_out="all-at-once"),
    ),
    melds=Melds(set_max=12, distinct_suits=False, run_min=4, min_naturals=2),
    opening=Opening(further_melds=False),
    lay_off="after-opening",
    claim=Claim(kind="buy", penalty=1, priority="seat"),
    scoring=Scoring(in_hand=HandValues(ace=1, joker=20)),
    match=MatchEnd(winner="lowest"),
)


@hookimpl
def rummy_games() -> list[Game]:
    """Yield the game."""
    return [Game("contract-no", RULES)]
