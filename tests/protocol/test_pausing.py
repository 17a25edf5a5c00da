"""Pauses: for whom a table waits, and the pause that all agree to."""

from __future__ import annotations

import pytest

from rummy_p2p.protocol.events import (
    FaultFound,
    Paused,
    PauseWanted,
    Resumed,
)
from rummy_p2p.protocol.faults import Refusal
from rummy_p2p.protocol.messages import (
    SeatEntry,
)
from rummy_p2p.protocol.pausing import pause_for
from rummy_p2p.protocol.roster import Seat, name_seats
from tests.protocol.forge import Forge
from tests.protocol.lan import Lan, Peer, people, rummy, seated
from tests.protocol.tampering import (
    match_of,
)

FORGE = Forge(4)
ADA, BEA, CEM, DAG = FORGE.ids


def seats() -> tuple[Seat, ...]:
    entries = [
        SeatEntry(owner=peer, nick=nick, number=number, bot=number > 0)
        for peer, nick in zip(FORGE.ids, ("Ada", "Bea", "Cem", "Dag"), strict=True)
        for number in (0, 1)
    ]
    return name_seats(entries)


def paused(*reachable: bytes, away: frozenset[bytes] = frozenset()) -> tuple[str, tuple[str, ...]] | None:
    pause = pause_for(FORGE.ledger, frozenset(reachable), seats(), away)
    if pause is None:
        return None
    assert all(name in pause.sentence for name in pause.players)
    return pause.code, pause.players


def test_the_table_says_for_whom_it_waits() -> None:
    assert FORGE.ledger.host == ADA
    assert paused(ADA, BEA, CEM, DAG) is None
    assert paused(ADA, BEA, CEM) == ("player-lost", ("Dag",))
    assert paused(ADA, BEA) == ("no-quorum", ("Cem", "Dag"))
    assert paused(BEA, CEM, DAG) == ("host-gone", ("Ada",))
    assert paused(BEA) == ("host-lost", ("Ada",))


def test_nobody_waits_for_a_peer_that_is_away_unless_it_is_the_host_or_the_quorum() -> None:
    assert paused(ADA, BEA, CEM, away=frozenset({DAG})) is None
    assert paused(ADA, BEA, CEM, DAG, away=frozenset({DAG})) is None
    assert paused(ADA, CEM, DAG, away=frozenset({DAG})) == ("player-lost", ("Bea",))
    assert paused(ADA, BEA, away=frozenset({CEM, DAG})) == ("no-quorum", ("Cem", "Dag"))
    assert paused(BEA, CEM, away=frozenset({DAG})) == ("host-lost", ("Ada",))


def wishing(lan: Lan, peer: Peer, *, wanted: bool = True) -> None:
    """A player asks for a pause, or wants to play on."""
    peer.table.rest(wanted=wanted, now=lan.now)
    lan.pump(peer)
    lan.settle()


def test_the_table_pauses_when_all_want_it_and_goes_on_when_one_does_not() -> None:
    lan, peers = people(3, 120, rummy())
    host = next(peer for peer in peers if peer.id == peers[0].table.host)
    one, other = (peer for peer in peers if peer is not host)
    wishing(lan, one)
    assert [wanted.players for wanted in other.all(PauseWanted)] == [(one.name,)]
    wishing(lan, host)
    assert not any(peer.table.paused for peer in (host, one, other))
    wishing(lan, other)
    for peer in (host, one, other):
        assert [(pause.code, len(pause.players)) for pause in peer.all(Paused)] == [("agreed", 3)]
        assert peer.table.seats_to_think() == ()
    tail = match_of(host).replica.ledger.tail
    for peer in (host, one, other):
        peer.plays = True
    lan.settle(60)
    assert match_of(host).replica.ledger.tail == tail
    assert match_of(one).host == host.id
    wishing(lan, one, wanted=False)
    assert all(len(peer.all(Resumed)) == 1 for peer in (host, one, other))
    lan.run(lambda: match_of(host).replica.ledger.tail > tail + 5)
    assert not any(peer.all(FaultFound) for peer in (host, one, other))


def test_a_wish_that_is_taken_back_is_told() -> None:
    lan, (one, other, _) = people(3, 121, rummy())
    wishing(lan, one)
    wishing(lan, one, wanted=False)
    assert [wanted.players for wanted in other.all(PauseWanted)] == [(one.name,), ()]


def test_without_a_match_there_is_no_pause() -> None:
    lan, (ada, _) = seated(2, 122)
    with pytest.raises(Refusal, match="No match is being played"):
        ada.table.rest(wanted=True, now=lan.now)


def test_once_the_match_is_over_there_is_no_pause_of_it() -> None:
    lan, (ada, bea) = people(2, 127, rummy())
    bea.table.leave(lan.now)
    lan.pump(bea)
    lan.settle(2)
    assert match_of(ada).is_over
    with pytest.raises(Refusal, match="No match is being played"):
        ada.table.rest(wanted=True, now=lan.now)
    assert not ada.table.rests


def test_who_suspends_says_so_and_is_waited_for_at_once() -> None:
    lan, (ada, bea) = people(2, 123, rummy())
    bea.table.suspend(lan.now)
    lan.pump(bea)
    lan.settle(0.1)
    (pause,) = ada.all(Paused)
    assert (pause.players, pause.suspended) == ((bea.name,), (bea.name,))
    assert not bea.all(Paused)  # who goes waits for nobody
    lan.kill(bea)
    lan.settle(3.0)
    assert ada.all(Paused) == [pause]
    lan.restart(bea)
    lan.link(ada, bea)
    lan.settle(3.0)
    assert len(ada.all(Resumed)) == 1
    assert not ada.table.paused


def test_of_three_the_table_goes_on_without_who_suspends() -> None:
    lan, peers = people(3, 124, rummy())
    gone = next(peer for peer in peers if peer.id != peers[0].table.host)
    rest = [peer for peer in peers if peer is not gone]
    gone.table.suspend(lan.now)
    lan.pump(gone)
    lan.settle(0.1)
    for peer in rest:
        assert [(pause.code, pause.suspended) for pause in peer.all(Paused)] == [("player-lost", (gone.name,))]
    lan.kill(gone)
    lan.run(lambda: all(peer.all(Resumed) for peer in rest))


def test_before_a_match_there_is_nothing_to_suspend() -> None:
    lan, (ada, _) = seated(2, 125)
    ada.table.suspend(lan.now)
    lan.settle(1.0)
    assert not ada.table.paused


def test_who_comes_back_waits_until_the_other_is_in_the_match_as_well() -> None:
    """A link alone is nobody: the other one may sit in the lobby."""
    lan, (ada, bea) = people(2, 126, rummy())
    lan.kill(bea)
    lan.kill(ada)
    lan.restart(bea)
    assert bea.table.paused
    bea.table.peer_connected(ada.id, lan.now)
    assert bea.table.paused
    assert not match_of(bea).running
    assert [(pause.players, pause.early) for pause in bea.all(Paused)] == [((ada.name,), True)]
    lan.settle(3.0)
    assert [pause.early for pause in bea.all(Paused)] == [True, False]
    lan.restart(ada)
    lan.link(ada, bea)
    lan.settle(1.0)
    assert not bea.table.paused
