from __future__ import annotations

from functools import partial
from random import Random

import pytest

from rummy_p2p.bots import LEVELS, hard
from rummy_p2p.cards import Card, pack
from rummy_p2p.engine import check, start_match
from rummy_p2p.offline.game import Game
from rummy_p2p.offline.simulate import Plan, play_hand
from rummy_p2p.rules import actions as act
from rummy_p2p.ruleset import Ruleset
from tests.cases.positions import CATALOGUE, KNOCKING, NORWEGIAN, at

PLAY = 'seats = ["A", "B"]\nphase = "play"\n[deal]\n'
TEN = "Qs Kd 9h 5d 6c 8s 3h 10d 5c Kc"
DRAW = 'seats = ["A", "B"]\n[deal]\n'
RUM = CATALOGUE.compile("rum-500-ro")
TURKISH = CATALOGUE.compile("rummi-tr")
CONTRACT = CATALOGUE.compile("contract-no")
SOME = 30


def says(text: str, rules: Ruleset = NORWEGIAN, seat: int = 0, seed: int = 0) -> str:
    """Return what the bot does in a position, in words; empty when it does nothing."""
    view = at(text, rules).view(seat)
    wish = hard.decide(view, seed, SOME)
    if wish is None:
        return ""
    check(view, wish)
    return str(wish)


def test_it_is_a_level_with_a_budget() -> None:
    assert LEVELS["hard"] is hard.decide
    assert hard.budget(NORWEGIAN, None) > hard.budget(TURKISH, None) > 0
    assert hard.budget(NORWEGIAN, 5) == 5


@pytest.mark.parametrize(
    ("pile", "hand", "wish"),
    [
        ("9h", "7h 8h Kd", "take"),
        ("Kc", "7h 8h 2d", "draw"),
        ("", "7h 8h Kd", "draw"),
    ],
)
def test_it_takes_what_makes_a_meld(pile: str, hand: str, wish: str) -> None:
    assert says(f'{DRAW}pile = "{pile}"\nhands = {{ A = "{hand}", B = "Qs 2c 4d 9c" }}') == wish


def test_it_keeps_what_can_become_a_meld_although_it_is_dear() -> None:
    text = f'{PLAY}hands = {{ A = "Jh Qh 8s 4c 2d As", B = "Qs 2c 4d 9c 6c" }}'
    assert says(text) == "discard 8s"
    assert str(LEVELS["normal"](at(text).view(0), 0)) in ("discard Jh", "discard Qh")


def test_it_throws_what_the_next_player_cannot_use() -> None:
    """The next player has taken the eights of hearts and spades: the third is worth more to it than a nine."""
    game = at(f'{DRAW}pile = "8h"\nhands = {{ A = "8d 8s Kc", B = "9d 8c 3s Qh" }}')
    game.act(0, act.Take())
    game.act(0, act.Discard(Card.parse("Kc")))
    game.act(1, act.Draw())
    assert str(hard.decide(game.view(1), 0, 200)) != "discard 8c"


def test_it_knocks_when_it_may_and_takes_what_lets_it() -> None:
    assert says(f'{PLAY}hands = {{ A = "Js Jh Jd 8c 7s 7h 7d 4s 3d 2s Ac", B = "{TEN}" }}', KNOCKING) == "knock 8c"
    hand = "Js Jh Jd 9c 7s 7h 4d 5s Ad 2s"
    assert says(f'{DRAW}pile = "7d"\nhands = {{ A = "{hand}", B = "Qs 5d" }}', KNOCKING) == "take"


def test_it_waits_with_a_knock_that_would_be_undercut() -> None:
    """The next player holds a single card: as a rule that is less than ten points."""
    text = f'{PLAY}hands = {{ A = "Js Jh Jd 8c 7s 7h 7d 4s 3d 2s Ac", B = "As" }}'
    assert says(text, KNOCKING).startswith("discard")
    assert str(LEVELS["normal"](at(text, KNOCKING).view(0), 0)) == "knock 8c"


def test_after_a_knock_it_lays_off_what_leaves_least_and_is_done() -> None:
    hands = 'hands = { A = "Js Jh Jd 8c 7s 7h 7d 4s 3d 2s Ac", B = "7c Kd 9h 5d 2h 8s 3h 10d 6s Qc" }'
    game = at(f"{PLAY}{hands}", KNOCKING)
    done = []
    for seat in (0, 1, 1):
        action = hard.decide(game.view(seat), 0, SOME)
        assert action is not None
        game.act(seat, action)
        done.append(str(action))
    assert done[0] == "knock 8c"
    assert done[1].startswith("add 7c")
    assert done[2] == "done"
    assert game.view(0).state.over


