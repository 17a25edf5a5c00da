"""What is counted at a table, and that whoever leaves gets away."""

from __future__ import annotations

from pathlib import Path

import pytest

from rummy_p2p.bots import LEVELS
from rummy_p2p.cli.screen_table import Seats, Tally
from rummy_p2p.engine import events as ev
from rummy_p2p.statistics import Played, Statistics
from rummy_p2p.store import Paths
from tests.ui.lobby import make_screen


def played(tally: list[Tally]) -> Played:
    return Played(f"m-{tally[0].ended if tally else 0}", "gin", (), ("Ada", "Bot"), 1)


def test_hands_and_matches_are_counted_and_a_rematch_is_another(tmp_path: Path) -> None:
    statistics = Statistics(Paths.of(tmp_path))
    found: list[Tally] = []
    tally = Tally(statistics, lambda: played(found), lambda: 0)
    found.append(tally)
    for event in (
        ev.Scored((25, 0), ((), ()), 0),
        ev.Turn(0),
        ev.Scored((0, 10), ((), ()), 1),
        ev.MatchEnded((0,), (25, 10)),
        ev.Scored((5, 0), ((), ()), 0),
        "a line",
    ):
        tally.hear(event)
    [total] = statistics.totals()
    assert (total.matches, total.finished, total.won, total.hands, total.hands_won, total.points) == (2, 1, 1, 3, 2, 30)


def test_statistics_that_cannot_be_written_stop_nothing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "state").write_text("in the way", encoding="utf-8")
    Tally(Statistics(Paths.of(tmp_path)), lambda: played([]), lambda: 0).hear(ev.Scored((5, 0), ((), ()), 0))
    assert "cannot be used" in caplog.text


class BrokenPeer:
    """A peer at a table that fails when it is left."""

    def __init__(self) -> None:
        self.rises = 0

    def rise(self) -> None:
        self.rises += 1
        if self.rises == 1:
            raise IndexError("list index out of range")


def test_a_broken_table_can_be_left(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    peer = BrokenPeer()
    seats = Seats(peer, make_screen(), Statistics(Paths.of(tmp_path)), LEVELS, lambda: None)  # type: ignore[arg-type]  # broken
    seats.rise()
    assert peer.rises == 2
    assert "could not be left as it should" in caplog.text
