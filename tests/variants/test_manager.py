from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import permutations
from typing import Literal, cast

import pytest

from rummy_p2p.ruleset import GoingOut, Ruleset, RulesetError
from rummy_p2p.variants.api import Option, Options, OptionValue, conflict
from rummy_p2p.variants.manager import (
    GROUP,
    ONLY,
    Catalogue,
    PluginError,
    Source,
    installed,
    make_catalogue,
    read_options,
    split_rule,
)
from tests.variants.plugins import failing, game, of_games, of_hooks, of_rules, plugin, rule

GOOD = of_games("good", game("good-rummy"))


def errors(*sources: Source) -> dict[str, str | None]:
    """Return what is said about each plugin; the good one beside them must be whole."""
    catalogue = make_catalogue([*sources, GOOD])
    assert "good-rummy" in catalogue.games
    assert catalogue.compile("good-rummy").game == "good-rummy"
    return {info.name: info.error for info in catalogue.plugins if not info.ok}


def raising(error: BaseException) -> Callable[[], object]:
    def hook() -> object:
        raise error

    return hook


def nothing() -> list[object]:
    return []


# --- plugins ---------------------------------------------------------------------------------------------------------


def test_every_shipped_plugin_is_found_and_in_order() -> None:
    sources = installed()
    catalogue = make_catalogue(sources)
    assert [source.name for source in sources] == sorted(source.name for source in sources)
    assert [info.error for info in catalogue.plugins if not info.ok] == []
    assert {"rummy-no"} <= catalogue.games.keys()
    assert {"joker-20"} <= catalogue.house_rules.keys()
    assert {catalogue.owners[name] for name in catalogue.games} <= {source.name for source in sources}
    assert all(info.version and info.source == "rummy-p2p" for info in catalogue.plugins)


@pytest.mark.parametrize("error", [ImportError("no module named x"), SyntaxError("bad"), SystemExit(3), ValueError()])
def test_a_plugin_that_cannot_be_imported_is_named_and_left_out(error: BaseException) -> None:
    told = errors(failing("bad", error))["bad"]
    assert told == f"The plugin 'bad' failed in import: {type(error).__name__}: {error}."


@pytest.mark.parametrize("hook", ["rummy_games", "rummy_house_rules"])
@pytest.mark.parametrize("error", [ZeroDivisionError("division by zero"), SystemExit(1), KeyError("x")])
def test_a_plugin_that_fails_in_a_hook_is_named_with_the_hook(hook: str, error: BaseException) -> None:
    told = errors(of_hooks("bad", {hook: raising(error)}))["bad"]
    assert told == f"The plugin 'bad' failed in {hook}: {type(error).__name__}: {error}."


@pytest.mark.parametrize(
    ("source", "told"),
    [
        (of_games("bad", "a game"), "rummy_games: TypeError: it yields str where Game is needed"),
        (of_games("bad", rule("a-rule")), "rummy_games: TypeError: it yields HouseRule where Game is needed"),
        (of_rules("bad", game("a-game")), "rummy_house_rules: TypeError: it yields Game where HouseRule is needed"),
        (plugin("bad", rummy_games=lambda: 3), "rummy_games: TypeError: 'int' object is not iterable"),
        (
            of_games("bad", game("Big Rummy")),
            "rummy_games: ValueError: 'Big Rummy' is not an id: small letters, digits",
        ),
        (of_games("bad", game(cast("str", 5))), "rummy_games: ValueError: 5 is not an id"),
        (of_rules("bad", rule("")), "rummy_house_rules: ValueError: '' is not an id"),
        (
            of_games("bad", game("many", Ruleset(hand_size=(30,)))),
            "RulesetError: These rules cannot be played: there are",
        ),
        (
            of_games("bad", game("odd", Ruleset(going_out=GoingOut(how=cast("Literal['may-lay']", "never"))))),
            "rummy_games: RulesetError: going_out.how: Invalid enum value 'never'.",
        ),
        (
            of_games("bad", game("odd", cast("Ruleset", "rules"))),
            "rummy_games: AttributeError: 'str' object has no attribute 'with_'",
        ),
        (
            of_rules("bad", rule("odd", None, Option("x", cast("type[int]", float)))),
            "rummy_house_rules: TypeError: the options of the house rule 'odd' must be of the types int, bool or str",
        ),
        (plugin("bad"), "registration: it yields neither games nor house rules"),
        (plugin("bad", rummy_games=lambda: None), "registration: it yields neither games nor house rules"),
        (of_games("bad"), "registration: it yields neither games nor house rules"),
        (plugin("bad", rummy_gmaes=nothing), "registration: PluginValidationError: unknown hook 'rummy_gmaes'"),
        (plugin("bad", rummy_games=lambda table: []), "registration: PluginValidationError"),
        (of_games("bad", game("twice"), game("twice")), "registration: 'twice' is already provided by 'bad'"),
    ],
)
def test_what_a_plugin_may_not_yield(source: Source, told: str) -> None:
    assert told in str(errors(source)["bad"])


