from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rummy_p2p.ruleset import Ruleset, RulesetError
from rummy_p2p.variants.manager import Catalogue, FileError, installed, make_catalogue
from rummy_p2p.variants.toml import MOST, NONE, allowed, knob_types, line_of, parse_rule, read_rule, source_of

GUIDE = Path(__file__).parents[2] / "docs" / "variants.md"

LONG_EVENING = """
title = "Long evening"
game = "rummy-sv"
house = ["take-all"]

[knobs]
opening.points = 40
[knobs.scoring.in_hand]
joker = 50
"""


def with_rule(text: str, name: str = "evening") -> Catalogue:
    """Return the catalogue of this installation with a file beside it."""
    return make_catalogue([*installed(), source_of(parse_rule(text, f"{name}.toml"))])


def told(text: str, name: str = "evening.toml") -> str:
    """Return what is said of a file that cannot be used; it is named first."""
    with pytest.raises(FileError) as caught:
        parse_rule(text, name)
    assert str(caught.value).startswith(name)
    assert caught.value.code == "bad-option"
    return str(caught.value).removeprefix(name).removeprefix(", ")


def knobs(lines: str) -> str:
    return f'title = "x"\n[knobs]\n{lines}\n'


# --- what a file is --------------------------------------------------------------------------------------------------


def test_a_file_is_a_house_rule_called_after_it() -> None:
    rules = with_rule(LONG_EVENING).compile("rummy-sv", ["evening"])
    assert (rules.game, rules.house) == ("rummy-sv", ("evening",))
    assert (rules.opening.points, rules.scoring.in_hand.joker, rules.scoring.take_all_factor) == (40, 50, 2)


def test_a_file_can_be_named_by_its_path_and_in_the_place_of_its_game() -> None:
    catalogue = with_rule(LONG_EVENING)
    plain = catalogue.compile("rummy-sv", ["evening"])
    for rules in (
        catalogue.compile("rummy-sv", ["some/folder/evening.toml"]),
        catalogue.compile("evening"),
        catalogue.compile("C:\\some folder\\=\\evening.toml".replace("\\", "/")),
    ):
        assert rules == plain
    more = catalogue.compile("evening", ["limit=70"])
    assert (more.house, more.match.limit) == (("evening", "limit=70"), 70)


def test_a_file_without_a_game_can_be_laid_over_every_game_that_it_goes_with() -> None:
    catalogue = with_rule(knobs("scoring.in_hand.joker = 5"))
    assert catalogue.fits(catalogue.house_rules["evening"]) == tuple(catalogue.games)
    with pytest.raises(RulesetError, match="'evening' is a house rule for any game"):
        catalogue.compile("evening")


def test_a_file_for_one_game_is_for_no_other() -> None:
    with pytest.raises(RulesetError, match="The house rule 'evening' is for rummy-sv, not for gin") as caught:
        with_rule(LONG_EVENING).compile("gin", ["evening"])
    assert caught.value.code == "rule-conflict"


def test_house_rules_of_a_file_lie_beneath_its_knobs() -> None:
    text = 'title = "x"\nhouse = ["opening=60", "limit=70"]\n[knobs]\nopening.points = 45\n'
    rules = with_rule(text).compile("rummy-sv", ["evening"])
    assert (rules.opening.points, rules.match.limit) == (45, 70)


def test_a_file_tells_what_it_is_about() -> None:
    rule = parse_rule(LONG_EVENING, "evening.toml").house_rule()
    assert (rule.title, rule.explain) == ("Long evening", "Sets opening.points = 40, scoring.in_hand.joker = 50.")
    text = 'title = "Long\u202e\\u001b[1m evening"\nexplain = "Slow."\nhouse = ["take-all"]'
    spoken = parse_rule(text, "x.toml").house_rule()
    assert (spoken.title, spoken.explain) == ("Long[1m evening", "Slow.")
    assert parse_rule('title = "Take"\nhouse = ["take-all"]', "x.toml").explain == "Sets Take."


