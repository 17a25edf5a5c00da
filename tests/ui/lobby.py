"""A lobby without a network: what is asked of it is noted down, and what it shows is set by the test."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from prompt_toolkit.input import DummyInput
from prompt_toolkit.output import DummyOutput

from rummy_p2p.statistics import Totals
from rummy_p2p.ui.canvas import Canvas
from rummy_p2p.ui.form import Form, Plan
from rummy_p2p.ui.glyphs import ASCII, UNICODE
from rummy_p2p.ui.lobby_model import Looking, Person, Profile, SeatRow, Sitting, TableRow, Unfinished, Walking
from rummy_p2p.ui.lobby_room import LobbyRoom
from rummy_p2p.ui.room import Mouse, Room
from rummy_p2p.ui.screen import Screen
from rummy_p2p.ui.style import Look
from rummy_p2p.variants.manager import installed, make_catalogue

GAMES = make_catalogue(installed())
GOLDEN = Path(__file__).parents[1] / "golden" / "screens"
WRITE = os.environ.get("RUMMY_P2P_GOLDEN") == "write"
SIZES = ((80, 22), (120, 38))  # of the board: command line and help bar are below it


def table(number: int, title: str, **changes: object) -> TableRow:
    """A table on the network, as it is unless a test says otherwise."""
    row = TableRow(
        id=f"{number:064x}",
        number=number,
        title=title,
        game="rummy-no",
        rules="Norwegian rummy",
        house=(),
        taken=1,
        total=2,
        state="open",
        host="Bea",
        limit="100",
        fit="same",
        address=f"rummy://10.0.0.{number}:40123#{'2b' * 32}",
    )
    return replace_fields(row, changes)


def replace_fields(row: TableRow, changes: dict[str, object]) -> TableRow:
    values = {name: getattr(row, name) for name in row.__struct_fields__} | changes
    return TableRow(**values)


TABLES = (
    table(1, "Friday LAN", rules="Norwegian rummy + Take all", house=("take-all",), taken=3, total=4),
    table(2, "Gin corner", game="gin", rules="Gin rummy", host="Cem"),
    table(3, "Garaj", game="rummi-tr", rules="Turkish rummi + Short game", taken=4, total=4, limit="1", host="Dag"),
    table(4, "Kjeller", game="canasta", rules="canasta", total=6, limit="-", fit="missing", host="Eva"),
    table(5, "Ours", fit="different", state="open", host="Finn"),
    table(6, "Midnight", state="playing", taken=2, host="Gul"),
    table(7, "Closed shop", state="password", host="Hal"),
)
PEOPLE = (
    Person("Ada", me=True),
    Person("Bea", "Friday LAN", id="be" * 32, here=True),
    Person("Cem", "Gin corner", id="ce" * 32),
    Person("Dag", id="da" * 32),
)
SEATS = (SeatRow("Ada", ready=False, opened=True, me=True), SeatRow("Bea", ready=True), SeatRow("Cem", ready=False))
SITTING = Sitting(
    title="Friday LAN",
    game="rummy-no",
    rules="Norwegian rummy + take-all",
    seats=SEATS,
    total=4,
    mine=True,
    ready=False,
    why="Not ready yet: Cem.",
    addresses=("rummy-p2p join 'Friday LAN'", "rummy-p2p join rummy://192.168.1.23:40123"),
    said=("* Bea sits down", "Bea: rematch of last Friday?", "* Cem sits down", "Cem: in 5 min"),
)
PROFILE = Profile(
    nick="Ada",
    words="otter maple seven",
    id="1a" * 32,
    address="rummy://192.168.1.23:40123#" + "2b" * 32,
    version="0",
    folder="/home/ada/.local/share/rummy-p2p",
    totals=(
        Totals("rummy-no", False, 3, 2, 1, 12, 5, 130),  # noqa: FBT003 -- the columns of a row
        Totals("gone", False, 1, 0, 0, 1, 0, 7),  # noqa: FBT003 -- as above
        Totals("gin", True, 1, 1, 1, 4, 3, 100),  # noqa: FBT003 -- as above
    ),
    ledgers=3,
    peers=2,
)


@dataclass
class FakeLan:
    """The network as a test wants it."""

    rows: tuple[TableRow, ...] = TABLES
    persons: tuple[Person, ...] = PEOPLE
    seat: Sitting | None = None
    to_go_on: tuple[Unfinished, ...] = ()
    trouble: str = ""
    busy: str = ""
    asked: list[tuple[object, ...]] = field(default_factory=list)
    watchers: list[Callable[[], None]] = field(default_factory=list)
    walking: Walking | None = None
    told: tuple[str, ...] = ()
    nick: str = "Ada"
    place: str = "fjord 192.168.1.23"

    def tables(self) -> tuple[TableRow, ...]:
        return self.rows

    def people(self) -> tuple[Person, ...]:
        return self.persons

    def looking(self) -> Looking:
        if self.trouble:
            return Looking((), ("eth0 10.0.0.1 (it is down)",), self.trouble)
        return Looking(("eth0 192.168.1.23",), ("docker0 172.17.0.1 (it belongs to a container)",), "", 12, self.told)

    def walk(self) -> None:
        self.asked.append(("walk",))

    def sitting(self) -> Sitting | None:
        return self.seat

    def unfinished(self) -> tuple[Unfinished, ...]:
        return self.to_go_on

    def profile(self) -> Profile:
        return PROFILE

    def open(self, plan: Plan) -> None:
        self.asked.append(("open", plan))

    def join(self, wanted: str) -> None:
        self.asked.append(("join", wanted))

    def invite(self, person: str) -> None:
        self.asked.append(("invite", person))

    def look_on(self, table: str) -> None:
        self.asked.append(("look-on", table))

    def resume(self, match: str) -> None:
        self.asked.append(("resume", match))

    def practice(self, plan: Plan) -> None:
        self.asked.append(("practice", plan))

    def one_screen(self, plan: Plan) -> None:
        self.asked.append(("one_screen", plan))

    def let_guests_in(self) -> None:
        self.asked.append(("guests",))

    def ready(self) -> None:
        self.asked.append(("ready",))

    def start(self) -> None:
        self.asked.append(("start",))

    def say(self, text: str) -> None:
        self.asked.append(("say", text))

    def vote(self, text: str) -> None:
        self.asked.append(("vote", text))

    def leave(self) -> None:
        self.asked.append(("leave",))

    def command(self, text: str) -> None:
        self.asked.append(("command", text))

    def show(self, what: str, game: str = "", house: tuple[str, ...] = ()) -> None:
        self.asked.append(("show", what, game, house))

    def quit(self) -> None:
        self.asked.append(("quit",))

    def watch(self, call: Callable[[], None]) -> Callable[[], None]:
        self.watchers.append(call)
        return lambda: self.watchers.remove(call)


def make_screen(look: Look | None = None) -> Screen:
    """A screen that is never shown."""
    return Screen(look or Look(), input=DummyInput(), output=DummyOutput())


def make_lobby(lan: FakeLan, *, ascii_only: bool = False) -> tuple[Screen, LobbyRoom]:
    screen = make_screen(replace(Look(), glyphs=ASCII if ascii_only else UNICODE))
    room = LobbyRoom(screen, lan, Form(GAMES, ("normal",)))
    screen.enter(room)
    return screen, room


def drawn(room: Room, size: tuple[int, int] = SIZES[0], *, ascii_only: bool = False) -> Canvas:
    canvas = Canvas(*size, ASCII if ascii_only else UNICODE)
    room.draw(canvas)
    return canvas


def press(screen: Screen, *names: str) -> None:
    """Press keys as the screen would, whatever size it has."""
    for name in names:
        key = next(key for key in screen._keys() if name in key.keys)
        screen._clear_note()
        key.act()


def click(screen: Screen, room: Room, text: str, kind: str = "up", size: tuple[int, int] = SIZES[0]) -> None:
    """Click where a text stands."""
    canvas = drawn(room, size)
    for y, row in enumerate(canvas.rows()):
        if text in row:
            x = row.index(text) + len(text) // 2
            room.mouse(Mouse(kind, canvas.target_at(x, y), x, y))  # type: ignore[arg-type]  # one of its kinds
            return
    raise AssertionError(f"{text!r} is not shown:\n" + "\n".join(canvas.rows()))


def check_golden(name: str, canvas: Canvas) -> None:
    """Compare a drawing with the one that is kept; RUMMY_P2P_GOLDEN=write writes it anew, to be read as code is."""
    path = GOLDEN / f"{name}.txt"
    text = "".join(f"{row}\n" for row in canvas.rows())
    if WRITE:
        path.write_text(text, encoding="utf-8", newline="\n")
    assert path.exists(), "there is no such screen; run again with RUMMY_P2P_GOLDEN=write and read what it writes"
    assert path.read_text("utf-8") == text
