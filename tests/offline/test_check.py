from __future__ import annotations

from pathlib import Path

import pytest

from rummy_p2p.offline.check import TableTried, check_plugin, scenarios_beside
from rummy_p2p.ruleset import Deck, Meta, Ruleset
from rummy_p2p.variants.api import HandSummary, Option, Options, knob_function
from rummy_p2p.variants.manager import Catalogue, Source, installed, make_catalogue
from rummy_p2p.variants.toml import parse_rule, source_of
from tests.variants.plugins import game, of_rules, plugin, rule

SCENARIO = """
game = "rummy-no"
house = ["evening"]
seats = ["A", "B"]
[deal]
hands = {{ A = "7h 8h 9h 2c", B = "Kd" }}
[[step]]
A = "draw"
[expect]
turn = "{turn}"
"""


def catalogue(*more: Source) -> Catalogue:
    return make_catalogue([*installed(), *more])


def evening(text: str) -> Catalogue:
    return catalogue(source_of(parse_rule(f'title = "x"\n{text}', "evening.toml")))


def names(tables: tuple[TableTried, ...]) -> list[tuple[str, tuple[str, ...], int]]:
    return [(table.game, table.house, table.seats) for table in tables]


def test_a_rule_for_one_game_is_tried_there_with_the_fewest_and_the_most(tmp_path: Path) -> None:
    heard: list[TableTried] = []
    found = evening('game = "rummy-no"\n[knobs]\nopening.points = 10')
    checked = check_plugin(found, "evening.toml", tmp_path / "evening.toml", 1, 0, heard.append)
    assert checked.ok
    assert names(checked.tables) == [("rummy-no", ("evening",), 2), ("rummy-no", ("evening",), 6)]
    assert all(table.ok and table.hands == 1 and table.actions > 0 for table in checked.tables)
    assert (tuple(heard), checked.misfits, checked.scenarios) == (checked.tables, (), ())


def test_a_rule_for_any_game_is_tried_wherever_it_fits(tmp_path: Path) -> None:
    found = evening("[knobs]\nplayers.max = 3\nhand_size = [5]")
    checked = check_plugin(found, "evening.toml", tmp_path / "evening.toml", 1, 0)
    assert checked.ok
    assert {table.game for table in checked.tables} == set(found.games) - {"gin"}
    assert [(misfit.game, misfit.house) for misfit in checked.misfits] == [("gin", "evening")]
    assert "a knock game is for two players" in checked.misfits[0].why


def test_a_plugin_is_tried_with_its_games_and_every_choice_of_its_options(tmp_path: Path) -> None:
    def change(rules: Ruleset, options: Options) -> Ruleset:
        return rules.with_(melds__ace=options["place"], upcard=options["upcard"], hand_size=(options["cards"],))

    options = (
        Option("place", str, "low", ("low", "high")),
        Option("upcard", bool, default=True),
        Option("cards", int, 3),
    )
    small = game("small", Ruleset(meta=Meta(title="Small"), deck=Deck(), hand_size=(3,)))
    both = plugin("mine", rummy_games=lambda: [small], rummy_house_rules=lambda: [rule("mine-rule", change, *options)])
    checked = check_plugin(make_catalogue([both]), "mine", tmp_path / "mine.py", 1, 0)
    assert checked.ok
    assert {table.house for table in checked.tables} == {
        (),
        ("mine-rule",),
        ("mine-rule:place=high",),
        ("mine-rule:upcard=no",),
    }
    assert [table.seats for table in checked.tables[:2]] == [2, 4]


def test_a_law_that_is_broken_is_told_with_the_moves(tmp_path: Path) -> None:
    def bonus(summary: HandSummary) -> int:
        raise KeyError(summary.seat)

    def change(rules: Ruleset, _options: Options) -> Ruleset:
        return rules.with_function(knob_function("hand_bonus", bonus, plugin="strange"))

    found = catalogue(of_rules("strange", rule("bonus", change)))
    checked = check_plugin(found, "strange", tmp_path / "strange.py", 2, 5)
    assert not checked.ok
    table = checked.tables[0]
    assert (table.ok, table.law, table.seed, table.hands) == (False, "functions", 5, 0)
    assert "'strange' failed: KeyError: 0" in (table.problem or "")
    assert table.record


def test_a_rule_that_fits_nowhere_is_not_ok(tmp_path: Path) -> None:
    checked = check_plugin(
        evening("[knobs]\nrounds = []\nhand_size = [99]"), "evening.toml", tmp_path / "evening.toml", 1, 0
    )
    assert (checked.ok, checked.tables) == (False, ())
    assert len(checked.misfits) == len(catalogue().games)


@pytest.mark.parametrize(("turn", "ok"), [("A", True), ("B", False)])
def test_the_scenarios_beside_a_file_are_played(tmp_path: Path, turn: str, *, ok: bool) -> None:
    (tmp_path / "evening.scenario.toml").write_text(SCENARIO.format(turn=turn), encoding="utf-8")
    found = evening('game = "rummy-no"\n[knobs]\nopening.points = 10')
    checked = check_plugin(found, "evening.toml", tmp_path / "evening.toml", 1, 0)
    assert [outcome.ok for outcome in checked.scenarios] == [ok]
    assert checked.ok is ok


def test_which_scenarios_lie_beside_a_file(tmp_path: Path) -> None:
    for name in (
        "evening.scenario.toml",
        "evening.late.scenario.toml",
        "evening-2.scenario.toml",
        "other.scenario.toml",
        "scenarios/any.toml",
        "scenarios/below/more.toml",
        "scenarios/no-scenario.toml",
        "evening.toml",
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(SCENARIO.format(turn="A") if "no-scenario" not in name else "[knobs]", encoding="utf-8")
    found = [path.relative_to(tmp_path).as_posix() for path in scenarios_beside(tmp_path / "evening.toml")]
    assert found == [
        "evening.late.scenario.toml",
        "evening.scenario.toml",
        "scenarios/any.toml",
        "scenarios/below/more.toml",
    ]
