from __future__ import annotations

import io
import json
import sys
from argparse import Namespace
from typing import Any

import pytest

from rummy_p2p.bots import LEVELS
from rummy_p2p.cli import CommandError, local, main, simulating
from rummy_p2p.cli.simulating import Recipe, play_recipe
from rummy_p2p.offline.simulate import Estimate, Result, SeatResult
from rummy_p2p.variants.api import Bot
from rummy_p2p.variants.manager import installed, make_catalogue
from tests.variants.plugins import plugin

OK, ERROR, USAGE, RULES = 0, 1, 2, 4
TURNS = Estimate(10, 1)


def told(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(("simulate", *words))
    out, err = capsys.readouterr()
    return code, out, err


def answer(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    code, out, _ = told(capsys, *words, "--json")
    assert code == OK
    found = json.loads(out)
    assert isinstance(found, dict)
    return found


def test_it_tells_who_wins_how_fair_and_how_long(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = told(capsys, "rummy-no", "--bots", "normal,easy", "--hands", "40")
    assert (code, err) == (OK, "")
    assert out.startswith("Norwegian rummy: 40 hands of bots against bots.\nnormal on seat 1: +")
    assert "of decided hands" in out
    assert "A hand takes" in out
    assert "How hands end: somebody goes out" in out


def test_the_same_as_data(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "gin", "--bots", "normal,normal", "--hands", "8")
    assert set(found) == {"game", "house", "hands", "bots", "seats", "turns", "endings"}
    assert (found["game"], found["hands"]) == ("gin", 8)
    assert set(found["bots"][0]) == {"level", "gain", "won"}
    assert found["bots"][0]["gain"]["mean"] == 0


def test_the_seed_gives_other_deals(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("gin", "--bots", "normal,easy", "--hands", "8")
    assert answer(capsys, *words) == answer(capsys, *words) != answer(capsys, *words, "--seed", "1")


def test_two_processes_come_to_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("rummy-no", "--house", "ace=low", "--bots", "normal,easy,easy", "--hands", "30")
    assert answer(capsys, *words, "--jobs", "2") == answer(capsys, *words)


def test_a_cluster_comes_to_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    distributed: Any = pytest.importorskip("distributed", reason="the extra cluster is not installed")
    words = ("rummy-no", "--bots", "normal,easy", "--hands", "24")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0", host="127.0.0.1"
    ) as cluster:
        assert answer(capsys, *words, "--cluster", cluster.scheduler_address) == answer(capsys, *words)


def test_a_house_rule_is_compared_with_the_game(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("gin", "--house", "knock-limit=0", "--compare", "gin", "--hands", "20")
    found = answer(capsys, *words)
    assert found["turns"]["mean"] > found["compare"]["turns"]["mean"]
    code, out, _ = told(capsys, *words)
    assert code == OK
    table = out.partition("\n\n")[2].splitlines()
    assert table[0].split() == ["Gin", "rummy", "+knock-limit=0", "Gin", "rummy", "difference"]
    assert [line.partition("  ")[0] for line in table[1:5]] == [
        "turns of a hand",
        "playing first, points",
        "normal on seat 1, points",
        "normal on seat 2, points",
    ]
    assert all(line.count(" ± ") == 3 for line in table[1:-1])
    assert table[1].endswith(" *")
    assert table[-1].startswith("* More than chance explains")


def test_what_is_alike_is_not_marked(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = told(capsys, "gin", "--compare", "gin", "--hands", "8")
    table = out.partition("\n\n")[2].splitlines()
    assert not any(line.endswith("*") for line in table)
    assert all("+0.0 ± " in line for line in table[1:-1])


def test_a_seat_that_is_better_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    result = Result(
        "gin", (), 8, (), (SeatResult(0, Estimate(9, 2)), SeatResult(1, Estimate(-1, 2))), TURNS, {"gin": 8}
    )
    simulating._tell(result, make_catalogue(installed()).compile("gin"))
    out = capsys.readouterr().out
    assert "The seat matters: playing 1 is worth +9.0 ± 2.0 points a hand." in out
    assert "No seat" not in out


def test_a_level_of_a_plugin_can_play(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    source = plugin("copy", rummy_bots=lambda: [Bot("copy", LEVELS["normal"])])
    everything = (*installed(), source)
    monkeypatch.setattr(local, "installed", lambda: everything)
    found = answer(capsys, "gin", "--bots", "copy,normal", "--hands", "4")
    assert [bot["level"] for bot in found["bots"]] == ["copy", "normal"]
    assert found["bots"][0]["gain"]["mean"] == 0


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (("gin", "--bots", "normal,best"), USAGE, "There is no level 'best'. Levels: easy, normal, hard"),
        (("gin", "--bots", "normal"), USAGE, "Gin rummy is for 2 to 2 players; --bots names 1."),
        (("gin", "--hands", "0"), USAGE, "--hands is how many hands are played, at least 1, not 0."),
        (("gin", "--jobs", "0"), USAGE, "--jobs is how many processes play, at least 1, not 0."),
        (("rummy-no", "--bots", "normal,normal,normal", "--compare", "gin"), USAGE, "--bots names 3."),
        (("whist",), RULES, "There is no game called 'whist'."),
        (("gin", "--compare", "whist"), RULES, "There is no game called 'whist'."),
    ],
)
def test_what_cannot_be_played_is_told(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], code: int, sentence: str
) -> None:
    ended, out, err = told(capsys, *words)
    assert (ended, out) == (code, "")
    assert sentence in err


def test_without_the_extra_it_says_what_to_install(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    code, _, err = told(capsys, "gin", "--cluster", "tcp://127.0.0.1:1")
    assert code == USAGE
    assert "pip install 'rummy-p2p[cluster]'" in err


def test_a_scheduler_that_is_not_there_is_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def client(address: str, **_options: object) -> object:
        raise OSError("nobody answers")

    monkeypatch.setitem(sys.modules, "distributed", Namespace(Client=client))
    code, _, err = told(capsys, "gin", "--cluster", "tcp://127.0.0.1:1")
    assert code == ERROR
    assert "The scheduler at tcp://127.0.0.1:1 cannot be reached: nobody answers. Is it running?" in err


def test_a_worker_with_other_rules_plays_nothing() -> None:
    recipe = Recipe("gin", (), ("normal", "normal"), 0, None, "another")
    with pytest.raises(CommandError, match="A worker has other rules for gin"):
        play_recipe(recipe, 0, 1)


def test_on_a_terminal_there_is_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    assert main(("simulate", "gin", "--hands", "4", "--bots", "normal,easy", "--json")) == OK
    assert "\rGin rummy [##############################] 100 %" in screen.getvalue()
    assert screen.getvalue().endswith("\r\x1b[K")
