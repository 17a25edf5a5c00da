"""The table's joint key: made by all peers together, known to none, used by any t of them.

The law of this file
--------------------
* Joint Feldman key generation (Pedersen 1991) with commitments before the vectors and proofs of possession, as in FROST
  (Komlo, Goldberg 2020). Peer i has a secret polynomial f_i of degree t - 1 and A_i[k] = f_i[k] * G, exactly t points.

    COMMIT   everybody binds itself to its vector and the Schnorr proof that it knows f_i(0): key-commit
    OPEN     everybody shows both; hash, length, points and proof are checked: key-open
    DEAL     everybody sends every other peer m its share f_i(m), in a box for m alone: key-shares
    CONFIRM  whoever got only good shares says so, bound to everything that was public: key-ok
             whoever got a bad one says from whom (key-complaint), and that peer shows it to all: key-answer
    DONE     all have confirmed: Y = sum A_i[0]; peer m's secret is s_m = sum f_i(m), S_m = s_m * G is public

* Nobody can choose Y or cancel another's part (rogue key): the vectors are bound before one is seen, and proven.
* A share shown on a complaint is checked by all: a wrong one convicts its sender, a good one is used by the accuser.
  Who answers nothing at all is left out of the next attempt and convicted of nothing.
* t is the quorum n//2 + 1, or n when everybody has to be trusted with nothing (`--trust all`).
* Everything is bound to a context: match, roster, attempt. The transcript is frozen and equal on all peers; the
  polynomial stays in the `KeyParty` and is forgotten when the key is done.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from functools import lru_cache
from typing import Annotated, Final, TypeAlias, cast

import msgspec
from nacl.exceptions import CryptoError
from nacl.public import Box, PrivateKey
from nacl.signing import SigningKey, VerifyKey

from rummy_p2p.deal import Hash
from rummy_p2p.deal.breach import Breach
from rummy_p2p.deal.committed import digest
from rummy_p2p.deal.group import (
    SIZE,
    L,
    Point,
    plus,
    read_points,
    read_scalar,
    scalars_from,
    times,
    times_base,
    total,
    write_scalar,
)
from rummy_p2p.deal.proofs import PROOF_SIZE, About, check_log, prove_log

MAX_PEERS: Final = 8
NONCE_SIZE: Final = 24
BOX_SIZE: Final = NONCE_SIZE + 16 + SIZE

Entropy: TypeAlias = Callable[[int], bytes]
Scalar32: TypeAlias = Annotated[bytes, msgspec.Meta(min_length=SIZE, max_length=SIZE)]
Proof64: TypeAlias = Annotated[bytes, msgspec.Meta(min_length=PROOF_SIZE, max_length=PROOF_SIZE)]
Box72: TypeAlias = Annotated[bytes, msgspec.Meta(min_length=BOX_SIZE, max_length=BOX_SIZE)]
Vector: TypeAlias = tuple[Point, ...]


# ---------------------------------------------------------------- what is said


class KeyCommit(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="key-commit"):
    """A peer binds itself to its vector and proof."""

    commitment: Hash


class KeyOpen(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="key-open"):
    """A peer shows its vector, 32 bytes for each point, and the proof that it knows the logarithm of the first."""

    vector: Annotated[bytes, msgspec.Meta(min_length=SIZE, max_length=SIZE * (MAX_PEERS + 1))]
    proof: Proof64


class KeyShares(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="key-shares"):
    """A peer's shares for all others, in the order of the roster without itself, each in a box."""

    boxes: Annotated[tuple[Box72, ...], msgspec.Meta(max_length=MAX_PEERS - 1)]


class KeyComplaint(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="key-complaint"):
    """A peer got bad shares from these peers."""

    against: Annotated[tuple[Hash, ...], msgspec.Meta(min_length=1, max_length=MAX_PEERS - 1)]


class KeyAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="key-answer"):
    """The accused peer shows everybody the share that it gave to the accuser."""

    to: Hash
    share: Scalar32


