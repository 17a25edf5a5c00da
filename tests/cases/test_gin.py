"""Cases of gin that no scenario file can say: deadwood, enumerated melds, hidden hands, bonuses over several hands."""

from __future__ import annotations

from typing import Final

import msgspec
import pytest

from rummy_p2p.arrange import least_deadwood, least_deadwood_value, with_lay_offs
from rummy_p2p.cards import cards_text, pack, parse_cards
from rummy_p2p.engine import IllegalAction, MatchState, open_hand, read_action, settle, start_match
from rummy_p2p.engine.view import View
from rummy_p2p.melds import melds_of, read_meld
from rummy_p2p.offline.game import Game
from rummy_p2p.offline.hand import answer, read_hand, read_table
from rummy_p2p.rules.position import Phase
from rummy_p2p.ruleset import Ruleset
from tests.cases.positions import CATALOGUE, after, at, dealt

GIN: Final = CATALOGUE.compile("gin")
LOW: Final = CATALOGUE.compile("gin", ["ace=low"])
DEFENDER: Final = "3s 4s 4c 4d 5h 6h 7h 8s 8c 8d"
KNOCKED: Final = """
seats = ["A", "B"]
phase = "play"
[deal]
pile = "Kd"
hands = { A = "5h 6h 7h 2c Qs", B = "8h Kc 3d" }
"""


@pytest.mark.parametrize(
    ("hand", "rules", "points"),
    [
        pytest.param("3c 4c 5c 5d 5h 6h 7h 8h Js Qd", GIN, 25, id="G002"),
        pytest.param("Ac Ah As 2c 2h 2s 3c 3h 3s Kd", GIN, 10, id="G003"),
        pytest.param("Ac Ah As 2c 2h 2s 3c 3h 3s 4h", GIN, 0, id="G004"),
        pytest.param("Tc Qc 4d 9d 4h 9h Jh 4s 5s 6s", GIN, 56, id="G006"),
        pytest.param("Ac 4c 7c 2d 8d Jd 3h 5h Qh 6s Ks", GIN, 66, id="G008"),
        pytest.param("Ac 2c 3c 2d Td Jd 5h Qh 9s Ks", GIN, 56, id="G009"),
        pytest.param("Ac 2c 3c 4c 5c 6c 7c 8c 9c Tc Jc", GIN, 0, id="G010"),
        pytest.param("5s 4h 6s Th 3h Jh 5h 9h 2h 4s", GIN, 0, id="G012"),
        pytest.param("Jc 9d 8s 6d Js 8h Td 8d 7d Jd", GIN, 16, id="G013"),
        pytest.param("As 2s 3s 4s Ac Ad 4c 4d 5h 6s", GIN, 13, id="G014"),
        pytest.param("6d 7d 8d 8h 8s 9d Td Jc Jd Js", GIN, 16, id="G015"),
        pytest.param("4s 4c 4d 4h 5s 5c 5d 6s 2c 3s 3c", GIN, 9, id="G016"),
        pytest.param("Qs Ks As 2h 3h 4h 7c 7d 7s 9d", GIN, 9, id="G022"),
        pytest.param("Qs Ks As 2h 3h 4h 7c 7d 7s 9d", LOW, 30, id="G022 ace low"),
        pytest.param("As 2s 3s Qs Ks Ac Ad 7h 7c 7d", GIN, 7, id="G023"),
        pytest.param("As 2s 3s Qs Ks Ac Ad 7h 7c 7d", LOW, 22, id="G023 ace low"),
        pytest.param("Ks Qs As Ah Ad 4c 5c 6c 9h 2d", GIN, 13, id="G024"),
        pytest.param("Ks Qs As Ah Ad 4c 5c 6c 9h 2d", LOW, 31, id="G024 ace low"),
    ],
)
def test_the_least_deadwood_of_a_hand(hand: str, rules: Ruleset, points: int) -> None:
    told = answer(read_hand(hand, rules), rules)
    assert told.deadwood_points == points == least_deadwood_value(parse_cards(hand), rules)


