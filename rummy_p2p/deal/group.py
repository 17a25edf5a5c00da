"""The group of the blind deal: the points of prime order L on edwards25519.

The law of this file
--------------------
* This is the only module that knows libsodium's group functions. What libsodium refuses is a Breach bad-proof.
* A `Point` is its canonical encoding of 32 bytes, a scalar is an int in 0..L-1, written as 32 bytes, little-endian.
  Foreign bytes become points and scalars by `read_point`, `read_points` and `read_scalar` alone: a point has prime
  order, so neither small-order points nor sums with one pass; a scalar is below L, so k + L is no second way to say k.
* Sums and differences may be the neutral element, which is no Point that could be read; multiplying it, or by zero, is
  refused by libsodium. An honest party comes across either with a chance of 2^-252.
* Hashing to a point is the suite edwards25519_XMD:SHA-512_ELL2_RO_ of RFC 9380 to the letter: expand_message_xmd over
  SHA-512, two field elements, the Elligator 2 map for each, sum, cofactor cleared. libsodium maps and clears the
  cofactor but wants to be told the sign of x, which the RFC derives: that sign is computed here with Python integers.
  Only public data is hashed to a point, so it does not matter that this takes a varying time.
* Scalars are Python integers. Their arithmetic takes a time that depends on them a little; what is raised to a power
  is always done by libsodium in constant time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from functools import cache
from typing import Final, NewType

from nacl.bindings import (
    crypto_core_ed25519_add,
    crypto_core_ed25519_from_uniform,
    crypto_core_ed25519_is_valid_point,
    crypto_core_ed25519_sub,
    crypto_scalarmult_ed25519_base_noclamp,
    crypto_scalarmult_ed25519_noclamp,
)
from nacl.exceptions import CryptoError

from rummy_p2p.deal.breach import Breach

Point = NewType("Point", bytes)

SIZE: Final = 32
L: Final = 2**252 + 27742317777372353535851937790883648493
G: Final = Point(bytes.fromhex("58" + "66" * 31))
NEUTRAL: Final = Point(b"\x01" + bytes(31))
SUITE: Final = b"rummy-p2p-V01-CS01-with-edwards25519_XMD:SHA-512_ELL2_RO_"

# ---------------------------------------------------------------- reading and writing


def read_point(data: bytes) -> Point:
    """The point that 32 foreign bytes are the canonical encoding of; Breach bad-point when it has not order L."""
    if len(data) != SIZE or not crypto_core_ed25519_is_valid_point(data):
        raise Breach("bad-point")
    return Point(data)


def read_points(data: bytes) -> tuple[Point, ...]:
    """As many points as there are 32 bytes; Breach bad-point."""
    return tuple(read_point(data[at : at + SIZE]) for at in range(0, len(data), SIZE))


def read_scalar(data: bytes) -> int:
    """The scalar that 32 foreign bytes say; Breach bad-scalar when it is L or more."""
    scalar = int.from_bytes(data, "little")
    if len(data) != SIZE or scalar >= L:
        raise Breach("bad-scalar")
    return scalar


def read_scalars(data: bytes) -> tuple[int, ...]:
    """As many scalars as there are 32 bytes; Breach bad-scalar."""
    return tuple(read_scalar(data[at : at + SIZE]) for at in range(0, len(data), SIZE))


def write_scalar(scalar: int) -> bytes:
    """32 bytes, little-endian; the scalar is reduced first."""
    return (scalar % L).to_bytes(SIZE, "little")


# ---------------------------------------------------------------- arithmetic


def times_base(scalar: int) -> Point:
    """The multiple of G; Breach bad-proof for zero."""
    try:
        return Point(crypto_scalarmult_ed25519_base_noclamp((scalar % L).to_bytes(SIZE, "little")))
    except CryptoError as error:
        raise Breach("bad-proof") from error


def times(scalar: int, point: Point) -> Point:
    """The multiple of a point; Breach bad-proof for zero and for what is no point of order L."""
    try:
        return Point(crypto_scalarmult_ed25519_noclamp((scalar % L).to_bytes(SIZE, "little"), point))
    except CryptoError as error:
        raise Breach("bad-proof") from error


def plus(one: Point, other: Point) -> Point:
    """The sum of two points."""
    try:
        return Point(crypto_core_ed25519_add(one, other))
    except CryptoError as error:
        raise Breach("bad-proof") from error


def minus(one: Point, other: Point) -> Point:
    """The difference of two points."""
    try:
        return Point(crypto_core_ed25519_sub(one, other))
    except CryptoError as error:
        raise Breach("bad-proof") from error


def total(points: Iterable[Point]) -> Point:
    """The sum of points; of none it is the neutral element."""
    each = iter(points)
    result = next(each, NEUTRAL)
    for point in each:
        result = plus(result, point)
    return result


def combine(scalars: Iterable[int], points: Iterable[Point]) -> Point:
    """The sum of scalar * point over both in step."""
    return total(times(scalar, point) for scalar, point in zip(scalars, points, strict=True))


# ---------------------------------------------------------------- hashing


def hash_to_scalar(label: str, *parts: bytes) -> int:
    """A scalar from labelled parts: SHA-512 reduced mod L; each part's length goes in, so no two lists look alike."""
    state = hashlib.sha512(b"rummy-p2p scalar " + label.encode() + b"\0")
    for part in parts:
        state.update(len(part).to_bytes(8, "big") + part)
    return int.from_bytes(state.digest(), "little") % L


