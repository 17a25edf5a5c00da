"""Closed tables: the password lets in, and is shown to nobody."""

import hashlib
from collections.abc import Callable

import pytest

from rummy_p2p.protocol.codec import pack
from rummy_p2p.protocol.errors import RemoteProtocolError
from rummy_p2p.protocol.password import (
    FREE_TRIES,
    FREE_TRIES_OF_ALL,
    OPEN_KNOCKS,
    REMEMBERED,
    WAIT,
    Door,
    Joiner,
    Knock,
    KnockAnswer,
    KnockProof,
    NotWelcome,
    Welcome,
    make_password,
    why_not,
)
from rummy_p2p.protocol.text import said
from rummy_p2p.protocol.words import WORDS

TABLE, ADA, BEA, CEM = (bytes([n]) * 32 for n in range(4))
CHANNEL, OTHER_CHANNEL = b"f" * 32, b"g" * 32
RIGHT, WRONG = "kestrel amber lantern", "kestrel amber lamp"


def dice(seed: int) -> Callable[[int], bytes]:
    state = [seed]

    def draw(size: int) -> bytes:
        state[0] += 1
        return hashlib.shake_256(state[0].to_bytes(8, "big")).digest(size)

    return draw


def door(password: str = RIGHT) -> Door:
    return Door(password, TABLE, ADA, dice(1))


def joiner(password: str = RIGHT, me: bytes = BEA, channel: bytes = CHANNEL) -> Joiner:
    return Joiner(password, TABLE, me, ADA, channel, dice(1000))


def knock(
    here: Door, there: Joiner, *, peer: bytes = BEA, now: float = 0.0, channel: bytes = CHANNEL
) -> tuple[object, bool]:
    """One exchange as far as it goes."""
    answer, admitted = here.receive(peer, channel, there.knock(), now)
    assert not admitted
    if not isinstance(answer, KnockAnswer):
        return answer, False
    return here.receive(peer, channel, there.prove(answer), now)


def test_who_knows_the_password_is_let_in_and_learns_that_the_other_side_knows_it_too() -> None:
    there = joiner("  Kestrel AMBER-lantern ")
    welcome, admitted = knock(door(), there)
    assert admitted
    assert isinstance(welcome, Welcome)
    assert there.is_welcome(welcome)
    assert not there.is_welcome(Welcome(table=TABLE, mac=bytes(32)))
    assert not joiner().is_welcome(Welcome(table=TABLE, mac=bytes(32)))


@pytest.mark.parametrize(
    "there",
    [joiner(WRONG), joiner(me=CEM), joiner(channel=OTHER_CHANNEL)],
    ids=["another password", "another player", "somebody in between"],
)
def test_nobody_else_is_let_in(there: Joiner) -> None:
    answer, admitted = knock(door(), there)
    assert (answer, admitted) == (NotWelcome(table=TABLE, code="wrong-password"), False)


def test_what_is_said_does_not_hold_the_password() -> None:
    here, there = door(), joiner()
    first = there.knock()
    answer, _ = here.receive(BEA, CHANNEL, first, 0.0)
    assert isinstance(answer, KnockAnswer)
    proof = there.prove(answer)
    last, _ = here.receive(BEA, CHANNEL, proof, 0.0)
    assert isinstance(last, Welcome)
    for message in (first, answer, proof, last):
        assert b"amber" not in pack(message)


def test_a_false_door_cannot_say_welcome() -> None:
    there = joiner()
    answer, _ = door("what it guesses").receive(BEA, CHANNEL, there.knock(), 0.0)
    assert isinstance(answer, KnockAnswer)
    proof = there.prove(answer)
    assert not there.is_welcome(Welcome(table=TABLE, mac=proof.mac))


