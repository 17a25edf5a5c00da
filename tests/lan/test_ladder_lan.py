"""Every way in which two machines may miss each other by themselves, and how they come to play all the same."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from rummy_p2p.protocol.joincode import HOME_PORTS, join_code
from tests.lan.commands import Machine, Program
from tests.lan.namespaces import Lan, lan

pytestmark = [pytest.mark.lan, pytest.mark.timeout(180)]

TABLE = ("host", "rummy-no", "--title", "LAN", "--hands", "1")


def two(net: Lan, folder: Path) -> tuple[Machine, Machine]:
    return Machine(net, folder, 0, "Ada"), Machine(net, folder, 1, "Bea")


def played(host: Program, guest: Program) -> None:
    """Both play the hand to its end."""
    for program in (host, guest):
        assert program.until("hand")["audit"] == "ok"
    assert [host.end(), guest.end()] == [0, 0]


def test_a_peer_on_the_second_interface_is_found_and_played_with(tmp_path: Path) -> None:
    with lan(2) as net:
        net.second_network(0, 1)
        net.switch_off(1)
        ada, bea = two(net, tmp_path)
        host = ada.play(*TABLE)
        assert host.until("open")["address"].startswith("rummy://10.77.0.1:")
        guest = bea.play("join", "LAN")
        assert guest.until("seated")["discovered_by"] == "mdns"
        played(host, guest)


def test_containers_and_tunnels_are_left_alone(tmp_path: Path) -> None:
    with lan(2) as net:
        for name, network in (("docker0", "172.17.0.1/16"), ("br-5f2a", "172.18.0.1/16"), ("tun0", "10.8.0.2/24")):
            net.add_virtual(0, name, network)
        ada, bea = two(net, tmp_path)
        host = ada.play(*TABLE)
        assert host.until("open")["address"].startswith("rummy://10.77.0.1:")
        played(host, bea.play("join", "LAN"))
        rejected = [check for check in ada.answer("doctor", "--wait", "0.5")["checks"] if check["code"] == "not-used"]
        assert {"docker0", "br-5f2a", "tun0", "lo"} == {check["detail"].split()[0] for check in rejected}
        assert "container, a virtual machine or a VPN" in " ".join(check["detail"] for check in rejected)


def test_an_interface_that_comes_up_later_is_used(tmp_path: Path) -> None:
    with lan(2) as net:
        net.switch_off(1)
        ada, bea = two(net, tmp_path)
        host = ada.play(*TABLE)
        host.until("open")
        guest = bea.play("join", "LAN", "--wait", "40")
        time.sleep(3)  # it has looked round, and there was nothing
        net.give(1, "10.77.0.2/24")
        net.switch_on(1)
        assert guest.until("seated")["discovered_by"] == "mdns"
        played(host, guest)


def test_without_multicast_a_code_a_walk_and_the_memory_lead_to_the_table(tmp_path: Path) -> None:
    with lan(2, multicast=[True, False]) as net:
        ada, bea = two(net, tmp_path)
        host = ada.play(*TABLE)
        address = host.until("open")["address"]
        port, pin = int(address.split(":")[2].split("#")[0]), bytes.fromhex(address.partition("#")[2])
        assert port == HOME_PORTS[0]
        code = join_code("10.77.0.1", port, pin)
        assert code is not None
        guest = bea.play("join", code)
        assert guest.until("seated")["discovered_by"] == "code"
        played(host, guest)

        host = ada.play(*TABLE)
        host.until("open")
        guest = bea.play("join", "LAN")
        assert guest.until("seated")["discovered_by"] == "remembered"
        played(host, guest)
        assert "Trying those from last time: Ada." in guest.errors()


def test_a_walk_along_the_network_finds_the_table(tmp_path: Path) -> None:
    with lan(2, multicast=[True, False]) as net:
        ada, bea = two(net, tmp_path)
        host = ada.play(*TABLE)
        host.until("open")
        [table] = bea.answer("tables", "--scan", "--wait", "0.2")["tables"]
        assert (table["title"], table["host"], table["rules"]) == ("LAN", "Ada", "same")
        assert table["address"].startswith("rummy://10.77.0.1:28660#")
        (tmp_path / "Bea" / "state" / "peers.json").unlink(missing_ok=True)
        guest = bea.play("join", "LAN", "--scan")
        assert guest.until("seated")["discovered_by"] == "scan"
        played(host, guest)
        assert "Searching 10.77.0.0/24" in guest.errors()


def test_a_host_that_gets_another_address_is_found_at_the_new_one(tmp_path: Path) -> None:
    with lan(2) as net:
        ada, bea = two(net, tmp_path)
        host = ada.play(*TABLE)
        host.until("open")
        net.take(0, "10.77.0.1/24")
        net.give(0, "10.77.0.101/24")
        guest = bea.play("join", "LAN", "--wait", "40")
        assert guest.until("seated")["discovered_by"] == "mdns"
        played(host, guest)


def test_ipv6_is_joined_by_address(tmp_path: Path) -> None:
    with lan(2) as net:
        net.give(0, "fd77::1/64")
        net.give(1, "fd77::2/64")
        ada, bea = two(net, tmp_path)
        host = ada.play(*TABLE)
        address = host.until("open")["address"].replace("10.77.0.1", "[fd77::1]")
        guest = bea.play("join", address)
        assert guest.until("seated")["discovered_by"] == "address"
        played(host, guest)


def test_isolated_machines_are_told_so(tmp_path: Path) -> None:
    with lan(2) as net:
        net.isolate()
        ada, bea = two(net, tmp_path)
        host = ada.play(*TABLE)
        address = host.until("open")["address"]
        alone = bea.play("join", "LAN", "--wait", "3")
        assert alone.end() == 3
        assert "rummy-p2p doctor tells what is in the way" in alone.errors()
        checks = bea.doctor(address)
        assert not checks["nobody-there"]["ok"]
        assert "AP isolation" in checks["nobody-there"]["fix"]
        assert checks["nobody-there"]["layer"] == "tcp"
        host.process.terminate()


@pytest.mark.nightly  # a silent link is noticed after 20 s
def test_an_address_that_changes_in_the_middle_of_a_match_pauses_it_and_it_goes_on(tmp_path: Path) -> None:
    with lan(2) as net:
        ada, bea = two(net, tmp_path)
        host = ada.play("host", "rummy-no", "--title", "LAN", "--house", "limit=20")
        guest = bea.play("join", "LAN")
        host.until("hand")
        net.take(1, "10.77.0.2/24")
        net.give(1, "10.77.0.102/24")
        host.until("paused")
        host.until("resumed")
        for program in (host, guest):
            assert program.until("match", seconds=150)["over"]
        assert [host.end(), guest.end()] == [0, 0]
