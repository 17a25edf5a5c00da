"""One screen for several players, as a conversation: whose turn it is types, and the curtain falls in between.

The law of the file
    While the curtain is down nothing is written that not everybody may read, and what the last player saw is wiped off
    the terminal before the next one is called. A conversation has no terminal; ``play`` is the pump.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from textwrap import wrap
from typing import Final, NamedTuple, Protocol, TextIO

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.shortcuts import CompleteStyle

from rummy_p2p.engine import HandState, IllegalAction, KnobFailed, MatchState
from rummy_p2p.engine import events as ev
from rummy_p2p.protocol.text import NICK_LIMIT, clean
from rummy_p2p.ruleset import Ruleset
from rummy_p2p.sentences import Notice, event_line, labelled_call, refusal, standings
from rummy_p2p.sentences.events import card_text
from rummy_p2p.sentences.language import listed
from rummy_p2p.sentences.replays import curtain_text
from rummy_p2p.ui.console import Console, Seat, printable

LEFT: Final = 0
INTERRUPTED: Final = 130
_BLANK: Final = 60  # lines that push the last hand out of sight where nothing can be wiped
_NARROWEST: Final = 20
_WIPE: Final = "\x1b[2J\x1b[3J\x1b[H"  # the screen, what has scrolled away, and back to the first line


class Place(Seat, Protocol):
    """One player's seat at the screen."""

    def news(self) -> Sequence[ev.Event | Notice]:
        """Return what has happened since this was last asked."""
        ...


class Shared(Protocol):
    """A game that is played at one screen."""

    closed: bool

    @property
    def rules(self) -> Ruleset:
        """The rules of the table."""
        ...

    @property
    def names(self) -> tuple[str, ...]:
        """The players, by seat."""
        ...

    @property
    def places(self) -> Sequence[Place]:
        """The seats."""
        ...

    @property
    def sitting(self) -> int | None:
        """Who looks at the screen; None: the curtain is down."""
        ...

    @property
    def recent(self) -> Sequence[ev.Event]:
        """What has happened since somebody sat down last."""
        ...

    @property
    def waiting(self) -> int:
        """Whose turn it is."""
        ...

    @property
    def hand(self) -> HandState:
        """What everybody may know of the hand."""
        ...

    @property
    def match(self) -> MatchState:
        """The totals."""
        ...

    def lift(self) -> None:
        """Let the player who is on turn sit down."""
        ...

    def claimants(self) -> tuple[int, ...]:
        """Return who may claim the discard while the curtain is down."""
        ...

    def claim(self, seat: int) -> Sequence[ev.Event]:
        """Claim the discard for a player; raises as the engine refuses."""
        ...

    def deal(self) -> Sequence[ev.Event]:
        """Deal the next hand."""
        ...

    def close(self) -> None:
        """End the game."""
        ...


class Shown(NamedTuple):
    """What comes out: lines, whether the terminal is wiped before them, whether to ring, whether the game is over."""

    lines: tuple[str, ...] = ()
    wipe: bool = False
    bell: bool = False
    leaves: bool = False


def curtain_lines(table: Shared) -> tuple[str, ...]:
    """Return what is said to all while the curtain is down."""
    name = clean(table.names[table.waiting], NICK_LIMIT)
    lines = [curtain_text("pass", name=name)]
    may, top = table.claimants(), table.hand.top()
    if may and top is not None:
        names = [clean(table.names[seat], NICK_LIMIT) for seat in may]
        word = labelled_call(table.rules) or "call"
        facts = {"card": card_text(top), "word": word, "names": listed(names), "first": names[0]}
        lines.append(curtain_text("claim", **facts))
    return (*lines, curtain_text("ready", name=name))


def recent_lines(table: Shared) -> tuple[str, ...]:
    """Return what has happened since somebody sat down last, as everybody may know it."""
    return tuple(event_line(event, table.names, None) for event in table.recent)


def called_out(table: Shared, text: str) -> str:
    """Carry out a claim that was called out: ``rummy Bea``, ``call Bea``; return what is said to it."""
    may = table.claimants()
    word, _, who = text.strip().partition(" ")
    if not may:
        return curtain_text("nobody")
    if word.lower() not in ("call", labelled_call(table.rules)) or not (who or len(may) == 1):
        return curtain_lines(table)[1]
    named = [seat for seat in may if table.names[seat].lower() == who.strip().lower()]
    if len(named) != 1 and who:
        names = listed([clean(table.names[seat], NICK_LIMIT) for seat in may])
        return curtain_text("no-claim", name=clean(who, NICK_LIMIT), names=names)
    seat, top = (named or list(may))[0], table.hand.top()
    try:
        table.claim(seat)
    except (IllegalAction, KnobFailed) as error:
        return refusal(error, table.rules, table.names)
    return curtain_text("claimed", name=clean(table.names[seat], NICK_LIMIT), card=card_text(top) if top else "?")


