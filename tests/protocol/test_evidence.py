"""Two signed messages convict, whoever shows them; nothing else does."""

from __future__ import annotations

import msgspec
import pytest

from rummy_p2p.deal import Opening
from rummy_p2p.protocol.codec import pack
from rummy_p2p.protocol.evidence import CONVICTING, convict
from rummy_p2p.protocol.faults import Fault
from rummy_p2p.protocol.messages import Dealt, Signed, sign
from rummy_p2p.protocol.records import Act
from tests.protocol.forge import Forge

FORGE = Forge().dealt()
MATCH, DECK = FORGE.match, FORGE.fold.deck
DRAW, TAKE = (Act(seat=1, move=move, openings=()) for move in ("draw", "take"))
DRAFTS = FORGE.draft(1, DRAW, number=5), FORGE.draft(1, TAKE, number=5)
RECORDS = FORGE.record(DRAFTS[0]), FORGE.record(DRAFTS[1])
ACKS = FORGE.ack(1, 3)[0], FORGE.ack(1, 3, head=b"h" * 32)[0]
VOTES = FORGE.vote(1, 0), FORGE.vote(1, 2)


def dealt(openings: tuple[Opening, ...], by: int = 0, **changes: object) -> Signed:
    message = Dealt(match=MATCH, hand=1, epoch=0, seat=1, openings=openings)
    inner = msgspec.structs.replace(message, **changes)
    return sign(FORGE.peers[by], inner)


GOOD = FORGE.opening(0)
WRONG = msgspec.structs.replace(GOOD, proof=b"p" * 32)
CASES: dict[str, tuple[int, tuple[Signed, ...]]] = {
    "two-bodies": (1, DRAFTS),
    "two-records": (0, RECORDS),
    "two-acks": (1, ACKS),
    "two-votes": (1, VOTES),
    "bad-opening": (0, (dealt((GOOD, WRONG)),)),
}


def guilty(code: str, *messages: Signed) -> bytes:
    return convict(code, [pack(message) for message in messages], MATCH, DECK)


def innocent(code: str, *messages: Signed) -> None:
    with pytest.raises(Fault) as caught:
        guilty(code, *messages)
    assert caught.value.code == "bad-evidence"


def test_every_code_has_a_case() -> None:
    assert set(CASES) == CONVICTING


@pytest.mark.parametrize("code", sorted(CASES))
def test_evidence_convicts_its_author_under_its_own_code_alone(code: str) -> None:
    culprit, messages = CASES[code]
    assert guilty(code, *messages) == FORGE.ids[culprit]
    for other in set(CASES) - {code}:
        innocent(other, *messages)
    innocent("no-such-code", *messages)
    innocent(code, *messages, *messages)
    innocent(code)


@pytest.mark.parametrize("code", sorted(set(CASES) - {"bad-opening"}))
def test_two_of_the_same_or_of_two_authors_convict_nobody(code: str) -> None:
    _, (one, other) = CASES[code]
    innocent(code, one, one)
    innocent(code, one)
    forged = msgspec.structs.replace(other, signature=b"s" * 64)
    innocent(code, one, forged)


def test_two_messages_that_may_both_be_true_convict_nobody() -> None:
    innocent("two-bodies", DRAFTS[0], FORGE.draft(1, TAKE, number=6))
    innocent("two-bodies", DRAFTS[0], FORGE.draft(2, TAKE, number=5))
    innocent("two-bodies", *(FORGE.draft(1, act, number=5, match=b"x" * 32) for act in (DRAW, TAKE)))
    innocent("two-records", RECORDS[0], FORGE.record(DRAFTS[1], seq=99))
    innocent("two-records", RECORDS[0], FORGE.record(DRAFTS[1], term=2))
    innocent("two-records", *(FORGE.record(draft, match=b"x" * 32) for draft in DRAFTS))
    innocent("two-acks", ACKS[0], FORGE.ack(1, 4)[0])
    innocent("two-acks", ACKS[0], FORGE.ack(1, 3, term=2)[0])
    innocent("two-acks", *(FORGE.ack(1, 3, match=b"x" * 32, head=head * 32)[0] for head in (b"a", b"b")))
    innocent("two-votes", VOTES[0], FORGE.vote(1, 2, term=2))
    innocent("two-bodies", DRAFTS[0], VOTES[0].__class__(author=DRAFTS[0].author, payload=b"", signature=b"s" * 64))


def test_openings_convict_the_host_of_this_deck_alone() -> None:
    innocent("bad-opening", dealt((GOOD,)))
    innocent("bad-opening", dealt((WRONG,), by=1))
    for elsewhere in ({"match": b"x" * 32}, {"hand": 2}, {"epoch": 1}):
        innocent("bad-opening", dealt((WRONG,), **elsewhere))
    innocent("bad-opening", dealt((msgspec.structs.replace(GOOD, slot=400),)))
    innocent("bad-opening", DRAFTS[0])
    with pytest.raises(Fault):
        convict("bad-opening", [pack(dealt((WRONG,)))], MATCH, None)
