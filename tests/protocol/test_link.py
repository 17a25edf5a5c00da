"""Two ends on a fake wire: bytes go from one to the other, and time is a number."""

from collections.abc import Callable

import msgpack
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rummy_p2p.protocol import link as module
from rummy_p2p.protocol.codec import FRAME_BEFORE_AUTH, Message, frame, pack, unpack
from rummy_p2p.protocol.errors import LocalProtocolError, ProtocolError
from rummy_p2p.protocol.identity import Identity
from rummy_p2p.protocol.link import (
    TRANSITIONS,
    VERSION,
    Auth,
    Authenticated,
    AuthOk,
    Bye,
    Closed,
    Hello,
    Input,
    Link,
    LinkConfig,
    LinkEvent,
    LinkLimits,
    Ping,
    Received,
    State,
)


class Say(Message, frozen=True):
    text: str


class Play(Message, frozen=True):
    cards: tuple[int, ...]


ADA, BEA, CEM = (Identity(name * 32) for name in (b"a", b"b", b"c"))
PIN = b"f" * 32
OTHER_PIN = b"g" * 32
LIMITS = LinkLimits()
MESSAGES = Say | Play


def config(identity: Identity, nick: str, limits: LinkLimits = LIMITS) -> LinkConfig:
    return LinkConfig(identity, nick, MESSAGES, limits)


def make_server(
    limits: LinkLimits = LIMITS, identity: Identity = ADA, pin: bytes = PIN, nonce: bytes = b"s" * 32
) -> Link:
    return Link.server(config(identity, "Ada", limits), pin, nonce, 0.0)


def make_client(
    limits: LinkLimits = LIMITS,
    identity: Identity = BEA,
    pin: bytes = PIN,
    nonce: bytes = b"c" * 32,
    table: bytes = b"table 1",
    expected: bytes | None = None,
) -> Link:
    return Link.client(config(identity, "Bea", limits), pin, nonce, 0.0, table=table, expected=expected)


class Wire:
    """A server and a client, and all that each has told its program."""

    def __init__(self, server: Link | None = None, client: Link | None = None) -> None:
        self.server = server or make_server()
        self.client = client or make_client()
        self.at_server: list[LinkEvent] = []
        self.at_client: list[LinkEvent] = []

    def run(self, now: float = 0.0) -> "Wire":
        """Carry bytes to and fro until neither has any left."""
        while True:
            to_client, to_server = self.server.data_to_send(), self.client.data_to_send()
            if not to_client and not to_server:
                return self
            self.at_client += self.client.receive(to_client, now) if to_client else []
            self.at_server += self.server.receive(to_server, now) if to_server else []


def closing(events: list[LinkEvent]) -> Closed:
    event = events[-1]
    assert isinstance(event, Closed)
    assert not any(isinstance(earlier, Closed) for earlier in events[:-1])
    return event


def sent(link: Link) -> list[msgspec.Struct]:
    """The messages in what `link` wants sent."""
    data = link.data_to_send()
    found: list[msgspec.Struct] = []
    while data:
        size = int.from_bytes(data[:4], "big")
        found.append(unpack(data[4 : 4 + size], Hello | Auth | AuthOk | Ping | Bye | Say | Play))
        data = data[4 + size :]
    return found


# ---------------------------------------------------------------- the way it should go


def test_both_ends_learn_who_is_there() -> None:
    wire = Wire().run()
    assert wire.at_client == [Authenticated(ADA.player_id, "Ada", b"table 1")]
    assert wire.at_server == [Authenticated(BEA.player_id, "Bea", b"table 1")]
    assert wire.server.state is wire.client.state is State.OPEN


@given(st.lists(st.integers(1, 40), max_size=40))
def test_it_does_not_matter_how_the_bytes_are_cut(cuts: list[int]) -> None:
    server, client = make_server(), make_client()
    hello = server.data_to_send()
    for cut in cuts:
        assert client.receive(hello[:cut], 0.0) == []
        hello = hello[cut:]
    client.receive(hello, 0.0)
    assert client.state is State.AWAIT_AUTH_OK


def test_messages_both_ways() -> None:
    wire = Wire().run()
    wire.client.send(Say("hello"))
    wire.client.send(Play((1, 2)))
    wire.server.send(Say("hi"))
    wire.run()
    assert wire.at_server[1:] == [Received(Say("hello")), Received(Play((1, 2)))]
    assert wire.at_client[1:] == [Received(Say("hi"))]


def test_after_authentication_frames_may_be_large() -> None:
    wire = Wire().run()
    wire.client.send(Play(tuple(range(1024))))
    wire.run()
    assert wire.at_server[1:] == [Received(Play(tuple(range(1024))))]


