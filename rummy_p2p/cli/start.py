"""Without a command: the lobby in a terminal, the demo without one."""

from __future__ import annotations

import sys
from argparse import Namespace

from rummy_p2p.cli import main


def start(options: Namespace) -> int:
    """Run the lobby when there is a person, the demo when there is none."""
    common = common_words(options)
    if sys.stdin.isatty() and sys.stdout.isatty():
        from rummy_p2p.cli.lobby import lobby

        return lobby(options, common)
    sys.stderr.write("rummy-p2p: there is no terminal here, so this is the demo: three programs play one hand.\n")
    return main([*common, "demo"])


def common_words(options: Namespace) -> list[str]:
    """Return what was given at the start as words of a command line, so that it holds for other commands as well."""
    words: list[str] = []
    for name in ("data", "nick", "port", "lang", "log_level"):
        value = getattr(options, name)
        if value is not None:
            words += [f"--{name.replace('_', '-')}", str(value)]
    for interface in options.interface or ():
        words += ["--interface", interface]
    return [*words, *(f"--{name}" for name in ("plain", "debug") if getattr(options, name))]
