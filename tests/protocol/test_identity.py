import pytest
from hypothesis import given
from hypothesis import strategies as st

from rummy_p2p.protocol.errors import RemoteProtocolError
from rummy_p2p.protocol.identity import Identity, seal, verify

ADA = Identity(b"a" * 32)
BEA = Identity(b"b" * 32)
NO_POINT = b"\x02" + bytes(31)


@given(st.binary(), st.binary(min_size=1, max_size=255))
def test_what_is_signed_verifies(data: bytes, label: bytes) -> None:
    assert verify(ADA.player_id, label, data, ADA.sign(label, data))


def test_the_same_seed_is_the_same_player() -> None:
    again = Identity(b"a" * 32)
    assert again.player_id == ADA.player_id != BEA.player_id
    assert again.sign(b"x", b"y") == ADA.sign(b"x", b"y")


@pytest.mark.parametrize(
    ("player_id", "label", "data"),
    [
        (BEA.player_id, b"vote", b"data"),
        (ADA.player_id, b"record", b"data"),
        (ADA.player_id, b"vote", b"Data"),
        (ADA.player_id, b"voted", b"ata"),
        (ADA.player_id[:31], b"vote", b"data"),
        (b"", b"vote", b"data"),
        (bytes(32), b"vote", b"data"),
        (NO_POINT, b"vote", b"data"),
    ],
)
def test_anything_else_does_not(player_id: bytes, label: bytes, data: bytes) -> None:
    assert not verify(player_id, label, data, ADA.sign(b"vote", b"data"))


@pytest.mark.parametrize("signature", [b"", bytes(63), bytes(64), b"\xff" * 64, bytes(65)])
def test_malformed_signatures_do_not_verify(signature: bytes) -> None:
    assert not verify(ADA.player_id, b"vote", b"data", signature)


@given(st.binary(min_size=32, max_size=32), st.binary(min_size=64, max_size=64))
def test_any_id_and_signature_are_an_answer(player_id: bytes, signature: bytes) -> None:
    assert not verify(player_id, b"vote", b"data", signature)


@pytest.mark.parametrize("label", [b"", b"x" * 256])
def test_a_label_is_needed(label: bytes) -> None:
    with pytest.raises(ValueError, match="1 to 255 bytes"):
        ADA.sign(label, b"data")


def test_a_sealed_box_is_for_one_player() -> None:
    box = seal(BEA.player_id, b"7h")
    assert BEA.unseal(box) == b"7h"
    assert seal(BEA.player_id, b"7h") != box
    with pytest.raises(RemoteProtocolError) as refused:
        ADA.unseal(box)
    assert refused.value.code == "bad-box"


@given(st.binary(max_size=200))
def test_any_bytes_are_no_box(box: bytes) -> None:
    with pytest.raises(RemoteProtocolError) as refused:
        ADA.unseal(box)
    assert refused.value.code == "bad-box"


@pytest.mark.parametrize("player_id", [b"", bytes(31), bytes(32), NO_POINT, b"\xff" * 32])
def test_a_box_for_nobody_is_refused(player_id: bytes) -> None:
    with pytest.raises(RemoteProtocolError) as refused:
        seal(player_id, b"7h")
    assert refused.value.code == "bad-identity"


def test_the_secret_stays_out_of_repr() -> None:
    shown = repr(ADA)
    assert shown == "<Identity bridge motor acorn>"
    assert "a" * 32 not in shown
    assert (b"a" * 32).hex() not in shown
