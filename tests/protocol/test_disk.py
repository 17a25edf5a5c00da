"""What is written down piece by piece comes together again."""

from __future__ import annotations

from rummy_p2p.protocol.disk import Disk, Saved, Unsaved
from rummy_p2p.protocol.messages import Signed


def message(name: str) -> Signed:
    return Signed(author=bytes(32), payload=name.encode(), signature=bytes(64))


INFO, START, OTHER = message("info"), message("start"), message("another start")


def piece(records: str, votes: str, kept: int, committed: int, start: Signed = START) -> Unsaved:
    return Unsaved(INFO, start, tuple(map(message, records)), tuple(map(message, votes)), committed, b"m", kept)


def told(saved: Saved) -> tuple[str, str, int]:
    records, votes = (b"".join(each.payload for each in part).decode() for part in (saved.records, saved.votes))
    return records, votes, saved.committed


def test_records_behind_those_that_are_kept_are_replaced_and_votes_stay() -> None:
    saved = piece("abc", "x", 0, 1).onto(None)
    assert told(saved) == ("abc", "x", 1)
    assert (saved.info, saved.start) == (INFO, START)
    saved = piece("d", "", 3, 3).onto(saved)
    assert told(saved) == ("abcd", "x", 3)
    saved = piece("EF", "y", 2, 3).onto(saved)
    assert told(saved) == ("abEF", "xy", 3)
    assert type(saved) is Saved


def test_of_another_match_nothing_is_kept() -> None:
    saved = piece("abc", "x", 0, 1).onto(None)
    assert told(piece("d", "", 0, 0, OTHER).onto(saved)) == ("d", "", 0)


def test_without_a_disk_nothing_is_recalled() -> None:
    assert Disk().saved is None
    assert Disk().recall(b"m") is None
