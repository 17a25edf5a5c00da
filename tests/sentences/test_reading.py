"""What stands around a text that is read."""

from __future__ import annotations

from rummy_p2p.sentences.reading import reading_text


def test_facts_are_filled_in() -> None:
    assert reading_text("place", first=1, last=18, all=93) == "lines 1 to 18 of 93"
    assert reading_text("back") == "Back"
