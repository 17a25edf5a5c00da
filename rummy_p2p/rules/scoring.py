"""Scoring: what cards count in hand, and how a hand that has ended is counted. Sign: as the game writes it down."""

from __future__ import annotations

from collections.abc import Iterable

from rummy_p2p.arrange import least_deadwood
from rummy_p2p.cards import Card
from rummy_p2p.rules.functions import HandSummary, ask_function
from rummy_p2p.rules.position import HandState, ScoreLine
from rummy_p2p.ruleset import HandValues, Ruleset

Sheet = tuple[tuple[ScoreLine, ...], ...]


def card_value(card: Card, values: HandValues) -> int:
    """Return what one card counts in hand at the end."""
    rank = card.rank
    if not rank:
        return values.joker
    if rank == 1:
        return values.ace
    return values.face if rank > 10 else rank


def hand_points(cards: Iterable[Card], rules: Ruleset) -> int:
    """Return what cards count in hand at the end, without bonuses."""
    if rules.functions:
        cards = tuple(cards)
        asked = ask_function(rules, "left_points", cards)
        if asked is not None:
            return asked
    values = rules.scoring.in_hand
    return sum([card_value(card, values) for card in cards])


def cards_left(state: HandState, seat: int) -> tuple[Card, ...]:
    """Return the cards in a seat's hand that everybody may know."""
    faces = state.faces
    return tuple([card for slot in state.hands[seat] if (card := faces[slot]) is not None])


def summary(state: HandState, seat: int) -> HandSummary:
    """Return what function knobs are told about a seat."""
    melds = tuple(laid.meld for laid in state.table if laid.owner == seat)
    all_at_once = seat == state.turn and not state.hands[seat] and not state.was_down
    left = cards_left(state, seat)
    return HandSummary(seat, state.winner, state.ending, melds, left, state.laid_points[seat], all_at_once)


def count(state: HandState) -> tuple[int | None, Sheet]:
    """Return the winner of an ended hand and, per seat, the lines of its score."""
    if state.ending == "void":
        return None, tuple(() for _ in range(state.seats))
    winner, sheet = _count_knock(state) if state.rules.scoring.kind == "gin" else (state.winner, _count_left(state))
    return winner, tuple(_with_bonus(state, seat, lines) for seat, lines in enumerate(sheet))


def _count_left(state: HandState) -> Sheet:
    """Return the lines of a hand in which everybody counts what it laid or has left."""
    return tuple(_seat_lines(state, seat) if state.playing[seat] else () for seat in range(state.seats))


def _seat_lines(state: HandState, seat: int) -> tuple[ScoreLine, ...]:
    scoring = state.rules.scoring
    sign = -1 if scoring.kind == "meld-points" else 1
    cards = cards_left(state, seat)
    left = sign * hand_points(cards, state.rules) if cards else 0
    lines = [ScoreLine("laid", state.laid_points[seat])] if scoring.kind == "meld-points" else []
    if cards:
        lines.append(ScoreLine("left", left, cards))
    if state.took_all and scoring.take_all_factor > 1 and seat != state.winner:
        lines.append(ScoreLine("take-all", left * (scoring.take_all_factor - 1)))
    return tuple(lines)


def _with_bonus(state: HandState, seat: int, lines: tuple[ScoreLine, ...]) -> tuple[ScoreLine, ...]:
    bonus = ask_function(state.rules, "hand_bonus", summary(state, seat)) if state.playing[seat] else None
    return (*lines, ScoreLine("bonus", bonus)) if bonus else lines


def _count_knock(state: HandState) -> tuple[int | None, Sheet]:
    """Return who wins a knocked hand, and the lines, which are all the winner's; without a knock nobody gets any."""
    winner, lines = (None, ()) if state.knocker is None else _knock_lines(state, state.knocker)
    return winner, tuple(lines if seat == winner else () for seat in range(state.seats))


def _knock_lines(state: HandState, knocker: int) -> tuple[int, tuple[ScoreLine, ...]]:
    """Return the winner and its lines; the defender's cards are arranged at their best for it."""
    scoring = state.rules.scoring
    defender = state.next_seat(knocker)
    left = least_deadwood(cards_left(state, defender), state.rules).left
    difference = hand_points(left, state.rules) - hand_points(cards_left(state, knocker), state.rules)
    if state.ending in ("gin", "big-gin"):
        bonus = scoring.gin_bonus if state.ending == "gin" else scoring.big_gin_bonus
        return knocker, (ScoreLine("deadwood", difference, left), ScoreLine(state.ending, bonus))
    if difference < 0 or (difference == 0 and scoring.undercut_on_tie):
        return defender, (ScoreLine("deadwood", -difference), ScoreLine("undercut", scoring.undercut_bonus))
    return knocker, (ScoreLine("deadwood", difference, left),)
