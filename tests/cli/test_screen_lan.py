"""The network behind the lobby: whole peers on the loopback interface, each with a screen that nobody looks at."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from prompt_toolkit.application.current import set_app

from rummy_p2p.cli.parser import make_parser
from rummy_p2p.cli.screen_lan import ScreenLan
from rummy_p2p.cli.screen_table import LobbyTable
from rummy_p2p.node.peer import Peer
from rummy_p2p.protocol.forming import Guest
from rummy_p2p.protocol.settings import Settings
from rummy_p2p.store import Paths, Store
from rummy_p2p.ui.form import Form, Plan
from rummy_p2p.ui.learn_room import GuideRoom, LearnRoom
from rummy_p2p.ui.lobby_model import Sitting, Unfinished
from rummy_p2p.ui.lobby_room import LobbyRoom
from rummy_p2p.ui.popup import Page
from tests.cli.tables import title
from tests.node.party import RULES, party
from tests.ui.lobby import GAMES, drawn, make_screen

PATIENCE = 20.0


class Guestroom:
    """One player: a peer, the lobby's side of it, a screen."""

    def __init__(self, peer: Peer, folder: Path) -> None:
        self.peer = peer
        self.screen = make_screen()
        self.options = make_parser().parse_args(["--nick", peer.nick, "--data", str(folder / peer.nick)])
        self.options.be_host = "if-needed"
        self.files = Store(Paths.of(folder / peer.nick))
        self.lan = ScreenLan(self.options, peer, self.files, GAMES, self.screen)
        self.room = LobbyRoom(self.screen, self.lan, Form(GAMES, ("normal",)))
        self.screen.enter(self.room)

    @property
    def sitting(self) -> Sitting:
        sitting = self.lan.sitting()
        assert sitting is not None
        return sitting

    @property
    def shown(self) -> str:
        room = self.screen.room
        return "" if room is None else "\n".join(drawn(room).rows())

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until something holds; looked at whenever the lobby is told of a change."""
        changed = asyncio.Event()
        stop = self.lan.watch(changed.set)
        try:
            async with asyncio.timeout(PATIENCE):
                while not holds():
                    changed.clear()
                    await changed.wait()
        finally:
            stop()

    async def close(self) -> None:
        await asyncio.sleep(0)  # what was begun a moment ago begins before it is ended
        self.room.close()
        self.lan.close()
        tasks = list(self.screen._tasks)
        for task in tasks:
            task.cancel()
        for timer in self.screen._timers:
            timer.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@asynccontextmanager
async def guests(folder: Path, *nicks: str) -> AsyncIterator[list[Guestroom]]:
    async with party(*nicks) as made:
        rooms = [Guestroom(peer, folder) for peer in made.peers]
        try:
            yield rooms
        finally:
            for room in rooms:
                await room.close()


def scene(folder: Path, nicks: tuple[str, ...], play: Callable[..., Coroutine[object, object, None]]) -> None:
    async def run() -> None:
        async with guests(folder, *nicks) as rooms:
            await play(*rooms)

    asyncio.run(run())


async def joined(ada: Guestroom, bea: Guestroom) -> None:
    """Ada opens a table for two and Bea sits down."""
    ada.lan.open(Plan("rummy-no", title=title(), seats=2, wish="always"))
    bea.lan.join(ada.peer.address)
    assert bea.lan.busy.startswith("Connecting to rummy://")
    await bea.until(lambda: bea.lan.sitting() is not None)
    await ada.until(lambda: len(ada.sitting.seats) == 2)


def test_at_a_closed_table_the_password_is_asked_for(tmp_path: Path) -> None:
    async def play(ada: Guestroom, bea: Guestroom) -> None:
        words = "kestrel amber lantern"
        ada.lan.open_table(RULES, Settings(title(), 2, password=words), Guest("Ada"), "normal")
        assert ada.sitting.said[-1].endswith(f"which is: {words}")
        with set_app(bea.screen.app):
            bea.lan.join(ada.peer.address)
            await bea.until(lambda: bea.screen.line.is_open)
            assert bea.lan.sitting() is None
            assert "is closed. Its password" in bea.screen.noted
            send = bea.screen.line._send
            bea.screen._entered("  ", send)
            assert not bea.lan.busy
            bea.screen._entered("kestrel amber lamp", send)
            await bea.until(lambda: "That is not the password" in f"{bea.screen.noted} {bea.shown}")
            await bea.until(lambda: not bea.lan.busy)
            bea.screen._entered("Kestrel Amber Lantern", send)
            await bea.until(lambda: bea.lan.sitting() is not None)

    scene(tmp_path, ("Ada", "Bea"), play)


def test_two_sit_down_talk_are_ready_and_play(tmp_path: Path) -> None:
    async def play(ada: Guestroom, bea: Guestroom) -> None:
        await joined(ada, bea)
        assert (ada.sitting.mine, bea.sitting.mine) == (True, False)
        assert ada.sitting.addresses[1].startswith("rummy-p2p join rummy://127.0.0.1:")
        assert bea.sitting.why == "It starts when everybody is ready and Ada says so."
        assert ada.sitting.why == "Not ready yet: Bea."
        ada.lan.start()
        assert ada.screen.noted == "Not everybody is ready yet: Bea."
        bea.lan.say("here I am")
        await ada.until(lambda: "Bea: here I am" in ada.sitting.said)
        for ready in (True, False, True):
            bea.lan.ready()
            await bea.until(lambda ready=ready: bea.sitting.ready is ready)  # type: ignore[misc]  # bound at once
        await ada.until(lambda: not ada.sitting.why)
        ada.lan.start()
        await bea.until(lambda: isinstance(bea.screen.room, LobbyTable))
        await asyncio.sleep(0)
        for guest in (ada, bea):
            table = guest.screen.room
            assert isinstance(table, LobbyTable)
            table.end()
            assert guest.screen.room is guest.room
            assert guest.lan.sitting() is None

    scene(tmp_path, ("Ada", "Bea"), play)


def test_votes_are_cast_in_the_lobby_and_at_the_table(tmp_path: Path) -> None:
    async def play(ada: Guestroom, bea: Guestroom) -> None:
        ada.lan.vote("kick Bea")
        assert ada.screen.noted == "You sit at no table."
        await joined(ada, bea)
        ada.lan.vote("hang Bea")
        assert "A vote looks like this" in ada.screen.noted
        ada.lan.vote("mute Bea")
        await bea.until(lambda: any("Ada votes that Bea says nothing" in line for line in bea.sitting.said))
        ada.lan.vote("not mute Bea")
        bea.lan.ready()
        await ada.until(lambda: not ada.sitting.why)
        ada.lan.start()
        await ada.until(lambda: isinstance(ada.screen.room, LobbyTable))
        assert "K" in {name for key in ada.screen._keys() for name in key.keys}
        ada.screen.press("K")
        assert "Vote about Bea" in ada.shown
        ada.screen.leave()

    scene(tmp_path, ("Ada", "Bea"), play)


def test_who_leaves_is_told_of_and_a_closed_table_leads_back(tmp_path: Path) -> None:
    async def play(ada: Guestroom, bea: Guestroom) -> None:
        await joined(ada, bea)
        bea.lan.leave()
        await ada.until(lambda: "* Bea has left" in ada.sitting.said)
        assert bea.lan.sitting() is None
        assert ada.sitting.why == "Others have to sit down first: 1 of at least 2 are here."
        bea.lan.join(ada.peer.address)
        await bea.until(lambda: bea.lan.sitting() is not None)
        bea.lan.join(ada.peer.address)
        assert bea.screen.noted == f"You sit at {bea.sitting.title}. Leave it first (q)."
        bea.lan.open(Plan("gin"))
        bea.lan.practice(Plan("gin"))
        assert bea.screen.room is bea.room
        ada.lan.leave()
        await bea.until(lambda: bea.lan.sitting() is None)
        assert bea.screen.noted

    scene(tmp_path, ("Ada", "Bea"), play)


def test_what_is_not_there_is_told(tmp_path: Path) -> None:
    async def play(ada: Guestroom, bea: Guestroom) -> None:
        bea.lan.join(ada.peer.address)  # nobody has a table open there
        bea.lan.join(ada.peer.address)
        assert bea.screen.noted.startswith("Wait a moment: Connecting to")
        await bea.until(lambda: not bea.lan.busy)
        assert bea.screen.noted or isinstance(bea.screen.room, Page)
        bea.lan.ready()
        assert bea.screen.noted == "You sit at no table."
        bea.lan.start()
        bea.lan.say("hello")
        assert bea.screen.noted == "Chat is at the table: sit down at one first."
        bea.lan.resume("ab")
        assert bea.screen.noted == "There is no match to go on with."
        bea.lan.open(Plan("canasta"))
        assert isinstance(bea.screen.room, Page) or "canasta" in bea.screen.noted
        assert bea.lan.unfinished() == ()

    scene(tmp_path, ("Ada", "Bea"), play)


def test_rules_that_differ_end_on_a_page_and_without_a_seat(tmp_path: Path) -> None:
    async def play(ada: Guestroom, bea: Guestroom) -> None:
        other = RULES.with_(match__target=250)
        ada.peer.open_table(other, Guest("Ada"), Settings("Odd", 2, 0, (("rummy-no", "9"),)))
        bea.lan.join(ada.peer.address)
        await bea.until(lambda: not bea.lan.busy)
        assert isinstance(bea.screen.room, Page)
        assert "No seat at Odd" in bea.shown
        assert "250" in bea.shown
        assert bea.lan.sitting() is None
        assert ada.peer.session is not None
        assert len(ada.peer.session.seats) == 1

    scene(tmp_path, ("Ada", "Bea"), play)


def test_tables_and_players_come_into_view(tmp_path: Path) -> None:
    async def play(ada: Guestroom, bea: Guestroom) -> None:
        name = title()
        ada.lan.open(Plan("rummy-no", ("take-all",), name, 2))
        await bea.until(lambda: any(row.title == name for row in bea.lan.tables()))
        [row] = [row for row in bea.lan.tables() if row.title == name]
        assert (row.rules, row.limit, row.fit, row.taken) == ("Norwegian rummy + Take all", "100", "same", 1)
        assert row.has_room
        people = bea.lan.people()
        assert people[0].me
        assert any(person.nick == "Ada" and person.table == name for person in people)
        assert bea.lan.looking().used == ("lo 127.0.0.1",)
        assert "127.0.0.1" in bea.lan.place
        bea.room.find(name)
        assert name in bea.shown
        bea.lan.command(f"join {row.number}")
        await bea.until(lambda: bea.lan.sitting() is not None)
        ada.lan.leave()
        await bea.until(lambda: all(row.title != name for row in bea.lan.tables()))

    scene(tmp_path, ("Ada", "Bea"), play)


def test_practice_needs_nobody(tmp_path: Path) -> None:
    async def play(ada: Guestroom) -> None:
        ada.lan.practice(Plan("gin"))
        table = ada.screen.room
        assert isinstance(table, LobbyTable)
        assert table.seat.names == ("Ada", "Bot 1")
        await asyncio.sleep(0)
        table.end()
        assert ada.screen.room is ada.room
        profile = ada.lan.profile()
        assert (profile.nick, profile.totals, profile.ledgers) == ("Ada", (), 0)
        assert len(profile.words.split()) == 3

    scene(tmp_path, ("Ada",), play)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("host rummy-no --title Mine --seats 3 --bots 1", "Mine"),
        ("host gin", "Ada's table"),
    ],
)
def test_a_table_is_opened_by_a_command_line(tmp_path: Path, line: str, said: str) -> None:
    async def play(ada: Guestroom) -> None:
        ada.lan.command(line)
        assert ada.sitting.title == said
        assert [seat.bot for seat in ada.sitting.seats] == ([False, True] if "bots" in line else [False])
        ada.lan.leave()

    scene(tmp_path, ("Ada",), play)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("demo", ["demo"]),
        ("resume Friday", ["resume", "Friday"]),
        ("join Friday --nick Cem", ["join", "Friday", "--nick", "Cem"]),
        ("practice gin --data=/x", ["practice", "gin", "--data=/x"]),
    ],
)
def test_what_wants_the_terminal_is_run_outside(tmp_path: Path, line: str, words: list[str]) -> None:
    async def play(ada: Guestroom) -> None:
        ada.lan.command(line)
        assert ada.lan.errand == words
        assert ada.screen.room is None

    scene(tmp_path, ("Ada",), play)


def test_a_command_is_answered_on_a_page(tmp_path: Path) -> None:
    async def play(ada: Guestroom) -> None:
        ada.lan.command("games")
        await ada.until(lambda: not ada.lan.busy)
        assert "Norwegian rummy" in ada.shown
        ada.screen.leave()
        ada.lan.command("")
        ada.lan.command("join")
        assert "No table is open on this network yet" in ada.screen.noted or ada.lan.busy

    scene(tmp_path, ("Ada",), play)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("help ready", "at a table: be ready"),
        ("help start", "at your table: start the match"),
        ("help help", "show this list"),
        ("help join", "usage: rummy-p2p join"),
        ("help", "sit down at a table"),
    ],
)
def test_help_knows_every_word_that_the_lobby_lists(tmp_path: Path, line: str, said: str) -> None:
    async def play(ada: Guestroom) -> None:
        ada.lan.command(line)
        assert isinstance(ada.screen.room, Page)
        assert said in ada.shown
        ada.screen.leave()
        ada.lan.command("help flug")
        assert "There is no command 'flug'" in ada.screen.noted

    scene(tmp_path, ("Ada",), play)


def test_a_kept_match_is_offered_and_gone_on_with_outside(tmp_path: Path) -> None:
    async def play(ada: Guestroom) -> None:
        kept = Unfinished("ab" * 32, "Thursday", ("Ada", "Bea"), 2)
        found = [kept]
        lan = ScreenLan(ada.options, ada.peer, ada.files, GAMES, ada.screen, lambda: tuple(found))
        assert lan.unfinished() == (kept,)
        found.clear()
        assert lan.unfinished() == (kept,)  # the file is not read for every drawing
        lan.leave()
        assert lan.unfinished() == ()
        found.append(kept)
        lan.leave()
        lan.resume(kept.id)
        assert lan.errand == ["resume", kept.id]
        lan.close()

    scene(tmp_path, ("Ada",), play)


def test_a_title_is_told_as_it_can_be_typed_and_found_by_it(tmp_path: Path) -> None:
    async def play(ada: Guestroom, bea: Guestroom) -> None:
        name = f"{title()} Ada\u2019s"
        ada.lan.open(Plan("rummy-no", ("take-all",), name, 2))
        straight = name.replace("\u2019", "'")
        assert ada.sitting.addresses[0] == f'rummy-p2p join "{straight}"'
        assert ada.sitting.rules == "Norwegian rummy + Take all"
        await bea.until(lambda: any(row.title == name for row in bea.lan.tables()))
        assert [row.house_titles for row in bea.lan.tables() if row.title == name] == [("Take all",)]
        bea.lan.join(straight)
        await bea.until(lambda: bea.lan.sitting() is not None)
        assert bea.sitting.title == name

    scene(tmp_path, ("Ada", "Bea"), play)


def test_a_title_like_a_code_is_found_and_the_half_of_a_code_is_told_at_once(tmp_path: Path) -> None:
    async def play(ada: Guestroom, bea: Guestroom) -> None:
        ada.lan.open(Plan("rummy-no", title="R2D2-C3PO", seats=2))
        bea.lan.join("B300-0GA1")
        await bea.until(lambda: not bea.lan.busy)
        assert "a code has twelve letters" in bea.screen.noted or "a code has twelve letters" in bea.shown
        if bea.screen.room is not bea.room:
            bea.screen.leave()
        await bea.until(lambda: any(row.title == "R2D2-C3PO" and row.host == "Ada" for row in bea.lan.tables()))
        bea.lan.join("R2D2-C3PO")
        await bea.until(lambda: bea.lan.sitting() is not None)

    scene(tmp_path, ("Ada", "Bea"), play)


def test_the_typed_line_closes_when_a_table_is_opened_or_left(tmp_path: Path) -> None:
    async def play(ada: Guestroom) -> None:
        with set_app(ada.screen.app):
            for line in ("host rummy-no", "leave"):
                ada.screen.open_line()
                ada.room.typed(line)
                assert not ada.screen.line.is_open
            ada.screen.open_line()
            ada.room.typed("find gin")
            assert ada.screen.line.is_open

    scene(tmp_path, ("Ada",), play)


@pytest.mark.parametrize(
    ("line", "kind"), [("learn gin", LearnRoom), ("learn", LearnRoom), ("learn rummy-sv", GuideRoom)]
)
def test_a_short_line_opens_a_room(tmp_path: Path, line: str, kind: type) -> None:
    async def play(ada: Guestroom) -> None:
        ada.lan.command(line)
        assert isinstance(ada.screen.room, kind)
        await asyncio.sleep(0)
        ada.screen.leave()
        ada.lan.command("replay")
        assert ada.screen.noted == "No match has been kept yet."
        assert ada.lan.errand is None

    scene(tmp_path, ("Ada",), play)


def test_one_screen_is_asked_for_by_a_short_line(tmp_path: Path) -> None:
    async def play(ada: Guestroom) -> None:
        prompts: list[str] = []
        ada.screen.open_line = lambda prompt, *_given, **_named: prompts.append(prompt)  # type: ignore[method-assign]  # nobody types
        ada.lan.command("hotseat gin")
        assert prompts == ["names of 2 players, commas between>"]
        ada.lan.command("hotseat gin Ada Bea")
        assert ada.lan.errand == ["hotseat", "gin", "Ada", "Bea"]

    scene(tmp_path, ("Ada",), play)