class SharedConsole:
    """The conversation of all players with their table, one after the other."""

    def __init__(self, table: Shared) -> None:
        """Begin with the curtain down."""
        self._table = table
        self._consoles = [Console(place) for place in table.places]

    def begin(self) -> Shown:
        """Return what is said before anybody sits down."""
        return self._shown(curtain_lines(self._table))

    def prompt(self) -> str:
        """Return what stands before the cursor."""
        return "> " if self._table.sitting is None else self._console.prompt()

    @property
    def sitting(self) -> int | None:
        """Who sits at the screen; None: the curtain is down."""
        return self._table.sitting

    def complete(self, text: str) -> tuple[str, ...]:
        """Return what the last word may become, for whoever sits at the screen."""
        return () if self._table.sitting is None else self._console.complete(text)

    def answer(self, text: str) -> Shown:
        """Carry out what was typed."""
        if self._table.sitting is None:
            return self._before_the_curtain(text)
        if self._table.hand.over and not text.strip():
            return self._go_on()
        seat = self._table.sitting
        said = self._consoles[seat].answer(text)
        news = self._table.places[seat].news()
        if said.leaves or self._table.closed:
            return Shown(said.lines, leaves=True)
        if self._table.sitting != seat:
            return self._curtain_falls()
        told = [self._consoles[seat].hear(item) for item in news]
        lines = (*said.lines, *(line for each in told for line in each.lines), *self._at_the_end())
        return self._shown(lines, bell=said.bell or any(each.bell for each in told))

    def _before_the_curtain(self, text: str) -> Shown:
        word = text.strip().lower()
        if word in ("quit", "leave"):
            return Shown(leaves=True)
        if word:
            said = called_out(self._table, text)
            return self._shown((said, *curtain_lines(self._table)))
        self._table.lift()
        return self._sits_down()

    def _sits_down(self) -> Shown:
        """Tell the player what has happened since the last turn, and what can be done."""
        seat = self._table.waiting
        told = [self._consoles[seat].hear(item) for item in self._table.places[seat].news()]
        return self._shown((line for each in told for line in each.lines), wipe=True, bell=True)

    def _curtain_falls(self) -> Shown:
        """Wipe the hand off the screen, and tell all what everybody may know of the turn."""
        return self._shown((*recent_lines(self._table), *curtain_lines(self._table)), wipe=True)

    def _at_the_end(self) -> tuple[str, ...]:
        if not self._table.hand.over:
            return ()
        return (curtain_text("match-over" if self._table.match.over else "over"),)

    def _go_on(self) -> Shown:
        if self._table.match.over:
            return self._shown(standings(self._table.match, self._table.names, self._table.rules), leaves=True)
        self._table.deal()
        return self._shown(curtain_lines(self._table), wipe=True)

    @property
    def _console(self) -> Console:
        return self._consoles[self._table.waiting if self._table.sitting is None else self._table.sitting]

    @staticmethod
    def _shown(lines: Iterable[str], *, wipe: bool = False, bell: bool = False, leaves: bool = False) -> Shown:
        return Shown(tuple(printable(line) for line in lines), wipe, bell, leaves)


# --- the pump --------------------------------------------------------------------------------------------------------


def play(table: Shared, stdin: TextIO | None = None, stdout: TextIO | None = None) -> int:
    """Play at one screen until the match is over or somebody leaves; return the exit code."""
    reader, writer = stdin or sys.stdin, stdout or sys.stdout
    terminal = reader.isatty() and writer.isatty() and os.environ.get("TERM") != "dumb"
    console = SharedConsole(table)
    ask = _prompting(console) if terminal else _reading(reader)
    shown = console.begin()
    while True:
        _write(writer, shown, terminal=terminal)
        if shown.leaves:
            return LEFT
        try:
            text = ask()
        except KeyboardInterrupt:
            return INTERRUPTED
        if text is None:
            return LEFT
        shown = console.answer(text)


def _prompting(console: SharedConsole) -> Callable[[], str | None]:
    """Return what asks at a prompt; the lines of another player are nobody's to bring back: each has a history."""
    histories: dict[int | None, InMemoryHistory] = {}

    def ask() -> str | None:
        session: PromptSession[str] = PromptSession(
            history=histories.setdefault(console.sitting, InMemoryHistory()),
            completer=_Completer(console),
            complete_while_typing=False,
            complete_style=CompleteStyle.READLINE_LIKE,
        )
        try:
            return session.prompt(console.prompt())
        except EOFError:
            return None

    return ask


def _reading(reader: TextIO) -> Callable[[], str | None]:
    return lambda: reader.readline() or None


class _Completer(Completer):
    """Completes the last word of the line."""

    def __init__(self, console: SharedConsole) -> None:
        self._console = console

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        del complete_event
        text = document.text_before_cursor
        begun = text.replace("|", " ").split(" ")[-1]
        yield from (Completion(word, start_position=-len(begun)) for word in self._console.complete(text))


def _write(writer: TextIO, shown: Shown, *, terminal: bool) -> None:
    encoding = writer.encoding or "utf-8"
    if shown.wipe:
        writer.write(_WIPE if terminal else "\n" * _BLANK)
    if shown.bell and terminal:
        writer.write("\a")
    width = max(_NARROWEST, os.get_terminal_size(writer.fileno()).columns) if terminal else 0
    parts = (part for line in shown.lines for part in (wrap(line, width, break_on_hyphens=False) if width else [line]))
    writer.writelines(part.encode(encoding, "replace").decode(encoding) + "\n" for part in parts)
    writer.flush()
