from __future__ import annotations

from random import Random

import pytest

from rummy_p2p.bots import LEVELS, simple
from rummy_p2p.cards import Card, pack
from rummy_p2p.engine import check, start_match
from rummy_p2p.offline.game import Game
from rummy_p2p.rules import actions as act
from rummy_p2p.ruleset import Draw, Ruleset, StockOut
from tests.cases.positions import KNOCKING, NORWEGIAN, WITH_JOKERS, at

PLAY = 'seats = ["A", "B"]\nphase = "play"\n[deal]\n'
DRAW = 'seats = ["A", "B"]\n[deal]\n'


def says(text: str, rules: Ruleset = NORWEGIAN, seat: int = 0, seed: int = 0) -> str:
    """Return what the bot does in a position, in words; empty when it does nothing."""
    view = at(text, rules).view(seat)
    wish = simple.decide(view, seed)
    if wish is None:
        return ""
    check(view, wish)
    return str(wish)


def test_the_levels_are_named() -> None:
    assert LEVELS["normal"] is simple.decide


@pytest.mark.parametrize(
    ("pile", "hand", "wish"),
    [
        ("9h", "7h 8h Kd", "take"),
        ("Kc", "7h 8h Kd", "draw"),
        ("JK", "7h 2c Kd", "draw"),
        ("JK", "7h 8h Kd", "take"),
        ("8h", "5h 6h 7h", "draw"),
        ("6d", "2d 3d 4d 5d Kd", "take"),
        ("5d", "2d 3d 4d Kd", "take"),
        ("", "7h 8h Kd", "draw"),
    ],
)
def test_it_takes_what_finds_a_place_and_saves_points(pile: str, hand: str, wish: str) -> None:
    assert says(f'{DRAW}pile = "{pile}"\nhands = {{ A = "{hand}", B = "Qs" }}', WITH_JOKERS) == wish


@pytest.mark.parametrize("lay_off", ["always", "after-opening"])
def test_it_takes_what_it_may_lay_off(lay_off: str) -> None:
    rules = NORWEGIAN.with_(lay_off=lay_off, claim__kind="none")
    table = f'{DRAW}pile = "8h"\ntable = [{{ owner = "%s", cards = "5h 6h 7h" }}]\nhands = {{ A = "Kd 2c", B = "Qs" }}'
    assert says(table % "A", rules) == "take"
    assert says(table % "B", rules) == ("take" if lay_off == "always" else "draw")


@pytest.mark.parametrize(("penalty", "wish"), [(0, "call"), (1, "call"), (3, "")])
def test_it_claims_what_is_worth_the_penalty(penalty: int, wish: str) -> None:
    rules = NORWEGIAN.with_(claim__kind="knock-claim", claim__penalty=penalty)
    text = 'seats = ["A", "B", "C"]\n[deal]\npile = "9h"\nhands = { A = "2c", B = "7h 8h 4d", C = "3s" }'
    assert says(text, rules, seat=1) == wish
    assert says(text.replace("9h", "9d"), rules, seat=1) == ""


def rest(*kept: str) -> str:
    return " ".join(str(card) for card in pack(1, 0) if str(card) not in kept)


def test_when_the_stock_is_out_it_turns_over_or_takes_or_passes() -> None:
    out = DRAW + f'pile = "{rest("7h", "8h", "Qs", "Kc")} Kc"\nhands = {{ A = "7h 8h", B = "Qs" }}'
    assert says(out) == "turn-over"
    assert says(out, NORWEGIAN.with_(stock_out=StockOut(what="reshuffle"))) == "draw"
    assert says(out, NORWEGIAN.with_(stock_out=StockOut(what="turn-over", max_times=0))) == "pass"
    fits = DRAW + f'pile = "{rest("7h", "8h", "Ks", "Qs", "9h")} 9h"\nhands = {{ A = "7h 8h Ks", B = "Qs" }}'
    assert says(fits, NORWEGIAN.with_(stock_out=StockOut(what="turn-over", max_times=0))) == "take"


@pytest.mark.parametrize(
    ("hand", "wish"),
    [
        ("7h 8h 9h 2c Kd", "meld 7h 8h 9h"),
        ("7h 8h 9h 4s 4d 4c Kd", "meld 4s 4d 4c | 7h 8h 9h"),
        ("4d 5d 6d", "discard 6d"),
        ("7h 2c Kd", "discard Kd"),
        ("7h 7d Kd", "discard Kd"),
        ("7h", "discard 7h"),
    ],
)
def test_it_lays_what_it_can_and_throws_what_costs_most(hand: str, wish: str) -> None:
    assert says(f'{PLAY}hands = {{ A = "{hand}", B = "Qs" }}') == wish


def test_it_keeps_one_of_four_to_discard() -> None:
    assert says(f'{PLAY}hands = {{ A = "4d 5d 6d 7d", B = "Qs" }}') in ("meld 4d 5d 6d", "meld 5d 6d 7d")


def test_it_lays_off_what_is_loose_the_dearest_first() -> None:
    table = 'table = [{ owner = "B", cards = "5h 6h 7h" }, { owner = "B", cards = "Ks Kh Kc" }]\n'
    assert says(f'{PLAY}{table}hands = {{ A = "8h Kd 2c", B = "Qs" }}') == "add Kd 2"
    assert says(f'{PLAY}{table}hands = {{ A = "8h 2c", B = "Qs" }}') == "add 8h 1"
    assert says(f'{PLAY}{table}hands = {{ A = "Kd", B = "Qs" }}') == "discard Kd"


