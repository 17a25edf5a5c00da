"""One peer's own part in a hand: its duties, its boxes, its faces; no secret gets out by accident."""

from __future__ import annotations

import random

import msgspec
import pytest

from rummy_p2p.deal import DeckLaid, EntropyCommit
from rummy_p2p.engine import Want, parse_action
from rummy_p2p.protocol.codec import pack
from rummy_p2p.protocol.faults import Fault, Refusal
from rummy_p2p.protocol.hand import BOXES_KEPT, HostDealtParty
from rummy_p2p.protocol.identity import seal
from rummy_p2p.protocol.messages import Boxed, Dealt, sign
from rummy_p2p.protocol.records import HandOpen, Void
from rummy_p2p.protocol.state import Advance, Stage
from tests.protocol.forge import Forge
from tests.protocol.lan import rummy


def party(forge: Forge, peer: int = 1, seed: int = 0) -> HostDealtParty:
    made = HostDealtParty(forge.peers[peer], forge.match, random.Random(seed).randbytes)
    for seq, step in enumerate(forge.steps, 1):
        made.follow(step, seq)
    return made


def box(forge: Forge, slots: tuple[int, ...], to: int = 1, **place: int) -> Boxed:
    at = {"hand": forge.fold.number, "epoch": forge.fold.epoch, **place}
    openings = tuple(forge.opening(slot) for slot in slots)
    inner = sign(forge.host, Dealt(match=forge.match, seat=to, openings=openings, **at))
    return Boxed(match=forge.match, to=forge.ids[to], box=seal(forge.ids[to], pack(inner)), **at)


def hidden(forge: Forge, seat: int = 1) -> tuple[int, ...]:
    hand = forge.fold.hand
    assert hand is not None
    return hand.hands[seat]


def test_before_any_cards_there_is_nothing_to_see() -> None:
    forge = Forge().opened()
    made = party(forge)
    assert not made.knows_hand(forge.fold, 1)
    with pytest.raises(Refusal):
        made.view(forge.fold, 1)
    assert list(made.duties(forge.fold)) == []
    assert list(made.boxes(forge.fold)) == []
    assert list(made.boxes_again(forge.fold, forge.ids[2])) == []


def test_a_duty_is_the_same_until_it_is_done() -> None:
    forge = Forge().opened().hand_opened()
    made = party(forge)
    (first,) = made.duties(forge.fold)
    assert list(made.duties(forge.fold)) == [first]
    assert isinstance(first[1], EntropyCommit)


def test_cards_are_learnt_from_a_box() -> None:
    forge = Forge().dealt()
    made = party(forge)
    assert not made.knows_hand(forge.fold, 1)
    with pytest.raises(Refusal, match="on their way"):
        made.openings(forge.view(1), parse_action("show"))
    made.receive_box(box(forge, hidden(forge)), forge.ids[0])
    made.open_boxes()
    assert made.take_fresh() == (1,)
    assert made.take_fresh() == ()
    assert made.knows_hand(forge.fold, 1)
    assert made.view(forge.fold, 1).hand == forge.view(1).hand


def test_a_box_that_comes_before_its_deck_waits_for_it() -> None:
    forge = Forge().dealt()
    early = HostDealtParty(forge.peers[1], forge.match, random.Random(0).randbytes)
    early.receive_box(box(forge, hidden(forge)), forge.ids[0])
    early.open_boxes()
    for seq, step in enumerate(forge.steps[:6], 1):
        early.follow(step, seq)
    early.open_boxes()
    assert early.take_fresh() == ()
    for seq, step in enumerate(forge.steps[6:], 7):
        early.follow(step, seq)
    early.open_boxes()
    assert early.take_fresh() == (1,)


def test_boxes_for_others_of_other_matches_and_of_past_hands_are_left_alone() -> None:
    forge = Forge().dealt()
    made = party(forge)
    made.receive_box(box(forge, hidden(forge, 2), to=2), forge.ids[0])
    made.receive_box(box(forge, hidden(forge), hand=0), forge.ids[0])
    made.receive_box(box(Forge(keys=50).dealt(), (0,)), forge.ids[0])
    made.open_boxes()
    assert made.take_fresh() == ()
    made.receive_box(box(forge, hidden(forge)), forge.ids[0])
    forge.add(0, Void(code="secret-lost", evidence=()))
    made.follow(forge.steps[-1], forge.ledger.tail)
    forge.hand_opened()
    made.follow(forge.steps[-1], forge.ledger.tail)
    made.open_boxes()
    assert made.take_fresh() == ()


def test_what_waits_is_bounded() -> None:
    forge = Forge().dealt()
    made = HostDealtParty(forge.peers[1], forge.match, random.Random(0).randbytes)
    for _ in range(BOXES_KEPT + 20):
        made.receive_box(box(forge, hidden(forge)), forge.ids[0])
    assert len(made._boxes) <= BOXES_KEPT + 1


