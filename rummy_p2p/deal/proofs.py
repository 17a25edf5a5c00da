"""Proofs that tell nothing but that they are true: of a logarithm (Schnorr), and that logarithms are equal (DLEQ).

The law of this file
--------------------
* Strong Fiat-Shamir: a challenge hashes a label, G, everything that a proof is `About` (the hand's hash H, epoch,
  slots, author, hash of the record that it answers) and every point that enters. So a proof fits nowhere else.
* A proof is two scalars, challenge and response: 64 bytes. Its commitments are computed again by whoever checks it.
* A nonce is a hash of the secret, of fresh random bytes and of the transcript: neither a bad source of randomness nor
  one that repeats itself gives a secret away.
* Many equal logarithms are proven at once: the points are summed with weights that are hashed from all of them. If one
  product is wrong the sums differ, except with a chance of 1/L. The first weight is 1, which costs nothing: a lone
  error in the first product is not weighted away, and any other meets a weight that was not known before it was made.
* The same proof is checked when it is ordered, when it is acknowledged and when its card is shown: what has been found
  good is remembered. It is a function of the arguments alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import msgspec

from rummy_p2p.deal.breach import Breach
from rummy_p2p.deal.group import (
    SIZE,
    G,
    Point,
    combine,
    hash_to_scalar,
    minus,
    plus,
    read_scalars,
    times,
    times_base,
    write_scalar,
)

PROOF_SIZE: Final = 2 * SIZE
REMEMBERED: Final = 2048


class About(msgspec.Struct, frozen=True):
    """What a proof is about; whatever of it differs, the proof is void."""

    hand: bytes
    epoch: int
    slots: tuple[int, ...]
    author: bytes
    record: bytes

    def packed(self) -> bytes:
        """The one encoding that is hashed: every part of fixed length or with its length."""
        numbers = (self.epoch, len(self.slots), *self.slots)
        parts = (self.hand, self.author, self.record, b"".join(number.to_bytes(4, "big") for number in numbers))
        return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def challenge(label: str, about: About, *points: Point) -> int:
    """The challenge that a proof has to answer."""
    return hash_to_scalar(label, G, about.packed(), b"".join(points))


def nonce(label: str, secret: bytes, fresh: bytes, about: About, *points: Point) -> int:
    """A number that nobody can foretell and that never serves two transcripts."""
    return hash_to_scalar("nonce " + label, secret, fresh, about.packed(), b"".join(points))


# ---------------------------------------------------------------- one logarithm


def prove_log(about: About, secret: int, point: Point, fresh: bytes) -> bytes:
    """Prove knowledge of ``secret`` with point = secret * G; ``fresh``: 32 random bytes."""
    blind = nonce("log", write_scalar(secret), fresh, about, point)
    asked = challenge("log", about, point, times_base(blind))
    return write_scalar(asked) + write_scalar(blind + asked * secret)


@lru_cache(REMEMBERED)
def check_log(about: About, point: Point, proof: bytes) -> None:
    """Raise Breach unless the author has proven to know the logarithm of ``point``."""
    asked, answer = _read_proof(proof)
    if challenge("log", about, point, minus(times_base(answer), times(asked, point))) != asked:
        raise Breach("bad-proof")


# ---------------------------------------------------------------- equal logarithms


def prove_equal(
    about: About, secret: int, public: Point, bases: tuple[Point, ...], products: tuple[Point, ...], fresh: bytes
) -> bytes:
    """Prove that ``public`` is to G as each product is to its base: the same multiple, ``secret``."""
    base, _ = _weighed(about, public, bases, products)
    blind = nonce("equal", write_scalar(secret), fresh, about, public, *bases, *products)
    asked = challenge("equal", about, public, *bases, *products, times_base(blind), times(blind, base))
    return write_scalar(asked) + write_scalar(blind + asked * secret)


@lru_cache(REMEMBERED)
def check_equal(
    about: About, public: Point, bases: tuple[Point, ...], products: tuple[Point, ...], proof: bytes
) -> None:
    """Raise Breach unless every product is the same multiple of its base as ``public`` is of G."""
    asked, answer = _read_proof(proof)
    base, product = _weighed(about, public, bases, products)
    first = minus(times_base(answer), times(asked, public))
    second = minus(times(answer, base), times(asked, product))
    if challenge("equal", about, public, *bases, *products, first, second) != asked:
        raise Breach("bad-proof")


def _weighed(about: About, public: Point, bases: tuple[Point, ...], products: tuple[Point, ...]) -> tuple[Point, Point]:
    """One base and one product for all of them."""
    if not bases or len(bases) != len(products):
        raise Breach("bad-proof")
    if len(bases) == 1:
        return bases[0], products[0]
    everything = hashlib.sha512(b"rummy-p2p weights\0" + about.packed() + public + b"".join(bases + products)).digest()
    weights = [hash_to_scalar("weight", everything, at.to_bytes(4, "big")) for at in range(1, len(bases))]
    return _summed(weights, bases), _summed(weights, products)


def _summed(weights: Sequence[int], points: tuple[Point, ...]) -> Point:
    return plus(points[0], combine(weights, points[1:]))


def _read_proof(proof: bytes) -> tuple[int, int]:
    if len(proof) != PROOF_SIZE:
        raise Breach("bad-proof")
    asked, answer = read_scalars(proof)
    return asked, answer
