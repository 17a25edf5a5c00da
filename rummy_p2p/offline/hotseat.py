"""One screen for several players: a game in which one seat after the other sits at the same keyboard.

The law of the file
    Whose turn it is sits at the screen, alone. When the turn goes to somebody else the curtain falls (``sitting`` is
    None) and stays down until that player says so (``lift``): with the curtain down nothing can be asked that not
    everybody at the table may know. A claim out of turn is called out while the curtain is down, by name.
"""

from __future__ import annotations

import asyncio
import random
from collections import deque
from collections.abc import Callable, Mapping

from rummy_p2p.engine import HandState, IllegalAction, MatchState, View, claimants, read_action, start_match
from rummy_p2p.engine.events import Event
from rummy_p2p.offline.game import Game
from rummy_p2p.rules.actions import Call
from rummy_p2p.ruleset import Ruleset
from rummy_p2p.sentences import Notice, practice_notice
from rummy_p2p.sentences.replays import curtain_text

Command = Callable[[str], None]


class OneScreen:
    """A match at one keyboard. ``places`` are the seats; ``sitting`` is who looks at the screen now.

    ``recent`` is what has happened since somebody sat down last, as everybody may know it.
    """

    def __init__(self, game: Game, names: tuple[str, ...]) -> None:
        """Deal the first hand, behind the curtain."""
        self.rules: Ruleset = game.rules
        self.names = names
        self.sitting: int | None = None
        self.closed = False
        self.recent: tuple[Event, ...] = ()
        self.places = tuple(Place(self, game, seat) for seat in range(len(names)))
        self._game = game
        self.deal()

    @property
    def hand(self) -> HandState:
        """What everybody may know of the hand."""
        return self._game.view(0).state

    @property
    def waiting(self) -> int:
        """Who is to sit down next, or sits there already."""
        return self.hand.turn

    @property
    def match(self) -> MatchState:
        """The totals."""
        return self._game.match

    def lift(self) -> None:
        """Let the player who is on turn sit down at the screen."""
        self.sitting = self.waiting
        self.recent = ()
        self._wake()

    def act(self, seat: int, text: str) -> tuple[Event, ...]:
        """Carry out what the player at the screen typed; the curtain falls when the turn goes on to another."""
        if seat != self.sitting:
            raise IllegalAction("not-your-turn", turn=self.waiting)
        try:
            self._game.act(seat, read_action(text, self._game.view(seat)))
        finally:
            # Also when a rule failed: the hand is void then, and everybody hears of it.
            events = self._tell()
        return events

    def claimants(self) -> tuple[int, ...]:
        """Return who may claim the discard now; nobody while somebody sits at the screen."""
        return claimants(self.hand) if self.sitting is None else ()

    def claim(self, seat: int) -> tuple[Event, ...]:
        """Claim the discard for a player who has called out; raises as the engine refuses."""
        if self.sitting is not None:
            raise IllegalAction("no-claim-open")
        self._game.act(seat, Call())
        return self._tell()

    def deal(self) -> tuple[Event, ...]:
        """Deal the next hand and let the curtain fall; ``invalid-deal`` while one is being played."""
        self._game.next_hand()
        self.sitting = None
        return self._tell()

    def close(self) -> None:
        """End the game for everybody."""
        self.closed = True
        self._wake()

    def _wake(self) -> None:
        for place in self.places:
            place.wake()

    def _tell(self) -> tuple[Event, ...]:
        """Hand out what has happened; when the hand is over whoever sits at the screen stays there."""
        events = tuple(self._game.events)
        self._game.events.clear()
        self.recent += events
        for place in self.places:
            place.hear(events)
        if not self.hand.over and self.waiting != self.sitting:
            self.sitting = None
        return events


class Place:
    """One player's seat at the screen. It may be looked at only while this player sits there."""

    def __init__(self, screen: OneScreen, game: Game, seat: int) -> None:
        """Take a seat at a screen."""
        self.rules: Ruleset = game.rules
        self.names = screen.names
        self.seat = seat
        self._screen = screen
        self._game = game
        self._lines: deque[Event | Notice] = deque()
        self._news = asyncio.Event()

    def view(self) -> View | None:
        """Return what this player sees; None while no hand is played."""
        return None if self._game.hand is None else self._game.view(self.seat)

    def match(self) -> MatchState:
        """Return the totals."""
        return self._game.match

    def act(self, text: str) -> None:
        """Make a move; raises IllegalAction, ParseError or KnobFailed."""
        self._screen.act(self.seat, text)

    def commands(self) -> Mapping[str, tuple[str, Command]]:
        """Return what can be typed at one screen besides moves."""
        return {
            "next": (curtain_text("next"), lambda _: self._next_hand()),
            "leave": (curtain_text("leave"), lambda _: self._screen.close()),
        }

    def news(self) -> tuple[Event | Notice, ...]:
        """Return what has happened since this was last asked, and forget it."""
        told = tuple(self._lines)
        self._lines.clear()
        return told

    def hear(self, events: tuple[Event, ...]) -> None:
        """Take in what has happened at the table."""
        self._lines += events
        self._news.set()

    def wake(self) -> None:
        """Let whoever waits look again."""
        self._news.set()

    async def next(self) -> Event | Notice | None:
        """Return what happened next, once this player sits at the screen; None when the game was ended."""
        while not self._screen.closed and not (self._lines and self._screen.sitting == self.seat):
            self._news.clear()
            await self._news.wait()
        return None if self._screen.closed else self._lines.popleft()

    def _next_hand(self) -> None:
        """Deal when the hand is over; when the match is, that was all."""
        if self._game.match.over:
            self._screen.close()
        elif self._screen.hand.over:
            self._screen.deal()
        else:
            self._lines.append(Notice(practice_notice("still-playing")))
            self._news.set()


def one_screen(rules: Ruleset, names: tuple[str, ...], seed: int | None = None) -> OneScreen:
    """Return a game for these players; the same ``seed`` gives the same deals."""
    dice = random.Random(seed)
    match = start_match(rules, len(names), dice.randrange(len(names)))
    return OneScreen(Game(rules, match, lambda cards: dice.sample(list(cards), len(cards))), names)
