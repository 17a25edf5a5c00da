"""variants check, new and trust; files of a player in the other commands."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rummy_p2p.cli import main

OK, ERROR, USAGE, RULES = 0, 1, 2, 4
EVENING = 'title = "Long evening"\ngame = "rummy-no"\n[knobs]\nscoring.in_hand.ace = 5\n'
BROKEN = EVENING.replace("ace", "aec")
STRANGE = """
from rummy_p2p.variants.api import HouseRule, hookimpl, knob_function


def hand_bonus(summary):
    return summary.nothing


@hookimpl
def rummy_house_rules():
    change = lambda rules, options: rules.with_function(knob_function("hand_bonus", hand_bonus, plugin="strange"))
    return [HouseRule("strange", "Strange", "A rule.", change, (), "rummy-no")]
"""


class Home:
    """A player's data folder, the folder it works in, and the command line in this process."""

    def __init__(self, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.root = root
        self.variants = root / "data" / "config" / "variants"
        self.variants.mkdir(parents=True)
        self._capsys = capsys

    def __call__(self, *words: str) -> tuple[int, str, str]:
        code = main([*words, "--data", str(self.root / "data")])
        out, err = self._capsys.readouterr()
        return code, out, err

    def json(self, *words: str) -> tuple[int, dict[str, Any]]:
        code, out, _ = self(*words, "--json")
        assert out.count("\n") == 1
        return code, json.loads(out)

    def fails(self, *words: str) -> tuple[int, str]:
        """Run a command that fails: one sentence on stderr, nothing on stdout."""
        code, out, err = self(*words)
        assert (out, err.count("\n")) == ("", 1)
        return code, err.removeprefix("rummy-p2p: ").strip()

    def write(self, name: str, text: str = EVENING) -> str:
        path = self.root / name
        path.write_text(text, encoding="utf-8")
        return str(path)


@pytest.fixture
def home(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Home:
    return Home(tmp_path, capsys)


# --- files in other commands -----------------------------------------------------------------------------------------


def test_a_file_is_a_house_rule_of_every_command(home: Home) -> None:
    path = home.write("long-evening.toml")
    _, rules = home.json("rules", "rummy-no", "--house", path)
    assert (rules["game"], rules["house"]) == ("rummy-no", ["long-evening"])
    assert rules["differs"] == [{"knob": "scoring.in_hand.ace", "standard": 1, "here": 5}]
    assert home.json("rules", path)[1] == rules
    assert home.json("rules", "rummy-no", "--diff", path)[1]["differs"][0]["here"] == 1
    assert home.json("hand", "rummy-no", "Ah 7d", "--house", path)[1]["deadwood_points"] == 12
    assert home.json("hand", path, "Ah 7d")[1]["deadwood_points"] == 12


def test_a_file_of_the_folder_is_known_by_its_id(home: Home) -> None:
    (home.variants / "long-evening.toml").write_text(EVENING, encoding="utf-8")
    assert home.json("rules", "rummy-no", "--house", "long-evening")[1]["house"] == ["long-evening"]
    rules = {rule["id"]: rule for rule in home.json("games")[1]["house_rules"]}
    assert rules["long-evening"]["fits"] == ["rummy-no"]
    _, answer = home.json("variants")
    assert answer["folder"] == str(home.variants)
    assert [plugin["ok"] for plugin in answer["plugins"] if plugin["name"] == "long-evening.toml"] == [True]
    assert f"Your own files lie in {home.variants}\n" in home("variants")[1]


def test_a_broken_file_of_the_folder_is_told_and_ends_nothing(home: Home) -> None:
    (home.variants / "long-evening.toml").write_text(BROKEN, encoding="utf-8")
    code, _, err = home("games", "--json")
    assert code == OK
    assert "line 4: There is no knob called scoring.in_hand.aec. Did you mean scoring.in_hand.ace?" in err
    assert err.endswith(" It is left out (rummy-p2p variants).\n")


def test_a_folder_that_cannot_be_read_is_told_and_ends_nothing(home: Home) -> None:
    home.variants.rmdir()
    home.variants.write_text("")
    code, _, err = home("games")
    assert (code, "could not be used" in err) == (OK, True)
    assert "could not be used" in home("variants", "check", home.write("x.toml"), "--hands", "1")[2]


@pytest.mark.parametrize(
    ("name", "text", "code", "told"),
    [
        ("evening.toml", BROKEN, USAGE, "line 4: There is no knob called scoring.in_hand.aec."),
        ("evening.toml", EVENING.replace("rummy-no", "rumy"), USAGE, "There is no game called 'rumy'."),
        ("joker-20.toml", EVENING, USAGE, "'joker-20' is already provided by 'joker-20'"),
        ("gin.toml", EVENING, USAGE, "'gin' is already provided by 'gin'"),
    ],
)
def test_a_file_that_cannot_be_used_ends_the_command_that_names_it(
    home: Home, name: str, text: str, code: int, told: str
) -> None:
    failed, sentence = home.fails("rules", "rummy-no", "--house", home.write(name, text))
    assert (failed, told in sentence) == (code, True)


def test_a_file_that_is_not_there_ends_the_command(home: Home) -> None:
    code, sentence = home.fails("rules", "rummy-no", "--house", str(home.root / "evening.toml"))
    assert (code, sentence.endswith("evening.toml cannot be read: No such file or directory.")) == (RULES, True)


# --- check -----------------------------------------------------------------------------------------------------------


def test_check_says_what_holds(home: Home) -> None:
    code, out, err = home("variants", "check", home.write("long-evening.toml"), "--hands", "1")
    assert (code, err) == (OK, "")
    first, second, last = out.splitlines()
    assert first.startswith("holds    rummy-no + long-evening, 2 players: 1 hands, ")
    assert second.startswith("holds    rummy-no + long-evening, 6 players: 1 hands, ")
    assert last == "long-evening.toml: every law holds at 2 tables, and so do 0 scenarios."


def test_check_as_json(home: Home) -> None:
    path = home.write("long-evening.toml")
    scenario = 'game = "rummy-no"\nseats = ["A", "B"]\n[expect]\nturn = "B"\n'
    home.write("long-evening.scenario.toml", scenario)
    code, answer = home.json("variants", "check", path, "--hands", "1")
    assert code == ERROR
    assert (answer["file"], answer["ok"], answer["error"], answer["misfits"]) == (path, False, None, [])
    assert [(table["seats"], table["ok"]) for table in answer["tables"]] == [(2, True), (6, True)]
    assert [(outcome["ok"], outcome["expected"]) for outcome in answer["scenarios"]] == [(False, "turn B")]
    _, out, _ = home("variants", "check", path, "--hands", "1")
    assert "BROKEN   " in out
    assert "long-evening.scenario.toml: at the end: expected turn B, got turn A\n" in out
    assert out.endswith("long-evening.toml: 0 of 2 tables and 1 of 1 scenarios fail.\n")


def test_check_plays_what_is_named_and_not_the_file_of_that_name_in_the_folder(home: Home) -> None:
    (home.variants / "long-evening.toml").write_text(BROKEN, encoding="utf-8")
    assert home.json("variants", "check", home.write("long-evening.toml"), "--hands", "1")[1]["ok"]


def test_check_tells_which_law_is_broken(home: Home) -> None:
    path = home.write("strange.py", STRANGE)
    assert home("variants", "trust", path)[0] == OK
    home.write("strange.scenario.toml", 'game = "rummy-no"\nseats = ["A", "B"]\n[[step]]\nA = "discard 2c"\n')
    code, out, _ = home("variants", "check", path, "--hands", "1")
    assert code == ERROR
    assert "BROKEN   rummy-no + strange, 2 players, seed 0: functions: The rule 'hand_bonus' of the plugin" in out
    assert "strange.scenario.toml: step 1: expected accepted, got draw-first\n" in out
    assert out.endswith("strange.py: 2 of 2 tables and 1 of 1 scenarios fail.\n")


def test_check_tells_where_a_rule_does_not_fit(home: Home) -> None:
    path = home.write("evening.toml", 'title = "x"\n[knobs]\nhand_size = [99]\nrounds = []\n')
    code, out, _ = home("variants", "check", path, "--hands", "1")
    assert code == ERROR
    assert "not for  gin: " in out
    assert "line 3: hand_size = [99] does not go with gin: These rules cannot be played: there are not enough" in out
    assert out.endswith("evening.toml fits no game that is here.\n")


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["check"], USAGE, "variants check needs a FILE."),
        (["trust"], USAGE, "variants trust needs a FILE."),
        (["new"], USAGE, "variants new needs a NAME."),
        (["check", "nowhere.toml"], USAGE, "nowhere.toml does not exist."),
        (["check", "README.md"], USAGE, "README.md is neither a house rule in TOML nor a plugin in Python."),
        (
            ["trust", "evening.toml"],
            USAGE,
            "evening.toml is not a plugin in Python; a house rule in TOML is data and needs",
        ),
        (["trust", "nowhere.py"], ERROR, "nowhere.py could not be used (No such file or directory)."),
        (["new", "Big Rule"], USAGE, "'Big Rule' is not an id of a house rule"),
    ],
)
def test_what_cannot_be_done(home: Home, words: list[str], code: int, told: str) -> None:
    failed, sentence = home.fails("variants", *words)
    assert (failed, told in sentence) == (code, True)


