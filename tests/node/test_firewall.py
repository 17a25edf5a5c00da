"""The command that opens the ports, for the firewall that this system has."""

from pathlib import Path

import pytest

from rummy_p2p.node.firewall import Firewall, find_firewall, opening


def test_the_firewall_of_each_system(tmp_path: Path) -> None:
    assert find_firewall("win32") is Firewall.WINDOWS
    assert find_firewall("darwin") is Firewall.MACOS
    assert find_firewall("linux", tmp_path) is Firewall.OTHER
    (tmp_path / "run" / "firewalld").mkdir(parents=True)
    assert find_firewall("linux", tmp_path) is Firewall.FIREWALLD
    (tmp_path / "etc" / "ufw").mkdir(parents=True)
    (tmp_path / "etc" / "ufw" / "ufw.conf").write_text("# ufw\nENABLED=no\n", encoding="utf-8")
    assert find_firewall("linux", tmp_path) is Firewall.FIREWALLD
    (tmp_path / "etc" / "ufw" / "ufw.conf").write_text("ENABLED=yes\n", encoding="utf-8")
    assert find_firewall("linux", tmp_path) is Firewall.UFW


@pytest.mark.parametrize(
    ("firewall", "port", "command"),
    [
        (Firewall.UFW, 28661, "sudo ufw allow 28660:28667/tcp && sudo ufw allow 5353/udp"),
        (Firewall.UFW, 4000, "sudo ufw allow 4000/tcp && sudo ufw allow 5353/udp"),
        (Firewall.FIREWALLD, 28660, "sudo firewall-cmd --add-port=28660-28667/tcp --add-service=mdns"),
    ],
)
def test_the_command_opens_the_port_and_mdns(firewall: Firewall, port: int, command: str) -> None:
    assert opening(firewall, port) == command


@pytest.mark.parametrize("firewall", Firewall)
def test_every_firewall_has_a_command(firewall: Firewall) -> None:
    assert "{" not in opening(firewall, 28660)
