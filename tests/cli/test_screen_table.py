"""What is counted at a table, and that whoever leaves gets away."""

from __future__ import annotations

import asyncio
import json
from contextlib import closing
from pathlib import Path

import pytest

from rummy_p2p.bots import LEVELS
from rummy_p2p.cli.screen_table import LobbyTable, Seats, Tally
from rummy_p2p.engine import NOBODY
from rummy_p2p.engine import events as ev
from rummy_p2p.journal import Journal
from rummy_p2p.sentences.screen import EndedEarly
from rummy_p2p.statistics import Played, Statistics
from rummy_p2p.store import Paths
from rummy_p2p.ui.form import Plan
from rummy_p2p.ui.score_room import ScoreRoom
from tests.cli.tables import title
from tests.cli.test_screen_lan import Guestroom, scene
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


# --- from the lobby to a table and back ------------------------------------------------------------------------------


async def seated(ada: Guestroom) -> LobbyTable:
    """Ada sits at a table on the network with a bot of hers, and the match has begun."""
    ada.lan.open(Plan("rummy-no", title=title(), seats=2, bots=1, wish="always"))
    await ada.until(lambda: ada.lan.sitting() is not None and not ada.sitting.why)
    ada.lan.start()
    await ada.until(lambda: isinstance(ada.screen.room, LobbyTable))
    table = ada.screen.room
    assert isinstance(table, LobbyTable)
    return table


def work_of(table: str) -> set[str]:
    return {task.get_name() for task in asyncio.all_tasks() if task.get_name().startswith(table)}


def watching(ada: Guestroom) -> set[str]:
    """Who of a table is told whenever something happens on the network."""
    names = {getattr(call, "__qualname__", "") for call in ada.peer._watchers}
    return names & {"TableRoom.look", "BotPlayer._wake"}


def votes(ada: Guestroom, folder: Path) -> object:
    return json.loads((Paths.of(folder / ada.peer.nick).state / "votes.json").read_text("utf-8"))


def vote(ada: Guestroom, table: LobbyTable, number: str) -> None:
    """A hand has been counted, and the player says how fun the rules are."""
    table.hear(ev.Scored((0, 12), ((), ()), 0))
    assert isinstance(ada.screen.room, ScoreRoom)
    ada.screen.press(number)


def test_a_vote_is_kept_for_a_table_of_the_lobby_and_for_practice(tmp_path: Path) -> None:
    async def play(ada: Guestroom) -> None:
        table = await seated(ada)
        vote(ada, table, "4")
        assert votes(ada, tmp_path) == {"rummy-no": 4}
        table.end()
        ada.lan.practice(Plan("rummy-no", seats=2))
        alone = ada.screen.room
        assert isinstance(alone, LobbyTable)
        vote(ada, alone, "2")
        assert votes(ada, tmp_path) == {"rummy-no": 2}
        alone.end()

    scene(tmp_path, ("Ada",), play)


def test_whoever_leaves_a_table_leaves_no_work_behind(tmp_path: Path) -> None:
    async def play(ada: Guestroom) -> None:
        table = await seated(ada)
        assert work_of("table-") == {"table-listen", "table-clock"}
        assert watching(ada) == {"TableRoom.look", "BotPlayer._wake"}
        table.end()
        async with asyncio.timeout(10):
            while work_of("table-"):  # noqa: ASYNC110 -- they end as soon as the loop comes to them
                await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert watching(ada) == set()
        assert ada.lan.sitting() is None
        again = await seated(ada)
        assert watching(ada) == {"TableRoom.look", "BotPlayer._wake"}
        again.end()

    scene(tmp_path, ("Ada",), play)


def test_the_bots_stop_with_the_table_however_it_ends(tmp_path: Path) -> None:
    async def play(ada: Guestroom) -> None:
        await seated(ada)
        listening = next(task for task in asyncio.all_tasks() if task.get_name() == "table-listen")
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)
        await asyncio.sleep(0)
        assert watching(ada) == set()

    scene(tmp_path, ("Ada",), play)


def own_moves(table: LobbyTable) -> int:
    return sum(line.startswith("You ") for line in table.state.log)


def test_a_bot_plays_on_a_players_own_seat_until_it_is_taken_back(tmp_path: Path) -> None:
    async def play(ada: Guestroom) -> None:
        table = await seated(ada)
        table.hand_over()
        before = own_moves(table)
        await ada.until(lambda: own_moves(table) > before + 1)
        table.take_back()
        assert ada.lan._seats._bots is not None  # of the other seat
        table.end()
        assert ada.lan._seats._bots is None

    scene(tmp_path, ("Ada",), play)


def test_suspend_leaves_the_room_and_keeps_the_seat(tmp_path: Path) -> None:
    async def play(ada: Guestroom) -> None:
        with closing(Journal(ada.files.journal_file)) as journal:
            ada.peer.keeper.journal, ada.peer.keeper.book = journal, ada.files
            table = await seated(ada)
            session = ada.peer.session
            assert session is not None
            table.typed("suspend")
            await ada.until(lambda: ada.screen.room is ada.room)
            assert ada.peer.session is None
            assert ada.screen.noted.startswith("Your seat and your cards are kept")
            assert session.match is not None
            assert not session.match.is_over
            assert [kept.match for kept in journal.unfinished(ada.peer.identity.player_id)] == [session.match.id]

    scene(tmp_path, ("Ada",), play)


def test_without_a_disk_nothing_is_suspended(tmp_path: Path) -> None:
    async def play(ada: Guestroom) -> None:
        table = await seated(ada)
        table.typed("suspend")
        await ada.until(lambda: "could be kept" in ada.screen.noted)
        assert ada.screen.room is table
        table.end()

    scene(tmp_path, ("Ada",), play)


def test_a_match_that_was_claimed_is_kept_and_what_one_looks_on_at_is_not(tmp_path: Path) -> None:
    statistics = Statistics(Paths.of(tmp_path))
    Tally(statistics, lambda: played([]), lambda: NOBODY).hear(ev.Scored((5, 0), ((), ()), 0))
    assert statistics.totals() == ()
    Tally(statistics, lambda: played([]), lambda: 0).hear(EndedEarly("Bea was gone.", winners=(0,)))
    [total] = statistics.totals()
    assert (total.matches, total.finished, total.won, total.hands) == (1, 1, 1, 0)
