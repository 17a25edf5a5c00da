"""What is to be written of a session is taken in pieces, and put on the disk in as few writes as can be."""

from pathlib import Path
from typing import cast

import pytest

from rummy_p2p.journal import Journal
from rummy_p2p.node.keeping import Keeper, Page
from rummy_p2p.protocol.disk import Unsaved
from rummy_p2p.protocol.events import MatchOver, Played
from rummy_p2p.protocol.messages import Signed
from rummy_p2p.store import StoreError
from tests.protocol.lan import Lan, Peer, playing

MATCH, OTHER = b"a" * 32, b"b" * 32


def signed(text: str) -> Signed:
    return Signed(author=bytes(32), payload=text.encode(), signature=bytes(64))


def unsaved(kept: int, records: str = "", votes: str = "", *, match: bytes = MATCH) -> Unsaved:
    start = signed("start")
    return Unsaved(start, start, tuple(map(signed, records)), tuple(map(signed, votes)), kept, match, kept)


def told(of: Unsaved) -> tuple[int, str, str]:
    records, votes = ("".join(each.payload.decode() for each in some) for some in (of.records, of.votes))
    return of.kept, records, votes


class Disk:
    """A journal and a vault that note what they are given."""

    def __init__(self) -> None:
        self.done: list[object] = []
        self.full = False
        self.old: tuple[bytes, ...] = ()
        self.keeper = Keeper(self.save, self)
        self.keeper.journal = cast("Journal", self)

    def write(self, piece: Unsaved, port: int) -> None:
        if self.full:
            raise StoreError("disk-full", path="matches.db")
        self.done.append((*told(piece), port))

    def forget(self, match: bytes) -> None:
        self.done.append(("over", match))

    def prune(self, begun: bytes) -> tuple[bytes, ...]:
        self.done.append(("begun", begun))
        return self.old

    def hand_secrets(self, match: bytes) -> bytes | None:
        raise StoreError("secret-exposed", path=match.hex())

    def save_hand_secrets(self, match: bytes, content: bytes) -> None:
        self.done.append((match, content))

    def save(self, match: bytes, ledger: bytes) -> Path:
        self.done.append(("ledger", ledger))
        return Path(match.decode())


@pytest.mark.parametrize(
    ("pieces", "whole"),
    [
        ([unsaved(0, "ab", "x"), unsaved(2, "c", "y")], (0, "abc", "xy", 7)),
        ([unsaved(3, "de"), unsaved(4, "f")], (3, "df", "", 7)),  # another host has something else in its place
        ([unsaved(3, "de"), unsaved(1, "f")], (1, "f", "", 7)),
        ([unsaved(3, "de"), unsaved(3, "f"), unsaved(4, "", "z")], (3, "f", "z", 7)),
    ],
)
def test_what_is_written_of_one_match_is_written_at_once(
    pieces: list[Unsaved], whole: tuple[int, str, str, int]
) -> None:
    disk = Disk()
    assert disk.keeper.put([Page(piece, port=7) for piece in pieces]) == []
    begun = [("begun", MATCH)] if whole[0] == 0 else []
    assert disk.done == [whole, *begun]


def test_the_latest_secrets_are_enough_and_the_end_comes_last() -> None:
    disk = Disk()
    pages = [Page(unsaved(0, "a"), (MATCH, b"1")), Page(None, (MATCH, b"2")), Page(unsaved(1, "b"), over=MATCH)]
    disk.keeper.put(pages)
    assert disk.done == [(0, "ab", "", 0), ("begun", MATCH), (MATCH, b"2"), ("over", MATCH)]


def test_what_belongs_to_another_match_or_has_to_stand_between_is_not_mixed() -> None:
    disk = Disk()
    pages = [
        Page(unsaved(1, "a")),
        Page(unsaved(1, "b", match=OTHER)),
        Page(ledger=(OTHER, b"l")),
        Page(unsaved(1, "c")),
    ]
    disk.keeper.put([*pages, Page(secrets=(MATCH, b"1")), Page(secrets=(OTHER, b"2"))])
    wanted: list[object] = [(1, "a", "", 0), (1, "b", "", 0), ("ledger", b"l"), (1, "c", "", 0), (MATCH, b"1")]
    assert disk.done == [*wanted, (OTHER, b"2")]
    assert disk.keeper.ledger == Path(OTHER.decode())


class Watched:
    """A match of three, and the pages that one of its peers leaves."""

    def __init__(self, disk: Disk) -> None:
        self.disk = disk
        self.pages: list[Page | None] = []
        self.lan, peers = playing(3, 7)
        self.peer = next(peer for peer in peers if peer.id != peers[0].table.host)
        self.lan._write = self._write  # type: ignore[method-assign] # every page is noted on its way

    def _write(self, peer: Peer) -> None:
        if peer is self.peer:
            self.pages.append(self.disk.keeper.page(peer.table, 7))
        else:
            Lan._write(self.lan, peer)

    def play(self, moves: int) -> list[Unsaved]:
        self.pages.clear()
        wanted = len(self.peer.all(Played)) + moves
        self.lan.run(lambda: len(self.peer.all(Played)) >= wanted)
        return [page.unsaved for page in self.pages if page is not None and page.unsaved is not None]


def test_there_is_a_page_only_for_what_has_to_be_written_first() -> None:
    """How far all is committed waits for the next record, unless the disk is behind."""
    disk = Disk()
    match = Watched(disk)
    pieces = match.play(6)
    assert None in match.pages
    assert all(piece.records or piece.votes for piece in pieces)
    disk.full = True
    disk.keeper.put([Page(pieces[-1])])
    assert not all(piece.records or piece.votes for piece in match.play(6))


def test_without_a_disk_there_is_nothing_to_write() -> None:
    disk = Disk()
    disk.keeper = Keeper(None, None)
    match = Watched(disk)
    match.play(6)
    assert set(match.pages) == {None}
    assert disk.keeper.ledger_page(match.peer.table) is None


def test_the_end_of_a_match_is_written_once() -> None:
    disk = Disk()
    match = Watched(disk)
    match.lan.run(lambda: bool(match.peer.all(MatchOver)))
    for _ in range(3):
        match.pages.append(disk.keeper.page(match.peer.table, 7))
    assert sum(page is not None and page.over is not None for page in match.pages) == 1


def test_a_disk_that_is_full_is_told_once_and_asked_again_each_time() -> None:
    disk = Disk()
    disk.full = True
    assert ["disk is full" in line for line in disk.keeper.put([Page(unsaved(0, "a"))])] == [True]
    assert disk.keeper.put([Page(unsaved(1, "b"))]) == []
    disk.full = False
    assert disk.keeper.put([Page(unsaved(2, "c"))]) == []
    disk.full = True
    assert len(disk.keeper.put([Page(unsaved(3, "d"))])) == 1


def test_when_a_match_begins_old_ones_go_with_their_secrets() -> None:
    disk = Disk()
    disk.old = (OTHER,)
    assert disk.keeper.put([Page(unsaved(0, "a"))]) == []
    assert disk.done == [(0, "a", "", 0), ("begun", MATCH), (OTHER, b"")]


def test_old_matches_that_cannot_be_taken_out_are_no_news(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    disk = Disk()

    def full(_begun: bytes) -> tuple[bytes, ...]:
        raise StoreError("disk-full", path="matches.db")

    monkeypatch.setattr(disk, "prune", full)
    assert disk.keeper.put([Page(unsaved(0, "a"))]) == []
    assert "old matches stay" in caplog.text


def test_secrets_that_cannot_be_read_are_as_good_as_none() -> None:
    assert Disk().keeper.recall(MATCH) is None
