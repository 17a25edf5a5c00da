"""What a session has on the disk of a match, and what it gives to be written there before anything is sent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from rummy_p2p.protocol.messages import Signed

Recall: TypeAlias = Callable[[bytes], bytes | None]


def nothing_kept(match: bytes) -> None:
    """No secrets are on the disk."""
    del match


@dataclass(frozen=True, slots=True)
class Saved:
    """What was written down of a match, put together again: the table as its creator told of it, the start, records,
    own votes, and how far all is committed.
    """

    info: Signed
    start: Signed
    records: tuple[Signed, ...]
    votes: tuple[Signed, ...]
    committed: int


@dataclass(frozen=True, slots=True)
class Unsaved(Saved):
    """What is to be written down of a match: the records are those behind the first ``kept`` ones, which stay; the
    votes come on top of those that are there.
    """

    match: bytes
    kept: int

    def onto(self, before: Saved | None) -> Saved:
        """What is on the disk when this has been written over what was there, of this match or of another."""
        records, votes = (before.records, before.votes) if before and before.start == self.start else ((), ())
        return Saved(self.info, self.start, records[: self.kept] + self.records, votes + self.votes, self.committed)


@dataclass(frozen=True, slots=True)
class Disk:
    """What a session finds on the disk: secrets of a match, and a match that is to be resumed."""

    recall: Recall = nothing_kept
    saved: Saved | None = None
