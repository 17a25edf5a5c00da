"""Which table is meant, and what the list tells of each."""

from dataclasses import replace

import pytest

from rummy_p2p.cli import USAGE, CommandError, finding
from rummy_p2p.cli.finding import (
    Elsewhere,
    Seats,
    fits,
    look_everywhere,
    played_text,
    read_address,
    rows,
    rules_state,
    step_line,
)
from rummy_p2p.node.announcement import Sighting, TableInfo, TableState
from rummy_p2p.node.inquiry import Inquirer
from rummy_p2p.node.ladder import Mark, Rung, Step
from rummy_p2p.node.places import Address
from rummy_p2p.protocol.joincode import ShortPin, join_code
from rummy_p2p.store import RememberedPeer
from rummy_p2p.variants.manager import Catalogue, installed, make_catalogue
from tests.node.party import CERTIFICATES, open_table, party, played

GAMES = make_catalogue(installed())
RULES = GAMES.compile("rummy-no", ["joker-20:jokers=4"])
PIN = "2b" * 32
TABLE = TableInfo("4d" * 32, "Friday", "rummy-no", RULES.fingerprint, 1, 3, TableState.OPEN, ("joker-20:jokers=4",))
CODE = join_code("192.168.1.23", 28660, bytes.fromhex(PIN)) or ""
ADA = Sighting("Ada 1a1a1a", "Ada", "1a" * 32, PIN, ("10.0.0.7", "10.1.0.7"), 40123, 1, TABLE, live=True)


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("rummy://192.168.1.23:40123", Address(("192.168.1.23",), 40123)),
        ("192.168.1.23:40123", Address(("192.168.1.23",), 40123)),
        (f"rummy://192.168.1.23:40123#{PIN}", Address(("192.168.1.23",), 40123, bytes.fromhex(PIN))),
        ("rummy://[fe80::1]:1", Address(("fe80::1",), 1)),
        ("rummy://[fe80::1%eth0]:1", Address(("fe80::1%eth0",), 1)),
        (CODE, Address(("192.168.1.23",), 28660, ShortPin.of(bytes.fromhex(PIN), 28))),
        (CODE.lower().replace("-", " "), Address(("192.168.1.23",), 28660, ShortPin.of(bytes.fromhex(PIN), 28))),
        ("Friday", None),
        ("", None),
        ("192.168.1.23", None),
        ("192.168.1.23:0", None),
    ],
)
def test_an_address_and_what_is_none(text: str, address: Address | None) -> None:
    assert read_address(text) == address


def test_a_code_with_a_wrong_letter_is_told_at_once() -> None:
    wrong = CODE[:-1] + ("0" if CODE[-1] != "0" else "2")
    with pytest.raises(CommandError, match="looks like a join code, but a letter") as caught:
        read_address(wrong)
    assert caught.value.exit_code == USAGE


def test_a_code_that_is_too_short_is_told_at_once() -> None:
    with pytest.raises(CommandError, match="a code has twelve letters") as caught:
        read_address(CODE[:9])
    assert caught.value.exit_code == USAGE


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
    wanted = "  1  Friday                1/3 open      Ada            Norwegian rummy + 20-point joker (jokers=4)"
    assert row.line(1, GAMES) == wanted


def test_the_line_says_when_its_rules_cannot_be_played_here() -> None:
    playing = replace(ADA, table=replace(TABLE, game="canasta", house=(), state=TableState.PLAYING))
    [row] = rows([playing], GAMES)
    assert row.line(12, GAMES) == " 12  Friday                1/3 playing   Ada            canasta (not installed here)"


