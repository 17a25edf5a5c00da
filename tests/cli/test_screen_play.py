"""Which table is shown on the full screen, and what is kept of a vote."""

from __future__ import annotations

import asyncio
import io
import json
import sys
from pathlib import Path

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from rummy_p2p.cli.inviting import Inviting
from rummy_p2p.cli.parser import make_parser
from rummy_p2p.cli.screen_play import Network, keep_vote, on_screen, sit
from rummy_p2p.sentences.screen import TableFacts
from rummy_p2p.store import Paths, Store
from tests.node.party import party
from tests.ui.seat import FakeSeat
from variants_plugins.gin import RULES as GIN
from variants_plugins.rummy_sv import RULES as SWEDISH


class Glass(io.StringIO):
    def isatty(self) -> bool:
        return True


def is_shown(tmp_path: Path, *words: str) -> bool:
    options = make_parser().parse_args(["practice", "gin", "--data", str(tmp_path), *words])
    return on_screen(options, Store(Paths.of(tmp_path)))


def test_the_screen_is_for_terminals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    assert not is_shown(tmp_path)
    monkeypatch.setattr(sys, "stdin", Glass())
    monkeypatch.setattr(sys, "stdout", Glass())
    assert is_shown(tmp_path)
    assert not is_shown(tmp_path, "--plain")
    monkeypatch.setenv("TERM", "dumb")
    assert not is_shown(tmp_path)


def test_a_vote_is_kept_for_each_set_of_rules(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    files = Store(Paths.of(tmp_path))
    for rules, number in ((GIN, 2), (SWEDISH.with_(house=("take-all",)), 5), (GIN, 4)):
        keep_vote(files, rules.with_(game=rules.game or rules.meta.title), number)
    assert json.loads((tmp_path / "state" / "votes.json").read_text("utf-8")) == {
        "Gin rummy": 4,
        "Swedish rummy+take-all": 5,
    }
    (tmp_path / "state" / "votes.json").write_text("no votes", encoding="utf-8")
    keep_vote(files, GIN, 1)
    assert "could not be kept" in caplog.text


def test_who_suspends_has_the_terminal_back_at_once(tmp_path: Path) -> None:
    async def shown() -> int:
        seat, files = FakeSeat(), Store(Paths.of(tmp_path))
        options = make_parser().parse_args(["host", "gin", "--data", str(tmp_path)])
        seat.say(None)
        with create_pipe_input() as keys, create_app_session(keys, DummyOutput()):
            async with party("Ada") as made, asyncio.timeout(20):
                inviting = Inviting(made.peers[0], files, lambda _line: None)
                around = Network(made.peers[0].watch, lambda: True, inviting, lambda _ascii: None)
                return await sit(options, files, seat, TableFacts, network=around)

    assert asyncio.run(shown()) == 0
