"""The way to one given peer: name, route, TCP, TLS, greeting, rules. The first layer that fails ends it."""

import asyncio
import errno
import os
import socket
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass

from rummy_p2p.node.announcement import Sighting, TableInfo
from rummy_p2p.node.checks import Check, Facts, Layer
from rummy_p2p.node.inquiry import Inquirer
from rummy_p2p.node.interfaces import Choice
from rummy_p2p.node.routes import Presence, is_near, presence, route_to
from rummy_p2p.node.tls import Pin, check_pin, client_context, fingerprint
from rummy_p2p.protocol.errors import ProtocolError
from rummy_p2p.protocol.text import words
from rummy_p2p.sentences.titles import table_title

TCP_TIMEOUT = 4.0  # Linux knows after three seconds that nobody answers ARP
TLS_TIMEOUT = 4.0


@dataclass(frozen=True, slots=True)
class Target:
    """Who is meant: `host` is a name or an address, `ports` are tried in this order."""

    text: str
    host: str
    ports: tuple[int, ...]
    pin: Pin | None = None
    player: bytes | None = None


class PeerDoctor:
    """One examination of the way to a peer. `judge`: whether the rules of its table are here (same, missing, ...);
    `played`: what they are called.
    """

    def __init__(
        self, inquirer: Inquirer, choice: Choice, judge: Callable[[TableInfo], str], played: Callable[[TableInfo], str]
    ) -> None:
        self._inquirer = inquirer
        self._choice = choice
        self._judge = judge
        self._played = played
        self._address = ""
        self._port = 0
        self._pin: Pin | None = None

    async def examine(self, target: Target) -> AsyncGenerator[Check, None]:
        """Go from layer to layer, as far as it goes."""
        self._pin = target.pin
        for look in (self._resolve, self._route, self._tcp, self._tls, self._greeting):
            checks = await look(target)
            for check in checks:
                yield check
            if not all(check.ok for check in checks):
                return

    async def _resolve(self, target: Target) -> list[Check]:
        try:
            found = await asyncio.get_running_loop().getaddrinfo(target.host, None, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError) as error:  # the second for what can be no name at all
            facts: Facts = {"host": target.host, "why": getattr(error, "strerror", None) or str(error)}
            return [Check(Layer.RESOLVE, "no-such-host", ok=False, facts=facts, fix="give-address")]
        self._address = str(found[0][4][0])
        return [Check(Layer.RESOLVE, "resolved", facts={"host": target.host, "address": self._address})]

    async def _route(self, _target: Target) -> list[Check]:
        route = route_to(self._address, self._choice)
        facts: Facts = {"address": self._address, "source": route.source or ""}
        if route.source is None:
            return [Check(Layer.ROUTE, "no-route", ok=False, facts=facts, fix="same-network")]
        if route.is_virtual and route.interface is not None:
            facts["name"] = route.interface.name
            return [Check(Layer.ROUTE, "through-vpn", ok=False, facts=facts, fix="vpn-off")]
        near = is_near(self._address, self._choice)
        return [Check(Layer.ROUTE, "same-network" if near else "other-network", facts=facts)]

    async def _tcp(self, target: Target) -> list[Check]:
        """Connect, to one port after the other; what went wrong at the last is told."""
        failed: list[Check] = []
        for port in target.ports:
            began = asyncio.get_running_loop().time()
            try:
                async with asyncio.timeout(TCP_TIMEOUT):
                    _, writer = await asyncio.open_connection(self._address, port)
            except OSError as error:
                failed = [self._why_not(error, port, len(target.ports))]
                if not isinstance(error, ConnectionRefusedError):
                    break
                continue
            took = asyncio.get_running_loop().time() - began
            writer.transport.abort()
            self._port = port
            facts: Facts = {"address": self._address, "port": port, "ms": f"{1000 * took:.1f}"}
            return [Check(Layer.TCP, "connected", facts=facts)]
        return failed

    def _why_not(self, error: OSError, port: int, tried: int) -> Check:
        """What keeps TCP from passing: the program, its firewall, a Wi-Fi that keeps guests apart, another network."""
        facts: Facts = {"address": self._address, "port": port, "why": _words(error)}
        if isinstance(error, ConnectionRefusedError):
            code, fix = ("refused", "refused") if tried == 1 else ("refused-all", "refused")
        elif not is_near(self._address, self._choice):
            code, fix = "no-answer-far", "same-network"
        else:
            there = presence(self._address)
            silent = there is Presence.SILENT or error.errno in (errno.EHOSTUNREACH, errno.EHOSTDOWN)
            code, fix = ("nobody-there", "isolated") if silent else ("no-answer", "firewall-there")
            if there is Presence.UNKNOWN and not silent:
                code, fix = "no-answer-near", "firewall-or-isolated"
        return Check(Layer.TCP, code, ok=False, facts=facts, fix=fix)

    async def _tls(self, _target: Target) -> list[Check]:
        facts: Facts = {"address": self._address, "port": self._port}
        try:
            async with asyncio.timeout(TLS_TIMEOUT):
                _, writer = await asyncio.open_connection(
                    self._address, self._port, ssl=client_context(), server_hostname=""
                )
        except OSError as error:
            facts["why"] = _words(error)
            return [Check(Layer.TLS, "no-tls", ok=False, facts=facts, fix="no-tls")]
        tls = writer.get_extra_info("ssl_object")
        shown = tls.getpeercert(binary_form=True)
        writer.transport.abort()
        facts |= {"version": tls.version(), "pin": fingerprint(shown).hex()[:16]}
        try:
            check_pin(shown, self._pin)
        except ProtocolError as error:
            return [Check(Layer.TLS, "wrong-pin", ok=False, facts=facts | {"why": str(error)}, fix="ask-again")]
        code = "tls-unpinned" if self._pin is None else "tls-pinned"
        self._pin = self._pin or fingerprint(shown)
        return [Check(Layer.TLS, code, facts=facts)]

    async def _greeting(self, target: Target) -> list[Check]:
        try:
            found = await self._inquirer.ask(self._address, self._port, self._pin, target.player)
        except ProtocolError as error:
            return [Check(Layer.HANDSHAKE, "no-greeting", ok=False, facts={"why": str(error)}, fix=_fix_of(error))]
        facts: Facts = {"nick": found.nick, "words": words(bytes.fromhex(found.id)), "version": found.version}
        return [Check(Layer.HANDSHAKE, "greeted", facts=facts), self._rules(found)]

    def _rules(self, found: Sighting) -> Check:
        if found.table is None:
            return Check(Layer.RULES, "no-table", facts={"nick": found.nick}, skipped=True)
        fit = self._judge(found.table)
        title = table_title(found.table.title, found.table.game, found.nick)
        facts: Facts = {"title": title, "rules": self._played(found.table)}
        return Check(Layer.RULES, f"rules-{fit}", ok=fit == "same", facts=facts, fix="" if fit == "same" else "rules")


def known_as(text: str, met: Sequence[Sighting]) -> Target | None:
    """The target of a name or title that somebody on the network goes by."""
    wanted = text.casefold()
    for each in met:
        names = (each.nick.casefold(), each.id, each.table.title.casefold() if each.table else None)
        if wanted in names:
            return Target(text, each.addresses[0], (each.port,), bytes.fromhex(each.pin), bytes.fromhex(each.id))
    return None


def _fix_of(error: ProtocolError) -> str:
    return {"version-mismatch": "update", "own-address": "other-address"}.get(error.code, "greet-again")


def _words(error: OSError) -> str:
    if isinstance(error, TimeoutError):
        return os.strerror(errno.ETIMEDOUT)
    return os.strerror(error.errno) if error.errno and error.errno > 0 else str(error)
