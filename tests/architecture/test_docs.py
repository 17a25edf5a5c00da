"""The documents say what is there: commands, options, links, plugins, hooks and knobs."""

from __future__ import annotations

import ast
import hashlib
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

import msgspec
import pytest

from rummy_p2p.deal import DeckLaid, EntropyCommit, EntropyOpen
from rummy_p2p.offline.scenario import run_file
from rummy_p2p.protocol.codec import Message
from rummy_p2p.ruleset import KNOB_FUNCTIONS, Ruleset
from rummy_p2p.variants.manager import Source, installed, make_catalogue

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
DOCS = [README, *sorted((ROOT / "docs").rglob("*.md"))]
DECISIONS = sorted((ROOT / "docs" / "adr").glob("*.md"))

FENCE = re.compile(r"^```(?P<language>\w*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"(?<!!)\[[^\]]+\]\((?P<target>[^)\s]+)\)")
ONE_PAGE = 60


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def blocks(text: str, language: str) -> list[list[str]]:
    return [match["body"].splitlines() for match in FENCE.finditer(text) if match["language"] == language]


def code(text: str) -> Iterator[str]:
    """Yield every line of code in a document, from blocks and from spans."""
    for match in FENCE.finditer(text):
        yield from match["body"].splitlines()
    yield from SPAN.findall(FENCE.sub("", text))


def commands() -> list[tuple[str, ...]]:
    """Return the words after ``rummy-p2p`` wherever a document shows it being typed."""
    lines = {line for path in DOCS for line in code(path.read_text("utf-8")) if line.startswith("rummy-p2p ")}
    return sorted(tuple(shlex.split(line, comments=True)[1:]) for line in lines)


