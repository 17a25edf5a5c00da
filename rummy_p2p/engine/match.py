"""A match: hands in a row, running totals, who deals, who is out, when it is over."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from rummy_p2p.cards import Card
from rummy_p2p.engine.events import Dealt, Eliminated, Event, MatchEnded, Shown, Upcard
from rummy_p2p.engine.moves import attach, count_if_shown, unshown
from rummy_p2p.engine.steps import Step, Want, begin_turn
from rummy_p2p.rules.legality import IllegalAction
from rummy_p2p.rules.position import HandState, Phase
from rummy_p2p.rules.scoring import cards_left
from rummy_p2p.ruleset import Ruleset


class MatchState(msgspec.Struct, frozen=True):
    """Totals by seat, and whose deal it is. ``hand_number`` counts from 1 and is that of the next hand to be opened."""

    seats: int
    dealer: int
    scores: tuple[int, ...]
    boxes: tuple[int, ...]
    out: frozenset[int] = frozenset()
    hand_number: int = 1
    over: bool = False
    winners: tuple[int, ...] = ()


class MatchStep(msgspec.Struct, frozen=True):
    """The match after a hand, and what happened to it."""

    match: MatchState
    events: tuple[Event, ...] = ()


def start_match(rules: Ruleset, seats: int, dealer: int = 0) -> MatchState:
    """Return a fresh match; ``invalid-deal`` when the game is not for so many players."""
    if not rules.players.min <= seats <= rules.players.max:
        raise IllegalAction("invalid-deal", "players", seats=seats)
    return MatchState(seats, dealer, (0,) * seats, (0,) * seats)


def open_hand(rules: Ruleset, match: MatchState) -> Step:
    """Deal slots: each seat in turn order gets a run of them, then comes the upcard, the rest is the stock."""
    if match.over:
        raise IllegalAction("match-over")
    seats = match.seats
    playing = tuple(seat not in match.out for seat in range(seats))
    each = rules.cards_each(sum(playing), match.hand_number - 1)
    order = [seat for n in range(1, seats + 1) if playing[seat := (match.dealer + n) % seats]]
    hands = tuple(
        tuple(range(order.index(seat) * each, (order.index(seat) + 1) * each)) if playing[seat] else ()
        for seat in range(seats)
    )
    dealt = each * len(order)
    pile = (dealt,) if rules.upcard else ()
    rounds = len(rules.rounds)
    state = HandState(
        rules=rules,
        seats=seats,
        dealer=match.dealer,
        playing=playing,
        round_index=min(match.hand_number - 1, rounds - 1) if rounds else 0,
        turn=order[0],
        stock=tuple(range(dealt + len(pile), rules.size)),
        pile=pile,
        hands=hands,
        faces=(None,) * rules.size,
        opened=(False,) * seats,
        down=(False,) * seats,
        ready=(False,) * seats,
        laid_points=(0,) * seats,
    )
    wants = tuple(Want(slot, seat) for seat in order for slot in hands[seat]) + tuple(Want(slot) for slot in pile)
    step = Step(state, (Dealt(tuple(len(hand) for hand in hands), match.dealer),), wants)
    return step if pile else _begin(step)


def reveal(state: HandState, shown: Mapping[int, Card]) -> Step:
    """Attach public faces from the deal; once the upcard is known the first turn begins.

    At the count they are the cards of seats that cannot show them; once all are known the hand is counted.
    """
    hidden = unshown(state)
    state = attach(state, shown)
    if state.phase is Phase.COUNT:
        seen = [seat for seat in hidden if seat not in unshown(state)]
        return count_if_shown(Step(state, tuple(Shown(seat, cards_left(state, seat)) for seat in seen)))
    top = state.top()
    if state.phase is not Phase.DEALING or top is None:
        return Step(state)
    return _begin(Step(state, (Upcard(top),)))


def _begin(step: Step) -> Step:
    first = step.state.turn
    step = begin_turn(step, first)
    if step.state.rules.draw.first_upcard_offer:
        return msgspec.structs.replace(step, state=msgspec.structs.replace(step.state, phase=Phase.OFFER))
    return step


def settle(rules: Ruleset, match: MatchState, hand: HandState) -> MatchStep:
    """Add a counted hand to the match and decide what follows."""
    if not hand.over:
        raise IllegalAction("invalid-deal")
    if match.over:
        raise IllegalAction("match-over")
    scores = tuple(total + points for total, points in zip(match.scores, hand.points, strict=True))
    boxes = tuple(n + (seat == hand.winner) for seat, n in enumerate(match.boxes))
    void = hand.ending == "void"
    keeps_dealer = void and rules.match.dealer == "rotates-unless-void"
    played = msgspec.structs.replace(match, scores=scores, boxes=boxes, hand_number=match.hand_number + (not void))
    played, events = _eliminate(rules, played)
    if _is_over(rules, played):
        return _finish(rules, played, events)
    if not keeps_dealer:
        played = msgspec.structs.replace(played, dealer=_next_dealer(played))
    return MatchStep(played, events)


def _next_dealer(match: MatchState) -> int:
    seats = ((match.dealer + n) % match.seats for n in range(1, match.seats + 1))
    return next(seat for seat in seats if seat not in match.out)


def _eliminate(rules: Ruleset, match: MatchState) -> tuple[MatchState, tuple[Event, ...]]:
    limit = rules.match.limit
    if limit is None:
        return match, ()
    over = {seat for seat in range(match.seats) if seat not in match.out and match.scores[seat] > limit}
    left = set(range(match.seats)) - match.out - over
    if not left:
        best = min(match.scores[seat] for seat in over)
        over = {seat for seat in over if match.scores[seat] > best}
    events = tuple(Eliminated(seat, match.scores[seat]) for seat in sorted(over))
    return msgspec.structs.replace(match, out=match.out | over), events


def _is_over(rules: Ruleset, match: MatchState) -> bool:
    knobs = rules.match
    hands = match.hand_number - 1
    alive = [seat for seat in range(match.seats) if seat not in match.out]
    if len(alive) == 1 or (knobs.limit is not None and all(match.scores[seat] > knobs.limit for seat in alive)):
        return True
    played_out = bool(rules.rounds) and hands >= len(rules.rounds)
    played_out |= knobs.deals is not None and hands >= knobs.deals
    played_out |= knobs.target is not None and max(match.scores) >= knobs.target
    return played_out and not (knobs.tie == "one-more-hand" and len(leaders(rules, match)) > 1)


def leaders(rules: Ruleset, match: MatchState) -> tuple[int, ...]:
    """Return who has the best total of those who are not out."""
    alive = [seat for seat in range(match.seats) if seat not in match.out]
    totals = [match.scores[seat] for seat in alive]
    best = max(totals) if rules.match.winner == "highest" else min(totals)
    return tuple(seat for seat in alive if match.scores[seat] == best)


def _finish(rules: Ruleset, match: MatchState, events: tuple[Event, ...]) -> MatchStep:
    winners = leaders(rules, match)
    scoring = rules.scoring
    scores = tuple(
        total + boxes * scoring.box_bonus + (scoring.game_bonus if seat in winners else 0)
        for seat, (total, boxes) in enumerate(zip(match.scores, match.boxes, strict=True))
    )
    over = msgspec.structs.replace(match, scores=scores, over=True, winners=winners)
    return MatchStep(over, (*events, MatchEnded(winners, scores)))


def forfeit(match: MatchState, loser: int, rules: Ruleset) -> MatchStep:
    """End the match with one seat as the loser, whatever the totals: the best of the others wins."""
    if match.over:
        raise IllegalAction("match-over")
    others = msgspec.structs.replace(match, out=match.out | {loser})
    winners = leaders(rules, others)
    over = msgspec.structs.replace(match, over=True, winners=winners)
    return MatchStep(over, (MatchEnded(winners, match.scores),))
