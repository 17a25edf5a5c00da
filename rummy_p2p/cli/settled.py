"""What holds for this run of the program: flags before the environment, then the file, then what is usual."""

from __future__ import annotations

import os
from argparse import Namespace

from rummy_p2p.store import Store
from rummy_p2p.ui.settings import SETTINGS, Chosen, choose


def chosen(options: Namespace, files: Store) -> Chosen:
    """Return what holds: flags before the environment, then the file, then what is usual."""
    given = {each.key: _given(options, each.key) for each in SETTINGS}
    return choose(given, os.environ, files.config())


def _given(options: Namespace, key: str) -> object:
    """Return what the command line says; a switch that was not given has said nothing."""
    if getattr(options, f"no_{key}", False):
        return False
    value = getattr(options, key, None)
    if isinstance(value, list):
        return ", ".join(value) or None
    return None if value is False else value
