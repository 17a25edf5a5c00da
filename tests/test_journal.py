"""The file of unfinished matches: what a table gave to be written is found again, whatever happens between."""

from __future__ import annotations

import os
import resource
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from rummy_p2p import journal as journal_module
from rummy_p2p.journal import KEPT_FOR, KEPT_MATCHES, VERSION, Journal
from rummy_p2p.protocol.disk import Unsaved
from rummy_p2p.protocol.events import Played
from rummy_p2p.store import StoreError
from tests.protocol.lan import Lan, Peer, playing

MOVES = 6


class Recorded:
    """A match of three as one of its peers was told to write it down, piece by piece."""

    def __init__(self) -> None:
        self.pieces: list[Unsaved] = []
        self.lan, peers = playing(3, 7)
        self.peer = next(peer for peer in peers if peer.id != peers[0].table.host)
        self.lan._write = self._write  # type: ignore[method-assign] # every piece is noted on its way
        disk = self.peer.disk
        assert disk is not None
        self.match = self.peer.table.match.id if self.peer.table.match else b""
        self.pieces.append(Unsaved(disk.info, disk.start, disk.records, disk.votes, disk.committed, self.match, kept=0))
        self.lan.run(lambda: len(self.peer.all(Played)) >= MOVES)
        assert self.peer.disk is not None
        self.saved = self.peer.disk

    def _write(self, peer: Peer) -> None:
        if peer is self.peer and (unsaved := peer.table.unsaved()) is not None:
            self.pieces.append(unsaved)
            peer.disk = unsaved.onto(peer.disk)
        elif peer is not self.peer:
            Lan._write(self.lan, peer)


@pytest.fixture(scope="module")
def recorded() -> Recorded:
    return Recorded()


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    made = Journal(tmp_path / "state" / "matches.db")
    yield made
    made.close()


def again(journal: Journal) -> Journal:
    """As another program finds the file."""
    return Journal(journal.path)


def written(pieces: list[Unsaved]) -> int:
    """How far all is committed as the last piece has it in which there was something else to write."""
    return next(piece.committed for piece in reversed(pieces) if piece.records or piece.votes)


def test_what_was_written_in_pieces_is_read_as_a_whole(journal: Journal, recorded: Recorded) -> None:
    assert len(recorded.pieces) > MOVES
    for piece in recorded.pieces:
        journal.write(piece, 4711)
    other = again(journal)
    found = other.read(recorded.match)
    assert replace(found, committed=recorded.saved.committed) == recorded.saved
    assert found.committed == written(recorded.pieces)
    [match] = other.unfinished(recorded.peer.id)
    assert (match.title, match.game, match.name) == ("Ada's table", "rummy-test", recorded.peer.name)
    assert (match.players, match.hand, match.port) == (("Ada", "Bea", "Cem"), 1, 4711)
    assert match.records == len(recorded.saved.records)
    assert other.unfinished(bytes(32)) == ()
    other.close()


@pytest.mark.skipif(os.name != "posix", reason="modes are a matter of POSIX")
def test_nobody_else_may_read_it(journal: Journal, recorded: Recorded) -> None:
    before = os.umask(0)
    try:
        journal.write(recorded.pieces[0])
    finally:
        os.umask(before)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in journal.path.parent.iterdir()}
    assert set(modes.values()) == {0o600}
    assert journal.path.name in modes


def test_records_that_a_new_host_does_not_have_go_away(journal: Journal, recorded: Recorded) -> None:
    for piece in recorded.pieces:
        journal.write(piece)
    saved = again(journal).read(recorded.match)
    last = recorded.pieces[-1]
    journal.write(replace(last, kept=5, records=saved.records[7:8], votes=saved.votes[:1], committed=5))
    found = again(journal).read(recorded.match)
    assert found.records == (*saved.records[:5], saved.records[7])
    assert (found.votes, found.committed) == ((*saved.votes, saved.votes[0]), 5)


def test_a_match_that_is_over_is_taken_out_and_others_stay(journal: Journal, recorded: Recorded) -> None:
    journal.write(recorded.pieces[0])
    journal.write(replace(recorded.pieces[0], match=b"2" * 32))
    journal.forget(recorded.match)
    journal.forget(recorded.match)
    assert [each.match for each in journal.unfinished(recorded.peer.id)] == [b"2" * 32]
    with pytest.raises(StoreError) as caught:
        journal.read(recorded.match)
    assert caught.value.code == "match-damaged"
    assert not list(journal.path.parent.glob(f"{recorded.match.hex()}*"))


def test_nothing_is_made_by_looking(journal: Journal) -> None:
    assert journal.unfinished(bytes(32)) == ()
    journal.forget(bytes(32))
    assert not journal.path.exists()


# ---------------------------------------------------------------- what goes wrong


