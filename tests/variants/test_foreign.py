from __future__ import annotations

from collections.abc import Iterable

import msgspec
import pytest

from rummy_p2p.protocol.messages import PluginMark, TableInfo
from rummy_p2p.ruleset import Ruleset, RulesetError, from_canonical
from rummy_p2p.variants.api import HandSummary, HouseRule, Option, Options, hookimpl, knob_function
from rummy_p2p.variants.foreign import rules_with_functions, table_rules
from rummy_p2p.variants.manager import Catalogue, Source, installed, make_catalogue
from rummy_p2p.variants.toml import parse_rule, source_of
from tests.variants.plugins import of_rules, rule

EVENING = 'title = "Long evening"\ngame = "rummy-sv"\n[knobs]\nopening.points = 40\nscoring.in_hand.joker = 50\n'
WITH_CODE = 'title = "x"\nhouse = ["bonus"]\n[knobs]\nopening.points = 40\n'


def hand_bonus(summary: HandSummary) -> int:
    return -10 if summary.left else 0


def bonus(rules: Ruleset, options: Options) -> Ruleset:
    return rules.with_function(knob_function("hand_bonus", hand_bonus, plugin="bonus", version=str(options["version"])))


BONUS = rule("bonus", bonus, Option("version", int, 1))
PLAIN = rule("plain", lambda rules, _options: rules.with_(opening__points=25))


class Code:
    """A plugin of the creator's that is code."""

    @hookimpl
    def rummy_house_rules(self) -> list[HouseRule]:
        return [BONUS]


def toml(text: str, name: str = "evening") -> Source:
    return source_of(parse_rule(text, f"{name}.toml"))


def catalogue(*more: Source) -> Catalogue:
    return make_catalogue([*installed(), *more])


CODE = Source("bonus.py", "bonus.py", "abc", Code, own=True)
HERE = catalogue()


def table(games: Catalogue, game: str, *house: str, marks: Iterable[str] | None = None) -> TableInfo:
    """Return what the creator of a table says of it; ``marks``: the plugins that it names, when it does not say all."""
    return of_rules_here(games, games.compile(game, house), marks)


def of_rules_here(games: Catalogue, rules: Ruleset, marks: Iterable[str] | None = None) -> TableInfo:
    plugins = [(plugin.name, plugin.version) for plugin in games.contributors(rules)]
    return TableInfo(
        table=bytes(32),
        nonce=bytes(32),
        version=1,
        title="Friday",
        rules=rules.canonical(),
        fingerprint=bytes.fromhex(rules.fingerprint),
        plugins=tuple(
            PluginMark(name=name, version=version) for name, version in plugins if marks is None or name in marks
        ),
        seats=2,
        deal="host",
        trust="quorum",
        hands=0,
    )


def refused(games: Catalogue, info: TableInfo) -> tuple[str, str]:
    with pytest.raises(RulesetError) as caught:
        table_rules(games, info)
    return caught.value.code, str(caught.value)


# --- what is installed here ------------------------------------------------------------------------------------------


def test_what_is_installed_here_is_compiled_here_and_not_worth_a_word() -> None:
    found = table_rules(HERE, table(HERE, "rummy-sv", "take-all", "limit=100"))
    assert found.told == ()
    assert found.rules == HERE.compile("rummy-sv", ["take-all", "limit=100"])


def test_a_file_that_both_have_is_not_worth_a_word() -> None:
    both = catalogue(toml(EVENING))
    found = table_rules(both, table(both, "evening"))
    assert (found.told, found.rules.house) == ((), ("evening",))


def test_a_plugin_that_is_missing_is_named() -> None:
    theirs = catalogue(of_rules("strange", PLAIN))
    assert refused(HERE, table(theirs, "rummy-sv", "plain")) == (
        "unknown-rule",
        "This table plays plain, which this installation does not have. Plugins there: rummy-sv 0.1.0, strange 1.",
    )
    assert "Plugins there: unknown" in refused(HERE, table(theirs, "rummy-sv", "plain", marks=()))[1]


