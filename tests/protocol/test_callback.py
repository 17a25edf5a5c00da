"""Two messages about a port: whether others can reach it."""

from __future__ import annotations

import pytest

from rummy_p2p.protocol.callback import CallBack, CalledBack, Wire
from rummy_p2p.protocol.codec import pack, unpack
from rummy_p2p.protocol.errors import RemoteProtocolError


@pytest.mark.parametrize("message", [CallBack(port=1), CallBack(port=65535), CalledBack(port=47100, reached=False)])
def test_what_is_asked_and_answered_comes_over_a_link_as_it_was(message: CallBack | CalledBack) -> None:
    assert unpack(pack(message), Wire) == message


@pytest.mark.parametrize("port", [0, 65536, -1])
def test_there_is_no_calling_of_a_port_that_cannot_be(port: int) -> None:
    for message in (CallBack(port=port), CalledBack(port=port, reached=True)):
        with pytest.raises(RemoteProtocolError):
            unpack(pack(message), Wire)
