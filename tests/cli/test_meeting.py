"""Who is who: words on both screens, the first key under a name, and people that are blocked."""

import json
from pathlib import Path

import pytest

from rummy_p2p.cli import CommandError, main
from rummy_p2p.cli.lan import _blocked
from rummy_p2p.cli.meeting import Meeting, require_known
from rummy_p2p.node.peer import Peer
from rummy_p2p.node.seat import NetworkSeat
from rummy_p2p.people import People
from rummy_p2p.protocol.errors import ProtocolError
from rummy_p2p.protocol.text import shared_words
from rummy_p2p.store import Paths, Store
from tests.node.party import address_of, open_table, party, played, sit_down, until
from tests.node.test_seat import told

OTHER = b"x" * 32


def files(folder: Path, peer: Peer) -> Store:
    return Store(Paths.of(folder / peer.nick))


def test_both_screens_show_the_same_three_words(tmp_path: Path) -> None:
    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            ada, bea = made.peers
            host = NetworkSeat(ada, open_table(ada, 2))
            ada.listen(Meeting(ada, files(tmp_path, ada), host.answer))
            require_known(bea, files(tmp_path, bea), "Ada", ada.identity.player_id)
            guest = NetworkSeat(bea, await sit_down(bea, ada))
            words = shared_words(ada.identity.player_id, bea.identity.player_id)
            assert f"words: {words}." in await told(host, "You and Bea should both see")
            assert host.facts().people == (("Bea", words),)
            assert guest.facts().people == (("Ada", words),)
            assert [each.nick for each in People(files(tmp_path, ada).paths).known()] == ["Bea"]

    played(scene)


def test_another_key_under_a_known_name_is_refused_and_told(tmp_path: Path) -> None:
    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            ada, bea = made.peers
            store = files(tmp_path, ada)
            People(store.paths).meet("Bea", OTHER, 1)
            with pytest.raises(CommandError, match="Bea is known here with another key: before, you both saw"):
                require_known(ada, store, "Bea", bea.identity.player_id)
            host = NetworkSeat(ada, open_table(ada, 2))
            ada.listen(Meeting(ada, store, host.answer))
            await sit_down(bea, ada)
            await told(host, "Bea is known here with another key")
            assert [each.key for each in People(store.paths).known()] == [OTHER], "it is not believed by that"

    played(scene)


def test_with_whom_is_blocked_there_is_no_link_no_seat_and_no_chat(tmp_path: Path) -> None:
    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            ada, bea = made.peers
            store = files(tmp_path, ada)
            people = People(store.paths)
            host = NetworkSeat(ada, open_table(ada, 3))
            guest = NetworkSeat(bea, await sit_down(bea, ada))
            people.meet("Bea", bea.identity.player_id, 1)
            people.block("Bea", blocked=True)
            ada.is_blocked = _blocked(store)
            heard: list[object] = []
            ada.listen(heard.append)
            guest.commands()["chat"][1]("you do not read this")
            await until(lambda: bool(heard), ada)
            host.commands()["chat"][1]("the end")
            lines: list[str] = []
            while not lines or "the end" not in lines[-1]:
                item = await host.next()
                lines.append(getattr(item, "text", ""))
            assert not any("you do not read this" in line for line in lines)
            with pytest.raises(CommandError, match="You have blocked Bea"):
                require_known(ada, store, "Bea", bea.identity.player_id)
            bea.rise()
            await until(lambda: not ada._links, ada)
            with pytest.raises(ProtocolError, match=r"does not want this connection|ended the connection"):
                await bea.ask(address_of(ada))
            assert not ada._links

    played(scene)


def test_a_list_that_cannot_be_read_blocks_nobody_and_stops_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store = Store(Paths.of(tmp_path))
    People(store.paths).path.mkdir(parents=True)
    assert not _blocked(store)(OTHER)

    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            ada, bea = made.peers
            ada.listen(Meeting(ada, store, lambda _line: None))
            open_table(ada, 2)
            await sit_down(bea, ada)

    played(scene)
    assert "Bea was not written down" in caplog.text


def people(folder: Path, *words: str) -> int:
    return main(["people", *words, "--data", str(folder)])


def test_the_command_shows_forgets_and_blocks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert people(tmp_path) == 0
    assert "Nobody is known here yet." in capsys.readouterr().out
    known = People(Paths.of(tmp_path))
    known.meet("Ada", OTHER, 1)
    assert people(tmp_path, "block", "ada") == 0
    assert people(tmp_path) == 0
    assert "(blocked)" in capsys.readouterr().out
    assert people(tmp_path, "--json") == 0
    (row,) = json.loads(capsys.readouterr().out)["people"]
    assert (row["nick"], row["id"], row["blocked"], len(row["words"].split())) == ("Ada", OTHER.hex(), True, 3)
    assert people(tmp_path, "unblock", "Ada") == 0
    assert people(tmp_path) == 0
    assert "(blocked)" not in capsys.readouterr().out
    assert people(tmp_path, "forget", "Ada") == 0
    assert "is forgotten" in capsys.readouterr().out
    assert known.known() == ()


@pytest.mark.parametrize(
    ("words", "sentence"), [(["forget", "Ada"], "Nobody called Ada is known here."), (["block"], "people block NAME")]
)
def test_what_is_not_understood_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], sentence: str
) -> None:
    assert people(tmp_path, *words) == 2
    assert sentence in capsys.readouterr().err


def test_a_list_that_cannot_be_used_ends_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    People(Paths.of(tmp_path)).path.mkdir(parents=True)
    assert people(tmp_path) == 1
    assert "could not be used" in capsys.readouterr().err
