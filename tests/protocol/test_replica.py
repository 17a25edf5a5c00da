"""One peer's copy of a match: what it stores, what it holds back, what it acknowledges."""

from __future__ import annotations

import msgspec
import pytest

from rummy_p2p.engine import IllegalAction, KnobFailed
from rummy_p2p.protocol.codec import pack
from rummy_p2p.protocol.faults import Fault
from rummy_p2p.protocol.messages import Draft, Ordered, Signed, read
from rummy_p2p.protocol.records import Act, Away, Body, Flip, HostChange
from rummy_p2p.protocol.replica import WAITING_KEPT, Replica, is_change
from rummy_p2p.protocol.state import Stage
from rummy_p2p.ruleset import KnobFunction
from tests.protocol.blind_forge import BlindForge
from tests.protocol.forge import Forge
from tests.protocol.lan import rummy


def replica(forge: Forge, peer: int = 1) -> Replica:
    made = Replica(forge.peers[peer], forge.match, tuple(forge.ids), forge.rules)
    made.ledger.open_term(1, forge.ids[0])
    return made


def give(made: Replica, *records: Signed) -> int:
    """Hand over records and store what can be stored; how many that were."""
    for record in records:
        ordered = read(record)
        assert isinstance(ordered, Ordered)
        made.receive(record, ordered)
    count = 0
    while made.store(lambda _entry: False):
        count += 1
    return count


def records(forge: Forge) -> list[Signed]:
    return [entry.record for entry in forge.ledger.entries]


def test_records_in_any_order_come_to_the_same() -> None:
    forge = Forge().dealt()
    made = replica(forge)
    backwards = list(reversed(records(forge)))
    assert give(made, *backwards[:-1]) == 0
    gaps = [made.has_gap]
    assert give(made, backwards[-1]) == len(backwards)
    gaps.append(made.has_gap)
    assert gaps == [True, False]
    assert made.tail == forge.fold
    assert made.committed.stage is Stage.EMPTY
    assert give(made, *backwards) == 0


def test_one_acknowledgement_tells_how_far_all_of_it_goes() -> None:
    forge = Forge().opened()
    made = replica(forge)
    assert made.acknowledge() is None
    give(made, *records(forge))
    ack = made.acknowledge()
    assert ack is not None
    assert (ack.seq, ack.head) == (2, forge.ledger.head)
    assert made.acknowledge() is None


def test_what_is_committed_follows_the_quorum() -> None:
    forge = Forge().opened()
    made = replica(forge)
    give(made, *records(forge))
    assert made.commit() == []
    for peer in (0, 2):
        made.ledger.acknowledge(*forge.ack(peer, 1))
    ((entry, step),) = made.commit()
    assert (entry.seq, step.fold.stage) == (1, Stage.ROSTER)
    assert (made.committed.stage, made.tail.stage) == (Stage.ROSTER, Stage.BETWEEN)


def test_a_record_that_comes_too_early_waits() -> None:
    forge = Forge().opened()
    made = replica(forge)
    for record in records(forge):
        ordered = read(record)
        assert isinstance(ordered, Ordered)
        made.receive(record, ordered)
    assert made.store(lambda _entry: True) is False
    assert made.store(lambda _entry: False)


def fault_of(made: Replica, record: Signed) -> Fault:
    with pytest.raises(Fault) as caught:
        give(made, record)
    return caught.value


def test_a_record_that_breaks_the_rules_convicts_its_host() -> None:
    forge = Forge().dealt()
    made = replica(forge)
    give(made, *records(forge))
    assert forge.fold.hand is not None
    other = (forge.fold.hand.turn + 1) % 3
    illegal = forge.record(forge.draft(other, Act(seat=other, move="draw", openings=())))
    fault = fault_of(made, illegal)
    assert (fault.code, fault.culprit, fault.evidence) == ("illegal-action", forge.ids[0], (illegal,))
    assert "not-your-turn" in str(fault)
    assert made.tail == forge.fold
    wrong = forge.record(forge.draft(other, forge.act(forge.fold.hand.turn, "draw")))
    assert (fault_of(made, wrong).code, fault_of(made, wrong).culprit) == ("wrong-author", forge.ids[0])
    undue = forge.record(forge.draft(0, Flip(openings=(forge.opening(0),))))
    assert fault_of(made, undue).code == "not-due"


