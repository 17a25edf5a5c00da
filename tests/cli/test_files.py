"""verify: a ledger file, or what is none."""

import asyncio
import json
from pathlib import Path

import pytest

from rummy_p2p.cli import ERROR, OK, USAGE, main
from rummy_p2p.protocol.events import MatchOver
from tests.node.party import heard, party, seated_table, start


@pytest.fixture(scope="module")
def ledger() -> bytes:
    """The ledger of a hand that bots have played."""

    async def scene() -> bytes:
        async with party("Ada", "Bea") as made:
            await seated_table(made)
            made.let_bots_play(*made.peers)
            start(made.peers[0])
            await heard(made.peers[0], MatchOver)
            return made.saved["Ada0"]

    return asyncio.run(scene())


def test_a_ledger_that_is_in_order(ledger: bytes, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    (tmp_path / "match.ledger").write_bytes(ledger)
    assert main(["verify", str(tmp_path / "match.ledger")]) == OK
    assert capfdbinary.readouterr().out.decode().endswith(" records, 1 hand: in order.\n")
    assert main(["verify", str(tmp_path / "match.ledger"), "--json"]) == OK
    found = json.loads(capfdbinary.readouterr().out)
    assert (found["ok"], found["hands"], found["problems"]) == (True, 1, [])


def test_a_ledger_that_was_changed(ledger: bytes, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    place = len(ledger) // 2
    (tmp_path / "match.ledger").write_bytes(ledger[:place] + bytes([ledger[place] ^ 1]) + ledger[place + 1 :])
    assert main(["verify", str(tmp_path / "match.ledger")]) == ERROR
    first, last = capfdbinary.readouterr().out.decode().splitlines()
    assert first.startswith("record ")
    assert last.endswith("NOT in order.")
    assert main(["verify", str(tmp_path / "match.ledger"), "--json"]) == ERROR
    [problem] = json.loads(capfdbinary.readouterr().out)["problems"]
    assert f"record {problem['seq']}: {problem['sentence']} ({problem['code']})" == first


@pytest.mark.parametrize("data", [b"", b"\0", b"\0\0\0\1x", b"PK\3\4" * 100, bytes(1000)])
def test_what_is_no_ledger(data: bytes, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    (tmp_path / "match.ledger").write_bytes(data)
    assert main(["verify", str(tmp_path / "match.ledger"), "--json"]) == ERROR
    found = json.loads(capfdbinary.readouterr().out)
    assert (found["ok"], found["records"], len(found["problems"])) == (False, 0, 1)


def test_a_ledger_whose_plugins_are_not_here_is_checked_by_the_rules_in_it(
    ledger: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RUMMY_P2P_LOAD_PLUGINS", "")
    (tmp_path / "match.ledger").write_bytes(ledger)
    assert main(["verify", str(tmp_path / "match.ledger")]) == OK


def test_a_file_that_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(tmp_path / "none")]) == USAGE
    assert capsys.readouterr().err == (
        f"rummy-p2p: The ledger {tmp_path / 'none'} cannot be read: No such file or directory.\n"
    )
