"""House rules for one game, house rules beneath others, files by their names, who had a hand in the rules."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from rummy_p2p.ruleset import Ruleset, RulesetError
from rummy_p2p.variants.api import HandSummary, HouseRule, Options, knob_function
from rummy_p2p.variants.manager import Catalogue, FileError, PluginError, Source, file_id, make_catalogue
from tests.variants.plugins import failing, game, of_games, of_rules, plugin, rule


def jokers(rules: Ruleset, _options: Options) -> Ruleset:
    return rules.with_(deck__jokers=rules.deck.jokers + 1)


def with_fields(name: str, game_id: str = "", *house: str) -> HouseRule:
    return msgspec.structs.replace(rule(name, jokers), game=game_id, house=house)


GAMES = of_games("games", game("g"), game("h"))
RULES = of_rules(
    "rules",
    with_fields("one"),
    with_fields("for-g", "g"),
    with_fields("two", "", "one", "somewhere/one.toml"),
    with_fields("four", "g", "two"),
    with_fields("here", "", "there"),
    with_fields("there", "", "here"),
)


@pytest.fixture
def catalogue() -> Catalogue:
    return make_catalogue([GAMES, RULES])


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("evening", "evening"),
        ("evening.toml", "evening"),
        ("a/b.c/evening.toml", "evening"),
        ("a=b:c/evening.toml", "evening"),
        ("evening:x=1", "evening:x=1"),
        ("evening.py", "evening.py"),
    ],
)
def test_a_file_stands_for_the_rule_that_is_called_after_it(text: str, name: str) -> None:
    assert file_id(text) == name


def test_the_rules_are_named_by_their_ids_however_they_were_asked_for(catalogue: Catalogue) -> None:
    assert catalogue.compile("g", ["x/one.toml", "one"]).house == ("one", "one")


def test_a_rule_for_one_game_stands_for_the_game(catalogue: Catalogue) -> None:
    rules = catalogue.compile("for-g", ["one"])
    assert (rules.game, rules.house, rules.deck.jokers) == ("g", ("for-g", "one"), 2)
    assert catalogue.compile("x/for-g.toml", ["one"]) == rules
    assert catalogue.fits(catalogue.house_rules["for-g"]) == ("g",)


@pytest.mark.parametrize(
    ("name", "house", "code", "told"),
    [
        ("h", ["for-g"], "rule-conflict", "The house rule 'for-g' is for g, not for h."),
        ("one", [], "unknown-rule", "'one' is a house rule for any game. Name a game and lay it over: --house one."),
        ("x/one.toml", [], "unknown-rule", "Name a game and lay it over: --house x/one.toml."),
        ("x/none.toml", [], "unknown-rule", "There is no game called 'x/none.toml'. Games: g, h."),
        ("g", ["here"], "rule-conflict", "The house rules 'here' and 'there' bring each other along without end."),
    ],
)
def test_what_is_asked_for_in_vain(catalogue: Catalogue, name: str, house: list[str], code: str, told: str) -> None:
    with pytest.raises(RulesetError) as caught:
        catalogue.compile(name, house)
    assert (caught.value.code, told in str(caught.value)) == (code, True)


def test_rules_that_a_rule_brings_along_lie_beneath_it(catalogue: Catalogue) -> None:
    assert catalogue.compile("h", ["two"]).deck.jokers == 3
    assert catalogue.compile("four").deck.jokers == 4
    assert catalogue.compile("four").house == ("four",)


def test_who_had_a_hand_in_the_rules_is_known_also_beneath() -> None:
    beneath = of_rules("beneath", with_fields("low"))
    catalogue = make_catalogue([GAMES, of_rules("above", with_fields("high", "", "low")), beneath, RULES])
    names = [info.name for info in catalogue.contributors(catalogue.compile("g", ["high"]))]
    assert names == ["above", "beneath", "games"]
    assert [info.name for info in catalogue.contributors(catalogue.compile("g"))] == ["games"]


def test_a_plugin_whose_rule_does_not_go_with_its_own_game_is_left_out_as_a_whole() -> None:
    lost = of_rules("lost", with_fields("good"), with_fields("astray", "nowhere"))
    catalogue = make_catalogue([GAMES, lost, failing("bad", ImportError("x")), RULES])
    assert not {"good", "astray"} & {*catalogue.house_rules, *catalogue.owners}
    assert {info.name: info.ok for info in catalogue.plugins} == {
        "bad": False,
        "games": True,
        "lost": False,
        "rules": True,
    }
    told = "The plugin 'lost' failed in the house rule 'astray': There is no game called 'nowhere'. Games: g, h."
    assert [info.error for info in catalogue.plugins if info.name == "lost"] == [told]


def test_a_twin_keeps_its_own_error() -> None:
    lost = of_rules("lost", with_fields("astray", "nowhere"))
    twin = plugin("lost", "z", rummy_games=lambda: [game("i")])
    errors = [info.error or "" for info in make_catalogue([GAMES, lost, twin]).plugins if info.name == "lost"]
    assert ["nowhere" in error for error in errors] == [True, False]
    assert "another plugin of this name comes from test" in errors[1]


def test_own_files_come_after_what_is_installed_whatever_they_are_called() -> None:
    own = Source("aaa.toml", "aaa.toml", "", of_rules("x", with_fields("one")).load, own=True)
    catalogue = make_catalogue([own, RULES, GAMES])
    assert [info.name for info in catalogue.plugins] == ["games", "rules", "aaa.toml"]
    assert catalogue.owners["one"] == "rules"
    assert catalogue.plugins[-1].error == (
        "The plugin 'aaa.toml' failed in registration: 'one' is already provided by 'rules'."
    )


def test_a_file_error_speaks_for_itself() -> None:
    error = FileError("bad-option", "evening.toml, line 3: no.")
    assert str(PluginError("evening.toml", "import", error)).endswith("failed in import: evening.toml, line 3: no")
    catalogue = make_catalogue([failing("evening.toml", error)])
    assert catalogue.plugins[0].error == "The plugin 'evening.toml' failed in import: evening.toml, line 3: no."


# --- two rules that bring the same function --------------------------------------------------------------------------


def hand_bonus(summary: HandSummary) -> int:
    return summary.seat


def brings(owner: str, version: str = "1") -> HouseRule:
    def change(rules: Ruleset, _options: Options) -> Ruleset:
        return rules.with_function(knob_function("hand_bonus", hand_bonus, plugin=owner, version=version))

    return rule(f"{owner}-{version}", change)


def test_two_plugins_that_bring_the_same_function_do_not_go_together() -> None:
    catalogue = make_catalogue([GAMES, of_rules("rules", brings("a"), brings("a", "2"), brings("b"))])
    assert catalogue.compile("g", ["a-1", "a-2"]).functions[0].version == "2"
    with pytest.raises(RulesetError) as caught:
        catalogue.compile("g", ["a-1", "b-1"])
    assert str(caught.value) == "The house rule 'b-1' does not go with 'g': 'a' brings a hand_bonus already."


# --- what a function takes in ----------------------------------------------------------------------------------------


def worth(points: object) -> str:
    def bonus(_summary: HandSummary) -> object:
        return points

    return knob_function("hand_bonus", bonus, plugin="p").source_hash


def test_what_a_function_takes_in_from_around_it_is_part_of_its_hash() -> None:
    values = [10, 20, True, None, "10", (10,), {"points": 10}, {"points": 20}]
    assert len({worth(value) for value in values}) == len(values)
    assert worth(10) == worth(10)
    assert worth(len) == worth(max), "of a function only that it is one: its source is in the same file"
    assert knob_function("hand_bonus", hand_bonus, plugin="p").source_hash not in {worth(value) for value in values}


def test_a_function_of_a_plugin_hashes_alike_in_every_process(tmp_path: Path) -> None:
    assert worth(tmp_path).isalnum()
    assert worth({"b": 1, "a": 2}) == worth({"a": 2, "b": 1})
