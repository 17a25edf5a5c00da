"""What a Ruleset means, in sentences: one function for each matter of the game.

The law of the file
    Every sentence is made from knobs, and every knob that a player could notice changes some sentence. Sentences are
    whole and stand for themselves, so that they can be translated. What a game does not have is said only where a
    player would ask.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from rummy_p2p.ruleset import Ruleset
from rummy_p2p.sentences.language import N_, _, cards, listed, plural, points
from rummy_p2p.sentences.refusals import contract_words
from rummy_p2p.sentences.titles import label_text
from rummy_p2p.variants.counting import (
    Sentences,
    by_function,
    clock,
    going_out,
    match,
    stock_out,
    table_values,
    what_counts,
)

_SUITS: Final = 4
_WHOLE_SUIT: Final = 13


def matters(rules: Ruleset) -> dict[str, list[str]]:
    """Return for each matter that there is something to say about its heading and its sentences."""
    told = {_(heading): list(tell(rules)) for heading, tell in _MATTERS}
    return {heading: sentences for heading, sentences in told.items() if sentences}


# --- before the first move -------------------------------------------------------------------------------------------


def _players(rules: Ruleset) -> Sentences:
    least, most = rules.players.min, rules.players.max
    if least == most:
        yield plural("{n} player plays.", "{n} players play.", least)
    else:
        yield _("From {least} to {most} players play.").format(least=least, most=most)
    packs = plural("one pack of 52 cards", "{n} packs of 52 cards", rules.deck.packs)
    if rules.deck.jokers:
        jokers = plural("{n} joker", "{n} jokers", rules.deck.jokers)
        text = _("The deck is {packs} and {jokers}, {size} cards in all.")
        yield text.format(packs=packs, jokers=jokers, size=rules.size)
    else:
        yield _("The deck is {packs} without jokers.").format(packs=packs)


def _deal(rules: Ruleset) -> Sentences:
    yield from _round_sizes(rules) if rules.rounds else _seat_sizes(rules)
    if rules.upcard:
        yield _("The next card is turned up and begins the pile.")
    else:
        yield _("No card is turned up: the pile begins with the first discard.")
    yield _("The player to the left of the dealer begins, and play goes on clockwise.")
    if rules.match.dealer == "rotates":
        yield _("After every hand the next player deals.")
    else:
        yield _("After every hand the next player deals; after a hand that is void the same player deals again.")


def _seat_sizes(rules: Ruleset) -> Sentences:
    by_size: dict[int, list[int]] = {}
    for seats in range(rules.players.min, rules.players.max + 1):
        by_size.setdefault(rules.cards_each(seats), []).append(seats)
    for size, seats_ in by_size.items():
        if len(by_size) == 1:
            yield _("Everybody is dealt {cards}.").format(cards=cards(size))
        else:
            many = listed([str(seats) for seats in seats_])
            yield _("Everybody is dealt {cards} when there are {seats} players.").format(cards=cards(size), seats=many)


def _round_sizes(rules: Ruleset) -> Sentences:
    by_size: dict[int, list[str]] = {}
    for number, one in enumerate(rules.rounds, 1):
        by_size.setdefault(one.hand_size, []).append(str(number))
    for size, numbers in by_size.items():
        if len(by_size) == 1:
            yield _("Everybody is dealt {cards}.").format(cards=cards(size))
        else:
            text = _("Everybody is dealt {cards} in round {rounds}.")
            yield text.format(cards=cards(size), rounds=listed(numbers))


_AIM: Final[Mapping[str, str]] = {
    "penalty": N_("Get rid of your cards: those that are left in hand when a hand ends count against you."),
    "meld-points": N_("Lay melds: cards on the table earn you points, those that are left in hand cost you points."),
    "gin": N_("Have as few points as you can outside your melds when somebody knocks."),
}
_BEST: Final[Mapping[str, str]] = {
    "lowest": N_("Over the whole match the fewest points win."),
    "highest": N_("Over the whole match the most points win."),
}


def _aim(rules: Ruleset) -> Sentences:
    yield _(_AIM[rules.scoring.kind])
    yield _(_BEST[rules.match.winner])


# --- melds -----------------------------------------------------------------------------------------------------------

_ACE: Final[Mapping[str, str]] = {
    "low": N_("The ace is low: in a run it goes below the two, and nothing goes above the king."),
    "high": N_("The ace is high: in a run it goes above the king, and nothing goes below the two."),
    "either": N_("In a run the ace goes below the two or above the king, but no run goes on from the king to the two."),
}


def _melds(rules: Ruleset) -> Sentences:
    yield _set_sentence(rules)
    least, most = rules.melds.run_min, rules.melds.run_max
    if most >= _WHOLE_SUIT:
        yield _("A run is {least} or more cards of one suit in a row.").format(least=least)
    elif most == least:
        yield _("A run is {least} cards of one suit in a row.").format(least=least)
    else:
        yield _("A run is {least} to {most} cards of one suit in a row.").format(least=least, most=most)
    if rules.lay == "in-play":
        yield _("Melds are laid on the table during one's own turn, after drawing, as many as one likes.")
    else:
        yield _("Melds stay in the hand until somebody knocks.")
    yield from by_function(rules, "meld_points", N_("What a meld is worth is decided by the plugin {plugin}."))


def _set_sentence(rules: Ruleset) -> str:
    melds = rules.melds
    many = rules.deck.packs * _SUITS + rules.deck.jokers
    least, most = melds.set_min, min(melds.set_max, _SUITS) if melds.distinct_suits else melds.set_max
    if most < least:
        return _("There are no sets, only runs.")
    if melds.distinct_suits and least == most:
        return _("A set is {least} cards of one rank, no suit twice.").format(least=least)
    if melds.distinct_suits:
        return _("A set is {least} to {most} cards of one rank, no suit twice.").format(least=least, most=most)
    if most >= many:
        return _("A set is {least} or more cards of one rank, of whatever suits.").format(least=least)
    if least == most:
        return _("A set is {least} cards of one rank, of whatever suits.").format(least=least)
    return _("A set is {least} to {most} cards of one rank, of whatever suits.").format(least=least, most=most)


def _ace(rules: Ruleset) -> Sentences:
    yield _(_ACE[rules.melds.ace])
    spare = rules.deck.packs > 1 or rules.deck.jokers
    if rules.melds.ace == "either" and rules.melds.run_max > _WHOLE_SUIT and spare:
        yield _("A run of the whole suit may have an ace at both ends.")


def _jokers(rules: Ruleset) -> Sentences:
    if not rules.deck.jokers:
        return
    most, naturals = rules.melds.max_jokers, rules.melds.min_naturals
    if most == 0:
        yield _("Jokers cannot be used in melds.")
        return
    yield _("A joker stands for any card; in a run its player may say for which.")
    if most is None:
        yield _("A meld may hold any number of jokers.")
    else:
        yield plural("A meld may hold {n} joker at most.", "A meld may hold {n} jokers at most.", most)
    yield plural(
        "At least {n} card of a meld must not be a joker.", "At least {n} cards of a meld must not be jokers.", naturals
    )


def _opening(rules: Ruleset) -> Sentences:
    if rules.lay != "in-play":
        return
    if rules.opening.points:
        yield from _opening_points(rules)
    elif rules.rounds:
        yield from _contracts(rules)
    else:
        yield _("The first melds that one lays may be worth anything.")
    if not rules.opening.further_melds:
        yield _("Whoever has laid down lays no further melds in that hand.")
    yield from by_function(rules, "may_open", N_("The plugin {plugin} decides as well what one may open with."))


def _opening_points(rules: Ruleset) -> Sentences:
    text = _("The first melds that one lays in a hand must be worth {points} or more, all together and in one move.")
    yield text.format(points=points(rules.opening.points))
    yield table_values(rules)
    if rules.opening.layoffs_count:
        yield _("Cards that are laid off in the same turn count towards it.")
    if rules.opening.waived_when_going_out:
        yield _("Whoever goes out with them may lay less.")


def _contracts(rules: Ruleset) -> Sentences:
    yield _("The first melds that one lays in a hand must be the contract of the round, all in one move.")
    for number, one in enumerate(rules.rounds, 1):
        yield _("Round {number}: {contract}.").format(number=number, contract=contract_words(one.contract))
    yield _("A longer meld will do, and a run that is long enough serves as two.")
    if rules.opening.waived_when_going_out:
        yield _("Whoever goes out at once may lay other melds.")


# --- a turn ----------------------------------------------------------------------------------------------------------

_MUST_USE: Final[Mapping[str, str]] = {
    "before-discard": N_("The deepest of the cards taken must be laid in the same turn, in a meld or laid off."),
    "next-action": N_("The deepest of the cards taken must be laid at once, in a meld or laid off."),
}
_OTHER_TAKEN: Final[Mapping[str, str]] = {
    "free": N_("The cards that came with it may be discarded."),
    "barred": N_("The cards that came with it may not be discarded while others are left."),
}


def _draw(rules: Ruleset) -> Sentences:
    many = rules.draw.pile == "many"
    if many:
        yield _(
            "A turn begins with the next card of the stock, or with as many cards off the top of the pile as one likes."
        )
    else:
        yield _("A turn begins with the next card of the stock or the top card of the pile.")
    if rules.draw.first_upcard_offer:
        yield _(
            "The card that was turned up is first offered to each in turn; if nobody takes it, the first one draws."
        )
    yield from _obligations(rules, many=many)
    if rules.draw.may_return:
        yield _("A card taken from the pile may be discarded again in the same turn.")
    else:
        yield _("A card taken from the pile may not be discarded in the same turn.")
    if rules.draw.upcard_cap is not None:
        yield _("When the pile has been taken from {n} times in a hand, the hand is void.").format(
            n=rules.draw.upcard_cap
        )
    yield _("A turn ends with a discard.")


def _obligations(rules: Ruleset, *, many: bool) -> Sentences:
    draw = rules.draw
    if draw.must_use == "no":
        yield _("A card taken from the pile need not be used in that turn.")
        return
    yield _(_MUST_USE[draw.must_use])
    if draw.must_use_who == "not-opened":
        yield _("That holds for those who have not laid melds yet.")
    if not draw.must_use_top:
        yield _("The top card alone may be taken without that.")
    if many:
        yield _(_OTHER_TAKEN[draw.other_taken])


_LAY_OFF: Final[Mapping[str, str]] = {
    "never": N_("Melds on the table stay as they are: nothing is laid off."),
    "always": N_("Cards may be laid off on any meld on the table, even by a player who has laid none."),
    "after-opening": N_("Whoever has laid melds may lay cards off on any meld on the table, in the same turn as well."),
    "after-knock": N_("After a knock the other player may lay cards off on the melds of the one who has knocked."),
}


def _lay_offs(rules: Ruleset) -> Sentences:
    yield _(_LAY_OFF[rules.lay_off])
    if rules.lay_off != "never":
        yield _("Cards are laid off one after the other, so that one may prepare the place of the next.")


_SWAP: Final[Mapping[str, str]] = {
    "never": N_("A joker on the table stays where it is."),
    "declared": N_("Whoever has the card that a joker on the table stands for may put it there and take the joker."),
    "any-missing": N_(
        "Whoever has the card that a joker on the table stands for, in a set any suit that is missing, may put it "
        "there and take the joker."
    ),
    "both-missing": N_(
        "Whoever has the card that a joker on the table stands for may put it there and take the joker, from a set "
        "only when that leaves all four suits."
    ),
}


def _swaps(rules: Ruleset) -> Sentences:
    if not rules.deck.jokers or rules.melds.max_jokers == 0:
        return
    yield _(_SWAP[rules.joker_swap.who])
    if rules.joker_swap.who != "never":
        if rules.joker_swap.needs_opening:
            yield _("Only those who have laid melds may do so.")
        else:
            yield _("One need not have laid a meld for that.")
        yield _("The joker may be kept or used at once.")


# --- claims ----------------------------------------------------------------------------------------------------------


def _claims(rules: Ruleset) -> Sentences:
    kind, claim = rules.claim.kind, rules.claim
    if kind == "none":
        yield _("Nobody takes a discard out of turn.")
        return
    yield from _CLAIMS[kind](rules, label_text(rules.labels.call))
    yield _("Nobody can claim their own discard, nor the one that ends a hand.")
    if claim.priority == "ledger":
        yield _("When several call, the first one gets the card.")
    else:
        yield _("When several call, the one whose turn comes first gets the card.")
    if claim.window_ms:
        yield _("The next draw waits {seconds} s for a call.").format(seconds=f"{claim.window_ms / 1000:g}")


def _rummy_call(_rules: Ruleset, label: str) -> Sentences:
    text = _("When a discard fits on a meld on the table, any other player may call {label} and take it into hand.")
    yield text.format(label=label)
    yield _("That is possible until the next card is drawn, costs nothing and changes nobody's turn.")


def _knock_claim(rules: Ruleset, label: str) -> Sentences:
    text = _("Until the next card is drawn, any player may call {label} out of turn and take the discard.")
    yield text.format(label=label)
    if rules.claim.penalty:
        if rules.claim.source == "pile":
            text = _("It costs the next {cards} of the pile as well, of the stock when there are too few.")
        else:
            text = _("It costs the next {cards} of the stock as well.")
        yield text.format(cards=cards(rules.claim.penalty))
    yield _("Whoever has called plays at once.")
    if rules.claim.turn_returns:
        yield _("Then the player who was interrupted has the turn.")
    else:
        yield _("Then the next player has the turn; those in between are passed over.")


def _buy(rules: Ruleset, label: str) -> Sentences:
    yield _("A player may ask for the discard out of turn by calling {label}.").format(label=label)
    yield _("The one whose turn it is may take it first, for nothing.")
    text = _("When the stock is drawn from instead, the caller gets the discard and {cards} of the stock.")
    yield text.format(cards=cards(rules.claim.penalty))
    yield _("After the draw it is for the one who drew to say: keep the card, or give both away and draw anew.")
    if not rules.claim.after_opening:
        yield _("Whoever has laid melds may not call any more.")


_CLAIMS: Final[Mapping[str, Callable[[Ruleset, str], Sentences]]] = {
    "rummy-call": _rummy_call,
    "knock-claim": _knock_claim,
    "buy": _buy,
}


_MATTERS: Final[tuple[tuple[str, Callable[[Ruleset], Sentences]], ...]] = (
    (N_("Players and deck"), _players),
    (N_("Deal"), _deal),
    (N_("Aim"), _aim),
    (N_("Melds"), _melds),
    (N_("The ace"), _ace),
    (N_("Jokers"), _jokers),
    (N_("First melds"), _opening),
    (N_("A turn"), _draw),
    (N_("Laying off"), _lay_offs),
    (N_("Swapping jokers"), _swaps),
    (N_("Out of turn"), _claims),
    (N_("Going out"), going_out),
    (N_("Empty stock"), stock_out),
    (N_("Points"), what_counts),
    (N_("End of the match"), match),
    (N_("Clock"), clock),
)
