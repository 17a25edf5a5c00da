"""Real programs on a LAN of namespaces find each other, play a whole match and hold the same ledger."""

from __future__ import annotations

from pathlib import Path

import pytest

from rummy_p2p.protocol.verify import verify
from tests.lan.namespaces import Lan, lan
from tests.lan.programs import NICKS, Line, Program

pytestmark = [pytest.mark.lan, pytest.mark.timeout(180)]

LONG = 150.0  # a match of several hands on a machine that has other things to do
TABLE = ("--house", "limit=8", "--seats", "3", "--title", "LAN")


def sits(net: Lan, folder: Path, i: int, *words: str) -> Program:
    return Program(net, folder, i, *words, patience=LONG)


def play(programs: list[Program]) -> list[Line]:
    """Wait for the end of the match at all of them; what they tell of it must be the same."""
    ends = [program.until("match") for program in programs]
    assert [program.end() for program in programs] == [0] * len(programs)
    assert len({end["ledger_hash"] for end in ends}) == 1
    for program in programs:
        hands = program.all("hand")
        assert hands
        assert [hand["audit"] for hand in hands] == ["ok"] * len(hands)
        assert hands == programs[0].all("hand")
        report = verify(Path(program.until("match")["ledger"]).read_bytes())
        assert (report.ok, report.hands) == (True, len(hands))
    return ends


def test_three_machines_find_each_other_and_play_a_whole_match(tmp_path: Path) -> None:
    with lan(3) as net:
        programs = [sits(net, tmp_path, 0, "host", "rummy-no", *TABLE)]
        programs += [sits(net, tmp_path, i, "join", "LAN") for i in (1, 2)]
        assert {program.until("seated")["discovered_by"] for program in programs} == {None, "mdns"}
        ends = play(programs)
        assert all(end["over"] and end["winner"] in NICKS and end["terms"] == 1 for end in ends)
        address = programs[0].until("open")["address"]
        assert address.startswith("rummy://10.77.0.1:")


def test_one_without_multicast_joins_by_address_and_plays_with_the_others(tmp_path: Path) -> None:
    with lan(3, multicast=[True, True, False]) as net:
        host = sits(net, tmp_path, 0, "host", "rummy-no", *TABLE)
        address = host.until("open")["address"]
        bea, cem = sits(net, tmp_path, 1, "join", "LAN"), sits(net, tmp_path, 2, "join", address)
        assert bea.until("seated")["discovered_by"] == "mdns"
        assert cem.until("seated")["discovered_by"] == "address"
        play([host, bea, cem])
        assert cem.errors().startswith("rummy-p2p: The network interface carries no multicast (eth0: ")


@pytest.mark.nightly  # a silent link is noticed after 20 s
def test_a_cable_that_is_out_for_a_moment_pauses_the_match_and_it_goes_on(tmp_path: Path) -> None:
    with lan(2) as net:
        host = sits(net, tmp_path, 0, "host", "rummy-no", "--house", "limit=20", "--title", "LAN")
        bea = sits(net, tmp_path, 1, "join", "LAN")
        host.until("hand")
        net.link_down(1)
        assert bea.until("paused")["players"] == ["Ada"]
        assert host.until("paused")["players"] == ["Bea"]
        net.link_up(1)
        host.until("resumed")
        play([host, bea])
