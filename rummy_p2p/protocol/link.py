"""One connection between two peers, from its first byte to its last.

Laws of this file
* The transport has made a TLS channel and knows SHA-256 of the server's certificate (the fingerprint) as seen at its
  end. Whoever stands in between has another certificate, so what is signed here at one end does not hold at the other.

      server                                       client
      HELLO  version, id, nonce, nick,        -->  checks the version, then the signature
             signature over its fingerprint
      checks the signature                    <--  AUTH  id, nonce, nick, table,
                                                   signature over "C" and all that both know
      AUTH_OK  signature over "S", the same   -->  checks the signature

* After that each side sends what it likes of the messages it was made for, a PING every few seconds, and at the end a
  BYE with the reason. HELLO's version and BYE are the same in every version of the protocol.
* `TRANSITIONS` is the whole state machine. What it does not name is a breach; a breach ends the link with a BYE, and
  what comes later is not read. Exactly one `Closed` is the last event.
* Every wait has an end: `timer()` says when to call `tick()`.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import TYPE_CHECKING, Annotated, Final, Self, Union, cast, get_args

import msgspec

from rummy_p2p.protocol.codec import (
    FRAME_AFTER_AUTH,
    Bytes32,
    Bytes64,
    Code,
    FrameBuffer,
    Message,
    Nick,
    frame,
    pack,
    unpack,
)
from rummy_p2p.protocol.errors import LocalProtocolError, NetworkError, PeerClosed, ProtocolError, RemoteProtocolError
from rummy_p2p.protocol.identity import Identity, verify
from rummy_p2p.protocol.text import NICK_LIMIT, clean, words

if TYPE_CHECKING:
    from typing_extensions import TypeForm

VERSION: Final = 1

# ---------------------------------------------------------------- messages of the link itself


class Hello(Message, frozen=True):
    """The server says who it is, bound to its certificate."""

    version: int
    player_id: Bytes32
    nonce: Bytes32
    nick: Nick
    signature: Bytes64


class Auth(Message, frozen=True):
    """The client says who it is and which table it wants (nothing: none in particular)."""

    player_id: Bytes32
    nonce: Bytes32
    nick: Nick
    table: Annotated[bytes, msgspec.Meta(max_length=32)]
    signature: Bytes64


class AuthOk(Message, frozen=True):
    """The server has seen AUTH and signs the same."""

    signature: Bytes64


class Ping(Message, frozen=True):
    """I am still here."""


class Bye(Message, frozen=True):
    """The last message, with the reason."""

    code: Code
    parameters: Annotated[dict[str, str | int], msgspec.Meta(max_length=8)] = msgspec.field(default_factory=dict)


class AnyHello(msgspec.Struct, frozen=True, tag="hello"):
    """What the HELLO of every version has."""

    version: int


_Own = Hello | Auth | AuthOk | Ping | Bye

# ---------------------------------------------------------------- states


class State(Enum):
    """What this end is waiting for."""

    AWAIT_HELLO = auto()  # client
    AWAIT_AUTH_OK = auto()  # client
    AWAIT_AUTH = auto()  # server
    OPEN = auto()
    CLOSED = auto()


class Input(Enum):
    """What may arrive; MESSAGE stands for every message that the link was made for."""

    HELLO = auto()
    AUTH = auto()
    AUTH_OK = auto()
    PING = auto()
    BYE = auto()
    MESSAGE = auto()


TRANSITIONS: Final[Mapping[State, Mapping[Input, State]]] = {
    State.AWAIT_HELLO: {Input.HELLO: State.AWAIT_AUTH_OK, Input.BYE: State.CLOSED},
    State.AWAIT_AUTH_OK: {Input.AUTH_OK: State.OPEN, Input.BYE: State.CLOSED},
    State.AWAIT_AUTH: {Input.AUTH: State.OPEN, Input.BYE: State.CLOSED},
    State.OPEN: {Input.MESSAGE: State.OPEN, Input.PING: State.OPEN, Input.BYE: State.CLOSED},
    State.CLOSED: {},
}
_INPUTS: Final[Mapping[type, Input]] = {
    Hello: Input.HELLO,
    Auth: Input.AUTH,
    AuthOk: Input.AUTH_OK,
    Ping: Input.PING,
    Bye: Input.BYE,
}

# ---------------------------------------------------------------- events


@dataclass(frozen=True, slots=True)
class Authenticated:
    """Both ends have proved their keys. `table` is what the client asked for."""

    player_id: bytes
    nick: str
    table: bytes


@dataclass(frozen=True, slots=True)
class Received:
    """One message of the union that the link was made for."""

    message: msgspec.Struct


@dataclass(frozen=True, slots=True)
class Closed:
    """The link is over; nothing comes after this."""

    error: ProtocolError
    by_us: bool

    @property
    def code(self) -> str:
        return self.error.code

    @property
    def sentence(self) -> str:
        return str(self.error)


LinkEvent = Authenticated | Received | Closed

# ---------------------------------------------------------------- the link


class LinkLimits(msgspec.Struct, frozen=True):
    """Seconds, and messages: `rate` a second in the long run, `burst` at once."""

    handshake: float = 3.0
    authentication: float = 5.0
    idle: float = 20.0
    ping: float = 5.0
    rate: int = 20
    burst: int = 60


@dataclass(frozen=True, slots=True)
class LinkConfig:
    """What all links of a program share: who we are, and the union of Message types they carry once open."""

    identity: Identity
    nick: str
    messages: "TypeForm[msgspec.Struct]"
    limits: LinkLimits = field(default_factory=LinkLimits)


class Link:
    """One end of a connection. Made by `Link.server` or `Link.client`."""

    def __init__(self, config: LinkConfig, state: State, fingerprint: bytes, nonce: bytes, now: float) -> None:
        self.state = state
        self._me = config.identity
        self._nick = clean(config.nick, NICK_LIMIT) or words(config.identity.player_id).split()[0]
        self._kinds = cast("TypeForm[msgspec.Struct]", Union[_Own, config.messages])  # noqa: UP007 - not known before
        self._sendable = frozenset(get_args(config.messages) or (config.messages,))
        self._limits = config.limits
        self._fingerprint = fingerprint
        self._nonce = nonce
        self._table = b""
        self._expected: bytes | None = None
        self._peer = Authenticated(b"", "", b"")  # what HELLO claims, until AUTH_OK proves it
        self._agreed = b""
        self._bucket = _Bucket(config.limits.rate, config.limits.burst, now)
        self._buffer = FrameBuffer()
        self._out = bytearray()
        self._born = self._heard = self._pinged = now

    @classmethod
    def server(cls, config: LinkConfig, fingerprint: bytes, nonce: bytes, now: float) -> Self:
        """The end that was called. `fingerprint` is of its own certificate; `nonce` is 32 random bytes."""
        link = cls(config, State.AWAIT_AUTH, fingerprint, nonce, now)
        link._greet()
        return link

    @classmethod
    def client(
        cls,
        config: LinkConfig,
        fingerprint: bytes,
        nonce: bytes,
        now: float,
        *,
        table: bytes = b"",
        expected: bytes | None = None,
    ) -> Self:
        """The end that calls. `fingerprint` is of the certificate shown to it; `expected`: no other player will do."""
        link = cls(config, State.AWAIT_HELLO, fingerprint, nonce, now)
        link._table, link._expected = table, expected
        return link

    @property
    def closed(self) -> bool:
        return self.state is State.CLOSED

    # -- what the transport does

    def receive(self, data: bytes, now: float) -> list[LinkEvent]:
        """Take in bytes from the peer."""
        if self.closed:
            return []
        self._heard = now
        self._buffer.feed(data)
        return self._take_frames(now)

    def receive_eof(self) -> list[LinkEvent]:
        """The channel has ended under us, without a BYE."""
        if self.closed:
            return []
        self.state = State.CLOSED
        return [Closed(NetworkError("lost"), by_us=False)]

    def data_to_send(self) -> bytes:
        """What is to be sent to the peer now; each byte is given once."""
        data = bytes(self._out)
        self._out.clear()
        return data

    def timer(self) -> float:
        """When to call `tick` at the latest."""
        _, deadline, _ = self._deadline()
        return min(deadline, self._pinged + self._limits.ping) if self.state is State.OPEN else deadline

    def tick(self, now: float) -> list[LinkEvent]:
        """Let time pass: a peer that kept us waiting too long is closed, a ping is sent when one is due."""
        code, deadline, seconds = self._deadline()
        if now >= deadline:
            return self._fail(ProtocolError(code, seconds=f"{seconds:g}"))
        if self.state is State.OPEN and now >= self._pinged + self._limits.ping:
            self._pinged = now
            self._put(Ping())
        return []

    # -- what the program does

    def send(self, message: msgspec.Struct) -> None:
        """Send one message; LocalProtocolError while the link is not open, for another type, or beyond the size."""
        if self.state is not State.OPEN:
            raise LocalProtocolError("not-open", state=self.state.name)
        if type(message) not in self._sendable:
            raise LocalProtocolError("foreign-message", kind=type(message).__name__)
        self._put(message)

    def close(self, code: str = "leaving", /, **parameters: str | int) -> list[LinkEvent]:
        """End the link and tell the peer why. Any kebab-case code will do; one unknown to errors.py is only named."""
        return [] if self.closed else self._fail(ProtocolError(code, **parameters))

    def allow(self, rate: int, burst: int) -> None:
        """From now on take this many messages: those seated at our table say more than strangers."""
        self._bucket.widen(rate, burst)

    # -- inside

    def _deadline(self) -> tuple[str, float, float]:
        """What we accuse the peer of, when, and after how many seconds."""
        limits = self._limits
        match self.state:
            case State.AWAIT_HELLO:
                return "handshake-timeout", self._born + limits.handshake, limits.handshake
            case State.AWAIT_AUTH | State.AWAIT_AUTH_OK:
                return "auth-timeout", self._born + limits.authentication, limits.authentication
            case State.OPEN:
                return "idle", self._heard + limits.idle, limits.idle
            case _:  # closed: nothing is waited for
                return "", math.inf, 0

    def _take_frames(self, now: float) -> list[LinkEvent]:
        """Everything that is complete in the buffer, up to the first breach or BYE."""
        events: list[LinkEvent] = []
        try:
            for payload in self._buffer.frames():
                self._bucket.take(now)
                events += self._handle(payload)
                if self.closed:
                    break
        except RemoteProtocolError as error:
            events += self._fail(error)
        return events

    def _put(self, message: msgspec.Struct) -> None:
        self._out += frame(pack(message))

    def _fail(self, error: ProtocolError) -> list[LinkEvent]:
        self._put(Bye(error.code, error.parameters))
        self.state = State.CLOSED
        return [Closed(error, by_us=True)]

    def _handle(self, payload: bytes) -> list[LinkEvent]:
        """One frame: may it come now, is it right, what does it change."""
        if self.state is State.AWAIT_HELLO:
            _check_version(payload)
        message = self._unpack(payload)
        follows = TRANSITIONS[self.state].get(_INPUTS.get(type(message), Input.MESSAGE))
        if follows is None:
            raise RemoteProtocolError("unexpected-message", kind=type(message).__name__)
        events = self._judge(message)
        self.state = follows
        if follows is State.OPEN:
            self._buffer.limit = FRAME_AFTER_AUTH
        return events

    def _unpack(self, payload: bytes) -> msgspec.Struct:
        """Before it has proved its key a stranger can say nothing but the messages of the link itself."""
        if self.state is State.OPEN:
            return unpack(payload, self._kinds)
        return unpack(payload, _Own)

    def _judge(self, message: msgspec.Struct) -> list[LinkEvent]:
        match message:
            case Hello():
                return self._answer(message)
            case Auth():
                return self._welcome(message)
            case AuthOk():
                return self._arrive(message)
            case Bye():
                return [Closed(PeerClosed(message.code, **message.parameters), by_us=False)]
            case Ping():
                return []
            case _:
                return [Received(message)]

    # -- the greeting

    def _greet(self) -> None:
        me = self._me.player_id
        signature = self._me.sign(_HELLO_LABEL, _joined(self._fingerprint, self._nonce, self._nick.encode()))
        self._put(Hello(VERSION, me, self._nonce, self._nick, signature))

    def _answer(self, hello: Hello) -> list[LinkEvent]:
        """Client: HELLO has come."""
        signed = _joined(self._fingerprint, hello.nonce, hello.nick.encode())
        _demand(verify(hello.player_id, _HELLO_LABEL, signed, hello.signature))
        me = self._me.player_id
        if hello.player_id == me:
            raise RemoteProtocolError("own-address")
        if self._expected not in {None, hello.player_id}:
            found, expected = words(hello.player_id), words(self._expected or b"")
            raise RemoteProtocolError("wrong-identity", found=found, expected=expected)
        self._peer = Authenticated(hello.player_id, hello.nick, self._table)
        self._agreed = _joined(
            self._fingerprint, hello.nonce, self._nonce, self._table, hello.player_id, me, self._nick.encode()
        )
        signature = self._me.sign(_AUTH_LABEL, b"C" + self._agreed)
        self._put(Auth(me, self._nonce, self._nick, self._table, signature))
        return []

    def _welcome(self, auth: Auth) -> list[LinkEvent]:
        """Server: AUTH has come."""
        me = self._me.player_id
        agreed = _joined(self._fingerprint, self._nonce, auth.nonce, auth.table, me, auth.player_id, auth.nick.encode())
        _demand(verify(auth.player_id, _AUTH_LABEL, b"C" + agreed, auth.signature))
        self._put(AuthOk(self._me.sign(_AUTH_LABEL, b"S" + agreed)))
        return [Authenticated(auth.player_id, auth.nick, auth.table)]

    def _arrive(self, answer: AuthOk) -> list[LinkEvent]:
        """Client: AUTH_OK has come. HELLO's signature might be an old one; this one has our nonce in it."""
        _demand(verify(self._peer.player_id, _AUTH_LABEL, b"S" + self._agreed, answer.signature))
        return [self._peer]


