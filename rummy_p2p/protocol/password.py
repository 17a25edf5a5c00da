"""Closed tables: who knows the password gets a seat, and nobody learns it by listening, standing between, or asking.

      joiner                                   creator
      KNOCK  table, share                 -->  counts the try
                                          <--  ANSWER  share
      PROOF  MAC with the key             -->  right: the joiner may ask for a seat
                                          <--  WELCOME  MAC with the key

The law of this file
--------------------
* SPAKE2: both shares hide the password, and the keys agree only where the passwords do. Each exchange is one try for
  whoever does not know it, on either side; so every try is counted when it begins.
* The names of both sides hold their ids, the table and the fingerprint of the channel: what goes through somebody in
  between, who has another certificate, comes to another key.
* The joiner proves first: a program that only pretends to have the table gets one guess for it, as anybody has.
* Three tries are free for each player, ten for the table; after that one try is answered in so many seconds.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

import msgspec

from rummy_p2p.protocol.codec import Bytes32, Code, Message
from rummy_p2p.protocol.errors import RemoteProtocolError
from rummy_p2p.protocol.faults import Refusal
from rummy_p2p.protocol.text import said
from rummy_p2p.protocol.words import WORDS

if TYPE_CHECKING:  # it is loaded when somebody knocks: it takes as long as half of our modules together
    from spake2 import SPAKE2_A, SPAKE2_B

FREE_TRIES: Final = 3
FREE_TRIES_OF_ALL: Final = 10
WAIT: Final = 30.0
OPEN_KNOCKS: Final = 16  # exchanges that have begun; the oldest goes
REMEMBERED: Final = 256
WORDS_IN_PASSWORD: Final = 3

Share: TypeAlias = Annotated[bytes, msgspec.Meta(min_length=33, max_length=33)]
Entropy: TypeAlias = Callable[[int], bytes]


class Knock(Message, frozen=True):
    """The joiner's half of the key exchange."""

    table: Bytes32
    share: Share


class KnockAnswer(Message, frozen=True):
    """The creator's half."""

    table: Bytes32
    share: Share


class KnockProof(Message, frozen=True):
    """The joiner has the key."""

    table: Bytes32
    mac: Bytes32


class Welcome(Message, frozen=True):
    """The creator has it as well: a seat may be asked for."""

    table: Bytes32
    mac: Bytes32


class NotWelcome(Message, frozen=True):
    """The password is wrong, or no try is answered now, but in so many seconds."""

    table: Bytes32
    code: Code
    seconds: Annotated[int, msgspec.Meta(ge=0, le=3600)] = 0


Knocking: TypeAlias = Knock | KnockAnswer | KnockProof | Welcome | NotWelcome


def make_password(entropy: Entropy) -> str:
    """Three words, of those by which players are compared."""
    return " ".join(WORDS[byte] for byte in entropy(WORDS_IN_PASSWORD))


class Joiner:
    """The side that knocks, for one try."""

    def __init__(
        self, password: str, table: bytes, me: bytes, creator: bytes, channel: bytes, entropy: Entropy
    ) -> None:
        """``channel``: the fingerprint of the certificate that this side was shown."""
        ours, theirs = _names(table, me, creator, channel)
        from spake2 import SPAKE2_A

        self._side = SPAKE2_A(said(password).encode(), idA=ours, idB=theirs, entropy_f=entropy)
        self._table = table
        self._key = b""

    def knock(self) -> Knock:
        """Begin."""
        return Knock(table=self._table, share=self._side.start())

    def prove(self, answer: KnockAnswer) -> KnockProof:
        """Show that the key is known here; RemoteProtocolError when what came is no half of an exchange."""
        self._key = _finish(self._side, answer.share)
        return KnockProof(table=self._table, mac=_mac(self._key, b"joiner"))

    def is_welcome(self, welcome: Welcome) -> bool:
        """Whether the other side knows the password as well."""
        return bool(self._key) and hmac.compare_digest(welcome.mac, _mac(self._key, b"creator"))


class Door:
    """The creator's side, for all who knock."""

    def __init__(self, password: str, table: bytes, me: bytes, entropy: Entropy) -> None:
        self._password = said(password).encode()
        self._table = table
        self._me = me
        self._entropy = entropy
        self._keys: dict[bytes, bytes] = {}
        self._tries: dict[bytes, int] = {}
        self._wrong = 0
        self._next = 0.0

    def receive(self, peer: bytes, channel: bytes, message: Knocking, now: float) -> tuple[Knocking | None, bool]:
        """Take what a peer says over a channel; return what is answered, and whether it is let in by that."""
        if message.table != self._table:
            return None, False
        if isinstance(message, Knock):
            return self._on_knock(peer, channel, message, now), False
        if isinstance(message, KnockProof):
            return self._on_proof(peer, message, now)
        raise RemoteProtocolError("unexpected-message", kind=type(message).__name__)

    def _on_knock(self, peer: bytes, channel: bytes, knock: Knock, now: float) -> Knocking:
        wait = self._wait(peer, now)
        if wait > 0:
            return NotWelcome(table=self._table, code="too-many-tries", seconds=int(wait) + 1)
        self._count(peer, now)
        theirs, ours = _names(self._table, peer, self._me, channel)
        from spake2 import SPAKE2_B

        side = SPAKE2_B(self._password, idA=theirs, idB=ours, entropy_f=self._entropy)
        answer = KnockAnswer(table=self._table, share=side.start())
        self._keys.pop(peer, None)
        self._keys[peer] = _finish(side, knock.share)
        if len(self._keys) > OPEN_KNOCKS:
            del self._keys[next(iter(self._keys))]
        return answer

    def _wait(self, peer: bytes, now: float) -> float:
        free = self._tries.get(peer, 0) < FREE_TRIES and self._wrong < FREE_TRIES_OF_ALL
        return 0.0 if free else self._next - now

    def _count(self, peer: bytes, now: float) -> None:
        self._tries[peer] = self._tries.get(peer, 0) + 1
        self._wrong += 1
        self._next = now + WAIT
        if len(self._tries) > REMEMBERED:
            del self._tries[next(iter(self._tries))]

    def _on_proof(self, peer: bytes, proof: KnockProof, _now: float) -> tuple[Knocking, bool]:
        key = self._keys.pop(peer, None)
        if key is None:
            raise RemoteProtocolError("unexpected-message", kind="KnockProof")
        if not hmac.compare_digest(proof.mac, _mac(key, b"joiner")):
            return NotWelcome(table=self._table, code="wrong-password"), False
        self._wrong -= 1
        self._tries.pop(peer, None)
        return Welcome(table=self._table, mac=_mac(key, b"creator")), True


def why_not(message: NotWelcome) -> Refusal:
    """Return what the joiner is told."""
    return Refusal(message.code, seconds=message.seconds)


def _names(table: bytes, joiner: bytes, creator: bytes, channel: bytes) -> tuple[bytes, bytes]:
    bound = table + joiner + creator + channel
    return b"rummy-p2p joiner\0" + bound, b"rummy-p2p creator\0" + bound


def _finish(side: SPAKE2_A | SPAKE2_B, share: bytes) -> bytes:
    from spake2 import SPAKEError
    from spake2.ed25519_basic import NotOnCurve

    try:
        key: bytes = side.finish(share)
    except (SPAKEError, NotOnCurve, ValueError, AssertionError) as error:  # of what is no point
        raise RemoteProtocolError("bad-field", detail="share") from error
    return key


def _mac(key: bytes, who: bytes) -> bytes:
    return hmac.new(key, b"rummy-p2p " + who, hashlib.sha256).digest()
