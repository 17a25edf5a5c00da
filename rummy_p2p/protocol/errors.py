"""What can go wrong between two programs.

    ProtocolError              has a code, its parameters, and `str()`: the sentence for the player
    |-- RemoteProtocolError    theirs: the other side broke the protocol
    |-- LocalProtocolError     ours: a caller asked for what this state does not allow
    |-- PeerClosed             the other side ended the connection and told us why
    `-- NetworkError           nobody's: the connection cannot be made, or was lost

`SENTENCES` is the closed list of codes of links and wire. A sentence takes no side: the one who broke a rule is "the
sender", so that it can be read on either screen.
"""

from collections.abc import Mapping
from typing import Final

SENTENCES: Final[Mapping[str, str]] = {
    # frames and messages
    "oversize": "A message of {size} bytes is larger than the {limit} allowed. The sender may run a changed program.",
    "bad-frame": "An empty frame arrived. The sender may run a changed or damaged program.",
    "not-msgpack": (
        "Bytes arrived that are not a message, or hold a part longer than allowed. The sender may run a changed "
        "program."
    ),
    "too-deep": "A message is nested deeper than {limit} levels. The sender may run a changed program.",
    "unknown-message": "A message of an unknown kind arrived. The sender may run another version: see --version.",
    "unexpected-message": "A message ({kind}) came out of order. The sender may run another version: see --version.",
    "bad-field": "A message has a wrong field ({detail}). The sender may run another version: see --version.",
    # who is who
    "bad-signature": (
        "A signature does not fit its sender, so somebody may be standing in between. Join again and compare the words."
    ),
    "bad-identity": "A player id is not a valid key. The sender may run a changed program.",
    "bad-box": "A sealed message cannot be opened with this key. The sender may run a changed program.",
    "wrong-pin": (
        "The program at this address is not the one that the address with its pin was made for. "
        "Ask for the address again: it may have been reinstalled, or somebody is standing in between."
    ),
    "wrong-identity": (
        "At this address another player answers ({found}) than before ({expected}). "
        "If that player has reinstalled, compare the three words and forget the old ones."
    ),
    "own-address": "This address is this very program. Give the address of another player.",
    "version-mismatch": (
        "The two programs speak different protocol versions, {older} and {newer}. Update the one that speaks {older}."
    ),
    # limits
    "too-many-links": "This program already has as many connections as it takes. Try again in a moment.",
    "too-fast": "More than {rate} messages a second (at once: {burst}) arrived. The sender may run a changed program.",
    "idle": "Nothing was heard for {seconds} seconds. Check the network of both machines; join again to go on.",
    "handshake-timeout": (
        "The connection was made, but no greeting came in {seconds} seconds. Is there a rummy program at that "
        "address? Try again."
    ),
    "auth-timeout": "The greeting was not completed in {seconds} seconds. Check the network and try again.",
    "backlog": "The receiver was too slow: more than {limit} bytes were waiting. Check its network, then join again.",
    # endings
    "leaving": "The program was closed, or the player went to another table.",
    "blocked": "The other player does not want this connection.",
    "lost": "The connection was lost. Check the network of both machines; join again to go on.",
    "internal-error": "The program failed in handling a message; its log has the details. Join again.",
    # ours
    "not-open": "Nothing can be sent while the connection is {state}. Wait until it is authenticated.",
    "foreign-message": "{kind} is not a message of this connection.",
    # the network itself
    "certificate-damaged": "The TLS certificate in the data folder is damaged. Move tls.pem away to get a new one.",
    "port-taken": "Port {port} on {address} is used by another program. Choose another with --port (0: any free one).",
    "port-forbidden": "This user may not open port {port} on {address}. Choose one above 1023 with --port.",
    "no-such-address": (
        "{address} is not an address of this machine now. Check the network, or choose with --interface."
    ),
    "cannot-listen": "Port {port} on {address} cannot be opened ({why}). Choose another interface or port.",
    "refused": "Nobody listens at {address} port {port}. Is the program still running there, and the port right?",
    "unreachable": "{address} port {port} cannot be reached ({why}). Check cable, Wi-Fi and the address.",
    "no-answer": (
        "{address} port {port} did not answer in {seconds} seconds. "
        "A firewall, or a Wi-Fi that keeps its guests apart, may be the reason."
    ),
    "turned-away": (
        "{address} port {port} ended the connection at once. "
        "It may have as many connections as it takes, or be no rummy program. Try again in a moment."
    ),
}

_UNLISTED = "The connection was ended for the reason {code}."
_QUOTED = "The other side ended the connection and gave this reason: {sentence}"


class _Known(dict[str, str | int]):
    """A parameter that a peer left out of its reason must not break the sentence."""

    def __missing__(self, key: str) -> str:
        return "?"


def sentence(code: str, parameters: Mapping[str, str | int]) -> str:
    """Say `code` to a player. A code that is not in the list (a newer peer's, or the table's own) is named as it is."""
    return SENTENCES.get(code, _UNLISTED).format_map(_Known(dict(parameters) | {"code": code}))


class ProtocolError(Exception):
    """Something between two programs went wrong: `code` for the program, `str()` for the player."""

    def __init__(self, code: str, /, **parameters: str | int) -> None:
        super().__init__(sentence(code, parameters))
        self.code = code
        self.parameters = parameters

    @property
    def sentence(self) -> str:
        return str(self)


class RemoteProtocolError(ProtocolError):
    """The other side broke the protocol; the connection is over."""


class LocalProtocolError(ProtocolError):
    """Our own caller asked for something that this state does not allow; nothing was sent."""


class PeerClosed(ProtocolError):
    """The other side ended the connection and told us why; the sentence quotes it."""

    def __str__(self) -> str:
        return _QUOTED.format(sentence=super().__str__())


class NetworkError(ProtocolError):
    """The connection could not be made, or was lost."""
