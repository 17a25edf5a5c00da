"""host, join and tables on the loopback interface: who gets a seat, and who is told why not."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path

import msgspec
import pytest

from rummy_p2p.cli import NETWORK, OK, RULES, USAGE, CommandError, network
from rummy_p2p.cli.finding import Row
from rummy_p2p.cli.lan import on_the_lan
from rummy_p2p.cli.local import catalogue
from rummy_p2p.protocol.forming import Guest
from rummy_p2p.protocol.settings import Settings
from tests.cli.tables import at_one_table, lines, options, refused, title
from tests.node.party import RULES as NORWEGIAN
from tests.node.party import Party, party, sit_down, start, until

ROOT = Path(__file__).parents[2]


def address(made: Party) -> str:
    return made.peers[0].address


def open_here(made: Party, name: str, seats: int = 2) -> None:
    """The first peer has a table open."""
    made.peers[0].open_table(NORWEGIAN, Guest("Ada"), Settings(name, seats, 1, (("rummy-no", "1"),)))


def at_a_table(scene: Callable[[Party, str], Coroutine[object, object, None]], *nicks: str) -> None:
    """Run a scene in which the first peer has a table open, and the others are there as well."""

    async def run() -> None:
        name = title()
        async with party("Ada", *nicks) as made:
            open_here(made, name)
            await scene(made, name)

    asyncio.run(run())


# ---------------------------------------------------------------- before anybody is called


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--seats", "7"], "Norwegian rummy is for 2 to 6 players, not 7. Choose with --seats."),
        (["--seats", "2", "--bots", "2"], "Of 2 seats at most 1 can be bots; one is yours. Choose with --bots."),
        (["--bots", "-1"], "Of 2 seats at most 1 can be bots; one is yours. Choose with --bots."),
        (["--bots", "6"], "Norwegian rummy is for 2 to 6 players, not 7. Choose with --seats."),
        (["--auto", "godlike"], "There is no level 'godlike'. Levels: easy, normal, hard"),
        (["--bots", "1", "--level", "godlike"], "There is no level 'godlike'. Levels: easy, normal, hard"),
    ],
)
def test_a_table_that_cannot_be(words: list[str], sentence: str, tmp_path: Path) -> None:
    with pytest.raises(CommandError) as caught:
        network.host(options(tmp_path, "Ada", "host", "rummy-no", *words))
    assert caught.value.exit_code == USAGE
    assert str(caught.value).startswith(sentence)  # plugins add levels


@pytest.mark.parametrize("text", ["rummy://192.168.1.23", "rummy://fjord:4000", "rummy://1.2.3.4:99999"])
def test_an_address_that_is_none(text: str, tmp_path: Path) -> None:
    with pytest.raises(CommandError) as caught:
        network.join(options(tmp_path, "Bea", "join", text))
    assert caught.value.exit_code == USAGE
    assert str(caught.value) == f"{text} is not an address. They look like this: rummy://192.168.1.23:40123#pin"


# ---------------------------------------------------------------- no seat


def test_a_table_that_nobody_has_open(tmp_path: Path) -> None:
    error = asyncio.run(refused(options(tmp_path, "Bea", "join", "Nowhere", "--wait", "0.3")))
    assert error.exit_code == NETWORK
    assert str(error).startswith("No table called Nowhere was seen in 0.3 s. Is it open?")


def test_an_address_at_which_nobody_listens(tmp_path: Path) -> None:
    error = asyncio.run(refused(options(tmp_path, "Bea", "join", "rummy://127.0.0.1:1")))
    assert (error.exit_code, str(error)[:43]) == (NETWORK, "Nobody listens at 127.0.0.1 port 1. Is the ")


def test_a_pin_that_is_another(tmp_path: Path) -> None:
    async def scene(made: Party, _name: str) -> None:
        error = await refused(options(tmp_path, "Bea", "join", address(made)[:-64] + "0" * 64))
        assert error.exit_code == NETWORK
        assert str(error).startswith("The program at this address is not the one that the address with its pin was")

    at_a_table(scene)


def test_a_full_table(tmp_path: Path) -> None:
    async def scene(made: Party, _name: str) -> None:
        await sit_down(made.peers[1], made.peers[0])
        error = await refused(options(tmp_path, "Cem", "join", address(made)))
        assert (error.exit_code, str(error)) == (NETWORK, "All seats of this table are taken.")

    at_a_table(scene, "Bea")


def test_a_table_in_the_middle_of_a_match(tmp_path: Path) -> None:
    async def scene(made: Party, _name: str) -> None:
        await sit_down(made.peers[1], made.peers[0])
        made.peers[1].do(lambda table, now: table.ready(now))
        session = made.peers[0].session
        assert session is not None
        while not session.ready_to_start:
            await made.peers[0].events.get()
        made.peers[0].do(lambda table, now: table.start(now))
        error = await refused(options(tmp_path, "Cem", "join", address(made), "--auto", "normal"))
        assert error.exit_code == NETWORK
        assert str(error).startswith("This table is in the middle of a match.")

    at_a_table(scene, "Bea")


def test_rules_that_are_not_installed_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene(made: Party, _name: str) -> None:
        monkeypatch.setenv("RUMMY_P2P_LOAD_PLUGINS", "joker-20")
        error = await refused(options(tmp_path, "Bea", "join", address(made)))
        assert error.exit_code == RULES
        sentence = "This table plays rummy-no, which this installation does not have. Plugins there: rummy-no 1."
        assert str(error) == sentence

    at_a_table(scene)


def test_rules_that_differ(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene(made: Party, _name: str) -> None:
        other = NORWEGIAN.with_(scoring__in_hand__ace=9)
        monkeypatch.setattr(network, "rules_of", lambda _games, _info: other)
        error = await refused(options(tmp_path, "Bea", "join", address(made)))
        assert error.exit_code == RULES
        assert "scoring.in_hand.ace: 1 there, 9 here" in str(error)

    at_a_table(scene)


NEWER = """
import sys
import rummy_p2p.protocol.link as link
link.VERSION = 2
from rummy_p2p.cli import main
sys.exit(main())
"""


def test_another_version_of_the_protocol(tmp_path: Path) -> None:
    async def scene(made: Party, _name: str) -> None:
        words = ["join", address(made), "--interface", "lo", "--data", str(tmp_path), "--auto", "normal"]
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", NEWER, *words, stderr=subprocess.PIPE, cwd=ROOT, env=os.environ
        )
        _out, errors = await process.communicate()
        assert process.returncode == RULES
        assert errors.decode() == (
            "rummy-p2p: The two programs speak different protocol versions, 1 and 2. Update the one that speaks 1.\n"
        )

    at_a_table(scene)


def test_a_port_that_is_taken(tmp_path: Path) -> None:
    async def scene(made: Party, _name: str) -> None:
        port = str(made.peers[0].transport.port)
        error = await refused(options(tmp_path, "Bea", "host", "rummy-no", "--port", port))
        assert error.exit_code == NETWORK
        assert str(error) == (
            f"Port {port} on 127.0.0.1 is used by another program. Choose another with --port (0: any free one)."
        )

    at_a_table(scene)


def test_what_a_program_says_of_its_table_has_to_be_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene(made: Party, _name: str) -> None:
        monkeypatch.setattr(network, "read_table", lambda _offer: None)
        error = await refused(options(tmp_path, "Bea", "join", address(made)))
        assert (error.exit_code, "not signed by it" in str(error)) == (NETWORK, True)

    at_a_table(scene)


def test_a_second_program_of_the_same_player_is_told_to_be_another(tmp_path: Path) -> None:
    """Two terminals on one machine, and nobody has thought of --data."""

    async def scene() -> None:
        name = title()
        async with on_the_lan(options(tmp_path, "Ada", "host", "rummy-no")) as (peer, _files):
            peer.open_table(NORWEGIAN, Guest("Ada"), Settings(name, 2))
            for wanted in (name, peer.address):
                error = await refused(options(tmp_path, "Ada", "join", wanted))
                assert error.exit_code == USAGE
                assert str(error).startswith("That table was opened by this very player")

    asyncio.run(scene())


# ---------------------------------------------------------------- a seat


def test_without_an_interface_a_table_is_joined_by_address(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async def scene(made: Party, _name: str) -> None:
        ada, words = made.peers[0], ["--auto", "normal", "--json"]
        guest = asyncio.create_task(
            network._join(options(tmp_path, "Bea", "join", address(made), *words, interface="nosuch0"))
        )
        await until(lambda: bool(ada.session and len(ada.session.seats) == 2 and ada.session.ready_to_start), ada)
        made.let_bots_play(ada)
        start(ada)
        assert await guest == OK

    at_a_table(scene)
    told = capsys.readouterr()
    assert told.err.startswith("rummy-p2p: No network interface can be used")
    assert {line["discovered_by"] for line in lines(told.out, "seated")} == {"address"}


def test_two_players_of_one_name_are_told_apart_and_bots_named_after_theirs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = title()
    words = ["--title", name, "--seats", "3", "--bots", "1", "--hands", "1", "--auto", "normal", "--json"]
    host = options(tmp_path, "Ada", "host", "rummy-no", *words)
    guest = options(tmp_path / "elsewhere", "Ada", "join", name, "--auto", "normal", "--json")
    assert asyncio.run(at_one_table(host, [guest])) == [OK, OK]
    assert lines(capsys.readouterr().out, "seated")[-1]["seats"] == ["Ada", "Bot 1 (Ada)", "Ada (2)"]


def test_the_first_open_table_of_our_rules_is_taken_when_none_is_named(tmp_path: Path) -> None:
    """Other tests may have tables of their own open; whichever is taken, it is one that is open."""

    async def scene(made: Party, _name: str) -> None:
        given = options(tmp_path, "Bea", "join")
        async with on_the_lan(given) as (peer, files):
            place, found_by = await network.find_everywhere(given, peer, files, catalogue(given))
            assert found_by == "mdns"
            assert place.pin
            assert made.peers[0].session

    at_a_table(scene)


# ---------------------------------------------------------------- the list


def test_the_list_of_tables_for_people_and_for_programs(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    async def scene(made: Party, name: str) -> None:
        words = ["tables", "--wait", "2"]
        assert await network._tables(options(tmp_path, "Bea", *words, "--json")) == OK
        found = msgspec.json.decode(capsysbinary.readouterr().out, type=dict[str, list[Row]])["tables"]
        [row] = [row for row in found if row.title == name]
        assert (row.game, row.house, row.state, row.host, row.rules) == ("rummy-no", (), "open", "Ada", "same")
        assert (row.seats.taken, row.seats.total, row.address) == (1, 2, address(made))
        assert row.address.endswith(f"#{row.pin}")
        assert await network._tables(options(tmp_path, "Bea", *words)) == OK
        assert f"{name:<20.20}  1/2 open      Ada" in capsysbinary.readouterr().out.decode()

    at_a_table(scene)


def test_a_list_without_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert network.tables(options(tmp_path, "Bea", "tables", "--wait", "0", interface="nosuch0")) == OK
    assert capsys.readouterr().out.startswith("No open table was seen in 0 s. Open one with: rummy-p2p host GAME")
