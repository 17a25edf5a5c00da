"""The letters of a join code, so large that they are read across a room: five cells wide, of blocks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from rummy_p2p.ui.glyphs import Glyphs

WIDTH: Final = 5
_GAP: Final = 1
# Five rows from the top, each of five dots as a number: 0b10001 is the left and the right one.
_ROWS: Final[Mapping[str, tuple[int, ...]]] = MappingProxyType(
    {
        "0": (14, 19, 21, 25, 14), "1": (4, 12, 4, 4, 14), "2": (30, 1, 14, 16, 31), "3": (30, 1, 14, 1, 30),
        "4": (18, 18, 31, 2, 2), "5": (31, 16, 30, 1, 30), "6": (14, 16, 30, 17, 14), "7": (31, 1, 2, 4, 4),
        "8": (14, 17, 14, 17, 14), "9": (14, 17, 15, 1, 14), "A": (14, 17, 31, 17, 17), "B": (30, 17, 30, 17, 30),
        "C": (15, 16, 16, 16, 15), "D": (30, 17, 17, 17, 30), "E": (31, 16, 30, 16, 31), "F": (31, 16, 30, 16, 16),
        "G": (15, 16, 19, 17, 15), "H": (17, 17, 31, 17, 17), "J": (7, 2, 2, 18, 12), "K": (17, 18, 28, 18, 17),
        "M": (17, 27, 21, 17, 17), "N": (17, 25, 21, 19, 17), "P": (30, 17, 30, 16, 16), "Q": (14, 17, 21, 18, 13),
        "R": (30, 17, 30, 18, 17), "S": (15, 16, 14, 1, 30), "T": (31, 4, 4, 4, 4), "V": (17, 17, 17, 10, 4),
        "W": (17, 17, 21, 27, 17), "X": (17, 10, 4, 10, 17), "Y": (17, 10, 4, 4, 4), "Z": (31, 2, 4, 8, 31),
    }
)  # fmt: skip
_HALVES: Final = {(True, True): "█", (True, False): "▀", (False, True): "▄", (False, False): " "}


def big_lines(text: str, glyphs: Glyphs) -> tuple[str, ...]:
    """Return the lines of a text in large letters: three of half blocks, or five of plain characters."""
    rows = [_row(text, number) for number in range(5)]
    if glyphs.across.isascii():
        return tuple("".join("#" if dot else " " for dot in row).rstrip() for row in rows)
    pairs = zip(rows[::2], [*rows[1::2], [False] * len(rows[0])], strict=True)
    return tuple(_halves(upper, lower) for upper, lower in pairs)


def _row(text: str, number: int) -> list[bool]:
    """Return a row of dots; what is no letter of a code is a gap."""
    dots: list[bool] = []
    for letter in text:
        bits = _ROWS.get(letter, (0,) * 5)[number]
        dots += [bool(bits >> WIDTH - 1 - x & 1) for x in range(WIDTH)] + [False] * _GAP
    return dots


def _halves(upper: Sequence[bool], lower: Sequence[bool]) -> str:
    return "".join(_HALVES[cell] for cell in zip(upper, lower, strict=True)).rstrip()
