"""What has to hold after every step of a simulated match, seen from above: by somebody who sees all memories and disks.

The law of this file
--------------------
* One committed prefix: whatever anybody has once seen committed stands at its place for everybody and for ever. A
  record is committed only when a quorum has it on their disks, and nobody's disk falls behind what it has told.
* Every draft stands in the ledger once; every slot of a deck is in one place, and no card lies under two slots.
* One host and one vote per term and voter, across restarts; no share before the draw is certified by disks.
* Equal states after equal records: scores, hands, who is away. Nobody honest is blamed, and all are.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from rummy_p2p.cards import Card
from rummy_p2p.deal.blind_messages import Shares
from rummy_p2p.deal.blind_transcript import BlindTranscript
from rummy_p2p.engine import HandState
from rummy_p2p.protocol.events import FaultFound, HandOver, HandVoid, MatchOver, TableEvent
from rummy_p2p.protocol.ledger import Entry
from rummy_p2p.protocol.match import Match
from rummy_p2p.protocol.messages import Ack, Draft, Ordered, Payload, Signed, Vote, read
from rummy_p2p.protocol.replica import Replica
from rummy_p2p.protocol.state import Fold
from tests.sim.node import Node
from tests.sim.sharing import Folds


class Broken(Exception):
    """A law does not hold."""

    def __init__(self, law: str, detail: str) -> None:
        super().__init__(f"{law}: {detail}")
        self.law = law


@dataclass
class Laws:
    """All that has been seen of one match."""

    folds: Folds
    committed: dict[int, bytes] = field(default_factory=dict)
    drafts: dict[bytes, int] = field(default_factory=dict)
    digests: dict[bytes, tuple[object, ...]] = field(default_factory=dict)
    holders: dict[bytes, set[bytes]] = field(default_factory=dict)
    hosts: dict[int, bytes] = field(default_factory=dict)
    votes: dict[tuple[int, bytes], bytes] = field(default_factory=dict)
    acks: dict[tuple[int, int, bytes], bytes] = field(default_factory=dict)
    requests: dict[bytes, bytes] = field(default_factory=dict)
    cards: dict[tuple[int, int], dict[int, Card]] = field(default_factory=dict)
    results: dict[bytes, MatchOver] = field(default_factory=dict)
    newest: Fold | None = None
    terms: int = 0
    impatience: int = 0

    # ------------------------------------------------ what is written, said, told

    def wrote(self, node: Node) -> None:
        """Note what lies on a disk."""
        for digest in node.disk.fresh:
            self.holders.setdefault(digest, set()).add(node.id)
        node.disk.fresh.clear()

    def restarted(self, node: Node) -> None:
        """A program that comes back has all on its disk that it has told its player."""
        ledger = node.table.ledger
        if ledger is None or ledger.committed < node.committed_told:
            raise Broken("told is kept", f"{node.name} has told {node.committed_told} records")
        for entry in ledger.entries:
            self.holders.setdefault(entry.hash, set()).add(node.id)

    def said(self, node: Node, message: Signed) -> None:
        """Look at what a program sends."""
        if message.author != node.id:
            return
        payload = read(message)
        self._said_about_terms(node, payload)
        if isinstance(payload, Draft) and isinstance(payload.body, Shares):
            self._gave_shares(node, payload.body)

    def _said_about_terms(self, node: Node, payload: Payload) -> None:
        if isinstance(payload, Vote):
            if self.votes.setdefault((payload.term, node.id), payload.candidate) != payload.candidate:
                raise Broken("one vote per term", f"{node.name} in term {payload.term}")
        elif isinstance(payload, Ordered):
            self.terms = max(self.terms, payload.term)
            if self.hosts.setdefault(payload.term, node.id) != node.id:
                raise Broken("one host per term", f"{node.name} in term {payload.term}")
        elif isinstance(payload, Ack):
            self._acknowledged(node, payload)

    def _acknowledged(self, node: Node, ack: Ack) -> None:
        """An acknowledgement is said of what is on the disk, and never of two heads for one place of one term."""
        if self.acks.setdefault((ack.term, ack.seq, node.id), ack.head) != ack.head:
            raise Broken("one head per acknowledgement", f"{node.name} at {ack.term}.{ack.seq}")
        if node.id not in self.holders.get(ack.head, ()):
            raise Broken("stored before acknowledged", f"{node.name} at {ack.seq}")

    def _gave_shares(self, node: Node, shares: Shares) -> None:
        self.look(node)
        fold = node.table.fold
        assert fold is not None
        assert fold.key is not None
        for part in shares.parts:
            record = self.requests.get(part.request)
            if record is None:
                raise Broken("no share for an uncommitted draw", f"by {node.name}")
            count = len(fold.peers)
            enough = min((count + fold.key.threshold - 1) // 2 + 1, count - len(fold.away & {*fold.peers}))
            if len(self.holders.get(record, ())) < enough:
                raise Broken("no share without a certificate", f"by {node.name}: {enough} are wanted")

    def told(self, node: Node, events: list[TableEvent], *, calm: bool) -> None:
        """Look at what a program tells its player: nobody cheats here, so nobody is to be blamed.

        A host that is slow may be voted out of office for it (R12), unless all is ``calm``; that convicts nobody.
        """
        for event in events:
            if isinstance(event, FaultFound) and event.code == "drops-moves" and not calm:
                self.impatience += 1
            elif isinstance(event, FaultFound) and event.culprit is not None:
                raise Broken("nobody honest is blamed", f"{node.name} says {event.code}: {event.sentence}")
            if isinstance(event, HandVoid) and event.culprit is not None:
                raise Broken("nobody honest is blamed", f"{node.name}: {event.sentence}")
            if isinstance(event, HandOver) and event.audit != "ok":
                raise Broken("the audit holds", f"{node.name}: {event.audit}")
            if isinstance(event, MatchOver):
                self._over(node, event)

    def _over(self, node: Node, over: MatchOver) -> None:
        others = list(self.results.values())
        self.results[node.id] = over
        if any((other.scores, other.winners) != (over.scores, over.winners) for other in others):
            raise Broken("the same scores", f"{node.name}: {over.scores}, others {others[0].scores}")

    # ------------------------------------------------ what is in memory

    def look(self, node: Node) -> None:
        """Look at a program between two inputs."""
        match = node.table.match
        if match is None:
            return
        replica, ledger = match.replica, match.replica.ledger
        if ledger.committed > node.checked:
            for entry in ledger.entries[node.checked : ledger.committed]:
                self._is_committed(node, entry)
            node.checked = ledger.committed
            self._same_state(node, replica)
        self._one_place_each(node, replica.committed)

    def _is_committed(self, node: Node, entry: Entry) -> None:
        if self.committed.setdefault(entry.seq, entry.hash) != entry.hash:
            raise Broken("one committed prefix", f"{node.name} has something else at {entry.seq}")
        if self.drafts.setdefault(entry.draft_message.digest, entry.seq) != entry.seq:
            raise Broken("every draft once", f"{node.name} at {entry.seq}: {type(entry.body).__name__}")
        fold = self.folds.after(entry)
        if len(self.holders.get(entry.hash, ())) < len(fold.peers) // 2 + 1:
            raise Broken("committed is held by a quorum", f"{node.name} at {entry.seq}")
        if isinstance(fold.deal, BlindTranscript):
            for asked in fold.deal.requests:
                self.requests.setdefault(asked.id, entry.hash)

    def _same_state(self, node: Node, replica: Replica) -> None:
        fold, head = replica.committed, replica.ledger.committed_head
        state = (fold.stage, fold.number, fold.epoch, fold.scores, fold.away, fold.gone, fold.hand, fold.acted)
        if self.digests.setdefault(head, state) != state:
            raise Broken("the same scores", f"{node.name} after {replica.ledger.committed} records")
        if replica.ledger.committed >= max(self.committed):
            self.newest = fold

    def _one_place_each(self, node: Node, fold: Fold) -> None:
        hand = fold.hand
        if hand is None:
            return
        slots = [*hand.stock, *hand.pile, *(slot for seat in hand.hands for slot in seat)]
        laid = [card for meld in hand.table for card in meld.meld.cards]
        if len(set(slots)) < len(slots) or len(slots) + len(laid) != fold.rules.size:
            raise Broken("every card in one place", f"{node.name}: {len(slots)} slots, {len(laid)} cards laid")
        if fold.is_dealt:
            self._one_card_each(node, fold, hand, slots, laid)

    def _one_card_each(self, node: Node, fold: Fold, hand: HandState, slots: list[int], laid: list[Card]) -> None:
        assert isinstance(node.table.match, Match)
        known = self.cards.setdefault((fold.number, fold.epoch), {})
        shown = {slot: card for slot, card in enumerate(hand.faces) if card is not None}
        for slot, card in (shown | node.table.match._party._faces).items():
            if known.setdefault(slot, card) != card:
                raise Broken("every card in one place", f"{node.name}: slot {slot} is {known[slot]} and {card}")
        cards = [*laid, *(known[slot] for slot in slots if slot in known)]
        if len(set(cards)) < len(cards):
            raise Broken("every card in one place", f"{node.name}: one card lies twice")

    # ------------------------------------------------ at the end

    def ended(self, nodes: list[Node]) -> None:
        """Everybody has the whole match, and what was committed at any time is in it."""
        for node in nodes:
            ledger = node.table.ledger
            assert ledger is not None
            if ledger.committed < max(self.committed):
                raise Broken("no action is lost", f"{node.name} has {ledger.committed} of {max(self.committed)}")
        if len(self.results) < len(nodes):
            raise Broken("the same scores", "somebody does not know the result")
