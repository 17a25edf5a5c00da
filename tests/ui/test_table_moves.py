"""What can be done with the cards on the screen: every answer is the engine's, and nothing is changed by asking."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
import pytest

from rummy_p2p.cards import Card, parse_cards
from rummy_p2p.engine import KnobFailed, Phase, View, check
from rummy_p2p.melds import Meld, Piece
from rummy_p2p.rules import actions as act
from rummy_p2p.ruleset import KnobFunction, Ruleset
from rummy_p2p.ui.table_moves import (
    Fit,
    action_of,
    allowed,
    as_melds,
    draw_action,
    fits,
    knock_card,
    knocks,
    may_claim,
    points_of,
    suggested,
    useful,
    why_not,
    worth,
)
from tests.ui.table import CLAIMED, TableSeat, position
from variants_plugins.gin import RULES as GIN
from variants_plugins.rum_500_ro import RULES as RUM_500

NEAR = "7h 8h 9h 10h 2c 2d 2s 3s 4s 5s Kd"  # a gin hand of which only Kd is loose


def seen(rules: Ruleset = CLAIMED, *, state: Mapping[str, object] | None = None, **changes: object) -> View:
    hand, order = position(rules, **changes)  # type: ignore[arg-type]  # any of its arguments
    view = TableSeat(msgspec.structs.replace(hand, **(state or {})), order).view()
    assert view is not None
    return view


def gin(hand: str = NEAR) -> View:
    return seen(GIN, hand=hand, others=("3d 3h 8s",), melds=(), pile="4c Jh")


def card(text: str) -> Card:
    return Card.parse(text)


def shown(view: View, text: str) -> tuple[str, ...]:
    """What a selection of cards would lay."""
    return tuple(" ".join(str(piece) for piece in meld) for meld in as_melds(view, parse_cards(text)) or ())


# --- where a card fits -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("face", "places"),
    [
        ("4c", (Fit(1, None),)),
        ("JK", (Fit(1, None), Fit(3, "left"), Fit(3, "right"), Fit(4, None))),
        ("9s", ()),
    ],
)
def test_a_card_fits_at_the_ends_of_runs_and_in_sets(face: str, places: tuple[Fit, ...]) -> None:
    assert fits(seen(), card(face)) == places


def test_the_real_card_fits_in_the_place_of_the_joker() -> None:
    view = seen(hand="10c 7h 3c")
    [place] = fits(view, card("10c"))
    assert place == Fit(2, None, swap=True)
    assert action_of(card("10c"), place) == str(act.Swap(card("10c"), 2))
    assert allowed(view, act.Swap(card("10c"), 2))


@pytest.mark.parametrize(
    "changes",
    [{"turn": 1}, {"phase": Phase.DRAW}, {"melds": ((1, "4s 4h 4d"),)}],
    ids=["not my turn", "not drawn yet", "not opened"],
)
def test_where_nothing_may_be_added_nothing_fits(changes: dict[str, object]) -> None:
    assert fits(seen(**changes), card("4c")) == ()  # type: ignore[arg-type]  # of position


def test_every_place_that_is_offered_is_accepted() -> None:
    view = seen()
    for held in view.hand:
        for place in fits(view, held):
            assert action_of(held, place).startswith("add")
            assert why_not(view, act.Add(Piece(held), place.number, place.side)) is None


# --- what is laid ----------------------------------------------------------------------------------------------------


def test_selected_cards_are_one_meld_or_several_or_none() -> None:
    view = seen(hand="7h 8h 9h 4c 4h' Ks Kd Kh JK", others=("3d", "Ac", ""))
    assert shown(view, "8h 7h 9h") == ("7h 8h 9h",)
    assert sorted(shown(view, "7h 8h 9h Ks Kd Kh")) == ["7h 8h 9h", "Ks Kh Kd"]
    assert as_melds(view, parse_cards("7h 8h Ks")) is None
    assert as_melds(view, ()) is None


def test_what_is_suggested_may_be_laid() -> None:
    view = seen()
    wish = suggested(view)
    assert wish
    assert allowed(view, act.Lay(wish))
    assert points_of(view, wish) >= 34


def test_to_open_enough_is_suggested_or_nothing() -> None:
    rich = seen(melds=((1, "4s 4h 4d"),))
    assert points_of(rich, suggested(rich)) >= CLAIMED.opening.points
    poor = seen(melds=((1, "4s 4h 4d"),), hand="2c 2d 2s 7h 9c' Kd", others=("3d", "Ac", ""))
    assert suggested(poor) == ()


def test_where_melds_are_laid_at_the_knock_none_is_suggested_before() -> None:
    assert suggested(gin()) == ()
    assert suggested(seen(hand="", others=("3d 4c", "Ac"), turn=1)) == ()


def test_a_meld_is_worth_what_its_cards_count() -> None:
    view = seen()
    assert [worth(view, laid.meld) for laid in view.state.table] == [12, 37, 18, 30]


def broken(_: Meld) -> int:
    raise ZeroDivisionError


def test_where_a_rule_fails_no_move_is_held_back_and_a_meld_counts_as_printed() -> None:
    function = KnobFunction(name="meld_points", plugin="odd", version="1", source_hash="00", call=broken)
    view = seen(CLAIMED.with_function(function))
    assert [worth(view, laid.meld) for laid in view.state.table] == [12, 37, 18, 30]
    lay = act.Lay(suggested(seen()))
    assert why_not(view, lay) is None
    with pytest.raises(KnobFailed, match="odd"):
        check(view, lay)


# --- drawing, claiming, knocking -------------------------------------------------------------------------------------


def test_the_draw_key_turns_the_pile_over_where_the_stock_is_empty() -> None:
    assert draw_action(seen(phase=Phase.DRAW)) == act.Draw()
    turned = CLAIMED.with_(stock_out__what="turn-over")
    assert draw_action(seen(turned, phase=Phase.DRAW, state={"stock": ()})) == act.TurnOver()


def test_a_discard_may_be_claimed_while_the_window_is_open() -> None:
    assert may_claim(seen(turn=1, phase=Phase.DRAW, state={"claim": "open", "discarder": 2}))
    assert not may_claim(seen(turn=1, phase=Phase.DRAW, state={"claim": "closed", "discarder": 2}))
    assert not may_claim(seen(turn=1, phase=Phase.DRAW, state={"claim": "open", "discarder": 0}))


def test_a_knock_is_made_with_the_card_that_costs_least() -> None:
    view = gin()
    assert knocks(view)
    assert knock_card(view, None) == card("Kd")
    assert knock_card(view, card("7h")) == card("7h")
    assert not knocks(seen())


def test_who_may_not_knock_has_no_card_for_it() -> None:
    assert knock_card(gin("7h 9h 10d 2c Qd 4s Js 5s Kd Ah 8c"), None) is None


def test_a_card_of_the_pile_is_useful_where_it_makes_a_meld() -> None:
    view = seen(RUM_500, hand="9h 10h 2c", others=("3d 3h 8s",), melds=(), pile="4c Jh 9s Jd", phase=Phase.DRAW)
    assert useful(view, card("Jh"))
    assert not useful(view, card("4c"))
    assert useful(view, card("9s"), parse_cards("9d")) == useful(view, card("9d"), parse_cards("9s"))


def test_the_reason_of_a_refusal_is_the_engines() -> None:
    error = why_not(seen(), act.Draw())
    assert error is not None
    assert error.code
    assert why_not(seen(phase=Phase.DRAW), act.Draw()) is None
