"""An invitation on the screen: whom one may ask to the own table, and the question that somebody else's puts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from rummy_p2p.protocol.text import NICK_LIMIT, clean
from rummy_p2p.sentences.screen_lobby import lobby_say
from rummy_p2p.ui.lobby_choice import Choice
from rummy_p2p.ui.lobby_model import Person
from rummy_p2p.ui.popup import Answer, Below, Question
from rummy_p2p.ui.room import Key, Mouse

SETTLE: Final = 1.0


def choices(people: Sequence[Person], invite: Callable[[str], None]) -> list[Choice]:
    """Return a line for everybody who is present and does not sit here already."""

    def inviting(person: Person) -> Callable[[], None]:
        return lambda: invite(person.id)

    return [(_line(person), inviting(person)) for person in people if person.id and not (person.me or person.here)]


def invite_called(people: Sequence[Person], name: str, invite: Callable[[str], None]) -> str:
    """Invite the one who is called so; return why nobody is, or nothing."""
    found = choices([each for each in people if each.nick.casefold() == name.casefold()], invite)
    if len(found) != 1:
        return lobby_say("invite-which" if found else "invite-no-such", name=clean(name, NICK_LIMIT))
    found[0][1]()
    return ""


def _line(person: Person) -> str:
    name = clean(person.nick, NICK_LIMIT)
    return f"{name}, {lobby_say('has-open', title=person.table)}" if person.table else name


class Unexpected(Question):
    """A question that comes out of the blue. For a moment nothing answers it: a key that was on its way was meant for
    what was there before.
    """

    def __init__(
        self,
        below: Below,
        close: Callable[[], None],
        question: str,
        answers: Sequence[Answer],
        clock: Callable[[], float],
    ) -> None:
        """Ask; ``clock`` tells the seconds."""
        super().__init__(below, close, question, answers, escape=False)
        self._clock = clock
        self._asked = clock()

    def _is_settled(self) -> bool:
        return self._clock() - self._asked >= SETTLE

    def keys(self) -> tuple[Key, ...]:
        """Return the keys of the answers; they do nothing yet at first. Esc says no: somebody waits for an answer."""
        asked = super().keys()
        names = {key.keys: (*key.keys, "escape") if key.keys == ("n",) else key.keys for key in asked}
        return tuple(Key(names[key.keys], key.label, self._later(key.act)) for key in asked)

    def _later(self, act: Callable[[], None]) -> Callable[[], None]:
        return lambda: act() if self._is_settled() else None

    def mouse(self, event: Mouse) -> None:
        """A click counts as a key does."""
        if self._is_settled():
            super().mouse(event)