def test_a_record_whose_rule_fails_names_the_plugin() -> None:
    function = KnobFunction(
        name="meld_points", plugin="odd", version="1", source_hash="0" * 64, call=lambda _meld: 1 // 0
    )
    forge = Forge(2, rules=rummy().with_function(function)).dealt()
    made = replica(forge)
    give(made, *records(forge))
    seat, draft = meld_that_fails(forge)
    give(made, *records(forge))
    record = forge.record(draft)
    fault = fault_of(made, record)
    assert (fault.code, fault.culprit, fault.parameters["plugin"]) == ("knob-failed", forge.ids[0], "odd")
    host = replica(forge, 0)
    give(host, *records(forge))
    payload = read(draft)
    assert isinstance(payload, Draft)
    with pytest.raises(KnobFailed):
        host.order(draft, payload)
    assert seat in {0, 1}


def meld_that_fails(forge: Forge) -> tuple[int, Signed]:
    """Play on until somebody can meld; the draft of it, not ordered."""
    from rummy_p2p.melds import melds_of
    from rummy_p2p.rules.actions import Lay

    for seed in range(400):
        assert forge.fold.hand is not None
        seat = forge.fold.hand.turn
        melds = list(melds_of(forge.view(seat).hand, forge.rules.melds)) if forge.fold.hand.phase == "play" else []
        if melds:
            return seat, forge.draft(seat, forge.act(seat, str(Lay((melds[0],)))))
        forge.play(1, seed)
    raise AssertionError("no meld in sight")


def test_two_records_for_one_place_convict_the_host_stored_or_not() -> None:
    forge = Forge().opened()
    made = replica(forge)
    give(made, *records(forge))
    first, second = (forge.record(forge.draft(0, forge.hand_open())) for _ in range(2))
    assert give(made, first) == 1
    fault = fault_of(made, second)
    assert (fault.code, fault.culprit) == ("two-records", forge.ids[0])
    fresh = replica(forge)
    ordered = read(first)
    assert isinstance(ordered, Ordered)
    fresh.receive(first, ordered)
    fault = fault_of(fresh, second)
    assert (fault.code, fault.evidence) == ("two-records", (first, second))


def test_records_of_others_than_the_host_and_of_other_matches_change_nothing() -> None:
    forge = Forge().opened()
    made = replica(forge)
    usurped = forge.record(forge.draft(1, forge.roster()), by=2, seq=1, prev=bytes(32))
    assert give(made, usurped) == 0
    assert not made.has_gap
    assert give(made, Forge(2).opened().ledger.entries[0].record) == 0
    assert give(made, *records(forge)) == 2


def test_what_waits_is_bounded() -> None:
    forge = Forge().opened()
    made = replica(forge)
    draft = forge.draft(1, Act(seat=1, move="draw", openings=()))
    for seq in range(5, WAITING_KEPT + 50):
        record = forge.record(draft, seq=seq)
        ordered = read(record)
        assert isinstance(ordered, Ordered)
        made.receive(record, ordered)
    assert len(made._waiting) == WAITING_KEPT
    assert min(seq for seq, _ in made._waiting) == 5


# ---------------------------------------------------------------- as host


def test_a_host_orders_what_it_has_judged() -> None:
    forge = Forge().opened()
    host, guest = replica(forge, 0), replica(forge, 1)
    for made in (host, guest):
        give(made, *records(forge))
    draft = forge.draft(0, forge.hand_open())
    payload = read(draft)
    assert isinstance(payload, Draft)
    record = host.order(draft, payload)
    assert host.tail.stage is Stage.DEALING
    assert host.last_step.fold == host.tail
    assert give(guest, record) == 1
    assert guest.tail == host.tail


def declined(forge: Forge, draft: Signed) -> str:
    host = replica(forge, 0)
    give(host, *records(forge))
    payload = read(draft)
    assert isinstance(payload, Draft)
    before = host.tail
    with pytest.raises((Fault, IllegalAction)) as caught:
        host.order(draft, payload)
    assert host.tail == before
    assert host.ledger.tail == forge.ledger.tail
    return str(getattr(caught.value, "code", ""))


def test_a_host_orders_nothing_that_cannot_stand() -> None:
    forge = Forge().dealt()
    assert forge.fold.hand is not None
    seat = forge.fold.hand.turn
    draw = forge.act(seat, "draw")
    assert declined(forge, forge.draft(seat, draw, number=1)) == "stale-number"
    assert declined(forge, forge.draft(seat, draw, head=b"h" * 32)) == "unknown-head"
    assert declined(forge, forge.draft(seat, draw, match=b"m" * 32)) == "wrong-match"
    assert declined(forge, forge.draft(seat, forge.act(seat, "discard 7h"))) == "draw-first"
    assert declined(forge, Forge(keys=50).draft(1, draw, number=99)) == "wrong-author"


