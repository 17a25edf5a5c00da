"""The fields of the messages at a table: how large each may be, and what may be chosen."""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

import msgspec

MAX_PEERS: Final = 8
MAX_SEATS: Final = 8
MAX_PAYLOAD: Final = 32 * 1024
NO_HEAD: Final = bytes(32)
NO_PROMISE: Final = bytes(32)
MAX_SPECTATORS: Final = 60
GRACE: Final = 60
MAX_GRACE: Final = 24 * 3600

Wish: TypeAlias = Literal["always", "if-needed", "never"]
WISH: Final[Wish] = "if-needed"
Count: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=1 << 31)]
Term: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=1 << 31)]
SeatNumber: TypeAlias = Annotated[int, msgspec.Meta(ge=0, lt=MAX_SEATS)]
Blob: TypeAlias = Annotated[bytes, msgspec.Meta(max_length=MAX_PAYLOAD)]
Short: TypeAlias = Annotated[str, msgspec.Meta(max_length=240)]
DealKind: TypeAlias = Literal["host", "blind"]
Trust: TypeAlias = Literal["quorum", "all"]
Measure: TypeAlias = Literal["mute", "kick"]
Spectators: TypeAlias = Literal["yes", "quiet", "next-hand", "no"]
MAY_TALK: Final[tuple[Spectators, ...]] = ("yes", "next-hand")
