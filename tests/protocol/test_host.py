"""What the host owes to the ledger: how it opens and ends, and whom it waits for no longer."""

from __future__ import annotations

from rummy_p2p.protocol.court import Court
from rummy_p2p.protocol.election import Election
from rummy_p2p.protocol.faults import Fault
from rummy_p2p.protocol.fields import Wish
from rummy_p2p.protocol.gossip import Gossip
from rummy_p2p.protocol.hand import HostDealtParty, Party
from rummy_p2p.protocol.host import Host
from rummy_p2p.protocol.messages import Vote, read
from rummy_p2p.protocol.ordering import ENTROPY_TIMEOUT, Ordering
from rummy_p2p.protocol.records import Away, Body, HandOpen, HostChange, Roster, TimeOut
from rummy_p2p.protocol.replica import Replica
from rummy_p2p.protocol.waiting import AWAY_AFTER, Absence
from tests.protocol.blind_forge import BlindForge
from tests.protocol.forge import Forge
from tests.protocol.lan import rummy
from tests.protocol.test_replica import give, records

NOW = 100.0
LATE = NOW + ENTROPY_TIMEOUT


def host_of(forge: Forge, term: int = 1) -> Host:
    """Peer 0, with all records committed, and everybody's votes of a term."""
    me = forge.ids[0]
    wishes: dict[bytes, Wish] = dict.fromkeys(forge.ids, "if-needed")
    replica = Replica(forge.peers[0], forge.match, tuple(forge.ids), forge.rules)
    replica.ledger.open_term(1, me)
    give(replica, *records(forge))
    for peer in range(len(forge.ids)):
        if forge.ledger.tail:
            replica.ledger.acknowledge(*forge.ack(peer, forge.ledger.tail))
    replica.commit()
    election = Election(me, forge.match, wishes)
    for peer in range(len(forge.ids)):
        message = forge.vote(peer, 0, term)
        vote = read(message)
        assert isinstance(vote, Vote)
        election.receive(message, vote)
    replica.ledger.open_term(term, me)
    party: Party = HostDealtParty(forge.peers[0], forge.match, bytes, None)
    if isinstance(forge, BlindForge):
        party = forge.parties[0]
    ordering = Ordering(NOW)
    if forge.steps:
        ordering.track(forge.steps[-1].fold, forge.steps[-1], NOW)
    court = Court(forge.match, Gossip(forge.peers[0], b"t" * 32, b"r" * 32))
    return Host(forge.start, forge.rules, replica, election, party, ordering, court, Absence())


def owed(host: Host, now: float) -> dict[str, Body]:
    return dict(host.overdue(now))


def test_a_match_begins_with_who_plays_what_and_with_the_votes() -> None:
    ((key, roster),) = host_of(Forge()).opening()
    assert (key, isinstance(roster, Roster)) == ("roster", True)
    forge = Forge()
    forge.add(0, forge.roster())
    ((key, opening),) = host_of(forge).opening()
    assert key == "host-change"
    assert isinstance(opening, HostChange)
    assert (opening.term, len(opening.votes)) == (1, 3)
    forge.add(0, opening)
    ((key, opening),) = host_of(forge, 4).takes_over()
    assert (key, isinstance(opening, HostChange) and opening.term) == ("host-change 4", 4)


def test_a_blind_hand_goes_on_without_those_for_whom_it_has_waited() -> None:
    forge = BlindForge(4).keying()
    forge.quiet = {2, 3}
    forge.talk()
    host = host_of(forge)
    assert owed(host, LATE - 0.1) == {}
    assert owed(host, LATE) == {"again 1.0": forge.hand_open(1, tuple(forge.ids[2:]))}


def test_a_blind_hand_that_nobody_can_be_spared_for_is_begun_anew_with_all() -> None:
    forge = BlindForge(2).keying()
    forge.quiet = {1}
    forge.talk()
    assert owed(host_of(forge), LATE) == {"again 1.0": forge.hand_open(1)}


def test_a_blind_hand_that_waits_for_the_host_itself_is_begun_anew_with_all() -> None:
    forge = BlindForge().keying()
    forge.quiet = {0}
    forge.talk()
    host = host_of(forge)
    assert owed(host, LATE - 0.1) == {}
    assert owed(host, LATE) == {"again 1.0": forge.hand_open(1)}


def test_a_deal_by_the_host_that_waits_for_its_own_bytes_is_not_begun_anew() -> None:
    forge = Forge().opened().hand_opened()
    for author, message in forge.shares()[1:]:
        forge.add(author, message)
    assert owed(host_of(forge), LATE) == {}


def test_a_deal_by_the_host_goes_on_without_those_whose_bytes_are_missing() -> None:
    forge = Forge(4).opened().hand_opened()
    for author, message in forge.shares()[:3]:
        forge.add(author, message)
    (again,) = owed(host_of(forge), LATE).values()
    assert isinstance(again, HandOpen)
    assert (again.epoch, again.without) == (1, (forge.ids[3],))


def test_a_turn_that_takes_too_long_is_ended() -> None:
    forge = Forge(rules=rummy(clock__move_s=20)).dealt()
    assert forge.fold.hand is not None
    host = host_of(forge)
    assert owed(host, NOW + 19) == {}
    assert owed(host, NOW + 20) == {f"time-out {forge.ledger.tail}": TimeOut(seat=forge.fold.hand.turn)}


def test_who_cannot_be_reached_is_away_after_a_while_and_once() -> None:
    forge = Forge().dealt()
    host = host_of(forge)
    for now in (NOW, NOW + 1):
        host.absence.look(forge.ids, frozenset(forge.ids[:2]), now)
    assert owed(host, NOW + AWAY_AFTER - 0.1) == {}
    lost = forge.ids[2]
    assert owed(host, NOW + AWAY_AFTER) == {f"away {lost.hex()}": Away(peer=lost)}
    forge.add(0, Away(peer=lost))
    again = host_of(forge)
    again.absence.look(forge.ids, frozenset(forge.ids[:2]), NOW)
    assert owed(again, NOW + AWAY_AFTER) == {}


def test_convicts_are_put_out_as_soon_as_there_is_a_hand_that_can_be_void() -> None:
    for forge, count in ((Forge().opened(), 0), (Forge().dealt(), 1)):
        host = host_of(forge)
        votes = (forge.vote(2, 0), forge.vote(2, 2))
        host.court.report(Fault("two-votes", forge.ids[2], votes))
        sentences = dict(host.sentences())
        assert list(sentences) == [f"void {forge.ids[2].hex()}"] * count
