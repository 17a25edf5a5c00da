"""share: serve an installation without internet to the LAN, read only, until stopped."""

from __future__ import annotations

import threading
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Final

from rummy_p2p.cli import ERROR, NETWORK, OK, CommandError
from rummy_p2p.cli.lan import logging_to_file
from rummy_p2p.cli.local import say, store
from rummy_p2p.node.interfaces import choose, scan
from rummy_p2p.node.sharing import Sharing, packages
from rummy_p2p.sentences.sharing import sharing_text
from rummy_p2p.store import Store

PORT: Final = 8765
OLDEST_PYTHON: Final = "3.11"
_OURS: Final = "rummy_p2p-"
_HERE: Final = Path("wheelhouse")


def share(options: Namespace) -> int:
    """Serve the wheelhouse until Ctrl-C."""
    files = store(options)
    with logging_to_file(options, files):
        sharing = open_share(options, files)
        sharing.start()
        try:
            wait(threading.Event().wait)
        finally:
            sharing.stop()
    return OK


def wait(until: Callable[[], object]) -> None:
    """Serve until the player has had enough."""
    try:
        until()
    except KeyboardInterrupt:
        say("", sharing_text("stopped"))


def open_share(options: Namespace, files: Store) -> Sharing:
    """Listen on the chosen interfaces, and tell how the others install from here."""
    found = _packages(_folder(options, files))
    addresses = [each.address for each in choose(scan(), options.interface or ()).linked]
    if not addresses:
        raise CommandError(sharing_text("no-interface"), NETWORK)
    port = PORT if options.port is None else options.port
    pages = {address: _lines(address) for address in addresses}
    try:
        sharing = Sharing(found, pages, port)
    except OSError as error:
        why = error.strerror or str(error)
        raise CommandError(sharing_text("port-taken", port=port, why=why), NETWORK) from error
    say(sharing_text("open"))
    for address in addresses:
        say(sharing_text("where", address=f"http://{address}:{sharing.port}/"))
        say(*(f"  {line.replace('{port}', str(sharing.port))}" for line in _commands(address)))
    say(sharing_text("trust"))
    return sharing


def _folder(options: Namespace, files: Store) -> Path:
    """Return where the packages are: what was given, else a wheelhouse here, else that of this installation."""
    if options.wheelhouse:
        return Path(options.wheelhouse)
    return _HERE if _HERE.is_dir() else files.paths.data / "wheelhouse"


def _packages(folder: Path) -> dict[str, Path]:
    command = f"pip wheel --wheel-dir {folder} 'rummy-p2p[ssh,qr]'"
    try:
        found = packages(folder)
    except FileNotFoundError:
        found = {}
    except OSError as error:
        why = error.strerror or str(error)
        raise CommandError(sharing_text("unreadable", folder=str(folder), why=why), ERROR) from error
    if not found:
        raise CommandError(sharing_text("no-folder", folder=str(folder), command=command), ERROR)
    if not any(name.startswith(_OURS) for name in found):
        raise CommandError(sharing_text("not-ours", folder=str(folder), command=command), ERROR)
    return found


def _lines(address: str) -> tuple[str, ...]:
    return sharing_text("python", version=OLDEST_PYTHON), *_commands(address)


def _commands(address: str) -> tuple[str, str]:
    """Return the two lines that are typed. HTTP in a LAN has no certificate, so pip has to be told to believe it."""
    place = f"--no-index --trusted-host {address} --find-links http://{address}:{{port}}/"
    return f"python3 -m pip install {place} 'rummy-p2p[ssh,qr]'", "python3 -m rummy_p2p"