def test_a_disk_that_is_full_loses_nothing_once_there_is_room(journal: Journal, recorded: Recorded) -> None:
    first, *rest = recorded.pieces
    journal.write(first)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
    try:
        for piece in rest[:-1]:
            with pytest.raises(StoreError):
                journal.write(piece)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    journal.write(rest[-1])
    assert again(journal).read(recorded.match) == recorded.saved


@pytest.mark.parametrize(
    ("number", "code"),
    [(sqlite3.SQLITE_FULL, "disk-full"), (sqlite3.SQLITE_READONLY, "no-permission"), (1, "store-failed")],
)
def test_why_it_cannot_be_written_is_a_sentence(
    number: int, code: str, journal: Journal, recorded: Recorded, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_db: sqlite3.Connection) -> None:
        error = sqlite3.OperationalError("as the system says")
        error.sqlite_errorcode = number
        raise error

    monkeypatch.setattr(journal, "_prepare", fail)
    with pytest.raises(StoreError) as caught:
        journal.write(recorded.pieces[0])
    assert (caught.value.code, str(journal.path) in str(caught.value)) == (code, True)


def test_a_folder_that_cannot_be_used_is_a_sentence(tmp_path: Path, recorded: Recorded) -> None:
    (tmp_path / "state").write_text("a file", "utf-8")
    with pytest.raises(StoreError, match="could not be used"):
        Journal(tmp_path / "state" / "matches.db").write(recorded.pieces[0])


def test_a_damaged_file_is_set_aside_and_the_match_that_is_played_is_written_anew(
    journal: Journal, recorded: Recorded
) -> None:
    *pieces, last = [piece for piece in recorded.pieces if piece.records or piece.votes]
    for piece in pieces:
        journal.write(piece)
    assert journal._db is not None
    journal._db.close()
    journal._db = None
    for part in journal.path.parent.glob("matches.db-*"):
        part.unlink()
    journal.path.write_bytes(b"no database at all " * 100)
    with pytest.raises(StoreError) as caught:
        journal.write(last)
    assert caught.value.code == "journal-set-aside"
    assert journal.path.with_name("matches.broken.db").exists()
    assert again(journal).read(recorded.match) == replace(recorded.saved, committed=last.committed)


def test_a_file_of_the_first_version_is_read_and_gone_on_with(journal: Journal, recorded: Recorded) -> None:
    pieces = [piece for piece in recorded.pieces if piece.records or piece.votes]
    journal.write(pieces[0], 4711)
    journal.close()
    db = sqlite3.connect(journal.path, isolation_level=None)
    db.execute("DROP TABLE place")
    db.execute("PRAGMA user_version = 1")
    db.close()
    later = again(journal)
    assert [match.port for match in later.unfinished(recorded.peer.id)] == [4711]
    assert later.read(recorded.match).committed == pieces[0].committed
    for piece in pieces[1:]:
        later.write(piece, 4712)
    assert [match.port for match in later.unfinished(recorded.peer.id)] == [4712]
    assert later.read(recorded.match).committed == pieces[-1].committed
    later.close()


