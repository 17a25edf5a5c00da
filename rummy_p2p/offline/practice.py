"""Practice: one person against bots in one process, as a seat that a screen can be put on."""

from __future__ import annotations

import asyncio
import random
from collections import deque
from collections.abc import Callable, Mapping
from typing import Final

from rummy_p2p.bots import Strategy
from rummy_p2p.engine import Action, KnobFailed, MatchState, View, claimants, leaders, read_action, start_match
from rummy_p2p.engine.events import Event
from rummy_p2p.offline.game import Game
from rummy_p2p.ruleset import Ruleset
from rummy_p2p.sentences import Notice, practice_notice, refusal
from rummy_p2p.sentences.screen import Over, TableFacts, practice_again

HUMAN: Final = 0


class PracticeSeat:
    """Seat 0 of a match against bots; events come out of ``next``, actions go into ``act``."""

    def __init__(
        self,
        game: Game,
        names: tuple[str, ...],
        bot: Strategy,
        seed: int,
        hands: int | None,
        *,
        stays: bool = False,
    ) -> None:
        """Deal the first hand. ``stays``: the table stays open after a match, so that it can be played again."""
        self.rules: Ruleset = game.rules
        self.names = names
        self.seat = HUMAN
        self._game = game
        self._bot = bot
        self._seed = seed
        self._stays = stays
        self._hands = self._hands_left = hands
        self._lines: deque[Event | Notice] = deque()
        self._acted = asyncio.Event()
        self._closed = False
        self._deal()

    def view(self) -> View:
        """Return what the person sees."""
        return self._game.view(HUMAN)

    def match(self) -> MatchState:
        """Return the totals."""
        return self._game.match

    def act(self, text: str) -> None:
        """Carry out what the person typed; raises ParseError or IllegalAction, or KnobFailed when the hand is void."""
        try:
            self._game.act(HUMAN, read_action(text, self.view()))
        finally:
            self._collect()
            self._acted.set()

    def commands(self) -> Mapping[str, tuple[str, Callable[[str], None]]]:
        """Return the commands that only this table has."""
        found = {"next": (practice_notice("next"), self._next_hand), "leave": (practice_notice("leave"), self._leave)}
        if self._stays:
            found["rematch"] = (practice_again(), self._rematch)
        return found

    def facts(self) -> TableFacts:
        """Return what the table tells of itself."""
        match, over = self._game.match, self._is_over
        winners = match.winners or leaders(self.rules, match)
        return TableFacts(may_rematch=over, over=Over(winners, match.scores) if over else None)

    async def next(self) -> Event | Notice | None:
        """Return what happened next; lets the bots play until something has."""
        while not self._lines:
            if self._closed:
                return None
            await self._go_on()
        return self._lines.popleft()

    async def _go_on(self) -> None:
        """Let one bot act, or wait for the person."""
        self._acted.clear()
        try:
            move = self._next_bot_move()
            if move is None:
                await self._acted.wait()
            elif not (self._may_claim() and await self._waits_for_a_call()):
                self._game.act(*move)
        except KnobFailed as failure:
            self._lines.append(Notice(refusal(failure, self.rules, self.names)))
            self._game.void()
        self._collect()

    def _may_claim(self) -> bool:
        hand = self.view().state
        return hand.turn != HUMAN and HUMAN in claimants(hand)

    async def _waits_for_a_call(self) -> bool:
        """Give the person the time to claim the discard; return whether anything was typed meanwhile."""
        try:
            async with asyncio.timeout(self.rules.claim.window_ms / 1000):
                await self._acted.wait()
        except TimeoutError:
            return False
        return True

    def _next_bot_move(self) -> tuple[int, Action] | None:
        hand = self.view().state
        if hand.over:
            return None
        callers = claimants(hand)
        turn = () if hand.turn == HUMAN else (hand.turn,)
        for seat in (*(s for s in callers if s not in (HUMAN, *turn)), *turn):
            action = self._bot(self._game.view(seat), self._seed + len(self._game.actions))
            if action is not None:
                return seat, action
        return None

    def _collect(self) -> None:
        if not self._game.events:
            return
        self._lines += self._game.events
        self._game.events.clear()
        if self.view().state.over:
            self._end_hand()

    def _end_hand(self) -> None:
        if self._hands_left is not None:
            self._hands_left -= 1
        if self._is_over:
            self._closed = not self._stays
        elif not self._stays:  # a screen that stays says so itself
            self._lines.append(Notice(practice_notice("hand-over")))

    @property
    def _is_over(self) -> bool:
        """Whether the match is over, or the hands that were wanted are played."""
        return self.view().state.over and (self._game.match.over or self._hands_left == 0)

    def _rematch(self, _text: str) -> None:
        """Play another match, when this one is over."""
        if self._is_over:
            dealer = self._game.match.dealer
            self._game = self._game.again(start_match(self.rules, len(self.names), dealer))
            self._hands_left = self._hands
            self._deal()
        else:
            self._lines.append(Notice(practice_notice("still-playing")))
        self._acted.set()

    def _deal(self) -> None:
        self._game.next_hand()
        self._collect()

    def _next_hand(self, _text: str) -> None:
        if not self._closed and self.view().state.over and not self._is_over:
            self._deal()
        else:
            self._lines.append(Notice(practice_notice("still-playing")))
        self._acted.set()

    def _leave(self, _text: str) -> None:
        self._closed = True
        self._acted.set()


def practice_seat(
    rules: Ruleset,
    seats: int,
    nick: str,
    seed: int | None,
    bot: Strategy,
    hands: int | None = None,
    *,
    stays: bool = False,
) -> PracticeSeat:
    """Return a seat against ``seats - 1`` bots; the same ``seed`` gives the same deals."""
    dice = random.Random(seed)
    names = (nick, *(f"Bot {n}" for n in range(1, seats)))
    match = start_match(rules, seats, dice.randrange(seats))
    game = Game(rules, match, lambda cards: dice.sample(list(cards), len(cards)))
    return PracticeSeat(game, names, bot, dice.randrange(1 << 30), hands, stays=stays)
