from __future__ import annotations

import msgspec
import pytest

from rummy_p2p.cards import cards_text
from rummy_p2p.offline.hand import HandAnswer, HandError, answer, read_hand, read_table
from rummy_p2p.ruleset import GoingOut, Melds, Round, Ruleset
from tests.cases.positions import KNOCKING, NORWEGIAN, WITH_JOKERS

OPENING = NORWEGIAN.with_(opening__points=30, lay_off="after-opening")
CONTRACTS = Ruleset(
    melds=Melds(run_min=4, set_max=8, distinct_suits=False),
    rounds=(Round("33", 10), Round("444", 12, "all-at-once")),
)


def ask(
    cards: str, rules: Ruleset = NORWEGIAN, table: str = "", *, opened: bool = False, round_index: int = 0
) -> HandAnswer:
    hand = read_hand(cards, rules)
    laid = read_table(table, rules, hand)
    return answer(hand, rules, table=laid, opened=opened, round_index=round_index)


def test_the_answer_is_the_best_arrangement() -> None:
    found = ask("7h 8h 9h 4s 4d 4c Kd")
    assert msgspec.json.decode(msgspec.json.encode(found)) == {
        "cards": ["7h", "8h", "9h", "4s", "4d", "4c", "Kd"],
        "melds": [
            {"kind": "set", "cards": ["4s", "4d", "4c"], "points": 12},
            {"kind": "run", "cards": ["7h", "8h", "9h"], "points": 24},
        ],
        "lay_offs": [],
        "deadwood": ["Kd"],
        "deadwood_points": 10,
        "points_in_melds": 36,
        "can_open": True,
        "can_go_out": True,
        "best_discards": ["Kd"],
        "knock_discards": [],
        "is_one_meld": False,
    }


def test_of_eleven_cards_the_deadwood_is_of_all_eleven() -> None:
    found = ask("4s 4c 4d 4h 5s 5c 5d 6s 2c 3s 3c", KNOCKING)
    assert found.deadwood_points == 9
    after = [ask(" ".join(card for card in found.cards if card != gone), KNOCKING) for gone in found.best_discards]
    assert {one.deadwood_points for one in after} == {3}


@pytest.mark.parametrize(
    ("cards", "knocks"),
    [
        ("Js Jh Jd 8c 7s 7h 7d 4s 3d 2s Ac", ("8c",)),
        ("7h 6h 5h 4s 4h 3h 2s As Ah Ad Ac", ("7h", "4s", "4h", "3h", "2s", "As", "Ah", "Ad", "Ac")),
    ],
)
def test_with_which_discards_one_may_knock(cards: str, knocks: tuple[str, ...]) -> None:
    found = ask(cards, KNOCKING)
    assert found.knock_discards == knocks
    assert found.can_go_out


def test_ten_cards_may_go_out_when_they_are_few_points_outside_melds() -> None:
    assert ask("Js Jh Jd 7s 7h 7d 4s 3d 2s Ac", KNOCKING).can_go_out
    assert not ask("Js Jh Jd 7s 7h 7d 4s 3d 9s 8c", KNOCKING).can_go_out


@pytest.mark.parametrize(
    ("cards", "table", "opened", "laid", "out"),
    [
        ("8h Ks", "5h 6h 7h", False, ("8h 1 right",), True),
        ("8h 9h Ks", "5h 6h 7h", False, ("8h 1 right", "9h 1 right"), True),
        ("4s Ks", "4h 4d 4c", False, ("4s 1",), True),
        ("4s Ks Qs", "4h 4d 4c", False, ("4s 1",), False),
        ("8h", "5h 6h 7h", False, ("8h 1 right",), True),
    ],
)
def test_cards_are_laid_off_on_the_table(
    cards: str, table: str, laid: tuple[str, ...], *, opened: bool, out: bool
) -> None:
    found = ask(cards, NORWEGIAN, table, opened=opened)
    assert found.lay_offs == laid
    assert found.can_go_out == out


def test_before_the_first_lay_down_nothing_is_laid_off_where_that_is_the_rule() -> None:
    assert ask("8h Ks", OPENING, "5h 6h 7h").lay_offs == ()
    assert not ask("8h Ks", OPENING, "5h 6h 7h").can_go_out
    assert ask("8h Ks", OPENING, "5h 6h 7h", opened=True).lay_offs == ("8h 1 right",)
    assert ask("8h Ks", OPENING, "5h 6h 7h", opened=True).can_go_out


