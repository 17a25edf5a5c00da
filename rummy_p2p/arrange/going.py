"""May the hand open, may it go out, may this card be used: arrangements under a condition."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

import msgspec

from rummy_p2p.arrange.aims import MELD_NEED, NO_MELDS, NO_NEED, Need, contract_need, cover_aim, points_need
from rummy_p2p.arrange.laying import Arrangement
from rummy_p2p.arrange.solver import Solver, most_points, solver
from rummy_p2p.cards import JOKER_FACE, Card
from rummy_p2p.melds import Meld, MeldError, Piece, Side, grow, melds_of
from rummy_p2p.ruleset import Melds, Ruleset

Finder = Callable[[Sequence[Card]], Arrangement | None]


def opening(
    cards: Sequence[Card], rules: Ruleset, round_index: int = 0, barred: Collection[Card] = ()
) -> Arrangement | None:
    """Return the first lay-down of a hand that leaves the least deadwood, None when the cards cannot open.

    It has the points of ``opening.points`` or is the contract of the round, in one action. Where the last card must be
    discarded it leaves one that may be: none of ``barred``. Where everything must go at once it is everything.
    """
    how = _how(rules, round_index)
    if how == "all-at-once":
        return lay_all(cards, rules, discard=False, round_index=round_index)
    if rules.opening.waived_when_going_out:
        out = _all(solver(rules), cards, NO_NEED, (), barred if how == "must-discard" else None)
        if out is not None and out.melds:
            return out
    need = opening_need(rules, round_index)
    if not _in_reach(cards, rules, need):
        return None

    def find(held: Sequence[Card]) -> Arrangement | None:
        return _least(solver(rules), held, need)

    return _keeping_one(find, cards, rules, barred) if how == "must-discard" else find(cards)


def lay_all(
    cards: Sequence[Card],
    rules: Ruleset,
    *,
    table: tuple[Meld, ...] = (),
    discard: bool,
    round_index: int = 0,
    opened: bool = False,
    barred: Collection[Card] = (),
) -> Arrangement | None:
    """Return how the whole hand goes out, all laid or with one card left to ``discard`` (none of ``barred``), or None.

    New melds and lay-offs on the table and on each other are all allowed that the rules allow in one turn: unless
    ``opened``, the new melds must open. A lay-off on a new meld is given as a longer meld.
    """
    if rules.lay_off in ("never", "after-knock") or _how(rules, round_index) == "all-at-once":
        table = ()
    for need, melds in _ways_out(rules, round_index, table, opened=opened):
        found = _all(solver(rules), cards, need, melds, barred if discard else None)
        if found is not None:
            return found
    return None


def opening_need(rules: Ruleset, round_index: int = 0) -> Need:
    """Return what the melds of the first lay-down must amount to."""
    if rules.opening.points:
        return points_need(rules.opening.points, rules.scoring.in_play)
    if rules.rounds:
        return contract_need(rules.rounds[round_index].contract, rules.melds.run_min)
    return MELD_NEED


def usable(card: Card, others: Sequence[Card], rules: Ruleset, table: tuple[Meld, ...]) -> bool:
    """Whether the card can be laid now: in a meld with some of the others, or on the table, others first if need be."""
    rest = [other for other in others if other != card]
    if rules.lay_off != "never" and any(_reaches(meld, card, rest, rules.melds) for meld in table):
        return True
    near = [
        other for other in rest if card.is_joker or other.is_joker or other.suit == card.suit or other.rank == card.rank
    ]
    return any(piece.card.face == card.face for pieces in melds_of((card, *near), rules.melds) for piece in pieces)


def _how(rules: Ruleset, round_index: int) -> str:
    special = rules.rounds[round_index].go_out if rules.rounds else ""
    return special or rules.going_out.how


def _in_reach(cards: Sequence[Card], rules: Ruleset, need: Need) -> bool:
    """Whether the need is worth a search: most hands have too few points by far."""
    return need.kind != "points" or most_points(cards, rules).points >= need.amount


def _least(solving: Solver, cards: Sequence[Card], need: Need) -> Arrangement | None:
    """Return the arrangement with least deadwood that meets the need; often that is the best of all."""
    if need.kind != "contract":
        best = solving.find(cards, solving.least)
        if best.points >= need.amount if need.kind == "points" else best.melds:
            return best
    return solving.find_in_need(cards, solving.least_in[need])


def _keeping_one(find: Finder, cards: Sequence[Card], rules: Ruleset, barred: Collection[Card]) -> Arrangement | None:
    """Return the best arrangement that leaves a card to discard."""
    best = find(cards)
    if best is None or any(card not in barred for card in best.left):
        return best
    keeping = [
        kept for rest, card in _without_one(cards, barred) if (kept := _keep(find(rest), card, rules)) is not None
    ]
    return min(keeping, key=lambda kept: (kept.deadwood, len(kept.left)), default=None)


def _without_one(cards: Sequence[Card], barred: Collection[Card]) -> Iterator[tuple[list[Card], Card]]:
    """Yield the cards without one that may be discarded, that one beside it; each face once, the highest copy."""
    faces = {card.face: card for card in sorted(cards) if card not in barred}
    for card in faces.values():
        yield [other for other in cards if other != card], card


def _keep(found: Arrangement | None, card: Card, rules: Ruleset) -> Arrangement | None:
    if found is None:
        return None
    points = found.deadwood + solver(rules).points(card)
    return msgspec.structs.replace(found, left=(*found.left, card), deadwood=points)


def _ways_out(
    rules: Ruleset, round_index: int, table: tuple[Meld, ...], *, opened: bool
) -> Iterator[tuple[Need, tuple[Meld, ...]]]:
    """Yield the conditions under which a hand may go out in one turn, and the melds that it may lay off on."""
    if opened:
        yield (NO_NEED if rules.opening.further_melds else NO_MELDS), table
        return
    if rules.opening.waived_when_going_out:
        yield NO_NEED, ()
    need = opening_need(rules, round_index)
    if need.kind == "contract" and rules.opening.further_melds and _how(rules, round_index) != "all-at-once":
        need = msgspec.structs.replace(need, exact=False)
    yield need, table
    yield NO_MELDS, table if rules.lay_off == "always" else ()


def _all(
    solving: Solver, cards: Sequence[Card], need: Need, table: tuple[Meld, ...], barred: Collection[Card] | None
) -> Arrangement | None:
    """Return an arrangement of all the cards, or of all but one that is not barred unless ``barred`` is None."""
    searches = solving.beside(table, cover_aim(need)) if table else solving.cover_in[need]
    if solving.useless(cards, searches) > (barred is not None):
        return None
    best = solving.find_in_need(cards, searches)
    if best is None or barred is None:
        return best if best is not None and not best.left else None
    if len(best.left) == 1 and best.left[0] not in barred:
        return best
    if len(best.left) > 1:
        return None
    for rest, card in _without_one(cards, barred):
        found = solving.find_in_need(rest, searches)
        if found is not None and not found.left:
            return _keep(found, card, solving.rules)
    return None


def _reaches(meld: Meld, card: Card, others: Sequence[Card], knobs: Melds) -> bool:
    """Whether the card can be laid off on the meld, now or after others on the same side."""
    if meld.kind == "set" or card.is_joker:
        return _grown(meld, card, None, knobs) is not None
    sides: tuple[Side, ...] = ("left", "right")
    return card.suit == meld.suit and any(_chain(meld, card, list(others), side, knobs) for side in sides)


def _chain(meld: Meld, card: Card, others: list[Card], side: Side, knobs: Melds) -> bool:
    grown: Meld | None = meld
    while grown is not None:
        if _grown(grown, card, side, knobs) is not None:
            return True
        following = _next_link(grown, others, side)
        if following is None:
            return False
        others.remove(following)
        grown = _grown(grown, following, side, knobs)
    return False


def _next_link(meld: Meld, others: Sequence[Card], side: Side) -> Card | None:
    """Return the card that carries the run on: the one that belongs there, else a joker."""
    ordinal = meld.low - 1 if side == "left" else meld.high + 1
    face = meld.suit * 13 + (ordinal - 1) % 13
    return next((other for wanted in (face, JOKER_FACE) for other in others if other.face == wanted), None)


def _grown(meld: Meld, card: Card, side: Side | None, knobs: Melds) -> Meld | None:
    try:
        return grow(meld, Piece(card), side, knobs)
    except MeldError:
        return None
