"""Who is who in the lobby, with whole peers on the loopback interface."""

from __future__ import annotations

from pathlib import Path

import pytest

from rummy_p2p.people import People
from rummy_p2p.protocol.text import shared_words
from rummy_p2p.store import StoreError
from rummy_p2p.ui.form import Plan
from rummy_p2p.ui.people_room import Acquaintance, PeopleRoom
from tests.cli.tables import title
from tests.cli.test_screen_lan import Guestroom, joined, scene

OTHER = b"x" * 32


def one(guest: Guestroom, other: Guestroom) -> Acquaintance:
    key = other.peer.identity.player_id.hex()
    return next(each for each in guest.lan._book.people() if each.id == key)


def key_of(guest: Guestroom) -> bytes:
    return guest.peer.identity.player_id


def test_a_first_meeting_shows_the_words_on_both_screens_and_a_second_one_does_not_insist(tmp_path: Path) -> None:
    async def play(ada: Guestroom, bea: Guestroom) -> None:
        words = shared_words(key_of(ada), key_of(bea))
        await joined(ada, bea)
        for guest, other in ((ada, "Bea"), (bea, "Ada")):
            assert f"{other} is new to you. You and {other} should both see the words: {words}." in guest.screen.noted
            assert f"* {other} is new: you both see {words}" in guest.sitting.said
        await bea.until(lambda: not bea.lan.busy)
        bea.lan.leave()
        bea.screen.note("")
        bea.lan.join(ada.peer.address)
        await bea.until(lambda: bea.lan.sitting() is not None)
        assert "new to you" not in bea.screen.noted

    scene(tmp_path, ("Ada", "Bea"), play)


def test_who_is_known_is_told_in_few_words(tmp_path: Path) -> None:
    async def play(ada: Guestroom, bea: Guestroom) -> None:
        People(bea.files.paths).meet("Ada", key_of(ada), 1)
        await joined(ada, bea)
        assert f"* Ada is known: {shared_words(key_of(ada), key_of(bea))}" in bea.sitting.said
        assert "new to you" not in bea.screen.noted

    scene(tmp_path, ("Ada", "Bea"), play)


def test_whoever_is_here_is_listed_trusted_blocked_and_forgotten(tmp_path: Path) -> None:
    async def play(ada: Guestroom, bea: Guestroom) -> None:
        name = title()
        ada.lan.open(Plan("rummy-no", (), name, 2))
        await bea.until(lambda: any(row.title == name for row in bea.lan.tables()))
        bea.lan.command("people")
        assert isinstance(bea.screen.room, PeopleRoom)
        book, key = bea.lan._book, key_of(ada).hex()
        assert (one(bea, ada).standing, one(bea, ada).table, one(bea, ada).here) == ("new", name, True)
        book.trust(key)
        assert one(bea, ada).standing == "known"
        assert one(bea, ada).words == shared_words(key_of(ada), key_of(bea))
        book.block(key, blocked=True)
        assert one(bea, ada).standing == "blocked"
        assert [row.caution for row in bea.lan.tables() if row.title == name] == ["blocked"]
        assert any(person.caution == "blocked" for person in bea.lan.people())
        assert People(bea.files.paths).is_blocked(key_of(ada))
        book.block(key, blocked=False)
        book.forget(key)
        assert one(bea, ada).standing == "new"
        assert [row.caution for row in bea.lan.tables() if row.title == name] == [""]

    scene(tmp_path, ("Ada", "Bea"), play)


def test_another_key_under_a_known_name_is_marked_until_it_is_trusted(tmp_path: Path) -> None:
    async def play(ada: Guestroom, bea: Guestroom) -> None:
        People(bea.files.paths).meet("Ada", OTHER, 1)
        name = title()
        ada.lan.open(Plan("rummy-no", (), name, 2))
        await bea.until(lambda: any(row.title == name for row in bea.lan.tables()))
        assert [row.caution for row in bea.lan.tables() if row.title == name] == ["another-key"]
        assert one(bea, ada).before == shared_words(key_of(bea), OTHER)
        absent = [each for each in bea.lan._book.people() if not each.here and each.id == OTHER.hex()]
        assert [each.standing for each in absent] == ["known"]
        bea.lan.join(name)
        await bea.until(lambda: not bea.lan.busy)
        assert bea.lan.sitting() is None
        bea.lan._book.trust(key_of(ada).hex())
        assert [each.key for each in People(bea.files.paths).known()] == [key_of(ada)]
        bea.lan.join(name)
        await bea.until(lambda: bea.lan.sitting() is not None)

    scene(tmp_path, ("Ada", "Bea"), play)


def test_a_file_that_cannot_be_used_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play(ada: Guestroom) -> None:
        def refuse(*_given: object, **_named: object) -> None:
            raise StoreError("store-failed", path=tmp_path, why="No space left on device")

        monkeypatch.setattr(People, "mark", refuse)
        ada.lan._book.block("ab" * 32, blocked=True)
        assert "No space left on device" in ada.screen.noted
        monkeypatch.setattr(People, "known", refuse)
        ada.screen.note("")
        assert ada.lan._book.known() == ()
        assert "No space left on device" in ada.screen.noted

    scene(tmp_path, ("Ada",), play)