def test_an_id_belongs_to_the_first_plugin_by_name() -> None:
    late, early = of_games("b", game("rummy")), of_rules("a", rule("rummy"))
    catalogue = make_catalogue([late, early])
    assert catalogue.owners == {"rummy": "a"}
    assert [info.error for info in catalogue.plugins] == [
        None,
        "The plugin 'b' failed in registration: 'rummy' is already provided by 'a'.",
    ]


def test_of_two_plugins_of_one_name_the_second_is_left_out() -> None:
    one, two = plugin("x", "a", rummy_games=lambda: [game("g")]), plugin("x", "b", rummy_games=lambda: [game("h")])
    for sources in ([one, two], [two, one]):
        catalogue = make_catalogue(sources)
        assert list(catalogue.games) == ["g"]
        assert [info.error for info in catalogue.plugins] == [
            None,
            "The plugin 'x' failed in registration: another plugin of this name comes from a.",
        ]


def test_the_order_in_which_plugins_are_found_does_not_matter() -> None:
    sources = [
        of_games("c", game("one"), game("two")),
        of_rules("a", rule("three")),
        of_games("b", game("two")),
        failing("d", ImportError("x")),
    ]
    first, *others = (make_catalogue(order) for order in permutations(sources))
    assert list(first.games) == ["two"]
    for other in others:
        assert (other.games, other.house_rules, other.plugins, other.owners) == (
            first.games,
            first.house_rules,
            first.plugins,
            first.owners,
        )


def test_a_plugin_error_keeps_plugin_and_hook() -> None:
    error = PluginError("p", "rummy_games", "why not")
    assert (error.plugin, error.hook, str(error)) == (
        "p",
        "rummy_games",
        "The plugin 'p' failed in rummy_games: why not",
    )


# --- which are loaded ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "names"),
    [("rummy-no", ["rummy-no"]), (" joker-20 , rummy-no ", ["joker-20", "rummy-no"]), ("", []), (",", [])],
)
def test_the_environment_may_name_the_only_plugins_to_load(
    value: str, names: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(ONLY, value)
    assert [source.name for source in installed()] == names


def test_a_plugin_that_the_environment_names_and_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ONLY, "rummy-no,nowhere")
    catalogue = make_catalogue(installed())
    assert list(catalogue.games) == ["rummy-no"]
    assert [(info.name, info.source, info.error) for info in catalogue.plugins if not info.ok] == [
        (
            "nowhere",
            ONLY,
            f"The plugin 'nowhere' failed in import: ModuleNotFoundError: {ONLY} names it, and it is not installed.",
        )
    ]


def test_plugins_come_from_the_entry_point_group_of_the_guide() -> None:
    assert GROUP == "rummy_p2p.variants"


# --- options ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "name", "options"),
    [
        ("limit", "limit", {}),
        ("limit=50", "limit", {"": "50"}),
        (" limit = 50 ", "limit", {"": "50"}),
        ("joker-20:jokers=4", "joker-20", {"jokers": "4"}),
        ("knock-claim:penalty=stock,count=2", "knock-claim", {"penalty": "stock", "count": "2"}),
        ("knock-claim: penalty = stock , count = 2", "knock-claim", {"penalty": "stock", "count": "2"}),
        ("rounds=33,34,44", "rounds", {"": "33,34,44"}),
        ("rounds:of=33,34,44,size=10", "rounds", {"of": "33,34,44", "size": "10"}),
        ("limit=50:strict=yes", "limit", {"": "50", "strict": "yes"}),
        ("limit=", "limit", {"": ""}),
    ],
)
def test_how_a_house_rule_is_written(text: str, name: str, options: dict[str, str]) -> None:
    assert split_rule(text) == (name, options)


@pytest.mark.parametrize("text", ["limit:", "limit:50", "limit:=50", "limit:a=1,=2", "limit:a=1,a=2", "limit:,a=1"])
def test_options_that_cannot_be_read(text: str) -> None:
    with pytest.raises(RulesetError, match="options look like limit:option=value,option=value, each once") as caught:
        split_rule(text)
    assert caught.value.code == "bad-option"


OPTIONS = (
    Option("count", int, 2, least=1),
    Option("from", str, "stock", ("stock", "pile")),
    Option("name", str, "x"),
    Option("strict", bool, default=False),
    Option("jokers", int),
    Option("packs", int, 1, (1, 2)),
)