def test_the_server_may_speak_in_one_breath_with_its_answer() -> None:
    server, client = make_server(), make_client()
    client.receive(server.data_to_send(), 0.0)
    server.receive(client.data_to_send(), 0.0)
    server.send(Play(tuple(range(1024))))
    assert [type(event) for event in client.receive(server.data_to_send(), 0.0)] == [Authenticated, Received]


def test_goodbye() -> None:
    wire = Wire().run()
    ours = wire.client.close()
    wire.run()
    assert (closing(ours).code, closing(ours).by_us) == ("leaving", True)
    theirs = closing(wire.at_server)
    assert (theirs.code, theirs.by_us) == ("leaving", False)
    assert "The program was closed" in theirs.sentence
    assert wire.client.closed
    assert wire.server.closed


def test_goodbye_carries_a_code_of_the_table_with_its_parameters() -> None:
    wire = Wire().run()
    wire.server.close("rules-differ", game="rummy-no", hand=3)
    wire.run()
    closed = closing(wire.at_client)
    assert (closed.code, closed.error.parameters) == ("rules-differ", {"game": "rummy-no", "hand": 3})


def test_a_nick_with_escape_codes_is_clean_at_both_ends() -> None:
    server = Link.server(config(ADA, "\x1b[31mAda\x07" + "a" * 99), PIN, b"s" * 32, 0.0)
    wire = Wire(server).run()
    assert wire.at_client == [Authenticated(ADA.player_id, "[31mAda" + "a" * 17, b"table 1")]


def test_a_nick_of_nothing_is_replaced_by_a_word() -> None:
    wire = Wire(Link.server(config(ADA, "\x1b\u200b "), PIN, b"s" * 32, 0.0)).run()
    [event] = wire.at_client
    assert isinstance(event, Authenticated)
    assert event.nick.isalpha()


# ---------------------------------------------------------------- the state machine, every pair


def forged(key: Identity = CEM) -> dict[Input, Message]:
    """One well-formed message of each kind, with signatures that fit nothing."""
    return {
        Input.HELLO: Hello(VERSION, key.player_id, b"n" * 32, "Cem", bytes(64)),
        Input.AUTH: Auth(key.player_id, b"n" * 32, "Cem", b"", bytes(64)),
        Input.AUTH_OK: AuthOk(bytes(64)),
        Input.PING: Ping(),
        Input.BYE: Bye("leaving"),
        Input.MESSAGE: Say("hello"),
    }


def in_state(state: State) -> tuple[Link, Link]:
    """A link in this state, and the other end that knows how to go on."""
    server, client = make_server(), make_client()
    if state is State.AWAIT_HELLO:
        return client, server
    if state is State.AWAIT_AUTH:
        client.receive(server.data_to_send(), 0.0)
        return server, client
    client.receive(server.data_to_send(), 0.0)
    server.receive(client.data_to_send(), 0.0)
    if state is State.AWAIT_AUTH_OK:
        return client, server
    client.receive(server.data_to_send(), 0.0)
    if state is State.CLOSED:
        client.close()
        client.data_to_send()
    return client, server


def genuine(what: Input, other: Link) -> bytes:
    """What the other end really says, where it says it; else a well-formed message."""
    waiting = other.data_to_send()
    return waiting or frame(pack(forged()[what]))


@pytest.mark.parametrize("state", State)
@pytest.mark.parametrize("what", Input)
def test_every_state_and_input(state: State, what: Input) -> None:
    link, other = in_state(state)
    assert link.state is state
    link.data_to_send()
    follows = TRANSITIONS[state].get(what)
    expects_proof = what in {Input.HELLO, Input.AUTH, Input.AUTH_OK}
    data = genuine(what, other) if follows and expects_proof else frame(pack(forged()[what]))
    events = link.receive(data, 1.0)
    if state is State.CLOSED:
        assert (events, link.data_to_send()) == ([], b"")
    elif follows is not None:
        assert link.state is follows
    else:
        # A stranger's game messages are not even looked at.
        unread = what is Input.MESSAGE and state is not State.OPEN
        assert closing(events).code == ("unknown-message" if unread else "unexpected-message")
        assert link.state is State.CLOSED
        assert [type(message) for message in sent(link)] == [Bye]


@pytest.mark.parametrize("state", [State.AWAIT_HELLO, State.AWAIT_AUTH, State.AWAIT_AUTH_OK])
def test_a_proof_that_does_not_hold_ends_it(state: State) -> None:
    link, _ = in_state(state)
    link.data_to_send()
    [what] = TRANSITIONS[state].keys() - {Input.BYE}
    events = link.receive(frame(pack(forged()[what])), 1.0)
    assert closing(events).code == "bad-signature"
    assert sent(link) == [Bye("bad-signature")]


