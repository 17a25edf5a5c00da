"""This program on the LAN: what is set up from the options, and how refusals end a command."""

import asyncio
import logging
from pathlib import Path

import pytest

from rummy_p2p.cli import ERROR, NETWORK, RULES, USAGE, CommandError
from rummy_p2p.cli.lan import exit_code_of, on_the_lan, refusals, run
from rummy_p2p.protocol.errors import NetworkError, ProtocolError, RemoteProtocolError
from rummy_p2p.protocol.faults import Refusal
from rummy_p2p.store import Store, StoreError
from tests.cli.tables import options


async def there(folder: Path, *words: str) -> tuple[str, str, bytes, bytes]:
    async with on_the_lan(options(folder, "Ada", "tables", *words)) as (peer, files):
        assert isinstance(files, Store)
        return peer.nick, peer.address, peer.identity.player_id, peer.transport.fingerprint


def test_identity_and_certificate_stay_from_one_time_to_the_next(tmp_path: Path) -> None:
    first, second = asyncio.run(there(tmp_path)), asyncio.run(there(tmp_path))
    assert first[0] == "Ada"
    assert first[2:] == second[2:]
    assert first[1].startswith("rummy://127.0.0.1:")


def test_what_the_player_has_written_into_the_config_holds_when_nothing_is_said(tmp_path: Path) -> None:
    folder = tmp_path / "ada" / "config"
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text('nick = "Bea"\ninterface = "lo"\nport = 0\n', encoding="utf-8")

    async def scene() -> None:
        given = options(tmp_path, "Ada", "tables")
        given.nick = given.interface = None
        async with on_the_lan(given) as (peer, _files):
            assert peer.nick == "Bea"
            assert peer.discovery.choice.addresses == ("127.0.0.1",)

    asyncio.run(scene())


def test_the_log_is_taken_back(tmp_path: Path) -> None:
    before = list(logging.getLogger().handlers)
    asyncio.run(there(tmp_path, "--log-level", "info"))
    after = [each for each in logging.getLogger().handlers if not isinstance(each, logging.NullHandler)]
    assert after == [each for each in before if not isinstance(each, logging.NullHandler)]


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (NetworkError("port-taken", port=1, address="127.0.0.1"), NETWORK),
        (RemoteProtocolError("version-mismatch", older=1, newer=2), RULES),
        (Refusal("rules-mismatch", differs=""), RULES),
        (Refusal("table-full"), NETWORK),
        (ProtocolError("own-address"), USAGE),
        (StoreError("disk-full", path="x"), ERROR),
    ],
)
def test_what_is_refused_ends_the_command_with_its_sentence(error: Exception, code: int) -> None:
    async def work() -> int:
        raise error

    with pytest.raises(CommandError) as caught:
        run(work())
    assert caught.value.exit_code == code
    assert caught.value.__cause__ is error


def test_what_is_not_refused_goes_through() -> None:
    async def work() -> str:
        return "done"

    assert run(work()) == "done"
    with pytest.raises(CommandError, match="as it was"), refusals():
        raise CommandError("as it was")
    assert exit_code_of("table-closed") == NETWORK