def test_the_rules_of_a_table_are_compared_once(monkeypatch: pytest.MonkeyPatch) -> None:
    judged: list[TableInfo] = []

    def judge(_games: Catalogue, table: TableInfo) -> str:
        judged.append(table)
        return "same"

    monkeypatch.setattr(finding, "_JUDGED", {})
    monkeypatch.setattr(finding, "_judge", judge)
    monkeypatch.setattr(finding, "MOST_JUDGED", 2)
    tables = [replace(TABLE, ruleset=f"{number:064x}") for number in range(3)]
    for table in (tables[0], tables[0], tables[1], tables[2], tables[0]):
        assert rules_state(GAMES, table) == "same"
    assert judged[0] == tables[0]
    assert judged.count(tables[0]) <= 2  # what a flood has driven out is compared again
    other = make_catalogue(installed())
    assert rules_state(other, tables[2]) == "same"
    assert judged[-1] == tables[2]


# ---------------------------------------------------------------- where mDNS shows nothing


def test_a_table_that_does_not_show_is_found_where_it_was_last_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finding, "PATIENCE", 0.05)
    told: list[str] = []

    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            ada, bea = made.peers
            open_table(ada, 2)
            monkeypatch.setattr(bea.discovery, "sightings", lambda of=None: [])
            key, pin = ada.identity.player_id.hex(), ada.transport.fingerprint.hex()
            known = RememberedPeer(key, "Ada", "127.0.0.1", ada.transport.port, pin, 1)
            asking = Inquirer(bea.identity, "Bea", CERTIFICATES["Bea"])
            elsewhere = Elsewhere(asking, [known], walk=False, tell=lambda step: told.append(step_line(step)))
            found, by = await look_everywhere(bea, None, 10, GAMES, elsewhere)
            assert (found.nick, by) == ("Ada", "remembered")
            with pytest.raises(CommandError, match="rummy-p2p doctor tells what is in the way"):
                await look_everywhere(bea, "Saturday", 0.3, GAMES, elsewhere)
            await asking.stop()

    played(scene)
    assert told[:2] == ["Trying those from last time: Ada.", "Ada is where it was last time."]


def test_a_table_that_shows_is_not_looked_for_elsewhere() -> None:
    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            ada, bea = made.peers
            title = open_table(ada, 2).info.title
            asking = Inquirer(bea.identity, "Bea", CERTIFICATES["Bea"])
            elsewhere = Elsewhere(asking, [], walk=True, tell=lambda _step: pytest.fail("nothing is to be told"))
            found, by = await look_everywhere(bea, title, 10, GAMES, elsewhere)
            assert (found.table is not None, by) == (True, "mdns")
            await asking.stop()

    played(scene)


@pytest.mark.parametrize(
    ("step", "line"),
    [
        (Step(Rung.MDNS, Mark.TRIES, "eth0 10.0.0.7"), "Searching on eth0 10.0.0.7."),
        (Step(Rung.MDNS, Mark.TRIES), "Searching: there is no network interface to use."),
        (Step(Rung.SCAN, Mark.TRIES, "10.0.0.0/24", 16, 253), "Searching 10.0.0.0/24: 16 of 253."),
        (Step(Rung.SCAN, Mark.FAILED), "There is no network to search: no network interface is used."),
    ],
)
def test_each_step_says_what_it_tries(step: Step, line: str) -> None:
    assert step_line(step) == line


@pytest.mark.parametrize("rung", Rung)
@pytest.mark.parametrize("mark", Mark)
def test_every_step_has_its_line(rung: Rung, mark: Mark) -> None:
    if (rung, mark) != (Rung.REMEMBERED, Mark.FAILED):  # a memory does not fail
        assert step_line(Step(rung, mark, "Ada", 1, 2))


@pytest.mark.parametrize(
    ("game", "house", "told"),
    [
        ("gin", (), "Gin rummy"),
        ("rummy-sv", ("limit=70", "take-all"), "Swedish rummy + Point limit (70) + Take all"),
        ("canasta", ("limit", "joker-21:x=1", "joker-20:"), "canasta + Point limit + joker-21:x=1 + joker-20:"),
    ],
)
def test_what_is_played_is_called_as_people_call_it(game: str, house: tuple[str, ...], told: str) -> None:
    assert played_text(GAMES, game, house) == told
