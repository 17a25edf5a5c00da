from __future__ import annotations

from random import Random

import pytest

from rummy_p2p.bots.belief import Belief
from rummy_p2p.bots.worlds import unseen, worlds
from rummy_p2p.cards import Card, parse_cards
from rummy_p2p.engine import View
from rummy_p2p.rules import actions as act
from tests.cases.positions import KNOCKING, at

MINE = "4s 5s 6s 7s 8s 9s 10s Js Ah Ad"
DUMMY = "Kc Qc 2h 2d 3d 5c 7d 8c 9d Jc"
LOW = "As 2s 3h 3d 5h 5d 6h 7c 9h 10d"


def view(pile: str = "3c 4h") -> View:
    """Return what the first seat sees on its turn; the top of the pile was thrown by the other."""
    return at(f'seats = ["A", "B"]\n[deal]\npile = "{pile}"\nhands = {{ A = "{MINE}", B = "{DUMMY}" }}', KNOCKING).view(
        0
    )


def doubt(hand: str, pile: str = "3c 4h") -> float:
    seen = view(pile)
    return Belief(seen, unseen(seen)).doubt(parse_cards(hand))


def test_who_throws_a_card_hardly_holds_dearer_ones_loose() -> None:
    assert doubt(LOW, "3c Kh") < doubt(LOW, "3c 4h")
    assert doubt("Ks Kd Kc 7h 7d 7c 2d 2s 2h 4c") == 0
    assert doubt("Ks Kd Kc 7h 7d 7c 2d 2s 2h 9c") > 0


@pytest.mark.parametrize("pile", ["4h 8d", "8d 4h"])
def test_who_throws_or_leaves_a_card_hardly_holds_what_makes_a_meld_of_it(pile: str) -> None:
    apart, ready = "As 2d 3h 3d 5h 5d 6h 7c 9d 10c", "As 2d 3h 3d 5h 5d 8h 8c 9d 10c"
    assert doubt(ready, pile) > doubt(apart, pile) + 1


def test_hands_are_dealt_of_hidden_cards_and_explain_what_was_done() -> None:
    seen = view("3c 2c")
    belief, hidden = Belief(seen, unseen(seen)), set(unseen(seen))
    found = list(belief.hands(30, Random(1)))
    assert len(found) == 30
    assert all(len(hand) == 10 and set(hand) | set(rest) == hidden for hand, rest in found)
    by_chance = Random(1).sample(sorted(hidden), 10)
    assert sum(belief.doubt(hand) for hand, _ in found) / 30 < belief.doubt(by_chance)


def test_a_card_that_was_taken_is_in_every_hand() -> None:
    game = at(f'seats = ["A", "B"]\n[deal]\npile = "9c"\nhands = {{ A = "{MINE}", B = "{DUMMY}" }}', KNOCKING)
    for action in (act.Draw(), act.Discard(Card.parse("Ah")), act.Take(), act.Discard(Card.parse("Kc"))):
        game.act(game.view(0).state.turn, action)
    seen = game.view(0)
    assert all(
        Card.parse("Ah") in hand and len(hand) == 10 for hand, _ in Belief(seen, unseen(seen)).hands(9, Random())
    )


def test_a_world_holds_the_whole_stock_and_every_other_card_is_drawn() -> None:
    seen = view()
    for world in worlds(seen, 5, 3):
        assert len(world.stock) == len(seen.state.stock)
        assert world.draws == world.stock[::2][: len(world.draws)]
        assert not set(world.rival) & set(world.stock)
