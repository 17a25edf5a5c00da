"""A match as peers play it: every seat knows what it was shown, the record is text, a deck lies hidden beneath."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final, NamedTuple

from rummy_p2p.bots import simple
from rummy_p2p.cards import Card, pack
from rummy_p2p.engine import (
    Action,
    HandState,
    MatchState,
    Phase,
    Step,
    View,
    apply,
    legal_actions,
    open_hand,
    parse_action,
    reveal,
    settle,
    start_match,
    time_out,
    to_show,
    unshown,
    view_for,
)
from rummy_p2p.engine.events import Event, Reshuffled
from tests.laws.tables import Table

MOST_ACTIONS: Final = 4000
MANY_CARDS: Final = 14
TIME_OUT: Final = "time-out"


class Line(NamedTuple):
    """One line of the record: who did what, and the faces that were opened with it."""

    seat: int
    text: str
    shown: dict[int, Card]

    def __str__(self) -> str:
        faces = " ".join(f"{slot}={card}" for slot, card in self.shown.items())
        return f"{self.seat} {self.text} [{faces}]"


class Deck:
    """The cards by slot, hidden from all; reshuffled slots come at the end, group by group."""

    def __init__(self, groups: list[list[Card]]) -> None:
        self.groups = groups
        self._used = 1

    def __getitem__(self, slot: int) -> Card:
        return self.cards[slot]

    @property
    def cards(self) -> list[Card]:
        return [card for group in self.groups[: self._used] for card in group]

    def reshuffle(self, event: Reshuffled, dice: Random) -> None:
        assert list(event.slots) == list(range(len(self.cards), len(self.cards) + len(event.cards)))
        if self._used == len(self.groups):
            self.groups.append(dice.sample(list(event.cards), len(event.cards)))
        assert sorted(self.groups[self._used]) == sorted(event.cards)
        self._used += 1


class Run:
    """A match in progress. ``known`` is what each seat was shown in private; ``open_slots`` what everybody was."""

    def __init__(self, table: Table, seed: int) -> None:
        self.table = table
        self.rules = table.rules
        self.dice = Random(seed)
        self.match: MatchState = start_match(self.rules, table.seats, self.dice.randrange(table.seats))
        self.hand: HandState
        self.points: list[tuple[int, ...]] = []

    def deal(self, deck: Deck | None = None) -> None:
        """Deal the next hand, from a deck that is given or from a shuffled one."""
        cards = list(pack(self.rules.deck.packs, self.rules.deck.jokers))
        self.deck = deck or Deck([self.dice.sample(cards, len(cards))])
        self.known: list[dict[int, Card]] = [{} for _ in range(self.table.seats)]
        self.open_slots: set[int] = set()
        self.record: list[Line] = []
        self.events: list[Event] = []
        self.digests: list[str] = []
        self.opening = self.match
        step = open_hand(self.rules, self.match)
        self._take_over(step)
        upcards = {want.slot: self.deck[want.slot] for want in step.wants if want.seat is None}
        self.open_slots |= upcards.keys()
        self._take_over(reveal(self.hand, upcards))

    def __str__(self) -> str:
        return "\n".join((f"{self.table}, dealer {self.opening.dealer}", *map(str, self.record)))

    def view(self, seat: int) -> View:
        """Return what a seat sees, by what it was shown."""
        return view_for(self.hand, seat, self.known[seat])

    def act(self, seat: int, action: Action) -> None:
        """Carry out an action as a peer does that is told of it: with the faces that are opened."""
        shown = {slot: self.deck[slot] for slot in to_show(self.view(seat), action)}
        self.record.append(Line(seat, str(action), shown))
        self.open_slots |= shown.keys()
        self._take_over(apply(self.hand, seat, action, shown))

    def time_out(self) -> None:
        self.record.append(Line(self.hand.turn, TIME_OUT, {}))
        self._take_over(time_out(self.hand))

    def _take_over(self, step: Step) -> None:
        self.hand = step.state
        self.events += step.events
        for event in step.events:
            if isinstance(event, Reshuffled):
                self.deck.reshuffle(event, self.dice)
        for want in step.wants:
            if want.seat is not None:
                self.known[want.seat][want.slot] = self.deck[want.slot]
        self.digests.append(step.state.digest())

    def choose(self, skill: float) -> tuple[int, Action]:
        """Return a seat that can do something now, and what it does: what a bot would, as often as ``skill`` says."""
        hand = self.hand
        if hand.phase is Phase.COUNT:
            asked = list(unshown(hand))
        else:
            asked = [*(seat for seat in range(hand.seats) if self._may_call(seat)), hand.turn]
        for seat in asked:
            view = self.view(seat)
            if self.dice.random() < skill and (wish := simple.decide(view, 0)) is not None:
                return seat, wish
            if actions := legal_actions(view):
                return seat, self.dice.choice(actions)
        raise AssertionError(f"somebody can always do something: {hand}")

    def _may_call(self, seat: int) -> bool:
        """Whether a seat that is not on turn is asked: one that has bought many cards is not, there would be no end."""
        few = len(self.hand.hands[seat]) <= MANY_CARDS
        return seat != self.hand.turn and few and self.dice.random() < 0.5

    def random_hand(self, time_outs: float = 0.0) -> Iterator[None]:
        """Deal a hand and play it by random legal actions; yields before every action and at the end."""
        self.deal()
        skill = self.dice.choice((0.0, 0.6, 0.9))
        while not self.hand.over:
            yield
            assert len(self.record) < MOST_ACTIONS, "a hand ends"
            if self.hand.phase is not Phase.COUNT and self.dice.random() < time_outs:
                self.time_out()
            else:
                self.act(*self.choose(skill))
        yield

    def settle(self) -> None:
        """Add the hand to the match."""
        self.points.append(self.hand.points)
        self.match = settle(self.rules, self.match, self.hand).match

    def replayed(self, deck: Deck) -> Run:
        """Return this hand played again, action for action, with another deck beneath."""
        other = Run(self.table, 0)
        other.match = self.opening
        other.deal(deck)
        for line in self.record:
            if line.text == TIME_OUT:
                other.time_out()
            else:
                other.act(line.seat, parse_action(line.text))
        return other


def told(run: Run) -> list[str]:
    """Return the digests of a peer that has nothing but the record: no deck, no knowledge, actions as text."""
    step = open_hand(run.rules, run.opening)
    digests = [step.state.digest()]
    upcards = {want.slot: run.deck[want.slot] for want in step.wants if want.seat is None}
    state = reveal(step.state, upcards).state
    digests.append(state.digest())
    for line in run.record:
        timed = line.text == TIME_OUT
        state = (time_out(state) if timed else apply(state, line.seat, parse_action(line.text), line.shown)).state
        digests.append(state.digest())
    return digests
