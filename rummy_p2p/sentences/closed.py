"""What is said about who may sit down: closed tables, the words by which players know each other, votes."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from rummy_p2p.sentences.language import N_, _

_TEXTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        # the password
        "empty": N_("The password has no words. Give some, or let three be chosen: --password auto"),
        "password": N_("The table is closed: a seat is for whoever knows the password, which is: {password}"),
        "ask": N_("{title} is closed. Its password (small and capital letters are the same):"),
        "ask-line": N_("password>"),
        # who is who
        "words": N_(
            "You and {name} should both see the words: {words}. If they differ, somebody is standing in between."
        ),
        "words-first": N_(
            "{name} is new to you. You and {name} should both see the words: {words}. Compare them aloud this once: "
            "if they differ, somebody is standing in between."
        ),
        "new-briefly": N_("* {name} is new: you both see {words}"),
        "known-briefly": N_("* {name} is known: {words}"),
        "another-key": N_(
            "{name} is known here with another key: before, you both saw {before}, and now it would be {now}. Either "
            "{name} has reinstalled, or this is somebody else. Ask; if it is all right, type: "
            "rummy-p2p people forget {name}"
        ),
        "blocked": N_("You have blocked {name}. To sit down there, type: rummy-p2p people unblock {name}"),
        "nobody": N_("Nobody is known here yet. Whoever you have played with is."),
        "no-such": N_("Nobody called {name} is known here. rummy-p2p people shows who is."),
        "row": N_("{name}: {words}"),
        "row-blocked": N_("{name}: {words} (blocked)"),
        "forgotten": N_("{name} is forgotten: the next of that name is believed."),
        "is-blocked": N_("{name} is blocked: no links, no seats, and no word of theirs is shown."),
        "is-unblocked": N_("{name} is no longer blocked."),
        "which": N_("Say whom: rummy-p2p people {action} NAME"),
        "set-aside": N_("The list of known players was damaged. It is kept as {aside}, and a new list is begun."),
    }
)


def closed_text(code: str, **facts: str | int) -> str:
    """Return a sentence about who may sit down."""
    return _(_TEXTS[code]).format_map(facts)
