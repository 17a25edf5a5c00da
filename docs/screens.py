#!/usr/bin/env python3
"""Puts the pictures of the screens into README.md and docs/screens.md as the tests hold them: ``make docs`` runs it.

A picture is the block of code behind a comment that names its file in tests/golden/screens: ``<!-- screen: NAME -->``.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
SCREENS: Final = ROOT / "tests" / "golden" / "screens"
PAGES: Final = (ROOT / "README.md", ROOT / "docs" / "screens.md")
_PICTURE: Final = re.compile(r"(?P<mark><!-- screen: (?P<name>[\w-]+) -->\n+)```\n.*?\n```\n", re.DOTALL)


def with_pictures(page: str) -> str:
    """Return a page with every picture as it is now."""

    def picture(found: re.Match[str]) -> str:
        screen = (SCREENS / f"{found['name']}.txt").read_text("utf-8").rstrip("\n")
        return f"{found['mark']}```\n{screen}\n```\n"

    return _PICTURE.sub(picture, page)


def names(page: str) -> list[str]:
    """Return the pictures of a page, by the names of their files."""
    return [found["name"] for found in _PICTURE.finditer(page)]


def main() -> None:
    """Write the pages anew."""
    for path in PAGES:
        path.write_text(with_pictures(path.read_text("utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
