"""A hand played from a position in words: the test knows every card, the state only what has been shown.

With every step it is checked that no card is lost, that a hidden face stays hidden and that a refusal changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest

from rummy_p2p.cards import Card, pack, parse_cards
from rummy_p2p.engine import (
    Action,
    HandState,
    IllegalAction,
    Phase,
    Step,
    View,
    Want,
    apply,
    check,
    read_action,
    time_out,
    to_show,
    view_for,
)
from rummy_p2p.engine.events import Event, Reshuffled
from rummy_p2p.melds import Meld, Piece, read_meld
from rummy_p2p.rules.position import Laid
from rummy_p2p.ruleset import Ruleset

SEATS = "ABCDEF"
FORESEEN = ("must-use-taken", "nothing-to-use-it-for")  # what only the actor's hand can tell


def melds(text: str, rules: Ruleset) -> tuple[Meld, ...]:
    """Read melds separated by bars."""
    return tuple(read_meld([_piece(word) for word in part.split()], rules.melds) for part in text.split("|") if part)


def _piece(word: str) -> Piece:
    name, declared, face = word.partition("=")
    return Piece(Card.parse(name), Card.parse(face).face if declared else None)


class Play:
    """A hand from a position on. ``table``: melds by bars, all of ``owner``; ``stock`` None: all cards not named."""

    def __init__(
        self,
        rules: Ruleset,
        *hands: str,
        pile: str = "",
        stock: str | None = None,
        table: str = "",
        owner: int | None = None,
        phase: Phase = Phase.DRAW,
        turn: int = 0,
        opened: str = "",
        **changes: object,
    ) -> None:
        laid = melds(table, rules)
        groups = [list(parse_cards(hand)) for hand in hands]
        groups = [[card for meld in laid for card in meld.cards], *groups, list(parse_cards(pile))]
        named = {card for group in groups for card in group}
        rest = [card for card in pack(rules.deck.packs, rules.deck.jokers) if card not in named]
        groups.append(rest if stock is None else list(parse_cards(stock)))
        self.order = [card for group in groups for card in group]
        slots = _number(groups)
        seats = len(hands)
        hidden = {slot for group in (*slots[1:-2], slots[-1]) for slot in group}
        down = tuple(SEATS[seat] in opened or (bool(laid) and seat == owner) for seat in range(seats))
        state = HandState(
            rules=rules,
            seats=seats,
            dealer=(turn - 1) % seats,
            playing=(True,) * seats,
            phase=phase,
            turn=turn,
            stock=slots[-1],
            pile=slots[-2],
            hands=slots[1:-2],
            table=tuple(Laid(owner or 0, meld) for meld in laid),
            faces=tuple(None if slot in hidden else card for slot, card in enumerate(self.order)),
            opened=down,
            down=down,
            was_down=down[turn],
            ready=(False,) * seats,
            laid_points=(0,) * seats,
        )
        self.state = msgspec.structs.replace(state, **changes)
        self.cards = sorted(self.order)
        self.events: list[Event] = []
        self.wants: list[Want] = []

    def view(self, letter: str) -> View:
        """Return what a seat sees."""
        seat = SEATS.index(letter)
        return view_for(self.state, seat, {slot: self.order[slot] for slot in self.state.hands[seat]})

    def hand(self, letter: str) -> str:
        """Return the cards of a seat, sorted."""
        return " ".join(map(str, sorted(self.order[slot] for slot in self.state.hands[SEATS.index(letter)])))

    @property
    def pile(self) -> str:
        return " ".join(str(self.order[slot]) for slot in self.state.pile)

    @property
    def stock(self) -> str:
        return " ".join(str(self.order[slot]) for slot in self.state.stock)

    @property
    def table(self) -> list[str]:
        return [str(laid.meld) for laid in self.state.table]

    @property
    def turn(self) -> str:
        return SEATS[self.state.turn]

    def do(self, *moves: str) -> Play:
        """Carry moves out: ``A draw``, ``B call``; ``time-out`` for whoever is on turn."""
        for move in moves:
            if move == "time-out":
                self._take_over(time_out(self.state), {})
                continue
            letter, _, action = self._read(move)
            self.act(letter, action)
        return self

    def act(self, letter: str, action: Action) -> Play:
        """Carry an action out."""
        view = self.view(letter)
        check(view, action)
        shown = {slot: self.order[slot] for slot in to_show(view, action)}
        self._take_over(apply(self.state, SEATS.index(letter), action, shown), shown)
        return self

    def refused(self, move: str) -> str:
        """Return the code with which a move is refused; nothing must have changed by it."""
        return self.refusal(move).code

    def refusal(self, move: str) -> IllegalAction:
        """Return the refusal of a move, which is the same on the actor's side and on everybody's."""
        letter, view, action = self._read(move)
        before, digest = self.state, self.state.digest()
        copy = msgspec.structs.replace(before)
        with pytest.raises(IllegalAction) as foreseen:
            check(view, action)
        refusal = foreseen.value
        if refusal.code not in FORESEEN:
            shown = {slot: self.order[slot] for slot in to_show(view, action)}
            with pytest.raises(IllegalAction) as refused:
                apply(self.state, SEATS.index(letter), action, shown)
            assert (refused.value.code, refused.value.knob) == (refusal.code, refusal.knob)
        assert (self.state, self.state.digest()) == (copy, digest)
        return refusal

    def _read(self, move: str) -> tuple[str, View, Action]:
        letter, _, text = move.partition(" ")
        view = self.view(letter)
        return letter, view, read_action(text, view)

    def _take_over(self, step: Step, shown: dict[int, Card]) -> None:
        before, self.state = self.state, step.state
        self.events += step.events
        self.wants += step.wants
        for event in step.events:
            if isinstance(event, Reshuffled):
                self.order += event.cards
        assert _everywhere(self.state, self.order) == self.cards
        for slot, face in enumerate(self.state.faces):
            assert face in (None, self.order[slot])
            assert face is None or slot in shown or before.faces[slot] == face


def _number(groups: Sequence[Sequence[Card]]) -> tuple[tuple[int, ...], ...]:
    starts = [sum(len(group) for group in groups[:n]) for n in range(len(groups))]
    return tuple(tuple(range(start, start + len(group))) for start, group in zip(starts, groups, strict=True))


def _everywhere(state: HandState, order: Sequence[Card]) -> list[Card]:
    slots = [*state.stock, *state.pile, *(slot for hand in state.hands for slot in hand)]
    assert len(set(slots)) == len(slots)
    return sorted([*(order[slot] for slot in slots), *(card for laid in state.table for card in laid.meld.cards)])