@pytest.mark.parametrize("state", State)
def test_the_end_of_the_channel_ends_every_state_once(state: State) -> None:
    link, _ = in_state(state)
    events = link.receive_eof()
    assert [event.code for event in events if isinstance(event, Closed)] == ([] if state is State.CLOSED else ["lost"])
    assert link.receive_eof() == link.close() == link.tick(1e9) == link.receive(b"x", 1.0) == []


@pytest.mark.parametrize("state", [state for state in State if state is not State.OPEN])
def test_nothing_is_sent_unless_open(state: State) -> None:
    link, _ = in_state(state)
    with pytest.raises(LocalProtocolError) as refused:
        link.send(Say("hello"))
    assert refused.value.code == "not-open"


def test_what_the_link_was_not_made_for_is_not_sent() -> None:
    link, _ = in_state(State.OPEN)
    with pytest.raises(LocalProtocolError) as refused:
        link.send(Ping())
    assert refused.value.code == "foreign-message"


def test_what_is_too_large_is_not_sent_and_harms_nothing() -> None:
    wire = Wire().run()
    with pytest.raises(LocalProtocolError) as refused:
        wire.client.send(Say("x" * 70_000))
    assert refused.value.code == "oversize"
    wire.client.send(Say("x"))
    assert wire.run().at_server[1:] == [Received(Say("x"))]


def test_a_link_for_one_type_of_message() -> None:
    one = LinkConfig(ADA, "Ada", Say)
    wire = Wire(Link.server(one, PIN, b"s" * 32, 0.0)).run()
    wire.server.send(Say("hello"))
    wire.client.send(Play(()))
    wire.run()
    assert wire.at_client[1] == Received(Say("hello"))
    assert closing(wire.at_server).code == "unknown-message"


# ---------------------------------------------------------------- who is who


def test_somebody_in_between_has_another_certificate() -> None:
    wire = Wire(make_server(pin=PIN), make_client(pin=OTHER_PIN)).run()
    assert closing(wire.at_client).code == "bad-signature"
    assert closing(wire.at_server).code == "bad-signature"


def replace_auth(change: Callable[[Auth], Auth]) -> list[LinkEvent]:
    """What the server says when AUTH is changed on its way."""
    server, client = make_server(), make_client()
    client.receive(server.data_to_send(), 0.0)
    [auth] = sent(client)
    assert isinstance(auth, Auth)
    return server.receive(frame(pack(change(auth))), 0.0)


@pytest.mark.parametrize(
    "change",
    [
        {"player_id": CEM.player_id},
        {"player_id": bytes(32)},
        {"nonce": bytes(32)},
        {"nick": "Dag"},
        {"table": b"table 2"},
        {"table": b""},
        {"signature": bytes(64)},
    ],
)
def test_everything_in_auth_is_signed(change: dict[str, object]) -> None:
    assert closing(replace_auth(lambda auth: msgspec.structs.replace(auth, **change))).code == "bad-signature"


@pytest.mark.parametrize("change", [{"player_id": CEM.player_id}, {"nonce": bytes(32)}, {"nick": "Dag"}])
def test_everything_in_hello_is_signed(change: dict[str, object]) -> None:
    [hello] = sent(make_server())
    client = make_client()
    events = client.receive(frame(pack(msgspec.structs.replace(hello, **change))), 0.0)
    assert closing(events).code == "bad-signature"


def test_an_old_greeting_cannot_be_played_again() -> None:
    server, client = make_server(), make_client()
    hello = server.data_to_send()
    client.receive(hello, 0.0)
    auth = client.data_to_send()
    server.receive(auth, 0.0)
    answer = server.data_to_send()
    again = make_client(nonce=b"d" * 32)
    again.receive(hello, 0.0)
    assert closing(again.receive(answer, 0.0)).code == "bad-signature"
    fresh = make_server(nonce=b"t" * 32)
    assert closing(fresh.receive(auth, 0.0)).code == "bad-signature"


def test_the_clients_proof_is_not_the_servers() -> None:
    server, client = make_server(), make_client()
    client.receive(server.data_to_send(), 0.0)
    [auth] = sent(client)
    assert isinstance(auth, Auth)
    assert closing(client.receive(frame(pack(AuthOk(auth.signature))), 0.0)).code == "bad-signature"


def test_another_player_than_before() -> None:
    closed = closing(Wire(client=make_client(expected=CEM.player_id)).run().at_client)
    assert closed.code == "wrong-identity"
    assert set(closed.error.parameters) == {"found", "expected"}