def test_g016_after_the_best_discard_less_is_left() -> None:
    told = answer(read_hand("4s 4c 4d 4h 5s 5c 5d 6s 2c 3s 3c", GIN), GIN)
    assert told.best_discards == ("6s",)
    assert least_deadwood_value(parse_cards("4s 4c 4d 4h 5s 5c 5d 2c 3s 3c"), GIN) == 3


@pytest.mark.parametrize(
    ("hand", "sets", "runs"),
    [
        pytest.param("As Ac Ad Ah 2s 3s", 5, 1, id="G017"),
        pytest.param("9h Ac Th 3c 3d 7c Qh 3h 8c 8d 4d 7h 8s 5h 4h As Td 3s 2s Ah", 7, 2, id="G021"),
    ],
)
def test_the_melds_in_some_cards(hand: str, sets: int, runs: int) -> None:
    kinds = [read_meld(pieces, GIN.melds).kind for pieces in melds_of(parse_cards(hand), GIN.melds)]
    assert (kinds.count("set"), kinds.count("run")) == (sets, runs)


@pytest.mark.parametrize(
    ("longest", "low", "either"),
    [pytest.param(5, 185, 197, id="G019"), pytest.param(13, 329, 369, id="G020")],
)
def test_the_melds_in_the_whole_pack(longest: int, low: int, either: int) -> None:
    for rules, number in ((LOW, low), (GIN, either)):
        found = [pieces for pieces in melds_of(pack(1, 0), rules.melds) if len(pieces) <= longest]
        assert len(found) == len(set(found)) == number


@pytest.mark.parametrize(
    ("hand", "knocks"),
    [
        pytest.param("Js Jh Jd 8c 7s 7h 7d 4s 3d 2s Ac", "8c", id="G030"),
        pytest.param("7h 6h 5h 4s 4h 3h 2s As Ah Ad Ac", "7h 4s 4h 3h 2s As Ah Ad Ac", id="G032"),
        pytest.param("Ac 2c 3c 4d 5d 6d 7h 8h 9h Ts Js", "10s Js", id="G033"),
    ],
)
def test_the_discards_with_which_one_may_knock(hand: str, knocks: str) -> None:
    told = answer(read_hand(hand, GIN), GIN)
    assert " ".join(told.knock_discards) == knocks
    assert told.can_go_out


@pytest.mark.parametrize(
    ("melds", "hand", "left"),
    [
        pytest.param("Ks Kc Kd | 5s 6s 7s | 9c Tc Jc", "2s 2c 2d 2h Ac 7c 8c 8s 9s 8d", 9, id="G040"),
        pytest.param("5s 5c 5d | 6s 6c 6d | 7s 7c 7d", DEFENDER, 3, id="G041"),
        pytest.param("5s 6s 7s | 5c 6c 7c | 5d 6d 7d", DEFENDER, 0, id="G042"),
        pytest.param("As Ac Ad | Tc Td Th | Js Qs Ks", "4s 5s 9s Ts 4c 5c 4d 5d 4h 5h", 0, id="G043"),
        pytest.param("Ac 2c 3c | 4d 5d 6d | 7h 8h 9h", "4c 5c 8d 9d Jd Jh Qh Kh 2s 3s", 32, id="G044"),
        pytest.param("Ac 2c 3c | 4d 5d 6d | 7h 8h 9h", "Jc Qc Kc Jd Qd Kd Jh Qh Kh Ts", 10, id="G045"),
        pytest.param("5h 6h 7h | 8s 8c 8d", "8h 9h 4h Tc", 10, id="B9"),
    ],
)
def test_the_best_that_a_defender_can_do(melds: str, hand: str, left: int) -> None:
    cards = read_hand(hand, GIN)
    table = read_table(melds, GIN, cards)
    best = with_lay_offs(cards, GIN, table)
    assert best.deadwood == left
    assert answer(cards, GIN, table=table).deadwood_points == left


