"""What only one's own eyes can tell: who is said to be gone, and is not."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from rummy_p2p.protocol.events import (
    FaultFound,
    WentAway,
)
from rummy_p2p.protocol.messages import (
    Ack,
    Ordered,
    Signed,
    read,
    sign,
)
from rummy_p2p.protocol.records import Away
from rummy_p2p.protocol.witness import DOUBTED_FOR, UNSURE_FOR
from tests.protocol.lan import Lan, Peer
from tests.protocol.tampering import (
    convicted,
    forge_draft,
    forge_record,
    match_of,
    replaced,
    running,
    send,
)


def say_away(lan: Lan, host: Peer, guests: Sequence[Peer], peer: Peer) -> Signed:
    """A record by which the host says that a peer is gone, and its word that it holds that."""
    record = forge_record(host, forge_draft(host, Away(peer=peer.id)))
    send(lan, host, guests, record)
    ordered = read(record)
    assert isinstance(ordered, Ordered)
    ack = Ack(match=match_of(host).id, term=1, seq=ordered.seq, head=record.digest)
    send(lan, host, guests, sign(host.identity, ack))
    return record


@pytest.mark.parametrize("count", [3, 4])
def test_a_host_that_says_somebody_is_gone_who_is_not_is_caught_by_all_who_hear_them(count: int) -> None:
    lan, host, guests = running(count, 90 + count)
    for peer in (host, *guests):
        peer.plays = False
    lan.settle(1)
    say_away(lan, host, guests, guests[-1])
    lan.settle(9)
    assert not any(peer.all(FaultFound) for peer in guests)
    assert not any(peer.all(WentAway) for peer in guests)
    lan.settle(5)
    convicted(guests, "false-away", host)
    replaced(lan, guests, host)


def test_who_was_lost_for_a_while_does_not_blame_the_host_for_saying_so() -> None:
    lan, host, (lost, other) = running(3, 95)
    for peer in (host, lost, other):
        peer.plays = False
    lan.settle(1)
    for peer in (host, other):
        lan.cut(peer, lost)
    lan.settle(4)
    lan.link(host, lost)
    say_away(lan, host, [lost], lost)
    lan.settle(1)
    assert [event.peer for event in lost.all(WentAway)] in ([], [lost.id])
    lan.settle(15)
    assert not lost.all(FaultFound)


def test_who_has_missed_somebody_for_a_moment_takes_the_word_of_the_host_after_another() -> None:
    lan, host, (watcher, lost) = running(3, 96)
    for peer in (host, watcher, lost):
        peer.plays = False
    lan.settle(1)
    for peer in (host, watcher):
        lan.cut(peer, lost)
    lan.settle(1)
    for peer in (host, watcher):
        lan.link(peer, lost)
    lan.settle(0.5)
    say_away(lan, host, [watcher], lost)
    lan.settle(UNSURE_FOR - 1)
    assert not watcher.all(WentAway)
    lan.settle(2)
    assert [event.peer for event in watcher.all(WentAway)] == [lost.id]
    lan.settle(DOUBTED_FOR + 5)
    assert not watcher.all(FaultFound)
