"""The laws of every game, tried on random hands, so that whoever makes a house rule sees what it leaves of a game.

The laws
    cards      Every card of the deck lies in exactly one place, and every meld on the table is one.
    legal      The list of legal actions is what is accepted: nothing less, nothing more, whichever twin is used.
    notation   Every action is written so that it is read back.
    ends       Somebody can always do something, and the hand comes to its end.
    scores     A seat's points are the sum of their reasons, the totals that of the points and the bonuses of a match.
    replay     The same moves come to the same states: no rule asks anything but what it is told.
    functions  No function of a plugin fails.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

import msgspec

from rummy_p2p.bots import simple
from rummy_p2p.cards import Card, cards_text, pack
from rummy_p2p.engine import (
    Action,
    HandState,
    IllegalAction,
    KnobFailed,
    MatchState,
    View,
    check,
    claimants,
    legal_actions,
    parse_action,
    start_match,
)
from rummy_p2p.offline.game import Game, verify_position
from rummy_p2p.offline.universe import outcome, universe
from rummy_p2p.ruleset import Ruleset

MOST_ACTIONS: Final = 4000
SKILLS: Final = (0.0, 0.6, 0.9)
LOOKS: Final = 6
LOOK_WITHIN: Final = 60


class LawBroken(Exception):
    """A law does not hold: which, what is wrong, and the moves that led there."""

    def __init__(self, law: str, sentence: str, record: tuple[str, ...] = ()) -> None:
        """Keep the three."""
        super().__init__(f"{law}: {sentence}")
        self.law = law
        self.sentence = sentence
        self.record = record


class Tried(msgspec.Struct, frozen=True):
    """What a hand came to: how many actions, how it ended."""

    actions: int
    ending: str


def try_hand(rules: Ruleset, seats: int, seed: int) -> Tried:
    """Play one random legal hand and hold it against every law; raises LawBroken."""
    trial = _Trial(rules, seats, seed)
    try:
        return trial.play()
    except KnobFailed as failure:
        raise LawBroken("functions", str(failure), trial.record) from failure
    except LawBroken as broken:
        broken.record = trial.record
        raise


class _Trial:
    """One hand: dealt by ``seed``, played by its dice."""

    def __init__(self, rules: Ruleset, seats: int, seed: int) -> None:
        self.rules = rules
        self.seats = seats
        self.seed = seed
        self.dice = Random(seed)
        self.game = _deal(rules, seats, seed)
        self.before = self.game.match
        self.digests: list[str] = []

    @property
    def record(self) -> tuple[str, ...]:
        """The moves so far."""
        return tuple(f"{seat} {action}" for seat, action in self.game.actions)

    def play(self) -> Tried:
        """Play to the end, looking closely at some moments."""
        skill = self.dice.choice(SKILLS)
        looks = set(self.dice.sample(range(LOOK_WITHIN), LOOKS))
        self._note()
        while not (hand := _hand(self.game)).over:
            if len(self.digests) > MOST_ACTIONS:
                raise LawBroken("ends", f"after {MOST_ACTIONS} actions the hand has not come to its end")
            if len(self.digests) in looks:
                self._look_closely()
            seat, action = choose(self.game, self.dice, skill)
            self._act(seat, action)
            self._note()
        check_scores(self.before, self.game.match, hand)
        self._check_replay()
        return Tried(len(self.game.actions), hand.ending)

    def _act(self, seat: int, action: Action) -> None:
        try:
            self.game.act(seat, action)
        except IllegalAction as refused:
            raise LawBroken("legal", f"{action} of seat {seat} is listed and refused: {refused.code}") from refused

    def _note(self) -> None:
        check_cards(self.rules, _hand(self.game), self.game.snapshot()[2])
        self.digests.append(_hand(self.game).digest())

    def _look_closely(self) -> None:
        check_position(self.rules, _hand(self.game), self.game.snapshot()[2])
        for seat in range(self.seats):
            check_legal(self.game.view(seat), self.dice)

    def _check_replay(self) -> None:
        again = _deal(self.rules, self.seats, self.seed)
        digests = [_hand(again).digest()]
        for seat, action in self.game.actions:
            again.act(seat, action)
            digests.append(_hand(again).digest())
        for number, (one, other) in enumerate(zip(self.digests, digests, strict=True)):
            if one != other:
                raise LawBroken("replay", f"move {number} comes to something else when it is played again")


def _deal(rules: Ruleset, seats: int, seed: int) -> Game:
    dice = Random(seed)
    match = start_match(rules, seats, dice.randrange(seats))
    game = Game(rules, match, lambda cards: dice.sample(list(cards), len(cards)))
    game.next_hand()
    return game


def _hand(game: Game) -> HandState:
    return game.view(0).state


def choose(game: Game, dice: Random, skill: float) -> tuple[int, Action]:
    """Return a seat that can do something now, and what it does: what a bot would, as often as ``skill`` says.

    Raises LawBroken when nobody can do anything.
    """
    hand = _hand(game)
    turn = hand.turn
    callers = [seat for seat in claimants(hand) if seat != turn and dice.random() < 0.5]
    for seat in (*callers, turn):
        view = game.view(seat)
        if dice.random() < skill and (wish := simple.decide(view, 0)) is not None:
            return seat, wish
        if actions := legal_actions(view):
            return seat, dice.choice(actions)
    raise LawBroken("ends", f"seat {turn} is on turn and can do nothing")


# --- the laws --------------------------------------------------------------------------------------------------------


def check_cards(rules: Ruleset, hand: HandState, order: tuple[Card, ...]) -> None:
    """Raise LawBroken unless every card lies in exactly one place."""
    slots = [*hand.stock, *hand.pile, *(slot for cards in hand.hands for slot in cards)]
    there = sorted([*(order[slot] for slot in slots), *(card for laid in hand.table for card in laid.meld.cards)])
    if len(set(slots)) < len(slots) or there != sorted(pack(rules.deck.packs, rules.deck.jokers)):
        raise LawBroken("cards", f"of {rules.size} cards {len(there)} are there, or one lies in two places")


def check_position(rules: Ruleset, hand: HandState, order: tuple[Card, ...]) -> None:
    """Raise LawBroken unless the position is one that a game can be restored from, with melds that are melds."""
    try:
        verify_position(rules, hand, order)
    except IllegalAction as wrong:
        raise LawBroken("cards", "the position contradicts itself, or a meld on the table is none") from wrong


def check_legal(view: View, dice: Random) -> None:
    """Raise LawBroken unless the list of legal actions is what is accepted, each written so that it is read back."""
    listed = legal_actions(view)
    for action in listed:
        if not _accepts(view, action):
            raise LawBroken("legal", f"{action} is listed and refused; seat {view.seat} holds {cards_text(view.hand)}")
        if parse_action(str(action)) != action:
            raise LawBroken("notation", f"{action} is read back as {parse_action(str(action))}")
    comes_to = [outcome(view, action) for action in listed]
    for action in universe(view, dice):
        if _accepts(view, action) and outcome(view, action) not in comes_to:
            raise LawBroken("legal", f"{action} is accepted and not listed; {view.seat} holds {cards_text(view.hand)}")


def _accepts(view: View, action: Action) -> bool:
    try:
        check(view, action)
    except IllegalAction:
        return False
    return True


def check_scores(before: MatchState, after: MatchState, hand: HandState) -> None:
    """Raise LawBroken unless points are the sum of their reasons, and totals that of points and bonuses."""
    sums = tuple(sum(line.points for line in lines) for lines in hand.sheet)
    if hand.points != sums:
        raise LawBroken("scores", f"the points are {hand.points}, their reasons add up to {sums}")
    totals = tuple(old + new for old, new in zip(before.scores, hand.points, strict=True))
    expected = tuple(total + bonus for total, bonus in zip(totals, _bonuses(after, hand.rules), strict=True))
    if after.scores != expected:
        raise LawBroken("scores", f"the totals are {after.scores}, points and bonuses add up to {expected}")


def _bonuses(match: MatchState, rules: Ruleset) -> Iterator[int]:
    """Yield what each seat gets when a match is over: for the match, and for every hand it has won."""
    for seat, boxes in enumerate(match.boxes):
        won = rules.scoring.game_bonus if seat in match.winners else 0
        yield boxes * rules.scoring.box_bonus + won if match.over else 0
