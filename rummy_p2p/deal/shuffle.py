"""Shuffling a deck of ElGamal pairs blindly, and the proof that it was shuffled and nothing else.

The law of this file
--------------------
* A deck is a row of pairs (c1, c2) = (k*G, P + k*Y): a card point P under the joint key Y. Shuffling puts the pairs
  into another order and re-encrypts each: (c1 + r*G, c2 + r*Y). Without all r nobody can follow a pair.
* The proof is the one of Terelius and Wikstroem, "Proofs of Restricted Shuffles" (AFRICACRYPT 2010), in the form of the
  pseudo-code of Haenni, Locher, Koenig and Dubuis, "Pseudo-Code Algorithms for Verifiable Re-Encryption Mix-Nets"
  (VOTING 2017). Each function here names the algorithm that it is; the steps and the letters are those of the paper,
  written additively: g is G, pk is Y, h and h_1..h_N are generators hashed to the curve. Three differences:
  - The proof leaves out the commitments t and holds the challenge: whoever checks computes them again (the usual short
    form of Fiat-Shamir). It is 32 * (4N + 5) bytes: c, c^, the challenge, s_1..s_4, s^, s'.
  - The prover knows the commitment chain's logarithms x_i, y_i to G and h (c^_i = x_i*G + y_i*h) and computes the chain
    and its commitments with them: the same points in half the time.
  - The challenges hash what a proof is `About` as well (hand, epoch, turn, author, everything shuffled before).
* What is secret (order, factors) is in a `Shuffled` whose repr hides it; drop it when the proof is made.
* A deck has at most `MAX_DECK` cards, so that a shuffle with its proof fits into one record.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from rummy_p2p.deal.breach import Breach
from rummy_p2p.deal.group import (
    SIZE,
    L,
    Point,
    combine,
    hash_to_point,
    hash_to_scalar,
    minus,
    plus,
    read_points,
    read_scalars,
    scalars_from,
    times,
    times_base,
    total,
    write_scalar,
)
from rummy_p2p.deal.proofs import About

MAX_DECK: Final = 162
_WORD: Final = 4


class Pair(NamedTuple):
    """One card under the joint key."""

    c1: Point
    c2: Point


Deck = tuple[Pair, ...]


class Shuffled:
    """A shuffled deck with what only its shuffler knows: where each pair came from and what was added to it."""

    __slots__ = ("deck", "factors", "order")

    def __init__(self, deck: Deck, order: tuple[int, ...], factors: tuple[int, ...]) -> None:
        self.deck = deck
        self.order = order
        self.factors = factors

    def __repr__(self) -> str:
        return f"Shuffled({len(self.deck)} cards)"


# ---------------------------------------------------------------- decks as bytes


def write_deck(deck: Deck) -> bytes:
    """64 bytes for each card."""
    return b"".join(point for pair in deck for point in pair)


def read_deck(data: bytes, size: int) -> Deck:
    """The deck of so many cards that foreign bytes say; Breach bad-shuffle for another length, bad-point."""
    if len(data) != 2 * SIZE * size:
        raise Breach("bad-shuffle")
    points = read_points(data)
    return tuple(map(Pair, points[::2], points[1::2]))


def proof_size(cards: int) -> int:
    """How many bytes the proof of a shuffle of so many cards has."""
    return SIZE * (4 * cards + 5)


# ---------------------------------------------------------------- shuffling


def shuffle(deck: Deck, key: Point, seed: bytes) -> Shuffled:
    """GenShuffle: permute and re-encrypt; ``seed``: 32 secret random bytes that serve nothing else."""
    order = permutation(len(deck), b"order" + seed)
    factors = scalars_from(seed, "re-encryption", len(deck))
    moved = tuple(_reencrypted(deck[source], key, factor) for source, factor in zip(order, factors, strict=True))
    return Shuffled(moved, order, factors)


def _reencrypted(pair: Pair, key: Point, factor: int) -> Pair:
    """GenReEncryption."""
    return Pair(plus(pair.c1, times_base(factor)), plus(pair.c2, times(factor, key)))


def permutation(size: int, seed: bytes) -> tuple[int, ...]:
    """GenPermutation: every order of 0..size-1 equally likely; draws by rejection, never by remainder alone."""
    order = list(range(size))
    words = _words(seed)
    for last in range(size - 1, 0, -1):
        ceiling = (1 << 8 * _WORD) // (last + 1) * (last + 1)
        chosen = next(word for word in words if word < ceiling) % (last + 1)
        order[last], order[chosen] = order[chosen], order[last]
    return tuple(order)


def _words(seed: bytes) -> Iterator[int]:
    counter = 0
    while True:
        block = hashlib.shake_256(b"rummy-p2p permutation\0" + seed + counter.to_bytes(8, "big")).digest(1024)
        yield from (int.from_bytes(block[at : at + _WORD], "big") for at in range(0, len(block), _WORD))
        counter += 1


def generators(count: int) -> tuple[Point, ...]:
    """GetGenerators: h, and h_1..h_count; points whose logarithms nobody knows."""
    return tuple(hash_to_point(b"generator" + number.to_bytes(2, "big")) for number in range(count + 1))


# ---------------------------------------------------------------- the proof made


class _Transcript(NamedTuple):
    """What both sides know when the challenges u are drawn: it binds all of them."""

    about: About
    key: Point
    before: Deck
    after: Deck
    committed: tuple[Point, ...]

    def digest(self) -> bytes:
        parts = (self.about.packed(), self.key, *map(write_deck, (self.before, self.after)), b"".join(self.committed))
        state = hashlib.sha512(b"rummy-p2p shuffle proof\0")
        for part in parts:
            state.update(len(part).to_bytes(8, "big") + part)
        return state.digest()


def prove_shuffle(about: About, key: Point, before: Deck, shuffled: Shuffled, fresh: bytes) -> bytes:
    """GenProof: that ``shuffled.deck`` is a shuffle of ``before``; ``fresh``: 32 random bytes."""
    size, order = len(before), shuffled.order
    h, *hs = generators(size)
    secret = write_scalar_row(shuffled.factors) + bytes(order) + fresh
    r = scalars_from(secret, "commitment", size)
    committed = _commit_permutation(order, r, hs)
    transcript = _Transcript(about, key, before, shuffled.deck, committed).digest()
    u = _draw_challenges(transcript, size)
    permuted = [u[source] for source in order]
    draws = scalars_from(secret + transcript, "nonces", 3 * size + 4)
    r_hat, w_hat, w_prime, w = draws[:size], draws[size : 2 * size], draws[2 * size : 3 * size], draws[3 * size :]
    chain = _commit_chain(r_hat, permuted)
    c_hat = [_on_two(x, y, h) for x, y in chain[1:]]
    t = [
        times_base(w[0]),
        times_base(w[1]),
        plus(times_base(w[2]), combine(w_prime, hs)),
        minus(combine(w_prime, (pair.c1 for pair in shuffled.deck)), times_base(w[3])),
        minus(combine(w_prime, (pair.c2 for pair in shuffled.deck)), times(w[3], key)),
        *(_on_two(a + b * x, b * y, h) for a, b, (x, y) in zip(w_hat, w_prime, chain, strict=False)),
    ]
    asked = _final_challenge(transcript, c_hat, t)
    secrets = (sum(r), _chain_sum(r_hat, permuted), _dot(r, u), _dot(shuffled.factors, permuted))
    answers = [a + asked * b for a, b in zip((*w, *w_hat, *w_prime), (*secrets, *r_hat, *permuted), strict=True)]
    return b"".join((*committed, *c_hat)) + write_scalar_row((asked, *answers))


def _commit_permutation(order: Sequence[int], r: Sequence[int], hs: Sequence[Point]) -> tuple[Point, ...]:
    """GenCommitment: a Pedersen commitment to each column of the permutation matrix."""
    place = {source: at for at, source in enumerate(order)}
    return tuple(plus(times_base(r[source]), hs[place[source]]) for source in range(len(order)))


def _draw_challenges(transcript: bytes, size: int) -> tuple[int, ...]:
    """The challenges u_1..u_N."""
    return tuple(hash_to_scalar("shuffle-challenge", transcript, at.to_bytes(4, "big")) for at in range(size))


def _commit_chain(r_hat: Sequence[int], permuted: Sequence[int]) -> list[tuple[int, int]]:
    """GenCommitmentChain, c^_i = r^_i*G + u'_i*c^_{i-1} with c^_0 = h, as logarithms (x, y) to G and h."""
    chain = [(0, 1)]
    for r, u in zip(r_hat, permuted, strict=True):
        x, y = chain[-1]
        chain.append(((r + u * x) % L, u * y % L))
    return chain


