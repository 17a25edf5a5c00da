from __future__ import annotations

import pytest

from rummy_p2p.bots.hints import best_chance, hint
from rummy_p2p.cards import Card, cards_text, parse_cards
from rummy_p2p.rules import actions as act
from rummy_p2p.ruleset import Ruleset
from tests.cases.positions import CATALOGUE, KNOCKING, NORWEGIAN, at

TEN = "Qs Kd 9h 5d 6c 8s 3h 10d 5c Kc"
DRAW = 'seats = ["A", "B"]\n[deal]\n'
PLAY = 'seats = ["A", "B"]\nphase = "play"\n[deal]\n'
TABLE = 'table = [{ owner = "A", cards = "5h 6h 7h" }]\n'
TURKISH = CATALOGUE.compile("rummi-tr")


def reason(text: str, rules: Ruleset = NORWEGIAN) -> tuple[str, dict[str, str | int]]:
    found = hint(at(text, rules).view(0), 0, 20)
    assert found is not None
    return found.reason, dict(found.facts)


def test_why_to_draw() -> None:
    assert reason(f'{DRAW}pile = "Kc"\nhands = {{ A = "7h 8h 2d", B = "Qs" }}') == ("draw-stock", {})
    assert reason(f'{DRAW}hands = {{ A = "7h 8h 2d", B = "Qs" }}') == ("other", {})


def test_why_to_take() -> None:
    meld = reason(f'{DRAW}pile = "9h"\nhands = {{ A = "7h 8h Kd", B = "Qs" }}')
    assert meld == ("take-meld", {"card": "9h", "cards": "7h 8h 9h"})
    hand = "Js Jh Jd 9c 7s 7h 7d 4s 3d 2s"
    knock = reason(f'{DRAW}pile = "Ac"\nhands = {{ A = "{hand}", B = "Qs 5d" }}', KNOCKING)
    assert knock == ("take-knock", {"card": "Ac"})
    keeps = reason(f'{DRAW}pile = "Ac"\nhands = {{ A = "Ks Qh Jd", B = "Qs 5d" }}')
    assert keeps == ("take-keeps", {"card": "Ac"})


def test_why_to_lay() -> None:
    assert reason(f'{PLAY}hands = {{ A = "7h 8h 9h 2c Kd", B = "Qs" }}') == ("opens", {"cards": "7h 8h 9h"})
    more = reason(f'{PLAY}{TABLE}hands = {{ A = "9s 9d 9c 2c", B = "Qs" }}')
    assert more == ("lays", {"cards": "9s 9d 9c"})
    assert reason(f'{PLAY}{TABLE}hands = {{ A = "8h 2c", B = "Qs" }}') == ("lays-off", {"card": "8h", "number": 1})


def test_why_to_swap() -> None:
    table = 'table = [{ owner = "A", cards = "5h JK 7h" }]\n'
    text = f'{PLAY}{table}hands = {{ A = "6h Kd Kc 2s", B = "Qs" }}'
    assert reason(text, TURKISH) == ("swaps", {"card": "6h", "number": 1})


def test_why_to_knock() -> None:
    hand = "Js Jh Jd 8c 7s 7h 7d 4s 3d 2s Ac"
    assert reason(f'{PLAY}hands = {{ A = "{hand}", B = "{TEN}" }}', KNOCKING) == ("knocks", {"points": 10})
    big = KNOCKING.with_(going_out__big_gin=True)
    hand = "Js Jh Jd 8c 7s 7h 7d 8h 8d 8s Jc"
    assert reason(f'{PLAY}hands = {{ A = "{hand}", B = "Qs" }}', big) == ("knocks", {"points": 0})


def test_why_to_throw() -> None:
    keeps = reason(f'{PLAY}hands = {{ A = "7h 8h Kd 2c", B = "Qs" }}')
    assert keeps == ("keeps-ways", {"card": "Kd", "ways": 2, "cards": "7h 8h"})
    costs = reason(f'{PLAY}hands = {{ A = "7h 3c Kd", B = "Qs" }}')
    assert costs == ("costs-most", {"card": "Kd", "points": 10})


def test_why_to_buy() -> None:
    contract = CATALOGUE.compile("contract-no")
    text = 'seats = ["A", "B", "C"]\nphase = "play"\n[deal]\nhands = { A = "7c 2c", B = "4s", C = "7h 7d Ks Kd Kc 3c" }'
    game = at(text, contract)
    game.act(0, act.Discard(Card.parse("7c")))
    found = hint(game.view(2), 0, 20)
    assert found is not None
    assert (found.reason, found.facts) == ("buys", {"card": "7c"})


def test_there_is_none_when_there_is_nothing_to_do() -> None:
    assert hint(at(f'{DRAW}hands = {{ A = "7h", B = "Qs" }}').view(1), 0, 20) is None


@pytest.mark.parametrize(
    ("kept", "ways", "cards"),
    [("7h 8h 2c", 2, "7h 8h"), ("7h 7d 2c", 2, "7h 7d"), ("7h 9h 2c", 1, "7h 9h"), ("7h 2c Kd", 0, "")],
)
def test_the_best_chance_is_what_most_cards_would_complete(kept: str, ways: int, cards: str) -> None:
    view = at(f'{PLAY}hands = {{ A = "{kept} Qd", B = "Qs" }}').view(0)
    found = best_chance(view, parse_cards(kept))
    assert (found[0], cards_text(found[1])) == (ways, cards)


def test_a_card_that_is_gone_is_no_way() -> None:
    view = at(f'{PLAY}pile = "9h"\nhands = {{ A = "7h 8h Qd", B = "Qs" }}').view(0)
    assert best_chance(view, parse_cards("7h 8h"))[0] == 1


def test_the_last_card_wins_the_hand() -> None:
    assert reason(f'{PLAY}{TABLE}hands = {{ A = "Kd", B = "Qs" }}') == ("goes-out", {"card": "Kd"})
