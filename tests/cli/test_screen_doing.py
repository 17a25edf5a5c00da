"""What is under way says for how long, once that is worth telling."""

from __future__ import annotations

from rummy_p2p.cli.screen_doing import Doing
from tests.ui.lobby import make_screen


def test_the_seconds_are_counted_from_the_second_one_on() -> None:
    now = [100.0]
    doing = Doing(make_screen(), lambda: now[0])
    assert doing.said == ""
    doing.begin("Working: verify")
    now[0] += 1.9
    assert doing.said == "Working: verify"
    now[0] += 5
    assert doing.said == "Working: verify 6 s"
    doing.begin("Working: games")
    assert doing.said == "Working: games"
    doing.end()
    assert doing.said == ""
