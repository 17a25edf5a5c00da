"""``--auto``: a table without a person. Says what happens as JSON lines, so that machines can be driven by a script."""

from __future__ import annotations

import asyncio
import hashlib
import os
import sys
from contextlib import suppress
from typing import Final

import msgspec

from rummy_p2p.cli import NETWORK, OK
from rummy_p2p.cli.lan import exit_code_of
from rummy_p2p.cli.local import say
from rummy_p2p.node.carrying import NotSaved
from rummy_p2p.node.peer import Peer
from rummy_p2p.protocol import events as tell
from rummy_p2p.protocol.faults import Refusal
from rummy_p2p.protocol.forming import Phase
from rummy_p2p.protocol.table import TableSession
from rummy_p2p.sentences.lan import table_line
from rummy_p2p.sentences.lobby import lobby_text

GIVE_UP_AFTER: Final = 60.0
# Who leaves first must not tear apart what the others still say to each other; the creator's going closes the table.
LINGER: Final = 0.3
LINGER_OF_CREATOR: Final = 3.0


async def play_automatically(peer: Peer, session: TableSession, found_by: str, *, talk: bool) -> int:
    """Be ready, play to the end of the match, and leave; return the exit code."""
    return await _Automatic(peer, session, found_by, talk=talk).run()


class Telling:
    """Says what happens at a table as JSON lines, or as lines for people."""

    def __init__(self, peer: Peer, session: TableSession, *, talk: bool) -> None:
        """``talk``: JSON lines."""
        self.peer = peer
        self.session = session
        self.talk = talk
        self.term = 0
        self.hand = self.hand_known = 0

    def hear(self, event: tell.TableEvent) -> None:
        """Say an event that asks for nothing to be done."""
        if not self.talk:
            self._tell_people(event)
        match event:
            case tell.MatchStarted():
                self.say("start", match=event.match.hex(), deal=event.deal, could_look=event.could_look,
                         players=[seat.name for seat in event.seats])  # fmt: skip
            case tell.DeckCommitted():
                self.hand = event.hand
                self.say("deck", hand=event.hand, commitment=event.commitment.hex())
            case tell.Known() if self.hand_known != self.hand:
                self.hand_known = self.hand
                self.say("cards", hand=self.hand)
            case tell.Played():
                self.say("move", hand=self.hand, player=self.names()[event.seat], move=event.move)
            case tell.WentAway():
                self.say("away", player=event.name)
            case tell.CameBack():
                self.say("back", player=event.name)
            case tell.Caught():
                self.say("caught-up", records=event.records)
            case _:
                self._tell_more(event)

    def _tell_more(self, event: tell.TableEvent) -> None:
        match event:
            case tell.Elected():
                self.term = event.term
                self.say("host", id=event.host.hex(), name=event.name, term=event.term)
            case tell.HandOver():
                self._tell_hand(event)
            case tell.Paused():
                self.say("paused", code=event.code, sentence=event.sentence, players=event.players)
            case tell.Resumed():
                self.say("resumed")
            case NotSaved():
                self.error("not-saved", event.sentence)
            case tell.HandVoid() | tell.FaultFound() | tell.TurnedAway() | tell.TableClosed():
                self.error(event.code, event.sentence)
            case tell.MatchOver():
                self._tell_match(event)

    def names(self) -> list[str]:
        """Return the players of the match; seats of the table may have changed hands when it is over."""
        return [seat.name for seat in (self.session.match or self.session).seats]

    def _tell_hand(self, event: tell.HandOver) -> None:
        names = self.names()
        self.say(
            "hand",
            hand=event.hand,
            deck_commitment=event.commitment.hex(),
            records=event.records,
            points=dict(zip(names, event.points, strict=True)),
            scores=dict(zip(names, event.totals, strict=True)),
            winner=None if event.winner is None else names[event.winner],
            audit=event.audit,
        )

    def _tell_match(self, event: tell.MatchOver) -> None:
        names, fold, ledger = self.names(), self.session.fold, self.session.ledger
        winners = [names[seat] for seat in event.winners]
        self.say(
            "match",
            over=bool(fold and fold.match and fold.match.over),
            scores=dict(zip(names, event.scores, strict=True)),
            winner=winners[0] if len(winners) == 1 else winners or None,
            code=event.code,
            sentence=event.sentence,
            terms=max(self.term, ledger.term if ledger else 0),
            ledger=None if self.peer.keeper.ledger is None else str(self.peer.keeper.ledger),
            ledger_hash=self._ledger_hash(),
        )

    def _ledger_hash(self) -> str:
        """Return the hash of the records; the acknowledgements beside them differ from peer to peer."""
        ledger = self.session.ledger
        return "" if ledger is None else hashlib.sha256(ledger.to_bytes(certificate=False)).hexdigest()

    def _tell_people(self, event: tell.TableEvent) -> None:
        if line := table_line(event, self.session):
            say(line)
            sys.stdout.flush()

    def error(self, code: str, sentence: str) -> None:
        """Say that something is wrong."""
        self.say("error", code=code, sentence=sentence)

    def say(self, event: str, **fields: object) -> None:
        """Say an event with what is to be known of it."""
        if self.talk:
            sys.stdout.write(msgspec.json.encode({"event": event, **fields}).decode() + "\n")
            sys.stdout.flush()


class _Automatic(Telling):
    """One automatic seat: reads the table's events, says them, and decides when to start and when to go."""

    def __init__(self, peer: Peer, session: TableSession, found_by: str, *, talk: bool) -> None:
        super().__init__(peer, session, talk=talk)
        self.found_by = found_by
        self.seated = False

    async def run(self) -> int:
        """Return the exit code once the match is over or cannot go on."""
        self.say("open", table=self.session.info.table.hex(), title=self.session.info.title, address=self.peer.address,
                  id=self.session.me.hex(), nick=self.peer.nick, pid=os.getpid())  # fmt: skip
        code = None
        while code is None:
            try:
                async with asyncio.timeout(GIVE_UP_AFTER if self.session.paused else None):
                    event = await self.peer.events.get()
            except TimeoutError:
                self._give_up()
                code = NETWORK
            else:
                code = self._take(event)
        if not self.peer.can_come_back:
            await self.peer.parted(LINGER_OF_CREATOR if self.session.creator == self.session.me else LINGER)
            self.peer.leave()
        return code

    def _give_up(self) -> None:
        sentence = "The table has waited for a minute; this seat leaves."
        if self.peer.can_come_back:
            sentence = f"The table has waited for a minute. {lobby_text('suspended')}"
        self.error("given-up", sentence)

    def _take(self, event: tell.TableEvent) -> int | None:
        """Say an event and do what is due; return the exit code when there is nothing more to play."""
        self.hear(event)
        match event:
            case tell.Seated():
                self._on_seated(event)
            case tell.MatchOver():
                return OK if event.code in ("", "out-of-time") else NETWORK
            case tell.TurnedAway() | tell.TableClosed():
                return exit_code_of(event.code)
        return None

    def _on_seated(self, event: tell.Seated) -> None:
        mine = [seat for seat in event.seats if seat.owner == self.session.me]
        if mine and not self.seated:
            self.seated = True
            self.peer.do(lambda table, now: table.ready(now))
        self.say("seated", seats=[seat.name for seat in event.seats], me=mine[0].name if mine else None,
                  ready=event.ready, discovered_by=self.found_by or None)  # fmt: skip
        full = len(self.session.seats) >= self.session.info.seats
        if full and self.session.phase is Phase.OPEN and self.session.ready_to_start:
            with suppress(Refusal):  # the rematch has begun by itself
                self.peer.do(lambda table, now: table.start(now))
