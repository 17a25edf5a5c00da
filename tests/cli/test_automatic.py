"""``host`` and ``join`` with ``--auto``: what a script reads, and how they end."""

import asyncio
import hashlib
from pathlib import Path

import pytest

from rummy_p2p.cli import NETWORK, OK, automatic, local, network
from rummy_p2p.cli.automatic import play_automatically
from rummy_p2p.cli.local import catalogue
from rummy_p2p.node.carrying import NotSaved
from rummy_p2p.protocol import events as tell
from rummy_p2p.protocol.ledger import read_stream, write_stream
from rummy_p2p.protocol.messages import Ordered, read
from rummy_p2p.variants.manager import installed
from tests.cli.tables import at_one_table, lines, options, title
from tests.node.party import Party, open_table, party, seated_table, start, until
from tests.variants.plugins import plugin
from variants_plugins import chance


def test_two_programs_play_a_hand_and_say_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = title()
    host = options(tmp_path, "Ada", "host", "rummy-no", "--title", name, "--hands", "1", "--auto", "normal", "--json")
    guest = options(tmp_path, "Bea", "join", name, "--auto", "normal", "--json")
    assert asyncio.run(at_one_table(host, [guest])) == [OK, OK]
    out = capsys.readouterr().out
    assert {line["nick"] for line in lines(out, "open")} == {"Ada", "Bea"}
    assert all(line["title"] == name and line["pid"] for line in lines(out, "open"))
    assert {line["discovered_by"] for line in lines(out, "seated")} == {None, "mdns"}
    assert lines(out, "seated")[-1]["seats"] == ["Ada", "Bea"]
    for event in ("host", "deck", "hand"):
        first, second = lines(out, event)
        assert first == second
    hand = lines(out, "hand")[0]
    assert (hand["hand"], hand["audit"], set(hand["scores"])) == (1, "ok", {"Ada", "Bea"})
    assert hand["deck_commitment"] == lines(out, "deck")[0]["commitment"]
    ends = lines(out, "match")
    assert len({end["ledger_hash"] for end in ends}) == 1
    assert [end["over"] for end in ends] == [False, False]
    for end in ends:
        records = [
            message for message in read_stream(Path(end["ledger"]).read_bytes()) if isinstance(read(message), Ordered)
        ]
        assert hashlib.sha256(write_stream(records)).hexdigest() == end["ledger_hash"]


def test_without_json_it_is_told_in_sentences(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = title()
    host = options(tmp_path, "Ada", "host", "rummy-no", "--title", name, "--hands", "1", "--auto", "normal")
    guest = options(tmp_path, "Ada2", "join", name, "--auto", "normal")
    assert asyncio.run(at_one_table(host, [guest])) == [OK, OK]
    out = capsys.readouterr().out
    assert "You sit down as Ada. At the table: Ada. 1 seat is free." in out
    assert out.count("The deal of hand 1 was checked and is in order.") == 2
    assert out.count("The match is over; the winner:") == 2


async def seat(made: Party, index: int = 0) -> int:
    session = made.peers[index].session
    assert session is not None
    return await play_automatically(made.peers[index], session, "", talk=True)


async def in_play(made: Party, index: int) -> None:
    session = made.peers[index].session
    await until(lambda: bool(session and session.fold and session.fold.hand), made.peers[index])


def test_a_table_that_waits_too_long_is_given_up(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(automatic, "GIVE_UP_AFTER", 0.2)

    async def scene() -> int:
        async with party("Ada", "Bea") as made:
            await seated_table(made)
            start(made.peers[0])
            await in_play(made, 0)
            await made.peers[1].stop()
            return await seat(made)

    assert asyncio.run(scene()) == NETWORK
    out = capsys.readouterr().out
    assert lines(out, "paused")[-1]["players"] == ["Bea"]
    assert lines(out, "error")[-1]["code"] == "given-up"


def test_a_table_that_is_closed_ends_the_seat(capsys: pytest.CaptureFixture[str]) -> None:
    async def scene() -> int:
        async with party("Ada", "Bea") as made:
            await seated_table(made)
            made.peers[0].leave()
            return await seat(made, 1)

    assert asyncio.run(scene()) == NETWORK
    assert lines(capsys.readouterr().out, "error")[-1]["code"] == "table-closed"


def test_a_match_that_ends_before_its_time_ends_badly(capsys: pytest.CaptureFixture[str]) -> None:
    async def scene() -> int:
        async with party("Ada", "Bea") as made:
            await seated_table(made)
            start(made.peers[0])
            await in_play(made, 1)
            made.peers[1].leave()
            return await seat(made)

    assert asyncio.run(scene()) == NETWORK
    assert lines(capsys.readouterr().out, "match")[-1]["code"] == "too-few-players"


@pytest.mark.parametrize(
    ("event", "code"),
    [
        (NotSaved("The disk is full."), "not-saved"),
        (tell.HandVoid(1, "knob-failed", "The hand does not count.", None), "knob-failed"),
        (tell.FaultFound("two-votes", "A player voted for two hosts.", None), "two-votes"),
    ],
)
def test_what_goes_wrong_is_an_error_line(
    event: tell.TableEvent, code: str, capsys: pytest.CaptureFixture[str]
) -> None:
    async def scene() -> int:
        async with party("Ada") as made:
            open_table(made.peers[0], 2)
            made.peers[0].events.put_nowait(event)
            made.peers[0].events.put_nowait(tell.Resumed())
            made.peers[0].events.put_nowait(tell.TableClosed("table-lost", "It is gone."))
            return await seat(made)

    assert asyncio.run(scene()) == NETWORK
    out = capsys.readouterr().out
    assert [line["code"] for line in lines(out, "error")] == [code, "table-lost"]
    assert lines(out, "resumed") == [{"event": "resumed"}]


@pytest.mark.parametrize(("one", "other"), [("easy", "hard"), ("normal", "chance")])
def test_every_level_plays_through_the_session_that_of_a_plugin_too(
    one: str, other: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    sources = [
        *(source for source in installed() if source.name != "chance"),
        plugin("chance", rummy_bots=chance.rummy_bots),
    ]
    monkeypatch.setattr(local, "installed", lambda: tuple(sources))
    name = title()
    host = options(tmp_path, "Ada", "host", "gin", "--title", name, "--hands", "1", "--auto", one, "--json")
    guest = options(tmp_path, "Bea", "join", name, "--auto", other, "--json")
    assert asyncio.run(at_one_table(host, [guest])) == [OK, OK]
    assert [hand["audit"] for hand in lines(capsys.readouterr().out, "hand")] == ["ok", "ok"]


def test_a_level_that_does_not_exist(tmp_path: Path) -> None:
    for words in (["host", "rummy-no"], ["join"]):
        given = options(tmp_path, "Ada", *words, "--auto", "godlike")
        with pytest.raises(Exception, match="There is no level 'godlike'") as caught:
            network.strategy_of(given, catalogue(given))
        assert getattr(caught.value, "exit_code", None) == 2
