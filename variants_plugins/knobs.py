"""Single knobs as house rules: melds, the first lay-down, jokers, the pile, the stock, going out, bonuses in gin."""

from collections.abc import Callable

from rummy_p2p.variants.api import HouseRule, Option, Options, OptionValue, Ruleset, conflict, hookimpl


def _set(path: str, option: str, refuse: Callable[[Ruleset], str | None] | None = None) -> Callable[..., Ruleset]:
    """Return a change that sets one knob to one option; ``refuse`` says why it contradicts a game, if it does."""

    def change(rules: Ruleset, options: Options) -> Ruleset:
        why = refuse(rules) if refuse else None
        if why:
            raise conflict(why)
        value = options[option]
        return rules if value is None else rules.with_(**{path: value})

    return change


def _gin_only(rules: Ruleset) -> str | None:
    return None if rules.scoring.kind == "gin" else "it is about the knock in gin."


def _not_gin(rules: Ruleset) -> str | None:
    return "melds are laid only at the knock there." if rules.lay == "at-knock" else None


def _no_contract(rules: Ruleset) -> str | None:
    return "the contract of the round is its first lay-down." if rules.rounds else _not_gin(rules)


def _has_opening(rules: Ruleset) -> str | None:
    return None if rules.opening.points or rules.rounds else "it asks nothing of the first lay-down."


def _refills(rules: Ruleset) -> str | None:
    fits = rules.stock_out.what in ("reshuffle", "turn-over")
    return None if fits else "the pile does not become the stock there."


def _has_upcard(rules: Ruleset) -> str | None:
    return None if rules.upcard else "no card is turned up there."


def stock_out(rules: Ruleset, options: Options) -> Ruleset:
    """Return the rules with another end of the stock; the cap of refills stays, or is three."""
    if rules.lay == "at-knock":
        raise conflict("the hand is void there when the stock runs out.")
    return rules.with_(stock_out__what=options["what"], stock_out__max_times=rules.stock_out.max_times or 3)


def opening(rules: Ruleset, options: Options) -> Ruleset:
    """Return the rules with what the first lay-down of a hand must be worth, and what counts towards it."""
    why = _no_contract(rules)
    if why:
        raise conflict(why)
    if options["layoffs-count"] and rules.lay_off != "always":
        raise conflict("nothing is laid off there before the first lay-down; lay-off=always, given first, allows it.")
    wanted = {"opening__points": options["points"], "opening__layoffs_count": options["layoffs-count"]}
    return rules.with_(**{knob: value for knob, value in wanted.items() if value is not None})


def big_gin(rules: Ruleset, options: Options) -> Ruleset:
    """Return the rules with or without the big gin, and its bonus."""
    why = _gin_only(rules)
    if why:
        raise conflict(why)
    return rules.with_(going_out__big_gin=options["on"], scoring__big_gin_bonus=options["bonus"])


def must_use(rules: Ruleset, options: Options) -> Ruleset:
    """Return the rules with what is owed for a card from the pile."""
    why = _not_gin(rules)
    if why:
        raise conflict(why)
    wanted = {
        "draw__must_use": options["when"],
        "draw__must_use_top": options["top"],
        "draw__must_use_who": options["who"],
        "draw__other_taken": options["others"],
    }
    return rules.with_(**{knob: value for knob, value in wanted.items() if value is not None})


def joker_swap(rules: Ruleset, options: Options) -> Ruleset:
    """Return the rules with who may take a joker off the table."""
    why = _not_gin(rules)
    if why:
        raise conflict(why)
    wanted = {"joker_swap__who": options["who"], "joker_swap__needs_opening": options["needs-opening"]}
    return rules.with_(**{knob: value for knob, value in wanted.items() if value is not None})


def lay_off(rules: Ruleset, options: Options) -> Ruleset:
    """Return the rules with who may lay off."""
    if rules.lay == "at-knock" and options["when"] not in (None, "never"):
        raise conflict("cards are laid off only after the knock there.")
    return rules if options["when"] is None else rules.with_(lay_off=options["when"])


def _rule(
    rule: str,
    title: str,
    explain: str,
    path: str,
    option: Option,
    refuse: Callable[[Ruleset], str | None] | None = None,
) -> HouseRule:
    return HouseRule(rule, title, explain, _set(path, option.name, refuse), (option,))


def _yes(default: OptionValue = True) -> Option:  # noqa: FBT002 - the default of a yes-or-no option
    return Option("on", bool, default)


