"""A second verifier of the blind deal, written from the law of its files alone: slow, plain, Python integers only.

It shares no line with the package: its own curve, its own hashing, its own reading of bytes. What it takes are bytes
and numbers. Everything here is public, so nothing has to be done in constant time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from functools import cache

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
ROOT = pow(2, (P - 1) // 4, P)
SUITE = b"rummy-p2p-V01-CS01-with-edwards25519_XMD:SHA-512_ELL2_RO_"

Point = tuple[int, int, int, int]  # x = X/Z, y = Y/Z, T = XY/Z
About = tuple[bytes, int, tuple[int, ...], bytes, bytes]  # hand, epoch, slots, author, record
ZERO: Point = (0, 1, 1, 0)


class Wrong(Exception):
    """Something does not verify."""


def demand(holds: bool, what: str) -> None:  # noqa: FBT001 -- reads as a sentence
    if not holds:
        raise Wrong(what)


# ---------------------------------------------------------------- the curve


def add(p: Point, q: Point) -> Point:
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % P, (p[1] + p[0]) * (q[1] + q[0]) % P
    c, d = 2 * p[3] * q[3] * D % P, 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def neg(p: Point) -> Point:
    return -p[0] % P, p[1], p[2], -p[3] % P


def mul(k: int, p: Point) -> Point:
    result = ZERO
    for bit in f"{k:b}":
        result = add(result, result)
        if bit == "1":
            result = add(result, p)
    return result


def msum(scalars: Iterable[int], points: Iterable[Point]) -> Point:
    """The sum of all k*p; the doublings are shared."""
    pairs = list(zip(scalars, points, strict=True))
    result = ZERO
    for bit in range(252, -1, -1):
        result = add(result, result)
        for k, p in pairs:
            if k >> bit & 1:
                result = add(result, p)
    return result


def encode(p: Point) -> bytes:
    inverse = pow(p[2], -1, P)
    x, y = p[0] * inverse % P, p[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


@cache
def decode(data: bytes) -> Point:
    number = int.from_bytes(data, "little")
    y, odd = number & (1 << 255) - 1, number >> 255
    demand(len(data) == 32 and y < P, "encoding")
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    x = x if x * x % P == square else x * ROOT % P
    demand(x * x % P == square, "not on the curve")
    demand(x != 0 or not odd, "encoding")
    x = x if x & 1 == odd else P - x
    point = (x, y, 1, x * y % P)
    demand(encode(point) != encode(ZERO) and encode(mul(L, point)) == encode(ZERO), "order")
    return point


def decode_all(data: bytes) -> list[Point]:
    return [decode(data[at : at + 32]) for at in range(0, len(data), 32)]


def scalar(data: bytes) -> int:
    k = int.from_bytes(data, "little")
    demand(len(data) == 32 and k < L, "scalar")
    return k


def scalars(data: bytes) -> list[int]:
    return [scalar(data[at : at + 32]) for at in range(0, len(data), 32)]


BASE = decode(bytes.fromhex("58" + "66" * 31))


# ---------------------------------------------------------------- hashing


def hash_scalar(label: str, *parts: bytes) -> int:
    data = b"rummy-p2p scalar " + label.encode() + b"\0"
    data += b"".join(len(part).to_bytes(8, "big") + part for part in parts)
    return int.from_bytes(hashlib.sha512(data).digest(), "little") % L


def digest(label: str, *parts: bytes) -> bytes:
    data = b"rummy-p2p deal " + label.encode() + b"\0"
    return hashlib.sha256(data + b"".join(len(part).to_bytes(8, "big") + part for part in parts)).digest()


@cache
def hash_point(message: bytes, tag: bytes = SUITE) -> Point:
    """RFC 9380, edwards25519_XMD:SHA-512_ELL2_RO_."""
    tag += bytes([len(tag)])
    zero = hashlib.sha512(bytes(128) + message + b"\x00\x60\x00" + tag).digest()
    one = hashlib.sha512(zero + b"\x01" + tag).digest()
    mixed = (int.from_bytes(zero, "big") ^ int.from_bytes(one, "big")).to_bytes(64, "big")
    uniform = (one + hashlib.sha512(mixed + b"\x02" + tag).digest())[:96]
    u, v = (int.from_bytes(half, "big") % P for half in (uniform[:48], uniform[48:]))
    return mul(8, add(elligator(u), elligator(v)))


def elligator(u: int) -> Point:
    a = 486662
    x = -a * pow(1 + 2 * u * u, -1, P) % P
    is_first = pow(x**3 + a * x * x + x, (P - 1) // 2, P) == 1
    x = x if is_first else (-x - a) % P
    square = (x**3 + a * x * x + x) % P
    y = pow(square, (P + 3) // 8, P)
    y = y if y * y % P == square else y * ROOT % P
    y = y if (y & 1) == is_first else P - y
    scale = pow(-a - 2, (P + 3) // 8, P)
    scale = scale if scale * scale % P == (-a - 2) % P else scale * ROOT % P
    scale = P - scale if scale & 1 else scale
    ex, ey = scale * x * pow(y, -1, P) % P, (x - 1) * pow(x + 1, -1, P) % P
    return ex, ey, 1, ex * ey % P


def pack_about(about: About) -> bytes:
    hand, epoch, slots, author, record = about
    numbers = b"".join(number.to_bytes(4, "big") for number in (epoch, len(slots), *slots))
    return b"".join(len(part).to_bytes(4, "big") + part for part in (hand, author, record, numbers))


# ---------------------------------------------------------------- proofs


def check_log(about: About, point: bytes, proof: bytes) -> None:
    c, z = scalars(proof)
    commitment = encode(msum((z, c), (BASE, neg(decode(point)))))
    demand(c == hash_scalar("log", encode(BASE), pack_about(about), point + commitment), "log")


def check_equal(about: About, public: bytes, bases: Sequence[bytes], products: Sequence[bytes], proof: bytes) -> None:
    c, z = scalars(proof)
    everything = b"".join((public, *bases, *products))
    seed = hashlib.sha512(b"rummy-p2p weights\0" + pack_about(about) + everything).digest()
    weights = [1, *(hash_scalar("weight", seed, at.to_bytes(4, "big")) for at in range(1, len(bases)))]
    base, product = msum(weights, map(decode, bases)), msum(weights, map(decode, products))
    first = encode(msum((z, c), (BASE, neg(decode(public)))))
    second = encode(msum((z, c), (base, neg(product))))
    demand(c == hash_scalar("equal", encode(BASE), pack_about(about), everything + first + second), "equal")


def check_shuffle(about: About, key: bytes, before: bytes, after: bytes, proof: bytes) -> None:
    """CheckProof of the paper, from the bytes of two decks."""
    n = len(before) // 64
    demand(len(after) == len(before) and len(proof) == 32 * (4 * n + 5), "length")
    c, chain = decode_all(proof[: 32 * n]), decode_all(proof[32 * n : 64 * n])
    asked, s1, s2, s3, s4, *rest = scalars(proof[64 * n :])
    s_hat, s_prime = rest[:n], rest[n:]
    parts = (pack_about(about), key, before, after, proof[: 32 * n])
    framed = b"".join(len(part).to_bytes(8, "big") + part for part in parts)
    transcript = hashlib.sha512(b"rummy-p2p shuffle proof\0" + framed).digest()
    u = [hash_scalar("shuffle-challenge", transcript, i.to_bytes(4, "big")) for i in range(n)]
    h, *hs = (hash_point(b"generator" + i.to_bytes(2, "big")) for i in range(n + 1))
    e, f, y = decode_all(before), decode_all(after), decode(key)
    product = 1
    for each in u:
        product = product * each % L
    minus, ones = -asked % L, [1] * n
    c_bar = add(msum(ones, c), neg(msum(ones, hs)))
    c_last = add(chain[-1], neg(mul(product, h)))
    scaled = [minus * each % L for each in u]
    t = [
        msum((s1, minus), (BASE, c_bar)),
        msum((s2, minus), (BASE, c_last)),
        msum((s3, *s_prime, *scaled), (BASE, *hs, *c)),
        msum((-s4 % L, *s_prime, *scaled), (BASE, *f[::2], *e[::2])),
        msum((-s4 % L, *s_prime, *scaled), (y, *f[1::2], *e[1::2])),
    ]
    for i, previous in enumerate((h, *chain[:-1])):
        t.append(msum((s_hat[i], s_prime[i], minus), (BASE, previous, chain[i])))
    answer = hash_scalar("shuffle-answer", transcript, proof[32 * n : 64 * n], b"".join(map(encode, t)))
    demand(answer == asked, "shuffle")


# ---------------------------------------------------------------- a whole deal


class Deal:
    """One hand, checked message by message from plain values; ``cards`` are (copy, face)."""

    def __init__(
        self,
        hand: bytes,
        key: bytes,
        publics: dict[bytes, bytes],
        threshold: int,
        cards: Sequence[tuple[int, int]],
        order: Sequence[bytes],
    ) -> None:
        self.hand, self.key, self.publics, self.threshold, self.order = hand, key, publics, threshold, list(order)
        self.points = {encode(hash_point(b"card" + bytes(card))): card for card in cards}
        self.deck = b"".join(encode(BASE) + encode(add(decode(point), decode(key))) for point in self.points)
        self.chain = digest("deck", hand, bytes(6), self.deck, *order)
        self.turn = 0
        self.drawn: dict[int, tuple[bytes, bytes, bytes]] = {}  # slot: owner, blinded point, name of the request
        self.requests: dict[bytes, tuple[bytes, tuple[int, ...], list[bytes]]] = {}
        self.shares: dict[int, dict[int, bytes]] = {}
        self.faces: dict[int, tuple[int, int]] = {}

    def pair(self, slot: int) -> tuple[bytes, bytes]:
        return self.deck[64 * slot : 64 * slot + 32], self.deck[64 * slot + 32 : 64 * slot + 64]

    def shuffle(self, author: bytes, deck: bytes, proof: bytes) -> None:
        demand(author == self.order[self.turn], "turn")
        check_shuffle((self.hand, 0, (self.turn,), author, self.chain), self.key, self.deck, deck, proof)
        self.chain, self.deck, self.turn = digest("shuffle", self.chain, author, deck), deck, self.turn + 1

    def draw(self, author: bytes, slots: tuple[int, ...], points: bytes, proofs: bytes, record: bytes) -> None:
        demand(self.turn == len(self.order) and not self.drawn.keys() & set(slots), "drawn")
        blinded = [points[at : at + 32] for at in range(0, len(points), 32)]
        for at, (slot, point) in enumerate(zip(slots, blinded, strict=True)):
            hidden = encode(add(decode(point), neg(decode(self.pair(slot)[0]))))
            check_log((self.hand, 0, (slot,), author, self.chain), hidden, proofs[64 * at : 64 * at + 64])
        name = self.ask(slots, blinded, author, record)
        self.drawn |= {slot: (author, point, name) for slot, point in zip(slots, blinded, strict=True)}

    def flip(self, slots: tuple[int, ...], record: bytes) -> None:
        self.ask(slots, [self.pair(slot)[0] for slot in slots], b"", record)

    def ask(self, slots: tuple[int, ...], points: list[bytes], owner: bytes, record: bytes) -> bytes:
        numbers = b"".join(number.to_bytes(4, "big") for number in (0, *slots))
        name = digest("request", self.hand, numbers, b"".join(points), owner, record)
        self.requests[name] = (owner, slots, points)
        return name

    def share(self, author: bytes, name: bytes, points: bytes, proof: bytes) -> None:
        owner, slots, bases = self.requests[name]
        products = [points[at : at + 32] for at in range(0, len(points), 32)]
        check_equal((self.hand, 0, slots, author, name), self.publics[author], bases, products, proof)
        index = list(self.publics).index(author) + 1
        for slot, product in zip(slots, products, strict=True):
            given = self.shares.setdefault(slot, {})
            given[index] = product
            if not owner and len(given) == self.threshold:
                self.faces[slot] = self.card(slot, given, 0)

    def show(self, slot: int, card: tuple[int, int], proof: bytes) -> None:
        owner, point, name = self.drawn[slot]
        factor, share = scalar(proof[:32]), proof[32:64]
        demand(encode(add(decode(self.pair(slot)[0]), mul(factor, BASE))) == point, "factor")
        check_equal((self.hand, 0, (slot,), owner, name), self.publics[owner], [point], [share], proof[64:])
        shares = self.shares[slot] | {list(self.publics).index(owner) + 1: share}
        demand(self.card(slot, shares, factor) == card and card not in self.faces.values(), "card")
        self.faces[slot] = card

    def card(self, slot: int, shares: dict[int, bytes], factor: int) -> tuple[int, int]:
        chosen = sorted(shares)[: self.threshold]
        demand(len(chosen) == self.threshold, "too few")
        joint = msum((lagrange(i, chosen) for i in chosen), (decode(shares[i]) for i in chosen))
        hidden = add(joint, neg(mul(factor, decode(self.key))))
        return self.points[encode(add(decode(self.pair(slot)[1]), neg(hidden)))]


def lagrange(i: int, indices: Sequence[int]) -> int:
    result = 1
    for j in indices:
        if j != i:
            result = result * j * pow(j - i, -1, L) % L
    return result


def check_key(context: bytes, peers: Sequence[bytes], vectors: Sequence[bytes], proofs: Sequence[bytes]) -> list[bytes]:
    """The joint key and every peer's public share, from the vectors; Wrong unless each peer knows its part."""
    threshold = len(vectors[0]) // 32
    joined = [ZERO] * threshold
    for number, (peer, vector, proof) in enumerate(zip(peers, vectors, proofs, strict=True), 1):
        check_log((context, 0, (number, threshold), peer, digest("roster", *peers)), vector[:32], proof)
        joined = [add(one, other) for one, other in zip(joined, decode_all(vector), strict=True)]
    powers = [[pow(m, k, L) for k in range(threshold)] for m in range(1, len(peers) + 1)]
    return [encode(joined[0]), *(encode(msum(row, joined)) for row in powers)]
