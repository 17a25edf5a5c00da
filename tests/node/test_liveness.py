"""Who is knocked at next, who counts as there, and the knock itself."""

import asyncio
import socket

from rummy_p2p.node.liveness import KNOCK_TIMEOUT, Liveness, probe


def test_a_new_peer_is_due_at_once_and_one_at_a_time() -> None:
    liveness = Liveness()
    assert liveness.due(0) is None
    assert liveness.wait(0) is None
    liveness.heard("a", 1)
    liveness.heard("b", 2)
    assert liveness.wait(0) == 1
    assert [liveness.due(5), liveness.due(5), liveness.due(5)] == ["a", "b", None]
    assert liveness.wait(5) is None


def test_two_failures_and_it_is_gone_until_it_answers() -> None:
    liveness = Liveness()
    liveness.heard("a", 0)
    assert liveness.due(0) == "a"
    assert liveness.answer("a", 0, there=True)
    assert liveness.is_live("a")
    assert liveness.due(4.9) is None
    assert liveness.due(5) == "a"
    assert not liveness.answer("a", 5, there=False)
    assert liveness.is_live("a")
    assert liveness.due(6) == "a"
    assert liveness.answer("a", 6, there=False)
    assert liveness.is_gone("a")
    assert not liveness.is_live("a")
    assert liveness.due(15.9) is None
    assert liveness.due(16) == "a"
    assert not liveness.answer("a", 16, there=False)
    assert liveness.due(26) == "a"
    assert liveness.answer("a", 26, there=True)
    assert liveness.is_live("a")
    assert not liveness.is_gone("a")


def test_hearing_of_a_lost_peer_makes_it_due_but_a_flood_does_not() -> None:
    liveness = Liveness()
    liveness.heard("a", 0)
    for now in (0.0, 1.0):
        assert liveness.due(now) == "a"
        liveness.answer("a", now, there=False)
    for now in (1.1, 1.2, 1.3):
        liveness.heard("a", now)
        assert liveness.due(now) is None
    assert liveness.due(2.0) == "a"


def test_a_forgotten_peer_is_nobody() -> None:
    liveness = Liveness()
    liveness.heard("a", 0)
    liveness.forget("a")
    liveness.forget("a")
    assert not liveness.answer("a", 0, there=True)
    assert not liveness.is_live("a")
    assert not liveness.is_gone("a")


def test_who_is_listed_comes_first_and_nobody_waits_behind_a_flood() -> None:
    liveness = Liveness()
    liveness.heard("ada", 0)
    assert liveness.due(0) == "ada"
    liveness.answer("ada", 0, there=True)
    for number in range(500):
        liveness.heard(f"false {number}", 1)
    liveness.heard("bea", 2)
    assert liveness.due(2, only_open=True) is None
    assert {liveness.due(2), liveness.due(2)} == {"false 0", "bea"}
    assert liveness.due(6) == "ada"
    assert liveness.wait(6, only_open=True) is None


def test_who_shares_an_address_with_those_that_do_not_answer_waits_longer() -> None:
    liveness = Liveness()
    for number in range(3):
        liveness.heard(f"false {number}", 0, "10.0.0.66")
    assert liveness.due(0) == "false 0"
    liveness.answer("false 0", 0, there=False)
    liveness.heard("ada", 1, "10.0.0.7")
    assert [liveness.due(1), liveness.due(1)] == ["ada", "false 1"]


def test_the_first_answer_is_not_waited_for_as_long_as_the_second() -> None:
    liveness = Liveness()
    liveness.heard("a", 0)
    assert liveness.patience("a") < KNOCK_TIMEOUT
    liveness.answer("a", 0, there=False)
    assert liveness.patience("a") == KNOCK_TIMEOUT
    liveness.answer("a", 0, there=True)
    assert liveness.patience("a") == KNOCK_TIMEOUT


def test_a_crashed_one_is_gone_within_ten_seconds() -> None:
    """The knocks may each take their whole time to fail."""
    liveness, now, gone = Liveness(), 0.0, None
    liveness.heard("a", now)
    assert liveness.due(now) == "a"
    liveness.answer("a", now, there=True)  # and crashes in this moment
    while gone is None:
        now += liveness.wait(now) or 0
        assert liveness.due(now) == "a"
        now += KNOCK_TIMEOUT
        liveness.answer("a", now, there=False)
        gone = now if liveness.is_gone("a") else None
    assert gone <= 9


def test_one_that_has_moved_is_knocked_at_at_once_and_stays_listed_meanwhile() -> None:
    liveness = Liveness()
    liveness.heard("a", 0)
    assert liveness.due(0) == "a"
    liveness.answer("a", 0, there=True)
    liveness.moved("a", 1)
    assert liveness.is_live("a")
    assert liveness.due(1) == "a"


def test_probe_tells_an_open_port_from_a_closed_one() -> None:
    async def test() -> None:
        server = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", 0)
        port: int = server.sockets[0].getsockname()[1]
        assert await probe("127.0.0.1", port)
        server.close()
        await server.wait_closed()
        assert not await probe("127.0.0.1", port)
        assert not await probe("127.0.0.1", 70000)

    asyncio.run(test())


def test_probe_does_not_wait_for_ever() -> None:
    """A full backlog answers nothing."""

    async def test() -> None:
        with socket.socket() as full, socket.socket() as first, socket.socket() as second:
            full.bind(("127.0.0.1", 0))
            full.listen(0)
            for client in (first, second):
                client.setblocking(False)  # noqa: FBT003 - socket's own signature
                client.connect_ex(full.getsockname())
            assert not await probe("127.0.0.1", full.getsockname()[1], 0.05)

    asyncio.run(test())
