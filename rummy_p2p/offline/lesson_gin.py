"""The nine steps of the gin tutorial: their cards, the other's moves, and what counts as done."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from rummy_p2p.arrange import discards, least_deadwood
from rummy_p2p.cards import Card
from rummy_p2p.engine import events as ev
from rummy_p2p.offline.game import Game
from rummy_p2p.offline.lesson import LEARNER, TEACHER, Course, Judge, Step, Verdict
from rummy_p2p.ruleset import Ruleset
from rummy_p2p.sentences.lessons import gin_lesson


def _has_drawn(_game: Game, happened: Sequence[ev.Event]) -> Verdict:
    drawn = any(isinstance(event, ev.Drew | ev.Took) and event.seat == LEARNER for event in happened)
    return "reached" if drawn else "open"


def _hides_then_takes(game: Game, happened: Sequence[ev.Event]) -> Verdict:
    """First a card of the stock, then the one of the pile that makes a meld."""
    draws = [event for event in happened if isinstance(event, ev.Drew | ev.Took) and event.seat == LEARNER]
    if draws and isinstance(draws[0], ev.Took):
        return "missed"
    if len(draws) < 2:
        return "open"
    took = draws[1].cards if isinstance(draws[1], ev.Took) else ()
    loose = least_deadwood(game.view(LEARNER).hand, game.rules).left
    return "reached" if took and set(took).isdisjoint(loose) else "missed"


def _discarded(happened: Sequence[ev.Event]) -> Card | None:
    cards = [event.card for event in happened if isinstance(event, ev.Discarded) and event.seat == LEARNER]
    return cards[0] if cards else None


def _hand_before(game: Game, thrown: Card) -> tuple[Card, ...]:
    """Return the learner's cards with the one that was thrown."""
    return (*game.view(LEARNER).hand, thrown)


def _keeps_the_melds(game: Game, happened: Sequence[ev.Event]) -> Verdict:
    thrown = _discarded(happened)
    if thrown is None:
        return "open"
    loose = least_deadwood(_hand_before(game, thrown), game.rules).left
    return "reached" if thrown in loose else "missed"


def _leaves_the_least(game: Game, happened: Sequence[ev.Event]) -> Verdict:
    thrown = _discarded(happened)
    if thrown is None:
        return "open"
    left = discards(_hand_before(game, thrown), game.rules)
    return "reached" if left[thrown] == min(left.values()) else "missed"


def _knocks(_game: Game, happened: Sequence[ev.Event]) -> Verdict:
    if any(isinstance(event, ev.Knocked) and event.seat == LEARNER for event in happened):
        return "reached"
    return "missed" if _discarded(happened) else "open"


def _lays_off(count: int) -> Judge:
    """Return the judge that waits for so many cards to be laid off before the learner is done."""

    def judge(game: Game, happened: Sequence[ev.Event]) -> Verdict:
        laid = [event for event in happened if isinstance(event, ev.LaidOff) and event.seat == LEARNER]
        if not game.view(LEARNER).state.over:
            return "open"
        return "reached" if len(laid) >= count else "missed"

    return judge


def _ends_as(holds: Callable[[Sequence[ev.Event]], bool]) -> Judge:
    """Return the judge of how the hand ends."""

    def judge(game: Game, happened: Sequence[ev.Event]) -> Verdict:
        if holds(happened):
            return "reached"
        over = game.view(LEARNER).state.over or (_discarded(happened) is not None)
        return "missed" if over else "open"

    return judge


def _is_gin(happened: Sequence[ev.Event]) -> bool:
    return any(isinstance(event, ev.HandEnded) and event.ending == "gin" for event in happened)


def _undercuts(happened: Sequence[ev.Event]) -> bool:
    sheets = [event.sheet[LEARNER] for event in happened if isinstance(event, ev.Scored)]
    return any(line.what == "undercut" for sheet in sheets for line in sheet)


def _wins_the_match(happened: Sequence[ev.Event]) -> bool:
    return any(isinstance(event, ev.MatchEnded) and event.winners == (LEARNER,) for event in happened)


STEPS: Final[tuple[Step, ...]] = (
    Step(
        hands=("5h 6h 9s 9d Kc Qd 2c 4s 8d Js", "3h 10c 10d Qh 7c 4d Ac 6s 8c Ks"),
        pile="9h",
        stock="3d 5c",
        judge=_has_drawn,
    ),
    Step(
        hands=("5h 6h 9s 9d 9c Kc Qd 2c 4s 8d", "7h 10c 10d Qh 7c 4d Ac 6s 8c Ks"),
        pile="Jc",
        stock="3d 5c",
        judge=_hides_then_takes,
        replies=("draw", "discard 7h"),
    ),
    Step(
        hands=("5h 6h 7h 9s 9h 9d Kc Ac 2c 4d", "3h 10c 10d Qh 7c 4c As 6s 8c Ks"),
        pile="Jc",
        stock="Qs 5c",
        judge=_keeps_the_melds,
        before=("draw",),
        replies=("draw", "discard 5c"),
    ),
    Step(
        hands=("5h 6h 7h 9s 9h 9d Kd 3c Ad 6c", "3h 10c 10d Qh 7c 4c As 6s 2c Ks"),
        pile="Jc",
        stock="8d 5c",
        judge=_leaves_the_least,
        before=("draw",),
        replies=("draw", "discard 5c"),
    ),
    Step(
        hands=("5h 6h 7h 9s 9h 9d 4c Ad 2s Kd", "10c 10d 10s Qh 7c 4d As 6s 2c Ks"),
        pile="Jc",
        stock="3h 5c",
        judge=_knocks,
        before=("draw",),
        replies=("done",),
    ),
    Step(
        hands=("8h 4h Kd Jc Jd Js 9c 7s 5d 3c", "5h 6h 7h Ks Kh Kc 2d 2c As 3s"),
        pile="10h",
        stock="Qd 5c",
        judge=_lays_off(3),
        begins=TEACHER,
        before=("draw", "knock Qd"),
    ),
    Step(
        hands=("5h 6h 7h 9s 9h 9d Ac 2c 3c Jd", "10c 10d 10s Qh 7c 4d As 6s 8h Ks"),
        pile="Jc",
        stock="4c 5c",
        judge=_ends_as(_is_gin),
        before=("draw",),
        replies=("done",),
    ),
    Step(
        hands=("8h Kd Jc Jd Js 7s 8s 9s 2h 3d", "5h 6h 7h Ks Kh Kc 2d 2c As 4s"),
        pile="10h",
        stock="Qd 5c",
        judge=_ends_as(_undercuts),
        begins=TEACHER,
        before=("draw", "knock Qd"),
    ),
    Step(
        hands=("5h 6h 7h 9s 9h 9d Ac 2c 3c 4s", "10c 10d 10s Qh 7c 4d As 6s 8c Ks"),
        pile="Jc",
        stock="Qd 5c",
        judge=_ends_as(_wins_the_match),
        before=("draw",),
        replies=("done",),
        scores=(82, 61),
        boxes=(4, 2),
    ),
)


def gin_course(rules: Ruleset, names: tuple[str, str], first: int = 1) -> Course:
    """Return the tutorial, begun at a step."""
    return Course(rules, STEPS, gin_lesson, names, first)
