"""The ledger: what it takes, what it refuses and whom that convicts, when a record is committed, the file."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from rummy_p2p.protocol.codec import pack
from rummy_p2p.protocol.errors import RemoteProtocolError
from rummy_p2p.protocol.faults import Fault
from rummy_p2p.protocol.fields import NO_HEAD
from rummy_p2p.protocol.ledger import (
    KEPT,
    MAX_BYTES,
    MAX_RECORDS,
    Entry,
    Ledger,
    read_stream,
    take_apart,
    write_stream,
)
from rummy_p2p.protocol.messages import Draft, Ordered, Signed, read, sign
from rummy_p2p.protocol.records import Act, Departure
from tests.protocol.forge import Forge

DRAW = Act(seat=0, move="draw", openings=())


def code_of(call: Callable[..., object], *arguments: object) -> tuple[str, bytes | None]:
    with pytest.raises(Fault) as caught:
        call(*arguments)
    assert str(caught.value)
    return caught.value.code, caught.value.culprit


# ---------------------------------------------------------------- taking a record apart


def test_a_record_is_taken_apart() -> None:
    forge = Forge()
    draft = forge.draft(1, DRAW)
    entry = take_apart(forge.record(draft))
    assert (entry.seq, entry.host, entry.author, entry.body) == (1, forge.ids[0], forge.ids[1], DRAW)
    assert entry.hash == forge.record(draft).digest


def test_both_signatures_are_checked() -> None:
    forge = Forge()
    host, author = forge.ids[:2]
    record = forge.record(forge.draft(1, DRAW))
    assert code_of(take_apart, msgspec.structs.replace(record, signature=b"s" * 64)) == ("bad-signature", None)
    assert code_of(take_apart, msgspec.structs.replace(record, author=author)) == ("bad-signature", None)
    forged = msgspec.structs.replace(forge.draft(1, DRAW), signature=b"s" * 64)
    assert code_of(take_apart, forge.record(forged)) == ("bad-signature", host)


def test_a_draft_that_was_noted_is_not_looked_at_again_but_another_signature_is() -> None:
    forge = Forge()
    draft = forge.draft(1, DRAW)
    note(forge, draft)
    entry = take_apart(forge.record(draft), forge.ledger.noted)
    assert entry.draft_message is draft
    forged = msgspec.structs.replace(draft, signature=b"s" * 64)
    assert forge.ledger.noted(forged) is forged
    assert code_of(take_apart, forge.record(forged), forge.ledger.noted) == ("bad-signature", forge.ids[0])


def test_what_is_no_record_convicts_its_host() -> None:
    forge = Forge()
    host = forge.ids[0]
    draft = forge.draft(1, DRAW)
    for record, code in (
        (forge.record(draft, draft_digest=b"d" * 32), "broken-chain"),
        (forge.record(draft, draft=b"nonsense"), "not-msgpack"),
        (forge.record(draft, match=b"x" * 32), "wrong-match"),
        (draft, "out-of-place"),
    ):
        assert code_of(take_apart, record) == (code, host if record is not draft else forge.ids[1])
    vote = forge.vote(1)
    assert code_of(take_apart, forge.record(vote)) == ("out-of-place", forge.ids[1])
    noise = Signed(author=host, payload=b"\x80", signature=forge.host.sign(b"table", b"\x80"))
    assert code_of(take_apart, noise) == ("unknown-message", host)


# ---------------------------------------------------------------- appending


def test_records_follow_one_another_and_repeating_one_changes_nothing() -> None:
    forge = Forge().opened()
    assert (forge.ledger.tail, forge.ledger.committed) == (2, 0)
    assert forge.ledger.append(forge.ledger.entries[0]) is False
    assert forge.ledger.place_of(forge.ledger.head) == 2
    assert forge.ledger.place_of(NO_HEAD) == 0
    assert forge.ledger.place_of(b"x" * 32) is None
    assert forge.ledger.has(forge.ids[0], 1)
    assert not forge.ledger.has(forge.ids[0], 9)


def appended(changes: dict[str, object] | None = None, by: int = 0, **draft: object) -> Callable[[Forge], Entry]:
    return lambda forge: take_apart(forge.record(forge.draft(1, DRAW, **draft), by, **(changes or {})))


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (appended({"match": b"x" * 32}, match=b"x" * 32), "wrong-match"),
        (appended({"seq": 9}), "broken-chain"),
        (appended({"prev": b"p" * 32}), "broken-chain"),
        (appended({"term": 2}), "wrong-term"),
        (appended(by=1), "wrong-host"),
        (appended(head=b"h" * 32), "unknown-head"),
        (appended(number=0), "stale-number"),
    ],
)
def test_a_record_out_of_order_is_refused_and_its_host_at_fault(make: Callable[[Forge], Entry], code: str) -> None:
    forge = Forge().opened()
    entry = make(forge)
    assert code_of(forge.ledger.append, entry) == (code, entry.host)
    assert forge.ledger.tail == 2


def test_terms_never_fall_and_have_one_host() -> None:
    forge = Forge().opened()
    assert (forge.ledger.term, forge.ledger.host) == (1, forge.ids[0])
    assert code_of(forge.ledger.open_term, 1, forge.ids[1]) == ("wrong-term", forge.ids[1])
    forge.ledger.open_term(2, forge.ids[1])
    assert forge.ledger.append(take_apart(forge.record(forge.draft(1, DRAW), 1, term=2)))
    old = take_apart(forge.record(forge.draft(2, DRAW)))
    assert code_of(forge.ledger.append, old) == ("wrong-term", forge.ids[0])
    assert Ledger(b"m" * 32, forge.ids).host is None


def test_only_voters_write() -> None:
    forge = Forge(2).opened()
    forge.ledger.voters = (forge.ids[0],)
    assert code_of(forge.ledger.append, forge.entry(1, DRAW)) == ("wrong-author", forge.ids[0])


@pytest.mark.parametrize("full", ["records", "bytes"])
def test_a_ledger_does_not_grow_beyond_its_limits(full: str, monkeypatch: pytest.MonkeyPatch) -> None:
    forge = Forge().opened()
    assert (MAX_RECORDS, MAX_BYTES) == (20_000, 16 * 1024 * 1024)
    if full == "records":
        monkeypatch.setattr("rummy_p2p.protocol.ledger.MAX_RECORDS", 2)
    else:
        forge.ledger.size = MAX_BYTES - 10
    assert code_of(forge.ledger.append, forge.entry(1, DRAW)) == ("ledger-full", forge.ids[0])


# ---------------------------------------------------------------- two of one


def test_two_records_for_one_place_convict_the_host() -> None:
    forge = Forge().opened()
    first, second = forge.entry(1, DRAW), forge.entry(2, DRAW)
    forge.ledger.append(first)
    with pytest.raises(Fault) as caught:
        forge.ledger.append(second)
    assert (caught.value.code, caught.value.culprit) == ("two-records", forge.ids[0])
    assert caught.value.evidence == (first.record, second.record)


def test_another_hosts_record_for_a_place_that_is_taken_is_simply_wrong() -> None:
    forge = Forge().opened()
    forge.ledger.append(forge.entry(1, DRAW))
    draft = forge.draft(1, DRAW)
    other = take_apart(forge.record(draft, 1, seq=3))
    assert code_of(forge.ledger.append, other) == ("broken-chain", forge.ids[1])


def pair(forge: Forge) -> tuple[Signed, Signed]:
    return (
        forge.draft(1, DRAW, number=5),
        forge.draft(1, Act(seat=1, move="take", openings=()), number=5),
    )


def note(forge: Forge, message: Signed) -> None:
    draft = read(message)
    assert isinstance(draft, Draft)
    forge.ledger.note(message, draft)


@pytest.mark.parametrize("ordered", [True, False])
def test_two_bodies_under_one_number_convict_their_author(*, ordered: bool) -> None:
    forge = Forge().opened()
    one, other = pair(forge)
    if ordered:
        forge.ledger.append(take_apart(forge.record(one)))
    else:
        note(forge, one)
        note(forge, one)
    with pytest.raises(Fault) as caught:
        note(forge, other)
    assert (caught.value.code, caught.value.culprit) == ("two-bodies", forge.ids[1])
    assert caught.value.evidence == (one, other)
    if not ordered:
        assert code_of(forge.ledger.append, take_apart(forge.record(other))) == ("two-bodies", forge.ids[1])
        assert forge.ledger.tail == 3


def test_what_is_remembered_of_drafts_is_bounded() -> None:
    forge = Forge().opened()
    for number in range(1, KEPT + 20):
        note(forge, forge.draft(1, DRAW, number=number))
    assert len(forge.ledger._drafts[forge.ids[1]]) == KEPT


def test_two_heads_acknowledged_for_one_place_convict_who_did() -> None:
    forge = Forge().opened()
    one, other = forge.ack(1, 1), forge.ack(1, 1, head=b"h" * 32)
    forge.ledger.acknowledge(*one)
    forge.ledger.acknowledge(*one)
    with pytest.raises(Fault) as caught:
        forge.ledger.acknowledge(*other)
    assert (caught.value.code, caught.value.culprit) == ("two-acks", forge.ids[1])
    assert caught.value.evidence == (one[0], other[0])


def test_an_acknowledgement_of_another_record_shows_that_there_are_two() -> None:
    forge = Forge().opened()
    assert not forge.ledger.differs(forge.ack(1, 2)[1])
    assert forge.ledger.differs(forge.ack(1, 2, head=b"h" * 32)[1])
    for elsewhere in ({"match": b"m" * 32}, {"seq": 9}, {"seq": 0}, {"term": 2}):
        assert not forge.ledger.differs(forge.ack(1, 2, head=b"h" * 32, **elsewhere)[1])


# ---------------------------------------------------------------- committing


def test_a_record_is_committed_when_a_quorum_holds_it() -> None:
    forge = Forge(4).opened()
    assert forge.ledger.quorum == 3
    for peer in (0, 1):
        forge.ledger.acknowledge(*forge.ack(peer, 2))
        assert forge.ledger.commit() == []
    forge.ledger.acknowledge(*forge.ack(3, 1))
    assert [entry.seq for entry in forge.ledger.commit()] == [1]
    forge.ledger.acknowledge(*forge.ack(2, 2))
    assert [entry.seq for entry in forge.ledger.commit()] == [2]
    assert forge.ledger.commit() == []
    assert forge.ledger.committed_head == forge.ledger.head
    assert [forge.ledger.holds(peer) for peer in forge.ids] == [2, 2, 2, 1]


def test_acknowledgements_that_come_before_the_record_count_when_it_is_there() -> None:
    forge = Forge(2).opened()
    entry = forge.entry(1, DRAW)
    for peer in (0, 1):
        forge.ledger.acknowledge(*forge.ack(peer, 0, seq=3, head=entry.hash))
    assert forge.ledger.commit() == []
    forge.ledger.append(entry)
    assert [found.seq for found in forge.ledger.commit()] == [1, 2, 3]


def test_acknowledgements_of_another_ledger_or_of_strangers_do_not_count() -> None:
    forge = Forge(2).opened()
    stranger = Forge(keys=50)
    forge.ledger.acknowledge(*forge.ack(0, 2))
    forge.ledger.acknowledge(*forge.ack(1, 2, head=b"h" * 32))
    forge.ledger.acknowledge(*stranger.ack(1, 0, seq=2, head=forge.ledger.head))
    assert forge.ledger.commit() == []
    assert forge.ledger.holds(forge.ids[1]) == 0


def test_a_record_of_an_old_term_is_committed_only_by_one_of_the_new() -> None:
    forge = Forge(2).opened()
    forge.ledger.open_term(2, forge.ids[1])
    for peer in (0, 1):
        forge.ledger.acknowledge(*forge.ack(peer, 2, term=2))
    assert forge.ledger.commit() == []
    forge.ledger.append(take_apart(forge.record(forge.draft(1, DRAW), 1, term=2)))
    for peer in (0, 1):
        forge.ledger.acknowledge(*forge.ack(peer, 3, term=2))
    assert [entry.seq for entry in forge.ledger.commit()] == [1, 2, 3]


def test_what_an_earlier_host_had_ordered_for_a_place_is_nobodys_fault() -> None:
    forge = Forge().opened()
    lost = forge.record(forge.draft(1, DRAW))
    forge.ledger.open_term(2, forge.ids[1])
    forge.ledger.append(take_apart(forge.record(forge.draft(1, DRAW), 1, term=2)))
    assert not forge.ledger.append(take_apart(lost))
    assert forge.ledger.tail == 3


def test_what_is_committed_is_not_taken_away() -> None:
    forge = Forge().opened()
    for peer in (0, 1):
        forge.ledger.acknowledge(*forge.ack(peer, 2))
    forge.ledger.commit()
    assert code_of(forge.ledger.truncate, 1) == ("broken-chain", forge.ids[0])
    forge.ledger.truncate(2)
    assert forge.ledger.tail == 2


def test_without_voters_nothing_is_committed() -> None:
    assert Ledger(b"m" * 32, ()).commit() == []


def test_what_is_remembered_of_acknowledgements_is_bounded() -> None:
    forge = Forge().opened()
    for seq in range(10, KEPT + 30):
        forge.ledger.acknowledge(*forge.ack(1, 0, seq=seq, head=b"h" * 32))
    assert len(forge.ledger._acks[forge.ids[1]]) == KEPT


def test_the_voters_are_set_by_whoever_folds() -> None:
    forge = Forge().dealt()
    forge.add(2, Departure())
    assert forge.ledger.voters == tuple(forge.ids[:2])
    assert forge.ledger.quorum == 2


# ---------------------------------------------------------------- the file


def test_a_file_holds_the_committed_records_and_who_has_acknowledged_them() -> None:
    forge = Forge().opened()
    data = forge.file()
    messages = list(read_stream(data))
    assert messages[:2] == [entry.record for entry in forge.ledger.entries]
    assert {message.author for message in messages[2:]} == set(forge.ids)
    assert write_stream(messages) == data
    assert list(read_stream(forge.ledger.to_bytes(certificate=False))) == messages[:2]
    forge.add(0, forge.hand_open())
    assert list(read_stream(forge.ledger.to_bytes(certificate=False))) == messages[:2]


@pytest.mark.parametrize("cut", [1, 5, 100])
def test_a_file_that_ends_in_the_middle_says_so(cut: int) -> None:
    data = Forge().opened().file()
    with pytest.raises(RemoteProtocolError):
        list(read_stream(data[:-cut]))
    with pytest.raises(RemoteProtocolError):
        list(read_stream(data + b"\x00\x00\x00\x03abc"))


def test_a_head_is_of_what_was_received_and_not_of_a_second_packing() -> None:
    forge = Forge()
    record = forge.record(forge.draft(1, DRAW))
    ordered = read(record)
    assert isinstance(ordered, Ordered)
    assert pack(ordered) == record.payload
    assert sign(forge.host, ordered) == record


def test_who_backs_a_record_has_acknowledged_that_very_one_in_whichever_term() -> None:
    forge = Forge(5).opened()
    entry = forge.entry(0, forge.hand_open())
    ack = {"seq": entry.seq, "head": entry.hash}
    made = forge.ledger
    assert made.backers(entry.seq, entry.hash) == set()
    made.acknowledge(*forge.ack(1, 1, **ack))
    made.acknowledge(*forge.ack(2, 1, seq=entry.seq, head=b"h" * 32))
    made.acknowledge(*forge.ack(3, 1, seq=entry.seq + 1, head=entry.hash))
    made.acknowledge(*forge.ack(4, 2, **ack))
    assert made.backers(entry.seq, entry.hash) == {forge.peers[1].player_id, forge.peers[4].player_id}


def committed_after_a_change(*acks: tuple[int, int, int]) -> int:
    """How far a ledger of term 1 is committed once term 2 has begun; ``acks``: of peer, term, place."""
    forge = Forge().dealt()
    ledger = forge.ledger
    ledger.open_term(2, forge.ids[1])
    for peer, term, seq in acks:
        ledger.acknowledge(*forge.ack(peer, seq, term=term))
    ledger.commit()
    return ledger.committed


def test_what_a_quorum_has_acknowledged_in_its_own_term_stands_though_there_is_a_later_one() -> None:
    assert committed_after_a_change((0, 1, 5), (1, 1, 6)) == 5
    assert committed_after_a_change((0, 1, 5), (0, 1, 6), (2, 1, 6)) == 6


def test_what_is_acknowledged_in_different_terms_is_not_committed_by_count() -> None:
    assert committed_after_a_change((0, 1, 5), (1, 2, 5)) == 0
    assert committed_after_a_change((0, 2, 5), (1, 2, 5)) == 0
    assert committed_after_a_change((0, 1, 5)) == 0
