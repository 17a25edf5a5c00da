"""Every single step that somebody could think of in a position, sensible or not, and what a step comes to.

The law of the file
    The steps are made without asking the engine what it would allow: whoever compares them with the list of legal
    actions finds out whether that list is whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random
from typing import Final

from rummy_p2p.cards import Card
from rummy_p2p.engine import Action, Phase, View, preview
from rummy_p2p.melds import Meld, MeldError, Piece, Side, read_meld
from rummy_p2p.rules import actions as act
from rummy_p2p.ruleset import Melds

SIDES: Final[tuple[Side | None, ...]] = (None, "left", "right")
FACES: Final = range(52)
MOST_CARDS: Final = 12  # melds are looked for among so many cards of a hand, or there would be millions


def universe(view: View, dice: Random) -> Iterator[Action]:
    """Yield all single-step actions; outside of a turn only a few of those that name cards."""
    state, hand = view.state, list(view.hand)
    if not (view.on_turn and state.phase in (Phase.PLAY, Phase.ANSWER, Phase.LAY_OFF)):
        hand = dice.sample(hand, min(2, len(hand)))
    yield from act.BARE.values()
    yield from (act.Take(count) for count in (1, 2, 3, len(state.pile), len(state.pile) + 1) if count)
    strangers = [Card.of(dice.randrange(53), dice.randrange(2)) for _ in range(2)]
    numbers = range(len(state.table) + 2)
    for card in (*hand, *strangers):
        yield from (act.Discard(card), act.Knock(card))
        yield from (act.Swap(card, number) for number in numbers)
        yield from (act.Add(piece, number, side) for piece in pieces(card) for number in numbers for side in SIDES)
    yield from (act.Lay((meld,)) for meld in melds(dice.sample(hand, min(MOST_CARDS, len(hand))), state.rules.melds))
    yield from (act.Lay((meld,)) for meld in near_melds(hand, dice))
    yield act.Lay((tuple(map(Piece, strangers)),))


def pieces(card: Card) -> list[Piece]:
    """Return the ways in which one card can be laid: a joker also for every face."""
    return [Piece(card), *(Piece(card, face) for face in FACES if card.is_joker)]


def melds(hand: Sequence[Card], knobs: Melds) -> Iterator[tuple[Piece, ...]]:
    """Yield the melds that the cards make: all of the least size, and what these can grow into card by card.

    The least ones are made of every twin, the grown ones are counted by faces.
    """
    least = min(knobs.set_min, knobs.run_min)
    todo = [laid for cards in combinations(hand, least) for laid in _ways(cards) if _reads(laid, knobs)]
    seen = set(map(_faces, todo))
    while todo:
        laid = todo.pop()
        yield laid
        rest = [card for card in hand if all(piece.card != card for piece in laid)]
        for grown in ((*laid, piece) for card in rest for piece in _useful(card, laid)):
            faces = _faces(grown)
            if faces not in seen and _reads(grown, knobs):
                seen.add(faces)
                todo.append(grown)


def _faces(laid: Sequence[Piece]) -> tuple[tuple[int, int], ...]:
    return tuple(sorted((piece.card.face, -1 if piece.stands_for is None else piece.stands_for) for piece in laid))


def _ways(cards: tuple[Card, ...]) -> Iterator[tuple[Piece, ...]]:
    """Yield the cards with their jokers undeclared, and standing for each face that natural cards leave sensible."""
    ways: list[tuple[Piece, ...]] = [()]
    naturals = [Piece(card) for card in cards if not card.is_joker]
    for card in cards:
        ways = [(*way, piece) for way in ways for piece in _useful(card, naturals)]
    yield from ways


def _useful(card: Card, others: Sequence[Piece]) -> list[Piece]:
    naturals = [piece.card for piece in others if not piece.card.is_joker]
    suits, ranks = {card.suit for card in naturals}, {card.rank for card in naturals}
    return [
        piece
        for piece in pieces(card)
        if piece.stands_for is None or piece.stands_for // 13 in suits or piece.stands_for % 13 + 1 in ranks
    ]


def _reads(laid: Sequence[Piece], knobs: Melds) -> bool:
    if all(piece.card.is_joker for piece in laid):
        return False
    try:
        read_meld(laid, knobs)
    except MeldError:
        return False
    return True


def near_melds(hand: Sequence[Card], dice: Random) -> Iterator[tuple[Piece, ...]]:
    """Yield some groups of cards that are most likely no melds."""
    for size in (1, 2, 3, 3, 4, 5, len(hand)):
        if 0 < size <= len(hand):
            yield tuple(map(Piece, dice.sample(list(hand), size)))


def outcome(view: View, action: Action) -> tuple[object, ...]:
    """Return what an action comes to by faces, whichever twin is used and whatever suit a set's joker is to have."""
    state = preview(view, action).state
    return (
        state.phase,
        state.turn,
        tuple(len(hand) for hand in state.hands),
        sorted(-1 if (face := state.faces[slot]) is None else face.face for slot in state.hands[view.seat]),
        tuple(-1 if (face := state.faces[slot]) is None else face.face for slot in state.pile),
        len(state.stock),
        tuple(_by_face(laid.meld) for laid in state.table),
        (state.claim, state.callers, state.owed is None, state.knocker, state.ending),
    )


def _by_face(meld: Meld) -> tuple[object, ...]:
    places = meld.places if meld.kind == "run" else ()
    order = tuple(card.face for card in meld.cards) if meld.kind == "run" else tuple(sorted(c.face for c in meld.cards))
    return meld.kind, meld.suit, meld.rank, places, order
