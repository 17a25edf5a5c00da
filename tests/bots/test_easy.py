from __future__ import annotations

from rummy_p2p.bots import LEVELS, easy, simple
from rummy_p2p.rules import actions as act
from tests.cases.positions import KNOCKING, NORWEGIAN, at

DRAW = 'seats = ["A", "B", "C"]\n[deal]\n'
PLAY = 'seats = ["A", "B"]\nphase = "play"\n[deal]\n'
SEEDS = range(60)


def says(text: str, seat: int = 0, rules: object = NORWEGIAN) -> set[str]:
    view = at(text, KNOCKING if rules is KNOCKING else NORWEGIAN).view(seat)
    return {str(easy.decide(view, seed)) for seed in SEEDS}


def test_it_is_a_level() -> None:
    assert LEVELS["easy"] is easy.decide


def test_it_overlooks_now_and_then_what_it_could_take() -> None:
    assert says(f'{DRAW}pile = "9h"\nhands = {{ A = "7h 8h Kd", B = "Qs", C = "2d" }}') == {"take", "draw"}


def test_it_overlooks_now_and_then_what_it_could_lay() -> None:
    wishes = says(f'{PLAY}hands = {{ A = "7h 8h 9h 2c Kd", B = "Qs" }}')
    assert "meld 7h 8h 9h" in wishes
    assert any(wish.startswith("discard") for wish in wishes)


def test_it_throws_now_and_then_what_a_better_player_would_keep() -> None:
    assert says(f'{PLAY}hands = {{ A = "4c 2d Kd", B = "Qs" }}') > {"discard Kd"}


def test_it_never_claims() -> None:
    three = 'seats = ["A", "B", "C"]\nphase = "play"\n[deal]\n'
    game = at(three + 'hands = { A = "9h 2c", B = "4s", C = "7h 8h" }')
    game.act(0, act.Discard(game.view(0).hand[0]))
    assert {easy.decide(game.view(2), seed) for seed in SEEDS} == {None}


def test_it_overlooks_a_lay_off_after_a_knock_and_is_done() -> None:
    game = at(f'{PLAY}hands = {{ A = "Js Jh Jd 8c 7s 7h 7d 4s 3d 2s Ac", B = "7c Kd" }}', KNOCKING)
    knock = simple.decide(game.view(0), 0)
    assert knock is not None
    game.act(0, knock)
    assert {str(easy.decide(game.view(1), seed)) for seed in SEEDS} >= {"done"}


def test_the_same_seed_gives_the_same_move() -> None:
    view = at(f'{PLAY}hands = {{ A = "4c 2d Kd 7h 8h", B = "Qs" }}').view(0)
    assert [easy.decide(view, seed) for seed in SEEDS] == [easy.decide(view, seed) for seed in SEEDS]
