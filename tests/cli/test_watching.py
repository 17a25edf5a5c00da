"""watch, and join at a table in play, on the loopback interface."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from rummy_p2p.cli import NETWORK, OK, USAGE, CommandError, watching
from rummy_p2p.cli.finding import look_on_at
from rummy_p2p.cli.lan import on_the_lan, refusals
from rummy_p2p.cli.local import catalogue
from rummy_p2p.cli.network import _host, plan, sit_down
from rummy_p2p.node.places import Address
from rummy_p2p.node.tls import Pin
from rummy_p2p.protocol.forming import Guest, Phase
from rummy_p2p.protocol.settings import Settings
from tests.cli.tables import lines, options, title
from tests.cli.test_network import at_a_table
from tests.node.party import RULES, Party, address_of, party, played, start, until
from tests.node.party import sit_down as take_seat


async def watched(tmp_path: Path, nick: str, *words: str) -> int:
    with refusals():
        async with asyncio.timeout(50):
            return await watching._watch(options(tmp_path, nick, "watch", *words))


def test_a_program_looks_on_and_says_what_the_players_say(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = title()
    words = ("--hands", "1", "--auto", "normal", "--json")
    host = options(tmp_path, "Ada", "host", "rummy-no", "--title", name, *words)

    async def scene() -> list[int]:
        playing = asyncio.create_task(_host(host))
        looking = asyncio.create_task(watched(tmp_path, "Gus", name, "--json"))
        await asyncio.wait({looking}, timeout=2.0)  # it has to be there first
        from rummy_p2p.cli.network import _join

        joining = asyncio.create_task(_join(options(tmp_path, "Bea", "join", name, "--auto", "normal", "--json")))
        return list(await asyncio.gather(playing, looking, joining))

    assert asyncio.run(scene()) == [OK, OK, OK]
    out = capsys.readouterr().out
    assert lines(out, "watching")[0]["title"] == name
    assert len({end["ledger_hash"] for end in lines(out, "match")}) == 1
    assert len(lines(out, "match")) == 3
    first, second, third = lines(out, "hand")
    assert first == second == third


def test_who_may_not_look_on_is_told_so(tmp_path: Path) -> None:
    async def scene(made: Party, _name: str) -> None:
        session = made.peers[0].session
        assert session is not None
        made.peers[0].rise()
        made.peers[0].open_table(RULES, Guest("Ada"), Settings("Friday", 2, 1, spectators="no"))
        with pytest.raises(CommandError) as refused:
            await watched(tmp_path, "Gus", made.peers[0].address, "--json")
        assert refused.value.exit_code == NETWORK
        assert str(refused.value).startswith("The players of this table want nobody to look on.")

    at_a_table(scene)


def test_who_joins_in_the_middle_of_a_match_looks_on_and_gets_a_seat_later(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def scene(made: Party, _name: str) -> None:
        ada, bea = made.peers
        await take_seat(bea, ada)
        bea.do(lambda table, now: table.ready(now))
        await until(lambda: ada.session is not None and ada.session.ready_to_start, ada, bea)
        start(ada)
        given = options(tmp_path, "Cem", "join", ada.address)
        async with on_the_lan(given) as (peer, files):
            session = await sit_down(given, catalogue(given), peer, files, Address(*_place(address_of(ada))))
            assert session.watches
            assert session.phase is Phase.PLAYING
            peer.rise()
        assert "in the middle of a match: you look on" in capsys.readouterr().out

    at_a_table(scene, "Bea")


def _place(address: Address) -> tuple[tuple[str, ...], int, Pin | None]:
    return address.hosts, address.port, address.pin


def test_the_options_of_a_table_say_who_may_look_on_and_how_long_one_waits(tmp_path: Path) -> None:
    given = options(tmp_path, "Ada", "host", "rummy-no", "--spectators", "quiet", "--grace", "90", "--deal", "host")
    _rules, settings = plan(given)
    assert (settings.spectators, settings.grace) == ("quiet", 90)
    with pytest.raises(CommandError) as refused:
        plan(options(tmp_path, "Ada", "host", "rummy-no", "--grace", "0", "--deal", "host"))
    assert refused.value.exit_code == USAGE
    assert str(refused.value) == "A player who is gone can be waited for from 1 to 86400 seconds. Choose with --grace."


def test_who_comes_in_the_middle_of_a_hand_waits_for_the_next_where_the_table_wants_that(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("rummy_p2p.cli.finding.LET_IN_AGAIN_AFTER", 0.05)
    told: list[str] = []

    async def scene() -> None:
        async with party("Ada", "Bea", "Cem") as made:
            ada, bea, gus = made.peers
            session = ada.open_table(RULES, Guest("Ada"), Settings("Friday", 2, 20, spectators="next-hand"))
            await take_seat(bea, ada)
            bea.do(lambda table, now: table.ready(now))
            await until(lambda: session.ready_to_start, ada)
            start(ada)
            await until(lambda: session.fold is not None and session.fold.hand is not None, ada)
            offer = await gus.ask(address_of(ada))
            looking = asyncio.create_task(look_on_at(gus, offer, RULES, told.append))
            await until(lambda: bool(told), ada, gus)
            assert not looking.done()
            made.let_bots_play(ada, bea)
            assert (await looking).let_in

    played(scene)
    assert told == [
        "At this table nobody is let in to look on in the middle of a hand. You will be let in with the next one."
    ]
