from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

import msgspec
import pytest

from rummy_p2p.bots import simple
from rummy_p2p.engine import Action, HandState, IllegalAction, MatchState, View, legal_actions, start_match
from rummy_p2p.offline import laws
from rummy_p2p.offline.game import Game
from rummy_p2p.offline.laws import LawBroken, check_cards, check_legal, check_position, check_scores, choose, try_hand
from rummy_p2p.rules.actions import Discard, Draw
from rummy_p2p.ruleset import Ruleset
from rummy_p2p.variants.api import HandSummary, knob_function
from rummy_p2p.variants.manager import installed, make_catalogue

CATALOGUE = make_catalogue(installed())
NORWEGIAN = CATALOGUE.compile("rummy-no")


def with_bonus(call: Callable[..., object]) -> Ruleset:
    return NORWEGIAN.with_function(knob_function("hand_bonus", call, plugin="strange"))


def broken(rules: Ruleset, seed: int = 1) -> LawBroken:
    with pytest.raises(LawBroken) as caught:
        try_hand(rules, 2, seed)
    return caught.value


def dealt(rules: Ruleset = NORWEGIAN, seats: int = 2) -> Game:
    dice = Random(3)
    game = Game(rules, start_match(rules, seats), lambda cards: dice.sample(list(cards), len(cards)))
    game.next_hand()
    return game


@pytest.mark.parametrize("game", CATALOGUE.games)
def test_every_law_holds_in_every_game(game: str) -> None:
    rules = CATALOGUE.compile(game)
    tried = try_hand(rules, rules.players.min, 7)
    assert tried.actions > 0
    assert tried.ending
    assert try_hand(rules, rules.players.min, 7) == tried


# --- what a house rule can break -------------------------------------------------------------------------------------


def test_a_function_that_fails_breaks_a_law_and_names_its_plugin() -> None:
    def bonus(_summary: HandSummary) -> int:
        raise ZeroDivisionError("division by zero")

    error = broken(with_bonus(bonus))
    assert (error.law, error.sentence) == (
        "functions",
        "The rule 'hand_bonus' of the plugin 'strange' failed: ZeroDivisionError: division by zero",
    )
    assert error.record
    assert error.record[-1].split()[0] in ("0", "1")


def test_a_function_that_remembers_breaks_a_law() -> None:
    counted = iter(range(1000))
    assert broken(with_bonus(lambda _summary: next(counted))).law == "replay"


def test_a_function_that_never_lets_anybody_go_out_breaks_a_law() -> None:
    rules = NORWEGIAN.with_function(knob_function("may_go_out", lambda _summary: False, plugin="strange"))
    assert {law for seed in range(10) if (law := law_broken(rules, seed))} == {"ends"}


def law_broken(rules: Ruleset, seed: int) -> str | None:
    try:
        try_hand(rules, 2, seed)
    except LawBroken as error:
        return error.law
    return None


