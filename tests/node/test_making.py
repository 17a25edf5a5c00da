"""What is told of a deck that is being made and of a deal that is checked, hand by hand as the records come."""

from __future__ import annotations

from rummy_p2p.node.making import making_of
from rummy_p2p.sentences.screen import Making
from tests.protocol.blind_forge import BlindForge
from tests.protocol.forge import Forge


def told(forge: Forge) -> list[Making]:
    """Everything that was to be seen, each thing once."""
    seen = [making for step in forge.steps if (making := making_of(step.fold)) is not None]
    return list(dict.fromkeys(seen))


def test_a_blind_deck_is_told_of_from_the_key_to_the_last_signature_and_its_audit() -> None:
    forge = BlindForge(3).keying().closed()
    found = told(forge)
    assert list(dict.fromkeys(making.what for making in found)) == ["key", "shuffle", "sign", "audit"]
    shuffles = [making for making in found if making.what == "shuffle"]
    assert [(making.done, making.total) for making in shuffles] == [(0, 3), (1, 3), (2, 3)]
    assert sorted(name for making in shuffles for name in making.waits) == ["Ada", "Bea", "Cem"]
    for what in ("key", "sign", "audit"):
        counts = [making.done for making in found if making.what == what]
        assert counts == sorted(counts)
        assert all(making.done <= making.total for making in found)
    assert [making.total for making in found if making.what == "audit"] == [3] * 4
    assert found[-1] == Making("audit", 3, 3, ())


def test_before_a_hand_and_while_cards_are_played_nothing_is_told() -> None:
    forge = BlindForge(3).opened()
    assert making_of(None) is None
    assert making_of(forge.fold) is None
    forge.hand_opened().talk()
    assert forge.fold.is_dealt
    assert making_of(forge.fold) is None
    forge.play(moves=2)
    assert making_of(forge.fold) is None


def test_a_deck_of_the_host_is_told_of_as_well() -> None:
    forge = Forge(3)
    forge.opened().dealt()
    found = told(forge)
    assert {making.what for making in found} == {"deal"}
    assert [making.done for making in found] == sorted(making.done for making in found)
    assert found[0].total == 7
    assert found[-1].waits == ("Ada",)  # who is host lays the deck out
    forge.play()
    assert making_of(forge.fold) == Making("audit", 0, 1, ("Ada",))
