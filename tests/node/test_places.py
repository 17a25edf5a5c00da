"""Where others can be dialled, and who of two does it."""

from typing import cast

import pytest

from rummy_p2p.node.discovery import Discovery
from rummy_p2p.node.keeping import Keeper
from rummy_p2p.node.places import Address, Places
from rummy_p2p.node.transport import Transport
from rummy_p2p.store import Notice, RememberedPeer

LOW, ME, HIGH = (bytes([number]) * 32 for number in (1, 2, 3))
PIN = b"p" * 32


def at(port: int, player: bytes | None = None, pin: bytes | str | None = PIN) -> Address:
    return Address(("192.0.2.7",), port, cast("bytes", pin), player)


class Book:
    """An address book in memory."""

    def __init__(self) -> None:
        self.known: tuple[RememberedPeer, ...] = ()
        self.times = 0

    def peers(self) -> tuple[tuple[RememberedPeer, ...], Notice | None]:
        return self.known, None

    def remember(self, peer: RememberedPeer) -> None:
        self.known = (peer, *self.known)
        self.times += 1


@pytest.fixture
def book() -> Book:
    return Book()


@pytest.fixture
def places(book: Book, monkeypatch: pytest.MonkeyPatch) -> Places:
    keeper = Keeper(None, None)
    keeper.book = book
    made = Places(ME, cast("Discovery", None), cast("Transport", None), keeper)
    seen = {LOW: at(1), HIGH: at(3)}
    monkeypatch.setattr(made, "_seen", lambda players: {player: seen[player] for player in seen.keys() & players})
    return made


def test_of_two_that_see_each_other_the_lower_dials(places: Places) -> None:
    assert places.missing({LOW, HIGH}, set(), one_is_enough=False) == [at(3)]
    assert places.missing({LOW, HIGH}, {HIGH}, one_is_enough=False) == []


def test_who_is_known_from_the_last_time_is_called_whatever_the_ids(places: Places, book: Book) -> None:
    far = b"\x01" * 31 + b"\x02"
    for number, player in ((7, LOW), (8, far)):
        book.remember(RememberedPeer(player.hex(), "Bea", "192.0.2.9", number, None, 0))
    places.recall()
    found = places.missing({LOW, HIGH, far}, set(), one_is_enough=False)
    assert {address.port for address in found} == {1, 3, 8}
    places.clear()
    assert places.missing({LOW, far}, set(), one_is_enough=False) == []


def test_who_looks_on_needs_one_of_them(places: Places) -> None:
    assert {each.port for each in places.missing({LOW, HIGH}, set(), one_is_enough=True)} == {1, 3}
    assert places.missing({LOW, HIGH}, {LOW}, one_is_enough=True) == []


def test_where_somebody_is_is_written_down_when_it_has_changed(places: Places, book: Book) -> None:
    places.note({HIGH: "Cem"})
    places.note({HIGH: "Cem"})
    assert [(peer.nick, peer.port, peer.pin) for peer in book.known] == [("Cem", 3, PIN.hex())]
    places._dialled[HIGH] = at(4, HIGH, "short")
    places.note({HIGH: "Cem"})
    assert (book.times, book.known[0].port, book.known[0].pin) == (2, 4, None)
    assert places.of(HIGH) == at(3)
