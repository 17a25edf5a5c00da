"""Why not: for every code of ``rules.legality.CODES`` the sentences that say what, why, and what to do instead.

A code has several wordings. The first one counts for which every condition before it and every ``{placeholder}`` in it
is known; the last one asks for nothing. Known are the parameters of the refusal, the knob that demands it
(``knob:lay_off``), the value of every knob (``melds.ace=low``) and a few words made of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from string import Formatter
from typing import Final

from rummy_p2p.protocol.text import NICK_LIMIT, clean
from rummy_p2p.rules.actions import ParseError
from rummy_p2p.rules.functions import KnobFailed
from rummy_p2p.rules.legality import IllegalAction
from rummy_p2p.ruleset import Ruleset, RulesetError
from rummy_p2p.sentences.faces import is_on_screen, shown_cards
from rummy_p2p.sentences.faults import retold
from rummy_p2p.sentences.language import N_, _, cards, listed, plural, points
from rummy_p2p.sentences.titles import label_text

Refusal = IllegalAction | ParseError | KnobFailed | RulesetError
_TEXT_LIMIT: Final = 400
_CARDS: Final = ("card", "cards", "top")


def refusal(error: Refusal, rules: Ruleset | None = None, names: Sequence[str] = ()) -> str:
    """Return the sentence for a player; without ``rules`` it says less about the values of knobs."""
    if isinstance(error, ParseError):
        return _("I cannot read {text}: {wanted}.").format(
            text=repr(clean(error.text, 60)), wanted=clean(retold(error.wanted), _TEXT_LIMIT)
        )
    if isinstance(error, KnobFailed):
        return _knob_failed(error)
    if isinstance(error, RulesetError):
        return clean(retold(str(error)), _TEXT_LIMIT)
    facts = _facts(error, rules, names)
    return _(_choose(SENTENCES[error.code], facts)).format_map(facts)


def _knob_failed(error: KnobFailed) -> str:
    text = _(
        "The hand is void: the rule {knob} of the plugin {plugin} failed ({cause}). Nothing is counted; "
        "play without this plugin, or tell its author."
    )
    cause = clean(error.cause, 120)
    return text.format(knob=clean(error.knob, 40), plugin=clean(error.plugin, 40), cause=cause)


def _choose(wordings: Mapping[str, str], facts: Mapping[str, str]) -> str:
    known = facts.keys()
    return next(text for when, text in wordings.items() if known >= {*when.split(), *placeholders(text)})


def placeholders(text: str) -> set[str]:
    """Return the names that a sentence leaves open."""
    return {name for _literal, name, _spec, _conversion in Formatter().parse(text) if name}


def _facts(error: IllegalAction, rules: Ruleset | None, names: Sequence[str]) -> dict[str, str]:
    facts = {f"knob:{error.knob}": error.knob} if error.knob else {}
    facts |= {
        name: _fact(name, value)
        for name, value in error.parameters.items()
        if value is not None and value is not False and value != ""
    }
    facts |= {"keys": ""} if is_on_screen() else {}
    if rules is not None:
        facts |= {f"{path}={value}": "" for path, value in rules.knobs().items()}
        facts |= _words(rules)
    return facts | _from_numbers(error.parameters, names)


def _fact(name: str, value: object) -> str:
    """Return a parameter as it is shown; copies of a card are all the same to a player."""
    text = clean(str(value), _TEXT_LIMIT)
    return shown_cards(text) if name in _CARDS else text.replace("'", "")


def _words(rules: Ruleset) -> dict[str, str]:
    """Return what sentences say about the values of knobs."""
    melds, stock_out = rules.melds, rules.stock_out
    words = {
        "minimum": points(rules.opening.points),
        "knock_limit": points(rules.going_out.knock_limit),
        "naturals": plural("{n} card that is not a joker", "{n} cards that are not jokers", melds.min_naturals),
        "set_min": cards(melds.set_min),
        "set_max": cards(melds.set_max),
        "run_min": cards(melds.run_min),
        "left_over": cards(stock_out.at),
        "times": plural("{n} time", "{n} times", stock_out.max_times),
        "least_players": str(rules.players.min),
        "most_players": str(rules.players.max),
        "call": label_text(rules.labels.call),
    }
    if melds.max_jokers is not None:
        words["jokers"] = plural("{n} joker", "{n} jokers", melds.max_jokers)
    return words


def _from_numbers(parameters: Mapping[str, object], names: Sequence[str]) -> dict[str, str]:
    """Return the words for parameters that are not shown as they are."""
    words: dict[str, str] = {}
    turn, contract, numbers = parameters.get("turn"), parameters.get("contract"), parameters.get("numbers")
    if isinstance(turn, int) and 0 <= turn < len(names):
        words["name"] = clean(names[turn], NICK_LIMIT)
    if isinstance(contract, str) and contract:
        words["contract"] = contract_words(contract)
    if isinstance(numbers, str) and numbers:
        words["first_number"] = numbers.partition(",")[0]
    melds = parameters.get("melds")
    if isinstance(melds, int):
        words["melds_there" if melds else "no_melds"] = plural("{n} meld", "{n} melds", melds)
    for name, word in (("stock", "stock_cards"), ("pile", "pile_cards")):
        count = parameters.get(name)
        if isinstance(count, int) and count:
            words[word] = cards(count)
    return words


def contract_words(contract: str) -> str:
    """Return ``2 sets``, ``1 set and 1 run``: what the digits of a contract stand for."""
    sets, runs = contract.count("3"), contract.count("4")
    parts = [plural("{n} set", "{n} sets", sets)] if sets else []
    return listed([*parts, plural("{n} run", "{n} runs", runs)] if runs else parts)


SENTENCES: Final[Mapping[str, Mapping[str, str]]] = {
    "parse-error": {
        "": N_("This is not a move. Type help to see what can be typed."),
    },
    "match-over": {
        "": N_("The match is over: nothing more can be played. A new match begins with all scores at zero."),
    },
    "gin-no-layoff": {
        "": N_(
            "Nothing can be laid off against gin: all the other player's cards are in melds. Your cards are counted "
            "as they are."
        ),
    },
    "hand-over": {
        "": N_("This hand is over: nothing more can be played in it. Wait for the next hand to be dealt."),
    },
    "not-your-turn": {
        "name": N_("It is not your turn: {name} is playing. Wait for your turn."),
        "": N_("It is not your turn. Wait for your turn."),
    },
    "draw-first": {
        "keys": N_(
            "You have not drawn yet, and every turn begins with that. Press d to draw from the stock, or t to "
            "take from the pile."
        ),
        "": N_(
            "You have not drawn yet, and every turn begins with that. First type draw (from the stock) or take "
            "(from the pile)."
        ),
    },
    "already-drawn": {
        "going_out.how=knock": N_(
            "You have drawn already, and a turn has one draw. End your turn now: discard a card, or knock."
        ),
        "": N_("You have drawn already, and a turn has one draw. Lay what you want to lay, then discard a card."),
    },
    "must-discard-last": {
        "": N_("The last card must go on the pile; it cannot be laid. Keep one card back and discard it."),
    },
    "must-lay-all": {
        "cards": N_(
            "In this hand all cards are laid in one go, without a discard; these are only {cards}. Wait until "
            "all of yours fit."
        ),
        "": N_(
            "In this hand all cards are laid in one go, without a discard. Wait until all of yours fit, then "
            "lay them together."
        ),
    },
    "not-in-hand": {
        "card": N_(
            "You do not hold {card}, or not as many of it as you named. Choose from your own cards: type hand to "
            "see them."
        ),
        "": N_("This needs cards that are not in your hand. Choose from your own cards: type hand to see them."),
    },
    "not-that-joker": {
        "joker_swap.who=declared": N_(
            "{card} does not replace the joker of meld {number}: only the card that it was laid for does. Type "
            "table to see the melds."
        ),
        "joker_swap.who=both-missing": N_(
            "{card} does not replace the joker of meld {number}: both cards that are missing from the set are "
            "needed. Type table to see the melds."
        ),
        "card number": N_(
            "{card} does not replace the joker of meld {number}: it stands for another card. Type table to see the "
            "melds."
        ),
        "": N_("This card does not replace the joker, which stands for another one. Type table to see the melds."),
    },
    "no-joker": {
        "number": N_("There is no joker in meld {number}, so there is none to take. Type table to see the melds."),
        "": N_("There is no joker to take there. Type table to see the melds."),
    },
    "no-such-meld": {
        "no_melds": N_(
            "There is no meld on the table yet, so there is nothing to use. Lay one of your own, or wait for "
            "somebody to do so."
        ),
        "number melds_there": N_(
            "There is no meld {number}: the table has {melds_there}. Type table to see their numbers."
        ),
        "": N_("There is no such meld on the table. Type table to see the numbers of the melds."),
    },
    "option-off": {
        "knob:going_out.how": N_(
            "Nobody knocks in this game: it ends when somebody has no cards left. Lay what you can and discard."
        ),
        "keys knob:stock_out.what stock_cards": N_(
            "The pile is turned over only when the stock is empty; it still has {stock_cards}. Press d to draw, or t "
            "to take from the pile."
        ),
        "keys knob:stock_out.what": N_(
            "You may pass only when there is no card to draw. Press d to draw, or t to take from the pile."
        ),
        "keys knob:draw.pile": N_("Only the top card of the pile may be taken. Press t for it."),
        "keys knob:draw.first_upcard_offer": N_(
            "Everybody has declined the first card of the pile, so it lies dead. Press d to draw."
        ),
        "keys knob:claim.kind": N_(
            "In this game nobody may claim the discard out of turn. Wait for your turn and press t."
        ),
        "keys knob:claim.after_opening": N_(
            "A player who has laid down may not buy the discard in this game. Wait for your turn and press t."
        ),
        "knob:stock_out.what stock_cards": N_(
            "The pile is turned over only when the stock is empty; it still has {stock_cards}. Type draw or take."
        ),
        "knob:stock_out.what stock_out.what=turn-over": N_(
            "You may pass only when there is no card to draw. Type draw or take, or turn-over when the stock is empty."
        ),
        "knob:stock_out.what": N_(
            "In this game the pile is never turned over, and nobody passes while there is a card to draw. Type "
            "draw or take."
        ),
        "knob:draw.pile count": N_("Only the top card of the pile may be taken, not {count}. Type take."),
        "knob:draw.pile": N_("Only the top card of the pile may be taken. Type take."),
        "knob:draw.first_upcard_offer": N_(
            "Everybody has declined the first card of the pile, so it lies dead. Type draw."
        ),
        "knob:lay": N_("In this game melds stay in hand until somebody knocks. Discard a card, or knock."),
        "knob:opening.further_melds": N_(
            "After the contract no more melds of your own can be laid in this hand. Add cards to the melds on "
            "the table."
        ),
        "knob:lay_off lay_off=after-knock": N_(
            "Cards are laid off only after a knock, and only by the player who did not knock. Keep the card, or "
            "discard it."
        ),
        "knob:lay_off": N_(
            "Nothing is laid off in this game: a meld stays as it was laid. Keep the card, or discard it."
        ),
        "knob:joker_swap.who": N_(
            "In this game nobody may take a joker off the table. Use your card in a meld, or discard it."
        ),
        "knob:claim.kind": N_(
            "In this game nobody may claim the discard out of turn. Wait for your turn and type take."
        ),
        "knob:claim.after_opening": N_(
            "A player who has laid down may not buy the discard in this game. Wait for your turn and type take."
        ),
        "knob:functions.may_go_out": N_(
            "A special rule of this game does not let you go out now. Keep a card, and try again later."
        ),
        "": N_("This cannot be done at this point of the hand. Type turn to see what can."),
    },
    "stock-empty": {
        "keys knob:stock_out.at": N_(
            "With {left_over} left the stock counts as empty. Press t to take from the pile, or p to end the hand."
        ),
        "keys turn_over": N_("The stock is empty. Press d to make the pile the stock, or t to take from the pile."),
        "keys": N_(
            "The stock is empty and stays so. Press t to take from the pile, or p to pass: then the hand ends and all "
            "cards are counted."
        ),
        "knob:stock_out.at": N_(
            "With {left_over} left the stock counts as empty. Type take for the top of the pile, or pass to end "
            "the hand."
        ),
        "knob:stock_out.max_times": N_(
            "The pile may be turned over {times} in a hand, and it has been. Type take for its top card, or "
            "pass to end the hand."
        ),
        "turn_over top": N_("The stock is empty. Type turn-over to make the pile the stock, or take for {top}."),
        "turn_over": N_("The stock is empty. Type turn-over to make the pile the stock."),
        "top": N_(
            "The stock is empty and stays so. Type take for {top}, or pass: then the hand ends and all cards "
            "are counted."
        ),
        "": N_(
            "The stock is empty. Type take for the top of the pile, or pass: then the hand ends and all cards "
            "are counted."
        ),
    },
    "pile-empty": {
        "keys draw.pile=many": N_(
            "You cannot take {count} from the pile: it has {pile_cards}. Take fewer, or press d to draw."
        ),
        "keys": N_("There is no card on the pile to take. Press d to draw."),
        "draw.pile=many": N_("You cannot take {count} from the pile: it has {pile_cards}. Take fewer, or type draw."),
        "": N_("There is no card on the pile to take. Type draw."),
    },
    "no-claim-open": {
        "keys on_turn": N_(
            "It is your turn: you need not claim the discard. Press t to take it, or d to draw from the stock."
        ),
        "on_turn": N_("It is your turn: you need not claim the discard. Type take to have it, or draw."),
        "": N_("There is no discard to claim. A discard can be claimed until the next player draws."),
    },
    "claim-own-discard": {
        "": N_("You discarded this card yourself, so only the others may claim it. Wait for your turn."),
    },
    "claim-too-late": {
        "again": N_("You have asked for this card already. Wait for the answer."),
        "": N_("Too late: this discard is gone, or the next player has drawn. Be quicker with the next one."),
    },
    "around-the-corner": {
        "melds.ace=low": N_("A run does not go round the corner: the ace is low only, as in A-2-3. Use other cards."),
        "melds.ace=high": N_("A run does not go round the corner: the ace is high only, as in Q-K-A. Use other cards."),
        "": N_("A run does not go round the corner: the ace is at one of its ends, never inside. Use other cards."),
    },
    "duplicate-card": {
        "knob:melds.distinct_suits card number cards": N_(
            "{card} does not fit on meld {number} ({cards}): a set has no suit twice. Lay it elsewhere, or keep it."
        ),
        "card number cards": N_(
            "{card} does not fit on meld {number} ({cards}): a run has no card twice. Lay it elsewhere, or keep it."
        ),
        "knob:melds.distinct_suits cards": N_(
            "{cards} is not a set: a set has no suit twice. Leave the second one out."
        ),
        "cards": N_("{cards} is not a meld: a card is in it twice. Leave the second one out."),
        "": N_("The same card cannot be in a meld twice. Leave the second one out."),
    },
    "too-many-jokers": {
        "jokers": N_("A meld may have {jokers} at most. Use other cards in place of the rest."),
        "": N_("There are too many jokers for one meld. Use other cards in their place."),
    },
    "too-few-naturals": {
        "naturals": N_("A meld needs at least {naturals}. Use fewer jokers in it."),
        "": N_("There are too few cards beside the jokers. Use fewer jokers in one meld."),
    },
    "joker-place": {
        "number cards": N_(
            "The joker cannot take that place on meld {number} ({cards}). Leave out what it stands for: add JK {number}"
        ),
        "": N_("The joker cannot stand for that card here. Leave out what it stands for and type only JK."),
    },
    "not-a-meld": {
        "knob:melds.set_min": N_("{cards} is too short: a set has at least {set_min}. Keep collecting."),
        "knob:melds.set_max": N_("{cards} is too long: a set has at most {set_max}. Leave cards out."),
        "knob:melds.run_min": N_("{cards} is too short: a run has at least {run_min}. Keep collecting."),
        "cards": N_(
            "{cards} is not a meld. A set is cards of one rank, a run is cards of one suit in a row; choose such cards."
        ),
        "": N_(
            "This is not a meld. A set is cards of one rank, a run is cards of one suit in a row; choose such cards."
        ),
    },
    "does-not-fit": {
        "knob:claim.kind card call": N_(
            "{card} fits on no meld on the table, so there is nothing to call {call} for. Play on."
        ),
        "knob:claim.kind": N_("The discard fits on no meld on the table, so it cannot be claimed. Play on."),
        "knob:melds.set_max": N_(
            "Meld {number} ({cards}) is full: a set has at most {set_max}. Lay {card} elsewhere, or keep it."
        ),
        "card number cards": N_("{card} does not fit on meld {number} ({cards}). Lay it elsewhere, or keep it."),
        "card": N_("{card} fits on no meld on the table. Keep it, or discard it."),
        "": N_("This card does not fit there. Type table to see the melds."),
    },
    "ambiguous-place": {
        "keys card numbers": N_("{card} fits on the melds {numbers}. Press a, then the number of one."),
        "keys card number": N_("{card} fits at both ends of meld {number}. Press a, then Left or Right."),
        "card numbers first_number": N_(
            "{card} fits on the melds {numbers}. Say which one, as in: add {card} {first_number}"
        ),
        "card number cards": N_(
            "{card} fits at both ends of meld {number} ({cards}). Say which: add {card} {number} left, or right"
        ),
        "": N_("This card fits in more than one place. Say which meld and which end, as in: add 10h 2 left"),
    },
    "open-first": {
        "knob:joker_swap.needs_opening": N_(
            "You may take a joker only after you have laid a meld of your own in this hand. Lay one first."
        ),
        "knob:lay_off": N_("You may lay off only after you have laid a meld of your own in this hand. Lay one first."),
        "": N_("First lay a meld of your own in this hand."),
    },
    "opening-minimum": {
        "knob:functions.may_open": N_(
            "A special rule of this game does not take these melds as a first lay-down. Lay others, or more at once."
        ),
        "keys minimum points": N_(
            "The first lay-down must be worth {minimum} in one go; this is {points}. Select the cards of more melds "
            "and press m."
        ),
        "minimum points": N_(
            "The first lay-down must be worth {minimum} in one go; this is {points}. Lay more at once: meld 7h "
            "8h 9h | 4s 4h 4d"
        ),
        "minimum": N_(
            "The first lay-down must be worth {minimum} in one go. Lay more at once: meld 7h 8h 9h | 4s 4h 4d"
        ),
        "": N_("The first lay-down is not worth enough. Lay more at once: meld 7h 8h 9h | 4s 4h 4d"),
    },
    "contract-not-met": {
        "keys contract": N_(
            "The first lay-down of this round must be {contract}, all at once. Select the cards of all of them and "
            "press m."
        ),
        "contract": N_(
            "The first lay-down of this round must be {contract}, all at once. Lay them together: meld 7h 7s 7d "
            "| 4s 4h 4d"
        ),
        "": N_(
            "The first lay-down must be the contract of the round, all at once. Lay its melds together: meld 7h "
            "7s 7d | 4s 4h 4d"
        ),
    },
    "knock-limit": {
        "knock_limit points": N_(
            "You may knock with {knock_limit} in loose cards at most; you would have {points}. Discard another "
            "card, or play on."
        ),
        "": N_("You have too many points in loose cards to knock. Discard another card, or play on."),
    },
    "cannot-knock": {
        "keys": N_("A knock needs a discard: select the card that you throw, then press c."),
        "going_out.big_gin=False": N_("A knock needs a discard here. Say which card you discard, as in: knock 4h"),
        "": N_(
            "To knock without a discard all your cards must lie in melds. Say which card you discard, as in: knock 4h"
        ),
    },
    "may-not-return": {
        "card": N_("{card} came from the pile in this turn and may not go back at once. Discard another card."),
        "": N_("A card that came from the pile in this turn may not go back at once. Discard another card."),
    },
    "must-use-taken": {
        "card": N_(
            "You took {card} from the pile, so it must go on the table in this turn. Lay it in a meld or on one first."
        ),
        "": N_(
            "The card that you took from the pile must go on the table in this turn. Lay it in a meld or on one first."
        ),
    },
    "nothing-to-use-it-for": {
        "keys card": N_(
            "If you take {card} you must lay it in the same turn, and with your cards you cannot. Press d to draw, "
            "or take other cards."
        ),
        "keys": N_(
            "If you take from the pile you must lay the deepest card in the same turn, and with your cards you "
            "cannot. Press d to draw."
        ),
        "card": N_(
            "If you take {card} you must lay it in the same turn, and with your cards you cannot. Type draw, or "
            "take other cards."
        ),
        "": N_(
            "If you take from the pile you must lay the deepest card in the same turn, and with your cards you "
            "cannot. Type draw."
        ),
    },
    "would-leave-no-discard": {
        "card": N_(
            "Then you could only discard {card}, which came from the pile in this turn and may not go back. "
            "Keep another card."
        ),
        "": N_("Then you would have no card left that you may discard. Keep another card."),
    },
    "invalid-deal": {
        "knob:players": N_(
            "This game is for {least_players} to {most_players} players, not for {seats}. Let somebody in, or "
            "choose another game."
        ),
        "card": N_("This position is impossible: {card} is not in the deck, or lies in two places. Correct the cards."),
        "cards": N_("This position is impossible: {cards} is not a meld. Correct the cards."),
        "": N_(
            "These cards are impossible: one of them would lie in two places, or is not in the deck. Begin a new hand."
        ),
    },
    "rule-conflict": {
        "": N_("These rules contradict each other. Leave one of them out."),
    },
    "unknown-rule": {
        "": N_("There is no such game or house rule here. rummy-p2p games lists them all."),
    },
    "bad-option": {
        "": N_("This option does not exist, or cannot have this value. rummy-p2p games lists them all."),
    },
}
