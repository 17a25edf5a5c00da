"""What is said at a table beside the game: chat, and the votes about who may chat and who keeps a seat.

The law of this file
--------------------
* Chat is signed and passed on, but no part of the ledger. Those who have a seat are heard, and whom they let speak: who
  looks on says it to one of them, who passes it on as it was signed.
* Whom a vote has muted is heard no more. What the votes have come to is counted in `moderation`.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from rummy_p2p.protocol.errors import RemoteProtocolError
from rummy_p2p.protocol.events import Chatted, TableEvent, Voted
from rummy_p2p.protocol.faults import Refusal
from rummy_p2p.protocol.fields import MAY_TALK, Measure
from rummy_p2p.protocol.forming import Forming
from rummy_p2p.protocol.gossip import Gossip
from rummy_p2p.protocol.messages import Aside, Ballot, Say, Signed, read, read_packed
from rummy_p2p.protocol.moderation import Moderation
from rummy_p2p.protocol.standing import Standing
from rummy_p2p.protocol.text import CHAT_LIMIT, NICK_LIMIT, clean
from rummy_p2p.protocol.watching import Door


class Talk:
    """One peer's part in the talk of one table."""

    def __init__(
        self,
        at: Standing,
        gossip: Gossip,
        forming: Forming,
        door: Door,
        run: bytes,
        tell: Callable[[TableEvent], None],
    ) -> None:
        """``run``: new whenever a program starts; ``tell`` takes what the player is to know."""
        self._at = at
        self._gossip = gossip
        self._forming = forming
        self._door = door
        self._run = run
        self._tell = tell
        self._moderation = Moderation()
        self._chats = self._ballots = 0

    def chat(self, text: str, seat: int) -> None:
        """Say something to everybody, as the player or as a guest of this program; Refusal when it is not heard."""
        said = clean(text, CHAT_LIMIT)
        if not said:
            return
        at = self._at
        if self._moderation.holds("mute", at.me):
            raise Refusal("muted-by-vote")
        to = self._who_passes_on() if at.watches else None
        self._chats += 1
        self._gossip.say(Say(table=at.info.table, number=self._chats, text=said, seat=seat), to)
        self._tell(Chatted(at.me, at.speaker(at.me, seat), said, at.watches))

    def _who_passes_on(self) -> bytes:
        """Through whom one chats who looks on; Refusal when there is nobody, or the table wants to hear nothing."""
        if self._at.info.spectators not in MAY_TALK:
            raise Refusal("quiet-table")
        if not self._door.open:
            raise Refusal("not-let-in")
        return min(self._door.open)

    def hear(self, message: Signed, payload: Say | Aside) -> None:
        """Hear those who have a seat, and whom they let speak."""
        author, at = message.author, self._at
        if payload.table != at.info.table or author not in self._gossip.known:
            return
        if self._moderation.holds("mute", author):
            return
        if isinstance(payload, Say):
            self._tell(Chatted(author, at.speaker(author, payload.seat), payload.text))
        elif at.info.spectators in MAY_TALK:
            self._hear_aside(payload)

    def _hear_aside(self, aside: Aside) -> None:
        with suppress(RemoteProtocolError):
            inner = read_packed(aside.said)
            said = read(inner)
            if isinstance(said, Say) and said.table == self._at.info.table and inner.author != self._at.me:
                self._tell(Chatted(inner.author, aside.nick, said.text, watches=True))

    def vote(self, measure: Measure, name: str, *, agree: bool) -> None:
        """Vote to mute somebody or to take somebody's seat, or against it; Refusal where that is not to be voted."""
        at = self._at
        seat = next((seat for seat in at.seats if seat.name.casefold() == name.casefold()), None)
        if seat is None or seat.owner == at.me or not at.own_seats:
            raise Refusal("no-vote-about", name=clean(name, NICK_LIMIT))
        if seat.guest:
            raise Refusal("guest-of", name=seat.name, owner=at.name_of(seat.owner))
        if measure == "kick" and seat.owner == at.creator:
            raise Refusal("not-the-creator")
        self._ballots += 1
        ballot = Ballot(
            table=at.info.table,
            run=self._run,
            number=self._ballots,
            measure=measure,
            about=seat.owner,
            agree=agree,
        )
        self._gossip.say(ballot)
        self.count(at.me, ballot)

    def count(self, author: bytes, ballot: Ballot) -> None:
        """Count somebody's voice, and draw the consequence."""
        at = self._at
        if ballot.table != at.info.table:
            return
        count = self._moderation.cast(author, ballot, {seat.owner for seat in at.seats})
        if count is None or (ballot.measure == "kick" and ballot.about == at.creator):
            return
        names = at.name_of(author), ballot.measure, at.name_of(ballot.about)
        self._tell(Voted(*names, ballot.agree, count.votes, count.needed, count.decided))
        if ballot.measure == "kick":
            out = self._moderation.holds("kick", ballot.about)
            (self._forming.voted_out.add if out else self._forming.voted_out.discard)(ballot.about)
            self._forming.put_out()