def test_it_takes_many_cards_where_melds_score() -> None:
    text = f'{DRAW}pile = "Kh Kd Qc"\nhands = {{ A = "Ks Kc 3d 5s", B = "Qs 2c" }}'
    assert says(text, RUM) in ("take 2", "take 3")


def test_it_swaps_for_a_joker_that_it_can_place() -> None:
    table = 'table = [{ owner = "A", cards = "5h JK 7h" }]\n'
    text = f'{PLAY}{table}hands = {{ A = "6h Kd Kc 2s", B = "Qs" }}'
    assert says(text, TURKISH) == "swap 6h 1"
    alone = f'{PLAY}{table}hands = {{ A = "6h Kd Jc 2s", B = "Qs" }}'
    assert not says(alone, TURKISH.with_(scoring__in_hand__joker=30)).startswith("swap")


def test_it_collects_for_its_contract() -> None:
    text = f'{PLAY}hands = {{ A = "7h 7d Ks Kd 3c 4c 5c 9h 9d Js 2d", B = "Qs" }}'
    assert says(text, CONTRACT) not in ("discard 7h", "discard 7d", "discard Ks", "discard Kd")


def test_it_buys_what_its_contract_lacks_and_nothing_else() -> None:
    text = (
        'seats = ["A", "B", "C"]\nphase = "play"\n[deal]\nhands = { A = "%s 2c", B = "4s 5s", C = "7h 7d Ks Kd Kc 3c" }'
    )
    for card, wish in (("7c", "call"), ("Jd", "None")):
        game = at(text % card, CONTRACT)
        game.act(0, act.Discard(Card.parse(card)))
        assert str(hard.decide(game.view(2), 0, SOME)) == wish


def test_it_keeps_what_it_drew_when_somebody_asks_late() -> None:
    rules = NORWEGIAN.with_(claim__kind="buy", claim__penalty=1)
    game = at(
        'seats = ["A", "B", "C"]\nphase = "play"\n[deal]\nhands = { A = "8h Ks", B = "2c 4d", C = "9s Jd" }', rules
    )
    game.act(0, act.Discard(Card.parse("8h")))
    game.act(1, act.Draw())
    game.act(2, act.Call())
    assert str(hard.decide(game.view(1), 0, SOME)) == "keep"


@pytest.mark.parametrize("name", sorted(CATALOGUE.games))
def test_the_same_seed_gives_the_same_decision_whatever_is_hidden(name: str) -> None:
    """Two tables that look alike to a seat: what it was never shown lies otherwise."""
    rules = CATALOGUE.compile(name)
    order = Random(5).sample(pack(rules.deck.packs, rules.deck.jokers), rules.size)
    decisions = []
    for swapped in (False, True):
        game = Game(rules, start_match(rules, 2), partial(_deck, order, rules, swapped))
        game.next_hand()
        view = game.view(1)
        decisions.append((view, hard.decide(view, 9, 6)))
    assert decisions[0] == decisions[1]


def _deck(order: list[Card], rules: Ruleset, swapped: bool, _cards: object) -> list[Card]:  # noqa: FBT001 -- a partial
    each = rules.cards_each(2)
    seen = 2 * each if rules.upcard else None
    hidden = [place for place in range(each, rules.size) if place != seen]
    turned = dict(zip(hidden, reversed(hidden), strict=True)) if swapped else {}
    return [order[turned.get(place, place)] for place in range(rules.size)]


@pytest.mark.parametrize("name", sorted(CATALOGUE.games))
def test_it_plays_every_game_to_its_end(name: str) -> None:
    rules = CATALOGUE.compile(name)
    level = partial(hard.decide, samples=2)
    played = play_hand(Plan(rules, (level, level)), 3, (0, 1))
    assert played.ending in ("out", "knock", "gin", "stock", "void")
    assert played.turns > 0


def test_it_plays_the_game_of_a_stranger() -> None:
    rules = Ruleset(hand_size=(5,)).with_(lay_off="never", draw__pile="many", going_out__how="may-lay", deck__jokers=1)
    level = partial(hard.decide, samples=2)
    assert play_hand(Plan(rules, (level, level, level)), 3, (2, 0, 1)).ending in ("out", "stock")
