import msgpack
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rummy_p2p.protocol.codec import (
    FRAME_AFTER_AUTH,
    FRAME_BEFORE_AUTH,
    MAX_DEPTH,
    Bytes32,
    Chat,
    FrameBuffer,
    Message,
    Nick,
    Part,
    frame,
    pack,
    unpack,
)
from rummy_p2p.protocol.errors import LocalProtocolError, RemoteProtocolError


class Seat(Part, frozen=True):
    nick: Nick
    number: int


class SitDown(Message, frozen=True):
    seat: Seat
    key: Bytes32
    note: str | None = None


class Say(Message, frozen=True):
    text: Chat


class Pile(Message, frozen=True):
    cards: tuple[int, ...] = ()
    flags: dict[str, bool] = msgspec.field(default_factory=dict)


Any = SitDown | Say | Pile
MESSAGES = st.one_of(
    st.builds(
        SitDown,
        st.builds(
            Seat, st.text("abcåäö ", min_size=1, max_size=24).filter(lambda t: t == t.strip()), st.integers(0, 2**63)
        ),
        st.binary(min_size=32, max_size=32),
        st.none() | st.text("xyz", max_size=50),
    ),
    st.builds(Say, st.text("abc!", min_size=1, max_size=240)),
    st.builds(
        Pile, st.lists(st.integers(0, 1023)).map(tuple), st.dictionaries(st.text("ab", max_size=3), st.booleans())
    ),
)


def refused(data: bytes) -> RemoteProtocolError:
    with pytest.raises(RemoteProtocolError) as caught:
        unpack(data, Any)
    return caught.value


def code_of(tree: object) -> str:
    return refused(msgpack.packb(tree)).code


# ---------------------------------------------------------------- messages


@given(MESSAGES)
def test_round_trip(message: SitDown | Say | Pile) -> None:
    assert unpack(pack(message), Any) == message


def test_a_message_is_one_map_named_by_its_class() -> None:
    assert msgpack.unpackb(pack(SitDown(Seat("Ada", 1), bytes(32)))) == {
        "type": "sit-down",
        "seat": {"nick": "Ada", "number": 1},
        "key": bytes(32),
        "note": None,
    }


def test_one_type_alone() -> None:
    assert unpack(pack(Say("hello")), Say) == Say("hello")
    with pytest.raises(RemoteProtocolError):
        unpack(pack(Pile()), Say)


def test_text_is_clean_once_it_is_decoded() -> None:
    say = unpack(msgpack.packb({"type": "say", "text": "hi\x1b[2J \u202e\nthere\x07"}), Say)
    assert say == Say("hi[2J  there")


def test_a_nick_with_escape_codes_is_harmless_wherever_it_stands() -> None:
    tree = {"type": "sit-down", "seat": {"nick": "\x1b]0;x\x07Ada", "number": 1}, "key": bytes(32)}
    assert unpack(msgpack.packb(tree), SitDown).seat.nick == "]0;xAda"


@pytest.mark.parametrize("tag", ["stand-up", "", 3, None, ["say"], {"say": 1}])
def test_unknown_message(tag: object) -> None:
    assert code_of({"type": tag, "text": "x"}) == "unknown-message"


def test_no_name_at_all() -> None:
    assert code_of({"text": "x"}) == "unknown-message"


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"text": 3},
        {"text": b"x"},
        {"text": ""},
        {"text": "\x1b\x00"},
        {"text": "x" * 241},
        {"text": "x", "more": 1},
        {"text": 1.0},
        {"text": "x", "\x1b": 1},
        {"text": "x", "é": 1},
    ],
)
def test_bad_field(fields: dict[str, object]) -> None:
    assert code_of({"type": "say", **fields}) == "bad-field"


def test_text_is_never_taken_for_bytes() -> None:
    tree = {"type": "sit-down", "seat": {"nick": "Ada", "number": 1}, "key": "A" * 43 + "="}
    assert code_of(tree) == "bad-field"


def test_a_number_is_no_switch_and_the_other_way_round() -> None:
    assert code_of({"type": "pile", "flags": {"x": 1}}) == "bad-field"
    assert code_of({"type": "pile", "cards": [True]}) == "bad-field"


def test_floats_are_refused_however_deep() -> None:
    assert code_of({"type": "pile", "cards": [1, [2.0]]}) == "bad-field"


def test_what_a_peer_wrote_is_quoted_short() -> None:
    error = refused(msgpack.packb({"type": "say", "text": "x", "y" * 900: 1}))
    assert len(str(error.parameters["detail"])) <= 80


# ---------------------------------------------------------------- limits


def nested(levels: int) -> object:
    """A value of so many levels."""
    value: object = []
    for _ in range(levels - 1):
        value = [value]
    return value


def test_depth() -> None:
    assert code_of({"type": "pile", "cards": nested(MAX_DEPTH - 1)}) == "bad-field"
    assert code_of({"type": "pile", "cards": nested(MAX_DEPTH)}) == "too-deep"


@pytest.mark.parametrize("levels", [100, 500, 2000, 60_000])
@pytest.mark.parametrize("opening", [b"\x91", b"\x81\xa1a"])
def test_depth_bombs(levels: int, opening: bytes) -> None:
    assert refused(b"\x81\xa1a" + opening * levels + b"\xc0").code in {"too-deep", "not-msgpack"}


