"""The matches that are not over, on the disk: what a program has to find again when it is started anew.

Laws of this file
* What a session gives to be written down (`Unsaved`) is on the disk, as a whole or not at all, when `write` returns:
  one transaction, flushed. How far all is committed is written along with what comes next; what is lost of that is
  found out again from the others.
* What could not be written is not lost: the next `write` of that match writes all of it.
* A damaged file is set aside and said, and a new one begun. Whatever fails is a StoreError: one sentence and a code.
* Matches to which nobody came back go when another begins (`prune`): all but the latest `KEPT_MATCHES`, and those that
  have lain for `KEPT_FOR` seconds.
* Several programs may use one file: they wait for each other, and no match is played by two of them at once (`claim`).
* The file belongs to this player alone (0600). It holds what was said at the table, no secrets of a hand.
* Any thread may call anything here; while one does, the others wait.
"""

import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from threading import RLock
from typing import Concatenate, Final, NamedTuple, ParamSpec, TypeVar

import msgspec

from rummy_p2p.protocol.codec import pack
from rummy_p2p.protocol.disk import Saved, Unsaved
from rummy_p2p.protocol.errors import RemoteProtocolError
from rummy_p2p.protocol.messages import (
    Draft,
    Ordered,
    Signed,
    Start,
    read,
    read_packed,
    read_table,
)
from rummy_p2p.protocol.roster import name_seats
from rummy_p2p.store import StoreError

P = ParamSpec("P")
R = TypeVar("R")