def _meld_rules() -> list[HouseRule]:
    return [
        _rule(
            "ace", "Place of the ace", "Where the ace stands in runs.", "melds__ace",
            Option("place", str, None, ("low", "high", "either")),
        ),
        _rule(
            "max-jokers", "Jokers in a meld", "At most this many jokers in one meld.", "melds__max_jokers",
            Option("count", int, None),
        ),
        _rule(
            "min-naturals", "Naturals in a meld", "At least this many cards of a meld are not jokers.",
            "melds__min_naturals", Option("count", int, None, least=1),
        ),
        HouseRule(
            "joker-swap", "Joker swap", "Who may take a joker off the table for the card that it stands for.",
            joker_swap,
            (
                Option("who", str, None, ("never", "declared", "any-missing", "both-missing")),
                Option("needs-opening", bool, None),
            ),
        ),
        HouseRule(
            "lay-off", "Laying off", "Who may lay cards off on the melds of others.", lay_off,
            (Option("when", str, None, ("never", "always", "after-opening")),),
        ),
    ]  # fmt: skip


def _opening_rules() -> list[HouseRule]:
    return [
        HouseRule(
            "opening", "First lay-down", "The first lay-down of a hand needs this many points.", opening,
            (
                Option("points", int, None),
                Option("layoffs-count", bool, None, explain="cards laid off before it in the same turn count as well"),
            ),
        ),
        _rule(
            "opening-waived-when-going-out", "Going out without the minimum",
            "Whoever goes out with the lay-down needs no minimum.",
            "opening__waived_when_going_out", _yes(), _has_opening,
        ),
        _rule(
            "further-melds", "Further melds", "Whoever has laid down may lay more melds of their own in the same hand.",
            "opening__further_melds", _yes(), _not_gin,
        ),
        _rule(
            "going-out", "Going out", "Whether the last card must be discarded or may be laid.", "going_out__how",
            Option("how", str, None, ("must-discard", "may-lay")), _not_gin,
        ),
    ]  # fmt: skip


def _pile_rules() -> list[HouseRule]:
    return [
        _rule(
            "may-return", "Returning the taken card", "The card taken from the pile may be discarded again at once.",
            "draw__may_return", _yes(),
        ),
        HouseRule(
            "must-use", "Using the taken card", "Whether a card taken from the pile must be used in the same turn.",
            must_use,
            (
                Option("when", str, None, ("no", "before-discard", "next-action")),
                Option("top", bool, None, explain="also when only the top card was taken"),
                Option("who", str, None, ("everybody", "not-opened"), "whether only those who have not laid down yet"),
                Option("others", str, None, ("free", "barred"), "whether the other taken cards may be discarded"),
            ),
        ),
        _rule(
            "first-upcard-offer", "Offer of the first upcard",
            "Before the first draw the upcard is offered to everybody in turn.", "draw__first_upcard_offer", _yes(),
            _has_upcard,
        ),
        _rule(
            "upcard-cap", "Cap of upcard draws", "The hand is void after this many draws from the pile.",
            "draw__upcard_cap", Option("draws", int, None, least=2), _gin_only,
        ),
        HouseRule(
            "stock-out", "End of the stock", "What happens when the stock runs out.", stock_out,
            (Option("what", str, "reshuffle", ("reshuffle", "turn-over", "hand-ends", "play-on")),),
        ),
        _rule(
            "max-reshuffles", "Cap of refills", "The pile becomes the stock at most so often in a hand.",
            "stock_out__max_times", Option("times", int, None), _refills,
        ),
    ]  # fmt: skip


def _gin_rules() -> list[HouseRule]:
    return [
        _rule(
            "undercut-on-tie", "Undercut on a tie", "Equal deadwood after a knock is an undercut.",
            "scoring__undercut_on_tie", _yes(), _gin_only,
        ),
        HouseRule(
            "big-gin", "Big gin", "Eleven cards in melds may be declared without a discard.", big_gin,
            (_yes(), Option("bonus", int, 31, (), "what it earns on top of the other player's cards")),
        ),
        _rule(
            "fiftieth-card-action", "Fiftieth card",
            "With two cards left in the stock the last discard may be taken for a knock.",
            "stock_out__last_card_action", _yes(), _gin_only,
        ),
        _rule(
            "knock-limit", "Knock limit", "A knock needs this deadwood or less.", "going_out__knock_limit",
            Option("points", int, None), _gin_only,
        ),
    ]  # fmt: skip


@hookimpl
def rummy_house_rules() -> list[HouseRule]:
    """Yield the rules."""
    return [*_meld_rules(), *_opening_rules(), *_pile_rules(), *_gin_rules()]