def test_the_expected_player() -> None:
    assert Wire(client=make_client(expected=ADA.player_id)).run().client.state is State.OPEN


def test_ones_own_address() -> None:
    wire = Wire(client=make_client(identity=ADA)).run()
    assert closing(wire.at_client).code == "own-address"
    assert closing(wire.at_server).code == "own-address"


@pytest.mark.parametrize("version", [0, 2, 10**6])
def test_another_version_is_named_at_both_ends(version: int) -> None:
    server, client = make_server(), make_client()
    server.data_to_send()
    newer = {"type": "hello", "version": version, "colour": "blue", "player_id": 7}
    events = client.receive(frame(msgpack.packb(newer)), 0.0)
    events_there = server.receive(client.data_to_send(), 0.0)
    expected = {"older": min(version, VERSION), "newer": max(version, VERSION)}
    for closed in (closing(events), closing(events_there)):
        assert (closed.code, closed.error.parameters) == ("version-mismatch", expected)
        assert all(str(number) in closed.sentence for number in expected.values())


def test_this_version_with_other_fields_is_a_breach() -> None:
    hello = {"type": "hello", "version": VERSION, "colour": "blue"}
    assert closing(make_client().receive(frame(msgpack.packb(hello)), 0.0)).code == "bad-field"


# ---------------------------------------------------------------- limits


def test_no_greeting() -> None:
    client = make_client()
    assert client.timer() == LIMITS.handshake
    assert client.tick(2.9) == []
    closed = closing(client.tick(3.0))
    assert (closed.code, closed.error.parameters, closed.by_us) == ("handshake-timeout", {"seconds": "3"}, True)


@pytest.mark.parametrize("state", [State.AWAIT_AUTH, State.AWAIT_AUTH_OK])
def test_a_greeting_that_stops_half_way(state: State) -> None:
    link, _ = in_state(state)
    link.receive(b"\0\0", 4.0)  # bytes that complete nothing buy no time
    assert link.timer() == LIMITS.authentication
    assert link.tick(4.9) == []
    assert closing(link.tick(5.0)).code == "auth-timeout"


def test_a_silent_peer_is_noticed() -> None:
    wire = Wire().run(now=1.0)
    assert wire.client.timer() == 5.0
    assert wire.client.tick(20.9) == []
    closed = closing(wire.client.tick(21.0))
    assert (closed.code, closed.error.parameters) == ("idle", {"seconds": "20"})


def test_pings_keep_a_quiet_link_alive() -> None:
    wire = Wire().run()
    for now in range(1, 200):
        assert wire.client.tick(float(now)) == wire.server.tick(float(now)) == []
        wire.run(float(now))
    assert wire.client.state is wire.server.state is State.OPEN
    assert len(wire.at_client) == len(wire.at_server) == 1


def test_a_ping_is_sent_when_it_is_due_and_not_before() -> None:
    wire = Wire().run()
    wire.client.tick(4.9)
    assert sent(wire.client) == []
    wire.client.tick(5.0)
    assert sent(wire.client) == [Ping()]
    assert wire.client.timer() == 10.0


def test_a_closed_link_waits_for_nothing() -> None:
    link, _ = in_state(State.CLOSED)
    assert link.timer() == float("inf")


def test_too_many_messages_at_once() -> None:
    wire = Wire(make_server(LinkLimits(rate=10, burst=5))).run()
    for number in range(6):
        wire.client.send(Play((number,)))
    wire.run()
    assert [type(event) for event in wire.at_server] == [Authenticated, *[Received] * 4, Closed]
    closed = closing(wire.at_server)
    assert (closed.code, closed.error.parameters) == ("too-fast", {"rate": 10, "burst": 5})
    assert closing(wire.at_client).code == "too-fast"


def test_the_bucket_fills_again_but_not_over() -> None:
    wire = Wire(make_server(LinkLimits(rate=10, burst=5))).run()
    for second in range(1, 30):
        for _ in range(5):
            wire.client.send(Say("x"))
        wire.run(now=float(second))
    assert wire.server.state is State.OPEN
    for _ in range(6):
        wire.client.send(Say("x"))
    assert closing(wire.run(now=100.0).at_server).code == "too-fast"


def test_those_at_the_table_may_say_more() -> None:
    wire = Wire().run()
    wire.server.allow(rate=1000, burst=1000)
    for _ in range(200):
        wire.client.send(Say("x"))
    wire.run()
    assert wire.server.state is State.OPEN
    assert len(wire.at_server) == 201


