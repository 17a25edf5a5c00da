"""House rules about the match and the clock: limit, short game, target, deals, take-all, turn timer, game clock."""

from rummy_p2p.variants.api import HouseRule, Option, Options, Ruleset, conflict, hookimpl


def take_all(rules: Ruleset, options: Options) -> Ruleset:
    """Return the rules with the others' points multiplied when somebody lays everything in one turn."""
    if rules.scoring.kind == "gin":
        raise conflict("everything is laid in one turn there anyway.")
    return rules.with_(scoring__take_all_factor=options["factor"])


def limit(rules: Ruleset, options: Options) -> Ruleset:
    """Return the rules with a limit: who is above it is out."""
    _needs_penalty(rules)
    points = rules.match.limit or 50 if options["points"] is None else options["points"]
    return rules.with_(match__limit=points, match__target=None)


def short_game(rules: Ruleset, _options: Options) -> Ruleset:
    """Return the rules for a match of one hand; where points are bad, with the limit of one that usually ends it."""
    if rules.rounds:
        raise conflict("a match with contracts lasts as long as its contracts.")
    limit = 1 if rules.scoring.kind == "penalty" else None
    return rules.with_(match__deals=1, match__limit=limit, match__target=None)


def target(rules: Ruleset, options: Options) -> Ruleset:
    """Return the rules with a total that ends the match."""
    _no_rounds(rules)
    points = rules.match.target or 100 if options["points"] is None else options["points"]
    return rules.with_(match__target=points, match__limit=None)


def deals(rules: Ruleset, options: Options) -> Ruleset:
    """Return the rules with a fixed number of hands in place of a target or a limit; either may be given after it."""
    _no_rounds(rules)
    return rules.with_(match__deals=options["hands"], match__target=None, match__limit=None)


def turn_timer(rules: Ruleset, options: Options) -> Ruleset:
    """Return the rules with a clock for every move."""
    return rules.with_(clock__move_s=options["seconds"])


def game_clock(rules: Ruleset, options: Options) -> Ruleset:
    """Return the rules with a clock for the whole game; out of time is lost."""
    return rules.with_(clock__game_s=60 * int(options["minutes"] or 0), clock__game_loses=True)


def _needs_penalty(rules: Ruleset) -> None:
    if rules.scoring.kind != "penalty":
        raise conflict("points are good there, so nobody is out for having many.")
    _no_rounds(rules)


def _no_rounds(rules: Ruleset) -> None:
    if rules.rounds:
        raise conflict("a match with contracts ends after the last of them.")


@hookimpl
def rummy_house_rules() -> list[HouseRule]:
    """Yield the rules."""
    return [
        HouseRule(
            "take-all",
            "Take all",
            "Whoever goes out in one turn with nothing on the table before makes the others' cards count double.",
            take_all,
            (Option("factor", int, 2, (), "by how much the others' points are multiplied", 1),),
        ),
        HouseRule(
            "limit",
            "Point limit",
            "Whoever is above the limit after a hand is out; the last one left wins.",
            limit,
            (Option("points", int, None, (), "the limit", 1),),
        ),
        HouseRule("short-game", "Short game", "The match is one hand.", short_game),
        HouseRule(
            "target",
            "Target",
            "The match ends with the hand after which somebody has reached the target.",
            target,
            (Option("points", int, None, (), "the total that ends the match", 1),),
        ),
        HouseRule(
            "deals",
            "Number of hands",
            "The match ends after this many hands.",
            deals,
            (Option("hands", int, 5, (), "how many hands", 1),),
        ),
        HouseRule(
            "turn-timer",
            "Turn timer",
            "A turn that takes too long ends by itself.",
            turn_timer,
            (Option("seconds", int, 60, (), "seconds for a turn", 1),),
        ),
        HouseRule(
            "game-clock",
            "Game clock",
            "Every player has a set time for the whole game; whoever runs out of it has lost.",
            game_clock,
            (Option("minutes", int, 15, (), "minutes for each player", 1),),
        ),
    ]
