from __future__ import annotations

import pytest

from rummy_p2p.bots.contract import missing
from rummy_p2p.cards import cards_text, parse_cards
from tests.cases.positions import CATALOGUE

CONTRACT = CATALOGUE.compile("contract-no")


@pytest.mark.parametrize(
    ("cards", "contract", "lack", "loose"),
    [
        ("7h 7d 7c Ks Kd Kc 2c", "33", 0, "2c"),
        ("7h 7d Ks Kd 2c", "33", 2, "2c"),
        ("7h 7d Ks Kd JK 2c", "33", 1, "2c"),
        ("7h 7d Ks Kd JK JK' JK'' 2c", "33", 0, "2c JK''"),
        ("5h 6h 7h 8h 9c", "4", 0, "9c"),
        ("5h 7h 8h 9c", "4", 1, "9c"),
        ("Qh Kh Ah 9c", "4", 1, "9c"),
        ("Ah 2h 3h 9c", "4", 1, "9c"),
        ("", "34", 7, ""),
        ("5h 6h 7h 8h 7d 7c 7s", "34", 0, ""),
        ("5h 6h 7h 8h 7d 7c", "34", 1, ""),
    ],
)
def test_what_is_missing_to_a_contract(cards: str, contract: str, lack: int, loose: str) -> None:
    found = missing(parse_cards(cards), contract, CONTRACT)
    assert (found[0], cards_text(found[1])) == (lack, loose)


def test_where_suits_must_differ_a_twin_serves_no_set() -> None:
    apart = CONTRACT.with_(melds__distinct_suits=True, melds__set_max=4)
    assert missing(parse_cards("7h 7h' 7d"), "3", CONTRACT)[0] == 0
    assert missing(parse_cards("7h 7h' 7d"), "3", apart)[0] == 1


def test_an_ace_stands_where_the_game_puts_it() -> None:
    for ace, low, high in (("low", 1, 2), ("high", 2, 1), ("either", 1, 1)):
        rules = CONTRACT.with_(melds__ace=ace)
        assert missing(parse_cards("Ah 2h 3h"), "4", rules)[0] == low
        assert missing(parse_cards("Qh Kh Ah"), "4", rules)[0] == high
