"""A ledger written by hand: all keys and all secrets in one place, so that a test can write what no peer would.

`Forge` goes forward honestly (`opened`, `dealt`, `play`) or hands out pieces (`draft`, `record`, `motion`) with
anything changed in them.
"""

from __future__ import annotations

import random

import msgspec

from rummy_p2p.deal import DeckLaid, EntropyCommit, EntropyOpen, Opening
from rummy_p2p.deal.committed import CommittedDeal, promise_secret
from rummy_p2p.deal.committed import Stage as DealStage
from rummy_p2p.engine import View, legal_actions, parse_action, to_show, unshown
from rummy_p2p.protocol.codec import pack
from rummy_p2p.protocol.fold import advance
from rummy_p2p.protocol.identity import Identity
from rummy_p2p.protocol.ledger import Entry, Ledger, take_apart
from rummy_p2p.protocol.messages import Ack, Draft, Ordered, PeerEntry, SeatEntry, Signed, Start, Vote, match_id, sign
from rummy_p2p.protocol.records import Act, Body, Flip, HandOpen, HostChange, Roster, Score
from rummy_p2p.protocol.state import Advance, Fold, Motion, Stage, motion_of, settled
from rummy_p2p.ruleset import Ruleset
from tests.protocol.lan import random_move, rummy

NAMES = ("Ada", "Bea", "Cem", "Dag", "Eva")
SECRET = b"S" * 32