class KeyOk(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="key-ok"):
    """A peer has good shares of everybody, and this is the hash of all vectors that it saw."""

    digest: Hash


KeyMessage: TypeAlias = KeyCommit | KeyOpen | KeyShares | KeyComplaint | KeyAnswer | KeyOk


# ---------------------------------------------------------------- the key


def quorum(peers: int) -> int:
    """How many peers open a card unless everybody has to: as many as it takes to commit a record."""
    return peers // 2 + 1


class JointKey(msgspec.Struct, frozen=True):
    """The public half: Y, the public share S_m of each peer in the roster's order, and what binds them."""

    peers: tuple[bytes, ...]
    threshold: int
    public: Point
    shares: tuple[Point, ...]
    digest: bytes

    def share_of(self, peer: bytes) -> Point:
        """S_m of a peer."""
        return self.shares[self.peers.index(peer)]

    def index_of(self, peer: bytes) -> int:
        """Where a peer's polynomial shares lie: 1..n."""
        return self.peers.index(peer) + 1


class KeyShare:
    """A peer's secret share s_m of the joint key."""

    __slots__ = ("scalar",)

    def __init__(self, scalar: int) -> None:
        self.scalar = scalar

    def __repr__(self) -> str:
        return "KeyShare(...)"

    def to_bytes(self) -> bytes:
        """32 bytes for a file that only its owner can read."""
        return write_scalar(self.scalar)

    @classmethod
    def from_bytes(cls, data: bytes) -> KeyShare:
        """The share that `to_bytes` wrote; Breach bad-scalar."""
        return cls(read_scalar(data))


@lru_cache(256)
def weights(indices: tuple[int, ...]) -> tuple[int, ...]:
    """Lagrange's coefficients for the value at 0 of a polynomial that is known at these places."""
    return tuple(_weight(index, indices) for index in indices)


def _weight(index: int, indices: tuple[int, ...]) -> int:
    above = below = 1
    for other in indices:
        if other != index:
            above = above * other % L
            below = below * (other - index) % L
    return above * pow(below, -1, L) % L


def evaluate(vector: Vector, index: int) -> Point:
    """f(index) * G from the vector of f."""
    result = vector[-1]
    for point in reversed(vector[:-1]):
        result = plus(times(index, result), point)
    return result


# ---------------------------------------------------------------- the transcript


class KeyStage(Enum):
    """How far the key has come: named for what is still missing."""

    COMMIT = "commit"
    OPEN = "open"
    DEAL = "deal"
    CONFIRM = "confirm"
    DONE = "done"


