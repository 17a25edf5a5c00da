"""What this peer has proposed and not yet seen in the ledger.

Each proposal has a key (a seat's move, a share of the randomness, ...): there is one at a time for each. Numbers grow
and are never used for two bodies. A proposal that was overtaken by a later number, or that nobody answered for a while,
is to be made again under a new number; an older copy that turns up late is stale, for the record of the newer one has
not been seen by it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from rummy_p2p.protocol.identity import Identity
from rummy_p2p.protocol.ledger import Ledger
from rummy_p2p.protocol.messages import Draft, Signed, sign
from rummy_p2p.protocol.records import Body

ANSWER_TIMEOUT: Final = 3.0


@dataclass(frozen=True, slots=True)
class Proposal:
    """One draft on its way."""

    key: str
    message: Signed
    draft: Draft
    sent_at: float


class Proposals:
    """The drafts of one peer in one match that are on their way."""

    def __init__(self, identity: Identity, ledger: Ledger, gap: int) -> None:
        """Start with none. ``gap``: a random number, so that a program that was restarted repeats no number."""
        self._identity = identity
        self._ledger = ledger
        self._gap = gap
        self._number = 0
        self._pending: dict[str, Proposal] = {}

    def __contains__(self, key: str) -> bool:
        return key in self._pending

    def __bool__(self) -> bool:
        return bool(self._pending)

    def make(self, key: str, body: Body, place: tuple[int, int], now: float) -> Proposal:
        """Sign a draft for a hand and attempt; it refers to what is committed here."""
        last = self._ledger.last_number(self._identity.player_id)
        self._number = max(self._number + 1, last + 1 + (0 if self._number else self._gap))
        draft = Draft(
            match=self._ledger.match,
            hand=place[0],
            epoch=place[1],
            number=self._number,
            head=self._ledger.committed_head,
            body=body,
        )
        proposal = Proposal(key, sign(self._identity, draft), draft, now)
        self._pending[key] = proposal
        return proposal

    def keys(self) -> tuple[str, ...]:
        """The matters of which something is on its way."""
        return tuple(self._pending)

    def messages(self) -> tuple[Signed, ...]:
        """What is on its way."""
        return tuple(proposal.message for proposal in self._pending.values())

    def all(self) -> tuple[Proposal, ...]:
        """What is on its way, with its keys."""
        return tuple(self._pending.values())

    def settle(self, number: int) -> Proposal | None:
        """A draft of this number has been answered: take it off the list."""
        found = next((p for p in self._pending.values() if p.draft.number == number), None)
        if found is not None:
            del self._pending[found.key]
        return found

    def restart(self, now: float) -> None:
        """The table was paused: nothing could be answered, so nothing has waited."""
        self._pending = {key: replace(proposal, sent_at=now) for key, proposal in self._pending.items()}

    def take_lost(self, now: float, patience: float) -> list[Proposal]:
        """Take off those that were overtaken, or have waited in vain for longer than ``patience`` allows."""
        lost = [proposal for proposal in self._pending.values() if self._is_lost(proposal, now, patience)]
        for proposal in lost:
            del self._pending[proposal.key]
        return lost

    def take_all(self) -> list[Proposal]:
        """Take off all of them."""
        taken = list(self._pending.values())
        self._pending.clear()
        return taken

    def _is_lost(self, proposal: Proposal, now: float, patience: float) -> bool:
        me, number = self._identity.player_id, proposal.draft.number
        if self._ledger.has(me, number):
            return False
        return number <= self._ledger.last_number(me) or now - proposal.sent_at >= ANSWER_TIMEOUT + patience
