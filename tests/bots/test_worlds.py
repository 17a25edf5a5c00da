from __future__ import annotations

import pytest

from rummy_p2p.bots.worlds import TURNS_AHEAD, unseen, worlds
from rummy_p2p.cards import Card, pack, parse_cards
from rummy_p2p.engine import View
from rummy_p2p.rules import actions as act
from rummy_p2p.ruleset import Ruleset
from tests.cases.positions import NORWEGIAN, WITH_JOKERS, at

TWO = 'seats = ["A", "B"]\n[deal]\n'


def view_of(text: str, seat: int = 0) -> View:
    return at(TWO + text).view(seat)


def test_what_has_been_seen_is_not_dealt_again() -> None:
    text = 'pile = "2c 9h"\ntable = [{ owner = "B", cards = "5h 6h 7h" }]\nhands = { A = "Kd Ks", B = "Qs Qd" }'
    view = view_of(text)
    seen = parse_cards("2c 9h 5h 6h 7h Kd Ks")
    assert set(unseen(view)) == set(pack(1, 0)) - set(seen)
    for world in worlds(view, 20, 1):
        assert not set(world.draws + world.rival) & set(seen)
        assert len(set(world.draws)) == TURNS_AHEAD
        assert len(set(world.rival)) == 2


def test_a_card_taken_from_the_pile_is_known_to_be_in_that_hand() -> None:
    game = at(TWO + 'pile = "9h"\nhands = { A = "7h 8h Kd", B = "Qs 2d" }')
    game.act(0, act.Take())
    game.act(0, act.Discard(Card.parse("Kd")))
    view = game.view(1)
    assert Card.parse("9h") not in unseen(view)
    assert all(Card.parse("9h") in world.rival for world in worlds(view, 20, 1))


def test_the_order_of_a_stock_that_was_turned_over_is_known() -> None:
    held = ("7h", "8h", "Qs")
    pile = " ".join(str(card) for card in pack(1, 0) if str(card) not in held)
    game = at(TWO + f'pile = "{pile}"\nhands = {{ A = "7h 8h", B = "Qs" }}')
    game.act(0, act.TurnOver())
    order = [card for card in pack(1, 0) if str(card) not in held]
    for world in worlds(game.view(0), 3, 5):
        assert world.draws == tuple(order[0 : 2 * TURNS_AHEAD : 2])
    game.act(0, act.Draw())
    assert worlds(game.view(0), 1, 5)[0].draws == tuple(order[2 : 2 + 2 * TURNS_AHEAD : 2])


def test_the_seed_decides() -> None:
    view = view_of('pile = "9h"\nhands = { A = "7h 8h Kd", B = "Qs 2d" }')
    assert worlds(view, 5, 3) == worlds(view, 5, 3)
    assert worlds(view, 5, 3) != worlds(view, 5, 4)


def test_without_a_rival_only_draws_are_dealt() -> None:
    view = view_of('pile = "9h"\nhands = { A = "7h 8h Kd", B = "Qs 2d" }')
    assert {world.rival for world in worlds(view, 5, 3, with_rival=False)} == {()}


def test_when_few_cards_are_hidden_there_are_fewer_draws() -> None:
    pile = " ".join(str(card) for card in pack(1, 0)[3:-1])
    game = at(TWO + f'pile = "{pile}"\nhands = {{ A = "As 2s", B = "3s" }}')
    assert {len(world.draws) for world in worlds(game.view(0), 5, 0)} == {2}


@pytest.mark.parametrize("rules", [NORWEGIAN, WITH_JOKERS], ids=["plain", "jokers"])
def test_after_some_turns_the_rival_holds_as_many_cards(rules: Ruleset) -> None:
    text = 'pile = "2c 9h Jd 4s Ks 3d Qc 8d"\nhands = { A = "7h 8h Kd", B = "Qs 2d 5c 6c" }'
    view = at(TWO + text, rules).view(0)
    assert {len(world.rival) for world in worlds(view, 30, 2)} == {4}
