"""Which table is meant, and what the list tells of each."""

from dataclasses import replace

import pytest

from rummy_p2p.cli import USAGE, CommandError
from rummy_p2p.cli.finding import Seats, fits, read_address, rows, rules_state
from rummy_p2p.node.announcement import Sighting, TableInfo, TableState
from rummy_p2p.node.peer import Address
from rummy_p2p.variants.manager import installed, make_catalogue

GAMES = make_catalogue(installed())
RULES = GAMES.compile("rummy-no", ["joker-20:jokers=4"])
PIN = "2b" * 32
TABLE = TableInfo("4d" * 32, "Friday", "rummy-no", RULES.fingerprint, 1, 3, TableState.OPEN, ("joker-20:jokers=4",))
ADA = Sighting("Ada 1a1a1a", "Ada", "1a" * 32, PIN, ("10.0.0.7", "10.1.0.7"), 40123, 1, TABLE, live=True)


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("rummy://192.168.1.23:40123", Address(("192.168.1.23",), 40123)),
        ("192.168.1.23:40123", Address(("192.168.1.23",), 40123)),
        (f"rummy://192.168.1.23:40123#{PIN}", Address(("192.168.1.23",), 40123, bytes.fromhex(PIN))),
        ("rummy://[fe80::1]:1", Address(("fe80::1",), 1)),
        ("Friday", None),
        ("", None),
        ("192.168.1.23", None),
        ("192.168.1.23:0", None),
    ],
)
def test_an_address_and_what_is_none(text: str, address: Address | None) -> None:
    assert read_address(text) == address


@pytest.mark.parametrize(
    "text", ["rummy://", "rummy://ada:1", "rummy://1.2.3.4", "rummy://1.2.3.4:70000", "rummy://1.2.3.4:1#ab"]
)
def test_what_should_be_an_address(text: str) -> None:
    with pytest.raises(CommandError) as caught:
        read_address(text)
    assert caught.value.exit_code == USAGE


@pytest.mark.parametrize(
    ("changes", "wanted", "fitting"),
    [
        ({}, None, True),
        ({"taken": 3}, None, False),
        ({"state": TableState.PLAYING}, None, False),
        ({"state": TableState.CODE}, None, False),
        ({"state": TableState.PLAYING}, "Friday", True),
        ({}, "fRIDAY", True),
        ({}, "ada", True),
        ({}, "4d" * 32, True),
        ({}, "Saturday", False),
    ],
)
def test_which_table_is_meant(changes: dict[str, object], wanted: str | None, *, fitting: bool) -> None:
    assert fits(replace(ADA, table=replace(TABLE, **changes)), wanted) is fitting  # type: ignore[arg-type]  # any field


def test_who_has_no_table_open_is_not_meant() -> None:
    assert not fits(replace(ADA, table=None), "Ada")


@pytest.mark.parametrize(
    ("changes", "state"),
    [
        ({}, "same"),
        ({"ruleset": "00" * 32}, "different"),
        ({"house": ("joker-20:jokers=2",)}, "different"),
        ({"house": ("joker-20:jokers=many",)}, "different"),
        ({"house": ("joker-21",)}, "missing"),
        ({"house": ("joker-20:",)}, "missing"),
        ({"game": "canasta"}, "missing"),
        ({"house": None}, "different"),
    ],
)
def test_whether_its_rules_are_ours(changes: dict[str, object], state: str) -> None:
    assert rules_state(GAMES, replace(TABLE, **changes)) == state  # type: ignore[arg-type]  # any field


def test_the_list_has_the_tables_of_those_who_answer_at_the_door() -> None:
    silent, empty = replace(ADA, live=False), replace(ADA, table=None)
    [row] = rows([silent, ADA, empty], GAMES)
    assert (row.id, row.title, row.game, row.house) == (TABLE.id, "Friday", "rummy-no", ("joker-20:jokers=4",))
    assert (row.seats, row.state, row.host, row.rules) == (Seats(1, 3), "open", "Ada", "same")
    assert (row.address, row.pin) == (f"rummy://10.0.0.7:40123#{PIN}", PIN)
    assert row.line(1) == "  1  Friday                1/3 open      Ada            rummy-no + joker-20:jokers=4"


def test_the_line_says_when_its_rules_cannot_be_played_here() -> None:
    playing = replace(ADA, table=replace(TABLE, game="canasta", house=(), state=TableState.PLAYING))
    [row] = rows([playing], GAMES)
    assert row.line(12) == " 12  Friday                1/3 playing   Ada            canasta (not installed here)"
