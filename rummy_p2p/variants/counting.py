"""What a Ruleset means in sentences: how a hand and a match end, and what counts then. The rest is in `matters`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from rummy_p2p.protocol.text import clean
from rummy_p2p.ruleset import Ruleset
from rummy_p2p.sentences.language import N_, _, cards, plural, points
from rummy_p2p.sentences.titles import label_text

Sentences = Iterator[str]
_WORD: Final = 20


# --- the end of a hand -----------------------------------------------------------------------------------------------

_GOING_OUT: Final[Mapping[str, str]] = {
    "must-discard": N_("A hand ends when somebody discards the last card; that card cannot be laid."),
    "may-lay": N_("A hand ends when somebody lays or discards the last card."),
    "all-at-once": N_("A hand ends when somebody lays all cards in one move, without a discard."),
}


def going_out(rules: Ruleset) -> Sentences:
    """Yield who goes out, and how."""
    if rules.going_out.how == "knock":
        yield from _knocking(rules)
    elif not rules.rounds or any(not one.go_out for one in rules.rounds):
        yield _(_GOING_OUT[rules.going_out.how])
    for number, one in enumerate(rules.rounds, 1):
        if one.go_out and one.go_out != rules.going_out.how:
            text = _("In round {number}: {sentence}")
            yield text.format(number=number, sentence=_(_GOING_OUT[one.go_out]))
    yield from by_function(rules, "may_go_out", N_("The plugin {plugin} decides as well who may go out."))


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
        yield _("Even when the drawn card fits in as well, one card must be discarded.")


def stock_out(rules: Ruleset) -> Sentences:
    """Yield what happens when the stock is empty."""
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


def what_counts(rules: Ruleset) -> Sentences:
    """Yield what cards count, in melds and in hand, and what is added."""
    scoring = rules.scoring
    if scoring.kind == "meld-points":
        yield _("Cards count for whoever lays them, at once, in melds of one's own and laid off.")
        yield table_values(rules)
    yield from _left_values(rules)
    if scoring.kind == "gin":
        yield from _knock_points(rules)
    if scoring.take_all_factor > 1:
        text = _(
            "When somebody goes out who had nothing on the table before that turn, the others' cards count {n} times."
        )
        yield text.format(n=scoring.take_all_factor)
    yield from by_function(rules, "hand_bonus", N_("The plugin {plugin} adds points of its own at the end of a hand."))


def table_values(rules: Ruleset) -> str:
    """Return what a card counts that lies on the table."""
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
    yield from by_function(rules, "left_points", N_("What cards left in hand count is decided by the plugin {plugin}."))


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


def match(rules: Ruleset) -> Sentences:
    """Yield when the match ends, and who has won."""
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


def clock(rules: Ruleset) -> Sentences:
    """Yield how long a turn or a whole game may take."""
    knobs = rules.clock
    if knobs.move_s:
        text = _("A turn lasts {n} s at most; then it ends, and cards taken from the pile and not used go back.")
        yield text.format(n=knobs.move_s)
    if knobs.game_s:
        yield _("Everybody has {n} s for all turns of a match together.").format(n=knobs.game_s)
        if knobs.game_loses:
            yield _("Whoever has used them up loses the match.")
        else:
            yield _("Whoever has used them up draws and discards no more in time: every further turn ends at once.")
    if not knobs.move_s and not knobs.game_s:
        yield _("There is no clock.")


def by_function(rules: Ruleset, name: str, text: str) -> Sentences:
    """Yield the sentence of a function knob when a plugin has set it: what the function does, only its author knows."""
    function = rules.function(name)
    if function is not None:
        yield _(text).format(plugin=clean(function.plugin, _WORD))
