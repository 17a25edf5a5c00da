from __future__ import annotations

from rummy_p2p.bots.partners import partners
from rummy_p2p.cards import FACES, Card, parse_cards
from tests.cases.positions import KNOCKING, WITH_JOKERS


def bits(text: str) -> int:
    return sum(1 << card.face for card in parse_cards(text))


def test_a_card_needs_two_others_of_a_set_or_a_run() -> None:
    found = partners(KNOCKING)[Card.parse("4h").face]
    sets = [bits("4s 4d"), bits("4s 4c"), bits("4d 4c")]
    assert sorted(found) == sorted([*sets, bits("2h 3h"), bits("3h 5h"), bits("5h 6h")])


def test_longer_melds_need_more_and_the_ace_stands_where_the_rules_let_it() -> None:
    rules = KNOCKING.with_(melds__run_min=4, melds__set_min=4, melds__ace="low")
    assert sorted(partners(rules)[Card.parse("As").face]) == sorted([bits("Ah Ad Ac"), bits("2s 3s 4s")])
    assert bits("Qs Ks") in partners(KNOCKING)[Card.parse("As").face]


def test_with_jokers_nothing_is_known_to_be_needed() -> None:
    assert partners(WITH_JOKERS) == ((0,),) * FACES