class KeyTranscript(msgspec.Struct, frozen=True):
    """All that is public about the making of a key; frozen, and equal on every peer that saw the same messages."""

    context: bytes
    peers: tuple[bytes, ...]
    threshold: int
    commitments: tuple[tuple[bytes, bytes], ...] = ()
    vectors: tuple[tuple[bytes, Vector], ...] = ()
    boxes: tuple[tuple[bytes, tuple[bytes, ...]], ...] = ()
    complaints: tuple[tuple[bytes, bytes], ...] = ()
    answers: tuple[tuple[bytes, bytes, bytes], ...] = ()
    confirmed: tuple[bytes, ...] = ()

    @property
    def stage(self) -> KeyStage:
        """What is still missing."""
        said = (self.commitments, self.vectors, self.boxes, self.confirmed)
        stages = (KeyStage.COMMIT, KeyStage.OPEN, KeyStage.DEAL, KeyStage.CONFIRM)
        return next((s for s, done in zip(stages, said, strict=True) if len(done) < len(self.peers)), KeyStage.DONE)

    def missing(self) -> tuple[bytes, ...]:
        """The peers for whose message the stage waits: first of all for those who owe an answer to a complaint."""
        accused = {accused for accused, _ in self.open_complaints()}
        if accused:
            return tuple(peer for peer in self.peers if peer in accused)
        done: Mapping[KeyStage, Iterable[bytes]] = {
            KeyStage.COMMIT: dict(self.commitments),
            KeyStage.OPEN: dict(self.vectors),
            KeyStage.DEAL: dict(self.boxes),
            KeyStage.CONFIRM: self.confirmed,
            KeyStage.DONE: self.peers,
        }
        heard = set(done[self.stage])
        return tuple(peer for peer in self.peers if peer not in heard)

    def open_complaints(self) -> tuple[tuple[bytes, bytes], ...]:
        """(accused, accuser) of each complaint that has not been answered."""
        answered = {(accused, accuser) for accused, accuser, _ in self.answers}
        return tuple(pair for pair in self.complaints if pair not in answered)

    def key(self) -> JointKey:
        """The public key; Breach no-key until everybody has confirmed it."""
        if self.stage is not KeyStage.DONE:
            raise Breach("no-key")
        return self._joined()

    def digest(self) -> bytes:
        """What a confirmation is bound to: everybody's vectors."""
        vectors = dict(self.vectors)
        parts = [part for peer in self.peers for part in (peer, b"".join(vectors[peer]))]
        return digest("key", self.context, self.threshold.to_bytes(1, "big"), *parts)

    def vector_of(self, peer: bytes) -> Vector:
        """The public vector of a peer."""
        return dict(self.vectors)[peer]

    def index_of(self, peer: bytes) -> int:
        """Where a peer's shares lie: 1..n."""
        return self.peers.index(peer) + 1

    def is_share(self, sender: bytes, receiver: bytes, share: bytes) -> bool:
        """Whether a share of the sender's polynomial fits its vector."""
        try:
            return times_base(read_scalar(share)) == evaluate(self.vector_of(sender), self.index_of(receiver))
        except Breach:
            return False

    def _joined(self) -> JointKey:
        vectors = dict(self.vectors)
        joined = tuple(total(row) for row in zip(*(vectors[peer] for peer in self.peers), strict=True))
        shares = tuple(evaluate(joined, self.index_of(peer)) for peer in self.peers)
        return JointKey(self.peers, self.threshold, joined[0], shares, self.digest())

    # ------------------------------------------------ taking in what is said

    def receive(self, author: bytes, message: KeyMessage) -> KeyTranscript:
        """Return the transcript with a message in it; Breach when it is not due or not right."""
        try:
            return self._received(author, message)
        except Breach as breach:
            breach.blame(author)
            raise

    def _received(self, author: bytes, message: KeyMessage) -> KeyTranscript:
        if author not in self.peers:
            raise Breach("key-not-due")
        if isinstance(message, KeyComplaint):
            return self._complained(author, message)
        if isinstance(message, KeyAnswer):
            return self._answered(author, message)
        if _STAGE_OF[type(message)] is not self.stage or author in self._heard():
            raise Breach("key-not-due")
        if isinstance(message, KeyCommit):
            return _with(self, commitments=self.commitments + ((author, message.commitment),))
        if isinstance(message, KeyOpen):
            return _with(self, vectors=self.vectors + ((author, self._checked_vector(author, message)),))
        if isinstance(message, KeyShares):
            if len(message.boxes) != len(self.peers) - 1:
                raise Breach("bad-key-share")
            return _with(self, boxes=self.boxes + ((author, message.boxes),))
        return self._confirmed(author, message)

    def _heard(self) -> set[bytes]:
        """The peers that have said what the stage asks for."""
        said = {
            KeyStage.COMMIT: self.commitments,
            KeyStage.OPEN: self.vectors,
            KeyStage.DEAL: self.boxes,
        }
        return {peer for peer, _ in said[self.stage]} if self.stage in said else set(self.confirmed)

    def _checked_vector(self, author: bytes, message: KeyOpen) -> Vector:
        made = commit_to(self.context, author, message)
        if not hmac.compare_digest(dict(self.commitments)[author], made):
            raise Breach("key-mismatch")
        if len(message.vector) != SIZE * self.threshold:
            raise Breach("bad-key-vector")
        vector = read_points(message.vector)
        check_log(self.about(author), vector[0], message.proof)
        return vector

    def about(self, author: bytes) -> About:
        """What a proof of possession is about."""
        roster = digest("roster", *self.peers)
        return About(self.context, 0, (self.index_of(author), self.threshold), author, roster)

    def _complained(self, author: bytes, message: KeyComplaint) -> KeyTranscript:
        against = set(message.against)
        is_due = self.stage is KeyStage.CONFIRM and author not in self.confirmed
        has_complained = any(accuser == author for _, accuser in self.complaints)
        if not is_due or has_complained or not against <= set(self.peers) - {author}:
            raise Breach("key-not-due")
        fresh = tuple((accused, author) for accused in self.peers if accused in against)
        return _with(self, complaints=self.complaints + fresh)

    def _answered(self, author: bytes, message: KeyAnswer) -> KeyTranscript:
        if (author, message.to) not in self.open_complaints():
            raise Breach("key-not-due")
        if not self.is_share(author, message.to, message.share):
            raise Breach("bad-key-share")
        return _with(self, answers=self.answers + ((author, message.to, message.share),))

    def _confirmed(self, author: bytes, message: KeyOk) -> KeyTranscript:
        if any(accuser == author for _, accuser in self.open_complaints()):
            raise Breach("key-not-due")
        if not hmac.compare_digest(message.digest, self.digest()):
            raise Breach("key-differs")
        return _with(self, confirmed=(*self.confirmed, author))


