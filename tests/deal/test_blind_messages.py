"""The messages of the blind deal: each has one form in bytes, within the limits of a record."""

from __future__ import annotations

from typing import get_args

import msgspec
import pytest

from rummy_p2p.deal.blind_messages import (
    MAX_SLOTS,
    OPENING_SIZE,
    BlindMessage,
    CardFault,
    DeckOk,
    Draw,
    HandOver,
    HandOverFault,
    HandOverShown,
    SharePart,
    Shares,
    ShuffleDeck,
    ShuffleFault,
)
from rummy_p2p.deal.keys import BOX_SIZE
from rummy_p2p.deal.shuffle import MAX_DECK, proof_size

RECORD_LIMIT = 32 * 1024
ROOM_FOR_THE_RECORD = 512  # names of fields, hashes, author and signature, twice
SAMPLES: list[BlindMessage] = [
    ShuffleDeck(0, b"a" * 32, b"d" * 128, b"p" * proof_size(2)),
    ShuffleFault(0, 1),
    DeckOk(b"c" * 32),
    Draw((0, 5), b"b" * 64, b"p" * 128),
    Shares((SharePart(b"r" * 32, b"d" * 32, b"p" * 64),)),
    HandOver(3, b"t" * 32, b"x" * BOX_SIZE, b"s" * 32, b"p" * 64),
    HandOverFault(3),
    HandOverShown(3, b"f" * 32),
    CardFault((1,), (b"o" * OPENING_SIZE,)),
]


def read(data: bytes) -> BlindMessage:
    """As the codec reads it: unpacked first, then typed strictly."""
    message: BlindMessage = msgspec.convert(msgspec.msgpack.decode(data), BlindMessage, builtin_types=(bytes,))
    return message


@pytest.mark.parametrize("message", SAMPLES, ids=lambda message: type(message).__name__)
def test_every_message_round_trips_and_has_no_other_fields(message: BlindMessage) -> None:
    data = msgspec.msgpack.encode(message)
    assert read(data) == message
    assert msgspec.msgpack.encode(read(data)) == data
    with pytest.raises(msgspec.ValidationError):
        read(msgspec.msgpack.encode({**msgspec.msgpack.decode(data), "more": 1}))


def test_there_is_a_sample_of_every_message() -> None:
    assert {type(sample) for sample in SAMPLES} == set(get_args(BlindMessage))


@pytest.mark.parametrize(
    "wrong",
    [
        DeckOk(b"c" * 31),
        ShuffleDeck(0, b"a" * 32, b"", b"p" * proof_size(1)),
        ShuffleDeck(0, b"a" * 32, b"d" * 64, b""),
        Draw((), b"b" * 32, b"p" * 64),
        Draw((512,), b"b" * 32, b"p" * 64),
        Draw((-1,), b"b" * 32, b"p" * 64),
        Shares(()),
        CardFault((1,), (b"o" * (OPENING_SIZE - 1),)),
        HandOver(3, b"t" * 32, b"x" * (BOX_SIZE - 1), b"s" * 32, b"p" * 64),
    ],
)
def test_what_has_another_size_is_no_message(wrong: BlindMessage) -> None:
    with pytest.raises(msgspec.ValidationError):
        read(msgspec.msgpack.encode(wrong))


def test_the_largest_messages_fit_into_a_record() -> None:
    slots = tuple(range(MAX_SLOTS))
    points, proofs = b"p" * 32 * MAX_SLOTS, (b"o" * OPENING_SIZE,) * MAX_SLOTS
    eight = tuple(SharePart(b"r" * 32, b"d" * 32 * 15, b"p" * 64) for _ in range(8))
    for message in (
        ShuffleDeck(1 << 16, b"a" * 32, b"d" * 64 * MAX_DECK, b"p" * proof_size(MAX_DECK)),
        Draw(slots, points, b"p" * 64 * MAX_SLOTS),
        CardFault(slots, proofs),
        Shares(eight),
    ):
        assert len(msgspec.msgpack.encode(message)) < RECORD_LIMIT - ROOM_FOR_THE_RECORD