def test_check_needs_a_hand_to_play(home: Home) -> None:
    told = "--hands is how many hands each table plays, at least 1, not 0."
    assert home.fails("variants", "check", home.write("evening.toml"), "--hands", "0") == (USAGE, told)


def test_check_of_a_file_that_cannot_be_loaded(home: Home) -> None:
    path = home.write("evening.toml", BROKEN)
    code, sentence = home.fails("variants", "check", path)
    assert (code, "line 4: There is no knob called" in sentence) == (ERROR, True)
    code, answer = home.json("variants", "check", path)
    assert (code, answer["ok"], answer["tables"]) == (ERROR, False, [])
    assert "line 4: There is no knob called" in answer["error"]


# --- new and trust ---------------------------------------------------------------------------------------------------


def test_from_new_to_a_table(home: Home) -> None:
    """The way that the program itself shows: new, trust, check, into the folder, play."""
    _, out, _ = home("variants", "new", "empty-hand", "--into", str(home.root / "mine"))
    plugin = home.root / "mine" / "empty_hand.py"
    assert f"rummy-p2p variants trust {plugin}" in out
    assert "rummy-p2p practice rummy-no --house empty-hand" in out
    code, sentence = home.fails("variants", "check", str(plugin))
    assert (code, "it is not trusted; read it, then run: rummy-p2p variants trust" in sentence) == (ERROR, True)
    _, out, _ = home("variants", "trust", str(plugin))
    assert out.splitlines()[1] == f"To play with it, put it into {home.variants}"
    plugin.rename(home.variants / plugin.name)
    _, out, _ = home("variants", "trust", str(home.variants / plugin.name))
    assert out.count("\n") == 1
    assert home.json("rules", "rummy-no", "--house", "empty-hand=20")[1]["house"] == ["empty-hand=20"]
    (home.variants / plugin.name).write_text(f"{(home.variants / plugin.name).read_text()}\n", encoding="utf-8")
    code, _, err = home("rules", "rummy-no", "--house", "empty-hand")
    assert (code, "it is not trusted" in err, "There is no house rule called 'empty-hand'" in err) == (
        RULES,
        True,
        True,
    )


def test_new_and_trust_as_json(home: Home) -> None:
    _, made = home.json("variants", "new", "empty-hand", "--into", str(home.root))
    plugin = home.root / "empty_hand.py"
    assert made == {"plugin": str(plugin), "test": str(home.root / "test_empty_hand.py")}
    code, trusted = home.json("variants", "trust", str(plugin))
    assert (code, trusted["file"], len(trusted["sha256"])) == (OK, str(plugin), 64)


def test_new_overwrites_nothing(home: Home) -> None:
    words = ("variants", "new", "empty-hand", "--into", str(home.root))
    home(*words)
    code, sentence = home.fails(*words)
    assert (code, "is there already, and nothing is overwritten" in sentence) == (USAGE, True)


def test_a_list_of_trust_that_is_damaged_is_told(home: Home) -> None:
    home("variants", "trust", home.write("strange.py", STRANGE))
    (home.root / "data" / "state" / "trusted.json").write_text("{")
    assert "The list of trusted plugin files was damaged." in home("games", "--json")[2]