_STAGE_OF: Final[Mapping[type, KeyStage]] = {
    KeyCommit: KeyStage.COMMIT,
    KeyOpen: KeyStage.OPEN,
    KeyShares: KeyStage.DEAL,
    KeyOk: KeyStage.CONFIRM,
}


def begin_key(context: bytes, peers: tuple[bytes, ...], *, trust_all: bool = False) -> KeyTranscript:
    """An empty transcript for a roster; ``context`` is a hash of match and attempt."""
    return KeyTranscript(context, peers, len(peers) if trust_all else quorum(len(peers)))


def commit_to(context: bytes, author: bytes, opened: KeyOpen) -> bytes:
    """The commitment that a vector and its proof open."""
    return digest("key-commit", context, author, opened.vector, opened.proof)


def _with(transcript: KeyTranscript, **changes: object) -> KeyTranscript:
    return msgspec.structs.replace(transcript, **changes)


# ---------------------------------------------------------------- boxes


class Postbox:
    """What this peer says to one other alone: boxes between the X25519 forms of the identity keys."""

    def __init__(self, seed: bytes) -> None:
        """``seed``: the 32 secret bytes of the identity key."""
        self._private: PrivateKey = SigningKey(seed).to_curve25519_private_key()

    def __repr__(self) -> str:
        return "Postbox(...)"

    def seal(self, peer: bytes, text: bytes, nonce: bytes) -> bytes:
        """A box for a peer; ``nonce``: 24 random bytes."""
        return bytes(self._box(peer).encrypt(text, nonce))

    def open(self, peer: bytes, box: bytes) -> bytes | None:
        """What a peer has put into a box for us; None when it is not that."""
        try:
            return self._box(peer).decrypt(box)
        except (CryptoError, ValueError):
            return None

    def _box(self, peer: bytes) -> Box:
        return Box(self._private, VerifyKey(peer).to_curve25519_public_key())


# ---------------------------------------------------------------- one peer's part