def test_a_hand_without_end_breaks_a_law(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(laws, "MOST_ACTIONS", 5)
    error = broken(NORWEGIAN)
    assert (error.law, error.sentence) == ("ends", "after 5 actions the hand has not come to its end")
    assert str(error) == "ends: after 5 actions the hand has not come to its end"


# --- what an engine could break: the laws are told of something that is not so ---------------------------------------


def test_a_card_that_is_missing_or_lies_twice_breaks_a_law() -> None:
    game = dealt()
    hand, _, order = game.snapshot()
    assert hand
    check_cards(NORWEGIAN, hand, order)
    for stock in (hand.stock[1:], (*hand.stock, hand.stock[0]), (hand.hands[0][0], *hand.stock[1:])):
        with pytest.raises(LawBroken, match="cards: of 52 cards"):
            check_cards(NORWEGIAN, msgspec.structs.replace(hand, stock=stock), order)


def test_a_position_that_contradicts_itself_breaks_a_law() -> None:
    hand, _, order = dealt().snapshot()
    assert hand
    check_position(NORWEGIAN, hand, order)
    with pytest.raises(LawBroken, match="cards: the position contradicts itself"):
        check_position(NORWEGIAN, msgspec.structs.replace(hand, turn=5), order)


def test_an_action_that_is_listed_and_refused_breaks_a_law(monkeypatch: pytest.MonkeyPatch) -> None:
    game = dealt()
    view = game.view(game.view(0).state.turn)
    too_early = Discard(view.hand[0])
    monkeypatch.setattr(laws, "legal_actions", lambda view: (*legal_actions(view), too_early))
    with pytest.raises(LawBroken, match=f"legal: {too_early} is listed and refused"):
        check_legal(view, Random(0))


def test_an_action_that_is_accepted_and_not_listed_breaks_a_law(monkeypatch: pytest.MonkeyPatch) -> None:
    game = dealt()
    view = game.view(game.view(0).state.turn)
    monkeypatch.setattr(laws, "legal_actions", lambda view: tuple(a for a in legal_actions(view) if a != Draw()))
    with pytest.raises(LawBroken, match="legal: draw is accepted and not listed"):
        check_legal(view, Random(0))


def test_an_action_that_is_not_read_back_breaks_a_law(monkeypatch: pytest.MonkeyPatch) -> None:
    game = dealt()
    view = game.view(game.view(0).state.turn)
    monkeypatch.setattr(laws, "parse_action", lambda _text: Discard(view.hand[0]))
    with pytest.raises(LawBroken, match=r"notation: .* is read back as discard"):
        check_legal(view, Random(0))


def test_a_listed_action_that_cannot_be_carried_out_breaks_a_law(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuses(_game: Game, _seat: int, _action: Action) -> None:
        raise IllegalAction("stock-empty")

    monkeypatch.setattr(Game, "act", refuses)
    assert "is listed and refused: stock-empty" in broken(NORWEGIAN).sentence


def test_a_seat_that_can_do_nothing_breaks_a_law(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(laws, "legal_actions", lambda _view: ())
    with pytest.raises(LawBroken, match=r"ends: seat \d is on turn and can do nothing"):
        choose(dealt(), Random(0), 0.0)


def test_points_that_do_not_add_up_break_a_law() -> None:
    before, after, hand = played("gin")
    check_scores(before, after, hand)
    with pytest.raises(LawBroken, match="scores: the points are"):
        check_scores(before, after, msgspec.structs.replace(hand, points=(1000, 0)))
    with pytest.raises(LawBroken, match="scores: the totals are"):
        check_scores(msgspec.structs.replace(before, scores=(1, 1)), after, hand)


def played(game_id: str, target: int | None = None) -> tuple[MatchState, MatchState, HandState]:
    rules = CATALOGUE.compile(game_id)
    game = dealt(rules if target is None else rules.with_(match__target=target), 2)
    before = game.match
    dice = Random(1)
    while not game.view(0).state.over:
        game.act(*choose(game, dice, 0.9))
    return before, game.match, game.view(0).state


def test_bonuses_of_a_match_are_part_of_the_totals() -> None:
    before, after, hand = played("gin", target=1)
    assert after.over
    assert sum(after.scores) > sum(hand.points)
    check_scores(before, after, hand)


# --- who does what ---------------------------------------------------------------------------------------------------


def moves(skill: float) -> Iterator[tuple[View, Action]]:
    game, dice = dealt(seats=3), Random(4)
    while not game.view(0).state.over:
        seat, action = choose(game, dice, skill)
        yield game.view(seat), action
        game.act(seat, action)


def test_with_skill_a_seat_does_what_a_bot_would() -> None:
    assert all(action == simple.decide(view, 0) for view, action in moves(1.0))


def test_without_skill_a_seat_does_anything_legal() -> None:
    done = list(moves(0.0))
    assert all(action in legal_actions(view) for view, action in done)
    assert any(action != simple.decide(view, 0) for view, action in done)
