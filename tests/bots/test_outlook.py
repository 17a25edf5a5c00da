from __future__ import annotations

import pytest

from rummy_p2p.bots.outlook import LOOK, LOOKED_AT_AGAIN, TURNS, Outlook
from rummy_p2p.bots.worlds import World
from rummy_p2p.cards import Card, parse_cards
from rummy_p2p.ruleset import Ruleset
from tests.cases.positions import CATALOGUE, KNOCKING, NORWEGIAN, at

PLAY = 'seats = ["A", "B"]\nphase = "play"\n[deal]\nhands = { A = "2c", B = "Qs" }\n'
TURKISH = CATALOGUE.compile("rummi-tr")
RUM = CATALOGUE.compile("rum-500-ro")
CONTRACT = CATALOGUE.compile("contract-no")


def outlook(rules: Ruleset = NORWEGIAN, more: str = "", *draws: str) -> Outlook:
    found = [World(parse_cards(text), ()) for text in draws]
    return Outlook(at(PLAY + more, rules).view(0), found)


def cost(cards: str, thrown: int, rules: Ruleset = NORWEGIAN, more: str = "") -> float:
    return outlook(rules, more).cost(parse_cards(cards), thrown)


def test_what_is_left_counts_without_what_is_thrown_dearest_first() -> None:
    assert cost("7h 8h 9h Kd 4c 2s", 0) == 16
    assert cost("7h 8h 9h Kd 4c 2s", 1) == 6


def test_to_be_out_is_worth_something() -> None:
    assert cost("7h 8h 9h Kd", 1) < 0


def test_what_can_be_laid_off_costs_nothing() -> None:
    table = 'table = [{ owner = "B", cards = "5h 6h 7h" }]'
    assert cost("8h Kd 2c", 1, more=table) == 2
    closed = NORWEGIAN.with_(lay_off="after-opening", claim__kind="none")
    assert cost("8h Kd 2c", 1, closed, table) == 10


def test_before_the_first_lay_down_melds_count_as_far_as_they_lead_there() -> None:
    assert cost("2h 3h 4h Kd Qc", 1, TURKISH) == pytest.approx(10 + 9 * (1 - 9 / 30))
    assert cost("Jh Qh Kh Kd Qc", 1, TURKISH) == 10


def test_where_no_more_melds_may_be_laid_they_are_only_cards() -> None:
    table = 'table = [{ owner = "A", cards = "5h 6h 7h 8h" }, { owner = "A", cards = "Ks Kd Kc" }]'
    assert cost("2c 2d 2s Jd 9h", 1, CONTRACT, table) == 6


def test_a_contract_counts_what_is_missing() -> None:
    assert cost("7h 7d 7c Ks Kd Kc 2c", 0, CONTRACT) < 0
    near, far = cost("7h 7d 7c Ks Kd Qc 2c", 0, CONTRACT), cost("7h 7d 6c Ks Kd Qc 2c", 0, CONTRACT)
    assert 0 < near < far


def test_a_hand_that_may_knock_is_far_better_and_gin_is_best() -> None:
    far, near, gin = (cost(f"7h 8h 9h 2c 2d 2s Js Jh Jd {last}", 0, KNOCKING) for last in ("Kc", "6d", "10h"))
    assert far - near == 4
    assert gin < near
    assert cost("7h 8h 9h 2c 2d 2s Js Jh Kd Kc", 0, KNOCKING) == 40


def test_where_melds_score_they_count_for_the_hand() -> None:
    assert cost("7h 8h 9h Kd 4c", 1, RUM) == 4 - 24


def after(judged: Outlook, hand: str, thrown: str) -> float:
    card = Card.parse(thrown)
    return judged.after_discards(parse_cards(hand), (card,))[card]


def test_the_mean_is_over_the_worlds_each_with_its_turns() -> None:
    judged = outlook(NORWEGIAN, "", "Kc 2s 3d 4s")
    turns = TURNS[0]
    assert after(judged, "7h 5d 9c", "9c") == judged.cost(parse_cards("7h 5d") + judged.worlds[0].draws[:turns], turns)
    both = outlook(NORWEGIAN, "", "9h 2s 3d 4s", "Kc 2s 3d 4s")
    assert after(both, "7h 8h 8d", "8d") < after(both, "7h 8h 8d", "8h")
    assert after(outlook(), "7h 8h", "8h") == 0


@pytest.mark.parametrize(
    ("hand", "rules", "more"),
    [
        ("7h 8h 9h Kd 4c 4d 2s", NORWEGIAN, ""),
        ("7h 8h 9h Kd 4c 4d 2s", TURKISH, ""),
        ("7h 8h 9h Kd 4c 4d 2s", RUM, ""),
        ("7h 7d 7c Ks Kd 3c 2c", CONTRACT, ""),
        ("8h Kd Kc 2c 7s", NORWEGIAN, 'table = [{ owner = "B", cards = "5h 6h 7h" }]'),
    ],
)
def test_all_discards_at_once_cost_what_each_costs(hand: str, rules: Ruleset, more: str) -> None:
    judged, cards = outlook(rules, more, "Kc 2h 3d 4s 5s"), parse_cards(hand)
    draws = judged.worlds[0].draws[: TURNS[0]]
    for card, price in judged.after_discards(cards, cards).items():
        kept = tuple(other for other in cards if other != card)
        assert price == pytest.approx(judged.cost(kept + draws, TURNS[0]))


def test_in_later_worlds_only_the_best_few_are_looked_at() -> None:
    judged = outlook(NORWEGIAN, "", *["Kc 2h 3d 4s 5s"] * LOOK, *["Ac 2h 3d 4s 5s"] * LOOK)
    cards = parse_cards("7h 8h 9h Qd 4c 6d Js")
    found = judged.after_discards(cards, cards)
    first = outlook(NORWEGIAN, "", "Kc 2h 3d 4s 5s").after_discards(cards, cards)
    assert set(found) == set(cards)
    assert max(found.values()) > min(found.values())
    assert sum(found[card] != first[card] for card in cards) >= LOOKED_AT_AGAIN


def test_a_card_in_hand_is_better_than_one_that_may_come() -> None:
    judged = outlook(NORWEGIAN, "", "Kc 2s 3d 4s 5d", "Qc 9h 3d 4s 5d")
    taken = parse_cards("7h 8h 9h 4c")
    assert judged.after_draw(taken) < judged.before_draw(parse_cards("7h 8h 4c"))


def test_a_bought_card_brings_others_that_stay() -> None:
    judged = outlook(NORWEGIAN, "", "Kc Qd Js 4s 5d")
    world = judged.worlds[0]
    hand = parse_cards("7h 8h")
    assert judged.bought(hand, world, 1) > judged.bought(hand, world, 0)