class KeyParty:
    """One peer's part in the making of a key: its polynomial, until the key is done."""

    def __init__(self, public: KeyTranscript, me: bytes, postbox: Postbox, entropy: Entropy) -> None:
        """``entropy`` gives so many random bytes."""
        self.public = public
        self._me = me
        self._postbox = postbox
        self._entropy = entropy
        self._polynomial = scalars_from(entropy(64), "polynomial", public.threshold)
        self._opened = self._make_vector()
        self._boxes: KeyShares | None = None

    def __repr__(self) -> str:
        return f"KeyParty({self.public.stage})"

    def receive(self, author: bytes, message: KeyMessage) -> None:
        """Take a message into the transcript."""
        self.public = self.public.receive(author, message)

    def messages(self) -> tuple[KeyMessage, ...]:
        """What this peer owes now; nothing more when the ledger holds another commitment of ours (after a restart)."""
        public = self.public
        if public.stage is KeyStage.COMMIT:
            return () if self._me in dict(public.commitments) else (self._commitment(),)
        if not self._is_mine():
            return ()
        owed = tuple(self._answer(accuser) for accused, accuser in public.open_complaints() if accused == self._me)
        return owed or (tuple(self._due()) if self._me in public.missing() else ())

    def share(self) -> KeyShare:
        """This peer's secret share, when everybody's is here and good; Breach no-key otherwise."""
        if not self._is_mine():
            raise Breach("no-key")
        shares = [self._share_from(peer) for peer in self.public.peers]
        if None in shares:
            raise Breach("no-key")
        return KeyShare(sum(map(read_scalar, cast("list[bytes]", shares))) % L)

    def _is_mine(self) -> bool:
        """Whether the commitment in the ledger is that of this very polynomial, and not of an earlier run."""
        return dict(self.public.commitments).get(self._me) == self._commitment().commitment

    def forget(self) -> None:
        """Drop what is of no more use once the share is safe."""
        self._polynomial = ()

    def _due(self) -> Iterable[KeyMessage]:
        if self.public.stage is KeyStage.OPEN:
            yield self._opened
        elif self.public.stage is KeyStage.DEAL:
            yield self._dealt()
        else:
            bad = tuple(peer for peer in self.public.peers if self._share_from(peer) is None)
            yield KeyComplaint(bad) if bad else KeyOk(self.public.digest())

    def _commitment(self) -> KeyCommit:
        return KeyCommit(commit_to(self.public.context, self._me, self._opened))

    def _make_vector(self) -> KeyOpen:
        vector = [times_base(coefficient) for coefficient in self._polynomial]
        proof = prove_log(self.public.about(self._me), self._polynomial[0], vector[0], self._entropy(SIZE))
        return KeyOpen(b"".join(vector), proof)

    def _dealt(self) -> KeyShares:
        if self._boxes is None:
            others = (peer for peer in self.public.peers if peer != self._me)
            nonces = ((peer, self._entropy(NONCE_SIZE)) for peer in others)
            self._boxes = KeyShares(tuple(self._postbox.seal(peer, self._value(peer), n) for peer, n in nonces))
        return self._boxes

    def _answer(self, accuser: bytes) -> KeyAnswer:
        return KeyAnswer(accuser, self._value(accuser))

    def _value(self, peer: bytes) -> bytes:
        """f_me at a peer's place."""
        result = 0
        for coefficient in reversed(self._polynomial):
            result = (result * self.public.index_of(peer) + coefficient) % L
        return write_scalar(result)

    def _share_from(self, peer: bytes) -> bytes | None:
        """The good share that a peer gave to this one, boxed or shown; None when there is none."""
        if peer == self._me:
            return self._value(peer) if self._polynomial else None
        shown = {accused: share for accused, accuser, share in self.public.answers if accuser == self._me}
        share = shown.get(peer) or self._unboxed(peer)
        return share if share is not None and self.public.is_share(peer, self._me, share) else None

    def _unboxed(self, peer: bytes) -> bytes | None:
        others = [other for other in self.public.peers if other != peer]
        boxes = dict(self.public.boxes).get(peer)
        return self._postbox.open(peer, boxes[others.index(self._me)]) if boxes else None
