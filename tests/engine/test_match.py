"""A match: dealing, running totals, who is out, when it is over and who has won."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest

from rummy_p2p.cards import Card, pack, parse_cards
from rummy_p2p.engine import (
    HandState,
    IllegalAction,
    MatchState,
    Phase,
    Want,
    forfeit,
    open_hand,
    reveal,
    settle,
    start_match,
    unshown,
)
from rummy_p2p.engine import events as ev
from rummy_p2p.ruleset import Round, Ruleset
from tests.engine.play import Play

BASE = Ruleset().with_(players__max=6, hand_size=(10, 7, 7, 6, 6))
LIMIT_50 = BASE.with_(match__limit=50)
TARGET_100 = BASE.with_(match__target=100)
HIGHEST = BASE.with_(match__target=100, match__winner="highest")
GIN = HIGHEST.with_(scoring__game_bonus=100, scoring__box_bonus=25, match__dealer="rotates-unless-void")
ONE_ROUND = BASE.with_(rounds=(Round(contract="33", hand_size=7),))


def counted(match: MatchState, points: Sequence[int], winner: int | None = None, ending: str = "out") -> HandState:
    state = open_hand(BASE, msgspec.structs.replace(match, out=frozenset())).state
    return msgspec.structs.replace(state, phase=Phase.OVER, points=tuple(points), winner=winner, ending=ending)


def after(rules: Ruleset, *hands: Sequence[int], scores: Sequence[int] | None = None) -> MatchState:
    """Return the match after hands with these points; the seat with none has won the hand."""
    match = start_match(rules, len(hands[0]))
    match = msgspec.structs.replace(match, scores=tuple(scores or match.scores))
    for points in hands:
        winner = points.index(0) if 0 in points else None
        match = settle(rules, match, counted(match, points, winner)).match
    return match


# --- dealing ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "each"), [(2, 10), (3, 7), (4, 7), (5, 6), (6, 6)])
def test_slots_are_dealt_from_the_left_of_the_dealer_then_the_upcard_then_the_stock(seats: int, each: int) -> None:
    step = open_hand(BASE, start_match(BASE, seats, dealer=1))
    state = step.state
    first = 2 % seats
    assert state.hands[first] == tuple(range(each))
    assert sorted(slot for hand in state.hands for slot in hand) == list(range(each * seats))
    assert state.pile == (each * seats,)
    assert state.stock == tuple(range(each * seats + 1, 52))
    assert (state.phase, state.turn, state.dealer) == (Phase.DEALING, first, 1)
    assert state.faces == (None,) * 52
    assert step.events == (ev.Dealt((each,) * seats, 1),)
    private = {(want.slot, want.seat) for want in step.wants[:-1]}
    assert private == {(slot, seat) for seat, hand in enumerate(state.hands) for slot in hand}
    assert step.wants[-1] == Want(each * seats)


def test_the_first_turn_begins_when_the_upcard_is_known() -> None:
    state = open_hand(BASE, start_match(BASE, 2)).state
    assert reveal(state, {}).state.phase is Phase.DEALING
    step = reveal(state, {20: Card.parse("9c")})
    assert step.events == (ev.Upcard(Card.parse("9c")), ev.Turn(1))
    assert (step.state.phase, step.state.top()) == (Phase.DRAW, Card.parse("9c"))
    again = reveal(step.state, {20: Card.parse("9c")})
    assert (again.state, again.events) == (step.state, ())


def test_a_joker_may_be_the_upcard() -> None:
    rules = BASE.with_(deck__jokers=2)
    step = reveal(open_hand(rules, start_match(rules, 2)).state, {20: Card.parse("JK")})
    assert step.state.phase is Phase.DRAW


def test_without_an_upcard_the_first_turn_begins_at_once() -> None:
    rules = BASE.with_(upcard=False)
    step = open_hand(rules, start_match(rules, 2))
    assert (step.state.phase, step.state.pile, len(step.state.stock)) == (Phase.DRAW, (), 32)
    assert step.events == (ev.Dealt((10, 10), 0), ev.Turn(1))
    assert all(want.seat is not None for want in step.wants)


def test_the_first_upcard_is_offered_where_the_game_has_it() -> None:
    rules = BASE.with_(draw__first_upcard_offer=True)
    step = reveal(open_hand(rules, start_match(rules, 2)).state, {20: Card.parse("9c")})
    assert (step.state.phase, step.state.turn) == (Phase.OFFER, 1)


def test_a_hand_is_counted_with_the_cards_that_others_opened_for_a_seat_that_is_gone() -> None:
    play = Play(BASE, "2s", "Ks Kh", phase=Phase.PLAY).do("A discard 2s")
    king, other = play.state.hands[1]
    first = reveal(play.state, {king: play.order[king]})
    assert (first.state.phase, unshown(first.state), first.events) == (Phase.COUNT, (1,), ())
    step = reveal(first.state, {other: play.order[other]})
    assert step.events[0] == ev.Shown(1, parse_cards("Ks Kh"))
    assert (step.state.phase, step.state.winner, step.state.points) == (Phase.OVER, 0, (0, 20))


def test_who_is_out_gets_no_cards_and_no_turn() -> None:
    match = msgspec.structs.replace(start_match(BASE, 4, dealer=0), out=frozenset({1}))
    step = open_hand(BASE, match)
    assert step.state.playing == (True, False, True, True)
    assert step.events == (ev.Dealt((7, 0, 7, 7), 0),)
    assert step.state.turn == 2


@pytest.mark.parametrize(("hand", "cards", "contract"), [(1, 10, "33"), (2, 12, "444"), (3, 12, "444")])
def test_every_hand_of_a_match_with_contracts_has_its_own(hand: int, cards: int, contract: str) -> None:
    rules = BASE.with_(deck__packs=2, rounds=(Round(contract="33", hand_size=10), Round(contract="444", hand_size=12)))
    state = open_hand(rules, msgspec.structs.replace(start_match(rules, 2), hand_number=hand)).state
    assert len(state.hands[0]) == cards
    assert rules.rounds[state.round_index].contract == contract


@pytest.mark.parametrize("seats", [1, 7])
def test_a_match_is_for_as_many_as_the_game_is_for(seats: int) -> None:
    with pytest.raises(IllegalAction) as refused:
        start_match(BASE, seats)
    assert (refused.value.code, refused.value.knob, refused.value.parameters) == (
        "invalid-deal",
        "players",
        {"seats": seats},
    )


def test_the_state_of_a_fresh_hand_is_the_same_on_every_peer_and_knows_no_card() -> None:
    one, other = (open_hand(BASE, start_match(BASE, 3)).state for _ in range(2))
    assert one.digest() == other.digest()
    assert not set(one.faces) & set(pack(1, 0))


# --- totals and the deal ---------------------------------------------------------------------------------------------


def test_points_are_added_up_and_the_deal_goes_round() -> None:
    match = after(BASE, (0, 12, 7), (20, 0, 3))
    assert (match.scores, match.boxes, match.hand_number, match.dealer) == ((20, 12, 10), (1, 1, 0), 3, 2)
    assert not match.over


@pytest.mark.parametrize(("knob", "dealer"), [("rotates", 1), ("rotates-unless-void", 0)])
def test_a_void_hand_does_not_count_and_may_leave_the_deal_where_it_is(knob: str, dealer: int) -> None:
    rules = BASE.with_(match__dealer=knob)
    match = start_match(rules, 3)
    void = settle(rules, match, counted(match, (0, 0, 0), None, "void")).match
    assert (void.hand_number, void.dealer, void.boxes) == (1, dealer, (0, 0, 0))
    played = settle(rules, match, counted(match, (0, 5, 5), 0)).match
    assert played.dealer == 1


def test_the_deal_passes_over_who_is_out() -> None:
    match = after(LIMIT_50, (0, 51, 7), scores=(0, 0, 0))
    assert (match.out, match.dealer) == (frozenset({1}), 2)


def test_only_a_counted_hand_is_settled_and_only_in_a_match_that_goes_on() -> None:
    match = start_match(BASE, 2)
    with pytest.raises(IllegalAction, match="invalid-deal"):
        settle(BASE, match, open_hand(BASE, match).state)
    over = msgspec.structs.replace(match, over=True)
    for call in (
        lambda: settle(BASE, over, counted(match, (0, 1), 0)),
        lambda: open_hand(BASE, over),
        lambda: forfeit(over, 0, BASE),
    ):
        with pytest.raises(IllegalAction, match="match-over"):
            call()


# --- the end ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "scores", "hand", "over", "winners", "out"),
    [
        # above the limit is out, on it is not; the last one left wins
        (LIMIT_50, (0, 45, 40), (0, 5, 11), False, (), {2}),
        (LIMIT_50, (30, 40, 0), (0, 11, 60), True, (0,), {1, 2}),
        (LIMIT_50, (30, 40), (0, 11), True, (0,), {1}),
        (LIMIT_50, (30, 40), (0, 10), False, (), set()),
        # all above it in a hand that nobody won: the lowest total wins, equal ones share
        (LIMIT_50, (45, 49, 49), (8, 7, 9), True, (0,), {1, 2}),
        (LIMIT_50, (45, 49, 44), (8, 4, 9), True, (0, 1, 2), set()),
        (LIMIT_50, (45, 49, 49), (8, 4, 9), True, (0, 1), {2}),
        (BASE.with_(match__limit=1), (0, 0, 0, 0), (5, 0, 2, 30), True, (1,), {0, 2, 3}),
        # a target ends the match, lowest or highest wins
        (TARGET_100, (90, 20, 10), (9, 0, 30), False, (), set()),
        (TARGET_100, (90, 20, 10), (10, 0, 30), True, (1,), set()),
        (TARGET_100, (90, 20, 20), (10, 5, 5), True, (1, 2), set()),
        (HIGHEST, (90, 80), (9, 19), False, (), set()),
        (HIGHEST, (90, 80), (45, 30), True, (0,), set()),
        (HIGHEST, (90, 80), (10, 20), True, (0, 1), set()),
        (HIGHEST.with_(match__tie="one-more-hand"), (90, 80), (10, 20), False, (), set()),
        (HIGHEST.with_(match__tie="one-more-hand"), (90, 80), (10, 21), True, (1,), set()),
        (HIGHEST, (-90, 99), (0, 1), True, (1,), set()),
        # a number of hands ends the match
        (BASE.with_(match__deals=1), (5, 5), (0, 3), True, (0,), set()),
        (BASE.with_(match__deals=2), (5, 5), (0, 3), False, (), set()),
        (BASE.with_(match__deals=1), (5, 5), (3, 3), True, (0, 1), set()),
        (BASE.with_(match__deals=1, match__tie="one-more-hand"), (5, 5), (3, 3), False, (), set()),
        # so does the last contract
        (ONE_ROUND, (9, 5), (0, 3), True, (1,), set()),
        # nothing ends a match without an end
        (BASE, (999, 999), (0, 3), False, (), set()),
    ],
)
def test_when_a_match_is_over_and_who_has_won(
    rules: Ruleset,
    scores: Sequence[int],
    hand: Sequence[int],
    winners: tuple[int, ...],
    out: set[int],
    *,
    over: bool,
) -> None:
    match = after(rules, hand, scores=scores)
    assert (match.over, match.winners, match.out) == (over, winners, frozenset(out))
    assert match.scores == tuple(a + b for a, b in zip(scores, hand, strict=True))


def test_what_is_said_when_a_match_is_over() -> None:
    match = msgspec.structs.replace(start_match(LIMIT_50, 3), scores=(30, 40, 45))
    step = settle(LIMIT_50, match, counted(match, (0, 11, 6), 0))
    assert step.events == (ev.Eliminated(1, 51), ev.Eliminated(2, 51), ev.MatchEnded((0,), (30, 51, 51)))


def test_the_last_contract_is_played_again_when_it_was_void() -> None:
    match = start_match(ONE_ROUND, 2)
    void = settle(ONE_ROUND, match, counted(match, (0, 0), None, "void")).match
    assert not void.over
    assert settle(ONE_ROUND, void, counted(void, (0, 9), 0)).match.over


def test_boxes_and_the_game_bonus_come_on_top_when_the_match_is_over_and_not_before() -> None:
    nine_tens = after(GIN, *[(10, 0)] * 9)
    assert (nine_tens.scores, nine_tens.over) == ((90, 0), False)
    match = msgspec.structs.replace(start_match(GIN, 2), scores=(55, 95), boxes=(2, 1))
    step = settle(GIN, match, counted(match, (0, 20), 1))
    assert (step.match.scores, step.match.winners) == ((105, 265), (1,))
    assert step.events == (ev.MatchEnded((1,), (105, 265)),)


def test_who_forfeits_has_lost_whatever_the_totals() -> None:
    match = msgspec.structs.replace(start_match(HIGHEST, 3), scores=(90, 10, 20))
    step = forfeit(match, 0, HIGHEST)
    assert (step.match.over, step.match.winners, step.match.scores) == (True, (2,), (90, 10, 20))
    assert step.events == (ev.MatchEnded((2,), (90, 10, 20)),)
    two = msgspec.structs.replace(start_match(TARGET_100, 2), scores=(0, 99))
    assert forfeit(two, 0, TARGET_100).match.winners == (1,)
