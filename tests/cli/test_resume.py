"""Going back to a match: programs that were killed sit in their seats again, with their cards, and all end alike."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from rummy_p2p.cli import OK, USAGE, CommandError, main
from rummy_p2p.cli.demo import Program
from rummy_p2p.cli.kept import choose
from rummy_p2p.journal import Journal, Unfinished
from rummy_p2p.store import Paths, Store
from tests.cli.tables import options, title

ROOT = Path(__file__).parents[2]
PATIENCE = 100
Line = dict[str, Any]


class Table:
    """Real programs at one table on the loopback interface, each with a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.title = title()
        self.started: list[Program] = []

    async def run(self, nick: str, *words: str) -> Program:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "rummy_p2p", *words, "--auto", "normal", "--json", "--nick", nick,
            "--interface", "lo", "--data", str(self.folder / nick), cwd=ROOT,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE, stdin=asyncio.subprocess.DEVNULL,
            env=os.environ | {"PYTHONUNBUFFERED": "1"}, limit=1 << 20,
        )  # fmt: skip
        self.started.append(Program(nick, process))
        return self.started[-1]

    async def sit_down(self, *nicks: str, more: Sequence[str] = ()) -> list[Program]:
        """The first opens a table of so many seats, the others join."""
        words = ["host", "rummy-no", "--title", self.title, "--seats", str(len(nicks)), "--hands", "1"]
        first = await self.run(nicks[0], *words, *more)
        await first.opened.wait()
        return [first, *[await self.run(nick, "join", self.title) for nick in nicks[1:]]]


@asynccontextmanager
async def table(folder: Path) -> AsyncIterator[Table]:
    made = Table(folder)
    try:
        async with asyncio.timeout(PATIENCE):
            yield made
    finally:
        for program in made.started:
            await program.end()


async def until(holds: Callable[[], bool], *programs: Program) -> None:
    """Wait until something holds; looked at whenever one of these programs has said something."""
    while not holds():
        for program in programs:
            assert program.process.returncode in (None, OK), program.errors
            program.heard.clear()
        heard = [asyncio.create_task(program.heard.wait()) for program in programs]
        await asyncio.wait(heard, return_when=asyncio.FIRST_COMPLETED)
        for task in heard:
            task.cancel()


async def moves(program: Program, count: int) -> None:
    await until(lambda: len(program.all("move")) >= count, program)


async def gone(program: Program) -> None:
    program.kill()
    await program.end()


def ended_alike(programs: list[Program]) -> None:
    ends = [program.last("match") for program in programs]
    assert [program.process.returncode for program in programs] == [OK] * len(programs)
    assert len({end["ledger_hash"] for end in ends}) == 1
    assert {hand["audit"] for program in programs for hand in program.all("hand")} == {"ok"}
    assert [program.all("error") for program in programs] == [[]] * len(programs)


def kept(folder: Path, nick: str, capsys: pytest.CaptureFixture[str]) -> list[Line]:
    capsys.readouterr()
    assert main(["resume", "--list", "--json", "--data", str(folder / nick)]) == OK
    found: list[Line] = json.loads(capsys.readouterr().out)["matches"]
    return found


def play(scene: Coroutine[object, object, None]) -> None:
    asyncio.run(scene)


def test_who_comes_back_when_all_is_over_is_told_who_has_won_by_who_is_still_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def scene() -> None:
        async with table(tmp_path) as here:
            programs = await here.sit_down("Ada", "Bea", "Cem", more=("--grace", "1", "--deal", "host"))
            await moves(programs[0], 3)
            lost = next(p for p in programs if p.nick != "Bea" and p.last("open")["id"] != p.last("host").get("id"))
            others = [program for program in programs if program is not lost]
            await gone(lost)
            await asyncio.gather(*(program.listening for program in others))
            elsewhere = await here.run("Bea", "host", "rummy-no", "--title", title(), "--seats", "2")
            await elsewhere.opened.wait()
            back = await here.run(lost.nick, "resume")
            await back.listening
            await gone(elsewhere)
            ended_alike([*others, back])
            assert back.last("match")["winner"] == others[0].last("match")["winner"]
        assert kept(tmp_path, lost.nick, capsys) == []

    play(scene())


