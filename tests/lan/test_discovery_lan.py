"""Real programs on a LAN of namespaces find each other, lose each other, and say why when they cannot."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.lan.namespaces import Lan, lan
from tests.lan.watching import Picture, Watcher

pytestmark = pytest.mark.lan

ROOT = Path(__file__).resolve().parents[2]
NICKS = ("Ada", "Bea", "Cem")


def peer_on(net: Lan, i: int) -> Watcher:
    return Watcher(net, i, NICKS[i])


def sees(*others: int) -> Callable[[Picture], bool]:
    wanted = {NICKS[i]: f"10.77.0.{i + 1}" for i in others}
    return lambda picture: picture["live"] == wanted


def test_three_machines_see_each_other_and_the_leaving_one_is_gone(
    record_property: Callable[[str, object], None],
) -> None:
    with lan(3) as net:
        first, second, third = (peer_on(net, i) for i in range(3))
        seconds = [
            first.until(sees(1, 2))["seconds"],
            second.until(sees(0, 2))["seconds"],
            third.until(sees(0, 1))["seconds"],
        ]
        record_property("seconds", seconds)
        third.end()
        first.until(sees(1))
        second.until(sees(0))
        first.quiet(3)  # mDNS answers nothing twice within a second, and the others have just asked each other
        late = peer_on(net, 2)
        seen = late.until(sees(0, 1))
        record_property("late", seen["seconds"])
        assert seen["seconds"] < 1  # the aim is 0.3 on a machine of its own
        for peer in (first, second, late):
            peer.end()


def test_one_without_multicast_says_so_and_the_others_play_on() -> None:
    with lan(3, multicast=[True, True, False]) as net:
        first, second, third = (peer_on(net, i) for i in range(3))
        told = third.until(lambda picture: picture["trouble"] is not None)
        assert told["trouble"] == "no-multicast"
        assert "eth0" in str(told["sentence"])
        first.until(sees(1))
        second.until(sees(0))
        assert all(picture["seen"] == [] for picture in third.quiet(1))
        assert all(NICKS[2] not in picture["seen"] for picture in first.quiet(0))
        for peer in (first, second, third):
            peer.end()


def test_a_machine_whose_cable_is_out_comes_back() -> None:
    with lan(2) as net:
        first, second = peer_on(net, 0), peer_on(net, 1)
        first.until(sees(1))
        second.until(sees(0))
        net.link_down(1)
        first.until(lambda picture: picture["seen"] == [], 20)
        net.link_up(1)
        first.until(sees(1), 40)
        first.end()
        second.end()


def test_a_killed_program_is_no_longer_listed() -> None:
    with lan(2) as net:
        first, second = peer_on(net, 0), peer_on(net, 1)
        first.until(sees(1))
        second.until(sees(0))
        second.process.kill()
        first.until(lambda picture: picture["seen"] == [], 20)
        first.end()


HOLDER = """
import socket, sys
alone = socket.socket(type=socket.SOCK_DGRAM)
alone.bind(("", 5353))
print(flush=True)
sys.stdin.read()
"""


def test_port_5353_held_by_another_program_is_said() -> None:
    with lan(1) as net:
        other = net.run(0, [sys.executable, "-c", HOLDER], stdin=subprocess.PIPE)
        assert other.stdout is not None
        assert other.stdout.readline()
        peer = peer_on(net, 0)
        assert peer.until(lambda picture: picture["trouble"] is not None)["trouble"] == "mdns-port-taken"
        other.terminate()
        other.wait(5)
        peer.until(lambda picture: picture["trouble"] is None)
        peer.end()


def test_unicast_passes_where_multicast_does_not() -> None:
    """The one without multicast can still join by address."""
    listen = "import socket; s = socket.create_server(('', 4000)); print(flush=True); s.accept()"
    knock = "import socket; socket.create_connection(('10.77.0.1', 4000), 5)"
    with lan(2, multicast=[True, False]) as net:
        server = net.run(0, [sys.executable, "-c", listen])
        assert server.stdout is not None
        assert server.stdout.readline()
        assert net.run(1, [sys.executable, "-c", knock]).wait(10) == 0


def test_nothing_is_left_behind() -> None:
    with lan(2) as net:
        names = [net.namespace(0), net.namespace(1)]
        sleeper = net.run(0, ["sleep", "60"])
        stubborn = net.run(1, ["sh", "-c", "trap '' TERM; echo; while :; do sleep 60 & wait; done"])
        assert stubborn.stdout is not None
        assert stubborn.stdout.readline()
    assert sleeper.returncode is not None
    assert stubborn.returncode is not None
    left = subprocess.run(["ip", "netns", "list"], check=True, capture_output=True, text=True).stdout
    assert not any(name in left for name in names)