def _on_two(x: int, y: int, h: Point) -> Point:
    return plus(times_base(x), times(y, h))


def _chain_sum(r_hat: Sequence[int], permuted: Sequence[int]) -> int:
    """r^ = sum r^_i * v_i, where v_i is the product of all u' behind the i-th: the last x of the chain."""
    result = 0
    for r, u in zip(r_hat, permuted, strict=True):
        result = (r + u * result) % L
    return result


def _dot(one: Sequence[int], other: Sequence[int]) -> int:
    return sum(a * b for a, b in zip(one, other, strict=True))


def _final_challenge(transcript: bytes, c_hat: Sequence[Point], t: Sequence[Point]) -> int:
    return hash_to_scalar("shuffle-answer", transcript, b"".join(c_hat), b"".join(t))


def write_scalar_row(scalars: Sequence[int]) -> bytes:
    """32 bytes for each scalar."""
    return b"".join(map(write_scalar, scalars))


# ---------------------------------------------------------------- the proof checked


class _Proof(NamedTuple):
    committed: tuple[Point, ...]
    c_hat: tuple[Point, ...]
    asked: int
    s: tuple[int, ...]
    s_hat: tuple[int, ...]
    s_prime: tuple[int, ...]


def check_shuffle(about: About, key: Point, before: Deck, after: Deck, proof: bytes) -> None:
    """CheckProof: raise Breach unless ``after`` is a shuffle of ``before``; every point in both has been read."""
    size = len(before)
    if len(after) != size or len(proof) != proof_size(size):
        raise Breach("bad-shuffle")
    pi = _read_proof(proof, size)
    transcript = _Transcript(about, key, before, after, pi.committed).digest()
    u = _draw_challenges(transcript, size)
    t = [*_equations(pi, u, before, after, key), *_chain_equations(pi, size)]
    if _final_challenge(transcript, pi.c_hat, t) != pi.asked:
        raise Breach("bad-shuffle")


