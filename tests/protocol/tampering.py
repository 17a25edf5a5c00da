"""Changed programs at a table: what they sign that nobody honest would, and what becomes of them."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from rummy_p2p.deal.committed import CommittedDeal
from rummy_p2p.protocol.codec import pack
from rummy_p2p.protocol.election import VOTE_TIMEOUT
from rummy_p2p.protocol.events import (
    Elected,
    FaultFound,
    MatchOver,
    Played,
)
from rummy_p2p.protocol.gossip import SILENT_AFTER
from rummy_p2p.protocol.hand import HostDealtParty
from rummy_p2p.protocol.match import Match
from rummy_p2p.protocol.messages import (
    Draft,
    Ordered,
    Signed,
    sign,
)
from rummy_p2p.protocol.records import Act, Body
from tests.protocol.lan import Lan, Peer, playing


def match_of(peer: Peer) -> Match:
    assert isinstance(peer.table.match, Match)
    return peer.table.match


def dealer_of(peer: Peer) -> CommittedDeal:
    """What only the host of a deal by the host has."""
    party = match_of(peer)._party
    assert isinstance(party, HostDealtParty)
    assert party._deal is not None
    return party._deal


def running(count: int, seed: int, moves: int = 4, *, hands: int = 0) -> tuple[Lan, Peer, list[Peer]]:
    """A match some moves old, everything delivered: the LAN, the host, the guests."""
    lan, peers = playing(count, seed, hands=hands)
    lan.run(lambda: len(peers[0].all(Played)) >= moves)
    lan.settle()
    host = next(peer for peer in peers if peer.id == peers[0].table.host)
    return lan, host, [peer for peer in peers if peer is not host]


def forge_draft(peer: Peer, body: Body, **changes: object) -> Signed:
    """A draft that a peer signs without asking its own program."""
    match = match_of(peer)
    fold, ledger = match.replica.committed, match.replica.ledger
    number = ledger.last_number(peer.id) + 1000
    draft = Draft(
        match=match.id, hand=fold.number, epoch=fold.epoch, number=number, head=ledger.committed_head, body=body
    )
    return sign(peer.identity, msgspec.structs.replace(draft, **changes))


def forge_record(host: Peer, draft: Signed, **changes: object) -> Signed:
    """A record that a host signs without judging it."""
    ledger = match_of(host).replica.ledger
    ordered = Ordered(
        match=ledger.match,
        term=ledger.term,
        seq=ledger.tail + 1,
        prev=ledger.head,
        draft_digest=draft.digest,
        draft=pack(draft),
    )
    return sign(host.identity, msgspec.structs.replace(ordered, **changes))


def send(lan: Lan, sender: Peer, receivers: Sequence[Peer], *messages: Signed) -> None:
    """Put messages on the wire."""
    for receiver in receivers:
        lan.queues[sender.id, receiver.id].extend(messages)
    for peer in lan.peers.values():
        peer.plays = False
    lan.settle()


def a_draw(peers: Sequence[Peer], *, on_turn: bool) -> tuple[Peer, Act]:
    """A peer whose seat is on turn, or not, and a draw for it."""
    peer = next(p for p in peers if p.table.view(p.table.own_seats[0]).on_turn is on_turn)
    return peer, Act(seat=peer.table.own_seats[0], move="draw", openings=())


def convicted(peers: Sequence[Peer], code: str, culprit: Peer) -> None:
    """All of these peers have found this fault."""
    for peer in peers:
        assert (code, culprit.id) in {(fault.code, fault.culprit) for fault in peer.all(FaultFound)}, peer.name
        assert all(fault.sentence for fault in peer.all(FaultFound))


def replaced(lan: Lan, guests: Sequence[Peer], host: Peer) -> None:
    """The guests follow one of them, and the match goes on without the host that was caught."""
    lan.settle(SILENT_AFTER + 2 * VOTE_TIMEOUT)
    (new,) = {match_of(guest).host for guest in guests}
    assert new in {guest.id for guest in guests}
    for guest in guests:
        assert not guest.all(MatchOver)
        assert match_of(guest).replica.committed.host == new
        assert [elected.term for elected in guest.all(Elected)] == [1, match_of(guest).replica.ledger.term]
