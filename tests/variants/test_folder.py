from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from rummy_p2p.store import Paths, Store
from rummy_p2p.variants.folder import file_source, own_variants, with_files
from rummy_p2p.variants.manager import ONLY, Catalogue, FileError, installed, make_catalogue
from tests.variants.plugins import game, of_games

GUIDE = Path(__file__).parents[2] / "docs" / "variants.md"
TITLED = 'title = "x"\n[knobs]\nopening.points = {points}\n'
CODE = """
from pathlib import Path
from rummy_p2p.variants.api import HandSummary, HouseRule, hookimpl, knob_function

Path({ran!r}).write_text("code has run")


def hand_bonus(summary: HandSummary) -> int:
    return {bonus}


def change(rules, options):
    return rules.with_function(knob_function("hand_bonus", hand_bonus, plugin="mine"))


@hookimpl
def rummy_house_rules():
    return [HouseRule("mine", "Mine", "A rule.", change)]
"""


class Home:
    """A player's installation with a folder of own files."""

    def __init__(self, root: Path) -> None:
        self.store = Store(Paths.of(root))
        self.store.variants_folder.mkdir(parents=True)
        self.ran = root / "ran"

    def write(self, name: str, text: str) -> Path:
        path = self.store.variants_folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def code(self, bonus: int = -10, name: str = "mine.py") -> Path:
        return self.write(name, CODE.format(ran=str(self.ran), bonus=bonus))

    def catalogue(self) -> Catalogue:
        own, notices = own_variants(self.store)
        assert notices == ()
        return make_catalogue([*installed(), *own])

    def told(self, name: str) -> str:
        (info,) = [plugin for plugin in self.catalogue().plugins if plugin.name == name]
        assert not info.ok
        return info.error or ""


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


# --- what is found ---------------------------------------------------------------------------------------------------


def test_a_folder_that_is_not_there_holds_nothing(tmp_path: Path) -> None:
    assert own_variants(Store(Paths.of(tmp_path))) == ((), ())


def test_a_toml_file_is_found_under_the_id_of_its_name(home: Home) -> None:
    path = home.write("long-evening.toml", TITLED.format(points=40))
    catalogue = home.catalogue()
    assert catalogue.compile("rummy-sv", ["long-evening"]).opening.points == 40
    assert catalogue.owners["long-evening"] == "long-evening.toml"
    (info,) = [plugin for plugin in catalogue.plugins if plugin.name == "long-evening.toml"]
    assert (info.source, info.ok) == (str(path), True)


def test_a_broken_toml_file_is_listed_with_file_line_and_knob_and_ends_nothing(home: Home) -> None:
    path = home.write("long-evening.toml", 'title = "x"\n[knobs]\nopening.point = 40\n')
    assert home.told("long-evening.toml").startswith(
        f"The plugin 'long-evening.toml' failed in import: {path}, line 3: There is no knob called opening.point."
    )
    assert "rummy-sv" in home.catalogue().games


def test_tests_scenarios_and_hidden_files_are_no_variants(home: Home) -> None:
    for name in ("test_mine.py", "mine.scenario.toml", ".mine.toml", "_mine.py", "mine.toml~", "readme.md"):
        home.write(name, "broken [")
    assert own_variants(home.store) == ((), ())


def test_a_file_takes_no_place_of_what_is_installed(home: Home) -> None:
    for name in ("buy.toml", "gin.toml", "aaa.toml"):
        home.write(name, TITLED.format(points=40))
    catalogue = home.catalogue()
    assert {"buy", "knock-claim", "aaa"} <= catalogue.house_rules.keys()
    assert catalogue.owners["buy"] == "claims"
    assert "'buy' is already provided by 'claims'" in home.told("buy.toml")
    assert "'gin' is already provided by 'gin'" in home.told("gin.toml")


