"""The court: what is proven is shown to all and told once; what is not convicts nobody."""

from __future__ import annotations

import msgspec

from rummy_p2p.protocol.codec import pack
from rummy_p2p.protocol.court import ACCUSATIONS_KEPT, Court
from rummy_p2p.protocol.faults import Fault
from rummy_p2p.protocol.gossip import Gossip
from rummy_p2p.protocol.messages import Accuse, Dealt, read, sign
from rummy_p2p.protocol.records import Void
from tests.protocol.forge import Forge

FORGE = Forge().dealt()
VOTES = FORGE.vote(1, 0), FORGE.vote(1, 2)
EVIDENCE = tuple(pack(vote) for vote in VOTES)


def court() -> tuple[Court, Gossip]:
    gossip = Gossip(FORGE.peers[2], b"t" * 32, b"r" * 32)
    gossip.known |= set(FORGE.ids)
    gossip.connect(FORGE.ids[0], 0.0)
    gossip.drain()
    return Court(FORGE.match, gossip), gossip


def said(gossip: Gossip) -> list[Accuse]:
    payloads = [read(item.message) for item in gossip.drain()]
    return [payload for payload in payloads if isinstance(payload, Accuse)]


def test_a_proven_fault_is_shown_to_everybody_once() -> None:
    made, gossip = court()
    fault = Fault("two-votes", FORGE.ids[1], VOTES)
    assert made.report(fault)
    assert not made.report(fault)
    assert said(gossip) == [Accuse(match=FORGE.match, code="two-votes", evidence=EVIDENCE)]
    assert made.sentence(FORGE.ids[1]) == Void(code="two-votes", evidence=EVIDENCE)
    assert made.sentence(FORGE.ids[0]) is None


def test_a_fault_that_proves_itself_to_nobody_else_is_told_here_alone() -> None:
    made, gossip = court()
    assert made.report(Fault("illegal-action", FORGE.ids[0], VOTES[:1]))
    assert made.report(Fault("two-votes", FORGE.ids[1]))
    assert made.report(Fault("bad-roster"))
    assert said(gossip) == []
    assert made.sentence(FORGE.ids[1]) is None


def test_an_accusation_is_believed_when_it_proves_something_new() -> None:
    made, gossip = court()
    accuse = Accuse(match=FORGE.match, code="two-votes", evidence=EVIDENCE)
    made.file(accuse)
    assert [(fault.code, fault.culprit) for fault in made.hear(FORGE.fold.deck)] == [("two-votes", FORGE.ids[1])]
    made.file(accuse)
    assert list(made.hear(FORGE.fold.deck)) == []
    assert said(gossip) == []
    assert made.sentence(FORGE.ids[1]) is not None


def test_an_accusation_that_proves_nothing_is_forgotten() -> None:
    made, _ = court()
    made.file(Accuse(match=FORGE.match, code="two-votes", evidence=EVIDENCE[:1]))
    assert list(made.hear(FORGE.fold.deck)) == []
    assert made._accusations == []


def test_an_accusation_about_a_deck_that_is_not_here_yet_waits_for_it() -> None:
    made, _ = court()
    wrong = msgspec.structs.replace(FORGE.opening(0), proof=b"p" * 32)
    dealt = sign(FORGE.host, Dealt(match=FORGE.match, hand=1, epoch=0, seat=1, openings=(wrong,)))
    made.file(Accuse(match=FORGE.match, code="bad-opening", evidence=(pack(dealt),)))
    assert list(made.hear(None)) == []
    assert [fault.culprit for fault in made.hear(FORGE.fold.deck)] == [FORGE.ids[0]]
    for _ in range(ACCUSATIONS_KEPT + 9):
        made.file(Accuse(match=FORGE.match, code="bad-opening", evidence=(b"x",)))
    assert len(made._accusations) <= ACCUSATIONS_KEPT + 1
