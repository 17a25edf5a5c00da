"""TXT records: what we say fits and comes back; what strangers say is a clean sighting or a BadAnnouncement."""

from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from zeroconf import ServiceInfo

from rummy_p2p.node.announcement import (
    MAX_TXT,
    SERVICE_TYPE,
    Announcement,
    BadAnnouncement,
    Sighting,
    TableInfo,
    TableState,
    read_sighting,
    to_txt,
)
from rummy_p2p.protocol.text import clean

ID, PIN, RULES = "1a" * 32, "2b" * 32, "3c" * 32
TABLE = TableInfo(
    "4d" * 16, "Friday night", "rummy-no", RULES, 2, 4, TableState.OPEN, ("joker-20:jokers=4", "limit=50")
)
ADA = Announcement("Ada", ID, PIN, 40000, 1, TABLE)


def wire(announcement: Announcement) -> bytes:
    """The record as zeroconf sends it."""
    info = ServiceInfo(SERVICE_TYPE, announcement.instance, port=announcement.port, properties=to_txt(announcement))
    return info.text


def read(announcement: Announcement) -> Sighting:
    return read_sighting(announcement.instance, ["10.0.0.7"], announcement.port, wire(announcement))


def record(**fields: str) -> bytes:
    """The record of ADA with other fields; an empty one is left out."""
    txt = to_txt(ADA) | {key: value.encode() for key, value in fields.items()}
    strings = [key.encode() + b"=" + value for key, value in txt.items() if value]
    return b"".join(bytes([len(each)]) + each for each in strings)


def test_what_is_said_is_what_is_seen() -> None:
    assert read(ADA) == Sighting(ADA.instance, "Ada", ID, PIN, ("10.0.0.7",), 40000, 1, TABLE)
    assert ADA.instance == f"Ada 1a1a1a.{SERVICE_TYPE}"


def test_a_peer_without_a_table_is_seen_too() -> None:
    assert read(replace(ADA, table=None)).table is None


printable = st.characters(exclude_categories=("C", "Zl", "Zp", "M"))


def test_the_same_said_again_is_another_record() -> None:
    """Who still has the last one but one in its cache would take no notice of it."""
    assert to_txt(ADA, 1) != to_txt(ADA, 2)
    assert {key: value for key, value in to_txt(ADA, 1).items() if key != "c"} == {
        key: value for key, value in to_txt(ADA, 2).items() if key != "c"
    }


@given(
    nick=st.text(printable, max_size=24),
    title=st.text(printable, max_size=40),
    house=st.lists(st.text(printable, min_size=1, max_size=64), max_size=8),
    state=st.sampled_from(TableState),
    long_id=st.booleans(),
)
def test_whatever_is_said_fits_and_is_understood(
    nick: str, title: str, house: list[str], state: TableState, *, long_id: bool
) -> None:
    table = replace(TABLE, title=title, house=tuple(house), state=state, id="4d" * (32 if long_id else 8))
    said = replace(ADA, nick=nick, table=table)
    assert len(wire(said)) <= MAX_TXT
    assert len(said.instance.removesuffix("." + SERVICE_TYPE).encode()) <= 63
    seen = read(said)
    assert seen.table is not None
    assert (seen.id, seen.pin, seen.table.id, seen.table.state) == (said.id, said.pin, table.id, state)
    assert clean(title, 40).startswith(seen.table.title)
    assert seen.table.house is None or len(seen.table.house) <= len(house)


def test_what_does_not_fit_is_left_out_and_not_guessed() -> None:
    house = tuple(f"house-rule-{number}" for number in range(12))
    seen = read(replace(ADA, table=replace(TABLE, house=house))).table
    assert seen is not None
    assert seen.house is None
    assert read(replace(ADA, table=replace(TABLE, house=None))).table == replace(TABLE, house=None)
    assert read(replace(ADA, table=replace(TABLE, house=("a;b",)))).table == replace(TABLE, house=None)


def test_a_table_that_cannot_be_announced_is_the_callers_mistake() -> None:
    with pytest.raises(ValueError, match="too long"):
        to_txt(replace(ADA, table=replace(TABLE, id="4d" * 100)))


