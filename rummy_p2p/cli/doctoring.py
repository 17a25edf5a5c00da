"""``doctor``: what works between this machine and the LAN, layer by layer. It changes nothing."""

from __future__ import annotations

import platform
import re
import sys
import textwrap
import time
from argparse import Namespace
from collections.abc import AsyncGenerator, Iterable, Iterator, Sequence
from contextlib import aclosing
from datetime import UTC, datetime
from importlib.metadata import version
from ipaddress import ip_address
from shutil import get_terminal_size
from typing import Final

import msgspec

from rummy_p2p import __version__
from rummy_p2p.cli import ERROR, NETWORK, OK, RULES
from rummy_p2p.cli.doctor_terminal import terminal_checks
from rummy_p2p.cli.finding import played_text, read_address, rules_state
from rummy_p2p.cli.lan import inquirer, on_the_lan, run
from rummy_p2p.cli.local import answer, catalogue, say
from rummy_p2p.node.announcement import Sighting
from rummy_p2p.node.checks import Check, Layer
from rummy_p2p.node.doctor import Doctor
from rummy_p2p.node.doctor_peer import PeerDoctor, Target, known_as
from rummy_p2p.node.firewall import Firewall, find_firewall, opening
from rummy_p2p.node.inquiry import Inquirer
from rummy_p2p.node.peer import Peer
from rummy_p2p.protocol.joincode import HOME_PORTS
from rummy_p2p.protocol.link import VERSION
from rummy_p2p.sentences.doctor import detail_text, fix_text, layer_text, mark_text, verdict
from rummy_p2p.sentences.faults import retold
from rummy_p2p.store import RememberedPeer, Store
from rummy_p2p.variants.manager import Catalogue

_MADE: Final = datetime(2026, 1, 1, tzinfo=UTC)  # no clock that is right can say less
_HOST: Final = re.compile(r"[\w-]+(\.[\w-]+)*\.?", re.ASCII)
_EXITS: Final = {
    Layer.PROGRAM: ERROR,
    Layer.PLUGINS: ERROR,
    Layer.CLOCK: ERROR,
    Layer.TERMINAL: ERROR,
    Layer.RULES: RULES,
}


class Finding(msgspec.Struct, frozen=True):
    """A check in words, as programs and screens get it."""

    layer: str
    ok: bool
    detail: str
    fix: str
    code: str
    skipped: bool


def doctor(options: Namespace) -> int:
    """Look at everything, and tell."""
    return run(_doctor(options))


async def _doctor(options: Namespace) -> int:
    games = catalogue(options)
    checks: list[Check] = []
    findings: list[Finding] = []
    async with (
        on_the_lan(options) as (peer, files),
        inquirer(peer, files) as asking,
        aclosing(examine(options, peer, files, asking, games, terminal_checks())) as examination,
    ):
        async for check in examination:
            checks.append(check)
            findings.append(finding(check, peer.transport.port))
            if not options.json:
                tell(findings[-1])
    failed = [check for check in checks if not check.ok]
    if options.json:
        answer({"checks": findings})
    else:
        say("", verdict(len(failed), failed[0].layer.value if failed else ""))
    return _EXITS.get(failed[0].layer, NETWORK) if failed else OK


async def examine(
    options: Namespace,
    peer: Peer,
    files: Store,
    asking: Inquirer,
    games: Catalogue,
    terminal: Iterable[Check],
) -> AsyncGenerator[Check, None]:
    """Yield one check after the other, as they are found: for the command and for a screen, which know the terminal."""
    for check in (*program_checks(games), *terminal):
        yield check
    remembered, _notice = files.peers()
    async with aclosing(Doctor(peer, asking, remembered, options.wait).examine()) as checks:
        async for check in checks:
            yield check
    if options.peer is None:
        return
    target = target_of(options.peer, peer.discovery.sightings(), remembered)
    if target is None:
        yield Check(Layer.RESOLVE, "unknown-peer", ok=False, facts={"host": options.peer}, fix="give-address")
        return
    way = PeerDoctor(
        asking,
        peer.discovery.choice,
        lambda table: rules_state(games, table),
        lambda table: played_text(games, table.game, table.house or ()),
    )
    async with aclosing(way.examine(target)) as checks:
        async for check in checks:
            yield check