def test_records_for_a_peer_that_is_behind_fit_into_a_message() -> None:
    forge = Forge().dealt()
    made = replica(forge)
    give(made, *records(forge))
    sizes = [len(packed) for packed in made.records_after(0, 10**6)]
    assert len(sizes) == forge.ledger.tail
    some = made.records_after(2, sum(sizes[2:5]))
    assert [len(packed) for packed in some] == sizes[2:5]
    assert made.records_after(forge.ledger.tail, 10**6) == ()


def test_a_record_that_is_larger_than_a_message_should_be_is_sent_alone() -> None:
    forge = Forge().dealt()
    made = replica(forge)
    give(made, *records(forge))
    assert [len(made.records_after(seq, 1)) for seq in range(3)] == [1, 1, 1]
    assert made.records_after(3, 1)[0] == made.records_after(3, 10**6)[0]


# ---------------------------------------------------------------- certificates


def certificate(forge: Forge, *held: int) -> Replica:
    """Peer 1, where every peer has acknowledged so much of the ledger."""
    made = replica(forge)
    give(made, *records(forge))
    for peer, seq in enumerate(held):
        if seq:
            made.ledger.acknowledge(*forge.ack(peer, seq))
    made.commit()
    return made


def test_a_certificate_is_of_so_many_that_two_of_them_share_an_honest_peer() -> None:
    forge = Forge(5).dealt()
    tail = forge.ledger.tail
    assert certificate(forge, tail, tail, tail, 0, 0).ledger.committed == tail
    assert certificate(forge, tail, tail, tail, 0, 0).certified() == 0
    assert certificate(forge, tail, tail, tail, 5, 3).certified() == 5
    assert certificate(forge, tail, tail, tail, tail, 3).certified() == tail
    assert certificate(forge, tail, 7, 7, 7, 7).certified() == 7


def test_when_fewer_are_here_the_certificate_is_of_all_of_them() -> None:
    forge = Forge(5).dealt()
    for peer in (3, 4):
        forge.add(0, Away(peer=forge.ids[peer]))
    tail = forge.play(1).ledger.tail
    assert certificate(forge, tail, tail, tail, 0, 0).certified() == tail
    assert certificate(forge, tail, tail - 1, tail, 0, 0).certified() == tail - 1


def test_when_the_last_one_has_left_nobody_is_to_be_asked() -> None:
    forge = Forge(2).dealt()
    made = certificate(forge, forge.ledger.tail, forge.ledger.tail)
    made.ledger.voters = ()
    assert made.certified() == made.ledger.committed


def test_the_more_it_takes_to_open_a_card_the_more_a_certificate_takes() -> None:
    for trust, all_but_one in (("quorum", True), ("all", False)):
        forge = BlindForge(5, start={"trust": trust}).dealt()
        tail = forge.ledger.tail
        made = certificate(forge, tail, tail, tail, tail, 5)
        assert made.committed.key is not None
        assert made.certified() == (tail if all_but_one else 5)
        assert certificate(forge, tail, tail, tail, tail, tail).certified() == tail


@pytest.mark.parametrize(("count", "without_a_key"), [(2, 2), (3, 3), (4, 4), (5, 4)])
def test_before_there_is_a_key_a_certificate_is_counted_as_if_a_quorum_opened_cards(
    count: int, without_a_key: int
) -> None:
    assert certificate(Forge(count).dealt()).certifiers == without_a_key


def test_who_is_away_certifies_nothing() -> None:
    forge = Forge(5).dealt()
    for peer in (3, 4):
        forge.add(0, Away(peer=forge.ids[peer]))
    tail = forge.ledger.tail
    assert certificate(forge, tail, tail, tail).certifiers == 3


# ---------------------------------------------------------------- under a later host


def change(forge: Forge, host: int, term: int, voters: tuple[int, ...]) -> HostChange:
    return HostChange(term=term, votes=tuple(pack(forge.vote(voter, host, term)) for voter in voters))


def later(forge: Forge, at: int, host: int = 1, term: int = 2, body: Body | None = None, **changes: object) -> Signed:
    """A record of a later term that stands on the first records of the forge."""
    opening = body or change(forge, host, term, (1, 2))
    draft = forge.draft(host, opening, head=forge.ledger.hash_at(at - 1))
    place = {"term": term, "seq": at, "prev": forge.ledger.hash_at(at - 1)} | changes
    return forge.record(draft, by=host, **place)


