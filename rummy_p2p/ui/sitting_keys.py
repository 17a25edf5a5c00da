"""The keys of a table that has not begun, in one table for the lobby and the table room: the same act, the same key.

The law of the file
    Enter goes on: who has opened the table starts, anybody else is ready, or no longer. ``y`` plays again, as in the
    score room. ``q`` gets up. A room says what its own acts are; which keys they are on is decided here alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rummy_p2p.sentences.screen import score_text, table_text
from rummy_p2p.sentences.screen_lobby import lobby_say
from rummy_p2p.sentences.screen_network import network_say
from rummy_p2p.ui.room import Key

Act = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Stand:
    """How far the player is: whether it is the player's table, and whether a match has been played at it."""

    opener: bool
    ready: bool = False
    may_start: bool = False
    again: bool = False


def going_on(stand: Stand, ready: Act, start: Act, again: Act) -> tuple[Key, ...]:
    """Return the keys towards the first cards. ``ready`` is also called to be ready no longer."""
    wants_again = stand.again and not stand.ready
    rematch = Key(("y",), table_text("rematch"), again, help=score_text("rematch-help"))
    if stand.opener:
        go = Key(("enter",), lobby_say("key-start"), start, stand.may_start, help=lobby_say("help-start"))
        return (rematch, go) if wants_again else (go,)
    if wants_again:
        return (Key(("y", "enter"), rematch.label, again, help=rematch.help),)
    which = "not-ready" if stand.ready else "ready"
    return (Key(("enter",), lobby_say(f"key-{which}"), ready, help=lobby_say("help-ready")),)


def getting_up(leave: Act) -> Key:
    """Return the key that leaves the table, before a match as in the middle of one."""
    return Key(("q",), table_text("leave"), leave, help=table_text("leave-help"))


def showing_ways(show: Act, *, bar: bool) -> Key:
    """Return the key that shows how others come to the player's own table."""
    return Key(("Q",), network_say("key-ways"), show, bar=bar, help=network_say("help-ways"))


def voting(vote: Act) -> Key:
    """Return the key for a vote about somebody at the table."""
    return Key(("K",), network_say("key-vote"), vote, bar=False, help=network_say("help-vote"))