def _equations(pi: _Proof, u: Sequence[int], before: Deck, after: Deck, key: Point) -> Iterator[Point]:
    """t_1..t_4 as the answers give them."""
    h, *hs = generators(len(before))
    product = 1
    for challenge in u:
        product = product * challenge % L
    c_bar = minus(total(pi.committed), total(hs))
    c_last = minus(pi.c_hat[-1], times(product, h))
    yield minus(times_base(pi.s[0]), times(pi.asked, c_bar))
    yield minus(times_base(pi.s[1]), times(pi.asked, c_last))
    c_tilde = combine(u, pi.committed)
    yield minus(plus(times_base(pi.s[2]), combine(pi.s_prime, hs)), times(pi.asked, c_tilde))
    a_tilde, b_tilde = (combine(u, half) for half in zip(*before, strict=True))
    a_prime, b_prime = (combine(pi.s_prime, half) for half in zip(*after, strict=True))
    yield minus(minus(a_prime, times_base(pi.s[3])), times(pi.asked, a_tilde))
    yield minus(minus(b_prime, times(pi.s[3], key)), times(pi.asked, b_tilde))


def _chain_equations(pi: _Proof, size: int) -> Iterator[Point]:
    """t^_1..t^_N as the answers give them."""
    previous = generators(size)[0]
    for s_hat, s_prime, c_hat in zip(pi.s_hat, pi.s_prime, pi.c_hat, strict=True):
        yield minus(plus(times_base(s_hat), times(s_prime, previous)), times(pi.asked, c_hat))
        previous = c_hat


def _read_proof(proof: bytes, size: int) -> _Proof:
    points = read_points(proof[: 2 * SIZE * size])
    asked, *answers = read_scalars(proof[2 * SIZE * size :])
    s, s_hat, s_prime = tuple(answers[:4]), tuple(answers[4 : 4 + size]), tuple(answers[4 + size :])
    return _Proof(points[:size], points[size:], asked, s, s_hat, s_prime)