def committed(forge: Forge, seq: int) -> Replica:
    """Peer 2, with all records, of which so many are committed."""
    made = replica(forge, 2)
    give(made, *records(forge))
    for peer in (0, 1):
        made.ledger.acknowledge(*forge.ack(peer, seq))
    made.commit()
    assert made.ledger.committed == seq
    return made


def test_a_record_that_opens_a_later_term_with_its_votes_replaces_what_nobody_has_committed() -> None:
    forge = Forge().dealt()
    made = committed(forge, 3)
    opening = later(forge, 4)
    assert give(made, opening) == 1
    assert (made.ledger.tail, made.ledger.head, made.truncated) == (4, opening.digest, 3)
    assert (made.ledger.term, made.ledger.host) == (2, forge.ids[1])
    assert made.tail.host == forge.ids[1]
    assert not made.has_gap
    assert not made.is_forked


@pytest.mark.parametrize("voters", [(1,), ()])
def test_without_the_votes_it_replaces_nothing(voters: tuple[int, ...]) -> None:
    forge = Forge().dealt()
    made = committed(forge, 3)
    assert give(made, later(forge, 4, body=change(forge, 1, 2, voters))) == 0
    assert (made.ledger.tail, made.ledger.term) == (forge.ledger.tail, 1)


def test_what_does_not_open_a_term_or_hangs_in_the_air_replaces_nothing() -> None:
    forge = Forge().dealt()
    made = committed(forge, 3)
    plain = later(forge, 4, body=Away(peer=forge.ids[0]))
    air = later(forge, 5, prev=b"?" * 32)
    usurped = later(forge, 4, host=2, body=change(forge, 1, 2, (1, 2)))
    assert give(made, plain, air, usurped) == 0
    assert (made.ledger.tail, made.ledger.term) == (forge.ledger.tail, 1)


def test_of_a_later_term_whose_host_is_known_another_opens_nothing() -> None:
    forge = Forge().dealt()
    made = committed(forge, 3)
    made.ledger.open_term(2, forge.ids[2])
    made.ledger.open_term(3, forge.ids[0])
    assert give(made, later(forge, 4)) == 0
    assert made.ledger.tail == forge.ledger.tail
    opening = later(forge, 4, host=2, body=change(forge, 2, 2, (1, 2)))
    assert give(made, opening) == 1
    assert made.ledger.head == opening.digest


def test_where_a_later_host_goes_on_from_something_else_than_what_is_committed_the_ledgers_are_forked() -> None:
    forge = Forge().dealt()
    made = committed(forge, 5)
    made.ledger.open_term(2, forge.ids[1])
    assert not made.is_forked
    assert give(made, later(forge, 6, prev=b"?" * 32)) == 0
    assert made.has_gap
    assert made.is_forked


@pytest.mark.parametrize(
    ("seq", "host", "term"), [(7, 1, 2), (6, 1, 1), (6, 2, 2)], ids=["further-on", "no-later-term", "not-its-host"]
)
def test_what_is_missing_or_not_of_a_later_host_is_no_fork(seq: int, host: int, term: int) -> None:
    forge = Forge().dealt()
    made = committed(forge, 5)
    made.ledger.open_term(2, forge.ids[1])
    give(made, later(forge, 6, host, term, seq=seq, prev=b"?" * 32))
    assert not made.is_forked


def test_with_nothing_committed_any_other_beginning_of_a_later_host_is_a_fork() -> None:
    forge = Forge().opened()
    made = replica(forge, 2)
    made.ledger.open_term(2, forge.ids[1])
    give(made, later(forge, 1, prev=b"?" * 32))
    assert made.is_forked


def test_who_has_voted_for_a_later_host_acknowledges_nothing_more_of_this_one() -> None:
    forge = Forge().opened()
    made = replica(forge)
    give(made, *records(forge))
    assert made.acknowledge(2) is None
    assert made.acknowledge(1) is not None


def test_a_record_of_a_term_whose_host_is_not_known_waits_for_the_votes() -> None:
    forge = Forge().opened()
    made = Replica(forge.peers[1], forge.match, tuple(forge.ids), forge.rules)
    roster, opening = records(forge)
    assert give(made, roster) == 0
    assert give(made, opening) == 2
    assert (made.ledger.term, made.ledger.host) == (1, forge.ids[0])


