"""What a player is told while tables are looked for, and how others join where looking does not help."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from rummy_p2p.sentences.language import N_, _, plural

_STEPS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "mdns-tries": N_("Searching on {what}."),
        "mdns-tries-nowhere": N_("Searching: there is no network interface to use."),
        "mdns-found": N_("Found by itself: {what}."),
        "mdns-nobody": N_("Nobody answers there."),
        "mdns-failed": N_("{what}"),
        "remembered-tries": N_("Trying those from last time: {what}."),
        "remembered-found": N_("{what} is where it was last time."),
        "remembered-nobody": N_("None of them is where it was."),
        "scan-tries": N_("Searching {what}: {done} of {total}."),
        "scan-failed": N_("There is no network to search: no network interface is used."),
        "scan-found": N_("{what} was found."),
        "scan-nobody": N_(
            "No table on {what}; {machines}. A program with a port of its own choosing is not found in this way: "
            "join it by its address or code."
        ),
        # how to join
        "by-code": N_("Or by this code, which can be said aloud (capitals do not matter):"),
        "qr": N_("The same address as a QR code:"),
        "no-segno": N_(
            "A QR code needs the package segno, which is not installed. Install it with: {python} -m pip install "
            "segno. The address and the code above work without."
        ),
        "qr-too-narrow": N_(
            "The QR code needs {width} columns and {height} lines, and this terminal has {columns} and {lines}. "
            "Make it larger, or use the address."
        ),
        "bad-code": N_(
            "{text} looks like a join code, but a letter or digit in it is wrong or two have changed places. "
            "Ask for it again and compare it letter by letter."
        ),
        "short-code": N_(
            "{text} is only a part of a join code: a code has twelve letters and digits, in three groups of four. "
            "If it is the name of a table, type who has opened it."
        ),
        "look-further": N_(
            "rummy-p2p join --scan searches your network, and rummy-p2p doctor tells what is in the way."
        ),
    }
)


def finding_text(code: str, **facts: str | int) -> str:
    """Return a sentence about looking for tables."""
    return _(_STEPS[code]).format_map(facts)


def step_text(rung: str, mark: str, what: str, done: int, total: int) -> str:
    """Return the line for one step of the ladder."""
    code = f"{rung}-{mark}"
    if mark == "tries" and not what:
        code += "-nowhere"
    machines = plural("one machine answers", "{n} machines answer", done)
    return finding_text(code, what=what, done=done, total=total, machines=machines)
