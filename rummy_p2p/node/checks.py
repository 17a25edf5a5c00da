"""What the doctor finds: one `Check` for every thing it looks at. A check is data; its sentences are elsewhere."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

Facts = dict[str, str | int]


class Layer(Enum):
    """From the program itself outwards; the first layer that fails is the one to repair."""

    PROGRAM = "program"
    PLUGINS = "plugins"
    CLOCK = "clock"
    TERMINAL = "terminal"
    INTERFACE = "interface"
    PORT_5353 = "port-5353"
    MULTICAST = "multicast"
    NEIGHBOURS = "neighbours"
    LISTENER = "listener"
    REACHABLE = "reachable"
    RESOLVE = "resolve"
    ROUTE = "route"
    TCP = "tcp"
    TLS = "tls"
    HANDSHAKE = "handshake"
    RULES = "rules"


@dataclass(frozen=True, slots=True)
class Check:
    """`code` is what was found, with its facts; `fix` what to do about it, empty where there is nothing to do.

    `skipped`: it could not be looked at, which is no failure.
    """

    layer: Layer
    code: str
    ok: bool = True
    facts: Mapping[str, str | int] = field(default_factory=dict)
    fix: str = ""
    skipped: bool = False