def test_the_host_of_three_is_killed_and_sits_down_in_its_seat_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def scene() -> None:
        async with table(tmp_path) as here:
            programs = await here.sit_down("Ada", "Bea", "Cem")
            await moves(programs[0], 3)
            host = next(p for p in programs if p.last("open")["id"] == p.last("host").get("id"))
            others = [program for program in programs if program is not host]
            await gone(host)
            [match] = kept(tmp_path, host.nick, capsys)
            assert (match["title"], match["game"], match["me"], match["hand"]) == (
                here.title, "rummy-no", host.nick, 1,
            )  # fmt: skip
            assert sorted(match["players"]) == ["Ada", "Bea", "Cem"]
            await until(lambda: all(program.last("host")["term"] > 1 for program in others), *others)
            back = await here.run(host.nick, "resume")
            everybody = [*others, back]
            await asyncio.gather(*(program.listening for program in everybody))
            ended_alike(everybody)
            assert back.all("move")
            assert all(end.last("match")["terms"] > 1 for end in everybody)
        assert [kept(tmp_path, nick, capsys) for nick in ("Ada", "Bea", "Cem")] == [[], [], []]

    play(scene())


@pytest.mark.parametrize("deal", ["blind", "host"])
def test_both_programs_of_a_table_are_killed_and_come_back(deal: str, tmp_path: Path) -> None:
    async def scene() -> None:
        async with table(tmp_path) as here:
            words = ["host", "rummy-no", "--title", here.title, "--seats", "2", "--hands", "1", "--deal", deal]
            ada = await here.run("Ada", *words)
            await ada.opened.wait()
            bea = await here.run("Bea", "join", here.title)
            await moves(ada, 3)
            await asyncio.gather(gone(ada), gone(bea))
            back = [await here.run("Bea", "resume"), await here.run("Ada", "resume", here.title)]
            await asyncio.gather(*(program.listening for program in back))
            ended_alike(back)

    play(scene())


@pytest.mark.nightly
@pytest.mark.timeout(240)
def test_the_demo_goes_on_without_its_host(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--json", "--kill-host"]) == OK
    found = json.loads(capfd.readouterr().out)
    assert (found["terms"] > 1, found["ledgers_equal"], found["killed"] in {"Ada", "Bea", "Cem"}) == (True, True, True)
    assert [hand["audit"] for hand in found["hands"]] == ["ok"]


# ---------------------------------------------------------------- which one


def test_without_a_match_there_is_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["--data", str(tmp_path)]
    assert main(["resume", *given]) == USAGE
    assert capsys.readouterr().err.startswith("rummy-p2p: There is no match to go back to.")
    assert main(["resume", "--list", *given]) == OK
    assert capsys.readouterr().out.startswith("There is no match to go back to.")


FOUND = tuple(
    Unfinished(bytes([number]) * 32, name, "rummy-no", "Ada", ("Ada", "Bea"), 1, 9, 0.0, 0)
    for number, name in ((0xAB, "Friday"), (0xCD, "Sunday"))
)


@pytest.mark.parametrize(("wanted", "index"), [(None, 0), ("2", 1), ("sunday", 1), ("cdcd", 1), ("ABAB", 0)])
def test_a_match_is_chosen_by_number_title_or_id(wanted: str | None, index: int) -> None:
    assert choose(FOUND, wanted) is FOUND[index]


@pytest.mark.parametrize("wanted", ["3", "0", "cd", "Monday"])
def test_a_match_that_is_not_kept(wanted: str) -> None:
    with pytest.raises(CommandError, match=f"called {wanted}") as caught:
        choose(FOUND, wanted)
    assert caught.value.exit_code == USAGE


def test_a_damaged_file_is_told_and_the_next_time_all_is_well(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = options(tmp_path, "Ada", "resume")
    file = Store(Paths.of(Path(given.data))).journal_file
    file.parent.mkdir(parents=True)
    file.write_bytes(b"no database at all " * 100)
    assert main(["resume", "--data", given.data]) != OK
    assert "The file of unfinished matches was damaged." in capsys.readouterr().err
    assert main(["resume", "--data", given.data]) == USAGE
    assert Journal(file).unfinished(bytes(32)) == ()
