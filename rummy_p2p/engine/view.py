"""What a seat sees, what it may do, and why not: the public state with the seat's own cards laid over it.

``check`` runs the very code that ``apply`` runs, with the actor's own faces attached, and adds what only the actor's
hand can tell: whether a card taken from the pile can be used at all, and whether a legal discard would be left.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from typing import Final, TypeVar, cast

import msgspec

from rummy_p2p.arrange import low_discards, most_points, opening
from rummy_p2p.cards import Card, pack
from rummy_p2p.engine.moves import apply, attach, judged
from rummy_p2p.engine.steps import Step
from rummy_p2p.melds import Piece, Side, fitting_faces, melds_of
from rummy_p2p.rules import actions as act
from rummy_p2p.rules.functions import KnobFailed
from rummy_p2p.rules.legality import IllegalAction, can_pass, grow_on, may_discard
from rummy_p2p.rules.position import COUNT, LAY_OFF, HandState, Phase
from rummy_p2p.rules.scoring import cards_left
from rummy_p2p.ruleset import Melds

ENDS: Final[tuple[Side, ...]] = ("left", "right")

A = TypeVar("A", bound=act.Action)
NOBODY: Final = -1
_BEFORE_CARDS: Final = frozenset({Phase.OFFER, Phase.DRAW})
_WITH_CARDS: Final = frozenset({Phase.ANSWER, Phase.PLAY, Phase.LAY_OFF})
_DISCARDS: Final = {card: act.Discard(card) for card in pack(16, 16)}
_BARE: Final = {Phase.ANSWER: (act.Keep(), act.Give()), Phase.LAY_OFF: (act.Done(),)}
_SHOWS_EVERYTHING: Final = (act.Knock, act.Show)


class View(msgspec.Struct, frozen=True):
    """The public state and the faces that one seat knows besides; holds no face its seat was never shown."""

    state: HandState
    seat: int
    knowledge: Mapping[int, Card]

    @property
    def hand(self) -> tuple[Card, ...]:
        """The seat's cards in the order in which they came."""
        faces, known = self.state.faces, self.knowledge
        cards = [known.get(slot) if faces[slot] is None else faces[slot] for slot in self.slots]
        return tuple([card for card in cards if card is not None])

    @property
    def slots(self) -> tuple[int, ...]:
        """The slots of the seat's hand; none for somebody who has no seat."""
        return () if self.seat == NOBODY else self.state.hands[self.seat]

    def card(self, slot: int) -> Card | None:
        """Return the face of a slot as far as this seat knows it."""
        face = self.state.faces[slot]
        return self.knowledge.get(slot) if face is None else face

    @property
    def held(self) -> tuple[Card, ...]:
        """The hand in the order in which a plainly named face is chosen: the card that must be used comes first."""
        slots = sorted(self.slots, key=lambda slot: slot != self.state.owed)
        return tuple(card for slot in slots if (card := self.card(slot)) is not None)

    @property
    def on_turn(self) -> bool:
        """Whether this seat is on turn."""
        return self.seat == self.state.turn


def view_for(state: HandState, seat: int, knowledge: Mapping[int, Card]) -> View:
    """Return the view of a seat; of ``knowledge`` only the slots in its own hand are kept."""
    own = {slot: knowledge[slot] for slot in state.hands[seat] if slot in knowledge}
    return View(state, seat, own)


def public_view(state: HandState) -> View:
    """Return what everybody can see: the view of somebody who has no seat."""
    return View(state, NOBODY, {})


def read_action(text: str, view: View) -> act.Action:
    """Read what a player typed; a plain face is the copy that the player will most likely mean."""
    action = act.parse_action(text, view.held)
    if isinstance(action, act.Discard) and not text.rstrip().endswith("'"):
        barred = {view.card(slot) for slot in view.state.taken}
        twins = [card for card in view.hand if card.face == action.card.face and card not in barred]
        return act.Discard(twins[0]) if twins else action
    return action


def check(view: View, action: act.Action) -> None:
    """Raise IllegalAction when the action would be refused, or would get the seat stuck; otherwise return."""
    if not judged(attach(view.state, _opened(view, action)), view.seat, action):
        _foresee(view, action)


def preview(view: View, action: act.Action) -> Step:
    """Return what the action would come to, the seat's own faces attached; raises as ``check``."""
    step = _foresee(view, action)
    return msgspec.structs.replace(step, state=attach(step.state, view.knowledge))


def _foresee(view: View, action: act.Action) -> Step:
    """Return the step that everybody would come to, with the very cards opened that the action opens."""
    step = apply(view.state, view.seat, action, _opened(view, action))
    _check_obligation(view, step.state)
    return step


def _opened(view: View, action: act.Action) -> dict[int, Card]:
    return {slot: card for slot in to_show(view, action) if (card := view.card(slot)) is not None}


def _check_obligation(view: View, after: HandState) -> None:
    """Refuse what would make it impossible to use the card that must be used (must-use games)."""
    if after.owed is None or after.phase is not Phase.PLAY or after.turn != view.seat:
        return
    if not _can_use(attach(after, view.knowledge), view.seat):
        code = "nothing-to-use-it-for" if view.state.owed is None else "must-use-taken"
        raise IllegalAction(code, "draw.must_use", card=str(_owed(after)))


