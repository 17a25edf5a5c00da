"""What can be typed and what is played: help and hints made from the moves that a Ruleset has, the rules in short."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, Literal

import msgspec

from rummy_p2p.cards import SUITS
from rummy_p2p.engine import NOBODY, HandState, Phase, View
from rummy_p2p.protocol.text import clean
from rummy_p2p.rules.actions import VERBS
from rummy_p2p.rules.legality import can_reshuffle, can_turn_over, claimants, going_out
from rummy_p2p.ruleset import Ruleset
from rummy_p2p.sentences.events import match_end_words
from rummy_p2p.sentences.language import N_, _, cards, plural, points
from rummy_p2p.sentences.refusals import contract_words
from rummy_p2p.sentences.titles import label_text, title_text


class Notice(msgspec.Struct, frozen=True):
    """A line for the player that is no event of the game: a chat line, a player who comes or goes, a pause."""

    text: str


_PRACTICE: Final[Mapping[str, str]] = {
    "next": N_("deal the next hand"),
    "leave": N_("end the practice"),
    "hand-over": N_("Type next for the next hand, score for the totals, or leave."),
    "still-playing": N_("This hand is not over yet: the next one is dealt after it. Type turn to see who is playing."),
}


def practice_notice(which: Literal["next", "leave", "hand-over", "still-playing"]) -> str:
    """Return what the practice table says."""
    return _(_PRACTICE[which])


# --- moves -----------------------------------------------------------------------------------------------------------

_MOVES: Final[Mapping[str, tuple[str, str]]] = {
    "draw": ("draw", N_("take the next card of the stock")),
    "take": ("take", N_("take the top card of the pile")),
    "take many": ("take 3", N_("take the top 3 cards of the pile; take alone is its top card")),
    "turn-over": ("turn-over", N_("make the pile the stock, when the stock is empty")),
    "meld": ("meld 7h 8h 9h", N_("lay a new meld; several at once: meld 7h 8h 9h | 4s 4h 4d")),
    "meld joker": (
        "meld Qh JK=Qd Qs",
        N_("say which card a joker stands for; without that it takes the first free place"),
    ),
    "add": ("add 10h 2", N_("lay a card off on meld 2; where both ends fit: add 10h 2 left")),
    "swap": ("swap Qd 2", N_("put the card in the place of the joker of meld 2 and take the joker")),
    "discard": ("discard 9s", N_("put a card on the pile and end your turn")),
    "knock": ("knock 4h", N_("discard the card and end the hand; your melds may follow: knock 4h | 7h 8h 9h")),
    "done": ("done", N_("lay off no more after the other's knock")),
    "call": ("call", N_("claim the discard out of turn")),
    "pass": ("pass", N_("decline to draw, when there is only the discard or the first card of the pile")),
    "keep": ("keep", N_("answer a late call: keep the card that you drew")),
    "give": ("give", N_("answer a late call: give the discard and your card away and draw anew")),
}


def verbs(rules: Ruleset) -> tuple[str, ...]:
    """Return the moves that exist under these rules, in the order of a turn."""
    knock = rules.going_out.how == "knock"
    exists = {
        "turn-over": rules.stock_out.what == "turn-over",
        "meld": rules.lay == "in-play",
        "add": rules.lay_off != "never",
        "swap": rules.joker_swap.who != "never" and rules.deck.jokers > 0,
        "knock": knock,
        "done": knock and rules.lay_off == "after-knock",
        "call": rules.claim.kind != "none",
        "keep": rules.claim.kind == "buy",
        "give": rules.claim.kind == "buy",
    }
    return tuple(verb for verb in _MOVES if verb in VERBS and exists.get(verb, True))


def labelled_call(rules: Ruleset) -> str:
    """Return the one word under which this game has ``call`` (``rummy``), or nothing when it is no word of its own."""
    word = rules.labels.call.lower()
    taken = word in VERBS and (word != "knock" or word in verbs(rules))
    return word if rules.claim.kind != "none" and word.isalpha() and not taken else ""


def help_lines(rules: Ruleset) -> tuple[str, ...]:
    """Return a line for each move that exists under these rules."""
    return tuple(line for verb in verbs(rules) for line in _move_lines(verb, rules))


def _move_lines(verb: str, rules: Ruleset) -> Iterator[str]:
    example, sentence = _MOVES["take many" if verb == "take" and rules.draw.pile == "many" else verb]
    yield help_line(example, _(sentence))
    if verb == "meld" and rules.deck.jokers:
        example, sentence = _MOVES["meld joker"]
        yield help_line(example, _(sentence))
    word = labelled_call(rules) if verb == "call" else ""
    if word:
        label = label_text(rules.labels.call)
        yield help_line(word, _("the same as call: {label} is this game's word for it").format(label=label))


def help_line(example: str, sentence: str) -> str:
    """Return a line of help: what can be typed, and what it does."""
    return f"  {example:<18} {sentence}"


COMMANDS: Final[Mapping[str, tuple[str, str]]] = {
    "hand": ("hand", N_("show your cards")),
    "table": ("table", N_("show the melds, the piles and how many cards everybody has")),
    "turn": ("turn", N_("show whose turn it is and what you can do")),
    "score": ("score", N_("show the points so far")),
    "last": ("last 5", N_("show the last 5 things that happened; without a number the last 10")),
    "sort": ("sort suit", N_("order your cards by melds, suit or rank")),
    "rules": ("rules", N_("show the rules in short")),
    "help": ("help", N_("show this list")),
    "quit": ("quit", N_("leave the table")),
}

_ANSWERS: Final[Mapping[str, str]] = {
    "no-hand": N_("No hand is being played at the moment."),
    "no-match": N_("No match is being played at the moment."),
    "nothing-yet": N_("Nothing has happened yet."),
    "orders": N_("Cards can be ordered by melds, suit or rank, as in: sort suit"),
    "last-number": N_("Say how many lines to show, as in: last 5"),
    "leave": N_("Leave the table? (yes/no) "),
}


def answer_text(which: Literal["no-hand", "no-match", "nothing-yet", "orders", "last-number", "leave"]) -> str:
    """Return what the prompt answers when it has nothing to show."""
    return _(_ANSWERS[which])


def unknown_command(word: str, existing: Iterable[str]) -> str:
    """Return that there is no such command, and which there are."""
    text = _("There is no command {word}. These can be typed: {commands}. help tells what each one does.")
    return text.format(word=repr(clean(word, 20)), commands=", ".join(existing))


def command_lines(rules: Ruleset, extra: Mapping[str, str]) -> tuple[str, ...]:
    """Return the whole help: the moves of this game, the commands of every table and those of this one."""
    return (
        _("Moves:"),
        *help_lines(rules),
        _("Cards are written 7h, 10s, Qd; a joker is JK. Commands:"),
        *(help_line(example, _(sentence)) for example, sentence in COMMANDS.values()),
        *(help_line(clean(name, 20), clean(sentence, 200)) for name, sentence in extra.items()),
    )


def turn_hint(view: View) -> str:
    """Return what a seat can do now, in a sentence; empty when it can only wait."""
    state = view.state
    if view.seat == NOBODY:
        return ""
    if view.on_turn and state.phase in _HINTS:
        return _(_HINTS[state.phase])
    if view.on_turn and state.phase is Phase.DRAW:
        return _draw_hint(view)
    if view.on_turn and state.phase is Phase.PLAY:
        return _play_hint(view)
    return call_hint(view)


_HINTS: Final[Mapping[Phase, str]] = {
    Phase.OFFER: N_("Take the first card of the pile (take), or decline it (pass)."),
    Phase.ANSWER: N_(
        "Somebody asks for the discard. Type keep to keep the card that you drew, or give to let both go."
    ),
    Phase.LAY_OFF: N_("Lay off what fits (add 10h 2), then type done."),
}


def call_hint(view: View) -> str:
    """Return that the discard may be claimed now, and how; empty when it may not."""
    top = view.state.top()
    if top is None or view.seat not in claimants(view.state):
        return ""
    rules = view.state.rules
    text = _("You may claim {card} now ({label}): type {word}.")
    word = labelled_call(rules) or "call"
    return text.format(card=str(top).replace("'", ""), label=label_text(rules.labels.call), word=word)


def _draw_hint(view: View) -> str:
    state = view.state
    ways: list[str] = []
    if _can_draw(state):
        ways.append(_("draw (stock)"))
    if can_turn_over(state):
        ways.append(_("turn-over (make the pile the stock)"))
    if state.pile:
        ways.append(_("take (pile)"))
    if not (_can_draw(state) or can_turn_over(state)):
        ways.append(_("pass (end the hand)"))
    hint = _("Type {ways}.").format(ways=_(" or ").join(ways))
    return f"{hint} {call_hint(view)}".rstrip()


def _can_draw(state: HandState) -> bool:
    knob = state.rules.stock_out
    if knob.what == "void" and len(state.stock) <= knob.at:
        return False
    return bool(state.stock) or can_reshuffle(state)


def _play_hint(view: View) -> str:
    how = going_out(view.state)
    if how == "knock":
        return _("Discard a card to end your turn, or knock.")
    if how == "all-at-once" and not view.state.opened[view.seat]:
        return _("Discard a card to end your turn, or lay all your cards at once (meld ...).")
    return _("Lay what you can (meld, add), then discard a card to end your turn.")


_WHOLE_SUIT: Final = 13

# --- the rules in short ----------------------------------------------------------------------------------------------

_GOING_OUT: Final[Mapping[str, str]] = {
    "must-discard": N_("To go out, discard your last card."),
    "may-lay": N_("To go out, discard or lay your last card."),
    "all-at-once": N_("To go out, lay all your cards in one go, without a discard."),
}
_LAY_OFF: Final[Mapping[str, str]] = {
    "never": N_("Nothing is laid off."),
    "always": N_("Cards may be laid off on any meld from the start."),
    "after-opening": N_("Cards may be laid off on any meld after one's own first lay-down."),
    "after-knock": N_("After a knock the other player may lay off."),
}
_STOCK_OUT: Final[Mapping[str, str]] = {
    "reshuffle": N_("When the stock is empty the pile without its top is shuffled, at most {times}."),
    "turn-over": N_("When the stock is empty the pile is turned over unshuffled, at most {times}."),
    "hand-ends": N_("When the stock is empty the hand ends."),
    "void": N_("When the stock is down to {left} the hand is void."),
}
_CLAIM: Final[Mapping[str, str]] = {
    "rummy-call": N_(
        "Whoever first calls {label} gets a discard that fits on a meld on the table, until the next player draws."
    ),
    "knock-claim": N_(
        "Whoever first calls {label} gets the discard, {penalty} more and the turn, until the next player draws."
    ),
    "buy": N_("The others may ask for the discard ({label}); it costs {penalty} more."),
}
_ACE: Final[Mapping[str, str]] = {
    "low": N_("The ace is low."),
    "high": N_("The ace is high."),
    "either": N_("The ace is low or high, never inside a run."),
}


def rules_lines(rules: Ruleset) -> tuple[str, ...]:
    """Return the rules in short: the title and the knobs that a player has to know."""
    title = title_text(rules)
    if rules.house:
        title = _("{title}, with {house}").format(title=title, house=clean(", ".join(rules.house), 200))
    return (title, *(line for line in _rule_lines(rules) if line))


def _rule_lines(rules: Ruleset) -> Iterator[str]:
    yield _deck_line(rules)
    yield _meld_line(rules)
    yield _opening_line(rules)
    yield _(_LAY_OFF[rules.lay_off])
    yield _joker_line(rules)
    if rules.draw.must_use != "no":
        yield _("A card taken from the pile must be used in the same turn.")
    claim = rules.claim
    if claim.kind != "none":
        yield _(_CLAIM[claim.kind]).format(label=label_text(rules.labels.call), penalty=cards(claim.penalty))
    yield _going_out_line(rules)
    times = plural("{n} time", "{n} times", rules.stock_out.max_times)
    yield _(_STOCK_OUT[rules.stock_out.what]).format(times=times, left=cards(rules.stock_out.at))
    yield _scoring_line(rules)
    yield match_end_words(rules)
    yield from clock_lines(rules)


def _deck_line(rules: Ruleset) -> str:
    packs = plural("{n} pack of 52", "{n} packs of 52", rules.deck.packs)
    jokers = plural("{n} joker", "{n} jokers", rules.deck.jokers) if rules.deck.jokers else _("no jokers")
    least, most = rules.players.min, rules.players.max
    sizes = sorted(
        {rules.cards_each(seats, n) for seats in range(least, most + 1) for n in range(len(rules.rounds) or 1)}
    )
    each = "/".join(str(size) for size in sizes)
    players = str(least) if least == most else f"{least}-{most}"
    return _("{players} players, {packs}, {jokers}, {each} cards each.").format(
        players=players, packs=packs, jokers=jokers, each=each
    )


def _meld_line(rules: Ruleset) -> str:
    least, most = rules.melds.run_min, rules.melds.run_max
    text = _("A run is {least} to {most} cards of one suit in a row.")
    if most >= _WHOLE_SUIT:
        text = _("A run is {least} or more cards of one suit in a row.")
    elif most == least:
        text = _("A run is {least} cards of one suit in a row.")
    return f"{_set_text(rules)} {text.format(least=least, most=most)} {_(_ACE[rules.melds.ace])}"


def _set_text(rules: Ruleset) -> str:
    """Return what a set is, in the words of the whole rules."""
    melds = rules.melds
    many = rules.deck.packs * len(SUITS) + rules.deck.jokers
    least, most = melds.set_min, min(melds.set_max, len(SUITS)) if melds.distinct_suits else melds.set_max
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


def _opening_line(rules: Ruleset) -> str:
    if rules.rounds:
        contracts = "; ".join(contract_words(each.contract) for each in rules.rounds)
        return _("The first lay-down must be the contract of the round: {contracts}.").format(contracts=contracts)
    if rules.opening.points:
        return _("The first lay-down must be worth {minimum}.").format(minimum=points(rules.opening.points))
    return ""


def _joker_line(rules: Ruleset) -> str:
    if not rules.deck.jokers:
        return ""
    worth = points(rules.scoring.in_hand.joker)
    most = rules.melds.max_jokers
    limit = "" if most is None else plural("A meld has {n} joker at most.", "A meld has {n} jokers at most.", most)
    swap = _("Jokers on the table may be swapped.") if rules.joker_swap.who != "never" else ""
    left = _("A joker left in hand counts {worth}.").format(worth=worth)
    return " ".join(part for part in (limit, swap, left) if part)


def _going_out_line(rules: Ruleset) -> str:
    if rules.going_out.how == "knock":
        return _("Whoever has {limit} or less in loose cards may knock.").format(
            limit=points(rules.going_out.knock_limit)
        )
    return _(_GOING_OUT[rules.going_out.how])


def clock_lines(rules: Ruleset) -> Iterator[str]:
    """Yield how long a turn and all turns together may last, where there is a clock."""
    clock = rules.clock
    if clock.move_s:
        text = _("A turn lasts {n} s at most; then it ends, and cards taken from the pile and not used go back.")
        yield text.format(n=clock.move_s)
    if clock.game_s:
        yield _("Everybody has {n} s for all turns of a match together.").format(n=clock.game_s)
    if clock.game_s and clock.game_loses:
        yield _("Whoever has used them up loses the match.")


def _scoring_line(rules: Ruleset) -> str:
    values = rules.scoring.in_hand
    text = _("In hand an ace counts {ace}, a face card {face}, the others as printed.")
    line = text.format(ace=values.ace, face=values.face)
    if rules.scoring.take_all_factor > 1:
        factor = rules.scoring.take_all_factor
        line += " " + _("Whoever goes out in one turn makes the others' points count {factor} times.").format(
            factor=factor
        )
    return line
