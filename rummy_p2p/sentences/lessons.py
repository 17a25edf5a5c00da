"""What is taught: the steps of the gin tutorial, and the tips of a guided first hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from rummy_p2p.ruleset import Ruleset
from rummy_p2p.sentences.guide import Notice
from rummy_p2p.sentences.language import N_, _, plural
from rummy_p2p.sentences.titles import title_text


class Lesson(NamedTuple):
    """One step in words. ``reasons`` says more about a refusal, by its code; ``astray``: legal, but not the task;
    ``moves``: what has to be done for it, by the words that are typed.
    """

    title: str
    story: tuple[str, ...]
    task: str
    praise: str
    astray: str
    reasons: Mapping[str, str] = {}
    moves: tuple[str, ...] = ()


_DRAW_FIRST: Final = N_("A turn always begins with a card: type draw for the stock or take for the pile.")
_STAYS: Final = N_("Gin keeps all melds in hand until somebody knocks; nothing is laid on the table before that.")
_TOO_MUCH: Final = N_("Add up what would be loose after the discard: only with 10 points or fewer may you knock.")
_USUAL: Final = {"draw-first": _DRAW_FIRST, "option-off": _STAYS, "knock-limit": _TOO_MUCH}

GIN: Final[tuple[Lesson, ...]] = (
    Lesson(
        N_("The deal"),
        (
            N_("Gin rummy is for two players and one pack of 52 cards, without jokers."),
            N_("Each of you is dealt 10 cards. The next card is turned up: it begins the pile. The rest is the stock."),
            N_("Collect melds, cards that belong together, and have as little as you can outside of them."),
        ),
        N_("You begin. Look at your cards, then take your first one: type draw (stock) or take (pile)."),
        N_("That is how every turn begins: for this moment you hold 11 cards."),
        N_("This step asks for no more than a first card."),
        {"draw-first": _DRAW_FIRST, "option-off": _STAYS},
        ("draw", "take"),
    ),
    Lesson(
        N_("Drawing"),
        (
            N_("Your card comes from the stock, where nobody sees it, or it is the top card of the pile."),
            N_("A card from the pile tells the other player what you collect. Take it when it makes a meld."),
        ),
        N_(
            "The jack on the pile does not help you: draw from the stock, and discard a card that you can best "
            "spare. Then look at what Bea discards, and take it if it makes a meld."
        ),
        N_("Taking the 7h was worth being seen: your hearts are a run now."),
        N_("Bea has seen you take a card that makes no meld, or the 7h that would have made one was left on the pile."),
        _USUAL,
        ("draw", "take", "discard"),
    ),
    Lesson(
        N_("Melds"),
        (
            N_("A set is three or four cards of one rank, such as three kings."),
            N_("A run is three or more cards of one suit in a row, such as 5h 6h 7h."),
            N_("The ace is low (A 2 3) or high (Q K A), but a run does not go round the corner: K A 2 is none."),
        ),
        N_("You have drawn. Two melds are in your hand: discard a card that is in neither of them."),
        N_("Right: the run and the set are untouched. Ace, two and king of clubs are three loose cards."),
        N_("That card was part of a meld, and the meld is broken now."),
        _USUAL,
        ("discard",),
    ),
    Lesson(
        N_("Loose cards"),
        (
            N_("What is in no meld is loose (deadwood). A king, queen or jack counts 10, an ace 1, others as printed."),
            N_("The fewer loose points you have when the hand ends, the better."),
        ),
        N_("You have drawn. Discard the card after which the fewest loose points are left."),
        N_("Right: the king was the dearest loose card, 18 points are left instead of 28."),
        N_("More loose points than necessary are left in your hand."),
        _USUAL,
        ("discard",),
    ),
    Lesson(
        N_("Knocking"),
        (
            N_("With 10 loose points or fewer after the discard you may knock: it ends the hand."),
            N_("You discard as always, all your cards are turned over, melds and loose cards apart."),
            N_("Before the points are counted the other player may add cards to your melds (the next step)."),
        ),
        N_("You have drawn. Knock with the discard that leaves 10 loose points: type knock and the card."),
        N_("You knocked with 10, Bea had more: the difference is yours."),
        N_("That was a discard without a knock: the hand goes on, and Bea may be faster."),
        _USUAL,
        ("knock",),
    ),
    Lesson(
        N_("Laying off"),
        (
            N_("When somebody has knocked, the other player may lay off: add loose cards to the knocker's melds."),
            N_("A run takes the next card at either end, a set of three takes the fourth card of its rank."),
            N_("What is laid off is loose no more. The knocker lays off nothing."),
        ),
        N_("Bea has knocked. Three of your loose cards fit her melds: lay them off (add 8h 1), then type done."),
        N_("All three are gone from your loose cards: you pay 22 points less."),
        N_("A card that would have fitted was still loose when you were done, and it is counted."),
        {
            "does-not-fit": N_("Look at the ends of the run and at the rank of the set: type table to see them."),
            "option-off": N_("After the knock nothing is left to do but to lay off cards and to say done."),
        },
        ("add", "done"),
    ),
    Lesson(
        N_("Gin"),
        (
            N_("When no card at all is loose you have gin: it brings 25 points and all that the other has loose."),
            N_("Against gin nothing can be laid off. It is the best that a hand can come to."),
        ),
        N_("You have drawn. Knock so that no loose card is left."),
        N_("Gin! Bea's 8h would fit your run, but against gin she cannot lay it off."),
        N_("You had gin in your hand, and something else came of it."),
        _USUAL,
        ("knock",),
    ),
    Lesson(
        N_("The points"),
        (
            N_("After a knock the loose points are compared, the other player's after laying off."),
            N_("If the knocker has fewer, the knocker gets the difference."),
            N_("If the other has no more than the knocker, it is an undercut: the other gets the difference and 25."),
            N_("After gin the knocker gets 25 and everything that the other has loose."),
        ),
        N_("Bea has knocked with 9. Lay off what you can, type done, and see whether you undercut her."),
        N_("An undercut: 9 less 5 is 4, and 25 on top, for the player who did not knock."),
        N_("With both cards laid off you would have had 5 against 9: an undercut."),
        {"does-not-fit": N_("A heart and a king fit. Type table to see the melds.")},
        ("add", "done"),
    ),
    Lesson(
        N_("The end of the game"),
        (
            N_("Hand follows hand until somebody has 100 points: that player has won the game."),
            N_("Then bonuses are added: 100 for the game, and 25 for each hand that a player has won."),
            N_("Draw from the stock where you can, so that nobody knows what you collect."),
            N_("Knock early when it is safe: waiting for gin often gives the other the time to get there first."),
            N_("Remember what the other takes and throws: it tells what you should keep."),
        ),
        N_("You have 82 points and have drawn. End the game with a knock."),
        N_("The game is yours: you reached 100 first, and the bonuses came on top."),
        N_("That was no knock. With 82 points on the sheet this hand would have ended the game."),
        _USUAL,
        ("knock",),
    ),
)


def gin_lesson(number: int) -> Lesson:
    """Return step 1 to 9 of the gin tutorial in the language of the moment."""
    raw = GIN[number - 1]
    reasons = {code: _(text) for code, text in raw.reasons.items()}
    story = tuple(map(_, raw.story))
    return Lesson(_(raw.title), story, _(raw.task), _(raw.praise), _(raw.astray), reasons, raw.moves)


# How a move is made on the full screen: ``key`` is its key with what stands on it; behind it the mouse and the word.
_HOW: Final[Mapping[str, str]] = {
    "draw": N_("{key}, or click the stock, or type: draw"),
    "take": N_("{key}, or click the pile, or type: take"),
    "discard": N_(
        "Select a card (arrows and Space, or a click), then {key}; or drag it to the pile, or type: discard 9s"
    ),
    "knock": N_("Select the card that you throw (arrows and Space, or a click), then {key}; or type: knock 9s"),
    "add": N_("Select a card, then {key} and the meld's number; or drag it onto the meld, or type: add 8h 1"),
    "done": N_("{key}, or type: done"),
}


def how_text(move: str, key: str) -> str:
    """Return how a move is made by key, by mouse and by word."""
    return _(_HOW[move]).format(key=key)


# --- around the steps ------------------------------------------------------------------------------------------------

_DIFFICULTY: Final[Mapping[str, str]] = {
    "easy": N_("easy to learn"),
    "medium": N_("medium to learn"),
    "hard": N_("hard to learn"),
}
_SAID: Final[Mapping[str, str]] = {
    "next": N_("go on to the next step"),
    "back": N_("go back to the step before"),
    "step": N_("go to a step: step 5"),
    "again": N_("begin this step again"),
    "task": N_("say again what this step asks for"),
    "all": N_("show all steps on one page"),
    "leave": N_("end the lesson"),
    "tips": N_("show every tip for this game"),
    "reached": N_("Type next to go on, or again to repeat this step."),
    "missed": N_("Type again to try once more, or next to go on."),
    "last": N_("That was the last step: you can play gin now. Type again to repeat it, or leave."),
    "over": N_("This step is over. Type next, again or leave."),
    "no-step": N_("The steps are 1 to {last}. Type step and a number, as in: step 5"),
    "no-steps": N_("{title} has no numbered steps: it is learnt in a guided hand. Leave --step out."),
    "guide": N_("This is a first hand of {title} against bots. Tips come when they matter; none of them is a rule."),
    "tip": N_("Tip: {text}"),
    "task-line": N_("Your task: {text}"),
    "all-tips": N_("Tips"),
}


def lesson_text(code: str, **facts: str | int) -> str:
    """Return what the teacher says about the lesson itself."""
    return _(_SAID[code]).format_map(facts)


def game_header(rules: Ruleset) -> str:
    """Return what is known before one begins: the title, players, minutes, difficulty."""
    meta, players = rules.meta, rules.players
    if players.min == players.max:
        count = plural("{n} player", "{n} players", players.min)
    else:
        count = _("{least}-{most} players").format(least=players.min, most=players.max)
    text = _("{title}: {players}, {least}-{most} minutes, {difficulty}")
    return text.format(
        title=title_text(rules),
        players=count,
        least=meta.minutes[0],
        most=meta.minutes[1],
        difficulty=_(_DIFFICULTY[meta.difficulty]),
    )


def step_heading(number: int, last: int, title: str) -> str:
    """Return ``Step 2 of 9: Drawing``."""
    return _("Step {number} of {last}: {title}").format(number=number, last=last, title=title)


# --- tips of a guided hand -------------------------------------------------------------------------------------------


class TipNotice(Notice, frozen=True):
    """A tip, as a line of its own; ``tip`` is what it says without the word that it is one, ``code`` which it is."""

    tip: str = ""
    code: str = ""


_TIPS: Final[Mapping[str, str]] = {
    "sort": N_("Order your cards as you like (sort melds, sort suit, sort rank), also while others play."),
    "opening": N_(
        "Your first lay-down must be worth {minimum} in one go. {meld} is worth {worth}: keep it and collect more."
    ),
    "opening-ready": N_("You can lay down for the first time ({minimum} are needed, you have {worth}): meld {melds}"),
    "contract": N_(
        "This round is about {contract}: lay all of it in one go. More than three or four cards in a meld are welcome."
    ),
    "contract-ready": N_(
        "You have what this round asks for. Lay it soon: waiting for a bigger finish may cost you dearly when another "
        "goes out first."
    ),
    "split-run": N_("A run of eight or more cards can be laid as two runs of four."),
    "last-round": N_(
        "In this round everything is laid at once, without a discard: the last card that you draw must find its place."
    ),
    "swap": N_(
        "Meld {number} on the table has a joker in the place of {card}, and you hold {card}: swap {card} {number} "
        "brings the joker into your hand."
    ),
    "joker-cost": N_("A joker that is left in your hand at the end counts {worth}. Lay it while you can."),
    "one-joker": N_("A meld takes one joker at most here: two jokers in your hand belong in two melds."),
    "two-naturals": N_("You may use many jokers, but every meld needs two real cards that say what it is."),
    "ace-cost": N_("An ace that is left in hand counts {worth} at the end. Find a place for it, or throw it early."),
    "corner": N_("King, ace and two are not a run: nothing goes round the corner."),
    "no-twins": N_("A set has at most one card of each suit: the second {card} does not belong in it."),
    "take-all": N_(
        "Whoever lays everything in one turn makes the others' points count {factor} times: holding melds back may "
        "pay, and may cost you as much when somebody else goes out."
    ),
    "take-many": N_(
        "You may take {count} cards of the pile here: the deepest of them, {card}, must be laid in this turn."
    ),
    "no-return": N_("What you take from the pile may not be discarded in the same turn."),
    "melds-score": N_("Melds on the table earn their points for you, cards in hand cost them: lay early, lay much."),
    "lay-off": N_("{card} fits meld {number} on the table: add {card} {number}. It need not be your own meld."),
    "last-discard": N_("Your last card must be a discard: keep one for the pile when you lay the others."),
    "may-lay-last": N_("You need not keep a card to discard: whoever lays the last card is out as well."),
    "guard": N_("Do not discard {card}: it fits on the table, and whoever calls {call} first gets it. Lay it off."),
    "claim": N_("{card} fits on the table and may be claimed out of turn: type {word} before the next player draws."),
    "knock-claim": N_(
        "A claimed discard brings {cards} more and the turn: call {call} only for a card that you need now."
    ),
    "buy": N_(
        "Buying {card} costs {cards} more. For a meld that is complete already it only makes your hand dearer; "
        "for the card that you lack while others are nearly out it is worth it."
    ),
    "few-left": N_("{name} has {left} left: lay what you can and throw what is dear."),
    "hide": N_("A card from the pile tells the others what you collect; a card from the stock does not."),
    "watch": N_("Remember what the others take: do not throw what goes with it."),
    "knock-early": N_("You may knock with {worth} loose now. Waiting for gin gives the other time."),
    "clock": N_("This game has a clock: whoever runs out of time has lost."),
}


# How a tip that names something to type is followed by keys on the full screen.
_TIP_KEYS: Final[Mapping[str, str]] = {
    "sort": N_("Keys: s sorts in the next way, < and > carry a card."),
    "opening-ready": N_("Keys: m lays what is marked in blue, or the cards that you select with Space."),
    "contract-ready": N_("Keys: m lays what is marked in blue, or the cards that you select with Space."),
    "swap": N_("Keys: go to the card with the arrows, then a and the number of the meld."),
    "lay-off": N_("Keys: go to the card with the arrows, then a and the number of the meld."),
    "guard": N_("Keys: go to the card with the arrows, then a and the number of the meld."),
    "take-many": N_("Keys: t opens the pile."),
    "claim": N_("Keys: c calls for it."),
    "knock-claim": N_("Keys: c calls for it."),
    "buy": N_("Keys: c calls for it."),
    "knock-early": N_("Keys: go to the card that you throw, then c."),
}


def tip_keys(code: str) -> str:
    """Return with which keys a tip is followed; empty where there is nothing to press."""
    return _(_TIP_KEYS[code]) if code in _TIP_KEYS else ""


def tip_text(code: str, **facts: str | int) -> str:
    """Return a tip, without the word that says that it is one."""
    return _(_TIPS[code]).format_map(facts)