def _can_use(state: HandState, seat: int) -> bool:
    """Whether the owed card can be laid from here, after other moves where it may wait; found by trying them."""
    if any((after := _try(state, seat, use)) is not None and after.owed is None for use in _uses(state, seat)):
        return True
    if state.rules.draw.must_use == "next-action":
        return False
    return any((after := _try(state, seat, lead)) is not None and _can_use(after, seat) for lead in _leads(state, seat))


def _try(state: HandState, seat: int, action: act.Action) -> HandState | None:
    try:
        return apply(state, seat, action, {}).state
    except IllegalAction:
        return None


def _uses(state: HandState, seat: int) -> Iterator[act.Action]:
    """Yield moves that may lay the owed card: on the table, for a joker, in a meld, in a first lay-down of several."""
    view, owed = View(state, seat, {}), _owed(state)
    numbers = range(1, len(state.table) + 1)
    yield from (act.Add(Piece(owed), number, side) for number in numbers for side in ENDS)
    yield from (act.Swap(owed, number) for number in numbers)
    yield from (act.Lay((pieces,)) for pieces in _melds_with(owed, view.hand, state.rules.melds))
    if not state.opened[seat]:
        yield from _openings_with(owed, view)


def _openings_with(owed: Card, view: View) -> Iterator[act.Action]:
    """Yield first lay-downs of several melds that a card is in."""
    for pieces in _melds_with(owed, view.hand, view.state.rules.melds):
        laid = {piece.card for piece in pieces}
        melds = most_points([card for card in view.hand if card not in laid], view.state.rules).melds
        chosen = (some for count in range(len(melds), 0, -1) for some in combinations(melds, count))
        yield from (act.Lay((pieces, *(meld.pieces() for meld in some))) for some in chosen)


def _melds_with(owed: Card, hand: tuple[Card, ...], knobs: Melds) -> Iterator[tuple[Piece, ...]]:
    """Yield the melds of the hand that a card is in; of twins it is the one that is used."""
    near = [card for card in hand if card.is_joker or owed.is_joker or owed.rank == card.rank or owed.suit == card.suit]
    for pieces in melds_of(sorted(near, key=lambda card: card != owed), knobs):
        faces = [piece.card.face for piece in pieces]
        if owed in [piece.card for piece in pieces]:
            yield pieces
        elif owed.face in faces:
            at = faces.index(owed.face)
            yield (*pieces[:at], Piece(owed), *pieces[at + 1 :])


def _leads(state: HandState, seat: int) -> Iterator[act.Action]:
    """Yield moves after which the owed card may fit: a link of its run, a joker off the table, a first lay-down."""
    owed = _owed(state)
    others = [card for card in View(state, seat, {}).hand if card != owed]
    runs = [n for n, laid in enumerate(state.table, 1) if laid.meld.kind == "run" and laid.meld.suit == owed.suit]
    links = {card.face: card for card in others if card.is_joker or card.suit == owed.suit}
    yield from (act.Add(Piece(card), number, side) for card in links.values() for number in runs for side in ENDS)
    with_jokers = [number for number, laid in enumerate(state.table, 1) if laid.meld.jokers]
    yield from (act.Swap(card, number) for card in others for number in with_jokers)
    if not state.opened[seat]:
        first = opening(others, state.rules, state.round_index)
        yield from (act.Lay(tuple(meld.pieces() for meld in found.melds)) for found in [first] if found and found.melds)


def _owed(state: HandState) -> Card:
    return cast("Card", state.faces[cast("int", state.owed)])


def to_show(view: View, action: act.Action) -> tuple[int, ...]:
    """Return the hidden slots that the actor has to open with this action, in ascending order."""
    cards = action.cards()
    everything = isinstance(action, _SHOWS_EVERYTHING)
    if not cards and not everything:
        return ()
    faces, known, slots = view.state.faces, view.knowledge, view.state.hands[view.seat]
    if everything:
        return tuple(sorted([slot for slot in slots if faces[slot] is None]))
    return tuple(sorted([slot for slot in slots if known.get(slot) in cards and faces[slot] is None]))


def legal_actions(view: View) -> tuple[act.Action, ...]:
    """Return every single-step action that ``check`` accepts now: one meld, one lay-off, one swap, one discard ...

    A lay-down of several melds at once is listed only where the opening needs it.
    """
    if view.state.phase not in _WITH_CARDS or not view.on_turn:
        return tuple(_legal(view, view.state, _without_cards(view)))
    own = _overlaid(view)
    return (*_legal(view, own, _without_cards(view)), *_with_cards(view, own))


def _overlaid(view: View) -> HandState:
    """Return the state with the seat's own faces, which are taken on trust: nothing but a judgement is made of it."""
    faces = list(view.state.faces)
    for slot, card in view.knowledge.items():
        if faces[slot] is None:
            faces[slot] = card
    return msgspec.structs.replace(view.state, faces=tuple(faces))


