"""Which interfaces are used, as a table; and one look at the machine itself."""

from ipaddress import IPv4Network
from pathlib import Path

import ifaddr
import pytest

from rummy_p2p.node import interfaces
from rummy_p2p.node.interfaces import Choice, Interface, Reason, choose, scan

LO = Interface("lo", "127.0.0.1", 8, multicast=False)
ETH = Interface("eth0", "192.168.1.7", 24)
WIFI = Interface("wlan0", "10.0.0.3", 16)
DOWN = Interface("eth1", "192.168.2.7", 24, up=False)
MUTE = Interface("eth2", "192.168.3.7", 24, multicast=False)
VETH = Interface("veth1a2b", "172.20.0.1", 16)
BRIDGE = Interface("br0", "192.168.4.1", 24)


@pytest.mark.parametrize(
    ("found", "asked", "used"),
    [
        ([LO, ETH], [], [ETH]),
        ([LO, ETH, WIFI], [], [ETH, WIFI]),
        ([LO], [], [LO]),
        ([LO, DOWN, VETH], [], [LO]),
        ([LO, MUTE], [], []),
        ([LO, BRIDGE], [], [BRIDGE]),
        ([], [], []),
        ([LO, ETH], ["lo"], [LO]),
        ([LO, ETH], ["127.0.0.1"], [LO]),
        ([LO, ETH, VETH], ["veth1a2b"], [VETH]),
        ([LO, ETH, WIFI], ["10.0.0.3"], [WIFI]),
        ([LO, ETH, WIFI], ["eth0", "lo"], [LO, ETH]),
        ([LO, ETH], ["eth9"], []),
        ([LO, DOWN], ["eth1"], []),
        ([LO, MUTE], ["eth2"], []),
    ],
)
def test_what_is_used(found: list[Interface], asked: list[str], used: list[Interface]) -> None:
    choice = choose(found, asked)
    assert list(choice.used) == used
    assert choice.addresses == tuple(each.address for each in used)
    assert {each for each, _ in choice.rejected} == set(found) - set(used)


@pytest.mark.parametrize(
    "name",
    ["docker0", "br-0123456789ab", "veth12", "virbr0", "tun0", "tap1", "wg0", "ztabcdef", "tailscale0", "Tailscale"],
)
def test_what_leads_elsewhere_is_not_used(name: str) -> None:
    virtual = Interface(name, "172.17.0.1", 16)
    assert choose([ETH, virtual]) == Choice((ETH,), ((virtual, Reason.VIRTUAL),))


def test_every_rejected_interface_has_its_reason() -> None:
    choice = choose([LO, ETH, DOWN, MUTE, VETH])
    assert dict(choice.rejected) == {
        LO: Reason.LOOPBACK,
        DOWN: Reason.DOWN,
        MUTE: Reason.NO_MULTICAST,
        VETH: Reason.VIRTUAL,
    }
    assert dict(choose([LO, ETH], ["lo"]).rejected) == {ETH: Reason.NOT_ASKED}


def test_missing_multicast_is_told_from_missing_interfaces() -> None:
    assert choose([LO, MUTE]).without_multicast
    assert not choose([MUTE, ETH]).without_multicast
    assert not choose([]).without_multicast


def test_an_interface_knows_its_network() -> None:
    assert WIFI.network == IPv4Network("10.0.0.0/16")


def test_the_machine_has_a_loopback() -> None:
    found = scan()
    assert any(each.is_loopback for each in found)
    assert choose(found, ["127.0.0.1"]).addresses == ("127.0.0.1",)


def test_flags_are_read_where_linux_shows_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, flags in (("eth0", "0x1003"), ("eth1", "0x1002"), ("eth2", "0x3"), ("eth3", "what")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "flags").write_text(flags + "\n", encoding="ascii")
    names = ["eth0", "eth0:1", "eth1", "eth2", "eth3", "en0"]
    adapters = [
        ifaddr.Adapter(name, name, [ifaddr.IP(f"10.0.0.{n}", 24, name), ifaddr.IP(("fe80::1", 0, 2), 64, name)])
        for n, name in enumerate(names, 1)
    ]
    monkeypatch.setattr(interfaces, "_SYSTEM", tmp_path)
    monkeypatch.setattr(ifaddr, "get_adapters", lambda: adapters)
    assert {each.name: (each.up, each.multicast) for each in scan()} == {
        "eth0": (True, True),
        "eth0:1": (True, True),
        "eth1": (False, True),
        "eth2": (True, False),
        "eth3": (True, True),
        "en0": (True, True),
    }


def test_ipv6_is_listened_at_and_decides_nothing() -> None:
    eth, link, far, lo = (
        Interface("eth0", "192.168.1.7", 24),
        Interface("eth0", "fe80::1%eth0", 64),
        Interface("tun0", "fd00::1", 64),
        Interface("lo", "::1", 128),
    )
    choice = choose([eth, link, far, lo])
    assert (choice.addresses, choice.addresses6) == (("192.168.1.7",), ("fe80::1%eth0",))
    assert choice.listening == ("192.168.1.7", "fe80::1%eth0")
    assert [reason for _, reason in choice.rejected] == []
    assert choose([link]).addresses6 == ("fe80::1%eth0",)  # a network without IPv4 is joined by address
    assert choose([eth, link], ["eth1"]).listening == ()


def test_an_interface_without_multicast_is_listened_at_all_the_same() -> None:
    mute = Interface("eth0", "192.168.1.7", 24, multicast=False)
    choice = choose([mute, Interface("lo", "127.0.0.1", 8)])
    assert (choice.used, choice.linked, choice.listening) == ((), (mute,), ("192.168.1.7",))


def test_an_address_of_one_link_has_its_zone(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [ifaddr.IP(("fe80::1", 0, 2), 64, "eth0"), ifaddr.IP(("fd00::1", 0, 0), 64, "eth0")]
    monkeypatch.setattr(ifaddr, "get_adapters", lambda: [ifaddr.Adapter("eth0", "eth0", found)])
    assert [each.address for each in scan()] == ["fd00::1", "fe80::1%eth0"]
    assert all(each.is_ipv6 and not each.is_loopback for each in scan())
