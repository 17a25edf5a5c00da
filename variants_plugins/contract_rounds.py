"""Contract rounds: every hand of the match has its own first lay-down, of so many sets (3) and runs (4)."""

import re

from rummy_p2p.variants.api import HouseRule, Option, Options, Round, Ruleset, conflict, hookimpl

NORWEGIAN = "33,34,44,333,334,344,444"


def round_of(contract: str) -> Round:
    """Return the round of a contract: 10 cards for two groups, 12 for three; 444 must be laid in one go."""
    hand_size = 10 if len(contract) < 3 else 3 * len(contract) + 3
    return Round(contract=contract, hand_size=hand_size, go_out="all-at-once" if contract == "444" else "")


def change(rules: Ruleset, options: Options) -> Ruleset:
    """Return the rules with contracts; sets may hold a face twice and runs are of four, as the contracts mean them."""
    if rules.lay == "at-knock":
        raise conflict("melds are laid only at the knock, so there is no first lay-down to ask for.")
    contracts = str(options["rounds"]).replace("-", ",").replace("+", ",").split(",")
    if not all(re.fullmatch(r"[34]{1,3}", contract) for contract in contracts):
        raise conflict(f"contracts are made of up to three 3 and 4, such as {NORWEGIAN}.")
    return rules.with_(
        rounds=tuple(round_of(contract) for contract in contracts),
        deck__packs=2,
        deck__jokers=max(4, rules.deck.jokers),
        melds__set_max=12,
        melds__distinct_suits=False,
        melds__run_min=4,
        melds__max_jokers=None,
        melds__min_naturals=2,
        opening__points=0,
        opening__further_melds=False,
        lay_off="after-opening",
        match__target=None,
        match__limit=None,
        match__deals=None,
    )


@hookimpl
def rummy_house_rules() -> list[HouseRule]:
    """Yield the rule."""
    return [
        HouseRule(
            "contract-rounds",
            "Contract rounds",
            "Each hand asks for its own first lay-down; two packs with jokers, the match ends after the last contract.",
            change,
            (Option("rounds", str, NORWEGIAN, (), "the contracts in order, 3 for a set and 4 for a run"),),
        )
    ]
