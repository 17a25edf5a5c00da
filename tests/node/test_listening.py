"""Sockets to listen on: one for each address, all on one port, or none."""

import socket

import pytest

from rummy_p2p.node import listening
from rummy_p2p.node.listening import listen, open_at
from rummy_p2p.protocol.errors import NetworkError


def test_all_listen_on_one_port() -> None:
    sockets = listen(["127.0.0.1", "127.0.0.2"], 0)
    try:
        assert len({each.getsockname()[1] for each in sockets}) == 1
        assert not any(each.getblocking() for each in sockets)
    finally:
        for each in sockets:
            each.close()


def test_a_port_that_is_taken_elsewhere_is_given_up_for_another(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[int] = []
    real = open_at

    def taken_at_first(address: str, port: int) -> socket.socket:
        if port:
            tried.append(port)
            if len(tried) == 1:
                raise NetworkError("port-taken", address=address, port=port)
        return real(address, port)

    monkeypatch.setattr(listening, "open_at", taken_at_first)
    sockets = listen(["127.0.0.1", "127.0.0.2"], 0)
    assert [each.getsockname()[1] for each in sockets] == [tried[1], tried[1]]
    for each in sockets:
        each.close()


def test_a_port_that_was_asked_for_is_tried_once_and_nothing_stays_open() -> None:
    with open_at("127.0.0.2", 0) as held:
        port = held.getsockname()[1]
        with pytest.raises(NetworkError) as caught:
            listen(["127.0.0.1", "127.0.0.2"], port)
        assert caught.value.code == "port-taken"
        open_at("127.0.0.1", port).close()


def test_an_address_of_another_machine_cannot_be_had() -> None:
    with pytest.raises(NetworkError) as caught:
        open_at("192.0.2.1", 0)
    assert caught.value.code == "no-such-address"
