"""Who a peer is: a long-term Ed25519 key. The player id is the public key; nothing else identifies anybody.

Every signature is over a label and the data, so that one made for one purpose can never be shown for another.
"""

from typing import Final

from nacl.exceptions import BadSignatureError, CryptoError
from nacl.public import SealedBox
from nacl.signing import SigningKey, VerifyKey

from rummy_p2p.deal.keys import Postbox
from rummy_p2p.protocol.errors import RemoteProtocolError
from rummy_p2p.protocol.text import words

SEED_SIZE: Final = 32
ID_SIZE: Final = 32
SIGNATURE_SIZE: Final = 64
MAX_LABEL: Final = 255


class Identity:
    """The secret half: signs, and opens what was sealed for this player. The seed is 32 random bytes."""

    def __init__(self, seed: bytes) -> None:
        self._key = SigningKey(seed)
        self._box = SealedBox(self._key.to_curve25519_private_key())
        self.player_id = bytes(self._key.verify_key)

    def __repr__(self) -> str:
        return f"<Identity {words(self.player_id)}>"

    def postbox(self) -> Postbox:
        """What this player says to one other alone."""
        return Postbox(bytes(self._key))

    def sign(self, label: bytes, data: bytes) -> bytes:
        """64 bytes; the same for the same label and data."""
        return self._key.sign(_labelled(label, data)).signature

    def unseal(self, box: bytes) -> bytes:
        """What was sealed for this player; RemoteProtocolError bad-box for anything else."""
        try:
            return self._box.decrypt(box)
        except (CryptoError, ValueError) as error:
            raise RemoteProtocolError("bad-box") from error


def verify(player_id: bytes, label: bytes, data: bytes, signature: bytes) -> bool:
    """Did the owner of `player_id` sign `data` for this purpose? False also when id or signature are malformed."""
    if len(player_id) != ID_SIZE or len(signature) != SIGNATURE_SIZE:
        return False
    try:
        VerifyKey(player_id).verify(_labelled(label, data), signature)
    except BadSignatureError:
        return False
    return True


def seal(player_id: bytes, data: bytes) -> bytes:
    """A box that only the owner of `player_id` can open; RemoteProtocolError bad-identity when that is no key.

    The same data gives another box each time: libsodium makes a key pair for every box, with its own random numbers.
    They are let in below the line because nobody compares or replays boxes, only what is inside.
    """
    try:
        return SealedBox(VerifyKey(player_id).to_curve25519_public_key()).encrypt(data)
    except (CryptoError, ValueError) as error:
        raise RemoteProtocolError("bad-identity") from error


def _labelled(label: bytes, data: bytes) -> bytes:
    """The length in front keeps label and data apart whatever they contain."""
    if not 0 < len(label) <= MAX_LABEL:
        raise ValueError(f"a label has 1 to {MAX_LABEL} bytes, not {len(label)}")
    return b"rummy-p2p\0" + bytes([len(label)]) + label + data
