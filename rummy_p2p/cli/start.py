"""Without a command: the lobby in a terminal, the demo without one."""

from __future__ import annotations

import os
import sys
from argparse import Namespace

from rummy_p2p.cli import loading, main

_VALUES = ("data", "nick", "port", "lang", "log_level", "color", "deck", "faces")
_SWITCHES = ("plain", "debug", "ascii", "no_bell", "no_mouse")


def start(options: Namespace) -> int:
    """Run the lobby when there is a person, the demo when there is none."""
    common = common_words(options)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        from rummy_p2p.sentences.commands import command_text

        sys.stderr.write(f"rummy-p2p: {command_text('is-demo')}\n")
        return main([*common, "demo"])
    if os.environ.get("TERM", "dumb") != "dumb" and _wants_screen(options):
        from rummy_p2p.cli.screen_lobby import screen_lobby

        return screen_lobby(options, common)
    from rummy_p2p.cli.lobby import lobby

    return lobby(options, common)


def _wants_screen(options: Namespace) -> bool:
    with loading():
        from rummy_p2p.cli.screen_lobby import wants_screen

    return not options.plain and wants_screen(options)


def common_words(options: Namespace) -> list[str]:
    """Return what was given at the start as words of a command line, so that it holds for other commands as well."""
    words: list[str] = []
    for name in _VALUES:
        value = getattr(options, name, None)
        if value is not None:
            words += [f"--{name.replace('_', '-')}", str(value)]
    for interface in options.interface or ():
        words += ["--interface", interface]
    return [*words, *(f"--{name.replace('_', '-')}" for name in _SWITCHES if getattr(options, name, False))]