def test_line_ends_of_windows_are_line_ends() -> None:
    dos = parse_rule(LONG_EVENING.replace("\n", "\r\n"), "evening.toml")
    assert dos.knobs == parse_rule(LONG_EVENING, "evening.toml").knobs
    assert told(knobs("opening.point = 1").replace("\n", "\r\n")).startswith("line 3:")


def test_the_file_of_the_guide_does_what_the_guide_says() -> None:
    block = re.search(r"```toml\n(title = \"Long evening\".*?)```", GUIDE.read_text("utf-8"), re.DOTALL)
    assert block
    rules = with_rule(block[1], "long-evening").compile("long-evening")
    assert (rules.game, rules.opening.points, rules.scoring.in_hand.joker) == ("rummy-sv", 40, 50)


# --- what is wrong is told with its line, the knob and what is allowed -----------------------------------------------


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        (
            "opening.point = 40",
            "line 3: There is no knob called opening.point. Did you mean opening.points? In opening there are: points",
        ),
        ("# a remark\n\nopenin.points = 40", "line 5: There is no knob called openin. Did you mean opening"),
        (
            "joker = 40",
            "line 3: There is no knob called joker. Did you mean scoring.in_hand.joker? There are the groups",
        ),
        (
            "scoring.in_hand = { ace = 1, jokr = 2 }",
            "line 3: There is no knob called scoring.in_hand.jokr. Did you mean",
        ),
        (
            "blue = 1",
            "line 3: There is no knob called blue. There are the groups: meta, labels, players, deck, hand_size",
        ),
        ('"\\u001b[1m" = 1', 'line 3: There is no knob called "\\u001b[1m".'),
        ('"opening.points" = 1', "line 3: The parts of a knob are not quoted: write opening.points, without quotes."),
        ("game = 'gin'", "line 3: There is no knob called game: game stands above the line [knobs]."),
        ("functions = []", "line 3: There is no knob called functions: only a plugin can bring functions."),
        (
            "opening = 40",
            "line 3: opening is not a knob but a group of them: points, waived_when_going_out, layoffs_count",
        ),
        ('opening.points = "40"', 'line 3: opening.points is a whole number, not "40".'),
        ("opening.points = 40.5", "line 3: opening.points is a whole number, not 40.5."),
        ("opening.points = true", "line 3: opening.points is a whole number, not true."),
        ("opening.points = 1979-05-27", 'line 3: opening.points is a whole number, not "1979-05-27".'),
        ("opening.points = { now = 1 }", 'line 3: opening.points is a whole number, not {"now": 1}.'),
        ("upcard = 1", "line 3: upcard is true or false, not 1."),
        ("labels.call = 1", "line 3: labels.call is a text in quotes, not 1."),
        ("hand_size = 10", "line 3: hand_size is a list of whole numbers, such as [10, 7, 7], not 10."),
        ("meta.minutes = [5]", "line 3: meta.minutes is two of these, such as [15, 30]: a whole number, not [5]."),
        ("meta.similar = 'gin'", 'line 3: meta.similar is a list of texts, such as ["gin"], not "gin".'),
        ("match.limit = 'never'", 'line 3: match.limit is a whole number or "none", not "never".'),
        (
            "upcard = false\n[knobs.melds]\nset_min = 3\nace = 'hihg'",
            'line 6: melds.ace is one of "low", "high", "either", not "hihg". Did you mean high?',
        ),
        (
            "upcard = false\nrounds = [\n  { contract = '33' },\n]\nlay = 'in-play'",
            'line 4: rounds is a list of rounds, such as [{ contract = "33", hand_size = 10 }], not [{"contract": "33',
        ),
    ],
)
def test_what_a_knob_cannot_be(lines: str, sentence: str) -> None:
    assert sentence in told(knobs(lines))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('title = "x\n', "line 1, column 11: this is not TOML: Illegal character"),
        ('title = "x"\n\nopening.points 40', "line 3, column 16: this is not TOML: Expected '='"),
        ('title = "x"\nhand = [', "at its end: this is not TOML: Invalid value."),
        ("a = " + "[" * 5000, " holds brackets within brackets beyond all measure."),
        ('title = "x"\nhous = ["take-all"]', 'line 2: There is no "hous" in a house rule. Did you mean house?'),
        ('title = "x"\nopening.points = 40', "line 2: opening is a knob: write it below a line [knobs]."),
        ('title = "x"\nupcard = true', "line 2: upcard is a knob: write it below a line [knobs]."),
        ("title = 1\nhouse = ['limit']", "line 1: title is a text in quotes, not 1."),
        ("title = 'x'\ngame = ['gin']\nhouse = ['limit']", "line 2: game is the id of a game in quotes, not"),
        ("title = 'x'\nhouse = 'limit'", "line 2: house is a list of house rules as they are typed, such as"),
        ("title = 'x'\nhouse = [\n1]", "line 2: house is a list of house rules as they are typed, such as"),
        ("title = 'x'\nknobs = 1", "line 2: knobs is a table: a line [knobs], and below it"),
        ("title = 'x'", " changes nothing: it needs knobs below a line [knobs], or a list house."),
        ("title = 'x'\n[knobs]\n", " changes nothing: it needs knobs below a line [knobs], or a list house."),
        ("[knobs]\nupcard = true", ' needs a title: title = "Long evening"'),
        ("title = ' '\n[knobs]\nupcard = true", ' needs a title: title = "Long evening"'),
    ],
)
def test_what_a_file_cannot_be(text: str, sentence: str) -> None:
    assert told(text).startswith(sentence)