def test_a_game_that_is_missing_is_named() -> None:
    info = of_rules_here(HERE, HERE.compile("gin"))
    no_games = make_catalogue([])
    assert "This table plays gin, which this installation does not have." in refused(no_games, info)[1]


def test_code_that_is_missing_is_named() -> None:
    theirs = catalogue(CODE)
    code, told = refused(HERE, table(theirs, "rummy-sv", "bonus"))
    assert (code, "Plugins there: rummy-sv 0.1.0, bonus.py abc." in told) == ("unknown-rule", True)


def test_code_of_another_version_is_named() -> None:
    theirs = catalogue(CODE)
    info = table(theirs, "rummy-sv", "bonus:version=2")
    other = of_rules_here(theirs, from_house(info, "bonus"))
    code, told = refused(theirs, other)
    assert code == "unknown-rule"
    assert told.startswith("This table uses code of the plugin bonus 2, which this installation does not have, or not")


def from_house(info: TableInfo, *house: str) -> Ruleset:
    """Return a table's rules under other names, as a creator with another version of a plugin has them."""
    return msgspec.structs.replace(rules_with_functions(catalogue(CODE_2), info.rules), house=house)


def newer(rules: Ruleset, _options: Options) -> Ruleset:
    return bonus(rules, {"version": 2})


CODE_2 = of_rules("bonus.py", rule("bonus", newer))


def test_rules_that_do_not_go_together_here_are_refused() -> None:
    strict = catalogue(of_rules("strange", rule("plain", lambda rules, _options: rules.with_(hand_size=(99,)))))
    info = table(catalogue(of_rules("strange", PLAIN)), "rummy-sv", "plain")
    assert refused(strict, info)[0] == "rule-conflict"


# --- a file of the creator's -----------------------------------------------------------------------------------------


def test_a_file_comes_with_the_table_and_what_it_changes_is_told() -> None:
    theirs = catalogue(toml(EVENING))
    found = table_rules(HERE, table(theirs, "rummy-sv", "take-all", "evening"))
    assert found.rules.fingerprint == theirs.compile("rummy-sv", ["take-all", "evening"]).fingerprint
    first, *changes = found.told
    assert (
        first
        == "This table plays by a file of its creator: evening. It holds no code, only values of rummy-sv's rules."
    )
    assert len(changes) == 2
    assert "must be worth 40 points" in changes[0]
    assert "A joker left in hand counts 50." in changes[1]
    assert not any("times" in line for line in changes), "what take-all changes is known here"


def test_a_file_of_the_same_name_here_is_not_taken_for_the_creators() -> None:
    theirs, mine = catalogue(toml(EVENING)), catalogue(toml(EVENING.replace("40", "60")))
    found = table_rules(mine, table(theirs, "rummy-sv", "evening"))
    assert found.rules.opening.points == 40
    assert "60" not in " ".join(found.told)


@pytest.mark.parametrize(
    "text", ['title = "x"\n[knobs]\nplayers.max = 7\nhand_size = [40]', EVENING.replace("sv", "no")]
)
def test_a_file_of_the_same_name_that_does_not_go_here_does_not_matter(text: str) -> None:
    theirs, mine = catalogue(toml(EVENING)), catalogue(toml(text))
    assert table_rules(mine, table(theirs, "rummy-sv", "evening")).rules.opening.points == 40


def test_a_file_that_changes_nothing_is_told_as_well() -> None:
    theirs = catalogue(toml('title = "x"\n[knobs]\nopening.points = 30'))
    assert table_rules(HERE, table(theirs, "rummy-sv", "evening")).told[1:] == (
        "It changes nothing that matters here.",
    )


