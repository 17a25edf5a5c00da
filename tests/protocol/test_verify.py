"""A ledger file proves itself, and one flipped bit anywhere is found and named."""

from __future__ import annotations

from functools import cache

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rummy_p2p.protocol.codec import pack
from rummy_p2p.protocol.errors import RemoteProtocolError
from rummy_p2p.protocol.ledger import read_stream, write_stream
from rummy_p2p.protocol.messages import Signed
from rummy_p2p.protocol.records import Act, HostChange, Score, Void
from rummy_p2p.protocol.state import Stage
from rummy_p2p.protocol.verify import Report, rules_in, verify
from rummy_p2p.ruleset import KnobFunction
from tests.protocol.forge import SECRET, Forge
from tests.protocol.lan import rummy


@cache
def whole() -> bytes:
    forge = Forge(2, hands=2)
    for _ in range(2):
        forge.dealt().play()
        forge.add(0, forge.score())
    return forge.file()


def problem(data: bytes, **arguments: object) -> tuple[int, str, str | None]:
    report = verify(data, **arguments)  # type: ignore[arg-type]  # passed on
    assert not report.ok
    first = report.problems[0]
    assert first.sentence
    return first.seq, first.code, first.culprit


def test_a_whole_match_is_in_order() -> None:
    report = verify(whole())
    assert (report.ok, report.problems, report.hands) == (True, (), 2)
    assert report.records == len(list(read_stream(whole()))) - 2
    assert report.fold is not None
    assert report.fold.stage is Stage.OVER


def test_a_hand_that_is_still_played_is_in_order_as_far_as_it_goes() -> None:
    assert verify(Forge().dealt().file()) == verify(Forge().dealt().file(), rummy())
    report = verify(Forge().dealt().file())
    assert (report.ok, report.hands) == (True, 0)


@cache
def one_hand() -> bytes:
    return Forge(2).dealt().play(40).file()


@given(st.data())
def test_one_flipped_bit_anywhere_is_found(data: st.DataObject) -> None:
    good = one_hand()
    place = data.draw(st.integers(0, len(good) - 1))
    bad = bytearray(good)
    bad[place] ^= 1 << data.draw(st.integers(0, 7))
    report = verify(bytes(bad))
    assert not report.ok
    assert 0 < report.problems[0].seq <= verify(good).records + 1


@given(st.binary(max_size=300))
def test_any_bytes_are_a_report(data: bytes) -> None:
    assert not verify(data).ok
    assert rules_in(data) is None


def test_the_record_with_the_flipped_bit_is_the_one_named() -> None:
    messages = list(read_stream(whole()))
    for seq in (1, 2, 7, 20):
        bad = list(messages)
        payload = bytearray(bad[seq - 1].payload)
        payload[-1] ^= 1
        bad[seq - 1] = msgspec.structs.replace(bad[seq - 1], payload=bytes(payload))
        assert problem(write_stream(bad)) == (seq, "bad-signature", None)


@pytest.mark.parametrize("data", [b"", b"\x00\x00\x00\x00"])
def test_a_file_without_records_is_none(data: bytes) -> None:
    assert verify(data).records == 0
    assert problem(data)[1] in {"empty-ledger", "bad-frame"}


def test_a_file_must_begin_with_the_roster() -> None:
    messages = list(read_stream(whole()))
    forge = Forge()
    first = take_first(forge)
    assert problem(write_stream(messages[1:]))[:2] == (1, "bad-roster")
    assert problem(write_stream([first]))[:2] == (1, "bad-roster")


def take_first(forge: Forge) -> Signed:
    """A roster whose start is a vote."""
    roster = msgspec.structs.replace(forge.roster(), start=pack(forge.vote(0)))
    return forge.record(forge.draft(0, roster))


def test_a_record_left_out_or_put_twice_breaks_the_chain() -> None:
    messages = list(read_stream(whole()))
    assert problem(write_stream(messages[:5] + messages[6:]))[:2] == (6, "broken-chain")
    assert problem(write_stream([*messages[:6], messages[5], *messages[6:]]))[:2] == (7, "broken-chain")