@pytest.mark.parametrize(
    ("name", "fitting"),
    [("Long Evening.toml", "long-evening"), ("40.toml", "long-evening"), ("7-up.toml", "up"), ("Übung.toml", "bung")],
)
def test_a_file_name_that_is_no_id_is_told_with_one_that_is(name: str, fitting: str) -> None:
    assert told(LONG_EVENING, name).endswith(f"small letters, digits and hyphens: call it {fitting}.toml, say.")


def test_none_takes_a_limit_away() -> None:
    rules = with_rule(knobs('match.limit = "none"\nmelds.max_jokers = "none"')).compile("rummy-sv", ["evening"])
    assert (rules.match.limit, rules.melds.max_jokers) == (None, None)


# --- what does not go with a game ------------------------------------------------------------------------------------


def misfit(text: str, game: str) -> str:
    with pytest.raises(FileError) as caught:
        with_rule(text).compile(game, ["evening"])
    assert caught.value.code == "rule-conflict"
    return str(caught.value)


def test_an_impossible_combination_is_told_with_the_knob_and_its_line() -> None:
    text = knobs("upcard = true\nmelds.set_min = 6\nopening.points = 0")
    assert misfit(text, "rummy-sv") == (
        "evening.toml, line 4: melds.set_min = 6 does not go with rummy-sv: "
        "These rules cannot be played: melds.set_min must be 2 or more and not above set_max."
    )


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ("players.max = 2\nhand_size = [27]", "line 4: hand_size = [27] does not go with rummy-sv: These rules cannot"),
        ("players.max = 2\nhand_size = [27]", "hand_size can be at most 26."),
        ('rounds = [{ contract = "34", hand_size = 5 }]', "a contract asks for more cards than are dealt."),
        ('rounds = [{ contract = "35", hand_size = 9 }]', "a contract is made of 3 and 4."),
    ],
)
def test_what_no_table_could_play(lines: str, why: str) -> None:
    assert why in misfit(knobs(lines), "rummy-sv")


def test_when_several_knobs_are_to_blame_all_are_told() -> None:
    text = knobs("melds.set_min = 6\nhand_size = [\n  90\n]")
    told = misfit(text, "rummy-sv")
    assert told.startswith(
        "evening.toml, line 3: melds.set_min = 6, line 4: hand_size = [90] does not go with rummy-sv"
    )


