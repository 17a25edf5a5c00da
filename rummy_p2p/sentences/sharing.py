"""What is said about sharing an installation with those who have no internet."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from rummy_p2p.sentences.language import N_, _

_TEXTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "open": N_("Whoever is on this network can install the game from here, until you press Ctrl-C:"),
        "where": N_("In a browser: {address}"),
        "trust": N_("It goes over the network unprotected: share among people who trust each other's network."),
        "python": N_("Python {version} or newer has to be there. Then, on a line each:"),
        "no-folder": N_(
            "There is nothing to share in {folder}. Make it once where there is internet: make wheelhouse in the "
            "project's folder, or: {command}"
        ),
        "not-ours": N_("There is no wheel of this program in {folder}. Make it with: {command}"),
        "unreadable": N_("{folder} cannot be read ({why}). Choose another folder: --wheelhouse DIR"),
        "port-taken": N_("Port {port} is not free ({why}). Choose another: --port P (0: any free one)"),
        "no-interface": N_("There is no network to share on. Choose an interface: --interface I"),
        "stopped": N_("No longer shared."),
    }
)


def sharing_text(code: str, **facts: str | int) -> str:
    """Return a sentence about sharing an installation."""
    return _(_TEXTS[code]).format_map(facts)
