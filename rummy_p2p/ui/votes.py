"""A vote about somebody at the table: about whom, then what is wanted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from rummy_p2p.sentences.screen_network import network_say
from rummy_p2p.ui.lobby_choice import Chooser
from rummy_p2p.ui.screen import Screen

_WANTED: Final = ("kick", "mute", "not kick", "not mute")


def ask_vote(screen: Screen, names: Sequence[str], cast: Callable[[str], None]) -> None:
    """Let the player choose; ``cast`` gets what could have been typed: ``kick Bea``."""

    def about(name: str) -> None:
        lines = [(_said(what, name), partial(cast, f"{what} {name}")) for what in _WANTED]
        screen.enter(Chooser(screen.below, screen.leave, network_say("vote-what", name=name), lines))

    if not names:
        screen.note(network_say("vote-nobody"))
    elif len(names) == 1:
        about(names[0])
    else:
        people = [(name, partial(about, name)) for name in names]
        screen.enter(Chooser(screen.below, screen.leave, network_say("vote-whom"), people))


def _said(what: str, name: str) -> str:
    return network_say(f"vote-{what.replace(' ', '-')}", name=name)
