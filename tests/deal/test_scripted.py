"""The scripted deal: what is given is what is opened."""

import pytest

from rummy_p2p.cards import pack
from rummy_p2p.deal import Deal, DealError, EntropyOpen, Opening
from rummy_p2p.deal.scripted import ScriptedDeal

CARDS = pack(1, 2)


def test_every_slot_opens_to_the_card_of_the_script() -> None:
    deal: Deal = ScriptedDeal(CARDS)
    for slot, card in enumerate(CARDS):
        assert deal.verify(slot, deal.open_public(slot)) == card
        assert deal.open_private(slot, 1) == deal.open_public(slot)


def test_nothing_is_said_and_nothing_is_bound() -> None:
    deal = ScriptedDeal(CARDS)
    assert deal.messages() == ()
    assert deal.commitment is None
    with pytest.raises(DealError) as caught:
        deal.receive(b"a" * 32, EntropyOpen(b"e" * 32))
    assert caught.value.code == "entropy-early"


@pytest.mark.parametrize(
    ("slot", "opening", "code"),
    [
        (0, Opening(slot=0, card=int(CARDS[1]), proof=b""), "bad-opening"),
        (0, Opening(slot=1, card=int(CARDS[0]), proof=b""), "bad-opening"),
        (54, Opening(slot=54, card=0, proof=b""), "no-such-slot"),
        (-1, Opening(slot=0, card=0, proof=b""), "no-such-slot"),
    ],
)
def test_another_card_or_place_is_refused(slot: int, opening: Opening, code: str) -> None:
    with pytest.raises(DealError) as caught:
        ScriptedDeal(CARDS).verify(slot, opening)
    assert caught.value.code == code


def test_a_reshuffle_goes_on_in_the_order_given() -> None:
    deal = ScriptedDeal(CARDS)
    deal.reshuffle(len(CARDS), (CARDS[3], CARDS[1]))
    assert deal.verify(len(CARDS) + 1, deal.open_public(len(CARDS) + 1)) == CARDS[1]
    with pytest.raises(DealError) as caught:
        deal.reshuffle(0, (CARDS[3],))
    assert caught.value.code == "no-reshuffle"
