"""The profile as a page."""

from __future__ import annotations

import msgspec

from rummy_p2p.ui.profile import profile_lines, profile_title
from tests.ui.lobby import GAMES, PROFILE


def test_the_page() -> None:
    assert profile_title() == "Profile"
    assert profile_lines(PROFILE, GAMES) == [
        "Name: Ada. It is changed in the settings (S).",
        "Known to others as: otter maple seven. Compare it aloud when you want to be sure.",
        f"Identity: {'1a' * 32}",
        f"Address of this program: rummy://192.168.1.23:40123#{'2b' * 32}",
        "Your files: /home/ada/.local/share/rummy-p2p",
        "",
        "With people:",
        "  Norwegian rummy: 3 matches, 1 won; 12 hands, 5 won, 10.8 points a hand",
        "  gone: 1 match, 0 won; 1 hand, 0 won, 7.0 points a hand",
        "Practice against bots:",
        "  Gin rummy: 1 match, 1 won; 4 hands, 3 won, 25.0 points a hand",
        "",
        "3 matches are kept and can be looked at again (y).",
    ]


def test_a_page_without_a_match() -> None:
    lines = profile_lines(msgspec.structs.replace(PROFILE, totals=(), ledgers=0), GAMES)
    assert lines[-1] == "Nothing has been played to the end of a hand yet."
