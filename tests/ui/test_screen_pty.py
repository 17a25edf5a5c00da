"""A person plays a whole hand on the full screen, in a real terminal: by keys, by mouse, by typing alone."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.ui.terminal import Terminal

ROOT = Path(__file__).parents[2]
MOST_TURNS = 150
MY_TURN = r"YOUR TURN - (?=d draws|d turns|t takes|Type (?:draw|turn|take))"  # words where words are typed
FACE = re.compile(r"\|((?:10|[2-9AJQK])[shdc]) ?")


class Screen(Terminal):
    """A program that has the whole terminal."""

    @property
    def lines(self) -> list[str]:
        return [line.rstrip() for line in self._screen.display]

    def _read(self, deadline: float) -> bool:
        """Take in what the program writes until a frame is whole: half of one shows old and new side by side."""
        going_on = super()._read(deadline)
        while going_on and not self._is_whole():
            going_on = super()._read(deadline)
        return going_on

    def _is_whole(self) -> bool:
        """The program hides the cursor, draws, and shows it at the focus, or leaves it hidden at the upper left."""
        cursor = self._screen.cursor
        return not cursor.hidden or ((cursor.x, cursor.y) == (0, 0) and self.last.endswith(b"\x1b[0m"))

    def shows(self, *patterns: str) -> str:
        """Wait until one of the patterns is on the screen; return the screen."""
        self.wait_for("|".join(f"(?:{pattern})" for pattern in patterns))
        return "\n".join(self.lines)

    def press(self, keys: str) -> None:
        self.type(keys, enter=False)

    def click(self, pattern: str) -> None:
        """Press and let go the left button over the first place where the pattern stands, as soon as it does."""
        self.shows(pattern)
        for y, line in enumerate(self.lines, 1):
            if found := re.search(pattern, line):
                x = found.start() + 2
                self.press(f"\x1b[<0;{x};{y}M\x1b[<0;{x};{y}m")
                return
        raise AssertionError(f"{pattern!r} is not on the screen:\n" + "\n".join(self.lines))

    def count(self) -> int:
        """How many cards the title of the hand tells."""
        return int(self.wait_for(r"- Hand (\d+) ")[1])

    def hand(self) -> list[str]:
        """Return the faces of the fan: they stand in the lines under its title."""
        title = next(y for y, line in enumerate(self.lines) if line.startswith("-- Hand "))
        return [face for line in self.lines[title + 1 : title + 4] for face in FACE.findall(line[:57])]


@pytest.fixture
def screen(tmp_path: Path) -> Iterator[Screen]:
    command = [sys.executable, "-m", "rummy_p2p", "practice", "rummy-no", "--seed", "7", "--ascii", "--pace", "0"]
    data = ["--data", str(tmp_path)]
    with Screen([*command, *data], folder=ROOT, env={"LANG": "C.UTF-8"}, columns=80, rows=24) as opened:
        yield opened


def play(screen: Screen, turn: Callable[[Screen], None]) -> None:
    """Play turns until the hand has been counted."""
    for _ in range(MOST_TURNS):
        if "is over" in screen.shows(MY_TURN, "is over"):
            return
        turn(screen)
    pytest.fail(f"no end after {MOST_TURNS} turns")


def by_keys(screen: Screen) -> None:
    before = screen.count()
    screen.press("d" if "d draws" in "\n".join(screen.lines) else "t")
    if screen.shows(f"Hand {before + 1} ", "d draws from the stock") and screen.count() == before:
        screen.press("d")  # the pile was turned over
    screen.shows(f"Hand {before + 1} ")
    while "[m Meld]" in screen.shows(r"[\[(]m Meld"):
        held = screen.count()
        screen.press("m")
        screen.shows(rf"Hand (?!{held} )\d+ ", "is over")
        if "is over" in "\n".join(screen.lines):
            return
    held = screen.count()
    screen.press("x")
    screen.shows(rf"Hand (?!{held} )\d+ ", "is over")


def by_mouse(screen: Screen) -> None:
    before = screen.count()
    screen.click(r"\|#####\|" if "d draws" in "\n".join(screen.lines) else " t Take")
    screen.shows(f"Hand {before + 1} ")
    while "[m Meld]" in screen.shows(r"[\[(]m Meld"):
        held = screen.count()
        screen.click(r"m Meld")
        screen.shows(rf"Hand (?!{held} )\d+ ", "is over")
        if "is over" in "\n".join(screen.lines):
            return
    held, card = screen.count(), screen.hand()[-1]
    screen.click(rf"\|{card} ?\|? *\|")
    screen.shows(r"\[x Discard\]")
    screen.click("x Discard")
    screen.shows(rf"Hand (?!{held} )\d+ ", "is over")


def by_typing(screen: Screen) -> None:
    before = screen.count()
    screen.type("draw" if "Type draw" in "\n".join(screen.lines) else "take", enter=True)
    screen.shows(f"Hand {before + 1} ")
    screen.type(f"discard {screen.hand()[-1]}")
    screen.shows(f"Hand {before} ", "is over")


def leave(screen: Screen) -> None:
    screen.press("q")
    screen.shows("Leave the table")
    screen.press("y")
    assert screen.wait_for_end() == 0
    assert screen.echoes()


def test_a_hand_is_played_by_keys_alone(screen: Screen) -> None:
    play(screen, by_keys)
    assert screen.bells > 0
    screen.shows("Enter: next hand")
    screen.press("4")
    screen.shows("Noted: 4 of 5")
    screen.press("\r")
    screen.shows("round 2")
    leave(screen)


def test_a_hand_is_played_by_mouse_alone(screen: Screen) -> None:
    play(screen, by_mouse)
    screen.click(r"Enter Continue\]")
    screen.shows("round 2")
    screen.click("q Leave")
    screen.shows("Leave the table")
    screen.click("y Leave")
    assert screen.wait_for_end() == 0
    assert screen.echoes()


def test_a_hand_is_played_by_typing_alone(screen: Screen) -> None:
    screen.shows(MY_TURN)
    screen.press(":")
    screen.shows("do>")
    play(screen, by_typing)
    screen.press(":")
    screen.shows("do>")
    screen.type("next")
    screen.shows("round 2")
    screen.type("quit")
    screen.shows("Leave the table")
    screen.press("y")
    assert screen.wait_for_end() == 0


def test_ctrl_c_leaves_at_the_second_time_and_the_terminal_is_as_before(screen: Screen) -> None:
    screen.shows(MY_TURN)
    screen.press("\x03")
    screen.shows("Ctrl-C once more")
    screen.press("\x03")
    assert screen.wait_for_end() == 130
    assert screen.echoes()
