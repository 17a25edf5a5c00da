"""The programs that play seats: bots move when the committed state says that they could, one thought at a time."""

import asyncio
import logging
import math
from collections.abc import Callable, Collection

from rummy_p2p.bots import Strategy
from rummy_p2p.bots.pace import thinking_time
from rummy_p2p.engine import Action, IllegalAction, KnobFailed
from rummy_p2p.node.peer import Peer
from rummy_p2p.protocol.faults import Refusal
from rummy_p2p.protocol.table import TableSession

_log = logging.getLogger(__name__)

AGAIN_AFTER = 1.0

Position = tuple[bytes, int]


class BotPlayer:
    """Plays the seats of this peer that no person plays, with one strategy."""

    def __init__(
        self, peer: Peer, strategy: Strategy, seed: int, *, everything: bool, pause: float = 0.0, pace: float = 0.0
    ) -> None:
        """``everything``: also the player's own seat. ``pause``: seconds before it looks at what has happened; ``pace``
        1: it seems to think as long as people do, 0: not at all.
        """
        self._peer = peer
        self._strategy = strategy
        self._seed = seed
        self._everything = everything
        self._pause = pause
        self.stands_in: Callable[[], Collection[int]] = tuple  # for whom: the seats of guests who have gone
        self._pace = pace
        self._thought: dict[int, tuple[Position, float]] = {}
        self._due: asyncio.TimerHandle | None = None
        self._meant: dict[int, asyncio.TimerHandle] = {}
        self._thoughts: set[asyncio.Task[None]] = set()
        self._stop = peer.watch(self._wake)
        self._wake()

    def close(self) -> None:
        """Think no more."""
        self._stop()
        for waiting in (self._due, *self._meant.values()):
            if waiting is not None:
                waiting.cancel()
        for thought in self._thoughts:
            thought.cancel()

    def _wake(self) -> None:
        """Something has changed: think soon."""
        if self._due is None:
            self._due = asyncio.get_running_loop().call_later(self._pause, self._think)

    def _think(self) -> None:
        self._due = None
        if (session := self._peer.session) is not None:
            for seat in self._seats(session):
                if seat in session.seats_to_think():  # alone at a table a move takes effect at once
                    self._consider(session, seat)

    def _seats(self, session: TableSession) -> list[int]:
        away = self.stands_in()
        own = {seat.number for seat in session.seats if self._everything and not seat.guest}
        bots = {*own, *away, *(seat.number for seat in session.seats if seat.bot)}
        return [seat for seat in session.seats_to_think() if seat in bots]

    def _consider(self, session: TableSession, seat: int) -> None:
        """Begin to think about a seat. Until more is committed the same would come of it, so that is tried again only
        when the move was not taken: another came before it, and by now that should have been committed.
        """
        position, now = _position(session), asyncio.get_running_loop().time()
        known, until = self._thought.get(seat, (None, 0.0))
        if known == position and now < until:
            return
        self._thought[seat] = (position, math.inf)
        thought = asyncio.create_task(self._decide(session, seat, position), name=f"bot-{seat}")
        self._thoughts.add(thought)
        thought.add_done_callback(self._thoughts.discard)

    async def _decide(self, session: TableSession, seat: int, position: Position) -> None:
        """Make the strategy's move, if it has one, and nothing else has happened meanwhile. It thinks in a thread: a
        tenth of a second is short for a bot, and long for a table that waits for this program's word.
        """
        action = await asyncio.to_thread(self._strategy, session.view(seat), self._seed)
        if action is None or self._peer.session is not session or _position(session) != position:
            return
        seconds = self._pace * thinking_time(action, self._seed + position[1])
        self._thought[seat] = (position, asyncio.get_running_loop().time() + seconds + AGAIN_AFTER)
        if seconds:
            self._mean_to(session, seat, action, seconds)
        else:
            self._act(seat, action)

    def _mean_to(self, session: TableSession, seat: int, action: Action, seconds: float) -> None:
        """Act after some time, unless something else has happened by then."""
        position = _position(session)

        def act() -> None:
            if self._peer.session is session and _position(session) == position:
                self._act(seat, action)

        if (before := self._meant.get(seat)) is not None:
            before.cancel()
        self._meant[seat] = asyncio.get_running_loop().call_later(seconds, act)

    def _act(self, seat: int, action: Action) -> None:
        try:
            self._peer.do(lambda table, now: table.act(seat, action, now))
        except (IllegalAction, Refusal, KnobFailed) as error:
            _log.warning("the bot on seat %d could not %s: %r", seat, action, error)


def _position(session: TableSession) -> Position:
    """What tells one moment of a table from the next, at no cost."""
    ledger = session.ledger
    return (b"", 0) if ledger is None else (ledger.match, ledger.committed)
