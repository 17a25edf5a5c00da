"""What has been played on this machine: hands and matches, won or not, by game. One sqlite file in the store's folder.

The law of the file
    A match is entered once it has a hand that counted; it is the same match as long as its id is. Writers do not wait
    for readers (WAL). A file that cannot be used costs the statistics and nothing else: ``StatisticsError`` has the
    sentence, and whoever plays goes on.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from rummy_p2p.store import Paths

if TYPE_CHECKING:
    import sqlite3

VERSION: Final = 1
PATIENCE: Final = 2.0  # seconds that another program of this player may keep the file locked
_TABLES: Final = """
CREATE TABLE IF NOT EXISTS matches (
    id TEXT PRIMARY KEY, game TEXT NOT NULL, house TEXT NOT NULL, players TEXT NOT NULL, began INTEGER NOT NULL,
    alone INTEGER NOT NULL, over INTEGER NOT NULL DEFAULT 0, won INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE IF NOT EXISTS hands (
    match TEXT NOT NULL REFERENCES matches (id), number INTEGER NOT NULL, points INTEGER NOT NULL, won INTEGER NOT NULL,
    PRIMARY KEY (match, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS matches_by_game ON matches (game);
"""
_MATCHES: Final = "SELECT id, game, house, players, began, alone, over, won FROM matches ORDER BY began"
_TOTALS: Final = """
SELECT m.game, m.alone, COUNT(*), SUM(m.over), SUM(m.won),
       COALESCE(SUM(h.hands), 0), COALESCE(SUM(h.won), 0), COALESCE(SUM(h.points), 0)
FROM matches m
LEFT JOIN (SELECT match, COUNT(*) AS hands, SUM(won) AS won, SUM(points) AS points FROM hands GROUP BY match) h
       ON h.match = m.id
GROUP BY m.game, m.alone ORDER BY m.alone, COUNT(*) DESC, m.game
"""


class StatisticsError(Exception):
    """The file cannot be used; the text is the sentence for the player."""


class Totals(msgspec.Struct, frozen=True):
    """What came of one game; ``alone``: against bots only. ``finished`` of the matches came to their end."""

    game: str
    alone: bool
    matches: int
    finished: int
    won: int
    hands: int
    hands_won: int
    points: int


class Played(msgspec.Struct, frozen=True):
    """A match as it is entered."""

    id: str
    game: str
    house: tuple[str, ...]
    players: tuple[str, ...]
    began: int
    alone: bool = False
    over: bool = False
    won: bool = False


class Statistics:
    """The statistics of one installation; the file is opened for each call, so that nothing is held."""

    def __init__(self, paths: Paths) -> None:
        """Nothing is made before there is something to enter."""
        self.path: Path = paths.state / "statistics.sqlite"

    def hand(self, match: Played, number: int, points: int, *, won: bool) -> None:
        """Enter a hand that was counted; the same hand twice is one."""
        with self._open() as file:
            file.execute(
                "INSERT OR IGNORE INTO matches (id, game, house, players, began, alone) VALUES (?, ?, ?, ?, ?, ?)",
                (match.id, match.game, ";".join(match.house), ", ".join(match.players), match.began, match.alone),
            )
            file.execute("INSERT OR REPLACE INTO hands VALUES (?, ?, ?, ?)", (match.id, number, points, won))

    def over(self, match: str, *, won: bool) -> None:
        """Enter that a match came to its end."""
        with self._open() as file:
            file.execute("UPDATE matches SET over = 1, won = ? WHERE id = ?", (won, match))

    def ended(self, match: Played, *, won: bool) -> None:
        """Enter a match that ended before its time, be it before the first hand was counted."""
        with self._open() as file:
            file.execute(
                "INSERT OR IGNORE INTO matches (id, game, house, players, began, alone) VALUES (?, ?, ?, ?, ?, ?)",
                (match.id, match.game, ";".join(match.house), ", ".join(match.players), match.began, match.alone),
            )
            file.execute("UPDATE matches SET over = 1, won = ? WHERE id = ?", (won, match.id))

    def totals(self) -> tuple[Totals, ...]:
        """Return the sums by game, those with people first."""
        if not self.path.exists():
            return ()
        with self._open() as file:
            return tuple(Totals(row[0], bool(row[1]), *row[2:]) for row in file.execute(_TOTALS))

    def matches(self) -> dict[str, Played]:
        """Return every match that was entered, by its id."""
        if not self.path.exists():
            return {}
        with self._open() as file:
            found = file.execute(_MATCHES)
            return {row[0]: _played(*row) for row in found}

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """Yield the file in a transaction."""
        import sqlite3

        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with closing(sqlite3.connect(self.path, timeout=PATIENCE)) as file, file:
                self._prepare(file)
                yield file
        except (OSError, sqlite3.Error) as error:
            sentence = f"The statistics in {self.path} cannot be used ({error}). Move the file away to begin new ones."
            raise StatisticsError(sentence) from error

    @staticmethod
    def _prepare(file: sqlite3.Connection) -> None:
        from sqlite3 import DatabaseError

        (version,) = file.execute("PRAGMA user_version").fetchone()
        if version > VERSION:
            raise DatabaseError("a newer version of the program has written it")
        if version < VERSION:
            file.execute("PRAGMA journal_mode = WAL")
            file.executescript(_TABLES)
            file.execute(f"PRAGMA user_version = {VERSION}")


def _played(id: str, game: str, house: str, players: str, began: int, *is_so: int) -> Played:
    return Played(id, game, _split(house, ";"), _split(players, ", "), began, *map(bool, is_so))


def _split(text: str, by: str) -> tuple[str, ...]:
    return tuple(part for part in text.split(by) if part)
