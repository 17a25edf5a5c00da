"""The group: only canonical points of prime order come in, and hashing to the curve is RFC 9380's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nacl.bindings import crypto_core_ed25519_add

from rummy_p2p.deal.group import (
    NEUTRAL,
    SUITE,
    G,
    L,
    Point,
    combine,
    hash_to_point,
    hash_to_scalar,
    minus,
    plus,
    read_point,
    read_points,
    read_scalar,
    read_scalars,
    scalars_from,
    self_test,
    times,
    times_base,
    total,
    write_scalar,
)
from tests.deal import plain_verifier as plain
from tests.deal.blind_table import refusal

VECTORS = json.loads((Path(__file__).parent / "vectors" / "rfc9380.json").read_text("utf-8"))
P = plain.P
FEW = settings().max_examples // 8  # the plain verifier is slow
T2 = (P - 1).to_bytes(32, "little")
T4 = bytes(32)
T8 = bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05")  # of order 8
SMALL_ORDER = (NEUTRAL, T2, T4, T8)
scalars = st.integers(1, L - 1)


@pytest.mark.parametrize("vector", VECTORS["vectors"], ids=lambda vector: str(vector["message"])[:8])
def test_hashing_to_the_curve_gives_the_points_of_rfc_9380(vector: dict[str, str]) -> None:
    x, y = int(vector["x"], 16), int(vector["y"], 16)
    expected = (y | (x & 1) << 255).to_bytes(32, "little")
    assert hash_to_point(vector["message"].encode(), VECTORS["tag"].encode()) == expected


@settings(max_examples=FEW)
@given(st.binary(max_size=200))
def test_hashing_to_the_curve_agrees_with_a_plain_reading_of_the_rfc(message: bytes) -> None:
    point = hash_to_point(message)
    assert point == plain.encode(plain.hash_point(message, SUITE))
    assert read_point(point) == point


def test_no_small_order_point_and_no_sum_with_one_comes_in() -> None:
    for small in SMALL_ORDER:
        assert refusal(read_point, small) == ("bad-point", None)
    for small in SMALL_ORDER[1:]:
        mixed = crypto_core_ed25519_add(G, small)
        assert refusal(read_point, mixed) == ("bad-point", None)
        assert refusal(times, 3, mixed) == ("bad-proof", None)


@pytest.mark.parametrize("value", [P, P + 1, 2**255 - 1, 2, 1 | 1 << 255])
def test_what_is_not_canonical_or_not_on_the_curve_does_not_come_in(value: int) -> None:
    assert refusal(read_point, value.to_bytes(32, "little")) == ("bad-point", None)


@settings(max_examples=5 * FEW)
@given(st.binary(min_size=32, max_size=32))
def test_any_32_bytes_are_the_one_encoding_of_a_point_or_refused(data: bytes) -> None:
    try:
        expected = plain.encode(plain.decode(data))
    except plain.Wrong:
        assert refusal(read_point, data) == ("bad-point", None)
    else:
        assert read_point(data) == expected == data


@pytest.mark.parametrize("size", [0, 31, 33])
def test_points_and_scalars_have_32_bytes(size: int) -> None:
    assert refusal(read_point, G[:size] + bytes(max(0, size - 32))) == ("bad-point", None)
    assert refusal(read_scalar, bytes(size)) == ("bad-scalar", None)


@given(st.integers(0, 2**256 - 1))
def test_a_scalar_has_one_encoding(value: int) -> None:
    data = value.to_bytes(32, "little")
    if value < L:
        assert (read_scalar(data), write_scalar(value)) == (value, data)
    else:
        assert refusal(read_scalar, data) == ("bad-scalar", None)


@given(st.integers(0, L - 1))
def test_k_plus_l_is_no_second_way_to_say_k(value: int) -> None:
    if value + L < 2**256:
        assert refusal(read_scalar, (value + L).to_bytes(32, "little")) == ("bad-scalar", None)
    assert write_scalar(value + L) == write_scalar(value)


def test_rows_of_points_and_scalars() -> None:
    two = times_base(2)
    assert read_points(G + two) == (G, two)
    assert read_points(b"") == ()
    assert refusal(read_points, G + T2) == ("bad-point", None)
    assert refusal(read_points, G + b"\x01") == ("bad-point", None)
    assert read_scalars(write_scalar(7) + write_scalar(L - 1)) == (7, L - 1)


@settings(max_examples=FEW)
@given(scalars, scalars)
def test_arithmetic_agrees_with_plain_integers(one: int, other: int) -> None:
    first, second = times_base(one), times_base(other)
    assert first == plain.encode(plain.mul(one, plain.BASE))
    assert plus(first, second) == times_base((one + other) % L or L)
    assert minus(plus(first, second), second) == first
    assert times(other, first) == times_base(one * other)
    assert combine((other, one), (first, second)) == times_base(2 * one * other)
    assert total((first, second, first)) == times_base(2 * one + other)


def test_the_sum_of_nothing_is_neutral_and_a_difference_may_be() -> None:
    assert total(()) == NEUTRAL == minus(G, G)
    assert plus(NEUTRAL, G) == G


def test_what_libsodium_refuses_is_a_bad_proof() -> None:
    off_curve = Point((2).to_bytes(32, "little"))
    for act, arguments in (
        (times_base, (0,)),
        (times_base, (L,)),
        (times, (0, G)),
        (times, (1, NEUTRAL)),
        (times, (1, off_curve)),
        (plus, (G, off_curve)),
        (minus, (off_curve, G)),
        (plus, (G, G[:31])),
    ):
        assert refusal(act, *arguments) == ("bad-proof", None)


def test_scalars_from_hashes_differ_by_label_and_by_where_one_part_ends() -> None:
    made = {hash_to_scalar("a", b"xy", b"z"), hash_to_scalar("a", b"x", b"yz"), hash_to_scalar("b", b"xy", b"z")}
    assert len(made) == 3
    assert hash_to_scalar("a", b"xy", b"z") == plain.hash_scalar("a", b"xy", b"z")
    assert len({*scalars_from(b"s", "a", 3), *scalars_from(b"s", "b", 3), *scalars_from(b"t", "a", 3)}) == 9
    assert all(0 <= scalar < L for scalar in scalars_from(b"s", "a", 50))


def test_this_libsodium_refuses_what_it_must() -> None:
    self_test()


def test_a_libsodium_that_accepts_g_plus_t2_is_found_out() -> None:
    assert refusal(self_test, lambda point: point not in SMALL_ORDER) == ("old-libsodium", None)
    assert refusal(self_test, lambda point: False) == ("old-libsodium", None)


def test_a_libsodium_that_multiplies_g_plus_t2_is_found_out() -> None:
    honest = {G}
    assert refusal(self_test, honest.__contains__, lambda scalar, point: point) == ("old-libsodium", None)