def _legal(view: View, own: HandState, candidates: Iterable[A]) -> list[A]:
    """Return what ``check`` accepts. A rule that fails cannot say no: the move is made, the hand void by name."""
    legal = []
    for action in candidates:
        try:
            if not judged(own, view.seat, action):
                _foresee(view, action)
        except IllegalAction:
            continue
        except KnobFailed:
            pass
        legal.append(action)
    return legal


def _without_cards(view: View) -> list[act.Action]:
    """Return what might be legal of the actions that name no card."""
    state = view.state
    if state.phase is COUNT:
        return [act.Show()]
    found: list[act.Action] = [act.Call()] if state.claim in ("open", "late") else []
    if view.on_turn:
        found += _draws(state) if state.phase in _BEFORE_CARDS else _BARE.get(state.phase, ())
    return found


def _draws(state: HandState) -> list[act.Action]:
    """Return the ways to draw, and to decline, that might be legal."""
    found: list[act.Action] = [act.Draw()]
    if state.rules.stock_out.what == "turn-over":
        found.append(act.TurnOver())
    if can_pass(state):
        found.append(act.Pass())
    most = len(state.pile) if state.rules.draw.pile == "many" else 1
    return found + [act.Take(count) for count in range(1, most + 1)]


def _with_cards(view: View, own: HandState) -> list[act.Action]:
    """Return the legal actions that name cards of the hand."""
    hand, rules = cards_left(own, view.seat), own.rules
    found: list[act.Action] = []
    if own.phase is not LAY_OFF:
        if rules.lay == "in-play":
            found += _legal(view, own, dict.fromkeys(_lay_actions(view, hand)))
        found += _discards(view, own, hand)
        if rules.going_out.how == "knock":
            found += _legal(view, own, _knock_actions(view, hand))
    if own.table:
        found += _legal(view, own, (*_swap_actions(own, hand), *_add_actions(own, hand)))
    return found


def _discards(view: View, own: HandState, hand: tuple[Card, ...]) -> list[act.Discard]:
    """Return the legal discards. Those of cards that may be returned anyway stand or fall together: one is judged."""
    bound = () if own.rules.draw.may_return else [own.faces[slot] for slot in own.taken]
    discards = [_DISCARDS[card] for card in hand]
    if not bound:
        return discards if _legal(view, own, discards[:1]) else []
    free = [one for one in discards if one.card not in bound]
    legal = _legal(view, own, [one for one in discards if one.card in bound])
    legal += free if _legal(view, own, free[:1]) else ()
    return [one for one in discards if one in legal]


def _knock_actions(view: View, hand: tuple[Card, ...]) -> list[act.Knock]:
    """Return the knocks that could be low enough. Of a plugin that counts otherwise nothing is known beforehand."""
    rules = view.state.rules
    low = hand if rules.functions else low_discards(hand, rules, rules.going_out.knock_limit)
    knocks = [act.Knock(card) for card in low]
    return [*knocks, act.Knock()] if rules.going_out.big_gin else knocks


def _lay_actions(view: View, hand: tuple[Card, ...]) -> Iterator[act.Action]:
    state = view.state
    owed = None if state.owed is None else _owed(state)
    yield from (act.Lay((pieces,)) for pieces in melds_of(hand, state.rules.melds))
    if owed is not None:
        yield from (act.Lay((pieces,)) for pieces in _melds_with(owed, hand, state.rules.melds))
    if not state.opened[view.seat] and (state.rules.opening.points or state.rules.rounds):
        yield from _opening_actions(view, hand)
        yield from _openings_with(owed, view) if owed is not None else ()


def _opening_actions(view: View, hand: tuple[Card, ...]) -> Iterator[act.Action]:
    found = opening(hand, view.state.rules, view.state.round_index, _barred(view))
    if found is not None and len(found.melds) > 1:
        yield act.Lay(tuple(meld.pieces() for meld in found.melds))


def _barred(view: View) -> tuple[Card, ...]:
    """Return the cards taken from the pile this turn that may not be discarded as the last one."""
    taken = [slot for slot in view.state.taken if not may_discard(view.state, slot, 1)]
    return tuple(card for slot in taken if (card := view.card(slot)) is not None)


def _swap_actions(state: HandState, hand: tuple[Card, ...]) -> Iterator[act.Action]:
    if state.rules.joker_swap.who == "never":
        return
    for number, laid in enumerate(state.table, 1):
        meld = laid.meld
        near = [card for card in hand if card.suit == meld.suit or card.rank == meld.rank] if meld.jokers else []
        yield from (act.Swap(card, number) for card in near)


def _add_actions(state: HandState, hand: tuple[Card, ...]) -> Iterator[act.Action]:
    for number, laid in enumerate(state.table, 1):
        fitting = fitting_faces(laid.meld, state.rules.melds)
        for card in [card for card in hand if card.is_joker or card.face in fitting]:
            seen: list[object] = []
            for side in (None, *ENDS):
                try:
                    grown = grow_on(state, number - 1, Piece(card), side)
                except IllegalAction:
                    continue
                if grown not in seen:
                    seen.append(grown)
                    yield act.Add(Piece(card), number, side)
