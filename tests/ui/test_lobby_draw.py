"""The lobby as it looks: golden screens of the board at 80x24 and 120x40."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace as changed

import msgspec
import pytest

from rummy_p2p.sentences.language import use_language
from rummy_p2p.ui.form import Form
from rummy_p2p.ui.form_room import FormRoom
from rummy_p2p.ui.lobby_draw import none_lines
from rummy_p2p.ui.lobby_model import Looking, SeatRow, Sitting, Unfinished
from rummy_p2p.ui.lobby_room import LobbyRoom
from rummy_p2p.ui.room import Room
from tests.ui.lobby import GAMES, PEOPLE, SITTING, SIZES, TABLES, FakeLan, check_golden, drawn, make_lobby

VERSION = re.compile(r"rummy-p2p \d+\.\S+  ")
GUEST = msgspec.structs.replace(SITTING, mine=False, ready=True, why="It starts when …", addresses=())
ALONE = msgspec.structs.replace(
    SITTING, title="root's table", seats=SITTING.seats[:2], why="", said=(),
    addresses=('rummy-p2p join "root\'s table"', "rummy-p2p join rummy://192.168.1.23:40123"),
)  # fmt: skip
BY_SSH = msgspec.structs.replace(
    SITTING, seats=(*SITTING.seats[:2], SeatRow("Gus", ready=False, guest=True)), why="",
    by_ssh="ssh -p 2222 NAME@192.168.1.23",
)  # fmt: skip
ROOMS: dict[str, Callable[[], FakeLan]] = {
    "lobby": FakeLan,
    "lobby-nothing": lambda: FakeLan(rows=(), persons=PEOPLE[:1]),
    "lobby-trouble": lambda: FakeLan(rows=(), persons=PEOPLE[:1], trouble="No network interface can be used (none)."),
    "lobby-go-on": lambda: FakeLan(rows=TABLES[:2], to_go_on=(Unfinished("ab", "Thursday", ("Bea", "Cem")),)),
    "lobby-my-table": lambda: FakeLan(seat=SITTING),
    "lobby-alone": lambda: FakeLan(rows=(), seat=ALONE),
    "lobby-by-ssh": lambda: FakeLan(rows=TABLES[:2], seat=BY_SSH),
    "lobby-guest": lambda: FakeLan(seat=GUEST),
}


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1] + 2}")
@pytest.mark.parametrize("name", ROOMS)
def test_the_lobby_looks_as_it_did(name: str, size: tuple[int, int]) -> None:
    _screen, room = make_lobby(ROOMS[name]())
    check_golden(f"{name}-{size[0]}x{size[1] + 2}", drawn(fixed(room), size))


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1] + 2}")
@pytest.mark.parametrize("name", ROOMS)
def test_the_lobby_in_swedish(name: str, size: tuple[int, int]) -> None:
    use_language("sv")
    try:
        _screen, room = make_lobby(ROOMS[name]())
        check_golden(f"{name}-{size[0]}x{size[1] + 2}-sv", drawn(fixed(room), size))
    finally:
        use_language("en")


def test_the_lobby_in_plain_characters() -> None:
    _screen, room = make_lobby(FakeLan(), ascii_only=True)
    canvas = drawn(fixed(room), ascii_only=True)
    assert all(row.isascii() for row in canvas.rows())
    check_golden("lobby-80x24-ascii", canvas)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1] + 2}")
def test_the_form_looks_as_it_did(size: tuple[int, int]) -> None:
    screen, room = make_lobby(FakeLan())
    for text in ("game rummy-sv", "seats 3", "limit 60", "take-all", "title Friday LAN"):
        assert room.form.write(*_split(text)) == ""
    form = FormRoom(screen, room.lan, room.form)
    form.typed("limit.points 70")
    check_golden(f"form-{size[0]}x{size[1] + 2}", drawn(form, size))


def _split(text: str) -> tuple[str, str]:
    key, _space, value = text.partition(" ")
    return key, value


def fixed(room: LobbyRoom) -> Room:
    """The room with a version that does not change."""
    sight = room._sight
    room._sight = lambda: msgspec.structs.replace(sight(), version="1.0")  # type: ignore[method-assign]  # for the test
    return room


def test_why_there_is_nothing_is_told_in_an_order_that_helps() -> None:
    lines = [text for _style, text in none_lines(Looking((), ("eth0 (it is down)",), "Port 5353 is taken."))]
    assert lines[0] == "Port 5353 is taken."
    assert not any("firewall" in line for line in lines)
    assert lines[-2] == "Not used: eth0 (it is down)."
    lines = [text for _style, text in none_lines(Looking((), ()))]
    assert lines[0] == "There is no network interface to search on."
    lines = [text for _style, text in none_lines(Looking(("lo 127.0.0.1",), (), "", 10))]
    assert lines[:2] == [
        "Nobody has a table open yet: n opens one.",
        "Looking for tables on lo 127.0.0.1: 10 s so far.",
    ]
    assert any("firewall" in line for line in lines)


@pytest.mark.parametrize(("seconds", "alone"), [(0, True), (9, True), (60, False)])
def test_the_network_is_not_suspected_at_once_nor_where_others_are_seen(seconds: int, *, alone: bool) -> None:
    looking = Looking(("lo 127.0.0.1",), ("docker0 (it belongs to a container)",), "", seconds)
    lines = [text for _style, text in none_lines(looking, alone=alone)]
    assert lines == [
        "Nobody has a table open yet: n opens one.",
        f"Looking for tables on lo 127.0.0.1: {seconds} s so far.",
        "Not used: docker0 (it belongs to a container).",
    ]


def test_where_no_name_is_kept_the_lobby_says_how_it_is_changed() -> None:
    lan = FakeLan()
    screen, _room = make_lobby(lan)
    for named, said in (("login", "here: S changes"), ("given", "this time: S keeps")):
        room = LobbyRoom(screen, lan, Form(GAMES, ("normal",)), named)  # type: ignore[arg-type]  # one of its words
        text = "\n".join(drawn(room).rows())
        assert "You are called Ada" in " ".join(text.split())
        assert said.split()[0] in text
    assert "You are called" not in "\n".join(drawn(_room).rows())


def test_what_is_told_of_a_match_is_told_whole() -> None:
    kept = Unfinished("ab", "Thursday", ("Adalbert", "Beatrice", "Cem", "Dag"), 13, "2026-11-26 21:40")
    _screen, room = make_lobby(FakeLan(to_go_on=(kept,)))
    text = " ".join(row[57:79].strip("│ ") for row in drawn(room).rows())
    assert "Everybody has to come back for it." in text


@pytest.mark.parametrize("width", [80, 95, 120, 200])
@pytest.mark.parametrize("height", [22, 30, 60])
def test_it_can_be_drawn_at_any_size(width: int, height: int) -> None:
    many = tuple(msgspec.structs.replace(TABLES[0], id=str(n), number=n, title="字" * 30) for n in range(100))
    for lan in (FakeLan(), FakeLan(rows=many), FakeLan(seat=changed_seat()), FakeLan(rows=())):
        _screen, room = make_lobby(lan)
        assert len(drawn(room, (width, height)).rows()) == height


def test_what_has_no_room_is_left_out_whole() -> None:
    many = tuple(f"docker{n} 172.17.0.{n} (it belongs to a container and not to a network)" for n in range(9))
    lan = FakeLan(rows=(), persons=PEOPLE[:1])
    lan.looking = lambda: Looking(("eth0 192.168.1.23",), many, "", 12)  # type: ignore[method-assign]  # for the test
    _screen, room = make_lobby(lan)
    for height in range(22, 38):
        text = " ".join(row.strip("│ ") for row in drawn(room, (80, height)).rows())
        assert text.count("Not used: docker") == text.count("not to a network).")


def changed_seat() -> Sitting:
    return msgspec.structs.replace(SITTING, said=("word " * 500,) * 50, total=8)


def test_busy_is_told() -> None:
    _screen, room = make_lobby(changed(FakeLan(), busy="Connecting to Friday …"))
    assert "Connecting to Friday" in drawn(room).rows()[-2]
