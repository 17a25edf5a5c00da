"""Commands that need no network: what they answer, in words and as JSON, and how they end."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from rummy_p2p.cli import main
from rummy_p2p.cli.local import WIDTH
from rummy_p2p.variants import manager
from rummy_p2p.variants.manager import ONLY
from tests.variants.plugins import failing, game, of_games

OK, ERROR, USAGE, RULES = 0, 1, 2, 4


class Told:
    """What a command wrote and how it ended."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    def json(self) -> dict[str, Any]:
        """Return the one object on stdout, and nothing else is there."""
        assert self.out.count("\n") == 1
        answer = json.loads(self.out)
        assert isinstance(answer, dict)
        return answer


class Run:
    """Runs a command line in this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *words: str) -> Told:
        code = main(words)
        out, err = self._capsys.readouterr()
        return Told(code, out, err)

    def fails(self, *words: str) -> tuple[int, str]:
        """Run a command that fails: one sentence on stderr, nothing on stdout."""
        told = self(*words)
        assert told.out == ""
        assert told.err.startswith("rummy-p2p: ")
        assert told.err.endswith((".\n", ". See: rummy-p2p --help\n"))
        assert told.err.count("\n") == 1
        assert "Traceback" not in told.err
        return told.code, told.err.removeprefix("rummy-p2p: ").strip()


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    return Run(capsys)


# --- games, rules, variants ------------------------------------------------------------------------------------------


def test_games_as_json(run: Run) -> None:
    answer = run("games", "--json").json()
    assert answer.keys() >= {"games", "house_rules"}
    games = {one["id"]: one for one in answer["games"]}
    assert games["rummy-no"] == {
        "id": "rummy-no",
        "title": "Norwegian rummy",
        "players": [2, 6],
        "minutes": [15, 30],
        "difficulty": "easy",
        "plugin": "rummy-no",
    }
    rules = {one["id"]: one for one in answer["house_rules"]}
    joker = rules["joker-20"]
    assert joker.keys() >= {"id", "title", "options", "fits", "plugin"}
    assert "rummy-no" in joker["fits"]
    option = joker["options"][0]
    assert {key: option[key] for key in ("name", "type", "default", "choices")} == {
        "name": "jokers",
        "type": "int",
        "default": None,
        "choices": [],
    }


def test_games_in_words(run: Run) -> None:
    told = run("games")
    assert told.code == OK
    assert "rummy-no       Norwegian rummy, 2-6 players, 15-30 minutes, easy\n" in told.out
    assert "joker-20       20-point joker: A joker" in told.out
    assert "jokers=int: how many jokers" in told.out


def test_rules_as_json(run: Run) -> None:
    answer = run("rules", "rummy-no", "--house", "joker-20:jokers=4", "--json").json()
    assert (answer["game"], answer["house"]) == ("rummy-no", ["joker-20:jokers=4"])
    assert len(answer["fingerprint"]) == 64
    assert answer["knobs"]["deck.jokers"] == 4
    assert {"knob": "deck.jokers", "standard": 0, "here": 4} in answer["differs"]
    assert all(isinstance(paragraph, str) for paragraph in answer["sheet"])
    plain = run("rules", "rummy-no", "--json").json()
    assert plain["differs"] == []
    assert plain["fingerprint"] != answer["fingerprint"]


def test_rules_in_words_say_first_what_differs(run: Run) -> None:
    told = run("rules", "rummy-no", "--house", "joker-20:jokers=4")
    paragraphs = told.out.strip().split("\n\n")
    assert paragraphs[0] == "Norwegian rummy, with the house rules joker-20:jokers=4."
    assert paragraphs[1].startswith("Different here (Players and deck): The deck is one pack of 52 cards and 4 jokers")
    assert max(map(len, told.out.splitlines())) <= WIDTH


def test_rules_against_another_game(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    sources = (*manager.installed(), of_games("other", game("other")))
    monkeypatch.setattr("rummy_p2p.cli.local.installed", lambda: sources)
    answer = run("rules", "rummy-no", "--diff", "other", "--json").json()
    assert {"knob": "melds.ace", "standard": "either", "here": "low"} in answer["differs"]
    assert run.fails("rules", "rummy-no", "--diff", "nothing")[0] == RULES


def test_variants_as_json(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    sources = (*manager.installed(), failing("bad", ImportError("no such thing")))
    monkeypatch.setattr("rummy_p2p.cli.local.installed", lambda: sources)
    plugins = {one["name"]: one for one in run("variants", "--json").json()["plugins"]}
    assert plugins["rummy-no"].keys() == {"name", "source", "version", "ok", "error"}
    assert (plugins["rummy-no"]["ok"], plugins["rummy-no"]["error"]) == (True, None)
    assert plugins["bad"]["ok"] is False
    assert plugins["bad"]["error"] == "The plugin 'bad' failed in import: ImportError: no such thing."
    told = run("variants")
    assert "bad            test 1 The plugin 'bad' failed in import" in told.out
    assert told.err == ""


def test_a_broken_plugin_is_named_and_the_rest_works(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ONLY, "rummy-no,nowhere")
    told = run("games", "--json")
    assert [one["id"] for one in told.json()["games"]] == ["rummy-no"]
    assert told.code == OK
    assert told.err == (
        "rummy-p2p: The plugin 'nowhere' failed in import: ModuleNotFoundError: "
        f"{ONLY} names it, and it is not installed. It is left out (rummy-p2p variants).\n"
    )


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["rules", "nothing"], RULES, "There is no game called 'nothing'. Games: "),
        (["rules", "rummy-no", "--house", "nothing"], RULES, "There is no house rule called 'nothing'. House rules: "),
        (["rules", "rummy-no", "--house", "joker-20=x"], USAGE, "jokers is a whole number from 0, not 'x'."),
        (["rules", "rummy-no", "--house", "joker-20:x=1"], USAGE, "has no option 'x'. Its options: jokers."),
        (["rules", "rummy-no", "--house", "joker-20=99"], USAGE, "'joker-20' does not go with 'rummy-no'"),
        (["hand", "nothing", "7h"], RULES, "There is no game called 'nothing'."),
        (["practice", "nothing"], RULES, "There is no game called 'nothing'."),
    ],
)
@pytest.mark.parametrize("as_json", [[], ["--json"]], ids=["words", "json"])
def test_rules_that_are_missing_or_wrong(words: list[str], code: int, told: str, as_json: list[str], run: Run) -> None:
    if words[0] == "practice":
        as_json = []
    ended, sentence = run.fails(*words, *as_json)
    assert ended == code
    assert told in sentence


# --- hand ------------------------------------------------------------------------------------------------------------


def test_hand_as_json(run: Run) -> None:
    answer = run("hand", "rummy-no", "7h 8h 9h Ks Kd 2c", "--json").json()
    assert answer.keys() >= {
        "cards", "melds", "deadwood", "deadwood_points", "points_in_melds", "can_open", "can_go_out", "best_discards",
        "knock_discards", "is_one_meld",
    }  # fmt: skip
    assert answer["melds"] == [{"kind": "run", "cards": ["7h", "8h", "9h"], "points": 24}]
    assert answer["deadwood"] == ["Ks", "Kd", "2c"]
    assert (answer["deadwood_points"], answer["best_discards"]) == (22, ["Ks", "Kd"])


def test_hand_with_a_table(run: Run) -> None:
    answer = run("hand", "rummy-no", "8h Kd", "--table", "5h 6h 7h | 4s 4d 4c", "--json").json()
    assert (answer["lay_offs"], answer["can_go_out"]) == (["8h 1 right"], True)


def test_hand_in_words(run: Run) -> None:
    told = run("hand", "rummy-no", "8h 2s 2d 2c Kd", "--table", "5h 6h 7h")
    assert told.out.splitlines() == ["set  2s 2d 2c (6)", "add  8h 1 right", "left Kd (10)", "best discard Kd"]
    assert run("hand", "rummy-no", "").out == "left nothing (0)\n"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["7x"], "'7x' is not a card; cards look like 7h, 10s, Qd or JK."),
        (["7h 7h"], "7h is named more often than it is in the deck of this game."),
        (["7h", "--table", "7h 8h 9h"], "7h is named more often"),
        (["7h", "--table", "8h 9h"], "8h 9h is not a meld of this game (not-a-meld)."),
        (["7h", "--round", "2"], "The rounds of this game are 1 to 1; --round 2 is none."),
    ],
)
def test_hands_that_cannot_be(words: list[str], told: str, run: Run) -> None:
    code, sentence = run.fails("hand", "rummy-no", *words)
    assert code == USAGE
    assert told in sentence


# --- scenario --------------------------------------------------------------------------------------------------------

SCENARIO = 'game = "rummy-no"\nseats = ["A", "B"]\n[deal]\nhands = { A = "7h", B = "8h" }\n'


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "good.toml").write_text(SCENARIO, encoding="utf-8")
    (tmp_path / "bad.toml").write_text(SCENARIO + '[[step]]\nA = "done"\n', encoding="utf-8")
    (tmp_path / "worse.toml").write_text(SCENARIO + '[expect]\nturn = "B"\n', encoding="utf-8")
    return tmp_path


def test_scenario_as_json(run: Run, files: Path) -> None:
    told = run("scenario", str(files), "--json")
    assert told.code == ERROR
    assert told.json() == {
        "passed": 1,
        "failed": 2,
        "files": [
            {
                "file": str(files / "bad.toml"),
                "ok": False,
                "step": 1,
                "expected": "accepted",
                "got": "option-off",
            },
            {"file": str(files / "good.toml"), "ok": True, "step": None, "expected": None, "got": None},
            {"file": str(files / "worse.toml"), "ok": False, "step": None, "expected": "turn B", "got": "turn A"},
        ],
    }


def test_scenario_in_words(run: Run, files: Path) -> None:
    told = run("scenario", str(files))
    assert told.out.splitlines() == [
        f"{files / 'bad.toml'}: step 1: expected accepted, got option-off",
        f"{files / 'worse.toml'}: at the end: expected turn B, got turn A",
        "1 passed, 2 failed",
    ]
    good = run("scenario", str(files / "good.toml"))
    assert (good.code, good.out) == (OK, "1 passed, 0 failed\n")


def test_scenarios_that_are_not_there(run: Run, tmp_path: Path) -> None:
    assert run.fails("scenario", str(tmp_path / "nowhere")) == (
        USAGE,
        f"There is no file or folder {tmp_path / 'nowhere'}.",
    )
    code, sentence = run.fails("scenario", str(tmp_path))
    assert code == USAGE
    assert "There are no scenario files in" in sentence


# --- practice --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["--bots", "9"], USAGE, "Norwegian rummy is played against 1 to 5 bots, not 9."),
        (["--bots", "0"], USAGE, "Norwegian rummy is played against 1 to 5 bots, not 0."),
        (["--level", "genius"], USAGE, "There is no level 'genius'. Levels: easy, normal, hard"),
        (["--hands", "0"], USAGE, "--hands is how many hands are played, at least 1, not 0."),
    ],
)
def test_practice_that_cannot_be(words: list[str], code: int, told: str, run: Run) -> None:
    ended, sentence = run.fails("practice", "rummy-no", *words)
    assert ended == code
    assert told in sentence


def test_practice_without_a_terminal_reads_lines(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("hand\nscore\ndance\nquit\n"))
    told = run("practice", "rummy-no", "--seed", "1", "--nick", "Ada", "--data", str(tmp_path))
    assert told.code == OK
    assert "Hand: " in told.out
    assert "dance" in told.out
    assert told.err == ""


def test_practice_ends_with_its_input(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    assert run("practice", "rummy-no", "--data", str(tmp_path)).code == OK


def test_practice_where_nothing_can_be_written(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    code, sentence = run.fails("practice", "rummy-no", "--data", str(tmp_path / "file"))
    assert code == ERROR
    assert "choose another folder with --data" in sentence.lower()
