"""Cases about melds that need no game: what is a set, what is a run, what a joker may be."""

from __future__ import annotations

import pytest

from rummy_p2p.cards import Card, pack
from rummy_p2p.engine import parse_action
from rummy_p2p.melds import Meld, MeldError, Piece, Side, grow, melds_of, read_meld
from rummy_p2p.rules.actions import Lay
from rummy_p2p.ruleset import Melds
from tests.cases.positions import NORWEGIAN, SWEDISH_MELDS, TURKISH_MELDS


def pieces(text: str) -> tuple[Piece, ...]:
    lay = parse_action(f"meld {text}", pack(2, 6))
    assert isinstance(lay, Lay)
    return lay.melds[0]


def verdict(text: str, knobs: Melds) -> str:
    """Return how a meld is stored, or the code with which it is refused."""
    try:
        return str(read_meld(pieces(text), knobs)).replace("'", "")
    except MeldError as error:
        return error.code


@pytest.mark.parametrize("knobs", [SWEDISH_MELDS, TURKISH_MELDS], ids=["sv", "tr"])
@pytest.mark.parametrize(
    ("cards", "answer"),
    [
        pytest.param("10s 10d", "not-a-meld", id="M003"),
        pytest.param("8s 9s 10s", "8s 9s 10s", id="M004"),
        pytest.param("10d Jd Qd", "10d Jd Qd", id="M005"),
        pytest.param("Ks As 2s", "around-the-corner", id="M006"),
        pytest.param("As 2s 3s", "As 2s 3s", id="M008"),
        pytest.param("Qs Ks As 2s", "around-the-corner", id="M009"),
        pytest.param("8s 9s 10h", "not-a-meld", id="M010"),
        pytest.param("8s 10s Js", "not-a-meld", id="M011"),
        pytest.param("8s 8s 9s 10s", "duplicate-card", id="M012"),
        pytest.param("As 2s 3s 4s 5s 6s 7s 8s 9s 10s Js Qs Ks", "As 2s 3s 4s 5s 6s 7s 8s 9s 10s Js Qs Ks", id="M013"),
        pytest.param(
            "As 2s 3s 4s 5s 6s 7s 8s 9s 10s Js Qs Ks As", "As 2s 3s 4s 5s 6s 7s 8s 9s 10s Js Qs Ks As", id="M014"
        ),
        pytest.param("10s 10d 10h 10c 10s", "duplicate-card", id="M015"),
    ],
)
def test_a_meld_of_natural_cards(cards: str, answer: str, knobs: Melds) -> None:
    assert verdict(cards, knobs) == answer


@pytest.mark.parametrize(
    ("cards", "swedish", "turkish"),
    [
        pytest.param("10s JK 10h", "10s 10h JK", "10s 10h JK", id="J001"),
        pytest.param("As JK JK", "too-many-jokers", "too-few-naturals", id="J002"),
        pytest.param("10s 10h JK JK", "too-many-jokers", "10s 10h JK JK", id="J003"),
        pytest.param("5h JK 7h JK 9h", "too-many-jokers", "5h JK=6h 7h JK=8h 9h", id="J005"),
        pytest.param("JK JK JK 4h", "too-many-jokers", "too-few-naturals", id="J006"),
        pytest.param("As JK 3s", "As JK=2s 3s", "As JK=2s 3s", id="J009"),
        pytest.param("10s 10h 10d 10c JK", "not-a-meld", "not-a-meld", id="J010"),
        pytest.param("Qs Ks As JK=2s", "around-the-corner", "around-the-corner", id="J011"),
        pytest.param("JK=Ks As 2s 3s", "around-the-corner", "around-the-corner", id="J012"),
        pytest.param("8h JK 10h 8s", "not-a-meld", "not-a-meld", id="J013"),
        pytest.param("8h JK Jh", "not-a-meld", "not-a-meld", id="J014"),
        pytest.param("8h 9d JK", "not-a-meld", "not-a-meld", id="J015"),
    ],
)
def test_a_meld_with_jokers(cards: str, swedish: str, turkish: str) -> None:
    assert (verdict(cards, SWEDISH_MELDS), verdict(cards, TURKISH_MELDS)) == (swedish, turkish)


@pytest.mark.parametrize(
    ("cards", "side"), [pytest.param("Qs Ks As", "right", id="J011"), pytest.param("As 2s 3s", "left", id="J012")]
)
def test_no_joker_goes_beyond_an_ace(cards: str, side: Side) -> None:
    run = read_meld(pieces(cards), SWEDISH_MELDS)
    with pytest.raises(MeldError, match="joker-place"):
        grow(run, Piece(Card.parse("JK")), side, SWEDISH_MELDS)


@pytest.mark.parametrize(
    ("cards", "high_or_low", "low"),
    [
        pytest.param("7s 7h 7d", "7s 7h 7d", "7s 7h 7d", id="M022"),
        pytest.param("Ac 2c 3c", "Ac 2c 3c", "Ac 2c 3c", id="M022"),
        pytest.param("Qc Kc Ac", "Qc Kc Ac", "around-the-corner", id="M022"),
    ],
)
def test_where_the_ace_stands_is_a_matter_of_the_game(cards: str, high_or_low: str, low: str) -> None:
    assert verdict(cards, Melds(ace="either")) == high_or_low
    assert verdict(cards, NORWEGIAN.melds) == low


@pytest.mark.parametrize("jokers", [pytest.param(count, id=f"J038 with {count}") for count in (3, 4, 6)])
@pytest.mark.parametrize("knobs", [Melds(), SWEDISH_MELDS, TURKISH_MELDS], ids=["any", "sv", "tr"])
def test_with_many_jokers_no_meld_is_made_of_jokers_alone(jokers: int, knobs: Melds) -> None:
    hand = [*map(Card.parse, ("4h", "9s", "9d", "Kc")), *pack(0, jokers)]
    made = list(melds_of(hand, knobs))
    assert made
    for meld in made:
        read = read_meld(meld, knobs)
        assert isinstance(read, Meld)
        assert read.jokers < len(read.cards)
