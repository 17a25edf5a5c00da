"""Keys that mean nothing where they are pressed: what is said of them, and what is no key."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from prompt_toolkit.key_binding.key_processor import KeyPress
from prompt_toolkit.keys import Keys

from rummy_p2p.ui.room import Key
from rummy_p2p.ui.strays import stray_bindings, stray_text

HELP = Key(("?", "f1"), "Help", lambda: None)
CLOSES = Key(("escape", "enter", "?"), "Close", lambda: None)


@pytest.mark.parametrize(
    ("name", "cap"),
    [
        *(("x", "x"), (" ", "Space"), ("å", "å"), ("c-m", "Enter"), ("c-i", "Tab"), ("c-h", "Backspace")),
        *(("up", "Up"), ("s-up", "Shift-Up"), ("c-left", "Ctrl-Left"), ("c-a", "Ctrl-A"), ("f12", "F12")),
        *(("c-s-left", "Ctrl-Shift-Left"), ("insert", "Ins"), ("s-f3", "Shift-F3")),
    ],
)
def test_the_key_is_called_by_what_stands_on_it(name: str, cap: str) -> None:
    assert stray_text(name, [HELP]) == f"{cap} does nothing here. ? shows the keys."


def test_a_key_that_cannot_be_shown_has_no_name() -> None:
    assert stray_text("\u200b", [HELP]) == "This key does nothing here. ? shows the keys."


def test_where_help_is_not_a_key_the_way_out_is_told() -> None:
    assert stray_text("x", [CLOSES]) == "x does nothing here. Esc closes this."


def test_every_key_is_bound_and_nothing_that_is_no_key() -> None:
    bindings = stray_bindings(lambda _name: None)
    for key in (Keys.Up, Keys.F5, Keys.ControlM, Keys.ControlV, Keys.Escape, "x", " ", "漢"):
        (found,) = bindings.get_bindings_for_keys((key,))[-1:]
        assert found.eager() is isinstance(key, Keys)
    for key in (Keys.Vt100MouseEvent, Keys.CPRResponse, Keys.BracketedPaste, Keys.SIGINT, Keys.Ignore, Keys.ScrollUp):
        assert [found.keys for found in bindings.get_bindings_for_keys((key,))] == [(Keys.Any,)]  # what is its own wins


def test_what_is_no_key_is_not_handed_on_by_the_binding_of_letters() -> None:
    heard: list[str] = []
    (letters,) = [each for each in stray_bindings(heard.append).bindings if each.keys == (Keys.Any,)]
    for key in ("x", Keys.BracketedPaste, Keys.Ignore, Keys.Vt100MouseEvent):
        letters.handler(SimpleNamespace(key_sequence=[KeyPress(key)]))  # type: ignore[arg-type]  # all that it looks at
    assert heard == ["x"]
