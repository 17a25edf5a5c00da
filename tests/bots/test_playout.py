from __future__ import annotations

import pytest

from rummy_p2p.bots.playout import TO_WIN, Playout, Side, Values
from rummy_p2p.bots.worlds import World
from rummy_p2p.cards import Card, cards_text, parse_cards
from rummy_p2p.ruleset import Ruleset
from tests.cases.positions import KNOCKING

GOOD = "7h 8h 9h 2c 2d 2s Js Jh Jd"
TIES_COUNT_NOTHING = KNOCKING.with_(scoring__undercut_on_tie=False)
POOR = "Ks Qd 9c 8s 7c 6d 5c 4h 3d Ac"


def side(cards: str, rules: Ruleset = KNOCKING) -> Side:
    return Side.of(Values(rules), parse_cards(cards))


def playout(rival: str, stock: str, rules: Ruleset = KNOCKING) -> Playout:
    return Playout(rules, [World((), parse_cards(rival), parse_cards(stock))])


def after(kept: str, thrown: str, rival: str, stock: str, rules: Ruleset = KNOCKING) -> float:
    return playout(rival, stock, rules).after_discard(parse_cards(kept), Card.parse(thrown))


def test_a_side_throws_its_dearest_loose_card() -> None:
    mine = side("7h 8h 4d Kc Qs 2c 2d 9s Ad 3h")
    assert not mine.melds(Card.parse("6c"))
    assert str(mine.turn(Card.parse("6c"), melds=False)) == "Kc"
    assert mine.melds(Card.parse("9h"))
    assert str(mine.turn(Card.parse("9h"), melds=True)) == "Qs"
    assert mine.left == 1 + 2 + 2 + 3 + 4 + 6 + 9
    assert cards_text(mine.loose) == "Ad 2d 2c 3h 4d 6c 9s"


def test_a_copy_is_played_on_by_itself() -> None:
    mine = side("7h 8h 4d Kc Qs 2c 2d 9s Ad 3h")
    mine.copy().turn(Card.parse("9h"), melds=True)
    assert not side("7h 8h 4d").melds(Card.parse("Kc"))
    assert mine.left == side("7h 8h 4d Kc Qs 2c 2d 9s Ad 3h").left


def test_who_can_knock_does_and_the_other_lays_off() -> None:
    """The other draws 2h and throws Ks; with Jd only 6s is left after Qc; of the 55 points 2h is laid off."""
    assert after("7h 8h 9h 2c 2d 2s Js Jh Qc 6s", "10s", POOR, "2h Jd") == 55 - 2 - 6 + TO_WIN


def test_nothing_is_laid_off_on_gin() -> None:
    assert after(f"{GOOD} Kc", "10s", POOR, "2h 10h", KNOCKING.with_(going_out__knock_limit=5)) == 55 + 25 + TO_WIN


@pytest.mark.parametrize(("rules", "gain"), [(KNOCKING, -25 - TO_WIN), (TIES_COUNT_NOTHING, 0.0)])
def test_a_tie_is_an_undercut_where_the_rules_say_so(rules: Ruleset, gain: float) -> None:
    assert playout(POOR, "", rules).knocked(side(f"{GOOD} 5h", rules), parse_cards("5c")) == gain


def test_who_has_less_undercuts_and_cards_that_fit_are_laid_off() -> None:
    table, knocker = playout(POOR, ""), side(f"{GOOD} 5c")
    assert table.knocked(knocker, parse_cards("6h 3c")) == 3 - 5 - 25 - TO_WIN
    assert table.knocked(knocker, parse_cards("Kc 6h 10h 2h Jc")) == 10 - 5 + TO_WIN
    never = KNOCKING.with_(lay_off="never")
    assert playout(POOR, "", never).knocked(side(f"{GOOD} 5c", never), parse_cards("6h 3c")) == 9 - 5 + TO_WIN


@pytest.mark.parametrize(("at", "gain"), [(1, 55 - 2 - 6 + TO_WIN), (2, 0)])
def test_when_the_stock_is_out_nobody_wins(at: int, gain: float) -> None:
    rules = KNOCKING.with_(stock_out__what="void", stock_out__at=at)
    assert after("7h 8h 9h 2c 2d 2s Js Jh Qc 6s", "10s", POOR, "2h Jd 3s", rules) == gain


def test_what_the_other_takes_ends_the_hand_for_it() -> None:
    assert after(POOR, "6h", f"{GOOD} Kc", "2h 5h") < 0


def test_a_knock_is_judged_by_what_the_other_may_hold() -> None:
    worlds = [World((), parse_cards(rival), ()) for rival in (POOR, "7d 7c 7s Qh Qd Qc As 2h 3c 4c")]
    gain = Playout(KNOCKING, worlds).after_knock(parse_cards(f"{GOOD} 8d"))
    assert gain == ((63 - 8 + TO_WIN) + (8 - 8 - 25 - TO_WIN)) / 2
