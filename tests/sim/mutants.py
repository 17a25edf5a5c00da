"""Faults that are planted in the protocol, to see that the simulator would find them. Tests alone plant them.

Each is a switch on the protocol's own code, with the law that it breaks, and with the troubles that bring it to light.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Final

import msgspec
import pytest

from rummy_p2p.cards import Card
from rummy_p2p.deal.committed import Transcript
from rummy_p2p.protocol import election, fold, gossip
from rummy_p2p.protocol.election import Election, Position, State
from rummy_p2p.protocol.fields import DealKind, Wish
from rummy_p2p.protocol.ledger import Entry, Ledger
from rummy_p2p.protocol.match import Match
from rummy_p2p.protocol.messages import Ack, Draft, Signed, Vote
from rummy_p2p.protocol.proposals import ANSWER_TIMEOUT, Proposal, Proposals
from rummy_p2p.protocol.replica import Replica
from rummy_p2p.protocol.state import Motion
from tests.sim.plan import HOST, Kind, Scenario, Trouble, draw_plan
from tests.sim.simulate import Outcome, Planted, simulate

Plant = Callable[[pytest.MonkeyPatch], None]


@dataclass(frozen=True, slots=True)
class Mutant:
    """A fault in the protocol: how it is planted, which laws it may break, in which ``seeds`` matches that shows."""

    name: str
    plant: Plant
    laws: tuple[str, ...]
    peers: int = 3
    deal: DealKind = "host"
    packs: int = 1
    kinds: tuple[Kind, ...] = ("crash", "isolate", "split", "pause")
    troubles: tuple[Trouble, ...] = ()
    torn: float | None = None
    first: int = 0  # from which seed on they are tried
    seeds: int = 40

    def scenario(self, seed: int) -> Scenario:
        """A match in which the mutant may show; with troubles that bring it to light, where those of chance do not."""
        drawn = draw_plan(seed, peers=self.peers, deal=self.deal, packs=self.packs, kinds=self.kinds)
        torn = drawn.torn if self.torn is None else self.torn
        return replace(drawn, troubles=self.troubles or drawn.troubles, torn=torn)

    def planted(self) -> Planted:
        """What plants it, for as long as a simulation lasts."""

        @contextmanager
        def planting() -> Iterator[None]:
            with pytest.MonkeyPatch.context() as patch:
                self.plant(patch)
                yield

        return planting


def _no_up_to_date_check(patch: pytest.MonkeyPatch) -> None:
    """Votes go to whoever is first in line, however little it has."""

    def choose(
        wishes: Mapping[bytes, Wish],
        reachable: Iterable[bytes],
        me: bytes = b"",
        ledgers: Mapping[bytes, Position] | None = None,
    ) -> bytes:
        del me, ledgers
        return min([peer for peer in wishes if peer in set(reachable)] or list(wishes))

    patch.setattr(election, "choose", choose)


def _minority_commit(patch: pytest.MonkeyPatch) -> None:
    """A record is committed as soon as one fewer than a quorum has it."""
    patch.setattr(Ledger, "quorum", property(lambda ledger: max(1, len(ledger.voters) // 2)))


def _vote_not_persisted(patch: pytest.MonkeyPatch) -> None:
    """Own votes are not written down."""
    patch.setattr(Match, "take_votes", lambda match: ())


def _commit_of_an_old_term(patch: pytest.MonkeyPatch) -> None:
    """Records of earlier terms are acknowledged and committed by count, without one of the present term."""

    def acknowledge(replica: Replica, voted: int = 0) -> Ack | None:
        ledger = replica.ledger
        said = (ledger.term, ledger.head)
        if not ledger.tail or said == replica._acked or voted > ledger.term:
            return None
        replica._acked = said
        return Ack(match=ledger.match, term=ledger.term, seq=ledger.tail, head=ledger.head)

    def commit(ledger: Ledger) -> list[Entry]:
        held = sorted((ledger.holds(voter) for voter in ledger.voters), reverse=True)
        reach = max(ledger.committed, held[ledger.quorum - 1] if held else 0)
        fresh = ledger.entries[ledger.committed : reach]
        ledger.committed = reach
        return fresh

    patch.setattr(Replica, "acknowledge", acknowledge)
    patch.setattr(Ledger, "commit", commit)


def _stuck_candidate(patch: pytest.MonkeyPatch) -> None:
    """Who has voted once for another host waits for that vote to be decided, for ever."""
    original = Election.again

    def again(self: Election, reachable: Iterable[bytes], ledgers: Mapping[bytes, Position], now: float) -> Vote | None:
        return None if self.state is State.VOTING else original(self, reachable, ledgers, now)

    patch.setattr(Election, "again", again)


def _share_released_early(patch: pytest.MonkeyPatch) -> None:
    """A share is given as soon as the draw is committed, without a certificate."""
    patch.setattr(Replica, "certified", lambda replica: replica.ledger.committed)


def _twin_cards_confused(patch: pytest.MonkeyPatch) -> None:
    """An opened card is taken for its twin in the first pack."""
    original = Transcript.verify
    patch.setattr(Transcript, "verify", lambda deal, slot, opening: Card.of(original(deal, slot, opening).face))


def _replayed_action_accepted(patch: pytest.MonkeyPatch) -> None:
    """What comes again is taken for new, ordered and stored again."""
    patch.setattr(gossip, "SEEN_KEPT", 4)
    patch.setattr(Match, "_on_draft", _on_draft)
    patch.setattr(Ledger, "last_number", lambda ledger, author: 0)
    patch.setattr(Proposals, "_is_lost", _is_lost)
    original = fold.advance
    patch.setattr(fold, "advance", lambda before, motion: original(before, _as_if_seen(motion)))


def _on_draft(match: Match, message: Signed, draft: Draft) -> None:
    match.replica.ledger.note(message, draft)
    match._ordering.file(message, draft, match._now)


def _as_if_seen(motion: Motion) -> Motion:
    return msgspec.structs.replace(motion, seen=motion.seq)


def _is_lost(proposals: Proposals, proposal: Proposal, now: float, patience: float) -> bool:
    there = proposals._ledger.has(proposals._identity.player_id, proposal.draft.number)
    return not there and now - proposal.sent_at >= ANSWER_TIMEOUT + patience


HEARD_AGAIN: Final = tuple(Trouble(float(at), "replay", HOST, 0, 1.0, "at-once", 1.0) for at in range(1, 21))
# The others vote without the host, and are parted before they hear what came of it; then one of them starts anew.
VOTED_AND_PARTED: Final = (
    Trouble(4.0, "cut", HOST, 1, 2.0),
    Trouble(4.0, "cut", HOST, 2, 16.0),
    Trouble(4.03, "cut", 1, 2, 16.0),
    Trouble(5.0, "crash", 1, 0, 0.3),
)
PREFIX: Final = ("one committed prefix", "nobody honest is blamed", "the same scores", "told is kept")
ALL: Final = (
    Mutant("no up-to-date check", _no_up_to_date_check, PREFIX, first=12),
    Mutant("minority commit", _minority_commit, ("committed is held by a quorum", *PREFIX)),
    Mutant(
        "vote not persisted",
        _vote_not_persisted,
        ("one vote per term", "one host per term"),
        troubles=VOTED_AND_PARTED,
        torn=0.0,
    ),
    Mutant(
        "commit of an old term", _commit_of_an_old_term, ("one head per acknowledgement", *PREFIX), peers=5, first=10
    ),
    Mutant("stuck candidate", _stuck_candidate, ("progress",), peers=2, torn=1.0, first=1),
    Mutant("share released early", _share_released_early, ("no share without a certificate",), deal="blind"),
    Mutant("twin cards confused", _twin_cards_confused, ("every card in one place", "progress"), packs=2),
    Mutant(
        "replayed action accepted",
        _replayed_action_accepted,
        ("every draft once",),
        peers=2,
        troubles=HEARD_AGAIN,
        first=1,
    ),
)


def caught(mutant: Mutant) -> Outcome | None:
    """The first of its matches in which a mutant breaks a law that holds without it; None when none does."""
    for seed in range(mutant.first, mutant.first + mutant.seeds):
        outcome = simulate(mutant.scenario(seed), mutant.planted())
        if outcome.law in mutant.laws and not simulate(outcome.scenario).law:
            return outcome
    return None