def cheated(kind: str) -> tuple[bytes, int]:
    """A ledger into which the host has written what no peer would acknowledge, and the number of that record."""
    forge = Forge().dealt()
    assert forge.fold.hand is not None
    other = (forge.fold.hand.turn + 1) % 3
    if kind == "illegal-action":
        body: Act | Score | Void = Act(seat=other, move="draw", openings=())
    elif kind == "wrong-author":
        body = Act(seat=forge.fold.hand.turn, move="draw", openings=())
    else:
        forge.play()
        good, other = forge.score(), 0
        body = Score(secret=SECRET if kind == "score-differs" else b"x" * 32, totals=(*good.totals[:2], 999))
    forge.ledger.append(forge.entry(other, body))
    return forge.file(), forge.ledger.tail


@pytest.mark.parametrize("kind", ["illegal-action", "wrong-author", "score-differs", "secret-differs"])
def test_a_cheating_host_is_named_with_its_record(kind: str) -> None:
    data, seq = cheated(kind)
    at, code, culprit = problem(data)
    assert (at, code) == (seq, kind)
    assert culprit == ("Ada" if kind == "illegal-action" else None)


@pytest.mark.parametrize("voters", [3, 2, 1])
def test_another_host_has_to_prove_its_votes(voters: int) -> None:
    forge = Forge().dealt()
    votes = tuple(pack(forge.vote(peer, candidate=1, term=2)) for peer in range(voters))
    change = forge.record(forge.draft(1, HostChange(term=2, votes=votes)), by=1, term=2)
    data = write_stream([*(entry.record for entry in forge.ledger.entries), change])
    if voters == 1:
        assert problem(data) == (forge.ledger.tail + 1, "bad-votes", "Bea")
        return
    report = verify(data)
    assert (report.ok, report.records) == (True, forge.ledger.tail + 1)
    assert report.fold is not None
    assert (report.fold.host, report.fold.stage) == (forge.ids[1], Stage.BETWEEN)  # its deck is lost with the other


def test_acknowledgements_are_checked_each_by_itself() -> None:
    forge = Forge().opened()
    good = write_stream(entry.record for entry in forge.ledger.entries)
    stranger = Forge(4, keys=50)
    forged = msgspec.structs.replace(forge.ack(1, 2)[0], signature=b"s" * 64)
    bad = [
        forge.ack(1, 2, head=b"h" * 32)[0],
        forge.ack(1, 0, seq=9)[0],
        forge.ack(1, 2, match=b"m" * 32)[0],
        stranger.ack(3, 0, match=forge.match, seq=2, head=forge.ledger.head)[0],
        forged,
    ]
    report = verify(good + write_stream([*bad, forge.ack(2, 2)[0]]))
    assert [(p.seq, p.code) for p in report.problems] == [
        (2, "bad-certificate"),
        (9, "bad-certificate"),
        (2, "bad-certificate"),
        (2, "bad-certificate"),
        (2, "bad-signature"),
    ]
    assert report.problems[0].culprit == "Bea"
    assert report.problems[3].culprit == stranger.ids[3].hex()[:12]
    assert problem(write_stream([forge.ack(1, 2)[0]]))[1] == "bad-certificate"


def test_anything_else_has_no_place_in_a_file() -> None:
    forge = Forge().opened()
    assert problem(forge.file() + write_stream([forge.vote(1)])) == (3, "unknown-message", None)


def test_function_knobs_are_brought_by_the_caller() -> None:
    function = KnobFunction(name="hand_bonus", plugin="odd", version="1", source_hash="0" * 64, call=lambda _summary: 0)
    rules = rummy().with_function(function)
    data = Forge(2, rules=rules).dealt().file()
    assert verify(data, rules).ok
    assert problem(data)[:2] == (1, "unknown-rule")
    assert problem(data, rules=rummy())[:2] == (1, "unknown-rule")
    failing = msgspec.structs.replace(function, call=lambda _summary: 1 // 0)
    played = Forge(2, rules=rules).dealt().play()
    played.add(0, played.score())
    at, code, culprit = problem(played.file(), rules=rummy().with_function(failing))
    assert (code, culprit) == ("knob-failed", None)
    assert 1 < at < played.ledger.tail


def test_the_rules_can_be_read_before_anything_is_checked() -> None:
    assert rules_in(whole()) == rummy().canonical()
    forge = Forge().opened()
    second = write_stream([forge.ledger.entries[1].record])
    assert rules_in(second) is None
    assert rules_in(write_stream([forge.vote(1)])) is None


def test_a_report_reads_well() -> None:
    assert isinstance(verify(whole()), Report)
    with pytest.raises(RemoteProtocolError):
        list(read_stream(b"\x00"))
