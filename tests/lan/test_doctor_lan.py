"""The doctor on real networks that are ill: each time the layer that fails, and what to do about it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.lan.commands import Line, Machine
from tests.lan.namespaces import lan

pytestmark = [pytest.mark.lan, pytest.mark.timeout(120)]

TABLE = ("host", "rummy-no", "--title", "LAN")
LISTENER = """
import socket
server = socket.create_server(("", 28660))
print(flush=True)
while True:
    stream, _ = server.accept()
    stream.recv(100)
    stream.sendall(b"HTTP/1.1 400 Bad Request\\r\\n\\r\\n")
    stream.close()
"""
HOLDER = """
import socket, sys
alone = socket.socket(type=socket.SOCK_DGRAM)
alone.bind(("", 5353))
print(flush=True)
sys.stdin.read()
"""


def failed(checks: dict[str, Line]) -> dict[str, str]:
    """Code and layer of what does not work; the terminal of a test is none."""
    return {code: check["layer"] for code, check in checks.items() if not check["ok"]}


def test_on_a_network_that_is_well_everything_works_from_layer_to_layer(tmp_path: Path) -> None:
    with lan(2) as net:
        ada, bea = Machine(net, tmp_path, 0, "Ada"), Machine(net, tmp_path, 1, "Bea")
        host = ada.play(*TABLE)
        host.until("open")
        checks = bea.doctor("LAN")
        assert failed(checks) == {}
        assert {"used", "port-shared", "multicast-heard", "seen", "listens", "called-back"} <= checks.keys()
        assert {"resolved", "same-network", "connected", "tls-pinned", "greeted", "rules-same"} <= checks.keys()
        assert checks["called-back"]["detail"] == "Ada could connect to port 28660 of this machine."
        host.process.terminate()


def test_nobody_there_is_no_illness(tmp_path: Path) -> None:
    with lan(1) as net:
        checks = Machine(net, tmp_path, 0, "Ada").doctor()
        assert failed(checks) == {}
        assert checks["nobody-to-ask"]["skipped"]
        assert "28660:28667" in checks["nobody-to-ask"]["fix"]
        assert checks["multicast-alone"]["layer"] == "multicast"


def test_a_machine_without_a_network(tmp_path: Path) -> None:
    with lan(1) as net:
        net.switch_off(0)
        checks = Machine(net, tmp_path, 0, "Ada").doctor()
        assert failed(checks) == {"loopback-only": "interface"}
        assert "Join a network" in checks["loopback-only"]["fix"]


def test_an_interface_without_multicast(tmp_path: Path) -> None:
    with lan(2, multicast=[True, False]) as net:
        ada, bea = Machine(net, tmp_path, 0, "Ada"), Machine(net, tmp_path, 1, "Bea")
        host = ada.play(*TABLE)
        address = host.until("open")["address"]
        checks = bea.doctor(address)
        assert failed(checks) == {"no-multicast-interface": "interface", "trouble": "neighbours"}
        assert {"connected", "tls-pinned", "greeted", "rules-same"} <= checks.keys()
        host.process.terminate()


def test_multicast_that_is_dropped_on_the_way_is_told_from_one_who_is_not_there(tmp_path: Path) -> None:
    with lan(2) as net:
        ada, bea = Machine(net, tmp_path, 0, "Ada"), Machine(net, tmp_path, 1, "Bea")
        host = ada.play(*TABLE, "--hands", "1")
        address = host.until("open")["address"]
        guest = bea.play("join", address)
        assert [guest.end(), host.end()] == [0, 0]
        net.drop_multicast(1)
        host = ada.play(*TABLE)
        host.until("open")
        checks = bea.doctor()
        assert failed(checks) == {"multicast-dropped": "multicast"}
        assert "Ada answers at 10.77.0.1 by TCP" in checks["multicast-dropped"]["detail"]
        assert checks["called-back"]["ok"]
        host.process.terminate()


def test_a_program_that_holds_port_5353_for_itself(tmp_path: Path) -> None:
    with lan(1) as net:
        other = net.run(0, [sys.executable, "-c", HOLDER], stdin=subprocess.PIPE)
        assert other.stdout is not None
        assert other.stdout.readline()
        checks = Machine(net, tmp_path, 0, "Ada").doctor()
        assert failed(checks) == {"port-taken": "port-5353", "trouble": "neighbours"}
        assert "End the program that holds it" in checks["port-taken"]["fix"]


def test_a_machine_that_is_off_or_kept_apart(tmp_path: Path) -> None:
    with lan(2) as net:
        net.isolate()
        checks = Machine(net, tmp_path, 1, "Bea").doctor("10.77.0.1:28660")
        assert failed(checks) == {"nobody-there": "tcp"}
        assert "AP isolation" in checks["nobody-there"]["fix"]


def test_a_machine_that_drops_what_comes(tmp_path: Path) -> None:
    """It is there, since its hardware answers, and no answer to TCP finds its way back."""
    with lan(2) as net:
        net.route(0, "blackhole", "10.77.0.2/32")
        checks = Machine(net, tmp_path, 1, "Bea").doctor("10.77.0.1:28660")
        assert failed(checks) == {"no-answer": "tcp"}
        assert "ufw: sudo ufw allow 28660:28667/tcp" in checks["no-answer"]["fix"]


def test_nobody_listens_there(tmp_path: Path) -> None:
    with lan(2) as net:
        bea = Machine(net, tmp_path, 1, "Bea")
        assert failed(bea.doctor("10.77.0.1:28660")) == {"refused": "tcp"}
        assert failed(bea.doctor("10.77.0.1")) == {"refused-all": "tcp"}


def test_there_is_no_way_to_another_network(tmp_path: Path) -> None:
    with lan(1) as net:
        checks = Machine(net, tmp_path, 0, "Ada").doctor("192.168.9.9:28660")
        assert failed(checks) == {"no-route": "route"}
        assert "the same Wi-Fi" in checks["no-route"]["fix"]


def test_a_vpn_that_takes_the_traffic(tmp_path: Path) -> None:
    with lan(2) as net:
        net.add_virtual(1, "tun0", "10.8.0.2/24")
        net.route(1, "10.77.0.1/32", "dev", "tun0", "src", "10.8.0.2")
        checks = Machine(net, tmp_path, 1, "Bea").doctor("10.77.0.1:28660")
        assert failed(checks) == {"through-vpn": "route"}
        assert "End the VPN" in checks["through-vpn"]["fix"]


def test_another_program_at_the_port(tmp_path: Path) -> None:
    with lan(2) as net:
        other = net.run(0, [sys.executable, "-c", LISTENER])
        assert other.stdout is not None
        assert other.stdout.readline()
        checks = Machine(net, tmp_path, 1, "Bea").doctor("10.77.0.1:28660")
        assert failed(checks) == {"no-tls": "tls"}


def test_the_program_at_the_address_is_another_one(tmp_path: Path) -> None:
    with lan(2) as net:
        ada, bea = Machine(net, tmp_path, 0, "Ada"), Machine(net, tmp_path, 1, "Bea")
        host = ada.play(*TABLE)
        address = host.until("open")["address"]
        checks = bea.doctor(address.partition("#")[0] + "#" + "ab" * 32)
        assert failed(checks) == {"wrong-pin": "tls"}
        host.process.terminate()
