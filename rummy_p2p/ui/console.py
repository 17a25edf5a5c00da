"""The table as a conversation: what happens and what is typed go in, lines of text come out.

The law of the file
    A ``Seat`` is all that is known here: what it sees, what happens to it, how it acts. A ``Console`` has no terminal
    and no clock. A refused move says why and changes nothing. Every line that leaves is ``printable``: no terminal code
    of a stranger gets through, whoever let it in.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, Protocol

from rummy_p2p.cards import RANKS, SUITS, face_text
from rummy_p2p.engine import NOBODY, IllegalAction, KnobFailed, MatchState, ParseError, Phase, View
from rummy_p2p.engine import events as ev
from rummy_p2p.rules.actions import VERBS
from rummy_p2p.ruleset import Ruleset, RulesetError
from rummy_p2p.sentences import (
    COMMANDS,
    ORDERS,
    Notice,
    Order,
    answer_text,
    command_lines,
    event_line,
    hand_line,
    labelled_call,
    prompt_text,
    refusal,
    rules_lines,
    score_lines,
    standings,
    table_lines,
    turn_hint,
    turn_lines,
    unknown_command,
    verbs,
)

Command = Callable[[str], None]
REMEMBERED: Final = 200
_MANY_CARDS: Final = ("meld", "knock")
_ONE_CARD: Final = ("discard", "add", "swap")
_SHOWN: Final = 10


class Seat(Protocol):
    """A place at a table, whether the others are bots in this process or people on the LAN."""

    @property
    def rules(self) -> Ruleset:
        """The rules of the table."""
        ...

    @property
    def names(self) -> tuple[str, ...]:
        """The players, by seat."""
        ...

    @property
    def seat(self) -> int:
        """Which of them sits here."""
        ...

    def view(self) -> View | None:
        """Return what the seat sees; None between hands."""
        ...

    def match(self) -> MatchState | None:
        """Return the totals; None before the first hand."""
        ...

    def act(self, text: str) -> None:
        """Carry out what was typed, or raise IllegalAction, ParseError, RulesetError or KnobFailed."""
        ...

    def commands(self) -> Mapping[str, tuple[str, Command]]:
        """Return the commands that only this table has: a line of help, and what is called with the text behind it."""
        ...

    async def next(self) -> ev.Event | Notice | None:
        """Return what happened next, waiting for it; None when the table is closed."""
        ...


class Said(NamedTuple):
    """What comes out: lines, whether to ring the bell, whether the player leaves the table."""

    lines: tuple[str, ...] = ()
    bell: bool = False
    leaves: bool = False


def printable(line: str) -> str:
    """Return the line with a question mark for everything that is not plain text."""
    return "".join(character if character.isprintable() else "?" for character in line)


class Console:
    """One player's conversation with a table."""

    def __init__(self, seat: Seat, more: Sequence[str] = ()) -> None:
        """Begin; nothing has happened yet. ``more``: words that somebody else understands, who passes on the others."""
        self.seat = seat
        self._more_words = tuple(more)
        self.order: Order = "melds"
        self._log: deque[str] = deque(maxlen=REMEMBERED)
        self._scored: ev.Scored | None = None
        self._dealt = False
        self._commands: Mapping[str, Callable[[str], Said]] = {
            "hand": self._hand,
            "table": self._table,
            "turn": self._turn,
            "score": self._score,
            "last": self._last,
            "sort": self._sort,
            "rules": self._rules,
            "help": self._help,
            "quit": self._quit,
        }

    def hear(self, item: ev.Event | Notice) -> Said:
        """Return what is shown of something that has happened."""
        if isinstance(item, Notice):
            return self._remember(Said((item.text,)))
        line = event_line(item, self.seat.names, self.seat.view(), self.seat.seat)
        more = self._more(item)
        if isinstance(item, ev.Turn) and more.lines:
            return self._remember(more, line)
        return self._remember(Said((line, *more.lines), more.bell), line)

    def _remember(self, said: Said, line: str = "") -> Said:
        lines = tuple(printable(each) for each in said.lines)
        self._log.append(printable(line) or lines[0])
        return said._replace(lines=lines)

    def _more(self, event: ev.Event) -> Said:
        """Return what follows the line of an event: a call to act, the hand as it is now, the reasons for points."""
        view = self.seat.view()
        if isinstance(event, ev.Scored):
            self._scored = event
            return Said((*_indented(score_lines(event, self.seat.names)), *self._totals()))
        if view is None:
            return Said()
        if isinstance(event, ev.Dealt):
            self._dealt = True
        if isinstance(event, ev.Turn):
            return self._turn_begins(event, view)
        if isinstance(event, ev.Discarded | ev.Asked) and event.seat != self.seat.seat:
            return self._claim_opens(view)
        changed = isinstance(event, ev.Drew | ev.Took | ev.Claimed | ev.Swapped) and event.seat == self.seat.seat
        return Said((hand_line(view, self.order),)) if changed else Said()

    def _turn_begins(self, event: ev.Turn, view: View) -> Said:
        """Call the player, once; after the deal the others are shown their cards as well."""
        first, self._dealt = self._dealt, False
        if event.seat == self.seat.seat and view.on_turn and view.state.phase not in (Phase.COUNT, Phase.OVER):
            return Said(turn_lines(view, self.seat.names, self.order), bell=True)
        if not first or view.seat == NOBODY:
            return Said()
        line = event_line(event, self.seat.names, view, self.seat.seat)
        return Said((hand_line(view, self.order), line))

    def _claim_opens(self, view: View) -> Said:
        """Tell the player of a discard that may be claimed, or of a claim to answer; on turn one is told anyway."""
        if view.on_turn and view.state.phase is not Phase.ANSWER:
            return Said()
        hint = turn_hint(view)
        return Said((hint,), bell=True) if hint else Said()

    def answer(self, text: str) -> Said:
        """Carry out what was typed and return what is shown for it."""
        word, _, rest = text.strip().partition(" ")
        word = word.lower()
        if not word:
            return Said()
        said = self._answer(word, rest.strip(), text.strip())
        return said._replace(lines=tuple(printable(line) for line in said.lines))

    def _answer(self, word: str, rest: str, text: str) -> Said:
        extra = self.seat.commands()
        if word in self._commands:
            return self._commands[word](rest)
        if word in extra:
            return self._try(extra[word][1], rest)
        if word == labelled_call(self.seat.rules):
            return self._try(self.seat.act, f"call {rest}".strip())
        if word in VERBS:
            return self._try(self.seat.act, text)
        return Said((unknown_command(word, dict.fromkeys((*self.words(), *self._more_words))),))

    def _try(self, action: Command, text: str) -> Said:
        try:
            action(text)
        except (IllegalAction, ParseError, RulesetError, KnobFailed) as error:
            return Said((refusal(error, self.seat.rules, self.seat.names),))
        return Said()

    def words(self) -> tuple[str, ...]:
        """Return every word that a line may begin with."""
        call = labelled_call(self.seat.rules)
        return (*verbs(self.seat.rules), *([call] if call else []), *COMMANDS, *self.seat.commands())

    def prompt(self) -> str:
        """Return what stands before the cursor."""
        return prompt_text(self.seat.view())

    # --- commands ----------------------------------------------------------------------------------------------------

    def _hand(self, _rest: str) -> Said:
        view = self.seat.view()
        return Said((answer_text("no-hand") if view is None else hand_line(view, self.order),))

    def _table(self, _rest: str) -> Said:
        view = self.seat.view()
        return Said((answer_text("no-hand"),) if view is None else table_lines(view, self.seat.names))

    def _turn(self, _rest: str) -> Said:
        view = self.seat.view()
        return Said((answer_text("no-hand"),) if view is None else turn_lines(view, self.seat.names, self.order))

    def _score(self, _rest: str) -> Said:
        reasons = () if self._scored is None else _indented(score_lines(self._scored, self.seat.names))
        return Said((*reasons, *self._totals()) or (answer_text("no-match"),))

    def _totals(self) -> tuple[str, ...]:
        match = self.seat.match()
        return () if match is None else standings(match, self.seat.names, self.seat.rules)

    def _last(self, rest: str) -> Said:
        if rest and not (rest.isascii() and rest.isdigit() and int(rest[:4]) > 0):
            return Said((answer_text("last-number"),))
        shown = list(self._log)[-(int(rest[:4]) if rest else _SHOWN) :]
        return Said(tuple(shown) or (answer_text("nothing-yet"),))

    def _sort(self, rest: str) -> Said:
        order = next((order for order in ORDERS if order == rest.lower()), None)
        if order is None:
            return Said((answer_text("orders"),))
        self.order = order
        return self._hand("")

    def _rules(self, _rest: str) -> Said:
        return Said(rules_lines(self.seat.rules))

    def _help(self, _rest: str) -> Said:
        extra = {name: sentence for name, (sentence, _command) in self.seat.commands().items()}
        return Said(command_lines(self.seat.rules, extra))

    def _quit(self, _rest: str) -> Said:
        return Said(leaves=True)

    # --- completion --------------------------------------------------------------------------------------------------

    def complete(self, text: str) -> tuple[str, ...]:
        """Return what the last word of an unfinished line may become: commands, own cards, melds, faces for a joker."""
        words = text.replace("|", " | ").split(" ")
        before, begun = [word for word in words[:-1] if word], words[-1]
        candidates = self._candidates(before, begun)
        return tuple(dict.fromkeys(word for word in candidates if word.lower().startswith(begun.lower())))

    def _candidates(self, before: list[str], begun: str) -> Iterator[str]:
        if not before:
            yield from self.words()
            return
        verb, arguments = before[0].lower(), before[1:]
        if begun.upper().startswith("JK="):
            yield from (f"JK={rank}{suit}" for suit in SUITS for rank in RANKS)
        elif verb in _MANY_CARDS or (verb in _ONE_CARD and not arguments):
            yield from self._own_cards(arguments)
        elif verb in ("add", "swap") and len(arguments) == 1:
            yield from self._melds()
        elif verb == "add" and len(arguments) == 2:
            yield from ("left", "right")
        elif verb == "sort" and not arguments:
            yield from ORDERS

    def _own_cards(self, named: list[str]) -> Iterator[str]:
        """Yield the faces of the hand that are not named yet, as often as they are held."""
        view = self.seat.view()
        spent = [word.partition("=")[0].upper() for word in named]
        for card in () if view is None else sorted(view.hand, key=lambda card: card.face):
            face = face_text(card.face)
            if face.upper() in spent:
                spent.remove(face.upper())
            else:
                yield face

    def _melds(self) -> Iterator[str]:
        view = self.seat.view()
        yield from () if view is None else (str(number) for number in range(1, len(view.state.table) + 1))


def _indented(lines: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"  {line}" for line in lines)
