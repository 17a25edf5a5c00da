"""Commands of the LAN run inside a test's own event loop, beside each other and beside whole peers."""

import asyncio
import json
import secrets
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from rummy_p2p.cli import CommandError, network
from rummy_p2p.cli.lan import refusals
from rummy_p2p.cli.parser import make_parser

Line = dict[str, Any]


def title() -> str:
    """Another one each time: tests that run side by side see each other's tables."""
    return f"Friday {secrets.token_hex(4)}"


def options(folder: Path, nick: str, *words: str, interface: str = "lo") -> Namespace:
    """A command line for the loopback interface with a data folder of its own."""
    common = ["--interface", interface, "--nick", nick, "--data", str(folder / nick.lower())]
    return make_parser().parse_args([*words, *common])


async def refused(given: Namespace) -> CommandError:
    """Run a command that is to fail; return how it does."""
    command = network._host if given.run == "network:host" else network._join
    with pytest.raises(CommandError) as caught, refusals():
        async with asyncio.timeout(20):
            await command(given)
    return caught.value


async def at_one_table(host: Namespace, guests: Sequence[Namespace]) -> list[int]:
    """Run a host and its guests until all have ended; return their exit codes."""
    with refusals():
        async with asyncio.timeout(50):
            return await asyncio.gather(network._host(host), *(network._join(guest) for guest in guests))


def lines(text: str, event: str = "") -> list[Line]:
    """JSON lines, of one kind or all."""
    found: list[Line] = [json.loads(line) for line in text.splitlines()]
    return [line for line in found if event in ("", line["event"])]
