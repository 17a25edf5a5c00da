"""The audience of a table, as the seated peer sees it through which they look on.

The law of this file
--------------------
* Whoever looks on hangs on one seated peer, which answers for the table: it lets them in or says why not, gives them
  what everybody may know, answers their questions, and passes on what they say (`Aside`). No other peer hears of them
  but by a number in that peer's signs of life.
* Of what somebody in the audience sends only a question, a line of chat, and the wish for a seat are taken; each so
  often at most, and only when it is that neighbour's own. Everything else is left alone. A wrong signature is a breach.
* Nothing here outlives the link.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rummy_p2p.protocol.codec import pack
from rummy_p2p.protocol.errors import RemoteProtocolError
from rummy_p2p.protocol.fields import MAX_SPECTATORS, MAY_TALK
from rummy_p2p.protocol.gossip import Gossip
from rummy_p2p.protocol.messages import (
    PROTOCOL_VERSION,
    Admitted,
    Aside,
    Ask,
    Join,
    Payload,
    Refused,
    Say,
    Signed,
    TableInfo,
    Watch,
    is_genuine,
    read,
)
from rummy_p2p.protocol.state import Stage

if TYPE_CHECKING:
    from rummy_p2p.protocol.match import Match

WELCOME_AGAIN_AFTER: Final = 3.0
CHAT_RATE, CHAT_BURST = 0.5, 4.0  # lines of one, a second
ASIDE_RATE, ASIDE_BURST = 4.0, 12.0  # lines of all together
MOST_WAITING: Final = 64
ANSWER_RATE, ANSWER_BURST = 100.0, 200.0  # answers to all together, of 24 KB at most


class Bucket:
    """So many at once, and so many more a second."""

    def __init__(self, rate: float, burst: float) -> None:
        """Begin with a full one."""
        self._rate, self._burst = rate, burst
        self._left, self._then = burst, 0.0

    def take(self, now: float) -> bool:
        """Whether there is one left; then it is taken."""
        self._left = min(self._burst, self._left + max(0.0, now - self._then) * self._rate)
        self._then = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class _Onlooker:
    """One of the audience."""

    def __init__(self, watch: Watch, now: float) -> None:
        self.nick = watch.nick
        self.run = watch.run
        self.welcomed_at = now
        self.chat = Bucket(CHAT_RATE, CHAT_BURST)


class Audience:
    """Those who look on through this peer."""

    def __init__(self, info: TableInfo, gossip: Gossip) -> None:
        """Begin with nobody."""
        self._info = info
        self._gossip = gossip
        self._there: dict[bytes, _Onlooker] = {}
        self._waiting: dict[bytes, tuple[bytes, int]] = {}  # the hand in the middle of which somebody asked first
        self._asides = Bucket(ASIDE_RATE, ASIDE_BURST)
        self._answers = Bucket(ANSWER_RATE, ANSWER_BURST)
        self._count = 0
        self.heard: list[tuple[bytes, str, str]] = []

    @property
    def peers(self) -> frozenset[bytes]:
        """Who looks on through this peer."""
        return frozenset(self._there)

    def settle(self) -> None:
        """Whoever has a seat by now, or no link any more, looks on no longer."""
        gone = [peer for peer in self._there if peer in self._gossip.known or peer not in self._gossip.links]
        for peer in gone:
            del self._there[peer]
            self._gossip.audience.discard(peer)

    # ------------------------------------------------ coming in

    def receive(self, peer: bytes, watch: Watch, match: Match | None, now: float) -> None:
        """Let a neighbour look on, or tell it why not; whoever asks again is told again, but not everything at once."""
        if watch.table != self._info.table or peer not in self._gossip.links | self._gossip.outside:
            return
        code = "" if peer in self._there else self._objection(peer, watch, match, now)
        if code:
            differs = (str(PROTOCOL_VERSION),) if code == "version-mismatch" else ()
            refused = Refused(table=watch.table, to=peer, run=watch.run, code=code, differs=differs)
            self._gossip.say(refused, peer)
            return
        known = self._there.get(peer)
        if known is None or (known.run != watch.run and now - known.welcomed_at >= WELCOME_AGAIN_AFTER):
            self._welcome(peer, watch, match, now)
        self._gossip.say(Admitted(table=watch.table, to=peer, run=watch.run, number=watch.number), peer)

    def _objection(self, peer: bytes, watch: Watch, match: Match | None, now: float) -> str:
        if watch.version != PROTOCOL_VERSION:
            return "version-mismatch"
        if self._info.spectators == "no":
            return "no-spectators"
        if match is not None and not match.is_over and peer in match.replica.ledger.voters:
            return "has-seat"
        if self._info.spectators == "next-hand" and match is not None and self._waits(peer, match):
            return "next-hand"
        return "too-many-watching" if self._gossip.watching(now) >= MAX_SPECTATORS else ""

    def _waits(self, peer: bytes, match: Match) -> bool:
        """Whether the hand is still played in the middle of which this peer asked first."""
        fold = match.replica.committed
        if match.is_over or fold.stage is not Stage.PLAYING:
            return False
        if len(self._waiting) >= MOST_WAITING and peer not in self._waiting:
            del self._waiting[next(iter(self._waiting))]
        hand = (match.id, fold.number)
        return self._waiting.setdefault(peer, hand) == hand

    def _welcome(self, peer: bytes, watch: Watch, match: Match | None, now: float) -> None:
        """Tell what is public: first the match that is played, then who has said what last."""
        self._waiting.pop(peer, None)
        self._there[peer] = _Onlooker(watch, now)
        self._gossip.audience.add(peer)
        self._gossip.tell_presence(now, peer)  # how far the ledger goes now
        if match is not None:
            self._gossip.send(match.start, peer)
        self._gossip.give_latest(peer)

    # ------------------------------------------------ what they say

    def hear(self, peer: bytes, message: Signed, now: float) -> Payload | None:
        """What one of the audience has sent, when it is its own and of a kind that counts."""
        if message.author != peer:
            return None
        if not is_genuine(message):
            raise RemoteProtocolError("bad-signature")
        payload = read(message)
        if isinstance(payload, Say):
            self._pass_on(peer, message, payload, now)
        return payload if isinstance(payload, Watch | Ask | Join) else None

    def may_speak(self) -> bool:
        """Whether the table wants to hear the audience."""
        return self._info.spectators in MAY_TALK

    def take_heard(self) -> list[tuple[bytes, str, str]]:
        """Take what the audience has said: who, under which name, what."""
        heard, self.heard = self.heard, []
        return heard

    def may_answer(self, now: float) -> bool:
        """Whether there is time for one more question of the audience."""
        return self._answers.take(now)

    def _pass_on(self, peer: bytes, message: Signed, said: Say, now: float) -> None:
        onlooker = self._there[peer]
        if said.table != self._info.table or not self.may_speak():
            return
        if onlooker.chat.take(now) and self._asides.take(now):
            self._count += 1
            aside = Aside(table=said.table, number=self._count, nick=onlooker.nick, said=pack(message))
            self.heard.append((peer, onlooker.nick, said.text))
            self._gossip.say(aside)
