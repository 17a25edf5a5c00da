"""The records of a deal by the host, as far as somebody is absent: the rest stands in test_fold."""

from __future__ import annotations

import random

import msgspec
import pytest

from rummy_p2p.deal import EntropyCommit
from rummy_p2p.deal.blind_messages import Draw, HandOver
from rummy_p2p.engine import IllegalAction, unshown
from rummy_p2p.protocol.events import CameBack, WentAway
from rummy_p2p.protocol.events import HandOver as Counted
from rummy_p2p.protocol.faults import Fault
from rummy_p2p.protocol.fold import advance
from rummy_p2p.protocol.records import Away, Back, Body, Flip, TimeOut
from rummy_p2p.protocol.state import Stage
from rummy_p2p.protocol.verify import verify
from tests.protocol.forge import Forge

DRAW = Draw(slots=(1,), points=b"p" * 32, proofs=b"p" * 64)
GIVEN = HandOver(slot=1, to=b"t" * 32, box=b"b" * 72, share=b"s" * 32, proof=b"p" * 64)


def refused(forge: Forge, author: int, body: Body) -> str:
    with pytest.raises((Fault, IllegalAction)) as caught:
        advance(forge.fold, forge.motion(author, body))
    return str(getattr(caught.value, "code", ""))


def turn_of(forge: Forge) -> int:
    assert forge.fold.hand is not None
    return forge.fold.hand.turn


def at(place: str) -> Forge:
    return {
        "between": lambda: Forge().opened(),
        "dealing": lambda: Forge().opened().hand_opened(),
        "playing": lambda: Forge().dealt(),
        "counted": lambda: Forge().dealt().play(),
    }[place]()


@pytest.mark.parametrize("place", ["between", "dealing", "playing", "counted"])
def test_a_peer_goes_away_and_comes_back_at_every_stage(place: str) -> None:
    forge = at(place)
    before = forge.fold
    assert refused(forge, 2, Back()) == "not-due"
    assert refused(forge, 0, Away(peer=forge.ids[0])) == "not-due"
    assert refused(forge, 0, Away(peer=b"x" * 32)) == "not-due"
    assert refused(forge, 2, Away(peer=forge.ids[1])) == "wrong-author"
    step = forge.add(0, Away(peer=forge.ids[2]))
    assert step.events == (WentAway(forge.ids[2], "Cem"),)
    assert refused(forge, 0, Away(peer=forge.ids[2])) == "not-due"
    step = forge.add(2, Back())
    assert step.events == (CameBack(forge.ids[2], "Cem"),)
    assert forge.fold == msgspec.structs.replace(before, away=frozenset())


def test_who_is_away_when_the_bytes_are_due_is_left_out_of_the_next_attempt() -> None:
    forge = Forge().opened()
    forge.add(0, Away(peer=forge.ids[2]))
    forge.hand_opened()
    for author, message in forge.shares()[:2]:
        forge.add(author, message)
    assert forge.fold.waits_for == (forge.ids[2],)
    forge.add(0, forge.hand_open(1, (forge.ids[2],)))
    assert forge.fold.committed.spec.peers == tuple(forge.ids[:2])
    assert refused(forge, 2, EntropyCommit(commitment=b"c" * 32)) == "entropy-stranger"


def play_on(forge: Forge, seed: int, absent: int | None = None) -> None:
    """Random moves until the hand is over and shows are owed; who is absent is passed over."""
    dice = random.Random(seed)
    while forge.fold.stage is Stage.PLAYING and not owing(forge):
        if turn_of(forge) == absent:
            forge.add(0, TimeOut(seat=absent))
        else:
            forge.play(1, dice.randrange(1 << 30))


def counting(seed: int) -> Forge:
    forge = Forge().dealt()
    play_on(forge, seed)
    return forge


def owing(forge: Forge) -> tuple[int, ...]:
    return unshown(forge.fold.hand) if forge.fold.hand else ()


def flip(forge: Forge) -> Flip:
    return Flip(openings=tuple(forge.opening(slot) for slot in forge.fold.flips))


def test_the_host_shows_the_cards_of_an_absent_seat_at_the_count() -> None:
    forge = Forge().dealt()
    assert refused(forge, 0, TimeOut(seat=turn_of(forge))) == "not-due"
    forge.add(0, Away(peer=forge.ids[2]))
    play_on(forge, 0, absent=2)
    hand = forge.fold.hand
    assert hand is not None
    assert sorted(forge.fold.flips) == sorted(slot for slot in hand.hands[2] if hand.faces[slot] is None)
    some = Flip(openings=flip(forge).openings[1:])
    assert refused(forge, 0, some) == "not-due"
    forge.add(0, flip(forge))
    assert forge.fold.flips == ()
    forge.play()
    assert forge.fold.stage is Stage.COUNTED
    forge.add(0, forge.score())
    (over,) = [event for event in forge.steps[-1].events if isinstance(event, Counted)]
    assert over.totals == forge.fold.scores
    assert verify(forge.file()).ok


def test_who_goes_away_at_the_count_is_shown_by_the_host_and_who_is_back_may_show() -> None:
    forge = next(made for seed in range(30) if any(owing(made := counting(seed))))
    guest = max(owing(forge))
    forge.add(0, Away(peer=forge.ids[guest]))
    flips = forge.fold.flips
    assert flips
    forge.add(guest, Back())
    forge.add(0, Away(peer=forge.ids[guest]))
    assert forge.fold.flips == flips
    forge.add(0, flip(forge))
    forge.play()
    assert forge.fold.stage is Stage.COUNTED


def test_nothing_for_a_blind_deck_comes_with_a_move() -> None:
    forge = Forge().dealt()
    seat = turn_of(forge)
    act = forge.act(seat, "draw")
    assert refused(forge, seat, msgspec.structs.replace(act, draw=DRAW)) == "not-due"
    assert refused(forge, seat, msgspec.structs.replace(act, hand_over=GIVEN)) == "not-due"
    forge.add(seat, act)