@pytest.mark.parametrize("place", range(0, 100, 7))
def test_a_byte_that_has_changed_never_comes_back_as_something_else(
    place: int, journal: Journal, recorded: Recorded
) -> None:
    for piece in recorded.pieces:
        journal.write(piece)
    journal.close()
    data = bytearray(journal.path.read_bytes())
    data[len(data) * place // 100] ^= 1
    journal.path.write_bytes(data)
    try:
        found, code = again(journal).read(recorded.match).records, ""
    except StoreError as error:
        found, code = (), error.code
    assert code or found == recorded.saved.records
    assert code in ("", "journal-set-aside", "match-damaged")


def test_a_file_of_a_newer_version_is_left_alone(journal: Journal, recorded: Recorded) -> None:
    journal.write(recorded.pieces[0])
    journal.close()
    db = sqlite3.connect(journal.path)
    db.execute(f"PRAGMA user_version = {VERSION + 1}")
    db.close()
    with pytest.raises(StoreError) as caught:
        again(journal).unfinished(recorded.peer.id)
    assert caught.value.code == "journal-newer"


# ---------------------------------------------------------------- several programs


def test_two_programs_with_one_folder_write_beside_each_other(journal: Journal, recorded: Recorded) -> None:
    other = again(journal)
    for piece in recorded.pieces:
        journal.write(piece)
        other.write(replace(piece, match=b"2" * 32))
    for match in (recorded.match, b"2" * 32):
        found = again(journal).read(match)
        assert replace(found, committed=recorded.saved.committed) == recorded.saved
    other.close()


def test_a_program_that_holds_the_file_too_long_is_told(
    journal: Journal, recorded: Recorded, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_module, "PATIENCE", 0.05)
    journal.write(recorded.pieces[0])
    rude = sqlite3.connect(journal.path, isolation_level=None)
    rude.execute("BEGIN IMMEDIATE")
    other = again(journal)
    with pytest.raises(StoreError) as caught:
        other.write(replace(recorded.pieces[0], match=b"2" * 32))
    assert caught.value.code == "journal-busy"
    rude.close()
    other.write(replace(recorded.pieces[1], match=b"2" * 32, kept=len(recorded.pieces[0].records)))
    assert len(other.unfinished(recorded.peer.id)) == 2
    other.close()


def test_no_match_is_played_by_two_programs_at_once(journal: Journal, recorded: Recorded) -> None:
    journal.write(recorded.pieces[0])
    other = again(journal)
    for _ in range(2):
        with pytest.raises(StoreError) as caught:
            other.claim(recorded.match)
        assert caught.value.code == "match-in-play"
    journal.close()
    other.claim(recorded.match)
    other.claim(recorded.match)
    other.close()


CLAIM = """
import sys
from pathlib import Path
from rummy_p2p.journal import Journal
journal = Journal(Path(sys.argv[1]))
journal.claim(bytes(32))
print("claimed", flush=True)
sys.stdin.read()
"""


def test_the_match_of_a_program_that_was_killed_is_free(journal: Journal) -> None:
    command = [sys.executable, "-c", CLAIM, str(journal.path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "claimed\n"
        with pytest.raises(StoreError, match="another program of yours"):
            journal.claim(bytes(32))
        process.kill()
        process.wait()
    journal.claim(bytes(32))


# ---------------------------------------------------------------- old matches


def begun(journal: Journal, recorded: Recorded, name: int, at: float, monkeypatch: pytest.MonkeyPatch) -> bytes:
    """Write a match down as if at some time, and leave it."""
    match = name.to_bytes(32, "big")
    monkeypatch.setattr("rummy_p2p.journal.time.time", lambda: at)
    journal.write(replace(recorded.pieces[0], match=match))
    journal.release(match)
    return match


def kept(journal: Journal, recorded: Recorded) -> set[bytes]:
    return {each.match for each in journal.unfinished(recorded.peer.id)}


def test_when_a_match_begins_the_latest_stay_and_the_others_go(
    journal: Journal, recorded: Recorded, monkeypatch: pytest.MonkeyPatch
) -> None:
    matches = [begun(journal, recorded, number, 1000.0 + number, monkeypatch) for number in range(KEPT_MATCHES + 3)]
    assert journal.prune(matches[-1]) == (matches[2], matches[1], matches[0])
    assert kept(journal, recorded) == set(matches[3:])
    assert journal.prune(matches[-1]) == ()
    assert not list(journal.path.parent.glob(f"{matches[0].hex()}*"))
    with pytest.raises(StoreError):
        journal.read(matches[0])


def test_when_a_match_begins_what_has_lain_for_too_long_goes(
    journal: Journal, recorded: Recorded, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = begun(journal, recorded, 1, 1000.0, monkeypatch)
    young = begun(journal, recorded, 2, 1002.0, monkeypatch)
    new = begun(journal, recorded, 3, 1001.0 + KEPT_FOR, monkeypatch)
    assert journal.prune(new) == (old,)
    assert kept(journal, recorded) == {young, new}


def test_a_match_that_is_being_played_stays_however_old_it_looks(
    journal: Journal, recorded: Recorded, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = begun(journal, recorded, 1, 1000.0, monkeypatch)
    theirs = begun(journal, recorded, 2, 1000.0, monkeypatch)
    journal.claim(mine)
    other = again(journal)
    other.claim(theirs)
    new = begun(journal, recorded, 3, 2000.0 + KEPT_FOR, monkeypatch)
    assert journal.prune(new) == ()
    other.close()
    assert journal.prune(new) == (theirs,)
    monkeypatch.setattr("rummy_p2p.journal.time.time", lambda: 9000.0 + 2 * KEPT_FOR)
    assert journal.prune(new) == ()
    assert kept(journal, recorded) == {mine, new}


# ---------------------------------------------------------------- several threads


def test_threads_wait_for_each_other(journal: Journal, recorded: Recorded) -> None:
    with ThreadPoolExecutor(1) as other:
        for piece in recorded.pieces:
            other.submit(journal.write, piece).result()
        assert kept(journal, recorded) == {recorded.match}
        with journal.lock:
            waiting = other.submit(journal.read, recorded.match)
            with pytest.raises(TimeoutError):
                waiting.result(timeout=0.05)
        assert len(waiting.result().records) == len(recorded.saved.records)
        journal.forget(recorded.match)
        assert other.submit(journal.unfinished, recorded.peer.id).result() == ()