def test_a_nick_with_dots_or_nothing_at_all_still_makes_a_name() -> None:
    assert replace(ADA, nick="A.D.A.").instance.startswith("A-D-A- 1a1a1a.")
    assert replace(ADA, nick="  ").instance.startswith("player 1a1a1a.")
    assert read(replace(ADA, nick="A.D.A.")).nick == "A.D.A."


@pytest.mark.parametrize(
    "fields",
    [
        {"v": ""},
        {"v": "one"},
        {"v": "99999"},
        {"v": "\u0661"},
        {"id": "1a"},
        {"id": "1A" * 32},
        {"fp": "zz" * 32},
        {"t": "../../etc"},
        {"g": "Rummy No!"},
        {"r": ""},
        {"s": "2"},
        {"s": "-1/4"},
        {"st": "ajar"},
    ],
)
def test_a_wrong_field_is_a_bad_announcement(fields: dict[str, str]) -> None:
    with pytest.raises(BadAnnouncement, match=next(iter(fields))):
        read_sighting(ADA.instance, ["10.0.0.7"], 40000, record(**fields))


@pytest.mark.parametrize("text", [b"", b"\x00", b"\x05v=1", b"\x03v=\xff", b"\x03v=1" * 101, bytes(401), b"\xff" * 400])
def test_a_broken_record_is_a_bad_announcement(text: bytes) -> None:
    with pytest.raises(BadAnnouncement):
        read_sighting(ADA.instance, ["10.0.0.7"], 40000, text)


@pytest.mark.parametrize(
    ("addresses", "port"), [([], 1), (["10.0.0.7"], None), (["10.0.0.7"], 0), (["10.0.0.7"], 65536)]
)
def test_a_peer_that_cannot_be_reached_is_a_bad_announcement(addresses: list[str], port: int | None) -> None:
    with pytest.raises(BadAnnouncement, match="address"):
        read_sighting(ADA.instance, addresses, port, wire(ADA))


def test_the_first_of_two_fields_counts_and_flags_are_skipped() -> None:
    seen = read_sighting(ADA.instance, ["10.0.0.7"], 40000, b"\x04flag" + record() + b"\x05p=Bea")
    assert seen.nick == "Ada"


def test_control_codes_of_a_stranger_are_gone() -> None:
    seen = read_sighting(ADA.instance, ["10.0.0.7"], 40000, record(p="\x1b[2JA\x07da", n="\x9b31mhi", h="a\x00b;\x1b"))
    assert seen.nick == "[2JAda"
    assert seen.table is not None
    assert seen.table.title == "31mhi"
    assert seen.table.house == ("ab",)


def test_a_nick_is_taken_from_the_name_when_it_is_missing() -> None:
    seen = read_sighting(f"B\x1bea 1a1a1a.{SERVICE_TYPE}", ["10.0.0.7"], 40000, record(p=""))
    assert seen.nick == "Bea"
    assert read_sighting(f"\x1b 1a1a1a.{SERVICE_TYPE}", ["10.0.0.7"], 40000, record(p="")).nick == "?"


txt_records = st.one_of(
    st.binary(max_size=420),
    st.lists(st.binary(max_size=80), max_size=12).map(lambda parts: b"".join(bytes([len(p)]) + p for p in parts)),
    st.dictionaries(st.sampled_from(list(to_txt(ADA))), st.text(max_size=20), max_size=4).map(
        lambda fields: record(**{key: value for key, value in fields.items() if len(value.encode()) < 200})
    ),
)


@given(instance=st.text(max_size=80), port=st.none() | st.integers(-1, 70000), text=txt_records)
def test_any_record_is_a_clean_sighting_or_a_bad_announcement(instance: str, port: int | None, text: bytes) -> None:
    with suppress(BadAnnouncement):
        seen = read_sighting(f"{instance}.{SERVICE_TYPE}", ["10.0.0.7"], port, text)
        shown = [seen.nick, *([seen.table.title, *(seen.table.house or ())] if seen.table else [])]
        assert all(each == clean(each, 64) for each in shown)
        assert len(seen.nick) <= 24