def test_a_box_with_another_card_is_the_hosts_fault_and_carries_the_proof() -> None:
    forge = Forge().dealt()
    made = party(forge)
    assert forge.deal is not None
    honest = forge.deal._openings[0]
    forge.deal._openings[0] = tuple(msgspec.structs.replace(opening, card=opening.card ^ 1) for opening in honest)
    made.receive_box(box(forge, hidden(forge)), forge.ids[0])
    with pytest.raises(Fault) as caught:
        made.open_boxes()
    assert (caught.value.code, caught.value.culprit) == ("bad-opening", forge.ids[0])
    assert len(caught.value.evidence) == 1
    assert made.take_fresh() == ()


# ---------------------------------------------------------------- the host


@pytest.mark.parametrize("kept", [b"", b"damaged"])
def test_what_was_kept_and_is_damaged_is_as_good_as_none(kept: bytes) -> None:
    forge = Forge().opened().hand_opened()
    made = HostDealtParty(forge.peers[1], forge.match, random.Random(0).randbytes, kept)
    for seq, step in enumerate(forge.steps, 1):
        made.follow(step, seq)
    ((_, said),) = made.duties(forge.fold)
    assert isinstance(said, EntropyCommit)


def host_party() -> tuple[Forge, HostDealtParty]:
    """A host that has dealt a hand of its own making."""
    forge = Forge().opened()
    made = party(forge, 0)
    ((key, body),) = made.duties(forge.fold)
    assert isinstance(body, HandOpen)
    assert list(made.duties(forge.fold)) == [(key, body)]
    forge.add(0, body)
    made.follow(forge.steps[-1], forge.ledger.tail)
    return forge, made


def say_all(forge: Forge, made: HostDealtParty) -> None:
    """The host says what it owes, the others their shares, until cards are dealt."""
    while forge.fold.stage is Stage.DEALING or forge.fold.flips:
        for author, message in forge.shares() if forge.fold.stage is Stage.DEALING else ():
            if author:
                forge.add(author, message)
                made.follow(forge.steps[-1], forge.ledger.tail)
        for _, body in list(made.duties(forge.fold)):
            forge.add(0, body)
            made.follow(forge.steps[-1], forge.ledger.tail)


def test_a_host_deals_and_boxes_what_is_owed_once_and_again_on_demand() -> None:
    forge, made = host_party()
    say_all(forge, made)
    boxes = list(made.boxes(forge.fold))
    assert [boxed.to for boxed in boxes] == [forge.ids[1], forge.ids[2]]
    assert made.take_fresh() == (0,)
    assert made.knows_hand(forge.fold, 0)
    assert list(made.boxes(forge.fold)) == []
    for boxed in (boxes[0], *made.boxes_again(forge.fold, forge.ids[1])):
        guest = party(forge, 1)
        guest.receive_box(boxed, forge.ids[0])
        guest.open_boxes()
        assert guest.knows_hand(forge.fold, 1)
    assert list(made.boxes_again(forge.fold, b"x" * 32)) == []


def test_a_host_that_was_restarted_gives_the_hand_up() -> None:
    forge, made = host_party()
    say_all(forge, made)
    again = party(forge, 0, seed=9)
    assert [body for _, body in again.duties(forge.fold)] == [Void(code="secret-lost", evidence=())]
    assert list(again.boxes(forge.fold)) == []
    assert list(again.boxes_again(forge.fold, forge.ids[1])) == []


def test_cards_of_a_shuffled_pile_are_boxed_when_it_is_laid_out() -> None:
    forge, made = host_party()
    say_all(forge, made)
    list(made.boxes(forge.fold))
    cards = forge.fold.committed.spec.cards[:3]
    waiting = msgspec.structs.replace(forge.fold, deal=forge.fold.committed.reshuffle(52, cards))
    made.follow(Advance(waiting, private=(Want(52, 1),)), forge.ledger.tail)
    ((_, body),) = made.duties(waiting)
    assert isinstance(body, DeckLaid)
    assert list(made.boxes(waiting)) == []
    laid = msgspec.structs.replace(waiting, deal=waiting.committed.receive(forge.ids[0], body))
    made.follow(Advance(laid), forge.ledger.tail)
    (boxed,) = made.boxes(laid)
    assert boxed.to == forge.ids[1]


def test_at_the_count_a_peer_shows_its_own_cards_and_the_host_closes() -> None:
    forge = Forge(2, rules=rummy()).dealt().play()
    shows = [step for step in forge.steps if any(getattr(e, "move", "") == "show" for e in step.events)]
    assert forge.fold.stage is Stage.COUNTED
    assert len(shows) <= 2
    assert list(party(forge, 1).duties(forge.fold)) == []
