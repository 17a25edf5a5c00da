"""A million frames, made up and mutated, into links in every state: each is a message or a named breach."""

from __future__ import annotations

import random
import tracemalloc
from collections.abc import Callable

import pytest

from rummy_p2p.protocol.codec import frame
from rummy_p2p.protocol.errors import ProtocolError
from rummy_p2p.protocol.link import Closed, Input, LinkEvent, State
from tests.protocol.test_link import genuine, in_state

STATES = [state for state in State if state is not State.CLOSED]
GROWTH = 8 * 1024 * 1024
LINKS_IN_CI = 2_000
LINKS_IN_NIGHTLY = 330_000  # three frames to each


def made_up(dice: random.Random, _: bytes) -> bytes:
    return frame(dice.randbytes(dice.randrange(1, 200)))


def cut_off(dice: random.Random, data: bytes) -> bytes:
    return data[: dice.randrange(1, len(data))]


def damaged(dice: random.Random, data: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(dice.randrange(1, 5)):
        changed[dice.randrange(len(changed))] = dice.randrange(256)
    return bytes(changed)


def spliced(dice: random.Random, data: bytes) -> bytes:
    at, other = dice.randrange(len(data)), dice.randrange(len(data))
    return data[:at] + data[other:]


def untouched(_: random.Random, data: bytes) -> bytes:
    return data


MUTATIONS: tuple[Callable[[random.Random, bytes], bytes], ...] = (made_up, cut_off, damaged, spliced, untouched)


def fuzz(links: int, seed: int) -> int:
    """Feed so many links; how many were closed by what they were fed."""
    dice, closed = random.Random(seed), 0
    for _ in range(links):
        link, other = in_state(dice.choice(STATES))
        events: list[LinkEvent] = []
        for _ in range(3):
            data = dice.choice(MUTATIONS)(dice, genuine(dice.choice(list(Input)), other))
            events += link.receive(data, 1.0)
        closed += any(isinstance(event, Closed) for event in events)
        events += link.receive_eof()
        [end] = [event for event in events if isinstance(event, Closed)]
        assert isinstance(end.error, ProtocolError)
        assert end.sentence.isprintable()
    return closed


def test_made_up_and_mutated_frames() -> None:
    assert fuzz(LINKS_IN_CI, 1) > LINKS_IN_CI // 2


@pytest.mark.nightly
@pytest.mark.timeout(3600)
def test_a_million_of_them_and_no_memory_is_kept() -> None:
    fuzz(LINKS_IN_CI, 2)
    tracemalloc.start()
    try:
        fuzz(LINKS_IN_NIGHTLY, 3)
        assert tracemalloc.get_traced_memory()[0] < GROWTH
    finally:
        tracemalloc.stop()