PATIENCE: Final = 2.0  # for another program that is writing
KEPT_MATCHES: Final = 20
KEPT_FOR: Final = 30 * 24 * 3600.0
VERSION: Final = 2
_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS match (
    id BLOB PRIMARY KEY, info BLOB NOT NULL, start BLOB NOT NULL, committed INTEGER NOT NULL, port INTEGER NOT NULL,
    at REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS place (
    match BLOB PRIMARY KEY, committed INTEGER NOT NULL, port INTEGER NOT NULL, at REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS record (
    match BLOB NOT NULL, seq INTEGER NOT NULL, record BLOB NOT NULL, PRIMARY KEY (match, seq)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS vote (
    match BLOB NOT NULL, number INTEGER NOT NULL, vote BLOB NOT NULL, PRIMARY KEY (match, number)
) WITHOUT ROWID;
"""
# What changes with every record lies by itself: to write rules and seats anew each time took twice as long.
_ROWS: Final = """
SELECT id, info, start, coalesce(place.committed, match.committed), coalesce(place.port, match.port),
    coalesce(place.at, match.at) AS latest FROM match LEFT JOIN place ON place.match = id
"""
_FORGET: Final = (
    "DELETE FROM match WHERE id = ?",
    "DELETE FROM place WHERE match = ?",
    "DELETE FROM record WHERE match = ?",
    "DELETE FROM vote WHERE match = ?",
)
_PARTS: Final = ("", "-wal", "-shm")
_DAMAGED: Final = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_CODES: Final = {
    sqlite3.SQLITE_FULL: "disk-full",
    sqlite3.SQLITE_BUSY: "journal-busy",
    sqlite3.SQLITE_LOCKED: "journal-busy",
    **dict.fromkeys((sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH), "no-permission"),
}


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A match that is not over, for a list: when it was last written to (Unix time), and how far it is."""

    match: bytes
    title: str
    game: str
    name: str
    players: tuple[str, ...]
    hand: int
    records: int
    at: float
    port: int


class _DamagedError(sqlite3.Error):
    """The file is not as it was written."""


class _Rules(msgspec.Struct, frozen=True):
    """The one name in a canonical form that is listed."""

    game: str


class _Row(NamedTuple):
    match: bytes
    info: bytes
    start: bytes
    committed: int
    port: int
    at: float


class _Whole:
    """All that has been given to be written of one match, in case the file has to be written anew."""

    def __init__(self, match: bytes, info: Signed, start: Signed) -> None:
        self.match, self.info, self.start = match, info, start
        self.records: list[Signed] = []
        self.votes: list[Signed] = []
        self.behind = True

    def take(self, unsaved: Unsaved) -> None:
        self.records[unsaved.kept :] = unsaved.records
        self.votes += unsaved.votes

    def again(self, committed: int) -> Unsaved:
        votes, records = tuple(self.votes), tuple(self.records)
        return Unsaved(self.info, self.start, records, votes, committed, self.match, kept=0)


def _alone(method: "Callable[Concatenate[Journal, P], R]") -> "Callable[Concatenate[Journal, P], R]":
    """Let no other thread use the journal meanwhile."""

    @wraps(method)
    def guarded(journal: "Journal", /, *args: P.args, **kwargs: P.kwargs) -> R:
        with journal.lock:
            return method(journal, *args, **kwargs)

    return guarded


class Journal:
    """The file of one installation."""

    def __init__(self, path: Path) -> None:
        """Nothing is opened before it is needed."""
        self.path = path
        self._db: sqlite3.Connection | None = None
        self._whole: _Whole | None = None
        self._locks: dict[bytes, sqlite3.Connection] = {}
        self.lock = RLock()

    # -- while a match is played

    @_alone
    def write(self, unsaved: Unsaved, port: int = 0) -> None:
        """Write down; ``port``: where this program listens. After a StoreError go on: the next call makes up for it."""
        whole = self._whole
        if whole is None or whole.match != unsaved.match:
            whole = self._whole = _Whole(unsaved.match, unsaved.info, unsaved.start)
            with suppress(StoreError):  # a new match is nobody else's
                self.claim(unsaved.match)
        if not (whole.behind or unsaved.records or unsaved.votes) and unsaved.kept == len(whole.records):
            return
        whole.take(unsaved)
        try:
            self._bring_up(whole, unsaved, port)
        except StoreError as error:
            whole.behind = True
            if error.code == "journal-set-aside":
                self._bring_up(whole, unsaved, port)
            raise

    def _bring_up(self, whole: _Whole, unsaved: Unsaved, port: int) -> None:
        """Add what is new; all of it when the file does not hold the rest."""
        if whole.behind:
            self._write(whole.again(unsaved.committed), 0, port, anew=True)
            whole.behind = False
        else:
            self._write(unsaved, len(whole.votes) - len(unsaved.votes), port)

    def _write(self, unsaved: Unsaved, votes: int, port: int, *, anew: bool = False) -> None:
        """Replace the records behind the ``kept`` first, and the votes behind so many; ``anew``: what is told of the
        match itself as well.
        """
        match, place = unsaved.match, (unsaved.committed, port, time.time())
        records = [(match, seq, pack(record)) for seq, record in enumerate(unsaved.records, unsaved.kept + 1)]
        cast = [(match, number, pack(vote)) for number, vote in enumerate(unsaved.votes, votes)]
        with self._change() as db:
            if anew:
                row = (match, pack(unsaved.info), pack(unsaved.start), *place)
                db.execute("INSERT OR REPLACE INTO match VALUES (?, ?, ?, ?, ?, ?)", row)
            db.execute("INSERT OR REPLACE INTO place VALUES (?, ?, ?, ?)", (match, *place))
            db.execute("DELETE FROM record WHERE match = ? AND seq > ?", (match, unsaved.kept))
            db.execute("DELETE FROM vote WHERE match = ? AND number >= ?", (match, votes))
            db.executemany("INSERT INTO record VALUES (?, ?, ?)", records)
            db.executemany("INSERT INTO vote VALUES (?, ?, ?)", cast)

    @_alone
    def forget(self, match: bytes) -> None:
        """A match is over, or its seats were given up: take it out."""
        if self._whole is not None and self._whole.match == match:
            self._whole = None
        self._forget(match)

    def _forget(self, *matches: bytes) -> None:
        for match in matches:
            self.release(match)
            with self._told():
                self._lock_file(match).unlink(missing_ok=True)
        if not matches or not self._exists():
            return
        with self._change() as db:
            for statement in _FORGET:
                db.executemany(statement, [(match,) for match in matches])

    @_alone
    def prune(self, match: bytes) -> tuple[bytes, ...]:
        """A match has begun: take out those that are too old or too many, but none that is played; which they were."""
        with self._query() as db:
            rows = [_Row(*row) for row in db.execute(f"{_ROWS} ORDER BY latest DESC, id")]
        others, oldest = [row for row in rows if row.match != match], time.time() - KEPT_FOR
        old = [row.match for at, row in enumerate(others, 2) if at > KEPT_MATCHES or row.at < oldest]
        gone = tuple(each for each in old if self._is_free(each))
        self._forget(*gone)
        return gone

    def _is_free(self, match: bytes) -> bool:
        """Whether no program plays a match, this one included."""
        if match in self._locks:
            return False
        try:
            self.claim(match)
        except StoreError:
            return False
        self.release(match)
        return True

    # -- when one comes back

    @_alone
    def unfinished(self, me: bytes) -> tuple[Unfinished, ...]:
        """The matches in which a peer plays, the latest first; one that cannot be read is left out."""
        if not self._exists():
            return ()
        with self._query() as db:
            rows = [_Row(*row) for row in db.execute(f"{_ROWS} ORDER BY latest DESC, id")]
            lasts = [_last(db, row.match) for row in rows]
        found = [_described(row, last, me) for row, last in zip(rows, lasts, strict=True)]
        return tuple(each for each in found if each is not None)

    @_alone
    def read(self, match: bytes) -> Saved:
        """What was written down of a match. What it is, is checked by whoever goes on with it."""
        with self._query() as db:
            rows = [_Row(*row) for row in db.execute(f"{_ROWS} WHERE id = ?", (match,))]
            records = db.execute("SELECT record, seq FROM record WHERE match = ? ORDER BY seq", (match,)).fetchall()
            votes = db.execute("SELECT vote FROM vote WHERE match = ? ORDER BY number", (match,)).fetchall()
        if not rows or [seq for _, seq in records] != list(range(1, len(records) + 1)):
            raise StoreError("match-damaged", path=self.path)
        try:
            info, start = read_packed(rows[0].info), read_packed(rows[0].start)
            kept = tuple(read_packed(record) for record, _ in records)
            saved = Saved(info, start, kept, tuple(read_packed(vote) for (vote,) in votes), rows[0].committed)
        except RemoteProtocolError as error:
            raise StoreError("match-damaged", path=self.path) from error
        self._whole = whole = _Whole(match, info, start)
        whole.records, whole.votes, whole.behind = list(saved.records), list(saved.votes), False
        return saved

    @_alone
    def claim(self, match: bytes) -> None:
        """Let no other program play this match as long as this one runs; StoreError ``match-in-play`` if one does."""
        if match in self._locks:
            return
        path = self._lock_file(match)
        self._make(path)
        lock = sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False)
        try:
            lock.execute("BEGIN EXCLUSIVE")  # goes with the program, however that ends
        except sqlite3.Error as error:
            lock.close()
            raise StoreError("match-in-play") from error
        self._locks[match] = lock

    @_alone
    def release(self, match: bytes) -> None:
        """This program plays it no longer."""
        if (lock := self._locks.pop(match, None)) is not None:
            lock.close()

    @_alone
    def close(self) -> None:
        """Let go of all files."""
        for match in list(self._locks):
            self.release(match)
        if self._db is not None:
            self._db.close()
            self._db = None

    # -- the file

    def _lock_file(self, match: bytes) -> Path:
        return self.path.with_name(f"{match.hex()}.playing")

    def _exists(self) -> bool:
        with self._told():
            return self.path.exists()

    def _make(self, path: Path) -> None:
        """A file that nobody else may read; one that is there is not touched, for closing it would end its locks."""
        with self._told():
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not path.exists():
                with suppress(FileExistsError):
                    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))

    @contextmanager
    def _change(self) -> Iterator[sqlite3.Connection]:
        """One transaction, on the disk afterwards."""
        with self._query() as db:
            db.execute("BEGIN IMMEDIATE")
            try:
                yield db
                db.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):
                    db.execute("ROLLBACK")
                raise

    @contextmanager
    def _query(self) -> Iterator[sqlite3.Connection]:
        """The open file; what goes wrong with it becomes a sentence, and damage a new file."""
        try:
            yield self._opened()
        except sqlite3.Error as error:
            number = getattr(error, "sqlite_errorcode", 0) & 0xFF
            if number in _DAMAGED or isinstance(error, _DamagedError):
                raise self._set_aside() from error
            code = _CODES.get(number, "store-failed")
            raise StoreError(code, path=self.path, why=error) from error

    def _opened(self) -> sqlite3.Connection:
        if self._db is None:
            self._make(self.path)
            db = sqlite3.connect(self.path, timeout=PATIENCE, isolation_level=None, check_same_thread=False)
            try:
                self._prepare(db)
            except BaseException:
                db.close()
                raise
            self._db = db
        return self._db

    def _prepare(self, db: sqlite3.Connection) -> None:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        if db.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
            raise _DamagedError
        [version] = db.execute("PRAGMA user_version").fetchone()
        if version > VERSION:
            raise StoreError("journal-newer", path=self.path)
        if version < VERSION:
            db.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} PRAGMA user_version = {VERSION}; COMMIT;")

    def _set_aside(self) -> StoreError:
        """Keep a damaged file under another name; the error to raise for it."""
        if self._db is not None:
            self._db.close()
            self._db = None
        aside = self.path.with_name(f"{self.path.stem}.broken{self.path.suffix}")
        with self._told():
            for part in _PARTS:
                old = self.path.with_name(self.path.name + part)
                if old.exists():
                    old.replace(aside.with_name(aside.name + part))
        return StoreError("journal-set-aside", aside=aside)

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            code = "no-permission" if isinstance(error, PermissionError) else "store-failed"
            raise StoreError(code, path=self.path, why=error.strerror or error) from error


