"""The people whom this player knows, and those who are here: by which words each is known again, who is blocked.

The law of the file
    The room knows a ``Book`` and nothing of files or keys; what it shows is asked for at every drawing. What is done
    to somebody is done to the key behind the row, never to whoever else bears the name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, Protocol

import msgspec

from rummy_p2p.sentences.screen_lobby import form_text, lobby_say
from rummy_p2p.sentences.screen_network import network_say
from rummy_p2p.ui.canvas import Canvas, cut, text_width, wrap
from rummy_p2p.ui.lobby_draw import draw_buttons, draw_message
from rummy_p2p.ui.room import Key, Mouse
from rummy_p2p.ui.screen import Screen

Standing = Literal["new", "known", "blocked", "another-key"]
_STYLES: Final[dict[Standing, str]] = {"new": "yellow", "known": "green", "blocked": "alert", "another-key": "alert"}
_WIDE: Final = 100
_NAME: Final = 15
_WORDS: Final = ("trust", "forget", "block", "unblock", "back")


class Acquaintance(msgspec.Struct, frozen=True):
    """Somebody: ``words`` are what both see, ``before`` what both saw of the key that was known under this name;
    ``here``: now on this network, with ``table`` open there; ``seen``: when last, as it is shown.
    """

    id: str
    nick: str
    words: str
    standing: Standing
    here: bool = False
    table: str = ""
    seen: str = ""
    since: str = ""
    before: str = ""


class Book(Protocol):
    """Who is who."""

    def people(self) -> tuple[Acquaintance, ...]:
        """Return everybody, those who are here first."""
        ...

    def trust(self, id: str) -> None:
        """Believe the key of this person from now on, in place of another of that name."""
        ...

    def forget(self, id: str) -> None:
        """Know nothing of this person any more."""
        ...

    def block(self, id: str, *, blocked: bool) -> None:
        """Have nothing to do with this person, or no longer so."""
        ...


class PeopleRoom:
    """A room over the lobby."""

    def __init__(self, screen: Screen, book: Book) -> None:
        """Stand on the first."""
        self._screen = screen
        self._book = book
        self._chosen = ""
        self._stop_clock = screen.every(2.0, lambda: None)  # who is here may have changed

    def _at(self) -> int:
        return next((at for at, each in enumerate(self._book.people()) if each.id == self._chosen), 0)

    def _current(self) -> Acquaintance | None:
        people = self._book.people()
        return people[self._at()] if people else None

    # --- drawing -----------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas) -> None:
        """Draw the list on the left, the one who is chosen on the right."""
        height = canvas.height - 1
        right = 44 if canvas.width >= _WIDE else 28
        people = self._book.people()
        canvas.box(0, 0, canvas.width - right, height, network_say("people-title"))
        inner = canvas.part(1, 1, canvas.width - right - 2, height - 3)
        if people:
            self._draw_list(inner, people)
        for y, line in enumerate(wrap(network_say("people-none"), inner.width - 2) if not people else ()):
            inner.put(1, y, line)
        keys = {key.keys[0]: key for key in self.keys()}
        draw_buttons(canvas.part(2, height - 2, canvas.width - right - 3, 1), 0, keys, ("t", "b", "x", "escape"))
        chosen = self._current()
        title = chosen.nick if chosen is not None else network_say("people-nobody")
        canvas.box(canvas.width - right, 0, right, height, cut(title, right - 6, canvas.glyphs.more))
        about = canvas.part(canvas.width - right + 2, 1, right - 4, height - 2)
        lines = [] if chosen is None else _about(chosen)
        y = 0
        for style, text in lines:
            for line in wrap(text, about.width):
                about.put(0, y, line, style)
                y += 1
        draw_message(canvas, network_say("people-message"))

    def _draw_list(self, canvas: Canvas, people: tuple[Acquaintance, ...]) -> None:
        at, room = self._at(), canvas.height - 1
        first = min(max(0, at - room + 1), max(0, len(people) - room))
        name = _NAME if canvas.width < _WIDE - 44 else _NAME + 9
        state = canvas.width - 1 - max(text_width(network_say(f"is-{each}")) for each in (*_STYLES, "here"))
        for x, which in ((2, "name"), (2 + name, "words"), (state, "standing")):
            canvas.put(x, 0, network_say(f"column-{which}"), "dim")
        for y, each in enumerate(people[first : first + room], 1):
            here, target = first + y - 1 == at, ("row", first + y - 1)
            canvas.fill(0, y, canvas.width, 1, target=target)
            canvas.put(0, y, canvas.glyphs.right if here else " ", "title", target)
            more = canvas.glyphs.more
            canvas.put(2, y, cut(each.nick, name - 1, more), "focus" if here else "bold" if each.here else "", target)
            canvas.put(2 + name, y, cut(each.words, state - name - 3, more), "", target)
            shown = "here" if each.here and each.standing == "known" else each.standing
            canvas.put(state, y, network_say(f"is-{shown}"), _STYLES[each.standing], target)

    def cursor(self) -> tuple[int, int] | None:
        """Return the row that is stood on."""
        return (1, 2 + self._at())

    def title(self) -> str:
        """Return the title of the terminal."""
        return f"rummy-p2p: {network_say('people-title')}"

    # --- keys --------------------------------------------------------------------------------------------------------

    def keys(self) -> tuple[Key, ...]:
        """Return what can be done."""
        one = self._current()
        blocked = one is not None and one.standing == "blocked"
        trusts = one is not None and one.standing in ("new", "another-key")
        which = "unblock" if blocked else "block"
        move = network_say("help-people-move")
        return (
            Key(("t",), network_say("key-trust"), self._trust, trusts, help=network_say("help-trust")),
            Key(("b",), network_say(f"key-{which}"), self._block, one is not None, help=network_say("help-block")),
            Key(("x",), network_say("key-forget"), self._forget, self._is_kept(one), help=network_say("help-forget")),
            Key(("escape", "q"), lobby_say("key-back"), self._back, help=network_say("help-back")),
            Key(("down", "j"), "", lambda: self._move(1), bar=False, help=move),
            Key(("up", "k"), "", lambda: self._move(-1), bar=False, help=move),
            Key(("pagedown",), "", lambda: self._move(10), bar=False, help=move),
            Key(("pageup",), "", lambda: self._move(-10), bar=False, help=move),
        )

    @staticmethod
    def _is_kept(one: Acquaintance | None) -> bool:
        return one is not None and one.standing in ("known", "blocked")

    def mouse(self, event: Mouse) -> None:
        """A click chooses a row or presses a button; the wheel goes through the list."""
        target = event.target or ()
        if event.kind in ("wheel-up", "wheel-down"):
            self._move(1 if event.kind == "wheel-down" else -1)
        elif target[:1] == ("row",) and event.kind == "down":
            people = self._book.people()
            self._chosen = people[min(int(target[1]), len(people) - 1)].id
        elif target[:1] == ("key",) and event.kind == "up":
            self._screen.press(str(target[1]))

    def _move(self, by: int) -> None:
        people = self._book.people()
        if people:
            self._chosen = people[min(max(self._at() + by, 0), len(people) - 1)].id

    def _trust(self) -> None:
        one = self._current()
        if one is None:
            return
        if one.standing == "known":
            self._screen.note(network_say("trusted-already", name=one.nick))
        elif one.standing == "blocked":
            self._screen.note(network_say("unblock-first", name=one.nick))
        elif one.standing == "another-key":
            question = network_say("ask-trust", name=one.nick, words=one.words, before=one.before)
            self._ask(question, lambda: self._done("now-trusted", one, lambda: self._book.trust(one.id)))
        else:
            self._done("now-trusted", one, lambda: self._book.trust(one.id))

    def _block(self) -> None:
        one = self._current()
        if one is not None:
            blocked = one.standing != "blocked"
            which = "now-blocked" if blocked else "now-unblocked"
            self._done(which, one, lambda: self._book.block(one.id, blocked=blocked))

    def _forget(self) -> None:
        one = self._current()
        if one is None:
            return
        if self._is_kept(one):
            question = network_say("ask-forget", name=one.nick)
            self._ask(question, lambda: self._done("now-forgotten", one, lambda: self._book.forget(one.id)))
        else:
            self._screen.note(network_say("not-kept", name=one.nick))

    def _ask(self, question: str, act: Callable[[], None]) -> None:
        self._screen.ask(question, (("y", form_text("yes"), act), ("n", form_text("no"), lambda: None)))

    def _done(self, which: str, one: Acquaintance, act: Callable[[], None]) -> None:
        self._chosen = one.id
        act()
        if not self._screen.noted:  # nothing has gone wrong
            self._screen.note(network_say(which, name=one.nick))

    def _back(self) -> None:
        self._stop_clock()
        self._screen.leave()

    # --- what is typed -----------------------------------------------------------------------------------------------

    def typed(self, text: str) -> None:
        """Carry out a line: what is to be done, and to whom, if not to the one who is chosen."""
        word, _space, name = text.strip().removeprefix("/").removeprefix("people ").partition(" ")
        if word in ("back", "quit", "q", "exit"):
            self._back()
            return
        acts = {"trust": self._trust, "forget": self._forget, "block": self._block, "unblock": self._block}
        act = acts.get(word)
        if act is None:
            self._screen.note(network_say("no-such-word", words=", ".join(_WORDS)))
        elif self._stand_on(name.strip()):
            one = self._current()
            if one is None or word not in ("block", "unblock") or (word == "block") == (one.standing != "blocked"):
                act()

    def _stand_on(self, name: str) -> bool:
        """Choose whoever is called so; whether there is somebody."""
        if not name:
            return True
        found = next((each for each in self._book.people() if each.nick.casefold() == name.casefold()), None)
        if found is None:
            self._screen.note(network_say("no-such-person", name=name))
            return False
        self._chosen = found.id
        return True

    def complete(self, text: str) -> tuple[str, ...]:
        """Return what the last word may become."""
        *before, begun = text.removeprefix("/").split(" ")
        words = _WORDS if not before else [each.nick for each in self._book.people()]
        return tuple(word for word in words if word.casefold().startswith(begun.casefold()))


def _about(one: Acquaintance) -> list[tuple[str, str]]:
    lines = [("dim", network_say("both-see")), ("bold", one.words)]
    if one.standing == "another-key":
        lines += [("dim", network_say("both-saw")), ("", one.before)]
    lines.append((_STYLES[one.standing], network_say(f"about-{one.standing}", name=one.nick)))
    if one.here:
        lines.append(("", network_say("has-table", title=one.table) if one.table else network_say("is-on-network")))
    elif one.seen:
        lines.append(("", network_say("last-seen", when=one.seen)))
    if one.since:
        lines.append(("", network_say("first-met", when=one.since)))
    return lines
