"""A blind ledger written by hand: every peer's part is an honest `BlindParty`, and a test may put in anything else.

`BlindForge` goes forward honestly (`keyed`, `dealt`, `play`, `closed`). Peers in `quiet` say nothing by themselves.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from functools import cache
from typing import TypeVar

from rummy_p2p.engine import View, parse_action
from rummy_p2p.protocol.blind_hand import BlindParty
from rummy_p2p.protocol.fields import NO_PROMISE
from rummy_p2p.protocol.records import Act, Audit, Body, HandOpen, Score, TimeOut
from rummy_p2p.protocol.state import Advance, Stage, settled
from rummy_p2p.ruleset import Ruleset
from tests.protocol.forge import Forge
from tests.protocol.lan import random_move, rummy

CLOSING = (HandOpen, Audit, Score)
GAMES: dict[str, Ruleset] = {
    "rummy": rummy(),
    "buy": rummy(claim__kind="buy", claim__penalty=1),
    "reshuffle": rummy(stock_out__what="reshuffle", claim__kind="none"),
}
B = TypeVar("B", bound=Body)


class BlindForge(Forge):
    """A match in the making where nobody sees the deck. Seat n belongs to peer n; peer 0 is the host."""

    def __init__(
        self,
        count: int = 3,
        rules: Ruleset | None = None,
        hands: int = 0,
        keys: int = 1,
        start: dict[str, object] | None = None,
    ) -> None:
        super().__init__(count, rules, hands, keys, {"deal": "blind", **(start or {})})
        self.now = 100.0
        self.certifies = True
        self.careless = False
        self.quiet: set[int] = set()
        self.kept: list[bytes | None] = [None] * count
        self.parties = [self.party(n) for n in range(count)]

    def party(self, peer: int, kept: bytes | None = None, seed: int = 0) -> BlindParty:
        """A peer's program as it is started, with what is on its disk."""
        return BlindParty(self.peers[peer], self.match, random.Random(f"{peer} {seed}").randbytes, kept)

    def restarted(self, peer: int, kept: bytes | None = None, seed: int = 1) -> BlindParty:
        """A peer's program that was started again and has read the ledger."""
        made = self.party(peer, kept, seed)
        for seq, step in enumerate(self.steps, 1):
            made.follow(step, seq)
        return made

    # ------------------------------------------------ going forward

    def add(self, author: int, body: Body) -> Advance:
        step = super().add(author, body)
        for peer, party in enumerate(self.parties):
            party.follow(step, self.ledger.tail)
            self._works(peer, party)
        return step

    def _works(self, peer: int, party: BlindParty) -> None:
        """What a program does after every record: jobs, certificates, its disk. Who is careless passes every check."""
        for job in party.take_jobs():
            made = job.run()
            job.finish(True if self.careless and made is False else made)
        self.now += 1
        if self.certifies:
            party.certify(self.ledger.tail, self.now)
        list(party.duties(self.fold))
        self.kept[peer] = party.take_secrets() or self.kept[peer]

    def hand_open(self, epoch: int = 0, without: tuple[bytes, ...] = ()) -> HandOpen:
        number = self.fold.number + (0 if epoch else 1)
        return HandOpen(hand=number, epoch=epoch, promise=NO_PROMISE, without=without)

    def hand_opened(self) -> BlindForge:
        self.add(0, self.hand_open(without=tuple(peer for peer in self.fold.peers if peer in self.fold.away)))
        return self

    def duties(self, peer: int) -> list[Body]:
        return [body for _, body in self.parties[peer].duties(self.fold)]

    def duty(self, peer: int, kind: type[B]) -> B:
        """What a peer owes of this kind."""
        return next(body for body in self.duties(peer) if isinstance(body, kind))

    def talk(
        self,
        until: Callable[[], object] = lambda: False,
        unsaid: tuple[type, ...] = CLOSING,
        limit: int = 2000,
    ) -> BlindForge:
        """Let everybody say what is due, until something is so or nobody has anything to say."""
        for _ in range(limit):
            said = [(peer, body) for peer in range(len(self.peers)) for body in self._says(peer, unsaid)[:1]]
            if until() or not said:
                return self
            self.add(*said[0])
        raise AssertionError("they would never stop")

    def _says(self, peer: int, unsaid: tuple[type, ...]) -> list[Body]:
        if peer in self.quiet or self.ids[peer] not in self.fold.peers:
            return []
        return [body for body in self.duties(peer) if not isinstance(body, unsaid)]

    def opened(self) -> BlindForge:
        super().opened()
        return self

    def keying(self) -> BlindForge:
        """A hand is open and its key is being made."""
        if self.fold.stage is Stage.EMPTY:
            self.opened()
        return self.hand_opened()

    def keyed(self) -> BlindForge:
        """... and is made."""
        return self.keying().talk(lambda: self.fold.stage is not Stage.KEYING)

    def laid(self) -> BlindForge:  # type: ignore[override]  # another deal, another word for it
        """... the deck is shuffled and signed, and nobody has drawn."""
        return self.keyed().talk(lambda: self.fold.stage is Stage.PLAYING)

    def dealt(self) -> BlindForge:
        """... and everybody sees the cards that it was dealt."""
        return self.laid().talk()

    def view(self, seat: int) -> View:
        return self.parties[self.ids.index(self.fold.owner_of(seat))].view(self.fold, seat)

    def act(self, seat: int, move: str) -> Act:
        party = self.parties[self.ids.index(self.fold.owner_of(seat))]
        return party.move(self.fold, self.view(seat), parse_action(move))

    @property
    def turn(self) -> int:
        assert self.fold.hand is not None
        return self.fold.hand.turn

    def take_a_turn(self, until: Callable[[], object] = lambda: False) -> BlindForge:
        """Draw and discard, with all that is drawn and shared for it; an absent seat is passed over."""
        seat, author = self.turn, self.ids.index(self.fold.owner_of(self.turn))
        if self.fold.owner_of(seat) in self.fold.away:
            self.add(0, TimeOut(seat=seat))
            return self
        self.add(author, self.act(seat, "draw"))
        self.talk(until)
        if not until():
            self.add(author, self.a_discard(seat))
        return self

    def play(self, moves: int = 10_000, seed: int = 0, until: Callable[[], object] = lambda: False) -> BlindForge:
        """So many random moves, with all that is drawn, shared and shown for them; absent seats are passed over."""
        rng = random.Random(seed)
        while not until() and self.talk(until).fold.stage is Stage.PLAYING and moves and not until():
            moves -= 1
            seat = self.turn
            if self.fold.owner_of(seat) in self.fold.away:
                self.add(0, TimeOut(seat=seat))
            else:
                self.add(seat, self.act(seat, str(random_move(self.view(seat), rng))))
        return self

    def score(self) -> Score:
        return Score(secret=b"", totals=settled(self.fold).match.scores)

    def closed(self) -> BlindForge:
        """The hand is played, audited and counted."""
        self.play().talk(unsaid=(HandOpen,))
        return self


# ---------------------------------------------------------------- made once


@cache
def _made(count: int, stage: str, game: str) -> BlindForge:
    forge = BlindForge(count, rules=GAMES[game])
    return {"laid": forge.laid, "dealt": forge.dealt}[stage]()


def laid(count: int = 3, game: str = "rummy") -> BlindForge:
    """A deck that everybody has signed; made once for all tests."""
    return copy.deepcopy(_made(count, "laid", game))


def dealt(count: int = 3, game: str = "rummy") -> BlindForge:
    """A hand in which everybody sees its cards; made once for all tests."""
    return copy.deepcopy(_made(count, "dealt", game))
