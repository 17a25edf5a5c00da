"""Claims out of turn as house rules: the RUMMY call, the knock that costs cards and takes the turn, and buying."""

from typing import Literal

from rummy_p2p.variants.api import Claim, HouseRule, Labels, Option, Options, Ruleset, conflict, hookimpl

MOST_SECONDS = 60
PRIORITY = Option("priority", str, "ledger", ("ledger", "seat"), "who gets it of two: who was first, or who sits next")


def _with_claim(rules: Ruleset, claim: Claim, label: str) -> Ruleset:
    """Return the rules with a claim; a game has at most one kind of it."""
    if rules.lay == "at-knock":
        raise conflict("a game that ends by a knock has no claims out of turn.")
    if rules.claim.kind not in ("none", claim.kind):
        raise conflict(f"the game already has a claim out of turn ({rules.claim.kind}).")
    laid = rules.with_(claim=claim, labels=Labels(call=label, knock=rules.labels.knock))
    return laid.with_(claim__window_ms=rules.claim.window_ms)


def rummy_call(rules: Ruleset, options: Options) -> Ruleset:
    """Return the rules with the RUMMY call."""
    return _with_claim(rules, Claim(kind="rummy-call", priority=_priority(options)), "RUMMY")


def knock_claim(rules: Ruleset, options: Options) -> Ruleset:
    """Return the rules with the knock: the discard and penalty cards, and the turn."""
    if rules.players.max < 3:
        raise conflict("with two players nobody is left to claim a discard out of turn.")
    claim = Claim(
        kind="knock-claim",
        penalty=int(options["count"] or 0),
        source=rules.claim.source if options["penalty"] is None else _source(options),
        turn_returns=bool(options["turn-returns"]),
        priority=_priority(options),
    )
    return _with_claim(rules, claim, "Knock")


def buy(rules: Ruleset, options: Options) -> Ruleset:
    """Return the rules with buying: the discard out of turn, at the price of cards from the stock."""
    claim = Claim(
        kind="buy",
        penalty=int(options["price"] or 0),
        after_opening=bool(options["after-opening"]),
        priority=_priority(options),
    )
    return _with_claim(rules, claim, "Buy")


def claim_window(rules: Ruleset, options: Options) -> Ruleset:
    """Return the rules with another time for which a draw waits for a claim."""
    if rules.claim.kind == "none":
        raise conflict("nobody takes a discard out of turn there.")
    seconds = int(options["seconds"] or 0)
    if seconds > MOST_SECONDS:
        raise conflict("a draw waits for a claim no longer than a minute.")
    return rules.with_(claim__window_ms=1000 * seconds)


def _source(options: Options) -> Literal["stock", "pile"]:
    return "pile" if options["penalty"] == "pile" else "stock"


def _priority(options: Options) -> Literal["ledger", "seat"]:
    return "seat" if options["priority"] == "seat" else "ledger"


@hookimpl
def rummy_house_rules() -> list[HouseRule]:
    """Yield the rules."""
    return [
        HouseRule(
            "rummy-call",
            "RUMMY call",
            "Whoever first says RUMMY takes a discard that fits a meld on the table.",
            rummy_call,
            (PRIORITY,),
        ),
        HouseRule(
            "knock-claim",
            "Knock for the discard",
            "Whoever knocks first gets the discard, penalty cards, and the turn.",
            knock_claim,
            (
                Option(
                    "penalty",
                    str,
                    None,
                    ("pile", "stock"),
                    "where the penalty cards come from; without it as the game has it",
                ),
                Option("count", int, 2, (), "how many penalty cards"),
                Option("turn-returns", bool, default=False, explain="the interrupted player is next"),
                PRIORITY,
            ),
        ),
        HouseRule(
            "buy",
            "Buying",
            "A player may buy the discard out of turn for cards from the stock.",
            buy,
            (
                Option("price", int, 1, (), "how many cards from the stock it costs"),
                Option("after-opening", bool, default=True, explain="may buy even after laying down"),
                Option(
                    "priority", str, "seat", ("ledger", "seat"), "who gets it of two: who was first, or who sits next"
                ),
            ),
        ),
        HouseRule(
            "claim-window",
            "Time to claim",
            "How long the next draw waits for somebody who wants the discard out of turn.",
            claim_window,
            (Option("seconds", int, 5, (), "how many seconds the draw waits; 0 does not wait"),),
        ),
    ]
