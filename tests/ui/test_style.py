"""Style names and colours: every name of the rooms exists, decks differ, NO_COLOR and FORCE_COLOR are heard."""

from __future__ import annotations

import pytest
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import DEFAULT_ATTRS

from rummy_p2p.ui.style import DECKS, Deck, classes, depth_of, style_of

NAMES = (
    "red green yellow blue dim bold reverse title mine alert back enabled disabled selected focus hint "
    "suit-s suit-h suit-d suit-c"
)


@pytest.mark.parametrize("deck", DECKS)
def test_every_style_name_means_something(deck: Deck) -> None:
    style = style_of(deck)
    assert [name for name in NAMES.split() if style.get_attrs_for_style_str(classes(name)) == DEFAULT_ATTRS] == []


def test_a_diamond_is_never_blue() -> None:
    for deck in DECKS:
        assert "blue" not in (style_of(deck).get_attrs_for_style_str("class:suit-d").color or "")


def test_the_same_style_is_the_same_object() -> None:
    assert style_of("four") is style_of("four")


def test_colours_are_asked_for() -> None:
    assert depth_of("never", {}) is ColorDepth.DEPTH_1_BIT
    assert depth_of("always", {}) is ColorDepth.DEPTH_4_BIT
    assert depth_of("auto", {"FORCE_COLOR": "1"}) is ColorDepth.DEPTH_4_BIT
    assert depth_of("auto", {"FORCE_COLOR": "1", "NO_COLOR": "1"}) is None
    assert depth_of("auto", {}) is None
