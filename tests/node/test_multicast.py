"""Multicast at one interface: the own question comes back, and what the system refuses is told by its number."""

import asyncio
import errno
import socket

import pytest

from rummy_p2p.node.multicast import GROUP, PORT, Heard, _question, listen_at, port_error


def test_on_the_loopback_the_own_question_comes_back() -> None:
    heard = asyncio.run(listen_at("127.0.0.1", ["127.0.0.1"], 0.3))
    assert (heard.error, heard.own, heard.others) == (0, True, set())


def test_what_others_send_is_heard_and_told_apart_from_the_own_question() -> None:
    async def scene() -> Heard:
        listening = asyncio.create_task(listen_at("127.0.0.1", [], 0.5))
        await asyncio.sleep(0)  # now it listens
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
            other.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("127.0.0.1"))
            other.sendto(b"anything", (GROUP, PORT))
        return await listening

    assert asyncio.run(scene()) == Heard(own=True, others={"127.0.0.1"})


def test_an_address_that_is_not_ours_is_refused() -> None:
    heard = asyncio.run(listen_at("203.0.113.9", [], 0.1))
    assert heard == Heard(error=heard.error)
    assert heard.error in (errno.ENODEV, errno.EADDRNOTAVAIL, errno.EINVAL)


def test_the_port_can_be_shared() -> None:
    assert port_error() == 0


def test_a_port_that_is_taken_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as alone:
        alone.bind(("", 0))
        monkeypatch.setattr("rummy_p2p.node.multicast.PORT", alone.getsockname()[1])
        assert port_error() == errno.EADDRINUSE
        assert asyncio.run(listen_at("127.0.0.1", [], 0.1)).error == errno.EADDRINUSE


def test_no_two_questions_are_the_same() -> None:
    assert _question() != _question()
    assert _question()[:12] == bytes([0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0])