# ---------------------------------------------------------------- for a list


def _last(db: sqlite3.Connection, match: bytes) -> tuple[int, bytes]:
    """Return how many records there are of a match, and the last of them."""
    query = "SELECT seq, record FROM record WHERE match = ? ORDER BY seq DESC LIMIT 1"
    found: tuple[int, bytes] | None = db.execute(query, (match,)).fetchone()
    return found or (0, b"")


def _described(row: _Row, last: tuple[int, bytes], me: bytes) -> Unfinished | None:
    """Return a row for a list; None when it cannot be read, or is none of this player's matches."""
    try:
        info, start = read_table(read_packed(row.info)), read(read_packed(row.start))
        hand = _hand(last[1])
        game = "" if info is None else msgspec.json.decode(info.rules, type=_Rules).game
    except (RemoteProtocolError, msgspec.DecodeError):
        return None
    seats = name_seats(start.seats) if isinstance(start, Start) else ()
    own = [seat.name for seat in seats if seat.owner == me]
    if info is None or not own:
        return None
    names = tuple(seat.name for seat in seats)
    return Unfinished(row.match, info.title, game, own[0], names, hand, last[0], row.at, row.port)


def _hand(record: bytes) -> int:
    """Return the number of the hand to which a record belongs."""
    ordered = read(read_packed(record)) if record else None
    draft = read(read_packed(ordered.draft)) if isinstance(ordered, Ordered) else None
    return draft.hand if isinstance(draft, Draft) else 0
