"""What is said about guests: people who play at somebody's program by ssh, with none of their own."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from rummy_p2p.sentences.language import N_, _

_TEXTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        # at the door
        "closed": N_("This table is closed. Ask whoever invited you to open another one."),
        "full": N_("{most} guests are here already, and no more are let in. Try again when one has gone."),
        "taken": N_("Somebody called {name} plays here already. Come under another name: ssh -p PORT NAME@..."),
        "kept": N_(
            "The seat of {name} is kept for the machine that it was given to. Come back from there, or come under "
            "another name."
        ),
        "sent-away": N_("{owner} has sent the guests of your machine away. Ask {owner}."),
        "no-such": N_("There is no guest called {name} here."),
        "dismissed": N_("{name} was sent away; a bot plays the seat until the match is over."),
        "no-terminal": N_("The game needs a terminal. Leave out the command, or add -t: ssh -t -p PORT NAME@..."),
        "too-much": N_("More was typed than the game can take, so the connection was ended. You may come back."),
        "ended": N_("The table was closed. Thank you for playing."),
        # at the table
        "trust": N_(
            "You are a guest at the program of {owner}, which could see your cards. If your connection breaks off, "
            "come back under the same name: the seat is kept for a minute, and after that a bot plays for you."
        ),
        "gone": N_("(my connection was lost; the seat is kept for me)"),
        "returned": N_("(I am back)"),
        "waits": N_("There is no free seat now. You look on, and get the next one as soon as there is one; q leaves."),
        "back": N_("You are back at your seat."),
        # on the terminal of the host
        "open": N_("Friends with nothing installed play at this program by ssh:"),
        "host-key": N_("Host key, to be compared at the first time: {fingerprint}"),
        "no-ssh": N_(
            "Guests by ssh need a package that is not installed here. Install it with: pip install 'rummy-p2p[ssh]'"
        ),
        "port-taken": N_("Guests by ssh cannot be let in: port {port} is not free ({why}). Choose another: --ssh PORT"),
        "bad-key": N_("The ssh host key {path} is damaged. Move it away to get a new one."),
        "bad-port": N_("{port} is not a port. A port is a number from 1 to 65535, or 0 for any that is free."),
    }
)


def guest_text(code: str, **facts: str | int) -> str:
    """Return a sentence about guests."""
    return _(_TEXTS[code]).format_map(facts)
