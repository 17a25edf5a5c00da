"""How things stand at a table, as one of its peers knows it: what a screen shows and a bot goes by. Changes nothing."""

from __future__ import annotations

from collections.abc import Callable

from rummy_p2p.engine import View, public_view
from rummy_p2p.protocol.audience import Audience
from rummy_p2p.protocol.faults import Fault, Refusal
from rummy_p2p.protocol.forming import Forming, Guest, Phase
from rummy_p2p.protocol.gossip import Gossip
from rummy_p2p.protocol.identity import Identity
from rummy_p2p.protocol.ledger import Ledger
from rummy_p2p.protocol.match import Match
from rummy_p2p.protocol.messages import Signed, read_table
from rummy_p2p.protocol.roster import Seat
from rummy_p2p.protocol.state import Fold
from rummy_p2p.protocol.watching import Door, WatchedMatch
from rummy_p2p.ruleset import Ruleset


class Standing:
    """One peer at one table: the parts that know about it, and what can be asked of them."""

    def __init__(
        self,
        identity: Identity,
        info_message: Signed,
        rules: Ruleset,
        guest: Guest,
        entropy: Callable[[int], bytes],
    ) -> None:
        """``info_message``: the creator's TableInfo as received; Fault when it is none."""
        info = read_table(info_message)
        if info is None:
            raise Fault("bad-signature", info_message.author)
        self.me = identity.player_id
        self.info = info
        self.offer = info_message
        self.creator = info_message.author
        self.rules = rules
        self.match: Match | WatchedMatch | None = None
        self._run = entropy(32)
        self._gossip = Gossip(identity, info.table, self._run)
        self._gossip.known |= {self.creator}
        self._gossip.looks_on = guest.watches
        self._forming = Forming(self.me, self.creator, info, rules, guest, self._run)
        self._audience = Audience(info, self._gossip)
        self._door = Door(self._gossip, info, self._forming.guest.nick, entropy(32))

    @property
    def rests(self) -> bool:
        """Whether this player would like a pause."""
        return isinstance(self.match, Match) and self.match.rests

    @property
    def watches(self) -> bool:
        """Whether this peer looks on without a seat."""
        return self._gossip.looks_on

    @property
    def opener(self) -> str:
        """How the player is called who opened the table; nothing as long as nobody has told who sits there."""
        return next((seat.name for seat in self.seats if seat.owner == self.creator), "")

    @property
    def wants_seat(self) -> bool:
        """Whether this peer has asked for a seat; who looks on gets one when no match is played."""
        return self._forming.wants_seat

    @property
    def let_in(self) -> bool:
        """Whether somebody lets this peer look on."""
        return bool(self._door.open)

    @property
    def audience(self) -> frozenset[bytes]:
        """Who looks on through this peer."""
        return self._audience.peers

    def watching(self, now: float) -> int:
        """How many look on at this table."""
        return self._gossip.watching(now)

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Who sits where: in the match while one is played, else at the table."""
        in_match = self.match is not None and self._forming.phase is Phase.PLAYING
        return self.match.seats if self.match is not None and in_match else self._forming.seats

    @property
    def phase(self) -> Phase:
        """Whether seats are taken, a match is played, or the table is closed."""
        return self._forming.phase

    @property
    def own_seats(self) -> tuple[int, ...]:
        """The seats of this peer."""
        return tuple(seat.number for seat in self.seats if seat.owner == self.me)

    @property
    def ready_to_start(self) -> bool:
        """Whether the creator could start now."""
        try:
            self._forming.make_start(bytes(32))
        except Refusal:
            return False
        return True

    @property
    def fold(self) -> Fold | None:
        """The committed state of the match."""
        return self.match.replica.committed if self.match else None

    @property
    def ledger(self) -> Ledger | None:
        """The ledger of the match: of the one being played, else of the last."""
        return self.match.replica.ledger if self.match else None

    @property
    def host(self) -> bytes | None:
        """Who orders the actions."""
        return self.match.host if self.match else None

    @property
    def paused(self) -> bool:
        """Whether the table waits for somebody."""
        return self.match is not None and self.match.paused is not None

    def name_of(self, peer: bytes) -> str:
        """A peer's name on the screen: that of its own seat."""
        other = self._forming.guest.nick if self.watches and peer == self.me else peer.hex()[:6]
        return next((seat.name for seat in self.seats if seat.owner == peer), other)

    def speaker(self, peer: bytes, guest: int) -> str:
        """Who speaks: a peer's player, or a guest at its program."""
        guests = (seat.name for seat in self.seats if guest and (seat.owner, seat.guest) == (peer, guest))
        return next(guests, "") or self.name_of(peer)

    def view(self, seat: int) -> View:
        """What an own seat sees; Refusal for another's, or when no cards are dealt."""
        if self.match is None:
            raise Refusal("no-match")
        return self.match.view(seat)

    def public_view(self) -> View:
        """What everybody can see, and nobody else's cards; Refusal when no cards are dealt."""
        if self.fold is None or self.fold.hand is None:
            raise Refusal("no-match" if self.fold is None else "no-hand")
        return public_view(self.fold.hand)

    def seats_to_think(self) -> tuple[int, ...]:
        """Own seats that could make a move as far as their program is concerned: cards known, nothing on its way."""
        return tuple(seat for seat in self.own_seats if self.match and self.match.may_think(seat))

    def wake_at(self, now: float) -> float:
        """When to call `tick` at the latest."""
        times = [self._gossip.presence_due]
        if self.match is not None:
            times.append(self.match.wake_at(now))
        return max(now, min(times))

    def claim_opens(self, now: float) -> float | None:
        """In how many seconds the match can be claimed, 0 when it can; None when nobody is waited for in this way."""
        return self.match.claim_opens(now) if isinstance(self.match, Match) else None