_HELLO_LABEL: Final = b"link hello"
_AUTH_LABEL: Final = b"link auth"


def _demand(genuine: bool) -> None:  # noqa: FBT001 - the one thing it is about
    if not genuine:
        raise RemoteProtocolError("bad-signature")


def _joined(*parts: bytes) -> bytes:
    """Version and parts as they are signed; each with its length, so that no two lists of parts are the same bytes."""
    return b"".join(len(part).to_bytes(4, "big") + part for part in (bytes([VERSION]), *parts))


def _check_version(payload: bytes) -> None:
    """Look at the version alone: the HELLO of another one may have other fields. What is no HELLO is judged later."""
    try:
        theirs = unpack(payload, AnyHello).version
    except RemoteProtocolError:
        return
    if theirs != VERSION:
        raise RemoteProtocolError("version-mismatch", older=min(theirs, VERSION), newer=max(theirs, VERSION))


class _Bucket:
    """As many messages as there are tokens; `rate` of them come back every second, up to `burst`."""

    def __init__(self, rate: int, burst: int, now: float) -> None:
        self._rate = rate
        self._burst = burst
        self._tokens = float(burst)
        self._then = now

    def widen(self, rate: int, burst: int) -> None:
        """The larger burst is there at once; a smaller one is not taken back, but does not come again."""
        self._tokens += max(0, burst - self._burst)
        self._rate, self._burst = rate, burst

    def take(self, now: float) -> None:
        self._tokens = min(self._burst, self._tokens + (now - self._then) * self._rate)
        self._then = now
        if self._tokens < 1:
            raise RemoteProtocolError("too-fast", rate=self._rate, burst=self._burst)
        self._tokens -= 1