@pytest.mark.parametrize(
    ("cards", "points", "opens"),
    [
        ("7s 7h 7d", 21, False),
        ("10s 10h 10d", 30, True),
        ("5s 6s 7s 4h 4d 4c", 30, True),
        ("9s 10s Js", 29, False),
        ("Kd", 0, False),
    ],
)
def test_what_opens(cards: str, points: int, *, opens: bool) -> None:
    found = ask(cards, OPENING)
    assert (found.points_in_melds, found.can_open) == (points, opens)
    assert ask(cards, OPENING, opened=True).can_open


def test_in_which_round_a_contract_opens() -> None:
    sets = "7s 7h 7d Ks Kh Kd 2c"
    assert ask(sets, CONTRACTS).can_open
    assert not ask(sets, CONTRACTS, round_index=1).can_open
    runs = "4s 5s 6s 7s 8d 9d 10d Jd Ac 2c 3c 4c"
    assert not ask(runs, CONTRACTS).can_open
    assert ask(runs, CONTRACTS, round_index=1).can_open
    assert ask(runs, CONTRACTS, round_index=1).can_go_out
    assert not ask(f"{runs} Kc", CONTRACTS, round_index=1).can_go_out


def test_where_the_last_card_may_be_laid_one_goes_out_without_a_discard() -> None:
    assert not ask("4d 5d 6d").can_go_out
    assert ask("4d 5d 6d").can_open
    assert ask("4d 5d 6d", NORWEGIAN.with_(going_out=GoingOut(how="may-lay"))).can_go_out


@pytest.mark.parametrize(
    ("cards", "one"),
    [
        ("8s 9s 10s", True),
        ("10s JK 10h", True),
        ("As JK JK", False),
        ("8s 9s", False),
        ("JK JK JK", False),
        ("", False),
    ],
)
def test_whether_the_cards_are_one_meld(cards: str, *, one: bool) -> None:
    assert ask(cards, WITH_JOKERS).is_one_meld == one


def test_an_empty_hand_has_an_answer() -> None:
    found = ask("")
    assert (found.melds, found.deadwood_points, found.best_discards) == ((), 0, ())


# --- reading ---------------------------------------------------------------------------------------------------------


def test_cards_are_read_as_they_are_written() -> None:
    two_packs = NORWEGIAN.with_(deck__packs=2)
    assert cards_text(read_hand("Th, 10s qd  JK", NORWEGIAN)) == "10h 10s Qd JK"
    assert cards_text(read_hand("7h 7h", two_packs)) == "7h 7h'"
    assert cards_text(read_hand("7h' 7h", two_packs)) == "7h' 7h"
    assert cards_text(read_hand("JK JK", NORWEGIAN)) == "JK JK'"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("7x", "'7x' is not a card; cards look like 7h, 10s, Qd or JK."),
        ("7h 7h", "7h is named more often than it is in the deck of this game."),
        ("7h'", "7h' is named more often than it is in the deck of this game."),
        (" ".join(["JK"] * 13), "JK is named more often than it is in the deck of this game."),
    ],
)
def test_a_hand_that_cannot_be(text: str, told: str) -> None:
    with pytest.raises(HandError) as caught:
        read_hand(text, NORWEGIAN)
    assert str(caught.value) == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("7h 8h 9x", "'9x' is not a card; cards look like 7h, 10s, Qd or JK."),
        ("7h 8h", "7h 8h is not a meld of this game (not-a-meld)."),
        ("7h 8h 9h | ", "There is an empty meld; separate melds with one |."),
        ("5h 6h 7h | 7h 7d 7c", "7h is named more often than it is in the deck of this game."),
        ("Ks Kd Kc", "Ks is named more often than it is in the deck of this game."),
        ("7h=8h 9h 10h", "'7h=8h' should name a joker and the card it stands for, as in JK=Qd."),
    ],
)
def test_a_table_that_cannot_be(text: str, told: str) -> None:
    with pytest.raises(HandError) as caught:
        read_table(text, NORWEGIAN, read_hand("Ks", NORWEGIAN))
    assert str(caught.value) == told


def test_a_table_is_read_with_its_jokers() -> None:
    melds = read_table("7h JK 9h | 4s 4d 4c", WITH_JOKERS)
    assert list(map(str, melds)) == ["7h JK=8h 9h", "4s 4d 4c"]
    assert read_table("  ", NORWEGIAN) == ()