@pytest.mark.parametrize(
    ("given", "changed"),
    [
        ({}, {}),
        ({"": "3"}, {"count": 3}),
        ({"count": "1"}, {"count": 1}),
        ({"from": "pile"}, {"from": "pile"}),
        ({"name": "33,34"}, {"name": "33,34"}),
        ({"strict": "Yes"}, {"strict": True}),
        ({"strict": "off"}, {"strict": False}),
        ({"jokers": "0"}, {"jokers": 0}),
        ({"packs": "2"}, {"packs": 2}),
    ],
)
def test_options_get_their_types_and_defaults(given: dict[str, str], changed: dict[str, OptionValue]) -> None:
    defaults = {"count": 2, "from": "stock", "name": "x", "strict": False, "jokers": None, "packs": 1}
    assert read_options(rule("r", None, *OPTIONS), given) == defaults | changed


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"count": "0"}, "count is a whole number from 1, not '0'"),
        ({"count": "-1"}, "count is a whole number from 1, not '-1'"),
        ({"count": "two"}, "count is a whole number from 1, not 'two'"),
        ({"count": "1234567"}, "count is a whole number from 1"),
        ({"count": "\u0664"}, "count is a whole number from 1"),
        ({"count": ""}, "count is a whole number from 1, not ''"),
        ({"from": "hand"}, "from is stock, pile, not 'hand'"),
        ({"name": ""}, "name is a word, not ''"),
        ({"strict": "maybe"}, "strict is yes or no, not 'maybe'"),
        ({"packs": "3"}, "packs is 1, 2, not '3'"),
        ({"other": "1"}, "has no option 'other'. Its options: count, from, name, strict, jokers, packs"),
    ],
)
def test_options_that_are_refused(given: dict[str, str], told: str) -> None:
    with pytest.raises(RulesetError) as caught:
        read_options(rule("r", None, *OPTIONS), given)
    assert caught.value.code == "bad-option"
    assert "The house rule 'r'" in str(caught.value)
    assert told in str(caught.value)


def test_a_rule_without_options_has_nothing_to_set() -> None:
    with pytest.raises(RulesetError, match=r"The house rule 'r' has nothing to set\. Its options: none"):
        read_options(rule("r"), {"": "5"})


# --- compiling -------------------------------------------------------------------------------------------------------


def cards(rules: Ruleset, options: Options) -> Ruleset:
    return rules.with_(hand_size=(options["cards"],))


def jokers(rules: Ruleset, _options: Options) -> Ruleset:
    return rules.with_(deck__jokers=rules.deck.jokers + 2)


def double(rules: Ruleset, _options: Options) -> Ruleset:
    return rules.with_(deck__jokers=rules.deck.jokers * 2)


def refuses(_rules: Ruleset, _options: Options) -> Ruleset:
    raise conflict("it has no jokers.")


def breaks(_rules: Ruleset, _options: Options) -> Ruleset:
    raise IndexError("list index out of range")


def forgets(_rules: Ruleset, _options: Options) -> Ruleset:
    return cast("Ruleset", None)


def catalogue() -> Catalogue:
    rules = [
        rule("cards", cards, Option("cards", int, 5)),
        *(rule(change.__name__, change) for change in (jokers, double, refuses, breaks, forgets)),
    ]
    return make_catalogue([of_games("games", game("g"), game("h")), of_rules("rules", *rules)])


def test_house_rules_are_laid_over_a_game_in_the_order_given() -> None:
    compiled = catalogue().compile("g", ["jokers", "double", "cards=9"])
    assert (compiled.game, compiled.house) == ("g", ("jokers", "double", "cards=9"))
    assert (compiled.deck.jokers, compiled.hand_size) == (4, (9,))
    assert catalogue().compile("g", ["double", "jokers"]).deck.jokers == 2


@pytest.mark.parametrize(
    ("name", "house", "code", "told"),
    [
        ("x", [], "unknown-rule", "There is no game called 'x'. Games: g, h."),
        ("g", ["x"], "unknown-rule", "There is no house rule called 'x'. House rules: breaks, cards, double,"),
        ("g", [""], "unknown-rule", "There is no house rule called ''."),
        ("g", ["cards=many"], "bad-option", "The house rule 'cards': cards is a whole number from 0, not 'many'."),
        ("g", ["refuses"], "rule-conflict", "The house rule 'refuses' does not go with 'g': it has no jokers."),
        (
            "g",
            ["cards=40"],
            "rule-conflict",
            "'cards' does not go with 'g': These rules cannot be played: there are not",
        ),
        (
            "g",
            ["breaks"],
            "rule-conflict",
            "The plugin 'rules' failed in the house rule 'breaks': IndexError: list index out of range. Play without",
        ),
        ("g", ["forgets"], "rule-conflict", "TypeError: it answers NoneType where a Ruleset is needed"),
    ],
)
def test_what_cannot_be_compiled(name: str, house: Sequence[str], code: str, told: str) -> None:
    with pytest.raises(RulesetError) as caught:
        catalogue().compile(name, house)
    assert caught.value.code == code
    assert told in str(caught.value)


def test_a_rule_fits_the_games_that_it_can_be_laid_over() -> None:
    found = catalogue()
    fits = {name: found.fits(one) for name, one in found.house_rules.items()}
    assert fits == {"cards": ("g", "h"), "jokers": ("g", "h"), "double": ("g", "h")} | dict.fromkeys(
        ("refuses", "breaks", "forgets"), ()
    )


def test_the_fingerprint_is_of_the_content_alone() -> None:
    found = catalogue()
    one = found.compile("g", ["jokers", "cards=6"])
    other = found.compile("h", ["cards:cards=6", "jokers"])
    assert one.fingerprint == other.fingerprint
    assert one.canonical() != other.canonical()
    assert found.compile("g", ["jokers"]).fingerprint != found.compile("g").fingerprint
