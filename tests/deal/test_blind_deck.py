"""What a blind deal consists of: cards as points, and the names that bind everything to its place."""

from __future__ import annotations

from rummy_p2p.cards import pack
from rummy_p2p.deal.blind_deck import Request, card_point, cards_by_point, lay, name_request, warm_up
from rummy_p2p.deal.group import G, plus, read_point, times_base
from rummy_p2p.deal.shuffle import generators
from tests.deal.blind_table import IDS, SMALL, spec

HAND = b"H" * 32


def test_every_physical_card_is_a_point_of_its_own() -> None:
    cards = pack(3, 6)
    table = cards_by_point(cards)
    assert len(table) == len(cards) == 162
    assert all(table[read_point(card_point(card))] is card for card in cards)
    assert not table.keys() & set(generators(10))


def test_a_fresh_layer_is_the_deck_in_order_that_anybody_can_make() -> None:
    one = spec(2)
    layer = lay(one, HAND, 7, 3, SMALL, IDS[:2])
    assert layer.decks == (tuple((G, plus(card_point(card), one.key.public)) for card in SMALL),)
    assert (7 in layer, 11 in layer, 6 in layer, 12 in layer, layer.end) == (True, True, False, False, 12)
    assert layer.shuffler == IDS[1]


def test_whose_turn_it_is_rotates_with_hand_and_epoch() -> None:
    orders = [
        lay(spec(3, number=number), HAND, 0, epoch, SMALL, IDS[:3]).order for number, epoch in ((0, 0), (1, 0), (1, 2))
    ]
    assert orders == [IDS[:3], (IDS[1], IDS[2], IDS[0]), IDS[:3]]


def test_the_first_link_of_the_chain_covers_place_cards_and_order() -> None:
    layers = [
        lay(spec(2), HAND, 0, 0, SMALL, IDS[:2]),
        lay(spec(2), b"I" * 32, 0, 0, SMALL, IDS[:2]),
        lay(spec(2), HAND, 1, 0, SMALL, IDS[:2]),
        lay(spec(2), HAND, 0, 1, SMALL, IDS[:2]),
        lay(spec(2), HAND, 0, 0, SMALL[:4], IDS[:2]),
        lay(spec(2), HAND, 0, 0, SMALL, IDS[:1]),
    ]
    assert len({layer.chain for layer in layers}) == len(layers)


def test_the_name_of_a_request_covers_all_that_it_asks_for() -> None:
    point = times_base(5)
    names = {
        name_request(HAND, 0, (1,), (point,), IDS[0], b"r"),
        name_request(b"I" * 32, 0, (1,), (point,), IDS[0], b"r"),
        name_request(HAND, 1, (1,), (point,), IDS[0], b"r"),
        name_request(HAND, 0, (2,), (point,), IDS[0], b"r"),
        name_request(HAND, 0, (1,), (G,), IDS[0], b"r"),
        name_request(HAND, 0, (1,), (point,), IDS[1], b"r"),
        name_request(HAND, 0, (1,), (point,), None, b"r"),
        name_request(HAND, 0, (1,), (point,), IDS[0], b"s"),
    }
    assert len(names) == 8


def test_a_request_finds_what_belongs_to_a_slot() -> None:
    asked = Request(b"n", 0, (4, 2), (G, times_base(2)), IDS[0], (times_base(3), times_base(4)), ((1, (G, G)),))
    assert asked.point(2) == times_base(2)
    assert asked.factor(2) == times_base(4)
    assert asked.shares_of(4) == {1: G}


def test_warming_up_hashes_what_a_deck_needs() -> None:
    warm_up(SMALL)
    assert len(cards_by_point(SMALL)) == len(SMALL)