class Forge:
    """A match in the making. Seat n belongs to peer n; peer 0 is the creator and the host."""

    def __init__(
        self,
        count: int = 3,
        rules: Ruleset | None = None,
        hands: int = 0,
        keys: int = 1,
        start: dict[str, object] | None = None,
    ) -> None:
        self.rules = rules or rummy()
        self.peers = sorted((Identity(bytes([n + keys]) * 32) for n in range(count)), key=lambda peer: peer.player_id)
        self.ids = [peer.player_id for peer in self.peers]
        honest = Start(
            table=b"t" * 32,
            number=1,
            nonce=b"n" * 32,
            fingerprint=bytes.fromhex(self.rules.fingerprint),
            deal="host",
            trust="quorum",
            hands=hands,
            seats=tuple(SeatEntry(owner=i, nick=NAMES[n], number=0, bot=False) for n, i in enumerate(self.ids)),
            peers=tuple(PeerEntry(peer=peer, wish="if-needed", ready=True) for peer in self.ids),
        )
        self.start = sign(self.peers[0], msgspec.structs.replace(honest, **(start or {})))
        self.match = match_id(self.start)
        self.ledger = Ledger(self.match, self.ids)
        self.ledger.open_term(1, self.ids[0])
        self.fold = Fold(self.rules, self.match)
        self.numbers = [0] * count
        self.steps: list[Advance] = []
        self.deal: CommittedDeal | None = None

    @property
    def host(self) -> Identity:
        return self.peers[0]

    # ------------------------------------------------ pieces

    def draft(self, author: int, body: Body, **changes: object) -> Signed:
        self.numbers[author] += 1
        place = (body.hand, body.epoch) if isinstance(body, HandOpen) else (self.fold.number, self.fold.epoch)
        draft = Draft(
            match=self.match,
            hand=place[0],
            epoch=place[1],
            number=self.numbers[author],
            head=self.ledger.head,
            body=body,
        )
        return sign(self.peers[author], msgspec.structs.replace(draft, **changes))

    def record(self, proposed: Signed, by: int = 0, **changes: object) -> Signed:
        ordered = Ordered(
            match=self.match,
            term=1,
            seq=self.ledger.tail + 1,
            prev=self.ledger.head,
            draft_digest=proposed.digest,
            draft=pack(proposed),
        )
        return sign(self.peers[by], msgspec.structs.replace(ordered, **changes))

    def entry(self, author: int, body: Body, **changes: object) -> Entry:
        return take_apart(self.record(self.draft(author, body, **changes)))

    def motion(self, author: int, body: Body, **changes: object) -> Motion:
        entry = self.entry(author, body, **changes)
        return motion_of(entry, self.ledger.place_of(entry.draft.head) or 0)

    def ack(self, peer: int, at: int, **changes: object) -> tuple[Signed, Ack]:
        ack = Ack(match=self.match, term=1, seq=at, head=self.ledger.hash_at(at))
        ack = msgspec.structs.replace(ack, **changes)
        return sign(self.peers[peer], ack), ack

    def vote(self, peer: int, candidate: int = 0, term: int = 1) -> Signed:
        return sign(self.peers[peer], Vote(match=self.match, term=term, candidate=self.ids[candidate]))

    def opening(self, slot: int) -> Opening:
        assert self.deal is not None
        return self.deal.open_public(slot)

    # ------------------------------------------------ going forward

    def add(self, author: int, body: Body) -> Advance:
        entry = self.entry(author, body)
        step = advance(self.fold, motion_of(entry, self.ledger.place_of(entry.draft.head) or 0))
        self.ledger.append(entry)
        self.ledger.voters = step.fold.peers
        self.fold = step.fold
        self.steps.append(step)
        if self.deal is not None and self.fold.deal is not None:
            self.deal.public = self.fold.committed
        return step

    def opened(self) -> Forge:
        self.add(0, self.roster())
        self.add(0, self.host_change())
        return self

    def roster(self) -> Roster:
        return Roster(start=pack(self.start), rules=self.rules.canonical())

    def host_change(self) -> HostChange:
        return HostChange(term=1, votes=tuple(pack(self.vote(n)) for n in range(len(self.peers))))

    def hand_open(self, epoch: int = 0, without: tuple[bytes, ...] = ()) -> HandOpen:
        number = self.fold.number + (0 if epoch else 1)
        promise = promise_secret(self.fold.spec(number, epoch, without).context, SECRET)
        return HandOpen(hand=number, epoch=epoch, promise=promise, without=without)

    def hand_opened(self) -> Forge:
        self.add(0, self.hand_open())
        assert self.fold.deal is not None
        self.deal = CommittedDeal(self.fold.committed, self.ids[0], b"0" * 32, SECRET)
        return self

    def shares(self) -> list[tuple[int, EntropyCommit | EntropyOpen]]:
        """What every peer says next about its bytes."""
        assert self.fold.deal is not None
        if self.fold.deal.stage is DealStage.LAY:
            return []
        said: list[tuple[int, EntropyCommit | EntropyOpen]] = []
        for n, peer in enumerate(self.ids):
            for message in CommittedDeal(self.fold.committed, peer, bytes([48 + n]) * 32).messages():
                assert not isinstance(message, DeckLaid)
                said.append((n, message))
        return said

    def laid(self) -> DeckLaid:
        assert self.deal is not None
        (message,) = self.deal.messages()
        assert isinstance(message, DeckLaid)
        return message

    def dealt(self) -> Forge:
        if self.fold.stage is Stage.EMPTY:
            self.opened()
        self.hand_opened()
        for _ in range(2):
            for author, message in self.shares():
                self.add(author, message)
        self.add(0, self.laid())
        self.add(0, Flip(openings=tuple(self.opening(slot) for slot in self.fold.flips)))
        return self

    def view(self, seat: int) -> View:
        hand = self.fold.hand
        assert hand is not None
        faces = {slot: self.deal.verify(slot, self.opening(slot)) for slot in hand.hands[seat]} if self.deal else {}
        return View(hand, seat, faces)

    def act(self, seat: int, move: str) -> Act:
        slots = to_show(self.view(seat), parse_action(move))
        return Act(seat=seat, move=move, openings=tuple(self.opening(slot) for slot in slots))

    def a_discard(self, seat: int) -> Act:
        """The first discard that is allowed."""
        action = next(action for action in legal_actions(self.view(seat)) if action.verb == "discard")
        return self.act(seat, str(action))

    def play(self, moves: int = 10_000, seed: int = 0) -> Forge:
        """So many random moves, and to the end of the hand what is shown then."""
        rng = random.Random(seed)
        while self.fold.stage is Stage.PLAYING and moves:
            moves -= 1
            assert self.fold.hand is not None
            owing = unshown(self.fold.hand)
            seat = owing[0] if owing else self.fold.hand.turn
            move = "show" if owing else str(random_move(self.view(seat), rng))
            self.add(seat, self.act(seat, move))
            if self.fold.deal is not None and self.fold.deal.stage is DealStage.LAY:
                self.add(0, self.laid())
        return self

    def score(self) -> Score:
        return Score(secret=SECRET, totals=settled(self.fold).match.scores)

    def file(self) -> bytes:
        """The ledger file with everybody's acknowledgement of the whole."""
        for n in range(len(self.peers)):
            self.ledger.acknowledge(*self.ack(n, self.ledger.tail))
        self.ledger.commit()
        return self.ledger.to_bytes()
