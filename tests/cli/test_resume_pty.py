"""Three people on the full screen: the host's program is killed in the middle of a turn, and the hand is finished."""

from __future__ import annotations

import os
import re
import select
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Self

import pytest

from tests.cli.tables import title
from tests.ui.test_screen_pty import Screen

pytestmark = pytest.mark.timeout(240)

ROOT = Path(__file__).parents[2]
MOST_TURNS = 200
MOST_PRESSES = 6
MY_TURN = r"YOUR TURN - (?=d draws|d turns|t takes|.*c \(RUMMY\))"
OVER = "is over"
AGAIN_AFTER = 5.0  # what is pressed while the last move is on its way does nothing
SLICE = 0.05


class Group:
    """Screens of programs that play with each other: while one of them is waited for the others are read as well."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.folder = folder
        self.stack = stack
        self.screens: dict[str, Seated] = {}

    def open(self, nick: str, *words: str) -> Seated:
        command = [sys.executable, "-m", "rummy_p2p", *words, "--nick", nick, "--interface", "lo", "--ascii"]
        screen = Seated([*command, "--data", str(self.folder / nick)], self)
        self.screens[nick] = self.stack.enter_context(screen)
        return self.screens[nick]

    def kill(self, nick: str) -> None:
        self.screens.pop(nick).kill()


class Seated(Screen):
    """One of them."""

    def __init__(self, command: list[str], group: Group) -> None:
        super().__init__(command, folder=ROOT, env={"LANG": "C.UTF-8"}, columns=80, rows=24)
        self.group = group
        self.is_open = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *how: object) -> None:
        if self.is_open:
            self.is_open = False
            super().__exit__(None, None, None)

    def kill(self) -> None:
        """With no chance to say anything."""
        self.__exit__()

    def _read(self, deadline: float) -> bool:
        while time.monotonic() < deadline and not self._has_news():
            for other in self.group.screens.values():
                if other is not self and other._has_news(0.0):
                    Screen._read(other, time.monotonic() + SLICE)
        return super()._read(deadline)

    def _has_news(self, seconds: float = SLICE) -> bool:
        return bool(select.select([self._descriptor], [], [], seconds)[0])

    def faces(self) -> list[str]:
        return sorted(self.hand())

    def drawn_with(self, count: int) -> list[str]:
        """The fan when it shows so many cards: a frame comes in pieces, and the number above it first."""
        deadline = time.monotonic() + AGAIN_AFTER
        while len(self.faces()) != count and self._read(deadline):
            pass
        return self.faces()

    def comes_to_hold(self, faces: list[str]) -> bool:
        """Whether the fan shows these cards, at the latest when all that is on its way has been drawn."""
        deadline = time.monotonic() + AGAIN_AFTER
        while self.faces() != faces and self._read(deadline):
            pass
        return self.faces() == faces

    def shows_within(self, seconds: float, pattern: str) -> bool:
        deadline = time.monotonic() + seconds
        while not (found := re.search(pattern, "\n".join(self.lines))) and self._read(deadline):
            pass
        return bool(found)

    def move(self, key: str) -> None:
        """Press a key until it has changed how many cards are in hand, or the hand is over."""
        other = rf"- Hand (?!{self.count()} )\d+ |{OVER}"
        for _ in range(MOST_PRESSES):
            self.press(key)
            if self.shows_within(AGAIN_AFTER, other):
                return
        pytest.fail(f"{key} does nothing:\n" + "\n".join(self.lines))

    def play_turn(self) -> None:
        self.move("d")
        while "[m Meld]" in self.shows(r"[\[(]m Meld", OVER):
            self.move("m")
        if OVER not in "\n".join(self.lines):
            self.move("x")


@pytest.fixture
def group(tmp_path: Path) -> Iterator[Group]:
    with ExitStack() as stack:
        yield Group(tmp_path, stack)


def sit_down(group: Group) -> None:
    """Ada opens a table and is host of the first term; Bea and Cem join; all are ready."""
    name = title()
    short = ("--house", "stock-out=hand-ends")  # at most 27 turns
    ada = group.open("Ada", "host", "rummy-no", "--seats", "3", "--title", name, "--be-host", "always", *short)
    ada.shows("At the table")
    for nick in ("Bea", "Cem"):
        group.open(nick, "join", name).shows("Enter Ready")
    for nick in ("Bea", "Cem"):
        group.screens[nick].press("\r")
    ada.shows(r"\[Enter Start\]")
    ada.press("\r")
    for screen in group.screens.values():
        screen.shows(r"- Hand 7 ")


def on_turn(group: Group) -> str:
    """Whose turn it is; empty when the hand is over."""
    deadline = time.monotonic() + 90
    while time.monotonic() < deadline:
        for nick, screen in group.screens.items():
            shown = "\n".join(screen.lines)
            if OVER in shown:
                return ""
            if re.search(MY_TURN, shown):
                return nick
            screen._read(time.monotonic() + SLICE)
    pytest.fail("nobody is on turn:\n" + "\n\n".join("\n".join(screen.lines) for screen in group.screens.values()))


def play(group: Group, *, until: str = "") -> None:
    """Let everybody who is on turn play, until it is somebody's turn, or the hand is over."""
    for _ in range(MOST_TURNS):
        nick = on_turn(group)
        if nick in ("", until):
            return
        group.screens[nick].play_turn()
    pytest.fail(f"no end after {MOST_TURNS} turns")


@pytest.mark.skipif(os.name != "posix", reason="a pty exists on Unix alone")
def test_the_host_is_killed_in_mid_turn_and_the_hand_is_finished_with_its_cards(group: Group) -> None:
    sit_down(group)
    play(group, until="Ada")
    ada = group.screens["Ada"]
    before = ada.count()
    ada.move("d")
    held = ada.drawn_with(before + 1)
    assert len(held) == before + 1
    group.kill("Ada")
    for nick in ("Bea", "Cem"):
        group.screens[nick].shows("Ada cannot be reached", "Ada.*away", "waits for Ada")
    back = group.open("Ada", "resume")
    back.shows(f"Hand {before + 1} ")
    assert back.comes_to_hold(held)
    back.shows(r"\[x Discard\]")
    back.move("x")
    play(group)
    for screen in group.screens.values():
        screen.shows(OVER)
