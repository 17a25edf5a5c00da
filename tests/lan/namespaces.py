"""A LAN of network namespaces: N machines on one switch, for tests with real programs.

    with lan(3) as net:
        process = net.run(0, [sys.executable, "-m", "rummy_p2p", ...])
        net.link_down(1)

Every machine has a loopback and `eth0` with 10.77.0.(i+1)/24; `second_network` gives some of them `eth1` with
10.88.0.(i+1)/24 as well. The switches are bridges in a namespace of their own, so that nothing touches the real
network. All is gone at the end: the programs that `run` started first, then the namespaces.
"""

import functools
import itertools
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import IO, Self

import pytest

_counter = itertools.count()
_PATIENCE = 3.0  # seconds for a program to end by itself after SIGTERM


class Lan:
    """Machines are numbered from 0. What is not allowed by the system raises CalledProcessError with its message."""

    def __init__(self, n: int, multicast: Sequence[bool] = ()) -> None:
        self._name = f"rummy-{os.getpid()}-{next(_counter)}"
        self._switch = f"{self._name}-switch"
        self._multicast = [*multicast, *[True] * (n - len(multicast))]
        self._namespaces: list[str] = []
        self._processes: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Self:
        try:
            self._build()
        except BaseException:
            self._clean_up()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._clean_up()

    # -- for the test

    def namespace(self, i: int) -> str:
        """Its name, for `ip netns exec`."""
        return f"{self._name}-{i}"

    def address(self, i: int) -> str:
        return f"10.77.0.{i + 1}"

    def run(
        self,
        i: int,
        argv: Sequence[str],
        *,
        stdin: int | IO[bytes] | None = subprocess.DEVNULL,
        stdout: int | IO[bytes] | None = subprocess.PIPE,
        stderr: int | IO[bytes] | None = None,
        env: dict[str, str] | None = None,
        cwd: str | None = None,
    ) -> subprocess.Popen[bytes]:
        """Start a program on machine `i`. `ip netns exec` becomes the program itself, so signals reach it."""
        process = subprocess.Popen(
            ["ip", "netns", "exec", self.namespace(i), *argv],
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            env=env,
            cwd=cwd,
        )
        self._processes.append(process)
        return process

    def link_down(self, i: int) -> None:
        """Pull the cable, at the switch: the machine keeps its interface and address."""
        _ip("-n", self._switch, "link", "set", f"port{i}", "down")

    def link_up(self, i: int) -> None:
        _ip("-n", self._switch, "link", "set", f"port{i}", "up")

    def no_multicast(self, i: int) -> None:
        """Make the interface say that it carries no multicast, and leave no route for it. Linux still delivers what is
        bound to the interface all the same; `multicast=[False]` filters it at the switch too.
        """
        _ip("-n", self.namespace(i), "link", "set", "eth0", "multicast", "off")
        _ip("-n", self.namespace(i), "route", "add", "blackhole", "224.0.0.0/4")

    def second_network(self, *machines: int) -> None:
        """Another switch, to which these machines are connected as well."""
        _ip("-n", self._switch, "link", "add", "second", "type", "bridge", "mcast_snooping", "0")
        _ip("-n", self._switch, "link", "set", "second", "up")
        for i in machines:
            inside = self.namespace(i)
            _ip("-n", self._switch, "link", "add", f"second{i}", "type", "veth", "peer", "eth1", "netns", inside)
            self._plug(f"second{i}", "second")
            self.give(i, f"10.88.0.{i + 1}/24", "eth1")
            self.switch_on(i, "eth1")

    def add_virtual(self, i: int, name: str, network: str) -> None:
        """An interface such as containers and VPNs have, by its name; nobody is behind it."""
        _ip("-n", self.namespace(i), "link", "add", name, "type", "bridge")
        self.give(i, network, name)
        self.switch_on(i, name)

    def switch_on(self, i: int, device: str = "eth0") -> None:
        _ip("-n", self.namespace(i), "link", "set", device, "up")

    def switch_off(self, i: int, device: str = "eth0") -> None:
        """The machine itself ends its interface: no address, as when its Wi-Fi is off."""
        _ip("-n", self.namespace(i), "address", "flush", "dev", device)
        _ip("-n", self.namespace(i), "link", "set", device, "down")

    def give(self, i: int, network: str, device: str = "eth0") -> None:
        """An address with its prefix, as from DHCP."""
        _ip(
            "-n",
            self.namespace(i),
            "address",
            "add",
            network,
            # an IPv6 address can be used at once: nobody else here could have it, so that there is nothing to wait for
            *(["nodad"] if ":" in network else ["broadcast", "+"]),
            "dev",
            device,
        )

    def take(self, i: int, network: str, device: str = "eth0") -> None:
        _ip("-n", self.namespace(i), "address", "delete", network, "dev", device)

    def route(self, i: int, *words: str) -> None:
        _ip("-n", self.namespace(i), "route", "add", *words)

    def drop_multicast(self, i: int) -> None:
        """The switch passes no multicast to machine `i` any more; the machine knows nothing of it."""
        _ip("-n", self._switch, "link", "set", f"port{i}", "type", "bridge_slave", "mcast_flood", "off")

    def isolate(self) -> None:
        """As on a guest Wi-Fi: every machine sees the switch, and none another machine."""
        for i in range(len(self._multicast)):
            _ip("-n", self._switch, "link", "set", f"port{i}", "type", "bridge_slave", "isolated", "on")

    # -- building

    def _build(self) -> None:
        self._add_namespace(self._switch)
        self._add_bridge("switch")
        for i, multicast in enumerate(self._multicast):
            self._add_namespace(self.namespace(i))
            self._add_machine(i, "switch" if multicast else self._add_filter(i))
            if not multicast:
                self.no_multicast(i)

    def _add_namespace(self, name: str) -> None:
        _ip("netns", "add", name)
        self._namespaces.append(name)
        _ip("-n", name, "link", "set", "lo", "up")

    def _add_bridge(self, name: str) -> None:
        _ip("-n", self._switch, "link", "add", name, "type", "bridge", "mcast_snooping", "0")
        _ip("-n", self._switch, "link", "set", name, "up")

    def _add_machine(self, i: int, bridge: str) -> None:
        inside = ("-n", self.namespace(i))
        _ip("-n", self._switch, "link", "add", f"port{i}", "type", "veth", "peer", "eth0", "netns", self.namespace(i))
        self._plug(f"port{i}", bridge)
        _ip(*inside, "address", "add", f"{self.address(i)}/24", "broadcast", "+", "dev", "eth0")
        _ip(*inside, "link", "set", "eth0", "up")

    def _add_filter(self, i: int) -> str:
        """A small bridge between machine `i` and the switch that passes multicast in neither direction."""
        self._add_bridge(f"filter{i}")
        _ip("-n", self._switch, "link", "add", f"up{i}", "type", "veth", "peer", "name", f"down{i}")
        self._plug(f"up{i}", f"filter{i}", "mcast_flood", "off")
        self._plug(f"down{i}", "switch", "mcast_flood", "off")
        return f"filter{i}"

    def _plug(self, port: str, bridge: str, *options: str) -> None:
        _ip("-n", self._switch, "link", "set", port, "master", bridge)
        if options:
            _ip("-n", self._switch, "link", "set", port, "type", "bridge_slave", *options)
        _ip("-n", self._switch, "link", "set", port, "up")

    # -- cleaning up

    def _clean_up(self) -> None:
        for process in self._processes:
            if process.poll() is None:
                process.terminate()
        for process in self._processes:
            _end(process)
        for name in reversed(self._namespaces):
            with suppress(subprocess.CalledProcessError):
                _ip("netns", "delete", name)
        self._processes.clear()
        self._namespaces.clear()


@contextmanager
def lan(n: int, multicast: Sequence[bool] = ()) -> Iterator[Lan]:
    """`n` machines; those with False in `multicast` neither send nor hear any. Skips the test where it cannot be."""
    reason = why_not()
    if reason:
        pytest.skip(reason)
    with Lan(n, multicast) as net:
        yield net


@functools.cache
def why_not() -> str:
    """Why no namespaces can be made here; empty when they can."""
    if not sys.platform.startswith("linux"):
        return "network namespaces are Linux's"
    if os.geteuid() != 0:
        return "network namespaces need root"
    if shutil.which("ip") is None:
        return "the command ip (iproute2) is missing"
    try:
        with Lan(1):
            return ""
    except subprocess.CalledProcessError as error:
        return f"network namespaces cannot be made: {error.stderr.strip()}"


def _ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True, capture_output=True, text=True, timeout=10)


def _end(process: subprocess.Popen[bytes]) -> None:
    try:
        process.wait(_PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()
