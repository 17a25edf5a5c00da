"""The people's room: what is shown of each, and what can be done to them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest

from rummy_p2p.sentences.language import use_language
from rummy_p2p.ui.glyphs import ASCII
from rummy_p2p.ui.people_room import Acquaintance, PeopleRoom
from rummy_p2p.ui.popup import Question
from rummy_p2p.ui.room import Mouse
from rummy_p2p.ui.screen import Screen
from rummy_p2p.ui.style import Look
from tests.ui.lobby import SIZES, check_golden, click, drawn, make_screen, press

DAY = "2026-11-27 21:40"
BEA = Acquaintance("be" * 32, "Bea", "otter maple seven", "known", True, "Friday LAN", since=DAY)  # noqa: FBT003 -- as in the list
CEM = Acquaintance("ce" * 32, "Cem", "kestrel amber lantern", "new", here=True)
DAG = Acquaintance("da" * 32, "Dag", "lemon river stone", "another-key", here=True, before="copper pine lake")
EVA = Acquaintance("ea" * 32, "Eva", "velvet acorn drum", "blocked", seen=DAY, since="2026-01-02 18:00")
FINN = Acquaintance("f1" * 32, "Finn with a long name", "violet harbour lighthouse", "known", seen=DAY, since=DAY)
EVERYBODY = (BEA, CEM, DAG, EVA, FINN)


@dataclass
class FakeBook:
    """The people as a test wants them."""

    everybody: tuple[Acquaintance, ...] = EVERYBODY
    done: list[tuple[object, ...]] = field(default_factory=list)

    def people(self) -> tuple[Acquaintance, ...]:
        return self.everybody

    def trust(self, id: str) -> None:
        self.done.append(("trust", id[:2]))

    def forget(self, id: str) -> None:
        self.done.append(("forget", id[:2]))

    def block(self, id: str, *, blocked: bool) -> None:
        self.done.append(("block" if blocked else "unblock", id[:2]))


def people(book: FakeBook | None = None, *, ascii_only: bool = False) -> tuple[FakeBook, Screen, PeopleRoom]:
    book = book or FakeBook()
    screen = make_screen(replace(Look(), glyphs=ASCII) if ascii_only else Look())
    room = PeopleRoom(screen, book)
    screen.enter(room)
    return book, screen, room


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1] + 2}")
@pytest.mark.parametrize("name", ["people", "people-none", "people-changed"])
def test_it_looks_as_it_did(name: str, size: tuple[int, int]) -> None:
    _book, _screen, room = people(FakeBook(() if name == "people-none" else EVERYBODY))
    if name == "people-changed":
        room._chosen = DAG.id
    check_golden(f"{name}-{size[0]}x{size[1] + 2}", drawn(room, size))


def test_it_looks_so_in_plain_characters_and_in_swedish() -> None:
    _book, _screen, room = people(ascii_only=True)
    canvas = drawn(room, ascii_only=True)
    assert all(row.isascii() for row in canvas.rows())
    check_golden("people-80x24-ascii", canvas)
    use_language("sv")
    try:
        check_golden("people-80x24-sv", drawn(room))
    finally:
        use_language("en")


def test_somebody_new_is_trusted_blocked_and_let_again() -> None:
    book, screen, _room = people()
    press(screen, "down", "t", "b")
    assert book.done == [("trust", "ce"), ("block", "ce")]
    assert screen.noted == "Cem is blocked."
    press(screen, "pagedown", "up", "b")
    assert book.done[-1] == ("unblock", "ea")
    assert screen.noted == "Eva is no longer blocked."
    press(screen, "t")
    assert screen.noted == "Eva is blocked: b unblocks."
    press(screen, "pageup", "t")
    assert screen.noted == "Bea is known by this key already."


def test_another_key_is_only_trusted_after_a_question() -> None:
    book, screen, _room = people()
    press(screen, "j", "j", "t")
    assert isinstance(screen.room, Question)
    press(screen, "n")
    assert book.done == []
    press(screen, "t", "y")
    assert book.done == [("trust", "da")]
    press(screen, "x")
    assert screen.noted == "Nothing is kept of Dag."


def test_who_is_known_is_forgotten_after_a_question() -> None:
    book, screen, _room = people()
    press(screen, "x", "y")
    assert book.done == [("forget", "be")]
    assert screen.noted == "Bea is forgotten."


def test_the_same_by_typing() -> None:
    book, screen, room = people()
    for text in ("block Bea", "people block eva", "unblock Eva", "unblock Bea", "trust cem"):
        room.typed(text)
    assert book.done == [("block", "be"), ("unblock", "ea"), ("trust", "ce")]
    room.typed("forget Nobody")
    assert screen.noted == "Nobody called Nobody is known or here."
    room.typed("dance")
    assert screen.noted == "Here one can type: trust, forget, block, unblock, back."
    assert room.complete("un") == ("unblock",)
    assert room.complete("block b") == ("Bea",)
    room.typed("back")
    assert screen.room is None


def test_the_mouse_chooses_and_presses() -> None:
    _book, screen, room = people()
    pressed: list[str] = []
    screen.press = pressed.append  # type: ignore[method-assign,assignment]  # a screen that is not shown has no size
    click(screen, room, "velvet acorn", "down")
    assert "[b Unblock]" in "\n".join(drawn(room).rows())
    click(screen, room, "[b Unblock]")
    assert pressed == ["b"]
    room.mouse(Mouse("wheel-down", None, 0, 0))
    assert room._chosen == FINN.id
    room.mouse(Mouse("wheel-up", None, 0, 0))
    assert room._chosen == EVA.id


def test_with_nobody_nothing_can_be_done() -> None:
    book, screen, room = people(FakeBook(()))
    press(screen, "t", "b", "x", "down")
    room.mouse(Mouse("wheel-down", None, 0, 0))
    assert book.done == []
    press(screen, "escape")
    assert screen.room is None
