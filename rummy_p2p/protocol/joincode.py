"""A join code: where a table is and who has it, short enough to be said across the room, as in ``7KQM-29XR-4TDF``.

Laws of this file
* It carries an IPv4 address of one of the usual private ranges, a port, the first bits of the certificate's
  fingerprint (the short pin, 20 bits at least), and a checksum over all of that. Other addresses have no code.
* The alphabet is Crockford's: no I, L, O, U. Whoever writes I or L means 1, whoever writes O means 0; case, spaces and
  hyphens do not matter. One wrong letter, or two that changed places, never pass the checksum.
* A code says where and who, not who may: it is no password. Its short pin keeps apart programs that are taken for one
  another; it does not stop somebody who searches for a certificate with the same first bits. The greeting of the link
  compares the whole fingerprint between both ends, and whoever wants more compares the three words.
"""

from dataclasses import dataclass
from ipaddress import AddressValueError, IPv4Address, IPv4Network
from typing import Final

# The ports that a program takes when nobody names one: a scan knows where to knock, a firewall rule what to open, and
# a code is four letters shorter. Below 32768 no system gives them away by itself.
HOME_PORTS: Final = range(28660, 28668)

LEAST_PIN: Final = 20
_ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_MEANT: Final = str.maketrans("ILO", "110", " -")
_MEANT_WITHIN: Final = str.maketrans("ILO", "110")
_GROUP: Final = 4
_LETTER: Final = 5
_CHECK: Final = 10
_CRC: Final = 0x633  # x^10 + x^9 + x^5 + x^4 + x + 1 finds every change within ten bits, so within two letters
_RANGES: Final = tuple(map(IPv4Network, ("192.168.0.0/16", "10.0.0.0/8", "172.16.0.0/12", "169.254.0.0/16")))


@dataclass(frozen=True, slots=True)
class ShortPin:
    """The first ``bits`` of a fingerprint, as a number."""

    bits: int
    value: int

    @classmethod
    def of(cls, fingerprint: bytes, bits: int) -> "ShortPin":
        return cls(bits, int.from_bytes(fingerprint, "big") >> (8 * len(fingerprint) - bits))

    def fits(self, fingerprint: bytes) -> bool:
        return self == ShortPin.of(fingerprint, self.bits)


@dataclass(frozen=True, slots=True)
class Place:
    """What a join code says."""

    address: str
    port: int
    pin: ShortPin


def join_code(address: str, port: int, fingerprint: bytes) -> str | None:
    """The code of a program at this address; None for an address that is in none of the private ranges."""
    where = _where(address)
    if where is None:
        return None
    index, host = where
    bits = _Bits()
    bits.put(2, index)
    bits.put(_host_size(index), host)
    _put_port(bits, port)
    pin = ShortPin.of(fingerprint, _pin_size(bits.size))
    bits.put(pin.bits, pin.value)
    return _spelled(bits.value, bits.size)


def read_code(text: str) -> Place | None:
    """What a code says, None when it is none or mistyped."""
    letters = _letters(text)
    if letters is None:
        return None
    value = 0
    for letter in letters:
        value = value << _LETTER | _ALPHABET.index(letter)
    size = len(letters) * _LETTER - _CHECK
    if value & (1 << _CHECK) - 1 != _checksum(value >> _CHECK, size):
        return None
    return _place(_Bits(value >> _CHECK, size))


def is_mistyped_code(text: str) -> bool:
    """Whether it looks like a code and is none: groups of four with a digit among them. It might be a title still."""
    groups = text.upper().replace("-", " ").split()
    shaped = len(groups) in (3, 4) and all(len(group) == _GROUP for group in groups)
    return shaped and any(letter.isdigit() for letter in text) and read_code(text) is None


def is_incomplete_code(text: str) -> bool:
    """Whether it looks like the beginning of a code: groups of four with hyphens, a digit in the first, but too few of
    them or the last one too short. It might be a title still.
    """
    groups = text.upper().translate(_MEANT_WITHIN).split("-")
    if not 2 <= len(groups) <= 3 or not set("".join(groups)) <= set(_ALPHABET):
        return False
    *whole, last = map(len, groups)
    starts = any(letter.isdigit() for letter in text[:_GROUP]) and all(size == _GROUP for size in whole)
    return starts and (last < _GROUP or (last == _GROUP and len(groups) == 2))


# ---------------------------------------------------------------- bits


class _Bits:
    """A number of so many bits, written and read from the left."""

    def __init__(self, value: int = 0, size: int = 0) -> None:
        self.value = value
        self.size = size

    def put(self, size: int, value: int) -> None:
        self.value = self.value << size | value
        self.size += size

    def take(self, size: int) -> int:
        self.size -= size
        taken = self.value >> self.size
        self.value &= (1 << self.size) - 1
        return taken


def _where(address: str) -> tuple[int, int] | None:
    try:
        found = IPv4Address(address)
    except AddressValueError:
        return None
    for index, network in enumerate(_RANGES):
        if found in network:
            return index, int(found) & int(network.hostmask)
    return None


def _host_size(index: int) -> int:
    return 32 - _RANGES[index].prefixlen


def _put_port(bits: _Bits, port: int) -> None:
    if port in HOME_PORTS:
        bits.put(4, HOME_PORTS.index(port))
    else:
        bits.put(17, 1 << 16 | port)


def _take_port(bits: _Bits) -> int:
    return bits.take(16) if bits.take(1) else HOME_PORTS[bits.take(3)]


def _pin_size(size: int) -> int:
    """What is left for the pin until the groups of letters are full."""
    group = _GROUP * _LETTER
    return LEAST_PIN + -(size + LEAST_PIN + _CHECK) % group


def _place(bits: _Bits) -> Place | None:
    """None for a port or a length that no program writes."""
    index = bits.take(2)
    host = bits.take(_host_size(index))
    port = _take_port(bits)
    if bits.size < LEAST_PIN or port == 0:
        return None
    address = str(IPv4Address(int(_RANGES[index].network_address) | host))
    return Place(address, port, ShortPin(bits.size, bits.value))


def _checksum(value: int, size: int) -> int:
    """A CRC of the bits; the start value tells codes of different lengths apart."""
    crc = size
    for position in reversed(range(size)):
        crc = crc << 1 | (value >> position & 1)
        if crc >> _CHECK:
            crc ^= _CRC
    for _ in range(_CHECK):
        crc <<= 1
        if crc >> _CHECK:
            crc ^= _CRC
    return crc


# ---------------------------------------------------------------- letters


def _spelled(value: int, size: int) -> str:
    whole, length = value << _CHECK | _checksum(value, size), (size + _CHECK) // _LETTER
    letters = "".join(_ALPHABET[whole >> _LETTER * place & 31] for place in reversed(range(length)))
    return "-".join(letters[start : start + _GROUP] for start in range(0, length, _GROUP))


def _letters(text: str) -> str | None:
    letters = text.upper().translate(_MEANT)
    if len(letters) not in (3 * _GROUP, 4 * _GROUP) or not set(letters) <= set(_ALPHABET):
        return None
    return letters
