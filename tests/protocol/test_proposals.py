"""Proposals: numbers that only grow, one at a time for each matter, made again when they got lost."""

from __future__ import annotations

from rummy_p2p.protocol.messages import read
from rummy_p2p.protocol.proposals import ANSWER_TIMEOUT, Proposals
from rummy_p2p.protocol.records import Act
from tests.protocol.forge import Forge

DRAW = Act(seat=1, move="draw", openings=())


def proposals(forge: Forge, gap: int = 0) -> Proposals:
    return Proposals(forge.peers[1], forge.ledger, gap)


def test_a_draft_refers_to_its_hand_and_to_what_is_committed() -> None:
    forge = Forge().opened()
    made = proposals(forge)
    assert not made
    proposal = made.make("act 1", DRAW, (3, 1), 0.0)
    draft = proposal.draft
    assert read(proposal.message) == draft
    assert (draft.match, draft.hand, draft.epoch, draft.head) == (forge.match, 3, 1, forge.ledger.committed_head)
    assert "act 1" in made
    assert made
    assert made.messages() == (proposal.message,)


def test_numbers_grow_and_begin_after_a_gap_beyond_what_is_in_the_ledger() -> None:
    forge = Forge().opened().hand_opened()
    made = proposals(forge, gap=500)
    assert [made.make(key, DRAW, (1, 0), 0.0).draft.number for key in "abc"] == [501, 502, 503]
    forge.numbers[1] = 900
    for author, message in forge.shares():
        forge.add(author, message)
    assert made.make("d", DRAW, (1, 0), 0.0).draft.number == 902


def test_an_answer_takes_a_proposal_off_the_list() -> None:
    made = proposals(Forge().opened())
    number = made.make("act 1", DRAW, (1, 0), 0.0).draft.number
    assert made.settle(number + 1) is None
    answered = made.settle(number)
    assert answered is not None
    assert answered.key == "act 1"
    assert made.settle(number) is None


def test_what_nobody_answers_is_lost_after_a_while() -> None:
    made = proposals(Forge().opened())
    first = made.make("act 1", DRAW, (1, 0), 10.0)
    assert made.take_lost(10.0 + ANSWER_TIMEOUT + 0.9, 1.0) == []
    assert made.take_lost(10.0 + ANSWER_TIMEOUT + 1.0, 1.0) == [first]
    assert not made


def test_what_was_overtaken_is_lost_at_once_and_what_is_stored_never() -> None:
    forge = Forge().opened().hand_opened()
    made = proposals(forge)
    early = made.make("early", DRAW, (1, 0), 0.0)
    forge.numbers[1] = early.draft.number
    ((author, message),) = [share for share in forge.shares() if share[0] == 1]
    forge.add(author, message)
    stored = made.make("stored", DRAW, (1, 0), 0.0)
    forge.ledger._ordered[forge.ids[1], stored.draft.number] = 4
    assert made.take_lost(99.0, 0.0) == [early]
    assert made.take_all() == [stored]
    assert not made
