import re
from pathlib import Path
from string import Formatter

import pytest

import rummy_p2p
from rummy_p2p.protocol.errors import SENTENCES, NetworkError, PeerClosed, ProtocolError, RemoteProtocolError

PACKAGE = Path(rummy_p2p.__file__).parent
RAISING = [PACKAGE / "protocol" / f"{name}.py" for name in ("codec", "identity", "link")]
RAISING += [PACKAGE / "node" / f"{name}.py" for name in ("tls", "transport")]
CODE = re.compile(r'(?:(?:Remote|Local)?ProtocolError|NetworkError|close|drop|hang_up|_end)\(\s*"([a-z-]+)"')
BY_NAME = {
    "handshake-timeout",
    "auth-timeout",
    "blocked",
    "idle",
    "port-taken",
    "port-forbidden",
    "no-such-address",
    "cannot-listen",
}


def test_the_list_is_closed() -> None:
    raised = {code for path in RAISING for code in CODE.findall(path.read_text())}
    assert raised | BY_NAME | {"leaving"} == set(SENTENCES)


@pytest.mark.parametrize("code", SENTENCES)
def test_a_code_is_kebab_case_and_its_sentence_is_one(code: str) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", code)
    assert SENTENCES[code][0].isupper() or SENTENCES[code][0] == "{"
    assert SENTENCES[code].endswith((".", "?"))


@pytest.mark.parametrize("code", SENTENCES)
def test_parameters_go_into_the_sentence_and_none_is_missed(code: str) -> None:
    names = {name for _, name, _, _ in Formatter().parse(SENTENCES[code]) if name}
    full = str(ProtocolError(code, **{name: f"<{name}>" for name in names}))
    assert all(f"<{name}>" in full for name in names)
    assert str(ProtocolError(code)).count("?") >= len(names)


def test_an_unknown_code_is_named() -> None:
    error = ProtocolError("rules-differ", game="rummy-no")
    assert (error.code, error.parameters) == ("rules-differ", {"game": "rummy-no"})
    assert error.sentence == "The connection was ended for the reason rules-differ."


def test_a_peer_that_closed_is_quoted() -> None:
    assert PeerClosed("leaving").sentence == (
        "The other side ended the connection and gave this reason: "
        "The program was closed, or the player went to another table."
    )


def test_a_peer_cannot_shadow_code_or_self() -> None:
    error = PeerClosed("odd", self="x", code="{0.__class__}")
    assert error.sentence.endswith("for the reason odd.")


def test_braces_of_a_peer_stay_braces() -> None:
    assert "{detail.__class__}" in RemoteProtocolError("bad-field", detail="{detail.__class__}").sentence


def test_all_are_protocol_errors() -> None:
    assert issubclass(NetworkError, ProtocolError)
    assert issubclass(RemoteProtocolError, ProtocolError)
