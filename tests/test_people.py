"""Whom a player has met: the first key of a name is believed, and no other one until the player says so."""

from pathlib import Path

import pytest

from rummy_p2p.people import MOST, Known, People
from rummy_p2p.store import Paths, StoreError

ADA, IMPOSTOR, BEA = (bytes([n]) * 32 for n in (1, 2, 3))


@pytest.fixture
def people(tmp_path: Path) -> People:
    return People(Paths.of(tmp_path))


def test_the_first_key_of_a_name_is_believed_and_another_is_not(people: People) -> None:
    assert people.known() == ()
    assert people.impostor_of("Ada", ADA) is None
    people.meet("Ada", ADA, 7)
    assert people.impostor_of("Ada", ADA) is None
    before = people.impostor_of("ada", IMPOSTOR)
    assert before == Known(ADA.hex(), "Ada", 7)
    people.meet("Bea", BEA, 8)
    assert people.impostor_of("Ada", BEA) is None, "a key that is known is right, whatever its name is now"
    people.meet("Somebody else", ADA, 9)
    assert [each.nick for each in people.known()] == ["Bea", "Ada"]


def test_who_is_forgotten_is_believed_anew(people: People) -> None:
    people.meet("Ada", ADA, 7)
    assert not people.forget("Bea")
    assert people.forget("ADA")
    assert people.impostor_of("Ada", IMPOSTOR) is None


def test_a_key_is_trusted_in_place_of_another_of_that_name(people: People) -> None:
    people.meet("Ada", ADA, 7)
    people.meet("Bea", BEA, 8)
    people.trust("ada", IMPOSTOR, 9)
    assert [(each.nick, each.key) for each in people.known()] == [("ada", IMPOSTOR), ("Bea", BEA)]
    assert people.impostor_of("Ada", ADA) is not None


def test_a_key_is_blocked_and_dropped_whatever_its_name(people: People) -> None:
    people.meet("Ada", ADA, 7)
    people.mark("Ada", IMPOSTOR, 9, blocked=True)
    assert [people.is_blocked(key) for key in (ADA, IMPOSTOR, BEA)] == [False, True, False]
    people.mark("whoever", IMPOSTOR, 10, blocked=False)
    assert people.known() == (Known(IMPOSTOR.hex(), "Ada", 9), Known(ADA.hex(), "Ada", 7))
    people.drop(IMPOSTOR)
    people.drop(BEA)
    assert [each.key for each in people.known()] == [ADA]


def test_who_is_blocked_stays_so_until_the_player_says_otherwise(people: People) -> None:
    people.meet("Ada", ADA, 7)
    assert not people.block("Bea", blocked=True)
    assert people.block("ada", blocked=True)
    assert people.is_blocked(ADA)
    assert not people.is_blocked(BEA)
    people.block("Ada", blocked=False)
    assert not people.is_blocked(ADA)


def test_only_so_many_are_kept(people: People) -> None:
    people._write(tuple(Known(n.to_bytes(32, "big").hex(), f"player {n}", n) for n in range(MOST)))
    people.meet("Ada", ADA, 7)
    assert len(people.known()) == MOST
    assert people.known()[0].nick == "Ada"


@pytest.mark.parametrize("content", [b"rubbish", b'[{"id":"xy","nick":"Ada","since":1}]', b'{"a":1}'])
def test_a_damaged_list_is_set_aside_and_that_is_said(people: People, content: bytes) -> None:
    people.path.parent.mkdir(parents=True)
    people.path.write_bytes(content)
    assert people.known() == ()
    assert "people.broken.json" in people.notice
    assert people.path.with_name("people.broken.json").read_bytes() == content
    people.meet("Ada", ADA, 7)
    assert people.known() == (Known(ADA.hex(), "Ada", 7),)


def test_a_folder_that_cannot_be_used_is_told(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    people.path.mkdir(parents=True)
    with pytest.raises(StoreError):
        people.known()
    people.path.rmdir()
    people.path.parent.rmdir()
    people.path.parent.write_bytes(b"a file where a folder should be")
    with pytest.raises(StoreError):
        people._write(())
    people.path.parent.unlink()
    people.path.parent.mkdir()
    people.path.write_bytes(b"rubbish")

    def refuse(*_args: object) -> None:
        raise OSError(30, "read-only")

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(StoreError, match="read-only"):
        people.known()
