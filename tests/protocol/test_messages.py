"""Every message has a sample on disk, comes back as it was packed, and is signed as it was packed.

``RUMMY_GOLDEN=write`` writes the samples anew; review the difference as code.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rummy_p2p.deal import DeckLaid, EntropyCommit, EntropyOpen, Opening
from rummy_p2p.deal.blind_messages import (
    OPENING_SIZE,
    CardFault,
    DeckOk,
    Draw,
    HandOver,
    HandOverFault,
    HandOverShown,
    SharePart,
    Shares,
    ShuffleDeck,
    ShuffleFault,
)
from rummy_p2p.deal.keys import BOX_SIZE, KeyAnswer, KeyCommit, KeyComplaint, KeyOk, KeyOpen, KeyShares
from rummy_p2p.deal.shuffle import proof_size
from rummy_p2p.protocol.codec import pack, unpack
from rummy_p2p.protocol.errors import RemoteProtocolError
from rummy_p2p.protocol.fields import MAX_PAYLOAD
from rummy_p2p.protocol.identity import Identity
from rummy_p2p.protocol.invitation import Invitation, InvitationDeclined
from rummy_p2p.protocol.messages import (
    Accuse,
    Ack,
    Admitted,
    Aside,
    Ask,
    Ballot,
    Boxed,
    Claim,
    Dealt,
    Declined,
    Draft,
    Join,
    Leave,
    Ordered,
    Payload,
    PeerEntry,
    PluginMark,
    Presence,
    Ready,
    Records,
    Refused,
    Say,
    SeatEntry,
    Seating,
    Signed,
    Start,
    TableInfo,
    Vote,
    Watch,
    is_genuine,
    match_id,
    read,
    read_packed,
    read_table,
    sign,
    table_id,
)
from rummy_p2p.protocol.records import (
    Act,
    Audit,
    Away,
    Back,
    Body,
    Departure,
    Flip,
    HandOpen,
    HostChange,
    Roster,
    Score,
    TimeOut,
    Void,
)

SAMPLES = Path(__file__).parent / "samples"
ADA = Identity(b"ada" * 10 + b"..")
BEA = Identity(b"bea" * 10 + b"..")
T, M, R, H, N = (letter * 32 for letter in (b"t", b"m", b"r", b"h", b"n"))
OPENING = Opening(slot=3, card=19, proof=b"s" * 32)
DRAW = Draw(slots=(3, 4), points=N * 2, proofs=R * 4)
HAND_OVER = HandOver(slot=3, to=BEA.player_id, box=b"b" * BOX_SIZE, share=N, proof=R * 2)
SEAT = SeatEntry(owner=ADA.player_id, nick="Ada", number=0, bot=False)
PEER = PeerEntry(peer=ADA.player_id, wish="if-needed", ready=True)


def draft(body: Body) -> Draft:
    return Draft(match=M, hand=1, epoch=0, number=7, head=H, body=body)


PAYLOADS: list[Payload] = [
    TableInfo(
        table=T, nonce=N, version=1, title="Ada's table", rules=b"{}", fingerprint=H,
        plugins=(PluginMark(name="rummy-no", version="1"),), seats=4, deal="host", trust="quorum", hands=0,
    ),
    Join(table=T, run=R, number=1, version=1, fingerprint=H, nick="Bea", bots=1, auto=False, wish="never"),
    Refused(table=T, to=BEA.player_id, run=R, code="table-full", differs=("match.target",)),
    Seating(table=T, revision=2, seats=(SEAT,), peers=(PEER,)),
    Ready(table=T, run=R, number=2, ready=True),
    Start(
        table=T, number=1, nonce=N, fingerprint=H, deal="blind", trust="all", hands=3, seats=(SEAT,), peers=(PEER,),
    ),
    Vote(match=M, term=1, candidate=ADA.player_id),
    Leave(table=T, run=R),
    Say(table=T, number=1, text="Good evening"),
    Presence(
        table=T,
        run=R,
        number=9,
        links=(BEA.player_id,),
        match=M,
        seq=12,
        last_term=1,
        committed=0,
        follows=2,
        rests=True,
    ),
    Ballot(table=T, run=R, number=3, measure="mute", about=BEA.player_id, agree=True),
    draft(Act(seat=1, move="discard 7h", openings=(OPENING,))),
    Ordered(match=M, term=1, seq=5, prev=H, draft_digest=H, draft=b"draft"),
    Declined(match=M, author=BEA.player_id, number=7, code="draw-first", knob="draw", parameters={"turn": 1}),
    Ack(match=M, term=1, seq=5, head=H),
    Boxed(match=M, hand=1, epoch=0, to=BEA.player_id, box=b"box"),
    Accuse(match=M, code="two-bodies", evidence=(b"one", b"other")),
    Ask(match=M, to=BEA.player_id, number=1, seq=4, boxes=True),
    Records(match=M, to=BEA.player_id, number=1, records=(b"record",)),
    Watch(table=T, run=R, number=1, version=1, nick="Gus"),
    Admitted(table=T, to=BEA.player_id, run=R, number=1),
    Aside(table=T, number=1, nick="Gus", said=b"said"),
    Claim(match=M, seq=12, head=H, waited=61),
]  # fmt: skip
BODIES: list[Body] = [
    Roster(start=b"start", rules=b"{}"),
    HostChange(term=1, votes=(b"vote",)),
    HandOpen(hand=1, epoch=0, promise=H, without=(BEA.player_id,)),
    EntropyCommit(commitment=H),
    EntropyOpen(entropy=R),
    DeckLaid(commitments=H * 2),
    Flip(openings=(OPENING,)),
    KeyCommit(commitment=H),
    KeyOpen(vector=N * 2, proof=R * 2),
    KeyShares(boxes=(b"b" * BOX_SIZE,)),
    KeyComplaint(against=(BEA.player_id,)),
    KeyAnswer(to=BEA.player_id, share=R),
    KeyOk(digest=H),
    ShuffleDeck(epoch=0, after=H, deck=N * 4, proof=b"p" * proof_size(2)),
    ShuffleFault(epoch=0, turn=1),
    DeckOk(commitment=H),
    DRAW,
    Shares(parts=(SharePart(request=H, points=N * 2, proof=R * 2),)),
    HandOverFault(slot=3),
    HandOverShown(slot=3, factor=R),
    CardFault(slots=(3,), proofs=(b"p" * OPENING_SIZE,)),
    Act(seat=0, move="draw", openings=(), draw=DRAW),
    Act(seat=1, move="give", openings=(), draw=DRAW, hand_over=HAND_OVER),
    Act(seat=0, move="meld 7h 8h 9h | JK=Qd Kd Ad", openings=(OPENING,)),
    TimeOut(seat=2),
    Departure(),
    Away(peer=BEA.player_id),
    Back(),
    Audit(commitment=H),
    Score(secret=R, totals=(0, -12, 45)),
    Void(code="knob-failed", evidence=(b"draft",)),
]
OTHERS: list[msgspec.Struct] = [
    Invitation(offer=b"offer", port=28660, pin=H, host="10.0.0.1", admitted=True),
    InvitationDeclined(table=T),
    Signed(author=ADA.player_id, payload=b"payload", signature=b"s" * 64),
    Dealt(match=M, hand=1, epoch=0, seat=1, openings=(OPENING,)),
]


def tag(message: msgspec.Struct) -> str:
    return str(type(message).__struct_config__.tag)


def _kind(body: Body) -> str:
    """What tells one sample of a kind from another: an Act with something for the deck in it."""
    if not isinstance(body, Act):
        return ""
    return "-hand-over" if body.hand_over else "-draw" if body.draw else ""


def samples() -> dict[str, msgspec.Struct]:
    bodies = {f"body-{tag(body)}{_kind(body)}": draft(body) for body in BODIES}
    return {tag(message): message for message in (*PAYLOADS, *OTHERS)} | bodies


def test_every_message_has_a_sample_here() -> None:
    assert {type(payload) for payload in PAYLOADS} == set(get_args(Payload))
    assert {type(body) for body in BODIES} == set(get_args(Body))


@pytest.mark.parametrize("name", sorted(samples()))
def test_a_sample_on_disk_is_what_is_packed_today(name: str) -> None:
    file = SAMPLES / f"{name}.hex"
    packed = pack(samples()[name])
    text = "\n".join(packed.hex()[at : at + 100] for at in range(0, 2 * len(packed), 100)) + "\n"
    if os.environ.get("RUMMY_GOLDEN") == "write":
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="ascii")
    assert file.read_text("ascii") == text
    message = samples()[name]
    assert unpack(packed, type(message)) == message


def test_no_sample_is_left_over() -> None:
    assert {path.stem for path in SAMPLES.glob("*.hex")} == set(samples())


@pytest.mark.parametrize("payload", PAYLOADS, ids=tag)
def test_a_signed_payload_comes_back_and_a_changed_one_is_not_genuine(payload: Payload) -> None:
    message = sign(ADA, payload)
    assert read(message) == payload
    assert is_genuine(message)
    assert read_packed(pack(message)) == message
    for changed in (
        msgspec.structs.replace(message, payload=message.payload + b"\x00"),
        msgspec.structs.replace(message, author=BEA.player_id),
        msgspec.structs.replace(message, signature=b"s" * 64),
    ):
        assert not is_genuine(changed)
        with pytest.raises(RemoteProtocolError) as caught:
            read_packed(pack(changed))
        assert caught.value.code == "bad-signature"


@given(st.binary(max_size=200))
def test_any_bytes_are_a_payload_or_a_breach(data: bytes) -> None:
    message = Signed(author=ADA.player_id, payload=data, signature=b"s" * 64)
    with pytest.raises(RemoteProtocolError):
        read(message)
    with pytest.raises(RemoteProtocolError):
        read_packed(data)
    assert read_table(message) is None


def test_the_digest_is_of_author_and_payload() -> None:
    one, other = sign(ADA, PAYLOADS[8]), sign(BEA, PAYLOADS[8])
    assert one.digest != other.digest
    assert one.digest == msgspec.structs.replace(one, signature=b"s" * 64).digest


def test_what_was_found_out_of_a_message_is_not_believed_of_a_changed_one() -> None:
    message = sign(ADA, Leave(table=b"t" * 32, run=b"r" * 32))
    assert is_genuine(message)
    assert read(message) is read(message)
    for changes in ({"payload": pack(Leave(table=b"u" * 32, run=b"r" * 32))}, {"author": b"a" * 32}):
        assert not is_genuine(msgspec.structs.replace(message, **changes))
    assert read(msgspec.structs.replace(message, payload=pack(Leave(table=b"u" * 32, run=b"r" * 32)))) != read(message)


def test_a_message_that_came_before_is_taken_for_the_one_that_is_carried() -> None:
    message = sign(ADA, Leave(table=b"t" * 32, run=b"r" * 32))
    assert read_packed(pack(message), lambda _: message) is message
    forged = msgspec.structs.replace(message, signature=b"s" * 64)
    with pytest.raises(RemoteProtocolError, match="signature"):
        read_packed(pack(forged), lambda carried: carried)


def test_a_table_id_belongs_to_its_creator() -> None:
    info = PAYLOADS[0]
    assert isinstance(info, TableInfo)
    genuine = msgspec.structs.replace(info, table=table_id(ADA.player_id, N))
    assert read_table(sign(ADA, genuine)) == genuine
    assert read_table(sign(BEA, genuine)) is None
    assert read_table(sign(ADA, info)) is None
    assert read_table(sign(ADA, PAYLOADS[1])) is None
    assert read_table(msgspec.structs.replace(sign(ADA, genuine), signature=b"s" * 64)) is None


def test_a_match_id_is_of_the_start_and_who_signed_it() -> None:
    start = PAYLOADS[5]
    assert isinstance(start, Start)
    ids = {match_id(sign(peer, msgspec.structs.replace(start, number=n))) for peer in (ADA, BEA) for n in (1, 2)}
    assert len(ids) == 4


def test_what_is_too_long_is_refused() -> None:
    for payload in (
        Boxed(match=M, hand=1, epoch=0, to=T, box=b"b" * (MAX_PAYLOAD + 1)),
        Accuse(match=M, code="two-bodies", evidence=(b"x",) * 5),
        Ack(match=M[:31], term=1, seq=1, head=H),
        Ack(match=M, term=0, seq=1, head=H),
        Say(table=T, number=1, text="x" * 241),
        Say(table=T, number=1, text=""),
        Accuse(match=M, code="No Code", evidence=(b"x",)),
    ):
        with pytest.raises(RemoteProtocolError):
            read(sign(ADA, payload))
