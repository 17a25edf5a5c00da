"""The profile as a page."""

from __future__ import annotations

import msgspec

from rummy_p2p.statistics import Played
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
        "Program: rummy-p2p 0",
        "You have met 2 other players so far.",
        "",
        "With people:",
        "  Norwegian rummy: 3 matches, 1 won; 12 hands, 5 won, 10.8 points a hand",
        "  gone: 1 match, 0 won; 1 hand, 0 won, 7.0 points a hand",
        "Practice against bots:",
        "  Gin rummy: 1 match, 1 won; 4 hands, 3 won, 25.0 points a hand",
        "",
        "All together: 5 matches, 2 won; 17 hands, 8 won, 13.9 points a hand",
        "",
        "3 matches are kept and can be looked at again (y).",
    ]


def test_a_page_without_a_match() -> None:
    lines = profile_lines(msgspec.structs.replace(PROFILE, totals=(), ledgers=0), GAMES)
    assert lines[-1] == "Nothing has been played to the end of a hand yet."


def test_the_latest_matches_are_told_with_what_came_of_them() -> None:
    def played(game: str, *, over: bool, won: bool) -> Played:
        return Played("ab", game, (), ("Ada", "Bea"), 1_700_000_000, over=over, won=won)

    ends = (("gin", True, True), ("gin", True, False), ("x", False, False))
    latest = tuple(played(game, over=over, won=won) for game, over, won in ends)
    lines = profile_lines(msgspec.structs.replace(PROFILE, latest=latest), GAMES)
    told = lines[lines.index("Latest matches:") + 1 :][:3]
    assert [line.partition("  ")[2].split("  ")[1] for line in told] == [
        "Gin rummy: Ada, Bea (won)",
        "Gin rummy: Ada, Bea (not won)",
        "x: Ada, Bea (not played to its end)",
    ]
    assert told[0].startswith("  2023-11-1")