def test_it_lays_more_once_it_has_opened() -> None:
    table = 'table = [{ owner = "A", cards = "5h 6h 7h" }]\n'
    assert says(f'{PLAY}{table}hands = {{ A = "9s 9d 9c 2c", B = "Qs" }}') == "meld 9s 9d 9c"
    assert says(f'{PLAY}{table}hands = {{ A = "9s 9d 9c", B = "Qs" }}').startswith("discard 9")


def test_it_does_not_throw_what_the_next_player_could_lay_off() -> None:
    table = 'table = [{ owner = "B", cards = "5h 6h 7h" }]\n'
    text = f'{PLAY}{table}hands = {{ A = "8h 8d 2c", B = "Qs" }}'
    assert says(text, NORWEGIAN.with_(lay_off="after-opening")) == "discard 8d"


def test_the_seed_decides_between_cards_that_are_equally_good_to_throw() -> None:
    text = f'{PLAY}hands = {{ A = "Ks Qh Jd 2c", B = "Qs" }}'
    assert {says(text, seed=seed) for seed in range(40)} == {"discard Ks", "discard Qh", "discard Jd"}
    assert says(text, seed=7) == says(text, seed=7)


def test_it_calls_a_discard_that_it_wants_and_waits_otherwise() -> None:
    text = 'seats = ["A", "B", "C"]\nphase = "play"\n[deal]\ntable = [{ owner = "A", cards = "5h 6h 7h" }]\n'
    game = at(f'{text}hands = {{ A = "8h Ks", B = "2c 4d", C = "9s Jd" }}')
    assert simple.decide(game.view(2), 0) is None
    view = game.view(0)
    game.act(0, next(action for action in [simple.decide(view, 0)] if action is not None))
    assert str(game.actions[-1][1]) == "add 8h 1"
    game = at(f'{text}hands = {{ A = "8h Ks", B = "2c 4d", C = "9s Jd" }}')
    game.act(0, act.Discard(Card.parse("8h")))
    assert [str(simple.decide(game.view(seat), 0)) for seat in (1, 2)] == ["take", "call"]
    assert simple.decide(game.view(0), 0) is None


def test_it_does_not_lay_what_would_leave_only_the_card_it_may_not_throw() -> None:
    game = at(f'{DRAW}pile = "Kd"\nhands = {{ A = "7h 8h 9h 2c", B = "Qs" }}')
    game.act(0, act.Take())
    wish = simple.decide(game.view(0), 0)
    assert str(wish) == "meld 7h 8h 9h"


def test_it_knocks_as_soon_as_it_may() -> None:
    assert says(f'{PLAY}hands = {{ A = "Js Jh Jd 8c 7s 7h 7d 4s 3d 2s Ac", B = "Qs" }}', KNOCKING) == "knock 8c"
    assert says(f'{PLAY}hands = {{ A = "Js Jh Jd 8c 7s 7h 9d 4s 3d 2s Ac", B = "Qs" }}', KNOCKING).startswith("discard")


def test_after_a_knock_it_lays_off_and_is_done() -> None:
    game = at(f'{PLAY}hands = {{ A = "Js Jh Jd 8c 7s 7h 7d 4s 3d 2s Ac", B = "7c Kd" }}', KNOCKING)
    for seat, wish in ((0, "knock 8c"), (1, "add 7c"), (1, "done")):
        action = simple.decide(game.view(seat), 0)
        assert action is not None
        assert str(action).startswith(wish)
        game.act(seat, action)
    assert game.view(0).state.over


def test_it_uses_a_card_that_it_must_use() -> None:
    rules = NORWEGIAN.with_(draw=Draw(pile="many", must_use="before-discard"), lay_off="always")
    dice = Random(4)
    game = Game(rules, start_match(rules, 2), lambda cards: dice.sample(list(cards), len(cards)))
    game.next_hand()
    while not game.view(0).state.over:
        seat = game.view(0).state.turn
        action = simple.decide(game.view(seat), 0)
        assert action is not None
        game.act(seat, action)


@pytest.mark.parametrize("answer", ["keep"])
def test_it_keeps_what_it_drew_when_somebody_asks_late(answer: str) -> None:
    rules = NORWEGIAN.with_(claim__kind="buy", claim__penalty=1)
    text = 'seats = ["A", "B", "C"]\nphase = "play"\n[deal]\nhands = { A = "8h Ks", B = "2c 4d", C = "9s Jd" }'
    game = at(text, rules)
    game.act(0, act.Discard(Card.parse("8h")))
    game.act(1, act.Draw())
    game.act(2, act.Call())
    assert str(simple.decide(game.view(1), 0)) == answer


def test_it_says_nothing_of_a_claim_when_there_is_no_discard() -> None:
    rules = NORWEGIAN.with_(claim__kind="knock-claim", claim__penalty=1)
    text = 'seats = ["A", "B", "C"]\n[deal]\nhands = { A = "2c", B = "7h 8h 4d", C = "3s" }'
    assert says(text, rules, seat=1) == ""


def test_where_a_taken_card_may_go_back_it_may_be_the_one_to_throw() -> None:
    rules = NORWEGIAN.with_(draw__may_return=True, claim__kind="none")
    game = at(f'{DRAW}pile = "9h"\nhands = {{ A = "7h 8h Kd", B = "Qs" }}', rules)
    game.act(0, act.Take())
    assert str(simple.decide(game.view(0), 0)) == "meld 7h 8h 9h"
