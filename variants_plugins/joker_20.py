"""The 20-point joker: a joker left in hand counts 20; the option ``jokers`` says how many are in the deck."""

from rummy_p2p.variants.api import HouseRule, Option, Options, Ruleset, hookimpl


def change(rules: Ruleset, options: Options) -> Ruleset:
    """Return the rules with the joker's worth in hand and, when given, the number of jokers."""
    jokers = options["jokers"]
    changed = rules.with_(scoring__in_hand__joker=20)
    return changed if jokers is None else changed.with_(deck__jokers=jokers)


@hookimpl
def rummy_house_rules() -> list[HouseRule]:
    """Yield the rule."""
    return [
        HouseRule(
            "joker-20",
            "20-point joker",
            "A joker that is left in hand at the end counts 20 points.",
            change,
            (Option("jokers", int, None, (), "how many jokers are in the deck; without it as many as the game has"),),
        )
    ]
