"""A seat at a table in memory: the engine, a deck in a known order, and the test playing the others."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from random import Random

from rummy_p2p.cards import Card, parse_cards
from rummy_p2p.engine import IllegalAction, MatchState, View, read_action, start_match
from rummy_p2p.engine.events import Event
from rummy_p2p.offline.game import Game
from rummy_p2p.ruleset import Ruleset
from rummy_p2p.sentences import Notice
from variants_plugins.rummy_no import RULES


class FakeSeat:
    """A seat of a table at which seat 0 begins; ``deck`` names the cards from the top, the others follow shuffled."""

    def __init__(
        self,
        deck: str = "",
        rules: Ruleset = RULES,
        names: tuple[str, ...] = ("Ada", "Bea"),
        seat: int = 0,
        seed: int = 0,
    ) -> None:
        self.rules = rules
        self.names = names
        self.seat = seat
        self.called: list[str] = []
        dice, first = Random(seed), parse_cards(deck)

        def shuffle(cards: Sequence[Card]) -> list[Card]:
            return [*first, *dice.sample(rest := [card for card in cards if card not in first], len(rest))]

        self.game = Game(rules, start_match(rules, len(names), len(names) - 1), shuffle)
        self._said: asyncio.Queue[Event | Notice | None] = asyncio.Queue()

    def deal(self) -> None:
        self.game.next_hand()
        self._tell()

    def view(self) -> View | None:
        return None if self.game.hand is None else self.game.view(self.seat)

    def match(self) -> MatchState | None:
        return self.game.match

    def act(self, text: str) -> None:
        if self.game.hand is None:
            raise IllegalAction("hand-over")
        self.other(text, seat=self.seat)

    def other(self, *texts: str, seat: int = 1) -> None:
        """Let another seat play."""
        for text in texts:
            self.game.act(seat, read_action(text, self.game.view(seat)))
            self._tell()

    def commands(self) -> Mapping[str, tuple[str, Callable[[str], None]]]:
        return {"chat": ("say something to the table", self.called.append), "deal": ("deal", lambda _text: self.deal())}

    def say(self, item: Event | Notice | None) -> None:
        """Let something happen; None closes the table."""
        self._said.put_nowait(item)

    async def next(self) -> Event | Notice | None:
        return await self._said.get()

    def said(self) -> list[Event | Notice]:
        """Return what has happened since it was last asked for."""
        items = [self._said.get_nowait() for _ in range(self._said.qsize())]
        return [item for item in items if item is not None]

    def _tell(self) -> None:
        for event in self.game.events:
            self._said.put_nowait(event)
        self.game.events.clear()