def test_three_tries_of_a_player_are_free_then_one_in_half_a_minute() -> None:
    here = door()
    for _ in range(FREE_TRIES):
        assert knock(here, joiner(WRONG))[0] == NotWelcome(table=TABLE, code="wrong-password")
    refused, admitted = knock(here, joiner(), now=1.0)
    assert refused == NotWelcome(table=TABLE, code="too-many-tries", seconds=int(WAIT))
    assert not admitted
    assert knock(here, joiner(me=CEM), peer=CEM, now=1.0)[1], "another player has tries of its own"
    assert not knock(here, joiner(WRONG), now=WAIT + 2.0)[1]
    assert knock(here, joiner(), now=WAIT + 3.0)[0] == NotWelcome(table=TABLE, code="too-many-tries", seconds=int(WAIT))
    assert knock(here, joiner(), now=3 * WAIT)[1]
    assert knock(here, joiner(WRONG), now=3 * WAIT + 1)[0] == NotWelcome(table=TABLE, code="wrong-password")
    assert str(why_not(NotWelcome(table=TABLE, code="too-many-tries", seconds=7))).endswith("in 7 seconds.")


def test_ten_tries_of_all_are_free_whoever_they_say_they_are() -> None:
    here = door()
    strangers = [bytes([n]) * 32 for n in range(10, 30)]
    for stranger in strangers[:FREE_TRIES_OF_ALL]:
        assert knock(here, joiner(WRONG, me=stranger), peer=stranger)[0] == NotWelcome(
            table=TABLE, code="wrong-password"
        )
    answer, _ = knock(here, joiner(me=CEM), peer=CEM)
    assert isinstance(answer, NotWelcome)
    assert answer.code == "too-many-tries"


def test_a_try_counts_although_nothing_comes_of_it() -> None:
    here = door()
    for _ in range(FREE_TRIES):
        here.receive(BEA, CHANNEL, joiner(WRONG).knock(), 0.0)
    answer, _ = here.receive(BEA, CHANNEL, joiner().knock(), 0.0)
    assert isinstance(answer, NotWelcome)


def test_a_proof_serves_once_and_needs_a_knock() -> None:
    here, there = door(), joiner()
    answer, _ = here.receive(BEA, CHANNEL, there.knock(), 0.0)
    assert isinstance(answer, KnockAnswer)
    proof = there.prove(answer)
    assert here.receive(BEA, CHANNEL, proof, 0.0)[1]
    with pytest.raises(RemoteProtocolError, match="out of order"):
        here.receive(BEA, CHANNEL, proof, 0.0)
    with pytest.raises(RemoteProtocolError, match="out of order"):
        here.receive(BEA, CHANNEL, Welcome(table=TABLE, mac=bytes(32)), 0.0)


@pytest.mark.parametrize("share", [b"A" + b"\xff" * 32, b"B" + bytes(32), b"A" + bytes(32), b"S" + b"\x01" * 32])
def test_what_is_no_share_is_a_breach(share: bytes) -> None:
    with pytest.raises(RemoteProtocolError, match="share"):
        door().receive(BEA, CHANNEL, Knock(table=TABLE, share=share), 0.0)
    there = joiner()
    there.knock()
    with pytest.raises(RemoteProtocolError, match="share"):
        there.prove(KnockAnswer(table=TABLE, share=b"A" + share[1:]))


def test_other_tables_and_crowds_are_no_matter() -> None:
    here = door()
    assert here.receive(BEA, CHANNEL, KnockProof(table=b"x" * 32, mac=bytes(32)), 0.0) == (None, False)
    for number in range(REMEMBERED + 10):
        here.receive(number.to_bytes(32, "big"), CHANNEL, joiner().knock(), number * WAIT)
    assert len(here._tries) <= REMEMBERED
    assert len(here._keys) <= OPEN_KNOCKS


def test_a_password_is_three_words_that_are_said() -> None:
    assert make_password(lambda size: bytes(range(size))) == " ".join(WORDS[:3])
    assert said(" A  b-C ") == "a b c"