def program_checks(games: Catalogue) -> Iterator[Check]:
    """Yield what can be said of the program itself."""
    facts: dict[str, str | int] = {
        "program": __version__,
        "protocol": VERSION,
        "python": platform.python_version(),
        "zeroconf": version("zeroconf"),
        "system": f"{platform.system()} {platform.release()}",
    }
    yield Check(Layer.PROGRAM, "versions", facts=facts)
    loaded = [f"{plugin.name} {plugin.version}" for plugin in games.plugins if plugin.ok]
    yield Check(Layer.PLUGINS, "plugins-loaded", facts={"names": ", ".join(loaded)})
    for plugin in games.plugins:
        if not plugin.ok:
            told = {"name": plugin.name, "source": plugin.source, "why": str(plugin.error)}
            yield Check(Layer.PLUGINS, "plugin-failed", ok=False, facts=told, fix="plugin")
    yield clock_check(time.time())


def clock_check(now: float) -> Check:
    """Whether the clock can be right."""
    then = datetime.fromtimestamp(now, UTC)
    facts = {"time": f"{then:%Y-%m-%d %H:%M:%S} UTC"}
    if then >= _MADE:
        return Check(Layer.CLOCK, "clock-ok", facts=facts)
    return Check(Layer.CLOCK, "clock-wrong", ok=False, facts=facts, fix="clock")


def target_of(text: str, seen: Sequence[Sighting], remembered: Sequence[RememberedPeer]) -> Target | None:
    """Return whom the player means: an address, a code, a name or title on the network, somebody from last time, or
    else a machine by its name; None for what cannot be any of these.
    """
    given = read_address(text)
    if given is not None:
        return Target(text, given.hosts[0], (given.port,), given.pin, given.player)
    known = known_as(text, seen)
    if known is not None:
        return known
    for peer in remembered:
        if text.casefold() == peer.nick.casefold():
            pin = bytes.fromhex(peer.pin) if peer.pin else None
            return Target(text, peer.address, (peer.port,), pin, bytes.fromhex(peer.id))
    bare = text.strip("[]")
    if _is_address(bare) or _HOST.fullmatch(bare):
        return Target(text, bare, tuple(HOME_PORTS))
    return None


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


# --- telling ---------------------------------------------------------------------------------------------------------


def finding(check: Check, port: int, platform: str = sys.platform) -> Finding:
    """Return a check in words, with the command of this system's firewall where that may help."""
    here = find_firewall(platform)
    commands = "; ".join(f"{each.value}: {opening(each, 0)}" for each in Firewall if each is not Firewall.OTHER)
    facts = dict(check.facts) | {"command": opening(here, port), "commands": commands}
    if "why" in facts:
        facts["why"] = retold(str(facts["why"]))
    return Finding(
        check.layer.value,
        check.ok,
        detail_text(check.code, facts),
        fix_text(check.fix, facts),
        check.code,
        check.skipped,
    )


def tell(found: Finding) -> None:
    """Say a finding, and what to do, in lines that fit."""
    mark = mark_text("skipped" if found.skipped else "ok" if found.ok else "fails")
    width = max(40, get_terminal_size().columns)
    line = f"{mark:<6}{layer_text(found.layer)}: {found.detail}"
    say(*textwrap.wrap(line, width, subsequent_indent=" " * 8, break_on_hyphens=False, break_long_words=False))
    if found.fix:
        fix = textwrap.wrap(f"> {found.fix}", width - 6, break_on_hyphens=False, break_long_words=False)
        say(*(f"      {each}" for each in fix))
    sys.stdout.flush()
