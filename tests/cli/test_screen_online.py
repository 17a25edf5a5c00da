"""The network under the lobby: the matches that are kept become its rows."""

from __future__ import annotations

import sqlite3
from argparse import Namespace
from pathlib import Path

import pytest

from rummy_p2p import journal
from rummy_p2p.cli import screen_online
from rummy_p2p.store import Paths, Store
from tests.ui.lobby import make_screen


def test_matches_that_are_kept_become_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = journal.Unfinished(b"\xab" * 32, "Thursday", "gin", "Ada", ("Ada", "Bea"), 3, 90, 1_700_000_000.0, 4711)
    monkeypatch.setattr(screen_online, "kept_matches", lambda _options: (kept,))
    screen = make_screen()
    [row] = screen_online.kept_rows(Namespace(data=str(tmp_path)), screen)
    assert (row.id, row.title, row.players, row.hand) == ("ab" * 32, "Thursday", ("Ada", "Bea"), 3)
    assert row.when.startswith("2023-11-1")
    assert screen.noted == ""


def test_matches_that_cannot_be_read_are_told_of_and_hinder_nothing(tmp_path: Path) -> None:
    files = Store(Paths.of(tmp_path))
    files.journal_file.parent.mkdir(parents=True, exist_ok=True)
    with sqlite3.connect(files.journal_file) as file:
        file.execute("PRAGMA user_version = 99")
    file.close()
    screen = make_screen()
    assert screen_online.kept_rows(Namespace(data=str(tmp_path)), screen) == ()
    assert str(files.journal_file.name) in screen.noted
