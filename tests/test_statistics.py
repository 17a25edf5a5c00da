"""What has been played on this machine."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from rummy_p2p.statistics import Played, Statistics, StatisticsError, Totals
from rummy_p2p.store import Paths


@pytest.fixture
def statistics(tmp_path: Path) -> Statistics:
    return Statistics(Paths.of(tmp_path / "home"))


def match(id: str, game: str = "gin", *, alone: bool = False) -> Played:
    return Played(id, game, ("turn-timer",), ("Ada", "Bea"), 1_700_000_000, alone)


def test_nothing_is_made_before_there_is_something_to_enter(statistics: Statistics) -> None:
    assert statistics.totals() == ()
    assert not statistics.path.parent.exists()


def test_hands_and_matches_are_summed_by_game(statistics: Statistics) -> None:
    statistics.hand(match("a"), 1, 25, won=True)
    statistics.hand(match("a"), 2, 0, won=False)
    statistics.hand(match("a"), 2, 0, won=False)  # told twice
    statistics.over("a", won=True)
    statistics.hand(match("b"), 1, 10, won=False)
    statistics.hand(match("c", "rummy-no"), 1, 7, won=False)
    statistics.over("c", won=False)
    statistics.hand(match("d", alone=True), 1, 5, won=True)
    statistics.over("unknown", won=True)
    assert statistics.totals() == (
        Totals(game="gin", alone=False, matches=2, finished=1, won=1, hands=3, hands_won=1, points=35),
        Totals(game="rummy-no", alone=False, matches=1, finished=1, won=0, hands=1, hands_won=0, points=7),
        Totals(game="gin", alone=True, matches=1, finished=0, won=0, hands=1, hands_won=1, points=5),
    )


def test_readers_do_not_wait_for_writers(statistics: Statistics) -> None:
    statistics.hand(match("a"), 1, 25, won=True)
    with sqlite3.connect(statistics.path) as other:
        assert other.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        other.execute("BEGIN IMMEDIATE")
        assert len(statistics.totals()) == 1
    other.close()


def test_a_file_that_cannot_be_used_is_told(statistics: Statistics) -> None:
    statistics.path.parent.mkdir(parents=True)
    statistics.path.write_bytes(b"this is no database, and it is long enough to be looked at")
    with pytest.raises(StatisticsError, match=r"statistics\.sqlite cannot be used .*Move the file away"):
        statistics.totals()
    with pytest.raises(StatisticsError):
        statistics.hand(match("a"), 1, 25, won=True)


def test_a_file_of_a_newer_version_is_left_alone(statistics: Statistics) -> None:
    statistics.hand(match("a"), 1, 25, won=True)
    with sqlite3.connect(statistics.path) as other:
        other.execute("PRAGMA user_version = 99")
    other.close()
    with pytest.raises(StatisticsError, match="a newer version of the program has written it"):
        statistics.totals()


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("in the way", encoding="utf-8")
    with pytest.raises(StatisticsError, match="cannot be used"):
        Statistics(Paths.of(tmp_path)).hand(match("a"), 1, 25, won=True)


def test_matches_come_with_how_they_ended(statistics: Statistics) -> None:
    for id in ("a", "b"):
        statistics.hand(match(id), 1, 25, won=True)
    statistics.over("a", won=True)
    found = statistics.matches()
    assert [(each.over, each.won) for each in found.values()] == [(True, True), (False, False)]