def test_b8_without_a_declaration_sets_come_before_runs() -> None:
    best = least_deadwood(parse_cards("5s 5c 5d 6s 6c 6d 7s 7c 7d 9h"), GIN)
    assert [meld.kind for meld in best.melds] == ["set", "set", "set"]


# --- a match ---------------------------------------------------------------------------------------------------------


def played(*hands: tuple[int | None, int]) -> MatchState:
    """Return a match after these hands: who has won, with how many points."""
    match = start_match(GIN, 2)
    for winner, points in hands:
        match = after(GIN, match, winner, points)
    return match


def test_t002_each_box_counts_and_the_winner_gets_the_game_bonus() -> None:
    match = played((0, 25), (1, 60), (0, 30), (1, 55))
    assert (match.over, match.winners, match.scores) == (True, (1,), (105, 265))


def test_t003_a_shut_out_is_not_doubled() -> None:
    match = played((0, 50), (0, 50))
    assert (match.over, match.winners, match.scores) == (True, (0,), (250, 0))


def test_t004_nine_hands_of_ten_points_do_not_end_the_match() -> None:
    match = played(*[(0, 10)] * 9)
    assert (match.over, match.scores, match.boxes) == (False, (90, 0), (9, 0))


def test_t005_a_match_that_is_over_takes_no_further_hand() -> None:
    match = played((0, 100))
    with pytest.raises(IllegalAction, match="match-over"):
        open_hand(GIN, match)
    with pytest.raises(IllegalAction, match="match-over"):
        settle(GIN, match, msgspec.structs.replace(open_hand(GIN, start_match(GIN, 2)).state, phase=Phase.OVER))


def test_b14_the_deal_alternates_and_stays_after_a_void_hand() -> None:
    assert [played(*[(0, 1)] * hands).dealer for hands in range(4)] == [0, 1, 0, 1]
    assert played((0, 1), (None, 0)).dealer == 1
    assert open_hand(GIN, played((0, 1))).state.turn == 0


# --- what is hidden --------------------------------------------------------------------------------------------------


def knocked() -> Game:
    game = at(KNOCKED, GIN)
    game.act(0, read_action("knock Qs", game.view(0)))
    return game


def seen(view: View, seat: int) -> str:
    """Return what a view shows of a hand."""
    faces = (view.card(slot) for slot in view.state.hands[seat])
    return " ".join("?" if face is None else str(face) for face in faces)


def test_c003_the_knocker_does_not_see_the_defender() -> None:
    game = knocked()
    assert game.view(0).state.phase is Phase.LAY_OFF
    assert seen(game.view(0), 1) == "? ? ?"
    game.act(1, read_action("add 8h 1", game.view(1)))
    assert seen(game.view(0), 1) == "? ?"
    assert not set(parse_cards("Kc 3d")) & set(game.view(0).state.faces)


def test_c004_the_defender_sees_all_of_the_knocker() -> None:
    view = knocked().view(1)
    assert [str(laid.meld) for laid in view.state.table] == ["5h 6h 7h"]
    assert seen(view, 0) == "2c"
    assert cards_text(view.hand) == "8h Kc 3d"


def test_c005_a_new_hand_hides_all_cards_of_the_others() -> None:
    game = dealt(2, GIN)
    while not game.view(0).state.over:
        game.act(game.view(0).state.turn, read_action("take", game.view(game.view(0).state.turn)))
        view = game.view(game.view(0).state.turn)
        game.act(view.seat, read_action(f"discard {view.hand[0]}", view))
    game.next_hand()
    for seat in (0, 1):
        assert seen(game.view(seat), 1 - seat) == " ".join("?" * 10)
        assert [face for face in game.view(seat).state.faces if face is not None] == [game.view(seat).state.top()]