def test_a_stranger_has_less_room() -> None:
    server = make_server()
    closed = closing(server.receive((FRAME_BEFORE_AUTH + 1).to_bytes(4, "big"), 0.0))
    assert closed.code == "oversize"


def test_the_first_breach_is_the_last_thing_read() -> None:
    wire = Wire().run()
    data = frame(pack(Say("one"))) + bytes(4) + frame(pack(Say("two")))
    events = wire.server.receive(data, 0.0)
    assert events[0] == Received(Say("one"))
    assert closing(events).code == "bad-frame"
    assert len(events) == 2


def test_nothing_is_read_after_goodbye() -> None:
    wire = Wire().run()
    events = wire.server.receive(frame(pack(Bye("leaving"))) + frame(pack(Say("one"))), 0.0)
    assert [type(event) for event in events] == [Closed]


@pytest.mark.parametrize("code", ["Leaving", "", "a b", "\x1b[2J", "x" * 41, "leaving\n!"])
def test_a_reason_that_is_no_code_is_a_breach(code: str) -> None:
    link, _ = in_state(State.OPEN)
    bye = msgpack.packb({"type": "bye", "code": code, "parameters": {}})
    assert closing(link.receive(frame(bye), 0.0)).code == "bad-field"


def test_deep_msgpack_is_a_breach() -> None:
    link, _ = in_state(State.AWAIT_AUTH)
    bomb = b"\x81\xa1a" + b"\x91" * 400 + b"\xc0"
    assert closing(link.receive(frame(bomb), 0.0)).code == "too-deep"


@pytest.mark.parametrize("state", State)
@given(chunks=st.lists(st.binary(max_size=100) | st.binary(max_size=100).map(frame), max_size=8))
def test_any_bytes_in_any_state(state: State, chunks: list[bytes]) -> None:
    link, _ = in_state(state)
    events: list[LinkEvent] = []
    for chunk in chunks:
        events += link.receive(chunk, 1.0)
    events += link.receive_eof()
    expected = 0 if state is State.CLOSED else 1
    assert [type(event) for event in events].count(Closed) == expected
    assert all(event.sentence.isprintable() for event in events if isinstance(event, Closed))
    assert all(isinstance(event.error, ProtocolError) for event in events if isinstance(event, Closed))


@given(st.sampled_from(list(Input)), st.integers(0), st.binary(min_size=1, max_size=4))
def test_any_damage_to_a_greeting(what: Input, place: int, damage: bytes) -> None:
    for state in (State.AWAIT_HELLO, State.AWAIT_AUTH, State.AWAIT_AUTH_OK):
        link, other = in_state(state)
        data = bytearray(genuine(what, other))
        start = place % len(data)
        data[start : start + len(damage)] = damage
        events = link.receive(bytes(data), 1.0)
        assert all(isinstance(event, Closed | Authenticated) for event in events)


SAMPLES = {
    Hello: (
        Hello(1, b"a" * 32, b"n" * 32, "Ada", b"s" * 64),
        b"\x86\xa4type\xa5hello\xa7version\x01\xa9player_id\xc4\x20"
        + b"a" * 32
        + b"\xa5nonce\xc4\x20"
        + b"n" * 32
        + b"\xa4nick\xa3Ada\xa9signature\xc4\x40"
        + b"s" * 64,
    ),
    Auth: (
        Auth(b"b" * 32, b"n" * 32, "Bea", b"t", b"s" * 64),
        b"\x86\xa4type\xa4auth\xa9player_id\xc4\x20"
        + b"b" * 32
        + b"\xa5nonce\xc4\x20"
        + b"n" * 32
        + b"\xa4nick\xa3Bea\xa5table\xc4\x01t\xa9signature\xc4\x40"
        + b"s" * 64,
    ),
    AuthOk: (AuthOk(b"s" * 64), b"\x82\xa4type\xa7auth-ok\xa9signature\xc4\x40" + b"s" * 64),
    Ping: (Ping(), b"\x81\xa4type\xa4ping"),
    Bye: (
        Bye("version-mismatch", {"older": 1, "newer": 2}),
        b"\x83\xa4type\xa3bye\xa4code\xb0version-mismatch\xaaparameters\x82\xa5older\x01\xa5newer\x02",
    ),
}


@pytest.mark.parametrize("kind", module._INPUTS)
def test_the_bytes_of_every_message(kind: type[Message]) -> None:
    message, data = SAMPLES[kind]
    assert pack(message) == data
    assert unpack(data, kind) == message


def test_the_table_names_every_state_and_every_message() -> None:
    assert set(TRANSITIONS) == set(State)
    assert set(module._INPUTS.values()) | {Input.MESSAGE} == set(Input)
