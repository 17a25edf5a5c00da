"""The state machine of a hand: what every action does in every phase, and how a hand goes on and ends."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from rummy_p2p.cards import Card, parse_cards
from rummy_p2p.engine import HandState, IllegalAction, Phase, Want, apply, parse_action, time_out, unshown
from rummy_p2p.engine import events as ev
from rummy_p2p.engine.moves import _TABLE, attach
from rummy_p2p.rules import actions as act
from rummy_p2p.rules.functions import HandSummary
from rummy_p2p.ruleset import KnobFunction, Ruleset
from tests.engine.play import Play

BASE = Ruleset().with_(players__max=6, deck__packs=2, deck__jokers=4)
GIN = Ruleset().with_(
    players__max=2,
    lay="at-knock",
    lay_off="after-knock",
    going_out__how="knock",
    scoring__kind="gin",
    scoring__gin_bonus=25,
    scoring__undercut_bonus=25,
)
RUMMY_CALL = BASE.with_(claim__kind="rummy-call", lay_off="always")
KNOCK_CLAIM = BASE.with_(claim__kind="knock-claim", claim__penalty=2, claim__source="stock")
BUY = BASE.with_(claim__kind="buy", claim__penalty=1)
PLAY = Phase.PLAY


def kinds(play: Play) -> list[str]:
    return [type(event).__name__ for event in play.events]


# --- every action in every phase -------------------------------------------------------------------------------------

# A is on turn, holds 2s and 8c, and others could answer, lay off or ask; "ok" is a step, "-" and "." abbreviate
# hand-over and option-off.
GRID = """
              dealing     offer          draw           answer         play           lay-off        count  over