def test_the_environment_names_own_files_by_their_file_names(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    home.write("evening.toml", TITLED.format(points=40))
    home.write("morning.toml", TITLED.format(points=20))
    monkeypatch.setenv(ONLY, "rummy-sv, evening.toml, night.toml")
    plugins = {plugin.name: plugin.error for plugin in home.catalogue().plugins}
    missing = (
        f"The plugin 'night.toml' failed in import: ModuleNotFoundError: {ONLY} names it, and it is not installed."
    )
    assert plugins == {"rummy-sv": None, "evening.toml": None, "night.toml": missing}
    monkeypatch.setenv(ONLY, "")
    assert home.catalogue().plugins == ()


def test_a_folder_that_cannot_be_read_is_told_and_ends_nothing(tmp_path: Path) -> None:
    store = Store(Paths.of(tmp_path))
    store.paths.config.mkdir()
    store.variants_folder.write_text("no folder")
    sources, (notice,) = own_variants(store)
    assert (sources, notice.code) == ((), "store-failed")


# --- code ------------------------------------------------------------------------------------------------------------


def test_code_that_is_not_trusted_is_listed_with_what_to_do_and_never_run(home: Home) -> None:
    path = home.code()
    what_to_do = f"it is not trusted; read it, then run: rummy-p2p variants trust '{path}'."
    assert home.told("mine.py") == f"The plugin 'mine.py' failed in import: {what_to_do}"
    assert "mine" not in home.catalogue().house_rules
    assert not home.ran.exists()


def test_code_that_is_trusted_is_run(home: Home) -> None:
    digest = home.store.trust(home.code())
    catalogue = home.catalogue()
    function = catalogue.compile("rummy-no", ["mine"]).function("hand_bonus")
    assert function
    assert (function.plugin, function.call(None)) == ("mine", -10)
    (info,) = [plugin for plugin in catalogue.plugins if plugin.name == "mine.py"]
    assert (info.version, info.ok) == (digest[:12], True)
    assert home.ran.exists()


def test_code_that_has_changed_must_be_trusted_again(home: Home) -> None:
    home.store.trust(home.code(-10))
    before = home.catalogue().compile("rummy-no", ["mine"])
    home.code(-20)
    assert "it is not trusted" in home.told("mine.py")
    home.store.trust(home.code(-20))
    after = home.catalogue().compile("rummy-no", ["mine"])
    assert before.fingerprint != after.fingerprint
    assert [rules.functions[0].call(None) for rules in (before, after)] == [-10, -20]
    home.code(-10)
    assert home.catalogue().compile("rummy-no", ["mine"]).fingerprint == before.fingerprint


def test_what_is_run_is_what_was_hashed(home: Home) -> None:
    """A file that changes between the look at it and the run gains nothing, nor does its change enter the hash."""
    home.store.trust(home.code(-10))
    own, _ = own_variants(home.store)
    home.code(-20)
    changed = make_catalogue([*installed(), *own]).compile("rummy-no", ["mine"])
    assert changed.functions[0].call(None) == -10
    home.code(-10)
    assert home.catalogue().compile("rummy-no", ["mine"]).fingerprint == changed.fingerprint


def test_trust_is_in_the_content_wherever_the_file_lies(home: Home, tmp_path: Path) -> None:
    elsewhere = tmp_path / "mine.py"
    elsewhere.write_bytes(home.code().read_bytes())
    home.store.trust(elsewhere)
    assert "mine" in home.catalogue().house_rules
    assert "mine" in make_catalogue([*installed(), file_source(elsewhere, home.store)]).house_rules


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("x = 1 +", "SyntaxError: invalid syntax"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("import nowhere_at_all", "ModuleNotFoundError: No module named 'nowhere_at_all'"),
        ("x = 1", "registration: it yields neither games nor house rules"),
    ],
)
def test_code_that_fails_is_listed_with_its_error(home: Home, text: str, error: str) -> None:
    home.store.trust(home.write("failing.py", text))
    assert error in home.told("failing.py")
    assert ("rummy_p2p_own_variants.failing" in sys.modules) == (text == "x = 1")


def test_code_that_cannot_be_read_is_listed(home: Home) -> None:
    home.code().unlink()
    (home.store.variants_folder / "mine.py").write_bytes(b"#" * (1024 * 1024 + 1))
    assert "mine.py is larger than anything" in home.told("mine.py")


def test_a_list_of_trust_that_is_damaged_is_told(home: Home) -> None:
    home.store.trust(home.code())
    (home.store.paths.state / "trusted.json").write_text("{")
    sources, (notice,) = own_variants(home.store)
    assert ([source.name for source in sources], notice.code) == (["mine.py"], "trust-set-aside")
    assert not home.ran.exists()


def test_the_plugin_of_the_guide_earns_fifty_for_a_run_of_seven(home: Home) -> None:
    """What the guide says to write is written, trusted and played, and the guide's own test passes."""
    text = GUIDE.read_text("utf-8")
    code = re.search(r"```python\n(\"\"\"Run of seven.*?)```", text, re.DOTALL)
    test = re.search(r"```py\n(.*?import run_of_seven.*?)```", text, re.DOTALL)
    assert code
    assert test
    home.store.trust(home.write("run_of_seven.py", code[1]))
    catalogue = home.catalogue()
    assert set(catalogue.fits(catalogue.house_rules["run-of-seven"])) == set(catalogue.games)
    module = sys.modules["rummy_p2p_own_variants.run_of_seven"]
    scope: dict[str, object] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "run_of_seven", module)
        exec(test[1], scope)  # noqa: S102 -- it is our own text
    tests = [value for name, value in scope.items() if name.startswith("test_")]
    assert len(tests) == 2
    for each in tests:
        assert callable(each)
        each()


# --- files that are named --------------------------------------------------------------------------------------------


def test_a_file_that_is_named_is_read_wherever_it_lies(tmp_path: Path) -> None:
    path = tmp_path / "evening.toml"
    path.write_text(TITLED.format(points=40), encoding="utf-8")
    catalogue = make_catalogue(with_files(installed(), ["limit=50", str(path), str(path)]))
    assert catalogue.compile("rummy-sv", [str(path)]).opening.points == 40


def test_a_file_that_is_named_stands_before_one_of_the_folder(home: Home, tmp_path: Path) -> None:
    home.write("evening.toml", TITLED.format(points=40))
    path = tmp_path / "evening.toml"
    path.write_text(TITLED.format(points=60), encoding="utf-8")
    own, _ = own_variants(home.store)
    catalogue = make_catalogue(with_files([*installed(), *own], [str(path)]))
    assert catalogue.compile("rummy-sv", ["evening"]).opening.points == 60
    by_name = make_catalogue(with_files([*installed(), *own], ["nowhere/evening.toml"]))
    assert by_name.compile("rummy-sv", ["evening.toml"]).opening.points == 40


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot be read: No such file or directory"):
        with_files(installed(), [str(tmp_path / "evening.toml")])
    strange = of_games("evening.toml", game("strange"))
    with pytest.raises(FileError, match="cannot be read"):
        with_files([strange], [str(tmp_path / "evening.toml")])


def test_two_files_of_one_name_are_one_too_many(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "evening.toml").write_text(TITLED.format(points=40), encoding="utf-8")
    with pytest.raises(FileError, match=r"have the same name, and a house rule is called after its file\. Rename one"):
        with_files(installed(), [str(tmp_path / folder / "evening.toml") for folder in ("a", "b")])
