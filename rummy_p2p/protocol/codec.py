"""Messages as bytes. The only module that knows msgpack.

Laws of this file
* A frame is a length (4 bytes, big-endian) and one msgpack map, whose `type` names the message and whose other keys are
  its fields.
* Whatever comes in is measured before it is believed: sizes while unpacking, then depth, floats and text, then the
  types, strictly.
* Any bytes are a message or a RemoteProtocolError.
"""

import struct
from collections.abc import Hashable, Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeVar, cast, get_args

import msgpack
import msgspec

from rummy_p2p.protocol.errors import LocalProtocolError, RemoteProtocolError
from rummy_p2p.protocol.text import CHAT_LIMIT, NICK_LIMIT, TITLE_LIMIT, clean

if TYPE_CHECKING:
    from typing_extensions import TypeForm

T = TypeVar("T")

FRAME_BEFORE_AUTH: Final = 1024
FRAME_AFTER_AUTH: Final = 64 * 1024
MAX_DEPTH: Final = 6  # the message itself is level 1
MAX_STR: Final = 1024
_LIMITS: Final = {
    "max_str_len": MAX_STR,
    "max_bin_len": 32 * 1024,
    "max_array_len": 1024,
    "max_map_len": 32,
    "max_ext_len": 0,
}
_HEADER: Final = struct.Struct(">I")
_DETAIL: Final = 80  # of an explanation that quotes the peer

# Field types for messages. Their limits hold for the text after cleaning.
Nick = Annotated[str, msgspec.Meta(min_length=1, max_length=NICK_LIMIT)]
Title = Annotated[str, msgspec.Meta(min_length=1, max_length=TITLE_LIMIT)]
Chat = Annotated[str, msgspec.Meta(min_length=1, max_length=CHAT_LIMIT)]
Code = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*\Z", max_length=40)]
Bytes32 = Annotated[bytes, msgspec.Meta(min_length=32, max_length=32)]
Bytes64 = Annotated[bytes, msgspec.Meta(min_length=64, max_length=64)]


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base of what stands inside a message."""


def _tag(name: str) -> str:
    """HostChange -> host-change."""
    return "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in name).removeprefix("-")


class Message(Part, frozen=True, tag=_tag):
    """Base of everything that is packed by itself; its name in the map is its class's name in kebab-case."""


def pack(message: msgspec.Struct) -> bytes:
    """One msgpack map, the same bytes for an equal message."""
    return _ENCODER.encode(message)


def unpack(data: bytes, kind: "TypeForm[T]") -> T:
    """The message of type `kind` (a Message or a union of some) in `data`, its text clean; or RemoteProtocolError."""
    tree = _measured(data)
    name = tree.get("type")
    member = _members(cast("Hashable", kind)).get(name) if isinstance(name, str) else None
    if member is None:
        raise RemoteProtocolError("unknown-message")
    try:
        # To the one type, not to the union: that would be taken apart anew for every message.
        message: T = msgspec.convert(tree, member, builtin_types=(bytes,))  # or it would take text for base64
        return message
    except msgspec.ValidationError as error:
        raise RemoteProtocolError("bad-field", detail=clean(str(error), _DETAIL)) from error


def frame(payload: bytes, limit: int = FRAME_AFTER_AUTH) -> bytes:
    """`payload` as it goes over the wire; LocalProtocolError oversize beyond the limit."""
    if len(payload) > limit:
        raise LocalProtocolError("oversize", size=len(payload), limit=limit)
    return _HEADER.pack(len(payload)) + payload


class FrameBuffer:
    """Puts frames together again. It holds one frame at most, and what was fed last. `limit` may change meanwhile."""

    def __init__(self, limit: int = FRAME_BEFORE_AUTH) -> None:
        self.limit = limit
        self._bytes = bytearray()

    def __len__(self) -> int:
        return len(self._bytes)

    def feed(self, data: bytes) -> None:
        self._bytes += data

    def frames(self) -> Iterator[bytes]:
        """Take out each payload that is complete; RemoteProtocolError for a length that is zero or beyond the limit."""
        while (end := self._end()) is not None:
            payload = bytes(self._bytes[_HEADER.size : end])
            del self._bytes[:end]
            yield payload

    def _end(self) -> int | None:
        """Where the first frame ends, when it is all here. A wrong length is refused before its bytes have come."""
        if len(self._bytes) < _HEADER.size:
            return None
        (size,) = _HEADER.unpack_from(self._bytes)
        if size == 0:
            raise RemoteProtocolError("bad-frame")
        if size > self.limit:
            raise RemoteProtocolError("oversize", size=size, limit=self.limit)
        end: int = _HEADER.size + size
        return end if len(self._bytes) >= end else None


# ---------------------------------------------------------------- measuring

_Tree = dict[object, object]
_Branch = _Tree | list[object]
_TO_VET: Final = (str, float)
_ENCODER = msgspec.msgpack.Encoder()


@cache
def _members(kind: Hashable) -> dict[str, Any]:
    """The messages in a type or a union of types, by their names."""
    members = get_args(kind) or (kind,)
    return {str(member.__struct_config__.tag): member for member in members}


def _measured(data: bytes) -> _Tree:
    """The map in `data`, within every limit and with clean text, not yet typed."""
    try:
        tree = msgpack.unpackb(data, raw=False, strict_map_key=True, **_LIMITS)
    except (ValueError, msgpack.UnpackException) as error:
        raise RemoteProtocolError("not-msgpack") from error
    if not isinstance(tree, dict):
        raise RemoteProtocolError("not-msgpack")
    _vet(tree)
    return tree


def _vet(tree: _Tree) -> None:
    """Walk the tree without recursion: its depth is the sender's choice."""
    waiting: list[tuple[_Branch, int]] = [(tree, 1)]
    while waiting:
        branch, depth = waiting.pop()
        if depth > MAX_DEPTH:
            raise RemoteProtocolError("too-deep", limit=MAX_DEPTH)
        waiting += [(child, depth + 1) for child in _vet_branch(branch) if isinstance(child, dict | list)]


def _vet_branch(branch: _Branch) -> Iterable[object]:
    """Vet the leaves of one map or array in place; return all that is in it."""
    if isinstance(branch, list):
        for place, value in enumerate(branch):
            if isinstance(value, _TO_VET):
                branch[place] = _vetted(value)
        return branch
    _vet_keys(branch)
    for key, value in branch.items():
        if isinstance(value, _TO_VET):
            branch[key] = _vetted(value)
    return branch.values()


def _vet_keys(branch: _Tree) -> None:
    """Keys are names of fields: ASCII that shows, so that an explanation may quote them."""
    for key in branch:
        if not (isinstance(key, str) and key.isascii() and key.isprintable()):
            raise RemoteProtocolError("bad-field", detail="a key that is not a name")


def _vetted(value: object) -> object:
    """A leaf with its text cleaned. No message has floats: machines do not agree on their last digit."""
    if isinstance(value, str):
        return clean(value, MAX_STR)
    if isinstance(value, float):
        raise RemoteProtocolError("bad-field", detail="a number with a fraction")
    return value