draw          draw-first  .              ok             already-drawn  already-drawn  .              -      -
take          draw-first  ok             ok             already-drawn  already-drawn  .              -      -
turn-over     draw-first  .              .              already-drawn  already-drawn  .              -      -
pass          draw-first  ok             .              already-drawn  already-drawn  .              -      -
meld_9s       draw-first  draw-first     draw-first     not-in-hand    not-in-hand    .              -      -
add_8c_1      draw-first  draw-first     draw-first     ok             ok             ok             -      -
swap_2s_1     draw-first  draw-first     draw-first     no-joker       no-joker       .              -      -
discard_2s    draw-first  draw-first     draw-first     ok             ok             .              -      -
knock_2s      draw-first  draw-first     draw-first     .              .              .              -      -
call          draw-first  no-claim-open  no-claim-open  no-claim-open  no-claim-open  no-claim-open  -      -
keep          draw-first  .              .              ok             .              .              -      -
give          draw-first  .              .              ok             .              .              -      -
done          draw-first  .              .              .              .              ok             -      -
show          draw-first  .              .              .              .              .              ok     -
"""
ROWS = [line.split() for line in GRID.strip().splitlines()]
PAIRS = [
    (phase, row[0].replace("_", " "), cell) for row in ROWS[1:] for phase, cell in zip(ROWS[0], row[1:], strict=True)
]


def in_phase(phase: Phase) -> Play:
    rules = BUY.with_(lay_off="after-knock" if phase is Phase.LAY_OFF else "always")
    play = Play(rules, "2s 8c", "3s", pile="9c", table="5c 6c 7c", phase=phase)
    late = {"claim": "late", "callers": (1,), "drawn": play.state.hands[0][-1]} if phase is Phase.ANSWER else {}
    play.state = msgspec.structs.replace(play.state, **late)
    return play


@pytest.mark.parametrize(("phase", "move", "outcome"), PAIRS)
def test_every_action_in_every_phase(phase: str, move: str, outcome: str) -> None:
    play = in_phase(Phase(phase))
    if outcome == "ok":
        before = play.state
        assert play.do(f"A {move}").state != before
    else:
        assert play.refused(f"A {move}") == {"-": "hand-over", ".": "option-off"}.get(outcome, outcome)


def test_the_grid_knows_every_phase_and_every_action() -> None:
    assert [Phase(phase) for phase in ROWS[0]] == list(_TABLE) == list(Phase)
    assert {row[0].split("_")[0] for row in ROWS[1:]} == set(act.VERBS)


@pytest.mark.parametrize("phase", [phase for phase in Phase if phase not in (Phase.COUNT, Phase.OVER)])
@pytest.mark.parametrize("move", [row[0].replace("_", " ") for row in ROWS[1:] if row[0] not in ("call", "show")])
def test_only_the_seat_on_turn_acts_but_for_calls(phase: Phase, move: str) -> None:
    play = in_phase(phase)
    assert play.refused(f"B {move}") == "not-your-turn"


@pytest.mark.parametrize("seat", [2, 3, -1])
@pytest.mark.parametrize("action", [act.Draw(), act.Call(), act.Show()])
def test_a_seat_that_does_not_play_does_nothing(seat: int, action: act.Action) -> None:
    play = Play(BASE, "2s", "3s", "4s", playing=(True, True, False))
    with pytest.raises(IllegalAction) as refused:
        apply(play.state, seat, action, {})
    assert refused.value.code == "not-your-turn"


# --- faces -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shown", "why"),
    [
        ({0: "9c"}, "the face of the slot is another one"),
        ({1: "4d"}, "the card lies face up elsewhere"),
        ({1: "2s", 2: "2s"}, "two slots cannot hold one card"),
        ({99: "Ks"}, "there is no such slot"),
        ({-1: "Ks"}, "there is no such slot"),
    ],
)
def test_no_card_lies_in_two_places(shown: dict[int, str], why: str) -> None:
    state = msgspec.structs.replace(
        Play(BASE, "4d", "3s", stock="2s 5s").state, faces=(Card.parse("4d"), None, None, None)
    )
    with pytest.raises(IllegalAction) as refused:
        attach(state, {slot: Card.parse(card) for slot, card in shown.items()})
    assert refused.value.code == "invalid-deal", why


def test_a_face_is_attached_once_and_may_be_shown_again() -> None:
    state = Play(BASE, "4d", "3s", stock="2s").state
    assert attach(state, {}) is state
    shown = attach(state, {0: Card.parse("4d")})
    assert shown.faces == (Card.parse("4d"), None, None)
    assert attach(shown, {0: Card.parse("4d"), 1: Card.parse("3s")}).faces[:2] == parse_cards("4d 3s")


# --- drawing ---------------------------------------------------------------------------------------------------------


def test_a_drawn_card_is_shown_to_the_drawer_alone() -> None:
    play = Play(BASE, "2s", "3s", stock="5s 6s").do("A draw")
    slot = play.state.hands[0][-1]
    assert (play.hand("A"), play.stock, play.state.phase) == ("2s 5s", "6s", PLAY)
    assert play.events == [ev.Drew(0, slot)]
    assert play.wants == [Want(slot, 0)]
    assert play.state.faces[slot] is None
    assert play.state.drawn == slot


def test_cards_from_the_pile_are_taken_from_the_top_the_deepest_first() -> None:
    play = Play(BASE.with_(draw__pile="many"), "2s", "3s", pile="4s 5s 6s 7s").do("A take 3")
    assert (play.hand("A"), play.pile) == ("2s 5s 6s 7s", "4s")
    assert play.events == [ev.Took(0, parse_cards("5s 6s 7s"))]
    assert play.wants == []
    assert play.state.upcard_draws == 1


@pytest.mark.parametrize(
    ("must_use", "top", "count", "owed"),
    [
        ("no", True, 2, None),
        ("before-discard", True, 2, "9h"),
        ("before-discard", True, 1, "9d"),
        ("before-discard", False, 2, "9h"),
        ("before-discard", False, 1, None),
        ("next-action", True, 1, "9d"),
    ],
)
def test_the_deepest_card_taken_is_owed_where_it_must_be_used(
    must_use: str, count: int, owed: str | None, *, top: bool
) -> None:
    rules = BASE.with_(draw__pile="many", draw__must_use=must_use, draw__must_use_top=top)
    play = Play(rules, "9s 9c 2s", "3s", pile="9h 9d").do(f"A take {count}")
    assert (None if play.state.owed is None else str(play.order[play.state.owed])) == owed


def test_only_who_has_not_opened_may_owe_what_was_taken() -> None:
    rules = BASE.with_(draw__must_use="before-discard", draw__must_use_who="not-opened")
    assert Play(rules, "9s 9c 2s", "3s", pile="9d").do("A take").state.owed is not None
    assert Play(rules, "9s 9c 2s", "3s", pile="9d", opened="A").do("A take").state.owed is None


def test_what_is_owed_is_settled_by_laying_it() -> None:
    play = Play(BASE.with_(draw__must_use="before-discard"), "9s 9c 2s Ks", "3s", pile="9d").do("A take")
    assert play.do("A meld 9s 9c 9d").state.owed is None
    assert play.do("A discard Ks").turn == "B"


def test_a_reshuffle_keeps_the_top_and_retires_the_slots_of_the_others() -> None:
    play = Play(BASE, "2s", "3s", stock="", pile="4s 5s 6s 7s")
    old, top = play.state.pile[:-1], play.state.pile[-1]
    size = len(play.state.faces)
    play.do("A draw")
    assert play.pile == "7s"
    assert play.state.pile == (top,)
    assert [play.state.faces[slot] for slot in old] == [None, None, None]
    new = tuple(range(size, size + 3))
    assert (*play.state.hands[0][1:], *play.state.stock) == new
    assert [play.state.faces[slot] for slot in new] == [None, None, None]
    assert play.events == [ev.Reshuffled(parse_cards("4s 5s 6s"), new), ev.Drew(0, new[0])]
    assert play.wants == [Want(new[0], 0)]
    assert play.state.shuffles == 1


def test_after_a_reshuffle_every_card_has_one_live_slot_and_can_be_shown_anew() -> None:
    play = Play(BASE, "2s", "3s", stock="", pile="4s 5s 6s").do("A draw", "A discard 4s", "B draw", "B discard 5s")
    live = [*play.state.stock, *play.state.pile, *(slot for hand in play.state.hands for slot in hand)]
    assert sorted(play.order[slot] for slot in live) == play.cards
    known = [face for face in play.state.faces if face is not None]
    assert sorted(known) == sorted(parse_cards("4s 5s 6s"))
    assert play.pile == "6s 4s 5s"


def test_the_pile_is_shuffled_only_so_often() -> None:
    play = Play(BASE.with_(stock_out__max_times=1), "2s 7s", "3s", stock="", pile="4s 5s")
    play.do("A draw", "A discard 2s")
    assert play.refused("B draw") == "stock-empty"
    assert play.do("B take").hand("B") == "2s 3s"


def test_a_pile_that_is_turned_over_stays_public_and_is_drawn_the_oldest_card_first() -> None:
    play = Play(BASE.with_(stock_out__what="turn-over"), "2s", "3s", stock="", pile="4s 5s").do("A turn-over")
    assert (play.stock, play.pile, play.turn, play.state.phase) == ("4s 5s", "", "A", Phase.DRAW)
    assert play.refused("A take") == "pile-empty"
    assert play.do("A draw").hand("A") == "2s 4s"
    assert play.events == [ev.TurnedOver(0, 2), ev.Drew(0, play.state.hands[0][-1])]
    assert play.wants == []


def test_the_pile_is_turned_over_only_so_often_then_it_is_taken_or_all_count() -> None:
    rules = BASE.with_(stock_out__what="turn-over", stock_out__max_times=1)
    play = Play(rules, "2s", "3s", stock="", pile="4s").do("A turn-over", "A draw", "A discard 4s")
    assert play.refused("B turn-over") == "stock-empty"
    assert play.refused("B draw") == "stock-empty"
    play.do("B pass", "A show", "B show")
    assert (play.state.ending, play.state.winner, play.state.points) == ("stock", None, (2, 3))


# --- the first upcard ------------------------------------------------------------------------------------------------

OFFER = BASE.with_(draw__first_upcard_offer=True)


def test_the_first_upcard_goes_round_and_then_lies_dead() -> None:
    play = Play(OFFER, "2s", "3s", "4s", pile="9c", phase=Phase.OFFER).do("A pass", "B pass")
    assert (play.turn, play.state.phase) == ("C", Phase.OFFER)
    play.do("C pass")
    assert (play.turn, play.state.phase) == ("A", Phase.DRAW)
    assert play.refused("A take") == "option-off"
    assert kinds(play) == ["Passed", "Turn"] * 3
    assert play.do("A draw", "A discard 2s", "B take").hand("B") == "2s 3s"


def test_who_takes_the_first_upcard_plays_and_the_next_seat_follows() -> None:
    play = Play(OFFER, "2s", "3s", "4s", pile="9c", phase=Phase.OFFER).do("A pass", "B take")
    assert (play.hand("B"), play.state.phase) == ("3s 9c", PLAY)
    assert play.do("B discard 3s").turn == "C"


# --- laying ----------------------------------------------------------------------------------------------------------


def test_melds_are_numbered_on_and_the_first_lay_down_opens() -> None:
    play = Play(BASE, "9s 9h 9d 4h 5h 6h 2s", "3s", table="7c 8c 9c", owner=1, phase=PLAY)
    play.do("A meld 9s 9h 9d | 4h 5h 6h")
    assert play.table == ["7c 8c 9c", "9s 9h 9d", "4h 5h 6h"]
    nines, run = (laid.meld for laid in play.state.table[1:])
    assert play.events == [ev.MeldLaid(0, 2, nines, 27, opens=True), ev.MeldLaid(0, 3, run, 15)]
    assert (play.state.opened, play.state.down, play.state.laid_points) == ((True, True), (True, True), (42, 0))
    assert [laid.owner for laid in play.state.table] == [1, 0, 0]
    assert play.hand("A") == "2s"


def test_a_later_meld_does_not_open_again() -> None:
    play = Play(BASE, "9s 9h 9d 2s", "3s", phase=PLAY, opened="A").do("A meld 9s 9h 9d")
    assert isinstance(play.events[0], ev.MeldLaid)
    assert not play.events[0].opens


def test_a_lay_off_scores_for_who_lays_it_what_it_adds() -> None:
    play = Play(BASE.with_(lay_off="always"), "Ac 8c 2s", "3s", table="5c 6c 7c", owner=1, phase=PLAY).do("A add 8c")
    assert (play.table, play.state.laid_points) == (["5c 6c 7c 8c"], (8, 0))
    assert play.events == [ev.LaidOff(0, Card.parse("8c"), 1, play.state.table[0].meld)]
    assert play.state.table[0].owner == 1
    assert (play.state.opened[0], play.state.down[0]) == (False, True)


def test_lay_offs_count_towards_the_opening_in_the_turn_in_which_they_are_laid() -> None:
    rules = BASE.with_(opening__points=30, opening__layoffs_count=True, lay_off="always")
    hand = "8c 9c 4h 4d 4c 2s"
    play = Play(rules, hand, "3s Ks", table="5c 6c 7c", owner=1, phase=PLAY).do("A add 8c", "A add 9c")
    assert play.refusal("A meld 4h 4d 4c").parameters == {"points": 29, "minimum": 30}
    more = Play(rules, hand.replace("2s", "10c 2s"), "3s", table="5c 6c 7c", owner=1, phase=PLAY)
    assert more.do("A add 8c", "A add 9c", "A add 10c", "A meld 4h 4d 4c").state.opened[0]
    later = Play(rules, hand.replace("2s", "10c 2s Kd"), "3s", table="5c 6c 7c", owner=1, phase=PLAY)
    later.do("A add 8c", "A add 9c", "A add 10c", "A discard Kd", "B draw", "B discard 3s", "A draw")
    assert later.refusal("A meld 4h 4d 4c").parameters == {"points": 12, "minimum": 30}


def test_a_chain_of_lay_offs_grows_on_what_was_laid() -> None:
    play = Play(BASE, "8c 9c 2s", "3s", table="5c 6c 7c", opened="A", phase=PLAY)
    assert play.refused("A add 9c 1") == "does-not-fit"
    assert play.do("A add 8c 1", "A add 9c 1").table == ["5c 6c 7c 8c 9c"]


def test_an_end_is_chosen_where_a_card_fits_at_both() -> None:
    run = "2s 3s 4s 5s 6s 7s 8s 9s 10s Js Qs Ks"
    play = Play(BASE, "As As' 2h", "3h", table=run, opened="A", phase=PLAY)
    assert play.do("A add As 1 left", "A add As' 1").table == [f"As {run} As'"]


def test_a_swapped_joker_comes_to_hand_and_may_be_used_at_once() -> None:
    rules = BASE.with_(joker_swap__who="any-missing")
    play = Play(rules, "10s 4h 5h 2s", "3s", table="9s JK Js", owner=1, opened="A", phase=PLAY).do("A swap 10s 1")
    assert (play.table, play.hand("A")) == (["9s 10s Js"], "2s 4h 5h JK")
    assert play.events == [ev.Swapped(0, Card.parse("10s"), 1)]
    assert play.do("A meld 4h 5h JK").hand("A") == "2s"


def test_a_swapped_joker_may_be_kept_or_discarded() -> None:
    rules = BASE.with_(joker_swap__who="any-missing", joker_swap__needs_opening=False)
    play = Play(rules, "10s 2s", "3s", table="9s JK Js", owner=1, phase=PLAY).do("A swap 10s", "A discard JK", "B take")
    assert play.hand("B") == "3s JK"
    assert play.state.down == (True, True)


def test_twins_are_two_cards() -> None:
    play = Play(BASE, "7h 7h' 8h 9h", "8h' 9h' Ks'", pile="Ks", phase=PLAY).do("A discard 7h'")
    assert (play.hand("A"), play.pile) == ("7h 8h 9h", "Ks 7h'")
    play.do("B take")
    assert play.refused("B discard 7h") == "may-not-return"
    assert play.do("B meld 7h 8h 9h").table == ["7h' 8h' 9h'"]
    assert play.hand("A") == "7h 8h 9h"


def test_of_twins_in_one_hand_only_the_one_that_was_taken_may_not_go_back() -> None:
    play = Play(BASE, "9c' Ks", "3s", pile="9c").do("A take")
    taken = act.Discard(Card.parse("9c"))
    with pytest.raises(IllegalAction) as refused:
        apply(play.state, 0, taken, {})
    assert refused.value.code == "may-not-return"
    assert play.do("A discard 9c").pile == "9c'"
    assert play.hand("A") == "Ks 9c"


# --- going out -------------------------------------------------------------------------------------------------------


def test_the_last_discard_ends_the_hand() -> None:
    play = Play(BASE, "2s", "Ks As", phase=PLAY, opened="A").do("A discard 2s")
    assert (play.state.phase, play.state.ending, play.state.winner) == (Phase.COUNT, "out", 0)
    assert kinds(play) == ["Discarded", "WentOut", "HandEnded"]
    assert not play.state.took_all
    assert play.refused("B draw") == "hand-over"
    play.do("B show")
    assert play.state.over
    assert play.events[3] == ev.Shown(1, parse_cards("Ks As"))
    assert play.events[4] == ev.Scored((0, 11), play.state.sheet, 0)


@pytest.mark.parametrize("move", ["meld 9s 9h 9d", "add 8c"])
def test_the_last_card_may_be_laid_where_the_game_has_it(move: str) -> None:
    hand = "8c" if move == "add 8c" else "9s 9h 9d"
    rules = BASE.with_(going_out__how="may-lay")
    play = Play(rules, hand, "Ks", table="5c 6c 7c", opened="A", phase=PLAY).do(f"A {move}")
    assert (play.state.ending, play.state.winner) == ("out", 0)
    assert kinds(play)[1:] == ["WentOut", "HandEnded"]


@pytest.mark.parametrize(
    ("opened", "moves", "at_once"),
    [
        ("", ["meld 9s 9h 9d", "discard 2s"], True),
        ("", ["meld 9s 9h 9d", "add 9c", "discard 2s"], True),
        ("A", ["meld 9s 9h 9d", "discard 2s"], False),
    ],
)
def test_take_all_is_when_nothing_lay_on_the_table_before_the_turn(
    opened: str, moves: list[str], *, at_once: bool
) -> None:
    hand = "9s 9h 9d 9c 2s" if "add 9c" in moves else "9s 9h 9d 2s"
    rules = BASE.with_(scoring__take_all_factor=2)
    play = Play(rules, hand, "Ks", phase=PLAY, opened=opened).do(*(f"A {move}" for move in moves), "B show")
    assert play.state.took_all is at_once
    assert play.state.points == (0, 20 if at_once else 10)
    assert ev.WentOut(0, at_once) in play.events


def test_take_all_is_spoilt_by_a_lay_off_of_an_earlier_turn() -> None:
    play = Play(BASE.with_(lay_off="always"), "8c 2s 9s", "Ks 3s", table="5c 6c 7c", owner=1, stock="9h 9d", phase=PLAY)
    play.do("A add 8c", "A discard 2s", "B draw", "B discard 3s")
    assert not play.state.opened[0]
    assert play.state.was_down


def points_laid(told: HandSummary) -> int:
    return told.points_laid


def test_a_function_may_forbid_to_go_out() -> None:
    function = KnobFunction(name="may_go_out", plugin="seven", version="1", source_hash="00", call=points_laid)
    rules = BASE.with_function(function)
    refusal = Play(rules, "2s", "Ks", phase=PLAY).refusal("A discard 2s")
    assert (refusal.code, refusal.knob) == ("option-off", "functions.may_go_out")
    assert Play(rules, "2s", "Ks", phase=PLAY, laid_points=(5, 0)).do("A discard 2s").state.ending == "out"


# --- the stock runs out ----------------------------------------------------------------------------------------------


def test_the_hand_ends_with_the_turn_of_who_drew_the_last_card() -> None:
    rules = BASE.with_(stock_out__what="hand-ends")
    play = Play(rules, "2s", "3s", stock="5s 6s").do("A draw", "A discard 5s")
    assert play.turn == "B"
    play.do("B draw", "B discard 6s")
    assert (play.state.phase, play.state.ending, play.state.winner) == (Phase.COUNT, "stock", None)


def test_who_goes_out_with_the_last_card_of_the_stock_wins() -> None:
    rules = BASE.with_(stock_out__what="hand-ends", going_out__how="may-lay")
    play = Play(rules, "9s 9h", "3s", stock="9d").do("A draw", "A meld 9s 9h 9d")
    assert (play.state.ending, play.state.winner) == ("out", 0)


def test_play_goes_on_with_the_pile_until_somebody_declines() -> None:
    play = Play(BASE.with_(stock_out__what="play-on"), "2s", "3s", stock="5s").do("A draw", "A discard 5s")
    assert play.refused("B draw") == "stock-empty"
    assert play.do("B take", "B discard 3s", "A pass").state.ending == "stock"


VOID = GIN.with_(stock_out__what="void", stock_out__at=2, deck__packs=1)


def test_a_hand_is_void_when_two_cards_are_left() -> None:
    play = Play(VOID, "2s", "3s", stock="5s 6s 7s").do("A draw", "A discard 5s")
    assert (play.state.phase, play.state.ending, play.state.points) == (Phase.OVER, "void", (0, 0))
    assert play.state.sheet == ((), ())


def test_with_the_last_card_action_the_discard_may_be_taken_once() -> None:
    rules = VOID.with_(stock_out__last_card_action=True, going_out__knock_limit=0)
    play = Play(rules, "2s", "9s 9h", stock="9d 6s 7s").do("A draw", "A discard 9d")
    assert play.refused("B draw") == "stock-empty"
    assert play.do("B take").refused("B discard 9d") == "may-not-return"
    assert play.do("B discard 9s").state.ending == "void"
    passed = Play(rules, "2s", "9s 9h", stock="9d 6s 7s").do("A draw", "A discard 9d", "B pass")
    assert passed.state.ending == "void"
    gin = Play(rules, "2s 4h", "9s 9h Ks", stock="9d 6s 7s").do("A draw", "A discard 9d", "B take", "B knock Ks")
    assert gin.state.ending == "gin"


def test_endless_taking_of_upcards_is_capped() -> None:
    play = Play(GIN.with_(draw__upcard_cap=2), "2s Ks", "3s Qs", pile="9c")
    play.do("A take", "A discard Ks", "B take", "B discard Qs")
    assert play.state.ending == "void"


# --- knocking --------------------------------------------------------------------------------------------------------


def test_a_knock_lays_the_melds_as_declared_and_lets_the_defender_lay_off() -> None:
    play = Play(GIN, "5h 6h 7h 2c 2d 2s Ks", "8h 4h Qs", phase=PLAY).do("A knock Ks | 5h 6h 7h")
    assert (play.table, play.hand("A"), play.pile) == (["5h 6h 7h"], "2s 2d 2c", "Ks")
    assert (play.turn, play.state.phase, play.state.knocker) == ("B", Phase.LAY_OFF, 0)
    assert kinds(play) == ["Discarded", "Knocked", "MeldLaid", "Turn"]
    assert play.events[1] == ev.Knocked(0, 6)
    assert all(play.state.faces[slot] is not None for slot in play.state.hands[0])
    assert all(play.state.faces[slot] is None for slot in play.state.hands[1])
    assert play.refused("A done") == "not-your-turn"
    play.do("B add 8h 1", "B add 4h 1", "B done")
    assert play.state.phase is Phase.COUNT
    assert unshown(play.state) == (1,)
    play.do("B show")
    assert (play.state.winner, play.state.points) == (0, (4, 0))


def test_a_knock_without_melds_is_judged_by_the_best_arrangement() -> None:
    play = Play(GIN, "5h 6h 7h 2c 2d 2s Ks 4c", "8h", phase=PLAY).do("A knock Ks")
    assert sorted(play.table) == ["2s 2d 2c", "5h 6h 7h"]
    assert play.hand("A") == "4c"


def test_the_defender_cannot_add_to_deadwood_and_may_lay_off_everything() -> None:
    play = Play(GIN, "5h 6h 7h 2c 2d Ks", "2h 8h", phase=PLAY).do("A knock Ks")
    assert play.refused("B add 2h") == "does-not-fit"
    play.do("B add 8h")
    assert play.state.phase is Phase.LAY_OFF
    play.do("B done", "B show")
    assert (play.state.winner, play.state.points) == (1, (0, 27))


def test_a_knock_that_leaves_nothing_is_gin_and_ends_at_once() -> None:
    play = Play(GIN, "5h 6h 7h Ks", "8h Qs", phase=PLAY).do("A knock Ks")
    assert (play.state.ending, play.state.winner, play.state.phase) == ("gin", 0, Phase.COUNT)
    assert play.refused("B add 8h 1") == "gin-no-layoff"
    assert play.do("B show").state.points == (43, 0)
    assert play.refused("B add 8h 1") == "gin-no-layoff"


def test_a_big_gin_needs_no_discard() -> None:
    rules = GIN.with_(going_out__big_gin=True, scoring__big_gin_bonus=31)
    for knock in ("knock", "knock | 5h 6h 7h 8h"):
        play = Play(rules, "5h 6h 7h 8h", "Qs", phase=PLAY).do(f"A {knock}", "B show")
        assert (play.state.ending, play.state.points, play.pile) == ("big-gin", (41, 0), "")


# --- claims: the rummy call ------------------------------------------------------------------------------------------


def called(rules: Ruleset, *hands: str, **where: Any) -> Play:  # noqa: ANN401 - as of Play
    """A has discarded 8h, which fits on the table."""
    return Play(rules, "8h Kd", *hands, table="5h 6h 7h", phase=PLAY, **where).do("A discard 8h")


def test_a_rummy_call_takes_the_discard_and_leaves_the_turn() -> None:
    assert called(RUMMY_CALL, "2s", "3s").state.claimable
    play = called(RUMMY_CALL, "2s", "3s").do("C call")
    assert (play.hand("C"), play.pile, play.turn, play.state.phase) == ("3s 8h", "", "B", Phase.DRAW)
    assert play.events[-1] == ev.Claimed(2, Card.parse("8h"))
    assert not play.state.claimable
    assert play.refused("C call") == "claim-too-late"
    assert play.refused("B call") == "claim-too-late"
    assert play.refused("B take") == "pile-empty"


def test_the_next_player_may_call_and_still_draws_but_may_not_return_the_card() -> None:
    play = called(RUMMY_CALL, "2s Ks", "3s").do("B call", "B draw")
    assert len(play.state.hands[1]) == 4
    assert play.refused("B discard 8h") == "may-not-return"
    assert play.do("B discard 2s").turn == "C"


def test_a_called_card_may_be_discarded_in_the_callers_own_turn() -> None:
    play = called(RUMMY_CALL, "2s Ks", "3s").do("C call", "B draw", "B discard 2s", "C draw", "C discard 8h")
    assert play.pile.endswith("8h")


@pytest.mark.parametrize("draws", ["draw", "take"])
def test_the_window_closes_with_the_first_draw(draws: str) -> None:
    play = called(RUMMY_CALL, "2s", "3s").do(f"B {draws}")
    assert play.refused("C call") == "claim-too-late"


def test_the_discard_that_ends_the_hand_cannot_be_claimed() -> None:
    play = Play(RUMMY_CALL, "8h", "2s", "3s", table="5h 6h 7h", phase=PLAY).do("A discard 8h")
    assert play.refused("C call") == "hand-over"


def test_without_pile_and_stock_a_claim_leaves_only_to_pass() -> None:
    play = called(RUMMY_CALL, "2s", "3s", stock="").do("C call")
    assert play.refused("B draw") == "stock-empty"
    assert play.do("B pass").state.ending == "stock"


# --- claims: the knock -----------------------------------------------------------------------------------------------


def knocked(rules: Ruleset, **where: Any) -> Play:  # noqa: ANN401 - as of Play
    """A has discarded 9c."""
    return Play(rules, "9c Kd", "2s 2h", "3s 3h", "4s", **{"pile": "7d 8d", **where}, phase=PLAY).do("A discard 9c")


def test_a_knock_claim_costs_cards_of_the_stock_and_takes_the_turn() -> None:
    play = knocked(KNOCK_CLAIM, stock="5s 6s 7s").do("C call")
    assert (play.hand("C"), play.pile, play.stock) == ("3s 5s 6s 3h 9c", "7d 8d", "7s")
    assert (play.turn, play.state.phase) == ("C", PLAY)
    assert play.events[1:] == [
        ev.Turn(1),
        ev.Claimed(2, Card.parse("9c"), 2),
        ev.Drew(2, play.state.hands[2][3], "penalty"),
        ev.Drew(2, play.state.hands[2][4], "penalty"),
        ev.Turn(2),
    ]
    assert play.wants == [Want(slot, 2) for slot in play.state.hands[2][3:]]
    assert play.refused("C draw") == "already-drawn"
    assert play.refused("C call") == "claim-too-late"
    assert play.refused("C discard 9c") == "may-not-return"
    assert play.do("C discard 5s").turn == "D"


def test_a_knock_claim_costs_cards_of_the_pile_the_top_first() -> None:
    play = knocked(KNOCK_CLAIM.with_(claim__source="pile")).do("C call")
    assert (play.hand("C"), play.pile) == ("3s 3h 7d 8d 9c", "")
    assert [str(play.order[slot]) for slot in play.state.hands[2]] == ["3s", "3h", "9c", "8d", "7d"]
    assert play.wants == []
    assert play.do("C discard 8d").turn == "D"


@pytest.mark.parametrize(
    ("pile", "stock", "hand", "penalty"),
    [("8d", "5s 6s", "3s 5s 3h 8d 9c", 2), ("", "5s 6s 7s", "3s 5s 6s 3h 9c", 2), ("", "5s", "3s 5s 3h 9c", 1)],
)
def test_a_short_pile_is_filled_up_from_the_stock_as_far_as_that_goes(
    pile: str, stock: str, hand: str, penalty: int
) -> None:
    play = knocked(KNOCK_CLAIM.with_(claim__source="pile"), pile=pile, stock=stock).do("C call")
    assert play.hand("C") == hand
    assert ev.Claimed(2, Card.parse("9c"), penalty) in play.events


def test_a_knock_claim_may_be_free() -> None:
    play = knocked(KNOCK_CLAIM.with_(claim__penalty=0, claim__source="pile")).do("C call")
    assert (play.hand("C"), play.pile) == ("3s 3h 9c", "7d 8d")


def test_the_turn_may_return_to_the_player_who_was_interrupted() -> None:
    play = knocked(KNOCK_CLAIM.with_(claim__turn_returns=True)).do("C call", "C discard 3s")
    assert play.turn == "B"
    assert play.do("B draw", "B discard 2s").turn == "C"


def test_a_knock_claim_does_not_spoil_take_all() -> None:
    play = knocked(KNOCK_CLAIM.with_(claim__penalty=0)).do("C call")
    assert play.state.was_down is False


# --- claims: buying --------------------------------------------------------------------------------------------------


def asked(rules: Ruleset = BUY, **where: Any) -> Play:  # noqa: ANN401 - as of Play
    """A has discarded Ks."""
    where = {"stock": "5s 6s 7s", **where}
    return Play(rules, "Ks Kd", "2s 2h", "3s", "4s", **where, phase=PLAY).do("A discard Ks")


def test_who_is_on_turn_may_take_the_discard_and_the_buyers_get_nothing() -> None:
    play = asked().do("C call", "B take")
    assert (play.hand("B"), play.hand("C")) == ("2s Ks 2h", "3s")
    assert play.events[2] == ev.Asked(2, Card.parse("Ks"))
    assert play.refused("D call") == "claim-too-late"


@pytest.mark.parametrize(("priority", "buyer", "other"), [("ledger", "D", "C"), ("seat", "C", "D")])
def test_when_the_player_on_turn_draws_the_first_or_the_nearest_buyer_gets_it(
    priority: str, buyer: str, other: str
) -> None:
    play = asked(BUY.with_(claim__priority=priority)).do("D call", "C call", "B draw")
    assert play.hand("B") == "2s 5s 2h"
    assert play.hand(buyer) == {"C": "3s 6s Ks", "D": "4s 6s Ks"}[buyer]
    assert play.hand(other) == {"C": "3s", "D": "4s"}[other]
    assert (play.turn, play.state.phase, play.state.callers) == ("B", PLAY, ())
    assert kinds(play)[4:] == ["Drew", "Claimed", "Drew"]
    seat = "ABCD".index(buyer)
    assert play.wants == [Want(play.state.hands[1][-1], 1), Want(play.state.hands[seat][-1], seat)]
    assert play.refused(f"{other} call") == "claim-too-late"


def test_a_buyer_pays_with_what_is_left_of_the_stock() -> None:
    play = asked(BUY.with_(claim__penalty=3), stock="5s 6s").do("C call", "B draw")
    assert play.hand("C") == "3s 6s Ks"
    assert ev.Claimed(2, Card.parse("Ks"), 1) in play.events


def test_a_late_buyer_asks_the_drawer_who_may_keep_the_card() -> None:
    play = asked().do("B draw", "C call")
    assert (play.turn, play.state.phase, play.state.callers) == ("B", Phase.ANSWER, (2,))
    assert ev.Asked(2, Card.parse("Ks"), late=True) in play.events
    assert play.refused("C keep") == "not-your-turn"
    play.do("B keep")
    assert (play.hand("B"), play.hand("C"), play.state.phase) == ("2s 5s 2h", "3s", PLAY)
    assert ev.Answered(1, gives=False) in play.events
    assert play.refused("C call") == "claim-too-late"


def test_a_late_buyer_may_be_given_both_cards_and_the_drawer_draws_anew() -> None:
    play = asked().do("B draw", "C call", "B give")
    assert (play.hand("B"), play.hand("C"), play.stock, play.pile) == ("2s 6s 2h", "3s 5s Ks", "7s", "")
    assert kinds(play)[-3:] == ["Answered", "Drew", "Claimed"]
    given, new = play.state.hands[2][1], play.state.hands[1][-1]
    assert play.wants[-2:] == [Want(given, 2), Want(new, 1)]
    assert play.state.drawn == new
    assert play.do("B discard 2s").turn == "C"


def test_a_late_buyer_pays_the_rest_of_the_price_from_the_stock() -> None:
    play = asked(BUY.with_(claim__penalty=2)).do("B draw", "C call", "B give")
    assert play.hand("C") == "3s 5s 7s Ks"


def test_a_card_can_be_given_only_when_another_can_be_drawn() -> None:
    play = asked(stock="5s").do("B draw", "C call")
    assert play.refused("B give") == "stock-empty"
    play = asked(stock="5s", pile="7d 8d").do("B draw", "C call", "B give")
    assert (play.hand("B"), play.hand("C"), play.stock) == ("2s 2h 7d", "3s 5s Ks", "8d")


@pytest.mark.parametrize("move", ["meld 2s 2h 2d", "discard 2s", "add 2h 1", "swap 2h 1"])
def test_whatever_else_the_drawer_does_is_keeping_the_card(move: str) -> None:
    rules = BUY.with_(lay_off="always", joker_swap__who="any-missing", joker_swap__needs_opening=False)
    play = Play(rules, "Ks Kd", "2s 2h 2d 9d", "3s", table="2s' JK 2c", phase=PLAY, stock="5s").do(
        "A discard Ks", "B draw", "C call"
    )
    play.do(f"B {move}")
    assert (play.state.callers, play.state.phase is Phase.ANSWER) == ((), False)
    assert play.hand("C") == "3s"


@pytest.mark.parametrize("move", ["meld 2s 2h 2d", "discard 2s"])
def test_a_late_call_comes_before_the_next_action_of_the_drawer(move: str) -> None:
    play = Play(BUY, "Ks Kd", "2s 2h 2d 9d", "3s", phase=PLAY).do("A discard Ks", "B draw", f"B {move}")
    wanted = "no-claim-open" if move.startswith("discard") else "claim-too-late"
    assert play.refused("C call") == wanted


def test_who_asks_for_a_pile_that_is_turned_over_gets_nothing() -> None:
    play = asked(BUY.with_(stock_out__what="turn-over"), stock="").do("C call", "B turn-over", "B draw")
    assert (play.hand("B"), play.hand("C")) == ("2s Ks 2h", "3s")


# --- the clock -------------------------------------------------------------------------------------------------------


def test_a_time_out_before_the_draw_draws_nothing() -> None:
    play = Play(BASE, "2s", "3s", pile="9c").do("time-out")
    assert (play.hand("A"), play.pile, play.turn, play.state.phase) == ("2s", "9c", "B", Phase.DRAW)
    assert play.events == [ev.TimedOut(0), ev.Turn(1)]
    assert play.state.ready == (False, False)


def test_after_a_time_out_with_a_drawn_card_the_next_turn_begins_without_a_draw() -> None:
    play = Play(BASE, "2s", "3s", stock="5s 6s 7s").do("A draw", "time-out", "B draw", "B discard 3s")
    assert (play.hand("A"), play.turn, play.state.phase) == ("2s 5s", "A", PLAY)
    assert play.refused("A draw") == "already-drawn"
    assert play.do("A discard 2s", "B draw", "B discard 6s").state.phase is Phase.DRAW


def test_cards_from_the_pile_that_were_not_used_go_back() -> None:
    rules = BASE.with_(draw__pile="many", draw__must_use="before-discard")
    play = Play(rules, "9s 9c 2s", "3s", pile="4s 9h 9d").do("A take 2", "time-out")
    assert (play.hand("A"), play.pile, play.state.ready[0]) == ("2s 9s 9c", "4s 9h 9d", False)
    assert play.state.owed is None
    play = Play(rules, "9s 9c 2s", "3s", pile="4s 9h Kd").do("A take 2", "A meld 9s 9c 9h", "time-out")
    assert (play.hand("A"), play.pile) == ("2s", "4s Kd")
    play = Play(rules, "9s 9c 2s", "3s", pile="4s 9h").do("A take", "A meld 9s 9c 9h", "time-out")
    assert play.state.ready[0]


def test_a_time_out_closes_the_claim_and_answers_nobody() -> None:
    play = asked().do("C call", "time-out")
    assert (play.turn, play.hand("C"), play.state.claim, play.state.callers) == ("C", "3s", "closed", ())
    play = asked().do("B draw", "C call", "time-out")
    assert (play.turn, play.hand("C"), play.state.phase, play.state.ready[1]) == ("C", "3s", Phase.DRAW, True)


def test_a_discard_before_a_turn_without_a_draw_cannot_be_claimed() -> None:
    play = Play(RUMMY_CALL, "8h Kd", "2s", "3s", table="5h 6h 7h", stock="5s 6s 7s").do("A draw", "time-out")
    play.do("B draw", "B discard 2s", "C take", "C discard 3s")
    assert (play.turn, play.state.phase, play.state.claim) == ("A", PLAY, "closed")
    assert play.refused("B call") == "claim-too-late"


def test_a_time_out_returns_the_turn_that_a_knock_took() -> None:
    play = knocked(KNOCK_CLAIM.with_(claim__turn_returns=True), stock="5s 6s").do("C call", "time-out")
    assert (play.turn, play.hand("C"), play.pile) == ("B", "3s 5s 6s 3h", "7d 8d 9c")


def test_a_time_out_declines_the_first_upcard() -> None:
    play = Play(OFFER, "2s", "3s", pile="9c", phase=Phase.OFFER).do("time-out")
    assert (play.turn, play.state.phase) == ("B", Phase.OFFER)
    assert play.do("time-out").state.phase is Phase.DRAW
    assert play.refused("A take") == "option-off"


def test_a_time_out_ends_the_lay_offs() -> None:
    play = Play(GIN, "5h 6h 7h 2c Ks", "8h", phase=PLAY).do("A knock Ks", "time-out")
    assert (play.state.phase, play.state.ending) == (Phase.COUNT, "knock")
    nothing_left = Play(GIN, "5h 6h 7h 2c Ks", "8h", phase=PLAY).do("A knock Ks", "B add 8h", "time-out")
    assert nothing_left.state.over


def test_a_time_out_with_the_last_card_of_the_stock_ends_the_hand() -> None:
    play = Play(BASE.with_(stock_out__what="hand-ends"), "2s", "3s", stock="5s").do("A draw", "time-out")
    assert (play.state.phase, play.state.ending) == (Phase.COUNT, "stock")
    void = Play(VOID, "2s", "3s", stock="5s 6s 7s").do("A draw", "time-out")
    assert (void.state.over, void.state.ending) == (True, "void")


@pytest.mark.parametrize("phase", [Phase.DEALING, Phase.COUNT, Phase.OVER])
def test_nobody_is_out_of_time_when_nobody_is_on_turn(phase: Phase) -> None:
    with pytest.raises(IllegalAction) as refused:
        time_out(in_phase(phase).state)
    assert refused.value.code == "hand-over"


# --- counting --------------------------------------------------------------------------------------------------------


def ended() -> Play:
    return Play(BASE, "2s", "Ks As", "4s", phase=PLAY, opened="A").do("A discard 2s")


def test_a_hand_is_counted_when_everybody_has_shown_in_any_order() -> None:
    play = ended()
    assert unshown(play.state) == (1, 2)
    play.do("C show")
    assert unshown(play.state) == (1,)
    assert not play.state.over
    other = ended().do("B show", "C show")
    assert play.do("B show").state.over
    assert play.state.digest() == other.state.digest()
    assert unshown(play.state) == ()


def test_who_has_nothing_left_to_show_shows_nothing() -> None:
    play = ended()
    assert play.refused("A show") == "hand-over"
    assert play.do("B show").refused("B show") == "hand-over"


def test_all_that_is_left_is_shown_at_once() -> None:
    play = ended()
    slot = play.state.hands[1][0]
    with pytest.raises(IllegalAction) as refused:
        apply(play.state, 1, act.Show(), {slot: play.order[slot]})
    assert refused.value.code == "not-in-hand"
    assert play.state.faces[slot] is None


def test_cards_known_to_everybody_need_not_be_shown() -> None:
    play = Play(BASE, "2s 3s", "4s", pile="9c").do("A take", "A discard 2s", "B take", "B discard 4s")
    play.do("A take", "A discard 3s")
    state = msgspec.structs.replace(play.state, phase=Phase.COUNT)
    assert unshown(state) == ()


def test_a_state_is_a_value_that_nobody_can_change() -> None:
    play = Play(BASE, "2s", "3s")
    field = "turn"
    with pytest.raises(AttributeError):
        setattr(play.state, field, 1)
    assert isinstance(play.state, HandState)
    assert hash(parse_action("draw")) == hash(act.Draw())