@cache
def help_of(*words: str) -> str:
    command = [sys.executable, "-m", "rummy_p2p", *words, "--help"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def anchors(path: Path) -> set[str]:
    """Return the names under which headings can be linked to."""
    headings = re.findall(r"^#+ (.+)$", FENCE.sub("", path.read_text("utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_readme_starts_with_two_commands_of_one_line_each() -> None:
    play, test = blocks(README.read_text("utf-8"), "sh")[:2]
    assert [len(play), len(test)] == [1, 1]
    assert play[0].endswith(".venv/bin/rummy-p2p")
    assert "-m pytest" in test[0]


@pytest.mark.skipif(shutil.which("awk") is None, reason=".ci/run is for systems that have awk")
def test_ci_runs_the_test_command_of_readme() -> None:
    program = re.search(r"awk '([^']+)' README\.md", (ROOT / ".ci" / "run").read_text("utf-8"))
    assert program
    done = subprocess.run(
        ["awk", program[1], str(README)], capture_output=True, text=True, encoding="utf-8", check=True
    )
    assert done.stdout.splitlines() == blocks(README.read_text("utf-8"), "sh")[1]


@pytest.mark.parametrize("words", commands(), ids=" ".join)
def test_a_command_in_the_documents_exists_with_its_options(words: tuple[str, ...]) -> None:
    text = help_of(words[0])
    options = {word.partition("=")[0] for word in words if word.startswith("--")}
    assert {option for option in options if not re.search(rf"{option}\b", text)} == set()


@pytest.mark.parametrize("path", DOCS, ids=name)
def test_every_link_leads_somewhere(path: Path) -> None:
    targets = [match["target"] for match in LINK.finditer(FENCE.sub("", path.read_text("utf-8")))]
    for target in (target for target in targets if "://" not in target):
        place, _, anchor = target.partition("#")
        linked = path.parent / place if place else path
        assert linked.exists(), target
        assert not anchor or anchor in anchors(linked), target


@pytest.mark.parametrize("path", sorted((ROOT / "docs").glob("*.md")), ids=name)
def test_every_document_is_found_from_readme(path: Path) -> None:
    assert f"({name(path)})" in README.read_text("utf-8")


def test_every_shipped_game_and_house_rule_has_its_line() -> None:
    catalogue = make_catalogue(installed())
    readme = README.read_text("utf-8")
    pages = [readme, *(path.read_text("utf-8") for path in DOCS if path.name == "house-rules.md")]
    assert [game for game in catalogue.games if f"| `{game}` |" not in readme] == []
    assert [rule for rule in catalogue.house_rules if not any(f"| `{rule}` |" in page for page in pages)] == []


def test_the_guide_for_authors_tells_of_every_hook_and_every_knob() -> None:
    specs = ast.parse((ROOT / "rummy_p2p" / "variants" / "hookspecs.py").read_text("utf-8"))
    hooks = {node.name for node in specs.body if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")}
    guide = set(re.findall(r"\w+", " ".join(code((ROOT / "docs" / "variants.md").read_text("utf-8")))))
    groups = {path.partition(".")[0] for path in Ruleset().knobs()} - {"game", "house"}
    assert hooks
    assert (hooks | groups | set(KNOB_FUNCTIONS)) - guide == set()


def test_the_protocol_page_tells_of_every_message() -> None:
    import_every_message()
    page = set(code((ROOT / "docs" / "protocol.md").read_text("utf-8")))
    assert {tag for kind in packed_kinds() if (tag := kind.__struct_config__.tag)} - page == set()


def import_every_message() -> None:
    for path in (ROOT / "rummy_p2p" / "protocol").glob("*.py"):
        import_module(f"rummy_p2p.protocol.{path.stem}")


def packed_kinds() -> list[type[msgspec.Struct]]:
    """Return every message of ours that is packed by itself."""
    below = list(Message.__subclasses__())
    return [*(kind for kind in below if kind.__module__.startswith("rummy_p2p.")), EntropyCommit, EntropyOpen, DeckLaid]


@pytest.mark.parametrize("path", sorted((ROOT / "rummy_p2p").rglob("*.py")), ids=name)
def test_a_document_that_the_source_names_exists(path: Path) -> None:
    named = re.findall(r"\bdocs/[\w./-]+\.md\b", path.read_text("utf-8"))
    assert [document for document in named if not (ROOT / document).exists()] == []


def toml_of_the_documents() -> list[str]:
    return [
        "\n".join(lines) for path in DOCS for lines in blocks(path.read_text("utf-8"), "toml") if "seats" in str(lines)
    ]


@pytest.mark.parametrize("text", toml_of_the_documents(), ids=lambda text: text.partition("\n")[0])
def test_a_scenario_of_the_documents_holds(text: str, tmp_path: Path) -> None:
    file = tmp_path / "scenario.toml"
    file.write_text(text, encoding="utf-8")
    catalogue = make_catalogue([*installed(), *(source_of(plugin, tmp_path) for plugin in plugins_of_the_guide())])
    outcome = run_file(file, catalogue)
    assert outcome.ok, outcome


@pytest.mark.parametrize(("number", "path"), list(enumerate(DECISIONS, start=1)), ids=[path.stem for path in DECISIONS])
def test_a_decision_is_one_numbered_page(number: int, path: Path) -> None:
    text = path.read_text("utf-8")
    assert path.name.startswith(f"{number:04}-")
    assert len(text.splitlines()) <= ONE_PAGE
    assert re.search(r"^Status: (accepted|superseded by \d{4})", text, re.MULTILINE)
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == ["Context", "Decision", "Consequences"]


def plugins_of_the_guide() -> list[str]:
    return ["\n".join(lines) for lines in blocks((ROOT / "docs" / "variants.md").read_text("utf-8"), "python")]


def source_of(text: str, folder: Path) -> Source:
    """Return the plugin that a text is; its file exists, since the source of a function knob is read."""
    file = folder / f"{hashlib.sha256(text.encode()).hexdigest()[:8]}.py"
    file.write_text(text, encoding="utf-8")

    def load() -> ModuleType:
        module = ModuleType(file.stem)
        exec(compile(text, file, "exec"), module.__dict__)  # noqa: S102 -- it is our own text
        return module

    return Source(f"guide-{file.stem}", str(file), "1", load)


@pytest.mark.parametrize("text", plugins_of_the_guide(), ids=lambda text: text.partition(":")[0].strip('"'))
def test_a_plugin_of_the_guide_can_be_played(text: str, tmp_path: Path) -> None:
    catalogue = make_catalogue([*installed(), source_of(text, tmp_path)])
    assert [plugin.error for plugin in catalogue.plugins if not plugin.ok] == []
    games = [game for game, owner in catalogue.owners.items() if owner.startswith("guide-") and game in catalogue.games]
    rules = [
        rule for rule, owner in catalogue.owners.items() if owner.startswith("guide-") and rule in catalogue.house_rules
    ]
    for game in games or ["rummy-no"]:
        standard = catalogue.compile(game)
        for rule in rules:
            assert catalogue.compile(game, [rule]).fingerprint != standard.fingerprint
