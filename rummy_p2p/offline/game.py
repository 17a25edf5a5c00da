"""A match in one process: the engine, a deck whose order this process knows, and whoever plays the seats.

Used by practice, one-screen play, simulation and scenarios. The order of the deck comes in as an argument; a reshuffle
keeps the order in which the cards were laid unless a ``shuffle`` is given.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import msgspec

from rummy_p2p.cards import Card, pack
from rummy_p2p.engine import (
    Action,
    HandState,
    IllegalAction,
    KnobFailed,
    MatchState,
    MatchStep,
    Phase,
    Step,
    View,
    apply,
    check,
    forfeit,
    open_hand,
    reveal,
    settle,
    time_out,
    to_show,
    unshown,
    view_for,
)
from rummy_p2p.engine.events import Event, HandEnded, Reshuffled
from rummy_p2p.melds import MeldError, read_meld
from rummy_p2p.rules.actions import Show
from rummy_p2p.rules.position import Laid
from rummy_p2p.rules.scoring import count
from rummy_p2p.ruleset import Ruleset

Shuffle = Callable[[Sequence[Card]], Sequence[Card]]
Saved = tuple[HandState | None, MatchState, tuple[Card, ...]]


def _keep_order(cards: Sequence[Card]) -> Sequence[Card]:
    return cards


class Game:
    """One hand after the other under a Ruleset. Events pile up in ``events``; nothing is undone by a refused action."""

    def __init__(self, rules: Ruleset, match: MatchState, shuffle: Shuffle = _keep_order) -> None:
        """Begin with a match; ``next_hand`` deals."""
        self.rules = rules
        self.match = match
        self.hand: HandState | None = None
        self.events: list[Event] = []
        self.actions: list[tuple[int, Action]] = []
        self._shuffle = shuffle
        self._order: list[Card] = []

    def again(self, match: MatchState) -> Game:
        """Return another match under the same rules, with a deck that is shuffled in the same way."""
        return Game(self.rules, match, self._shuffle)

    def next_hand(self) -> None:
        """Shuffle the deck and deal the next hand; ``invalid-deal`` while one is being played."""
        if self.hand is not None and not self.hand.over:
            raise IllegalAction("invalid-deal")
        step = open_hand(self.rules, self.match)
        self._order = list(self._shuffle(pack(self.rules.deck.packs, self.rules.deck.jokers)))
        self._take_over(step)
        self._take_over(reveal(step.state, self._faces([want.slot for want in step.wants if want.seat is None])))

    def place(self, hand: HandState, order: Sequence[Card]) -> None:
        """Go on from a position; ``order`` says which card lies in which slot."""
        self._order = list(order)
        self.hand = hand

    def view(self, seat: int) -> View:
        """Return what a seat sees of the current hand."""
        hand = self._current()
        return view_for(hand, seat, self._faces(hand.hands[seat]))

    def act(self, seat: int, action: Action) -> None:
        """Carry out an action of a seat, or raise IllegalAction and change nothing.

        KnobFailed: a plugin's function raised; the hand is void.
        """
        if self.match.over:
            raise IllegalAction("match-over")
        view = self.view(seat)
        try:
            check(view, action)
            self._take_over(apply(view.state, seat, action, self._faces(to_show(view, action))))
            self.actions.append((seat, action))
            self._count()
        except KnobFailed:
            self.void()
            raise

    def time_out(self, seat: int | None = None) -> None:
        """End the turn of the seat that is on turn by the clock, or the match where who is out of time has lost it."""
        if self.match.over:
            raise IllegalAction("match-over")
        if self._current().over:
            raise IllegalAction("hand-over")
        if seat is not None and seat != self._current().turn:
            raise IllegalAction("not-your-turn", turn=self._current().turn)
        if self._loses_by_the_clock():
            self.void()
            self._settled(forfeit(self.match, self._current().turn, self.rules))
            return
        self._take_over(time_out(self._current()))
        self._count()

    def _loses_by_the_clock(self) -> bool:
        clock = self.rules.clock
        return clock.game_loses and clock.game_s > 0 and not clock.move_s

    def void(self) -> None:
        """Throw the hand in: it does not count, the totals and the dealer stay as they were."""
        hand = self._current()
        if hand.over:
            return
        nothing: dict[str, object] = {"winner": None, "took_all": False, "claim": "none", "callers": ()}
        nothing |= {"points": (0,) * hand.seats, "sheet": ((),) * hand.seats}
        self.hand = msgspec.structs.replace(hand, phase=Phase.OVER, ending="void", **nothing)
        self.events.append(HandEnded("void", None))

    def _current(self) -> HandState:
        if self.hand is None:
            raise IllegalAction("hand-over")
        return self.hand

    def _faces(self, slots: Sequence[int]) -> Mapping[int, Card]:
        return {slot: self._order[slot] for slot in slots}

    def _take_over(self, step: Step) -> None:
        self.hand = step.state
        self.events += step.events
        for event in step.events:
            if isinstance(event, Reshuffled):
                self._order += self._shuffle(event.cards)

    def _count(self) -> None:
        """Show what is left when the hand has ended, and add it to the match."""
        for seat in unshown(self._current()):
            view = self.view(seat)
            self._take_over(apply(view.state, seat, Show(), self._faces(to_show(view, Show()))))
        if self._current().over:
            self._settled(settle(self.rules, self.match, self._current()))

    def _settled(self, step: MatchStep) -> None:
        self.match = step.match
        self.events += step.events

    def snapshot(self) -> Saved:
        """Return position, match and deck, enough for ``restore``."""
        return self.hand, self.match, tuple(self._order)

    @classmethod
    def restore(cls, rules: Ruleset, saved: Saved, shuffle: Shuffle = _keep_order) -> Game:
        """Go on from a snapshot without dealing or recomputing anything; ``invalid-deal`` when it is inconsistent."""
        hand, match, order = saved
        game = cls(rules, match, shuffle)
        if hand is not None:
            if hand.seats != match.seats:
                raise IllegalAction("invalid-deal")
            verify_position(rules, hand, order)
            game.place(hand, order)
        return game


def verify_position(rules: Ruleset, hand: HandState, order: Sequence[Card]) -> None:
    """Raise ``invalid-deal`` unless every card of the deck lies in exactly one place and nothing contradicts itself."""
    holds = (
        hand.rules.fingerprint == rules.fingerprint
        and _each_card_is_somewhere(rules, hand, order)
        and _each_seat_has_its_part(hand)
        and all(_lies_rightly(rules, hand, laid) for laid in hand.table)
        and _suits_its_phase(hand)
    )
    if not holds:
        raise IllegalAction("invalid-deal")


def with_scores(match: MatchState, scores: Sequence[int]) -> MatchState:
    """Return the match with other totals."""
    return msgspec.structs.replace(match, scores=tuple(scores))


def _each_card_is_somewhere(rules: Ruleset, hand: HandState, order: Sequence[Card]) -> bool:
    slots = [*hand.stock, *hand.pile, *(slot for cards in hand.hands for slot in cards)]
    if len(hand.faces) != len(order) or any(not 0 <= slot < len(order) for slot in slots):
        return False
    laid = [card for meld in hand.table for card in meld.meld.cards]
    there = sorted([*(order[slot] for slot in slots), *laid])
    right = all(face in (None, order[slot]) for slot, face in enumerate(hand.faces))
    return right and there == sorted(pack(rules.deck.packs, rules.deck.jokers))


def _each_seat_has_its_part(hand: HandState) -> bool:
    parts = (hand.playing, hand.hands, hand.opened, hand.down, hand.ready, hand.laid_points)
    whole = all(len(part) == hand.seats for part in parts)
    return whole and hand.turn in range(hand.seats) and hand.playing[hand.turn]


def _lies_rightly(rules: Ruleset, hand: HandState, laid: Laid) -> bool:
    """Whether it is a meld, of a seat that has laid something down."""
    if laid.owner not in range(hand.seats) or not (hand.opened[laid.owner] and hand.down[laid.owner]):
        return False
    try:
        return read_meld(laid.meld.pieces(), rules.melds) == laid.meld
    except MeldError:
        return False


def _suits_its_phase(hand: HandState) -> bool:
    if hand.phase not in frozenset(Phase):
        return False
    if hand.phase in (Phase.OFFER, Phase.DRAW) and hand.drawn is not None:
        return False
    if bool(hand.ending) != (hand.phase in (Phase.COUNT, Phase.OVER)) or bool(hand.points) != hand.over:
        return False
    return not hand.over or _counts_right(hand)


def _counts_right(hand: HandState) -> bool:
    sums = tuple(sum(line.points for line in lines) for lines in hand.sheet)
    recounted = hand.rules.functions or count(hand) == (hand.winner, hand.sheet)
    return hand.points == sums and bool(recounted)
