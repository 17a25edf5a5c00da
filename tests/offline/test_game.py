from __future__ import annotations

from random import Random
from typing import cast

import pytest

from rummy_p2p.bots import simple
from rummy_p2p.cards import cards_text, pack
from rummy_p2p.engine import Action, HandState, IllegalAction, KnobFailed, read_action, start_match
from rummy_p2p.engine import events as ev
from rummy_p2p.offline.game import Game, with_scores
from rummy_p2p.rules import actions as act
from rummy_p2p.ruleset import Ruleset, StockOut
from rummy_p2p.variants.api import knob_function
from tests.cases.positions import NORWEGIAN, at, dealt


def hand_of(game: Game) -> HandState:
    assert game.hand is not None
    return game.hand


def finish(game: Game) -> None:
    while not hand_of(game).over:
        seat = hand_of(game).turn
        game.act(seat, cast("Action", simple.decide(game.view(seat), 0)))


def whole_match(dice: Random) -> Game:
    game = Game(NORWEGIAN, start_match(NORWEGIAN, 3), lambda cards: dice.sample(list(cards), len(cards)))
    while not game.match.over:
        game.next_hand()
        finish(game)
    return game


def breaks(_summary: object) -> int:
    raise ZeroDivisionError("division by zero")


BREAKING = NORWEGIAN.with_function(knob_function("hand_bonus", breaks, plugin="strange"))


def test_before_the_first_hand_there_is_nothing_to_see_or_do() -> None:
    game = Game(NORWEGIAN, start_match(NORWEGIAN, 2))
    for do in (lambda: game.view(0), lambda: game.act(0, act.Draw()), game.time_out, game.void):
        with pytest.raises(IllegalAction, match="hand-over"):
            do()


def test_without_a_shuffle_the_deck_is_in_pack_order() -> None:
    game = dealt(2)
    assert cards_text(game.view(1).hand) == "As 2s 3s 4s 5s 6s 7s 8s 9s 10s"
    assert str(hand_of(game).top()) == "8h"
    assert cards_text(game.snapshot()[2]) == cards_text(pack(1, 0))


def test_the_same_shuffle_gives_the_same_match() -> None:
    one, other = whole_match(Random(5)), whole_match(Random(5))
    assert (one.match, one.actions, one.events) == (other.match, other.actions, other.events)
    assert max(one.match.scores) >= 100


def test_what_happened_is_kept_in_order() -> None:
    game = dealt(2)
    assert [type(event) for event in game.events] == [ev.Dealt, ev.Upcard, ev.Turn]
    game.act(1, act.Draw())
    with pytest.raises(IllegalAction, match="already-drawn"):
        game.act(1, act.Draw())
    assert game.events[3:] == [ev.Drew(1, 21)]
    assert game.actions == [(1, act.Draw())]


def test_no_hand_is_dealt_over_another_one_nor_after_the_match() -> None:
    game = dealt(2)
    with pytest.raises(IllegalAction, match="invalid-deal"):
        game.next_hand()
    game.match = with_scores(game.match, (99, 99))
    finish(game)
    assert game.match.over
    for do in (game.next_hand, game.time_out, lambda: game.act(0, act.Draw())):
        with pytest.raises(IllegalAction, match="match-over"):
            do()


def test_a_time_out_passes_the_turn_on() -> None:
    game = dealt(2)
    game.time_out()
    assert hand_of(game).turn == 0
    assert game.events[-2:] == [ev.TimedOut(1), ev.Turn(0)]


@pytest.mark.parametrize("reverse", [False, True])
def test_a_reshuffled_pile_becomes_the_stock_in_the_order_of_the_shuffle(*, reverse: bool) -> None:
    rules = NORWEGIAN.with_(stock_out=StockOut(what="reshuffle"))
    deck = pack(1, 0)
    pile = [card for card in deck if str(card) not in ("7h", "9s", "Kd")]
    text = f'seats = ["A", "B"]\n[deal]\npile = "{cards_text(pile)}"\nhands = {{ A = "7h 9s", B = "Kd" }}'
    game = Game.restore(rules, at(text, rules).snapshot(), lambda cards: cards[::-1] if reverse else cards)
    game.act(0, act.Draw())
    assert game.view(0).hand[-1] == (pile[-2] if reverse else pile[0])
    assert hand_of(game).top() == pile[-1]


def test_a_function_that_fails_makes_the_hand_void_and_nothing_else() -> None:
    game = at('seats = ["A", "B"]\nphase = "play"\n[deal]\nhands = { A = "2c", B = "Ks" }', BREAKING)
    before = game.match
    with pytest.raises(KnobFailed, match="'strange' failed: ZeroDivisionError"):
        game.act(0, read_action("discard 2c", game.view(0)))
    assert hand_of(game).over
    assert hand_of(game).ending == "void"
    assert hand_of(game).points == (0, 0)
    assert game.match == before
    assert game.events[-1] == ev.HandEnded("void", None)
    game.next_hand()
    assert [len(hand) for hand in hand_of(game).hands] == [10, 10]


def test_a_hand_is_thrown_in_once() -> None:
    game = dealt(2)
    game.void()
    game.void()
    assert [event for event in game.events if isinstance(event, ev.HandEnded)] == [ev.HandEnded("void", None)]
    Game.restore(NORWEGIAN, game.snapshot())


def test_a_game_is_not_restored_into_a_match_of_another_size() -> None:
    hand, _match, order = dealt(2).snapshot()
    with pytest.raises(IllegalAction, match="invalid-deal"):
        Game.restore(NORWEGIAN, (hand, start_match(NORWEGIAN, 3), order))


def test_a_game_without_an_upcard_begins_with_the_stock() -> None:
    game = Game(Ruleset(upcard=False), start_match(Ruleset(upcard=False), 2))
    game.next_hand()
    assert hand_of(game).pile == ()
    assert [type(event) for event in game.events] == [ev.Dealt, ev.Turn]
