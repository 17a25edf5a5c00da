"""The pictures in the documents are the screens that the tests hold."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = {"lobby", "form", "table", "score", "learn"}


def the_script() -> ModuleType:
    found = importlib.util.spec_from_file_location("screens", ROOT / "docs" / "screens.py")
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


@pytest.mark.parametrize("page", ["README.md", "docs/screens.md"])
def test_a_picture_is_the_screen_as_it_is_today(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    assert the_script().with_pictures(text) == text, "run: python docs/screens.py"


def test_every_room_has_a_picture() -> None:
    names = the_script().names((ROOT / "docs" / "screens.md").read_text("utf-8"))
    assert {name.partition("-")[0] for name in names} >= ROOMS
    assert (ROOT / "docs" / "screens.md").read_text("utf-8").count("```\n") == 2 * len(names)


def test_a_picture_that_is_old_is_found() -> None:
    page = "<!-- screen: table-my-turn-80x24 -->\n```\nan old one\n```\n"
    assert "an old one" not in the_script().with_pictures(page)
