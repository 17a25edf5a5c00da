"""The way to an address, and whether a machine is there."""

from pathlib import Path

import pytest

from rummy_p2p.node.interfaces import Choice, Interface, Reason
from rummy_p2p.node.routes import Presence, Route, is_near, presence, route_to

LO = Interface("lo", "127.0.0.1", 8)
ETH = Interface("eth0", "192.168.1.7", 24)
TUN = Interface("tun0", "10.8.0.2", 24)
ARP = """IP address       HW type     Flags       HW address            Mask     Device
192.168.1.1      0x1         0x2         2e:0f:aa:bb:cc:dd     *        eth0
192.168.1.9      0x1         0x0         00:00:00:00:00:00     *        eth0
"""


def test_the_way_to_this_machine_is_the_loopback() -> None:
    assert route_to("127.0.0.1", Choice((LO,))) == Route("127.0.0.1", LO)
    assert route_to("127.0.0.1", Choice((), ((LO, Reason.LOOPBACK),))).interface == LO
    assert route_to("no address", Choice()) == Route(None)
    assert route_to("::1", Choice()).source in ("::1", None)


def test_a_way_through_a_vpn_is_known_by_its_interface() -> None:
    assert Route("10.8.0.2", TUN).is_virtual
    assert not Route("192.168.1.7", ETH).is_virtual
    assert not Route("192.168.1.7").is_virtual


@pytest.mark.parametrize(
    ("address", "near"), [("192.168.1.9", True), ("192.168.2.9", False), ("fe80::1%eth0", True), ("fd00::1", False)]
)
def test_what_is_on_the_own_network(address: str, *, near: bool) -> None:
    assert is_near(address, Choice((ETH,))) is near


def test_whether_its_hardware_answers(tmp_path: Path) -> None:
    table = tmp_path / "arp"
    table.write_text(ARP, encoding="ascii")
    assert presence("192.168.1.1", table) is Presence.THERE
    assert presence("192.168.1.9", table) is Presence.SILENT
    assert presence("192.168.1.5", table) is Presence.UNKNOWN
    assert presence("192.168.1.1", tmp_path / "none") is Presence.UNKNOWN