def test_house_rules_that_go_only_together_with_the_file_are_told_with_it() -> None:
    """With the file there are cards enough for the rule; without it the rule is refused."""
    theirs = catalogue(
        toml('title = "x"\n[knobs]\ndeck.packs = 2'),
        of_rules("many", rule("many", lambda rules, _options: rules.with_(hand_size=(17,)))),
    )
    info = table(theirs, "rummy-no", "evening", "many")
    found = table_rules(catalogue(of_rules("many", theirs.house_rules["many"])), info)
    assert "2 packs" in " ".join(found.told)


def test_a_file_that_brings_code_needs_the_code_here() -> None:
    theirs = catalogue(CODE, toml(WITH_CODE))
    info = table(theirs, "rummy-sv", "evening")
    assert {mark.name for mark in info.plugins} == {"rummy-sv", "bonus.py", "evening.toml"}
    code, told = refused(HERE, info)
    assert (code, "uses code of the plugin bonus 1" in told) == ("unknown-rule", True)
    found = table_rules(catalogue(CODE), info)
    function = found.rules.function("hand_bonus")
    assert function
    assert function.call is hand_bonus
    assert found.rules.fingerprint == info.fingerprint.hex()


def test_a_creator_that_contradicts_itself_is_refused() -> None:
    info = table(catalogue(toml(EVENING)), "rummy-sv", "evening")
    other = msgspec.structs.replace(info, fingerprint=bytes(32))
    assert refused(HERE, other) == ("rule-conflict", "What this table's creator says of its rules contradicts itself.")


def test_rules_that_no_table_could_play_are_refused() -> None:
    info = table(catalogue(toml(EVENING)), "rummy-sv", "evening")
    data = msgspec.json.decode(info.rules)
    data["hand_size"] = [1000]
    other = msgspec.structs.replace(info, rules=msgspec.json.encode(data))
    assert refused(HERE, other)[0] == "rule-conflict"


@pytest.mark.parametrize("rules", [b"", b"{", b"[]", b'{"game": 1}', b"\xff", b'{"x":' + b"[" * 5000])
def test_what_is_no_rules_is_refused(rules: bytes) -> None:
    info = msgspec.structs.replace(table(HERE, "gin"), rules=rules)
    assert refused(HERE, info)[0] == "bad-option"


def test_words_of_a_stranger_are_made_fit_for_a_terminal() -> None:
    theirs = catalogue(
        toml('title = "x"\n[knobs]\nmeta.title = "\\u001b[2Jx"\nlabels.call = "\\u202e"\nupcard = false')
    )
    rules = msgspec.structs.replace(theirs.compile("rummy-no", ["evening"]), house=("evening", "ace:\x1b[2J=\x07"))
    info = of_rules_here(theirs, theirs.compile("rummy-no", ["evening"]))
    found = table_rules(HERE, msgspec.structs.replace(info, rules=rules.canonical()))
    spoken = f"{found.told} {found.rules.meta} {found.rules.labels} {found.rules.house}"
    assert spoken.isprintable()
    assert "\\x1b" not in spoken
    assert (found.rules.meta.title, found.rules.labels.call) == ("[2Jx", "Call")
    assert found.rules.fingerprint == info.fingerprint.hex()


# --- functions -------------------------------------------------------------------------------------------------------


def test_rules_get_their_functions_from_the_plugins_here() -> None:
    here = catalogue(CODE)
    rules = here.compile("rummy-no", ["bonus"])
    assert rules_with_functions(here, rules.canonical()) == rules
    set_otherwise = here.compile("rummy-no", ["bonus:version=3"])
    assert rules_with_functions(here, set_otherwise.canonical()) == set_otherwise
    plain = HERE.compile("gin")
    assert rules_with_functions(HERE, plain.canonical()) == plain == from_canonical(plain.canonical())


def test_functions_that_are_not_here_are_named_with_their_plugin() -> None:
    rules = catalogue(CODE).compile("rummy-no", ["bonus"])
    with pytest.raises(RulesetError, match="uses code of the plugin bonus 1") as caught:
        rules_with_functions(HERE, rules.canonical())
    assert caught.value.code == "unknown-rule"