@pytest.mark.parametrize(
    "value",
    [
        "x" * 1025,
        bytes(32769),
        [0] * 1025,
        {str(n): n for n in range(33)},
        msgpack.ExtType(5, b"x"),
        msgpack.Timestamp(1),
    ],
)
def test_sizes(value: object) -> None:
    assert code_of({"type": "pile", "cards": value}) == "not-msgpack"


def test_sizes_that_are_allowed() -> None:
    assert len(unpack(pack(Pile(tuple(range(1024)))), Pile).cards) == 1024


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xc1",
        b"\xc0",
        b"\x01",
        b"\x90",
        msgpack.packb("say"),
        pack(Say("x"))[:-1],
        pack(Say("x")) + b"\xc0",
        b"\x81\x01\x02",  # a number for a key
        b"\x81\xa4type\xa2\xff\xfe",  # no UTF-8
        b"\x81\xa4type\xa3\xed\xa0\x80",  # a lone surrogate
        b"\xdf\xff\xff\xff\xff",  # four billion entries announced
    ],
)
def test_not_a_message(data: bytes) -> None:
    assert refused(data).code == "not-msgpack"


def test_a_key_of_bytes_is_no_name() -> None:
    assert code_of({"type": "say", b"text": "x"}) == "bad-field"


def outcome(data: bytes) -> str:
    """The name of the message's class, or the code of the breach."""
    try:
        return type(unpack(data, Any)).__name__
    except RemoteProtocolError as error:
        return error.code if str(error).isprintable() else "a sentence with control characters"


OUTCOMES = {"SitDown", "Say", "Pile", "not-msgpack", "too-deep", "unknown-message", "bad-field"}


@given(st.binary(max_size=300))
def test_any_bytes_are_a_message_or_a_breach(data: bytes) -> None:
    assert outcome(data) in OUTCOMES


LEAVES = st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats() | st.text() | st.binary()
TREES = st.recursive(
    LEAVES, lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.just("text"), inner), max_leaves=20
)


@given(
    st.sampled_from(["say", "pile", "sit-down"]),
    st.dictionaries(st.sampled_from(["text", "cards", "seat", "key"]), TREES),
)
def test_any_tree_is_a_message_or_a_breach(tag: str, fields: dict[str, object]) -> None:
    assert outcome(msgpack.packb({"type": tag, **fields})) in OUTCOMES


@given(MESSAGES, st.integers(0), st.binary(min_size=1, max_size=3))
def test_a_damaged_message_is_a_message_or_a_breach(message: SitDown | Say | Pile, place: int, damage: bytes) -> None:
    data = bytearray(pack(message))
    start = place % len(data)
    data[start : start + len(damage)] = damage
    assert outcome(bytes(data)) in OUTCOMES


# ---------------------------------------------------------------- frames


@given(st.lists(st.binary(min_size=1, max_size=50), max_size=10), st.integers(1, 20))
def test_frames_come_out_however_they_are_cut(payloads: list[bytes], step: int) -> None:
    stream = b"".join(map(frame, payloads))
    buffer = FrameBuffer()
    out: list[bytes] = []
    for start in range(0, len(stream), step):
        buffer.feed(stream[start : start + step])
        out += buffer.frames()
    assert out == payloads
    assert len(buffer) == 0


def test_an_empty_frame_is_a_breach() -> None:
    buffer = FrameBuffer()
    buffer.feed(bytes(4))
    with pytest.raises(RemoteProtocolError) as caught:
        list(buffer.frames())
    assert caught.value.code == "bad-frame"


@pytest.mark.parametrize("limit", [FRAME_BEFORE_AUTH, FRAME_AFTER_AUTH])
def test_the_limit_is_judged_by_the_length_alone(limit: int) -> None:
    buffer = FrameBuffer(limit)
    buffer.feed(limit.to_bytes(4, "big"))
    assert list(buffer.frames()) == []
    buffer = FrameBuffer(limit)
    buffer.feed((limit + 1).to_bytes(4, "big"))
    with pytest.raises(RemoteProtocolError) as caught:
        list(buffer.frames())
    assert (caught.value.code, caught.value.parameters) == ("oversize", {"size": limit + 1, "limit": limit})


def test_the_limit_may_change_between_two_frames() -> None:
    buffer = FrameBuffer(10)
    buffer.feed(frame(b"small") + frame(b"x" * 1000))
    frames = buffer.frames()
    assert next(frames) == b"small"
    buffer.limit = 1000
    assert next(frames) == b"x" * 1000


def test_what_comes_before_a_breach_is_taken() -> None:
    buffer = FrameBuffer()
    buffer.feed(frame(b"fine") + bytes(4))
    frames = buffer.frames()
    assert next(frames) == b"fine"
    with pytest.raises(RemoteProtocolError):
        next(frames)


def test_we_do_not_send_what_would_be_refused() -> None:
    assert len(frame(bytes(FRAME_AFTER_AUTH))) == FRAME_AFTER_AUTH + 4
    with pytest.raises(LocalProtocolError) as caught:
        frame(bytes(FRAME_AFTER_AUTH + 1))
    assert caught.value.code == "oversize"
