"""What the full screen says of the network: the doctor's room, how others come to a table, and who is known here."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from rummy_p2p.sentences.language import N_, _, plural

_TEXTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        # the doctor
        "doctor-title": N_("Doctor: this machine and its network"),
        "doctor-title-way": N_("Doctor: this machine, and the way to {name}"),
        "doctor-asks": N_("name, address or code>"),
        "doctor-looks": N_("Looking at: {layer}"),
        "doctor-begins": N_("Beginning …"),
        "doctor-stopped": N_("Ended before it was through: a looks again."),
        "doctor-keys": N_("a = look again, w = the way to somebody, Esc = back to the lobby"),
        "doctor-all-well": N_("Nothing fails. f shows everything that was looked at."),
        "key-doctor": N_("Doctor"),
        "key-again": N_("Again"),
        "key-way": N_("The way to ..."),
        "key-failing": N_("Only what fails"),
        "key-everything": N_("Everything"),
        "help-doctor": N_("see what works between this machine and the network, and what to do about the rest"),
        "help-again": N_("look at everything again"),
        "help-way": N_("look at the way to somebody as well: a name, an address or a code"),
        "help-failing": N_("show only what fails, or everything"),
        "help-scroll": N_("go through the lines"),
        "help-back": N_("back to the lobby"),
        # how others come to a table
        "key-ways": N_("Code"),
        "help-ways": N_("the code, the address and the QR code of your table, large"),
        "ways-title": N_("How others come to {title}"),
        "ways-message": N_("Say it aloud: capitals do not matter, 0 is O, 1 is I and L. Esc = back"),
        "ways-by-code": N_("C takes the code; or in a shell:"),
        "ways-no-code": N_("There is no code for this address: only the address of a home network has one."),
        "ways-password": N_("Password: {password}"),
        "ways-ssh": N_("By ssh alone; the key it shows:"),
        "ways-none": N_("You have no table open. n opens one; then Q shows its code."),
        "ways-gone": N_("The table is closed. Esc = back"),
        "no-such-word": N_("Here one can type: {words}."),
    }
)


def network_say(which: str, **facts: str | int) -> str:
    """Return a text about the network."""
    return _(_TEXTS[which]).format_map(facts)


def looked_at_text(count: int) -> str:
    """Return how many things have been looked at."""
    return plural("{n} thing looked at", "{n} things looked at", count)
