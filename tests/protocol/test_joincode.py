"""Join codes: what they carry, what they refuse, and that no slip of the tongue leads to another machine."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rummy_p2p.protocol.joincode import (
    HOME_PORTS,
    LEAST_PIN,
    Place,
    ShortPin,
    is_incomplete_code,
    is_mistyped_code,
    join_code,
    read_code,
)

PIN = bytes.fromhex("2b7f" * 16)
PRIVATE = st.one_of(
    st.integers(0xC0A80000, 0xC0A8FFFF),
    st.integers(0x0A000000, 0x0AFFFFFF),
    st.integers(0xAC100000, 0xAC1FFFFF),
    st.integers(0xA9FE0000, 0xA9FEFFFF),
).map(lambda number: ".".join(str(number >> shift & 255) for shift in (24, 16, 8, 0)))
PORTS = st.sampled_from(HOME_PORTS) | st.integers(1, 65535)
PINS = st.binary(min_size=32, max_size=32)


@given(PRIVATE, PORTS, PINS)
def test_what_goes_in_comes_out(address: str, port: int, pin: bytes) -> None:
    code = join_code(address, port, pin)
    assert code is not None
    assert len(code) == (14 if port in HOME_PORTS else 19)
    place = read_code(code)
    assert place is not None
    assert (place.address, place.port) == (address, port)
    assert place.pin.bits >= LEAST_PIN
    assert place.pin.fits(pin)
    assert not is_mistyped_code(code)


def test_a_code_is_read_as_people_write_it() -> None:
    code = join_code("192.168.1.23", HOME_PORTS[0], PIN)
    assert code is not None
    place = read_code(code)
    assert place == Place("192.168.1.23", HOME_PORTS[0], ShortPin.of(PIN, 28))
    for written in (
        code.lower(),
        code.replace("-", ""),
        code.replace("-", " "),
        code.replace("0", "O").replace("1", "l"),
    ):
        assert read_code(written) == place


def test_a_code_that_no_program_writes_is_none() -> None:
    for port in (1, HOME_PORTS[0]):
        assert read_code(join_code("192.168.1.23", port, PIN) or "") is not None
    assert read_code(join_code("192.168.1.23", 0, PIN) or "") is None


@pytest.mark.parametrize("address", ["8.8.8.8", "100.64.0.1", "127.0.0.1", "fe80::1", "Friday"])
def test_other_addresses_have_no_code(address: str) -> None:
    assert join_code(address, HOME_PORTS[0], PIN) is None


@given(PRIVATE, PORTS, PINS, st.data())
def test_a_wrong_letter_and_two_that_changed_places_are_found(
    address: str, port: int, pin: bytes, data: st.DataObject
) -> None:
    code = (join_code(address, port, pin) or "").replace("-", "")
    place = data.draw(st.integers(0, len(code) - 1))
    wrong = data.draw(st.sampled_from(sorted(set("0123456789ABCDEFGHJKMNPQRSTVWXYZ") - {code[place]})))
    assert read_code(code[:place] + wrong + code[place + 1 :]) is None
    if place and code[place - 1] != code[place]:
        assert read_code(code[: place - 1] + code[place] + code[place - 1] + code[place + 1 :]) is None


@given(st.text(alphabet="0123456789ABCDEFGHJKMNPQRSTVWXYZ-", max_size=20))
def test_any_letters_are_a_place_or_nothing(text: str) -> None:
    place = read_code(text)
    if place is not None:
        assert 1 <= place.port <= 65535


@pytest.mark.parametrize(
    ("text", "mistyped"),
    [
        ("F02R-2AVZ-AWH9", True),
        ("f02r 2avz awh9", True),
        ("Friday", False),
        ("play card game", False),  # no digit: it is a title
        ("F02R-2AVZ", False),
        ("rummy://192.168.1.2:3", False),
    ],
)
def test_what_looks_like_a_code_and_is_none(text: str, *, mistyped: bool) -> None:
    assert is_mistyped_code(text) is mistyped


@pytest.mark.parametrize(
    ("text", "incomplete"),
    [
        ("B300-0GA1", True),
        ("b3oo-oga1", True),
        ("F02R-2AVZ-AWH", True),
        ("F02R-2", True),
        ("F02R-2AVZ-AWH9", False),  # as long as a code
        ("Team-2026", False),
        ("2nd-try", False),
        ("F02R 2AVZ", False),
        ("F02R", False),
        ("1ST4-FUN", False),  # no code has a U
        ("", False),
    ],
)
def test_what_looks_like_the_beginning_of_a_code(text: str, *, incomplete: bool) -> None:
    assert is_incomplete_code(text) is incomplete


def test_a_short_pin_tells_programs_apart() -> None:
    pin = ShortPin.of(PIN, 20)
    assert pin.fits(PIN)
    assert not pin.fits(bytes([PIN[0] ^ 1]) + PIN[1:])
    assert pin.fits(PIN[:4] + bytes(28))  # and no more than that: the greeting compares the whole
