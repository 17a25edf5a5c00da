"""What a Ruleset means, in sentences: one function for each matter of the game.

The law of the file
    Every sentence is made from knobs, and every knob that a player could notice changes some sentence. Sentences are
    whole and stand for themselves, so that they can be translated. What a game does not have is said only where a
    player would ask.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from rummy_p2p.protocol.text import clean
from rummy_p2p.ruleset import Ruleset
from rummy_p2p.sentences.language import N_, _, cards, listed, plural, points
from rummy_p2p.sentences.refusals import contract_words
from rummy_p2p.sentences.titles import label_text

Sentences = Iterator[str]
_WORD: Final = 20
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
    yield from _by_function(rules, "meld_points", N_("What a meld is worth is decided by the plugin {plugin}."))


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
        "At least {n} card of a meld must be no joker.", "At least {n} cards of a meld must be no jokers.", naturals
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
    yield from _by_function(rules, "may_open", N_("The plugin {plugin} decides as well what one may open with."))


def _opening_points(rules: Ruleset) -> Sentences:
    text = _("The first melds that one lays in a hand must be worth {points} or more, all together and in one move.")
    yield text.format(points=points(rules.opening.points))
    yield _table_values(rules)
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
    "always": N_("Cards may be laid off on any meld of the table, also before one has laid a meld oneself."),
    "after-opening": N_("Whoever has laid melds may lay cards off on any meld of the table, in the same turn as well."),
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
    text = _("When a discard fits on a meld of the table, any other player may call {label} and take it into hand.")
    yield text.format(label=label)
    yield _("That is possible until the next card is drawn, costs nothing and changes nobody's turn.")


def _knock_claim(rules: Ruleset, label: str) -> Sentences:
    text = _("Until the next card is drawn, any player who is not on turn may call {label} and take the discard.")
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
    yield _("A player who is not on turn may ask for the discard by calling {label}.").format(label=label)
    yield _("Whoever is on turn may take it first, for nothing.")
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


# --- the end of a hand -----------------------------------------------------------------------------------------------

_GOING_OUT: Final[Mapping[str, str]] = {
    "must-discard": N_("A hand ends when somebody discards the last card; that card cannot be laid."),
    "may-lay": N_("A hand ends when somebody lays or discards the last card."),
    "all-at-once": N_("A hand ends when somebody lays all cards in one move, without a discard."),
}


def _going_out(rules: Ruleset) -> Sentences:
    if rules.going_out.how == "knock":
        yield from _knocking(rules)
    elif not rules.rounds or any(not one.go_out for one in rules.rounds):
        yield _(_GOING_OUT[rules.going_out.how])
    for number, one in enumerate(rules.rounds, 1):
        if one.go_out and one.go_out != rules.going_out.how:
            text = _("In round {number}: {sentence}")
            yield text.format(number=number, sentence=_(_GOING_OUT[one.go_out]))
    yield from _by_function(rules, "may_go_out", N_("The plugin {plugin} decides as well who may go out."))


def _knocking(rules: Ruleset) -> Sentences:
    knob = rules.going_out
    text = _(
        "Whoever has {points} or less outside melds after drawing may knock ({label}): discard a card and show all."
    )
    yield text.format(points=points(knob.knock_limit), label=label_text(rules.labels.knock))
    yield _("With nothing left outside melds it is gin: the hand ends at once, and nothing is laid off.")
    if knob.big_gin:
        yield _("When the drawn card fits in as well, one may knock without a discard: big gin.")
    else:
        yield _("Also when the drawn card fits in as well, one card must be discarded.")


def _stock_out(rules: Ruleset) -> Sentences:
    knob = rules.stock_out
    times = plural("once a hand", "up to {n} times a hand", knob.max_times)
    if knob.what == "reshuffle" and knob.max_times:
        text = _("When the stock is empty, the pile without its top card is shuffled into a new one, {times}.")
        yield text.format(times=times)
    if knob.what == "turn-over" and knob.max_times:
        text = _("When the stock is empty, one may take the discard or turn the pile over, unshuffled, {times}.")
        yield text.format(times=times)
    if knob.what == "void":
        text = _("When {cards} or fewer are left in the stock after a discard, the hand is void and counts for nobody.")
        yield text.format(cards=cards(knob.at))
        if knob.last_card_action:
            yield _("The next player may still take that discard.")
    elif knob.what == "hand-ends":
        yield _("When the last card of the stock has been drawn, its drawer finishes the turn; then the hand ends.")
    else:
        yield _("When there is nothing else to draw, one may take the discard or pass; a pass ends the hand.")
    if knob.what != "void":
        yield _("A hand that ends so has no winner, and everybody's cards count.")


# --- counting --------------------------------------------------------------------------------------------------------


def _points(rules: Ruleset) -> Sentences:
    scoring = rules.scoring
    if scoring.kind == "meld-points":
        yield _("Cards count for whoever lays them, at once, in melds of one's own and laid off.")
        yield _table_values(rules)
    yield from _left_values(rules)
    if scoring.kind == "gin":
        yield from _knock_points(rules)
    if scoring.take_all_factor > 1:
        text = _(
            "When somebody goes out who had nothing on the table before that turn, the others' cards count {n} times."
        )
        yield text.format(n=scoring.take_all_factor)
    yield from _by_function(rules, "hand_bonus", N_("The plugin {plugin} adds points of its own at the end of a hand."))


def _table_values(rules: Ruleset) -> str:
    values = rules.scoring.in_play
    text = _(
        "On the table an ace counts {low} below the two and {high} elsewhere, king, queen and jack {face} each, the "
        "others as printed, a joker as the card that it stands for."
    )
    return text.format(low=values.ace_low, high=values.ace_high, face=values.face)


_LEFT: Final[Mapping[str, str]] = {
    "penalty": N_("Left in hand an ace counts {ace}, king, queen and jack {face} each, the others as printed."),
    "meld-points": N_(
        "What is left in hand is taken off: an ace {ace}, king, queen and jack {face} each, the others as printed."
    ),
    "gin": N_("Outside melds an ace counts {ace}, king, queen and jack {face} each, the others as printed."),
}


def _left_values(rules: Ruleset) -> Sentences:
    values = rules.scoring.in_hand
    if rules.function("left_points") is None:
        yield _(_LEFT[rules.scoring.kind]).format(ace=values.ace, face=values.face)
        if rules.deck.jokers:
            yield _("A joker left in hand counts {joker}.").format(joker=values.joker)
    yield from _by_function(
        rules, "left_points", N_("What cards left in hand count is decided by the plugin {plugin}.")
    )


def _knock_points(rules: Ruleset) -> Sentences:
    scoring = rules.scoring
    yield _("Whoever knocks gets the difference between the other player's points outside melds and their own.")
    if scoring.undercut_on_tie:
        text = _(
            "When the other player has as few or fewer, it is an undercut: they get the difference and {bonus} more."
        )
    else:
        text = _("When the other player has fewer, it is an undercut: they get the difference and {bonus} more.")
    yield text.format(bonus=points(scoring.undercut_bonus))
    yield _("Gin earns {bonus} more.").format(bonus=points(scoring.gin_bonus))
    if rules.going_out.big_gin:
        yield _("A big gin earns {bonus} more.").format(bonus=points(scoring.big_gin_bonus))


def _match(rules: Ruleset) -> Sentences:
    knobs = rules.match
    yield from _ends(rules)
    if knobs.target is not None and knobs.tie == "one-more-hand":
        yield _("When the best totals are equal then, one more hand is played.")
    else:
        yield _("Equal totals share the win.")
    if rules.scoring.box_bonus:
        yield _("After the last hand every hand won adds {points}.").format(points=points(rules.scoring.box_bonus))
    if rules.scoring.game_bonus:
        yield _("Whoever wins the match gets {points} on top.").format(points=points(rules.scoring.game_bonus))


def _ends(rules: Ruleset) -> Sentences:
    knobs, told = rules.match, False
    if rules.rounds:
        told = True
        yield plural(
            "The match has {n} round, one hand each.", "The match has {n} rounds, one hand each.", len(rules.rounds)
        )
    if knobs.deals is not None:
        told = True
        yield plural("The match ends after {n} hand.", "The match ends after {n} hands.", knobs.deals)
    if knobs.target is not None:
        told = True
        text = _("The match ends with the hand after which somebody has {points} or more.")
        yield text.format(points=points(knobs.target))
    if knobs.limit is not None:
        told = True
        text = _("Whoever has more than {points} after a hand is out, and the last one left wins.")
        yield text.format(points=points(knobs.limit))
        yield _("When that would leave nobody, the lowest total wins.")
    if not told:
        yield _("The match goes on for as long as the players like.")


def _clock(rules: Ruleset) -> Sentences:
    clock = rules.clock
    if clock.move_s:
        text = _("A turn lasts {n} s at most; then it ends, and cards taken from the pile and not used go back.")
        yield text.format(n=clock.move_s)
    if clock.game_s:
        yield _("Everybody has {n} s for all turns of a match together.").format(n=clock.game_s)
        if clock.game_loses:
            yield _("Whoever has used them up loses the match.")
        else:
            yield _("Whoever has used them up draws and discards no more in time: every further turn ends at once.")
    if not clock.move_s and not clock.game_s:
        yield _("There is no clock.")


def _by_function(rules: Ruleset, name: str, text: str) -> Sentences:
    """Yield the sentence of a function knob when a plugin has set it: what the function does, only its author knows."""
    function = rules.function(name)
    if function is not None:
        yield _(text).format(plugin=clean(function.plugin, _WORD))


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
    (N_("Going out"), _going_out),
    (N_("Empty stock"), _stock_out),
    (N_("Points"), _points),
    (N_("End of the match"), _match),
    (N_("Clock"), _clock),
)
