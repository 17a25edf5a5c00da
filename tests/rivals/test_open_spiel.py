"""Gin beside OpenSpiel's, decision for decision: the same legal moves, deadwood, lay-offs and scores.

House rules turn our gin into theirs: the ace is low, the first upcard is offered, a card taken may go back, a tie pays
nothing, the last discard may be taken for a knock. What is one knock here are a knock, a discard, one action for each
meld and a pass there, so whole decisions are compared. Their melds are sets and runs of up to five cards; a longer run
is two of them.

Five differences stay, since no knob is for them. The test meets them by name and asserts both sides:

* ``repeated``: there a hand ends when both players in turn take the same card and put it back; ours goes on.
* ``cap``: with both, 50 draws from the pile make the hand void. There the fiftieth ends it at once and the first
  upcard, taken from the offer, is not counted; here it is, and the turn of the fiftieth is played out.
* ``wall``: where two cards of the stock are left, they allow the last discard to be taken only by who can knock. Here
  anybody may take it; who does not knock then has declined.
* ``third``: there a run is lengthened by two lay-offs at either end and no more; with us as long as a card fits.
* ``eleven``: there the deadwood of eleven cards is what their best melds leave, without the highest card. Other melds
  may leave less once a card is discarded; ours looks at that, so it may allow a knock that they do not.

Besides, a card that fits a run and a set of the knocker serves both there; here it lies in one place. The test puts it
on the run, where more can follow. And the defender may forget its own melds there; ours counts them for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, Final

import pytest

from rummy_p2p.arrange import discards, least_deadwood, least_deadwood_value
from rummy_p2p.cards import Card, pack
from rummy_p2p.engine import Action, HandState, IllegalAction, Phase, View, check, legal_actions, start_match
from rummy_p2p.melds import Piece
from rummy_p2p.offline.game import Game
from rummy_p2p.rules.actions import Add, Discard, Done, Draw, Knock, Pass, Take
from rummy_p2p.rules.scoring import cards_left, hand_points
from rummy_p2p.variants.manager import installed, make_catalogue

pyspiel: Any = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install -e '.[rivals]'")

HOUSE: Final = ("ace=low", "first-upcard-offer", "may-return", "undercut-on-tie=no", "fiftieth-card-action")
RULES: Final = make_catalogue(installed()).compile("gin", HOUSE)
TAKE, DRAW, PASS, KNOCK, MELD = 52, 53, 54, 55, 56
DRAWS: Final[dict[Action, int]] = {Take(): TAKE, Draw(): DRAW, Pass(): PASS}
SUITS: Final = (0, 3, 2, 1)  # theirs are s c d h, ours s h d c
CAP: Final = 50
DIFFERENCES: Final = ("repeated", "cap", "wall", "third", "eleven")
GAME: Final = pyspiel.load_game("gin_rummy")
UTILS: Final = pyspiel.gin_rummy.GinRummyUtils(13, 4, 10)
Declared = tuple[tuple[Piece, ...], ...]


def number(card: Card) -> int:
    """Return their number of a card."""
    return SUITS[card.suit] * 13 + card.rank - 1


def card_of(number: int) -> Card:
    return Card.of(SUITS[number // 13] * 13 + number % 13)


def meld_action(cards: list[Card]) -> int:
    action: int = MELD + UTILS.meld_to_int(sorted(map(number, cards)))
    return action


def in_their_sizes(cards: list[Card]) -> Iterator[list[Card]]:
    """Split a run into runs of three to five cards."""
    while len(cards) > 5:
        yield cards[:3]
        cards = cards[3:]
    yield cards


def without_highest(hand: tuple[Card, ...]) -> int:
    """Return what the melds that they find best leave of eleven cards, the highest not counted."""
    melded = {card_of(each) for meld in UTILS.best_meld_group([number(card) for card in hand]) for each in meld}
    left = sorted((card for card in hand if card not in melded), key=lambda card: card.rank)
    return hand_points(left[:-1], RULES)


def is_legal(view: View, action: Action) -> bool:
    try:
        check(view, action)
    except IllegalAction:
        return False
    return True


class Duel:
    """The same deal in both programs. ``care`` is how often a player does what is best for its deadwood."""

    def __init__(self, seed: int) -> None:
        self.dice = Random(seed)
        order = self.dice.sample(pack(1, 0), 52)
        self.care = self.dice.choice((0.0, 0.5, 0.9))
        self.greed = self.dice.choice((0.2, 0.5, 0.98))  # how often the upcard is taken without care
        self.ours = Game(RULES, start_match(RULES, 2, dealer=1), lambda _: order)
        self.ours.next_hand()
        self.theirs = GAME.new_initial_state()
        self.stock = iter(order)
        self.returned = 0  # cards put back in a row by who had just taken them
        self.from_offer = False
        self.added: list[Card] = []
        self.met: Counter[str] = Counter()
        self.deal()

    @property
    def hand(self) -> HandState:
        assert self.ours.hand is not None
        return self.ours.hand

    @property
    def view(self) -> View:
        return self.ours.view(self.hand.turn)

    def deal(self) -> None:
        while self.theirs.is_chance_node():
            self.theirs.apply_action(number(next(self.stock)))

    def both(self, action: Action, *theirs: int) -> None:
        """Carry out one decision in both programs."""
        self.ours.act(self.hand.turn, action)
        for each in theirs:
            self.they(each)

    def they(self, action: int) -> None:
        assert action in self.theirs.legal_actions()
        self.theirs.apply_action(action)
        self.deal()

    # --- playing

    def play(self) -> None:
        while not (self.hand.over or self.theirs.is_terminal()):
            assert self.hand.turn == self.theirs.current_player()
            step = {Phase.PLAY: self.end_turn, Phase.LAY_OFF: self.lay_off}.get(self.hand.phase, self.begin_turn)
            step()
        self.compare_end()

    def begin_turn(self) -> None:
        legal = legal_actions(self.view)
        if self.theirs.current_phase() == pyspiel.gin_rummy.Phase.WALL:
            assert set(legal) == {Take(), Pass()}
            self.at_the_wall()
            return
        assert {DRAWS[action] for action in legal} == set(self.theirs.legal_actions())
        take = Take() in legal and self.wants_upcard()
        action = Take() if take else self.dice.choice([one for one in legal if not isinstance(one, Take)])
        self.from_offer = self.from_offer or (take and self.hand.phase is Phase.OFFER)
        self.both(action, DRAWS[action])

    def wants_upcard(self) -> bool:
        hand, top = self.view.hand, self.hand.top()
        if top is None or self.dice.random() >= self.care:
            return self.dice.random() < self.greed
        return min(discards((*hand, top), RULES).values()) < least_deadwood_value(hand, RULES)

    def at_the_wall(self) -> None:
        """The last discard: taken for a knock, or declined."""
        self.met["wall"] += 1
        may_knock = KNOCK in self.theirs.legal_actions()
        if self.dice.random() < 0.3:
            self.both(Pass(), PASS)
            return
        self.ours.act(self.hand.turn, Take())
        knocks = [action for action in legal_actions(self.view) if isinstance(action, Knock)]
        assert bool(knocks) == may_knock
        if knocks:
            self.they(KNOCK)
            self.knock(knocks)
        else:
            self.both(Discard(self.view.hand[0]), PASS)

    def end_turn(self) -> None:
        view = self.view
        legal = legal_actions(view)
        knocks = [action for action in legal if isinstance(action, Knock)]
        after = discards(view.hand, RULES)
        wanted = {number(action.card) for action in legal if isinstance(action, Discard)}
        assert wanted == set(self.theirs.legal_actions()) - {KNOCK}
        knocks = self.compare_knocks(knocks, min(after.values()))
        if knocks and self.dice.random() < 0.4:
            self.they(KNOCK)
            self.knock(knocks)
            return
        self.discard(self.to_discard(view.hand, after))

    def to_discard(self, hand: tuple[Card, ...], after: Mapping[Card, int]) -> Card:
        """Return any card or, with care, the worst; the one just taken goes back but rarely."""
        kept = [card for card in hand if card != self.taken or self.dice.random() < 0.1]
        if self.dice.random() < self.care:
            return min(kept, key=lambda card: (after[card], -card.rank))
        return self.dice.choice(kept)

    @property
    def taken(self) -> Card | None:
        return self.hand.faces[self.hand.taken[0]] if self.hand.taken else None

    def discard(self, card: Card) -> None:
        back = card == self.taken
        self.returned = self.returned + 1 if back else 0
        self.both(Discard(card), number(card))

    # --- knocking

    def compare_knocks(self, knocks: list[Knock], deadwood: int) -> list[Knock]:
        """Return the knocks that both programs allow."""
        limit = RULES.going_out.knock_limit
        assert bool(knocks) == (deadwood <= limit)
        theirs = self.theirs.deadwood()[self.hand.turn]
        if deadwood != theirs:
            self.met["eleven"] += 1
            assert deadwood < theirs == without_highest(self.view.hand)
        assert (KNOCK in self.theirs.legal_actions()) == (theirs <= limit)
        if theirs > limit:
            return []
        asked = self.theirs.clone()
        asked.apply_action(KNOCK)
        assert {number(action.card) for action in knocks if action.card is not None} == set(asked.legal_actions())
        return knocks

    def knock(self, knocks: list[Knock]) -> None:
        card = self.dice.choice([action.card for action in knocks if action.card is not None])
        seat = self.hand.turn
        self.they(number(card))
        melds = self.our_best(card) if self.dice.random() < 0.5 else self.their_walk(card)
        self.both(Knock(card, melds), PASS)
        assert hand_points(cards_left(self.hand, seat), RULES) == self.theirs.deadwood()[seat]
        self.met["gin" if self.hand.ending == "gin" else "knock"] += 1
        if self.hand.phase is not Phase.LAY_OFF:
            self.their_defence()

    def our_best(self, card: Card) -> Declared:
        """Lay our best arrangement in theirs."""
        best = least_deadwood([held for held in self.view.hand if held != card], RULES)
        for meld in best.melds:
            for part in in_their_sizes(list(meld.cards)):
                self.they(meld_action(part))
        return tuple(meld.pieces() for meld in best.melds)

    def their_walk(self, card: Card) -> Declared:
        """Lay any of the melds that they offer until the dice say enough; it is enough for both or for neither."""
        melds: Declared = ()
        while True:
            legal = self.theirs.legal_actions()
            assert is_legal(self.view, Knock(card, melds)) == (PASS in legal)
            action = self.dice.choice(legal)
            if action == PASS:
                return melds
            melds = (*melds, tuple(Piece(card_of(each)) for each in UTILS.int_to_meld[action - MELD]))
            self.they(action)

    def lay_off(self) -> None:
        legal = legal_actions(self.view)
        adds = [action for action in legal if isinstance(action, Add)]
        beyond = [add for add in adds if number(add.piece.card) not in self.theirs.legal_actions()]
        assert all(self.is_third(add.piece.card) for add in beyond)
        self.met["third"] += bool(beyond)
        adds = [add for add in adds if add not in beyond]
        assert {number(add.piece.card) for add in adds} | {PASS} == set(self.theirs.legal_actions())
        if not adds or self.dice.random() < 0.3:
            self.both(Done(), PASS)
            self.their_defence()
            return
        self.met["lay-off"] += 1
        card = self.dice.choice(adds).piece.card
        places = [add for add in adds if add.piece.card == card]
        on_run = [add for add in places if self.hand.table[add.number - 1].meld.kind == "run"]
        self.both(self.dice.choice(on_run or places), number(card))
        self.added.append(card)

    def is_third(self, card: Card) -> bool:
        """Whether it follows two cards that have been laid off at one end of a run."""
        same = {added.rank for added in self.added if added.suit == card.suit}
        return any({card.rank + step, card.rank + 2 * step} <= same for step in (1, -1))

    def their_defence(self) -> None:
        """Lay the defender's best melds in theirs; ours has counted them."""
        seat = self.theirs.current_player()
        hand = [number(card) for card in cards_left(self.hand, seat)]
        for meld in UTILS.best_meld_group(hand):
            self.they(MELD + UTILS.meld_to_int(meld))
        self.they(PASS)
        left = least_deadwood(cards_left(self.hand, seat), RULES).left
        assert hand_points(left, RULES) == self.theirs.deadwood()[seat]

    # --- the end

    def compare_end(self) -> None:
        if self.hand.over and self.theirs.is_terminal():
            us, them = self.hand.points or (0, 0)
            assert [us - them, them - us] == self.theirs.returns()
            self.met[self.hand.ending] += self.hand.ending == "void"
            self.met["undercut"] += self.hand.winner not in (None, self.hand.knocker)
            self.met["tie"] += self.hand.knocker is not None and us == them
            return
        self.met[self.difference()] += 1

    def difference(self) -> str:
        """Return the name of the difference in rules that has ended the hand in one of the programs."""
        if self.hand.over:
            assert (self.hand.ending, self.hand.upcard_draws, self.from_offer) == ("void", CAP, True)
            return "cap"
        assert self.theirs.returns() == [0, 0]
        if self.returned == 2:
            return "repeated"
        assert (self.hand.phase, self.hand.upcard_draws, self.from_offer) == (Phase.PLAY, CAP, False)
        self.ours.act(self.hand.turn, Discard(self.view.hand[0]))
        assert self.hand.ending == "void"
        return "cap"


def compare(seeds: range) -> Counter[str]:
    """Play a hand for each seed and return what was met."""
    met: Counter[str] = Counter()
    for seed in seeds:
        duel = Duel(seed)
        try:
            duel.play()
        except Exception as error:
            error.add_note(f"seed {seed}: {' · '.join(str(action) for _, action in duel.ours.actions)}")
            raise
        met += duel.met
    return met


def test_fifty_hands_are_played_alike() -> None:
    met = compare(range(50))
    assert {"knock", "gin", "lay-off", "void"} <= set(met), met


@pytest.mark.nightly
def test_five_thousand_hands_are_played_alike() -> None:
    met = compare(range(50, 5_050))
    assert {"knock", "gin", "lay-off", "undercut", "tie", "void", *DIFFERENCES} <= set(met), met
    print(dict(met))