def test_a_file_that_does_not_go_with_its_own_game_is_left_out_and_told() -> None:
    catalogue = with_rule('title = "x"\ngame = "gin"\n[knobs]\nplayers.max = 4')
    cannot = "These rules cannot be played: a knock game is for two players."
    why = f"evening.toml, line 4: players.max = 4 does not go with gin: {cannot}"
    assert "evening" not in catalogue.house_rules
    (info,) = [plugin for plugin in catalogue.plugins if not plugin.ok]
    assert (info.name, info.error) == (
        "evening.toml",
        f"The plugin 'evening.toml' failed in the house rule 'evening': {why}",
    )


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            'title = "x"\ngame = "gni"\n[knobs]\nupcard = true',
            "There is no game called 'gni'. Games: contract-no, gin,",
        ),
        ('title = "x"\ngame = "gin"\nhouse = ["opnening"]', "There is no house rule called 'opnening'. House rules:"),
        ('title = "x"\ngame = "gin"\nhouse = ["evening.toml"]', "The house rules 'evening' bring each other along"),
    ],
)
def test_a_file_that_names_what_is_not_there_is_left_out_and_told(text: str, why: str) -> None:
    catalogue = with_rule(text)
    assert "evening" not in {*catalogue.house_rules, *catalogue.owners}
    assert [why in (plugin.error or "") for plugin in catalogue.plugins if not plugin.ok] == [True]


# --- reading files ---------------------------------------------------------------------------------------------------


def test_a_file_is_read_from_the_disk(tmp_path: Path) -> None:
    path = tmp_path / "long-evening.toml"
    path.write_text(LONG_EVENING, encoding="utf-8")
    rule = read_rule(path)
    assert (rule.id, rule.game, rule.house) == ("long-evening", "rummy-sv", ("take-all",))


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    path = tmp_path / "evening.toml"
    with pytest.raises(FileError, match=r"evening\.toml cannot be read: No such file or directory\.") as caught:
        read_rule(path)
    assert caught.value.code == "unknown-rule"
    path.write_bytes(b'title = "\xff"')
    with pytest.raises(FileError, match=r"evening\.toml is not text in UTF-8 \(byte 9\)\."):
        read_rule(path)
    path.write_bytes(b"#" * (MOST + 1))
    with pytest.raises(FileError, match=r"evening\.toml is larger than 64 KiB"):
        read_rule(path)


# --- laws ------------------------------------------------------------------------------------------------------------


def test_every_knob_of_a_ruleset_can_be_set_but_names_and_functions() -> None:
    assert knob_types().keys() | {"game", "house"} == Ruleset().knobs().keys()
    assert all(allowed(kind) for kind in knob_types().values())


@pytest.mark.parametrize("knob", knob_types())
def test_the_value_that_a_game_has_is_allowed(knob: str) -> None:
    value = Ruleset().knobs()[knob]
    written = json.dumps(NONE if value is None else value)
    rule = parse_rule(knobs(f"{knob} = {written}"), "evening.toml")
    assert json.dumps(rule.knobs) == json.dumps({knob: value})
    assert rule.change(Ruleset(), {}) == Ruleset()


STATEMENTS = st.sampled_from(
    ["", "# opening.points = 1", "a = '''\nopening.points = 1\n'''", "b = [\n1,\n]", "[c]", "knob = 1", '"[knobs]" = 2']
)


@given(st.lists(STATEMENTS, unique=True, max_size=5), st.booleans())
def test_the_line_of_a_knob_is_where_it_stands(above: list[str], nested: bool) -> None:  # noqa: FBT001 -- drawn
    above = sorted(above, key=lambda statement: statement == "[c]")  # what stands below a table is part of it
    text = "\n".join(above)
    place = "[knobs.opening]\npoints = 'x'" if nested else "[knobs]\nopening.points = 'x'"
    text = f"{text}\n{place}\n"
    assert line_of(text, ("knobs", "opening", "points")) == text.count("\n")