def test_the_first_record_waits_as_long_as_the_second_proves_nothing() -> None:
    forge = Forge().opened()
    roster, _ = records(forge)
    for body in (change(forge, 0, 1, (0,)), Away(peer=forge.ids[1])):
        second = forge.record(forge.draft(0, body), seq=2, prev=roster.digest)
        made = Replica(forge.peers[1], forge.match, tuple(forge.ids), forge.rules)
        assert give(made, roster, second) == 0
        made.ledger.open_term(2, forge.ids[1])  # whoever was host before: its first record stands
        assert made.store(lambda _entry: False)
        assert made.ledger.head == roster.digest


def test_a_term_that_opens_without_the_votes_for_it_convicts_its_host() -> None:
    forge = Forge().dealt()
    made = committed(forge, 3)
    opening = later(forge, forge.ledger.tail + 1, body=change(forge, 1, 2, (1,)))
    fault = fault_of(made, opening)
    assert (fault.code, fault.culprit) == ("bad-votes", forge.ids[1])
    assert made.ledger.term == 1


def test_a_term_that_opens_at_the_end_of_the_ledger_is_that_of_the_host_with_the_votes() -> None:
    forge = Forge().dealt()
    made = committed(forge, 3)
    assert give(made, later(forge, forge.ledger.tail + 1)) == 1
    assert (made.ledger.term, made.ledger.host) == (2, forge.ids[1])


def test_another_record_for_a_place_that_is_committed_convicts_its_host() -> None:
    forge = Forge().dealt()
    made = committed(forge, 3)
    third = forge.ledger.entries[2]
    other = forge.record(forge.draft(0, Away(peer=forge.ids[1])), seq=3, prev=third.ordered.prev)
    with pytest.raises(Fault) as caught:
        give(made, other)
    assert (caught.value.code, caught.value.culprit) == ("two-records", forge.ids[0])
    assert give(made, third.record) == 0


def test_what_an_earlier_host_had_ordered_for_a_place_that_is_committed_otherwise_changes_nothing() -> None:
    forge = Forge().dealt()
    made = committed(forge, 3)
    lost, opening = forge.ledger.entries[3].record, later(forge, 4)
    give(made, opening)
    for peer in (0, 1):
        made.ledger.acknowledge(*forge.ack(peer, 4, term=2, head=opening.digest))
    made.commit()
    assert made.ledger.committed == 4
    assert give(made, lost) == 0
    assert made.ledger.head == opening.digest


def test_what_cannot_be_read_opens_no_term() -> None:
    forge = Forge().opened()
    roster, opening = (read(record) for record in records(forge))
    assert isinstance(roster, Ordered)
    assert isinstance(opening, Ordered)
    assert (is_change(roster), is_change(opening)) == (False, True)
    assert not is_change(msgspec.structs.replace(opening, draft=b"nonsense"))
    assert not is_change(msgspec.structs.replace(opening, draft=pack(forge.vote(1))))


def test_what_is_not_a_record_is_not_taken_from_the_disk() -> None:
    forge = Forge().opened()
    made = replica(forge)
    with pytest.raises(Fault) as caught:
        made.restore([*records(forge), forge.vote(1)], 2)
    assert caught.value.code == "out-of-place"


def test_what_comes_from_the_disk_is_committed_as_far_as_it_was() -> None:
    forge = Forge().dealt()
    made = Replica(forge.peers[1], forge.match, tuple(forge.ids), forge.rules)
    steps = made.restore(records(forge), 4)
    assert [entry.seq for entry, _ in steps] == [1, 2, 3, 4]
    assert (made.ledger.committed, made.ledger.tail) == (4, forge.ledger.tail)
    assert made.tail == forge.fold


def test_a_record_is_backed_by_whoever_holds_what_follows_it() -> None:
    """Who comes back after the end knows nobody's clock, and is told only who holds the last record."""
    forge = Forge(5).dealt()
    made, entries = replica(forge), forge.ledger.entries
    first, last = entries[0], entries[-1]
    for entry in entries[1:]:
        made.receive(entry.record, entry.ordered)
    made.ledger.acknowledge(*forge.ack(0, last.seq))  # the host's own word is not counted
    made.ledger.acknowledge(*forge.ack(2, last.seq))
    assert not made.is_backed(first)
    made.ledger.acknowledge(*forge.ack(3, first.seq))
    assert made.is_backed(first)
    assert not made.is_backed(last)
    made._waiting.pop((entries[2].seq, entries[2].hash))
    assert not made.is_backed(first)