def scalars_from(seed: bytes, label: str, count: int) -> tuple[int, ...]:
    """So many scalars from a secret seed: SHAKE-256, 64 bytes for each, reduced mod L."""
    stream = hashlib.shake_256(b"rummy-p2p scalars " + label.encode() + b"\0" + seed).digest(64 * count)
    return tuple(int.from_bytes(stream[at : at + 64], "little") % L for at in range(0, len(stream), 64))


@cache
def hash_to_point(message: bytes, tag: bytes = SUITE) -> Point:
    """A point whose logarithm nobody knows: RFC 9380, hash_to_curve of the suite named above; ``tag`` is its DST."""
    uniform = expand_message(message, tag, 96)
    first, second = (int.from_bytes(uniform[at : at + 48], "big") % _P for at in (0, 48))
    return plus(_map(first), _map(second))


def expand_message(message: bytes, tag: bytes, size: int) -> bytes:
    """RFC 9380, section 5.3.1: expand_message_xmd with SHA-512, for tags of at most 255 bytes."""
    dst = tag + bytes([len(tag)])
    block = hashlib.sha512(bytes(128) + message + size.to_bytes(2, "big") + b"\0" + dst).digest()
    made, last = b"", bytes(64)
    for number in range(1, -(-size // 64) + 1):
        mixed = bytes(a ^ b for a, b in zip(block, last, strict=True))
        last = hashlib.sha512(mixed + bytes([number]) + dst).digest()
        made += last
    return made[:size]


_P: Final = 2**255 - 19
_A: Final = 486662  # of the Montgomery curve t^2 = s^3 + A*s^2 + s, on which Elligator 2 works
_POWER: Final = (_P + 3) // 8  # raised to it, a square becomes its root or its root divided by that of -1
_ROOT_OF_MINUS_1: Final = pow(2, (_P - 1) // 4, _P)
_TWO: Final = pow(2, _POWER, _P)


def _turned(root: int, square: int) -> int:
    """Whichever of a root and its multiple by the root of -1 squares to ``square``; 0 when neither does."""
    if root * root % _P == square:
        return root
    root = root * _ROOT_OF_MINUS_1 % _P
    return root if root * root % _P == square else 0


def _with_parity(root: int, odd: int) -> int:
    return root if root & 1 == odd else _P - root


# x = scale * s / t leads from the Montgomery to the Edwards curve
_SCALE: Final = _with_parity(_turned(pow(-(_A + 2), _POWER, _P), -(_A + 2) % _P), 0)


def _map(element: int) -> Point:
    """RFC 9380, map_to_curve and clear_cofactor of one field element: by libsodium, but for the sign of x."""
    encoded = (element | _is_x_odd(element) << 255).to_bytes(SIZE, "little")
    return Point(crypto_core_ed25519_from_uniform(encoded))


def _is_x_odd(element: int) -> int:
    """RFC 9380, sections 6.7.1 and 6.8.2, as far as the sign of x asks for it: 0 or 1.

    With s the first candidate and f(s) = t^2 the second one has f(-s - A) = 2 * element^2 * f(s): one power does for
    both. Element 0 alone has t = 0; whatever its sign, it is mapped to the neutral element.
    """
    s = -_A * pow(1 + 2 * element * element, -1, _P) % _P
    square = s * (s * (s + _A) + 1) % _P
    root = pow(square, _POWER, _P)
    if t := _turned(root, square):
        t = _with_parity(t, 1)
    else:
        s = (-s - _A) % _P
        t = _with_parity(_turned(root * _TWO * element % _P, 2 * element * element * square % _P), 0)
    return (_SCALE * s * pow(t or 1, -1, _P) % _P) & 1


# ---------------------------------------------------------------- self-test

_MIXED: Final = bytes.fromhex("9599999999999999999999999999999999999999999999999999999999999999")
_REFUSED: Final = (
    NEUTRAL,
    (_P - 1).to_bytes(SIZE, "little"),  # T2 = (0, -1), of order 2
    bytes(SIZE),  # of order 4
    _MIXED,  # G + T2
    (_P + 1).to_bytes(SIZE, "little"),  # the neutral element once more, not canonical
)


def self_test(
    is_valid: Callable[[bytes], bool] = crypto_core_ed25519_is_valid_point,
    multiply: Callable[[bytes, bytes], bytes] = crypto_scalarmult_ed25519_noclamp,
) -> None:
    """Try libsodium with points that it must refuse; Breach old-libsodium when it does not (CVE-2025-69277)."""
    if not is_valid(G) or any(is_valid(point) for point in _REFUSED):
        raise Breach("old-libsodium")
    try:
        multiply(write_scalar(3), _MIXED)
    except CryptoError:
        return
    raise Breach("old-libsodium")
