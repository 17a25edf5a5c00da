"""What can be typed at a table of the full screen: its own words here, every other line is the conversation's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from rummy_p2p.protocol.text import clean
from rummy_p2p.sentences.screen import table_text
from rummy_p2p.ui.table_cards import MODES, Mode
from rummy_p2p.ui.table_scene import name_of

if TYPE_CHECKING:
    from rummy_p2p.ui.table_room import TableRoom

SCREEN_WORDS: Final = ("hint", "undo", "log", "info", "invite", "code", "mute", "unmute")


class TableWords:
    """The typed lines of one table room."""

    def __init__(self, room: TableRoom) -> None:
        """Begin."""
        self._room = room

    def typed(self, text: str) -> None:
        """Carry out a line."""
        room = self._room
        word, _, rest = text.strip().partition(" ")
        word, rest = word.lower(), rest.strip()
        if word in ("quit", "leave"):
            room.ask_to_leave()
        elif word == "sort" and rest.lower() in MODES:
            room.sort(cast("Mode", rest.lower()))
        elif word in ("mute", "unmute"):
            self._mute(rest, heard=word == "unmute")
        elif word == "invite":
            room.invite(rest)
        elif word == "code":
            room.invites.show_ways()
        elif word == "chat" and "chat" not in room.seat.commands():
            room.chat()
        elif word == "next" and "next" in room.seat.commands():
            room.next_hand()
        elif word in SCREEN_WORDS:
            {"hint": room.play.hint, "undo": room.play.undo, "log": room.show_log, "info": room.show_info}[word]()
        else:
            room.play.do(text, typed=True)

    def _mute(self, name: str, *, heard: bool) -> None:
        muted, note = self._room.state.muted, self._room.screen.note
        wanted = next((known for known in self._speakers() if known.lower() == name.lower()), None)
        if wanted is None:
            note(table_text("nobody-called", name=clean(name, 24)))
        elif heard:
            muted.discard(wanted)
            note(table_text("unmuted", name=wanted))
        else:
            muted.add(wanted)
            note(table_text("muted", name=wanted))

    def _speakers(self) -> list[str]:
        names = self._room.seat.names
        players = [name_of(names, seat) for seat in range(len(names))]
        return list(dict.fromkeys([*players, *(name for name, _text in self._room.state.chat)]))

    def complete(self, text: str) -> tuple[str, ...]:
        """Return what the last word of an unfinished line may become."""
        word, blank, rest = text.lstrip().partition(" ")
        if word in ("mute", "unmute", "invite") and blank:
            names = self._speakers() if word != "invite" else [each.nick for each in self._room.invites.present()]
            return tuple(name for name in names if name.lower().startswith(rest.lower()))
        own = () if blank else tuple(name for name in SCREEN_WORDS if name.startswith(word))
        return (*self._room.console.complete(text), *own)
