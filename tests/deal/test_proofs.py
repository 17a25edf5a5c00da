"""Proofs: true ones are accepted, and nothing else is; each holds for one matter alone."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rummy_p2p.deal.group import L, hash_to_point, minus, plus, times, times_base, write_scalar
from rummy_p2p.deal.proofs import (
    About,
    check_equal,
    check_log,
    nonce,
    prove_equal,
    prove_log,
)
from tests.deal import plain_verifier as plain
from tests.deal.blind_table import refusal

ABOUT = About(b"H" * 32, 1, (4, 9), b"A" * 32, b"R" * 32)
OTHERS = [
    msgspec.structs.replace(ABOUT, **change)
    for change in (
        {"hand": b"I" * 32},
        {"epoch": 2},
        {"slots": (4,)},
        {"slots": (4, 9, 0)},
        {"slots": (9, 4)},
        {"author": b"B" * 32},
        {"record": b"S" * 32},
    )
]
FRESH = bytes(32)
FEW = settings().max_examples // 8  # the plain verifier is slow
SECRET = 123456789
PUBLIC = times_base(SECRET)
BASES = tuple(hash_to_point(b"base %d" % number) for number in range(4))
PRODUCTS = tuple(times(SECRET, base) for base in BASES)


def plain_about(about: About) -> plain.About:
    return about.hand, about.epoch, about.slots, about.author, about.record


@settings(max_examples=FEW)
@given(st.integers(1, L - 1), st.binary(min_size=32, max_size=32))
def test_a_proof_of_a_logarithm_is_accepted_by_both_verifiers(secret: int, fresh: bytes) -> None:
    point = times_base(secret)
    proof = prove_log(ABOUT, secret, point, fresh)
    check_log(ABOUT, point, proof)
    plain.check_log(plain_about(ABOUT), point, proof)


@settings(max_examples=FEW)
@given(st.integers(1, L - 1), st.integers(1, 4))
def test_a_proof_of_equal_logarithms_is_accepted_by_both_verifiers(secret: int, count: int) -> None:
    public, bases = times_base(secret), BASES[:count]
    products = tuple(times(secret, base) for base in bases)
    proof = prove_equal(ABOUT, secret, public, bases, products, FRESH)
    check_equal(ABOUT, public, bases, products, proof)
    plain.check_equal(plain_about(ABOUT), public, bases, products, proof)


@pytest.mark.parametrize("other", OTHERS)
def test_a_proof_holds_for_one_matter_alone(other: About) -> None:
    log = prove_log(ABOUT, SECRET, PUBLIC, FRESH)
    equal = prove_equal(ABOUT, SECRET, PUBLIC, BASES, PRODUCTS, FRESH)
    assert refusal(check_log, other, PUBLIC, log) == ("bad-proof", None)
    assert refusal(check_equal, other, PUBLIC, BASES, PRODUCTS, equal) == ("bad-proof", None)


def test_a_proof_of_one_kind_is_none_of_the_other() -> None:
    log = prove_log(ABOUT, SECRET, PUBLIC, FRESH)
    assert refusal(check_equal, ABOUT, PUBLIC, BASES[:1], PRODUCTS[:1], log) == ("bad-proof", None)


@settings(max_examples=2 * FEW)
@given(st.integers(0, 511))
def test_no_flipped_bit_is_accepted(bit: int) -> None:
    log = prove_log(ABOUT, SECRET, PUBLIC, FRESH)
    equal = prove_equal(ABOUT, SECRET, PUBLIC, BASES, PRODUCTS, FRESH)
    flipped = [(int.from_bytes(proof, "little") ^ 1 << bit).to_bytes(64, "little") for proof in (log, equal)]
    assert refusal(check_log, ABOUT, PUBLIC, flipped[0])[0] in {"bad-proof", "bad-scalar"}
    assert refusal(check_equal, ABOUT, PUBLIC, BASES, PRODUCTS, flipped[1])[0] in {"bad-proof", "bad-scalar"}


@pytest.mark.parametrize("wrong", range(4))
def test_one_wrong_product_among_many_is_found(wrong: int) -> None:
    products = list(PRODUCTS)
    products[wrong] = times(SECRET + 1, BASES[wrong])
    lie = tuple(products)
    proof = prove_equal(ABOUT, SECRET, PUBLIC, BASES, lie, FRESH)
    assert refusal(check_equal, ABOUT, PUBLIC, BASES, lie, proof) == ("bad-proof", None)


def test_errors_that_cancel_each_other_are_found() -> None:
    """Two products are off by opposite amounts: an unweighted sum would not see it."""
    shift = times_base(5)
    base, other = BASES[:2]
    bases = (base, other)
    lie = (plus(times(SECRET, base), shift), minus(times(SECRET, other), shift))
    proof = prove_equal(ABOUT, SECRET, PUBLIC, bases, lie, FRESH)
    assert refusal(check_equal, ABOUT, PUBLIC, bases, lie, proof) == ("bad-proof", None)


def test_a_proof_without_points_or_of_another_length_is_none() -> None:
    proof = prove_log(ABOUT, SECRET, PUBLIC, FRESH)
    assert refusal(check_log, ABOUT, PUBLIC, proof[:63]) == ("bad-proof", None)
    assert refusal(check_equal, ABOUT, PUBLIC, (), (), proof) == ("bad-proof", None)
    assert refusal(check_equal, ABOUT, PUBLIC, BASES, PRODUCTS[:3], proof) == ("bad-proof", None)


def test_a_scalar_of_l_or_more_is_no_answer() -> None:
    proof = prove_log(ABOUT, SECRET, PUBLIC, FRESH)
    answer = int.from_bytes(proof[32:], "little")
    again = proof[:32] + (answer + L).to_bytes(32, "little")
    assert refusal(check_log, ABOUT, PUBLIC, again) == ("bad-scalar", None)


@pytest.mark.parametrize("proof", [bytes(64), write_scalar(1) + bytes(32), bytes(32) + write_scalar(1)])
def test_zeros_are_no_proof(proof: bytes) -> None:
    assert refusal(check_log, ABOUT, PUBLIC, proof) == ("bad-proof", None)


def test_a_nonce_depends_on_secret_randomness_and_transcript() -> None:
    made = {
        nonce("log", b"s", b"f", ABOUT, PUBLIC),
        nonce("log", b"t", b"f", ABOUT, PUBLIC),
        nonce("log", b"s", b"g", ABOUT, PUBLIC),
        nonce("log", b"s", b"f", OTHERS[0], PUBLIC),
        nonce("log", b"s", b"f", ABOUT, BASES[0]),
        nonce("equal", b"s", b"f", ABOUT, PUBLIC),
    }
    assert len(made) == 6


def test_the_same_randomness_twice_gives_nothing_away() -> None:
    """Two proofs from one stuck source of randomness have different nonces, so they are not two lines with one cut."""
    one = prove_log(ABOUT, SECRET, PUBLIC, FRESH)
    other = prove_log(OTHERS[0], SECRET, PUBLIC, FRESH)
    (c, z), (d, y) = (
        (int.from_bytes(proof[:32], "little"), int.from_bytes(proof[32:], "little")) for proof in (one, other)
    )
    assert (z - y) * pow(c - d, -1, L) % L != SECRET
